/* Running the program pare from a test in C: a place to work in, runs with a bound, what
 * a run leaves behind.  Include after <cmocka.h>. */
#ifndef PARE_TESTS_CLI_PROGRAM_H
#define PARE_TESTS_CLI_PROGRAM_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/digest.h"
#include "os/clock.h"
#include "os/file.h"

enum { RUN_LIMIT_MS = 120000, DEATH_LIMIT_MS = 20000, MAX_WORDS = 32, MAX_COMMAND = 4096 };

static char workplace[256];          /* absolute; also the current directory */
static struct timespec workplace_at; /* when it was made */

/* Group set-up for cmocka: a directory in memory where there is one. */
static inline int workplace_setup(void **state)
{
    (void)state;
    const char *place = access("/dev/shm", W_OK | X_OK) ? "/tmp" : "/dev/shm";
    (void)snprintf(workplace, sizeof workplace, "%s/test-cli-XXXXXX", place);
    struct stat made;
    if (!mkdtemp(workplace) || stat(workplace, &made)) return -1;
    workplace_at = made.st_ctim;
    return chdir(workplace) ? -1 : 0;
}

static inline int workplace_teardown(void **state)
{
    (void)state;
    return chdir("/") || pare_file_remove_tree(workplace, NULL) ? -1 : 0;
}

static inline void write_text(const char *name, const char *text)
{
    assert_int_equal(pare_file_write_bytes(name, text, strlen(text), NULL), PARE_OK);
}

/* The text of a file, to be freed; NULL when there is none. */
static inline char *read_text(const char *name)
{
    pare_buffer buffer = {0};
    if (pare_file_read(name, &buffer, NULL)) return NULL;
    char *text = calloc(buffer.size + 1, 1);
    assert_non_null(text);
    if (buffer.size) memcpy(text, buffer.data, buffer.size);
    pare_buffer_done(&buffer);
    return text;
}

/* Appends `word` to the command line `command` in the quotes of a shell. */
static inline void add_quoted(char command[MAX_COMMAND], const char *word)
{
    size_t n = strlen(command);
    if (n) command[n++] = ' ';
    command[n++] = '\'';
    for (; *word; word++) {
        assert_true(n + 8 < MAX_COMMAND);
        if (*word == '\'')
            n += (size_t)sprintf(command + n, "'\\''");
        else
            command[n++] = *word;
    }
    command[n++] = '\'';
    command[n] = '\0';
}

/* The path of a program under tests/helpers; static. */
static inline const char *helper_path(const char *name)
{
    static char path[MAX_COMMAND];
    const char *folder = getenv("PARE_HELPERS");
    assert_non_null(folder);
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* The program, which every command starts with. */
static inline const char *program_path(void)
{
    const char *path = getenv("PARE");
    assert_non_null(path);
    return path;
}

static inline int open_new(const char *name)
{
    return open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

/* In a child: becomes `argv` with its output in the files `out` and `err`. */
static inline _Noreturn void become(const char *const *argv, const char *out, const char *err)
{
    int out_fd = open_new(out), err_fd = open_new(err), in_fd = open("/dev/null", O_RDONLY);
    if (dup2(in_fd, 0) < 0 || dup2(out_fd, 1) < 0 || dup2(err_fd, 2) < 0) _exit(126);
    (void)execvp(argv[0], (char *const *)(const void *)argv);
    _exit(127);
}

/* Starts `argv` (NULL-terminated) with its output in the files `out` and `err`. */
static inline pid_t start_words(const char *const *argv, const char *out, const char *err)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid) become(argv, out, err);
    return pid;
}

/* True when the process `pid` is gone, or a zombie, within `limit_ms`. */
static inline bool await_end(pid_t pid, int limit_ms)
{
    int pidfd = (int)syscall(SYS_pidfd_open, (long)pid, 0L);
    if (pidfd < 0) return errno == ESRCH;
    struct pollfd end = {.fd = pidfd, .events = POLLIN};
    int n;
    do {
        n = poll(&end, 1, limit_ms);
    } while (n < 0 && errno == EINTR);
    (void)close(pidfd);
    return n == 1;
}

/* Waits for our child, which must end in time: its exit code, or 128 and its signal. */
static inline int wait_for_end(pid_t pid)
{
    int status = 0;
    bool ended = await_end(pid, RUN_LIMIT_MS);
    if (!ended) (void)kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(ended);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline pare_digest digest_of(const char *text)
{
    size_t size = strlen(text);
    return pare_digest_of(pare_digest_extend((pare_hash){{0, 0}}, text, size), size);
}

/* --- what a run may leave behind ------------------------------------------------ */

/* True when the file `path` has an entry (ended by NUL) that starts with `start`. */
static inline bool has_entry(const char *path, const char *start)
{
    static char text[1 << 17];
    size_t size = strlen(start), used = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    for (ssize_t n; (n = read(fd, text + used, sizeof text - 1 - used)) > 0;)
        used += (size_t)n;
    (void)close(fd);
    text[used] = '\0';
    for (size_t at = 0; at < used; at += strlen(text + at) + 1)
        if (!strncmp(text + at, start, size)) return true;
    return false;
}

/* True when `pid` is a test, or the guard, of a run of the program `runner`. */
static inline bool is_of_run(long pid, pid_t runner)
{
    char path[64], start[64];
    (void)snprintf(path, sizeof path, "/proc/%ld/environ", pid);
    (void)snprintf(start, sizeof start, "PARE_TEST=%ld-", (long)runner);
    if (has_entry(path, start)) return true;
    (void)snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
    if (!has_entry(path, "pare-guard")) return false;
    (void)snprintf(start, sizeof start, "%ld-", (long)runner);
    return has_entry(path, start);
}

/* The first process that belongs to a run of `runner`; 0: none. */
static inline pid_t find_left_over(pid_t runner)
{
    pid_t found = 0;
    DIR *processes = opendir("/proc");
    assert_non_null(processes);
    for (const struct dirent *entry; !found && (entry = readdir(processes));) {
        long pid = strtol(entry->d_name, NULL, 10);
        if (pid > 0 && pid != getpid() && is_of_run(pid, runner)) found = (pid_t)pid;
    }
    (void)closedir(processes);
    return found;
}

/* Waits until no process of `runner`'s run is left; false when some will not go. */
static inline bool await_nobody(pid_t runner)
{
    uint64_t end_ms = pare_clock_ms() + DEATH_LIMIT_MS;
    for (pid_t pid; (pid = find_left_over(runner)) != 0;) {
        uint64_t now_ms = pare_clock_ms();
        if (now_ms >= end_ms || !await_end(pid, (int)(end_ms - now_ms))) return false;
    }
    return true;
}

/* Whether a file is no older than the workplace.  Process numbers come again, and whoever kills
 * a run and its guard leaves a directory behind for good. */
static inline bool is_of_now(const char *place, const char *name)
{
    char path[4096];
    struct stat info;
    (void)snprintf(path, sizeof path, "%s/%s", place, name);
    if (stat(path, &info)) return false;
    if (info.st_ctim.tv_sec != workplace_at.tv_sec)
        return info.st_ctim.tv_sec > workplace_at.tv_sec;
    return info.st_ctim.tv_nsec >= workplace_at.tv_nsec;
}

/* True when a directory of `runner`'s run lies in `place`. */
static inline bool has_run_directory(const char *place, pid_t runner)
{
    char start[64];
    bool found = false;
    DIR *entries = opendir(place);
    if (!entries) return false;
    (void)snprintf(start, sizeof start, "pare-%ld-", (long)runner);
    for (const struct dirent *entry; (entry = readdir(entries));)
        found = found ||
                (!strncmp(entry->d_name, start, strlen(start)) && is_of_now(place, entry->d_name));
    (void)closedir(entries);
    return found;
}

/* A run of `runner` that ended by itself must leave nothing behind, at once. */
static inline void assert_nothing_left(pid_t runner)
{
    const char *place = getenv("TMPDIR");
    assert_int_equal(find_left_over(runner), 0);
    assert_false(has_run_directory("/dev/shm", runner));
    assert_false(has_run_directory(place ? place : "/tmp", runner));
}

#endif
