/* Words about a part: what was tried in its place can be seen, and where it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/explain.h>

#include "ui/part_words.h"

static pare_explanation explanation_of(char *bytes, size_t size)
{
    return (pare_explanation){.result = {.bytes = (unsigned char *)bytes, .size_bytes = size}};
}

static void assert_other(const pare_explanation *explanation, const char *text, const char *wanted)
{
    char shown[24];
    const pare_explained_other other = {.text = text, .bytes = strlen(text)};
    pare_part_words_other(explanation, &other, shown, sizeof shown);
    assert_string_equal(shown, wanted);
}

static void test_part_words__what_was_tried_can_be_seen(void **state)
{
    static char text[] = "a b", bytes[] = "\1\2\377\376";
    const pare_explanation explained = explanation_of(text, 3), binary = explanation_of(bytes, 4);
    (void)state;
    assert_other(&explained, "", "(nothing)");
    assert_other(&explained, " ", "(a blank)");
    assert_other(&explained, "x\ty\n", "x\\ty\\n");
    assert_other(&explained, "0123456789012345678901234567", "01234567890123456789...");
    assert_false(pare_part_words_is_binary(&explained));
    assert_true(pare_part_words_is_binary(&binary));
    assert_other(&binary, "ab", "61 62");
    assert_other(&binary, " ", "20");
    assert_other(&binary, "", "(nothing)");
    assert_other(&binary, "abcdefgh", "61 62 63 64 65 66 67...");
}

/* Lines and characters from 1; a character of several bytes is one. */
static void test_part_words__places_are_lines_and_characters(void **state)
{
    static char text[] = "x\n\303\244(y)\n", bytes[] = "\1\2\377\376";
    static const struct {
        size_t at;
        const char *wanted;
    } places[] = {{0, "1:1"}, {1, "1:2"}, {2, "2:1"}, {4, "2:2"}, {5, "2:3"}, {8, "3:1"}};
    const pare_explanation explained = explanation_of(text, 8), binary = explanation_of(bytes, 4);
    char place[40];
    (void)state;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        pare_part_words_place(&explained, places[k].at, place, sizeof place);
        assert_string_equal(place, places[k].wanted);
    }
    pare_part_words_place(&binary, 3, place, sizeof place);
    assert_string_equal(place, "0x3");
}

static void test_part_words__name_those_that_fail(void **state)
{
    static char text[] = "Ab";
    static const pare_explained_other others[] = {
        {"aB", 2, true, false}, {"", 0, true, true}, {"c", 1, false, false}, {"d", 1, true, false}};
    pare_explanation explained = explanation_of(text, 2);
    pare_explained_part part = {.to = 2,
                                .sampled_as = "name",
                                .kind = "name",
                                .verdict = PARE_PART_NEEDED,
                                .fails = 3,
                                .others = others,
                                .n_others = 4};
    char failing[80];
    (void)state;
    pare_part_words_failing(&explained, &part, 3, failing, sizeof failing);
    assert_string_equal(failing, "aB, (nothing) or d");
    pare_part_words_failing(&explained, &part, 1, failing, sizeof failing);
    assert_string_equal(failing, "aB or others");
    assert_true(pare_part_words_is_partly(&explained, &part));
    part.n_others = part.fails = 1; /* the same letters only */
    assert_false(pare_part_words_is_partly(&explained, &part));
    assert_true(pare_part_words_is_any_case(&explained, &part));
    part.n_others = 0;
    pare_part_words_failing(&explained, &part, 3, failing, sizeof failing);
    assert_string_equal(failing, "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_part_words__what_was_tried_can_be_seen),
        cmocka_unit_test(test_part_words__places_are_lines_and_characters),
        cmocka_unit_test(test_part_words__name_those_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
