/* What `pare fuzz top` shows, and what its keys do.
 *
 * Each list is text with a row for each entry; the cursor is the entry's number and not its place, so it
 * stays with a finding when new ones come above it.  Reading anew costs the store's queries, below
 * 100 ms with 100,000 failing tests of 200 findings (bench/bench_store.c).  Text from the outside
 * reaches the lines through pare_sheet_name only, so nothing can steer the terminal.
 *
 * Invariant: `chosen` of each list is the number of one of its rows, or 0 when there is none. */
#include "ui/fuzz_top.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "ui/finding_list.h"
#include "ui/format.h"

/* Columns where the fields of rows begin, in characters from 0; put_head of
 * fuzz_top_screen.c has the headings for them.  SHOWN_JOBS are read of the store,
 * TYPED_MOST bytes fit the prompt. */
enum { SHOWN_JOBS = 100, TYPED_MOST = 120, STATE_COLUMN = 6, KIND_COLUMN = 14 };
enum { COUNT_COLUMN = 17, SIZE_COLUMN = 25, TITLE_COLUMN = 38 };
enum { WHAT_COLUMN = 24, DETAIL_COLUMN = 42 };

static const char HELP[] = "Tab        the next list: findings, jobs, sources\n"
                           "Up, Down   choose; also k and j, PgUp, PgDn, Home, End\n"
                           "Enter      show the chosen finding; Escape or q goes back\n"
                           "r  v       reduce, validate the chosen finding\n"
                           "R          report it: to a folder, github, gitlab,\n"
                           "           bugzilla, a [report] section\n"
                           "m          mark it: new, reduced, reported, fixed,\n"
                           "           regressed, invalid\n"
                           "n          write a note on it\n"
                           "/          show only findings with a text; empty: all\n"
                           "s  S       sort by another column, the other way round\n"
                           "p          pause fuzzing, or a chosen job; again: continue\n"
                           "x          cancel the chosen job\n"
                           "a          jobs: also those that have ended\n"
                           "q          quit; the campaign continues\n";

static void say(pare_fuzz_top *top, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the message of the screen's last line but one; it stays until the next key. */
static void say(pare_fuzz_top *top, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(top->message, sizeof top->message, format, arguments);
    va_end(arguments);
}

void pare_fuzz_top_done(pare_fuzz_top *top)
{
    for (size_t k = 0; k < PARE_FUZZ_TOP_N_PANELS; k++) {
        pare_sheet_done(&top->lists[k].text);
        pare_alloc_free(top->lists[k].rows);
    }
    pare_sheet_done(&top->page);
    pare_buffer_done(&top->typed);
    pare_buffer_done(&top->search);
}

/* ---- lists -------------------------------------------------------------------------- */

/* Makes the text since `from`, which is one line and its end, a row; the row does not
 * have the line end.
 * Errors: PARE_E_NOMEM, also for a text that could not be added before. */
static pare_status add_row(pare_fuzz_top_list *list, size_t from, int64_t id, pare_style style,
                           pare_error *err)
{
    if (list->text.status) return pare_fail_nomem(err);
    if (list->n == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        pare_fuzz_top_row *rows = pare_alloc_resize(list->rows, capacity, sizeof *rows);
        if (!rows) return pare_fail_nomem(err);
        list->rows = rows;
        list->capacity = capacity;
    }
    const size_t end = list->text.bytes.size;
    assert(end > from && list->text.bytes.data[end - 1] == '\n' && "a row is one line");
    list->rows[list->n++] =
        (pare_fuzz_top_row){.from = from, .size = end - from - 1, .id = id, .style = style};
    return PARE_OK;
}

/* The cursor and the first row that is shown stay, to be found again in what is read
 * next. */
static void empty(pare_fuzz_top_list *list)
{
    pare_sheet_reset(&list->text);
    list->n = 0;
}

/* Place of the chosen row; when that has gone, of the first. */
static size_t chosen_at(const pare_fuzz_top_list *list)
{
    for (size_t k = 0; k < list->n; k++)
        if (list->rows[k].id == list->chosen) return k;
    return 0;
}

static void choose(pare_fuzz_top_list *list, size_t at)
{
    list->chosen = at < list->n ? list->rows[at].id : 0;
}

static pare_style style_of(pare_finding_state state)
{
    switch (state) {
    case PARE_FINDING_NEW: return PARE_STYLE_FRESH;
    case PARE_FINDING_REGRESSED: return PARE_STYLE_BAD;
    case PARE_FINDING_REDUCED:
    case PARE_FINDING_REPORTED: return PARE_STYLE_GOOD;
    default: return PARE_STYLE_DIM;
    }
}

/* A callback of pare_store_findings.  The fields of pare_finding_list_row but for the
 * time, for which a screen has no room. */
static pare_status add_finding(void *context, const pare_finding *finding, pare_error *err)
{
    pare_fuzz_top_list *list = context;
    pare_sheet *text = &list->text;
    char number[PARE_FORMAT_BYTES];
    const size_t from = text->bytes.size;
    pare_sheet_format(text, "%5lld", (long long)finding->id);
    pare_sheet_pad(text, STATE_COLUMN);
    pare_sheet_raw(text, pare_finding_state_name(finding->state));
    pare_sheet_pad(text, COUNT_COLUMN);
    pare_sheet_format(text, "%7s", pare_format_count(number, finding->count));
    pare_sheet_pad(text, SIZE_COLUMN);
    pare_sheet_raw(text, pare_format_count(number, finding->input_bytes));
    if (*finding->reduced)
        pare_sheet_format(text, " > %s", pare_format_count(number, finding->reduced_bytes));
    pare_sheet_pad(text, TITLE_COLUMN);
    pare_sheet_name(text, finding->title);
    pare_sheet_raw(text, " (");
    pare_sheet_name(text, finding->target);
    pare_sheet_raw(text, ")\n");
    return add_row(list, from, finding->id, style_of(finding->state), err);
}

/* A callback of pare_store_jobs: "   12 reduce   running   finding 3         40 %
 * PROGRESS". */
static pare_status add_job(void *context, const pare_job *job, pare_error *err)
{
    pare_fuzz_top_list *list = context;
    pare_sheet *text = &list->text;
    const size_t from = text->bytes.size;
    pare_sheet_format(text, "%5lld", (long long)job->id);
    pare_sheet_pad(text, STATE_COLUMN);
    pare_sheet_raw(text, pare_job_kind_name(job->kind));
    pare_sheet_pad(text, KIND_COLUMN + 1);
    pare_sheet_raw(text, pare_job_state_name(job->state));
    pare_sheet_pad(text, WHAT_COLUMN + 1);
    /* A job of fuzzing has no finding; it is told by what makes its inputs, or by its
     * target. */
    if (job->finding)
        pare_sheet_format(text, "finding %lld", (long long)job->finding);
    else
        pare_sheet_name(text, *job->source ? job->source : job->target);
    pare_sheet_pad(text, DETAIL_COLUMN);
    /* Negative: how far it is cannot be told. */
    if (job->done >= 0 && job->state == PARE_JOB_RUNNING)
        pare_sheet_format(text, "%3.0f %%  ", 100 * job->done);
    pare_sheet_name(text, job->progress);
    pare_sheet_raw(text, "\n");
    const pare_style style = job->state == PARE_JOB_RUNNING  ? PARE_STYLE_FRESH
                             : job->state == PARE_JOB_FAILED ? PARE_STYLE_BAD
                             : job->state == PARE_JOB_DONE   ? PARE_STYLE_DIM
                                                             : PARE_STYLE_PLAIN;
    return add_row(list, from, job->id, style, err);
}

/* A callback of pare_store_statistics_each.  It also sums up what the title says, of
 * which pare_fuzz_top_read has made 0.  Sources have no number in the store, so the
 * row's place is its id. */
static pare_status add_source(void *context, const pare_store_statistics *of, pare_error *err)
{
    pare_fuzz_top *top = context;
    pare_fuzz_top_list *list = &top->lists[PARE_FUZZ_TOP_SOURCES];
    pare_sheet *text = &list->text;
    char number[PARE_FORMAT_BYTES];
    const size_t from = text->bytes.size;
    pare_sheet_name(text, of->source);
    pare_sheet_pad(text, KIND_COLUMN);
    pare_sheet_name(text, of->target);
    pare_sheet_pad(text, WHAT_COLUMN + 4);
    pare_sheet_format(text, "%12s", pare_format_count(number, of->tests));
    pare_sheet_format(text, "%9s", pare_format_rate(number, (uint64_t)(of->tests_per_s + 0.5), 1));
    pare_sheet_format(text, "%9s", pare_format_count(number, of->failures));
    pare_sheet_format(text, "%7s", pare_format_count(number, of->findings));
    pare_sheet_format(text, "%9s", pare_format_count(number, of->edges));
    pare_sheet_raw(text, "\n");
    top->tests += of->tests;
    top->failures += of->failures;
    top->edges += of->edges;
    top->tests_per_s += of->tests_per_s;
    return add_row(list, from, (int64_t)list->n + 1, PARE_STYLE_PLAIN, err);
}

/* ---- one finding --------------------------------------------------------------------- */

/* Makes the page of the finding that is viewed.  Errors: PARE_E_STATE (it has gone),
 * those of the store, PARE_E_NOMEM. */
static pare_status read_page(pare_fuzz_top *top, pare_error *err)
{
    pare_finding finding = {0};
    pare_sheet_reset(&top->page);
    pare_status status = pare_store_finding(top->store, top->viewed, &finding, err);
    if (!status) status = pare_finding_list_show(&top->page, top->store, &finding, err);
    pare_finding_done(&finding);
    if (!status && top->page.status) status = pare_fail_nomem(err);
    return status;
}

/* After a failure the lists are what had been read until then, and may be drawn. */
pare_status pare_fuzz_top_read(pare_fuzz_top *top, pare_error *err)
{
    int64_t since = 0;
    const pare_finding_filter filter = {.search = top->search.size ? top->search.data : NULL,
                                        .order = top->order,
                                        .descending = !top->ascending};
    for (size_t k = 0; k < PARE_FUZZ_TOP_N_PANELS; k++)
        empty(&top->lists[k]);
    top->tests = top->failures = top->edges = 0;
    top->tests_per_s = 0;
    pare_status status = pare_store_is_running(top->store, &top->running, &since, err);
    if (!status) status = pare_store_is_paused(top->store, &top->paused, err);
    if (!status)
        status = pare_store_workers(top->store, &top->n_workers, &top->n_worker_slots, err);
    if (!status)
        status = pare_store_findings(top->store, &filter, add_finding,
                                     &top->lists[PARE_FUZZ_TOP_FINDINGS], err);
    if (!status)
        status = pare_store_jobs(top->store, top->all_jobs, SHOWN_JOBS, add_job,
                                 &top->lists[PARE_FUZZ_TOP_JOBS], err);
    if (!status) status = pare_store_statistics_each(top->store, add_source, top, err);
    /* Without the filter: the title counts all findings, whatever is shown. */
    if (!status)
        status =
            pare_store_count_findings(top->store, &(pare_finding_filter){0}, &top->n_findings, err);
    /* The row under the cursor may have gone.  Also after a failure, so that the
     * invariant holds. */
    for (size_t k = 0; k < PARE_FUZZ_TOP_N_PANELS; k++)
        choose(&top->lists[k], chosen_at(&top->lists[k]));
    if (!status && top->mode == PARE_FUZZ_TOP_VIEW) status = read_page(top, err);
    return status;
}

/* ---- what keys ask of the store --------------------------------------------------------- */

/* The finding that a key is about; 0 with a message: none. */
static int64_t chosen_finding(pare_fuzz_top *top)
{
    int64_t id = top->mode == PARE_FUZZ_TOP_VIEW        ? top->viewed
                 : top->panel == PARE_FUZZ_TOP_FINDINGS ? top->lists[PARE_FUZZ_TOP_FINDINGS].chosen
                                                        : 0;
    if (!id) say(top, "choose a finding first");
    return id;
}

/* A request that the store refuses (it is about nothing that is there, or comes at the
 * wrong time) is told in the message, and the program goes on.  Any other error is the
 * caller's, and ends it. */
static pare_status tell(pare_fuzz_top *top, pare_status status, pare_error *err)
{
    if (status != PARE_E_STATE && status != PARE_E_ARG && status != PARE_E_BUSY) return status;
    pare_error told = err ? *err : (pare_error){0};
    say(top, "%s", told.message);
    if (err) *err = (pare_error){0};
    return PARE_OK;
}

/* Puts a job about the chosen finding into the store.  It is done by the campaign, here
 * or elsewhere, so the message tells whether there is one. */
static pare_status request(pare_fuzz_top *top, pare_job_kind kind, const char *detail,
                           pare_error *err)
{
    int64_t job = 0, id = chosen_finding(top);
    if (!id) return PARE_OK;
    pare_status status = pare_store_request(top->store, kind, id, detail, &job, err);
    if (!status)
        say(top, "finding %lld: job %lld (%s) %s", (long long)id, (long long)job,
            pare_job_kind_name(kind),
            top->running ? "is next" : "waits: no campaign is running; 'pare fuzz run' starts one");
    return tell(top, status, err);
}

/* The job under the cursor, or 0 in the other lists. */
static int64_t chosen_job(const pare_fuzz_top *top)
{
    const bool is_jobs = top->mode == PARE_FUZZ_TOP_LIST && top->panel == PARE_FUZZ_TOP_JOBS;
    return is_jobs ? top->lists[PARE_FUZZ_TOP_JOBS].chosen : 0;
}

/* A callback of pare_store_jobs: of the job whose number *context has, the state. */
static pare_status find_state(void *context, const pare_job *job, pare_error *err)
{
    pare_job *wanted = context;
    (void)err;
    if (job->id == wanted->id) wanted->state = job->state;
    return PARE_OK;
}

/* Pauses or continues the chosen job, or fuzzing as a whole where none is chosen.  A
 * job's state is read from the store at that moment, among the jobs that are shown; of fuzzing as a
 * whole it is what the title says, which another program may have asked for. */
static pare_status toggle_pause(pare_fuzz_top *top, pare_error *err)
{
    pare_job job = {.id = chosen_job(top)};
    pare_status status = PARE_OK;
    if (job.id)
        status = pare_store_jobs(top->store, top->all_jobs, SHOWN_JOBS, find_state, &job, err);
    const bool pause = job.id ? job.state != PARE_JOB_PAUSED : !top->paused;
    if (!status) status = pare_store_pause(top->store, job.id, pause, err);
    if (!status && !job.id) top->paused = pause;
    if (!status && job.id)
        say(top, "job %lld %s", (long long)job.id, pause ? "will pause" : "continues");
    else if (!status)
        say(top, "%s", pause ? "fuzzing is paused; p continues" : "fuzzing continues");
    return tell(top, status, err);
}

/* Asks for the end of the chosen job; the campaign ends it. */
static pare_status cancel(pare_fuzz_top *top, pare_error *err)
{
    const int64_t id = chosen_job(top);
    if (!id) {
        say(top, "choose a job first: Tab shows them");
        return PARE_OK;
    }
    pare_status status = pare_store_cancel(top->store, id, err);
    if (!status) say(top, "job %lld will end", (long long)id);
    return tell(top, status, err);
}

/* Changes the chosen finding; `done` is told of it: "finding 3 DONE". */
static pare_status edit(pare_fuzz_top *top, const pare_finding_edit *wanted, const char *done,
                        pare_error *err)
{
    const int64_t id = chosen_finding(top);
    if (!id) return PARE_OK;
    pare_status status = pare_store_edit(top->store, id, wanted, err);
    if (!status) say(top, "finding %lld %s", (long long)id, done);
    return tell(top, status, err);
}

/* MERGED is not set by hand: it takes another finding, which nobody could name here. */
static pare_status mark(pare_fuzz_top *top, const char *name, pare_error *err)
{
    pare_finding_edit wanted = {.set_state = true};
    if (!pare_finding_state_find(name, &wanted.state) || wanted.state == PARE_FINDING_MERGED) {
        char shown[PARE_FORMAT_BYTES];
        say(top, "'%s' is not a state: use new, reduced, reported, fixed, regressed or invalid",
            pare_format_name(shown, sizeof shown, name));
        return PARE_OK;
    }
    return edit(top, &wanted, "is marked", err);
}

/* ---- the line that is typed into ----------------------------------------------------------- */

/* Only the filter needs no finding.  Without one the prompt does not open, and
 * chosen_finding has told why. */
static void open_prompt(pare_fuzz_top *top, pare_fuzz_top_prompt prompt)
{
    if (prompt != PARE_FUZZ_TOP_FILTER && !chosen_finding(top)) return;
    top->prompt = prompt;
    pare_buffer_reset(&top->typed);
}

/* Does what the prompt was opened for.  It is closed before, so that a refusal shows in
 * its place.  An empty filter shows all findings again, an empty note takes the note
 * away. */
static pare_status finish_prompt(pare_fuzz_top *top, pare_error *err)
{
    const char *typed = top->typed.size ? top->typed.data : "";
    const pare_fuzz_top_prompt prompt = top->prompt;
    assert(prompt != PARE_FUZZ_TOP_NO_PROMPT);
    top->prompt = PARE_FUZZ_TOP_NO_PROMPT;
    switch (prompt) {
    case PARE_FUZZ_TOP_FILTER:
        pare_buffer_reset(&top->search);
        return pare_buffer_text(&top->search, typed, err);
    case PARE_FUZZ_TOP_MARK: return mark(top, typed, err);
    case PARE_FUZZ_TOP_NOTE:
        return edit(top, &(pare_finding_edit){.note = typed}, "has the note", err);
    case PARE_FUZZ_TOP_REPORT:
        if (*typed) return request(top, PARE_JOB_REPORT, typed, err);
        say(top, "nothing was reported: no destination was named");
        return PARE_OK;
    default: return PARE_OK;
    }
}

/* How many bytes a character of UTF-8 has that begins with this one; 0: it continues one. */
static size_t size_of_character(unsigned char first)
{
    return first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* Whether one more byte fits the prompt: the first of a character only if the others will fit as well,
 * and those only behind their first, so that none is cut. */
static bool fits(const pare_buffer *typed, unsigned char byte)
{
    size_t n = 0, size = size_of_character(byte);
    if (size) return typed->size + size <= TYPED_MOST;
    while (n < typed->size && !size)
        size = size_of_character((unsigned char)typed->data[typed->size - ++n]);
    return n < size;
}

/* A key while the prompt is open.  Keys come as bytes, so a character of several bytes
 * is as many keys. */
static pare_status type(pare_fuzz_top *top, int key, pare_error *err)
{
    pare_buffer *typed = &top->typed;
    if (key == PARE_KEY_ENTER) return finish_prompt(top, err);
    if (key == PARE_KEY_ESCAPE) top->prompt = PARE_FUZZ_TOP_NO_PROMPT;
    if (key == PARE_KEY_BACKSPACE && typed->size) {
        /* The last character, with all of its bytes. */
        do
            typed->size--;
        /* 10xxxxxx: a byte that continues a character of UTF-8. */
        while (typed->size && ((unsigned char)typed->data[typed->size] & 0xC0) == 0x80);
        typed->data[typed->size] = '\0';
    }
    assert(typed->size <= TYPED_MOST);
    if (key < ' ' || key > 0xFF || key == 0x7F || !fits(typed, (unsigned char)key)) return PARE_OK;
    const char byte = (char)key;
    return pare_buffer_add(typed, &byte, 1, err);
}

/* ---- moving -------------------------------------------------------------------------------- */

/* By how many rows or lines a key moves; 0: it does not.  Home and End are steps that
 * no list is long enough for, since moved() stops at both ends. */
static int64_t step_of(const pare_fuzz_top *top, int key)
{
    const int64_t page = top->rows > 1 ? top->rows - 1 : 1;
    switch (key) {
    case PARE_KEY_UP:
    case 'k': return -1;
    case PARE_KEY_DOWN:
    case 'j': return 1;
    case PARE_KEY_PAGE_UP: return -page;
    case PARE_KEY_PAGE_DOWN:
    case ' ': return page;
    case PARE_KEY_HOME: return -(int64_t)UINT32_MAX;
    case PARE_KEY_END: return UINT32_MAX;
    default: return 0;
    }
}

static size_t count_lines(const pare_sheet *page)
{
    size_t n = 0;
    for (size_t k = 0; k < page->bytes.size; k++)
        n += page->bytes.data[k] == '\n';
    return n;
}

/* `at` after `step`, within 0 .. n - 1; 0 of an empty list. */
static size_t moved(size_t at, int64_t step, size_t n)
{
    const int64_t to = (int64_t)at + step, last = n ? (int64_t)n - 1 : 0;
    return (size_t)(to < 0 ? 0 : to > last ? last : to);
}

/* In a list the cursor moves, and the drawing scrolls after it; a page scrolls itself. */
static void move(pare_fuzz_top *top, int64_t step)
{
    pare_fuzz_top_list *list = &top->lists[top->panel];
    if (top->mode != PARE_FUZZ_TOP_LIST)
        top->page_first = moved(top->page_first, step, count_lines(&top->page));
    else
        choose(list, moved(chosen_at(list), step, list->n));
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void open_help(pare_fuzz_top *top)
{
    pare_sheet_reset(&top->page);
    pare_sheet_raw(&top->page, HELP);
    top->page_first = 0;
    top->mode = PARE_FUZZ_TOP_HELP;
}

/* Shows the chosen finding.  It may have gone since the list was read: that is told,
 * and the list stays. */
static pare_status open_view(pare_fuzz_top *top, pare_error *err)
{
    const int64_t id = chosen_finding(top);
    if (!id) return PARE_OK;
    top->viewed = id;
    top->page_first = 0;
    top->mode = PARE_FUZZ_TOP_VIEW;
    pare_status status = read_page(top, err);
    if (status == PARE_E_STATE) top->mode = PARE_FUZZ_TOP_LIST; /* it has gone in the meantime */
    return tell(top, status, err);
}

/* Keys that change what is shown; false: it is none of them. */
static bool look(pare_fuzz_top *top, int key)
{
    switch (key) {
    case PARE_KEY_TAB:
        top->mode = PARE_FUZZ_TOP_LIST;
        top->panel = (top->panel + 1) % PARE_FUZZ_TOP_N_PANELS;
        return true;
    case PARE_KEY_ESCAPE: top->mode = PARE_FUZZ_TOP_LIST; return true;
    case '?':
    case 'h': open_help(top); return true;
    /* Through all orders and again to the first; PARE_BY_TARGET is the last one. */
    case 's': top->order = (top->order + 1) % (PARE_BY_TARGET + 1); return true;
    case 'S': top->ascending = !top->ascending; return true;
    case 'a': top->all_jobs = !top->all_jobs; return true;
    case '/': open_prompt(top, PARE_FUZZ_TOP_FILTER); return true;
    case 'm': open_prompt(top, PARE_FUZZ_TOP_MARK); return true;
    case 'n': open_prompt(top, PARE_FUZZ_TOP_NOTE); return true;
    case 'R': open_prompt(top, PARE_FUZZ_TOP_REPORT); return true;
    default: return false;
    }
}

/* A prompt takes all keys, also those that mean something elsewhere.  Otherwise a key
 * that moves is looked for first, then one that only changes what is shown, then a
 * request.  The message before is taken away by any of them. */
pare_status pare_fuzz_top_key(pare_fuzz_top *top, int key, bool *quit, pare_error *err)
{
    *quit = false;
    if (top->prompt) return type(top, key, err);
    top->message[0] = '\0';
    const int64_t step = step_of(top, key);
    if (step) move(top, step);
    if (step || look(top, key)) return PARE_OK;
    switch (key) {
    case PARE_KEY_ENTER: return top->mode == PARE_FUZZ_TOP_LIST ? open_view(top, err) : PARE_OK;
    case 'r': return request(top, PARE_JOB_REDUCE, "", err);
    case 'v': return request(top, PARE_JOB_VALIDATE, "", err);
    case 'p': return toggle_pause(top, err);
    case 'x': return cancel(top, err);
    case 'q':
        /* From a finding or the help it goes back to the list, as Escape does. */
        *quit = top->mode == PARE_FUZZ_TOP_LIST;
        top->mode = PARE_FUZZ_TOP_LIST;
        return PARE_OK;
    default: say(top, "this key does nothing; ? lists the keys"); return PARE_OK;
    }
}
