/* Runs of interpreters that tell what a script reaches: which one is taken, and what becomes of one
 * that does not do what it should.
 *
 * The interpreters are scripts of a shell here, which write what they are made to; the real ones are
 * in tests/cli/test_coverage.sh. */
/* tests: src/session/test/reach.c */
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

#include "os/clock.h"
#include "session/test/reach.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char TEXT[] = "a\nb\nc\n";
static char interpreter[4096], command[4200];

/* Makes the interpreter NAME in the scratch folder, which does `what`. */
static void make_interpreter(const char *name, const char *what)
{
    char text[512], here[4000];
    (void)snprintf(text, sizeof text, "#!/bin/sh\n%s\n", what);
    scratch_write(name, text, 0755);
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(interpreter, sizeof interpreter, "%s/%s", here, name);
    (void)snprintf(command, sizeof command, "%s @@", interpreter);
}

static pare_reach_task task_of(const pare_input_options *input, const pare_test_options *test)
{
    return (pare_reach_task){.input = input,
                             .test = test,
                             .text = (const unsigned char *)TEXT,
                             .bytes = sizeof TEXT - 1};
}

/* What a run of the interpreter just made tells, which the test names. */
static pare_reach record(uint64_t deadline_ms)
{
    const pare_input_options input = {.path = "in.lua"};
    const char *const words[] = {command};
    const pare_test_options test = {.program = words, .n_program = 1};
    pare_reach_task task = task_of(&input, &test);
    pare_reach reach = {.n = 0};
    task.deadline_ms = deadline_ms;
    assert_true(pare_reach_is_possible(&task));
    assert_int_equal(pare_reach_record(&task, &reach, NULL), PARE_OK);
    return reach;
}

/* Whether this machine has cells, without which nothing is run. */
static bool has_cells(void)
{
    static int has = -1;
    if (has < 0) {
        make_interpreter("lua9.0", "echo '+ 1' >&9");
        pare_reach reach = record(0);
        has = reach.n == 1;
        pare_reach_report_done(&reach);
        if (!has && system("unshare -Urmp true 2>/dev/null") == 0) fail_msg("nothing was run");
        if (!has) (void)fprintf(stderr, "skipped: no cells here\n");
    }
    return has;
}

static void test_reach__is_possible_for_scripts_only(void **state)
{
    (void)state;
    make_interpreter("lua9.1", "true");
    const char *const words[] = {command};
    const pare_test_options test = {.program = words, .n_program = 1}, other = {.command = "true"};
    const pare_input_options script = {.path = "in.lua"}, text = {.path = "lua.txt"};
    pare_reach_task task = task_of(&script, &test);
    assert_true(pare_reach_is_possible(&task));
    task.language = "c";
    assert_false(pare_reach_is_possible(&task));
    task = task_of(&text, &test);
    assert_false(pare_reach_is_possible(&task));
    task.language = "lua";
    assert_true(pare_reach_is_possible(&task));
    /* A compiler of the family is no interpreter. */
    make_interpreter("luac", "true");
    pare_reach reach;
    task = task_of(&text, &other);
    assert_int_equal(pare_reach_record(&task, &reach, NULL), PARE_OK);
    assert_int_equal(reach.n, 0);
}

static void test_reach__takes_the_interpreter_that_the_test_names(void **state)
{
    (void)state;
    if (!has_cells()) skip();
    const pare_input_options input = {.path = "in.lua"};
    char script[4300];
    make_interpreter("lua9.2", "echo '+ 1' >&9; echo '+ 2' >&9");
    (void)snprintf(script, sizeof script, "#!/bin/sh\ntimeout 5 %s \"$1\" | grep x\n", interpreter);
    scratch_write("t.sh", script, 0755);
    const pare_test_options tests[] = {
        {.command = command}, {.command = "./t.sh"}, {.command = "./t.sh --option"}};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        pare_reach_task task = task_of(&input, &tests[i]);
        pare_reach reach;
        assert_int_equal(pare_reach_record(&task, &reach, NULL), PARE_OK);
        assert_int_equal(reach.n, 1);
        assert_int_equal(reach.unreached[0].from, 4);
        assert_int_equal(reach.bytes, 2);
        assert_true(reach.by_line);
        pare_reach_report_done(&reach);
    }
}

static void test_reach__gives_the_text_and_the_engine_that_it_is_meant_for(void **state)
{
    (void)state;
    if (!has_cells()) skip();
    make_interpreter("lua9.3", "[ \"$(cat \"$PARE_REACH\")\" = \"$(printf 'a\\nb\\nc\\n')\" ] &&\n"
                               "[ \"$PARE_REACH_FOR\" = lua ] && [ \"$3\" = \"$PARE_REACH\" ] &&\n"
                               "echo '+ 3' >&9");
    pare_reach reach = record(0);
    assert_int_equal(reach.n, 1);
    assert_int_equal(reach.unreached[0].to, 4);
    pare_reach_report_done(&reach);
}

static void test_reach__what_is_printed_is_no_report_and_a_death_loses_nothing(void **state)
{
    (void)state;
    if (!has_cells()) skip();
    make_interpreter("lua9.4", "echo '+ 1'; echo '+ 1' >&2; echo '+ 2' >&9; kill -9 $$");
    pare_reach reach = record(0);
    assert_int_equal(reach.n, 2);
    pare_reach_report_done(&reach);
}

static void test_reach__of_one_that_does_not_end_nothing_is_waited_for(void **state)
{
    (void)state;
    if (!has_cells()) skip();
    make_interpreter("lua9.5", "sleep 1000 & sleep 1000");
    const uint64_t start_ms = pare_clock_ms();
    pare_reach reach = record(start_ms + 200);
    assert_int_equal(reach.n, 0);
    /* It would be 20 s without the deadline, which is no time for this test to fail by. */
    assert_true(pare_clock_ms() - start_ms < 1000 * 1000);
    pare_reach_report_done(&reach);
}

static void test_reach__a_report_without_end_ends_with_its_file(void **state)
{
    (void)state;
    if (!has_cells()) skip();
    make_interpreter("lua9.6", "echo '+ 2' >&9; exec yes 'b 0 1' >&9");
    pare_reach reach = record(0);
    assert_true(reach.n > 0 && reach.bytes <= sizeof TEXT - 1);
    pare_reach_report_done(&reach);
}

static pare_status record_once(void *context)
{
    pare_reach reach;
    pare_status status = pare_reach_record(context, &reach, NULL);
    pare_reach_report_done(&reach);
    return status;
}

/* Of a text that has no interpreter named: what is allocated before anything runs. */
static void test_reach__reports_each_lack_of_memory(void **state)
{
    (void)state;
    const pare_input_options input = {.path = "in.lua"};
    const char *const words[] = {"/nowhere/lua5.1 @@"};
    const pare_test_options test = {.program = words, .n_program = 1};
    pare_reach_task task = task_of(&input, &test);
    const char *path = getenv("PATH");
    char *kept = path ? strdup(path) : NULL;
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    sweep_allocations(record_once, &task);
    assert_int_equal(setenv("PATH", kept ? kept : "", 1), 0);
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reach__is_possible_for_scripts_only),
        cmocka_unit_test(test_reach__takes_the_interpreter_that_the_test_names),
        cmocka_unit_test(test_reach__gives_the_text_and_the_engine_that_it_is_meant_for),
        cmocka_unit_test(test_reach__what_is_printed_is_no_report_and_a_death_loses_nothing),
        cmocka_unit_test(test_reach__of_one_that_does_not_end_nothing_is_waited_for),
        cmocka_unit_test(test_reach__a_report_without_end_ends_with_its_file),
        cmocka_unit_test(test_reach__reports_each_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
