/* A worker of the user's (docs/guide/worker.md), which does what the candidate says: 'x' is the
 * failure, 'u' cannot be told.
 *
 * 'a': it aborts; 'q': it exits without an answer; 'h': it hangs; 'z': it closes its standard
 * output and exits; 'e': it exits behind its answer; 'o': it leaves an orphan; 'c': a child
 * that goes on and holds its output; 't': it answers twice; 'g': what it says is no answer;
 * 'l': nor is that a line; 's': the answer comes in two parts; '1': it exits unless it has
 * answered before; 'd': it is the failure too, unless the worker inherited files.  With the argument "deaf" it exits before it reads; with a number that
 * many 'x' are the failure. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inherited.h"

static char text[4096];
static unsigned n_answered;

static _Noreturn void sleep_for_ever(void)
{
    for (;;)
        pause();
}

/* What a request says of the candidate has to be so. */
static void read_candidate(const char *line)
{
    char *path = NULL;
    unsigned long size = strtoul(line, &path, 10);
    if (path == line || *path++ != ' ' || *path != '/') exit(90);
    FILE *file = fopen(path, "r");
    if (!file) exit(91);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    (void)fclose(file);
    if (n != size) exit(92);
}

/* When it returns, an orphan is one. */
static void leave(int orphan)
{
    pid_t child = fork();
    if (child && orphan) (void)waitpid(child, NULL, 0);
    if (child) return;
    if (orphan && (setsid() < 0 || fork())) _exit(0);
    sleep_for_ever();
}

static void misbehave(void)
{
    if (strchr(text, 'a')) abort();
    if (strchr(text, 'q')) exit(4);
    if (strchr(text, '1') && !n_answered) exit(5);
    if (strchr(text, 'h')) sleep_for_ever();
    if (strchr(text, 'z')) {
        (void)fclose(stdout);
        exit(6);
    }
    if (strchr(text, 'o')) leave(1);
    if (strchr(text, 'c')) leave(0);
    if (strchr(text, 't')) (void)fputs("PASS\n", stdout);
    if (strchr(text, 'g')) (void)fputs("maybe\r\n", stdout);
    if (strchr(text, 'l'))
        for (int k = 0; k < 100; k++)
            (void)putchar('P');
    if (!strchr(text, 's')) return;
    (void)fputs("FA", stdout);
    (void)fflush(stdout);
    (void)puts("IL");
    (void)fflush(stdout);
}

static int fails(int n_needed)
{
    if (strchr(text, 'd')) return !use_inherited();
    for (const char *c = text; *c; c++)
        n_needed -= *c == 'x';
    return n_needed <= 0;
}

int main(int argc, char **argv)
{
    char line[8192];
    const int n_needed = argc > 1 ? atoi(argv[1]) : 1;
    (void)fputs("started\n", stderr);
    if (argc > 1 && !strcmp(argv[1], "deaf")) return 7;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        read_candidate(line);
        misbehave();
        if (!strchr(text, 's'))
            (void)puts(fails(n_needed) ? "FAIL" : strchr(text, 'u') ? "UNRESOLVED" : "PASS");
        (void)fflush(stdout);
        n_answered++;
        if (strchr(text, 'e')) return 0;
    }
    return 0;
}
