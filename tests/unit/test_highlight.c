/* Highlighting by the languages c and json. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <pare/highlight.h>

#include "base/alloc.h"
#include "unit/alloc_sweep.h"
#include "unit/support/language.h"

/* `kinds` has a letter for each byte of `text`: K keyword, L literal, C comment, and what is in neither
 * but a space stands for none. */
static void assert_kinds(const char *language, const char *text, const char *kinds)
{
    static const char letters[] = {[PARE_HIGHLIGHT_NONE] = ' ',
                                   [PARE_HIGHLIGHT_KEYWORD] = 'K',
                                   [PARE_HIGHLIGHT_LITERAL] = 'L',
                                   [PARE_HIGHLIGHT_COMMENT] = 'C'};
    unsigned char found[256];
    char shown[257] = {0};
    pare_highlighter *highlighter = NULL;
    pare_error err = {0};
    const size_t size = strlen(text);
    assert_in_range(size, 1, sizeof found);
    if (pare_highlighter_new(language, &highlighter, &err)) fail_msg("%s", err.message);
    assert_int_equal(pare_highlighter_run(highlighter, text, size, found, &err), PARE_OK);
    for (size_t k = 0; k < size; k++)
        shown[k] = letters[found[k]];
    assert_string_equal(shown, kinds);
    pare_highlighter_free(highlighter);
}

static void test_highlight__knows_literals_of_json(void **state)
{
    (void)state;
    assert_kinds("json", "{\"a\": [1, -2.5e3, true]}", //
                 " LLL   L  LLLLLL  KKKK  ");
}

static void test_highlight__knows_words_strings_and_comments_of_c(void **state)
{
    (void)state;
    if (!has_language("c")) skip();
    assert_kinds("c", "int f(void) { return g(\"if 1\", 'x', 0x1F); } /* while */", //
                 "KKK   KKKK    KKKKKK   LLLLLL  LLL  LLLL     CCCCCCCCCCC");
}

static void test_highlight__what_does_not_parse_is_shown_as_it_is(void **state)
{
    (void)state;
    assert_kinds("json", "))) \x1b[xm \xff{", "           ");
}

static void test_highlight__a_language_that_is_not_known_is_refused(void **state)
{
    (void)state;
    pare_highlighter *highlighter = NULL;
    pare_error err = {0};
    assert_int_equal(pare_highlighter_new("nosuch", &highlighter, &err), PARE_E_ARG);
    assert_null(highlighter);
}

static pare_status highlight_once(void *context)
{
    const char *text = context;
    unsigned char kinds[64] = {77};
    pare_highlighter *highlighter = NULL;
    pare_status status = pare_highlighter_new("json", &highlighter, NULL);
    if (!status) status = pare_highlighter_run(highlighter, text, strlen(text), kinds, NULL);
    if (status) assert_int_equal(kinds[0], 77);
    pare_highlighter_free(highlighter);
    return status;
}

static void test_highlight__reports_oom_at_every_allocation_and_leaks_nothing(void **state)
{
    (void)state;
    sweep_allocations(highlight_once, (void *)(uintptr_t) "[true, \"\", 1]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_highlight__knows_literals_of_json),
        cmocka_unit_test(test_highlight__knows_words_strings_and_comments_of_c),
        cmocka_unit_test(test_highlight__what_does_not_parse_is_shown_as_it_is),
        cmocka_unit_test(test_highlight__a_language_that_is_not_known_is_refused),
        cmocka_unit_test(test_highlight__reports_oom_at_every_allocation_and_leaks_nothing),
    };
    use_build_data();
    if (!has_language("json")) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
