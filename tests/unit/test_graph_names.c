/* Types, members and signatures of a prototype graph as people write them, and back. */
/* tests: src/ui/graph_facts.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ui/graph_facts.h"
#include "ui/graph_names.h"
#include "unit/support/toy_graph.h"

static void assert_text(pare_sheet *sheet, const char *text)
{
    assert_int_equal(sheet->status, PARE_OK);
    assert_string_equal(pare_sheet_text(sheet), text);
    pare_sheet_done(sheet);
}

static void assert_signature(const pare_graph *graph, uint32_t signature, const char *text)
{
    pare_sheet sheet = {.status = PARE_OK};
    pare_graph_names_signature(&sheet, graph, signature, NULL);
    assert_text(&sheet, text);
}

static void test_graph_names__signatures_say_what_goes_in_and_comes_out(void **state)
{
    (void)state;
    pare_graph *graph = toy_graph();
    assert_signature(graph, 0, "new Date(any x7) -> new Date");
    assert_signature(graph, 1, "new Date(number) -> new Date");
    assert_signature(graph, 2, "Date.prototype.setTime(any) -> ?");
    assert_signature(graph, 3, "Date.prototype.setTime(number | string) -> number");
    assert_signature(graph, 4, "Date.prototype.setTime(number) -> throws");
    assert_signature(graph, 7, "Math.max(any, any) -> ?");
    pare_graph_free(graph);
}

static void test_graph_names__a_million_parameters_or_types_are_cut(void **state)
{
    (void)state;
    static char text[20000];
    size_t size = (size_t)snprintf(
        text, sizeof text,
        TOY_HEAD "\"global\":0,\"types\":[{\"id\":0,\"kind\":\"function\",\"path\":\"this\"}");
    for (int i = 1; i <= 20; i++)
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 ",{\"id\":%d,\"kind\":\"object\",\"path\":\"t%d\"}", i, i);
    size += (size_t)snprintf(text + size, sizeof text - size,
                             "],\"signatures\":[{\"id\":0,\"parameters\":1000000}],\"edges\":["
                             "{\"kind\":\"call\",\"from\":0,\"to\":0}");
    for (int i = 1; i <= 20; i++)
        size +=
            (size_t)snprintf(text + size, sizeof text - size,
                             ",{\"kind\":\"parameter\",\"from\":%d,\"to\":0,\"position\":%d}"
                             ",{\"kind\":\"parameter\",\"from\":%d,\"to\":0,\"position\":999999}"
                             ",{\"kind\":\"return\",\"from\":0,\"to\":%d}",
                             i, 2 * i, i, i);
    (void)snprintf(text + size, sizeof text - size, "]}");
    pare_graph *graph = read_graph(text);
    assert_signature(graph, 0,
                     "this(any, any, t1, any, t2, any, t3, any, t4, any, t5, any, t6, ...) -> "
                     "t1 | t2 | t3 | t4 | 16 more");
    pare_graph_free(graph);
}

static void test_graph_names__members_are_shown_by_their_best_signature(void **state)
{
    (void)state;
    static const char *const shown[] = {"Date: new Date(number) -> new Date +1",
                                        "Math: Math: Math +0",
                                        "toString: toString() -> ? +0",
                                        "now: now() -> ? +0",
                                        "prototype: prototype: Date.prototype +0",
                                        "constructor: constructor: Date +0",
                                        "setTime: setTime(number | string) -> number +2",
                                        "toGMTString: toGMTString() -> ? +0",
                                        "toUTCString: toUTCString() -> ? +0",
                                        "@@toStringTag: @@toStringTag: string +0",
                                        "PI: PI: number +0",
                                        "max: max(any, any) -> ? +0"};
    pare_graph *graph = toy_graph();
    for (uint32_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, i);
        pare_sheet sheet = {.status = PARE_OK};
        uint32_t more;
        pare_sheet_name(&sheet, edge->name);
        pare_sheet_raw(&sheet, ": ");
        pare_graph_names_member(&sheet, graph, edge, &more);
        pare_sheet_format(&sheet, " +%u", (unsigned)more);
        assert_text(&sheet, shown[i]);
    }
    pare_graph_free(graph);
}

static void test_graph_names__types_are_found_by_what_people_write(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t type;
    } cases[] = {
        {"this", TOY_GLOBAL},
        {"globalThis", TOY_GLOBAL},
        {"Date", TOY_DATE},
        {"this.Date", TOY_DATE},
        {"this[\"Date\"]", TOY_DATE},
        {"globalThis['Da\\te'].prototype", TOY_DATE_PROTOTYPE},
        {"Date.prototype.setTime", TOY_SET_TIME},
        {"new Date", TOY_A_DATE},
        {"new (this.Date)", TOY_A_DATE},
        {"number", TOY_NUMBER},
        {"Math.PI", TOY_NUMBER},
        {"Math[Symbol.toStringTag]", TOY_STRING},
        {"Math.@@toStringTag", TOY_STRING},
        {"Math.toString", 12}, /* inherited */
        {"Date.prototype.toUTCString", 5},
        {"Dat", PARE_GRAPH_NONE},
        {"", PARE_GRAPH_NONE},
        {".", PARE_GRAPH_NONE},
        {"Date.", PARE_GRAPH_NONE},
        {"Date..prototype", PARE_GRAPH_NONE},
        {"Math[", PARE_GRAPH_NONE},
        {"Math['PI", PARE_GRAPH_NONE},
        {"Math['PI'", PARE_GRAPH_NONE},
        {"Math[]", PARE_GRAPH_NONE},
        {"Math[Symbol.]", PARE_GRAPH_NONE},
        {"Math.PI.x", PARE_GRAPH_NONE},
    };
    pare_graph *graph = toy_graph();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(pare_graph_names_find(graph, cases[i].text), cases[i].type);
    pare_graph_free(graph);
}

static void test_graph_names__every_name_leads_back_to_its_type(void **state)
{
    (void)state;
    pare_graph *graph = toy_graph();
    for (uint32_t i = 0; i < pare_graph_n_types(graph); i++) {
        pare_sheet sheet = {.status = PARE_OK};
        pare_graph_names_type(&sheet, graph, i);
        assert_int_equal(pare_graph_names_find(graph, pare_sheet_text(&sheet)), i);
        pare_sheet_done(&sheet);
    }
    pare_graph_free(graph);
}

static void test_graph_names__paths_of_members_lead_back(void **state)
{
    (void)state;
    pare_graph *graph = toy_graph();
    uint32_t n;
    (void)pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, TOY_MATH, &n);
    for (uint32_t i = 0; i < pare_graph_n_edges(graph); i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, i);
        if (edge->kind != PARE_GRAPH_PROPERTY) continue;
        pare_sheet sheet = {.status = PARE_OK};
        pare_graph_names_path(&sheet, graph, edge->from, edge->name);
        assert_int_equal(pare_graph_names_find(graph, pare_sheet_text(&sheet)), edge->to);
        pare_sheet_done(&sheet);
    }
    pare_graph_free(graph);
}

/* ---- facts ----------------------------------------------------------------------- */

static void test_graph_facts__counts_types_signatures_and_edges(void **state)
{
    (void)state;
    pare_graph *graph = toy_graph();
    pare_graph_counts counts = pare_graph_facts_count(graph);
    assert_int_equal(counts.types[PARE_GRAPH_OBJECT], 4);
    assert_int_equal(counts.types[PARE_GRAPH_FUNCTION], 6);
    assert_int_equal(counts.types[PARE_GRAPH_NUMBER], 1);
    assert_int_equal(counts.instances, 1);
    assert_int_equal(counts.edges[PARE_GRAPH_PROPERTY], 12);
    assert_int_equal(counts.edges[PARE_GRAPH_PARAMETER], 4);
    assert_int_equal(counts.learned, 3);
    assert_int_equal(counts.throwing, 1);
    assert_int_equal(counts.constructors, 1);
    assert_int_equal(counts.callables, 6);
    assert_int_equal(counts.unlearned, 4);
    pare_graph_free(graph);
}

static void test_graph_facts__a_neighbour_is_told_once(void **state)
{
    (void)state;
    pare_graph *graph = toy_graph();
    pare_graph_neighbours near;
    assert_int_equal(pare_graph_facts_neighbours(graph, TOY_NUMBER, &near, NULL), PARE_OK);
    assert_int_equal(near.owners.n, 1);
    assert_int_equal(near.takers.n, 3);
    assert_int_equal(near.takers.at[0], 1);
    assert_int_equal(near.returners.n, 1);
    assert_int_equal(near.own.n, 0);
    pare_graph_facts_done(&near);
    assert_int_equal(pare_graph_facts_neighbours(graph, TOY_A_DATE, &near, NULL), PARE_OK);
    assert_int_equal(near.callers.n, 1);
    assert_int_equal(near.callers.at[0], 3);
    pare_graph_facts_done(&near);
    pare_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_names__signatures_say_what_goes_in_and_comes_out),
        cmocka_unit_test(test_graph_names__a_million_parameters_or_types_are_cut),
        cmocka_unit_test(test_graph_names__members_are_shown_by_their_best_signature),
        cmocka_unit_test(test_graph_names__types_are_found_by_what_people_write),
        cmocka_unit_test(test_graph_names__every_name_leads_back_to_its_type),
        cmocka_unit_test(test_graph_names__paths_of_members_lead_back),
        cmocka_unit_test(test_graph_facts__counts_types_signatures_and_edges),
        cmocka_unit_test(test_graph_facts__a_neighbour_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
