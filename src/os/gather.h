/* Writing many runs of bytes with few system calls and no copy.
 *
 * The caller adds runs; they go out by writev in batches.  One thread. */
#ifndef PARE_OS_GATHER_H
#define PARE_OS_GATHER_H

#include <stddef.h>
#include <sys/uio.h>

enum { PARE_GATHER_RUNS = 1024 }; /* runs in a batch: what Linux takes at once */

typedef struct pare_gather {
    int fd;     /* borrowed */
    int n_runs; /* waiting */
    struct iovec run[PARE_GATHER_RUNS];
} pare_gather;

/* Adds everything there is to write to *gather by pare_gather_add; returns 0, or
 * at once the first non-zero result of it. */
typedef int (*pare_gather_fill)(void *context, pare_gather *gather);

/* Makes *gather ready for `fd`. */
void pare_gather_start(pare_gather *gather, int fd);

/* Adds a run; the bytes must stay until pare_gather_finish.  Returns 0, or the
 * errno of a write that failed, after which nothing more may be added. */
int pare_gather_add(pare_gather *gather, const void *bytes, size_t size);

/* Writes what is waiting.  Returns 0 or an errno. */
int pare_gather_finish(pare_gather *gather);

#endif
