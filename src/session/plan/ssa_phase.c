/* The phase of texts of instructions: what reduce/ssa offers for the file at hand.
 *
 * Invariant: the dialect is of the file that work->ssa_file names; each run reads anew what is left.
 * Tested by tests/cli/test_ssa.sh. */
#include "session/plan/ssa_phase.h"

#include "engine/strategy.h"
#include "reduce/ssa/ssa.h"
#include "reduce/ssa/ssa_reduction.h"
#include "session/plan/phase_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "text/text.h"

/* Finds out once for each file whether it is one, and how it is written. */
static pare_status know(pare_work *work, const pare_view *view, pare_error *err)
{
    if (work->ssa_known && work->ssa_file == work->file) return PARE_OK;
    pare_span bytes = pare_reducible_ranges_bytes(view);
    pare_status status =
        pare_ssa_detect(bytes.bytes, bytes.size, &work->ssa_found, &work->ssa, err);
    work->ssa_known = !status;
    work->ssa_file = work->file;
    return status;
}

static pare_status run_view(pare_work *work, const pare_view *view, pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_guarded guarded;
    pare_status status = know(work, view, err);
    if (status || !work->ssa_found || view->end == view->begin) return status;
    status = pare_session_begin_pass(&work->session, "instructions", view->end - view->begin, err);
    if (!status)
        status =
            pare_ssa_reduction_new(view->text, view->begin, view->end, &work->ssa, &strategy, err);
    if (!status)
        status = pare_reducible_ranges_guard(&work->ranges, view, &guarded, &strategy, err);
    return status ? status : pare_session_run(&work->session, strategy, err);
}

pare_status pare_ssa_phase_run(pare_work *work, pare_error *err)
{
    pare_view view;
    bool found;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = run_view(work, &view, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}
