/* Which parts of a text mention each other, where nothing is known of its language: a word that stands in
 * few places, and in the first line of a part, is taken for that part's name.
 *
 * The parts, units, are the items of the list that holds most of the text, or records of several items.
 * Immutable and reference-counted, one thread. */
#ifndef PARE_REDUCE_STRUCTURE_MENTIONS_H
#define PARE_REDUCE_STRUCTURE_MENTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/structure/structure.h"

#define PARE_MENTIONS_NO_UNIT UINT32_MAX

/* Lines from .. to-1. */
typedef struct pare_mentions_unit {
    uint32_t from, to;
} pare_mentions_unit;

/* Bytes begin .. end-1 of the lines are the name of the unit `of`, in a line of another one or of none. */
typedef struct pare_mention {
    uint32_t of, line;
    uint32_t begin, end;
} pare_mention;

typedef struct pare_mentions {
    size_t refs;
    pare_structure *structure; /* one reference */
    pare_mentions_unit *units; /* owned; ascending */
    uint32_t n_units;
    uint32_t *unit_of;   /* owned; of each line; PARE_MENTIONS_NO_UNIT: none */
    pare_mention *items; /* owned; in the order of the text */
    size_t n_items;
    uint32_t n_named;   /* units that are mentioned, */
    size_t named_bytes; /* and all their bytes */
} pare_mentions;

/* Finds them.  On PARE_OK the caller owns *out, one reference; there may be no mention.  O(bytes).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_mentions_new(pare_structure *structure, pare_mentions **out,
                                         pare_error *err);
pare_mentions *pare_mentions_ref(pare_mentions *mentions);
void pare_mentions_unref(pare_mentions *mentions); /* NULL is a no-op */

#endif
