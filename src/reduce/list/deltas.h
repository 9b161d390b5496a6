/* The deltas between a passing and a failing text: the units that only one of them has.
 *
 * In the order of the merge list of both, they are numbered 0 .. n-1.  Applying one to
 * the passing text inserts it, if it is of the failing text, or deletes it, if it is of
 * the passing one; applying none gives the passing text, applying all the failing one.
 * Consecutive deltas that are all applied (or all not) are one slice of the failing (the
 * passing) text, so that a set of deltas is printed in O(its ranges).
 * Immutable, reference-counted, one thread.
 * Source: Zeller and Hildebrandt, TSE 28(2), 2002, section 5. */
#ifndef PARE_REDUCE_LIST_DELTAS_H
#define PARE_REDUCE_LIST_DELTAS_H

#include "text/candidate.h"
#include "text/split/split.h"
#include "text/text.h"

typedef struct pare_deltas pare_deltas;

/* What is compared, and in which units. */
typedef struct pare_deltas_source {
    pare_span passing, failing; /* borrowed; together at most PARE_TEXT_MAX_BYTES */
    const pare_splitter *splitter;
} pare_deltas_source;

/* Compares.  On PARE_OK the caller owns *out, one reference.  Memory: a copy of both
 * texts, 8 bytes a delta.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (the texts are too large together). */
PARE_CHECK pare_status pare_deltas_new(const pare_deltas_source *source, pare_deltas **out,
                                       pare_error *err);
pare_deltas *pare_deltas_ref(pare_deltas *deltas);
void pare_deltas_unref(pare_deltas *deltas); /* NULL is a no-op */

size_t pare_deltas_count(const pare_deltas *deltas);

/* How many units of `finer` the deltas consist of.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deltas_count_units(const pare_deltas *deltas,
                                               const pare_splitter *finer, size_t *n,
                                               pare_error *err);

/* Makes *candidate (initialised or all-zero) empty, to be filled by pare_deltas_add. */
void pare_deltas_start(const pare_deltas *deltas, pare_candidate *candidate);

/* Appends what deltas from .. to-1 print when they are applied, or not, with the common
 * text around them.  A candidate takes all deltas in order, once each; the first call
 * has from = 0, and is made when there are no deltas too.  Errors: PARE_E_NOMEM. */
typedef enum pare_delta_use { PARE_DELTA_NOT_APPLIED, PARE_DELTA_APPLIED } pare_delta_use;
PARE_CHECK pare_status pare_deltas_add(const pare_deltas *deltas, size_t from, size_t to,
                                       pare_delta_use use, pare_candidate *candidate,
                                       pare_error *err);

#endif
