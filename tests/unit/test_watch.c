/* The shim that watches the programs of a test: called as a program under test would call it. */
/* tests: src/run/shim/watch.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/shim/watch_protocol.h"
#include "unit/support/scratch.h"

typedef int execve_function(const char *path, char *const words[], char *const environment[]);

static void *shim;
static execve_function *watched_execve;

/* Loads the shim into this process; the tests call its execve with what is no program. */
static int load(void **state)
{
    char path[4096];
    const char *folder = getenv("PARE_LIBEXEC");
    int failed = scratch_setup(state);
    if (failed) return failed;
    (void)snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", PARE_SHIM_WATCH);
    shim = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!shim) return -1;
    void *address = dlsym(shim, "execve");
    memcpy(&watched_execve, &address, sizeof address);
    return address ? 0 : -1;
}

static int unload(void **state)
{
    (void)unsetenv(PARE_WATCH_VARIABLE);
    (void)dlclose(shim);
    return scratch_teardown(state);
}

/* A file that is a static program by its head, and cannot be run: execve returns. */
static void write_program(const char *name)
{
    Elf64_Ehdr head = {.e_phentsize = sizeof(Elf64_Phdr)};
    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    assert_int_equal(pare_file_write_bytes(name, &head, sizeof head, NULL), PARE_OK);
    assert_int_equal(chmod(name, 0644), 0);
}

/* Linux runs a program without words, and so does the program under test with the shim. */
static void test_watch__no_words_are_no_words(void **state)
{
    (void)state;
    char *const environment[] = {NULL};
    errno = 0;
    assert_int_equal(watched_execve("nowhere", NULL, environment), -1);
    assert_int_equal(errno, ENOENT);
}

/* A pipe that was opened and closed has its writer go on, which is ended by a signal. */
static void test_watch__a_pipe_among_the_words_is_not_opened(void **state)
{
    char path[4096];
    char event[sizeof(struct inotify_event) + 256];
    char program[] = "program", pipe_name[] = "pipe", copy[] = "copy";
    char *const words[] = {program, pipe_name, copy, NULL}, *const environment[] = {NULL};
    (void)state;
    write_program(program);
    scratch_write("in", "candidate", 0644);
    scratch_write(copy, "candidate", 0644);
    assert_int_equal(mkfifo(pipe_name, 0600), 0);
    (void)snprintf(path, sizeof path, "%s/in", scratch_dir);
    assert_int_equal(setenv(PARE_WATCH_VARIABLE, path, 1), 0);
    const int seen = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (seen < 0) skip(); /* none is left for this user */
    assert_true(inotify_add_watch(seen, pipe_name, IN_OPEN) >= 0);
    assert_int_equal(watched_execve(program, words, environment), -1);
    assert_int_equal(read(seen, event, sizeof event), -1);
    assert_int_equal(errno, EAGAIN);
    (void)close(seen);
    /* The file after it was looked at. */
    assert_int_equal(access("in" PARE_WATCH_SUFFIX, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_watch__no_words_are_no_words),
        cmocka_unit_test(test_watch__a_pipe_among_the_words_is_not_opened),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
