/* A program with AFL's fork server of the new form (since AFL++ 4.20), written from the
 * protocol's description, with a loop in one process and the candidate in shared memory.
 * Without a fuzzer it reads standard input.  As AFL's own it loops only when it is told to
 * by __AFL_PERSISTENT: else each candidate is of a new child.
 *
 * 'x' in the candidate: it crashes.  'k': it kills its parent, if that is a server.  'c':
 * it exits with how many candidates it has seen, which a fresh process knows as 1.  'f':
 * it leaves a child.  Each byte of the candidate counts in the map at its own number.  'd': it exits with 50 and the number of files that it inherited. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inherited.h"

/* What the launcher looks for: the words of AFL's runtime and compiler. */
const char *const afl_words[] = {"__AFL_SHM_ID", "##SIG_AFL_PERSISTENT##"};

enum { CONTROL_FD = 198, STATUS_FD = 199 };

static unsigned n_seen;
static unsigned char *map; /* AFL's; NULL: none */

static void look_at(const char *text, size_t size, bool served)
{
    n_seen++;
    for (size_t i = 0; map && i < size; i++)
        map[(unsigned char)text[i]]++;
    if (memchr(text, 'x', size)) abort();
    if (memchr(text, 'k', size) && served) (void)kill(getppid(), SIGKILL);
    if (memchr(text, 'c', size)) _exit((int)n_seen);
    if (memchr(text, 'd', size)) _exit(50 + use_inherited());
    if (memchr(text, 'f', size) && !fork())
        for (;;)
            pause();
}

static uint32_t get(void)
{
    uint32_t word;
    if (read(CONTROL_FD, &word, sizeof word) != (ssize_t)sizeof word) _exit(0);
    return word;
}

static void put(uint32_t word)
{
    if (write(STATUS_FD, &word, sizeof word) != (ssize_t)sizeof word) _exit(0);
}

static _Noreturn void loop(const unsigned char *input)
{
    (void)close(CONTROL_FD);
    (void)close(STATUS_FD);
    for (;;) {
        uint32_t size;
        memcpy(&size, input, sizeof size);
        look_at((const char *)input + sizeof size, size, true);
        if (!getenv("__AFL_PERSISTENT")) _exit(0);
        (void)raise(SIGSTOP);
    }
}

static _Noreturn void serve(const unsigned char *input)
{
    pid_t child = 0;
    for (;;) {
        int status = 0;
        (void)get();
        if (child)
            (void)kill(child, SIGCONT);
        else if (!(child = fork()))
            loop(input);
        if (child < 0) _exit(1); /* -1 would be everybody */
        put((uint32_t)child);
        if (waitpid(child, &status, WUNTRACED) != child) _exit(1);
        if (!WIFSTOPPED(status)) child = 0;
        put((uint32_t)status);
    }
}

int main(void)
{
    const uint32_t hello = 0x41464c01;
    const char *number = getenv("__AFL_SHM_FUZZ_ID");
    static char text[1 << 20];
    if (number && afl_words[0] && write(STATUS_FD, &hello, sizeof hello) == (ssize_t)sizeof hello) {
        map = getenv("__AFL_SHM_ID") ? shmat(atoi(getenv("__AFL_SHM_ID")), NULL, 0) : NULL;
        if (map == (void *)-1) return 1;
        if (map) map[1]++; /* of the server, not of a test */
        if (get() != ~hello) return 1;
        put(0x803); /* a map size, shared input, a dictionary */
        put(65536);
        put(5);
        if (write(STATUS_FD, "12345", 5) != 5) return 1;
        put(hello);
        serve(shmat(atoi(number), NULL, SHM_RDONLY));
    }
    ssize_t n = read(0, text, sizeof text);
    if (n >= 0) look_at(text, (size_t)n, false);
    return 0;
}
