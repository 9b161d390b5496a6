/* Characters: their properties, as sets of code points, and their UTF-8.
 *
 * Known: general categories (`L`, `Lu`, `Uppercase_Letter`, `gc=Lu`, ...), `Any`,
 * `Assigned`, `ASCII`, `White_Space`, `ID_Start`, `ID_Continue`, `Extended_Pictographic`,
 * `Grapheme_Cluster_Break=...`; with PCRE2 10.40 and later also scripts (`Greek`, `sc=Greek`,
 * `scx=Greek`), properties of two values (`Alphabetic`, `Emoji`, `XID_Start`, ...) and ANTLR's
 * own `EmojiPresentation=...`; with older ones the commonest of these nearly.  Blocks are not:
 * neither library has tables of them.  Case, '-', '_' and ' ' do not matter in names.
 * Source: utf8proc's and PCRE2's properties; Unicode TR 31 for identifiers. */
#ifndef PARE_GRAMMAR_UNICODE_H
#define PARE_GRAMMAR_UNICODE_H

#include "base/buffer.h"
#include "grammar/intervals.h"

enum { PARE_UNICODE_KINDS = 80, PARE_UNICODE_OTHERS = 8, PARE_UNICODE_LONGEST_NAME = 47 };

/* A set by the plain name of its property. */
typedef struct pare_unicode_other {
    char name[PARE_UNICODE_LONGEST_NAME + 1];
    pare_intervals set;
} pare_unicode_other;

/* Sets made already: each costs a walk over all code points.  All-zero: none. */
typedef struct pare_unicode {
    pare_intervals made[PARE_UNICODE_KINDS];
    bool exact[PARE_UNICODE_KINDS];                 /* of those */
    pare_unicode_other others[PARE_UNICODE_OTHERS]; /* what PCRE2 alone knows, the latest ones */
    size_t n_others;                                /* made so far */
} pare_unicode;

void pare_unicode_done(pare_unicode *unicode);

/* A property by its name, or all code points without it. */
typedef struct pare_unicode_property {
    const char *name;
    size_t size; /* bytes of the name */
    bool negated;
} pare_unicode_property;

/* Adds the code points of the property to *set.  *known tells whether there is one of that
 * name (nothing is added otherwise), *exact whether it is exact.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_unicode_add(pare_unicode *unicode, pare_unicode_property property,
                                        pare_intervals *set, bool *known, bool *exact,
                                        pare_error *err);

/* Appends the code point in UTF-8.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_unicode_append(pare_buffer *text, uint32_t code_point, pare_error *err);

#endif
