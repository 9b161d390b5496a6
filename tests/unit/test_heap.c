/* Priority queues: what comes out is in order, whatever the order it was put in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/heap.h"
#include "base/random.h"

struct item {
    uint32_t key, number; /* equal keys: the lower number comes first */
};

static bool before(const void *a, const void *b, const void *context)
{
    const struct item *x = a, *y = b;
    (void)context;
    return x->key != y->key ? x->key < y->key : x->number < y->number;
}

static const pare_heap_order order = {sizeof(struct item), before, NULL};

static void test_heap__items_come_out_in_order(void **state)
{
    (void)state;
    enum { MOST = 300 };
    pare_random random;
    pare_random_init(&random, 1);
    for (size_t n = 1; n <= MOST; n += 7) {
        struct item items[MOST];
        for (size_t i = 0; i < n; i++) {
            struct item item = {(uint32_t)pare_random_below(&random, n), (uint32_t)i};
            pare_heap_push(&order, items, i, &item);
            assert_true(pare_heap_check(&order, items, i + 1));
        }
        struct item last = {0};
        for (size_t left = n; left > 0; left--) {
            struct item item;
            pare_heap_pop(&order, items, left, &item);
            assert_true(pare_heap_check(&order, items, left - 1));
            if (left < n) assert_true(before(&last, &item, NULL));
            last = item;
        }
    }
}

static void test_heap__pushes_and_pops_may_alternate(void **state)
{
    (void)state;
    struct item items[64], item;
    size_t n = 0;
    for (uint32_t round = 0; round < 1000; round++) {
        if (n < 64 && round % 3 != 2) {
            item = (struct item){round * 7919 % 101, round};
            pare_heap_push(&order, items, n++, &item);
        } else {
            struct item first = items[0];
            pare_heap_pop(&order, items, n--, &item);
            assert_int_equal(item.number, first.number);
        }
        assert_true(pare_heap_check(&order, items, n));
    }
}

static void test_heap__check_sees_a_child_before_its_parent(void **state)
{
    (void)state;
    const struct item wrong[] = {{1, 0}, {2, 1}, {0, 2}};
    assert_true(pare_heap_check(&order, wrong, 2));
    assert_false(pare_heap_check(&order, wrong, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heap__items_come_out_in_order),
        cmocka_unit_test(test_heap__pushes_and_pops_may_alternate),
        cmocka_unit_test(test_heap__check_sees_a_child_before_its_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
