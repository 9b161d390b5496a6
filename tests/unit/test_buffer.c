/* Growing buffers: contents, the NUL after them, and what a failure leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "unit/alloc_sweep.h"

static void test_buffer__what_is_added_is_there_with_a_nul_behind(void **state)
{
    (void)state;
    pare_buffer buffer = {0};
    for (size_t k = 0; k < 1000; k++) {
        char byte = (char)k;
        assert_int_equal(pare_buffer_add(&buffer, &byte, 1, NULL), PARE_OK);
        assert_int_equal(buffer.size, k + 1);
        assert_true(buffer.capacity > buffer.size);
        assert_int_equal(buffer.data[buffer.size], 0);
    }
    for (size_t k = 0; k < 1000; k++)
        assert_int_equal(buffer.data[k], (char)k);
    pare_buffer_done(&buffer);
    assert_null(buffer.data);
    assert_int_equal(buffer.size, 0);
}

static void test_buffer__adding_nothing_makes_it_text(void **state)
{
    (void)state;
    pare_buffer buffer = {0};
    assert_int_equal(pare_buffer_add(&buffer, NULL, 0, NULL), PARE_OK);
    assert_string_equal(buffer.data, "");
    pare_buffer_done(&buffer);
}

static void test_buffer__reset_keeps_the_memory(void **state)
{
    (void)state;
    pare_buffer buffer = {0};
    pare_buffer_reset(&buffer);
    assert_null(buffer.data);
    assert_int_equal(pare_buffer_text(&buffer, "some text", NULL), PARE_OK);
    size_t capacity = buffer.capacity;
    pare_buffer_reset(&buffer);
    assert_string_equal(buffer.data, "");
    assert_int_equal(buffer.capacity, capacity);
    pare_buffer_done(&buffer);
}

static void test_buffer__format_appends_of_any_length(void **state)
{
    (void)state;
    pare_buffer buffer = {0};
    assert_int_equal(pare_buffer_format(&buffer, NULL, "%d", 7), PARE_OK);
    assert_int_equal(pare_buffer_format(&buffer, NULL, "%0*d", 500, 1), PARE_OK);
    assert_int_equal(pare_buffer_format(&buffer, NULL, "%s", ""), PARE_OK);
    assert_int_equal(buffer.size, 501);
    assert_int_equal(strlen(buffer.data), 501);
    assert_int_equal(buffer.data[0], '7');
    assert_int_equal(buffer.data[500], '1');
    pare_buffer_done(&buffer);
}

static void test_buffer__a_text_that_cannot_be_formatted_is_an_error(void **state)
{
    (void)state;
    pare_buffer buffer = {0};
    pare_error err = {0};
    assert_int_equal(pare_buffer_text(&buffer, "x", NULL), PARE_OK);
    /* No character at all: beyond what any encoding has. */
    assert_int_equal(pare_buffer_format(&buffer, &err, "%lc", (wint_t)0x7fffffff), PARE_E_ARG);
    assert_int_equal(err.status, PARE_E_ARG);
    assert_string_equal(buffer.data, "x");
    pare_buffer_done(&buffer);
}

static void test_buffer__reserve_refuses_what_cannot_be(void **state)
{
    (void)state;
    pare_buffer buffer = {0};
    pare_error err = {0};
    assert_int_equal(pare_buffer_text(&buffer, "x", NULL), PARE_OK);
    assert_int_equal(pare_buffer_reserve(&buffer, SIZE_MAX, &err), PARE_E_NOMEM);
    assert_int_equal(err.status, PARE_E_NOMEM);
    assert_string_equal(buffer.data, "x");
    pare_buffer_done(&buffer);
}

/* Fills a buffer by every function; a failing one must leave it as it was. */
static pare_status fill(void *context)
{
    (void)context;
    pare_buffer buffer = {0};
    char long_text[300];
    memset(long_text, 'y', sizeof long_text);
    pare_status status = pare_buffer_add(&buffer, "abc", 3, NULL);
    if (status) assert_null(buffer.data);
    if (!status) {
        status = pare_buffer_format(&buffer, NULL, "%0200d", 0);
        if (status) assert_string_equal(buffer.data, "abc");
    }
    if (!status) {
        status = pare_buffer_add(&buffer, long_text, sizeof long_text, NULL);
        assert_int_equal(buffer.size, status ? 203 : 503);
        assert_int_equal(strlen(buffer.data), buffer.size);
    }
    pare_buffer_done(&buffer);
    return status;
}

static void test_buffer__out_of_memory_leaves_it_as_it_was(void **state)
{
    (void)state;
    sweep_allocations(fill, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffer__what_is_added_is_there_with_a_nul_behind),
        cmocka_unit_test(test_buffer__adding_nothing_makes_it_text),
        cmocka_unit_test(test_buffer__reset_keeps_the_memory),
        cmocka_unit_test(test_buffer__format_appends_of_any_length),
        cmocka_unit_test(test_buffer__a_text_that_cannot_be_formatted_is_an_error),
        cmocka_unit_test(test_buffer__reserve_refuses_what_cannot_be),
        cmocka_unit_test(test_buffer__out_of_memory_leaves_it_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
