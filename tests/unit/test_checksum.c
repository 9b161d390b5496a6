/* Checksums: journals and layouts on disk hold them, so their values may never change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/checksum.h"

static void test_checksum__is_xxh3_of_64_bits(void **state)
{
    (void)state;
    /* The value that the specification of XXH3 gives for no bytes and no seed. */
    assert_int_equal(pare_checksum("", 0), UINT64_C(0x2d06800538d394c2));
    assert_int_equal(pare_checksum("abc", 3), pare_checksum("abcd", 3));
    assert_int_not_equal(pare_checksum("abc", 3), pare_checksum("abd", 3));
}

static void test_checksum__wide_is_a_chain(void **state)
{
    (void)state;
    static const pare_digest seeds[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 1}, {1, 2}};
    enum { N = sizeof seeds / sizeof *seeds };
    for (size_t i = 0; i < N; i++) {
        pare_digest own = pare_checksum_wide(seeds[i], "text", 4);
        assert_true(pare_digest_equal(own, pare_checksum_wide(seeds[i], "text", 4)));
        assert_false(pare_digest_equal(own, pare_checksum_wide(seeds[i], "texu", 4)));
        for (size_t k = 0; k < i; k++)
            assert_false(pare_digest_equal(own, pare_checksum_wide(seeds[k], "text", 4)));
    }
}

static void test_checksum__where_texts_are_cut_makes_a_difference(void **state)
{
    (void)state;
    const pare_digest none = {0, 0};
    pare_digest early = pare_checksum_wide(pare_checksum_wide(none, "a", 1), "bc", 2);
    pare_digest late = pare_checksum_wide(pare_checksum_wide(none, "ab", 2), "c", 1);
    assert_false(pare_digest_equal(early, late));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checksum__is_xxh3_of_64_bits),
        cmocka_unit_test(test_checksum__wide_is_a_chain),
        cmocka_unit_test(test_checksum__where_texts_are_cut_makes_a_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
