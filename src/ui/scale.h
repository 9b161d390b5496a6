/* One direction of a plot: which values it shows, and where it has labels. */
#ifndef PARE_UI_SCALE_H
#define PARE_UI_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum { PARE_SCALE_TICKS = 12 };

typedef struct pare_scale {
    double least, most;
    bool logarithmic;
    double tick[PARE_SCALE_TICKS];
    size_t n_ticks;
} pare_scale;

/* 0 .. 1 along the scale; what is outside is at its end. */
double pare_scale_place(const pare_scale *scale, double value);

/* From 0 to `most`, a label each `step`. */
void pare_scale_linear(pare_scale *scale, double most, double step);

/* From the decade of `least` to `most`; labels at decades, every second or third of them
 * where there are many. */
void pare_scale_logarithmic(pare_scale *scale, double least, double most);

/* The least round step (1, 2 or 5 times a power of ten) of which not more than five make
 * `range`, which is above 0. */
double pare_scale_step(double range);

#endif
