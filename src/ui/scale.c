/* Linear and logarithmic scales. */
#include "ui/scale.h"

#include <math.h>

double pare_scale_place(const pare_scale *scale, double value)
{
    double least = scale->least, most = scale->most;
    if (value < least) value = least;
    if (value > most) value = most;
    if (scale->logarithmic) return log(value / least) / log(most / least);
    return (value - least) / (most - least);
}

double pare_scale_step(double range)
{
    static const double factor[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(range / 5)));
    for (size_t i = 0; i < 3; i++) {
        if (factor[i] * power * 5 >= range * 0.999) return factor[i] * power;
    }
    return factor[3] * power;
}

void pare_scale_linear(pare_scale *scale, double most, double step)
{
    *scale = (pare_scale){.most = most};
    for (int i = 0; i < PARE_SCALE_TICKS && step * i <= most * 1.0001; i++)
        scale->tick[scale->n_ticks++] = step * i;
}

void pare_scale_logarithmic(pare_scale *scale, double least, double most)
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
