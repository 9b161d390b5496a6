/* Where no language is known, the text itself tells what belongs together (reduce/structure).
 *
 * What is left of a text has another structure, in which what was light before is heavy, so a run
 * that has paid is followed by another.  Where there is a language its tree knows all of this
 * better.  Source: ours, see docs/design/structure.md.  Test: tests/cli/test_structure.sh. */
#include "session/plan/structure_phase.h"

#include "base/fail.h"
#include "engine/engine.h"
#include "engine/strategy.h"
#include "reduce/structure/structure.h"
#include "reduce/structure/structure_reduction.h"
#include "reduce/syntax/front_end.h"
#include "session/plan/phase_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "text/pattern.h"

enum {
    LEAST_LINES = 3,  /* fewer have no structure */
    PAYING_SHARE = 10 /* a run that leaves out less than this part of the text is the last */
};

/* Runs the strategy over `structure`, a reference to which is taken over. */
static pare_status run_strategy(pare_work *work, const pare_view *view, pare_structure *structure,
                                pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_guarded guarded;
    pare_status status =
        pare_session_begin_pass(&work->session, "structure", structure->table.n_lines, err);
    if (!status) status = pare_structure_reduction_new(structure, &strategy, err);
    pare_structure_unref(structure); /* the strategy has its own */
    if (!status)
        status = pare_reducible_ranges_guard(&work->ranges, view, &guarded, &strategy, err);
    return status ? status : pare_session_run(&work->session, strategy, err);
}

/* One run over the text as it is now; *again says whether it has paid. */
static pare_status run_once(pare_work *work, bool *again, pare_error *err)
{
    pare_view view;
    pare_structure *structure = NULL;
    bool found;
    const size_t before = pare_engine_current(work->session.engine)->size;
    *again = false;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found)
        status =
            pare_structure_new(view.text, (pare_stretch){view.begin, view.end}, &structure, err);
    if (!status && structure && structure->table.n_lines >= LEAST_LINES)
        status = run_strategy(work, &view, structure, err);
    else
        pare_structure_unref(structure);
    pare_reducible_ranges_close_view(&view);
    const size_t after = pare_engine_current(work->session.engine)->size;
    *again = after < before - before / PAYING_SHARE;
    return status;
}

pare_status pare_structure_phase_run(pare_work *work, pare_error *err)
{
    bool again = !work->front || !pare_front_end_has_reader(work->front);
    pare_status status = PARE_OK;
    while (!status && again)
        status = run_once(work, &again, err);
    return status;
}
