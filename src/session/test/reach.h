/* Reach: what a script does not execute when it is run, found out by one run of an interpreter.
 *
 * The interpreter is the one that the test names, or another one of the same language: what an
 * engine without means of its own executes, another one shows well enough, for everything that
 * follows from it is tested.  It runs in a sandbox (full; without one nothing is run), beside the
 * test and under limits of its own: 10 s of a processor, 20 s on the clock, 2 GiB of memory, 64 MiB
 * of files; and what it starts ends with it. */
#ifndef PARE_SESSION_TEST_REACH_H
#define PARE_SESSION_TEST_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/input.h>
#include <pare/stop.h>
#include <pare/test.h>

#include "base/fail.h"
#include "session/test/reach_report.h"

/* What is run, and for which test; all borrowed during the call. */
typedef struct pare_reach_task {
    const pare_input_options *input; /* the name of the script's file */
    const pare_test_options *test;
    const char *language; /* of the script, as packs are called; NULL: by its name */
    const unsigned char *text;
    size_t bytes;
    uint64_t deadline_ms;  /* on the clock: when the run has to be over; 0: whenever it is */
    const pare_stop *stop; /* may be NULL */
} pare_reach_task;

/* Whether scripts of this language, or name where that is not known, can be recorded: an
 * interpreter is installed.  Nothing is run. */
bool pare_reach_is_possible(const pare_reach_task *task);

/* Runs the script once.  *out is all-zero where nothing came of it: there is no interpreter, it
 * refuses the script, does not end, dies before it tells, or cannot be run here.  On PARE_OK the
 * caller ends *out with pare_reach_report_done.  It takes no test.
 * Deterministic as far as the script is: the same text has the same reach.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_reach_record(const pare_reach_task *task, pare_reach *out,
                                         pare_error *err);

#endif
