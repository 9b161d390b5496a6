/* Options without effect: each is named exactly where no algorithm of the plan looks at it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "reduce/list/algorithms.h"
#include "session/plan/ignored_options.h"
#include "session/plan/tree_setup.h"
#include "unit/alloc_sweep.h"

static pare_status tell(const pare_reduce_options *options, pare_buffer *sentence)
{
    static pare_plan plan; /* too large for a stack that a sanitizer pads */
    pare_tree_setup setup;
    const pare_ignored_options_given given = {
        .units = options->units, .lists = &options->lists, .trees = &options->trees};
    pare_status status = pare_plan_make(options->algorithms, options->units, &plan, NULL);
    if (!status) status = pare_tree_setup_read(&options->lists, &options->trees, &setup, NULL);
    return status ? status : pare_ignored_options_tell(&given, &plan, &setup, sentence, NULL);
}

static void assert_told(const pare_reduce_options *options, const char *expected)
{
    pare_buffer sentence = {0};
    assert_int_equal(tell(options, &sentence), PARE_OK);
    if (strcmp(sentence.size ? sentence.data : "", expected) != 0)
        fail_msg("%s: '%s', not '%s'", options->algorithms, sentence.size ? sentence.data : "",
                 expected);
    pare_buffer_done(&sentence);
}

static const char *const some[] = {"x"};
static const char *const step[] = {"prune"};

/* Options of trees, one at a time, and the algorithms that look at it. */
static const struct {
    const char *name;
    pare_reduce_options with;
    const char *users; /* between blanks */
} of_trees[] = {
    {"--lang", {.trees.language = "c"}, " hdd hddr coarse-hdd perses gtr grabr grabr-generative "},
    {"--grammar",
     {.trees = {.grammars = some, .n_grammars = 1}},
     " hdd hddr coarse-hdd perses gtr grabr grabr-generative "},
    {"--island", {.trees = {.islands = some, .n_islands = 1}}, " hdd hddr coarse-hdd perses gtr "},
    {"--transform",
     {.trees = {.transforms = "hide"}},
     " hdd hddr coarse-hdd perses gtr grabr grabr-generative "},
    {"--list-algorithm", {.trees = {.list = "sweep"}}, " hdd hddr coarse-hdd perses gtr "},
    {"--phase", {.trees = {.phases = step, .n_phases = 1}}, " hdd hddr "},
    {"--traversal", {.trees = {.traversal = PARE_TRAVERSAL_FIRST_FORWARD}}, " hddr "},
    {"--search", {.trees = {.search = PARE_SEARCH_ALL}}, " grabr grabr-generative "},
    {"--combinations",
     {.trees = {.combinations = PARE_COMBINATIONS_ALL}},
     " grabr grabr-generative "},
    {"--corpus", {.trees = {.corpus = some, .n_corpus = 1}}, " gtr "},
};

static void test_ignored_options__an_option_of_trees_is_named_where_nobody_looks_at_it(void **state)
{
    size_t n;
    const pare_tree_algorithm *algorithms = pare_tree_algorithms(&n);
    (void)state;
    for (size_t i = 0; i < sizeof of_trees / sizeof *of_trees; i++) {
        pare_reduce_options options = of_trees[i].with;
        char unused[128], word[64];
        (void)snprintf(unused, sizeof unused, "%s: without effect on the algorithms chosen",
                       of_trees[i].name);
        for (size_t k = 0; k < n; k++) {
            options.algorithms = algorithms[k].info.name;
            (void)snprintf(word, sizeof word, " %s ", options.algorithms);
            assert_told(&options, strstr(of_trees[i].users, word) ? "" : unused);
        }
        options.algorithms = "ddmin";
        assert_told(&options, unused);
        options.algorithms = "ddmin,hddr,gtr,grabr"; /* together they use all of them */
        assert_told(&options, "");
    }
}

static const struct {
    const char *name;
    unsigned flag;
    pare_list_knobs knobs;
} of_lists[] = {
    {"--subsets", PARE_KNOB_SUBSETS, {.subsets = PARE_SUBSETS_LAST}},
    {"--order", PARE_KNOB_ORDER, {.order = PARE_ORDER_BACKWARD}},
    {"--granularity", PARE_KNOB_GRANULARITY, {.granularity = 4}},
    {"--split", PARE_KNOB_SPLIT, {.split = PARE_SPLIT_BALANCED}},
    {"--seed", PARE_KNOB_SEED, {.seed = 3}},
};

static void test_ignored_options__a_knob_is_named_where_no_list_algorithm_has_it(void **state)
{
    size_t n;
    const pare_list_algorithm *const *algorithms = pare_list_algorithms(&n);
    (void)state;
    for (size_t i = 0; i < sizeof of_lists / sizeof *of_lists; i++) {
        char unused[128];
        (void)snprintf(unused, sizeof unused, "%s: without effect on the algorithms chosen",
                       of_lists[i].name);
        for (size_t k = 0; k < n; k++) {
            pare_reduce_options options = {.algorithms = algorithms[k]->info.name,
                                           .lists = of_lists[i].knobs};
            bool has = algorithms[k]->knobs & of_lists[i].flag;
            assert_told(&options, has ? "" : unused);
            options.algorithms = "hdd"; /* by the list algorithm that minimises its lists */
            options.trees.list = algorithms[k]->info.name;
            assert_told(&options, has ? "" : unused);
        }
    }
}

static void test_ignored_options__units_are_for_lists(void **state)
{
    (void)state;
    assert_told(&(pare_reduce_options){.algorithms = "hdd", .units = "line"},
                "--unit: without effect on the algorithms chosen");
    assert_told(&(pare_reduce_options){.algorithms = "hdd,ddmin", .units = "line"}, "");
}

static void test_ignored_options__several_are_named_in_one_sentence(void **state)
{
    pare_reduce_options options = {.algorithms = "perses",
                                   .units = "line",
                                   .trees = {.language = "c", .search = PARE_SEARCH_ALL},
                                   .lists = {.subsets = PARE_SUBSETS_LAST}};
    (void)state;
    assert_told(&options, "--unit, --search, --subsets: without effect on the algorithms chosen");
    assert_told(&(pare_reduce_options){.algorithms = "perses"}, "");
}

static pare_status tell_once(void *context)
{
    pare_buffer sentence = {0};
    pare_status status = tell(context, &sentence);
    pare_buffer_done(&sentence);
    return status;
}

static void test_ignored_options__survives_each_allocation_failing(void **state)
{
    pare_reduce_options options = {
        .algorithms = "ddmin", .trees.language = "c", .trees.islands = some};
    (void)state;
    options.trees.n_islands = 1;
    sweep_allocations(tell_once, &options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_ignored_options__an_option_of_trees_is_named_where_nobody_looks_at_it),
        cmocka_unit_test(test_ignored_options__a_knob_is_named_where_no_list_algorithm_has_it),
        cmocka_unit_test(test_ignored_options__units_are_for_lists),
        cmocka_unit_test(test_ignored_options__several_are_named_in_one_sentence),
        cmocka_unit_test(test_ignored_options__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
