/* Random numbers of the kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "os/entropy.h"

static void test_entropy__numbers_lie_below_their_bound_and_reach_it(void **state)
{
    (void)state;
    static const uint64_t bounds[] = {1, 2, 3, 256, UINT64_C(1) << 33, UINT64_MAX};
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
        uint64_t highest = 0;
        for (int n = 0; n < 200; n++) {
            uint64_t number = UINT64_MAX;
            assert_int_equal(pare_entropy_draw(bounds[k], &number, NULL), PARE_OK);
            assert_true(number < bounds[k]);
            if (number > highest) highest = number;
        }
        assert_true(highest >= bounds[k] / 2); /* but once in 2^200 */
    }
}

static void test_entropy__spans_are_free_where_nobody_records(void **state)
{
    (void)state;
    uint64_t number;
    pare_entropy_open(7);
    assert_int_equal(pare_entropy_draw(10, &number, NULL), PARE_OK);
    pare_entropy_close();
    pare_entropy_close(); /* one too many */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entropy__numbers_lie_below_their_bound_and_reach_it),
        cmocka_unit_test(test_entropy__spans_are_free_where_nobody_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
