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

void pare_syntax_error_say(const pare_chart *chart, const pare_letters *letters, const char *text,
                           pare_parse_error *error)
{
    struct sentence s = {error->message, 0, sizeof error->message};
    uint32_t i = chart->failed_at;
    begin(error, text, i < letters->n ? letters->begin[i] : letters->size_bytes);
    say_text(&s, "no viable alternative at input '");
    if (i < letters->n)
        say(&s, text + letters->begin[i], letters->end[i] - letters->begin[i]);
    else
        say_text(&s, "<EOF>");
    say_text(&s, "'");
}

pare_status pare_syntax_error_tree(const pare_productions *p, uint32_t size, pare_parse_tree *tree,
                                   pare_error *err)
{
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
