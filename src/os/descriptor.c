/* File descriptors: thin covers of fcntl, pipe2, socketpair, poll, epoll and writev.
 *
 * They are here once because each has a trap that its callers would otherwise have to know:
 * a wait goes on after a signal with the time that is left; a failed raise leaves nothing
 * open, and errno as the failing call set it; an event is taken out of the epoll before the
 * descriptor is closed, not by closing it.
 * Runs of bytes go out by writev in batches, since a candidate is a list of slices
 * (text/candidate.h) and nothing is concatenated; a write of a part only is gone on with.
 * Why epoll for many and poll for one: the oracle waits for all slots at once and adds or
 * removes one at a time, whereas a handshake waits for a single descriptor. */

#include "os/descriptor.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "os/clock.h"

/* -1 afterwards, so that closing twice never closes a descriptor of somebody else's. */
void pare_descriptor_close(int *fd)
{
    if (*fd >= 0) (void)close(*fd);
    *fd = -1;
}

/* F_DUPFD gives the lowest free number that is high enough; the mark close-on-exec is not
 * inherited by copies, so it is asked for. */
int pare_descriptor_raise(int fd, int least)
{
    assert(least >= 0);
    if (fd < 0) return -1;
    if (fd >= least) return fd;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, least);
    int cause = errno;
    (void)close(fd);
    errno = cause;
    return high;
}

/* Raises both ends, or closes both, for the sentence about `what`. */
static pare_status raise_pair(int ends[2], int least, const char *what, pare_error *err)
{
    for (int k = 0; k < 2; k++)
        ends[k] = pare_descriptor_raise(ends[k], least);
    if (ends[0] >= 0 && ends[1] >= 0) return PARE_OK;
    int cause = errno;
    pare_descriptor_close(&ends[0]);
    pare_descriptor_close(&ends[1]);
    return pare_fail_errno(err, cause, "cannot make %s", what);
}

/* Made close-on-exec in one call: another thread may start a program in between. */
pare_status pare_descriptor_pipe(int least, int ends[2], const char *what, pare_error *err)
{
    ends[0] = ends[1] = -1;
    if (pipe2(ends, O_CLOEXEC)) return pare_fail_errno(err, errno, "cannot make %s", what);
    return raise_pair(ends, least, what, err);
}

/* As pare_descriptor_pipe, but both ends can be written to, and writing to a closed one can be made
 * an error instead of a signal. */
pare_status pare_descriptor_sockets(int type, int least, int ends[2], const char *what,
                                    pare_error *err)
{
    ends[0] = ends[1] = -1;
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends))
        return pare_fail_errno(err, errno, "cannot make %s", what);
    return raise_pair(ends, least, what, err);
}

/* A look without waiting (timeout 0) does not read the clock: it is made for each event. */
bool pare_descriptor_await(int fd, int timeout_ms)
{
    const uint64_t end_ms = timeout_ms ? pare_clock_ms() + (uint64_t)timeout_ms : 0;
    int left_ms = timeout_ms;
    for (;;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        int n = poll(&ready, 1, left_ms);
        if (n > 0) return true;
        if (n == 0 || errno != EINTR) return false;
        const uint64_t now_ms = timeout_ms ? pare_clock_ms() : 0;
        left_ms = now_ms < end_ms ? (int)(end_ms - now_ms) : 0;
    }
}

static struct flock byte_lock(int64_t number)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = number, .l_len = 1};
}

/* Never waits, since these locks have no time limit. */
int pare_descriptor_lock(int fd, int64_t number)
{
    struct flock lock = byte_lock(number);
    if (!fcntl(fd, F_OFD_SETLK, &lock)) return 0;
    return errno == EACCES ? EAGAIN : errno;
}

/* Asking does not lock, so that who asks never stands in the way of who takes it. */
bool pare_descriptor_is_locked(int fd, int64_t number)
{
    struct flock lock = byte_lock(number);
    return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

/* Level-triggered: an event that is not dealt with comes again, so none can be lost. */
pare_status pare_descriptor_watch(int epoll_fd, int fd, uint32_t what, pare_error *err)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = what};
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event))
        return pare_fail_errno(err, errno, "cannot wait for a test");
    return PARE_OK;
}

void pare_descriptor_unwatch(int epoll_fd, int fd)
{
    if (fd >= 0) (void)epoll_ctl(epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

/* ---- runs of bytes that go out together ------------------------------------------------ */

/* A candidate is a list of slices of the current best and of small literals
 * (text/candidate.h).  Its slices are handed to the kernel as they lie in memory; nothing is
 * concatenated. 1,024 runs are what Linux takes in one call, so that a candidate of a hundred
 * thousand slices costs a hundred system calls and no copy.
 *
 * writev may write a part only: what was written is taken off the front, also from within a
 * run, and the rest is offered again.  Invariant: run[0 .. n_runs - 1] are not empty and in the
 * order in which they were added. */

/* Forgets what was waiting. */
void pare_descriptor_gather_start(pare_iovec *gather, int fd)
{
    gather->fd = fd;
    gather->n_runs = 0;
    gather->may_be_left = false;
}

/* A full batch goes out first, so there always is room. */
int pare_descriptor_gather_add(pare_iovec *gather, const void *bytes, size_t size)
{
    assert(gather->n_runs >= 0 && gather->n_runs <= PARE_IOVEC_RUNS);
    if (!size) return 0; /* an empty run would look like a write without progress */
    if (gather->n_runs == PARE_IOVEC_RUNS) {
        int failed = pare_descriptor_gather_finish(gather);
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

/* Writes what is waiting from the run `first` on, of a large run only a part: no signal ends a write
 * to a file, so that a stop would wait for all of it. */
static ssize_t write_some(const pare_iovec *gather, int first)
{
    enum { CHUNK_BYTES = 1 << 24 };
    const struct iovec *run = &gather->run[first];
    if (gather->may_be_left && run->iov_len > CHUNK_BYTES)
        return write(gather->fd, run->iov_base, CHUNK_BYTES);
    return writev(gather->fd, run, gather->n_runs - first);
}

/* On an error the runs that are left stay: the file is of no use any more. */
int pare_descriptor_gather_finish(pare_iovec *gather)
{
    for (int first = 0; first < gather->n_runs;) {
        if (gather->may_be_left && pare_interrupt_asked()) return ECANCELED;
        ssize_t written = write_some(gather, first);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return EIO; /* no run is empty, so nothing more can be written */
        first = advance(gather, first, (size_t)written);
    }
    gather->n_runs = 0;
    return 0;
}

/* ---- terminals ------------------------------------------------------------------------- */

bool pare_descriptor_is_terminal(int fd)
{
    return isatty(fd) == 1;
}

/* Asked anew at each call, because a window may be resized while a run is watched.  A pipe, a file
 * and a terminal that says 0 are all unknown: then 80, what terminals have had since there are
 * any, and what pagers assume. */
unsigned pare_descriptor_columns(int fd)
{
    struct winsize size = {0};
    if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col) return 80;
    return size.ws_col;
}
