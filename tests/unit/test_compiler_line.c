/* Which of the programs that got the candidate is run to hear what is wrong with it, and how. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "run/compiler_line.h"
#include "unit/alloc_sweep.h"

#define RUN(argument, cpu, memory, folder, program, words) \
    "pare-watch-1\0" argument "\0" cpu "\0" memory "\0" folder "\0" program "\0" words

static void expect(const char *records, size_t size, const char *wanted)
{
    pare_buffer text = {0};
    assert_int_equal(
        pare_compiler_line_choose(records, size, "/nowhere/slot", "in.ii", &text, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&text, "", 1, NULL), PARE_OK);
    assert_string_equal(text.data, wanted);
    pare_buffer_done(&text);
}

/* The string has one NUL too many. */
#define EXPECT(records, wanted) expect(records, sizeof(records) - 1, wanted)

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
        "c0() (export LC_ALL=C; exec /usr/bin/clang-14 \"$1\" -c -fsyntax-only)\n"
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
    EXPECT(RUN("1", "0", "0", "/nowhere/t", "/x/g++", "4\0g++\0in.ii\0-O2\0-lm\0"),
           "export LC_ALL=C; /x/g++ \"$1\" -O2 -lm -fsyntax-only -fmax-errors=50 && "
           "exec /x/g++ \"$1\" -O2 -lm -O0");
    EXPECT(RUN("1", "0", "0", "/nowhere/t", "/x/clang-14", "2\0clang++\0in.ii\0"),
           "export LC_ALL=C; /x/clang-14 \"$1\" -fsyntax-only && "
           "exec /x/clang-14 \"$1\" -O0 --driver-mode=g++");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiler_line__the_first_known_program_is_run_as_it_was),
        cmocka_unit_test(test_compiler_line__compilers_that_are_compared_are_all_heard),
        cmocka_unit_test(test_compiler_line__the_compiler_with_the_fewest_errors_is_believed),
        cmocka_unit_test(test_compiler_line__what_makes_a_program_is_linked),
        cmocka_unit_test(test_compiler_line__another_name_and_folder_are_kept),
        cmocka_unit_test(test_compiler_line__others_and_damage_give_nothing),
        cmocka_unit_test(test_compiler_line__the_whole_run_has_no_options_of_ours),
        cmocka_unit_test(test_compiler_line__out_of_memory_is_a_clean_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
