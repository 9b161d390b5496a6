/* Sets of code points or token types under construction: a list of intervals.
 *
 * An all-zero struct is the empty set.  One thread. */
#ifndef PARE_GRAMMAR_INTERVALS_H
#define PARE_GRAMMAR_INTERVALS_H

#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

enum { PARE_LAST_CODE_POINT = 0x10FFFF };

typedef struct pare_intervals {
    pare_interval *items; /* owned */
    size_t n, capacity;
} pare_intervals;

void pare_intervals_done(pare_intervals *set);

/* Adds from .. to, anywhere; nothing when from > to.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_intervals_add(pare_intervals *set, uint32_t from, uint32_t to,
                                          pare_error *err);

/* Brings the intervals into order and joins those that overlap or touch. */
void pare_intervals_normalise(pare_intervals *set);

/* Whether the set is normalised: the invariant after normalising.  O(n). */
bool pare_intervals_check(const pare_intervals *set);

/* What is in lowest .. highest and not in the set; normalised.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_intervals_complement(pare_intervals *set, uint32_t lowest,
                                                 uint32_t highest, pare_error *err);

/* Whether a code point or token type is in a set whose intervals are a run of `all`; an empty set
 * needs no array.  O(intervals): most sets have a few. */
static inline bool pare_intervals_have(const pare_interval *all, pare_set set, uint32_t value)
{
    for (uint32_t i = set.first; i < set.first + set.n; i++)
        if (value >= all[i].from && value <= all[i].to) return true;
    return false;
}

#endif
