/* Words that become short ones wherever they stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/pass_driver.h"

static void test_pass_words__those_in_strings_change_too(void **state)
{
    (void)state;
    assert_offers("long-words", "name=1;\"${name}\"", "a=1;\"${a}\"\n");
    assert_offers("long-words", "name=name", "");
}

static void test_pass_words__a_capital_stays_one(void **state)
{
    (void)state;
    assert_offers("long-words", "Foo(A,foo)", "B(A,foo)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass_words__those_in_strings_change_too),
        cmocka_unit_test(test_pass_words__a_capital_stays_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
