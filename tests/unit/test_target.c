/* Targets: from a section to the options of the oracle, and what one run shows. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "campaign/campaign_file.h"
#include "campaign/target.h"
#include "os/clock.h"
#include "unit/alloc_sweep.h"

static pare_campaign *campaign_of(const char *text)
{
    pare_campaign *campaign = NULL;
    pare_error err = {0};
    if (pare_campaign_read_text(text, "/tmp/none.pare.db", &campaign, &err))
        fail_msg("%s", err.message);
    return campaign;
}

#define SOURCE "[source s]\nkind = grammar\ngrammar = /tmp/JSON.g4\nstart = json\n"

static void test_target__a_section_becomes_the_oracles_options(void **state)
{
    pare_campaign *campaign = campaign_of(
        "[target t]\ncommand = prog -x @@\nfinding = any\nidentity = type\nexit = nonzero\n"
        "stderr = one\n    two\nno_output = three\nhang = 5s\nmemory = 1M\ncpu = 1500ms\n"
        "sandbox = off\nsuffix = js\nreduce_command = other @@\nreduce_time = 7s\n" SOURCE);
    pare_target target;
    (void)state;
    assert_int_equal(pare_target_read(campaign, "t", &target, NULL), PARE_OK);
    assert_string_equal(target.name, "t");
    assert_string_equal(target.base_name, "input.js");
    assert_int_equal(target.test.n_program, 3);
    assert_string_equal(target.test.program[0], "prog");
    assert_string_equal(target.careful.program[0], "other");
    assert_int_equal(target.level, PARE_LEVEL_ANY);
    assert_int_equal(target.identity, PARE_IDENTITY_TYPE);
    assert_int_equal(target.keep.exit_code, PARE_KEEP_NONZERO);
    assert_int_equal(target.keep.n_patterns, 3);
    assert_int_equal(target.keep.patterns[2].stream, PARE_STREAM_NO_OUTPUT);
    assert_int_equal(target.keep.hang_ms, 5000);
    assert_int_equal(target.test.safety.memory_bytes, 1 << 20);
    assert_int_equal(target.test.safety.cpu_s, 2);
    assert_int_equal(target.test.safety.sandbox, PARE_SANDBOX_OFF);
    assert_int_equal(target.reduce_time_ms, 7000);
    assert_true(target.reduces && target.validates);
    const pare_tree_options trees = pare_target_trees(&target, campaign, "s");
    assert_int_equal(trees.n_grammars, 1);
    assert_string_equal(trees.start_rule, "json");
    assert_int_equal(pare_target_trees(&target, campaign, "gone").n_grammars, 0);
    pare_target_done(&target);
    pare_campaign_free(campaign);
}

static void test_target__afl_has_a_sandbox_in_which_its_memory_is_shared(void **state)
{
    static const struct {
        const char *lines;
        pare_sandbox_kind sandbox;
    } rows[] = {{"kind = afl\n", PARE_SANDBOX_DEVICES},
                {"runner = afl\n", PARE_SANDBOX_DEVICES},
                {"kind = afl\nsandbox = off\n", PARE_SANDBOX_OFF},
                {"", PARE_SANDBOX_DEFAULT}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[256] = "[target t]\ncommand = p\n";
        pare_target target;
        strcat(text, rows[k].lines);
        pare_campaign *campaign = campaign_of(text);
        assert_int_equal(pare_target_read(campaign, "t", &target, NULL), PARE_OK);
        assert_int_equal(target.test.safety.sandbox, rows[k].sandbox);
        pare_target_done(&target);
        pare_campaign_free(campaign);
    }
}

static void test_target__what_makes_no_sense_is_refused_in_a_sentence(void **state)
{
    static const char *const rows[][2] = {
        {"command = p @@\nkind = stdin\n", "standard input"},
        {"command = p\nfinding = test\n", "finding = test"},
        {"command = p\nexit = 300\n", "exit = 300"},
        {"command = p\nkind = worker\nexit = 3\n", "worker"},
        {"command = p\nsuffix = a/b\n", "suffix"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[256] = "[target t]\n";
        pare_target target;
        pare_error err = {0};
        strcat(text, rows[k][0]);
        pare_campaign *campaign = campaign_of(text);
        assert_int_equal(pare_target_read(campaign, "t", &target, &err), PARE_E_ARG);
        if (!strstr(err.message, rows[k][1])) fail_msg("%zu: %s", k, err.message);
        pare_target_done(&target);
        assert_int_equal(pare_target_read(campaign, "u", &target, &err), PARE_E_ARG);
        pare_target_done(&target);
        pare_campaign_free(campaign);
    }
}

static void test_target__a_reduction_keeps_that_by_which_it_was_a_finding(void **state)
{
    pare_campaign *campaign =
        campaign_of("[target t]\ncommand = p\nhang = 5s\ndiffers = q\nsignal = SEGV\nstdout = x\n");
    pare_target target;
    (void)state;
    assert_int_equal(pare_target_read(campaign, "t", &target, NULL), PARE_OK);
    pare_keep keep = pare_target_keep(&target, "hang");
    assert_true(keep.hang_ms && !keep.differs && !keep.signal);
    assert_string_equal(keep.signature, "hang");
    keep = pare_target_keep(&target, "signal SIGSEGV");
    assert_true(!keep.hang_ms && !keep.differs && keep.signal && keep.n_patterns);
    keep = pare_target_keep(&target, "exit 0");
    assert_true(!keep.hang_ms && keep.differs);
    pare_target_done(&target);
    pare_campaign_free(campaign);
}

#define NO_SANDBOX "sandbox = off\nrunner = spawn\n"

static void test_target__a_run_shows_a_finding_with_its_identity(void **state)
{
    pare_campaign *campaign = campaign_of(
        "[target t]\ncommand = sh -c 'echo said $WORD >&2; test -s @@ && kill -s SEGV $$ || true'\n"
        "env = WORD=one\n    WORD=two\n" NO_SANDBOX);
    pare_target target;
    pare_target_oracle oracle;
    pare_target_seen seen;
    (void)state;
    assert_int_equal(unsetenv("WORD"), 0);
    assert_int_equal(pare_target_read(campaign, "t", &target, NULL), PARE_OK);
    assert_int_equal(pare_target_check(&target, NULL, NULL), PARE_OK); /* an empty input is fine */
    pare_target_done(&target);
    assert_int_equal(pare_target_read(campaign, "t", &target, NULL), PARE_OK);
    assert_int_equal(pare_target_open(&target, false, 1, NULL, &oracle, NULL), PARE_OK);
    assert_string_equal(getenv("WORD"), "two");
    assert_int_equal(pare_target_try(&target, &oracle, "x", 1, &seen, NULL), PARE_OK);
    assert_int_equal(seen.outcome, PARE_FAIL);
    assert_string_equal(seen.identity, "signal SIGSEGV");
    assert_string_equal(seen.output, "said two\n");
    pare_target_seen_done(&seen);
    assert_int_equal(pare_target_try(&target, &oracle, "", 0, &seen, NULL), PARE_OK);
    assert_int_equal(seen.outcome, PARE_PASS);
    assert_null(seen.identity);
    pare_target_seen_done(&seen);
    pare_target_close(&oracle);
    assert_null(getenv("WORD"));
    pare_target_done(&target);
    pare_campaign_free(campaign);
}

static void test_target__one_that_always_fails_is_refused_with_advice(void **state)
{
    static const struct {
        const char *section, *advice; /* NULL: it can be fuzzed */
    } rows[] = {
        {"command = false\n", NULL},
        {"command = false\nfinding = any\n", "finding = crash"},
        {"command = sh -c 'echo ERROR: LeakSanitizer: detected memory leaks; exit 23'\n",
         "detect_leaks=0"},
        {"command = sh -c 'kill -s SEGV $$'\n", "by hand"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[256] = "[target t]\n" NO_SANDBOX;
        pare_target target;
        pare_error err = {0};
        strcat(text, rows[k].section);
        pare_campaign *campaign = campaign_of(text);
        assert_int_equal(pare_target_read(campaign, "t", &target, NULL), PARE_OK);
        assert_int_equal(pare_target_check(&target, NULL, &err),
                         rows[k].advice ? PARE_E_STATE : PARE_OK);
        if (rows[k].advice) assert_non_null(strstr(err.message, rows[k].advice));
        pare_target_done(&target);
        pare_campaign_free(campaign);
    }
}

static void test_target__its_version_is_what_its_command_prints(void **state)
{
    pare_campaign *campaign = campaign_of("[target a]\ncommand = true\nversion = echo one; echo "
                                          "two\n[target b]\ncommand = /bin/true\n"
                                          "[target c]\ncommand = true\nversion = exit 3\n[target "
                                          "d]\ncommand = no-such-program-here\n"
                                          "[target e]\ncommand = true\nversion = yes 1.2\n");
    char *version = NULL;
    (void)state;
    assert_int_equal(pare_target_version(campaign, "a", NULL, &version, NULL), PARE_OK);
    assert_string_equal(version, "one");
    pare_alloc_free(version);
    assert_int_equal(pare_target_version(campaign, "b", NULL, &version, NULL), PARE_OK);
    assert_memory_equal(version, "built ", 6);
    pare_alloc_free(version);
    assert_int_equal(pare_target_version(campaign, "c", NULL, &version, NULL), PARE_E_STATE);
    assert_int_equal(pare_target_version(campaign, "d", NULL, &version, NULL), PARE_OK);
    assert_string_equal(version, "");
    pare_alloc_free(version);
    /* What is printed without end is not written to a disk without end. */
    assert_int_equal(pare_target_version(campaign, "e", NULL, &version, NULL), PARE_OK);
    assert_string_equal(version, "1.2");
    pare_alloc_free(version);
    pare_campaign_free(campaign);
}

/* A command of ten minutes, and a stop meanwhile: the limit of the test is below the 20 s that a command gets. */
static void *stop_soon(void *stop)
{
    const struct timespec while_it_starts = {.tv_nsec = 100000000};
    (void)nanosleep(&while_it_starts, NULL);
    pare_stop_request(stop);
    return NULL;
}

static void test_target__a_stop_does_not_wait_for_a_version(void **state)
{
    pare_campaign *campaign =
        campaign_of("[target a]\ncommand = true\nversion = sleep 600; echo one\n");
    char *version = NULL;
    pare_stop *stop = NULL;
    pthread_t thread;
    (void)state;
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    const uint64_t start_ms = pare_clock_ms();
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, stop), 0);
    assert_int_equal(pare_target_version(campaign, "a", stop, &version, NULL), PARE_E_INTERRUPTED);
    assert_true(pare_clock_ms() - start_ms < 15000);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_null(version);
    pare_stop_free(stop);
    pare_campaign_free(campaign);
}

static pare_status attempt(void *context)
{
    pare_target target;
    pare_target_oracle environment = {.n_earlier = 0};
    pare_status status = pare_target_read(context, "t", &target, NULL);
    if (!status) status = pare_target_set_environment(&target, &environment, NULL);
    pare_target_close(&environment);
    pare_target_done(&target);
    return status;
}

static void test_target__every_allocation_may_fail(void **state)
{
    pare_campaign *campaign = campaign_of("[target t]\ncommand = p\nstderr = x\nenv = A=1\n");
    (void)state;
    sweep_allocations(attempt, campaign);
    pare_campaign_free(campaign);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_target__a_section_becomes_the_oracles_options),
        cmocka_unit_test(test_target__afl_has_a_sandbox_in_which_its_memory_is_shared),
        cmocka_unit_test(test_target__what_makes_no_sense_is_refused_in_a_sentence),
        cmocka_unit_test(test_target__a_reduction_keeps_that_by_which_it_was_a_finding),
        cmocka_unit_test(test_target__a_run_shows_a_finding_with_its_identity),
        cmocka_unit_test(test_target__one_that_always_fails_is_refused_with_advice),
        cmocka_unit_test(test_target__its_version_is_what_its_command_prints),
        cmocka_unit_test(test_target__a_stop_does_not_wait_for_a_version),
        cmocka_unit_test(test_target__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
