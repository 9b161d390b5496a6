/* Text to tokens, by the lexer rules of a grammar, as ANTLR 4 does it.
 *
 * The longest match wins, among equals the rule that stands first; modes are a stack;
 * commands are those of the alternative that matched.  A stretch no rule begins with
 * gives an error token, and so does a match without a type (another alternative of its rule
 * has `type` or `more`); lexing goes on after it.  Malformed UTF-8 is U+FFFD.
 * One thread.  Source: Parr, The Definitive ANTLR 4 Reference, chapters 5, 12 and 15. */
#ifndef PARE_PARSE_LEXER_H
#define PARE_PARSE_LEXER_H

#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

/* Token type and channel of a stretch that does not lex. */
#define PARE_TOKEN_ERROR (UINT32_MAX - 1)
#define PARE_CHANNEL_ERROR (UINT32_MAX - 1)

/* 16 bytes; bytes begin .. end-1 of the text.  Skipped text makes no token. */
typedef struct pare_token {
    uint32_t type, channel;
    uint32_t begin, end;
} pare_token;

typedef struct pare_tokens {
    pare_token *tokens; /* owned; ascending, without the end of file */
    size_t n, capacity;
    size_t n_errors; /* error tokens among them */
} pare_tokens;

void pare_lexer_tokens_done(pare_tokens *tokens);

typedef struct pare_lexer pare_lexer;

/* Borrows `grammar`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_lexer_new(const pare_grammar *grammar, pare_lexer **out,
                                      pare_error *err);
void pare_lexer_free(pare_lexer *lexer); /* NULL is a no-op */

/* Splits `size` < 2^32 - 1 bytes, which begin in `mode` (0: the default one) with no mode to come
 * back to, and appends the tokens to *tokens.  The lexer remembers its automaton for the next text.
 * On failure *tokens is empty.  O(size) for all but pathological rules.
 * Errors: PARE_E_LIMIT (size; rules that call themselves without end), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_lexer_run(pare_lexer *lexer, pare_index mode, const char *text,
                                      size_t size, pare_tokens *tokens, pare_error *err);

/* Line (from 1) and column (code points, from 0) of byte `at`.  O(at). */
void pare_lexer_place(const char *text, size_t at, uint32_t *line, uint32_t *column);

#endif
