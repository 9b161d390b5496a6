/* Prototype graphs: building, the order of edges, finding them, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/alloc_sweep.h"
#include "unit/support/graph_text.h"

static void test_graph__finds_the_edges_of_a_kind_from_and_to_a_node(void **state)
{
    (void)state;
    pare_graph *graph = date_graph();
    uint32_t n = 0;
    const uint32_t *edges =
        pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, GRAPH_DATE_PROTOTYPE, &n);
    assert_int_equal(n, 1);
    assert_string_equal(pare_graph_edge_at(graph, edges[0])->name, "setTime");
    (void)pare_graph_edges_to(graph, PARE_GRAPH_PROTOTYPE, GRAPH_OBJECT_PROTOTYPE, &n);
    assert_int_equal(n, 4);
    (void)pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, GRAPH_NUMBER, &n);
    assert_int_equal(n, 0);
    (void)pare_graph_edges_to(graph, PARE_GRAPH_RETURN, UINT32_MAX, &n);
    assert_int_equal(n, 0);
    pare_graph_free(graph);
}

static void test_graph__nodes_imply_their_edges(void **state)
{
    (void)state;
    pare_graph *graph = date_graph();
    uint32_t n = 0;
    const uint32_t *made = pare_graph_edges_from(graph, PARE_GRAPH_CONSTRUCTOR, GRAPH_DATE, &n);
    assert_int_equal(n, 1);
    assert_int_equal(pare_graph_edge_at(graph, made[0])->to, 0);
    (void)pare_graph_edges_from(graph, PARE_GRAPH_CALL, GRAPH_DATE, &n);
    assert_int_equal(n, 0);
    (void)pare_graph_edges_from(graph, PARE_GRAPH_CALL, GRAPH_SET_TIME, &n);
    assert_int_equal(n, 1);
    pare_graph_free(graph);
}

static void test_graph__doubles_are_one_edge_with_the_values_of_both(void **state)
{
    (void)state;
    pare_graph_builder *builder = date_builder();
    add_property(builder, GRAPH_GLOBAL, "Date", GRAPH_DATE);
    add_parameter(builder, GRAPH_NUMBER, 1, 0, "-1\n0\n1");
    pare_graph *graph = finish_graph(builder), *once = date_graph();
    assert_int_equal(pare_graph_n_edges(graph), pare_graph_n_edges(once));
    uint32_t n = 0;
    const uint32_t *parameter = pare_graph_edges_to(graph, PARE_GRAPH_PARAMETER, 1, &n);
    assert_int_equal(n, 1);
    assert_string_equal(pare_graph_edge_at(graph, parameter[0])->values, "-1\n0\n1\n2147483648");
    pare_graph_free(graph);
    pare_graph_free(once);
}

static void test_graph__keeps_the_first_16_values_of_an_edge(void **state)
{
    (void)state;
    char values[256] = "";
    for (int i = 40; i >= 10; i--)
        (void)snprintf(values + strlen(values), sizeof values - strlen(values), "%d%s", i,
                       i > 10 ? "\n" : "");
    pare_graph_builder *builder = date_builder();
    add_parameter(builder, GRAPH_DATE, 0, 3, values);
    pare_graph *graph = finish_graph(builder);
    uint32_t n = 0;
    const uint32_t *parameter = pare_graph_edges_to(graph, PARE_GRAPH_PARAMETER, 0, &n);
    assert_string_equal(pare_graph_edge_at(graph, parameter[0])->values,
                        "10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25");
    pare_graph_free(graph);
}

/* Finishing must fail with a sentence that has `word` in it. */
static void expect_refused(pare_graph_builder *builder, const char *word)
{
    pare_error err = {0};
    pare_graph *graph = NULL;
    assert_int_equal(pare_graph_builder_finish(builder, &graph, &err), PARE_E_SYNTAX);
    assert_null(graph);
    assert_non_null(strstr(err.message, word));
    pare_graph_builder_free(builder);
}

static void test_graph__refuses_what_does_not_fit_together(void **state)
{
    (void)state;
    pare_graph_builder *builder = date_builder();
    pare_graph_builder_prototype(builder, GRAPH_OBJECT_PROTOTYPE, GRAPH_A_DATE);
    expect_refused(builder, "circle");

    builder = date_builder();
    pare_graph_builder_prototype(builder, GRAPH_DATE, 99);
    expect_refused(builder, "prototype of type 2");

    builder = date_builder();
    add_property(builder, GRAPH_DATE, "x", 7);
    expect_refused(builder, "do not exist");

    builder = date_builder();
    add_parameter(builder, GRAPH_DATE, 1, 1, "");
    expect_refused(builder, "parameter");

    builder = date_builder();
    add_signature(builder, GRAPH_NUMBER, 0, false, GRAPH_NUMBER);
    expect_refused(builder, "no function");

    expect_refused(new_builder(), "global");
}

static void test_graph__a_type_that_is_its_own_prototype_is_a_circle(void **state)
{
    (void)state;
    pare_graph_builder *builder = date_builder();
    pare_graph_builder_prototype(builder, GRAPH_NUMBER, GRAPH_NUMBER);
    expect_refused(builder, "circle");
}

static void test_graph__names_must_be_utf_8(void **state)
{
    (void)state;
    pare_graph_builder *builder = new_builder();
    pare_graph_type type = {.path = "\xff", .class_name = ""};
    assert_int_equal(pare_graph_builder_type(builder, &type, NULL, NULL), PARE_E_ARG);
    pare_graph_builder_free(builder);
}

/* Copies the graph of the context to another one; see sweep_allocations. */
static pare_status copy_graph(void *context)
{
    pare_graph_builder *builder = NULL;
    pare_graph *copy = NULL;
    pare_status status = pare_graph_builder_new(&builder, NULL);
    if (!status) status = pare_graph_builder_copy(builder, context, NULL);
    if (!status) status = pare_graph_builder_finish(builder, &copy, NULL);
    if (!status) assert_int_equal(pare_graph_n_edges(copy), pare_graph_n_edges(context));
    pare_graph_free(copy);
    pare_graph_builder_free(builder);
    return status;
}

static void test_graph__a_copy_survives_every_failing_allocation(void **state)
{
    (void)state;
    pare_graph *graph = date_graph();
    sweep_allocations(copy_graph, graph);
    pare_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph__finds_the_edges_of_a_kind_from_and_to_a_node),
        cmocka_unit_test(test_graph__nodes_imply_their_edges),
        cmocka_unit_test(test_graph__doubles_are_one_edge_with_the_values_of_both),
        cmocka_unit_test(test_graph__keeps_the_first_16_values_of_an_edge),
        cmocka_unit_test(test_graph__refuses_what_does_not_fit_together),
        cmocka_unit_test(test_graph__a_type_that_is_its_own_prototype_is_a_circle),
        cmocka_unit_test(test_graph__names_must_be_utf_8),
        cmocka_unit_test(test_graph__a_copy_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
