/* What a run has gone through, for the report: its phases, and its bests as edits.  Of an isolation the
 * bests are its failing sides, and there is a log of the passing ones.
 *
 * Filled from the events of the run, on whose thread it is.  The first best of at most
 * PARE_BEST_LOG_BYTES is kept whole, each later one as what it changes in the one before; when there
 * are more than PARE_BEST_LOG_MOST, or they take more than PARE_BEST_LOG_EDITS bytes, every other one
 * is left out, and from then on so many are.  The first and the last are always there.  So memory is
 * bounded, whatever the input was. */
#ifndef PARE_UI_BEST_LOG_H
#define PARE_UI_BEST_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/events.h>

#include "base/fail.h"

enum {
    PARE_BEST_LOG_BYTES = 128 * 1024, /* of a best; a larger one is not looked at by a reader */
    PARE_BEST_LOG_EDITS = 192 * 1024, /* of all texts that bests have and those before had not, and
                                         of PARE_BEST_LOG_EDIT for each edit */
    PARE_BEST_LOG_EDIT = 16,
    PARE_BEST_LOG_MOST = 400 /* bests */
};

/* Bytes at .. at + removed - 1 of the best before give way to `size` bytes. */
typedef struct pare_best_edit {
    size_t at, removed;
    size_t text, size; /* in pare_best_log_text */
} pare_best_edit;

typedef struct pare_best {
    uint64_t n;     /* number of the test that made it the best; 0: the input */
    uint64_t tests; /* that had run */
    double seconds;
    size_t size_bytes;
    size_t phase;         /* index; the first of its name */
    size_t edit, n_edits; /* ascending, apart; none of the first best */
} pare_best;

/* A phase that has begun, from the first on.  `name` is that of another one where they are the same:
 * its address may be compared. */
typedef struct pare_best_phase {
    const char *name;
    size_t first; /* phase of that name */
    uint64_t tests;
    double seconds;
} pare_best_phase;

typedef struct pare_best_log pare_best_log;

/* Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_best_log_new(pare_best_log **out, pare_error *err);
void pare_best_log_free(pare_best_log *log); /* NULL is a no-op */

/* Takes what the event tells.  Without memory no more is taken, and what there is stays. */
void pare_best_log_add(pare_best_log *log, const pare_event *event);

/* Takes the end of the run's result, whose last best may not have been kept; call it once, before
 * what follows. */
void pare_best_log_end(pare_best_log *log);

/* What there is; borrowed until the log is freed. */
const pare_best *pare_best_log_bests(const pare_best_log *log, size_t *n);
const pare_best_edit *pare_best_log_edits(const pare_best_log *log);
const pare_best_phase *pare_best_log_phases(const pare_best_log *log, size_t *n);
const unsigned char *pare_best_log_text(const pare_best_log *log);
const unsigned char *pare_best_log_first(
    const pare_best_log *log); /* bests[0].size_bytes of them */

/* The passing sides, whose phases are those of `log`; NULL: there were none. */
const pare_best_log *pare_best_log_passing(const pare_best_log *log);

#endif
