/* Hash indices: every item is found again, also among colliding hashes and after growth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash_index.h"
#include "unit/alloc_sweep.h"

/* How many items are under `hash`, and whether `wanted` is one of them. */
static size_t count(const pare_hash_index *index, uint64_t hash, uint32_t wanted, bool *found)
{
    size_t n = 0;
    uint32_t item;
    pare_hash_probe probe = pare_hash_index_probe(index, hash);
    *found = false;
    while (pare_hash_index_next(index, &probe, &item)) {
        n++;
        *found |= item == wanted;
    }
    return n;
}

static void test_hash_index__items_are_found_after_growth(void **state)
{
    (void)state;
    pare_hash_index index = {0};
    for (uint32_t item = 0; item < 5000; item++)
        assert_int_equal(pare_hash_index_add(&index, item, item, NULL), PARE_OK);
    assert_true(pare_hash_index_check(&index));
    for (uint32_t item = 0; item < 5000; item++) {
        bool found;
        assert_true(count(&index, item, item, &found) < 3);
        assert_true(found);
    }
    bool found;
    (void)count(&index, 5000, 5000, &found);
    assert_false(found);
    pare_hash_index_done(&index);
}

static void test_hash_index__equal_hashes_are_kept_apart_by_item(void **state)
{
    (void)state;
    pare_hash_index index = {0};
    for (uint32_t item = 0; item < 100; item++)
        assert_int_equal(pare_hash_index_add(&index, 42, item, NULL), PARE_OK);
    for (uint32_t item = 0; item < 100; item++) {
        bool found;
        assert_int_equal(count(&index, 42, item, &found), 100);
        assert_true(found);
    }
    pare_hash_index_done(&index);
}

static void test_hash_index__reset_forgets_and_keeps_the_memory(void **state)
{
    (void)state;
    pare_hash_index index = {0};
    bool found;
    assert_int_equal(count(&index, 1, 0, &found), 0);
    pare_hash_index_reset(&index);
    assert_int_equal(pare_hash_index_reserve(&index, 1000, NULL), PARE_OK);
    size_t n_slots = index.n_slots;
    assert_int_equal(pare_hash_index_add(&index, 1, 0, NULL), PARE_OK);
    pare_hash_index_reset(&index);
    assert_int_equal(count(&index, 1, 0, &found), 0);
    assert_int_equal(index.n_slots, n_slots);
    assert_true(pare_hash_index_check(&index));
    pare_hash_index_done(&index);
}

static void test_hash_index__out_of_memory_leaves_it_as_it_was(void **state)
{
    (void)state;
    pare_hash_index index = {0};
    uint32_t item = 0;
    for (; item < 24; item++)
        assert_int_equal(pare_hash_index_add(&index, item, item, NULL), PARE_OK);
    pare_alloc_fault_after(0);
    assert_int_equal(pare_hash_index_add(&index, item, item, NULL), PARE_E_NOMEM);
    pare_alloc_fault_after(SIZE_MAX);
    assert_true(pare_hash_index_check(&index));
    assert_int_equal(index.n, 24);
    pare_hash_index_done(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_index__items_are_found_after_growth),
        cmocka_unit_test(test_hash_index__equal_hashes_are_kept_apart_by_item),
        cmocka_unit_test(test_hash_index__reset_forgets_and_keeps_the_memory),
        cmocka_unit_test(test_hash_index__out_of_memory_leaves_it_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
