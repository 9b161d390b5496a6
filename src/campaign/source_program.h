/* Programs that make inputs: started, awaited, and ended together with all of their processes.
 *
 * The user chose them, like test commands, so there is no sandbox; but each runs in a session of
 * its own, and when it is ended, or this process is killed, none of its processes is left.  One
 * thread. */
#ifndef PARE_CAMPAIGN_SOURCE_PROGRAM_H
#define PARE_CAMPAIGN_SOURCE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include <pare/stop.h>

#include "base/fail.h"
#include "os/process_tree.h"
#include "os/sandbox/guard.h"
#include "os/spawn.h"

/* Up to n at a time, each in a slot.  All-zero is empty. */
typedef struct pare_source_programs {
    char run_id[PARE_PROCESS_TREE_RUN_ID_BYTES];
    pare_spawner spawner;
    pare_guard guard;
    pare_process_tree tree;
    pare_child *children; /* owned; pidfd -1: none runs in the slot */
    unsigned n;
    bool has_spawner, has_tree;
} pare_source_programs;

/* *programs is to be done in any case.  Errors: PARE_E_IO, PARE_E_STATE, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_source_program_init(pare_source_programs *programs, unsigned n,
                                                pare_error *err);
void pare_source_program_done(pare_source_programs *programs); /* ends what still runs */

/* What is started.  All borrowed for the call. */
typedef struct pare_source_program_order {
    char *const *words;      /* "/bin/sh", what to execute, arguments, NULL: see run/command.h */
    const char *folder;      /* where it runs */
    const char **variables;  /* "NAME=VALUE", over ours; NULL-terminated */
    int output_fd, error_fd; /* at least 3, or -1 for /dev/null */
    uint64_t file_bytes;     /* of a file that it writes; 0: no limit */
} pare_source_program_order;

/* Starts a program in a free slot.  Errors: PARE_E_IO (also: there is no such program). */
PARE_CHECK pare_status pare_source_program_start(pare_source_programs *programs, unsigned slot,
                                                 const pare_source_program_order *order,
                                                 pare_error *err);

/* Waits for its end at most `timeout_ms` (negative: for ever), or until a stop is requested; true
 * when it has ended. */
bool pare_source_program_await(const pare_source_programs *programs, unsigned slot,
                               int64_t timeout_ms, const pare_stop *stop);

/* Ends what is left of it and frees the slot; *ending says how its first process ended, which is
 * by our signal if it ran.  A no-op for a free slot.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_source_program_end(pare_source_programs *programs, unsigned slot,
                                               pare_ending *ending, pare_error *err);

#endif
