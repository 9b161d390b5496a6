/* Classes of code points that no interval of a language tells apart. */
#ifndef PARE_PARSE_CLASSES_H
#define PARE_PARSE_CLASSES_H

#include "grammar/grammar.h"

#include <pare/export.h>
#include <pare/status.h>

enum { PARE_CLASSES_DIRECT = 256 };

/* Class 0 .. n-1.  Immutable once built; its owner calls pare_classes_done. */
typedef struct pare_classes {
    uint32_t *starts; /* ascending first code points; class c is starts[c] .. starts[c+1]-1 */
    uint32_t n;
    uint32_t direct[PARE_CLASSES_DIRECT]; /* classes of the first code points */
} pare_classes;

/* Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_classes_init(pare_classes *classes, const pare_interval *intervals,
                                         size_t n, pare_error *err);
void pare_classes_done(pare_classes *classes);

/* O(log n) by bisection; small code points by table. */
uint32_t pare_classes_find(const pare_classes *classes, uint32_t point);

#endif
