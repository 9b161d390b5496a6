/* Which places of a program runs reach: a byte for each, in a file that all runs share.
 *
 * Linked to a program that gcc compiled with -fsanitize-coverage=trace-pc, which calls the function
 * below at the beginning of each basic block.  A place is its distance from the beginning of the
 * program, so it is the same in every run.  The file is named by PARE_PLACES and has SIZE bytes;
 * without it nothing is noted. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 1 << 22 };

extern char __executable_start;
static unsigned char *places;

__attribute__((constructor)) static void attach(void)
{
    const char *path = getenv("PARE_PLACES");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *mapped = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) places = mapped;
    close(fd);
}

void __sanitizer_cov_trace_pc(void)
{
    uintptr_t place =
        (uintptr_t)__builtin_return_address(0) - (uintptr_t)&__executable_start;
    if (places && place < SIZE) places[place] = 1;
}
