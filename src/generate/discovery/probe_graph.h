/* From what an engine showed of itself (probe_output.h) to its graph. */
#ifndef PARE_GENERATE_DISCOVERY_PROBE_GRAPH_H
#define PARE_GENERATE_DISCOVERY_PROBE_GRAPH_H

#include <pare/graph.h>

#include "base/fail.h"
#include "generate/discovery/probe_output.h"

/* Makes the graph of `output`, in which there has to be an object, the first of which is the global
 * one.  `engine` is its command, `digest` that of its program file.  On PARE_OK the caller owns
 * *out.  Errors: PARE_E_ARG (`engine` is not UTF-8), PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_probe_graph_make(const pare_probe_output *output, const char *engine,
                                             const char *digest, pare_graph **out, pare_error *err);

#endif
