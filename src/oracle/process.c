/* The process oracle.
 *
 * A slot is idle, running, or dying: killed because it was cancelled or has timed out,
 * and waiting for its leader's end.  How the program is started and how its end is heard
 * is the launcher's business (os/launcher.h): it gives a descriptor that is readable
 * when there is something to hear, and all of them are in one epoll.  Deadlines are the
 * time given to epoll_wait, so nothing is polled and no timer is set.
 * Invariant: a slot that is not idle has a test of the launcher's, and its descriptor in
 * the epoll; an idle slot's directory is empty. */
#include "oracle/process.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/alloc.h"
#include "oracle/tail.h"
#include "os/clock.h"
#include "os/family.h"
#include "os/file.h"
#include "os/guard.h"
#include "os/launch_spawn.h"
#include "os/slotdir.h"
#include "os/spawn.h"
#include "os/wake.h"

enum state { IDLE = 0, RUNNING, DYING };

struct slot {
    enum state state;
    bool cancelled, timed_out; /* why it is dying */
    int heard_fd;              /* the launcher's, unless idle */
    uint64_t start_ns;
};

/* What an event of the epoll is about: a slot's number, or one of these. */
enum { EVENT_STOP = 1 << 30, EVENT_TAIL };

enum { RUN_ID_BYTES = 48 };

typedef struct process_oracle {
    pare_oracle head;
    const pare_command *command; /* borrowed */
    const pare_stop *stop;       /* borrowed */
    struct slot *slots;          /* owned */
    unsigned n_busy;
    char run_id[RUN_ID_BYTES];
    char mark[PARE_FAMILY_MARK_BYTES]; /* the environment's first entry */
    const char **environment;          /* owned; the strings are the process's, and mark */
    const char **argv;                 /* owned; the strings are the command's */
    int epoll_fd;
    pare_spawner spawner;
    pare_guard guard;
    pare_family family;
    pare_sandbox *sandbox;   /* owned */
    pare_launcher *launcher; /* owned */
    pare_slotdirs *dirs;
    pare_time_limit limit;
    bool capture_next;
    unsigned captured_slot; /* while the tail is open */
    pare_tail tail;
} process_oracle;

extern char **environ;

static process_oracle *of(pare_oracle *oracle)
{
    return (process_oracle *)(void *)oracle;
}

static pare_status watch(const process_oracle *self, int fd, uint32_t what, pare_error *err)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = what};
    if (epoll_ctl(self->epoll_fd, EPOLL_CTL_ADD, fd, &event))
        return pare_fail_errno(err, errno, "cannot wait for a test");
    return PARE_OK;
}

/* Closing alone is not enough: a child that has just executed its program may hold a
 * copy for an instant (the kernel lets us go on before it closes what is close-on-exec),
 * and an old event would then end the slot's next test. */
static void unwatch(const process_oracle *self, int fd)
{
    if (fd >= 0) (void)epoll_ctl(self->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

static void close_tail(process_oracle *self)
{
    unwatch(self, self->tail.read_fd);
    pare_tail_close(&self->tail);
}

/* --- starting ---------------------------------------------------------------- */

static int add_span(void *context, pare_span span)
{
    return pare_gather_add(context, span.bytes, span.size);
}

static int fill_candidate(void *context, pare_gather *gather)
{
    return pare_candidate_spans(context, add_span, gather);
}

/* The sentence for a test that cannot be executed. */
static pare_status explain(const char *path, int cause, pare_error *err)
{
    pare_error_clear(err);
    if (cause == ENOENT && pare_file_exists(path))
        return pare_fail_errno(err, cause,
                               "cannot run the test %s: the interpreter in its first line "
                               "is missing",
                               path);
    if (cause == EACCES)
        return pare_fail_errno(err, cause, "cannot run the test %s, is it executable?", path);
    return pare_fail_errno(err, cause, "cannot run the test %s", path);
}

static pare_status launch(process_oracle *self, unsigned slot, int output_fd, int *heard_fd,
                          pare_error *err)
{
    pare_error failure = {0};
    pare_family_mark(&self->family, slot, self->mark);
    pare_command_argv(self->command, pare_slotdirs_path(self->dirs, slot), self->argv);
    /* execve takes its words without const, and leaves them alone. */
    char *const *argv = (char *const *)(const void *)self->argv;
    const pare_launch order = {.path = self->argv[1],
                               .argv = argv + 1,
                               .shell_argv = argv,
                               .envp = (char *const *)(const void *)self->environment,
                               .directory_fd = pare_slotdirs_fd(self->dirs, slot),
                               .directory = pare_slotdirs_folder(self->dirs, slot),
                               .input_fd = -1,
                               .output_fd = output_fd,
                               .error_fd = output_fd};
    pare_status status =
        self->launcher->ops->start(self->launcher, slot, &order, heard_fd, &failure);
    if (status && !failure.os_errno) return pare_fail(err, status, "%s", failure.message);
    return status ? explain(order.path, failure.os_errno, err) : PARE_OK;
}

/* Opens the tail for the test in `slot` if it is to be captured; *fd is its output. */
static pare_status start_capture(process_oracle *self, unsigned slot, int *fd, pare_error *err)
{
    *fd = -1;
    if (!self->capture_next) return PARE_OK;
    self->capture_next = false;
    close_tail(self);
    pare_status status = pare_tail_open(&self->tail, err);
    if (!status) status = watch(self, self->tail.read_fd, EVENT_TAIL, err);
    *fd = self->tail.write_fd;
    self->captured_slot = slot;
    return status;
}

/* Hears the test in `slot`; frees the slot when it has *ended. */
static pare_status hear(process_oracle *self, unsigned slot, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    *ended = false;
    pare_status status = self->launcher->ops->hear(self->launcher, slot, ended, ending, err);
    if (!status && !*ended) return PARE_OK;
    *ended = true;
    unwatch(self, self->slots[slot].heard_fd);
    pare_slotdirs_clear(self->dirs, slot);
    self->slots[slot].state = IDLE;
    self->n_busy--;
    return status;
}

/* Waits for the end of the test in `slot`, which nobody is interested in any more. */
static void forget(process_oracle *self, unsigned slot)
{
    pare_ending ignored;
    for (bool ended = false; !ended;)
        if (hear(self, slot, &ended, &ignored, NULL)) break; /* freed all the same */
}

static void kill_slot(process_oracle *self, unsigned slot)
{
    self->slots[slot].state = DYING;
    self->launcher->ops->kill(self->launcher, slot);
}

static pare_status start(pare_oracle *oracle, unsigned slot, const pare_candidate *candidate,
                         pare_error *err)
{
    process_oracle *self = of(oracle);
    assert(slot < oracle->n_slots && self->slots[slot].state == IDLE);
    int output_fd = -1, heard_fd = -1;
    /* The callback takes its context without const, and leaves it alone. */
    pare_status status =
        pare_slotdirs_put(self->dirs, slot, fill_candidate, (void *)(size_t)candidate, err);
    if (status) return status;
    status = start_capture(self, slot, &output_fd, err);
    uint64_t start_ns = pare_clock_ns();
    if (!status) status = launch(self, slot, output_fd, &heard_fd, err);
    pare_tail_close_writer(&self->tail);
    if (status) {
        pare_slotdirs_clear(self->dirs, slot);
        return status;
    }
    self->slots[slot] = (struct slot){.state = RUNNING, .heard_fd = heard_fd, .start_ns = start_ns};
    self->n_busy++;
    status = watch(self, heard_fd, slot, err);
    if (status) {
        kill_slot(self, slot);
        forget(self, slot);
    }
    return status;
}

static void cancel(pare_oracle *oracle, unsigned slot)
{
    process_oracle *self = of(oracle);
    assert(slot < oracle->n_slots);
    if (self->slots[slot].state == IDLE) return;
    self->slots[slot].cancelled = true;
    if (self->slots[slot].state == RUNNING) kill_slot(self, slot);
}

/* --- waiting ----------------------------------------------------------------- */

/* Milliseconds until the first running test has to end, rounded up; -1: none runs. */
static int64_t next_deadline_ms(const process_oracle *self, uint64_t now_ns)
{
    uint64_t limit_ns = pare_time_limit_ms(&self->limit) * 1000000u;
    int64_t first_ms = -1;
    for (unsigned k = 0; k < self->head.n_slots; k++) {
        const struct slot *slot = &self->slots[k];
        if (slot->state != RUNNING) continue;
        uint64_t end_ns = slot->start_ns + limit_ns;
        int64_t left_ms = end_ns > now_ns ? (int64_t)((end_ns - now_ns + 999999u) / 1000000u) : 0;
        if (first_ms < 0 || left_ms < first_ms) first_ms = left_ms;
    }
    return first_ms;
}

/* Kills the tests that have run too long. */
static void expire(process_oracle *self, uint64_t now_ns)
{
    uint64_t limit_ns = pare_time_limit_ms(&self->limit) * 1000000u;
    for (unsigned k = 0; k < self->head.n_slots; k++) {
        struct slot *slot = &self->slots[k];
        if (slot->state != RUNNING || slot->start_ns + limit_ns > now_ns) continue;
        slot->timed_out = true;
        kill_slot(self, k);
    }
}

static void finish_capture(process_oracle *self, unsigned slot)
{
    if (self->tail.read_fd < 0 || self->captured_slot != slot) return;
    /* All writers are dead: what is in the pipe is all there is. */
    (void)pare_tail_drain(&self->tail);
    close_tail(self);
}

/* There is something to hear about the test in `slot`; sets *verdict if it has *ended. */
static pare_status conclude(process_oracle *self, unsigned slot, bool *ended, pare_verdict *verdict,
                            pare_error *err)
{
    struct slot was = self->slots[slot];
    pare_ending ending = {.exit_code = -1};
    uint64_t now_ns = pare_clock_ns();
    pare_status status = hear(self, slot, ended, &ending, err);
    if (*ended) finish_capture(self, slot);
    if (status || !*ended) return status;
    double duration_ms = (double)(now_ns - was.start_ns) / 1e6;
    *verdict = (pare_verdict){.slot = slot,
                              .cancelled = was.cancelled,
                              .duration_ms = duration_ms,
                              .exit_code = ending.exit_code,
                              .signal = ending.signal,
                              .timed_out = was.timed_out && !was.cancelled};
    if (was.cancelled) return PARE_OK;
    verdict->outcome = was.timed_out           ? PARE_UNRESOLVED
                       : ending.exit_code == 0 ? PARE_FAIL
                                               : PARE_PASS;
    if (!was.timed_out)
        pare_time_limit_learn(&self->limit, (now_ns - was.start_ns + 999999u) / 1000000u);
    return PARE_OK;
}

/* How long to sleep: until the caller's end, or the first test's. */
static int sleep_ms(const process_oracle *self, uint64_t now_ns, uint64_t end_ns)
{
    int64_t left_ms = next_deadline_ms(self, now_ns);
    if (end_ns != UINT64_MAX) {
        int64_t own_ms = end_ns > now_ns ? (int64_t)((end_ns - now_ns + 999999u) / 1000000u) : 0;
        if (left_ms < 0 || own_ms < left_ms) left_ms = own_ms;
    }
    return left_ms > INT32_MAX ? INT32_MAX : (int)left_ms;
}

static uint64_t end_of_wait(uint64_t now_ns, int64_t timeout_ms)
{
    const int64_t most_ms = INT64_MAX / 2000000;
    if (timeout_ms < 0 || timeout_ms > most_ms) return UINT64_MAX;
    return now_ns + (uint64_t)timeout_ms * 1000000u;
}

static pare_status wait_for(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                            pare_verdict *verdict, pare_error *err)
{
    process_oracle *self = of(oracle);
    uint64_t now_ns = pare_clock_ns();
    const uint64_t end_ns = end_of_wait(now_ns, timeout_ms);
    for (;;) {
        struct epoll_event event;
        if (pare_stop_requested(self->stop)) {
            *what = PARE_WAIT_INTERRUPTED;
            return PARE_OK;
        }
        int n = epoll_wait(self->epoll_fd, &event, 1, sleep_ms(self, now_ns, end_ns));
        if (n < 0 && errno != EINTR) return pare_fail_errno(err, errno, "cannot wait for tests");
        if (n == 1 && event.data.u32 < oracle->n_slots &&
            self->slots[event.data.u32].state != IDLE) {
            bool ended = false;
            pare_status status = conclude(self, event.data.u32, &ended, verdict, err);
            *what = PARE_WAIT_VERDICT;
            if (status || ended) return status;
        }
        if (n == 1 && event.data.u32 == EVENT_TAIL && !pare_tail_drain(&self->tail))
            close_tail(self);
        now_ns = pare_clock_ns();
        expire(self, now_ns);
        if (n == 0 && now_ns >= end_ns) {
            *what = PARE_WAIT_TIMEOUT;
            return PARE_OK;
        }
    }
}

/* --- life -------------------------------------------------------------------- */

/* Ends all tests: kills them first, then waits for each. */
static void end_tests(process_oracle *self)
{
    for (unsigned k = 0; self->n_busy && k < self->head.n_slots; k++)
        if (self->slots[k].state == RUNNING) kill_slot(self, k);
    for (unsigned k = 0; self->n_busy && k < self->head.n_slots; k++)
        if (self->slots[k].state != IDLE) forget(self, k);
}

static void destroy(pare_oracle *oracle)
{
    process_oracle *self = of(oracle);
    if (self->slots) end_tests(self);
    pare_launcher_free(self->launcher);
    pare_sandbox_free(self->sandbox);
    pare_family_done(&self->family);
    pare_slotdirs_free(self->dirs);
    pare_guard_close(&self->guard);
    pare_spawner_done(&self->spawner);
    pare_tail_close(&self->tail);
    if (self->epoll_fd >= 0) (void)close(self->epoll_fd);
    pare_release(self->environment);
    pare_release(self->argv);
    pare_release(self->slots);
    pare_release(self);
}

static const pare_oracle_ops ops = {
    .start = start, .cancel = cancel, .wait = wait_for, .destroy = destroy};

/* A name that no other run has. */
static void name_run(char run_id[RUN_ID_BYTES])
{
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random)
        random = pare_clock_ns();
    (void)snprintf(run_id, RUN_ID_BYTES, "%d-%016llx", (int)getpid(), (unsigned long long)random);
}

/* Our environment with the mark in front. */
static pare_status prepare_environment(process_oracle *self, pare_error *err)
{
    static const char own[] = "PARE_TEST=";
    size_t n = 0, used = 0;
    while (environ && environ[n])
        n++;
    self->environment = pare_alloc(n + 2, sizeof *self->environment);
    if (!self->environment) return pare_fail_nomem(err);
    self->environment[used++] = self->mark;
    for (size_t k = 0; k < n; k++)
        if (strncmp(environ[k], own, sizeof own - 1) != 0) self->environment[used++] = environ[k];
    self->environment[used] = NULL;
    return PARE_OK;
}

static pare_status prepare_directories(process_oracle *self, const pare_process_options *options,
                                       pare_error *err)
{
    const pare_slotdirs_options dirs = {.run_id = self->run_id,
                                        .base_name = options->base_name,
                                        .n_slots = options->n_slots,
                                        .mode = options->mode};
    pare_status status = pare_slotdirs_new(&dirs, &self->dirs, err);
    if (status) return status;
    const char *const roots[] = {pare_slotdirs_root(self->dirs),
                                 pare_slotdirs_disk_root(self->dirs), NULL};
    return pare_guard_open(&self->guard, &self->spawner, self->run_id, roots, err);
}

static pare_status prepare(process_oracle *self, const pare_process_options *options,
                           pare_error *err)
{
    pare_status status = prepare_environment(self, err);
    if (status) return status;
    self->slots = pare_alloc_zero(options->n_slots, sizeof *self->slots);
    self->argv = pare_alloc(options->command->n_words + 2, sizeof *self->argv);
    if (!self->slots || !self->argv) return pare_fail_nomem(err);
    self->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (self->epoll_fd < 0) return pare_fail_errno(err, errno, "cannot make an epoll descriptor");
    if (options->stop) status = watch(self, pare_stop_fd(options->stop), EVENT_STOP, err);
    if (!status) status = pare_spawner_init(&self->spawner, err);
    if (!status) status = prepare_directories(self, options, err);
    if (status) return status;
    status = pare_family_init(&self->family, self->run_id, options->n_slots, options->owns_children,
                              err);
    if (status) return status;
    self->family.spared = self->guard.child.pid;
    pare_sandbox_options sandbox = options->sandbox;
    sandbox.is_emulated = self->spawner.emulated;
    status = pare_sandbox_new(&sandbox, &self->family, &self->sandbox, err);
    if (status) return status;
    return pare_launch_spawn_new(&self->spawner, &self->family, self->sandbox, &self->launcher,
                                 err);
}

pare_status pare_process_new(const pare_process_options *options, pare_oracle **out,
                             pare_error *err)
{
    if (!options->n_slots || options->n_slots >= EVENT_STOP)
        return pare_fail(err, PARE_E_ARG, "%u tests at once are not possible", options->n_slots);
    process_oracle *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_oracle){.ops = &ops, .n_slots = options->n_slots};
    self->command = options->command;
    self->stop = options->stop;
    self->limit.fixed_ms = options->timeout_ms;
    self->epoll_fd = self->tail.read_fd = self->tail.write_fd = -1;
    name_run(self->run_id);
    pare_status status = prepare(self, options, err);
    if (status)
        destroy(&self->head);
    else
        *out = &self->head;
    return status;
}

const char *pare_process_notice(const pare_oracle *oracle)
{
    return pare_sandbox_notice(((const process_oracle *)(const void *)oracle)->sandbox);
}

void pare_process_capture_next(pare_oracle *oracle)
{
    of(oracle)->capture_next = true;
}

const char *pare_process_captured(pare_oracle *oracle)
{
    return pare_tail_text(&of(oracle)->tail);
}

pare_time_limit pare_process_time_limit(const pare_oracle *oracle)
{
    return ((const process_oracle *)(const void *)oracle)->limit;
}

void pare_process_set_time_limit(pare_oracle *oracle, pare_time_limit limit)
{
    pare_time_limit *own = &of(oracle)->limit;
    uint64_t fixed_ms = own->fixed_ms;
    *own = limit;
    own->fixed_ms = fixed_ms;
}
