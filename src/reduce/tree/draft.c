/* Drafts: linked children in, pre-order out, with one walk that keeps its path in the
 * links of the new tree. */
#include "reduce/tree/draft.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "parse/parse_tree.h"
#include "text/text.h"

pare_status pare_draft_open(pare_tree *tree, pare_draft *draft, pare_error *err)
{
    pare_draft_node *nodes = pare_alloc(tree->n_nodes, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        nodes[i] = (pare_draft_node){tree->nodes[i], PARE_NO_NODE, PARE_NO_NODE, PARE_NO_NODE};
        if (!i) continue;
        pare_draft_node *parent = &nodes[tree->nodes[i].parent];
        if (parent->first == PARE_NO_NODE)
            parent->first = i;
        else
            nodes[parent->last].next = i;
        parent->last = i;
    }
    *draft = (pare_draft){.source = pare_tree_ref(tree),
                          .nodes = nodes,
                          .n = tree->n_nodes,
                          .n_source = tree->n_nodes,
                          .capacity = tree->n_nodes};
    return PARE_OK;
}

void pare_draft_done(pare_draft *draft)
{
    pare_tree_unref(draft->source);
    pare_release(draft->nodes);
    *draft = (pare_draft){0};
}

pare_status pare_draft_add(pare_draft *draft, uint32_t *out, pare_error *err)
{
    if (draft->n == draft->capacity) {
        size_t capacity = draft->capacity + draft->capacity / 2 + 16;
        pare_draft_node *nodes = pare_resize(draft->nodes, capacity, sizeof *nodes);
        if (!nodes) return pare_fail_nomem(err);
        draft->nodes = nodes;
        draft->capacity = capacity;
    }
    pare_tree_symbol nameless = {PARE_NODE_ITEM, PARE_NO_NODE};
    draft->nodes[draft->n] =
        (pare_draft_node){.node = {.own = nameless, .slot = nameless, .flags = PARE_TREE_DELETABLE},
                          .first = PARE_NO_NODE,
                          .last = PARE_NO_NODE,
                          .next = PARE_NO_NODE};
    *out = (uint32_t)draft->n++;
    return PARE_OK;
}

void pare_draft_span(pare_draft *draft, uint32_t node)
{
    pare_tree_node *sum = &draft->nodes[node].node;
    sum->n_tokens = 0;
    for (uint32_t c = draft->nodes[node].first; c != PARE_NO_NODE; c = draft->nodes[c].next) {
        const pare_tree_node *child = &draft->nodes[c].node;
        if (!child->n_tokens) continue;
        if (!sum->n_tokens) sum->begin = child->begin;
        sum->end = child->end;
        sum->resume = child->resume;
        sum->n_tokens += child->n_tokens;
    }
}

/* Closes the nodes of the path from `at` up to, without it, `until`. */
static void close_path(pare_tree *tree, uint32_t at, uint32_t until)
{
    for (; at != until; at = tree->nodes[at].parent)
        tree->nodes[at].behind = tree->n_nodes;
}

/* Emits the nodes in pre-order; `from[i]` is the draft's index of node i. */
static void emit(const pare_draft *draft, pare_tree *tree, uint32_t *from)
{
    assert(tree && tree->nodes && from);
    uint32_t at = draft->root, parent = PARE_NO_NODE;
    for (;;) {
        uint32_t i = tree->n_nodes++;
        pare_tree_node *node = &tree->nodes[i];
        *node = draft->nodes[at].node;
        from[i] = at;
        node->parent = parent;
        node->level = parent == PARE_NO_NODE ? 0 : tree->nodes[parent].level + 1;
        uint32_t up = i; /* the next node is a child of `i` or a sibling of one above */
        uint32_t next = draft->nodes[at].first;
        while (next == PARE_NO_NODE && up != 0) {
            next = draft->nodes[from[up]].next;
            tree->nodes[up].behind = tree->n_nodes;
            up = tree->nodes[up].parent;
        }
        if (next == PARE_NO_NODE) {
            close_path(tree, up, PARE_NO_NODE);
            return;
        }
        at = next;
        parent = up;
    }
}

/* As many nodes as hang together in the draft, at most. */
pare_status pare_draft_close(const pare_draft *draft, pare_tree **out, pare_error *err)
{
    const pare_tree *source = draft->source;
    pare_tree *tree = pare_alloc_zero(1, sizeof *tree);
    uint32_t *from = pare_alloc(draft->n, sizeof *from);
    pare_status status = PARE_OK;
    if (tree) {
        *tree = (pare_tree){.refs = 1, .text = pare_text_ref(source->text), .rules = source->rules};
        tree->nodes = pare_alloc(draft->n, sizeof *tree->nodes);
        tree->texts = pare_copy_text(source->texts ? source->texts : "", source->texts_size);
        tree->texts_size = source->texts_size;
    }
    if (!tree || !from || !tree->nodes || !tree->texts) status = pare_fail_nomem(err);
    if (!status) {
        emit(draft, tree, from);
        *out = tree;
    } else {
        pare_tree_unref(tree);
    }
    pare_release(from);
    return status;
}
