/* The size over tests, and over time, as steps in a plot.
 *
 * The curve is SVG that is stretched to the width there is; the labels of the axes are
 * text of the page, so that they can be read on any screen.  The size has a logarithmic
 * scale when it spans more than PARE_PLOT_LOG.  One thread. */
#ifndef PARE_UI_PLOT_H
#define PARE_UI_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/result.h>

#include "ui/html.h"

enum {
    PARE_PLOT_LOG = 30,    /* times the result, from which on the scale is logarithmic */
    PARE_PLOT_POINTS = 800 /* of the curve at most */
};

typedef enum pare_plot_axis { PARE_PLOT_TESTS, PARE_PLOT_TIME } pare_plot_axis;

/* Adds a <figure class="plot">, with a description of the curve in words. */
void pare_plot_add(pare_html *html, const pare_stats *stats, pare_plot_axis axis);

/* One direction of a plot: which values it shows, and where it has labels. */

enum { PARE_SCALE_TICKS = 12 };

typedef struct pare_scale {
    double least, most;
    bool logarithmic;
    double tick[PARE_SCALE_TICKS];
    size_t n_ticks;
} pare_scale;

/* 0 .. 1 along the scale; what is outside is at its end. */
double pare_plot_place(const pare_scale *scale, double value);

/* From 0 to `most`, a label each `step`. */
void pare_plot_linear(pare_scale *scale, double most, double step);

/* From the decade of `least` to `most`; labels at decades, every second or third of them
 * where there are many. */
void pare_plot_logarithmic(pare_scale *scale, double least, double most);

/* The least round step (1, 2 or 5 times a power of ten) of which not more than five make
 * `range`, which is above 0. */
double pare_plot_step(double range);

#endif
