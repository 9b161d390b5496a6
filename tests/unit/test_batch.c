/* Numbered texts: the same whatever the batch they are made in, and what happens to those that
 * cannot be made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "generate/batch.h"
#include "unit/alloc_sweep.h"

/* Writes four numbers that were drawn; `refuse` of the first attempts are refused. */
struct numbers {
    unsigned refuse, n_runs;
};

static pare_status run_numbers(void *self, pare_choices *choices, pare_buffer *text,
                               pare_error *err)
{
    struct numbers *numbers = self;
    uint64_t which = 0;
    pare_status status = PARE_OK;
    numbers->n_runs++;
    if (numbers->refuse && numbers->refuse--)
        return pare_fail(err, PARE_E_UNSUPPORTED, "it will not do");
    for (int i = 0; !status && i < 4; i++) {
        status = pare_choices_next(choices, PARE_CHOICE_NUMBER, 1000, &which, err);
        if (!status) status = pare_buffer_format(text, err, "%u ", (unsigned)which);
    }
    return status;
}

static void init(pare_batch_maker *maker, struct numbers *numbers, uint64_t seed)
{
    pare_batch_maker_init_any(maker, (pare_generator){.self = numbers, .run = run_numbers}, seed);
}

/* Text `number` of a batch that begins with text `first`. */
static void get(uint64_t seed, uint64_t first, uint64_t number, uint64_t round, char text[64])
{
    struct numbers numbers = {0};
    pare_batch_maker maker;
    pare_batch batch = {0};
    init(&maker, &numbers, seed);
    assert_int_equal(
        pare_batch_make(&maker, first, (size_t)(number - first) + 1, round, &batch, NULL), PARE_OK);
    size_t i = batch.n - 1, from = i ? batch.ends[i - 1] : 0;
    assert_true(batch.made[i] && batch.ends[i] - from < 64);
    memcpy(text, batch.bytes.data + from, batch.ends[i] - from);
    text[batch.ends[i] - from] = '\0';
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
}

static void test_batch__a_text_depends_on_seed_number_and_round_only(void **state)
{
    (void)state;
    char text[64], other[64];
    get(1, 5, 5, 0, text);
    for (uint64_t first = 0; first < 5; first++) {
        get(1, first, 5, 0, other);
        assert_string_equal(text, other);
    }
    get(2, 5, 5, 0, other);
    assert_string_not_equal(text, other);
    get(1, 5, 5, 1, other);
    assert_string_not_equal(text, other);
    get(1, 6, 6, 0, other);
    assert_string_not_equal(text, other);
}

static void test_batch__a_text_that_is_refused_is_tried_again_and_then_given_up(void **state)
{
    (void)state;
    struct numbers numbers = {.refuse = PARE_BATCH_ATTEMPTS + 3};
    pare_batch_maker maker;
    pare_batch batch = {0};
    init(&maker, &numbers, 1);
    assert_int_equal(pare_batch_make(&maker, 0, 2, 0, &batch, NULL), PARE_OK);
    assert_int_equal(numbers.n_runs, PARE_BATCH_ATTEMPTS + 4);
    assert_int_equal(batch.n, 2);
    assert_int_equal(batch.n_unmade, 1);
    assert_false(batch.made[0]);
    assert_true(batch.made[1]);
    assert_string_equal(batch.reason.message, "it will not do");
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
}

static void test_batch__a_text_is_tried_no_more_often_than_its_maker_allows(void **state)
{
    (void)state;
    struct numbers numbers = {.refuse = 5};
    pare_batch_maker maker;
    pare_batch batch = {0};
    init(&maker, &numbers, 1);
    maker.max_attempts = 3;
    assert_int_equal(pare_batch_make(&maker, 0, 2, 0, &batch, NULL), PARE_OK);
    assert_int_equal(numbers.n_runs, 6);
    assert_int_equal(batch.n_unmade, 1);
    assert_false(batch.made[0]);
    assert_true(batch.made[1]);
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
}

/* A pare_text_check that wants a text to begin with 1. */
static pare_status check(void *context, const char *text, size_t size, pare_error *err)
{
    (void)context;
    return size && *text == '1' ? PARE_OK : pare_fail(err, PARE_E_UNSUPPORTED, "no 1");
}

static void test_batch__what_the_check_refuses_is_counted(void **state)
{
    (void)state;
    struct numbers numbers = {0};
    pare_batch_maker maker;
    pare_batch batch = {0};
    init(&maker, &numbers, 1);
    maker.check = check;
    assert_int_equal(pare_batch_make(&maker, 0, 20, 0, &batch, NULL), PARE_OK);
    size_t from = 0;
    for (size_t i = 0; i < batch.n; i++) {
        if (batch.made[i]) assert_int_equal(batch.bytes.data[from], '1');
        from = batch.ends[i];
    }
    assert_true(batch.n_refused > 0);
    assert_int_equal(batch.n_refused, numbers.n_runs - (batch.n - batch.n_unmade));
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
}

static pare_status try_batch(void *context)
{
    struct numbers numbers = {0};
    pare_batch_maker maker;
    pare_batch batch = {0};
    (void)context;
    init(&maker, &numbers, 1);
    pare_status status = pare_batch_make(&maker, 0, 3, 0, &batch, NULL);
    pare_batch_done(&batch);
    pare_batch_maker_done(&maker);
    return status;
}

static void test_batch__every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(try_batch, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batch__a_text_depends_on_seed_number_and_round_only),
        cmocka_unit_test(test_batch__a_text_that_is_refused_is_tried_again_and_then_given_up),
        cmocka_unit_test(test_batch__a_text_is_tried_no_more_often_than_its_maker_allows),
        cmocka_unit_test(test_batch__what_the_check_refuses_is_counted),
        cmocka_unit_test(test_batch__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
