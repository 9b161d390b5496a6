/* A list algorithm over nodes, and `halves`, the list minimiser of Perses.
 *
 * The algorithms of reduce/list know positions 0 .. n-1 only.  Here the items that are left, in
 * order, are those positions: a proposal to leave out positions becomes edits of nodes, and a
 * success drops the items, so that the algorithm's positions and the array agree again.
 * Invariant: while step is ALGORITHM, `state` is that of a run over n items, and `edit` what
 * was proposed last. Why not a copy of each algorithm for trees: ten algorithms with their
 * knobs work on trees this way, with exactly the steps that their sources print for lists. */
#include "reduce/tree/node_list.h"

#include <assert.h>
#include <string.h>

#include <pare/algorithm.h>

#include "base/alloc.h"
#include "base/fail.h"

/* Releases what the algorithm's state holds; the memory of the state itself stays. */
static void end_algorithm(pare_node_list *list)
{
    if (list->started && list->options.algorithm->release)
        list->options.algorithm->release(list->state);
    list->started = false;
}

/* The list is one that has ended afterwards, and may be started again. */
void pare_node_list_done(pare_node_list *list)
{
    end_algorithm(list);
    pare_alloc_free(list->state);
    pare_shared_release(list->items);
    pare_edit_done(&list->edit);
    *list = (pare_node_list){.step = PARE_NODE_LIST_ENDED};
}

/* Starts the algorithm on the items that are left; `run` counts the runs of a fixpoint. */
static pare_status begin_run(pare_node_list *list, size_t run, pare_error *err)
{
    const pare_list_algorithm *algorithm = list->options.algorithm;
    end_algorithm(list);
    pare_status status = algorithm->start(list->state, list->n, &list->options.knobs, run, err);
    list->started = !status;
    list->run = run;
    list->removed = false;
    return status;
}

/* The items are copied into an array that copies of the list share. */
pare_status pare_node_list_start(pare_node_list *list, const pare_node_list_options *options,
                                 const pare_tree_item *items, size_t n, pare_error *err)
{
    pare_node_list_done(list);
    list->options = *options;
    if (!list->options.algorithm) list->options.algorithm = pare_list_algorithm_find("ddmin");
    if (!n) return PARE_OK;
    pare_status status = pare_shared_new(n, sizeof *items, &list->items, err);
    void *to = NULL;
    if (!status) status = pare_shared_own(&list->items, 0, n, &to, err);
    if (status) return status;
    memcpy(to, items, n * sizeof *items);
    list->n = n;
    size_t bytes = list->options.algorithm->state_bytes;
    list->state = pare_alloc(1, bytes ? bytes : 1);
    if (!list->state) return pare_fail_nomem(err);
    bool all = options->all_first && !options->never_empty;
    list->step = all ? PARE_NODE_LIST_ALL : PARE_NODE_LIST_ALGORITHM;
    return all ? PARE_OK : begin_run(list, 0, err);
}

/* The algorithm's state is copied by memcpy, then told that it is shared (retain): states hold
 * what does not change by reference. */
pare_status pare_node_list_copy(const pare_node_list *list, pare_node_list *copy, pare_error *err)
{
    *copy = *list;
    /* The copied struct still points to what `list` owns alone. That is cleared first, so that
     * ending the copy after a failure frees nothing of the list's. */
    copy->edit = (pare_edit){0};
    copy->state = NULL;
    copy->started = false;
    pare_shared_retain(copy->items);
    pare_status status = PARE_OK;
    if (list->state) {
        size_t bytes = list->options.algorithm->state_bytes;
        copy->state = pare_alloc(1, bytes ? bytes : 1);
        if (!copy->state) status = pare_fail_nomem(err);
    }
    if (!status && list->started) {
        assert(copy->state && list->state);
        memcpy(copy->state, list->state, list->options.algorithm->state_bytes);
        copy->started = true;
        if (list->options.algorithm->retain) list->options.algorithm->retain(copy->state);
    }
    for (size_t i = 0; !status && i < list->edit.n_ranges; i++)
        status =
            pare_edit_add(&copy->edit, list->edit.ranges[i].from, list->edit.ranges[i].to, err);
    if (status) pare_node_list_done(copy);
    return status;
}

/* Whether the algorithm is run again after it removed something. */
static bool to_fixpoint(const pare_node_list *list)
{
    pare_fixpoint wanted = list->options.knobs.fixpoint;
    if (wanted == PARE_FIXPOINT_DEFAULT) return list->options.algorithm->fixpoint;
    return wanted == PARE_FIXPOINT_ON;
}

/* What the algorithm proposes next, in this run or in the next ones of a fixpoint.
 * A run that removed nothing ends the fixpoint: the next one would propose the same. */
static pare_status ask(pare_node_list *list, bool *done, pare_error *err)
{
    for (;;) {
        *done = false;
        pare_edit_reset(&list->edit);
        pare_status status = list->options.algorithm->next(list->state, done, &list->edit, err);
        if (status || !*done || !list->removed || !to_fixpoint(list)) return status;
        status = begin_run(list, list->run + 1, err);
        if (status) return status;
    }
}

/* Sets list->edit to the next proposal, or *done.  A proposal that would empty a list which
 * must not become empty is answered as if it had passed, without a test. */
static pare_status propose(pare_node_list *list, bool *done, pare_error *err)
{
    for (;;) {
        bool ended = false;
        pare_status status = PARE_OK;
        pare_edit_reset(&list->edit);
        switch (list->step) {
        case PARE_NODE_LIST_ENDED: *done = true; return PARE_OK;
        case PARE_NODE_LIST_ALL:
        case PARE_NODE_LIST_ONE: return pare_edit_add(&list->edit, 0, list->n, err);
        case PARE_NODE_LIST_ALGORITHM: status = ask(list, &ended, err); break;
        }
        if (status) return status;
        if (ended) {
            /* EmptyDD: algorithms that follow the definition never test the empty list. */
            bool one = list->n == 1 && !list->options.never_empty && !list->options.all_first;
            list->step = one ? PARE_NODE_LIST_ONE : PARE_NODE_LIST_ENDED;
        } else if (list->options.never_empty && pare_edit_count(&list->edit) >= list->n) {
            status = list->options.algorithm->tell(list->state, false, err);
            if (status) return status;
        } else {
            return PARE_OK;
        }
    }
}

/* Positions of the proposal become edits of the nodes that stand there. */
pare_status pare_node_list_next(pare_node_list *list, bool *done, pare_tree_edits *edits,
                                pare_error *err)
{
    *done = false;
    pare_status status = propose(list, done, err);
    edits->n = 0;
    if (status || *done) return status;
    const pare_tree_item *items = pare_shared_items(list->items);
    for (size_t i = 0; i < list->edit.n_ranges; i++)
        for (size_t p = list->edit.ranges[i].from; !status && p < list->edit.ranges[i].to; p++)
            status = pare_tree_state_edits_add(
                edits, (pare_tree_edit){.change = list->options.change, .node = items[p].node},
                err);
    return status;
}

/* Drops the items of the last proposal.
 * The array is written only if nobody else refers to it, else copied first. */
static pare_status drop(pare_node_list *list, pare_error *err)
{
    void *own = NULL;
    pare_status status = pare_shared_own(&list->items, list->n, list->n, &own, err);
    if (status) return status;
    pare_tree_item *items = own;
    size_t kept = 0, range = 0;
    for (size_t i = 0; i < list->n; i++) {
        while (range < list->edit.n_ranges && list->edit.ranges[range].to <= i)
            range++;
        if (range < list->edit.n_ranges && list->edit.ranges[range].from <= i) continue;
        items[kept++] = items[i];
    }
    assert(kept <= list->n);
    list->n = kept;
    list->removed = true;
    return PARE_OK;
}

pare_status pare_node_list_tell(pare_node_list *list, bool fails, pare_error *err)
{
    pare_status status = fails ? drop(list, err) : PARE_OK;
    if (status) return status;
    if (list->step == PARE_NODE_LIST_ALGORITHM)
        return list->options.algorithm->tell(list->state, fails, err);
    /* Step ALL: the whole list could not go, so its parts are next. For a single item the whole was
     * the only part. */
    if (list->step == PARE_NODE_LIST_ALL && !fails && list->n > 1) {
        list->step = PARE_NODE_LIST_ALGORITHM;
        return begin_run(list, 0, err);
    }
    list->step = PARE_NODE_LIST_ENDED;
    return PARE_OK;
}

/* --- halves ------------------------------------------------------------------------------ */

enum { MAX_PARTS = 66 };

/* halves: a stack of parts of the list, the rearmost on top.
 *
 * Exactly the part on top is left out; one that has to stay is split in two. Parts lie in order and
 * only the top one is cut, so the positions of those below never change and nothing is renumbered.
 * Every part is at least twice as large as the one two places above it, so 66 parts are enough for
 * a list of any length.
 *
 * Source: Sun et al., "Perses: Syntax-guided program reduction", ICSE 2018, the list minimiser of
 * its tool. */
struct halves {
    size_t n_parts;
    pare_range parts[MAX_PARTS];
};

/* Adds a part that is not empty. */
static void push(struct halves *halves, size_t from, size_t to)
{
    assert(halves->n_parts < MAX_PARTS);
    if (from < to) halves->parts[halves->n_parts++] = (pare_range){from, to};
}

/* The rear half comes to lie on top, and is tried first. */
static void split(struct halves *halves, pare_range part)
{
    size_t middle = part.from + (part.to - part.from) / 2;
    push(halves, part.from, middle);
    push(halves, middle, part.to);
}

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    struct halves *halves = state;
    (void)knobs;
    (void)run;
    (void)err;
    halves->n_parts = 0;
    push(halves, 0, n);
    return PARE_OK;
}

/* The part on top is only taken off when its outcome is told. */
static pare_status next(void *state, bool *done, pare_edit *edit, pare_error *err)
{
    const struct halves *halves = state;
    *done = halves->n_parts == 0;
    if (*done) return PARE_OK;
    pare_range part = halves->parts[halves->n_parts - 1];
    return pare_edit_add(edit, part.from, part.to, err);
}

static pare_status tell(void *state, bool fails, pare_error *err)
{
    struct halves *halves = state;
    pare_range part = halves->parts[--halves->n_parts];
    (void)err;
    if (!fails && part.to - part.from > 1) split(halves, part);
    return PARE_OK;
}

/* Not in the table of list algorithms: by itself it promises nothing, and Perses alone needs it. */
const pare_list_algorithm pare_list_halves = {
    .info = {.name = "halves",
             .summary = "removes the last half, or the last half of that: each part once",
             .source = "Sun et al., ICSE 2018"},
    .state_bytes = sizeof(struct halves),
    .start = start,
    .next = next,
    .tell = tell,
};
