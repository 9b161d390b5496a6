/* Watches which programs of a test get the candidate.
 *
 * Preloaded (LD_PRELOAD), its constructor runs in each dynamically linked process of a test before
 * main, whatever way it was started: by a name in PATH or an absolute path, by a shell, make or
 * another compiler.  So nothing has to be stood before, as with wrappers in PATH, and nothing
 * traced.  It compares the files among the arguments, and standard input, with the candidate, byte by byte
 * where the sizes agree: tests copy their input.
 *
 * A static program loads nothing, so whoever starts it says what it is given: execve is wrapped, and
 * looks whether the file asks for a loader.  That is how shells start what they find; what is
 * started by posix_spawn or within the C library (execvp) is not seen then.
 *
 * Invariant: the program runs as it would without this, but for one write of a record.  Nothing
 * here allocates.
 * See watch_protocol.h for the record. */
#include "run/shim/watch_protocol.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A record in the making; `full`: it did not fit, and is not written. */
struct record {
    char bytes[PARE_WATCH_BYTES];
    size_t n;
    bool full;
};

static void add(struct record *record, const char *field)
{
    size_t size = strlen(field) + 1;
    record->full = record->full || size > sizeof record->bytes - record->n;
    if (record->full) return;
    memcpy(record->bytes + record->n, field, size);
    record->n += size;
}

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
        if (n < (ssize_t)sizeof left) return true;
    }
}

/* Whether the open file `fd` holds what the candidate does. */
static bool is_candidate(int fd, int candidate)
{
    struct stat own, other;
    if (fstat(fd, &own) || !S_ISREG(own.st_mode)) return false;
    if (fstat(candidate, &other) || own.st_size != other.st_size || !own.st_size) return false;
    return (own.st_dev == other.st_dev && own.st_ino == other.st_ino) || is_same(fd, candidate);
}

/* The first argument that is the candidate, 0 where it is standard input, -1: none is. */
static int find_candidate(int n_words, char *const *words, int candidate)
{
    for (int k = 1; k < n_words; k++) {
        int fd = open(words[k], O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (fd < 0) continue;
        bool found = is_candidate(fd, candidate);
        (void)close(fd);
        if (found) return k;
    }
    return is_candidate(STDIN_FILENO, candidate) ? 0 : -1;
}

static void write_record(const char *path, const struct record *record)
{
    char name[4096];
    int n = snprintf(name, sizeof name, "%s%s", path, PARE_WATCH_SUFFIX);
    if (record->full || n < 0 || (size_t)n >= sizeof name) return;
    int fd = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return;
    ssize_t written = write(fd, record->bytes, record->n); /* at once: processes share the file */
    (void)written;
    (void)close(fd);
}

/* Writes a record if one of the words, or standard input, is the candidate. */
static void watch(int n_words, char *const *words, const char *program)
{
    static struct record record; /* of a child that shares its parent's memory: made anew */
    char folder[4096];
    const char *path = getenv(PARE_WATCH_VARIABLE);
    int candidate = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (candidate < 0) return;
    int found = find_candidate(n_words, words, candidate);
    (void)close(candidate);
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
    write_record(path, &record);
}

/* glibc hands main's arguments to constructors. */
__attribute__((constructor)) static void watch_self(int n_words, char **words)
{
    char program[4096];
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
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
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

/* The C library's own, with a look before it. */
__attribute__((visibility("default"))) int execve(const char *path, char *const words[],
                                                  char *const environment[])
{
    int (*real)(const char *, char *const[], char *const[]) = NULL;
    void *address = dlsym(RTLD_NEXT, "execve");
    char program[PATH_MAX];
    int n = 0;
    if (!address) {
        errno = ENOSYS;
        return -1;
    }
    /* POSIX lets a function's address travel as a pointer to an object. */
    memcpy(&real, &address, sizeof real);
    while (words[n])
        n++;
    if (is_static(path) && realpath(path, program)) watch(n, words, program);
    return real(path, words, environment);
}
