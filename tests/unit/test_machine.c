/* What the machine has. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "os/machine.h"

static void test_machine__processors_are_those_of_the_affinity_mask(void **state)
{
    (void)state;
    cpu_set_t before, one;
    unsigned first = 0;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(pare_machine_processors(), CPU_COUNT(&before));
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(pare_machine_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

static void test_machine__its_description_is_cut_to_the_room(void **state)
{
    (void)state;
    char whole[512], part[12], wanted[64];
    pare_machine_describe(whole, sizeof whole);
    pare_machine_describe(part, sizeof part);
    assert_memory_equal(part, whole, sizeof part - 1);
    assert_int_equal(strlen(part), sizeof part - 1);
    (void)snprintf(wanted, sizeof wanted, ", %u processor", pare_machine_processors());
    assert_non_null(strstr(whole, wanted));
}

static void test_machine__memory_is_a_gibibyte_at_least(void **state)
{
    (void)state;
    assert_true(pare_machine_memory_bytes() >= (uint64_t)1 << 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machine__processors_are_those_of_the_affinity_mask),
        cmocka_unit_test(test_machine__its_description_is_cut_to_the_room),
        cmocka_unit_test(test_machine__memory_is_a_gibibyte_at_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
