/* Edges that are learned while reducing: an array in the order of where they lead from, since a closure looks for all
 * edges of one node.  There are hundreds at most, so insertion is by moving. */
#include "reduce/dependency/dependency_edges.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"

/* Looks for the place from the end, because complaints about one candidate come roughly in the
 * order of the text, and moves what is greater by one.  On failure the array is as it was, and
 * *added is true without the edge. */
pare_status pare_dependency_edges_add(pare_dependency_edges *edges, pare_dependency_edge edge,
                                      bool *added, pare_error *err)
{
    size_t i = edges->n;
    while (i && (edges->at[i - 1].from > edge.from ||
                 (edges->at[i - 1].from == edge.from && edges->at[i - 1].to > edge.to)))
        i--;
    /* The loop stops at the last edge that is not greater, which is the equal one if there is
     * any. */
    *added = !(i && edges->at[i - 1].from == edge.from && edges->at[i - 1].to == edge.to);
    if (!*added) return PARE_OK;
    pare_dependency_edge *at = pare_vector_grow(edges->at, edges->n, &edges->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    edges->at = at;
    memmove(at + i + 1, at + i, (edges->n - i) * sizeof *at);
    at[i] = edge;
    edges->n++;
    return PARE_OK;
}

void pare_dependency_edges_done(pare_dependency_edges *edges)
{
    pare_alloc_free(edges->at);
    *edges = (pare_dependency_edges){0};
}
