/* Inside a walk: its state, one run of it, and what its files share: walk.c derives and goes
 * forward, walk_values.c makes values of unknown type, walk_tables.c looks up what both choose from. */
#ifndef PARE_GENERATE_PROTOTYPE_WALK_RUN_H
#define PARE_GENERATE_PROTOTYPE_WALK_RUN_H

#include "generate/prototype/emitter.h"
#include "generate/prototype/type_costs.h"

#include <pare/graph.h>

/* What kind of value a function is likely to be about at a position. */
typedef enum pare_walk_kind {
    PARE_WALK_SAME, /* in a hint: as at the position before it */
    PARE_WALK_ANY,
    PARE_WALK_NUMBER,
    PARE_WALK_COUNT,
    PARE_WALK_TIME,
    PARE_WALK_MOMENT, /* a time or a date */
    PARE_WALK_STRING,
    PARE_WALK_DATE,
    PARE_WALK_URI,
    PARE_WALK_JSON,
    PARE_WALK_NUMERAL,
    PARE_WALK_NAME,
    PARE_WALK_PATTERN, /* text of a regular expression */
    PARE_WALK_FLAGS,
    PARE_WALK_REGEX,
    PARE_WALK_SEPARATOR, /* a regular expression, or a text */
    PARE_WALK_SUBJECT,
    PARE_WALK_REPLACEMENT, /* a text or a function */
    PARE_WALK_CALLBACK,
    PARE_WALK_ARRAY, /* from here on: what holds other values */
    PARE_WALK_ARRAY_LIKE,
    PARE_WALK_OBJECT,
    PARE_WALK_DESCRIPTOR,
    PARE_WALK_DESCRIPTORS,
    PARE_WALK_SOURCE,
    PARE_WALK_SPECIAL, /* an object with valueOf, toString, toJSON ... */
    PARE_WALK_N_KINDS
} pare_walk_kind;

enum {
    PARE_WALK_HINTED = 4,   /* positions that a hint is about */
    PARE_WALK_VARIABLES = 8 /* values that a text keeps */
};

typedef struct pare_walk_hint {
    const char *path; /* the end of a function's path */
    uint8_t receiver; /* pare_walk_kind */
    uint8_t n;        /* arguments that it takes, however many it declares */
    uint8_t kinds[PARE_WALK_HINTED];
} pare_walk_hint;

struct pare_walk {
    const pare_type_costs *costs;
    const pare_graph *graph;
    uint32_t max_depth, max_calls;
    double keep_values, cooldown;
    uint32_t *functions; /* owned, as are all arrays; those that can be begun with */
    uint32_t n_functions;
    uint32_t *values; /* types of which expressions are made where any will do */
    uint32_t n_values;
    double *weights;              /* of `functions`, as cooled as they are; NULL: all the same */
    double *start_weights;        /* what those are at the start; NULL: 1 */
    double *edge_weights;         /* room for those of the edges among which one is chosen; NULL: no
                                     edge of the graph has more than 1 */
    uint8_t *taken;               /* of each edge: set to 1 when it is taken; borrowed, or NULL */
    const pare_walk_hint **hints; /* of each type, or NULL */
    uint32_t *instances;  /* of each type: one that has it as its prototype, an instance type
                                     or a primitive one if there is one; or PARE_GRAPH_NONE */
    uint8_t *n_learned;   /* of each edge: literals that may be used */
    uint32_t *call_edges; /* of each signature: the edge from its function */
    uint32_t *variables;  /* types of the values that were kept */
    uint32_t n_variables;
};

struct pare_walk_run {
    pare_emitter emitter;
    struct pare_walk *walk;
    uint32_t calls, pending; /* made, and least ones of what is certain to come */
    uint32_t n_values;       /* literals in the expression */
    bool is_inner;           /* part of a text in which `this` may be another object: the global
                                object's properties go by their names alone */
};

/* Whether something of this cost is within the budget where `depth` levels are left. */
bool pare_walk_fits(const struct pare_walk_run *run, pare_type_cost cost, uint32_t depth);

/* Appends an expression of a type, which fits. */
void pare_walk_produce(struct pare_walk_run *run, uint32_t type, uint32_t depth);

/* Appends a value of a kind. */
void pare_walk_values_put(struct pare_walk_run *run, pare_walk_kind kind, uint32_t depth);

/* Appends a literal of a type that has some. */
void pare_walk_values_literal(struct pare_walk_run *run, uint32_t type, uint32_t depth);

/* The hint for a function, by its path; NULL: there is none. */
const pare_walk_hint *pare_walk_values_hint(const char *path);

/* Makes the tables of a walk whose costs, limits and cooldown are set; ends them (all-zero is a
 * no-op), also after a failure.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_walk_tables_make(struct pare_walk *walk, pare_error *err);
void pare_walk_tables_done(struct pare_walk *walk);

#endif
