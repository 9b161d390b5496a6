/* Regular expressions of PCRE2, compiled to machine code where the system allows it.
 *
 * They are about characters of UTF-8; bytes that are none, in what programs print or inputs
 * hold, match nothing.  An expression that is no UTF-8 itself is about bytes.  `^` and `$`
 * match at the lines' ends.  One thread. */
#ifndef PARE_TEXT_PATTERN_H
#define PARE_TEXT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "text/text.h"

typedef struct pare_pattern pare_pattern;

/* On PARE_OK the caller owns *out.
 * Errors: PARE_E_ARG (with PCRE2's own words and the place), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pattern_new(const char *regex, pare_pattern **out, pare_error *err);
void pare_pattern_free(pare_pattern *pattern); /* NULL is a no-op */

/* Whether it is in `text` (may be NULL when `size` is 0).
 * Errors: PARE_E_LIMIT (PCRE2 gave up: the pattern backtracks too much), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pattern_search(const pare_pattern *pattern, const char *text,
                                           size_t size, bool *found, pare_error *err);

/* Bytes from .. to-1 of a text. */
typedef struct pare_stretch {
    size_t from, to;
} pare_stretch;

/* Finds the first match that begins at `from` or after it and is not empty; what stands
 * before `from` is seen by anchors and assertions.  Errors: as above. */
PARE_CHECK pare_status pare_pattern_find(const pare_pattern *pattern, pare_span text, size_t from,
                                         bool *found, pare_stretch *stretch, pare_error *err);

#endif
