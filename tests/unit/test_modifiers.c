/* What is offered of words before declarations. */
/* tests: src/reduce/binding/modifiers.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/program_driver.h"

static void test_modifiers__those_of_one_kind_go_at_once(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"modifiers",
         "<?php class A{protected $x=1;protected function f(array $a):int{}"
         "private function g(array $b){}}",
         "<?php class A{$x=1;function f($a){}function g($b){}}\n"
         "><?php class A{protected $x=1;protected function f($a){}private function g($b){}}\n"
         ">><?php class A{protected $x=1;protected function f(array $a){}"
         "private function g(array $b){}}\n"
         ">><?php class A{protected $x=1;protected function f($a):int{}"
         "private function g($b){}}\n"
         "><?php class A{$x=1;function f(array $a):int{}function g(array $b){}}\n"
         ">><?php class A{protected $x=1;function f(array $a):int{}"
         "function g(array $b){}}\n"
         ">><?php class A{$x=1;protected function f(array $a):int{}"
         "private function g(array $b){}}\n"},
    };
    assert_offers_of_cases("php", cases, sizeof cases / sizeof *cases);
}

static void test_modifiers__a_type_that_has_to_be_said_stays(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {{"modifiers", "int f(long a){int b;}", ""}};
    assert_offers_of_cases("c", cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modifiers__those_of_one_kind_go_at_once),
        cmocka_unit_test(test_modifiers__a_type_that_has_to_be_said_stays),
    };
    use_build_data();
    return cmocka_run_group_tests_name("modifiers", tests, NULL, NULL);
}
