/* Runs of list algorithms that a strategy holds: what is left is what is needed; copies go their own
 * ways; every failed allocation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/list_run.h"

enum { N = 40, NEEDED_A = 7, NEEDED_B = 31 };

/* Numbers that are left. */
struct left {
    size_t n, numbers[N];
};

/* Whether what is left after the edit still has both numbers; takes the rest out where it has. */
static bool try_edit(struct left *left, const pare_edit *edit)
{
    struct left rest = {.n = 0};
    unsigned found = 0;
    for (size_t i = 0, r = 0; i < left->n; i++) {
        while (r < edit->n_ranges && edit->ranges[r].to <= i)
            r++;
        if (r < edit->n_ranges && edit->ranges[r].from <= i) continue;
        found += left->numbers[i] == NEEDED_A || left->numbers[i] == NEEDED_B;
        rest.numbers[rest.n++] = left->numbers[i];
    }
    if (found == 2) *left = rest;
    return found == 2;
}

static void start(struct left *left, pare_list_run *run, const pare_list_algorithm *algorithm)
{
    left->n = N;
    for (size_t i = 0; i < N; i++)
        left->numbers[i] = i;
    assert_int_equal(pare_list_run_start(run, algorithm, N, NULL), PARE_OK);
}

static void go_on(struct left *left, pare_list_run *run)
{
    bool done = false;
    for (unsigned n = 0; !done; n++) {
        assert_true(n < 1000);
        assert_int_equal(pare_list_run_next(run, &done, NULL), PARE_OK);
        if (done) break;
        const bool fails = try_edit(left, &run->edit);
        assert_int_equal(pare_list_run_tell(run, fails, NULL), PARE_OK);
    }
}

static void test_list_run__leaves_what_is_needed(void **state)
{
    static const pare_list_algorithm *const algorithms[] = {&pare_list_sweep,
                                                            &pare_list_group_testing};
    (void)state;
    for (size_t k = 0; k < sizeof algorithms / sizeof *algorithms; k++) {
        struct left left;
        pare_list_run run = {.algorithm = NULL};
        start(&left, &run, algorithms[k]);
        go_on(&left, &run);
        assert_int_equal(left.n, 2);
        pare_list_run_stop(&run);
        pare_list_run_stop(&run); /* nothing runs any more */
    }
}

static void test_list_run__a_copy_goes_its_own_way(void **state)
{
    struct left left, copied_left;
    pare_list_run run = {.algorithm = NULL};
    bool done;
    (void)state;
    start(&left, &run, &pare_list_group_testing);
    assert_int_equal(pare_list_run_next(&run, &done, NULL), PARE_OK);
    copied_left = left;
    pare_list_run copy = run;
    assert_int_equal(pare_list_run_copied(&copy, &run, NULL), PARE_OK);
    assert_int_equal(copy.edit.n_ranges, run.edit.n_ranges);
    assert_memory_equal(copy.edit.ranges, run.edit.ranges,
                        run.edit.n_ranges * sizeof *run.edit.ranges);
    assert_ptr_not_equal(copy.edit.ranges, run.edit.ranges);
    pare_list_run_stop(&run);
    assert_int_equal(pare_list_run_tell(&copy, try_edit(&copied_left, &copy.edit), NULL), PARE_OK);
    go_on(&copied_left, &copy);
    assert_int_equal(copied_left.n, 2);
    pare_list_run_stop(&copy);
}

static pare_status start_and_copy(void *context)
{
    pare_list_run run = {.algorithm = NULL};
    bool done;
    (void)context;
    pare_status status = pare_list_run_start(&run, &pare_list_group_testing, N, NULL);
    if (!status) status = pare_list_run_next(&run, &done, NULL);
    /* More ranges than an edit holds without memory of its own. */
    for (size_t i = 0; !status && i < 5; i++)
        status = pare_edit_add(&run.edit, N + 2 * i, N + 2 * i + 1, NULL);
    pare_list_run copy = run;
    if (status)
        copy = (pare_list_run){.algorithm = NULL};
    else
        status = pare_list_run_copied(&copy, &run, NULL);
    pare_list_run_stop(&copy);
    pare_list_run_stop(&run);
    return status;
}

static void test_list_run__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(start_and_copy, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_run__leaves_what_is_needed),
        cmocka_unit_test(test_list_run__a_copy_goes_its_own_way),
        cmocka_unit_test(test_list_run__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
