/* Judging a run: conditions one after the other, the cheap ones first.
 *
 * What the program did is read into a signature and diagnostics; then the signature that is
 * kept, the diagnostics, how it ended, and patterns in its output, in this order.  The first
 * that does not hold decides that the failure is gone, and leaves a sentence that says what
 * was missed.  What is not the failure may still be another one (a crash, a sanitizer's
 * report), a rejection (the program calls its input invalid, so nothing can be said:
 * UNRESOLVED), or nothing: PASS.
 *
 * A trial is up to three runs: the program, the command of --differs, the command of --valid.
 * Each next one is asked for only if the one before holds, so most candidates cost one run.
 *
 * Learning: the first run's signature and diagnostics are taken, whatever they are, and become
 * what is required.  Until then any unclean end counts as FAIL.
 *
 * Any failure: the kind of the end and of what was said decides whether it is one; conditions then
 * filter.  Everything that has to be looked for is looked for in one pass over the output.
 *
 * Invariant: a judgement is a function of the observation and of what is required; nothing is
 * remembered from run to run but the texts that are lent to the caller. */
#include "run/judge.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "run/diagnostic.h"
#include "run/diagnostic_guess.h"
#include "run/diagnostic_header.h"
#include "run/named_line.h"
#include "run/recognize.h"
#include "run/signature.h"
#include "text/pattern.h"

enum { SENTENCE_BYTES = 512 };

struct pare_judge {
    const pare_keep *keep; /* borrowed */
    pare_recognizer markers;
    pare_pattern **patterns; /* owned, as are its elements; one for each of keep's, and then for
                                each of the frames and lines that it passes over */
    int signal;              /* 0: none required */
    uint64_t hang_ms;        /* keep's, or what took its place */
    bool learning, has_signature;
    pare_any_failure any;     /* NONE: one failure is kept */
    pare_signature signature; /* required, if there is one */
    pare_diagnostics seen;    /* of the last run that was judged */
    pare_diagnostics
        on_error; /* those of them that standard error alone tells, while it is compared */
    pare_named_lines named; /* by that run */
    pare_buffer text;       /* of the last judgement's signature */
    char why[SENTENCE_BYTES];
};

/* ---- making ----------------------------------------------------------------------- */

/* Patterns of what is kept, then of frames, then of lines that are passed over. */
static size_t n_all_patterns(const pare_keep *keep)
{
    return keep->n_patterns + keep->n_ignore_frames + keep->n_ignore_lines;
}

/* Patterns are compiled once, and so refused before the first test if they are wrong. One array
 * holds all of them in three parts; the recogniser borrows the last two. */
static pare_status compile(pare_judge *judge, pare_error *err)
{
    const pare_keep *keep = judge->keep;
    const size_t n = n_all_patterns(keep), first_line = keep->n_patterns + keep->n_ignore_frames;
    if (!n) return PARE_OK;
    judge->patterns = pare_alloc_zero(n, sizeof(pare_pattern *));
    if (!judge->patterns) return pare_fail_nomem(err);
    for (size_t k = 0; k < n; k++) {
        const char *regex = k < keep->n_patterns ? keep->patterns[k].regex
                            : k < first_line     ? keep->ignore_frames[k - keep->n_patterns]
                                                 : keep->ignore_lines[k - first_line];
        pare_status status = pare_pattern_new(regex, &judge->patterns[k], err);
        if (status) return status;
    }
    const pare_pattern *const *compiled = (const pare_pattern *const *)judge->patterns;
    judge->markers.ignored = compiled + keep->n_patterns;
    judge->markers.n_ignored = keep->n_ignore_frames;
    judge->markers.ignored_lines = compiled + first_line;
    judge->markers.n_ignored_lines = keep->n_ignore_lines;
    return PARE_OK;
}

/* Reads what the user asked for, and refuses what can be seen to be wrong without a run: exit
 * codes and signals that there are not, a signature or pattern that cannot be read. */
static pare_status read_keep(pare_judge *judge, pare_error *err)
{
    const pare_keep *keep = judge->keep;
    judge->hang_ms = keep->hang_ms;
    if (keep->use_exit_code && (keep->exit_code < PARE_KEEP_NONZERO || keep->exit_code > 255))
        return pare_fail(err, PARE_E_ARG, "exit code %d is not in 0 .. 255", keep->exit_code);
    if (keep->signal) {
        judge->signal = pare_signature_signal(keep->signal);
        if (!judge->signal)
            return pare_fail(err, PARE_E_ARG, "unknown signal '%s': write SIGSEGV, SIGABRT, ...",
                             keep->signal);
    }
    if (keep->signature) {
        pare_status status = pare_signature_parse(keep->signature, &judge->signature, err);
        if (status) return status;
        judge->has_signature = true;
    }
    return compile(judge, err);
}

/* Checks everything that was asked for before the first test, so that a mistake is not found in the
 * middle of a reduction. */
pare_status pare_judge_new(const pare_keep *keep, pare_judge **out, pare_error *err)
{
    pare_judge *judge = pare_alloc_zero(1, sizeof *judge);
    if (!judge) return pare_fail_nomem(err);
    judge->keep = keep;
    pare_recognizer_init(&judge->markers);
    pare_status status = read_keep(judge, err);
    if (status)
        pare_judge_free(judge);
    else
        *out = judge;
    return status;
}

/* May be given a judge of which only some patterns were compiled: the others are NULL. */
void pare_judge_free(pare_judge *judge)
{
    if (!judge) return;
    const size_t n = n_all_patterns(judge->keep);
    for (size_t k = 0; judge->patterns && k < n; k++)
        pare_pattern_free(judge->patterns[k]);
    pare_alloc_free(judge->patterns);
    pare_buffer_done(&judge->text);
    pare_alloc_free(judge);
}

/* True when nothing that was asked for tells one failure from another: then the first run
 * does.  --valid and --no-output only say what is not wanted, so they do not count. */
bool pare_judge_must_learn(const pare_judge *judge)
{
    const pare_keep *keep = judge->keep;
    bool asks_output = false;
    for (size_t k = 0; k < keep->n_patterns; k++)
        if (keep->patterns[k].stream != PARE_STREAM_NO_OUTPUT) asks_output = true;
    return !judge->has_signature && !asks_output && !keep->use_exit_code && !keep->signal &&
           !keep->hang_ms && !keep->max_rss_bytes && !keep->differs;
}

/* The next run judged is the lesson; require ends the learning. */
void pare_judge_learn(pare_judge *judge)
{
    judge->learning = true;
}

/* Takes the place of a signature that was given or learned before. */
void pare_judge_require(pare_judge *judge, const pare_signature *signature)
{
    judge->learning = false;
    judge->has_signature = true;
    judge->signature = *signature;
}

const pare_diagnostics *pare_judge_seen(const pare_judge *judge)
{
    return &judge->seen;
}

const pare_named_lines *pare_judge_named(const pare_judge *judge)
{
    return &judge->named;
}

bool pare_judge_reads_candidate(const pare_judge *judge)
{
    return judge->has_signature && *judge->signature.line;
}

uint64_t pare_judge_hang_ms(const pare_judge *judge, pare_run run)
{
    return run == PARE_RUN_PROGRAM ? judge->hang_ms : 0;
}

void pare_judge_set_hang_ms(pare_judge *judge, uint64_t hang_ms)
{
    judge->hang_ms = hang_ms;
}

uint64_t pare_judge_least_rss_bytes(const pare_judge *judge)
{
    return judge->keep->max_rss_bytes;
}

bool pare_judge_compares(const pare_judge *judge)
{
    return judge->keep->differs != NULL;
}

/* Folds a text with its end, if there is one, so that two texts are not one longer one. */
static void identify(pare_digest *digest, const char *text)
{
    if (text) *digest = pare_checksum_wide(*digest, text, strlen(text) + 1);
}

/* Digest of everything that the user asked for. What was learned is in the journal itself. */
pare_digest pare_judge_identity(const pare_judge *judge)
{
    const pare_keep *keep = judge->keep;
    const uint64_t numbers[] = {keep->use_exit_code, (uint64_t)keep->exit_code, keep->hang_ms,
                                keep->max_rss_bytes, keep->n_patterns};
    pare_digest digest = pare_checksum_wide((pare_digest){0}, numbers, sizeof numbers);
    /* Only if it was asked for, so that the identity of other journals is what it was without
     * this option. */
    if (judge->any) identify(&digest, (const char[]){(char)('0' + judge->any), '\0'});
    identify(&digest, keep->signal);
    identify(&digest, keep->differs);
    identify(&digest, keep->valid);
    for (size_t k = 0; k < keep->n_patterns; k++) {
        const unsigned char stream = (unsigned char)keep->patterns[k].stream;
        digest = pare_checksum_wide(digest, &stream, 1);
        identify(&digest, keep->patterns[k].regex);
    }
    for (size_t k = 0; k < keep->n_ignore_frames; k++)
        identify(&digest, keep->ignore_frames[k]);
    for (size_t k = 0; k < keep->n_ignore_lines; k++)
        identify(&digest, keep->ignore_lines[k]);
    return digest;
}

/* ---- conditions ------------------------------------------------------------------- */

/* Writes how a run ended, as a part of a sentence. */
static const char *describe(const pare_observation *seen, char text[64])
{
    const char *name = seen->ended == PARE_ENDED_SIGNAL ? sigabbrev_np(seen->code) : NULL;
    switch (seen->ended) {
    case PARE_ENDED_EXIT: (void)snprintf(text, 64, "ended with exit code %d", seen->code); break;
    case PARE_ENDED_FLOOD: (void)snprintf(text, 64, "printed without end"); break;
    case PARE_ENDED_HANG: (void)snprintf(text, 64, "did not end in time"); break;
    default: (void)snprintf(text, 64, "was ended by SIG%s", name ? name : "?"); break;
    }
    return text;
}

/* Notes in a sentence what a run lacks, and returns false for the caller to return. The reader is a
 * user who wonders why a candidate, or the input itself, is not the failure; so it names the option
 * that demands it. */
static bool miss(pare_judge *judge, const pare_observation *seen, const char *what)
{
    char ended[64];
    (void)snprintf(judge->why, sizeof judge->why, "the program %s, but %s", describe(seen, ended),
                   what);
    return false;
}

/* Whether the run ended as was asked for: exit code, signal, hang and memory, each only if it
 * was.  The first that does not hold leaves its sentence.
 *
 * PARE_KEEP_NONZERO stands for any code but 0. --hang defines the failure only where one
 * failure is kept; where any counts, a run that does not end is one of several that are looked
 * for. */
static bool ending_holds(pare_judge *judge, const pare_observation *seen)
{
    const pare_keep *keep = judge->keep;
    if (keep->use_exit_code) {
        bool any = keep->exit_code == PARE_KEEP_NONZERO;
        bool same = any ? seen->code != 0 : seen->code == keep->exit_code;
        const bool by_signal = seen->ended == PARE_ENDED_SIGNAL;
        if (seen->ended != PARE_ENDED_EXIT || !same)
            return miss(judge, seen,
                        by_signal ? "--exit asks for an exit code: use --signal instead"
                                  : "--exit asks for another exit code");
    }
    if (judge->signal && (seen->ended != PARE_ENDED_SIGNAL || seen->code != judge->signal))
        return miss(judge, seen, "--signal asks for another end");
    const bool asks_hang = keep->hang_ms && (!judge->any || judge->any == PARE_ANY_NAMED);
    if (asks_hang && seen->ended != PARE_ENDED_HANG)
        return miss(judge, seen, "--hang asks for a run that does not end");
    if (seen->peak_rss_bytes < keep->max_rss_bytes)
        return miss(judge, seen, "it took less memory than --max-rss asks for");
    return true;
}

/* Whether pattern `k` is in what was printed, on the streams it is about.  A pattern for both
 * streams needs to be found on one of them only; standard error is searched first, being
 * shorter. Errors: PARE_E_LIMIT (the pattern takes too long). */
static pare_status search(const pare_judge *judge, size_t k, const pare_observation *seen,
                          bool *found, pare_error *err)
{
    pare_stream stream = judge->keep->patterns[k].stream;
    pare_status status = PARE_OK;
    *found = false;
    if (stream != PARE_STREAM_STDOUT)
        status =
            pare_pattern_search(judge->patterns[k], seen->err.text, seen->err.size, found, err);
    if (!status && !*found && stream != PARE_STREAM_STDERR)
        status =
            pare_pattern_search(judge->patterns[k], seen->out.text, seen->out.size, found, err);
    return status;
}

/* Whether the output has the text of a pattern, which means something else as a regular
 * expression: "f(x)". It explains to the user why a pattern that looks right does not match. */
static bool has_words(const pare_keep_pattern *pattern, const pare_observation *seen)
{
    const size_t size = strlen(pattern->regex);
    if (!strpbrk(pattern->regex, "()[]{}*+?|\\^$") || pattern->stream == PARE_STREAM_NO_OUTPUT)
        return false;
    return (pattern->stream != PARE_STREAM_STDERR && seen->out.size &&
            memmem(seen->out.text, seen->out.size, pattern->regex, size)) ||
           (pattern->stream != PARE_STREAM_STDOUT && seen->err.size &&
            memmem(seen->err.text, seen->err.size, pattern->regex, size));
}

/* Searches for all patterns.  *holds: every one that was asked for is there; *forbidden: one of
 * --no-output is, which makes a run UNRESOLVED that has all else.  Errors: of
 * pare_pattern_search.
 *
 * All are searched even if one is missing, since a forbidden one has another outcome. The
 * sentence is about the last that went wrong. */
static pare_status patterns_hold(pare_judge *judge, const pare_observation *seen, bool *holds,
                                 bool *forbidden, pare_error *err)
{
    *holds = true;
    *forbidden = false;
    for (size_t k = 0; k < judge->keep->n_patterns; k++) {
        const pare_keep_pattern *pattern = &judge->keep->patterns[k];
        bool found = false;
        pare_status status = search(judge, k, seen, &found, err);
        if (status) return status;
        if (pattern->stream == PARE_STREAM_NO_OUTPUT)
            *forbidden |= found;
        else if (!found)
            *holds = false;
        else
            continue;
        if (found || pattern->stream != PARE_STREAM_NO_OUTPUT) {
            char what[SENTENCE_BYTES / 2];
            (void)snprintf(what, sizeof what, "its output %s '%.150s'%s",
                           found ? "matches --no-output" : "does not match", pattern->regex,
                           !found && has_words(pattern, seen)
                               ? " as a regular expression: write \\ before its special characters"
                               : "");
            (void)miss(judge, seen, what);
        }
    }
    return PARE_OK;
}

/* ---- judging ---------------------------------------------------------------------- */

/* Signals that come from outside more often than from the program's own fault. */
static bool is_outside(int number)
{
    return number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP ||
           number == SIGPIPE || number == SIGQUIT;
}

/* Whether a run that is not the failure we keep shows another failure worth saving. An exit code
 * alone is not: compilers exit with 1 on every candidate that is no valid program. */
static bool is_failure(const pare_signature *seen)
{
    switch (seen->ended) {
    case PARE_ENDED_SIGNAL: return !is_outside(seen->code) || pare_signature_speaks(seen);
    case PARE_ENDED_EXIT: return seen->code != 0 && pare_signature_speaks(seen);
    case PARE_ENDED_FLOOD: return true;
    default: return false;
    }
}

/* Puts the text of `signature` into the judgement, lent until the next one. */
static pare_status show(pare_judge *judge, const pare_signature *signature,
                        pare_judgement *judgement, pare_error *err)
{
    pare_buffer_reset(&judge->text);
    pare_status status = pare_signature_print(signature, &judge->text, err);
    if (!status) judgement->signature = judge->text.data;
    return status;
}

/* The judgement while learning: anything counts as the failure but a clean end without a word.
 * A hang teaches nothing, since it may be a slow machine: --hang asks for one. A warning from a
 * run that ends well is a lesson, too: somebody looks for it. */
static pare_status teach(pare_judge *judge, const pare_signature *signature,
                         pare_judgement *judgement, pare_error *err)
{
    bool clean = signature->ended == PARE_ENDED_EXIT && signature->code == 0;
    bool speaks = pare_signature_speaks(signature) || judge->seen.n;
    judgement->outcome = !clean || speaks ? PARE_FAIL : PARE_PASS;
    if (signature->ended == PARE_ENDED_HANG) judgement->outcome = PARE_UNRESOLVED;
    return show(judge, signature, judgement, err);
}

/* Whether a failure consists of words alone, while one such message is what we keep. Then every
 * other way of being invalid has its own words, and none of them is another bug. An assertion, a
 * sanitizer's report or a panic still is one. */
static bool is_chatter(const pare_judge *judge, const pare_signature *seen)
{
    return *judge->signature.diagnostic && seen->ended == PARE_ENDED_EXIT && !*seen->message &&
           !strstr(seen->error, "Sanitizer: ") && strncmp(seen->error, "panic: ", 7) != 0;
}

/* The program does not do what it should: another failure (shown, and PASS), invalid input
 * (UNRESOLVED, if a sign of rejection is seen that the failing input does not show itself), or
 * neither (PASS).  What is shown leaves the signs of rejection out, for they say nothing of the
 * failure. */
static pare_status judge_other(pare_judge *judge, const pare_signature *signature,
                               pare_judgement *judgement, pare_error *err)
{
    pare_signature other = *signature;
    other.despite = 0;
    judgement->outcome = PARE_PASS;
    if (is_failure(signature) && !is_chatter(judge, signature))
        return show(judge, &other, judgement, err);
    if (signature->despite & ~judge->signature.despite) judgement->outcome = PARE_UNRESOLVED;
    return PARE_OK;
}

/* All holds so far: asks for the next command that there is, in the order of pare_run, or else
 * decides FAIL. */
static void advance(const pare_judge *judge, pare_trial *trial, pare_judgement *judgement)
{
    assert(trial->run < PARE_N_RUNS);
    judgement->outcome = PARE_FAIL;
    for (pare_run run = trial->run + 1; run < PARE_N_RUNS; run++) {
        if (!(run == PARE_RUN_OTHER ? judge->keep->differs : judge->keep->valid)) continue;
        trial->run = run;
        judgement->more = true;
        return;
    }
}

/* Whether anything but warnings is reported. */
static bool names_error(const pare_diagnostics *seen)
{
    for (size_t k = 0; k < seen->n; k++)
        if (seen->item[k].severity == PARE_SEVERITY_ERROR) return true;
    return false;
}

/* Takes a program that ends well by its own word, lines on standard error that begin with a place: what is named on
 * standard output is then a part of what it makes, as of tbl's macros for troff is "error: page ...: table will not
 * fit".  What is named on standard error stands. */
static void prefer_standard_error(pare_judge *judge, const pare_observation *seen)
{
    pare_observation only = *seen;
    if (seen->code || !judge->seen.n || !seen->err.size || !seen->out.size) return;
    only.out = (pare_printed){.size = 0};
    pare_diagnostics *on_error = &judge->on_error;
    on_error->n = 0;
    (void)pare_recognize(&judge->markers, &only, on_error);
    if (on_error->n) return;
    pare_diagnostic_guess(on_error, &only);
    if (on_error->n) judge->seen = *on_error;
}

/* Reads what the program did and printed. Diagnostics are only looked for if one is kept or to be
 * learned; guesses only if nothing else tells of a failure: no error is named, nor, in a run that
 * succeeds, a warning. */
static pare_signature recognize(pare_judge *judge, const pare_observation *seen)
{
    const pare_signature *wanted = &judge->signature;
    const bool asks = judge->learning || *wanted->diagnostic;
    judge->seen.n = 0;
    if (!asks && !wanted->alone) return pare_recognize(&judge->markers, seen, NULL);
    pare_signature signature = pare_recognize(&judge->markers, seen, &judge->seen);
    bool is_named = names_error(&judge->seen) || (judge->seen.n && seen->code == 0);
    if (asks && !is_named && !pare_signature_speaks(&signature))
        pare_diagnostic_guess(&judge->seen, seen);
    if (asks && is_named) prefer_standard_error(judge, seen);
    return signature;
}

/* Whether the diagnostics are those that are kept.  *crowded: the one that is kept is there,
 * but an error too many; such a candidate is not another failure, just not this one alone. */
static bool diagnostics_hold(pare_judge *judge, const pare_observation *seen, bool *crowded)
{
    bool missing;
    const pare_diagnostic *extra;
    *crowded = false;
    if (!judge->has_signature ||
        pare_diagnostics_hold(&judge->seen, &judge->signature, &missing, &extra))
        return true;
    if (missing) return miss(judge, seen, "it does not report what is kept");
    char what[SENTENCE_BYTES / 2];
    (void)snprintf(what, sizeof what, "it reports an error that the input does not: %.150s",
                   extra->text);
    *crowded = true;
    return miss(judge, seen, what);
}

/* Whether a line that is named is the one that is kept.  The line of a folder's file is not looked for. */
static bool line_holds(pare_judge *judge, const pare_observation *seen)
{
    const char *wanted = judge->signature.line;
    if (!judge->has_signature || !*judge->signature.diagnostic) return true;
    judge->named = pare_named_line_find(seen);
    if (!*wanted || !seen->candidate.text ||
        pare_named_line_is(&judge->named, &seen->candidate, wanted))
        return true;
    return miss(judge, seen, "it names another line than the one that is kept");
}

/* Judges the program's run: checks the cheap conditions first, and if all hold, which command is
 * run next. What that command's run is compared with is kept in *trial. */
static pare_status judge_program(pare_judge *judge, pare_trial *trial, const pare_observation *seen,
                                 pare_judgement *judgement, pare_error *err)
{
    bool holds = true, forbidden = false, crowded = false;
    pare_signature signature = recognize(judge, seen);
    judge->named = judge->learning ? pare_named_line_find(seen) : (pare_named_lines){.n = 0};
    if (judge->learning) return teach(judge, &signature, judgement, err);
    if (seen->ended == PARE_ENDED_HANG && !judge->keep->hang_ms) {
        judgement->outcome = PARE_UNRESOLVED;
        return PARE_OK;
    }
    pare_status status = PARE_OK;
    if (judge->has_signature && !pare_signature_matches(&judge->signature, &signature))
        holds = miss(judge, seen, "this is not the signature that is kept");
    else if (!diagnostics_hold(judge, seen, &crowded))
        holds = false;
    else if (!line_holds(judge, seen))
        holds = false;
    else if (!ending_holds(judge, seen))
        holds = false;
    else
        status = patterns_hold(judge, seen, &holds, &forbidden, err);
    if (status) return status;
    judgement->why = judge->why;
    if (crowded) judgement->outcome = PARE_PASS;
    if (crowded) return PARE_OK;
    if (!holds) return judge_other(judge, &signature, judgement, err);
    trial->ended = seen->ended;
    trial->code = seen->code;
    trial->out_digest = seen->out_digest;
    if (forbidden)
        judgement->outcome = PARE_UNRESOLVED;
    else
        advance(judge, trial, judgement);
    return PARE_OK;
}

/* ---- any failure ------------------------------------------------------------------- */

pare_status pare_judge_any(pare_judge *judge, pare_any_failure any, pare_error *err)
{
    assert(any != PARE_ANY_NONE && "it is asked for something");
    if (any == PARE_ANY_NAMED && pare_judge_must_learn(judge))
        return pare_fail(err, PARE_E_ARG,
                         "nothing defines the failure: name an exit code, a signal or a pattern");
    judge->any = any;
    return PARE_OK;
}

bool pare_judge_is_any(const pare_judge *judge)
{
    return judge->any != PARE_ANY_NONE;
}

/* Whether this signal comes from a limit of ours, which says nothing about the program. */
static bool is_limit(int number)
{
    return number == SIGXCPU || number == SIGXFSZ;
}

/* Assertions and internal errors count with an exit code only: a program that ends well may print
 * such words, which stood in its input.  Sanitizers report and let the program end well. */
static bool is_crash(const pare_signature *seen)
{
    const bool reports = strstr(seen->error, "Sanitizer: ") != NULL;
    const bool failed = seen->ended == PARE_ENDED_EXIT && seen->code != 0;
    const bool says = *seen->message || strncmp(seen->error, "panic: ", 7) == 0;
    if (seen->ended == PARE_ENDED_SIGNAL)
        return (!is_outside(seen->code) && !is_limit(seen->code)) || reports || says;
    return reports || (failed && says);
}

/* Each level of `any` includes those before it: crashes, then exceptions and diagnostics of a
 * program that exits with another code than 0, then any such exit and output without end. A
 * time-out is decided by the caller. */
bool pare_judge_has_failure(pare_any_failure any, const pare_signature *seen)
{
    if (any < PARE_ANY_CRASH || seen->ended == PARE_ENDED_HANG) return false;
    if (is_crash(seen)) return true;
    const bool failed = seen->ended == PARE_ENDED_EXIT && seen->code != 0;
    const bool is_thrown = *seen->error || *seen->diagnostic;
    if (any >= PARE_ANY_EXCEPTION && failed && is_thrown) return true;
    return any == PARE_ANY_EXIT && (failed || seen->ended == PARE_ENDED_FLOOD);
}

/* Describes a run with the problem that ended it as its diagnostic: the exception, else (EXIT) the
 * first error, else the first thing that it reported.
 *
 * Nothing is looked for in a run that exits with 0: programs print words such as "error" about
 * their input. A rejection of the input (`despite`) is no exception worth reporting, so
 * EXCEPTION takes none from such a run. */
static pare_signature recognize_any(pare_judge *judge, const pare_observation *seen)
{
    const bool asks = judge->any >= PARE_ANY_EXCEPTION && seen->code != 0;
    const pare_diagnostic *found = NULL;
    judge->seen.n = 0;
    pare_signature signature = pare_recognize(&judge->markers, seen, asks ? &judge->seen : NULL);
    const bool is_rejected = signature.despite != 0;
    const size_t size = strlen(signature.error);
    signature.despite = 0;
    if (!asks || is_crash(&signature) || seen->ended != PARE_ENDED_EXIT) return signature;
    if (!names_error(&judge->seen) && judge->any == PARE_ANY_EXIT)
        pare_diagnostic_guess(&judge->seen, seen);
    for (size_t k = 0; k < judge->seen.n; k++) {
        const pare_diagnostic *item = &judge->seen.item[k];
        if (judge->any == PARE_ANY_EXCEPTION && (!item->is_exception || is_rejected)) continue;
        const bool is_better =
            !found || item->is_exception > found->is_exception ||
            (item->is_exception == found->is_exception && item->severity > found->severity);
        if (is_better) found = item;
        /* Of chained exceptions the last one ended the program. */
        if (size && strncmp(item->text, signature.error, size) == 0) found = item;
        if (size && found == item) break;
    }
    if (found) (void)snprintf(signature.diagnostic, sizeof signature.diagnostic, "%s", found->text);
    return signature;
}

/* The program's run, where any failure counts.  A difference is looked for only where the program
 * does not fail by itself.
 *
 * A failure by itself needs no other command, so the trial goes on as if --differs had been
 * run; only --valid may follow. */
static pare_status judge_any(pare_judge *judge, pare_trial *trial, const pare_observation *seen,
                             pare_judgement *judgement, pare_error *err)
{
    bool holds = true, forbidden = false;
    pare_signature signature = recognize_any(judge, seen);
    const bool is_hang = seen->ended == PARE_ENDED_HANG;
    judgement->outcome = is_hang && !judge->keep->hang_ms ? PARE_UNRESOLVED : PARE_PASS;
    judgement->why = judge->why;
    const bool is_failure = judge->any == PARE_ANY_NAMED ||
                            pare_judge_has_failure(judge->any, &signature) ||
                            (is_hang && judge->keep->hang_ms);
    (void)miss(judge, seen, "that is no failure that is looked for");
    if (judgement->outcome == PARE_UNRESOLVED || !(is_failure || judge->keep->differs))
        return PARE_OK;
    const bool ends = ending_holds(judge, seen) || (is_hang && judge->any != PARE_ANY_NAMED);
    pare_status status = ends ? patterns_hold(judge, seen, &holds, &forbidden, err) : PARE_OK;
    if (status || !ends || !holds || forbidden) return status;
    trial->ended = seen->ended;
    trial->code = seen->code;
    trial->out_digest = seen->out_digest;
    trial->has_signature = true;
    const bool is_alone = is_failure && judge->any != PARE_ANY_NAMED;
    if (is_alone) trial->run = PARE_RUN_OTHER; /* which it does not need */
    advance(judge, trial, judgement);
    if (!judgement->more) trial->run = PARE_RUN_PROGRAM;
    return show(judge, &signature, judgement, err);
}

/* Judges the other command's run. The failure is that the two differ: in how they end, or in what
 * they print on standard output. An end by the time limit says nothing. */
static void judge_difference(pare_judge *judge, pare_trial *trial, const pare_observation *seen,
                             pare_judgement *judgement)
{
    judgement->why = judge->why;
    if (seen->ended == PARE_ENDED_HANG) {
        (void)snprintf(judge->why, sizeof judge->why, "the command of --differs does not end");
        judgement->outcome = PARE_UNRESOLVED;
    } else if (seen->ended == trial->ended && seen->code == trial->code &&
               pare_digest_equal(seen->out_digest, trial->out_digest)) {
        (void)snprintf(judge->why, sizeof judge->why,
                       "the program and the command of --differs exit and print the same");
        judgement->outcome = PARE_PASS;
    } else {
        advance(judge, trial, judgement);
    }
}

/* Judges the validator's run: an input that it refuses is no input, so the outcome is
 * UNRESOLVED. */
static void judge_valid(pare_judge *judge, const pare_observation *seen, pare_judgement *judgement)
{
    bool is_valid = seen->ended == PARE_ENDED_EXIT && seen->code == 0;
    judgement->outcome = is_valid ? PARE_FAIL : PARE_UNRESOLVED;
    judgement->why = judge->why;
    (void)snprintf(judge->why, sizeof judge->why, "the command of --valid does not exit with 0");
}

/* A FAIL needs no reason, so a sentence that was prepared on the way is dropped. */
pare_status pare_judge_decide(pare_judge *judge, pare_trial *trial, const pare_observation *seen,
                              pare_judgement *judgement, pare_error *err)
{
    *judgement = (pare_judgement){.outcome = PARE_UNRESOLVED};
    pare_status status = PARE_OK;
    switch (trial->run) {
    case PARE_RUN_OTHER: judge_difference(judge, trial, seen, judgement); break;
    case PARE_RUN_VALID: judge_valid(judge, seen, judgement); break;
    default:
        status = judge->any ? judge_any(judge, trial, seen, judgement, err)
                            : judge_program(judge, trial, seen, judgement, err);
        break;
    }
    if (judgement->outcome == PARE_FAIL) judgement->why = NULL;
    return status;
}

/* The diagnostics that were seen stay those of the run before, as this one is only compared
 * with it. */
pare_status pare_judge_compare(pare_judge *judge, pare_trial *trial, const pare_observation *seen,
                               pare_judgement *judgement, pare_error *err)
{
    const pare_diagnostics first = judge->seen;
    pare_status status = pare_judge_decide(judge, trial, seen, judgement, err);
    judge->seen = first;
    return status;
}
