/* The lexer: a loop around the automaton (dfa.h) that takes the longest match, runs its commands,
 * and goes on after errors.
 *
 * What matched last is remembered while the automaton goes on, so a token costs as many steps as
 * the lexer looks ahead; the end of the text is a step, too, for rules that name it.  Where no
 * rule matches, what was looked at is one error token, as in ANTLR; a match of nothing that is not
 * at the end would go on for ever, and is an error of one character.
 * Source: see lexer.h.
 *
 * Invariant: tokens ascend, do not overlap, and every byte is in one of them, in an error, or
 * skipped.  O(bytes) besides the look-ahead; pathological rules (`a* b`) look ahead to the end
 * for each token, as in ANTLR. */
#include "parse/lexer.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "parse/code_point.h"
#include "parse/dfa.h"

struct pare_lexer {
    const pare_grammar *grammar;
    pare_dfa *dfa;
    pare_index mode;
    pare_index *modes; /* stack of the modes to come back to */
    size_t n_modes, modes_capacity;
};

/* One match: which rule won, where it ends, and how far the lexer looked. `seen` bounds an error:
 * ANTLR reports everything that was looked at. */
struct match {
    pare_dfa_accept accept;
    size_t end, seen; /* bytes; seen: after the code point that did not fit */
};

/* What the commands of the winning rule demand. */
struct verdict {
    pare_index type;
    uint32_t channel;
    bool skip, more;
};

void pare_lexer_tokens_done(pare_tokens *tokens)
{
    pare_alloc_free(tokens->tokens);
    memset(tokens, 0, sizeof *tokens);
}

/* The automaton is made while it runs, so this costs only the construction of dfa.c. */
pare_status pare_lexer_new(const pare_grammar *grammar, pare_lexer **out, pare_error *err)
{
    pare_lexer *lexer = pare_alloc_zero(1, sizeof *lexer);
    if (!lexer) return pare_fail_nomem(err);
    lexer->grammar = grammar;
    pare_status status = pare_dfa_new(grammar, &lexer->dfa, err);
    if (status == PARE_OK)
        *out = lexer;
    else
        pare_lexer_free(lexer);
    return status;
}

void pare_lexer_free(pare_lexer *lexer)
{
    if (!lexer) return;
    pare_dfa_free(lexer->dfa);
    pare_alloc_free(lexer->modes);
    pare_alloc_free(lexer);
}

/* Finds the longest match at byte `at`; match->accept.rule is PARE_NO_INDEX without one.
 * Cost: a table look-up for each character that was seen before in that state; dfa.c makes the
 * others. */
static pare_status find_match(pare_lexer *lexer, const char *text, size_t size, size_t at,
                              struct match *match, pare_error *err)
{
    uint32_t state;
    pare_status status = pare_dfa_start(lexer->dfa, lexer->mode, &state, err);
    /* The end of the text is a step, too, by a code point that no text has; a match by it
     * takes no bytes. */
    *match = (struct match){.accept = {PARE_NO_INDEX, PARE_NO_INDEX}, .end = at, .seen = at};
    while (status == PARE_OK) {
        uint32_t point = UINT32_MAX;
        size_t length = at < size ? pare_code_point_decode(text + at, size - at, &point) : 0;
        status = pare_dfa_step(lexer->dfa, state, point, &state, err);
        match->seen = at + length;
        /* `seen` counts the code point that did not fit, `at` does not. */
        if (status != PARE_OK || state == PARE_DFA_DEAD) break;
        at += length;
        pare_dfa_accept accept = pare_dfa_accepts(lexer->dfa, state);
        if (accept.rule != PARE_NO_INDEX) {
            match->accept = accept;
            match->end = at;
        }
        /* The end of the text was the last step. */
        if (length == 0) break;
    }
    return status;
}

/* Notes the mode to come back to.  The stack lives as long as the lexer, and is emptied by
 * each run. */
static pare_status push_mode(pare_lexer *lexer, pare_error *err)
{
    pare_index *grown = pare_vector_reserve(lexer->modes, &lexer->modes_capacity,
                                            lexer->n_modes + 1, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    lexer->modes = grown;
    lexer->modes[lexer->n_modes++] = lexer->mode;
    return PARE_OK;
}

/* Carries out one command.  `type` gives a token where `skip` or `more` before it would not.
 * Commands are obeyed in the order in which they are written. */
static pare_status obey(pare_lexer *lexer, const pare_lexer_command *command, struct verdict *v,
                        pare_error *err)
{
    pare_status status = PARE_OK;
    switch (command->kind) {
    case PARE_LEXER_SKIP:
    case PARE_LEXER_MORE:
        /* Of several commands the last one counts. */
        v->skip = command->kind == PARE_LEXER_SKIP;
        v->more = !v->skip;
        break;
    case PARE_LEXER_CHANNEL: v->channel = command->value; break;
    case PARE_LEXER_TYPE:
        v->type = command->value;
        v->skip = v->more = false;
        break;
    case PARE_LEXER_PUSH_MODE: status = push_mode(lexer, err); /* fallthrough */
    case PARE_LEXER_MODE: lexer->mode = command->value; break;
    case PARE_LEXER_POP_MODE: /* without a mode to come back to, it does nothing */
        if (lexer->n_modes > 0) lexer->mode = lexer->modes[--lexer->n_modes];
        break;
    }
    return status;
}

/* Runs the commands of what matched: those of the whole rule, and of the alternative that did. */
static pare_status conclude(pare_lexer *lexer, pare_dfa_accept accept, struct verdict *v,
                            pare_error *err)
{
    const pare_rule *rule = &lexer->grammar->rules[accept.rule];
    pare_status status = PARE_OK;
    v->type = rule->token;
    /* The channel is kept: of a token in pieces (`more`), any of them may have set it, as in
     * ANTLR. */
    v->skip = v->more = false;
    for (uint32_t i = 0; i < rule->n_commands && status == PARE_OK; i++) {
        const pare_lexer_command *command = &lexer->grammar->commands[rule->first_command + i];
        if (command->alternative == PARE_NO_INDEX || command->alternative == accept.alternative)
            status = obey(lexer, command, v, err);
    }
    return status;
}

/* Appends a token; tokens ascend and do not overlap. */
static pare_status add(pare_tokens *tokens, pare_token token, pare_error *err)
{
    pare_token *grown =
        pare_vector_reserve(tokens->tokens, &tokens->capacity, tokens->n + 1, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    assert(token.begin <= token.end);
    assert(tokens->n == 0 || grown[tokens->n - 1].end <= token.begin);
    tokens->tokens = grown;
    tokens->tokens[tokens->n++] = token;
    if (token.type == PARE_TOKEN_ERROR) tokens->n_errors++;
    return PARE_OK;
}

/* Reads one token, one skipped stretch or one error from byte *at on, and moves *at after it.
 * `more` lets the next match be part of the same token.  An error costs at least one
 * character, so the loop over the text ends. */
static pare_status next(pare_lexer *lexer, const char *text, size_t size, size_t *at,
                        pare_tokens *tokens, pare_error *err)
{
    size_t begin = *at;
    struct verdict verdict = {0};
    /* A round for each piece of the token. */
    do {
        struct match match;
        pare_status status = find_match(lexer, text, size, *at, &match, err);
        if (status != PARE_OK) return status;
        if (match.accept.rule == PARE_NO_INDEX || (match.end == *at && *at < size)) {
            /* The error is what was looked at; if that is nothing, because the text ends, it is the
             * rest. */
            *at = match.seen > *at ? match.seen : size;
            pare_token error = {PARE_TOKEN_ERROR, PARE_CHANNEL_ERROR, (uint32_t)begin,
                                (uint32_t)*at};
            return *at > begin ? add(tokens, error, err) : PARE_OK;
        }
        *at = match.end;
        status = conclude(lexer, match.accept, &verdict, err);
        if (status != PARE_OK) return status;
    } while (verdict.more && *at < size);
    /* With `more` at the end of the text, the token never came. */
    if (verdict.skip || verdict.more) return PARE_OK;
    pare_token token = {verdict.type, verdict.channel, (uint32_t)begin, (uint32_t)*at};
    if (verdict.type == PARE_NO_INDEX) { /* nobody gave it a type: ANTLR's invalid type */
        token.type = PARE_TOKEN_ERROR;
        token.channel = PARE_CHANNEL_ERROR;
    }
    return add(tokens, token, err);
}

/* The limit of 4 GiB is that of a token's 32-bit places. */
pare_status pare_lexer_run(pare_lexer *lexer, pare_index mode, const char *text, size_t size,
                           pare_tokens *tokens, pare_error *err)
{
    if (size >= UINT32_MAX - 1)
        return pare_fail(err, PARE_E_LIMIT, "the input is larger than 4 GiB");
    lexer->mode = mode;
    lexer->n_modes = 0;
    pare_status status = PARE_OK;
    for (size_t at = 0, look = 0; at < size && status == PARE_OK;)
        status = pare_interrupt_asked_past(at, &look) ? pare_interrupt_look(err)
                                                      : next(lexer, text, size, &at, tokens, err);
    if (status != PARE_OK) pare_lexer_tokens_done(tokens);
    return status;
}

/* The place of byte `at`.  It is counted from the beginning of the text, which is done once
 * for each message. */
void pare_lexer_place(const char *text, size_t at, uint32_t *line, uint32_t *column)
{
    *line = 1;
    *column = 0;
    for (size_t i = 0; i < at;) {
        uint32_t point;
        i += pare_code_point_decode(text + i, at - i, &point);
        ++*column;
        if (point == '\n') {
            ++*line;
            *column = 0;
        }
    }
}
