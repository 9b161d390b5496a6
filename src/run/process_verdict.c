/* What the end of a run comes to: the verdict of the test, or its next run.
 *
 * A test is one run of a command, or, under a judge, up to three, of which each next one is
 * started when the one before has ended.  A run is made again by another process where its server
 * died, or where it shares a process with other tests and shows a failure.  While the runner
 * measures (runner.h), the program is run once more after the verdict is known and before it is
 * given; so is the compiler that says what is wrong with a candidate.  All of this happens in
 * conclude, one event at a time, and nothing here waits.
 *
 * Invariant: a verdict that is held back while another run goes on (a doubt, a sample, a check)
 * lies in the slot, and that run changes nothing of it but what it was made for. */
#include "run/process_verdict.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include <pare/outcome.h>

#include "base/buffer.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/fail.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/process_tree.h"
#include "os/sandbox/slotdir.h"
#include "run/capture.h"
#include "run/command.h"
#include "run/command_files.h"
#include "run/compiler_line.h"
#include "run/complaint_reader.h"
#include "run/complaints.h"
#include "run/failure_words.h"
#include "run/judge.h"
#include "run/launcher.h"
#include "run/oracle.h"
#include "run/printed.h"
#include "run/process_fault.h"
#include "run/process_slot.h"
#include "run/runner.h"
#include "run/shim/watch_protocol.h"
#include "run/signature.h"
#include "run/time_limit.h"

enum { MOST_LOST = 3 }; /* runs of a test: with process 1 of its sandbox, or before they began */

/* The end of `text`, at most `limit` bytes of it, from the start of a line. Where the limit
 * falls within the last line, the end of that line is all there is. */
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

/* The stream to show of a run: standard error, unless it is empty, or only standard output has words for a fault:
 * e2fsck's name and version go to standard error, what it finds does not. */
static pare_printed telling_stream(const pare_observation *seen)
{
    const pare_printed out = last_lines(seen->out, PARE_PROCESS_CAPTURED_BYTES);
    const bool on_out = out.size && pare_failure_words_in(out.text, out.size) &&
                        !pare_failure_words_in(seen->err.text, seen->err.size);
    return seen->err.size && !on_out ? seen->err : seen->out;
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

/* Describes the run that has ended in the slot. Its output is complete (pare_process_slot_hear). A run
 * that we ended ourselves has no exit code or signal of its own. Errors: those of measure_rss. */
static pare_status observe(const pare_process_oracle *self, pare_process_slot *slot,
                           const pare_ending *ending, pare_observation *seen, pare_error *err)
{
    bool exited = ending->exit_code >= 0;
    *seen = (pare_observation){.ended = exited ? PARE_ENDED_EXIT : PARE_ENDED_SIGNAL,
                               .code = exited ? ending->exit_code : ending->signal,
                               .out_digest = pare_capture_digest(&slot->out),
                               .out = pare_capture_text(&slot->out),
                               .err = pare_capture_text(&slot->err)};
    if (self->judge && slot->has_copy && !self->layout)
        seen->candidate = (pare_printed){.text = slot->bytes.size ? slot->bytes.data : "",
                                         .size = slot->bytes.size};
    if (slot->timed_out || slot->flooded) {
        seen->ended = slot->timed_out ? PARE_ENDED_HANG : PARE_ENDED_FLOOD;
        seen->code = 0;
    }
    return pare_process_fault_rss(self, ending, &seen->peak_rss_bytes, err);
}

/* Copies a text of the judge's to `buffer`, because the judge's own is overwritten by its next
 * judgement. *shown is the copy, or NULL without a text. */
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

/* Digest of everything in which two runs must agree to count as the same: outcome, signature,
 * whether the judge wants another run, and the size of the standard output, or all of it if it is
 * compared. */
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
 * another command on the same candidate, which the judge needs before it can decide.
 *
 * Only the run of the program itself is captured, listened to and compared; the judge's other
 * commands answer a question of its own. The signature and the output are kept from the
 * program's run until the last command has ended, when the outcome is known. */
static pare_status judge_run(pare_process_oracle *self, unsigned number, const pare_ending *ending,
                             pare_verdict *verdict, bool *more, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    pare_observation seen;
    pare_judgement judgement = {.more = false};
    pare_status status = observe(self, slot, ending, &seen, err);
    if (!status && slot->captured && slot->trial.run == PARE_RUN_PROGRAM)
        keep_captured(self, telling_stream(&seen));
    if (!status) status = pare_judge_decide(self->judge, &slot->trial, &seen, &judgement, err);
    if (!status && slot->trial.run == PARE_RUN_PROGRAM)
        slot->first.judged = digest_judgement(&judgement, &seen);
    if (!status && slot->listened && slot->trial.run == PARE_RUN_PROGRAM)
        hear_complaints(slot, &seen.err, &seen.out);
    if (!status && judgement.signature && pare_judge_is_any(self->judge))
        status = keep_output(slot, seen.err.size ? seen.err : seen.out, err);
    if (!status && judgement.more) {
        slot->spent_ns += pare_clock_ns() - slot->start_ns;
        *more = true;
        status = keep_text(&slot->signature, judgement.signature, &verdict->signature, err);
        return status ? status : pare_process_slot_run_other(self, number, err);
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
 * is still there; any other end, also by a signal, that it is gone.  One of those codes may say that
 * it is another failure, which is named after it, as a program's would be. */
static pare_status judge_test(pare_process_oracle *self, pare_process_slot *slot,
                              const pare_ending *ending, pare_verdict *verdict, pare_error *err)
{
    char signature[32];
    if (slot->captured || slot->listened) { /* others print to /dev/null */
        const pare_printed text = pare_capture_text(&slot->out), none = {.size = 0};
        if (slot->captured) keep_captured(self, text);
        if (slot->listened) hear_complaints(slot, &text, &none);
    }
    verdict->outcome = slot->timed_out          ? PARE_UNRESOLVED
                       : ending->exit_code == 0 ? PARE_FAIL
                                                : PARE_PASS;
    if (verdict->outcome != PARE_PASS || !self->also_exit_code ||
        ending->exit_code != self->also_exit_code)
        return PARE_OK;
    (void)snprintf(signature, sizeof signature, "exit %d", ending->exit_code);
    return keep_text(&slot->signature, signature, &verdict->signature, err);
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

/* A worker has answered in the slot, or has ended. *again: the candidate is given to another
 * worker, since one that ends may have had reasons of its own (launch_dialog.h says how often that
 * is believed). Errors: PARE_E_IO (it ends at its start), PARE_E_LIMIT (it ends on every
 * candidate). */
static pare_status note_worker(pare_process_oracle *self, pare_process_slot *slot,
                               const pare_ending *ending, bool *again, pare_error *err)
{
    *again = false;
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
    if (self->judge) {
        pare_status status = observe(self, slot, ending, &seen, NULL);
        if (!status) status = pare_judge_compare(self->judge, &trial, &seen, &judgement, NULL);
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
    return pare_process_slot_run_again(self, number, self->runner.fast, NULL) == PARE_OK;
}

/* The verdict of a test that was listened to is there: adds what the test itself complained of.
 * What a program without a script prints is all there is; a script may have hidden it.  True when
 * a compiler is run before the verdict is given; where that does not even start, nothing was
 * said.
 *
 * `told` is what makes the compiler unnecessary: of a candidate that does not fail an error,
 * not only a place; of one that fails anything, as that is asked for to know where the program
 * was. */
static bool take_complaints(pare_process_oracle *self, unsigned number, pare_verdict *verdict)
{
    pare_process_slot *slot = &self->slots[number];
    const bool fails = verdict->outcome == PARE_FAIL;
    const bool wanted = fails ? slot->listened == PARE_LISTEN_ALL : slot->listened;
    if (!wanted || slot->cancelled || slot->timed_out || slot->flooded) return false;
    const bool told = fails ? slot->complaints->n > 0 : pare_complaints_reject(slot->complaints);
    if (told || (self->judge && !self->check)) verdict->complaints = slot->complaints;
    if (told || !self->check) return false;
    slot->verdict = *verdict;
    slot->is_check = true;
    slot->captured = false;
    return pare_process_slot_run_again(self, number, self->runner.spawn, NULL) == PARE_OK;
}

/* After the first failing candidate, the input, was compiled to the end: if that went well, the linker is heard of those
 * that do not fail.  Of an input that a compiler rejects or crashes with it never hears. */
static void note_whole(pare_process_oracle *self, const pare_process_slot *slot,
                       const pare_ending *ending)
{
    const pare_complaint linked = {.kind = PARE_COMPLAINT_LINKED};
    if (!self->whole || slot->verdict.outcome != PARE_FAIL || self->ran_whole) return;
    self->ran_whole = true;
    if (ending->exit_code == 0) self->check = &self->found_linked;
    if (ending->exit_code == 0 && self->links) (void)pare_complaints_add(slot->complaints, &linked);
}

/* The compiler has ended that was run beside the test whose verdict is held back.  One that ran
 * into a limit has said nothing. */
static void finish_check(pare_process_oracle *self, unsigned number, const pare_ending *ending,
                         double ms, pare_verdict *verdict)
{
    pare_process_slot *slot = &self->slots[number];
    const pare_printed none = {.size = 0};
    const pare_printed out = pare_capture_text(&slot->out);
    const pare_printed err = self->judge ? pare_capture_text(&slot->err) : none;
    hear_complaints(slot, &err, &out);
    note_whole(self, slot, ending);
    *verdict = slot->verdict;
    verdict->cancelled = slot->cancelled;
    verdict->check_ms = ms;
    verdict->complaints = slot->timed_out || slot->flooded ? NULL : slot->complaints;
    pare_slotdirs_clear(self->dirs, number);
}

/* Reads what the shim has recorded in the slot's folder, which anybody may have written.
 * *records stays empty if there are none, or if something else than a file of a likely size
 * lies there. */
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

/* Takes the run of a compiler among the records as the check.
 *
 * Three forms of the compiler's command are made: `found` says what is wrong with a candidate,
 * `found_linked` says also what the linker does, `found_whole` runs to the end. If no compiler
 * was run on the candidate, `text` is empty, and there is no check. */
static pare_status take_check(pare_process_oracle *self, unsigned number,
                              const pare_buffer *records)
{
    const char *folder = pare_slotdirs_folder(self->dirs, number), *name = self->base_name;
    const pare_names names = {.items = &self->base_name, .n = 1};
    pare_buffer text = {0}, linked = {0}, whole = {0};
    pare_status status =
        pare_compiler_line_choose(records->data, records->size, folder, name, &text, NULL);
    if (!status)
        status = pare_compiler_line_choose_linked(records->data, records->size, folder, name,
                                                  &linked, NULL);
    if (!status)
        status = pare_compiler_line_choose_whole(records->data, records->size, folder, name, &whole,
                                                 NULL);
    if (!status && text.size) status = pare_command_init(&self->found, text.data, names, NULL);
    if (!status && text.size)
        status = pare_command_init(&self->found_linked, linked.data, names, NULL);
    if (!status && text.size)
        status = pare_command_init(&self->found_whole, whole.data, names, NULL);
    if (!status && text.size) {
        self->check = &self->found;
        self->whole = &self->found_whole;
        self->links = linked.size != text.size;
    }
    pare_buffer_done(&text);
    pare_buffer_done(&linked);
    pare_buffer_done(&whole);
    return status ? status : pare_process_slot_make_room(self, NULL);
}

/* Takes what tells of which places there is code, if any run makes some. */
static void take_emitter(pare_process_oracle *self, unsigned number, const pare_buffer *records)
{
    pare_buffer *text = &self->emitter;
    pare_status status = pare_compiler_line_choose_emitter(records->data, records->size,
                                                           pare_slotdirs_folder(self->dirs, number),
                                                           self->base_name, text, NULL);
    if (!status && text->size) status = pare_buffer_add(text, "", 1, NULL);
    if (status) pare_buffer_reset(text);
}

/* The watched test has ended: makes the compiler run in it, if there was one, the check of later
 * candidates. Failures here only mean that there is no check. */
static void finish_watch(pare_process_oracle *self, unsigned number, pare_verdict *verdict)
{
    pare_process_slot *slot = &self->slots[number];
    pare_buffer records = {0};
    pare_status status = read_records(self, number, &records, NULL);
    if (!status && records.size) status = take_check(self, number, &records);
    if (status) self->check = self->whole = NULL;
    if (!status && records.size) take_emitter(self, number, &records);
    *verdict = (pare_verdict){.slot = number,
                              .cancelled = slot->cancelled,
                              .outcome = PARE_UNRESOLVED,
                              .duration_ms = (double)slot->took_ns / 1e6,
                              .exit_code = -1};
    pare_buffer_done(&records);
    pare_slotdirs_clear(self->dirs, number);
}

/* A run has ended in the slot: notes how, for a sample, and whether a server was lost. True: the
 * run has to be repeated as a new process, because its server died or cannot tell enough. What we
 * killed ourselves is no loss. A new process counts as lost if process 1 of its sandbox died or it
 * never began; then the whole test is repeated. The judge's other commands are always new
 * processes. */
static bool note_run(pare_process_oracle *self, pare_process_slot *slot, const pare_ending *ending,
                     double ms)
{
    const bool killed = slot->timed_out || slot->flooded || slot->cancelled;
    if (slot->launcher == self->runner.spawn && ending->lost && !killed) return true;
    if (slot->trial.run != PARE_RUN_PROGRAM) return false;
    slot->first = (pare_runner_run){
        .ending = *ending, .ms = ms, .timed_out = slot->timed_out || slot->flooded};
    slot->is_unconfirmed = pare_runner_must_confirm(&self->runner, slot->launcher);
    if (slot->launcher == self->runner.spawn) return false;
    pare_runner_note(&self->runner, ending->lost && !killed);
    return (ending->lost || ending->unsure) && !killed;
}

/* Whether a new process has to say the same before the verdict is given: of a failure in a shared
 * process, which may be of what an earlier test left there, and of the first test of all.
 * Outcomes other than FAIL are believed once the runner is trusted: a wrong one only costs a
 * candidate. */
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
    pare_time_limit_learn(&self->limit, slot->size_bytes, (took_ns + 999999u) / 1000000u, failed);
}

/* CPU time in us, of a run and of the children that it waited for. */
static uint64_t cpu_us(const struct rusage *usage)
{
    const struct timeval *user = &usage->ru_utime, *system = &usage->ru_stime;
    return (uint64_t)(user->tv_sec + system->tv_sec) * 1000000u +
           (uint64_t)(user->tv_usec + system->tv_usec);
}

/* Whether the run was ended at a limit that we learned, but may have waited for a processor most of the
 * time: the machine is busy, and the run had no more processor time than twice what the longest run that
 * ended by itself took.  On a busy machine a limit from quieter times can be too short; the candidate
 * would then be taken for one that hangs, for good, and the result called minimal without it.  A run that
 * hangs without computing is taken for starved, too, so it gets one more run and not several. */
static bool was_starved(const pare_process_oracle *self, const pare_process_slot *slot,
                        const pare_ending *ending)
{
    if (!slot->timed_out || slot->cancelled || slot->has_more_time) return false;
    if (!self->is_busy || !slot->has_copy || self->limit.fixed_ms || self->limit.least_ms ||
        self->limit.n_tests < PARE_TIME_LIMIT_TESTS)
        return false;
    if (pare_process_slot_has_worker(self)) return false;
    if (self->judge && pare_judge_hang_ms(self->judge, slot->trial.run)) return false;
    return cpu_us(&ending->usage) <= 2 * self->most_cpu_us;
}

/* Runs the test once more, from the start and with more time. */
static pare_status give_more_time(pare_process_oracle *self, unsigned number, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    slot->has_more_time = true;
    slot->spent_ns += slot->took_ns;
    return pare_process_slot_run_again(self, number, pare_runner_again(&self->runner), err);
}

/* Sets the outcome of the run that has ended, by the rule for what is run.  *more: it was not
 * the last of its test, and the next one is under way. */
static pare_status judge(pare_process_oracle *self, unsigned number, const pare_ending *ending,
                         pare_verdict *verdict, bool *more, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    if (self->judge) return judge_run(self, number, ending, verdict, more, err);
    if (pare_process_slot_has_worker(self)) return judge_worker(self, slot, ending, verdict, err);
    return judge_test(self, slot, ending, verdict, err);
}

/* The run in slot `number` has ended as `ending` says, and says something: makes the verdict of
 * the test, unless another run is to come before it is given; *ended is false then.  The order
 * matters: the verdict, the doubt about one from a shared process, and last, when nothing can
 * change the verdict any more, the sample.
 *
 * A run that was ended at the time limit says nothing about the time that tests take, but that
 * it ran into the limit is noted. A test that was cancelled teaches nothing. */
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
    if (!status && !slot->timed_out && !slot->cancelled) {
        const uint64_t took_us = cpu_us(&ending->usage);
        if (took_us > self->most_cpu_us) self->most_cpu_us = took_us;
        learn_limit(self, slot, slot->took_ns, !more && verdict->outcome == PARE_FAIL);
    } else if (!status && verdict->outcome == PARE_UNRESOLVED && verdict->timed_out) {
        pare_time_limit_note(&self->limit);
    }
    if (more) {
        *ended = status != PARE_OK; /* a run that cannot be started has freed the slot */
        return status;
    }
    if (!status && is_doubtful(self, slot, verdict)) {
        slot->is_doubted = true;
        slot->verdict = *verdict;
        *ended = false;
        return pare_process_slot_run_again(self, number, self->runner.spawn, err);
    }
    if (!status && slot->is_doubted && !slot->cancelled)
        pare_runner_compare_first(&self->runner, slot->verdict.outcome, verdict->outcome);
    if (!status && (take_complaints(self, number, verdict) || take_sample(self, number, verdict)))
        *ended = false;
    else
        pare_slotdirs_clear(self->dirs, number);
    return status;
}

/* A run says something only if the test is still the one with which we began. */
static pare_status check_files(pare_process_oracle *self, pare_error *err)
{
    const char *changed = pare_command_files_changed(&self->files);
    if (!changed) return PARE_OK;
    return pare_fail(err, PARE_E_IO,
                     "%s was changed during the run, so its results before and after do not belong "
                     "together: run the command again to start over with it",
                     changed);
}

/* The end of a sample comes first, since its verdict is known. Then a lost server, whose run says
 * nothing and is repeated. */
pare_status pare_process_verdict_conclude(pare_process_oracle *self, unsigned number, bool *ended,
                                          pare_verdict *verdict, pare_error *err)
{
    pare_process_slot *slot = &self->slots[number];
    pare_ending ending = {.exit_code = -1};
    bool again = false;
    slot->took_ns = pare_clock_ns() - slot->start_ns;
    pare_status status = pare_process_slot_hear(self, number, ended, &ending, err);
    if (!status && !*ended) return PARE_OK;
    if (!status) status = check_files(self, err);
    if (!status && slot->is_watch) {
        finish_watch(self, number, verdict);
        return PARE_OK;
    }
    if (!status && slot->is_check) {
        finish_check(self, number, &ending, (double)slot->took_ns / 1e6, verdict);
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
    /* Repeating without end would hang the reduction if the machine kills each test (for
     * memory, say). */
    if (again && slot->launcher == self->runner.spawn && ++slot->n_ended == MOST_LOST)
        status = pare_fail(
            err, PARE_E_IO,
            "a test was killed %d times in a row before it began, or with its sandbox", MOST_LOST);
    if (!status && again) {
        *ended = false;
        return pare_process_slot_run_again(self, number, pare_runner_again(&self->runner), err);
    }
    if (!status && was_starved(self, slot, &ending)) {
        *ended = false;
        return give_more_time(self, number, err);
    }
    if (!status) return make_verdict(self, number, &ending, ended, verdict, err);
    pare_slotdirs_clear(self->dirs, number);
    return status;
}
