/* Prototype graphs as text: what is told, in which words, in how many columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ui/graph_views.h"
#include "unit/alloc_sweep.h"
#include "unit/support/toy_graph.h"

static void assert_type(pare_graph *graph, uint32_t type, const char *text)
{
    pare_sheet sheet = {.status = PARE_OK};
    pare_graph_text_type(&sheet, graph, type);
    assert_int_equal(sheet.status, PARE_OK);
    assert_string_equal(pare_sheet_text(&sheet), text);
    pare_sheet_done(&sheet);
    pare_graph_free(graph);
}

static void assert_summary(pare_graph *graph, const char *text)
{
    pare_sheet sheet = {.status = PARE_OK};
    pare_graph_text_summary(&sheet, graph);
    assert_int_equal(sheet.status, PARE_OK);
    assert_string_equal(pare_sheet_text(&sheet), text);
    pare_sheet_done(&sheet);
    pare_graph_free(graph);
}

static void test_graph_text__the_summary_counts_what_there_is(void **state)
{
    (void)state;
    assert_summary(toy_graph(),
                   "toy\n"
                   "  digest      d1\n"
                   "  types       4 objects, 6 functions, 1 instance type, 2 primitives\n"
                   "  signatures  6 declared, 3 learned (1 always threw)\n"
                   "  edges       12 property, 3 prototype, 7 call, 2 constructor, 4 parameter, 3\n"
                   "              return\n"
                   "\n"
                   "Constructors (1)\n"
                   "  Date: 2 members, 4 of its prototype\n"
                   "\n"
                   "Other members of the global object (1)\n"
                   "  Math\n"
                   "\n"
                   "Functions without a learned signature (4)\n"
                   "  Date.prototype.toGMTString Date.now Math.max Object.prototype.toString\n");
}

static void test_graph_text__a_bare_graph_has_a_summary(void **state)
{
    (void)state;
    assert_summary(bare_graph(),
                   "an engine without a name\n"
                   "  types       1 object, 0 functions, 0 instance types, 0 primitives\n"
                   "  signatures  0 declared, 0 learned\n"
                   "  edges       0 property, 0 prototype, 0 call, 0 constructor, 0 parameter, 0\n"
                   "              return\n");
}

static void test_graph_text__an_object_has_members_and_heirs(void **state)
{
    (void)state;
    assert_type(toy_graph(), TOY_DATE_PROTOTYPE,
                "Date.prototype\n"
                "  kind        object of class Object\n"
                "  path        this.Date.prototype\n"
                "  prototypes  Object.prototype\n"
                "\n"
                "Members (4)\n"
                "  constructor: Date\n"
                "  setTime(number | string) -> number (+2)\n"
                "  toGMTString() -> ?\n"
                "  toUTCString() -> ?\n"
                "\n"
                "Inherited members (1)\n"
                "  Object.prototype: toString\n"
                "\n"
                "Member of (1)\n"
                "  Date.prototype\n"
                "\n"
                "Prototype of (1)\n"
                "  new Date\n");
}

static void test_graph_text__a_function_has_signatures_with_values(void **state)
{
    (void)state;
    assert_type(toy_graph(), TOY_SET_TIME,
                "Date.prototype.setTime\n"
                "  kind        function, length 1\n"
                "  path        this.Date.prototype.setTime\n"
                "\n"
                "Signatures (3)\n"
                "  Date.prototype.setTime(any) -> ?\n"
                "  Date.prototype.setTime(number | string) -> number on new Date, learned\n"
                "      argument 1: -1, NaN, 'x'\n"
                "  Date.prototype.setTime(number) -> throws on Object.prototype, learned\n"
                "\n"
                "Member of (1)\n"
                "  Date.prototype.setTime\n");
}

static void test_graph_text__an_instance_type_is_returned_and_called_on(void **state)
{
    (void)state;
    assert_type(toy_graph(), TOY_A_DATE,
                "new Date\n"
                "  kind        any object of class Date\n"
                "  path        new (this.Date)\n"
                "  prototypes  Date.prototype > Object.prototype\n"
                "\n"
                "Inherited members (5)\n"
                "  Date.prototype: constructor setTime toGMTString toUTCString\n"
                "  Object.prototype: toString\n"
                "\n"
                "Returned by (2)\n"
                "  new Date(any x7) -> new Date\n"
                "  new Date(number) -> new Date\n"
                "\n"
                "Called on it (1)\n"
                "  Date.prototype.setTime(number | string) -> number\n");
}

static void test_graph_text__a_primitive_is_taken_and_returned(void **state)
{
    (void)state;
    assert_type(toy_graph(), TOY_NUMBER,
                "number\n"
                "  kind        number\n"
                "  path        number\n"
                "\n"
                "Member of (1)\n"
                "  Math.PI\n"
                "\n"
                "Returned by (1)\n"
                "  Date.prototype.setTime(number | string) -> number\n"
                "\n"
                "Taken by (3)\n"
                "  new Date(number) -> new Date\n"
                "  Date.prototype.setTime(number | string) -> number\n"
                "  Date.prototype.setTime(number) -> throws\n");
}

static void test_graph_text__hostile_names_are_escaped(void **state)
{
    (void)state;
    assert_type(hostile_graph(), TOY_GLOBAL,
                "this\n"
                "  kind        object of class <b>\\x1b[31m, the global object\n"
                "  path        this\n"
                "\n"
                "Members (2)\n"
                "  \"</script><!--\\u{2028}\"(this) -> ?\n"
                "  \"\\u{202e}dlrow\\n\"x\\n\\x1b]0;\"(this) -> ?\n"
                "\n"
                "Taken by (1)\n"
                "  this[\"</script><!--\\u{2028}\"](this) -> ?\n");
}

/* A graph of 1,000 functions, all of which inherit from the global object. */
static pare_graph *wide_graph(void)
{
    pare_graph_builder *builder = NULL;
    pare_graph *graph = NULL;
    assert_int_equal(pare_graph_builder_new(&builder, NULL), PARE_OK);
    pare_graph_builder_global(builder, 0);
    for (uint32_t i = 0; i < 1000; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "this.function_%u", (unsigned)i);
        pare_graph_type type = {.kind = i ? PARE_GRAPH_FUNCTION : PARE_GRAPH_OBJECT,
                                .path = i ? path : "this",
                                .class_name = "",
                                .prototype = i ? 0 : PARE_GRAPH_NONE};
        assert_int_equal(pare_graph_builder_type(builder, &type, NULL, NULL), PARE_OK);
        if (!i) continue;
        pare_graph_signature signature = {.function = i, .receiver = PARE_GRAPH_NONE};
        assert_int_equal(pare_graph_builder_signature(builder, &signature, NULL, NULL), PARE_OK);
        pare_graph_edge edge = {
            .kind = PARE_GRAPH_PROPERTY, .to = i, .name = path + 5, .values = ""};
        assert_int_equal(pare_graph_builder_edge(builder, &edge, NULL), PARE_OK);
    }
    assert_int_equal(pare_graph_builder_finish(builder, &graph, NULL), PARE_OK);
    pare_graph_builder_free(builder);
    return graph;
}

static void assert_narrow(const char *text)
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        assert_true(strcspn(text, "\n") <= PARE_SHEET_COLUMNS);
}

static void test_graph_text__members_are_whole_and_other_lists_are_cut(void **state)
{
    (void)state;
    pare_graph *graph = wide_graph();
    pare_sheet sheet = {.status = PARE_OK};
    pare_graph_text_type(&sheet, graph, 0);
    const char *text = pare_sheet_text(&sheet);
    assert_non_null(strstr(text, "\nMembers (999)\n  function_1() -> ?\n"));
    assert_non_null(strstr(text, "\n  function_999() -> ?\n"));
    assert_non_null(strstr(text, "\nPrototype of (999)\n  function_1\n"));
    assert_non_null(strstr(text, "\n  and 975 more\n"));
    assert_narrow(text);
    pare_sheet_done(&sheet);
    pare_graph_text_summary(&sheet, graph);
    assert_non_null(strstr(pare_sheet_text(&sheet), "\n  and 939 more\n"));
    assert_narrow(pare_sheet_text(&sheet));
    pare_sheet_done(&sheet);
    pare_graph_free(graph);
}

static void test_graph_text__colours_change_nothing_else(void **state)
{
    (void)state;
    pare_graph *graph = toy_graph();
    pare_sheet plain = {.status = PARE_OK}, colored = {.paint = PARE_COLORED};
    pare_graph_text_type(&plain, graph, TOY_SET_TIME);
    pare_graph_text_type(&colored, graph, TOY_SET_TIME);
    const char *wanted = pare_sheet_text(&plain);
    assert_non_null(strstr(pare_sheet_text(&colored), "\x1b[1mSignatures\x1b[0m (3)\n"));
    for (const char *at = pare_sheet_text(&colored); *at; at++) {
        if (*at == '\x1b')
            at = strchr(at, 'm');
        else
            assert_int_equal(*at, *wanted++);
    }
    assert_int_equal(*wanted, 0);
    pare_sheet_done(&plain);
    pare_sheet_done(&colored);
    pare_graph_free(graph);
}

static pare_status attempt(void *context)
{
    pare_sheet sheet = {.status = PARE_OK};
    for (uint32_t i = 0; !sheet.status && i < pare_graph_n_types(context); i++)
        pare_graph_text_type(&sheet, context, i);
    if (!sheet.status) pare_graph_text_summary(&sheet, context);
    pare_status status = sheet.status;
    pare_sheet_done(&sheet);
    return status;
}

static void test_graph_text__memory_that_runs_out_is_told(void **state)
{
    (void)state;
    pare_graph *graph = toy_graph();
    sweep_allocations(attempt, graph);
    pare_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_text__the_summary_counts_what_there_is),
        cmocka_unit_test(test_graph_text__a_bare_graph_has_a_summary),
        cmocka_unit_test(test_graph_text__an_object_has_members_and_heirs),
        cmocka_unit_test(test_graph_text__a_function_has_signatures_with_values),
        cmocka_unit_test(test_graph_text__an_instance_type_is_returned_and_called_on),
        cmocka_unit_test(test_graph_text__a_primitive_is_taken_and_returned),
        cmocka_unit_test(test_graph_text__hostile_names_are_escaped),
        cmocka_unit_test(test_graph_text__members_are_whole_and_other_lists_are_cut),
        cmocka_unit_test(test_graph_text__colours_change_nothing_else),
        cmocka_unit_test(test_graph_text__memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
