/* A reader: one language, by which texts become parse trees, and what it says about them.
 *
 * It hides which of two very different machines reads: ANTLR's or fuzzingbook's grammars by our
 * own parser, where leaves of a grammar over characters are joined to tokens; or a tree-sitter
 * language, whose trees get their lists back (lang/) and whose shortest texts are learned from
 * the first input.
 *
 * What a grammar says is in grammar_rules.c.  What a tree-sitter language says is here, looked
 * up and not computed: a node may stand where the rule around that place takes its kind (the
 * sets that lang/ notes when it recovers lists), or what it takes there can derive that kind
 * alone; texts come from lang/language_texts.h.  So a fact costs O(1), or a set lookup, and the
 * same facts serve every tree of the language.
 *
 * Invariants: either the three members of a grammar are set, or those of a language, or `given`;
 * `texts` is NULL until the first parse and after forgetting.  Places have numbers after those
 * of tree-sitter's symbols, which have 16 bits, so one pare_tree_symbol can mean a kind or a
 * place.
 * Memory: the forms of the place that was asked for last. */

#include "reduce/syntax/reader.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/content.h"
#include "grammar/grammar.h"
#include "grammar/grammar_file.h"
#include "lang/language.h"
#include "lang/language_texts.h"
#include "lang/recover_lists.h"
#include "os/file.h"
#include "parse/literals.h"
#include "parse/parse_tree.h"
#include "parse/parser.h"
#include "parse/shape.h"
#include "parse/tree_sitter.h"
#include "reduce/syntax/given_tree.h"

/* ---- what a language says --------------------------------------------------------------- */

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

/* The forms have an allocation of their own, because the functions of pare_tree_rules get their
 * context const. */
pare_status pare_reader_language_rules_new(const pare_language_models *models,
                                           const pare_language_texts *texts,
                                           pare_language_rules **out, pare_error *err)
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

/* NULL is a no-op. */
void pare_reader_language_rules_free(pare_language_rules *rules)
{
    if (!rules) return;
    pare_alloc_free(rules->forms->items);
    pare_alloc_free(rules->forms->pieces);
    pare_alloc_free(rules->forms);
    pare_alloc_free(rules);
}

/* Takes other texts.  Forms are made anew for each place, so none of the old texts are left in them; trees
 * keep what they were made with. */
static void set_texts(pare_language_rules *rules, const pare_language_texts *texts)
{
    rules->texts = texts;
}

/* Whether a node of that kind may stand anywhere (a comment), or did not parse.
 * What did not parse may go as well: the language says nothing about it. */
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

/* The kind with the shortest text that may stand in a place; PARE_NO_INDEX: none.
 * A place that the grammar describes by a set of kinds takes the one with the shortest text; any
 * other its own kind. */
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
    /* No text is known: for a language that has learned none yet, or a place that nothing finite
     * fills. */
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

/* Makes room for `n` forms of `n_pieces` pieces in all.
 * Never smaller than before: places with many forms come again and again. */
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

/* pare_tree_rules.forms: counts first, so that the forms of a place are two allocations at most,
 * which are kept for the next place. */
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
pare_tree_rules pare_reader_language_rules_of(const pare_language_rules *rules)
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

/* ---- readers ------------------------------------------------------------------------------ */

/* Owns all that it points to. */
struct pare_reader {
    pare_given_tree *given;
    pare_grammar *grammar; /* owned, as all below */
    pare_grammar_rules *facts;
    pare_parser *parser;
    pare_tree_sitter *language;
    pare_language_models *models;
    pare_list_recovery *quantifier;
    pare_language_texts *texts; /* of the first input, or of the first after forgetting; or NULL */
    pare_language_rules *language_rules;
    char *name; /* of the language */
    pare_tree_rules rules;
};

/* In the order of use: rules before what they borrow. */
void pare_reader_free(pare_reader *reader)
{
    if (!reader) return;
    pare_parser_free(reader->parser);
    pare_grammar_rules_free(reader->facts);
    pare_grammar_free(reader->grammar);
    pare_reader_language_rules_free(reader->language_rules);
    pare_language_texts_free(reader->texts);
    pare_recover_lists_free(reader->quantifier);
    pare_language_models_free(reader->models);
    pare_tree_sitter_close(reader->language);
    pare_given_tree_free(reader->given);
    pare_alloc_free(reader->name);
    pare_alloc_free(reader);
}

/* Reads, analyses and compiles the grammar. */
static pare_status open_grammar(pare_reader *reader, const char *const *paths, size_t n,
                                const char *start_rule, pare_error *err)
{
    pare_index start = PARE_NO_INDEX;
    pare_status status = pare_grammar_file_read(paths, n, &reader->grammar, err);
    if (!status) status = pare_grammar_file_start(reader->grammar, start_rule, &start, err);
    if (!status) status = pare_grammar_rules_new(reader->grammar, &reader->facts, err);
    if (!status) status = pare_parser_new(reader->grammar, start, &reader->parser, err);
    if (!status) reader->rules = pare_grammar_rules_of(reader->facts);
    return status;
}

/* Loads the language, its grammar.json, and what recovers lists; texts are made with the first
 * input. */
static pare_status open_language(pare_reader *reader, const char *name, pare_error *err)
{
    pare_status status = pare_language_load(name, &reader->language, err);
    if (!status) status = pare_language_models_new(name, reader->language, &reader->models, err);
    if (!status) status = pare_recover_lists_new(reader->models, &reader->quantifier, err);
    if (!status)
        status = pare_reader_language_rules_new(reader->models, NULL, &reader->language_rules, err);
    if (status) return status;
    reader->rules = pare_reader_language_rules_of(reader->language_rules);
    reader->name = pare_alloc_text(name, strlen(name));
    return reader->name ? PARE_OK : pare_fail_nomem(err);
}

/* Hands the reader out, or frees it when `status` says that opening failed. */
static pare_status give(pare_reader *reader, pare_status status, pare_reader **out)
{
    if (status)
        pare_reader_free(reader);
    else
        *out = reader;
    return status;
}

/* Everything that can be wrong with the grammar is found here, before the first test. */
pare_status pare_reader_by_grammar(const char *const *paths, size_t n, const char *start,
                                   pare_reader **out, pare_error *err)
{
    pare_reader *reader = pare_alloc_zero(1, sizeof *reader);
    if (!reader) return pare_fail_nomem(err);
    return give(reader, open_grammar(reader, paths, n, start, err), out);
}

/* The language must have been added; pare_language_load says what is missing. */
pare_status pare_reader_by_language(const char *name, pare_reader **out, pare_error *err)
{
    pare_reader *reader = pare_alloc_zero(1, sizeof *reader);
    if (!reader) return pare_fail_nomem(err);
    return give(reader, open_language(reader, name, err), out);
}

pare_status pare_reader_by_tree(const char *path, pare_reader **out, pare_error *err)
{
    pare_buffer text = {0};
    pare_reader *reader = pare_alloc_zero(1, sizeof *reader);
    if (!reader) return pare_fail_nomem(err);
    pare_status status = pare_file_read(path, &text, err);
    if (!status)
        status =
            pare_given_tree_read(path, text.data ? text.data : "", text.size, &reader->given, err);
    if (!status) reader->rules = pare_given_tree_rules(reader->given);
    pare_buffer_done(&text);
    return give(reader, status, out);
}

pare_given_tree *pare_reader_given(const pare_reader *reader)
{
    return reader->given;
}

/* Parses; leaves of a grammar over characters are joined where they make one token. */
static pare_status parse_by_grammar(pare_reader *reader, const char *bytes, size_t size,
                                    pare_parse_tree *out, pare_error *err)
{
    pare_parse_tree tree = {0};
    const pare_literals *literals = pare_grammar_rules_literals(reader->facts);
    pare_status status = pare_parser_run(reader->parser, bytes, size, &tree, NULL, err);
    if (!status && literals) status = pare_literals_join(literals, &tree, err);
    if (status)
        pare_parse_tree_done(&tree);
    else
        *out = tree;
    return status;
}

/* Makes the language's texts, with the input at hand as the example.
 * Called while the reader has no texts yet; later candidates use the ones made here. */
static pare_status make_texts(pare_reader *reader, const pare_parse_tree *tree, const char *bytes,
                              pare_error *err)
{
    pare_language_source source = {
        .language = reader->language, .models = reader->models, .example = tree, .bytes = bytes};
    pare_status status = pare_language_texts_load(reader->name, source, &reader->texts, err);
    if (!status) set_texts(reader->language_rules, reader->texts);
    return status;
}

/* A tree-sitter tree gets its lists back; the first parse also makes the language's texts, with
 * its input as the example. */
pare_status pare_reader_parse(pare_reader *reader, const char *bytes, size_t size,
                              pare_separators side, pare_parse_tree *tree, pare_error *err)
{
    pare_parse_tree plain = {0};
    if (reader->given) return pare_given_tree_parse(reader->given, bytes, size, side, tree, err);
    assert(!reader->parser != !reader->language);
    if (reader->parser) return parse_by_grammar(reader, bytes, size, tree, err);
    pare_status status = pare_tree_sitter_parse(reader->language, bytes, size, &plain, err);
    if (!status && !reader->texts) status = make_texts(reader, &plain, bytes, err);
    if (!status) status = pare_recover_lists(reader->quantifier, &plain, bytes, side, tree, err);
    pare_parse_tree_done(&plain);
    return status;
}

/* Grammars have none to forget: theirs do not depend on an input. */
bool pare_reader_forget_texts(pare_reader *reader)
{
    if (!reader->texts) return false;
    set_texts(reader->language_rules, NULL);
    pare_language_texts_free(reader->texts);
    reader->texts = NULL;
    return true;
}

bool pare_reader_has_texts(const pare_reader *reader)
{
    return reader->texts != NULL;
}

/* One set for all trees of the reader: what they say depends on the language alone. */
const pare_tree_rules *pare_reader_rules(const pare_reader *reader)
{
    return &reader->rules;
}

/* By this the front end tells a grammar from a language. */
const pare_grammar_rules *pare_reader_facts(const pare_reader *reader)
{
    return reader->facts;
}
