/* Prototype graphs as JSON for programs: the fields are a contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <cmocka.h>

#include "ui/graph_views.h"
#include "unit/alloc_sweep.h"
#include "unit/support/toy_graph.h"

/* The object; the graph is freed. */
static json_t *object_of(pare_graph *graph, uint32_t type)
{
    pare_buffer text = {0};
    assert_int_equal(pare_graph_json_write(graph, type, &text, NULL), PARE_OK);
    for (size_t i = 0; i < text.size; i++)
        assert_true((text.data[i] >= ' ' && text.data[i] < 0x7f) || text.data[i] == '\n');
    json_t *object = json_loadb(text.data, text.size, 0, NULL);
    assert_non_null(object);
    pare_buffer_done(&text);
    pare_graph_free(graph);
    return object;
}

/* The value at a path such as "signatures.1.receiver.id" is `wanted`, as JSON. */
static void assert_at(const json_t *object, const char *path, const char *wanted)
{
    char name[64];
    for (size_t size; *path; path += size + (path[size] == '.')) {
        size = strcspn(path, ".");
        (void)snprintf(name, sizeof name, "%.*s", (int)size, path);
        object = json_is_array(object) ? json_array_get(object, strtoul(name, NULL, 10))
                                       : json_object_get(object, name);
    }
    assert_non_null(object);
    char *text = json_dumps(object, JSON_ENCODE_ANY | JSON_COMPACT);
    assert_string_equal(text, wanted);
    free(text);
}

static void test_graph_json__the_summary_counts(void **state)
{
    (void)state;
    json_t *object = object_of(toy_graph(), PARE_GRAPH_NONE);
    assert_at(object, "format", "\"pare-graph-summary\"");
    assert_at(object, "engine", "\"toy\"");
    assert_at(object, "digest", "\"d1\"");
    assert_at(object, "global", "{\"id\":0,\"path\":\"this\",\"kind\":\"object\"}");
    assert_at(object, "types.function", "6");
    assert_at(object, "types.instance", "1");
    assert_at(object, "signatures", "{\"declared\":6,\"learned\":3,\"throwing\":1}");
    assert_at(object, "edges.property", "12");
    assert_at(object, "constructors.0.path", "\"this.Date\"");
    assert_at(object, "unlearned.1.path", "\"this.Date.now\"");
    json_decref(object);
}

static void test_graph_json__a_function_has_its_signatures(void **state)
{
    (void)state;
    json_t *object = object_of(toy_graph(), TOY_SET_TIME);
    assert_at(object, "format", "\"pare-graph-type\"");
    assert_at(object, "path", "\"this.Date.prototype.setTime\"");
    assert_at(object, "kind", "\"function\"");
    assert_at(object, "length", "1");
    assert_at(object, "member_of.0.name", "\"setTime\"");
    assert_at(object, "member_of.0.type.id", "3");
    assert_at(object, "signatures.0.text", "\"Date.prototype.setTime(any) -> ?\"");
    assert_at(object, "signatures.0.receiver", "null");
    assert_at(object, "signatures.0.parameters", "[]");
    assert_at(object, "signatures.1.receiver.path", "\"new (this.Date)\"");
    assert_at(object, "signatures.1.parameters.0.values", "[\"-1\",\"NaN\"]");
    assert_at(object, "signatures.1.parameters.1.type.kind", "\"string\"");
    assert_at(object, "signatures.1.returns.0.kind", "\"number\"");
    assert_at(object, "signatures.2.throws", "true");
    assert_at(object, "signatures.2.n_parameters", "1");
    json_decref(object);
}

static void test_graph_json__an_object_has_members_and_relations(void **state)
{
    (void)state;
    json_t *object = object_of(toy_graph(), TOY_DATE_PROTOTYPE);
    assert_at(object, "members.0.name", "\"constructor\"");
    assert_at(object, "members.3.type.id", "5");
    assert_at(object, "prototypes.0.path", "\"this.Object.prototype\"");
    assert_at(object, "prototype_of.0.id", "11");
    json_decref(object);
    object = object_of(toy_graph(), TOY_A_DATE);
    assert_at(object, "instance", "true");
    assert_at(object, "class", "\"Date\"");
    assert_at(object, "returned_by.1.id", "1");
    assert_at(object, "called_on.0.id", "3");
    json_decref(object);
    object = object_of(toy_graph(), TOY_NUMBER);
    assert_at(object, "taken_by.2.id", "4");
    json_decref(object);
}

static void test_graph_json__hostile_and_bare_graphs_are_valid_json(void **state)
{
    (void)state;
    for (uint32_t type = 0; type < 2; type++)
        json_decref(object_of(hostile_graph(), type));
    json_decref(object_of(hostile_graph(), PARE_GRAPH_NONE));
    json_decref(object_of(bare_graph(), PARE_GRAPH_NONE));
    json_t *object = object_of(hostile_graph(), TOY_GLOBAL);
    assert_at(object, "class", "\"<b>\\u001B[31m\"");
    json_decref(object);
}

static pare_status attempt(void *context)
{
    pare_buffer text = {0};
    pare_status status = pare_graph_json_write(context, TOY_SET_TIME, &text, NULL);
    if (!status) status = pare_graph_json_write(context, PARE_GRAPH_NONE, &text, NULL);
    pare_buffer_done(&text);
    return status;
}

static void test_graph_json__memory_that_runs_out_is_told(void **state)
{
    (void)state;
    pare_graph *graph = toy_graph();
    sweep_allocations(attempt, graph);
    pare_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_json__the_summary_counts),
        cmocka_unit_test(test_graph_json__a_function_has_its_signatures),
        cmocka_unit_test(test_graph_json__an_object_has_members_and_relations),
        cmocka_unit_test(test_graph_json__hostile_and_bare_graphs_are_valid_json),
        cmocka_unit_test(test_graph_json__memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
