/* Regular expressions over bytes, by PCRE2.
 *
 * Perl's syntax; ^ and $ match at lines, and text is bytes, not characters.  Immutable;
 * one thread.  Source: the PCRE2 library, pcre2api(3). */
#ifndef PARE_TEXT_PATTERN_H
#define PARE_TEXT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct pare_pattern pare_pattern;

/* Understands `regex`.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_ARG (the sentence tells what is wrong, and where), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pattern_new(const char *regex, pare_pattern **out, pare_error *err);
void pare_pattern_free(pare_pattern *pattern); /* NULL is a no-op */

/* Bytes from .. to-1 of a text. */
typedef struct pare_stretch {
    size_t from, to;
} pare_stretch;

/* Finds the first match in bytes from .. size-1 that is not empty; what stands before
 * `from` is seen by anchors and assertions.  *found says whether there is one.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (the expression takes too many steps). */
PARE_CHECK pare_status pare_pattern_find(const pare_pattern *pattern, const void *bytes,
                                         size_t size, size_t from, bool *found, pare_stretch *match,
                                         pare_error *err);

#endif
