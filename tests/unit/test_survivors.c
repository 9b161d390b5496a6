/* What of an original is left in a result: by tokens and bytes, or by lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/survivors.h>

#include "alloc_sweep.h"

static pare_status sweep_survivors(void *context)
{
    (void)context;
    static const char old[] = "int x = 1;\nreturn value_one;\nint y;\n";
    static const char new[] = "int y = one;\n";
    pare_survivors left = {0};
    pare_status status = pare_survivors_find(old, sizeof old - 1, new, sizeof new - 1, &left, NULL);
    if (status) assert_null(left.runs);
    if (!status) assert_true(left.n_bytes <= sizeof new - 1);
    pare_survivors_done(&left);
    return status;
}

static void test_survivors__report_oom_and_leave_out_alone(void **state)
{
    (void)state;
    sweep_allocations(sweep_survivors, NULL);
}

static void test_survivors__are_found_inside_tokens(void **state)
{
    (void)state;
    static const char old[] = "first line\nprefix_needle_suffix\nlast line\n";
    pare_survivors left = {0};
    assert_int_equal(pare_survivors_find(old, sizeof old - 1, "needle\n", 7, &left, NULL), PARE_OK);
    assert_int_equal(left.n_bytes, 7);
    assert_int_equal(left.n_runs, 2);
    assert_int_equal(left.runs[0].original_at, 18);
    assert_int_equal(left.runs[0].size, 6);
    pare_survivors_done(&left);
}

/* So many equal tokens that the budget for tokens is spent. */
static void test_survivors__of_large_results_are_lines(void **state)
{
    (void)state;
    enum { LINES = 200000, WIDTH = 16 };
    char *old = test_malloc(LINES * WIDTH + 1);
    for (size_t i = 0; i < LINES; i++)
        (void)sprintf(old + i * WIDTH, "x x x x %07zu\n", i);
    size_t size = LINES * WIDTH;
    pare_survivors left = {0};
    assert_int_equal(pare_survivors_find(old, size, old + WIDTH, size - WIDTH, &left, NULL),
                     PARE_OK);
    assert_int_equal(left.n_runs, 1);
    assert_int_equal(left.runs[0].original_at, WIDTH);
    assert_int_equal(left.n_bytes, size - WIDTH);
    pare_survivors_done(&left);
    test_free(old);
}

/* Runs ascend in both texts, and what they name is equal. */
static void test_survivors__are_equal_in_both_texts_and_in_order(void **state)
{
    (void)state;
    static const char old[] = "alpha(beta, gamma);\ndelta = epsilon + zeta;\nreturn eta;\n";
    static const char *const results[] = {"delta = zeta;\n", "alpha(gamma);\nreturn eta;\n",
                                          "nothing of it", "eta; alpha"};
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) {
        pare_survivors left = {0};
        size_t size = strlen(results[k]), sum = 0, old_end = 0, new_end = 0;
        assert_int_equal(pare_survivors_find(old, sizeof old - 1, results[k], size, &left, NULL),
                         PARE_OK);
        for (size_t i = 0; i < left.n_runs; i++) {
            const pare_survivor *run = &left.runs[i];
            assert_true(run->size > 0 && run->original_at >= old_end && run->result_at >= new_end);
            assert_memory_equal(old + run->original_at, results[k] + run->result_at, run->size);
            old_end = run->original_at + run->size;
            new_end = run->result_at + run->size;
            sum += run->size;
        }
        assert_int_equal(left.n_bytes, sum);
        pare_survivors_done(&left);
    }
}

static void test_survivors__of_an_empty_text_are_none(void **state)
{
    (void)state;
    pare_survivors left = {0};
    assert_int_equal(pare_survivors_find("abc", 3, "", 0, &left, NULL), PARE_OK);
    assert_int_equal(pare_survivors_find("", 0, "abc", 3, &left, NULL), PARE_OK);
    assert_int_equal(left.n_runs, 0);
    assert_null(left.runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_survivors__report_oom_and_leave_out_alone),
        cmocka_unit_test(test_survivors__are_found_inside_tokens),
        cmocka_unit_test(test_survivors__of_large_results_are_lines),
        cmocka_unit_test(test_survivors__are_equal_in_both_texts_and_in_order),
        cmocka_unit_test(test_survivors__of_an_empty_text_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
