/* What a tree-sitter language says about its trees: facts are looked up here, none is computed.
 *
 * A node may stand where the rule around that place takes its kind (the sets that lang/ notes
 * when it recovers lists), or what it takes there can derive that kind alone.  Texts come from
 * lang/language_texts.h, learned from the input and the grammar.json.  So a fact costs O(1), or
 * a set lookup, and the same facts serve every tree of the language.
 * Invariant: places have numbers after those of tree-sitter's symbols, which have 16 bits, so
 * one pare_tree_symbol can mean a kind or a place.
 * Memory: the forms of the place that was asked for last. */
#include "reduce/syntax/language_rules.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/content.h"
#include "grammar/grammar.h"
#include "lang/language.h"
#include "parse/parse_tree.h"
#include "parse/tree_sitter.h"

enum { FIRST_PLACE = 1 << 16 }; /* number of the first place, after all symbols */

/* Room for the forms of one place. */
struct forms {
    pare_tree_form *items;   /* owned */
    pare_tree_piece *pieces; /* owned */
    size_t capacity, piece_capacity;
};

struct pare_language_rules {
    const pare_language_models *models;
    const pare_content *content;
    const pare_language_texts *texts;
    struct forms *forms; /* owned; of the place that was asked for last */
};

pare_status pare_language_rules_new(const pare_language_models *models,
                                    const pare_language_texts *texts, pare_language_rules **out,
                                    pare_error *err)
{
    pare_language_rules *rules = pare_alloc_zero(1, sizeof *rules);
    struct forms *forms = pare_alloc_zero(1, sizeof *forms);
    if (!rules || !forms) {
        pare_alloc_free(rules);
        pare_alloc_free(forms);
        return pare_fail_nomem(err);
    }
    *rules = (pare_language_rules){models, pare_language_models_content(models), texts, forms};
    *out = rules;
    return PARE_OK;
}

void pare_language_rules_free(pare_language_rules *rules)
{
    if (!rules) return;
    pare_alloc_free(rules->forms->items);
    pare_alloc_free(rules->forms->pieces);
    pare_alloc_free(rules->forms);
    pare_alloc_free(rules);
}

void pare_language_rules_set_texts(pare_language_rules *rules, const pare_language_texts *texts)
{
    rules->texts = texts;
}

/* --- nodes ------------------------------------------------------------------------------- */

/* Whether a node of that kind may stand anywhere (a comment), or did not parse. */
static bool is_loose(const pare_language_rules *rules, const pare_parse_node *node)
{
    if (node->kind == PARE_NODE_OPAQUE || node->symbol == PARE_TREE_SITTER_ERROR) return true;
    if (node->kind != PARE_NODE_RULE && node->kind != PARE_NODE_TOKEN) return false;
    return pare_content_is_extra(rules->content,
                                 pare_language_models_symbol(rules->models, node->symbol));
}

/* pare_tree_rules.deletable: rounds of lists, what is optional, and what is loose. */
static bool deletable(const void *context, const pare_parse_tree *parse, uint32_t node)
{
    const pare_parse_node *of = &parse->nodes[node];
    return of->kind == PARE_NODE_STAR || of->kind == PARE_NODE_OPTIONAL || is_loose(context, of);
}

/* What may stand in the place of a node: a set of kinds, or its own alone. */
static pare_tree_symbol slot(const void *context, const pare_parse_tree *parse, uint32_t node)
{
    const pare_parse_node *of = &parse->nodes[node];
    (void)context;
    if (!of->alternative) return (pare_tree_symbol){of->kind, of->symbol};
    return (pare_tree_symbol){PARE_NODE_RULE, FIRST_PLACE + of->alternative - 1};
}

/* Whether the symbol is of a node that the language's grammar knows. */
static bool is_node(pare_tree_symbol symbol)
{
    return symbol.kind == PARE_NODE_RULE || symbol.kind == PARE_NODE_TOKEN;
}

/* The kind with the shortest text that may stand in a place; PARE_NO_INDEX: none. */
static uint32_t smallest(const pare_language_rules *rules, pare_tree_symbol place)
{
    if (!rules->texts || !is_node(place)) return PARE_NO_INDEX;
    if (place.symbol >= FIRST_PLACE)
        return pare_language_texts_smallest(rules->texts, place.symbol - FIRST_PLACE);
    return pare_language_models_symbol(rules->models, place.symbol);
}

/* pare_tree_rules.minimal: the shortest text of what may stand in the node's place. */
static void minimal(const void *context, const pare_parse_tree *parse, uint32_t node,
                    const char **text, size_t *size)
{
    const pare_language_rules *rules = context;
    *text = "";
    *size = 0;
    if (deletable(context, parse, node)) return;
    uint32_t kind = smallest(rules, slot(context, parse, node));
    if (kind == PARE_NO_INDEX || !pare_language_texts_of(rules->texts, kind, text, size))
        *size = PARE_TREE_NO_TEXT;
}

/* pare_tree_rules.fits: by the set of the place, or by what derives what. */
static bool fits(const void *context, pare_tree_symbol wanted, pare_tree_symbol offered)
{
    const pare_language_rules *rules = context;
    if (!is_node(wanted) || !is_node(offered) || offered.symbol >= FIRST_PLACE) return false;
    uint32_t kind = pare_language_models_symbol(rules->models, offered.symbol);
    if (wanted.symbol < FIRST_PLACE)
        return rules->texts &&
               pare_language_texts_fit(
                   rules->texts, pare_language_models_symbol(rules->models, wanted.symbol), kind);
    /* The set that the grammar names at this place, or what one of its kinds can derive alone. */
    uint32_t set = wanted.symbol - FIRST_PLACE;
    return pare_content_set_has(rules->content, set, kind) ||
           (rules->texts && pare_language_texts_fit_set(rules->texts, set, kind));
}

/* Makes room for `n` forms of `n_pieces` pieces in all. */
static pare_status reserve(struct forms *forms, size_t n, size_t n_pieces, pare_error *err)
{
    pare_tree_form *items = pare_vector_reserve(forms->items, &forms->capacity, n, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    forms->items = items;
    pare_tree_piece *pieces =
        pare_vector_reserve(forms->pieces, &forms->piece_capacity, n_pieces, sizeof *pieces);
    if (!pieces) return pare_fail_nomem(err);
    forms->pieces = pieces;
    return PARE_OK;
}

/* Whether a kind has a form in the place, and how many pieces it has. */
static size_t count_pieces(const pare_language_rules *rules, pare_tree_symbol place, uint32_t kind)
{
    const pare_language_piece *pieces;
    assert(is_node(place));
    bool fit = place.symbol < FIRST_PLACE
                   ? pare_language_models_symbol(rules->models, place.symbol) == kind
                   : pare_content_set_has(rules->content, place.symbol - FIRST_PLACE, kind);
    return fit ? pare_language_texts_pieces(rules->texts, kind, &pieces) : 0;
}

/* Adds the shortest text of the kind, taken apart into its pieces. */
static void add_form(const pare_language_rules *rules, uint32_t kind, size_t *n, size_t *n_pieces)
{
    const pare_language_piece *pieces = NULL;
    const char *text = NULL;
    size_t size = 0, end = 0, count = pare_language_texts_pieces(rules->texts, kind, &pieces);
    pare_tree_piece *to = rules->forms->pieces + *n_pieces;
    if (!pare_language_texts_of(rules->texts, kind, &text, &size)) return;
    for (size_t i = 0; i < count; i++) {
        to[i] = (pare_tree_piece){.text = text + pieces[i].begin,
                                  .size = pieces[i].size,
                                  .sort = pieces[i].sort,
                                  .lead = pieces[i].begin > end ? text[end] : '\0'};
        end = pieces[i].begin + pieces[i].size;
    }
    rules->forms->items[(*n)++] = (pare_tree_form){to, (uint32_t)count};
    *n_pieces += count;
}

/* Room for the forms of one place. */
static pare_status forms(const void *context, pare_tree_symbol place, const pare_tree_form **list,
                         size_t *n, pare_error *err)
{
    const pare_language_rules *rules = context;
    size_t n_forms = 0, n_pieces = 0, n_kinds = pare_content_n_symbols(rules->content);
    *n = 0;
    if (!rules->texts || !is_node(place)) return PARE_OK;
    for (uint32_t kind = 0; kind < n_kinds; kind++) {
        size_t count = count_pieces(rules, place, kind);
        n_forms += count > 0;
        n_pieces += count;
    }
    if (!n_forms) return PARE_OK;
    pare_status status = reserve(rules->forms, n_forms, n_pieces, err);
    if (status) return status;
    n_pieces = 0;
    for (uint32_t kind = 0; kind < n_kinds; kind++)
        if (count_pieces(rules, place, kind)) add_form(rules, kind, n, &n_pieces);
    *list = rules->forms->items;
    return PARE_OK;
}

/* pare_tree_rules.sort: as the language's texts have it. */
static uint32_t sort(const void *context, pare_tree_symbol place, pare_tree_symbol token)
{
    const pare_language_rules *rules = context;
    (void)place;
    if (!rules->texts || !is_node(token)) return 0;
    return pare_language_texts_sort(rules->texts,
                                    pare_language_models_symbol(rules->models, token.symbol));
}

/* Strict: what a language's grammar.json does not allow is not tried.  Lines keep their
 * meaning, for some languages go by them. */
pare_tree_rules pare_language_rules_of(const pare_language_rules *rules)
{
    return (pare_tree_rules){.context = rules,
                             .minimal = minimal,
                             .deletable = deletable,
                             .fits = fits,
                             .slot = slot,
                             .forms = forms,
                             .sort = sort,
                             .strict = true,
                             .joints = PARE_JOINTS_LINES};
}
