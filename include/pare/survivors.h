/* What of an original is left in a result, byte by byte.
 *
 *     #include <stdio.h>
 *     #include <string.h>
 *
 *     #include <pare/survivors.h>
 *
 *     void show(const char *original, const char *result)
 *     {
 *         pare_survivors left = {0};
 *         if (pare_survivors_find(original, strlen(original), result, strlen(result), &left, NULL))
 *             return;
 *         for (size_t i = 0; i < left.n_runs; i++)
 *             printf("%.*s|", (int)left.runs[i].size, original + left.runs[i].original_at);
 *         pare_survivors_done(&left);
 *     }
 *
 * For showing a result beside its original.  A reduction does not keep where its bytes came
 * from (a journal may be resumed, a token rewritten), so the two texts are compared: the
 * tokens of the result are found in the original in as few runs as possible, and what is in
 * no such run is looked for byte by byte between the runs around it. */
#ifndef PARE_SURVIVORS_H
#define PARE_SURVIVORS_H

#include <stddef.h>

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `size` bytes (above 0) that are the same in both. */
typedef struct pare_survivor {
    size_t original_at, result_at, size;
} pare_survivor;

/* Runs ascend in both and overlap in neither.  All-zero: nothing is left. */
typedef struct pare_survivors {
    pare_survivor *runs; /* owned */
    size_t n_runs;
    size_t n_bytes; /* sum of their sizes; the other bytes of the result are new */
} pare_survivors;

PARE_API void pare_survivors_done(pare_survivors *survivors);

/* Finds them.  `result` should be the smaller one, but any two texts will do.  The same
 * texts give the same runs.  On PARE_OK the caller owns *out (all-zero before).
 * Cost: time in proportion to original_bytes times how often a token of the original
 * stands in the result: 7 s for 51 MB of C and 1.5 kB of it.  Above 1.6 * 10^9 pairs of
 * equal tokens the texts are compared by lines instead, within a budget as well.
 * Memory: 5 MB and 100 bytes for each token of the result; by lines 100 bytes for each line
 * of both.
 * Errors: PARE_E_LIMIT (a text is 4 GiB or more), PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_survivors_find(const void *original, size_t original_bytes,
                                                    const void *result, size_t result_bytes,
                                                    pare_survivors *out, pare_error *err);

#ifdef __cplusplus
}
#endif

#endif
