/* A command line that is kept with a result: what of it another command takes over, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "cli/command_note.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "unit/support/history_run.h"

static void parse(pare_arguments *arguments, const char *const *words, unsigned command)
{
    const pare_option_set set = {pare_option_table, PARE_N_OPTIONS, command};
    size_t n = 0;
    while (words[n])
        n++;
    assert_int_equal(
        pare_options_parse(&set, (int)n, (char *const *)(uintptr_t)words, arguments, NULL),
        PARE_OK);
}

/* Writes the history of "h", whose reduction had these words; NULL: it has no note. */
static void keep(const char *const *words)
{
    pare_buffer note = {0};
    if (words) {
        pare_arguments arguments = {0};
        parse(&arguments, words, PARE_COMMAND_REDUCE);
        assert_int_equal(pare_command_note_make(&arguments, &note, NULL), PARE_OK);
        pare_options_done(&arguments);
    }
    history_note = words ? note.data : NULL;
    write_history();
    pare_buffer_done(&note);
}

/* What "pare explain" with `given` is with the note: the words, one after a blank each. */
static void assert_recalled(const char *const *reduction, const char *const *given,
                            const char *expected)
{
    pare_arguments arguments = {0};
    pare_noted_words recalled = {.n = 0};
    pare_buffer all = {0};
    keep(reduction);
    parse(&arguments, given, PARE_COMMAND_EXPLAIN);
    assert_int_equal(pare_command_note_recall(&arguments, &recalled, NULL), PARE_OK);
    for (size_t k = 0; k < recalled.n; k++)
        assert_int_equal(pare_buffer_format(&all, NULL, " %s", recalled.words[k]), PARE_OK);
    assert_string_equal(all.data, expected);
    pare_buffer_done(&all);
    pare_command_note_done(&recalled);
    pare_options_done(&arguments);
    remove_history();
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_command_note__the_test_is_taken_over(void **state)
{
    (void)state;
    assert_recalled(WORDS("./test.sh", "in.c", "-o", "h"), WORDS("h"), " h ./test.sh");
    assert_recalled(WORDS("-q", "grep -q b", "in.c"), WORDS("-j2", "h"), " -j2 h grep -q b");
}

/* How long, how many at once and what is written are questions of the other command. */
static void test_command_note__options_of_the_failure_are_taken_over(void **state)
{
    (void)state;
    assert_recalled(WORDS("in.c", "--stderr=a b", "--max-tests", "7", "--timeout", "3", "--stderr",
                          "c", "--report", "r.html", "-j3", "--no-output=d", "-a", "hdd", "--",
                          "cc", "-c", "@@"),
                    WORDS("h", "--json"),
                    " --stderr=a b --stderr=c --no-output=d --timeout=3 h --json -- cc -c @@");
}

static void assert_refused(const char *const *reduction, const char *why)
{
    pare_arguments arguments = {0};
    pare_noted_words recalled = {.n = 0};
    pare_error err = {0};
    keep(reduction);
    parse(&arguments, WORDS("h"), PARE_COMMAND_EXPLAIN);
    assert_int_equal(pare_command_note_recall(&arguments, &recalled, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, why));
    assert_null(recalled.words);
    pare_options_done(&arguments);
    remove_history();
}

static void test_command_note__what_gives_no_test_is_refused(void **state)
{
    (void)state;
    assert_refused(NULL, "an operand is missing");
    assert_refused(WORDS("--generator", "csmith", "--choices", "c", "--", "./test.sh"),
                   "name the TEST");
    assert_refused(WORDS("--reduce-args", "--", "cc", "-c"), "name the TEST");
}

static void test_command_note__a_damaged_note_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "no JSON", "[]", "{\"folder\":\"/\",\"words\":[\"a\"]}",
                                        "{}"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        pare_arguments arguments = {0};
        pare_noted_words recalled = {.n = 0};
        history_note = wrong[k];
        write_history();
        parse(&arguments, WORDS("h"), PARE_COMMAND_EXPLAIN);
        assert_int_equal(pare_command_note_recall(&arguments, &recalled, NULL), PARE_E_ARG);
        pare_options_done(&arguments);
        remove_history();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_note__the_test_is_taken_over),
        cmocka_unit_test(test_command_note__options_of_the_failure_are_taken_over),
        cmocka_unit_test(test_command_note__what_gives_no_test_is_refused),
        cmocka_unit_test(test_command_note__a_damaged_note_is_refused),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
