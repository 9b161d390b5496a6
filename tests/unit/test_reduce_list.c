/* pare_reduce_list: which elements of a list are needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/algorithm.h>
#include <pare/reduce_list.h>

#include "alloc_sweep.h"
#include "base/alloc.h"

/* Fails when all of these are there; counts lists that are not what is promised. */
struct needed {
    uint32_t index[8];
    size_t n;
    uint32_t n_elements;
    size_t n_wrong;
};

static bool has(const uint32_t *indices, size_t n, uint32_t index)
{
    for (size_t i = 0; i < n; i++)
        if (indices[i] == index) return true;
    return false;
}

static pare_outcome test_needed(void *context, const uint32_t *indices, size_t n)
{
    struct needed *needed = context;
    if ((uintptr_t)indices % sizeof *indices) needed->n_wrong++;
    for (size_t i = 0; i < n; i++)
        if (indices[i] >= needed->n_elements || (i > 0 && indices[i] <= indices[i - 1]))
            needed->n_wrong++;
    for (size_t i = 0; i < needed->n; i++)
        if (!has(indices, n, needed->index[i])) return PARE_PASS;
    return PARE_FAIL;
}

static void assert_keeps(struct needed *needed, const pare_reduce_options *options)
{
    uint32_t *kept = NULL;
    size_t n_kept = 0;
    assert_int_equal(
        pare_reduce_list(needed->n_elements, test_needed, needed, options, &kept, &n_kept, NULL),
        PARE_OK);
    assert_int_equal(needed->n_wrong, 0);
    assert_int_equal(n_kept, needed->n);
    assert_memory_equal(kept, needed->index, needed->n * sizeof *kept);
    pare_list_free(kept);
}

static void test_reduce_list__keeps_what_is_needed_by_every_algorithm(void **state)
{
    (void)state;
    const pare_algorithm_info *info;
    for (size_t i = 0; (info = pare_algorithm_at(i)); i++) {
        struct needed needed = {.index = {0, 17, 18, 99}, .n = 4, .n_elements = 100};
        pare_reduce_options options = {.algorithms = info->name};
        uint32_t *kept = NULL;
        size_t n_kept = 0;
        if (info->on_trees || info->on_choices)
            assert_int_equal(pare_reduce_list(needed.n_elements, test_needed, &needed, &options,
                                              &kept, &n_kept, NULL),
                             PARE_E_ARG);
        else if (info->one_minimal)
            assert_keeps(&needed, &options);
    }
}

static void test_reduce_list__works_with_several_jobs(void **state)
{
    (void)state;
    struct needed needed = {.index = {3, 500, 900}, .n = 3, .n_elements = 1000};
    pare_reduce_options options = {.limits.jobs = 4};
    assert_keeps(&needed, &options);
}

static void test_reduce_list__of_a_large_list_is_quick(void **state)
{
    (void)state;
    struct needed needed = {.index = {70000, 1000000}, .n = 2, .n_elements = 1000001};
    pare_reduce_options options = {.algorithms = "adaptive"};
    assert_keeps(&needed, &options);
}

static void count_events(void *context, const pare_event *event)
{
    size_t *n = context;
    if (event->kind == PARE_EVENT_PHASE) {
        assert_string_equal(event->phase, "ddmin/element");
        assert_int_equal(event->n_units, 10);
        assert_int_equal(event->input_bytes, 40);
    }
    ++*n;
}

static void test_reduce_list__tells_the_watcher_and_keeps_to_the_budget(void **state)
{
    (void)state;
    struct needed needed = {.index = {9}, .n = 1, .n_elements = 10};
    size_t n_events = 0;
    pare_reduce_options options = {.algorithms = "ddmin",
                                   .limits.max_tests = 1,
                                   .events.watcher = count_events,
                                   .events.context = &n_events};
    uint32_t *kept = NULL;
    size_t n_kept = 0;
    assert_int_equal(pare_reduce_list(10, test_needed, &needed, &options, &kept, &n_kept, NULL),
                     PARE_OK);
    assert_int_equal(n_events, 5); /* start, input, phase, one test, end */
    assert_true(n_kept > 1 && has(kept, n_kept, 9));
    pare_list_free(kept);
}

static pare_status refused(const pare_reduce_options *options, size_t n)
{
    struct needed needed = {.index = {1}, .n = 1, .n_elements = 10};
    uint32_t *kept = NULL;
    size_t n_kept = 77;
    pare_status status = pare_reduce_list(n, test_needed, &needed, options, &kept, &n_kept, NULL);
    assert_null(kept);
    assert_int_equal(n_kept, 77);
    return status;
}

static pare_outcome never(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return PARE_PASS;
}

static void test_reduce_list__refuses_what_a_list_does_not_have(void **state)
{
    (void)state;
    const pare_reduce_options wrong[] = {
        {.units = "line"},         {.input.bytes = "x", .input.size_bytes = 1},
        {.input.path = "file"},    {.test.command = "true"},
        {.test.predicate = never}, {.algorithms = "nothing"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(refused(&wrong[i], 10), PARE_E_ARG);
    uint32_t *kept = NULL;
    size_t n_kept = 0;
    pare_reduce_options none = {.limits.jobs = 0};
    assert_int_equal(pare_reduce_list(3, NULL, NULL, &none, &kept, &n_kept, NULL), PARE_E_ARG);
}

static void test_reduce_list__refuses_lists_that_cannot_be_reduced(void **state)
{
    (void)state;
    pare_reduce_options options = {.limits.jobs = 1};
    assert_int_equal(refused(&options, 0), PARE_E_STATE);
    assert_int_equal(refused(&options, 1), PARE_E_STATE); /* element 1 is not there */
    assert_int_equal(refused(&options, (size_t)1 << 30), PARE_E_LIMIT);
}

static void test_reduce_list__out_of_memory_is_a_clean_error_everywhere(void **state)
{
    (void)state;
    struct needed needed = {.index = {2, 5}, .n = 2, .n_elements = 9};
    pare_reduce_options options = {.algorithms = "ddmin,sweep"};
    for (size_t n = 0;; n++) {
        long before = live_blocks();
        uint32_t *kept = NULL;
        size_t n_kept = 0;
        pare_alloc_fault_after(n);
        pare_status status =
            pare_reduce_list(9, test_needed, &needed, &options, &kept, &n_kept, NULL);
        bool hit = pare_alloc_fault_hit();
        pare_alloc_fault_after(SIZE_MAX);
        if (status) assert_int_equal(status, PARE_E_NOMEM);
        if (status) assert_null(kept);
        pare_list_free(kept);
        assert_int_equal(live_blocks(), before);
        if (!hit) break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce_list__keeps_what_is_needed_by_every_algorithm),
        cmocka_unit_test(test_reduce_list__works_with_several_jobs),
        cmocka_unit_test(test_reduce_list__of_a_large_list_is_quick),
        cmocka_unit_test(test_reduce_list__tells_the_watcher_and_keeps_to_the_budget),
        cmocka_unit_test(test_reduce_list__refuses_what_a_list_does_not_have),
        cmocka_unit_test(test_reduce_list__refuses_lists_that_cannot_be_reduced),
        cmocka_unit_test(test_reduce_list__out_of_memory_is_a_clean_error_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
