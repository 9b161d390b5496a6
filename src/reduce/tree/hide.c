/* hide: nodes whose text is their minimal text are marked, so that no test is spent on
 * them: keeping and removing them print the same.
 *
 * Source: seed 001, algorithm 3 (hideUnremovableTokens); Hodován, Kiss and Gyimóthy, AST
 * 2017.  Deviation, as in the tool Picireny: every node is looked at, not only tokens. */
#include "reduce/tree/draft.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree.h"
#include "text/text.h"

#include <string.h>

enum { STEP = 256 };

/* Whether the base text at `node` is its minimal text. */
static bool prints_minimal(const pare_draft *draft, const pare_tree_node *node)
{
    if (node->end - node->begin != node->minimal_size) return false;
    if (node->flags & PARE_TREE_NO_MINIMAL) return false;
    char part[STEP];
    for (uint32_t done = 0; done < node->minimal_size; done += STEP) {
        uint32_t n = node->minimal_size - done < STEP ? node->minimal_size - done : STEP;
        pare_text_read(draft->source->text, node->begin + done, n, part);
        if (memcmp(part, draft->source->texts + node->minimal + done, n) != 0) return false;
    }
    return true;
}

static pare_status hide(pare_draft *draft, pare_error *err)
{
    (void)err;
    for (size_t i = 0; i < draft->n_source; i++) {
        pare_tree_node *node = &draft->nodes[i].node;
        if (prints_minimal(draft, node)) node->flags |= PARE_TREE_HIDDEN;
    }
    return PARE_OK;
}

const pare_tree_transform pare_hide = {
    .name = "hide",
    .summary = "nodes whose text is their minimal text are not tried",
    .source = "Hodovan, Kiss and Gyimothy, AST 2017",
    .apply = hide,
};
