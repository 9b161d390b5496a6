/* The mounts of a name space sandbox.
 *
 * The new mount calls (open_tree, move_mount, mount_setattr; Linux 5.12) can detach what is to
 * stay before anything is covered, and attach it again afterwards; no place in the file system is
 * needed to keep it in the meantime.  The order matters: what stays is detached; everything is
 * made read-only; a tmpfs over /dev serves as the scratch space on which copies (overlays) of /tmp,
 * /var/tmp and of the home directory write; the places of services are hidden; the private /dev
 * covers the scratch space, so that no path leads to it; what stays is attached again.
 * A directory with a mount somewhere below it has no overlay: to copy it without the mount would
 * uncover what the mount hides, which the kernel refuses to users.  It is put together of overlays
 * of the directories in it that have none, of its files, read-only, and of links; and so on down
 * to the mount itself, which has an overlay.  Sockets and FIFOs are left out.
 * A directory that cannot be copied (on the file systems of some containers) is covered by
 * an empty one if it is for temporary files, and stays read-only otherwise.
 *
 * Why read-only is not enough: a socket with a path, and a FIFO, are reached through a read-only
 * mount as through any other, and what answers is the machine.  In a copy they are dead, for an
 * overlay's inode is not the one that a server has bound.  Elsewhere, /run is empty, each socket
 * that the kernel lists is covered by an empty file, and os/sandbox/landlock.h refuses the rest.
 *
 * Sources: mount_setattr(2), unix(7), proc(5), overlayfs in the kernel's documentation; the
 * Filesystem Hierarchy Standard for what /run is. */
#include "os/sandbox/namespace_view.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/if.h>
#include <linux/mount.h>
#include <mntent.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "os/child.h"

/* Where services have their sockets. /var/run is mostly a link to the first. */
static const char *const hidden_places[] = {"/run", "/var/run"};

enum { N_HIDDEN = sizeof hidden_places / sizeof *hidden_places };

/* ---- what is prepared -------------------------------------------------------------------- */

/* Whether `path` is `place`, or below it. */
static bool is_below(const char *path, const char *place)
{
    const size_t size = place ? strlen(place) : 0;
    return size && !strncmp(path, place, size) && (path[size] == '/' || path[size] == '\0');
}

/* Whether `path` is hidden or covered by a copy, so that a socket there is dead anyway. */
static bool is_covered(const pare_namespace_sandbox_options *options, const char *path)
{
    for (size_t i = 0; i < N_HIDDEN; i++)
        if (is_below(path, hidden_places[i])) return true;
    return is_below(path, "/dev") || is_below(path, "/tmp") || is_below(path, "/var/tmp") ||
           is_below(path, options->temporary);
}

/* Notes the sockets that have a path, as the kernel lists them: the path is the last word of a
 * line, and begins with a slash. */
static void list_sockets(pare_namespace_view *view)
{
    char line[PATH_MAX];
    FILE *list = fopen("/proc/net/unix", "re");
    while (list && view->n_sockets < PARE_NAMESPACE_VIEW_SOCKETS &&
           fgets(line, sizeof line, list)) {
        const char *path = strchr(line, '/');
        line[strcspn(line, "\n")] = '\0';
        if (!path || strlen(path) >= PARE_NAMESPACE_VIEW_SOCKET_PATH) continue;
        if (is_covered(view->options, path)) continue;
        pare_namespace_socket *socket = &view->sockets[view->n_sockets++];
        memcpy(socket->path, path, strlen(path) + 1);
        socket->in_home = is_below(path, view->options->home);
    }
    if (list) (void)fclose(list);
}

/* Notes the symbolic links of a hidden place: a system may have its programs behind them
 * (/run/current-system of NixOS). */
static void list_links(pare_namespace_view *view, const char *place)
{
    DIR *folder = opendir(place);
    for (const struct dirent *entry;
         folder && view->n_links < PARE_NAMESPACE_VIEW_LINKS && (entry = readdir(folder));) {
        pare_namespace_link *link = &view->links[view->n_links];
        int size = snprintf(link->path, sizeof link->path, "%s/%s", place, entry->d_name);
        if (size < 0 || (size_t)size >= sizeof link->path) continue;
        ssize_t n = readlink(link->path, link->text, sizeof link->text);
        if (n <= 0 || (size_t)n >= sizeof link->text) continue;
        link->text[n] = '\0';
        view->n_links++;
    }
    if (folder) (void)closedir(folder);
}

/* Notes the places of mounts, each with a NUL at its end; false: no memory. */
static bool list_mounts(pare_buffer *mounts)
{
    char text[2 * PATH_MAX];
    struct mntent entry;
    bool well = true;
    FILE *list = setmntent("/proc/self/mounts", "re");
    while (well && list && getmntent_r(list, &entry, text, sizeof text))
        well = !pare_buffer_add(mounts, entry.mnt_dir, strlen(entry.mnt_dir) + 1, NULL);
    if (list) (void)endmntent(list);
    return well;
}

/* Whether something is mounted below `path`, or with `itself` also at it. */
static bool holds_mount(const pare_buffer *mounts, const char *path, bool itself)
{
    for (size_t i = 0; i < mounts->size; i += strlen(mounts->data + i) + 1)
        if (is_below(mounts->data + i, path) && (itself || mounts->data[i + strlen(path)]))
            return true;
    return false;
}

/* If there are too many paths, mounts matter most, then folders, then files and links. */
enum { RANK_MOUNT, RANK_FOLDER, RANK_FILE, N_RANKS };

/* Notes `path` as the next part, if it is one of this rank and there is room; false: it is not. */
static bool add_part(pare_namespace_view *view, const pare_buffer *mounts, int rank,
                     const char *path)
{
    struct stat info;
    const size_t n = view->n_parts;
    if (n == PARE_NAMESPACE_VIEW_PARTS || lstat(path, &info)) return false;
    const bool is_folder = S_ISDIR(info.st_mode);
    if (!S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode) && !is_folder) return false;
    const int is = holds_mount(mounts, path, true) ? RANK_MOUNT
                   : is_folder                     ? RANK_FOLDER
                                                   : RANK_FILE;
    if (is != rank) return false;
    pare_namespace_part *part = &view->parts[view->n_parts++];
    part->kind = info.st_mode & S_IFMT;
    part->is_filled = is_folder && holds_mount(mounts, path, false);
    memcpy(part->path, path, strlen(path) + 1);
    (void)snprintf(part->upper, sizeof part->upper, "/dev/a%zu", n);
    (void)snprintf(part->work, sizeof part->work, "/dev/b%zu", n);
    (void)snprintf(part->options, sizeof part->options,
                   "lowerdir=.,upperdir=/dev/a%zu,workdir=/dev/b%zu,userxattr", n, n);
    return true;
}

/* Notes the parts of a folder that something is mounted below; folders before what is in them. */
static void list_parts(pare_namespace_view *view, const pare_buffer *mounts, const char *folder)
{
    DIR *listing = opendir(folder);
    for (int rank = 0; listing && rank < N_RANKS; rank++) {
        rewinddir(listing);
        for (const struct dirent *entry; (entry = readdir(listing));) {
            char path[PARE_NAMESPACE_VIEW_PART];
            if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
            int size = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            if (size < 0 || (size_t)size >= sizeof path) continue;
            if (!add_part(view, mounts, rank, path)) continue;
            if (view->parts[view->n_parts - 1].is_filled) list_parts(view, mounts, path);
        }
    }
    if (listing) (void)closedir(listing);
}

/* The same for each of the places that tests have copies of and must be able to write to; false: no memory. */
static bool list_all_parts(pare_namespace_view *view)
{
    const char *const places[] = {"/tmp", "/var/tmp", view->options->temporary};
    pare_buffer mounts = {0};
    bool well = list_mounts(&mounts);
    for (size_t i = 0; well && i < sizeof places / sizeof *places; i++) {
        if (!places[i] || !holds_mount(&mounts, places[i], false)) continue;
        if (!view->parts) view->parts = pare_alloc(PARE_NAMESPACE_VIEW_PARTS, sizeof *view->parts);
        well = view->parts;
        if (well) list_parts(view, &mounts, places[i]);
    }
    pare_buffer_done(&mounts);
    return well;
}

/* The lists are as old as the cell: a socket that is bound later is Landlock's to refuse. */
bool pare_namespace_view_prepare(pare_namespace_view *view,
                                 const pare_namespace_sandbox_options *options)
{
    view->options = options;
    view->parts = NULL;
    view->n_sockets = view->n_links = view->n_parts = 0;
    view->scratch_fd = -1;
    view->failed = NULL;
    (void)snprintf(view->size_option, sizeof view->size_option, "size=%llu,mode=755",
                   (unsigned long long)options->scratch_bytes);
    if (options->kind == PARE_NAMESPACE_SANDBOX_DEVICES) return true;
    list_sockets(view);
    for (size_t i = 0; i < N_HIDDEN; i++)
        list_links(view, hidden_places[i]);
    return list_all_parts(view);
}

void pare_namespace_view_done(pare_namespace_view *view)
{
    pare_alloc_free(view->parts);
    view->parts = NULL;
}

/* ---- mounts -------------------------------------------------------------------------
 *
 * All of this runs in the builder, or the keeper: system calls only, by number, and nothing
 * is written but the view and the child's stack.  errno is the parent's, which waits. */

static const char *const device_paths[PARE_NAMESPACE_VIEW_DEVICES] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};

/* Notes what failed, with errno; false, for the callers to return. */
PARE_IN_CHILD static bool fail_view(pare_namespace_view *view, const char *what)
{
    view->failed = what;
    view->cause = errno;
    return false;
}

/* Detaches a copy of the mount at `path`, which covering the path does not reach; a
 * descriptor, or -1. */
PARE_IN_CHILD static int take(const char *path, unsigned flags)
{
    return (int)syscall(SYS_open_tree, (long)AT_FDCWD, path,
                        (long)(OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | flags));
}

/* Attaches the detached mount *fd at `path` and closes the descriptor. */
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

/* Makes the mount at `path` read-only, with AT_RECURSIVE in `flags` all below it too. */
PARE_IN_CHILD static bool fix(const char *path, unsigned flags)
{
    struct mount_attr read_only = {.attr_set = MOUNT_ATTR_RDONLY};
    return !syscall(SYS_mount_setattr, (long)AT_FDCWD, path, (long)flags, &read_only,
                    sizeof read_only);
}

/* Mounts a new file system of `type` at `path`. */
PARE_IN_CHILD static bool mount_new(const char *type, const char *path, unsigned long flags,
                                    const char *options)
{
    return !syscall(SYS_mount, "pare", path, type, flags, options);
}

/* The mode is set by a call of its own, because our umask cuts mkdir's. */
PARE_IN_CHILD static bool make_directory(const char *path, long mode)
{
    return !syscall(SYS_mkdirat, (long)AT_FDCWD, path, mode) &&
           !syscall(SYS_fchmodat, (long)AT_FDCWD, path, mode);
}

/* An empty file: a place to attach a device to. */
PARE_IN_CHILD static bool make_file(const char *path)
{
    long fd =
        syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_CREAT | O_WRONLY | O_CLOEXEC), 0644L);
    if (fd < 0) return false;
    (void)syscall(SYS_close, fd);
    return true;
}

/* Makes the directory `path`, or an empty file there, and the directories above it; they may be
 * there already.  Failures show when something is attached there. */
PARE_IN_CHILD static void make_path(const char *path, bool is_file)
{
    char part[PATH_MAX];
    for (size_t i = 0; i < sizeof part; i++) {
        part[i] = path[i];
        if (i == 0 || (path[i] != '/' && path[i] != '\0')) continue;
        part[i] = '\0';
        if (path[i] == '\0' && is_file)
            (void)syscall(SYS_mknodat, (long)AT_FDCWD, part, (long)(S_IFREG | 0644), 0L);
        else
            (void)syscall(SYS_mkdirat, (long)AT_FDCWD, part, 0755L);
        if (path[i] == '\0') return;
        part[i] = '/';
    }
}

/* The kind of file (S_IFMT) at `path`, no link followed, or of the descriptor `fd` with an empty
 * path; 0: none can be told. */
PARE_IN_CHILD static unsigned kind_of(int fd, const char *path)
{
    struct statx info = {.stx_mode = 0};
    const long flags = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW;
    if (syscall(SYS_statx, (long)fd, path, flags, (long)STATX_TYPE, &info)) return 0;
    return info.stx_mode & S_IFMT;
}

/* Attaches the detached mount *fd at `path`, which is made where something covers it. */
PARE_IN_CHILD static bool put_again(int *fd, const char *path)
{
    make_path(path, kind_of(*fd, "") != S_IFDIR);
    return put(fd, path);
}

/* Closes what was detached and not attached again. */
PARE_IN_CHILD static void close_all(int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fds[i] >= 0) (void)syscall(SYS_close, (long)fds[i]);
}

/* Detaches what is to stay visible: the directory of the test, writable paths, the devices. */
PARE_IN_CHILD static bool take_all(pare_namespace_view *view)
{
    const pare_namespace_sandbox_options *options = view->options;
    view->kept[view->n_kept++] = take(options->directory, 0);
    if (view->kept[0] < 0) return fail_view(view, options->directory);
    for (size_t i = 0; i < options->n_writable; i++) {
        int fd = take(options->writable[i], AT_RECURSIVE);
        if (fd < 0) return fail_view(view, options->writable[i]);
        view->kept[view->n_kept++] = fd;
    }
    for (size_t i = 0; i < PARE_NAMESPACE_VIEW_DEVICES; i++) {
        view->devices[i] = take(device_paths[i], 0);
        if (view->devices[i] < 0 && errno != ENOENT) return fail_view(view, device_paths[i]);
    }
    return true;
}

/* --- copies ------------------------------------------------------------------ */

/* Covers `place` with an overlay of `path`: reading shows what is at `path`, and writes go to
 * `upper` in the scratch space. The lower directory is given as ".", so that no byte of its path
 * can be taken for syntax of mount's options. */
PARE_IN_CHILD static bool copy(const char *path, const char *place, const char *upper,
                               const char *work, const char *options)
{
    make_path(upper, false); /* they are there where another way has failed */
    make_path(work, false);
    if (syscall(SYS_chdir, path)) return false;
    bool done = mount_new("overlay", place, MS_NOSUID | MS_NODEV, options);
    (void)syscall(SYS_chdir, "/");
    return done;
}

/* Writes the path `above` with `below` behind it to `to`, of room for PATH_MAX bytes. */
PARE_IN_CHILD static void join(char *to, const char *above, const char *below)
{
    size_t n = 0;
    while (*above && n < PATH_MAX - 1)
        to[n++] = *above++;
    while (*below && n < PATH_MAX - 1)
        to[n++] = *below++;
    to[n] = '\0';
}

/* What follows `path` in the path of a part below it; NULL: it is not below. */
PARE_IN_CHILD static const char *below(const char *part, const char *path)
{
    while (*path && *part == *path) {
        part++;
        path++;
    }
    return !*path && *part == '/' ? part : NULL;
}

/* Makes what the part is attached to, or the link that it is. */
PARE_IN_CHILD static void make_part(const pare_namespace_part *part, const char *place)
{
    char text[PARE_NAMESPACE_VIEW_LINK];
    if (part->kind == S_IFREG) {
        (void)make_file(place);
    } else if (part->kind == S_IFDIR) {
        (void)make_directory(place, 0755);
    } else {
        long n = syscall(SYS_readlinkat, (long)AT_FDCWD, part->path, text, sizeof text);
        if (n <= 0 || (size_t)n >= sizeof text) return;
        text[n] = '\0';
        (void)syscall(SYS_symlinkat, text, (long)AT_FDCWD, place);
    }
}

/* Attaches the part.  What cannot be had is empty. */
PARE_IN_CHILD static void put_part(const pare_namespace_part *part, const char *place)
{
    if (part->kind == S_IFREG) {
        int fd = take(part->path, 0);
        if (fd >= 0 && !put(&fd, place)) close_all(&fd, 1);
    } else if (part->kind == S_IFDIR && !part->is_filled) {
        (void)copy(part->path, place, part->upper, part->work, part->options);
    }
}

/* Covers `path`, which has mounts below it, by an overlay with empty places to which the parts are
 * attached. Whatever a test changes there takes inodes of the scratch space, and so is noticed. */
PARE_IN_CHILD static bool copy_parts(const pare_namespace_view *view, const char *path,
                                     const char *upper, const char *work, const char *options)
{
    static const char whole[] = "/dev/whole";
    char places[PATH_MAX], place[PATH_MAX];
    const char *rest;
    size_t n = 0;
    join(places, "/dev/parts", path);
    for (size_t i = 0; i < view->n_parts; i++) {
        if (!(rest = below(view->parts[i].path, path))) continue;
        if (!n++) make_path(places, false);
        join(place, places, rest);
        make_part(&view->parts[i], place);
    }
    if (!n || syscall(SYS_fchmodat, (long)AT_FDCWD, places, 01777L)) return false;
    make_path(whole, false);
    if (!copy(places, whole, upper, work, options)) return false;
    for (size_t i = 0; i < view->n_parts; i++) {
        if (!(rest = below(view->parts[i].path, path))) continue;
        join(place, whole, rest);
        put_part(&view->parts[i], place);
    }
    int tree = take(whole, AT_RECURSIVE);
    if (tree >= 0 && put(&tree, path)) return true;
    close_all(&tree, 1);
    return false;
}

/* Covers `path` by a copy, whole or by its parts. */
PARE_IN_CHILD static bool copy_any(const pare_namespace_view *view, const char *path,
                                   const char *upper, const char *work, const char *options)
{
    return copy_parts(view, path, upper, work, options) || copy(path, path, upper, work, options);
}

/* Gives the test copies of /tmp, /var/tmp, the home directory and $TMPDIR to write on; *home tells
 * whether that is one now. */
PARE_IN_CHILD static bool copy_all(pare_namespace_view *view, bool *home)
{
    const pare_namespace_sandbox_options *options = view->options;
    if (!copy_any(view, "/tmp", "/dev/u0", "/dev/w0",
                  "lowerdir=.,upperdir=/dev/u0,workdir=/dev/w0,userxattr") &&
        !mount_new("tmpfs", "/tmp", MS_NOSUID | MS_NODEV, view->size_option))
        return fail_view(view, "/tmp");
    if (kind_of(AT_FDCWD, "/var/tmp") == S_IFDIR &&
        !copy_any(view, "/var/tmp", "/dev/u3", "/dev/w3",
                  "lowerdir=.,upperdir=/dev/u3,workdir=/dev/w3,userxattr") &&
        !mount_new("tmpfs", "/var/tmp", MS_NOSUID | MS_NODEV, view->size_option))
        return fail_view(view, "/var/tmp");
    /* Without a copy it stays read-only. */
    *home = options->home && copy(options->home, options->home, "/dev/u1", "/dev/w1",
                                  "lowerdir=.,upperdir=/dev/u1,workdir=/dev/w1,userxattr");
    if (!options->temporary) return true;
    make_path(options->temporary, false); /* it may be in a place that is hidden */
    if (!copy_any(view, options->temporary, "/dev/u2", "/dev/w2",
                  "lowerdir=.,upperdir=/dev/u2,workdir=/dev/w2,userxattr") &&
        !mount_new("tmpfs", options->temporary, MS_NOSUID | MS_NODEV, view->size_option))
        return fail_view(view, options->temporary);
    return true;
}

/* --- what is hidden ---------------------------------------------------------- */

/* Covers the places of services by empty directories, and puts their links into these. */
PARE_IN_CHILD static bool hide_places(pare_namespace_view *view)
{
    for (size_t i = 0; i < N_HIDDEN; i++)
        if (kind_of(AT_FDCWD, hidden_places[i]) == S_IFDIR &&
            !mount_new("tmpfs", hidden_places[i], MS_NOSUID | MS_NODEV, "size=64k,mode=755"))
            return fail_view(view, hidden_places[i]);
    for (size_t i = 0; i < view->n_links; i++)
        (void)syscall(SYS_symlinkat, view->links[i].text, (long)AT_FDCWD, view->links[i].path);
    return true;
}

/* From here on nothing more is put there, so it becomes read-only. */
PARE_IN_CHILD static bool fix_places(pare_namespace_view *view)
{
    for (size_t i = 0; i < N_HIDDEN; i++)
        if (kind_of(AT_FDCWD, hidden_places[i]) == S_IFDIR && !fix(hidden_places[i], 0))
            return fail_view(view, hidden_places[i]);
    return true;
}

/* Covers sockets elsewhere, each by an empty file.  One that we cannot cover, because we may not
 * look there, no test of ours reaches either. */
PARE_IN_CHILD static void cover_sockets(const pare_namespace_view *view, bool home_is_copy)
{
    static const char empty[] = "/dev/empty";
    if (!view->n_sockets || !make_file(empty)) return;
    for (size_t i = 0; i < view->n_sockets; i++) {
        const pare_namespace_socket *socket = &view->sockets[i];
        if (socket->in_home && home_is_copy) continue;
        int fd = kind_of(AT_FDCWD, socket->path) == S_IFSOCK ? take(empty, 0) : -1;
        if (fd >= 0 && !put(&fd, socket->path)) close_all(&fd, 1);
    }
}

/* Mounts the bounded memory in which all that tests write is kept, and what lies on it; hides
 * what is to be hidden. */
PARE_IN_CHILD static bool make_scratch(pare_namespace_view *view)
{
    bool home_is_copy = false;
    if (!mount_new("tmpfs", "/dev", MS_NOSUID | MS_NODEV, view->size_option))
        return fail_view(view, "a file system in memory");
    view->scratch_fd = (int)syscall(SYS_openat, (long)AT_FDCWD, "/dev",
                                    (long)(O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0L);
    if (view->scratch_fd < 0 || !make_directory("/dev/shm", 01777))
        return fail_view(view, "a file system in memory");
    if (!hide_places(view) || !copy_all(view, &home_is_copy)) return false;
    cover_sockets(view, home_is_copy);
    return true;
}

/* --- devices ----------------------------------------------------------------- */

/* Gives the test pseudo-terminals of its own, where the system allows that; otherwise it has
 * none. */
PARE_IN_CHILD static void make_terminals(void)
{
    if (!make_directory("/dev/pts", 0755) || !mount_new("devpts", "/dev/pts", MS_NOSUID | MS_NOEXEC,
                                                        "newinstance,ptmxmode=0666,mode=620"))
        return;
    (void)syscall(SYS_symlinkat, "pts/ptmx", (long)AT_FDCWD, "/dev/ptmx");
}

/* Covers the scratch space with the private /dev: the devices that were detached, shared
 * memory, the usual links and terminals.  A device can be written on a read-only mount, but its
 * mode, which is that of the device outside, cannot be changed.  From here on no path leads to the scratch space, only
 * its descriptor. */
PARE_IN_CHILD static bool make_devices(pare_namespace_view *view)
{
    int shared = take("/dev/shm", 0);
    bool good = shared >= 0 && mount_new("tmpfs", "/dev", MS_NOSUID, "size=64k,mode=755") &&
                make_directory("/dev/shm", 01777) && put(&shared, "/dev/shm");
    if (!good) close_all(&shared, 1);
    for (size_t i = 0; good && i < PARE_NAMESPACE_VIEW_DEVICES; i++)
        good = view->devices[i] < 0 ||
               (make_file(device_paths[i]) && put(&view->devices[i], device_paths[i]) &&
                fix(device_paths[i], 0));
    if (!good) return fail_view(view, "/dev");
    (void)syscall(SYS_symlinkat, "/proc/self/fd", (long)AT_FDCWD, "/dev/fd");
    (void)syscall(SYS_symlinkat, "/proc/self/fd/0", (long)AT_FDCWD, "/dev/stdin");
    (void)syscall(SYS_symlinkat, "/proc/self/fd/1", (long)AT_FDCWD, "/dev/stdout");
    (void)syscall(SYS_symlinkat, "/proc/self/fd/2", (long)AT_FDCWD, "/dev/stderr");
    make_terminals();
    return true;
}

/* --- the whole --------------------------------------------------------------- */

/* Attaches again, in the same places, what stays: visible paths, the directory, the writable paths.
 * Each may lie below something that is covered now, so its path is made there first. */
PARE_IN_CHILD static bool put_back(pare_namespace_view *view)
{
    const pare_namespace_sandbox_options *options = view->options;
    for (size_t i = 0; i < view->n_visible; i++)
        if (!put_again(&view->visible[i], options->visible[i]))
            return fail_view(view, options->visible[i]);
    if (!put_again(&view->kept[0], options->directory)) return fail_view(view, options->directory);
    for (size_t i = 0; i < options->n_writable; i++)
        if (!put_again(&view->kept[i + 1], options->writable[i]))
            return fail_view(view, options->writable[i]);
    return true;
}

/* Detaches what is to stay visible: after everything was made read-only, so that it is too. */
PARE_IN_CHILD static bool take_visible(pare_namespace_view *view)
{
    const pare_namespace_sandbox_options *options = view->options;
    for (size_t i = 0; i < options->n_visible; i++) {
        int fd = take(options->visible[i], AT_RECURSIVE);
        if (fd < 0) return fail_view(view, options->visible[i]);
        view->visible[view->n_visible++] = fd;
    }
    return true;
}

/* Brings the loopback device up: without one, programs that talk to themselves fail for no
 * reason. */
PARE_IN_CHILD static void raise_loopback(void)
{
    struct ifreq lo = {.ifr_ifrn.ifrn_name = {'l', 'o'}};
    long fd = syscall(SYS_socket, (long)AF_INET, (long)(SOCK_DGRAM | SOCK_CLOEXEC), 0L);
    if (fd < 0) return;
    lo.ifr_ifru.ifru_flags = (short)IFF_UP;
    (void)syscall(SYS_ioctl, fd, (long)SIOCSIFFLAGS, &lo);
    (void)syscall(SYS_close, fd);
}

/* Makes the view of a full cell.  The order of the steps is explained at the top of the file. */
PARE_IN_CHILD static bool build_full(pare_namespace_view *view)
{
    if (syscall(SYS_mount, "pare", "/", NULL, (long)(MS_REC | MS_PRIVATE), NULL))
        return fail_view(view, "mounts of its own");
    if (!take_all(view)) return false;
    if (!fix("/", AT_RECURSIVE)) return fail_view(view, "a read-only file system");
    if (!take_visible(view) || !make_scratch(view) || !make_devices(view) || !put_back(view) ||
        !fix_places(view))
        return false;
    if (!fix("/dev", 0)) return fail_view(view, "/dev");
    if (!view->options->network) raise_loopback();
    return true;
}

/* Makes the view that only protects devices: they can be written on a read-only mount, but not
 * removed.  Mounts of the system outside still arrive (MS_SLAVE). */
PARE_IN_CHILD static bool build_devices(pare_namespace_view *view)
{
    if (syscall(SYS_mount, "pare", "/", NULL, (long)(MS_REC | MS_SLAVE), NULL))
        return fail_view(view, "mounts of its own");
    if (!fix("/dev", 0)) {
        /* If /dev is no mount point it is made one. */
        int fd = errno == EINVAL ? take("/dev", AT_RECURSIVE) : -1;
        if (fd < 0 || !put(&fd, "/dev") || !fix("/dev", 0)) return fail_view(view, "/dev");
    }
    return true;
}

/* If building fails, what was detached and not attached again is lost with this view. */
PARE_IN_CHILD bool pare_namespace_view_build(pare_namespace_view *view)
{
    view->n_kept = view->n_visible = 0;
    for (size_t i = 0; i < PARE_NAMESPACE_VIEW_DEVICES; i++)
        view->devices[i] = -1;
    if (view->options->kind == PARE_NAMESPACE_SANDBOX_DEVICES) return build_devices(view);
    if (build_full(view)) return true;
    close_all(view->kept, view->n_kept);
    close_all(view->visible, view->n_visible);
    close_all(view->devices, PARE_NAMESPACE_VIEW_DEVICES);
    close_all(&view->scratch_fd, 1);
    return false;
}

/* --- processes --------------------------------------------------------------- */

/* The kernel gives process numbers below 300 once only, and reuses those from 300 up to
 * pid_max: so pid_max bounds the processes that are alive at once (kernel/pid.c). */
enum { RESERVED_NUMBERS = 300, DIGITS = 24 };

/* Bounds the processes of the cell; false when the kernel has one pid_max for all (< 6.14). */
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

/* Makes a setting of the machine read-only in the cell's own /proc, by attaching a copy of it
 * to itself.  What the system does not have needs no protection. */
PARE_IN_CHILD static void protect(const char *path)
{
    int fd = take(path, 0);
    if (fd < 0) return;
    if (put(&fd, path)) (void)fix(path, 0);
}

/* What process 1 of the cell does before it executes: mounts a /proc of its own and bounds the
 * number of processes. Returns whether that bound holds. */
PARE_IN_CHILD bool pare_namespace_view_number_processes(uint64_t most_processes)
{
    /* Where the system hides parts of /proc, it allows no new one. The old one, read-only, shows
     * processes that cannot be reached, and its pid_max is the machine's. */
    if (!mount_new("proc", "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL)) return false;
    bool bounded = most_processes && bound_processes(most_processes);
    protect("/proc/sys");
    protect("/proc/sysrq-trigger");
    return bounded;
}
