/* A fork server inside any dynamically linked program.
 *
 * Preloaded (LD_PRELOAD), this replaces glibc's __libc_start_main and passes it our own main.  At
 * this point the program is loaded, relocated and initialised but has not started; we wait for
 * requests and fork: each child is the program at the start of its main, without the cost of
 * getting there.  Source: the idea is AFL's fork server (Zalewski and Horn, 2014), which is
 * compiled into the program; here nothing has to be.
 *
 * A child differs from a freshly executed program in one thing: what happened before main is not
 * repeated.  If that would matter, we refuse to serve (protocol.h), or the test ends its server and is
 * run as a process.  The child's process, session, standard files and environment are its own; timers
 * and pending signals are not inherited by fork; the canary and addresses are the same each time.
 *
 * The child of the next test is made while the current one runs; it reads the request itself, so
 * that there is no fork between request and main.
 *
 * When a child has ended, its group is killed while the child is a zombie, since the group's number
 * cannot have been reused yet.  Processes that left the group fall to pare, which is a subreaper.
 *
 * Invariant: the server itself writes only its messages, opens nothing, and starts no thread,
 * because each child would inherit all of that. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/shim/protocol.h"

enum { N_STANDARD = 3 };

typedef int main_function(int argc, char **argv, char **envp);
typedef int start_function(main_function *program, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

__attribute__((visibility("default"))) start_function __libc_start_main;

/* The program's own main: the C library gives ours no context. */
static main_function *real_main;

/* Takes out what pare has put in: the shim, the last word but those of the user, of
 * LD_PRELOAD, made "SHIM" or "SHIM:REST", perhaps after a sanitizer's runtime.  The program,
 * and what it starts, see the environment of the user. */
static void clean_environment(void)
{
    const char *bind = getenv(PARE_SHIM_BIND_VARIABLE);
    if (bind && !strcmp(bind, PARE_SHIM_BIND_VALUE)) (void)unsetenv(PARE_SHIM_BIND_VARIABLE);
    const char *list = getenv("LD_PRELOAD");
    const char *own = list ? strstr(list, PARE_SHIM_PRELOAD) : NULL;
    if (!own) return;
    const char *rest = own + strlen(PARE_SHIM_PRELOAD);
    if (*rest)
        (void)setenv("LD_PRELOAD", rest + 1, 1);
    else
        (void)unsetenv("LD_PRELOAD");
}

/* --- may we serve? ----------------------------------------------------------- */

/* Of the process, 1 if it cannot be told. */
static unsigned count_threads(void)
{
    struct stat info;
    /* A folder has a link for itself, one in its parent, and one for each folder in it. */
    return stat("/proc/self/task", &info) || info.st_nlink < 3 ? 1 : (unsigned)info.st_nlink - 2;
}

/* Whether a file is open besides the standard ones and the socket: its offset would be shared
 * by all tests.  True, too, where that cannot be found out. */
static bool has_open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    bool found = false;
    if (!folder) return true;
    for (struct dirent *entry; !found && (entry = readdir(folder));) {
        int fd = entry->d_name[0] == '.' ? -1 : (int)strtol(entry->d_name, NULL, 10);
        found = fd >= N_STANDARD && fd != PARE_SHIM_SOCKET_FD && fd != dirfd(folder);
    }
    (void)closedir(folder);
    return found;
}

/* Only where the descriptor is a regular file, which pare sees to for its server. */
static bool has_printed(int fd)
{
    struct stat info;
    return !fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_size > 0;
}

/* Whether a writable shared mapping is in /proc/self/maps: a word "rw-s" or "rwxs". */
static bool shares_memory(void)
{
    char text[4096];
    bool found = false;
    unsigned matched = 0; /* of the word */
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return true;
    for (ssize_t n; !found && (n = read(fd, text, sizeof text)) > 0;) {
        for (ssize_t i = 0; i < n && !found; i++) {
            static const char word[] = " rw?s ";
            bool fits = word[matched] == '?' || word[matched] == text[i];
            matched = fits ? matched + 1 : text[i] == ' ';
            found = matched == sizeof word - 1;
        }
    }
    (void)close(fd);
    return found;
}

/* Cheap checks first; the first reason is the one that is told. */
static uint32_t check(void)
{
    if (count_threads() > 1) return PARE_SHIM_THREADS;
    if (has_open_files()) return PARE_SHIM_FILES;
    if (has_printed(1) || has_printed(2)) return PARE_SHIM_OUTPUT;
    return shares_memory() ? PARE_SHIM_MEMORY : PARE_SHIM_READY;
}

/* --- the number of the process ------------------------------------------------ */

/* The server's, if it was asked for before main: a program that keeps it takes itself in a test for a child of
 * its own.  fish then leaves signals to others, and waits for ever. */
static pid_t number_before_main;
static bool is_serving;

/* A test that asks again may compare the two.  It ends its server and itself, and is run as a new process then:
 * at once, since what it went on to print would be taken for the new one's.  The children of a test are others than
 * the one that asked before main in any case. */
static pid_t told_number(long number)
{
    if (!is_serving) {
        number_before_main = (pid_t)number;
    } else if (number_before_main > 1 && getppid() == number_before_main) {
        (void)kill(number_before_main, SIGKILL);
        _exit(0);
    }
    return (pid_t)number;
}

__attribute__((visibility("default"))) pid_t getpid(void)
{
    return told_number(syscall(SYS_getpid));
}

__attribute__((visibility("default"))) pid_t gettid(void)
{
    return told_number(syscall(SYS_gettid));
}

/* --- serving ----------------------------------------------------------------- */

/* Receives a request and its descriptors (-1: not given); false at the end. */
static bool receive(int passed[N_STANDARD])
{
    pare_shim_request request = {0};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * N_STANDARD)];
    struct iovec part = {.iov_base = &request, .iov_len = sizeof request};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    ssize_t n;
    do {
        n = recvmsg(PARE_SHIM_SOCKET_FD, &message, MSG_CMSG_CLOEXEC);
    } while (n < 0 && errno == EINTR);
    if (n != (ssize_t)sizeof request) return false;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    int received[N_STANDARD] = {-1, -1, -1};
    size_t size = head ? head->cmsg_len - CMSG_LEN(0) : 0, next = 0;
    if (size > sizeof received) return false;
    if (size) memcpy(received, CMSG_DATA(head), size);
    for (unsigned k = 0; k < N_STANDARD; k++)
        passed[k] = request.given >> k & 1 ? received[next++] : -1;
    return true;
}

/* After they were copied, or of a test that is not to be. */
static void close_passed(const int passed[N_STANDARD])
{
    for (unsigned k = 0; k < N_STANDARD; k++)
        if (passed[k] >= 0) (void)close(passed[k]);
}

/* Memory that server and children share: how many children have begun their tests. */
typedef _Atomic uint32_t begun_count;

/* Waits until it is the turn of child `number`. */
static void await_turn(begun_count *begun, uint32_t number)
{
    for (uint32_t now; (now = atomic_load(begun)) < number;)
        (void)syscall(SYS_futex, begun, FUTEX_WAIT, now, NULL, NULL, 0);
}

/* Gives the turn to the child after `number`. */
static void pass_turn(begun_count *begun, uint32_t number)
{
    atomic_store(begun, number + 1);
    (void)syscall(SYS_futex, begun, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Makes the child what a freshly executed test would be, but for its standard files: leader of
 * a session of its own, killed when the server dies.  The server may have died before that was
 * asked for, which its number tells. */
static bool become(pid_t server)
{
    return setsid() >= 0 && !prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL) && getppid() == server;
}

/* Gives the child its standard files: those passed, else /dev/null, which the server's
 * standard input is. */
static bool take_files(const int passed[N_STANDARD])
{
    for (int fd = N_STANDARD - 1; fd >= 0; fd--)
        if (dup2(passed[fd] >= 0 ? passed[fd] : 0, fd) != fd) return false;
    close_passed(passed);
    (void)close(PARE_SHIM_SOCKET_FD);
    return true;
}

/* What the child does before main: it waits for its turn, then for its test, which it takes
 * from the socket itself.  Exits quietly when pare or the server is gone. */
static void begin(pid_t server, begun_count *begun, uint32_t number)
{
    int passed[N_STANDARD];
    if (!become(server)) _exit(0);
    await_turn(begun, number);
    if (!receive(passed)) _exit(0);
    pass_turn(begun, number);
    (void)munmap(begun, sizeof *begun);
    if (!take_files(passed)) _exit(127);
}

/* Makes child `number`; gives 0 in the child, when its test is there, and -1 when no process
 * can be made. */
static pid_t make_child(pid_t server, begun_count *begun, uint32_t number)
{
    pid_t pid = fork();
    if (pid == 0) begin(server, begun, number);
    return pid;
}

/* Waits for the child, and ends its group while the child is a zombie: until it is reaped, the
 * number of the group is its own for sure. */
static void await(pid_t pid, pare_shim_end *end)
{
    siginfo_t info;
    int status = 0;
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) && errno == EINTR)
        continue;
    if (pid > 1) (void)kill(-pid, SIGKILL); /* 0 would be our own group */
    while (wait4(pid, &status, 0, &end->usage) < 0 && errno == EINTR)
        continue;
    end->status = status;
}

/* No child can be made: takes the request and says so; false when pare is gone. */
static bool refuse_test(void)
{
    const pare_shim_end end = {.status = -1};
    int passed[N_STANDARD];
    if (!receive(passed)) return false;
    close_passed(passed);
    return send(PARE_SHIM_SOCKET_FD, &end, sizeof end, MSG_NOSIGNAL) >= 0;
}

/* Serves until pare is gone, or a child has ended that nothing was asked of: then nobody
 * may take it for a test's end.  Returns only in the children.
 *
 * The second child is made while the first one tests, so that a request never waits for a
 * fork.  They take turns: the oldest child is always the one that tests, or will. */
static void serve(begun_count *begun)
{
    const pid_t server = (pid_t)syscall(SYS_getpid);
    is_serving = true;
    pid_t first = -1, second = -1;
    for (uint32_t number = 0;; number++, first = second) {
        pare_shim_end end = {.status = -1};
        if (first < 0 && (first = make_child(server, begun, number)) == 0) return;
        if ((second = make_child(server, begun, number + 1)) == 0) return;
        if (first < 0) {
            if (!refuse_test()) break;
            pass_turn(begun, number);
            continue;
        }
        await(first, &end);
        if (atomic_load(begun) <= number) break;
        if (send(PARE_SHIM_SOCKET_FD, &end, sizeof end, MSG_NOSIGNAL) < 0) break;
    }
    _exit(0);
}

/* The main that the C library calls.  Without a socket of ours under the number, the program
 * runs as if we were not there: a child that has inherited LD_PRELOAD, say. */
static int serving_main(int argc, char **argv, char **envp)
{
    (void)envp;
    struct stat info;
    bool asked = !fstat(PARE_SHIM_SOCKET_FD, &info) && S_ISSOCK(info.st_mode);
    clean_environment();
    if (asked) {
        uint32_t word = check();
        begun_count *begun =
            mmap(NULL, sizeof *begun, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (begun == MAP_FAILED) _exit(0);
        if (send(PARE_SHIM_SOCKET_FD, &word, sizeof word, MSG_NOSIGNAL) < 0 || word) _exit(0);
        serve(begun);
    }
    extern char **environ;
    return real_main(argc, argv, environ);
}

/* The real one is the next in the order of loading. */
int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_function *start = NULL;
    /* ISO C does not convert an object's pointer to a function's. */
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&start, &found, sizeof start);
    real_main = program;
    return start(serving_main, argc, argv, init, fini, rtld_fini, stack_end);
}
