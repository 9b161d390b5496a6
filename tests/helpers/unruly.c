/* An oracle that misbehaves and still gives the right answer, if it can: WHAT VALUE
 * CANDIDATE.  It exits with 0 when the candidate holds the subsequence VALUE; candidates
 * that do not, every eighth of them, are `odd`: some kinds of harm are kept for them.  It wants to find its
 * directory tidy, and exits with 96 when it does not. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cli/support/predicates.h"
#include "candidate_text.h"

static _Noreturn void sleep_for_ever(void)
{
    for (;;)
        pause();
}

static void hang(void)
{
    (void)signal(SIGTERM, SIG_IGN);
    (void)fork();
    sleep_for_ever();
}

/* Leaves a process in a session of its own. */
static void escape(void)
{
    if (fork()) return;
    (void)setsid();
    if (fork()) _exit(0);
    sleep_for_ever();
}

static void close_all(void)
{
    for (int fd = 0; fd < 64; fd++)
        (void)close(fd);
}

/* Writes `bytes` to `fd`, or until it takes no more; true when that was for want of room. */
static bool pour(int fd, size_t bytes)
{
    static char chunk[1 << 16];
    memset(chunk, 'f', sizeof chunk);
    for (size_t done = 0; done < bytes; done += sizeof chunk)
        if (write(fd, chunk, sizeof chunk) < 0) return errno == ENOSPC;
    return false;
}

static void flood(void)
{
    (void)pour(1, (size_t)8 << 20);
    (void)pour(2, (size_t)8 << 20);
}

static void pour_into(const char *name, size_t bytes)
{
    int fd = open(name, O_WRONLY | O_CREAT, 0600);
    if (fd < 0) return;
    (void)pour(fd, bytes);
    (void)close(fd);
}

static void remove_directory(const char *candidate)
{
    char here[4096];
    if (unlink(candidate) || !getcwd(here, sizeof here) || rmdir(here)) exit(98);
}

static void change(const char *candidate)
{
    int fd = open(candidate, O_WRONLY | O_TRUNC);
    if (fd < 0 || write(fd, "something else", 14) != 14 || close(fd)) exit(98);
}

static void make_directory_of(const char *candidate)
{
    if (unlink(candidate) || mkdir(candidate, 0700) || chdir(candidate)) exit(98);
    pour_into("inside", 1);
}

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    if (!value) exit(97);
    return value;
}

/* Moves the directory $PLACE away. */
static void evict(void)
{
    char away[4096];
    (void)snprintf(away, sizeof away, "%s.away", setting("PLACE"));
    (void)rename(setting("PLACE"), away);
}

/* True when the working directory holds the candidate only: nothing of earlier tests. */
static bool is_tidy(void)
{
    size_t n = 0;
    DIR *here = opendir(".");
    while (here && readdir(here))
        n++;
    if (here) (void)closedir(here);
    return n == 3; /* with "." and ".." */
}

/* Counts its runs in the file $COUNT; true from run $LIVES on, once the result $RESULT has
 * fewer bytes than $LARGE. */
static bool has_aged(void)
{
    struct stat info, result;
    int fd = open(setting("COUNT"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0 || write(fd, "r", 1) != 1 || fstat(fd, &info)) exit(98);
    (void)close(fd);
    return info.st_size >= strtol(setting("LIVES"), NULL, 10) &&
           !stat(setting("RESULT"), &result) && result.st_size < strtol(setting("LARGE"), NULL, 10);
}

static void misbehave(const char *what, const char *self, const char *candidate, bool odd)
{
    if (!strcmp(what, "hang") && odd) hang();
    if (!strcmp(what, "escape")) escape();
    if (!strcmp(what, "close")) close_all();
    if (!strcmp(what, "flood")) flood();
    if (!strcmp(what, "remove")) remove_directory(candidate);
    if (!strcmp(what, "change")) change(candidate);
    if (!strcmp(what, "directory")) make_directory_of(candidate);
    if (!strcmp(what, "fill") && odd) pour_into("filling", (size_t)200 << 20);
    if (!strcmp(what, "fill-all")) pour_into("filling", (size_t)16 << 20);
    if (!strcmp(what, "fill-place") && has_aged()) pour_into(setting("PLACE"), (size_t)1 << 20);
    if (!strcmp(what, "evict") && has_aged()) evict();
    if (!strcmp(what, "vanish") && has_aged()) (void)unlink(self);
    if (!strcmp(what, "disarm") && has_aged()) (void)chmod(self, 0600);
}

int main(int argc, char **argv)
{
    if (argc != 4) return 99;
    const char *text = candidate_text(argv[3]);
    bool holds = has_subsequence(argv[2], text);
    if (!is_tidy()) return 96;
    misbehave(argv[1], argv[0], argv[3], !holds && choice_of(text) % 8 == 0);
    return holds ? 0 : 1;
}
