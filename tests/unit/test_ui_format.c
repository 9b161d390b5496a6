/* Sizes, durations, names and bars as they are shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/format.h"
#include "ui/progress.h"

static void test_format__sizes_keep_two_or_three_digits(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {
        {0, "0 bytes"},     {1, "1 byte"},         {999, "999 bytes"},
        {1000, "1.0 kB"},   {60218, "60.2 kB"},    {999499, "999 kB"},
        {999501, "1.0 MB"}, {104857600, "105 MB"}, {UINT64_MAX, "18.4 EB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[PARE_FORMAT_BYTES];
        assert_string_equal(pare_format_size(text, cases[i].bytes), cases[i].text);
    }
}

static void test_format__durations_change_their_unit(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {-1, "0.00 s"},        {0.354, "0.35 s"},          {12.34, "12.3 s"},
        {59.96, "1 min 00 s"}, {125, "2 min 05 s"},        {11220, "3 h 07 min"},
        {190800, "2 d 05 h"},  {1e300, "11574074 d 01 h"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[PARE_FORMAT_BYTES];
        assert_string_equal(pare_format_duration(text, cases[i].seconds), cases[i].text);
    }
}

static void test_format__counts_percents_and_rates_read_well(void **state)
{
    (void)state;
    char text[PARE_FORMAT_BYTES];
    assert_string_equal(pare_format_count(text, 0), "0");
    assert_string_equal(pare_format_count(text, 999), "999");
    assert_string_equal(pare_format_count(text, 1234567), "1,234,567");
    assert_string_equal(pare_format_count(text, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(pare_format_percent(text, 1, 1), "100 %");
    assert_string_equal(pare_format_percent(text, 0, 0), "100 %");
    assert_string_equal(pare_format_percent(text, 0, 5), "0 %");
    assert_string_equal(pare_format_percent(text, 123, 1000), "12.3 %");
    assert_string_equal(pare_format_percent(text, 48, 60218), "0.080 %");
    assert_string_equal(pare_format_percent(text, 1, 100000000), "0.000001 %");
    assert_string_equal(pare_format_rate(text, 0, 0), "0/s");
    assert_string_equal(pare_format_rate(text, 450, 10), "45/s");
    assert_string_equal(pare_format_rate(text, 32, 10), "3.2/s");
    assert_string_equal(pare_format_rate(text, 12, 100), "0.12/s");
}

static void test_format__names_stay_on_their_line_and_in_their_room(void **state)
{
    (void)state;
    char text[16];
    assert_string_equal(pare_format_name(text, sizeof text, "a b"), "a b");
    assert_string_equal(pare_format_name(text, sizeof text, "a\nb\t\x1b[m"), "a\\nb\\t\\x1b[m");
    assert_string_equal(pare_format_name(text, sizeof text, "0123456789abcdef"), "0123456789ab...");
    assert_string_equal(pare_format_name(text, sizeof text, "0123456789a\xc3\xa9\xc3\xa9"),
                        "0123456789a...");
}

static void test_format__names_show_what_a_terminal_would_obey_or_hide(void **state)
{
    (void)state;
    char text[64];
    const char *name = "\xc2\x9b"
                       "2J\xe2\x80\xae"
                       "cod.c\x9b"
                       "31m\xc3\xa9";
    assert_string_equal(pare_format_name(text, sizeof text, name),
                        "\\u{9b}2J\\u{202e}cod.c\\x9b31m\xc3\xa9");
    /* An escape goes in as a whole or not at all. */
    assert_string_equal(pare_format_name(text, 12, "0123456\xc2\x9b"), "0123456...");
}

/* What pare_format_wrap prints, to be freed. */
static char *wrapped(const char *text, size_t indent, size_t column, size_t width)
{
    char *made = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&made, &size);
    assert_non_null(out);
    pare_format_wrap(out, text, indent, column, width);
    assert_int_equal(fclose(out), 0);
    return made;
}

static void test_format__sentences_are_broken_at_blanks(void **state)
{
    static const struct {
        const char *text;
        size_t indent, column, width;
        const char *lines;
    } cases[] = {
        {"one two three", 0, 0, 20, "one two three\n"},
        {"one two three", 2, 0, 7, "one two\n  three\n"},
        {"one two three", 0, 4, 11, "one two\nthree\n"},
        {"one twothreefour five", 1, 0, 8, "one\n twothreefour\n five\n"},
        {"", 3, 0, 20, "\n"},
        /* What is in quotes stays together, if that can be. */
        {"see 'pare lang list' for it", 0, 0, 18, "see\n'pare lang list'\nfor it\n"},
        {"see 'pare lang list', or", 0, 0, 17, "see\n'pare lang list',\nor\n"},
        {"see 'pare lang list' for", 0, 0, 12, "see 'pare\nlang list'\nfor\n"},
        {"it's what they're in", 0, 0, 9, "it's what\nthey're\nin\n"},
        /* Columns are characters. */
        {"\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4", 0, 0, 5, "\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *made = wrapped(cases[i].text, cases[i].indent, cases[i].column, cases[i].width);
        assert_string_equal(made, cases[i].lines);
        free(made);
    }
}

/* No terminal: programs read it by lines. */
static void test_format__sentences_stay_whole_in_a_file(void **state)
{
    char line[256] = "", text[200];
    FILE *file = tmpfile();
    (void)state;
    assert_non_null(file);
    for (size_t i = 0; i + 1 < sizeof text; i++)
        text[i] = i % 7 ? 'a' : ' ';
    text[sizeof text - 1] = '\0';
    pare_format_sentence(file, text, 2, 0);
    rewind(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(strlen(line), strlen(text) + 1);
    assert_int_equal(fclose(file), 0);
}

static void test_sparkline__falls_with_the_size(void **state)
{
    (void)state;
    pare_sparkline line = {0};
    char text[3 * 8 + 1];
    assert_int_equal(pare_progress_spark_draw(&line, 8, PARE_ASCII, text), 0);
    for (int i = 0; i < 8; i++)
        pare_progress_spark_add(&line, 0.1 * i + 0.05, (uint64_t)1 << (16 - 2 * i));
    assert_int_equal(pare_progress_spark_draw(&line, 8, PARE_ASCII, text), 8);
    assert_string_equal(text, "@#*+=-._");
    assert_int_equal(pare_progress_spark_draw(&line, 3, PARE_UTF8, text), 3);
    assert_string_equal(text, "\xe2\x96\x88\xe2\x96\x85\xe2\x96\x81");
}

static void test_sparkline__holds_any_length_of_time(void **state)
{
    (void)state;
    pare_sparkline line = {0};
    for (int i = 0; i < 100000; i++)
        pare_progress_spark_add(&line, i * 7.3, (uint64_t)(1000000 - 9 * i));
    assert_true(line.n <= PARE_SPARKLINE_SAMPLES);
    assert_true(line.n >= PARE_SPARKLINE_SAMPLES / 2);
    for (size_t i = 1; i < line.n; i++)
        assert_true(line.size[i] <= line.size[i - 1]);
    pare_progress_spark_add(&line, 1e15, 5);
    assert_int_equal(line.size[line.n - 1], 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format__sizes_keep_two_or_three_digits),
        cmocka_unit_test(test_format__durations_change_their_unit),
        cmocka_unit_test(test_format__counts_percents_and_rates_read_well),
        cmocka_unit_test(test_format__names_stay_on_their_line_and_in_their_room),
        cmocka_unit_test(test_format__names_show_what_a_terminal_would_obey_or_hide),
        cmocka_unit_test(test_format__sentences_are_broken_at_blanks),
        cmocka_unit_test(test_format__sentences_stay_whole_in_a_file),
        cmocka_unit_test(test_sparkline__falls_with_the_size),
        cmocka_unit_test(test_sparkline__holds_any_length_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
