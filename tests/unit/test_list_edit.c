/* Edits: what a list algorithm proposes to leave out. */
/* tests: src/reduce/list/algorithms.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "reduce/list/algorithms.h"

static void add(pare_edit *edit, size_t from, size_t to)
{
    assert_int_equal(pare_edit_add(edit, from, to, NULL), PARE_OK);
}

static void test_edit__all_zero_is_empty(void **state)
{
    (void)state;
    pare_edit edit = {0};
    assert_int_equal(pare_edit_count(&edit), 0);
    pare_edit_reset(&edit);
    pare_edit_done(&edit);
    assert_int_equal(edit.n_ranges, 0);
}

static void test_edit__empty_range_is_no_op(void **state)
{
    (void)state;
    pare_edit edit = {0};
    add(&edit, 0, 0);
    add(&edit, 7, 7);
    assert_int_equal(edit.n_ranges, 0);
    add(&edit, 7, 8);
    add(&edit, 9, 9);
    assert_int_equal(edit.n_ranges, 1);
    pare_edit_done(&edit);
}

static void test_edit__touching_ranges_are_joined(void **state)
{
    (void)state;
    pare_edit edit = {0};
    add(&edit, 2, 4);
    add(&edit, 4, 9);
    add(&edit, 10, 11);
    assert_int_equal(edit.n_ranges, 2);
    assert_int_equal(edit.ranges[0].from, 2);
    assert_int_equal(edit.ranges[0].to, 9);
    assert_int_equal(pare_edit_count(&edit), 8);
    pare_edit_done(&edit);
}

static void test_edit__two_ranges_need_no_memory_and_many_keep_their_order(void **state)
{
    (void)state;
    pare_edit edit = {0};
    long before = pare_alloc_live();
    add(&edit, 0, 1);
    add(&edit, 2, 3);
    assert_int_equal(pare_alloc_live(), before);
    for (size_t i = 2; i < 100; i++)
        add(&edit, 2 * i, 2 * i + 1);
    assert_int_equal(edit.n_ranges, 100);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(edit.ranges[i].from, 2 * i);
        assert_int_equal(edit.ranges[i].to, 2 * i + 1);
    }
    assert_int_equal(pare_edit_count(&edit), 100);
    pare_edit_done(&edit);
    assert_int_equal(pare_alloc_live(), before);
}

static void test_edit__reset_keeps_memory_and_can_be_filled_again(void **state)
{
    (void)state;
    pare_edit edit = {0};
    for (size_t i = 0; i < 20; i++)
        add(&edit, 2 * i, 2 * i + 1);
    long live = pare_alloc_live();
    pare_edit_reset(&edit);
    assert_int_equal(pare_edit_count(&edit), 0);
    for (size_t i = 0; i < 20; i++)
        add(&edit, 3 * i, 3 * i + 2);
    assert_int_equal(pare_alloc_live(), live);
    assert_int_equal(pare_edit_count(&edit), 40);
    pare_edit_done(&edit);
}

static void test_edit__add_reports_oom_and_keeps_the_ranges(void **state)
{
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        pare_edit edit = {0};
        pare_status status = PARE_OK;
        size_t added = 0;
        pare_alloc_fault_after(n);
        while (!status && added < 20) {
            status = pare_edit_add(&edit, 2 * added, 2 * added + 1, NULL);
            if (!status) added++;
        }
        pare_alloc_fault_after(SIZE_MAX);
        assert_int_equal(status, PARE_E_NOMEM);
        assert_int_equal(edit.n_ranges, added);
        assert_int_equal(pare_edit_count(&edit), added);
        add(&edit, 2 * added, 2 * added + 1);
        assert_int_equal(pare_edit_count(&edit), added + 1);
        pare_edit_done(&edit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edit__all_zero_is_empty),
        cmocka_unit_test(test_edit__empty_range_is_no_op),
        cmocka_unit_test(test_edit__touching_ranges_are_joined),
        cmocka_unit_test(test_edit__two_ranges_need_no_memory_and_many_keep_their_order),
        cmocka_unit_test(test_edit__reset_keeps_memory_and_can_be_filled_again),
        cmocka_unit_test(test_edit__add_reports_oom_and_keeps_the_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
