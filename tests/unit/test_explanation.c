/* What of a result matters, by running variants of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/stop.h>

#include "campaign/explanation.h"
#include "unit/support/campaign_text.h"
#include "unit/support/scratch.h"

/* Explains `bytes`, which dies by SEGV with this target script; the caller ends *text. */
static pare_status explain_bytes(const char *script, const char *identity, const char *bytes,
                                 size_t size, pare_stop *stop, pare_buffer *text)
{
    char section[1024];
    pare_target target;
    scratch_write("target", script, 0644);
    (void)snprintf(section, sizeof section,
                   "[target t]\ncommand = sh %s/target @@\nsandbox = off\nrunner = spawn\n"
                   "[source s]\nkind = random\n",
                   scratch_dir);
    pare_campaign *campaign = campaign_of(section);
    assert_int_equal(pare_target_read(campaign, "t", &target, NULL), PARE_OK);
    const pare_explanation_options options = {
        .target = &target, .identity = identity, .bytes = bytes, .size = size, .stop = stop};
    pare_status status = pare_explanation_add(&options, text, NULL);
    pare_target_done(&target);
    pare_campaign_free(campaign);
    return status;
}

static pare_status explain(const char *script, const char *identity, const char *bytes,
                           pare_stop *stop, pare_buffer *text)
{
    return explain_bytes(script, identity, bytes, strlen(bytes), stop, text);
}

/* Dies where there is a call of date with a number of four digits or more. */
static const char dates[] = "grep -q 'date([0-9][0-9][0-9][0-9]' $1 && kill -s SEGV $$\nexit 0\n";

static void test_explanation__tells_what_is_arbitrary_and_what_it_depends_on(void **state)
{
    pare_buffer text = {0};
    (void)state;
    assert_int_equal(explain(dates, "signal SIGSEGV", "foo(\"a b\",7,date(1000),foo)", NULL, &text),
                     PARE_OK);
    assert_string_equal(text.data,
                        " Arbitrary: `foo`, `\"a b\"`, `7` (with others in their place it fails as "
                        "well). It depends on: `1000` (gone with `1`). The nearest input without "
                        "it: `foo(\"a b\",7,date(1),foo)`.");
    pare_buffer_done(&text);
}

static void test_explanation__another_failure_is_not_this_one(void **state)
{
    pare_buffer text = {0};
    (void)state;
    assert_int_equal(explain("grep -q 1000 $1 && kill -s SEGV $$\nkill -s ABRT $$\n",
                             "signal SIGSEGV", "1000", NULL, &text),
                     PARE_OK);
    assert_string_equal(text.data, " It depends on: `1000` (gone with `1`). The nearest input "
                                   "without it: `1`.");
    pare_buffer_done(&text);
}

static void test_explanation__operators_are_values(void **state)
{
    pare_buffer text = {0};
    (void)state;
    assert_int_equal(explain("grep -q 'a<<[-+*]9' $1 && kill -s SEGV $$\nexit 0\n",
                             "signal SIGSEGV", "(a<<*9)", NULL, &text),
                     PARE_OK);
    assert_non_null(strstr(text.data, "depends on: `<<*` (gone with `+`), `9`"));
    pare_buffer_reset(&text);
    assert_int_equal(explain("grep -q 'a<<[0-9]* [-+*] 9' $1 && kill -s SEGV $$\nexit 0\n",
                             "signal SIGSEGV", "a<<7 * 9", NULL, &text),
                     PARE_OK);
    assert_string_equal(text.data, " Arbitrary: `7`, `*` (with others in their place it fails as "
                                   "well). It depends on: `<<` (gone with `+`), `9` (gone with "
                                   "`1`). The nearest input without it: `a<<7 * 1`.");
    pare_buffer_done(&text);
}

static void test_explanation__lines_are_left_out(void **state)
{
    static const char both[] = "grep -q '^x' $1 && grep -q '^y' $1 && kill -s SEGV $$\nexit 0\n";
    pare_buffer text = {0};
    (void)state;
    assert_int_equal(explain(both, "signal SIGSEGV", "x(\ny(\n", NULL, &text), PARE_OK);
    assert_string_equal(text.data, " Each of its 2 lines is needed. The nearest input without "
                                   "it: `y( `.");
    pare_buffer_reset(&text);
    assert_int_equal(explain(both, "signal SIGSEGV", "x(\n;\ny(", NULL, &text), PARE_OK);
    assert_non_null(strstr(text.data, " Not needed by itself: line 2."));
    pare_buffer_done(&text);
}

/* The store keeps texts, which a NUL ends, and the sentences are shown on terminals. */
static void test_explanation__values_of_any_bytes_are_told(void **state)
{
    static const char bytes[] = "foo(\"a\0\x1b\",\"b\",date(1000))";
    static const char script[] = "grep -qa 'date([0-9][0-9][0-9][0-9]' $1 && kill -s SEGV $$\n"
                                 "exit 0\n";
    pare_buffer text = {0};
    (void)state;
    assert_int_equal(explain_bytes(script, "signal SIGSEGV", bytes, sizeof bytes - 1, NULL, &text),
                     PARE_OK);
    assert_null(memchr(text.data, '\0', text.size));
    if (!strstr(text.data, "a\\x00\\x1b") || !strstr(text.data, "It depends on: `1000`"))
        fail_msg("%s", text.data);
    pare_buffer_done(&text);
}

static void test_explanation__names_the_place_where_it_fails(void **state)
{
    pare_buffer text = {0};
    (void)state;
    assert_int_equal(explain("exit 0\n", "signal SIGSEGV; frame \"parse\"", "[]", NULL, &text),
                     PARE_OK);
    assert_string_equal(text.data, " It fails in parse.");
    pare_buffer_done(&text);
}

static void test_explanation__runs_a_bounded_number_of_tests(void **state)
{
    char bytes[PARE_EXPLANATION_BYTES], path[1024], script[1200];
    pare_buffer text = {0}, runs = {0};
    (void)state;
    bytes[0] = '\0';
    for (int i = 0; i < 200; i++)
        (void)snprintf(bytes + strlen(bytes), 16, "%d ", 1000 + i);
    (void)snprintf(path, sizeof path, "%s/runs", scratch_dir);
    (void)snprintf(script, sizeof script, "echo >>%s\nkill -s SEGV $$\n", path);
    assert_int_equal(explain(script, "signal SIGSEGV", bytes, NULL, &text), PARE_OK);
    assert_int_equal(pare_file_read(path, &runs, NULL), PARE_OK);
    assert_true(runs.size > 0 && runs.size <= PARE_EXPLANATION_TESTS);
    assert_non_null(strstr(text.data, " and "));
    pare_buffer_done(&text);
    pare_buffer_done(&runs);
}

static void test_explanation__a_stop_ends_it_and_a_broken_target_explains_nothing(void **state)
{
    pare_buffer text = {0};
    pare_stop *stop = NULL;
    (void)state;
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    pare_stop_request(stop);
    assert_int_equal(explain(dates, "signal SIGSEGV", "date(1000)", stop, &text),
                     PARE_E_INTERRUPTED);
    pare_stop_free(stop);
    pare_buffer_reset(&text);
    assert_int_equal(explain(dates, "no identity", "[]", NULL, &text), PARE_OK);
    assert_int_equal(text.size, 0);
    pare_buffer_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explanation__tells_what_is_arbitrary_and_what_it_depends_on),
        cmocka_unit_test(test_explanation__another_failure_is_not_this_one),
        cmocka_unit_test(test_explanation__operators_are_values),
        cmocka_unit_test(test_explanation__lines_are_left_out),
        cmocka_unit_test(test_explanation__values_of_any_bytes_are_told),
        cmocka_unit_test(test_explanation__names_the_place_where_it_fails),
        cmocka_unit_test(test_explanation__runs_a_bounded_number_of_tests),
        cmocka_unit_test(test_explanation__a_stop_ends_it_and_a_broken_target_explains_nothing),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
