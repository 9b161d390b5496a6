/* The watcher that outlives us.
 *
 * It is a shell script, because it must be a program of its own (we may not fork a large
 * process, and a library has no program to execute) and every system has a shell.  It waits in
 * `read` on a socket whose other end only we hold: the kernel closes that however we end, also
 * by SIGKILL, so no message can be missed.  With a last word it exits; without one it kills
 * what carries our mark and removes our directories.
 *
 * Invariant: the guard starts before the first directory or test is made, so there is no
 * instant at which something of ours is unwatched.
 *
 * Why not prctl(PR_SET_PDEATHSIG) alone: it reaches the tests' first processes, not those that
 * they have started, and removes no files. */
#include "os/sandbox/guard.h"

#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>

#include "os/child.h"
#include "os/descriptor.h"

enum { LAST_LIMIT_MS = 2000 }; /* for the watcher to end when told to */

/* $1: run id, then directories.  A process that is about to execute a program shows an
 * empty environment for an instant, so it is gone only when two looks find nothing; the
 * number of looks is bounded because some processes cannot die. */
static const char script[] = "trap '' INT TERM HUP QUIT\n"
                             "word=\n"
                             "read -r word\n"
                             "[ \"$word\" = done ] && exit 0\n"
                             "mark=\"^PARE_TEST=$1\\.\"\n"
                             "shift\n"
                             "looks=0 empty=0\n"
                             "while [ $empty -lt 2 ] && [ $looks -lt 200 ]; do\n"
                             "    looks=$((looks + 1)) empty=$((empty + 1))\n"
                             "    for file in $(grep -alzs -e \"$mark\" /proc/[0-9]*/environ); do\n"
                             "        pid=${file#/proc/}\n"
                             "        kill -9 \"${pid%/environ}\" && empty=0\n"
                             "    done\n"
                             "    sleep 0.02\n"
                             "done\n"
                             "for directory; do\n"
                             "    rm -rf -- \"$directory\" && continue\n"
                             "    chmod -R u+rwx \"$directory\"\n"
                             "    rm -rf -- \"$directory\"\n"
                             "done\n";

static const char *const environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", NULL};

/* The words are the script's arguments: run id, then the directories. */
pare_status pare_guard_open(pare_guard *guard, pare_spawner *spawner, const char *run_id,
                            const char *const *directories, pare_error *err)
{
    assert(!guard->child.pid);
    const char *words[5 + PARE_GUARD_DIRECTORIES + 1] = {"sh", "-c", script, "pare-guard", run_id};
    size_t n = 5;
    for (; *directories; directories++) {
        if (n == 5 + PARE_GUARD_DIRECTORIES)
            return pare_fail(err, PARE_E_ARG, "too many directories for one guard");
        words[n++] = *directories;
    }
    int ends[2];
    pare_status status = pare_descriptor_sockets(SOCK_STREAM, PARE_SPAWN_LEAST_FD, ends,
                                                 "a socket for the guard", err);
    if (status) return status;
    /* execve takes its words without const, and leaves them alone. */
    const pare_spawn spawn = {.path = "/bin/sh",
                              .argv = (char *const *)(const void *)words,
                              .envp = (char *const *)(const void *)environment,
                              .directory_fd = -1,
                              .input_fd = ends[1],
                              .output_fd = -1,
                              .kind = PARE_SPAWN_GUARD};
    status = pare_spawner_start(spawner, &spawn, &guard->child, err);
    (void)close(ends[1]);
    if (status)
        (void)close(ends[0]);
    else
        guard->fd = ends[0];
    return status;
}

/* Only somebody else ends it while we hold the socket. */
pare_status pare_guard_renew(pare_guard *guard, pare_spawner *spawner, const char *run_id,
                             const char *const *directories, pare_error *err)
{
    if (guard->child.pid) {
        if (!pare_descriptor_await(guard->child.pidfd, 0)) return PARE_OK;
        pare_guard_close(guard);
    }
    return pare_guard_open(guard, spawner, run_id, directories, err);
}

/* A guard that does not end by itself, as one that somebody has stopped, is killed. */
void pare_guard_close(pare_guard *guard)
{
    static const char last_word[] = "done\n";
    if (!guard->child.pid) return;
    (void)send(guard->fd, last_word, sizeof last_word - 1, MSG_NOSIGNAL);
    (void)close(guard->fd);
    if (!pare_descriptor_await(guard->child.pidfd, LAST_LIMIT_MS))
        (void)pare_child_kill(guard->child.pid);
    (void)pare_child_reap(guard->child.pid);
    (void)close(guard->child.pidfd);
    *guard = (pare_guard){0};
}
