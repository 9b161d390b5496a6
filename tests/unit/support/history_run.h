/* A run that is made up, and its history in "h.pare".  Include after <cmocka.h>. */
#ifndef PARE_TESTS_HISTORY_RUN_H
#define PARE_TESTS_HISTORY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/history.h>

#include "session/output/history_log.h"
#include "unit/support/scratch.h"

/* Of every run that is made up; a test may set its own. */
static const char *history_note = "a note";

/* Opens the history in the folder "h.pare" of a run over `input`. */
static inline void open_log(pare_history_log *log, const char *input, size_t size, bool is_continued)
{
    pare_text *text = NULL;
    assert_int_equal(pare_file_make_directories("h.pare", NULL), PARE_OK);
    assert_int_equal(pare_text_copy(input, size, &text, NULL), PARE_OK);
    *log = (pare_history_log){.is_continued = is_continued, .note = history_note};
    assert_int_equal(pare_history_log_open(log, "h.pare", PARE_SYNC_NEVER, NULL, text, NULL),
                     PARE_OK);
    pare_text_unref(text);
}

static inline pare_status note(pare_history_log *log, const char *best, size_t size, uint64_t test,
                        bool is_result)
{
    pare_text *text = NULL;
    pare_candidate candidate = {0};
    const pare_history_facts facts = {.test = test,
                                      .ms = 10 * test,
                                      .bytes = size,
                                      .phase = test % 2 ? "ddmin/line" : "words",
                                      .is_result = is_result};
    assert_int_equal(pare_text_copy(best, size, &text, NULL), PARE_OK);
    pare_candidate_start(&candidate, text);
    assert_int_equal(pare_candidate_slice(&candidate, 0, size, NULL), PARE_OK);
    pare_status status = pare_history_log_note(log, &candidate, &facts, NULL);
    pare_candidate_done(&candidate);
    pare_text_unref(text);
    return status;
}

static const char *const BESTS[] = {"one two three four\n", "one three four\n", "three four\n",
                                    "three\n", "th\n"};
enum { N_BESTS = sizeof BESTS / sizeof *BESTS };

static inline void note_bests(pare_history_log *log, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        assert_int_equal(note(log, BESTS[k], strlen(BESTS[k]), k, false), PARE_OK);
}

static inline void write_history(void)
{
    pare_history_log log;
    open_log(&log, BESTS[0], strlen(BESTS[0]), false);
    note_bests(&log, 0, N_BESTS);
    pare_history_log_close(&log);
}

static inline pare_history *open_history(void)
{
    pare_history *history = NULL;
    pare_error err = {0};
    if (pare_history_open("h", &history, &err)) fail_msg("%s", err.message);
    return history;
}

static inline void assert_step_is(pare_history *history, size_t n, const char *wanted)
{
    const char *bytes = NULL;
    size_t size = 0;
    assert_int_equal(pare_history_text(history, n, &bytes, &size, NULL), PARE_OK);
    assert_int_equal(size, strlen(wanted));
    assert_string_equal(bytes, wanted);
}

static inline void remove_history(void)
{
    assert_int_equal(pare_file_remove_tree("h.pare", NULL), PARE_OK);
}

#endif
