/* Runs of bytes that go out together: writev(2) in batches.
 *
 * A candidate is a list of slices of the current best and of small literals
 * (text/candidate.h).  Its slices are handed to the kernel as they lie in memory; nothing is
 * concatenated. 1,024 runs are what Linux takes in one call, so that a candidate of a hundred
 * thousand slices costs a hundred system calls and no copy.
 *
 * writev may write a part only: what was written is taken off the front, also from within a
 * run, and the rest is offered again.  Invariant: run[0 .. n_runs - 1] are not empty and in the
 * order in which they were added. */
#include "os/iovec.h"

#include <assert.h>
#include <errno.h>

/* Forgets what was waiting. */
void pare_iovec_start(pare_iovec *gather, int fd)
{
    gather->fd = fd;
    gather->n_runs = 0;
}

/* A full batch goes out first, so there always is room. */
int pare_iovec_add(pare_iovec *gather, const void *bytes, size_t size)
{
    assert(gather->n_runs >= 0 && gather->n_runs <= PARE_IOVEC_RUNS);
    if (!size) return 0; /* an empty run would look like a write without progress */
    if (gather->n_runs == PARE_IOVEC_RUNS) {
        int failed = pare_iovec_finish(gather);
        if (failed) return failed;
    }
    /* writev only reads, but its interface is older than const. */
    gather->run[gather->n_runs++] =
        (struct iovec){.iov_base = (void *)(size_t)bytes, .iov_len = size};
    return 0;
}

/* Takes `written` bytes off the first of the runs from `first`; gives the first
 * run that has bytes left. */
static int advance(pare_iovec *gather, int first, size_t written)
{
    while (first < gather->n_runs && written >= gather->run[first].iov_len)
        written -= gather->run[first++].iov_len;
    if (first < gather->n_runs) {
        struct iovec *run = &gather->run[first];
        run->iov_base = (char *)run->iov_base + written;
        run->iov_len -= written;
    }
    return first;
}

/* On an error the runs that are left stay: the file is of no use any more. */
int pare_iovec_finish(pare_iovec *gather)
{
    for (int first = 0; first < gather->n_runs;) {
        ssize_t written = writev(gather->fd, gather->run + first, gather->n_runs - first);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return EIO; /* no run is empty, so nothing more can be written */
        first = advance(gather, first, (size_t)written);
    }
    gather->n_runs = 0;
    return 0;
}
