/* Headers of diagnostics: their forms, and lines that only have the word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/diagnostic_header.h"

static void test_diagnostic_header__is_found_with_its_code_and_its_message(void **state)
{
    static const struct {
        const char *line, *header, *message;
        bool warns, is_exception;
    } cases[] = {
        {"in.c:5:3: error: 'n' undeclared", "error", "'n' undeclared", false, false},
        {"in.c:5:3: fatal error: no.h: gone", "fatal error", "no.h: gone", false, false},
        {"a.ts(3,1): error TS2322: Type", "error TS2322", "Type", false, false},
        {"error[E0308]: mismatched types", "error[E0308]", "mismatched types", false, false},
        {"TypeError: unsupported", "TypeError", "unsupported", false, true},
        {"%Error-PINNOTFOUND: cpu.v:14:50: Pin not found: 'zz'", "Error-PINNOTFOUND",
         "cpu.v:14:50: Pin not found: 'zz'", false, false},
        {"%Warning-WIDTH: cpu.v:3:1: too wide", "Warning-WIDTH", "cpu.v:3:1: too wide", true,
         false},
        {"in.asm:17:Error[113]   Symbol not previously defined: \"x\"", "Error[113]",
         "Symbol not previously defined: \"x\"", false, false},
        {"Error 6084 - ^ Object does not exist", "Error 6084", "^ Object does not exist", false,
         false},
        {"b.dts:1.2-3: ERROR (a_b): /x: no label", "ERROR (a_b)", "/x: no label", false, false},
        {"19:11 error duplication of key", "error", "duplication of key", false, false},
        {"in.md:3:1 warning too long", "warning", "too long", true, false},
        {"** (CompileError) shop.exs:9: cannot access", "CompileError", "shop.exs:9: cannot access",
         false, true},
        {"(error \"line 8 column 37: unknown constant q\")", "error",
         "line 8 column 37: unknown constant q\")", false, false},
        {"! Undefined control sequence.", "", "Undefined control sequence.", false, false},
        {"! LaTeX Error: Environment x undefined.", "Error", "Environment x undefined.", false,
         false},
        {"2: error at line 2, col 29", "error", "", false, false},
        {"in.gdb:8: Error in sourced command file:", "Error", "", false, false},
        {"Fatal error in parser: no brace", "Fatal error", "no brace", false, false},
        {"error(56): in.g4:7:4: no rule", "error(56)", "no rule", false, false},
        {"Error, no method found", "Error", "no method found", false, false},
        {"[E::sam_parse1] no length", "[E::sam_parse1]", "no length", false, false},
        {"[W::sam_hdr_link_pg] no end", "[W::sam_hdr_link_pg]", "no end", true, false},
        {"Unhandled exception divide_by_zero (7, 0)", "Unhandled exception",
         " divide_by_zero (7, 0)", false, true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_diagnostic_header header;
        char text[80];
        if (!pare_diagnostic_header_find(cases[k].line, &header))
            fail_msg("none: %s", cases[k].line);
        snprintf(text, sizeof text, "%.*s", (int)(header.end - header.start), header.start);
        assert_string_equal(text, cases[k].header);
        assert_string_equal(header.message, cases[k].message);
        assert_int_equal(header.severity,
                         cases[k].warns ? PARE_SEVERITY_WARNING : PARE_SEVERITY_ERROR);
        assert_int_equal(header.is_exception, cases[k].is_exception);
    }
}

static void test_diagnostic_header__the_words_in_sentences_and_counts_are_none(void **state)
{
    static const char *const lines[] = {
        "no errors found",
        "the error handler was called",
        "1 error generated",
        "12 warnings and 3 errors",
        "10:05 the error counter",
        "it has 3 error codes",
        "! [rejected] main -> main",
        "(errors \"none\")",
        "call (TypeError) again",
        "*** 3 ERRORS ***",
        "*** NO ERRORS ***",
        "if you see Error, call us",
        "Error messages:    1",
        "error[3] = 0.25",
        "Unhandled exception 7",
        "[E::x]",
        "",
    };
    (void)state;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        pare_diagnostic_header header;
        if (pare_diagnostic_header_find(lines[k], &header))
            fail_msg("'%s' has a header: %s", lines[k], header.start);
    }
}

static void test_diagnostic_header__places_are_skipped(void **state)
{
    static const struct {
        const char *line, *text;
    } cases[] = {
        {"changelog(l367): odd line", "odd line"},
        {"in.c:3:14: x", "x"},
        {"lua: in.lua:3: x", "x"},
        {"\"in.gp\" line 3: x", "x"},
        {"File \"in.ml\", line 3, characters 8-9: x", "x"},
        {"in.js: line 3, col 22, x", "x"},
        {"in.ksh[3]: x", "x"},
        {"pages/[id].ts:3:14: x", "x"},
        {"make[1]: x", "make[1]: x"},
        {"a[3]: x", "a[3]: x"},
        {"line 8 column 37: x", "x"},
        {"line 8: x", "x"},
        {"3:14 x", "x"},
        {"10:05 x", "10:05 x"}, /* a time */
        {"10:05:09 x", "10:05:09 x"},
        {"line up: x", "line up: x"},
        {"Main.hx:3: characters 5-35 : x", "x"},
        {"Main.hx:3: lines 3-5 : x", "x"},
        {"Main.hx:3: lines 3 and 5 : x", "lines 3 and 5 : x"},
        {"Main.hx:3: characters : x", "characters : x"},
        {"3 x", "3 x"},
        {"x", "x"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(pare_diagnostic_skip_place(cases[k].line), cases[k].text);
}

/* All lines of up to five of these pieces: what is found lies in the line, in order. */
static void test_diagnostic_header__any_line_of_pieces_is_read_within_its_bounds(void **state)
{
    static const char *const pieces[] = {"error", "Error", "! A",       "(",      ")",
                                         "\"",    ": ",    ":",         " ",      "3",
                                         "-X2",   "[",     " at line ", ", col ", "** "};
    enum { N = sizeof pieces / sizeof *pieces, DEPTH = 5 };
    size_t many = 1;
    (void)state;
    for (unsigned k = 0; k < DEPTH; k++)
        many *= N + 1;
    for (size_t number = 0; number < many; number++) {
        char made[64] = "";
        for (size_t rest = number; rest; rest /= N + 1)
            if (rest % (N + 1)) strcat(made, pieces[rest % (N + 1) - 1]);
        char *line = strdup(made); /* no byte more: AddressSanitizer sees one that is read */
        assert_non_null(line);
        pare_diagnostic_header header;
        const char *text = pare_diagnostic_skip_place(line);
        assert_true(text >= line && text <= line + strlen(line));
        bool found = pare_diagnostic_header_find(line, &header);
        if (found && !(line <= header.start && header.start <= header.end &&
                       header.end <= header.message && header.message <= line + strlen(line)))
            fail_msg("out of order: '%s'", line);
        free(line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagnostic_header__is_found_with_its_code_and_its_message),
        cmocka_unit_test(test_diagnostic_header__the_words_in_sentences_and_counts_are_none),
        cmocka_unit_test(test_diagnostic_header__places_are_skipped),
        cmocka_unit_test(test_diagnostic_header__any_line_of_pieces_is_read_within_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
