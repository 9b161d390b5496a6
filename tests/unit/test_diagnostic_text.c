/* Texts of diagnostics over several lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/diagnostic.h"
#include "run/diagnostic_text.h"
#include "run/plain_line.h"
#include "run/printed.h"

/* The same words sum up where they end a line, and tell a reason where they do not; a line of the source is no
 * message, though Prettier begins it as one. */
static void test_diagnostic_text__words_of_a_summary_may_stand_in_a_message(void **state)
{
    static const struct {
        const char *printed;
        bool is_told;
    } cases[] = {
        {"Error: Program stopped due to an error", false},
        {"Error: the run stopped due to an error in rule 7", true},
        {"Error: VCL compilation failed", false},
        {"error: compilation failed: no kernel", true},
        {"fatal error: Source is not resolvable.", false},
        {"error: failed to load configuration file 'a.conf' (invalid item)", false},
        {"error: failed to load configuration: missing field 'port'", true},
        {"error: Configuration failed", false},
        {"error: bad configuration file: no value", true},
        {"filter: error: validation failed.", false},
        {"error: validation failed. The field 'age' is missing", true},
        {"Error   : Check the full log for details", false},
        {"error: no such table. Check the full log for details", true},
        {"Error: 260 errors", false},
        {"Error: 260 errors in one rule", true},
        {"User Error: warning annot-error treated as fatal error.", false},
        {"error: treated as fatal error: no return", true},
        {"[error] in.ts: SyntaxError: Type expected. (61:10)", true},
        {"[error] > 61 | const x: = 3", false},
        {"[error]   60 | const y = 2", false},
        {"[error]      |          ^", false},
        {"error: 61 is no port", true},
    };
    static pare_diagnostic found; /* large */
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *printed = cases[k].printed;
        const pare_printed_line line = {
            .start = printed, .end = printed + strlen(printed), .limit = printed + strlen(printed)};
        if (pare_diagnostic_read(&line, &found) != cases[k].is_told) fail_msg("%s", printed);
    }
}

/* A sentence goes on where it says so, and nowhere else. */
static void test_diagnostic_text__a_sentence_is_finished(void **state)
{
    static const struct {
        const char *begun, *printed, *text;
    } cases[] = {
        {"In procedure car:", "In procedure car:\nWrong type: 5\n",
         "In procedure car: Wrong type: 5"},
        {"odd", "odd\nnext line\n", "odd"},
        {"This has type", "This has type\n  int\n", "This has type"},
        {"an expression was expected of type", "an expression was expected of type\n  int\n",
         "an expression was expected of type int"},
        {"an expression was expected of type", "an expression was expected of type\n3 | f x\n",
         "an expression was expected of type"},
        {"nothing follows:", "nothing follows:", "nothing follows:"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const pare_printed printed = {cases[k].printed, strlen(cases[k].printed)};
        pare_diagnostic diagnostic = {.text = ""};
        pare_diagnostic_text_add(diagnostic.text, cases[k].begun);
        pare_diagnostic_text_finish(pare_printed_line_at(&printed, 0), diagnostic.text);
        assert_string_equal(diagnostic.text, cases[k].text);
    }
}

/* What was thrown may have its message indented below, but no frame of a stack is one. */
static void test_diagnostic_text__a_message_may_be_indented_below(void **state)
{
    static const struct {
        const char *printed, *text;
    } cases[] = {
        {"  NoMethodError:\n    undefined method\n", "undefined method"},
        {"  NoMethodError:\n  undefined method\n", ""},
        {"  NoMethodError\n    undefined method\n", ""},
        {"Error:\n\tat a.B.c(B.java:3)\n", ""},
        {"Error:", ""},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const pare_printed printed = {cases[k].printed, strlen(cases[k].printed)};
        pare_plain_line plain;
        assert_string_equal(
            pare_diagnostic_text_indented_after(pare_printed_line_at(&printed, 0), &plain),
            cases[k].text);
    }
}

/* What does not fit is cut, and hints and places go. */
static void test_diagnostic_text__texts_are_bounded_and_cut(void **state)
{
    char hint[] = "name 'rowz' is not defined. Did you mean: 'rows'?";
    char place[] = "odd thing in /tmp/in.php on line 3";
    pare_diagnostic diagnostic = {.text = ""};
    (void)state;
    for (unsigned k = 0; k < PARE_DIAGNOSTIC_BYTES; k++)
        pare_diagnostic_text_add(diagnostic.text, "word");
    assert_int_equal(strlen(diagnostic.text), PARE_DIAGNOSTIC_BYTES - 1);
    pare_diagnostic_text_cut_hint(hint);
    assert_string_equal(hint, "name 'rowz' is not defined");
    pare_diagnostic_text_cut_places(place);
    assert_string_equal(place, "odd thing");
}

static void test_diagnostic_text__a_file_is_found_by_its_whole_name(void **state)
{
    static const struct {
        const char *text, *name;
        int first, n;
    } cases[] = {
        {"module 'lid' in file box.scad, line 23", "box.scad", 21, 1},
        {"cannot read /tmp/in.c. See in.c(3) and \"in.c\"", "in.c", 17, 3},
        {"main.c in.cpp a.in.c in.c_ -in.c in.c.o", "in.c", -1, 0},
        {"in.c", "in.c", 0, 1},
        {"", "in.c", -1, 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *text = cases[k].text,
                   *at = pare_diagnostic_text_find_file(text, text, cases[k].name);
        assert_int_equal(at ? at - text : -1, cases[k].first);
        int n = 0;
        for (; at; at = pare_diagnostic_text_find_file(text, at + 1, cases[k].name))
            n++;
        assert_int_equal(n, cases[k].n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagnostic_text__words_of_a_summary_may_stand_in_a_message),
        cmocka_unit_test(test_diagnostic_text__a_sentence_is_finished),
        cmocka_unit_test(test_diagnostic_text__a_message_may_be_indented_below),
        cmocka_unit_test(test_diagnostic_text__texts_are_bounded_and_cut),
        cmocka_unit_test(test_diagnostic_text__a_file_is_found_by_its_whole_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
