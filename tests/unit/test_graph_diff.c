/* What changed between two graphs: by paths and members, never by numbers. */
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

/* Graphs are freed. */
static void assert_changes(pare_graph *older, pare_graph *newer, size_t n, const char *text)
{
    pare_graph_changes *changes = NULL;
    pare_sheet sheet = {.status = PARE_OK};
    assert_int_equal(pare_graph_diff_new(older, newer, &changes, NULL), PARE_OK);
    pare_graph_diff_text(&sheet, changes);
    assert_int_equal(sheet.status, PARE_OK);
    assert_string_equal(pare_sheet_text(&sheet), text);
    assert_int_equal(pare_graph_diff_count(changes), n);
    pare_sheet_done(&sheet);
    pare_graph_diff_free(changes);
    pare_graph_free(older);
    pare_graph_free(newer);
}

/* A graph of an engine of this name, with lists without brackets. */
static pare_graph *graph_of(const char *engine, const char *types, const char *signatures,
                            const char *edges)
{
    static char text[8000];
    (void)snprintf(text, sizeof text,
                   "{\"format\":\"pare-graph\",\"version\":1,\"engine\":\"%s\",\"digest\":\"%s\","
                   "\"global\":0,\"types\":[%s],\"signatures\":[%s],\"edges\":[%s]}",
                   engine, engine, types, signatures, edges);
    return read_graph(text);
}

#define TYPE(id, kind, path, more) \
    "{\"id\":" #id ",\"kind\":\"" kind "\",\"path\":\"" path "\"" more "}"
#define MEMBER(from, name, to) \
    "{\"kind\":\"property\",\"from\":" #from ",\"to\":" #to ",\"name\":\"" name "\"}"
#define EDGE(kind, from, to) "{\"kind\":\"" kind "\",\"from\":" #from ",\"to\":" #to "}"

static void test_graph_diff__the_same_graph_has_no_changes(void **state)
{
    (void)state;
    assert_changes(toy_graph(), toy_graph(), 0, "");
    assert_changes(hostile_graph(), hostile_graph(), 0, "");
    assert_changes(bare_graph(), bare_graph(), 0, "");
}

static void test_graph_diff__numbers_and_values_mean_nothing(void **state)
{
    (void)state;
#define PARAMETER(from, value)                                                                     \
    "{\"kind\":\"parameter\",\"from\":" #from ",\"to\":0,\"position\":0,\"values\":[\"" value "\"" \
    "]}"
    pare_graph *older =
        graph_of("a",
                 TYPE(0, "object", "this", "") "," TYPE(1, "function", "this.f",
                                                        "") "," TYPE(2, "number", "number", ""),
                 "{\"id\":0,\"parameters\":1,\"receiver\":0,\"learned\":true}",
                 MEMBER(0, "f", 1) "," MEMBER(0, "n", 2) "," EDGE("call", 1, 0) "," PARAMETER(
                     2, "1") "," PARAMETER(0, "0") "," EDGE("return", 0, 2));
    pare_graph *newer =
        graph_of("b",
                 TYPE(0, "object", "this", "") "," TYPE(1, "number", "number",
                                                        "") "," TYPE(2, "function", "this.f", ""),
                 "{\"id\":0,\"parameters\":1,\"receiver\":0,\"learned\":true}",
                 MEMBER(0, "f", 2) "," MEMBER(0, "n", 1) "," EDGE("call", 2, 0) "," PARAMETER(
                     1, "2") "," PARAMETER(0, "0") "," EDGE("return", 0, 1));
    assert_changes(older, newer, 0, "");
}

static void test_graph_diff__each_kind_of_change_has_a_line(void **state)
{
    (void)state;
    pare_graph *older = graph_of(
        "old",
        TYPE(0, "object", "this", ",\"class\":\"global\"") "," TYPE(
            1, "object", "this.gone",
            "") "," TYPE(2, "function", "this.f",
                         ",\"length\":1") "," TYPE(3, "object", "this.o",
                                                   "") "," TYPE(4, "number", "number",
                                                                "") "," TYPE(5, "string", "string",
                                                                             ""),
        "{\"id\":0,\"parameters\":1},{\"id\":1,\"parameters\":1,\"learned\":true}",
        MEMBER(0, "gone", 1) "," MEMBER(1, "a", 4) "," MEMBER(1, "b", 4) "," MEMBER(
            0, "f",
            2) "," MEMBER(0, "o",
                          3) "," MEMBER(3, "lost",
                                        4) "," MEMBER(3, "x",
                                                      4) "," EDGE("prototype", 3,
                                                                  0) "," EDGE("call", 2,
                                                                              0) "," EDGE("call", 2,
                                                                                          1) ","
                                                                                             "{\"ki"
                                                                                             "nd\":"
                                                                                             "\"par"
                                                                                             "amete"
                                                                                             "r\","
                                                                                             "\"fro"
                                                                                             "m\":"
                                                                                             "4,"
                                                                                             "\"to"
                                                                                             "\":1,"
                                                                                             "\"pos"
                                                                                             "ition"
                                                                                             "\":0}"
                                                                                             "," EDGE(
                                                                                                 "r"
                                                                                                 "e"
                                                                                                 "t"
                                                                                                 "u"
                                                                                                 "r"
                                                                                                 "n",
                                                                                                 1,
                                                                                                 4));
    pare_graph *newer = graph_of(
        "new",
        TYPE(0, "object", "this", ",\"class\":\"Window\"") "," TYPE(1, "function", "this.Class", "") "," TYPE(
            2, "object", "this.Class.prototype",
            "") "," TYPE(3, "function", "this.Class.prototype.m",
                         "") "," TYPE(4, "function", "this.f",
                                      ",\"length\":2") "," TYPE(5, "function", "this.o",
                                                                "") "," TYPE(6, "number", "number",
                                                                             "") "," TYPE(7,
                                                                                          "string",
                                                                                          "string",
                                                                                          "") "," TYPE(8,
                                                                                                       "object",
                                                                                                       "new "
                                                                                                       "(this."
                                                                                                       "Class)",
                                                                                                       ",\"insta"
                                                                                                       "nce\":"
                                                                                                       "true") "," TYPE(9,
                                                                                                                        "function",
                                                                                                                        "this.o.found",
                                                                                                                        ""),
        "{\"id\":0,\"parameters\":2},{\"id\":1,\"parameters\":1,\"learned\":true},"
        "{\"id\":2,\"parameters\":0},{\"id\":3,\"parameters\":1}",
        MEMBER(0, "Class", 1) "," MEMBER(1, "prototype", 2) "," MEMBER(2, "m", 3) "," MEMBER(2, "constructor", 1) "," MEMBER(0, "f", 4) "," MEMBER(
            0, "o",
            5) "," MEMBER(5, "x",
                          7) "," MEMBER(5, "found",
                                        9) "," EDGE("prototype", 8,
                                                    2) "," EDGE("call", 4,
                                                                0) "," EDGE("call", 4,
                                                                            1) "," EDGE("constructo"
                                                                                        "r",
                                                                                        1,
                                                                                        2) "," EDGE("call",
                                                                                                    9,
                                                                                                    3) ","
                                                                                                       "{\"kind\":\"parameter\",\"from\":7,\"to\":1,\"position\":0}," EDGE(
                                                                                                           "return",
                                                                                                           1,
                                                                                                           6));
    assert_changes(older, newer, 14,
                   "--- old\n+++ new\n"
                   "\nTypes removed (1)\n  - gone: object, 2 members\n"
                   "\nTypes added (2)\n  + Class: function, 1 member\n"
                   "  + Class.prototype: object, 2 members\n"
                   "\nMembers removed (2)\n  - gone: object\n  - o.lost: number\n"
                   "\nMembers added (2)\n  + new Class() -> ?\n  + o.found(any) -> ?\n"
                   "\nMembers changed (1)\n  ~ o.x: string, was number\n"
                   "\nKinds changed (1)\n  ~ o: function, was object\n"
                   "\nClasses changed (1)\n  ~ this: Window, was global\n"
                   "\nLengths changed (1)\n  ~ f: 2, was 1\n"
                   "\nPrototypes changed (1)\n  ~ o: none, was this\n"
                   "\nSignatures removed (1)\n  - f(number) -> number\n"
                   "\nSignatures added (1)\n  + f(string) -> number\n");
}

static void test_graph_diff__an_object_that_is_found_elsewhere_is_the_same(void **state)
{
    (void)state;
    pare_graph *older = graph_of(
        "a",
        TYPE(0, "object", "this", "") "," TYPE(1, "object", "this.a", "") "," TYPE(
            2, "object", "this.a.shared", "") "," TYPE(3, "object", "this.a.shared.deep", ""),
        "", MEMBER(0, "a", 1) "," MEMBER(1, "shared", 2) "," MEMBER(2, "deep", 3));
    pare_graph *newer =
        graph_of("b",
                 TYPE(0, "object", "this", "") "," TYPE(1, "object", "this.a", "") "," TYPE(
                     2, "object", "this.direct", "") "," TYPE(3, "object", "this.direct.deep", ""),
                 "",
                 MEMBER(0, "a", 1) "," MEMBER(0, "direct", 2) "," MEMBER(1, "shared", 2) "," MEMBER(
                     2, "deep", 3));
    assert_changes(older, newer, 1, "--- a\n+++ b\n\nMembers added (1)\n  + direct: object\n");
}

/* Functions that only lead to each other are told by themselves. */
static void test_graph_diff__nothing_is_left_untold(void **state)
{
    (void)state;
    pare_graph *newer = graph_of("b",
                                 TYPE(0, "object", "this", "") "," TYPE(
                                     1, "function", "f", "") "," TYPE(2, "function", "g", ""),
                                 "", MEMBER(1, "g", 2) "," MEMBER(2, "f", 1));
    assert_changes(bare_graph(), newer, 2,
                   "--- \n+++ b\n\nTypes added (2)\n  + f: function, 1 member\n"
                   "  + g: function, 1 member\n");
}

static void test_graph_diff__hostile_names_are_escaped(void **state)
{
    (void)state;
    assert_changes(
        bare_graph(), hostile_graph(), 3,
        "--- \n+++ </title><script>alert(1)</script>\n"
        "\nMembers added (2)\n  + this[\"</script><!--\\u{2028}\"](this) -> ?\n"
        "  + this[\"\\u{202e}dlrow\\n\"x\\n\\x1b]0;\"]: this[\"</script><!--\\u{2028}\"]\n"
        "\nClasses changed (1)\n  ~ this: <b>\\x1b[31m, was none\n");
}

static void test_graph_diff__json_has_the_same_changes(void **state)
{
    (void)state;
    pare_graph *older = bare_graph(), *newer = toy_graph();
    pare_graph_changes *changes = NULL;
    pare_buffer text = {0};
    assert_int_equal(pare_graph_diff_new(older, newer, &changes, NULL), PARE_OK);
    assert_int_equal(pare_graph_diff_json(changes, &text, NULL), PARE_OK);
    json_t *object = json_loadb(text.data, text.size, 0, NULL);
    json_t *list = json_object_get(object, "changes");
    assert_string_equal(json_string_value(json_object_get(object, "format")), "pare-graph-diff");
    assert_int_equal(json_array_size(list), pare_graph_diff_count(changes));
    json_t *last = json_array_get(list, json_array_size(list) - 1);
    char *line = json_dumps(last, JSON_COMPACT);
    assert_string_equal(line, "{\"change\":\"class-changed\",\"subject\":\"this\",\"old\":\"\","
                              "\"new\":\"global\"}");
    free(line);
    json_decref(object);
    pare_buffer_done(&text);
    pare_graph_diff_free(changes);
    pare_graph_free(older);
    pare_graph_free(newer);
}

struct pair {
    pare_graph *older, *newer;
};

static pare_status attempt(void *context)
{
    const struct pair *pair = context;
    pare_graph_changes *changes = NULL;
    pare_sheet sheet = {.status = PARE_OK};
    pare_status status = pare_graph_diff_new(pair->older, pair->newer, &changes, NULL);
    assert_true(status == PARE_OK || !changes);
    if (!status) pare_graph_diff_text(&sheet, changes);
    if (!status) status = sheet.status;
    if (!status) status = pare_graph_diff_json(changes, &sheet.bytes, NULL);
    pare_sheet_done(&sheet);
    pare_graph_diff_free(changes);
    return status;
}

static void test_graph_diff__memory_that_runs_out_is_told(void **state)
{
    (void)state;
    struct pair pair = {toy_graph(), hostile_graph()};
    sweep_allocations(attempt, &pair);
    pare_graph_free(pair.older);
    pare_graph_free(pair.newer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_diff__the_same_graph_has_no_changes),
        cmocka_unit_test(test_graph_diff__numbers_and_values_mean_nothing),
        cmocka_unit_test(test_graph_diff__each_kind_of_change_has_a_line),
        cmocka_unit_test(test_graph_diff__an_object_that_is_found_elsewhere_is_the_same),
        cmocka_unit_test(test_graph_diff__nothing_is_left_untold),
        cmocka_unit_test(test_graph_diff__hostile_names_are_escaped),
        cmocka_unit_test(test_graph_diff__json_has_the_same_changes),
        cmocka_unit_test(test_graph_diff__memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
