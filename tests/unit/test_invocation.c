/* Invocations: the words and the environment of a run, for one file, for several inputs, and for
 * a command line of which words may be missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/invocation.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char *const input_names[] = {"a.txt", "b"};
static const pare_names ONE = {.items = input_names, .n = 1};
static const pare_names TWO = {.items = input_names, .n = 2};

static char folder[] = "/f", path[] = "/f/a.txt";

/* A program, given in words. */
static void make_target(pare_command *command, const char *const *words, size_t n,
                        pare_names inputs)
{
    pare_error err = {0};
    if (pare_command_init_target(command, words, n, inputs, &err)) fail_msg("%s", err.message);
}

/* Prepares for runs of `command`, and maybe of another one. */
static void prepare(pare_invocation *invocation, const pare_command *command,
                    const pare_command *other, const pare_layout *layout)
{
    const pare_command *const commands[] = {command, other};
    assert_int_equal(
        pare_invocation_init(invocation, commands, 2, layout, (pare_names){.n = 0}, NULL), PARE_OK);
}

/* The words after the program, each followed by '|'. */
static const char *words_of(const pare_invocation *invocation)
{
    static char joined[512];
    *joined = '\0';
    assert_string_equal(invocation->argv[0], "/bin/sh");
    for (const char **word = invocation->argv + 2; *word; word++)
        (void)strcat(strcat(joined, *word), "|");
    return joined;
}

/* How many entries of the environment begin with `start`. */
static unsigned count(const pare_invocation *invocation, const char *start)
{
    unsigned n = 0;
    for (const char **entry = invocation->environment; *entry; entry++)
        n += strncmp(*entry, start, strlen(start)) == 0;
    return n;
}

static void test_invocation__variables_of_the_test_count_more_than_ours(void **state)
{
    static const char *const words[] = {"true"};
    static const char *const more[] = {"PATH=/nowhere", "PARE_TEST_MORE=1"};
    pare_command command = {0};
    pare_invocation invocation;
    const pare_command *const commands[] = {&command};
    (void)state;
    make_target(&command, words, 1, ONE);
    const pare_names environment = {.items = more, .n = 2};
    assert_int_equal(pare_invocation_init(&invocation, commands, 1, NULL, environment, NULL),
                     PARE_OK);
    assert_int_equal(count(&invocation, "PATH="), 1);
    assert_int_equal(count(&invocation, "PATH=/nowhere"), 1);
    assert_int_equal(count(&invocation, "PARE_TEST_MORE=1"), 1);
    pare_invocation_done(&invocation);
    pare_command_done(&command);
}

static void test_invocation__one_file_takes_the_place_of_each_mark(void **state)
{
    (void)state;
    static const char *const words[] = {"true", "-o", "x", "--in=@@", "@@.txt"};
    pare_command command = {0};
    pare_invocation invocation;
    make_target(&command, words, 5, ONE);
    prepare(&invocation, &command, NULL, NULL);
    assert_false(pare_invocation_reads_words(&invocation));
    const pare_invocation_place place = {.folder = folder, .path = path};
    for (int k = 0; k < 2; k++) { /* the second run finds nothing of the first */
        assert_int_equal(pare_invocation_write(&invocation, &command, &place, NULL), PARE_OK);
        assert_string_equal(words_of(&invocation), "-o|x|--in=/f/a.txt|/f/a.txt|");
    }
    pare_invocation_done(&invocation);
    pare_command_done(&command);
}

static void test_invocation__of_a_test_the_path_is_the_last_word(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"true a", "a|/f/a.txt|"},
                                           {"true @@", "@@|/f/a.txt|"}, /* no mark in a test */
                                           {"true; x", "-c|true; x|pare|/f/a.txt|"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_command command = {0};
        pare_invocation invocation;
        assert_int_equal(pare_command_init(&command, cases[k][0], ONE, NULL), PARE_OK);
        prepare(&invocation, &command, NULL, NULL);
        const pare_invocation_place place = {.folder = folder, .path = path};
        assert_int_equal(pare_invocation_write(&invocation, &command, &place, NULL), PARE_OK);
        assert_string_equal(words_of(&invocation), cases[k][1]);
        pare_invocation_done(&invocation);
        pare_command_done(&command);
    }
}

static void test_invocation__several_inputs_repeat_a_word_with_a_mark(void **state)
{
    (void)state;
    static const char *const words[] = {"true", "--in=@@", "-v"};
    pare_command command = {0}, test = {0};
    pare_invocation invocation;
    pare_layout *layout = NULL;
    pare_text *text = NULL;
    scratch_write("a.txt", "a", 0644);
    scratch_write("b", "b", 0644);
    assert_int_equal(pare_layout_read(input_names, 2, &layout, &text, NULL), PARE_OK);
    make_target(&command, words, 3, TWO);
    assert_int_equal(pare_command_init(&test, "true x", TWO, NULL), PARE_OK);
    prepare(&invocation, &command, &test, layout);
    const pare_invocation_place place = {.folder = folder, .path = path};
    assert_int_equal(pare_invocation_write(&invocation, &command, &place, NULL), PARE_OK);
    assert_string_equal(words_of(&invocation), "--in=/f/a.txt|--in=/f/b|-v|");
    assert_int_equal(pare_invocation_write(&invocation, &test, &place, NULL), PARE_OK);
    assert_string_equal(words_of(&invocation), "x|/f/a.txt|/f/b|"); /* a test: the last ones */
    pare_invocation_done(&invocation);
    pare_command_done(&command);
    pare_command_done(&test);
    pare_layout_free(layout);
    pare_text_unref(text);
}

static void test_invocation__the_mark_is_ours_and_the_first_of_the_environment(void **state)
{
    (void)state;
    pare_command command = {0};
    pare_invocation invocation;
    assert_int_equal(setenv("PARE_TEST", "an outer pare's", 1), 0);
    assert_int_equal(setenv("KEPT", "yes", 1), 0);
    assert_int_equal(pare_command_init(&command, "true", ONE, NULL), PARE_OK);
    prepare(&invocation, &command, NULL, NULL);
    (void)strcpy(invocation.mark, "PARE_TEST=1-2.3");
    const pare_invocation_place place = {.folder = folder, .path = path};
    assert_int_equal(pare_invocation_write(&invocation, &command, &place, NULL), PARE_OK);
    assert_string_equal(invocation.environment[0], "PARE_TEST=1-2.3");
    assert_int_equal(count(&invocation, "PARE_TEST="), 1);
    assert_int_equal(count(&invocation, "KEPT=yes"), 1);
    pare_invocation_done(&invocation);
    pare_command_done(&command);
    assert_int_equal(unsetenv("PARE_TEST"), 0);
}

/* A file, three arguments and two variables; the candidate keeps what `kept` has a bit for. */
struct reduced {
    pare_layout *layout;
    pare_text *text;
    pare_layout_words words;
};

static const char *const arguments[] = {"-a", "two words", "@@"};
static const char *const variables[] = {"FIRST=1", "SECOND=2"};

static void make_reduced(struct reduced *reduced, unsigned kept)
{
    static const char *const names[] = {"a.txt"};
    pare_candidate candidate = {0};
    pare_place *places = NULL;
    size_t n = 0;
    scratch_write("a.txt", "a", 0644);
    *reduced = (struct reduced){.layout = NULL};
    assert_int_equal(pare_layout_open(names, NULL, 1, &reduced->layout, NULL), PARE_OK);
    assert_int_equal(
        pare_layout_add_words(reduced->layout, PARE_ENTRY_ARGUMENT, arguments, 3, NULL), PARE_OK);
    assert_int_equal(
        pare_layout_add_words(reduced->layout, PARE_ENTRY_VARIABLE, variables, 2, NULL), PARE_OK);
    assert_int_equal(pare_layout_text(reduced->layout, names, &reduced->text, NULL), PARE_OK);
    assert_int_equal(pare_layout_places(reduced->layout, reduced->text, &places, &n, NULL),
                     PARE_OK);
    assert_int_equal(n, 6);
    pare_candidate_start(&candidate, reduced->text);
    for (size_t k = 0; k < n; k++)
        if (k == 0 || kept >> (k - 1) & 1)
            assert_int_equal(pare_candidate_slice(&candidate, places[k].frame,
                                                  places[k].end - places[k].frame, NULL),
                             PARE_OK);
    assert_int_equal(pare_layout_words_read(reduced->layout, &candidate, &reduced->words, NULL),
                     PARE_OK);
    pare_candidate_done(&candidate);
    pare_alloc_free(places);
}

static void free_reduced(struct reduced *reduced)
{
    pare_layout_words_done(&reduced->words);
    pare_layout_free(reduced->layout);
    pare_text_unref(reduced->text);
}

static void test_invocation__a_run_gets_the_words_that_its_candidate_kept(void **state)
{
    (void)state;
    static const struct {
        unsigned kept; /* bits: three arguments, two variables */
        const char *words;
        bool first, second;
    } cases[] = {
        {0x1f, "-a|two words|/f/a.txt|", true, true},
        {0x00, "", false, false},
        {0x0a, "two words|", true, false},
        {0x15, "-a|/f/a.txt|", false, true},
        {0x1f, "-a|two words|/f/a.txt|", true, true},
    };
    static const char *const words[] = {"true", "-a", "two words", "@@"};
    pare_command command = {0}, other = {0};
    assert_int_equal(setenv("FIRST", "1", 1), 0);
    assert_int_equal(setenv("SECOND", "2", 1), 0);
    make_target(&command, words, 4, ONE);
    assert_int_equal(pare_command_init(&other, "true", ONE, NULL), PARE_OK);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct reduced reduced;
        pare_invocation invocation;
        make_reduced(&reduced, cases[k].kept);
        prepare(&invocation, &command, &other, reduced.layout);
        assert_true(pare_invocation_reads_words(&invocation));
        const pare_invocation_place place = {
            .folder = folder, .path = path, .words = &reduced.words};
        assert_int_equal(pare_invocation_write(&invocation, &command, &place, NULL), PARE_OK);
        assert_string_equal(words_of(&invocation), cases[k].words);
        assert_int_equal(count(&invocation, "FIRST="), cases[k].first);
        assert_int_equal(count(&invocation, "SECOND="), cases[k].second);
        /* Other commands see the environment as it was. */
        assert_int_equal(pare_invocation_write(&invocation, &other, &place, NULL), PARE_OK);
        assert_int_equal(count(&invocation, "FIRST=1") + count(&invocation, "SECOND=2"), 2);
        pare_invocation_done(&invocation);
        free_reduced(&reduced);
    }
    pare_command_done(&command);
    pare_command_done(&other);
}

static void test_invocation__what_a_program_needs_to_run_is_kept(void **state)
{
    static const struct {
        const char *entry;
        bool stays;
    } rows[] = {{"PATH=/bin", true}, {"HOME=", true},        {"TMPDIR=/t", true},
                {"PARE_X=1", true},  {"nothing", true},      {"PATHS=/bin", false},
                {"PAT=/bin", false}, {"LD_PRELOAD=x", false}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_int_equal(pare_invocation_keeps(rows[k].entry), rows[k].stays);
}

/* A candidate from another machine: what is set here alone, or otherwise, is not in its environment. */
static void test_invocation__a_reduced_environment_is_that_of_the_candidate(void **state)
{
    static const char *const words[] = {"true", "-a", "two words", "@@"};
    pare_command command = {0};
    struct reduced reduced;
    pare_invocation invocation;
    (void)state;
    assert_int_equal(setenv("FIRST", "other here", 1), 0);
    assert_int_equal(unsetenv("SECOND"), 0);
    assert_int_equal(setenv("ONLY_HERE", "1", 1), 0);
    make_target(&command, words, 4, ONE);
    make_reduced(&reduced, 0x1f);
    prepare(&invocation, &command, NULL, reduced.layout);
    const pare_invocation_place place = {.folder = folder, .path = path, .words = &reduced.words};
    assert_int_equal(pare_invocation_write(&invocation, &command, &place, NULL), PARE_OK);
    assert_int_equal(count(&invocation, "FIRST="), 1);
    assert_int_equal(count(&invocation, "FIRST=1"), 1);
    assert_int_equal(count(&invocation, "SECOND=2"), 1);
    assert_int_equal(count(&invocation, "ONLY_HERE="), 0);
    assert_int_equal(count(&invocation, "PATH="), 1);
    pare_invocation_done(&invocation);
    free_reduced(&reduced);
    pare_command_done(&command);
    assert_int_equal(unsetenv("ONLY_HERE"), 0);
}

/* As on another machine, where the file that a word names lies elsewhere: there the words are the program's own. */
static void test_invocation__a_word_is_the_one_that_the_program_has_in_its_place(void **state)
{
    (void)state;
    static const char *const words[] = {"true", "-a", "/there", "@@"};
    static const struct {
        unsigned kept;
        const char *words;
    } cases[] = {{0x07, "-a|/there|/f/a.txt|"}, {0x02, "/there|"}, {0x05, "-a|/f/a.txt|"}};
    pare_command command = {0};
    make_target(&command, words, 4, ONE);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct reduced reduced;
        pare_invocation invocation;
        make_reduced(&reduced, cases[k].kept);
        prepare(&invocation, &command, NULL, reduced.layout);
        const pare_invocation_place place = {
            .folder = folder, .path = path, .words = &reduced.words};
        assert_int_equal(pare_invocation_write(&invocation, &command, &place, NULL), PARE_OK);
        assert_string_equal(words_of(&invocation), cases[k].words);
        pare_invocation_done(&invocation);
        free_reduced(&reduced);
    }
    pare_command_done(&command);
}

/* A candidate that comes from elsewhere may say anything: here each of its words is a mark, of which the
 * program has one, and each stands for the paths of two inputs. */
static void test_invocation__more_marks_than_the_program_has_are_refused(void **state)
{
    (void)state;
    static const pare_entry items[] = {{.path = "a.txt", .target = "", .mode = 0600},
                                       {.path = "b", .target = "", .mode = 0600, .input = 1},
                                       {.path = "@@", .target = "-a", .kind = PARE_ENTRY_ARGUMENT},
                                       {.path = "@@", .target = "-b", .kind = PARE_ENTRY_ARGUMENT},
                                       {.path = "@@", .target = "@@", .kind = PARE_ENTRY_ARGUMENT}};
    static const char *const program[] = {"true", "-a", "-b", "@@"};
    pare_layout *layout = NULL;
    pare_layout_words hostile = {.n_arguments = 3};
    pare_command command = {0};
    pare_invocation invocation;
    assert_int_equal(
        pare_layout_recall(items, 5, (const unsigned char *)"\001marker!", false, &layout, NULL),
        PARE_OK);
    assert_int_equal(pare_buffer_add(&hostile.texts, "@@\0@@\0@@", 9, NULL), PARE_OK);
    make_target(&command, program, 4, TWO);
    prepare(&invocation, &command, NULL, layout);
    const pare_invocation_place place = {.folder = folder, .path = path, .words = &hostile};
    assert_int_equal(pare_invocation_write(&invocation, &command, &place, NULL), PARE_E_LIMIT);
    pare_invocation_done(&invocation);
    pare_command_done(&command);
    pare_layout_words_done(&hostile);
    pare_layout_free(layout);
}

static pare_status prepare_and_write(void *context)
{
    const pare_command *const commands[] = {context};
    const pare_invocation_place place = {.folder = folder, .path = path};
    pare_invocation invocation;
    pare_status status =
        pare_invocation_init(&invocation, commands, 1, NULL, (pare_names){.n = 0}, NULL);
    if (!status) status = pare_invocation_write(&invocation, context, &place, NULL);
    pare_invocation_done(&invocation);
    return status;
}

static void test_invocation__out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    static const char *const words[] = {"true", "--in=@@"};
    pare_command command = {0};
    make_target(&command, words, 2, ONE);
    sweep_allocations(prepare_and_write, &command);
    pare_command_done(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_invocation__variables_of_the_test_count_more_than_ours),
        cmocka_unit_test(test_invocation__one_file_takes_the_place_of_each_mark),
        cmocka_unit_test(test_invocation__of_a_test_the_path_is_the_last_word),
        cmocka_unit_test(test_invocation__several_inputs_repeat_a_word_with_a_mark),
        cmocka_unit_test(test_invocation__the_mark_is_ours_and_the_first_of_the_environment),
        cmocka_unit_test(test_invocation__a_run_gets_the_words_that_its_candidate_kept),
        cmocka_unit_test(test_invocation__what_a_program_needs_to_run_is_kept),
        cmocka_unit_test(test_invocation__a_reduced_environment_is_that_of_the_candidate),
        cmocka_unit_test(test_invocation__a_word_is_the_one_that_the_program_has_in_its_place),
        cmocka_unit_test(test_invocation__more_marks_than_the_program_has_are_refused),
        cmocka_unit_test(test_invocation__out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
