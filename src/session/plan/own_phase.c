/* Runs an algorithm of the user's over units of the file: functions of theirs, or a process that
 * proposes in lines.
 *
 * Both are one interface (<pare/strategy.h>), so there is one way to the engine.  A process is started
 * for each run of the phase; it is a child of ours that is no test, which the sweeps after tests are
 * told.
 * Source: ours.  Tested by tests/cli/test_own_strategy.sh and test_own_strategy. */
#include "session/plan/own_phase.h"

#include <stdio.h>

#include <pare/reduce.h>
#include <pare/strategy.h>

#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/list/config.h"
#include "reduce/list/own_strategy.h"
#include "run/process.h"
#include "session/plan/phase_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "session/test/session_oracle.h"
#include "session/test/strategy_process.h"
#include "session/test/strategy_script.h"

/* Runs `algorithm` over `units`; `process` is what it is of, or NULL. */
static pare_status run_algorithm(pare_work *work, const pare_view *view, pare_unit_list *units,
                                 const pare_own_strategy *algorithm,
                                 const pare_strategy_process *process, pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_guarded guarded;
    const pare_session_oracle *oracle = &work->session.oracle;
    const pare_own_start start = {
        .text = view->text, .begin = view->begin, .end = view->end, .units = units};
    pare_status status = pare_own_strategy_new(algorithm, &start, &strategy, err);
    if (status) return status;
    /* The process is no test, so the sweep after a test must not end it as one that was
     * left behind. */
    if (process && oracle->command)
        pare_process_spare(oracle->oracle, pare_strategy_process_guard(process),
                           pare_strategy_process_pid(process));
    status = pare_reducible_ranges_guard(&work->ranges, view, &guarded, &strategy, err);
    if (!status) status = pare_session_run(&work->session, strategy, err);
    if (status || !process) return status;
    /* A process that was ended before it was done ends the run; one that has proposed
     * all it had only its phase. */
    return pare_session_end(&work->session, pare_strategy_process_stopped(process));
}

/* Runs the user's algorithm as a script in this process, which unlike a program has nothing to be
 * ended. */
static pare_status run_script(pare_work *work, const pare_view *view, pare_unit_list *units,
                              const char *path, pare_error *err)
{
    pare_strategy_script *script = NULL;
    pare_status status = pare_strategy_script_new(path, &script, err);
    if (status) return status;
    const pare_own_strategy algorithm = pare_strategy_script_as_strategy(script);
    status = run_algorithm(work, view, units, &algorithm, NULL, err);
    pare_strategy_script_free(script);
    return status;
}

/* Runs the user's algorithm, in whichever of its three forms it is: a script,
 * functions, or a program.
 * A process lives as long as the run of its phase. */
static pare_status run_over(pare_work *work, const pare_view *view, pare_unit_list *units,
                            pare_error *err)
{
    const pare_reduce_options *options = work->session.options;
    pare_strategy_process *process = NULL;
    const char *script = pare_strategy_script_path(options->strategy_command);
    if (script) return run_script(work, view, units, script, err);
    if (options->strategy) return run_algorithm(work, view, units, options->strategy, NULL, err);
    pare_status status =
        pare_strategy_process_new(options->strategy_command, options->events.stop,
                                  pare_session_deadline_ms(&work->session), &process, err);
    if (status) return status;
    const pare_own_strategy algorithm = pare_strategy_process_as_strategy(process);
    status = run_algorithm(work, view, units, &algorithm, process, err);
    pare_strategy_process_free(process);
    return status;
}

pare_status pare_own_phase_run(pare_work *work, const pare_phase *phase, pare_error *err)
{
    char name[64];
    pare_view view;
    bool found;
    pare_unit_list *units = NULL;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = pare_phase_input_cut(phase->splitter, &view, &units, err);
    if (!status && found) {
        /* The pass is called by what its units are. */
        (void)snprintf(name, sizeof name, "own/%s", pare_plan_unit(phase));
        status = pare_session_begin_pass(&work->session, name, units->n, err);
        if (!status) status = run_over(work, &view, units, err);
    }
    pare_config_units_unref(units);
    pare_reducible_ranges_close_view(&view);
    return status;
}
