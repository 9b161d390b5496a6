/* Differences of two sequences of units: what both have, and what only one has.
 *
 * Units are equal when their bytes are.  The result is a merge list: its runs, in order,
 * give the old sequence when those only in the new one are left out, and the new
 * sequence when those only in the old one are.  One thread. */
#ifndef PARE_TEXT_DIFF_H
#define PARE_TEXT_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "text/split/split.h"
#include "text/text.h"

/* A sequence of units: bytes and where they are cut; borrowed. */
typedef struct pare_sequence {
    pare_span text;
    const pare_bounds *bounds; /* of text.size bytes */
} pare_sequence;

typedef enum pare_diff_side {
    PARE_DIFF_COMMON,   /* `n` equal units of both */
    PARE_DIFF_ONLY_OLD, /* `n` units of the old sequence */
    PARE_DIFF_ONLY_NEW
} pare_diff_side;

/* Units old_at .. of the old sequence and new_at .. of the new one: the places that the
 * merge has reached in both when the run begins, whichever of them it is of. */
typedef struct pare_diff_run {
    pare_diff_side side;
    uint32_t old_at, new_at;
    uint32_t n; /* units, above 0 */
} pare_diff_run;

/* Runs next to each other are of different sides; between two common runs, what is only
 * in the old sequence stands first.  All-zero is the difference of nothing and nothing. */
typedef struct pare_diff {
    pare_diff_run *runs; /* owned */
    size_t n_runs;
} pare_diff;

enum { PARE_DIFF_COST = 4096 };

/* Compares.  As few units as possible differ, unless that takes more than 2 * `cost`
 * steps (0: PARE_DIFF_COST) between two stretches: what is left of these, without equal
 * units at their ends, then counts as entirely different.  Sets *out only on success;
 * the caller owns it.
 * Time is linear where the two are equal, and O(different units * units), at most
 * O(cost^2) a stretch, where not.  Memory while it runs, between the common head and the
 * common tail: 9 bytes a unit, and some 90 for each distinct one.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_diff_make(const pare_sequence *old, const pare_sequence *new,
                                      size_t cost, pare_diff *out, pare_error *err);
void pare_diff_done(pare_diff *diff);

/* Whether the runs are a merge list of the two as described above. */
bool pare_diff_check(const pare_diff *diff, const pare_sequence *old, const pare_sequence *new);

#endif
