/* The form of a history on disk, read and written in memory.
 *
 * The file `history` in a journal's directory is a 32-byte header and records:
 *   header: "PAREHIS1", digest of the input (16 bytes), check (8)
 *   record: size of the body, the body, check (4)
 *   body: kind (1 byte), and
 *     1 INPUT  the input's text, all of it
 *     2 NAMES  of several files, as far as the text does not say it: the layout's marker (8 bytes),
 *              whether it is one file, number of entries; of each: kind, mode, input, and its path
 *              and target, each a size and bytes
 *     3 PHASE  the name of a phase; phases are numbered from 1 in the order of these records
 *     5 NOTE   what the run's user wanted to be kept, such as a command line: text; the last one counts
 *     4 STEP   how many steps before this one it was made of; number of the test; ms since the start of
 *              the run that found it; number of the phase, 0: none; bytes of its contents; 1 when steps
 *              were left out before it, else 0; the low half of its text's digest (8 bytes); the
 *              delta (text/delta.h) to the end of the body
 * Fixed numbers are little-endian, all others as in base/varint.h; a check is the low part of
 * XXH3-64 of the bytes before it, of a record those of its body.  INPUT comes first, and NAMES next
 * where there are any; steps are numbered from 0, which is the input.
 *
 * Invariant: records are only ever appended, each in one write.  A record that is cut, does not check
 * or says something impossible ends the history: all before it holds.  One thread. */
#ifndef PARE_SESSION_OUTPUT_HISTORY_FILE_H
#define PARE_SESSION_OUTPUT_HISTORY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "text/layout.h"
#include "text/text.h"

enum { PARE_HISTORY_HEADER_BYTES = 32 };

/* A step, without its text. */
typedef struct pare_history_record {
    size_t from;   /* the step that it was made of, below its own number; of step 0: 0 */
    uint64_t test; /* number of the test that found it */
    uint64_t ms;   /* since the start of the run */
    size_t phase;  /* number; 0: none */
    uint64_t bytes;
    bool is_thinned; /* steps were left out before it */
    uint64_t digest; /* low half */
    size_t at, size; /* of its delta, in the bytes of the file */
} pare_history_record;

/* A history in memory; all-zero is empty. */
typedef struct pare_history_file {
    const unsigned char *bytes; /* borrowed; */
    size_t end;                 /* the bytes up to here hold */
    pare_digest input;
    pare_span text;             /* of the input; in the bytes */
    pare_layout *layout;        /* owned; NULL: one file */
    pare_history_record *steps; /* owned */
    size_t n_steps, steps_capacity;
    pare_span *phases; /* owned; in the bytes */
    size_t n_phases, phases_capacity;
    pare_span note; /* in the bytes; none: size 0 */
} pare_history_file;

/* Reads as much as holds.  Sets *file only on success; the bytes are borrowed by it.
 * Errors: PARE_E_CORRUPT (no header, or the input is not whole), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_history_file_read(const void *bytes, size_t size,
                                              pare_history_file *file, pare_error *err);
void pare_history_file_done(pare_history_file *file);

/* A text of a step that is known already.  All-zero: none. */
typedef struct pare_history_known {
    size_t step;
    pare_buffer text; /* owned */
    bool any;
} pare_history_known;

/* Makes *known the text of `step`, which there is; goes on from what it was where that is on the way.
 * O(bytes of all texts on the way).  Errors: PARE_E_CORRUPT (an edit that is none, or the text is not
 * what was recorded), PARE_E_NOMEM; nothing is known then. */
PARE_CHECK pare_status pare_history_file_text(const pare_history_file *file, size_t step,
                                              pare_history_known *known, pare_error *err);

/* Writing: each appends one whole piece of the form to *to.  Errors: PARE_E_NOMEM; *to is then to be
 * thrown away. */
PARE_CHECK pare_status pare_history_file_add_header(pare_buffer *to, pare_digest input,
                                                    pare_error *err);
PARE_CHECK pare_status pare_history_file_add_input(pare_buffer *to, const pare_text *text,
                                                   pare_error *err);
PARE_CHECK pare_status pare_history_file_add_names(pare_buffer *to, const pare_layout *layout,
                                                   pare_error *err);
PARE_CHECK pare_status pare_history_file_add_phase(pare_buffer *to, const char *name,
                                                   pare_error *err);
PARE_CHECK pare_status pare_history_file_add_note(pare_buffer *to, const char *note,
                                                  pare_error *err);

/* Step number `number`; of `step` all but `at` and `size` counts. */
PARE_CHECK pare_status pare_history_file_add_step(pare_buffer *to, size_t number,
                                                  const pare_history_record *step, pare_span delta,
                                                  pare_error *err);

#endif
