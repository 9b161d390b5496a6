/* Numbers come back as they were written; what is cut or too large is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/varint.h"

static void test_varint__gives_numbers_back(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX};
    enum { N = sizeof numbers / sizeof *numbers };
    pare_buffer bytes = {0};
    for (size_t i = 0; i < N; i++)
        assert_int_equal(pare_varint_add(&bytes, numbers[i], NULL), PARE_OK);
    pare_varint_reader reader = {(const unsigned char *)bytes.data,
                                 (const unsigned char *)bytes.data + bytes.size, false};
    for (size_t i = 0; i < N; i++)
        assert_int_equal(pare_varint_next(&reader), numbers[i]);
    assert_false(reader.failed);
    assert_ptr_equal(reader.at, reader.end);
    pare_buffer_done(&bytes);
}

static void test_varint__that_is_cut_or_too_large_is_told(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "\x80", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const unsigned char *bytes = (const unsigned char *)wrong[i];
        pare_varint_reader reader = {bytes, bytes + strlen(wrong[i]), false};
        assert_int_equal(pare_varint_next(&reader), 0);
        assert_true(reader.failed);
    }
}

static void test_varint__bytes_are_as_many_as_there_are(void **state)
{
    (void)state;
    static const unsigned char bytes[] = "abc";
    pare_varint_reader reader = {bytes, bytes + 3, false};
    assert_ptr_equal(pare_varint_bytes(&reader, 2), bytes);
    assert_null(pare_varint_bytes(&reader, 2));
    assert_true(reader.failed);
    assert_null(pare_varint_bytes(&reader, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_varint__gives_numbers_back),
        cmocka_unit_test(test_varint__that_is_cut_or_too_large_is_told),
        cmocka_unit_test(test_varint__bytes_are_as_many_as_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
