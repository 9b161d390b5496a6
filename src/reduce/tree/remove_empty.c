/* remove-empty: nodes without tokens leave the tree: they print nothing, and make chains of
 * single children look like something else.  The root stays.
 * Source: the tool Picireny (remove_empty_nodes). */
#include "parse/parse_tree.h"
#include "reduce/tree/draft.h"
#include "reduce/tree/transform.h"

/* Unlinks the children of `at` that print nothing. */
static void drop_children(pare_draft *draft, uint32_t at)
{
    pare_draft_node *nodes = draft->nodes;
    uint32_t *link = &nodes[at].first;
    nodes[at].last = PARE_NO_NODE;
    while (*link != PARE_NO_NODE) {
        uint32_t child = *link;
        if (nodes[child].node.n_tokens) {
            nodes[at].last = child;
            link = &nodes[child].next;
        } else {
            *link = nodes[child].next;
        }
    }
}

static pare_status remove_empty(pare_draft *draft, pare_error *err)
{
    (void)err;
    for (size_t i = 0; i < draft->n_source; i++)
        drop_children(draft, (uint32_t)i);
    return PARE_OK;
}

const pare_tree_transform pare_remove_empty = {
    .name = "remove-empty",
    .summary = "nodes without tokens leave the tree",
    .source = "Picireny",
    .apply = remove_empty,
};
