/* From bytes to nodes: lexer, recogniser, choice of the tree, and what is left of errors.
 *
 *     bytes -> tokens (lexer.h) or classes of characters -> letters -> chart (earley.h)
 *           -> skipped chains made again (leo.h) -> tree (disambiguate.h) -> opaque.h
 *
 * A start rule need not ask for the end of the file; then ANTLR leaves the rest, and so do we:
 * where the whole text does not parse, it is tried whether the rule can end just where the chart
 * failed.  Otherwise the run is mended, and holes become opaque leaves.  A second recogniser is
 * needed for that try, since anything may follow; it is made when the first text needs it.
 *
 * After mending, sets of the chart and letters do not correspond one to one any more; lay_out
 * makes an array of letters by set, holes among them. */
#include "parse/parser.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "parse/chart.h"
#include "parse/code_point.h"
#include "parse/disambiguate.h"
#include "parse/earley.h"
#include "parse/leo.h"
#include "parse/lexer.h"
#include "parse/opaque.h"
#include "parse/productions.h"
#include "parse/syntax_error.h"
#include "parse/tree_writer.h"

enum { CHECKED_NODES = 1024 }; /* trees up to this size are checked, in debug builds */

struct pare_parser {
    const pare_grammar *grammar;
    pare_productions productions;
    pare_lexer *lexer; /* NULL: scannerless */
    pare_earley *whole;
    pare_earley *prefix; /* NULL until a text leaves the grammar */
};

/* What one text becomes on the way. */
struct work {
    pare_tokens tokens;
    uint32_t *letter, *symbol, *begin, *end; /* by letter */
    uint32_t n, n_rest;                      /* rest: letters after the tree */
    pare_chart chart;
    bool failed; /* the letters leave the grammar; `error` says where first */
    pare_parse_error error;
};

static const char *rule_name(const void *language, uint32_t symbol)
{
    const pare_grammar *grammar = language;
    return symbol < grammar->n_rules ? grammar->rules[symbol].name : "?";
}

static const char *token_name(const void *language, uint32_t symbol)
{
    const pare_grammar *grammar = language;
    if (symbol == PARE_TOKEN_END) return "<EOF>";
    if (grammar->scannerless || symbol >= grammar->n_tokens) return "?";
    const pare_token_type *type = &grammar->tokens[symbol];
    return type->name ? type->name : type->literal ? type->literal : "?";
}

pare_status pare_parser_new(const pare_grammar *grammar, pare_index start, pare_parser **out,
                            pare_error *err)
{
    if (start >= grammar->n_rules || grammar->rules[start].kind != PARE_RULE_PARSER)
        return pare_fail(err, PARE_E_ARG, "grammar '%s' has no such parser rule to start with",
                         grammar->name ? grammar->name : "");
    pare_parser *parser = pare_alloc_zero(1, sizeof *parser);
    if (!parser) return pare_fail_nomem(err);
    parser->grammar = grammar;
    pare_status status = pare_productions_init(&parser->productions, grammar, start, err);
    if (status == PARE_OK && !grammar->scannerless)
        status = pare_lexer_new(grammar, &parser->lexer, err);
    if (status == PARE_OK)
        status = pare_earley_new(&parser->productions, PARE_EARLEY_WHOLE, &parser->whole, err);
    if (status == PARE_OK)
        *out = parser;
    else
        pare_parser_free(parser);
    return status;
}

void pare_parser_free(pare_parser *parser)
{
    if (!parser) return;
    pare_earley_free(parser->whole);
    pare_earley_free(parser->prefix);
    pare_productions_done(&parser->productions);
    pare_lexer_free(parser->lexer);
    pare_alloc_free(parser);
}

void pare_parser_skip_after(pare_parser *parser, uint32_t n)
{
    pare_earley_skip_after(parser->whole, n);
}

/* Arrays of `n` letters, and one: texts may be empty. */
static pare_status reserve(struct work *work, size_t n, pare_error *err)
{
    if (n >= UINT32_MAX / 4) return pare_fail(err, PARE_E_LIMIT, "the input has too many tokens");
    work->letter = pare_alloc(n + 1, sizeof *work->letter);
    work->symbol = pare_alloc(n + 1, sizeof *work->symbol);
    work->begin = pare_alloc(n + 1, sizeof *work->begin);
    work->end = pare_alloc(n + 1, sizeof *work->end);
    bool fits = work->letter && work->symbol && work->begin && work->end;
    return fits ? PARE_OK : pare_fail_nomem(err);
}

static void add(struct work *work, uint32_t letter, uint32_t symbol, size_t begin, size_t end)
{
    assert(work->letter && work->symbol && work->begin && work->end);
    work->letter[work->n] = letter;
    work->symbol[work->n] = symbol;
    work->begin[work->n] = (uint32_t)begin;
    work->end[work->n++] = (uint32_t)end;
}

/* Without a lexer each character is a letter: its class, plus 1, since 0 is the end of the file. */
static pare_status split_characters(const pare_parser *parser, const char *text, size_t size,
                                    struct work *work, pare_error *err)
{
    pare_status status = reserve(work, size, err);
    for (size_t at = 0; at < size && status == PARE_OK;) {
        uint32_t point;
        size_t length = pare_code_point_decode(text + at, size - at, &point);
        uint32_t letter = pare_code_point_classes_find(&parser->productions.classes, point) + 1;
        add(work, letter, letter, at, at + length);
        at += length;
    }
    return status;
}

/* Only the default channel is parsed; all tokens are kept for what is said of errors and for
 * what did not lex. */
static pare_status split_tokens(pare_parser *parser, const char *text, size_t size,
                                struct work *work, pare_error *err)
{
    pare_status status = pare_lexer_run(parser->lexer, text, size, &work->tokens, err);
    size_t n = 0;
    for (size_t i = 0; i < work->tokens.n; i++)
        n += work->tokens.tokens[i].channel == 0;
    if (status == PARE_OK) status = reserve(work, n, err);
    for (size_t i = 0; i < work->tokens.n && status == PARE_OK; i++) {
        pare_token token = work->tokens.tokens[i];
        if (token.channel == 0 && token.type < parser->grammar->n_tokens)
            add(work, token.type, token.type, token.begin, token.end);
    }
    return status;
}

/* Where the accepted trees end: at the end of the text, or before the rest that the start
 * rule leaves. */
static const pare_finish *finishes(const struct work *work, size_t *n)
{
    *n = work->n_rest > 0 ? 1 : work->chart.n_finishes;
    return work->n_rest > 0 ? &work->chart.last_finish : work->chart.finishes;
}

/* Tries whether the start rule can end where the chart failed.  A start rule that asks
 * for the end of the file cannot. */
static pare_status try_prefix(pare_parser *parser, struct work *work, pare_error *err)
{
    pare_productions *p = &parser->productions;
    pare_status status = pare_production_sets_open(p, err);
    if (status != PARE_OK) return status;
    if (!p->open_differs) return PARE_OK;
    if (!parser->prefix) status = pare_earley_new(p, PARE_EARLEY_PREFIX, &parser->prefix, err);
    pare_chart chart = {0};
    if (status == PARE_OK)
        status = pare_earley_run(parser->prefix, work->letter, work->n, &chart, err);
    if (status != PARE_OK) return status;
    if (chart.last_finish.position != PARE_NO_ITEM && chart.failed_at < work->n &&
        chart.last_finish.position == chart.failed_at) {
        pare_chart swap = work->chart;
        work->chart = chart;
        chart = swap;
        work->n_rest = work->n - work->chart.failed_at;
        work->chart.failed_at = PARE_NO_ITEM;
    }
    pare_chart_done(&chart);
    return PARE_OK;
}

/* The letters by the sets they lead to, holes among them. */
static pare_status lay_out(const struct work *work, uint32_t size, struct work *laid,
                           pare_error *err)
{
    const pare_chart *chart = &work->chart;
    size_t hole = 0;
    uint32_t at = 0;
    pare_status status = reserve(laid, chart->n_sets, err);
    for (uint32_t set = 1; set < chart->n_sets && status == PARE_OK; set++) {
        if (hole < chart->n_holes && chart->holes[hole].set == set) {
            pare_hole h = chart->holes[hole++];
            uint32_t end = h.to > 0 ? work->end[h.to - 1] : 0;
            add(laid, 0, 0, h.to > h.from ? work->begin[h.from] : end, end);
            at = h.to;
        } else if (at < work->n) {
            add(laid, 0, work->symbol[at], work->begin[at], work->end[at]);
            at++;
        } else {
            add(laid, 0, PARE_TOKEN_END, size, size);
        }
    }
    return status;
}

static void forget_letters(struct work *work)
{
    pare_alloc_free(work->letter);
    pare_alloc_free(work->symbol);
    pare_alloc_free(work->begin);
    pare_alloc_free(work->end);
}

/* From the chart to the tree.  A chart without a finish, which is one of a text of which nothing
 * can be kept, gives an opaque leaf. */
static pare_status build(const pare_parser *parser, struct work *work, uint32_t size,
                         pare_parse_tree *tree, pare_error *err)
{
    struct work laid = {0};
    const struct work *source = work;
    pare_status status = PARE_OK;
    size_t n;
    const pare_finish *ends = finishes(work, &n);
    if (n == 0) return pare_syntax_error_tree(&parser->productions, size, tree, err);
    if (work->chart.n_holes > 0) {
        status = lay_out(work, size, &laid, err);
        source = &laid;
    }
    if (status == PARE_OK) status = pare_leo_expand(&work->chart, ends, n, err);
    pare_letters letters = {source->symbol, source->begin, source->end, source->n, size};
    if (status == PARE_OK)
        status = pare_disambiguate_tree(&work->chart, &letters, ends, n, tree, err);
    forget_letters(&laid);
    return status;
}

/* Goes on after the error, and notes what the first one was. */
static pare_status mend(pare_parser *parser, const char *text, uint32_t size, struct work *work,
                        pare_error *err)
{
    pare_letters letters = {work->symbol, work->begin, work->end, work->n, size};
    uint32_t failed_at = work->chart.failed_at;
    work->failed = true;
    pare_status status = pare_earley_mend(parser->whole, err);
    if (status != PARE_OK) return status;
    return pare_syntax_error_say(&work->chart, failed_at, &letters, text, &work->error, err);
}

/* The steps of the way, in order; see the top of the file. */
static pare_status parse(pare_parser *parser, const char *text, size_t size, struct work *work,
                         pare_parse_tree *tree, pare_error *err)
{
    pare_status status = parser->lexer ? split_tokens(parser, text, size, work, err)
                                       : split_characters(parser, text, size, work, err);
    if (status == PARE_OK)
        status = pare_earley_run(parser->whole, work->letter, work->n, &work->chart, err);
    if (status == PARE_OK && work->chart.failed_at != PARE_NO_ITEM)
        status = try_prefix(parser, work, err);
    if (status == PARE_OK && work->chart.failed_at != PARE_NO_ITEM)
        status = mend(parser, text, (uint32_t)size, work, err);
    if (status == PARE_OK) status = build(parser, work, (uint32_t)size, tree, err);
    if (status == PARE_OK && (work->failed || work->tokens.n_errors > 0))
        status = pare_opaque_open(tree, text, &work->tokens, err);
    assert(status || tree->n_nodes > CHECKED_NODES || pare_parse_tree_check(tree));
    return status;
}

/* Moves the first error to the tree: of the lexer, or where the letters leave the grammar. */
static pare_status note_errors(const char *text, struct work *work, pare_parse_tree *tree,
                               pare_error *err)
{
    const pare_token *bad = NULL;
    for (size_t i = 0; i < work->tokens.n && !bad; i++) {
        if (work->tokens.tokens[i].type == PARE_TOKEN_ERROR) bad = &work->tokens.tokens[i];
    }
    tree->n_errors = work->tokens.n_errors + work->chart.n_mended;
    if (bad && (!work->failed || bad->begin <= work->error.begin))
        return pare_syntax_error_lexical(text, bad->begin, bad->end, &tree->error, err);
    tree->error = work->error;
    work->error.message = NULL;
    return PARE_OK;
}

/* The tree is handed out only when all of it is made, its error included. */
pare_status pare_parser_run(pare_parser *parser, const char *text, size_t size,
                            pare_parse_tree *tree, pare_parse_cost *cost, pare_error *err)
{
    struct work work = {0};
    pare_parse_tree made = {.names = {rule_name, token_name, parser->grammar}};
    made.size_bytes = (uint32_t)size;
    pare_status status = parse(parser, text, size, &work, &made, err);
    if (status == PARE_OK) status = note_errors(text, &work, &made, err);
    if (status == PARE_OK)
        *tree = made;
    else
        pare_parse_tree_done(&made);
    if (status == PARE_OK && cost) {
        *cost = (pare_parse_cost){.n_tokens = work.n,
                                  .n_rest = work.n_rest,
                                  .n_items = work.chart.n_items,
                                  .n_ways = work.chart.n_ways,
                                  .chart_bytes = pare_chart_bytes(&work.chart)};
    }
    pare_chart_done(&work.chart);
    pare_lexer_tokens_done(&work.tokens);
    pare_alloc_free(work.error.message);
    forget_letters(&work);
    return status;
}
