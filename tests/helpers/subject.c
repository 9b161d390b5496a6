/* A program under test, by its first argument; the last is the candidate's path.  What it
 * does depends on the candidate only, so every runner must see the same ending. */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inherited.h"

static char text[4096];
static int counter; /* 0 in every fresh process */

static _Noreturn void sleep_for_ever(void)
{
    for (;;)
        pause();
}

static void read_candidate(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) exit(90);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    (void)fclose(file);
}

static int crash(void)
{
    volatile int *nowhere = NULL;
    if (strchr(text, 'x')) *nowhere = 1;
    return 1;
}

static int fail_assertion(void)
{
    assert(!strchr(text, 'x'));
    return 1;
}

static int leave_family(void)
{
    if (strchr(text, 'x') && !fork()) {
        (void)setsid();
        if (!fork()) sleep_for_ever();
        _exit(0);
    }
    if (!fork()) sleep_for_ever();
    return strchr(text, 'x') ? 0 : 1;
}

/* A name that is there already tells that an earlier test's was not removed. */
static int leave_files(void)
{
    int fd = open("garbage", O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0 || mkdir("folder", 0700) || symlink("/etc", "folder/link")) return 91;
    return strchr(text, 'x') ? 0 : 1;
}

static int count(void)
{
    for (const char *c = text; *c; c++)
        counter += *c == 'x';
    return counter;
}

/* What a freshly executed process has. */
static int look_around(const char *path)
{
    struct stat info;
    char here[4096];
    if (getenv("LD_PRELOAD") || !getenv("PARE_TEST")) return 92;
    if (getpgrp() != getpid()) return 93;
    for (int fd = 3; fd < 1024; fd++)
        if (!fstat(fd, &info)) return 94;
    for (int fd = 0; fd < 3; fd++)
        if (fstat(fd, &info)) return 95;
    if (!getcwd(here, sizeof here) || strncmp(path, here, strlen(here)) != 0) return 96;
    return strchr(text, 'x') ? 0 : 1;
}

/* The candidate is kept when nothing was inherited. */
static int look_for_files(void)
{
    return strchr(text, 'x') && !use_inherited() ? 0 : 1;
}

static int hurt_parent(int signal_number)
{
    if (strchr(text, 'x')) (void)kill(getppid(), signal_number);
    return 3;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const char *path = argv[argc - 1];
    read_candidate(path);
    if (!strcmp(what, "file")) return strchr(text, 'x') ? 0 : 1;
    if (!strcmp(what, "size")) return (int)strlen(text) % 64;
    if (!strcmp(what, "stdin")) return getchar() == EOF ? 5 : 6;
    if (!strcmp(what, "crash")) return crash();
    if (!strcmp(what, "assert")) return fail_assertion();
    if (!strcmp(what, "hang") && strchr(text, 'x')) sleep_for_ever();
    if (!strcmp(what, "family")) return leave_family();
    if (!strcmp(what, "files")) return leave_files();
    if (!strcmp(what, "count")) return count();
    if (!strcmp(what, "inherited")) return look_for_files();
    if (!strcmp(what, "around")) return look_around(path);
    if (!strcmp(what, "kill-parent")) return hurt_parent(SIGKILL);
    if (!strcmp(what, "stop-parent")) return hurt_parent(SIGSTOP);
    return 97;
}
