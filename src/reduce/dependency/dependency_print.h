/* The texts of sets of nodes. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_PRINT_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_PRINT_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/dependency/dependency_graph.h"
#include "text/candidate.h"

/* The text of the nodes in `kept`, with what is in no node.  A parent that is not kept takes all
 * that is in it along.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_print_candidate(const pare_dependency *graph,
                                                       const pare_dependency_bits *kept,
                                                       pare_candidate *candidate, pare_error *err);

/* Bytes of that text. */
size_t pare_dependency_print_size(const pare_dependency *graph, const pare_dependency_bits *kept);

/* The innermost node that printed byte `offset` of that text; PARE_NO_NODE: none did. */
uint32_t pare_dependency_print_node_at(const pare_dependency *graph,
                                       const pare_dependency_bits *kept, size_t offset);

#endif
