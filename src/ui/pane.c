/* A text with marked stretches as HTML of bounded size.
 *
 * One walk over the text, from one stretch that is shown to the next.  Only stretches that are
 * shown are looked at byte by byte; the lines between them are counted by memchr only.  Invariant: `mark` is the first mark
 * that ends after `at`, and never goes back.  The limit is looked at every PIECE_BYTES bytes, which
 * bounds how far the HTML can exceed it. */
#include "ui/pane.h"

#include <assert.h>
#include <string.h>

#include "ui/format.h"

enum {
    NEAR_LINES = 2,   /* shown before and after a line with a mark */
    FIRST_LINES = 12, /* shown of a text without any mark */
    LONG_LINE = 600,  /* bytes; longer ones are folded inside */
    NEAR_BYTES = 60,  /* shown before and after a mark in a long line */
    PIECE_BYTES = 512 /* of a text that are added between two looks at the limit */
};

/* Where the walk is. */
struct walk {
    const pare_pane *pane;
    pare_html *html;
    size_t at;       /* what is before has been told of */
    size_t mark;     /* the first that ends after `at` */
    uint64_t line;   /* number of the line at `at` */
    size_t end_size; /* of the HTML: the limit */
};

/* Out of room, or of memory. */
static bool is_full(const struct walk *walk)
{
    return walk->html->status != PARE_OK || walk->html->bytes.size >= walk->end_size;
}

/* After the line end; the size in the last line. */
static size_t line_end(const pare_pane *pane, size_t at)
{
    const unsigned char *end = memchr(pane->bytes + at, '\n', pane->size - at);
    return end ? (size_t)(end - pane->bytes) + 1 : pane->size;
}

static size_t line_begin(const pare_pane *pane, size_t at)
{
    const unsigned char *end = at ? memrchr(pane->bytes, '\n', at) : NULL;
    return end ? (size_t)(end - pane->bytes) + 1 : 0;
}

/* `begin` begins a line. */
static uint64_t count_lines(const pare_pane *pane, size_t begin, size_t end)
{
    uint64_t n = 0;
    for (size_t at = begin; at < end; n++)
        at = line_end(pane, at);
    return n;
}

/* ---- inside a line --------------------------------------------------------------- */

/* Says what is left out, in place of it. */
static void add_fold(struct walk *walk, const char *tag, uint64_t n, const char *what,
                     size_t n_bytes)
{
    char count[PARE_FORMAT_BYTES], size[PARE_FORMAT_BYTES];
    pare_html_format(walk->html, "<%s class=\"fold\">%s %s%s left out", tag,
                     pare_format_count(count, n), what, n == 1 ? "" : "s");
    if (n_bytes) pare_html_format(walk->html, ", %s", pare_format_size(size, n_bytes));
    pare_html_format(walk->html, "</%s>", tag);
}

/* The mark that holds `at` or comes next; NULL: none. */
static const pare_mark *next_mark(struct walk *walk, size_t at)
{
    const pare_pane *pane = walk->pane;
    while (walk->mark < pane->n_marks && pane->marks[walk->mark].end <= at)
        walk->mark++;
    return walk->mark < pane->n_marks ? &pane->marks[walk->mark] : NULL;
}

/* Adds bytes begin .. end - 1 of one line, with their marks; says so when it is full. */
static void add_bytes(struct walk *walk, size_t begin, size_t end)
{
    const pare_pane *pane = walk->pane;
    while (begin < end && !is_full(walk)) {
        const pare_mark *mark = next_mark(walk, begin);
        assert(!mark || mark->begin < mark->end);
        bool marked = mark && mark->begin <= begin;
        size_t stop = end;
        if (mark) stop = marked ? mark->end : mark->begin;
        if (stop > end) stop = end;
        if (stop - begin > PIECE_BYTES) stop = begin + PIECE_BYTES;
        if (marked) pare_html_format(walk->html, "<%s>", pane->element);
        pare_html_bytes(walk->html, pane->bytes + begin, stop - begin);
        if (marked) pare_html_format(walk->html, "</%s>", pane->element);
        begin = stop;
    }
    if (begin < end) add_fold(walk, "span", end - begin, "byte", 0);
}

/* The next stretch of a long line that is shown, from `at` on: its first marks with what
 * is near them.  False: there is none. */
static bool next_stretch(struct walk *walk, size_t at, size_t end, size_t *from, size_t *to)
{
    const pare_pane *pane = walk->pane;
    const pare_mark *mark = next_mark(walk, at);
    if (!mark || mark->begin >= end) return false;
    *from = mark->begin > at + NEAR_BYTES ? mark->begin - NEAR_BYTES : at;
    *to = mark->end;
    for (const pare_mark *behind = mark + 1; behind < pane->marks + pane->n_marks; behind++) {
        if (behind->begin > *to + 2 * NEAR_BYTES) break;
        *to = behind->end;
    }
    *to = *to + NEAR_BYTES < end ? *to + NEAR_BYTES : end;
    return true;
}

/* Minified code is one line of a megabyte: what is near a mark is shown, of a line without marks
 * its beginning. */
static void add_long_line(struct walk *walk, size_t begin, size_t end)
{
    size_t from, to, at = begin;
    if (!next_mark(walk, begin) || next_mark(walk, begin)->begin >= end) {
        add_bytes(walk, begin, begin + NEAR_BYTES);
        at = begin + NEAR_BYTES;
    }
    while (at < end && !is_full(walk) && next_stretch(walk, at, end, &from, &to)) {
        if (from > at) add_fold(walk, "span", from - at, "byte", 0);
        add_bytes(walk, from, to);
        at = to;
    }
    if (at < end && !is_full(walk)) add_fold(walk, "span", end - at, "byte", 0);
}

/* Adds the line at walk->at.  Its end is the element's. */
static void add_line(struct walk *walk)
{
    const pare_pane *pane = walk->pane;
    size_t next = line_end(pane, walk->at), end = next;
    if (end > walk->at && pane->bytes[end - 1] == '\n') end--;
    if (end > walk->at && pane->bytes[end - 1] == '\r') end--;
    pare_html_format(walk->html, "<div class=\"l\" data-n=\"%llu\">",
                     (unsigned long long)walk->line);
    if (pane->fold == PARE_FOLD_FAR && end - walk->at > LONG_LINE)
        add_long_line(walk, walk->at, end);
    else
        add_bytes(walk, walk->at, end);
    pare_html_raw(walk->html, "</div>\n");
    walk->at = next;
    walk->line++;
}

/* ---- lines ----------------------------------------------------------------------- */

/* The lines from walk->at on up to `end` are not shown; one line is, as telling would
 * take as much room. */
static void skip_lines(struct walk *walk, size_t end)
{
    assert(walk->at <= end && end <= walk->pane->size);
    uint64_t n = count_lines(walk->pane, walk->at, end);
    if (n == 1 && end - walk->at < LONG_LINE) {
        add_line(walk);
        return;
    }
    if (n) add_fold(walk, "div", n, "line", end - walk->at);
    walk->at = end;
    walk->line += n;
}

/* Beginning of the lines that are shown before a mark at `at`; `least` is where the walk stands. */
static size_t lines_before(const pare_pane *pane, size_t at, size_t least)
{
    at = line_begin(pane, at);
    for (int i = 0; i < NEAR_LINES && at > least; i++)
        at = line_begin(pane, at - 1);
    return at > least ? at : least;
}

/* End of the lines that are shown after a mark that ends at `end`. */
static size_t lines_after(const pare_pane *pane, size_t end)
{
    end = end > 0 && pane->bytes[end - 1] == '\n' ? end : line_end(pane, end);
    for (int i = 0; i < NEAR_LINES && end < pane->size; i++)
        end = line_end(pane, end);
    return end;
}

static void add_lines(struct walk *walk, size_t end)
{
    while (walk->at < end && !is_full(walk))
        add_line(walk);
}

/* From mark to mark; of a text without any the first lines, so that it can be recognised. */
static void add_near_marks(struct walk *walk)
{
    const pare_pane *pane = walk->pane;
    for (const pare_mark *mark; !is_full(walk) && (mark = next_mark(walk, walk->at)) != NULL;) {
        size_t begin = mark->begin > walk->at ? mark->begin : walk->at;
        skip_lines(walk, lines_before(pane, begin, walk->at));
        add_lines(walk, lines_after(pane, mark->end));
    }
    if (pane->n_marks == 0)
        for (int i = 0; i < FIRST_LINES && walk->at < pane->size && !is_full(walk); i++)
            add_line(walk);
}

/* Can be scrolled by keyboard (tabindex), and named for screen readers (role, aria-label). */
void pare_pane_add(pare_html *html, const pare_pane *pane)
{
    struct walk walk = {
        .pane = pane, .html = html, .line = 1, .end_size = html->bytes.size + pane->limit};
    pare_html_format(html,
                     "<div class=\"code\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n",
                     pane->label);
    if (pane->fold == PARE_FOLD_NONE)
        add_lines(&walk, pane->size);
    else
        add_near_marks(&walk);
    if (walk.at < pane->size) skip_lines(&walk, pane->size);
    if (pane->size == 0) pare_html_raw(html, "<div class=\"fold\">nothing: it is empty</div>\n");
    pare_html_raw(html, "</div>\n");
}
