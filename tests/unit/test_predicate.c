/* The in-process oracle: with one slot and with a pool. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/predicate.h"
#include "unit/alloc_sweep.h"

enum { SLOTS = 8, ROUNDS = 200 };

struct bench {
    pare_oracle *oracle;
    pare_text *text;
    pare_stop *stop;
    atomic_int calls;
    atomic_bool open; /* lets `gated` go on */
};

/* FAIL when there is an 'x', and no byte that is not 'x' or 'a'. */
static pare_outcome contains_x(void *context, const void *bytes, size_t size)
{
    struct bench *bench = context;
    atomic_fetch_add(&bench->calls, 1);
    for (size_t k = 0; k < size; k++)
        if (!strchr("xa", ((const char *)bytes)[k])) return PARE_UNRESOLVED;
    return size && memchr(bytes, 'x', size) ? PARE_FAIL : PARE_PASS;
}

/* Ends when the test has opened the gate. */
static pare_outcome gated(void *context, const void *bytes, size_t size)
{
    struct bench *bench = context;
    while (!atomic_load(&bench->open))
        continue;
    return contains_x(context, bytes, size);
}

static void set_up(struct bench *bench, unsigned n_slots, pare_predicate predicate)
{
    *bench = (struct bench){.oracle = NULL};
    assert_int_equal(pare_stop_new(&bench->stop, NULL), PARE_OK);
    assert_int_equal(pare_text_copy("aaxaa", 5, &bench->text, NULL), PARE_OK);
    const pare_predicate_options options = {
        .predicate = predicate, .context = bench, .n_slots = n_slots, .stop = bench->stop};
    assert_int_equal(pare_predicate_new(&options, &bench->oracle, NULL), PARE_OK);
}

static void tear_down(struct bench *bench)
{
    atomic_store(&bench->open, true);
    pare_oracle_free(bench->oracle);
    pare_text_unref(bench->text);
    pare_stop_free(bench->stop);
}

/* Starts a test of `size` bytes from `offset`. */
static void start(struct bench *bench, unsigned slot, size_t offset, size_t size)
{
    pare_candidate candidate = {0};
    pare_candidate_start(&candidate, bench->text);
    assert_int_equal(pare_candidate_slice(&candidate, offset, size, NULL), PARE_OK);
    assert_int_equal(bench->oracle->ops->start(bench->oracle, slot, &candidate, NULL), PARE_OK);
    pare_candidate_done(&candidate);
}

static pare_wait wait_for(struct bench *bench, int64_t timeout_ms, pare_verdict *verdict)
{
    pare_wait what = PARE_WAIT_TIMEOUT;
    assert_int_equal(bench->oracle->ops->wait(bench->oracle, timeout_ms, &what, verdict, NULL),
                     PARE_OK);
    return what;
}

static void test_predicate__outcomes_are_the_predicates_own(void **state)
{
    (void)state;
    for (unsigned n_slots = 1; n_slots <= SLOTS; n_slots += SLOTS - 1) {
        struct bench bench;
        pare_verdict verdict;
        set_up(&bench, n_slots, contains_x);
        start(&bench, n_slots - 1, 2, 1);
        assert_int_equal(wait_for(&bench, -1, &verdict), PARE_WAIT_VERDICT);
        assert_int_equal(verdict.slot, n_slots - 1);
        assert_int_equal(verdict.outcome, PARE_FAIL);
        assert_int_equal(verdict.exit_code, -1);
        start(&bench, 0, 0, 0); /* the empty candidate */
        assert_int_equal(wait_for(&bench, -1, &verdict), PARE_WAIT_VERDICT);
        assert_int_equal(verdict.outcome, PARE_PASS);
        tear_down(&bench);
    }
}

static void test_predicate__each_start_gives_one_verdict(void **state)
{
    (void)state;
    struct bench bench;
    unsigned started[SLOTS] = {0};
    pare_verdict verdict;
    set_up(&bench, SLOTS, contains_x);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        start(&bench, slot, slot % 5, 1);
    for (unsigned k = 0; k < SLOTS * ROUNDS; k++) {
        assert_int_equal(wait_for(&bench, -1, &verdict), PARE_WAIT_VERDICT);
        unsigned slot = verdict.slot;
        assert_int_equal(verdict.outcome, (slot + started[slot]) % 5 == 2 ? PARE_FAIL : PARE_PASS);
        if (++started[slot] < ROUNDS) start(&bench, slot, (slot + started[slot]) % 5, 1);
    }
    assert_int_equal(wait_for(&bench, -1, &verdict), PARE_WAIT_TIMEOUT);
    assert_int_equal(bench.calls, SLOTS * ROUNDS);
    tear_down(&bench);
}

static void test_predicate__a_cancelled_test_gives_a_verdict_without_outcome(void **state)
{
    (void)state;
    struct bench bench;
    pare_verdict verdict;
    set_up(&bench, 1, contains_x);
    start(&bench, 0, 0, 5);
    bench.oracle->ops->cancel(bench.oracle, 0);
    assert_int_equal(wait_for(&bench, -1, &verdict), PARE_WAIT_VERDICT);
    assert_true(verdict.cancelled);
    assert_int_equal(verdict.outcome, PARE_NO_OUTCOME);
    assert_int_equal(bench.calls, 0);
    tear_down(&bench);
    set_up(&bench, 2, gated);
    start(&bench, 0, 0, 5);
    start(&bench, 1, 0, 5);
    bench.oracle->ops->cancel(bench.oracle, 1);
    atomic_store(&bench.open, true);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(wait_for(&bench, -1, &verdict), PARE_WAIT_VERDICT);
        assert_int_equal(verdict.cancelled, verdict.slot == 1);
    }
    tear_down(&bench);
}

static void test_predicate__waiting_ends_in_time_and_when_stopped(void **state)
{
    (void)state;
    struct bench bench;
    pare_verdict verdict;
    set_up(&bench, 2, gated);
    start(&bench, 0, 0, 5);
    assert_int_equal(wait_for(&bench, 5, &verdict), PARE_WAIT_TIMEOUT);
    pare_stop_request(bench.stop);
    assert_int_equal(wait_for(&bench, -1, &verdict), PARE_WAIT_INTERRUPTED);
    tear_down(&bench);
}

static pare_outcome cannot_say(void *context, const void *bytes, size_t size)
{
    return size == 5 ? PARE_NO_OUTCOME : contains_x(context, bytes, size);
}

static void test_predicate__no_outcome_ends_the_run_without_a_verdict(void **state)
{
    (void)state;
    for (unsigned n_slots = 1; n_slots <= 2; n_slots++) {
        struct bench bench;
        pare_verdict verdict = {0};
        set_up(&bench, n_slots, cannot_say);
        start(&bench, 0, 2, 1);
        assert_int_equal(wait_for(&bench, -1, &verdict), PARE_WAIT_VERDICT);
        start(&bench, 0, 0, 5);
        for (int k = 0; k < 2; k++)
            assert_int_equal(wait_for(&bench, -1, &verdict), PARE_WAIT_INTERRUPTED);
        tear_down(&bench);
    }
}

static void test_predicate__options_without_sense_are_refused(void **state)
{
    (void)state;
    pare_oracle *oracle = NULL;
    const pare_predicate_options no_slots = {.predicate = contains_x};
    const pare_predicate_options no_predicate = {.n_slots = 1};
    assert_int_equal(pare_predicate_new(&no_slots, &oracle, NULL), PARE_E_ARG);
    assert_int_equal(pare_predicate_new(&no_predicate, &oracle, NULL), PARE_E_ARG);
    assert_null(oracle);
}

static pare_status make(void *context)
{
    const pare_predicate_options options = {
        .predicate = contains_x, .context = context, .n_slots = 3};
    pare_oracle *oracle = NULL;
    pare_status status = pare_predicate_new(&options, &oracle, NULL);
    if (status) assert_null(oracle);
    pare_oracle_free(oracle);
    return status;
}

static void test_predicate__out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    sweep_allocations(make, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predicate__outcomes_are_the_predicates_own),
        cmocka_unit_test(test_predicate__each_start_gives_one_verdict),
        cmocka_unit_test(test_predicate__a_cancelled_test_gives_a_verdict_without_outcome),
        cmocka_unit_test(test_predicate__waiting_ends_in_time_and_when_stopped),
        cmocka_unit_test(test_predicate__no_outcome_ends_the_run_without_a_verdict),
        cmocka_unit_test(test_predicate__options_without_sense_are_refused),
        cmocka_unit_test(test_predicate__out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
