/* Code points out of bytes that may be anything, and classes of them that no interval of a
 * language tells apart. */
#ifndef PARE_PARSE_CODE_POINT_H
#define PARE_PARSE_CODE_POINT_H

#include <stddef.h>
#include <stdint.h>

#include <pare/export.h>
#include <pare/status.h>

#include "grammar/grammar.h"

enum { PARE_CODE_POINT_REPLACEMENT = 0xFFFD };

/* Decodes the code point at bytes[0], of `size` >= 1 bytes, and returns how many bytes it
 * takes.  A malformed stretch (the longest beginning of a sequence that is not one) is one
 * U+FFFD, as the Unicode standard recommends and Java's reader does. */
size_t pare_code_point_decode(const char *bytes, size_t size, uint32_t *point);

enum { PARE_CODE_POINT_CLASSES_DIRECT = 256 };

/* Class 0 .. n-1.  Immutable once built; its owner calls pare_code_point_classes_done. */
typedef struct pare_code_point_classes {
    uint32_t *starts; /* ascending first code points; class c is starts[c] .. starts[c+1]-1 */
    uint32_t n;
    uint32_t direct[PARE_CODE_POINT_CLASSES_DIRECT]; /* classes of the first code points */
} pare_code_point_classes;

/* Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_code_point_classes_init(pare_code_point_classes *classes,
                                                    const pare_interval *intervals, size_t n,
                                                    pare_error *err);
void pare_code_point_classes_done(pare_code_point_classes *classes);

/* O(log n) by bisection; small code points by table. */
uint32_t pare_code_point_classes_find(const pare_code_point_classes *classes, uint32_t point);

#endif
