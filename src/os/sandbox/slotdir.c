/* Slot folders: where candidates are written and tests run.
 *
 * Invariant: everything is written and removed through the descriptor of a folder that we
 * made, never through its path, which a test may have replaced by a link to somewhere else.
 * Before each test the path is compared with the descriptor (device and inode); when they
 * differ, the slot gets a new folder under a name of the next generation.  So a test can at
 * worst make us leave a folder in a directory that is removed at the end.
 *
 * Memory first: a tmpfs saves each test the disk's latency.  When memory is full a slot moves
 * to disk for the rest of the run, and stays there.
 *
 * Cost of a test that leaves nothing: a file is made and removed, and the folder looked at
 * twice.  Whether a folder is empty is told by its size where that counts its entries (tmpfs),
 * so that it is listed only when something was left. */
#include "os/sandbox/slotdir.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/file.h"

enum {
    TMPFS_NUMBER = 0x01021994, /* statfs(2) */
    FOLDER_TRIES = 16,
    MOST_MOUNTS = 1000,      /* that a test may have left in its folder */
    MOST_OPEN = 16,          /* folders at once, on a way through a tree */
    RANDOM_DIGITS = 16,      /* of a run's name */
    SCRATCH_LETTERS = 6,     /* of a scratch folder's */
    WORDS_BEFORE_START = 20, /* in /proc/PID/stat, after the name */
    CLOCK_SLACK_S = 2
};

/* A slot's folder.  Its path is renewed with it. */
struct slot {
    int fd; /* owned; -1: no folder yet */
    dev_t device;
    ino_t inode;
    unsigned generation; /* of the folder's name: grows when one is given up */
    bool on_disk, full;  /* full: may hold something */
    bool has_candidate;
    off_t empty_size; /* what fstat says of it when nothing is in it; -1: cannot be told so */
    pare_buffer path; /* of the candidate; its first folder_size bytes: the folder */
    size_t folder_size;
    pare_buffer folder; /* its path */
};

struct pare_slotdirs {
    char *root, *disk_root; /* owned */
    int locks[2];           /* owned; of these, while they are there: we live; -1: none */
    bool made_root, made_disk_root;
    char *base_name; /* owned */
    mode_t mode;
    struct slot *slots; /* owned */
    unsigned n_slots;
};

/* ---- what cannot be removed ------------------------------------------------------------- */

/* Takes the marks off a file that only root can set, and that keep root itself from removing it. */
static int take_marks_off(const char *path, const struct stat *about, int kind, struct FTW *level)
{
    (void)kind;
    (void)level;
    int flags = 0;
    if (!S_ISREG(about->st_mode) && !S_ISDIR(about->st_mode)) return 0;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && !ioctl(fd, FS_IOC_GETFLAGS, &flags) &&
        (flags & (FS_IMMUTABLE_FL | FS_APPEND_FL))) {
        flags &= ~(FS_IMMUTABLE_FL | FS_APPEND_FL);
        (void)ioctl(fd, FS_IOC_SETFLAGS, &flags);
    }
    pare_descriptor_close(&fd);
    return 0;
}

/* Undoes "\\ooo" of the kernel's lists, in place. */
static void unescape(char *text)
{
    static const char digits[] = "01234567";
    char *to = text;
    for (const char *from = text; *from; to++) {
        if (*from == '\\' && strspn(from + 1, digits) >= 3) {
            *to = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
            from += 4;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

/* The place of the mount that `line` of mountinfo (proc(5)) is about, in it: its fifth word. */
static char *place_of(char *line)
{
    char *rest = line, *word = NULL;
    for (int k = 0; k < 5; k++)
        word = strsep(&rest, " ");
    if (word) unescape(word);
    return word;
}

/* Detaches what was mounted in `folder`, the last first. */
static void unmount_all(const char *folder)
{
    const size_t size = strlen(folder);
    bool is_done = false;
    for (unsigned n = 0; n < MOST_MOUNTS && !is_done; n++) {
        pare_buffer mounts = {0};
        const char *last = NULL;
        char *rest = pare_file_read("/proc/self/mountinfo", &mounts, NULL) ? NULL : mounts.data;
        for (char *line; (line = strsep(&rest, "\n"));) {
            const char *path = place_of(line);
            if (path && !strncmp(path, folder, size) && (path[size] == '/' || !path[size]))
                last = path;
        }
        is_done = !last || umount2(last, MNT_DETACH | UMOUNT_NOFOLLOW);
        pare_buffer_done(&mounts);
    }
}

/* Undoes what a test of root's has done to keep its folder from being emptied. */
static void release(const char *folder)
{
    if (geteuid() != 0) return;
    unmount_all(folder);
    (void)nftw(folder, take_marks_off, MOST_OPEN, FTW_PHYS | FTW_MOUNT);
}

/* Whether tests can work in `path`: memory, writable, and programs run from it.  A container
 * may mount its /dev/shm without. */
static bool is_memory(const char *path)
{
    struct statfs info;
    return !statfs(path, &info) && info.f_type == TMPFS_NUMBER &&
           !(info.f_flags & (ST_NOEXEC | ST_RDONLY)) && !access(path, W_OK | X_OK);
}

/* $TMPDIR where tests can work in it, else /tmp. */
static const char *disk_place(const pare_slotdirs_options *options)
{
    if (options->disk_dir) return options->disk_dir;
    const char *place = getenv("TMPDIR");
    bool good =
        place && place[0] == '/' && pare_file_is_directory(place) && !access(place, W_OK | X_OK);
    return good ? place : "/tmp";
}

/* The name becomes one part of a path, and must not lead out of the folder. */
static pare_status check_name(const char *name, pare_error *err)
{
    if (!name || !*name || strchr(name, '/') || !strcmp(name, ".") || !strcmp(name, ".."))
        return pare_fail(err, PARE_E_ARG, "'%s' is not a valid name for a candidate's file",
                         name ? name : "");
    if (strlen(name) > NAME_MAX)
        return pare_fail(err, PARE_E_ARG, "the candidate's name has more than %d bytes", NAME_MAX);
    return PARE_OK;
}

/* ---- what the dead have left ------------------------------------------------------------ */

/* When the process `pid` was started, in seconds since 1970; 0: it does not exist, or that cannot
 * be told. The kernel counts ticks since it was started itself (proc(5)). */
static long long start_of(long pid)
{
    char path[64], text[1024] = "";
    struct timespec now, up;
    unsigned long long ticks = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    pare_descriptor_close(&fd);
    const char *at = n > 0 ? strrchr(text, ')') : NULL;
    for (int word = 0; at && word < WORDS_BEFORE_START; word++)
        at = strchr(at + 1, ' ');
    if (!at || sscanf(at, " %llu", &ticks) != 1) return 0;
    if (clock_gettime(CLOCK_REALTIME, &now) || clock_gettime(CLOCK_BOOTTIME, &up)) return 0;
    return now.tv_sec - up.tv_sec + (long long)(ticks / (unsigned long long)sysconf(_SC_CLK_TCK));
}

/* Whether that stands behind the number: the digits of a run, or the letters of a scratch folder
 * (os/folder.h), which are mkdtemp's. */
static bool is_made_by_us(const char *rest)
{
    const size_t length = strlen(rest);
    if (length == RANDOM_DIGITS) return strspn(rest, "0123456789abcdef") == length;
    if (length != SCRATCH_LETTERS) return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)rest[i])) return false;
    return true;
}

/* Whether the process that made the folder has ended, by the number in the folder's name: there is
 * no such process, or it was started after the folder was last changed. */
static bool is_of_dead(const char *name, const struct stat *about)
{
    char *end;
    const long pid = strtol(name, &end, 10);
    if (pid <= 1 || *end != '-' || !is_made_by_us(end + 1)) return false;
    if (kill((pid_t)pid, 0)) return errno == ESRCH;
    return start_of(pid) > (long long)about->st_ctim.tv_sec + CLOCK_SLACK_S;
}

/* Removes the folders of our user's runs in `place` whose processes were killed with their guards.
 * The lock is asked last: who holds it lives, wherever his number counts. */
static void sweep(const char *place)
{
    DIR *folder = opendir(place);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat about;
        char path[PATH_MAX + NAME_MAX + 2];
        if (strncmp(entry->d_name, "pare-", 5) != 0 ||
            fstatat(dirfd(folder), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) ||
            !S_ISDIR(about.st_mode) || about.st_uid != geteuid() ||
            !is_of_dead(entry->d_name + 5, &about))
            continue;
        int fd =
            openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        (void)snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
        if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) && pare_file_remove_tree(path, NULL)) {
            release(path);
            if (pare_file_remove_tree(path, NULL)) {
                /* The next start tries again. */
            }
        }
        pare_descriptor_close(&fd);
    }
    if (folder) (void)closedir(folder);
}

/* "PLACE/pare-RUN", not yet made. */
static pare_status name_root(const char *place, const char *run_id, char **out, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, err, "%s/pare-%s", place, run_id);
    if (!status)
        *out = path.data;
    else
        pare_buffer_done(&path);
    return status;
}

/* Chooses and names the roots.  Nothing is made yet: the caller sets a guard over the names
 * first, so that they go away however we end.  Where memory and disk are the same place there
 * is one root, and nowhere to move to when that is full. */
static pare_status place_roots(pare_slotdirs *dirs, const pare_slotdirs_options *options,
                               pare_error *err)
{
    const char *memory = options->memory_dir ? options->memory_dir : "/dev/shm";
    const char *disk = disk_place(options);
    bool in_memory = is_memory(memory) && strcmp(memory, disk) != 0;
    pare_status status = name_root(in_memory ? memory : disk, options->run_id, &dirs->root, err);
    if (!status && in_memory) status = name_root(disk, options->run_id, &dirs->disk_root, err);
    return status;
}

/* The places of both roots. */
static void sweep_roots(const pare_slotdirs *dirs)
{
    const char *const roots[] = {dirs->root, dirs->disk_root};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        char place[PATH_MAX];
        if (!roots[i] || strlen(roots[i]) >= sizeof place) continue;
        memcpy(place, roots[i], strlen(roots[i]) + 1);
        *strrchr(place, '/') = '\0';
        sweep(place);
    }
}

/* Only chooses names, so a failure leaves nothing behind. */
pare_status pare_slotdirs_new(const pare_slotdirs_options *options, pare_slotdirs **out,
                              pare_error *err)
{
    pare_status status = check_name(options->base_name, err);
    if (status) return status;
    pare_slotdirs *dirs = pare_alloc_zero(1, sizeof *dirs);
    if (!dirs) return pare_fail_nomem(err);
    dirs->locks[0] = dirs->locks[1] = -1;
    dirs->mode = options->mode ? options->mode & 0777 : 0600;
    dirs->base_name = pare_alloc_text(options->base_name, strlen(options->base_name));
    dirs->slots = pare_alloc_zero(options->n_slots, sizeof *dirs->slots);
    dirs->n_slots = dirs->slots ? options->n_slots : 0;
    for (unsigned k = 0; k < dirs->n_slots; k++)
        dirs->slots[k].fd = -1;
    status =
        dirs->base_name && dirs->slots ? place_roots(dirs, options, err) : pare_fail_nomem(err);
    if (!status) sweep_roots(dirs);
    if (status)
        pare_slotdirs_free(dirs);
    else
        *out = dirs;
    return status;
}

/* Emptied through the descriptors first, for the paths may lead elsewhere by now. */
void pare_slotdirs_free(pare_slotdirs *dirs)
{
    if (!dirs) return;
    for (unsigned k = 0; k < dirs->n_slots; k++) {
        struct slot *slot = &dirs->slots[k];
        if (slot->fd >= 0) {
            (void)pare_file_empty_directory(slot->fd);
            (void)close(slot->fd);
        }
        pare_buffer_done(&slot->path);
        pare_buffer_done(&slot->folder);
    }
    if (dirs->made_root && pare_file_remove_tree(dirs->root, NULL)) {
        /* Nothing more can be done about what a test has made unremovable. */
    }
    if (dirs->made_disk_root && pare_file_remove_tree(dirs->disk_root, NULL)) {
        /* As above. */
    }
    pare_descriptor_close(&dirs->locks[0]);
    pare_descriptor_close(&dirs->locks[1]);
    pare_alloc_free(dirs->root);
    pare_alloc_free(dirs->disk_root);
    pare_alloc_free(dirs->base_name);
    pare_alloc_free(dirs->slots);
    pare_alloc_free(dirs);
}

/* Writes the path of the slot's folder, with its generation, to slot->path. */
static pare_status name_folder(const pare_slotdirs *dirs, unsigned k, pare_error *err)
{
    struct slot *slot = &dirs->slots[k];
    const char *root = slot->on_disk ? dirs->disk_root : dirs->root;
    pare_buffer_reset(&slot->path);
    if (slot->generation)
        return pare_buffer_format(&slot->path, err, "%s/%u.%u", root, k, slot->generation);
    return pare_buffer_format(&slot->path, err, "%s/%u", root, k);
}

/* Makes a root and locks it, so that nobody who sweeps takes it for one of the dead: not even from
 * among other process numbers.  One who has seen it before it was locked removes it: then it is made
 * again.  Returns 0 or an errno. */
static int make_root(const char *root, int *lock)
{
    struct stat ours, there;
    for (unsigned tries = 0; tries < FOLDER_TRIES; tries++) {
        pare_descriptor_close(lock);
        if (mkdir(root, 0700) && errno != EEXIST) return errno;
        *lock = open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (*lock < 0 && errno != ENOENT) return errno;
        if (*lock < 0) continue;
        (void)flock(*lock, LOCK_EX); /* a file system without locks has nobody who takes them */
        if (!fstat(*lock, &ours) && !lstat(root, &there) && ours.st_ino == there.st_ino &&
            ours.st_dev == there.st_dev)
            return 0;
    }
    return EBUSY;
}

/* Makes the folder that slot->path names, and its root if that is missing: at the first test, or
 * because a test has removed it or put a file in its place. Returns 0 or an errno; EEXIST: the name
 * is taken. */
static int make_folder(pare_slotdirs *dirs, const struct slot *slot)
{
    const char *root = slot->on_disk ? dirs->disk_root : dirs->root;
    if (!mkdir(slot->path.data, 0700)) return 0;
    if (errno != ENOENT && errno != ENOTDIR) return errno;
    if (errno == ENOTDIR) (void)unlink(root);
    int failed = make_root(root, &dirs->locks[slot->on_disk]);
    if (failed) return failed;
    *(slot->on_disk ? &dirs->made_disk_root : &dirs->made_root) = true;
    return mkdir(slot->path.data, 0700) ? errno : 0;
}

/* Opens the new folder and notes what it is, to know it again: device and inode, and its size
 * while it is empty where a size tells.  Returns 0 or an errno. */
static int open_folder(struct slot *slot)
{
    struct stat info;
    slot->fd = open(slot->path.data, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (slot->fd < 0) return errno;
    if (fstat(slot->fd, &info)) return errno;
    slot->device = info.st_dev;
    slot->inode = info.st_ino;
    struct statfs system;
    bool counts = !fstatfs(slot->fd, &system) && system.f_type == TMPFS_NUMBER;
    slot->empty_size = counts ? info.st_size : -1;
    slot->folder_size = slot->path.size;
    return 0;
}

/* Gives the slot a new folder, under the next free name of its generations: an older folder
 * may still be there, with what could not be removed.  On failure the slot has none.  Errors:
 * PARE_E_IO, PARE_E_NOMEM. */
static pare_status renew(pare_slotdirs *dirs, unsigned k, pare_error *err)
{
    struct slot *slot = &dirs->slots[k];
    if (slot->fd >= 0) (void)close(slot->fd);
    slot->fd = -1;
    int failed = EEXIST;
    for (unsigned tries = 0; failed == EEXIST && tries < FOLDER_TRIES; tries++) {
        pare_status status = name_folder(dirs, k, err);
        if (status) return status;
        failed = make_folder(dirs, slot);
        if (failed == EEXIST) slot->generation++;
    }
    if (!failed) failed = open_folder(slot);
    if (failed)
        return pare_fail_errno(err, failed, "cannot make the directory %s for a test",
                               slot->path.data);
    pare_buffer_reset(&slot->folder);
    pare_status status = pare_buffer_text(&slot->folder, slot->path.data, err);
    if (!status) status = pare_buffer_text(&slot->path, "/", err);
    if (!status) status = pare_buffer_text(&slot->path, dirs->base_name, err);
    if (status) {
        (void)close(slot->fd);
        slot->fd = -1;
    }
    return status;
}

/* Whether the slot's path still leads to its folder, as we made it: a test may have renamed
 * it, removed it, or changed its mode, which is mended here.  The path is cut after the folder
 * for the look, in place. */
static bool is_intact(struct slot *slot)
{
    struct stat info;
    if (slot->fd < 0) return false;
    slot->path.data[slot->folder_size] = '\0';
    bool same =
        !lstat(slot->path.data, &info) && info.st_ino == slot->inode && info.st_dev == slot->device;
    slot->path.data[slot->folder_size] = '/';
    if (!same) return false;
    return (info.st_mode & 07777) == 0700 || !fchmod(slot->fd, 0700);
}

/* A candidate of one file, for put_all. */
struct single {
    const pare_slotdirs *dirs;
    pare_iovec_fill fill;
    void *context; /* for fill */
};

/* Writes the file; gives 0 or an errno.  O_EXCL and O_NOFOLLOW: what lies under that name
 * already is somebody else's, and may be a link. */
static int write_single(void *context, int folder)
{
    const struct single *single = context;
    pare_iovec gather;
    int fd = openat(folder, single->dirs->base_name,
                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, single->dirs->mode);
    if (fd < 0) return errno;
    pare_descriptor_gather_start(&gather, fd);
    gather.may_be_left = true; /* what is half written is removed with the slot's folder */
    int failed = single->fill(single->context, &gather);
    if (!failed) failed = pare_descriptor_gather_finish(&gather);
    if (close(fd) && !failed) failed = errno;
    return failed;
}

/* Errors that moving to disk may cure. */
static bool is_full(int failed)
{
    return failed == ENOSPC || failed == EDQUOT;
}

/* Writes the candidate; returns 0 or an errno.  A folder that turns out not to be empty is
 * emptied, and the candidate written once more. */
static int put(pare_slotdirs *dirs, unsigned k, pare_slotdirs_write write, void *context)
{
    struct slot *slot = &dirs->slots[k];
    slot->full = slot->has_candidate = true;
    int failed = write(context, slot->fd);
    if (failed == EEXIST || is_full(failed)) { /* somebody left something: once more */
        (void)pare_file_empty_directory(slot->fd);
        failed = write(context, slot->fd);
    }
    return failed;
}

/* The candidate is written once more on disk when memory is full.  It stays there for the rest
 * of the run, since memory that was full once will be again. */
pare_status pare_slotdirs_put_all(pare_slotdirs *dirs, unsigned k, pare_slotdirs_write write,
                                  void *context, pare_error *err)
{
    struct slot *slot = &dirs->slots[k];
    pare_status status = is_intact(slot) ? PARE_OK : renew(dirs, k, err);
    if (status) return status;
    int failed = put(dirs, k, write, context);
    if (is_full(failed) && dirs->disk_root && !slot->on_disk) {
        pare_slotdirs_clear(dirs, k);
        slot->on_disk = true;
        status = renew(dirs, k, err);
        if (status) return status;
        failed = put(dirs, k, write, context);
    }
    if (!failed) return PARE_OK;
    pare_slotdirs_clear(dirs, k);
    if (failed == ECANCELED) return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    return pare_fail_errno(err, failed, "cannot write the candidate %s", slot->path.data);
}

/* One file is the case of many, with a writer of ours. */
pare_status pare_slotdirs_put(pare_slotdirs *dirs, unsigned k, pare_iovec_fill fill, void *context,
                              pare_error *err)
{
    struct single single = {.dirs = dirs, .fill = fill, .context = context};
    return pare_slotdirs_put_all(dirs, k, write_single, &single, err);
}

/* The folder is not compared with its path: nothing is looked for there by name. */
pare_status pare_slotdirs_open(pare_slotdirs *dirs, unsigned k, pare_error *err)
{
    struct slot *slot = &dirs->slots[k];
    pare_status status = slot->fd >= 0 ? PARE_OK : renew(dirs, k, err);
    if (!status) slot->full = true;
    return status;
}

/* Whether nothing is in the slot's folder for sure.  In memory a folder's size grows with
 * each entry, so that one call tells. */
static bool is_empty(const struct slot *slot)
{
    struct stat info;
    return slot->empty_size >= 0 && !fstat(slot->fd, &info) && info.st_size == slot->empty_size;
}

/* The common case, in which the test has left nothing, costs an unlink and a look.  What cannot
 * be emptied, even with the folder's own mode mended, stays where it is: the slot gets a
 * folder of the next generation. */
void pare_slotdirs_clear(pare_slotdirs *dirs, unsigned k)
{
    assert(k < dirs->n_slots);
    struct slot *slot = &dirs->slots[k];
    if (slot->fd < 0 || !slot->full) return;
    slot->full = false;
    if (slot->has_candidate) (void)unlinkat(slot->fd, dirs->base_name, 0);
    slot->has_candidate = false;
    if (is_empty(slot)) return;
    int failed = pare_file_empty_directory(slot->fd);
    if (failed) (void)fchmod(slot->fd, 0700); /* perhaps only the mode was in the way */
    if (failed) release(slot->folder.data);
    if (failed && pare_file_empty_directory(slot->fd)) {
        (void)close(slot->fd);
        slot->fd = -1;
        slot->generation++;
    }
}

/* The descriptor is what everything is done through; -1 before the slot is first used. */
int pare_slotdirs_fd(const pare_slotdirs *dirs, unsigned slot)
{
    return dirs->slots[slot].fd;
}

const char *pare_slotdirs_folder(const pare_slotdirs *dirs, unsigned slot)
{
    return dirs->slots[slot].folder.data;
}

const char *pare_slotdirs_path(const pare_slotdirs *dirs, unsigned slot)
{
    return dirs->slots[slot].path.data;
}

/* The folder that the guard removes if we are killed. */
const char *pare_slotdirs_root(const pare_slotdirs *dirs)
{
    return dirs->root;
}

const char *pare_slotdirs_disk_root(const pare_slotdirs *dirs)
{
    return dirs->disk_root;
}
