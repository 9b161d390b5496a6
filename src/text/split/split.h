/* Splitters: how bytes become units.
 *
 * Every splitter cuts a text into units that follow each other without gap, so that
 * printing all of them gives the text back, byte for byte; any bytes are accepted. */
#ifndef PARE_TEXT_SPLIT_SPLIT_H
#define PARE_TEXT_SPLIT_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/algorithm.h>

#include "base/status.h"

/* Where units begin and end: unit i is bytes at[i] .. at[i+1]-1, at[0] is 0 and at[n] is
 * the size.  `at` is NULL when every unit is one byte (then n is the size).
 * All-zero is no unit at all. */
typedef struct pare_bounds {
    uint32_t *at; /* owned, n + 1 entries, or NULL */
    size_t n;     /* units */
} pare_bounds;

void pare_bounds_done(pare_bounds *bounds);
size_t pare_bounds_begin(const pare_bounds *bounds, size_t i); /* i <= n */

/* Whether the units are not empty and tile `size` bytes without gap, in order. */
bool pare_bounds_check(const pare_bounds *bounds, size_t size);

typedef struct pare_splitter {
    pare_unit_info info; /* name and one line about it */
    /* Cuts `size` bytes (at most PARE_TEXT_MAX_BYTES); sets *out only on success, the
     * caller owns it.  Errors: PARE_E_NOMEM. */
    pare_status (*split)(const unsigned char *bytes, size_t size, pare_bounds *out,
                         pare_error *err);
} pare_splitter;

/* The flat splitters, ordered from coarse to fine: line, token, char, byte; *n entries.
 * ("bracket" is a tree: see text/split/bracket.h.) */
const pare_splitter *const *pare_splitters(size_t *n);

/* NULL when there is none of that name. */
const pare_splitter *pare_splitter_find(const char *name);

#endif
