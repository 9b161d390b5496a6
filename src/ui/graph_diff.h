/* How the API of an engine changed between two prototype graphs.
 *
 * Types are matched by their paths, and then by the members that lead to them: an object that is
 * found by another expression in the newer engine, but is still the member x of an object that is
 * there in both, is the same.  Numbers of types mean nothing here; engine, digest and the literals
 * that tests passed are not compared. */
#ifndef PARE_UI_GRAPH_DIFF_H
#define PARE_UI_GRAPH_DIFF_H

#include <pare/graph.h>

#include "base/buffer.h"
#include "ui/sheet.h"

typedef struct pare_graph_changes pare_graph_changes; /* immutable; of two graphs that outlive it */

/* Compares.  On PARE_OK the caller owns *out.  O(n log n) in the edges of both.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_diff_new(const pare_graph *older, const pare_graph *newer,
                                           pare_graph_changes **out, pare_error *err);
void pare_graph_diff_free(pare_graph_changes *changes); /* NULL is a no-op */

/* Number of changes; 0: the graphs are the same. */
size_t pare_graph_diff_count(const pare_graph_changes *changes);

/* Adds both engines, then a line for each change, by kinds of changes and in the order of paths;
 * nothing when there is none.  Members of a type that came or went are counted, not listed. */
void pare_graph_diff_text(pare_sheet *sheet, const pare_graph_changes *changes);

/* Appends the same as one JSON object and a line end.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_diff_json(const pare_graph_changes *changes, pare_buffer *out,
                                            pare_error *err);

#endif
