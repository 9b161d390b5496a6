/* Tests of the process oracle, run by run: the candidate is written, the program started, its
 * output read, its end heard.  What that end means is the business of process_verdict.c.  Nothing
 * here waits, but for forget.
 *
 * A candidate goes to the slot's folder as slices, without being put together; a copy in one
 * piece is kept only where its test may have to be run again, that is, where there is a faster
 * launcher than a new process.  Where that launcher hands over bytes itself, no file is
 * written at all.
 *
 * What the slot's launcher refuses (PARE_E_UNSUPPORTED and the like, no system error) is
 * started by a new process instead, and the runner remembers; a system error is the test's
 * own, and is told in a sentence.
 *
 * Invariants: `has_file` says whether the candidate lies in the folder, and whatever needs the
 * file writes it first; an idle slot's folder is empty, but between the runs of one test.  Outputs
 * are opened when they are first needed, and kept for all later runs of the slot. */
#include "run/process_slot.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/machine.h"
#include "os/process_tree.h"
#include "os/sandbox/slotdir.h"
#include "os/spawn.h"
#include "run/capture.h"
#include "run/command.h"
#include "run/invocation.h"
#include "run/judge.h"
#include "run/launcher.h"
#include "run/oracle.h"
#include "run/process_fault.h"
#include "run/runner.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"

/* Counted anew each time: the slots are few. */
bool pare_process_slot_check(const pare_process_oracle *self)
{
    unsigned n_busy = 0;
    for (unsigned k = 0; k < self->head.n_slots; k++)
        n_busy += self->slots[k].state != PARE_SLOT_IDLE;
    return n_busy == self->n_busy;
}

/* Kills a test. It may be dying already without our having heard of it; launchers kill harder the
 * second time. */
void pare_process_slot_kill(pare_process_oracle *self, unsigned slot)
{
    pare_launcher *launcher = self->slots[slot].launcher;
    assert(self->slots[slot].state != PARE_SLOT_IDLE);
    self->slots[slot].state = PARE_SLOT_DYING;
    self->slots[slot].kill_ns = pare_clock_ns();
    launcher->ops->kill(launcher, slot);
}

/* A launcher may have cheaper ways than killing: a worker's answer mostly comes before another
 * worker would be ready. */
void pare_process_slot_let_go(pare_process_oracle *self, unsigned slot)
{
    pare_launcher *launcher = self->slots[slot].launcher;
    if (!launcher->ops->cancel) {
        pare_process_slot_kill(self, slot);
        return;
    }
    self->slots[slot].state = PARE_SLOT_DYING;
    self->slots[slot].kill_ns = pare_clock_ns();
    launcher->ops->cancel(launcher, slot);
}

/* --- the candidate ----------------------------------------------------------- */

/* The candidate's slices are written as they lie in memory, by one writev where they are few. */
static int add_span(void *context, pare_span span)
{
    return pare_descriptor_gather_add(context, span.bytes, span.size);
}

static int fill_candidate(void *context, pare_iovec *gather)
{
    return pare_candidate_spans(context, add_span, gather);
}

/* A candidate of several files, and what they are. */
struct delivery {
    const pare_layout *layout;
    const pare_candidate *candidate;
};

static int write_files(void *context, int folder)
{
    const struct delivery *delivery = context;
    return pare_layout_write(delivery->layout, delivery->candidate, folder, 0);
}

/* Puts the candidate into the folder of `slot`.  Errors: PARE_E_IO, PARE_E_NOMEM. */
static pare_status deliver(pare_process_oracle *self, unsigned slot,
                           const pare_candidate *candidate, pare_error *err)
{
    struct delivery files = {.layout = self->layout, .candidate = candidate};
    if (self->layout) return pare_slotdirs_put_all(self->dirs, slot, write_files, &files, err);
    /* The callback takes its context without const, and leaves it alone. */
    return pare_slotdirs_put(self->dirs, slot, fill_candidate, (void *)(size_t)candidate, err);
}

/* The same for a candidate of which a copy was kept. */
static int fill_copy(void *context, pare_iovec *gather)
{
    const pare_buffer *copy = context;
    return pare_descriptor_gather_add(gather, copy->data, copy->size);
}

/* Writes the file, or the files, of the slot's candidate from its copy: a run before may have
 * changed or removed them.  Only for slots that keep a copy. */
static pare_status write_copy(pare_process_oracle *self, unsigned number, pare_error *err)
{
    pare_buffer *copy = &self->slots[number].bytes;
    pare_text *text = NULL;
    pare_candidate whole = {0};
    self->slots[number].has_file = true;
    if (!self->layout) return pare_slotdirs_put(self->dirs, number, fill_copy, copy, err);
    pare_status status = pare_text_copy(copy->data, copy->size, &text, err);
    if (status) return status;
    pare_candidate_start(&whole, text);
    status = pare_candidate_slice(&whole, 0, copy->size, err);
    if (!status) status = deliver(self, number, &whole, err);
    pare_candidate_done(&whole);
    pare_text_unref(text);
    return status;
}

/* --- what a test prints ------------------------------------------------------ */

/* Makes the slot print to `capture`, which is opened if it is not yet. A new process gets a pipe
 * with default settings. A process that runs test after test has its end already, and what it set
 * there is its own affair. */
static pare_status open_capture(pare_process_oracle *self, const pare_process_slot *slot,
                                pare_capture *capture, uint32_t event, pare_error *err)
{
    if (capture->bytes) {
        pare_capture_reset(capture);
        if (!pare_runner_must_confirm(&self->runner, slot->launcher)) pare_capture_restore(capture);
        return PARE_OK;
    }
    pare_status status = pare_capture_open(capture, err);
    if (!status) status = pare_descriptor_watch(self->epoll_fd, capture->read_fd, event, err);
    if (status) pare_capture_close(capture);
    return status;
}

/* Prepares what the next run in `slot` prints to: *out and *err_fd are its files; -1 stands for
 * /dev/null, which costs nothing. Standard output and error share a pipe unless the judge tells
 * them apart. A worker always has a pipe, since it outlives the one test whose output is wanted. */
static pare_status open_outputs(pare_process_oracle *self, unsigned number, int *out, int *err_fd,
                                pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    *out = *err_fd = -1;
    if (self->output_fd) {
        *out = self->output_fd;
        return PARE_OK;
    }
    bool wanted = self->judge || slot->captured || slot->listened;
    if (!wanted && !pare_process_slot_has_worker(self)) return PARE_OK;
    pare_status status = open_capture(self, slot, &slot->out, PARE_EVENT_OUT | number, err);
    if (status) return status;
    *out = *err_fd = slot->out.write_fd;
    slot->out.hashing = self->judge && pare_judge_compares(self->judge);
    if (!self->judge) return PARE_OK;
    status = open_capture(self, slot, &slot->err, PARE_EVENT_ERR | number, err);
    *err_fd = slot->err.write_fd;
    return status;
}

/* Something was printed.  A program that prints without end is ended, unless it is to
 * hang: reading on costs us little, and waiting is what the user asked for. */
void pare_process_slot_hear_output(pare_process_oracle *self, unsigned number,
                                   pare_capture *capture)
{
    pare_process_slot *slot = &self->slots[number];
    (void)pare_capture_drain(capture);
    if (slot->state != PARE_SLOT_RUNNING || !self->judge || !pare_capture_floods(capture)) return;
    if (!slot->is_check && pare_judge_hang_ms(self->judge, slot->trial.run)) return;
    slot->flooded = true;
    pare_process_slot_kill(self, number);
}

/* --- runs -------------------------------------------------------------------- */

/* Opens the candidate as the standard input of the next run.  *fd is -1 where the command reads no
 * input, or gets it from its launcher without a file.  The caller closes *fd. */
static pare_status open_input(const pare_process_oracle *self, unsigned slot,
                              const pare_command *command, int *fd, pare_error *err)
{
    *fd = -1;
    if (!command->on_input || !self->slots[slot].has_file) return PARE_OK;
    *fd = pare_descriptor_raise(open(pare_slotdirs_path(self->dirs, slot), O_RDONLY | O_CLOEXEC),
                                PARE_SPAWN_LEAST_FD);
    return *fd < 0 ? pare_fail_errno(err, errno, "cannot read the candidate") : PARE_OK;
}

/* The command that runs in the slot now. */
static const pare_command *command_of(const pare_process_oracle *self,
                                      const pare_process_slot *slot)
{
    if (slot->is_watch) return &self->watched;
    if (!slot->is_check) return self->commands[slot->trial.run];
    return self->whole && slot->verdict.outcome == PARE_FAIL ? self->whole : self->check;
}

/* The slot's launcher cannot run `order`, for the reason in *failure: if the runner can do without
 * it, a new process runs the test, and for that the candidate's file is written where there was
 * none.  A second failure replaces *failure's cause by its own. */
static pare_status start_otherwise(pare_process_oracle *self, unsigned number,
                                   const pare_launch *order, pare_status status,
                                   pare_error *failure)
{
    pare_process_slot *slot = &self->slots[number];
    const pare_command *command = command_of(self, slot);
    pare_launch again = *order;
    status = pare_runner_give_up(&self->runner, status, failure);
    if (status) return status;
    slot->launcher = self->runner.spawn;
    if (!slot->has_file) {
        status = write_copy(self, number, failure);
        if (!status) status = open_input(self, number, command, &again.input_fd, failure);
        if (status) return status;
    }
    status = slot->launcher->ops->start(slot->launcher, number, &again, failure);
    if (again.input_fd != order->input_fd) (void)close(again.input_fd);
    return status;
}

/* Starts `order` in the slot by its launcher, or as a new process if the launcher refuses the
 * program. A system error is no refusal, because it would hit a new process as well. */
static pare_status start_order(pare_process_oracle *self, unsigned slot, const pare_launch *order,
                               pare_error *err)
{
    pare_error failure = {0};
    pare_launcher *launcher = self->slots[slot].launcher;
    pare_status status = launcher->ops->start(launcher, slot, order, &failure);
    if (status && launcher != self->runner.spawn && !failure.os_errno)
        status = start_otherwise(self, slot, order, status, &failure);
    if (status && !failure.os_errno) return pare_fail(err, status, "%s", failure.message);
    return status ? pare_process_fault_explain(order->path, failure.os_errno, err) : PARE_OK;
}

/* The path of the candidate that a user's worker is told: its file, or with several inputs their
 * folder. */
static const char *candidate_path(const pare_process_oracle *self, unsigned slot)
{
    bool several = self->layout && self->layout->entries.n_roots > 1;
    return several ? pare_slotdirs_folder(self->dirs, slot) : pare_slotdirs_path(self->dirs, slot);
}

/* Writes the words and the environment of the run, opens its files, and starts it. */
static pare_status launch(pare_process_oracle *self, unsigned slot, pare_error *err)
{
    const pare_command *command = command_of(self, &self->slots[slot]);
    int input_fd, output_fd, error_fd;
    const pare_invocation_place place = {.folder = pare_slotdirs_folder(self->dirs, slot),
                                         .path = pare_slotdirs_path(self->dirs, slot),
                                         .words = &self->slots[slot].words};
    pare_process_tree_mark(&self->tree, slot, self->invocation.mark);
    pare_status status = pare_invocation_write(&self->invocation, command, &place, err);
    if (!status) status = open_outputs(self, slot, &output_fd, &error_fd, err);
    if (!status) status = open_input(self, slot, command, &input_fd, err);
    if (status) return status;
    /* execve takes its words without const, and leaves them alone. */
    char *const *argv = (char *const *)(const void *)self->invocation.argv;
    const pare_launch order = {.path = argv[1],
                               .argv = argv + 1,
                               .shell_argv = argv,
                               .envp = (char *const *)(const void *)self->invocation.environment,
                               .directory_fd = pare_slotdirs_fd(self->dirs, slot),
                               .directory = pare_slotdirs_folder(self->dirs, slot),
                               .input_fd = input_fd,
                               .output_fd = output_fd,
                               .error_fd = error_fd,
                               .on_input = command->on_input,
                               .bytes = self->slots[slot].bytes.data,
                               .size_bytes = self->slots[slot].bytes.size,
                               .candidate = candidate_path(self, slot),
                               .content_bytes = self->slots[slot].content_bytes};
    status = start_order(self, slot, &order, err);
    if (input_fd >= 0) (void)close(input_fd);
    return status;
}

/* All writers are dead: what is in the pipe is all there is. */
static void finish_output(pare_capture *capture)
{
    if (capture->bytes) pare_capture_finish(capture);
}

/* The output is read to its end here, where each run ends, also one that was cancelled or is run again: what stayed
 * in the pipe would be taken for the next test's. */
pare_status pare_process_slot_hear(pare_process_oracle *self, unsigned slot, bool *ended,
                                   pare_ending *ending, pare_error *err)
{
    pare_launcher *launcher = self->slots[slot].launcher;
    *ended = false;
    pare_status status = launcher->ops->hear(launcher, slot, ended, ending, err);
    if (!status && !*ended) return PARE_OK;
    *ended = true;
    assert(self->n_busy > 0);
    finish_output(&self->slots[slot].out);
    finish_output(&self->slots[slot].err);
    self->slots[slot].state = PARE_SLOT_IDLE;
    self->n_busy--;
    return status;
}

/* The test was killed, so this ends with it. */
void pare_process_slot_forget(pare_process_oracle *self, unsigned slot)
{
    enum { LOOK_MS = 1 };
    pare_ending ignored;
    bool ended = false;
    while (!pare_process_slot_hear(self, slot, &ended, &ignored, NULL) && !ended)
        (void)pare_descriptor_await(-1, LOOK_MS); /* sleeps */
    pare_slotdirs_clear(self->dirs, slot);
}

/* Starts the run that the trial in `slot` has come to: the program, or another command of the
 * judge's. The time limit counts from here. On failure the slot is free and its folder empty. */
static pare_status run_program(pare_process_oracle *self, unsigned number, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    assert(slot->state == PARE_SLOT_IDLE);
    slot->start_ns = pare_clock_ns();
    slot->extended_ns = 0;
    slot->n_extensions = 0;
    pare_status status = launch(self, number, err);
    if (status) {
        pare_slotdirs_clear(self->dirs, number);
        return status;
    }
    slot->state = PARE_SLOT_RUNNING;
    self->n_busy++;
    return PARE_OK;
}

/* Puts the candidate's slices together, in the slot's copy. */
static int add_to_copy(void *context, pare_span span)
{
    return pare_buffer_add(context, span.bytes, span.size, NULL) ? ENOMEM : 0;
}

/* Whether the launcher of the slot gives the program the candidate's bytes itself. */
static bool takes_bytes(const pare_process_oracle *self, unsigned number)
{
    const pare_launcher *launcher = self->slots[number].launcher;
    return self->commands[PARE_RUN_PROGRAM]->on_input && launcher->ops->takes_bytes &&
           launcher->ops->takes_bytes(launcher, number);
}

/* A copy is kept where the test may have to be run again after it has begun: by a new process in the
 * place of a server, with its compiler, in a new sandbox, or because it was starved of a processor;
 * and where the judge reads it. */
static bool needs_copy(const pare_process_oracle *self, const pare_process_slot *slot)
{
    return self->runner.fast || slot->listened ||
           (self->judge && pare_judge_reads_candidate(self->judge)) ||
           (self->is_busy && !self->limit.fixed_ms) ||
           pare_sandbox_level_in_force(self->sandbox) == PARE_LEVEL_FULL;
}

/* Takes the candidate's bytes, which are the engine's and change after this: as files in the slot's
 * folder, as a copy where the test may have to be run again after it has begun, or as a copy alone where the launcher
 * hands over bytes. */
static pare_status put(pare_process_oracle *self, unsigned number, const pare_candidate *candidate,
                       pare_error *err)
{
    pare_buffer *copy = &self->slots[number].bytes;
    self->slots[number].has_file = true;
    if (pare_invocation_reads_words(&self->invocation)) {
        pare_status status =
            pare_layout_words_read(self->layout, candidate, &self->slots[number].words, err);
        if (status) return status;
    }
    self->slots[number].has_copy = needs_copy(self, &self->slots[number]);
    if (!self->slots[number].has_copy) return deliver(self, number, candidate, err);
    pare_buffer_reset(copy);
    if (pare_candidate_spans(candidate, add_to_copy, copy)) return pare_fail_nomem(err);
    self->slots[number].content_bytes =
        self->layout ? pare_layout_measure(self->layout, candidate).bytes : copy->size;
    if (self->layout) return deliver(self, number, candidate, err);
    if (!takes_bytes(self, number)) return write_copy(self, number, err);
    self->slots[number].has_file = false;
    return pare_slotdirs_open(self->dirs, number, err);
}

/* In an emptied folder: the run before may have left anything there.  Where no copy was kept, it was
 * killed before it began, and has touched nothing. */
pare_status pare_process_slot_run_again(pare_process_oracle *self, unsigned number,
                                        pare_launcher *launcher, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    pare_status status = PARE_OK;
    slot->trial = (pare_trial){.run = PARE_RUN_PROGRAM};
    slot->launcher = launcher;
    slot->timed_out = slot->flooded = false;
    if (slot->has_copy) {
        pare_slotdirs_clear(self->dirs, number);
        status = write_copy(self, number, err);
    }
    return status ? status : run_program(self, number, err);
}

/* A file that was never written, because the launcher took bytes, is written now; what the program
 * did to one that was there stays. */
pare_status pare_process_slot_run_other(pare_process_oracle *self, unsigned number, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    pare_status status = PARE_OK;
    slot->launcher = self->runner.spawn;
    slot->timed_out = slot->flooded = false;
    if (!slot->has_file) status = write_copy(self, number, err);
    return status ? status : run_program(self, number, err);
}

/* Makes the slot ready to keep what is wrong with its next candidate, if that is listened to. */
static pare_status listen_from_here(const pare_process_oracle *self, pare_process_slot *slot,
                                    pare_error *err)
{
    slot->listened = self->listens;
    if (!slot->listened) return PARE_OK;
    if (!slot->complaints) slot->complaints = pare_alloc(1, sizeof *slot->complaints);
    if (!slot->complaints) return pare_fail_nomem(err);
    slot->complaints->n = 0;
    return PARE_OK;
}

/* The check is written as its words are, for it borrows nothing of the program's. */
pare_status pare_process_slot_make_room(pare_process_oracle *self, pare_error *err)
{
    const pare_command *commands[PARE_N_RUNS + 4];
    memcpy(commands, self->commands, sizeof self->commands);
    commands[PARE_N_RUNS] = self->check;
    commands[PARE_N_RUNS + 1] = self->watched.n_words ? &self->watched : NULL;
    commands[PARE_N_RUNS + 2] = self->whole;
    commands[PARE_N_RUNS + 3] = self->found_linked.n_words ? &self->found_linked : NULL;
    pare_invocation_done(&self->invocation);
    return pare_invocation_init(&self->invocation, commands, PARE_N_RUNS + 4, self->layout,
                                self->environment, err);
}

/* The load is an average of a minute, so once a second is enough. */
static void ask_for_load(pare_process_oracle *self)
{
    const uint64_t now_ns = pare_clock_ns();
    if (now_ns < self->load_due_ns) return;
    self->is_busy = pare_machine_is_busy();
    self->load_due_ns = now_ns + UINT64_C(1000000000);
}

/* A new guard is a child that no sweep may end, as the one before was. */
pare_status pare_process_slot_guard(pare_process_oracle *self, pare_error *err)
{
    const char *const roots[] = {pare_slotdirs_root(self->dirs),
                                 pare_slotdirs_disk_root(self->dirs), NULL};
    pare_status status = pare_guard_renew(&self->guard, &self->spawner, self->run_id, roots, err);
    self->tree.spared[0] = self->guard.child.pid;
    return status;
}

/* The slot forgets the test before; what stays is what costs time to make: captures, buffers. */
pare_status pare_process_slot_start(pare_oracle *oracle, unsigned number,
                                    const pare_candidate *candidate, pare_error *err)
{
    pare_process_oracle *self = pare_process_slot_oracle(oracle);
    pare_process_slot *slot = &self->slots[number];
    assert(number < oracle->n_slots && slot->state == PARE_SLOT_IDLE);
    slot->launcher = pare_runner_next(&self->runner);
    slot->is_check = slot->has_more_time = false;
    ask_for_load(self);
    /* Without a guard the run goes on: it is only for the end that nobody hopes for. */
    (void)!pare_process_slot_guard(self, NULL);
    slot->is_watch = self->watch_next;
    self->watch_next = false;
    if (slot->is_watch) slot->launcher = self->runner.spawn;
    pare_status status = listen_from_here(self, slot, err);
    if (status) return status;
    status = put(self, number, candidate, err);
    if (status) return status;
    slot->size_bytes = candidate->size;
    slot->is_sample = slot->is_doubted = false;
    slot->cancelled = slot->timed_out = slot->flooded = false;
    slot->spent_ns = 0;
    slot->n_ended = 0;
    slot->trial = (pare_trial){.run = PARE_RUN_PROGRAM};
    slot->captured = self->capture_next;
    if (slot->captured) self->captured[0] = '\0';
    self->capture_next = false;
    return run_program(self, number, err);
}
