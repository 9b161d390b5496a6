/* The order of texts is total, and says what docs/guide/order.md says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/algorithm.h>

#include "base/random.h"
#include "text/order.h"
#include "unit/alloc_sweep.h"

static void make(const char *bytes, pare_candidate *candidate)
{
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy(bytes, strlen(bytes), &text, NULL), PARE_OK);
    pare_candidate_start(candidate, text);
    assert_int_equal(pare_candidate_slice(candidate, 0, strlen(bytes), NULL), PARE_OK);
    pare_text_unref(text);
}

static int compare(const char *a, const char *b)
{
    pare_candidate x = {0}, y = {0};
    int order = 7;
    make(a, &x);
    make(b, &y);
    assert_int_equal(pare_order_compare(&x, &y, &order, NULL), PARE_OK);
    pare_candidate_done(&x);
    pare_candidate_done(&y);
    return order;
}

static void test_order__bytes_then_tokens_then_the_first_difference(void **state)
{
    (void)state;
    static const struct {
        const char *smaller, *larger;
    } cases[] = {
        {"", "0"},    {"zz", "000"},      {"ab", "a;"}, /* one token, two */
        {"a ", "a;"}, {"abc d", "a b+c"}, {"0", "1"},           {"9", "a"},       {"z", "A"},
        {"Z", "!"},   {"~ ", " ~"},       {" ", "\t"},          {"\t", "\n"},     {"\r", "\x01"},
        {"a0", "aa"}, {"x=0", "x=1"},     {"int a;", "int b;"}, {"a(b)", "a(c)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(compare(cases[i].smaller, cases[i].larger) < 0);
        assert_true(compare(cases[i].larger, cases[i].smaller) > 0);
        assert_int_equal(compare(cases[i].larger, cases[i].larger), 0);
    }
}

static void test_order__tokens_are_counted_without_white_space(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
    } cases[] = {{"", 0}, {" \n", 0}, {"ab", 1}, {"ab cd", 2}, {"a+b;", 4}, {"\t(1)\n", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = SIZE_MAX;
        assert_int_equal(pare_count_tokens(cases[i].text, strlen(cases[i].text), &n, NULL),
                         PARE_OK);
        assert_int_equal(n, cases[i].n);
    }
}

static void test_order__ranks_of_bytes_all_differ(void **state)
{
    (void)state;
    bool taken[0x400] = {false};
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned rank = pare_order_byte_rank((unsigned char)byte);
        assert_true(rank < sizeof taken);
        assert_false(taken[rank]);
        taken[rank] = true;
    }
}

static void test_order__is_total(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 2);
    static const char alphabet[] = "01aA; \n\"";
    for (int round = 0; round < 5000; round++) {
        char text[3][5] = {"", "", ""};
        for (int k = 0; k < 3; k++)
            for (uint64_t i = 0, n = pare_random_below(&random, 5); i < n; i++)
                text[k][i] = alphabet[pare_random_below(&random, sizeof alphabet - 1)];
        int ab = compare(text[0], text[1]), bc = compare(text[1], text[2]);
        assert_int_equal(ab == 0, strcmp(text[0], text[1]) == 0);
        assert_int_equal(ab<0, compare(text[1], text[0])> 0);
        if (ab < 0 && bc < 0) assert_true(compare(text[0], text[2]) < 0);
    }
}

static pare_status attempt(void *context)
{
    int order;
    const pare_candidate *pair = context;
    return pare_order_compare(&pair[0], &pair[1], &order, NULL);
}

static void test_order__every_allocation_may_fail(void **state)
{
    (void)state;
    pare_candidate pair[2] = {{0}, {0}};
    make("a+b", &pair[0]);
    make("a+c", &pair[1]);
    sweep_allocations(attempt, pair);
    pare_candidate_done(&pair[0]);
    pare_candidate_done(&pair[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order__bytes_then_tokens_then_the_first_difference),
        cmocka_unit_test(test_order__tokens_are_counted_without_white_space),
        cmocka_unit_test(test_order__ranks_of_bytes_all_differ),
        cmocka_unit_test(test_order__is_total),
        cmocka_unit_test(test_order__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
