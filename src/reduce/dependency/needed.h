/* What a program needs by its graph, in one test: for whoever has just made something go that needed much. */
#ifndef PARE_REDUCE_DEPENDENCY_NEEDED_H
#define PARE_REDUCE_DEPENDENCY_NEEDED_H

#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/dependency/dependency_graph.h"

/* A strategy that proposes the closure of what the program starts with, or of its last node, with the bodies of
 * all functions, unless that is all of the text.  Cost: one test.  On PARE_OK the caller owns *out; the
 * strategy takes a reference to the graph.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_needed_new(pare_dependency *graph, pare_strategy **out,
                                       pare_error *err);

#endif
