/* Endings of variants: which are the same but for numbers and for what was varied; what a watched test tells. */
/* tests: src/explain/endings.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "explain/endings.h"
#include "text/text.h"

static pare_span span_of(const char *text)
{
    return (pare_span){(const unsigned char *)text, strlen(text)};
}

static bool alike(const char *own, const char *other, const char *part, const char *sample)
{
    const pare_ending_variant variant = {span_of(part), span_of(sample)};
    return pare_endings_are_alike(span_of(own), span_of(other), &variant);
}

static void test_endings__numbers_and_what_was_varied_do_not_count(void **state)
{
    (void)state;
    assert_true(alike("a.c:3: bad 12 at 0x7f1e\n", "a.c:14: bad 7 at 0x00ab\n", "x", "y"));
    assert_true(alike("no b here\n", "no zz here\n", "b", "zz"));
    /* The program's own, which has the same name by chance. */
    assert_true(alike("f -b in: b is bad\n", "f -b in: zz is bad\n", "b", "zz"));
    assert_true(alike("no b here\n", "no b here\n", "b", "zz"));
    assert_true(alike("unexpected 5\n", "unexpected 100\n", "5", "100"));
    assert_true(alike("", "", "b", ""));
}

static void test_endings__all_else_counts(void **state)
{
    (void)state;
    assert_false(alike("float division by zero\n", "division by zero\n", "0", "1"));
    assert_false(alike("f: killed by SIGSEGV\n", "f: killed by SIGABRT\n", "0", "1"));
    assert_false(alike("one\n", "one\ntwo\n", "0", "1"));
    assert_false(alike("one two\n", "one\n", "0", "1"));
    assert_false(alike("bad\n", "zzad\n", "b", "zz")); /* not within a word */
    assert_false(alike("a\n", "a 1\n", "x", ""));
}

/* Numbers move, and what an exit code is does not, even where the varied number is the same. */
static void test_endings__an_exit_code_counts(void **state)
{
    (void)state;
    assert_false(alike("f in: exit code 1\n", "f in: exit code 2\n", "0", "9"));
    assert_false(alike("f in: exit code 1\n", "f in: exit code 2\n", "1", "2"));
    assert_false(alike("f in: exit code 1\n", "f in: exit code 12\n", "0", "9"));
    assert_true(alike("f 3: exit code 1, and prints: at 7\n",
                      "f 4: exit code 1, and prints: at 9\n", "3", "4"));
}

/* A test makes a folder of its own each time. */
static void test_endings__folders_do_not_count(void **state)
{
    (void)state;
    assert_true(alike("bad in /tmp/tmp.BT1hOq4Awm/in.php on line 9\n",
                      "bad in /tmp/tmp.uMGWzvcNbl/in.php on line 9\n", "x", "y"));
    assert_false(alike("bad in /tmp/a/in.php\n", "bad in /tmp/a/other.php\n", "x", "y"));
    assert_true(alike("a / b\n", "a / b\n", "x", "y"));
    assert_false(alike("a / b\n", "a / c\n", "x", "y"));
    assert_true(alike("in /tmp/\n", "in /var/\n", "x", "y"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endings__numbers_and_what_was_varied_do_not_count),
        cmocka_unit_test(test_endings__all_else_counts),
        cmocka_unit_test(test_endings__an_exit_code_counts),
        cmocka_unit_test(test_endings__folders_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
