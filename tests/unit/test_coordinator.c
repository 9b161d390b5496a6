/* A run of a campaign, with jobs that are this program again: called as `pare fuzz job STORE N`
 * would be, it does what the name of the job's source or target asks for.  What is watched is the
 * store, so what is claimed holds for whoever reads it. */
/* tests: src/campaign/coordinator_jobs.c src/campaign/follow_up.c src/campaign/job_process.c
 * src/campaign/job_run.c */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "campaign/campaign_file.h"
#include "campaign/coordinator.h"
#include "campaign/finding.h"
#include "campaign/follow_up.h"
#include "campaign/job.h"
#include "campaign/job_run.h"
#include "campaign/statistic.h"
#include "campaign/store.h"
#include "os/file.h"

enum { PATH_BYTES = 256, TESTS_OF_A_JOB = 100 };

static char folder[] = "/tmp/pare-coordinator-XXXXXX";
static char store_path[PATH_BYTES], self[PATH_BYTES];

/* ---- the jobs ---------------------------------------------------------------------- */

static void wait_for_term(void)
{
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    sigwait(&set, &number);
}

static pare_status add_finding_of(pare_store *store, const pare_job *job, const char *identity)
{
    pare_failure_added added;
    const pare_failure failure = {.target = job->target,
                                  .source = job->source,
                                  .version = "",
                                  .config = 1,
                                  .signature = "signal: SEGV",
                                  .identity = identity,
                                  .output = "",
                                  .bytes = job->source,
                                  .size = strlen(job->source),
                                  .from_job = job->id};
    return pare_finding_add(store, &failure, &added, NULL);
}

static pare_status add_finding(pare_store *store, const pare_job *job)
{
    return add_finding_of(store, job, "signal: SEGV");
}

static pare_status fuzz(pare_store *store, const pare_job *job)
{
    uint64_t n = strtoull(job->detail, NULL, 10);
    if (!n || n > TESTS_OF_A_JOB) n = TESTS_OF_A_JOB;
    if (!strcmp(job->source, "dies")) raise(SIGKILL);
    if (!strcmp(job->source, "fails"))
        return pare_job_set_ended(store, job->id, PARE_JOB_FAILED, "no grammar", NULL);
    const pare_statistic_delta delta = {
        .source = job->source, .target = job->target, .config = 1, .tests = n, .failures = 1};
    pare_status status = pare_statistic_add(store, &delta, NULL);
    if (!status && strcmp(job->source, "endless") != 0) status = add_finding(store, job);
    if (!status && !strcmp(job->source, "hangs")) {
        wait_for_term();
        exit(130);
    }
    bool dry = strcmp(job->source, "endless") != 0;
    if (!status)
        status = pare_job_set_ended(store, job->id, PARE_JOB_DONE, dry ? PARE_FUZZ_DRY : "", NULL);
    return status;
}

static pare_status reduce(pare_store *store, const pare_job *job)
{
    int64_t merged = 0;
    if (!strcmp(job->target, "mortal")) raise(SIGKILL);
    if (!strcmp(job->target, "slow")) {
        wait_for_term();
        exit(130);
    }
    pare_status status = pare_store_begin(store, NULL);
    if (!status) status = pare_finding_set_reduced(store, job->finding, "x", 1, &merged, NULL);
    if (!status) status = pare_job_set_ended(store, job->id, PARE_JOB_DONE, "", NULL);
    status = pare_store_end(store, status, NULL);
    /* As a user would who is quicker than the coordinator: the job's row goes with its finding. */
    if (!status && !strcmp(job->target, "deleted"))
        status = pare_store_delete(store, job->finding, NULL);
    return status;
}

static int do_job(const char *path, int64_t id)
{
    int claim = -1;
    pare_job job = {0};
    pare_store *store = NULL;
    pare_status status = pare_store_open(path, false, &store, NULL);
    if (status) return 3;
    store->wake_fd = STDOUT_FILENO;
    status = pare_job_claim(store, id, &claim, NULL);
    if (!status) status = pare_job_get(store, id, &job, NULL, NULL);
    if (!status) status = job.kind == PARE_JOB_FUZZ ? fuzz(store, &job) : reduce(store, &job);
    if (!status) pare_job_done(&job);
    pare_store_close(store);
    if (claim >= 0) close(claim);
    return status ? 3 : 0;
}

/* ---- runs -------------------------------------------------------------------------- */

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(store_path, sizeof store_path, "%s/s.pare.db", folder);
    return pare_file_make_directories(folder, NULL) != PARE_OK;
}

static int tear_down(void **state)
{
    (void)state;
    return pare_file_remove_tree(folder, NULL) != PARE_OK;
}

#define ONE(target, source) \
    "[target " target "]\ncommand = /bin/true\n[source " source "]\nkind = random\n"

static pare_campaign *campaign_of(const char *text)
{
    pare_error err = {0};
    pare_campaign *campaign = NULL;
    if (pare_campaign_read_text(text, store_path, &campaign, &err)) fail_msg("%s", err.message);
    return campaign;
}

/* Runs a campaign until it is idle, or as `wanted` says. */
static pare_status run(const char *text, pare_campaign_run_options wanted,
                       pare_campaign_summary *summary, pare_error *err)
{
    pare_campaign *campaign = campaign_of(text);
    wanted.program = self;
    wanted.jobs = wanted.jobs ? wanted.jobs : 2;
    pare_status status = pare_campaign_run(campaign, &wanted, summary, err);
    pare_campaign_free(campaign);
    return status;
}

static int64_t ask(const char *sql)
{
    int64_t number = -1;
    pare_store *store = NULL;
    assert_int_equal(pare_store_open(store_path, false, &store, NULL), PARE_OK);
    assert_int_equal(pare_store_number(store, sql, &number, -1, NULL, ""), PARE_OK);
    pare_store_close(store);
    return number;
}

static void test_coordinator__a_run_ends_when_all_is_done(void **state)
{
    (void)state;
    pare_error err = {0};
    pare_campaign_summary summary = {0};
    const pare_campaign_run_options wanted = {.until_idle = true};
    if (run(ONE("t", "dries"), wanted, &summary, &err)) fail_msg("%s", err.message);
    assert_int_equal(summary.tests, TESTS_OF_A_JOB);
    assert_int_equal(summary.failures, 1);
    assert_int_equal(summary.new_findings, 1);
    assert_int_equal(summary.findings, 1);
    assert_int_equal(summary.reduced, 1);
    assert_int_equal(summary.running + summary.waiting, 0);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE state < 3"), 0);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE kind = 1"), 1);
}

static void test_coordinator__one_slot_does_everything_too(void **state)
{
    (void)state;
    pare_campaign_summary summary = {0};
    const pare_campaign_run_options wanted = {.until_idle = true, .jobs = 1};
    assert_int_equal(
        run(ONE("t", "dries") "[source more]\nkind = random\n", wanted, &summary, NULL), PARE_OK);
    assert_int_equal(summary.findings, 1);
    assert_int_equal(summary.reduced, 1);
    assert_int_equal(summary.slots, 1);
}

static void test_coordinator__nothing_that_works_is_an_error(void **state)
{
    (void)state;
    pare_error err = {0};
    const pare_campaign_run_options wanted = {0};
    assert_int_equal(run(ONE("t", "fails"), wanted, NULL, &err), PARE_E_STATE);
    assert_string_equal(err.message, "no source works: no grammar");
    err = (pare_error){0};
    assert_int_equal(run(ONE("t", "dies"), wanted, NULL, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "was killed by signal 9"));
    err = (pare_error){0};
    assert_int_equal(run("[target t]\ncommand = /bin/true\n", wanted, NULL, &err), PARE_E_STATE);
    assert_string_equal(err.message, "the campaign has no [source NAME]");
}

static void test_coordinator__a_job_whose_process_dies_is_tried_three_times(void **state)
{
    (void)state;
    pare_error err = {0};
    const pare_campaign_run_options wanted = {.until_idle = true};
    if (run(ONE("mortal", "dries"), wanted, NULL, &err)) fail_msg("%s", err.message);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE kind = 1 AND state = 4"), 1);
    assert_int_equal(ask("SELECT count(*) FROM event WHERE kind = 'trouble'"), 3);
    assert_int_equal(ask("SELECT state FROM finding"), PARE_FINDING_NEW);
    /* It is not tried again in the next run. */
    if (run(ONE("mortal", "dries"), wanted, NULL, &err)) fail_msg("%s", err.message);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE kind = 1"), 1);
}

static void test_coordinator__limits_of_tests_and_time_hold(void **state)
{
    (void)state;
    pare_campaign_summary summary = {0};
    pare_campaign_run_options wanted = {.max_tests = 250};
    assert_int_equal(run(ONE("t", "endless"), wanted, &summary, NULL), PARE_OK);
    assert_int_equal(summary.tests, 250);
    wanted = (pare_campaign_run_options){.max_time_ms = 1};
    assert_int_equal(run(ONE("t", "endless"), wanted, &summary, NULL), PARE_OK);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE state < 3"), 0);
}

/* A watcher that stops the run at an event. */
struct stopper {
    pare_stop *stop;
    const char *kind;
};

static void stop_at(void *context, const pare_store_event *event)
{
    struct stopper *stopper = context;
    if (!strcmp(event->kind, stopper->kind)) pare_stop_request(stopper->stop);
}

static void test_coordinator__a_stop_ends_jobs_and_the_next_run_goes_on(void **state)
{
    (void)state;
    pare_error err = {0};
    struct stopper stopper = {.kind = "new"};
    assert_int_equal(pare_stop_new(&stopper.stop, NULL), PARE_OK);
    pare_campaign_run_options wanted = {
        .watcher = stop_at, .context = &stopper, .stop = stopper.stop};
    if (run(ONE("slow", "hangs"), wanted, NULL, &err)) fail_msg("%s", err.message);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE state = 1"), 0);
    pare_stop_free(stopper.stop);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE kind = 1 AND state = 0"), 1);
    /* The next run begins where this one was, and leaves it so. */
    wanted = (pare_campaign_run_options){.max_time_ms = 1};
    if (run(ONE("slow", "endless"), wanted, NULL, &err)) fail_msg("%s", err.message);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE kind = 1 AND state = 0"), 1);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE state = 1"), 0);
}

/* A watcher that asks for the end of every job that is started. */
struct canceller {
    pare_store *store;
    pare_stop *stop;
};

static void cancel_reductions(void *context, const pare_store_event *event)
{
    struct canceller *canceller = context;
    bool is_reduction = strstr(event->text, "(reduce)") != NULL;
    if (is_reduction && strstr(event->text, "started"))
        assert_int_equal(pare_store_cancel(canceller->store, event->job, NULL), PARE_OK);
}

static void test_coordinator__a_running_job_can_be_cancelled(void **state)
{
    (void)state;
    pare_error err = {0};
    struct canceller canceller = {0};
    assert_int_equal(pare_store_open(store_path, true, &canceller.store, NULL), PARE_OK);
    const pare_campaign_run_options wanted = {
        .watcher = cancel_reductions, .context = &canceller, .until_idle = true};
    if (run(ONE("slow", "dries"), wanted, NULL, &err)) fail_msg("%s", err.message);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE kind = 1 AND state = 5"), 1);
    pare_store_close(canceller.store);
}

/* Has the store do `action` at each change of a job's row for which `when` holds, as another process might at
 * that instant. */
static void interfere(const char *when, const char *action)
{
    char sql[512];
    pare_store *store = NULL;
    (void)snprintf(sql, sizeof sql, "CREATE TRIGGER other %s BEGIN %s; END", when, action);
    assert_int_equal(pare_store_open(store_path, true, &store, NULL), PARE_OK);
    assert_int_equal(pare_store_execute(store, sql, NULL), PARE_OK);
    pare_store_close(store);
}

/* Another process, which acts before the coordinator's next statement that begins with `before`. */
struct other {
    pare_store *store;
    const char *before;
    void (*act)(pare_store *store);
};

static int act_before(unsigned what, void *context, void *statement, void *sql)
{
    struct other *other = context;
    (void)what, (void)statement;
    if (!other->before || strncmp(sql, other->before, strlen(other->before)) != 0) return 0;
    other->before = NULL;
    other->act(other->store);
    return 0;
}

static void cancel_all(pare_store *store)
{
    assert_int_equal(pare_store_cancel(store, 0, NULL), PARE_OK);
}

static void delete_first(pare_store *store)
{
    assert_int_equal(pare_store_delete(store, 1, NULL), PARE_OK);
}

static void test_coordinator__a_job_that_goes_as_it_is_started_is_passed_over(void **state)
{
    static const struct {
        const char *before;
        void (*act)(pare_store *store);
    } cases[] = {{"BEGIN IMMEDIATE", cancel_all}, {"SELECT id, kind", delete_first}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_error err = {0};
        int64_t id = 0;
        struct other other = {.before = cases[i].before, .act = cases[i].act};
        pare_coordinator run = {.slots = 2, .all_paused = true};
        assert_int_equal(pare_store_open(store_path, true, &run.store, NULL), PARE_OK);
        assert_int_equal(pare_store_open(store_path, true, &other.store, NULL), PARE_OK);
        const pare_job finding = {.target = "t", .source = "s"};
        assert_int_equal(add_finding(run.store, &finding), PARE_OK);
        const pare_job_order order = {.kind = PARE_JOB_REDUCE, .target = "t", .finding = 1};
        assert_int_equal(pare_job_add(run.store, &order, &id, NULL), PARE_OK);
        sqlite3_trace_v2(run.store->db, SQLITE_TRACE_STMT, act_before, &other);
        if (pare_coordinator_jobs_fill(&run, &err)) fail_msg("%s", err.message);
        assert_int_equal(err.status, PARE_OK);
        assert_null(other.before);
        assert_int_equal(run.n_jobs, 0);
        assert_int_equal(ask("SELECT count(*) FROM job WHERE state < 3"), 0);
        pare_alloc_free(run.jobs);
        pare_store_close(run.store);
        pare_store_close(other.store);
    }
}

static void test_coordinator__a_finding_that_is_deleted_with_its_job_ends_no_run(void **state)
{
    (void)state;
    pare_error err = {0};
    const pare_campaign_run_options wanted = {.until_idle = true};
    if (run(ONE("deleted", "dries"), wanted, NULL, &err)) fail_msg("%s", err.message);
    assert_int_equal(ask("SELECT count(*) FROM finding"), 0);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE kind = 1"), 0);
}

static void test_follow_up__a_finding_that_is_deleted_meanwhile_is_passed_over(void **state)
{
    (void)state;
    pare_error err = {0};
    pare_store *store = NULL;
    pare_campaign *campaign = campaign_of(ONE("t", "s"));
    interfere("AFTER INSERT ON job", "DELETE FROM finding WHERE id = NEW.finding + 1");
    assert_int_equal(pare_store_open(store_path, false, &store, NULL), PARE_OK);
    for (int k = 1; k <= 3; k++) {
        const pare_job job = {.target = "t", .source = k == 1 ? "a" : k == 2 ? "b" : "c", .id = 1};
        assert_int_equal(add_finding_of(store, &job, job.source), PARE_OK);
    }
    if (pare_follow_up_new(store, campaign, &err)) fail_msg("%s", err.message);
    assert_int_equal(err.status, PARE_OK);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE kind = 1"), 2);
    pare_store_close(store);
    pare_campaign_free(campaign);
}

static int count_steps(void *context)
{
    *(uint64_t *)context += 1;
    return 0;
}

/* The work of seeing that `n` new findings have their jobs. */
static uint64_t steps_to_follow(int64_t n)
{
    char name[16];
    uint64_t steps = 0;
    pare_store *store = NULL;
    pare_campaign *campaign = campaign_of(ONE("t", "s"));
    assert_int_equal(pare_store_open(store_path, true, &store, NULL), PARE_OK);
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    for (int64_t k = ask("SELECT count(*) FROM finding"); k < n; k++) {
        (void)snprintf(name, sizeof name, "%d", (int)k);
        const pare_job job = {.target = "t", .source = name, .id = 1};
        assert_int_equal(add_finding_of(store, &job, name), PARE_OK);
    }
    assert_int_equal(pare_store_end(store, PARE_OK, NULL), PARE_OK);
    assert_int_equal(pare_follow_up_new(store, campaign, NULL), PARE_OK);
    sqlite3_progress_handler(store->db, 10, count_steps, &steps);
    assert_int_equal(pare_follow_up_new(store, campaign, NULL), PARE_OK);
    sqlite3_progress_handler(store->db, 0, NULL, NULL);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE kind = 1"), n);
    pare_store_close(store);
    pare_campaign_free(campaign);
    return steps;
}

static void test_follow_up__costs_as_much_as_there_are_findings(void **state)
{
    (void)state;
    const uint64_t few = steps_to_follow(20), many = steps_to_follow(200);
    assert_true(few > 0 && many < 20 * few);
}

static void test_coordinator__there_is_one_for_a_store(void **state)
{
    (void)state;
    int fd = -1;
    pare_error err = {0};
    pare_store *store = NULL;
    const pare_campaign_run_options wanted = {.until_idle = true};
    assert_int_equal(pare_store_open(store_path, true, &store, NULL), PARE_OK);
    assert_int_equal(pare_store_lock(store, 0, &fd, NULL), PARE_OK);
    assert_int_equal(run(ONE("t", "dries"), wanted, NULL, &err), PARE_E_BUSY);
    assert_non_null(strstr(err.message, "another process is running a campaign on"));
    close(fd);
    pare_store_close(store);
}

/* A watcher that kills the run itself when a reduction has started. */
static void die(void *context, const pare_store_event *event)
{
    (void)context;
    if (strstr(event->text, "(reduce)")) raise(SIGKILL);
}

static void test_coordinator__a_killed_run_leaves_no_process_and_is_taken_up(void **state)
{
    (void)state;
    int status;
    pare_error err = {0};
    pid_t child = fork();
    if (child == 0) {
        const pare_campaign_run_options wanted = {.watcher = die, .until_idle = true};
        _exit(run(ONE("slow", "dries"), wanted, NULL, NULL) ? 1 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    /* Its job is said to run, or waits, and nobody does it: now with a target that is fast. */
    assert_int_equal(ask("SELECT count(*) FROM job WHERE kind = 1 AND state < 2"), 1);
    struct canceller canceller = {0};
    assert_int_equal(pare_store_open(store_path, true, &canceller.store, NULL), PARE_OK);
    const pare_campaign_run_options wanted = {
        .watcher = cancel_reductions, .context = &canceller, .until_idle = true};
    if (run(ONE("slow", "dries"), wanted, NULL, &err)) fail_msg("%s", err.message);
    assert_int_equal(ask("SELECT count(*) FROM job WHERE state < 3"), 0);
    assert_int_equal(ask("SELECT count(*) FROM finding"), 1);
    pare_store_close(canceller.store);
}

static void test_coordinator__a_job_is_done_once_and_by_one(void **state)
{
    (void)state;
    int claim = -1;
    int64_t id = 0;
    pare_error err = {0};
    pare_store *store = NULL;
    assert_int_equal(pare_store_open(store_path, true, &store, NULL), PARE_OK);
    const pare_job_order order = {.kind = PARE_JOB_VALIDATE, .target = "t", .finding = 1};
    assert_int_equal(pare_job_add(store, &order, &id, NULL), PARE_OK);
    assert_int_equal(pare_job_claim(store, id, &claim, NULL), PARE_OK);
    assert_int_equal(pare_campaign_do_job(store_path, id, -1, NULL, &err), PARE_E_BUSY);
    close(claim);
    /* Without a campaign nobody knows what the target is. */
    err = (pare_error){0};
    assert_int_equal(pare_campaign_do_job(store_path, id, -1, NULL, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "the store has no campaign yet"));
    assert_int_equal(ask("SELECT state FROM job"), PARE_JOB_FAILED);
    err = (pare_error){0};
    assert_int_equal(pare_campaign_do_job(store_path, id, -1, NULL, &err), PARE_E_STATE);
    assert_string_equal(err.message, "job 1 has ended");
    err = (pare_error){0};
    assert_int_equal(pare_campaign_do_job(store_path, 99, -1, NULL, &err), PARE_E_STATE);
    err = (pare_error){0};
    assert_int_equal(pare_campaign_do_job("/none/s", 1, -1, NULL, &err), PARE_E_IO);
    pare_store_close(store);
}

int main(int argc, char **argv)
{
    if (argc == 5 && !strcmp(argv[2], "job")) return do_job(argv[3], strtoll(argv[4], NULL, 10));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_coordinator__a_run_ends_when_all_is_done, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_coordinator__one_slot_does_everything_too, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_coordinator__nothing_that_works_is_an_error, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            test_coordinator__a_job_whose_process_dies_is_tried_three_times, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_coordinator__limits_of_tests_and_time_hold, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_coordinator__a_stop_ends_jobs_and_the_next_run_goes_on,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_coordinator__a_running_job_can_be_cancelled, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            test_coordinator__a_job_that_goes_as_it_is_started_is_passed_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_coordinator__a_finding_that_is_deleted_with_its_job_ends_no_run, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(
            test_follow_up__a_finding_that_is_deleted_meanwhile_is_passed_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_follow_up__costs_as_much_as_there_are_findings, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_coordinator__there_is_one_for_a_store, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_coordinator__a_job_is_done_once_and_by_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            test_coordinator__a_killed_run_leaves_no_process_and_is_taken_up, set_up, tear_down),
    };
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0 || !mkdtemp(folder)) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
