/* The machine of a walk.
 *
 * Invariant: between `next` and `tell`, `edits` is what was proposed, and either `list`
 * made it or it is the hoist of item `at` into `into`.  Everything that happens without
 * an outcome happens in `next`, so it is the same for all copies of a state. */
#include "reduce/tree/walk.h"

#include <string.h>

#include <pare/outcome.h>
#include <pare/reduce.h>

#include "base/alloc.h"
#include "base/shared.h"
#include "base/status.h"
#include "parse/parse_tree.h"
#include "reduce/tree/hoist.h"
#include "reduce/tree/state.h"
#include "reduce/tree/tree.h"
#include "text/candidate.h"
#include "text/text.h"

const char *const pare_walk_step_names = "prune, coarse, hoist, delete, child";

pare_walk_step pare_walk_step_find(const char *name, size_t size)
{
    static const char *const names[] = {[PARE_WALK_PRUNE] = "prune",
                                        [PARE_WALK_COARSE] = "coarse",
                                        [PARE_WALK_HOIST] = "hoist",
                                        [PARE_WALK_DELETE] = "delete",
                                        [PARE_WALK_CHILD] = "child"};
    for (size_t i = PARE_WALK_PRUNE; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == size && memcmp(names[i], name, size) == 0) return (pare_walk_step)i;
    return PARE_WALK_END;
}

static pare_walk *of(pare_strategy *strategy)
{
    return (pare_walk *)strategy;
}

static const pare_tree_item *items_of(const pare_walk *walk)
{
    return pare_shared_items(walk->items);
}

static pare_walk_step step_at(const pare_walk *walk)
{
    if (walk->step == PARE_WALK_MAX_STEPS) return PARE_WALK_END;
    return walk->options.phases[walk->phase].steps[walk->step];
}

static bool is_hoist(pare_walk_step step)
{
    return step == PARE_WALK_HOIST || step == PARE_WALK_CHILD;
}

/* --- configurations ------------------------------------------------------------------ */

static pare_status add_item(pare_walk *walk, size_t *n, uint32_t slot, pare_error *err)
{
    void *own = NULL;
    pare_status status = pare_shared_own(&walk->items, *n, *n + 1, &own, err);
    if (status) return status;
    pare_tree_item *items = own;
    items[(*n)++] = (pare_tree_item){slot, pare_tree_state_shown(walk->state, slot)};
    return PARE_OK;
}

pare_status pare_walk_take_root(pare_walk *walk, pare_error *err)
{
    walk->n = 0;
    if (pare_tree_state_gone(walk->state, 0)) return PARE_OK;
    return add_item(walk, &walk->n, 0, err);
}

pare_status pare_walk_take_children(pare_walk *walk, const pare_tree_item *items, size_t n,
                                    pare_error *err)
{
    pare_shared *old = walk->items; /* `items` may be its */
    pare_status status = pare_shared_new(n + 4, sizeof *items, &walk->items, err);
    if (status) return status;
    walk->n = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t child = pare_tree_state_first(walk->state, items[i].node);
        for (; !status && child != PARE_NO_NODE; child = pare_tree_state_after(walk->state, child))
            status = add_item(walk, &walk->n, child, err);
    }
    pare_shared_release(old);
    return status;
}

/* Drops the items that are gone. */
static pare_status refresh(pare_walk *walk, pare_error *err)
{
    void *own = NULL;
    pare_status status = pare_shared_own(&walk->items, walk->n, walk->n, &own, err);
    if (status) return status;
    pare_tree_item *items = own;
    size_t kept = 0;
    for (size_t i = 0; i < walk->n; i++)
        if (!pare_tree_state_gone(walk->state, items[i].slot) &&
            !pare_tree_state_gone(walk->state, items[i].node))
            items[kept++] = items[i];
    walk->n = kept;
    return PARE_OK;
}

/* --- steps --------------------------------------------------------------------------- */

/* Whether a list step is to try leaving out `item`. */
static bool is_tried(const pare_walk *walk, pare_walk_step step, pare_tree_item item)
{
    const pare_tree *tree = pare_tree_state_tree(walk->state);
    const pare_tree_node *node = &tree->nodes[item.node];
    bool no_minimal = node->flags & PARE_TREE_NO_MINIMAL;
    if (step == PARE_WALK_COARSE) return node->minimal_size == 0 && !no_minimal;
    if (step == PARE_WALK_PRUNE && no_minimal) return false;
    if (step == PARE_WALK_PRUNE) return node->minimal_size <= node->end - node->begin;
    if (tree->rules.strict && !(tree->nodes[item.slot].flags & PARE_TREE_DELETABLE)) return false;
    return pare_tree_templates_allow_delete(walk->options.templates, tree, item.slot, item.node);
}

static pare_status begin_list(pare_walk *walk, pare_walk_step step, pare_error *err)
{
    pare_tree_item *tried = pare_alloc(walk->n, sizeof *tried);
    if (!tried) return pare_fail_nomem(err);
    size_t n = 0;
    for (size_t i = 0; i < walk->n; i++)
        if (is_tried(walk, step, items_of(walk)[i])) tried[n++] = items_of(walk)[i];
    pare_node_list_options options = {.algorithm = walk->options.list,
                                      .knobs = walk->options.knobs,
                                      .change = step == PARE_WALK_DELETE ? PARE_TREE_DELETE
                                                                         : PARE_TREE_PRUNE};
    pare_status status = pare_node_list_start(&walk->list, &options, tried, n, err);
    pare_release(tried);
    return status;
}

/* Below `item`, from `from` on: what may take its place. */
static uint32_t scan(const pare_walk *walk, pare_tree_item item, uint32_t from)
{
    const pare_tree *tree = pare_tree_state_tree(walk->state);
    bool fitting = step_at(walk) == PARE_WALK_HOIST || tree->rules.strict;
    return fitting ? pare_hoist_next(walk->state, item, from)
                   : pare_hoist_next_child(walk->state, item, from);
}

static uint32_t next_into(const pare_walk *walk, pare_tree_item item)
{
    const pare_tree *tree = pare_tree_state_tree(walk->state);
    uint32_t into = scan(walk, item, walk->into);
    while (step_at(walk) == PARE_WALK_CHILD && into != PARE_NO_NODE &&
           !pare_tree_templates_allow_child(walk->options.templates, tree, item.slot, into))
        into = scan(walk, item, tree->nodes[into].behind);
    return into;
}

/* Finds the next hoist, round and round until a round changes nothing. */
static pare_status next_hoist(pare_walk *walk, bool *done, pare_error *err)
{
    for (;;) {
        if (walk->at == walk->n) {
            *done = !walk->round_changed;
            walk->at = 0;
            walk->round_changed = false;
            if (*done) return PARE_OK;
        }
        pare_tree_item item = items_of(walk)[walk->at];
        uint32_t into = next_into(walk, item);
        if (into != PARE_NO_NODE) {
            walk->into = into;
            walk->edits.n = 0;
            return pare_tree_edits_add(&walk->edits,
                                       (pare_tree_edit){PARE_TREE_HOIST, item.node, into}, err);
        }
        walk->at++;
        walk->into = 0;
    }
}

static pare_status begin_step(pare_walk *walk, pare_walk_step step, pare_error *err)
{
    walk->at = 0;
    walk->into = 0;
    walk->round_changed = false;
    return is_hoist(step) ? PARE_OK : begin_list(walk, step, err);
}

/* The next proposal of the configuration at hand, or *done. */
static pare_status next_edits(pare_walk *walk, bool *done, pare_error *err)
{
    for (;;) {
        pare_walk_step step = step_at(walk);
        pare_status status = PARE_OK;
        *done = step == PARE_WALK_END || !walk->n;
        if (*done) return PARE_OK;
        if (!walk->stepping) status = begin_step(walk, step, err);
        if (status) return status;
        walk->stepping = true;
        bool ended = false;
        status = is_hoist(step) ? next_hoist(walk, &ended, err)
                                : pare_node_list_next(&walk->list, &ended, &walk->edits, err);
        if (status || !ended) return status;
        status = refresh(walk, err);
        if (status) return status;
        walk->stepping = false;
        walk->step++;
    }
}

/* --- the strategy -------------------------------------------------------------------- */

/* Goes to the next configuration, sweep or phase; *done when there is none. */
static pare_status go_on(pare_walk *walk, bool *done, pare_error *err)
{
    *done = walk->phase == walk->options.n_phases;
    if (*done) return PARE_OK;
    walk->step = 0;
    if (!walk->sweeping) {
        walk->sweeping = true;
        walk->changed = false;
        return walk->order->first(walk, err);
    }
    pare_status status = walk->order->following(walk, err);
    if (status || walk->n) return status;
    walk->sweeping = false;
    if (!walk->changed || walk->options.fixpoint == PARE_FIXPOINT_OFF) walk->phase++;
    return PARE_OK;
}

static pare_status tell_hoist(pare_walk *walk, bool fails, pare_error *err)
{
    if (!fails) {
        walk->into = pare_tree_state_tree(walk->state)->nodes[walk->into].behind;
        return PARE_OK;
    }
    void *own = NULL;
    pare_status status = pare_shared_own(&walk->items, walk->n, walk->n, &own, err);
    if (status) return status;
    ((pare_tree_item *)own)[walk->at].node = walk->into;
    walk->into = 0;
    walk->round_changed = true;
    return PARE_OK;
}

/* Takes the outcome of what was proposed last. */
static pare_status take(pare_walk *walk, bool fails, pare_error *err)
{
    if (fails) {
        pare_tree_state *after = NULL;
        pare_status status = pare_tree_state_edit(walk->state, &walk->edits, &after, err);
        if (status) return status;
        pare_tree_state_unref(walk->state);
        walk->state = after;
        walk->changed = true;
    }
    if (is_hoist(step_at(walk))) return tell_hoist(walk, fails, err);
    return pare_node_list_tell(&walk->list, fails, err);
}

static pare_status walk_next(pare_strategy *strategy, pare_next *what, pare_candidate *candidate,
                             pare_error *err)
{
    pare_walk *walk = of(strategy);
    for (bool done = false;;) {
        pare_status status = PARE_OK;
        bool ended = true;
        if (walk->sweeping) status = next_edits(walk, &ended, err);
        if (!status && !ended) {
            status = pare_tree_state_candidate(walk->state, &walk->edits, candidate, err);
            if (!status && walk->options.shorter &&
                candidate->size >= pare_text_size(pare_tree_state_text(walk->state))) {
                status = take(walk, false, err);
                if (!status) continue;
            }
            *what = PARE_NEXT_TEST;
            return status;
        }
        if (!status) status = go_on(walk, &done, err);
        if (status) return status;
        if (!done) continue;
        *what = PARE_NEXT_DONE;
        return PARE_OK;
    }
}

static pare_status walk_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    return take(of(strategy), outcome == PARE_FAIL, err);
}

static void walk_free(pare_strategy *strategy)
{
    pare_walk *walk = of(strategy);
    pare_node_list_done(&walk->list);
    pare_tree_edits_done(&walk->edits);
    pare_shared_release(walk->items);
    pare_shared_release(walk->queue);
    pare_tree_state_unref(walk->state);
    pare_release(walk);
}

static pare_status walk_copy(const pare_strategy *strategy, pare_strategy **out, pare_error *err)
{
    const pare_walk *walk = (const pare_walk *)strategy;
    pare_walk *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *walk;
    copy->list = (pare_node_list){.step = PARE_NODE_LIST_ENDED};
    copy->edits = (pare_tree_edits){0};
    pare_tree_state_ref(copy->state);
    pare_shared_retain(copy->items);
    pare_shared_retain(copy->queue);
    pare_status status = pare_node_list_copy(&walk->list, &copy->list, err);
    for (size_t i = 0; !status && i < walk->edits.n; i++)
        status = pare_tree_edits_add(&copy->edits, walk->edits.items[i], err);
    if (status)
        walk_free(&copy->head);
    else
        *out = &copy->head;
    return status;
}

static pare_status walk_settle(pare_strategy *strategy, pare_error *err)
{
    return pare_tree_state_settle(of(strategy)->state, err);
}

pare_status pare_walk_new(pare_tree *tree, const pare_walk_order *order,
                          const pare_walk_options *options, pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {.next = walk_next,
                                          .tell = walk_tell,
                                          .copy = walk_copy,
                                          .destroy = walk_free,
                                          .settle = walk_settle};
    pare_walk *walk = pare_alloc_zero(1, sizeof *walk);
    if (!walk) return pare_fail_nomem(err);
    walk->head.ops = &ops;
    walk->order = order;
    walk->options = *options;
    walk->list.step = PARE_NODE_LIST_ENDED;
    pare_status status = pare_tree_state_new(tree, &walk->state, err);
    if (!status) status = pare_shared_new(1, sizeof(pare_tree_item), &walk->items, err);
    if (!status) status = pare_shared_new(1, sizeof(pare_tree_item), &walk->queue, err);
    if (status)
        walk_free(&walk->head);
    else
        *out = &walk->head;
    return status;
}
