/* Ways out of a local minimum: when hangs are gone through, and what comes of it.  The searches uphill and
 * the restarts are seen in cli_excursions and cli_effort. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/config.h"
#include "session/plan/local_minimum.h"
#include "support/simulated_oracle.h"

/* It has the fault as long as A and B are there: of such texts those of a size that can be divided by
 * three fail, the others hang. */
static pare_outcome run_fault(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    if (!memchr(bytes, 'A', size) || !memchr(bytes, 'B', size)) return PARE_PASS;
    return size % 3 ? PARE_UNRESOLVED : PARE_FAIL;
}

struct subject {
    struct simulated_oracle sim;
    pare_reduce_options options;
    pare_work work;
};

static pare_status save_nothing(void *context, const pare_candidate *best, pare_error *err)
{
    (void)context;
    (void)best;
    (void)err;
    return PARE_OK;
}

/* A work over a text of `size` bytes, A and B among them, tested by a command. */
static void begin(struct subject *subject, size_t size)
{
    static unsigned char bytes[3 * 4096];
    pare_text *text = NULL;
    pare_verdict verdict;
    *subject = (struct subject){.options = {.test.command = "./test.sh"}};
    subject->work.session.options = &subject->options;
    simulated_init(&subject->sim, 1, run_fault, NULL, 1);
    const pare_engine_options options = {.oracle = &subject->sim.head, .save = save_nothing};
    assert_int_equal(pare_engine_new(&options, &subject->work.session.engine, NULL), PARE_OK);
    memset(bytes, '.', sizeof bytes);
    bytes[size / 3] = 'A';
    bytes[size / 2] = 'B';
    assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
    assert_int_equal(pare_engine_check(subject->work.session.engine, text, &verdict, NULL),
                     PARE_OK);
    pare_text_unref(text);
}

static void end(struct subject *subject)
{
    pare_engine_free(subject->work.session.engine);
}

/* Whether hangs are gone through after so many more outcomes of either kind. */
static bool after(struct subject *subject, pare_local_minimum_hangs *hangs, uint64_t n_fails,
                  uint64_t n_hangs)
{
    (void)pare_local_minimum_hangs_seem_alike(&subject->work, hangs);
    subject->work.session.stats.outcome_fail += n_fails;
    subject->work.session.stats.outcome_unresolved += n_hangs;
    return pare_local_minimum_hangs_seem_alike(&subject->work, hangs);
}

static void test_local_minimum__hangs_count_where_they_are_many(void **state)
{
    (void)state;
    static const struct {
        uint64_t n_fails, n_hangs;
        bool yes;
    } rows[] = {{0, 15, false}, {0, 16, true}, {8, 16, true}, {9, 16, false}, {20, 40, true}};
    struct subject subject;
    begin(&subject, 39);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pare_local_minimum_hangs hangs = {.is_watched = false};
        assert_int_equal(after(&subject, &hangs, rows[i].n_fails, rows[i].n_hangs), rows[i].yes);
    }
    pare_local_minimum_hangs hangs = {.is_watched = false};
    subject.options.test.command = NULL; /* what UNRESOLVED means is its own */
    assert_false(after(&subject, &hangs, 0, 100));
    end(&subject);
    begin(&subject, 3 * 4096);
    hangs = (pare_local_minimum_hangs){.is_watched = false};
    assert_false(after(&subject, &hangs, 0, 100));
    assert_false(hangs.is_watched);
    end(&subject);
}

/* Single bytes, one after the other: of these steps two of three hang. */
static pare_status sweep(pare_work *work, pare_error *err)
{
    const pare_text *text = NULL;
    const pare_list_knobs knobs = {.granularity = 0};
    pare_unit_list *units = NULL;
    pare_config *config = NULL;
    pare_strategy *strategy = NULL;
    pare_engine_end why;
    assert_int_equal(pare_engine_settle(work->session.engine, &text, err), PARE_OK);
    pare_bounds bounds = {.n = pare_text_size(text)};
    assert_int_equal(pare_config_units_new(&bounds, &units, err), PARE_OK);
    assert_int_equal(pare_config_new(units, text, &config, err), PARE_OK);
    assert_int_equal(pare_config_strategy_new(&pare_list_sweep, &knobs, config, &strategy, err),
                     PARE_OK);
    pare_config_unref(config);
    pare_config_units_unref(units);
    assert_int_equal(pare_engine_run(work->session.engine, strategy, &why, err), PARE_OK);
    return PARE_OK;
}

static void test_local_minimum__the_smallest_that_fails_is_kept(void **state)
{
    (void)state;
    struct subject subject;
    pare_local_minimum_hangs hangs = {.is_watched = false};
    begin(&subject, 39);
    assert_int_equal(sweep(&subject.work, NULL), PARE_OK); /* no single byte can go */
    assert_int_equal(pare_engine_best(subject.work.session.engine)->size, 39);
    assert_true(after(&subject, &hangs, 0, 16));
    assert_int_equal(pare_local_minimum_search_hangs(&subject.work, &hangs, sweep, NULL), PARE_OK);
    assert_int_equal(hangs.from_bytes, 39);
    const size_t size = pare_engine_best(subject.work.session.engine)->size;
    assert_true(size < 20); /* runs of bytes go, so that not every size is met */
    assert_int_equal(size % 3, 0);
    assert_ptr_equal(pare_engine_current(subject.work.session.engine),
                     pare_engine_best(subject.work.session.engine));
    assert_null(subject.work.session.one_name);
    assert_true(after(&subject, &hangs, 0, 16)); /* it is smaller by more than a tenth */
    assert_int_equal(pare_local_minimum_search_hangs(&subject.work, &hangs, sweep, NULL), PARE_OK);
    assert_int_equal(pare_engine_best(subject.work.session.engine)->size % 3, 0);
    while (after(&subject, &hangs, 0, 16)) {
        const size_t from = pare_engine_best(subject.work.session.engine)->size;
        assert_int_equal(pare_local_minimum_search_hangs(&subject.work, &hangs, sweep, NULL),
                         PARE_OK);
        assert_true(pare_engine_best(subject.work.session.engine)->size <= from);
    }
    assert_false(after(&subject, &hangs, 0, 16)); /* it is not any more */
    end(&subject);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local_minimum__hangs_count_where_they_are_many),
        cmocka_unit_test(test_local_minimum__the_smallest_that_fails_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
