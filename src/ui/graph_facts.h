/* What is told of a prototype graph as a whole, and of the neighbourhood of one type: the same for
 * text, JSON and drawings. */
#ifndef PARE_UI_GRAPH_FACTS_H
#define PARE_UI_GRAPH_FACTS_H

#include <pare/graph.h>

#include "base/fail.h"

/* Counts of a graph. */
typedef struct pare_graph_counts {
    uint32_t types[PARE_GRAPH_N_KINDS];      /* instance types not counted */
    uint32_t instances;                      /* instance types */
    uint32_t edges[PARE_GRAPH_N_EDGE_KINDS]; /* by kind */
    uint32_t learned, throwing;              /* signatures; those of `throwing` are learned too */
    uint32_t constructors;                   /* functions that are there to construct */
    uint32_t callables, unlearned;           /* functions with signatures; with none learned */
} pare_graph_counts;

pare_graph_counts pare_graph_facts_count(const pare_graph *graph);

/* Whether `type` is a function that is there to construct: `new` takes it, and a test did so, or the
 * objects that it makes have something from their prototype.  To some engines each function is
 * one that `new` takes. */
bool pare_graph_facts_constructs(const pare_graph *graph, uint32_t type);

/* Whether `type` has signatures, but none that was learned. */
bool pare_graph_facts_unlearned(const pare_graph *graph, uint32_t type);

/* The type of the own member `name`, or PARE_GRAPH_NONE. */
uint32_t pare_graph_facts_member(const pare_graph *graph, uint32_t type, const char *name);

/* Numbers of edges, borrowed from the graph. */
typedef struct pare_graph_edges {
    const uint32_t *at;
    uint32_t n;
} pare_graph_edges;

/* Numbers of signatures, owned: ascending, each once. */
typedef struct pare_graph_signatures {
    uint32_t *at;
    uint32_t n;
} pare_graph_signatures;

/* All edges and signatures that one type has to do with.  All-zero is empty. */
typedef struct pare_graph_neighbours {
    uint32_t type;
    pare_graph_edges members;        /* PROPERTY, from it */
    pare_graph_edges owners;         /* PROPERTY, to it */
    pare_graph_edges heirs;          /* PROTOTYPE, to it */
    pare_graph_signatures own;       /* of the function itself */
    pare_graph_signatures takers;    /* that have it as a parameter */
    pare_graph_signatures returners; /* that return it */
    pare_graph_signatures callers;   /* that have it as `this` */
} pare_graph_neighbours;

/* On PARE_OK the caller ends *out with pare_graph_facts_done; it may not outlive the graph.
 * O(signatures + edges of the type).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_graph_facts_neighbours(const pare_graph *graph, uint32_t type,
                                                   pare_graph_neighbours *out, pare_error *err);
void pare_graph_facts_done(pare_graph_neighbours *neighbours);

#endif
