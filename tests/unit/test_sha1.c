/* SHA-1, by the examples of its standard. */
/* tests: src/base/sha1.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha1.h"

static void assert_sha1(const char *text, const uint8_t expected[PARE_SHA1_BYTES])
{
    uint8_t digest[PARE_SHA1_BYTES];
    pare_sha1(text, strlen(text), digest);
    assert_memory_equal(digest, expected, PARE_SHA1_BYTES);
}

static void test_sha1__is_that_of_the_standard(void **state)
{
    (void)state;
    assert_sha1("", (const uint8_t[]){0xda, 0x39, 0xa3, 0xee, 0x5e, 0x6b, 0x4b, 0x0d, 0x32, 0x55,
                                      0xbf, 0xef, 0x95, 0x60, 0x18, 0x90, 0xaf, 0xd8, 0x07, 0x09});
    assert_sha1("abc",
                (const uint8_t[]){0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a, 0xba, 0x3e,
                                  0x25, 0x71, 0x78, 0x50, 0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d});
    /* 56 bytes: the length needs a block of its own. */
    assert_sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                (const uint8_t[]){0x84, 0x98, 0x3e, 0x44, 0x1c, 0x3b, 0xd2, 0x6e, 0xba, 0xae,
                                  0x4a, 0xa1, 0xf9, 0x51, 0x29, 0xe5, 0xe5, 0x46, 0x70, 0xf1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sha1__is_that_of_the_standard)};
    return cmocka_run_group_tests_name("sha1", tests, NULL, NULL);
}
