/* Programs that make inputs, built on the parts that run tests.
 *
 * Each slot has a mark of this run in the environment of its program, so processes that leave the
 * program's group are found and ended with it (os/process_tree.h), and the guard ends all of them
 * when this process is killed.  Tests have a different mark, so their oracle leaves these processes
 * alone.
 * Why not run/process.h: its tests are short, have one candidate each, and their output is
 * judged; a fuzzer runs for hours and makes files. */
#include "campaign/source_program.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/stop.h"

extern char **environ;

/* Makes `n` slots without a program, with what starts and ends them. After a
 * failure pare_source_program_done releases what there is; has_spawner and
 * has_tree say how far it came. */
pare_status pare_source_program_init(pare_source_programs *programs, unsigned n, pare_error *err)
{
    static const char *const no_folders[] = {NULL};
    *programs = (pare_source_programs){.n = n};
    programs->children = pare_alloc_zero(n, sizeof *programs->children);
    if (!programs->children) return pare_fail_nomem(err);
    for (unsigned i = 0; i < n; i++)
        programs->children[i].pidfd = -1;
    pare_process_tree_name_run(programs->run_id);
    pare_status status = pare_spawner_init(&programs->spawner, err);
    if (status) return status;
    programs->has_spawner = true;
    status =
        pare_guard_open(&programs->guard, &programs->spawner, programs->run_id, no_folders, err);
    if (!status) status = pare_process_tree_init(&programs->tree, programs->run_id, n, false, err);
    programs->has_tree = !status;
    return status;
}

/* Ends all programs. All are killed before the first is awaited, so that they
 * die side by side. */
void pare_source_program_done(pare_source_programs *programs)
{
    for (unsigned i = 0; programs->children && i < programs->n; i++)
        if (programs->children[i].pidfd >= 0)
            pare_process_tree_kill(&programs->tree, i, programs->children[i].pidfd);
    for (unsigned i = 0; programs->children && i < programs->n; i++) {
        pare_ending unused;
        /* What somebody else has reaped is gone, too. */
        (void)!pare_source_program_end(programs, i, &unused, NULL);
    }
    if (programs->has_tree) pare_process_tree_done(&programs->tree);
    pare_guard_close(&programs->guard);
    if (programs->has_spawner) pare_spawner_done(&programs->spawner);
    pare_alloc_free(programs->children);
    *programs = (pare_source_programs){.n = 0};
}

/* The environment of a program: ours, with the order's variables in the place
 * of their namesakes, and the mark. The caller frees the list; NULL: no memory. */
static const char **make_environment(const pare_source_program_order *order, const char *mark)
{
    const char *const marks[] = {mark, NULL};
    const char **marked = pare_spawn_environment(environ, marks);
    if (!marked || !order->variables) return marked;
    char *const *entries = (char *const *)(const void *)marked;
    const char **all = pare_spawn_environment(entries, order->variables);
    pare_alloc_free(marked);
    return all;
}

/* Starts a program in a slot that is free. Its folder is opened here and not in
 * the child, so that an error names it. */
pare_status pare_source_program_start(pare_source_programs *programs, unsigned slot,
                                      const pare_source_program_order *order, pare_error *err)
{
    assert(slot < programs->n && programs->children[slot].pidfd < 0);
    char mark[PARE_PROCESS_TREE_MARK_BYTES];
    pare_process_tree_mark(&programs->tree, slot, mark);
    const char **environment = make_environment(order, mark);
    if (!environment) return pare_fail_nomem(err);
    const int folder = open(order->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const pare_spawn_limits limits = {.file_bytes = order->file_bytes};
    const pare_spawn spawn = {.path = order->words[1],
                              .argv = order->words + 1,
                              .shell_argv = order->words,
                              .envp = (char *const *)(const void *)environment,
                              .directory_fd = folder,
                              .directory = order->folder,
                              .input_fd = -1,
                              .output_fd = order->output_fd,
                              .error_fd = order->error_fd,
                              .kind = PARE_SPAWN_TEST,
                              .limits = order->file_bytes ? &limits : NULL};
    pare_status status =
        folder < 0 ? pare_fail_errno(err, errno, "%s", order->folder)
                   : pare_spawner_start(&programs->spawner, &spawn, &programs->children[slot], err);
    if (status)
        programs->children[slot].pidfd = -1;
    else
        pare_process_tree_enter(&programs->tree, slot, programs->children[slot].pid);
    if (status && folder >= 0) pare_fail_prefix(err, "%s", order->words[1]);
    if (folder >= 0) (void)close(folder);
    pare_alloc_free(environment);
    return status;
}

/* Whether the program has ended within timeout_ms (-1: no limit). A stop ends
 * the wait with false, or true if the program has ended, too. An empty slot has
 * ended. */
bool pare_source_program_await(const pare_source_programs *programs, unsigned slot,
                               int64_t timeout_ms, const pare_stop *stop)
{
    struct pollfd fds[] = {{.fd = programs->children[slot].pidfd, .events = POLLIN},
                           {.fd = pare_stop_fd(stop), .events = POLLIN}};
    const uint64_t end_ms = pare_clock_ms() + (uint64_t)(timeout_ms < 0 ? 0 : timeout_ms);
    if (fds[0].fd < 0) return true;
    for (;;) {
        const uint64_t now_ms = pare_clock_ms();
        if (timeout_ms >= 0 && now_ms > end_ms) return false;
        const uint64_t left = end_ms - now_ms;
        const int n = poll(fds, 2, timeout_ms < 0 ? -1 : left < INT32_MAX ? (int)left : INT32_MAX);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) return fds[0].revents != 0;
        if (n == 0) return false;
    }
}

/* Ends a program, by force if need be, and waits until it is gone: when this
 * returns nothing of it runs, not even what it has started. *ending is how it
 * ended. An empty slot is a no-op. */
pare_status pare_source_program_end(pare_source_programs *programs, unsigned slot,
                                    pare_ending *ending, pare_error *err)
{
    *ending = (pare_ending){.exit_code = -1};
    if (slot >= programs->n || programs->children[slot].pidfd < 0) return PARE_OK;
    const int pidfd = programs->children[slot].pidfd;
    if (!pare_descriptor_await(pidfd, 0)) pare_process_tree_kill(&programs->tree, slot, pidfd);
    while (!pare_descriptor_await(pidfd, 1000))
        continue;
    pare_status status = pare_process_tree_leave(&programs->tree, slot, ending, err);
    (void)close(pidfd);
    programs->children[slot].pidfd = -1;
    return status;
}
