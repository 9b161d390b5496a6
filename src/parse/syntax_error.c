/* Messages in the words of ANTLR 4's default error strategy, and the tree of a text that
 * does not parse. */
#include "parse/syntax_error.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "parse/lexer.h"

/* A sentence of limited length. */
struct sentence {
    char *text;
    size_t size, capacity;
};

static void say(struct sentence *s, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n && s->size + 3 < s->capacity; i++) {
        char byte = bytes[i];
        bool escaped = byte == '\n' || byte == '\r' || byte == '\t';
        if (escaped) s->text[s->size++] = '\\';
        s->text[s->size++] = byte == '\n' ? 'n' : byte == '\r' ? 'r' : byte == '\t' ? 't' : byte;
    }
    s->text[s->size] = '\0';
}

static void say_text(struct sentence *s, const char *text)
{
    say(s, text, strlen(text));
}

static void begin(pare_parse_error *error, const char *text, uint32_t at)
{
    error->any = true;
    error->begin = at;
    pare_lexer_place(text, at, &error->line, &error->column);
}

void pare_syntax_error_lexical(const char *text, uint32_t from, uint32_t to,
                               pare_parse_error *error)
{
    struct sentence s = {error->message, 0, sizeof error->message};
    begin(error, text, from);
    say_text(&s, "token recognition error at: '");
    say(&s, text + from, to - from);
    say_text(&s, "'");
}

/* The letters that the last set could take, as a set of `words`. */
static bool find_expected(const pare_productions *p, const pare_chart *chart, uint64_t *expected)
{
    uint32_t set = (uint32_t)chart->n_sets - 1;
    bool any = false;
    for (uint32_t i = chart->set_first[set]; i < chart->n_items; i++) {
        uint32_t symbol = p->next[chart->items[i].state & PARE_ITEM_STATE];
        if (symbol == PARE_DOT_END || !(symbol & PARE_TERMINAL)) continue;
        for (size_t w = 0; w < p->words; w++)
            expected[w] |= p->terminals[(symbol & ~PARE_TERMINAL) * p->words + w];
        any = true;
    }
    return any;
}

static void say_letter(struct sentence *s, const pare_productions *p, uint32_t letter)
{
    const pare_grammar *grammar = p->grammar;
    if (letter == PARE_TOKEN_END) {
        say_text(s, "<EOF>");
    } else if (!grammar->scannerless) {
        const pare_token_type *type = &grammar->tokens[letter];
        if (type->literal) say_text(s, "'");
        say_text(s, type->literal ? type->literal : type->name ? type->name : "?");
        if (type->literal) say_text(s, "'");
    }
}

static void say_expected(struct sentence *s, const pare_productions *p, const uint64_t *expected)
{
    size_t n = 0;
    for (uint32_t i = 0; i < p->n_letters; i++)
        n += expected[i / 64] >> i % 64 & 1;
    if (n == 0) return;
    say_text(s, n > 1 ? " expecting {" : " expecting ");
    const char *between = "";
    for (uint32_t i = 0; i < p->n_letters; i++) {
        if (!(expected[i / 64] >> i % 64 & 1)) continue;
        say_text(s, between);
        say_letter(s, p, i);
        between = ", ";
    }
    if (n > 1) say_text(s, "}");
}

void pare_syntax_error_say(const pare_productions *p, const pare_chart *chart,
                           const pare_letters *letters, const char *text, pare_parse_error *error)
{
    struct sentence s = {error->message, 0, sizeof error->message};
    uint32_t i = chart->failed_at;
    begin(error, text, i < letters->n ? letters->begin[i] : letters->size_bytes);
    uint64_t *expected = pare_alloc_zero(p->words, sizeof *expected);
    bool any = expected && find_expected(p, chart, expected);
    say_text(&s, any ? "mismatched input '" : "no viable alternative at input '");
    if (i < letters->n)
        say(&s, text + letters->begin[i], letters->end[i] - letters->begin[i]);
    else
        say_text(&s, "<EOF>");
    say_text(&s, "'");
    if (any) say_expected(&s, p, expected);
    pare_release(expected);
}

pare_status pare_syntax_error_tree(const pare_productions *p, const pare_chart *chart,
                                   const pare_letters *letters, pare_parse_tree *tree,
                                   pare_error *err)
{
    (void)chart;
    uint32_t size = letters->size_bytes;
    pare_parse_node *nodes = pare_alloc(2, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    nodes[0] = (pare_parse_node){.kind = PARE_NODE_RULE,
                                 .symbol = p->nonterminals[p->start].symbol,
                                 .end = size,
                                 .behind = 2,
                                 .parent = PARE_NO_NODE};
    nodes[1] = (pare_parse_node){
        .kind = PARE_NODE_OPAQUE, .symbol = PARE_NO_NODE, .end = size, .behind = 2};
    tree->nodes = nodes;
    tree->n_nodes = 2;
    return PARE_OK;
}
