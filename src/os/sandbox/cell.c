/* Making, joining and ending cells.
 *
 * Who does what when a cell of kind FULL is made, all in our memory and with our
 * descriptors (CLONE_VM, CLONE_FILES), none with a copy of anything:
 *
 *   we            are suspended (CLONE_VFORK) until the clerk has ended
 *   the clerk     makes the builder, writes its maps of user and group numbers, which
 *                 only somebody outside may do, lets it go on, and waits for its end
 *   the builder   is in the new name spaces; makes the view, then the keeper
 *   the keeper    is process 1 there; executes a program that waits for the end of its
 *                 standard input, of which only we hold the other end
 *
 * Two of them never run at once, but for the clerk's last system call: one waits for the
 * other, so the one errno suffices.  Builder and keeper are made as our children
 * (CLONE_PARENT).  For DEVICES there is a builder only. */
#include "os/sandbox/cell.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/child.h"
#include "os/in_child.h"
#include "os/sandbox/cell_view.h"

enum {
    STACK_BYTES = 64 * 1024,
    N_STACKS = 3,
    MAP_BYTES = 4096, /* the kernel takes no longer one */
    SIGNAL_SET_BYTES = 8
};

/* The kernel's struct sigaction. */
struct kernel_action {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* What the four share. */
struct site {
    pare_view view;
    char *stacks; /* N_STACKS, one after the other */
    char user_map[MAP_BYTES], group_map[MAP_BYTES];
    bool is_root;
    int gate[2]; /* the builder waits here for its maps */
    int word_fd; /* the keeper's standard input */
    int null_fd;
    int spaces;    /* name spaces, as flags of clone */
    pid_t builder; /* 0: not made */
    pid_t keeper;
    int builder_fd, keeper_fd; /* pidfds */
    int space_fd, root_fd;     /* DEVICES: of the mount name space, and our "/" in it */
    bool is_bounded;
    bool was_killed; /* one of the four but us */
    int exec_errno;  /* of the keeper */
};

/* --- in the children ---------------------------------------------------------- */

PARE_IN_CHILD static char *stack_end(const struct site *site, size_t k)
{
    return site->stacks + (k + 1) * STACK_BYTES;
}

PARE_IN_CHILD static void note(struct site *site, const char *what)
{
    if (site->view.failed) return;
    site->view.failed = what;
    site->view.cause = errno;
}

PARE_IN_CHILD static int leave(void)
{
    (void)syscall(SYS_exit_group, 0L);
    return 0;
}

/* Process 1 of the cell: sleeps until its standard input ends.  Its children, which are
 * orphans, are reaped by the kernel because SIGCHLD is ignored. */
PARE_IN_CHILD static int keep(void *context)
{
    static const char program[] = "trap '' CHLD; exec cat";
    static const char *const words[] = {"sh", "-c", program, NULL};
    static const char *const environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL};
    struct site *site = context;
    const struct kernel_action ignore = {.handler = SIG_IGN};
    site->is_bounded = pare_view_begin_processes(site->view.options->most_processes);
    (void)syscall(SYS_setsid);
    (void)syscall(SYS_prctl, (long)PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L);
    (void)syscall(SYS_rt_sigaction, (long)SIGCHLD, &ignore, NULL, (long)SIGNAL_SET_BYTES);
    pare_in_child_pass(PARE_POINT_KEEPER);
    if (pare_in_child_close_rest() && syscall(SYS_dup3, (long)site->word_fd, 0L, 0L) >= 0 &&
        syscall(SYS_dup3, (long)site->null_fd, 1L, 0L) >= 0 &&
        syscall(SYS_dup3, (long)site->null_fd, 2L, 0L) >= 0 && !syscall(SYS_chdir, "/"))
        (void)syscall(SYS_execve, "/bin/sh", words, environment);
    site->exec_errno = errno;
    return leave();
}

PARE_IN_CHILD static void make_keeper(struct site *site)
{
    const int flags = CLONE_VM | CLONE_VFORK | CLONE_PARENT | CLONE_PIDFD | CLONE_NEWPID | SIGCHLD;
    site->keeper = clone(keep, stack_end(site, 2), flags, site, &site->keeper_fd);
    if (site->keeper < 0) note(site, "processes of its own");
    errno = site->exec_errno;
    if (errno) note(site, "/bin/sh");
}

PARE_IN_CHILD static int build(void *context)
{
    struct site *site = context;
    char word = 0;
    pare_in_child_pass(PARE_POINT_BUILDER);
    if (syscall(SYS_read, (long)site->gate[0], &word, 1L) != 1 || word != 'y') return leave();
    if (!pare_view_build(&site->view)) return leave();
    if (site->view.options->kind == PARE_CELL_FULL) {
        make_keeper(site);
    } else {
        site->space_fd = (int)syscall(SYS_openat, (long)AT_FDCWD, "/proc/self/ns/mnt",
                                      (long)(O_RDONLY | O_CLOEXEC), 0L);
        if (site->space_fd < 0) note(site, "/proc/self/ns/mnt");
        site->root_fd = (int)syscall(SYS_openat, (long)AT_FDCWD, "/",
                                     (long)(O_PATH | O_DIRECTORY | O_CLOEXEC), 0L);
        if (site->root_fd < 0) note(site, "/");
    }
    return leave();
}

/* Writes `text` to /proc/PID/NAME. */
PARE_IN_CHILD static bool tell(pid_t pid, const char *name, const char *text)
{
    char path[64] = "/proc/";
    char digits[16];
    size_t at = 6, n = 0;
    for (; pid; pid /= 10)
        digits[n++] = (char)('0' + pid % 10);
    while (n)
        path[at++] = digits[--n];
    path[at++] = '/';
    for (; *name && at + 1 < sizeof path; name++)
        path[at++] = *name;
    path[at] = '\0';
    long fd = syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_WRONLY | O_CLOEXEC), 0L);
    if (fd < 0) return false;
    while (text[n])
        n++;
    bool done = syscall(SYS_write, fd, text, n) == (long)n;
    (void)syscall(SYS_close, fd);
    return done;
}

/* Users without rights must give up changing their groups before they map them. */
PARE_IN_CHILD static bool map(const struct site *site)
{
    if (!(site->spaces & CLONE_NEWUSER)) return true;
    if (!site->is_root && !tell(site->builder, "setgroups", "deny") && errno != ENOENT)
        return false;
    return tell(site->builder, "uid_map", site->user_map) &&
           tell(site->builder, "gid_map", site->group_map);
}

PARE_IN_CHILD static int clerk(void *context)
{
    struct site *site = context;
    const int flags = CLONE_VM | CLONE_FILES | CLONE_PARENT | CLONE_PIDFD | SIGCHLD;
    pare_in_child_pass(PARE_POINT_CLERK);
    pid_t builder = clone(build, stack_end(site, 1), flags | site->spaces, site, &site->builder_fd);
    if (builder < 0) {
        note(site, "name spaces");
        return leave();
    }
    site->builder = builder;
    bool mapped = map(site);
    if (!mapped) note(site, "a map of users");
    (void)syscall(SYS_write, (long)site->gate[1], mapped ? "y" : "n", 1L);
    struct pollfd ended = {.fd = site->builder_fd, .events = POLLIN};
    while (syscall(SYS_ppoll, &ended, 1L, NULL, NULL, 0L) < 0)
        continue; /* no signal is let through; the call is made again all the same */
    return leave();
}

/* --- making ------------------------------------------------------------------- */

static void close_fd(int *fd)
{
    if (*fd >= 0) (void)close(*fd);
    *fd = -1;
}

/* The map that leaves every number what it is: for root all numbers that there are here,
 * else the one of the user. */
static void write_map(char map[MAP_BYTES], const char *own_map, bool is_root, unsigned id)
{
    char text[MAP_BYTES];
    size_t used = 0;
    (void)snprintf(map, MAP_BYTES, "%u %u 1\n", id, id);
    if (!is_root) return;
    int fd = open(own_map, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) (void)close(fd);
    if (n <= 0) return;
    text[n] = '\0';
    for (char *line = text; *line;) { /* as the kernel writes it: first, outside, count */
        unsigned long first = strtoul(line, &line, 10);
        (void)strtoul(line, &line, 10);
        unsigned long count = strtoul(line, &line, 10);
        if (*line++ != '\n') return;
        int size = snprintf(map + used, MAP_BYTES - used, "%lu %lu %lu\n", first, first, count);
        if (size < 0 || (size_t)size >= MAP_BYTES - used) return;
        used += (size_t)size;
    }
}

/* Waits for the clerk and the builder.  One that somebody kills leaves the next one without
 * its number, or waiting for ever; but the kernel has noted its pidfd. */
static void end_builders(struct site *site, pid_t clerk)
{
    bool well = pare_child_reap(clerk);
    if (!well && pare_child_end_by_fd(site->builder_fd))
        site->builder_fd = -1;
    else if (pare_child_is_number(site->builder))
        well = pare_child_reap(site->builder) && well;
    bool wants_keeper = site->view.options->kind == PARE_CELL_FULL && !site->view.failed;
    site->was_killed = !well || (wants_keeper && !pare_child_is_number(site->keeper));
}

/* Runs the clerk; gives 0 or an errno. */
static int run_clerk(struct site *site)
{
    const uint64_t all = ~(uint64_t)0;
    uint64_t before = 0;
    (void)syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, &before, (long)SIGNAL_SET_BYTES);
    pid_t pid =
        clone(clerk, stack_end(site, 0), CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, site);
    int cause = errno;
    (void)syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &before, NULL, (long)SIGNAL_SET_BYTES);
    if (pid < 0) return cause;
    end_builders(site, pid);
    return 0;
}

/* Everything that the children need is made before they are. */
static bool prepare(struct site *site, int word[2])
{
    const pare_cell_options *options = site->view.options;
    site->is_root = geteuid() == 0;
    if (options->kind == PARE_CELL_DEVICES)
        site->spaces = CLONE_NEWNS;
    else
        site->spaces =
            CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | (options->network ? 0 : CLONE_NEWNET);
    write_map(site->user_map, "/proc/self/uid_map", site->is_root, (unsigned)geteuid());
    write_map(site->group_map, "/proc/self/gid_map", site->is_root, (unsigned)getegid());
    (void)snprintf(site->view.size_option, sizeof site->view.size_option, "size=%llu,mode=755",
                   (unsigned long long)options->scratch_bytes);
    site->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    site->stacks = mmap(NULL, (size_t)N_STACKS * STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (site->stacks == MAP_FAILED || site->null_fd < 0) return false;
    if (pipe2(site->gate, O_CLOEXEC) || pipe2(word, O_CLOEXEC)) return false;
    site->word_fd = word[0];
    return true;
}

/* Fills *cell with what a finished site has. */
static bool take_over(struct site *site, int *word_fd, pare_cell *cell)
{
    char path[64];
    struct statfs info = {0};
    if (site->view.options->kind == PARE_CELL_DEVICES) {
        *cell = (pare_cell){.join_fd = site->space_fd,
                            .join_flags = CLONE_NEWNS,
                            .root_fd = site->root_fd,
                            .keeper_fd = -1,
                            .children_fd = -1,
                            .scratch_fd = -1};
        return true;
    }
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)site->keeper,
                   (int)site->keeper);
    int children_fd = open(path, O_RDONLY | O_CLOEXEC);
    if (children_fd < 0) return false;
    if (fstatfs(site->view.scratch_fd, &info)) {
        int cause = errno;
        (void)close(children_fd);
        errno = cause;
        return false;
    }
    *cell = (pare_cell){.join_fd = site->keeper_fd,
                        .join_flags = site->spaces | CLONE_NEWPID,
                        .root_fd = -1,
                        .keeper = site->keeper,
                        .keeper_fd = *word_fd,
                        .children_fd = children_fd,
                        .scratch_fd = site->view.scratch_fd,
                        .n_scratch = (uint64_t)info.f_ffree,
                        .is_bounded = site->is_bounded};
    *word_fd = -1;
    return true;
}

/* Ends what was made of a cell that failed. */
static void give_up(struct site *site)
{
    if (pare_child_kill(site->keeper))
        (void)pare_child_reap(site->keeper);
    else if (pare_child_end_by_fd(site->keeper_fd))
        site->keeper_fd = -1;
    close_fd(&site->keeper_fd);
    close_fd(&site->space_fd);
    close_fd(&site->root_fd);
    close_fd(&site->view.scratch_fd);
}

static pare_status refuse(const struct site *site, pare_error *err)
{
    (void)pare_fail_errno(err, site->view.cause, "the system refuses %s", site->view.failed);
    if (err) err->status = PARE_E_UNSUPPORTED;
    return PARE_E_UNSUPPORTED;
}

pare_status pare_cell_open(const pare_cell_options *options, pare_cell *cell, pare_error *err)
{
    struct site site = {.view = {.options = options, .scratch_fd = -1},
                        .stacks = MAP_FAILED,
                        .gate = {-1, -1},
                        .null_fd = -1,
                        .builder_fd = -1,
                        .keeper_fd = -1,
                        .space_fd = -1,
                        .root_fd = -1};
    int word[2] = {-1, -1};
    pare_status status = PARE_OK;
    int failed = prepare(&site, word) ? run_clerk(&site) : errno;
    if (failed)
        status = pare_fail_errno(err, failed, "cannot make name spaces");
    else if (site.view.failed)
        status = refuse(&site, err);
    else if (site.was_killed)
        status = pare_fail(err, PARE_E_IO, "a process that makes name spaces was killed");
    else if (!take_over(&site, &word[1], cell))
        status = pare_fail_errno(err, errno, "cannot watch name spaces");
    if (status) give_up(&site);
    close_fd(&site.builder_fd);
    close_fd(&site.gate[0]);
    close_fd(&site.gate[1]);
    close_fd(&word[0]);
    close_fd(&word[1]);
    close_fd(&site.null_fd);
    if (site.stacks != MAP_FAILED) (void)munmap(site.stacks, (size_t)N_STACKS * STACK_BYTES);
    return status;
}

/* --- use ---------------------------------------------------------------------- */

void pare_cell_close(pare_cell *cell)
{
    if (!cell->join_flags) return;
    if (cell->keeper) {
        (void)pare_child_kill(cell->keeper); /* not reaped: the number is its */
        (void)pare_child_reap(cell->keeper);
    }
    close_fd(&cell->keeper_fd);
    close_fd(&cell->children_fd);
    close_fd(&cell->scratch_fd);
    close_fd(&cell->join_fd);
    close_fd(&cell->root_fd);
    *cell = (pare_cell){0};
}

bool pare_cell_is_clean(const pare_cell *cell)
{
    char one;
    struct statfs info;
    if (!cell->keeper) return true;
    if (pread(cell->children_fd, &one, 1, 0) != 0) return false;
    return !fstatfs(cell->scratch_fd, &info) && (uint64_t)info.f_ffree == cell->n_scratch;
}

/* Who joins a name space of mounts stands at its root, which is not ours where we were started
 * by chroot. */
PARE_IN_CHILD bool pare_cell_enter(const pare_cell *cell)
{
    if (syscall(SYS_setns, (long)cell->join_fd, (long)cell->join_flags)) return false;
    return cell->root_fd < 0 ||
           (!syscall(SYS_fchdir, (long)cell->root_fd) && !syscall(SYS_chroot, "."));
}

PARE_IN_CHILD bool pare_cell_has_processes(const pare_cell *cell)
{
    return (cell->join_flags & CLONE_NEWPID) != 0;
}

/* Mounts, devices, and the memory of others: what a program needs to get out. */
PARE_IN_CHILD bool pare_cell_drop_rights(const pare_cell *cell)
{
    static const long rights[] = {CAP_SYS_ADMIN, CAP_SYS_PTRACE, CAP_SYS_CHROOT, CAP_SYS_RESOURCE,
                                  CAP_NET_ADMIN};
    if (!(cell->join_flags & CLONE_NEWUSER)) return true;
    for (size_t i = 0; i < sizeof rights / sizeof *rights; i++)
        if (syscall(SYS_prctl, (long)PR_CAPBSET_DROP, rights[i], 0L, 0L, 0L)) return false;
    return true;
}
