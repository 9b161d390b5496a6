/* Scans in pre-order: passes over what is gone, steps into what does not fit. */
#include "reduce/tree/hoist.h"

#include "parse/parse_tree.h"
#include "reduce/tree/tree.h"

typedef bool (*choice)(const pare_tree *tree, uint32_t slot, uint32_t node);

static bool fits(const pare_tree *tree, uint32_t slot, uint32_t node)
{
    return pare_tree_fits(tree, slot, node);
}

static bool any(const pare_tree *tree, uint32_t slot, uint32_t node)
{
    (void)tree;
    (void)slot;
    (void)node;
    return true;
}

static uint32_t scan(const pare_tree_state *state, pare_tree_item item, uint32_t from,
                     choice is_wanted)
{
    const pare_tree *tree = pare_tree_state_tree(state);
    const pare_tree_node *over = &tree->nodes[item.node];
    uint32_t at = from > item.node ? from : item.node + 1;
    while (at < over->behind) {
        const pare_tree_node *node = &tree->nodes[at];
        if (pare_tree_state_gone(state, at))
            at = node->behind;
        else if (pare_tree_state_hollow(state, at) || node->n_tokens == over->n_tokens ||
                 !is_wanted(tree, item.slot, at))
            at++;
        else
            return at;
    }
    return PARE_NO_NODE;
}

uint32_t pare_hoist_next(const pare_tree_state *state, pare_tree_item item, uint32_t from)
{
    return scan(state, item, from, fits);
}

uint32_t pare_hoist_next_child(const pare_tree_state *state, pare_tree_item item, uint32_t from)
{
    return scan(state, item, from, any);
}
