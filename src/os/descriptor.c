/* File descriptors: thin covers of fcntl, pipe2, socketpair, poll and epoll.
 *
 * They are here once because each has a trap that its callers would otherwise have to know:
 * a wait goes on after a signal with the time that is left; a failed raise leaves nothing
 * open, and errno as the failing call set it; an event is taken out of the epoll before the
 * descriptor is closed, not by closing it.
 * Why epoll for many and poll for one: the oracle waits for all slots at once and adds or
 * removes one at a time, whereas a handshake waits for a single descriptor. */
#include "os/descriptor.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

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

/* As the pipe; both ends can be written to, and writing to a closed one can be asked to be an
 * error rather than a signal. */
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
