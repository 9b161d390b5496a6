/* Properties of characters by name: those of utf8proc's tables, of PCRE2's, and ANTLR's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "grammar/unicode.h"
#include "unit/alloc_sweep.h"

static bool has(const pare_intervals *set, uint32_t code_point)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->items[i].from <= code_point && code_point <= set->items[i].to) return true;
    return false;
}

/* Whether the property is known; if so it has `in` and has not `out`, and negated it is the
 * other way round. */
static bool check(pare_unicode *unicode, const char *name, uint32_t in, uint32_t out)
{
    pare_intervals set = {0}, others = {0};
    bool known = false, exact = false;
    assert_int_equal(pare_unicode_add(unicode, (pare_unicode_property){name, strlen(name), false},
                                      &set, &known, &exact, NULL),
                     PARE_OK);
    assert_int_equal(pare_unicode_add(unicode, (pare_unicode_property){name, strlen(name), true},
                                      &others, &known, &exact, NULL),
                     PARE_OK);
    assert_true(known == exact);
    if (known && !(has(&set, in) && has(&others, out) && !has(&set, out) && !has(&others, in)))
        fail_msg("%s: U+%04X is not in it, or U+%04X is", name, (unsigned)in, (unsigned)out);
    if (!known) assert_int_equal(set.n + others.n, 0);
    pare_intervals_done(&set);
    pare_intervals_done(&others);
    return known;
}

static void test_unicode__categories_and_breaks_are_known_under_all_their_names(void **state)
{
    pare_unicode unicode = {.n_others = 0};
    (void)state;
    assert_true(check(&unicode, "Lu", 'A', 'a'));
    assert_true(check(&unicode, "uppercase letter", 0x391, 0x3B1));
    assert_true(check(&unicode, "General_Category=Nd", '7', 'x'));
    assert_true(check(&unicode, "Grapheme_Cluster_Break=ZWJ", 0x200D, 0x200C));
    assert_true(check(&unicode, "Cn", 0x50000, 'A')); /* a plane without characters */
    pare_unicode_done(&unicode);
}

/* Older PCRE2 knows none of the first. */
static void test_unicode__scripts_and_properties_of_two_values_are_exact(void **state)
{
    pare_unicode unicode = {.n_others = 0};
    (void)state;
    if (!check(&unicode, "Emoji_Presentation", 0x1F4A9, '0')) {
        pare_unicode_done(&unicode);
        skip();
    }
    assert_true(check(&unicode, "Greek", 0x3B1, 'a'));
    assert_true(check(&unicode, "Script=Greek", 0x3B1, 'a'));
    assert_true(check(&unicode, "common", '0', 'a'));
    assert_true(check(&unicode, "scx=Deva", 0x964, 'a'));   /* a sign that others use too, */
    assert_true(check(&unicode, "sc=Zyyy", 0x964, 0x915));  /* and is of no script */
    assert_true(check(&unicode, "Alphabetic", 0x345, '0')); /* a mark */
    assert_true(check(&unicode, "XID_Start", 0x3B1, 0x37A));
    assert_true(check(&unicode, "Emoji", '0', 'A'));
    assert_true(check(&unicode, "Tangut", 0x17000, 0x16FFF));
    assert_true(check(&unicode, "Variation_Selector", 0xE0100, 0x100000));
    for (int round = 0; round < 2; round++) { /* more than are kept */
        assert_true(check(&unicode, "EmojiPresentation=EmojiDefault", 0x1F4A9, '0'));
        assert_true(check(&unicode, "EmojiPresentation=TextDefault", '0', 0x1F4A9));
        assert_true(check(&unicode, "EmojiPresentation=Text", 'A', '0'));
        assert_true(check(&unicode, "emojipresentation=text", 0x50000, 0x1F4A9));
        assert_true(check(&unicode, "EmojiRK", 0x303D, 0x1F4A9));
        assert_true(check(&unicode, "EmojiNRK", 0x1F4A9, 0x303D));
    }
    pare_unicode_done(&unicode);
}

static void test_unicode__what_nobody_knows_is_told_and_adds_nothing(void **state)
{
    static const char *const names[] = {
        "",
        "Klingon",
        "sc=Klingon",
        "InGreek",
        "L}|.",
        "\\p{L}",
        "gc=",
        "EmojiPresentation=",
        "a_name_that_is_longer_than_any_of_a_property_of_characters_could_ever_be"};
    pare_unicode unicode = {.n_others = 0};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_false(check(&unicode, names[i], 0, 0));
    pare_unicode_done(&unicode);
}

static pare_status add_all(void *context)
{
    static const char *const names[] = {"Lu", "Alphabetic", "Greek", "EmojiPresentation=Text"};
    pare_unicode unicode = {.n_others = 0};
    pare_intervals set = {0};
    bool known = false, exact = false;
    pare_status status = PARE_OK;
    (void)context;
    for (size_t i = 0; i < sizeof names / sizeof *names && !status; i++)
        status =
            pare_unicode_add(&unicode, (pare_unicode_property){names[i], strlen(names[i]), false},
                             &set, &known, &exact, NULL);
    pare_intervals_done(&set);
    pare_unicode_done(&unicode);
    return status;
}

static void test_unicode__survives_each_allocation_failing(void **state)
{
    (void)state;
    sweep_allocations(add_all, NULL);
}

/* From one byte to four; what is no code point adds nothing. */
static void test_unicode__appends_utf8_of_one_to_four_bytes(void **state)
{
    static const uint32_t points[] = {'a', 0xE4, 0x20AC, 0x1F600, 0x110000};
    pare_buffer text = {0};
    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        assert_int_equal(pare_unicode_append(&text, points[i], NULL), PARE_OK);
    assert_string_equal(text.data, "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
    pare_buffer_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unicode__categories_and_breaks_are_known_under_all_their_names),
        cmocka_unit_test(test_unicode__scripts_and_properties_of_two_values_are_exact),
        cmocka_unit_test(test_unicode__what_nobody_knows_is_told_and_adds_nothing),
        cmocka_unit_test(test_unicode__survives_each_allocation_failing),
        cmocka_unit_test(test_unicode__appends_utf8_of_one_to_four_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
