/* Building the view.
 *
 * The new mount calls (open_tree, move_mount, mount_setattr; Linux 5.12) let us take what
 * is to stay before anything is covered, and put it back in its place afterwards, without
 * a place in the file system to keep it meanwhile.  The order matters: what stays is taken;
 * then everything is made read-only; then a tmpfs over /dev serves as the scratch space on
 * which copies (overlays) of /tmp and of the home directory write; then the real private
 * /dev covers it, so that no path leads to it; then what stays is put back.
 *
 * A directory of which no copy can be made (the file system of some containers) is covered
 * by an empty one if it is for temporary files, and stays read-only otherwise. */
#include "os/sandbox/cell_view.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/if.h>
#include <linux/mount.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/in_child.h"

/* errno is the parent's, while it waits. */

static const char *const device_paths[PARE_VIEW_DEVICES] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};

PARE_IN_CHILD static bool note(pare_view *view, const char *what)
{
    view->failed = what;
    view->cause = errno;
    return false;
}

PARE_IN_CHILD static int take(const char *path, unsigned flags)
{
    return (int)syscall(SYS_open_tree, (long)AT_FDCWD, path,
                        (long)(OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | flags));
}

/* Puts a taken mount to `path` and closes its descriptor. */
PARE_IN_CHILD static bool put(int *fd, const char *path)
{
    long failed =
        syscall(SYS_move_mount, (long)*fd, "", (long)AT_FDCWD, path, (long)MOVE_MOUNT_F_EMPTY_PATH);
    int cause = errno;
    (void)syscall(SYS_close, (long)*fd);
    *fd = -1;
    errno = cause;
    return !failed;
}

PARE_IN_CHILD static bool fix(const char *path, unsigned flags)
{
    struct mount_attr read_only = {.attr_set = MOUNT_ATTR_RDONLY};
    return !syscall(SYS_mount_setattr, (long)AT_FDCWD, path, (long)flags, &read_only,
                    sizeof read_only);
}

PARE_IN_CHILD static bool mount_new(const char *type, const char *path, unsigned long flags,
                                    const char *options)
{
    return !syscall(SYS_mount, "pare", path, type, flags, options);
}

PARE_IN_CHILD static bool make_directory(const char *path, long mode)
{
    return !syscall(SYS_mkdirat, (long)AT_FDCWD, path, mode) &&
           !syscall(SYS_fchmodat, (long)AT_FDCWD, path, mode);
}

PARE_IN_CHILD static bool make_file(const char *path)
{
    long fd =
        syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_CREAT | O_WRONLY | O_CLOEXEC), 0644L);
    if (fd < 0) return false;
    (void)syscall(SYS_close, fd);
    return true;
}

/* Makes the directories that lead to `path`, and itself; they may be there. */
PARE_IN_CHILD static void make_way(const char *path)
{
    char way[PATH_MAX];
    for (size_t i = 0; i < sizeof way; i++) {
        way[i] = path[i];
        if (i == 0 || (path[i] != '/' && path[i] != '\0')) continue;
        way[i] = '\0';
        (void)syscall(SYS_mkdirat, (long)AT_FDCWD, way, 0755L);
        if (path[i] == '\0') return;
        way[i] = '/';
    }
}

PARE_IN_CHILD static void close_all(int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fds[i] >= 0) (void)syscall(SYS_close, (long)fds[i]);
}

/* Takes what is to stay. */
PARE_IN_CHILD static bool take_all(pare_view *view)
{
    const pare_cell_options *options = view->options;
    view->kept[view->n_kept++] = take(options->directory, 0);
    if (view->kept[0] < 0) return note(view, options->directory);
    for (size_t i = 0; i < options->n_writable; i++) {
        int fd = take(options->writable[i], AT_RECURSIVE);
        if (fd < 0) return note(view, options->writable[i]);
        view->kept[view->n_kept++] = fd;
    }
    for (size_t i = 0; i < PARE_VIEW_DEVICES; i++) {
        view->devices[i] = take(device_paths[i], 0);
        if (view->devices[i] < 0 && errno != ENOENT) return note(view, device_paths[i]);
    }
    return true;
}

/* --- copies ------------------------------------------------------------------ */

/* `options` names directories of the scratch space.  The lower directory is ".", so that
 * no byte of its path can be taken for syntax. */
PARE_IN_CHILD static bool copy(const char *path, const char *upper, const char *work,
                               const char *options)
{
    if (!make_directory(upper, 0755) || !make_directory(work, 0755)) return false;
    if (syscall(SYS_chdir, path)) return false;
    bool done = mount_new("overlay", path, MS_NOSUID | MS_NODEV, options);
    (void)syscall(SYS_chdir, "/");
    return done;
}

PARE_IN_CHILD static bool copy_all(pare_view *view)
{
    const pare_cell_options *options = view->options;
    if (!copy("/tmp", "/dev/u0", "/dev/w0",
              "lowerdir=.,upperdir=/dev/u0,workdir=/dev/w0,userxattr") &&
        !mount_new("tmpfs", "/tmp", MS_NOSUID | MS_NODEV, view->size_option))
        return note(view, "/tmp");
    if (options->home && !copy(options->home, "/dev/u1", "/dev/w1",
                               "lowerdir=.,upperdir=/dev/u1,workdir=/dev/w1,userxattr")) {
        /* It stays read-only. */
    }
    if (options->temporary &&
        !copy(options->temporary, "/dev/u2", "/dev/w2",
              "lowerdir=.,upperdir=/dev/u2,workdir=/dev/w2,userxattr") &&
        !mount_new("tmpfs", options->temporary, MS_NOSUID | MS_NODEV, view->size_option))
        return note(view, options->temporary);
    return true;
}

PARE_IN_CHILD static bool make_scratch(pare_view *view)
{
    if (!mount_new("tmpfs", "/dev", MS_NOSUID | MS_NODEV, view->size_option))
        return note(view, "a file system in memory");
    view->scratch_fd = (int)syscall(SYS_openat, (long)AT_FDCWD, "/dev",
                                    (long)(O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0L);
    if (view->scratch_fd < 0 || !make_directory("/dev/shm", 01777))
        return note(view, "a file system in memory");
    return copy_all(view);
}

/* --- devices ----------------------------------------------------------------- */

/* A terminal of its own can be had where the system gives one; without it, none. */
PARE_IN_CHILD static void make_terminals(void)
{
    if (!make_directory("/dev/pts", 0755) || !mount_new("devpts", "/dev/pts", MS_NOSUID | MS_NOEXEC,
                                                        "newinstance,ptmxmode=0666,mode=620"))
        return;
    (void)syscall(SYS_symlinkat, "pts/ptmx", (long)AT_FDCWD, "/dev/ptmx");
}

PARE_IN_CHILD static bool make_devices(pare_view *view)
{
    int shared = take("/dev/shm", 0);
    bool good = shared >= 0 && mount_new("tmpfs", "/dev", MS_NOSUID, "size=64k,mode=755") &&
                make_directory("/dev/shm", 01777) && put(&shared, "/dev/shm");
    if (!good) close_all(&shared, 1);
    for (size_t i = 0; good && i < PARE_VIEW_DEVICES; i++)
        good = view->devices[i] < 0 ||
               (make_file(device_paths[i]) && put(&view->devices[i], device_paths[i]));
    if (!good) return note(view, "/dev");
    (void)syscall(SYS_symlinkat, "/proc/self/fd", (long)AT_FDCWD, "/dev/fd");
    (void)syscall(SYS_symlinkat, "/proc/self/fd/0", (long)AT_FDCWD, "/dev/stdin");
    (void)syscall(SYS_symlinkat, "/proc/self/fd/1", (long)AT_FDCWD, "/dev/stdout");
    (void)syscall(SYS_symlinkat, "/proc/self/fd/2", (long)AT_FDCWD, "/dev/stderr");
    make_terminals();
    return true;
}

/* --- the whole --------------------------------------------------------------- */

PARE_IN_CHILD static bool put_back(pare_view *view)
{
    const pare_cell_options *options = view->options;
    make_way(options->directory);
    if (!put(&view->kept[0], options->directory)) return note(view, options->directory);
    for (size_t i = 0; i < options->n_writable; i++)
        if (!put(&view->kept[i + 1], options->writable[i])) return note(view, options->writable[i]);
    return true;
}

/* Without a loopback, programs that talk to themselves fail for no reason. */
PARE_IN_CHILD static void raise_loopback(void)
{
    struct ifreq lo = {.ifr_ifrn.ifrn_name = {'l', 'o'}};
    long fd = syscall(SYS_socket, (long)AF_INET, (long)(SOCK_DGRAM | SOCK_CLOEXEC), 0L);
    if (fd < 0) return;
    lo.ifr_ifru.ifru_flags = (short)IFF_UP;
    (void)syscall(SYS_ioctl, fd, (long)SIOCSIFFLAGS, &lo);
    (void)syscall(SYS_close, fd);
}

PARE_IN_CHILD static bool build_full(pare_view *view)
{
    if (syscall(SYS_mount, "pare", "/", NULL, (long)(MS_REC | MS_PRIVATE), NULL))
        return note(view, "mounts of its own");
    if (!take_all(view)) return false;
    if (!fix("/", AT_RECURSIVE)) return note(view, "a read-only file system");
    if (!make_scratch(view) || !make_devices(view) || !put_back(view)) return false;
    if (!fix("/dev", 0)) return note(view, "/dev");
    if (!view->options->network) raise_loopback();
    return true;
}

/* Devices can be written on a read-only mount, but not removed. */
PARE_IN_CHILD static bool build_devices(pare_view *view)
{
    if (syscall(SYS_mount, "pare", "/", NULL, (long)(MS_REC | MS_SLAVE), NULL))
        return note(view, "mounts of its own");
    if (!fix("/dev", 0)) {
        /* No mount of its own: made one. */
        int fd = errno == EINVAL ? take("/dev", AT_RECURSIVE) : -1;
        if (fd < 0 || !put(&fd, "/dev") || !fix("/dev", 0)) return note(view, "/dev");
    }
    return true;
}

PARE_IN_CHILD bool pare_view_build(pare_view *view)
{
    view->scratch_fd = -1;
    view->n_kept = 0;
    view->failed = NULL;
    for (size_t i = 0; i < PARE_VIEW_DEVICES; i++)
        view->devices[i] = -1;
    if (view->options->kind == PARE_CELL_DEVICES) return build_devices(view);
    if (build_full(view)) return true;
    close_all(view->kept, view->n_kept);
    close_all(view->devices, PARE_VIEW_DEVICES);
    close_all(&view->scratch_fd, 1);
    return false;
}

/* --- processes --------------------------------------------------------------- */

/* Numbers below 300 are given once only, then those from 300 on again and again: so many
 * processes there can be at once (kernel/pid.c). */
enum { RESERVED_NUMBERS = 300, DIGITS = 24 };

PARE_IN_CHILD static bool bound_processes(uint64_t most)
{
    char text[DIGITS];
    size_t at = sizeof text;
    most += RESERVED_NUMBERS;
    for (; most; most /= 10)
        text[--at] = (char)('0' + most % 10);
    long fd = syscall(SYS_openat, (long)AT_FDCWD, "/proc/sys/kernel/pid_max",
                      (long)(O_WRONLY | O_CLOEXEC), 0L);
    if (fd < 0) return false;
    bool done = syscall(SYS_write, fd, text + at, sizeof text - at) == (long)(sizeof text - at);
    (void)syscall(SYS_close, fd);
    return done;
}

/* The settings of the machine, in a /proc that is not read-only as a whole. */
PARE_IN_CHILD static void protect(const char *path)
{
    int fd = take(path, 0);
    if (fd < 0) return;
    if (put(&fd, path)) (void)fix(path, 0);
}

PARE_IN_CHILD bool pare_view_begin_processes(uint64_t most_processes)
{
    /* Where the system hides parts of /proc it gives no new one: the old one, read-only,
     * shows processes that cannot be reached, and its pid_max is the machine's. */
    if (!mount_new("proc", "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL)) return false;
    bool bounded = most_processes && bound_processes(most_processes);
    protect("/proc/sys");
    protect("/proc/sysrq-trigger");
    return bounded;
}
