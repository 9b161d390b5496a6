/* Sessions: what is counted, what is told, and how runs end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/reduce.h>

#include "alloc_sweep.h"
#include "session/session.h"

static pare_outcome has_x(void *context, const void *bytes, size_t size)
{
    (void)context;
    return size && memchr(bytes, 'x', size) ? PARE_FAIL : PARE_PASS;
}

/* What a watcher saw. */
struct seen {
    size_t n_start, n_end, n_tests, n_accepted;
    uint64_t next;     /* number of the next test */
    size_t best_bytes; /* last told */
    bool wrong;        /* a number was left out, or the best grew */
};

static void watch(void *context, const pare_event *event)
{
    struct seen *seen = context;
    seen->n_start += event->kind == PARE_EVENT_START;
    seen->n_end += event->kind == PARE_EVENT_END;
    if (event->best_bytes > event->input_bytes) seen->wrong = true;
    if (seen->n_start && seen->n_tests && event->best_bytes > seen->best_bytes) seen->wrong = true;
    seen->best_bytes = event->best_bytes;
    if (event->kind != PARE_EVENT_TEST) return;
    if (event->n != seen->next++) seen->wrong = true;
    if (event->accepted && event->best_bytes != event->size_bytes) seen->wrong = true;
    seen->n_tests++;
    seen->n_accepted += event->accepted;
}

static const char INPUT[] = "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbxcccccccccccccccdddddddddddddddd";

static pare_reduce_options options_of(struct seen *seen)
{
    return (pare_reduce_options){.input.bytes = INPUT,
                                 .input.size_bytes = sizeof INPUT - 1,
                                 .test.predicate = has_x,
                                 .algorithms = "ddmin",
                                 .units = "char",
                                 .events.watcher = seen ? watch : NULL,
                                 .events.context = seen};
}

static void test_session__events_come_in_order_and_carry_the_state_of_the_run(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
        struct seen seen = {.n_start = 0};
        pare_reduce_options options = options_of(&seen);
        pare_result result = {0};
        options.limits.jobs = jobs;
        assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
        assert_false(seen.wrong);
        assert_int_equal(seen.n_start, 1);
        assert_int_equal(seen.n_end, 1);
        assert_int_equal(seen.best_bytes, result.size_bytes);
        assert_int_equal(result.size_bytes, 1);
        assert_int_equal(seen.n_accepted, result.stats.n_curve);
        pare_result_done(&result);
    }
}

static void test_session__statistics_add_up(void **state)
{
    (void)state;
    struct seen seen = {.n_start = 0};
    const pare_reduce_options options = options_of(&seen);
    pare_result result = {0};
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
    const pare_stats *stats = &result.stats;
    uint64_t tests = 0, successes = 0;
    size_t removed = 0;
    for (size_t k = 0; k < stats->n_passes; k++) {
        tests += stats->passes[k].tests;
        successes += stats->passes[k].successes;
        removed += stats->passes[k].bytes_removed;
    }
    assert_int_equal(removed, stats->bytes_in - stats->bytes_out);
    assert_int_equal(successes, stats->n_curve);
    assert_int_equal(stats->outcome_fail + stats->outcome_pass + stats->outcome_unresolved,
                     seen.n_tests);
    assert_true(stats->curve[stats->n_curve - 1].tests <= tests);
    assert_int_equal(stats->stopped, PARE_STOPPED_MINIMAL);
    assert_int_equal(stats->minimal, PARE_MINIMAL_ONE);
    pare_result_done(&result);
}

static void test_session__a_spent_budget_and_a_reached_target_have_a_result(void **state)
{
    (void)state;
    pare_reduce_options options = options_of(NULL);
    pare_result result = {0};
    options.limits.max_tests = 3;
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
    assert_int_equal(result.stats.stopped, PARE_STOPPED_BUDGET);
    assert_int_equal(result.stats.minimal, PARE_MINIMAL_NONE);
    assert_int_equal(has_x(NULL, result.bytes, result.size_bytes), PARE_FAIL);
    pare_result_done(&result);
    options.limits.max_tests = 0;
    options.limits.use_target = true;
    options.limits.target_size_bytes = 20;
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
    assert_int_equal(result.stats.stopped, PARE_STOPPED_TARGET);
    assert_true(result.size_bytes <= 20);
    pare_result_done(&result);
}

static void test_session__an_end_is_passed_on_unless_it_means_nothing_for_the_run(void **state)
{
    (void)state;
    pare_session session = {.phase = ""};
    assert_int_equal(pare_session_end(&session, PARE_END_DONE), PARE_OK);
    assert_int_equal(pare_session_stopped(&session), PARE_STOPPED_MINIMAL);
    assert_int_equal(pare_session_end(&session, PARE_END_BUDGET), PARE_RUN_ENDED);
    assert_int_equal(pare_session_stopped(&session), PARE_STOPPED_BUDGET);
    assert_int_equal(pare_session_go_on(&session, PARE_RUN_ENDED), PARE_OK);
    assert_int_equal(session.end, PARE_END_DONE);
    assert_int_equal(pare_session_go_on(&session, PARE_E_IO), PARE_E_IO);
    assert_int_equal(pare_session_end(&session, PARE_END_INTERRUPTED), PARE_RUN_ENDED);
    assert_int_equal(pare_session_go_on(&session, PARE_RUN_ENDED), PARE_RUN_ENDED);
    assert_int_equal(pare_session_stopped(&session), PARE_STOPPED_INTERRUPTED);
    assert_int_equal(pare_run_error(PARE_RUN_ENDED), PARE_OK);
    assert_int_equal(pare_run_error(PARE_E_NOMEM), PARE_E_NOMEM);
}

static void test_session__the_deadline_counts_from_the_opening(void **state)
{
    (void)state;
    pare_reduce_options options = {.limits.max_time_ms = 0};
    const pare_session session = {.options = &options, .start_ms = 1000};
    assert_int_equal(pare_session_deadline_ms(&session), 0);
    options.limits.max_time_ms = 250;
    assert_int_equal(pare_session_deadline_ms(&session), 1250);
}

/* Skips, pauses and stops at certain tests, and notes which phase each test was in. */
struct steered {
    pare_stop *stop;
    uint64_t skip_at, pause_at, stop_at; /* numbers of tests; 0: never */
    unsigned n_ticks;
    char phases[4096]; /* a letter for each test: the first of its phase's unit */
    bool started_in_pause;
};

static void steer(void *context, const pare_event *event)
{
    struct steered *self = context;
    if (event->kind == PARE_EVENT_PROGRESS && self->n_ticks) {
        pare_slot_event slot;
        self->started_in_pause |= pare_event_slot(event, 0, &slot);
        if (++self->n_ticks == 3) pare_stop_pause(self->stop, PARE_GO_ON);
    }
    if (event->kind != PARE_EVENT_TEST) return;
    const char *unit = strchr(event->phase, '/');
    assert_true(event->n + 1 < sizeof self->phases);
    self->phases[event->n] = unit ? unit[1] : '-';
    if (event->n && event->n == self->skip_at) pare_stop_skip_phase(self->stop);
    if (event->n && event->n == self->stop_at) pare_stop_request(self->stop);
    if (event->n && event->n == self->pause_at) {
        pare_stop_pause(self->stop, PARE_PAUSE);
        self->n_ticks = 1;
    }
}

static pare_result run_steered(struct steered *steered, const char *journal)
{
    pare_reduce_options options = options_of(NULL);
    pare_result result = {0};
    options.units = "token,char";
    options.output.journal_dir = journal;
    assert_int_equal(pare_stop_new(&steered->stop, NULL), PARE_OK);
    options.events =
        (pare_event_options){.watcher = steer, .context = steered, .stop = steered->stop};
    options.input.bytes = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
    options.input.size_bytes = 51;
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
    pare_stop_free(steered->stop);
    return result;
}

static void test_session__a_skipped_phase_is_left_there_and_nothing_is_claimed(void **state)
{
    (void)state;
    struct steered steered = {.skip_at = 6};
    pare_result result = run_steered(&steered, NULL);
    assert_int_equal(steered.phases[6], 't');
    assert_int_equal(steered.phases[7], 'c');
    assert_int_equal(result.size_bytes, 1);
    assert_int_equal(result.stats.stopped, PARE_STOPPED_EFFORT);
    assert_int_equal(result.stats.minimal, PARE_MINIMAL_NONE);
    pare_result_done(&result);
}

static void test_session__a_run_that_goes_on_skips_at_the_same_test(void **state)
{
    (void)state;
    struct steered first = {.skip_at = 6, .stop_at = 9}, second = {.skip_at = 0};
    pare_result result = run_steered(&first, "skipped");
    assert_int_equal(result.stats.stopped, PARE_STOPPED_INTERRUPTED);
    pare_result_done(&result);
    result = run_steered(&second, "skipped");
    assert_int_equal(second.phases[6], 't');
    assert_int_equal(second.phases[7], 'c');
    assert_int_equal(result.stats.stopped, PARE_STOPPED_EFFORT);
    pare_result_done(&result);
}

static void test_session__no_test_is_started_in_a_pause(void **state)
{
    (void)state;
    struct steered steered = {.pause_at = 4};
    pare_result result = run_steered(&steered, NULL);
    assert_int_equal(steered.n_ticks >= 3, 1);
    assert_false(steered.started_in_pause);
    assert_int_equal(result.size_bytes, 1);
    assert_int_equal(result.stats.stopped, PARE_STOPPED_MINIMAL);
    pare_result_done(&result);
}

static pare_status reduce_once(void *context)
{
    (void)context;
    struct seen seen = {.n_start = 0};
    const pare_reduce_options options = options_of(&seen);
    pare_result result = {0};
    pare_status status = pare_reduce(&options, &result, NULL);
    pare_result_done(&result);
    return status;
}

static void test_session__survives_each_allocation_failing(void **state)
{
    (void)state;
    sweep_allocations(reduce_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session__events_come_in_order_and_carry_the_state_of_the_run),
        cmocka_unit_test(test_session__statistics_add_up),
        cmocka_unit_test(test_session__a_spent_budget_and_a_reached_target_have_a_result),
        cmocka_unit_test(test_session__an_end_is_passed_on_unless_it_means_nothing_for_the_run),
        cmocka_unit_test(test_session__the_deadline_counts_from_the_opening),
        cmocka_unit_test(test_session__a_skipped_phase_is_left_there_and_nothing_is_claimed),
        cmocka_unit_test(test_session__a_run_that_goes_on_skips_at_the_same_test),
        cmocka_unit_test(test_session__no_test_is_started_in_a_pause),
        cmocka_unit_test(test_session__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
