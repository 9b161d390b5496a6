/* Operands that become others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/pass_driver.h"

static void test_pass_operands__the_simplest_of_a_place_stands_in_all_of_them(void **state)
{
    (void)state;
    assert_offers("operands", "%foo+%b+%bar",
                  "%b+%b+%b\n"
                  ">%b+%b+%bar\n"
                  ">%foo+%b+%b\n"
                  "%[]+%b+%bar\n"
                  "%{}+%b+%bar\n"
                  "%()+%b+%bar\n"
                  "%\"\"+%b+%bar\n"
                  "%''+%b+%bar\n");
}

static void test_pass_operands__a_word_for_nothing_in_the_text_stands_for_all(void **state)
{
    (void)state;
    assert_offers("operands", "f(nil);g(abcd)",
                  "f(nil);g(nil)\n"
                  ">f(nil);g(nil)\n"
                  "f(nil);g([])\n"
                  "f(nil);g({})\n"
                  "f(nil);g(())\n"
                  "f(nil);g(\"\")\n"
                  "f(nil);g('')\n"
                  "f(nil);g(nil)\n");
}

static void test_pass_operands__a_call_becomes_a_list(void **state)
{
    (void)state;
    assert_offers("operands", "array(0)+f(0)", "[0]+f(0)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass_operands__the_simplest_of_a_place_stands_in_all_of_them),
        cmocka_unit_test(test_pass_operands__a_word_for_nothing_in_the_text_stands_for_all),
        cmocka_unit_test(test_pass_operands__a_call_becomes_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
