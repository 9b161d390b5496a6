/* Definitions in a text of no known language: how they are read, and what is offered for them. */
/* tests: src/reduce/passes/definitions.c src/reduce/passes/calls.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reduce/passes/definitions.h"
#include "unit/alloc_sweep.h"
#include "unit/support/pass_driver.h"

/* The bytes of lexemes first .. last are `text`. */
static void assert_run(const pare_pass_view *view, pare_lexeme_run run, const char *text)
{
    pare_extent what = pare_terms_extent(view, run);
    assert_int_equal(what.to - what.from, strlen(text));
    assert_memory_equal(view->bytes + what.from, text, strlen(text));
}

/* Reading `index` of the definitions in `text`. */
static void assert_reading(const char *text, size_t index, const char *all, const char *body)
{
    struct viewed viewed = view_bytes(text, strlen(text));
    pare_definitions found = {0};
    assert_int_equal(pare_definitions_find(&viewed.view, &found, NULL), PARE_OK);
    assert_true(index < found.n);
    assert_run(&viewed.view, found.at[index].all, all);
    assert_run(&viewed.view, found.at[index].body, body);
    pare_definitions_done(&found);
    view_done(&viewed);
}

static void test_definitions__a_block_after_a_name_is_what_it_stands_for(void **state)
{
    (void)state;
    assert_reading("x;int f(int a) {return a;}", 0, "int f(int a) {return a;}", "return a;");
    assert_reading("f() { echo; }\nf", 0, "f() { echo; }", "echo;");
    assert_reading("fn f(a) -> int { a }", 0, "fn f(a) -> int { a }", "a");
    assert_reading("f(){}g(){1}", 0, "g(){1}", "1");
    assert_reading("proc f {a b} {c}", 0, "proc f {a b} {c}", "c");
}

static void test_definitions__a_value_is_read_in_several_ways(void **state)
{
    (void)state;
    assert_reading("def f: 1|2; f", 0, "def f: 1|2;", "1|2");
    assert_reading("1|def f:2;f", 0, "1|def f:2;", "2");
    assert_reading("1|def f:2;f", 1, "1|def f:2", "2");
    assert_reading("1|def f:2;f", 2, "def f:2;", "2");
    assert_reading("a := b c\nd", 0, "a := b c", "b c");
    assert_reading("let a = 1 in a", 0, "let a = 1 in", "1");
    assert_reading("VIEW v AS SELECT 1;", 0, "VIEW v AS SELECT 1;", "SELECT 1");
}

static void test_definitions__deeper_lines_and_the_rest_of_a_line_count(void **state)
{
    (void)state;
    assert_reading("def f(a):\n  b\n  c\nd", 0, "def f(a):\n  b\n  c", "b\n  c");
    assert_reading("#define N 1 + 2\nN", 0, "#define N 1 + 2", "1 + 2");
    assert_reading("set n 5\n", 0, "set n 5", "5");
    assert_reading("(define-fun f () Int (+ a 5))", 0, "(define-fun f () Int (+ a 5))", "(+ a 5)");
}

static pare_status find_once(void *context)
{
    pare_definitions found = {0};
    pare_status status = pare_definitions_find(context, &found, NULL);
    if (status) assert_null(found.at);
    pare_definitions_done(&found);
    return status;
}

static void test_definitions__out_of_memory_is_told(void **state)
{
    (void)state;
    static const char text[] = "f(a){b}\nx=1;y=2;z=3,4\nset q 5\n";
    struct viewed viewed = view_bytes(text, sizeof text - 1);
    sweep_allocations(find_once, &viewed.view);
    view_done(&viewed);
}

static void test_inline_definitions__the_body_stands_where_the_name_was_used(void **state)
{
    (void)state;
    assert_offers("inline-definitions", "def a:0|b;a",
                  "0|b\n"
                  ">(0|b)\n"
                  "|b;0\n");
    assert_offers("inline-definitions", "f(x){return x+1}y=f(2)",
                  "y=return 2+1\n"
                  ">y=2+1\n"
                  ">y=(2+1)\n"
                  ">y=(return 2+1)\n"
                  ">return 2+1\n");
}

static void test_inline_definitions__arguments_beside_operators_get_brackets(void **state)
{
    (void)state;
    assert_offers("inline-definitions", "def s(g):g/0;x|s(.+7)",
                  "x|.+7/0\n"
                  ">x|(.+7)/0\n"
                  ">x|((.+7)/0)\n"
                  "/0;x|.+7\n");
    /* Between brackets they need none. */
    assert_offers("inline-definitions", "def f(a):g(a);f(1+2)",
                  "g(1+2)\n"
                  ">(1+2)\n"
                  ">((1+2))\n"
                  ">(g(1+2))\n"
                  ";g(1+2)\n");
}

static void test_inline_definitions__one_parameter_is_all_that_the_brackets_hold(void **state)
{
    (void)state;
    assert_offers("inline-definitions", "def f(g):[g];f(1,2)",
                  "[1,2]\n"
                  ">([1,2])\n"
                  ";[1,2]\n");
    assert_offers("inline-definitions", "def f(g;h):[h,g+1];f(1,2;3)",
                  "[3,1,2+1]\n"
                  ">[3,(1,2)+1]\n"
                  ">([3,(1,2)+1])\n"
                  ";[3,1,2+1]\n"
                  ">;[3,(1,2)+1]\n");
}

static void test_inline_definitions__arguments_may_be_words(void **state)
{
    (void)state;
    assert_offers("inline-definitions", "proc f {a b} {g $b $a}\nf x [h y]",
                  "g [h y] x\n"
                  ">[h y] x\n"
                  ">([h y] x)\n"
                  ">(g [h y] x)\n"
                  ">g [h y] x\n");
    assert_offers("inline-definitions", "f() { echo \"$2-$1\"; }\nf 1 22",
                  "echo \"22-1\";\n"
                  ">\"22-1\"\n"
                  ">(echo \"22-1\";)\n"
                  ">echo \"22-1\";\n");
    /* No command: it is the argument of one. */
    assert_offers("inline-definitions", "proc f {a} {g $a}\nputs f 1", "");
}

static void test_inline_definitions__lists_that_define_a_name_go(void **state)
{
    (void)state;
    assert_offers("inline-definitions", "(define n 5)\n(f n)", "(f 5)\n");
}

static void test_inline_definitions__uses_are_found_in_strings_and_with_their_signs(void **state)
{
    (void)state;
    assert_offers("inline-definitions", "A=b\necho \"$A ${A}\"", "echo \"b b\"\n");
    assert_offers("inline-definitions", "A = b c\nx: $(A)\n",
                  "x: b c\\n\n"
                  ">x: c\\n\n"
                  ">x: (b c)\\n\n"
                  "c\\nx: b\\n\n");
}

static void test_inline_definitions__a_member_goes_with_what_it_is_a_member_of(void **state)
{
    (void)state;
    assert_offers("inline-definitions", "f(){g();}\nthis->f();",
                  "g();;\n"
                  ">();\n"
                  ">(());\n"
                  ">(g(););\n"
                  ">g();;\n");
}

static void test_inline_definitions__the_last_block_stands_for_a_whole_statement(void **state)
{
    (void)state;
    assert_offers("inline-definitions", "class a{f b(){c;}}e;new a;",
                  "e;new f b(){c;};\n"
                  ">e;new (f b(){c;});\n"
                  ">e;c;;\n"
                  ">e;f b(){c;};\n");
}

static void test_inline_definitions__one_of_several_goes_with_the_comma_beside_it(void **state)
{
    (void)state;
    assert_offers("inline-definitions", "W a AS(1),b AS(2)a,b",
                  "b AS(2)(1),b\n"
                  ">b AS(2)((1)),b\n"
                  ",b AS(2)(1),b\n"
                  "W b AS(2)(1),b\n"
                  "W a AS(1)a,(2)\n"
                  "W a AS(1),(2)a\n"
                  "W a AS(1),a,(2)\n");
}

static void test_inline_definitions__a_name_that_is_defined_again_means_the_last_one(void **state)
{
    (void)state;
    assert_offers("inline-definitions", "a=1;b=a;a=22;c=a",
                  "b=1;a=22;c=a\n"
                  ";b=1;a=22;c=a\n"
                  "a=1;b=a;c=22\n"
                  "a=1;b=a;;c=22\n");
    assert_offers("inline-definitions", "$a=new b;$a->c",
                  "new b->c\n"
                  ">b->c\n"
                  ">(new b)->c\n"
                  "b;new->c\n");
}

static void test_inline_definitions__what_has_its_own_name_inside_stays(void **state)
{
    (void)state;
    assert_offers("inline-definitions", "f(){f();}\nf();", "");
}

static void test_bypass__a_link_of_a_chain_goes(void **state)
{
    (void)state;
    assert_offers("bypass", "b(){c();}c(){dd();}dd(){}b(0)",
                  "c(){dd();}dd(){}c(0)\n"
                  "b(){dd();}dd(){}b(0)\n"
                  "b(){b();}dd(){}b(0)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions__a_block_after_a_name_is_what_it_stands_for),
        cmocka_unit_test(test_definitions__a_value_is_read_in_several_ways),
        cmocka_unit_test(test_definitions__deeper_lines_and_the_rest_of_a_line_count),
        cmocka_unit_test(test_definitions__out_of_memory_is_told),
        cmocka_unit_test(test_inline_definitions__the_body_stands_where_the_name_was_used),
        cmocka_unit_test(test_inline_definitions__arguments_beside_operators_get_brackets),
        cmocka_unit_test(test_inline_definitions__one_parameter_is_all_that_the_brackets_hold),
        cmocka_unit_test(test_inline_definitions__arguments_may_be_words),
        cmocka_unit_test(test_inline_definitions__lists_that_define_a_name_go),
        cmocka_unit_test(test_inline_definitions__uses_are_found_in_strings_and_with_their_signs),
        cmocka_unit_test(test_inline_definitions__a_member_goes_with_what_it_is_a_member_of),
        cmocka_unit_test(test_inline_definitions__the_last_block_stands_for_a_whole_statement),
        cmocka_unit_test(test_inline_definitions__one_of_several_goes_with_the_comma_beside_it),
        cmocka_unit_test(test_inline_definitions__a_name_that_is_defined_again_means_the_last_one),
        cmocka_unit_test(test_inline_definitions__what_has_its_own_name_inside_stays),
        cmocka_unit_test(test_bypass__a_link_of_a_chain_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
