/* What a phase has earned, and whether there is a point in running it again: what the
 * schedules of one file (schedule.c) and of several (folder_schedule.c) decide by. */
#ifndef PARE_SESSION_PLAN_PASS_REWARD_H
#define PARE_SESSION_PLAN_PASS_REWARD_H

#include "base/digest.h"
#include "engine/limited.h"
#include "session/plan/plan.h"
#include "session/plan/work.h"
#include "text/candidate.h"

/* How much a phase is let do, and when it is let do that again. */
typedef enum pare_phase_effort {
    PARE_WITH_EARLY_STOP, /* after the size of the text has changed */
    PARE_TO_THE_END,      /* the same, when all have failed with early stop */
    PARE_TO_BE_SURE       /* after anything has changed: a name that another one was put for */
} pare_phase_effort;

/* All-zero: it has not run. */
typedef struct pare_pass_reward {
    double tests, gained; /* lately; gained: sum of shares of the text, 0 .. 1 each */
    /* Nothing was found: with early stop or to the end, in a text of that size; to the end, in
     * all that is reduced. */
    bool tried, ended;
    size_t size;
    pare_digest all;
} pare_pass_reward;

/* How many tests a promise of the plan is worth (pare_phase.promise). */
#define PARE_PROMISED_TESTS 20.0

/* Terms of a pass with early stop; and of one that is coarse, which does it at once, or is no use
 * on the whole input. */
extern const pare_early_stop_terms pare_pass_terms, pare_coarse_pass_terms;

/* The same of a coarse pass whose first test decides: all at once, or others go first. */
extern const pare_early_stop_terms pare_coarse_whole_terms;

/* The same of a coarse pass whose first tests say little about those that follow: it begins with
 * parts so large that several of them may have to stay, or tries several readings of one place. */
extern const pare_early_stop_terms pare_coarse_parts_terms;

/* The same of a coarse pass of which one success says that there are more: as long as there is none, others
 * are not kept waiting for long. */
extern const pare_early_stop_terms pare_coarse_persistent_terms;

/* Whether the invariant holds: sums are of shares up to 1, and what was run to its end was tried. */
bool pare_pass_reward_check(const pare_pass_reward *reward);

/* Enters a run of `tests` tests that made `before` bytes `after`; earlier ones count for half. */
void pare_pass_reward_add(pare_pass_reward *reward, uint64_t tests, size_t before, size_t after);

/* Notes how a run ended, to the end or (`whole` false) with early stop, over a text that is `size`
 * bytes now, with `best`. */
void pare_pass_reward_note_end(pare_pass_reward *reward, bool found, bool whole, size_t size,
                               const pare_candidate *best);

/* Forgets what was earned; and, where something was put off, that nothing was found, since it
 * was not looked for. */
void pare_pass_reward_forget(pare_pass_reward *reward, bool put_off);

/* Whether the phase has nothing to do with such effort over a text of `size` bytes in `best`. */
bool pare_pass_reward_is_idle(const pare_pass_reward *reward, size_t size,
                              const pare_candidate *best, pare_phase_effort effort);

/* Whether the file at hand is no text: more than one byte in sixteen is of none; less may be
 * damage.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pass_reward_look_whether_binary(pare_work *work, bool *binary,
                                                            pare_error *err);

/* Whether the default runs the phase with such effort, over a binary file or another, once the
 * coarse phases are through: not a first look, nor, unless `all`, one that is exhaustive; phases of
 * texts wait in a binary file until all others have ended. */
bool pare_pass_reward_takes_part(const pare_phase *phase, bool all, bool binary,
                                 pare_phase_effort effort);

#endif
