/* Words that announce a failure, found in a program's output at memory speed.
 *
 * Most output says nothing of interest; the few words that may (marker table in
 * markers.c) are looked for all at once, without regard to case.
 * Source: Wu and Manber, "A fast algorithm for multi-pattern searching", University of
 * Arizona TR-94-17, 1994, with blocks of three bytes.  Deviation: the step is fixed, so
 * that no look at the text waits for the one before; every marker is so long that each of
 * its occurrences has a block of its beginning at a place that is looked at.  Immutable
 * once made; any thread. */
#ifndef PARE_RUN_MARKERS_H
#define PARE_RUN_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a marker announces, and so who reads its line. */
typedef enum pare_marker_kind {
    PARE_MARKER_MESSAGE,    /* an assertion, an internal error */
    PARE_MARKER_SANITIZER,  /* "AddressSanitizer" and its like */
    PARE_MARKER_RUNTIME,    /* "runtime error", of the undefined behaviour sanitizer */
    PARE_MARKER_TRACEBACK,  /* Python's */
    PARE_MARKER_EXCEPTION,  /* Java's */
    PARE_MARKER_PANICKED,   /* Rust's */
    PARE_MARKER_PANIC,      /* Go's */
    PARE_MARKER_DIAGNOSTIC, /* the word of a severity, see diagnostic.h */
    PARE_MARKER_REJECTION   /* a sign of invalid input; `sign` is its number */
} pare_marker_kind;

enum {
    PARE_MARKERS_BLOCKS = 4096,
    PARE_MARKERS_MAX = 60,
    PARE_MARKERS_WINDOW = 6, /* bytes; no marker is shorter */
    PARE_MARKERS_STEP = 4    /* bytes; so many blocks are in a window */
};

typedef struct pare_markers {
    uint8_t first[PARE_MARKERS_BLOCKS]; /* by hash: 1 + 4 * marker + offset; 0: none */
    uint8_t next[PARE_MARKERS_MAX * PARE_MARKERS_STEP]; /* another one of the same hash */
} pare_markers;

typedef struct pare_marker {
    size_t at; /* where it begins, in the text */
    pare_marker_kind kind;
    unsigned sign;
} pare_marker;

void pare_markers_init(pare_markers *markers);

/* Finds the first marker that begins at `from` or behind it; false if there is none.
 * Cost: about 0.3 ns a byte. */
bool pare_markers_find(const pare_markers *markers, const char *text, size_t size, size_t from,
                       pare_marker *marker);

#endif
