/* The process oracle: what the end of a run says, which run comes next, and waiting for ends.
 *
 * A slot is idle, running, or dying: killed because it was cancelled or has timed out, and
 * waiting for its leader's end.  How the program is started and how its end is heard is the
 * launcher's business (launcher.h): it puts a descriptor into our epoll that is readable when
 * there is something to hear.  Deadlines are the time given to epoll_wait, so nothing is
 * polled and no timer is set.
 *
 * A test is one run of a command, or, under a judge, up to three, of which each next one is
 * started when the one before has ended; what they print is read as it comes.  A run is made
 * again by another process where its server died, or shares a process with other tests and
 * shows a failure.  While the runner measures (runner.h), the program is run once more after
 * the verdict is known and before it is given.
 *
 * Invariants: a slot that is not idle has a test of its launcher's, which an event of the
 * epoll will tell of; n_busy slots are not idle; an idle slot's directory is empty, but
 * between the runs of one test.
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
#include "base/checksum.h"
#include "base/digest.h"
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
#include "run/invocation.h"
#include "run/judge.h"
#include "run/launch_dialog.h"
#include "run/launcher.h"
#include "run/oracle.h"
#include "run/printed.h"
#include "run/process_slot.h"
#include "run/runner.h"
#include "run/signature.h"
#include "run/time_limit.h"
#include "text/layout.h"

enum {
    LATE_MS = 20,        /* a look that comes this much later than meant is late */
    EXTENSION_MS = 250,  /* of a deadline, at least */
    MOST_EXTENSIONS = 8, /* for one run */
    AWAY_MS = 100,       /* that the engine may take between two waits */
    HEARING_MS = 1000,   /* beyond a limit, for ends that wait to be heard */
    KILL_LIMIT_MS = 1000 /* for a killed test to be heard of; then it is killed harder */
};

/* ---- verdicts ----------------------------------------------------------------------- */

/* Memory that a run took, as far as it can be told: the kernel counts what we take at the
 * start of a process as the process's own. */
static pare_status measure_rss(const pare_process_oracle *self, const pare_ending *ending,
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

/* What was seen of the run that has ended in the slot: its output is complete now. */
static pare_status observe(const pare_process_oracle *self, pare_process_slot *slot,
                           const pare_ending *ending, pare_observation *seen, pare_error *err)
{
    bool exited = ending->exit_code >= 0;
    pare_process_slot_finish_output(&slot->out);
    pare_process_slot_finish_output(&slot->err);
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
static pare_status judge_run(pare_process_oracle *self, unsigned number, const pare_ending *ending,
                             pare_verdict *verdict, bool *more, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    pare_observation seen;
    pare_judgement judgement = {.more = false};
    pare_status status = observe(self, slot, ending, &seen, err);
    if (!status && slot->captured && slot->trial.run == PARE_RUN_PROGRAM)
        pare_process_slot_keep_captured(self, seen.err.size ? seen.err : seen.out);
    if (!status) status = pare_judge_decide(self->judge, &slot->trial, &seen, &judgement, err);
    if (!status && slot->trial.run == PARE_RUN_PROGRAM)
        slot->first.judged = digest_judgement(&judgement, &seen);
    if (!status && judgement.more) {
        slot->spent_ns += pare_clock_ns() - slot->start_ns;
        slot->launcher = self->runner.spawn; /* other commands */
        slot->timed_out = slot->flooded = false;
        *more = true;
        if (!slot->has_file) status = pare_process_slot_write_copy(self, number, err);
        return status ? status : pare_process_slot_run(self, number, err);
    }
    verdict->outcome = judgement.outcome;
    if (!status)
        status = keep_text(&slot->signature, judgement.signature, &verdict->signature, err);
    if (!status) status = keep_text(&slot->why, judgement.why, &verdict->why, err);
    return status;
}

/* The rule for test commands. */
static void judge_test(pare_process_oracle *self, pare_process_slot *slot,
                       const pare_ending *ending, pare_verdict *verdict)
{
    if (slot->captured) { /* others print to /dev/null */
        pare_process_slot_finish_output(&slot->out);
        pare_process_slot_keep_captured(self, pare_capture_text(&slot->out));
    }
    verdict->outcome = slot->timed_out          ? PARE_UNRESOLVED
                       : ending->exit_code == 0 ? PARE_FAIL
                                                : PARE_PASS;
}

/* The rule for workers: they say what the outcome is. */
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

/* A worker has answered in the slot, or has ended; *again: the candidate is for another. */
static pare_status note_worker(pare_process_oracle *self, pare_process_slot *slot,
                               const pare_ending *ending, bool *again, pare_error *err)
{
    *again = false;
    pare_process_slot_finish_output(&slot->out);
    if (slot->captured || ending->lost)
        pare_process_slot_keep_captured(self, pare_capture_text(&slot->out));
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

/* The second run of a test whose verdict is known. */
static void finish_sample(pare_process_oracle *self, unsigned number, const pare_ending *ending,
                          double ms, pare_verdict *verdict)
{
    pare_process_slot *slot = &self->slots[number];
    pare_observation seen;
    pare_judgement judgement;
    pare_trial trial = {.run = PARE_RUN_PROGRAM};
    pare_runner_run second = {
        .ending = *ending, .ms = ms, .timed_out = slot->timed_out || slot->flooded};
    pare_process_slot_finish_output(&slot->out);
    pare_process_slot_finish_output(&slot->err);
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
static bool take_sample(pare_process_oracle *self, unsigned number, const pare_verdict *verdict)
{
    pare_process_slot *slot = &self->slots[number];
    if (slot->cancelled || !pare_runner_wants_sample(&self->runner, &slot->first)) return false;
    slot->verdict = *verdict;
    slot->is_sample = true;
    slot->captured = false;
    return pare_process_slot_run_again(self, number, self->runner.fast, NULL) == PARE_OK;
}

/* The program has run so in the slot.  True when its server died, or knows too little, so
 * that it is to be run again as a process. */
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

/* Whether a new process has to say the same: of a failure in a shared one, and of the first
 * test of all. */
static bool is_doubtful(const pare_process_oracle *self, const pare_process_slot *slot,
                        const pare_verdict *verdict)
{
    if (slot->cancelled || !slot->is_unconfirmed) return false;
    return verdict->outcome == PARE_FAIL || !self->runner.trusted;
}

/* Learns from a run that ended by itself, not counting extensions of its deadline. */
static void learn_limit(pare_process_oracle *self, const pare_process_slot *slot, uint64_t took_ns,
                        bool failed)
{
    took_ns -= took_ns < slot->extended_ns ? took_ns : slot->extended_ns;
    pare_time_limit_learn(&self->limit, (took_ns + 999999u) / 1000000u, failed);
}

/* Sets the outcome of the run that has ended, by the rule for what is run; *more: it was not
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

/* Something was heard of the run in slot `number`.  When it has ended, either the next run of
 * the test is started (the next command of a trial, the same once more elsewhere, a sample),
 * or *ended stays set and *verdict is that of the test.
 * Errors: PARE_E_IO, PARE_E_NOMEM; the slot is free then. */
static pare_status conclude(pare_process_oracle *self, unsigned number, bool *ended,
                            pare_verdict *verdict, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    pare_ending ending = {.exit_code = -1};
    uint64_t took_ns = pare_clock_ns() - slot->start_ns;
    bool more = false;
    pare_status status = pare_process_slot_hear(self, number, ended, &ending, err);
    if (!status && !*ended) return PARE_OK;
    if (!status && slot->is_sample) {
        finish_sample(self, number, &ending, (double)took_ns / 1e6, verdict);
        return PARE_OK;
    }
    bool again = false;
    if (!status && pare_process_slot_has_worker(self))
        status = note_worker(self, slot, &ending, &again, err);
    else if (!status)
        again = note_run(self, slot, &ending, (double)took_ns / 1e6);
    if (again) {
        *ended = false;
        return pare_process_slot_run_again(self, number, pare_runner_again(&self->runner), err);
    }
    *verdict = (pare_verdict){.slot = number,
                              .cancelled = slot->cancelled,
                              .duration_ms = (double)(slot->spent_ns + took_ns) / 1e6,
                              .exit_code = ending.exit_code,
                              .signal = ending.signal,
                              .timed_out = slot->timed_out && !slot->cancelled};
    if (!status && !slot->cancelled) status = judge(self, number, &ending, verdict, &more, err);
    if (!status && !slot->timed_out && !slot->cancelled)
        learn_limit(self, slot, took_ns, !more && verdict->outcome == PARE_FAIL);
    if (!status && !more && is_doubtful(self, slot, verdict)) {
        slot->is_doubted = true;
        slot->verdict = *verdict;
        *ended = false;
        return pare_process_slot_run_again(self, number, self->runner.spawn, err);
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

/* ---- waiting ------------------------------------------------------------------------- */

/* What is dying already is not killed once more for that. */
static void cancel(pare_oracle *oracle, unsigned slot)
{
    pare_process_oracle *self = pare_process_slot_oracle(oracle);
    assert(slot < oracle->n_slots);
    if (self->slots[slot].state == PARE_SLOT_IDLE) return;
    self->slots[slot].cancelled = true;
    if (self->slots[slot].state == PARE_SLOT_RUNNING) pare_process_slot_let_go(self, slot);
}

/* How long the run in a slot may take. */
static uint64_t limit_ns(const pare_process_oracle *self, const pare_process_slot *slot)
{
    uint64_t hang_ms = self->judge ? pare_judge_hang_ms(self->judge, slot->trial.run) : 0;
    return (hang_ms ? hang_ms : pare_time_limit_ms(&self->limit)) * 1000000u;
}

/* When something has to be done about the test in a slot, which is not idle. */
static uint64_t deadline_ns(const pare_process_oracle *self, const pare_process_slot *slot)
{
    if (slot->state == PARE_SLOT_RUNNING)
        return slot->start_ns + limit_ns(self, slot) + slot->extended_ns;
    return slot->kill_ns + KILL_LIMIT_MS * UINT64_C(1000000);
}

/* Milliseconds until the first test has to end, or to be heard of, rounded up; -1: none
 * runs. */
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

/* How long to sleep: until the caller's end, or the first test's. */
static int sleep_ms(const pare_process_oracle *self, uint64_t now_ns, uint64_t end_ns)
{
    int64_t left_ms = next_deadline_ms(self, now_ns);
    if (end_ns != UINT64_MAX) {
        int64_t own_ms = end_ns > now_ns ? (int64_t)((end_ns - now_ns + 999999u) / 1000000u) : 0;
        if (left_ms < 0 || own_ms < left_ms) left_ms = own_ms;
    }
    return left_ms > INT32_MAX ? INT32_MAX : (int)left_ms;
}

/* The time at which the caller stops waiting; UINT64_MAX: never. */
static uint64_t end_of_wait(uint64_t now_ns, int64_t timeout_ms)
{
    const int64_t most_ms = INT64_MAX / 2000000;
    if (timeout_ms < 0 || timeout_ms > most_ms) return UINT64_MAX;
    return now_ns + (uint64_t)timeout_ms * 1000000u;
}

/* Whether the event `what` is about a test that runs. */
static bool hears_test(const pare_process_oracle *self, uint32_t what)
{
    const bool is_server = what & PARE_LAUNCHER_SERVER;
    what &= ~(uint32_t)PARE_LAUNCHER_SERVER;
    if (what >= self->head.n_slots || self->slots[what].state == PARE_SLOT_IDLE) return false;
    return is_server == (self->slots[what].launcher != self->runner.spawn);
}

/* Hears what a slot's program printed, or its server that no test of the slot is run by. */
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

/* Looks for a test that ends in no time; *what is as of its event. */
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
 * end no test (output, servers, runs that lead to further ones) do not end the wait. */
static pare_status hear_next(pare_process_oracle *self, int64_t timeout_ms, pare_wait *what,
                             pare_verdict *verdict, pare_error *err)
{
    uint64_t now_ns = look(self, AWAY_MS);
    const uint64_t end_ns = end_of_wait(now_ns, timeout_ms);
    for (;;) {
        struct epoll_event event;
        uint32_t about = 0;
        assert(pare_process_slot_check(self));
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
            int wait_ms = sleep_ms(self, now_ns, end_ns);
            (void)look(self, wait_ms);
            n = epoll_wait(self->epoll_fd, &event, 1, wait_ms);
            (void)look(self, AWAY_MS);
            if (n == 1) about = event.data.u32;
        }
        if (n < 0 && errno != EINTR) return pare_fail_errno(err, errno, "cannot wait for tests");
        if (n == 1 && hears_test(self, about)) {
            bool ended = false;
            pare_status status =
                conclude(self, about & ~(uint32_t)PARE_LAUNCHER_SERVER, &ended, verdict, err);
            *what = PARE_WAIT_VERDICT;
            if (status || ended) return status;
        } else if (n == 1) {
            hear_other(self, about);
        }
        now_ns = look(self, AWAY_MS);
        expire(self, now_ns, n == 1);
        if (n == 0 && now_ns >= end_ns) {
            *what = PARE_WAIT_TIMEOUT;
            return PARE_OK;
        }
    }
}

/* The last look is for the engine, which goes away now. */
static pare_status wait_for(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                            pare_verdict *verdict, pare_error *err)
{
    pare_process_oracle *self = pare_process_slot_oracle(oracle);
    pare_status status = hear_next(self, timeout_ms, what, verdict, err);
    (void)look(self, AWAY_MS);
    return status;
}

/* --- life -------------------------------------------------------------------- */

/* Ends all tests: kills them first, then waits for each. */
static void end_tests(pare_process_oracle *self)
{
    for (unsigned hard = 0; hard < 2; hard++) /* nobody can be waited for */
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
    pare_alloc_free(self);
}

static const pare_oracle_ops ops = {
    .start = pare_process_slot_start, .cancel = cancel, .wait = wait_for, .destroy = destroy};

/* The guard is told the names before anything is made under them. */
static pare_status prepare_directories(pare_process_oracle *self,
                                       const pare_process_options *options, pare_error *err)
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

/* In the order in which the parts need each other.  What fails leaves the rest to destroy. */
static pare_status prepare(pare_process_oracle *self, const pare_process_options *options,
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
void pare_process_spare(pare_oracle *oracle, pid_t pid)
{
    pare_process_slot_oracle(oracle)->tree.spared[1] = pid;
}

pare_status pare_process_new(const pare_process_options *options, pare_oracle **out,
                             pare_error *err)
{
    if (!options->n_slots || options->n_slots >= PARE_LAUNCHER_SERVER)
        return pare_fail(err, PARE_E_ARG, "%u tests at once are not possible", options->n_slots);
    pare_process_oracle *self = pare_alloc_zero(1, sizeof *self);
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
    pare_process_tree_name_run(self->run_id);
    pare_status status = prepare(self, options, err);
    if (status)
        destroy(&self->head);
    else
        *out = &self->head;
    return status;
}

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

pare_runner pare_process_runner(const pare_oracle *oracle, const char **reason)
{
    const pare_process_oracle *self = (const pare_process_oracle *)(const void *)oracle;
    if (reason) *reason = self->runner.reason;
    return pare_runner_chosen(&self->runner);
}

const char *pare_process_worker_notice(const pare_oracle *oracle)
{
    const pare_process_oracle *self = (const pare_process_oracle *)(const void *)oracle;
    return self->workers.notice[0] ? self->workers.notice : NULL;
}

void pare_process_capture_next(pare_oracle *oracle)
{
    pare_process_slot_oracle(oracle)->capture_next = true;
}

const char *pare_process_captured(pare_oracle *oracle)
{
    return pare_process_slot_oracle(oracle)->captured;
}

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
