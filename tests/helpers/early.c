/* A program that does something before its main that a fork server cannot repeat, by its
 * first argument. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *sleep_for_ever(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

static pid_t number; /* asked for before main */

/* glibc gives constructors the arguments of main. */
__attribute__((constructor)) static void begin(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    pthread_t thread;
    if (!strcmp(what, "threads")) (void)pthread_create(&thread, NULL, sleep_for_ever, NULL);
    if (!strcmp(what, "file")) (void)open("/etc/passwd", O_RDONLY);
    if (!strcmp(what, "print") && write(1, "early\n", 6) != 6) _exit(9);
    if (!strcmp(what, "number")) number = getpid();
    if (!strcmp(what, "memory"))
        (void)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int main(void)
{
    return number && number != getpid() ? 3 : 0;
}
