/* A ring over the end of a test's output. */
#include "oracle/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "os/spawn.h"

enum {
    CHUNK_BYTES = 16 * 1024,
    CHUNKS_AT_ONCE = 16 /* so that one flooding test does not keep us from the others */
};

static void close_fd(int *fd)
{
    if (*fd >= 0) (void)close(*fd);
    *fd = -1;
}

pare_status pare_tail_open(pare_tail *tail, pare_error *err)
{
    int ends[2];
    tail->total = 0;
    if (pipe2(ends, O_CLOEXEC)) return pare_fail_errno(err, errno, "cannot make a pipe");
    tail->read_fd = ends[0];
    tail->write_fd = pare_spawn_high_fd(ends[1]);
    if (tail->write_fd >= 0 && !fcntl(tail->read_fd, F_SETFL, O_NONBLOCK)) return PARE_OK;
    int cause = errno;
    pare_tail_close(tail);
    return pare_fail_errno(err, cause, "cannot make a pipe");
}

void pare_tail_close_writer(pare_tail *tail)
{
    close_fd(&tail->write_fd);
}

void pare_tail_close(pare_tail *tail)
{
    close_fd(&tail->read_fd);
    close_fd(&tail->write_fd);
}

static void keep(pare_tail *tail, const char *bytes, size_t size)
{
    if (size > PARE_TAIL_BYTES) {
        tail->total += size - PARE_TAIL_BYTES;
        bytes += size - PARE_TAIL_BYTES;
        size = PARE_TAIL_BYTES;
    }
    size_t at = tail->total % PARE_TAIL_BYTES;
    size_t first = size < PARE_TAIL_BYTES - at ? size : PARE_TAIL_BYTES - at;
    memcpy(tail->ring + at, bytes, first);
    memcpy(tail->ring, bytes + first, size - first);
    tail->total += size;
}

bool pare_tail_drain(pare_tail *tail)
{
    char chunk[CHUNK_BYTES];
    if (tail->read_fd < 0) return false;
    for (unsigned k = 0; k < CHUNKS_AT_ONCE; k++) {
        ssize_t n = read(tail->read_fd, chunk, sizeof chunk);
        if (n < 0) return errno == EAGAIN || errno == EINTR;
        if (n == 0) return false;
        keep(tail, chunk, (size_t)n);
    }
    return true;
}

const char *pare_tail_text(pare_tail *tail)
{
    bool lost = tail->total > PARE_TAIL_BYTES;
    size_t size = lost ? PARE_TAIL_BYTES : tail->total;
    for (size_t k = 0; k < size; k++) {
        char c = tail->ring[(tail->total - size + k) % PARE_TAIL_BYTES];
        tail->text[k] = c ? c : '?';
    }
    tail->text[size] = '\0';
    const char *line = lost ? strchr(tail->text, '\n') : NULL;
    return line && line[1] ? line + 1 : tail->text;
}
