/* Weights of edges by which tests were worth making. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/generate.h>
#include <pare/graph_weigh.h>

#include "base/alloc.h"
#include "unit/alloc_sweep.h"
#include "unit/support/graph_text.h"
#include "unit/support/scratch.h"

enum { TESTS = 2000 };

/* The numbers of the tests that have a word in them. */
struct found {
    const char *word;
    uint64_t numbers[TESTS];
    size_t n, n_texts;
};

static pare_status look(void *context, uint64_t number, const char *text, size_t size,
                        pare_error *err)
{
    struct found *found = context;
    char copy[4096]; /* the text is not terminated */
    (void)err;
    assert_true(size < sizeof copy);
    memcpy(copy, text, size);
    copy[size] = '\0';
    found->n_texts++;
    if (strstr(copy, found->word)) found->numbers[found->n++] = number;
    return PARE_OK;
}

static void find(const char *graph, const char *word, struct found *found)
{
    const pare_generate_options options = {
        .graph = graph, .n = TESTS, .seed = 5, .jobs = 1, .repeats = true};
    pare_generated generated;
    *found = (struct found){.word = word};
    assert_int_equal(pare_generate(&options, look, found, &generated, NULL), PARE_OK);
    assert_int_equal(found->n_texts, TESTS);
}

enum { FUNCTIONS = 8, FIRST_FUNCTION = GRAPH_NUMBER + 1 };

/* Dates, and functions f0, f1, ... of the global object. */
static void write_graph(void)
{
    pare_graph_builder *builder = date_builder();
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        const char name[] = {'f', (char)('0' + i), '\0'};
        uint32_t function = add_type(builder, PARE_GRAPH_FUNCTION, name, PARE_GRAPH_NONE);
        assert_int_equal(function, FIRST_FUNCTION + i);
        add_property(builder, GRAPH_GLOBAL, name, function);
        (void)add_signature(builder, function, 1, false, GRAPH_NUMBER);
    }
    pare_graph *graph = finish_graph(builder);
    assert_int_equal(pare_graph_write(graph, "g.json", NULL), PARE_OK);
    pare_graph_free(graph);
}

/* The weight of the edge from a type, of a kind. */
static uint32_t weight_of(const pare_graph *graph, pare_graph_edge_kind kind, uint32_t from)
{
    uint32_t n = 0;
    const uint32_t *edges = pare_graph_edges_from(graph, kind, from, &n);
    assert_int_equal(n, 1);
    return pare_graph_edge_at(graph, edges[0])->weight;
}

static const pare_generate_options made = {.graph = "g.json", .n = TESTS, .seed = 5};

static void test_graph_weigh__edges_of_worthwhile_tests_are_taken_more_often(void **state)
{
    (void)state;
    struct found plain, heavy;
    pare_graph_weighed weighed = {0};
    write_graph();
    find("g.json", "f3(", &plain);
    const pare_graph_weigh_options options = {
        .generate = &made, .numbers = plain.numbers, .n_numbers = plain.n};
    assert_int_equal(pare_graph_weigh(&options, &weighed, NULL), PARE_OK);
    assert_true(weight_of(weighed.graph, PARE_GRAPH_CALL, FIRST_FUNCTION + 3) > 1);
    assert_int_equal(weight_of(weighed.graph, PARE_GRAPH_CALL, FIRST_FUNCTION + 4), 1);
    assert_int_equal(weight_of(weighed.graph, PARE_GRAPH_CONSTRUCTOR, GRAPH_DATE), 1);
    assert_true(weighed.n_heavier > 0 && weighed.n_heavier <= weighed.n_taken);
    assert_true(weighed.n_worth > 0 && weighed.n_worth <= plain.n);
    assert_int_equal(pare_graph_write(weighed.graph, "heavy.json", NULL), PARE_OK);
    find("heavy.json", "f3(", &heavy);
    assert_true(heavy.n > 2 * plain.n);
    pare_graph_weighed_done(&weighed);
}

static void test_graph_weigh__the_order_of_numbers_and_older_weights_do_not_matter(void **state)
{
    (void)state;
    struct found found;
    pare_graph_weighed one = {0}, two = {0};
    pare_buffer first = {0}, second = {0};
    write_graph();
    find("g.json", "f3(", &found);
    pare_graph_weigh_options options = {
        .generate = &made, .numbers = found.numbers, .n_numbers = found.n, .most = 3};
    assert_int_equal(pare_graph_weigh(&options, &one, NULL), PARE_OK);
    for (size_t i = 0; i < found.n / 2; i++) {
        uint64_t number = found.numbers[i];
        found.numbers[i] = found.numbers[found.n - 1 - i];
        found.numbers[found.n - 1 - i] = number;
    }
    assert_int_equal(pare_graph_weigh(&options, &two, NULL), PARE_OK);
    assert_int_equal(pare_graph_file_text(one.graph, &first, NULL), PARE_OK);
    assert_int_equal(pare_graph_file_text(two.graph, &second, NULL), PARE_OK);
    assert_string_equal(first.data, second.data);
    assert_null(strstr(first.data, "\"weight\":4"));
    pare_buffer_done(&first);
    pare_buffer_done(&second);
    pare_graph_weighed_done(&one);
    pare_graph_weighed_done(&two);
}

static void test_graph_weigh__all_tests_or_none_give_no_weight(void **state)
{
    (void)state;
    struct found all;
    write_graph();
    find("g.json", "", &all);
    assert_int_equal(all.n, TESTS);
    for (size_t n = 0; n <= TESTS; n += TESTS) {
        pare_graph_weighed weighed = {0};
        const pare_graph_weigh_options options = {
            .generate = &made, .numbers = all.numbers, .n_numbers = n};
        assert_int_equal(pare_graph_weigh(&options, &weighed, NULL), PARE_OK);
        assert_int_equal(weighed.n_heavier, 0);
        assert_true(weighed.n_texts < TESTS); /* some were made twice */
        pare_graph_weighed_done(&weighed);
    }
}

static void test_graph_weigh__refuses_what_cannot_be_made_again(void **state)
{
    (void)state;
    static const uint64_t beyond[] = {TESTS};
    pare_graph_weighed weighed = {0};
    write_graph();
    pare_generate_options other = made;
    pare_graph_weigh_options options = {.generate = &other, .numbers = beyond, .n_numbers = 1};
    assert_int_equal(pare_graph_weigh(&options, &weighed, NULL), PARE_E_ARG);
    options.n_numbers = 0;
    other.cooldown = 0.5;
    assert_int_equal(pare_graph_weigh(&options, &weighed, NULL), PARE_E_ARG);
    other = made;
    other.unseeded = true;
    assert_int_equal(pare_graph_weigh(&options, &weighed, NULL), PARE_E_ARG);
    other = made;
    other.graph = NULL;
    assert_int_equal(pare_graph_weigh(&options, &weighed, NULL), PARE_E_ARG);
    other.graph = "no.json";
    assert_int_equal(pare_graph_weigh(&options, &weighed, NULL), PARE_E_IO);
    other = made;
    options.most = PARE_GRAPH_MAX_WEIGHT + 1;
    assert_int_equal(pare_graph_weigh(&options, &weighed, NULL), PARE_E_ARG);
    assert_null(weighed.graph);
}

static pare_status attempt(void *context)
{
    static const uint64_t numbers[] = {1, 2, 3};
    const pare_generate_options few = {.graph = context, .n = 10};
    const pare_graph_weigh_options options = {.generate = &few, .numbers = numbers, .n_numbers = 3};
    pare_graph_weighed weighed = {0};
    pare_status status = pare_graph_weigh(&options, &weighed, NULL);
    if (status) assert_null(weighed.graph);
    pare_graph_weighed_done(&weighed);
    return status;
}

static void test_graph_weigh__any_allocation_may_fail(void **state)
{
    (void)state;
    write_graph();
    sweep_allocations(attempt, "g.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_weigh__edges_of_worthwhile_tests_are_taken_more_often),
        cmocka_unit_test(test_graph_weigh__the_order_of_numbers_and_older_weights_do_not_matter),
        cmocka_unit_test(test_graph_weigh__all_tests_or_none_give_no_weight),
        cmocka_unit_test(test_graph_weigh__refuses_what_cannot_be_made_again),
        cmocka_unit_test(test_graph_weigh__any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
