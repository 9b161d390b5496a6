/* Statuses and errors: the first failure wins, sentences are cut, never overrun. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>

#include <pare/outcome.h>

#include "base/fail.h"

static void test_fail__every_status_has_its_name(void **state)
{
    (void)state;
    static const struct {
        pare_status status;
        const char *name;
    } rows[] = {
        {PARE_OK, "PARE_OK"},
        {PARE_E_NOMEM, "PARE_E_NOMEM"},
        {PARE_E_ARG, "PARE_E_ARG"},
        {PARE_E_IO, "PARE_E_IO"},
        {PARE_E_SYNTAX, "PARE_E_SYNTAX"},
        {PARE_E_LIMIT, "PARE_E_LIMIT"},
        {PARE_E_INTERRUPTED, "PARE_E_INTERRUPTED"},
        {PARE_E_STATE, "PARE_E_STATE"},
        {PARE_E_UNSUPPORTED, "PARE_E_UNSUPPORTED"},
        {PARE_E_CORRUPT, "PARE_E_CORRUPT"},
        {PARE_E_BUSY, "PARE_E_BUSY"},
        {(pare_status)(PARE_E_BUSY + 1), "PARE_E_?"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_string_equal(pare_status_name(rows[k].status), rows[k].name);
}

static void test_fail__every_outcome_has_its_name(void **state)
{
    (void)state;
    assert_string_equal(pare_outcome_name(PARE_NO_OUTCOME), "-");
    assert_string_equal(pare_outcome_name(PARE_FAIL), "FAIL");
    assert_string_equal(pare_outcome_name(PARE_PASS), "PASS");
    assert_string_equal(pare_outcome_name(PARE_UNRESOLVED), "UNRESOLVED");
    assert_string_equal(pare_outcome_name((pare_outcome)99), "-");
}

static void test_fail__fail_fills_the_error_and_returns_the_status(void **state)
{
    (void)state;
    pare_error err = {0};
    assert_int_equal(pare_fail(&err, PARE_E_ARG, "%s is %d", "jobs", 0), PARE_E_ARG);
    assert_int_equal(err.status, PARE_E_ARG);
    assert_int_equal(err.os_errno, 0);
    assert_string_equal(err.message, "jobs is 0");
}

static void test_fail__the_first_failure_is_kept(void **state)
{
    (void)state;
    pare_error err = {0};
    (void)pare_fail(&err, PARE_E_ARG, "first");
    assert_int_equal(pare_fail(&err, PARE_E_LIMIT, "second"), PARE_E_LIMIT);
    assert_int_equal(pare_fail_errno(&err, ENOENT, "third"), PARE_E_IO);
    assert_int_equal(pare_fail_nomem(&err), PARE_E_NOMEM);
    assert_int_equal(err.status, PARE_E_ARG);
    assert_int_equal(err.os_errno, 0);
    assert_string_equal(err.message, "first");
}

static void test_fail__a_missing_error_is_no_trouble(void **state)
{
    (void)state;
    assert_int_equal(pare_fail(NULL, PARE_E_ARG, "x"), PARE_E_ARG);
    assert_int_equal(pare_fail_errno(NULL, EACCES, "x"), PARE_E_IO);
    assert_int_equal(pare_fail_nomem(NULL), PARE_E_NOMEM);
    pare_fail_prefix(NULL, "x");
    pare_fail_clear(NULL);
}

static void test_fail__errno_says_why(void **state)
{
    (void)state;
    pare_error err = {0};
    assert_int_equal(pare_fail_errno(&err, ENOENT, "cannot open '%s'", "a"), PARE_E_IO);
    assert_int_equal(err.os_errno, ENOENT);
    assert_string_equal(err.message, "cannot open 'a': No such file or directory");
    pare_fail_clear(&err);
    assert_int_equal(pare_fail_errno(&err, ENOMEM, "x"), PARE_E_NOMEM);
    assert_int_equal(err.status, PARE_E_NOMEM);
}

static void test_fail__a_prefix_goes_before_a_sentence_that_is_there(void **state)
{
    (void)state;
    pare_error err = {0};
    pare_fail_prefix(&err, "nothing");
    assert_string_equal(err.message, "");
    (void)pare_fail(&err, PARE_E_IO, "disk full");
    pare_fail_prefix(&err, "journal %d", 7);
    assert_string_equal(err.message, "journal 7: disk full");
    pare_fail_clear(&err);
    assert_int_equal(err.status, PARE_OK);
    assert_string_equal(err.message, "");
}

static void test_fail__a_long_sentence_is_cut(void **state)
{
    (void)state;
    char text[2 * PARE_ERROR_TEXT_BYTES];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    pare_error err = {0};
    (void)pare_fail_errno(&err, EIO, "%s", text);
    assert_int_equal(strlen(err.message), PARE_ERROR_TEXT_BYTES - 1);
    pare_fail_prefix(&err, "%s", text);
    assert_int_equal(strlen(err.message), PARE_ERROR_TEXT_BYTES - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail__every_status_has_its_name),
        cmocka_unit_test(test_fail__every_outcome_has_its_name),
        cmocka_unit_test(test_fail__fail_fills_the_error_and_returns_the_status),
        cmocka_unit_test(test_fail__the_first_failure_is_kept),
        cmocka_unit_test(test_fail__a_missing_error_is_no_trouble),
        cmocka_unit_test(test_fail__errno_says_why),
        cmocka_unit_test(test_fail__a_prefix_goes_before_a_sentence_that_is_there),
        cmocka_unit_test(test_fail__a_long_sentence_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
