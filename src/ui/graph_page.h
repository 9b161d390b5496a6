/* A prototype graph as one page that is walked in a browser: search a type or a member, see its
 * members and signatures, how it is reached, and follow the links.
 *
 * The page needs nothing else: no network, no library.  Its policy admits exactly its own script
 * and style, by their digests, so nothing that is in a graph could run even if an escape were
 * missing.  The same graph gives the same bytes.  About 100 bytes a type and 40 an edge. */
#ifndef PARE_UI_GRAPH_PAGE_H
#define PARE_UI_GRAPH_PAGE_H

#include <pare/graph.h>

#include "base/buffer.h"

/* Appends the page, which begins at the type `start`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_page_write(const pare_graph *graph, uint32_t start,
                                             pare_buffer *out, pare_error *err);

/* The script, graph_page.js, which the build puts into a C array. */
extern const char pare_graph_page_script[];

#endif
