/* The allocator: overflow, zero sizes, and the faults that tests plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "unit/alloc_sweep.h"

static void test_alloc__an_overflowing_product_is_out_of_memory(void **state)
{
    (void)state;
    assert_null(pare_alloc(SIZE_MAX / 2, 3));
    assert_null(pare_alloc_zero(SIZE_MAX, 2));
    void *block = pare_alloc(1, 8);
    assert_non_null(block);
    assert_null(pare_alloc_resize(block, SIZE_MAX / 8, 16));
    assert_null(pare_alloc_text("", SIZE_MAX));
    pare_alloc_free(block);
}

static void test_alloc__zero_objects_give_a_pointer_to_free(void **state)
{
    (void)state;
    void *blocks[] = {pare_alloc(0, 8), pare_alloc(8, 0), pare_alloc_zero(0, 0),
                      pare_alloc_resize(NULL, 0, 4)};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        assert_non_null(blocks[k]);
        pare_alloc_free(blocks[k]);
    }
    pare_alloc_free(NULL);
}

static void test_alloc__zeroed_memory_is_zero_and_resizing_keeps_it(void **state)
{
    (void)state;
    unsigned char *block = pare_alloc_zero(100, 3);
    assert_non_null(block);
    for (size_t k = 0; k < 300; k++)
        assert_int_equal(block[k], 0);
    memset(block, 7, 300);
    block = pare_alloc_resize(block, 100, 100);
    assert_non_null(block);
    for (size_t k = 0; k < 300; k++)
        assert_int_equal(block[k], 7);
    pare_alloc_free(block);
}

static void test_alloc__copied_text_ends_with_a_nul(void **state)
{
    (void)state;
    char *copy = pare_alloc_text("hello", 4);
    assert_string_equal(copy, "hell");
    pare_alloc_free(copy);
    copy = pare_alloc_text(NULL, 0);
    assert_string_equal(copy, "");
    pare_alloc_free(copy);
}

#ifdef PARE_FAULT_INJECTION
static void test_alloc__a_planned_fault_happens_once(void **state)
{
    (void)state;
    pare_alloc_fault_after(1);
    void *first = pare_alloc(1, 1);
    assert_false(pare_alloc_fault_hit());
    assert_null(pare_alloc(1, 1));
    assert_true(pare_alloc_fault_hit());
    void *third = pare_alloc(1, 1);
    assert_non_null(first);
    assert_non_null(third);
    pare_alloc_free(first);
    pare_alloc_free(third);
    pare_alloc_fault_after(SIZE_MAX);
    assert_false(pare_alloc_fault_hit());
}

static void test_alloc__every_function_obeys_a_fault(void **state)
{
    (void)state;
    void *kept = pare_alloc(1, 4);
    memcpy(kept, "abc", 4);
    pare_alloc_fault_after(0);
    assert_null(pare_alloc_zero(1, 1));
    pare_alloc_fault_after(0);
    assert_null(pare_alloc_resize(kept, 2, 4));
    assert_string_equal(kept, "abc");
    pare_alloc_fault_after(0);
    assert_null(pare_alloc_text("x", 1));
    pare_alloc_fault_after(SIZE_MAX);
    pare_alloc_free(kept);
}

static void test_alloc__live_blocks_are_counted(void **state)
{
    (void)state;
    long before = pare_alloc_live();
    void *a = pare_alloc(1, 1);
    void *b = pare_alloc_resize(NULL, 1, 1);
    assert_int_equal(pare_alloc_live(), before + 2);
    b = pare_alloc_resize(b, 100, 1);
    assert_int_equal(pare_alloc_live(), before + 2);
    pare_alloc_free(a);
    pare_alloc_free(b);
    pare_alloc_free(NULL);
    assert_int_equal(pare_alloc_live(), before);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc__an_overflowing_product_is_out_of_memory),
        cmocka_unit_test(test_alloc__zero_objects_give_a_pointer_to_free),
        cmocka_unit_test(test_alloc__zeroed_memory_is_zero_and_resizing_keeps_it),
        cmocka_unit_test(test_alloc__copied_text_ends_with_a_nul),
#ifdef PARE_FAULT_INJECTION
        cmocka_unit_test(test_alloc__a_planned_fault_happens_once),
        cmocka_unit_test(test_alloc__every_function_obeys_a_fault),
        cmocka_unit_test(test_alloc__live_blocks_are_counted),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
