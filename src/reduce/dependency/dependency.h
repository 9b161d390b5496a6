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
#include "reduce/passes/pass.h"
#include "text/candidate.h"
#include "text/text.h"

typedef struct pare_dependency pare_dependency;
struct pare_outline; /* outline.h */

/* Sets of nodes and facts: one bit each, in words of 64. */
typedef uint64_t pare_dependency_bits;

static inline bool pare_dependency_has(const pare_dependency_bits *set, uint32_t node)
{
    return set[node / 64] >> (node % 64) & 1;
}
static inline void pare_dependency_add(pare_dependency_bits *set, uint32_t node)
{
    set[node / 64] |= (pare_dependency_bits)1 << (node % 64);
}
static inline void pare_dependency_remove(pare_dependency_bits *set, uint32_t node)
{
    set[node / 64] &= ~((pare_dependency_bits)1 << (node % 64));
}

/* One node, as others see it. */
typedef struct pare_dependency_node {
    uint32_t begin, end; /* bytes of the text */
    uint32_t parent;     /* the node that holds it, or PARE_NO_NODE */
    uint32_t after;      /* the first node that is not in this one */
    uint32_t roles;      /* of pare_outline_role, see outline.h */
    const char *rest;    /* static; what stays in its place; NULL: nothing */
} pare_dependency_node;

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

/* What to close.  All pointers are borrowed; NULL is no set. */
typedef struct pare_dependency_query {
    const pare_dependency_bits *within;  /* only nodes of it are kept; NULL: all there are */
    const pare_dependency_bits *without; /* none of it is kept, whoever needs it */
    const pare_dependency_edge *learned; /* sorted by from, then to */
    size_t n_learned;
    bool bodies; /* who keeps a function keeps its body, too */
    bool layout; /* and who keeps a class what code relies on that is compiled elsewhere */
    bool bare;   /* what is always kept is not, but for what is needed */
} pare_dependency_query;

/* Adds to `kept` (a set; nodes in it count as kept, and are gone through) all that follows from
 * it and from what is always kept, unless `query->bare`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_close(const pare_dependency *graph,
                                             const pare_dependency_query *query,
                                             pare_dependency_bits *kept, pare_error *err);

/* Takes the `n` nodes at `dropped`, what is in them, and all that cannot do without them out of
 * `kept`.  A name that another kept node declares, too, is not missed.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_drop(const pare_dependency *graph,
                                            const pare_dependency_query *query,
                                            const uint32_t *dropped, size_t n,
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

/* --- texts -------------------------------------------------------------------------------- */

/* Whether the text has line markers (`# 12 "file.h"`), which preprocessed C and C++ is full of. */
bool pare_dependency_has_markers(const pare_dependency *graph);

/* Marks the set as plain: its text has no line markers and no blank lines.  Closures within a plain
 * set are plain. */
void pare_dependency_make_plain(const pare_dependency *graph, pare_dependency_bits *set);

/* Takes all lines of `#pragma` out of the set: in large headers most of them are about warnings. */
void pare_dependency_drop_pragmas(const pare_dependency *graph, pare_dependency_bits *set);

/* The text of the nodes in `kept`, with what is in no node.  A parent that is not kept takes all
 * that is in it along.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_candidate(const pare_dependency *graph,
                                                 const pare_dependency_bits *kept,
                                                 pare_candidate *candidate, pare_error *err);

/* Bytes of that text. */
size_t pare_dependency_bytes(const pare_dependency *graph, const pare_dependency_bits *kept);

/* The innermost node that printed byte `offset` of that text; PARE_NO_NODE: none did. */
uint32_t pare_dependency_node_at(const pare_dependency *graph, const pare_dependency_bits *kept,
                                 size_t offset);

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
