/* Facts are looked up, none is computed here: places are the sets that quantifying noted. */
#include "pipeline/language_rules.h"

#include "parse/quantify.h"

/* Places have numbers behind those of tree-sitter's symbols, which have 16 bits. */
enum { FIRST_PLACE = 1 << 16 };

/* Whether a node of that kind may stand anywhere, or did not parse. */
static bool is_loose(const pare_tree_legality *legality, const pare_parse_node *node)
{
    if (node->kind == PARE_NODE_OPAQUE || node->symbol == PARE_TREE_SITTER_ERROR) return true;
    if (node->kind != PARE_NODE_RULE && node->kind != PARE_NODE_TOKEN) return false;
    return pare_content_is_extra(pare_tree_legality_content(legality),
                                 pare_tree_legality_symbol(legality, node->symbol));
}

static bool deletable(const void *context, const pare_parse_tree *parse, uint32_t node)
{
    const pare_parse_node *of = &parse->nodes[node];
    return of->kind == PARE_NODE_STAR || of->kind == PARE_NODE_OPTIONAL || is_loose(context, of);
}

static void minimal(const void *context, const pare_parse_tree *parse, uint32_t node,
                    const char **text, size_t *size)
{
    *text = "";
    *size = deletable(context, parse, node) ? 0 : PARE_TREE_NO_TEXT;
}

static pare_tree_symbol slot(const void *context, const pare_parse_tree *parse, uint32_t node)
{
    const pare_parse_node *of = &parse->nodes[node];
    (void)context;
    if (!of->alternative) return (pare_tree_symbol){of->kind, of->symbol};
    return (pare_tree_symbol){PARE_NODE_RULE, FIRST_PLACE + of->alternative - 1};
}

static bool fits(const void *context, pare_tree_symbol wanted, pare_tree_symbol offered)
{
    const pare_tree_legality *legality = context;
    bool is_node = offered.kind == PARE_NODE_RULE || offered.kind == PARE_NODE_TOKEN;
    if (wanted.symbol < FIRST_PLACE || !is_node || offered.symbol >= FIRST_PLACE) return false;
    return pare_content_set_has(pare_tree_legality_content(legality), wanted.symbol - FIRST_PLACE,
                                pare_tree_legality_symbol(legality, offered.symbol));
}

pare_tree_rules pare_language_rules_of(const pare_tree_legality *legality)
{
    return (pare_tree_rules){.context = legality,
                             .minimal = minimal,
                             .deletable = deletable,
                             .fits = fits,
                             .slot = slot,
                             .strict = true,
                             .joints = PARE_JOINTS_LINES};
}
