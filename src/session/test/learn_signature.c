/* Learning the signature of a failure from the program's first runs.
 *
 * The program is run on the input until two failing runs agree, PARE_LEARN_RUNS at most; what
 * all of them have in common is the signature.  So what changes from run to run (addresses, times,
 * process numbers) drops out without a list of such things.  Two runs that agree are taken for the
 * truth: a failure that comes by chance is the business of repeated tests, not of its
 * signature.  Runs that end well are passed over: CLEAN_RUNS_FIRST of them before the first
 * failing one say that there is no failure, and after CLEAN_RUNS_BETWEEN one failing run has to
 * do. What the input contributes, names and numbers, is taken out of the message according to
 * the level that is to be kept. */
#include "session/test/learn_signature.h"

#include <string.h>

#include <pare/outcome.h>

#include "base/fail.h"
#include "run/generalize.h"
#include "run/signature.h"
#include "text/candidate.h"

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
        return pare_fail(
            err, PARE_E_STATE,
            "the program does not end on the input, in %.3g s: if that is the failure, "
            "say pare reduce %.100s --hang 10 -- PROGRAM, else give it more time, as in "
            "--timeout %.0f",
            limit_s, learning->input_name, MORE_TIME * limit_s);
    return pare_fail(err, PARE_E_STATE,
                     "the program ends with exit code 0 on the input and reports no failure");
}

static bool says_nothing(const pare_signature *signature, const pare_diagnostics *reported)
{
    return signature->ended == PARE_ENDED_ANYHOW && !pare_signature_speaks(signature) &&
           !reported->n;
}

static bool same(const pare_signature *a, const pare_signature *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* One failing run more: what it has in common with those before; *agrees: all of it. */
static pare_status take_run(const pare_learning *learning, const pare_verdict *verdict, bool first,
                            pare_signature *signature, pare_diagnostics *reported, bool *agrees,
                            pare_error *err)
{
    const pare_signature before = *signature;
    const size_t n_before = reported->n;
    pare_signature seen = {.ended = PARE_ENDED_ANYHOW};
    pare_status status = pare_signature_parse(verdict->signature, &seen, err);
    if (status) return status;
    if (first) *signature = seen;
    if (first) *reported = *pare_judge_seen(learning->judge);
    pare_signature_intersect(signature, &seen);
    pare_diagnostics_intersect(reported, pare_judge_seen(learning->judge));
    *agrees = !first && same(&before, signature) && n_before == reported->n;
    return PARE_OK;
}

/* Runs the program until two failing runs agree; what all have in common is *signature,
 * *reported.  Runs that end well in between are a failure's by chance. */
static pare_status observe(const pare_learning *learning, const pare_candidate *whole,
                           pare_signature *signature, pare_diagnostics *reported, pare_error *err)
{
    unsigned n_failing = 0, n_clean = 0;
    bool agrees = false;
    while (n_failing < PARE_LEARN_RUNS && !agrees) {
        pare_verdict verdict = {.exit_code = -1};
        pare_status status = run_once(learning, whole, &verdict, err);
        if (!status && verdict.outcome != PARE_FAIL) {
            if (verdict.timed_out) return refuse(learning, &verdict, err);
            if (++n_clean < (n_failing ? CLEAN_RUNS_BETWEEN : CLEAN_RUNS_FIRST)) continue;
            if (!n_failing) *signature = (pare_signature){.ended = PARE_ENDED_EXIT};
            if (!n_failing) return refuse(learning, &verdict, err);
            break;
        }
        if (!status)
            status =
                take_run(learning, &verdict, n_failing++ == 0, signature, reported, &agrees, err);
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

static void generalize(const pare_learning *learning, const char *text, pare_keep_level level,
                       char pattern[PARE_DIAGNOSTIC_BYTES])
{
    pare_generalize(text, level, pare_text_bytes(learning->input), pare_text_size(learning->input),
                    pattern);
}

/* The exception that ended the program: of chained ones the last; NULL: there is none. */
static const pare_diagnostic *find_exception(const pare_diagnostics *reported,
                                             const pare_signature *signature)
{
    const pare_diagnostic *found = NULL;
    size_t size = strlen(signature->error);
    for (size_t k = 0; k < reported->n; k++) {
        const pare_diagnostic *item = &reported->item[k];
        bool is_last = size && strncmp(item->text, signature->error, size) == 0;
        if (is_last || (!found && item->is_exception)) found = item;
    }
    return found;
}

static bool is_like_earlier(const pare_diagnostics *list, const pare_diagnostic *item,
                            const char *pattern)
{
    for (size_t k = 0; k < list->n; k++) {
        const pare_diagnostic *other = &list->item[k];
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

/* The errors, or the warnings when there are none, of which no two are alike: an error at the
 * place of an earlier one follows from that, and names do not make a difference. */
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
        if (item->severity != severity || is_quoted_line(learning, item)) continue;
        generalize(learning, item->text, learning->keep->level, pattern);
        if (!is_like_earlier(list, item, pattern)) pare_diagnostics_add(list, item);
    }
}

/* Finds the problem that the user named. */
static pare_status find_named(const pare_learning *learning, const pare_diagnostics *reported,
                              pare_diagnostics *offered, const pare_diagnostic **found,
                              pare_error *err)
{
    for (size_t k = 0; k < reported->n && !*found; k++)
        if (strstr(reported->item[k].text, learning->keep->message)) *found = &reported->item[k];
    if (*found) return PARE_OK;
    list_different(learning, reported, offered);
    return pare_fail(err, PARE_E_STATE, "the program reports nothing that has '%.100s' in it",
                     learning->keep->message);
}

/* Sets *found to the problem that is to stay; NULL: the way in which the program ended. */
static pare_status choose(const pare_learning *learning, const pare_signature *signature,
                          const pare_diagnostics *reported, pare_diagnostics *offered,
                          const pare_diagnostic **found, pare_error *err)
{
    *found = NULL;
    if (learning->keep->message) return find_named(learning, reported, offered, found, err);
    if (is_crash(signature) || !reported->n) return PARE_OK;
    *found = find_exception(reported, signature);
    if (*found) return PARE_OK;
    list_different(learning, reported, offered);
    if (offered->n > 1)
        return pare_fail(err, PARE_E_STATE,
                         "the program reports %zu different problems: say which one to keep, "
                         "with --message TEXT",
                         offered->n);
    for (size_t k = 0; k < reported->n && offered->n; k++)
        if (strcmp(reported->item[k].text, offered->item[0].text) == 0) *found = &reported->item[k];
    offered->n = 0;
    return PARE_OK;
}

/* ---- what is required of it ------------------------------------------------------- */

static bool has_letters(const char *pattern)
{
    for (; *pattern; pattern++)
        if ((*pattern | 0x20) >= 'a' && (*pattern | 0x20) <= 'z') return true;
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
    if (size && strncmp(kept->text, signature->error, size) == 0)
        memset(signature->error, 0, sizeof signature->error);
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
        bool known = item->severity != PARE_SEVERITY_ERROR || item->is_guess;
        if (*signature->diagnostic && learning->keep->level != PARE_KEEP_EXACT)
            known = known || pare_signature_like(signature->diagnostic, item->text);
        for (size_t i = 0; i < n && !known; i++)
            known = pare_signature_like(signature->beside[i], item->text);
        if (known) continue;
        if (n == PARE_SIGNATURE_BESIDES) {
            memset(signature->beside, 0, sizeof signature->beside);
            return;
        }
        generalize(learning, item->text, PARE_KEEP_KIND, pattern);
        memcpy(signature->beside[n++], pattern, sizeof pattern);
    }
    signature->alone = true;
}

/* What the runs have in common, then the one problem that is kept, then what must not count:
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
    forget_own_frames(learning, signature);
    if (!learning->keep->allow_new_errors) exclude_others(learning, &reported, signature);
    return PARE_OK;
}

pare_status pare_learn_signature(const pare_learning *learning, pare_signature *signature,
                                 pare_diagnostics *offered, pare_error *err)
{
    pare_candidate whole = {0};
    pare_candidate_start(&whole, learning->input);
    pare_status status = pare_candidate_slice(&whole, 0, pare_text_size(learning->input), err);
    *signature = (pare_signature){.ended = PARE_ENDED_ANYHOW};
    offered->n = 0;
    pare_judge_learn(learning->judge);
    if (!status) status = learn(learning, &whole, signature, offered, err);
    if (!status) pare_judge_require(learning->judge, signature);
    pare_candidate_done(&whole);
    return status;
}
