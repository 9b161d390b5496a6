/* The dependency graph: which declarations of a program need which others.
 *
 * A node is a part of the text that can go by itself: an item of a name space, a member, a body
 * (of which `;` or the smallest body stays), a name space.  Nodes stand in one array in
 * pre-order, parents before what they hold.  A fact is something that becomes true when certain
 * nodes are kept ("the member name `size` is used", "some class `A` is kept").  Clauses say what
 * follows: if all premises (nodes or facts) are kept, the conclusion is.  So a need of one node
 * is a clause of one premise, a member has two (its class is kept, its name is used), a
 * specialisation has its primary template and the classes in its arguments.  Facts may also need
 * *one of* several overloads.
 *
 * A set of nodes is closed when no clause is broken in it; the least closed set around some
 * seeds is their closure, found in time linear in what it reaches (Dowling and Gallier, 1984).
 *
 * Immutable, counted by reference, one thread.  Memory: about 25 bytes a node, 4 bytes an edge.
 * Source: Kalhauge and Palsberg, "Binary Reduction of Dependency Graphs", ESEC/FSE 2019, and
 * "Logical Bytecode Reduction", PLDI 2021, whose clauses are of bytecode. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/shared.h"
#include "reduce/dependency/dependency_edges.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/passes/pass.h"
#include "text/text.h"

/* The graph of the view's program; *known is false, and *out untouched, when the language has no
 * rules, or the text has nothing that could go.  On PARE_OK and *known the caller owns *out, one
 * reference; the graph keeps the view's text, and nothing else of it.  Time is linear in the text
 * but for names with many declarations.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_dependency_make(const pare_pass_view *view, bool *known,
                                            pare_dependency **out, pare_error *err);

/* The graph of an outline, whose words it takes over, about the flat `text`, a reference to which is
 * kept.  On PARE_OK the caller owns *out, one reference.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_of_outline(struct pare_outline *outline,
                                                  const pare_text *text, pare_dependency **out,
                                                  pare_error *err);

/* Whether the graph of the language, which may be NULL, is made of its syntax tree. */
bool pare_dependency_needs_tree(const char *language);

/* Whether its language has no compiler: a program without its bodies is of no use, and what is
 * said of one that is run tells of the failure rather than of what it lacks. */
bool pare_dependency_runs(const pare_dependency *graph);

/* Whether a compiler reads some of it before it is run, though what it says is not heard: of a folder. */
bool pare_dependency_is_checked(const pare_dependency *graph);

/* Whether query->layout makes a difference. */
bool pare_dependency_has_layout(const pare_dependency *graph);

pare_dependency *pare_dependency_ref(pare_dependency *graph);
void pare_dependency_unref(pare_dependency *graph); /* NULL is a no-op */

uint32_t pare_dependency_count(const pare_dependency *graph); /* nodes */
const pare_dependency_node *pare_dependency_nodes(const pare_dependency *graph);

/* Words of pare_dependency_bits in a set of nodes and facts. */
size_t pare_dependency_set_size(const pare_dependency *graph);

/* A new empty set.  On PARE_OK the caller owns *out, one reference; *bits are its items, to be written as
 * long as nobody else has a reference.  On failure *out is NULL.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_new_set(const pare_dependency *graph, pare_shared **out,
                                               pare_dependency_bits **bits, pare_error *err);

/* --- closures ------------------------------------------------------------------------------- */

/* Adds to `kept` (a set; nodes in it count as kept, and are gone through) all that follows from
 * it and from what is always kept, unless `query->bare`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_close(const pare_dependency *graph,
                                             const pare_dependency_query *query,
                                             pare_dependency_bits *kept, pare_error *err);

/* Adds to `users`, which is empty, the nodes within `query->within` that name one of those in `used`;
 * those that are in one of them are passed over.  *n of them.  O(edges).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_users(const pare_dependency *graph,
                                             const pare_dependency_query *query,
                                             const pare_dependency_bits *used,
                                             pare_dependency_bits *users, size_t *n,
                                             pare_error *err);

/* Whether no need of a node in `kept` is broken: each node's parent, and of each name it uses at
 * least one declaration of those `within` has.  For tests.  O(edges). */
bool pare_dependency_is_sound(const pare_dependency *graph, const pare_dependency_query *query,
                              const pare_dependency_bits *kept);

/* Whether the text has line markers (`# 12 "file.h"`), which preprocessed C and C++ is full of. */
bool pare_dependency_has_markers(const pare_dependency *graph);

/* Marks the set as plain: its text has no line markers and no blank lines.  Closures within a plain
 * set are plain. */
void pare_dependency_make_plain(const pare_dependency *graph, pare_dependency_bits *set);

/* Takes all lines of `#pragma` out of the set: in large headers most of them are about warnings. */
void pare_dependency_drop_pragmas(const pare_dependency *graph, pare_dependency_bits *set);

/* --- names: for who reads what a compiler says -------------------------------------------- */

/* Calls `each` for the nodes that declare `name` (`size` bytes; without qualification; operators
 * as "operator==", blanks left out), members and specialisations too, in the order of the text,
 * until it says false. */
void pare_dependency_named(const pare_dependency *graph, const char *name, size_t size,
                           bool (*each)(void *context, uint32_t node), void *context);

/* A node that lacks a name in the text of `kept`.  All pointers are borrowed. */
typedef struct pare_dependency_lack {
    const pare_dependency_query *query;
    const pare_dependency_bits *kept;
    uint32_t from;    /* the node */
    const char *name; /* `size` bytes, as for pare_dependency_named */
    size_t size;
} pare_dependency_lack;

/* Adds edges from the node to those that declare the name and are within `query->within` and not
 * in `kept`; *n_added of them, at most 60.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_need(const pare_dependency *graph,
                                            const pare_dependency_lack *lack,
                                            pare_dependency_edges *edges, size_t *n_added,
                                            pare_error *err);

#endif
