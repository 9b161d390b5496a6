/* A program that is stopped at its system calls, to be killed there or to have one fail.
 * Include after support/program.h. */
#ifndef PARE_TESTS_CLI_STOPS_H
#define PARE_TESTS_CLI_STOPS_H

#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

/* Starts `argv`, to be stopped at its system calls; -1: that is not allowed. */
static inline pid_t start_traced(const char *const *argv)
{
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) _exit(125);
        become(argv, "out", "err");
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFSTOPPED(status)) return -1;
    assert_int_equal(ptrace(PTRACE_SETOPTIONS, pid, NULL, (long)PTRACE_O_TRACESYSGOOD), 0);
    return pid;
}

/* Called at each stop of `pid`. */
typedef void (*at_stop)(void *context, pid_t pid);

/* Lets `pid` run through `most` entries to and exits from system calls; returns how many
 * there were before it ended, and how that was in *status. */
static inline size_t run_through_calls(pid_t pid, size_t most, int *status, at_stop stop,
                                       void *context)
{
    size_t n = 0;
    long signal = 0;
    while (n < most) {
        assert_int_equal(ptrace(PTRACE_SYSCALL, pid, NULL, signal), 0);
        assert_int_equal(waitpid(pid, status, 0), pid);
        if (!WIFSTOPPED(*status)) return n;
        bool is_call = WSTOPSIG(*status) == (SIGTRAP | 0x80);
        signal = is_call ? 0 : WSTOPSIG(*status);
        n += is_call;
        if (is_call && stop) stop(context, pid);
    }
    return n;
}

static inline size_t run_through(pid_t pid, size_t most, int *status)
{
    return run_through_calls(pid, most, status, NULL, NULL);
}

/* Whether the text at `address` of the stopped `pid` begins with `start`. */
static inline bool says_at(pid_t pid, uint64_t address, const char *start)
{
    char text[64];
    size_t size = strlen(start);
    assert_true(size <= sizeof text);
    struct iovec here = {.iov_base = text, .iov_len = size};
    struct iovec there = {.iov_base = (void *)(uintptr_t)address, .iov_len = size};
    return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size &&
           !memcmp(text, start, size);
}

/* Kills `pid`, which is stopped, or has ended, as *status says. */
static inline void kill_stopped(pid_t pid, int status)
{
    (void)kill(pid, SIGKILL);
    if (WIFSTOPPED(status)) assert_int_equal(waitpid(pid, &status, 0), pid);
}

/* Which system calls fail, and how. */
struct fault {
    bool (*is_meant)(pid_t pid, const struct __ptrace_syscall_info *call);
    size_t at;   /* the one of those meant that fails, from 0; SIZE_MAX: all */
    size_t n;    /* how many there were */
    int failure; /* errno */
    bool pending;
};

#ifdef __x86_64__
static inline bool can_fail_calls(void)
{
    return true;
}

/* For run_through_calls: the call becomes one that there is not, and its result is set. */
static inline void fail_call(void *context, pid_t pid)
{
    struct fault *fault = context;
    struct __ptrace_syscall_info call;
    assert_true(ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof call, &call) > 0);
    if (call.op == PTRACE_SYSCALL_INFO_ENTRY && fault->is_meant(pid, &call)) {
        fault->pending = fault->at == SIZE_MAX || fault->at == fault->n;
        fault->n++;
        if (fault->pending)
            assert_int_equal(
                ptrace(PTRACE_POKEUSER, pid, offsetof(struct user_regs_struct, orig_rax), -1L), 0);
    } else if (call.op == PTRACE_SYSCALL_INFO_EXIT && fault->pending) {
        fault->pending = false;
        assert_int_equal(ptrace(PTRACE_POKEUSER, pid, offsetof(struct user_regs_struct, rax),
                                -(long)fault->failure),
                         0);
    }
}
#else
static inline bool can_fail_calls(void)
{
    return false;
}

static inline void fail_call(void *context, pid_t pid)
{
    (void)context;
    (void)pid;
}
#endif

#endif
