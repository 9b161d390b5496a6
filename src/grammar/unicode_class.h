/* Classes of characters by PCRE2, as sets of code points.
 *
 * Its tables have what utf8proc's have not: scripts, and binary properties such as Emoji and
 * Alphabetic, exactly. */
#ifndef PARE_GRAMMAR_UNICODE_CLASS_H
#define PARE_GRAMMAR_UNICODE_CLASS_H

#include "grammar/intervals.h"

/* Adds what `pattern`, a regular expression for one character, matches, surrogates left out,
 * and normalises the set.  *known is false, and nothing added, when this PCRE2 does not know
 * a property in it (before 10.40 those are most).  Some 10 ms.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_unicode_class(const char *pattern, pare_intervals *set, bool *known,
                                          pare_error *err);

#endif
