/* Isolating a minimal difference between a failing and a passing input: Zeller's dd.
 * Source: Zeller and Hildebrandt, TSE 28(2), 2002, section 5 ("dd"); seed 001. */
#ifndef PARE_ISOLATE_H
#define PARE_ISOLATE_H

#include <pare/reduce.h>

typedef struct pare_isolate_options {
    const char *passing_path; /* or bytes in memory */
    const void *passing;
    size_t passing_bytes;
    const char *passing_output_path; /* NULL: memory only */
} pare_isolate_options;

typedef struct pare_isolated {
    pare_result failing;          /* the failing side, with the statistics */
    unsigned char *passing_bytes; /* owned; the passing side */
    size_t passing_size_bytes;
    size_t n_deltas_in, n_deltas; /* differing units, before and after */
} pare_isolated;

PARE_API void pare_isolated_done(pare_isolated *isolated);

/* Narrows the difference.  The inputs are compared in units (options->units: one of
 * line, token, char, byte; default line, then char).  options->input_path or ->input is
 * the failing one.  On PARE_OK the two sides differ by a 1-minimal set of deltas.
 * Errors: as pare_reduce; PARE_E_STATE also when the passing input does not pass. */
PARE_API PARE_CHECK pare_status pare_isolate(const pare_reduce_options *options,
                                             const pare_isolate_options *isolate,
                                             pare_isolated *isolated, pare_error *err);

#endif
