/* Watches which programs of a test get the candidate.
 *
 * Preloaded (LD_PRELOAD), its constructor runs in each dynamically linked process of a test before
 * main, whatever way it was started: by a name in PATH or an absolute path, by a shell, make or
 * another compiler.  So neither wrappers in PATH nor tracing are needed.  It compares the files
 * among the arguments, and standard input, with the candidate, byte by byte if the sizes agree,
 * because tests copy their input.
 *
 * A static program does not load this library, so the process that starts it reports its arguments:
 * execve is wrapped, and checks whether the file asks for a loader.  Shells start programs with
 * execve; static programs that are started by posix_spawn or within the C library (execvp) are not
 * seen.
 *
 * When all processes are watched, the end of each is reported by the process that waits for it,
 * since a crashing process cannot report its own end: the functions of the wait family are wrapped,
 * and the output file of the process, which tests usually remove at their end, is read at this
 * moment.
 *
 * Invariant: the program runs as it would without this, except for one write of a record.  Nothing
 * here allocates.  See watch_protocol.h for the record. */
#include "run/shim/watch_protocol.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A record in the making; `full`: it did not fit, and is not written. */
struct record {
    char bytes[PARE_WATCH_BYTES];
    size_t n;
    bool full;
};

/* Appends a field with the NUL that ends it. Once one did not fit, nothing more is added, so
 * that a record is whole or is not written. */
static void add(struct record *record, const char *field)
{
    size_t size = strlen(field) + 1;
    record->full = record->full || size > sizeof record->bytes - record->n;
    if (record->full) return;
    memcpy(record->bytes + record->n, field, size);
    record->n += size;
}

/* Appends a number as a field in decimal. */
static void add_number(struct record *record, unsigned long long number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%llu", number);
    add(record, text);
}

/* A limit of the process, in `unit`; 0: none. */
static unsigned long long limit(int resource, unsigned long long unit)
{
    struct rlimit limits;
    if (getrlimit(resource, &limits) || limits.rlim_cur == RLIM_INFINITY) return 0;
    /* Rounded up, so that a small limit is not taken for none. */
    return (limits.rlim_cur + unit - 1) / unit;
}

/* Whether two files of one size, open at their beginnings, hold the same. */
static bool is_same(int a, int b)
{
    char left[4096], right[4096];
    for (off_t at = 0;; at += (off_t)sizeof left) {
        ssize_t n = pread(a, left, sizeof left, at);
        if (n < 0 || pread(b, right, sizeof right, at) != n) return false;
        if (n == 0 || memcmp(left, right, (size_t)n) != 0) return n == 0;
        /* A short read is the end of the file. */
        if (n < (ssize_t)sizeof left) return true;
    }
}

/* Whether the open file `fd` holds what the candidate does. */
static bool is_candidate(int fd, int candidate)
{
    struct stat own, other;
    if (fstat(fd, &own) || !S_ISREG(own.st_mode)) return false;
    /* An empty candidate is like every empty file, and is not looked for. */
    if (fstat(candidate, &other) || own.st_size != other.st_size || !own.st_size) return false;
    return (own.st_dev == other.st_dev && own.st_ino == other.st_ino) || is_same(fd, candidate);
}

/* Opens a file by its name to read it; -1: it is none.  A pipe is not even opened, since whoever waits for its
 * reader would go on, and be ended by a signal when this one is closed; nor is a device, to which opening
 * may do anything. */
static int open_file(const char *path, int flags)
{
    struct stat file;
    if (stat(path, &file) || !S_ISREG(file.st_mode)) return -1;
    /* It may have become something else meanwhile, for which this must not wait, and which must
     * not become the terminal of this process. */
    return open(path, flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/* The first argument that is the candidate, 0 where it is standard input, -1: none is. */
static int find_candidate(int n_words, char *const *words, int candidate)
{
    for (int k = 1; k < n_words; k++) {
        int fd = open_file(words[k], 0);
        if (fd < 0) continue;
        bool found = is_candidate(fd, candidate);
        (void)close(fd);
        if (found) return k;
    }
    return is_candidate(STDIN_FILENO, candidate) ? 0 : -1;
}

/* Opens the file of records; -1: there is none. */
static int open_records(const char *path, int flags)
{
    char name[4096];
    int n = snprintf(name, sizeof name, "%s%s", path, PARE_WATCH_SUFFIX);
    if (n < 0 || (size_t)n >= sizeof name) return -1;
    return open(name, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* Appends the record where the file has no more than `most` bytes. */
static void write_record(const char *path, const struct record *record, off_t most)
{
    struct stat file;
    if (record->full) return;
    int fd = open_records(path, O_WRONLY | O_APPEND | O_CREAT);
    if (fd < 0) return;
    if (fstat(fd, &file) == 0 && file.st_size <= most) {
        /* At once: processes share the file. Where writing fails, the record is missing, and
         * the program goes on. */
        ssize_t written = write(fd, record->bytes, record->n);
        (void)written;
    }
    (void)close(fd);
}

/* Adds the path of the file that `fd` is; empty where it is none. */
static void add_target(struct record *record, int fd)
{
    char link[32], path[4096];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    /* Pipes and sockets have names too, but none that begins with a slash. */
    path[n > 0 ? n : 0] = '\0';
    add(record, path[0] == '/' ? path : "");
}

/* Writes a record of the second kind: of this process, whatever it was given. */
static void tell_run(struct record *record, const char *path, bool given, int n_words,
                     char *const *words, const char *program)
{
    const int n = n_words < PARE_WATCH_WORDS ? n_words : PARE_WATCH_WORDS;
    record->n = 0;
    record->full = false;
    add(record, PARE_WATCH_RUN_MAGIC);
    add_number(record, (unsigned long long)getpid());
    add_number(record, (unsigned long long)getppid());
    add_number(record, given);
    add_target(record, STDOUT_FILENO);
    add_target(record, STDERR_FILENO);
    add(record, program);
    add_number(record, (unsigned long long)n);
    for (int k = 0; k < n; k++)
        add(record, words[k]);
    write_record(path, record, PARE_WATCH_ALL_BYTES);
}

/* Writes a record if one of the words, or standard input, is the candidate, or if all are watched. */
static void watch(int n_words, char *const *words, const char *program)
{
    static struct record record; /* of a child that shares its parent's memory: made anew */
    char folder[4096];
    const char *path = getenv(PARE_WATCH_VARIABLE);
    int candidate = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (candidate < 0) return;
    int found = find_candidate(n_words, words, candidate);
    (void)close(candidate);
    if (getenv(PARE_WATCH_ALL_VARIABLE)) {
        tell_run(&record, path, found >= 0, n_words, words, program);
        return;
    }
    if (found < 0 || !getcwd(folder, sizeof folder)) return;
    record.n = 0;
    record.full = false;
    add(&record, PARE_WATCH_MAGIC);
    add_number(&record, (unsigned long long)found);
    add_number(&record, limit(RLIMIT_CPU, 1));
    add_number(&record, limit(RLIMIT_AS, 1024));
    add(&record, folder);
    add(&record, program);
    add_number(&record, (unsigned long long)n_words);
    for (int k = 0; k < n_words; k++)
        add(&record, words[k]);
    write_record(path, &record, LONG_MAX);
}

/* glibc hands main's arguments to constructors. */
__attribute__((constructor)) static void watch_self(int n_words, char **words)
{
    char program[4096];
    /* The first word may be any name; this is the file that runs. */
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0) return;
    program[n] = '\0';
    watch(n_words, words, program);
}

/* Whether the file is a program for this machine's word size that no loader starts. */
static bool is_static(const char *path)
{
    Elf64_Ehdr file;
    Elf64_Phdr part;
    bool loaded = false;
    int fd = open_file(path, 0);
    if (fd < 0) return false;
    bool is_program = pread(fd, &file, sizeof file, 0) == (ssize_t)sizeof file &&
                      memcmp(file.e_ident, ELFMAG, SELFMAG) == 0 &&
                      file.e_ident[EI_CLASS] == ELFCLASS64 && file.e_phentsize == sizeof part;
    for (unsigned k = 0; is_program && k < file.e_phnum; k++) {
        const off_t at = (off_t)(file.e_phoff + k * sizeof part);
        is_program = pread(fd, &part, sizeof part, at) == (ssize_t)sizeof part;
        loaded = loaded || (is_program && part.p_type == PT_INTERP);
    }
    (void)close(fd);
    return is_program && !loaded;
}

/* The C library's own function of this name; NULL: there is none.  POSIX lets a function's address travel as
 * a pointer to an object. */
static void find_real(const char *name, void *function, size_t size)
{
    void *address = dlsym(RTLD_NEXT, name);
    memcpy(function, &address, size);
    if (!address) errno = ENOSYS;
}

/* The C library's own, with a look before it. */
__attribute__((visibility("default"))) int execve(const char *path, char *const words[],
                                                  char *const environment[])
{
    int (*real)(const char *, char *const[], char *const[]) = NULL;
    char program[PATH_MAX];
    int n = 0;
    find_real("execve", (void *)&real, sizeof real);
    if (!real) return -1;
    /* Linux takes NULL for no words.  The header of the C library says that it is never given, so the
     * compiler would leave the question out if it knew whose value this is. */
    char *const *volatile given = words;
    char *const *const each = given;
    while (each && each[n])
        n++;
    if (is_static(path) && realpath(path, program)) watch(n, words, program);
    return real(path, words, environment);
}

/* ---- how processes end -------------------------------------------------------------- */

/* The fields, from the parent's process id on, of the last record of the second kind of process `pid` in
 * text..end; NULL: there is none. */
static const char *find_run(const char *text, const char *end, pid_t pid)
{
    char key[64];
    const int n = snprintf(key, sizeof key, "%s%c%ld", PARE_WATCH_RUN_MAGIC, 0, (long)pid) + 1;
    const char *found = NULL;
    /* Process ids come again, so that the last record counts. */
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), key, (size_t)n)); at += n)
        found = at + n;
    return found;
}

/* Copies the end of a file to `tail` as text; false where there is nothing in it, or it is no file. */
static bool read_tail(const char *path, char tail[static PARE_WATCH_TAIL_BYTES + 1])
{
    struct stat file;
    ssize_t n = 0;
    int fd = *path ? open_file(path, O_NOFOLLOW) : -1;
    if (fd < 0) return false;
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode))
        n = pread(fd, tail, PARE_WATCH_TAIL_BYTES,
                  file.st_size > PARE_WATCH_TAIL_BYTES ? file.st_size - PARE_WATCH_TAIL_BYTES : 0);
    (void)close(fd);
    /* A field ends at the first NUL, so there must be none in it. */
    for (ssize_t k = 0; k < n; k++)
        if (!tail[k]) tail[k] = '?';
    tail[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* Finds what process `pid` printed last, on standard error if there is anything, by its record. */
static void find_tail(const char *path, pid_t pid, char tail[static PARE_WATCH_TAIL_BYTES + 1])
{
    struct stat file;
    int fd = open_records(path, O_RDONLY);
    void *text = MAP_FAILED;
    *tail = '\0';
    if (fd < 0) return;
    if (fstat(fd, &file) == 0 && file.st_size > 0)
        text = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    (void)close(fd);
    if (text == MAP_FAILED) return;
    const char *end = (const char *)text + file.st_size, *at = find_run(text, end, pid);
    const char *fields[4]; /* parent, given, standard output, standard error */
    /* The record may be cut off at the end of the file while it is written. */
    size_t n = 0;
    for (; at && n < sizeof fields / sizeof *fields; n++) {
        const char *stop = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
        if (!stop) break;
        fields[n] = at;
        at = stop + 1;
    }
    if (n == sizeof fields / sizeof *fields && !read_tail(fields[3], tail))
        (void)read_tail(fields[2], tail);
    (void)munmap(text, (size_t)file.st_size);
}

/* Writes a record of the third kind.  A handler of SIGCHLD that waits while another process is told of is
 * not told of. */
static void tell_end(pid_t pid, int status)
{
    static struct record record;
    static volatile sig_atomic_t busy;
    char tail[PARE_WATCH_TAIL_BYTES + 1];
    const char *path = getenv(PARE_WATCH_VARIABLE);
    /* Whoever waits may look at errno, which must be what the wait has left. */
    const int was = errno;
    if (pid <= 0 || !path || !getenv(PARE_WATCH_ALL_VARIABLE) || busy) return;
    /* A process that was stopped, or goes on, has not ended. */
    if (!WIFEXITED(status) && !WIFSIGNALED(status)) return;
    busy = 1;
    find_tail(path, pid, tail);
    record.n = 0;
    record.full = false;
    add(&record, PARE_WATCH_END_MAGIC);
    add_number(&record, (unsigned long long)pid);
    add_number(&record, (unsigned long long)(unsigned)status);
    add(&record, tail);
    write_record(path, &record, PARE_WATCH_ALL_BYTES);
    busy = 0;
    errno = was;
}

/* The status is asked for even if the caller does not want it. */
__attribute__((visibility("default"))) pid_t waitpid(pid_t pid, int *status, int options)
{
    pid_t (*real)(pid_t, int *, int) = NULL;
    int own = 0;
    find_real("waitpid", (void *)&real, sizeof real);
    if (!real) return -1;
    const pid_t ended = real(pid, status ? status : &own, options);
    tell_end(ended, status ? *status : own);
    return ended;
}

/* As POSIX defines it, by the function above, which tells of the end. */
__attribute__((visibility("default"))) pid_t wait(int *status)
{
    return waitpid(-1, status, 0);
}

__attribute__((visibility("default"))) pid_t wait4(pid_t pid, int *status, int options,
                                                   struct rusage *usage)
{
    pid_t (*real)(pid_t, int *, int, struct rusage *) = NULL;
    int own = 0;
    find_real("wait4", (void *)&real, sizeof real);
    if (!real) return -1;
    const pid_t ended = real(pid, status ? status : &own, options, usage);
    tell_end(ended, status ? *status : own);
    return ended;
}

/* The same by wait4. */
__attribute__((visibility("default"))) pid_t wait3(int *status, int options, struct rusage *usage)
{
    return wait4(-1, status, options, usage);
}
