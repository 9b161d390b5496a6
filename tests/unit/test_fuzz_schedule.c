/* The schedule: shares by weight and by what was earned, limits, and when it is over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/campaign_file.h"
#include "campaign/fuzz_schedule.h"

#include "alloc_sweep.h"

static pare_campaign *campaign_of(const char *text)
{
    pare_error err = {0};
    pare_campaign *campaign = NULL;
    if (pare_campaign_read_text(text, "/tmp/none.pare.db", &campaign, &err))
        fail_msg("%s", err.message);
    return campaign;
}

#define TARGET "[target t]\ncommand = /bin/true\n"

/* Has `n` jobs of a second each done one after the other; counts those of each pair. */
static void run_jobs(pare_fuzz_schedule *schedule, size_t n, const double *findings, size_t *counts)
{
    for (size_t i = 0; i < n; i++) {
        size_t next = pare_fuzz_schedule_next(schedule, 1);
        assert_true(next < schedule->n_pairs);
        pare_fuzz_schedule_start(schedule, next);
        const pare_fuzz_schedule_result result = {.slot_s = 1,
                                                  .findings = findings ? findings[next] : 0};
        pare_fuzz_schedule_end(schedule, next, &result);
        counts[next]++;
    }
}

static void test_fuzz_schedule__turns_follow_weights(void **state)
{
    (void)state;
    size_t counts[3] = {0};
    pare_fuzz_schedule schedule = {0};
    pare_campaign *campaign = campaign_of(TARGET "[source a]\nkind = random\n"
                                                 "[source b]\nkind = random\nweight = 3\n"
                                                 "[source c]\nkind = random\nweight = 0\n");
    assert_int_equal(pare_fuzz_schedule_init(&schedule, campaign, 2, NULL), PARE_OK);
    run_jobs(&schedule, 400, NULL, counts);
    assert_in_range(counts[0], 98, 102);
    assert_in_range(counts[1], 298, 302);
    assert_int_equal(counts[2], 0);
    pare_fuzz_schedule_done(&schedule);
    pare_campaign_free(campaign);
}

static void test_fuzz_schedule__what_earns_gets_more_and_nobody_starves(void **state)
{
    (void)state;
    size_t counts[2] = {0};
    const double findings[2] = {0, 0.5};
    pare_fuzz_schedule schedule = {0};
    pare_campaign *campaign =
        campaign_of(TARGET "[source a]\nkind = random\n[source b]\nkind = random\n");
    assert_int_equal(pare_fuzz_schedule_init(&schedule, campaign, 2, NULL), PARE_OK);
    run_jobs(&schedule, 500, findings, counts);
    assert_in_range(counts[0], 20, 90);
    assert_int_equal(counts[0] + counts[1], 500);
    pare_fuzz_schedule_done(&schedule);
    pare_campaign_free(campaign);
}

/* One finds much at first, the other one later. */
static void test_fuzz_schedule__turns_follow_what_is_earned_lately(void **state)
{
    (void)state;
    size_t early[2] = {0}, late[2] = {0};
    const double first[2] = {1, 0.1}, second[2] = {0, 0.1};
    pare_fuzz_schedule schedule = {0};
    pare_campaign *campaign =
        campaign_of(TARGET "[source a]\nkind = random\n[source b]\nkind = random\n");
    assert_int_equal(pare_fuzz_schedule_init(&schedule, campaign, 1, NULL), PARE_OK);
    run_jobs(&schedule, 1000, first, early);
    assert_true(early[0] > 3 * early[1]);
    /* What was earned long ago counts less with each job. */
    size_t between[2] = {0};
    run_jobs(&schedule, 2000, second, between);
    run_jobs(&schedule, 1000, second, late);
    assert_true(late[1] > 3 * late[0] && late[0] > 0);
    pare_fuzz_schedule_done(&schedule);
    pare_campaign_free(campaign);
}

/* Seconds of slots that others get before another fuzzer has its first job. */
static unsigned first_turn(const char *sources, double edges)
{
    unsigned n = 0;
    pare_fuzz_schedule schedule = {0};
    pare_campaign *campaign = campaign_of(sources);
    assert_int_equal(pare_fuzz_schedule_init(&schedule, campaign, 1, NULL), PARE_OK);
    for (size_t next; (next = pare_fuzz_schedule_next(&schedule, 1)) == 0; n++) {
        pare_fuzz_schedule_start(&schedule, next);
        pare_fuzz_schedule_end(&schedule, next,
                               &(pare_fuzz_schedule_result){.slot_s = 1, .edges = edges});
    }
    pare_fuzz_schedule_done(&schedule);
    pare_campaign_free(campaign);
    return n;
}

static void test_fuzz_schedule__another_fuzzer_waits_while_much_is_found_without_it(void **state)
{
    (void)state;
    static const char both[] = TARGET "[source a]\nkind = random\n[source b]\nkind = afl\n";
    assert_in_range(first_turn(both, 10), 30, 60);
    assert_in_range(first_turn(both, 0), 1, 10);
}

static void test_fuzz_schedule__pairs_are_those_that_are_named(void **state)
{
    (void)state;
    pare_fuzz_schedule schedule = {0};
    pare_campaign *campaign = campaign_of(TARGET "[target u]\ncommand = /bin/true\ncost = 9\n"
                                                 "[source a]\nkind = random\ntargets = u\n"
                                                 "[source b]\nkind = random\ninstances = 2\n");
    assert_int_equal(pare_fuzz_schedule_init(&schedule, campaign, 2, NULL), PARE_OK);
    assert_int_equal(schedule.n_pairs, 3);
    assert_string_equal(schedule.pairs[0].target, "u");
    assert_int_equal(schedule.pairs[0].cost, 2); /* all that there are */
    assert_string_equal(schedule.pairs[1].target, "t");
    assert_int_equal(schedule.pairs[1].instances, 2);
    /* One that is too large for the room is not passed by smaller ones for ever. */
    assert_true(pare_fuzz_schedule_next(&schedule, 1) == SIZE_MAX);
    assert_int_equal(pare_fuzz_schedule_next(&schedule, 2), 0);
    pare_fuzz_schedule_start(&schedule, 0);
    assert_int_equal(pare_fuzz_schedule_next(&schedule, 1), 1);
    pare_fuzz_schedule_done(&schedule);
    pare_campaign_free(campaign);
}

static void test_fuzz_schedule__dry_and_failing_pairs_are_over(void **state)
{
    (void)state;
    pare_fuzz_schedule schedule = {0};
    pare_campaign *campaign =
        campaign_of(TARGET "[source a]\nkind = random\n[source b]\nkind = random\n");
    assert_int_equal(pare_fuzz_schedule_init(&schedule, campaign, 2, NULL), PARE_OK);
    pare_fuzz_schedule_start(&schedule, 0);
    pare_fuzz_schedule_end(&schedule, 0, &(pare_fuzz_schedule_result){.slot_s = 1, .dry = true});
    assert_int_equal(schedule.pairs[0].state, PARE_PAIR_DRY);
    assert_true(pare_fuzz_schedule_is_alive(&schedule));
    /* A failure of what has worked is forgiven twice. */
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pare_fuzz_schedule_next(&schedule, 2), 1);
        pare_fuzz_schedule_start(&schedule, 1);
        pare_fuzz_schedule_end(&schedule, 1,
                               &(pare_fuzz_schedule_result){.slot_s = 1, .failed = i > 0});
    }
    assert_int_equal(schedule.pairs[1].state, PARE_PAIR_GIVEN_UP);
    assert_false(pare_fuzz_schedule_is_alive(&schedule));
    assert_true(pare_fuzz_schedule_next(&schedule, 2) == SIZE_MAX);
    pare_fuzz_schedule_done(&schedule);
    pare_campaign_free(campaign);
}

static void test_fuzz_schedule__a_first_failure_is_the_last(void **state)
{
    (void)state;
    pare_fuzz_schedule schedule = {0};
    pare_campaign *campaign = campaign_of(TARGET "[source a]\nkind = random\n");
    assert_int_equal(pare_fuzz_schedule_init(&schedule, campaign, 2, NULL), PARE_OK);
    pare_fuzz_schedule_start(&schedule, 0);
    pare_fuzz_schedule_end(&schedule, 0, &(pare_fuzz_schedule_result){.failed = true});
    assert_int_equal(schedule.pairs[0].state, PARE_PAIR_GIVEN_UP);
    pare_fuzz_schedule_done(&schedule);
    pare_campaign_free(campaign);
}

static pare_status attempt(void *context)
{
    pare_fuzz_schedule schedule = {0};
    pare_status status = pare_fuzz_schedule_init(&schedule, context, 2, NULL);
    pare_fuzz_schedule_done(&schedule);
    return status;
}

static void test_fuzz_schedule__out_of_memory_is_clean(void **state)
{
    (void)state;
    pare_campaign *campaign = campaign_of(TARGET "[source a]\nkind = random\n");
    sweep_allocations(attempt, campaign);
    pare_campaign_free(campaign);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fuzz_schedule__turns_follow_weights),
        cmocka_unit_test(test_fuzz_schedule__what_earns_gets_more_and_nobody_starves),
        cmocka_unit_test(test_fuzz_schedule__turns_follow_what_is_earned_lately),
        cmocka_unit_test(test_fuzz_schedule__another_fuzzer_waits_while_much_is_found_without_it),
        cmocka_unit_test(test_fuzz_schedule__pairs_are_those_that_are_named),
        cmocka_unit_test(test_fuzz_schedule__dry_and_failing_pairs_are_over),
        cmocka_unit_test(test_fuzz_schedule__a_first_failure_is_the_last),
        cmocka_unit_test(test_fuzz_schedule__out_of_memory_is_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
