/* Least costs by Knuth's generalised Dijkstra.
 *
 * Types leave a heap in the order of their costs, each once.  A type that leaves makes
 * cheaper, for itself and for every prototype above it that no cheaper type has reached, the
 * types of their properties; and it fills a place (callee, receiver, position of a parameter)
 * of signatures, which are complete when all their places are filled, and then reach the types
 * that they return.  Since a whole never costs less than a part of it, the first value of each
 * place is its least, and a chain of prototypes is followed up to the first that was reached
 * before: all chains together cost O(n).
 *
 * Invariant: the parts of a way left the heap before the type itself, so ways make no circle.
 * A depth above PARE_TYPE_COSTS_DEPTH counts as none.  The forest of prototypes is laid out in
 * preorder, so that "inherits" is a comparison of two places. */
#include "generate/prototype/type_costs.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/heap.h"
#include "base/vector.h"

/* A type that could have this cost. */
struct offer {
    pare_type_cost cost;
    pare_type_way way;
    uint32_t type;
};

/* The computation. It ends with it; what stays is in `costs`. */
struct search {
    pare_type_costs *costs;
    const pare_graph *graph;
    struct offer *heap; /* owned, as are all arrays */
    size_t n, capacity;
    uint8_t *is_settled;    /* of each type */
    uint32_t *n_missing;    /* of each signature: places that nothing fills yet */
    uint64_t *is_open;      /* of each signature: a bit for each position that nothing fills yet */
    uint32_t *first_called; /* of each type: a signature whose receiver it is; or PARE_GRAPH_NONE */
    uint32_t *next_called;  /* of each signature: another one with the same receiver */
};

/* The order of offers: by cost, then by type and way. It is total, so the
 * result depends neither on the order in which offers come nor on that of edges
 * in a file. */
static bool is_before(const void *a, const void *b, const void *context)
{
    const struct offer *x = a, *y = b;
    (void)context;
    if (x->cost.calls != y->cost.calls) return x->cost.calls < y->cost.calls;
    if (x->cost.depth != y->cost.depth) return x->cost.depth < y->cost.depth;
    if (x->type != y->type) return x->type < y->type;
    if (x->way.kind != y->way.kind) return x->way.kind < y->way.kind;
    return x->way.edge < y->way.edge;
}

static const pare_heap_order order = {.item_bytes = sizeof(struct offer), .before = is_before};

/* Puts an offer into the heap. One that is too late or too deep is dropped at
 * once; most are, since each object is reached by many properties. */
static pare_status offer(struct search *search, struct offer offered, pare_error *err)
{
    if (search->is_settled[offered.type] || offered.cost.depth > PARE_TYPE_COSTS_DEPTH)
        return PARE_OK;
    struct offer *heap = pare_vector_grow(search->heap, search->n, &search->capacity, sizeof *heap);
    if (!heap) return pare_fail_nomem(err);
    search->heap = heap;
    pare_heap_push(&order, heap, search->n++, &offered);
    return PARE_OK;
}

/* --- literals ---------------------------------------------------------------------------- */

/* The type to which properties of these names lead from the global object;
 * PARE_GRAPH_NONE: there is none. By names and not by paths: the path of a type
 * is the first expression that was found for it, which may be another one. */
uint32_t pare_type_costs_find(const pare_graph *graph, const char *const *names)
{
    uint32_t type = pare_graph_global(graph);
    for (; *names && type != PARE_GRAPH_NONE; names++) {
        uint32_t n = 0, found = PARE_GRAPH_NONE;
        const uint32_t *edges = pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, type, &n);
        for (uint32_t i = 0; i < n && found == PARE_GRAPH_NONE; i++) {
            const pare_graph_edge *edge = pare_graph_edge_at(graph, edges[i]);
            if (strcmp(edge->name, *names) == 0) found = edge->to;
        }
        type = found;
    }
    return type;
}

/* Notes which types have literals: primitives, and instances of the four
 * prototypes that literals have. Symbols and big integers have none that an
 * engine of ES5 reads. */
static void find_literals(pare_type_costs *costs)
{
    static const struct {
        const char *names[3];
        pare_type_literal literal;
    } known[] = {{{"Object", "prototype", NULL}, PARE_TYPE_LITERAL_OBJECT},
                 {{"Array", "prototype", NULL}, PARE_TYPE_LITERAL_ARRAY},
                 {{"Function", "prototype", NULL}, PARE_TYPE_LITERAL_FUNCTION},
                 {{"RegExp", "prototype", NULL}, PARE_TYPE_LITERAL_REGEX}};
    uint32_t n = pare_graph_n_types(costs->graph);
    for (uint32_t i = 0; i < n; i++) {
        pare_graph_kind kind = pare_graph_type_at(costs->graph, i)->kind;
        if (kind <= PARE_GRAPH_STRING) costs->literals[i] = PARE_TYPE_LITERAL_PRIMITIVE;
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        uint32_t prototype = pare_type_costs_find(costs->graph, known[k].names);
        for (uint32_t i = 0; prototype != PARE_GRAPH_NONE && i < n; i++) {
            const pare_graph_type *type = pare_graph_type_at(costs->graph, i);
            if (type->is_instance && type->prototype == prototype)
                costs->literals[i] = known[k].literal;
        }
    }
}

/* --- the forest of prototypes --------------------------------------------------------------- */

/* Lays the trees of prototypes out in preorder, so that all that is below a
 * type stands right after it. A loop without recursion: trees may be as deep as
 * an engine makes them. */
static pare_status lay_out(pare_type_costs *costs, pare_error *err)
{
    const pare_graph *graph = costs->graph;
    uint32_t n = pare_graph_n_types(graph), at = 0;
    uint32_t *next = pare_alloc_zero(n ? n : 1, sizeof *next); /* child to go to */
    if (!next) return pare_fail_nomem(err);
    for (uint32_t root = 0; root < n; root++) {
        if (pare_graph_type_at(graph, root)->prototype != PARE_GRAPH_NONE) continue;
        uint32_t type = root;
        costs->first[type] = at;
        costs->order[at++] = type;
        /* next[type] is where the loop stands among the type's children, in place of a stack. */
        while (type != PARE_GRAPH_NONE) {
            uint32_t n_children = 0;
            const uint32_t *edges =
                pare_graph_edges_to(graph, PARE_GRAPH_PROTOTYPE, type, &n_children);
            if (next[type] < n_children) {
                type = pare_graph_edge_at(graph, edges[next[type]++])->from;
                costs->first[type] = at;
                costs->order[at++] = type;
                continue;
            }
            costs->n_below[type] = at - costs->first[type];
            type = type == root ? PARE_GRAPH_NONE : pare_graph_type_at(graph, type)->prototype;
        }
    }
    assert(at == n && "prototypes make no circle");
    pare_alloc_free(next);
    return PARE_OK;
}

/* Whether `type` inherits from `ancestor`, or is it. O(1) by the preorder. */
bool pare_type_costs_inherits(const pare_type_costs *costs, uint32_t type, uint32_t ancestor)
{
    uint32_t at = costs->first[type], from = costs->first[ancestor];
    return at >= from && at - from < costs->n_below[ancestor];
}

/* --- the search -------------------------------------------------------------------------- */

/* The bit of a position; 0 for positions beyond those for which arguments are made. */
static uint64_t bit_of(uint32_t position)
{
    return position < PARE_TYPE_COSTS_ARGUMENTS ? UINT64_C(1) << position : 0;
}

/* Fills one place of a signature with something of this cost. When all places
 * are filled the signature can be called, and what it returns is offered. Sums
 * stop at 2^31, so that they do not overflow. */
static pare_status fill(struct search *search, uint32_t signature, pare_type_cost cost,
                        pare_error *err)
{
    pare_type_cost *sum = &search->costs->signatures[signature];
    pare_status status = PARE_OK;
    uint32_t n = 0;
    assert(search->n_missing[signature]);
    if (cost.depth > sum->depth) sum->depth = cost.depth;
    sum->calls =
        sum->calls > UINT32_MAX / 2 - cost.calls ? UINT32_MAX / 2 : sum->calls + cost.calls;
    if (--search->n_missing[signature]) return PARE_OK;
    sum->calls++;
    sum->depth++;
    const uint32_t *edges = pare_graph_edges_from(search->graph, PARE_GRAPH_RETURN, signature, &n);
    for (uint32_t i = 0; !status && i < n; i++) {
        const pare_type_way way = {.kind = PARE_TYPE_WAY_RETURN, .edge = edges[i]};
        uint32_t type = pare_graph_edge_at(search->graph, edges[i])->to;
        status = offer(search, (struct offer){*sum, way, type}, err);
    }
    return status;
}

/* Fills the places that `type` can take in signatures: as callee, or at a
 * position that nothing has filled yet. */
static pare_status fill_places(struct search *search, uint32_t type, pare_error *err)
{
    static const pare_graph_edge_kind kinds[] = {PARE_GRAPH_CALL, PARE_GRAPH_CONSTRUCTOR,
                                                 PARE_GRAPH_PARAMETER};
    pare_type_cost cost = search->costs->types[type];
    pare_status status = PARE_OK;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint32_t n = 0;
        const uint32_t *edges = pare_graph_edges_from(search->graph, kinds[k], type, &n);
        for (uint32_t i = 0; !status && i < n; i++) {
            const pare_graph_edge *edge = pare_graph_edge_at(search->graph, edges[i]);
            if (kinds[k] == PARE_GRAPH_PARAMETER) {
                uint64_t bit = bit_of(edge->position);
                if (!(search->is_open[edge->to] & bit)) continue;
                search->is_open[edge->to] &= ~bit;
            }
            status = fill(search, edge->to, cost, err);
        }
    }
    return status;
}

/* Notes that `heir` is the cheapest type that has the properties of `holder`:
 * so what the holder has can be had through it, and calls on the holder have a
 * receiver. */
static pare_status reach_holder(struct search *search, uint32_t holder, uint32_t heir,
                                pare_error *err)
{
    pare_type_cost cost = search->costs->types[heir];
    pare_type_cost next = {cost.calls, cost.depth + 1};
    pare_status status = PARE_OK;
    uint32_t n = 0;
    search->costs->heirs[holder] = heir;
    for (uint32_t i = search->first_called[holder]; !status && i != PARE_GRAPH_NONE;
         i = search->next_called[i])
        status = fill(search, i, cost, err);
    const uint32_t *edges = pare_graph_edges_from(search->graph, PARE_GRAPH_PROPERTY, holder, &n);
    for (uint32_t i = 0; !status && i < n; i++) {
        const pare_type_way way = {PARE_TYPE_WAY_PROPERTY, edges[i], heir};
        uint32_t type = pare_graph_edge_at(search->graph, edges[i])->to;
        status = offer(search, (struct offer){next, way, type}, err);
    }
    return status;
}

/* Settles a type with its final cost. The chain of prototypes is climbed only
 * as far as nobody has come before: whoever did was cheaper. */
static pare_status settle(struct search *search, const struct offer *offered, pare_error *err)
{
    pare_type_costs *costs = search->costs;
    uint32_t type = offered->type;
    search->is_settled[type] = 1;
    costs->types[type] = offered->cost;
    costs->ways[type] = offered->way;
    pare_status status = fill_places(search, type, err);
    for (uint32_t holder = type;
         !status && holder != PARE_GRAPH_NONE && costs->heirs[holder] == PARE_GRAPH_NONE;
         holder = pare_graph_type_at(search->graph, holder)->prototype)
        status = reach_holder(search, holder, type, err);
    return status;
}

/* Offers what needs no part: the global object, and literals. */
static pare_status offer_leaves(struct search *search, pare_error *err)
{
    pare_status status = offer(
        search,
        (struct offer){.way.kind = PARE_TYPE_WAY_GLOBAL, .type = pare_graph_global(search->graph)},
        err);
    for (uint32_t i = 0; !status && i < pare_graph_n_types(search->graph); i++)
        if (search->costs->literals[i])
            status =
                offer(search, (struct offer){.way.kind = PARE_TYPE_WAY_LITERAL, .type = i}, err);
    return status;
}

/* Dijkstra's search over types: each leaves the heap once with its least cost,
 * and later offers of it are passed over. */
static pare_status run(struct search *search, pare_error *err)
{
    pare_status status = offer_leaves(search, err);
    while (!status && search->n) {
        struct offer first;
        pare_heap_pop(&order, search->heap, search->n--, &first);
        if (!search->is_settled[first.type]) status = settle(search, &first, err);
    }
    return status;
}

/* --- places of signatures --------------------------------------------------------------------- */

/* Counts what has to be there before a signature can be called: its function,
 * its receiver, and something for each position whose types are known. */
static void count_places(struct search *search, uint32_t signature)
{
    const pare_graph *graph = search->graph;
    uint32_t receiver = pare_graph_signature_at(graph, signature)->receiver, n = 0;
    search->n_missing[signature] = 1;
    if (receiver != PARE_GRAPH_NONE) {
        search->n_missing[signature]++;
        search->next_called[signature] = search->first_called[receiver];
        search->first_called[receiver] = signature;
    }
    const uint32_t *edges = pare_graph_edges_to(graph, PARE_GRAPH_PARAMETER, signature, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bit = bit_of(pare_graph_edge_at(graph, edges[i])->position);
        search->n_missing[signature] += bit && !(search->is_open[signature] & bit);
        search->is_open[signature] |= bit;
    }
}

/* --- life ---------------------------------------------------------------------------------- */

/* All-zero is a no-op, so what has failed half way is ended in the same way. */
void pare_type_costs_done(pare_type_costs *costs)
{
    pare_alloc_free(costs->types);
    pare_alloc_free(costs->signatures);
    pare_alloc_free(costs->ways);
    pare_alloc_free(costs->literals);
    pare_alloc_free(costs->heirs);
    pare_alloc_free(costs->order);
    pare_alloc_free(costs->first);
    pare_alloc_free(costs->n_below);
    *costs = (pare_type_costs){0};
}

/* Makes all arrays at once; after this the search only fails for its heap. */
static pare_status allocate(struct search *search, pare_error *err)
{
    pare_type_costs *costs = search->costs;
    uint32_t n = pare_graph_n_types(search->graph), m = pare_graph_n_signatures(search->graph);
    costs->types = pare_alloc(n, sizeof *costs->types);
    costs->signatures = pare_alloc_zero(m, sizeof *costs->signatures);
    costs->ways = pare_alloc_zero(n, sizeof *costs->ways);
    costs->literals = pare_alloc_zero(n, sizeof *costs->literals);
    costs->heirs = pare_alloc(n, sizeof *costs->heirs);
    costs->order = pare_alloc(n, sizeof *costs->order);
    costs->first = pare_alloc(n, sizeof *costs->first);
    costs->n_below = pare_alloc(n, sizeof *costs->n_below);
    search->is_settled = pare_alloc_zero(n, 1);
    search->n_missing = pare_alloc(m, sizeof *search->n_missing);
    search->is_open = pare_alloc_zero(m, sizeof *search->is_open);
    search->first_called = pare_alloc(n, sizeof *search->first_called);
    search->next_called = pare_alloc(m, sizeof *search->next_called);
    if (!costs->types || !costs->signatures || !costs->ways || !costs->literals || !costs->heirs ||
        !costs->order || !costs->first || !costs->n_below || !search->is_settled ||
        !search->n_missing || !search->is_open || !search->first_called || !search->next_called)
        return pare_fail_nomem(err);
    for (uint32_t i = 0; i < n; i++) {
        costs->types[i] = (pare_type_cost){0, PARE_TYPE_COSTS_NEVER};
        costs->heirs[i] = search->first_called[i] = PARE_GRAPH_NONE;
    }
    for (uint32_t i = 0; i < m; i++)
        search->next_called[i] = PARE_GRAPH_NONE;
    return PARE_OK;
}

/* Works the costs out; on failure *costs is all-zero. O(e log e): each edge
 * makes one offer at most. Some milliseconds for the 15,000 edges of the
 * largest graphs. */
pare_status pare_type_costs_init(pare_type_costs *costs, const pare_graph *graph, pare_error *err)
{
    *costs = (pare_type_costs){.graph = graph};
    struct search search = {.costs = costs, .graph = graph};
    pare_status status = allocate(&search, err);
    if (!status) status = lay_out(costs, err);
    if (!status) {
        for (uint32_t i = 0; i < pare_graph_n_signatures(graph); i++)
            count_places(&search, i);
        find_literals(costs);
        status = run(&search, err);
    }
    /* A signature with a place that nothing fills cannot be called. */
    for (uint32_t i = 0; !status && i < pare_graph_n_signatures(graph); i++)
        if (search.n_missing[i] || costs->signatures[i].depth > PARE_TYPE_COSTS_DEPTH)
            costs->signatures[i] = (pare_type_cost){0, PARE_TYPE_COSTS_NEVER};
    pare_alloc_free(search.heap);
    pare_alloc_free(search.is_settled);
    pare_alloc_free(search.n_missing);
    pare_alloc_free(search.is_open);
    pare_alloc_free(search.first_called);
    pare_alloc_free(search.next_called);
    if (status) pare_type_costs_done(costs);
    return status;
}

/* Whether a part costs less than the whole, by the order in which types are settled. */
static bool is_part(pare_type_cost part, pare_type_cost whole)
{
    return part.depth < whole.depth && part.calls <= whole.calls;
}

/* Whether the way to a type is right. Each part of it was settled before the
 * whole and so costs less; with that, following ways always ends. */
static bool is_way_right(const pare_type_costs *costs, uint32_t type)
{
    const pare_type_way *way = &costs->ways[type];
    pare_type_cost cost = costs->types[type];
    if (way->kind == PARE_TYPE_WAY_NONE) return cost.depth == PARE_TYPE_COSTS_NEVER;
    if (way->kind == PARE_TYPE_WAY_GLOBAL) return type == pare_graph_global(costs->graph);
    if (way->kind == PARE_TYPE_WAY_LITERAL) return costs->literals[type] != PARE_TYPE_LITERAL_NONE;
    const pare_graph_edge *edge = pare_graph_edge_at(costs->graph, way->edge);
    if (edge->to != type) return false;
    if (way->kind == PARE_TYPE_WAY_RETURN)
        return costs->signatures[edge->from].calls == cost.calls && cost.calls > 0;
    return is_part(costs->types[way->receiver], cost) &&
           pare_type_costs_inherits(costs, way->receiver, edge->from);
}

/* Whether all invariants hold. O(types). It does not show that costs are least;
 * tests compare them with a fixpoint. */
bool pare_type_costs_check(const pare_type_costs *costs)
{
    for (uint32_t i = 0; i < pare_graph_n_types(costs->graph); i++) {
        const pare_graph_type *type = pare_graph_type_at(costs->graph, i);
        if (!is_way_right(costs, i)) return false;
        if (costs->order[costs->first[i]] != i) return false;
        if (type->prototype != PARE_GRAPH_NONE &&
            !pare_type_costs_inherits(costs, i, type->prototype))
            return false;
        uint32_t heir = costs->heirs[i];
        if (heir != PARE_GRAPH_NONE && (!pare_type_costs_inherits(costs, heir, i) ||
                                        costs->types[heir].depth == PARE_TYPE_COSTS_NEVER))
            return false;
    }
    return true;
}
