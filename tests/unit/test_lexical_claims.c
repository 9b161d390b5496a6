/* Lexical passes: what holds for each of them, whatever the text. */
/* tests: src/reduce/passes/pass.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "unit/alloc_sweep.h"
#include "unit/support/pass_driver.h"

static void test_lexical_claims__passes_are_found_by_their_names(void **state)
{
    (void)state;
    size_t n;
    const pare_pass *const *passes = pare_pass_table(&n);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(pare_pass_find(passes[i]->name), passes[i]);
        assert_non_null(passes[i]->summary);
        assert_non_null(passes[i]->source);
    }
    assert_null(pare_pass_find("none"));
}

static void assert_claims(const pare_pass_view *view)
{
    size_t n;
    const pare_pass *const *passes = pare_pass_table(&n);
    for (size_t i = 0; i < n; i++) {
        pare_patches *patches = NULL;
        bool kept = false;
        assert_int_equal(pare_pass_offer(passes[i], view, &patches, NULL), PARE_OK);
        assert_int_equal(pare_pass_check(passes[i], view, patches, &kept, NULL, NULL), PARE_OK);
        if (!kept) fail_msg("%s for '%s'", passes[i]->name, (const char *)view->bytes);
        pare_patches_unref(patches);
    }
}

/* Up to 30 words, signs and spaces. */
static size_t make_soup(pare_random *random, char text[256])
{
    static const char *const PARTS[] = {"a",  "b",    "foo",   "bar",   "true", "while", "0",
                                        "17", "0x1F", "1.5e3", "(",     ")",    "[",     "]",
                                        "{",  "}",    "<",     ">",     ",",    ";",     "=",
                                        "==", "+",    "->",    ".",     "?",    ":",     " ",
                                        "\n", "  ",   "\t",    "\"s\"", "'",    "''",    "/*",
                                        "*/", "//",   "\\",    "\x01",  "\xc3", "#"};
    size_t size = 0;
    text[0] = '\0';
    for (size_t n = (size_t)pare_random_below(random, 30); n; n--) {
        const char *part = PARTS[pare_random_below(random, sizeof PARTS / sizeof *PARTS)];
        strcpy(text + size, part);
        size += strlen(part);
    }
    return size;
}

static void test_lexical_claims__every_patch_of_any_text_makes_it_smaller(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 11);
    for (size_t round = 0; round < 400; round++) {
        char text[256];
        size_t size = make_soup(&random, text);
        struct viewed viewed = view_bytes(text, size);
        assert_claims(&viewed.view);
        view_done(&viewed);
    }
}

static void test_lexical_claims__nothing_outside_the_file_is_touched(void **state)
{
    (void)state;
    static const char text[] = "f(a, b);\nf(c[1], \"d\");\nf(a, b);\n";
    struct viewed viewed = view_bytes(text, sizeof text - 1);
    pare_pass_view given = {.text = viewed.text, .begin = 9, .end = 23}, view;
    assert_int_equal(pare_pass_view_open(&given, &view, NULL), PARE_OK);
    assert_claims(&view);
    pare_pass_view_close(&view);
    view_done(&viewed);
}

static void test_lexical_claims__a_text_in_pieces_is_refused(void **state)
{
    (void)state;
    pare_text *text = NULL, *shorter = NULL;
    pare_candidate candidate = {0};
    assert_int_equal(pare_text_copy("0123456789", 10, &text, NULL), PARE_OK);
    pare_candidate_start(&candidate, text);
    assert_int_equal(pare_candidate_slice(&candidate, 0, 4, NULL), PARE_OK);
    assert_int_equal(pare_candidate_slice(&candidate, 6, 4, NULL), PARE_OK);
    assert_int_equal(pare_candidate_text(&candidate, &shorter, NULL), PARE_OK);
    pare_pass_view given = {.text = shorter, .end = 8}, view = {0};
    if (!pare_text_bytes(shorter))
        assert_int_equal(pare_pass_view_open(&given, &view, NULL), PARE_E_ARG);
    pare_candidate_done(&candidate);
    pare_text_unref(shorter);
    pare_text_unref(text);
}

/* ---- allocations ------------------------------------------------------------------ */

struct attempt {
    const pare_pass *pass;
    const pare_pass_view *view;
};

static pare_status offer_once(void *context)
{
    const struct attempt *attempt = context;
    pare_patches *patches = NULL;
    pare_status status = pare_pass_offer(attempt->pass, attempt->view, &patches, NULL);
    if (status) assert_null(patches);
    pare_patches_unref(patches);
    return status;
}

static void sweep_passes(const char *text)
{
    struct viewed viewed = view_bytes(text, strlen(text));
    size_t n;
    const pare_pass *const *passes = pare_pass_table(&n);
    for (size_t i = 0; i < n; i++) {
        struct attempt attempt = {passes[i], &viewed.view};
        sweep_allocations(offer_once, &attempt);
    }
    view_done(&viewed);
}

static void test_lexical_claims__out_of_memory_is_told_by_every_pass(void **state)
{
    (void)state;
    sweep_passes("foo(x, \"ab\"); /*c*/\nx = foo(0x1f + 12, true); y = x;\na\na\n");
    sweep_passes("\1a\2(\1)");
}

/* ---- cost ------------------------------------------------------------------------- */

/* Offers for a large text: at most so many patches for a lexeme, whatever it is made of. */
static void assert_bounded(const char *unit, size_t size)
{
    enum { PATCHES = 64 };
    size_t unit_size = strlen(unit), n;
    pare_buffer text = {0};
    while (text.size + unit_size <= size)
        assert_int_equal(pare_buffer_add(&text, unit, unit_size, NULL), PARE_OK);
    struct viewed viewed = view_bytes(text.data, text.size);
    const pare_pass *const *passes = pare_pass_table(&n);
    for (size_t i = 0; i < n; i++) {
        pare_patches *patches = NULL;
        assert_int_equal(pare_pass_offer(passes[i], &viewed.view, &patches, NULL), PARE_OK);
        assert_true(patches->n <= PATCHES * (viewed.view.lexemes.n + 1));
        pare_patches_unref(patches);
    }
    view_done(&viewed);
    pare_buffer_done(&text);
}

static void test_lexical_claims__patches_are_linear_in_the_size_of_large_files(void **state)
{
    (void)state;
    static const char *const UNITS[] = {"f(a, 12);\n", "(",  ")",  "[[]", "<",
                                        "/*",          "\"", "a.", "=",   "a=b+"};
    /* What is quadratic is so in a quarter, too, which takes a sanitizer a quarter of the time. */
    const char *sanitize = getenv("PARE_SANITIZE");
    const size_t size = sanitize && *sanitize ? 50000 : 200000;
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
        assert_bounded(UNITS[i], size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lexical_claims__passes_are_found_by_their_names),
        cmocka_unit_test(test_lexical_claims__every_patch_of_any_text_makes_it_smaller),
        cmocka_unit_test(test_lexical_claims__nothing_outside_the_file_is_touched),
        cmocka_unit_test(test_lexical_claims__a_text_in_pieces_is_refused),
        cmocka_unit_test(test_lexical_claims__out_of_memory_is_told_by_every_pass),
        cmocka_unit_test(test_lexical_claims__patches_are_linear_in_the_size_of_large_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
