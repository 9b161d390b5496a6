/* What is offered where a use may name another definition. */
/* tests: src/reduce/passes/pass_redirect.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/pass_driver.h"

static void test_pass_redirect__a_piece_of_a_chain_goes_at_once(void **state)
{
    (void)state;
    assert_offers("redirect", "a(){b();}b(){c();}c(){dd();}dd(){1}a();",
                  "dd(){1}dd();\n"
                  "a(){a();}a();\n"
                  "a(){dd();}dd(){1}a();\n"
                  "c(){dd();}dd(){1}c();\n"
                  "a(){b();}b(){a();}a();\n"
                  "a(){b();}b(){b();}a();\n");
}

static void test_pass_redirect__a_circle_becomes_smaller(void **state)
{
    (void)state;
    assert_offers("redirect", "a(){bb();}bb(){c();bb();}c(){bb();}a();", "a(){a();}a();\n");
}

static void test_pass_redirect__uses_in_strings_and_members_count(void **state)
{
    (void)state;
    assert_offers("redirect", "k{a(){x('b')}b(){c()}c(){d()}d(){1}}k.a()",
                  "k{d(){1}}k.d()\n"
                  "k{a(){x('a')}}k.a()\n"
                  "k{c(){d()}d(){1}}k.c()\n"
                  "k{a(){x('d')}d(){1}}k.a()\n"
                  "k{a(){x('b')}b(){a()}}k.a()\n"
                  "k{a(){x('b')}b(){b()}}k.a()\n");
}

static void test_pass_redirect__what_goes_by_itself_is_left_to_bypass(void **state)
{
    (void)state;
    assert_offers("redirect", "a(){1}b(){2}a();b();a();b();", "");
    assert_offers("redirect", "a(){1}a();x y", "");
}

static void test_pass_redirect__another_form_is_no_target(void **state)
{
    (void)state;
    assert_offers("redirect", "a=b;b=c;c=1;f(){2}a",
                  "a=a;f(){2}a\n"
                  "c=1;f(){2}c\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass_redirect__a_piece_of_a_chain_goes_at_once),
        cmocka_unit_test(test_pass_redirect__a_circle_becomes_smaller),
        cmocka_unit_test(test_pass_redirect__uses_in_strings_and_members_count),
        cmocka_unit_test(test_pass_redirect__what_goes_by_itself_is_left_to_bypass),
        cmocka_unit_test(test_pass_redirect__another_form_is_no_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
