/* What a graph holds, and the sets and queries that its closing, dropping and printing share.  Only dependency.c,
 * dependency_drop.c and dependency_print.c look into struct pare_dependency. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_GRAPH_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/halving.h"
#include "reduce/dependency/dependency_edges.h"
#include "reduce/dependency/dependency_markers.h"
#include "reduce/dependency/dependency_rules.h"
#include "reduce/dependency/outline.h"
#include "text/text.h"

typedef struct pare_dependency pare_dependency;

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

/* What to close.  All pointers are borrowed; NULL is no set. */
typedef struct pare_dependency_query {
    const pare_dependency_bits *within;  /* only nodes of it are kept; NULL: all there are */
    const pare_dependency_bits *without; /* none of it is kept, whoever needs it */
    const pare_dependency_edge *learned; /* sorted by from, then to */
    size_t n_learned;
    bool bodies;                      /* who keeps a function keeps its body, too; */
    const pare_dependency_bits *only; /* but only these bodies, and definitions outside of
                                         classes; NULL: all */
    bool layout; /* and who keeps a class what code relies on that is compiled elsewhere */
    bool bare;   /* what is always kept is not, but for what is needed */
} pare_dependency_query;

struct pare_dependency {
    unsigned n_references;
    const pare_text *text; /* one reference; flat */
    const unsigned char *bytes;
    pare_dependency_node *nodes; /* owned */
    pare_dependency_clauses clauses;
    pare_outline words;  /* only its words are kept */
    const char *no_body; /* static */
    bool runs;           /* there is no compiler, */
    bool checked;        /* or there is one, and it is not heard */
    bool follows;        /* there are nodes that go with their last use */
    bool has_layout;
    pare_dependency_markers markers;
};

/* The fact that bodies are kept with their functions: the first. */
static inline uint32_t pare_dependency_bodies_fact(const pare_dependency *graph)
{
    return graph->clauses.n_nodes;
}

/* The fact that objects keep what other code knows of them: the second. */
static inline uint32_t pare_dependency_layout_fact(const pare_dependency *graph)
{
    return graph->clauses.n_nodes + 1;
}

/* The bit behind those of all nodes and facts: the set is plain. */
static inline uint32_t pare_dependency_plain_bit(const pare_dependency *graph)
{
    return graph->clauses.n;
}

/* The first learned edge from `node`. */
static inline size_t pare_dependency_first_learned(const pare_dependency_query *query,
                                                   uint32_t node)
{
    pare_halving search = {.low = 0, .high = query->n_learned};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, query->learned[search.middle].from < node);
    return search.low;
}

#endif
