/* Drawings of a neighbourhood: what is in them, and that names cannot break out of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/visible.h"
#include "ui/graph_views.h"
#include "ui/html.h"
#include "unit/alloc_sweep.h"
#include "unit/support/toy_graph.h"

typedef pare_status (*drawer)(const pare_graph *graph, uint32_t type, pare_buffer *out,
                              pare_error *err);

/* The drawing, with a NUL; the graph is freed. */
static pare_buffer drawing_of(pare_graph *graph, uint32_t type, drawer draw)
{
    pare_buffer out = {0};
    assert_int_equal(draw(graph, type, &out, NULL), PARE_OK);
    pare_graph_free(graph);
    return out;
}

/* What Graphviz gets is short enough to be compared as a whole. */
static void test_graph_drawing__a_digraph_has_the_six_relations(void **state)
{
    (void)state;
    pare_buffer out = drawing_of(toy_graph(), TOY_A_DATE, pare_graph_drawing_dot);
    assert_string_equal(out.data, "digraph graph_of_types {\n  rankdir=LR;\n"
                                  "  node [shape=box, style=rounded, fontname=monospace];\n"
                                  "  edge [fontname=monospace];\n"
                                  "  t11 [label=\"new Date\", penwidth=3];\n"
                                  "  t2 [label=\"Date\"];\n"
                                  "  t2 -> t11 [label=\"returned by\", style=dashed];\n"
                                  "  t2 [label=\"Date\"];\n"
                                  "  t2 -> t11 [label=\"returned by\", style=dashed];\n"
                                  "  t4 [label=\"Date.prototype.setTime\"];\n"
                                  "  t11 -> t4 [label=\"called on it\", style=dotted];\n"
                                  "  t3 [label=\"Date.prototype\"];\n"
                                  "  t11 -> t3 [label=\"prototype\", arrowhead=empty];\n"
                                  "  t1 [label=\"Object.prototype\"];\n"
                                  "  t3 -> t1 [label=\"prototype\", arrowhead=empty];\n"
                                  "}\n");
    pare_buffer_done(&out);
    out = drawing_of(toy_graph(), TOY_DATE_PROTOTYPE, pare_graph_drawing_dot);
    assert_non_null(strstr(out.data, "  t3 -> t4 [label=\"setTime\"];\n"));
    assert_non_null(strstr(out.data, "  t2 -> t3 [label=\"prototype\"];\n"));
    assert_non_null(strstr(out.data, "  t11 -> t3 [label=\"prototype\", arrowhead=empty];\n"));
    pare_buffer_done(&out);
}

static void test_graph_drawing__strings_of_graphviz_stay_closed(void **state)
{
    (void)state;
    pare_buffer out = drawing_of(hostile_graph(), TOY_GLOBAL, pare_graph_drawing_dot);
    assert_non_null(strstr(out.data, "label=\"\\\\u{202e}dlrow\\\\n\\\"x\\\\n\\\\x1b]0;\"];"));
    for (const char *at = out.data; *at; at += strcspn(at, "\n") + 1) {
        unsigned quotes = 0;
        for (const char *c = at; *c != '\n'; c++) {
            if (*c == '\\')
                c++;
            else
                quotes += *c == '"';
        }
        assert_int_equal(quotes % 2, 0);
    }
    pare_buffer_done(&out);
}

static void test_graph_drawing__an_svg_has_the_relations_around_the_type(void **state)
{
    (void)state;
    pare_buffer out = drawing_of(toy_graph(), TOY_DATE_PROTOTYPE, pare_graph_drawing_svg);
    assert_non_null(strstr(out.data, "<title>Date.prototype of toy</title>"));
    assert_non_null(strstr(out.data, ">members (4)</text>"));
    assert_non_null(strstr(out.data, ">setTime(number | string) -&gt; number</text>"));
    assert_non_null(strstr(out.data, ">prototype of (1)</text>"));
    assert_non_null(strstr(out.data, ">member of (1)</text>"));
    assert_non_null(strstr(out.data, ">Object.prototype</text>"));
    assert_null(strstr(out.data, "more</text>"));
    pare_buffer_done(&out);
    out = drawing_of(toy_graph(), TOY_NUMBER, pare_graph_drawing_svg);
    assert_non_null(strstr(out.data, ">taken by (3)</text>"));
    assert_non_null(strstr(out.data, ">returned by (1)</text>"));
    pare_buffer_done(&out);
}

/* Elements are ours, and every character is one that XML has. */
static void assert_safe(const pare_buffer *svg)
{
    static const char *const tags[] = {"svg",  "/svg",   "title", "/title", "style", "/style",
                                       "rect", "circle", "text",  "/text",  "path"};
    assert_int_equal(strlen(svg->data), svg->size);
    for (const char *at = strchr(svg->data, '<'); at; at = strchr(at + 1, '<')) {
        bool known = false;
        for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
            known |= strncmp(at + 1, tags[i], strlen(tags[i])) == 0;
        assert_true(known);
    }
    for (size_t at = 0, escaped, length; at < svg->size; at += length) {
        long code;
        length = pare_visible_character((unsigned char *)svg->data + at, svg->size - at, &escaped,
                                        &code);
        if (svg->data[at] == '\n') length = 1;
        assert_true(length > 0);
    }
}

static void test_graph_drawing__hostile_names_stay_text(void **state)
{
    (void)state;
    for (uint32_t type = 0; type < 2; type++) {
        pare_buffer out = drawing_of(hostile_graph(), type, pare_graph_drawing_svg);
        assert_safe(&out);
        pare_buffer_done(&out);
    }
    pare_buffer out = drawing_of(bare_graph(), 0, pare_graph_drawing_svg);
    assert_safe(&out);
    pare_buffer_done(&out);
}

/* 200 members with long names, some of them beyond ASCII; `n` prototypes above. */
static pare_graph *large_graph(uint32_t n)
{
    pare_graph_builder *builder = NULL;
    pare_graph *graph = NULL;
    assert_int_equal(pare_graph_builder_new(&builder, NULL), PARE_OK);
    pare_graph_builder_global(builder, 0);
    for (uint32_t i = 0; i <= n; i++) {
        pare_graph_type type = {.kind = PARE_GRAPH_OBJECT,
                                .path = "this",
                                .class_name = "",
                                .prototype = i < n ? i + 1 : PARE_GRAPH_NONE};
        assert_int_equal(pare_graph_builder_type(builder, &type, NULL, NULL), PARE_OK);
    }
    for (int i = 0; i < 200; i++) {
        char name[400];
        (void)snprintf(name, sizeof name, "%03d_", i);
        for (int k = 0; k < 90; k++)
            strcat(name, "\xc3\xa9");
        pare_graph_edge edge = {.kind = PARE_GRAPH_PROPERTY, .name = name, .values = ""};
        assert_int_equal(pare_graph_builder_edge(builder, &edge, NULL), PARE_OK);
    }
    assert_int_equal(pare_graph_builder_finish(builder, &graph, NULL), PARE_OK);
    pare_graph_builder_free(builder);
    return graph;
}

static void test_graph_drawing__long_lists_and_names_are_cut(void **state)
{
    (void)state;
    pare_buffer out = drawing_of(large_graph(40), 0, pare_graph_drawing_svg);
    assert_safe(&out);
    assert_non_null(strstr(out.data, ">members (200)</text>"));
    assert_non_null(strstr(out.data, ">and 172 more</text>"));
    assert_non_null(strstr(out.data, "\xc3\xa9&#8230;<title>"));
    pare_buffer_done(&out);
    out = drawing_of(large_graph(3), 0, pare_graph_drawing_dot);
    assert_non_null(strstr(out.data, "[label=\"members: 140 more\", shape=plaintext];"));
    pare_buffer_done(&out);
}

static pare_status attempt(void *context)
{
    pare_buffer out = {0};
    pare_status status = pare_graph_drawing_svg(context, TOY_A_DATE, &out, NULL);
    if (!status) status = pare_graph_drawing_dot(context, TOY_SET_TIME, &out, NULL);
    pare_buffer_done(&out);
    return status;
}

static void test_graph_drawing__memory_that_runs_out_is_told(void **state)
{
    (void)state;
    pare_graph *graph = toy_graph();
    sweep_allocations(attempt, graph);
    pare_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_drawing__a_digraph_has_the_six_relations),
        cmocka_unit_test(test_graph_drawing__strings_of_graphviz_stay_closed),
        cmocka_unit_test(test_graph_drawing__an_svg_has_the_relations_around_the_type),
        cmocka_unit_test(test_graph_drawing__hostile_names_stay_text),
        cmocka_unit_test(test_graph_drawing__long_lists_and_names_are_cut),
        cmocka_unit_test(test_graph_drawing__memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
