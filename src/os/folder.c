/* Folders as a whole: replaced, staged, listed, for a while.
 *
 * Replacing.  A new folder is filled beside the old one under a name that pare_file_sweep
 * knows, and the two change places: renameat2 with RENAME_EXCHANGE, one atomic step.  On file
 * systems that have no exchange (some network and overlay ones) there are two renames and an
 * instant between them; the order is such that a process killed there leaves both folders,
 * under names that the next run finds.
 *
 * Keeping.  The old folder must never be without a name that its owner knows: the new one first
 * takes the name that the old one will have, and then the two change places.
 *
 * Staging.  A shelf is a folder of such folders, where one process at a time makes something;
 * its lock says whether what is unfinished is still being made, or is garbage.
 *
 * Scratch folders lie in memory where that can be written: what is in them is not meant to
 * last.
 *
 * Power may be lost (os/sync.h): a new folder is on disk with all that is in it before it gets its
 * place, and that it has it before the old one is removed.
 *
 * Removing.  What was replaced may be removed by a thread while its owner goes on; one folder at a
 * time, so nobody gets ahead of a slow disk for long.
 *
 * Invariant: a path that was given to us names a whole folder at any instant, old or new. */
#include "os/folder.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/sync.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/vector.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/sync.h"

enum { NAME_TRIES = 1000 };

/* Makes a new folder beside `path`, named as pare_file_sweep knows it: a run that is killed
 * leaves nothing for good. */
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

/* Lets the caller fill the new folder `name`, with the old one open for reading, and syncs what
 * is in it; returns 0 or an errno. */
static int fill(const char *name, const char *path, pare_sync sync, pare_folder_write write,
                void *context)
{
    const int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(name, how);
    if (fd < 0) return errno;
    int previous = open(path, how);
    int failed = write(context, fd, previous);
    if (!failed) failed = pare_sync_tree(fd, sync);
    if (previous >= 0) (void)close(previous);
    (void)close(fd);
    return failed;
}

/* Swaps two folders by three renames, on systems without an exchange. Between the first two nothing
 * is under `path`; if the second fails the old folder is put back. Returns 0 or an errno. */
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

/* Gives the new folder `name` the name `path`; *old tells whether `name` names the old one
 * now.  Tried in this order: rename to a free name, exchange, and what file systems without
 * these flags can do.  Returns 0 or an errno. */
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

/* ---- removing meanwhile ---------------------------------------------------------------- */

/* A folder that cannot be removed is in nobody's way. */
static void *work(void *context)
{
    pare_folder_removal *removal = context;
    (void)!pare_file_remove_tree(removal->path, NULL);
    atomic_store(&removal->done, true);
    return NULL;
}

bool pare_folder_removal_is_busy(const pare_folder_removal *removal)
{
    return removal->path && !atomic_load(&removal->done);
}

/* Idle already is a no-op. */
void pare_folder_removal_finish(pare_folder_removal *removal)
{
    if (!removal->path) return;
    (void)pthread_join(removal->thread, NULL);
    pare_alloc_free(removal->path);
    removal->path = NULL;
}

/* Starts the thread, which takes no signals: those are its maker's.  False where none can be had. */
static bool remove_meanwhile(pare_folder_removal *removal, const char *path)
{
    sigset_t all, before;
    pare_folder_removal_finish(removal);
    char *copy = pare_alloc_text(path, strlen(path));
    if (!copy) return false;
    removal->path = copy;
    atomic_store(&removal->done, false);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = !pthread_create(&removal->thread, NULL, work, removal);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) return true;
    removal->path = NULL;
    pare_alloc_free(copy);
    return false;
}

/* ---- replacing ------------------------------------------------------------------------- */

/* Gives the new folder `name` its place; *goes tells whether `name` is to be removed then, which is the
 * new folder after an error, or the old one. */
static pare_status put_in_place(const char *name, const char *path,
                                const pare_folder_replacing *how, bool *goes, pare_error *err)
{
    bool old = false;
    const pare_file_guard *guard = how->guard;
    pare_status status = PARE_OK;
    *goes = true;
    if (guard && pare_file_exists(path)) status = guard->check(guard->context, path, err);
    if (status) return status;
    int failed = change_places(name, path, &old);
    if (failed) return pare_fail_errno(err, failed, "cannot write %s", path);
    if (guard && old) status = guard->check(guard->context, name, err);
    if (status) {
        /* A folder that cannot be put back is somebody's, and stays under the other name. */
        *goes = !change_places(name, path, &old);
        return status;
    }
    failed = pare_sync_name(path, how->sync);
    *goes = old && !failed;
    return failed ? pare_fail_errno(err, failed, "cannot write %s", path) : PARE_OK;
}

/* Whatever happens, one folder is left under `path`, and the other is removed; the old one only
 * when it is on disk that they have changed places. */
pare_status pare_folder_replace(const char *path, const pare_folder_replacing *how,
                                pare_folder_write write, void *context, pare_error *err)
{
    pare_buffer name = {0};
    bool goes = true;
    pare_status status = make_beside(path, &name, err);
    if (!status) {
        const int failed = fill(name.data, path, how->sync, write, context);
        status = failed ? pare_fail_errno(err, failed, "cannot write %s", path)
                        : put_in_place(name.data, path, how, &goes, err);
        if (goes && (!how->removal || status || !remove_meanwhile(how->removal, name.data)))
            (void)!pare_file_remove_tree(name.data, NULL);
    }
    pare_buffer_done(&name);
    return status;
}

/* ---- keeping ------------------------------------------------------------------------- */

/* 0: nothing is there. No inode has this number. */
uint64_t pare_folder_inode(const char *path)
{
    struct stat info;
    return lstat(path, &info) ? 0 : info.st_ino;
}

/* Puts the new folder `name` in the place of `path`, which will be called `kept`. The new one first
 * takes the name `kept`, which must be free, and then the two are exchanged; so at every moment the
 * old folder has a name that its owner knows. Without an exchange two renames do it. Returns 0 or
 * an errno. */
static int change_keeping(const char *name, const char *path, const char *kept, pare_sync sync)
{
    int failed = pare_file_rename_free(name, kept);
    if (failed) return failed;
    /* On disk the two steps come in this order, too. */
    failed = pare_sync_name(kept, sync);
    if (failed) return rename(kept, name) ? errno : failed;
    if (!renameat2(AT_FDCWD, kept, AT_FDCWD, path, RENAME_EXCHANGE)) return 0;
    failed = errno;
    if (rename(kept, name)) return errno;
    if (failed != EINVAL) return failed;
    failed = pare_file_rename_free(path, kept);
    if (!failed) failed = pare_sync_name(kept, sync);
    if (failed || !rename(name, path)) return failed;
    failed = errno;
    return rename(kept, path) ? errno : failed;
}

/* announce comes before any name changes: whoever reads later what it wrote can tell by the
 * inode which of the folders is which. */
pare_status pare_folder_replace_keeping(const char *path, const pare_folder_keep *keep,
                                        pare_folder_write write, void *context, pare_error *err)
{
    pare_buffer name = {0};
    pare_status status = make_beside(path, &name, err);
    if (!status) {
        int failed = fill(name.data, path, keep->sync, write, context);
        if (!failed && keep->announce)
            failed = keep->announce(keep->context, pare_folder_inode(name.data));
        if (!failed) failed = change_keeping(name.data, path, keep->kept, keep->sync);
        if (!failed) failed = pare_sync_name(path, keep->sync);
        if (failed) status = pare_fail_errno(err, failed, "cannot write %s", path);
        /* Remains are swept later; they are nothing but a result. */
        pare_status removed = failed ? pare_file_remove_tree(name.data, NULL) : PARE_OK;
        (void)removed;
    }
    pare_buffer_done(&name);
    return status;
}

/* ---- looking ------------------------------------------------------------------------- */

/* A link to a folder does not count: replacing it would replace the link. */
bool pare_folder_is_plain(const char *path)
{
    struct stat info;
    return !lstat(path, &info) && S_ISDIR(info.st_mode);
}

/* By the real paths: both may be reached through links.  `path` itself need not exist, its
 * parent must. */
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

/* ---- names ----------------------------------------------------------------------------- */

/* By bytes, so that the order is the same under every locale. */
static int compare(const void *first, const void *second)
{
    return strcmp(*(char *const *)first, *(char *const *)second);
}

/* The name is copied: the entry of readdir lives until the next one only. */
static pare_status add(pare_folder_names *names, const char *name, pare_error *err)
{
    char **grown = pare_vector_grow(names->items, names->n, &names->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    names->items = grown;
    grown[names->n] = pare_alloc_text(name, strlen(name));
    if (!grown[names->n]) return pare_fail_nomem(err);
    names->n++;
    return PARE_OK;
}

/* errno tells the end of a folder from an error of readdir, so it is cleared before each call. */
pare_status pare_folder_names_read(pare_folder_names *names, const char *path, pare_error *err)
{
    DIR *folder = opendir(path);
    if (!folder) return pare_fail_errno(err, errno, "cannot read the folder '%s'", path);
    pare_status status = PARE_OK;
    const struct dirent *entry;
    errno = 0;
    while (!status && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = add(names, entry->d_name, err);
        errno = 0;
    }
    if (!status && errno) status = pare_fail_errno(err, errno, "cannot read the folder '%s'", path);
    (void)closedir(folder);
    if (names->n) qsort(names->items, names->n, sizeof *names->items, compare);
    return status;
}

/* All-zero is a no-op. */
void pare_folder_names_done(pare_folder_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        pare_alloc_free(names->items[i]);
    pare_alloc_free(names->items);
    *names = (pare_folder_names){0};
}

/* ---- scratch --------------------------------------------------------------------------- */

/* Makes the folder in `parent`; *path is untouched when that cannot be.  It is locked as long as we
 * live: what a killed process left is known by that, and swept by a later run (os/sandbox/slotdir.c).
 * The descriptor of the lock lies behind the end of the path. */
static pare_status make_in(const char *parent, char **path, pare_error *err)
{
    pare_buffer name = {0};
    int lock = -1;
    pare_status status =
        pare_buffer_format(&name, err, "%s/pare-%ld-XXXXXX", parent, (long)getpid());
    if (status) return status;
    const size_t length = strlen(name.data);
    status = pare_buffer_add(&name, "", 1, err);
    if (!status) status = pare_buffer_add(&name, &lock, sizeof lock, err);
    if (!status && !mkdtemp(name.data))
        status = pare_fail_errno(err, errno, "cannot make a folder in '%s'", parent);
    if (status) {
        pare_buffer_done(&name);
        return status;
    }
    lock = open(name.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0) (void)flock(lock, LOCK_EX | LOCK_NB);
    memcpy(name.data + length + 1, &lock, sizeof lock);
    *path = name.data;
    return PARE_OK;
}

/* In memory if possible; if that is missing or full, where temporary files go. */
pare_status pare_folder_make_scratch(char **path, pare_error *err)
{
    const char *directory = getenv("TMPDIR");
    if (access("/dev/shm", W_OK | X_OK) == 0) {
        pare_status status = make_in("/dev/shm", path, NULL);
        if (status != PARE_E_IO) return status == PARE_OK ? status : pare_fail_nomem(err);
    }
    return make_in(directory && *directory ? directory : "/tmp", path, err);
}

/* NULL is a no-op. */
void pare_folder_remove_scratch(char *path)
{
    int lock;
    if (!path) return;
    (void)!pare_file_remove_tree(path, NULL);
    memcpy(&lock, path + strlen(path) + 1, sizeof lock);
    pare_descriptor_close(&lock);
    pare_alloc_free(path);
}

/* ---- staging --------------------------------------------------------------------------- */

/* How the names of unfinished folders begin; the file that is locked. */
static const char MADE[] = ".new-", LOCK[] = ".lock";

struct pare_folder_stage {
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

/* Waits for another process that makes something on the shelf; the kernel gives its lock up
 * however that ends. */
static pare_status lock(pare_folder_stage *staging, pare_error *err)
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
    pare_alloc_free(path);
    return status;
}

/* Removes what is left of folders that were never finished.  The lock is held, so nobody is
 * still making them.  Errors: PARE_E_IO, PARE_E_NOMEM. */
static pare_status sweep(const pare_folder_stage *staging, pare_error *err)
{
    pare_status status = PARE_OK;
    DIR *dir = opendir(staging->shelf);
    if (!dir) return pare_fail_errno(err, errno, "%s", staging->shelf);
    for (struct dirent *entry; status == PARE_OK && (entry = readdir(dir));) {
        char *path = NULL;
        if (strncmp(entry->d_name, MADE, strlen(MADE)) != 0) continue;
        status = join(staging->shelf, entry->d_name, &path, err);
        if (status == PARE_OK) status = pare_file_remove_tree(path, err);
        pare_alloc_free(path);
    }
    (void)closedir(dir);
    return status;
}

/* With the rights that the umask leaves: it becomes what others are to read.  The lock is held
 * and the shelf swept, so nobody has a folder of this name. */
static pare_status make_folder(pare_folder_stage *staging, pare_error *err)
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
        pare_alloc_free(path);
    pare_buffer_done(&name);
    return status;
}

/* On failure everything that was made is taken away again by close, which knows how far it
 * came. */
pare_status pare_folder_stage_open(const char *shelf, pare_folder_stage **out, pare_error *err)
{
    pare_folder_stage *staging = pare_alloc_zero(1, sizeof *staging);
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
        pare_folder_stage_close(staging);
    return status;
}

/* Without a commit, removes what was made; after one, what was in its place before. */
void pare_folder_stage_close(pare_folder_stage *staging)
{
    if (!staging) return;
    /* What cannot be removed now is swept by whoever makes something here next. */
    if (staging->folder) (void)!pare_file_remove_tree(staging->folder, NULL);
    if (staging->lock_fd >= 0) (void)close(staging->lock_fd);
    pare_alloc_free(staging->folder);
    pare_alloc_free(staging->shelf);
    pare_alloc_free(staging);
}

/* The folder to fill. */
const char *pare_folder_stage_path(const pare_folder_stage *staging)
{
    return staging->folder;
}

/* Within the unfinished folder, so both names are below it. */
pare_status pare_folder_stage_move(const pare_folder_stage *staging, const char *from,
                                   const char *to, pare_error *err)
{
    char *source = NULL, *target = NULL;
    pare_status status = join(staging->folder, from, &source, err);
    if (status == PARE_OK) status = join(staging->folder, to, &target, err);
    if (status == PARE_OK && rename(source, target))
        status = pare_fail_errno(err, errno, "%s", source);
    pare_alloc_free(source);
    pare_alloc_free(target);
    return status;
}

/* Exchanges the filled folder and `place`, or moves the folder there if nothing is. Returns 0 or an
 * errno; without an exchange, and with something in the place, that of rename. */
static int put(const char *folder, const char *place)
{
    if (!renameat2(AT_FDCWD, folder, AT_FDCWD, place, RENAME_NOREPLACE)) return 0;
    /* A file system without these flags can still put a folder where there is none. */
    if (errno == EINVAL) return rename(folder, place) ? errno : 0;
    if (errno != EEXIST) return errno;
    return renameat2(AT_FDCWD, folder, AT_FDCWD, place, RENAME_EXCHANGE) ? errno : 0;
}

/* The folder that was in the place, if any, is under the other name afterwards, and goes with
 * close. */
pare_status pare_folder_stage_commit(pare_folder_stage *staging, const char *name, pare_error *err)
{
    char *place = NULL;
    assert(staging->lock_fd >= 0 && staging->folder);
    pare_status status = join(staging->shelf, name, &place, err);
    int cause = status == PARE_OK ? put(staging->folder, place) : 0;
    if (cause) status = pare_fail_errno(err, cause, "cannot put %s in its place", place);
    pare_alloc_free(place);
    return status;
}

/* Moved into the unfinished folder first: one step, after which it is garbage. */
pare_status pare_folder_stage_discard(pare_folder_stage *staging, const char *name, pare_error *err)
{
    char *place = NULL, *inside = NULL;
    pare_status status = join(staging->shelf, name, &place, err);
    if (status == PARE_OK) status = join(staging->folder, "old", &inside, err);
    if (status == PARE_OK && rename(place, inside))
        status = pare_fail_errno(err, errno, "cannot remove %s", place);
    pare_alloc_free(place);
    pare_alloc_free(inside);
    return status;
}
