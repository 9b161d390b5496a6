/* Seen digests: copies go their own ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/tried_digests.h"
#include "unit/alloc_sweep.h"

enum { MANY = 5000 };

static pare_digest number(uint64_t i)
{
    return (pare_digest){.high = i * UINT64_C(0x9e3779b97f4a7c15), .low = i};
}

static void add(pare_tried_digests *seen, uint64_t i)
{
    assert_false(pare_tried_digests_has(seen, number(i)));
    assert_int_equal(pare_tried_digests_add(seen, number(i), NULL), PARE_OK);
    assert_true(pare_tried_digests_has(seen, number(i)));
}

static void test_seen__has_what_was_added_and_nothing_else(void **state)
{
    (void)state;
    pare_tried_digests seen = {0};
    for (uint64_t i = 0; i < MANY; i++)
        add(&seen, 2 * i);
    for (uint64_t i = 0; i < MANY; i++) {
        assert_true(pare_tried_digests_has(&seen, number(2 * i)));
        assert_false(pare_tried_digests_has(&seen, number(2 * i + 1)));
    }
    pare_tried_digests_release(&seen);
    assert_false(pare_tried_digests_has(&seen, number(0)));
}

static void test_seen__copies_do_not_see_what_the_other_adds(void **state)
{
    (void)state;
    pare_tried_digests seen = {0};
    for (uint64_t i = 0; i < 100; i++)
        add(&seen, i);
    pare_tried_digests copy = seen;
    pare_tried_digests_retain(&copy);
    for (uint64_t i = 100; i < 300; i++)
        add(i % 2 ? &seen : &copy, i);
    for (uint64_t i = 100; i < 300; i++) {
        assert_int_equal(pare_tried_digests_has(&seen, number(i)), i % 2);
        assert_int_equal(pare_tried_digests_has(&copy, number(i)), i % 2 == 0);
    }
    pare_tried_digests_release(&seen);
    assert_true(pare_tried_digests_has(&copy, number(5)));
    pare_tried_digests_release(&copy);
}

static pare_status attempt(void *context)
{
    pare_tried_digests seen = {0}, copy;
    pare_status status = PARE_OK;
    (void)context;
    for (uint64_t i = 0; !status && i < 200; i++)
        status = pare_tried_digests_add(&seen, number(i), NULL);
    copy = seen;
    pare_tried_digests_retain(&copy);
    for (uint64_t i = 200; !status && i < 300; i++)
        status = pare_tried_digests_add(&copy, number(i), NULL);
    pare_tried_digests_release(&copy);
    pare_tried_digests_release(&seen);
    return status;
}

static void test_seen__every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seen__has_what_was_added_and_nothing_else),
        cmocka_unit_test(test_seen__copies_do_not_see_what_the_other_adds),
        cmocka_unit_test(test_seen__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
