/* What a generator made of lists of choices: remembered, and on disk beside the journal.
 *
 * A run of a generator costs a process, and the same list is asked for again: by the strategy and
 * its copies, and all over again by a run that goes on from its journal.  So what a list made is
 * kept, by the list's digest.
 *
 * The file `made` in the journal's directory is a 32-byte header and records, little-endian:
 *   header: "PAREMADE", the generator's identity (16 bytes: its words and the files that they name),
 *           check (8)
 *   record: bytes of the body (8), the list's digest (16), body, check (8)
 *   body, numbers in groups of 7 bits, the lowest first, where the highest bit says that more follow:
 *           1 when a text was made, else 0; the number of choices, index and bound of each;
 *           the number of spans, of each its label, its parent after 1 (0: none), where it begins,
 *           and its length after 1 (0: it was still open at the end); then the text
 * `check` is XXH3-64 of the bytes before it, of a record of its own only.  A record that does not
 * check ends the file, as in the journal; the file of another generator is begun anew.  At most
 * PARE_MADE_TEXTS_BYTES are kept, in memory and on disk: what comes after is not.  One thread. */
#ifndef PARE_SESSION_TEST_MADE_TEXTS_H
#define PARE_SESSION_TEST_MADE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/sync.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "reduce/choice/choices.h"

enum { PARE_MADE_TEXTS_BYTES = 64 << 20 };

typedef struct pare_made_texts pare_made_texts;

/* Empty, in memory only.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_made_texts_new(pare_made_texts **out, pare_error *err);
void pare_made_texts_free(pare_made_texts *made); /* NULL is a no-op; the file stays */

/* From now on what is added goes to the file in `journal_dir`, too; what is there of the generator
 * `identity` is known.  A second call is a no-op.
 * Errors: PARE_E_BUSY, PARE_E_IO, PARE_E_NOMEM; all stays in memory then. */
PARE_CHECK pare_status pare_made_texts_open(pare_made_texts *made, const char *journal_dir,
                                            pare_digest identity, pare_sync sync, pare_error *err);

/* What a list made. */
typedef struct pare_made_text {
    bool made;        /* else the list makes no text, and `text` is what there was of one */
    pare_buffer text; /* owned, as the record */
    pare_choice_record record;
} pare_made_text;

/* Fills *text (all-zero, or of an earlier call) with what the list of digest `key` made; *found is
 * false when that is not known.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_made_texts_find(const pare_made_texts *made, pare_digest key,
                                            pare_made_text *text, bool *found, pare_error *err);

/* Keeps what a list made, if there is room.  What cannot be written is in memory only, and so is
 * all that follows.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_made_texts_add(pare_made_texts *made, pare_digest key,
                                           const pare_made_text *text, pare_error *err);

/* Removes the file from the directory of a journal that is to go. */
void pare_made_texts_drop(const char *journal_dir);

/* Reading the format, for tests and fuzzing too.  Gives the size of the record at `offset`, and its
 * key, if one is there that checks; 0: none.  Its body is read by the second, which is false where
 * that is damaged, or *status is not PARE_OK (PARE_E_NOMEM). */
size_t pare_made_texts_parse(const void *bytes, size_t size, size_t offset, pare_digest *key);
bool pare_made_texts_read(const void *record, size_t size, pare_made_text *text,
                          pare_status *status);

#endif
