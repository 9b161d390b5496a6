/* squeeze: a node with one child of the same minimal text is replaced by that child:
 * removing one or the other gives the same candidate, so one of them is enough.
 *
 * The child keeps what it is, and takes over the place: what may stand there is what might
 * stand for the topmost node of the chain (Perses collapses chains likewise).
 * Source: seed 001, algorithm 2 (squeezeTree); Hodován, Kiss and Gyimóthy, "Tree
 * preprocessing and test outcome caching for efficient hierarchical delta debugging",
 * AST 2017. */
#include "parse/parse_tree.h"
#include "reduce/tree/draft.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree.h"

#include <string.h>

static bool same_minimal(const pare_draft *draft, const pare_tree_node *a, const pare_tree_node *b)
{
    if (a->minimal_size != b->minimal_size) return false;
    if ((a->flags ^ b->flags) & PARE_TREE_NO_MINIMAL) return false;
    if (a->minimal_size == 0 || a->minimal == b->minimal) return true;
    const char *texts = draft->source->texts;
    return memcmp(texts + a->minimal, texts + b->minimal, a->minimal_size) == 0;
}

/* Whether `at` can be replaced by its only child. */
static bool is_link(const pare_draft *draft, uint32_t at)
{
    const pare_draft_node *node = &draft->nodes[at];
    if (node->first == PARE_NO_NODE || node->first != node->last) return false;
    return same_minimal(draft, &node->node, &draft->nodes[node->first].node);
}

/* Copies the child over its parent: whoever points to the parent now has the child.  Its
 * children are below it in the source too, so they were seen before. */
static void lift(pare_draft *draft, uint32_t at)
{
    pare_draft_node *parent = &draft->nodes[at];
    pare_draft_node child = draft->nodes[parent->first];
    pare_tree_symbol slot = parent->node.slot;
    child.next = parent->next;
    child.node.label = parent->node.label;
    child.node.flags |= parent->node.flags & PARE_TREE_DELETABLE;
    if (slot.kind == PARE_NODE_RULE) child.node.slot = slot;
    *parent = child;
}

static pare_status squeeze(pare_draft *draft, pare_error *err)
{
    (void)err;
    for (size_t i = draft->n_source; i-- > 0;)
        if (is_link(draft, (uint32_t)i)) lift(draft, (uint32_t)i);
    return PARE_OK;
}

const pare_tree_transform pare_squeeze = {
    .name = "squeeze",
    .summary = "chains of single children with equal minimal text become one node",
    .source = "Hodovan, Kiss and Gyimothy, AST 2017",
    .apply = squeeze,
};
