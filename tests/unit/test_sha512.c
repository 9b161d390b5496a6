/* SHA-512 against the digests of its standard and around the ends of blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha512.h"

static void assert_integrity(const char *bytes, size_t size, const char *wanted)
{
    char text[PARE_INTEGRITY_BYTES];
    pare_sha512_integrity(bytes, size, text);
    assert_string_equal(text, wanted);
}

static void test_sha512__gives_the_digests_of_the_standard(void **state)
{
    (void)state;
    assert_integrity("", 0,
                     "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvU"
                     "dBeoGlODJ6+SfaPg==");
    assert_integrity("abc", 3,
                     "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2"
                     "Q86A4qmslPpUyknw==");
}

static void test_sha512__lengths_around_the_padding_differ(void **state)
{
    (void)state;
    char bytes[260], texts[260][PARE_INTEGRITY_BYTES];
    memset(bytes, 'a', sizeof bytes);
    for (size_t n = 0; n < sizeof bytes; n++) {
        pare_sha512_integrity(bytes, n, texts[n]);
        for (size_t k = 0; k < n; k++)
            assert_string_not_equal(texts[n], texts[k]);
    }
    assert_string_equal(
        texts[112],
        "sha512-"
        "wB0IDv1JJ3ahxDvSPdmdCi5ibUgeFnguddVMJQO13DK9BfDxujPlaLiP0tlwkptxnsuxUvWPEwpAfIgwYEtwyg==");
    assert_string_equal(
        texts[256],
        "sha512-"
        "apFp62YvE22HN0Bw6IKLPmFafsoyqJRG6SJbAoMnCb4JXmNcgkortwITui6gq6usCAmCeEOZLIUZA7esDBNmmQ==");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha512__gives_the_digests_of_the_standard),
        cmocka_unit_test(test_sha512__lengths_around_the_padding_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
