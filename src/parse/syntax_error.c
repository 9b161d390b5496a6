/* Messages in the words of ANTLR 4's default error strategy, and the tree of a text that
 * does not parse. */
#include "parse/syntax_error.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "parse/utf8.h"

/* A sentence of limited length. */
struct sentence {
    char *text;
    size_t size, capacity;
};

/* Adds code points as ANTLR prints them: white space escaped, U+FFFD for what is no
 * UTF-8. */
static void say(struct sentence *s, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n && s->size + 5 < s->capacity;) {
        uint32_t point;
        size_t length = pare_utf8_decode(bytes + i, n - i, &point);
        const char *shown = bytes + i;
        size_t shown_length = length;
        i += length;
        switch (point) {
        case '\n':
            shown = "\\n";
            shown_length = 2;
            break;
        case '\r':
            shown = "\\r";
            shown_length = 2;
            break;
        case '\t':
            shown = "\\t";
            shown_length = 2;
            break;
        case PARE_UTF8_REPLACEMENT:
            shown = "\xEF\xBF\xBD";
            shown_length = 3;
            break;
        default: break;
        }
        memcpy(s->text + s->size, shown, shown_length);
        s->size += shown_length;
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

/* The tokens of bytes from .. to-1, as ANTLR prints them: hidden ones, too, but nothing
 * that was skipped or does not lex. */
static void say_tokens(struct sentence *s, const pare_tokens *tokens, const char *text,
                       uint32_t from, uint32_t to)
{
    size_t low = 0, high = tokens->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tokens->tokens[middle].begin < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < tokens->n && tokens->tokens[i].begin < to; i++) {
        const pare_token *token = &tokens->tokens[i];
        if (token->type != PARE_TOKEN_ERROR) say(s, text + token->begin, token->end - token->begin);
    }
}

static void say_letter(struct sentence *s, const pare_letters *letters, const char *text,
                       uint32_t at)
{
    say_text(s, "'");
    if (at < letters->n)
        say(s, text + letters->begin[at], letters->end[at] - letters->begin[at]);
    else
        say_text(s, "<EOF>");
    say_text(s, "'");
}

/* A token type as ANTLR shows it: by its literal if it has one. */
static void say_type(struct sentence *s, const pare_grammar *grammar, uint32_t type)
{
    const pare_token_type *t = &grammar->tokens[type];
    if (type == PARE_TOKEN_END) {
        say_text(s, "<EOF>");
    } else if (t->literal) {
        say_text(s, "'");
        say_text(s, t->literal);
        say_text(s, "'");
    } else {
        say_text(s, t->name ? t->name : "?");
    }
}

static void say_repair(struct sentence *s, const pare_chart *chart, const pare_letters *letters,
                       const char *text, uint32_t at)
{
    const pare_grammar *grammar = chart->p->grammar;
    bool insert = chart->repair == PARE_REPAIR_INSERT;
    say_text(s, insert                                ? "missing "
                : chart->repair == PARE_REPAIR_DELETE ? "extraneous input "
                                                      : "mismatched input ");
    if (insert)
        say_type(s, grammar, chart->expected);
    else
        say_letter(s, letters, text, at);
    say_text(s, insert ? " at " : " expecting ");
    if (insert)
        say_letter(s, letters, text, at);
    else
        say_type(s, grammar, chart->expected);
}

/* What is from the beginning of the decision on. */
static void say_decision(struct sentence *s, const pare_letters *letters, const pare_tokens *tokens,
                         const char *text, uint32_t from, uint32_t at)
{
    uint32_t end = at < letters->n ? letters->end[at] : letters->size_bytes;
    if (from >= letters->n)
        say_text(s, "<EOF>");
    else if (tokens->n == 0)
        say(s, text + letters->begin[from], end - letters->begin[from]);
    else
        say_tokens(s, tokens, text, letters->begin[from], end);
}

void pare_syntax_error_say(uint32_t at, const pare_chart *chart, const pare_letters *letters,
                           const pare_tokens *tokens, const char *text, pare_parse_error *error)
{
    struct sentence s = {error->message, 0, sizeof error->message};
    begin(error, text, at < letters->n ? letters->begin[at] : letters->size_bytes);
    if (chart->repair != PARE_REPAIR_NONE && !chart->p->grammar->scannerless) {
        say_repair(&s, chart, letters, text, at);
        return;
    }
    say_text(&s, "no viable alternative at input '");
    say_decision(&s, letters, tokens, text, chart->undecided, at);
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
