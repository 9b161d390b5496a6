/* Changes of a file, by inotify(7).
 *
 * The folder is watched and not the file: a log that is removed and made again is another file, and
 * a watch on the old one would say nothing.  Events of other files of the folder are read and
 * dropped.  A write through a mapping gives no event; SQLite writes its log by pwrite(2), and maps
 * the index beside it only, which changes with each commit and with each reader: so changes of
 * NAME-shm do not count.  Invariant: after pare_file_watch_changed has returned, the descriptor is
 * readable only if something has happened since. */
#include "os/file_watch.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/alloc.h"

struct pare_file_watch {
    int fd;
    size_t size; /* of `name` */
    char name[]; /* of the file, without its folder */
};

enum { EVENTS_BYTES = 4096 };
static_assert(EVENTS_BYTES >= sizeof(struct inotify_event) + NAME_MAX + 1,
              "there is room for an event");

/* The folder of `path`, "." for a name alone; the caller releases it. */
static char *folder_of(const char *path, const char *name)
{
    if (name == path) return pare_alloc_text(".", 1);
    size_t size = (size_t)(name - path) - 1;
    return size ? pare_alloc_text(path, size) : pare_alloc_text("/", 1);
}

static pare_status start(pare_file_watch *watch, const char *folder, pare_error *err)
{
    const uint32_t events = IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_ONLYDIR;
    watch->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (watch->fd < 0) return pare_fail_errno(err, errno, "cannot watch %s", folder);
    if (inotify_add_watch(watch->fd, folder, events) >= 0) return PARE_OK;
    return pare_fail_errno(err, errno, "cannot watch %s", folder);
}

pare_status pare_file_watch_new(const char *path, pare_file_watch **out, pare_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t size = strlen(name);
    char *folder = folder_of(path, name);
    pare_file_watch *watch = folder ? pare_alloc_zero(1, sizeof *watch + size + 1) : NULL;
    pare_status status = watch ? PARE_OK : pare_fail_nomem(err);
    if (!status) {
        watch->size = size;
        memcpy(watch->name, name, size);
        status = start(watch, folder, err);
    }
    pare_alloc_free(folder);
    if (!status)
        *out = watch;
    else
        pare_file_watch_free(watch);
    return status;
}

void pare_file_watch_free(pare_file_watch *watch)
{
    if (!watch) return;
    if (watch->fd >= 0) (void)close(watch->fd);
    pare_alloc_free(watch);
}

int pare_file_watch_fd(const pare_file_watch *watch)
{
    return watch->fd;
}

/* A change of the log's index does not change what is stored. */
static bool is_about(const pare_file_watch *watch, const struct inotify_event *event)
{
    if (event->mask & (IN_Q_OVERFLOW | IN_IGNORED)) return true;
    if (!event->len || strncmp(event->name, watch->name, watch->size) != 0) return false;
    const char *rest = event->name + watch->size;
    return !*rest || (*rest == '-' && strcmp(rest, "-shm") != 0);
}

bool pare_file_watch_changed(pare_file_watch *watch)
{
    _Alignas(struct inotify_event) char events[EVENTS_BYTES];
    bool changed = false;
    for (ssize_t size; (size = read(watch->fd, events, sizeof events)) > 0;) {
        for (ssize_t at = 0; at < size;) {
            const struct inotify_event *event = (const void *)(events + at);
            changed = is_about(watch, event) || changed;
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
    return changed;
}
