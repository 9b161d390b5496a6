/* Walks over a graph: replay, edited lists, the budget, learned values, kept values, cooldown. */
/* tests: src/generate/prototype/emitter.c src/generate/prototype/walk_tables.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/random.h"
#include "generate/prototype/walk.h"
#include "unit/alloc_sweep.h"
#include "unit/support/graph_text.h"

enum { SEEDS = 3000 };

struct walker {
    pare_graph *graph;
    pare_type_costs costs;
    pare_walk *walk;
    pare_choices choices;
    pare_buffer text;
};

static void open_walker(struct walker *walker, pare_graph *graph, pare_walk_options options)
{
    *walker = (struct walker){.graph = graph};
    assert_int_equal(pare_type_costs_init(&walker->costs, graph, NULL), PARE_OK);
    assert_int_equal(pare_walk_new(&walker->costs, &options, &walker->walk, NULL), PARE_OK);
}

static void close_walker(struct walker *walker)
{
    pare_walk_free(walker->walk);
    pare_type_costs_done(&walker->costs);
    pare_graph_free(walker->graph);
    pare_choices_done(&walker->choices);
    pare_buffer_done(&walker->text);
}

/* Runs the generator with the choices as they are set up. */
static pare_status run(struct walker *walker)
{
    pare_generator generator = pare_walk_generator(walker->walk);
    pare_buffer_reset(&walker->text);
    return generator.run(generator.self, &walker->choices, &walker->text, NULL);
}

static const char *make(struct walker *walker, uint64_t seed)
{
    pare_choices_seed(&walker->choices, seed);
    assert_int_equal(run(walker), PARE_OK);
    assert_true(pare_choices_record_check(&walker->choices.record));
    return walker->text.data;
}

/* --- what a text looks like ----------------------------------------------------------------- */

/* After a regular expression that begins at `at`. */
static const char *skip_regex(const char *at)
{
    bool in_class = false;
    for (at++; *at && (*at != '/' || in_class); at++) {
        if (*at == '\\')
            at++;
        else if (*at == '[')
            in_class = true;
        else if (*at == ']')
            in_class = false;
    }
    return *at ? at + 1 : at;
}

static const char *skip_string(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' ? 2 : 1;
    return *at ? at + 1 : at;
}

/* Whether brackets outside of strings and regular expressions match, and there is no line break. */
static bool is_balanced(const char *text)
{
    char open[1024];
    size_t n = 0;
    char last = '(';
    for (const char *at = text; *at;) {
        char c = *at;
        if (c == '\n' || c == '\r' || (unsigned char)c >= 0x7f) return false;
        if (c == '"' || c == '\'') {
            at = skip_string(at);
        } else if (c == '/' && strchr("(,=[{:;!&|?+-*%~^<>", last)) {
            at = skip_regex(at);
            c = ')';
        } else {
            if (strchr("([{", c)) open[n++] = c == '(' ? ')' : c == '[' ? ']' : '}';
            if (strchr(")]}", c) && (!n || open[--n] != c)) return false;
            assert_true(n < sizeof open);
            at++;
        }
        /* A regular expression may follow the words of which these are the last letters. */
        if (c != ' ') last = c;
        if (at - text >= 6 && (!strncmp(at - 6, "return", 6) || !strncmp(at - 6, "typeof", 6)))
            last = '(';
        if (at - text >= 5 && !strncmp(at - 5, "throw", 5)) last = '(';
        if (at - text >= 3 && !strncmp(at - 3, " in", 3)) last = '(';
        if (at - text >= 10 && !strncmp(at - 10, "instanceof", 10)) last = '(';
    }
    return n == 0;
}

static size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

/* How many calls of the functions of `date_graph` a text has. */
static size_t count_calls(const char *text)
{
    return count(text, "new (this.Date)(") + count(text, ".setTime(") +
           count(text, ".setTime.call(") + count(text, ".setTime.apply(") +
           count(text, ".setTime.bind(");
}

/* --- claims ------------------------------------------------------------------------------------ */

static void test_walk__zeros_are_the_global_object(void **state)
{
    (void)state;
    static const uint64_t zeros[8];
    struct walker walker;
    open_walker(&walker, date_graph(), (pare_walk_options){0});
    pare_choices_replay(&walker.choices, zeros, 8);
    assert_int_equal(run(&walker), PARE_OK);
    assert_string_equal(walker.text.data, "this");
    close_walker(&walker);
}

static void test_walk__replays_to_the_same_text(void **state)
{
    (void)state;
    struct walker walker;
    uint64_t list[4096];
    open_walker(&walker, date_graph(), (pare_walk_options){.keep_values = 0.3, .cooldown = 0.5});
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        (void)make(&walker, seed);
        char *text = pare_alloc_text(walker.text.data, walker.text.size);
        size_t n = walker.choices.record.n;
        assert_non_null(text);
        assert_true(n < sizeof list / sizeof *list && is_balanced(text));
        for (size_t i = 0; i < n; i++)
            list[i] = walker.choices.record.choices[i].index;
        pare_choices_replay(&walker.choices, list, n);
        assert_int_equal(run(&walker), PARE_OK);
        assert_string_equal(walker.text.data, text);
        assert_int_equal(pare_choices_left(&walker.choices), 0);
        pare_alloc_free(text);
    }
    close_walker(&walker);
}

static void test_walk__is_the_same_recorded_or_not(void **state)
{
    (void)state;
    struct walker recorded, plain;
    open_walker(&recorded, date_graph(), (pare_walk_options){.keep_values = 0.3});
    open_walker(&plain, date_graph(), (pare_walk_options){.keep_values = 0.3});
    plain.choices.unrecorded = true;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        assert_string_equal(make(&recorded, seed), make(&plain, seed));
    close_walker(&recorded);
    close_walker(&plain);
}

/* Any numbers in any order: a text with matching brackets, or a list that ends too early. */
static void test_walk__an_edited_list_is_a_text_or_ends_too_early(void **state)
{
    (void)state;
    struct walker walker;
    uint64_t list[512];
    size_t n_texts = 0;
    open_walker(&walker, date_graph(), (pare_walk_options){.keep_values = 0.5});
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        pare_random random;
        pare_random_init(&random, seed);
        size_t n = (size_t)pare_random_below(&random, 512);
        bool small = pare_random_below(&random, 2);
        for (size_t i = 0; i < n; i++)
            list[i] = small ? pare_random_below(&random, 8) : pare_random_next(&random);
        pare_choices_replay(&walker.choices, list, n);
        pare_status status = run(&walker);
        assert_true(status == PARE_OK || status == PARE_E_STATE);
        if (!status) assert_true(is_balanced(walker.text.data));
        n_texts += !status;
    }
    assert_true(n_texts > SEEDS / 10);
    close_walker(&walker);
}

static void test_walk__stays_in_its_budget_of_calls(void **state)
{
    (void)state;
    for (uint32_t max_calls = 1; max_calls <= 4; max_calls++) {
        struct walker walker;
        size_t most = 0;
        open_walker(&walker, date_graph(),
                    (pare_walk_options){.max_calls = max_calls, .max_depth = 12});
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            size_t n = count_calls(make(&walker, seed));
            if (n > most) most = n;
        }
        assert_int_equal(most, max_calls);
        close_walker(&walker);
    }
}

static void test_walk__stays_in_its_budget_of_depth(void **state)
{
    (void)state;
    struct walker walker;
    open_walker(&walker, date_graph(), (pare_walk_options){.max_depth = 2});
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const char *text = make(&walker, seed);
        assert_null(strstr(text, "this.Date.prototype.setTime"));
        assert_true(is_balanced(text));
    }
    close_walker(&walker);
}

/* How many of the texts have this in them. */
static size_t count_texts(struct walker *walker, const char *word)
{
    size_t n = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        n += strstr(make(walker, seed), word) != NULL;
    return n;
}

static void test_walk__calls_methods_on_instances(void **state)
{
    (void)state;
    struct walker walker;
    open_walker(&walker, date_graph(), (pare_walk_options){0});
    assert_true(count_texts(&walker, ").setTime(") > SEEDS / 8);
    assert_true(count_texts(&walker, "this.Date.prototype.setTime") > SEEDS / 50);
    close_walker(&walker);
}

static void test_walk__passes_learned_values(void **state)
{
    (void)state;
    struct walker walker;
    pare_graph_builder *builder = date_builder();
    add_parameter(builder, GRAPH_NUMBER, 1, 0, "77001");
    open_walker(&walker, finish_graph(builder), (pare_walk_options){0});
    assert_true(count_texts(&walker, "77001") > SEEDS / 20);
    close_walker(&walker);
    /* One that is no literal is none of a test's, and what else the edge has is not used. */
    builder = date_builder();
    add_parameter(builder, GRAPH_NUMBER, 1, 0, "77001");
    add_parameter(builder, GRAPH_NUMBER, 1, 0, "1);quit(");
    open_walker(&walker, finish_graph(builder), (pare_walk_options){0});
    assert_int_equal(count_texts(&walker, "quit"), 0);
    assert_int_equal(count_texts(&walker, "77001"), 0);
    close_walker(&walker);
}

static void test_walk__keeps_values_and_uses_them(void **state)
{
    (void)state;
    struct walker walker;
    open_walker(&walker, date_graph(), (pare_walk_options){.keep_values = 1});
    assert_int_equal(count_texts(&walker, "try { var v0 = ("), SEEDS);
    assert_true(count_texts(&walker, "v0.setTime(") > SEEDS / 50);
    close_walker(&walker);
    open_walker(&walker, date_graph(), (pare_walk_options){0});
    assert_int_equal(count_texts(&walker, "var v"), 0);
    close_walker(&walker);
}

static void test_walk__cooldown_takes_functions_in_turn(void **state)
{
    (void)state;
    struct walker walker;
    size_t n_odd = 0;
    char first[4096];
    open_walker(&walker, date_graph(), (pare_walk_options){.cooldown = 0.001, .max_calls = 1});
    (void)strncpy(first, make(&walker, 5), sizeof first - 1);
    first[sizeof first - 1] = '\0';
    for (uint64_t seed = 0; seed < 50; seed++)
        n_odd += count(make(&walker, seed), "new (this.Date)(");
    /* Both functions have weights next to nothing, so each is begun with about half the time. */
    assert_in_range(n_odd, 15, 35);
    pare_walk_warm(walker.walk);
    assert_string_equal(make(&walker, 5), first);
    close_walker(&walker);
}

/* A graph in which one call, and the property by which its function is had, weigh more. */
static pare_graph *heavy_graph(uint32_t weight)
{
    pare_graph_builder *builder = date_builder();
    pare_graph_edge call = {.kind = PARE_GRAPH_CALL,
                            .from = GRAPH_SET_TIME,
                            .to = 1,
                            .name = "",
                            .values = "",
                            .weight = weight};
    assert_int_equal(pare_graph_builder_edge(builder, &call, NULL), PARE_OK);
    return finish_graph(builder);
}

static void test_walk__heavier_edges_are_taken_more_often(void **state)
{
    (void)state;
    struct walker plain, heavy;
    open_walker(&plain, heavy_graph(1), (pare_walk_options){.max_calls = 1});
    open_walker(&heavy, heavy_graph(20), (pare_walk_options){.max_calls = 1});
    size_t n_plain = count_texts(&plain, "setTime"), n_heavy = count_texts(&heavy, "setTime");
    assert_true(n_heavy > n_plain + SEEDS / 4);
    close_walker(&plain);
    close_walker(&heavy);
}

/* Weights say how often a choice is drawn, not what it means. */
static void test_walk__a_list_means_the_same_whatever_the_weights(void **state)
{
    (void)state;
    struct walker plain, heavy;
    uint64_t list[4096];
    open_walker(&plain, heavy_graph(1), (pare_walk_options){0});
    open_walker(&heavy, heavy_graph(20), (pare_walk_options){0});
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const char *text = make(&heavy, seed);
        size_t n = heavy.choices.record.n;
        assert_true(n < sizeof list / sizeof *list);
        for (size_t i = 0; i < n; i++)
            list[i] = heavy.choices.record.choices[i].index;
        pare_choices_replay(&plain.choices, list, n);
        assert_int_equal(run(&plain), PARE_OK);
        assert_string_equal(plain.text.data, text);
    }
    close_walker(&plain);
    close_walker(&heavy);
}

static void test_walk__marks_the_edges_that_it_takes(void **state)
{
    (void)state;
    struct walker walker;
    uint8_t taken[64];
    size_t n_called = 0;
    open_walker(&walker, date_graph(), (pare_walk_options){0});
    assert_true(pare_graph_n_edges(walker.graph) < sizeof taken);
    pare_walk_trace(walker.walk, taken);
    uint32_t n = 0;
    uint32_t call = *pare_graph_edges_from(walker.graph, PARE_GRAPH_CALL, GRAPH_SET_TIME, &n);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        memset(taken, 0, sizeof taken);
        const char *text = make(&walker, seed);
        if (taken[call]) assert_non_null(strstr(text, "setTime"));
        if (strstr(text, ").setTime(")) assert_true(taken[call]);
        n_called += taken[call];
    }
    assert_true(n_called > SEEDS / 8);
    pare_walk_trace(walker.walk, NULL);
    (void)make(&walker, 1);
    close_walker(&walker);
}

static void test_walk__an_expression_for_another_text_is_in_parentheses(void **state)
{
    (void)state;
    struct walker walker;
    open_walker(&walker, date_graph(), (pare_walk_options){.keep_values = 1});
    for (uint64_t seed = 0; seed < 100; seed++) {
        pare_choices_seed(&walker.choices, seed);
        pare_buffer_reset(&walker.text);
        assert_int_equal(pare_buffer_text(&walker.text, "x = ", NULL), PARE_OK);
        assert_int_equal(pare_walk_expression(walker.walk, &walker.choices, &walker.text, NULL),
                         PARE_OK);
        assert_memory_equal(walker.text.data, "x = (", 5);
        assert_int_equal(walker.text.data[walker.text.size - 1], ')');
        assert_null(strstr(walker.text.data, "var v"));
    }
    close_walker(&walker);
}

static void test_walk__a_graph_of_nothing_is_this(void **state)
{
    (void)state;
    struct walker walker;
    pare_graph_builder *builder = new_builder();
    pare_graph_builder_global(builder, 0);
    add_type(builder, PARE_GRAPH_OBJECT, "this", PARE_GRAPH_NONE);
    open_walker(&walker, finish_graph(builder), (pare_walk_options){0});
    for (uint64_t seed = 0; seed < 100; seed++)
        assert_memory_equal(strstr(make(&walker, seed), "this"), "this", 4);
    close_walker(&walker);
}

/* Graphs of anybody's: kinds, prototypes, receivers and parameters that no engine has.  Assertions
 * in the walk hold, and texts end. */
static void test_walk__any_graph_and_any_list_will_do(void **state)
{
    (void)state;
    uint64_t list[256];
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct walker walker;
        pare_random random;
        pare_random_init(&random, seed);
        uint32_t n_types = 1 + (uint32_t)pare_random_below(&random, 24);
        pare_graph *graph =
            random_graph(&random, n_types, 2 * n_types, (uint32_t)pare_random_below(&random, 20));
        open_walker(&walker, graph,
                    (pare_walk_options){.max_depth = 1 + (uint32_t)(seed % 9),
                                        .max_calls = 1 + (uint32_t)(seed % 5),
                                        .keep_values = 0.5});
        for (uint64_t k = 0; k < 20; k++) {
            assert_true(is_balanced(make(&walker, k)));
            for (size_t i = 0; i < 256; i++)
                list[i] = pare_random_below(&random, 40);
            pare_choices_replay(&walker.choices, list, 256);
            pare_status status = run(&walker);
            assert_true(status == PARE_OK || status == PARE_E_STATE);
        }
        close_walker(&walker);
    }
}

static pare_status attempt(void *context)
{
    pare_walk *walk = NULL;
    pare_choices choices = {0};
    pare_buffer text = {0};
    const pare_walk_options options = {.keep_values = 0.9, .cooldown = 0.5};
    pare_status status = pare_walk_new(context, &options, &walk, NULL);
    if (status) {
        assert_null(walk);
        return status;
    }
    pare_generator generator = pare_walk_generator(walk);
    pare_choices_seed(&choices, 12);
    status = generator.run(generator.self, &choices, &text, NULL);
    pare_choices_done(&choices);
    pare_buffer_done(&text);
    pare_walk_free(walk);
    return status;
}

static void test_walk__any_allocation_may_fail(void **state)
{
    (void)state;
    pare_graph *graph = date_graph();
    pare_type_costs costs;
    assert_int_equal(pare_type_costs_init(&costs, graph, NULL), PARE_OK);
    sweep_allocations(attempt, &costs);
    pare_type_costs_done(&costs);
    pare_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk__zeros_are_the_global_object),
        cmocka_unit_test(test_walk__replays_to_the_same_text),
        cmocka_unit_test(test_walk__is_the_same_recorded_or_not),
        cmocka_unit_test(test_walk__an_edited_list_is_a_text_or_ends_too_early),
        cmocka_unit_test(test_walk__stays_in_its_budget_of_calls),
        cmocka_unit_test(test_walk__stays_in_its_budget_of_depth),
        cmocka_unit_test(test_walk__calls_methods_on_instances),
        cmocka_unit_test(test_walk__passes_learned_values),
        cmocka_unit_test(test_walk__keeps_values_and_uses_them),
        cmocka_unit_test(test_walk__cooldown_takes_functions_in_turn),
        cmocka_unit_test(test_walk__heavier_edges_are_taken_more_often),
        cmocka_unit_test(test_walk__a_list_means_the_same_whatever_the_weights),
        cmocka_unit_test(test_walk__marks_the_edges_that_it_takes),
        cmocka_unit_test(test_walk__an_expression_for_another_text_is_in_parentheses),
        cmocka_unit_test(test_walk__a_graph_of_nothing_is_this),
        cmocka_unit_test(test_walk__any_graph_and_any_list_will_do),
        cmocka_unit_test(test_walk__any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
