/* From bytes to nodes: lexer, recogniser, choice of the tree, what is said of the first error,
 * and what is left of errors.
 *
 *     bytes -> tokens (lexer.h) or classes of characters -> letters -> chart (earley.h)
 *           -> skipped chains made again (leo.c) -> tree (disambiguate.c)
 *           -> structure of opaque stretches (bracket_parse.h)
 *
 * A start rule need not ask for the end of the file; then ANTLR leaves the rest, and so do we:
 * where the whole text does not parse, it is tried whether the rule can end just where the
 * chart failed.  Otherwise the run is mended, and holes become opaque leaves.  A second
 * recogniser is needed for that try, since anything may follow; it is made when the first text
 * needs it.
 *
 * After mending, sets of the chart and letters do not correspond one to one any more; lay_out
 * makes an array of letters by set, holes among them.
 *
 * The set of expected letters is exact: it is computed from the items that were open when the
 * parse failed (earley.c), not from FOLLOW sets, so it never names a token that the text so
 * far rules out.  Line and column are those that ANTLR reports; the words are ours, since
 * ANTLR's depend on the order in which its generated parsers decide. */

#include "parse/parser.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "grammar/grammar.h"
#include "parse/bracket_parse.h"
#include "parse/code_point.h"
#include "parse/earley.h"
#include "parse/lexer.h"
#include "parse/parse_tree.h"
#include "parse/productions.h"
#include "parse/tree_writer.h"

/* --- what is said of an error ------------------------------------------------
 *
 * Long lists and long tokens are cut: a message is one line to read.  White space and
 * malformed bytes are escaped, because they would not be seen. */

enum {
    MAX_POINTS = 60,  /* of a quoted piece of the text */
    MAX_EXPECTED = 8, /* named letters */
    LAST_POINT = 0x10FFFF,
    QUICK_CHART = 1 << 20 /* items and ways: a tenth of a second and 30 MB, some 50,000 tokens of an
                             unambiguous text */
};

/* A sentence that is being made, front to back. A failure, which can only be want of memory,
 * sticks: all later additions are dropped. */
struct sentence {
    pare_buffer text;
    pare_status status;
    pare_error *err;
};

/* Appends to a message.  The first failure stays in the sentence, so callers look at it once, at
 * the end. */
static void say_bytes(struct sentence *s, const char *bytes, size_t n)
{
    if (s->status == PARE_OK) s->status = pare_buffer_add(&s->text, bytes, n, s->err);
}

/* The same for a text that ends in a NUL. */
static void say(struct sentence *s, const char *text)
{
    say_bytes(s, text, strlen(text));
}

/* Quotes up to MAX_POINTS code points: white space escaped, U+FFFD for malformed bytes.  Cut
 * at a character's end. */
static void quote(struct sentence *s, const char *bytes, size_t n)
{
    size_t i = 0;
    say(s, "'");
    for (size_t n_points = 0; i < n && n_points < MAX_POINTS; n_points++) {
        uint32_t point;
        size_t length = pare_code_point_decode(bytes + i, n - i, &point);
        switch (point) {
        case '\n': say(s, "\\n"); break;
        case '\r': say(s, "\\r"); break;
        case '\t': say(s, "\\t"); break;
        case PARE_CODE_POINT_REPLACEMENT: say(s, "\xEF\xBF\xBD"); break;
        default: say_bytes(s, bytes + i, length); break;
        }
        i += length;
    }
    say(s, i < n ? "...'" : "'");
}

/* Makes the sentence that of an error at byte `at`. */
static pare_status end_sentence(struct sentence *s, const char *text, uint32_t at,
                                pare_parse_error *error)
{
    if (s->status != PARE_OK) {
        pare_buffer_done(&s->text);
        return s->status;
    }
    *error = (pare_parse_error){.any = true, .begin = at, .message = s->text.data};
    pare_lexer_place(text, at, &error->line, &error->column);
    return PARE_OK;
}

/* The error that no token matches bytes from .. to-1. */
static pare_status syntax_error_lexical(const char *text, uint32_t from, uint32_t to,
                                        pare_parse_error *error, pare_error *err)
{
    struct sentence s = {.err = err};
    say(&s, "no token matches ");
    quote(&s, text + from, to - from);
    return end_sentence(&s, text, from, error);
}

/* Says a token type: its literal if it has one, else its name.  Literals are quoted as they
 * are written in the input, not as in the grammar. */
static void say_type(struct sentence *s, const pare_token_type *type)
{
    if (type->literal)
        quote(s, type->literal, strlen(type->literal));
    else
        say(s, type->name ? type->name : "?");
}

/* Says a code point: quoted when it shows, by its number otherwise. */
static void say_point(struct sentence *s, uint32_t point)
{
    char bytes[16];
    if (point > ' ' && point != 0x7F && point < 0xD800) {
        utf8proc_ssize_t n =
            utf8proc_encode_char((utf8proc_int32_t)point, (utf8proc_uint8_t *)bytes);
        quote(s, bytes, (size_t)n);
    } else {
        snprintf(bytes, sizeof bytes, "U+%04X", (unsigned)point);
        say(s, bytes);
    }
}

/* Says letters first .. last of a scannerless grammar, which are classes of code points in a
 * row; letter 1 is class 0.  Ranges may be wide (all letters): the two ends are enough. */
static void say_classes(struct sentence *s, const pare_code_point_classes *classes, uint32_t first,
                        uint32_t last)
{
    uint32_t from = classes->starts[first - 1];
    uint32_t to = last < classes->n ? classes->starts[last] - 1 : LAST_POINT;
    say_point(s, from);
    if (to == from) return;
    say(s, " to ");
    say_point(s, to);
}

/* Whether the letter is in the set.  Letters are those of the alphabet; what is beyond is in
 * no set. */
static bool is_expected(const pare_productions *p, const uint64_t *expected, uint32_t letter)
{
    return letter < p->n_letters && pare_letter_in(p, expected, 0, letter);
}

/* The last letter of the entry of the list that `letter` begins: classes in a row are one
 * entry, a token type is one by itself. */
static uint32_t end_of_entry(const pare_productions *p, const uint64_t *expected, uint32_t letter)
{
    if (letter == PARE_TOKEN_END || !p->grammar->scannerless) return letter;
    while (is_expected(p, expected, letter + 1))
        letter++;
    return letter;
}

/* Says one entry of the list. */
static void say_entry(struct sentence *s, const pare_productions *p, uint32_t first, uint32_t last)
{
    if (first == PARE_TOKEN_END)
        say(s, "the end of the input");
    else if (p->grammar->scannerless)
        say_classes(s, &p->classes, first, last);
    else
        say_type(s, &p->grammar->tokens[first]);
}

/* Says the list: "A", "A or B", "A, B or C", "A, ..., H or 3 others".  A single one
 * beyond the limit is named, too: to count it would be no shorter. */
static void say_expected(struct sentence *s, const pare_productions *p, const uint64_t *expected)
{
    size_t n = 0, n_said = 0;
    /* Counted first, so that the last entry is known when it is said. */
    for (uint32_t i = 0; i < p->n_letters; i++) {
        if (!is_expected(p, expected, i)) continue;
        i = end_of_entry(p, expected, i);
        n++;
    }
    size_t n_named = n > MAX_EXPECTED + 1 ? MAX_EXPECTED : n;
    for (uint32_t i = 0; i < p->n_letters && n_said < n_named; i++) {
        if (!is_expected(p, expected, i)) continue;
        uint32_t last = end_of_entry(p, expected, i);
        if (n_said > 0) say(s, n_said + 1 < n ? ", " : " or ");
        say_entry(s, p, i, last);
        n_said++;
        i = last;
    }
    if (n_named < n) {
        char others[40];
        snprintf(others, sizeof others, " or %zu others", n - n_named);
        say(s, others);
    }
    if (n == 0) say(s, "nothing");
}

/* Fills *error, whose message the caller owns, for letter `at`, the first that could not be
 * taken: "found X, expected Y or Z".  The chart was mended, so it says what was expected.
 * `at` may be past the last letter: then the end of the input is what was found.
 * Errors: PARE_E_NOMEM; *error is untouched then. */
static pare_status syntax_error_say(const pare_chart *chart, uint32_t at,
                                    const pare_letters *letters, const char *text,
                                    pare_parse_error *error, pare_error *err)
{
    assert(chart->expected);
    struct sentence s = {.err = err};
    bool end = at >= letters->n;
    say(&s, "found ");
    if (end)
        say(&s, "the end of the input");
    else
        quote(&s, text + letters->begin[at], letters->end[at] - letters->begin[at]);
    say(&s, ", expected ");
    say_expected(&s, chart->p, chart->expected);
    return end_sentence(&s, text, end ? letters->size_bytes : letters->begin[at], error);
}

/* A tree for a text of `size` bytes of which nothing can be kept: the start rule over an
 * opaque leaf, so that a reduction has a tree to begin with whatever the input is.
 * Errors: PARE_E_NOMEM. */
static pare_status syntax_error_tree(const pare_productions *p, uint32_t size,
                                     pare_parse_tree *tree, pare_error *err)
{
    pare_parse_node *nodes = pare_alloc(2, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    nodes[0] = (pare_parse_node){.kind = PARE_NODE_RULE,
                                 .symbol = p->nonterminals[p->start].symbol,
                                 .end = size,
                                 .after = 2,
                                 .parent = PARE_NO_NODE};
    nodes[1] = (pare_parse_node){
        .kind = PARE_NODE_OPAQUE, .symbol = PARE_NO_NODE, .end = size, .after = 2};
    tree->nodes = nodes;
    tree->n_nodes = 2;
    return PARE_OK;
}

/* --- the parser ---------------------------------------------------------------- */
enum { CHECKED_NODES = 1024 }; /* trees up to this size are checked, in debug builds */

struct pare_parser {
    const pare_grammar *grammar;
    pare_productions productions;
    pare_lexer *lexer; /* NULL: scannerless */
    pare_earley *whole;
    pare_earley *prefix; /* NULL until a text leaves the grammar */
};

/* The stages of one text on its way to a tree. The four arrays hold each letter's kind, its symbol
 * in the tree, and its begin and end in bytes. */
struct work {
    pare_tokens tokens;
    uint32_t *letter, *symbol, *begin, *end; /* by letter */
    uint32_t n, n_rest;                      /* rest: letters after the tree */
    pare_chart chart;
    bool failed; /* the letters leave the grammar; `error` says where first */
    pare_parse_error error;
};

/* Names for the tree, which borrows the grammar. */
static const char *rule_name(const void *language, uint32_t symbol)
{
    const pare_grammar *grammar = language;
    return symbol < grammar->n_rules ? grammar->rules[symbol].name : "?";
}

/* A token's name, or its text if it has none.  Scannerless grammars have no tokens. */
static const char *token_name(const void *language, uint32_t symbol)
{
    const pare_grammar *grammar = language;
    if (symbol == PARE_TOKEN_END) return "<EOF>";
    if (grammar->scannerless || symbol >= grammar->n_tokens) return "?";
    const pare_token_type *type = &grammar->tokens[symbol];
    return type->name ? type->name : type->literal ? type->literal : "?";
}

/* The recogniser for prefixes is made only when a text has an error; most have none. */
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

/* NULL is a no-op.  The grammar is the caller's. */
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

/* The recogniser of prefixes runs only after that of the whole has. */
void pare_parser_bound(pare_parser *parser, size_t most)
{
    pare_earley_bound(parser->whole, most);
}

/* Makes the arrays of `n` letters, and one: texts may be empty.  Errors: PARE_E_LIMIT,
 * PARE_E_NOMEM. */
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

/* Appends a letter; there is room for it. */
static void add(struct work *work, uint32_t letter, uint32_t symbol, size_t begin, size_t end)
{
    assert(work->letter && work->symbol && work->begin && work->end);
    work->letter[work->n] = letter;
    work->symbol[work->n] = symbol;
    work->begin[work->n] = (uint32_t)begin;
    work->end[work->n++] = (uint32_t)end;
}

/* Makes each character a letter, where there is no lexer: its class plus 1, since 0 is the end
 * of the file. */
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

/* Makes each token of the default channel a letter.  All tokens are kept for what is said of
 * errors and for what did not lex. */
static pare_status split_tokens(pare_parser *parser, const char *text, size_t size,
                                struct work *work, pare_error *err)
{
    pare_status status = pare_lexer_run(parser->lexer, 0, text, size, &work->tokens, err);
    size_t n = 0;
    for (size_t i = 0; i < work->tokens.n; i++)
        n += work->tokens.tokens[i].channel == 0;
    if (status == PARE_OK) status = reserve(work, n, err);
    for (size_t i = 0; i < work->tokens.n && status == PARE_OK; i++) {
        pare_token token = work->tokens.tokens[i];
        /* Text that is no token is on a channel of its own. */
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

/* Tries whether the start rule can end where the chart failed; if so, that run's chart takes
 * the place of the first one's.  A start rule that asks for the end of the file cannot, and
 * the sets of letters show it without a run. */
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
    /* It has to end just where no letter fits any more; a text that could go on has an error,
     * and is mended. */
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

/* Makes an array of the letters by the sets that they lead to, holes among them: what the
 * choice of the tree walks along. */
static pare_status lay_out(const struct work *work, uint32_t size, struct work *laid,
                           pare_error *err)
{
    const pare_chart *chart = &work->chart;
    size_t hole = 0;
    uint32_t at = 0;
    pare_status status = reserve(laid, chart->n_sets, err);
    for (uint32_t set = 1; set < chart->n_sets && status == PARE_OK; set++) {
        /* A hole covers the bytes of the letters left out, or none, after the letter before
         * it. */
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

/* The arrays of letters. */
static void forget_letters(struct work *work)
{
    pare_alloc_free(work->letter);
    pare_alloc_free(work->symbol);
    pare_alloc_free(work->begin);
    pare_alloc_free(work->end);
}

/* Makes the tree from the chart.  A chart without a finish, which is that of a text of which
 * nothing can be kept, gives an opaque leaf. */
static pare_status build(const pare_parser *parser, struct work *work, uint32_t size,
                         pare_parse_tree *tree, pare_error *err)
{
    struct work laid = {0};
    const struct work *source = work;
    pare_status status = PARE_OK;
    size_t n;
    const pare_finish *ends = finishes(work, &n);
    if (n == 0) return syntax_error_tree(&parser->productions, size, tree, err);
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
    return syntax_error_say(&work->chart, failed_at, &letters, text, &work->error, err);
}

/* Goes the whole way; see the top of the file. */
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
        status = pare_bracket_parse_opaque(tree, text, &work->tokens, err);
    assert(status || tree->n_nodes > CHECKED_NODES || pare_parse_tree_check(tree));
    return status;
}

/* Moves the first error to the tree: of the lexer, or where the letters leave the grammar,
 * whichever comes first in the text. */
static pare_status note_errors(const char *text, struct work *work, pare_parse_tree *tree,
                               pare_error *err)
{
    const pare_token *bad = NULL;
    for (size_t i = 0; i < work->tokens.n && !bad; i++) {
        if (work->tokens.tokens[i].type == PARE_TOKEN_ERROR) bad = &work->tokens.tokens[i];
    }
    tree->n_errors = work->tokens.n_errors + work->chart.n_mended;
    if (bad && (!work->failed || bad->begin <= work->error.begin))
        return syntax_error_lexical(text, bad->begin, bad->end, &tree->error, err);
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

/* A pare_text_reader's read.  A rest that the start rule has left is not in the language. */
static pare_status read_text(void *self, const char *text, size_t size, pare_parse_tree *tree,
                             bool *in_language, pare_error *err)
{
    pare_parse_cost cost = {0};
    pare_status status = pare_parser_run(self, text, size, tree, &cost, err);
    *in_language = !status && !tree->error.any && !cost.n_rest;
    return status;
}

/* The same parser behind the interface that readers by tree-sitter have, too. */
pare_text_reader pare_parser_reader(pare_parser *parser)
{
    return (pare_text_reader){.self = parser, .read = read_text};
}

/* As read_text, but a text that costs too much is none. */
static pare_status read_quickly(void *self, const char *text, size_t size, pare_parse_tree *tree,
                                bool *in_language, pare_error *err)
{
    pare_status status = read_text(self, text, size, tree, in_language, err);
    if (status != PARE_E_LIMIT) return status;
    pare_fail_clear(err);
    *tree = (pare_parse_tree){0};
    return PARE_OK;
}

pare_text_reader pare_parser_quick_reader(pare_parser *parser)
{
    pare_parser_bound(parser, QUICK_CHART);
    return (pare_text_reader){.self = parser, .read = read_quickly};
}
