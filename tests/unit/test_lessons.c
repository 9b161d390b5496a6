/* Reading what learn.js prints, whole and damaged, and the graph that has learned it. */
/* tests: src/generate/discovery/lessons.c src/generate/discovery/call_log.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the four above. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "alloc_sweep.h"
#include "generate/discovery/call_log.h"
#include "generate/discovery/lessons.h"
#include "generate/discovery/probe_graph.h"
#include "generate/discovery/probe_output.h"
#include "generate/prototype/graph.h"

/* Types: 0 global, 1 F, 2 F.prototype, 3 F.prototype.go, 4 Lone.prototype's like, an object that is
 * the prototype of nothing yet; then undefined, null, boolean, number, string; then new F. */
static const char ENGINE[] = "pare-probe 1\no 0 0 g %!\nm 0 F 1\nm 0 lone 4\no 1 0 m F\n"
                             "t 1 c Function 1\nm 1 prototype 2\no 2 1 m prototype\nm 2 go 3\n"
                             "o 3 2 m go\nt 3 f Function 2\no 4 0 m lone\nk s 2\nend 5\n";
enum { GO = 3, LONE = 4, NUMBER = 8, STRING = 9, ANY_F = 10, N_TYPES = 11 };

static const char WHOLE[] =
    "pare-learn 1\n"
    "g 0 3 c i2 d s\nv 0 0 1\nv 0 0 %002d0\nv 0 1 %0022a%0022\nr 0 d\nr 0 i4\n"
    "g 1 1 n u d\nr 1 i2\n"
    "g 2 3 c 0 i4\n"
    "end 3\n";

static pare_graph *make_graph(void)
{
    pare_buffer printed = {0};
    pare_probe_output output = {0};
    pare_graph *graph = NULL;
    assert_int_equal(pare_buffer_text(&printed, ENGINE, NULL), PARE_OK);
    assert_int_equal(pare_probe_output_read(&output, &printed, NULL), PARE_OK);
    assert_int_equal(pare_probe_graph_make(&output, "engine", "0", &graph, NULL), PARE_OK);
    pare_probe_output_done(&output);
    pare_buffer_done(&printed);
    assert_int_equal(pare_graph_n_types(graph), N_TYPES);
    return graph;
}

static pare_call_log read_text(const pare_graph *graph, const char *text)
{
    pare_buffer printed = {0};
    pare_call_log log = {0};
    assert_int_equal(pare_buffer_text(&printed, text, NULL), PARE_OK);
    assert_int_equal(pare_call_log_read(&log, &printed, graph, NULL), PARE_OK);
    assert_true(pare_call_log_check(&log, graph));
    pare_buffer_done(&printed);
    return log;
}

/* `graph` after it learned from each of `n` texts. */
static pare_graph *teach(const pare_graph *graph, const char *const *texts, size_t n, size_t *n_new)
{
    pare_lessons *lessons = NULL;
    pare_graph *learned = NULL;
    *n_new = 0;
    assert_int_equal(pare_lessons_new(graph, &lessons, NULL), PARE_OK);
    for (size_t i = 0; i < n; i++) {
        size_t more;
        pare_call_log log = read_text(graph, texts[i]);
        assert_int_equal(pare_lessons_add(lessons, &log, &more, NULL), PARE_OK);
        *n_new += more;
        pare_call_log_done(&log);
    }
    assert_int_equal(pare_lessons_make(lessons, &learned, NULL), PARE_OK);
    assert_true(pare_graph_check(learned));
    pare_lessons_free(lessons);
    return learned;
}

/* The parameter edge of learned signature `signature` at `position`. */
static const pare_graph_edge *parameter(const pare_graph *graph, uint32_t signature,
                                        uint32_t position)
{
    uint32_t n;
    const uint32_t *edges = pare_graph_edges_to(graph, PARE_GRAPH_PARAMETER, signature, &n);
    for (uint32_t i = 0; i < n; i++)
        if (pare_graph_edge_at(graph, edges[i])->position == position)
            return pare_graph_edge_at(graph, edges[i]);
    return NULL;
}

/* The learned signature of `function` with `n_params` parameters. */
static uint32_t find_learned(const pare_graph *graph, uint32_t function, uint32_t n_params)
{
    for (uint32_t i = 0; i < pare_graph_n_signatures(graph); i++) {
        const pare_graph_signature *signature = pare_graph_signature_at(graph, i);
        if (signature->is_learned && signature->function == function &&
            signature->n_params == n_params)
            return i;
    }
    fail_msg("function %u has learned nothing of %u parameters", function, n_params);
    return PARE_GRAPH_NONE;
}

/* --- logs --------------------------------------------------------------------------------------- */

static void test_call_log__lines_become_signatures_returns_and_values(void **state)
{
    (void)state;
    pare_graph *graph = make_graph();
    pare_call_log log = read_text(graph, WHOLE);
    assert_true(log.has_ended);
    assert_int_equal(log.n_calls, 3);
    assert_int_equal(log.n_signatures, 3);
    assert_int_equal(log.n_returns, 3);
    assert_int_equal(log.n_values, 3);
    assert_string_equal(log.values[2].text, "\"a\"");
    assert_true(log.signatures[1].is_constructor);
    assert_int_equal(log.signatures[0].receiver.letter, 'i');
    assert_int_equal(log.signatures[2].receiver.letter, '-'); /* the global object */
    pare_call_log_done(&log);
    pare_graph_free(graph);
}

static void test_call_log__what_the_graph_does_not_have_is_passed_over(void **state)
{
    (void)state;
    static const char *const lines[] = {"g 0 99 c 0",
                                        "g 0 2 c 0",
                                        "g 0 10 c 0",
                                        "g 0 3 c 99",
                                        "g 0 3 c 0 i99",
                                        "g 0 3 c 0 i10",
                                        "g 0 3",
                                        "g x 3 c 0",
                                        "g 0 3 c 0 q",
                                        "g 0 3 c  0",
                                        "g 0 3 c 0 d d d d d d d d d d d d d d d d d",
                                        "r 0 d",
                                        "v 0 0 1",
                                        "hello",
                                        "g"};
    pare_graph *graph = make_graph();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[160];
        (void)snprintf(text, sizeof text, "pare-learn 1\n%s\nr 0 d\nv 0 0 1\nend 1\n", lines[i]);
        pare_call_log log = read_text(graph, text);
        assert_int_equal(log.n_signatures + log.n_returns + log.n_values, 0);
        assert_true(log.has_ended);
        pare_call_log_done(&log);
    }
    pare_graph_free(graph);
}

static void test_call_log__lost_lines_confuse_nothing(void **state)
{
    (void)state;
    pare_graph *graph = make_graph();
    pare_call_log log = read_text(graph, "pare-learn 1\ng 4 3 c 0 d\ng 4 3 c 0 s\ng 2 3 c 0 s\n"
                                         "r 2 d\nr 3 d\nr 4 s\ng 9 3 c 0 s\nv 9 0 1\nv 4 1 1\nr 9");
    assert_int_equal(log.n_signatures, 2);
    assert_int_equal(log.n_returns, 1);
    assert_int_equal(log.n_values, 1);
    assert_int_equal(log.values[0].signature, 1);
    assert_false(log.has_ended);
    pare_call_log_done(&log);
    pare_graph_free(graph);
}

static void test_call_log__nothing_counts_before_the_first_line(void **state)
{
    (void)state;
    pare_graph *graph = make_graph();
    pare_call_log log = read_text(graph, "g 0 3 c 0\npare-learn 1\nend 0\n");
    assert_int_equal(log.n_signatures, 0);
    pare_call_log_done(&log);
    pare_graph_free(graph);
}

static void test_call_log__any_damage_leaves_a_sound_graph(void **state)
{
    (void)state;
    static const char others[] = {'\0', ' ', '\n', '%', '9', 'i', '\xff'};
    char text[sizeof WHOLE];
    pare_graph *graph = make_graph();
    for (size_t i = 0; i < sizeof WHOLE - 1; i++) {
        for (size_t k = 0; k <= sizeof others; k++) {
            pare_buffer printed = {0};
            pare_call_log log = {0};
            pare_lessons *lessons = NULL;
            pare_graph *learned = NULL;
            size_t n_new, size = k < sizeof others ? sizeof WHOLE - 1 : i;
            memcpy(text, WHOLE, sizeof WHOLE);
            if (k < sizeof others) text[i] = others[k];
            assert_int_equal(pare_buffer_add(&printed, text, size, NULL), PARE_OK);
            assert_int_equal(pare_call_log_read(&log, &printed, graph, NULL), PARE_OK);
            assert_int_equal(pare_lessons_new(graph, &lessons, NULL), PARE_OK);
            assert_int_equal(pare_lessons_add(lessons, &log, &n_new, NULL), PARE_OK);
            assert_int_equal(pare_lessons_make(lessons, &learned, NULL), PARE_OK);
            assert_true(pare_graph_check(learned));
            pare_graph_free(learned);
            pare_lessons_free(lessons);
            pare_call_log_done(&log);
            pare_buffer_done(&printed);
        }
    }
    pare_graph_free(graph);
}

/* --- lessons ------------------------------------------------------------------------------------ */

static void test_lessons__become_signatures_with_types_and_values(void **state)
{
    (void)state;
    size_t n_new;
    const char *const texts[] = {WHOLE};
    pare_graph *graph = make_graph(), *learned = teach(graph, texts, 1, &n_new);
    assert_int_equal(n_new, 3);
    assert_int_equal(pare_graph_n_signatures(learned), pare_graph_n_signatures(graph) + 3);
    uint32_t go = find_learned(learned, GO, 2);
    assert_int_equal(pare_graph_signature_at(learned, go)->receiver, ANY_F);
    assert_false(pare_graph_signature_at(learned, go)->throws);
    assert_int_equal(parameter(learned, go, 0)->from, NUMBER);
    assert_string_equal(parameter(learned, go, 0)->values, "-0\n1");
    assert_int_equal(parameter(learned, go, 1)->from, STRING);
    assert_string_equal(parameter(learned, go, 1)->values, "\"a\"");
    assert_int_equal(pare_graph_signature_at(learned, find_learned(learned, 1, 1))->receiver,
                     PARE_GRAPH_NONE);
    pare_graph_free(learned);
    pare_graph_free(graph);
}

static void test_lessons__a_call_that_only_threw_teaches_too(void **state)
{
    (void)state;
    size_t n_new;
    const char *const texts[] = {WHOLE};
    pare_graph *graph = make_graph(), *learned = teach(graph, texts, 1, &n_new);
    assert_true(pare_graph_signature_at(learned, find_learned(learned, GO, 1))->throws);
    const char *const later[] = {"pare-learn 1\ng 0 3 c 0 i4\nr 0 u\nend 1\n"};
    pare_graph *again = teach(learned, later, 1, &n_new);
    assert_int_equal(n_new, 0);
    assert_false(pare_graph_signature_at(again, find_learned(again, GO, 1))->throws);
    pare_graph_free(again);
    pare_graph_free(learned);
    pare_graph_free(graph);
}

static void test_lessons__an_unknown_prototype_gets_an_instance_type(void **state)
{
    (void)state;
    size_t n_new;
    const char *const texts[] = {WHOLE};
    pare_graph *graph = make_graph(), *learned = teach(graph, texts, 1, &n_new);
    assert_int_equal(pare_graph_n_types(learned), N_TYPES + 1);
    const pare_graph_type *type = pare_graph_type_at(learned, N_TYPES);
    assert_true(type->is_instance);
    assert_int_equal(type->prototype, LONE);
    pare_graph_free(learned);
    pare_graph_free(graph);
}

static void assert_same_graph(const pare_graph *a, const pare_graph *b)
{
    assert_int_equal(pare_graph_n_types(a), pare_graph_n_types(b));
    assert_int_equal(pare_graph_n_signatures(a), pare_graph_n_signatures(b));
    assert_int_equal(pare_graph_n_edges(a), pare_graph_n_edges(b));
    for (uint32_t i = 0; i < pare_graph_n_edges(a); i++) {
        const pare_graph_edge *x = pare_graph_edge_at(a, i), *y = pare_graph_edge_at(b, i);
        assert_int_equal(x->from, y->from);
        assert_int_equal(x->to, y->to);
        assert_int_equal(x->position, y->position);
        assert_string_equal(x->values, y->values);
    }
    for (uint32_t i = 0; i < pare_graph_n_signatures(a); i++)
        assert_int_equal(pare_graph_signature_at(a, i)->function,
                         pare_graph_signature_at(b, i)->function);
}

/* What types and signatures imply has a weight that they do not. */
static bool is_implied(const pare_graph_edge *edge)
{
    return edge->kind == PARE_GRAPH_CALL || edge->kind == PARE_GRAPH_CONSTRUCTOR ||
           edge->kind == PARE_GRAPH_PROTOTYPE;
}

/* The graph with another weight for each edge that is implied. */
static pare_graph *weigh(const pare_graph *graph)
{
    pare_graph_builder *builder = NULL;
    pare_graph *weighed = NULL;
    assert_int_equal(pare_graph_builder_new(&builder, NULL), PARE_OK);
    assert_int_equal(pare_graph_builder_copy(builder, graph, NULL), PARE_OK);
    for (uint32_t i = 0; i < pare_graph_n_edges(graph); i++) {
        pare_graph_edge edge = *pare_graph_edge_at(graph, i);
        edge.weight = 2 + i;
        if (is_implied(&edge))
            assert_int_equal(pare_graph_builder_edge(builder, &edge, NULL), PARE_OK);
    }
    assert_int_equal(pare_graph_builder_finish(builder, &weighed, NULL), PARE_OK);
    pare_graph_builder_free(builder);
    return weighed;
}

static void test_lessons__what_calls_weigh_is_kept(void **state)
{
    (void)state;
    size_t n_new, n_kinds[PARE_GRAPH_N_EDGE_KINDS] = {0};
    const char *const texts[] = {WHOLE};
    pare_graph *graph = make_graph(), *learned = teach(graph, texts, 1, &n_new);
    pare_graph *weighed = weigh(learned), *again = teach(weighed, texts, 1, &n_new);
    assert_same_graph(learned, again);
    for (uint32_t i = 0; i < pare_graph_n_edges(again); i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(again, i);
        assert_int_equal(edge->weight, is_implied(edge) ? 2 + i : 1);
        n_kinds[edge->kind] += is_implied(edge);
    }
    assert_true(n_kinds[PARE_GRAPH_CALL] && n_kinds[PARE_GRAPH_CONSTRUCTOR] &&
                n_kinds[PARE_GRAPH_PROTOTYPE]);
    pare_graph_free(again);
    pare_graph_free(weighed);
    pare_graph_free(learned);
    pare_graph_free(graph);
}

static void test_lessons__the_order_of_the_tests_does_not_matter(void **state)
{
    (void)state;
    size_t n_new;
    const char *const one = "pare-learn 1\ng 0 3 c 4 n u b\nv 0 2 true\nr 0 s\nend 1\n";
    const char *const forward[] = {WHOLE, one}, *const backward[] = {one, WHOLE};
    pare_graph *graph = make_graph();
    pare_graph *a = teach(graph, forward, 2, &n_new), *b = teach(graph, backward, 2, &n_new);
    assert_int_equal(n_new, 4);
    assert_same_graph(a, b);
    pare_graph_free(a);
    pare_graph_free(b);
    pare_graph_free(graph);
}

static void test_lessons__learned_twice_is_learned_once(void **state)
{
    (void)state;
    size_t n_new;
    const char *const texts[] = {WHOLE, WHOLE};
    pare_graph *graph = make_graph(), *once = teach(graph, texts, 1, &n_new);
    pare_graph *twice = teach(graph, texts, 2, &n_new);
    assert_int_equal(n_new, 3);
    assert_same_graph(once, twice);
    pare_graph *later = teach(once, texts, 1, &n_new);
    assert_int_equal(n_new, 0);
    assert_same_graph(once, later);
    pare_graph_free(later);
    pare_graph_free(twice);
    pare_graph_free(once);
    pare_graph_free(graph);
}

static pare_status attempt(void *context)
{
    const pare_graph *graph = context;
    pare_buffer printed = {0};
    pare_call_log log = {0};
    pare_lessons *lessons = NULL;
    pare_graph *learned = NULL;
    size_t n_new;
    pare_status status = pare_buffer_text(&printed, WHOLE, NULL);
    if (!status) status = pare_call_log_read(&log, &printed, graph, NULL);
    if (!status) status = pare_lessons_new(graph, &lessons, NULL);
    if (!status) status = pare_lessons_add(lessons, &log, &n_new, NULL);
    if (!status) status = pare_lessons_make(lessons, &learned, NULL);
    assert_true(status == PARE_OK || !learned);
    pare_graph_free(learned);
    pare_lessons_free(lessons);
    pare_call_log_done(&log);
    pare_buffer_done(&printed);
    return status;
}

static void test_lessons__any_allocation_may_fail(void **state)
{
    (void)state;
    pare_graph *graph = make_graph();
    sweep_allocations(attempt, graph);
    pare_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_call_log__lines_become_signatures_returns_and_values),
        cmocka_unit_test(test_call_log__what_the_graph_does_not_have_is_passed_over),
        cmocka_unit_test(test_call_log__lost_lines_confuse_nothing),
        cmocka_unit_test(test_call_log__nothing_counts_before_the_first_line),
        cmocka_unit_test(test_call_log__any_damage_leaves_a_sound_graph),
        cmocka_unit_test(test_lessons__become_signatures_with_types_and_values),
        cmocka_unit_test(test_lessons__a_call_that_only_threw_teaches_too),
        cmocka_unit_test(test_lessons__an_unknown_prototype_gets_an_instance_type),
        cmocka_unit_test(test_lessons__what_calls_weigh_is_kept),
        cmocka_unit_test(test_lessons__the_order_of_the_tests_does_not_matter),
        cmocka_unit_test(test_lessons__learned_twice_is_learned_once),
        cmocka_unit_test(test_lessons__any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
