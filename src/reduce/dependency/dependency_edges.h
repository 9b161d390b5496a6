/* Edges of a dependency graph that are learned while reducing. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_EDGES_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

/* A need that was learned while reducing: if `from` is kept, `to` is. */
typedef struct pare_dependency_edge {
    uint32_t from, to;
} pare_dependency_edge;

/* Edges in the making; all-zero: none.  The caller owns the array. */
typedef struct pare_dependency_edges {
    pare_dependency_edge *at; /* sorted by from, then to; each once */
    size_t n, capacity;
} pare_dependency_edges;

/* Adds the edge; *added: it was not there.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_edges_add(pare_dependency_edges *edges,
                                                 pare_dependency_edge edge, bool *added,
                                                 pare_error *err);
void pare_dependency_edges_done(pare_dependency_edges *edges); /* all-zero is a no-op */

#endif
