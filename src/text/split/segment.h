/* Segments: what stands between two separators of one level, groups included.
 *
 * A group alone is seldom what can go: with `"key": {..},` the key and the comma must go
 * with it, with `if (a) {..}` the keyword.  Joining the units of one level of brackets
 * (bracket.h) into segments makes the members, arguments and statements of most notations
 * units without knowing any of them. */
#ifndef PARE_TEXT_SPLIT_SEGMENT_H
#define PARE_TEXT_SPLIT_SEGMENT_H

#include "text/split/bracket.h"

/* To which of its neighbours a comma belongs.  In `[a, b, c]` neither can delete every
 * member: with the comma behind, the last stays; with the comma before, the first. */
typedef enum pare_comma {
    PARE_COMMA_BEHIND, /* "a," " b," " c" */
    PARE_COMMA_BEFORE  /* "a" ", b" ", c" */
} pare_comma;

/* Joins slices that touch up to the next separator: a comma, a semicolon or a line end,
 * with the line end behind it.  A segment is never blank alone where something follows it.
 * The slices must be those of one level of the tree of `bytes`.  O(slices), no memory. */
void pare_segment_join(pare_slices *slices, const unsigned char *bytes, pare_comma comma);

#endif
