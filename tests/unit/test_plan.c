/* Plans: from names to phases, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "session/plan/plan.h"

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
    for (size_t i = 0; i < plan.n_phases; i++)
        if (!plan.phases[i].coarse && !plan.phases[i].once)
            assert_true(plan.phases[i].promise > 0 && plan.phases[i].promise <= 1);
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

static void test_plan__words_are_cut_at_commas(void **state)
{
    (void)state;
    const char *list = "a,,bc";
    static const char *const words[] = {"a", "", "bc"};
    pare_word word;
    for (size_t i = 0; i < 3; i++) {
        assert_true(pare_plan_next_word(&list, &word));
        assert_true(pare_plan_word_is(word, words[i]));
        assert_false(pare_plan_word_is(word, "b"));
    }
    assert_false(pare_plan_next_word(&list, &word));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan__named_algorithms_run_once_over_each_unit_in_turn),
        cmocka_unit_test(test_plan__the_default_is_a_fixpoint_that_begins_with_coarse_phases),
        cmocka_unit_test(test_plan__choices_take_the_file_as_bytes),
        cmocka_unit_test(test_plan__unknown_and_empty_names_are_refused),
        cmocka_unit_test(test_plan__more_phases_than_there_is_room_for_are_refused),
        cmocka_unit_test(test_plan__words_are_cut_at_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
