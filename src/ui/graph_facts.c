/* Counts of a prototype graph, and the neighbourhood of a type.
 *
 * Edges are borrowed from the indices of the graph.  Signatures are collected in lists of their
 * own, because one may take a type at several positions, and because no edge leads from the type
 * of `this` to a signature: those are found by looking at all signatures, which is cheap beside
 * reading the file.  Invariant: each list of signatures ascends and has no number twice.
 *
 * Cost: O(edges of a type + signatures) for its neighbours, one pass over the graph for the
 * counts. */
#include "ui/graph_facts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* ---- the whole graph ------------------------------------------------------------- */

/* Whether objects with this prototype have anything from it: a function that nobody made a
 * constructor has a prototype that leads back to it, and nothing else. */
static bool gives_members(const pare_graph *graph, uint32_t prototype)
{
    uint32_t n;
    const uint32_t *edges = pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, prototype, &n);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(pare_graph_edge_at(graph, edges[i])->name, "constructor") != 0) return true;
    return false;
}

/* A test that used it with new decides; otherwise the prototype of what it makes does. */
bool pare_graph_facts_constructs(const pare_graph *graph, uint32_t type)
{
    uint32_t n, prototype;
    const uint32_t *edges = pare_graph_edges_from(graph, PARE_GRAPH_CONSTRUCTOR, type, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t signature = pare_graph_edge_at(graph, edges[i])->to;
        if (pare_graph_signature_at(graph, signature)->is_learned) return true;
    }
    /* Without a constructor signature a prototype says nothing: Symbol has one, too. */
    prototype = n ? pare_graph_facts_member(graph, type, "prototype") : PARE_GRAPH_NONE;
    return prototype != PARE_GRAPH_NONE && gives_members(graph, prototype);
}

/* Number of the signatures of `type`, and of those that were learned.  A function has its signatures
 * by two kinds of edges: call and constructor. */
static uint32_t count_signatures(const pare_graph *graph, uint32_t type, uint32_t *learned)
{
    static const pare_graph_edge_kind kinds[] = {PARE_GRAPH_CALL, PARE_GRAPH_CONSTRUCTOR};
    uint32_t sum = 0;
    *learned = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint32_t n;
        const uint32_t *edges = pare_graph_edges_from(graph, kinds[k], type, &n);
        sum += n;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t signature = pare_graph_edge_at(graph, edges[i])->to;
            *learned += pare_graph_signature_at(graph, signature)->is_learned;
        }
    }
    return sum;
}

/* Objects have no signatures at all; they are not what there is to learn. */
bool pare_graph_facts_unlearned(const pare_graph *graph, uint32_t type)
{
    uint32_t learned, n = count_signatures(graph, type, &learned);
    return n > 0 && learned == 0;
}

/* Counts a type, and what its signatures make of it. */
static void count_type(const pare_graph *graph, uint32_t type, pare_graph_counts *counts)
{
    const pare_graph_type *about = pare_graph_type_at(graph, type);
    uint32_t learned, n = count_signatures(graph, type, &learned);
    if (about->is_instance)
        counts->instances++;
    else
        counts->types[about->kind]++;
    /* Functions that nothing is known to call, as of a damaged graph, count as functions only. */
    counts->callables += n > 0;
    counts->unlearned += n > 0 && learned == 0;
    counts->constructors += pare_graph_facts_constructs(graph, type);
}

/* One pass over each list.  Only a learned signature counts as throwing: of a declared one nobody
 * knows, and its flag means nothing. */
pare_graph_counts pare_graph_facts_count(const pare_graph *graph)
{
    pare_graph_counts counts = {.instances = 0};
    for (uint32_t i = 0; i < pare_graph_n_types(graph); i++)
        count_type(graph, i, &counts);
    for (uint32_t i = 0; i < pare_graph_n_edges(graph); i++)
        counts.edges[pare_graph_edge_at(graph, i)->kind]++;
    for (uint32_t i = 0; i < pare_graph_n_signatures(graph); i++) {
        const pare_graph_signature *signature = pare_graph_signature_at(graph, i);
        counts.learned += signature->is_learned;
        counts.throwing += signature->is_learned && signature->throws;
    }
    return counts;
}

/* A walk over all members: names are sorted, but objects with more than a hundred are rare, and this
 * is asked once for each constructor. */
uint32_t pare_graph_facts_member(const pare_graph *graph, uint32_t type, const char *name)
{
    uint32_t n;
    const uint32_t *edges = pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, type, &n);
    for (uint32_t i = 0; i < n; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, edges[i]);
        if (strcmp(edge->name, name) == 0) return edge->to;
    }
    return PARE_GRAPH_NONE;
}

/* ---- one type -------------------------------------------------------------------- */

/* Numbers of 32 bits: their difference would not fit an int. */
static int by_number(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

/* Sorts the list, and drops doubles.  An empty one has no array that qsort could be given. */
static void finish(pare_graph_signatures *list)
{
    uint32_t n = 0;
    if (list->n) qsort(list->at, list->n, sizeof *list->at, by_number);
    for (uint32_t i = 0; i < list->n; i++)
        if (!n || list->at[n - 1] != list->at[i]) list->at[n++] = list->at[i];
    list->n = n;
}

/* Makes *list of the ends of edges that are signatures: `from` says which end that is. */
static pare_status collect(const pare_graph *graph, pare_graph_edges edges, bool from,
                           pare_graph_signatures *list, pare_error *err)
{
    list->at = pare_alloc(edges.n, sizeof *list->at);
    if (!list->at) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < edges.n; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, edges.at[i]);
        list->at[list->n++] = from ? edge->from : edge->to;
    }
    finish(list);
    return PARE_OK;
}

/* Whether a signature is of the function `type`, or (`calling`) called on it. */
static bool concerns(const pare_graph *graph, uint32_t signature, uint32_t type, bool calling)
{
    const pare_graph_signature *about = pare_graph_signature_at(graph, signature);
    return (calling ? about->receiver : about->function) == type;
}

/* Makes *list of the signatures that concern `type`: counted first, then filled in. */
static pare_status choose(const pare_graph *graph, uint32_t type, bool calling,
                          pare_graph_signatures *list, pare_error *err)
{
    uint32_t n = 0, n_all = pare_graph_n_signatures(graph);
    for (uint32_t i = 0; i < n_all; i++)
        n += concerns(graph, i, type, calling);
    list->at = pare_alloc(n, sizeof *list->at);
    if (!list->at) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < n_all; i++)
        if (concerns(graph, i, type, calling)) list->at[list->n++] = i;
    return PARE_OK;
}

/* All lists are made before *out is set, so that a failure leaves it alone. */
pare_status pare_graph_facts_neighbours(const pare_graph *graph, uint32_t type,
                                        pare_graph_neighbours *out, pare_error *err)
{
    pare_graph_neighbours all = {.type = type};
    /* Edges between types are shown as they are; those of signatures are collected. */
    pare_graph_edges taking, returning;
    assert(type < pare_graph_n_types(graph));
    all.members.at = pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, type, &all.members.n);
    all.owners.at = pare_graph_edges_to(graph, PARE_GRAPH_PROPERTY, type, &all.owners.n);
    all.heirs.at = pare_graph_edges_to(graph, PARE_GRAPH_PROTOTYPE, type, &all.heirs.n);
    taking.at = pare_graph_edges_from(graph, PARE_GRAPH_PARAMETER, type, &taking.n);
    returning.at = pare_graph_edges_to(graph, PARE_GRAPH_RETURN, type, &returning.n);
    pare_status status = choose(graph, type, false, &all.own, err);
    if (!status) status = choose(graph, type, true, &all.callers, err);
    if (!status) status = collect(graph, taking, false, &all.takers, err);
    if (!status) status = collect(graph, returning, true, &all.returners, err);
    if (status == PARE_OK)
        *out = all;
    else
        pare_graph_facts_done(&all);
    return status;
}

/* Edges are the graph's. */
void pare_graph_facts_done(pare_graph_neighbours *neighbours)
{
    pare_alloc_free(neighbours->own.at);
    pare_alloc_free(neighbours->takers.at);
    pare_alloc_free(neighbours->returners.at);
    pare_alloc_free(neighbours->callers.at);
    *neighbours = (pare_graph_neighbours){.type = 0};
}
