/* Staging by rename, and by exchange where something has to make room. */
#include "os/staging.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/file.h"

static const char MADE[] = ".new-", LOCK[] = ".lock";

struct pare_staging {
    char *shelf;  /* owned, absolute */
    char *folder; /* owned, absolute: SHELF/.new-folder */
    int lock_fd;
};

/* SHELF/NAME; the caller owns *out. */
static pare_status join(const char *shelf, const char *name, char **out, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, err, "%s/%s", shelf, name);
    if (status == PARE_OK)
        *out = path.data;
    else
        pare_buffer_done(&path);
    return status;
}

static pare_status lock(pare_staging *staging, pare_error *err)
{
    char *path = NULL;
    pare_status status = join(staging->shelf, LOCK, &path, err);
    if (status == PARE_OK) {
        staging->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (staging->lock_fd < 0) status = pare_fail_errno(err, errno, "%s", path);
    }
    while (status == PARE_OK && flock(staging->lock_fd, LOCK_EX)) {
        if (errno != EINTR) status = pare_fail_errno(err, errno, "cannot lock %s", path);
    }
    pare_release(path);
    return status;
}

/* Removes what is left of folders that were never finished.  The lock is held, so
 * nobody is still making them. */
static pare_status sweep(const pare_staging *staging, pare_error *err)
{
    pare_status status = PARE_OK;
    DIR *dir = opendir(staging->shelf);
    if (!dir) return pare_fail_errno(err, errno, "%s", staging->shelf);
    for (struct dirent *entry; status == PARE_OK && (entry = readdir(dir));) {
        char *path = NULL;
        if (strncmp(entry->d_name, MADE, strlen(MADE)) != 0) continue;
        status = join(staging->shelf, entry->d_name, &path, err);
        if (status == PARE_OK) status = pare_file_remove_tree(path, err);
        pare_release(path);
    }
    (void)closedir(dir);
    return status;
}

/* With the rights that the umask leaves: it becomes what others are to read.  The lock is held
 * and the shelf swept, so nobody has a folder of this name. */
static pare_status make_folder(pare_staging *staging, pare_error *err)
{
    char *path = NULL;
    pare_buffer name = {0};
    pare_status status = pare_buffer_format(&name, err, "%sfolder", MADE);
    if (status == PARE_OK) status = join(staging->shelf, name.data, &path, err);
    if (status == PARE_OK && mkdir(path, 0777))
        status = pare_fail_errno(err, errno, "cannot make a folder in %s", staging->shelf);
    if (status == PARE_OK)
        staging->folder = path;
    else
        pare_release(path);
    pare_buffer_done(&name);
    return status;
}

pare_status pare_staging_open(const char *shelf, pare_staging **out, pare_error *err)
{
    pare_staging *staging = pare_alloc_zero(1, sizeof *staging);
    if (!staging) return pare_fail_nomem(err);
    staging->lock_fd = -1;
    pare_status status = pare_file_make_directories(shelf, err);
    if (status == PARE_OK) status = pare_file_absolute(shelf, &staging->shelf, err);
    if (status == PARE_OK) status = lock(staging, err);
    if (status == PARE_OK) status = sweep(staging, err);
    if (status == PARE_OK) status = make_folder(staging, err);
    if (status == PARE_OK)
        *out = staging;
    else
        pare_staging_close(staging);
    return status;
}

void pare_staging_close(pare_staging *staging)
{
    if (!staging) return;
    /* What cannot be removed now is swept by the next who makes something here. */
    if (staging->folder) (void)!pare_file_remove_tree(staging->folder, NULL);
    if (staging->lock_fd >= 0) (void)close(staging->lock_fd);
    pare_release(staging->folder);
    pare_release(staging->shelf);
    pare_release(staging);
}

const char *pare_staging_path(const pare_staging *staging)
{
    return staging->folder;
}

pare_status pare_staging_move(const pare_staging *staging, const char *from, const char *to,
                              pare_error *err)
{
    char *source = NULL, *target = NULL;
    pare_status status = join(staging->folder, from, &source, err);
    if (status == PARE_OK) status = join(staging->folder, to, &target, err);
    if (status == PARE_OK && rename(source, target))
        status = pare_fail_errno(err, errno, "%s", source);
    pare_release(source);
    pare_release(target);
    return status;
}

/* Exchanges the filled folder and `place`, or moves it there when nothing is. */
static int put(const char *folder, const char *place)
{
    if (!renameat2(AT_FDCWD, folder, AT_FDCWD, place, RENAME_NOREPLACE)) return 0;
    /* A file system without these flags still puts a folder where there is none. */
    if (errno == EINVAL) return rename(folder, place) ? errno : 0;
    if (errno != EEXIST) return errno;
    return renameat2(AT_FDCWD, folder, AT_FDCWD, place, RENAME_EXCHANGE) ? errno : 0;
}

pare_status pare_staging_commit(pare_staging *staging, const char *name, pare_error *err)
{
    char *place = NULL;
    pare_status status = join(staging->shelf, name, &place, err);
    int cause = status == PARE_OK ? put(staging->folder, place) : 0;
    if (cause) status = pare_fail_errno(err, cause, "cannot put %s in its place", place);
    pare_release(place);
    return status;
}

pare_status pare_staging_discard(pare_staging *staging, const char *name, pare_error *err)
{
    char *place = NULL, *inside = NULL;
    pare_status status = join(staging->shelf, name, &place, err);
    if (status == PARE_OK) status = join(staging->folder, "old", &inside, err);
    if (status == PARE_OK && rename(place, inside))
        status = pare_fail_errno(err, errno, "cannot remove %s", place);
    pare_release(place);
    pare_release(inside);
    return status;
}
