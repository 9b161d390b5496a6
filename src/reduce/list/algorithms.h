/* The list algorithms, one source file each; what they do stands there. */
#ifndef PARE_REDUCE_LIST_ALGORITHMS_H
#define PARE_REDUCE_LIST_ALGORITHMS_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/algorithm.h>

#include "base/fail.h"

/* A list algorithm: which positions of a list to leave out next.
 *
 * Pure arithmetic on positions 0 .. n-1 of the current configuration, n units long; it
 * knows nothing of texts, units or tests.  Each proposal is an edit: the ranges of
 * positions that the candidate leaves out.  Told FAIL, the algorithm renumbers: the
 * positions that remain are 0 .. n'-1 from then on.  Told PASS, nothing is removed.
 *
 * The state is plain memory of `state_bytes` bytes, copied by memcpy; an algorithm that
 * keeps arrays holds them in a shared, immutable block (see base/shared.h) and
 * has retain/release.  States that are equal and told the same behave the same. */

/* Positions from .. to-1, not empty. */
typedef struct pare_range {
    size_t from, to;
} pare_range;

/* Ranges to leave out: ascending, disjoint, not touching.  All-zero is empty. */
typedef struct pare_edit {
    pare_range *ranges; /* owned unless it is `few` */
    size_t n_ranges, capacity;
    pare_range few[2];
} pare_edit;

void pare_edit_reset(pare_edit *edit); /* empties, keeps memory */
void pare_edit_done(pare_edit *edit);

/* Appends from .. to-1 (an empty range is a no-op; must not lie before the last one;
 * a touching one is joined).  Errors: PARE_E_NOMEM, only beyond two ranges. */
PARE_CHECK pare_status pare_edit_add(pare_edit *edit, size_t from, size_t to, pare_error *err);

/* How many positions the edit leaves out. */
size_t pare_edit_count(const pare_edit *edit);

/* Knobs that make a difference to an algorithm; the fixpoint does to every one. */
enum {
    PARE_KNOB_SUBSETS = 1,
    PARE_KNOB_ORDER = 2,
    PARE_KNOB_SPLIT = 4,
    PARE_KNOB_GRANULARITY = 8,
    PARE_KNOB_SEED = 16,
    PARE_KNOBS_DDMIN = 31
};

typedef struct pare_list_algorithm {
    pare_algorithm_info info;
    unsigned knobs; /* bit set of those that it looks at */
    bool fixpoint;  /* by default it is run again until a run removes nothing */
    size_t state_bytes;

    /* Makes `state` the start over `n` units (n may be 0).  `run` counts the runs of a
     * fixpoint from 0.  Errors: PARE_E_NOMEM. */
    pare_status (*start)(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err);

    /* Fills *edit (reset before) with the next proposal, or sets *done.  Must not change
     * what a later call proposes.  Errors: PARE_E_NOMEM. */
    pare_status (*next)(void *state, bool *done, pare_edit *edit, pare_error *err);

    /* Takes the outcome of the proposal that `next` gave last.  Errors: PARE_E_NOMEM. */
    pare_status (*tell)(void *state, bool fails, pare_error *err);

    void (*retain)(void *state);  /* after a memcpy of the state; NULL: nothing to do */
    void (*release)(void *state); /* before a state is forgotten; NULL: nothing to do */
} pare_list_algorithm;

/* The table of all list algorithms, ordered as they are shown; *n entries. */
const pare_list_algorithm *const *pare_list_algorithms(size_t *n);

/* NULL when there is none of that name. */
const pare_list_algorithm *pare_list_algorithm_find(const char *name);

extern const pare_list_algorithm pare_list_ddmin;
extern const pare_list_algorithm pare_list_ddmin_parallel;
extern const pare_list_algorithm pare_list_ddmin_complement;
extern const pare_list_algorithm pare_list_ddmin_blog;
extern const pare_list_algorithm pare_list_ddrmin;
extern const pare_list_algorithm pare_list_quickxplain;
extern const pare_list_algorithm pare_list_group_testing;
extern const pare_list_algorithm pare_list_adaptive;
extern const pare_list_algorithm pare_list_lithium;
extern const pare_list_algorithm pare_list_probdd;
extern const pare_list_algorithm pare_list_cdd;
extern const pare_list_algorithm pare_list_sweep;

/* Not in the table: it promises nothing, and is only of use before others. */
extern const pare_list_algorithm pare_list_bisect, pare_list_bisect_ends, pare_list_adaptive_once;

#endif
