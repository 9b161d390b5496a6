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

#include "engine/strategy.h"
#include "reduce/list/deltas.h"
#include "text/candidate.h"

#include <pare/outcome.h>

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
