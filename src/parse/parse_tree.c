/* The parse tree: navigation, copies of its error, and its invariant.
 *
 * Nodes are in pre-order and know where their descendants end, so the first child is the next
 * node and the next sibling is where a node ends: navigation is O(1) without lists of children.
 * The check compares each node with its parent and its elder sibling. */
#include "parse/parse_tree.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

/* All-zero is a no-op, and what *tree is afterwards. */
void pare_parse_tree_done(pare_parse_tree *tree)
{
    pare_alloc_free(tree->nodes);
    pare_alloc_free(tree->error.message);
    memset(tree, 0, sizeof *tree);
}

/* Copies the message, too, so that both trees can be released. */
pare_status pare_parse_tree_copy_error(const pare_parse_error *error, pare_parse_error *out,
                                       pare_error *err)
{
    pare_parse_error copy = *error;
    if (error->message) {
        copy.message = pare_alloc_text(error->message, strlen(error->message));
        if (!copy.message) return pare_fail_nomem(err);
    }
    *out = copy;
    return PARE_OK;
}

/* A node with descendants is followed by its first child. */
uint32_t pare_parse_tree_first_child(const pare_parse_tree *tree, uint32_t node)
{
    assert(node < tree->n_nodes);
    return tree->nodes[node].after > node + 1 ? node + 1 : PARE_NO_NODE;
}

/* The node after the last descendant is the next sibling, or lies outside the parent. */
uint32_t pare_parse_tree_next_sibling(const pare_parse_tree *tree, uint32_t node)
{
    uint32_t parent = tree->nodes[node].parent, after = tree->nodes[node].after;
    assert(after > node && after <= tree->n_nodes);
    if (parent == PARE_NO_NODE) return PARE_NO_NODE;
    return after < tree->nodes[parent].after ? after : PARE_NO_NODE;
}

/* A leaf prints its bytes. A rule without children is no leaf: it prints nothing. */
bool pare_parse_tree_is_leaf(const pare_parse_tree *tree, uint32_t node)
{
    const pare_parse_node *n = &tree->nodes[node];
    return n->kind == PARE_NODE_TOKEN || (n->kind == PARE_NODE_OPAQUE && n->after == node + 1);
}

/* Whether a node is in order by itself, lies within its parent, and begins after its elder
 * sibling, which ends at `last_end`. */
static bool check_node(const pare_parse_tree *tree, uint32_t i, uint32_t last_end)
{
    const pare_parse_node *node = &tree->nodes[i];
    if (node->kind > PARE_NODE_OPAQUE || node->begin > node->end) return false;
    if (node->end > tree->size_bytes || node->after <= i || node->after > tree->n_nodes)
        return false;
    if (node->kind == PARE_NODE_TOKEN && node->after != i + 1) return false;
    if (node->parent == PARE_NO_NODE) return i == 0 && node->after == tree->n_nodes;
    if (node->parent >= i) return false;
    const pare_parse_node *parent = &tree->nodes[node->parent];
    return node->after <= parent->after && node->begin >= parent->begin &&
           node->end <= parent->end && node->begin >= last_end;
}

/* Goes over the nodes in pre-order with `open`, the innermost node around the current one.
 * The elder sibling is found by going up from the node before, so the whole is O(nodes) but
 * for chains of last children. */
bool pare_parse_tree_check(const pare_parse_tree *tree)
{
    uint32_t open = PARE_NO_NODE;
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        while (open != PARE_NO_NODE && tree->nodes[open].after <= i)
            open = tree->nodes[open].parent;
        if (tree->nodes[i].parent != open) return false;
        uint32_t last_end = 0;
        for (uint32_t elder = i ? i - 1 : PARE_NO_NODE; elder != PARE_NO_NODE && elder != open;
             elder = tree->nodes[elder].parent) {
            if (tree->nodes[elder].parent == open) last_end = tree->nodes[elder].end;
        }
        if (!check_node(tree, i, last_end)) return false;
        open = i;
    }
    return tree->n_nodes > 0;
}
