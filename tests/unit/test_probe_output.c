/* Reading what explore.js prints, whole and damaged, and the graph that is made of it. */
/* tests: src/generate/discovery/probe_output.c src/generate/discovery/probe_graph.c */
/* tests: src/generate/discovery/probe_fields.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the four above. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/buffer.h"
#include "generate/discovery/probe_graph.h"
#include "generate/discovery/probe_output.h"
#include "generate/prototype/graph.h"
#include "os/file.h"

/* A global object with a constructor F (prototype 2), whose prototype has a getter `size` and a
 * method, and a string. */
static const char WHOLE[] = "pare-probe 1\n"
                            "o 0 0 g %!\nt 0 o Object 0\np 0 n\nm 0 F 1\nm 0 text s\ns 3\n"
                            "o 1 0 m F\nt 1 c Function 2\nm 1 prototype 2\n"
                            "o 2 1 m prototype\nt 2 o Object 0\np 2 n\na 2 size -\nm 2 go 3\n"
                            "m 2 %@iterator 3\n"
                            "o 3 2 m go\nt 3 f Function 1\np 3 n\n"
                            "i 2 Fine\nn 2 own d\na 2 size d\nk s 2\n"
                            "end 4\n";

static pare_probe_output read_text(const char *text)
{
    pare_buffer printed = {0};
    pare_probe_output output = {0};
    assert_int_equal(pare_buffer_text(&printed, text, NULL), PARE_OK);
    assert_int_equal(pare_probe_output_read(&output, &printed, NULL), PARE_OK);
    assert_true(pare_probe_output_check(&output));
    pare_buffer_done(&printed);
    return output;
}

static const pare_probe_member *find(const pare_probe_output *output, uint32_t object,
                                     const char *name)
{
    for (size_t i = 0; i < output->n_members; i++)
        if (output->members[i].object == object && strcmp(output->members[i].name, name) == 0)
            return &output->members[i];
    return NULL;
}

static void test_probe_output__lines_become_objects_and_members(void **state)
{
    (void)state;
    pare_probe_output output = read_text(WHOLE);
    assert_int_equal(output.end, PARE_PROBE_WHOLE);
    assert_int_equal(output.n_strange, 0);
    assert_int_equal(output.n_steps, 3);
    assert_int_equal(output.n_objects, 4);
    assert_string_equal(output.objects[0].path, "this");
    assert_string_equal(output.objects[3].path, "this.F.prototype.go");
    assert_int_equal(output.objects[1].kind, 'c');
    assert_int_equal(output.objects[1].length, 2);
    assert_string_equal(output.objects[2].instance_class, "Fine");
    assert_int_equal(find(&output, 0, "text")->type.letter, 's');
    assert_true(find(&output, 2, "own")->of_instance);
    assert_non_null(find(&output, 2, "@@iterator"));
    pare_probe_output_done(&output);
}

static void test_probe_output__of_two_lines_about_a_property_the_later_counts(void **state)
{
    (void)state;
    pare_probe_output output = read_text(WHOLE);
    assert_int_equal(find(&output, 2, "size")->type.letter, 'd');
    assert_true(find(&output, 2, "size")->is_accessor);
    pare_probe_output_done(&output);
}

static void test_probe_output__names_are_unescaped_to_utf_8(void **state)
{
    (void)state;
    pare_probe_output output =
        read_text("pare-probe 1\no 0 0 g %!\n"
                  "m 0 a%0020%00e9%20ac%d83d%de00 d\nm 0 % d\n"
                  "o 1 0 m a%0022%005c%000a\no 2 0 m 1x\no 3 0 m %@iterator\n"
                  "end 4\n");
    assert_non_null(find(&output, 0, "a \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
    assert_non_null(find(&output, 0, ""));
    assert_string_equal(output.objects[1].path, "this[\"a\\\"\\\\\\x0a\"]");
    assert_string_equal(output.objects[2].path, "this[\"1x\"]");
    assert_string_equal(output.objects[3].path, "this[Symbol.iterator]");
    pare_probe_output_done(&output);
}

static void test_probe_output__names_that_are_no_text_are_left_out(void **state)
{
    (void)state;
    static const char *const names[] = {"%d83d",  "%de00", "%d83dx", "%0000",      "%12",
                                        "a%zzzz", "a-b",   "%D83D",  "%d83d%d83d", "%0040%0040x"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "pare-probe 1\no 0 0 g %%!\nm 0 %s d\nend 1\n", names[i]);
        pare_probe_output output = read_text(text);
        assert_int_equal(output.n_members, 0);
        assert_int_equal(output.end, PARE_PROBE_WHOLE);
        pare_probe_output_done(&output);
    }
}

static void test_probe_output__what_is_not_the_scripts_is_passed_over(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "hello",
        "o 2 0 m x",
        "o 1 1 m x",
        "o 1 0 q x",
        "o 1 0 m",
        "o 1 0 m x y",
        "o  1 0 m x",
        "m 1 x d",
        "m 0 x q",
        "m 0 x 1 ",
        "m 0 x -1",
        "m -1 x d",
        "m 0 x i",
        "p 0 s",
        "t 0 x Aa 0",
        "t 0 f A 1x",
        "m 0 x 4294967296",
        "k u 0",
        "stop x 0 %!",
        "end 2",
        "pare-probe 2",
        "s",
        "i 9 Map",
        "\x01\x02\xff",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "pare-probe 1\no 0 0 g %%!\n%s\nm 0 y d\nend 1\n",
                       lines[i]);
        pare_probe_output output = read_text(text);
        assert_int_equal(output.n_strange, 1);
        assert_string_equal(output.first_strange, lines[i]);
        assert_int_equal(output.n_members, 1);
        assert_int_equal(output.end, PARE_PROBE_WHOLE);
        pare_probe_output_done(&output);
    }
}

static void test_probe_output__nothing_counts_before_the_first_line(void **state)
{
    (void)state;
    pare_probe_output output = read_text("o 0 0 g %!\nend 1\n");
    assert_false(output.has_begun);
    assert_int_equal(output.n_objects, 0);
    assert_int_equal(output.n_strange, 2);
    pare_probe_output_done(&output);
    output = read_text("");
    assert_int_equal(output.end, PARE_PROBE_CUT);
    pare_probe_output_done(&output);
}

static void test_probe_output__properties_that_lead_nowhere_are_dropped(void **state)
{
    (void)state;
    pare_probe_output output = read_text("pare-probe 1\no 0 0 g %!\nm 0 a 1\nm 0 b 7\nm 0 c i7\n"
                                         "p 0 5\nk s 9\no 1 0 m a\n");
    assert_int_equal(output.end, PARE_PROBE_CUT);
    assert_int_equal(output.n_members, 1);
    assert_int_equal(output.objects[0].prototype.letter, '-');
    assert_int_equal(output.kinds['s'].letter, '-');
    pare_probe_output_done(&output);
}

static void test_probe_output__circles_of_prototypes_are_cut(void **state)
{
    (void)state;
    pare_probe_output output = read_text("pare-probe 1\no 0 0 g %!\no 1 0 m a\no 2 0 m b\n"
                                         "p 0 1\np 1 2\np 2 0\nend 3\n");
    pare_graph *graph = NULL;
    assert_int_equal(output.objects[2].prototype.letter, '-');
    assert_int_equal(output.objects[1].prototype.id, 2);
    assert_int_equal(pare_probe_graph_make(&output, "e", "0", &graph, NULL), PARE_OK);
    pare_graph_free(graph);
    pare_probe_output_done(&output);
    output = read_text("pare-probe 1\no 0 0 g %!\np 0 0\nend 1\n");
    assert_int_equal(output.objects[0].prototype.letter, '-');
    pare_probe_output_done(&output);
}

static void test_probe_output__a_stop_names_the_next_step(void **state)
{
    (void)state;
    pare_probe_output output =
        read_text("pare-probe 1\no 0 0 g %!\no 1 0 m a\nstop 17 1 b\nm 0 after d\n");
    assert_int_equal(output.end, PARE_PROBE_STOPPED);
    assert_int_equal(output.next.number, 17);
    assert_string_equal(output.next.path, "this.a.b");
    assert_int_equal(output.n_members, 0);
    pare_probe_output_done(&output);
    output = read_text("pare-probe 1\no 0 0 g %!\nstop 1 0 %!\n");
    assert_string_equal(output.next.path, "this");
    pare_probe_output_done(&output);
    output = read_text("pare-probe 1\no 0 0 g %!\nstop 1 0 %=1%002b1\n");
    assert_string_equal(output.next.path, "1+1");
    pare_probe_output_done(&output);
}

static void test_probe_output__a_path_that_is_too_long_is_none(void **state)
{
    (void)state;
    pare_buffer printed = {0};
    pare_probe_output output = {0};
    assert_int_equal(pare_buffer_text(&printed, "pare-probe 1\no 0 0 g %!\n", NULL), PARE_OK);
    for (unsigned i = 1; i < 2000; i++)
        assert_int_equal(pare_buffer_format(&printed, NULL, "o %u %u m longer\n", i, i - 1),
                         PARE_OK);
    assert_int_equal(pare_probe_output_read(&output, &printed, NULL), PARE_OK);
    assert_int_equal(output.n_objects, 2000);
    for (size_t i = 0; i < output.n_objects; i++)
        assert_true(strlen(output.objects[i].path) <= PARE_PROBE_MAX_PATH_BYTES);
    pare_probe_output_done(&output);
    pare_buffer_done(&printed);
}

/* Cut off after each byte, and with each byte changed to some others: there is always a graph
 * once there is an object. */
static void test_probe_output__any_damage_leaves_a_sound_graph(void **state)
{
    (void)state;
    static const char others[] = {'\0', ' ', '\n', '%', '9', 'i', '\xff'};
    char text[sizeof WHOLE];
    for (size_t i = 0; i < sizeof WHOLE - 1; i++) {
        for (size_t k = 0; k <= sizeof others; k++) {
            pare_buffer printed = {0};
            pare_probe_output output = {0};
            pare_graph *graph = NULL;
            memcpy(text, WHOLE, sizeof WHOLE);
            if (k < sizeof others) text[i] = others[k];
            size_t size = k < sizeof others ? sizeof WHOLE - 1 : i;
            assert_int_equal(pare_buffer_add(&printed, text, size, NULL), PARE_OK);
            assert_int_equal(pare_probe_output_read(&output, &printed, NULL), PARE_OK);
            assert_true(pare_probe_output_check(&output));
            if (output.n_objects) {
                assert_int_equal(pare_probe_graph_make(&output, "e", "0", &graph, NULL), PARE_OK);
                assert_true(pare_graph_check(graph));
            }
            pare_graph_free(graph);
            pare_probe_output_done(&output);
            pare_buffer_done(&printed);
        }
    }
}

/* --- graphs ------------------------------------------------------------------------------------ */

static uint32_t find_type(const pare_graph *graph, const char *path)
{
    for (uint32_t i = 0; i < pare_graph_n_types(graph); i++)
        if (strcmp(pare_graph_type_at(graph, i)->path, path) == 0) return i;
    fail_msg("there is no type %s", path);
    return PARE_GRAPH_NONE;
}

/* The type that property `name` of type `from` leads to. */
static const pare_graph_type *property(const pare_graph *graph, uint32_t from, const char *name)
{
    uint32_t n;
    const uint32_t *edges = pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, from, &n);
    for (uint32_t i = 0; i < n; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, edges[i]);
        if (strcmp(edge->name, name) == 0) return pare_graph_type_at(graph, edge->to);
    }
    fail_msg("there is no property %s", name);
    return NULL;
}

static void test_probe_graph__objects_keep_their_numbers(void **state)
{
    (void)state;
    pare_probe_output output = read_text(WHOLE);
    pare_graph *graph = NULL;
    assert_int_equal(pare_probe_graph_make(&output, "mujs", "ab", &graph, NULL), PARE_OK);
    assert_string_equal(pare_graph_engine(graph), "mujs");
    assert_string_equal(pare_graph_digest(graph), "ab");
    assert_int_equal(pare_graph_global(graph), 0);
    assert_int_equal(find_type(graph, "this.F.prototype.go"), 3);
    assert_int_equal(pare_graph_type_at(graph, find_type(graph, "string"))->prototype, 2);
    assert_int_equal(property(graph, 0, "text")->kind, PARE_GRAPH_STRING);
    assert_int_equal(property(graph, 2, "size")->kind, PARE_GRAPH_NUMBER);
    pare_graph_free(graph);
    pare_probe_output_done(&output);
}

static void test_probe_graph__a_constructor_returns_an_instance_of_its_prototype(void **state)
{
    (void)state;
    uint32_t n;
    pare_probe_output output = read_text(WHOLE);
    pare_graph *graph = NULL;
    assert_int_equal(pare_probe_graph_make(&output, "e", "0", &graph, NULL), PARE_OK);
    uint32_t instance = find_type(graph, "new (this.F)");
    const pare_graph_type *type = pare_graph_type_at(graph, instance);
    assert_true(type->is_instance);
    assert_string_equal(type->class_name, "Fine");
    assert_int_equal(type->prototype, 2);
    assert_int_equal(property(graph, instance, "own")->kind, PARE_GRAPH_NUMBER);
    const uint32_t *made = pare_graph_edges_to(graph, PARE_GRAPH_RETURN, instance, &n);
    assert_int_equal(n, 1);
    const pare_graph_signature *signature =
        pare_graph_signature_at(graph, pare_graph_edge_at(graph, made[0])->from);
    assert_true(signature->is_constructor);
    assert_int_equal(signature->function, 1);
    assert_int_equal(signature->n_params, 2);
    assert_int_equal(pare_graph_n_signatures(graph), 3); /* F, new F, go */
    pare_graph_free(graph);
    pare_probe_output_done(&output);
}

static pare_status attempt(void *context)
{
    (void)context;
    pare_buffer printed = {0};
    pare_probe_output output = {0};
    pare_graph *graph = NULL;
    pare_status status = pare_buffer_text(&printed, WHOLE, NULL);
    if (!status) status = pare_probe_output_read(&output, &printed, NULL);
    if (!status) status = pare_probe_graph_make(&output, "e", "0", &graph, NULL);
    assert_true(status == PARE_OK || !graph);
    pare_graph_free(graph);
    pare_probe_output_done(&output);
    pare_buffer_done(&printed);
    return status;
}

static void test_probe_output__any_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe_output__lines_become_objects_and_members),
        cmocka_unit_test(test_probe_output__of_two_lines_about_a_property_the_later_counts),
        cmocka_unit_test(test_probe_output__names_are_unescaped_to_utf_8),
        cmocka_unit_test(test_probe_output__names_that_are_no_text_are_left_out),
        cmocka_unit_test(test_probe_output__what_is_not_the_scripts_is_passed_over),
        cmocka_unit_test(test_probe_output__nothing_counts_before_the_first_line),
        cmocka_unit_test(test_probe_output__properties_that_lead_nowhere_are_dropped),
        cmocka_unit_test(test_probe_output__circles_of_prototypes_are_cut),
        cmocka_unit_test(test_probe_output__a_stop_names_the_next_step),
        cmocka_unit_test(test_probe_output__a_path_that_is_too_long_is_none),
        cmocka_unit_test(test_probe_output__any_damage_leaves_a_sound_graph),
        cmocka_unit_test(test_probe_graph__objects_keep_their_numbers),
        cmocka_unit_test(test_probe_graph__a_constructor_returns_an_instance_of_its_prototype),
        cmocka_unit_test(test_probe_output__any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
