/* What a number counts goes, and the number with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/pass_driver.h"

static void test_pass_counts__lines_to_the_end_of_a_block(void **state)
{
    (void)state;
    assert_offers("counted", "p cnf 9 2\nx y\nz\n",
                  "p cnf 9 0\\n\n>p cnf 9 1\\nz\\n\n>p cnf 9 1\\nx y\\n\n");
}

static void test_pass_counts__lines_of_a_hunk_by_their_signs(void **state)
{
    (void)state;
    assert_offers("counted", "@@ -8,2 +9,1 @@\n a\n-b\n",
                  "@@ -8,0 +9,0 @@\\n\n>@@ -8,1 +9,0 @@\\n-b\\n\n>@@ -8,1 +9,1 @@\\n a\\n\n");
}

static void test_pass_counts__equal_numbers_count_lines_of_the_sign_before_them(void **state)
{
    (void)state;
    assert_offers("counted", "@@ -2,2 +2,2 @@\n-a\n+b\n c\n",
                  "@@ -2,0 +2,0 @@\\n\n>@@ -2,1 +2,2 @@\\n+b\\n c\\n\n"
                  ">@@ -2,1 +2,0 @@\\n-a\\n\n>>@@ -2,2 +2,1 @@\\n-a\\n c\\n\n"
                  ">>@@ -2,1 +2,1 @@\\n-a\\n+b\\n\n");
}

static void test_pass_counts__lines_that_begin_as_the_head_are_not_of_its_block(void **state)
{
    (void)state;
    assert_offers("counted", " {a: 2\n {a\n {a\n", "");
}

static void test_pass_counts__words_behind_a_number_or_below_it(void **state)
{
    (void)state;
    assert_offers("counted", "2 x yy", "0 \n>1 yy\n>1 x \n");
    assert_offers("counted", "2\nx yy", "0\\n\n>1\\nyy\n>1\\nx \n");
}

static void test_pass_counts__bytes_in_quotes_and_after_a_blank_line(void **state)
{
    (void)state;
    assert_offers("counted", "s:2:\"ab\";", "s:0:\"\";\n>s:1:\"b\";\n>s:1:\"a\";\n");
    assert_offers("counted", "Length: 2\n\nab",
                  "Length: 0\\n\\n\n>Length: 1\\n\\nb\n>Length: 1\\n\\na\n");
}

static void test_pass_counts__of_two_equal_numbers_one_may_be_an_accident(void **state)
{
    (void)state;
    assert_offers("counted", "p 1 1\nx y\n", "p 0 1\\n\np 1 0\\n\np 0 0\\n\n");
}

static void test_pass_counts__lines_of_data_count_nothing(void **state)
{
    (void)state;
    assert_offers("counted", "7 x\n2 y\n8 z\n9 w", "");
}

static void test_pass_counts__a_number_that_counts_nothing_stays(void **state)
{
    (void)state;
    assert_offers("counted", "7\nx yy\n", "");
    assert_offers("counted", "a 0.2 x yy", "");
}

static void test_pass_counts__what_most_lines_of_a_form_do_not_count_is_chance(void **state)
{
    (void)state;
    assert_offers("counted", "a 2\nx\ny\n\na 5\nx\n\na 7\nx\n", "");
    assert_offers("counted", "a 0x2\nx\ny\n", "");
}

static void test_pass_counts__one_line_of_a_sign_among_others_is_chance(void **state)
{
    (void)state;
    assert_offers("counted", "#s = 1;\n\ta\n\tb\n\tc\n}\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass_counts__lines_to_the_end_of_a_block),
        cmocka_unit_test(test_pass_counts__lines_of_a_hunk_by_their_signs),
        cmocka_unit_test(test_pass_counts__equal_numbers_count_lines_of_the_sign_before_them),
        cmocka_unit_test(test_pass_counts__lines_that_begin_as_the_head_are_not_of_its_block),
        cmocka_unit_test(test_pass_counts__words_behind_a_number_or_below_it),
        cmocka_unit_test(test_pass_counts__bytes_in_quotes_and_after_a_blank_line),
        cmocka_unit_test(test_pass_counts__of_two_equal_numbers_one_may_be_an_accident),
        cmocka_unit_test(test_pass_counts__lines_of_data_count_nothing),
        cmocka_unit_test(test_pass_counts__a_number_that_counts_nothing_stays),
        cmocka_unit_test(test_pass_counts__what_most_lines_of_a_form_do_not_count_is_chance),
        cmocka_unit_test(test_pass_counts__one_line_of_a_sign_among_others_is_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
