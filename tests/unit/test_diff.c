/* The difference of two sequences is a merge list of both, and as short as can be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/random.h"
#include "text/diff.h"

enum { MANY = 20000 };

/* Two texts cut into units. */
struct pair {
    unsigned char old[MANY], new[MANY];
    size_t n_old, n_new;
    const char *unit;
};

struct cut {
    pare_bounds old_bounds, new_bounds;
    pare_sequence old, new;
};

static void cut_pair(const struct pair *pair, struct cut *cut)
{
    const pare_splitter *splitter = pare_splitter_find(pair->unit);
    *cut = (struct cut){.old.text.size = 0};
    assert_int_equal(splitter->split(pair->old, pair->n_old, &cut->old_bounds, NULL), PARE_OK);
    assert_int_equal(splitter->split(pair->new, pair->n_new, &cut->new_bounds, NULL), PARE_OK);
    cut->old = (pare_sequence){{pair->old, pair->n_old}, &cut->old_bounds};
    cut->new = (pare_sequence){{pair->new, pair->n_new}, &cut->new_bounds};
}

static void cut_done(struct cut *cut)
{
    pare_split_bounds_done(&cut->old_bounds);
    pare_split_bounds_done(&cut->new_bounds);
}

static void set_pair(struct pair *pair, const char *unit, const char *old, const char *new)
{
    pair->unit = unit;
    pair->n_old = strlen(old);
    pair->n_new = strlen(new);
    memcpy(pair->old, old, pair->n_old);
    memcpy(pair->new, new, pair->n_new);
}

/* Prints what one side is made of, from the runs and the bytes of both. */
static size_t print_side(const struct cut *cut, const pare_diff *diff, bool old, unsigned char *to)
{
    size_t size = 0;
    for (size_t i = 0; i < diff->n_runs; i++) {
        const pare_diff_run *run = &diff->runs[i];
        if (run->side == (old ? PARE_DIFF_ONLY_NEW : PARE_DIFF_ONLY_OLD)) continue;
        bool from_new = run->side == PARE_DIFF_ONLY_NEW;
        const pare_sequence *from = from_new ? &cut->new : &cut->old;
        size_t at = from_new ? run->new_at : run->old_at;
        size_t begin = pare_split_bounds_begin(from->bounds, at);
        size_t end = pare_split_bounds_begin(from->bounds, at + run->n);
        memcpy(to + size, from->text.bytes + begin, end - begin);
        size += end - begin;
    }
    return size;
}

static void assert_gives_both_back(const struct pair *pair, const struct cut *cut,
                                   const pare_diff *diff)
{
    static unsigned char printed[2 * MANY];
    assert_int_equal(print_side(cut, diff, true, printed), pair->n_old);
    assert_memory_equal(printed, pair->old, pair->n_old);
    assert_int_equal(print_side(cut, diff, false, printed), pair->n_new);
    assert_memory_equal(printed, pair->new, pair->n_new);
}

/* Compares, checks what holds for every difference, and returns how many units differ. */
static size_t count_differing(const struct pair *pair, size_t cost)
{
    struct cut cut;
    pare_diff diff = {0};
    size_t n = 0;
    cut_pair(pair, &cut);
    assert_int_equal(pare_diff_make(&cut.old, &cut.new, cost, &diff, NULL), PARE_OK);
    assert_true(pare_diff_check(&diff, &cut.old, &cut.new));
    assert_gives_both_back(pair, &cut, &diff);
    for (size_t i = 0; i < diff.n_runs; i++)
        if (diff.runs[i].side != PARE_DIFF_COMMON) n += diff.runs[i].n;
    pare_diff_done(&diff);
    cut_done(&cut);
    return n;
}

/* Length of a longest common subsequence of bytes, by the textbook's table. */
static size_t lcs(const struct pair *pair)
{
    static size_t table[128][128];
    for (size_t i = 0; i <= pair->n_old; i++) {
        for (size_t k = 0; k <= pair->n_new; k++) {
            if (i == 0 || k == 0) {
                table[i][k] = 0;
            } else if (pair->old[i - 1] == pair->new[k - 1]) {
                table[i][k] = table[i - 1][k - 1] + 1;
            } else {
                size_t a = table[i - 1][k], b = table[i][k - 1];
                table[i][k] = a > b ? a : b;
            }
        }
    }
    return table[pair->n_old][pair->n_new];
}

static void fill(pare_random *random, unsigned char *bytes, size_t n, size_t n_letters)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)('a' + pare_random_below(random, n_letters));
}

static struct pair pair;

static void test_diff__leaves_as_few_units_as_a_longest_common_subsequence(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 1);
    for (int round = 0; round < 20000; round++) {
        size_t longest = round % 10 ? 12 : 100;
        pair.unit = "byte";
        pair.n_old = pare_random_below(&random, longest);
        pair.n_new = pare_random_below(&random, longest);
        size_t n_letters = 1 + pare_random_below(&random, 6);
        fill(&random, pair.old, pair.n_old, n_letters);
        fill(&random, pair.new, pair.n_new, n_letters);
        assert_int_equal(count_differing(&pair, 0), pair.n_old + pair.n_new - 2 * lcs(&pair));
    }
}

static void test_diff__gives_both_back_whatever_the_cap_and_the_units(void **state)
{
    (void)state;
    static const char *const units[] = {"byte", "char", "line", "token"};
    pare_random random;
    pare_random_init(&random, 2);
    for (int round = 0; round < 2000; round++) {
        pair.unit = units[pare_random_below(&random, 4)];
        pair.n_old = pare_random_below(&random, 300);
        pair.n_new = pare_random_below(&random, 300);
        for (size_t i = 0; i < pair.n_old; i++)
            pair.old[i] = (unsigned char)"ab \n\xc3\xa9"[pare_random_below(&random, 6)];
        for (size_t i = 0; i < pair.n_new; i++)
            pair.new[i] = (unsigned char)"ab \n\xc3\xa9"[pare_random_below(&random, 6)];
        size_t least = count_differing(&pair, 0);
        assert_true(count_differing(&pair, 1 + pare_random_below(&random, 20)) >= least);
    }
}

static void test_diff__over_the_cap_a_stretch_differs_but_for_its_ends(void **state)
{
    (void)state;
    set_pair(&pair, "byte", "headXaYbZtail", "headaPbQtail");
    assert_int_equal(count_differing(&pair, 1), 5); /* X, Y, Z, P, Q are on one side only */
    set_pair(&pair, "byte", "<axbycz>", "<aybzcx>");
    assert_int_equal(count_differing(&pair, 0), 6);
    assert_int_equal(count_differing(&pair, 1), 10);
}

static void test_diff__of_edited_text_costs_no_more_than_the_edits(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 3);
    pair.unit = "byte";
    pair.n_old = MANY - 100;
    fill(&random, pair.old, pair.n_old, 20);
    memcpy(pair.new, pair.old, pair.n_old);
    pair.n_new = pair.n_old;
    for (size_t edit = 0; edit < 50; edit++) {
        size_t at = pare_random_below(&random, pair.n_new - 1);
        memmove(pair.new + at + 1, pair.new + at, pair.n_new - at);
        pair.new[at] = '!';
        pair.n_new++;
    }
    assert_int_equal(count_differing(&pair, 0), 50);
}

static void test_diff__knows_equal_empty_and_entirely_different_texts(void **state)
{
    (void)state;
    set_pair(&pair, "line", "", "");
    assert_int_equal(count_differing(&pair, 0), 0);
    set_pair(&pair, "line", "a\nb\n", "a\nb\n");
    assert_int_equal(count_differing(&pair, 0), 0);
    set_pair(&pair, "line", "", "a\nb\n");
    assert_int_equal(count_differing(&pair, 0), 2);
    set_pair(&pair, "line", "a\nb\n", "");
    assert_int_equal(count_differing(&pair, 0), 2);
    set_pair(&pair, "line", "a\nb\n", "c\nd");
    assert_int_equal(count_differing(&pair, 0), 4);
    set_pair(&pair, "line", "a\nb\nc\n", "a\nx\nc\n");
    assert_int_equal(count_differing(&pair, 0), 2);
}

static void test_diff__puts_what_only_the_old_has_first(void **state)
{
    (void)state;
    struct cut cut;
    pare_diff diff = {0};
    set_pair(&pair, "line", "a\nold\nb\n", "a\nnew\nb\n");
    cut_pair(&pair, &cut);
    assert_int_equal(pare_diff_make(&cut.old, &cut.new, 0, &diff, NULL), PARE_OK);
    static const pare_diff_run expected[] = {
        {PARE_DIFF_COMMON, 0, 0, 1},
        {PARE_DIFF_ONLY_OLD, 1, 1, 1},
        {PARE_DIFF_ONLY_NEW, 2, 1, 1},
        {PARE_DIFF_COMMON, 2, 2, 1},
    };
    assert_int_equal(diff.n_runs, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(diff.runs[i].side, expected[i].side);
        assert_int_equal(diff.runs[i].old_at, expected[i].old_at);
        assert_int_equal(diff.runs[i].new_at, expected[i].new_at);
        assert_int_equal(diff.runs[i].n, expected[i].n);
    }
    pare_diff_done(&diff);
    cut_done(&cut);
}

static void test_diff__check_sees_a_wrong_list(void **state)
{
    (void)state;
    struct cut cut;
    pare_diff diff = {0};
    set_pair(&pair, "byte", "abc", "axc");
    cut_pair(&pair, &cut);
    assert_int_equal(pare_diff_make(&cut.old, &cut.new, 0, &diff, NULL), PARE_OK);
    assert_true(pare_diff_check(&diff, &cut.old, &cut.new));
    diff.runs[1].side = PARE_DIFF_COMMON;
    assert_false(pare_diff_check(&diff, &cut.old, &cut.new));
    diff.runs[1].side = PARE_DIFF_ONLY_OLD;
    diff.n_runs--;
    assert_false(pare_diff_check(&diff, &cut.old, &cut.new));
    pare_diff_done(&diff);
    cut_done(&cut);
}

static pare_status attempt_diff(void *context)
{
    const struct cut *cut = context;
    pare_diff diff = {0};
    pare_status status = pare_diff_make(&cut->old, &cut->new, 0, &diff, NULL);
    if (status) assert_null(diff.runs);
    pare_diff_done(&diff);
    return status;
}

static void test_diff__reports_oom_and_leaves_out_alone(void **state)
{
    (void)state;
    struct cut cut;
    set_pair(&pair, "byte", "abcdefghijklm", "mlkjihgfedcba");
    cut_pair(&pair, &cut);
    sweep_allocations(attempt_diff, &cut);
    cut_done(&cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diff__leaves_as_few_units_as_a_longest_common_subsequence),
        cmocka_unit_test(test_diff__gives_both_back_whatever_the_cap_and_the_units),
        cmocka_unit_test(test_diff__over_the_cap_a_stretch_differs_but_for_its_ends),
        cmocka_unit_test(test_diff__of_edited_text_costs_no_more_than_the_edits),
        cmocka_unit_test(test_diff__knows_equal_empty_and_entirely_different_texts),
        cmocka_unit_test(test_diff__puts_what_only_the_old_has_first),
        cmocka_unit_test(test_diff__check_sees_a_wrong_list),
        cmocka_unit_test(test_diff__reports_oom_and_leaves_out_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
