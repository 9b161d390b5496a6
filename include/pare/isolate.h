/* Isolating a minimal difference between a failing and a passing input: Zeller's dd.
 * Source: Zeller and Hildebrandt, TSE 28(2), 2002, section 5 ("dd"); seed 001. */
#ifndef PARE_ISOLATE_H
#define PARE_ISOLATE_H

#include <pare/reduce.h>
#include <pare/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pare_isolate_options {
    size_t struct_bytes;      /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    const char *passing_path; /* or bytes in memory */
    const void *passing;
    size_t passing_bytes;
    const char *passing_output_path; /* NULL: memory only */
} pare_isolate_options;

typedef struct pare_isolated {
    pare_result failing;          /* the failing side, with the statistics */
    unsigned char *passing_bytes; /* owned; the passing side; NULL with an error */
    size_t passing_size_bytes;
    /* Differing units: of the last phase, in what differs by the units of the first one,
     * and of the phase that ran last, at the end. */
    size_t n_deltas_in, n_deltas;
} pare_isolated;

PARE_API void pare_isolated_done(pare_isolated *isolated);

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_isolate_sized(const pare_reduce_options *options,
                                                   size_t options_bytes,
                                                   const pare_isolate_options *isolate,
                                                   size_t isolate_bytes, pare_isolated *isolated,
                                                   pare_error *err);

/* Narrows the difference.  The inputs are compared in units (options->units: some of
 * line, token, char, byte, each over what the one before left; default line, then char).
 * options->input_path or ->input is the failing one; options->algorithms must be unset.
 * On PARE_OK with stats.minimal = PARE_MINIMAL_ONE the two sides differ by a 1-minimal set
 * of deltas: no single one can be given to the passing side, which would then still pass,
 * or be taken from the failing side, which would then still fail.  It is a single delta
 * when the test was never UNRESOLVED.
 * The failing side is written after each change, the passing one at the end.
 * Errors: as pare_reduce; PARE_E_STATE also when the passing input does not pass, or is
 * the failing one.
 * Cost: two tests for the inputs, then at least the logarithm of the number of deltas, at
 * worst its square. */
static inline PARE_CHECK pare_status pare_isolate(const pare_reduce_options *options,
                                                  const pare_isolate_options *isolate,
                                                  pare_isolated *isolated, pare_error *err)
{
    return pare_isolate_sized(options, sizeof *options, isolate, sizeof *isolate, isolated, err);
}

#ifdef __cplusplus
}
#endif

#endif
