/* What is left of a set when nodes are dropped. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_DROP_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_DROP_H

#include "base/fail.h"
#include "reduce/dependency/dependency_graph.h"

/* Takes the `n` nodes at `dropped`, what is in them, and all that cannot do without them out of
 * `kept`.  A name that another kept node declares, too, is not missed.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_drop(const pare_dependency *graph,
                                            const pare_dependency_query *query,
                                            const uint32_t *dropped, size_t n,
                                            pare_dependency_bits *kept, pare_error *err);

#endif
