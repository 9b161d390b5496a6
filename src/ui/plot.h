/* The size over tests, and over time, as steps in a plot, with a band for each phase.
 *
 * The curve is SVG that is stretched to the width there is; around it the labels of the axes are
 * not, so that they can be read on any screen.  The size has a logarithmic scale when it spans more
 * than PARE_PLOT_LOG.  One thread. */
#ifndef PARE_UI_PLOT_H
#define PARE_UI_PLOT_H

#include <stddef.h>
#include <stdint.h>

#include <pare/result.h>

#include "ui/best_log.h"
#include "ui/html.h"

enum {
    PARE_PLOT_LOG = 30,     /* times the result, from which on the scale is logarithmic */
    PARE_PLOT_POINTS = 800, /* of the curve at most */
    PARE_PLOT_SPAN = 1000,  /* units of a drawing in both directions, y downwards */
    PARE_PLOT_BANDS = 200   /* drawn at most; narrower ones are one */
};

typedef enum pare_plot_axis { PARE_PLOT_TESTS, PARE_PLOT_TIME } pare_plot_axis;

/* A phase, from where it begins to where the next one does.  Bands ascend. */
typedef struct pare_plot_band {
    const char *name; /* from outside; borrowed */
    uint64_t tests;
    double seconds;
} pare_plot_band;

/* What is drawn.  All borrowed. */
typedef struct pare_plot {
    const pare_stats *stats;
    const pare_plot_band *bands; /* n_bands of them */
    size_t n_bands;
    pare_plot_axis axis;
    const pare_best *passing; /* n_passing of them: of an isolation the passing side, which is drawn
                                 beside the failing one; else NULL */
    size_t n_passing;
} pare_plot;

/* Adds a <figure class="plot">, with a description of the curve in words. */
void pare_plot_add(pare_html *html, const pare_plot *plot);

/* Adds the section on how a result came about: both plots, and the bests that the page's script goes
 * through with a slider, or both sides of an isolation.  `log` may be NULL: then there are neither stripes nor bests. */
void pare_plot_add_history(pare_html *html, const pare_stats *stats, const pare_best_log *log);

/* Begins the drawing of a plot, of which `title` (ours) is the name and what follows up to
 * pare_plot_begin_lines the description; `id` is ours, and once in the page. */
void pare_plot_begin(pare_html *html, const char *id, const char *title);
void pare_plot_begin_lines(pare_html *html); /* what follows is in units of PARE_PLOT_SPAN */
void pare_plot_end_lines(pare_html *html);   /* what follows are labels */
void pare_plot_end(pare_html *html);

/* Opens the label at `place` (0 .. 1) of an axis; "</text>" closes it. */
void pare_plot_begin_x(pare_html *html, double place);
void pare_plot_begin_y(pare_html *html, double place);

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
