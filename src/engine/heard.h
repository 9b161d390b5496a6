/* What the tests of candidates complained of, for strategies that hear it.
 *
 * Complaints are a fact of a candidate, as its outcome is; but few strategies ask for them, and
 * they are long, so they stand beside the cache and not in it.  Kept as text
 * (run/complaints.h), which is what the journal holds, too.  Bounded: when it is full all is
 * forgotten, and a candidate whose complaints are asked for again is tested again.  One thread. */
#ifndef PARE_ENGINE_HEARD_H
#define PARE_ENGINE_HEARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/hash_index.h"
#include "run/complaints.h"
#include "run/printed.h"

/* What was said of a candidate. */
typedef enum pare_heard_what {
    PARE_HEARD_NOT,       /* nothing is known */
    PARE_HEARD_SILENT,    /* its test has said nothing from which it could be told */
    PARE_HEARD_COMPILES,  /* no error */
    PARE_HEARD_COMPLAINTS /* errors */
} pare_heard_what;

/* All-zero is empty. */
typedef struct pare_heard {
    struct pare_heard_entry *entries; /* owned */
    size_t n, capacity;
    pare_hash_index index; /* from digests to entries */
    pare_buffer texts;     /* of all entries */
    pare_buffer loading;   /* a text of a journal, which comes in pieces */
    bool is_loaded;        /* it is whole, and of the next outcome */
} pare_heard;

void pare_heard_done(pare_heard *heard);

pare_heard_what pare_heard_of(const pare_heard *heard, pare_digest key);

/* Fills *complaints; empty unless it has some. */
void pare_heard_get(const pare_heard *heard, pare_digest key, pare_complaints *complaints);

/* Notes what was said of `key`; NULL: nothing.  *text is how it is kept, valid until the next
 * call; what is known of a key already stays.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_heard_put(pare_heard *heard, pare_digest key,
                                      const pare_complaints *complaints, pare_printed *text,
                                      pare_error *err);

/* One piece of such a text, from a journal. */
typedef struct pare_heard_piece {
    const char *text;
    size_t size;
    bool first, last;
} pare_heard_piece;

/* Takes a piece.  The first forgets what was begun and never completed.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_heard_load(pare_heard *heard, const pare_heard_piece *piece,
                                       pare_error *err);

/* The text that was loaded last, if there is one, was said of `key`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_heard_assign(pare_heard *heard, pare_digest key, pare_error *err);

#endif
