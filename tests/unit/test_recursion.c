/* What is offered of functions that call each other in a circle. */
/* tests: src/reduce/binding/recursion.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/program_driver.h"

static void test_recursion__the_block_around_the_call_stays(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"recursion", "int f(int a){if(a){x();f(a);}y();}",
         "int f(int a){x();f(a);}\n"
         ">int f(int a){x();f(a);}\n"
         ">int f(int a){f(a);}\n"},
        {"recursion", "int f(int a){if(a){while(b){x();f(a);}}y();}",
         "int f(int a){while(b){x();f(a);}}\n"
         ">int f(int a){x();f(a);}\n"
         ">int f(int a){f(a);}\n"},
    };
    assert_offers_of_cases("c", cases, sizeof cases / sizeof *cases);
}

static void test_recursion__all_functions_of_a_circle_change_at_once(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"recursion", "int g();int f(){if(a){g();}}int g(){b();if(c){f();}}int h(){f();}",
         "int g();int f(){g();}int g(){f();}int h(){f();}\n"
         ">int g();int f(){g();}int g(){f();}int h(){f();}\n"
         ">int g();int f(){g();}int g(){f();}int h(){f();}\n"},
    };
    assert_offers_of_cases("c", cases, sizeof cases / sizeof *cases);
}

static void test_recursion__a_chain_without_a_circle_is_left_alone(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"recursion", "int f(){if(a){g();}}int g(){if(c){h();}}int h(){}", ""},
    };
    assert_offers_of_cases("c", cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recursion__the_block_around_the_call_stays),
        cmocka_unit_test(test_recursion__all_functions_of_a_circle_change_at_once),
        cmocka_unit_test(test_recursion__a_chain_without_a_circle_is_left_alone),
    };
    use_build_data();
    return cmocka_run_group_tests_name("recursion", tests, NULL, NULL);
}
