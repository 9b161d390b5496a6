/* What is offered of lists before which the same name stands. */
/* tests: src/reduce/binding/arguments.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reduce/binding/program.h"
#include "unit/support/pass_driver.h"

/* What the pass offers for a text without a language. */
static void assert_arguments(const char *text, const char *expected)
{
    struct viewed viewed = view_bytes(text, strlen(text));
    pare_patches *patches;
    pare_buffer printed = {0};
    bool kept;
    assert_int_equal(pare_pass_offer(&pare_binding_arguments, &viewed.view, &patches, NULL),
                     PARE_OK);
    assert_int_equal(
        pare_pass_check(&pare_binding_arguments, &viewed.view, patches, &kept, NULL, NULL),
        PARE_OK);
    assert_true(kept);
    assert_int_equal(pare_buffer_text(&printed, "", NULL), PARE_OK);
    for (uint32_t i = 0; i < patches->n; i++)
        print_patch(patches, i, 0, &printed);
    assert_string_equal(printed.data, expected);
    pare_buffer_done(&printed);
    pare_patches_unref(patches);
    view_done(&viewed);
}

static void test_arguments__a_column_goes_from_definition_and_rows(void **state)
{
    (void)state;
    /* VALUES alone, before two of the three lists, comes last. */
    assert_arguments(
        "TABLE t (a, b int (3), c); INTO t VALUES (1, f(2), 3); INTO t VALUES (4, 5, 6);",
        "TABLE t (a, b int (3)); INTO t VALUES (1, f(2)); INTO t VALUES (4, 5);\n"
        "TABLE t (a, c); INTO t VALUES (1, 3); INTO t VALUES (4, 6);\n"
        "TABLE t (b int (3), c); INTO t VALUES (f(2), 3); INTO t VALUES (5, 6);\n"
        "TABLE t (a, b int (3), c); INTO t VALUES (1, f(2)); INTO t VALUES (4, 5);\n"
        "TABLE t (a, b int (3), c); INTO t VALUES (1, 3); INTO t VALUES (4, 6);\n"
        "TABLE t (a, b int (3), c); INTO t VALUES (f(2), 3); INTO t VALUES (5, 6);\n");
}

static void test_arguments__rows_after_a_comma_belong_to_the_first(void **state)
{
    (void)state;
    assert_arguments("INTO t (a, b) VALUES (1, 2), (3, 4), (5, 6);",
                     "INTO t (a) VALUES (1), (3), (5);\n"
                     "INTO t (b) VALUES (2), (4), (6);\n"
                     "INTO t (a, b) VALUES (1), (3), (5);\n"
                     "INTO t (a, b) VALUES (2), (4), (6);\n");
}

static void test_arguments__a_use_within_another_is_cut_or_gone(void **state)
{
    (void)state;
    assert_arguments("def f($x; $y): $x; f(f(1; 2); 3)", "def f($x): $x; f(f(1))\n"
                                                         "def f($y): $x; f(3)\n");
}

static void test_arguments__a_definition_may_have_more_parts(void **state)
{
    (void)state;
    assert_arguments("TABLE `t` (`a`, `b`, KEY (`a`)); INTO `t` VALUES (1, 2);",
                     "TABLE `t` (`a`, KEY (`a`)); INTO `t` VALUES (1);\n"
                     "TABLE `t` (`b`, KEY (`a`)); INTO `t` VALUES (2);\n");
}

static void test_arguments__one_list_is_no_family(void **state)
{
    (void)state;
    assert_arguments("f(a, b) + g(c, d); h(e)", "");
    assert_arguments("f(a,, b) f(c,, d)", "");
    assert_arguments("(a, b) (c, d)", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments__a_column_goes_from_definition_and_rows),
        cmocka_unit_test(test_arguments__rows_after_a_comma_belong_to_the_first),
        cmocka_unit_test(test_arguments__a_use_within_another_is_cut_or_gone),
        cmocka_unit_test(test_arguments__a_definition_may_have_more_parts),
        cmocka_unit_test(test_arguments__one_list_is_no_family),
    };
    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
