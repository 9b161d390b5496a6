/* The view of a reduction without a terminal: what events make of it, what keys ask for. */
/* tests: src/ui/reduce_view_draw.c src/session/event.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <pare/history.h>
#include <pare/reduce.h>

#include "ui/reduce_view.h"
#include "unit/alloc_sweep.h"
#include "unit/support/language.h"
#include "unit/support/scratch.h"

static char screen[64 * 1024]; /* rows, each with a line end, without spaces at their ends */

static void draw(pare_reduce_view *view, unsigned rows, unsigned columns)
{
    pare_grid grid = {.rows = 0};
    size_t n = 0;
    assert_int_equal(pare_grid_clear(&grid, rows, columns, NULL), PARE_OK);
    pare_reduce_view_draw(view, &grid);
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned k = 0; k < columns; k++) {
            const pare_cell *cell = &grid.cells[row * columns + k];
            assert_true(*cell->text == '\0' || (unsigned char)*cell->text >= ' ');
            if (cell->is_rest) continue;
            const size_t size = *cell->text ? strlen(cell->text) : 1;
            memcpy(screen + n, *cell->text ? cell->text : " ", size);
            n += size;
        }
        while (n && screen[n - 1] == ' ')
            n--;
        screen[n++] = '\n';
    }
    screen[n] = '\0';
    pare_grid_done(&grid);
}

static void assert_shows(const char *text)
{
    if (!strstr(screen, text)) fail_msg("no '%s' in:\n%s", text, screen);
}

static void assert_hides(const char *text)
{
    if (strstr(screen, text)) fail_msg("'%s' in:\n%s", text, screen);
}

static void test_reduce_view__tells_how_far_the_input_was_read(void **state)
{
    (void)state;
    pare_reduce_view view = {.name = "big.log", .is_reading = true};
    draw(&view, 10, 60);
    assert_shows(" big.log  0.00 s\nreading the input\n");
    assert_hides("tests");
    const pare_event event = {.kind = PARE_EVENT_READING,
                              .size_bytes = 750000000,
                              .input_bytes = 2000000000,
                              .elapsed_s = 1};
    assert_int_equal(pare_reduce_view_note(&view, &event, NULL), PARE_OK);
    assert_int_equal(pare_reduce_view_look(&view, &event, NULL), PARE_OK);
    draw(&view, 10, 60);
    assert_shows("reading the input: 750 MB of 2.0 GB\n\n\n");
    const pare_event start = {.kind = PARE_EVENT_START,
                              .input_bytes = 2000000000,
                              .best_bytes = 2000000000,
                              .tests_left = UINT64_MAX};
    assert_int_equal(pare_reduce_view_note(&view, &start, NULL), PARE_OK);
    draw(&view, 10, 60);
    assert_shows(" big.log  2.0 GB of 2.0 GB (100 %)  0.00 s  0 tests\ntesting the input\n");
    pare_reduce_view_done(&view);
}

/* ---- a reduction that is watched ----------------------------------------------------------- */

struct watched {
    pare_reduce_view view;
    pare_status status;
    unsigned n_looks;
    bool looks_back; /* now and then, while the run goes on */
};

static pare_outcome needs_x_and_y(void *context, const void *bytes, size_t size)
{
    (void)context;
    return size && memchr(bytes, 'x', size) && memchr(bytes, 'y', size) ? PARE_FAIL : PARE_PASS;
}

/* Looks at every test, so that each change is seen. */
static void watch(void *context, const pare_event *event)
{
    struct watched *self = context;
    if (!self->status) self->status = pare_reduce_view_note(&self->view, event, NULL);
    if (!self->status) self->status = pare_reduce_view_look(&self->view, event, NULL);
    self->n_looks++;
    if (self->looks_back) (void)pare_reduce_view_key(&self->view, self->n_looks % 3 ? '<' : '>');
}

static pare_status reduce(struct watched *watched, const char *input, size_t size)
{
    pare_result result = {0};
    const pare_reduce_options options = {.input.bytes = input,
                                         .input.size_bytes = size,
                                         .test.predicate = needs_x_and_y,
                                         .algorithms = "ddmin",
                                         .units = "line,char",
                                         .limits.jobs = 1,
                                         .output.journal_dir = watched->view.history_path,
                                         .output.history = PARE_ON,
                                         .output.sync = PARE_SYNC_NEVER,
                                         .events.watcher = watch,
                                         .events.context = watched};
    watched->view.name = "in.txt";
    pare_status status = pare_reduce(&options, &result, NULL);
    pare_result_done(&result);
    return status;
}

static const char INPUT[] =
    "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nxyz and some letters\nten\neleven\n"
    "twelve\nthirteen\nfourteen\nfifteen\nsixteen\nseventeen\neighteen\nnineteen\n";

static void test_reduce_view__shows_a_run_on_every_size_of_screen(void **state)
{
    (void)state;
    static const struct {
        unsigned rows, columns;
    } sizes[] = {{10, 60}, {24, 80}, {60, 200}, {1, 1}, {2, 2}, {5, 20}, {300, 500}, {10, 3}};
    struct watched watched = {.n_looks = 0};
    assert_int_equal(reduce(&watched, INPUT, sizeof INPUT - 1), PARE_OK);
    assert_int_equal(watched.status, PARE_OK);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        draw(&watched.view, sizes[k].rows, sizes[k].columns);
        if (k > 2) continue;
        assert_shows(" in.txt  2 bytes of 146 bytes (1.4 %)");
        assert_shows("ddmin/char: ");
        assert_shows("keeping what the test says");
        assert_shows("    1 ");
        assert_shows("xy");
        assert_shows("earned 144 bytes; Ctrl-C keeps this result");
        assert_shows(" s skip  p pause  f end");
    }
    pare_reduce_view_done(&watched.view);
}

static void test_reduce_view__phases_add_up_to_the_run(void **state)
{
    (void)state;
    struct watched watched = {.n_looks = 0};
    assert_int_equal(reduce(&watched, INPUT, sizeof INPUT - 1), PARE_OK);
    uint64_t tests = 0, removed = 0;
    for (size_t k = 0; k < watched.view.n_phases; k++) {
        tests += watched.view.phases[k].tests;
        removed += watched.view.phases[k].removed;
    }
    assert_int_equal(watched.view.n_phases, 2);
    assert_string_equal(watched.view.phases[0].name, "ddmin/line");
    assert_int_equal(removed, sizeof INPUT - 1 - 2);
    assert_int_equal(tests + 1, watched.view.tests); /* the check is in no phase */
    assert_int_equal(pare_reduce_view_earned(&watched.view, UINT64_MAX), removed);
    assert_int_equal(pare_reduce_view_earned(&watched.view, 1), 0);
    (void)pare_reduce_view_key(&watched.view, 't');
    draw(&watched.view, 10, 80);
    assert_shows("PHASE                          TESTS     REMOVED    PER TEST");
    assert_shows("ddmin/line");
    pare_reduce_view_done(&watched.view);
}

static void test_reduce_view__hostile_texts_do_no_harm(void **state)
{
    (void)state;
    /* Escape sequences, no UTF-8, one line of a megabyte, and no text at all. */
    static char long_line[PARE_VIEW_BEST_BYTES + 2000];
    memset(long_line, 'a', sizeof long_line);
    memcpy(long_line + sizeof long_line - 2, "xy", 2);
    static const char escapes[] = "\x1b[2J\x1b]0;title\x07 xy \xff\xfe\x9b"
                                  "31m\r\r\r";
    static const char binary[] = "\0\1\2\3xy\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    static const struct {
        const char *bytes;
        size_t size;
    } texts[] = {
        {escapes, sizeof escapes - 1}, {long_line, sizeof long_line}, {binary, sizeof binary - 1}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct watched watched = {.view.name = "\x1b[31m"};
        pare_event event = {.kind = PARE_EVENT_TEST,
                            .phase = "\x1b[1m",
                            .keeping = "\x1b[0m\xff",
                            .notice = "\x07",
                            .signature = "\x1b]",
                            .tests_left = UINT64_MAX};
        assert_int_equal(pare_reduce_view_note(&watched.view, &event, NULL), PARE_OK);
        assert_int_equal(reduce(&watched, texts[k].bytes, texts[k].size), PARE_OK);
        assert_int_equal(watched.status, PARE_OK);
        draw(&watched.view, 24, 80);
        draw(&watched.view, 60, 200);
        pare_reduce_view_done(&watched.view);
    }
}

/* Of a large input the text comes with the first test, and a notice may be longer than a row. */
static void test_reduce_view__says_no_lines_before_there_is_a_text(void **state)
{
    (void)state;
    static const unsigned columns[] = {60, 80};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        pare_reduce_view view = {.name = "in"};
        memset(view.notice, 'n', sizeof view.notice - 1);
        draw(&view, 24, columns[k]);
        assert_null(strstr(screen, "line 1 of"));
        assert_shows("BEST\n");
        assert_shows("nn...\n");
        (void)snprintf(view.notice, sizeof view.notice, "it fits");
        draw(&view, 24, columns[k]);
        assert_shows("it fits\n");
        pare_reduce_view_done(&view);
    }
}

static void test_reduce_view__clock_goes_on_without_events(void **state)
{
    (void)state;
    pare_reduce_view view = {.name = "in", .is_reading = true};
    view.waited_s = 1.5;
    draw(&view, 10, 60);
    assert_shows(" in  1.5 s\n");
    const pare_event start = {
        .kind = PARE_EVENT_START, .best_bytes = 9, .input_bytes = 9, .elapsed_s = 2};
    assert_int_equal(pare_reduce_view_note(&view, &start, NULL), PARE_OK);
    view.jobs = 1;
    view.slots[0] = (pare_view_slot){.is_busy = true, .test = {.size_bytes = 7, .ms = 500}};
    draw(&view, 10, 60);
    assert_shows("  3.5 s  0 tests\n");
    assert_shows(" 1: 7 bytes, 2.0 s\n");
    const pare_event end = {.kind = PARE_EVENT_END, .input_bytes = 9, .elapsed_s = 3};
    assert_int_equal(pare_reduce_view_note(&view, &end, NULL), PARE_OK);
    draw(&view, 10, 60);
    assert_shows("  3.0 s  0 tests\n");
    pare_reduce_view_done(&view);
}

/* A notice is news for some seconds and some tests, whichever end first. */
static void test_reduce_view__notice_gives_way_to_what_is_earned(void **state)
{
    (void)state;
    pare_reduce_view view = {.name = "in"};
    pare_event event = {.kind = PARE_EVENT_NOTICE,
                        .notice = "the first run is slow",
                        .input_bytes = 9,
                        .best_bytes = 9,
                        .tests_run = 1,
                        .elapsed_s = 3};
    assert_int_equal(pare_reduce_view_note(&view, &event, NULL), PARE_OK);
    draw(&view, 10, 60);
    assert_shows("the first run is slow\n");
    view.waited_s = 30; /* while the second runs */
    draw(&view, 10, 60);
    assert_hides("the first run is slow");
    assert_shows("the last test earned 0 bytes; Ctrl-C keeps this result\n");
    view.waited_s = 0;
    event = (pare_event){.kind = PARE_EVENT_TEST,
                         .input_bytes = 9,
                         .best_bytes = 4,
                         .tests_run = 11,
                         .elapsed_s = 4};
    assert_int_equal(pare_reduce_view_note(&view, &event, NULL), PARE_OK);
    draw(&view, 10, 60);
    assert_shows("the last 11 tests earned 5 bytes; Ctrl-C keeps this result\n");
    event.kind = PARE_EVENT_NOTICE;
    event.notice = "a later one";
    assert_int_equal(pare_reduce_view_note(&view, &event, NULL), PARE_OK);
    draw(&view, 10, 60);
    assert_shows("a later one\n");
    pare_reduce_view_done(&view);
}

/* ---- the last change ------------------------------------------------------------------------- */

/* Has `after` follow `before`. */
static void change(pare_reduce_view *view, const char *before, size_t n_before, const char *after,
                   size_t n_after)
{
    pare_buffer_reset(&view->before);
    pare_buffer_reset(&view->best);
    assert_int_equal(pare_buffer_add(&view->before, before, n_before, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&view->best, after, n_after, NULL), PARE_OK);
    view->best_size = n_after;
    view->is_compared = false;
}

static void test_reduce_view__marks_what_has_changed(void **state)
{
    (void)state;
    static const struct {
        const char *before, *after, *shown;
    } changes[] = {
        {"keep this but not that", "keep this", "    1 keep this[-13]\n"},
        {"a word that goes", "a that goes", "    1 a [-5]that goes\n"},
        {"the first and the second one go here", "the and the one go here",
         "    1 the [-6]and the [-7]one go here\n"},
        {"value = 12345;", "value = 0;", "    1 value = [-5]0;\n"},
        {"same", "same", "    1 same\n"},
    };
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        pare_reduce_view view = {.name = "in"};
        change(&view, changes[k].before, strlen(changes[k].before), changes[k].after,
               strlen(changes[k].after));
        draw(&view, 24, 80);
        assert_shows(changes[k].shown);
        pare_reduce_view_done(&view);
    }
}

/* A line that does not reach 8 columns beyond its change begins a third of the room before it, but not
 * before its own start. */
static void test_reduce_view__a_change_at_the_start_fits_a_narrow_screen(void **state)
{
    static const struct {
        unsigned columns;
        const char *shown;
    } rows[] = {{9, "    1 [->\n"}, {13, "    1 [-1]bc>\n"}, {13, "    2 <pq[-1>\n"}};
    (void)state;
    pare_reduce_view view = {.name = "in"};
    change(&view, "abcdefghij\nklmnopq*rstuvwxyz", 28, "bcdefghij\nklmnopqrstuvwxyz", 26);
    for (unsigned columns = 1; columns < 40; columns++)
        draw(&view, 24, columns);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        draw(&view, 24, rows[k].columns);
        assert_shows(rows[k].shown);
    }
    pare_reduce_view_done(&view);
}

/* The style of the first cell from which on the row shows `text`, which is ASCII. */
static unsigned style_of(const pare_grid *grid, const char *text)
{
    const size_t n = strlen(text);
    for (size_t k = 0; k + n <= (size_t)grid->rows * grid->columns; k++) {
        size_t same = 0;
        while (same < n && grid->cells[k + same].text[0] == text[same])
            same++;
        if (same == n) return grid->cells[k].style;
    }
    fail_msg("no '%s'", text);
    return 0;
}

/* Also at an earlier best, and in a text that is not of the language. */
static void test_reduce_view__highlights_the_best_by_its_language(void **state)
{
    (void)state;
    static const char before[] = "{\"key\": [true, 17, \"gone\"]}",
                      after[] = "{\"key\": [true, 17]}", broken[] = "}\x1b[0m\xff true ]";
    use_build_data();
    if (!has_language("json")) skip();
    pare_reduce_view view = {.name = "in.json", .language = "json"};
    pare_grid grid = {.rows = 0};
    change(&view, before, strlen(before), after, strlen(after));
    assert_int_equal(pare_grid_clear(&grid, 24, 80, NULL), PARE_OK);
    pare_reduce_view_draw(&view, &grid);
    assert_int_equal(style_of(&grid, "key"), PARE_STYLE_TEXT);
    assert_int_equal(style_of(&grid, "true"), PARE_STYLE_WORD);
    assert_int_equal(style_of(&grid, "17"), PARE_STYLE_TEXT);
    assert_int_equal(style_of(&grid, ": ["), PARE_STYLE_PLAIN);
    assert_int_equal(style_of(&grid, "[-8]"), PARE_STYLE_MARK);
    change(&view, after, strlen(after), broken, strlen(broken));
    draw(&view, 24, 80);
    assert_shows("}\\x1b[0m");
    pare_grid_done(&grid);
    pare_reduce_view_done(&view);

    /* A language that is not there changes nothing else. */
    view = (pare_reduce_view){.name = "in.json", .language = "nosuch"};
    change(&view, before, strlen(before), after, strlen(after));
    draw(&view, 24, 80);
    assert_shows("{\"key\": [true, 17[-8]]}");
    pare_reduce_view_done(&view);
}

static void test_reduce_view__shows_the_change_in_a_long_text(void **state)
{
    (void)state;
    char before[20000], after[sizeof before];
    size_t n = 0, m = 0;
    for (unsigned k = 0; k < 1000; k++)
        n += (size_t)snprintf(before + n, sizeof before - n, "line %u\n", k + 1);
    for (unsigned k = 0; k < 1000; k++)
        if (k != 699) m += (size_t)snprintf(after + m, sizeof after - m, "line %u\n", k + 1);
    pare_reduce_view view = {.name = "in"};
    change(&view, before, n, after, m);
    draw(&view, 24, 80);
    assert_shows("last change -9 +0 bytes");
    assert_shows("line 701");
    (void)pare_reduce_view_key(&view, PARE_KEY_HOME);
    draw(&view, 24, 80);
    assert_shows("BEST, line 1 of 999");
    assert_hides("line 701");
    (void)pare_reduce_view_key(&view, PARE_KEY_END);
    draw(&view, 24, 80);
    assert_shows("line 1000\n");
    (void)pare_reduce_view_key(&view, 'c');
    draw(&view, 24, 80);
    assert_shows("line 701");
    pare_reduce_view_done(&view);
}

static void test_reduce_view__steps_back_to_the_input_and_forth(void **state)
{
    (void)state;
    struct watched watched = {.n_looks = 0};
    assert_int_equal(reduce(&watched, INPUT, sizeof INPUT - 1), PARE_OK);
    pare_reduce_view *view = &watched.view;
    const size_t n = view->n_steps;
    assert_true(n > 2 && view->n_gains == n + 1);
    for (size_t k = 1; k <= n; k++) {
        (void)pare_reduce_view_key(view, '<');
        const pare_buffer *text = pare_reduce_view_text(view);
        assert_int_equal(view->back, k);
        assert_int_equal(text->size, view->gains[n - k].bytes);
        draw(view, 24, 80);
        assert_shows("EARLIER BEST");
    }
    assert_memory_equal(pare_reduce_view_text(view)->data, INPUT, sizeof INPUT - 1);
    (void)pare_reduce_view_key(view, PARE_KEY_LEFT); /* there is nothing before the input */
    assert_int_equal(view->back, n);
    for (size_t k = 0; k < n + 1; k++)
        (void)pare_reduce_view_key(view, '>');
    assert_ptr_equal(pare_reduce_view_text(view), &view->best);
    draw(view, 24, 80);
    assert_hides("EARLIER");
    pare_reduce_view_done(view);
}

static void assert_text_is(const pare_reduce_view *view, pare_history *history, size_t n)
{
    const char *bytes;
    size_t size;
    const pare_buffer *text = pare_reduce_view_text(view);
    assert_int_equal(pare_history_text(history, n, &bytes, &size, NULL), PARE_OK);
    assert_int_equal(text->size, size);
    assert_memory_equal(text->data, bytes, size);
}

static void test_reduce_view__steps_through_the_history_on_disk(void **state)
{
    (void)state;
    char title[64];
    pare_history *history = NULL;
    struct watched watched = {.view.history_path = "v.pare"};
    assert_int_equal(reduce(&watched, INPUT, sizeof INPUT - 1), PARE_OK);
    pare_reduce_view *view = &watched.view;
    assert_int_equal(view->n_steps, 0); /* nothing is remembered besides */
    assert_int_equal(pare_history_open("v.pare", &history, NULL), PARE_OK);
    const size_t last = pare_history_steps(history) - 1;
    assert_true(last > 2);
    for (size_t n = last; n-- > 0;) {
        (void)pare_reduce_view_key(view, '<');
        assert_int_equal(view->step, n);
        assert_text_is(view, history, n);
        draw(view, 24, 80);
        (void)snprintf(title, sizeof title, "STEP %zu, line ", n);
        assert_shows(title);
        (void)snprintf(title, sizeof title, "\nstep %zu of %zu: ", n, last);
        assert_shows(title);
        if (n) assert_shows("; its change -");
    }
    assert_shows("\nstep 0 of ");
    assert_int_equal(pare_reduce_view_key(view, 'g'), PARE_VIEW_NOTHING);
    draw(view, 24, 80);
    assert_shows("this is the input; > shows what was found next");
    (void)pare_reduce_view_key(view, '>');
    draw(view, 24, 80);
    assert_shows("g continue from here");
    view->is_paused = true;
    assert_int_equal(pare_reduce_view_key(view, 'g'), PARE_VIEW_RETURN);
    assert_int_equal(view->step, 1);
    assert_false(view->is_paused);
    assert_ptr_equal(pare_reduce_view_text(view), &view->best);
    draw(view, 24, 80);
    assert_shows("continuing from step 1");
    assert_int_equal(pare_reduce_view_key(view, 'g'), PARE_VIEW_NOTHING);
    draw(view, 24, 80);
    assert_shows("< goes back to an earlier best; g continues from there");
    (void)pare_reduce_view_key(view, '<');
    while (view->step)
        (void)pare_reduce_view_key(view, '<');
    draw(view, 24, 80);
    assert_shows(": 146 bytes, test 0; > goes forward");
    (void)pare_reduce_view_key(view, PARE_KEY_LEFT); /* there is nothing before the input */
    assert_int_equal(view->step, 0);
    for (size_t n = 1; n < last; n++) {
        (void)pare_reduce_view_key(view, '>');
        assert_text_is(view, history, n);
    }
    (void)pare_reduce_view_key(view, PARE_KEY_RIGHT); /* the last step is the best */
    assert_ptr_equal(pare_reduce_view_text(view), &view->best);
    assert_null(view->history);
    draw(view, 24, 80);
    assert_hides("STEP");
    pare_history_close(history);
    pare_reduce_view_done(view);
    assert_int_equal(unlink("v.pare/history"), 0);
    (void)pare_reduce_view_key(view, '<');
    draw(view, 24, 80);
    assert_shows("there is no history to look at yet");
    assert_int_equal(rmdir("v.pare"), 0);
}

/* Steps are added to the file while the user looks at one. */
static void test_reduce_view__stays_at_a_step_while_the_run_goes_on(void **state)
{
    (void)state;
    pare_history *history = NULL;
    struct watched watched = {.view.history_path = "v.pare", .looks_back = true};
    assert_int_equal(reduce(&watched, INPUT, sizeof INPUT - 1), PARE_OK);
    pare_reduce_view *view = &watched.view;
    assert_int_equal(pare_history_open("v.pare", &history, NULL), PARE_OK);
    const size_t last = pare_history_steps(history) - 1;
    while (view->back) { /* what came since is there, too */
        assert_text_is(view, history, view->step);
        assert_true(view->step < last);
        (void)pare_reduce_view_key(view, '>');
    }
    assert_text_is(view, history, last);
    pare_history_close(history);
    pare_reduce_view_done(view);
    assert_int_equal(unlink("v.pare/history"), 0);
    assert_int_equal(rmdir("v.pare"), 0);
}

/* ---- keys -------------------------------------------------------------------------------------- */

static void test_reduce_view__keys_ask_for_what_they_say(void **state)
{
    (void)state;
    pare_reduce_view view = {.name = "in"};
    assert_int_equal(pare_reduce_view_key(&view, 's'), PARE_VIEW_SKIP);
    assert_int_equal(pare_reduce_view_key(&view, 'p'), PARE_VIEW_PAUSE);
    draw(&view, 10, 60);
    assert_shows("PAUSED");
    assert_int_equal(pare_reduce_view_key(&view, 'p'), PARE_VIEW_GO_ON);
    assert_int_equal(pare_reduce_view_key(&view, 'f'), PARE_VIEW_FINISH);
    assert_int_equal(pare_reduce_view_key(&view, 'b'), PARE_VIEW_PAGER);
    assert_int_equal(pare_reduce_view_key(&view, 'o'), PARE_VIEW_OUTPUT);
    const pare_event event = {.kind = PARE_EVENT_TEST, .printed = "a\x1b[2J\nb"};
    assert_int_equal(pare_reduce_view_note(&view, &event, NULL), PARE_OK);
    draw(&view, 10, 60);
    assert_shows("a\\x1b[2J\nb\n");
    assert_int_equal(pare_reduce_view_key(&view, 'o'), PARE_VIEW_NOTHING);
    assert_int_equal(pare_reduce_view_key(&view, 'v'), PARE_VIEW_CLOSE);
    assert_int_equal(pare_reduce_view_key(&view, '?'), PARE_VIEW_NOTHING);
    draw(&view, 24, 80);
    assert_shows("end this phase");
    assert_int_equal(pare_reduce_view_key(&view, PARE_KEY_ESCAPE), PARE_VIEW_NOTHING);
    assert_int_equal(pare_reduce_view_key(&view, 'X'), PARE_VIEW_NOTHING);
    draw(&view, 10, 60);
    assert_shows("this key does nothing; ? lists the keys");
    pare_reduce_view_done(&view);
}

static void test_reduce_view__slots_stand_beside_each_other(void **state)
{
    (void)state;
    pare_reduce_view view = {.name = "in", .jobs = 5};
    for (size_t k = 0; k < 5; k++)
        view.slots[k] = (pare_view_slot){
            .is_busy = k != 2, .test = {.size_bytes = 100 + k, .ms = 250, .given_up = k == 4}};
    draw(&view, 24, 80);
    assert_shows("\n 1: 100 bytes, 0.25 s              2: 101 bytes, 0.25 s\n"
                 " 4: 103 bytes, 0.25 s              5: 104 bytes, 0.25 s, given up\n");
    pare_reduce_view_done(&view);
}

static void test_reduce_view__machines_stand_before_the_slots(void **state)
{
    (void)state;
    pare_reduce_view view = {.name = "in"};
    pare_event event = {.kind = PARE_EVENT_PROGRESS,
                        .jobs = 2,
                        .slots_busy = 9,
                        .machines = 3,
                        .machine_slots = 12};
    assert_int_equal(pare_reduce_view_note(&view, &event, NULL), PARE_OK);
    view.slots[13] = (pare_view_slot){.is_busy = true, .test = {.size_bytes = 100, .ms = 250}};
    draw(&view, 24, 80);
    assert_shows("\n9/14 busy on 4 machines           14: 100 bytes, 0.25 s\n");
    draw(&view, 10, 60); /* one cell is left for them */
    assert_shows("\n9/14 busy on 4 machines\n");
    assert_hides("14: 100 bytes");
    event = (pare_event){.kind = PARE_EVENT_PROGRESS, .jobs = 2};
    assert_int_equal(pare_reduce_view_note(&view, &event, NULL), PARE_OK);
    draw(&view, 24, 80);
    assert_hides("machines");
    pare_reduce_view_done(&view);
}

static pare_status watch_once(void *context)
{
    (void)context;
    struct watched watched = {.n_looks = 0};
    pare_status status = reduce(&watched, INPUT, sizeof INPUT - 1);
    if (!status) status = watched.status;
    pare_reduce_view_done(&watched.view);
    return status;
}

/* Two steps back; without memory for one, something else is shown. */
static pare_status step_once(void *context)
{
    const size_t *last = context;
    pare_reduce_view view = {.history_path = "v.pare", .best_size = 2};
    pare_status status = pare_buffer_text(&view.best, "xy", NULL);
    for (size_t k = 0; !status && k < 2; k++)
        (void)pare_reduce_view_key(&view, '<');
    const bool is_shown = view.history && view.step == *last - 2;
    pare_reduce_view_done(&view);
    return !status && is_shown ? PARE_OK : PARE_E_NOMEM;
}

static void test_reduce_view__survives_every_failed_allocation(void **state)
{
    (void)state;
    struct watched watched = {.view.history_path = "v.pare"};
    sweep_allocations(watch_once, NULL);
    assert_int_equal(reduce(&watched, INPUT, sizeof INPUT - 1), PARE_OK);
    assert_int_equal(watched.view.best.size, 2);
    assert_memory_equal(watched.view.best.data, "xy", 2);
    size_t last = watched.view.n_gains - 1;
    pare_reduce_view_done(&watched.view);
    sweep_allocations(step_once, &last);
    assert_int_equal(unlink("v.pare/history"), 0);
    assert_int_equal(rmdir("v.pare"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce_view__shows_a_run_on_every_size_of_screen),
        cmocka_unit_test(test_reduce_view__tells_how_far_the_input_was_read),
        cmocka_unit_test(test_reduce_view__phases_add_up_to_the_run),
        cmocka_unit_test(test_reduce_view__hostile_texts_do_no_harm),
        cmocka_unit_test(test_reduce_view__says_no_lines_before_there_is_a_text),
        cmocka_unit_test(test_reduce_view__clock_goes_on_without_events),
        cmocka_unit_test(test_reduce_view__notice_gives_way_to_what_is_earned),
        cmocka_unit_test(test_reduce_view__marks_what_has_changed),
        cmocka_unit_test(test_reduce_view__a_change_at_the_start_fits_a_narrow_screen),
        cmocka_unit_test(test_reduce_view__highlights_the_best_by_its_language),
        cmocka_unit_test(test_reduce_view__shows_the_change_in_a_long_text),
        cmocka_unit_test(test_reduce_view__steps_back_to_the_input_and_forth),
        cmocka_unit_test(test_reduce_view__steps_through_the_history_on_disk),
        cmocka_unit_test(test_reduce_view__stays_at_a_step_while_the_run_goes_on),
        cmocka_unit_test(test_reduce_view__keys_ask_for_what_they_say),
        cmocka_unit_test(test_reduce_view__slots_stand_beside_each_other),
        cmocka_unit_test(test_reduce_view__machines_stand_before_the_slots),
        cmocka_unit_test(test_reduce_view__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
