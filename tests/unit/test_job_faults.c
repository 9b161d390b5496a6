/* Whole jobs with a failing allocation: a clean error, a store that opens, nothing twice. */
/* tests: src/campaign/job_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/campaign.h>

#include "campaign/job.h"
#include "campaign/job_run.h"
#include "unit/alloc_sweep.h"
#include "unit/support/campaign_text.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

#define STORE "faults.db"

/* A target that dies of a, and a source that gives that. */
static void write_files(void)
{
    assert_int_equal(pare_file_make_directories("in", NULL), PARE_OK);
    scratch_write("target", "read -r x <$1\ncase $x in *a*) kill -s SEGV $$ ;; esac\n", 0644);
    scratch_write("in/1", "a b\n", 0644);
    scratch_write("in/2", "c\n", 0644);
}

/* A new store that knows the campaign; with `finding` it has one. */
static pare_store *prepare(bool finding)
{
    char text[1024], number[24];
    int64_t config = 0;
    pare_store *store = new_store(STORE);
    (void)!pare_file_remove_tree(STORE ".work", NULL);
    (void)snprintf(text, sizeof text,
                   "[target t]\ncommand = sh %s/target @@\nsandbox = off\nrunner = spawn\n"
                   "validate_runs = 1\n[source s]\nkind = folder\nfiles = %s/in/*\n",
                   scratch_dir, scratch_dir);
    assert_int_equal(pare_store_put_config(store, text, &config, NULL), PARE_OK);
    (void)snprintf(number, sizeof number, "%lld", (long long)config);
    assert_int_equal(pare_store_put_fact(store, PARE_FACT_CAMPAIGN, number, NULL), PARE_OK);
    if (!finding) return store;
    pare_failure failure = failure_of("signal SIGSEGV", "a b\n");
    failure.target = "t";
    failure.source = "s";
    failure.signature = "signal SIGSEGV";
    (void)add_failure(store, &failure);
    return store;
}

static int64_t order(pare_store *store, pare_job_kind kind)
{
    const pare_job_order what = {.kind = kind,
                                 .target = "t",
                                 .source = kind == PARE_JOB_FUZZ ? "s" : NULL,
                                 .finding = kind == PARE_JOB_FUZZ ? 0 : 1};
    int64_t id = 0;
    assert_int_equal(pare_job_add(store, &what, &id, NULL), PARE_OK);
    return id;
}

/* What holds whatever has failed. */
static void check_store(pare_store *store)
{
    assert_int_equal(number_of(store, "SELECT count(*) FROM pragma_integrity_check"
                                      " WHERE integrity_check <> 'ok'"),
                     0);
    assert_in_range(number_of(store, "SELECT count(*) FROM finding"), 0, 1);
    assert_in_range(number_of(store, "SELECT count(*) FROM member"), 0, 1);
    assert_in_range(number_of(store, "SELECT count(*) FROM event WHERE kind = 'new'"), 0, 1);
    assert_in_range(number_of(store, "SELECT count(*) FROM event WHERE kind = 'reduced'"), 0, 1);
    assert_in_range(number_of(store, "SELECT count(*) FROM event WHERE kind = 'validated'"), 0, 1);
}

/* What the job was to do is done, once. */
static void check_done(pare_store *store, pare_job_kind kind)
{
    check_store(store);
    assert_int_equal(number_of(store, "SELECT count(*) FROM finding"), 1);
    assert_int_equal(number_of(store, "SELECT count(*) FROM member"), 1);
    if (kind == PARE_JOB_REDUCE)
        assert_int_equal(number_of(store, "SELECT count(*) FROM event WHERE kind = 'reduced'"), 1);
    if (kind == PARE_JOB_VALIDATE)
        assert_int_equal(number_of(store, "SELECT count(*) FROM event WHERE kind = 'validated'"),
                         1);
}

/* Does a job with allocation `n` failing; then the same without.  False: nothing has failed. */
static bool attempt(pare_job_kind kind, size_t n)
{
    pare_error err = {0};
    pare_store *store = prepare(kind != PARE_JOB_FUZZ);
    int64_t id = order(store, kind);
    pare_store_close(store);
    const long before = live_blocks();
    pare_alloc_fault_after(n);
    pare_status status = pare_campaign_do_job(STORE, id, -1, NULL, &err);
    const bool hit = pare_alloc_fault_hit();
    pare_alloc_fault_after(SIZE_MAX);
    assert_int_equal(live_blocks(), before);
    if (status && !*err.message) fail_msg("allocation %zu: no sentence", n);
    store = open_store(STORE);
    check_store(store);
    const bool is_done = number_of(store, "SELECT count(*) FROM job WHERE state = 3") == 1;
    if (!hit) assert_true(is_done);
    if (!is_done) {
        id = order(store, kind);
        pare_store_close(store);
        if (pare_campaign_do_job(STORE, id, -1, NULL, &err)) fail_msg("%zu: %s", n, err.message);
        store = open_store(STORE);
    }
    check_done(store, kind);
    pare_store_close(store);
    return hit;
}

/* Samples of all allocations, ever further apart: most of a job's are those of its tests, which are
 * alike. */
static void sweep(pare_job_kind kind)
{
    size_t n = 0;
    write_files();
    while (attempt(kind, n))
        n += 1 + n / 2;
    assert_true(n > 0);
}

static void test_job_faults__a_fuzz_job_loses_nothing_and_has_nothing_twice(void **state)
{
    (void)state;
    sweep(PARE_JOB_FUZZ);
}

static void test_job_faults__a_reduction_loses_nothing_and_has_nothing_twice(void **state)
{
    (void)state;
    sweep(PARE_JOB_REDUCE);
}

static void test_job_faults__a_validation_loses_nothing_and_has_nothing_twice(void **state)
{
    (void)state;
    sweep(PARE_JOB_VALIDATE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_job_faults__a_fuzz_job_loses_nothing_and_has_nothing_twice),
        cmocka_unit_test(test_job_faults__a_reduction_loses_nothing_and_has_nothing_twice),
        cmocka_unit_test(test_job_faults__a_validation_loses_nothing_and_has_nothing_twice),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
