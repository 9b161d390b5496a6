/* flatten: lists that a grammar describes by recursion become flat, as if it had used a
 * quantifier, so that list minimisation and coarse reduction see their elements.
 *
 * A node whose first child has its own symbol takes over that child's children, and the
 * rest of its children become one nameless node of empty minimal text; likewise at the
 * other end for a last child.  From the leaves up, so a chain of any depth becomes one
 * list in linear time.
 * Source: seed 001, algorithm 5 (flattenTreeRecursion); Hodován, Kiss and Gyimóthy,
 * "Coarse hierarchical delta debugging", ICSME 2017. */
#include "parse/parse_tree.h"
#include "reduce/tree/draft.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree.h"

static bool same_symbol(const pare_draft *draft, uint32_t a, uint32_t b)
{
    pare_tree_symbol x = draft->nodes[a].node.own, y = draft->nodes[b].node.own;
    return x.kind == PARE_NODE_RULE && x.kind == y.kind && x.symbol == y.symbol;
}

/* Makes children from .. to, which are linked to each other, those of a new node. */
static pare_status wrap(pare_draft *draft, uint32_t from, uint32_t to, uint32_t *out,
                        pare_error *err)
{
    pare_status status = pare_draft_add(draft, out, err);
    if (status) return status;
    draft->nodes[*out].first = from;
    draft->nodes[*out].last = to;
    draft->nodes[to].next = PARE_NO_NODE;
    pare_draft_span(draft, *out);
    return PARE_OK;
}

static pare_status flatten_left(pare_draft *draft, uint32_t at, pare_error *err)
{
    uint32_t left = draft->nodes[at].first, right;
    pare_status status = wrap(draft, draft->nodes[left].next, draft->nodes[at].last, &right, err);
    if (status) return status;
    pare_draft_node *node = &draft->nodes[at];
    node->first = draft->nodes[left].first;
    draft->nodes[draft->nodes[left].last].next = right;
    node->last = right;
    return PARE_OK;
}

static pare_status flatten_right(pare_draft *draft, uint32_t at, pare_error *err)
{
    uint32_t right = draft->nodes[at].last, before = draft->nodes[at].first, left;
    while (draft->nodes[before].next != right)
        before = draft->nodes[before].next;
    pare_status status = wrap(draft, draft->nodes[at].first, before, &left, err);
    if (status) return status;
    pare_draft_node *node = &draft->nodes[at];
    node->first = left;
    draft->nodes[left].next = draft->nodes[right].first;
    node->last = draft->nodes[right].last;
    return PARE_OK;
}

static bool recurs(const pare_draft *draft, uint32_t at, uint32_t child)
{
    return same_symbol(draft, at, child) && draft->nodes[child].first != PARE_NO_NODE;
}

static pare_status flatten(pare_draft *draft, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = draft->n_source; !status && i-- > 0;) {
        uint32_t at = (uint32_t)i;
        uint32_t first = draft->nodes[at].first, last = draft->nodes[at].last;
        if (first == last) continue;
        if (recurs(draft, at, first))
            status = flatten_left(draft, at, err);
        else if (recurs(draft, at, last))
            status = flatten_right(draft, at, err);
    }
    return status;
}

const pare_tree_transform pare_flatten = {
    .name = "flatten",
    .summary = "left- and right-recursive lists become flat",
    .source = "Hodovan, Kiss and Gyimothy, ICSME 2017",
    .apply = flatten,
};
