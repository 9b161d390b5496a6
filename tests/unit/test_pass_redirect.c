/* What is offered where a use may name another definition, and where nothing names one. */
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
                  "c(){dd();}dd(){1}c();\n"
                  "a(){b();}b(){a();}a();\n"
                  "a(){dd();}dd(){1}a();\n"
                  "a(){b();}b(){b();}a();\n"
                  "dd(){1}dd();\n"
                  "a(){a();}a();\n");
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
                  "k{c(){d()}d(){1}}k.c()\n"
                  "k{a(){x('b')}b(){a()}}k.a()\n"
                  "k{a(){x('b')}b(){b()}}k.a()\n"
                  "k{a(){x('d')}d(){1}}k.a()\n"
                  "k{a(){x('a')}}k.a()\n");
}

static void test_pass_redirect__a_variable_is_no_function(void **state)
{
    (void)state;
    assert_offers("redirect", "a($b){c($b);}c($b){$c=1;d($c);}d($b){1}a(2)",
                  "d($b){1}d(2)\n"
                  "a($b){a($b);}a(2)\n");
}

static void test_pass_redirect__a_block_of_lines_is_a_definition(void **state)
{
    (void)state;
    assert_offers("redirect",
                  "def a(x)\n b(x)\nend\ndef b(x)\n c=x\n c(x)\nend\n"
                  "function T:c(x)\n if x\n  1\n end\nend\na(1)",
                  "function T:c(x)\\n if x\\n  1\\n end\\nend\\nc(1)\n"
                  "def a(x)\\n a(x)\\nend\\na(1)\n");
}

static void test_pass_redirect__the_last_word_of_a_longer_name_is_defined(void **state)
{
    (void)state;
    assert_offers("redirect",
                  "function T.a(x)\n T.b(x)\nend\nfunction T.b(x)\n T.c(x)\nend\n"
                  "function T.u.c(x)\n x()\nend\nT.a(1)",
                  "function T.u.c(x)\\n x()\\nend\\nT.c(1)\n"
                  "function T.a(x)\\n T.a(x)\\nend\\nT.a(1)\n");
    assert_offers("redirect",
                  "I T::a() {\n b();\n}\nI T::b() {\n c();\n}\nI T::c() {\n 1;\n}\na();",
                  "I T::c() {\\n 1;\\n}\\nc();\n"
                  "I T::a() {\\n a();\\n}\\na();\n");
}

static void test_pass_redirect__a_call_that_fits_comes_first(void **state)
{
    (void)state;
    assert_offers("redirect", "a(x){b(x);}b(x){c();}c(){d(1,2);}d(x,y){1}a(1);",
                  "a(x){a(x);}a(1);\n"
                  "c(){d(1,2);}d(x,y){1}c(1);\n"
                  "a(x){b(x);}b(x){a();}a(1);\n"
                  "d(x,y){1}d(1);\n"
                  "a(x){b(x);}b(x){b();}a(1);\n"
                  "a(x){d(x);}d(x,y){1}a(1);\n");
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
                  "c=1;f(){2}c\n"
                  "a=a;f(){2}a\n");
}

static void test_pass_redirect__all_uses_in_a_definition_may_name_one(void **state)
{
    (void)state;
    /* No single use is missed where each definition uses the two after it. */
    assert_offers("redirect", "a: b|c\nb: d|e\nc: d|e\nd: 1\ne: 2\nx a|e\n",
                  "a: d|d\\nd: 1\\ne: 2\\nx a|e\\n\n"
                  "a: b|b\\nb: d|e\\nd: 1\\ne: 2\\nx a|e\\n\n"
                  "a: c|c\\nc: d|e\\nd: 1\\ne: 2\\nx a|e\\n\n"
                  "a: e|e\\ne: 2\\nx a|e\\n\n");
}

static void test_pass_redirect__a_name_that_a_block_follows_is_a_use(void **state)
{
    (void)state;
    assert_offers("unused-definitions", "a: b { 1 }\nb: c { 2 }\nc: 'x' { 3 }\nd: c { 4 }\nx a\n",
                  "a: b { 1 }\\nb: c { 2 }\\nc: 'x' { 3 }\\nx a\\n\n");
}

static void test_pass_redirect__what_nothing_leads_to_is_unused(void **state)
{
    (void)state;
    assert_offers("unused-definitions", "a(){1}\nb(){a()}\nc(){d()}\nd(){c()}\nb()\n",
                  "a(){1}\\nb(){a()}\\nd(){c()}\\nb()\\n\n"
                  "a(){1}\\nb(){a()}\\nc(){d()}\\nb()\\n\n");
    assert_offers("unused-definitions", "a(){b()}\nb(){1}\na()\n", "");
}

static void test_pass_redirect__a_block_that_nothing_names_is_run(void **state)
{
    (void)state;
    assert_offers("unused-definitions",
                  "a(x){if(x){1}else{2}\na(x)}\nb(x){c(x)}\nc(x){a(x)}\nBEGIN{a(1)}\n",
                  "a(x){if(x){1}else{2}\\na(x)}\\nc(x){a(x)}\\nBEGIN{a(1)}\\n\n"
                  "a(x){if(x){1}else{2}\\na(x)}\\nb(x){c(x)}\\nBEGIN{a(1)}\\n\n");
}

static void test_pass_redirect__what_leads_to_most_is_the_root_of_a_grammar(void **state)
{
    (void)state;
    assert_offers("unused-definitions", "s: a\n | b\na: b\nb: 1\nc: b\n",
                  "s: a\\n | b\\na: b\\nb: 1\\n\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass_redirect__all_uses_in_a_definition_may_name_one),
        cmocka_unit_test(test_pass_redirect__a_name_that_a_block_follows_is_a_use),
        cmocka_unit_test(test_pass_redirect__what_nothing_leads_to_is_unused),
        cmocka_unit_test(test_pass_redirect__a_block_that_nothing_names_is_run),
        cmocka_unit_test(test_pass_redirect__what_leads_to_most_is_the_root_of_a_grammar),
        cmocka_unit_test(test_pass_redirect__a_piece_of_a_chain_goes_at_once),
        cmocka_unit_test(test_pass_redirect__a_circle_becomes_smaller),
        cmocka_unit_test(test_pass_redirect__uses_in_strings_and_members_count),
        cmocka_unit_test(test_pass_redirect__a_variable_is_no_function),
        cmocka_unit_test(test_pass_redirect__a_block_of_lines_is_a_definition),
        cmocka_unit_test(test_pass_redirect__the_last_word_of_a_longer_name_is_defined),
        cmocka_unit_test(test_pass_redirect__a_call_that_fits_comes_first),
        cmocka_unit_test(test_pass_redirect__what_goes_by_itself_is_left_to_bypass),
        cmocka_unit_test(test_pass_redirect__another_form_is_no_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
