/* Patterns: what is read of them, what is refused, what is made. */
/* tests: src/explain/failure_pattern.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/buffer.h"
#include "explain/failure_pattern.h"

/* f(12, "abc", x) + x */
#define HEAD                                                                         \
    "{\"format\":\"pare-pattern\",\"version\":1,\"text\":\"f(12, \\\"abc\\\", x) + " \
    "x\",\"parts\":["
#define NUMBER                                                                              \
    "{\"at\":[[2,4]],\"verdict\":\"range\",\"sampled_as\":\"whole\",\"low\":9,\"high\":99," \
    "\"group\":1}"
#define STRING "{\"at\":[[6,11]],\"verdict\":\"any\",\"sampled_as\":\"string\",\"group\":2}"
#define NAME "{\"at\":[[13,14],[18,19]],\"verdict\":\"rename\",\"sampled_as\":\"name\",\"group\":1}"
#define NEEDED "{\"at\":[[0,1]],\"verdict\":\"needed\",\"sampled_as\":\"name\",\"group\":0}"
static const char whole[] = HEAD NUMBER "," STRING "," NAME "," NEEDED "]}";

static pare_status append(void *context, uint64_t number, const char *text, size_t size,
                          pare_error *err)
{
    (void)number;
    pare_status status = pare_buffer_add(context, text, size, err);
    return status ? status : pare_buffer_text(context, "\n", err);
}

static pare_status make(const char *json, const pare_failure_pattern_options *options,
                        pare_buffer *out, pare_error *err)
{
    pare_failure_pattern *pattern = NULL;
    pare_buffer_reset(out);
    pare_status status = pare_failure_pattern_read(json, strlen(json), &pattern, err);
    if (!status) status = pare_failure_pattern_make(pattern, options, append, out, err);
    pare_failure_pattern_free(pattern);
    return status;
}

static void test_failure_pattern__varies_the_first_group_at_once(void **state)
{
    pare_buffer out = {0}, again = {0};
    const pare_failure_pattern_options options = {.n = 40, .seed = 3};
    (void)state;
    assert_int_equal(make(whole, &options, &out, NULL), PARE_OK);
    unsigned n = 0;
    for (char *at = out.data, *end; (end = strchr(at, '\n')); at = end + 1, n++) {
        int number = 0;
        char first[40], second[40];
        *end = '\0';
        assert_int_equal(sscanf(at, "f(%d, \"abc\", %39[^)]) + %39s", &number, first, second), 3);
        assert_in_range(number, 9, 99);
        assert_string_equal(first, second);
        assert_string_not_equal(first, "x");
        *end = '\n';
    }
    assert_int_equal(n, 40);
    assert_int_equal(make(whole, &options, &again, NULL), PARE_OK);
    assert_string_equal(out.data, again.data);
    pare_buffer_done(&out);
    pare_buffer_done(&again);
}

static void test_failure_pattern__varies_one_part_at_a_time(void **state)
{
    pare_buffer out = {0};
    const pare_failure_pattern_options options = {.n = 3, .one = true};
    char number[16], string[80], name[80];
    (void)state;
    assert_int_equal(make(whole, &options, &out, NULL), PARE_OK);
    assert_int_equal(sscanf(out.data,
                            "f(%15[0-9], \"abc\", x) + x\nf(12, \"%79[^\"]\", x) + x\n"
                            "f(12, \"abc\", %79[^)]) + ",
                            number, string, name),
                     3);
    pare_buffer_done(&out);
}

/* Up to where there is nothing above the lower end; what is drawn lies in the range. */
/* Part 1 is around part 2: with both varied the inner one is gone. */
static void test_failure_pattern__an_outer_part_takes_those_within_it(void **state)
{
    static const char nested[] = HEAD
        "{\"at\":[[9,10]],\"verdict\":\"rename\",\"sampled_as\":\"name\",\"group\":1},"
        "{\"at\":[[6,11]],\"verdict\":\"any\",\"sampled_as\":\"string\",\"group\":1}," NAME "]}";
    pare_buffer out = {0};
    const pare_failure_pattern_options options = {.n = 30};
    (void)state;
    assert_int_equal(make(nested, &options, &out, NULL), PARE_OK);
    unsigned n = 0;
    for (char *at = out.data, *end; (end = strchr(at, '\n')); at = end + 1, n++) {
        char first[40], second[40];
        *end = '\0';
        assert_memory_equal(at, "f(12, \"", 7);
        char *close = strstr(at, "\", ");
        assert_non_null(close);
        assert_int_equal(sscanf(close, "\", %39[^)]) + %39s", first, second), 2);
        assert_string_equal(first, second);
    }
    assert_int_equal(n, 30);
    pare_buffer_done(&out);
}

static void test_failure_pattern__a_range_without_an_end_may_begin_anywhere(void **state)
{
    static const char *const lows[] = {"0", "999999999999999", "1000000000000000",
                                       "18446744073709552", "999999999999999999"};
    const pare_failure_pattern_options options = {.n = 20};
    pare_buffer out = {0};
    (void)state;
    for (size_t i = 0; i < sizeof lows / sizeof *lows; i++) {
        char json[400];
        const uint64_t low = strtoull(lows[i], NULL, 10);
        (void)snprintf(json, sizeof json,
                       HEAD "{\"at\":[[2,4]],\"verdict\":\"range\",\"sampled_as\":\"whole\","
                            "\"low\":%s,\"group\":1}]}",
                       lows[i]);
        assert_int_equal(make(json, &options, &out, NULL), PARE_OK);
        uint64_t most = 0;
        for (const char *at = out.data; (at = strstr(at, "f(")) != NULL; at++) {
            const uint64_t number = strtoull(at + 2, NULL, 10);
            assert_true(number >= low && number <= UINT64_C(1000000000000000000));
            if (number > most) most = number;
        }
        assert_true(most > low);
    }
    pare_buffer_done(&out);
}

static void test_failure_pattern__refuses_what_is_no_pattern(void **state)
{
    static const char *const wrong[] = {
        "",
        "[]",
        "{\"format\":\"other\"}",
        "{\"format\":\"pare-pattern\",\"parts\":[]}",
        "{\"format\":\"pare-pattern\",\"hex\":\"4g\",\"parts\":[]}",
        "{\"format\":\"pare-pattern\",\"hex\":\"414\",\"parts\":[]}",
        "{\"format\":\"pare-pattern\",\"text\":\"x\"}",
        HEAD "{}]}",
        HEAD "{\"at\":[[2,40]],\"verdict\":\"any\",\"sampled_as\":\"whole\",\"group\":1}]}",
        HEAD "{\"at\":[[4,2]],\"verdict\":\"any\",\"sampled_as\":\"whole\",\"group\":1}]}",
        HEAD "{\"at\":[[3,4],[1,2]],\"verdict\":\"any\",\"sampled_as\":\"whole\",\"group\":1}]}",
        HEAD "{\"at\":[[2,3]],\"verdict\":\"any\",\"sampled_as\":\"string\",\"group\":1}]}",
        HEAD "{\"at\":[[2,3]],\"verdict\":\"any\",\"sampled_as\":\"sign\",\"group\":1}]}",
        HEAD "{\"at\":[[2,3]],\"verdict\":\"any\",\"sampled_as\":\"node\",\"group\":1}]}",
        HEAD "{\"at\":[[2,3]],\"verdict\":\"any\",\"sampled_as\":\"whole\"}]}",
        HEAD "{\"at\":[[2,3]],\"verdict\":\"range\",\"sampled_as\":\"name\",\"group\":1}]}",
        HEAD "{\"at\":[[2,3]],\"verdict\":\"range\",\"sampled_as\":\"whole\",\"low\":9,\"high\":8,"
             "\"group\":1}]}",
    };
    pare_buffer out = {0};
    const pare_failure_pattern_options options = {.n = 1};
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        pare_error err = {0};
        assert_int_equal(make(wrong[k], &options, &out, &err), PARE_E_SYNTAX);
        assert_true(err.message[0]);
    }
    assert_int_equal(make(HEAD NEEDED "]}", &options, &out, NULL), PARE_E_STATE);
    pare_buffer_done(&out);
}

static pare_status make_both(void *context)
{
    pare_buffer out = {0};
    const pare_failure_pattern_options options = {.n = 2};
    (void)context;
    pare_status status = make(whole, &options, &out, NULL);
    pare_buffer_done(&out);
    return status;
}

static void test_failure_pattern__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(make_both, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failure_pattern__varies_the_first_group_at_once),
        cmocka_unit_test(test_failure_pattern__varies_one_part_at_a_time),
        cmocka_unit_test(test_failure_pattern__an_outer_part_takes_those_within_it),
        cmocka_unit_test(test_failure_pattern__a_range_without_an_end_may_begin_anywhere),
        cmocka_unit_test(test_failure_pattern__refuses_what_is_no_pattern),
        cmocka_unit_test(test_failure_pattern__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
