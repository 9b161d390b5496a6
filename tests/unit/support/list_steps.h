/* A run of a list algorithm as one line of text: each step is the positions left out,
 * from-to (to exclusive), several with commas, and a + when the candidate failed and
 * became the configuration.  "4-8 0-4+ 1-2,3-4" */
#ifndef PARE_TESTS_LIST_STEPS_H
#define PARE_TESTS_LIST_STEPS_H

#include <stdio.h>

#include "unit/support/list_driver.h"

enum { LIST_STEPS_TEXT = 4096 };

/* Outcomes by number of the test: a string of '+' and '-', all '-' behind its end. */
static inline void list_steps(const pare_list_algorithm *algorithm, size_t n,
                              const pare_list_knobs *knobs, const char *outcomes,
                              char text[LIST_STEPS_TEXT])
{
    struct list_task task = {.algorithm = algorithm, .n = n, .max_tests = 1000};
    if (knobs) task.knobs = *knobs;
    struct list_run run;
    list_run_init(&run, &task);
    size_t at = 0;
    text[0] = '\0';
    assert_int_equal(algorithm->start(run.state, n, &task.knobs, 0, NULL), PARE_OK);
    while (list_propose(&task, &run)) {
        bool fails = *outcomes && *outcomes++ == '+';
        for (size_t i = 0; i < run.edit.n_ranges; i++)
            at += (size_t)snprintf(text + at, LIST_STEPS_TEXT - at, "%s%zu-%zu",
                                   i    ? ","
                                   : at ? " "
                                        : "",
                                   run.edit.ranges[i].from, run.edit.ranges[i].to);
        if (fails) at += (size_t)snprintf(text + at, LIST_STEPS_TEXT - at, "+");
        assert_true(at < LIST_STEPS_TEXT);
        list_tell(&task, &run, fails);
    }
    if (algorithm->release) algorithm->release(run.state);
    list_run_done(&run);
}

static inline void list_assert_steps(const pare_list_algorithm *algorithm, size_t n,
                                     const pare_list_knobs *knobs, const char *outcomes,
                                     const char *expected)
{
    char text[LIST_STEPS_TEXT];
    list_steps(algorithm, n, knobs, outcomes, text);
    assert_string_equal(text, expected);
}

#endif
