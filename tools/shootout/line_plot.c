/* Curves over a count.  x is logarithmic but for factors, where curves are compared with what
 * is ideal. */
#include "shootout/line_plot.h"

#include <math.h>

#include "ui/format.h"
#include "ui/plot.h"

enum { SPAN = PARE_PLOT_SPAN };

/* The two scales that all curves of a plot share. */
struct axes {
    pare_scale x, y;
};

/* ---- scales ---------------------------------------------------------------------- */

/* The least and the greatest of all values; false when there is none. */
static bool find_range(const pare_line_plot *plot, bool of_y, double *least, double *most)
{
    bool any = false;
    for (size_t i = 0; i < plot->n_series; i++) {
        const pare_series *series = &plot->series[i];
        for (size_t k = 0; k < series->n; k++) {
            double value = of_y ? series->y[k] : series->x[k];
            *least = any ? fmin(*least, value) : value;
            *most = any ? fmax(*most, value) : value;
            any = true;
        }
    }
    return any;
}

/* A logarithmic scale from a decade to a decade, at least one. */
static void set_decades(pare_scale *scale, double least, double most)
{
    double first = pow(10, floor(log10(least) + 1e-9)), last = pow(10, ceil(log10(most) - 1e-9));
    if (last <= first) last = first * 10;
    pare_plot_logarithmic(scale, first, last);
}

/* Factors get linear scales, beginning at nothing, so that twice as fast looks like it. False:
 * there is nothing to draw. */
static bool set_axes(const pare_line_plot *plot, struct axes *axes)
{
    double least = 0, most = 0;
    if (!find_range(plot, false, &least, &most)) return false;
    if (plot->values == PARE_LINE_FACTOR) {
        pare_plot_linear(&axes->x, most, fmax(1, pare_plot_step(most)));
        (void)find_range(plot, true, &least, &most);
        most = fmax(most, 1);
        pare_plot_linear(&axes->y, most, pare_plot_step(most));
        return true;
    }
    double end = fmax(most, 10);
    pare_plot_logarithmic(&axes->x, fmax(least, 1), end);
    (void)find_range(plot, true, &least, &most);
    set_decades(&axes->y, fmax(least, 1e-9), fmax(most, 1e-9));
    return true;
}

/* ---- parts ----------------------------------------------------------------------- */

/* As the values are counted: a share, bytes, or a factor. */
static void add_value(pare_html *html, const pare_line_plot *plot, double value)
{
    char text[PARE_FORMAT_BYTES];
    switch (plot->values) {
    case PARE_LINE_SHARE: pare_html_format(html, "%.6g %%", 100 * value); break;
    case PARE_LINE_BYTES:
        pare_html_raw(html, pare_format_size(text, (uint64_t)(value + 0.5)));
        break;
    case PARE_LINE_FACTOR: pare_html_format(html, "%.4g&#215;", value); break;
    }
}

/* Of both axes. */
static void add_labels(pare_html *html, const pare_line_plot *plot, const struct axes *axes)
{
    char text[PARE_FORMAT_BYTES];
    for (size_t i = 0; i < axes->y.n_ticks; i++) {
        pare_plot_begin_y(html, pare_plot_place(&axes->y, axes->y.tick[i]));
        add_value(html, plot, axes->y.tick[i]);
        pare_html_raw(html, "</text>");
    }
    for (size_t i = 0; i < axes->x.n_ticks; i++) {
        pare_plot_begin_x(html, pare_plot_place(&axes->x, axes->x.tick[i]));
        pare_html_format(html, "%s</text>", pare_format_count(text, (uint64_t)axes->x.tick[i]));
    }
}

/* The coordinate of the drawing, from the left. */
static double across(const struct axes *axes, double x)
{
    return SPAN * pare_plot_place(&axes->x, x);
}

/* From the top, as SVG counts. */
static double down(const struct axes *axes, double y)
{
    return SPAN - SPAN * pare_plot_place(&axes->y, y);
}

/* A line for each label, all in one path. */
static void add_grid(pare_html *html, const struct axes *axes)
{
    pare_html_raw(html, "<path class=\"grid\" d=\"");
    for (size_t i = 0; i < axes->y.n_ticks; i++)
        pare_html_format(html, "M0 %.1fH%d", down(axes, axes->y.tick[i]), SPAN);
    for (size_t i = 0; i < axes->x.n_ticks; i++)
        pare_html_format(html, "M%.1f 0V%d", across(axes, axes->x.tick[i]), SPAN);
    pare_html_raw(html, "\"/>");
}

/* Steps, which stay level until the next point, or straight lines. Points of a step that do not
 * change are left out, but for the last. */
static void add_curve(pare_html *html, const pare_line_plot *plot, const struct axes *axes,
                      size_t index)
{
    const pare_series *series = &plot->series[index];
    double last = -1;
    if (!series->n) return;
    pare_html_format(html, "<path class=\"s%zu\" d=\"M%.1f %.1f",
                     (size_t)series->style % PARE_LINE_PLOT_STYLES, across(axes, series->x[0]),
                     down(axes, series->y[0]));
    for (size_t i = 1; i < series->n; i++) {
        double x = across(axes, series->x[i]), y = down(axes, series->y[i]);
        if (plot->shape == PARE_LINE_STRAIGHT)
            pare_html_format(html, "L%.1f %.1f", x, y);
        else if (y != last || i + 1 == series->n)
            pare_html_format(html, "H%.1fV%.1f", x, y);
        last = y;
    }
    pare_html_raw(html, "\"/>");
}

/* Each curve in words: where it begins and ends. */
static void tell(pare_html *html, const pare_line_plot *plot)
{
    char text[PARE_FORMAT_BYTES];
    for (size_t i = 0; i < plot->n_series; i++) {
        const pare_series *series = &plot->series[i];
        if (!series->n) continue;
        pare_html_text(html, series->name);
        pare_html_raw(html, ": from ");
        add_value(html, plot, series->y[0]);
        pare_html_raw(html, " to ");
        add_value(html, plot, series->y[series->n - 1]);
        pare_html_format(html, " at %s. ",
                         pare_format_count(text, (uint64_t)series->x[series->n - 1]));
    }
}

static void add_legend(pare_html *html, const pare_line_plot *plot)
{
    pare_html_raw(html, "<ul class=\"legend\">");
    for (size_t i = 0; i < plot->n_series; i++) {
        pare_html_format(html,
                         "<li><svg viewBox=\"0 0 28 8\" aria-hidden=\"true\"><path class=\"s%zu\" "
                         "d=\"M0 4H28\"/></svg>",
                         (size_t)plot->series[i].style % PARE_LINE_PLOT_STYLES);
        pare_html_text(html, plot->series[i].name);
        pare_html_raw(html, "</li>");
    }
    pare_html_raw(html, "</ul>");
}

void pare_line_plot_add(pare_html *html, const pare_line_plot *plot)
{
    struct axes axes;
    if (!set_axes(plot, &axes)) return;
    pare_html_raw(html, "<figure class=\"plot lines\">\n");
    add_legend(html, plot);
    pare_plot_begin(html, plot->id, plot->title);
    tell(html, plot);
    pare_plot_begin_lines(html);
    add_grid(html, &axes);
    for (size_t i = 0; i < plot->n_series; i++)
        add_curve(html, plot, &axes, i);
    pare_plot_end_lines(html);
    add_labels(html, plot, &axes);
    pare_plot_end(html);
    if (plot->caption) {
        pare_html_raw(html, "<figcaption>");
        pare_html_raw(html, plot->caption);
        pare_html_raw(html, "</figcaption>\n");
    }
    pare_html_raw(html, "</figure>\n");
}
