/* The process oracle: one loop over an epoll, in which tests end, print, or run out of time.
 *
 * How a program is started and how its end is heard is the launcher's business (launcher.h): it
 * puts a descriptor into our epoll that is readable when there is something to hear.  What an end
 * means, and which run comes next, is in process_verdict.c.  Deadlines are the time given
 * to epoll_wait, so nothing is polled and no timer is set.
 *
 * A clock that jumps is taken for a machine that stood still: every look at it says when the next
 * is due, and one that comes late gives all running tests the time they may have missed.
 *
 * Invariants: a slot that is not idle has a test of its launcher's, which an event of the
 * epoll will tell of; n_busy slots are not idle.
 *
 * Why one thread and an epoll rather than a thread per slot: the engine is one thread, and a
 * wait that returns the first of many ends is what it needs. */
#include "run/process.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <pare/outcome.h>
#include <pare/test.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/process_tree.h"
#include "os/sandbox/guard.h"
#include "os/sandbox/sandbox.h"
#include "os/sandbox/slotdir.h"
#include "os/spawn.h"
#include "os/stop.h"
#include "run/capture.h"
#include "run/command_files.h"
#include "run/compiler_line.h"
#include "run/invocation.h"
#include "run/judge.h"
#include "run/launcher.h"
#include "run/oracle.h"
#include "run/process_slot.h"
#include "run/process_verdict.h"
#include "run/runner.h"
#include "run/time_limit.h"
#include "text/layout.h"

enum {
    LATE_MS = 20,         /* a look that comes this much after the time it was due is late */
    EXTENSION_MS = 250,   /* of a deadline, at least */
    MOST_EXTENSIONS = 8,  /* for one run */
    AWAY_MS = 100,        /* that the engine may take between two waits */
    ASKING_FACTOR = 3,    /* times the limit for a compiler that is asked where it failed */
    MORE_TIME_FACTOR = 4, /* times the limit for a run that was starved the first time */
    HEARING_MS = 1000,    /* granted after a limit while events wait: one may be the test's end */
    KILL_LIMIT_MS = 1000  /* for a killed test to be heard of; then it is killed harder */
};

/* 34 years: so many nanoseconds, some times over, are a number. */
static const uint64_t LONGEST_MS = UINT64_C(1) << 40;

/* ---- waiting ------------------------------------------------------------------------- */

/* The test's verdict still comes, from wait, with `cancelled` set.  A test that is dying already
 * (its time was over) is not killed once more for that, and an idle slot has nothing to cancel. */
static void cancel(pare_oracle *oracle, unsigned slot)
{
    pare_process_oracle *self = pare_process_slot_oracle(oracle);
    assert(slot < oracle->n_slots);
    if (self->slots[slot].state == PARE_SLOT_IDLE) return;
    self->slots[slot].cancelled = true;
    if (self->slots[slot].state == PARE_SLOT_RUNNING) pare_process_slot_let_go(self, slot);
}

/* How long the run in the slot may take, in ns. If a hang is kept, it is the time after which a run
 * counts as hanging; otherwise the time limit, given or learned for candidates of this size. A
 * compiler that is asked where it was when the input failed gets more time: it is asked only once,
 * and its answer decides where the search begins. A test that got no processor time gets a longer
 * second run. */
static uint64_t limit_ns(const pare_process_oracle *self, const pare_process_slot *slot)
{
    const bool is_judged = self->judge && !slot->is_check;
    uint64_t hang_ms = is_judged ? pare_judge_hang_ms(self->judge, slot->trial.run) : 0;
    const bool asks_once = slot->is_check && slot->verdict.outcome == PARE_FAIL;
    const unsigned factor = asks_once ? ASKING_FACTOR : slot->has_more_time ? MORE_TIME_FACTOR : 1;
    const uint64_t ms = hang_ms ? hang_ms : pare_time_limit_of_size(&self->limit, slot->size_bytes);
    /* A caller may mean "never" by the largest number. */
    return (ms < LONGEST_MS ? ms : LONGEST_MS) * factor * 1000000u;
}

/* When something has to be done about the test in a slot, which is not idle: a running one is
 * killed then, a dying one of which nothing was heard is killed harder. */
static uint64_t deadline_ns(const pare_process_oracle *self, const pare_process_slot *slot)
{
    if (slot->state == PARE_SLOT_RUNNING)
        return slot->start_ns + limit_ns(self, slot) + slot->extended_ns;
    return slot->kill_ns + KILL_LIMIT_MS * UINT64_C(1000000);
}

/* Milliseconds until something has to be done about the first of the tests, rounded up, so
 * that a deadline has passed when we wake; -1: none runs.  O(slots). */
static int64_t next_deadline_ms(const pare_process_oracle *self, uint64_t now_ns)
{
    int64_t first_ms = -1;
    for (unsigned k = 0; k < self->head.n_slots; k++) {
        const pare_process_slot *slot = &self->slots[k];
        if (slot->state == PARE_SLOT_IDLE) continue;
        uint64_t end_ns = deadline_ns(self, slot);
        int64_t left_ms = end_ns > now_ns ? (int64_t)((end_ns - now_ns + 999999u) / 1000000u) : 0;
        if (first_ms < 0 || left_ms < first_ms) first_ms = left_ms;
    }
    return first_ms;
}

/* Kills the tests that have run too long, and once more those that are not heard of.  While
 * there are events, the ends of tests may be among them: then only those far beyond. */
static void expire(pare_process_oracle *self, uint64_t now_ns, bool has_events)
{
    if (has_events) now_ns -= HEARING_MS * UINT64_C(1000000);
    for (unsigned k = 0; k < self->head.n_slots; k++) {
        pare_process_slot *slot = &self->slots[k];
        if (slot->state == PARE_SLOT_IDLE || deadline_ns(self, slot) > now_ns) continue;
        slot->timed_out = slot->timed_out || slot->state == PARE_SLOT_RUNNING;
        pare_process_slot_kill(self, k);
    }
}

/* Adds the time since the last look to the limit of each running test: nobody watched it, and it
 * may not have run either.  A few times only, so that a machine that is always late still ends
 * tests that hang. */
static void extend_deadlines(pare_process_oracle *self, uint64_t now_ns)
{
    for (unsigned k = 0; k < self->head.n_slots; k++) {
        pare_process_slot *slot = &self->slots[k];
        if (slot->state != PARE_SLOT_RUNNING || slot->n_extensions == MOST_EXTENSIONS) continue;
        const uint64_t since_ns = slot->start_ns > self->look_ns ? slot->start_ns : self->look_ns;
        uint64_t lost_ns = now_ns > since_ns ? now_ns - since_ns : 0;
        if (lost_ns < EXTENSION_MS * UINT64_C(1000000)) lost_ns = EXTENSION_MS * UINT64_C(1000000);
        slot->extended_ns += lost_ns;
        slot->n_extensions++;
    }
}

/* The time; the next look is to come within `within_ms`, negative: some time.  If we look later
 * than that, the machine (or we) stood still, and so may the tests have, at any time since the
 * look before.  Each running test then gets that time added to its limit. */
static uint64_t look(pare_process_oracle *self, int64_t within_ms)
{
    const uint64_t now_ns = pare_clock_ns();
    if (self->look_ns && now_ns > self->due_ns) extend_deadlines(self, now_ns);
    self->look_ns = now_ns;
    self->due_ns = within_ms < 0 ? UINT64_MAX : now_ns + (uint64_t)(within_ms + LATE_MS) * 1000000u;
    return now_ns;
}

/* How long to sleep: until the caller's end (`end_ns`) or the first deadline of a test, whichever
 * comes first; -1: until there is an event. */
static int sleep_ms(const pare_process_oracle *self, uint64_t now_ns, uint64_t end_ns)
{
    int64_t left_ms = next_deadline_ms(self, now_ns);
    if (end_ns != UINT64_MAX) {
        int64_t own_ms = end_ns > now_ns ? (int64_t)((end_ns - now_ns + 999999u) / 1000000u) : 0;
        if (left_ms < 0 || own_ms < left_ms) left_ms = own_ms;
    }
    return left_ms > INT32_MAX ? INT32_MAX : (int)left_ms;
}

/* The time at which the caller stops waiting; UINT64_MAX: never.  A time so long that it would
 * overflow in nanoseconds is never, too. */
static uint64_t end_of_wait(uint64_t now_ns, int64_t timeout_ms)
{
    const int64_t most_ms = INT64_MAX / 2000000;
    if (timeout_ms < 0 || timeout_ms > most_ms) return UINT64_MAX;
    return now_ns + (uint64_t)timeout_ms * 1000000u;
}

/* Whether the event `what` belongs to the test that runs in its slot. A slot has two sources of
 * events, its own process and its server, and an event of one says nothing about a test of the
 * other. */
static bool hears_test(const pare_process_oracle *self, uint32_t what)
{
    const bool is_server = what & PARE_LAUNCHER_SERVER;
    what &= ~(uint32_t)PARE_LAUNCHER_SERVER;
    if (what >= self->head.n_slots || self->slots[what].state == PARE_SLOT_IDLE) return false;
    return is_server == (self->slots[what].launcher != self->runner.spawn);
}

/* Handles events that end no test: a slot's program has printed something, or a server speaks while
 * it runs no test. The stop's event needs no handling, as the loop asks for stops itself. */
static void hear_other(pare_process_oracle *self, uint32_t what)
{
    if (what & PARE_EVENT_OUT)
        pare_process_slot_hear_output(self, what - PARE_EVENT_OUT,
                                      &self->slots[what - PARE_EVENT_OUT].out);
    else if (what & PARE_EVENT_ERR)
        pare_process_slot_hear_output(self, what - PARE_EVENT_ERR,
                                      &self->slots[what - PARE_EVENT_ERR].err);
    else if (what & PARE_LAUNCHER_SERVER)
        self->runner.fast->ops->mute(self->runner.fast, what - PARE_LAUNCHER_SERVER);
}

/* Asks a launcher whose tests take microseconds whether one has ended already, which is cheaper
 * than to sleep and be woken.  Returns true if so: *what is as its event would be. */
static bool glance(pare_process_oracle *self, uint32_t *what)
{
    const pare_launcher *fast = self->runner.fast;
    if (!fast || !fast->ops->glance) return false;
    for (unsigned k = 0; k < self->head.n_slots; k++) {
        if (self->slots[k].state == PARE_SLOT_IDLE || self->slots[k].launcher != fast) continue;
        *what = k | PARE_LAUNCHER_SERVER;
        if (fast->ops->glance(self->runner.fast, k)) return true;
    }
    return false;
}

/* Waits until a test has its verdict, the time is over, or a stop is requested.  Events that
 * end no test (output, servers, runs that lead to further ones) do not end the wait.  What
 * there is to do is done in the same order each time round: stop, events, deadlines, the
 * caller's own time. */
static pare_status hear_next(pare_process_oracle *self, int64_t timeout_ms, pare_wait *what,
                             pare_verdict *verdict, pare_error *err)
{
    uint64_t now_ns = look(self, AWAY_MS);
    const uint64_t end_ns = end_of_wait(now_ns, timeout_ms);
    for (;;) {
        struct epoll_event event;
        uint32_t about = 0;
        assert(pare_process_slot_check(self));
        /* Nothing runs, so nothing can end: a verdict was lost with an error. Without this check
         * the caller, who waits without a limit, would sleep for ever. */
        const bool is_in_vain = !self->n_busy && end_ns == UINT64_MAX;
        if (is_in_vain || pare_stop_requested(self->stop)) {
            *what = PARE_WAIT_INTERRUPTED;
            return PARE_OK;
        }
        int n = 1;
        if (!glance(self, &about)) {
            int wait_ms = sleep_ms(self, now_ns, end_ns);
            (void)look(self, wait_ms);
            n = epoll_wait(self->epoll_fd, &event, 1, wait_ms);
            (void)look(self, AWAY_MS);
            if (n == 1) about = event.data.u32;
        }
        if (n < 0 && errno != EINTR) return pare_fail_errno(err, errno, "cannot wait for tests");
        if (n == 1 && hears_test(self, about)) {
            bool ended = false;
            pare_status status = pare_process_verdict_conclude(
                self, about & ~(uint32_t)PARE_LAUNCHER_SERVER, &ended, verdict, err);
            *what = PARE_WAIT_VERDICT;
            if (status || ended) return status;
        } else if (n == 1) {
            hear_other(self, about);
        }
        now_ns = look(self, AWAY_MS);
        expire(self, now_ns, n == 1);
        if ((n == 0 && now_ns >= end_ns) || (n == 1 && about == PARE_EVENT_WAKE)) {
            *what = PARE_WAIT_TIMEOUT;
            return PARE_OK;
        }
    }
}

pare_status pare_process_wake(pare_oracle *oracle, int fd, pare_error *err)
{
    return pare_descriptor_watch(pare_process_slot_oracle(oracle)->epoll_fd, fd, PARE_EVENT_WAKE,
                                 err);
}

/* The last look is for the engine, which now goes away to think: it may take AWAY_MS before the
 * next wait without anybody being late. */
static pare_status wait_for(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                            pare_verdict *verdict, pare_error *err)
{
    pare_process_oracle *self = pare_process_slot_oracle(oracle);
    pare_status status = hear_next(self, timeout_ms, what, verdict, err);
    (void)look(self, AWAY_MS);
    return status;
}

/* --- life -------------------------------------------------------------------- */

/* Ends all tests: kills every one before it waits for the first, so that they die side by side.
 * Twice, since a launcher kills a test alone at first, and its server with it the second time. */
static void end_tests(pare_process_oracle *self)
{
    for (unsigned hard = 0; hard < 2; hard++)
        for (unsigned k = 0; self->n_busy && k < self->head.n_slots; k++)
            if (self->slots[k].state != PARE_SLOT_IDLE) pare_process_slot_kill(self, k);
    for (unsigned k = 0; self->n_busy && k < self->head.n_slots; k++)
        if (self->slots[k].state != PARE_SLOT_IDLE) pare_process_slot_forget(self, k);
}

/* Captures and buffers are kept from test to test, so they go with the slots. */
static void close_slots(pare_process_oracle *self)
{
    for (unsigned k = 0; self->slots && k < self->head.n_slots; k++) {
        pare_capture_close(&self->slots[k].out);
        pare_capture_close(&self->slots[k].err);
        pare_buffer_done(&self->slots[k].bytes);
        pare_layout_words_done(&self->slots[k].words);
        pare_buffer_done(&self->slots[k].signature);
        pare_buffer_done(&self->slots[k].why);
        pare_buffer_done(&self->slots[k].output);
        pare_alloc_free(self->slots[k].complaints);
    }
    pare_alloc_free(self->slots);
}

/* Tests end before the launchers that run them, those before the sandbox, and the guard goes
 * last, when nothing is left to guard. */
static void destroy(pare_oracle *oracle)
{
    pare_process_oracle *self = pare_process_slot_oracle(oracle);
    if (self->slots) end_tests(self);
    pare_runner_done(&self->runner);
    pare_sandbox_free(self->sandbox);
    pare_process_tree_done(&self->tree);
    pare_slotdirs_free(self->dirs);
    pare_guard_close(&self->guard);
    pare_spawner_done(&self->spawner);
    close_slots(self);
    if (self->epoll_fd >= 0) (void)close(self->epoll_fd);
    pare_invocation_done(&self->invocation);
    pare_command_done(&self->watched);
    pare_command_done(&self->found);
    pare_command_done(&self->found_linked);
    pare_command_done(&self->found_whole);
    pare_buffer_done(&self->emitter);
    pare_alloc_free(self);
}

/* Watching only helps if the compiler that it finds can be run again. */
static bool watch(pare_oracle *oracle)
{
    pare_process_oracle *self = pare_process_slot_oracle(oracle);
    bool tries = self->finds_check;
    self->finds_check = false;
    if (!tries || pare_compiler_line_watch(self->commands[PARE_RUN_PROGRAM], self->base_name,
                                           &self->watched, NULL))
        return false;
    self->watch_next = true;
    return pare_process_slot_make_room(self, NULL) == PARE_OK;
}

/* A worker's output mixes all its candidates, and nobody else can watch its compiler. */
static bool listen_to(pare_oracle *oracle, pare_listening listens)
{
    pare_process_oracle *self = pare_process_slot_oracle(oracle);
    if (pare_process_slot_has_worker(self) && !self->check) return false;
    self->listens = listens;
    return true;
}

static const char *emitter(const pare_oracle *oracle)
{
    const pare_process_oracle *self = (const pare_process_oracle *)(const void *)oracle;
    return self->emitter.size ? self->emitter.data : NULL;
}

static const pare_oracle_ops ops = {.start = pare_process_slot_start,
                                    .cancel = cancel,
                                    .wait = wait_for,
                                    .destroy = destroy,
                                    .listen = listen_to,
                                    .watch = watch,
                                    .emitter = emitter};

/* The guard is told the directories' names before anything is made under them. */
static pare_status prepare_directories(pare_process_oracle *self,
                                       const pare_process_options *options, pare_error *err)
{
    const pare_slotdirs_options dirs = {.run_id = self->run_id,
                                        .base_name = options->base_name,
                                        .n_slots = options->n_slots,
                                        .mode = options->mode};
    pare_status status = pare_slotdirs_new(&dirs, &self->dirs, err);
    if (status) return status;
    return pare_process_slot_guard(self, err);
}

/* In the order in which the parts need each other.  What fails leaves the rest to destroy. */
static pare_status prepare(pare_process_oracle *self, const pare_process_options *options,
                           pare_error *err)
{
    pare_status status = pare_process_slot_make_room(self, err);
    if (status) return status;
    self->slots = pare_alloc_zero(options->n_slots, sizeof *self->slots);
    if (!self->slots) return pare_fail_nomem(err);
    self->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (self->epoll_fd < 0) return pare_fail_errno(err, errno, "cannot make an epoll descriptor");
    if (options->stop)
        status = pare_descriptor_watch(self->epoll_fd, pare_stop_fd(options->stop), PARE_EVENT_STOP,
                                       err);
    if (!status) status = pare_spawner_init(&self->spawner, err);
    if (!status) status = prepare_directories(self, options, err);
    if (status) return status;
    status = pare_process_tree_init(&self->tree, self->run_id, options->n_slots,
                                    options->owns_children, err);
    if (status) return status;
    self->tree.spared[0] = self->guard.child.pid;
    pare_sandbox_options sandbox = options->sandbox;
    sandbox.is_emulated = self->spawner.emulated;
    status = pare_sandbox_new(&sandbox, &self->tree, &self->sandbox, err);
    if (status) return status;
    const pare_launcher_home home = {.spawner = &self->spawner,
                                     .tree = &self->tree,
                                     .sandbox = self->sandbox,
                                     .epoll_fd = self->epoll_fd,
                                     .is_cell = options->sandbox.level == PARE_LEVEL_FULL};
    return pare_runner_init(&self->runner, options->runner, &home, options->command, err);
}

/* The recorder's guard, for one, is a child of ours that no sweep may end. */
void pare_process_spare(pare_oracle *oracle, pid_t guard, pid_t program)
{
    pare_process_tree *tree = &pare_process_slot_oracle(oracle)->tree;
    tree->spared[1] = guard;
    tree->spared[2] = program;
}

/* Whatever fails in prepare, destroy takes back: every part is all-zero, or -1, until it is
 * made. */
pare_status pare_process_new(const pare_process_options *options, pare_oracle **out,
                             pare_error *err)
{
    if (!options->n_slots || options->n_slots >= PARE_LAUNCHER_SERVER)
        return pare_fail(err, PARE_E_ARG, "cannot run %u tests at once", options->n_slots);
    pare_process_oracle *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_oracle){.ops = &ops, .n_slots = options->n_slots};
    self->commands[PARE_RUN_PROGRAM] = options->command;
    self->commands[PARE_RUN_OTHER] = options->other;
    self->commands[PARE_RUN_VALID] = options->valid;
    self->check = options->check;
    self->base_name = options->base_name;
    /* Output of a program that runs without a script is read anyway. With several files nobody
     * knows which one a compiler was given. */
    self->finds_check = options->finds_check && !options->check && !options->judge &&
                        !options->layout && !options->command->is_worker;
    self->judge = options->judge;
    self->layout = options->layout;
    self->environment = options->environment;
    self->output_fd = options->output_fd;
    self->also_exit_code = options->also_exit_code;
    if (options->holds_files) pare_command_files_note(&self->files, options->command);
    self->stop = options->stop;
    self->limit.fixed_ms = options->timeout_ms;
    self->epoll_fd = -1;
    pare_process_tree_name_run(self->run_id);
    pare_status status = prepare(self, options, err);
    if (status)
        destroy(&self->head);
    else
        *out = &self->head;
    return status;
}

/* For the notices of the sandbox, which are the session's to tell. */
const pare_sandbox *pare_process_sandbox(const pare_oracle *oracle)
{
    return ((const pare_process_oracle *)(const void *)oracle)->sandbox;
}

/* A server that began with other addresses cannot change them, so it is given up first. */
bool pare_process_fix_addresses(pare_oracle *oracle, bool fixed)
{
    pare_process_oracle *self = pare_process_slot_oracle(oracle);
    const pare_error why = {.message = "the failure comes by chance, which servers may hide"};
    if (pare_process_slot_has_worker(self) || !pare_spawn_can_fix_addresses()) return false;
    if (self->runner.fast && pare_runner_give_up(&self->runner, PARE_E_UNSUPPORTED, &why))
        return false;
    pare_sandbox_fix_addresses(self->sandbox, fixed);
    return true;
}

/* For reports: what was chosen, and the sentence that goes with it. */
pare_runner pare_process_runner(const pare_oracle *oracle, const char **reason)
{
    const pare_process_oracle *self = (const pare_process_oracle *)(const void *)oracle;
    if (reason) *reason = self->runner.reason;
    return pare_runner_chosen(&self->runner);
}

/* About the first candidate on which a worker ended; later ones would say nothing new. */
const char *pare_process_worker_notice(const pare_oracle *oracle)
{
    const pare_process_oracle *self = (const pare_process_oracle *)(const void *)oracle;
    return self->workers.notice[0] ? self->workers.notice : NULL;
}

/* Taken back by the next start, which hands it to its slot. */
void pare_process_capture_next(pare_oracle *oracle)
{
    pare_process_slot_oracle(oracle)->capture_next = true;
}

/* One text serves all slots, because only one test at a time is captured. */
const char *pare_process_captured(pare_oracle *oracle)
{
    return pare_process_slot_oracle(oracle)->captured;
}

/* Only servers know coverage. */
unsigned char *pare_process_coverage(pare_oracle *oracle, unsigned slot, size_t *size_bytes)
{
    pare_launcher *fast = pare_process_slot_oracle(oracle)->runner.fast;
    assert(slot < oracle->n_slots);
    return fast && fast->ops->coverage ? fast->ops->coverage(fast, slot, size_bytes) : NULL;
}

/* A copy: what is learned later does not change it. */
pare_time_limit pare_process_time_limit(const pare_oracle *oracle)
{
    return ((const pare_process_oracle *)(const void *)oracle)->limit;
}

/* From a journal: what an earlier run has learned; the user's own limit goes before it. */
void pare_process_set_time_limit(pare_oracle *oracle, pare_time_limit limit)
{
    pare_time_limit *own = &pare_process_slot_oracle(oracle)->limit;
    uint64_t fixed_ms = own->fixed_ms;
    *own = limit;
    own->fixed_ms = fixed_ms;
}
