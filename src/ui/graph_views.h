/* The views of a prototype graph: for a terminal (graph_text.c), as JSON (graph_json.c), as a
 * drawing (graph_drawing.c), as a page for a browser (graph_page.c), and what changed between two
 * graphs (graph_diff.c).  Names are written as graph_names.h says.  A view changes nothing and
 * keeps nothing; the same graph gives the same bytes. */
#ifndef PARE_UI_GRAPH_VIEWS_H
#define PARE_UI_GRAPH_VIEWS_H

#include <jansson.h>

#include <pare/graph.h>

#include "base/buffer.h"
#include "ui/sheet.h"

/* A graph for a terminal: the whole in numbers, or one type with all that it has to do with. */

enum { PARE_GRAPH_TEXT_MOST = 24 }; /* lines of a list that are shown; the rest is counted */

/* Adds the engine, what is counted, the constructors, the other members of the global object, and
 * the functions of which no signature was learned.  sheet->status says whether memory ran out. */
void pare_graph_text_summary(pare_sheet *sheet, const pare_graph *graph);

/* Adds the type's signatures, own and inherited members, how it is reached, and the signatures
 * that take it, return it or are called on it.  Members are all there; other lists are cut. */
void pare_graph_text_type(pare_sheet *sheet, const pare_graph *graph, uint32_t type);

/* How the API of an engine changed between two prototype graphs.
 *
 * Types are matched by their paths, and then by the members that lead to them: an object that is
 * found by another expression in the newer engine, but is still the member x of an object that is
 * there in both, is the same.  Numbers of types mean nothing here; engine, digest and the literals
 * that tests passed are not compared. */

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

/* Drawings of the neighbourhood of a type of a prototype graph.
 *
 * The type is in the middle, its prototypes above it, what inherits from it below, its members on
 * the right, and on the left what has it as a member and the functions that return it, take it or
 * are called on it.  Long lists end with the number of entries that are not shown. */

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

/* A prototype graph, or the neighbourhood of one of its types, as one JSON object for programs.
 * Its fields are a contract, described in pare-graph(1).  ASCII only, so that it can be printed. */

/* Appends the object about `type`, or with PARE_GRAPH_NONE the one about the whole graph, and a
 * line end.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_json_write(const pare_graph *graph, uint32_t type,
                                             pare_buffer *out, pare_error *err);

/* {"id", "path", "kind"} of a type; null for PARE_GRAPH_NONE; NULL when memory is out. */
json_t *pare_graph_json_type(const pare_graph *graph, uint32_t type);

/* Appends `object`, which moves in, and a line end to *out.  NULL is memory that ran out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_json_print(json_t *object, pare_buffer *out, pare_error *err);

/* A prototype graph as one page that is walked in a browser: search a type or a member, see its
 * members and signatures, how it is reached, and follow the links.
 *
 * The page needs nothing else: no network, no library.  Its policy admits exactly its own script
 * and style, by their digests, so nothing that is in a graph could run even if an escape were
 * missing.  The same graph gives the same bytes.  About 100 bytes a type and 40 an edge. */

/* Appends the page, which begins at the type `start`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_page_write(const pare_graph *graph, uint32_t start,
                                             pare_buffer *out, pare_error *err);

/* The script, graph_page.js, which the build puts into a C array. */
extern const char pare_graph_page_script[];

#endif
