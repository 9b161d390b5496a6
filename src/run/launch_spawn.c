/* The plain launcher: one new process a test, whose end arrives as a readable pidfd.
 *
 * It is what every other launcher is compared with, and falls back to: nothing of one test can
 * reach the next, and its endings are believed.  Cost: the spawn (0.35 ms and less) and the
 * program's own start.
 *
 * A slot's pidfd stays open until the slot's next test, because an event of it may still be on
 * its way when its end has been heard.  Invariant: a pidfd is in the epoll exactly while its
 * test runs. */
#include "run/launcher.h"

#include <assert.h>
#include <signal.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "os/descriptor.h"
#include "os/process_tree.h"
#include "os/sandbox/sandbox.h"
#include "os/spawn.h"

/* The implementation whose head pare_launch_spawn_new returns. */
typedef struct spawn_launcher {
    pare_launcher head;
    pare_launcher_home home;
    int *pidfds; /* owned; by slot, each of its last test; -1: none yet */
} spawn_launcher;

static spawn_launcher *of(pare_launcher *launcher)
{
    return (spawn_launcher *)(void *)launcher;
}

/* The process tree reaps the leader, ends what it left and says how it ended; after that nothing
 * of the test is in its sandbox, which is left too.  A test that was killed with process 1 of its
 * sandbox is lost, as one that was killed before it began: somebody else did that. */
static pare_status leave(spawn_launcher *self, unsigned slot, pare_ending *ending, pare_error *err)
{
    assert(self->pidfds[slot] >= 0);
    pare_descriptor_unwatch(self->home.epoll_fd, self->pidfds[slot]);
    pare_status status = pare_process_tree_leave(self->home.tree, slot, ending, err);
    if (ending->signal == SIGKILL && pare_sandbox_has_ended(self->home.sandbox, slot))
        ending->lost = true;
    pare_sandbox_leave(self->home.sandbox, slot);
    return status;
}

/* A pidfd is readable when its process has ended, and there is nothing to read.  It is asked again,
 * since the event may be of the slot's last test: one whose pidfd another process still held when we
 * closed it, a helper on its way to its program.  Taken for this test's end it would end this test. */
static pare_status hear(pare_launcher *launcher, unsigned slot, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    spawn_launcher *self = of(launcher);
    *ended = pare_descriptor_await(self->pidfds[slot], 0);
    return *ended ? leave(self, slot, ending, err) : PARE_OK;
}

/* Kills the group, and the leader by its pidfd, in case it has left the group. */
static void kill_test(pare_launcher *launcher, unsigned slot)
{
    spawn_launcher *self = of(launcher);
    pare_process_tree_kill(self->home.tree, slot, self->pidfds[slot]);
}

/* A test that was started but cannot be watched is ended at once, and counts as never started: its
 * end would not be heard of. */
static pare_status start(pare_launcher *launcher, unsigned slot, const pare_launch *launch,
                         pare_error *err)
{
    spawn_launcher *self = of(launcher);
    pare_child child = {0};
    const pare_spawn order = {.path = launch->path,
                              .argv = launch->argv,
                              .shell_argv = launch->shell_argv,
                              .envp = launch->envp,
                              .directory_fd = launch->directory_fd,
                              .directory = launch->directory,
                              .input_fd = launch->input_fd,
                              .output_fd = launch->output_fd,
                              .error_fd = launch->error_fd,
                              .kind = PARE_SPAWN_TEST,
                              .limits = pare_sandbox_limits(self->home.sandbox)};
    pare_status status =
        pare_sandbox_start(self->home.sandbox, slot, self->home.spawner, &order, &child, err);
    if (status) return status;
    pare_process_tree_enter(self->home.tree, slot, child.pid);
    if (self->pidfds[slot] >= 0) (void)close(self->pidfds[slot]);
    self->pidfds[slot] = child.pidfd;
    status = pare_descriptor_watch(self->home.epoll_fd, child.pidfd, slot, err);
    if (status) {
        pare_ending ignored;
        kill_test(launcher, slot);
        (void)!leave(self, slot, &ignored, NULL);
    }
    return status;
}

/* Nothing to do: the pidfd leaves the epoll set with its test, so no event can come without a
 * test. */
static void mute(pare_launcher *launcher, unsigned slot)
{
    (void)launcher;
    (void)slot;
}

/* The launcher may be half made: its list may be missing. */
static void destroy(pare_launcher *launcher)
{
    spawn_launcher *self = of(launcher);
    for (unsigned k = 0; self->pidfds && k < self->home.tree->n_slots; k++)
        if (self->pidfds[k] >= 0) (void)close(self->pidfds[k]);
    pare_alloc_free(self->pidfds);
    pare_alloc_free(self);
}

static const pare_launcher_ops ops = {
    .start = start, .kill = kill_test, .hear = hear, .mute = mute, .destroy = destroy};

/* Slots are those of the process tree, so each has its place there and here. */
pare_status pare_launch_spawn_new(const pare_launcher_home *home, pare_launcher **out,
                                  pare_error *err)
{
    spawn_launcher *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    *self = (spawn_launcher){.head.ops = &ops, .home = *home};
    self->pidfds = pare_alloc(home->tree->n_slots, sizeof *self->pidfds);
    if (!self->pidfds) {
        destroy(&self->head);
        return pare_fail_nomem(err);
    }
    for (unsigned k = 0; k < home->tree->n_slots; k++)
        self->pidfds[k] = -1;
    *out = &self->head;
    return PARE_OK;
}
