/* The messages, written and read.
 *
 * Numbers are of 7 bits a byte, the low ones first; texts and spans have their length before them.
 * Invariant: a reader never looks beyond the bytes of its message, whatever they are
 * (tests/fuzz/fuzz_message.c). */
#include "run/remote/message.h"

#include <stdio.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/fail.h"
#include "run/oracle.h"
#include "run/signature.h"

/* At most ten bytes, of which the last has one bit: what is longer is bad, so a number has an
 * end. A message that is bad reads as zeros to its end, so a reader need not check after each
 * number. */
uint64_t pare_message_number(pare_message *message)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && message->at < message->size; shift += 7) {
        unsigned char byte = message->bytes[message->at++];
        if (shift == 63 && byte > 1) break;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return number;
    }
    message->is_bad = true;
    message->at = message->size;
    return 0;
}

/* Compares with what is left, never with a sum that could wrap.
 *
 * `at` is never beyond `size`, so the difference cannot wrap, while `at + size` could, with a
 * size that came from the network. */
const unsigned char *pare_message_bytes(pare_message *message, size_t size)
{
    if (message->is_bad || size > message->size - message->at) {
        message->is_bad = true;
        message->at = message->size;
        return NULL;
    }
    const unsigned char *bytes = message->bytes + message->at;
    message->at += size;
    return bytes;
}

/* 16 bytes, the high ones first. */
pare_digest pare_message_digest(pare_message *message)
{
    pare_digest digest = {.high = 0};
    const unsigned char *bytes = pare_message_bytes(message, 16);
    for (unsigned i = 0; bytes && i < 8; i++) {
        digest.high = digest.high << 8 | bytes[i];
        digest.low = digest.low << 8 | bytes[i + 8];
    }
    return digest;
}

/* Borrowed from the message. */
pare_span pare_message_span(pare_message *message)
{
    /* Compared as 64 bits before the cast, which would cut a large number where size_t has 32. */
    uint64_t size = pare_message_number(message);
    if (size > message->size) message->is_bad = true;
    const unsigned char *bytes = pare_message_bytes(message, (size_t)size);
    return bytes ? (pare_span){.bytes = bytes, .size = (size_t)size} : (pare_span){.size = 0};
}

/* Control characters: those of ASCII, and both bytes of U+0080 to U+009F in UTF-8, of which U+009B
 * begins what Escape and '[' do.
 *
 * `i` is the index of the byte in the span. Other characters in UTF-8 pass, as no byte of
 * theirs is below 0x80 and 0xc2 leads only U+0080 to U+00BF. */
static bool is_obeyed(pare_span span, size_t i)
{
    const unsigned char byte = span.bytes[i];
    if (byte < ' ' || byte == 0x7f) return true;
    const size_t lead = byte == 0xc2 ? i : i - 1; /* wraps at the first byte, which is no second */
    return lead + 1 < span.size && lead <= i && span.bytes[lead] == 0xc2 &&
           span.bytes[lead + 1] >= 0x80 && span.bytes[lead + 1] < 0xa0;
}

/* Names and reasons that another machine sends end up on a terminal, so whatever that would obey is
 * taken out here, once, for all who print them.
 *
 * `size` is at least 1. The text may be cut within a character. */
void pare_message_text(pare_message *message, char *text, size_t size)
{
    pare_span span = pare_message_span(message);
    size_t n = span.size < size - 1 ? span.size : size - 1;
    for (size_t i = 0; i < n; i++)
        text[i] = is_obeyed(span, i) ? '?' : (char)span.bytes[i];
    text[n] = '\0';
}

/* 7 bits a byte, the low ones first; the high bit says that more follow. Example: 300 is 0xac
 * 0x02. 64 bits take at most ten bytes. */
pare_status pare_message_add_number(pare_buffer *to, uint64_t number, pare_error *err)
{
    unsigned char bytes[10];
    size_t n = 0;
    for (; number > 0x7f; number >>= 7)
        bytes[n++] = (unsigned char)(number | 0x80);
    bytes[n++] = (unsigned char)number;
    return pare_buffer_add(to, bytes, n, err);
}

/* The byte order is written out, so that machines of both orders agree. */
pare_status pare_message_add_digest(pare_buffer *to, pare_digest digest, pare_error *err)
{
    unsigned char bytes[16];
    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(digest.high >> (56 - 8 * i));
        bytes[i + 8] = (unsigned char)(digest.low >> (56 - 8 * i));
    }
    return pare_buffer_add(to, bytes, sizeof bytes, err);
}

/* An empty span is its length only; `bytes` may be NULL then. */
pare_status pare_message_add_span(pare_buffer *to, const void *bytes, size_t size, pare_error *err)
{
    pare_status status = pare_message_add_number(to, size, err);
    return status || !size ? status : pare_buffer_add(to, bytes, size, err);
}

pare_status pare_message_add_text(pare_buffer *to, const char *text, pare_error *err)
{
    return pare_message_add_span(to, text, strlen(text), err);
}

/* ---- kinds -------------------------------------------------------------------------------- */

/* A kind that we do not know is damage, since kinds change with the version.
 *
 * The version is read first, and nothing else of a message of another one: its kinds and fields
 * may mean anything. A caller shows it to the user, who then knows which machine to bring up to
 * date. */
pare_message_kind pare_message_open(pare_message *message, unsigned *version)
{
    *version = (unsigned)pare_message_number(message);
    if (*version != PARE_MESSAGE_VERSION) return 0;
    uint64_t kind = pare_message_number(message);
    /* Kinds are numbered without a gap from 1; a kind of 0 is returned as it is, which means
     * damage, too. */
    if (message->is_bad || kind > PARE_MESSAGE_DISMISS) return *version = 0, 0;
    return (pare_message_kind)kind;
}

/* Empties the buffer. */
pare_status pare_message_start(pare_buffer *to, pare_message_kind kind, pare_error *err)
{
    pare_buffer_reset(to);
    pare_status status = pare_message_add_number(to, PARE_MESSAGE_VERSION, err);
    return status ? status : pare_message_add_number(to, kind, err);
}

/* Writes numbers one after the other. The first error ends it. */
static pare_status add_numbers(pare_buffer *to, const uint64_t *numbers, size_t n, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++)
        status = pare_message_add_number(to, numbers[i], err);
    return status;
}

/* Form: run, job; inbox; digests of test and input. */
pare_status pare_message_write_call(pare_buffer *to, pare_message_kind kind,
                                    const pare_message_call *call, pare_error *err)
{
    const uint64_t numbers[] = {call->run, call->job};
    pare_status status = pare_message_start(to, kind, err);
    if (!status) status = add_numbers(to, numbers, 2, err);
    if (!status) status = pare_message_add_text(to, call->inbox, err);
    if (!status) status = pare_message_add_digest(to, call->test, err);
    return status ? status : pare_message_add_digest(to, call->input, err);
}

/* Whether answers may be sent there: "" (none are wanted), or an inbox as link.h makes them.  Otherwise
 * whoever may call could make workers send to any subject, the server's own among them. */
static bool is_inbox(const char *subject)
{
    static const char start[] = "_INBOX.";
    static const char bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
    if (!*subject) return true;
    return strncmp(subject, start, sizeof start - 1) == 0 &&
           strspn(subject, bytes) == strlen(subject);
}

/* A call of another version begins in the same way, so serve.c reads it as far as the inbox, which is
 * therefore empty rather than a wrong one. False: the call is damaged, or its inbox is none. */
bool pare_message_read_call(pare_message *message, pare_message_call *call)
{
    call->run = pare_message_number(message);
    call->job = pare_message_number(message);
    pare_message_text(message, call->inbox, sizeof call->inbox);
    const bool is_good = is_inbox(call->inbox);
    if (!is_good) call->inbox[0] = '\0';
    call->test = pare_message_digest(message);
    call->input = pare_message_digest(message);
    return !message->is_bad && is_good;
}

/* Form: run, id, state, slots, running, tests, doubtful; name, machine, why; then the runs, each as
 * run, state, slots, running, tests.
 *
 * A worker says this each second to each run, so it is kept short: the runs are only there in
 * the answer to ASK. */
pare_status pare_message_write_hello(pare_buffer *to, const pare_message_hello *hello,
                                     pare_error *err)
{
    const uint64_t numbers[] = {hello->run,       hello->id,      hello->state,     hello->n_slots,
                                hello->n_running, hello->n_tests, hello->n_doubtful};
    pare_status status = pare_message_start(to, PARE_MESSAGE_HELLO, err);
    if (!status) status = add_numbers(to, numbers, sizeof numbers / sizeof *numbers, err);
    if (!status) status = pare_message_add_text(to, hello->name, err);
    if (!status) status = pare_message_add_text(to, hello->machine, err);
    if (!status) status = pare_message_add_text(to, hello->why, err);
    if (!status) status = pare_message_add_number(to, hello->n_runs, err);
    for (unsigned i = 0; i < hello->n_runs && !status; i++) {
        const pare_message_run *run = &hello->runs[i];
        const uint64_t of_run[] = {run->run, run->state, run->n_slots, run->n_running,
                                   run->n_tests};
        status = add_numbers(to, of_run, sizeof of_run / sizeof *of_run, err);
    }
    return status;
}

enum { MOST_SLOTS = 65536 };

/* A state, and how many slots there are and work. False: one of the numbers is impossible;
 * nothing is set then. */
static bool read_slots(pare_message *message, pare_worker_state *state, unsigned *n_slots,
                       unsigned *n_running)
{
    const uint64_t number = pare_message_number(message), slots = pare_message_number(message);
    const uint64_t running = pare_message_number(message);
    if (number >= PARE_WORKER_N_STATES || slots > MOST_SLOTS || running > MOST_SLOTS) return false;
    *state = (pare_worker_state)number;
    *n_slots = (unsigned)slots;
    *n_running = (unsigned)running;
    return true;
}

/* More runs or slots than there can be are damage: they would be counted and shown. */
bool pare_message_read_hello(pare_message *message, pare_message_hello *hello)
{
    hello->run = pare_message_number(message);
    hello->id = pare_message_number(message);
    if (!read_slots(message, &hello->state, &hello->n_slots, &hello->n_running)) return false;
    hello->n_tests = pare_message_number(message);
    hello->n_doubtful = pare_message_number(message);
    pare_message_text(message, hello->name, sizeof hello->name);
    pare_message_text(message, hello->machine, sizeof hello->machine);
    pare_message_text(message, hello->why, sizeof hello->why);
    const uint64_t n_runs = pare_message_number(message);
    /* Checked before the loop, which would write beyond the array. */
    if (message->is_bad || n_runs > PARE_MESSAGE_MOST_RUNS) return false;
    hello->n_runs = (unsigned)n_runs;
    for (unsigned i = 0; i < hello->n_runs; i++) {
        pare_message_run *run = &hello->runs[i];
        run->run = pare_message_number(message);
        if (!read_slots(message, &run->state, &run->n_slots, &run->n_running)) return false;
        run->n_tests = pare_message_number(message);
    }
    return !message->is_bad;
}

/* Form: number, size; digests of base and candidate; the edits as a span. */
pare_status pare_message_write_job(pare_buffer *to, const pare_message_job *job, pare_error *err)
{
    const uint64_t numbers[] = {job->number, job->size};
    pare_status status = pare_message_start(to, PARE_MESSAGE_JOB, err);
    if (!status) status = add_numbers(to, numbers, 2, err);
    if (!status) status = pare_message_add_digest(to, job->base, err);
    if (!status) status = pare_message_add_digest(to, job->candidate, err);
    return status ? status : pare_message_add_span(to, job->edits.bytes, job->edits.size, err);
}

/* The edits are read later (edits.h), against the size, which is bounded here.
 *
 * The size is that of the candidate, for which memory is taken before the edits are applied, so
 * a number from the network must not be any. */
bool pare_message_read_job(pare_message *message, pare_message_job *job)
{
    job->number = pare_message_number(message);
    uint64_t size = pare_message_number(message);
    job->base = pare_message_digest(message);
    job->candidate = pare_message_digest(message);
    job->edits = pare_message_span(message);
    if (size > PARE_TEXT_MAX_BYTES) return false;
    job->size = (size_t)size;
    return !message->is_bad;
}

/* A text that may be missing, which is not the same as an empty one. Form: 1 and the text, or 0
 * alone. */
static pare_status add_optional(pare_buffer *to, bool has, const char *text, pare_error *err)
{
    pare_status status = pare_message_add_number(to, has, err);
    return status || !has ? status : pare_message_add_text(to, text, err);
}

/* Form: ten numbers in the order below, where the exit code is one more than it is, so that none
 * (-1) is 0; the subject to acknowledge at; then each text with a number before it, 1 if it is
 * there. */
pare_status pare_message_write_result(pare_buffer *to, const pare_message_result *result,
                                      pare_error *err)
{
    const uint64_t numbers[] = {result->job,
                                result->worker,
                                result->outcome,
                                result->start_us,
                                result->duration_us,
                                (uint64_t)(result->exit_code + 1),
                                (uint64_t)result->signal,
                                result->timed_out,
                                result->harm,
                                result->n_left};
    pare_status status = pare_message_start(to, PARE_MESSAGE_RESULT, err);
    if (!status) status = add_numbers(to, numbers, sizeof numbers / sizeof *numbers, err);
    if (!status) status = pare_message_add_text(to, result->acknowledge, err);
    if (!status) status = add_optional(to, result->has_signature, result->signature, err);
    if (!status) status = add_optional(to, result->has_why, result->why, err);
    return status ? status : add_optional(to, result->has_output, result->output, err);
}

/* A text for a file, not for a terminal: line ends stay. NUL bytes become '?', as the text ends
 * at the first one. It is cut at `size` - 1 bytes. */
static void read_output(pare_message *message, char *text, size_t size)
{
    pare_span span = pare_message_span(message);
    size_t n = span.size < size - 1 ? span.size : size - 1;
    for (size_t i = 0; i < n; i++)
        text[i] = span.bytes[i] ? (char)span.bytes[i] : '?';
    text[n] = '\0';
}

/* Reads all before it judges, so `result` holds only texts that end, also when it is refused.
 *
 * Numbers that only inform (harm, processes that were left) are cut to what is possible; a
 * result that says an impossible outcome, exit code or signal is refused, as it would be acted
 * upon. */
bool pare_message_read_result(pare_message *message, pare_message_result *result)
{
    enum { MOST_CODE = 256, MOST_SIGNAL = 128, MOST_LEFT = 1 << 20 };
    result->job = pare_message_number(message);
    result->worker = pare_message_number(message);
    uint64_t outcome = pare_message_number(message);
    result->start_us = pare_message_number(message);
    result->duration_us = pare_message_number(message);
    uint64_t exit_code = pare_message_number(message), signal = pare_message_number(message);
    result->timed_out = pare_message_number(message) != 0;
    result->harm = (unsigned)pare_message_number(message) & ((1u << PARE_HARM_N) - 1);
    uint64_t n_left = pare_message_number(message);
    result->n_left = n_left < MOST_LEFT ? (unsigned)n_left : MOST_LEFT;
    pare_message_text(message, result->acknowledge, sizeof result->acknowledge);
    result->has_signature = pare_message_number(message) != 0;
    result->signature[0] = result->why[0] = result->output[0] = '\0';
    if (result->has_signature)
        pare_message_text(message, result->signature, sizeof result->signature);
    result->has_why = pare_message_number(message) != 0;
    if (result->has_why) pare_message_text(message, result->why, sizeof result->why);
    result->has_output = pare_message_number(message) != 0;
    if (result->has_output) read_output(message, result->output, sizeof result->output);
    /* The exit code was sent as one more than it is: 0 is "none", 256 the code 255. */
    if (outcome < PARE_FAIL || outcome > PARE_UNRESOLVED || exit_code > MOST_CODE ||
        signal > MOST_SIGNAL)
        return false;
    result->outcome = (pare_outcome)outcome;
    result->exit_code = (int)exit_code - 1;
    result->signal = (int)signal;
    return !message->is_bad;
}

/* Texts that are longer than their places are cut. `result` keeps what a verdict does not say:
 * the job, the worker, the subject to acknowledge at. */
void pare_message_set_verdict(pare_message_result *result, const pare_verdict *verdict)
{
    result->outcome = verdict->outcome;
    result->duration_us = (uint64_t)(verdict->duration_ms * 1000);
    result->exit_code = verdict->exit_code;
    result->signal = verdict->signal;
    result->timed_out = verdict->timed_out;
    result->harm = verdict->harm;
    result->n_left = verdict->n_left;
    result->has_signature = verdict->signature != NULL;
    result->has_why = verdict->why != NULL;
    result->has_output = verdict->output != NULL;
    if (verdict->signature)
        (void)snprintf(result->signature, sizeof result->signature, "%s", verdict->signature);
    if (verdict->why) (void)snprintf(result->why, sizeof result->why, "%s", verdict->why);
    if (verdict->output)
        (void)snprintf(result->output, sizeof result->output, "%s", verdict->output);
}

/* A worker of another build may name a failure in a way that we cannot read; its outcome is
 * then not one that can be compared with those of other workers. */
bool pare_message_is_understood(const pare_message_result *result)
{
    pare_signature unused;
    if (result->outcome != PARE_FAIL) return true;
    return result->has_signature && !pare_signature_parse(result->signature, &unused, NULL);
}

pare_verdict pare_message_verdict(const pare_message_result *result)
{
    return (pare_verdict){.outcome = result->outcome,
                          .duration_ms = (double)result->duration_us / 1000,
                          .start_ms = (double)result->start_us / 1000,
                          .exit_code = result->exit_code,
                          .signal = result->signal,
                          .timed_out = result->timed_out,
                          .harm = result->harm,
                          .n_left = result->n_left,
                          .signature = result->has_signature ? result->signature : NULL,
                          .why = result->has_why ? result->why : NULL,
                          .output = result->has_output ? result->output : NULL};
}

/* Looked at by whoever writes a file that another machine has named. A name with a slash or
 * ".." could lead out of the folder, and a control character could fool whoever lists it. */
bool pare_message_is_file_name(const char *name)
{
    enum { MOST_BYTES = 255 };
    size_t size = strlen(name);
    if (!size || size > MOST_BYTES || !strcmp(name, ".") || !strcmp(name, "..")) return false;
    for (size_t i = 0; i < size; i++)
        if (name[i] == '/' || (unsigned char)name[i] < ' ' || name[i] == 0x7f) return false;
    return true;
}
