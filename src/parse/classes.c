/* Every end of an interval begins a class. */
#include "parse/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t bisect(const pare_classes *classes, uint32_t point)
{
    uint32_t low = 0, high = classes->n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (classes->starts[middle] <= point)
            low = middle;
        else
            high = middle;
    }
    return low;
}

pare_status pare_classes_init(pare_classes *classes, const pare_interval *intervals, size_t n,
                              pare_error *err)
{
    memset(classes, 0, sizeof *classes);
    uint32_t *starts = pare_alloc(2 * n + 1, sizeof *starts);
    if (!starts) return pare_fail_nomem(err);
    size_t n_starts = 0;
    starts[n_starts++] = 0;
    for (size_t i = 0; i < n; i++) {
        starts[n_starts++] = intervals[i].from;
        starts[n_starts++] = intervals[i].to + 1;
    }
    qsort(starts, n_starts, sizeof *starts, by_value);
    for (size_t i = 0; i < n_starts; i++) {
        if (i == 0 || starts[i] != starts[classes->n - 1]) starts[classes->n++] = starts[i];
    }
    classes->starts = starts;
    for (uint32_t i = 0; i < PARE_CLASSES_DIRECT; i++)
        classes->direct[i] = bisect(classes, i);
    return PARE_OK;
}

void pare_classes_done(pare_classes *classes)
{
    pare_release(classes->starts);
    memset(classes, 0, sizeof *classes);
}

uint32_t pare_classes_find(const pare_classes *classes, uint32_t point)
{
    return point < PARE_CLASSES_DIRECT ? classes->direct[point] : bisect(classes, point);
}
