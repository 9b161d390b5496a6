/* The program that runs a library's LLVMFuzzerTestOneInput.
 *
 * pare-worker LIBRARY [WORD...]: tests standard input once, and exits with 0.
 * pare-worker --serve LIBRARY [WORD...]: tests one candidate after the other in this one
 * process, as protocol.h says, until pare is gone or a candidate ends it.
 *
 * The library is opened, LLVMFuzzerInitialize called with its name and the words, if it is
 * there, and each candidate is given in a block of its own size, so that a sanitizer sees
 * the first byte after it.  Source: the interface is libFuzzer's; it says that a harness
 * returns, and may be called again and again. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "run/shim/protocol.h"

enum {
    WRONG_CODE = 126,     /* our exit code when the library cannot be used */
    FIRST_BYTES = 65536,  /* of room for standard input; grows */
    LOOKS_PER_CLOCK = 64, /* at the next command, for each look at the clock */
    AWAKE_NS = 50000      /* between two candidates; then we sleep */
};

typedef int test_function(const unsigned char *bytes, size_t size);
typedef int initialize_function(int *argc, char ***argv);

/* The sentence goes to standard error, which pare keeps. */
static _Noreturn void die(const char *what, const char *why)
{
    (void)fprintf(stderr, "pare-worker: %s: %s\n", what, why);
    exit(WRONG_CODE);
}

/* --- the library ------------------------------------------------------------- */

/* A sanitizer's runtime has to be loaded before all else: when the library needs one, we
 * execute ourselves once more with it.  The name in the library's bytes is enough; here it
 * stands without its beginning, or our own bytes would ask for it. */
static void preload_runtime(const char *library, char **argv)
{
    static const char prefix[] = {'l', 'i', 'b'};
    static const char *const runtimes[] = {"asan.so.", "tsan.so.", "clang_rt.asan",
                                           "clang_rt.tsan"};
    struct stat info;
    char *bytes = MAP_FAILED;
    int fd = getenv("LD_PRELOAD") ? -1 : open(library, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && !fstat(fd, &info) && info.st_size > 0)
        bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0) (void)close(fd);
    if (bytes == MAP_FAILED) return;
    size_t size = (size_t)info.st_size;
    for (size_t k = 0; k < sizeof runtimes / sizeof *runtimes; k++) {
        const char *at = memmem(bytes, size, runtimes[k], strlen(runtimes[k]));
        if (!at || at - bytes < (ptrdiff_t)sizeof prefix) continue;
        at -= sizeof prefix;
        size_t left = size - (size_t)(at - bytes);
        if (memcmp(at, prefix, sizeof prefix) != 0 || strnlen(at, left) >= NAME_MAX) continue;
        if (strnlen(at, left) == left) continue;
        if (setenv("LD_PRELOAD", at, 1)) die(library, "no memory");
        (void)execv("/proc/self/exe", argv);
        die(at, strerror(errno));
    }
    (void)munmap(bytes, size);
}

/* NULL where the library has no such symbol. */
static void *find(void *library, const char *name)
{
    return dlsym(library, name);
}

/* Opens the library that argv[0] names, and initialises it with argv, as libFuzzer would.  Its
 * symbols are there for all that it loads itself (RTLD_GLOBAL). */
static test_function *open_library(int argc, char **argv)
{
    test_function *test = NULL;
    initialize_function *initialize = NULL;
    void *library = dlopen(argv[0], RTLD_NOW | RTLD_GLOBAL);
    if (!library) die("the library cannot be opened", dlerror());
    /* ISO C does not convert an object's pointer to a function's. */
    void *found = find(library, "LLVMFuzzerTestOneInput");
    if (!found) die(argv[0], "there is no LLVMFuzzerTestOneInput in it");
    memcpy(&test, &found, sizeof test);
    found = find(library, "LLVMFuzzerInitialize");
    memcpy(&initialize, &found, sizeof initialize);
    if (initialize && initialize(&argc, &argv)) die(argv[0], "LLVMFuzzerInitialize failed");
    return test;
}

/* What the harness returns is of no meaning to us: 0, or -1 for what is not worth keeping
 * in a fuzzer's corpus. */
static void test_copy(test_function *test, const void *bytes, size_t size)
{
    unsigned char *copy = pare_alloc(size ? size : 1, 1);
    if (!copy) die("the candidate", "no memory");
    if (size) memcpy(copy, bytes, size);
    (void)test(copy, size);
    pare_alloc_free(copy);
    (void)fflush(NULL);
}

/* --- one test ---------------------------------------------------------------- */

/* One test, in a process of its own: for the runs that have to be believed. */
static void test_standard_input(test_function *test)
{
    size_t size = 0, room = FIRST_BYTES;
    char *bytes = pare_alloc(room, 1);
    for (ssize_t n = 1; bytes && n;) {
        n = read(0, bytes + size, room - size);
        if (n < 0 && errno != EINTR) die("standard input", strerror(errno));
        size += n > 0 ? (size_t)n : 0;
        if (size == room) bytes = pare_alloc_resize(bytes, room *= 2, 1);
    }
    if (!bytes) die("the candidate", "no memory");
    test_copy(test, bytes, size);
    pare_alloc_free(bytes);
}

/* --- one after the other ----------------------------------------------------- */

/* The monotonic clock; pare's own module of it is not linked here. */
static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Waits until the command is another than `last`: awake at first, for pare most often
 * needs less time for its next candidate than it takes to wake us. */
static uint32_t next_command(pare_shim_input *input, uint32_t last)
{
    const uint64_t end_ns = now_ns() + AWAKE_NS;
    uint32_t command;
    do {
        for (int k = 0; k < LOOKS_PER_CLOCK; k++) {
            command = atomic_load_explicit(&input->command, memory_order_acquire);
            if (command != last) return command;
            pare_shim_pause();
        }
    } while (now_ns() < end_ns);
    while ((command = atomic_load(&input->command)) == last) {
        atomic_store(&input->waiting, 1);
        (void)syscall(SYS_futex, &input->command, FUTEX_WAIT, last, NULL, NULL, 0);
        atomic_store(&input->waiting, 0);
    }
    return command;
}

/* Test after test.  `done` is set before `asleep` is looked at, as the other side sets that
 * before it looks at `done`: so one of the two sees the other. */
static _Noreturn void serve(test_function *test)
{
    struct stat info;
    static const char returned = 1;
    if (fstat(PARE_SHIM_MEMORY_FD, &info)) die("the shared memory", strerror(errno));
    pare_shim_input *input = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
                                  PARE_SHIM_MEMORY_FD, 0);
    if (input == MAP_FAILED) die("the shared memory", strerror(errno));
    (void)close(PARE_SHIM_MEMORY_FD);
    for (uint32_t command = 0;;) {
        command = next_command(input, command);
        test_copy(test, (const char *)input + PARE_SHIM_INPUT_OFFSET, (size_t)input->size_bytes);
        atomic_store(&input->done, command);
        if (!atomic_exchange(&input->asleep, 0)) continue;
        if (write(PARE_SHIM_SOCKET_FD, &returned, sizeof returned) < 0) _exit(0);
    }
}

/* The usage is for whoever starts it by hand; pare gives the words itself. */
int main(int argc, char **argv)
{
    const bool serves = argc > 1 && !strcmp(argv[1], "--serve");
    const int first = serves ? 2 : 1;
    if (argc <= first) die("usage", "pare-worker [--serve] LIBRARY [WORD...]");
    preload_runtime(argv[first], argv);
    test_function *test = open_library(argc - first, argv + first);
    if (serves) serve(test);
    test_standard_input(test);
    return 0;
}
