/* The size over tests, and over time, as steps in a plot.
 *
 * The curve is SVG that is stretched to the width there is; the labels of the axes are
 * text of the page, so that they can be read on any screen.  The size has a logarithmic
 * scale when it spans more than PARE_PLOT_LOG.  One thread. */
#ifndef PARE_UI_PLOT_H
#define PARE_UI_PLOT_H

#include "ui/html.h"

#include <pare/result.h>

enum {
    PARE_PLOT_LOG = 30,    /* times the result, from which on the scale is logarithmic */
    PARE_PLOT_POINTS = 800 /* of the curve at most */
};

typedef enum pare_plot_axis { PARE_PLOT_TESTS, PARE_PLOT_TIME } pare_plot_axis;

/* Adds a <figure class="plot">, with a description of the curve in words. */
void pare_plot_add(pare_html *html, const pare_stats *stats, pare_plot_axis axis);

#endif
