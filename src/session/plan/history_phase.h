/* Going back to a step of the history, so that the phases go on from there.
 *
 * Which step that is the options say, or the journal of a run that went back before it was ended.  The
 * step is a candidate like any other: it is tested, counted, answered by the journal, and becomes the
 * best when it fails.  Nothing is lost: the history keeps all other steps (history_log.h), and what
 * is at the output gets a second name before a larger one takes its place (output_backup.h). */
#ifndef PARE_SESSION_PLAN_HISTORY_PHASE_H
#define PARE_SESSION_PLAN_HISTORY_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#include <pare/reduce.h>

#include "base/fail.h"
#include "session/output/history_log.h"
#include "session/plan/work.h"
#include "session/session.h"
#include "text/text.h"

/* Reads the step of the history of `input` that the run goes on from.  On PARE_OK the caller owns
 * *out; NULL: it begins with the input.
 * Errors: PARE_E_ARG (no history is kept, or there is no such step), PARE_E_STATE (the history is of
 * another input, or there is none), PARE_E_CORRUPT, PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_history_phase_read(const pare_session *session, const pare_text *input,
                                               pare_text **out, pare_error *err);

/* Whether a run that was interrupted begins again, at the step of its history that it was asked for while
 * it ran (pare_stop_go_from).  Then *text is the input, which the caller owns, and `options` say the step,
 * and what is left of their limit on time, of which the run has taken `spent_ms`.  False: nobody has
 * asked, or it cannot be, as without a history. */
bool pare_history_phase_begin_again(pare_reduce_options *options, const pare_history_origin *origin,
                                    uint64_t spent_ms, pare_text **text);

/* Makes `step` the best; the input was checked.  PARE_RUN_ENDED: the run ended with that.
 * Errors: PARE_E_STATE (it does not fail), PARE_E_INTERRUPTED (the run ended before that was known),
 * in both cases nothing is written; those of the session. */
PARE_CHECK pare_status pare_history_phase_run(pare_work *work, const pare_text *step,
                                              pare_error *err);

#endif
