/* Preloaded into pare by tests: writes down what it does to files, or has one call fail.
 *
 * PARE_FILES_LOG=FILE      a line for each change, which tests/cli/support/power_loss.py replays
 * PARE_FILES_FAULT=KIND:N:HOW   the Nth call of a kind (from 1) fails with the errno HOW; 0 for HOW:
 *                          a write writes half, which is no failure
 * PARE_FILES_COUNT=FILE    at the end: how many calls there were of each kind, and whether one failed
 * PARE_FILES_PLAIN=1       renames with flags fail (EINVAL), as on file systems that know none
 *
 * Only the process that it was preloaded into is looked at, with all its threads and the children
 * that share its memory: what these start gets the environment without it. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
    OPEN,
    READ,
    WRITE,
    RENAME,
    LINK,
    UNLINK,
    MKDIR,
    SYNC,
    CUT,
    MMAP,
    CLONE,
    EPOLL,
    PIPE,
    SETNS,
    PIDFD,
    MOUNT,
    CALL, /* any other call by number: what children that share our memory do */
    KINDS
};

static const char *const names[KINDS] = {"open",  "read",  "write", "rename", "link",  "unlink",
                                         "mkdir", "sync",  "cut",   "mmap",   "clone", "epoll",
                                         "pipe",  "setns", "pidfd", "mount",  "call"};

static pid_t process;
static int log_fd = -1, count_fd = -1;
static dev_t device; /* of the log: changes on others are not logged */
static int fault_kind = -1, fault_errno;
static bool plain;
static long fault_at;
static atomic_long calls[KINDS], struck;

/* The function that stands behind ours. */
static void *behind(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

/* Sets `real`, a pointer to a function, once; dlsym gives functions as objects. */
#define BEHIND(real, name)                         \
    do {                                           \
        if (!(real)) {                             \
            void *found = behind(name);            \
            memcpy(&(real), &found, sizeof found); \
        }                                          \
    } while (0)

__attribute__((constructor)) static void begin(void)
{
    const char *log = getenv("PARE_FILES_LOG"), *count = getenv("PARE_FILES_COUNT");
    const char *fault = getenv("PARE_FILES_FAULT");
    char kind[16] = "";
    struct stat info;
    process = (pid_t)syscall(SYS_getpid); /* the first call finds what is behind ours */
    if (log) log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    plain = getenv("PARE_FILES_PLAIN") != NULL;
    if (log_fd >= 0 && !fstat(log_fd, &info)) device = info.st_dev;
    if (count)
        count_fd = (int)syscall(SYS_openat, AT_FDCWD, count, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fault && sscanf(fault, "%15[a-z]:%ld:%d", kind, &fault_at, &fault_errno) == 3)
        for (int k = 0; k < KINDS; k++)
            if (strcmp(names[k], kind) == 0) fault_kind = k;
    (void)unsetenv("PARE_FILES_PLAIN");
    (void)unsetenv("PARE_FILES_LOG");
    (void)unsetenv("PARE_FILES_COUNT");
    (void)unsetenv("PARE_FILES_FAULT");
    (void)unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
    if (count_fd < 0 || getpid() != process) return;
    for (int k = 0; k < KINDS; k++)
        (void)dprintf(count_fd, "%s %ld\n", names[k], atomic_load(&calls[k]));
    (void)dprintf(count_fd, "struck %ld\n", atomic_load(&struck));
}

/* Whether this call is the one that fails; errno is set then. */
static bool fails(enum kind kind)
{
    long n = atomic_fetch_add(&calls[kind], 1) + 1;
    if (fault_kind != (int)kind || n != fault_at) return false;
    atomic_fetch_add(&struck, 1);
    errno = fault_errno;
    return fault_errno != 0;
}

/* How much of `size` bytes is to be written: half where that is the fault. */
static size_t allowed(size_t size)
{
    bool here = fault_kind == WRITE && fault_errno == 0 && atomic_load(&calls[WRITE]) == fault_at;
    return here && size > 1 ? size / 2 : size;
}

/* ---- the log ------------------------------------------------------------------------- */

static bool logs(void)
{
    return log_fd >= 0 && getpid() == process;
}

/* One write, so that lines of two threads do not mix. */
static void put(const char *line, size_t size)
{
    int before = errno;
    (void)syscall(SYS_write, log_fd, line, size);
    errno = before;
}

/* A path as the folder's inode and the last part of it; false: there is no such folder. */
static bool split(int at, const char *path, unsigned long *folder, const char **base)
{
    char parent[PATH_MAX] = ".";
    struct stat info;
    const char *slash = strrchr(path, '/');
    *base = slash ? slash + 1 : path;
    if (slash == path)
        (void)strcpy(parent, "/");
    else if (slash)
        (void)snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
    if (fstatat(at, parent, &info, 0) || info.st_dev != device) return false;
    *folder = info.st_ino;
    return **base != '\0';
}

static unsigned long inode_at(int at, const char *path)
{
    struct stat info;
    return fstatat(at, path, &info, AT_SYMLINK_NOFOLLOW) ? 0 : info.st_ino;
}

/* A line of an operation, one or two names and the inode of each. */
struct place {
    unsigned long folder, inode;
    char name[NAME_MAX + 1];
    bool known;
};

static struct place look(int at, const char *path)
{
    struct place place = {.inode = 0};
    const char *base;
    if (!logs()) return place;
    place.known = split(at, path, &place.folder, &base);
    if (place.known) (void)snprintf(place.name, sizeof place.name, "%s", base);
    place.inode = inode_at(at, path);
    return place;
}

static void log_place(const char *what, const struct place *place, unsigned long inode)
{
    char line[NAME_MAX + 128];
    if (!logs() || !place->known) return;
    int size =
        snprintf(line, sizeof line, "%s\t%lu\t%s\t%lu\n", what, place->folder, place->name, inode);
    put(line, (size_t)size);
}

static void log_two(const char *what, const struct place *from, const struct place *to)
{
    char line[2 * NAME_MAX + 256];
    if (!logs() || !from->known || !to->known) return;
    int size = snprintf(line, sizeof line, "%s\t%lu\t%s\t%lu\t%lu\t%s\t%lu\n", what, from->folder,
                        from->name, from->inode, to->folder, to->name, to->inode);
    put(line, (size_t)size);
}

static void log_number(const char *what, unsigned long inode, unsigned long number)
{
    char line[128];
    if (!logs()) return;
    put(line, (size_t)snprintf(line, sizeof line, "%s\t%lu\t%lu\n", what, inode, number));
}

/* The bytes that were written to a regular file, in hexadecimal digits. */
static void log_bytes(int fd, off_t at, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    struct stat info;
    char line[8192];
    if (!logs() || fstat(fd, &info) || !S_ISREG(info.st_mode) || info.st_dev != device) return;
    for (size_t done = 0; done < size;) {
        size_t part = size - done < 4000 ? size - done : 4000;
        int used = snprintf(line, sizeof line, "write\t%lu\t%ld\t", (unsigned long)info.st_ino,
                            (long)at + (long)done);
        for (size_t i = 0; i < part; i++) {
            line[used++] = digits[bytes[done + i] >> 4];
            line[used++] = digits[bytes[done + i] & 15];
        }
        line[used++] = '\n';
        put(line, (size_t)used);
        done += part;
    }
}

static unsigned long inode_of(int fd)
{
    struct stat info;
    return fstat(fd, &info) || info.st_dev != device ? 0 : info.st_ino;
}

/* ---- calls --------------------------------------------------------------------------- */

static int open_file(int at, const char *path, int flags, mode_t mode)
{
    if (fails(OPEN)) return -1;
    struct place place = flags & O_CREAT ? look(at, path) : (struct place){.inode = 0};
    int fd = (int)syscall(SYS_openat, at, path, flags, mode);
    if (fd >= 0 && logs() && flags & O_CREAT && !place.inode)
        log_place("create", &place, inode_of(fd));
    if (fd >= 0 && logs() && flags & O_TRUNC) log_number("cut", inode_of(fd), 0);
    return fd;
}

static mode_t mode_of(int flags, va_list rest)
{
    return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(rest, int) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_file(AT_FDCWD, path, flags, mode);
}

int openat(int at, const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_file(at, path, flags, mode);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    return fails(READ) ? -1 : (ssize_t)syscall(SYS_read, fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
    return fails(READ) ? -1 : (ssize_t)syscall(SYS_pread64, fd, bytes, size, at);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    if (fails(WRITE)) return -1;
    off_t at = logs() ? lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t n = (ssize_t)syscall(SYS_write, fd, bytes, allowed(size));
    if (n > 0 && at >= 0) log_bytes(fd, at, bytes, (size_t)n);
    return n;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    if (fails(WRITE)) return -1;
    ssize_t n = (ssize_t)syscall(SYS_pwrite64, fd, bytes, allowed(size), at);
    if (n > 0) log_bytes(fd, at, bytes, (size_t)n);
    return n;
}

/* To a file as many writes as there are runs, of which each can be logged, or be short; to a pipe or
 * a socket one, since there it is a message. */
ssize_t writev(int fd, const struct iovec *runs, int n_runs)
{
    ssize_t sum = 0;
    struct stat info;
    if (fails(WRITE)) return -1;
    if (fstat(fd, &info) || !S_ISREG(info.st_mode))
        return (ssize_t)syscall(SYS_writev, fd, runs, n_runs);
    for (int i = 0; i < n_runs; i++) {
        off_t at = logs() ? lseek(fd, 0, SEEK_CUR) : 0;
        ssize_t n = (ssize_t)syscall(SYS_write, fd, runs[i].iov_base, allowed(runs[i].iov_len));
        if (n < 0) return sum ? sum : -1;
        if (at >= 0) log_bytes(fd, at, runs[i].iov_base, (size_t)n);
        sum += n;
        if ((size_t)n < runs[i].iov_len) break;
    }
    return sum;
}

/* Refused where what is written has to be in the log: then it is read and written. */
ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t size,
                        unsigned flags)
{
    if (fails(WRITE)) return -1;
    if (logs()) {
        errno = ENOSYS;
        return -1;
    }
    return (ssize_t)syscall(SYS_copy_file_range, from, from_at, to, to_at, size, flags);
}

static int rename_file(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    if (fails(RENAME)) return -1;
    if (plain && flags) {
        errno = EINVAL;
        return -1;
    }
    struct place source = look(from_at, from), target = look(to_at, to);
    int result = (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    if (!result) log_two(flags & RENAME_EXCHANGE ? "exchange" : "rename", &source, &target);
    return result;
}

int rename(const char *from, const char *to)
{
    return rename_file(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    return rename_file(from_at, from, to_at, to, flags);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
    if (fails(LINK)) return -1;
    struct place target = look(to_at, to);
    int result = (int)syscall(SYS_linkat, from_at, from, to_at, to, flags);
    if (!result && logs()) log_place("link", &target, inode_at(to_at, to));
    return result;
}

static int unlink_file(int at, const char *path, int flags)
{
    if (fails(UNLINK)) return -1;
    struct place place = look(at, path);
    int result = (int)syscall(SYS_unlinkat, at, path, flags);
    if (!result) log_place("unlink", &place, 0);
    return result;
}

int unlink(const char *path)
{
    return unlink_file(AT_FDCWD, path, 0);
}

int unlinkat(int at, const char *path, int flags)
{
    return unlink_file(at, path, flags);
}

int rmdir(const char *path)
{
    return unlink_file(AT_FDCWD, path, AT_REMOVEDIR);
}

int mkdirat(int at, const char *path, mode_t mode)
{
    if (fails(MKDIR)) return -1;
    struct place place = look(at, path);
    int result = (int)syscall(SYS_mkdirat, at, path, mode);
    if (!result && logs()) log_place("mkdir", &place, inode_at(at, path));
    return result;
}

int mkdir(const char *path, mode_t mode)
{
    return mkdirat(AT_FDCWD, path, mode);
}

/* What was written before a sync began is on disk when it has ended. */
static int sync_file(long number, int fd)
{
    static atomic_ulong serial;
    unsigned long mark = atomic_fetch_add(&serial, 1);
    if (fails(SYNC)) return -1;
    unsigned long inode = number == SYS_syncfs ? 1 : inode_of(fd); /* 1: all, which is no file's */
    log_number("begin", inode, mark);
    int result = (int)syscall(number, fd);
    if (!result) log_number("synced", inode, mark);
    return result;
}

int fsync(int fd)
{
    return sync_file(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    return sync_file(SYS_fdatasync, fd);
}

int syncfs(int fd)
{
    return sync_file(SYS_syncfs, fd);
}

int ftruncate(int fd, off_t size)
{
    if (fails(CUT)) return -1;
    int result = (int)syscall(SYS_ftruncate, fd, size);
    if (!result) log_number("cut", inode_of(fd), (unsigned long)size);
    return result;
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (fails(MMAP)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

int memfd_create(const char *name, unsigned flags)
{
    return fails(MMAP) ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

int epoll_create1(int flags)
{
    return fails(EPOLL) ? -1 : (int)syscall(SYS_epoll_create1, flags);
}

int epoll_ctl(int epoll_fd, int what, int fd, struct epoll_event *event)
{
    return fails(EPOLL) ? -1 : (int)syscall(SYS_epoll_ctl, epoll_fd, what, fd, event);
}

int epoll_wait(int epoll_fd, struct epoll_event *events, int n, int timeout_ms)
{
    if (fails(EPOLL)) return -1;
    return (int)syscall(SYS_epoll_pwait, epoll_fd, events, n, timeout_ms, NULL, 0);
}

int pipe2(int ends[2], int flags)
{
    return fails(PIPE) ? -1 : (int)syscall(SYS_pipe2, ends, flags);
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
    return fails(PIPE) ? -1 : (int)syscall(SYS_socketpair, domain, type, protocol, ends);
}

/* At most three further arguments, of which only those are looked at that the flags ask for. */
int clone(int (*function)(void *), void *stack, int flags, void *context, ...)
{
    static int (*real)(int (*)(void *), void *, int, void *, ...);
    va_list rest;
    if (fails(CLONE)) return -1;
    BEHIND(real, "clone");
    va_start(rest, context);
    void *parent = va_arg(rest, void *), *tls = va_arg(rest, void *), *child = va_arg(rest, void *);
    va_end(rest);
    return real(function, stack, flags, context, parent, tls, child);
}

/* Calls whose failure nothing in us could look at: the end of a process, and what only waits or tells. */
static bool cannot_fail(long number)
{
    static const long these[] = {SYS_exit,    SYS_exit_group,   SYS_close,
                                 SYS_futex,   SYS_rt_sigaction, SYS_getpid,
                                 SYS_getppid, SYS_gettid,       SYS_rt_sigreturn};
    for (size_t i = 0; i < sizeof these / sizeof *these; i++)
        if (these[i] == number) return true;
    return false;
}

/* By number: what children that share our memory call. */
long syscall(long number, ...)
{
    static long (*real)(long, ...);
    va_list rest;
    long a[6];
    va_start(rest, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(rest, long);
    va_end(rest);
    bool mounts = number == SYS_mount;
#ifdef SYS_open_tree
    mounts = mounts || number == SYS_open_tree || number == SYS_move_mount;
#endif
    enum kind kind = number == SYS_setns        ? SETNS
                     : number == SYS_pidfd_open ? PIDFD
                     : mounts                   ? MOUNT
                                                : CALL;
    if (!cannot_fail(number) && fails(kind)) return -1;
    BEHIND(real, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
