/* Rules for trees of several languages: each question goes to the language of the node, which
 * sees its own symbols.
 *
 * A language in islands has a number; symbols of the mixed tree have it in their upper bits
 * (lang/islands.h), and are decoded before a language is asked.  Text between islands belongs
 * to nobody: it has no shorter text, and stays.
 * Invariant: by_owner[0] are the host's rules; `filled` is the tree at hand, from
 * pare_island_rules_fill to the next call.
 * Source: ours.  Deviation from what each language would do alone: one tree has one way to join
 * tokens, the host's, and is strict if one of its languages is. */
#include "reduce/syntax/rules.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "lang/islands.h"
#include "parse/parse_tree.h"
#include "parse/shape.h"
#include "reduce/syntax/reader.h"
#include "reduce/tree/tree.h"

/* A language of islands, by the text that named it. */
struct language {
    pare_island_rules *rules;
    pare_reader *reader; /* owned */
    char *target;        /* owned */
};

/* Example: a JSON file whose strings hold SQL has two languages, 0 for JSON and 1 for SQL.
 * by_owner[1] are the rules of SQL; `filled->owner` tells for each node of the mixed tree which
 * of the two it belongs to. */
struct pare_island_rules {
    pare_islands *islands;                                 /* owned */
    struct language languages[PARE_ISLANDS_MAX_LANGUAGES]; /* [0]: the host, not owned */
    const pare_tree_rules *by_owner[PARE_ISLANDS_MAX_LANGUAGES];
    uint32_t n;
    pare_separators side;           /* of the tree at hand */
    const pare_island_tree *filled; /* likewise */
    pare_parse_tree own;            /* its nodes as their languages know them; borrowed */
    pare_tree_rules mixed;
};

/* The host, number 0, belongs to the front end. */
void pare_island_rules_free(pare_island_rules *rules)
{
    if (!rules) return;
    pare_islands_free(rules->islands);
    for (uint32_t i = 1; i < rules->n; i++) {
        pare_reader_free(rules->languages[i].reader);
        pare_alloc_free(rules->languages[i].target);
    }
    pare_alloc_free(rules);
}

/* --- the rules --------------------------------------------------------------------------- */

/* Whether the node is text between islands: it is nobody's, and stays. */
static bool is_margin(const pare_island_rules *rules, uint32_t node)
{
    const pare_parse_node *of = &rules->own.nodes[node];
    return of->kind == PARE_NODE_TOKEN && of->symbol == PARE_NO_NODE;
}

/* pare_tree_rules.minimal. */
static void minimal(const void *context, const pare_parse_tree *parse, uint32_t node,
                    const char **text, size_t *size)
{
    const pare_island_rules *rules = context;
    const pare_tree_rules *of = rules->by_owner[rules->filled->owner[node]];
    (void)parse;
    *text = "";
    *size = PARE_TREE_NO_TEXT;
    if (of->minimal && !is_margin(rules, node))
        of->minimal(of->context, &rules->own, node, text, size);
}

/* pare_tree_rules.deletable.
 * The mixed tree's own nodes around an island belong to one of the two languages, so each node
 * has an answer. */
static bool deletable(const void *context, const pare_parse_tree *parse, uint32_t node)
{
    const pare_island_rules *rules = context;
    const pare_tree_rules *of = rules->by_owner[rules->filled->owner[node]];
    const char *text;
    size_t size;
    if (is_margin(rules, node)) return false;
    /* The default of pare_tree_rules: what has an empty minimal text may go. */
    if (of->deletable) return of->deletable(of->context, &rules->own, node);
    minimal(context, parse, node, &text, &size);
    return size == 0;
}

/* pare_tree_rules.slot: the language's own answer, encoded as a symbol of the mixed tree.
 *
 * Example: a place of SQL is a number of SQL's; with the owner in its upper bits it cannot be
 * taken for a place of JSON. */
static pare_tree_symbol slot(const void *context, const pare_parse_tree *parse, uint32_t node)
{
    const pare_island_rules *rules = context;
    uint32_t owner = rules->filled->owner[node];
    const pare_tree_rules *of = rules->by_owner[owner];
    if (!of->slot || is_margin(rules, node))
        return (pare_tree_symbol){parse->nodes[node].kind, parse->nodes[node].symbol};
    pare_tree_symbol place = of->slot(of->context, &rules->own, node);
    /* The language says that the place is the node's own: so it is in the mixed tree. */
    if (place.kind == rules->own.nodes[node].kind && place.symbol == rules->own.nodes[node].symbol)
        return (pare_tree_symbol){parse->nodes[node].kind, parse->nodes[node].symbol};
    return (pare_tree_symbol){place.kind, pare_islands_encode(owner, place.symbol)};
}

/* pare_tree_rules.fits: nothing of another language does. */
static bool fits(const void *context, pare_tree_symbol wanted, pare_tree_symbol offered)
{
    const pare_island_rules *rules = context;
    /* The owner is in the symbol: places of two languages never have one number. */
    uint32_t owner = pare_islands_owner(wanted.symbol);
    if (owner != pare_islands_owner(offered.symbol) || owner >= rules->n) return false;
    const pare_tree_rules *of = rules->by_owner[owner];
    pare_islands_decode(&wanted.kind, &wanted.symbol);
    pare_islands_decode(&offered.kind, &offered.symbol);
    return of->fits && of->fits(of->context, wanted, offered);
}

/* pare_tree_rules.forms, by the language of the place. */
static pare_status forms(const void *context, pare_tree_symbol place, const pare_tree_form **list,
                         size_t *n, pare_error *err)
{
    const pare_island_rules *rules = context;
    uint32_t owner = pare_islands_owner(place.symbol);
    *n = 0;
    if (owner >= rules->n || !rules->by_owner[owner]->forms) return PARE_OK;
    pare_islands_decode(&place.kind, &place.symbol);
    return rules->by_owner[owner]->forms(rules->by_owner[owner]->context, place, list, n, err);
}

/* A token of another language fills no placeholder.
 * Sorts are numbers of one language; those of two mean different things. */
static uint32_t sort(const void *context, pare_tree_symbol place, pare_tree_symbol token)
{
    const pare_island_rules *rules = context;
    uint32_t owner = pare_islands_owner(place.symbol);
    if (owner != pare_islands_owner(token.symbol) || owner >= rules->n) return 0;
    const pare_tree_rules *of = rules->by_owner[owner];
    pare_islands_decode(&place.kind, &place.symbol);
    pare_islands_decode(&token.kind, &token.symbol);
    return of->sort ? of->sort(of->context, place, token) : 0;
}

/* Each language of islands, but not the host, which the front end asks itself.
 * True if any of them had texts to forget. */
bool pare_island_rules_forget_texts(pare_island_rules *rules)
{
    bool any = false;
    for (uint32_t i = 1; i < rules->n; i++)
        if (pare_reader_forget_texts(rules->languages[i].reader)) any = true;
    return any;
}

/* The same rules for every tree: which one is meant is told by pare_island_rules_fill. */
const pare_tree_rules *pare_island_rules_of(const pare_island_rules *rules)
{
    return &rules->mixed;
}

/* Parses the text of an island with its language; see pare_islands_add_language. */
static pare_status parse(void *context, const char *bytes, size_t size, pare_parse_tree *tree,
                         pare_error *err)
{
    struct language *language = context;
    return pare_reader_parse(language->reader, bytes, size, language->rules->side, tree, err);
}

/* Opens the language that the option names, unless another option did; *number is its number.
 * On failure nothing was added. */
static pare_status open_language(pare_island_rules *rules, const pare_island_option *option,
                                 uint32_t *number, pare_error *err)
{
    /* Islands of one language share its reader, whatever their tokens. */
    for (*number = 1; *number < rules->n; ++*number)
        if (strcmp(rules->languages[*number].target, option->target) == 0) return PARE_OK;
    pare_reader *reader = NULL;
    pare_status status = option->language ? pare_reader_by_language(option->language, &reader, err)
                                          : pare_reader_by_grammar(option->files, option->n_files,
                                                                   option->start, &reader, err);
    if (status) return status;
    char *target = pare_alloc_text(option->target, strlen(option->target));
    status = target ? pare_islands_add_language(rules->islands, parse, &rules->languages[rules->n],
                                                number, err)
                    : pare_fail_nomem(err);
    if (status) {
        pare_reader_free(reader);
        pare_alloc_free(target);
        return status;
    }
    /* The islands have its address already, so it must not move: the array has a fixed size. */
    rules->languages[rules->n] = (struct language){rules, reader, target};
    rules->by_owner[rules->n++] = pare_reader_rules(reader);
    return PARE_OK;
}

/* Adds the islands of one option. */
static pare_status add(pare_island_rules *rules, const char *text, pare_error *err)
{
    pare_island_option option = {.words = NULL};
    uint32_t number = 0;
    pare_status status = pare_islands_option_read(text, &option, err);
    if (!status) status = open_language(rules, &option, &number, err);
    if (!status) status = pare_islands_add(rules->islands, option.token, option.regex, number, err);
    pare_islands_option_done(&option);
    return status;
}

/* The rules of the mixed tree are those of this file; what they have in common is the host's. */
pare_status pare_island_rules_new(const pare_reader *host, const char *const *options, size_t n,
                                  pare_island_rules **out, pare_error *err)
{
    pare_island_rules *rules = pare_alloc_zero(1, sizeof *rules);
    if (!rules) return pare_fail_nomem(err);
    rules->by_owner[0] = pare_reader_rules(host);
    rules->n = 1;
    pare_status status = pare_islands_new(&rules->islands, err);
    for (size_t i = 0; !status && i < n; i++)
        status = add(rules, options[i], err);
    rules->mixed = (pare_tree_rules){.context = rules,
                                     .minimal = minimal,
                                     .deletable = deletable,
                                     .fits = fits,
                                     .slot = slot,
                                     .forms = forms,
                                     .sort = sort,
                                     .joints = rules->by_owner[0]->joints,
                                     .productions = rules->by_owner[0]->productions};
    for (uint32_t i = 0; i < rules->n; i++)
        if (rules->by_owner[i]->strict) rules->mixed.strict = true;
    if (status)
        pare_island_rules_free(rules);
    else
        *out = rules;
    return status;
}

/* The languages see the tree through `own`, in which nodes have their own symbols. */
pare_status pare_island_rules_fill(pare_island_rules *rules, const pare_parse_tree *host,
                                   const char *bytes, pare_separators side,
                                   pare_island_tree *filled, pare_error *err)
{
    rules->side = side;
    pare_status status = pare_islands_fill(rules->islands, host, bytes, filled, err);
    if (status) return status;
    assert(filled->owner && filled->own);
    rules->filled = filled;
    rules->own = filled->tree;
    rules->own.nodes = filled->own;
    return PARE_OK;
}
