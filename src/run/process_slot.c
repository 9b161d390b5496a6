/* Tests of the process oracle, run by run: the candidate is written, the program started, its
 * output read, and its end understood.
 *
 * A test is one run of a command, or, under a judge, up to three, of which each next one is
 * started when the one before has ended.  A run is made again by another process where its server
 * died, or where it shares a process with other tests and shows a failure.  While the runner
 * measures (runner.h), the program is run once more after the verdict is known and before it is
 * given.  All of this happens in conclude, one event at a time; nothing here waits, but for forget.
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
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/process_tree.h"
#include "os/sandbox/slotdir.h"
#include "os/spawn.h"
#include "run/capture.h"
#include "run/command.h"
#include "run/compiler_line.h"
#include "run/complaint_reader.h"
#include "run/complaints.h"
#include "run/invocation.h"
#include "run/judge.h"
#include "run/launcher.h"
#include "run/oracle.h"
#include "run/printed.h"
#include "run/process_fault.h"
#include "run/runner.h"
#include "run/shim/watch_protocol.h"
#include "run/signature.h"
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

/* Also of one that is dying, when it was not heard of: launchers kill harder the second time. */
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

/* `slot` is to print to `capture`, which is opened when there is none yet.  A process that is new
 * gets the pipe as a pipe is at first; one that runs test after test holds its end already, and
 * what it has set there is its own business. */
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

/* Makes ready what the next run in `slot` prints to; *out and *err_fd are its files, -1 for
 * /dev/null, which costs nothing.  Standard output and error share a pipe unless a judge tells them
 * apart.  A worker always has one: it outlives the one test whose output is wanted. */
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

/* All writers are dead: what is in the pipe is all there is, and no more than it holds. */
static void finish_output(pare_capture *capture)
{
    if (capture->bytes) (void)pare_capture_drain(capture);
}

/* The end of `text`, at most `limit` bytes of it, from the start of a line. */
static pare_printed last_lines(pare_printed text, size_t limit)
{
    size_t size = text.size < limit ? text.size : limit;
    const char *from = text.size ? text.text + text.size - size : "";
    const char *line = size < text.size ? memchr(from, '\n', size) : NULL;
    if (line && line + 1 < from + size) {
        size -= (size_t)(line + 1 - from);
        from = line + 1;
    }
    return (pare_printed){.text = from, .size = size};
}

/* Copies `text` as one that ends with a NUL, and has none before. */
static void copy_text(char *to, pare_printed text)
{
    for (size_t k = 0; k < text.size; k++)
        to[k] = text.text[k] ? text.text[k] : '?';
    to[text.size] = '\0';
}

/* Keeps the end of `text`, for pare_process_captured. */
static void keep_captured(pare_process_oracle *self, pare_printed text)
{
    copy_text(self->captured, last_lines(text, PARE_PROCESS_CAPTURED_BYTES));
}

/* Keeps the end of `text` for the verdict. */
static pare_status keep_output(pare_process_slot *slot, pare_printed text, pare_error *err)
{
    const pare_printed end = last_lines(text, PARE_PROCESS_OUTPUT_BYTES);
    pare_buffer_reset(&slot->output);
    pare_status status = pare_buffer_reserve(&slot->output, end.size + 1, err);
    if (!status) copy_text(slot->output.data, end);
    return status;
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

/* What is run in the slot now. */
static const pare_command *command_of(const pare_process_oracle *self,
                                      const pare_process_slot *slot)
{
    if (slot->is_watch) return &self->watched;
    return slot->is_check ? self->check : self->commands[slot->trial.run];
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

/* Starts `order` in the slot by its launcher, or by a new process when the launcher refuses the
 * program.  A system error is no refusal: it would hit a new process as well. */
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

/* Where the candidate is, for a worker of the user's: its file, or, of several inputs, the
 * folder that they are in. */
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

/* Hears the test in `slot`.  When its run has *ended, or how it ended is lost with an error, the
 * slot is idle. */
static pare_status hear(pare_process_oracle *self, unsigned slot, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    pare_launcher *launcher = self->slots[slot].launcher;
    *ended = false;
    pare_status status = launcher->ops->hear(launcher, slot, ended, ending, err);
    if (!status && !*ended) return PARE_OK;
    *ended = true;
    assert(self->n_busy > 0);
    self->slots[slot].state = PARE_SLOT_IDLE;
    self->n_busy--;
    return status;
}

/* Launchers wait in `hear` where there is nothing to hear yet, so this ends with the test. */
void pare_process_slot_forget(pare_process_oracle *self, unsigned slot)
{
    pare_ending ignored;
    for (bool ended = false; !ended;)
        if (hear(self, slot, &ended, &ignored, NULL)) break; /* freed all the same */
    pare_slotdirs_clear(self->dirs, slot);
}

/* Starts the run that the trial in `slot` is at: the program, or another command of the judge's.
 * The time limit counts from here.  On failure the slot is free and its folder empty. */
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

/* Takes the candidate's bytes, which are the engine's and change after this: as files in the slot's
 * folder, as a copy where the test may have to be run again, or as a copy alone where the launcher
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
    if (!self->runner.fast && !self->slots[number].listened)
        return deliver(self, number, candidate, err);
    pare_buffer_reset(copy);
    if (pare_candidate_spans(candidate, add_to_copy, copy)) return pare_fail_nomem(err);
    self->slots[number].content_bytes =
        self->layout ? pare_layout_measure(self->layout, candidate).bytes : copy->size;
    if (self->layout) return deliver(self, number, candidate, err);
    if (!takes_bytes(self, number)) return write_copy(self, number, err);
    self->slots[number].has_file = false;
    return pare_slotdirs_open(self->dirs, number, err);
}

/* Runs the program on the slot's candidate once more, by `launcher`, in an emptied folder. */
static pare_status run_again(pare_process_oracle *self, unsigned number, pare_launcher *launcher,
                             pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    pare_slotdirs_clear(self->dirs, number);
    slot->trial = (pare_trial){.run = PARE_RUN_PROGRAM};
    slot->launcher = launcher;
    slot->timed_out = slot->flooded = false;
    pare_status status = write_copy(self, number, err);
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
    const pare_command *commands[PARE_N_RUNS + 2];
    memcpy(commands, self->commands, sizeof self->commands);
    commands[PARE_N_RUNS] = self->check;
    commands[PARE_N_RUNS + 1] = self->watched.n_words ? &self->watched : NULL;
    pare_invocation_done(&self->invocation);
    return pare_invocation_init(&self->invocation, commands, PARE_N_RUNS + 2, self->layout, err);
}

/* The slot forgets the test before; what stays is what costs time to make: captures, buffers. */
pare_status pare_process_slot_start(pare_oracle *oracle, unsigned number,
                                    const pare_candidate *candidate, pare_error *err)
{
    pare_process_oracle *self = pare_process_slot_oracle(oracle);
    pare_process_slot *slot = &self->slots[number];
    assert(number < oracle->n_slots && slot->state == PARE_SLOT_IDLE);
    slot->launcher = pare_runner_next(&self->runner);
    slot->is_check = false;
    slot->is_watch = self->watch_next;
    self->watch_next = false;
    if (slot->is_watch) slot->launcher = self->runner.spawn;
    pare_status status = listen_from_here(self, slot, err);
    if (status) return status;
    status = put(self, number, candidate, err);
    if (status) return status;
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

/* ---- verdicts ----------------------------------------------------------------------- */

/* What was seen of the run that has ended in the slot.  Its output is complete: all that it
 * started is dead, and what is left in the pipes is read now.  A run that we ended ourselves
 * has no exit code and no signal of its own.  Errors: of measure_rss. */
static pare_status observe(const pare_process_oracle *self, pare_process_slot *slot,
                           const pare_ending *ending, pare_observation *seen, pare_error *err)
{
    bool exited = ending->exit_code >= 0;
    finish_output(&slot->out);
    finish_output(&slot->err);
    *seen = (pare_observation){.ended = exited ? PARE_ENDED_EXIT : PARE_ENDED_SIGNAL,
                               .code = exited ? ending->exit_code : ending->signal,
                               .out_digest = pare_capture_digest(&slot->out),
                               .out = pare_capture_text(&slot->out),
                               .err = pare_capture_text(&slot->err)};
    if (slot->timed_out || slot->flooded) {
        seen->ended = slot->timed_out ? PARE_ENDED_HANG : PARE_ENDED_FLOOD;
        seen->code = 0;
    }
    return pare_process_fault_rss(self, ending, &seen->peak_rss_bytes, err);
}

/* Keeps a text of the judge's in `buffer`, since the judge's own is gone with its next
 * judgement; *shown is the copy, or NULL where there is no text. */
static pare_status keep_text(pare_buffer *buffer, const char *text, const char **shown,
                             pare_error *err)
{
    *shown = NULL;
    if (!text) return PARE_OK;
    pare_buffer_reset(buffer);
    pare_status status = pare_buffer_text(buffer, text, err);
    if (!status) *shown = buffer->data;
    return status;
}

/* What two runs have to have in common to be the same: outcome, signature, whether the judge
 * wants another run, and of standard output its size, or all of it where it is compared. */
static pare_digest digest_judgement(const pare_judgement *judgement, const pare_observation *seen)
{
    const uint32_t parts[] = {(uint32_t)judgement->outcome, judgement->more};
    pare_digest digest = pare_checksum_wide(seen->out_digest, parts, sizeof parts);
    const char *signature = judgement->signature ? judgement->signature : "";
    return pare_checksum_wide(digest, signature, strlen(signature) + 1);
}

/* Reads what a run complains of.  Standard error goes first: the list is short. */
static void hear_complaints(pare_process_slot *slot, const pare_printed *err,
                            const pare_printed *out)
{
    slot->complaints->n = 0;
    pare_complaint_reader_read(slot->complaints, err);
    pare_complaint_reader_read(slot->complaints, out);
}

/* Asks the judge about the run that has ended in `slot`; sets *more when another one is under way:
 * another command on the same candidate, which the judge needs before it can decide.  A file that
 * was never written, because the launcher took bytes, is written now; what the program did to one
 * that was there stays. */
static pare_status judge_run(pare_process_oracle *self, unsigned number, const pare_ending *ending,
                             pare_verdict *verdict, bool *more, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    pare_observation seen;
    pare_judgement judgement = {.more = false};
    pare_status status = observe(self, slot, ending, &seen, err);
    if (!status && slot->captured && slot->trial.run == PARE_RUN_PROGRAM)
        keep_captured(self, seen.err.size ? seen.err : seen.out);
    if (!status) status = pare_judge_decide(self->judge, &slot->trial, &seen, &judgement, err);
    if (!status && slot->trial.run == PARE_RUN_PROGRAM)
        slot->first.judged = digest_judgement(&judgement, &seen);
    if (!status && slot->listened && slot->trial.run == PARE_RUN_PROGRAM)
        hear_complaints(slot, &seen.err, &seen.out);
    if (!status && judgement.signature && pare_judge_is_any(self->judge))
        status = keep_output(slot, seen.err.size ? seen.err : seen.out, err);
    if (!status && judgement.more) {
        slot->spent_ns += pare_clock_ns() - slot->start_ns;
        slot->launcher = self->runner.spawn; /* other commands */
        slot->timed_out = slot->flooded = false;
        *more = true;
        status = keep_text(&slot->signature, judgement.signature, &verdict->signature, err);
        if (status) return status;
        if (!slot->has_file) status = write_copy(self, number, err);
        return status ? status : run_program(self, number, err);
    }
    verdict->outcome = judgement.outcome;
    if (!status)
        status = keep_text(&slot->signature, judgement.signature, &verdict->signature, err);
    if (!status && verdict->outcome == PARE_FAIL && slot->trial.has_signature) {
        verdict->signature = slot->signature.data;
        verdict->output = slot->output.data;
    }
    if (!status) status = keep_text(&slot->why, judgement.why, &verdict->why, err);
    return status;
}

/* The rule for test commands, that of every reducer since delta: exit code 0 says that the failure
 * is still there; any other end, also by a signal, that it is gone. */
static void judge_test(pare_process_oracle *self, pare_process_slot *slot,
                       const pare_ending *ending, pare_verdict *verdict)
{
    if (slot->captured || slot->listened) { /* others print to /dev/null */
        finish_output(&slot->out);
        const pare_printed text = pare_capture_text(&slot->out), none = {.size = 0};
        if (slot->captured) keep_captured(self, text);
        if (slot->listened) hear_complaints(slot, &text, &none);
    }
    verdict->outcome = slot->timed_out          ? PARE_UNRESOLVED
                       : ending->exit_code == 0 ? PARE_FAIL
                                                : PARE_PASS;
}

/* The rule for workers: they say what the outcome is.  One that ended said nothing, which is
 * UNRESOLVED with the reason that note_worker found. */
static pare_status judge_worker(const pare_process_oracle *self, pare_process_slot *slot,
                                const pare_ending *ending, pare_verdict *verdict, pare_error *err)
{
    static const pare_outcome outcomes[] = {[PARE_ANSWER_FAIL] = PARE_FAIL,
                                            [PARE_ANSWER_PASS] = PARE_PASS,
                                            [PARE_ANSWER_UNRESOLVED] = PARE_UNRESOLVED};
    verdict->outcome = PARE_UNRESOLVED;
    if (slot->timed_out) return PARE_OK;
    if (ending->lost) return keep_text(&slot->why, self->workers.why, &verdict->why, err);
    verdict->outcome = outcomes[ending->exit_code];
    verdict->exit_code = -1;
    if (verdict->outcome != PARE_UNRESOLVED) return PARE_OK;
    return keep_text(&slot->why, "the worker cannot tell (UNRESOLVED)", &verdict->why, err);
}

/* A worker has answered in the slot, or has ended.  *again: the candidate is given to another
 * worker, since one that ends may have done so for reasons of its own (launch_dialog.h says how
 * often that is believed).  Errors: PARE_E_IO (it ends at its start),
 * PARE_E_LIMIT (it ends on every candidate). */
static pare_status note_worker(pare_process_oracle *self, pare_process_slot *slot,
                               const pare_ending *ending, bool *again, pare_error *err)
{
    *again = false;
    finish_output(&slot->out);
    if (slot->captured || ending->lost) keep_captured(self, pare_capture_text(&slot->out));
    if (slot->timed_out || slot->cancelled) return PARE_OK;
    if (!ending->lost) {
        pare_launch_dialog_note_answer(&self->workers);
        return PARE_OK;
    }
    pare_status status = pare_launch_dialog_note_end(&self->workers, ending, ++slot->n_ended,
                                                     self->captured, again, err);
    if (!status && !*again) pare_runner_tell(&self->runner, self->workers.notice);
    return status;
}

/* The second run of a test whose verdict is known has ended: gives the runner the pair, and gives
 * the verdict that was held back.  Whatever went wrong in this run changes no outcome: it counts as
 * a pair that differs. */
static void finish_sample(pare_process_oracle *self, unsigned number, const pare_ending *ending,
                          double ms, pare_verdict *verdict)
{
    pare_process_slot *slot = &self->slots[number];
    pare_observation seen;
    pare_judgement judgement;
    pare_trial trial = {.run = PARE_RUN_PROGRAM};
    pare_runner_run second = {
        .ending = *ending, .ms = ms, .timed_out = slot->timed_out || slot->flooded};
    finish_output(&slot->out);
    finish_output(&slot->err);
    if (self->judge) {
        pare_status status = observe(self, slot, ending, &seen, NULL);
        if (!status) status = pare_judge_decide(self->judge, &trial, &seen, &judgement, NULL);
        if (!status) second.judged = digest_judgement(&judgement, &seen);
        second.ending.lost = second.ending.lost || status; /* cannot be compared */
    }
    if (!slot->cancelled) pare_runner_sample(&self->runner, &slot->first, &second);
    *verdict = slot->verdict;
    pare_slotdirs_clear(self->dirs, number);
}

/* The verdict of the test in the slot is there.  True when the program is run once more before
 * it is given, by the launcher that is to be compared; where that does not even start, the
 * verdict is given at once. */
static bool take_sample(pare_process_oracle *self, unsigned number, const pare_verdict *verdict)
{
    pare_process_slot *slot = &self->slots[number];
    if (slot->cancelled || slot->listened || !pare_runner_wants_sample(&self->runner, &slot->first))
        return false;
    slot->verdict = *verdict;
    slot->is_sample = true;
    slot->captured = false;
    return run_again(self, number, self->runner.fast, NULL) == PARE_OK;
}

/* The verdict of a test that was listened to is there: adds what the test itself complained of.
 * What a program without a script prints is all there is; a script may have hidden it.  True when
 * a compiler is run before the verdict is given; where that does not even start, nothing was
 * said. */
static bool take_complaints(pare_process_oracle *self, unsigned number, pare_verdict *verdict)
{
    pare_process_slot *slot = &self->slots[number];
    const bool is_of_use = slot->listened && verdict->outcome != PARE_FAIL && !slot->cancelled &&
                           !slot->timed_out && !slot->flooded;
    if (!is_of_use) return false;
    const bool rejected = pare_complaints_reject(slot->complaints);
    if (rejected || (self->judge && !self->check)) verdict->complaints = slot->complaints;
    if (rejected || !self->check) return false;
    slot->verdict = *verdict;
    slot->is_check = true;
    slot->captured = false;
    return run_again(self, number, self->runner.spawn, NULL) == PARE_OK;
}

/* The compiler has ended that was run beside the test whose verdict is held back.  One that ran
 * into a limit has said nothing. */
static void finish_check(pare_process_oracle *self, unsigned number, double ms,
                         pare_verdict *verdict)
{
    pare_process_slot *slot = &self->slots[number];
    finish_output(&slot->out);
    finish_output(&slot->err);
    const pare_printed none = {.size = 0};
    const pare_printed out = pare_capture_text(&slot->out);
    const pare_printed err = self->judge ? pare_capture_text(&slot->err) : none;
    hear_complaints(slot, &err, &out);
    *verdict = slot->verdict;
    verdict->cancelled = slot->cancelled;
    verdict->check_ms = ms;
    verdict->complaints = slot->timed_out || slot->flooded ? NULL : slot->complaints;
    pare_slotdirs_clear(self->dirs, number);
}

/* Reads what the shim has recorded in the slot's folder, which anybody may have written. */
static pare_status read_records(const pare_process_oracle *self, unsigned number,
                                pare_buffer *records, pare_error *err)
{
    pare_buffer name = {0};
    struct stat st;
    pare_status status = pare_buffer_format(&name, err, "%s%s", self->base_name, PARE_WATCH_SUFFIX);
    int fd = status ? -1
                    : openat(pare_slotdirs_fd(self->dirs, number), name.data,
                             O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool reads = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
                 st.st_size <= 64 * PARE_WATCH_BYTES;
    if (reads) status = pare_file_read_fd(fd, name.data, records, err);
    pare_descriptor_close(&fd);
    pare_buffer_done(&name);
    return status;
}

/* The watched test has ended: takes the compiler that it has run as the check, if there is one.
 * Whatever fails here, there is none. */
static void finish_watch(pare_process_oracle *self, unsigned number, pare_verdict *verdict)
{
    pare_process_slot *slot = &self->slots[number];
    pare_buffer records = {0}, text = {0};
    const char *folder = pare_slotdirs_folder(self->dirs, number);
    pare_status status = read_records(self, number, &records, NULL);
    if (!status && records.size)
        status = pare_compiler_line_choose(records.data, records.size, folder, self->base_name,
                                           &text, NULL);
    const pare_names names = {.items = &self->base_name, .n = 1};
    if (!status && text.size && pare_command_init(&self->found, text.data, names, NULL) == PARE_OK)
        self->check = &self->found;
    if (self->check && pare_process_slot_make_room(self, NULL)) self->check = NULL;
    *verdict = (pare_verdict){.slot = number,
                              .cancelled = slot->cancelled,
                              .outcome = PARE_UNRESOLVED,
                              .duration_ms = (double)slot->took_ns / 1e6,
                              .exit_code = -1};
    pare_buffer_done(&records);
    pare_buffer_done(&text);
    pare_slotdirs_clear(self->dirs, number);
}

/* The program has run so in the slot: notes how for a sample, and whether a server was lost.  True
 * when its server died, or knows too little, so that it is to be run again as a process.  What we
 * killed ourselves is no loss.  Other commands of the judge's are always new processes. */
static bool note_run(pare_process_oracle *self, pare_process_slot *slot, const pare_ending *ending,
                     double ms)
{
    const bool killed = slot->timed_out || slot->flooded || slot->cancelled;
    if (slot->trial.run != PARE_RUN_PROGRAM) return false;
    slot->first = (pare_runner_run){
        .ending = *ending, .ms = ms, .timed_out = slot->timed_out || slot->flooded};
    slot->is_unconfirmed = pare_runner_must_confirm(&self->runner, slot->launcher);
    if (slot->launcher == self->runner.spawn) return false;
    pare_runner_note(&self->runner, ending->lost && !killed);
    return (ending->lost || ending->unsure) && !killed;
}

/* Whether a new process has to say the same before the verdict is given: of a failure in a shared
 * process, which may be of what an earlier test left there, and of the first test of all. */
static bool is_doubtful(const pare_process_oracle *self, const pare_process_slot *slot,
                        const pare_verdict *verdict)
{
    if (slot->cancelled || !slot->is_unconfirmed) return false;
    return verdict->outcome == PARE_FAIL || !self->runner.trusted;
}

/* Learns from a run that ended by itself, not counting extensions of its deadline: those stand for
 * time in which the machine, not the program, stood still. */
static void learn_limit(pare_process_oracle *self, const pare_process_slot *slot, uint64_t took_ns,
                        bool failed)
{
    took_ns -= took_ns < slot->extended_ns ? took_ns : slot->extended_ns;
    pare_time_limit_learn(&self->limit, (took_ns + 999999u) / 1000000u, failed);
}

/* Sets the outcome of the run that has ended, by the rule for what is run.  *more: it was not
 * the last of its test, and the next one is under way. */
static pare_status judge(pare_process_oracle *self, unsigned number, const pare_ending *ending,
                         pare_verdict *verdict, bool *more, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    if (self->judge) return judge_run(self, number, ending, verdict, more, err);
    if (pare_process_slot_has_worker(self)) return judge_worker(self, slot, ending, verdict, err);
    judge_test(self, slot, ending, verdict);
    return PARE_OK;
}

/* The run in slot `number` has ended as `ending` says, and says something: makes the verdict of
 * the test, unless another run is to come before it is given; *ended is false then.  The order
 * matters: the verdict, the doubt about one from a shared process, and last, when nothing can
 * change the verdict any more, the sample. */
static pare_status make_verdict(pare_process_oracle *self, unsigned number,
                                const pare_ending *ending, bool *ended, pare_verdict *verdict,
                                pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    pare_status status = PARE_OK;
    bool more = false;
    *verdict = (pare_verdict){.slot = number,
                              .cancelled = slot->cancelled,
                              .duration_ms = (double)(slot->spent_ns + slot->took_ns) / 1e6,
                              .exit_code = ending->exit_code,
                              .signal = ending->signal,
                              .timed_out = slot->timed_out && !slot->cancelled,
                              .harm = pare_process_fault_harm(self, number, ending),
                              .n_left = ending->n_left};
    if (!slot->cancelled) status = judge(self, number, ending, verdict, &more, err);
    if (!status && !slot->timed_out && !slot->cancelled)
        learn_limit(self, slot, slot->took_ns, !more && verdict->outcome == PARE_FAIL);
    if (more) {
        *ended = status != PARE_OK; /* a run that cannot be started has freed the slot */
        return status;
    }
    if (!status && is_doubtful(self, slot, verdict)) {
        slot->is_doubted = true;
        slot->verdict = *verdict;
        *ended = false;
        return run_again(self, number, self->runner.spawn, err);
    }
    if (!status && slot->is_doubted && !slot->cancelled)
        pare_runner_compare_first(&self->runner, slot->verdict.outcome, verdict->outcome);
    if (!status && (take_complaints(self, number, verdict) || take_sample(self, number, verdict)))
        *ended = false;
    else
        pare_slotdirs_clear(self->dirs, number);
    return status;
}

/* A sample's end goes first: its verdict is known.  Then a lost server, whose run says nothing and
 * is made again. */
pare_status pare_process_slot_conclude(pare_process_oracle *self, unsigned number, bool *ended,
                                       pare_verdict *verdict, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    pare_ending ending = {.exit_code = -1};
    bool again = false;
    slot->took_ns = pare_clock_ns() - slot->start_ns;
    pare_status status = hear(self, number, ended, &ending, err);
    if (!status && !*ended) return PARE_OK;
    if (!status && slot->is_watch) {
        finish_watch(self, number, verdict);
        return PARE_OK;
    }
    if (!status && slot->is_check) {
        finish_check(self, number, (double)slot->took_ns / 1e6, verdict);
        return PARE_OK;
    }
    if (!status && slot->is_sample) {
        finish_sample(self, number, &ending, (double)slot->took_ns / 1e6, verdict);
        return PARE_OK;
    }
    if (!status && pare_process_slot_has_worker(self))
        status = note_worker(self, slot, &ending, &again, err);
    else if (!status)
        again = note_run(self, slot, &ending, (double)slot->took_ns / 1e6);
    if (again) {
        *ended = false;
        return run_again(self, number, pare_runner_again(&self->runner), err);
    }
    if (!status) return make_verdict(self, number, &ending, ended, verdict, err);
    pare_slotdirs_clear(self->dirs, number);
    return status;
}
