/* Running one phase of a plan. */
#ifndef PARE_SESSION_PLAN_PHASE_H
#define PARE_SESSION_PLAN_PHASE_H

#include <pare/algorithm.h>

#include "engine/limited.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/config.h"
#include "reduce/passes/pass.h"
#include "reduce/syntax/front_end.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/tree_algorithm.h"
#include "session/plan/plan.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "session/test/flaky.h"
#include "session/test/hang.h"
#include "session/test/recording.h"
#include "text/patch.h"
#include "text/split/split.h"
#include "text/text.h"

/* What the phases of one reduction share. */
typedef struct pare_work {
    pare_session session;
    pare_plan plan;
    pare_list_knobs knobs;
    pare_tree_setup setup; /* of the tree algorithms; transformations as for the one at hand */
    pare_tree_texts texts; /* what the last tree's rules know of them */
    pare_reducible_ranges ranges;
    uint32_t file;            /* the entry whose content the phases reduce; 0 when it is all */
    struct pare_files *files; /* borrowed; NULL: there is one file */
    size_t file_bytes;        /* of that content */
    pare_flaky flaky;
    pare_hang hang;
    pare_recording *recording;     /* borrowed; NULL: no choices were recorded */
    pare_front_end *front;         /* borrowed; NULL when no phase needs trees */
    pare_front_end_view tree_kind; /* of the tree that is made next */
    bool again;                    /* in a later round of the fixpoint */
    pare_effort effort;            /* of the schedule */
    bool cut_short;                /* the effort has ended it */
    bool rough;                    /* tokens are out of play in trees by a language */
    bool put_off;                  /* a phase of the first round is still to be run */
} pare_work;

/* Runs `phase` over the file at hand to its end.  PARE_RUN_ENDED: the run ended before.
 * Errors: those of the engine, of the front end, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_run(pare_work *work, const pare_phase *phase, pare_error *err);

/* Runs the list algorithm over `units` (a reference is taken over) of `text`, flat, as the
 * pass "algorithm/unit".  Errors: as above. */
PARE_CHECK pare_status pare_phase_run_units(pare_work *work, const pare_list_algorithm *algorithm,
                                            const char *unit, const pare_text *text,
                                            pare_unit_list *units, pare_error *err);

/* The file at hand in the best so far, made flat: what units are cut from.  The text is
 * borrowed until the next success; *found is false when the file is gone.  The caller
 * closes *view, on failure too.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_open_view(pare_work *work, pare_view *view, bool *found,
                                            pare_error *err);

/* Cuts the file into units.  On PARE_OK the caller owns *units.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_cut(const pare_splitter *splitter, const pare_view *view,
                                      pare_unit_list **units, pare_error *err);

/* The tree of the file, transformed as `algorithm` wants it.  On PARE_OK the caller owns *out.
 * Errors: those of the front end, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_tree(pare_work *work, const pare_tree_algorithm *algorithm,
                                       const pare_view *view, pare_tree **out, pare_error *err);

/* How many units, or tokens of the tree, the phase has before it now in that file. */
PARE_CHECK pare_status pare_phase_count(pare_work *work, const pare_phase *phase, size_t *n,
                                        pare_error *err);

/* Phases of passes: what a pass offers for the file at hand, run as a pool of patches. */

/* Runs `pass` over the file at hand until it has nothing more that can be made, or, with
 * `terms` that are not NULL, is not worth its tests any more; or until the run ends
 * otherwise.  *whole (may be NULL) tells whether it came to its end.
 * Errors: those of the pass, of the engine, of the front end, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pass_phase_run(pare_work *work, const pare_pass *pass,
                                           const pare_early_stop_terms *terms, bool *whole,
                                           pare_error *err);

/* What `pass` has to offer for the file of `view`, maybe nothing (n is 0).  On PARE_OK the
 * caller owns *patches, one reference.  Errors: those of the pass and of the front end. */
PARE_CHECK pare_status pare_pass_phase_offer(pare_work *work, const pare_pass *pass,
                                             const pare_view *view, pare_patches **patches,
                                             pare_error *err);

#endif
