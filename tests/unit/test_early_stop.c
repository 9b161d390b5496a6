/* Early stop: a strategy ends when it is not worth its tests, and not before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/limited.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/config.h"
#include "text/split/split.h"
#include "unit/alloc_sweep.h"

enum { UNITS = 64 };

/* A sweep over 64 characters: it leaves out one after the other. */
static pare_status make_sweep(pare_strategy **out)
{
    char bytes[UNITS];
    pare_text *text = NULL;
    pare_bounds bounds = {0};
    pare_unit_list *units = NULL;
    pare_config *config = NULL;
    const pare_list_knobs knobs = {.seed = 0};
    memset(bytes, 'x', sizeof bytes);
    pare_status status = pare_text_copy(bytes, sizeof bytes, &text, NULL);
    if (!status)
        status = pare_splitter_find("char")->split((const unsigned char *)bytes, sizeof bytes,
                                                   &bounds, NULL);
    if (!status) status = pare_config_units_new(&bounds, &units, NULL);
    if (!status) status = pare_config_new(units, text, &config, NULL);
    if (!status) status = pare_config_strategy_new(&pare_list_sweep, &knobs, config, out, NULL);
    pare_config_unref(config);
    pare_config_units_unref(units);
    pare_split_bounds_done(&bounds);
    pare_text_unref(text);
    return status;
}

static pare_status make(const pare_early_stop_terms *terms, pare_strategy **out)
{
    pare_strategy *inner = NULL;
    pare_status status = make_sweep(&inner);
    return status ? status : pare_limited_early_stop(inner, UNITS, terms, out, NULL);
}

/* Runs it with the outcomes of `answers`, '+' for FAIL, and passes behind them; how many
 * tests it took. */
static size_t tests_of(pare_strategy *strategy, const char *answers)
{
    size_t n = 0;
    for (;;) {
        pare_next what;
        pare_candidate candidate = {0};
        assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
        pare_candidate_done(&candidate);
        if (what == PARE_NEXT_DONE) break;
        bool fails = n < strlen(answers) && answers[n] == '+';
        assert_int_equal(strategy->ops->tell(strategy, fails ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
        n++;
    }
    pare_strategy_free(strategy);
    return n;
}

static size_t tests_with(const pare_early_stop_terms *terms, const char *answers)
{
    pare_strategy *strategy = NULL;
    assert_int_equal(make(terms, &strategy), PARE_OK);
    return tests_of(strategy, answers);
}

static void test_early_stop__ends_after_so_many_tests_for_nothing(void **state)
{
    (void)state;
    const pare_early_stop_terms terms = {.first = 3, .tests = 5, .share = 0.01};
    assert_int_equal(tests_with(&terms, ""), 3);
    assert_int_equal(tests_with(&terms, "--+"), 3 + 5);
    assert_int_equal(tests_with(&terms, "--+----+"), 8 + 5);
    assert_int_equal(tests_with(&terms, "---+"), 3);
    const pare_early_stop_terms endless = {.first = 1000, .tests = 1000, .share = 0.01};
    assert_int_equal(tests_with(&endless, ""), UNITS);
}

static void test_early_stop__small_gains_add_up_to_the_share(void **state)
{
    (void)state;
    /* 64 bytes: the share is gone with the fourth of them. */
    const pare_early_stop_terms terms = {.first = 6, .tests = 2, .share = 0.05};
    assert_int_equal(tests_with(&terms, "-+-+-+"), 6);
    assert_int_equal(tests_with(&terms, "++++"), 4 + 2);
}

static void test_early_stop__copies_go_their_own_way(void **state)
{
    (void)state;
    const pare_early_stop_terms terms = {.first = 3, .tests = 5, .share = 0.01};
    pare_strategy *strategy = NULL, *copy = NULL;
    pare_next what;
    pare_candidate candidate = {0};
    assert_int_equal(make(&terms, &strategy), PARE_OK);
    assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
    pare_candidate_done(&candidate);
    assert_int_equal(strategy->ops->tell(strategy, PARE_PASS, NULL), PARE_OK);
    assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
    assert_int_equal(tests_of(copy, "+"), 1 + 5);
    assert_int_equal(tests_of(strategy, ""), 2);
}

static pare_status attempt(void *context)
{
    pare_strategy *strategy = NULL, *copy = NULL;
    pare_status status = make(context, &strategy);
    if (!status) status = strategy->ops->copy(strategy, &copy, NULL);
    pare_strategy_free(copy);
    pare_strategy_free(strategy);
    return status;
}

static void test_early_stop__every_allocation_may_fail(void **state)
{
    (void)state;
    pare_early_stop_terms terms = {.first = 3, .tests = 5, .share = 0.01};
    sweep_allocations(attempt, &terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_early_stop__ends_after_so_many_tests_for_nothing),
        cmocka_unit_test(test_early_stop__small_gains_add_up_to_the_share),
        cmocka_unit_test(test_early_stop__copies_go_their_own_way),
        cmocka_unit_test(test_early_stop__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
