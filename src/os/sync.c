/* fsync, fdatasync and syncfs, and a thread that calls them later.
 *
 * What a power loss may leave is not what a process sees: without a sync, POSIX promises nothing
 * about the order in which bytes and names reach the disk (Pillai et al., OSDI 2014, found eleven
 * programs that had relied on one).  The order that is needed is made by the callers, os/file.c and
 * os/folder.c above all; tests/cli/test_power_loss.sh replays their calls in every order that is
 * left.
 *
 * Why a thread for the journal: an fdatasync takes 0.1 to 10 ms, as long as a test of a small
 * program, and a test's outcome is written after each.  The thread syncs at most twice a second,
 * whatever the number of writes, and sleeps without a time limit while nothing is written.
 * Invariant: `dirty` is set after a write and cleared before a sync, so no write is ever taken for
 * synced that is not.  Why not io_uring: containers often forbid it. */
#include "os/sync.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

enum { LATER_MS = 500 };

/* ---- at once ------------------------------------------------------------------------- */

/* 0 for what a file system says that has nothing to sync, or cannot. */
static int code_of(int result)
{
    if (!result || errno == EINVAL || errno == ENOSYS || errno == EROFS || errno == EOPNOTSUPP)
        return 0;
    return errno;
}

/* A signal in the middle leaves the rest unsynced, so it is asked for again. */
int pare_sync_descriptor(int fd, pare_sync sync)
{
    int result;
    if (sync == PARE_SYNC_NEVER) return 0;
    do
        result = fsync(fd);
    while (result && errno == EINTR);
    return code_of(result);
}

/* Open for reading is enough; what may not even be read is not ours to bring to disk. */
int pare_sync_path(const char *path, pare_sync sync)
{
    if (sync == PARE_SYNC_NEVER) return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return errno == EACCES || errno == ENXIO ? 0 : errno;
    int failed = pare_sync_descriptor(fd, sync);
    (void)close(fd);
    return failed;
}

/* Cuts the last part off the path, with the slashes around it: "." and "/" are above all. */
static void go_up(char *path)
{
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    while (size && path[size - 1] != '/')
        size--;
    while (size > 1 && path[size - 1] == '/')
        size--;
    if (!size) path[size++] = '.';
    path[size] = '\0';
}

/* Syncs the folder of `path`, or with `all` each one above it. */
static int sync_above(const char *path, bool all, pare_sync sync)
{
    char folder[PATH_MAX];
    size_t size = strlen(path);
    int failed = 0;
    if (sync == PARE_SYNC_NEVER) return 0;
    if (size + 1 >= sizeof folder) return ENAMETOOLONG;
    memcpy(folder, path, size + 1);
    do {
        go_up(folder);
        failed = pare_sync_path(folder, sync);
    } while (all && !failed && strcmp(folder, ".") != 0 && strcmp(folder, "/") != 0);
    return failed;
}

int pare_sync_name(const char *path, pare_sync sync)
{
    return sync_above(path, false, sync);
}

int pare_sync_way(const char *path, pare_sync sync)
{
    return sync_above(path, true, sync);
}

/* One call whatever the folder holds. Files that are linked there from another folder are synced,
 * too. */
int pare_sync_tree(int fd, pare_sync sync)
{
    int result;
    if (sync == PARE_SYNC_NEVER) return 0;
    do
        result = syncfs(fd);
    while (result && errno == EINTR);
    return code_of(result);
}

/* ---- later --------------------------------------------------------------------------- */

struct pare_sync_later {
    int fd;
    pare_sync sync;
    bool started, no_thread;
    atomic_bool dirty;
    atomic_int failed; /* errno of a sync, until it is told */
    pthread_t thread;
    pthread_mutex_t mutex; /* of `ending` and of the wait for `dirty` */
    pthread_cond_t change;
    bool ending;
};

static void sync_data(pare_sync_later *self)
{
    int result;
    atomic_store(&self->dirty, false);
    do
        result = fdatasync(self->fd);
    while (result && errno == EINTR);
    int failed = code_of(result);
    if (failed) atomic_store(&self->failed, failed);
}

/* Waits for half a second, or for the end. */
static void wait_a_little(pare_sync_later *self)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LATER_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    while (!self->ending && pthread_cond_timedwait(&self->change, &self->mutex, &until) == 0)
        ;
}

/* At the end nothing is synced here: close does, drop need not. */
static void *work(void *context)
{
    pare_sync_later *self = context;
    (void)pthread_mutex_lock(&self->mutex);
    while (!self->ending) {
        if (!atomic_load(&self->dirty)) {
            (void)pthread_cond_wait(&self->change, &self->mutex);
            continue;
        }
        wait_a_little(self);
        if (self->ending) break;
        (void)pthread_mutex_unlock(&self->mutex);
        sync_data(self);
        (void)pthread_mutex_lock(&self->mutex);
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return NULL;
}

/* Times of waits are those of the clock that nobody sets. */
pare_status pare_sync_later_new(int fd, pare_sync sync, pare_sync_later **out, pare_error *err)
{
    pthread_condattr_t monotonic;
    pare_sync_later *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->fd = fd;
    self->sync = sync;
    /* None of these can fail on Linux, for default mutexes and private conditions. */
    (void)pthread_mutex_init(&self->mutex, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&self->change, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    *out = self;
    return PARE_OK;
}

/* The thread is ended before the descriptor may be closed. */
void pare_sync_later_drop(pare_sync_later *self)
{
    if (!self) return;
    if (self->started) {
        (void)pthread_mutex_lock(&self->mutex);
        self->ending = true;
        (void)pthread_cond_signal(&self->change);
        (void)pthread_mutex_unlock(&self->mutex);
        (void)pthread_join(self->thread, NULL);
    }
    (void)pthread_cond_destroy(&self->change);
    (void)pthread_mutex_destroy(&self->mutex);
    pare_alloc_free(self);
}

/* A failure is not told: whoever closes has done with the file. */
void pare_sync_later_close(pare_sync_later *self)
{
    if (self && atomic_load(&self->dirty)) sync_data(self);
    pare_sync_later_drop(self);
}

/* Signals are for the thread that started us. */
static void start(pare_sync_later *self)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    self->started = pthread_create(&self->thread, NULL, work, self) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    self->no_thread = !self->started;
}

int pare_sync_later_note(pare_sync_later *self)
{
    if (self->sync == PARE_SYNC_NEVER) return 0;
    if (self->sync == PARE_SYNC_SECOND && !self->started && !self->no_thread) start(self);
    if (!self->started) {
        sync_data(self);
    } else if (!atomic_exchange(&self->dirty, true)) {
        /* The thread looks at `dirty` with the mutex held, so it cannot miss this. */
        (void)pthread_mutex_lock(&self->mutex);
        (void)pthread_cond_signal(&self->change);
        (void)pthread_mutex_unlock(&self->mutex);
    }
    return atomic_load(&self->failed) ? atomic_exchange(&self->failed, 0) : 0;
}
