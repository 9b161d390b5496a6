/* Batches of runs for writev, which may write any part of what it is given. */
#include "os/iovec.h"

#include <errno.h>

void pare_iovec_start(pare_iovec *gather, int fd)
{
    gather->fd = fd;
    gather->n_runs = 0;
}

int pare_iovec_add(pare_iovec *gather, const void *bytes, size_t size)
{
    if (!size) return 0;
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

int pare_iovec_finish(pare_iovec *gather)
{
    for (int first = 0; first < gather->n_runs;) {
        ssize_t written = writev(gather->fd, gather->run + first, gather->n_runs - first);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return EIO; /* no run is empty, so this is no progress */
        first = advance(gather, first, (size_t)written);
    }
    gather->n_runs = 0;
    return 0;
}
