/* Guesses at the failure of a program that names no error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/diagnostic.h"
#include "run/diagnostic_guess.h"
#include "run/printed.h"

/* What clang prints when it crashes without an assertion, and ends with 128 and the signal. */
static void test_diagnostic_guess__a_request_for_a_bug_report_is_no_problem(void **state)
{
    static const char printed[] =
        "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include "
        "the crash backtrace, preprocessed source, and associated run script.\n"
        "Stack dump:\n"
        "0.\tProgram arguments: clang -c a.c\n"
        "1.\ta.c:1:2: current parser token 'pragma'\n"
        "clang: error: clang frontend command failed with exit code 132 (use -v to see "
        "invocation)\n";
    const pare_observation seen = {
        .ended = PARE_ENDED_EXIT, .code = 132, .err = {printed, sizeof printed - 1}};
    static pare_diagnostics list; /* large */
    (void)state;
    list.n = 0;
    pare_diagnostic_guess(&list, &seen);
    assert_int_equal(list.n, 1);
    assert_string_equal(list.item[0].text, "Stack dump:");
    assert_true(list.item[0].is_guess);
}

/* Tools of pictures and sound, whose inputs are no texts for the collection. */
static void test_diagnostic_guess__a_warning_before_an_error_is_not_the_failure(void **state)
{
    static const struct {
        const char *printed, *text;
    } cases[] = {
        {"TIFFReadDirectory: Warning, Unknown field with tag 317 (0x13d) encountered.\n"
         "in.tif: Compression scheme 77 strip decoding is not implemented.\n",
         "in.tif: Compression scheme 77 strip decoding is not implemented."},
        {"convert: Unknown field with tag 317 (0x13d) encountered. `TIFFReadDirectory' @ "
         "warning/tiff.c/TIFFWarnings/981.\n"
         "convert: compression not supported `in.tif' @ error/tiff.c/ReadTIFFImage/1511.\n"
         "convert: no images defined `o.ppm' @ error/convert.c/ConvertImageCommand/3234.\n",
         "convert: compression not supported `in.tif' @ 1511."},
        {"in.png  zlib: inflate error = -3 (data error)\nERROR: in.png\n",
         "in.png zlib: inflate error = -3 (data error)"},
        {"in.flac: *** Got error code 2:FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH\n"
         "in.flac: ERROR while decoding data\n",
         "in.flac: *** Got error code 2:FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH"},
        /* What was thrown may look like a file's name. */
        {"Error: queue.drained\n    at run (in.js:3:5)\n", "Error: queue.drained"},
        /* Times are others in each run. */
        {"2026-11-30 06:19:21: (configfile.c.2164) parser failed near here: x\n",
         "(configfile.c.2164) parser failed near here: x"},
        {"[2026-11-30T06:19:21.5Z] parser failed near here: x\n", "parser failed near here: x"},
        {"2026-11-30 is no date: x\n", "2026-11-30 is no date: x"},
        /* What a program begins with. */
        {"Load smb config files from in.conf\nInvalid octal number create mask\nError loading "
         "services.\n",
         "Invalid octal number create mask"},
        {"Reading model section from in.mod...\nthe model is odd\n", "the model is odd"},
        {"Parsing of in.conf failed\nsee above\n", "Parsing of in.conf failed"},
        {"Loading in.conf\n", "Loading in.conf"},
        /* What a program is doing has no word for a fault. */
        {"reading from file in.pcap, link-type EN10MB (Ethernet), snapshot length 65535\n"
         "tcpdump: pcap_loop: invalid packet capture length 5000000, bigger than snaplen of "
         "65535\n",
         "tcpdump: pcap_loop: invalid packet capture length 5000000, bigger than snaplen of 65535"},
        {"Running as user \"root\" and group \"root\". This could be dangerous.\n"
         "tshark: The file \"in.pcap\" appears to be damaged or corrupt.\n"
         "(pcap: File has 5000000-byte packet, bigger than maximum of 262144)\n",
         "tshark: The file \"in.pcap\" appears to be damaged or corrupt. (pcap: File has "
         "5000000-byte packet, bigger than maximum of 262144)"},
        {"gpg: AES256.CFB encrypted data\ngpg: decryption failed: No secret key\n",
         "gpg: decryption failed: No secret key"},
        /* A line of the input that is shown is no message, whatever words it has. */
        {"odd in line 3\n    print(invalid)\n", "odd in line 3"},
        /* A warning alone is what there is. */
        {"tool: Warning, odd.\n", "tool: Warning, odd."},
    };
    static pare_diagnostics list; /* large */
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const pare_observation seen = {.ended = PARE_ENDED_EXIT,
                                       .code = 1,
                                       .err = {cases[k].printed, strlen(cases[k].printed)}};
        list.n = 0;
        pare_diagnostic_guess(&list, &seen);
        assert_int_equal(list.n, 1);
        assert_string_equal(list.item[0].text, cases[k].text);
    }
}

/* What is worth most comes first, on whichever stream it stands. */
static void test_diagnostic_guess__the_best_kind_is_taken(void **state)
{
    static const struct {
        const char *out, *err, *text;
    } cases[] = {
        {"--- FAIL: TestSum (0.00s)\n    sum_test.go:7: sum is 5\nFAIL\n", "in.go:3: odd\n",
         "failed test: TestSum: sum is 5"},
        {"in.lua:4: later\n", "in.lua:3: first\n", "first"},
        {"in.lua:4: later\n", "", "later"},
        {"reading\ndone\n", "out of paper\nby\n", "out of paper"},
        {"can't find file to patch at input line 4\n",
         "patch: **** malformed patch at line 251: x\n",
         "patch: **** malformed patch at line 251: x"},
        {"in.lua:4: later\n", "tool: all is well\n", "later"},
        {"reading\nout of paper\n", "", "out of paper"},
        {"Archive: in.zip\n    testing: a.txt   OK\n    testing: b.txt   bad CRC 23202854\n"
         "    testing: c.txt   OK\nAt least one error was detected in in.zip.\n",
         "", "testing: b.txt bad CRC 23202854"},
        /* Frames of a stack are places, but of what has failed elsewhere. */
        {"1) sum\n\n   oddly wrong\n      at Context.sum (sum.js:3:5)\n", "", "oddly wrong"},
        {"", "oddly wrong\n  in sub total at in.raku line 3\nby\n", "oddly wrong"},
        {"", "odd\n  in all, look at the next line \nby\n", "odd"},
        {"", "odd.agda:23,15-19\nno such thing\nby\n", "no such thing"},
        {"", "odd.agda:23,15-19 is wrong\n", "odd.agda:23,15-19 is wrong"},
        /* Nagios sums up below the error. */
        {"Reading data...\nError in configuration file 'a.cfg' - Line 8 (UNKNOWN VARIABLE)\n   "
         "Error "
         "processing main config file!\n",
         "", "Error in configuration file 'a.cfg' - Line 8 (UNKNOWN VARIABLE)"},
    };
    static pare_diagnostics list; /* large */
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const pare_observation seen = {.ended = PARE_ENDED_EXIT,
                                       .code = 1,
                                       .out = {cases[k].out, strlen(cases[k].out)},
                                       .err = {cases[k].err, strlen(cases[k].err)}};
        list.n = 0;
        pare_diagnostic_guess(&list, &seen);
        assert_int_equal(list.n, 1);
        assert_string_equal(list.item[0].text, cases[k].text);
    }
}

/* So that what follows from an error is no problem of its own. */
static void test_diagnostic_guess__lines_about_one_place_have_the_same(void **state)
{
    static const char printed[] = "in.conf: line 7: odd option: x\n"
                                  "in.conf line 7: x is odd here\n"
                                  "in.conf line 8: y is odd here\n"
                                  "tool:in.conf:12:4: z is odd here\n"
                                  "[!] in.conf:12: odd, at last\n";
    const pare_observation seen = {
        .ended = PARE_ENDED_EXIT, .code = 1, .err = {printed, sizeof printed - 1}};
    static pare_diagnostics list; /* large */
    (void)state;
    list.n = 0;
    pare_diagnostic_guess(&list, &seen);
    assert_int_equal(list.n, 5);
    assert_string_equal(list.item[0].place, "in.conf 7");
    assert_string_equal(list.item[1].place, "in.conf 7");
    assert_string_equal(list.item[2].place, "in.conf 8");
    assert_string_equal(list.item[3].place, "tool 12:4");
    assert_string_equal(list.item[4].place, "in.conf 12");
}

/* A warning does not end a program. */
static void test_diagnostic_guess__an_error_beside_warnings_is_the_failure(void **state)
{
    static const char printed[] =
        "[2026-12-01T03:42:38] WARNING: the match() filter is deprecated\n"
        "Error parsing filter expression, unknown type: facilty in in.conf:67:29-67:36:\n"
        "66      filter f65 { facility(mail); };\n";
    const pare_observation seen = {
        .ended = PARE_ENDED_EXIT, .code = 1, .err = {printed, sizeof printed - 1}};
    static pare_diagnostics list; /* large */
    (void)state;
    list.n = 0;
    pare_diagnostics_add(&list, &(pare_diagnostic){.severity = PARE_SEVERITY_WARNING,
                                                   .text = "WARNING: the match() filter"});
    pare_diagnostic_guess(&list, &seen);
    assert_int_equal(list.n, 2);
    assert_int_equal(list.item[1].severity, PARE_SEVERITY_ERROR);
    assert_string_equal(list.item[1].text,
                        "Error parsing filter expression, unknown type: facilty in "
                        "in.conf:67:29-67:36:");
}

/* A program that was ended by a signal has said what it had to say. */
static void test_diagnostic_guess__nothing_of_a_crash(void **state)
{
    const pare_observation seen = {
        .ended = PARE_ENDED_SIGNAL, .code = 11, .err = {"in.lua:3: odd\n", 14}};
    static pare_diagnostics list; /* large */
    (void)state;
    pare_diagnostic_guess(&list, &seen);
    assert_int_equal(list.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagnostic_guess__a_request_for_a_bug_report_is_no_problem),
        cmocka_unit_test(test_diagnostic_guess__a_warning_before_an_error_is_not_the_failure),
        cmocka_unit_test(test_diagnostic_guess__the_best_kind_is_taken),
        cmocka_unit_test(test_diagnostic_guess__lines_about_one_place_have_the_same),
        cmocka_unit_test(test_diagnostic_guess__an_error_beside_warnings_is_the_failure),
        cmocka_unit_test(test_diagnostic_guess__nothing_of_a_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
