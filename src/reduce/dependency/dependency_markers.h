/* Line markers of preprocessed C and C++ (`# 12 "file.h" 3`): which part of a text is of a system header.
 *
 * Of what stands in a system header a compiler says no warning, and fewer errors.  A marker is no node, so it
 * goes with the declarations around it; then a program's own code may follow a header's marker, and its warning,
 * which has to stay, is not said any more.  So where a text that is printed passes from the one to the other,
 * and the marker that said so went, that marker is printed again.  One that says that an included file has ended
 * is an error for clang where no marker said before that it began: it is printed without that flag. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_MARKERS_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

/* One line, its end included. */
typedef struct pare_dependency_marker {
    uint32_t begin, end;
    uint32_t flag; /* where " 1" or " 2" is, 2 bytes; 0: there is neither */
    bool enters;   /* it is 1: a file begins */
    bool system;   /* what follows is of a system header */
    bool main;     /* or of the file that was preprocessed: the one of the first marker */
} pare_dependency_marker;

/* All-zero: none.  In the order of the text. */
typedef struct pare_dependency_markers {
    pare_dependency_marker *at; /* owned */
    size_t n, capacity;
} pare_dependency_markers;

/* Whether a line marker begins at `at` of `bytes`, before `end`: a line of `#`, a blank and a number. */
bool pare_dependency_is_marker(const unsigned char *bytes, size_t at, size_t end);

/* Adds all markers of the text to *out, which is empty.  O(size).  Errors: PARE_E_NOMEM; *out is to be given to
 * done in any case. */
PARE_CHECK pare_status pare_dependency_markers_find(const unsigned char *bytes, size_t size,
                                                    pare_dependency_markers *out, pare_error *err);
/* Whether they tell which part of the text of `size` bytes is of the file that was preprocessed, and it is a small one:
 * at most a quarter. */
bool pare_dependency_markers_tell_main(const pare_dependency_markers *markers, size_t size);

/* Whether the byte is of that file.  *next is 0 at first; asked of later and later bytes. */
bool pare_dependency_markers_in_main(const pare_dependency_markers *markers, uint32_t at,
                                     size_t *next);
void pare_dependency_markers_done(pare_dependency_markers *markers); /* all-zero is a no-op */

/* A way through the text, of which slices are printed in order.  All-zero but for the markers: at its begin. */
typedef struct pare_dependency_markers_walk {
    const pare_dependency_markers *markers; /* borrowed */
    size_t next;                            /* the first one that was not passed */
    size_t next_flag;                       /* the same of pare_dependency_markers_orphan */
    size_t depth;                           /* files that have begun and not ended */
    bool is_printed_system;                 /* what was said last in the printed text */
} pare_dependency_markers_walk;

/* The bytes from .. to-1 are printed next: the marker that has to be printed before them, or NULL. */
const pare_dependency_marker *pare_dependency_markers_step(pare_dependency_markers_walk *walk,
                                                           const unsigned char *bytes, size_t from,
                                                           size_t to);

/* Of the markers in the bytes from .. to-1, which are printed next, the first that ends a file which has not begun
 * in the printed text, or NULL; asked again from its end on. */
const pare_dependency_marker *pare_dependency_markers_orphan(pare_dependency_markers_walk *walk,
                                                             size_t from, size_t to);

#endif
