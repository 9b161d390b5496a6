/* What is refused before the first candidate: inputs that do not fail, and tests that say nothing
 * about the input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/reduce.h>

/* A test in this process: which inputs fail. */
typedef bool fails(const char *bytes, size_t size);

static bool always(const char *bytes, size_t size)
{
    (void)bytes, (void)size;
    return true;
}

static bool never(const char *bytes, size_t size)
{
    (void)bytes, (void)size;
    return false;
}

static bool when_not_empty(const char *bytes, size_t size)
{
    (void)bytes;
    return size > 0;
}

static bool by_first_byte(const char *bytes, size_t size)
{
    return size > 0 && bytes[0] == '%';
}

static bool with_needle(const char *bytes, size_t size)
{
    return memmem(bytes, size, "needle", 6) != NULL;
}

struct subject {
    fails *fails;
    size_t n_tests;
};

static pare_outcome judge(void *context, const void *bytes, size_t size)
{
    struct subject *subject = context;
    subject->n_tests++;
    return subject->fails(bytes, size) ? PARE_FAIL : PARE_PASS;
}

/* Reduces `input` by the test; the controls are asked for, which a predicate has to be. */
static pare_status reduce(struct subject *subject, const char *input, pare_switch allow_empty,
                          pare_result *result, pare_error *err)
{
    const pare_reduce_options options = {.input.bytes = input,
                                         .input.size_bytes = strlen(input),
                                         .test.predicate = judge,
                                         .test.context = subject,
                                         .test.allow_empty = allow_empty,
                                         .algorithms = "ddmin",
                                         .units = "char"};
    return pare_reduce(&options, result, err);
}

/* 64 bytes: from there on the first few of them are a control. */
static const char LONG[] = "%PDF needle 4567890123456789012345678901234567890123456789012345";

static void test_input_check__a_test_that_holds_for_less_than_an_input_is_refused(void **state)
{
    static const struct {
        fails *fails;
        const char *input, *says; /* NULL: it is reduced */
    } rows[] = {{always, "needle", "there for an empty input,"},
                {when_not_empty, "needle", "there for a single line end,"},
                {when_not_empty, "\n", NULL}, /* it is a line end itself */
                {by_first_byte, LONG, "there for the first four bytes of it,"},
                {by_first_byte, "%PDF needle", NULL}, /* the first bytes may well be what matters */
                {with_needle, LONG, NULL}};
    (void)state;
    assert_int_equal(sizeof LONG - 1, 64);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct subject subject = {.fails = rows[k].fails};
        pare_result result = {0};
        pare_error err = {0};
        pare_status status = reduce(&subject, rows[k].input, PARE_OFF, &result, &err);
        assert_int_equal(status, rows[k].says ? PARE_E_STATE : PARE_OK);
        if (rows[k].says) assert_non_null(strstr(err.message, rows[k].says));
        pare_result_done(&result);
    }
}

static void test_input_check__with_allow_empty_no_control_is_tested(void **state)
{
    (void)state;
    struct subject subject = {.fails = always};
    pare_result result = {0};
    assert_int_equal(reduce(&subject, "needle", PARE_ON, &result, NULL), PARE_OK);
    assert_int_equal(result.size_bytes, 1); /* ddmin keeps one unit */
    pare_result_done(&result);
}

static void test_input_check__an_input_that_does_not_fail_is_refused_after_one_test(void **state)
{
    (void)state;
    struct subject subject = {.fails = never};
    pare_result result = {0};
    pare_error err = {0};
    assert_int_equal(reduce(&subject, "needle", PARE_OFF, &result, &err), PARE_E_STATE);
    assert_non_null(strstr(err.message, "the input does not fail"));
    assert_int_equal(subject.n_tests, 1);
    assert_int_equal(result.check_exit_code, -1); /* it is no command */
    assert_false(result.check_judged);
    pare_result_done(&result);
}

/* Controls are no candidates: the algorithm's tests are those that it asks for. */
static void test_input_check__controls_are_not_counted_as_tests(void **state)
{
    (void)state;
    struct subject with = {.fails = with_needle}, without = {.fails = with_needle};
    pare_result a = {0}, b = {0};
    assert_int_equal(reduce(&with, LONG, PARE_OFF, &a, NULL), PARE_OK);
    assert_int_equal(reduce(&without, LONG, PARE_ON, &b, NULL), PARE_OK);
    assert_int_equal(with.n_tests, without.n_tests + 3);
    assert_int_equal(a.stats.tests_run, b.stats.tests_run);
    assert_int_equal(a.stats.passes[0].tests, b.stats.passes[0].tests);
    pare_result_done(&a);
    pare_result_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_input_check__a_test_that_holds_for_less_than_an_input_is_refused),
        cmocka_unit_test(test_input_check__with_allow_empty_no_control_is_tested),
        cmocka_unit_test(test_input_check__an_input_that_does_not_fail_is_refused_after_one_test),
        cmocka_unit_test(test_input_check__controls_are_not_counted_as_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
