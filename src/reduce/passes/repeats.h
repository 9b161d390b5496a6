/* Repeats: substrings that occur more than once, the longest and most frequent first.
 *
 * A repeat is maximal: no byte stands before all of its occurrences, and none after them, so that
 * of `10.0.0` the list has no `10.0.` unless that occurs once more without the last 0.
 *
 * Immutable once made; one thread. */
#ifndef PARE_REDUCE_PASSES_REPEATS_H
#define PARE_REDUCE_PASSES_REPEATS_H

#include <stddef.h>
#include <stdint.h>

#include <pare/export.h>
#include <pare/status.h>

typedef struct pare_repeat {
    uint32_t size;            /* bytes of it */
    uint32_t n_places, first; /* its places: so many of pare_repeats.places, from that one on */
} pare_repeat;

/* All-zero: none. */
typedef struct pare_repeats {
    pare_repeat *at; /* owned; by the bytes of all occurrences, the most first */
    size_t n, capacity;
    uint32_t *places; /* owned; of each repeat ascending, two occurrences never overlap */
    size_t n_places, place_capacity;
} pare_repeats;

/* Lists the maximal repeats of at least `least` bytes (1 and more) that occur twice and more in
 * `size` bytes (below 2^31), `most` of them.  On PARE_OK the caller owns *out.
 * O(size log size), 28 bytes of memory a byte.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_repeats_find(const unsigned char *bytes, size_t size, size_t least,
                                         size_t most, pare_repeats *out, pare_error *err);
void pare_repeats_done(pare_repeats *repeats); /* all-zero is a no-op */

#endif
