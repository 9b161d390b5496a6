/* The units of a list: slices of a text, in order, shared by all configurations.
 *
 * Units need not touch: what lies between them belongs to no unit and always stays (the
 * text around the nodes of one level of a tree).  Immutable, reference-counted, one
 * thread.  Memory: nothing for bytes, 4 bytes a unit otherwise (8 with gaps). */
#ifndef PARE_REDUCE_LIST_UNITS_H
#define PARE_REDUCE_LIST_UNITS_H

#include <stdbool.h>

#include "text/split/bracket.h"
#include "text/split/split.h"

typedef struct pare_unit_list {
    size_t refs;
    size_t n;
    uint32_t *begin; /* owned; NULL: unit i is byte i */
    uint32_t *end;   /* in the block of `begin`; NULL: unit i ends at begin[i + 1], no gaps */
} pare_unit_list;

/* Takes over *bounds (all-zero afterwards).  On PARE_OK the caller owns *out, one
 * reference.  Errors: PARE_E_NOMEM; *bounds is then the caller's. */
PARE_CHECK pare_status pare_units_new(pare_bounds *bounds, pare_unit_list **out, pare_error *err);

/* The same for units with gaps: takes over *slices. */
PARE_CHECK pare_status pare_units_new_gapped(pare_slices *slices, pare_unit_list **out,
                                             pare_error *err);

pare_unit_list *pare_units_ref(pare_unit_list *units);
void pare_units_unref(pare_unit_list *units); /* NULL is a no-op */

static inline size_t pare_units_begin(const pare_unit_list *units, size_t i)
{
    return units->begin ? units->begin[i] : i;
}

static inline size_t pare_units_end(const pare_unit_list *units, size_t i)
{
    if (units->end) return units->end[i];
    return units->begin ? units->begin[i + 1] : i + 1;
}

#endif
