/* Minimal texts that the lexer reads as intended: texts of tokens, checked once, and of
 * expressions, put together token by token.
 *
 * What the lexer makes of the tokens so far must be those tokens, or the next separator is tried;
 * that costs one run of the lexer for each token and separator, quadratic in the tokens, which
 * are few (MAX_TOKENS).  A token whose minimal text is read as something else gets the shortest
 * one by a breadth-first search through the lexer's automaton, over ASCII, MAX_SEARCHED states at
 * most.
 * Invariant: `is_read` of a token only if lexing its text alone in its mode gives that one token.
 * Source: see relex_check.h.
 *
 * Why the lexer is asked and not computed with: whether two tokens may touch depends on all
 * rules, modes and commands of the grammar, which is what the lexer is. */
#include "parse/relex_check.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/analysis.h"
#include "grammar/grammar.h"
#include "parse/dfa.h"
#include "parse/lexer.h"

enum {
    MAX_TOKENS = 256,   /* of a text that is put together; longer ones have spaces */
    MAX_SEARCHED = 200, /* states that the search for a token's text visits in a mode */
    FIRST_LETTER = '!',
    LAST_LETTER = '~',
    N_LETTERS = LAST_LETTER - FIRST_LETTER + 4 /* and space, tab, line end */
};

/* A text of a token type; size 0: it has none of its own. The texts of all types lie in one
 * buffer. */
struct piece {
    size_t offset, size; /* in `bytes` */
    bool is_read;
};

struct pare_relex_check {
    const pare_minimal_texts *minimal;
    const pare_grammar *grammar;
    pare_lexer *lexer; /* owned; NULL: scannerless */
    pare_tokens lexed; /* of the last text */
    pare_buffer bytes;
    struct piece *pieces; /* owned; of each token type */
};

/* Tokens that a text should be read as, from a mode of the lexer on.  The mode is that of the
 * first token; commands on the way are the lexer's. */
struct row {
    const pare_index *tokens;
    size_t n;
    pare_index mode;
};

/* --- what the lexer says ------------------------------------------------------ */

/* The lexer may fail on rules that call themselves without end. Here that is no reason to fail: the
 * text just does not read back. */
static pare_status unless_limit(pare_status status)
{
    return status == PARE_E_LIMIT ? PARE_OK : status;
}

/* Whether the lexer reads `text` as these tokens, on the default channel, with nothing that
 * does not lex.  O(bytes of the text), in a lexer whose automaton is warm. */
static pare_status reads_as(pare_relex_check *texts, struct row row, const pare_buffer *text,
                            bool *yes, pare_error *err)
{
    pare_tokens *lexed = &texts->lexed;
    pare_error limit = {.status = PARE_OK};
    lexed->n = lexed->n_errors = 0;
    size_t k = 0;
    *yes = false;
    pare_status status =
        pare_lexer_run(texts->lexer, row.mode, text->data, text->size, lexed, &limit);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    if (status || lexed->n_errors) return PARE_OK;
    for (size_t i = 0; i < lexed->n; i++) {
        /* Tokens of other channels (white space, comments) are of no interest to the parser. */
        if (lexed->tokens[i].channel != 0) continue;
        /* There is one token too many, or it is another one. */
        if (k == row.n || lexed->tokens[i].type != row.tokens[k++]) return PARE_OK;
    }
    *yes = k == row.n;
    return PARE_OK;
}

/* --- another text for a token -------------------------------------------------- */

/* A path through the lexer's automaton, as a tree of its steps. */
struct step {
    uint32_t state, before;
    char letter;
};

/* A search through the automaton of one mode. */
struct search {
    pare_dfa *dfa;
    struct step *steps; /* owned; breadth first */
    size_t n, capacity;
    bool *seen; /* owned; by state */
    size_t n_seen;
};

/* The letters that texts are searched over, in the order in which they are tried: visible
 * characters first.  The order is that of preference: a shortest text of visible characters is
 * found before one of blanks. */
static char letter_at(unsigned i)
{
    static const char rest[] = " \t\n";
    return i <= LAST_LETTER - FIRST_LETTER ? (char)(FIRST_LETTER + (int)i)
                                           : rest[i - (LAST_LETTER - FIRST_LETTER + 1)];
}

/* Adds a step unless its state has been visited: the first path to a state is a shortest one.
 * States are numbered from 0, so an array of flags is the set. */
static pare_status visit(struct search *search, struct step step, pare_error *err)
{
    if (step.state >= search->n_seen) {
        size_t n = search->n_seen;
        bool *seen =
            pare_vector_reserve(search->seen, &search->n_seen, step.state + 1, sizeof *seen);
        if (!seen) return pare_fail_nomem(err);
        /* The new part of the array is not initialised by growing it. */
        memset(seen + n, 0, search->n_seen - n);
        search->seen = seen;
    }
    if (search->seen[step.state]) return PARE_OK;
    struct step *steps =
        pare_vector_reserve(search->steps, &search->capacity, search->n + 1, sizeof *steps);
    if (!steps) return pare_fail_nomem(err);
    search->steps = steps;
    search->seen[step.state] = true;
    search->steps[search->n++] = step;
    return PARE_OK;
}

/* Appends the letters of the path to step `at`.  At most as long as the search is deep,
 * MAX_SEARCHED steps. */
static pare_status spell(const struct search *search, size_t at, pare_buffer *text, pare_error *err)
{
    size_t start = text->size;
    pare_status status = PARE_OK;
    /* Steps know the one before them, so letters come in reverse; then they are turned around. */
    for (size_t i = at; i && !status; i = search->steps[i].before)
        status = pare_buffer_add(text, &search->steps[i].letter, 1, err);
    for (size_t i = start, k = text->size; !status && i + 1 < k; i++) {
        char swapped = text->data[--k];
        text->data[k] = text->data[i];
        text->data[i] = swapped;
    }
    return status;
}

/* Takes the path as the text of the token that its rule makes, unless that token has one
 * already.  It is lexed once more as a whole, since a longer match may be another token. */
static pare_status offer(pare_relex_check *texts, const struct search *search, size_t at,
                         pare_error *err)
{
    pare_dfa_accept accept = pare_dfa_accepts(search->dfa, search->steps[at].state);
    if (accept.rule == PARE_NO_INDEX) return PARE_OK;
    const pare_rule *rule = &texts->grammar->rules[accept.rule];
    pare_index token = rule->token;
    if (token == PARE_NO_INDEX || texts->pieces[token].is_read) return PARE_OK;
    pare_buffer text = {0};
    bool yes = false;
    pare_status status = spell(search, at, &text, err);
    if (!status && text.size)
        status = reads_as(texts, (struct row){&token, 1, rule->mode}, &text, &yes, err);
    if (!status && yes) {
        texts->pieces[token] = (struct piece){texts->bytes.size, text.size, true};
        status = pare_buffer_add(&texts->bytes, text.data, text.size, err);
    }
    pare_buffer_done(&text);
    return status;
}

/* Visits the states after step `at`, and offers the paths to those that are new.  Every letter
 * of ASCII is tried: the automaton has classes of characters, but their representatives may be
 * invisible ones. */
static pare_status expand(pare_relex_check *texts, struct search *search, size_t at,
                          pare_error *err)
{
    pare_status status = PARE_OK;
    for (unsigned i = 0; i < N_LETTERS && !status; i++) {
        struct step step = {.before = (uint32_t)at, .letter = letter_at(i)};
        /* Only a state that was not met before adds a step. */
        size_t known = search->n;
        status = pare_dfa_step(search->dfa, search->steps[at].state, (uint32_t)step.letter,
                               &step.state, err);
        if (status || step.state == PARE_DFA_DEAD) continue;
        status = visit(search, step, err);
        if (!status && search->n > known) status = offer(texts, search, known, err);
    }
    return status;
}

/* Walks the automaton of a mode, breadth first, and offers each path that ends a token.  A
 * grammar that is too much for the automaton is left with what was found.  With an automaton
 * of its own, since the search fills it with states that texts never reach. */
static pare_status search_mode(pare_relex_check *texts, pare_index mode, pare_error *err)
{
    struct search search = {.dfa = NULL};
    pare_error inner = {.status = PARE_OK};
    uint32_t state = PARE_DFA_DEAD;
    pare_status status = pare_dfa_new(texts->grammar, &search.dfa, &inner);
    if (!status) status = pare_dfa_start(search.dfa, mode, &state, &inner);
    if (!status) status = visit(&search, (struct step){.state = state}, &inner);
    for (size_t at = 0; !status && at < search.n && at < MAX_SEARCHED; at++)
        status = expand(texts, &search, at, &inner);
    pare_dfa_free(search.dfa);
    pare_alloc_free(search.steps);
    pare_alloc_free(search.seen);
    if (status && status != PARE_E_LIMIT && err) *err = inner;
    return unless_limit(status);
}

/* --- tokens --------------------------------------------------------------------- */

/* Keeps the grammar's minimal text of a token, and whether it is read as that token.  A token
 * without a finite text keeps none.  Most tokens are done here: keywords, operators, numbers. */
static pare_status take_minimal(pare_relex_check *texts, pare_index token, pare_error *err)
{
    pare_error limit = {.status = PARE_OK};
    pare_buffer text = {0};
    struct piece *piece = &texts->pieces[token];
    pare_status status = pare_minimal_token(texts->minimal, token, &text, &limit);
    if (status == PARE_E_LIMIT) return PARE_OK;
    if (!status && text.size) {
        *piece = (struct piece){texts->bytes.size, text.size, false};
        status = pare_buffer_add(&texts->bytes, text.data, text.size, err);
        if (!status)
            status =
                reads_as(texts, (struct row){&token, 1, pare_minimal_mode(texts->minimal, token)},
                         &text, &piece->is_read, err);
    } else if (status && err) {
        *err = limit;
    }
    pare_buffer_done(&text);
    return status;
}

/* Marks the token types that parser rules name, or that stand for a set of them in a minimal
 * text.  Tokens that only the lexer knows (comments, white space) need no text. */
static void mark_used(const pare_relex_check *texts, bool *used)
{
    const pare_grammar *grammar = texts->grammar;
    const pare_links *links = &texts->minimal->analysis->links;
    for (size_t i = 0; i < grammar->n_exprs; i++) {
        const pare_expr *expr = &grammar->exprs[i];
        pare_index rule = links->rule[i];
        if (rule == PARE_NO_INDEX || grammar->rules[rule].kind != PARE_RULE_PARSER) continue;
        if (expr->kind == PARE_EXPR_TOKEN) used[expr->token] = true;
        pare_index pick = texts->minimal->exprs[i].pick;
        if (expr->kind == PARE_EXPR_SET && pick != PARE_NO_INDEX) used[pick] = true;
    }
}

/* Searches the modes where a token that a parser rule wants is not read back.  Mostly none:
 * then no automaton is made. */
static pare_status search_modes(pare_relex_check *texts, const bool *used, pare_error *err)
{
    const pare_grammar *grammar = texts->grammar;
    pare_status status = PARE_OK;
    for (pare_index mode = 0; mode < grammar->n_modes && !status; mode++) {
        size_t n_missing = 0;
        for (pare_index token = 1; token < grammar->n_tokens; token++)
            n_missing += used[token] && !texts->pieces[token].is_read &&
                         texts->minimal->token_rules[token] != PARE_NO_INDEX &&
                         pare_minimal_mode(texts->minimal, token) == mode;
        if (n_missing) status = search_mode(texts, mode, err);
    }
    return status;
}

/* Takes the grammar's own texts first; only for tokens that are used and not read back the
 * automaton is searched, mode by mode. */
static pare_status make_tokens(pare_relex_check *texts, pare_error *err)
{
    const pare_grammar *grammar = texts->grammar;
    pare_status status = PARE_OK;
    bool *used = pare_alloc_zero(grammar->n_tokens + 1, sizeof *used);
    if (!used) return pare_fail_nomem(err);
    mark_used(texts, used);
    for (pare_index token = 1; token < grammar->n_tokens && !status; token++)
        status = take_minimal(texts, token, err);
    if (!status) status = search_modes(texts, used, err);
    pare_alloc_free(used);
    return status;
}

pare_status pare_relex_check_new(const pare_minimal_texts *minimal, pare_relex_check **out,
                                 pare_error *err)
{
    const pare_grammar *grammar = minimal->analysis->grammar;
    pare_relex_check *texts = pare_alloc_zero(1, sizeof *texts);
    if (!texts) return pare_fail_nomem(err);
    texts->minimal = minimal;
    texts->grammar = grammar;
    pare_status status = PARE_OK;
    texts->pieces = pare_alloc_zero(grammar->n_tokens + 1, sizeof *texts->pieces);
    if (!texts->pieces) status = pare_fail_nomem(err);
    if (!status && !grammar->scannerless) status = pare_lexer_new(grammar, &texts->lexer, err);
    if (!status && texts->lexer) status = make_tokens(texts, err);
    if (status) {
        pare_relex_check_free(texts);
        return status;
    }
    *out = texts;
    return PARE_OK;
}

void pare_relex_check_free(pare_relex_check *texts)
{
    if (!texts) return;
    pare_lexer_free(texts->lexer);
    pare_lexer_tokens_done(&texts->lexed);
    pare_buffer_done(&texts->bytes);
    pare_alloc_free(texts->pieces);
    pare_alloc_free(texts);
}

pare_status pare_relex_check_token(const pare_relex_check *texts, pare_index token,
                                   pare_buffer *text, bool *is_read, pare_error *err)
{
    assert(token < texts->grammar->n_tokens);
    const struct piece *piece = &texts->pieces[token];
    if (is_read) *is_read = piece->is_read;
    if (!piece->size) return pare_minimal_token(texts->minimal, token, text, err);
    return pare_buffer_add(text, texts->bytes.data + piece->offset, piece->size, err);
}

/* --- expressions ------------------------------------------------------------------ */

/* Appends token `k` after the first separator with which the text so far is read as tokens 0
 * .. k.  *yes is false, with the last separator tried in the text, when none is good. */
static pare_status append(pare_relex_check *texts, const struct row *row, size_t k,
                          pare_buffer *text, bool *yes, pare_error *err)
{
    static const char *const separators[] = {"", " ", "\n"};
    size_t before = text->size;
    pare_status status = PARE_OK;
    *yes = false;
    /* Nothing separates the first token from what stands before it. */
    for (size_t i = 0; i < (k ? 3 : 1) && !status && !*yes; i++) {
        text->size = before;
        status = pare_buffer_text(text, separators[i], err);
        if (!status) status = pare_relex_check_token(texts, row->tokens[k], text, NULL, err);
        if (!status)
            status = reads_as(texts, (struct row){row->tokens, k + 1, row->mode}, text, yes, err);
    }
    return status;
}

/* Appends all tokens; *yes says whether the lexer reads them, else the text ends where it went
 * wrong. */
static pare_status build(pare_relex_check *texts, const struct row *row, pare_buffer *text,
                         bool *yes, pare_error *err)
{
    pare_status status = PARE_OK;
    *yes = true;
    for (size_t k = 0; k < row->n && !status && *yes; k++)
        status = append(texts, row, k, text, yes, err);
    return status;
}

/* Appends all tokens with one separator everywhere; *yes says whether the lexer reads them. */
static pare_status build_with(pare_relex_check *texts, const struct row *row, const char *separator,
                              pare_buffer *text, bool *yes, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t k = 0; k < row->n && !status; k++) {
        if (k) status = pare_buffer_text(text, separator, err);
        if (!status) status = pare_relex_check_token(texts, row->tokens[k], text, NULL, err);
    }
    if (!status) status = reads_as(texts, *row, text, yes, err);
    return status;
}

/* Builds the text from the default mode, then from that of its first token; if neither is
 * read, with one separator everywhere.  The text is the last one tried when none is. */
static pare_status build_best(pare_relex_check *texts, struct row *row, pare_buffer *text,
                              bool *yes, pare_error *err)
{
    const pare_index modes[] = {0, pare_minimal_mode(texts->minimal, row->tokens[0])};
    pare_status status = PARE_OK;
    *yes = false;
    for (size_t i = 0; i < 2 && !status && !*yes; i++) {
        if (i && modes[1] == modes[0]) break;
        row->mode = modes[i];
        pare_buffer_reset(text);
        status = build(texts, row, text, yes, err);
    }
    /* A line end first: it ends comments, too. */
    static const char *const separators[] = {"\n", " "};
    for (size_t i = 0; i < 2 && !status && !*yes; i++) {
        pare_buffer_reset(text);
        status = build_with(texts, row, separators[i], text, yes, err);
    }
    return status;
}

/* Whether the expression belongs to a parser rule. */
static bool is_of_tokens(const pare_relex_check *texts, pare_index expr)
{
    pare_index rule = texts->minimal->analysis->links.rule[expr];
    return rule != PARE_NO_INDEX && texts->grammar->rules[rule].kind == PARE_RULE_PARSER;
}

/* Puts together the text of an expression.  One of more tokens than MAX_TOKENS is not checked:
 * it is rare, and lexing it once more for each token would be quadratic. */
pare_status pare_relex_check_text(pare_relex_check *texts, pare_index expr, pare_buffer *text,
                                  bool *is_read, pare_error *err)
{
    pare_index tokens[MAX_TOKENS];
    size_t n = 0;
    *is_read = true;
    /* Without a lexer the letters are characters, which cannot run together. */
    if (!texts->lexer || !is_of_tokens(texts, expr))
        return pare_minimal_text(texts->minimal, expr, NULL, NULL, text, err);
    pare_status status = pare_minimal_tokens(texts->minimal, expr, tokens, MAX_TOKENS, &n, err);
    if (status || n == 0) return status;
    if (n > MAX_TOKENS) {
        *is_read = false;
        return pare_minimal_text(texts->minimal, expr, NULL, NULL, text, err);
    }
    pare_buffer built = {0};
    struct row row = {.tokens = tokens, .n = n};
    status = build_best(texts, &row, &built, is_read, err);
    if (!status && built.size) status = pare_buffer_add(text, built.data, built.size, err);
    pare_buffer_done(&built);
    return status;
}
