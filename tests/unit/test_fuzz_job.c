/* Fuzz jobs: from a source through a target to findings, statistics and positions. */
/* tests: src/campaign/fuzz_record.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/statistic.h"
#include "unit/support/fuzzing.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

/* A target that dies on inputs with a digit, in its own way for each kind of digit. */
#define TARGET "[target t]\ncommand = sh %s/target @@\nsandbox = off\nrunner = spawn\ncost = 2\n"

static void write_target(void)
{
    scratch_write("target",
                  "if grep -q 1 $1; then kill -s SEGV $$; fi\n"
                  "if grep -q 2 $1; then kill -s ABRT $$; fi\nexit 0\n",
                  0644);
}

/* Runs one fuzz job of source s on target t; *id is its number. */
static pare_status fuzz(pare_store *store, const char *source, const char *detail, int64_t *id,
                        pare_error *err)
{
    char text[2048], target[512];
    (void)snprintf(target, sizeof target, TARGET, scratch_dir);
    (void)snprintf(text, sizeof text, "%s[source s]\n%s", target, source);
    return run_fuzz_job(store, text, detail, 2, id, err);
}

static void write_inputs(void)
{
    static const char *const texts[] = {"a", "1", "b2", "c", "11", "2", "d"};
    assert_int_equal(pare_file_make_directories("inputs", NULL), PARE_OK);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "inputs/%zu", i);
        scratch_write(name, texts[i], 0644);
    }
}

static void test_fuzz_job__failures_become_findings_and_the_rest_is_counted(void **state)
{
    (void)state;
    pare_store *store = new_store("one.db");
    pare_error err = {0};
    char source[256];
    int64_t id;
    write_target();
    write_inputs();
    (void)snprintf(source, sizeof source, "kind = folder\nbatch = 1000\nfiles = %s/inputs\n",
                   scratch_dir);
    if (fuzz(store, source, "", &id, &err)) fail_msg("%s", err.message);
    assert_int_equal(number_of(store, "SELECT count(*) FROM finding"), 2);
    assert_int_equal(number_of(store, "SELECT total(count) FROM finding"), 4);
    pare_job job;
    assert_int_equal(pare_job_get(store, id, &job, NULL, NULL), PARE_OK);
    assert_int_equal(job.state, PARE_JOB_DONE);
    assert_string_equal(job.progress, PARE_FUZZ_DRY);
    assert_int_equal(job.tests, 7);
    pare_job_done(&job);
    char *position = NULL;
    assert_int_equal(pare_statistic_get_position(store, "s", "t", 1, &position, NULL), PARE_OK);
    /* A folder begins anew: the program may be another one the next time. */
    assert_string_equal(position, "");
    pare_alloc_free(position);
    if (fuzz(store, source, "", &id, &err)) fail_msg("%s", err.message);
    assert_int_equal(number_of(store, "SELECT count(*) FROM finding"), 2);
    assert_int_equal(number_of(store, "SELECT count(*) FROM member"), 4);
    pare_store_close(store);
}

static void test_fuzz_job__a_job_ends_at_its_batch_and_the_next_goes_on(void **state)
{
    (void)state;
    pare_store *store = new_store("two.db");
    pare_error err = {0};
    char source[256];
    int64_t id;
    write_target();
    write_inputs();
    (void)snprintf(source, sizeof source, "kind = folder\nbatch = 1000\nfiles = %s/inputs\n",
                   scratch_dir);
    if (fuzz(store, source, "3", &id, &err)) fail_msg("%s", err.message);
    assert_int_equal(number_of(store, "SELECT total(count) FROM finding"), 2);
    if (fuzz(store, source, "3", &id, &err)) fail_msg("%s", err.message);
    if (fuzz(store, source, "3", &id, &err)) fail_msg("%s", err.message);
    assert_int_equal(number_of(store, "SELECT total(count) FROM finding"), 4);
    pare_store_close(store);
}

static void test_fuzz_job__a_source_that_repeats_itself_has_no_more(void **state)
{
    (void)state;
    pare_store *store = new_store("three.db");
    pare_error err = {0};
    int64_t id;
    char source[256];
    write_target();
    scratch_write("few.g4", "grammar few;\ns: ('a' | 'b' | '1') EOF;\n", 0644);
    (void)snprintf(source, sizeof source, "kind = grammar\nbatch = 1000\ngrammar = %s/few.g4\n",
                   scratch_dir);
    if (fuzz(store, source, "", &id, &err)) fail_msg("%s", err.message);
    assert_int_equal(number_of(store, "SELECT count(*) FROM finding"), 1);
    pare_job job;
    assert_int_equal(pare_job_get(store, id, &job, NULL, NULL), PARE_OK);
    assert_string_equal(job.progress, PARE_FUZZ_DRY);
    assert_int_equal(job.tests, 3);
    pare_job_done(&job);
    pare_store_close(store);
}

static void test_fuzz_job__what_cannot_work_is_refused_before_the_first_test(void **state)
{
    (void)state;
    pare_store *store = new_store("four.db");
    pare_error err = {0};
    int64_t id;
    write_target();
    scratch_write("target", "kill -s SEGV $$\n", 0644);
    assert_int_equal(fuzz(store, "kind = random\n", "", &id, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "empty input"));
    assert_int_equal(number_of(store, "SELECT count(*) FROM finding"), 0);
    pare_store_close(store);
}

/* A stop that is requested by the target itself, after some tests. */
static void test_fuzz_job__a_stopped_job_keeps_what_it_has_done(void **state)
{
    (void)state;
    pare_store *store = new_store("five.db");
    pare_error err = {0};
    int64_t id;
    char source[256];
    write_target();
    scratch_script("source", "test $(ls ../.. | grep -c '^ran') -gt 0 && exit 3\ntouch ../../ran\n"
                             "printf '1\\0a\\0'");
    (void)snprintf(source, sizeof source,
                   "kind = prints\nbatch = 1000\ntime = 1h\ncommand = %s/source\n", scratch_dir);
    /* The second round fails: what the first one found stays. */
    assert_int_equal(fuzz(store, source, "", &id, &err), PARE_E_STATE);
    assert_int_equal(number_of(store, "SELECT count(*) FROM finding"), 1);
    assert_int_equal(number_of(store, "SELECT total(tests) FROM statistic"), 2);
    pare_store_close(store);
}

/* Tests are looked after while a slow source makes the next input: the first one hangs, and the
 * source waits until its time limit has ended it. */
static void test_fuzz_job__a_slow_source_does_not_keep_tests_running(void **state)
{
    (void)state;
    pare_store *store = new_store("seven.db");
    pare_error err = {0};
    int64_t id;
    char source[1024];
    (void)snprintf(source, sizeof source,
                   "if grep -q hang $1; then echo $$ > %s/pid.new; mv %s/pid.new %s/pid;"
                   " exec sleep 60; fi\n"
                   "if grep -q lives $1; then kill -s SEGV $$; fi\nexit 0\n",
                   scratch_dir, scratch_dir, scratch_dir);
    scratch_write("target", source, 0644);
    (void)snprintf(source, sizeof source,
                   "cd %s; test -e done && exit 3\n"
                   "test -e asked || { touch asked; printf hang; exit; }\n"
                   "touch done; i=0\n"
                   "while test $i -lt 100; do i=$((i + 1)); sleep 0.1\n"
                   "  test -e pid && ! kill -0 $(cat pid) 2>/dev/null && { printf gone; exit; }\n"
                   "done; printf lives",
                   scratch_dir);
    scratch_script("source", source);
    char text[2048];
    (void)snprintf(text, sizeof text,
                   TARGET
                   "timeout = 1s\n[source s]\nkind = prints\nbatch = 9\ncommand = %s/source\n",
                   scratch_dir, scratch_dir);
    /* The third round prints nothing, which ends the job. */
    assert_int_equal(run_fuzz_job(store, text, "", 2, &id, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "exit code 3"));
    assert_int_equal(number_of(store, "SELECT count(*) FROM finding"), 0);
    assert_int_equal(number_of(store, "SELECT total(tests) FROM statistic"), 2);
    pare_store_close(store);
}

/* A full record that cannot be written takes no more: the tests that are under way then are given up. */
static void test_fuzz_job__a_record_that_cannot_be_written_ends_the_job(void **state)
{
    enum { INPUTS = 200 };
    (void)state;
    pare_store *store = new_store("full.db");
    pare_error err = {0};
    int64_t id;
    char name[32], source[256];
    scratch_write("target", "read x <$1\ncase $x in 1*) kill -s SEGV $$;; esac\nexit 0\n", 0644);
    assert_int_equal(pare_file_make_directories("many", NULL), PARE_OK);
    for (int i = 0; i < INPUTS; i++) {
        (void)snprintf(name, sizeof name, "many/%d", i);
        char text[16];
        (void)snprintf(text, sizeof text, "1%d\n", i);
        scratch_write(name, text, 0644);
    }
    assert_int_equal(pare_store_execute(store,
                                        "CREATE TRIGGER full BEFORE UPDATE ON finding"
                                        " BEGIN SELECT RAISE(ABORT, 'no room'); END",
                                        NULL),
                     PARE_OK);
    (void)snprintf(source, sizeof source, "kind = folder\nbatch = 1000\nfiles = %s/many\n",
                   scratch_dir);
    assert_int_equal(fuzz(store, source, "", &id, &err), PARE_E_CORRUPT);
    assert_non_null(strstr(err.message, "no room"));
    assert_int_equal(number_of(store, "SELECT count FROM finding"), 1);
    pare_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fuzz_job__failures_become_findings_and_the_rest_is_counted),
        cmocka_unit_test(test_fuzz_job__a_job_ends_at_its_batch_and_the_next_goes_on),
        cmocka_unit_test(test_fuzz_job__a_source_that_repeats_itself_has_no_more),
        cmocka_unit_test(test_fuzz_job__what_cannot_work_is_refused_before_the_first_test),
        cmocka_unit_test(test_fuzz_job__a_stopped_job_keeps_what_it_has_done),
        cmocka_unit_test(test_fuzz_job__a_slow_source_does_not_keep_tests_running),
        cmocka_unit_test(test_fuzz_job__a_record_that_cannot_be_written_ends_the_job),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
