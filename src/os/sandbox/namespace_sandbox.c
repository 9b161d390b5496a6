/* Making, joining and ending name spaces for tests.
 *
 * Processes are set up, each for what only it may do; one of them mounts what a test will see
 * (os/sandbox/namespace_view.h).
 *
 * Who does what, all in our memory and with our descriptors (CLONE_VM, CLONE_FILES), none
 * with a copy of anything:
 *
 *   we            are suspended (CLONE_VFORK) until the clerk has ended
 *   the clerk     makes the builder, writes its maps of user and group numbers, which only
 *                 a process outside may do, lets it go on, and waits for its end
 *   the builder   is in the new name spaces; makes the mounts, then the keeper
 *   the keeper    is process 1 there; executes a program that waits for the end of its
 *                 standard input, of which only we hold the other end
 *
 * Two of them never run at once, but for the clerk's last system call: one waits for the
 * other, so the one errno suffices.  Builder and keeper are made as our children
 * (CLONE_PARENT).  For DEVICES there is a builder only.
 *
 * What a test must not keep from us, or cannot be taken away by name spaces, each test gives up
 * itself before it executes: rights over the cell, the session keyring, and what Landlock refuses.
 *
 * Why name spaces of our own making rather than bubblewrap or a container: they are made
 * once for each slot and joined at 20 us a test, which a tool that is executed for each
 * test cannot match.  Sources: clone(2), namespaces(7), user_namespaces(7), keyctl(2). */
#include "os/sandbox/namespace_sandbox.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/child.h"
#include "os/descriptor.h"
#include "os/sandbox/landlock.h"
#include "os/sandbox/namespace_view.h"

enum {
    STACK_BYTES = 64 * 1024,
    N_STACKS = 3,
    MAP_BYTES = 4096, /* the kernel takes no longer map of users */
    SIGNAL_SET_BYTES = 8,
    KEYRING_TRIES = 50
};

/* ---- processes ----------------------------------------------------------------------- */

/* The kernel's struct sigaction. */
struct kernel_action {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* What the four processes that make a cell share. */
struct site {
    pare_namespace_view view;
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
    int rules_fd;              /* Landlock's; -1: it has none */
    int space_fd, root_fd;     /* DEVICES: of the mount name space, and our "/" in it */
    int mounts_fd;             /* DEVICES: the list of its mounts, which outlives the builder */
    pare_namespace_traces traces;
    bool is_bounded;
    bool was_killed; /* one of the four but us */
    int exec_errno;  /* of the keeper */
};

/* --- in the children ---------------------------------------------------------- */

/* Stacks grow downwards, so a child gets the end of its stack. */
PARE_IN_CHILD static char *stack_end(const struct site *site, size_t k)
{
    return site->stacks + (k + 1) * STACK_BYTES;
}

/* Keeps the first failure, with its cause. */
PARE_IN_CHILD static void note(struct site *site, const char *what)
{
    if (site->view.failed) return;
    site->view.failed = what;
    site->view.cause = errno;
}

/* For children of clone: nothing of the C library's exit runs. */
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
    site->is_bounded = pare_namespace_view_number_processes(site->view.options->most_processes);
    (void)syscall(SYS_setsid);
    (void)syscall(SYS_prctl, (long)PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L);
    (void)syscall(SYS_rt_sigaction, (long)SIGCHLD, &ignore, NULL, (long)SIGNAL_SET_BYTES);
    pare_child_pass_point(PARE_POINT_KEEPER);
    if (pare_child_close_rest() && syscall(SYS_dup3, (long)site->word_fd, 0L, 0L) >= 0 &&
        syscall(SYS_dup3, (long)site->null_fd, 1L, 0L) >= 0 &&
        syscall(SYS_dup3, (long)site->null_fd, 2L, 0L) >= 0 && !syscall(SYS_chdir, "/"))
        (void)syscall(SYS_execve, "/bin/sh", words, environment);
    site->exec_errno = errno;
    return leave();
}

/* The builder's last act: the child is in the new process name space, as process 1. */
PARE_IN_CHILD static void make_keeper(struct site *site)
{
    const int flags = CLONE_VM | CLONE_VFORK | CLONE_PARENT | CLONE_PIDFD | CLONE_NEWPID | SIGCHLD;
    site->keeper = pare_child_clone(keep, stack_end(site, 2), flags, site, &site->keeper_fd);
    if (site->keeper < 0) note(site, "processes of its own");
    errno = site->exec_errno;
    if (errno) note(site, "/bin/sh");
}

/* The builder: waits until it is mapped ("y" in the gate), since without a map it has no
 * rights in its name spaces. */
PARE_IN_CHILD static int build(void *context)
{
    struct site *site = context;
    char word = 0;
    pare_child_pass_point(PARE_POINT_BUILDER);
    if (syscall(SYS_read, (long)site->gate[0], &word, 1L) != 1 || word != 'y') return leave();
    if (!pare_namespace_view_build(&site->view)) return leave();
    if (site->view.options->kind == PARE_NAMESPACE_SANDBOX_FULL) {
        pare_namespace_traces_open(&site->traces, site->view.scratch_fd, site->view.n_parts,
                                   site->spaces & CLONE_NEWNET);
        site->view.scratch_fd = -1;
        make_keeper(site); /* who has mounted /proc, which rules are about too */
        if (!pare_landlock_open(site->view.options, &site->rules_fd)) note(site, "Landlock");
    } else {
        site->space_fd = (int)syscall(SYS_openat, (long)AT_FDCWD, "/proc/self/ns/mnt",
                                      (long)(O_RDONLY | O_CLOEXEC), 0L);
        if (site->space_fd < 0) note(site, "/proc/self/ns/mnt");
        site->root_fd = (int)syscall(SYS_openat, (long)AT_FDCWD, "/",
                                     (long)(O_PATH | O_DIRECTORY | O_CLOEXEC), 0L);
        if (site->root_fd < 0) note(site, "/");
        site->mounts_fd = (int)syscall(SYS_openat, (long)AT_FDCWD, "/proc/self/mountinfo",
                                       (long)(O_RDONLY | O_CLOEXEC), 0L);
        if (site->mounts_fd < 0) note(site, "/proc/self/mountinfo");
    }
    return leave();
}

/* Writes `text` to /proc/PID/NAME, put together by hand: stdio is not for this child. */
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

/* The clerk: stays outside of the name spaces and maps the builder. */
PARE_IN_CHILD static int clerk(void *context)
{
    struct site *site = context;
    const int flags = CLONE_VM | CLONE_FILES | CLONE_PARENT | CLONE_PIDFD | SIGCHLD;
    pare_child_pass_point(PARE_POINT_CLERK);
    pid_t builder =
        pare_child_clone(build, stack_end(site, 1), flags | site->spaces, site, &site->builder_fd);
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

/* Writes a map of users or groups that keeps every number: for root all numbers that exist here,
 * for a user its own. A map that is too long is cut. */
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
    bool wants_keeper =
        site->view.options->kind == PARE_NAMESPACE_SANDBOX_FULL && !site->view.failed;
    site->was_killed = !well || (wants_keeper && !pare_child_is_number(site->keeper));
}

/* Runs the clerk; gives 0 or an errno. */
static int run_clerk(struct site *site)
{
    const uint64_t all = ~(uint64_t)0;
    uint64_t before = 0;
    (void)syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, &before, (long)SIGNAL_SET_BYTES);
    pid_t pid = pare_child_clone(clerk, stack_end(site, 0),
                                 CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, site, NULL);
    int cause = errno;
    (void)syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &before, NULL, (long)SIGNAL_SET_BYTES);
    if (pid < 0) return cause;
    end_builders(site, pid);
    return 0;
}

/* Makes everything that the children need, before they are made: they only make system calls.
 * False with errno; what was made is closed by the caller. */
static bool prepare(struct site *site, const pare_namespace_sandbox_options *options, int word[2])
{
    site->is_root = geteuid() == 0;
    if (!pare_namespace_view_prepare(&site->view, options)) {
        errno = ENOMEM;
        return false;
    }
    if (options->kind == PARE_NAMESPACE_SANDBOX_DEVICES)
        site->spaces = CLONE_NEWNS;
    else
        site->spaces =
            CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | (options->network ? 0 : CLONE_NEWNET);
    write_map(site->user_map, "/proc/self/uid_map", site->is_root, (unsigned)geteuid());
    write_map(site->group_map, "/proc/self/gid_map", site->is_root, (unsigned)getegid());
    site->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    site->stacks = mmap(NULL, (size_t)N_STACKS * STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (site->stacks == MAP_FAILED || site->null_fd < 0) return false;
    if (pipe2(site->gate, O_CLOEXEC) || pipe2(word, O_CLOEXEC)) return false;
    site->word_fd = word[0];
    return true;
}

/* Fills *cell with what a finished site has; *word_fd moves into it.  False with errno: the
 * site keeps everything. */
static bool take_over(struct site *site, int *word_fd, pare_namespace_sandbox *cell)
{
    char path[64];
    if (site->view.options->kind == PARE_NAMESPACE_SANDBOX_DEVICES) {
        *cell = (pare_namespace_sandbox){.join_fd = site->space_fd,
                                         .join_flags = CLONE_NEWNS,
                                         .root_fd = site->root_fd,
                                         .keeper_fd = -1,
                                         .children_fd = -1,
                                         .mounts_fd = site->mounts_fd,
                                         .rules_fd = -1,
                                         .traces = site->traces};
        return true;
    }
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)site->keeper,
                   (int)site->keeper);
    int children_fd = open(path, O_RDONLY | O_CLOEXEC);
    if (children_fd < 0) return false;
    if (!pare_namespace_traces_note(&site->traces)) {
        int cause = errno;
        (void)close(children_fd);
        errno = cause;
        return false;
    }
    *cell = (pare_namespace_sandbox){.join_fd = site->keeper_fd,
                                     .join_flags = site->spaces | CLONE_NEWPID,
                                     .root_fd = -1,
                                     .keeper = site->keeper,
                                     .keeper_fd = *word_fd,
                                     .children_fd = children_fd,
                                     .mounts_fd = -1,
                                     .rules_fd = site->rules_fd,
                                     .is_bounded = site->is_bounded,
                                     .traces = site->traces};
    *word_fd = -1;
    return true;
}

/* Ends what was made of a cell that failed: the keeper by its number, or, if nobody has told
 * us that, by its pidfd. */
static void give_up(struct site *site)
{
    if (pare_child_kill(site->keeper))
        (void)pare_child_reap(site->keeper);
    else if (pare_child_end_by_fd(site->keeper_fd))
        site->keeper_fd = -1;
    pare_descriptor_close(&site->keeper_fd);
    pare_descriptor_close(&site->space_fd);
    pare_descriptor_close(&site->root_fd);
    pare_descriptor_close(&site->view.scratch_fd);
    pare_namespace_traces_close(&site->traces);
    pare_descriptor_close(&site->rules_fd);
    pare_descriptor_close(&site->mounts_fd);
}

/* The error of a system that does not allow this: UNSUPPORTED, so that another level may be
 * tried.  The sentence names the part of the cell that could not be made. */
static pare_status refuse(const struct site *site, pare_error *err)
{
    (void)pare_fail_errno(err, site->view.cause, "the system refuses %s", site->view.failed);
    if (err) err->status = PARE_E_UNSUPPORTED;
    return PARE_E_UNSUPPORTED;
}

/* Whatever fails, everything that was made on the way is closed again; *cell is set at the
 * very end. */
pare_status pare_namespace_sandbox_open(const pare_namespace_sandbox_options *options,
                                        pare_namespace_sandbox *cell, pare_error *err)
{
    assert(options->kind == PARE_NAMESPACE_SANDBOX_DEVICES ||
           (options->directory && options->n_writable <= PARE_NAMESPACE_SANDBOX_PATHS &&
            options->n_visible <= PARE_NAMESPACE_SANDBOX_PATHS));
    struct site site = {.view = {.options = options, .scratch_fd = -1},
                        .rules_fd = -1,
                        .mounts_fd = -1,
                        .stacks = MAP_FAILED,
                        .gate = {-1, -1},
                        .null_fd = -1,
                        .builder_fd = -1,
                        .keeper_fd = -1,
                        .space_fd = -1,
                        .root_fd = -1};
    pare_namespace_traces_init(&site.traces);
    int word[2] = {-1, -1};
    pare_status status = PARE_OK;
    int failed = prepare(&site, options, word) ? run_clerk(&site) : errno;
    if (failed)
        status = pare_fail_errno(err, failed, "cannot make name spaces");
    else if (
        site.was_killed) /* whatever failed then may have failed for that: a map of a process that is no more */
        status = pare_fail(err, PARE_E_STATE, "a process that makes name spaces was killed");
    else if (site.view.failed)
        status = refuse(&site, err);
    else if (!take_over(&site, &word[1], cell))
        status = errno == ENOENT /* the keeper is no more */
                     ? pare_fail(err, PARE_E_STATE, "a process that keeps name spaces was killed")
                     : pare_fail_errno(err, errno, "cannot watch name spaces");
    if (status) give_up(&site);
    pare_namespace_view_done(&site.view);
    pare_descriptor_close(&site.builder_fd);
    pare_descriptor_close(&site.gate[0]);
    pare_descriptor_close(&site.gate[1]);
    pare_descriptor_close(&word[0]);
    pare_descriptor_close(&word[1]);
    pare_descriptor_close(&site.null_fd);
    if (site.stacks != MAP_FAILED) (void)munmap(site.stacks, (size_t)N_STACKS * STACK_BYTES);
    return status;
}

/* --- use ---------------------------------------------------------------------- */

/* The kernel kills and awaits all processes of the cell when process 1 dies, before that can
 * be reaped. */
void pare_namespace_sandbox_close(pare_namespace_sandbox *cell)
{
    if (!cell->join_flags) return;
    if (cell->keeper) {
        (void)pare_child_kill(cell->keeper); /* not reaped: the number is its */
        (void)pare_child_reap(cell->keeper);
    }
    pare_descriptor_close(&cell->keeper_fd);
    pare_descriptor_close(&cell->children_fd);
    pare_namespace_traces_close(&cell->traces);
    pare_descriptor_close(&cell->rules_fd);
    pare_descriptor_close(&cell->mounts_fd);
    pare_descriptor_close(&cell->join_fd);
    pare_descriptor_close(&cell->root_fd);
    *cell = (pare_namespace_sandbox){0};
}

/* Processes that a test left are children of the keeper by now. */
bool pare_namespace_sandbox_is_clean(const pare_namespace_sandbox *cell)
{
    char one;
    if (!cell->keeper) { /* the kernel tells of each change once (proc(5)) */
        struct pollfd mounts = {.fd = cell->mounts_fd, .events = POLLPRI};
        return poll(&mounts, 1, 0) <= 0 || !(mounts.revents & POLLPRI);
    }
    return pread(cell->children_fd, &one, 1, 0) == 0 && pare_namespace_traces_none(&cell->traces);
}

/* The kernel marks a process that is ending before it kills the others of its name space, and its
 * pidfd tells only when these have been reaped: so the mark is looked at (flags in proc(5)). */
bool pare_namespace_sandbox_has_ended(const pare_namespace_sandbox *cell)
{
    const unsigned exiting = 0x4; /* PF_EXITING of the kernel */
    char path[64], text[512] = "", state = 'Z';
    unsigned flags = exiting;
    if (!cell->keeper) return false;
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)cell->keeper);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT || errno == ESRCH;
    ssize_t n = read(fd, text, sizeof text - 1);
    (void)close(fd);
    const char *after_name = n > 0 ? strrchr(text, ')') : NULL;
    return !after_name || sscanf(after_name, ") %c %*d %*d %*d %*d %*d %u", &state, &flags) != 2 ||
           state == 'Z' || (flags & exiting);
}

/* A process that joins a mount name space finds itself at the root of that name space, which is not
 * ours if we were started by chroot. */
PARE_IN_CHILD bool pare_namespace_sandbox_enter(const pare_namespace_sandbox *cell)
{
    if (syscall(SYS_setns, (long)cell->join_fd, (long)cell->join_flags)) return false;
    return cell->root_fd < 0 ||
           (!syscall(SYS_fchdir, (long)cell->root_fd) && !syscall(SYS_chroot, "."));
}

/* With process numbers of its own, only children of a process that has entered are in the cell. */
PARE_IN_CHILD bool pare_namespace_sandbox_has_processes(const pare_namespace_sandbox *cell)
{
    return (cell->join_flags & CLONE_NEWPID) != 0;
}

/* Leaves the session keyring, in which the user's keys are, for an empty one.  The number of a
 * user's keyrings is limited, and those of tests that have ended count until the kernel's next grace
 * period, so that is waited for.  A kernel, or a container, that refuses us keyrings refuses them to
 * the test. */
PARE_IN_CHILD static bool leave_keyring(void)
{
    const long join_session = 1, await_grace_period = 1; /* keyctl(2), membarrier(2) */
    for (int tries = 0; tries < KEYRING_TRIES; tries++) {
        if (syscall(SYS_keyctl, join_session, NULL) >= 0) return true;
        if (errno != EDQUOT) return errno == ENOSYS || errno == EPERM || errno == EACCES;
        (void)syscall(SYS_membarrier, await_grace_period, 0L, 0L);
    }
    return false;
}

/* Takes away what a program needs to get out: mounts, devices, the memory of others; the user's
 * keys; services with a path.  From the bounding set, so that no file with capabilities gives them
 * back, and no program gains rights by being executed. */
PARE_IN_CHILD bool pare_namespace_sandbox_drop_rights(const pare_namespace_sandbox *cell)
{
    static const long rights[] = {CAP_SYS_ADMIN, CAP_SYS_PTRACE, CAP_SYS_CHROOT, CAP_SYS_RESOURCE,
                                  CAP_NET_ADMIN};
    if (!(cell->join_flags & CLONE_NEWUSER)) return true;
    for (size_t i = 0; i < sizeof rights / sizeof *rights; i++)
        if (syscall(SYS_prctl, (long)PR_CAPBSET_DROP, rights[i], 0L, 0L, 0L)) return false;
    if (syscall(SYS_prctl, (long)PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) || !leave_keyring())
        return false;
    return cell->rules_fd < 0 || pare_landlock_restrict(cell->rules_fd);
}
