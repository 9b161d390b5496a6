/* The repeating oracle over a simulated one that fails by chance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/repeat.h"
#include "unit/alloc_sweep.h"
#include "unit/support/simulated_oracle.h"

/* Fails with a chance in 100 that is the candidate's first byte; '!' cannot be resolved. */
struct chance {
    pare_random random;
    uint64_t runs;
};

static pare_outcome by_chance(void *context, const unsigned char *bytes, size_t size)
{
    struct chance *chance = context;
    chance->runs++;
    if (size > 1 && bytes[1] == '!') return PARE_UNRESOLVED;
    bool fails = size > 0 && pare_random_below(&chance->random, 100) < bytes[0];
    return fails ? PARE_FAIL : PARE_PASS;
}

static const pare_rate_rule RULE = {
    .floor = 0.25, .usual = 0.5, .wrong_accept = 0.01, .wrong_reject = 0.02, .max_runs = 2000};

struct setup {
    struct chance chance;
    struct simulated_oracle simulated;
    pare_oracle *oracle;
};

static void set_up(struct setup *setup, unsigned n_slots)
{
    *setup = (struct setup){.oracle = NULL};
    pare_random_init(&setup->chance.random, 3);
    simulated_init(&setup->simulated, n_slots, by_chance, &setup->chance, 5);
    assert_int_equal(pare_repeat_new(&setup->simulated.head, &setup->oracle, NULL), PARE_OK);
}

/* A candidate whose text begins with `chance`, in two pieces and a literal. */
static void make(pare_candidate *candidate, unsigned char chance, const char *rest)
{
    pare_text *text = NULL;
    unsigned char bytes[8] = {chance};
    memcpy(bytes + 1, "abcdefg", 7);
    assert_int_equal(pare_text_copy(bytes, 8, &text, NULL), PARE_OK);
    pare_candidate_start(candidate, text);
    assert_int_equal(pare_candidate_slice(candidate, 0, 1, NULL), PARE_OK);
    assert_int_equal(pare_candidate_literal(candidate, rest, strlen(rest), NULL), PARE_OK);
    assert_int_equal(pare_candidate_slice(candidate, 4, 2, NULL), PARE_OK);
    pare_text_unref(text);
}

static pare_verdict ask(struct setup *setup, unsigned char chance, const char *rest)
{
    pare_candidate candidate = {0};
    pare_verdict verdict = {.slot = 99};
    pare_wait what = PARE_WAIT_TIMEOUT;
    make(&candidate, chance, rest);
    assert_int_equal(setup->oracle->ops->start(setup->oracle, 0, &candidate, NULL), PARE_OK);
    pare_candidate_done(&candidate); /* the oracle has what it needs */
    assert_int_equal(setup->oracle->ops->wait(setup->oracle, -1, &what, &verdict, NULL), PARE_OK);
    assert_int_equal(what, PARE_WAIT_VERDICT);
    return verdict;
}

static void test_repeat__without_a_rule_a_test_is_one_run(void **state)
{
    (void)state;
    struct setup setup;
    set_up(&setup, 1);
    assert_int_equal(ask(&setup, 100, "x").outcome, PARE_FAIL);
    assert_int_equal(ask(&setup, 0, "x").outcome, PARE_PASS);
    assert_int_equal(setup.chance.runs, 2);
    assert_int_equal(pare_repeat_runs(setup.oracle), 2);
    pare_oracle_free(setup.oracle);
}

static void test_repeat__the_rule_decides(void **state)
{
    (void)state;
    struct setup setup;
    set_up(&setup, 1);
    pare_repeat_set_rule(setup.oracle, &RULE);
    unsigned wrong = 0;
    for (int i = 0; i < 100; i++) {
        wrong += ask(&setup, 50, "x").outcome != PARE_FAIL;
        wrong += ask(&setup, 25, "x").outcome != PARE_PASS;
        wrong += ask(&setup, 0, "x").outcome != PARE_PASS;
        wrong += ask(&setup, 100, "x").outcome != PARE_FAIL;
    }
    assert_true(wrong <= 6);
    pare_verdict verdict = ask(&setup, 0, "x");
    assert_true(verdict.duration_ms >= 2); /* the sum of several runs of 1 ms */
    assert_int_equal(pare_repeat_runs(setup.oracle), setup.chance.runs);
    pare_oracle_free(setup.oracle);
}

/* A rule that costs too much gives way to another. */
static void test_repeat__a_rule_ends_after_so_many_runs(void **state)
{
    (void)state;
    struct setup setup;
    set_up(&setup, 1);
    const pare_rate_rule strict = {
        .floor = 0.9, .usual = 1, .wrong_accept = 0.01, .wrong_reject = 0.02, .max_runs = 2000};
    pare_repeat_set_rule(setup.oracle, &strict);
    pare_repeat_relax(setup.oracle, &RULE, 50);
    assert_int_equal(ask(&setup, 100, "x").outcome, PARE_FAIL);
    uint64_t dear = pare_repeat_runs(setup.oracle); /* 44: 0.9^44 < 0.01 */
    assert_int_equal(dear, 44);
    assert_int_equal(ask(&setup, 100, "x").outcome, PARE_FAIL);
    assert_true(pare_repeat_runs(setup.oracle) <= dear + 12);
    pare_oracle_free(setup.oracle);
}

/* Where nothing was accepted lately, what is gone is rejected after fewer runs. */
static void test_repeat__a_rule_that_adapts_rejects_sooner_where_little_is_good(void **state)
{
    (void)state;
    struct setup setup;
    set_up(&setup, 1);
    const pare_rate_rule rule = {.floor = 0.4,
                                 .usual = 0.8,
                                 .wrong_accept = 0.26,
                                 .wrong_reject = 0.15,
                                 .max_runs = 100,
                                 .adapts = true};
    pare_repeat_set_rule(setup.oracle, &rule);
    assert_int_equal(ask(&setup, 0, "x").outcome, PARE_PASS);
    assert_int_equal(pare_repeat_runs(setup.oracle), 2);
    for (int i = 0; i < 40; i++)
        (void)ask(&setup, 0, "x");
    uint64_t before = pare_repeat_runs(setup.oracle);
    (void)ask(&setup, 0, "x");
    assert_int_equal(pare_repeat_runs(setup.oracle), before + 1);
    for (int i = 0; i < 40; i++)
        (void)ask(&setup, 100, "x");
    before = pare_repeat_runs(setup.oracle);
    (void)ask(&setup, 0, "x");
    assert_true(pare_repeat_runs(setup.oracle) >= before + 3);
    pare_oracle_free(setup.oracle);
}

static void test_repeat__what_is_mostly_unresolved_is_unresolved(void **state)
{
    (void)state;
    struct setup setup;
    set_up(&setup, 1);
    pare_repeat_set_rule(setup.oracle, &RULE);
    assert_int_equal(ask(&setup, 100, "!").outcome, PARE_UNRESOLVED);
    assert_int_equal(ask(&setup, 0, "?").outcome, PARE_PASS);
    pare_oracle_free(setup.oracle);
}

static void test_repeat__slots_do_not_disturb_each_other(void **state)
{
    (void)state;
    enum { SLOTS = 16 };
    struct setup setup;
    set_up(&setup, SLOTS);
    pare_repeat_set_rule(setup.oracle, &RULE);
    pare_candidate candidate = {0};
    for (unsigned i = 0; i < SLOTS; i++) {
        make(&candidate, i % 2 ? 100 : 0, "x");
        assert_int_equal(setup.oracle->ops->start(setup.oracle, i, &candidate, NULL), PARE_OK);
    }
    pare_candidate_done(&candidate);
    setup.oracle->ops->cancel(setup.oracle, 3);
    bool seen[SLOTS] = {false};
    for (unsigned i = 0; i < SLOTS; i++) {
        pare_verdict verdict;
        pare_wait what;
        assert_int_equal(setup.oracle->ops->wait(setup.oracle, -1, &what, &verdict, NULL), PARE_OK);
        assert_false(seen[verdict.slot]);
        seen[verdict.slot] = true;
        assert_int_equal(verdict.cancelled, verdict.slot == 3);
        if (!verdict.cancelled)
            assert_int_equal(verdict.outcome, verdict.slot % 2 ? PARE_FAIL : PARE_PASS);
    }
    pare_oracle_free(setup.oracle);
}

/* A start that fails in the middle of a test is an error once, and the slot is given back. */
static pare_status refuse(pare_oracle *oracle, unsigned slot, const pare_candidate *candidate,
                          pare_error *err)
{
    (void)oracle, (void)slot, (void)candidate;
    return pare_fail(err, PARE_E_IO, "refused");
}

static void test_repeat__a_run_that_cannot_be_started_frees_its_slot(void **state)
{
    (void)state;
    struct setup setup;
    set_up(&setup, 2);
    pare_repeat_set_rule(setup.oracle, &RULE);
    pare_candidate candidate = {0};
    pare_verdict verdict;
    pare_wait what;
    make(&candidate, 50, "x");
    assert_int_equal(setup.oracle->ops->start(setup.oracle, 1, &candidate, NULL), PARE_OK);
    pare_oracle_ops refusing = *setup.simulated.head.ops;
    const pare_oracle_ops *usual = setup.simulated.head.ops;
    refusing.start = refuse;
    setup.simulated.head.ops = &refusing;
    assert_int_equal(setup.oracle->ops->wait(setup.oracle, -1, &what, &verdict, NULL), PARE_E_IO);
    setup.simulated.head.ops = usual;
    setup.oracle->ops->cancel(setup.oracle, 1);
    assert_int_equal(setup.oracle->ops->wait(setup.oracle, -1, &what, &verdict, NULL), PARE_OK);
    assert_true(verdict.cancelled && verdict.slot == 1);
    assert_int_equal(setup.oracle->ops->start(setup.oracle, 1, &candidate, NULL), PARE_OK);
    pare_candidate_done(&candidate);
    pare_oracle_free(setup.oracle);
}

static pare_status attempt(void *context)
{
    struct chance chance = {.runs = 0};
    struct simulated_oracle simulated;
    pare_oracle *oracle = NULL;
    pare_candidate *candidate = context;
    simulated_init(&simulated, 2, by_chance, &chance, 5);
    pare_status status = pare_repeat_new(&simulated.head, &oracle, NULL);
    if (status) return status;
    pare_repeat_set_rule(oracle, &RULE);
    status = oracle->ops->start(oracle, 1, candidate, NULL);
    pare_oracle_free(oracle);
    return status;
}

static void test_repeat__survives_the_lack_of_memory(void **state)
{
    (void)state;
    pare_candidate candidate = {0};
    make(&candidate, 50, "x");
    sweep_allocations(attempt, &candidate);
    pare_candidate_done(&candidate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeat__without_a_rule_a_test_is_one_run),
        cmocka_unit_test(test_repeat__the_rule_decides),
        cmocka_unit_test(test_repeat__a_rule_ends_after_so_many_runs),
        cmocka_unit_test(test_repeat__a_rule_that_adapts_rejects_sooner_where_little_is_good),
        cmocka_unit_test(test_repeat__what_is_mostly_unresolved_is_unresolved),
        cmocka_unit_test(test_repeat__slots_do_not_disturb_each_other),
        cmocka_unit_test(test_repeat__a_run_that_cannot_be_started_frees_its_slot),
        cmocka_unit_test(test_repeat__survives_the_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
