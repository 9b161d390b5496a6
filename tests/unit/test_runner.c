/* The choice of a launcher: by the times and endings that it is given, none of them measured. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/runner.h"

/* Told apart by their addresses only. */
static pare_launcher processes, servers;

static pare_runner_state new_runner(bool shares_state)
{
    return (pare_runner_state){.asked = PARE_RUNNER_AUTO,
                               .other = shares_state ? PARE_RUNNER_AFL : PARE_RUNNER_PRELOAD,
                               .spawn = &processes,
                               .fast = &servers,
                               .shares_state = shares_state};
}

/* Gives one pair of times; both runs ended alike.  True while it goes on measuring. */
static bool give(pare_runner_state *runner, double spawn_ms, double fast_ms)
{
    const pare_runner_run first = {.ms = spawn_ms}, second = {.ms = fast_ms};
    if (!pare_runner_wants_sample(runner, &first)) return false;
    pare_runner_sample(runner, &first, &second);
    return !runner->settled;
}

static void test_runner__is_chosen_by_the_times_of_all_pairs_but_the_first(void **state)
{
    (void)state;
    static const struct {
        double spawn_ms[2], fast_ms[2]; /* of the first pair, of each later one */
        pare_runner chosen;
        const char *reason_part;
    } cases[] = {
        {{3, 3}, {1, 1}, PARE_RUNNER_PRELOAD, "1.00 ms a test instead of 3.00"},
        {{3, 3}, {900, 1}, PARE_RUNNER_PRELOAD, "1.00 ms a test instead of 3.00"},
        {{3, 10}, {1, 8.5}, PARE_RUNNER_PRELOAD, "8.50 ms a test instead of 10.00"},
        {{3, 10}, {1, 9.5}, PARE_RUNNER_SPAWN, "not faster"},
        {{3, 1}, {1, 1}, PARE_RUNNER_SPAWN, "not faster"},
        {{1, 1}, {1, 5}, PARE_RUNNER_SPAWN, "not faster"},
        {{900, 1}, {1, 5}, PARE_RUNNER_SPAWN, "its start does not matter"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_runner_state runner = new_runner(false);
        unsigned n = 0;
        do
            assert_int_equal(pare_runner_chosen(&runner), PARE_RUNNER_SPAWN);
        while (give(&runner, cases[k].spawn_ms[n > 0], cases[k].fast_ms[n > 0]) && ++n < 100);
        assert_true(n < PARE_RUNNER_SAMPLES);
        assert_int_equal(pare_runner_chosen(&runner), cases[k].chosen);
        if (!strstr(runner.reason, cases[k].reason_part)) fail_msg("%s", runner.reason);
        bool is_spawned = cases[k].chosen == PARE_RUNNER_SPAWN;
        assert_ptr_equal(pare_runner_next(&runner), is_spawned ? &processes : &servers);
    }
}

static void test_runner__a_single_slow_test_ends_the_measuring_of_fork_servers_only(void **state)
{
    (void)state;
    const pare_runner_run quick = {.ms = PARE_RUNNER_SLOW_MS - 1}, slow = {.ms = 5000};
    pare_runner_state forks = new_runner(false), shares = new_runner(true);
    assert_true(pare_runner_wants_sample(&forks, &quick));
    assert_false(forks.settled);
    assert_false(pare_runner_wants_sample(&forks, &slow));
    assert_true(forks.settled);
    assert_string_equal(forks.reason, "a test takes so long that its start does not matter");
    assert_true(pare_runner_wants_sample(&shares, &slow));
    assert_false(shares.settled);
}

static void test_runner__a_test_that_timed_out_is_no_sample(void **state)
{
    (void)state;
    const pare_runner_run first = {.ms = 1, .timed_out = true};
    pare_runner_state runner = new_runner(false);
    assert_false(pare_runner_wants_sample(&runner, &first));
    assert_false(runner.settled);
}

static void test_runner__one_pair_that_ends_differently_settles_for_processes(void **state)
{
    (void)state;
    static const pare_runner_run first = {.ms = 3};
    static const pare_runner_run others[] = {
        {.ms = 1, .ending = {.exit_code = 1}}, {.ms = 1, .ending = {.signal = SIGSEGV}},
        {.ms = 1, .ending = {.lost = true}},   {.ms = 1, .timed_out = true},
        {.ms = 1, .judged = {.low = 1}},
    };
    for (size_t k = 0; k < 2 * (sizeof others / sizeof *others); k++) {
        pare_runner_state runner = new_runner(k % 2);
        assert_true(give(&runner, 3, 1));
        assert_true(pare_runner_wants_sample(&runner, &first));
        pare_runner_sample(&runner, &first, &others[k / 2]);
        assert_int_equal(pare_runner_chosen(&runner), PARE_RUNNER_SPAWN);
        assert_non_null(strstr(runner.reason, k % 2 ? "otherwise in a shared process"
                                                    : "otherwise in a fork server"));
        assert_false(pare_runner_wants_sample(&runner, &first));
    }
}

static void test_runner__a_refusal_is_an_error_only_where_the_launcher_was_asked_for(void **state)
{
    (void)state;
    static const pare_error refusal = {.status = PARE_E_UNSUPPORTED, .message = "it is a script"};
    static const struct {
        pare_runner asked;
        pare_status status, expected;
    } cases[] = {
        {PARE_RUNNER_AUTO, PARE_E_UNSUPPORTED, PARE_OK},
        {PARE_RUNNER_AUTO, PARE_E_STATE, PARE_OK},
        {PARE_RUNNER_AUTO, PARE_E_NOMEM, PARE_E_NOMEM},
        {PARE_RUNNER_PRELOAD, PARE_E_UNSUPPORTED, PARE_E_UNSUPPORTED},
        /* Servers that somebody kills are given up even where they were asked for. */
        {PARE_RUNNER_AUTO, PARE_E_LIMIT, PARE_OK},
        {PARE_RUNNER_PRELOAD, PARE_E_LIMIT, PARE_OK},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_runner_state runner = new_runner(false);
        runner.asked = cases[k].asked;
        assert_int_equal(pare_runner_give_up(&runner, cases[k].status, &refusal),
                         cases[k].expected);
        assert_int_equal(runner.settled, !cases[k].expected);
        if (runner.settled) assert_string_equal(runner.reason, "it is a script");
        if (runner.settled) assert_int_equal(pare_runner_chosen(&runner), PARE_RUNNER_SPAWN);
    }
}

static void test_runner__servers_are_given_up_when_they_die_again_and_again(void **state)
{
    (void)state;
    pare_runner_state runner = new_runner(false);
    while (give(&runner, 3, 1))
        continue;
    assert_int_equal(pare_runner_chosen(&runner), PARE_RUNNER_PRELOAD);
    for (unsigned k = 0; k < 10 * PARE_RUNNER_LOSSES; k++)
        pare_runner_note(&runner, k % PARE_RUNNER_LOSSES != 0); /* never so many in a row */
    assert_int_equal(pare_runner_chosen(&runner), PARE_RUNNER_PRELOAD);
    pare_runner_note(&runner, false);
    for (unsigned k = 0; k < PARE_RUNNER_LOSSES; k++)
        pare_runner_note(&runner, true);
    assert_int_equal(pare_runner_chosen(&runner), PARE_RUNNER_SPAWN);
    assert_string_equal(runner.reason, "the fork servers died again and again");
}

static void test_runner__a_failure_that_only_a_process_shows_settles_for_processes(void **state)
{
    (void)state;
    pare_runner_state runner = new_runner(true);
    while (give(&runner, 3, 1))
        continue;
    assert_true(pare_runner_must_confirm(&runner, &servers));
    assert_false(pare_runner_must_confirm(&runner, &processes));
    pare_runner_compare_first(&runner, PARE_FAIL, PARE_FAIL);
    pare_runner_compare_first(&runner, PARE_FAIL, PARE_PASS); /* seen in a process too, later */
    assert_int_equal(pare_runner_chosen(&runner), PARE_RUNNER_AFL);
    pare_runner_compare_first(&runner, PARE_PASS, PARE_FAIL);
    assert_int_equal(pare_runner_chosen(&runner), PARE_RUNNER_SPAWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runner__is_chosen_by_the_times_of_all_pairs_but_the_first),
        cmocka_unit_test(test_runner__a_single_slow_test_ends_the_measuring_of_fork_servers_only),
        cmocka_unit_test(test_runner__a_test_that_timed_out_is_no_sample),
        cmocka_unit_test(test_runner__one_pair_that_ends_differently_settles_for_processes),
        cmocka_unit_test(test_runner__a_refusal_is_an_error_only_where_the_launcher_was_asked_for),
        cmocka_unit_test(test_runner__servers_are_given_up_when_they_die_again_and_again),
        cmocka_unit_test(test_runner__a_failure_that_only_a_process_shows_settles_for_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
