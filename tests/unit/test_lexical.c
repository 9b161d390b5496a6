/* Lexical passes: exactly what each offers for small texts. */
/* tests: src/reduce/passes/pass_brackets.c src/reduce/passes/pass_expressions.c */
/* tests: src/reduce/passes/pass_windows.c src/reduce/passes/pass_literals.c */
/* tests: src/reduce/passes/pass_names.c src/reduce/passes/pass_layout.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/pass_driver.h"

static void test_lexical__a_few_neighbours_make_way_for_one_between_them(void **state)
{
    (void)state;
    assert_offers("token-patterns", "a b c d",
                  "c\n"
                  "b\n"
                  "a c\n"
                  "b d\n");
}

static void test_lexical__brackets_go_are_emptied_replaced_or_unwrapped(void **state)
{
    (void)state;
    assert_offers("brackets", "f(a){b;}",
                  "f{b;}\n"
                  ">f0{b;}\n"
                  ">f(){b;}\n"
                  ">f a{b;}\n"
                  "f(a)\n"
                  ">f(a);\n"
                  ">f(a)0\n"
                  ">f(a){}\n"
                  ">f(a)b;\n");
    assert_offers("brackets", "a={1}",
                  "a=\n"
                  ">a\n"
                  ">a=;\n"
                  ">a=0\n"
                  ">a={}\n"
                  ">a=1\n");
}

static void test_lexical__brackets_make_way_for_a_group_inside(void **state)
{
    (void)state;
    assert_offers("brackets", "{a{b}}",
                  "\n"
                  ">;\n"
                  ">0\n"
                  ">{}\n"
                  ">a{b}\n"
                  ">{b}\n"
                  "{a}\n"
                  ">{a;}\n"
                  ">{a0}\n"
                  ">{a{}}\n"
                  ">{a b}\n");
}

static void test_lexical__angles_are_brackets_where_they_stay_on_their_level(void **state)
{
    (void)state;
    assert_offers("brackets", "v<a>x",
                  "v x\n"
                  ">v<>x\n"
                  ">v a x\n");
    assert_offers("brackets", "a<(b>c)",
                  "a<\n"
                  ">a<0\n"
                  ">a<()\n"
                  ">a<b>c\n");
    assert_offers("brackets", "a<b;c>d", "");
}

static void test_lexical__tags_go_with_what_closes_them(void **state)
{
    (void)state;
    assert_offers("brackets", "[b]k[/b]",
                  "\n"
                  ">[b][/b]\n"
                  ">k\n"
                  "k[/b]\n"
                  ">0k[/b]\n"
                  ">[]k[/b]\n"
                  ">b k[/b]\n"
                  "[b]k\n"
                  ">[b]k0\n"
                  ">[b]k[]\n"
                  ">[b]k/b\n");
}

static void test_lexical__a_tag_loses_its_attributes(void **state)
{
    (void)state;
    assert_offers("brackets", "<a b='' c/>",
                  "<a/>\n"
                  "><a c/>\n"
                  "><a b=''/>\n"
                  "\n"
                  "><>\n"
                  ">a b='' c/\n");
}

static void test_lexical__two_neighbouring_groups_become_one(void **state)
{
    (void)state;
    assert_offers("joints", "f(){a}g(b){c(d)}",
                  "f(b){c(d)}\n"
                  "f(){a c(d)}\n");
    assert_offers("joints", "{(a}(b)", "");
}

static void test_lexical__what_brackets_hold_takes_the_place_of_what_they_belong_to(void **state)
{
    (void)state;
    assert_offers("lift", "x=f(a,b)[0];y",
                  "x=a,b[0];y\n"
                  "x=a[0];y\n"
                  "x=b[0];y\n"
                  "x=a,b;y\n"
                  "x=a;y\n"
                  "x=b;y\n"
                  "x=0;y\n");
    assert_offers("lift", "x;if(a/b){y}",
                  "x;a/b{y}\n"
                  "x;a/b\n"
                  "x;a/b;\n"
                  "x;y\n");
    assert_offers("lift", "{k:v}.k",
                  "v.k\n"
                  "k:v\n"
                  "v\n");
}

static void test_lexical__an_operand_takes_the_place_of_an_expression(void **state)
{
    (void)state;
    assert_offers("operators", "x=a+f(b)*2;",
                  "0=a+f(b)*2;\n"
                  ">1=a+f(b)*2;\n"
                  "0+f(b)*2;\n"
                  ">x+f(b)*2;\n"
                  ">a+f(b)*2;\n"
                  "0;\n"
                  ">x;\n"
                  ">a+f(b)*2;\n"
                  "x=0+f(b)*2;\n"
                  ">x=1+f(b)*2;\n"
                  "x=0*2;\n"
                  ">x=a*2;\n"
                  ">x=f(b)*2;\n"
                  "x=0;\n"
                  ">x=a;\n"
                  ">x=f(b)*2;\n"
                  "x=a+0*2;\n"
                  ">x=a+1*2;\n"
                  "x=a+f(0)*2;\n"
                  ">x=a+f(1)*2;\n"
                  "x=a+0;\n"
                  ">x=a+f(b);\n"
                  ">x=a+2;\n"
                  "x=0;\n"
                  ">x=a+f(b);\n"
                  ">x=2;\n");
}

static void test_lexical__a_branch_takes_the_place_of_a_choice(void **state)
{
    (void)state;
    assert_offers("operators", "1?2:3",
                  "0\n"
                  ">1\n"
                  ">2:3\n"
                  "2\n"
                  "3\n"
                  "1?0\n"
                  ">1?2\n"
                  ">1?3\n"
                  "0\n"
                  ">1?2\n"
                  ">3\n");
}

static void test_lexical__a_value_takes_the_place_of_its_name(void **state)
{
    (void)state;
    assert_offers("inline-text", "var x=f(1);g(x);",
                  "g(f(1));\n"
                  ">g((f(1)));\n");
    assert_offers("inline-text", "a.b=1;c(a.b,a.b)", "c(1,1)\n");
    assert_offers("inline-text", "a=1+1;a+a+a+a", "");
    assert_offers("inline-text", "a==1;a", "");
    assert_offers("inline-text", "typedef unsigned long t;t x;",
                  "unsigned long x;\n"
                  ">(unsigned long) x;\n");
    assert_offers("inline-text", "#define N 1\nN", "1\n");
}

static void test_lexical__the_same_goes_at_every_occurrence_of_a_word(void **state)
{
    (void)state;
    assert_offers("word-occurrences", "f(a,b);f(c,d)",
                  "(a,b);(c,d)\n"
                  "(a,b);(c,d)\n"
                  "f;f\n"
                  "f;f\n"
                  "f(b);f(d)\n"
                  "f(a);f(c)\n");
    assert_offers("word-occurrences", "*x,x[1][2]",
                  "*[1][2]\n"
                  "*[1][2]\n"
                  "*x,x\n"
                  "*x,x[2]\n"
                  "x,x[1][2]\n"
                  "*x,x[][2]\n");
}

static void test_lexical__all_between_equal_tokens_goes(void **state)
{
    (void)state;
    assert_offers("between-equals", "a,b,c", "a,c\n");
}

static void test_lexical__numbers_become_shorter_and_lower(void **state)
{
    (void)state;
    assert_offers("numbers", "0x1f",
                  "0\n"
                  ">1\n"
                  ">31\n"
                  ">0x1\n");
    assert_offers("numbers", "4711u",
                  "0\n"
                  ">1\n"
                  ">4711\n"
                  ">1000u\n"
                  ">4710u\n"
                  ">4701u\n"
                  ">4011u\n"
                  ">1711u\n");
    assert_offers("numbers", "1.5e3",
                  "0\n"
                  ">1\n"
                  ">1.5\n"
                  ">.5e3\n");
    assert_offers("numbers", "4 0",
                  "0 0\n"
                  ">1 0\n"
                  ">2 0\n"
                  ">3 0\n");
}

static void test_lexical__strings_become_shorter_and_simpler(void **state)
{
    (void)state;
    assert_offers("strings", "'ab' \"\"",
                  "'' \"\"\n"
                  ">0 \"\"\n"
                  ">ab \"\"\n"
                  ">\"\" \"\"\n"
                  ">'b' \"\"\n"
                  ">'a' \"\"\n"
                  ">'0b' \"\"\n"
                  ">'a0' \"\"\n"
                  "'ab' 0\n");
}

static void test_lexical__words_and_signs_become_shorter_ones(void **state)
{
    (void)state;
    assert_offers("peephole", "while(a+=b)c->d",
                  "if(a+=b)c->d\n"
                  "while(a=b)c->d\n"
                  "while(a+=b)c.d\n");
    assert_offers("peephole", "else if", "if\n");
}

static void test_lexical__a_name_becomes_a_simpler_one(void **state)
{
    (void)state;
    assert_offers("merge-names", "ab c ab",
                  "c c c\n"
                  ">ab c c\n"
                  "c c ab\n"
                  "ab c c\n");
}

static void test_lexical__names_get_free_letters_and_then_their_order(void **state)
{
    (void)state;
    assert_offers("short-names", "foo(a,x,foo)",
                  "foo(a,b,foo)\n"
                  "c(a,x,c)\n"
                  ">c(a,x,foo)\n"
                  ">foo(a,x,c)\n");
    assert_offers("short-names", "b(a)", "a(b)\n");
    assert_offers("short-names", "is-it(it)",
                  "a-it(it)\n"
                  "is-b(b)\n"
                  ">is-it(b)\n"
                  ">is-b(it)\n"
                  ">is-it(b)\n");
}

static void test_lexical__comments_go_with_their_lines(void **state)
{
    (void)state;
    assert_offers("comments", "a//b\n /*c*/\n#e\nx#f\n/*",
                  "a\\n /*c*/\\n#e\\nx#f\\n/*\n"
                  "a//b\\n#e\\nx#f\\n/*\n"
                  "a//b\\n /*c*/\\nx#f\\n/*\n");
}

static void test_lexical__comments_of_a_kind_go_together(void **state)
{
    (void)state;
    assert_offers("comments", "//a\nb\"//c\n d//e\n //f\n",
                  "//a\\nb\"\\n d\\n //f\\n\n"
                  ">//a\\nb\"\\n d//e\\n //f\\n\n"
                  ">//a\\nb\"//c\\n d\\n //f\\n\n"
                  "b\"//c\\n d//e\\n\n"
                  ">b\"//c\\n d//e\\n //f\\n\n"
                  ">//a\\nb\"//c\\n d//e\\n\n");
}

static void test_lexical__lines_that_stood_before_go(void **state)
{
    (void)state;
    assert_offers("duplicate-lines", "a\nb\na\na", "a\\nb\\na\n");
}

static void test_lexical__white_space_goes_where_no_words_would_touch(void **state)
{
    (void)state;
    assert_offers("white-space", " a  b\n\n  (c )\n",
                  "a  b\\n\\n  (c )\\n\n"
                  " a b\\n\\n  (c )\\n\n"
                  " a  b(c )\\n\n"
                  "> a  b (c )\\n\n"
                  "> a  b\\n(c )\\n\n"
                  "> a  b\\n  (c )\\n\n"
                  " a  b\\n\\n  (c)\\n\n"
                  " a  b\\n\\n  (c )\n");
}

static void test_lexical__tokens_get_shorter_wherever_they_occur(void **state)
{
    (void)state;
    assert_offers("token-insides", "abc+abc",
                  "bc+bc\n"
                  "a+a\n"
                  ">ac+ac\n"
                  ">ab+ab\n");
}

static void test_lexical__the_simpler_of_two_neighbours_comes_first(void **state)
{
    (void)state;
    assert_offers("reorder", "f(b,a);c==a",
                  "c==a;f(b,a)\n"
                  "f(a,b);c==a\n"
                  "f(b,a);a==c\n");
    assert_offers("reorder", "b\na", "a\\nb\n");
}

static void test_lexical__short_runs_of_bytes_go(void **state)
{
    (void)state;
    assert_offers("byte-windows", "abc",
                  "\n"
                  "a\n"
                  "c\n"
                  "ab\n"
                  "ac\n"
                  "bc\n");
}

static void test_lexical__bytes_of_binary_files_become_zero(void **state)
{
    (void)state;
    assert_offers("byte-values", "a\001\001",
                  "a00\n"
                  ">a0\001\n"
                  ">a\0010\n");
    assert_offers("byte-values", "text", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lexical__a_few_neighbours_make_way_for_one_between_them),
        cmocka_unit_test(test_lexical__brackets_go_are_emptied_replaced_or_unwrapped),
        cmocka_unit_test(test_lexical__brackets_make_way_for_a_group_inside),
        cmocka_unit_test(test_lexical__angles_are_brackets_where_they_stay_on_their_level),
        cmocka_unit_test(test_lexical__tags_go_with_what_closes_them),
        cmocka_unit_test(test_lexical__a_tag_loses_its_attributes),
        cmocka_unit_test(test_lexical__two_neighbouring_groups_become_one),
        cmocka_unit_test(test_lexical__what_brackets_hold_takes_the_place_of_what_they_belong_to),
        cmocka_unit_test(test_lexical__an_operand_takes_the_place_of_an_expression),
        cmocka_unit_test(test_lexical__a_branch_takes_the_place_of_a_choice),
        cmocka_unit_test(test_lexical__a_value_takes_the_place_of_its_name),
        cmocka_unit_test(test_lexical__the_same_goes_at_every_occurrence_of_a_word),
        cmocka_unit_test(test_lexical__all_between_equal_tokens_goes),
        cmocka_unit_test(test_lexical__numbers_become_shorter_and_lower),
        cmocka_unit_test(test_lexical__strings_become_shorter_and_simpler),
        cmocka_unit_test(test_lexical__words_and_signs_become_shorter_ones),
        cmocka_unit_test(test_lexical__a_name_becomes_a_simpler_one),
        cmocka_unit_test(test_lexical__names_get_free_letters_and_then_their_order),
        cmocka_unit_test(test_lexical__comments_go_with_their_lines),
        cmocka_unit_test(test_lexical__comments_of_a_kind_go_together),
        cmocka_unit_test(test_lexical__lines_that_stood_before_go),
        cmocka_unit_test(test_lexical__white_space_goes_where_no_words_would_touch),
        cmocka_unit_test(test_lexical__tokens_get_shorter_wherever_they_occur),
        cmocka_unit_test(test_lexical__the_simpler_of_two_neighbours_comes_first),
        cmocka_unit_test(test_lexical__short_runs_of_bytes_go),
        cmocka_unit_test(test_lexical__bytes_of_binary_files_become_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
