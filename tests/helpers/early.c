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

/* Says what is wrong with the file of the name, if it has tea in it. */
static int tell(const char *name)
{
    char text[4096] = "";
    FILE *file = fopen(name, "r");
    if (!file) return 9;
    const size_t n = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    if (!memmem(text, n, "tea", 3)) return 0;
    (void)fprintf(stderr, "early: error: no tea can be sold\n");
    return 1;
}

int main(int argc, char **argv)
{
    if (number && number != getpid()) return 3;
    return argc > 2 && !strcmp(argv[1], "number") ? tell(argv[2]) : 0;
}
