/* A test that runs another one only on candidates that it has not seen:
 *
 *     remembering FOLDER TEST CANDIDATE
 *
 * What TEST said is kept in FOLDER, in a file named by the candidate's bytes, and said
 * again for the same bytes; so an expensive test is run once for each candidate, however
 * many reductions come by.  A test that was killed has said nothing.  Linked statically,
 * since it starts faster so. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* FNV-1a, and the same backwards in its two steps, of a file's bytes. */
static void name_by_bytes(const char *path, char name[static 40])
{
    static unsigned char block[1 << 16];
    uint64_t a = UINT64_C(14695981039346656037), b = a;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) exit(125);
    for (ssize_t n; (n = read(fd, block, sizeof block)) != 0;) {
        if (n < 0) exit(125);
        for (ssize_t i = 0; i < n; i++) {
            a = (a ^ block[i]) * UINT64_C(1099511628211);
            b = b * UINT64_C(1099511628211) ^ block[i];
        }
    }
    (void)close(fd);
    (void)snprintf(name, 40, "%016llx%016llx", (unsigned long long)a, (unsigned long long)b);
}

static int run(char *test, char *candidate)
{
    char *words[] = {test, candidate, NULL};
    pid_t pid;
    int status;
    if (posix_spawn(&pid, test, NULL, NULL, words, environ)) exit(126);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) exit(125);
    if (WIFSIGNALED(status)) exit(128 + WTERMSIG(status));
    return WEXITSTATUS(status);
}

/* Writes one byte under another name first: whoever finds the file finds all of it. */
static void keep(const char *path, unsigned char code)
{
    char made[4096];
    (void)snprintf(made, sizeof made, "%s.%ld", path, (long)getpid());
    int fd = open(made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return;
    ssize_t n = write(fd, &code, 1);
    (void)close(fd);
    if (n == 1)
        (void)rename(made, path);
    else
        (void)unlink(made);
}

int main(int argc, char **argv)
{
    char name[40], path[4000];
    unsigned char code;
    if (argc != 4) return 125;
    name_by_bytes(argv[3], name);
    (void)snprintf(path, sizeof path, "%s/%s", argv[1], name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && read(fd, &code, 1) == 1) return code;
    code = (unsigned char)run(argv[2], argv[3]);
    keep(path, code);
    return code;
}
