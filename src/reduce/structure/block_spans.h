/* Blocks as spans of lines, found by one reading of a text (by its words, its brackets, its
 * indentation), and how two readings become one.
 *
 * Spans stand in the order of their first lines, outer ones before inner ones; those of one
 * reading never cross.  Plain memory, one thread. */
#ifndef PARE_REDUCE_STRUCTURE_BLOCK_SPANS_H
#define PARE_REDUCE_STRUCTURE_BLOCK_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

/* A block: lines first .. last, of which the first is its header.  All-zero: it was opened and
 * never closed. */
typedef struct pare_block_span {
    uint32_t first, last;
    bool closes; /* the last line belongs to it as its closer */
    bool middle; /* a part of the block around it, that begins with a line of that block (else) */
} pare_block_span;

typedef struct pare_block_spans {
    pare_block_span *items; /* owned */
    size_t n, capacity;
} pare_block_spans;

/* All-zero is empty and a no-op. */
void pare_block_spans_done(pare_block_spans *spans);

/* Reserves a place for a block that begins in `line`, so that blocks come to stand in the order of
 * their first lines; *place is its index.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_block_spans_open(pare_block_spans *spans, uint32_t line, bool middle,
                                             size_t *place, pare_error *err);

/* Ends the block at `place`; one of a single line is none. */
void pare_block_spans_close(pare_block_spans *spans, size_t place, uint32_t last, bool closes);

/* Drops what was never closed, and sorts what begins in one line: the larger first, and only that
 * one of several. */
void pare_block_spans_settle(pare_block_spans *spans);

/* Adds to `spans` those of `more` that cross none of them; of two that begin in one line the
 * larger stays, of equal ones that of `spans`.  Both are settled, so is the result.
 * O(both * depth) at worst, linear as a rule.  Errors: PARE_E_NOMEM; `spans` is as it was. */
PARE_CHECK pare_status pare_block_spans_merge(pare_block_spans *spans, const pare_block_spans *more,
                                              pare_error *err);

/* Whether the spans are ordered and none crosses another: for tests. */
bool pare_block_spans_check(const pare_block_spans *spans);

#endif
