/* String literals for scripts, and the scripts themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the four above. */
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "generate/discovery/scripts.h"

static void assert_literal(const char *text, size_t size, const char *wanted)
{
    pare_buffer script = {0};
    assert_int_equal(pare_scripts_add_literal(&script, text, size, NULL), PARE_OK);
    assert_string_equal(script.data, wanted);
    pare_buffer_done(&script);
}

static void test_scripts__a_literal_is_ascii(void **state)
{
    (void)state;
    assert_literal("", 0, "\"\"");
    assert_literal("a b", 3, "\"a b\"");
    assert_literal("\"\\\n", 3, "\"\\u0022\\u005c\\u000a\"");
    assert_literal("\0", 1, "\"\\u0000\"");
    assert_literal("\xe2\x80\xa8", 3, "\"\\u2028\"");
    assert_literal("\xf0\x9f\x98\x80", 4, "\"\\ud83d\\ude00\"");
}

static void test_scripts__bytes_that_are_no_text_are_replaced(void **state)
{
    (void)state;
    assert_literal("a\xff"
                   "b\xe2\x80",
                   5, "\"a\\ufffdb\\ufffd\\ufffd\"");
}

static void test_scripts__are_there_as_they_are_written(void **state)
{
    (void)state;
    assert_non_null(strstr(pare_scripts_explore, "pare-probe 1"));
    assert_non_null(strstr(pare_scripts_learn, "pare-learn 1"));
    assert_int_equal(pare_scripts_explore[strlen(pare_scripts_explore) - 2], ')');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scripts__a_literal_is_ascii),
        cmocka_unit_test(test_scripts__bytes_that_are_no_text_are_replaced),
        cmocka_unit_test(test_scripts__are_there_as_they_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
