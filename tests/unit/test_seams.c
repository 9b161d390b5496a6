/* Seams: what is learned of a text, and which windows of tokens are offered first by it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/passes/pass.h"
#include "reduce/passes/seams.h"
#include "text/candidate.h"
#include "text/patch.h"
#include "text/text.h"

static const char INPUT[] = "if a then b; end if; if c then d; end if; if e then f; end if;";

static void learn(pare_seams *seams, const char *text)
{
    pare_lexemes lexemes = {0};
    const unsigned char *bytes = (const unsigned char *)text;
    assert_int_equal(pare_lexemes_make(bytes, 0, strlen(text), NULL, &lexemes, NULL), PARE_OK);
    pare_seams_learn(seams, &lexemes, bytes);
    pare_lexemes_done(&lexemes);
}

/* Whether the two tokens that are all of `pair` were seen side by side. */
static bool has(const pare_seams *seams, const char *pair)
{
    pare_lexemes lexemes = {0};
    const unsigned char *bytes = (const unsigned char *)pair;
    assert_int_equal(pare_lexemes_make(bytes, 0, strlen(pair), NULL, &lexemes, NULL), PARE_OK);
    assert_int_equal(lexemes.n, 2);
    const bool seen = pare_seams_has(seams, &lexemes, bytes, 0, 1);
    pare_lexemes_done(&lexemes);
    return seen;
}

static void test_seams__words_that_recur_are_told_apart_and_names_are_not(void **state)
{
    pare_seams seams = {.pairs = {0}};
    (void)state;
    assert_false(has(&seams, "end if"));
    learn(&seams, INPUT);
    assert_true(has(&seams, "end if"));
    assert_true(has(&seams, "if a"));
    assert_true(has(&seams, "if unheard_of"));
    assert_true(has(&seams, "x then"));
    assert_false(has(&seams, "if then"));
    assert_false(has(&seams, "a b"));
    assert_false(has(&seams, "then ;"));
}

static void test_seams__the_ends_of_a_file_are_seams_too(void **state)
{
    pare_seams seams = {.pairs = {0}};
    pare_lexemes lexemes = {0};
    const unsigned char *bytes = (const unsigned char *)"if x";
    (void)state;
    learn(&seams, INPUT);
    assert_int_equal(pare_lexemes_make(bytes, 0, 4, NULL, &lexemes, NULL), PARE_OK);
    assert_true(pare_seams_has(&seams, &lexemes, bytes, PARE_NO_LEXEME, 0));
    assert_false(pare_seams_has(&seams, &lexemes, bytes, 1, 2));
    assert_false(pare_seams_has(&seams, &lexemes, bytes, PARE_NO_LEXEME, 1));
    pare_lexemes_done(&lexemes);
}

/* What is left when patch `i` is made, a string in `left`. */
static void read_patch(const pare_patches *patches, uint32_t i, char left[64])
{
    pare_candidate candidate = {0};
    assert_int_equal(pare_patches_candidate(patches, pare_patch_changes(patches, i),
                                            patches->patches[i].n_changes, &candidate, NULL),
                     PARE_OK);
    assert_true(candidate.size < 64);
    pare_candidate_read(&candidate, left);
    left[candidate.size] = '\0';
    pare_candidate_done(&candidate);
}

static void test_seams__windows_that_leave_a_known_seam_come_first_and_brackets_stay_pairs(
    void **state)
{
    static const char text[] = "if g(x) then\nend if;";
    static const char first[] = "if g then\nend if;"; /* (x) has gone */
    pare_seams seams = {.pairs = {0}};
    pare_text *base = NULL;
    pare_patches *patches = NULL;
    pare_pass_view view;
    (void)state;
    learn(&seams, INPUT);
    assert_int_equal(pare_text_copy(text, sizeof text - 1, &base, NULL), PARE_OK);
    const pare_pass_view given = {.text = base, .end = sizeof text - 1, .seams = &seams};
    assert_int_equal(pare_pass_view_open(&given, &view, NULL), PARE_OK);
    assert_int_equal(pare_pass_offer(&pare_pass_token_windows, &view, &patches, NULL), PARE_OK);
    bool kept;
    uint32_t which;
    assert_int_equal(pare_pass_check(&pare_pass_token_windows, &view, patches, &kept, &which, NULL),
                     PARE_OK);
    assert_true(kept);
    char left[64];
    read_patch(patches, 0, left);
    assert_string_equal(left, first);
    for (uint32_t i = 0; i < patches->n; i++) {
        read_patch(patches, i, left);
        assert_int_equal(strchr(left, '(') != NULL, strchr(left, ')') != NULL);
    }
    pare_patches_unref(patches);
    pare_pass_view_close(&view);
    pare_text_unref(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seams__words_that_recur_are_told_apart_and_names_are_not),
        cmocka_unit_test(test_seams__the_ends_of_a_file_are_seams_too),
        cmocka_unit_test(
            test_seams__windows_that_leave_a_known_seam_come_first_and_brackets_stay_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
