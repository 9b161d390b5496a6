/* A prototype graph, or the neighbourhood of one of its types, as one JSON object for programs.
 * Its fields are a contract, described in pare-graph(1).  ASCII only, so that it can be printed. */
#ifndef PARE_UI_GRAPH_JSON_H
#define PARE_UI_GRAPH_JSON_H

#include <jansson.h>

#include <pare/graph.h>

#include "base/buffer.h"

/* Appends the object about `type`, or with PARE_GRAPH_NONE the one about the whole graph, and a
 * line end.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_json_write(const pare_graph *graph, uint32_t type,
                                             pare_buffer *out, pare_error *err);

/* {"id", "path", "kind"} of a type; null for PARE_GRAPH_NONE; NULL when memory is out. */
json_t *pare_graph_json_type(const pare_graph *graph, uint32_t type);

/* Appends `object`, which moves in, and a line end to *out.  NULL is memory that ran out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_json_print(json_t *object, pare_buffer *out, pare_error *err);

#endif
