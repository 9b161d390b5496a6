/* The oracle that runs a test command: one process a test, many at a time.
 *
 * For a test command, exit code 0 is FAIL (the failure is still there), any other code or death
 * by a signal is PASS, and a time-out is UNRESOLVED.  For a program without a script, a judge
 * decides (judge.h) by how it ended and what it printed; it may ask for other commands to be
 * run on the same candidate.  A worker of the user's says itself what the outcome is; if it ends
 * instead, the outcome is UNRESOLVED (launch_dialog.h).
 *
 * Each test runs in a private directory of its slot, which holds the candidate under the
 * input's base name.  Standard input is /dev/null, or the candidate; output and error are
 * /dev/null unless they are read; PARE_TEST=<run id>.<slot> is in its environment.  When its
 * verdict is given, everything that it started is dead, and its directory is empty.  When we
 * are killed, a guard does the same.
 *
 * After a stop was requested, wait returns PARE_WAIT_INTERRUPTED at once, every time.  It does so
 * too when it is called without a time limit while no test runs, which happens after the end of a
 * test was lost with an error.  free ends what still runs.
 * One thread. */
#ifndef PARE_RUN_PROCESS_H
#define PARE_RUN_PROCESS_H

#include <sys/types.h>

#include <pare/stop.h>
#include <pare/test.h>

#include "os/sandbox/sandbox.h"
#include "run/command.h"
#include "run/judge.h"
#include "run/oracle.h"
#include "run/time_limit.h"
#include "text/layout.h"

typedef struct pare_process_options {
    const pare_command *command;       /* borrowed until the oracle is freed, as are these: */
    const pare_command *other, *valid; /* what else the judge may ask for; may be NULL */
    const pare_command *check;         /* says what is wrong with a candidate, where it is listened
                                          to and the test says nothing; NULL: none */
    pare_judge *judge;                 /* NULL: the command is a test, exit code 0 is FAIL */
    bool finds_check;                  /* without `check`: found by watching a test */
    bool holds_files;                  /* a change of the test's own files is an error, see below */
    const char *base_name;             /* of the input, or of the first one; copied */
    const pare_layout *layout;         /* of several files; NULL: one.  Borrowed */
    pare_names environment;            /* NAME=VALUE, besides ours; borrowed */
    mode_t mode;                       /* of the candidate's file; 0: 0600 */
    unsigned n_slots;                  /* 1 .. */
    uint64_t timeout_ms;               /* 0: learned, see time_limit.h */
    const pare_stop *stop;             /* borrowed; may be NULL */
    bool owns_children;                /* see os/process_tree.h */
    pare_sandbox_options sandbox;      /* what a test sees and may use; is_emulated is ours */
    pare_runner runner;                /* see runner.h */
    int also_exit_code; /* of a command without a judge: says that the candidate is another failure;
                           0: none does */
    int output_fd; /* of a command without a judge: file that the standard output of its tests goes
                      to, at least 3 and borrowed; 0: see above */
} pare_process_options;

/* On PARE_OK the caller owns *out; free it by pare_oracle_free.  While it lives this
 * process is a child subreaper.
 * Errors: PARE_E_ARG (no slots, base name), PARE_E_IO, PARE_E_STATE (SIGCHLD is
 * ignored), PARE_E_UNSUPPORTED (the runner cannot run the test), PARE_E_NOMEM.
 * The oracle's start also gives PARE_E_IO when the test has vanished or cannot be
 * executed any more, and wait when its exit code is lost, or when a file of the test was changed
 * (command_files.h) and options->holds_files; PARE_E_LIMIT when a judge's
 * pattern takes too long, or when we ourselves take so much memory that a test
 * cannot be judged by its memory. */
PARE_CHECK pare_status pare_process_new(const pare_process_options *options, pare_oracle **out,
                                        pare_error *err);

/* A guard and the program that it guards, children of ours that are no tests, are left alone from now
 * on, and those named before are not; 0: none. */
void pare_process_spare(pare_oracle *oracle, pid_t guard, pid_t program);

/* From now on a wait ends with PARE_WAIT_TIMEOUT whenever `fd` is readable; it stays open as long as the
 * oracle.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_process_wake(pare_oracle *oracle, int fd, pare_error *err);

/* What tests see and may use; valid as long as the oracle. */
const pare_sandbox *pare_process_sandbox(const pare_oracle *oracle);

/* Fixes the addresses of the tests that are started from now on, or lays them out at random
 * again.  Each test is a new process from then on, since servers keep the addresses that they
 * began with.  False, and nothing is changed: the user chose a server, or a worker, or the
 * system refuses it. */
bool pare_process_fix_addresses(pare_oracle *oracle, bool fixed);

/* How tests are run now; *reason (may be NULL) says why, valid until the next call. */
pare_runner pare_process_runner(const pare_oracle *oracle, const char **reason);

/* One sentence for the user about workers that ended on a candidate; NULL: none has. */
const char *pare_process_worker_notice(const pare_oracle *oracle);

/* Keeps the standard output and error of the test that is started next.  Meant for one test at a
 * time: usually the first. */
void pare_process_capture_next(pare_oracle *oracle);

/* The end of what the captured test printed: at most 4 KiB, from the start of a line,
 * NUL-terminated; "" when there was no such test.  Where a judge tells the streams apart, it is of
 * standard error if anything was printed there, unless only standard output has words for a fault.  Complete once the test has its verdict; valid
 * until the next captured test has its own. */
const char *pare_process_captured(pare_oracle *oracle);

/* What the last test in `slot` reached, where the runner is AFL's: how often each edge was taken,
 * up to 255 times, in *size_bytes bytes that the caller may change until the slot is started
 * again; NULL: nothing is known.  To be called once for each slot before its first test. */
unsigned char *pare_process_coverage(pare_oracle *oracle, unsigned slot, size_t *size_bytes);

/* What is known about the time that tests take; to be kept in a journal and put back.
 * A limit that the user fixed stays. */
pare_time_limit pare_process_time_limit(const pare_oracle *oracle);
void pare_process_set_time_limit(pare_oracle *oracle, pare_time_limit limit);

#endif
