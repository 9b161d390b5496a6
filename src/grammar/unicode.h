/* Properties of characters, as sets of code points.
 *
 * Known: general categories (`L`, `Lu`, `Uppercase_Letter`, `gc=Lu`, ...), `Any`,
 * `Assigned`, `ASCII`, `White_Space`, `ID_Start`, `ID_Continue` and their XID forms,
 * `Alphabetic`, `Uppercase`, `Lowercase`, `Extended_Pictographic`,
 * `Grapheme_Cluster_Break=...`, and, nearly right, `Emoji`.  Scripts and blocks are not:
 * utf8proc has no tables of them.  Case, '-', '_' and ' ' do not matter in names.
 * Source: utf8proc's properties; Unicode TR 31 for identifiers. */
#ifndef PARE_GRAMMAR_UNICODE_H
#define PARE_GRAMMAR_UNICODE_H

#include "grammar/intervals.h"

enum { PARE_UNICODE_KINDS = 80 };

/* Sets made already: each costs a walk over all code points.  All-zero: none. */
typedef struct pare_unicode {
    pare_intervals made[PARE_UNICODE_KINDS];
} pare_unicode;

void pare_unicode_done(pare_unicode *unicode);

/* Adds the property `name`, or with `negated` all but it, to *set.  *known tells whether
 * there is one of that name (nothing is added otherwise), *exact whether it is exact.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_unicode_add(pare_unicode *unicode, const char *name, size_t size,
                                        bool negated, pare_intervals *set, bool *known, bool *exact,
                                        pare_error *err);

#endif
