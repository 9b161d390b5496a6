/* dd: isolates a minimal difference between a passing and a failing text.
 *
 * Holds a passing side and a failing side, sets of deltas with the passing one within the
 * failing one, at first the two texts themselves, and moves them towards each other.
 * The difference is what the failing side has and the passing side has not.  With n parts
 * D1 .. Dn of it, which begin with n = 2, the first of these that holds is done:
 *
 *   some test(passing + Di) = FAIL:  the failing side becomes passing + Di;  n = 2
 *   some test(failing - Di) = PASS:  the passing side becomes failing - Di;  n = 2
 *   some test(passing + Di) = PASS:  the passing side becomes passing + Di;  n = max(n-1, 2)
 *   some test(failing - Di) = FAIL:  the failing side becomes failing - Di;  n = max(n-1, 2)
 *   n < |difference|:                n = min(2n, |difference|)
 *   otherwise:                       the end
 *
 * Some means the one with the smallest i.  All passing + Di are tested in order, then all
 * failing - Di, until one of the first two lines holds.
 * Guarantee: the difference is 1-minimal: with a single delta of it more the passing side
 * does not pass, with a single one less the failing side does not fail.  When no outcome
 * is UNRESOLVED it is one delta, and the cost is at most 2 log2(deltas) tests that are
 * not repeated; at worst it is O(deltas^2) tests.  (With two parts, failing - D1 is
 * passing + D2: the engine's cache answers.)
 * Source: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input",
 * TSE 28(2), 2002, section 5, figure 7.  Added: it ends when one delta is left, which
 * cannot be split; parts as in seed 001: part i takes floor(rest / parts left). */
#ifndef PARE_REDUCE_LIST_DD_H
#define PARE_REDUCE_LIST_DD_H

#include <pare/outcome.h>

#include "engine/strategy.h"
#include "text/candidate.h"
#include "text/split/split.h"
#include "text/text.h"

/* The deltas between a passing and a failing text: the units that only one of them has.
 *
 * In the order of the merge list of both, they are numbered 0 .. n-1.  Applying one to
 * the passing text inserts it, if it is of the failing text, or deletes it, if it is of
 * the passing one; applying none gives the passing text, applying all the failing one.
 * Consecutive deltas that are all applied (or all not) are one slice of the failing (the
 * passing) text, so that a set of deltas is printed in O(its ranges).
 * Immutable, reference-counted, one thread.
 * Source: Zeller and Hildebrandt, TSE 28(2), 2002, section 5. */

typedef struct pare_deltas pare_deltas;

/* What is compared, and in which units. */
typedef struct pare_deltas_source {
    pare_span passing, failing; /* borrowed; together at most PARE_TEXT_MAX_BYTES */
    const pare_splitter *splitter;
} pare_deltas_source;

/* Compares.  On PARE_OK the caller owns *out, one reference.  Memory: a copy of both
 * texts, 8 bytes a delta.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (the texts are too large together). */
PARE_CHECK pare_status pare_dd_deltas_new(const pare_deltas_source *source, pare_deltas **out,
                                          pare_error *err);
void pare_dd_deltas_unref(pare_deltas *deltas); /* NULL is a no-op */

size_t pare_dd_deltas_count(const pare_deltas *deltas);

/* How many units of `finer` the deltas consist of.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dd_deltas_count_units(const pare_deltas *deltas,
                                                  const pare_splitter *finer, size_t *n,
                                                  pare_error *err);

/* Appends what deltas from .. to-1 print when they are applied, or not, with the common
 * text around them.  A candidate takes all deltas in order, once each; the first call
 * has from = 0, and is made when there are no deltas too.  Errors: PARE_E_NOMEM. */
typedef enum pare_delta_use { PARE_DELTA_NOT_APPLIED, PARE_DELTA_APPLIED } pare_delta_use;

/* Isolates among `deltas` (a reference is taken).  The text without any must pass, the
 * text with all must fail.  On PARE_OK the caller owns *out; its best failing candidate
 * is its failing side.  Memory of a copy: constant, but for the sides, O(steps), which
 * are copied when they change.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dd_new(pare_deltas *deltas, pare_strategy **out, pare_error *err);

/* How many deltas the two sides of `dd`, made by pare_dd_new, differ in. */
size_t pare_dd_count(const pare_strategy *dd);

/* Fills *candidate (initialised or all-zero) with the side that has `outcome`, PARE_PASS
 * or PARE_FAIL.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dd_side(const pare_strategy *dd, pare_outcome outcome,
                                    pare_candidate *candidate, pare_error *err);

/* Checks the invariants of the state, for tests. */
bool pare_dd_check(const pare_strategy *dd);

#endif
