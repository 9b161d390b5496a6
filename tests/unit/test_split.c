/* Splitters: units tile the text, and stand where each kind of unit should. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/random.h"
#include "text/split/split.h"
#include "unit/alloc_sweep.h"

static pare_bounds split(const char *name, const void *bytes, size_t size)
{
    pare_bounds bounds = {0};
    const pare_splitter *splitter = pare_splitter_find(name);
    assert_non_null(splitter);
    assert_int_equal(splitter->split(bytes, size, &bounds, NULL), PARE_OK);
    assert_true(pare_split_bounds_check(&bounds, size));
    assert_int_equal(pare_split_bounds_begin(&bounds, bounds.n), size);
    return bounds;
}

/* The units of `bytes`, each behind a bar, are `expected`. */
static void assert_units(const char *name, const char *bytes, size_t size, const char *expected)
{
    char shown[1024];
    size_t length = 0;
    pare_bounds bounds = split(name, bytes, size);
    for (size_t i = 0; i < bounds.n; i++) {
        size_t begin = pare_split_bounds_begin(&bounds, i);
        size_t unit_size = pare_split_bounds_begin(&bounds, i + 1) - begin;
        assert_true(length + unit_size + 2 < sizeof shown);
        shown[length++] = '|';
        memcpy(shown + length, bytes + begin, unit_size);
        length += unit_size;
    }
    shown[length] = '\0';
    assert_string_equal(shown, expected);
    pare_split_bounds_done(&bounds);
}

struct row {
    const char *text, *units;
};

static void assert_rows(const char *name, const struct row *rows, size_t n)
{
    for (size_t k = 0; k < n; k++)
        assert_units(name, rows[k].text, strlen(rows[k].text), rows[k].units);
}

static void test_split__the_table_goes_from_coarse_to_fine(void **state)
{
    (void)state;
    static const char *const names[] = {"line", "token", "char", "byte"};
    size_t n;
    const pare_splitter *const *table = pare_splitters(&n);
    assert_int_equal(n, 4);
    for (size_t k = 0; k < n; k++) {
        assert_string_equal(table[k]->info.name, names[k]);
        assert_true(strlen(table[k]->info.summary) > 0);
        assert_ptr_equal(pare_splitter_find(names[k]), table[k]);
    }
    assert_null(pare_splitter_find("lines"));
    assert_null(pare_splitter_find(""));
}

static void test_split__no_bytes_are_no_units(void **state)
{
    (void)state;
    size_t n;
    const pare_splitter *const *table = pare_splitters(&n);
    for (size_t k = 0; k < n; k++) {
        pare_bounds bounds = split(table[k]->info.name, NULL, 0);
        assert_int_equal(bounds.n, 0);
        pare_split_bounds_done(&bounds);
    }
}

static void test_split__units_of_one_byte_need_no_memory(void **state)
{
    (void)state;
    long before = live_blocks();
    static const struct row rows[] = {
        {"byte", "\xff\0 any bytes \x80"}, {"char", "plain ASCII\r\n\t"}, {"token", "a+b"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        pare_bounds bounds = split(rows[k].text, rows[k].units, strlen(rows[k].units));
        assert_null(bounds.at);
        assert_int_equal(bounds.n, strlen(rows[k].units));
        assert_int_equal(live_blocks(), before);
        pare_split_bounds_done(&bounds);
    }
}

static void test_split__a_line_ends_with_lf_crlf_or_cr(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"one", "|one"},
        {"one\n", "|one\n"},
        {"a\nb\nc", "|a\n|b\n|c"},
        {"a\r\nb\r\n", "|a\r\n|b\r\n"},
        {"a\rb\rc", "|a\r|b\r|c"},
        {"a\r", "|a\r"},
        {"\r", "|\r"},
        {"\n", "|\n"},
        {"\r\n", "|\r\n"},
        {"\n\r", "|\n|\r"},
        {"\r\r\n\n\r\r", "|\r|\r\n|\n|\r|\r"},
        {"a\n\n\r\nb\rc\n", "|a\n|\n|\r\n|b\r|c\n"},
        {"a\fb\vc\n", "|a\fb\vc\n"},
    };
    assert_rows("line", rows, sizeof rows / sizeof *rows);
}

static void test_split__a_nul_is_no_line_end(void **state)
{
    (void)state;
    pare_bounds bounds = split("line", "a\0b\nc\0", 6);
    assert_int_equal(bounds.n, 2);
    assert_int_equal(pare_split_bounds_begin(&bounds, 1), 4);
    pare_split_bounds_done(&bounds);
}

static void test_split__a_char_is_a_code_point(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"\xc3\xa4", "|\xc3\xa4"},
        {"a\xc3\xa4z", "|a|\xc3\xa4|z"},
        {"e\xcc\x81", "|e|\xcc\x81"}, /* e with a combining accent: two */
        {"\xe2\x82\xac\xf0\x9f\x98\x80", "|\xe2\x82\xac|\xf0\x9f\x98\x80"},
        {"\xf4\x8f\xbf\xbf", "|\xf4\x8f\xbf\xbf"},
        {"12345678\xc2\x80", "|1|2|3|4|5|6|7|8|\xc2\x80"},
        {"1234567\xc2\x80zzzzzzzzzz", "|1|2|3|4|5|6|7|\xc2\x80|z|z|z|z|z|z|z|z|z|z"},
    };
    assert_rows("char", rows, sizeof rows / sizeof *rows);
}

static void test_split__every_invalid_byte_is_a_char_by_itself(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"\x80", "|\x80"},                                     /* stray continuation */
        {"\xc3", "|\xc3"},                                     /* cut short at the end */
        {"\xe2\x82", "|\xe2|\x82"},                            /* the same, longer */
        {"\xf0\x9f\x98", "|\xf0|\x9f|\x98"},                   /* the same, longest */
        {"\xc3z", "|\xc3|z"},                                  /* cut short by another */
        {"\xe2\x82\xc3\xa4", "|\xe2|\x82|\xc3\xa4"},           /* and by a good one */
        {"\xc0\x80", "|\xc0|\x80"},                            /* overlong NUL */
        {"\xe0\x80\xaf", "|\xe0|\x80|\xaf"},                   /* overlong slash */
        {"\xf0\x80\x80\xaf", "|\xf0|\x80|\x80|\xaf"},          /* the same */
        {"\xed\xa0\x80", "|\xed|\xa0|\x80"},                   /* surrogate */
        {"\xf4\x90\x80\x80", "|\xf4|\x90|\x80|\x80"},          /* above U+10FFFF */
        {"\xf8\x88\x80\x80\x80", "|\xf8|\x88|\x80|\x80|\x80"}, /* five bytes */
        {"\xfe\xff", "|\xfe|\xff"},
        {"a\xff\xc3\xa4", "|a|\xff|\xc3\xa4"},
    };
    assert_rows("char", rows, sizeof rows / sizeof *rows);
}

static void test_split__words_and_numbers_are_tokens(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"foo_1 bar", "|foo_1| |bar"},
        {"_x9", "|_x9"},
        {"na\xc3\xafve\xff", "|na\xc3\xafve\xff"},
        {"$x", "|$|x"},
        {"42", "|42"},
        {"0x1fUL", "|0x1fUL"},
        {"1.5e-3f", "|1.5e-3f"},
        {"1.5E+10", "|1.5E+10"},
        {"1.", "|1|."},
        {".5", "|.|5"},
        {"1..2", "|1|.|.|2"},
        {"1.2.3", "|1.2|.|3"},
        {"x.y", "|x|.|y"},
        {"1.e", "|1|.|e"},
        {"1-2", "|1|-|2"},
        {"0xe-3", "|0xe|-|3"},
        {"0x1.8p-3", "|0x1.8p-3"},
        {"0x1.f", "|0x1.f"},
        {"0x.f", "|0x.f"},
        {"1e-", "|1e|-"},
        {"1ee-3", "|1ee|-|3"},
        {"1e-3e-3", "|1e-3e|-|3"},
        {"1e5.5", "|1e5.5"},
        {"10px", "|10px"},
        {"0", "|0"},
    };
    assert_rows("token", rows, sizeof rows / sizeof *rows);
}

static void test_split__a_string_ends_on_its_line(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"\"a b\" c", "|\"a b\"| |c"},
        {"'x'`y z`", "|'x'|`y z`"},
        {"\"\"''", "|\"\"|''"},
        {"\"a\\\"b\"", "|\"a\\\"b\""},
        {"\"a\\\\\"b", "|\"a\\\\\"|b"},
        {"\"it's\"", "|\"it's\""},
        {"\"open", "|\"|open"},
        {"\"a\nb\"", "|\"|a|\n|b|\""},
        {"'a\rb'", "|'|a|\r|b|'"},
        {"\"a\\\nb\"", "|\"|a|\\|\n|b|\""},
        {"\"\\", "|\"|\\"},
        {"'\\'", "|'|\\|'"},
        {"'\\'\"b\"", "|'|\\|'|\"b\""},
        {"\"a\\\"\n\"b\"", "|\"|a|\\|\"|\n|\"b\""},
        {"' \" ' \"", "|' \" '| |\""},
    };
    assert_rows("token", rows, sizeof rows / sizeof *rows);
}

static void test_split__spaces_and_signs_are_tokens(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {" \t\v\f x", "| \t\v\f |x"},
        {"  \n  \r\n\r\n\n\r", "|  |\n|  |\r\n|\r\n|\n|\r"},
        {"a+=b>>1;", "|a|+|=|b|>|>|1|;"},
        {"\x01\x7f", "|\x01|\x7f"},
    };
    assert_rows("token", rows, sizeof rows / sizeof *rows);
    pare_bounds bounds = split("token", "a\0\0b", 4);
    assert_int_equal(bounds.n, 4);
    pare_split_bounds_done(&bounds);
}

/* Texts of bytes that matter to the splitters, in any order. */
static size_t tricky(unsigned char *bytes, size_t limit, pare_random *random)
{
    static const unsigned char alphabet[] =
        "\r\n\r\n\"'`\\\\ab09_.eExXpP+-;,()[]{} \t\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xff\xed\xa0";
    size_t size = pare_random_below(random, limit + 1);
    for (size_t k = 0; k < size; k++)
        bytes[k] = pare_random_below(random, 9)
                       ? alphabet[pare_random_below(random, sizeof alphabet)]
                       : (unsigned char)pare_random_next(random);
    return size;
}

static void test_split__units_tile_any_bytes(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 11);
    unsigned char bytes[300];
    size_t n;
    const pare_splitter *const *table = pare_splitters(&n);
    for (int round = 0; round < 20000; round++) {
        size_t size = tricky(bytes, sizeof bytes, &random);
        for (size_t k = 0; k < n; k++) {
            pare_bounds bounds = split(table[k]->info.name, bytes, size);
            pare_split_bounds_done(&bounds);
        }
    }
}

/* Whether a quote at `at` begins a string, by scanning the line without memory. */
static size_t naive_quote_end(const unsigned char *bytes, size_t size, size_t at)
{
    for (size_t k = at + 1; k < size && bytes[k] != '\n' && bytes[k] != '\r'; k++) {
        size_t backslashes = 0;
        while (bytes[k - 1 - backslashes] == '\\' && k - 1 - backslashes > at)
            backslashes++;
        if (bytes[k] == bytes[at] && backslashes % 2 == 0) return k + 1;
    }
    return at + 1;
}

static void test_split__what_is_remembered_about_quotes_changes_nothing(void **state)
{
    (void)state;
    static const unsigned char alphabet[] = {'"', '\'', '`', '\\', '\\', 'a', '\n'};
    pare_random random;
    pare_random_init(&random, 12);
    unsigned char bytes[64];
    for (int round = 0; round < 20000; round++) {
        size_t size = pare_random_below(&random, sizeof bytes + 1);
        for (size_t k = 0; k < size; k++)
            bytes[k] = alphabet[pare_random_below(&random, sizeof alphabet)];
        pare_bounds bounds = split("token", bytes, size);
        for (size_t i = 0; i < bounds.n; i++) {
            size_t begin = pare_split_bounds_begin(&bounds, i);
            if (memchr("\"'`", bytes[begin], 3))
                assert_int_equal(pare_split_bounds_begin(&bounds, i + 1),
                                 naive_quote_end(bytes, size, begin));
        }
        pare_split_bounds_done(&bounds);
    }
}

static void test_split__a_line_of_quotes_without_end_takes_linear_time(void **state)
{
    (void)state;
    /* Quadratic time would be hours here. */
    size_t size = 8000000;
    unsigned char *bytes = pare_alloc(size, 1);
    assert_non_null(bytes);
    for (size_t k = 0; k < size; k += 2)
        memcpy(bytes + k, "\\\"", 2);
    memcpy(bytes, "\"+", 2);
    pare_bounds bounds = split("token", bytes, size);
    assert_int_equal(bounds.n, size);
    pare_split_bounds_done(&bounds);
    pare_alloc_free(bytes);
}

static void test_split__a_wrong_tiling_is_seen(void **state)
{
    (void)state;
    uint32_t good[] = {0, 2, 5}, empty[] = {0, 2, 2}, late[] = {1, 2, 5};
    assert_true(pare_split_bounds_check(&(pare_bounds){.at = good, .n = 2}, 5));
    assert_false(pare_split_bounds_check(&(pare_bounds){.at = good, .n = 2}, 6));
    assert_false(pare_split_bounds_check(&(pare_bounds){.at = empty, .n = 2}, 2));
    assert_false(pare_split_bounds_check(&(pare_bounds){.at = late, .n = 2}, 5));
    assert_false(pare_split_bounds_check(&(pare_bounds){.n = 2}, 5));
}

static pare_status split_by(void *context)
{
    const pare_splitter *splitter = context;
    static const unsigned char bytes[] = "two words\r\n\xc3\xa4";
    pare_bounds bounds = {.n = 77};
    pare_error err = {0};
    pare_status status = splitter->split(bytes, sizeof bytes - 1, &bounds, &err);
    if (status) {
        assert_null(bounds.at);
        assert_int_equal(bounds.n, 77);
        assert_int_equal(err.status, status);
    }
    pare_split_bounds_done(&bounds);
    return status;
}

static void test_split__out_of_memory_leaves_out_alone(void **state)
{
    (void)state;
    static const char *const allocating[] = {"line", "token", "char"};
    for (size_t k = 0; k < 3; k++) {
        pare_splitter splitter = *pare_splitter_find(allocating[k]);
        sweep_allocations(split_by, &splitter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split__the_table_goes_from_coarse_to_fine),
        cmocka_unit_test(test_split__no_bytes_are_no_units),
        cmocka_unit_test(test_split__units_of_one_byte_need_no_memory),
        cmocka_unit_test(test_split__a_line_ends_with_lf_crlf_or_cr),
        cmocka_unit_test(test_split__a_nul_is_no_line_end),
        cmocka_unit_test(test_split__a_char_is_a_code_point),
        cmocka_unit_test(test_split__every_invalid_byte_is_a_char_by_itself),
        cmocka_unit_test(test_split__words_and_numbers_are_tokens),
        cmocka_unit_test(test_split__a_string_ends_on_its_line),
        cmocka_unit_test(test_split__spaces_and_signs_are_tokens),
        cmocka_unit_test(test_split__units_tile_any_bytes),
        cmocka_unit_test(test_split__what_is_remembered_about_quotes_changes_nothing),
        cmocka_unit_test(test_split__a_line_of_quotes_without_end_takes_linear_time),
        cmocka_unit_test(test_split__a_wrong_tiling_is_seen),
        cmocka_unit_test(test_split__out_of_memory_leaves_out_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
