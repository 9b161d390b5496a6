/* The process oracle where this process, or the whole machine, stands still for longer than
 * a test may take: at every look at the clock in turn, no test is called a time-out for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "os/clock.h"
#include "run/process.h"
#include "unit/support/scratch.h"

enum { N_SLOTS = 4, LIMIT_MS = 2000, STALL_MS = 10000, MOST_LOOKS = 400 };

static const char *const input_names[] = {"in.txt"};
static const pare_names INPUT = {.items = input_names, .n = 1};
static const char BYTES[] = "candidate\n";

struct stalls {
    pare_command command;
    pare_oracle *oracle;
    pare_candidate candidate;
    pare_text *text;
};

static void set_up(struct stalls *stalls, const char *command)
{
    pare_error err = {0};
    *stalls = (struct stalls){.oracle = NULL};
    if (pare_command_init(&stalls->command, command, INPUT, &err)) fail_msg("%s", err.message);
    const pare_process_options options = {.command = &stalls->command,
                                          .base_name = "in.txt",
                                          .n_slots = N_SLOTS,
                                          .timeout_ms = LIMIT_MS,
                                          .runner = PARE_RUNNER_SPAWN};
    if (pare_process_new(&options, &stalls->oracle, &err)) fail_msg("%s", err.message);
    assert_int_equal(pare_text_copy(BYTES, sizeof BYTES - 1, &stalls->text, NULL), PARE_OK);
    pare_candidate_start(&stalls->candidate, stalls->text);
    assert_int_equal(pare_candidate_slice(&stalls->candidate, 0, sizeof BYTES - 1, NULL), PARE_OK);
}

static void tear_down(struct stalls *stalls)
{
    pare_oracle_free(stalls->oracle);
    pare_candidate_done(&stalls->candidate);
    pare_text_unref(stalls->text);
    pare_command_done(&stalls->command);
}

/* Runs a test in each slot, as the engine would, and hears them all: how many were said to
 * have taken too long. */
static unsigned n_timed_out(struct stalls *stalls)
{
    unsigned n = 0;
    pare_error err = {0};
    for (unsigned k = 0; k < N_SLOTS; k++)
        if (stalls->oracle->ops->start(stalls->oracle, k, &stalls->candidate, &err))
            fail_msg("%s", err.message);
    for (unsigned k = 0; k < N_SLOTS; k++) {
        pare_wait what = PARE_WAIT_TIMEOUT;
        pare_verdict verdict = {0};
        while (what == PARE_WAIT_TIMEOUT)
            if (stalls->oracle->ops->wait(stalls->oracle, 500, &what, &verdict, &err))
                fail_msg("%s", err.message);
        assert_int_equal(what, PARE_WAIT_VERDICT);
        n += verdict.timed_out;
    }
    return n;
}

/* A stall at each look at the clock in turn, until a round has fewer looks. */
static void stall_everywhere(const char *command, unsigned asleep_ms)
{
    struct stalls stalls;
    set_up(&stalls, command);
    size_t n = 0;
    for (bool stalled = true; stalled && n < MOST_LOOKS; n++) {
        pare_clock_stall_after(n, asleep_ms, STALL_MS);
        const unsigned timed_out = n_timed_out(&stalls);
        stalled = pare_clock_stalled();
        if (timed_out) fail_msg("a stall at look %zu: %u time-outs", n, timed_out);
    }
    assert_in_range(n, 10, MOST_LOOKS - 1);
    pare_clock_stall_after(SIZE_MAX, 0, 0);
    tear_down(&stalls);
}

static void test_process_stalls__of_this_process_alone(void **state)
{
    (void)state;
    stall_everywhere("echo heard >&2;", 20); /* the tests end meanwhile */
}

static void test_process_stalls__of_the_whole_machine(void **state)
{
    (void)state;
    stall_everywhere("echo heard >&2; sleep 0.02; echo heard;", 0);
}

static void test_process_stalls__are_no_time_for_a_test_that_hangs(void **state)
{
    (void)state;
    struct stalls stalls;
    set_up(&stalls, "exec sleep 600;");
    pare_clock_stall_after(SIZE_MAX, 0, 0);
    pare_clock_stall_after(30, 0, STALL_MS);
    assert_int_equal(n_timed_out(&stalls), N_SLOTS);
    pare_clock_stall_after(SIZE_MAX, 0, 0);
    tear_down(&stalls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_process_stalls__of_this_process_alone),
        cmocka_unit_test(test_process_stalls__of_the_whole_machine),
        cmocka_unit_test(test_process_stalls__are_no_time_for_a_test_that_hangs),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
