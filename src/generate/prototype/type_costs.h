/* What an expression of each type of a prototype graph costs at least, and how it is made.
 *
 * An expression of a type is a literal, `this` for the global object, a property of an
 * expression whose type has it or inherits it, or what a call returns.  Its cost is the number of
 * calls in it and its depth: properties and calls in a chain, or within arguments.  A walk that
 * knows these costs only begins what its budget lets it end.
 * Source: Knuth, "A generalization of Dijkstra's algorithm", IPL 6(1), 1977: calls and depth,
 * compared in this order, are a superior function of the costs of the parts.
 *
 * Immutable once made; borrows the graph.  O(e log e). */
#ifndef PARE_GENERATE_PROTOTYPE_TYPE_COSTS_H
#define PARE_GENERATE_PROTOTYPE_TYPE_COSTS_H

#include <stdbool.h>
#include <stdint.h>

#include <pare/graph.h>

typedef struct pare_type_cost {
    uint32_t calls, depth; /* depth PARE_TYPE_COSTS_NEVER: there is no such expression */
} pare_type_cost;

enum {
    PARE_TYPE_COSTS_DEPTH = 100,   /* deeper expressions are not made, however large the budget:
                                      what makes them recurses */
    PARE_TYPE_COSTS_ARGUMENTS = 64 /* nor more arguments in a call */
};
#define PARE_TYPE_COSTS_NEVER UINT32_MAX

/* Literals that are objects of a type.  Primitive types have those of their kind. */
typedef enum pare_type_literal {
    PARE_TYPE_LITERAL_NONE,
    PARE_TYPE_LITERAL_PRIMITIVE,
    PARE_TYPE_LITERAL_OBJECT,
    PARE_TYPE_LITERAL_ARRAY,
    PARE_TYPE_LITERAL_FUNCTION,
    PARE_TYPE_LITERAL_REGEX
} pare_type_literal;

/* The cheapest way to an expression of a type. */
typedef struct pare_type_way {
    enum {
        PARE_TYPE_WAY_NONE,
        PARE_TYPE_WAY_GLOBAL,
        PARE_TYPE_WAY_LITERAL,
        PARE_TYPE_WAY_PROPERTY,
        PARE_TYPE_WAY_RETURN
    } kind;
    uint32_t edge;     /* PROPERTY, RETURN */
    uint32_t receiver; /* PROPERTY: a type that has or inherits it */
} pare_type_way;

/* All-zero is empty. */
typedef struct pare_type_costs {
    const pare_graph *graph;
    pare_type_cost *types;      /* owned, as are all arrays; of each type */
    pare_type_cost *signatures; /* of a call with each signature */
    pare_type_way *ways;        /* of each type */
    pare_type_literal *literals;
    uint32_t *heirs; /* of each type: the cheapest of the types that have it on their prototype
                        chain, itself included, or PARE_GRAPH_NONE */
    /* The types below a type in the forest of prototypes, itself first, are a stretch of
     * `order`. */
    uint32_t *order, *first, *n_below;
} pare_type_costs;

/* Errors: PARE_E_NOMEM; *costs is all-zero then. */
PARE_CHECK pare_status pare_type_costs_init(pare_type_costs *costs, const pare_graph *graph,
                                            pare_error *err);
void pare_type_costs_done(pare_type_costs *costs);

/* Whether `type` is `ancestor` or has it on its prototype chain.  O(1). */
bool pare_type_costs_inherits(const pare_type_costs *costs, uint32_t type, uint32_t ancestor);

/* The type at the end of a chain of properties of the global object, up to NULL, such as
 * {"Array", "prototype", NULL}; PARE_GRAPH_NONE: there is none. */
uint32_t pare_type_costs_find(const pare_graph *graph, const char *const *names);

/* Whether what the header says holds of the costs and the ways, for tests. */
bool pare_type_costs_check(const pare_type_costs *costs);

#endif
