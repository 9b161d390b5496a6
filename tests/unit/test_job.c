/* Jobs: their order, that each ends once, what users ask for, and who does them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/job.h"
#include "os/descriptor.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

static int64_t add_job(pare_store *store, pare_job_kind kind, const char *source, unsigned cost)
{
    int64_t id = 0;
    const pare_job_order order = {.kind = kind, .target = "jq", .source = source, .cost = cost};
    assert_int_equal(pare_job_add(store, &order, &id, NULL), PARE_OK);
    return id;
}

static pare_job_state job_state(pare_store *store, int64_t id)
{
    pare_job job;
    assert_int_equal(pare_job_get(store, id, &job, NULL, NULL), PARE_OK);
    pare_job_state state = job.state;
    pare_job_done(&job);
    return state;
}

static void assert_next(pare_store *store, unsigned cost, int64_t wanted)
{
    int64_t ids[4] = {0};
    size_t n = 4;
    assert_int_equal(pare_job_next(store, cost, ids, &n, NULL), PARE_OK);
    assert_int_equal(ids[0], wanted);
}

static void test_job__what_is_asked_for_comes_first_and_the_same_is_there_once(void **state)
{
    (void)state;
    pare_store *store = new_store("order.db");
    const int64_t fuzz = add_job(store, PARE_JOB_FUZZ, "a", 1);
    const int64_t other = add_job(store, PARE_JOB_FUZZ, "b", 2);
    assert_int_equal(add_job(store, PARE_JOB_FUZZ, "a", 1), fuzz);
    assert_next(store, 2, fuzz);
    const int64_t finding = add_simple(store, "x", "abc");
    int64_t reduce = 0, validate = 0, again = 0;
    assert_int_equal(pare_store_request(store, PARE_JOB_REDUCE, finding, NULL, &reduce, NULL),
                     PARE_OK);
    assert_int_equal(pare_store_request(store, PARE_JOB_VALIDATE, finding, NULL, &validate, NULL),
                     PARE_OK);
    assert_next(store, 2, reduce);
    assert_int_equal(pare_store_request(store, PARE_JOB_VALIDATE, finding, NULL, &again, NULL),
                     PARE_OK);
    assert_int_equal(again, validate);
    assert_next(store, 2, validate);
    pare_job job;
    assert_int_equal(pare_job_get(store, validate, &job, NULL, NULL), PARE_OK);
    assert_string_equal(job.target, "jq");
    assert_int_equal(job.priority, 10);
    pare_job_done(&job);
    assert_int_equal(pare_job_set_running(store, reduce, 1, NULL), PARE_OK);
    assert_int_equal(pare_job_set_running(store, validate, 1, NULL), PARE_OK);
    assert_int_equal(pare_job_set_running(store, fuzz, 1, NULL), PARE_OK);
    assert_next(store, 1, 0);
    assert_next(store, 2, other);
    assert_int_equal(pare_store_request(store, PARE_JOB_REDUCE, 77, NULL, &again, NULL),
                     PARE_E_STATE);
    pare_store_close(store);
}

static void test_job__a_job_ends_once_and_with_it_its_effects(void **state)
{
    (void)state;
    pare_store *store = new_store("once.db");
    const int64_t id = add_job(store, PARE_JOB_FUZZ, "a", 1);
    assert_int_equal(pare_job_set_running(store, id, 1, NULL), PARE_OK);
    assert_int_equal(pare_job_set_ended(store, id, PARE_JOB_CANCELLED, "", NULL), PARE_OK);
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    add_simple(store, "x", "abc");
    pare_error err = {0};
    pare_status status = pare_job_set_ended(store, id, PARE_JOB_DONE, "", &err);
    assert_int_equal(pare_store_end(store, status, &err), PARE_E_STATE);
    assert_string_equal(err.message, "job 1 has ended or does not exist");
    assert_int_equal(number_of(store, "SELECT count(*) FROM finding"), 0);
    assert_int_equal(number_of(store, "SELECT count(*) FROM event WHERE kind = 'job'"), 2);
    pare_store_close(store);
}

static void test_job__wishes_are_told_once_and_done_at_once_where_nothing_runs(void **state)
{
    (void)state;
    pare_store *store = new_store("wishes.db");
    const int64_t a = add_job(store, PARE_JOB_FUZZ, "a", 1),
                  b = add_job(store, PARE_JOB_FUZZ, "b", 1),
                  c = add_job(store, PARE_JOB_FUZZ, "c", 1);
    assert_int_equal(pare_job_set_running(store, a, 1, NULL), PARE_OK);
    assert_int_equal(pare_job_set_running(store, b, 1, NULL), PARE_OK);
    assert_int_equal(pare_store_cancel(store, a, NULL), PARE_OK);
    assert_int_equal(pare_store_pause(store, b, true, NULL), PARE_OK);
    assert_int_equal(pare_store_pause(store, c, true, NULL), PARE_OK);
    assert_int_equal(job_state(store, a), PARE_JOB_RUNNING);
    assert_int_equal(job_state(store, c), PARE_JOB_PAUSED);
    pare_job_wish wishes[4];
    size_t n = 4;
    bool all = true;
    assert_int_equal(pare_job_wishes(store, wishes, &n, &all, NULL), PARE_OK);
    assert_int_equal(n, 2);
    assert_true(wishes[0].id == a && wishes[0].what == PARE_WISH_CANCEL);
    assert_true(wishes[1].id == b && wishes[1].what == PARE_WISH_PAUSE);
    assert_false(all);
    bool paused = true;
    assert_int_equal(pare_store_is_paused(store, &paused, NULL), PARE_OK);
    assert_false(paused);
    assert_int_equal(pare_store_pause(store, 0, true, NULL), PARE_OK);
    assert_int_equal(pare_store_is_paused(store, &paused, NULL), PARE_OK);
    assert_true(paused);
    n = 4;
    assert_int_equal(pare_job_wishes(store, wishes, &n, &all, NULL), PARE_OK);
    assert_true(n == 0 && all);
    assert_int_equal(pare_store_pause(store, c, false, NULL), PARE_OK);
    assert_int_equal(job_state(store, c), PARE_JOB_WAITING);
    assert_int_equal(pare_store_cancel(store, 0, NULL), PARE_OK);
    assert_int_equal(job_state(store, c), PARE_JOB_CANCELLED);
    assert_int_equal(pare_store_cancel(store, c, NULL), PARE_E_STATE);
    assert_int_equal(pare_store_pause(store, c, true, NULL), PARE_E_STATE);
    pare_store_close(store);
}

static void test_job__what_nobody_does_any_more_waits_again(void **state)
{
    (void)state;
    pare_store *store = new_store("recover.db"), *other = open_store("recover.db");
    const int64_t a = add_job(store, PARE_JOB_FUZZ, "a", 1),
                  b = add_job(store, PARE_JOB_FUZZ, "b", 1),
                  c = add_job(store, PARE_JOB_FUZZ, "c", 1);
    char *folders[3] = {NULL};
    const int64_t ids[] = {a, b, c};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(pare_job_folder(store, ids[i], &folders[i], NULL), PARE_OK);
        assert_true(pare_file_is_directory(folders[i]));
    }
    int fd = -1, second = -1;
    assert_int_equal(pare_job_set_running(store, a, 1, NULL), PARE_OK);
    assert_int_equal(pare_job_set_running(store, b, 1, NULL), PARE_OK);
    assert_int_equal(pare_job_set_ended(store, c, PARE_JOB_DONE, "", NULL), PARE_OK);
    assert_int_equal(pare_job_claim(other, a, &fd, NULL), PARE_OK);
    assert_int_equal(pare_job_claim(store, a, &second, NULL), PARE_E_BUSY);
    uint64_t n = 0;
    assert_int_equal(pare_job_recover(store, &n, NULL), PARE_OK);
    assert_int_equal(n, 1);
    assert_int_equal(job_state(store, a), PARE_JOB_RUNNING);
    assert_int_equal(job_state(store, b), PARE_JOB_WAITING);
    assert_true(pare_file_is_directory(folders[0]) && pare_file_is_directory(folders[1]));
    assert_false(pare_file_exists(folders[2]));
    pare_descriptor_close(&fd);
    assert_int_equal(pare_job_recover(store, &n, NULL), PARE_OK);
    assert_int_equal(job_state(store, a), PARE_JOB_WAITING);
    for (size_t i = 0; i < 3; i++)
        pare_alloc_free(folders[i]);
    pare_store_close(store);
    pare_store_close(other);
}

static void test_job__a_coordinator_is_seen_by_its_lock(void **state)
{
    (void)state;
    pare_store *store = new_store("running.db"), *other = open_store("running.db");
    bool running = true;
    int64_t since = 1;
    int fd = -1, second = -1;
    assert_int_equal(pare_store_is_running(store, &running, &since, NULL), PARE_OK);
    assert_true(!running && since == 0);
    assert_int_equal(pare_store_lock(other, 0, &fd, NULL), PARE_OK);
    assert_int_equal(pare_store_is_running(store, &running, &since, NULL), PARE_OK);
    assert_true(running && since > 0);
    assert_int_equal(pare_store_lock(store, 0, &second, NULL), PARE_E_BUSY);
    pare_descriptor_close(&fd);
    assert_int_equal(pare_store_is_running(store, &running, &since, NULL), PARE_OK);
    assert_false(running);
    pare_store_close(store);
    pare_store_close(other);
}

static pare_status collect(void *context, const pare_job *job, pare_error *err)
{
    (void)err;
    char *text = context;
    (void)snprintf(text + strlen(text), 16, "%lld%c ", (long long)job->id,
                   pare_job_state_name(job->state)[0]);
    return PARE_OK;
}

static void test_job__lists_are_in_the_order_of_their_turn(void **state)
{
    (void)state;
    pare_store *store = new_store("list.db");
    char text[128] = "";
    for (unsigned i = 0; i < 6; i++) {
        const char source[] = {(char)('a' + i), 0};
        add_job(store, PARE_JOB_FUZZ, source, 1);
    }
    assert_int_equal(pare_job_set_ended(store, 1, PARE_JOB_DONE, "", NULL), PARE_OK);
    assert_int_equal(pare_job_set_running(store, 4, 1, NULL), PARE_OK);
    assert_int_equal(pare_store_pause(store, 2, true, NULL), PARE_OK);
    assert_int_equal(pare_store_jobs(store, false, 0, collect, text, NULL), PARE_OK);
    assert_string_equal(text, "4r 3w 5w 6w 2p ");
    text[0] = '\0';
    assert_int_equal(pare_store_jobs(store, true, 0, collect, text, NULL), PARE_OK);
    assert_string_equal(text, "4r 3w 5w 6w 2p 1d ");
    pare_store_close(store);
}

static void test_job__a_job_without_a_configuration_has_the_newest(void **state)
{
    (void)state;
    pare_store *store = new_store("config.db");
    const int64_t id = add_job(store, PARE_JOB_FUZZ, "a", 1);
    int64_t config = 0, number = 0;
    assert_int_equal(pare_store_put_config(store, "[campaign]\n", &number, NULL), PARE_OK);
    assert_int_equal(pare_store_put_fact(store, PARE_FACT_CAMPAIGN, "1", NULL), PARE_OK);
    pare_job job;
    assert_int_equal(pare_job_get(store, id, &job, &config, NULL), PARE_OK);
    assert_int_equal(config, number);
    pare_job_done(&job);
    pare_store_close(store);
}

/* The work of adding one more job about a finding beside `n` that wait. */
static uint64_t steps_to_add(int64_t n)
{
    uint64_t steps = 0;
    int64_t id = 0;
    pare_store *store = new_store("cost.db");
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    for (int64_t finding = 1; finding <= n + 1; finding++) {
        const pare_job_order order = {.kind = PARE_JOB_REDUCE, .target = "jq", .finding = finding};
        if (finding <= n) assert_int_equal(pare_job_add(store, &order, &id, NULL), PARE_OK);
        if (finding <= n) continue;
        measure_steps(store, &steps);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(pare_job_add(store, &order, &id, NULL), PARE_OK);
            assert_int_equal(id, n + 1);
        }
        measure_steps(store, NULL);
    }
    assert_int_equal(pare_store_end(store, PARE_OK, NULL), PARE_OK);
    pare_store_close(store);
    return steps;
}

/* Neither with each other one, nor with the ranks of all of them. */
static void test_job__adding_one_does_not_compare_it_with_all_that_wait(void **state)
{
    (void)state;
    const uint64_t few = steps_to_add(1), many = steps_to_add(400);
    assert_true(few > 0 && many - few < 20);
}

/* The work of asking for the validation of one of `n` findings twice, and then
 * of cancelling the jobs of all of them. */
static void measure_requests(int64_t n, uint64_t *asking, uint64_t *cancelling)
{
    int64_t id = 0;
    pare_store *store = new_store("requests.db");
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    for (int64_t i = 0; i < n; i++) {
        char identity[32];
        (void)snprintf(identity, sizeof identity, "stderr x%lld", (long long)i);
        const int64_t finding = add_simple(store, identity, "x");
        assert_int_equal(pare_store_request(store, PARE_JOB_VALIDATE, finding, NULL, &id, NULL),
                         PARE_OK);
    }
    const int64_t wanted = id;
    measure_steps(store, asking);
    assert_int_equal(pare_store_request(store, PARE_JOB_VALIDATE, n, NULL, &id, NULL), PARE_OK);
    assert_int_equal(pare_store_request(store, PARE_JOB_VALIDATE, n, NULL, &id, NULL), PARE_OK);
    assert_int_equal(id, wanted);
    measure_steps(store, NULL);
    assert_next(store, 1, wanted);
    measure_steps(store, cancelling);
    assert_int_equal(pare_store_cancel(store, 0, NULL), PARE_OK);
    measure_steps(store, NULL);
    assert_int_equal(number_of(store, "SELECT count(*) FROM job WHERE state <> 5"), 0);
    assert_int_equal(pare_store_end(store, PARE_OK, NULL), PARE_OK);
    pare_store_close(store);
}

static void test_job__asking_and_cancelling_cost_the_same_among_many(void **state)
{
    (void)state;
    uint64_t few[2] = {0}, many[2] = {0};
    measure_requests(10, &few[0], &few[1]);
    measure_requests(400, &many[0], &many[1]);
    assert_true(few[0] > 0 && many[0] < few[0] + 20);
    assert_true(few[1] > 0 && many[1] < 2 * 40 * few[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_job__what_is_asked_for_comes_first_and_the_same_is_there_once),
        cmocka_unit_test(test_job__a_job_ends_once_and_with_it_its_effects),
        cmocka_unit_test(test_job__wishes_are_told_once_and_done_at_once_where_nothing_runs),
        cmocka_unit_test(test_job__what_nobody_does_any_more_waits_again),
        cmocka_unit_test(test_job__a_coordinator_is_seen_by_its_lock),
        cmocka_unit_test(test_job__lists_are_in_the_order_of_their_turn),
        cmocka_unit_test(test_job__a_job_without_a_configuration_has_the_newest),
        cmocka_unit_test(test_job__adding_one_does_not_compare_it_with_all_that_wait),
        cmocka_unit_test(test_job__asking_and_cancelling_cost_the_same_among_many),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
