/* Signatures of other failures, numbered in the order in which they were met, so that
 * cache and journal can name one in two bytes.
 *
 * Bounded: what is met when the table is full has number 0, like no signature at all.
 * One thread. */
#ifndef PARE_ENGINE_SIGNATURES_H
#define PARE_ENGINE_SIGNATURES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

enum { PARE_SIGNATURES_MAX = 1000 };

/* All-zero is empty. */
typedef struct pare_signatures {
    char **texts; /* owned, each too */
    uint16_t n, capacity;
    pare_buffer loading; /* a text that comes in pieces */
} pare_signatures;

void pare_signatures_done(pare_signatures *signatures);

/* The number of `text`, from 1; *is_new tells whether it was met the first time.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_signatures_number(pare_signatures *signatures, const char *text,
                                              uint16_t *number, bool *is_new, pare_error *err);

/* The text of a number; NULL: of 0, or of one that was not given. */
const char *pare_signatures_text(const pare_signatures *signatures, uint16_t number);

/* Takes one piece of a text that a journal holds.  The first forgets what was begun and
 * never completed (its process was killed), the last completes the text.
 * Errors: PARE_E_NOMEM. */
typedef struct pare_signature_piece {
    const char *text;
    size_t size;
    bool first, last;
} pare_signature_piece;
PARE_CHECK pare_status pare_signatures_load(pare_signatures *signatures,
                                            const pare_signature_piece *piece, pare_error *err);

#endif
