/* The size of the best over tests or time as a step plot in SVG, and the scales of its axes.
 *
 * A drawing is an SVG in an SVG: the inner one has coordinates 0 .. SPAN in both directions and is
 * stretched, the outer one has no coordinates of its own, so that labels are placed by shares of its
 * width and height, and letters are not stretched.  Nothing has a style attribute, which the policy
 * of a page forbids (frame.h).  The curve is steps, not lines: between two gains the size does not
 * change.  The size gets a logarithmic scale when it spans more than PARE_PLOT_LOG, because a
 * linear one would show the second half of most reductions as a flat line.
 *
 * The bests of the run are data for the script: lists of lists in a script element that is no script
 * (application/json): {"first": text, "phases": [name, ...], "bests": [[tests, seconds, bytes, phase,
 * [[at, removed, text], ...], n], ...]}; of an isolation these are its failing sides, and "passing"
 * has "first" and "bests" of the other.  Texts are bytes in base64, of which no markup can be made; the
 * edits of a best make it of the one before.  Without the script there is a table of some of them.
 *
 * Cost: O(points), of which at most PARE_PLOT_POINTS are drawn. */
#include "ui/plot.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <pare/result.h>

#include "base/alloc.h"
#include "ui/format.h"
#include "ui/frame.h"

/* Units of the drawing in both directions. */
enum { SPAN = PARE_PLOT_SPAN };

/* What is drawn, and the scales that all parts of the drawing share. */
struct plot {
    const pare_stats *stats;
    const pare_plot *asked;
    pare_plot_axis axis;
    pare_scale x, y;
};

/* ---- scales ---------------------------------------------------------------------- */

/* A step between labels of a time axis of `range` seconds: as pare_plot_step up to 150
 * s, then the least round number of minutes, hours or days of which at most five make
 * the range. */
static double time_step(double range)
{
    static const double step[] = {60,   120,  300,   600,   1200,  1800,
                                  3600, 7200, 14400, 21600, 43200, 86400};
    /* Up to two and a half minutes seconds read better than half minutes. */
    if (range <= 150) return pare_plot_step(range);
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        if (step[i] * 5 >= range) return step[i];
    }
    return 86400 * ceil(range / 86400 / 5);
}

/* Scales begin and end at values above 0 whatever was measured: a run without a test, or an empty
 * result, must not divide by zero. */
static void set_scales(struct plot *plot)
{
    const pare_stats *stats = plot->stats;
    double in = (double)stats->bytes_in, out = (double)stats->bytes_out;
    /* The axis goes to the end of the run, not to the last gain: the flat end of a curve is a
     * part of it.  A resumed run has points of tests that it did not run itself, so the last
     * point may lie beyond. */
    double end = plot->axis == PARE_PLOT_TESTS ? (double)stats->tests_run : stats->wall_s;
    const pare_curve_point *last = stats->n_curve ? &stats->curve[stats->n_curve - 1] : NULL;
    double last_at = !last                           ? 0
                     : plot->axis == PARE_PLOT_TESTS ? (double)last->tests
                                                     : last->seconds;
    if (end < last_at) end = last_at;
    if (!(end > 0)) end = 1;
    /* The passing side grows, and may be the larger one at either end. */
    for (size_t i = 0; i < plot->asked->n_passing; i++) {
        in = fmax(in, (double)plot->asked->passing[i].size_bytes);
        out = fmin(out, (double)plot->asked->passing[i].size_bytes);
    }
    if (in < 1) in = 1;
    if (out < 1) out = 1;
    if (plot->axis == PARE_PLOT_TESTS)
        pare_plot_linear(&plot->x, end, fmax(1, pare_plot_step(end)));
    else
        pare_plot_linear(&plot->x, end, time_step(end));
    if (in > out * PARE_PLOT_LOG)
        pare_plot_logarithmic(&plot->y, out, in);
    else
        pare_plot_linear(&plot->y, in, fmax(1, pare_plot_step(in)));
}

/* ---- labels ---------------------------------------------------------------------- */

/* A label of the time axis: as precise as the step between two labels needs, in the
 * unit that it has: "0.25 s", "30 s", "20 min", "6 h". */
static void add_seconds(pare_html *html, double seconds, double step)
{
    if (seconds == 0)
        pare_html_raw(html, "0");
    else if (step < 1)
        /* Decimals of the step: 2 for 0.05.  The hair less is for powers of ten, of
         * which the logarithm is not exact. */
        pare_html_format(html, "%.*f s", (int)fmin(6, ceil(-log10(step) - 1e-9)), seconds);
    else if (step < 60)
        pare_html_format(html, "%.0f s", seconds);
    else if (step < 3600)
        pare_html_format(html, "%.0f min", seconds / 60);
    else
        pare_html_format(html, "%.0f h", seconds / 3600);
}

void pare_plot_begin_x(pare_html *html, double place)
{
    pare_html_format(html, "<text class=\"x\" x=\"%.2f%%\" y=\"100%%\" dy=\"1.5em\">", 100 * place);
}

void pare_plot_begin_y(pare_html *html, double place)
{
    pare_html_format(html, "<text class=\"y\" y=\"%.2f%%\" dx=\"-.7em\" dy=\".35em\">",
                     100 - 100 * place);
}

/* Of both axes. */
static void add_labels(pare_html *html, const struct plot *plot)
{
    char text[PARE_FORMAT_BYTES];
    for (size_t i = 0; i < plot->y.n_ticks; i++) {
        pare_plot_begin_y(html, pare_plot_place(&plot->y, plot->y.tick[i]));
        pare_html_format(html, "%s</text>",
                         pare_format_size(text, (uint64_t)(plot->y.tick[i] + 0.5)));
    }
    /* The second label is one step from the first, which is 0. */
    double step = plot->x.n_ticks > 1 ? plot->x.tick[1] : plot->x.most;
    for (size_t i = 0; i < plot->x.n_ticks; i++) {
        pare_plot_begin_x(html, pare_plot_place(&plot->x, plot->x.tick[i]));
        if (plot->axis == PARE_PLOT_TIME)
            add_seconds(html, plot->x.tick[i], step);
        else
            pare_html_raw(html, pare_format_count(text, (uint64_t)plot->x.tick[i]));
        pare_html_raw(html, "</text>");
    }
}

/* ---- bands ----------------------------------------------------------------------- */

enum {
    LETTERS = 110 /* of a label that fit above a plot of the usual width */
};

/* Where band `i` begins, 0 .. 1; that after the last is the end. */
static double band_place(const struct plot *plot, size_t i)
{
    const pare_plot *asked = plot->asked;
    if (i >= asked->n_bands) return 1;
    const pare_plot_band *band = &asked->bands[i];
    return pare_plot_place(&plot->x,
                           plot->axis == PARE_PLOT_TESTS ? (double)band->tests : band->seconds);
}

/* The end of the stretch that begins with band `i`: the next band, if it can be told
 * from this one; else the first that begins a PARE_PLOT_BANDS-th of the width further
 * on.  So at most PARE_PLOT_BANDS are drawn. */
static size_t band_end(const struct plot *plot, size_t i)
{
    size_t end = i + 1;
    while (end < plot->asked->n_bands &&
           band_place(plot, end) - band_place(plot, i) < 1.0 / PARE_PLOT_BANDS)
        end++;
    return end;
}

/* Every other stretch is shaded; the name of each is shown when it is pointed at, that
 * of several narrow ones as "NAME and 3 more". */
static void add_bands(pare_html *html, const struct plot *plot)
{
    size_t n = 0;
    for (size_t i = 0, end; i < plot->asked->n_bands; i = end, n++) {
        end = band_end(plot, i);
        const double from = band_place(plot, i), to = band_place(plot, end);
        pare_html_format(html,
                         "<rect class=\"band%s\" x=\"%.1f\" width=\"%.1f\" height=\"%d\"><title>",
                         n % 2 ? "" : " even", SPAN * from, SPAN * (to - from), SPAN);
        pare_html_text(html, plot->asked->bands[i].name);
        if (end > i + 1) pare_html_format(html, " and %zu more", end - i - 1);
        pare_html_raw(html, "</title></rect>");
    }
}

/* The names of bands in which they fit.  An SVG of its own cuts one that does not on a small
 * screen. */
static void add_band_names(pare_html *html, const struct plot *plot)
{
    for (size_t i = 0, end; i < plot->asked->n_bands; i = end) {
        end = band_end(plot, i);
        const char *name = plot->asked->bands[i].name;
        const double from = band_place(plot, i), to = band_place(plot, end);
        /* A share of the width is as many letters as it is of a plot that has room for
         * LETTERS. */
        if (end > i + 1 || (to - from) * LETTERS < (double)strlen(name)) continue;
        pare_html_format(html,
                         "<svg class=\"clip\" x=\"%.2f%%\" width=\"%.2f%%\" height=\"1.6em\">"
                         "<text x=\".4em\" y=\"1.2em\">",
                         100 * from, 100 * (to - from));
        pare_html_text(html, name);
        pare_html_raw(html, "</text></svg>");
    }
}

/* ---- the curve ------------------------------------------------------------------- */

/* Coordinates of the SVG. */
static double x_of(const struct plot *plot, const pare_curve_point *point)
{
    double value = plot->axis == PARE_PLOT_TESTS ? (double)point->tests : point->seconds;
    return SPAN * pare_plot_place(&plot->x, value);
}

/* Upside down: SVG counts from the top. */
static double y_of(const struct plot *plot, size_t bytes)
{
    return SPAN - SPAN * pare_plot_place(&plot->y, (double)bytes);
}

/* Adds the steps, from the left edge to the right one. */
static void add_steps(pare_html *html, const struct plot *plot)
{
    const pare_stats *stats = plot->stats;
    /* A long run has more gains than pixels: every stride-th is drawn, and the last. */
    size_t stride = 1 + stats->n_curve / PARE_PLOT_POINTS;
    /* From the size of the input, which is no point of the curve: points are gains. */
    pare_html_format(html, "M0 %.1f", y_of(plot, stats->bytes_in));
    for (size_t i = 0; i < stats->n_curve; i++) {
        const pare_curve_point *point = &stats->curve[i];
        if (i % stride && i + 1 < stats->n_curve) continue;
        pare_html_format(html, "H%.1fV%.1f", x_of(plot, point), y_of(plot, point->bytes));
    }
    pare_html_format(html, "H%d", SPAN);
}

/* The passing side of an isolation: a line alone, without an area, since it is no part
 * of the other.  Its first point is where it begins, and not a gain. */
static void add_passing(pare_html *html, const struct plot *plot)
{
    const pare_plot *asked = plot->asked;
    if (!asked->n_passing) return;
    assert(asked->passing && asked->n_passing <= PARE_BEST_LOG_MOST);
    pare_html_format(html, "<path class=\"curve passing\" d=\"M0 %.1f",
                     y_of(plot, asked->passing[0].size_bytes));
    for (size_t i = 1; i < asked->n_passing; i++) {
        const pare_best *side = &asked->passing[i];
        const pare_curve_point point = {.tests = side->tests, .seconds = side->seconds};
        pare_html_format(html, "H%.1fV%.1f", x_of(plot, &point), y_of(plot, side->size_bytes));
    }
    pare_html_format(html, "H%d\"/>", SPAN);
}

/* A line for each label, all in one path. */
static void add_grid(pare_html *html, const struct plot *plot)
{
    pare_html_raw(html, "<path class=\"grid\" d=\"");
    for (size_t i = 0; i < plot->y.n_ticks; i++)
        pare_html_format(html, "M0 %.1fH%d",
                         SPAN - SPAN * pare_plot_place(&plot->y, plot->y.tick[i]), SPAN);
    for (size_t i = 0; i < plot->x.n_ticks; i++)
        pare_html_format(html, "M%.1f 0V%d", SPAN * pare_plot_place(&plot->x, plot->x.tick[i]),
                         SPAN);
    pare_html_raw(html, "\"/>");
}

/* When the size was down to `share` of the input for the first time; NULL: never. */
static const pare_curve_point *first_below(const pare_stats *stats, double share)
{
    for (size_t i = 0; i < stats->n_curve; i++) {
        if ((double)stats->curve[i].bytes <= share * (double)stats->bytes_in)
            return &stats->curve[i];
    }
    return NULL;
}

/* Nothing if it never got so small. */
static void tell_point(pare_html *html, const struct plot *plot, const char *what, double share)
{
    char text[PARE_FORMAT_BYTES];
    const pare_curve_point *point = first_below(plot->stats, share);
    if (!point) return;
    pare_html_format(html, "; %s was gone after %s", what,
                     plot->axis == PARE_PLOT_TESTS ? pare_format_tests(text, point->tests)
                                                   : pare_format_duration(text, point->seconds));
}

/* The curve in words, for those who do not see it: "From 60 kB to 45 bytes; half was
 * gone after 120 tests; nine tenths was gone after 340 tests."  Of an isolation both
 * curves. */
static void tell(pare_html *html, const struct plot *plot)
{
    char in[PARE_FORMAT_BYTES], out[PARE_FORMAT_BYTES];
    const pare_plot *asked = plot->asked;
    pare_html_format(html, "From %s to %s", pare_format_size(in, plot->stats->bytes_in),
                     pare_format_size(out, plot->stats->bytes_out));
    tell_point(html, plot, "half", 0.5);
    tell_point(html, plot, "nine tenths", 0.1);
    if (asked->n_passing)
        pare_html_format(html, "; the passing side from %s to %s",
                         pare_format_size(in, asked->passing[0].size_bytes),
                         pare_format_size(out, asked->passing[asked->n_passing - 1].size_bytes));
    pare_html_raw(html, ".");
}

/* The drawing is named by its title and described by what follows, which screen readers
 * read. */
void pare_plot_begin(pare_html *html, const char *id, const char *title)
{
    pare_html_format(html,
                     "<div class=\"frame\"><svg role=\"img\" aria-labelledby=\"t-%s d-%s\">"
                     "<title id=\"t-%s\">%s</title><desc id=\"d-%s\">",
                     id, id, id, title, id);
}

/* The inner SVG, which is stretched in both directions: lines only, since letters would
 * be stretched as well. */
void pare_plot_begin_lines(pare_html *html)
{
    pare_html_format(html,
                     "</desc><svg class=\"lines\" viewBox=\"0 0 %d %d\" "
                     "preserveAspectRatio=\"none\">",
                     SPAN, SPAN);
}

void pare_plot_end_lines(pare_html *html)
{
    pare_html_raw(html, "</svg>");
}

void pare_plot_end(pare_html *html)
{
    pare_html_raw(html, "</svg></div>\n");
}

/* The steps are drawn twice: as an area to the bottom, and as the line on top of it. */
void pare_plot_add(pare_html *html, const pare_plot *asked)
{
    const char *name = asked->axis == PARE_PLOT_TESTS ? "tests" : "time";
    struct plot plot = {.stats = asked->stats, .asked = asked, .axis = asked->axis};
    set_scales(&plot);
    pare_html_format(html, "<figure class=\"plot by-%s\" data-most=\"%.6g\">\n", name, plot.x.most);
    pare_plot_begin(html, name,
                    plot.axis == PARE_PLOT_TESTS ? "Size over tests" : "Size over time");
    tell(html, &plot);
    pare_plot_begin_lines(html);
    add_bands(html, &plot);
    add_grid(html, &plot);
    pare_html_raw(html, "<path class=\"area\" d=\"");
    add_steps(html, &plot);
    pare_html_format(html, "V%dH0Z\"/><path class=\"curve\" d=\"", SPAN);
    add_steps(html, &plot);
    pare_html_raw(html, "\"/>");
    add_passing(html, &plot);
    pare_plot_end_lines(html);
    add_band_names(html, &plot);
    add_labels(html, &plot);
    pare_plot_end(html);
    pare_html_format(html, "<figcaption>Size%s%s over %s%s. ",
                     asked->n_passing ? " of the failing side, and dashed of the passing one," : "",
                     plot.y.logarithmic ? " (logarithmic)" : "",
                     plot.axis == PARE_PLOT_TESTS ? "tests that were run" : "time",
                     asked->n_bands > 1 ? "; each stripe is a phase" : "");
    tell(html, &plot);
    pare_html_raw(html, "</figcaption>\n</figure>\n");
}

/* ---- the section -------------------------------------------------------------------- */

enum { MOST_ROWS = 30 /* of the table of bests */ };

/* ---- plots --------------------------------------------------------------------------- */

/* Both plots are in the page; two radio buttons choose between them by CSS.  Radio buttons work
 * without a script, also in a mail program. */
static void add_plots(pare_html *html, const pare_plot *drawn)
{
    /* Labels that can be clicked; tests first: they are the same on every machine. */
    pare_html_raw(html, "<input type=\"radio\" name=\"axis\" class=\"axis\" id=\"by-tests\" "
                        "checked=\"checked\"/><label for=\"by-tests\">over tests</label>\n"
                        "<input type=\"radio\" name=\"axis\" class=\"axis\" id=\"by-time\"/>"
                        "<label for=\"by-time\">over time</label>\n");
    pare_plot plot = *drawn;
    plot.axis = PARE_PLOT_TESTS;
    pare_plot_add(html, &plot);
    plot.axis = PARE_PLOT_TIME;
    pare_plot_add(html, &plot);
}

/* Owned, but for the names; NULL when memory is out, or there are none. */
static pare_plot_band *bands_of(const pare_best_log *log, size_t *n)
{
    *n = 0;
    const pare_best_phase *phases = log ? pare_best_log_phases(log, n) : NULL;
    pare_plot_band *bands = *n ? pare_alloc(*n, sizeof *bands) : NULL;
    for (size_t i = 0; bands && i < *n; i++)
        bands[i] = (pare_plot_band){
            .name = phases[i].name, .tests = phases[i].tests, .seconds = phases[i].seconds};
    return bands;
}

/* ---- bests --------------------------------------------------------------------------- */

/* As a JSON string, by RFC 4648. */
static void add_base64(pare_html *html, const unsigned char *bytes, size_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    pare_html_raw(html, "\"");
    for (size_t at = 0; at < size; at += 3) {
        const size_t n = size - at < 3 ? size - at : 3;
        /* Three bytes are four letters of six bits; what is missing at the end is '='. */
        const unsigned group = (unsigned)bytes[at] << 16 |
                               (n > 1 ? (unsigned)bytes[at + 1] << 8 : 0) |
                               (n > 2 ? bytes[at + 2] : 0U);
        const char text[] = {letters[group >> 18], letters[group >> 12 & 63],
                             n > 1 ? letters[group >> 6 & 63] : '=',
                             n > 2 ? letters[group & 63] : '=', '\0'};
        pare_html_raw(html, text);
    }
    pare_html_raw(html, "\"");
}

/* How this best comes of the one before it: [[at, removed, text], ...]. */
static void add_best_edits(pare_html *html, const pare_best_log *log, const pare_best *best)
{
    const pare_best_edit *edits = pare_best_log_edits(log);
    for (size_t i = 0; i < best->n_edits; i++) {
        const pare_best_edit *edit = &edits[best->edit + i];
        pare_html_format(html, "%s[%zu,%zu,", i ? "," : "", edit->at, edit->removed);
        add_base64(html, edit->size ? pare_best_log_text(log) + edit->text : NULL, edit->size);
        pare_html_raw(html, "]");
    }
}

/* The first text of a log, and how each next one comes of it. */
static void add_side(pare_html *html, const pare_best_log *log)
{
    size_t n;
    const pare_best *bests = pare_best_log_bests(log, &n);
    pare_html_raw(html, "\"first\":");
    add_base64(html, pare_best_log_first(log), bests[0].size_bytes);
    pare_html_raw(html, ",\n\"bests\":[");
    for (size_t i = 0; i < n; i++) {
        pare_html_format(html, "%s[%" PRIu64 ",%.3f,%zu,%zu,[", i ? ",\n" : "", bests[i].tests,
                         bests[i].seconds, bests[i].size_bytes, bests[i].phase);
        add_best_edits(html, log, &bests[i]);
        pare_html_format(html, "],%" PRIu64 "]", bests[i].n);
    }
    pare_html_raw(html, "]");
}

/* Everything that the slider shows. */
static void add_data(pare_html *html, const pare_best_log *log)
{
    size_t n_phases;
    const pare_best_phase *phases = pare_best_log_phases(log, &n_phases);
    pare_html_raw(html, "<script type=\"application/json\" id=\"bests\">{\"phases\":[");
    /* Only the first of each name is pointed to. */
    for (size_t i = 0; i < n_phases; i++) {
        pare_html_raw(html, i ? "," : "");
        pare_html_json_string(html, phases[i].first == i ? phases[i].name : "");
    }
    pare_html_raw(html, "],\n");
    add_side(html, log);
    if (pare_best_log_passing(log)) {
        pare_html_raw(html, ",\n\"passing\":{");
        add_side(html, pare_best_log_passing(log));
        pare_html_raw(html, "}");
    }
    pare_html_raw(html, "}</script>\n");
}

/* A walk over what a run stood on: its bests, or both sides of an isolation, of which each test moves
 * one at most. */
struct steps {
    const pare_best *failing, *passing; /* as they are at the step */
    size_t n_failing, n_passing;        /* that are still to come, them included; 0: none */
};

/* Whether `passing` has moved last. */
static bool is_passing_last(const struct steps *at)
{
    return at->n_passing && at->passing->n > at->failing->n;
}

/* The first step, at which both sides are known. */
static struct steps steps_begin(const pare_best_log *log)
{
    struct steps at = {0};
    const pare_best_log *passing = pare_best_log_passing(log);
    at.failing = pare_best_log_bests(log, &at.n_failing);
    if (passing) at.passing = pare_best_log_bests(passing, &at.n_passing);
    return at;
}

/* Goes on to the next step, which is the move of that side whose test came first;
 * false: that was the last. */
static bool steps_next(struct steps *at)
{
    const bool failing = at->n_failing > 1, passing = at->n_passing > 1;
    if (!failing && !passing) return false;
    if (failing && (!passing || at->failing[1].n < at->passing[1].n)) {
        at->failing++;
        at->n_failing--;
    } else {
        at->passing++;
        at->n_passing--;
    }
    return true;
}

/* How many steps there are; 0 where nothing was logged, or only one of two sides, so
 * that nobody need look at NULL. */
static size_t count_steps(const pare_best_log *log)
{
    struct steps at = steps_begin(log);
    size_t n = at.n_failing > 0;
    if (!at.n_failing || (pare_best_log_passing(log) && !at.n_passing)) return 0;
    while (steps_next(&at))
        n++;
    return n;
}

/* The row of a step; `name` is that of the phase which made it. */
static void add_row(pare_html *html, const struct steps *at, const char *name)
{
    const pare_best *last = is_passing_last(at) ? at->passing : at->failing;
    char text[PARE_FORMAT_BYTES];
    pare_html_raw(html, "<tr><th scope=\"row\">");
    pare_html_text(html, name);
    pare_html_format(html, "</th><td>%s</td>", pare_format_count(text, last->tests));
    pare_html_format(html, "<td class=\"w\">%s</td>", pare_format_duration(text, last->seconds));
    if (at->n_passing)
        pare_html_format(html, "<td>%s</td>", pare_frame_size(text, at->passing->size_bytes));
    pare_html_format(html, "<td>%s</td></tr>\n", pare_frame_size(text, at->failing->size_bytes));
}

/* A row for at most some MOST_ROWS of the steps, evenly chosen; the last one is the
 * result. */
static void add_table(pare_html *html, const pare_best_log *log, size_t n)
{
    size_t n_phases, i = 0;
    const pare_best_phase *phases = pare_best_log_phases(log, &n_phases);
    const size_t stride = 1 + n / MOST_ROWS;
    struct steps at = steps_begin(log);
    pare_frame_begin_fold(html, at.n_passing ? "Both sides on the way" : "Bests on the way");
    pare_html_raw(html,
                  "<table>\n<thead><tr><th scope=\"col\">Phase</th><th scope=\"col\">Tests</th>"
                  "<th scope=\"col\" class=\"w\">Time</th>");
    pare_html_raw(html, at.n_passing ? "<th scope=\"col\">Passes</th><th scope=\"col\">Fails</th>"
                                     : "<th scope=\"col\">Size</th>");
    pare_html_raw(html, "</tr></thead>\n<tbody>\n");
    do {
        const size_t phase = is_passing_last(&at) ? at.passing->phase : at.failing->phase;
        /* The first step is what the run began with, which no phase has made. */
        const char *name = i && phase < n_phases ? phases[phase].name : "";
        if (i % stride == 0 || i + 1 == n) add_row(html, &at, name);
        i++;
    } while (steps_next(&at));
    pare_html_raw(html, "</tbody>\n</table>\n");
    pare_frame_end_fold(html);
}

/* Without a log there are the curves of the statistics alone.  One best is no way: then
 * there is neither table nor slider. */
void pare_plot_add_history(pare_html *html, const pare_stats *stats, const pare_best_log *log)
{
    size_t n_bands, n = 0, n_passing = 0;
    const pare_best_log *passing = log ? pare_best_log_passing(log) : NULL;
    const pare_best *sides = passing ? pare_best_log_bests(passing, &n_passing) : NULL;
    pare_plot_band *bands = bands_of(log, &n_bands);
    /* bands_of gives NULL for none as well as for no memory; the number tells which. */
    if (n_bands && !bands) html->status = PARE_E_NOMEM;
    pare_frame_begin_section(html, "size", "How it came about", PARE_FRAME_SHORT);
    add_plots(html, &(pare_plot){.stats = stats,
                                 .bands = bands,
                                 .n_bands = bands ? n_bands : 0,
                                 .passing = sides,
                                 .n_passing = n_passing});
    if (log) n = count_steps(log);
    if (n > 1) {
        /* The script puts the slider here. */
        pare_html_raw(html, "<div id=\"history\"></div>\n");
        add_table(html, log, n);
        add_data(html, log);
    }
    pare_frame_end_section(html);
    pare_alloc_free(bands);
}

/* Linear and logarithmic scales. */

/* The share of the way from the least to the most, 0 to 1; values beyond them are put at the
 * ends. */
double pare_plot_place(const pare_scale *scale, double value)
{
    double least = scale->least, most = scale->most;
    if (value < least) value = least;
    if (value > most) value = most;
    if (scale->logarithmic) return log(value / least) / log(most / least);
    return (value - least) / (most - least);
}

/* The smallest step of 1, 2 or 5 times a power of ten that makes at most five of the range. */
double pare_plot_step(double range)
{
    static const double factor[] = {1, 2, 5, 10};
    assert(range > 0);
    /* The largest power of ten of which more than five make the range, or just five. */
    double power = pow(10, floor(log10(range / 5)));
    for (size_t i = 0; i < 3; i++) {
        /* A hair less than the range, because powers of ten are not exact. */
        if (factor[i] * power * 5 >= range * 0.999) return factor[i] * power;
    }
    return factor[3] * power;
}

/* From 0, with a label at each step up to the end. */
void pare_plot_linear(pare_scale *scale, double most, double step)
{
    assert(most > 0 && step > 0);
    *scale = (pare_scale){.most = most};
    for (int i = 0; i < PARE_SCALE_TICKS && step * i <= most * 1.0001; i++)
        scale->tick[scale->n_ticks++] = step * i;
}

/* From the power of ten at or below `least`; at most about six labels, so over many decades each
 * stands for several. */
void pare_plot_logarithmic(pare_scale *scale, double least, double most)
{
    double first = pow(10, floor(log10(least) + 1e-9));
    double decades = ceil(log10(most / first));
    double factor = pow(10, ceil(decades / 6));
    *scale = (pare_scale){.least = first, .most = most, .logarithmic = true};
    double tick = first;
    while (tick <= most && scale->n_ticks < PARE_SCALE_TICKS) {
        scale->tick[scale->n_ticks++] = tick;
        tick *= factor;
    }
}
