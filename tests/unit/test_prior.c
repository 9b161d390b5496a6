/* What is expected of a phase, by the kind of the text and its size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/plan/plan.h"
#include "session/plan/prior.h"

static const pare_prior ROW = {"row", {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}};

static void test_prior__goes_by_kind_and_class_of_size(void **state)
{
    (void)state;
    static const struct {
        pare_prior_kind kind;
        size_t size;
        unsigned expected;
    } cases[] = {{PARE_PRIOR_BINARY, 0, 1},   {PARE_PRIOR_BINARY, 64, 1},
                 {PARE_PRIOR_BINARY, 65, 2},  {PARE_PRIOR_PLAIN, 512, 6},
                 {PARE_PRIOR_PLAIN, 513, 7},  {PARE_PRIOR_TREE, 4096, 11},
                 {PARE_PRIOR_TREE, 4097, 12}, {PARE_PRIOR_TREE, SIZE_MAX, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double promise = pare_prior_promise(&ROW, cases[i].kind, cases[i].size);
        assert_true(promise == cases[i].expected * 0.0001);
    }
}

static void test_prior__kind_is_that_of_the_bytes_first(void **state)
{
    (void)state;
    assert_int_equal(pare_prior_kind_of(true, "json"), PARE_PRIOR_BINARY);
    assert_int_equal(pare_prior_kind_of(false, "json"), PARE_PRIOR_TREE);
    assert_int_equal(pare_prior_kind_of(false, NULL), PARE_PRIOR_PLAIN);
}

static void test_prior__what_was_not_measured_is_worth_a_run(void **state)
{
    (void)state;
    assert_null(pare_prior_find("no such phase"));
    assert_true(pare_prior_promise(NULL, PARE_PRIOR_PLAIN, 10) > 0);
}

/* A table that was made of the wrong names would say nothing. */
static void test_prior__most_phases_of_the_default_have_a_row(void **state)
{
    (void)state;
    pare_plan plan;
    size_t known = 0;
    assert_int_equal(pare_plan_make(NULL, NULL, &plan, NULL), PARE_OK);
    for (size_t i = 0; i < plan.n_phases; i++)
        known += plan.phases[i].prior != NULL;
    assert_true(known > plan.n_phases / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prior__goes_by_kind_and_class_of_size),
        cmocka_unit_test(test_prior__kind_is_that_of_the_bytes_first),
        cmocka_unit_test(test_prior__what_was_not_measured_is_worth_a_run),
        cmocka_unit_test(test_prior__most_phases_of_the_default_have_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
