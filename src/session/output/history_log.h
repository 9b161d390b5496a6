/* The history of a run, written as it goes on: each best, as an edit of the one before.
 *
 * It lies in the journal's directory (history_file.h) and stays after a complete run.  A best is
 * written when it has become one, after the result itself; what a kill takes is written by the run
 * that goes on, when the journal brings it back.  Such a run follows the steps that are there, and where
 * it finds another best than they, its steps go off from there: nothing is lost.  The last step is the
 * result, also where a run has come to one that it had found before.
 *
 * The file stays below twice the size of the input (PARE_HISTORY_LEAST_BYTES for small ones): when
 * seven eighths of what may be added are full, only bests that are an eighth smaller than the last
 * step are written, and the result at the end; all of that only as it fits.
 * A history that cannot be written is given up with one sentence; the run goes on.  Takes one more
 * copy of the best in memory.  One thread. */
#ifndef PARE_SESSION_OUTPUT_HISTORY_LOG_H
#define PARE_SESSION_OUTPUT_HISTORY_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/sync.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/log_file.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"

enum { PARE_HISTORY_LEAST_BYTES = 1 << 16 };

/* What is known of each step. */
typedef struct pare_history_node {
    size_t from;
    uint64_t digest; /* low half */
} pare_history_node;

/* All-zero is off. */
typedef struct pare_history_log {
    char *path;        /* owned; NULL: off */
    bool is_continued; /* the journal is, so a history that is there is this run's */
    const char *note;  /* borrowed; kept in the history; NULL: none */
    pare_sync sync;
    const pare_layout *layout; /* borrowed; NULL: one file */
    const pare_text *input;    /* owned reference; NULL once it is written */
    pare_log_file *file;       /* owned; NULL: nothing was noted yet */
    size_t size, most;         /* bytes: of the file, and that it may come to */
    size_t input_bytes;
    pare_history_node *nodes; /* owned */
    size_t n_nodes, nodes_capacity;
    char **phases; /* owned, with the texts */
    size_t n_phases, phases_capacity;
    size_t current;    /* the step that was noted last, and */
    bool is_known;     /* `text` is its text, else it is on disk */
    pare_buffer text;  /* owned */
    bool has_left_out; /* bests after the current step were not written */
} pare_history_log;

/* Prepares the history in `dir` (is_continued and note are set before), of a run that reduces `input`; nothing is written or removed before
 * the first best.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_history_log_open(pare_history_log *log, const char *dir, pare_sync sync,
                                             const pare_layout *layout, const pare_text *input,
                                             pare_error *err);
void pare_history_log_close(pare_history_log *log); /* all-zero is a no-op */

/* What is written of a best besides its text. */
typedef struct pare_history_facts {
    uint64_t test, ms, bytes; /* as in pare_history_record */
    const char *phase;        /* "": none */
    bool is_result;           /* the run ends with it */
} pare_history_facts;

/* Notes that `best` is the best; once for each, a second time costs nothing.  The first one is the
 * input.  Errors: PARE_E_IO, PARE_E_BUSY, PARE_E_CORRUPT, PARE_E_NOMEM; the history is off then. */
PARE_CHECK pare_status pare_history_log_note(pare_history_log *log, const pare_candidate *best,
                                             const pare_history_facts *facts, pare_error *err);

/* Of what a history is to be. */
typedef struct pare_history_origin {
    const char *dir; /* of its journal; borrowed, as all here */
    pare_digest input;
    const pare_layout *layout; /* NULL: one file */
} pare_history_origin;

/* Reads the text of step `step`; on PARE_OK the caller owns *out.
 * Errors: PARE_E_STATE (there is no history, or one of another input), PARE_E_ARG (there is no such
 * step), PARE_E_CORRUPT, PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_history_log_read_step(const pare_history_origin *origin, uint64_t step,
                                                  pare_text **out, pare_error *err);

/* Removes the history in `dir`: that of an earlier run, whose result is replaced by one without. */
void pare_history_log_drop(const char *dir);

#endif
