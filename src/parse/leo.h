/* Right recursion in linear work.
 *
 * A right recursion r: 'a' r completes at a letter all that it opened: n items in each of n
 * sets, when the letter does not tell whether the recursion ends there.  As Leo does, the
 * chain of completions that can go one way only is skipped: the item at its top is added
 * at once, and remembers the bottom.  A chain goes from a group to the group of its link:
 * the only item waiting for it that can go on before the letter, when nothing else of its
 * production can be there before that letter.
 *
 * Chains are skipped only in sets with many completions of right recursions, and not at the
 * end of the input: short ones cost less when they are made.  What was skipped is made
 * afterwards, for the items that are part of an accepted derivation, so that the chart is
 * as if nothing had been skipped there.
 *
 * Source: Leo, "A general context-free parsing algorithm running in linear time on every
 * LR(k) grammar without using lookahead", TCS 82(1), 1991.  Deviations: the waiting items
 * are narrowed by the next letter, so that also symbols that may be nothing can stand
 * after the recursion (hidden right recursion), and loops; tops are kept by group and
 * letter. */
#ifndef PARE_PARSE_LEO_H
#define PARE_PARSE_LEO_H

#include "parse/chart.h"

#include <pare/export.h>
#include <pare/status.h>

/* Completions of right recursions in one set, before their chains are skipped. */
enum { PARE_LEO_SHORT = 64 };

/* Top of the chain from a group, before a letter. */
typedef struct pare_leo_top {
    uint32_t group, letter;
    uint32_t waiter; /* 1 + the last link; 0: free; or NONE, OPEN as in leo.c */
} pare_leo_top;

/* The tops found so far in a run, by hash.  All-zero is empty. */
typedef struct pare_leo {
    pare_leo_top *tops;
    size_t mask, n;
} pare_leo;

/* Forgets all tops.  Keeps the memory. */
void pare_leo_reset(pare_leo *leo);
void pare_leo_done(pare_leo *leo);

/* The top of the chain that the completion of `group` before `letter` sets off: a waiter;
 * PARE_NO_ITEM when there is none or the chain has one link only.  Amortised
 * O(waiters).  Sets *failed when memory is out. */
uint32_t pare_leo_find_top(pare_leo *leo, const pare_chart *chart, uint32_t group, uint32_t letter,
                           bool *failed);

/* The state at the end of the waiter's production. */
uint32_t pare_leo_end_state(const pare_chart *chart, pare_waiter waiter);

/* Makes the items that were skipped, where they are part of a derivation that ends with one
 * of the finishes.  O(items of such derivations); nothing when no chain was skipped.
 * Errors: PARE_E_NOMEM; the chart can only be ended then. */
PARE_CHECK pare_status pare_leo_expand(pare_chart *chart, const pare_finish *finishes, size_t n,
                                       pare_error *err);

#endif
