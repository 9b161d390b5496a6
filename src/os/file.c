/* Files and folders by their paths: read whole, replaced whole, removed with all that is in
 * them.
 *
 * A file is written under another name beside its place, then renamed: at any instant the path
 * names either the old content or the new one, however we end; synced (os/sync.h), also when the
 * power is lost.  The other name holds our
 * process number, so that the next run knows which of them a killed process has left
 * (pare_file_sweep); the mode of the file that is replaced stays.
 *
 * A folder is removed although hostile programs have filled it.  Removal never goes down more
 * than one level: what is in a sub-folder is deleted, or, when it is a folder itself, moved up
 * to the top; so neither the stack nor the descriptors grow with the depth, no path gets too
 * long, and none is ever walked through a link.  Why not nftw: it keeps a descriptor per level,
 * or walks paths that a test may change meanwhile.
 *
 * Invariant of both: nothing outside the folder is touched, whatever its entries are links to. */
#include "os/file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/sync.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "os/clock.h"
#include "os/sync.h"

enum {
    NAME_TRIES = 1000, /* temporary names tried before giving up */
    READ_BYTES =
        1 << 24, /* read at once: some milliseconds, since no signal ends a read of a file */
    HUGE_BYTES = 1 << 26,
    TELL_MS = 100, /* least time between two reports of a reading */
    LOOK_MS = 100  /* between two looks while nothing comes from a pipe, a terminal, /proc/kmsg */
};

/* The sentence for a folder where a file was asked for. */
static pare_status fail_directory(const char *name, pare_error *err)
{
    return pare_fail(err, PARE_E_IO, "%s is a directory; give one file", name);
}

/* Faults of small pages take as long as reading them.  A hint only. */
static void ask_for_huge_pages(const pare_buffer *buffer)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t from = ((uintptr_t)buffer->data + page - 1) / page * page;
    const uintptr_t to = ((uintptr_t)buffer->data + buffer->capacity) / page * page;
    (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
}

/* Whether a read may wait for what others write.  Files of /proc are regular, and have no size. */
static bool may_wait(const struct stat *info)
{
    return !S_ISREG(info->st_mode) || !info->st_size;
}

/* Reserves what a regular file still holds, so that it is read without growing; a hint only.
 * *waits is set.
 * Errors: PARE_E_IO (it is a directory), PARE_E_NOMEM. */
static pare_status reserve_for(int fd, const char *name, pare_buffer *buffer, bool *waits,
                               pare_error *err)
{
    struct stat info;
    if (fstat(fd, &info)) return pare_fail_errno(err, errno, "cannot read %s", name);
    if (S_ISDIR(info.st_mode)) return fail_directory(name, err);
    *waits = may_wait(&info);
    if (!S_ISREG(info.st_mode)) return PARE_OK;
    off_t at = lseek(fd, 0, SEEK_CUR);
    if (at < 0 || info.st_size <= at) return PARE_OK;
    pare_status status = pare_buffer_reserve(buffer, (size_t)(info.st_size - at), err);
    if (!status && buffer->capacity >= HUGE_BYTES) ask_for_huge_pages(buffer);
    return status;
}

/* Between two chunks: reports how far reading is, and looks whether it is to stop. */
static pare_status pause_reading(const pare_file_reading *reading, const pare_buffer *buffer,
                                 uint64_t *told_ms, pare_error *err)
{
    const uint64_t now = pare_clock_ms();
    if (reading && now - *told_ms >= TELL_MS) {
        *told_ms = now;
        /* The capacity is for the size that the file had at first; it may have grown since. */
        const size_t size = buffer->capacity ? buffer->capacity - 1 : 0;
        reading->tell(reading->context, buffer->size, size > buffer->size ? size : buffer->size);
    }
    return pare_interrupt_look(err);
}

/* Waits until a read has something to return.  A read itself goes on after a signal, and the signal may be
 * another thread's. */
static pare_status await_bytes(int fd, pare_error *err)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    pare_status status = PARE_OK;
    while (!status) {
        const int n = poll(&ready, 1, LOOK_MS);
        if (n > 0 || (n < 0 && errno != EINTR)) break; /* the read says what is wrong */
        status = pare_interrupt_look(err);
    }
    return status;
}

/* Reads to the end, whatever the descriptor is. The size from fstat is only a hint: it is 0 for
 * pipes and files of /proc, and others may write meanwhile. */
static pare_status read_all(int fd, const char *name, const pare_file_reading *reading,
                            pare_buffer *buffer, pare_error *err)
{
    uint64_t told_ms = 0;
    size_t next_pause = READ_BYTES;
    pare_buffer_reset(buffer);
    bool waits = false;
    pare_status status = reserve_for(fd, name, buffer, &waits, err);
    while (!status) {
        if (waits) status = await_bytes(fd, err);
        if (status) break;
        /* One byte of the capacity is kept for the NUL. At the end of a regular file the rest of
         * the room is empty, and a probe into a separate buffer tells the end from more data
         * without growing it. */
        size_t room = buffer->capacity ? buffer->capacity - 1 - buffer->size : 0;
        char probe[256];
        const size_t most = room < READ_BYTES ? room : READ_BYTES;
        ssize_t n =
            room ? read(fd, buffer->data + buffer->size, most) : read(fd, probe, sizeof probe);
        if (n < 0 && (errno == EINTR || (waits && errno == EAGAIN))) continue;
        if (n < 0)
            status = errno == EISDIR ? fail_directory(name, err)
                                     : pare_fail_errno(err, errno, "cannot read %s", name);
        if (n <= 0) break;
        if (!room) {
            status = pare_buffer_add(buffer, probe, (size_t)n, err);
        } else {
            buffer->size += (size_t)n;
            buffer->data[buffer->size] = '\0';
        }
        if (!status && buffer->size >= next_pause) {
            next_pause = buffer->size + READ_BYTES;
            status = pause_reading(reading, buffer, &told_ms, err);
        }
    }
    if (!status && told_ms) reading->tell(reading->context, buffer->size, buffer->size);
    if (status) pare_buffer_reset(buffer);
    return status;
}

pare_status pare_file_read_fd(int fd, const char *name, pare_buffer *buffer, pare_error *err)
{
    return read_all(fd, name, NULL, buffer, err);
}

/* A missing file gets its own sentence, since it is the most common mistake.  A named pipe that nobody
 * writes to is open at once: what waits is what reads it. */
static pare_status open_to_read(const char *path, int *fd, pare_error *err)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (*fd >= 0) return PARE_OK;
    if (errno == ENOENT) return pare_fail(err, PARE_E_IO, "%s does not exist", path);
    return pare_fail_errno(err, errno, "cannot open %s", path);
}

/* The buffer is emptied even when the file cannot be opened: no old content is taken for the
 * file's. */
pare_status pare_file_read_told(const char *path, const pare_file_reading *reading,
                                pare_buffer *buffer, pare_error *err)
{
    int fd = -1;
    pare_buffer_reset(buffer);
    pare_status status = open_to_read(path, &fd, err);
    if (status) return status;
    status = read_all(fd, path, reading, buffer, err);
    (void)close(fd);
    return status;
}

pare_status pare_file_read(const char *path, pare_buffer *buffer, pare_error *err)
{
    return pare_file_read_told(path, NULL, buffer, err);
}

/* In constant memory: the files that a command names may be large. */
pare_status pare_file_hash_fd(int fd, const char *name, pare_hash *hash, size_t *size,
                              pare_error *err)
{
    char chunk[4096];
    struct stat info;
    const bool waits = !fstat(fd, &info) && may_wait(&info);
    for (;;) {
        const pare_status status = waits ? await_bytes(fd, err) : PARE_OK;
        if (status) return status;
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && (errno == EINTR || (waits && errno == EAGAIN))) continue;
        if (n < 0) return pare_fail_errno(err, errno, "cannot read %s", name);
        if (n == 0) return PARE_OK;
        *hash = pare_digest_extend(*hash, chunk, (size_t)n);
        *size += (size_t)n;
    }
}

pare_status pare_file_hash(const char *path, pare_hash *hash, size_t *size, pare_error *err)
{
    int fd = -1;
    pare_status status = open_to_read(path, &fd, err);
    if (status) return status;
    status = pare_file_hash_fd(fd, path, hash, size, err);
    (void)close(fd);
    return status;
}

/* A link counts, wherever it leads. */
bool pare_file_exists(const char *path)
{
    struct stat info;
    return !lstat(path, &info);
}

/* Not the opposite of exists: a path that cannot be looked at is neither. */
bool pare_file_is_absent(const char *path)
{
    struct stat info;
    return lstat(path, &info) && (errno == ENOENT || errno == ENOTDIR);
}

/* basename(3) of <libgen.h> would change its argument. */
const char *pare_file_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Links are followed: what counts is what opening it would give. */
bool pare_file_is_regular(const char *path)
{
    struct stat info;
    return !stat(path, &info) && S_ISREG(info.st_mode);
}

/* Links are followed, as for files. */
bool pare_file_is_socket(const char *path)
{
    struct stat info;
    return !stat(path, &info) && S_ISSOCK(info.st_mode);
}

/* Links are followed, as for files. */
bool pare_file_is_directory(const char *path)
{
    struct stat info;
    return !stat(path, &info) && S_ISDIR(info.st_mode);
}

/* 0 for what is not there: no file of use has that mode. */
mode_t pare_file_mode(const char *path)
{
    struct stat info;
    return stat(path, &info) ? 0 : info.st_mode & 07777;
}

/* Links are not resolved: a test may depend on the name by which it is called. */
pare_status pare_file_absolute(const char *path, char **out, pare_error *err)
{
    pare_buffer text = {0};
    char here[PATH_MAX];
    pare_status status = PARE_OK;
    if (path[0] != '/') {
        if (!getcwd(here, sizeof here))
            return pare_fail_errno(err, errno, "cannot tell the current directory");
        status = pare_buffer_text(&text, here, err);
        if (!status && strcmp(here, "/") != 0) status = pare_buffer_text(&text, "/", err);
        if (path[0] == '.' && path[1] == '/') path += 2;
    }
    if (!status) status = pare_buffer_text(&text, path, err);
    if (status)
        pare_buffer_done(&text);
    else
        *out = text.data;
    return status;
}

/* The file that a write of `path` replaces: where the link points to if it is one. */
static pare_status target_of(const char *path, char **out, pare_error *err)
{
    struct stat info;
    char target[PATH_MAX];
    const char *found = path;
    if (!lstat(path, &info) && S_ISLNK(info.st_mode) && realpath(path, target)) found = target;
    *out = pare_alloc_text(found, strlen(found));
    return *out ? PARE_OK : pare_fail_nomem(err);
}

/* Opens a new file beside `target`, so on the same file system, which rename needs; its name
 * is left in *name.  The process's number in it lets pare_file_sweep see whether the writer is
 * alive. */
static pare_status open_beside(const char *target, pare_buffer *name, int *fd, pare_error *err)
{
    for (unsigned k = 0; k < NAME_TRIES; k++) {
        pare_buffer_reset(name);
        pare_status status =
            pare_buffer_format(name, err, "%s.%d-%u.tmp", target, (int)getpid(), k);
        if (status) return status;
        *fd = open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (*fd >= 0) return PARE_OK;
        if (errno != EEXIST) break;
    }
    return pare_fail_errno(err, errno, "cannot write %s", target);
}

/* Gives the new file the mode of the one that it replaces, if there is one; 0 or an errno.  A
 * script that cannot be made executable, as on some file systems, is text all the same. */
static int take_mode(int fd, const char *target, bool is_script)
{
    struct stat now;
    if (!stat(target, &now) && fchmod(fd, now.st_mode & 07777)) return errno;
    if (is_script && !fstat(fd, &now))
        (void)!fchmod(fd, (now.st_mode & 07777) | (now.st_mode & 0444) >> 2);
    return 0;
}

/* Fills the new file, syncs and closes it, with its mode; gives 0 or an errno.  The close is
 * checked: on network file systems it is where a full disk shows. */
static int fill_and_close(int fd, const char *target, const pare_file_writing *what,
                          struct stat *written)
{
    pare_iovec gather;
    pare_descriptor_gather_start(&gather, fd);
    int failed = what->fill(what->context, &gather);
    if (!failed) failed = pare_descriptor_gather_finish(&gather);
    if (!failed) failed = take_mode(fd, target, what->is_script);
    if (!failed) failed = pare_sync_descriptor(fd, what->sync);
    if (!failed && fstat(fd, written)) failed = errno;
    if (close(fd) && !failed) failed = errno;
    return failed;
}

/* Whether `name` is the file that we have just written, and nobody has written to since. */
static bool is_as_written(const char *name, const struct stat *written)
{
    struct stat now;
    return !lstat(name, &now) && now.st_dev == written->st_dev && now.st_ino == written->st_ino &&
           now.st_size == written->st_size && now.st_mtim.tv_sec == written->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == written->st_mtim.tv_nsec;
}

/* Undoes an exchange: `name` holds what the guard would not let go.  If somebody has written to the
 * path since, that is newer than what `name` holds, and stays.  Returns 0, or an errno: then `name`
 * must not be removed. */
static int take_back(const char *name, const char *target, const struct stat *written)
{
    if (renameat2(AT_FDCWD, name, AT_FDCWD, target, RENAME_EXCHANGE))
        return errno == ENOENT && !rename(name, target) ? 0 : errno;
    if (is_as_written(name, written)) return 0;
    return renameat2(AT_FDCWD, name, AT_FDCWD, target, RENAME_EXCHANGE) ? errno : 0;
}

/* Gives the new file `name` its place.  With a guard the two change places, and `name` is afterwards
 * what was replaced; *stays says that it must not be removed. */
static pare_status put(const char *name, const char *target, const pare_file_writing *what,
                       const struct stat *written, bool *stays, pare_error *err)
{
    const pare_file_guard *guard = what->guard;
    pare_status status = PARE_OK;
    if (guard && pare_file_exists(target)) status = guard->check(guard->context, target, err);
    if (status) return status;
    while (guard) {
        if (!renameat2(AT_FDCWD, name, AT_FDCWD, target, RENAME_EXCHANGE)) {
            status = guard->check(guard->context, name, err);
            if (status && take_back(name, target, written)) *stays = true;
            return status;
        }
        if (errno != ENOENT) break;
        if (!renameat2(AT_FDCWD, name, AT_FDCWD, target, RENAME_NOREPLACE)) return PARE_OK;
        if (errno != EEXIST) break; /* else somebody has made it just now */
    }
    if (!rename(name, target)) return PARE_OK;
    return pare_fail_errno(err, errno, "cannot write %s", target);
}

/* An error leaves the old file as it was, and nothing beside it.  Synced before it gets its place, the
 * file is never named before it is whole; the folder after that, so that what is removed next, here or
 * by the caller, was replaced before. */
pare_status pare_file_replace(const char *path, const pare_file_writing *what, pare_error *err)
{
    pare_buffer name = {0};
    char *target = NULL;
    int fd = -1;
    bool stays = false;
    struct stat written;
    pare_status status = PARE_OK;
    if (pare_file_is_directory(path)) return fail_directory(path, err);
    status = target_of(path, &target, err);
    if (status) goto out;
    status = open_beside(target, &name, &fd, err);
    if (status) goto out;
    int failed = fill_and_close(fd, target, what, &written);
    if (failed)
        status = pare_fail_errno(err, failed, "cannot write %s", path);
    else
        status = put(name.data, target, what, &written, &stays, err);
    failed = status ? 0 : pare_sync_name(target, what->sync);
    if (failed) status = pare_fail_errno(err, failed, "cannot write %s", path);
    if ((status || what->guard) && !stays) (void)unlink(name.data);
    if (!status && what->written) *what->written = written;
out:
    pare_buffer_done(&name);
    pare_alloc_free(target);
    return status;
}

/* Writes a file from pieces. */
pare_status pare_file_write(const char *path, pare_sync sync, pare_iovec_fill fill, void *context,
                            pare_error *err)
{
    return pare_file_replace(
        path, &(pare_file_writing){.fill = fill, .context = context, .sync = sync}, err);
}

/* ---- copying ------------------------------------------------------------------------- */

/* Without RENAME_NOREPLACE there is an instant between look and rename, in which another
 * process could make `to`. */
int pare_file_rename_free(const char *from, const char *to)
{
    if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE)) return 0;
    if (errno != EINVAL) return errno;
    if (pare_file_exists(to)) return EEXIST;
    return rename(from, to) ? errno : 0;
}

/* Writes all of the bytes, however few are taken at once.  Returns 0 or an errno. */
static int write_whole(int to, const char *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        const ssize_t written = write(to, bytes + done, n - done);
        if (written >= 0)
            done += (size_t)written;
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

/* Appends what is left of `from` to `to`: within the file system where it can do that, else by
 * reading and writing.  Returns 0 or an errno. */
static int copy_rest(int from, int to)
{
    enum { MOST = 1 << 30, CHUNK_BYTES = 1 << 16 };
    ssize_t n = 1;
    while (n > 0)
        n = copy_file_range(from, NULL, to, NULL, MOST, 0);
    /* A file of which nothing was copied may be one of /proc, which says that it is empty. */
    char *bytes = pare_alloc(CHUNK_BYTES, 1);
    int failed = bytes ? 0 : ENOMEM;
    while (!failed && (n = read(from, bytes, CHUNK_BYTES)) != 0) {
        if (n > 0)
            failed = write_whole(to, bytes, (size_t)n);
        else if (errno != EINTR)
            failed = errno;
    }
    pare_alloc_free(bytes);
    return failed;
}

/* Fills the new file `to`, and syncs it.  Returns 0 or an errno. */
static int copy_into(int from, int to, pare_sync sync)
{
    struct stat info;
    int failed = ioctl(to, FICLONE, from) ? copy_rest(from, to) : 0;
    if (!failed && fstat(from, &info)) failed = errno;
    if (!failed && fchmod(to, info.st_mode & 07777)) failed = errno;
    const struct timespec times[2] = {info.st_atim, info.st_mtim};
    if (!failed && futimens(to, times)) failed = errno;
    return failed ? failed : pare_sync_descriptor(to, sync);
}

/* Under another name first, so that nobody takes half a copy for a whole one. */
int pare_file_copy(const char *from, const char *to, pare_sync sync)
{
    pare_buffer name = {0};
    int out = -1, failed = 0;
    const int in = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (in < 0) return errno;
    errno = ENOMEM; /* of a name that cannot be made */
    if (open_beside(to, &name, &out, NULL)) failed = errno;
    if (!failed) failed = copy_into(in, out, sync);
    if (out >= 0 && close(out) && !failed) failed = errno;
    if (!failed) failed = pare_file_rename_free(name.data, to);
    if (!failed)
        failed = pare_sync_name(to, sync);
    else if (out >= 0)
        (void)unlink(name.data);
    (void)close(in);
    pare_buffer_done(&name);
    return failed;
}

/* ---- what was left ------------------------------------------------------------------- */

/* Whether `rest`, which follows a file's name and a dot, is "PID-K.tmp" of a process that has
 * ended. If the number belongs to another process by now the file is left alone, which does no
 * harm. */
static bool is_abandoned(const char *rest)
{
    char *end;
    if (*rest < '1' || *rest > '9') return false;
    long pid = strtol(rest, &end, 10);
    if (*end != '-' || end[1] < '0' || end[1] > '9') return false;
    (void)strtoul(end + 1, &end, 10);
    if (strcmp(end, ".tmp") != 0 || pid > INT_MAX) return false;
    return kill((pid_t)pid, 0) && errno == ESRCH;
}

/* Opens the folder of `target`, whose last part is `base`.  The path is cut there for the call,
 * and whole again after it. */
static DIR *open_folder_of(char *target, char *base)
{
    if (base == target) return opendir(".");
    char first = *base;
    *base = '\0';
    DIR *folder = opendir(target);
    *base = first;
    return folder;
}

/* Removes a file, or a folder with all in it, beside `target`, whose last part is `base`. */
static void remove_abandoned(DIR *folder, const char *target, const char *base,
                             const struct dirent *entry)
{
    pare_buffer path = {0};
    if (!unlinkat(dirfd(folder), entry->d_name, 0) || errno != EISDIR) return;
    pare_status status =
        pare_buffer_format(&path, NULL, "%.*s%s", (int)(base - target), target, entry->d_name);
    if (!status) status = pare_file_remove_tree(path.data, NULL);
    (void)status; /* what cannot be removed stays */
    pare_buffer_done(&path);
}

/* Looks only at names that our own writing makes, so nobody else's file is removed. */
void pare_file_sweep(const char *path)
{
    char *target = NULL;
    if (target_of(path, &target, NULL)) return;
    char *slash = strrchr(target, '/');
    char *base = slash ? slash + 1 : target;
    size_t size = strlen(base);
    DIR *folder = open_folder_of(target, base);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        if (strncmp(entry->d_name, base, size) != 0 || entry->d_name[size] != '.') continue;
        if (is_abandoned(entry->d_name + size + 1)) remove_abandoned(folder, target, base, entry);
    }
    if (folder) (void)closedir(folder);
    pare_alloc_free(target);
}

/* A file's whole content. */
struct run {
    const void *bytes;
    size_t size;
};

/* The one run of a file whose bytes lie in one piece. */
static int add_run(void *context, pare_iovec *gather)
{
    const struct run *run = context;
    return pare_descriptor_gather_add(gather, run->bytes, run->size);
}

/* For bytes that lie in one piece. */
pare_status pare_file_write_run(const char *path, pare_sync sync, const void *bytes, size_t size,
                                pare_error *err)
{
    struct run run = {.bytes = bytes, .size = size};
    return pare_file_write(path, sync, add_run, &run, err);
}

int pare_file_fill_buffer(void *context, pare_iovec *gather)
{
    const pare_buffer *buffer = context;
    return pare_descriptor_gather_add(gather, buffer->data, buffer->size);
}

/* Never empty for a reader, but after a power loss. */
pare_status pare_file_write_bytes(const char *path, const void *bytes, size_t size, pare_error *err)
{
    return pare_file_write_run(path, PARE_SYNC_NEVER, bytes, size, err);
}

/* Made executable before it has its name, so that nobody finds it there and cannot run it. */
pare_status pare_file_write_script(const char *path, pare_sync sync, const void *bytes, size_t size,
                                   pare_error *err)
{
    struct run run = {.bytes = bytes, .size = size};
    return pare_file_replace(
        path,
        &(pare_file_writing){.fill = add_run, .context = &run, .sync = sync, .is_script = true},
        err);
}

/* ---- folders ------------------------------------------------------------------------ */

enum { LISTING_BYTES = 4096 };

/* One buffer full of a directory's entries. From getdents64 rather than readdir, which would
 * allocate for every folder. */
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

/* Moves the folder `name` of `fd` to `top` under a name that is free; returns 0 or an errno.  A
 * folder without rights for its owner cannot be moved elsewhere, so it is given them. */
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

/* Empties the folder `fd`: files are removed, and sub-folders move up to `top`, where a later pass
 * meets them; so no depth of nesting needs a stack. What vanishes meanwhile is no error. Returns 0
 * or an errno. */
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

/* Removes the folder `name` of `top`. Its sub-folders move to `top`, for later passes.
 * Returns 0 or an errno. */
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

/* One pass over the folder. *left tells whether it met anything, so that another pass is needed.
 * Returns 0 or an errno. */
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

/* Passes are made until one finds nothing: what was moved up is met again, and a process that
 * is still alive may go on writing. */
int pare_file_empty_directory(int fd)
{
    unsigned long serial = 0;
    int left = 1;
    assert(fd >= 0);
    while (left) {
        int failed = empty_once(fd, &serial, &left);
        /* A removed directory is an empty one. */
        if (failed) return failed == ENOENT ? 0 : failed;
    }
    return 0;
}

/* A folder without rights for its owner is given them first; that needs no more than owning
 * it. */
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

/* One mkdir for each part of the path. A part that exists is fine if it is a folder. */
pare_status pare_file_make_directories(const char *path, pare_error *err)
{
    char *copy = pare_alloc_text(path, strlen(path));
    if (!copy) return pare_fail_nomem(err);
    pare_status status = PARE_OK;
    for (char *end = copy; !status && end;) {
        end = *end ? strchr(end + 1, '/') : NULL;
        if (end) *end = '\0';
        if (mkdir(copy, 0777) && (errno != EEXIST || !pare_file_is_directory(copy)))
            status = pare_fail_errno(err, errno, "cannot make the directory %s", copy);
        if (end) *end = '/';
    }
    pare_alloc_free(copy);
    return status;
}
