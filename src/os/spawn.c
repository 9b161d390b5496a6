/* The vfork-like spawn: clone(CLONE_VM | CLONE_VFORK), and what happens in the child until it
 * executes the program.
 *
 * Invariants while the child shares our memory: all our signals are blocked, so that no
 * handler runs in the child; the child makes system calls only, by number, so that no
 * sanitizer's interceptor keeps books on it; it writes nothing of ours but its own stack and
 * *exec_errno.
 *
 * In a cell with processes of its own a go-between enters the name spaces and makes the test,
 * for only children of a process enter another process name space.  It makes it as our child
 * (CLONE_PARENT), so that the test is ours to wait for; the go-between itself is reaped at
 * once.
 *
 * Valgrind turns such a clone into a copy that does not suspend us.  One trial at the start
 * notices it (a child that shares memory can tell us so); then *exec_errno, which is a shared
 * mapping, still arrives, and we wait until a close-on-exec pipe closes.
 *
 * Why limits are set here and not by a wrapper program: a wrapper would have to be executed
 * for each test, which costs as much as many a test.
 *
 * Sources: clone(2), vfork(2); posix_spawn of glibc and musl, which block signals in the same
 * way. */
#include "os/spawn.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/child.h"
#include "os/descriptor.h"
#include "os/machine.h"

enum {
    STACK_BYTES = 64 * 1024,
    SHARED_BYTES = 4096,
    SIGNAL_SET_BYTES = 8, /* of the kernel's sigset */
    LAST_SIGNAL = 63      /* 64 is valgrind's; nobody else handles it either */
};

/* The kernel's struct sigaction; all zero is the default action. */
struct kernel_action {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* What the child is to do, and where it reports to us. It lies on our stack, which the child
 * shares. */
struct order {
    const pare_spawn *spawn;
    uint64_t changed_signals; /* see pare_spawner */
    int *exec_errno;
    int null_fd;
    char *second_stack; /* its end */
    pid_t pid;          /* of the test, when it was made by a go-between */
    int pidfd;
};

/* A child that only leaves a note in our memory, if it is ours: in a copy of it the note is
 * not seen by us. */
PARE_IN_CHILD static int leave_note(void *context)
{
    *(volatile int *)context = 1;
    (void)syscall(SYS_exit_group, 0L);
    return 0;
}

/* Runs `function` in a child on `stack`; returns its pid, or -1 with errno.  All signals are
 * blocked until the child has executed or ended, so no handler of ours runs in it; CLONE_VFORK
 * lets us go on only then. */
static pid_t make_child(int (*function)(void *), void *context, char *stack, int flags, int *pidfd)
{
    const uint64_t all = ~(uint64_t)0;
    uint64_t before = 0;
    (void)syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, &before, (long)SIGNAL_SET_BYTES);
    pid_t pid =
        pare_child_clone(function, stack + STACK_BYTES,
                         CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD | flags, context, pidfd);
    int cause = errno;
    (void)syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &before, NULL, (long)SIGNAL_SET_BYTES);
    errno = cause;
    return pid;
}

/* The signals whose action is not the default one, a bit for each.  One whose action cannot be
 * read counts as changed: resetting it does no harm. */
static uint64_t list_changed_signals(void)
{
    uint64_t changed = 0;
    for (long sig = 1; sig <= LAST_SIGNAL; sig++) {
        struct kernel_action action = {0};
        if (sig == SIGKILL || sig == SIGSTOP) continue;
        if (syscall(SYS_rt_sigaction, sig, NULL, &action, (long)SIGNAL_SET_BYTES) ||
            action.handler != SIG_DFL)
            changed |= UINT64_C(1) << sig;
    }
    return changed;
}

/* Finds out whether the system runs children in our memory, as asked; an emulator may not.
 * Sets spawner->emulated. */
static pare_status try_out(pare_spawner *spawner, pare_error *err)
{
    int pidfd = -1;
    volatile int note = 0;
    pid_t pid = make_child(leave_note, (void *)(size_t)&note, spawner->stack, 0, &pidfd);
    if (pid < 0) return pare_fail_errno(err, errno, "cannot start a process");
    (void)pare_child_reap(pid);
    (void)close(pidfd);
    spawner->emulated = !note;
    return PARE_OK;
}

/* Mapped rather than allocated: stacks with a page boundary each, and a word that is shared
 * even with a copy of us. */
pare_status pare_spawner_init(pare_spawner *spawner, pare_error *err)
{
    pare_status status = PARE_OK;
    void *shared = MAP_FAILED, *stack = MAP_FAILED;
    int null_fd = pare_descriptor_raise(open("/dev/null", O_RDWR | O_CLOEXEC), PARE_SPAWN_LEAST_FD);
    if (null_fd < 0) return pare_fail_errno(err, errno, "cannot open /dev/null");
    stack = mmap(NULL, 2 * STACK_BYTES, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack != MAP_FAILED)
        shared =
            mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        status = pare_fail_errno(err, errno, "cannot map a stack for starting tests");
        goto out;
    }
    pare_spawner made = {.stack = stack,
                         .exec_errno = shared,
                         .null_fd = null_fd,
                         .changed_signals = list_changed_signals()};
    status = try_out(&made, err);
    if (status) goto out;
    *spawner = made;
    return PARE_OK;
out:
    if (stack != MAP_FAILED) (void)munmap(stack, 2 * STACK_BYTES);
    if (shared != MAP_FAILED) (void)munmap(shared, SHARED_BYTES);
    (void)close(null_fd);
    return status;
}

/* Touches no process that was started. */
void pare_spawner_done(pare_spawner *spawner)
{
    if (!spawner->stack) return;
    (void)munmap(spawner->stack, 2 * STACK_BYTES);
    (void)munmap(spawner->exec_errno, SHARED_BYTES);
    (void)close(spawner->null_fd);
    *spawner = (pare_spawner){0};
}

/* Only the signals in `changed`: one call for each signal that exists would cost as much as a page
 * of the program's start. */
PARE_IN_CHILD static void reset_signals(uint64_t changed)
{
    const struct kernel_action default_action = {0};
    const uint64_t none = 0;
    for (long sig = 1; sig <= LAST_SIGNAL; sig++)
        if (changed >> sig & 1)
            (void)syscall(SYS_rt_sigaction, sig, &default_action, NULL, (long)SIGNAL_SET_BYTES);
    (void)syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &none, NULL, (long)SIGNAL_SET_BYTES);
}

/* Sets a soft limit of `most`, and a hard one that is `grace` higher: so the program is sent
 * the signal that says which limit it was, before it is killed. */
PARE_IN_CHILD static bool limit(int resource, uint64_t most, uint64_t grace)
{
    const struct rlimit limit = {most, most + grace};
    return !syscall(SYS_prlimit64, 0L, (long)resource, &limit, NULL);
}

/* Sets the limits, the one against core dumps always.  True when they hold; else errno says why
 * not. */
PARE_IN_CHILD static bool set_limits(const pare_spawn_limits *limits)
{
    const long no_random_addresses = 0x0040000, ask = 0xffffffff; /* personality(2) */
    if (!limit(RLIMIT_CORE, 0, 0)) return false;
    if (!limits) return true;
    if (limits->memory_bytes && !limit(RLIMIT_DATA, limits->memory_bytes, 0)) return false;
    if (limits->cpu_s && !limit(RLIMIT_CPU, limits->cpu_s, 1)) return false;
    if (limits->processes && !limit(RLIMIT_NPROC, limits->processes, 0)) return false;
    if (limits->file_bytes && !limit(RLIMIT_FSIZE, limits->file_bytes, 0)) return false;
    if (!limits->fixed_addresses) return true;
    long now = syscall(SYS_personality, ask);
    return now >= 0 && syscall(SYS_personality, now | no_random_addresses) >= 0;
}

/* When memory is out, the kernel ends a test rather than us or what else runs.  (It knows
 * that a child of vfork means itself, not those whose memory it shares.) */
PARE_IN_CHILD static void offer_to_end(void)
{
    static const char most[] = "1000";
    long fd = syscall(SYS_openat, (long)AT_FDCWD, "/proc/self/oom_score_adj",
                      (long)(O_WRONLY | O_CLOEXEC), 0L);
    if (fd < 0) return;
    (void)syscall(SYS_write, fd, most, sizeof most - 1);
    (void)syscall(SYS_close, fd);
}

/* True when the working directory is set; else errno says why not.  In a cell it is found
 * by its path: our descriptor leads to the system outside. */
PARE_IN_CHILD static bool change_directory(const pare_spawn *spawn)
{
    if (spawn->cell) return !syscall(SYS_chdir, spawn->directory);
    if (spawn->directory_fd < 0) return !syscall(SYS_chdir, "/");
    return !syscall(SYS_fchdir, (long)spawn->directory_fd);
}

/* Makes the process what a test is to be: session, death with its parent, directory,
 * descriptors, limits.  True when it is set up; else errno says why not.  The descriptors are
 * marked close-on-exec first, then those that it gets are copied to their numbers, which takes
 * the mark off. */
PARE_IN_CHILD static bool set_up(const struct order *order)
{
    const pare_spawn *spawn = order->spawn;
    const long in = spawn->input_fd < 0 ? order->null_fd : spawn->input_fd;
    const long out = spawn->output_fd < 0 ? order->null_fd : spawn->output_fd;
    const long error = spawn->error_fd < 0   ? order->null_fd
                       : spawn->error_fd > 0 ? spawn->error_fd
                                             : out;
    if (syscall(SYS_setsid) < 0) return false;
    if (spawn->kind == PARE_SPAWN_TEST &&
        syscall(SYS_prctl, (long)PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L))
        return false;
    if (!change_directory(spawn) || !pare_child_close_rest()) return false;
    if (syscall(SYS_dup3, in, 0L, 0L) < 0 || syscall(SYS_dup3, out, 1L, 0L) < 0 ||
        syscall(SYS_dup3, error, 2L, 0L) < 0)
        return false;
    for (size_t k = 0; k < spawn->n_inherited; k++)
        if (syscall(SYS_dup3, (long)spawn->inherited[k].fd, (long)spawn->inherited[k].as, 0L) < 0)
            return false;
    if (spawn->kind == PARE_SPAWN_TEST) offer_to_end();
    if (spawn->cell && !pare_namespace_sandbox_drop_rights(spawn->cell)) return false;
    return set_limits(spawn->limits);
}

/* What the child runs until it becomes the program. A file of no known format is given to a shell,
 * as shells and execvp do. If nothing can be executed the shared word holds the errno. */
PARE_IN_CHILD static int become(void *context)
{
    const struct order *order = context;
    const pare_spawn *spawn = order->spawn;
    if (set_up(order)) {
        reset_signals(order->changed_signals);
        pare_child_pass_point(PARE_POINT_TEST);
        (void)syscall(SYS_execve, spawn->path, spawn->argv, spawn->envp);
        if (errno == ENOEXEC && spawn->shell_argv)
            (void)syscall(SYS_execve, "/bin/sh", spawn->shell_argv, spawn->envp);
    }
    __atomic_store_n(order->exec_errno, errno, __ATOMIC_SEQ_CST);
    (void)syscall(SYS_exit_group, 127L);
    return 127;
}

/* Enters the cell, and becomes the program.  Only children of a process enter another
 * process name space: then this is a go-between that makes the test, as a child of ours
 * and with its pidfd among our descriptors, which it shares.  It ends by exit_group in any case. */
PARE_IN_CHILD static int enter(void *context)
{
    struct order *order = context;
    const int flags = CLONE_VM | CLONE_VFORK | CLONE_PARENT | CLONE_PIDFD | SIGCHLD;
    if (!pare_namespace_sandbox_enter(order->spawn->cell)) {
        __atomic_store_n(order->exec_errno, errno, __ATOMIC_SEQ_CST);
    } else if (!pare_namespace_sandbox_has_processes(order->spawn->cell)) {
        return become(context);
    } else {
        pare_child_pass_point(PARE_POINT_GO_BETWEEN);
        order->pid = pare_child_clone(become, order->second_stack, flags, context, &order->pidfd);
        if (order->pid < 0) __atomic_store_n(order->exec_errno, errno, __ATOMIC_SEQ_CST);
    }
    (void)syscall(SYS_exit_group, 0L);
    return 0;
}

/* Waits until every copy of the write end that was in a child is closed: until it has
 * executed, or ended. */
static void await_close(int pipe_fds[2])
{
    char byte;
    (void)close(pipe_fds[1]);
    while (read(pipe_fds[0], &byte, 1) < 0 && errno == EINTR)
        continue;
    (void)close(pipe_fds[0]);
}

/* Starts the child that `order` asks for; its pid and pidfd are in *order.  Gives 0 or an
 * errno; *started tells that there is a child to be reaped.
 *
 * A go-between that somebody kills never tells the number of the test.  If it was killed
 * after it had made one, the kernel has noted the test's pidfd: the test, which runs on our
 * stack, is ended by that. */
static int make_test(const pare_spawner *spawner, struct order *order, bool *started)
{
    const pare_namespace_sandbox *cell = order->spawn->cell;
    const bool between = cell && pare_namespace_sandbox_has_processes(cell);
    int pidfd = -1;
    pid_t pid =
        make_child(cell ? enter : become, order, spawner->stack, between ? CLONE_FILES : 0, &pidfd);
    if (pid < 0) return errno;
    if (between) {
        (void)pare_child_reap(pid);
        (void)close(pidfd);
        if (!pare_child_is_number(order->pid)) (void)pare_child_end_by_fd(order->pidfd);
    } else {
        order->pid = pid;
        order->pidfd = pidfd;
    }
    *started = pare_child_is_number(order->pid);
    return __atomic_load_n(spawner->exec_errno, __ATOMIC_SEQ_CST);
}

/* Whatever fails, no child is left: one that was made and could not execute has exited with
 * 127 and is reaped here. */
pare_status pare_spawner_start(pare_spawner *spawner, const pare_spawn *spawn, pare_child *child,
                               pare_error *err)
{
    struct order order = {.spawn = spawn,
                          .changed_signals = spawner->changed_signals,
                          .exec_errno = spawner->exec_errno,
                          .null_fd = spawner->null_fd,
                          .second_stack = (char *)spawner->stack + (size_t)2 * STACK_BYTES,
                          .pidfd = -1};
    int pipe_fds[2];
    bool started = false;
    assert(spawner->stack && spawn->path && spawn->argv);
    if (spawner->emulated && pipe2(pipe_fds, O_CLOEXEC))
        return pare_fail_errno(err, errno, "cannot make a pipe");
    *spawner->exec_errno = 0;
    int failed = make_test(spawner, &order, &started);
    if (spawner->emulated) {
        await_close(pipe_fds);
        if (started) failed = __atomic_load_n(spawner->exec_errno, __ATOMIC_SEQ_CST);
    }
    if (failed && started) {
        (void)pare_child_reap(order.pid);
        (void)close(order.pidfd);
        return pare_fail_errno(err, failed, "cannot run '%s'", spawn->path);
    }
    const bool has_cell = spawn->cell && pare_namespace_sandbox_has_processes(spawn->cell);
    const bool was_killed = !started && (!failed || (has_cell && failed == ESRCH));
    if (failed && !was_killed) return pare_fail_errno(err, failed, "cannot start a process");
    if (was_killed)
        return pare_fail(err, PARE_E_STATE,
                         "cannot run '%s': the process that was to start it was killed",
                         spawn->path);
    assert(pare_child_is_number(order.pid) && order.pidfd >= 0);
    *child = (pare_child){.pid = order.pid, .pidfd = order.pidfd};
    return PARE_OK;
}

/* ---- environments -------------------------------------------------------------------- */

/* Whether the entry sets the variable that `variable` ("NAME=VALUE") does. */
static bool sets_same(const char *entry, const char *variable)
{
    size_t size = strcspn(variable, "=") + 1;
    return !strncmp(entry, variable, size);
}

/* Variables come last: a program that looks a name up finds the only entry of it wherever that
 * stands. */
const char **pare_spawn_environment(char *const *envp, const char *const *variables)
{
    size_t n = 0, n_more = 0, used = 0;
    while (envp[n])
        n++;
    while (variables && variables[n_more])
        n_more++;
    const char **made = pare_alloc(n + n_more + 1, sizeof *made);
    if (!made) return NULL;
    for (size_t k = 0; k < n; k++) {
        bool replaced = false;
        for (size_t m = 0; m < n_more; m++)
            replaced = replaced || sets_same(envp[k], variables[m]);
        if (!replaced) made[used++] = envp[k];
    }
    for (size_t m = 0; m < n_more; m++)
        made[used++] = variables[m];
    made[used] = NULL;
    return made;
}

/* ---- limits -------------------------------------------------------------------------- */

static const uint64_t GIB = (uint64_t)1 << 30;

/* Cuts a limit to the hard limit that we are under: a child without rights cannot raise it. */
static void clamp(uint64_t *limit, int resource)
{
    struct rlimit own;
    if (*limit && !getrlimit((__rlimit_resource_t)resource, &own) &&
        own.rlim_max != RLIM_INFINITY && *limit > own.rlim_max)
        *limit = own.rlim_max;
}

/* Only limits that were asked for: 0 means no limit. */
void pare_spawn_limits_clamp(pare_spawn_limits *limits)
{
    clamp(&limits->memory_bytes, RLIMIT_DATA);
    clamp(&limits->cpu_s, RLIMIT_CPU);
    struct rlimit cpu; /* the last second is for SIGKILL */
    if (!getrlimit(RLIMIT_CPU, &cpu) && limits->cpu_s > 1 && limits->cpu_s == cpu.rlim_max)
        limits->cpu_s--;
    clamp(&limits->processes, RLIMIT_NPROC);
    clamp(&limits->file_bytes, RLIMIT_FSIZE);
}

/* The setting is put back at once; it would only affect programs that are executed meanwhile. */
bool pare_spawn_can_fix_addresses(void)
{
    const int now = personality(0xffffffff);
    if (now < 0 || personality((unsigned long)now | ADDR_NO_RANDOMIZE) < 0) return false;
    (void)personality((unsigned long)now);
    return true;
}

/* A program that writes without end would fill memory or disk. */
uint64_t pare_spawn_limits_file_bytes(void)
{
    uint64_t quarter = pare_machine_memory_bytes() / 4;
    return quarter > GIB ? quarter : GIB;
}
