/* `pare fuzz top` without a terminal: what keys do to the store and to what is shown. */
/* tests: src/ui/fuzz_top_screen.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ui/fuzz_top.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

enum { ROWS = 12, COLUMNS = 80 };

static char screen[ROWS][COLUMNS * 4 + 1];
static int chosen_row;

static void take(void *context, unsigned row, const pare_fuzz_top_line *line)
{
    (void)context;
    assert_true(row < ROWS);
    assert_true(line->size < sizeof screen[row]);
    for (size_t k = 0; k < line->size; k++)
        assert_true((unsigned char)line->text[k] >= ' ');
    memcpy(screen[row], line->text, line->size);
    screen[row][line->size] = '\0';
    if (line->is_chosen) chosen_row = (int)row;
}

/* Reads and draws. */
static void look(pare_fuzz_top *top)
{
    chosen_row = -1;
    assert_int_equal(pare_fuzz_top_read(top, NULL), PARE_OK);
    pare_fuzz_top_screen_draw(top, ROWS, COLUMNS, take, NULL);
}

static bool shows(const char *text)
{
    for (unsigned k = 0; k < ROWS; k++)
        if (strstr(screen[k], text)) return true;
    return false;
}

static bool press(pare_fuzz_top *top, int key)
{
    bool quit = false;
    assert_int_equal(pare_fuzz_top_key(top, key, &quit, NULL), PARE_OK);
    look(top);
    return quit;
}

static void type(pare_fuzz_top *top, const char *text)
{
    for (; *text; text++)
        (void)press(top, (unsigned char)*text);
    (void)press(top, PARE_KEY_ENTER);
}

/* Findings 1 .. n, in this order. */
static pare_store *make_store(const char *path, unsigned n)
{
    static char identities[64][48], inputs[64][24];
    pare_store *store = new_store(path);
    for (unsigned k = 0; k < n; k++) {
        (void)snprintf(identities[k], sizeof identities[k], "signal SIGSEGV; frame \"f%u\"", k + 1);
        (void)snprintf(inputs[k], sizeof inputs[k], "input %u", k + 1);
        pare_failure failure = failure_of(identities[k], inputs[k]);
        add_failure(store, &failure);
    }
    return store;
}

static void test_fuzz_top__an_empty_store_is_shown(void **state)
{
    (void)state;
    pare_store *store = new_store("empty.db");
    pare_fuzz_top top = {.store = store};
    look(&top);
    assert_true(shows("nothing yet"));
    assert_int_equal(chosen_row, -1);
    (void)press(&top, 'r');
    assert_true(shows("choose a finding first"));
    (void)press(&top, PARE_KEY_ENTER);
    assert_int_equal(top.mode, PARE_FUZZ_TOP_LIST);
    assert_true(press(&top, 'q'));
    pare_fuzz_top_done(&top);
    pare_store_close(store);
}

/* Of 60 columns: how to leave and what the keys are is seen, and no line of the help is cut. */
static void test_fuzz_top__a_narrow_screen_says_how_to_leave(void **state)
{
    (void)state;
    enum { NARROW = 60 };
    pare_store *store = new_store("narrow.db");
    pare_fuzz_top top = {.store = store};
    look(&top);
    pare_fuzz_top_screen_draw(&top, ROWS, NARROW, take, NULL);
    assert_true(shows("? keys  q quit") && shows("0 findings"));
    for (int key = '?', line = 0; line < 16; key = 'j', line++) {
        (void)press(&top, key);
        for (unsigned k = 0; k < ROWS; k++)
            assert_true(k == 0 || strlen(screen[k]) <= NARROW);
    }
    pare_fuzz_top_done(&top);
    pare_store_close(store);
}

static void test_fuzz_top__the_cursor_stays_with_a_finding(void **state)
{
    (void)state;
    pare_store *store = make_store("cursor.db", 20);
    pare_fuzz_top top = {.store = store, .ascending = true};
    look(&top);
    assert_int_equal(chosen_row, 2);
    for (unsigned k = 0; k < 9; k++)
        (void)press(&top, PARE_KEY_DOWN);
    assert_int_equal(top.lists[PARE_FUZZ_TOP_FINDINGS].chosen, 10);
    assert_int_equal(chosen_row, ROWS - 3);
    (void)press(&top, 'S');
    assert_int_equal(top.lists[PARE_FUZZ_TOP_FINDINGS].chosen, 10);
    assert_true(chosen_row >= 2);
    (void)press(&top, PARE_KEY_END);
    assert_int_equal(top.lists[PARE_FUZZ_TOP_FINDINGS].chosen, 1);
    (void)press(&top, PARE_KEY_HOME);
    assert_int_equal(top.lists[PARE_FUZZ_TOP_FINDINGS].chosen, 20);
    (void)press(&top, PARE_KEY_UP);
    assert_int_equal(top.lists[PARE_FUZZ_TOP_FINDINGS].chosen, 20);
    pare_fuzz_top_done(&top);
    pare_store_close(store);
}

static pare_status count_job(void *context, const pare_job *job, pare_error *err)
{
    unsigned *n = context;
    (void)err;
    n[job->kind]++;
    assert_int_equal(job->finding, 2);
    return PARE_OK;
}

static void test_fuzz_top__keys_ask_for_jobs(void **state)
{
    (void)state;
    pare_store *store = make_store("jobs.db", 3);
    pare_fuzz_top top = {.store = store, .ascending = true};
    unsigned n[PARE_JOB_N_KINDS] = {0};
    look(&top);
    (void)press(&top, PARE_KEY_DOWN);
    (void)press(&top, 'r');
    assert_true(shows("no campaign is running"));
    (void)press(&top, 'v');
    (void)press(&top, 'R');
    type(&top, "reports");
    assert_int_equal(pare_store_jobs(store, false, 0, count_job, n, NULL), PARE_OK);
    assert_int_equal(n[PARE_JOB_REDUCE], 1);
    assert_int_equal(n[PARE_JOB_VALIDATE], 1);
    assert_int_equal(n[PARE_JOB_REPORT], 1);
    (void)press(&top, PARE_KEY_TAB);
    assert_true(shows("reduce"));
    assert_true(shows("waiting"));
    (void)press(&top, 'x');
    assert_true(shows("will end"));
    pare_fuzz_top_done(&top);
    pare_store_close(store);
}

static void test_fuzz_top__findings_are_marked_noted_and_filtered(void **state)
{
    (void)state;
    pare_store *store = make_store("mark.db", 3);
    pare_fuzz_top top = {.store = store, .ascending = true};
    pare_finding finding;
    look(&top);
    (void)press(&top, 'm');
    type(&top, "nonsense");
    assert_true(shows("is not a state"));
    (void)press(&top, 'm');
    type(&top, "invalix\x7f");
    (void)press(&top, 'm');
    (void)press(&top, 'i');
    (void)press(&top, PARE_KEY_BACKSPACE);
    type(&top, "invalid");
    (void)press(&top, 'n');
    type(&top, "look at q");
    assert_int_equal(pare_store_finding(store, 1, &finding, NULL), PARE_OK);
    assert_int_equal(finding.state, PARE_FINDING_INVALID);
    assert_string_equal(finding.note, "look at q");
    pare_finding_done(&finding);
    (void)press(&top, '/');
    type(&top, "f3");
    assert_int_equal(top.lists[PARE_FUZZ_TOP_FINDINGS].n, 1);
    assert_int_equal(top.lists[PARE_FUZZ_TOP_FINDINGS].chosen, 3);
    (void)press(&top, '/');
    (void)press(&top, 'z');
    (void)press(&top, PARE_KEY_ESCAPE);
    assert_int_equal(top.lists[PARE_FUZZ_TOP_FINDINGS].n, 1);
    (void)press(&top, '/');
    type(&top, "");
    assert_int_equal(top.lists[PARE_FUZZ_TOP_FINDINGS].n, 3);
    pare_fuzz_top_done(&top);
    pare_store_close(store);
}

static void test_fuzz_top__a_finding_is_looked_at(void **state)
{
    (void)state;
    pare_store *store = make_store("view.db", 2);
    pare_fuzz_top top = {.store = store, .ascending = true};
    look(&top);
    (void)press(&top, PARE_KEY_DOWN);
    (void)press(&top, PARE_KEY_ENTER);
    assert_true(shows("finding 2"));
    (void)press(&top, PARE_KEY_DOWN);
    assert_int_equal(top.page_first, 1);
    (void)press(&top, 'v');
    assert_true(shows("finding 2: job"));
    assert_false(press(&top, 'q'));
    assert_int_equal(top.mode, PARE_FUZZ_TOP_LIST);
    /* It is forgotten by somebody else between two keys. */
    assert_int_equal(pare_store_delete(store, 2, NULL), PARE_OK);
    bool quit = false;
    assert_int_equal(pare_fuzz_top_key(&top, PARE_KEY_ENTER, &quit, NULL), PARE_OK);
    assert_int_equal(top.mode, PARE_FUZZ_TOP_LIST);
    look(&top);
    assert_int_equal(top.lists[PARE_FUZZ_TOP_FINDINGS].chosen, 1);
    pare_fuzz_top_done(&top);
    pare_store_close(store);
}

/* Lines are cut by characters, not in the middle of one. */
static void test_fuzz_top__lines_are_cut_between_characters(void **state)
{
    (void)state;
    assert_int_equal(pare_fuzz_top_screen_cut("a\xc3\xa4z", 4, 0), 0);
    assert_int_equal(pare_fuzz_top_screen_cut("a\xc3\xa4z", 4, 1), 1);
    assert_int_equal(pare_fuzz_top_screen_cut("a\xc3\xa4z", 4, 2), 3);
    assert_int_equal(pare_fuzz_top_screen_cut("a\xc3\xa4z", 4, 3), 4);
    assert_int_equal(pare_fuzz_top_screen_cut("a\xc3\xa4z", 4, 99), 4);
}

/* No byte of a character stands alone: not at the end of what fits, nor without its first. */
static void test_fuzz_top__what_is_typed_is_whole_characters(void **state)
{
    static const char *const characters[] = {"x", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x90\x9f"};
    (void)state;
    pare_store *store = make_store("typed.db", 1);
    for (size_t before = 0; before < 4; before++) {
        for (size_t k = 0; k < 4; k++) {
            pare_fuzz_top top = {.store = store};
            const size_t size = strlen(characters[k]);
            bool quit = false;
            look(&top);
            (void)press(&top, '/');
            (void)press(&top, 0xa4);
            for (size_t i = 0; i < before; i++)
                assert_int_equal(pare_fuzz_top_key(&top, 'a', &quit, NULL), PARE_OK);
            for (size_t i = 0; i < 200 * size; i++)
                assert_int_equal(
                    pare_fuzz_top_key(&top, (unsigned char)characters[k][i % size], &quit, NULL),
                    PARE_OK);
            assert_int_equal((top.typed.size - before) % size, 0);
            assert_true(top.typed.size > 100 && top.typed.size <= 120);
            pare_fuzz_top_done(&top);
        }
    }
    pare_store_close(store);
}

/* What another program asked for is in the title, and the first press continues. */
static void test_fuzz_top__a_pause_of_another_program_is_known(void **state)
{
    (void)state;
    pare_store *store = new_store("other.db");
    pare_fuzz_top top = {.store = store};
    look(&top);
    assert_false(top.paused);
    assert_int_equal(pare_store_pause(store, 0, true, NULL), PARE_OK);
    look(&top);
    assert_true(top.paused);
    (void)press(&top, 'p');
    assert_true(shows("fuzzing continues"));
    assert_false(top.paused);
    pare_fuzz_top_done(&top);
    pare_store_close(store);
}

static void test_fuzz_top__pausing_is_asked_for(void **state)
{
    (void)state;
    pare_store *store = new_store("pause.db");
    pare_fuzz_top top = {.store = store};
    look(&top);
    (void)press(&top, 'p');
    assert_true(shows("fuzzing is paused"));
    (void)press(&top, 'p');
    assert_true(shows("fuzzing continues"));
    (void)press(&top, '?');
    assert_true(shows("show the chosen finding"));
    (void)press(&top, PARE_KEY_ESCAPE);
    assert_int_equal(top.mode, PARE_FUZZ_TOP_LIST);
    pare_fuzz_top_done(&top);
    pare_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fuzz_top__an_empty_store_is_shown),
        cmocka_unit_test(test_fuzz_top__a_narrow_screen_says_how_to_leave),
        cmocka_unit_test(test_fuzz_top__the_cursor_stays_with_a_finding),
        cmocka_unit_test(test_fuzz_top__keys_ask_for_jobs),
        cmocka_unit_test(test_fuzz_top__findings_are_marked_noted_and_filtered),
        cmocka_unit_test(test_fuzz_top__a_finding_is_looked_at),
        cmocka_unit_test(test_fuzz_top__lines_are_cut_between_characters),
        cmocka_unit_test(test_fuzz_top__what_is_typed_is_whole_characters),
        cmocka_unit_test(test_fuzz_top__a_pause_of_another_program_is_known),
        cmocka_unit_test(test_fuzz_top__pausing_is_asked_for),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
