/* The lines of `pare fuzz top`: a title, the head of a list or page, its rows, a message, the keys.
 *
 * The lists scroll so that the chosen row is seen; a page scrolls by its own first line.  Lines are
 * made anew for each drawing: a screen has some dozens.  Cutting counts characters, as pare_sheet
 * does. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ui/format.h"
#include "ui/fuzz_top.h"
#include "ui/grid.h"
#include "ui/sheet.h"

/* Lines above the list (title, head) and below it (message, keys).  A NARROW screen has
 * shorter texts. */
enum { TOP_ROWS = 2, BOTTOM_ROWS = 2, LINE_BYTES = 512, NARROW = 76 /* columns */ };

static const char *const panel_names[PARE_FUZZ_TOP_N_PANELS] = {"findings", "jobs", "sources"};
static const char *const order_names[] = {"id",   "first seen", "last seen", "count",
                                          "size", "state",      "target"};

/* Continuation bytes of UTF-8 (10xxxxxx) go with the character that they belong to. */
size_t pare_fuzz_top_screen_cut(const char *text, size_t size, unsigned columns)
{
    size_t at = 0;
    for (unsigned n = 0; at < size; n++) {
        if (n == columns) return at;
        at++;
        while (at < size && ((unsigned char)text[at] & 0xC0) == 0x80)
            at++;
    }
    return size;
}

/* Where the lines of one screen go: `row` is the next one to be drawn, of `rows`. */
struct drawing {
    pare_fuzz_top *top;
    unsigned rows, columns, row;
    pare_fuzz_top_take take;
    void *context;
};

static void put(struct drawing *drawing, const char *text, size_t size, pare_style style,
                bool is_chosen)
{
    assert(drawing->row < drawing->rows);
    const pare_fuzz_top_line line = {.text = text,
                                     .size = pare_fuzz_top_screen_cut(text, size, drawing->columns),
                                     .style = style,
                                     .is_chosen = is_chosen};
    drawing->take(drawing->context, drawing->row++, &line);
}

/* How the campaign stands, in one line: "pare fuzz: running, 1,234 tests (98/s), 12
 * failing, 3 findings, 512 edges".  Edges and workers are told only where there are
 * any, the rate only while it runs. */
static void put_title(struct drawing *drawing)
{
    const pare_fuzz_top *top = drawing->top;
    char line[LINE_BYTES], tests[PARE_FORMAT_BYTES], failures[PARE_FORMAT_BYTES];
    char edges[PARE_FORMAT_BYTES], rate[PARE_FORMAT_BYTES];
    int n =
        snprintf(line, sizeof line, "%s%s, %s (%s), %s failing, %llu finding%s",
                 drawing->columns < NARROW ? "" : "pare fuzz: ",
                 !top->running ? "not running"
                 : top->paused ? "paused"
                               : "running",
                 pare_format_tests(tests, top->tests),
                 pare_format_rate(rate, top->running ? (uint64_t)(top->tests_per_s + 0.5) : 0, 1),
                 pare_format_count(failures, top->failures), (unsigned long long)top->n_findings,
                 top->n_findings == 1 ? "" : "s");
    if (top->edges && n > 0 && (size_t)n < sizeof line)
        (void)snprintf(line + n, sizeof line - (size_t)n, ", %s edges",
                       pare_format_count(edges, top->edges));
    n = (int)strlen(line);
    if (top->running && top->n_workers)
        (void)snprintf(line + n, sizeof line - (size_t)n, ", %u slot%s on %u worker%s",
                       top->n_worker_slots, top->n_worker_slots == 1 ? "" : "s", top->n_workers,
                       top->n_workers == 1 ? "" : "s");
    put(drawing, line, strlen(line), PARE_STYLE_BAR, false);
}

/* What stands above the rows.  The headings of lists are at the columns at which
 * fuzz_top.c begins the fields. */
static void put_head(struct drawing *drawing)
{
    static const char findings[] = "   ID STATE        COUNT BYTES        WHAT (TARGET)";
    static const char jobs[] = "   ID KIND     STATE     ABOUT             HOW FAR";
    static const char sources[] =
        "SOURCE        TARGET               TESTS      NOW    FAILING  FIRST    EDGES";
    const pare_fuzz_top *top = drawing->top;
    const char *text = top->mode == PARE_FUZZ_TOP_HELP       ? "KEYS"
                       : top->mode == PARE_FUZZ_TOP_VIEW     ? "ONE FINDING"
                       : top->panel == PARE_FUZZ_TOP_JOBS    ? jobs
                       : top->panel == PARE_FUZZ_TOP_SOURCES ? sources
                                                             : findings;
    put(drawing, text, strcspn(text, "\n"), PARE_STYLE_HEAD, false);
}

/* Draws `rows` rows of the list that is shown, after scrolling it as little as makes
 * the chosen row one of them.  Rows that the list does not have are drawn empty, so the
 * caller always gets as many.
 * With rows 4 .. 9 on the screen and the cursor on 11, the first row becomes 6; with
 * the cursor on 2 it becomes 2. */
static void put_list(struct drawing *drawing, unsigned rows)
{
    pare_fuzz_top_list *list = &drawing->top->lists[drawing->top->panel];
    size_t at = 0;
    while (at < list->n && list->rows[at].id != list->chosen)
        at++;
    if (at < list->first) list->first = at;
    if (at >= list->first + rows) list->first = at - rows + 1;
    if (list->first > list->n) list->first = 0;
    for (unsigned k = 0; k < rows; k++) {
        const size_t i = list->first + k;
        const pare_fuzz_top_row *row = i < list->n ? &list->rows[i] : NULL;
        /* The first row of an empty list says so. */
        const char *none = !list->n && k == 0 ? "nothing yet" : "";
        if (row)
            put(drawing, list->text.bytes.data + row->from, row->size, row->style, i == at);
        else
            put(drawing, none, strlen(none), PARE_STYLE_DIM, false);
    }
}

/* Draws `rows` lines of the page from `page_first` on; after its end there are empty
 * ones. */
static void put_page(struct drawing *drawing, unsigned rows)
{
    const char *line = pare_sheet_text(&drawing->top->page);
    for (size_t k = 0; k < drawing->top->page_first && *line; k++)
        line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
    for (unsigned k = 0; k < rows; k++) {
        const size_t size = strcspn(line, "\n");
        put(drawing, line, size, PARE_STYLE_PLAIN, false);
        line += size + (line[size] == '\n');
    }
}

/* What is typed into the prompt, after its question and with a "_" for the cursor; or
 * what came of the last key. */
static void put_message(struct drawing *drawing)
{
    static const char *const questions[] = {
        [PARE_FUZZ_TOP_FILTER] = "show only findings with: ",
        [PARE_FUZZ_TOP_MARK] = "mark as (new, reduced, reported, fixed, regressed, invalid): ",
        [PARE_FUZZ_TOP_REPORT] = "report to (folder, github, gitlab, bugzilla, section): ",
        [PARE_FUZZ_TOP_NOTE] = "note: "};
    const pare_fuzz_top *top = drawing->top;
    char line[LINE_BYTES];
    if (top->prompt)
        (void)snprintf(line, sizeof line, "%s%s_", questions[top->prompt],
                       top->typed.size ? top->typed.data : "");
    else
        (void)snprintf(line, sizeof line, "%s", top->message);
    put(drawing, line, strlen(line), top->prompt ? PARE_STYLE_FRESH : PARE_STYLE_PLAIN, false);
}

/* The keys that do something just here, and of a list how it is sorted and filtered. */
static void put_keys(struct drawing *drawing)
{
    const pare_fuzz_top *top = drawing->top;
    char line[LINE_BYTES], shown[PARE_FORMAT_BYTES];
    /* Where there is no room for all, the help and the way out are the last to go. */
    const bool is_narrow = drawing->columns < NARROW;
    if (top->prompt)
        (void)snprintf(line, sizeof line, "Enter does it, Escape does not");
    else if (top->mode != PARE_FUZZ_TOP_LIST)
        (void)snprintf(line, sizeof line, "Escape back  r reduce  v validate  R report  m mark");
    else
        (void)snprintf(
            line, sizeof line,
            is_narrow ? "? keys  q quit  Tab list  Enter look  %s by %s%s%s"
                      : "%s by %s%s%s  Tab list  Enter look  r reduce  v validate  ? keys  q quit",
            panel_names[top->panel], order_names[top->order], top->search.size ? " with " : "",
            top->search.size ? pare_format_name(shown, sizeof shown, top->search.data) : "");
    put(drawing, line, strlen(line), PARE_STYLE_BAR, false);
}

/* Every row is drawn once, from the top: title, head, `top->rows` rows, message, keys.
 * `top->rows` is kept for keys that move by a page. */
void pare_fuzz_top_screen_draw(pare_fuzz_top *top, unsigned rows, unsigned columns,
                               pare_fuzz_top_take take, void *context)
{
    if (rows < PARE_FUZZ_TOP_LEAST_ROWS) rows = PARE_FUZZ_TOP_LEAST_ROWS;
    struct drawing drawing = {
        .top = top, .rows = rows, .columns = columns, .take = take, .context = context};
    top->rows = rows - TOP_ROWS - BOTTOM_ROWS;
    put_title(&drawing);
    put_head(&drawing);
    if (top->mode == PARE_FUZZ_TOP_LIST)
        put_list(&drawing, top->rows);
    else
        put_page(&drawing, top->rows);
    put_message(&drawing);
    put_keys(&drawing);
    assert(drawing.row == drawing.rows && "each row was drawn, and once");
}
