/* skip-space: leaves of white space are marked, so that no test is spent on them; they are
 * printed as they are while the node above them stays.
 * Source: the tool Picireny (--skip-whitespace). */
#include "parse/parse_tree.h"
#include "reduce/tree/draft.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree.h"
#include "text/text.h"

static bool is_space(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool is_blank(const pare_draft *draft, const pare_draft_node *leaf)
{
    if (leaf->first != PARE_NO_NODE || leaf->node.begin == leaf->node.end) return false;
    for (uint32_t at = leaf->node.begin; at < leaf->node.end;) {
        pare_span span = pare_text_span(draft->source->text, at, leaf->node.end - at);
        for (size_t i = 0; i < span.size; i++)
            if (!is_space(span.bytes[i])) return false;
        at += (uint32_t)span.size;
    }
    return true;
}

static pare_status skip_space(pare_draft *draft, pare_error *err)
{
    (void)err;
    for (size_t i = 0; i < draft->n_source; i++)
        if (is_blank(draft, &draft->nodes[i])) draft->nodes[i].node.flags |= PARE_TREE_HIDDEN;
    return PARE_OK;
}

const pare_tree_transform pare_skip_space = {
    .name = "skip-space",
    .summary = "leaves of white space are not tried",
    .source = "Picireny",
    .apply = skip_space,
};
