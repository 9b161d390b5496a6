/* A script engine: a program that is given scripts to run, one after the other.
 *
 * Engines count as hostile: we want to find out what scripts can make them do. Each run has a
 * process of its own in a private directory, in the sandbox that tests of programs have, under
 * limits of time, memory and output; whatever it starts is dead when the run is over.  One
 * thread. */
#ifndef PARE_GENERATE_DISCOVERY_SCRIPT_ENGINE_H
#define PARE_GENERATE_DISCOVERY_SCRIPT_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include <pare/graph_explore.h>

#include "base/buffer.h"
#include "base/fail.h"

enum { PARE_SCRIPT_ENGINE_OUTPUT_BYTES = 64 << 20 }; /* that a run may print, on each stream */

typedef struct pare_script_engine pare_script_engine;

/* Finds the program and prepares its directory; runs nothing.  On PARE_OK the caller owns *out;
 * what `options` holds is borrowed until the engine is freed.
 * Errors: PARE_E_ARG (no command), PARE_E_IO (there is no such program), PARE_E_STATE,
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_script_engine_open(const pare_engine_options *options,
                                               pare_script_engine **out, pare_error *err);
void pare_script_engine_free(pare_script_engine *engine); /* NULL is a no-op */

/* Its command, as the user wrote it, and the digest of its program file in hexadecimal; borrowed. */
const char *pare_script_engine_command(const pare_script_engine *engine);
const char *pare_script_engine_digest(const pare_script_engine *engine);

/* How a run ended. */
typedef struct pare_script_run {
    bool timed_out, flooded; /* it was ended by us, for its time or for what it printed */
    int signal;              /* that ended it; 0: none */
    int exit_code;           /* if neither of these */
    uint64_t ms;             /* that it took */
} pare_script_run;

/* Has the engine run `script` for at most `timeout_ms`.  *printed is what it wrote to its standard
 * output; it is emptied first.  However the run ends is no error of ours.
 * Errors: PARE_E_IO, PARE_E_INTERRUPTED, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_script_engine_run(pare_script_engine *engine, const pare_buffer *script,
                                              uint64_t timeout_ms, pare_buffer *printed,
                                              pare_script_run *run, pare_error *err);

/* Sets *text to how the last run ended, as the end of a sentence about it: "does not end in 2000
 * ms", or "ends with exit code 3: no such file" with the first line of its standard error.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_script_engine_describe(pare_script_engine *engine,
                                                   const pare_script_run *run, pare_buffer *text,
                                                   pare_error *err);

#endif
