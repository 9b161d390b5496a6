/* From words to the options of the library: defaults that follow from the input, and what is
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/option_table.h"
#include "cli/settings.h"

enum { MAX_WORDS = 16 };

/* A command line and what was made of it. */
struct line {
    char text[256];
    char *argv[MAX_WORDS];
    pare_arguments arguments;
    pare_settings settings;
    pare_error err;
};

static pare_status read_line(struct line *line, const char *text, const char *test,
                             const char *input)
{
    const pare_option_set set = {pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_REDUCE};
    int argc = 0;
    *line = (struct line){.settings = {.can_replace = true}};
    (void)snprintf(line->text, sizeof line->text, "%s", text);
    for (char *word = strtok(line->text, " "); word && argc < MAX_WORDS; word = strtok(NULL, " "))
        line->argv[argc++] = word;
    pare_status status = pare_options_parse(&set, argc, line->argv, &line->arguments, &line->err);
    if (status) return status;
    line->settings.in_place = line->arguments.values[PARE_OPT_IN_PLACE].position != 0;
    return pare_settings_read(&line->arguments, test, input, &line->settings, &line->err);
}

static void line_done(struct line *line)
{
    pare_settings_done(&line->settings);
    pare_options_done(&line->arguments);
}

static void test_settings__places_follow_from_the_input(void **state)
{
    static const struct {
        const char *words, *input, *output, *journal; /* NULL: none */
    } rows[] = {{"", "a/x.c", "a/x.min.c", "a/x.min.c.pare"},
                {"-o y", "x.c", "y", "y.pare"},
                {"--in-place", "x.c", "x.c", "x.c.pare"},
                {"--no-journal", "x", "x.min", NULL},
                {"--journal j", "x", "x.min", "j"}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct line line;
        assert_int_equal(read_line(&line, rows[k].words, "./t", rows[k].input), PARE_OK);
        const pare_output_options *output = &line.settings.reduce.output;
        assert_string_equal(output->path, rows[k].output);
        if (rows[k].journal) assert_string_equal(output->journal_dir, rows[k].journal);
        if (!rows[k].journal) assert_null(output->journal_dir);
        assert_string_equal(line.settings.reduce.input.path, rows[k].input);
        assert_string_equal(line.settings.reduce.test.command, "./t");
        line_done(&line);
    }
}

static void test_settings__what_contradicts_itself_is_refused_with_a_sentence(void **state)
{
    static const struct {
        const char *words, *says;
    } rows[] = {{"--in-place -o y", "'--in-place' and '--output' exclude each other"},
                {"-q -v", "exclude each other"},
                {"--lang c -g x.g4", "'--lang' and '--grammar' exclude each other"},
                {"--start r", "'--start' needs the '--grammar'"},
                {"--only *.c", "chooses among files"},
                {"--keep lines", "is kind, message, line or exact"},
                {"-a ddmn", "unknown algorithm 'ddmn': did you mean 'ddmin'?"},
                {"-a ddmin,", "unknown algorithm ''"},
                {"--unit lines", "unknown unit 'lines': did you mean 'line'?"},
                {"--keep kind", "is for a PROGRAM, not for a TEST"},
                {"--report y -o y", "'--report' would overwrite the file of '--output'"},
                {"--trace y -o y", "'--trace' would overwrite the file of '--output'"},
                {"--stats y --trace y", "'--stats' would overwrite the file of '--trace'"}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct line line;
        assert_int_equal(read_line(&line, rows[k].words, "./t", "x"), PARE_E_ARG);
        if (!strstr(line.err.message, rows[k].says))
            fail_msg("%s: %s", rows[k].words, line.err.message);
        line_done(&line);
    }
}

static void test_settings__of_two_switches_the_later_one_counts(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(read_line(&line, "--fixpoint --no-fixpoint", "./t", "x"), PARE_OK);
    assert_int_equal(line.settings.reduce.lists.fixpoint, PARE_FIXPOINT_OFF);
    line_done(&line);
    assert_int_equal(read_line(&line, "--no-fixpoint --fixpoint", "./t", "x"), PARE_OK);
    assert_int_equal(line.settings.reduce.lists.fixpoint, PARE_FIXPOINT_ON);
    line_done(&line);
}

/* Of a program the options say what its failure is; what is named is not learnt. */
static void test_settings__what_is_kept_of_a_program_is_read(void **state)
{
    static const char *const words[] = {"prog", "@@"};
    static const struct {
        const char *words;
        size_t n_patterns;
        pare_status status;
    } rows[] = {{"--exit 255", 0, PARE_OK},
                {"--exit nonzero --stderr x --stderr y", 2, PARE_OK},
                {"--exit 256", 0, PARE_E_ARG},
                {"--exit=-1", 0, PARE_E_ARG},
                {"--message x --exit 1", 0, PARE_E_ARG}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct line line;
        assert_int_equal(read_line(&line, rows[k].words, NULL, "dir/in.c"), PARE_OK);
        assert_int_equal(
            pare_settings_read_program(&line.arguments, words, 2, &line.settings, &line.err),
            rows[k].status);
        if (!rows[k].status)
            assert_string_equal(line.settings.reduce.output.also_dir, "dir/in.also");
        assert_int_equal(line.settings.reduce.keep.n_patterns, rows[k].n_patterns);
        line_done(&line);
    }
}

static void test_settings__a_test_takes_no_options_of_a_program(void **state)
{
    (void)state;
    struct line line;
    assert_int_equal(read_line(&line, "--exit 1", "./t", "x"), PARE_OK);
    assert_int_equal(pare_settings_check_test(&line.arguments, &line.err), PARE_E_ARG);
    assert_non_null(strstr(line.err.message, "'--exit' is for a PROGRAM"));
    line_done(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings__places_follow_from_the_input),
        cmocka_unit_test(test_settings__what_contradicts_itself_is_refused_with_a_sentence),
        cmocka_unit_test(test_settings__of_two_switches_the_later_one_counts),
        cmocka_unit_test(test_settings__what_is_kept_of_a_program_is_read),
        cmocka_unit_test(test_settings__a_test_takes_no_options_of_a_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
