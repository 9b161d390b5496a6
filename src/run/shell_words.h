/* Splitting a command line into words as a shell does, and quoting words for it. */
#ifndef PARE_RUN_SHELL_WORDS_H
#define PARE_RUN_SHELL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/fail.h"

/* An all-zero list is empty. */
typedef struct pare_shell_words {
    char **word; /* owned, each too */
    size_t n, capacity;
    bool shell; /* there is syntax that only a shell understands */
} pare_shell_words;

/* Splits `text` at blanks; '...', "..." and backslash quote as in sh.
 * Errors: PARE_E_ARG (a quote is not closed, a backslash at the end), PARE_E_NOMEM;
 * *words is to be done in any case. */
PARE_CHECK pare_status pare_shell_words_split(pare_shell_words *words, const char *text,
                                              pare_error *err);

/* Appends a copy of `text`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_shell_words_add(pare_shell_words *words, const char *text,
                                            pare_error *err);

/* Puts an owned copy of `text` in the place of word `k`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_shell_words_set(pare_shell_words *words, size_t k, const char *text,
                                            pare_error *err);

/* Appends `size` bytes of `word` to *text as a shell reads them back: as they are, or between
 * apostrophes.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_shell_words_quote(pare_buffer *text, const char *word, size_t size,
                                              pare_error *err);

/* The same, without the apostrophes around it.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_shell_words_escape(pare_buffer *text, const char *word, size_t size,
                                               pare_error *err);

void pare_shell_words_done(pare_shell_words *words);

#endif
