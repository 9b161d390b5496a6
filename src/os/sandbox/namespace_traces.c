/* Traces of tests in a cell.
 *
 * The lists of System V's objects show those of the name space that they were opened in; so does a
 * detached mount of the file system of POSIX queues, whose folder grows by each queue.
 *
 * The folders that copies begin with: overlayfs changes the mode of a copy's root in place, on the
 * folder beneath it that writes go to, so no inode tells.  These folders keep their names.
 *
 * Sources: proc(5), mq_overview(7), fsopen(2); the kernel's ipc/mqueue.c for the folder's size. */
#include "os/sandbox/namespace_traces.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/digest.h"
#include "os/child.h"
#include "os/descriptor.h"

void pare_namespace_traces_init(pare_namespace_traces *traces)
{
    *traces = (pare_namespace_traces){.scratch_fd = -1, .mail_fd = -1, .net_fd = -1};
    for (size_t i = 0; i < PARE_NAMESPACE_TRACES_IPC; i++)
        traces->ipc_fds[i] = -1;
}

/* ---- in the child -------------------------------------------------------------------- */

PARE_IN_CHILD static int open_list(const char *path)
{
    return (int)syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_RDONLY | O_CLOEXEC), 0L);
}

/* The folder of POSIX queues of our name space, of a mount that no path leads to; -1: there is none. */
PARE_IN_CHILD static int open_mail(void)
{
    long system = syscall(SYS_fsopen, "mqueue", (long)FSOPEN_CLOEXEC);
    if (system < 0) return -1;
    long made = syscall(SYS_fsconfig, system, (long)FSCONFIG_CMD_CREATE, NULL, NULL, 0L);
    long mount = made < 0 ? -1 : syscall(SYS_fsmount, system, (long)FSMOUNT_CLOEXEC, 0L);
    (void)syscall(SYS_close, system);
    return (int)mount;
}

PARE_IN_CHILD void pare_namespace_traces_open(pare_namespace_traces *traces, int scratch_fd,
                                              size_t n_parts, bool is_net_private)
{
    traces->scratch_fd = scratch_fd;
    traces->n_parts = n_parts;
    traces->ipc_fds[0] = open_list("/proc/sysvipc/shm");
    traces->ipc_fds[1] = open_list("/proc/sysvipc/msg");
    traces->ipc_fds[2] = open_list("/proc/sysvipc/sem");
    traces->mail_fd = open_mail();
    if (is_net_private) traces->net_fd = open_list("/proc/self/net/sockstat");
}

/* ---- outside -------------------------------------------------------------------------- */

/* What is read of the scratch space in one go. */
struct folders {
    pare_hash modes;
    int64_t changed_s, changed_ns; /* the latest */
    bool has_access_list;          /* one that was changed after all was made */
};

/* Copies that are whole, and shared memory; parts come after them. */
static const char *const whole_folders[] = {"shm", "u0", "u1", "u2", "u3"};

enum { N_WHOLE = sizeof whole_folders / sizeof *whole_folders, NAME_BYTES = 24 };

/* Whether the folder `name` has an access list, or one for what is made in it. */
static bool has_access_list(int scratch_fd, const char *name)
{
    static const char *const lists[] = {"system.posix_acl_access", "system.posix_acl_default"};
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d/%s", scratch_fd, name);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (getxattr(path, lists[i], NULL, 0) >= 0) return true;
    return false;
}

/* Only of folders that were changed since `traces` was noted are access lists asked for: a look at
 * all of them would be most of the cost.  A folder that is not there was not when the cell was made. */
static struct folders read_folders(const pare_namespace_traces *traces)
{
    struct folders all = {.changed_s = traces->changed_s, .changed_ns = traces->changed_ns};
    for (size_t k = 0; k < N_WHOLE + traces->n_parts; k++) {
        char name[NAME_BYTES];
        struct stat info;
        if (k < N_WHOLE)
            (void)snprintf(name, sizeof name, "%s", whole_folders[k]);
        else
            (void)snprintf(name, sizeof name, "a%zu", k - N_WHOLE);
        if (fstatat(traces->scratch_fd, name, &info, AT_SYMLINK_NOFOLLOW)) continue;
        const uint64_t about[] = {k, info.st_mode, info.st_uid, info.st_gid};
        all.modes = pare_digest_extend(all.modes, about, sizeof about);
        if (info.st_ctim.tv_sec < traces->changed_s || (info.st_ctim.tv_sec == traces->changed_s &&
                                                        info.st_ctim.tv_nsec <= traces->changed_ns))
            continue;
        if (has_access_list(traces->scratch_fd, name)) all.has_access_list = true;
        if (info.st_ctim.tv_sec > all.changed_s ||
            (info.st_ctim.tv_sec == all.changed_s && info.st_ctim.tv_nsec > all.changed_ns)) {
            all.changed_s = info.st_ctim.tv_sec;
            all.changed_ns = info.st_ctim.tv_nsec;
        }
    }
    return all;
}

/* Whether one of System V's lists has more lines than the one that names its columns. */
static bool has_objects(const int fds[PARE_NAMESPACE_TRACES_IPC])
{
    for (size_t i = 0; i < PARE_NAMESPACE_TRACES_IPC; i++) {
        char text[1024];
        ssize_t n = fds[i] < 0 ? 0 : pread(fds[i], text, sizeof text, 0);
        if (n < 0) return true;
        const char *end = memchr(text, '\n', (size_t)n);
        if (n && (!end || end + 1 < text + n)) return true;
    }
    return false;
}

/* Each queue adds to the folder's size. */
static int64_t size_of_mail(int fd)
{
    struct stat info;
    return fd < 0 || fstat(fd, &info) ? 0 : info.st_size;
}

/* Sockets of TCP that are in use, or wait for their end. */
static unsigned long count_sockets(int fd)
{
    char text[256];
    unsigned long in_use, waiting;
    ssize_t n = fd < 0 ? 0 : pread(fd, text, sizeof text - 1, 0);
    if (n <= 0) return 0;
    text[n] = '\0';
    const char *line = strstr(text, "TCP:");
    if (!line || sscanf(line, "TCP: inuse %lu orphan %*u tw %lu", &in_use, &waiting) != 2) return 0;
    return in_use + waiting;
}

bool pare_namespace_traces_note(pare_namespace_traces *traces)
{
    struct statfs info;
    if (fstatfs(traces->scratch_fd, &info)) return false;
    const struct folders folders = read_folders(traces);
    traces->n_files = (uint64_t)info.f_ffree;
    traces->modes = folders.modes;
    traces->changed_s = folders.changed_s;
    traces->changed_ns = folders.changed_ns;
    traces->mail_size = size_of_mail(traces->mail_fd);
    traces->n_sockets = count_sockets(traces->net_fd);
    return true;
}

/* What most tests leave, if anything, is looked for first. */
bool pare_namespace_traces_none(const pare_namespace_traces *traces)
{
    struct statfs info;
    if (fstatfs(traces->scratch_fd, &info) || (uint64_t)info.f_ffree != traces->n_files)
        return false;
    const struct folders folders = read_folders(traces);
    return !folders.has_access_list &&
           !memcmp(&folders.modes, &traces->modes, sizeof folders.modes) &&
           !has_objects(traces->ipc_fds) && size_of_mail(traces->mail_fd) == traces->mail_size &&
           count_sockets(traces->net_fd) == traces->n_sockets;
}

void pare_namespace_traces_close(pare_namespace_traces *traces)
{
    pare_descriptor_close(&traces->scratch_fd);
    for (size_t i = 0; i < PARE_NAMESPACE_TRACES_IPC; i++)
        pare_descriptor_close(&traces->ipc_fds[i]);
    pare_descriptor_close(&traces->mail_fd);
    pare_descriptor_close(&traces->net_fd);
}
