/* Folders: made with their parents, removed with their contents.
 *
 * Removal is for folders that hostile programs have filled.  It never goes down more
 * than one level: what is in a sub-folder is deleted, or, when it is a folder itself,
 * moved up to the top; so neither the stack nor the descriptors grow with the depth,
 * and no path is ever walked through a link. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/status.h"
#include "os/file.h"

enum { LISTING_BYTES = 4096 };

/* One read of a directory's entries. */
struct listing {
    int fd;
    ssize_t used, at;
    _Alignas(struct dirent64) char bytes[LISTING_BYTES];
};

/* The next entry but "." and "..", or NULL: at the end, or with errno not 0. */
static const struct dirent64 *next_entry(struct listing *listing)
{
    for (;;) {
        if (listing->at == listing->used) {
            errno = 0;
            listing->used = getdents64(listing->fd, listing->bytes, sizeof listing->bytes);
            listing->at = 0;
            if (listing->used <= 0) {
                listing->used = 0;
                return NULL;
            }
        }
        const struct dirent64 *entry = (const void *)(listing->bytes + listing->at);
        listing->at += entry->d_reclen;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) return entry;
    }
}

/* Moves the folder `name` of `fd` to `top` under a name that is free. */
static int move_up(int fd, const char *name, int top, unsigned long *serial)
{
    char moved[48];
    for (;;) {
        (void)snprintf(moved, sizeof moved, ".moved-up-%lu", (*serial)++);
        if (!renameat2(fd, name, top, moved, RENAME_NOREPLACE)) return 0;
        if (errno == EACCES && !fchmodat(fd, name, 0700, 0) &&
            !renameat2(fd, name, top, moved, RENAME_NOREPLACE))
            return 0;
        if (errno != EEXIST) return errno;
    }
}

/* Empties the folder `fd`; sub-folders go up to `top`. */
static int flatten(int fd, int top, unsigned long *serial)
{
    struct listing listing = {.fd = fd};
    for (const struct dirent64 *entry; (entry = next_entry(&listing)) != NULL;) {
        if (!unlinkat(fd, entry->d_name, 0)) continue;
        int failed =
            errno == EISDIR || errno == EPERM ? move_up(fd, entry->d_name, top, serial) : errno;
        if (failed && failed != ENOENT) return failed;
    }
    return errno;
}

/* Removes the folder `name` of `top`. */
static int remove_folder(int top, const char *name, unsigned long *serial)
{
    if (!unlinkat(top, name, AT_REMOVEDIR)) return 0;
    if (errno != ENOTEMPTY && errno != EEXIST && errno != EACCES) return errno;
    int fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == EACCES && !fchmodat(top, name, 0700, 0))
        fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return errno;
    int failed = fchmod(fd, 0700) ? errno : flatten(fd, top, serial);
    (void)close(fd);
    if (!failed && unlinkat(top, name, AT_REMOVEDIR)) failed = errno;
    return failed;
}

/* One pass over the folder; *left tells whether another is needed. */
static int empty_once(int fd, unsigned long *serial, int *left)
{
    struct listing listing = {.fd = fd};
    *left = 0;
    if (lseek(fd, 0, SEEK_SET) < 0) return errno;
    for (const struct dirent64 *entry; (entry = next_entry(&listing)) != NULL;) {
        *left = 1;
        if (!unlinkat(fd, entry->d_name, 0)) continue;
        int failed =
            errno == EISDIR || errno == EPERM ? remove_folder(fd, entry->d_name, serial) : errno;
        if (failed && failed != ENOENT) return failed;
    }
    return errno;
}

int pare_file_empty_directory(int fd)
{
    unsigned long serial = 0;
    int left = 1;
    while (left) {
        int failed = empty_once(fd, &serial, &left);
        /* A removed directory is an empty one. */
        if (failed) return failed == ENOENT ? 0 : failed;
    }
    return 0;
}

pare_status pare_file_remove_tree(const char *path, pare_error *err)
{
    if (!unlink(path) || errno == ENOENT) return PARE_OK;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == EACCES && !chmod(path, 0700))
        fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return pare_fail_errno(err, errno, "cannot remove %s", path);
    (void)fchmod(fd, 0700);
    int failed = pare_file_empty_directory(fd);
    (void)close(fd);
    if (!failed && rmdir(path) && errno != ENOENT) failed = errno;
    return failed ? pare_fail_errno(err, failed, "cannot remove %s", path) : PARE_OK;
}

pare_status pare_file_make_directories(const char *path, pare_error *err)
{
    char *copy = pare_copy_text(path, strlen(path));
    if (!copy) return pare_fail_nomem(err);
    pare_status status = PARE_OK;
    for (char *end = copy; !status && end;) {
        end = *end ? strchr(end + 1, '/') : NULL;
        if (end) *end = '\0';
        if (mkdir(copy, 0777) && (errno != EEXIST || !pare_file_is_directory(copy)))
            status = pare_fail_errno(err, errno, "cannot make the directory %s", copy);
        if (end) *end = '/';
    }
    pare_release(copy);
    return status;
}
