/* Hearing by epoll. */
#include "os/hear.h"

#include <errno.h>
#include <sys/epoll.h>

pare_status pare_hear_add(int epoll_fd, int fd, uint32_t what, pare_error *err)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = what};
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event))
        return pare_fail_errno(err, errno, "cannot wait for a test");
    return PARE_OK;
}

void pare_hear_remove(int epoll_fd, int fd)
{
    if (fd >= 0) (void)epoll_ctl(epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}
