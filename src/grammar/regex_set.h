/* Inside regex_expr: escapes and sets of characters. */
#ifndef PARE_GRAMMAR_REGEX_SET_H
#define PARE_GRAMMAR_REGEX_SET_H

#include <stdbool.h>

#include "grammar/intervals.h"
#include "grammar/unicode.h"

/* A regular expression being read. */
typedef struct pare_regex_reader {
    const char *at; /* NUL-terminated */
    pare_unicode *unicode;
    pare_error *err;
} pare_regex_reader;

/* Reads one character as it stands.  Errors: PARE_E_SYNTAX (no UTF-8, or the end). */
PARE_CHECK pare_status pare_regex_character(pare_regex_reader *reader, uint32_t *code_point);

/* Reads what stands behind a backslash: a character, or a set of them that is added to *set
 * (*is_set).  Errors: PARE_E_SYNTAX, PARE_E_UNSUPPORTED, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_regex_escape(pare_regex_reader *reader, uint32_t *code_point,
                                         pare_intervals *set, bool *is_set);

/* Reads a set behind its '[' and adds what is in it to *set.  Errors: as above, and
 * PARE_E_LIMIT (nested too deeply). */
PARE_CHECK pare_status pare_regex_set(pare_regex_reader *reader, pare_intervals *set);

#endif
