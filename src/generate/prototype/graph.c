/* Prototype graphs in memory, and the builder that makes one.
 *
 * While it is built, a graph is three growing arrays and an arena with each text once.  Finishing
 * makes the edges that nodes imply (PROTOTYPE, CALL, CONSTRUCTOR), sorts all edges by kind, source,
 * name, position and target, merges duplicates, and checks the result; so two graphs with the same
 * nodes and edges are the same bytes, in whatever order they were built.
 *
 * Invariant of a finished graph (pare_graph_check): edges are sorted without doubles, every end
 * is a node, prototypes make no circle, and `ends` holds the number of each edge once, ordered by
 * kind and target.  Edges from a node are neighbours in `edges`, edges to it in `ends`: both are
 * found by bisection, which costs less memory than a table for each kind of a graph whose nodes
 * mostly have a handful of edges.
 * Source: <pare/graph.h> names the paper. */
#include "generate/prototype/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/checksum.h"
#include "base/halving.h"
#include "base/hash_index.h"
#include "base/vector.h"

/* More would make the file large and walks no better: beyond some literals of a kind the next
 * one is like those before it. */
enum { MAX_VALUES = 16 }; /* literals that an edge keeps */

/* A finished graph, which never changes.  Nodes are numbers into `types` or `signatures`; the kind
 * of an edge says into which. */
struct pare_graph {
    pare_arena texts;
    const char *engine, *digest;
    uint32_t global;
    pare_graph_type *types; /* owned, as are all arrays */
    uint32_t n_types;
    pare_graph_signature *signatures;
    uint32_t n_signatures;
    pare_graph_edge *edges; /* sorted, see the opening comment */
    uint32_t n_edges;
    uint32_t *starts; /* 0, 1, 2, ...: what pare_graph_edges_from returns parts of */
    uint32_t *ends;   /* edges by kind, target, number */
};

/* A graph in the making.  Texts are in the arena once each, found by `index`, so equal texts have
 * one address. */
struct pare_graph_builder {
    pare_arena texts;
    const char **known; /* each text once */
    size_t n_known, known_capacity;
    pare_hash_index index; /* of `known` */
    const char *engine, *digest;
    uint32_t global;
    pare_graph_type *types;
    size_t n_types, types_capacity;
    pare_graph_signature *signatures;
    size_t n_signatures, signatures_capacity;
    pare_graph_edge *edges;
    size_t n_edges, edges_capacity;
};

/* --- building -------------------------------------------------------------------------- */

/* Makes an empty builder. On PARE_OK the caller owns *out. */
pare_status pare_graph_builder_new(pare_graph_builder **out, pare_error *err)
{
    pare_graph_builder *builder = pare_alloc_zero(1, sizeof *builder);
    if (!builder) return pare_fail_nomem(err);
    builder->engine = builder->digest = "";
    builder->global = PARE_GRAPH_NONE;
    *out = builder;
    return PARE_OK;
}

/* Frees what the builder holds and leaves it as it was when new, so that it can be used again. */
static void empty(pare_graph_builder *builder)
{
    pare_arena_done(&builder->texts);
    pare_alloc_free(builder->known);
    pare_hash_index_done(&builder->index);
    pare_alloc_free(builder->types);
    pare_alloc_free(builder->signatures);
    pare_alloc_free(builder->edges);
    *builder = (pare_graph_builder){.engine = "", .digest = "", .global = PARE_GRAPH_NONE};
}

/* NULL is a no-op. A finished builder is empty, and only the struct is left to free. */
void pare_graph_builder_free(pare_graph_builder *builder)
{
    if (!builder) return;
    empty(builder);
    pare_alloc_free(builder);
}

/* Whether a text is UTF-8. An engine's names may be anything, and the file is
 * JSON, so the builder checks them once and whoever writes or shows a graph
 * need not. */
static bool is_utf8(const char *text, size_t size)
{
    utf8proc_int32_t point;
    for (size_t at = 0; at < size;) {
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                                              (utf8proc_ssize_t)(size - at), &point);
        if (n <= 0) return false;
        at += (size_t)n;
    }
    return true;
}

/* Sets *out to the builder's own copy of `text`, one for all texts that are
 * alike. Names of members occur in many types; edges with the same name then
 * compare by address. PARE_E_ARG: it is no UTF-8. */
static pare_status intern(pare_graph_builder *builder, const char *text, const char **out,
                          pare_error *err)
{
    size_t size = strlen(text);
    if (size == 0) {
        *out = "";
        return PARE_OK;
    }
    /* The hash leads to texts that may be alike; their bytes decide. */
    uint64_t hash = pare_checksum(text, size);
    pare_hash_probe probe = pare_hash_index_probe(&builder->index, hash);
    uint32_t item;
    while (pare_hash_index_next(&builder->index, &probe, &item))
        if (strcmp(builder->known[item], text) == 0) {
            *out = builder->known[item];
            return PARE_OK;
        }
    if (!is_utf8(text, size)) return pare_fail(err, PARE_E_ARG, "a name of the graph is not UTF-8");
    const char **known =
        pare_vector_grow(builder->known, builder->n_known, &builder->known_capacity, sizeof *known);
    if (!known) return pare_fail_nomem(err);
    builder->known = known;
    char *copy = pare_arena_text(&builder->texts, text, size);
    if (!copy) return pare_fail_nomem(err);
    known[builder->n_known] = copy;
    pare_status status =
        pare_hash_index_add(&builder->index, hash, (uint32_t)builder->n_known, err);
    if (status) return status;
    builder->n_known++;
    *out = copy;
    return PARE_OK;
}

/* Sets the engine and its digest; both are copied. */
pare_status pare_graph_builder_engine(pare_graph_builder *builder, const char *engine,
                                      const char *digest, pare_error *err)
{
    pare_status status = intern(builder, engine, &builder->engine, err);
    return status ? status : intern(builder, digest, &builder->digest, err);
}

/* Sets the type of the global object. Whether there is such a type is checked
 * at the end, as it may be added later. */
void pare_graph_builder_global(pare_graph_builder *builder, uint32_t type)
{
    builder->global = type;
}

/* Adds a type; *id (may be NULL) is its number. Its prototype may be a type
 * that is not there yet, so that is checked at the end, too. */
pare_status pare_graph_builder_type(pare_graph_builder *builder, const pare_graph_type *type,
                                    uint32_t *id, pare_error *err)
{
    assert((unsigned)type->kind < PARE_GRAPH_N_KINDS);
    if (builder->n_types == PARE_GRAPH_MAX_NODES)
        return pare_fail(err, PARE_E_LIMIT, "the graph has too many types");
    pare_graph_type *types =
        pare_vector_grow(builder->types, builder->n_types, &builder->types_capacity, sizeof *types);
    if (!types) return pare_fail_nomem(err);
    builder->types = types;
    /* The new type counts only once all of its texts are there. */
    pare_graph_type *added = &types[builder->n_types];
    *added = *type;
    pare_status status = intern(builder, type->class_name, &added->class_name, err);
    if (!status) status = intern(builder, type->path, &added->path, err);
    if (status) return status;
    if (id) *id = (uint32_t)builder->n_types;
    builder->n_types++;
    return PARE_OK;
}

/* Sets a prototype. It is kept in the type and becomes an edge at the end, so
 * there is at most one for each type. */
void pare_graph_builder_prototype(pare_graph_builder *builder, uint32_t type, uint32_t prototype)
{
    assert(type < builder->n_types);
    builder->types[type].prototype = prototype;
}

/* Adds a signature; *id (may be NULL) is its number. The edge from its function
 * is made at the end, so none can be without one, or have two. */
pare_status pare_graph_builder_signature(pare_graph_builder *builder,
                                         const pare_graph_signature *signature, uint32_t *id,
                                         pare_error *err)
{
    if (builder->n_signatures == PARE_GRAPH_MAX_NODES)
        return pare_fail(err, PARE_E_LIMIT, "the graph has too many signatures");
    pare_graph_signature *signatures =
        pare_vector_grow(builder->signatures, builder->n_signatures, &builder->signatures_capacity,
                         sizeof *signatures);
    if (!signatures) return pare_fail_nomem(err);
    builder->signatures = signatures;
    signatures[builder->n_signatures] = *signature;
    if (id) *id = (uint32_t)builder->n_signatures;
    builder->n_signatures++;
    return PARE_OK;
}

/* Adds an edge. Doubles are allowed: learning adds what a test has shown
 * without asking what is known, and the end unites them. The limit counts
 * doubles too, so no input makes us keep more. */
pare_status pare_graph_builder_edge(pare_graph_builder *builder, const pare_graph_edge *edge,
                                    pare_error *err)
{
    if (builder->n_edges == PARE_GRAPH_MAX_EDGES)
        return pare_fail(err, PARE_E_LIMIT, "the graph has too many edges");
    pare_graph_edge *edges =
        pare_vector_grow(builder->edges, builder->n_edges, &builder->edges_capacity, sizeof *edges);
    if (!edges) return pare_fail_nomem(err);
    builder->edges = edges;
    pare_graph_edge *added = &edges[builder->n_edges];
    /* A builder's caller that knows no weights leaves them 0. */
    *added = *edge;
    if (!added->weight) added->weight = 1;
    pare_status status = intern(builder, edge->name, &added->name, err);
    if (!status) status = intern(builder, edge->values, &added->values, err);
    if (!status) builder->n_edges++;
    return status;
}

/* With their weights, or with all of them 1.  Nodes imply the other edges, but not their weights. */
static pare_status copy_edges(pare_graph_builder *builder, const pare_graph *graph, bool weighed,
                              pare_error *err)
{
    assert(builder->n_types >= graph->n_types && builder->n_signatures >= graph->n_signatures);
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < graph->n_edges; i++) {
        pare_graph_edge edge = graph->edges[i];
        /* The texts of the edge still belong to the other graph: adding it copies them. */
        if (!weighed) edge.weight = 1;
        if (edge.kind == PARE_GRAPH_PROPERTY || edge.kind == PARE_GRAPH_PARAMETER ||
            edge.kind == PARE_GRAPH_RETURN || edge.weight > 1)
            status = pare_graph_builder_edge(builder, &edge, err);
    }
    return status;
}

/* For a graph whose nodes are not the same: what was learnt of a signature changes it. */
pare_status pare_graph_builder_copy_edges(pare_graph_builder *builder, const pare_graph *graph,
                                          pare_error *err)
{
    return copy_edges(builder, graph, true, err);
}

/* With its weights, or with all of them 1. */
static pare_status copy(pare_graph_builder *builder, const pare_graph *graph, bool weighed,
                        pare_error *err)
{
    assert(builder->n_types == 0 && builder->n_signatures == 0 && builder->n_edges == 0);
    pare_status status = pare_graph_builder_engine(builder, graph->engine, graph->digest, err);
    builder->global = graph->global;
    for (uint32_t i = 0; !status && i < graph->n_types; i++)
        status = pare_graph_builder_type(builder, &graph->types[i], NULL, err);
    for (uint32_t i = 0; !status && i < graph->n_signatures; i++)
        status = pare_graph_builder_signature(builder, &graph->signatures[i], NULL, err);
    return status ? status : copy_edges(builder, graph, weighed, err);
}

/* For a graph that is to have more: what was learnt is added to what is known. */
pare_status pare_graph_builder_copy(pare_graph_builder *builder, const pare_graph *graph,
                                    pare_error *err)
{
    return copy(builder, graph, true, err);
}

/* For weights that are learnt anew: the old ones would count twice. */
pare_status pare_graph_builder_copy_unweighed(pare_graph_builder *builder, const pare_graph *graph,
                                              pare_error *err)
{
    return copy(builder, graph, false, err);
}

/* --- finishing: what must hold ----------------------------------------------------------- */

/* Whether an edge begins at a signature: only that to what a call returns.  Types and signatures
 * are numbered apart, so an edge's kind says which of the two lists each end is in. */
static bool is_from_signature(pare_graph_edge_kind kind)
{
    return kind == PARE_GRAPH_RETURN;
}

/* Whether an edge ends at a signature: calls and constructors do, and parameters, which lead from
 * the type of an argument to the signature that takes it. */
static bool is_to_signature(pare_graph_edge_kind kind)
{
    return kind == PARE_GRAPH_CALL || kind == PARE_GRAPH_CONSTRUCTOR ||
           kind == PARE_GRAPH_PARAMETER;
}

/* Checks what types and signatures say of each other.  It comes first, since the other checks index
 * the nodes. */
static pare_status check_nodes(const pare_graph_builder *builder, pare_error *err)
{
    if (builder->global >= builder->n_types)
        return pare_fail(err, PARE_E_SYNTAX, "the graph has no global object");
    for (size_t i = 0; i < builder->n_types; i++) {
        uint32_t prototype = builder->types[i].prototype;
        if (prototype != PARE_GRAPH_NONE && prototype >= builder->n_types)
            return pare_fail(err, PARE_E_SYNTAX, "the prototype of type %zu is not a type", i);
    }
    for (size_t i = 0; i < builder->n_signatures; i++) {
        const pare_graph_signature *signature = &builder->signatures[i];
        if (signature->function >= builder->n_types ||
            builder->types[signature->function].kind != PARE_GRAPH_FUNCTION)
            return pare_fail(err, PARE_E_SYNTAX, "signature %zu belongs to no function", i);
        if (signature->receiver != PARE_GRAPH_NONE && signature->receiver >= builder->n_types)
            return pare_fail(err, PARE_E_SYNTAX, "the receiver of signature %zu is not a type", i);
    }
    return PARE_OK;
}

/* Checks that each edge joins what is there, and what its kind demands of the two ends.
 *
 * Messages name an edge by its place among those that were added, which is its place in the file
 * that is read: its ends may be nothing, and give no name. */
static pare_status check_edges(const pare_graph_builder *builder, pare_error *err)
{
    for (size_t i = 0; i < builder->n_edges; i++) {
        const pare_graph_edge *edge = &builder->edges[i];
        /* The end of an edge is a number into one of two lists. */
        size_t n_from = is_from_signature(edge->kind) ? builder->n_signatures : builder->n_types;
        size_t n_to = is_to_signature(edge->kind) ? builder->n_signatures : builder->n_types;
        if (edge->from >= n_from || edge->to >= n_to)
            return pare_fail(err, PARE_E_SYNTAX, "edge %zu joins nodes that do not exist", i);
        bool is_call = edge->kind == PARE_GRAPH_CALL || edge->kind == PARE_GRAPH_CONSTRUCTOR;
        if (is_call && builder->signatures[edge->to].function != edge->from)
            return pare_fail(err, PARE_E_SYNTAX, "edge %zu belongs to another function", i);
        if (edge->kind == PARE_GRAPH_PARAMETER &&
            edge->position >= builder->signatures[edge->to].n_params)
            return pare_fail(err, PARE_E_SYNTAX,
                             "edge %zu is for a parameter that its signature does not have", i);
    }
    return PARE_OK;
}

/* Follows the prototypes of each type up to one that is known to end; O(types).  `last` holds for
 * each type the walk that came by, counted from 1, so a walk that meets itself is a circle. */
static pare_status check_prototypes(const pare_graph_type *types, size_t n, pare_error *err)
{
    uint32_t *last = pare_alloc_zero(n, sizeof *last);
    if (!last) return pare_fail_nomem(err);
    size_t circle = SIZE_MAX;
    for (size_t i = 0; circle == SIZE_MAX && i < n; i++) {
        uint32_t at = (uint32_t)i;
        while (at != PARE_GRAPH_NONE && last[at] == 0) {
            last[at] = (uint32_t)i + 1;
            at = types[at].prototype;
        }
        if (at != PARE_GRAPH_NONE && last[at] == i + 1) circle = at;
    }
    pare_alloc_free(last);
    if (circle == SIZE_MAX) return PARE_OK;
    return pare_fail(err, PARE_E_SYNTAX, "the prototypes of type %zu go in a circle", circle);
}

/* --- finishing: edges ---------------------------------------------------------------------- */

/* A difference of unsigned numbers would wrap. */
static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Names are compared by their addresses first: texts are interned, so equal ones are the same,
 * and most neighbours in a sort are members of one object with names of their own. */
static int compare_edges(const void *left, const void *right)
{
    const pare_graph_edge *a = left, *b = right;
    int order = compare_numbers(a->kind, b->kind);
    if (!order) order = compare_numbers(a->from, b->from);
    if (!order && a->name != b->name) order = strcmp(a->name, b->name);
    if (!order) order = compare_numbers(a->position, b->position);
    return order ? order : compare_numbers(a->to, b->to);
}

/* Adds the edges that types and signatures imply: one to each prototype, and one from each function
 * to its signatures.  They are stored once, in the node, and not twice. */
static pare_status add_implied(pare_graph_builder *builder, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < builder->n_types; i++) {
        if (builder->types[i].prototype == PARE_GRAPH_NONE) continue;
        pare_graph_edge edge = {.kind = PARE_GRAPH_PROTOTYPE,
                                .from = (uint32_t)i,
                                .to = builder->types[i].prototype,
                                .name = "",
                                .values = ""};
        /* If the edge was given as well, for its weight, sorting unites the two. */
        status = pare_graph_builder_edge(builder, &edge, err);
    }
    for (size_t i = 0; !status && i < builder->n_signatures; i++) {
        const pare_graph_signature *signature = &builder->signatures[i];
        pare_graph_edge edge = {.kind = signature->is_constructor ? PARE_GRAPH_CONSTRUCTOR
                                                                  : PARE_GRAPH_CALL,
                                .from = signature->function,
                                .to = (uint32_t)i,
                                .name = "",
                                .values = ""};
        status = pare_graph_builder_edge(builder, &edge, err);
    }
    return status;
}

/* The line of `values` (may be "") that comes first in the order of bytes and is greater than
 * the `last_size` bytes at `last` (NULL: any); NULL when there is none. */
static const char *line_after(const char *values, const char *last, size_t last_size, size_t *size)
{
    const char *least = NULL;
    for (const char *line = values; *line;) {
        size_t n = strcspn(line, "\n");
        /* Lines are compared as texts are, byte by byte; of two that agree as far as the
         * shorter one reaches, that one comes first. */
        size_t shared = last && n > last_size ? last_size : n;
        int order = last ? memcmp(line, last, shared) : 1;
        bool is_greater = order > 0 || (order == 0 && n > last_size);
        if (is_greater && least) {
            shared = n < *size ? n : *size;
            order = memcmp(line, least, shared);
            is_greater = order < 0 || (order == 0 && n < *size);
        }
        if (is_greater) {
            least = line;
            *size = n;
        }
        line += n + (line[n] == '\n');
    }
    return least;
}

/* Sets *out to the sorted lines of both texts without doubles, the first MAX_VALUES of them.
 * Quadratic, but both have few lines. */
static pare_status unite_values(pare_graph_builder *builder, const char *a, const char *b,
                                const char **out, pare_error *err)
{
    pare_buffer both = {0}, united = {0};
    pare_status status = pare_buffer_text(&both, a, err);
    if (!status && *a && *b) status = pare_buffer_text(&both, "\n", err);
    if (!status) status = pare_buffer_text(&both, b, err);
    const char *last = NULL;
    size_t size = 0;
    for (int i = 0; !status && i < MAX_VALUES; i++) {
        last = line_after(both.data, last, size, &size);
        if (!last) break;
        if (i > 0) status = pare_buffer_text(&united, "\n", err);
        if (!status) status = pare_buffer_add(&united, last, size, err);
    }
    if (!status) status = intern(builder, united.size ? united.data : "", out, err);
    pare_buffer_done(&both);
    pare_buffer_done(&united);
    return status;
}

/* Sorts the edges, and unites those that differ in their values and weights only: values are
 * joined, and the larger weight counts. */
static pare_status sort_edges(pare_graph_builder *builder, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_graph_edge *edges = builder->edges;
    size_t n = 0;
    if (builder->n_edges > 1) qsort(edges, builder->n_edges, sizeof *edges, compare_edges);
    for (size_t i = 0; !status && i < builder->n_edges; i++) {
        /* Edges that stay are moved to the front of the same array. */
        bool is_double = n > 0 && compare_edges(&edges[n - 1], &edges[i]) == 0;
        if (!is_double) edges[n++] = edges[i];
        pare_graph_edge *edge = &edges[n - 1];
        if (edges[i].weight > edge->weight) edge->weight = edges[i].weight;
        /* Values of a single edge are put in order, too, so that the order in which they were
         * learned does not show. */
        if (*edges[i].values)
            status = unite_values(builder, is_double ? edge->values : "", edges[i].values,
                                  &edge->values, err);
    }
    if (!status) builder->n_edges = n;
    return status;
}

/* Orders the numbers of edges by kind and target; within these, by number. */
static int compare_ends(const void *left, const void *right, void *context)
{
    const pare_graph_edge *edges = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = compare_numbers(edges[a].kind, edges[b].kind);
    if (!order) order = compare_numbers(edges[a].to, edges[b].to);
    return order ? order : compare_numbers(a, b);
}

/* Makes both indices: `starts` in the order of the edges, `ends` by their targets.  A counting sort
 * would be linear, but all sorting is a sixth of what reading the file takes. */
static pare_status index_edges(pare_graph *graph, pare_error *err)
{
    graph->starts = pare_alloc(graph->n_edges, sizeof *graph->starts);
    graph->ends = pare_alloc(graph->n_edges, sizeof *graph->ends);
    if (!graph->starts || !graph->ends) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < graph->n_edges; i++)
        graph->starts[i] = graph->ends[i] = i;
    if (graph->n_edges > 1)
        qsort_r(graph->ends, graph->n_edges, sizeof *graph->ends, compare_ends, graph->edges);
    return PARE_OK;
}

/* Moves what the builder holds to a graph.  What only building needs (the index of texts) is freed,
 * and the builder is empty afterwards. */
static pare_graph move_out(pare_graph_builder *builder)
{
    pare_graph graph = {.texts = builder->texts,
                        .engine = builder->engine,
                        .digest = builder->digest,
                        .global = builder->global,
                        .types = builder->types,
                        .n_types = (uint32_t)builder->n_types,
                        .signatures = builder->signatures,
                        .n_signatures = (uint32_t)builder->n_signatures,
                        .edges = builder->edges,
                        .n_edges = (uint32_t)builder->n_edges};
    builder->texts = (pare_arena){0};
    builder->types = NULL;
    builder->signatures = NULL;
    builder->edges = NULL;
    empty(builder);
    return graph;
}

/* The order matters: edges that are implied are added after those that were given are checked,
 * and sorting needs all of them. The builder is emptied also on failure, so that it can be used
 * again or freed. */
pare_status pare_graph_builder_finish(pare_graph_builder *builder, pare_graph **out,
                                      pare_error *err)
{
    pare_status status = check_nodes(builder, err);
    if (!status) status = check_edges(builder, err);
    if (!status) status = check_prototypes(builder->types, builder->n_types, err);
    if (!status) status = add_implied(builder, err);
    if (!status) status = sort_edges(builder, err);
    pare_graph *graph = status ? NULL : pare_alloc_zero(1, sizeof *graph);
    if (!status && !graph) status = pare_fail_nomem(err);
    if (!status) {
        *graph = move_out(builder);
        status = index_edges(graph, err);
    }
    /* On success move_out has emptied it already, and nothing is left to free. */
    empty(builder);
    if (status) {
        pare_graph_free(graph);
        return status;
    }
    assert(pare_graph_check(graph));
    *out = graph;
    return PARE_OK;
}

/* --- reading ---------------------------------------------------------------------------- */

/* Names and literals are in the arena, and go with it. */
void pare_graph_free(pare_graph *graph)
{
    if (!graph) return;
    pare_arena_done(&graph->texts);
    pare_alloc_free(graph->types);
    pare_alloc_free(graph->signatures);
    pare_alloc_free(graph->edges);
    pare_alloc_free(graph->starts);
    pare_alloc_free(graph->ends);
    pare_alloc_free(graph);
}

/* Accessors, rather than a public struct: how a graph lies in memory is ours to change. */
const char *pare_graph_engine(const pare_graph *graph)
{
    return graph->engine;
}

const char *pare_graph_digest(const pare_graph *graph)
{
    return graph->digest;
}

/* The type of the global object, where all paths begin. */
uint32_t pare_graph_global(const pare_graph *graph)
{
    return graph->global;
}

uint32_t pare_graph_n_types(const pare_graph *graph)
{
    return graph->n_types;
}

uint32_t pare_graph_n_signatures(const pare_graph *graph)
{
    return graph->n_signatures;
}

uint32_t pare_graph_n_edges(const pare_graph *graph)
{
    return graph->n_edges;
}

/* Numbers come from the graph itself, so one beyond the end is an error of the program. */
const pare_graph_type *pare_graph_type_at(const pare_graph *graph, uint32_t i)
{
    assert(i < graph->n_types);
    return &graph->types[i];
}

const pare_graph_signature *pare_graph_signature_at(const pare_graph *graph, uint32_t i)
{
    assert(i < graph->n_signatures);
    return &graph->signatures[i];
}

const pare_graph_edge *pare_graph_edge_at(const pare_graph *graph, uint32_t i)
{
    assert(i < graph->n_edges);
    return &graph->edges[i];
}

/* The first place in `order` whose edge is of at least this kind and, within the kind, has at least
 * this end: its source in `starts`, its target in `ends`.  O(log edges). */
static uint32_t find_place(const pare_graph *graph, const uint32_t *order,
                           pare_graph_edge_kind kind, uint64_t node)
{
    pare_halving search = {.low = 0, .high = graph->n_edges};
    while (pare_halving_next(&search)) {
        const pare_graph_edge *edge = &graph->edges[order[search.middle]];
        uint32_t end = order == graph->starts ? edge->from : edge->to;
        /* Order of both arrays: kind first, then the end. */
        bool is_less = edge->kind < kind || (edge->kind == kind && end < node);
        pare_halving_tell(&search, is_less);
    }
    return (uint32_t)search.low;
}

/* The edges of one kind at one node, as a part of `order`.  Two bisections: where they begin, and
 * where those of the next node would, whose number may not fit in 32 bits. */
static const uint32_t *find_edges(const pare_graph *graph, const uint32_t *order,
                                  pare_graph_edge_kind kind, uint32_t node, uint32_t *n)
{
    uint32_t first = find_place(graph, order, kind, node);
    *n = find_place(graph, order, kind, (uint64_t)node + 1) - first;
    return order + first;
}

/* A part of `starts`, which is 0, 1, 2, ...: edges are sorted by their source. */
const uint32_t *pare_graph_edges_from(const pare_graph *graph, pare_graph_edge_kind kind,
                                      uint32_t node, uint32_t *n)
{
    return find_edges(graph, graph->starts, kind, node, n);
}

/* A part of `ends`, which is sorted by target. */
const uint32_t *pare_graph_edges_to(const pare_graph *graph, pare_graph_edge_kind kind,
                                    uint32_t node, uint32_t *n)
{
    return find_edges(graph, graph->ends, kind, node, n);
}

/* The invariants that a finished graph has.  O(edges + types times their depth): for assertions and
 * tests, since a builder has checked all of it in linear time. */
bool pare_graph_check(const pare_graph *graph)
{
    if (graph->global >= graph->n_types) return false;
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const pare_graph_edge *edge = &graph->edges[i];
        uint32_t n_from = is_from_signature(edge->kind) ? graph->n_signatures : graph->n_types;
        uint32_t n_to = is_to_signature(edge->kind) ? graph->n_signatures : graph->n_types;
        if (edge->from >= n_from || edge->to >= n_to || graph->starts[i] != i) return false;
        if (edge->weight < 1 || edge->weight > PARE_GRAPH_MAX_WEIGHT) return false;
        if (i > 0 && compare_edges(edge - 1, edge) >= 0) return false;
        if (i > 0 && compare_ends(&graph->ends[i - 1], &graph->ends[i], graph->edges) >= 0)
            return false;
    }
    for (uint32_t i = 0; i < graph->n_types; i++) {
        uint32_t steps = 0; /* more than there are types: a circle */
        for (uint32_t at = i; at != PARE_GRAPH_NONE; at = graph->types[at].prototype)
            if (steps++ > graph->n_types) return false;
    }
    return true;
}
