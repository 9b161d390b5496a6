/* Tables that a walk makes once: functions to begin with, types of which values are made, hints,
 * instances, literals that may be passed again, and positions of weights.
 *
 * A choice of a walk is an index into one of these tables, so their order is part of what a list of
 * choices means: types by number, functions that have more behind them several times in a row.
 * Making them costs some comparisons of names for each function, a fraction of what reading
 * the graph does; with them each choice is O(1), but for those with weights.
 * Invariant: each function can be called within the budget, and each type of a value can be had. */
#include <assert.h>
#include <string.h>

#include <pare/graph.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "generate/prototype/type_costs.h"
#include "generate/prototype/values.h"
#include "generate/prototype/walk_run.h"

#define LENGTH_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

enum { MAX_ENTRIES = 8 }; /* of a function among those to begin with */

/* Whatever is there: a walk that could not be made whole has the rest NULL. */
void pare_walk_tables_done(struct pare_walk *walk)
{
    pare_alloc_free(walk->functions);
    pare_alloc_free(walk->values);
    pare_alloc_free(walk->weights);
    pare_alloc_free(walk->start_weights);
    pare_alloc_free(walk->edge_weights);
    pare_alloc_free(walk->call_edges);
    pare_alloc_free((void *)walk->hints);
    pare_alloc_free(walk->instances);
    pare_alloc_free(walk->n_learned);
    pare_alloc_free(walk->variables);
}

/* Whether any edge of the graph has more weight than the others. */
static bool has_weights(const pare_graph *graph)
{
    for (uint32_t i = 0; i < pare_graph_n_edges(graph); i++)
        if (pare_graph_edge_at(graph, i)->weight > 1) return true;
    return false;
}

/* Weights of functions are there only with a cooldown or with weights of edges: without them a
 * function is chosen in O(1). */
static pare_status allocate(struct pare_walk *walk, pare_error *err)
{
    uint32_t n = pare_graph_n_types(walk->graph), n_edges = pare_graph_n_edges(walk->graph);
    bool weighs = has_weights(walk->graph);
    bool cools = (walk->cooldown > 0 && walk->cooldown < 1) || weighs;
    walk->functions = pare_alloc((size_t)n * MAX_ENTRIES, sizeof *walk->functions);
    walk->values = pare_alloc(n, sizeof *walk->values);
    walk->hints = pare_alloc_zero(n, sizeof *walk->hints);
    walk->instances = pare_alloc(n, sizeof *walk->instances);
    walk->n_learned = pare_alloc_zero(n_edges, 1);
    walk->call_edges = pare_alloc(pare_graph_n_signatures(walk->graph), sizeof *walk->call_edges);
    /* So many values at most: texts stay one screen long. */
    walk->variables = pare_alloc(PARE_WALK_VARIABLES, sizeof *walk->variables);
    if (cools) walk->weights = pare_alloc((size_t)n * MAX_ENTRIES, sizeof *walk->weights);
    if (weighs) {
        walk->start_weights = pare_alloc((size_t)n * MAX_ENTRIES, sizeof *walk->start_weights);
        walk->edge_weights = pare_alloc(n_edges, sizeof *walk->edge_weights);
    }
    bool is_whole = walk->functions && walk->values && walk->hints && walk->instances &&
                    walk->n_learned && walk->variables && walk->call_edges &&
                    (!cools || walk->weights) &&
                    (!weighs || (walk->start_weights && walk->edge_weights));
    return is_whole ? PARE_OK : pare_fail_nomem(err);
}

/* Whether any call of a function is within the budget; a function of which none is would only
 * waste a beginning. */
static bool can_begin_with(const struct pare_walk *walk, uint32_t function)
{
    static const pare_graph_edge_kind kinds[] = {PARE_GRAPH_CALL, PARE_GRAPH_CONSTRUCTOR};
    for (size_t k = 0; k < LENGTH_OF(kinds); k++) {
        uint32_t n = 0;
        const uint32_t *edges = pare_graph_edges_from(walk->graph, kinds[k], function, &n);
        for (uint32_t i = 0; i < n; i++) {
            pare_type_cost cost =
                walk->costs->signatures[pare_graph_edge_at(walk->graph, edges[i])->to];
            if (cost.depth <= walk->max_depth && cost.calls <= walk->max_calls) return true;
        }
    }
    return false;
}

/* Whether a type is an object that holds nothing but its constructor, as the prototypes are that
 * some engines give to every function, or an instance of one.  There may be more of them than of
 * all others. */
static bool is_dull(const pare_graph *graph, uint32_t number)
{
    const pare_graph_type *type = pare_graph_type_at(graph, number);
    uint32_t holder = type->is_instance ? type->prototype : number, n = 0;
    if (type->kind != PARE_GRAPH_OBJECT || holder == PARE_GRAPH_NONE) return false;
    const uint32_t *edges = pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, holder, &n);
    return n == 1 && strcmp(pare_graph_edge_at(graph, edges[0])->name, "constructor") == 0;
}

/* How often a function stands among those to begin with: those that read a language of their own
 * (source, patterns, JSON, dates) have more behind them than others. */
static uint32_t count_entries(const pare_walk_hint *hint)
{
    static const uint8_t entries[PARE_WALK_N_KINDS] = {[PARE_WALK_SOURCE] = MAX_ENTRIES,
                                                       [PARE_WALK_PATTERN] = 3,
                                                       [PARE_WALK_SEPARATOR] = 2,
                                                       [PARE_WALK_SUBJECT] = 2,
                                                       [PARE_WALK_JSON] = 3,
                                                       [PARE_WALK_MOMENT] = 2,
                                                       [PARE_WALK_DATE] = 2};
    uint32_t most = 1;
    for (uint32_t i = 0; hint && i < PARE_WALK_HINTED; i++)
        if (entries[hint->kinds[i]] > most) most = entries[hint->kinds[i]];
    return most;
}

/* How much more often a function is begun with than others: as its heaviest call says. */
static double start_weight(const struct pare_walk *walk, uint32_t function)
{
    static const pare_graph_edge_kind kinds[] = {PARE_GRAPH_CALL, PARE_GRAPH_CONSTRUCTOR};
    uint32_t most = 1;
    for (size_t k = 0; k < LENGTH_OF(kinds); k++) {
        uint32_t n = 0;
        const uint32_t *edges = pare_graph_edges_from(walk->graph, kinds[k], function, &n);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t weight = pare_graph_edge_at(walk->graph, edges[i])->weight;
            if (weight > most) most = weight;
        }
    }
    return most;
}

/* What is looked up once: hints of functions, instances of prototypes, the edge of each signature,
 * and learned literals. */
static void look_up(struct pare_walk *walk)
{
    const pare_graph *graph = walk->graph;
    uint32_t n = pare_graph_n_types(graph);
    for (uint32_t i = 0; i < n; i++)
        walk->instances[i] = PARE_GRAPH_NONE;
    for (uint32_t i = 0; i < n; i++) {
        const pare_graph_type *type = pare_graph_type_at(graph, i);
        bool is_usual = type->is_instance || type->kind < PARE_GRAPH_OBJECT;
        if (is_usual && type->prototype != PARE_GRAPH_NONE &&
            (type->kind < PARE_GRAPH_OBJECT || walk->instances[type->prototype] == PARE_GRAPH_NONE))
            walk->instances[type->prototype] = i;
        if (walk->costs->types[i].depth != PARE_TYPE_COSTS_NEVER && !is_dull(graph, i))
            walk->values[walk->n_values++] = i;
        if (type->kind != PARE_GRAPH_FUNCTION) continue;
        walk->hints[i] = pare_walk_values_hint(type->path);
        uint32_t n_entries = can_begin_with(walk, i) ? count_entries(walk->hints[i]) : 0;
        double weight = walk->start_weights && n_entries ? start_weight(walk, i) : 1;
        while (n_entries--) {
            if (walk->start_weights) walk->start_weights[walk->n_functions] = weight;
            walk->functions[walk->n_functions++] = i;
        }
    }
    assert(walk->n_values <= n && walk->n_functions <= n * MAX_ENTRIES);
    for (uint32_t i = 0; i < pare_graph_n_edges(graph); i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, i);
        uint32_t n_lines =
            edge->kind == PARE_GRAPH_PARAMETER ? pare_values_count_learned(edge->values) : 0;
        walk->n_learned[i] = (uint8_t)(n_lines < UINT8_MAX ? n_lines : UINT8_MAX);
        if (edge->kind == PARE_GRAPH_CALL || edge->kind == PARE_GRAPH_CONSTRUCTOR)
            walk->call_edges[edge->to] = i;
    }
}

pare_status pare_walk_tables_make(struct pare_walk *walk, pare_error *err)
{
    pare_status status = allocate(walk, err);
    if (!status) look_up(walk);
    return status;
}
