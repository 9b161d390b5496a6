/* Tags of texts: what pairs, what stands alone, what is none; the invariant on any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "text/split/markup.h"
#include "unit/alloc_sweep.h"

/* Shows tags: ( and ) around what a pair encloses, with the tags left out, | for one by itself. */
static void assert_tags(const char *text, const char *expected)
{
    char shown[512];
    size_t n = 0, at = 0;
    pare_markup markup = {0};
    assert_int_equal(pare_markup_find((const unsigned char *)text, strlen(text), &markup, NULL),
                     PARE_OK);
    for (size_t i = 0; i <= markup.n; i++) {
        const size_t end = i < markup.n ? markup.tags[i].begin : strlen(text);
        memcpy(shown + n, text + at, end - at);
        n += end - at;
        if (i == markup.n) break;
        shown[n++] = markup.tags[i].partner == i ? '|' : markup.tags[i].partner > i ? '(' : ')';
        at = markup.tags[i].end;
    }
    shown[n] = '\0';
    assert_string_equal(shown, expected);
    pare_markup_done(&markup);
}

/* Whether anything is closed. */
static void assert_pairs(const char *text, bool has_pairs)
{
    pare_markup markup = {0};
    assert_int_equal(pare_markup_find((const unsigned char *)text, strlen(text), &markup, NULL),
                     PARE_OK);
    assert_int_equal(markup.has_pairs, has_pairs);
    pare_markup_done(&markup);
}

static void test_markup__tags_pair_by_name_and_nest(void **state)
{
    (void)state;
    assert_tags("<a><b>x</b></a>", "((x))");
    assert_tags("<a x=\"1>2\" y='</a>'>z</a>", "(z)");
    assert_tags("<a><a>x</a>y</a>", "((x)y)");
    assert_tags("<P>x</p >", "(x)");
    assert_tags("<x:y-z>1</x:y-z>", "(1)");
    assert_tags("[b]x[i]y[/i][/b]", "(x(y))");
    assert_tags("{% if a %}x{% endif %}{{#each b}}y{{/each}}", "(x)(y)");
    assert_tags("<x:y-z></x:y></x:y-z>", "(</x:y>)");
    assert_tags("[b=3][c]x[0][/c][/b]", "((x[0]))");
    assert_tags("{% if a %}{% x %}{% endif %}", "({% x %})");
    assert_tags("{{#a b}}{{c}}{{/a}}", "({{c}})");
}

static void test_markup__what_nothing_closes_stands_alone(void **state)
{
    (void)state;
    assert_tags("<p>a<br>b<i/></p>", "(a|b|)");
    assert_tags("<p>a</b></p>", "(a</b>)");
    assert_tags("<!-- <p> --><?x?><!DOCTYPE a><p></p>", "|||()");
    assert_tags("[a]<p>[b]</p>", "[a]([b])");
    assert_tags("<b><i>x</b></i>", "(|x)</i>");
}

static void test_markup__signs_and_strings_are_no_tags(void **state)
{
    (void)state;
    assert_tags("a < b; c > d; f<g>(h)", "a < b; c > d; f|(h)");
    assert_pairs("a < b; c > d; f<g>(h)", false);
    assert_pairs("<a/>[b]", false);
    assert_pairs("<a></a>", true);
    assert_tags("if (a<b) { c[d] = e; } [x]", "if (a<b) { c[d] = e; } [x]");
    assert_tags("f(\"<b>x</b>\");", "f(\"<b>x</b>\");");
    /* In markup a quote is an apostrophe as often. */
    assert_tags("<b>don't</b><b>can't</b>", "(don't)(can't)");
    assert_tags("<", "<");
    assert_tags("<a x=\"", "<a x=\"");
    assert_tags("{{a}", "{{a}");
    assert_tags("[a]x[/b]{ /a }", "[a]x[/b]{ /a }");
    assert_tags("", "");
}

/* Any bytes: tags are in order, do not overlap, and nest. */
static void test_markup__pairs_nest(void **state)
{
    (void)state;
    static const char *const PIECES[] = {"<a>",  "</a>", "<b x='", "'",     ">",
                                         "</b>", "[a]",  "[/a]",   "{%a%}", "{% enda %}",
                                         "<a/>", "\n",   "x",      "{{a}}"};
    pare_random random;
    pare_random_init(&random, 7);
    for (int round = 0; round < 3000; round++) {
        char text[256];
        size_t n = 0;
        while (n < 200 && pare_random_below(&random, 30)) {
            const char *piece = PIECES[pare_random_below(&random, sizeof PIECES / sizeof *PIECES)];
            n += (size_t)sprintf(text + n, "%s", piece);
        }
        pare_markup markup = {0};
        assert_int_equal(pare_markup_find((unsigned char *)text, n, &markup, NULL), PARE_OK);
        size_t ends[200], depth = 0;
        for (size_t i = 0; i < markup.n; i++) {
            const pare_markup_tag *tag = &markup.tags[i];
            assert_true(tag->begin < tag->end && tag->end <= n);
            assert_true(i == 0 || markup.tags[i - 1].end <= tag->begin);
            assert_true(tag->partner < markup.n && markup.tags[tag->partner].partner == i);
            if (tag->partner > i) ends[depth++] = tag->partner;
            if (tag->partner < i) assert_int_equal(ends[--depth], i);
        }
        assert_int_equal(depth, 0);
        pare_markup_done(&markup);
    }
}

static pare_status find_in_sweep(void *context)
{
    pare_markup markup = {0};
    (void)context;
    pare_status status =
        pare_markup_find((const unsigned char *)"<a><b></b></a>", 14, &markup, NULL);
    pare_markup_done(&markup);
    return status;
}

static void test_markup__survives_failing_allocation(void **state)
{
    (void)state;
    sweep_allocations(find_in_sweep, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markup__tags_pair_by_name_and_nest),
        cmocka_unit_test(test_markup__what_nothing_closes_stands_alone),
        cmocka_unit_test(test_markup__signs_and_strings_are_no_tags),
        cmocka_unit_test(test_markup__pairs_nest),
        cmocka_unit_test(test_markup__survives_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
