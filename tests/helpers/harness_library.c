/* A fuzz harness as a shared library.
 *
 * It crashes where "x" stands in a candidate; "s" crashes once another candidate was seen
 * before, which no fresh process knows.  "e" exits with 3, "h" hangs, "f" leaves a child,
 * "p" prints, "k" is ended by SIGKILL, "d" exits with 50 and the number of files that it
 * inherited. */
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inherited.h"

static unsigned n_seen;
static int is_initialised;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    is_initialised = *argc > 0 && strstr((*argv)[0], "harness_library") != NULL;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    n_seen++;
    if (!is_initialised) _exit(99);
    if (memchr(bytes, 'x', size)) abort();
    if (memchr(bytes, 's', size) && n_seen > 1) abort();
    if (memchr(bytes, 'e', size)) exit(3);
    if (memchr(bytes, 'd', size)) _exit(50 + use_inherited());
    if (memchr(bytes, 'p', size)) (void)puts("printed");
    if (memchr(bytes, 'k', size)) (void)raise(SIGKILL);
    while (memchr(bytes, 'h', size))
        (void)pause();
    if (memchr(bytes, 'f', size) && !fork())
        for (;;)
            (void)pause();
    return 0;
}
