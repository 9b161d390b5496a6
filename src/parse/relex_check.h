/* Minimal texts that the lexer reads back as the tokens they are made of.
 *
 * A grammar's minimal text of a token (grammar/minimal.h) may be another token to the lexer:
 * the shortest identifier is a keyword, two signs touch and are a third.  Here each is run
 * through the lexer.  A token whose text is read as something else gets the shortest text,
 * in ASCII, that the lexer's automaton takes for it; between the tokens of a rule there is
 * nothing, else a space, else a line end, whichever the lexer reads right.
 * Source of the demand: Picireny's replacement strings, which are not checked and glue.
 *
 * One thread. */
#ifndef PARE_PARSE_RELEX_CHECK_H
#define PARE_PARSE_RELEX_CHECK_H

#include "base/buffer.h"
#include "grammar/grammar.h"
#include "grammar/minimal.h"

typedef struct pare_relex_check pare_relex_check;

/* Borrows `minimal`.  Lexes the text of every token type; O(grammar).
 * On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_relex_check_new(const pare_minimal_texts *minimal,
                                            pare_relex_check **out, pare_error *err);
void pare_relex_check_free(pare_relex_check *texts); /* NULL is a no-op */

/* Appends the text of a token type; *is_read (may be NULL) says whether the lexer reads it
 * as that token, in the mode of its rule.
 * Errors: PARE_E_NOMEM; PARE_E_LIMIT: no finite text, or more than 1 MiB. */
PARE_CHECK pare_status pare_relex_check_token(const pare_relex_check *texts, pare_index token,
                                              pare_buffer *text, bool *is_read, pare_error *err);

/* The same for an expression of parser rules; when no text is read as its tokens, it is
 * these with single spaces between, and *is_read is false.  Without a lexer (a scannerless
 * grammar) and for expressions of lexer rules, it is the minimal text as it is. */
PARE_CHECK pare_status pare_relex_check_text(pare_relex_check *texts, pare_index expr,
                                             pare_buffer *text, bool *is_read, pare_error *err);

#endif
