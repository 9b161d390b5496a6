/* Digests: the algebra of joining and cutting, and an independent calculation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/digest.h"
#include "base/random.h"

#define PRIME ((UINT64_C(1) << 61) - 1)

static const pare_hash EMPTY;

/* a * b modulo PRIME by doubling and adding, as done by hand. */
static uint64_t slow_product(uint64_t a, uint64_t b)
{
    uint64_t result = 0;
    for (; b; b >>= 1) {
        if (b & 1) result = (result + a) % PRIME;
        a = 2 * a % PRIME;
    }
    return result;
}

/* The definition in digest.h, term by term. */
static pare_hash slow_hash(const unsigned char *bytes, size_t size)
{
    pare_hash base = pare_digest_power(1);
    pare_hash sum = EMPTY;
    for (int lane = 0; lane < 2; lane++) {
        uint64_t factor = 1;
        for (size_t k = size; k-- > 0;) {
            sum.lane[lane] = (sum.lane[lane] + slow_product(factor, bytes[k] + 1U)) % PRIME;
            factor = slow_product(factor, base.lane[lane]);
        }
    }
    return sum;
}

static void assert_hash_equal(pare_hash a, pare_hash b)
{
    assert_int_equal(a.lane[0], b.lane[0]);
    assert_int_equal(a.lane[1], b.lane[1]);
}

static pare_digest digest(const void *bytes, size_t size)
{
    return pare_digest_of(pare_digest_extend(EMPTY, bytes, size), size);
}

static void fill_random(unsigned char *bytes, size_t size, uint64_t seed)
{
    pare_random random;
    pare_random_init(&random, seed);
    for (size_t k = 0; k < size; k++)
        bytes[k] = (unsigned char)pare_random_next(&random);
}

static void test_digest__each_power_is_the_square_of_the_one_before(void **state)
{
    (void)state;
    pare_hash one = pare_digest_power(0);
    assert_int_equal(one.lane[0], 1);
    assert_int_equal(one.lane[1], 1);
    pare_hash power = pare_digest_power(1);
    assert_true(power.lane[0] != power.lane[1]);
    for (int k = 1; k <= 32; k++) {
        pare_hash next = pare_digest_power((size_t)1 << k);
        for (int lane = 0; lane < 2; lane++) {
            assert_true(next.lane[lane] > 1 && next.lane[lane] < PRIME);
            assert_int_equal(next.lane[lane], slow_product(power.lane[lane], power.lane[lane]));
        }
        power = next;
    }
}

static void test_digest__powers_multiply_as_their_sizes_add(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 255, 256, 65537, 4294967294U};
    for (size_t k = 0; k + 1 < sizeof sizes / sizeof *sizes; k++) {
        pare_hash a = pare_digest_power(sizes[k]);
        pare_hash b = pare_digest_power(2);
        pare_hash sum = pare_digest_power(sizes[k] + 2);
        for (int lane = 0; lane < 2; lane++)
            assert_int_equal(sum.lane[lane], slow_product(a.lane[lane], b.lane[lane]));
    }
}

static void test_digest__hash_is_the_polynomial_of_the_definition(void **state)
{
    (void)state;
    unsigned char bytes[200];
    fill_random(bytes, sizeof bytes, 1);
    for (size_t size = 0; size <= sizeof bytes; size++)
        assert_hash_equal(pare_digest_extend(EMPTY, bytes, size), slow_hash(bytes, size));
    memset(bytes, 0xff, sizeof bytes);
    assert_hash_equal(pare_digest_extend(EMPTY, bytes, sizeof bytes),
                      slow_hash(bytes, sizeof bytes));
    memset(bytes, 0, sizeof bytes);
    assert_hash_equal(pare_digest_extend(EMPTY, bytes, sizeof bytes),
                      slow_hash(bytes, sizeof bytes));
}

static void test_digest__joining_and_cutting_agree_with_hashing(void **state)
{
    (void)state;
    unsigned char bytes[300];
    fill_random(bytes, sizeof bytes, 2);
    for (size_t cut = 0; cut <= sizeof bytes; cut++) {
        size_t rest = sizeof bytes - cut;
        pare_hash head = pare_digest_extend(EMPTY, bytes, cut);
        pare_hash tail = pare_digest_extend(EMPTY, bytes + cut, rest);
        pare_hash whole = pare_digest_extend(EMPTY, bytes, sizeof bytes);
        assert_hash_equal(pare_digest_extend(head, bytes + cut, rest), whole);
        assert_hash_equal(pare_digest_join(head, tail, rest), whole);
        assert_hash_equal(pare_digest_join_power(head, tail, pare_digest_power(rest)), whole);
        assert_hash_equal(pare_digest_tail(whole, head, rest), tail);
    }
}

static void test_digest__a_slice_equals_direct_hashing(void **state)
{
    (void)state;
    unsigned char bytes[120];
    fill_random(bytes, sizeof bytes, 3);
    for (size_t from = 0; from <= sizeof bytes; from++)
        for (size_t to = from; to <= sizeof bytes; to++) {
            pare_hash slice = pare_digest_tail(pare_digest_extend(EMPTY, bytes, to),
                                               pare_digest_extend(EMPTY, bytes, from), to - from);
            assert_hash_equal(slice, pare_digest_extend(EMPTY, bytes + from, to - from));
        }
}

static void test_digest__joining_is_associative_over_huge_tails(void **state)
{
    (void)state;
    pare_hash a = pare_digest_extend(EMPTY, "a", 1);
    pare_hash b = pare_digest_extend(EMPTY, "b", 1);
    size_t huge = UINT32_MAX - 1; /* as if b were the hash of that many bytes */
    pare_hash left = pare_digest_join(pare_digest_join(a, a, 1), b, huge);
    pare_hash right = pare_digest_join(a, pare_digest_join(a, b, huge), huge + 1);
    assert_hash_equal(left, right);
    assert_hash_equal(pare_digest_tail(left, pare_digest_join(a, a, 1), huge), b);
}

static void test_digest__nuls_of_different_lengths_differ(void **state)
{
    (void)state;
    static const unsigned char nuls[64];
    for (size_t a = 0; a <= sizeof nuls; a++)
        for (size_t b = 0; b < a; b++)
            assert_false(pare_digest_equal(digest(nuls, a), digest(nuls, b)));
}

static void test_digest__the_size_is_part_of_the_name(void **state)
{
    (void)state;
    pare_hash hash = pare_digest_extend(EMPTY, "x", 1);
    for (size_t a = 0; a < 64; a++)
        for (size_t b = 0; b < a; b++)
            assert_false(pare_digest_equal(pare_digest_of(hash, a), pare_digest_of(hash, b)));
}

static void test_digest__order_and_every_bit_matter(void **state)
{
    (void)state;
    assert_false(pare_digest_equal(digest("ab", 2), digest("ba", 2)));
    assert_false(pare_digest_equal(digest("abcdefghij", 10), digest("bcdefghija", 10)));
    unsigned char bytes[24] = "the quick brown fox ends";
    pare_digest whole = digest(bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        assert_false(pare_digest_equal(digest(bytes, sizeof bytes), whole));
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
    assert_true(pare_digest_equal(digest(bytes, sizeof bytes), whole));
}

static void test_digest__text_is_32_hexadecimal_digits(void **state)
{
    (void)state;
    char text[PARE_DIGEST_TEXT_BYTES];
    pare_digest_text((pare_digest){.high = 0xabc, .low = UINT64_C(0xfedcba9876543210)}, text);
    assert_string_equal(text, "0000000000000abcfedcba9876543210");
    pare_digest_text(digest("", 0), text);
    assert_string_equal(text, "00000000000000000000000000000000");
}

static void test_digest__blocks_give_the_same_hash(void **state)
{
    (void)state;
    enum { MOST = 5 * PARE_DIGEST_BLOCK };
    static pare_digest_blocks blocks;
    unsigned char bytes[MOST];
    pare_digest_blocks_init(&blocks);
    for (size_t size = 0; size <= MOST; size += size % 3 ? 13 : 17) {
        fill_random(bytes, size, size);
        pare_hash head = pare_digest_extend(EMPTY, "head", size % 5);
        assert_hash_equal(pare_digest_extend_blocks(&blocks, head, bytes, size),
                          pare_digest_extend(head, bytes, size));
    }
    /* The largest sums that there are. */
    memset(bytes, 0xff, MOST);
    assert_hash_equal(pare_digest_extend_blocks(&blocks, EMPTY, bytes, MOST),
                      slow_hash(bytes, MOST));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digest__each_power_is_the_square_of_the_one_before),
        cmocka_unit_test(test_digest__powers_multiply_as_their_sizes_add),
        cmocka_unit_test(test_digest__hash_is_the_polynomial_of_the_definition),
        cmocka_unit_test(test_digest__joining_and_cutting_agree_with_hashing),
        cmocka_unit_test(test_digest__a_slice_equals_direct_hashing),
        cmocka_unit_test(test_digest__joining_is_associative_over_huge_tails),
        cmocka_unit_test(test_digest__nuls_of_different_lengths_differ),
        cmocka_unit_test(test_digest__the_size_is_part_of_the_name),
        cmocka_unit_test(test_digest__order_and_every_bit_matter),
        cmocka_unit_test(test_digest__text_is_32_hexadecimal_digits),
        cmocka_unit_test(test_digest__blocks_give_the_same_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
