/* Islands as users name them: TOKEN[:REGEX]=LANGUAGE. */
#ifndef PARE_LANG_ISLAND_OPTION_H
#define PARE_LANG_ISLAND_OPTION_H

#include "base/status.h"

enum { PARE_ISLAND_MAX_FILES = 8 };

/* What one option says; all texts are in `words`. */
typedef struct pare_island_option {
    char *words;          /* owned */
    const char *token;    /* name of a token or rule of the host */
    const char *regex;    /* NULL: all of the token */
    const char *language; /* of tree-sitter; NULL: a grammar */
    const char *files[PARE_ISLAND_MAX_FILES];
    size_t n_files;
    const char *start;  /* rule of the grammar; NULL: its first parser rule */
    const char *target; /* what is behind the last `=`: equal ones are the same language */
} pare_island_option;

/* Reads TOKEN[:REGEX]=FILE[,FILE ...][#RULE] or TOKEN[:REGEX]=lang:NAME.  The last `=`
 * ends the expression.  On PARE_OK the caller ends *out.
 * Errors: PARE_E_ARG (it is not of this form), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_island_option_read(const char *text, pare_island_option *out,
                                               pare_error *err);
void pare_island_option_done(pare_island_option *option); /* all-zero is a no-op */

#endif
