/* Where it is heard that something happened to a test: one epoll, and what an event of it
 * is about. */
#ifndef PARE_OS_HEAR_H
#define PARE_OS_HEAR_H

#include <stdint.h>

#include "base/status.h"

/* Added to a slot's number: the descriptor is a server's (server.h), which stays in the
 * epoll from test to test.  Without it, it is the test's own. */
enum { PARE_HEAR_SERVER = 1 << 27 };

/* From now on an event that carries `what` comes whenever `fd` is readable.
 * Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_hear_add(int epoll_fd, int fd, uint32_t what, pare_error *err);

/* No more; to be called before `fd` is closed.  Closing alone is not enough: a child that
 * has just executed its program may hold a copy for an instant (the kernel lets us go on
 * before it closes what is close-on-exec), and an old event would then end the slot's next
 * test.  Negative: a no-op. */
void pare_hear_remove(int epoll_fd, int fd);

#endif
