/* Code points: out of bytes that may be anything, and in classes.
 *
 * Decoding replaces each maximal malformed part by one U+FFFD, so that what is decoded does
 * not depend on where a reader started, and every byte belongs to one code point.
 *
 * Classes: every end of an interval begins one, so n intervals give at most 2n + 1 classes;
 * an automaton or a chart over classes is as exact as one over code points, and needs a few
 * dozen columns instead of 1,114,112.  Looking one up is a table for the first 256 code
 * points, bisection for the others.
 * Source: The Unicode Standard, table 3-7 (well-formed byte sequences). */
#include "parse/code_point.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/halving.h"

/* Length of the sequence that `lead` opens, and the range that its second byte must be in; 0:
 * it opens none.  The range excludes forms that are too long, surrogates, and what is beyond
 * U+10FFFF. */
static size_t sequence(unsigned char lead, unsigned char *least, unsigned char *most)
{
    *least = 0x80;
    *most = 0xBF;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    if (lead < 0xE0) return 2;
    if (lead == 0xE0) *least = 0xA0;
    if (lead == 0xED) *most = 0x9F;
    if (lead < 0xF0) return 3;
    if (lead == 0xF0) *least = 0x90;
    if (lead == 0xF4) *most = 0x8F;
    return 4;
}

/* A malformed part is as long as the longest beginning of a sequence that it holds. */
size_t pare_code_point_decode(const char *bytes, size_t size, uint32_t *point)
{
    assert(size > 0);
    unsigned char lead = (unsigned char)bytes[0], least, most;
    *point = lead;
    if (lead < 0x80) return 1;
    *point = PARE_CODE_POINT_REPLACEMENT;
    size_t length = sequence(lead, &least, &most);
    if (length == 0) return 1;
    uint32_t value = lead & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        unsigned char next = i < size ? (unsigned char)bytes[i] : 0;
        /* After the end, the byte 0 is in no range. */
        if (next < least || next > most) return i;
        value = value << 6 | (next & 0x3Fu);
        least = 0x80;
        most = 0xBF;
    }
    *point = value;
    return length;
}

/* --- classes --------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The class of a code point: the last one that begins at it or before it. */
static uint32_t bisect(const pare_code_point_classes *classes, uint32_t point)
{
    pare_halving search = {.low = 1, .high = classes->n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, classes->starts[search.middle] <= point);
    return (uint32_t)(search.low - 1);
}

/* Beginnings may coincide; the sorted array is thinned out in place. */
pare_status pare_code_point_classes_init(pare_code_point_classes *classes,
                                         const pare_interval *intervals, size_t n, pare_error *err)
{
    memset(classes, 0, sizeof *classes);
    uint32_t *starts = pare_alloc(2 * n + 1, sizeof *starts);
    if (!starts) return pare_fail_nomem(err);
    size_t n_starts = 0;
    starts[n_starts++] = 0;
    for (size_t i = 0; i < n; i++) {
        starts[n_starts++] = intervals[i].from;
        /* The number after the largest code point begins a class that no code point is in. */
        starts[n_starts++] = intervals[i].to + 1;
    }
    qsort(starts, n_starts, sizeof *starts, by_value);
    for (size_t i = 0; i < n_starts; i++) {
        if (i == 0 || starts[i] != starts[classes->n - 1]) starts[classes->n++] = starts[i];
    }
    assert(starts[0] == 0);
    classes->starts = starts;
    for (uint32_t i = 0; i < PARE_CODE_POINT_CLASSES_DIRECT; i++)
        classes->direct[i] = bisect(classes, i);
    return PARE_OK;
}

void pare_code_point_classes_done(pare_code_point_classes *classes)
{
    pare_alloc_free(classes->starts);
    memset(classes, 0, sizeof *classes);
}

uint32_t pare_code_point_classes_find(const pare_code_point_classes *classes, uint32_t point)
{
    return point < PARE_CODE_POINT_CLASSES_DIRECT ? classes->direct[point] : bisect(classes, point);
}
