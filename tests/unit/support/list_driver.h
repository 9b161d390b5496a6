/* Runs a list algorithm over positions 0 .. n-1 with an in-process predicate.
 *
 * The driver keeps the original indices of the units that are left, checks each edit,
 * and starts the algorithm again where it wants a fixpoint.  Each test program includes
 * it after cmocka; everything is static. */
#ifndef PARE_TESTS_LIST_DRIVER_H
#define PARE_TESTS_LIST_DRIVER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/list/algorithms.h"

/* Whether the failure is there with the units `kept` (ascending original indices). */
typedef bool (*list_predicate)(const void *context, const uint32_t *kept, size_t n);

/* Sees each test. */
typedef void (*list_observer)(void *context, const uint32_t *candidate, size_t n, bool fails);

struct list_task {
    const pare_list_algorithm *algorithm;
    size_t n; /* units at the start */
    pare_list_knobs knobs;
    list_predicate predicate;
    const void *context;
    list_observer observer; /* may be NULL */
    void *observer_context;
    size_t max_tests; /* 0: none; more than that fails the test */
};

/* Caller owns; list_run_done. */
struct list_run {
    void *state;
    uint32_t *kept, *candidate;
    size_t n_kept, n_candidate, tests;
    pare_edit edit;
};

static inline void list_check_edit(const pare_edit *edit, size_t n)
{
    assert_true(edit->n_ranges > 0);
    for (size_t i = 0; i < edit->n_ranges; i++) {
        assert_true(edit->ranges[i].from < edit->ranges[i].to);
        assert_true(edit->ranges[i].to <= n);
        if (i) assert_true(edit->ranges[i - 1].to < edit->ranges[i].from);
    }
}

static inline void list_apply(struct list_run *run)
{
    run->n_candidate = 0;
    size_t range = 0;
    for (size_t i = 0; i < run->n_kept; i++) {
        while (range < run->edit.n_ranges && run->edit.ranges[range].to <= i)
            range++;
        if (range < run->edit.n_ranges && run->edit.ranges[range].from <= i) continue;
        run->candidate[run->n_candidate++] = run->kept[i];
    }
}

static inline void list_run_init(struct list_run *run, const struct list_task *task)
{
    *run = (struct list_run){0};
    run->state = calloc(1, task->algorithm->state_bytes);
    run->kept = calloc(task->n + 1, sizeof *run->kept);
    run->candidate = calloc(task->n + 1, sizeof *run->candidate);
    assert_non_null(run->state);
    assert_non_null(run->kept);
    assert_non_null(run->candidate);
    for (size_t i = 0; i < task->n; i++)
        run->kept[i] = (uint32_t)i;
    run->n_kept = task->n;
}

static inline void list_run_done(struct list_run *run)
{
    pare_edit_done(&run->edit);
    free(run->state);
    free(run->kept);
    free(run->candidate);
}

/* Asks for the next candidate; false: there is none. */
static inline bool list_propose(const struct list_task *task, struct list_run *run)
{
    bool done = false;
    pare_edit_reset(&run->edit);
    assert_int_equal(task->algorithm->next(run->state, &done, &run->edit, NULL), PARE_OK);
    if (done) return false;
    list_check_edit(&run->edit, run->n_kept);
    list_apply(run);
    return true;
}

/* The candidate becomes the configuration. */
static inline void list_accept(struct list_run *run)
{
    memcpy(run->kept, run->candidate, run->n_candidate * sizeof *run->kept);
    run->n_kept = run->n_candidate;
}

static inline void list_tell(const struct list_task *task, struct list_run *run, bool fails)
{
    run->tests++;
    if (task->observer)
        task->observer(task->observer_context, run->candidate, run->n_candidate, fails);
    if (task->max_tests) assert_true(run->tests <= task->max_tests);
    assert_int_equal(task->algorithm->tell(run->state, fails, NULL), PARE_OK);
    if (fails) list_accept(run);
}

static inline void list_run_once(const struct list_task *task, struct list_run *run, size_t number)
{
    assert_int_equal(task->algorithm->start(run->state, run->n_kept, &task->knobs, number, NULL),
                     PARE_OK);
    while (list_propose(task, run))
        list_tell(task, run, task->predicate(task->context, run->candidate, run->n_candidate));
    if (task->algorithm->release) task->algorithm->release(run->state);
}

static inline bool list_wants_fixpoint(const struct list_task *task)
{
    if (task->knobs.fixpoint == PARE_FIXPOINT_DEFAULT) return task->algorithm->fixpoint;
    return task->knobs.fixpoint == PARE_FIXPOINT_ON;
}

/* Runs to the end; the result is in run->kept, and is the caller's to end. */
static inline void list_reduce(const struct list_task *task, struct list_run *run)
{
    list_run_init(run, task);
    size_t before, number = 0;
    do {
        before = run->n_kept;
        list_run_once(task, run, number++);
    } while (list_wants_fixpoint(task) && run->n_kept < before);
}

#endif
