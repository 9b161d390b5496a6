/* Candidates in a folder: each once, under its number and outcome; what cannot be written is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/candidates.h"
#include "unit/support/scratch.h"

static pare_event event_of(uint64_t n, const char *text)
{
    return (pare_event){.kind = PARE_EVENT_TEST,
                        .n = n,
                        .outcome = PARE_FAIL,
                        .text = text,
                        .text_bytes = text ? strlen(text) : 0};
}

static void test_candidates__are_written_once_under_number_and_outcome(void **state)
{
    (void)state;
    pare_candidates *candidates = NULL;
    pare_event event = event_of(12, "one\n");
    assert_int_equal(pare_candidates_open("all", ".c", &candidates, NULL), PARE_OK);
    pare_candidates_add(candidates, &event);
    event = event_of(13, "one\n");
    event.is_repeated = true;
    pare_candidates_add(candidates, &event);
    event = event_of(14, "");
    event.outcome = PARE_PASS;
    pare_candidates_add(candidates, &event);
    pare_candidates_add(candidates, &(pare_event){.kind = PARE_EVENT_NOTICE, .notice = "x"});
    assert_int_equal(pare_candidates_close(candidates, NULL), PARE_OK);
    assert_file_holds("all/000012-FAIL.c", "one\n");
    assert_file_holds("all/000014-PASS.c", "");
    assert_int_equal(count_entries("all"), 2);
}

static void test_candidates__need_a_folder(void **state)
{
    (void)state;
    pare_candidates *candidates = NULL;
    scratch_write("file", "", 0644);
    assert_int_equal(pare_candidates_open("file", "", &candidates, NULL), PARE_E_IO);
    assert_int_equal(pare_candidates_open("no/folder", "", &candidates, NULL), PARE_E_IO);
    assert_null(candidates);
}

static void test_candidates__that_cannot_be_written_are_told_at_the_end(void **state)
{
    (void)state;
    pare_candidates *candidates = NULL;
    pare_error err = {0};
    pare_event event = event_of(1, "one\n");
    assert_int_equal(pare_candidates_open("gone", ".c", &candidates, NULL), PARE_OK);
    assert_int_equal(rmdir("gone"), 0);
    pare_candidates_add(candidates, &event);
    assert_int_equal(pare_candidates_close(candidates, &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "gone/000001-FAIL.c"));
}

static void test_candidates__without_a_text_memory_was_out(void **state)
{
    (void)state;
    pare_candidates *candidates = NULL;
    pare_event event = event_of(1, NULL);
    assert_int_equal(pare_candidates_open("few", "", &candidates, NULL), PARE_OK);
    pare_candidates_add(candidates, &event);
    assert_int_equal(pare_candidates_close(candidates, NULL), PARE_E_NOMEM);
    assert_int_equal(count_entries("few"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_candidates__are_written_once_under_number_and_outcome),
        cmocka_unit_test(test_candidates__need_a_folder),
        cmocka_unit_test(test_candidates__that_cannot_be_written_are_told_at_the_end),
        cmocka_unit_test(test_candidates__without_a_text_memory_was_out),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
