/* Follows the output of another fuzzer: the files in its folders, as they appear.
 *
 * Folders may appear later than their follower.  Files are reported in the order in which they were
 * written; the position is a time before which all was reported, so a resumed follower misses
 * nothing, and reports at most what was written in the last moments once more.  One thread. */
#ifndef PARE_CAMPAIGN_FOLLOW_H
#define PARE_CAMPAIGN_FOLLOW_H

#include <stddef.h>
#include <stdint.h>

#include <pare/stop.h>

#include "base/fail.h"

typedef struct pare_follow pare_follow;

/* Follows `n` folders (absolute paths, borrowed).  On PARE_OK the caller owns *out.
 * Errors: PARE_E_IO (no inotify), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_follow_open(const char *const *folders, size_t n, pare_follow **out,
                                        pare_error *err);
void pare_follow_free(pare_follow *follow); /* NULL is a no-op */

/* Takes a file.  safe_ns (since 1970): what was written before was visited, this file included unless
 * it is too young to tell. */
typedef pare_status (*pare_follow_visit)(void *context, const char *path, int64_t safe_ns,
                                         pare_error *err);

/* Waits at most `timeout_ms` for something to be written, or for a stop, and visits the files that
 * were not written before `from_ns`, nor visited yet, hidden ones and README.txt left out.  from_ns is
 * the same in all calls: where the follower goes on from.
 * Errors: PARE_E_IO, PARE_E_NOMEM, those of the visit. */
PARE_CHECK pare_status pare_follow_wait(pare_follow *follow, int timeout_ms, int64_t from_ns,
                                        const pare_stop *stop, pare_follow_visit visit,
                                        void *context, pare_error *err);

/* ---- what the fuzzers say about themselves ---- */

/* How many tests there have been, by AFL's plot_data: the twelfth column of its last whole line; or
 * by what libFuzzer prints: the number of the last line that begins with "#".  0: it does not
 * say. */
uint64_t pare_follow_tests_in_plot(const char *text, size_t size);
uint64_t pare_follow_tests_in_log(const char *text, size_t size);

#endif
