/* Which launcher runs the tests: a new process each time, or something faster.
 *
 * Auto starts with processes and runs the first tests twice, also the other way.  If all of
 * PARE_RUNNER_SAMPLES pairs end the same, also for the judge, and the other way was faster, it is
 * kept; otherwise, and if there is no other way, processes are used.  The choice can be queried,
 * with the reason.  A test whose server died is run again as a process; after PARE_RUNNER_LOSSES of
 * them in a row, processes are used for good.  A user's worker is the only way to run its tests.
 *
 * Nothing is measured here: times and endings are given, so that the choice can be tested without
 * a machine's load in it.  One thread. */
#ifndef PARE_RUN_RUNNER_H
#define PARE_RUN_RUNNER_H

#include <pare/outcome.h>
#include <pare/test.h>

#include "base/digest.h"
#include "os/process_tree.h"
#include "run/command.h"
#include "run/launcher.h"

enum {
    PARE_RUNNER_SAMPLES = 6,
    PARE_RUNNER_LOSSES = 3,
    PARE_RUNNER_SLOW_MS = 50 /* a test this long gains nothing by a quicker start */
};

/* How one test was run. */
typedef struct pare_runner_run {
    pare_ending ending;
    double ms;
    bool timed_out;
    pare_digest judged; /* what the judge made of it and of its output; all-zero: no judge */
} pare_runner_run;

typedef struct pare_runner_state {
    pare_runner asked, other;   /* `other` is what `fast` is */
    pare_launcher *spawn;       /* owned */
    pare_launcher *fast;        /* owned; NULL: there is none, or it is of no use */
    bool settled, shares_state; /* shares_state: tests of `fast` run in one process */
    bool trusted;               /* a process and `fast` have judged alike once */
    unsigned n_samples, n_lost;
    double spawn_ms, fast_ms; /* over the samples */
    char reason[256];
} pare_runner_state;

/* Makes the launchers for tests of `command`; `home` is borrowed until done.
 * Errors: PARE_E_UNSUPPORTED (what was asked for cannot run it), PARE_E_STATE (not
 * installed), PARE_E_NOMEM; *runner is to be done in any case. */
PARE_CHECK pare_status pare_runner_init(pare_runner_state *runner, pare_runner asked,
                                        const pare_launcher_home *home, const pare_command *command,
                                        pare_error *err);
void pare_runner_done(pare_runner_state *runner); /* all-zero is a no-op */

/* Who runs the next test. */
pare_launcher *pare_runner_next(const pare_runner_state *runner);

/* Who runs a test once more whose server has died. */
pare_launcher *pare_runner_again(const pare_runner_state *runner);

/* Whether the test that ended as `first` says is to be run again by `fast`, as a sample. */
bool pare_runner_wants_sample(pare_runner_state *runner, const pare_runner_run *first);

/* Takes a sample: how the same candidate ended as a process (`first`) and by `fast` (`second`).
 * The last of them, or one that differs, settles the choice. */
void pare_runner_sample(pare_runner_state *runner, const pare_runner_run *first,
                        const pare_runner_run *second);

/* `fast` cannot run the program; `err` says why.  Returns PARE_OK when processes are as
 * good, or the error when the user asked for the other way. */
PARE_CHECK pare_status pare_runner_give_up(pare_runner_state *runner, pare_status status,
                                           const pare_error *err);

/* A test of `fast` has ended; `lost`: its server died before it said how. */
void pare_runner_note(pare_runner_state *runner, bool lost);

/* Whether a failure that `launcher` found is to be seen in a new process too: its tests
 * share one. */
bool pare_runner_must_confirm(const pare_runner_state *runner, const pare_launcher *launcher);

/* The first test of such a launcher was run in a new process too, whatever came of it; these are
 * the two outcomes.  A failure that only the process shows (a leak, which is reported when a
 * process ends) would never be seen in a shared one, so processes stay. */
void pare_runner_compare_first(pare_runner_state *runner, pare_outcome shared, pare_outcome own);

/* Replaces the reason that is told for the launcher in use. */
void pare_runner_tell(pare_runner_state *runner, const char *reason);

/* What is in use now, and why. */
pare_runner pare_runner_chosen(const pare_runner_state *runner);

#endif
