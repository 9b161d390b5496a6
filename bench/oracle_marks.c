/* A test for benchmarks: oracle_marks SLEEP_MS COUNT CANDIDATE exits with 0 when the
 * candidate holds at least COUNT marks ('#'), after it has slept.  Linked statically, so
 * that it costs what a process costs and little more. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long count_marks(const char *at, size_t size)
{
    const char *end = at + size;
    long n = 0;
    while (at < end && (at = memchr(at, '#', (size_t)(end - at)))) {
        at++;
        n++;
    }
    return n;
}

static void sleep_ms(long ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    if (ms > 0) (void)nanosleep(&time, NULL);
}

int main(int argc, char **argv)
{
    struct stat info;
    if (argc != 4) return 99;
    int fd = open(argv[3], O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info)) return 98;
    sleep_ms(atol(argv[1]));
    if (!info.st_size) return atol(argv[2]) > 0;
    size_t size = (size_t)info.st_size;
    const char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) return 97;
    return count_marks(bytes, size) < atol(argv[2]);
}
