/* Several curves in one plot, with a legend.
 *
 * As in plot.h: SVG that is stretched to the width there is, labels that are text of the page.
 * Curves differ by colour and by dashes.  The style sheet is in shootout_page.c.  One thread. */
#ifndef PARE_SHOOTOUT_LINE_PLOT_H
#define PARE_SHOOTOUT_LINE_PLOT_H

#include "ui/html.h"

enum { PARE_LINE_PLOT_STYLES = 8 }; /* of curves; more begin again */

/* n points; x ascends. */
typedef struct pare_series {
    const char *name; /* outside text */
    const double *x, *y;
    size_t n;
    unsigned style; /* 0 stands out */
} pare_series;

typedef enum pare_line_values {
    PARE_LINE_SHARE, /* of 1: written as percents */
    PARE_LINE_BYTES,
    PARE_LINE_FACTOR /* written as "2 x" */
} pare_line_values;

typedef enum pare_line_shape { PARE_LINE_STEPS, PARE_LINE_STRAIGHT } pare_line_shape;

typedef struct pare_line_plot {
    const char *id;      /* unique in the page; ours */
    const char *title;   /* ours */
    const char *caption; /* ours, after the legend; NULL: none */
    const pare_series *series;
    size_t n_series;
    pare_line_values values; /* of y; logarithmic unless FACTOR.  x is a count from 1 on */
    pare_line_shape shape;
} pare_line_plot;

/* Adds a <figure class="plot lines">; nothing when there is no point. */
void pare_line_plot_add(pare_html *html, const pare_line_plot *plot);

#endif
