/* What a phase has earned, and when it may run again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/plan/pass_reward.h"
#include "text/text.h"

/* A candidate that is all of `bytes`; the caller ends it. */
static void make_whole(pare_candidate *candidate, const char *bytes, size_t size)
{
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
    pare_candidate_start(candidate, text);
    assert_int_equal(pare_candidate_slice(candidate, 0, size, NULL), PARE_OK);
    pare_text_unref(text);
}

static void test_pass_reward__earlier_runs_count_for_half(void **state)
{
    (void)state;
    pare_pass_reward reward = {0};
    pare_pass_reward_add(&reward, 10, 100, 50);
    assert_true(reward.tests == 10 && reward.gained == 0.5);
    pare_pass_reward_add(&reward, 10, 50, 50);
    assert_true(reward.tests == 15 && reward.gained == 0.25);
}

static void test_pass_reward__a_text_that_grows_earns_nothing(void **state)
{
    (void)state;
    pare_pass_reward reward = {0};
    pare_pass_reward_add(&reward, 1, 10, 20);
    assert_true(reward.gained == 0);
}

static void test_pass_reward__sums_stay_bounded(void **state)
{
    (void)state;
    pare_pass_reward reward = {0};
    for (unsigned i = 0; i < 1000; i++)
        pare_pass_reward_add(&reward, 1, 100, 0);
    assert_true(pare_pass_reward_check(&reward));
    assert_true(reward.gained <= 2 && reward.tests <= 2);
}

/* Nothing was found with early stop, or to the end, in "ab": who may run again. */
static void test_pass_reward__nothing_found_sets_a_phase_aside_until_something_changes(void **state)
{
    (void)state;
    pare_candidate ab = {0}, cd = {0}, abc = {0};
    make_whole(&ab, "ab", 2);
    make_whole(&cd, "cd", 2);
    make_whole(&abc, "abc", 3);
    static const struct {
        bool whole;
        bool idle_early, idle_to_end, idle_sure;    /* over the same text */
        bool other_early, other_to_end, other_sure; /* over another of the same size */
    } cases[] = {{false, true, false, false, true, false, false},
                 {true, true, true, true, true, true, false}};
    for (size_t i = 0; i < 2; i++) {
        pare_pass_reward r = {0};
        pare_pass_reward_note_end(&r, false, cases[i].whole, 2, &ab);
        assert_int_equal(pare_pass_reward_is_idle(&r, 2, &ab, PARE_WITH_EARLY_STOP),
                         cases[i].idle_early);
        assert_int_equal(pare_pass_reward_is_idle(&r, 2, &ab, PARE_TO_THE_END),
                         cases[i].idle_to_end);
        assert_int_equal(pare_pass_reward_is_idle(&r, 2, &ab, PARE_TO_BE_SURE), cases[i].idle_sure);
        assert_int_equal(pare_pass_reward_is_idle(&r, 2, &cd, PARE_WITH_EARLY_STOP),
                         cases[i].other_early);
        assert_int_equal(pare_pass_reward_is_idle(&r, 2, &cd, PARE_TO_THE_END),
                         cases[i].other_to_end);
        assert_int_equal(pare_pass_reward_is_idle(&r, 2, &cd, PARE_TO_BE_SURE),
                         cases[i].other_sure);
        assert_false(pare_pass_reward_is_idle(&r, 3, &abc, PARE_WITH_EARLY_STOP));
        pare_pass_reward_note_end(&r, true, true, 2, &ab);
        assert_false(pare_pass_reward_is_idle(&r, 2, &ab, PARE_WITH_EARLY_STOP));
    }
    pare_candidate_done(&ab);
    pare_candidate_done(&cd);
    pare_candidate_done(&abc);
}

static void test_pass_reward__what_was_put_off_may_run_again(void **state)
{
    (void)state;
    pare_candidate ab = {0};
    pare_pass_reward reward = {0};
    make_whole(&ab, "ab", 2);
    pare_pass_reward_add(&reward, 5, 4, 2);
    pare_pass_reward_note_end(&reward, false, true, 2, &ab);
    pare_pass_reward_forget(&reward, false);
    assert_true(reward.gained == 0);
    assert_true(pare_pass_reward_is_idle(&reward, 2, &ab, PARE_TO_THE_END));
    pare_pass_reward_forget(&reward, true);
    assert_false(pare_pass_reward_is_idle(&reward, 2, &ab, PARE_TO_THE_END));
    pare_candidate_done(&ab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass_reward__earlier_runs_count_for_half),
        cmocka_unit_test(test_pass_reward__a_text_that_grows_earns_nothing),
        cmocka_unit_test(test_pass_reward__sums_stay_bounded),
        cmocka_unit_test(
            test_pass_reward__nothing_found_sets_a_phase_aside_until_something_changes),
        cmocka_unit_test(test_pass_reward__what_was_put_off_may_run_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
