/* What a set that is not enough is most likely to lack. */
#ifndef PARE_REDUCE_DEPENDENCY_NEARNESS_H
#define PARE_REDUCE_DEPENDENCY_NEARNESS_H

#include <stddef.h>

#include "base/fail.h"
#include "base/shared.h"
#include "reduce/dependency/dependency_graph.h"

/* An order of nodes; the first n_near of them are called by the text of the set. */
typedef struct pare_nearness {
    pare_shared *list; /* of uint32_t: n nodes; one reference */
    size_t n, n_near;
} pare_nearness;

/* The nodes of `within` that are not in `base` and may be chosen by themselves.  First those that declare a name which
 * the text of `base` has somewhere, and that could be meant there: they stand outside of classes, or in a class of
 * `base`.  Then other parts of what is in `base`, then all others; each in the order of the file.
 * On PARE_OK the caller owns out->list; else *out is untouched.  Cost: the text, and the declarations of its names.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_nearness_order(const pare_dependency *graph,
                                           const pare_dependency_bits *within,
                                           const pare_dependency_bits *base, pare_nearness *out,
                                           pare_error *err);

#endif
