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

#include "base/fail.h"

/* Where units begin and end: unit i is bytes at[i] .. at[i+1]-1, at[0] is 0 and at[n] is
 * the size.  `at` is NULL when every unit is one byte (then n is the size).
 * All-zero is no unit at all. */
typedef struct pare_bounds {
    uint32_t *at; /* owned, n + 1 entries, or NULL */
    size_t n;     /* units */
} pare_bounds;

void pare_split_bounds_done(pare_bounds *bounds);
size_t pare_split_bounds_begin(const pare_bounds *bounds, size_t i); /* i <= n */

/* Whether the units are not empty and tile `size` bytes without gap, in order. */
bool pare_split_bounds_check(const pare_bounds *bounds, size_t size);

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

/* ---- what tokens and brackets share ---------------------------------------------------- */

/* Size of the line end at bytes[at], at < size: LF and CR are 1, CRLF is 2; 0 when
 * there is none. */
static inline size_t pare_split_newline(const unsigned char *bytes, size_t size, size_t at)
{
    if (bytes[at] == '\n') return 1;
    if (bytes[at] != '\r') return 0;
    return at + 1 < size && bytes[at + 1] == '\n' ? 2 : 1;
}

/* A quoted string begins with one of " ' ` and ends at the next one of its kind on the same
 * line before which there is no escaping backslash.  A quote without such an end is an
 * ordinary character.
 * What is known about the text ahead, so that a line full of quotes without an end
 * costs linear time.  All-zero at the start of a text; one walk, front to back. */
typedef struct pare_quotes {
    size_t barren[3]; /* by kind of quote: no end of a string before this offset */
} pare_quotes;

/* Offset after the string that begins with the quote at bytes[at]; at + 1 when it
 * begins none.  Offsets must not decrease from call to call. */
size_t pare_split_quote_end(pare_quotes *quotes, const unsigned char *bytes, size_t size,
                            size_t at);

#endif
