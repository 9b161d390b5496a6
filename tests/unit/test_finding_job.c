/* The jobs about findings: reduce, validate, update, bisect, each in this process on a store of its
 * own.  The target is a script; what it does of an input is in its text. */
/* tests: src/campaign/reduce_job.c src/campaign/validate_job.c src/campaign/update_job.c
 * src/campaign/bisect_job.c src/campaign/validation.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/job.h"
#include "campaign/job_run.h"
#include "campaign/validation.h"
#include "unit/support/campaign_text.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

#define TARGET "[target jq]\ncommand = sh %s/target @@\nsandbox = off\nrunner = spawn\n"

/* A store with one finding of target jq, and what its jobs need. */
struct bench {
    pare_store *store;
    pare_campaign *campaign;
    int64_t finding;
    pare_job job;
};

/* Dies by SEGV where a is in the input, by ABRT where b is in it and no a. */
static const char deadly[] = "grep -q a $1 && kill -s SEGV $$\n"
                             "grep -q b $1 && kill -s ABRT $$\nexit 0\n";

static void open_bench(struct bench *bench, const char *script, const char *more, const char *input)
{
    char text[2048], target[512];
    scratch_write("target", script, 0644);
    (void)snprintf(target, sizeof target, TARGET, scratch_dir);
    (void)snprintf(text, sizeof text, "%s%s[source grammar]\nkind = random\n", target, more);
    *bench = (struct bench){.store = new_store("jobs.db"), .campaign = campaign_of(text)};
    pare_failure failure = failure_of("signal SIGSEGV", input);
    failure.signature = "signal SIGSEGV";
    bench->finding = add_failure(bench->store, &failure).finding;
}

static void close_bench(struct bench *bench)
{
    pare_store_close(bench->store);
    pare_campaign_free(bench->campaign);
}

typedef pare_status (*job_function)(const pare_job_run *run, pare_error *err);

/* Does a job of `kind`; bench->job is as it was stored after it, to be done. */
static pare_status do_job(struct bench *bench, pare_job_kind kind, const char *detail,
                          pare_stop *stop, pare_error *err)
{
    static const job_function functions[PARE_JOB_N_KINDS] = {[PARE_JOB_REDUCE] = pare_reduce_job,
                                                             [PARE_JOB_VALIDATE] =
                                                                 pare_validate_job,
                                                             [PARE_JOB_UPDATE] = pare_update_job,
                                                             [PARE_JOB_BISECT] = pare_bisect_job};
    const pare_job_order order = {.kind = kind,
                                  .finding = kind == PARE_JOB_UPDATE ? 0 : bench->finding,
                                  .target = "jq",
                                  .detail = detail,
                                  .config = 1};
    int64_t id = 0, config = 0;
    char *folder = NULL;
    pare_job job;
    assert_int_equal(pare_job_add(bench->store, &order, &id, NULL), PARE_OK);
    assert_int_equal(pare_job_get(bench->store, id, &job, &config, NULL), PARE_OK);
    assert_int_equal(pare_job_folder(bench->store, id, &folder, NULL), PARE_OK);
    const pare_job_run run = {.store = bench->store,
                              .campaign = bench->campaign,
                              .job = &job,
                              .config = 1,
                              .folder = folder,
                              .stop = stop};
    pare_status status = functions[kind](&run, err);
    pare_job_done(&job);
    pare_alloc_free(folder);
    assert_int_equal(pare_job_get(bench->store, id, &bench->job, NULL, NULL), PARE_OK);
    return status;
}

static void assert_job(struct bench *bench, pare_job_kind kind, const char *detail,
                       const char *line)
{
    pare_error err = {0};
    if (do_job(bench, kind, detail, NULL, &err)) fail_msg("%s", err.message);
    assert_int_equal(bench->job.state, PARE_JOB_DONE);
    if (!strstr(bench->job.progress, line)) fail_msg("'%s' in '%s'", line, bench->job.progress);
    pare_job_done(&bench->job);
}

static pare_finding finding_of(struct bench *bench, int64_t id)
{
    pare_finding finding;
    assert_int_equal(pare_store_finding(bench->store, id, &finding, NULL), PARE_OK);
    return finding;
}

static void assert_content(pare_store *store, const char *digest, const char *text)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    assert_int_equal(pare_store_content(store, digest, &bytes, &size, NULL), PARE_OK);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(bytes, text, size);
    pare_alloc_free(bytes);
}

/* ---- reduce ---------------------------------------------------------------------------- */

static void test_reduce_job__the_result_is_the_findings_and_side_failures_are_findings(void **state)
{
    struct bench bench;
    (void)state;
    open_bench(&bench, deadly, "", "33333 b 4444\n111 a 222\n");
    assert_job(&bench, PARE_JOB_REDUCE, "", "from 23 to 1 bytes in");
    pare_finding finding = finding_of(&bench, 1);
    assert_int_equal(finding.state, PARE_FINDING_REDUCED);
    assert_content(bench.store, finding.reduced, "a");
    assert_true(*finding.explanation);
    pare_finding_done(&finding);
    assert_int_equal(number_of(bench.store, "SELECT count(*) FROM finding"), 2);
    finding = finding_of(&bench, 2);
    assert_string_equal(finding.identity, "signal SIGABRT");
    assert_string_equal(finding.source, "grammar");
    assert_string_equal(finding.title, "SIGABRT");
    pare_finding_done(&finding);
    close_bench(&bench);
}

static void test_reduce_job__findings_with_one_result_are_one(void **state)
{
    struct bench bench;
    (void)state;
    open_bench(&bench, deadly, "", "one a two\n");
    pare_failure other = failure_of("signal SIGSEGV; error \"other\"", "a");
    add_failure(bench.store, &other);
    int64_t into = 0;
    assert_int_equal(pare_finding_set_reduced(bench.store, 2, "a", 1, &into, NULL), PARE_OK);
    assert_job(&bench, PARE_JOB_REDUCE, "", "to 1 bytes");
    assert_int_equal(state_of(bench.store, 2), PARE_FINDING_MERGED);
    close_bench(&bench);
}

static void test_reduce_job__what_does_not_fail_is_validated_instead(void **state)
{
    struct bench bench;
    (void)state;
    open_bench(&bench, deadly, "", "only c\n");
    assert_job(&bench, PARE_JOB_REDUCE, "", "its input does not show it");
    assert_int_equal(state_of(bench.store, 1), PARE_FINDING_FIXED); /* with another version */
    close_bench(&bench);
    open_bench(&bench, deadly, "", "only b\n");
    assert_job(&bench, PARE_JOB_REDUCE, "", "its input does not show it");
    assert_int_equal(number_of(bench.store, "SELECT count(*) FROM finding"), 2);
    close_bench(&bench);
}

static void test_reduce_job__one_that_is_stopped_goes_on_and_loses_nothing(void **state)
{
    struct bench bench;
    pare_stop *stop = NULL;
    (void)state;
    open_bench(&bench, deadly, "", "one a two\nthree b four\n");
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    pare_stop_request(stop);
    assert_int_equal(do_job(&bench, PARE_JOB_REDUCE, "", stop, NULL), PARE_E_INTERRUPTED);
    assert_int_equal(bench.job.state, PARE_JOB_WAITING);
    assert_int_equal(state_of(bench.store, 1), PARE_FINDING_NEW);
    pare_job_done(&bench.job);
    pare_stop_free(stop);
    assert_job(&bench, PARE_JOB_REDUCE, "", "from 23 to 1 bytes");
    close_bench(&bench);
}

/* Each test takes a while, so a reduction of this is never done in its time. */
static const char slow[] = "sleep 0.02\ngrep -q a $1 && kill -s SEGV $$\nexit 0\n";

static void test_reduce_job__what_earlier_attempts_have_spent_is_not_given_again(void **state)
{
    struct bench bench;
    pare_stop *stop = NULL;
    pare_error err = {0};
    char text[4096] = "a", path[512];
    (void)state;
    for (int i = 0; i < 1000; i++)
        (void)snprintf(text + strlen(text), 4, "%c\n", 'c' + i % 20);
    open_bench(&bench, slow, "reduce_time = 1h\nfinding = crash\n", text);
    /* An attempt that is stopped notes what it has spent. */
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    pare_stop_request(stop);
    assert_int_equal(do_job(&bench, PARE_JOB_REDUCE, "", stop, &err), PARE_E_INTERRUPTED);
    (void)snprintf(path, sizeof path, "jobs.db.work/job-%lld/spent", (long long)bench.job.id);
    pare_job_done(&bench.job);
    pare_stop_free(stop);
    assert_true(pare_file_exists(path));
    close_bench(&bench);
    /* One that has spent all has a tenth, or a second, left. */
    open_bench(&bench, slow, "reduce_time = 2s\n", text);
    assert_int_equal(pare_file_make_directories("jobs.db.work/job-1", NULL), PARE_OK);
    scratch_write("jobs.db.work/job-1/spent", "2000\n", 0644);
    assert_job(&bench, PARE_JOB_REDUCE, "",
               ", until its time was over, after 2 s of earlier attempts");
    close_bench(&bench);
}

static void test_reduce_job__a_target_that_cannot_be_run_changes_nothing(void **state)
{
    struct bench bench;
    pare_error err = {0};
    (void)state;
    open_bench(&bench, deadly, "reduce_command = no-such-program-here @@\n", "a\n");
    assert_int_equal(do_job(&bench, PARE_JOB_REDUCE, "", NULL, &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "no-such-program-here"));
    pare_job_done(&bench.job);
    assert_int_equal(state_of(bench.store, 1), PARE_FINDING_NEW);
    assert_job(&bench, PARE_JOB_VALIDATE, "", "cannot be run");
    assert_int_equal(state_of(bench.store, 1), PARE_FINDING_NEW);
    assert_int_equal(number_of(bench.store, "SELECT count(*) FROM event WHERE kind = 'trouble'"),
                     1);
    close_bench(&bench);
}

/* ---- validate -------------------------------------------------------------------------- */

static void test_validate_job__says_whether_it_is_there_with_this_version(void **state)
{
    struct bench bench;
    (void)state;
    open_bench(&bench, deadly, "version = cat version\n", "a\n");
    assert_job(&bench, PARE_JOB_VALIDATE, "", "fails in each of 3 runs");
    assert_int_equal(state_of(bench.store, 1), PARE_FINDING_NEW);
    scratch_write("target", "exit 0\n", 0644);
    assert_job(&bench, PARE_JOB_VALIDATE, "", "fails in 0 of 3 runs");
    close_bench(&bench);
}

static void test_validate_job__an_input_that_leans_on_the_past_is_asked_again_as_it_was(
    void **state)
{
    struct bench bench;
    int64_t into = 0;
    (void)state;
    open_bench(&bench, "grep -q xa $1 && kill -s SEGV $$\nexit 0\n", "", "xa\n");
    assert_int_equal(pare_finding_set_reduced(bench.store, 1, "a", 1, &into, NULL), PARE_OK);
    assert_job(&bench, PARE_JOB_VALIDATE, "", "fails in each of 3 runs");
    assert_int_equal(state_of(bench.store, 1), PARE_FINDING_REDUCED);
    close_bench(&bench);
}

/* The store that refuses another failure is not a target that cannot be run. */
static void test_validate_job__a_store_that_cannot_be_written_is_an_error(void **state)
{
    struct bench bench;
    pare_error err = {0};
    (void)state;
    open_bench(&bench, deadly, "", "a\n");
    scratch_write("target", "kill -s ABRT $$\n", 0644);
    assert_int_equal(pare_store_execute(bench.store,
                                        "CREATE TRIGGER full BEFORE INSERT ON finding"
                                        " BEGIN SELECT RAISE(ABORT, 'no room'); END",
                                        NULL),
                     PARE_OK);
    assert_int_equal(do_job(&bench, PARE_JOB_VALIDATE, "", NULL, &err), PARE_E_CORRUPT);
    assert_non_null(strstr(err.message, "no room"));
    pare_job_done(&bench.job);
    close_bench(&bench);
}

/* Every third run shows it, by a counter in a file. */
static const char sometimes[] = "n=$(cat %s/n 2>/dev/null || echo 0)\necho $((n + 1)) >%s/n\n"
                                "test $((n %% 3)) = 2 && kill -s SEGV $$\nexit 0\n";

static void test_validate_job__what_comes_by_chance_is_measured(void **state)
{
    struct bench bench;
    char script[512];
    (void)state;
    (void)snprintf(script, sizeof script, sometimes, scratch_dir, scratch_dir);
    open_bench(&bench, script, "", "a\n");
    assert_job(&bench, PARE_JOB_VALIDATE, "", "fails in 6 of 20 runs (15 % to 52 %)");
    pare_finding finding = finding_of(&bench, 1);
    assert_int_equal(finding.fails, 6);
    assert_int_equal(finding.runs, 20);
    pare_finding_done(&finding);
    /* Of what is known to come by chance few runs without it say nothing. */
    scratch_write("target", "exit 0\n", 0644);
    assert_job(&bench, PARE_JOB_VALIDATE, "", "fails in 0 of 20 runs");
    close_bench(&bench);
}

/* ---- update ---------------------------------------------------------------------------- */

static void test_update_job__updates_tells_the_versions_and_orders_validations(void **state)
{
    struct bench bench;
    char more[512];
    (void)state;
    scratch_write("version", "1\n", 0644);
    (void)snprintf(more, sizeof more, "version = cat %s/version\nupdate = echo 2 >%s/version\n",
                   scratch_dir, scratch_dir);
    open_bench(&bench, deadly, more, "a\n");
    assert_job(&bench, PARE_JOB_UPDATE, NULL, "from '1' to '2'; 1 finding is validated");
    assert_int_equal(
        number_of(bench.store, "SELECT count(*) FROM job WHERE kind = 2 AND state = 0"), 1);
    assert_int_equal(number_of(bench.store, "SELECT count(*) FROM event WHERE kind = 'updated'"),
                     1);
    close_bench(&bench);
}

static void test_update_job__one_that_fails_says_what_the_command_said(void **state)
{
    struct bench bench;
    pare_error err = {0};
    (void)state;
    open_bench(&bench, deadly, "update = echo one; echo no network; exit 3\n", "a\n");
    assert_int_equal(do_job(&bench, PARE_JOB_UPDATE, NULL, NULL, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "exit code 3: no network"));
    pare_job_done(&bench.job);
    close_bench(&bench);
    open_bench(&bench, deadly, "", "a\n");
    assert_int_equal(do_job(&bench, PARE_JOB_UPDATE, NULL, NULL, &err), PARE_E_STATE);
    pare_job_done(&bench.job);
    close_bench(&bench);
}

/* ---- bisect ---------------------------------------------------------------------------- */

/* A list of `n` versions, of which those from `bad` on show it and those of `broken` do not run. */
static void write_versions(char *list, size_t size, size_t n, size_t bad, const char *broken)
{
    size_t used = 0;
    for (size_t k = 0; k < n; k++) {
        const bool runs = !strchr(broken, (int)('0' + k));
        used += (size_t)snprintf(list + used, size - used, "v%zu %s %s @@\n", k,
                                 runs ? "sh" : "/no/such/program", k < bad ? "good" : "target");
    }
}

static void test_bisect_job__finds_the_first_bad_version(void **state)
{
    static const struct {
        size_t n, bad;
        const char *broken, *first, *line;
    } rows[] = {
        {9, 5, "", "v5", "first in v5, not yet in v4"},
        {2, 1, "", "v1", "first in v1, not yet in v0"},
        {9, 0, "", "v0", "in the oldest version"},
        {9, 9, "", "", "the newest version, v8, does not show it"},
        {9, 5, "4", "v5", "after v3 and up to v5"},
        {9, 5, "0167", "v5", "first in v5, not yet in v4"},
        {2, 1, "0", "", "in v1, and no version before it can be run"},
        {4, 3, "012", "", "in v3, and no version before it can be run"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct bench bench;
        char list[1024];
        open_bench(&bench, deadly, "", "a\n");
        scratch_write("good", "exit 0\n", 0644);
        write_versions(list, sizeof list, rows[k].n, rows[k].bad, rows[k].broken);
        assert_job(&bench, PARE_JOB_BISECT, list, rows[k].line);
        pare_finding finding = finding_of(&bench, 1);
        assert_string_equal(finding.first_bad, rows[k].first);
        pare_finding_done(&finding);
        close_bench(&bench);
    }
}

static void test_bisect_job__without_a_list_it_says_what_to_write(void **state)
{
    struct bench bench;
    pare_error err = {0};
    (void)state;
    open_bench(&bench, deadly, "", "a\n");
    assert_int_equal(do_job(&bench, PARE_JOB_BISECT, "", NULL, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "NAME COMMAND"));
    pare_job_done(&bench.job);
    close_bench(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_reduce_job__the_result_is_the_findings_and_side_failures_are_findings),
        cmocka_unit_test(test_reduce_job__findings_with_one_result_are_one),
        cmocka_unit_test(test_reduce_job__what_does_not_fail_is_validated_instead),
        cmocka_unit_test(test_reduce_job__one_that_is_stopped_goes_on_and_loses_nothing),
        cmocka_unit_test(test_reduce_job__what_earlier_attempts_have_spent_is_not_given_again),
        cmocka_unit_test(test_reduce_job__a_target_that_cannot_be_run_changes_nothing),
        cmocka_unit_test(test_validate_job__says_whether_it_is_there_with_this_version),
        cmocka_unit_test(
            test_validate_job__an_input_that_leans_on_the_past_is_asked_again_as_it_was),
        cmocka_unit_test(test_validate_job__a_store_that_cannot_be_written_is_an_error),
        cmocka_unit_test(test_validate_job__what_comes_by_chance_is_measured),
        cmocka_unit_test(test_update_job__updates_tells_the_versions_and_orders_validations),
        cmocka_unit_test(test_update_job__one_that_fails_says_what_the_command_said),
        cmocka_unit_test(test_bisect_job__finds_the_first_bad_version),
        cmocka_unit_test(test_bisect_job__without_a_list_it_says_what_to_write),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
