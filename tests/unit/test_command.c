/* Understanding the test command: words, files, shell text, identity, sentences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/command.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char *const input_names[] = {"in.c"};
static const pare_names INPUT = {.items = input_names, .n = 1};

static void test_command__marks_and_suffixes(void **state)
{
    (void)state;
    static const char *const words[] = {"cc", "-I@@x", "--in=@@.tar.gz"};
    static const char *const two[] = {"@@.a", "@@.b"};
    pare_buffer text = {0};
    assert_int_equal(pare_command_name_file(words, 3, "in.c", &text, NULL), PARE_OK);
    assert_string_equal(text.data, "in.tar.gz");
    pare_buffer_reset(&text);
    assert_int_equal(pare_command_name_file(words, 2, "in.c", &text, NULL), PARE_OK);
    assert_string_equal(text.data, "in.c");
    pare_buffer_reset(&text);
    assert_int_equal(pare_command_fill_marks("<@@.c,@@>", "/p", &text, NULL), PARE_OK);
    assert_string_equal(text.data, "</p,/p>");
    pare_buffer_reset(&text);
    assert_int_equal(pare_command_fill_marks("@@@ @@@.c x@@@@ @ @@", "/p", &text, NULL), PARE_OK);
    assert_string_equal(text.data, "@/p @/p x/p/p @ /p");
    assert_false(pare_command_is_marked("a@b"));
    assert_int_equal(pare_command_name_file(two, 2, "in", &text, NULL), PARE_E_ARG);
    pare_buffer_done(&text);
}

static void assert_refused(const char *text, pare_status status, const char *part)
{
    pare_command command = {0};
    pare_error err = {0};
    assert_int_equal(pare_command_init(&command, text, INPUT, &err), status);
    if (!strstr(err.message, part)) fail_msg("'%s' is not in: %s", part, err.message);
}

static void test_command__each_mistake_gets_its_sentence(void **state)
{
    (void)state;
    scratch_write("plain", "x", 0644);
    assert_int_equal(mkdir("folder", 0755), 0);
    assert_refused("", PARE_E_ARG, "empty");
    assert_refused(" \t", PARE_E_ARG, "empty");
    assert_refused("a 'b", PARE_E_ARG, "not closed");
    assert_refused("a \"b", PARE_E_ARG, "not closed");
    assert_refused("a\\", PARE_E_ARG, "backslash");
    assert_refused("./missing", PARE_E_IO, "does not exist");
    assert_refused("no-such-command-here x", PARE_E_IO, "not found in PATH");
    assert_refused("plain", PARE_E_IO, "chmod +x plain");
    assert_refused("./folder", PARE_E_IO, "is a directory");
    assert_refused("plain x", PARE_E_IO, "write ./plain");
    assert_refused("X=1 true", PARE_E_IO, "env X=1");
}

static void init(pare_command *command, const char *text)
{
    pare_error err = {0};
    if (pare_command_init(command, text, INPUT, &err)) fail_msg("%s", err.message);
}

static void assert_in_scratch(const char *path, const char *name)
{
    char expected[256];
    (void)snprintf(expected, sizeof expected, "%s/%s", scratch_dir, name);
    assert_string_equal(path, expected);
}

static void test_command__words_that_name_files_become_absolute(void **state)
{
    (void)state;
    pare_command command = {0};
    scratch_write("data.txt", "x", 0644);
    scratch_write("in.c", "x", 0644);
    scratch_script("run.sh", "exit 0");
    init(&command, "./run.sh data.txt in.c word -o ./folder");
    assert_int_equal(command.placement, PARE_PLACEMENT_LAST);
    assert_int_equal(command.n_words, 7);
    assert_string_equal(command.words[0], "/bin/sh");
    assert_in_scratch(command.words[1], "run.sh");
    assert_in_scratch(command.words[2], "data.txt");
    assert_string_equal(command.words[3], "in.c"); /* the candidate's own name */
    assert_string_equal(command.words[4], "word");
    assert_string_equal(command.words[5], "-o");
    assert_null(command.words[7]);
    pare_command_done(&command);
    scratch_write("out.o", "x", 0644);
    init(&command, "./run.sh data.txt -o out.o"); /* which is written, and was so by hand before */
    assert_in_scratch(command.words[2], "data.txt");
    assert_string_equal(command.words[4], "out.o");
    const pare_digest before = command.identity;
    pare_command_done(&command);
    scratch_write("out.o", "yy", 0644);
    init(&command, "./run.sh data.txt -o out.o");
    assert_true(pare_digest_equal(command.identity, before)); /* it is not read */
    pare_command_done(&command);
    init(&command, "true");
    assert_int_equal(command.words[1][0], '/');
    pare_command_done(&command);
}

static void test_command__a_file_with_spaces_is_an_executable(void **state)
{
    (void)state;
    pare_command command = {0};
    scratch_script("a test; really.sh", "exit 0");
    init(&command, "a test; really.sh");
    assert_false(command.is_shell);
    assert_in_scratch(command.words[1], "a test; really.sh");
    pare_command_done(&command);
}

static void test_command__shell_text_gets_the_candidate_as_first_parameter(void **state)
{
    (void)state;
    pare_command command = {0};
    init(&command, "grep x \"$1\" | wc");
    assert_true(command.is_shell);
    assert_int_equal(command.placement, PARE_PLACEMENT_LAST);
    assert_int_equal(command.n_words, 5);
    assert_string_equal(command.words[1], "/bin/sh");
    assert_string_equal(command.words[2], "-c");
    assert_string_equal(command.words[3], "grep x \"$1\" | wc");
    assert_string_equal(command.words[4], "pare"); /* $0; the candidate follows */
    pare_command_done(&command);
}

static void test_command__words_are_split_as_a_shell_does(void **state)
{
    (void)state;
    static const struct {
        const char *text, *joined; /* words after the first two, each followed by '|' */
    } cases[] = {
        {"true a b", "a|b|"},
        {"  true\ta\t b  ", "a|b|"},
        {"true 'a b' \"c d\" e\\ f", "a b|c d|e f|"},
        {"true a'b'\"c\"d", "abcd|"},
        {"true '' \"\"", "||"},
        {"true '$x|;' '*'", "$x|;|*|"},
        {"true \"\\$x \\\" \\a\"", "$x \" \\a|"},
        {"true \\| \\$", "||$|"},
        {"true a#b a~ x=1", "a#b|a~|x=1|"},
        {"'true'", ""},
        /* A line end that a backslash quotes is not there to a shell. */
        {"true a \\\n b", "a|b|"},
        {"true a\\\nb \\\n\\\nc\\\n", "ab|c|"},
        {"true \"a\\\nb\" 'a\\\nb'", "ab|a\\\nb|"},
        {"true \"a\\\\\nb\" a\\\\b", "a\\\nb|a\\b|"},
        {"\\\ntrue \"'\\\n'\"", "''|"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_command command = {0};
        pare_buffer joined = {0};
        init(&command, cases[k].text);
        if (command.is_shell) fail_msg("needs no shell: %s", cases[k].text);
        for (size_t w = 2; w < command.n_words; w++)
            assert_int_equal(pare_buffer_format(&joined, NULL, "%s|", command.words[w]), PARE_OK);
        assert_string_equal(joined.data ? joined.data : "", cases[k].joined);
        pare_buffer_done(&joined);
        pare_command_done(&command);
    }
}

static void test_command__what_only_a_shell_understands_is_given_to_it_whole(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "a | b",    "a $1",      "a \"$1\"", "a > b",   "~/x",    "a #b",     "! a",      "a\nb",
        "a `b`",    "a \"`b`\"", "a & b",    "a; b",    "(a)",    "a [b]*?",  "a <b",     "'a' $b",
        "a\\ b $c", "\na",       "!",        "!\\\n a", "\\\n#a", "a \\\n#b", "a \\\\\nb"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_command command = {0};
        init(&command, cases[k]);
        if (!command.is_shell) fail_msg("needs a shell: %s", cases[k]);
        assert_string_equal(command.words[3], cases[k]);
        pare_command_done(&command);
    }
}

static void test_command__what_is_quoted_is_read_back(void **state)
{
    (void)state;
    static const char *const cases[] = {"",      "a",  "a b",      "it's", "$HOME", "a|b", "'",
                                        "\"x\"", "\\", "-o=x/y.z", "a\tb", "~",     "#",   "*?"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_command command = {0};
        pare_buffer text = {0};
        assert_int_equal(pare_buffer_text(&text, "true ", NULL), PARE_OK);
        assert_int_equal(pare_command_quote(&text, cases[k], strlen(cases[k]), NULL), PARE_OK);
        init(&command, text.data);
        assert_false(command.is_shell);
        assert_int_equal(command.n_words, 3);
        assert_string_equal(command.words[2], cases[k]);
        pare_buffer_done(&text);
        pare_command_done(&command);
    }
}

static void test_command__a_plain_word_needs_no_quotes(void **state)
{
    (void)state;
    pare_buffer quoted = {0};
    assert_int_equal(pare_command_quote(&quoted, "/usr/bin/cc-12", 14, NULL), PARE_OK);
    assert_string_equal(quoted.data, "/usr/bin/cc-12");
    pare_buffer_done(&quoted);
}

static pare_digest identity_of(const char *text)
{
    pare_command command = {0};
    init(&command, text);
    pare_digest identity = command.identity;
    pare_command_done(&command);
    return identity;
}

static void test_command__a_text_is_cut_where_paths_begin_and_end(void **state)
{
    static const char *const parts[] = {"python3", "--file", "a/b.c", "x", "out"};
    pare_command_part part = pare_command_next_part(" python3 --file=a/b.c,'x'>out ");
    (void)state;
    for (size_t k = 0; k < 5; k++, part = pare_command_next_part(part.start + part.size)) {
        assert_int_equal(part.size, strlen(parts[k]));
        assert_memory_equal(part.start, parts[k], part.size);
    }
    assert_int_equal(part.size, 0);
    assert_true(pare_command_is_path_character('.'));
    assert_true(pare_command_is_path_character('\xc3'));
    assert_false(pare_command_is_path_character(':'));
    assert_false(pare_command_is_path_character('\0'));
}

static void test_command__identity_changes_with_words_and_contents_only(void **state)
{
    (void)state;
    scratch_script("id.sh", "exit 0");
    scratch_write("id.txt", "one", 0644);
    pare_digest before = identity_of("./id.sh id.txt");
    assert_true(pare_digest_equal(before, identity_of("./id.sh   'id.txt'")));
    assert_false(pare_digest_equal(before, identity_of("./id.sh id.txt more")));
    scratch_write("id.txt", "two", 0644);
    assert_false(pare_digest_equal(before, identity_of("./id.sh id.txt")));
    scratch_write("id.txt", "one", 0600);
    assert_true(pare_digest_equal(before, identity_of("./id.sh id.txt")));
    scratch_script("id.sh", "exit 1");
    assert_false(pare_digest_equal(before, identity_of("./id.sh id.txt")));
    before = identity_of("cat id.txt | wc");
    scratch_write("id.txt", "two", 0644);
    assert_false(pare_digest_equal(before, identity_of("cat id.txt | wc")));
    before = identity_of("true in.c"); /* the input may change: it is what is reduced */
    scratch_write("in.c", "other", 0644);
    assert_true(pare_digest_equal(before, identity_of("true in.c")));
}

static pare_status make(void *context)
{
    pare_command command = {0};
    pare_status status = pare_command_init(&command, context, INPUT, NULL);
    if (status) assert_null(command.words);
    pare_command_done(&command);
    return status;
}

static pare_status quote(void *context)
{
    pare_buffer quoted = {0};
    (void)context;
    pare_status status = pare_command_quote(&quoted, "it's b", 6, NULL);
    pare_buffer_done(&quoted);
    return status;
}

static void test_command__out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    static char direct[] = "true 'a b' data.txt", shell[] = "true | cat";
    sweep_allocations(make, direct);
    sweep_allocations(make, shell);
    sweep_allocations(quote, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command__marks_and_suffixes),
        cmocka_unit_test(test_command__each_mistake_gets_its_sentence),
        cmocka_unit_test(test_command__words_that_name_files_become_absolute),
        cmocka_unit_test(test_command__a_file_with_spaces_is_an_executable),
        cmocka_unit_test(test_command__shell_text_gets_the_candidate_as_first_parameter),
        cmocka_unit_test(test_command__words_are_split_as_a_shell_does),
        cmocka_unit_test(test_command__what_only_a_shell_understands_is_given_to_it_whole),
        cmocka_unit_test(test_command__what_is_quoted_is_read_back),
        cmocka_unit_test(test_command__a_plain_word_needs_no_quotes),
        cmocka_unit_test(test_command__a_text_is_cut_where_paths_begin_and_end),
        cmocka_unit_test(test_command__identity_changes_with_words_and_contents_only),
        cmocka_unit_test(test_command__out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
