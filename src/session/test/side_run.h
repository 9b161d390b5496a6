/* Side runs: a program that looks at the text once, beside the tests, and tells something of it.
 *
 * It runs as a test does, in a folder of its own with the text as a file, under a guard and limits: 10 s
 * of a processor, 20 s on the clock, 2 GiB of memory, 64 MiB of files; what it starts ends with it.
 * It is no test, and what comes of it is only a hint. */
#ifndef PARE_SESSION_TEST_SIDE_RUN_H
#define PARE_SESSION_TEST_SIDE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/stop.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "run/command.h"

/* What is looked at; all borrowed during the call. */
typedef struct pare_side_task {
    const char *base_name; /* of the file; NULL: the usual one */
    const unsigned char *text;
    size_t bytes;
    uint64_t deadline_ms;  /* on the clock: when the run has to be over; 0: whenever it is */
    const pare_stop *stop; /* may be NULL */
    bool is_hostile;       /* the text is run by the program: in a cell (sandbox full) or not at
                              all; else in a cell where there can be one */
} pare_side_task;

/* Runs `command` and appends all that it writes to its standard output to *out.  How it ended is not
 * told: an answer says itself whether it is whole.
 * Errors: PARE_E_NOMEM; others when it cannot be run here. */
PARE_CHECK pare_status pare_side_run(const pare_side_task *task, const pare_command *command,
                                     pare_buffer *out, pare_error *err);

#endif
