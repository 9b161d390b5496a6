/* What is known of a reduction that goes on, and what keys do to the view of it.
 *
 * Everything is taken from events, so a recorded run shows the same again.  Phases are counted by what has
 * happened between their announcements; the curve is the list of gains, of which there is one
 * for each success, so it is never larger than the journal.
 *
 * What has changed from one best to the next is found by going through both from the left: where
 * they differ, the next bytes of the new one are looked for further on in the old one, which is where a
 * deletion ends; where they are not found, the new byte is one that was written.  That is not the
 * smallest difference, but costs O(bytes) for what reductions do, which is to delete.
 * Invariant: cuts ascend, and none reaches beyond the best that can be looked at.
 *
 * Earlier bests are read from the history on disk, in the order in which it numbers them, and the
 * change that is shown is that from the one each was made of.  It is read again where its end is come
 * to, since the run goes on.  Where a run keeps none, the last bests are remembered as edits. */
#include "ui/reduce_view.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

/* Of the comparison of two bests: bytes that have to be the same again, and how far off
 * they are looked for.  Of a notice: after how many tests, or seconds, it is no news
 * any more. */
enum { SYNC_BYTES = 12, REACH_BYTES = 1 << 16, NOTICE_TESTS = 10, NOTICE_S = 20 };

static void say(pare_reduce_view *view, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the message, which the next key takes away. */
static void say(pare_reduce_view *view, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(view->message, sizeof view->message, format, arguments);
    va_end(arguments);
}

void pare_reduce_view_done(pare_reduce_view *view)
{
    pare_alloc_free(view->phases);
    pare_alloc_free(view->gains);
    pare_buffer_done(&view->best);
    pare_buffer_done(&view->before);
    pare_buffer_done(&view->gone);
    pare_buffer_done(&view->shown);
    pare_buffer_done(&view->shown_before);
    pare_highlighter_free(view->highlighter);
    pare_alloc_free(view->colors);
    pare_alloc_free(view->steps);
    pare_history_close(view->history);
    /* Back to the beginning: what the caller has set stays, as it is borrowed. */
    *view = (pare_reduce_view){.name = view->name,
                               .history_path = view->history_path,
                               .language = view->language,
                               .charset = view->charset};
}

/* ---- figures --------------------------------------------------------------------------- */

/* A run that begins again counts from nothing; what was remembered of its bests stays. */
static void begin_run(pare_reduce_view *view)
{
    view->n_phases = view->n_gains = view->n_others = 0;
    view->notice_s = 0;
    view->notice_tests = 0;
    view->current = 0;
    view->phase_tests = 0;
    view->phase_bytes = 0;
    *view->phase = '\0';
    view->ended = view->is_skipping = false;
    view->is_best_old = true;
}

/* Adds what happened since it was counted last to the phase in progress.  Events do not
 * say what a phase has done; the tests and bytes between its announcement and the next
 * one do. */
static void count_phase(pare_reduce_view *view)
{
    if (view->current < view->n_phases) {
        pare_view_phase *phase = &view->phases[view->current];
        phase->tests += view->tests - view->phase_tests;
        /* An uphill search may grow what it began with, never the best. */
        if (view->best_bytes < view->phase_bytes)
            phase->removed += view->phase_bytes - view->best_bytes;
    }
    view->phase_tests = view->tests;
    view->phase_bytes = view->best_bytes;
}

/* Makes the announced phase the current one: the entry of its name, or a new one, as
 * phases come again. */
static pare_status begin_phase(pare_reduce_view *view, pare_error *err)
{
    for (view->current = 0; view->current < view->n_phases; view->current++)
        if (strcmp(view->phases[view->current].name, view->phase) == 0) break;
    if (view->current == view->n_phases) {
        pare_view_phase *phases =
            pare_vector_grow(view->phases, view->n_phases, &view->phases_capacity, sizeof *phases);
        if (!phases) return pare_fail_nomem(err);
        view->phases = phases;
        phases[view->n_phases] = (pare_view_phase){.tests = 0};
        memcpy(phases[view->n_phases++].name, view->phase, sizeof view->phase);
    }
    view->phases[view->current].runs++;
    view->is_skipping = false;
    return PARE_OK;
}

/* Adds a point to the curve, if the best has another size than at the last one. */
static pare_status add_gain(pare_reduce_view *view, pare_error *err)
{
    if (view->n_gains && view->gains[view->n_gains - 1].bytes == view->best_bytes) return PARE_OK;
    pare_view_gain *gains =
        pare_vector_grow(view->gains, view->n_gains, &view->gains_capacity, sizeof *gains);
    if (!gains) return pare_fail_nomem(err);
    view->gains = gains;
    gains[view->n_gains++] = (pare_view_gain){view->tests, view->seconds, view->best_bytes};
    return PARE_OK;
}

/* Counts a failure that is not the one that is kept.  Names of other failures are the
 * program's, so they are kept as they are and drawn as bytes; what is longer than its
 * field is cut first, or it would not be found again.  After PARE_VIEW_OTHERS of them,
 * new ones are left out. */
static void add_other(pare_reduce_view *view, const char *signature, size_t bytes)
{
    char name[sizeof view->others[0].signature];
    (void)snprintf(name, sizeof name, "%s", signature);
    size_t k = 0;
    while (k < view->n_others && strcmp(view->others[k].signature, name) != 0)
        k++;
    if (k == PARE_VIEW_OTHERS) return;
    pare_view_other *other = &view->others[k];
    if (k == view->n_others) {
        view->n_others++;
        memcpy(other->signature, name, sizeof name);
        other->least_bytes = bytes;
    }
    other->tests++;
    if (bytes < other->least_bytes) other->least_bytes = bytes;
}

/* A notice stays until the next one, or until it is no news
 * (pare_reduce_view_is_noticed). */
static void take_notice(pare_reduce_view *view, const pare_event *event)
{
    if (!event->notice || !*event->notice) return;
    (void)snprintf(view->notice, sizeof view->notice, "%s", event->notice);
    view->notice_s = event->elapsed_s;
    view->notice_tests = event->tests_run;
}

/* The order matters: the figures are those after the event, so they are counted to the
 * phase that was current until then, before a phase that is announced by it becomes the
 * current one. */
pare_status pare_reduce_view_note(pare_reduce_view *view, const pare_event *event, pare_error *err)
{
    pare_status status = PARE_OK;
    view->input_bytes = event->input_bytes;
    view->seconds = event->elapsed_s;
    view->read_bytes = event->size_bytes;
    view->is_reading = event->kind == PARE_EVENT_READING;
    /* While the input is read, the other fields of an event say nothing yet. */
    if (view->is_reading) return PARE_OK;
    if (event->kind == PARE_EVENT_START) begin_run(view);
    if (event->best_bytes != view->best_bytes) view->is_best_old = true;
    view->best_bytes = event->best_bytes;
    view->tests = event->tests_run;
    view->tests_left = event->tests_left;
    view->jobs = event->jobs;
    view->slots_busy = event->slots_busy;
    view->machines = event->machines;
    view->machine_slots = event->machine_slots;
    view->ended = event->kind == PARE_EVENT_END;
    if (event->accepted) view->is_best_old = true;
    if (event->keeping) (void)snprintf(view->keeping, sizeof view->keeping, "%s", event->keeping);
    take_notice(view, event);
    /* The same text comes with each event until another test was asked for. */
    if (event->printed && strncmp(view->printed, event->printed, sizeof view->printed - 1) != 0) {
        (void)snprintf(view->printed, sizeof view->printed, "%s", event->printed);
        /* Its end says most.  As far down as there is; the drawing makes of it the last
         * page. */
        if (view->page == PARE_VIEW_PRINTED) view->first = SIZE_MAX / 2;
    }
    (void)snprintf(view->next_phase, sizeof view->next_phase, "%s",
                   event->next_phase ? event->next_phase : "");
    status = add_gain(view, err);
    if (event->kind == PARE_EVENT_TEST && event->signature)
        add_other(view, event->signature, event->size_bytes);
    count_phase(view);
    if (!status && event->kind == PARE_EVENT_PHASE && event->phase) {
        (void)snprintf(view->phase, sizeof view->phase, "%s", event->phase);
        status = begin_phase(view, err);
    }
    return status;
}

double pare_reduce_view_now(const pare_reduce_view *view)
{
    return view->ended ? view->seconds : view->seconds + view->waited_s;
}

/* Whichever ends first: of slow tests ten take minutes. */
bool pare_reduce_view_is_noticed(const pare_reduce_view *view)
{
    return *view->notice && view->tests < view->notice_tests + NOTICE_TESTS &&
           pare_reduce_view_now(view) < view->notice_s + NOTICE_S;
}

/* Of gains after 0, 120 and 300 tests, and 320 tests now, the last 100 have earned what
 * lies between the sizes at 120 and at 300: the last gain that came before the window
 * decides, and the input counts as one. */
size_t pare_reduce_view_earned(const pare_reduce_view *view, uint64_t tests)
{
    const uint64_t since = view->tests > tests ? view->tests - tests : 0;
    size_t k = view->n_gains;
    while (k > 1 && view->gains[k - 1].tests > since)
        k--;
    return k ? view->gains[k - 1].bytes - view->gains[view->n_gains - 1].bytes : 0;
}

/* ---- the best ----------------------------------------------------------------------------- */

/* Where the old text goes on with the next bytes of the new one; `size` if nowhere
 * near.  Many bytes are looked for far away; few only nearby, where it is less likely
 * that they are others that look the same. */
static size_t resume(const unsigned char *old, size_t size, const unsigned char *fresh, size_t left)
{
    static const struct {
        size_t bytes, reach;
    } tries[] = {{SYNC_BYTES, REACH_BYTES}, {SYNC_BYTES / 3, REACH_BYTES / 256}};
    for (size_t k = 0; left && k < sizeof tries / sizeof *tries; k++) {
        const size_t n = left < tries[k].bytes ? left : tries[k].bytes;
        const unsigned char *found =
            memmem(old, size < tries[k].reach ? size : tries[k].reach, fresh, n);
        if (found) return (size_t)(found - old);
    }
    return size;
}

/* Adds a cut.  One that touches the last is made part of it: "-3" and then a new byte
 * at the same place are one change to a reader.  After PARE_VIEW_CUTS the rest is not
 * marked. */
static void add_cut(pare_reduce_view *view, size_t at, size_t gone, size_t fresh)
{
    pare_view_cut *last = view->n_cuts ? &view->cuts[view->n_cuts - 1] : NULL;
    assert((!last || last->at + last->fresh <= at) && "cuts come in the order of the text");
    if (last && last->at + last->fresh == at) {
        last->gone += gone;
        last->fresh += fresh;
    } else if (view->n_cuts < PARE_VIEW_CUTS) {
        view->cuts[view->n_cuts++] = (pare_view_cut){at, gone, fresh};
    }
}

/* By how many bytes a deletion of `gone` bytes may as well begin earlier: at the
 * beginning of a line, if it can, which is where it is expected; 0 if not.  At most
 * `most`, and not into the cut before it.
 * Of "f(1)\nf(2)\n" without its first line, a comparison from the left finds "1)\nf("
 * gone after "f(".  It is the same deletion one byte earlier, as long as the byte
 * before it is also the last byte of what went. */
static size_t slide(const pare_reduce_view *view, const unsigned char *old,
                    const unsigned char *fresh, size_t gone, size_t most)
{
    const pare_view_cut *last = view->n_cuts ? &view->cuts[view->n_cuts - 1] : NULL;
    const size_t end = last ? last->at + last->fresh : 0;
    const unsigned char *text = (const unsigned char *)pare_reduce_view_text(view)->data;
    const size_t k = (size_t)(fresh - text);
    assert(end <= k && most <= k);
    if (most > k - end) most = k - end;
    size_t n = 0;
    while (n < most && fresh[-1 - (ptrdiff_t)n] != '\n' &&
           old[-1 - (ptrdiff_t)n] == old[(ptrdiff_t)gone - 1 - (ptrdiff_t)n])
        n++;
    return n == k || fresh[-1 - (ptrdiff_t)n] == '\n' ? n : 0;
}

/* Sets `colors` for the text that is shown.  Colours are a help and not the point: where they cannot
 * be had, the text is shown without them. */
static void highlight(pare_reduce_view *view)
{
    const pare_buffer *text = pare_reduce_view_text(view);
    pare_alloc_free(view->colors);
    view->colors = NULL;
    if (!view->language || !text->size || text->size > PARE_VIEW_COLOR_BYTES) return;
    if (!view->highlighter && pare_highlighter_new(view->language, &view->highlighter, NULL)) {
        view->language = NULL;
        return;
    }
    view->colors = pare_alloc_zero(text->size, sizeof *view->colors);
    if (!view->colors ||
        !pare_highlighter_run(view->highlighter, text->data, text->size, view->colors, NULL))
        return;
    pare_alloc_free(view->colors);
    view->colors = NULL;
}

/* See the opening comment for how.  Works on the text that is shown and the one before
 * it, both of which may be cut at PARE_VIEW_BEST_BYTES: then what is missing at the end
 * of the new one was not deleted. */
void pare_reduce_view_compare(pare_reduce_view *view)
{
    if (view->is_compared) return;
    view->is_compared = true;
    highlight(view);
    const pare_buffer *text = pare_reduce_view_text(view);
    const pare_buffer *before = view->back ? &view->shown_before : &view->before;
    const unsigned char *old = (const unsigned char *)before->data;
    const unsigned char *fresh = (const unsigned char *)text->data;
    const size_t n_old = before->size, n = text->size;
    size_t i = 0, k = 0;
    view->n_cuts = 0;
    while (k < n && n_old) {
        if (i < n_old && old[i] == fresh[k]) {
            i++, k++;
            continue;
        }
        /* Found: old[i .. i + gone) was deleted.  Not found: the new byte was written,
         * in the place of one of the old text if there is one. */
        const size_t gone = resume(old + i, n_old - i, fresh + k, n - k);
        if (i + gone < n_old) {
            add_cut(view, k - slide(view, old + i, fresh + k, gone, i < k ? i : k), gone, 0);
            i += gone;
        } else {
            add_cut(view, k, i < n_old, 1);
            k++;
            i += i < n_old;
        }
    }
    if (i < n_old && n == (view->back ? view->shown_size : view->best_size))
        add_cut(view, n, n_old - i, 0);
}

/* ---- earlier bests, as they were remembered ------------------------------------------------ */

const pare_buffer *pare_reduce_view_text(const pare_reduce_view *view)
{
    return view->back ? &view->shown : &view->best;
}

/* Remembers how the best became what it is, from `before`: one edit, between the common
 * start and the common end.  Steps are kept without a gap, so a best that is too large,
 * or has none before it, ends them all. */
static pare_status add_step(pare_reduce_view *view, pare_error *err)
{
    const char *old = view->before.data, *fresh = view->best.data;
    const size_t n_old = view->before.size, n = view->best.size;
    pare_view_step step = {.from = view->gone.size};
    if (n_old > PARE_VIEW_STEP_BYTES || n > PARE_VIEW_STEP_BYTES || !n_old) {
        view->n_steps = view->back = 0;
        pare_buffer_reset(&view->gone);
        return PARE_OK;
    }
    const size_t least = n_old < n ? n_old : n;
    size_t tail = 0;
    while (step.at < least && old[step.at] == fresh[step.at])
        step.at++;
    while (tail < least - step.at && old[n_old - tail - 1] == fresh[n - tail - 1])
        tail++;
    step.gone = n_old - step.at - tail;
    step.fresh = n - step.at - tail;
    if (!step.gone && !step.fresh) return PARE_OK;
    pare_view_step *steps =
        pare_vector_grow(view->steps, view->n_steps, &view->steps_capacity, sizeof *steps);
    if (!steps) return pare_fail_nomem(err);
    view->steps = steps;
    pare_status status =
        step.gone ? pare_buffer_add(&view->gone, old + step.at, step.gone, err) : PARE_OK;
    if (status) return status;
    steps[view->n_steps++] = step;
    /* Who looks at an earlier one goes on looking at that. */
    if (view->back) view->back++;
    return PARE_OK;
}

/* A buffer that nothing was added to has no bytes to point to. */
static pare_status add_part(pare_buffer *to, const pare_buffer *from, size_t at, size_t size)
{
    return size ? pare_buffer_add(to, from->data + at, size, NULL) : PARE_OK;
}

/* Undoes the last of the first `n` steps: *text becomes what was before it. */
static pare_status undo(const pare_reduce_view *view, size_t n, pare_buffer *text)
{
    const pare_view_step *step = &view->steps[n - 1];
    pare_buffer before = {0};
    pare_status status = add_part(&before, text, 0, step->at);
    if (!status) status = add_part(&before, &view->gone, step->from, step->gone);
    const size_t rest = step->at + step->fresh;
    if (!status) status = add_part(&before, text, rest, text->size - rest);
    if (status) {
        pare_buffer_done(&before);
        return status;
    }
    pare_buffer_done(text);
    *text = before;
    return PARE_OK;
}

/* Shows the text `back` steps ago, and the one before it to compare with.  It is made
 * anew of the best by undoing step after step: O(steps * bytes).  Without memory it
 * stays at the best. */
static void go_to(pare_reduce_view *view, size_t back)
{
    pare_status status = PARE_OK;
    view->back = back < view->n_steps ? back : view->n_steps;
    view->is_compared = view->is_scrolled = false;
    if (!view->back) return;
    pare_buffer_reset(&view->shown);
    status = add_part(&view->shown, &view->best, 0, view->best.size);
    const size_t n = view->n_steps - view->back;
    for (size_t k = view->n_steps; !status && k > n; k--)
        status = undo(view, k, &view->shown);
    pare_buffer_reset(&view->shown_before);
    if (!status) status = add_part(&view->shown_before, &view->shown, 0, view->shown.size);
    if (!status && n) status = undo(view, n, &view->shown_before);
    /* Steps are kept of small texts only, so all of it is shown. */
    view->shown_size = view->shown.size;
    if (status) view->back = 0;
    say(view, "%s", status ? "there is no memory for that" : "");
    if (view->back)
        say(view, "%zu best%s back of %zu; > goes forward", view->back, view->back == 1 ? "" : "s",
            view->n_steps);
}

/* ---- earlier bests, as they are on disk ------------------------------------------------------ */

/* Ends the look back. */
static void return_to_best(pare_reduce_view *view)
{
    pare_history_close(view->history);
    view->history = NULL;
    view->back = 0;
    view->is_compared = view->is_scrolled = false;
}

/* Makes *to as much of step `n` as is looked at; *size is that of all of it. */
static pare_status read_step(pare_reduce_view *view, size_t n, pare_buffer *to, size_t *size)
{
    const char *bytes;
    pare_buffer_reset(to);
    const pare_status status = pare_history_text(view->history, n, &bytes, size, NULL);
    if (status || !*size) return status;
    return pare_buffer_add(to, bytes, *size < PARE_VIEW_BEST_BYTES ? *size : PARE_VIEW_BEST_BYTES,
                           NULL);
}

/* Shows step `n`, which there is.  What cannot be read ends the look back. */
static void show_step(pare_reduce_view *view, size_t n)
{
    char size[PARE_FORMAT_BYTES], test[PARE_FORMAT_BYTES];
    const size_t last = pare_history_steps(view->history) - 1;
    pare_history_step step = {.from = 0};
    size_t ignored;
    (void)pare_history_step_at(view->history, n, &step);
    pare_buffer_reset(&view->shown_before);
    /* In this order the second text costs one edit, since each step is kept as what it
     * changes in the one it was made of. */
    pare_status status = n ? read_step(view, step.from, &view->shown_before, &ignored) : PARE_OK;
    if (!status) status = read_step(view, n, &view->shown, &view->shown_size);
    if (status) {
        return_to_best(view);
        say(view, "%s",
            status == PARE_E_NOMEM ? "there is no memory for that" : "that step cannot be read");
        return;
    }
    view->step = n;
    /* How far back it is: 1 for the last step, which need not be the best any more. */
    view->back = last - n + 1;
    view->is_compared = view->is_scrolled = false;
    say(view, "step %zu of %zu: %s, test %s%s%.24s; > goes forward", n, last,
        pare_format_size(size, step.size_bytes), pare_format_count(test, step.test),
        *step.phase ? ", " : "", step.phase);
}

/* Reads the history as it is now, since the run adds to it.  False: it cannot be read,
 * and the best is shown. */
static bool read_history(pare_reduce_view *view)
{
    pare_history *fresh = NULL;
    if (pare_history_open(view->history_path, &fresh, NULL)) {
        return_to_best(view);
        say(view, "there is no history to look at yet");
        return false;
    }
    pare_history_close(view->history);
    view->history = fresh;
    return true;
}

/* Whether step `n` is the best that the view has.  As much of it as the view has is
 * compared. */
static bool is_best(pare_reduce_view *view, size_t n)
{
    const char *bytes;
    size_t size;
    if (pare_history_text(view->history, n, &bytes, &size, NULL) || size != view->best_size)
        return false;
    return !view->best.size || memcmp(bytes, view->best.data, view->best.size) == 0;
}

/* The first step back is to the one before the best, which the history may have as its
 * last step, or not yet. */
static void step_back(pare_reduce_view *view)
{
    if (!view->history_path) {
        go_to(view, view->back + 1);
    } else if (view->history) {
        show_step(view, view->step - (view->step > 0));
    } else if (read_history(view)) {
        const size_t last = pare_history_steps(view->history) - 1;
        show_step(view, last && is_best(view, last) ? last - 1 : last);
    }
}

/* From the last step on it goes to the best, also if that is the same text. */
static void step_forth(pare_reduce_view *view)
{
    const size_t next = view->step + 1;
    if (!view->history_path) {
        go_to(view, view->back - (view->back > 0));
        return;
    }
    if (!view->history) return;
    /* More of them may have been found since. */
    if (next + 1 >= pare_history_steps(view->history) && !read_history(view)) return;
    const size_t n = pare_history_steps(view->history);
    if (next >= n || (next + 1 == n && is_best(view, next)))
        return_to_best(view);
    else
        show_step(view, next);
}

/* Looks at what events only hint at; called less often than they come, since the best
 * is copied.
 * An event that came before the input was tested has no best: it is looked for again. */
pare_status pare_reduce_view_look(pare_reduce_view *view, const pare_event *event, pare_error *err)
{
    const unsigned n_slots = event->jobs + event->machine_slots + event->machines;
    for (unsigned k = 0; k < PARE_VIEW_SLOTS; k++)
        view->slots[k].is_busy = k < n_slots && pare_event_slot(event, k, &view->slots[k].test);
    if (!view->is_best_old) return PARE_OK;
    const size_t size = pare_event_best(event, NULL, 0);
    /* Before the input was tested there is none. */
    view->is_best_old = !size;
    const size_t shown = size < PARE_VIEW_BEST_BYTES ? size : PARE_VIEW_BEST_BYTES;
    /* The buffers change places, so that none is allocated for each best. */
    const pare_buffer before = view->before;
    view->before = view->best;
    view->best = before;
    pare_buffer_reset(&view->best);
    pare_status status = pare_buffer_reserve(&view->best, shown + 1, err);
    if (status) return status;
    (void)pare_event_best(event, view->best.data, shown);
    view->best.size = shown;
    view->best_size = size;
    /* Who looks at an earlier best sees no other text now, and it need not be compared
     * again. */
    view->is_compared = view->is_compared && view->back;
    return view->history_path ? PARE_OK : add_step(view, err);
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* Moves the top of the text; the drawing keeps it within the text.  False: the key does
 * not scroll. */
static bool scroll(pare_reduce_view *view, int key)
{
    const size_t page = view->rows > 1 ? view->rows - 1 : 1;
    switch (key) {
    case PARE_KEY_UP:
    case 'k': view->first -= view->first > 0; break;
    case PARE_KEY_DOWN:
    case 'j': view->first++; break;
    case PARE_KEY_PAGE_UP: view->first -= view->first < page ? view->first : page; break;
    case PARE_KEY_PAGE_DOWN:
    case ' ': view->first += page; break;
    case PARE_KEY_HOME: view->first = 0; break;
    case PARE_KEY_END: view->first = SIZE_MAX / 2; break;
    default: return false;
    }
    view->is_scrolled = true;
    return true;
}

/* Opens a page, or closes it if it is open; pages begin at their top. */
static void turn_to(pare_reduce_view *view, pare_view_page page)
{
    view->page = view->page == page ? PARE_VIEW_MAIN : page;
    view->is_scrolled = view->page != PARE_VIEW_MAIN;
    view->first = 0;
}

static pare_view_wish pause_or_go_on(pare_reduce_view *view)
{
    view->is_paused = !view->is_paused;
    say(view, "%s", view->is_paused ? "paused; p continues" : "");
    return view->is_paused ? PARE_VIEW_PAUSE : PARE_VIEW_GO_ON;
}

/* The reduction is to go on from the step that is looked at; who shows the view reads
 * `step`.  Of the input there is nothing to go on from that the run did not begin with. */
static pare_view_wish go_on_from(pare_reduce_view *view)
{
    if (!view->history_path)
        say(view, "this run keeps no history to go back in");
    else if (!view->history)
        say(view, "< goes back to an earlier best; g continues from there");
    else if (!view->step)
        say(view, "this is the input; > shows what was found next");
    else {
        return_to_best(view);
        say(view, "continuing from step %zu", view->step);
        view->is_paused = false;
        return PARE_VIEW_RETURN;
    }
    return PARE_VIEW_NOTHING;
}

/* The key's effect on the view is done here; what it asks of the reduction, or of the
 * terminal, is returned. */
pare_view_wish pare_reduce_view_key(pare_reduce_view *view, int key)
{
    view->message[0] = '\0';
    if (scroll(view, key)) return PARE_VIEW_NOTHING;
    switch (key) {
    /* That the phase has ended is only known with the next event. */
    case 's':
        view->is_skipping = true;
        say(view, "%.40s was ended; what it found is kept", view->phase);
        return PARE_VIEW_SKIP;
    case 'p': return pause_or_go_on(view);
    case 'f':
        view->is_finishing = true;
        say(view, "finishing with the best so far");
        return PARE_VIEW_FINISH;
    case 'g': return go_on_from(view);
    case 'b': return PARE_VIEW_PAGER;
    case 'v':
    case 'q': return PARE_VIEW_CLOSE;
    case '<':
    case ',':
    case PARE_KEY_LEFT: step_back(view); return PARE_VIEW_NOTHING;
    case '>':
    case '.':
    case PARE_KEY_RIGHT: step_forth(view); return PARE_VIEW_NOTHING;
    case 'c': view->is_scrolled = false; return PARE_VIEW_NOTHING;
    case 'o':
        /* What another test printed is not shown for the one that is asked for. */
        turn_to(view, PARE_VIEW_PRINTED);
        view->printed[0] = '\0';
        return view->page == PARE_VIEW_PRINTED ? PARE_VIEW_OUTPUT : PARE_VIEW_NOTHING;
    case 't': turn_to(view, PARE_VIEW_LIST); return PARE_VIEW_NOTHING;
    case '?':
    case 'h': turn_to(view, PARE_VIEW_HELP); return PARE_VIEW_NOTHING;
    case PARE_KEY_ESCAPE: turn_to(view, PARE_VIEW_MAIN); return PARE_VIEW_NOTHING;
    default: say(view, "this key does nothing; ? lists the keys"); return PARE_VIEW_NOTHING;
    }
}
