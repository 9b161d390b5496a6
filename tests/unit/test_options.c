/* The option parser and the words it suggests, on the table of `pare reduce`. */
/* tests: src/cli/option_table.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "cli/option_table.h"
#include "cli/options.h"

enum { MAX_WORDS = 16 };

/* Parses `line`, words separated by single spaces, for `pare reduce`. */
static pare_status parse(const char *line, pare_arguments *arguments, pare_error *err)
{
    static char text[512];
    char *argv[MAX_WORDS + 1];
    int argc = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word && argc < MAX_WORDS; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    const pare_option_set set = {pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_REDUCE};
    return pare_options_parse(&set, argc, argv, arguments, err);
}

static void test_options__stand_before_and_after_operands(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "-j 3 ./t x --output=y",        "./t -j3 x --output y", "./t x -o y --jobs=3",
        "--output y --jobs 3 -- ./t x", "-oy ./t x -j 3",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        pare_arguments arguments = {0};
        pare_error err = {0};
        assert_int_equal(parse(lines[i], &arguments, &err), PARE_OK);
        assert_int_equal(arguments.n_operands, 2);
        assert_string_equal(arguments.operands[0], "./t");
        assert_string_equal(arguments.operands[1], "x");
        assert_int_equal(arguments.values[PARE_OPT_JOBS].number, 3);
        assert_string_equal(arguments.values[PARE_OPT_OUTPUT].text, "y");
        pare_options_done(&arguments);
    }
}

static void test_options__two_dashes_end_options_and_are_remembered(void **state)
{
    (void)state;
    pare_arguments arguments = {0};
    assert_int_equal(parse("x -q -- prog -v --output", &arguments, NULL), PARE_OK);
    assert_int_equal(arguments.n_before_dashes, 1);
    assert_int_equal(arguments.n_operands, 4);
    assert_string_equal(arguments.operands[3], "--output");
    assert_int_equal(arguments.values[PARE_OPT_VERBOSE].position, 0);
    assert_int_not_equal(arguments.values[PARE_OPT_QUIET].position, 0);
    pare_options_done(&arguments);
}

static void test_options__a_flag_takes_its_one_word_after_an_equals_sign_only(void **state)
{
    (void)state;
    pare_arguments arguments = {0};
    assert_int_equal(parse("--help all", &arguments, NULL), PARE_OK);
    assert_int_not_equal(arguments.values[PARE_OPT_HELP].position, 0);
    assert_null(arguments.values[PARE_OPT_HELP].text);
    assert_int_equal(arguments.n_operands, 1);
    pare_options_done(&arguments);
    assert_int_equal(parse("t x --help=all", &arguments, NULL), PARE_OK);
    assert_string_equal(arguments.values[PARE_OPT_HELP].text, "all");
    pare_options_done(&arguments);
    assert_int_equal(parse("--help=most", &arguments, NULL), PARE_E_ARG);
    assert_int_equal(parse("--quiet=all", &arguments, NULL), PARE_E_ARG);
}

static void test_options__letters_without_value_join_and_the_last_may_have_one(void **state)
{
    (void)state;
    pare_arguments arguments = {0};
    assert_int_equal(parse("-qvj12 t x -", &arguments, NULL), PARE_OK);
    assert_int_not_equal(arguments.values[PARE_OPT_QUIET].position, 0);
    assert_int_not_equal(arguments.values[PARE_OPT_VERBOSE].position, 0);
    assert_int_equal(arguments.values[PARE_OPT_JOBS].number, 12);
    assert_string_equal(arguments.operands[2], "-");
    pare_options_done(&arguments);
}

static void test_options__the_later_of_two_counts(void **state)
{
    (void)state;
    pare_arguments arguments = {0};
    assert_int_equal(parse("--seed 1 --seed=2 --no-fixpoint --fixpoint", &arguments, NULL),
                     PARE_OK);
    assert_int_equal(arguments.values[PARE_OPT_SEED].number, 2);
    assert_true(arguments.values[PARE_OPT_FIXPOINT].position >
                arguments.values[PARE_OPT_NO_FIXPOINT].position);
    pare_options_done(&arguments);
}

static void test_options__wrong_words_are_answered_by_what_is_right(void **state)
{
    (void)state;
    static const struct {
        const char *line, *sentence;
    } cases[] = {
        {"--outptu y", "unknown option '--outptu': did you mean '--output'?"},
        {"--out y", "unknown option '--out': did you mean '--output'?"},
        {"--algoritm=x", "unknown option '--algoritm': did you mean '--algorithm'?"},
        {"--timout 3", "unknown option '--timout': did you mean '--timeout'?"},
        {"--max-test 3", "unknown option '--max-test': did you mean '--max-tests'?"},
        {"--colour never", "unknown option '--colour': did you mean '--color'?"},
        {"-output y", "unknown option '-output': did you mean '--output'?"},
        {"-m 3", "unknown option '-m': did you mean '--message'?"},
        {"--output-passing y", "unknown option '--output-passing': did you mean '--output'?"},
        {"--output", "'--output' needs a value: --output=FILE"},
        {"--output --quiet", "'--output' needs a value: --output=FILE"},
        {"--output --", "'--output' needs a value: --output=FILE"},
        {"--output=", "'--output' takes a FILE, not an empty word"},
        {"--quiet=yes", "'--quiet' takes no value"},
        {"-j 0", "'--jobs' takes a whole number from 1 to 1024, not '0'"},
        {"-j -1", "'--jobs' takes a whole number from 1 to 1024, not '-1'"},
        {"-j 4x", "'--jobs' takes a whole number from 1 to 1024, not '4x'"},
        {"-j 99999999999999999999",
         "'--jobs' takes a whole number from 1 to 1024, not '99999999999999999999'"},
        {"--max-tests 0", "'--max-tests' takes a whole number from 1, not '0'"},
        {"--granularity 1", "'--granularity' takes a whole number from 2 or 'inf', not '1'"},
        {"--order up", "'--order' takes one of forward, backward, random, not 'up'"},
        {"--color blue", "'--color' takes one of auto, always, never, not 'blue'"},
        {"--timeout 0",
         "'--timeout' takes a time above 0, such as 2, 0.5s, 500ms, 5m or 1h, not '0'"},
        {"--max-time 1e3",
         "'--max-time' takes a time above 0, such as 2, 0.5s, 500ms, 5m or 1h, not '1e3'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_arguments arguments = {0};
        pare_error err = {0};
        assert_int_equal(parse(cases[i].line, &arguments, &err), PARE_E_ARG);
        assert_string_equal(err.message, cases[i].sentence);
        assert_null(arguments.values);
    }
}

static void test_options__times_are_decimal_with_units_and_rounded_up_to_ms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t ms; /* 0: refused */
    } cases[] = {
        {"1", 1000},
        {"0.5", 500},
        {".25", 250},
        {"2.", 2000},
        {"0.0001", 1},
        {"1.0005", 1001},
        {"007.5", 7500},
        {"1000000000", 1000000000000},
        {"0", 0},
        {"0.0", 0},
        {"", 0},
        {".", 0},
        {"-1", 0},
        {"+1", 0},
        {"1,5", 0},
        {" 1", 0},
        {"1 ", 0},
        {"1e3", 0},
        {"inf", 0},
        {"nan", 0},
        {"0x10", 0},
        {"1.2.3", 0},
        {"1000000001", 0},
        {"99999999999999999999999999", 0},
        {"1s", 1000},
        {"1m", 60000},
        {"90min", 5400000},
        {"1.5h", 5400000},
        {"500ms", 500},
        {".5m", 30000},
        {"0.1ms", 1},
        {"0.00000000001h", 1},
        {"2.5ms", 3},
        {"277777h", UINT64_C(999997200000)},
        {"277778h", 0},
        {"0h", 0},
        {"m", 0},
        {".s", 0},
        {"1 m", 0},
        {"1M", 0},
        {"1d", 0},
        {"1hour", 0},
        {"1h30m", 0},
        {"1ms ", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t ms = 0;
        assert_int_equal(pare_options_read_time(cases[i].text, &ms), cases[i].ms != 0);
        assert_int_equal(ms, cases[i].ms);
    }
}

static void test_options__sizes_are_whole_with_units_of_1024(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        uint64_t bytes;
    } cases[] = {
        {"0", true, 0},        {"1", true, 1},
        {"4K", true, 4096},    {"4k", true, 4096},
        {"1M", true, 1048576}, {"2g", true, UINT64_C(1) << 31},
        {"0K", true, 0},       {"", false, 0},
        {"K", false, 0},       {"1.5G", false, 0},
        {"1KB", false, 0},     {"-1", false, 0},
        {"1 K", false, 0},     {"9999999999G", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t bytes = 0;
        assert_int_equal(pare_options_read_size(cases[i].text, &bytes), cases[i].good);
        assert_true(bytes == cases[i].bytes);
    }
}

static void test_options__whole_numbers_reach_to_the_largest(void **state)
{
    (void)state;
    uint64_t number = 0;
    assert_true(pare_options_read_whole("18446744073709551615", &number));
    assert_true(number == UINT64_MAX);
    assert_false(pare_options_read_whole("18446744073709551616", &number));
    assert_false(pare_options_read_whole("", &number));
    assert_false(pare_options_read_whole("-0", &number));
}

static void test_options__parse_survives_each_failing_allocation(void **state)
{
    (void)state;
    long live = pare_alloc_live();
    for (size_t n = 0;; n++) {
        pare_arguments arguments = {0};
        pare_error err = {0};
        pare_alloc_fault_after(n);
        pare_status status = parse("-j 3 t x", &arguments, &err);
        pare_alloc_fault_after(SIZE_MAX);
        pare_options_done(&arguments);
        assert_int_equal(pare_alloc_live(), live);
        if (status == PARE_OK) break;
        assert_int_equal(status, PARE_E_NOMEM);
    }
}

static void test_options__table_has_no_name_or_letter_twice(void **state)
{
    (void)state;
    for (size_t i = 0; i < PARE_N_OPTIONS; i++) {
        assert_non_null(pare_option_table[i].name);
        assert_non_null(pare_option_table[i].help);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(pare_option_table[i].name, pare_option_table[j].name);
            assert_false(pare_option_table[i].letter &&
                         pare_option_table[i].letter == pare_option_table[j].letter);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options__stand_before_and_after_operands),
        cmocka_unit_test(test_options__two_dashes_end_options_and_are_remembered),
        cmocka_unit_test(test_options__a_flag_takes_its_one_word_after_an_equals_sign_only),
        cmocka_unit_test(test_options__letters_without_value_join_and_the_last_may_have_one),
        cmocka_unit_test(test_options__the_later_of_two_counts),
        cmocka_unit_test(test_options__wrong_words_are_answered_by_what_is_right),
        cmocka_unit_test(test_options__times_are_decimal_with_units_and_rounded_up_to_ms),
        cmocka_unit_test(test_options__sizes_are_whole_with_units_of_1024),
        cmocka_unit_test(test_options__whole_numbers_reach_to_the_largest),
        cmocka_unit_test(test_options__parse_survives_each_failing_allocation),
        cmocka_unit_test(test_options__table_has_no_name_or_letter_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
