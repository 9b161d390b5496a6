/* Numbers as binary formats write them, and checksums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/binary/chunk_coding.h"

static void test_chunk_coding__what_is_written_is_read(void **state)
{
    static const uint64_t values[] = {0, 1, 0x7f, 0x80, 0xff, 0x1234, 0xfedcba98, UINT64_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (pare_coding coding = PARE_CODING_LITTLE; coding <= PARE_CODING_DER; coding++) {
            unsigned char bytes[PARE_CODING_MOST_BYTES] = {0};
            uint32_t width = pare_chunk_coding_width(coding, 8, values[i]);
            pare_chunk_coding_write(coding, width, values[i], bytes);
            pare_coded coded = pare_chunk_coding_read(coding, 8, bytes, width);
            assert_int_equal(coded.width, width);
            assert_true(coded.value == values[i]);
            /* Nothing is read beyond the end. */
            assert_int_equal(pare_chunk_coding_read(coding, 8, bytes, width - 1).width, 0);
        }
}

static void test_chunk_coding__a_leb_number_has_64_bits_at_most(void **state)
{
    static const char largest[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
    static const char *const none[] = {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",
                                       "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f",
                                       "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80"};
    (void)state;
    pare_coded coded =
        pare_chunk_coding_read(PARE_CODING_LEB, 0, (const unsigned char *)largest, 10);
    assert_int_equal(coded.width, 10);
    assert_true(coded.value == UINT64_MAX);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(
            pare_chunk_coding_read(PARE_CODING_LEB, 0, (const unsigned char *)none[i], 10).width,
            0);
}

static void test_chunk_coding__padded_numbers_keep_their_width(void **state)
{
    unsigned char bytes[5];
    (void)state;
    pare_chunk_coding_write(PARE_CODING_LEB, 5, 31, bytes);
    assert_memory_equal(bytes, "\x9f\x80\x80\x80\0", 5);
    pare_chunk_coding_write(PARE_CODING_DER, 3, 5, bytes);
    assert_memory_equal(bytes, "\x82\0\5", 3);
    pare_chunk_coding_write(PARE_CODING_DECIMAL, 5, 42, bytes);
    assert_memory_equal(bytes, "42   ", 5);
    memcpy(bytes, "0777 ", 5);
    pare_chunk_coding_write(PARE_CODING_OCTAL, 5, 8, bytes);
    assert_memory_equal(bytes, "0010 ", 5);
}

static void test_chunk_coding__digits_take_the_width_they_need(void **state)
{
    unsigned char bytes[3];
    (void)state;
    assert_int_equal(pare_chunk_coding_width(PARE_CODING_DIGITS, 3, 0), 1);
    assert_int_equal(pare_chunk_coding_width(PARE_CODING_DIGITS, 3, 100), 3);
    pare_chunk_coding_write(PARE_CODING_DIGITS, 3, 42, bytes);
    assert_memory_equal(bytes, "042", 3);
    assert_int_equal(pare_chunk_coding_read(PARE_CODING_DIGITS, 0, bytes, 3).width, 0);
    pare_coded coded = pare_chunk_coding_read(PARE_CODING_DIGITS, 0, bytes + 1, 2);
    assert_int_equal(coded.width, 2);
    assert_true(coded.value == 42);
    assert_int_equal(pare_chunk_coding_read(PARE_CODING_DIGITS, 0, bytes, 0).width, 0);
}

static void test_chunk_coding__colours_are_three_bits_and_a_flag(void **state)
{
    unsigned char flags = 0xf7;
    (void)state;
    assert_true(pare_chunk_coding_read(PARE_CODING_COLOURS, 1, &flags, 1).value == 8);
    pare_chunk_coding_write(PARE_CODING_COLOURS, 1, 1, &flags);
    assert_int_equal(flags, 0xf0);
    pare_chunk_coding_write(PARE_CODING_COLOURS, 1, 0, &flags);
    assert_int_equal(flags, 0x70);
    assert_true(pare_chunk_coding_read(PARE_CODING_COLOURS, 1, &flags, 1).value == 0);
    pare_chunk_coding_write(PARE_CODING_COLOURS, 1, 9, &flags);
    assert_int_equal(flags, 0xf7);
}

static void test_chunk_coding__rows_of_pdf_have_zeros_and_a_letter(void **state)
{
    unsigned char position[] = "0000012345", letter = 'n';
    (void)state;
    assert_true(pare_chunk_coding_read(PARE_CODING_ZEROS, 10, position, 10).value == 12345);
    assert_int_equal(pare_chunk_coding_read(PARE_CODING_ZEROS, 10, position, 9).width, 0);
    assert_int_equal(pare_chunk_coding_width(PARE_CODING_ZEROS, 10, 7), 10);
    pare_chunk_coding_write(PARE_CODING_ZEROS, 10, 78, position);
    assert_string_equal(position, "0000000078");
    position[0] = ' ';
    assert_int_equal(pare_chunk_coding_read(PARE_CODING_ZEROS, 10, position, 10).width, 0);
    assert_true(pare_chunk_coding_read(PARE_CODING_IN_USE, 1, &letter, 1).value == 1);
    pare_chunk_coding_write(PARE_CODING_IN_USE, 1, 0, &letter);
    assert_int_equal(letter, 'f');
    assert_int_equal(pare_chunk_coding_read(PARE_CODING_IN_USE, 1, &letter, 1).width, 1);
    letter = 'x';
    assert_int_equal(pare_chunk_coding_read(PARE_CODING_IN_USE, 1, &letter, 1).width, 0);
}

/* Zeros before the first 1 say how many bytes there are; with all other bits set it is no number. */
static void test_chunk_coding__numbers_of_ebml_say_their_width(void **state)
{
    static const uint64_t values[] = {0, 126, 127, 128, 16382, 16383, 1 << 20, (1ULL << 56) - 2};
    static const uint32_t widths[] = {1, 1, 2, 2, 2, 3, 3, 8};
    unsigned char bytes[8];
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_int_equal(pare_chunk_coding_width(PARE_CODING_EBML, 0, values[i]), widths[i]);
        for (uint32_t width = widths[i]; width <= sizeof bytes; width++) {
            pare_chunk_coding_write(PARE_CODING_EBML, width, values[i], bytes);
            assert_int_equal(pare_chunk_coding_ebml_bytes(bytes[0]), width);
            const pare_coded coded = pare_chunk_coding_read(PARE_CODING_EBML, 0, bytes, width);
            assert_int_equal(coded.width, width);
            assert_true(coded.value == values[i]);
            assert_int_equal(pare_chunk_coding_read(PARE_CODING_EBML, 0, bytes, width - 1).width,
                             0);
        }
    }
    memcpy(bytes, "\x01\xff\xff\xff\xff\xff\xff\xff", 8);
    assert_int_equal(pare_chunk_coding_read(PARE_CODING_EBML, 0, bytes, 8).width, 0);
    assert_int_equal(pare_chunk_coding_ebml_bytes(0), 0);
}

static void test_chunk_coding__digits_are_numbers_only_as_a_whole(void **state)
{
    (void)state;
    assert_int_equal(
        pare_chunk_coding_read(PARE_CODING_DECIMAL, 4, (const unsigned char *)"12  ", 4).value, 12);
    assert_int_equal(
        pare_chunk_coding_read(PARE_CODING_DECIMAL, 4, (const unsigned char *)"1x  ", 4).width, 0);
    assert_int_equal(
        pare_chunk_coding_read(PARE_CODING_OCTAL, 4, (const unsigned char *)"018", 3).width, 0);
}

static void test_chunk_coding__checksums_are_those_of_their_standards(void **state)
{
    const unsigned char *text = (const unsigned char *)"123456789";
    (void)state;
    assert_int_equal(pare_chunk_coding_crc32(text, 9), 0xcbf43926);
    assert_int_equal(pare_chunk_coding_adler32(text, 9), 0x091e01de);
    assert_int_equal(pare_chunk_coding_adler32(text, 0), 1);
    assert_int_equal(pare_chunk_coding_sum(text, 2), '1' + '2');
}

static void test_chunk_coding__numbers_of_lua(void **state)
{
    unsigned char bytes[4] = {2, 0x80, 0, 0}, code[4] = {0x24, 0x40, 1, 0};
    (void)state;
    /* The high bit is that of the last byte; zeros before it only pad. */
    assert_true(pare_chunk_coding_read(PARE_CODING_HIGH, 0, bytes, 2).value == 256);
    assert_int_equal(pare_chunk_coding_read(PARE_CODING_HIGH, 0, bytes, 1).width, 0);
    assert_int_equal(pare_chunk_coding_width(PARE_CODING_HIGH, 0, 127), 1);
    assert_int_equal(pare_chunk_coding_width(PARE_CODING_HIGH, 0, 128), 2);
    pare_chunk_coding_write(PARE_CODING_HIGH, 3, 5, bytes);
    assert_memory_equal(bytes, "\0\0\x85", 3);
    /* Bits below the number stay. */
    assert_true(pare_chunk_coding_read(PARE_CODING_FROM_14, 4, code, 4).value == 5);
    assert_true(pare_chunk_coding_read(PARE_CODING_FROM_15, 4, code, 4).value == 2);
    pare_chunk_coding_write(PARE_CODING_FROM_14, 4, 1, code);
    assert_memory_equal(code, "\x24\x40\0\0", 4);
    pare_chunk_coding_write(PARE_CODING_FROM_15, 4, 1, code);
    assert_memory_equal(code, "\x24\xc0\0\0", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_coding__what_is_written_is_read),
        cmocka_unit_test(test_chunk_coding__a_leb_number_has_64_bits_at_most),
        cmocka_unit_test(test_chunk_coding__padded_numbers_keep_their_width),
        cmocka_unit_test(test_chunk_coding__digits_take_the_width_they_need),
        cmocka_unit_test(test_chunk_coding__colours_are_three_bits_and_a_flag),
        cmocka_unit_test(test_chunk_coding__rows_of_pdf_have_zeros_and_a_letter),
        cmocka_unit_test(test_chunk_coding__numbers_of_ebml_say_their_width),
        cmocka_unit_test(test_chunk_coding__digits_are_numbers_only_as_a_whole),
        cmocka_unit_test(test_chunk_coding__checksums_are_those_of_their_standards),
        cmocka_unit_test(test_chunk_coding__numbers_of_lua),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
