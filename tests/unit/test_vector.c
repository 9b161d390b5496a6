/* Growing arrays: contents survive growth, and a failure leaves everything as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/vector.h"

static void test_vector__grown_arrays_keep_their_items(void **state)
{
    (void)state;
    size_t *items = NULL, capacity = 0, moves = 0;
    for (size_t n = 0; n < 10000; n++) {
        size_t before = capacity;
        size_t *grown = pare_vector_grow(items, n, &capacity, sizeof *items);
        assert_non_null(grown);
        assert_true(capacity > n);
        if (capacity != before) moves++;
        items = grown;
        items[n] = n * n;
    }
    for (size_t n = 0; n < 10000; n++)
        assert_int_equal(items[n], n * n);
    assert_true(moves < 20);
    pare_alloc_free(items);
}

static void test_vector__reserve_makes_room_for_all_at_once(void **state)
{
    (void)state;
    size_t capacity = 0;
    int *items = pare_vector_reserve(NULL, &capacity, 1000, sizeof *items);
    assert_non_null(items);
    assert_true(capacity >= 1000);
    size_t before = capacity;
    assert_ptr_equal(pare_vector_reserve(items, &capacity, before, sizeof *items), items);
    assert_int_equal(capacity, before);
    pare_alloc_free(items);
}

static void test_vector__out_of_memory_leaves_array_and_capacity_alone(void **state)
{
    (void)state;
    size_t capacity = 0;
    int *items = pare_vector_reserve(NULL, &capacity, 16, sizeof *items);
    assert_non_null(items);
    size_t before = capacity;
    items[0] = 7;
    pare_alloc_fault_after(0);
    assert_null(pare_vector_grow(items, capacity, &capacity, sizeof *items));
    assert_true(pare_alloc_fault_hit());
    assert_int_equal(capacity, before);
    assert_int_equal(items[0], 7);
    pare_alloc_free(items);
}

static void test_vector__sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    size_t capacity = 0;
    assert_null(pare_vector_reserve(NULL, &capacity, SIZE_MAX / 4, 16));
    assert_int_equal(capacity, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector__grown_arrays_keep_their_items),
        cmocka_unit_test(test_vector__reserve_makes_room_for_all_at_once),
        cmocka_unit_test(test_vector__out_of_memory_leaves_array_and_capacity_alone),
        cmocka_unit_test(test_vector__sizes_that_overflow_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
