/* Contenders: what their words set, and what is refused. */
/* tests: tools/shootout/contender.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "shootout/shootout.h"

static void test_contender__sets_what_its_words_say(void **state)
{
    pare_contender contender;
    pare_reduce_options reduce = {.limits.jobs = 3};
    (void)state;
    assert_int_equal(pare_contender_read("ddmin,sweep/line,char --subsets skip  --order random "
                                         "--seed 7 --granularity inf --no-cache -j 2 --no-fixpoint "
                                         "--phase prune --phase delete --transform none",
                                         &contender, NULL),
                     PARE_OK);
    pare_contender_apply(&contender, 2, &reduce);
    assert_string_equal(reduce.algorithms, "ddmin,sweep");
    assert_string_equal(reduce.units, "line,char");
    assert_int_equal(reduce.lists.subsets, PARE_SUBSETS_SKIP);
    assert_int_equal(reduce.lists.order, PARE_ORDER_RANDOM);
    assert_int_equal(reduce.lists.split, PARE_SPLIT_DEFAULT);
    assert_int_equal(reduce.lists.seed, 9);
    assert_true(reduce.lists.granularity == PARE_GRANULARITY_INF);
    assert_int_equal(reduce.lists.fixpoint, PARE_FIXPOINT_OFF);
    assert_int_equal(reduce.limits.cache, PARE_OFF);
    assert_int_equal(reduce.limits.jobs, 2);
    assert_int_equal(reduce.trees.n_phases, 2);
    assert_string_equal(reduce.trees.phases[1], "delete");
    assert_string_equal(reduce.trees.transforms, "none");
    pare_contender_done(&contender);
}

static void test_contender__leaves_the_defaults(void **state)
{
    pare_contender contender;
    pare_reduce_options reduce = {.limits.jobs = 3};
    (void)state;
    assert_int_equal(pare_contender_read("auto", &contender, NULL), PARE_OK);
    pare_contender_apply(&contender, 0, &reduce);
    assert_string_equal(reduce.algorithms, "auto");
    assert_null(reduce.units);
    assert_int_equal(reduce.lists.subsets, PARE_SUBSETS_DEFAULT);
    assert_int_equal(reduce.limits.jobs, 3);
    assert_int_equal(reduce.limits.cache, 0);
    assert_int_equal(reduce.trees.n_phases, 0);
    pare_contender_done(&contender);
}

static void test_contender__refuses_what_is_not_known(void **state)
{
    static const char *const wrong[] = {"",
                                        "  ",
                                        "ddmim",
                                        "ddmin/lines",
                                        "ddmin, ",
                                        "ddmin --subsets middle",
                                        "ddmin --output x",
                                        "ddmin line",
                                        "ddmin --jobs 0"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pare_error err = {0};
        pare_contender contender;
        assert_int_equal(pare_contender_read(wrong[i], &contender, &err), PARE_E_ARG);
        assert_true(err.message[0]);
        pare_contender_done(&contender);
    }
}

static pare_status read_one(void *context)
{
    pare_contender contender;
    (void)context;
    const pare_status status =
        pare_contender_read("ddmin/line --phase prune --order backward", &contender, NULL);
    pare_contender_done(&contender);
    return status;
}

static void test_contender__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(read_one, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contender__sets_what_its_words_say),
        cmocka_unit_test(test_contender__leaves_the_defaults),
        cmocka_unit_test(test_contender__refuses_what_is_not_known),
        cmocka_unit_test(test_contender__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
