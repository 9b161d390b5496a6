/* Code points out of any bytes, and their classes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parse/code_point.h"
#include "unit/alloc_sweep.h"

enum { BAD = PARE_CODE_POINT_REPLACEMENT };

static void test_code_point__malformed_parts_are_one_replacement_each(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        uint32_t point;
        size_t length;
    } cases[] = {
        {"a", 'a', 1},
        {"\xC3\xA4", 0xE4, 2},
        {"\xE2\x82\xAC", 0x20AC, 3},
        {"\xF0\x9F\x98\x80", 0x1F600, 4},
        {"\x80", BAD, 1},             /* a continuation alone */
        {"\xC0\xAF", BAD, 1},         /* too long for its value */
        {"\xE0\x80\x80", BAD, 1},     /* the same: the second byte is out of range */
        {"\xED\xA0\x80", BAD, 1},     /* a surrogate */
        {"\xE2\x82", BAD, 2},         /* cut off: the longest beginning is one part */
        {"\xF0\x9F\x98", BAD, 3},     /* the same */
        {"\xE2\x82x", BAD, 2},        /* another character comes too early */
        {"\xF4\x90\x80\x80", BAD, 1}, /* beyond the last code point */
        {"\xFF", BAD, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t point = 0;
        size_t size = strlen(cases[i].bytes);
        assert_int_equal(pare_code_point_decode(cases[i].bytes, size, &point), cases[i].length);
        assert_int_equal(point, cases[i].point);
    }
}

static void test_code_point__classes_tell_apart_what_an_interval_does(void **state)
{
    (void)state;
    static const pare_interval intervals[] = {{'0', '9'}, {'a', 'z'}, {'a', 'f'}, {0x400, 0x4FF}};
    pare_code_point_classes classes;
    assert_int_equal(pare_code_point_classes_init(&classes, intervals, 4, NULL), PARE_OK);
    static const uint32_t points[] = {0,   '/', '0', '5', '9',   ':',   'a',  'f',  'g',
                                      'z', '{', 255, 256, 0x3FF, 0x400, 1200, 1280, 0x10FFFF};
    size_t n = sizeof points / sizeof *points;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            bool alike = true;
            for (size_t j = 0; j < 4; j++) {
                bool a = points[i] >= intervals[j].from && points[i] <= intervals[j].to;
                bool b = points[k] >= intervals[j].from && points[k] <= intervals[j].to;
                alike = alike && a == b;
            }
            bool same = pare_code_point_classes_find(&classes, points[i]) ==
                        pare_code_point_classes_find(&classes, points[k]);
            assert_true(alike || !same);
        }
        assert_true(pare_code_point_classes_find(&classes, points[i]) < classes.n);
    }
    assert_true(classes.n <= 2 * 4 + 1);
    pare_code_point_classes_done(&classes);
}

static void test_code_point__without_intervals_there_is_one_class(void **state)
{
    (void)state;
    pare_code_point_classes classes;
    assert_int_equal(pare_code_point_classes_init(&classes, NULL, 0, NULL), PARE_OK);
    assert_int_equal(classes.n, 1);
    assert_int_equal(pare_code_point_classes_find(&classes, 'x'), 0);
    assert_int_equal(pare_code_point_classes_find(&classes, 0x10FFFF), 0);
    pare_code_point_classes_done(&classes);
}

static pare_status classify(void *context)
{
    static const pare_interval intervals[] = {{'0', '9'}};
    pare_code_point_classes classes;
    (void)context;
    pare_status status = pare_code_point_classes_init(&classes, intervals, 1, NULL);
    pare_code_point_classes_done(&classes);
    return status;
}

static void test_code_point__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(classify, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_code_point__malformed_parts_are_one_replacement_each),
        cmocka_unit_test(test_code_point__classes_tell_apart_what_an_interval_does),
        cmocka_unit_test(test_code_point__without_intervals_there_is_one_class),
        cmocka_unit_test(test_code_point__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
