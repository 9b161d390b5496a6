/* alternatives: a node of the tree becomes the smallest text of another alternative of its
 * rule, with its own tokens where that has free ones.
 *
 * Only where there is a tree by a grammar or language.  Large nodes first.
 * Source: Vulcan's sub-tree replacement (tree-reducers §2.5); see reduce/tree/alternatives.h. */
#include "reduce/tree/alternatives.h"

#include "reduce/passes/edits.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/passes/vocabulary.h"
#include "reduce/tree/tree.h"
#include "text/patch.h"

enum { MOST_TEXTS = 8, MOST_LEXEMES = 20000 };

static pare_status offer_node(const pare_pass_view *view, uint32_t node, pare_alternatives *found,
                              pare_patches *out, pare_error *err)
{
    const pare_tree_node *at = &view->tree->nodes[node];
    pare_alternative_limits limits = {.most = MOST_TEXTS};
    size_t size = at->end - at->begin;
    if (!size || at->begin < view->begin || at->end > view->end) return PARE_OK;
    pare_status status = pare_alternatives_find(view->tree, node, &limits, found, err);
    for (size_t i = 0; !status && i < found->n; i++) {
        const char *text = pare_alternatives_text(found, i);
        if (pare_is_simpler(text, found->items[i].size, view->bytes + at->begin, size))
            status = pare_offer_text(out, (pare_extent){at->begin, at->end}, text,
                                     found->items[i].size, PARE_NO_PATCH, NULL, err);
    }
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_alternatives found = {0};
    pare_status status = PARE_OK;
    (void)pass;
    for (uint32_t node = 0; !status && view->tree && node < view->tree->n_nodes; node++)
        status = offer_node(view, node, &found, out, err);
    pare_alternatives_done(&found);
    return status;
}

const pare_pass pare_pass_alternatives = {
    .name = "alternatives",
    .summary = "puts the smallest text of another alternative of its rule in a node's place",
    .source = "Vulcan, sub-tree replacement",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
