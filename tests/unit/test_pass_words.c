/* Words that become short ones wherever they stand, and long ones of which pieces go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/pass_driver.h"

static void test_pass_words__those_in_strings_change_too(void **state)
{
    (void)state;
    assert_offers("long-words", "name=1;\"${name}\"", "a=1;\"${a}\"\n");
    assert_offers("long-words", "name=name", "");
}

static void test_pass_words__a_capital_stays_one(void **state)
{
    (void)state;
    assert_offers("long-words", "Foo(A,foo)", "B(A,foo)\n");
}

/* The whole word and its 31 pieces of 32, 16, 8 and 4 bytes. */
static void test_pass_words__pieces_of_data_keep_to_groups_of_four(void **state)
{
    (void)state;
    char text[128];
    pare_patches *patches = NULL;
    memset(text, 'A', 70);
    memcpy(text + 70, "B==", 3);
    struct viewed viewed = view_bytes(text, 73);
    assert_int_equal(pare_pass_offer(pass_named("word-pieces"), &viewed.view, &patches, NULL),
                     PARE_OK);
    assert_true(patches->n > 31);
    size_t last = 0;
    for (uint32_t i = 0; i < patches->n; i++) {
        const pare_change *change = pare_patch_changes(patches, i);
        assert_int_equal(patches->patches[i].n_changes, 1);
        assert_int_equal(change->from % 4, 0);
        assert_true((change->to - change->from) % 4 == 0 || change->to == 73);
        if (change->to - change->from > last) last = change->to - change->from;
    }
    assert_int_equal(last, 73);
    pare_patches_unref(patches);
    view_done(&viewed);
}

static void test_pass_words__what_is_short_or_binary_has_no_pieces(void **state)
{
    (void)state;
    assert_offers("word-pieces", "aGVsbG8gd29yb of internationalizations", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass_words__those_in_strings_change_too),
        cmocka_unit_test(test_pass_words__a_capital_stays_one),
        cmocka_unit_test(test_pass_words__pieces_of_data_keep_to_groups_of_four),
        cmocka_unit_test(test_pass_words__what_is_short_or_binary_has_no_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
