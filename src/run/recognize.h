/* Recognisers: from what a program printed to the signature of its failure.
 *
 * Most output says nothing of interest.  The few words that may announce a failure, the markers,
 * are searched for all at once; each one found is passed to the recogniser of its family, which
 * reads its line and may read on from there: messages (assertions, internal errors, the C library's
 * last words), sanitizers, tracebacks, diagnostics.  The first finding of a kind counts; for
 * chained exceptions the last one, which is the root cause.  Any thread. */
#ifndef PARE_RUN_RECOGNIZE_H
#define PARE_RUN_RECOGNIZE_H

#include <stdint.h>

#include "run/printed.h"
#include "run/signature.h"

enum {
    PARE_RECOGNIZER_BLOCKS = 4096,
    PARE_RECOGNIZER_MARKERS = 90, /* at most */
    PARE_RECOGNIZER_STEP = 3      /* bytes from one place that is looked at to the next */
};

/* The markers, hashed.  Immutable once made; with `ignored`, one thread. */
typedef struct pare_recognizer {
    uint16_t first[PARE_RECOGNIZER_BLOCKS]; /* by hash: 1 + STEP * marker + offset; 0: none */
    uint16_t next[PARE_RECOGNIZER_MARKERS * PARE_RECOGNIZER_STEP]; /* another of the same hash */
    const struct pare_pattern *const *ignored; /* frames that are passed over; borrowed, set after
                                                  init by who wants it */
    size_t n_ignored;
    const struct pare_pattern *const *ignored_lines; /* likewise: lines that announce nothing */
    size_t n_ignored_lines;
} pare_recognizer;

void pare_recognizer_init(pare_recognizer *recognizer);

struct pare_diagnostics;

/* What is in `seen`, as a signature; its `despite` are the signs of rejection shown.  The
 * problems that the program reports in words are added to *diagnostics, unless that is NULL.
 * Cost: about 0.3 ns a byte, below 50 us for 64 KiB (bench/bench_signature.c). */
pare_signature pare_recognize(const pare_recognizer *recognizer, const pare_observation *seen,
                              struct pare_diagnostics *diagnostics);

#endif
