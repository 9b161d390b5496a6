/* Runs of a generator whose randomness is recorded, or replayed from a list.
 *
 * Our library is preloaded into the generator and all programs that it starts
 * (run/shim/interpose.c), and answers their calls to the sources of randomness of the C library and
 * the kernel.  Each answer is one draw.  A list that ends too early ends the run at once.
 *
 * Runs take place one after the other, in a private folder that is emptied between them,
 * without input, under the caller's own limits.  One thread. */
#ifndef PARE_RUN_RECORDER_H
#define PARE_RUN_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/fail.h"

typedef struct pare_recorder pare_recorder;

/* How a run ended. */
typedef enum pare_recorder_end {
    PARE_RECORDER_DONE,      /* exit code 0 */
    PARE_RECORDER_FAILED,    /* another exit code, or a signal */
    PARE_RECORDER_TIMED_OUT, /* killed */
    PARE_RECORDER_EXHAUSTED, /* the list was too short */
    PARE_RECORDER_FULL       /* too many draws */
} pare_recorder_end;

/* A run.  All members are borrowed during the call. */
typedef struct pare_recorder_run {
    const char *const *words; /* "/bin/sh", what to execute, its arguments, NULL: see
                                 pare_command */
    const uint64_t *list;     /* NULL: record */
    size_t n_list;
    int timeout_ms;
} pare_recorder_run;

/* What came of it. */
typedef struct pare_recorder_result {
    pare_recorder_end end;
    int code;       /* FAILED: exit code, or 128 and the signal's number */
    bool attached;  /* the library was loaded, so randomness could be seen */
    size_t n_draws; /* those that can be read */
} pare_recorder_result;

/* One draw.  Of the functions under way at the last draw of this thread `n_kept`, counted
 * from the outermost, have not returned; `labels` are those entered since, outermost first. */
typedef struct pare_recorder_draw {
    uint64_t index, bound; /* index < bound; of one that is not to be read 0 and 1 */
    uint32_t n_kept, n_labels, thread;
    const uint32_t *labels; /* borrowed until the next run */
} pare_recorder_draw;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_STATE (our library is not where it was
 * installed), PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_recorder_new(pare_recorder **out, pare_error *err);
void pare_recorder_free(pare_recorder *recorder); /* NULL is a no-op */

/* Runs the generator and fills *text with what it prints, *said (may be NULL) with the
 * beginning of its error output; both are emptied first.
 * Errors: PARE_E_IO (it does not start, or prints more than a file may hold), PARE_E_NOMEM;
 * a generator that fails is no error. */
PARE_CHECK pare_status pare_recorder_run_once(pare_recorder *recorder, const pare_recorder_run *run,
                                              pare_buffer *text, pare_buffer *said,
                                              pare_recorder_result *result, pare_error *err);

/* Draw number `at` of the last run.  The generator can write to this memory too: a draw that makes
 * no sense is read as 0 of 1. */
pare_recorder_draw pare_recorder_draw_at(const pare_recorder *recorder, size_t at);

/* The process that cleans up when we are killed: a child of ours that is no test. */
pid_t pare_recorder_guard(const pare_recorder *recorder);

#endif
