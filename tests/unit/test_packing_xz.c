/* Files of xz: what is packed is read again, within bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "text/packing_xz.h"
#include "unit/alloc_sweep.h"

enum { SIZE = 30000 };

static const unsigned char *plain_text(void)
{
    static unsigned char bytes[SIZE];
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)('a' + i * i % 23);
    return bytes;
}

/* Skips the test where there is no liblzma. */
static void pack(size_t n, pare_buffer *packed)
{
    const pare_status status = pare_packing_xz_close(plain_text(), n, packed, NULL);
    if (status == PARE_E_UNSUPPORTED) skip();
    assert_int_equal(status, PARE_OK);
}

static size_t open_all(const pare_buffer *packed, size_t n, size_t most, pare_buffer *plain)
{
    size_t used = 1;
    const pare_span span = {(const unsigned char *)packed->data, n};
    assert_int_equal(pare_packing_xz_open(span, most, plain, &used, NULL), PARE_OK);
    return used;
}

static void test_packing_xz__what_is_packed_is_read_again(void **state)
{
    (void)state;
    for (size_t n = 0; n <= SIZE; n += SIZE / 3) {
        pare_buffer packed = {0}, plain = {0};
        pack(n, &packed);
        assert_int_equal(open_all(&packed, packed.size, SIZE, &plain), packed.size);
        assert_int_equal(plain.size, n);
        if (n) assert_memory_equal(plain.data, plain_text(), n);
        pare_buffer_done(&packed);
        pare_buffer_done(&plain);
    }
}

static void test_packing_xz__what_is_no_whole_stream_is_not_taken(void **state)
{
    pare_buffer packed = {0}, plain = {0};
    (void)state;
    pack(SIZE, &packed);
    assert_int_equal(open_all(&packed, packed.size - 1, SIZE, &plain), 0);
    assert_int_equal(open_all(&packed, 3, SIZE, &plain), 0);
    assert_int_equal(open_all(&packed, packed.size, SIZE / 2, &plain), 0);
    packed.data[packed.size / 2] ^= 1;
    assert_int_equal(open_all(&packed, packed.size, SIZE, &plain), 0);
    pare_buffer_done(&packed);
    pare_buffer_done(&plain);
}

static pare_status both_ways(void *context)
{
    pare_buffer packed = {0}, plain = {0};
    size_t used = 0;
    (void)context;
    pare_status status = pare_packing_xz_close(plain_text(), SIZE, &packed, NULL);
    if (!status)
        status = pare_packing_xz_open((pare_span){(const unsigned char *)packed.data, packed.size},
                                      SIZE, &plain, &used, NULL);
    pare_buffer_done(&packed);
    pare_buffer_done(&plain);
    return status == PARE_E_UNSUPPORTED ? PARE_OK : status;
}

static void test_packing_xz__survives_running_out_of_memory(void **state)
{
    (void)state;
    sweep_allocations(both_ways, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing_xz__what_is_packed_is_read_again),
        cmocka_unit_test(test_packing_xz__what_is_no_whole_stream_is_not_taken),
        cmocka_unit_test(test_packing_xz__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
