/* Plans: from names to phases, and what is refused. */
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
#include "session/plan/plan.h"
#include "unit/alloc_sweep.h"

static pare_plan plan; /* too large for a stack that a sanitizer pads */

static void test_plan__named_algorithms_run_once_over_each_unit_in_turn(void **state)
{
    (void)state;
    assert_int_equal(pare_plan_make("ddmin,probdd", "line,char", &plan, NULL), PARE_OK);
    static const char *const expected[][2] = {
        {"ddmin", "line"}, {"ddmin", "char"}, {"probdd", "line"}, {"probdd", "char"}};
    assert_int_equal(plan.n_phases, 4);
    assert_false(plan.fixpoint);
    for (size_t i = 0; i < plan.n_phases; i++) {
        assert_string_equal(plan.phases[i].algorithm->info.name, expected[i][0]);
        assert_string_equal(pare_plan_unit(&plan.phases[i]), expected[i][1]);
    }
    assert_true(pare_plan_check(&plan));
    assert_false(pare_plan_has_trees(&plan));
}

static void test_plan__the_default_is_a_fixpoint_that_begins_with_coarse_phases(void **state)
{
    (void)state;
    assert_int_equal(pare_plan_make(NULL, NULL, &plan, NULL), PARE_OK);
    assert_true(plan.fixpoint);
    assert_true(plan.phases[0].coarse);
    assert_true(pare_plan_has_trees(&plan));
    assert_false(pare_plan_has_choices(&plan));
    assert_true(pare_plan_check(&plan));
}

static void test_plan__choices_take_the_file_as_bytes(void **state)
{
    (void)state;
    assert_int_equal(pare_plan_make("choices", NULL, &plan, NULL), PARE_OK);
    assert_int_equal(plan.n_phases, 1);
    assert_true(pare_plan_has_choices(&plan));
    assert_string_equal(pare_plan_unit(&plan.phases[0]), "byte");
}

static void test_plan__unknown_and_empty_names_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"ddmax", NULL}, {"", NULL}, {"ddmin,", NULL}, {"ddmin", "word"}, {"ddmin", "line,"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pare_error err = {0};
        assert_int_equal(pare_plan_make(wrong[i][0], wrong[i][1], &plan, &err), PARE_E_ARG);
        assert_true(err.message[0] != '\0');
    }
}

static void test_plan__more_phases_than_there_is_room_for_are_refused(void **state)
{
    (void)state;
    char many[6 * (PARE_PLAN_MAX_PHASES + 1)] = "ddmin";
    for (size_t i = 1; i <= PARE_PLAN_MAX_PHASES; i++)
        strcat(many, ",ddmin");
    assert_int_equal(pare_plan_make(many, "byte", &plan, NULL), PARE_E_ARG);
    many[6 * PARE_PLAN_MAX_PHASES - 1] = '\0'; /* one fewer */
    assert_int_equal(pare_plan_make(many, "byte", &plan, NULL), PARE_OK);
    assert_int_equal(plan.n_phases, PARE_PLAN_MAX_PHASES);
}

/* ---- Options without effect: each is named exactly where no algorithm of the plan looks at it. */

static pare_status tell(const pare_reduce_options *options, pare_buffer *sentence)
{
    pare_tree_setup setup;
    const pare_ignored_options_given given = {
        .units = options->units, .lists = &options->lists, .trees = &options->trees};
    pare_status status = pare_plan_make(options->algorithms, options->units, &plan, NULL);
    if (!status) status = pare_plan_read_setup(&options->lists, &options->trees, &setup, NULL);
    return status ? status : pare_plan_tell_ignored(&given, &plan, &setup, sentence, NULL);
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

static void test_plan__an_option_of_trees_is_named_where_nobody_looks_at_it(void **state)
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

static void test_plan__a_knob_is_named_where_no_list_algorithm_has_it(void **state)
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

static void test_plan__units_are_for_lists(void **state)
{
    (void)state;
    assert_told(&(pare_reduce_options){.algorithms = "hdd", .units = "line"},
                "--unit: without effect on the algorithms chosen");
    assert_told(&(pare_reduce_options){.algorithms = "hdd,ddmin", .units = "line"}, "");
}

static void test_plan__several_are_named_in_one_sentence(void **state)
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

static void test_plan__survives_each_allocation_failing(void **state)
{
    pare_reduce_options options = {
        .algorithms = "ddmin", .trees.language = "c", .trees.islands = some};
    (void)state;
    options.trees.n_islands = 1;
    sweep_allocations(tell_once, &options);
}

/* ---- Names in the options of tree algorithms: what they become, and what is refused. */

static const pare_list_knobs no_knobs = {.seed = 0};

static pare_status read_setup(const pare_tree_options *trees, pare_tree_setup *setup,
                              pare_error *err)
{
    return pare_plan_read_setup(&no_knobs, trees, setup, err);
}

static void test_plan__transformations_stand_in_the_order_of_their_names(void **state)
{
    (void)state;
    pare_tree_setup setup;
    const pare_tree_options trees = {.transforms = "squeeze,flatten"};
    assert_int_equal(read_setup(&trees, &setup, NULL), PARE_OK);
    assert_int_equal(setup.n_transforms, 2);
    assert_string_equal(setup.transforms[0]->name, "squeeze");
    assert_string_equal(setup.transforms[1]->name, "flatten");
}

static void test_plan__none_is_the_empty_list_and_stays_for_each_algorithm(void **state)
{
    (void)state;
    pare_tree_setup setup;
    const pare_tree_algorithm *hdd = pare_tree_algorithm_find("hdd");
    assert_int_equal(read_setup(&(pare_tree_options){.transforms = "none"}, &setup, NULL), PARE_OK);
    assert_int_equal(pare_plan_set_transforms(&setup, hdd, NULL), PARE_OK);
    assert_int_equal(setup.n_transforms, 0);
}

static void test_plan__without_names_each_algorithm_has_its_own(void **state)
{
    (void)state;
    pare_tree_setup setup;
    size_t n;
    const pare_tree_algorithm *algorithms = pare_tree_algorithms(&n);
    assert_int_equal(read_setup(&(pare_tree_options){.transforms = NULL}, &setup, NULL), PARE_OK);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(pare_plan_set_transforms(&setup, &algorithms[i], NULL), PARE_OK);
        size_t commas = 0;
        for (const char *at = algorithms[i].transforms; *at; at++)
            commas += *at == ',';
        const bool none = strcmp(algorithms[i].transforms, "none") == 0;
        assert_int_equal(setup.n_transforms, none ? 0 : commas + 1);
    }
}

static void test_plan__steps_of_a_phase_end_with_the_end(void **state)
{
    (void)state;
    pare_tree_setup setup;
    const char *const phases[] = {"prune,hoist", "delete"};
    const pare_tree_options trees = {.phases = phases, .n_phases = 2};
    assert_int_equal(read_setup(&trees, &setup, NULL), PARE_OK);
    assert_int_equal(setup.n_phases, 2);
    assert_int_not_equal(setup.phases[0].steps[1], setup.phases[1].steps[0]);
    assert_int_equal(setup.phases[1].steps[1], PARE_HDD_END);
}

static void test_plan__unknown_names_are_refused_and_named(void **state)
{
    (void)state;
    static const char *const wrong_phase[] = {"prune,eat"};
    static const struct {
        pare_tree_options trees;
        const char *named;
    } cases[] = {{{.transforms = "squash"}, "'squash'"},
                 {{.transforms = "flatten,"}, "''"},
                 {{.list = "halfs"}, "'halfs'"},
                 {{.phases = wrong_phase, .n_phases = 1}, "'eat'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_tree_setup setup;
        pare_error err = {0};
        assert_int_equal(read_setup(&cases[i].trees, &setup, &err), PARE_E_ARG);
        assert_non_null(strstr(err.message, cases[i].named));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan__named_algorithms_run_once_over_each_unit_in_turn),
        cmocka_unit_test(test_plan__the_default_is_a_fixpoint_that_begins_with_coarse_phases),
        cmocka_unit_test(test_plan__choices_take_the_file_as_bytes),
        cmocka_unit_test(test_plan__unknown_and_empty_names_are_refused),
        cmocka_unit_test(test_plan__more_phases_than_there_is_room_for_are_refused),
        cmocka_unit_test(test_plan__an_option_of_trees_is_named_where_nobody_looks_at_it),
        cmocka_unit_test(test_plan__a_knob_is_named_where_no_list_algorithm_has_it),
        cmocka_unit_test(test_plan__units_are_for_lists),
        cmocka_unit_test(test_plan__several_are_named_in_one_sentence),
        cmocka_unit_test(test_plan__survives_each_allocation_failing),
        cmocka_unit_test(test_plan__transformations_stand_in_the_order_of_their_names),
        cmocka_unit_test(test_plan__none_is_the_empty_list_and_stays_for_each_algorithm),
        cmocka_unit_test(test_plan__without_names_each_algorithm_has_its_own),
        cmocka_unit_test(test_plan__steps_of_a_phase_end_with_the_end),
        cmocka_unit_test(test_plan__unknown_names_are_refused_and_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
