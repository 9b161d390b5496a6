/* Plain lines: what terminals and file systems put in a line is gone, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/plain_line.h"

static void make(const char *text, size_t size, pare_plain_line *plain)
{
    const pare_printed_line line = {.start = text, .end = text + size};
    pare_plain_line_make(&line, plain);
    assert_true(plain->n < PARE_PLAIN_LINE_BYTES);
    assert_int_equal(strlen(plain->text), plain->n);
}

static void test_plain_line__what_is_no_part_of_the_message_is_gone(void **state)
{
    static const struct {
        const char *printed, *plain;
    } cases[] = {
        {"  a   b\t c  ", "a b c"},
        {"\x1b[31merror\x1b[0m: x", "error: x"},
        {"/dev/shm/pare-1-a0/2/in.c:3: x", "in.c:3: x"},
        {"in ../src/in.c, and/or I/O error", "in in.c, and/or I/O error"},
        {"\xe2\x80\x98x\xe2\x80\x99 and \xe2\x80\x9cy\xe2\x80\x9d", "'x' and \"y\""},
        {"na\xc3\xafve", "na\xc3\xafve"},
        {"a\xff", "a?"},
        {"", ""},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_plain_line plain;
        make(cases[k].printed, strlen(cases[k].printed), &plain);
        assert_string_equal(plain.text, cases[k].plain);
    }
}

static void test_plain_line__a_long_line_is_cut_at_any_size(void **state)
{
    static char text[2 * PARE_PLAIN_LINE_BYTES];
    (void)state;
    for (size_t k = 0; k < sizeof text; k++)
        text[k] = "\xc3\xaf/ a\x1b["[k % 7];
    for (size_t size = 0; size <= sizeof text; size++) {
        pare_plain_line plain;
        make(text, size, &plain);
    }
    memset(text, 'x', sizeof text);
    pare_plain_line plain;
    make(text, sizeof text, &plain);
    assert_int_equal(plain.n, PARE_PLAIN_LINE_BYTES - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_line__what_is_no_part_of_the_message_is_gone),
        cmocka_unit_test(test_plain_line__a_long_line_is_cut_at_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
