/* Append-only files that one process at a time may hold: what the journal is kept in.
 *
 * The lock is flock(2)'s, on the file itself: the kernel gives it up however the process ends,
 * so that no stale lock is ever left to be cleaned up by hand; and unlike fcntl's it belongs
 * to the open file, not to the process, so that closing another descriptor of the file does
 * not lose it.  The descriptor is close-on-exec: no test inherits it.
 *
 * Invariant: `size` bytes of the file count.  What lies beyond it, of a write that was torn,
 * is overwritten by the next one.  Appended bytes survive the end of the process at once, and a
 * loss of power within a second: a thread syncs them (os/sync.h). */
#include "os/log_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <pare/sync.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "os/sync.h"

enum { LOCK_LIMIT_MS = 2000, LOCK_STEP_MS = 5 };

struct pare_log_file {
    int fd;
    off_t size; /* bytes that count; a torn write after them is overwritten */
    char *path; /* owned */
    pare_sync sync;
    pare_sync_later *later; /* owned */
};

/* Locks `fd`; returns 0 or an errno. When we are killed while a test is starting, the child holds a
 * copy of the descriptor until it executes the test; so a new pare waits a moment before it
 * believes that another one is running. The kernel has no lock with a time-out, hence the steps.
 * WOULDBLOCK: the moment is over. */
static int lock(int fd)
{
    const struct timespec step = {.tv_nsec = LOCK_STEP_MS * 1000000L};
    const uint64_t end_ms = pare_clock_ms() + LOCK_LIMIT_MS;
    while (flock(fd, LOCK_EX | LOCK_NB)) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK || pare_clock_ms() >= end_ms) return errno;
        (void)nanosleep(&step, NULL);
    }
    return 0;
}

/* Locks `fd` and sets *size to that of the file.  A file that its owner has removed between our
 * open and our lock is gone: it counts as in use, and the next try makes a new one. */
static pare_status take(int fd, const char *path, off_t *size, pare_error *err)
{
    struct stat about;
    int failed = lock(fd);
    if (!failed && fstat(fd, &about)) failed = errno;
    if (!failed && !about.st_nlink) failed = EWOULDBLOCK; /* its owner has just removed it */
    if (failed == EWOULDBLOCK)
        return pare_fail(err, PARE_E_BUSY, "%s is in use by another pare", path);
    if (failed) return pare_fail_errno(err, failed, "cannot lock %s", path);
    *size = about.st_size;
    return PARE_OK;
}

/* The lock is taken before the size is read: what another process still appends counts.  The name
 * of the file is on disk before anything is appended. */
pare_status pare_log_file_open(const char *path, pare_sync sync, pare_log_file **out,
                               pare_error *err)
{
    pare_status status = PARE_OK;
    pare_log_file *log = pare_alloc_zero(1, sizeof *log);
    char *copy = pare_alloc_text(path, strlen(path));
    int fd = -1;
    off_t size = 0;
    if (!log || !copy) {
        status = pare_fail_nomem(err);
        goto out;
    }
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        status = pare_fail_errno(err, errno, "cannot open %s", path);
        goto out;
    }
    status = take(fd, path, &size, err);
    if (status) goto out;
    int failed = size ? 0 : pare_sync_name(path, sync);
    if (failed) {
        status = pare_fail_errno(err, failed, "cannot write %s", path);
        goto out;
    }
    *log = (pare_log_file){.fd = fd, .size = size, .path = copy, .sync = sync};
    status = pare_sync_later_new(fd, sync, &log->later, err);
    if (status) goto out;
    *out = log;
out:
    if (status) {
        if (fd >= 0) (void)close(fd);
        pare_alloc_free(copy);
        pare_alloc_free(log);
    }
    return status;
}

/* The lock goes with the descriptor. */
void pare_log_file_close(pare_log_file *log)
{
    if (!log) return;
    pare_sync_later_close(log->later);
    (void)close(log->fd);
    pare_alloc_free(log->path);
    pare_alloc_free(log);
}

/* The name goes while the lock is held, so nobody can open the file and believe it his. */
pare_status pare_log_file_remove(pare_log_file *log, const char *directory, pare_error *err)
{
    pare_status status = PARE_OK;
    if (unlink(log->path) && errno != ENOENT)
        status = pare_fail_errno(err, errno, "cannot remove %s", log->path);
    else
        (void)rmdir(directory); /* fails, as it should, when something else is in it */
    pare_sync_later_drop(log->later);
    log->later = NULL;
    pare_log_file_close(log);
    return status;
}

/* If somebody has cut the file meanwhile, it is read as far as it goes. */
pare_status pare_log_file_read(pare_log_file *log, pare_buffer *contents, pare_error *err)
{
    size_t size = (size_t)log->size;
    pare_status status = pare_buffer_reserve(contents, size, err);
    if (status) return status;
    for (size_t done = 0; done < size;) {
        ssize_t n = pread(log->fd, contents->data + contents->size, size - done, (off_t)done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return pare_fail_errno(err, errno, "cannot read %s", log->path);
        if (n == 0) break; /* cut by somebody else: what is there counts */
        contents->size += (size_t)n;
        done += (size_t)n;
    }
    return PARE_OK;
}

/* Forgets what was appended after `size`, also on disk: if bytes that are cut off came back after a
 * crash, with new ones after them, they would be taken for ours. */
pare_status pare_log_file_cut(pare_log_file *log, size_t size, pare_error *err)
{
    if (ftruncate(log->fd, (off_t)size))
        return pare_fail_errno(err, errno, "cannot cut %s", log->path);
    log->size = (off_t)size;
    int failed = pare_sync_descriptor(log->fd, log->sync);
    return failed ? pare_fail_errno(err, failed, "cannot cut %s", log->path) : PARE_OK;
}

/* Written at `size` rather than with O_APPEND, so that a torn end is written over. */
pare_status pare_log_file_append(pare_log_file *log, const void *bytes, size_t size,
                                 pare_error *err)
{
    const char *from = bytes;
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(log->fd, from + done, size - done, log->size + (off_t)done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return pare_fail_errno(err, errno, "cannot write %s", log->path);
        done += (size_t)n;
    }
    log->size += (off_t)size;
    assert(log->size >= (off_t)size); /* no file is that large */
    int failed = pare_sync_later_note(log->later);
    return failed ? pare_fail_errno(err, failed, "cannot write %s", log->path) : PARE_OK;
}
