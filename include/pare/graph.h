/* Prototype graphs: what a script engine offers, as a model to make tests from.
 *
 * A graph has two kinds of nodes.  A type is one object of the engine, a function of it, a kind
 * of primitive value, or all objects that have one prototype and are no type of their own (an
 * instance type: "any Date").  A signature is one way to call a function: as f(...) or as
 * new f(...), on which receiver, with which types at which position, and what it returns.
 * Six kinds of edges join them; see pare_graph_edge_kind.  One type is the global object.
 * Source: Hodován and Kiss, "Fuzzing JavaScript engine APIs", iFM 2016; seed 001, section 1.
 * Deviations: a signature knows its receiver, and edges know the values that tests passed.
 *
 * A graph is made by pare_graph_explore, which asks the engine itself, made sharper by
 * pare_graph_learn, which watches what tests pass and get, and used by pare_generate. */
#ifndef PARE_GRAPH_H
#define PARE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PARE_GRAPH_NONE UINT32_MAX /* no type, no signature */
#define PARE_GRAPH_MAX_WEIGHT 1000u

typedef enum pare_graph_kind {
    PARE_GRAPH_UNDEFINED,
    PARE_GRAPH_NULL,
    PARE_GRAPH_BOOLEAN,
    PARE_GRAPH_NUMBER,
    PARE_GRAPH_STRING,
    PARE_GRAPH_SYMBOL,
    PARE_GRAPH_BIGINT,
    PARE_GRAPH_OBJECT,
    PARE_GRAPH_FUNCTION,
    PARE_GRAPH_N_KINDS
} pare_graph_kind;

/* A type.  Texts are UTF-8, borrowed from the graph, never NULL. */
typedef struct pare_graph_type {
    pare_graph_kind kind;
    bool is_instance;       /* all objects of this prototype that are no type of their own */
    const char *class_name; /* as Object.prototype.toString says: "Date"; of primitives "" */
    const char *path;       /* the first expression that leads to it: "this.Date.prototype"; of an
                               instance type "new (this.Date)" or another description; of
                               primitives the kind's name */
    uint32_t length;        /* a function's `length`, the parameters it declares */
    uint32_t prototype;     /* type, or PARE_GRAPH_NONE; never in a circle */
} pare_graph_type;

typedef struct pare_graph_signature {
    uint32_t function; /* type */
    uint32_t receiver; /* type of `this`, or PARE_GRAPH_NONE: not known, or new f() */
    uint32_t n_params; /* positions 0 .. n_params-1; one without a parameter edge takes any type */
    bool is_constructor; /* new f(...) */
    bool is_learned;     /* seen in a test; else from `length` */
    bool throws;         /* each call that was seen with it threw */
} pare_graph_signature;

typedef enum pare_graph_edge_kind {
    PARE_GRAPH_PROPERTY,    /* type -> type, `name` */
    PARE_GRAPH_PROTOTYPE,   /* type -> type, acyclic; the same as pare_graph_type.prototype */
    PARE_GRAPH_CALL,        /* type -> signature */
    PARE_GRAPH_CONSTRUCTOR, /* type -> signature */
    PARE_GRAPH_PARAMETER,   /* type -> signature, `position` */
    PARE_GRAPH_RETURN,      /* signature -> type */
    PARE_GRAPH_N_EDGE_KINDS
} pare_graph_edge_kind;

typedef struct pare_graph_edge {
    pare_graph_edge_kind kind;
    uint32_t from, to;  /* types or signatures, as the kind says */
    uint32_t position;  /* PARAMETER: from 0; else 0 */
    const char *name;   /* PROPERTY: the property's name; "@@iterator" stands for Symbol.iterator;
                           else "" */
    const char *values; /* PARAMETER: literals that tests passed there, one a line, sorted; of
                           primitives only; else "" */
    uint32_t weight;    /* how often a walk takes it, measured by others that it could take there:
                           1 .. PARE_GRAPH_MAX_WEIGHT; see graph_weigh.h */
} pare_graph_edge;

typedef struct pare_graph pare_graph; /* immutable once made; threads may share it */

/* Reads a graph file.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_IO, PARE_E_SYNTAX (no graph file, or damaged: says where), PARE_E_LIMIT,
 * PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_graph_read(const char *path, pare_graph **out,
                                                pare_error *err);

/* Writes it: the same bytes for the same graph; a file that is there is replaced as a whole.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_graph_write(const pare_graph *graph, const char *path,
                                                 pare_error *err);
PARE_API void pare_graph_free(pare_graph *graph); /* NULL is a no-op */

PARE_API const char *pare_graph_engine(const pare_graph *graph); /* its command, as it was given */
PARE_API const char *pare_graph_digest(const pare_graph *graph); /* of its binary, hexadecimal */
PARE_API uint32_t pare_graph_global(const pare_graph *graph);    /* type */
PARE_API uint32_t pare_graph_n_types(const pare_graph *graph);
PARE_API uint32_t pare_graph_n_signatures(const pare_graph *graph);
PARE_API uint32_t pare_graph_n_edges(const pare_graph *graph);

/* Number `i` must be below the count; borrowed from the graph. */
PARE_API const pare_graph_type *pare_graph_type_at(const pare_graph *graph, uint32_t i);
PARE_API const pare_graph_signature *pare_graph_signature_at(const pare_graph *graph, uint32_t i);

/* Edges are in the order of kind, from, name, position, to. */
PARE_API const pare_graph_edge *pare_graph_edge_at(const pare_graph *graph, uint32_t i);

/* The edges of one kind that leave, or enter, a node: numbers for pare_graph_edge_at, borrowed,
 * sorted.  O(log n). */
PARE_API const uint32_t *pare_graph_edges_from(const pare_graph *graph, pare_graph_edge_kind kind,
                                               uint32_t node, uint32_t *n);
PARE_API const uint32_t *pare_graph_edges_to(const pare_graph *graph, pare_graph_edge_kind kind,
                                             uint32_t node, uint32_t *n);

#ifdef __cplusplus
}
#endif

#endif
