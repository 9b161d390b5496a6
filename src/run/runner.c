/* Choosing a launcher by measuring it.
 *
 * The first tests are run twice, as a process and the other way, until PARE_RUNNER_SAMPLES pairs
 * have ended the same and the other way was faster by a tenth at least; one pair that differs
 * decides for processes.  The first pair is not timed, because it includes the start of a server.
 *
 * Why measure: whether a program can be forked in the middle of its start, and whether that saves
 * anything, depends on what it does before main and on the machine.  The samples cost six runs; a
 * wrong choice would slow down the whole reduction.
 *
 * A launcher whose tests share a process is trusted less: the first test of all and every
 * failure have to be confirmed by a process of its own, since what a test left in memory may
 * be what fails.  Invariant: once settled, the choice changes only towards processes. */
#include "run/runner.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include <pare/outcome.h>
#include <pare/test.h>

#include "base/fail.h"
#include "os/executable.h"
#include "run/launcher.h"
#include "run/server.h"

/* `fast` must take at most this part of a process's time.  Less gain is not worth the risk that
 * tests of the two differ in something that the samples did not show. */
static const double FASTER = 0.9;

/* The choice is made, for `format`'s reason, which is told to the user; nothing is measured any
 * more.  What is in use is `other` from now on. */
__attribute__((format(printf, 2, 3))) static void settle(pare_runner_state *runner,
                                                         const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)vsnprintf(runner->reason, sizeof runner->reason, format, values);
    va_end(values);
    runner->settled = true;
}

/* Stays with processes.  `fast` is kept: a test may still run there. */
static void settle_for_spawn(pare_runner_state *runner, const char *reason)
{
    runner->other = PARE_RUNNER_SPAWN;
    settle(runner, "%s", reason);
}

/* Makes `fast`, the other way than processes, by what was asked for and what the program is; there
 * is always one to try.  The first that fits: a worker of the user's is the only way to
 * run its tests; a library is called in a worker of ours; a program with AFL's loop goes on in one
 * process; any other is forked at its main. */
static pare_status make_fast(pare_runner_state *runner, const pare_launcher_home *home,
                             const pare_command *command, const pare_executable *program,
                             pare_error *err)
{
    if (command->is_worker) {
        runner->other = PARE_RUNNER_WORKER;
        return pare_server_new(&pare_launch_dialog, home, &runner->fast, err);
    }
    bool is_asked = runner->asked == PARE_RUNNER_INPROCESS;
    if (is_asked && !command->is_harness)
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "--runner inprocess needs a shared library with "
                         "LLVMFuzzerTestOneInput: write -- LIBRARY");
    if (is_asked || (runner->asked == PARE_RUNNER_AUTO && command->is_harness)) {
        runner->other = PARE_RUNNER_INPROCESS;
        runner->shares_state = true;
        return pare_server_new(&pare_launch_worker, home, &runner->fast, err);
    }
    bool loops = program->has_afl && program->is_persistent && !home->is_cell;
    if (runner->asked == PARE_RUNNER_AFL || (runner->asked == PARE_RUNNER_AUTO && loops)) {
        runner->other = PARE_RUNNER_AFL;
        runner->shares_state = true;
        return pare_server_new(&pare_launch_afl, home, &runner->fast, err);
    }
    runner->other = PARE_RUNNER_PRELOAD;
    return pare_server_new(&pare_launch_preload, home, &runner->fast, err);
}

/* What is known from the file alone is decided here; the rest is measured. */
pare_status pare_runner_init(pare_runner_state *runner, pare_runner asked,
                             const pare_launcher_home *home, const pare_command *command,
                             pare_error *err)
{
    pare_executable program = {.is_script = false};
    pare_error why = {0};
    *runner = (pare_runner_state){.asked = asked, .other = PARE_RUNNER_SPAWN};
    pare_status status = pare_launch_spawn_new(home, &runner->spawn, err);
    if (status) return status;
    if (command->is_worker && asked != PARE_RUNNER_AUTO)
        return pare_fail(err, PARE_E_ARG,
                         "--worker already says how tests are run: leave out --runner");
    if (asked == PARE_RUNNER_SPAWN) {
        settle(runner, "asked for");
        return PARE_OK;
    }
    if (home->is_cell && asked == PARE_RUNNER_AFL)
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "the shared memory of AFL does not exist in the full sandbox: add "
                         "--sandbox devices, or leave out --runner");
    /* One that cannot be read is known when it is started. */
    bool known = !pare_executable_read(command->words[1], &program, NULL);
    if (asked == PARE_RUNNER_AUTO && known && program.is_script && !command->is_worker) {
        settle_for_spawn(runner, "the test is a script, whose programs would start as before");
        return PARE_OK;
    }
    status = make_fast(runner, home, command, &program, &why);
    if (status) status = pare_runner_give_up(runner, status, &why);
    if (status && err) *err = why;
    if (!status && runner->fast && (asked != PARE_RUNNER_AUTO || command->is_worker))
        settle(runner, "asked for");
    return status;
}

/* No test may run any more; servers still do, and end here. */
void pare_runner_done(pare_runner_state *runner)
{
    pare_launcher_free(runner->fast);
    pare_launcher_free(runner->spawn);
    *runner = (pare_runner_state){.settled = false};
}

/* A new reason for the choice that stands. */
void pare_runner_tell(pare_runner_state *runner, const char *reason)
{
    settle(runner, "%s", reason);
}

/* While it is measured, a test runs as a process first. */
pare_runner pare_runner_chosen(const pare_runner_state *runner)
{
    return runner->settled ? runner->other : PARE_RUNNER_SPAWN;
}

/* A launcher for what is in use now. */
pare_launcher *pare_runner_next(const pare_runner_state *runner)
{
    return pare_runner_chosen(runner) == PARE_RUNNER_SPAWN ? runner->spawn : runner->fast;
}

/* What a process of its own tells is believed; only a worker's test can be nothing but a
 * worker's. */
pare_launcher *pare_runner_again(const pare_runner_state *runner)
{
    return runner->other == PARE_RUNNER_WORKER ? runner->fast : runner->spawn;
}

/* A second run of a slow test would cost more than its start, which is all that can be saved. */
bool pare_runner_wants_sample(pare_runner_state *runner, const pare_runner_run *first)
{
    if (runner->settled || !runner->fast || first->timed_out) return false;
    /* A shared process saves what comes before the test, which may be most of it: the start
     * of a sanitizer, a harness's own. */
    if (first->ms < PARE_RUNNER_SLOW_MS || runner->shares_state) return true;
    settle_for_spawn(runner, "a test takes so long that its start does not matter");
    return false;
}

/* Times are summed, not averaged or ranked: the sum of five pairs is what the user would have
 * waited, and one slow run of either kind shifts it by as much as it cost. */
void pare_runner_sample(pare_runner_state *runner, const pare_runner_run *first,
                        const pare_runner_run *second)
{
    if (runner->settled) return;
    bool same = !second->timed_out && !second->ending.lost &&
                first->ending.exit_code == second->ending.exit_code &&
                first->ending.signal == second->ending.signal &&
                pare_digest_equal(first->judged, second->judged);
    if (!same) {
        settle_for_spawn(runner, runner->shares_state
                                     ? "a test ended, or printed, otherwise in a shared process"
                                     : "a test ended, or printed, otherwise in a fork server");
        return;
    }
    /* The first sample holds the start of a server; later ones tell what a test costs. */
    if (runner->n_samples++ > 0) {
        runner->spawn_ms += first->ms;
        runner->fast_ms += second->ms;
    }
    if (runner->n_samples < PARE_RUNNER_SAMPLES) return;
    if (runner->fast_ms > FASTER * runner->spawn_ms) {
        settle_for_spawn(runner, "the other way was not faster");
        return;
    }
    assert(runner->n_samples == PARE_RUNNER_SAMPLES && runner->fast);
    double n = PARE_RUNNER_SAMPLES - 1;
    runner->trusted = true;
    settle(runner, "%.2f ms a test instead of %.2f, and the same endings", runner->fast_ms / n,
           runner->spawn_ms / n);
}

/* Only a refusal is forgiven (UNSUPPORTED: the program; STATE: our library is missing), and only if
 * the user did not ask for this launcher; no memory, for one, would hit processes as well. */
pare_status pare_runner_give_up(pare_runner_state *runner, pare_status status,
                                const pare_error *err)
{
    bool asked = runner->asked != PARE_RUNNER_AUTO && runner->asked != PARE_RUNNER_SPAWN;
    /* Servers that somebody kills say nothing about the program. */
    const bool died = status == PARE_E_LIMIT && runner->other != PARE_RUNNER_WORKER;
    bool refused = status == PARE_E_UNSUPPORTED || status == PARE_E_STATE;
    if (!died && (asked || !refused)) return status;
    settle_for_spawn(runner, err->message);
    return PARE_OK;
}

/* What an earlier test left in memory may be what fails, so its failures need a second witness. */
bool pare_runner_must_confirm(const pare_runner_state *runner, const pare_launcher *launcher)
{
    return runner->shares_state && launcher == runner->fast;
}

/* A failure that only a process shows must not be tested for in a shared one. */
void pare_runner_compare_first(pare_runner_state *runner, pare_outcome shared, pare_outcome own)
{
    runner->trusted = true;
    if (own == PARE_FAIL && shared != PARE_FAIL)
        settle_for_spawn(runner, "the failure is seen only where each test has a process");
}

/* A server that dies now and then is replaced; one that dies again and again is given up. */
void pare_runner_note(pare_runner_state *runner, bool lost)
{
    runner->n_lost = lost ? runner->n_lost + 1 : 0;
    if (runner->n_lost == PARE_RUNNER_LOSSES)
        settle_for_spawn(runner, "the fork servers died again and again");
}
