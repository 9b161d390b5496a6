/* Files of tests, by content: one folder with a file for each, named by the hexadecimal digits of
 * its SHA-512.
 *
 * Invariants: a file of such a name is complete, since it is written under another name and
 * renamed.  Its content is still checked against the name, since a test without a sandbox may have
 * written there.  All names are resolved below one descriptor of the folder, after that was
 * checked: so it does not matter if the folder is exchanged meanwhile, and links are not followed.
 * A worker holds a lock while it fetches, so that several workers that are called at once fetch a
 * file once.  The lock only saves traffic: a worker that waits too long for it fetches without it
 * and does not wait again, since it is silent while it waits and would be taken for gone.  Failures
 * of the disk are not errors: the file is used, but not kept. */
#include "run/remote/file_cache.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/sha512.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/folder.h"

enum { NAME_BYTES = 2 * PARE_FILE_SHA_BYTES + 1, MOST_FILES = 4096, LOOK_MS = 10 };

static const char LOCK[] = "lock", PART[] = ".part";

/* The first PARE_FILE_SHA_BYTES of the SHA-512 name a file. */
void pare_file_cache_sha(const void *bytes, size_t size, uint8_t sha[PARE_FILE_SHA_BYTES])
{
    uint8_t whole[PARE_SHA512_BYTES];
    pare_sha512(bytes, size, whole);
    memcpy(sha, whole, PARE_FILE_SHA_BYTES);
}

static void name_file(const pare_file_id *file, char name[NAME_BYTES])
{
    for (size_t i = 0; i < PARE_FILE_SHA_BYTES; i++)
        (void)snprintf(name + 2 * i, 3, "%02x", file->sha[i]);
}

/* Whether the bytes are those of `file`, by its size and its digest. Cost: O(size). */
static bool is_meant(const pare_file_id *file, const pare_buffer *bytes)
{
    uint8_t sha[PARE_FILE_SHA_BYTES];
    if (bytes->size != file->size) return false;
    pare_file_cache_sha(bytes->data, bytes->size, sha);
    return memcmp(sha, file->sha, sizeof sha) == 0;
}

/* Opens the folder, and makes it if it does not exist.  -1: there is no folder that belongs to this
 * user alone.
 *
 * The folders above it are made as usual; the last one is for the user only. O_NOFOLLOW refuses
 * a link in its place, and the owner and the mode are checked on the descriptor, not by the
 * name, which might be exchanged between the two. */
static int open_folder(const char *path)
{
    struct stat about;
    char *above = pare_alloc_text(path, strlen(path));
    char *slash = above ? strrchr(above, '/') : NULL;
    if (slash && slash != above) {
        *slash = '\0';
        (void)!pare_file_make_directories(above, NULL);
    }
    pare_alloc_free(above);
    if (mkdir(path, 0700) && errno != EEXIST) return -1;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return -1;
    if (!fstat(fd, &about) && about.st_uid == geteuid() && !(about.st_mode & 077)) return fd;
    (void)close(fd);
    return -1;
}

/* Reads `size` bytes, or to the end; never more, should the file grow.  False: it cannot be read. */
static bool read_bytes(int fd, size_t size, pare_buffer *out)
{
    pare_buffer_reset(out);
    if (pare_buffer_reserve(out, size, NULL)) return false;
    while (out->size < size) {
        const ssize_t n = read(fd, out->data + out->size, size - out->size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        if (n == 0) break;
        out->size += (size_t)n;
    }
    return true;
}

/* Reads a cached file and marks it as recently used; false: it is not there, or it does not match
 * its name and was removed.
 *
 * O_NONBLOCK, as somebody might have put a FIFO there, which would be waited for. The time of
 * the last use is the time of modification of the file. */
static bool read_kept(int folder, const pare_file_id *file, pare_buffer *out)
{
    char name[NAME_BYTES];
    struct stat about;
    name_file(file, name);
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return false;
    const bool has_size =
        !fstat(fd, &about) && S_ISREG(about.st_mode) && (uint64_t)about.st_size == file->size;
    const bool is_read = has_size && read_bytes(fd, file->size, out);
    const bool is_good = is_read && is_meant(file, out);
    if (is_good) (void)futimens(fd, NULL);
    (void)close(fd);
    /* Nothing is known about its content, so it may be good, and stays. */
    if (has_size && !is_read) return false; /* for want of memory, say */
    if (!is_good) (void)unlinkat(folder, name, 0);
    return is_good;
}

/* False: not all of it could be written; the disk may be full. */
static bool write_all(int fd, const char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(fd, bytes + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

/* Writes the file under a name of this process's, and renames it. It is not synced: after a loss of
 * power it may not match its name, and is fetched again. */
static void write_kept(int folder, const pare_file_id *file, const pare_buffer *bytes)
{
    char name[NAME_BYTES], part[NAME_BYTES + 32];
    name_file(file, name);
    (void)snprintf(part, sizeof part, "%s.%ld%s", name, (long)getpid(), PART);
    (void)unlinkat(folder, part, 0); /* of a killed process that had our number */
    const int fd = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return;
    /* close() may be the first to report that the disk is full. */
    bool is_whole = write_all(fd, bytes->data, bytes->size);
    is_whole = !close(fd) && is_whole;
    if (!is_whole || renameat(folder, part, folder, name)) (void)unlinkat(folder, part, 0);
}

/* ---- room ---------------------------------------------------------------------------------- */

/* A file in the folder. The name is borrowed from the list of names. */
struct kept {
    const char *name;
    uint64_t size;
    struct timespec used;
};

/* Whether a name in the folder is one that we give: whatever else lies there stays. Example: 64
 * hexadecimal digits, or those and ".4711.part"; the lock is none. */
static bool is_ours(const char *name)
{
    size_t n = 0;
    while (isxdigit((unsigned char)name[n]))
        n++;
    if (n != NAME_BYTES - 1) return false;
    const size_t size = strlen(name), end = sizeof PART - 1;
    return !name[n] || (size > n + end && !strcmp(name + size - end, PART));
}

/* The one that was used longest ago comes first. */
static int by_use(const void *left, const void *right)
{
    const struct timespec a = ((const struct kept *)left)->used;
    const struct timespec b = ((const struct kept *)right)->used;
    if (a.tv_sec != b.tv_sec) return a.tv_sec < b.tv_sec ? -1 : 1;
    return (a.tv_nsec > b.tv_nsec) - (a.tv_nsec < b.tv_nsec);
}

/* Removes the least recently used files until the rest is not too large.  That includes
 * half-written files of killed processes, which are never used and therefore soon the oldest.
 *
 * It is called after each file that was added, so one call rarely removes much. Failures are
 * ignored: the next call tries again. Cost: O(n log n) for n files in the folder. */
static void make_room(const pare_file_cache *cache, int folder)
{
    pare_folder_names names = {0};
    struct kept *all = NULL;
    size_t n = 0;
    uint64_t n_bytes = 0;
    if (!pare_folder_names_read(&names, cache->folder, NULL) && names.n)
        all = pare_alloc(names.n, sizeof *all);
    for (size_t i = 0; all && i < names.n; i++) {
        struct stat about;
        if (!is_ours(names.items[i])) continue;
        if (fstatat(folder, names.items[i], &about, AT_SYMLINK_NOFOLLOW)) continue;
        all[n++] = (struct kept){names.items[i], (uint64_t)about.st_size, about.st_mtim};
        n_bytes += (uint64_t)about.st_size;
    }
    if (n) qsort(all, n, sizeof *all, by_use);
    for (size_t i = 0; i < n && (n_bytes > cache->most_bytes || n - i > MOST_FILES); i++) {
        (void)unlinkat(folder, all[i].name, 0);
        n_bytes -= all[i].size;
    }
    pare_alloc_free(all);
    pare_folder_names_done(&names);
}

/* ---- getting --------------------------------------------------------------------------------- */

/* Takes the lock for fetching; returns a descriptor to close.  -1: it was not available in time.
 *
 * It looks every LOOK_MS, since flock has no time limit. Closing the descriptor releases the
 * lock, as does the death of the process. */
static int lock(pare_file_cache *cache, int folder)
{
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    const uint64_t start_ms = pare_clock_ms();
    const int fd = openat(folder, LOCK, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return -1;
    while (flock(fd, LOCK_EX | LOCK_NB)) {
        if ((errno != EWOULDBLOCK && errno != EINTR) ||
            pare_clock_ms() - start_ms >= cache->wait_ms) {
            cache->wait_ms = 0;
            (void)close(fd);
            return -1;
        }
        (void)nanosleep(&pause, NULL);
    }
    return fd;
}

/* Gets the file from its source and checks it, so that a wrong file is neither used nor kept. */
static pare_status fetch(const pare_file_id *file, const pare_file_source *source, pare_buffer *out,
                         pare_error *err)
{
    pare_buffer_reset(out);
    pare_status status = source->fetch(source->context, file, out, err);
    if (!status && !is_meant(file, out))
        status = pare_fail(err, PARE_E_CORRUPT, "a file of the test does not match its digest");
    return status;
}

/* A file that is in the folder is read from there. Otherwise the lock is taken, and the folder
 * looked at once more, as the holder before us may have fetched the same file. A file that is
 * larger than the cache, or a cache without a folder, is fetched each time. On PARE_OK *out are
 * the bytes of the file. */
pare_status pare_file_cache_get(pare_file_cache *cache, const pare_file_id *file,
                                const pare_file_source *source, pare_buffer *out, pare_error *err)
{
    const int folder =
        cache->folder && file->size <= cache->most_bytes ? open_folder(cache->folder) : -1;
    if (folder < 0) return fetch(file, source, out, err);
    pare_status status = PARE_OK;
    if (!read_kept(folder, file, out)) {
        const int locked = lock(cache, folder);
        if (locked < 0 || !read_kept(folder, file, out)) {
            status = fetch(file, source, out, err);
            if (!status) write_kept(folder, file, out);
            if (!status) make_room(cache, folder);
        }
        if (locked >= 0) (void)close(locked);
    }
    (void)close(folder);
    return status;
}
