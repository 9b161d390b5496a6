/* The log of a run's bests: what is made of its edits are the bests that the run had. */
/* tests: src/ui/best_log.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/isolate.h>
#include <pare/reduce.h>

#include "base/buffer.h"
#include "ui/best_log.h"
#include "unit/alloc_sweep.h"

/* A run that is watched: the log, and all bests one after the other, each with its size before it. */
struct watched {
    pare_best_log *log;
    pare_buffer all, ends;
    size_t least; /* predicates: the size of the best */
};

static void watch(void *context, const pare_event *event)
{
    struct watched *self = context;
    pare_best_log_add(self->log, event);
    const bool is_first = event->kind == PARE_EVENT_PHASE && self->ends.size == 0;
    if (!is_first && (event->kind != PARE_EVENT_TEST || !event->accepted)) return;
    const size_t size = pare_event_best(event, NULL, 0);
    assert_int_equal(pare_buffer_reserve(&self->all, size, NULL), PARE_OK);
    (void)pare_event_best(event, self->all.data + self->all.size, size);
    self->all.size += size;
    assert_int_equal(pare_buffer_add(&self->ends, &self->all.size, sizeof self->all.size, NULL),
                     PARE_OK);
}

static pare_outcome needs_x_and_y(void *context, const void *bytes, size_t size)
{
    (void)context;
    return size && memchr(bytes, 'x', size) && memchr(bytes, 'y', size) ? PARE_FAIL : PARE_PASS;
}

/* Each success takes one byte. */
static pare_outcome goes_bytewise(void *context, const void *bytes, size_t size)
{
    struct watched *self = context;
    (void)bytes;
    if (self->least && size + 1 != self->least) return PARE_PASS;
    self->least = size;
    return PARE_FAIL;
}

static void reduce(struct watched *watched, const char *input, size_t size,
                   pare_outcome (*predicate)(void *, const void *, size_t))
{
    pare_result result = {0};
    const pare_reduce_options options = {.input.bytes = input,
                                         .input.size_bytes = size,
                                         .test.predicate = predicate,
                                         .test.context = watched,
                                         .algorithms = "ddmin",
                                         .units = "line,char",
                                         .limits.jobs = 1,
                                         .events.watcher = watch,
                                         .events.context = watched};
    assert_int_equal(pare_best_log_new(&watched->log, NULL), PARE_OK);
    assert_int_equal(pare_reduce(&options, &result, NULL), PARE_OK);
    pare_best_log_end(watched->log);
    pare_result_done(&result);
}

static void watched_done(struct watched *watched)
{
    pare_best_log_free(watched->log);
    pare_buffer_done(&watched->all);
    pare_buffer_done(&watched->ends);
}

/* An isolation that is watched; the failing side has the 'x' in its third line. */
static void isolate(struct watched *watched, pare_isolated *isolated)
{
    static const char failing[] = "one\nsome\nxyz\nmore\n", passing[] = "one\nsame\nmore\n";
    const pare_reduce_options options = {.input.bytes = failing,
                                         .input.size_bytes = sizeof failing - 1,
                                         .test.predicate = needs_x_and_y,
                                         .limits.jobs = 1,
                                         .events.watcher = watch,
                                         .events.context = watched};
    const pare_isolate_options sides = {.passing = passing, .passing_bytes = sizeof passing - 1};
    assert_int_equal(pare_best_log_new(&watched->log, NULL), PARE_OK);
    assert_int_equal(pare_isolate(&options, &sides, isolated, NULL), PARE_OK);
    pare_best_log_end(watched->log);
}

/* Makes best `i` of the one before, in place. */
static void follow(const pare_best_log *log, const pare_best *best, pare_buffer *text)
{
    const pare_best_edit *edits = pare_best_log_edits(log) + best->edit;
    pare_buffer next = {0};
    size_t at = 0;
    for (size_t k = 0; k < best->n_edits; k++) {
        assert_true(edits[k].at >= at && edits[k].at + edits[k].removed <= text->size);
        assert_int_equal(pare_buffer_add(&next, text->data + at, edits[k].at - at, NULL), PARE_OK);
        assert_int_equal(
            pare_buffer_add(&next, pare_best_log_text(log) + edits[k].text, edits[k].size, NULL),
            PARE_OK);
        at = edits[k].at + edits[k].removed;
    }
    assert_int_equal(pare_buffer_add(&next, text->data + at, text->size - at, NULL), PARE_OK);
    pare_buffer_done(text);
    *text = next;
}

/* Every best of the log is one that the run had, in the same order; gives how many there are.  The
 * first and the last are those of the run. */
static size_t assert_is_of(const struct watched *watched)
{
    size_t n, k = 0;
    const pare_best *bests = pare_best_log_bests(watched->log, &n);
    const size_t *ends = (const size_t *)(const void *)watched->ends.data;
    const size_t n_ends = watched->ends.size / sizeof *ends;
    pare_buffer text = {0};
    assert_true(n > 0);
    assert_int_equal(
        pare_buffer_add(&text, pare_best_log_first(watched->log), bests[0].size_bytes, NULL),
        PARE_OK);
    for (size_t i = 0; i < n; i++) {
        if (i) follow(watched->log, &bests[i], &text);
        assert_int_equal(text.size, bests[i].size_bytes);
        for (;; k++) {
            assert_true(k < n_ends);
            const size_t from = k ? ends[k - 1] : 0;
            if (ends[k] - from == text.size &&
                memcmp(watched->all.data + from, text.data, text.size) == 0)
                break;
            assert_true(i > 0); /* the first is the input */
        }
        k++;
    }
    assert_int_equal(k, n_ends); /* the last is the result */
    pare_buffer_done(&text);
    return n;
}

static const char INPUT[] = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n"
                            "xyz and some letters\nten\neleven\ntwelve\nthirteen\n";

static void test_best_log__holds_every_best_of_a_run(void **state)
{
    (void)state;
    struct watched watched = {.least = 0};
    size_t n_phases;
    reduce(&watched, INPUT, sizeof INPUT - 1, needs_x_and_y);
    assert_int_equal(assert_is_of(&watched), watched.ends.size / sizeof(size_t));
    const pare_best_phase *phases = pare_best_log_phases(watched.log, &n_phases);
    assert_in_range(n_phases, 2, 20);
    assert_string_equal(phases[0].name, "ddmin/line");
    assert_string_equal(phases[1].name, "ddmin/char");
    for (size_t i = 1; i < n_phases; i++) {
        assert_true(phases[i].tests >= phases[i - 1].tests);
        assert_ptr_equal(phases[i].name, phases[phases[i].first].name);
    }
    watched_done(&watched);
}

static void test_best_log__is_thinned_out_and_keeps_both_ends(void **state)
{
    (void)state;
    enum { SIZE = 900 };
    char input[SIZE];
    struct watched watched = {.least = 0};
    for (size_t i = 0; i < SIZE; i++)
        input[i] = (char)('a' + i * i % 23);
    reduce(&watched, input, SIZE, goes_bytewise);
    assert_true(watched.ends.size / sizeof(size_t) > 2 * PARE_BEST_LOG_MOST);
    const size_t n = assert_is_of(&watched);
    assert_in_range(n, PARE_BEST_LOG_MOST / 3, PARE_BEST_LOG_MOST);
    watched_done(&watched);
}

static void test_best_log__of_a_large_input_begins_where_it_can_be_read(void **state)
{
    (void)state;
    enum { SIZE = 2 * PARE_BEST_LOG_BYTES };
    char *input = test_malloc(SIZE);
    struct watched watched = {.least = 0};
    size_t n;
    for (size_t i = 0; i < SIZE; i++)
        input[i] = i % 80 == 79 ? '\n' : (char)('A' + i % 7);
    memcpy(input + 1000, "xy", 2);
    reduce(&watched, input, SIZE, needs_x_and_y);
    const pare_best *bests = pare_best_log_bests(watched.log, &n);
    assert_true(n > 1);
    assert_true(bests[0].size_bytes <= PARE_BEST_LOG_BYTES);
    assert_int_equal(bests[n - 1].size_bytes, 2);
    watched_done(&watched);
    test_free(input);
}

static void test_best_log__holds_both_sides_of_an_isolation(void **state)
{
    (void)state;
    struct watched watched = {.least = 0};
    pare_isolated isolated;
    pare_buffer text = {0};
    size_t n;
    isolate(&watched, &isolated);
    assert_int_equal(assert_is_of(&watched), watched.ends.size / sizeof(size_t));
    const pare_best_log *passing = pare_best_log_passing(watched.log);
    assert_non_null(passing);
    const pare_best *sides = pare_best_log_bests(passing, &n);
    assert_true(n > 1);
    assert_int_equal(sides[0].n, 1);
    assert_int_equal(
        pare_buffer_add(&text, pare_best_log_first(passing), sides[0].size_bytes, NULL), PARE_OK);
    for (size_t i = 1; i < n; i++) {
        assert_true(sides[i].n > sides[i - 1].n);
        follow(passing, &sides[i], &text);
        assert_int_equal(needs_x_and_y(NULL, text.data, text.size), PARE_PASS);
    }
    assert_int_equal(text.size, isolated.passing_size_bytes);
    assert_memory_equal(text.data, isolated.passing_bytes, text.size);
    pare_buffer_done(&text);
    pare_isolated_done(&isolated);
    watched_done(&watched);
}

static pare_status sweep_new(void *context)
{
    (void)context;
    pare_best_log *log = NULL;
    pare_status status = pare_best_log_new(&log, NULL);
    pare_best_log_free(log);
    return status;
}

static void test_best_log__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(sweep_new, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_log__holds_every_best_of_a_run),
        cmocka_unit_test(test_best_log__is_thinned_out_and_keeps_both_ends),
        cmocka_unit_test(test_best_log__of_a_large_input_begins_where_it_can_be_read),
        cmocka_unit_test(test_best_log__holds_both_sides_of_an_isolation),
        cmocka_unit_test(test_best_log__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
