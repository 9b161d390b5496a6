/* The view of a reduction as cells: which part gets how many rows, and what stands in each.
 *
 * From the top: how it stands, the phase and what comes next, what is kept; then the curve, the
 * slots, the phases, other failures and the best; at the bottom what came of the last key, or what
 * going on is likely to earn, and the keys.  Parts give way in the order of their worth: with ten
 * lines the curve and the slots have one each, phases none, and the best what is left.  From
 * WIDE_COLUMNS on the best stands beside all others.
 *
 * The curve is logarithmic, since sizes fall by factors, and spans at least six octaves, as that of
 * the line does (ui/progress.c).  Tested by tests/unit/test_reduce_view.c. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <pare/highlight.h>

#include "base/buffer.h"
#include "base/halving.h"
#include "ui/format.h"
#include "ui/grid.h"
#include "ui/reduce_view.h"

enum {
    /* From how many columns on the best has a place beside the rest. */
    WIDE_COLUMNS = 130,
    SIDE_COLUMNS = 62, /* of all but the best, where that stands beside it */
    HEAD_ROWS = 3,
    FOOT_ROWS = 2,
    /* A slot, with the gap after it. */
    SLOT_COLUMNS = 34,
    OCTAVES = 6,
    /* Over how many tests it is told what they have earned. */
    EARNED_TESTS = 400,
    /* Bytes that are looked at for a NUL: with one, the text is shown as bytes. */
    HEX_LOOK_BYTES = 8192
};

static const char HELP[] = "s          end this phase: what it found is kept, the next one begins\n"
                           "p          pause: running tests finish, no others start; p continues\n"
                           "f          end now and keep the best, as Ctrl-C does\n"
                           "b          look at the best in $PAGER, while the reduction goes on\n"
                           "o          the last lines that the next test prints; o goes back\n"
                           "t          all phases and other failures; t goes back\n"
                           "<, >       back and forth through the bests; also Left and Right\n"
                           "g          at an earlier best: continue from there; the result so far\n"
                           "           stays in the history, and under a second name\n"
                           "Up, Down   scroll the best; also k and j, PgUp, PgDn, Home, End\n"
                           "c          back to the last change\n"
                           "v          back to the line; v shows this again\n"
                           "?          these keys; ? goes back\n"
                           "\n"
                           "[-120] in the best: the last change removed 120 bytes here.\n"
                           "The journal records that a phase was ended: a resumed run ends it\n"
                           "at the same test.\n";

/* A part of the screen. */
struct area {
    unsigned row, column, rows, columns;
};

/* A pen for row `row` of the area; one without room where the area has no such row. */
static pare_pen pen_in(pare_grid *grid, const struct area *area, unsigned row)
{
    if (row >= area->rows) return pare_grid_pen(grid, UINT32_MAX, 0, 0);
    return pare_grid_pen(grid, area->row + row, area->column, area->columns);
}

/* ---- head and foot ------------------------------------------------------------------------ */

/* "in.js  1.2 kB of 60 kB (2.0 %)  12.3 s  1,234 tests", over the whole width.  The
 * name has a third of it at most, so that a long one does not push out the figures. */
static void put_title(const pare_reduce_view *view, pare_grid *grid)
{
    char best[PARE_FORMAT_BYTES], in[PARE_FORMAT_BYTES], share[PARE_FORMAT_BYTES];
    char time[PARE_FORMAT_BYTES], tests[PARE_FORMAT_BYTES];
    pare_pen pen = pare_grid_pen(grid, 0, 0, grid->columns);
    pen.style = PARE_STYLE_BAR;
    const double seconds = pare_reduce_view_now(view);
    const unsigned name_end = grid->columns / 3;
    pare_pen name = pare_grid_pen(grid, 0, 1, name_end);
    name.style = PARE_STYLE_BAR;
    pare_grid_pad(&pen, 1);
    (void)pare_grid_bytes(&name, view->name, strlen(view->name));
    pen.column = name.column;
    if (!view->is_reading)
        pare_grid_format(&pen, "  %s of %s (%s)  %s  %s", pare_format_size(best, view->best_bytes),
                         pare_format_size(in, view->input_bytes),
                         pare_format_percent(share, view->best_bytes, view->input_bytes),
                         pare_format_duration(time, seconds),
                         pare_format_tests(tests, view->tests));
    else
        pare_grid_format(&pen, "  %s", pare_format_duration(time, seconds));
    if (view->is_paused) pare_grid_text(&pen, "  PAUSED");
    pare_grid_pad(&pen, grid->columns);
}

/* Small inputs are read before this can be seen; how much there is of large ones is known at once. */
static void put_reading(const pare_reduce_view *view, pare_pen *pen)
{
    char read[PARE_FORMAT_BYTES], in[PARE_FORMAT_BYTES];
    if (view->input_bytes && view->read_bytes >= view->input_bytes)
        pare_grid_format(pen, "the input was read: %s", pare_format_size(in, view->input_bytes));
    else if (view->input_bytes)
        pare_grid_format(pen, "reading the input: %s of %s",
                         pare_format_size(read, view->read_bytes),
                         pare_format_size(in, view->input_bytes));
    else
        pare_grid_text(pen, "reading the input");
}

/* The phase, what it earned, what comes next, and how much there may be left to do. */
static void put_phase(const pare_reduce_view *view, pare_grid *grid)
{
    char tests[PARE_FORMAT_BYTES], removed[PARE_FORMAT_BYTES], left[PARE_FORMAT_BYTES];
    pare_pen pen = pare_grid_pen(grid, 1, 0, grid->columns);
    pen.style = PARE_STYLE_HEAD;
    if (view->is_reading) {
        put_reading(view, &pen);
        return;
    }
    if (!*view->phase) {
        pare_grid_text(&pen, view->ended   ? "done"
                             : view->tests ? "preparing the first phase"
                                           : "testing the input");
        return;
    }
    (void)pare_grid_bytes(&pen, view->phase, strlen(view->phase));
    pen.style = PARE_STYLE_PLAIN;
    if (view->current < view->n_phases) {
        const pare_view_phase *phase = &view->phases[view->current];
        pare_grid_format(&pen, ": %s, %s removed", pare_format_tests(tests, phase->tests),
                         pare_format_size(removed, phase->removed));
    }
    if (view->is_skipping) pare_grid_text(&pen, "; ending");
    if (*view->next_phase && strcmp(view->next_phase, view->phase) != 0) {
        pare_grid_text(&pen, "; next ");
        (void)pare_grid_bytes(&pen, view->next_phase, strlen(view->next_phase));
    }
    if (view->tests_left != UINT64_MAX)
        pare_grid_format(&pen, "; at most %s more", pare_format_tests(left, view->tests_left));
}

/* Words from elsewhere on a row; what does not fit ends with "...", for which the last
 * columns are written over. */
static void put_cut(pare_pen pen, const char *text)
{
    enum { DOTS = 3 };
    const size_t size = strlen(text);
    pare_pen dots = pen;
    if (pare_grid_bytes(&pen, text, size) == size || pen.end - dots.column <= 2 * DOTS) return;
    dots.column = dots.end - DOTS;
    const unsigned at = dots.row * dots.grid->columns + dots.column;
    if (at < dots.grid->rows * dots.grid->columns && dots.grid->cells[at].is_rest)
        --dots.column; /* of a character of two columns */
    pare_grid_text(&dots, "...");
    pare_grid_pad(&dots, dots.end);
}

/* Without a signature the test alone decides what is kept. */
static void put_keeping(const pare_reduce_view *view, pare_grid *grid)
{
    pare_pen pen = pare_grid_pen(grid, 2, 0, grid->columns);
    pen.style = PARE_STYLE_DIM;
    pare_grid_text(&pen, "keeping ");
    pen.style = PARE_STYLE_PLAIN;
    put_cut(pen, *view->keeping ? view->keeping : "what the test says");
}

/* What came of the last key; else that it is paused, or a notice that is new; else what
 * there is to expect from going on. */
static void put_message(const pare_reduce_view *view, pare_grid *grid)
{
    char size[PARE_FORMAT_BYTES], count[PARE_FORMAT_BYTES];
    if (grid->rows < FOOT_ROWS) return;
    pare_pen pen = pare_grid_pen(grid, grid->rows - 2, 0, grid->columns);
    const uint64_t tests = view->tests < EARNED_TESTS ? view->tests : EARNED_TESTS;
    pen.style = PARE_STYLE_FRESH;
    if (*view->message) {
        pare_grid_text(&pen, view->message);
    } else if (view->is_paused) {
        pare_grid_text(&pen, "paused; p continues");
    } else if (pare_reduce_view_is_noticed(view)) {
        put_cut(pen, view->notice);
    } else if (tests) {
        pare_grid_format(&pen, "the last %s earned %s; Ctrl-C keeps this result",
                         tests == 1 ? "test" : pare_format_tests(count, tests),
                         pare_format_size(size, pare_reduce_view_earned(view, tests)));
    }
}

/* The keys that matter most in the state that it is in; all of them are on the page of
 * '?'. */
static void put_keys(const pare_reduce_view *view, pare_grid *grid)
{
    pare_pen pen = pare_grid_pen(grid, grid->rows - 1, 0, grid->columns);
    pen.style = PARE_STYLE_BAR;
    pare_grid_pad(&pen, 1);
    pare_grid_text(&pen, view->page != PARE_VIEW_MAIN ? "Escape back  Up, Down scroll"
                         : view->history ? "< > steps  g continue from here  f end  v line  ? keys"
                         : view->is_paused
                             ? "p continue  s skip  f end  o output  b best  v line  ? keys"
                             : "s skip  p pause  f end  o output  b best  v line  ? keys");
    pare_grid_pad(&pen, grid->columns);
}

/* ---- the curve ------------------------------------------------------------------------------ */

/* log2(bytes + 1) in eighths, linear between powers of two: 0 for 0, 8 for 1, 16 for 3,
 * 20 for 5. */
static unsigned eighths(size_t bytes)
{
    unsigned octaves = 0;
    size_t rest = bytes + 1;
    while (rest >> octaves > 1)
        octaves++;
    const size_t base = (size_t)1 << octaves;
    return octaves * 8 + (unsigned)((rest - base) * 8 / base);
}

/* The size at `seconds`: that of the last gain until then, or of the first one if all came later. */
static size_t size_at(const pare_reduce_view *view, double seconds)
{
    pare_halving search = {.low = 1, .high = view->n_gains};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, view->gains[search.middle].seconds <= seconds);
    return view->gains[search.low - 1].bytes;
}

/* One cell of a bar, filled to `part` eighths; without UTF-8 by characters of about
 * that height. */
static const char *bar(unsigned part, pare_charset charset)
{
    static const char *const blocks[] = {" ",
                                         "\xe2\x96\x81",
                                         "\xe2\x96\x82",
                                         "\xe2\x96\x83",
                                         "\xe2\x96\x84",
                                         "\xe2\x96\x85",
                                         "\xe2\x96\x86",
                                         "\xe2\x96\x87",
                                         "\xe2\x96\x88"};
    static const char *const plain[] = {" ", "_", "_", ".", "-", "=", "+", "*", "#"};
    return (charset == PARE_UTF8 ? blocks : plain)[part];
}

/* A column for each stretch of time, as high as the best was large at its end.  The top
 * is the input's size, the bottom the best's, or OCTAVES below the top if that is
 * lower: so a reduction that has just begun does not fill the whole height with its
 * first bytes. */
static void put_curve(const pare_reduce_view *view, pare_grid *grid, const struct area *area)
{
    if (!view->n_gains || !area->rows) return;
    const unsigned top = eighths(view->gains[0].bytes);
    unsigned bottom = eighths(view->gains[view->n_gains - 1].bytes);
    if (bottom + OCTAVES * 8 > top) bottom = top > OCTAVES * 8 ? top - OCTAVES * 8 : 0;
    const unsigned span = top > bottom ? top - bottom : 1;
    const double seconds = pare_reduce_view_now(view);
    for (unsigned row = 0; row < area->rows; row++) {
        pare_pen pen = pen_in(grid, area, row);
        pen.style = PARE_STYLE_GOOD;
        for (unsigned k = 0; k < area->columns; k++) {
            const double at = seconds * (k + 1) / area->columns;
            const unsigned now = eighths(size_at(view, at));
            /* The height of the whole bar in eighths of a row, at least 1; then what of
             * it is in this row. */
            const unsigned full = area->rows * 8;
            unsigned height = now > bottom ? (now - bottom) * (full - 1) / span + 1 : 1;
            const unsigned below = (area->rows - 1 - row) * 8;
            height = height > below ? height - below : 0;
            pare_grid_text(&pen, bar(height < 8 ? height : 8, view->charset));
        }
    }
}

/* ---- slots, phases, other failures ------------------------------------------------------------ */

/* How many run, and on how many machines, in the first cell of the slots; true: there
 * are others than this one, and the cell is taken. */
static bool put_machines(const pare_reduce_view *view, pare_grid *grid, const struct area *area)
{
    if (!view->machines || view->ended) return false;
    pare_pen pen = pen_in(grid, area, 0);
    pen.style = PARE_STYLE_HEAD;
    if (pen.column + SLOT_COLUMNS - 1 < pen.end) pen.end = pen.column + SLOT_COLUMNS - 1;
    pare_grid_format(&pen, "%u/%u busy on %u machines", view->slots_busy,
                     view->jobs + view->machine_slots, view->machines + 1);
    return true;
}

/* The tests under way, several in a row: what each would leave, and for how long it has
 * been running.  Before them, on how many machines, where there are several.  Slots
 * that are free take no room. */
static void put_slots(const pare_reduce_view *view, pare_grid *grid, const struct area *area)
{
    const unsigned a_row = area->columns / SLOT_COLUMNS ? area->columns / SLOT_COLUMNS : 1;
    unsigned shown = put_machines(view, grid, area);
    const unsigned n_slots = view->jobs + view->machine_slots + view->machines;
    for (unsigned k = 0; k < PARE_VIEW_SLOTS && k < n_slots; k++) {
        const pare_view_slot *slot = &view->slots[k];
        char size[PARE_FORMAT_BYTES], time[PARE_FORMAT_BYTES];
        if (!slot->is_busy || shown >= a_row * area->rows) continue;
        pare_pen pen = pen_in(grid, area, shown / a_row);
        pen.column += shown % a_row * SLOT_COLUMNS;
        pen.style = slot->test.given_up ? PARE_STYLE_DIM : PARE_STYLE_PLAIN;
        const unsigned end = pen.column + SLOT_COLUMNS - 1;
        if (end < pen.end) pen.end = end;
        pare_grid_format(&pen, "%2u: %s, %s%s", k + 1,
                         pare_format_size(size, slot->test.size_bytes),
                         pare_format_duration(time, slot->test.ms / 1000 + view->waited_s),
                         slot->test.given_up ? ", given up" : "");
        shown++;
    }
    if (shown) return;
    pare_pen pen = pen_in(grid, area, 0);
    pen.style = PARE_STYLE_DIM;
    pare_grid_text(&pen, view->ended       ? "no test is running: done"
                         : view->is_paused ? "no test is running: paused"
                                           : "no test is running");
}

/* One row of the table. */
static void put_phase_row(const pare_view_phase *phase, bool is_current, pare_pen *pen)
{
    char tests[PARE_FORMAT_BYTES], removed[PARE_FORMAT_BYTES], each[PARE_FORMAT_BYTES] = "";
    const unsigned from = pen->column;
    pen->style = is_current ? PARE_STYLE_FRESH : PARE_STYLE_PLAIN;
    if (phase->tests) (void)pare_format_size(each, phase->removed / phase->tests);
    (void)pare_grid_bytes(pen, phase->name, strlen(phase->name));
    /* A longer name is cut where the figures begin. */
    pen->column = pen->column < from + 26 ? pen->column : from + 26;
    pare_grid_pad(pen, from + 26);
    pare_grid_format(pen, " %9s %11s %11s", pare_format_count(tests, phase->tests),
                     pare_format_size(removed, phase->removed), each);
}

/* The table from entry `first` on, below its heading; SIZE_MAX: such rows that the
 * current phase is among them. */
static void put_phases(const pare_reduce_view *view, pare_grid *grid, const struct area *area,
                       size_t first)
{
    if (!area->rows) return;
    pare_pen pen = pen_in(grid, area, 0);
    pen.style = PARE_STYLE_HEAD;
    pare_grid_format(&pen, "%-26s %9s %11s %11s", "PHASE", "TESTS", "REMOVED", "PER TEST");
    const unsigned rows = area->rows - 1;
    if (first == SIZE_MAX) first = view->current >= rows ? view->current + 1 - rows : 0;
    for (unsigned row = 0; row < rows && first + row < view->n_phases; row++) {
        pen = pen_in(grid, area, row + 1);
        put_phase_row(&view->phases[first + row], first + row == view->current, &pen);
    }
}

/* A row for each: "also met 12x, 340 bytes: SIGNATURE", with the smallest input that
 * had it. */
static void put_others(const pare_reduce_view *view, pare_grid *grid, const struct area *area)
{
    /* The latest are the news. */
    const size_t first = view->n_others > area->rows ? view->n_others - area->rows : 0;
    for (unsigned row = 0; row < area->rows && first + row < view->n_others; row++) {
        const pare_view_other *other = &view->others[first + row];
        char size[PARE_FORMAT_BYTES];
        pare_pen pen = pen_in(grid, area, row);
        pen.style = PARE_STYLE_BAD;
        pare_grid_format(&pen, "also met %" PRIu64 "x, %s: ", other->tests,
                         pare_format_size(size, other->least_bytes));
        pen.style = PARE_STYLE_PLAIN;
        (void)pare_grid_bytes(&pen, other->signature, strlen(other->signature));
    }
}

/* ---- the best -------------------------------------------------------------------------------- */

/* A NUL early in the text makes it one of bytes. */
static bool is_binary(const pare_buffer *best)
{
    return best->size &&
           memchr(best->data, 0, best->size < HEX_LOOK_BYTES ? best->size : HEX_LOOK_BYTES);
}

/* A line of the text from `from` to before `to`, without its line end, by its number
 * from 1; all-zero is before the first.  In hexadecimal a "line" has `hex` bytes. */
struct line {
    size_t number, from, to;
};

/* The next line; false: there is none. */
static bool next_line(const pare_buffer *best, unsigned hex, struct line *line)
{
    if (line->to >= best->size) return false;
    /* After a line of text its end is passed over. */
    if (line->number) line->from = hex ? line->to : line->to + 1;
    if (line->from >= best->size) return false;
    const char *end = memchr(best->data + line->from, '\n', best->size - line->from);
    line->to = end ? (size_t)(end - best->data) : best->size;
    if (hex) line->to = line->from + hex < best->size ? line->from + hex : best->size;
    line->number++;
    return true;
}

/* Number of the line that byte `at` is in, from 1; *of is how many lines there are.
 * O(text), for each drawing. */
static size_t count_lines(const pare_buffer *best, unsigned hex, size_t at, size_t *of)
{
    struct line line = {0};
    size_t found = 1;
    while (next_line(best, hex, &line))
        if (line.from <= at) found = line.number;
    *of = line.number;
    return found;
}

/* How the byte looks when it has not changed. */
static pare_style style_of(const pare_reduce_view *view, size_t at)
{
    static const pare_style styles[] = {[PARE_HIGHLIGHT_NONE] = PARE_STYLE_PLAIN,
                                        [PARE_HIGHLIGHT_KEYWORD] = PARE_STYLE_WORD,
                                        [PARE_HIGHLIGHT_LITERAL] = PARE_STYLE_TEXT,
                                        [PARE_HIGHLIGHT_COMMENT] = PARE_STYLE_NOTE};
    return view->colors ? styles[view->colors[at]] : PARE_STYLE_PLAIN;
}

/* The bytes from..to of the best, highlighted; returns how many of them fitted. */
static size_t put_colored(const pare_reduce_view *view, size_t from, size_t to, pare_pen *pen)
{
    const char *text = pare_reduce_view_text(view)->data;
    size_t at = from;
    while (at < to) {
        /* Stretches of one style are written at once: a character may have several
         * bytes. */
        size_t end = at;
        pen->style = style_of(view, at);
        while (end < to && style_of(view, end) == pen->style)
            end++;
        const size_t written = pare_grid_bytes(pen, text + at, end - at);
        at += written;
        if (at < end) break;
    }
    pen->style = PARE_STYLE_PLAIN;
    return at - from;
}

/* The same, with what has changed among them marked: "[-12]" where bytes went, and new
 * ones in the style of marks. */
static void put_marked(const pare_reduce_view *view, size_t from, size_t to, pare_pen *pen)
{
    const pare_buffer *text = pare_reduce_view_text(view);
    for (size_t k = 0; k < view->n_cuts && from < to; k++) {
        const pare_view_cut *cut = &view->cuts[k];
        /* A cut at the end of a line belongs to that line, and to the next one only
         * with what is new. */
        if (cut->at + cut->fresh < from || cut->at > to) continue;
        if (cut->at > from) {
            from += put_colored(view, from, cut->at, pen);
            if (from < cut->at) return;
        }
        pen->style = PARE_STYLE_MARK;
        if (cut->gone && cut->at == from) pare_grid_format(pen, "[-%zu]", cut->gone);
        const size_t end = cut->at + cut->fresh < to ? cut->at + cut->fresh : to;
        if (end > from) from += pare_grid_bytes(pen, text->data + from, end - from);
        pen->style = PARE_STYLE_PLAIN;
    }
    if (from < to) (void)put_colored(view, from, to, pen);
}

/* One line of text after its number; a long one from a little before its first change,
 * so that the change can be seen.  "<" and ">" say that there is more on that side. */
static void put_text_line(const pare_reduce_view *view, const struct line *line, pare_pen pen)
{
    const pare_buffer *text = pare_reduce_view_text(view);
    size_t from = line->from;
    pen.style = PARE_STYLE_DIM;
    pare_grid_format(&pen, "%5zu ", line->number);
    for (size_t k = 0; k < view->n_cuts; k++) {
        const size_t at = view->cuts[k].at;
        if (at < line->from || at > line->to) continue;
        const size_t room = pen.end > pen.column ? pen.end - pen.column : 1;
        /* The line from its start would not reach 8 columns beyond the change: it
         * begins a third of the room before that. */
        if (at - line->from + 8 > room && at - line->from > room / 3) from = at - room / 3;
        break;
    }
    assert(line->from <= from && from <= line->to && "it is of this line");
    /* Not in the middle of a character. */
    while (from > line->from && ((unsigned char)text->data[from] & 0xC0) == 0x80)
        from--;
    if (from > line->from) pare_grid_text(&pen, "<");
    const unsigned end = pen.end;
    /* The last column is kept for ">". */
    pen.end -= pen.end > pen.column;
    pen.style = PARE_STYLE_PLAIN;
    put_marked(view, from, line->to, &pen);
    if (pen.column + 1 < end || line->to - from < pen.end - pen.column) return;
    pen.end = end;
    pen.style = PARE_STYLE_DIM;
    if (pen.column + 1 == end) pare_grid_text(&pen, ">");
}

/* A byte that is new; where bytes have gone, also the two between which they were,
 * since in hexadecimal nothing can stand in their place. */
static bool has_changed(const pare_reduce_view *view, size_t at)
{
    for (size_t k = 0; k < view->n_cuts; k++)
        if (at + 1 >= view->cuts[k].at + !view->cuts[k].gone &&
            at < view->cuts[k].at + view->cuts[k].fresh + (view->cuts[k].gone > 0))
            return true;
    return false;
}

/* Offset, bytes as numbers, bytes as characters. */
static void put_hex_line(const pare_reduce_view *view, const struct line *line, unsigned hex,
                         pare_pen pen)
{
    const pare_buffer *text = pare_reduce_view_text(view);
    pen.style = PARE_STYLE_DIM;
    pare_grid_format(&pen, "%08zx ", line->from);
    for (unsigned k = 0; k < hex; k++) {
        const size_t at = line->from + k;
        const bool is_there = at < line->to;
        pen.style = PARE_STYLE_PLAIN;
        pare_grid_text(&pen, " ");
        if (is_there && has_changed(view, at)) pen.style = PARE_STYLE_MARK;
        if (is_there)
            pare_grid_format(&pen, "%02x", (unsigned)(unsigned char)text->data[at]);
        else
            pare_grid_text(&pen, "  ");
    }
    pen.style = PARE_STYLE_PLAIN;
    pare_grid_text(&pen, "  ");
    for (size_t at = line->from; at < line->to; at++) {
        const char c = text->data[at];
        pare_grid_text(&pen, c > ' ' && c < 0x7F ? (const char[]){c, '\0'} : ".");
    }
}

/* What stands over the best: where one is in it, how much of it is shown, and what has
 * changed: "BEST, line 12 of 340; last change -120 +3 bytes". */
static void put_best_head(const pare_reduce_view *view, size_t lines, unsigned hex, pare_pen pen)
{
    char size[PARE_FORMAT_BYTES], count[PARE_FORMAT_BYTES];
    size_t gone = 0, fresh = 0;
    for (size_t k = 0; k < view->n_cuts; k++) {
        gone += view->cuts[k].gone;
        fresh += view->cuts[k].fresh;
    }
    const size_t shown = pare_reduce_view_text(view)->size;
    pen.style = PARE_STYLE_HEAD;
    if (view->back && view->history)
        pare_grid_format(&pen, "STEP %zu", view->step);
    else
        pare_grid_text(&pen, view->back ? "EARLIER BEST" : "BEST");
    if (shown) /* the text comes with the first test */
        pare_grid_format(&pen, ", line %zu of %s%s", view->first + 1,
                         pare_format_count(count, lines), hex ? " (binary)" : "");
    pen.style = PARE_STYLE_PLAIN;
    if (shown && shown < (view->back ? view->shown_size : view->best_size))
        pare_grid_format(&pen, ", the first %s of it", pare_format_size(size, shown));
    if (view->n_cuts)
        pare_grid_format(&pen, "; %s change -%zu +%zu bytes", view->back ? "its" : "last", gone,
                         fresh);
}

/* Draws the text that is shown in all of the area.  Unless somebody scrolls, its first
 * change is a third below the top.  view->first and view->rows are set to what came of
 * it, for keys that scroll. */
static void put_best(pare_reduce_view *view, pare_grid *grid, const struct area *area)
{
    const pare_buffer *text = pare_reduce_view_text(view);
    const bool has_head = area->rows >= 4;
    const unsigned hex = !is_binary(text) ? 0 : area->columns >= 78 ? 16 : 8;
    const unsigned rows = area->rows - has_head;
    struct line line = {0};
    size_t lines;
    const size_t changed = count_lines(text, hex, view->n_cuts ? view->cuts[0].at : 0, &lines);
    view->rows = rows;
    if (!view->is_scrolled) view->first = changed > rows / 3 ? changed - rows / 3 - 1 : 0;
    if (view->first + rows > lines) view->first = lines > rows ? lines - rows : 0;
    if (has_head) put_best_head(view, lines, hex, pen_in(grid, area, 0));
    while (next_line(text, hex, &line) && line.number <= view->first + rows) {
        if (line.number <= view->first) continue;
        const unsigned row = (unsigned)(line.number - view->first) - 1 + has_head;
        if (hex)
            put_hex_line(view, &line, hex, pen_in(grid, area, row));
        else
            put_text_line(view, &line, pen_in(grid, area, row));
    }
}

/* ---- pages -------------------------------------------------------------------------------------- */

/* Draws a text in lines, of ours or what a test printed, from line view->first on; that
 * is moved back so far that the last page is full. */
static void put_text(pare_reduce_view *view, const char *text, pare_grid *grid,
                     const struct area *area)
{
    const char *line = text;
    size_t lines = 0;
    for (const char *at = text; *at; at++)
        /* The last line counts also without a line end. */
        lines += *at == '\n' || !at[1];
    view->rows = area->rows;
    if (view->first + area->rows > lines) view->first = lines > area->rows ? lines - area->rows : 0;
    for (size_t k = 0; *line; k++) {
        const size_t size = strcspn(line, "\n");
        if (k >= view->first) {
            pare_pen pen = pen_in(grid, area, (unsigned)(k - view->first));
            (void)pare_grid_bytes(&pen, line, size);
        }
        line += size + (line[size] == '\n');
    }
}

/* All phases, as far as there is room from view->first on; below them other failures,
 * in a third of the rows at most. */
static void put_lists(pare_reduce_view *view, pare_grid *grid, const struct area *area)
{
    const size_t others = view->n_others < area->rows / 3 ? view->n_others : area->rows / 3;
    struct area phases = *area, rest = *area;
    phases.rows -= (unsigned)others;
    rest.row += phases.rows;
    rest.rows = (unsigned)others;
    view->rows = phases.rows;
    const size_t shown = phases.rows ? phases.rows - 1 : 0;
    if (view->first + shown > view->n_phases)
        view->first = view->n_phases > shown ? view->n_phases - shown : 0;
    put_phases(view, grid, &phases, view->first);
    put_others(view, grid, &rest);
}

/* ---- all ------------------------------------------------------------------------------------------ */

/* Takes `rows` from the top of what is left. */
static struct area take(struct area *left, size_t rows)
{
    struct area taken = *left;
    taken.rows = rows < left->rows ? (unsigned)rows : left->rows;
    left->row += taken.rows;
    left->rows -= taken.rows;
    return taken;
}

/* How many rows the slots need, at least 1 and at most `most`; with other machines one
 * cell more, for put_machines. */
static size_t rows_of_slots(const pare_reduce_view *view, unsigned columns, size_t most)
{
    const unsigned a_row = columns / SLOT_COLUMNS ? columns / SLOT_COLUMNS : 1;
    const size_t cells = view->jobs + view->machine_slots + (view->machines > 0);
    const size_t needed = (cells + a_row - 1) / a_row;
    return needed < 1 ? 1 : needed < most ? needed : most;
}

/* Divides the body, from the top: each part gets what it needs, up to a share that
 * grows with the height; what is left is the best's.  With WIDE_COLUMNS the best has
 * the right side for itself. */
static void put_main(pare_reduce_view *view, pare_grid *grid, struct area body)
{
    const bool is_wide = body.columns >= WIDE_COLUMNS, is_high = body.rows >= 14;
    struct area side = body, best = body;
    if (is_wide) {
        side.columns = SIDE_COLUMNS;
        best.column += SIDE_COLUMNS + 1;
        best.columns -= SIDE_COLUMNS + 1;
    }
    const unsigned rows = side.rows;
    /* At 24 rows of body there is room for a curve of 6; up to 13 everything but the
     * best has one row. */
    struct area curve = take(&side, rows >= 24 ? 6 : is_high ? 3 : 1);
    struct area slots = take(&side, rows_of_slots(view, side.columns, is_high ? 3 : 1));
    const size_t most = is_wide ? side.rows / 2 : rows >= 24 ? 9 : 5;
    struct area phases = take(&side, !is_high                    ? 0
                                     : view->n_phases + 1 < most ? view->n_phases + 1
                                                                 : most);
    struct area others = take(&side, rows < 8                    ? 0
                                     : view->n_others < rows / 8 ? view->n_others
                                                                 : rows / 8);
    put_curve(view, grid, &curve);
    put_slots(view, grid, &slots);
    put_phases(view, grid, &phases, SIZE_MAX);
    put_others(view, grid, &others);
    put_best(view, grid, is_wide ? &best : &side);
}

/* Pages other than the main one take the rows of its head, too, but for the title. */
void pare_reduce_view_draw(pare_reduce_view *view, pare_grid *grid)
{
    if (!grid->cells || !grid->rows || !grid->columns) return;
    put_title(view, grid);
    struct area body = {.row = HEAD_ROWS, .columns = grid->columns};
    if (view->page != PARE_VIEW_MAIN) body.row = 1;
    if (grid->rows > body.row + FOOT_ROWS) body.rows = grid->rows - body.row - FOOT_ROWS;
    if (view->page == PARE_VIEW_HELP) {
        put_text(view, HELP, grid, &body);
    } else if (view->page == PARE_VIEW_PRINTED) {
        put_text(view,
                 *view->printed ? view->printed
                                : "o shows the last lines that the next test prints: nothing yet\n",
                 grid, &body);
    } else if (view->page == PARE_VIEW_LIST) {
        put_lists(view, grid, &body);
    } else {
        put_phase(view, grid);
        if (!view->is_reading) {
            pare_reduce_view_compare(view);
            put_keeping(view, grid);
            put_main(view, grid, body);
        }
    }
    put_message(view, grid);
    put_keys(view, grid);
}
