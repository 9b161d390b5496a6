/* Names in the options of tree algorithms: what they become, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "session/plan/tree_setup.h"

static const pare_list_knobs no_knobs = {.seed = 0};

static pare_status read_setup(const pare_tree_options *trees, pare_tree_setup *setup,
                              pare_error *err)
{
    return pare_tree_setup_read(&no_knobs, trees, setup, err);
}

static void test_tree_setup__transformations_stand_in_the_order_of_their_names(void **state)
{
    (void)state;
    pare_tree_setup setup;
    const pare_tree_options trees = {.transforms = "squeeze,flatten"};
    assert_int_equal(read_setup(&trees, &setup, NULL), PARE_OK);
    assert_int_equal(setup.n_transforms, 2);
    assert_string_equal(setup.transforms[0]->name, "squeeze");
    assert_string_equal(setup.transforms[1]->name, "flatten");
}

static void test_tree_setup__none_is_the_empty_list_and_stays_for_each_algorithm(void **state)
{
    (void)state;
    pare_tree_setup setup;
    const pare_tree_algorithm *hdd = pare_tree_algorithm_find("hdd");
    assert_int_equal(read_setup(&(pare_tree_options){.transforms = "none"}, &setup, NULL), PARE_OK);
    assert_int_equal(pare_tree_setup_for(&setup, hdd, NULL), PARE_OK);
    assert_int_equal(setup.n_transforms, 0);
}

static void test_tree_setup__without_names_each_algorithm_has_its_own(void **state)
{
    (void)state;
    pare_tree_setup setup;
    size_t n;
    const pare_tree_algorithm *algorithms = pare_tree_algorithms(&n);
    assert_int_equal(read_setup(&(pare_tree_options){.transforms = NULL}, &setup, NULL), PARE_OK);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(pare_tree_setup_for(&setup, &algorithms[i], NULL), PARE_OK);
        size_t commas = 0;
        for (const char *at = algorithms[i].transforms; *at; at++)
            commas += *at == ',';
        const bool none = strcmp(algorithms[i].transforms, "none") == 0;
        assert_int_equal(setup.n_transforms, none ? 0 : commas + 1);
    }
}

static void test_tree_setup__steps_of_a_phase_end_with_the_end(void **state)
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

static void test_tree_setup__unknown_names_are_refused_and_named(void **state)
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
        cmocka_unit_test(test_tree_setup__transformations_stand_in_the_order_of_their_names),
        cmocka_unit_test(test_tree_setup__none_is_the_empty_list_and_stays_for_each_algorithm),
        cmocka_unit_test(test_tree_setup__without_names_each_algorithm_has_its_own),
        cmocka_unit_test(test_tree_setup__steps_of_a_phase_end_with_the_end),
        cmocka_unit_test(test_tree_setup__unknown_names_are_refused_and_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
