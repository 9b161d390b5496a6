/* Verdicts of the process oracle: what the end of a run says, and which run comes next. */
#include "run/process_slots.h"

#include <string.h>

#include <pare/outcome.h>

#include "base/buffer.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/status.h"
#include "os/clock.h"
#include "os/process_tree.h"
#include "os/sandbox/slotdir.h"
#include "run/capture.h"
#include "run/judge.h"
#include "run/launch_dialog.h"
#include "run/observation.h"
#include "run/oracle.h"
#include "run/runner.h"
#include "run/signature.h"
#include "run/time_limit.h"
#include "run/workers.h"

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

static pare_status observe(const pare_process_oracle *self, pare_process_slot *slot,
                           const pare_ending *ending, pare_observation *seen, pare_error *err)
{
    bool exited = ending->exit_code >= 0;
    pare_process_finish_output(&slot->out);
    pare_process_finish_output(&slot->err);
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
        pare_process_keep_captured(self, seen.err.size ? seen.err : seen.out);
    if (!status) status = pare_judge_decide(self->judge, &slot->trial, &seen, &judgement, err);
    if (!status && slot->trial.run == PARE_RUN_PROGRAM)
        slot->first.judged = digest_judgement(&judgement, &seen);
    if (!status && judgement.more) {
        slot->spent_ns += pare_clock_ns() - slot->start_ns;
        slot->launcher = self->runner.spawn; /* other commands */
        slot->timed_out = slot->flooded = false;
        *more = true;
        if (!slot->has_file) status = pare_process_write_copy(self, number, err);
        return status ? status : pare_process_run(self, number, err);
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
        pare_process_finish_output(&slot->out);
        pare_process_keep_captured(self, pare_capture_text(&slot->out));
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
    pare_process_finish_output(&slot->out);
    if (slot->captured || ending->lost)
        pare_process_keep_captured(self, pare_capture_text(&slot->out));
    if (slot->timed_out || slot->cancelled) return PARE_OK;
    if (!ending->lost) {
        pare_workers_answered(&self->workers);
        return PARE_OK;
    }
    pare_status status =
        pare_workers_ended(&self->workers, ending, ++slot->n_ended, self->captured, again, err);
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
    pare_process_finish_output(&slot->out);
    pare_process_finish_output(&slot->err);
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
    return pare_process_run_again(self, number, self->runner.fast, NULL) == PARE_OK;
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

/* Learns from a run that ended by itself; what it was pardoned is not its own. */
static void learn_limit(pare_process_oracle *self, const pare_process_slot *slot, uint64_t took_ns,
                        bool failed)
{
    took_ns -= took_ns < slot->pardoned_ns ? took_ns : slot->pardoned_ns;
    pare_time_limit_learn(&self->limit, (took_ns + 999999u) / 1000000u, failed);
}

/* There is something to hear about the test in `slot`; sets *verdict if it has *ended. */
pare_status pare_process_conclude(pare_process_oracle *self, unsigned number, bool *ended,
                                  pare_verdict *verdict, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    pare_ending ending = {.exit_code = -1};
    uint64_t took_ns = pare_clock_ns() - slot->start_ns;
    bool more = false;
    pare_status status = pare_process_hear(self, number, ended, &ending, err);
    if (!status && !*ended) return PARE_OK;
    if (!status && slot->is_sample) {
        finish_sample(self, number, &ending, (double)took_ns / 1e6, verdict);
        return PARE_OK;
    }
    bool again = false;
    if (!status && pare_process_has_worker(self))
        status = note_worker(self, slot, &ending, &again, err);
    else if (!status)
        again = note_run(self, slot, &ending, (double)took_ns / 1e6);
    if (again) {
        *ended = false;
        return pare_process_run_again(self, number, pare_runner_again(&self->runner), err);
    }
    *verdict = (pare_verdict){.slot = number,
                              .cancelled = slot->cancelled,
                              .duration_ms = (double)(slot->spent_ns + took_ns) / 1e6,
                              .exit_code = ending.exit_code,
                              .signal = ending.signal,
                              .timed_out = slot->timed_out && !slot->cancelled};
    if (!status && !slot->cancelled) {
        if (self->judge)
            status = judge_run(self, number, &ending, verdict, &more, err);
        else if (pare_process_has_worker(self))
            status = judge_worker(self, slot, &ending, verdict, err);
        else
            judge_test(self, slot, &ending, verdict);
    }
    if (!status && !slot->timed_out && !slot->cancelled)
        learn_limit(self, slot, took_ns, !more && verdict->outcome == PARE_FAIL);
    if (!status && !more && is_doubtful(self, slot, verdict)) {
        slot->is_doubted = true;
        slot->verdict = *verdict;
        *ended = false;
        return pare_process_run_again(self, number, self->runner.spawn, err);
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
