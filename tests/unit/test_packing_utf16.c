/* UTF-16 as a packing: what is opened is closed to the same bytes, and only texts are opened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/packing_utf16.h"

static size_t open_all(bool is_little, const void *bytes, size_t n, size_t most, pare_buffer *plain)
{
    size_t used;
    pare_buffer_reset(plain);
    assert_int_equal(
        pare_packing_utf16_open(is_little, (pare_span){bytes, n}, most, plain, &used, NULL),
        PARE_OK);
    assert_true(used == 0 || used == n);
    return used;
}

static void test_packing_utf16__texts_become_utf8_and_the_same_again(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *plain;
    } little[] = {
        {"\xff\xfe"
         "a\0",
         4, "a"},
        {"\xff\xfe"
         "a\0\r\0\n\0\t\0",
         10, "a\r\n\t"},
        {"\xff\xfe\xe9\0\xac\x20", 6, "\xc3\xa9\xe2\x82\xac"},
        {"\xff\xfe\x3d\xd8\x00\xde", 6, "\xf0\x9f\x98\x80"},
    };
    pare_buffer plain = {0}, packed = {0};
    (void)state;
    for (size_t k = 0; k < sizeof little / sizeof *little; k++) {
        char big[16];
        for (size_t i = 0; i < little[k].n; i++)
            big[i] = little[k].bytes[i ^ 1];
        for (int is_little = 0; is_little < 2; is_little++) {
            const char *bytes = is_little ? little[k].bytes : big;
            assert_int_equal(open_all(is_little, bytes, little[k].n, 100, &plain), little[k].n);
            assert_int_equal(plain.size, strlen(little[k].plain));
            assert_memory_equal(plain.data, little[k].plain, plain.size);
            pare_buffer_reset(&packed);
            assert_int_equal(pare_packing_utf16_close(is_little, (const unsigned char *)plain.data,
                                                      plain.size, &packed, NULL),
                             PARE_OK);
            assert_int_equal(packed.size, little[k].n);
            assert_memory_equal(packed.data, bytes, packed.size);
            assert_int_equal(open_all(!is_little, bytes, little[k].n, 100, &plain), 0);
        }
    }
    pare_buffer_done(&plain);
    pare_buffer_done(&packed);
}

static void test_packing_utf16__what_is_no_text_is_not_opened(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
    } others[] = {
        {"", 0},
        {"\xff\xfe", 2},
        {"a\0b\0", 4}, /* no mark */
        {"\xff\xfe"
         "a\0b",
         5},
        {"\xff\xfe\0\0", 4}, /* UTF-32, or a binary */
        {"\xff\xfe\1\0", 4},
        {"\xff\xfe\x3d\xd8", 4}, /* half a pair */
        {"\xff\xfe\x3d\xd8"
         "a\0",
         6},
        {"\xff\xfe\x00\xde\x3d\xd8", 6},
    };
    pare_buffer plain = {0};
    (void)state;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        assert_int_equal(open_all(true, others[k].bytes, others[k].n, 100, &plain), 0);
    assert_int_equal(open_all(true,
                              "\xff\xfe"
                              "a\0b\0c\0",
                              8, 5, &plain),
                     0); /* too much */
    pare_buffer_done(&plain);
}

static void test_packing_utf16__half_a_character_is_replaced(void **state)
{
    pare_buffer packed = {0}, plain = {0};
    (void)state;
    assert_int_equal(
        pare_packing_utf16_close(true, (const unsigned char *)"a\xc3", 2, &packed, NULL), PARE_OK);
    assert_int_equal(packed.size, 6);
    assert_memory_equal(packed.data,
                        "\xff\xfe"
                        "a\0\xfd\xff",
                        6);
    assert_int_equal(open_all(true, packed.data, packed.size, 100, &plain), 6);
    pare_buffer_done(&packed);
    pare_buffer_done(&plain);
}

/* All texts of two units, of the byte values that matter. */
static void test_packing_utf16__whatever_is_opened_is_closed_alike(void **state)
{
    static const unsigned char values[] = {0,    1,    '\t', 0x1f, 0x20, 0x7f, 0x80, 0xd7,
                                           0xd8, 0xdb, 0xdc, 0xdf, 0xe0, 0xfd, 0xfe, 0xff};
    enum { N = sizeof values };
    pare_buffer plain = {0}, packed = {0};
    size_t n_opened = 0;
    (void)state;
    for (size_t k = 0; k < (size_t)N * N * N * N; k++) {
        const unsigned char bytes[] = {0xff,
                                       0xfe,
                                       values[k % N],
                                       values[k / N % N],
                                       values[k / N / N % N],
                                       values[k / N / N / N]};
        if (!open_all(true, bytes, sizeof bytes, 100, &plain)) continue;
        n_opened++;
        pare_buffer_reset(&packed);
        assert_int_equal(pare_packing_utf16_close(true, (const unsigned char *)plain.data,
                                                  plain.size, &packed, NULL),
                         PARE_OK);
        assert_int_equal(packed.size, sizeof bytes);
        assert_memory_equal(packed.data, bytes, sizeof bytes);
    }
    assert_true(n_opened > 1000);
    pare_buffer_done(&plain);
    pare_buffer_done(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing_utf16__texts_become_utf8_and_the_same_again),
        cmocka_unit_test(test_packing_utf16__what_is_no_text_is_not_opened),
        cmocka_unit_test(test_packing_utf16__half_a_character_is_replaced),
        cmocka_unit_test(test_packing_utf16__whatever_is_opened_is_closed_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
