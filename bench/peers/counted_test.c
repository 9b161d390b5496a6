/* A test that counts itself: the same for every reducer, whatever it calls a test like.
 *
 *     counted_test [CANDIDATE]        without it: the file PEERS_NAME of the current folder
 *
 * Runs PEERS_TEST on the candidate, in a folder of its own, with limits on time, processor
 * time, memory, file sizes and processes, and appends one line to PEERS_LOG:
 *
 *     START_NS END_NS BYTES DIGEST EXIT_CODE TOKENS
 *
 * of a clock that all processes share (CLOCK_MONOTONIC); one write, so that tests that run at
 * once do not mix their lines.  EXIT_CODE is 0 where the failure is still there, else 1; a test
 * out of time counts as 1.  TOKENS are those of C, whatever the candidate is.  After PEERS_MAX_TESTS lines nothing is run and nothing logged any
 * more: the answer is 1.  With PEERS_CRASH set, for reducers that look for crashes, 0 becomes
 * SIGABRT, and a fork server of AFL's protocol is offered.
 *
 * Exit codes: 0, 1; 3 when it cannot work, with a sentence. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { BLOCK = 1 << 16, TIMEOUT_S = 20, LINE_BYTES = 160, CONTROL_FD = 198, STATUS_FD = 199 };

static const rlim_t memory_bytes = (rlim_t)4 << 30, file_bytes = (rlim_t)1 << 28;

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "counted_test: %s: %s\n", what, strerror(errno));
    _exit(3);
}

static const char *need(const char *name)
{
    const char *value = getenv(name);
    if (value && *value) return value;
    errno = EINVAL;
    give_up(name);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A candidate, as it is noted. */
struct measures {
    uint64_t size, digest, n_tokens; /* bytes; FNV-1a; as of C */
};

static bool is_in_word(unsigned char c)
{
    return c == '_' || c == '$' || c >= 0x80 || (c >= '0' && c <= '9') ||
           ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Bytes of the operator at `at`: those of more than one byte are named. */
static size_t operator_size(const unsigned char *at, size_t left)
{
    static const char *const longer[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                         "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                         "*=",  "/=",  "%=",  "&=", "|=", "^=", "##", "::"};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        size_t size = strlen(longer[i]);
        if (size <= left && memcmp(at, longer[i], size) == 0) return size;
    }
    return 1;
}

/* Bytes of the token at `at`, which is not white space: a word or number, a string or
 * character on one line, or an operator. */
static size_t token_size(const unsigned char *at, size_t left)
{
    size_t n = 1;
    if (is_in_word(*at)) {
        bool number = *at >= '0' && *at <= '9';
        while (n < left && (is_in_word(at[n]) || (number && at[n] == '.')))
            n++;
        return n;
    }
    if (*at != '"' && *at != '\'') return operator_size(at, left);
    while (n < left && at[n] != '\n' && at[n] != *at)
        n += at[n] == '\\' && n + 1 < left ? 2 : 1;
    return n < left ? n + 1 : n;
}

static void measure(const char *path, struct measures *measures)
{
    struct stat file = {.st_size = 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *measures = (struct measures){.digest = 0xcbf29ce484222325u};
    if (fd < 0 || fstat(fd, &file) || file.st_size <= 0) {
        if (fd >= 0) (void)close(fd);
        return;
    }
    size_t size = (size_t)file.st_size;
    const unsigned char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    (void)close(fd);
    if (bytes == MAP_FAILED) give_up(path);
    measures->size = size;
    for (size_t i = 0; i < size; i++)
        measures->digest = (measures->digest ^ bytes[i]) * 0x100000001b3u;
    for (size_t i = 0; i < size;) {
        bool blank = bytes[i] == ' ' || (bytes[i] >= '\t' && bytes[i] <= '\r');
        i += blank ? 1 : token_size(bytes + i, size - i);
        measures->n_tokens += !blank;
    }
    (void)munmap((void *)bytes, size);
}

static void limit(int resource, rlim_t most)
{
    struct rlimit limits;
    if (getrlimit(resource, &limits)) return;
    if (limits.rlim_max != RLIM_INFINITY && limits.rlim_max < most) most = limits.rlim_max;
    limits.rlim_cur = limits.rlim_max = most;
    (void)setrlimit(resource, &limits);
}

/* Lines in the log; a little late where tests run at once. */
static uint64_t count_lines(const char *path)
{
    static char block[BLOCK];
    uint64_t n = 0;
    ssize_t size;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (size = read(fd, block, sizeof block)) > 0)
        for (ssize_t i = 0; i < size; i++)
            n += block[i] == '\n';
    if (fd >= 0) (void)close(fd);
    return n;
}

/* Starts the test in the current folder, as the leader of a group. */
static pid_t start(const char *test, char *candidate)
{
    char *words[] = {(char *)test, candidate, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t pid;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawnattr_init(&attributes);
    for (int fd = 0; fd <= 2; fd++)
        (void)posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int failed = posix_spawn(&pid, test, &actions, &attributes, words, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attributes);
    errno = failed;
    if (failed) give_up(test);
    return pid;
}

/* Waits for the test, ends what is left of its group; true when it exited with 0. */
static bool finish(pid_t pid)
{
    const char *timeout = getenv("PEERS_TIMEOUT");
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
    int status = 1, seconds = timeout ? atoi(timeout) : TIMEOUT_S;
    bool ended = end.fd < 0 || poll(&end, 1, seconds * 1000) > 0;
    if (pid <= 1) return false; /* 0 would be our own group */
    if (!ended) (void)kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    (void)kill(-pid, SIGKILL);
    if (end.fd >= 0) (void)close(end.fd);
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Removes what the test left in its folder, and the folder. */
static void sweep(const char *folder)
{
    char *words[] = {"rm", "-rf", "--", (char *)folder, NULL};
    pid_t pid;
    if (rmdir(folder) == 0) return;
    if (posix_spawnp(&pid, "rm", NULL, NULL, words, environ) == 0) (void)waitpid(pid, NULL, 0);
}

/* Runs the test on `candidate` in a new folder below TMPDIR. */
static bool run(const char *test, char *candidate)
{
    const char *parent = getenv("TMPDIR");
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%s/test.XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder)) give_up(folder);
    bool fails = finish(start(test, candidate));
    if (chdir("/") == 0) sweep(folder);
    return fails;
}

static void note(const char *log, const char *line, size_t size)
{
    int fd = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, line, size) != (ssize_t)size) give_up(log);
    (void)close(fd);
}

static bool test_once(const char *path)
{
    const char *test = need("PEERS_TEST"), *log = need("PEERS_LOG"),
               *most = getenv("PEERS_MAX_TESTS");
    char candidate[PATH_MAX], line[LINE_BYTES];
    struct measures measures;
    if (most && count_lines(log) >= strtoull(most, NULL, 10)) return false;
    if (!realpath(path, candidate)) give_up(path);
    measure(candidate, &measures);
    uint64_t began = now_ns();
    bool fails = run(test, candidate);
    int n = snprintf(line, sizeof line, "%llu %llu %llu %016llx %d %llu\n",
                     (unsigned long long)began, (unsigned long long)now_ns(),
                     (unsigned long long)measures.size, (unsigned long long)measures.digest,
                     fails ? 0 : 1, (unsigned long long)measures.n_tokens);
    note(log, line, (size_t)n);
    return fails;
}

/* What the caller is told: an exit code, or a crash. */
static int answer(bool fails)
{
    if (fails && getenv("PEERS_CRASH")) {
        (void)signal(SIGABRT, SIG_DFL);
        abort();
    }
    return fails ? 0 : 1;
}

/* AFL's fork server: four bytes ask for a run; its process and its end are told.  A reducer
 * that gives us no such pair of descriptors gets one run.
 * Source: AFL++, docs: "instrumentation/README.persistent_mode.md", the old protocol. */
static void serve_afl(void)
{
    uint32_t word = 0;
    if (write(STATUS_FD, &word, sizeof word) != sizeof word) return;
    while (read(CONTROL_FD, &word, sizeof word) == sizeof word) {
        pid_t pid = fork();
        if (pid < 0) _exit(3);
        if (pid == 0) {
            (void)close(CONTROL_FD);
            (void)close(STATUS_FD);
            return;
        }
        int status = 0;
        (void)!write(STATUS_FD, &pid, sizeof pid);
        if (waitpid(pid, &status, 0) < 0) _exit(3);
        (void)!write(STATUS_FD, &status, sizeof status);
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_AS, memory_bytes);
    limit(RLIMIT_FSIZE, file_bytes);
    limit(RLIMIT_CPU, 2 * TIMEOUT_S);
    if (getenv("PEERS_CRASH")) serve_afl();
    return answer(test_once(argc > 1 ? argv[argc - 1] : need("PEERS_NAME")));
}
