/* Which of the programs that got the candidate is run to hear what is wrong with it, and how. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "run/compiler_line.h"
#include "unit/alloc_sweep.h"

#define RUN(argument, cpu, memory, folder, program, words) \
    "pare-watch-1\0" argument "\0" cpu "\0" memory "\0" folder "\0" program "\0" words

static void expect(const char *records, size_t size, bool linked, const char *wanted)
{
    pare_buffer text = {0};
    assert_int_equal((linked ? pare_compiler_line_choose_linked : pare_compiler_line_choose)(
                         records, size, "/nowhere/slot", "in.ii", &text, NULL),
                     PARE_OK);
    assert_int_equal(pare_buffer_add(&text, "", 1, NULL), PARE_OK);
    assert_string_equal(text.data, wanted);
    pare_buffer_done(&text);
}

/* The string has one NUL too many. */
#define EXPECT(records, wanted) expect(records, sizeof(records) - 1, false, wanted)
#define EXPECT_LINKED(records, wanted) expect(records, sizeof(records) - 1, true, wanted)

static void test_compiler_line__the_first_known_program_is_run_as_it_was(void **state)
{
    (void)state;
    EXPECT(RUN("1", "15", "4000000", "/nowhere/t", "/bin/cp", "3\0cp\0/x/in.ii\0in.ii\0")
               RUN("3", "15", "4000000", "/nowhere/t", "/usr/bin/x86_64-linux-gnu-g++-12",
                   "6\0g++\0-std=c++20\0-w\0in.ii\0-DA=b c\0-c\0")
                   RUN("1", "0", "0", "/nowhere/t", "/usr/lib/cc1plus", "2\0cc1plus\0in.ii\0"),
           "export LC_ALL=C; ulimit -t 15; ulimit -v 4000000; exec "
           "/usr/bin/x86_64-linux-gnu-g++-12 -std=c++20 -w \"$1\" "
           "'-DA=b c' -c -fsyntax-only -fmax-errors=50");
}

/* What is not the same program twice, with other options, or by its driver. */
static void test_compiler_line__compilers_that_are_compared_are_all_heard(void **state)
{
    (void)state;
    static const char records[] =
        RUN("1", "0", "0", "/nowhere/t", "/usr/bin/clang-14", "3\0clang++\0in.ii\0-c\0")
            RUN("1", "0", "0", "/nowhere/t", "/usr/bin/g++-12", "4\0g++\0in.ii\0-O0\0-c\0")
                RUN("1", "0", "0", "/nowhere/t", "/usr/lib/cc1plus", "2\0cc1plus\0in.ii\0")
                    RUN("1", "0", "0", "/nowhere/t", "/usr/bin/g++-12", "3\0g++\0in.ii\0-O2\0")
                        RUN("1", "0", "0", "/nowhere/t", "/usr/bin/lua", "2\0lua\0in.ii\0");
    static const char wanted[] =
        "c0() (export LC_ALL=C; exec /usr/bin/clang-14 \"$1\" -c -fsyntax-only -ferror-limit=50)\n"
        "c1() (export LC_ALL=C; exec /usr/bin/g++-12 \"$1\" -O0 -c -fsyntax-only -fmax-errors=50)\n"
        "all='c0 c1'\n";
    pare_buffer text = {0};
    assert_int_equal(pare_compiler_line_choose(records, sizeof records - 1, "/nowhere/slot",
                                               "in.ii", &text, NULL),
                     PARE_OK);
    assert_memory_equal(text.data, wanted, strlen(wanted));
    pare_buffer_done(&text);
}

/* Only the linker says which bodies are missing. */
static void test_compiler_line__what_makes_a_program_is_linked(void **state)
{
    (void)state;
    EXPECT_LINKED(RUN("1", "0", "0", "/nowhere/t", "/x/g++", "4\0g++\0in.ii\0-O2\0-lm\0"),
                  "export LC_ALL=C; /x/g++ \"$1\" -O2 -lm -fsyntax-only -fmax-errors=50 && "
                  "exec /x/g++ \"$1\" -O2 -lm -O0 -o \"$1\".made");
    EXPECT_LINKED(RUN("1", "0", "0", "/nowhere/t", "/x/clang-14", "2\0clang++\0in.ii\0"),
                  "export LC_ALL=C; /x/clang-14 \"$1\" -fsyntax-only && "
                  "exec /x/clang-14 \"$1\" -O0 --driver-mode=g++ -o \"$1\".made");
}

/* The one that has the fewest errors says what a candidate lacks; of the failing input all say where the failure is. */
static void test_compiler_line__the_compiler_with_the_fewest_errors_is_believed(void **state)
{
    static const char records[] = RUN("1", "0", "0", "/nowhere/t", "/x/gcc", "2\0gcc\0in.ii\0")
        RUN("1", "0", "0", "/nowhere/t", "/x/clang", "2\0clang\0in.ii\0");
    pare_buffer text = {0}, whole = {0};
    (void)state;
    assert_int_equal(
        pare_compiler_line_choose(records, sizeof records - 1, "/x", "in.ii", &text, NULL),
        PARE_OK);
    assert_int_equal(
        pare_compiler_line_choose_whole(records, sizeof records - 1, "/x", "in.ii", &whole, NULL),
        PARE_OK);
    assert_non_null(memmem(text.data, text.size, "break", 5));
    assert_null(memmem(whole.data, whole.size, "break", 5));
    assert_non_null(memmem(whole.data, whole.size, "tail", 4));
    pare_buffer_done(&text);
    pare_buffer_done(&whole);
}

/* Runs the text as it is run beside a test, where the compilers are these scripts. */
static void compare(const char *gcc, const char *clang, bool whole, char *said, size_t size)
{
    static const char records[] = RUN("1", "0", "0", "/nowhere/t", "./gcc", "2\0gcc\0in.ii\0")
        RUN("3", "0", "0", "/nowhere/t", "./clang", "4\0clang\0-o\0/gone/it's\0in.ii\0");
    const size_t n = sizeof records - 1;
    pare_buffer text = {0};
    assert_int_equal(setenv("GCC", gcc, 1) | setenv("CLANG", clang, 1), 0);
    assert_int_equal(whole ? pare_compiler_line_choose_whole(records, n, "/x", "in.ii", &text, NULL)
                           : pare_compiler_line_choose(records, n, "/x", "in.ii", &text, NULL),
                     PARE_OK);
    assert_int_equal(pare_buffer_add(&text, "", 1, NULL), PARE_OK);
    assert_int_equal(setenv("TEXT", text.data, 1), 0);
    FILE *run = popen("folder=$(mktemp -d) && cd \"$folder\" && >'in 1' &&"
                      "{ echo '#!/bin/sh'; printf '%s\n' \"$GCC\"; } >gcc &&"
                      "{ echo '#!/bin/sh'; printf '%s\n' \"$CLANG\"; } >clang &&"
                      "chmod +x gcc clang && sh -c \"$TEXT\" pare 'in 1'; rm -r \"$folder\"",
                      "r");
    assert_non_null(run);
    said[fread(said, 1, size - 1, run)] = '\0';
    assert_int_equal(pclose(run), 0);
    pare_buffer_done(&text);
}

/* As many errors as one says at most are not fewer than those of another; what was killed accepts nothing. */
static void test_compiler_line__what_stops_early_is_not_believed(void **state)
{
    static const char many[] = "i=0; while [ $i -lt 40 ]; do echo \"a.c:$i:1: error: gcc\"; "
                               "i=$((i + 1)); done; exit 1",
                      limited[] = "n=20; for w; do case $w in -ferror-limit=*) n=${w#*=};; esac; "
                                  "done; i=0; while [ $i -lt $n ]; do echo "
                                  "\"a.c:$i:1: error: clang\"; i=$((i + 1)); done; exit 1";
    char said[8192];
    (void)state;
    compare(many, limited, false, said, sizeof said);
    assert_non_null(strstr(said, "error: gcc"));
    assert_null(strstr(said, "error: clang"));
    compare("kill -9 $$", "echo 'a.c:1:1: error: clang'; exit 1", false, said, sizeof said);
    assert_non_null(strstr(said, "error: clang"));
    compare("echo killed; exit 1", "exit 0", false, said, sizeof said);
    assert_null(strstr(said, "killed"));
}

/* The program may be called by its full path, and its name have blanks. */
static void test_compiler_line__errors_of_the_program_are_told_from_those_of_headers(void **state)
{
    static const char many[] = "i=0; while [ $i -lt 90 ]; do echo \"/usr/include/a.h:$i:1: error: "
                               "of a header\"; i=$((i + 1)); [ $i = 5 ] && echo "
                               "\"/home/my program.cc:7:1: error: of its own\"; done; exit 1";
    char said[8192];
    (void)state;
    compare(many, "exit 0", true, said, sizeof said);
    assert_non_null(strstr(said, "of its own"));
    assert_null(strstr(said, "of a header"));
}

/* The folder of the program that was made may be gone, and then clang says nothing else. */
static void test_compiler_line__results_go_beside_the_candidate(void **state)
{
    char said[8192];
    (void)state;
    compare("echo 'a.c:1:1: error: x'; exit 1", "for w; do last=$w; done; echo to \"$last\"", true,
            said, sizeof said);
    assert_non_null(strstr(said, "to in 1.made"));
}

static void test_compiler_line__another_name_and_folder_are_kept(void **state)
{
    (void)state;
    EXPECT(RUN("1", "0", "0", "/nowhere/t", "/usr/lib/llvm-14/bin/clang",
               "3\0clang-14\0src/other name.cc\0-S\0"),
           "export LC_ALL=C; cp \"$1\" ./'other name.cc' && exec /usr/lib/llvm-14/bin/clang 'other "
           "name.cc' "
           "-S -fsyntax-only");
    EXPECT(RUN("1", "0", "0", "/usr", "/usr/bin/python3.11", "2\0bin/python3\0/x/in.ii\0"),
           "export LC_ALL=C; cd /usr && exec /usr/bin/python3.11 \"$1\"");
    EXPECT(RUN("0", "0", "0", "/nowhere/slot/deep", "/usr/bin/lua5.4", "1\0lua\0"),
           "export LC_ALL=C; exec /usr/bin/lua5.4 <\"$1\"");
}

static void test_compiler_line__others_and_damage_give_nothing(void **state)
{
    (void)state;
    EXPECT("", "");
    EXPECT("pare-watch-1\0"
           "1",
           "");
    EXPECT(RUN("1", "0", "0", "/", "/bin/grep", "2\0grep\0in.ii\0"), "");
    EXPECT(RUN("2", "0", "0", "/", "/usr/bin/gcc", "3\0gcc\0-E\0in.ii\0"), "");
    EXPECT(RUN("9", "0", "0", "/", "/usr/bin/gcc", "2\0gcc\0in.ii\0"), "");
    EXPECT(RUN("1", "x", "0", "/", "/usr/bin/gcc", "2\0gcc\0in.ii\0"), "");
    EXPECT(RUN("1", "0", "0", "/", "/usr/bin/gcc", "3\0gcc\0in.ii\0"), "");
}

/* What a compiler may only do after it has checked everything is done, too. */
static void test_compiler_line__the_whole_run_has_no_options_of_ours(void **state)
{
    static const char records[] =
        RUN("1", "1", "1", "/nowhere/t", "/usr/bin/clang-14", "3\0clang\0in.ii\0-O2\0");
    pare_buffer text = {0}, whole = {0};
    (void)state;
    assert_int_equal(
        pare_compiler_line_choose(records, sizeof records - 1, "/x", "in.ii", &text, NULL),
        PARE_OK);
    assert_int_equal(
        pare_compiler_line_choose_whole(records, sizeof records - 1, "/x", "in.ii", &whole, NULL),
        PARE_OK);
    assert_non_null(strstr(text.data, "-fsyntax-only"));
    assert_null(strstr(whole.data, "-fsyntax-only"));
    assert_non_null(strstr(whole.data, "-O2"));
    pare_buffer_done(&text);
    pare_buffer_done(&whole);
}

static pare_status choose(void *context)
{
    static const char records[] = RUN("1", "1", "1", "/usr", "/usr/bin/gcc", "2\0gcc\0in.ii\0")
        RUN("1", "1", "1", "/usr", "/usr/bin/clang", "2\0clang\0in.ii\0");
    pare_buffer text = {0};
    pare_command command = {0}, watched = {0};
    const char *names[] = {"in.ii"};
    (void)context;
    pare_status status =
        pare_compiler_line_choose(records, sizeof records, "/x", "in.ii", &text, NULL);
    if (!status) status = pare_command_init(&command, "true", (pare_names){names, 1}, NULL);
    if (!status) status = pare_compiler_line_watch(&command, "in.ii", &watched, NULL);
    pare_command_done(&watched);
    pare_command_done(&command);
    pare_buffer_done(&text);
    return status;
}

static void test_compiler_line__out_of_memory_is_a_clean_error(void **state)
{
    (void)state;
    sweep_allocations(choose, NULL);
}

/* What the command is for a run of these words. */
static void expect_emitter(const char *records, size_t size, const char *wanted)
{
    pare_buffer text = {0};
    assert_int_equal(
        pare_compiler_line_choose_emitter(records, size, "/nowhere/slot", "in.ii", &text, NULL),
        PARE_OK);
    assert_int_equal(pare_buffer_add(&text, "", 1, NULL), PARE_OK);
    if (!*wanted) assert_string_equal(text.data, "");
    assert_non_null(strstr(text.data, wanted));
    pare_buffer_done(&text);
}

/* Only what makes code tells of what it is made, and where its result goes is said once. */
static void test_compiler_line__code_is_told_of_by_who_makes_it(void **state)
{
    (void)state;
    static const char checked[] =
        RUN("2", "0", "0", "/nowhere/t", "/x/g++", "3\0g++\0-fsyntax-only\0in.ii\0");
    static const char made[] =
        RUN("2", "0", "0", "/nowhere/t", "/x/g++", "3\0g++\0-fsyntax-only\0in.ii\0")
            RUN("4", "9", "7", "/nowhere/t", "/x/g++", "7\0g++\0-O2\0-o\0a b\0t.ii\0-lm\0-c\0");
    expect_emitter(checked, sizeof checked - 1, "");
    expect_emitter(made, sizeof made - 1,
                   "export LC_ALL=C; ulimit -v 7; f=$(dirname -- \"$1\")/lines-t.ii &&");
    expect_emitter(made, sizeof made - 1,
                   ">\"$f\" && /x/g++ -O2 \"$f\" -lm -c -w -O0 -g1 -S -o - 2>/dev/null | awk");
    /* Who optimises, be it only one of several, expands what is compiled elsewhere. */
    static const char both[] = RUN("3", "9", "7", "/nowhere/t", "/x/g++", "4\0g++\0-c\0-O0\0t.ii\0")
        RUN("3", "9", "7", "/nowhere/t", "/x/g++", "4\0g++\0-c\0-O2\0t.ii\0");
    expect_emitter(made, sizeof made - 1, "extern +template");
    expect_emitter(both, sizeof both - 1, "extern +template");
    expect_emitter(both, sizeof both - 1, "g++ -c -O0 \"$f\"");
    pare_buffer text = {0};
    assert_int_equal(pare_compiler_line_choose_emitter(both, sizeof both / 2, "/nowhere/slot",
                                                       "in.ii", &text, NULL),
                     PARE_OK);
    assert_int_equal(pare_buffer_add(&text, "", 1, NULL), PARE_OK);
    assert_non_null(strstr(text.data, "g++ -c -O0"));
    assert_null(strstr(text.data, "extern +template"));
    pare_buffer_done(&text);
}

/* Without the ++ of its name clang links without its library. */
static void test_compiler_line__the_whole_run_of_clang_links(void **state)
{
    (void)state;
    static const char records[] =
        RUN("1", "0", "0", "/nowhere/t", "/x/clang-14", "4\0clang++\0in.ii\0-o\0a\0");
    pare_buffer text = {0};
    assert_int_equal(pare_compiler_line_choose_whole(records, sizeof records - 1, "/nowhere/slot",
                                                     "in.ii", &text, NULL),
                     PARE_OK);
    assert_int_equal(pare_buffer_add(&text, "", 1, NULL), PARE_OK);
    assert_string_equal(text.data, "export LC_ALL=C; exec /x/clang-14 \"$1\" -o a --driver-mode=g++"
                                   " -o \"$1\".made");
    pare_buffer_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiler_line__the_first_known_program_is_run_as_it_was),
        cmocka_unit_test(test_compiler_line__compilers_that_are_compared_are_all_heard),
        cmocka_unit_test(test_compiler_line__the_compiler_with_the_fewest_errors_is_believed),
        cmocka_unit_test(test_compiler_line__what_makes_a_program_is_linked),
        cmocka_unit_test(test_compiler_line__what_stops_early_is_not_believed),
        cmocka_unit_test(test_compiler_line__errors_of_the_program_are_told_from_those_of_headers),
        cmocka_unit_test(test_compiler_line__results_go_beside_the_candidate),
        cmocka_unit_test(test_compiler_line__another_name_and_folder_are_kept),
        cmocka_unit_test(test_compiler_line__others_and_damage_give_nothing),
        cmocka_unit_test(test_compiler_line__the_whole_run_has_no_options_of_ours),
        cmocka_unit_test(test_compiler_line__code_is_told_of_by_who_makes_it),
        cmocka_unit_test(test_compiler_line__the_whole_run_of_clang_links),
        cmocka_unit_test(test_compiler_line__out_of_memory_is_a_clean_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
