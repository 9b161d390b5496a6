/* A test program that misbehaves, by its first argument; the last is the candidate. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Noreturn void sleep_for_ever(void)
{
    for (;;)
        pause();
}

/* Leaves a process in a session of its own. */
static void escape(void)
{
    if (fork()) return;
    (void)setsid();
    if (fork()) _exit(0);
    sleep_for_ever();
}

static int flood(size_t bytes)
{
    static char chunk[1 << 16];
    memset(chunk, 'f', sizeof chunk);
    for (size_t done = 0; done < bytes; done += sizeof chunk)
        if (write(1, chunk, sizeof chunk) < 0) return 1;
    return write(1, "\nlast line\n", 11) == 11 ? 0 : 1;
}

static int write_file(const char *name, const char *text)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, text, strlen(text)) < 0) return 1;
    return close(fd);
}

static int remove_directory(const char *candidate)
{
    char here[4096];
    if (!getcwd(here, sizeof here) || unlink(candidate)) return 1;
    return rmdir(here);
}

static int replace_by_directory(const char *candidate)
{
    if (unlink(candidate) || mkdir(candidate, 0700) || chdir(candidate)) return 1;
    return write_file("inside", "x");
}

/* A tree deeper than any path may be long, without permissions. */
static int leave_junk(void)
{
    if (write_file("-rf", "x") || mkfifo("fifo", 0600) || symlink("/etc", "link")) return 1;
    for (int k = 0; k < 3000; k++)
        if (mkdir("deep", 0700) || chdir("deep")) return 1;
    return write_file("bottom", "x") || chmod(".", 0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const char *candidate = argv[argc - 1];
    if (!strcmp(what, "hang")) sleep_for_ever();
    if (!strcmp(what, "hang-with-family")) {
        escape();
        (void)fork();
        sleep_for_ever();
    }
    if (!strcmp(what, "ignore-term")) {
        (void)signal(SIGTERM, SIG_IGN);
        sleep_for_ever();
    }
    if (!strcmp(what, "escape")) {
        for (int k = 0; k < 5; k++)
            escape();
        return 0;
    }
    if (!strcmp(what, "close")) {
        for (int fd = 0; fd < 64; fd++)
            (void)close(fd);
        return 0;
    }
    if (!strcmp(what, "flood")) return flood((size_t)100 << 20);
    if (!strcmp(what, "remove")) return remove_directory(candidate);
    if (!strcmp(what, "change")) return write_file(candidate, "something else");
    if (!strcmp(what, "directory")) return replace_by_directory(candidate);
    if (!strcmp(what, "junk")) return leave_junk();
    if (!strcmp(what, "crash")) return raise(SIGSEGV);
    return 99;
}
