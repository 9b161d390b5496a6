/* The signature of the failure that is kept: learnt from the program's first runs, or read from
 * where it was kept.
 *
 * To learn it the program is run on the input until two failing runs agree, PARE_LEARN_RUNS at
 * most; what all of them have in common is the signature.  So what changes from run to run
 * (addresses, times, process numbers) drops out without a list of such things.  Two runs that
 * agree are taken for the truth: a failure that comes by chance is the business of repeated tests,
 * not of its signature.  Runs that end well are passed over: CLEAN_RUNS_FIRST of them before the
 * first failing one say that there is no failure, and after CLEAN_RUNS_BETWEEN one failing run has
 * to do.  What the input contributes, names and numbers, is taken out of the message according to
 * the level that is to be kept.
 *
 * A signature that was learnt is kept beside the journal, for outcomes in a journal mean something
 * only together with it: it is taken from there when the journal's key, of which it is a part,
 * proves that it belongs to this program, input and options. */

#include "session/test/learn_signature.h"

#include <assert.h>
#include <string.h>

#include <pare/keep.h>
#include <pare/outcome.h>
#include <pare/test.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "engine/journal.h"
#include "os/file.h"
#include "run/diagnostic_header.h"
#include "run/diagnostic_text.h"
#include "run/generalize.h"
#include "run/judge.h"
#include "run/named_line.h"
#include "run/printed.h"
#include "run/process.h"
#include "run/signature.h"
#include "session/read_input.h"
#include "session/test/command_fault.h"
#include "session/test/sandbox_fault.h"
#include "session/test/session_oracle.h"
#include "text/candidate.h"
#include "text/text.h"

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

enum {
    CLEAN_RUNS_FIRST = 3,   /* before the first failing run, until there is no failure */
    CLEAN_RUNS_BETWEEN = 20 /* until one failing run has to do */
};
enum { LOOK_MS = 500 };            /* between two calls of `waiting` */
static const double MORE_TIME = 5; /* than a run had that did not end */

/* ---- runs ------------------------------------------------------------------------- */

/* Runs one test to its end. */
static pare_status run_once(const pare_learning *learning, const pare_candidate *whole,
                            pare_verdict *verdict, pare_error *err)
{
    pare_oracle *oracle = learning->oracle;
    pare_wait what = PARE_WAIT_TIMEOUT;
    pare_status status = oracle->ops->start(oracle, 0, whole, err);
    while (!status && what == PARE_WAIT_TIMEOUT) {
        status = oracle->ops->wait(oracle, learning->waiting ? LOOK_MS : -1, &what, verdict, err);
        if (!status && what == PARE_WAIT_TIMEOUT && learning->waiting)
            learning->waiting(learning->waiting_for);
    }
    if (!status && what == PARE_WAIT_INTERRUPTED)
        status = pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    return status;
}

/* Why a run teaches nothing. */
static pare_status refuse(const pare_learning *learning, const pare_verdict *verdict,
                          pare_error *err)
{
    const double limit_s = (double)learning->timeout_ms / 1000;
    if (verdict->timed_out)
        return pare_fail(err, PARE_E_STATE,
                         "the program does not end on the input within %.3g s: if that is the "
                         "failure, write %.800s, otherwise give it more time, as in --timeout %.0f",
                         limit_s, learning->hang_line, MORE_TIME * limit_s);
    return pare_fail(err, PARE_E_STATE,
                     "the program ends with exit code 0 on the input and reports no failure");
}

/* Whether the failing runs have nothing in common by which a later run could be told to be the
 * same. */
static bool says_nothing(const pare_signature *signature, const pare_diagnostics *reported)
{
    return signature->ended == PARE_ENDED_ANYHOW && !pare_signature_speaks(signature) &&
           !reported->n;
}

/* Signatures are filled to the last byte with zeros, so they compare as blocks. */
static bool same(const pare_signature *a, const pare_signature *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* What all failing runs have shown so far. */
struct common {
    pare_signature *signature; /* borrowed */
    pare_diagnostics *reported;
    unsigned n_runs;
};

/* Takes in one failing run more; *agrees: it has all in common with those before. */
static pare_status take_run(const pare_learning *learning, const pare_verdict *verdict,
                            struct common *common, bool *agrees, pare_error *err)
{
    const pare_signature before = *common->signature;
    const size_t n_before = common->reported->n;
    const bool first = common->n_runs++ == 0;
    pare_signature seen = {.ended = PARE_ENDED_ANYHOW};
    pare_status status = pare_signature_parse(verdict->signature, &seen, err);
    if (status) return status;
    if (first) *common->signature = seen;
    if (first) *common->reported = *pare_judge_seen(learning->judge);
    pare_signature_intersect(common->signature, &seen);
    pare_diagnostics_intersect(common->reported, pare_judge_seen(learning->judge));
    *agrees = !first && same(&before, common->signature) && n_before == common->reported->n;
    return PARE_OK;
}

/* Runs the program until two failing runs agree; what all have in common is *signature,
 * *reported.  Runs that end well in between are a failure's by chance. */
static pare_status observe(const pare_learning *learning, const pare_candidate *whole,
                           pare_signature *signature, pare_diagnostics *reported, pare_error *err)
{
    struct common common = {.signature = signature, .reported = reported};
    unsigned n_clean = 0;
    bool agrees = false;
    while (common.n_runs < PARE_LEARN_RUNS && !agrees) {
        pare_verdict verdict = {.exit_code = -1};
        pare_status status = run_once(learning, whole, &verdict, err);
        if (!status && verdict.outcome != PARE_FAIL) {
            if (verdict.timed_out) return refuse(learning, &verdict, err);
            if (++n_clean < (common.n_runs ? CLEAN_RUNS_BETWEEN : CLEAN_RUNS_FIRST)) continue;
            if (!common.n_runs) *signature = (pare_signature){.ended = PARE_ENDED_EXIT};
            if (!common.n_runs) return refuse(learning, &verdict, err);
            break;
        }
        if (!status) status = take_run(learning, &verdict, &common, &agrees, err);
        if (status) return status;
    }
    if (!says_nothing(signature, reported)) return PARE_OK;
    return pare_fail(err, PARE_E_STATE,
                     "the program fails in another way each time: name what to keep, such as "
                     "--exit nonzero or --stderr REGEX");
}

/* ---- which problem is the failure ------------------------------------------------- */

/* Whether the program crashed, so that what else it reports is not the failure. */
static bool is_crash(const pare_signature *signature)
{
    return signature->ended != PARE_ENDED_EXIT || *signature->message ||
           strstr(signature->error, "Sanitizer: ") || strncmp(signature->error, "panic: ", 7) == 0;
}

/* Makes each mention of the file `name` a star: "Ignoring unknown module 'lid' in file box.scad, line 23".  A name
 * without an ending may be a word of the message, and stays. */
static void mask_file_name(char text[PARE_DIAGNOSTIC_BYTES], const char *name)
{
    const size_t size = strlen(name);
    const char *dot = strchr(name, '.');
    if (!dot || dot == name || !dot[1]) return;
    const char *at = text;
    while ((at = pare_diagnostic_text_find_file(text, at, name))) {
        char *star = text + (at - text);
        *star = '*';
        memmove(star + 1, star + size, strlen(star + size) + 1);
    }
}

/* The text of a problem as a pattern, by the level that is to be kept: names and numbers of the
 * input are no part of the failure, since they go or change while it is reduced; nor, at any level, is the input's
 * own name, which the result has not. */
static void generalize(const pare_learning *learning, const char *text, pare_keep_level level,
                       char pattern[PARE_DIAGNOSTIC_BYTES])
{
    /* First, as a part of the name may stand in the input: "png" does. */
    char unnamed[PARE_DIAGNOSTIC_BYTES];
    const size_t size = strlen(text);
    assert(size < sizeof unnamed && "a diagnostic's text");
    memcpy(unnamed, text, size + 1);
    mask_file_name(unnamed, learning->input_name);
    if (level == PARE_KEEP_LINE) level = PARE_KEEP_MESSAGE;
    pare_generalize(unnamed, level, pare_text_bytes(learning->input),
                    pare_text_size(learning->input), pattern);
}

/* The exception that ended the program; of chained exceptions that is the last. NULL: there is
 * none. */
static const pare_diagnostic *find_exception(const pare_diagnostics *reported,
                                             const pare_signature *signature)
{
    const pare_diagnostic *found = NULL;
    size_t size = strlen(signature->error);
    for (size_t k = 0; k < reported->n; k++) {
        const pare_diagnostic *item = &reported->item[k];
        /* The signature's error is the exception that was not caught; the others are those that
         * it was raised from. */
        bool is_last = size && strncmp(item->text, signature->error, size) == 0;
        if (is_last || (!found && item->is_exception)) found = item;
    }
    return found;
}

/* `pattern` is the problem's text, generalised. */
static bool is_like_earlier(const pare_diagnostics *list, const pare_diagnostic *item,
                            const char *pattern)
{
    for (size_t k = 0; k < list->n; k++) {
        const pare_diagnostic *other = &list->item[k];
        /* A second error at one place is a consequence of the first. */
        bool same_place = *item->place && strcmp(other->place, item->place) == 0;
        if (same_place || pare_signature_like(pattern, other->text)) return true;
    }
    return false;
}

/* Whether a guess is a line of the input that the program shows. */
static bool is_quoted_line(const pare_learning *learning, const pare_diagnostic *item)
{
    const char *bytes = (const char *)pare_text_bytes(learning->input);
    const char *end = bytes + pare_text_size(learning->input), *at = bytes;
    const size_t size = strlen(item->text);
    if (!item->is_guess) return false;
    /* The text may stand in the middle of lines several times; it counts only where it is a
     * whole line, but for blanks. */
    while ((at = memmem(at, (size_t)(end - at), item->text, size))) {
        const char *start = at, *stop = at + size;
        while (start > bytes && (start[-1] == ' ' || start[-1] == '\t'))
            start--;
        while (stop < end && (*stop == ' ' || *stop == '\t' || *stop == '\r'))
            stop++;
        if ((start == bytes || start[-1] == '\n') && (stop == end || *stop == '\n')) return true;
        at++;
    }
    return false;
}

/* Lists the errors, or the warnings if there are no errors, without repetition: a second error at
 * the same place follows from the first, and names alone make no difference. */
static void list_different(const pare_learning *learning, const pare_diagnostics *reported,
                           pare_diagnostics *list)
{
    char pattern[PARE_DIAGNOSTIC_BYTES];
    pare_severity severity = PARE_SEVERITY_WARNING;
    for (size_t k = 0; k < reported->n; k++)
        if (reported->item[k].severity == PARE_SEVERITY_ERROR) severity = PARE_SEVERITY_ERROR;
    list->n = 0;
    for (size_t k = 0; k < reported->n; k++) {
        const pare_diagnostic *item = &reported->item[k];
        /* A compiler that shows the line at fault has not reported that line. */
        if (item->severity != severity || is_quoted_line(learning, item)) continue;
        generalize(learning, item->text, learning->keep->level, pattern);
        if (!is_like_earlier(list, item, pattern)) pare_diagnostics_add(list, item);
    }
}

/* Finds the one problem that words copied from a terminal mean: there paths have folders, quotes
 * are typographic, and a place or the time of a log record may stand before the text.  Of a path little may be left, so where
 * several problems have it, none is meant; NULL then. */
static const pare_diagnostic *find_copied(const pare_learning *learning,
                                          const pare_diagnostics *reported)
{
    char words[PARE_DIAGNOSTIC_BYTES];
    pare_diagnostic copied;
    const pare_diagnostic *found = NULL;
    pare_diagnostic_plain(learning->keep->message, words);
    if (!*words) return NULL;
    const pare_printed printed = {.text = words, .size = strlen(words)};
    const pare_printed_line line = pare_printed_line_at(&printed, 0);
    const bool reads = pare_diagnostic_read(&line, &copied);
    for (size_t k = 0; k < reported->n; k++) {
        const char *text = reported->item[k].text;
        if (!strstr(text, words) && !strstr(words, text) && !(reads && strstr(text, copied.text)))
            continue;
        if (found) return NULL;
        found = &reported->item[k];
    }
    return found;
}

/* Finds the problem that the user named. */
static pare_status find_named(const pare_learning *learning, const pare_diagnostics *reported,
                              pare_diagnostics *offered, const pare_diagnostic **found,
                              pare_error *err)
{
    for (size_t k = 0; k < reported->n && !*found; k++)
        if (strstr(reported->item[k].text, learning->keep->message)) *found = &reported->item[k];
    if (!*found) *found = find_copied(learning, reported);
    if (*found) return PARE_OK;
    list_different(learning, reported, offered);
    pare_buffer language = {0};
    pare_status status = pare_buffer_text(&language, "", err);
    if (!status) status = pare_message_locale_explain(learning->locale, &language, err);
    if (!status)
        status =
            pare_fail(err, PARE_E_STATE, "the program reports nothing that contains '%.100s'%s",
                      learning->keep->message, language.data);
    pare_buffer_done(&language);
    return status;
}

/* Sets *found to the problem that is to stay; NULL: the way in which the program ended. */
static pare_status choose(const pare_learning *learning, const pare_signature *signature,
                          const pare_diagnostics *reported, pare_diagnostics *offered,
                          const pare_diagnostic **found, pare_error *err)
{
    *found = NULL;
    if (learning->keep->message) return find_named(learning, reported, offered, found, err);
    /* What was reported before a crash (warnings, say) is not part of it. */
    if (is_crash(signature) || !reported->n) return PARE_OK;
    *found = find_exception(reported, signature);
    if (*found) return PARE_OK;
    list_different(learning, reported, offered);
    if (offered->n > 1)
        return pare_fail(err, PARE_E_STATE,
                         "the program reports %zu different problems: say which one to keep, "
                         "with --message TEXT",
                         offered->n);
    /* Back from the copy on the list to the problem itself. */
    for (size_t k = 0; k < reported->n && offered->n; k++)
        if (strcmp(reported->item[k].text, offered->item[0].text) == 0) *found = &reported->item[k];
    offered->n = 0;
    return PARE_OK;
}

/* ---- what is required of it ------------------------------------------------------- */

/* A pattern of punctuation alone would be true of any output. */
static bool has_letters(const char *pattern)
{
    for (; *pattern; pattern++)
        if (((*pattern | 0x20) >= 'a' && (*pattern | 0x20) <= 'z') ||
            (unsigned char)*pattern >= 0x80)
            return true;
    return false;
}

/* Requires the problem `kept`; its kind need not be named a second time. */
static void require(const pare_learning *learning, const pare_diagnostic *kept,
                    pare_signature *signature)
{
    generalize(learning, kept->text, learning->keep->level, signature->diagnostic);
    if (!has_letters(signature->diagnostic))
        memset(signature->diagnostic, 0, sizeof signature->diagnostic);
    size_t size = strlen(signature->error);
    /* The text begins with the kind, as "TypeError: ..." does. */
    if (size && strncmp(kept->text, signature->error, size) == 0)
        memset(signature->error, 0, sizeof signature->error);
}

/* Notes the problem as it would be kept with its names. */
static pare_status note_exact(const pare_learning *learning, const pare_diagnostic *kept,
                              pare_error *err)
{
    char exact[PARE_DIAGNOSTIC_BYTES];
    generalize(learning, kept->text, PARE_KEEP_EXACT, exact);
    pare_buffer_reset(learning->exact);
    return pare_buffer_text(learning->exact, exact, err);
}

/* Notes the line that is named with the problem, and requires it where that is wanted.  The first one whose text says
 * something is taken; a signature of a folder has none, whose files have lines of their own. */
static void note_line(const pare_learning *learning, pare_signature *signature)
{
    const pare_named_lines *named = pare_judge_named(learning->judge);
    const pare_printed text = {.text = (const char *)pare_text_bytes(learning->input),
                               .size = pare_text_size(learning->input)};
    char line[PARE_SIGNATURE_LINE_BYTES];
    for (size_t k = 0; k < named->n && learning->named; k++) {
        if (!pare_named_line_read(&text, named->number[k], line)) continue;
        *learning->named = named->number[k];
        if (learning->keep->level == PARE_KEEP_LINE)
            memcpy(signature->line, line, strlen(line) + 1);
        return;
    }
}

/* Whether a frame is the input's own: "FUNCTION FILE" of a script that is the input, or a
 * function all of whose names stand in it. */
static bool is_own_frame(const pare_learning *learning, const char *frame)
{
    const char *name = learning->input_name,
               *bytes = (const char *)pare_text_bytes(learning->input);
    size_t size = strlen(name), length = strlen(frame);
    bool is_file = length >= size && strcmp(frame + length - size, name) == 0;
    if (is_file && (length == size || frame[length - size - 1] == ' ')) return true;
    for (const char *at = frame; *at;) {
        size_t word = strspn(at, NAME_CHARACTERS);
        if (word && !pare_generalize_finds_word(bytes, pare_text_size(learning->input), at, word))
            return false;
        at += word ? word : 1;
    }
    return *frame != '\0';
}

/* Frames of the input's own functions go, when these do. */
static void forget_own_frames(const pare_learning *learning, pare_signature *signature)
{
    /* The kind of a failure does not depend on where in the program it happened. */
    bool own = learning->keep->level == PARE_KEEP_KIND;
    for (size_t k = 0; k < PARE_SIGNATURE_FRAMES && !own; k++)
        own = is_own_frame(learning, signature->frame[k]);
    if (own) memset(signature->frame, 0, sizeof signature->frame);
}

/* Requires that no errors are reported of kinds that are not among those of the input; with
 * too many kinds nothing is said of them. */
static void exclude_others(const pare_learning *learning, const pare_diagnostics *reported,
                           pare_signature *signature)
{
    size_t n = 0;
    for (size_t k = 0; k < reported->n; k++) {
        const pare_diagnostic *item = &reported->item[k];
        char pattern[PARE_DIAGNOSTIC_BYTES];
        /* Warnings and guesses come and go while the input shrinks, and so never count as errors
         * too many. */
        bool known = item->severity != PARE_SEVERITY_ERROR || item->is_guess;
        if (*signature->diagnostic && learning->keep->level != PARE_KEEP_EXACT)
            known = known || pare_signature_like(signature->diagnostic, item->text);
        for (size_t i = 0; i < n && !known; i++)
            known = pare_signature_like(signature->beside[i], item->text);
        if (known) continue;
        /* More kinds than a signature has room for: then none is excluded, rather than some. */
        if (n == PARE_SIGNATURE_BESIDES) {
            memset(signature->beside, 0, sizeof signature->beside);
            return;
        }
        generalize(learning, item->text, PARE_KEEP_KIND, pattern);
        memcpy(signature->beside[n++], pattern, sizeof pattern);
    }
    signature->alone = true;
}

/* Learns what the runs have in common, then which single problem is kept, then what must not count:
 * frames of our own, and kinds of errors that the input does not show. */
static pare_status learn(const pare_learning *learning, const pare_candidate *whole,
                         pare_signature *signature, pare_diagnostics *offered, pare_error *err)
{
    pare_diagnostics reported = {.n = 0};
    const pare_diagnostic *kept;
    pare_status status = observe(learning, whole, signature, &reported, err);
    if (!status) status = choose(learning, signature, &reported, offered, &kept, err);
    if (status) return status;
    if (kept) require(learning, kept, signature);
    if (kept && learning->exact) status = note_exact(learning, kept, err);
    if (*signature->diagnostic) note_line(learning, signature);
    if (status) return status;
    forget_own_frames(learning, signature);
    if (!learning->keep->allow_new_errors) exclude_others(learning, &reported, signature);
    return PARE_OK;
}

/* The input is tested as the candidate that it is, from its pieces, in the first slot. */
pare_status pare_learn_signature(const pare_learning *learning, pare_signature *signature,
                                 pare_diagnostics *offered, pare_error *err)
{
    pare_candidate whole = {0};
    pare_candidate_start(&whole, learning->input);
    pare_status status = pare_candidate_slice(&whole, 0, pare_text_size(learning->input), err);
    *signature = (pare_signature){.ended = PARE_ENDED_ANYHOW};
    offered->n = 0;
    /* Until something is required, any failure at all counts, and its signature is what we want. */
    pare_judge_learn(learning->judge);
    if (!status) status = learn(learning, &whole, signature, offered, err);
    if (!status) pare_judge_require(learning->judge, signature);
    pare_candidate_done(&whole);
    return status;
}

/* ---- where the signature comes from, and where it stays ---------------------------- */

/* Requires `signature` from now on, and keeps its text. */
static pare_status require_signature(pare_session_oracle *oracle, const pare_signature *signature,
                                     pare_error *err)
{
    pare_buffer_reset(&oracle->signature);
    pare_judge_require(oracle->judge, signature);
    return pare_signature_print(signature, &oracle->signature, err);
}

/* Reads a signature file. A person may have written it, so a mistake is reported with the file's
 * name. */
static pare_status read_file(const char *path, pare_signature *signature, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_file_read(path, &text, err);
    if (!status) status = pare_signature_parse(text.size ? text.data : "", signature, err);
    if (status == PARE_E_SYNTAX) pare_fail_prefix(err, "%s", path);
    pare_buffer_done(&text);
    return status;
}

/* Writes the signature as one line, which read_file reads back and a person may edit. */
static pare_status write_file(const pare_session_oracle *oracle, const char *path, pare_error *err)
{
    pare_buffer line = {0};
    pare_status status = pare_buffer_format(&line, err, "%s\n", oracle->signature.data);
    if (!status) status = pare_file_write_bytes(path, line.data, line.size, err);
    pare_buffer_done(&line);
    return status;
}

/* Whether the journal in `dir` holds outcomes on `input` under the signature in force. */
static bool belongs(const pare_session_oracle *oracle, const char *dir, const pare_text *input)
{
    pare_buffer path = {0}, bytes = {0};
    pare_journal_key key;
    pare_status status = pare_buffer_format(&path, NULL, "%s/journal", dir);
    if (!status) status = pare_file_read(path.data, &bytes, NULL);
    bool same = !status && pare_journal_parse_header(bytes.data, bytes.size, &key) &&
                pare_digest_equal(key.input, pare_text_digest(input)) &&
                pare_digest_equal(key.test, pare_session_oracle_identity(oracle));
    pare_buffer_done(&path);
    pare_buffer_done(&bytes);
    return same;
}

/* It lies in the journal's directory, and so goes with it. */
static pare_status path_beside(const char *journal_dir, pare_buffer *path, pare_error *err)
{
    return pare_buffer_format(path, err, "%s/signature", journal_dir);
}

/* Takes the signature beside the journal, if it is there and belongs to it. */
static pare_status resume(pare_session_oracle *oracle, const char *dir, const pare_text *input,
                          bool *resumed, pare_error *err)
{
    pare_buffer path = {0};
    pare_signature signature;
    *resumed = false;
    pare_status status = path_beside(dir, &path, err);
    bool readable = !status && !read_file(path.data, &signature, NULL);
    pare_buffer_done(&path);
    if (status || !readable) return status;
    status = require_signature(oracle, &signature, err);
    if (!status) *resumed = belongs(oracle, dir, input);
    /* Required only to compute the identity of the test with it: without a journal of that
     * identity it is taken back. */
    if (!*resumed) pare_buffer_reset(&oracle->signature);
    return status;
}

/* Refuses a failure that a full sandbox made, unless it was asked for by name, or the failure was. */
static pare_status look_at_sandbox(const pare_session_oracle *oracle, const pare_text *input,
                                   const pare_signature *signature, const char *printed,
                                   pare_error *err)
{
    const pare_sandbox_run run = {.input = oracle->asked.input,
                                  .test = oracle->asked.test,
                                  .text = input,
                                  .kept = signature,
                                  .offered = &oracle->offered,
                                  .printed = printed};
    const bool by_default = oracle->asked.test->safety.sandbox == PARE_SANDBOX_DEFAULT;
    if (!by_default || oracle->asked.keep->message || signature->ended == PARE_ENDED_SIGNAL)
        return PARE_OK;
    if (pare_session_oracle_safety(oracle).sandbox != PARE_SANDBOX_FULL) return PARE_OK;
    return pare_sandbox_fault(&run, err);
}

/* The failure may be one of the user's own locale, in which programs do not run here: adds that to the sentence. */
static pare_status add_locale(const pare_session_oracle *oracle, pare_error *err)
{
    pare_buffer sentence = {0};
    if (!err || !oracle->locale.locale) return PARE_E_STATE;
    pare_status status = pare_buffer_text(&sentence, err->message, NULL);
    if (!status) status = pare_message_locale_explain(&oracle->locale, &sentence, NULL);
    pare_fail_clear(err);
    status = status ? pare_fail_nomem(err) : pare_fail(err, PARE_E_STATE, "%s", sentence.data);
    pare_buffer_done(&sentence);
    return status;
}

/* Learns the signature. If the command is at fault, or the program reports nothing, a sentence
 * about that replaces the error of learning. */
static pare_status learn_failure(pare_session_oracle *oracle, const pare_text *input,
                                 pare_error *err)
{
    pare_signature signature;
    pare_buffer hang_line = {0};
    pare_status status = pare_command_fault_unrun(oracle->asked.input, oracle->asked.test, err);
    if (!status)
        status = pare_command_fault_line(oracle->asked.input, oracle->asked.test, " --hang 10", "",
                                         &hang_line, err);
    if (status) return status;
    pare_session_oracle_be_patient(oracle, true);
    const pare_learning learning = {
        .oracle = oracle->oracle,
        .judge = oracle->judge,
        .input = input,
        .input_name =
            oracle->name.size ? oracle->name.data : pare_read_input_base_name(oracle->asked.input),
        .hang_line = hang_line.data,
        .keep = oracle->asked.keep,
        .exact = &oracle->exact,
        .named = oracle->asked.layout ? NULL : &oracle->named,
        .timeout_ms = pare_session_oracle_patient_ms(oracle),
        .locale = &oracle->locale,
        .waiting = oracle->waiting,
        .waiting_for = oracle->waiting_for};
    /* The program's last output shows whether the command is at fault. */
    pare_session_oracle_capture(oracle);
    status = pare_learn_signature(&learning, &signature, &oracle->offered, err);
    pare_buffer_done(&hang_line);
    pare_session_oracle_be_patient(oracle, false);
    if (status == PARE_OK || status == PARE_E_STATE) {
        const char *printed = pare_process_captured(oracle->oracle);
        bool is_clean = status && !oracle->offered.n && signature.ended == PARE_ENDED_EXIT &&
                        signature.code == 0;
        pare_error better = {0}; /* than what learning says */
        pare_status found = pare_command_fault(oracle->asked.input, oracle->asked.test, &signature,
                                               printed, &better);
        if (!found) found = look_at_sandbox(oracle, input, &signature, printed, &better);
        /* A program that was not run, or not as by hand, has reported nothing that could be chosen
         * from. */
        if (found) oracle->offered.n = 0;
        if (!found && is_clean)
            found = pare_command_fault_advise(oracle->asked.input, oracle->asked.test, printed,
                                              &better);
        if (found && err) *err = better;
        if (is_clean && (!found || found == PARE_E_STATE)) return add_locale(oracle, err);
        if (found) return found;
    }
    oracle->is_learnt = status == PARE_OK;
    return status ? status : require_signature(oracle, &signature, err);
}

/* The first of these that there is: what the user named, a file, what the journal holds; only then
 * runs. */
pare_status pare_learn_signature_choose(pare_session_oracle *oracle, const char *journal_dir,
                                        const pare_text *input, pare_error *err)
{
    if (!oracle->judge) return PARE_OK;
    assert(!oracle->signature.size && "it is chosen once");
    const pare_keep *keep = oracle->asked.keep;
    const char *path = keep->signature_path;
    pare_signature signature;
    pare_status status = PARE_OK;
    bool resumed = false, must_learn = pare_judge_must_learn(oracle->judge);
    if (keep->signature) return pare_buffer_text(&oracle->signature, keep->signature, err);
    if (path && pare_file_exists(path)) {
        status = read_file(path, &signature, err);
        return status ? status : require_signature(oracle, &signature, err);
    }
    if (must_learn && journal_dir) status = resume(oracle, journal_dir, input, &resumed, err);
    if (!status && !resumed && (must_learn || path)) status = learn_failure(oracle, input, err);
    if (!status && path) status = write_file(oracle, path, err);
    return status;
}

/* Before the first outcome is in the journal: an outcome without its signature could not be
 * believed. */
pare_status pare_learn_signature_keep(const pare_session_oracle *oracle, const char *journal_dir,
                                      pare_error *err)
{
    pare_buffer path = {0};
    if (!oracle->signature.size) return PARE_OK;
    pare_status status = path_beside(journal_dir, &path, err);
    if (!status) status = write_file(oracle, path.data, err);
    pare_buffer_done(&path);
    return status;
}

/* With the journal whose outcomes it explains. */
void pare_learn_signature_drop(const pare_session_oracle *oracle, const char *journal_dir)
{
    pare_buffer path = {0};
    if (oracle->signature.size && !path_beside(journal_dir, &path, NULL)) {
        /* If the file cannot be removed, the next run overwrites it. */
        pare_status ignored = pare_file_remove_tree(path.data, NULL);
        (void)ignored;
    }
    pare_buffer_done(&path);
}
