/* Drawings of the neighbourhood of a type of a prototype graph.
 *
 * The type is in the middle, its prototypes above it, what inherits from it below, its members on
 * the right, and on the left what has it as a member and the functions that return it, take it or
 * are called on it.  Long lists end with the number of entries that are not shown. */
#ifndef PARE_UI_GRAPH_DRAWING_H
#define PARE_UI_GRAPH_DRAWING_H

#include <pare/graph.h>

#include "base/buffer.h"

enum {
    PARE_GRAPH_DRAWING_ROWS = 28, /* of a list in the SVG */
    PARE_GRAPH_DRAWING_NODES = 60 /* of a list for Graphviz */
};

/* Appends an SVG of its own: no script, no font, nothing from outside; for light and dark.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_drawing_svg(const pare_graph *graph, uint32_t type,
                                              pare_buffer *out, pare_error *err);

/* Appends a digraph in Graphviz' language.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_drawing_dot(const pare_graph *graph, uint32_t type,
                                              pare_buffer *out, pare_error *err);

#endif
