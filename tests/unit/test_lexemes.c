/* Lexemes: what a file is cut into, and what is known of each piece. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "reduce/passes/pass.h"
#include "unit/alloc_sweep.h"
#include "unit/support/pass_driver.h"

static void assert_lexemes(const char *text, const char *kinds)
{
    struct viewed viewed = view_bytes(text, strlen(text));
    const pare_lexemes *lexemes = &viewed.view.lexemes;
    assert_true(pare_lexemes_check(lexemes, viewed.view.bytes, 0, strlen(text)));
    assert_int_equal(lexemes->n, strlen(kinds));
    for (size_t i = 0; i < lexemes->n; i++)
        assert_int_equal("wns()+?"[lexemes->at[i].kind], kinds[i]);
    view_done(&viewed);
}

static void test_lexemes__kinds_are_told_by_their_bytes(void **state)
{
    (void)state;
    assert_lexemes("", "");
    assert_lexemes(" \n", "");
    assert_lexemes("if (a1 == 0x1f) { s = \"it's\"; }", "w(w++n)(w+s+)");
    assert_lexemes("'open $x", "+www");
}

static void test_lexemes__those_of_the_same_bytes_are_linked(void **state)
{
    (void)state;
    struct viewed viewed = view_bytes("a b a c a", 9);
    const pare_lexeme *at = viewed.view.lexemes.at;
    assert_int_equal(at[0].next, 2);
    assert_int_equal(at[2].next, 4);
    assert_int_equal(at[4].next, PARE_NO_LEXEME);
    assert_int_equal(at[4].first, 0);
    assert_int_equal(at[3].first, 3);
    view_done(&viewed);
}

static void test_lexemes__brackets_know_their_partners(void **state)
{
    (void)state;
    struct viewed viewed = view_bytes("([)]{}(", 7);
    const pare_lexeme *at = viewed.view.lexemes.at;
    static const uint32_t partners[7] = {2, PARE_NO_LEXEME, 0, PARE_NO_LEXEME, 5,
                                         4, PARE_NO_LEXEME};
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(at[i].partner, partners[i]);
    view_done(&viewed);
}

static void assert_cut(const char *text, size_t first, size_t last, const char *expected)
{
    struct viewed viewed = view_bytes(text, strlen(text));
    pare_extent cut = pare_pass_extent(&viewed.view, first, last);
    char left[64] = "";
    memcpy(left, text, cut.from);
    memcpy(left + cut.from, text + cut.to, strlen(text) - cut.to);
    assert_string_equal(left, expected);
    view_done(&viewed);
}

static void test_lexemes__a_cut_takes_the_white_space_that_it_leaves_without_use(void **state)
{
    (void)state;
    assert_cut("a b c", 1, 1, "a c");
    assert_cut("a b c", 2, 2, "a b");
    assert_cut("a b c", 0, 0, "b c");
    assert_cut("a\n  b;\n  c;\n", 1, 2, "a\n  c;\n");
    assert_cut("if:\n  b\nc\n", 2, 2, "if:\nc\n");
    assert_cut("a\n  b;\n", 1, 2, "a\n");
    assert_cut("a; b\nc", 2, 2, "a;\nc");
    assert_cut("a; b\nc", 0, 1, "b\nc");
    assert_cut("a\nb", 0, 0, "b");
}

static void test_lexemes__any_bytes_give_lexemes_as_promised(void **state)
{
    (void)state;
    static const char alphabet[] = "(){}[]ab1 \n\"'\\.+\xff";
    pare_random random;
    pare_random_init(&random, 5);
    for (size_t round = 0; round < 2000; round++) {
        char text[40];
        size_t size = (size_t)pare_random_below(&random, sizeof text);
        for (size_t i = 0; i < size; i++)
            text[i] = alphabet[pare_random_below(&random, sizeof alphabet - 1)];
        struct viewed viewed = view_bytes(text, size);
        assert_true(pare_lexemes_check(&viewed.view.lexemes, viewed.view.bytes, 0, size));
        view_done(&viewed);
    }
}

static pare_status make_once(void *context)
{
    pare_lexemes lexemes = {0};
    const char *text = context;
    pare_status status =
        pare_lexemes_make((const unsigned char *)text, 0, strlen(text), NULL, &lexemes, NULL);
    if (status) assert_null(lexemes.at);
    pare_lexemes_done(&lexemes);
    return status;
}

static void test_lexemes__out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    char text[] = "a (b c) a { \"d\" }";
    sweep_allocations(make_once, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lexemes__kinds_are_told_by_their_bytes),
        cmocka_unit_test(test_lexemes__those_of_the_same_bytes_are_linked),
        cmocka_unit_test(test_lexemes__brackets_know_their_partners),
        cmocka_unit_test(test_lexemes__a_cut_takes_the_white_space_that_it_leaves_without_use),
        cmocka_unit_test(test_lexemes__any_bytes_give_lexemes_as_promised),
        cmocka_unit_test(test_lexemes__out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
