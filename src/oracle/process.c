/* The process oracle.
 *
 * A slot is idle, running, or dying: killed because it was cancelled or has timed out,
 * and waiting for its leader's end.  How the program is started and how its end is heard
 * is the launcher's business (os/launcher.h): it puts a descriptor into our epoll that is
 * readable when there is something to hear.  Deadlines are the
 * time given to epoll_wait, so nothing is polled and no timer is set.
 * A test is one run of a command, or, under a judge, up to three, of which each next one is
 * started when the one before has ended; what they print is read as it comes.  While the
 * runner measures (runner.h), the program is run once more after the verdict is known and
 * before it is given.
 * Invariant: a slot that is not idle has a test of its launcher's, which an event of the
 * epoll will tell of; an idle slot's directory is empty. */
#include "oracle/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "oracle/capture.h"
#include "oracle/invocation.h"
#include "oracle/runner.h"
#include "os/clock.h"
#include "os/family.h"
#include "os/file.h"
#include "os/guard.h"
#include "os/hear.h"
#include "os/slotdir.h"
#include "os/spawn.h"
#include "os/wake.h"

enum state { IDLE = 0, RUNNING, DYING };

struct slot {
    enum state state;
    bool cancelled, timed_out, flooded; /* why it is dying */
    uint64_t start_ns;                  /* of the run under way */
    uint64_t kill_ns;                   /* when it was killed */
    pare_launcher *launcher;            /* that runs it; borrowed */
    pare_buffer bytes;                  /* of the candidate, when it may have to be run again */
    pare_layout_words words;            /* of the candidate, where the command line is reduced */
    pare_runner_run first;              /* how the program ran */
    bool has_file;                      /* the candidate's; else it is in `bytes` only */
    bool is_unconfirmed;                /* the program ran in a process that ran others before */
    bool is_doubted;                    /* `verdict` is that of a shared process */
    bool is_sample;                     /* `verdict` stands; this run is only to be compared */
    pare_verdict verdict;
    uint64_t spent_ns; /* by the runs before it */
    pare_trial trial;
    pare_capture out, err;      /* opened when they are first needed; then kept */
    bool captured;              /* the text is wanted, see pare_process_capture_next */
    pare_buffer signature, why; /* of the last verdict */
};

/* What an event of the epoll is about: a slot's number, or one of these. */
enum { EVENT_OUT = 1 << 28, EVENT_ERR = 1 << 29, EVENT_STOP = 1 << 30 };

enum {
    RUN_ID_BYTES = 48,
    CAPTURED_BYTES = 4096,
    KILL_LIMIT_MS = 1000 /* for a killed test to be heard of; then it is killed harder */
};

typedef struct process_oracle {
    pare_oracle head;
    const pare_command *commands[PARE_N_RUNS]; /* borrowed, as is the judge */
    pare_judge *judge;                         /* NULL: a test command */
    const pare_stop *stop;                     /* borrowed */
    struct slot *slots;                        /* owned */
    unsigned n_busy;
    char run_id[RUN_ID_BYTES];
    pare_invocation invocation;
    const pare_layout *layout; /* borrowed; NULL: one file */
    int epoll_fd;
    pare_spawner spawner;
    pare_guard guard;
    pare_family family;
    pare_sandbox *sandbox; /* owned */
    pare_runner_state runner;
    pare_slotdirs *dirs;
    pare_time_limit limit;
    bool capture_next;
    char captured[CAPTURED_BYTES + 1];
} process_oracle;

static process_oracle *of(pare_oracle *oracle)
{
    return (process_oracle *)(void *)oracle;
}

static void kill_slot(process_oracle *self, unsigned slot)
{
    pare_launcher *launcher = self->slots[slot].launcher;
    self->slots[slot].state = DYING;
    self->slots[slot].kill_ns = pare_clock_ns();
    launcher->ops->kill(launcher, slot);
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

/* Puts the candidate into the folder of `slot`. */
static pare_status deliver(process_oracle *self, unsigned slot, const pare_candidate *candidate,
                           pare_error *err)
{
    struct delivery files = {.layout = self->layout, .candidate = candidate};
    if (self->layout) return pare_slotdirs_put_all(self->dirs, slot, write_files, &files, err);
    /* The callback takes its context without const, and leaves it alone. */
    return pare_slotdirs_put(self->dirs, slot, fill_candidate, (void *)(size_t)candidate, err);
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

/* --- what a test prints ------------------------------------------------------ */

/* `slot` is to print to `capture`, which is opened when there is none yet. */
static pare_status open_capture(process_oracle *self, const struct slot *slot,
                                pare_capture *capture, uint32_t event, pare_error *err)
{
    if (capture->bytes) {
        pare_capture_reset(capture);
        if (!pare_runner_must_confirm(&self->runner, slot->launcher)) pare_capture_restore(capture);
        return PARE_OK;
    }
    pare_status status = pare_capture_open(capture, err);
    if (!status) status = pare_hear_add(self->epoll_fd, capture->read_fd, event, err);
    if (status) pare_capture_close(capture);
    return status;
}

/* Makes ready what the next run in `slot` prints to; *out and *err_fd are its files. */
static pare_status open_outputs(process_oracle *self, unsigned number, int *out, int *err_fd,
                                pare_error *err)
{
    struct slot *slot = &self->slots[number];
    *out = *err_fd = -1;
    if (!self->judge && !slot->captured) return PARE_OK;
    pare_status status = open_capture(self, slot, &slot->out, EVENT_OUT | number, err);
    if (status) return status;
    *out = *err_fd = slot->out.write_fd;
    slot->out.hashing = self->judge && pare_judge_compares(self->judge);
    if (!self->judge) return PARE_OK;
    status = open_capture(self, slot, &slot->err, EVENT_ERR | number, err);
    *err_fd = slot->err.write_fd;
    return status;
}

/* Something was printed.  A program that prints without end is ended, unless it is to
 * hang: reading on costs us little, and waiting is what the user asked for. */
static void hear_output(process_oracle *self, unsigned number, pare_capture *capture)
{
    struct slot *slot = &self->slots[number];
    (void)pare_capture_drain(capture);
    if (slot->state != RUNNING || !self->judge || !pare_capture_floods(capture)) return;
    if (pare_judge_hang_ms(self->judge, slot->trial.run)) return;
    slot->flooded = true;
    kill_slot(self, number);
}

/* All writers are dead: what is in the pipe is all there is, and no more than it holds. */
static void finish_output(pare_capture *capture)
{
    if (capture->bytes) (void)pare_capture_drain(capture);
}

/* Keeps the end of `text`, from the start of a line, for pare_process_captured. */
static void keep_captured(process_oracle *self, pare_printed text)
{
    size_t size = text.size < CAPTURED_BYTES ? text.size : CAPTURED_BYTES;
    const char *from = text.size ? text.text + text.size - size : "";
    const char *line = size < text.size ? memchr(from, '\n', size) : NULL;
    if (line && line + 1 < from + size) {
        size -= (size_t)(line + 1 - from);
        from = line + 1;
    }
    for (size_t k = 0; k < size; k++)
        self->captured[k] = from[k] ? from[k] : '?';
    self->captured[size] = '\0';
}

/* --- runs -------------------------------------------------------------------- */

/* The candidate as standard input; -1 where it is not.  The caller closes *fd. */
static pare_status open_input(const process_oracle *self, unsigned slot,
                              const pare_command *command, int *fd, pare_error *err)
{
    *fd = -1;
    if (!command->on_input || !self->slots[slot].has_file) return PARE_OK;
    *fd = pare_spawn_high_fd(open(pare_slotdirs_path(self->dirs, slot), O_RDONLY | O_CLOEXEC));
    return *fd < 0 ? pare_fail_errno(err, errno, "cannot read the candidate") : PARE_OK;
}

static pare_status write_copy(process_oracle *self, unsigned slot, pare_error *err);

/* The slot's launcher cannot run `order`, which `failure` explains: a new process does. */
static pare_status start_otherwise(process_oracle *self, unsigned number, const pare_launch *order,
                                   pare_status status, pare_error *failure)
{
    struct slot *slot = &self->slots[number];
    const pare_command *command = self->commands[slot->trial.run];
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

/* Starts `order` in the slot by its launcher; by a new process when that cannot. */
static pare_status start_order(process_oracle *self, unsigned slot, const pare_launch *order,
                               pare_error *err)
{
    pare_error failure = {0};
    pare_launcher *launcher = self->slots[slot].launcher;
    pare_status status = launcher->ops->start(launcher, slot, order, &failure);
    if (status && launcher != self->runner.spawn && !failure.os_errno)
        status = start_otherwise(self, slot, order, status, &failure);
    if (status && !failure.os_errno) return pare_fail(err, status, "%s", failure.message);
    return status ? explain(order->path, failure.os_errno, err) : PARE_OK;
}

static pare_status launch(process_oracle *self, unsigned slot, pare_error *err)
{
    const pare_command *command = self->commands[self->slots[slot].trial.run];
    int input_fd, output_fd, error_fd;
    const pare_invocation_place place = {.folder = pare_slotdirs_folder(self->dirs, slot),
                                         .path = pare_slotdirs_path(self->dirs, slot),
                                         .words = &self->slots[slot].words};
    pare_family_mark(&self->family, slot, self->invocation.mark);
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
                               .size_bytes = self->slots[slot].bytes.size};
    status = start_order(self, slot, &order, err);
    if (input_fd >= 0) (void)close(input_fd);
    return status;
}

/* Hears the test in `slot`; its run is over when it has *ended. */
static pare_status hear(process_oracle *self, unsigned slot, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    pare_launcher *launcher = self->slots[slot].launcher;
    *ended = false;
    pare_status status = launcher->ops->hear(launcher, slot, ended, ending, err);
    if (!status && !*ended) return PARE_OK;
    *ended = true;
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
    pare_slotdirs_clear(self->dirs, slot);
}

/* Starts the run that the trial in `slot` is at; on failure the slot is free. */
static pare_status run(process_oracle *self, unsigned number, pare_error *err)
{
    struct slot *slot = &self->slots[number];
    slot->start_ns = pare_clock_ns();
    pare_status status = launch(self, number, err);
    if (status) {
        pare_slotdirs_clear(self->dirs, number);
        return status;
    }
    slot->state = RUNNING;
    self->n_busy++;
    return PARE_OK;
}

static int add_to_copy(void *context, pare_span span)
{
    return pare_buffer_add(context, span.bytes, span.size, NULL) ? ENOMEM : 0;
}

static int fill_copy(void *context, pare_gather *gather)
{
    const pare_buffer *copy = context;
    return pare_gather_add(gather, copy->data, copy->size);
}

/* Whether the launcher of the slot gives the program the candidate's bytes itself. */
static bool takes_bytes(const process_oracle *self, unsigned number)
{
    const pare_launcher *launcher = self->slots[number].launcher;
    return self->commands[PARE_RUN_PROGRAM]->on_input && launcher->ops->takes_bytes &&
           launcher->ops->takes_bytes(launcher, number);
}

/* Writes the candidate, and keeps it where its test may have to be run again. */
static pare_status put(process_oracle *self, unsigned number, const pare_candidate *candidate,
                       pare_error *err)
{
    pare_buffer *copy = &self->slots[number].bytes;
    self->slots[number].has_file = true;
    if (pare_invocation_reads_words(&self->invocation)) {
        pare_status status =
            pare_layout_words_read(self->layout, candidate, &self->slots[number].words, err);
        if (status) return status;
    }
    if (!self->runner.fast) return deliver(self, number, candidate, err);
    pare_buffer_reset(copy);
    if (pare_candidate_spans(candidate, add_to_copy, copy)) return pare_fail_nomem(err);
    if (self->layout) return deliver(self, number, candidate, err);
    if (!takes_bytes(self, number)) return write_copy(self, number, err);
    self->slots[number].has_file = false;
    return pare_slotdirs_open(self->dirs, number, err);
}

/* Writes the file, or the files, of the slot's candidate from its copy. */
static pare_status write_copy(process_oracle *self, unsigned number, pare_error *err)
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

/* Runs the program on the slot's candidate once more, by `launcher`. */
static pare_status run_again(process_oracle *self, unsigned number, pare_launcher *launcher,
                             pare_error *err)
{
    struct slot *slot = &self->slots[number];
    pare_slotdirs_clear(self->dirs, number);
    slot->trial = (pare_trial){.run = PARE_RUN_PROGRAM};
    slot->launcher = launcher;
    slot->timed_out = slot->flooded = false;
    pare_status status = write_copy(self, number, err);
    return status ? status : run(self, number, err);
}

static pare_status start(pare_oracle *oracle, unsigned number, const pare_candidate *candidate,
                         pare_error *err)
{
    process_oracle *self = of(oracle);
    struct slot *slot = &self->slots[number];
    assert(number < oracle->n_slots && slot->state == IDLE);
    slot->launcher = pare_runner_next(&self->runner);
    pare_status status = put(self, number, candidate, err);
    if (status) return status;
    slot->is_sample = slot->is_doubted = false;
    slot->cancelled = slot->timed_out = slot->flooded = false;
    slot->spent_ns = 0;
    slot->trial = (pare_trial){.run = PARE_RUN_PROGRAM};
    slot->captured = self->capture_next;
    if (slot->captured) self->captured[0] = '\0';
    self->capture_next = false;
    return run(self, number, err);
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

/* How long the run in a slot may take. */
static uint64_t limit_ns(const process_oracle *self, const struct slot *slot)
{
    uint64_t hang_ms = self->judge ? pare_judge_hang_ms(self->judge, slot->trial.run) : 0;
    return (hang_ms ? hang_ms : pare_time_limit_ms(&self->limit)) * 1000000u;
}

/* When something has to be done about the test in a slot, which is not idle. */
static uint64_t deadline_ns(const process_oracle *self, const struct slot *slot)
{
    if (slot->state == RUNNING) return slot->start_ns + limit_ns(self, slot);
    return slot->kill_ns + KILL_LIMIT_MS * UINT64_C(1000000);
}

/* Milliseconds until the first test has to end, or to be heard of, rounded up; -1: none
 * runs. */
static int64_t next_deadline_ms(const process_oracle *self, uint64_t now_ns)
{
    int64_t first_ms = -1;
    for (unsigned k = 0; k < self->head.n_slots; k++) {
        const struct slot *slot = &self->slots[k];
        if (slot->state == IDLE) continue;
        uint64_t end_ns = deadline_ns(self, slot);
        int64_t left_ms = end_ns > now_ns ? (int64_t)((end_ns - now_ns + 999999u) / 1000000u) : 0;
        if (first_ms < 0 || left_ms < first_ms) first_ms = left_ms;
    }
    return first_ms;
}

/* Kills the tests that have run too long, and once more those that are not heard of. */
static void expire(process_oracle *self, uint64_t now_ns)
{
    for (unsigned k = 0; k < self->head.n_slots; k++) {
        struct slot *slot = &self->slots[k];
        if (slot->state == IDLE || deadline_ns(self, slot) > now_ns) continue;
        slot->timed_out = slot->timed_out || slot->state == RUNNING;
        kill_slot(self, k);
    }
}

/* --- verdicts ---------------------------------------------------------------- */

/* Memory that a run took, as far as it can be told: the kernel counts what we take at the
 * start of a process as the process's own. */
static pare_status measure_rss(const process_oracle *self, const pare_ending *ending,
                               uint64_t *rss_bytes, pare_error *err)
{
    uint64_t least = pare_judge_least_rss_bytes(self->judge), own;
    *rss_bytes = 0;
    if (!least) return PARE_OK;
    own = pare_clock_peak_rss_bytes();
    if (own >= least)
        return pare_fail(err, PARE_E_LIMIT,
                         "pare itself takes %llu bytes of memory: a test can be told by its "
                         "memory only if it takes more, so raise --max-rss",
                         (unsigned long long)own);
    *rss_bytes = (uint64_t)ending->usage.ru_maxrss * 1024;
    return PARE_OK;
}

static pare_status observe(const process_oracle *self, struct slot *slot, const pare_ending *ending,
                           pare_observation *seen, pare_error *err)
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
    return measure_rss(self, ending, &seen->peak_rss_bytes, err);
}

/* Keeps a text of the judge's in `buffer`; *shown is that, or NULL. */
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

/* What two runs have to have in common: outcome, signature, and output where that counts. */
static pare_digest digest_judgement(const pare_judgement *judgement, const pare_observation *seen)
{
    const uint32_t parts[] = {(uint32_t)judgement->outcome, judgement->more};
    pare_digest digest = pare_checksum_wide(seen->out_digest, parts, sizeof parts);
    const char *signature = judgement->signature ? judgement->signature : "";
    return pare_checksum_wide(digest, signature, strlen(signature) + 1);
}

/* Asks the judge about the run that has ended in `slot`; sets *more when another one is
 * under way. */
static pare_status judge_run(process_oracle *self, unsigned number, const pare_ending *ending,
                             pare_verdict *verdict, bool *more, pare_error *err)
{
    struct slot *slot = &self->slots[number];
    pare_observation seen;
    pare_judgement judgement = {.more = false};
    pare_status status = observe(self, slot, ending, &seen, err);
    if (!status && slot->captured && slot->trial.run == PARE_RUN_PROGRAM)
        keep_captured(self, seen.err.size ? seen.err : seen.out);
    if (!status) status = pare_judge_decide(self->judge, &slot->trial, &seen, &judgement, err);
    if (!status && slot->trial.run == PARE_RUN_PROGRAM)
        slot->first.judged = digest_judgement(&judgement, &seen);
    if (!status && judgement.more) {
        slot->spent_ns += pare_clock_ns() - slot->start_ns;
        slot->launcher = self->runner.spawn; /* other commands */
        slot->timed_out = slot->flooded = false;
        *more = true;
        if (!slot->has_file) status = write_copy(self, number, err);
        return status ? status : run(self, number, err);
    }
    verdict->outcome = judgement.outcome;
    if (!status)
        status = keep_text(&slot->signature, judgement.signature, &verdict->signature, err);
    if (!status) status = keep_text(&slot->why, judgement.why, &verdict->why, err);
    return status;
}

/* The rule for test commands. */
static void judge_test(process_oracle *self, struct slot *slot, const pare_ending *ending,
                       pare_verdict *verdict)
{
    finish_output(&slot->out);
    if (slot->captured) keep_captured(self, pare_capture_text(&slot->out));
    verdict->outcome = slot->timed_out          ? PARE_UNRESOLVED
                       : ending->exit_code == 0 ? PARE_FAIL
                                                : PARE_PASS;
}

/* The second run of a test whose verdict is known. */
static void finish_sample(process_oracle *self, unsigned number, const pare_ending *ending,
                          double ms, pare_verdict *verdict)
{
    struct slot *slot = &self->slots[number];
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

/* The verdict of the test in the slot is there: true when the program is run once more
 * before it is given, to be compared. */
static bool take_sample(process_oracle *self, unsigned number, const pare_verdict *verdict)
{
    struct slot *slot = &self->slots[number];
    if (slot->cancelled || !pare_runner_wants_sample(&self->runner, &slot->first)) return false;
    slot->verdict = *verdict;
    slot->is_sample = true;
    slot->captured = false;
    return run_again(self, number, self->runner.fast, NULL) == PARE_OK;
}

/* The program has run so in the slot.  True when its server died, or knows too little, so
 * that it is to be run again as a process. */
static bool note_run(process_oracle *self, struct slot *slot, const pare_ending *ending, double ms)
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

/* Whether a new process has to say the same: of a failure in a shared one, and of the first
 * test of all. */
static bool is_doubtful(const process_oracle *self, const struct slot *slot,
                        const pare_verdict *verdict)
{
    if (slot->cancelled || !slot->is_unconfirmed) return false;
    return verdict->outcome == PARE_FAIL || !self->runner.trusted;
}

/* There is something to hear about the test in `slot`; sets *verdict if it has *ended. */
static pare_status conclude(process_oracle *self, unsigned number, bool *ended,
                            pare_verdict *verdict, pare_error *err)
{
    struct slot *slot = &self->slots[number];
    pare_ending ending = {.exit_code = -1};
    uint64_t took_ns = pare_clock_ns() - slot->start_ns;
    bool more = false;
    pare_status status = hear(self, number, ended, &ending, err);
    if (!status && !*ended) return PARE_OK;
    if (!status && slot->is_sample) {
        finish_sample(self, number, &ending, (double)took_ns / 1e6, verdict);
        return PARE_OK;
    }
    if (!status && note_run(self, slot, &ending, (double)took_ns / 1e6)) {
        *ended = false;
        return run_again(self, number, self->runner.spawn, err);
    }
    *verdict = (pare_verdict){.slot = number,
                              .cancelled = slot->cancelled,
                              .duration_ms = (double)(slot->spent_ns + took_ns) / 1e6,
                              .exit_code = ending.exit_code,
                              .signal = ending.signal,
                              .timed_out = slot->timed_out && !slot->cancelled};
    if (!status && !slot->timed_out && !slot->cancelled)
        pare_time_limit_learn(&self->limit, (took_ns + 999999u) / 1000000u);
    if (!status && !slot->cancelled) {
        if (self->judge)
            status = judge_run(self, number, &ending, verdict, &more, err);
        else
            judge_test(self, slot, &ending, verdict);
    }
    if (!status && !more && is_doubtful(self, slot, verdict)) {
        slot->is_doubted = true;
        slot->verdict = *verdict;
        *ended = false;
        return run_again(self, number, self->runner.spawn, err);
    }
    if (!status && !more && slot->is_doubted && !slot->cancelled)
        pare_runner_compare_first(&self->runner, slot->verdict.outcome, verdict->outcome);
    if (more)
        *ended = status != PARE_OK; /* a run that cannot be started has freed the slot */
    else if (!status && take_sample(self, number, verdict))
        *ended = false;
    else
        pare_slotdirs_clear(self->dirs, number);
    return status;
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

/* Whether the event `what` is about a test that runs. */
static bool hears_test(const process_oracle *self, uint32_t what)
{
    const bool is_server = what & PARE_HEAR_SERVER;
    what &= ~(uint32_t)PARE_HEAR_SERVER;
    if (what >= self->head.n_slots || self->slots[what].state == IDLE) return false;
    return is_server == (self->slots[what].launcher != self->runner.spawn);
}

/* Hears what a slot's program printed, or its server that no test of the slot is run by. */
static void hear_other(process_oracle *self, uint32_t what)
{
    if (what & EVENT_OUT)
        hear_output(self, what - EVENT_OUT, &self->slots[what - EVENT_OUT].out);
    else if (what & EVENT_ERR)
        hear_output(self, what - EVENT_ERR, &self->slots[what - EVENT_ERR].err);
    else if (what & PARE_HEAR_SERVER)
        self->runner.fast->ops->mute(self->runner.fast, what - PARE_HEAR_SERVER);
}

/* Looks for a test that ends in no time; *what is as of its event. */
static bool glance(process_oracle *self, uint32_t *what)
{
    const pare_launcher *fast = self->runner.fast;
    if (!fast || !fast->ops->glance) return false;
    for (unsigned k = 0; k < self->head.n_slots; k++) {
        if (self->slots[k].state == IDLE || self->slots[k].launcher != fast) continue;
        *what = k | PARE_HEAR_SERVER;
        if (fast->ops->glance(self->runner.fast, k)) return true;
    }
    return false;
}

static pare_status wait_for(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                            pare_verdict *verdict, pare_error *err)
{
    process_oracle *self = of(oracle);
    uint64_t now_ns = pare_clock_ns();
    const uint64_t end_ns = end_of_wait(now_ns, timeout_ms);
    for (;;) {
        struct epoll_event event;
        uint32_t about = 0;
        if (pare_stop_requested(self->stop)) {
            *what = PARE_WAIT_INTERRUPTED;
            return PARE_OK;
        }
        if (!self->n_busy && end_ns == UINT64_MAX) { /* a verdict was lost with an error */
            *what = PARE_WAIT_INTERRUPTED;
            return PARE_OK;
        }
        int n = 1;
        if (!glance(self, &about)) {
            n = epoll_wait(self->epoll_fd, &event, 1, sleep_ms(self, now_ns, end_ns));
            if (n == 1) about = event.data.u32;
        }
        if (n < 0 && errno != EINTR) return pare_fail_errno(err, errno, "cannot wait for tests");
        if (n == 1 && hears_test(self, about)) {
            bool ended = false;
            pare_status status =
                conclude(self, about & ~(uint32_t)PARE_HEAR_SERVER, &ended, verdict, err);
            *what = PARE_WAIT_VERDICT;
            if (status || ended) return status;
        } else if (n == 1) {
            hear_other(self, about);
        }
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
    for (unsigned hard = 0; hard < 2; hard++) /* nobody can be waited for */
        for (unsigned k = 0; self->n_busy && k < self->head.n_slots; k++)
            if (self->slots[k].state != IDLE) kill_slot(self, k);
    for (unsigned k = 0; self->n_busy && k < self->head.n_slots; k++)
        if (self->slots[k].state != IDLE) forget(self, k);
}

static void close_slots(process_oracle *self)
{
    for (unsigned k = 0; self->slots && k < self->head.n_slots; k++) {
        pare_capture_close(&self->slots[k].out);
        pare_capture_close(&self->slots[k].err);
        pare_buffer_done(&self->slots[k].bytes);
        pare_layout_words_done(&self->slots[k].words);
        pare_buffer_done(&self->slots[k].signature);
        pare_buffer_done(&self->slots[k].why);
    }
    pare_release(self->slots);
}

static void destroy(pare_oracle *oracle)
{
    process_oracle *self = of(oracle);
    if (self->slots) end_tests(self);
    pare_runner_done(&self->runner);
    pare_sandbox_free(self->sandbox);
    pare_family_done(&self->family);
    pare_slotdirs_free(self->dirs);
    pare_guard_close(&self->guard);
    pare_spawner_done(&self->spawner);
    close_slots(self);
    if (self->epoll_fd >= 0) (void)close(self->epoll_fd);
    pare_invocation_done(&self->invocation);
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
    pare_status status =
        pare_invocation_init(&self->invocation, self->commands, PARE_N_RUNS, self->layout, err);
    if (status) return status;
    self->slots = pare_alloc_zero(options->n_slots, sizeof *self->slots);
    if (!self->slots) return pare_fail_nomem(err);
    self->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (self->epoll_fd < 0) return pare_fail_errno(err, errno, "cannot make an epoll descriptor");
    if (options->stop)
        status = pare_hear_add(self->epoll_fd, pare_stop_fd(options->stop), EVENT_STOP, err);
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
    const pare_server_home home = {.spawner = &self->spawner,
                                   .family = &self->family,
                                   .sandbox = self->sandbox,
                                   .epoll_fd = self->epoll_fd,
                                   .is_cell = options->sandbox.level == PARE_LEVEL_FULL};
    return pare_runner_init(&self->runner, options->runner, &home, options->command, err);
}

pare_status pare_process_new(const pare_process_options *options, pare_oracle **out,
                             pare_error *err)
{
    if (!options->n_slots || options->n_slots >= PARE_HEAR_SERVER)
        return pare_fail(err, PARE_E_ARG, "%u tests at once are not possible", options->n_slots);
    process_oracle *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_oracle){.ops = &ops, .n_slots = options->n_slots};
    self->commands[PARE_RUN_PROGRAM] = options->command;
    self->commands[PARE_RUN_OTHER] = options->other;
    self->commands[PARE_RUN_VALID] = options->valid;
    self->judge = options->judge;
    self->layout = options->layout;
    self->stop = options->stop;
    self->limit.fixed_ms = options->timeout_ms;
    self->epoll_fd = -1;
    name_run(self->run_id);
    pare_status status = prepare(self, options, err);
    if (status)
        destroy(&self->head);
    else
        *out = &self->head;
    return status;
}

const pare_sandbox *pare_process_sandbox(const pare_oracle *oracle)
{
    return ((const process_oracle *)(const void *)oracle)->sandbox;
}

pare_runner pare_process_runner(const pare_oracle *oracle, const char **reason)
{
    const process_oracle *self = (const process_oracle *)(const void *)oracle;
    if (reason) *reason = self->runner.reason;
    return pare_runner_chosen(&self->runner);
}

void pare_process_capture_next(pare_oracle *oracle)
{
    of(oracle)->capture_next = true;
}

const char *pare_process_captured(pare_oracle *oracle)
{
    return of(oracle)->captured;
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
