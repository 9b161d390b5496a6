#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/shared.h"

static pare_shared *make(size_t n)
{
    pare_shared *shared = NULL;
    void *items = NULL;
    assert_int_equal(pare_shared_new(n, sizeof(int), &shared, NULL), PARE_OK);
    assert_int_equal(pare_shared_own(&shared, 0, n, &items, NULL), PARE_OK);
    for (size_t i = 0; i < n; i++)
        ((int *)items)[i] = (int)i;
    return shared;
}

static int item(const pare_shared *shared, size_t i)
{
    return ((const int *)pare_shared_items(shared))[i];
}

static void test_shared__sole_owner_writes_in_place(void **state)
{
    (void)state;
    pare_shared *shared = make(4);
    pare_shared *before = shared;
    void *items = NULL;
    assert_int_equal(pare_shared_own(&shared, 4, 4, &items, NULL), PARE_OK);
    assert_ptr_equal(shared, before);
    assert_ptr_equal(items, pare_shared_items(shared));
    pare_shared_release(shared);
}

static void test_shared__writing_while_shared_leaves_the_other_alone(void **state)
{
    (void)state;
    long before = pare_alloc_live();
    pare_shared *one = make(4);
    pare_shared *other = one;
    void *items = NULL;
    pare_shared_retain(other);
    assert_int_equal(pare_shared_own(&one, 4, 4, &items, NULL), PARE_OK);
    assert_true(one != other);
    ((int *)items)[2] = 77;
    assert_int_equal(item(one, 2), 77);
    assert_int_equal(item(one, 3), 3);
    assert_int_equal(item(other, 2), 2);
    pare_shared_release(one);
    assert_int_equal(item(other, 1), 1);
    pare_shared_release(other);
    assert_int_equal(pare_alloc_live(), before);
}

static void test_shared__growing_keeps_the_items(void **state)
{
    (void)state;
    pare_shared *shared = make(3);
    void *items = NULL;
    assert_int_equal(pare_shared_own(&shared, 3, 50, &items, NULL), PARE_OK);
    ((int *)items)[49] = 1;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(item(shared, i), (int)i);
    pare_shared_release(shared);
}

static void test_shared__new_reports_oom_and_leaves_out_alone(void **state)
{
    (void)state;
    pare_shared *shared = NULL;
    assert_int_equal(pare_shared_new(SIZE_MAX / 2, sizeof(int), &shared, NULL), PARE_E_NOMEM);
    pare_alloc_fault_after(0);
    assert_int_equal(pare_shared_new(1, sizeof(int), &shared, NULL), PARE_E_NOMEM);
    pare_alloc_fault_after(SIZE_MAX);
    assert_null(shared);
}

static void test_shared__own_reports_oom_and_keeps_the_reference(void **state)
{
    (void)state;
    pare_shared *shared = make(2);
    pare_shared *before = shared;
    void *items = NULL;
    pare_alloc_fault_after(0);
    assert_int_equal(pare_shared_own(&shared, 2, 100, &items, NULL), PARE_E_NOMEM);
    pare_alloc_fault_after(SIZE_MAX);
    assert_null(items);
    assert_ptr_equal(shared, before);
    assert_int_equal(item(shared, 1), 1);
    pare_shared_release(shared);
}

static void test_shared__null_is_a_no_op(void **state)
{
    (void)state;
    pare_shared_retain(NULL);
    pare_shared_release(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared__sole_owner_writes_in_place),
        cmocka_unit_test(test_shared__writing_while_shared_leaves_the_other_alone),
        cmocka_unit_test(test_shared__growing_keeps_the_items),
        cmocka_unit_test(test_shared__new_reports_oom_and_leaves_out_alone),
        cmocka_unit_test(test_shared__own_reports_oom_and_keeps_the_reference),
        cmocka_unit_test(test_shared__null_is_a_no_op),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
