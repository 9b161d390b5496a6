/* Workers of a campaign: what it asks for, and what its store tells of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "campaign/campaign_file.h"
#include "campaign/job.h"
#include "campaign/workers.h"
#include "unit/support/fuzzing.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

static pare_campaign *read_text(const char *text)
{
    pare_campaign *campaign = NULL;
    pare_error err = {0};
    if (pare_campaign_read_text(text, "/nowhere/s.pare.db", &campaign, &err))
        fail_msg("%s", err.message);
    return campaign;
}

static void test_workers__are_none_unless_asked_for(void **state)
{
    unsigned n_workers = 1, n_slots = 1;
    (void)state;
    pare_campaign *campaign = read_text("[campaign]\njobs = 1\ninsecure = yes\n");
    assert_null(pare_workers_options(campaign).url);
    assert_int_equal(pare_workers_check(campaign, &n_workers, &n_slots, NULL), PARE_OK);
    assert_int_equal(n_workers + n_slots, 0);
    pare_campaign_free(campaign);
}

/* A server that is away later ends no job. */
static void test_workers__are_what_the_campaign_says(void **state)
{
    (void)state;
    pare_campaign *campaign = read_text("[campaign]\nworkers = nats://rack/team\ninsecure = yes\n"
                                        "credentials = /etc/c\nwith = '/a b' /c\n");
    const pare_cluster_options options = pare_workers_options(campaign);
    assert_string_equal(options.url, "nats://rack/team");
    assert_string_equal(options.credentials, "/etc/c");
    assert_true(options.insecure);
    assert_true(options.is_optional);
    assert_int_equal(options.n_with, 2);
    assert_string_equal(options.with[0], "/a b");
    pare_campaign_free(campaign);
}

static void test_workers__a_password_is_not_for_the_store(void **state)
{
    unsigned n_workers, n_slots;
    (void)state;
    pare_campaign *campaign = read_text("[campaign]\nworkers = nats://me:secret@127.0.0.1:1\n");
    assert_int_equal(pare_workers_check(campaign, &n_workers, &n_slots, NULL), PARE_E_ARG);
    pare_campaign_free(campaign);
}

/* A job of the store that runs; of a finding that need not be there. */
static pare_job running_job(pare_store *store, int64_t finding)
{
    pare_job job = {.target = ""};
    const pare_job_order order = {.kind = PARE_JOB_REDUCE, .finding = finding};
    assert_int_equal(pare_job_add(store, &order, &job.id, NULL), PARE_OK);
    assert_int_equal(pare_job_set_running(store, job.id, getpid(), NULL), PARE_OK);
    return job;
}

static void assert_sums(pare_store *store, unsigned n_workers, unsigned n_slots)
{
    unsigned workers = 99, slots = 99;
    assert_int_equal(pare_store_workers(store, &workers, &slots, NULL), PARE_OK);
    assert_int_equal(workers, n_workers);
    assert_int_equal(slots, n_slots);
}

static void test_workers__those_of_running_jobs_are_added_up(void **state)
{
    (void)state;
    pare_store *store = new_store("sums.db");
    const pare_job jobs[] = {running_job(store, 1), running_job(store, 2)};
    const pare_job_run runs[] = {{.store = store, .job = &jobs[0]},
                                 {.store = store, .job = &jobs[1]}};
    pare_workers_share noted[2] = {{0}, {0}};
    assert_sums(store, 0, 0);
    assert_int_equal(pare_workers_note(&runs[0], (pare_workers_share){2, 12}, &noted[0], NULL), 0);
    assert_int_equal(pare_workers_note(&runs[1], (pare_workers_share){1, 4}, &noted[1], NULL), 0);
    assert_sums(store, 3, 16);
    assert_int_equal(pare_workers_note(&runs[0], (pare_workers_share){0, 0}, &noted[0], NULL), 0);
    assert_sums(store, 1, 4);
    /* One that was killed. */
    assert_int_equal(pare_job_set_waiting(store, jobs[1].id, NULL), PARE_OK);
    assert_sums(store, 0, 0);
    assert_int_equal(pare_workers_forget(store, NULL), PARE_OK);
    assert_int_equal(pare_job_set_running(store, jobs[1].id, getpid(), NULL), PARE_OK);
    assert_sums(store, 0, 0);
    pare_store_close(store);
}

static int64_t count_told(pare_store *store)
{
    int64_t n = 0;
    assert_int_equal(pare_store_number(store, "SELECT count(*) FROM event WHERE kind = 'trouble'",
                                       &n, 0, NULL, ""),
                     PARE_OK);
    return n;
}

static void test_workers__a_sentence_is_told_once(void **state)
{
    (void)state;
    pare_store *store = new_store("told.db");
    const pare_job jobs[] = {{.id = 1, .target = ""}, {.id = 2, .target = ""}};
    for (size_t i = 0; i < 2; i++) {
        const pare_job_run run = {.store = store, .job = &jobs[i]};
        assert_int_equal(pare_workers_tell(&run, "worker a is not used", NULL), PARE_OK);
        assert_int_equal(pare_workers_tell(&run, "worker b is not used", NULL), PARE_OK);
    }
    assert_int_equal(count_told(store), 2);
    pare_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workers__are_none_unless_asked_for),
        cmocka_unit_test(test_workers__are_what_the_campaign_says),
        cmocka_unit_test(test_workers__a_password_is_not_for_the_store),
        cmocka_unit_test(test_workers__those_of_running_jobs_are_added_up),
        cmocka_unit_test(test_workers__a_sentence_is_told_once),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
