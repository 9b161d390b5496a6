/* Identities: a signature without some of its clauses, and with words made patterns.
 *
 * The level and the available clauses decide which ones stay: the program's first own frame names
 * the place of a crash best; without a frame, the message does, and without both, only the way it
 * ended.  Numbers and addresses are masked in every signature already; here the names that come
 * from the input are removed, in the same way as for a learned signature (run/generalize.h), so
 * that both agree.
 *
 * If the input is a script, the frame of an exception is often a function of the input: then the
 * place says nothing, and the text of the exception is used instead.
 *
 * The frames of a stack overflow are those at which the stack happened to end, so two tests of one
 * recursion seldom share them: the identity of a stack overflow is its kind alone
 * (google/oss-fuzz#1129), and so is that of a hang.
 *
 * The condition of an assertion is source text of the program and never becomes a pattern:
 * otherwise the same assertion would be another finding for each input that happens to contain one
 * of its words.  The message of an assertion does become one, because like other messages it may
 * quote the input.
 *
 * Invariant: the run that has the signature matches the identity.
 * Sources: Fuzzinator's UniqueId and its list of frames that are passed over; ClusterFuzz's
 * grouping by type and frames. */
#include "campaign/identity.h"

#include <assert.h>
#include <signal.h>
#include <string.h>

#include <pare/keep.h>

#include "run/diagnostic_text.h"
#include "run/generalize.h"
#include "run/signature.h"

static_assert((unsigned)PARE_DIAGNOSTIC_BYTES == (unsigned)PARE_SIGNATURE_LINE_BYTES,
              "a pattern fits where a message stood");

/* What sanitizers and run times call a stack that is used up; in lower case. */
static const char *const overflows[] = {
    "stack-overflow",     "stackoverflow",     "stack overflow",     "recursionerror",
    "maximum call stack", "maximum recursion", "too much recursion", "stack level too deep"};

/* In any case of letters: run times of many languages say it. */
static bool names_overflow(const char *text)
{
    for (size_t k = 0; k < sizeof overflows / sizeof *overflows; k++)
        if (strcasestr(text, overflows[k])) return true;
    return false;
}

/* Whatever part of the signature says so: a sanitizer's error, a line of the run time, a
 * message. */
static bool is_stack_overflow(const pare_signature *signature)
{
    return names_overflow(signature->error) || names_overflow(signature->diagnostic) ||
           names_overflow(signature->message);
}

/* All of the array, so that what is printed or compared later has no rest in it. */
static void clear_frames(pare_signature *signature, size_t from)
{
    for (size_t k = from; k < PARE_SIGNATURE_FRAMES; k++)
        memset(signature->frame[k], 0, sizeof signature->frame[k]);
}

/* The failing test, of which names are taken out. */
struct input {
    const void *bytes;
    size_t size;
};

/* Whether a pattern has a word of the program's own: one of stars is true of anything. */
static bool says_something(const char *pattern)
{
    for (; *pattern; pattern++)
        if ((*pattern | 0x20) >= 'a' && (*pattern | 0x20) <= 'z') return true;
    return false;
}

/* Takes the words of the input out of one text of the signature.  Where nothing of the program's
 * own would be left, it stays as it is. */
static void generalize(char text[PARE_SIGNATURE_LINE_BYTES], pare_keep_level level,
                       const struct input *input)
{
    char pattern[PARE_DIAGNOSTIC_BYTES] = "";
    if (!*text) return;
    pare_generalize(text, level, input->bytes, input->size, pattern);
    if (says_something(pattern)) memcpy(text, pattern, sizeof pattern);
}

/* ---- assertions ----------------------------------------------------------------------- */

/* Whether the text after "Assertion failed" is source rather than words: it has an operator or a call
 * outside quotations. */
static bool is_condition(const char *text)
{
    static const char *const operators[] = {"==", "!=", "<=",  ">=",  "&&",  "||",
                                            "->", "::", " < ", " > ", ": (", ": !"};
    for (const char *at = text; *at; at++) {
        const char *end = strchr("'\"", *at) ? strchr(at + 1, *at) : NULL;
        if (end) at = end;
        for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
            if (strncmp(at, operators[k], strlen(operators[k])) == 0) return true;
        if (*at == '(' && at > text && strchr(" '\"", at[-1]) == NULL) return true;
    }
    return false;
}

/* How much at the beginning of a message is the program's own source, and is not made a pattern: up to
 * the end of an assertion's condition.
 *
 *   p.c:#: f: Assertion `x > #' failed.            glibc; Rust: assertion `a == b` failed: TEXT
 *   assertion "x > #" failed: file "p.c", line #   BSD, newlib: all of it
 *   Assertion failed: (x > #), function f, ...     macOS, musl: all of it
 *   Assertion failed: x > #                        others: all of it, for its operators
 *   Assertion failed: no such name 'x'             a message: none of it but the first words
 *   Check failed: a == b (# vs. #) TEXT            V8, abseil: up to the values */
static size_t own_size(const char *message)
{
    const char *assertion = strcasestr(message, "assert");
    const char *check = strcasestr(message, "check failed: ");
    const size_t all = strlen(message);
    if (!assertion && check) {
        const char *values = strstr(check, " (");
        return values ? (size_t)(values - message) : all;
    }
    if (!assertion) return 0;
    const char *open = assertion + strcspn(assertion, "`\"'");
    const char *colon = strchr(assertion, ':'), *failed = strstr(assertion, " failed");
    const bool is_quoted = *open && failed && open < failed && (!colon || open < colon);
    if (is_quoted && *open == '`') return (size_t)(failed - message) + strlen(" failed");
    if (is_quoted || strstr(assertion, ", file ") || strstr(assertion, ", function ")) return all;
    const char *text = colon ? colon : assertion + strcspn(assertion, " ");
    /* One word says nothing, and may be a variable. */
    const bool is_word = failed && colon == failed + strlen(" failed") &&
                         !strchr(colon + 1 + (colon[1] == ' '), ' ');
    return is_word || is_condition(text) ? all : (size_t)(text - message);
}

/* Takes the words of the input out of what a crash says. */
static void generalize_message(char text[PARE_SIGNATURE_LINE_BYTES], const struct input *input)
{
    char pattern[PARE_DIAGNOSTIC_BYTES] = "";
    const size_t own = own_size(text);
    pare_generalize_crash(text + own, input->bytes, input->size, pattern);
    /* A part that becomes a pattern is never longer than it was. */
    assert(own + strlen(pattern) < PARE_SIGNATURE_LINE_BYTES);
    if (own || says_something(pattern)) memcpy(text + own, pattern, strlen(pattern) + 1);
}

/* A panic's text is in the place of the kind of error; all other kinds are the program's. */
static void generalize_panic(char text[PARE_SIGNATURE_NAME_BYTES], const struct input *input)
{
    static const char prefix[] = "panic: ";
    char pattern[PARE_DIAGNOSTIC_BYTES] = "";
    const size_t own = strlen(prefix);
    if (strncmp(text, prefix, own) != 0) return;
    pare_generalize_crash(text + own, input->bytes, input->size, pattern);
    assert(own + strlen(pattern) < PARE_SIGNATURE_NAME_BYTES);
    if (says_something(pattern)) memcpy(text + own, pattern, strlen(pattern) + 1);
}

/* ---- levels --------------------------------------------------------------------------- */

/* The kind of error only.  Where none is named, the kind of what was said. */
static void widen_to_type(pare_signature *signature, const struct input *input)
{
    clear_frames(signature, 0);
    const bool is_named = *signature->error != '\0';
    if (is_named || *signature->diagnostic || is_stack_overflow(signature))
        memset(signature->message, 0, sizeof signature->message);
    if (is_named)
        memset(signature->diagnostic, 0, sizeof signature->diagnostic);
    else
        generalize(signature->diagnostic, PARE_KEEP_KIND, input);
}

/* Whether a frame is the input's own: of a function all of whose names stand in it, as it is where
 * the input is a script.  What a sanitizer shows is never that. */
static bool is_own_frame(const pare_signature *signature, const struct input *input)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const char *frame = signature->frame[0];
    const size_t size = strcspn(frame, " "); /* the function; a file may follow */
    if (strstr(signature->error, "Sanitizer: ") || !size) return false;
    if (strncmp(frame, "<module>", size) == 0) return true;
    for (size_t at = 0; at < size;) {
        size_t word = strspn(frame + at, letters);
        if (word > size - at) word = size - at;
        if (word && !pare_generalize_finds_word(input->bytes, input->size, frame + at, word))
            return false;
        at += word ? word : 1;
    }
    return true;
}

/* The first own frame, and the message where it is asked for or stands alone. */
static void widen_to_frame(pare_signature *signature, bool with_message, const struct input *input)
{
    if (is_own_frame(signature, input)) clear_frames(signature, 0);
    const bool has_frame = *signature->frame[0] != '\0';
    clear_frames(signature, 1);
    if (has_frame && !with_message) {
        memset(signature->message, 0, sizeof signature->message);
        memset(signature->diagnostic, 0, sizeof signature->diagnostic);
    }
    if (*signature->message) generalize_message(signature->message, input);
    /* The text of what was thrown begins with its kind, which may be the input's too. */
    const size_t size = strlen(signature->error);
    if (size && strncmp(signature->diagnostic, signature->error, size) == 0)
        memset(signature->error, 0, sizeof signature->error);
    generalize(signature->diagnostic, PARE_KEEP_MESSAGE, input);
}

pare_status pare_identity_of(pare_identity_level level, const char *signature, const void *input,
                             size_t size, pare_buffer *identity, pare_error *err)
{
    const struct input failing = {.bytes = size ? input : "", .size = size};
    pare_signature kept = {.ended = PARE_ENDED_ANYHOW};
    pare_status status = pare_signature_parse(signature, &kept, err);
    if (status) return status;
    assert(level < PARE_IDENTITY_N_LEVELS);
    kept.despite = 0;
    /* After a sanitizer's report the program may go on, and end as it likes. */
    const bool goes_on = kept.ended == PARE_ENDED_EXIT && strstr(kept.error, "Sanitizer: ");
    if (goes_on && level != PARE_IDENTITY_EXACT) {
        kept.ended = PARE_ENDED_ANYHOW;
        kept.code = 0;
    }
    const bool is_wide = kept.ended == PARE_ENDED_HANG || is_stack_overflow(&kept);
    if (level != PARE_IDENTITY_EXACT) generalize_panic(kept.error, &failing);
    if (level != PARE_IDENTITY_EXACT && (level == PARE_IDENTITY_TYPE || is_wide))
        widen_to_type(&kept, &failing);
    else if (level != PARE_IDENTITY_EXACT)
        widen_to_frame(&kept, level == PARE_IDENTITY_MESSAGE, &failing);
    return pare_signature_print(&kept, identity, err);
}

/* Of another input, so that what is masked in the identity may be anything. */
bool pare_identity_matches(const char *identity, const char *signature)
{
    pare_signature wanted = {.ended = PARE_ENDED_ANYHOW}, seen = {.ended = PARE_ENDED_ANYHOW};
    if (pare_signature_parse(identity, &wanted, NULL) ||
        pare_signature_parse(signature, &seen, NULL))
        return false;
    if (*wanted.diagnostic && !pare_signature_like(wanted.diagnostic, seen.diagnostic))
        return false;
    return pare_signature_matches(&wanted, &seen);
}

/* ---- titles ------------------------------------------------------------------------- */

/* The kind of a sanitizer's error, without the sanitizer's name. */
static const char *kind_of(const char *error)
{
    const char *colon = strstr(error, "Sanitizer: ");
    return colon ? colon + strlen("Sanitizer: ") : error;
}

/* How it ended, where nothing better is known. */
static pare_status add_ending(const pare_signature *signature, pare_buffer *title, pare_error *err)
{
    const char *name = signature->ended == PARE_ENDED_SIGNAL ? sigabbrev_np(signature->code) : NULL;
    switch (signature->ended) {
    case PARE_ENDED_HANG: return pare_buffer_text(title, "does not end", err);
    case PARE_ENDED_FLOOD: return pare_buffer_text(title, "prints without end", err);
    case PARE_ENDED_SIGNAL:
        return name ? pare_buffer_format(title, err, "SIG%s", name)
                    : pare_buffer_format(title, err, "signal %d", signature->code);
    case PARE_ENDED_EXIT:
        if (signature->code < 0) return pare_buffer_text(title, "failure", err);
        return pare_buffer_format(title, err, "exit code %d", signature->code);
    default: return pare_buffer_text(title, "failure", err);
    }
}

/* For people: not all of the identity, and not to be compared. */
pare_status pare_identity_title(const char *identity, pare_buffer *title, pare_error *err)
{
    pare_signature signature = {.ended = PARE_ENDED_ANYHOW};
    pare_buffer own = {0};
    pare_status status = pare_signature_parse(identity, &signature, err);
    if (status) return status;
    const char *texts[] = {kind_of(signature.error), signature.message, signature.diagnostic};
    for (size_t k = 0; k < sizeof texts / sizeof *texts && !status; k++)
        if (*texts[k])
            status = pare_buffer_format(&own, err, "%s%s", own.size ? ": " : "", texts[k]);
    if (!status && !own.size) status = add_ending(&signature, &own, err);
    if (!status && *signature.frame[0])
        status = pare_buffer_format(&own, err, " in %s", signature.frame[0]);
    if (!status) status = pare_buffer_add(title, own.data, own.size, err);
    pare_buffer_done(&own);
    return status;
}
