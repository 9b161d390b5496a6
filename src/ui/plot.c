/* The size of the best over tests or time as a step plot in SVG, and the scales of its axes.
 *
 * Coordinates of the SVG are 0 .. SPAN in both directions, y downwards; the page places the labels
 * by the same shares of width and height, as text of its own, so that the drawing can be stretched
 * without stretching letters.  The curve is steps, not lines: between two gains the size does not
 * change.  The size gets a logarithmic scale when it spans more than PARE_PLOT_LOG, because a
 * linear one would show the second half of most reductions as a flat line.
 *
 * Cost: O(points), of which at most PARE_PLOT_POINTS are drawn. */
#include "ui/plot.h"

#include <assert.h>
#include <math.h>

#include <pare/result.h>

#include "ui/format.h"

/* Units of the drawing in both directions. */
enum { SPAN = 1000 };

/* What is drawn, and the scales that all parts of the drawing share. */
struct plot {
    const pare_stats *stats;
    pare_plot_axis axis;
    pare_scale x, y;
};

/* ---- scales ---------------------------------------------------------------------- */

/* The same as pare_plot_step for seconds, from a minute on in minutes, hours, days. */
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

/* As precise as the step between two labels needs, in the unit that it has. */
static void add_seconds(pare_html *html, double seconds, double step)
{
    if (seconds == 0)
        pare_html_raw(html, "0");
    else if (step < 1)
        pare_html_format(html, "%.*f s", (int)fmin(6, ceil(-log10(step) - 1e-9)), seconds);
    else if (step < 60)
        pare_html_format(html, "%.0f s", seconds);
    else if (step < 3600)
        pare_html_format(html, "%.0f min", seconds / 60);
    else
        pare_html_format(html, "%.0f h", seconds / 3600);
}

/* Hidden from screen readers, which get the curve in words instead. */
static void add_labels(pare_html *html, const struct plot *plot)
{
    char text[PARE_FORMAT_BYTES];
    pare_html_raw(html, "<div class=\"ys\" aria-hidden=\"true\">");
    for (size_t i = 0; i < plot->y.n_ticks; i++)
        pare_html_format(html, "<span style=\"bottom:%.2f%%\">%s</span>",
                         100 * pare_plot_place(&plot->y, plot->y.tick[i]),
                         pare_format_size(text, (uint64_t)(plot->y.tick[i] + 0.5)));
    pare_html_raw(html, "</div><div class=\"xs\" aria-hidden=\"true\">");
    double step = plot->x.n_ticks > 1 ? plot->x.tick[1] : plot->x.most;
    for (size_t i = 0; i < plot->x.n_ticks; i++) {
        pare_html_format(html, "<span style=\"left:%.2f%%\">",
                         100 * pare_plot_place(&plot->x, plot->x.tick[i]));
        if (plot->axis == PARE_PLOT_TIME)
            add_seconds(html, plot->x.tick[i], step);
        else
            pare_html_raw(html, pare_format_count(text, (uint64_t)plot->x.tick[i]));
        pare_html_raw(html, "</span>");
    }
    pare_html_raw(html, "</div>");
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

/* The curve in words. */
static void tell(pare_html *html, const struct plot *plot)
{
    char in[PARE_FORMAT_BYTES], out[PARE_FORMAT_BYTES];
    pare_html_format(html, "From %s to %s", pare_format_size(in, plot->stats->bytes_in),
                     pare_format_size(out, plot->stats->bytes_out));
    tell_point(html, plot, "half", 0.5);
    tell_point(html, plot, "nine tenths", 0.1);
    pare_html_raw(html, ".");
}

/* The steps are drawn twice: as an area to the bottom, and as the line on top of it. */
void pare_plot_add(pare_html *html, const pare_stats *stats, pare_plot_axis axis)
{
    const char *name = axis == PARE_PLOT_TESTS ? "tests" : "time";
    struct plot plot = {.stats = stats, .axis = axis};
    set_scales(&plot);
    pare_html_format(html, "<figure class=\"plot by-%s\">\n<div class=\"frame\">", name);
    pare_html_format(html,
                     "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\""
                     " aria-labelledby=\"t-%s d-%s\"><title id=\"t-%s\">Size over %s</title>"
                     "<desc id=\"d-%s\">",
                     SPAN, SPAN, name, name, name, name, name);
    tell(html, &plot);
    pare_html_raw(html, "</desc>");
    add_grid(html, &plot);
    pare_html_raw(html, "<path class=\"area\" d=\"");
    add_steps(html, &plot);
    pare_html_format(html, "V%dH0Z\"/><path class=\"curve\" d=\"", SPAN);
    add_steps(html, &plot);
    pare_html_raw(html, "\"/></svg>");
    add_labels(html, &plot);
    pare_html_format(html, "</div>\n<figcaption>Size%s over %s. ",
                     plot.y.logarithmic ? " (logarithmic)" : "",
                     axis == PARE_PLOT_TESTS ? "tests that were run" : "time");
    tell(html, &plot);
    pare_html_raw(html, "</figcaption>\n</figure>\n");
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
