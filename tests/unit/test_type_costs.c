/* Least costs of types: by hand, against a fixpoint by brute force, and what bounds them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/random.h"
#include "generate/prototype/type_costs.h"
#include "unit/alloc_sweep.h"
#include "unit/support/graph_text.h"

static void assert_cost(pare_type_cost cost, uint32_t calls, uint32_t depth)
{
    assert_int_equal(cost.calls, calls);
    assert_int_equal(cost.depth, depth);
}

static void test_type_costs__are_calls_and_depth_of_the_cheapest_expression(void **state)
{
    (void)state;
    pare_graph *graph = date_graph();
    pare_type_costs costs;
    assert_int_equal(pare_type_costs_init(&costs, graph, NULL), PARE_OK);
    assert_true(pare_type_costs_check(&costs));
    assert_cost(costs.types[GRAPH_GLOBAL], 0, 0);
    assert_cost(costs.types[GRAPH_NUMBER], 0, 0);
    assert_cost(costs.types[GRAPH_DATE], 0, 1);
    assert_cost(costs.types[GRAPH_SET_TIME], 0, 3);
    assert_cost(costs.types[GRAPH_A_DATE], 1, 2);
    assert_cost(costs.signatures[0], 1, 2);
    assert_cost(costs.signatures[1], 1, 4);
    /* Nothing leads to it in this graph. */
    assert_int_equal(costs.types[GRAPH_OBJECT_PROTOTYPE].depth, PARE_TYPE_COSTS_NEVER);
    assert_int_equal(costs.heirs[GRAPH_OBJECT_PROTOTYPE], GRAPH_GLOBAL);
    assert_int_equal(costs.ways[GRAPH_A_DATE].kind, PARE_TYPE_WAY_RETURN);
    pare_type_costs_done(&costs);
    pare_graph_free(graph);
}

static void test_type_costs__know_what_inherits_from_what(void **state)
{
    (void)state;
    static const char *const names[] = {"Date", "prototype", NULL}, *const none[] = {"Map", NULL};
    pare_graph *graph = date_graph();
    pare_type_costs costs;
    assert_int_equal(pare_type_costs_init(&costs, graph, NULL), PARE_OK);
    assert_true(pare_type_costs_inherits(&costs, GRAPH_A_DATE, GRAPH_DATE_PROTOTYPE));
    assert_true(pare_type_costs_inherits(&costs, GRAPH_A_DATE, GRAPH_OBJECT_PROTOTYPE));
    assert_true(pare_type_costs_inherits(&costs, GRAPH_A_DATE, GRAPH_A_DATE));
    assert_false(pare_type_costs_inherits(&costs, GRAPH_DATE_PROTOTYPE, GRAPH_A_DATE));
    assert_false(pare_type_costs_inherits(&costs, GRAPH_NUMBER, GRAPH_OBJECT_PROTOTYPE));
    assert_int_equal(costs.n_below[GRAPH_OBJECT_PROTOTYPE], 6);
    assert_int_equal(pare_type_costs_find(graph, names), GRAPH_DATE_PROTOTYPE);
    assert_int_equal(pare_type_costs_find(graph, none), PARE_GRAPH_NONE);
    pare_type_costs_done(&costs);
    pare_graph_free(graph);
}

static void test_type_costs__of_a_learned_call_include_its_receiver_and_arguments(void **state)
{
    (void)state;
    pare_graph_builder *builder = date_builder();
    pare_graph_signature learned = {
        .function = GRAPH_SET_TIME, .receiver = GRAPH_A_DATE, .n_params = 2, .is_learned = true};
    uint32_t id = 0;
    assert_int_equal(pare_graph_builder_signature(builder, &learned, &id, NULL), PARE_OK);
    add_parameter(builder, GRAPH_A_DATE, id, 1, "");
    pare_graph *graph = finish_graph(builder);
    pare_type_costs costs;
    assert_int_equal(pare_type_costs_init(&costs, graph, NULL), PARE_OK);
    assert_cost(costs.signatures[id], 3, 4);
    pare_type_costs_done(&costs);
    pare_graph_free(graph);
}

static void test_type_costs__too_deep_is_never(void **state)
{
    (void)state;
    enum { CHAIN = 2 * PARE_TYPE_COSTS_DEPTH };
    pare_graph_builder *builder = new_builder();
    pare_graph_builder_global(builder, 0);
    for (uint32_t i = 0; i < CHAIN; i++)
        add_type(builder, PARE_GRAPH_OBJECT, "o", PARE_GRAPH_NONE);
    for (uint32_t i = 1; i < CHAIN; i++)
        add_property(builder, i - 1, "next", i);
    pare_graph *graph = finish_graph(builder);
    pare_type_costs costs;
    assert_int_equal(pare_type_costs_init(&costs, graph, NULL), PARE_OK);
    assert_cost(costs.types[PARE_TYPE_COSTS_DEPTH], 0, PARE_TYPE_COSTS_DEPTH);
    assert_int_equal(costs.types[PARE_TYPE_COSTS_DEPTH + 1].depth, PARE_TYPE_COSTS_NEVER);
    pare_type_costs_done(&costs);
    pare_graph_free(graph);
}

/* --- against brute force ------------------------------------------------------------------ */

enum { MOST_TYPES = 24, MOST_SIGNATURES = 12 };

static uint32_t below(pare_random *random, uint32_t n)
{
    return (uint32_t)pare_random_below(random, n);
}

/* Calls first, then depth. */
static bool is_less(pare_type_cost a, pare_type_cost b)
{
    if (a.depth == PARE_TYPE_COSTS_NEVER) return false;
    if (b.depth == PARE_TYPE_COSTS_NEVER) return true;
    return a.calls != b.calls ? a.calls < b.calls : a.depth < b.depth;
}

struct reference {
    const pare_graph *graph;
    pare_type_cost types[MOST_TYPES];
    bool changed;
};

static void lower(struct reference *r, uint32_t type, pare_type_cost cost)
{
    if (!is_less(cost, r->types[type])) return;
    r->types[type] = cost;
    r->changed = true;
}

/* The least cost of anything that has `type` on its chain. */
static pare_type_cost cost_of_heir(const struct reference *r, uint32_t type)
{
    pare_type_cost least = {0, PARE_TYPE_COSTS_NEVER};
    for (uint32_t i = 0; i < pare_graph_n_types(r->graph); i++)
        for (uint32_t at = i; at != PARE_GRAPH_NONE;
             at = pare_graph_type_at(r->graph, at)->prototype)
            if (at == type && is_less(r->types[i], least)) least = r->types[i];
    return least;
}

static pare_type_cost add(pare_type_cost a, pare_type_cost b)
{
    bool never = a.depth == PARE_TYPE_COSTS_NEVER || b.depth == PARE_TYPE_COSTS_NEVER;
    return (pare_type_cost){a.calls + b.calls, never               ? PARE_TYPE_COSTS_NEVER
                                               : a.depth > b.depth ? a.depth
                                                                   : b.depth};
}

static pare_type_cost cost_of_call(const struct reference *r, uint32_t signature)
{
    const pare_graph_signature *of = pare_graph_signature_at(r->graph, signature);
    pare_type_cost sum = r->types[of->function];
    if (of->receiver != PARE_GRAPH_NONE) sum = add(sum, cost_of_heir(r, of->receiver));
    for (uint32_t position = 0; position < of->n_params; position++) {
        uint32_t n = 0, n_here = 0;
        const uint32_t *edges = pare_graph_edges_to(r->graph, PARE_GRAPH_PARAMETER, signature, &n);
        pare_type_cost least = {0, PARE_TYPE_COSTS_NEVER};
        for (uint32_t i = 0; i < n; i++) {
            const pare_graph_edge *edge = pare_graph_edge_at(r->graph, edges[i]);
            if (edge->position != position) continue;
            n_here++;
            if (is_less(r->types[edge->from], least)) least = r->types[edge->from];
        }
        if (n_here) sum = add(sum, least);
    }
    if (sum.depth == PARE_TYPE_COSTS_NEVER) return sum;
    return (pare_type_cost){sum.calls + 1, sum.depth + 1};
}

/* Lowers costs by every edge until none changes any more. */
static void relax(struct reference *r)
{
    for (uint32_t i = 0; i < pare_graph_n_types(r->graph); i++) {
        bool is_free = i == pare_graph_global(r->graph) ||
                       pare_graph_type_at(r->graph, i)->kind < PARE_GRAPH_OBJECT;
        r->types[i] = (pare_type_cost){0, is_free ? 0 : PARE_TYPE_COSTS_NEVER};
    }
    do {
        r->changed = false;
        for (uint32_t i = 0; i < pare_graph_n_edges(r->graph); i++) {
            const pare_graph_edge *edge = pare_graph_edge_at(r->graph, i);
            if (edge->kind == PARE_GRAPH_RETURN) lower(r, edge->to, cost_of_call(r, edge->from));
            if (edge->kind != PARE_GRAPH_PROPERTY) continue;
            pare_type_cost cost = cost_of_heir(r, edge->from);
            if (cost.depth != PARE_TYPE_COSTS_NEVER) cost.depth++;
            lower(r, edge->to, cost);
        }
    } while (r->changed);
}

static void test_type_costs__are_those_of_a_fixpoint_by_brute_force(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        pare_random random;
        pare_random_init(&random, seed);
        uint32_t n_types = 1 + below(&random, MOST_TYPES - 1);
        pare_graph *graph = random_graph(&random, n_types, below(&random, 2 * n_types),
                                         below(&random, MOST_SIGNATURES));
        struct reference reference = {.graph = graph};
        pare_type_costs costs;
        assert_int_equal(pare_type_costs_init(&costs, graph, NULL), PARE_OK);
        assert_true(pare_type_costs_check(&costs));
        relax(&reference);
        for (uint32_t i = 0; i < n_types; i++)
            assert_cost(costs.types[i], reference.types[i].calls, reference.types[i].depth);
        for (uint32_t i = 0; i < pare_graph_n_signatures(graph); i++) {
            pare_type_cost cost = cost_of_call(&reference, i);
            assert_int_equal(costs.signatures[i].depth, cost.depth);
            if (cost.depth != PARE_TYPE_COSTS_NEVER)
                assert_int_equal(costs.signatures[i].calls, cost.calls);
        }
        pare_type_costs_done(&costs);
        pare_graph_free(graph);
    }
}

static pare_status attempt(void *context)
{
    pare_type_costs costs = {.graph = context};
    pare_status status = pare_type_costs_init(&costs, context, NULL);
    if (status) assert_null(costs.graph);
    pare_type_costs_done(&costs);
    return status;
}

static void test_type_costs__any_allocation_may_fail(void **state)
{
    (void)state;
    pare_graph *graph = date_graph();
    sweep_allocations(attempt, graph);
    pare_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_type_costs__are_calls_and_depth_of_the_cheapest_expression),
        cmocka_unit_test(test_type_costs__know_what_inherits_from_what),
        cmocka_unit_test(test_type_costs__of_a_learned_call_include_its_receiver_and_arguments),
        cmocka_unit_test(test_type_costs__too_deep_is_never),
        cmocka_unit_test(test_type_costs__are_those_of_a_fixpoint_by_brute_force),
        cmocka_unit_test(test_type_costs__any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
