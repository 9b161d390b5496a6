/* What a syntax error says: what was found, and what the chart expected there.
 *
 * The set of expected letters is exact: it is computed from the items that were open when
 * the parse failed (earley_mend.c), not from FOLLOW sets, so it never names a token that the
 * text so far rules out.  Line and column are those that ANTLR reports; the words are ours,
 * since ANTLR's depend on the order in which its generated parsers decide.  Long lists and
 * long tokens are cut: a message is one line to read.  Where an error is shown,
 * white space and malformed bytes are escaped, because they would not be seen. */
#include "parse/syntax_error.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <utf8proc.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "grammar/grammar.h"
#include "parse/chart.h"
#include "parse/code_point.h"
#include "parse/lexer.h"
#include "parse/parse_tree.h"
#include "parse/productions.h"
#include "parse/tree_writer.h"

enum {
    MAX_POINTS = 60,  /* of a quoted piece of the text */
    MAX_EXPECTED = 8, /* named letters */
    LAST_POINT = 0x10FFFF
};

/* A sentence under way. */
struct sentence {
    pare_buffer text;
    pare_status status;
    pare_error *err;
};

static void say_bytes(struct sentence *s, const char *bytes, size_t n)
{
    if (s->status == PARE_OK) s->status = pare_buffer_add(&s->text, bytes, n, s->err);
}

static void say(struct sentence *s, const char *text)
{
    say_bytes(s, text, strlen(text));
}

/* Quotes up to MAX_POINTS code points: white space escaped, U+FFFD for malformed bytes. */
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

/* The sentence becomes that of an error at byte `at`. */
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

pare_status pare_syntax_error_lexical(const char *text, uint32_t from, uint32_t to,
                                      pare_parse_error *error, pare_error *err)
{
    struct sentence s = {.err = err};
    say(&s, "no token matches ");
    quote(&s, text + from, to - from);
    return end_sentence(&s, text, from, error);
}

/* A token type: by its literal if it has one. */
static void say_type(struct sentence *s, const pare_token_type *type)
{
    if (type->literal)
        quote(s, type->literal, strlen(type->literal));
    else
        say(s, type->name ? type->name : "?");
}

/* A code point: quoted when it shows, by its number otherwise. */
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

/* Letters first .. last of a scannerless grammar, which are classes of code points in a
 * row. */
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

static bool is_expected(const pare_productions *p, const uint64_t *expected, uint32_t letter)
{
    return letter < p->n_letters && pare_letter_in(p, expected, 0, letter);
}

/* The last letter of the entry that `letter` begins: a run of classes is one entry. */
static uint32_t end_of_entry(const pare_productions *p, const uint64_t *expected, uint32_t letter)
{
    if (letter == PARE_TOKEN_END || !p->grammar->scannerless) return letter;
    while (is_expected(p, expected, letter + 1))
        letter++;
    return letter;
}

static void say_entry(struct sentence *s, const pare_productions *p, uint32_t first, uint32_t last)
{
    if (first == PARE_TOKEN_END)
        say(s, "the end of the input");
    else if (p->grammar->scannerless)
        say_classes(s, &p->classes, first, last);
    else
        say_type(s, &p->grammar->tokens[first]);
}

/* "A", "A or B", "A, B or C", "A, ..., H or 3 others". */
static void say_expected(struct sentence *s, const pare_productions *p, const uint64_t *expected)
{
    size_t n = 0, n_said = 0;
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

/* `at` may be past the last letter: then the end of the input is what was found. */
pare_status pare_syntax_error_say(const pare_chart *chart, uint32_t at, const pare_letters *letters,
                                  const char *text, pare_parse_error *error, pare_error *err)
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

/* So that a reduction has a tree to begin with whatever the input is. */
pare_status pare_syntax_error_tree(const pare_productions *p, uint32_t size, pare_parse_tree *tree,
                                   pare_error *err)
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
