/* Prototype graphs in memory: <pare/graph.h>, and how one is built.
 *
 * A builder takes types, signatures and edges in any order; finishing it sorts the edges, drops
 * doubles (their values are united), checks what the public header promises, and makes the
 * indices by which edges are found.  Numbers of types and signatures are the order in which
 * they were added, so the same engine gives the same numbers when it is explored again. */
#ifndef PARE_GENERATE_PROTOTYPE_GRAPH_H
#define PARE_GENERATE_PROTOTYPE_GRAPH_H

#include <pare/graph.h>

#include "base/buffer.h"
#include "base/fail.h"

/* More than any engine has; bounds what a damaged file can ask for. */
enum { PARE_GRAPH_MAX_NODES = 1 << 20, PARE_GRAPH_MAX_EDGES = 1 << 22 };

typedef struct pare_graph_builder pare_graph_builder; /* one thread */

/* On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_builder_new(pare_graph_builder **out, pare_error *err);
void pare_graph_builder_free(pare_graph_builder *builder); /* NULL is a no-op */

/* Texts are copied.  Errors of these: PARE_E_NOMEM, PARE_E_LIMIT, PARE_E_ARG (a text
 * is not UTF-8). */
PARE_CHECK pare_status pare_graph_builder_engine(pare_graph_builder *builder, const char *engine,
                                                 const char *digest, pare_error *err);
void pare_graph_builder_global(pare_graph_builder *builder, uint32_t type);

/* *id (may be NULL) is the number of the new node.  A type's prototype may be added later; it
 * makes the PROTOTYPE edge. */
PARE_CHECK pare_status pare_graph_builder_type(pare_graph_builder *builder,
                                               const pare_graph_type *type, uint32_t *id,
                                               pare_error *err);

/* Of a type that is there; a later call replaces what an earlier one said. */
void pare_graph_builder_prototype(pare_graph_builder *builder, uint32_t type, uint32_t prototype);

/* Makes the CALL or CONSTRUCTOR edge too. */
PARE_CHECK pare_status pare_graph_builder_signature(pare_graph_builder *builder,
                                                    const pare_graph_signature *signature,
                                                    uint32_t *id, pare_error *err);

/* PROPERTY, PARAMETER or RETURN; or, to give it a weight, an edge that nodes imply.  A weight of
 * 0 is 1; of edges that are the same the largest counts. */
PARE_CHECK pare_status pare_graph_builder_edge(pare_graph_builder *builder,
                                               const pare_graph_edge *edge, pare_error *err);

/* Puts all of `graph` into an empty builder, with the same numbers: to add to it. */
PARE_CHECK pare_status pare_graph_builder_copy(pare_graph_builder *builder, const pare_graph *graph,
                                               pare_error *err);

/* Puts the edges of `graph`, with their weights, into a builder that has its types and signatures under
 * the same numbers. */
PARE_CHECK pare_status pare_graph_builder_copy_edges(pare_graph_builder *builder,
                                                     const pare_graph *graph, pare_error *err);

/* The same as pare_graph_builder_copy, with weights of 1. */
PARE_CHECK pare_status pare_graph_builder_copy_unweighed(pare_graph_builder *builder,
                                                         const pare_graph *graph, pare_error *err);

/* Makes the graph; the builder is empty after it.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_SYNTAX (an edge from or to nothing, prototypes in a circle, a position beyond
 * the parameters, no global object: says which), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_builder_finish(pare_graph_builder *builder, pare_graph **out,
                                                 pare_error *err);

/* The graph of a file's text; `path` is for sentences.  Errors: those of pare_graph_read. */
PARE_CHECK pare_status pare_graph_file_parse(const char *path, const char *text, size_t size,
                                             pare_graph **out, pare_error *err);

/* Appends the text of the graph's file.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_file_text(const pare_graph *graph, pare_buffer *text,
                                            pare_error *err);

/* Whether all that the public header promises holds; O(n), times the length of
 * chains of prototypes.  For assertions and tests. */
bool pare_graph_check(const pare_graph *graph);

#endif
