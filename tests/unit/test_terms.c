/* Terms: where what looks like an expression begins and ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/passes/terms.h"
#include "unit/support/pass_driver.h"

/* The lexeme that begins at the `^` of `marks`, which stand below the text. */
static size_t marked(const pare_pass_view *view, const char *marks)
{
    size_t at = strcspn(marks, "^");
    for (size_t i = 0; i < view->lexemes.n; i++)
        if (view->lexemes.at[i].from == at) return i;
    fail_msg("no lexeme begins at %zu", at);
    return 0;
}

static void assert_run(const pare_pass_view *view, bool found, pare_lexeme_run run,
                       const char *expected)
{
    if (!found) {
        assert_null(expected);
        return;
    }
    assert_non_null(expected);
    pare_extent bytes = pare_terms_extent(view, run);
    assert_int_equal(bytes.to - bytes.from, strlen(expected));
    assert_memory_equal(view->bytes + bytes.from, expected, strlen(expected));
}

struct term_case {
    const char *text, *mark;
    const char *expected; /* NULL: there is none */
};

static void test_terms__a_term_before_has_what_hangs_on_it(void **state)
{
    (void)state;
    static const struct term_case cases[] = {
        {"x + a.b(c)[d]", "            ^", "a.b(c)[d]"},
        {"x + a->b", "       ^", "a->b"},
        {"f(1)(2)", "      ^", "f(1)(2)"},
        {"-3", " ^", "3"},
        {"a + (b)", "      ^", "(b)"},
        {"a +", "  ^", NULL},
        {"f\n(a)", "    ^", "(a)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct viewed viewed = view_bytes(cases[i].text, strlen(cases[i].text));
        pare_lexeme_run term = {0};
        bool found = pare_terms_before(&viewed.view, marked(&viewed.view, cases[i].mark), &term);
        assert_run(&viewed.view, found, term, cases[i].expected);
        view_done(&viewed);
    }
}

static void test_terms__a_term_after_begins_with_its_signs(void **state)
{
    (void)state;
    static const struct term_case cases[] = {
        {"-x.y + 1", "^", "-x.y"}, {"!!f(a, b)[0] * 2", "^", "!!f(a, b)[0]"},
        {"a::b c", "^", "a::b"},   {"{k: v}.k + 1", "^", "{k: v}.k"},
        {", a", "^", NULL},        {"a\n(b)", "^", "a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct viewed viewed = view_bytes(cases[i].text, strlen(cases[i].text));
        pare_lexeme_run term = {0};
        bool found = pare_terms_after(&viewed.view, marked(&viewed.view, cases[i].mark), &term);
        assert_run(&viewed.view, found, term, cases[i].expected);
        view_done(&viewed);
    }
}

static void test_terms__a_stretch_ends_at_separators_and_at_its_brackets(void **state)
{
    (void)state;
    static const struct {
        const char *text, *mark, *before, *after;
    } cases[] = {
        {"x = a + f(b, c) == 2; y", "      ^", "a +", "+ f(b, c) == 2"},
        {"f(a + b, c)", "    ^", "a +", "+ b"},
        {"a +\n b", "  ^", "a +", "+"},
        {"(a\n+ b)", "   ^", "+", "+ b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct viewed viewed = view_bytes(cases[i].text, strlen(cases[i].text));
        size_t at = marked(&viewed.view, cases[i].mark);
        assert_run(&viewed.view, true, pare_terms_stretch_before(&viewed.view, at),
                   cases[i].before);
        assert_run(&viewed.view, true, pare_terms_stretch_after(&viewed.view, at), cases[i].after);
        view_done(&viewed);
    }
}

static void test_terms__signs_are_one_run_as_long_as_no_blank_is_between(void **state)
{
    (void)state;
    struct viewed viewed = view_bytes("a<<=b + -c;", 11);
    pare_lexeme_run signs = {0};
    assert_true(pare_terms_signs(&viewed.view, 1, &signs));
    assert_run(&viewed.view, true, signs, "<<=");
    assert_true(pare_terms_signs(&viewed.view, signs.last + 2, &signs));
    assert_run(&viewed.view, true, signs, "+");
    assert_false(pare_terms_signs(&viewed.view, 0, &signs));
    assert_false(pare_terms_signs(&viewed.view, viewed.view.lexemes.n - 1, &signs));
    view_done(&viewed);
}

static void test_terms__elements_are_those_of_one_level(void **state)
{
    (void)state;
    struct viewed viewed = view_bytes("f(a, g(b, c), , d;)", 19);
    static const char *const expected[] = {"a", "g(b, c)", "d"};
    pare_lexeme_run element;
    size_t at = 1, n = 0;
    while (pare_terms_next_element(&viewed.view, 1, &at, &element)) {
        assert_true(n < 3);
        assert_run(&viewed.view, true, element, expected[n++]);
    }
    assert_int_equal(n, 3);
    view_done(&viewed);
}

static void test_terms__keeping_a_run_leaves_it_alone_in_its_place(void **state)
{
    (void)state;
    struct viewed viewed = view_bytes("x = f(a + b);", 13);
    pare_patches *patches = NULL;
    pare_buffer printed = {0};
    assert_int_equal(pare_patches_new(viewed.text, &patches, NULL), PARE_OK);
    assert_int_equal(pare_terms_offer_keep(&viewed.view, (pare_extent){4, 12},
                                           (pare_lexeme_run){4, 6}, PARE_NO_PATCH, patches, NULL),
                     PARE_OK);
    assert_int_equal(patches->n, 1);
    print_patch(patches, 0, 0, &printed);
    assert_int_equal(pare_buffer_add(&printed, "", 1, NULL), PARE_OK);
    assert_string_equal(printed.data, "x = a + b;\n");
    pare_buffer_done(&printed);
    pare_patches_unref(patches);
    view_done(&viewed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms__a_term_before_has_what_hangs_on_it),
        cmocka_unit_test(test_terms__a_term_after_begins_with_its_signs),
        cmocka_unit_test(test_terms__a_stretch_ends_at_separators_and_at_its_brackets),
        cmocka_unit_test(test_terms__signs_are_one_run_as_long_as_no_blank_is_between),
        cmocka_unit_test(test_terms__elements_are_those_of_one_level),
        cmocka_unit_test(test_terms__keeping_a_run_leaves_it_alone_in_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
