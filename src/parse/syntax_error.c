/* Messages in the words of ANTLR 4's default error strategy, and the tree of a text that
 * does not parse. */
#include "parse/syntax_error.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "grammar/grammar.h"
#include "parse/parse_tree.h"
#include "parse/productions.h"
#include "parse/tree_writer.h"
#include "parse/utf8.h"

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

/* Adds code points as ANTLR prints them: white space escaped, U+FFFD for what is no
 * UTF-8. */
static void say(struct sentence *s, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t point;
        size_t length = pare_utf8_decode(bytes + i, n - i, &point);
        switch (point) {
        case '\n': say_bytes(s, "\\n", 2); break;
        case '\r': say_bytes(s, "\\r", 2); break;
        case '\t': say_bytes(s, "\\t", 2); break;
        case PARE_UTF8_REPLACEMENT: say_bytes(s, "\xEF\xBF\xBD", 3); break;
        default: say_bytes(s, bytes + i, length); break;
        }
        i += length;
    }
}

static void say_text(struct sentence *s, const char *text)
{
    say(s, text, strlen(text));
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
    say_text(&s, "token recognition error at: '");
    say(&s, text + from, to - from);
    say_text(&s, "'");
    return end_sentence(&s, text, from, error);
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

/* Several types in braces, as many as there are. */
static void say_expected(struct sentence *s, const pare_productions *p, const uint64_t *expected)
{
    size_t n = 0, n_said = 0;
    for (uint32_t type = 0; type < p->n_letters; type++)
        n += pare_letter_in(p, expected, 0, type);
    if (n != 1) say_text(s, "{");
    for (uint32_t type = 0; type < p->n_letters; type++) {
        if (!pare_letter_in(p, expected, 0, type)) continue;
        if (n_said++ > 0) say_text(s, ", ");
        say_type(s, p->grammar, type);
    }
    if (n != 1) say_text(s, "}");
}

static void say_fault(struct sentence *s, const pare_productions *p, const pare_fault *fault,
                      const pare_letters *letters, const char *text, uint32_t at)
{
    bool missing = fault->kind == PARE_FAULT_MISSING;
    say_text(s, missing                                ? "missing "
                : fault->kind == PARE_FAULT_EXTRANEOUS ? "extraneous input "
                                                       : "mismatched input ");
    if (missing)
        say_expected(s, p, fault->expected);
    else
        say_letter(s, letters, text, at);
    say_text(s, missing ? " at " : " expecting ");
    if (missing)
        say_letter(s, letters, text, at);
    else
        say_expected(s, p, fault->expected);
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

pare_status pare_syntax_error_say(const pare_productions *p, pare_descent *descent, uint32_t at,
                                  const uint32_t *letter, const pare_letters *letters,
                                  const pare_tokens *tokens, const char *text,
                                  pare_parse_error *error, pare_error *err)
{
    struct sentence s = {.err = err};
    pare_fault fault = {.kind = PARE_FAULT_NOT_FOUND};
    pare_status status = pare_descent_find_fault(descent, letter, letters->n, &fault, err);
    if (status != PARE_OK) return status;
    bool found = fault.kind != PARE_FAULT_NOT_FOUND && fault.at == at;
    if (found && fault.kind != PARE_FAULT_NO_VIABLE && !p->grammar->scannerless) {
        say_fault(&s, p, &fault, letters, text, at);
    } else {
        say_text(&s, "no viable alternative at input '");
        say_decision(&s, letters, tokens, text, found ? fault.from : at, at);
        say_text(&s, "'");
    }
    pare_fault_done(&fault);
    return end_sentence(&s, text, at < letters->n ? letters->begin[at] : letters->size_bytes,
                        error);
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
