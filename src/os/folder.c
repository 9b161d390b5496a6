/* Replacing folders. */
#include "os/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "os/file.h"

enum { NAME_TRIES = 1000 };

/* Makes a new folder beside `path`, named as pare_file_sweep knows it. */
static pare_status make_beside(const char *path, pare_buffer *name, pare_error *err)
{
    for (unsigned k = 0; k < NAME_TRIES; k++) {
        pare_buffer_reset(name);
        pare_status status = pare_buffer_format(name, err, "%s.%d-%u.tmp", path, (int)getpid(), k);
        if (status) return status;
        if (!mkdir(name->data, 0777)) return PARE_OK;
        if (errno != EEXIST) break;
    }
    return pare_fail_errno(err, errno, "cannot write %s", path);
}

static int fill(const char *name, const char *path, pare_folder_write write, void *context)
{
    const int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(name, how);
    if (fd < 0) return errno;
    int previous = open(path, how);
    int failed = write(context, fd, previous);
    if (previous >= 0) (void)close(previous);
    (void)close(fd);
    return failed;
}

/* The same in two steps. */
static int change_slowly(const char *name, const char *path)
{
    pare_buffer aside = {0};
    if (make_beside(path, &aside, NULL)) return ENOMEM;
    int failed = rename(path, aside.data) ? errno : 0;
    if (!failed && rename(name, path)) {
        failed = errno;
        if (rename(aside.data, path)) failed = errno; /* it stays where the sweep finds it */
    } else if (!failed && rename(aside.data, name)) {
        failed = errno;
    }
    pare_buffer_done(&aside);
    return failed;
}

/* Gives the new folder the name `path`; *old tells whether `name` names the old one now. */
static int change_places(const char *name, const char *path, bool *old)
{
    *old = false;
    if (!renameat2(AT_FDCWD, name, AT_FDCWD, path, RENAME_NOREPLACE)) return 0;
    if (errno == EINVAL && !pare_file_exists(path)) return rename(name, path) ? errno : 0;
    if (errno != EEXIST && errno != EINVAL) return errno;
    *old = true;
    if (!renameat2(AT_FDCWD, name, AT_FDCWD, path, RENAME_EXCHANGE)) return 0;
    return errno == EINVAL ? change_slowly(name, path) : errno;
}

pare_status pare_folder_replace(const char *path, pare_folder_write write, void *context,
                                pare_error *err)
{
    pare_buffer name = {0};
    bool old = true;
    pare_status status = make_beside(path, &name, err);
    if (!status) {
        int failed = fill(name.data, path, write, context);
        if (!failed) failed = change_places(name.data, path, &old);
        if (failed) status = pare_fail_errno(err, failed, "cannot write %s", path);
        /* An old folder that cannot be removed is in nobody's way but its own. */
        if ((failed || old) && pare_file_remove_tree(name.data, NULL)) old = false;
    }
    pare_buffer_done(&name);
    return status;
}

/* ---- keeping ------------------------------------------------------------------------- */

uint64_t pare_folder_inode(const char *path)
{
    struct stat info;
    return lstat(path, &info) ? 0 : info.st_ino;
}

int pare_folder_rename_free(const char *from, const char *to)
{
    if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE)) return 0;
    if (errno != EINVAL) return errno;
    if (pare_file_exists(to)) return EEXIST;
    return rename(from, to) ? errno : 0;
}

/* The new folder `name` takes the place of `path`, which will be called `kept`. */
static int change_keeping(const char *name, const char *path, const char *kept)
{
    int failed = pare_folder_rename_free(name, kept);
    if (failed) return failed;
    if (!renameat2(AT_FDCWD, kept, AT_FDCWD, path, RENAME_EXCHANGE)) return 0;
    failed = errno;
    if (rename(kept, name)) return errno;
    if (failed != EINVAL) return failed;
    failed = pare_folder_rename_free(path, kept);
    if (failed || !rename(name, path)) return failed;
    failed = errno;
    return rename(kept, path) ? errno : failed;
}

pare_status pare_folder_replace_keeping(const char *path, const pare_folder_keep *keep,
                                        pare_folder_write write, void *context, pare_error *err)
{
    pare_buffer name = {0};
    pare_status status = make_beside(path, &name, err);
    if (!status) {
        int failed = fill(name.data, path, write, context);
        if (!failed && keep->announce)
            failed = keep->announce(keep->context, pare_folder_inode(name.data));
        if (!failed) failed = change_keeping(name.data, path, keep->kept);
        if (failed) status = pare_fail_errno(err, failed, "cannot write %s", path);
        /* What is left of it is swept later; it is nothing but a result. */
        pare_status removed = failed ? pare_file_remove_tree(name.data, NULL) : PARE_OK;
        (void)removed;
    }
    pare_buffer_done(&name);
    return status;
}

/* ---- looking ------------------------------------------------------------------------- */

bool pare_folder_is_plain(const char *path)
{
    struct stat info;
    return !lstat(path, &info) && S_ISDIR(info.st_mode);
}

bool pare_folder_holds(const char *folder, const char *path)
{
    char outer[PATH_MAX], inner[PATH_MAX], parent[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    size_t size = slash ? (size_t)(slash - path) : 0;
    if (slash == path) size = 1; /* in "/" */
    if (size >= sizeof parent) return false;
    if (slash) {
        memcpy(parent, path, size);
        parent[size] = '\0';
    }
    if (!realpath(folder, outer) || !realpath(parent, inner)) return false;
    size_t n = strlen(outer);
    return strncmp(outer, inner, n) == 0 && (inner[n] == '/' || inner[n] == '\0');
}
