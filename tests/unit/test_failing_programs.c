/* What the programs of a watched test did, told from its records. */
/* tests: src/run/failing_programs.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "run/failing_programs.h"

/* The shell that starts the test, and the test. */
#define START               \
    "0\0pare-watch-run-1\0" \
    "10\0"                  \
    "9\0"                   \
    "0\0\0\0/bin/dash\0"    \
    "2\0sh\0t.sh\0"         \
    "pare-watch-run-1\0"    \
    "11\0"                  \
    "10\0"                  \
    "1\0\0\0/bin/dash\0"    \
    "3\0sh\0t.sh\0/x/in.c\0"
#define RUN(pid, parent, given, program, words) \
    "pare-watch-run-1\0" pid "\0" parent "\0" given "\0/t/out\0/t/err\0" program "\0" words
#define END(pid, status, printed) "pare-watch-end-1\0" pid "\0" status "\0" printed "\0"

static void expect(const char *records, size_t size, const char *wanted)
{
    pare_buffer lines = {0};
    assert_int_equal(pare_failing_programs_tell(records, size, "in.c", &lines, NULL), PARE_OK);
    assert_string_equal(lines.data ? lines.data : "", wanted);
    pare_buffer_done(&lines);
}

/* The string has one NUL too many. */
#define EXPECT(records, wanted) expect(records, sizeof(records) - 1, wanted)

static void test_failing_programs__one_that_was_given_the_candidate_is_told(void **state)
{
    (void)state;
    EXPECT(START RUN("12", "11", "1", "/bin/cp", "3\0cp\0/x/in.c\0in.c\0") END("12", "0", "")
               RUN("13", "11", "1", "/usr/bin/timeout",
                   "4\0timeout\0"
                   "5\0crash\0in.c\0")
                   RUN("14", "13", "1", "/usr/bin/crash", "2\0/usr/bin/crash\0/x/in.c\0")
                       END("14", "139", "") END("13", "35584", ""),
           "crash in.c: killed by SIGSEGV\n");
}

static void test_failing_programs__a_line_that_names_an_error_is_told(void **state)
{
    (void)state;
    EXPECT(START RUN("12", "11", "1", "/usr/bin/cc", "2\0cc\0in.c\0")
               RUN("13", "12", "1", "/usr/lib/cc1", "2\0cc1\0in.c\0") END("13", "256", "not told")
                   END("12", "256", "in.c: In f:\nin.c:1: internal compiler error: in g\n bt\n"),
           "cc in.c: exit code 1, and prints: in.c:1: internal compiler error: in g\n");
    EXPECT(START RUN("12", "11", "1", "/usr/bin/run", "3\0run\0a b\0in.c\0")
               END("12", "0", "first\n  \033[31mlast\n\n"),
           "run 'a b' in.c: exit code 0, and prints:   ?[31mlast\n");
    EXPECT(START RUN("12", "11", "1", "/usr/bin/run",
                     "3\0run\0Gr\xc3\xb6\xc3\x9f"
                     "e\0in.c\0") END("12", "0",
                                      "\xd0\xba \xe6\xbc\xa2 \xc2\x9b"
                                      "0m\xff"),
           "run Gr\xc3\xb6\xc3\x9f"
           "e in.c: exit code 0, and prints: \xd0\xba \xe6\xbc\xa2 ??0m?\n");
    /* A compiler that breaks has complained of its input before. */
    EXPECT(START RUN("12", "11", "1", "/usr/bin/sdcc", "2\0sdcc\0in.c\0") END(
               "12", "256",
               "in.c:2: error 31: too wide\nin.c:7: error 9: FATAL Compiler Internal Error\nbye\n"),
           "sdcc in.c: exit code 1, and prints: in.c:7: error 9: FATAL Compiler Internal Error\n");
}

static void test_failing_programs__where_none_was_given_it_one_that_failed_is_told(void **state)
{
    (void)state;
    EXPECT(START RUN("12", "11", "0", "/usr/bin/python3.11", "2\0python3\0-\0")
               END("12", "256", "  File x\nZeroDivisionError: division by zero\n")
                   RUN("13", "11", "0", "/usr/bin/other", "1\0other\0") END("13", "0", ""),
           "python3 -: exit code 1, and prints: ZeroDivisionError: division by zero\n");
}

static void test_failing_programs__a_test_that_is_replaced_by_its_program_is_told_of(void **state)
{
    (void)state;
    EXPECT(START RUN("11", "10", "1", "/usr/bin/node", "2\0node\0in.c\0") END("11", "134", ""),
           "node in.c: killed by SIGABRT\n");
}

static void test_failing_programs__nothing_is_told_of_a_test_that_passes_or_of_damage(void **state)
{
    (void)state;
    EXPECT("", "");
    EXPECT("1\0" RUN("12", "11", "1", "/usr/bin/crash", "2\0crash\0in.c\0") END("12", "139", ""),
           "");
    EXPECT(START RUN("12", "11", "1", "/usr/bin/crash", "9\0crash\0in.c\0"), "");
    EXPECT(START RUN("12", "11", "1", "/usr/bin/crash", "2\0crash\0in.c\0") "pare-watch-end-1\0"
                                                                            "12",
           "");
    EXPECT(START RUN("12", "11", "1", "/usr/bin/crash", "2\0crash\0in.c\0") END("77", "139", ""),
           "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_programs__one_that_was_given_the_candidate_is_told),
        cmocka_unit_test(test_failing_programs__a_line_that_names_an_error_is_told),
        cmocka_unit_test(test_failing_programs__where_none_was_given_it_one_that_failed_is_told),
        cmocka_unit_test(test_failing_programs__a_test_that_is_replaced_by_its_program_is_told_of),
        cmocka_unit_test(test_failing_programs__nothing_is_told_of_a_test_that_passes_or_of_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
