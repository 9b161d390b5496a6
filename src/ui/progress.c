/* What is seen while a reduction runs: a line that is redrawn, plain lines, or a line for each test.
 *
 * All three read events only and take the time from them, so that a recorded run prints the same
 * again.  The redrawn line is built of parts in the order of their worth; a part that
 * does not fit is left out, so the line never wraps (a wrapped line cannot be erased).  Plain
 * lines go to logs: few of them, when the size has halved or after a pause.
 *
 * The history of sizes is a ring without rotation: PARE_SPARKLINE_SAMPLES samples evenly spaced in
 * time; when full, the later of each pair stays and the spacing doubles, so memory is constant and
 * the whole run stays in view. */
#include "ui/progress.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <pare/events.h>
#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/visible.h"
#include "os/descriptor.h"
#include "ui/format.h"

enum {
    MAX_COLUMNS = 400, /* wider terminals get a line of this width */
    MAX_SPARK_COLUMNS = 32,
    MIN_SPARK_COLUMNS = 5, /* fewer bars say nothing */
    MIN_KEPT_COLUMNS = 12, /* less of a failure's name says nothing */
    MAX_KEPT_COLUMNS = 48,
    N_PARTS = 9,
    PART_BYTES = 224 /* of 48 columns of a failure's name four bytes each */
};

static const double REDRAW_S = 0.1;    /* least time between two redraws */
static const double GAIN_LINE_S = 5;   /* a plain line for any gain this long after the last */
static const double HALF_LINE_S = 0.5; /* and for a halving this long after it */
static const double ALIVE_LINE_S = 60; /* a plain line though nothing was gained */

struct pare_progress {
    pare_progress_options options;
    pare_sparkline spark;
    char phase[64], printed_phase[64];
    size_t phase_bytes; /* best when a phase was printed last */
    size_t best_bytes;
    double success_s;     /* when the best was last improved */
    double drawn_s;       /* when the line was last drawn or a plain line printed */
    size_t printed_bytes; /* best size in the last plain line */
    bool on_screen;       /* a redrawn line is being shown */
    bool has_passing;     /* the other side of an isolation was told of; of */
    size_t passing_bytes; /* so many */
};

/* drawn_s is negative until something was drawn: the first line comes at once. */
pare_status pare_progress_new(const pare_progress_options *options, pare_progress **out,
                              pare_error *err)
{
    pare_progress *progress = pare_alloc_zero(1, sizeof *progress);
    if (!progress) return pare_fail_nomem(err);
    progress->options = *options;
    progress->drawn_s = -1;
    *out = progress;
    return PARE_OK;
}

/* A line that is on the screen stays there; who wants it away calls pare_progress_erase. */
void pare_progress_free(pare_progress *progress)
{
    pare_alloc_free(progress);
}

/* Before anything else is printed: the line has no end of its own. */
void pare_progress_erase(pare_progress *progress)
{
    if (!progress->on_screen) return;
    fputs("\r\x1b[K", progress->options.out);
    fflush(progress->options.out);
    progress->on_screen = false;
}

/* --- the redrawn line ------------------------------------------------------- */

/* One column to spare: writing the last one would wrap on some terminals. */
static size_t columns_of(const pare_progress *progress)
{
    unsigned columns = progress->options.columns;
    /* Asked for each time, since the window may have changed. */
    if (columns == 0) columns = pare_descriptor_columns(fileno(progress->options.out));
    if (columns > MAX_COLUMNS) columns = MAX_COLUMNS;
    return columns > 1 ? columns - 1 : 1;
}

/* Parts with a name of their own, since one may have to go for the other.  Indices of
 * write_parts. */
enum { TESTS = 3, KEPT = 4 }; /* parts; KEPT takes what room there is */

/* What the line says, the most important first.  All parts are made, also those that do not
 * fit: which do is known only then. */
static void write_parts(const pare_progress *progress, const pare_event *event,
                        char part[N_PARTS][PART_BYTES])
{
    char a[PARE_FORMAT_BYTES], b[PARE_FORMAT_BYTES], c[PARE_FORMAT_BYTES];
    int size = snprintf(part[0], PART_BYTES, "%s of %s %s", pare_format_size(a, event->best_bytes),
                        pare_format_size(b, event->input_bytes),
                        pare_format_percent(c, event->best_bytes, event->input_bytes));
    if (progress->has_passing)
        snprintf(part[0] + size, PART_BYTES - (size_t)size, ", %s pass",
                 pare_format_size(a, progress->passing_bytes));
    snprintf(part[1], PART_BYTES, "%s", pare_format_duration(a, event->elapsed_s));
    snprintf(part[2], PART_BYTES, "%s", progress->phase);
    snprintf(part[TESTS], PART_BYTES, "%s", pare_format_tests(a, event->tests_run));
    snprintf(part[KEPT], PART_BYTES, "%s", "");
    part[5][0] = '\0';
    if (event->tests_left != UINT64_MAX)
        snprintf(part[5], PART_BYTES, "at most %s left", pare_format_tests(a, event->tests_left));
    snprintf(part[6], PART_BYTES, "gain %s ago",
             pare_format_duration(a, event->elapsed_s - progress->success_s));
    snprintf(part[7], PART_BYTES, "%s", pare_format_rate(a, event->tests_run, event->elapsed_s));
    int n = snprintf(part[8], PART_BYTES, "%u/%u busy", event->slots_busy,
                     event->jobs + event->machine_slots);
    if (event->machines)
        snprintf(part[8] + n, PART_BYTES - (size_t)n, " on %u machines", event->machines + 1);
}

/* Columns that the first `n` parts leave for one more.  Each of them takes two columns
 * more than its text: the gap after it. */
static size_t room_after(char part[N_PARTS][PART_BYTES], size_t n, size_t columns)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        if (*part[i]) used += pare_visible_width(part[i], strlen(part[i])) + 2;
    return columns > used ? columns - used : 0;
}

/* Puts the failure that is kept where the parts before it leave room, cut if need be.  It
 * matters more than the number of tests. */
static void write_kept(const char *keeping, pare_charset charset, size_t columns,
                       char part[N_PARTS][PART_BYTES])
{
    static const char head[] = "keeping ";
    enum { HEAD = sizeof head - 1 };
    if (!keeping) return;
    size_t room = room_after(part, KEPT, columns);
    if (room < HEAD + MIN_KEPT_COLUMNS) {
        room = room_after(part, TESTS, columns);
        if (room < HEAD + MIN_KEPT_COLUMNS) return;
        /* The number of tests gives way. */
        part[TESTS][0] = '\0';
    }
    room = (room < MAX_KEPT_COLUMNS ? room : MAX_KEPT_COLUMNS) - HEAD;
    /* Where not all of it fits, what it says in quotes tells most. */
    const char *quoted = strchr(keeping, '"');
    if (quoted && pare_visible_width(keeping, strlen(keeping)) > room) keeping = quoted;
    const size_t size = strlen(keeping);
    size_t shown = size;
    /* A line of ASCII shows the name up to its first byte that is none. */
    if (charset == PARE_ASCII)
        for (shown = 0; (unsigned char)keeping[shown] - 1u < 0x7f;)
            shown++;
    const bool is_whole = shown == size && pare_visible_width(keeping, size) <= room;
    memcpy(part[KEPT], head, HEAD);
    /* Less what the dots take. */
    (void)pare_visible_copy(part[KEPT] + HEAD, PART_BYTES - HEAD - 3, keeping, shown,
                            is_whole ? room : room - 3);
    if (!is_whole) (void)strcat(part[KEPT], "...");
}

/* Joins the parts that fit into `columns`, first come first served, with two
 * spaces between them.  Returns the columns of the line. */
static size_t join_parts(char part[N_PARTS][PART_BYTES], size_t columns, char *line)
{
    size_t at = 0, used = 0;
    for (size_t i = 0; i < N_PARTS; i++) {
        size_t length = strlen(part[i]), gap = at ? 2 : 0;
        size_t width = pare_visible_width(part[i], length);
        if (length == 0 || (at && used + gap + width > columns)) continue;
        /* Only the first part can be that long, which is ASCII: it is cut, so that there is
         * always one. */
        if (width > columns) length = width = columns;
        memset(line + at, ' ', gap);
        memcpy(line + at + gap, part[i], length);
        at += gap + length;
        used += gap + width;
    }
    line[at] = '\0';
    return used;
}

/* The line in one printf, with the rest of the row erased; bars take what room is left. */
static void draw_line(pare_progress *progress, const pare_event *event)
{
    char part[N_PARTS][PART_BYTES], line[4 * MAX_COLUMNS + 1], bars[3 * MAX_SPARK_COLUMNS + 1] = "";
    size_t columns = columns_of(progress);
    write_parts(progress, event, part);
    write_kept(event->keeping, progress->options.charset, columns, part);
    size_t used = join_parts(part, columns, line);
    /* After two spaces. */
    size_t room = columns > used + 2 ? columns - used - 2 : 0;
    if (room > MAX_SPARK_COLUMNS) room = MAX_SPARK_COLUMNS;
    if (room >= MIN_SPARK_COLUMNS)
        pare_progress_spark_draw(&progress->spark, room, progress->options.charset, bars);
    bool colored = progress->options.paint == PARE_COLORED && *bars;
    fprintf(progress->options.out, "\r%s%s%s%s%s\x1b[K", line, *bars ? "  " : "",
            colored ? "\x1b[32m" : "", bars, colored ? "\x1b[0m" : "");
    fflush(progress->options.out);
    progress->on_screen = true;
    progress->drawn_s = event->elapsed_s;
}

/* At most once in REDRAW_S of the events' time: a terminal is slower than a fast test. */
static void show_as_line(pare_progress *progress, const pare_event *event)
{
    if (event->kind == PARE_EVENT_END) {
        pare_progress_erase(progress);
        return;
    }
    if (progress->drawn_s < 0 || event->elapsed_s - progress->drawn_s >= REDRAW_S)
        draw_line(progress, event);
}

/* --- plain lines ------------------------------------------------------------ */

/* Flushed: a log is read while the run goes on.  The size comes first, since it is what people
 * look for in a log. */
static void print_size(pare_progress *progress, const pare_event *event)
{
    char best[PARE_FORMAT_BYTES], in[PARE_FORMAT_BYTES], share[PARE_FORMAT_BYTES];
    char tests[PARE_FORMAT_BYTES], time[PARE_FORMAT_BYTES], passing[PARE_FORMAT_BYTES];
    fprintf(progress->options.out, "%s of %s (%s) after %s, %s",
            pare_format_size(best, event->best_bytes), pare_format_size(in, event->input_bytes),
            pare_format_percent(share, event->best_bytes, event->input_bytes),
            pare_format_tests(tests, event->tests_run),
            pare_format_duration(time, event->elapsed_s));
    if (progress->has_passing)
        fprintf(progress->options.out, "; %s pass",
                pare_format_size(passing, progress->passing_bytes));
    fputc('\n', progress->options.out);
    fflush(progress->options.out);
    progress->printed_bytes = event->best_bytes;
    progress->drawn_s = event->elapsed_s;
}

/* Levels of brackets are phases of the same name: one line is enough. */
static void print_phase(pare_progress *progress, const pare_event *event)
{
    /* A phase over one unit has nothing to try. */
    if (event->n_units < 2 || strcmp(progress->phase, progress->printed_phase) == 0) return;
    memcpy(progress->printed_phase, progress->phase, sizeof progress->phase);
    char units[PARE_FORMAT_BYTES], size[PARE_FORMAT_BYTES];
    bool sized = event->input_bytes > 0; /* else the words of a command are reduced */
    fprintf(progress->options.out, "%s: %s units%s%s\n", progress->phase,
            pare_format_count(units, event->n_units), sized ? ", " : "",
            sized ? pare_format_size(size, event->best_bytes) : "");
    fflush(progress->options.out);
    progress->phase_bytes = event->best_bytes;
}

/* Whether a phase is news: the first one, or something went since the last that was. */
static bool is_news(const pare_progress *progress, const pare_event *event)
{
    return !*progress->printed_phase || event->best_bytes < progress->phase_bytes;
}

/* A gain matters when the size has halved, or when the last line is old. */
static bool matters(const pare_progress *progress, const pare_event *event)
{
    double since = event->elapsed_s - progress->drawn_s;
    /* Nothing was printed yet: the time since the start counts. */
    if (progress->drawn_s < 0) since = event->elapsed_s;
    if (since >= ALIVE_LINE_S) return true;
    if (event->best_bytes >= progress->printed_bytes) return false;
    return since >= GAIN_LINE_S ||
           (since >= HALF_LINE_S && event->best_bytes <= progress->printed_bytes / 2);
}

/* Lines for logs and pipes. */
static void show_plain(pare_progress *progress, const pare_event *event)
{
    if (event->kind == PARE_EVENT_START)
        progress->printed_bytes = event->input_bytes;
    else if (event->kind == PARE_EVENT_PHASE && is_news(progress, event))
        print_phase(progress, event);
    else if (event->kind != PARE_EVENT_PHASE && event->kind != PARE_EVENT_END &&
             matters(progress, event))
        print_size(progress, event);
}

/* --- a line for each test --------------------------------------------------- */

/* --verbose: every test that retires, in order, what it has moved of the passing side, and the phases. */
static void show_test(pare_progress *progress, const pare_event *event)
{
    FILE *out = progress->options.out;
    if (event->kind == PARE_EVENT_PHASE) print_phase(progress, event);
    if (event->kind == PARE_EVENT_PASSING)
        fprintf(out, "#%" PRIu64 " is the passing side, %zu bytes\n", event->n, event->size_bytes);
    if (event->kind != PARE_EVENT_TEST) return;
    bool colored = progress->options.paint == PARE_COLORED && event->accepted;
    fprintf(out, "%s#%" PRIu64 " %-10s %zu bytes", colored ? "\x1b[32m" : "", event->n,
            pare_outcome_name(event->outcome), event->size_bytes);
    if (event->from_cache)
        fputs(", cache", out);
    else
        fprintf(out, ", %.1f ms", event->test_ms);
    fprintf(out, "%s%s\n", event->accepted ? ", accepted" : "", colored ? "\x1b[0m" : "");
    fflush(out);
}

/* --- any mode --------------------------------------------------------------- */

/* Takes over what the event says about phase, best and time of the last gain.  Before anything
 * is shown, so that every mode sees the same history. */
static void note(pare_progress *progress, const pare_event *event)
{
    if (event->phase) pare_format_name(progress->phase, sizeof progress->phase, event->phase);
    bool gained = event->best_bytes < progress->best_bytes;
    /* A run that begins again, from a step of its history, has a time of its own. */
    if (event->kind == PARE_EVENT_START) {
        progress->spark.n = 0;
        progress->drawn_s = -1;
    }
    if (event->kind == PARE_EVENT_START || gained) progress->success_s = event->elapsed_s;
    if (event->kind == PARE_EVENT_PASSING) {
        progress->has_passing = true;
        progress->passing_bytes = event->size_bytes;
    }
    progress->best_bytes = event->best_bytes;
    pare_progress_spark_add(&progress->spark, event->elapsed_s, event->best_bytes);
}

/* The line while a large input is read: nothing else is known yet. */
static void show_reading(pare_progress *progress, const pare_event *event)
{
    char line[PART_BYTES], read[PARE_FORMAT_BYTES], in[PARE_FORMAT_BYTES];
    snprintf(line, sizeof line, "reading the input: %s of %s",
             pare_format_size(read, event->size_bytes), pare_format_size(in, event->input_bytes));
    fprintf(progress->options.out, "\r%.*s\x1b[K", (int)columns_of(progress), line);
    fflush(progress->options.out);
    progress->on_screen = true;
}

/* Warnings are printed by the caller (cli/console.c), in every mode; other notices in all modes
 * but the quiet one. */
void pare_progress_show(pare_progress *progress, const pare_event *event)
{
    if (event->kind == PARE_EVENT_READING) {
        if (progress->options.mode == PARE_PROGRESS_LINE) show_reading(progress, event);
        return;
    }
    note(progress, event);
    /* After the event was noted: the history is kept in every mode. */
    if (progress->options.mode == PARE_PROGRESS_QUIET || event->is_warning) return;
    if (event->notice && *event->notice) {
        char notice[PARE_ERROR_TEXT_BYTES];
        pare_progress_erase(progress);
        pare_format_sentence(progress->options.out,
                             pare_format_name(notice, sizeof notice, event->notice), 2, 0);
        fflush(progress->options.out); /* the next line may be a long time away */
    }
    switch (progress->options.mode) {
    case PARE_PROGRESS_LINE: show_as_line(progress, event); break;
    case PARE_PROGRESS_VERBOSE: show_test(progress, event); break;
    default: show_plain(progress, event); break;
    }
}

/* Sizes over time as bars of eight heights. */

/* The scale spans at least six octaves, from the first size down to a 64th of it, so that a
 * reduction that has hardly begun does not fill the height. */
enum { N_HEIGHTS = 8, OCTAVES_SHOWN = 6 };

/* The spacing of the samples at first; it doubles whenever the ring is full. */
static const double FIRST_SPACING_S = 0.1;

/* Binary logarithm, linear between powers of two: exact enough for 8 bars. */
static double rough_log2(uint64_t value)
{
    double octaves = 0;
    /* Eight octaves at once, as sizes of gigabytes would take thirty rounds else. */
    while (value >= (1u << 16)) {
        value >>= 8;
        octaves += 8;
    }
    /* value + 1, so that 0 has a logarithm: 0 of 0, 1 of 1, 2 of 3. */
    double rest = (double)(value + 1);
    while (rest >= 2) {
        rest /= 2;
        octaves += 1;
    }
    return octaves + rest - 1;
}

/* Keeps the later of each pair: the size only falls.  O(samples), and seldom: each time the
 * run has become twice as long. */
static void merge_pairs(pare_sparkline *line)
{
    for (size_t i = 0; i < PARE_SPARKLINE_SAMPLES / 2; i++)
        line->size[i] = line->size[2 * i + 1];
    line->n = PARE_SPARKLINE_SAMPLES / 2;
    line->spacing_s *= 2;
}

/* A sample is the last size in its stretch of time: it is written over until time has gone on to
 * the next slot, and slots in which nothing was told get the size that held. */
void pare_progress_spark_add(pare_sparkline *line, double elapsed_s, uint64_t size_bytes)
{
    if (line->n == 0) {
        line->spacing_s = FIRST_SPACING_S;
        line->size[0] = size_bytes;
        line->n = 1;
        return;
    }
    /* More than once after a long pause: each turn doubles the time that the ring spans. */
    while (elapsed_s >= line->spacing_s * PARE_SPARKLINE_SAMPLES) {
        /* Fill up with the size that held until now, then make room. */
        while (line->n < PARE_SPARKLINE_SAMPLES) {
            line->size[line->n] = line->size[line->n - 1];
            line->n++;
        }
        merge_pairs(line);
    }
    size_t slot = elapsed_s > 0 ? (size_t)(elapsed_s / line->spacing_s) : 0;
    while (line->n <= slot) {
        line->size[line->n] = line->size[line->n - 1];
        line->n++;
    }
    assert(line->n > 0 && line->n <= PARE_SPARKLINE_SAMPLES);
    line->size[line->n - 1] = size_bytes;
}

/* 0 .. N_HEIGHTS-1; `top` and `bottom` are logarithms, `top` the larger. */
static size_t height_of(uint64_t size, double top, double bottom)
{
    assert(top > bottom);
    double part = (rough_log2(size) - bottom) / (top - bottom);
    if (part <= 0) return 0;
    size_t height = (size_t)(part * N_HEIGHTS);
    return height < N_HEIGHTS ? height : N_HEIGHTS - 1;
}

/* The last sample is always the last bar, and with two bars or more the first is the
 * first; those between are chosen at even distances.  A logarithmic scale, as sizes
 * fall by factors. */
size_t pare_progress_spark_draw(const pare_sparkline *line, size_t columns, pare_charset charset,
                                char *text)
{
    static const char ascii[N_HEIGHTS + 1] = "_.-=+*#@";
    text[0] = '\0';
    if (line->n == 0 || columns == 0) return 0;
    size_t n = line->n < columns ? line->n : columns;
    double top = rough_log2(line->size[0]), bottom = rough_log2(line->size[line->n - 1]);
    if (bottom > top - OCTAVES_SHOWN) bottom = top - OCTAVES_SHOWN;
    char *at = text;
    for (size_t i = 0; i < n; i++) {
        size_t sample = n == 1 ? line->n - 1 : i * (line->n - 1) / (n - 1);
        size_t height = height_of(line->size[sample], top, bottom);
        if (charset == PARE_UTF8) {
            /* U+2581 .. U+2588 */
            memcpy(at, "\xe2\x96", 2);
            at[2] = (char)(0x81 + (int)height);
            at += 3;
        } else {
            *at++ = ascii[height];
        }
    }
    *at = '\0';
    return n;
}
