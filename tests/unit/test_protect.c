/* Protected text: found by comments and patterns, found again in smaller texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "text/protect.h"
#include "unit/alloc_sweep.h"

static pare_span span(const char *text)
{
    return (pare_span){(const unsigned char *)text, strlen(text)};
}

/* Protects by `regex` (NULL: comments only) and gives the stretches, joined by '|'. */
static void assert_protects(const char *content, const char *regex, const char *expected)
{
    pare_protected found = {0};
    pare_pattern *pattern = NULL;
    char joined[256] = "";
    if (regex) assert_int_equal(pare_pattern_new(regex, &pattern, NULL), PARE_OK);
    assert_int_equal(pare_protected_add(&found, 7, span(content), &pattern, regex ? 1 : 0, NULL),
                     PARE_OK);
    for (size_t i = 0; i < found.n; i++) {
        assert_int_equal(found.texts[i].file, 7);
        strncat(joined, found.bytes.data + found.texts[i].at, found.texts[i].size);
        strcat(joined, "|");
    }
    assert_string_equal(joined, expected);
    assert_int_equal(pare_protected_has(&found, 7), found.n > 0);
    assert_false(pare_protected_has(&found, 6));
    pare_protected_done(&found);
    pare_pattern_free(pattern);
}

static void test_protect__comments_protect_whole_lines(void **state)
{
    (void)state;
    assert_protects("a\n# pare:keep-begin\nb\n# pare:keep-end x\nc\n", NULL,
                    "# pare:keep-begin\nb\n# pare:keep-end x\n|");
    assert_protects("a\n/* pare:keep-begin */ b /* pare:keep-end */ c\nd", NULL,
                    "/* pare:keep-begin */ b /* pare:keep-end */ c\n|");
    assert_protects("a\npare:keep-begin\nb", NULL, "pare:keep-begin\nb|");
    assert_protects("a\npare:keep-end\nb", NULL, "");
    assert_protects("", NULL, "");
}

static void test_protect__matches_that_touch_are_one(void **state)
{
    (void)state;
    assert_protects("a1b22c", "[0-9]", "1|22|");
    assert_protects("one\ntwo\n", "^t.*$", "two|");
    assert_protects("abc", "x*", "");
    assert_protects("pare:keep-begin\nab\npare:keep-end\ncd", "d",
                    "pare:keep-begin\nab\npare:keep-end\n|d|");
}

static void test_protect__a_wrong_expression_is_told_of(void **state)
{
    (void)state;
    pare_pattern *pattern = NULL;
    pare_error err = {0};
    assert_int_equal(pare_pattern_new("a(b", &pattern, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "'a(b'"));
    assert_null(pattern);
}

/* Whatever is left out around them, stretches are found again; without one, not. */
static void test_protect__stretches_are_found_in_what_is_left(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 4);
    pare_protected kept = {0};
    pare_pattern *pattern = NULL;
    static const char content[] = "aa[1]bb[22]cc[1]dd";
    assert_int_equal(pare_pattern_new("\\[[0-9]+\\]", &pattern, NULL), PARE_OK);
    assert_int_equal(pare_protected_add(&kept, 0, span(content), &pattern, 1, NULL), PARE_OK);
    assert_int_equal(kept.n, 3);
    for (int round = 0; round < 200; round++) {
        char left[32];
        size_t n = 0, lost = pare_random_below(&random, 4), bracket = 0;
        for (const char *at = content; *at; at++) {
            bracket += *at == '[';
            bool inside = *at == '[' || *at == ']' || (*at >= '0' && *at <= '9');
            if (inside ? bracket != lost : pare_random_below(&random, 2)) left[n++] = *at;
        }
        left[n] = '\0';
        pare_stretch places[3];
        size_t found = 0;
        bool all = pare_protected_find(&kept, 0, span(left), places, 3, &found);
        assert_int_equal(all, lost == 0);
        if (!all) continue;
        assert_int_equal(found, 3);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(places[i].to - places[i].from, kept.texts[i].size);
            assert_true(i == 0 || places[i].from >= places[i - 1].to);
        }
    }
    pare_pattern_free(pattern);
    pare_protected_done(&kept);
}

static pare_status protect_all(void *context)
{
    pare_protected found = {0};
    pare_pattern *pattern = NULL;
    (void)context;
    pare_status status = pare_pattern_new("[a-c]", &pattern, NULL);
    if (!status)
        status = pare_protected_add(&found, 0, span("a-b-c\npare:keep-begin\n"), &pattern, 1, NULL);
    pare_pattern_free(pattern);
    pare_protected_done(&found);
    return status;
}

static void test_protect__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(protect_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_protect__comments_protect_whole_lines),
        cmocka_unit_test(test_protect__matches_that_touch_are_one),
        cmocka_unit_test(test_protect__a_wrong_expression_is_told_of),
        cmocka_unit_test(test_protect__stretches_are_found_in_what_is_left),
        cmocka_unit_test(test_protect__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
