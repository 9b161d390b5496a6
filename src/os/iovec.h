/* Writing many runs of bytes with few system calls and no copy.
 *
 * The caller adds runs; they go out by writev in batches.  One thread. */
#ifndef PARE_OS_IOVEC_H
#define PARE_OS_IOVEC_H

#include <stddef.h>
#include <sys/uio.h>

enum { PARE_IOVEC_RUNS = 1024 }; /* runs in a batch: what Linux takes at once */

typedef struct pare_iovec {
    int fd;     /* borrowed */
    int n_runs; /* waiting */
    struct iovec run[PARE_IOVEC_RUNS];
} pare_iovec;

/* Adds everything there is to write to *gather by pare_iovec_add; returns 0, or
 * at once the first non-zero result of it. */
typedef int (*pare_iovec_fill)(void *context, pare_iovec *gather);

/* Makes *gather ready for `fd`. */
void pare_iovec_start(pare_iovec *gather, int fd);

/* Adds a run; the bytes must stay until pare_iovec_finish.  Returns 0, or the
 * errno of a write that failed, after which nothing more may be added. */
int pare_iovec_add(pare_iovec *gather, const void *bytes, size_t size);

/* Writes what is waiting.  Returns 0 or an errno. */
int pare_iovec_finish(pare_iovec *gather);

#endif
