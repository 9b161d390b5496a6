/* States: cuts for the text, one mark a node for the tree.
 * Invariant: a hollow node has exactly one child that is not gone or hidden, and the text
 * of that child is all that is left of it. */
#include "reduce/tree/state.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "parse/parse_tree.h"
#include "reduce/tree/cuts.h"
#include "text/text.h"

enum mark { LIVE, GONE, HOLLOW };

struct pare_tree_state {
    size_t refs;
    pare_tree *tree;
    const pare_text *text;
    unsigned char *marks; /* one a node; owned */
    size_t n_cuts;
    pare_cut cuts[];
};

void pare_tree_edits_done(pare_tree_edits *edits)
{
    pare_release(edits->items);
    *edits = (pare_tree_edits){0};
}

pare_status pare_tree_edits_add(pare_tree_edits *edits, pare_tree_edit edit, pare_error *err)
{
    if (edits->n == edits->capacity) {
        size_t capacity = edits->capacity ? 2 * edits->capacity : 4;
        pare_tree_edit *items = pare_resize(edits->items, capacity, sizeof *items);
        if (!items) return pare_fail_nomem(err);
        edits->items = items;
        edits->capacity = capacity;
    }
    edits->items[edits->n++] = edit;
    return PARE_OK;
}

/* A state of `tree` with room for `n` cuts; its text and cuts are to be filled in. */
static pare_tree_state *make(pare_tree *tree, size_t n)
{
    size_t extra;
    if (__builtin_mul_overflow(n, sizeof(pare_cut), &extra)) return NULL;
    pare_tree_state *state = pare_alloc(1, sizeof *state + extra);
    unsigned char *marks = pare_alloc(tree->n_nodes, 1);
    if (!state || !marks) {
        pare_release(state);
        pare_release(marks);
        return NULL;
    }
    *state = (pare_tree_state){.refs = 1, .tree = pare_tree_ref(tree), .marks = marks};
    return state;
}

pare_status pare_tree_state_new(pare_tree *tree, pare_tree_state **out, pare_error *err)
{
    pare_tree_state *state = make(tree, 0);
    if (!state) return pare_fail_nomem(err);
    state->text = pare_text_ref(tree->text);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const pare_tree_node *node = &tree->nodes[i];
        state->marks[i] = !node->n_tokens || node->flags & PARE_TREE_HIDDEN ? GONE : LIVE;
    }
    *out = state;
    return PARE_OK;
}

pare_tree_state *pare_tree_state_ref(pare_tree_state *state)
{
    state->refs++;
    return state;
}

void pare_tree_state_unref(pare_tree_state *state)
{
    if (!state || --state->refs) return;
    pare_tree_unref(state->tree);
    pare_text_unref(state->text);
    pare_release(state->marks);
    pare_release(state);
}

const pare_tree *pare_tree_state_tree(const pare_tree_state *state)
{
    return state->tree;
}

const pare_text *pare_tree_state_text(const pare_tree_state *state)
{
    return state->text;
}

bool pare_tree_state_gone(const pare_tree_state *state, uint32_t node)
{
    return state->marks[node] == GONE;
}

bool pare_tree_state_hollow(const pare_tree_state *state, uint32_t node)
{
    return state->marks[node] == HOLLOW;
}

/* `child`, or the first sibling behind it that is not gone. */
static uint32_t in_play(const pare_tree_state *state, uint32_t child, uint32_t end)
{
    while (child < end && state->marks[child] == GONE)
        child = state->tree->nodes[child].behind;
    return child < end ? child : PARE_NO_NODE;
}

uint32_t pare_tree_state_first(const pare_tree_state *state, uint32_t node)
{
    return in_play(state, node + 1, state->tree->nodes[node].behind);
}

uint32_t pare_tree_state_after(const pare_tree_state *state, uint32_t child)
{
    const pare_tree_node *nodes = state->tree->nodes;
    if (nodes[child].parent == PARE_NO_NODE) return PARE_NO_NODE;
    return in_play(state, nodes[child].behind, nodes[nodes[child].parent].behind);
}

uint32_t pare_tree_state_shown(const pare_tree_state *state, uint32_t slot)
{
    while (state->marks[slot] == HOLLOW)
        slot = pare_tree_state_first(state, slot);
    return slot;
}

/* The one or two cuts of an edit. */
static size_t cuts_of(const pare_tree *tree, const pare_tree_edit *edit, pare_new_cut cuts[2])
{
    const pare_tree_node *node = &tree->nodes[edit->node];
    if (edit->change == PARE_TREE_HOIST) {
        const pare_tree_node *into = &tree->nodes[edit->into];
        cuts[0] = (pare_new_cut){.from = node->begin, .to = into->begin};
        cuts[1] = (pare_new_cut){.from = into->end, .to = node->end};
        return 2;
    }
    if (edit->change == PARE_TREE_PRUNE && node->minimal_size) {
        cuts[0] = (pare_new_cut){.from = node->begin,
                                 .to = node->end,
                                 .text = tree->texts + node->minimal,
                                 .size = node->minimal_size};
        return 1;
    }
    cuts[0] = (pare_new_cut){.from = node->begin, .to = node->resume};
    return 1;
}

/* Writes the state after `edits`, and its cuts to `out` (or NULL); sets *n_out. */
static pare_status compose(const pare_tree_state *state, const pare_tree_edits *edits,
                           pare_candidate *candidate, pare_cut *out, size_t *n_out, pare_error *err)
{
    pare_cuts old = {.text = state->text,
                     .cuts = state->cuts,
                     .n = state->n_cuts,
                     .spaced = state->tree->rules.joints != PARE_JOINTS_PLAIN};
    pare_cutter cutter;
    pare_status status = PARE_OK;
    pare_cutter_init(&cutter, &old, candidate, out);
    for (size_t i = 0; !status && i < edits->n; i++) {
        pare_new_cut cuts[2];
        size_t n = cuts_of(state->tree, &edits->items[i], cuts);
        for (size_t k = 0; !status && k < n; k++)
            if (cuts[k].from < cuts[k].to) status = pare_cutter_add(&cutter, cuts[k], err);
    }
    if (!status) status = pare_cutter_end(&cutter, err);
    if (n_out) *n_out = cutter.n_out;
    return status;
}

pare_status pare_tree_state_candidate(const pare_tree_state *state, const pare_tree_edits *edits,
                                      pare_candidate *candidate, pare_error *err)
{
    return compose(state, edits, candidate, NULL, NULL, err);
}

/* Marks all children of `node` but the one that holds `kept` (or is it). */
static uint32_t leave_one(pare_tree_state *state, uint32_t node, uint32_t kept)
{
    const pare_tree_node *nodes = state->tree->nodes;
    uint32_t path = PARE_NO_NODE;
    state->marks[node] = HOLLOW;
    for (uint32_t child = node + 1; child < nodes[node].behind; child = nodes[child].behind) {
        if (child <= kept && kept < nodes[child].behind)
            path = child;
        else
            state->marks[child] = GONE;
    }
    return path;
}

static void mark(pare_tree_state *state, const pare_tree_edit *edit)
{
    const pare_tree_node *nodes = state->tree->nodes;
    uint32_t node = edit->node;
    if (edit->change == PARE_TREE_HOIST) {
        while (node != edit->into)
            node = leave_one(state, node, edit->into);
        return;
    }
    /* What was left of a hollow node is gone: so is that one. */
    while (node && state->marks[nodes[node].parent] == HOLLOW)
        node = nodes[node].parent;
    state->marks[node] = GONE;
}

pare_status pare_tree_state_edit(const pare_tree_state *state, const pare_tree_edits *edits,
                                 pare_tree_state **out, pare_error *err)
{
    /* A cut that is put in beside an old one may leave an empty one behind it. */
    pare_tree_state *after = make(state->tree, state->n_cuts + 4 * edits->n);
    if (!after) return pare_fail_nomem(err);
    pare_candidate candidate = {0};
    pare_text *text = NULL;
    pare_status status = compose(state, edits, &candidate, after->cuts, &after->n_cuts, err);
    if (!status) status = pare_candidate_text(&candidate, &text, err);
    pare_candidate_done(&candidate);
    if (status) {
        pare_tree_state_unref(after);
        return status;
    }
    after->text = text;
    memcpy(after->marks, state->marks, state->tree->n_nodes);
    for (size_t i = 0; i < edits->n; i++)
        mark(after, &edits->items[i]);
    *out = after;
    return PARE_OK;
}

pare_status pare_tree_state_settle(pare_tree_state *state, pare_error *err)
{
    size_t size = pare_text_size(state->text);
    if (size >= pare_text_store_size(state->text) / 2) return PARE_OK;
    pare_text *flat = NULL;
    pare_status status = pare_text_flatten(state->text, &flat, err);
    if (status) return status;
    pare_text_unref(state->text);
    state->text = flat;
    return PARE_OK;
}

bool pare_tree_state_check(const pare_tree_state *state)
{
    pare_cuts cuts = {.text = state->text, .cuts = state->cuts, .n = state->n_cuts};
    if (!pare_cuts_check(&cuts)) return false;
    for (uint32_t i = 0; i < state->tree->n_nodes; i++) {
        if (state->marks[i] != HOLLOW) continue;
        uint32_t child = pare_tree_state_first(state, i);
        if (child == PARE_NO_NODE || pare_tree_state_after(state, child) != PARE_NO_NODE)
            return false;
    }
    return true;
}
