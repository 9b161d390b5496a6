/* Places of code: lines and columns to offsets, and what means nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "session/test/code_places.h"
#include "unit/alloc_sweep.h"

/* The bytes at the places that are read of `report` about `text`. */
static void assert_reads(const char *text, const char *report, const char *expected)
{
    pare_code_places places;
    pare_buffer shown = {0};
    assert_int_equal(pare_code_places_read(report, strlen(report), (const unsigned char *)text,
                                           strlen(text), &places, NULL),
                     PARE_OK);
    for (size_t i = 0; i < places.n; i++) {
        assert_true(places.at[i] < strlen(text));
        if (i) assert_true(places.at[i - 1] <= places.at[i]);
        assert_int_equal(pare_buffer_add(&shown, text + places.at[i], 1, NULL), PARE_OK);
    }
    assert_int_equal(pare_buffer_add(&shown, "", 1, NULL), PARE_OK);
    assert_string_equal(shown.data, expected);
    pare_buffer_done(&shown);
    pare_code_places_done(&places);
}

static void test_code_places__are_found_in_any_order(void **state)
{
    (void)state;
    assert_reads("abc\nde\n\nf", "4 1\n1 3\n2 1\n2 2\n1 1", "acdef");
}

static void test_code_places__nonsense_is_left_out(void **state)
{
    (void)state;
    assert_reads("abc\nde\n", "0 1\n1 0\n1 4\n9 1\nx\n1\n1 2 3\n99999999999 1\n3 1\n2 2\n\n", "e");
    assert_reads("", "1 1\n", "");
    assert_reads("a", "", "");
}

static pare_status read_once(void *context)
{
    static const unsigned char text[] = "a\nb\n";
    pare_code_places places = {.n = 0};
    (void)context;
    pare_status status = pare_code_places_read("1 1\n2 1\n", 8, text, 4, &places, NULL);
    pare_code_places_done(&places);
    return status;
}

static void test_code_places__out_of_memory_is_a_clean_error(void **state)
{
    (void)state;
    sweep_allocations(read_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_code_places__are_found_in_any_order),
        cmocka_unit_test(test_code_places__nonsense_is_left_out),
        cmocka_unit_test(test_code_places__out_of_memory_is_a_clean_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
