/* The texts on a report.
 *
 * Size is bounded by construction: all originals (and all results) share a number of bytes, of which
 * each file gets an equal share, so that none can push the others out.  A text that is no text, or
 * whose original is none, is shown in hexadecimal, both sides alike.
 *
 * Invariant: all that is shown of texts goes through pare_html_bytes. */
#include "ui/page_texts.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "ui/format.h"
#include "ui/frame.h"
#include "ui/page_explained.h"

#include <pare/explain.h>
#include <pare/survivors.h>

/* PARE_PAGE_BYTES bounds the page as a whole, of which these are the largest pieces. */
enum {
    RESULTS_BYTES = 300 * 1000,   /* HTML of all results by themselves */
    ORIGINALS_BYTES = 600 * 1000, /* of all originals */
    BESIDE_BYTES = 200 * 1000,    /* of the results beside them */
    SHORT_BYTES = 4000, /* of a side of an isolation that is shown whole, and can be copied */
    SHORT_LINES = 40
};

/* ---- side by side ---------------------------------------------------------------------- */

/* Sets the marks of the survivors: the runs of the original that are left, and between
 * them what is new in the result.  Both arrays have room for one more than there are
 * runs. */
static void set_marks(const pare_page_file *file, pare_mark *old, pare_mark *new, size_t *n_new)
{
    size_t end = 0, n = 0;
    for (size_t i = 0; i <= file->survivors.n_runs; i++) {
        /* One turn more than there are runs: for what is new after the last. */
        bool is_last = i == file->survivors.n_runs;
        const pare_survivor *run = &file->survivors.runs[is_last ? 0 : i];
        size_t begin = is_last ? file->result_bytes : run->result_at;
        assert(begin >= end && "runs ascend and do not overlap");
        /* What lies between two runs in the result is in none of the original. */
        if (begin > end) new[n++] = (pare_mark){end, begin};
        if (is_last) break;
        old[i] = (pare_mark){run->original_at, run->original_at + run->size};
        end = run->result_at + run->size;
    }
    *n_new = n;
}

/* What is left of the original, and what the result has that it had not. */
static void tell_survivors(pare_html *html, const pare_page_file *file)
{
    char left[PARE_FORMAT_BYTES], all[PARE_FORMAT_BYTES], new[PARE_FORMAT_BYTES];
    assert(file->survivors.n_bytes <= file->result_bytes);
    size_t n_new = file->result_bytes - file->survivors.n_bytes;
    pare_html_format(
        html, "<p class=\"sub\">%s of %s %s left", pare_frame_size(left, file->survivors.n_bytes),
        pare_frame_size(all, file->original_bytes), file->survivors.n_bytes == 1 ? "is" : "are");
    if (n_new)
        pare_html_format(html, "; %s of the result %s new", pare_frame_size(new, n_new),
                         n_new == 1 ? "is" : "are");
    pare_html_raw(html, ".</p>\n");
}

/* Both sides are shown in one form, so that they can be compared by eye: bytes as soon
 * as one of them needs it. */
static pare_pane_form form_of(const pare_page_file *file)
{
    const pare_pane_form form = pare_html_form(file->result, file->result_bytes);
    if (form == PARE_PANE_HEX || !file->original) return form;
    return pare_html_form(file->original, file->original_bytes);
}

/* The heading of one side, below that of the file if there is one. */
static void add_label(pare_html *html, const char *label, const char *name)
{
    int level = name ? 4 : 3;
    pare_html_format(html, "<h%d>%s</h%d>\n", level, label, level);
}

/* The left side.  It is folded around its marks, as it may be a thousand times the size
 * of the result.  One that is not shown says why. */
static void add_original(pare_html *html, const pare_page_texts *texts, const pare_page_file *file,
                         const pare_mark *marks, size_t limit)
{
    pare_pane pane = {.bytes = file->original,
                      .size = file->original_bytes,
                      .marks = marks,
                      .n_marks = file->survivors.n_runs,
                      .element = "mark",
                      .label = texts->original_label,
                      .form = form_of(file),
                      .limit = limit};
    pare_html_raw(html, "<div>");
    add_label(html, texts->original_label, file->name);
    if (file->original)
        pare_html_add_pane(html, &pane);
    else
        pare_html_format(html, "<p>Not shown: %s.</p>\n", file->absent ? file->absent : "");
    pare_html_raw(html, "</div>\n");
}

/* The right side, or a result by itself: shown in full as far as the limit allows. */
static void add_result(pare_html *html, const pare_page_texts *texts, const pare_page_file *file,
                       const pare_mark *marks, size_t n_marks, size_t limit)
{
    pare_pane pane = {.bytes = file->result,
                      .size = file->result_bytes,
                      .marks = marks,
                      .n_marks = n_marks,
                      .element = "u",
                      .label = texts->result_label,
                      .extra = " copy",
                      .form = form_of(file),
                      .fold = PARE_FOLD_NONE,
                      .limit = limit};
    pare_html_raw(html, "<div class=\"r\">");
    pare_html_add_pane(html, &pane);
    pare_html_raw(html, "</div>\n");
}

static void add_name(pare_html *html, const pare_page_file *file)
{
    if (!file->name) return;
    pare_html_raw(html, "<h3 class=\"file\">");
    pare_frame_add_text(html, file->name);
    pare_html_raw(html, "</h3>\n");
}

/* Adds one file: original and result beside each other.  One mark more than runs:
 * before each run, and after the last, something new may stand. */
static pare_status add_pair(pare_html *html, const pare_page_texts *texts,
                            const pare_page_file *file)
{
    size_t n = file->survivors.n_runs, n_new;
    pare_mark *old = pare_alloc(n + 1, sizeof *old), *new = pare_alloc(n + 1, sizeof *new);
    if (old && new) {
        set_marks(file, old, new, &n_new);
        add_name(html, file);
        if (file->original) tell_survivors(html, file);
        pare_html_raw(html, "<div class=\"pair\">\n");
        add_original(html, texts, file, old, ORIGINALS_BYTES / texts->n_files);
        pare_html_raw(html, "<div>");
        add_label(html, texts->result_label, file->name);
        /* Without the original all of it would count as new. */
        add_result(html, texts, file, new, file->original ? n_new : 0,
                   BESIDE_BYTES / texts->n_files);
        pare_html_raw(html, "</div>\n");
        pare_html_raw(html, "</div>\n");
    }
    /* html->status is kept as it is where the marks could be made: it may hold an earlier
     * failure. */
    pare_status status = old && new ? html->status : PARE_E_NOMEM;
    pare_alloc_free(old);
    pare_alloc_free(new);
    return status;
}

static bool has_originals(const pare_page_texts *texts)
{
    for (size_t i = 0; i < texts->n_files; i++)
        if (texts->files[i].original || texts->files[i].absent) return true;
    return false;
}

/* An isolation has its two sides in a section of its own (add_difference). */
void pare_page_texts_add_pairs(pare_html *html, const pare_page_texts *texts)
{
    if (!has_originals(texts) || texts->is_isolated) return;
    pare_frame_begin_section(html, "texts", "Side by side", PARE_FRAME_LONG);
    pare_html_raw(html, "<p>Marked in the first: <mark>what is left</mark>. Dotted in the second: "
                        "<u>what does not come from the first</u>. Bytes that cannot be shown are "
                        "written as escapes: <i class=\"x\">\\x00</i>.</p>\n");
    for (size_t i = 0; i < texts->n_files && html->status == PARE_OK; i++)
        html->status = add_pair(html, texts, &texts->files[i]);
    pare_frame_end_section(html);
}

/* ---- two sides that differ by little ---------------------------------------------------- */

/* One side of an isolation: where it differs from the other. */
struct side {
    const char *label;
    const unsigned char *bytes;
    size_t size;
    pare_mark *marks; /* owned; room for one more than there are runs that both sides share */
    bool *is_place;   /* owned; of each mark: the other side has more here, and this one nothing */
    size_t n_marks;
};

/* Adds begin..end, where this side has what the other has not.  If it is empty, the
 * character before it (or after it, where it is at `from`) is marked as its place, so
 * that the pane does not fold that line away.  `from`..`to`: as far as that may go
 * without touching another difference.
 * "ac" beside "abc": the other side has b, and here the a is marked as the place. */
static void add_side_mark(struct side *side, size_t begin, size_t end, size_t from, size_t to)
{
    const bool is_place = begin == end;
    if (is_place && begin > from) {
        do
            begin--;
        while (begin > from && (side->bytes[begin] & 0xC0) == 0x80);
    } else if (is_place && end < to) {
        do
            end++;
        while (end < to && (side->bytes[end] & 0xC0) == 0x80);
    }
    /* Marks have to be apart: what the one before has taken is not marked again. */
    if (side->n_marks && begin < side->marks[side->n_marks - 1].end)
        begin = side->marks[side->n_marks - 1].end;
    if (begin >= end) return;
    side->marks[side->n_marks] = (pare_mark){begin, end};
    side->is_place[side->n_marks++] = is_place;
}

/* A pane's `open`.  What only stands for a place is not coloured, since it is the same
 * on both sides. */
static void open_side_mark(const void *context, pare_html *html, size_t index)
{
    const struct side *side = context;
    pare_html_raw(html, side->is_place[index] ? "<span>" : "<span class=\"differs\">");
}

/* Whether a reader has all of it before them without folding. */
static bool is_short(const struct side *side)
{
    size_t n_lines = 1;
    if (side->size > SHORT_BYTES) return false;
    for (size_t k = 0; k < side->size; k++)
        n_lines += side->bytes[k] == '\n';
    return n_lines <= SHORT_LINES;
}

/* One side; a long one is folded around its marks, a short one is shown whole. */
static void add_side(pare_html *html, const struct side *side, pare_pane_form form)
{
    const pare_pane pane = {.bytes = side->bytes,
                            .size = side->size,
                            .marks = side->marks,
                            .n_marks = side->n_marks,
                            .element = "span",
                            .open = open_side_mark,
                            .context = side,
                            .label = side->label,
                            .extra = " copy",
                            .form = form,
                            .fold = is_short(side) ? PARE_FOLD_NONE : PARE_FOLD_FAR,
                            .limit = RESULTS_BYTES / 2};
    pare_html_raw(html, "<div>");
    add_label(html, side->label, NULL);
    pare_html_add_pane(html, &pane);
    pare_html_raw(html, "</div>\n");
}

/* Between two runs that both sides share, each has what the other has not: a change,
 * or, where one of them has nothing, an insertion.
 * a, b: ends of the run before, on the passing and the failing side; a_from, b_from:
 * where that run began, which is as far as a place may be looked for. */
static void find_differences(const pare_page_file *file, struct side *passing, struct side *failing)
{
    size_t a = 0, b = 0, a_from = 0, b_from = 0;
    for (size_t i = 0; i <= file->survivors.n_runs; i++) {
        const bool is_last = i == file->survivors.n_runs;
        const pare_survivor *run = is_last ? NULL : &file->survivors.runs[i];
        const size_t a_end = run ? run->original_at : passing->size;
        const size_t b_end = run ? run->result_at : failing->size, size = run ? run->size : 0;
        assert(a <= a_end && b <= b_end && "runs ascend in both, and overlap in neither");
        if (a < a_end || b < b_end) {
            add_side_mark(passing, a, a_end, a_from, a_end + size);
            add_side_mark(failing, b, b_end, b_from, b_end + size);
        }
        a_from = a_end, a = a_end + size;
        b_from = b_end, b = b_end + size;
    }
}

/* Both sides, longer ones folded around what tells them apart. */
static void add_difference(pare_html *html, const pare_page_texts *texts)
{
    const pare_page_file *file = &texts->files[0];
    const size_t n = file->survivors.n_runs + 1;
    const pare_pane_form form = form_of(file);
    struct side passing = {.label = texts->original_label,
                           .bytes = file->original,
                           .size = file->original_bytes,
                           .marks = pare_alloc(n, sizeof *passing.marks),
                           .is_place = pare_alloc(n, sizeof *passing.is_place)};
    struct side failing = {.label = texts->result_label,
                           .bytes = file->result,
                           .size = file->result_bytes,
                           .marks = pare_alloc(n, sizeof *failing.marks),
                           .is_place = pare_alloc(n, sizeof *failing.is_place)};
    if (!passing.marks || !passing.is_place || !failing.marks || !failing.is_place) {
        html->status = PARE_E_NOMEM;
    } else {
        find_differences(file, &passing, &failing);
        pare_frame_begin_section(html, "result", "What makes the difference", PARE_FRAME_LONG);
        pare_html_raw(html, "<p>The two sides are the same but for what is <span class=\"differs\">"
                            "marked</span>: without it the failure is gone.</p>\n"
                            "<div class=\"pair\">\n");
        add_side(html, &passing, form);
        add_side(html, &failing, form);
        pare_html_raw(html, "</div>\n");
        pare_frame_end_section(html);
    }
    pare_alloc_free(passing.marks);
    pare_alloc_free(passing.is_place);
    pare_alloc_free(failing.marks);
    pare_alloc_free(failing.is_place);
}

/* The same tokens in more lines; only where that says something. */
static void add_readable(pare_html *html, const pare_page_texts *texts)
{
    const pare_readable *readable = texts->readable;
    if (!readable || !readable->bytes) return;
    const pare_page_file file = {.result = readable->bytes, .result_bytes = readable->size_bytes};
    pare_html_raw(html, "<h3>Laid out as the input was, it still fails</h3>\n");
    add_result(html, texts, &file, NULL, 0, BESIDE_BYTES / 4);
}

/* By itself: of an isolation both sides with what differs, of an explained result the
 * text with marks, else each file as it is. */
void pare_page_texts_add_results(pare_html *html, const pare_page_texts *texts)
{
    if (!texts->n_files) return;
    if (texts->is_isolated) {
        add_difference(html, texts);
        return;
    }
    pare_frame_begin_section(html, "result", texts->result_label, PARE_FRAME_LONG);
    if (texts->explanation)
        pare_page_explained_add_text(html, texts->explanation, texts->result_label, RESULTS_BYTES);
    for (size_t i = 0; i < texts->n_files && !texts->explanation; i++) {
        add_name(html, &texts->files[i]);
        add_result(html, texts, &texts->files[i], NULL, 0, RESULTS_BYTES / texts->n_files);
    }
    add_readable(html, texts);
    /* What is left out is counted, so that nobody takes the page for all of it. */
    if (texts->n_hidden)
        pare_html_format(html, "<p>Not shown: %zu more files of the result.</p>\n",
                         texts->n_hidden);
    pare_frame_end_section(html);
}
