/* The input is checked before anything is made of it: that it fails, and that less than any input,
 * the controls, does not fail as well.
 *
 * Controls are tested in the order of what they tell: most tests that say nothing fail for the
 * first. What is said of an input that is refused is half of what this program is worth to a
 * newcomer, so each reason that can be told has a sentence of its own, with the command that would
 * be right.
 * Cost: one test, and one for each control. */
#include "session/test/input_check.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pare/events.h>
#include <pare/input.h>
#include <pare/keep.h>
#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/switch.h>
#include <pare/test.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "os/file.h"
#include "run/rate.h"
#include "run/signature.h"
#include "session/read_input.h"
#include "session/test/command_fault.h"
#include "session/test/hang.h"
#include "session/test/missed_files.h"
#include "session/test/own_name.h"
#include "text/layout.h"
#include "text/text.h"

#include "base/alloc.h"
#include "engine/engine.h"
#include "os/clock.h"
#include "os/stop.h"
#include "run/command.h"
#include "run/oracle.h"
#include "session/session.h"
#include "session/test/session_oracle.h"
#include "text/candidate.h"

static const double MORE_TIME = 5; /* than a test had that did not end */
enum {
    SCRIPT_BYTES = 256 * 1024, /* of a test script that is looked at */
    QUOTED_BYTES = 200         /* of a line that was printed; it is quoted whole or not at all */
};

/* An input did not do what it should: sets result->check_* and fails with `sentence`. */
static pare_status refuse_input(pare_session *session, const pare_verdict *verdict,
                                const char *sentence, pare_result *result, pare_error *err)
{
    /* Whatever the journal holds is not about a failing input. */
    pare_session_discard_journal(session);
    result->check_exit_code = verdict->exit_code;
    result->check_signal = verdict->signal;
    result->check_timed_out = verdict->timed_out;
    result->check_judged = session->oracle.judge != NULL;
    result->check_worker = session->options->test.worker != NULL;
    pare_status status = pare_session_oracle_describe(&session->oracle, &result->check_command,
                                                      &result->check_output, err);
    if (status) return status;
    if (verdict->why)
        return pare_fail(err, PARE_E_STATE, "the input does not fail: %s", verdict->why);
    /* The exit code, the output and the command are in *result, for the front end to show below
     * it. */
    return pare_fail(err, PARE_E_STATE, "%s", sentence);
}

/* Tells once which tests could not be isolated. Only the first test finds that out. */
static void tell_unprotected(pare_session *session)
{
    const char *sentence = pare_session_oracle_notice(&session->oracle);
    if (sentence)
        pare_event_emit(
            session, (pare_event){.kind = PARE_EVENT_NOTICE,
                                  .notice = sentence,
                                  .is_warning = pare_session_oracle_is_degraded(&session->oracle)});
}

/* The output of this run is captured: if the input does not fail, it is what tells why. While it
 * runs the session may say that it takes long. */
pare_status pare_input_check_try(pare_session *session, const pare_text *input,
                                 pare_verdict *verdict, pare_error *err)
{
    *verdict = (pare_verdict){.exit_code = -1};
    pare_session_oracle_capture(&session->oracle);
    session->waiting_ms = pare_clock_ms();
    pare_session_oracle_be_patient(&session->oracle, true);
    pare_status status = pare_engine_check(session->engine, input, verdict, err);
    pare_session_oracle_be_patient(&session->oracle, false);
    session->waiting_ms = 0;
    tell_unprotected(session);
    return status;
}

/* How most sentences about an input begin. */
static const char NOT_FAILING[] = "the input does not fail";

/* The sentence about a test that means a file beside the user, which it does not find; empty:
 * it does not seem to. */
static pare_status explain_private(const pare_session *session, pare_buffer *sentence,
                                   pare_error *err)
{
    pare_buffer word = {0}, path = {0};
    const pare_reduce_options *options = session->options;
    const pare_command *command = session->oracle.command;
    const char *name = pare_read_input_base_name(&options->input);
    const pare_names one = {.items = &name, .n = 1};
    /* Programs are looked at when their signature is learnt (command_fault.h), and workers are
     * not run in the candidate's directory. */
    if (!command || session->oracle.judge || command->is_worker) return PARE_OK;
    pare_status status = pare_command_fault_find_path(command, one, &word, &path, err);
    if (!status && word.size)
        status = pare_buffer_format(
            sentence, err,
            "%s: tests run in a private directory that holds only the candidate, so '%s' in the "
            "test is not found there: write its full path, '%s'",
            NOT_FAILING, word.data, path.data);
    pare_buffer_done(&word);
    pare_buffer_done(&path);
    return status;
}

/* In a command line with one of these more may be meant than words. */
#define SHELL_SYNTAX "|&;<>()$`\"'\\*?[~"

/* The name of the input, if TEST is a plain command line and not a shell's, in which "@@" and "$1" mean
 * something; else NULL. */
static const char *plain_command_of(const pare_session *session)
{
    const char *command = session->options->test.command;
    if (!command || session->oracle.judge || session->options->test.worker) return NULL;
    return strpbrk(command, SHELL_SYNTAX) ? NULL : session->options->input.path;
}

/* Appends the command line in which what is in TEST stands behind "--", as the program that fails. */
static pare_status write_program(const char *input, const char *line, pare_buffer *text,
                                 pare_error *err)
{
    pare_status status = pare_buffer_text(text, "pare reduce ", err);
    if (!status) status = pare_command_quote(text, input, strlen(input), err);
    if (!status) status = pare_buffer_text(text, " -- ", err);
    if (status) return status;
    /* With shell syntax in it, the whole line is one word. */
    return strpbrk(line, SHELL_SYNTAX) ? pare_command_quote(text, line, strlen(line), err)
                                       : pare_buffer_text(text, line, err);
}

/* Whether "@@" is a word of the command, in quotes or behind "<"; in a longer text it may be looked for. */
static bool has_mark(const char *command)
{
    for (const char *mark = command; (mark = strstr(mark, "@@")) != NULL; mark += 2) {
        const char before = mark > command ? mark[-1] : '\0', behind = mark[2];
        if ((before == '"' || before == '\'') && behind == before) return true;
        if ((before == ' ' || before == '<') && (!behind || strchr(" ;|&>", behind))) return true;
    }
    return false;
}

/* The sentence about a TEST with a mark, which is replaced after "--" alone: it is the command line of the
 * program that fails, or a shell's line, where the candidate has another name; empty: it has none. */
static pare_status explain_mark(const pare_session *session, pare_buffer *sentence, pare_error *err)
{
    const char *path = session->options->input.path;
    const char *command = session->options->test.command;
    pare_buffer right = {0};
    if (!command || !path || session->oracle.judge || session->options->test.worker) return PARE_OK;
    if (!has_mark(command)) return PARE_OK;
    const bool is_check = pare_command_fault_is_check(command);
    pare_status status =
        pare_buffer_text(sentence, "the input does not fail: '@@' has no meaning in TEST; ", err);
    if (!status)
        status = pare_buffer_text(sentence,
                                  is_check ? "the candidate's path is \"$1\" there: pare reduce "
                                           : "to keep how this program fails, write ",
                                  err);
    if (!status && is_check) status = pare_command_fill_marks(command, "$1", &right, err);
    if (!status && is_check) status = pare_command_quote(sentence, right.data, right.size, err);
    if (!status && is_check) status = pare_buffer_text(sentence, " ", err);
    if (!status)
        status = is_check ? pare_command_quote(sentence, path, strlen(path), err)
                          : write_program(path, command, sentence, err);
    pare_buffer_done(&right);
    return status;
}

/* Whether TEST runs a script of the user's, which is a test most often; programs in PATH may be scripts. */
static bool runs_script(const pare_session *session)
{
    const pare_command *command = session->oracle.command;
    const char *text = session->options->test.command;
    char first[2];
    const bool is_installed = !memchr(text, '/', strcspn(text, " "));
    for (size_t k = is_installed ? 2 : 1; command && k < command->n_words; k++) {
        FILE *file = *command->words[k] == '/' ? fopen(command->words[k], "rbe") : NULL;
        const bool begins = file && fread(first, 1, sizeof first, file) == sizeof first &&
                            memcmp(first, "#!", sizeof first) == 0;
        if (file) (void)fclose(file);
        if (begins) return true;
    }
    return false;
}

/* The sentence about a TEST that is the program that fails, without a mark: it was ended by a signal, or
 * ended with another code than 0 and said why, as no test does that only compares; empty: it did not. */
static pare_status explain_program(const pare_session *session, const pare_verdict *verdict,
                                   pare_buffer *sentence, pare_error *err)
{
    const char *path = plain_command_of(session);
    const char *command = session->options->test.command;
    const char *printed = path ? pare_session_oracle_captured(&session->oracle) : NULL;
    const bool says = printed && printed[strspn(printed, " \t\r\n")] && verdict->exit_code > 0 &&
                      verdict->exit_code < 126;
    if (!path || (!says && !verdict->signal) || runs_script(session)) return PARE_OK;
    pare_status status =
        pare_buffer_text(sentence,
                         "the input does not fail: TEST has to exit with 0 while the failure is "
                         "there; to keep how this program fails, write pare reduce ",
                         err);
    if (!status) status = pare_command_quote(sentence, path, strlen(path), err);
    if (!status) status = pare_buffer_format(sentence, err, " -- %s", command);
    /* The input's own name is the candidate's. */
    const char *name = pare_read_input_base_name(&session->options->input);
    const char *own = strstr(command, name);
    const bool is_named =
        own && own > command && own[-1] == ' ' && (!own[strlen(name)] || own[strlen(name)] == ' ');
    return status || is_named ? status : pare_buffer_text(sentence, " @@", err);
}

/* Appends `line` with "@@" in the place of "$1", in quotes or without. */
static pare_status add_marked(const char *line, pare_buffer *text, pare_error *err)
{
    static const char *const names[] = {"\"$1\"", "\"${1}\"", "$1", "${1}"};
    pare_status status = PARE_OK;
    while (*line && !status) {
        size_t size = 0;
        for (size_t k = 0; k < sizeof names / sizeof *names && !size; k++)
            if (strncmp(line, names[k], strlen(names[k])) == 0) size = strlen(names[k]);
        status = size ? pare_buffer_text(text, "@@", err) : pare_buffer_add(text, line, 1, err);
        line += size ? size : 1;
    }
    return status;
}

/* Appends TEST as the program behind "--": the candidate is the last word of a plain command, and the mark
 * in the place of "$1" in a shell's line. */
static pare_status add_inverted(const pare_session *session, pare_buffer *text, pare_error *err)
{
    const char *command = session->options->test.command;
    pare_buffer line = {0};
    if (plain_command_of(session)) return pare_buffer_format(text, err, "%s @@", command);
    pare_status status = add_marked(command, &line, err);
    if (!status) status = pare_command_quote(text, line.data, line.size, err);
    pare_buffer_done(&line);
    return status;
}

/* The sentence about a shell's line that compares nothing and ended as shells tell of a signal: what crashed is
 * the program; empty: it did not. */
static pare_status explain_crash(const pare_session *session, const pare_verdict *verdict,
                                 pare_buffer *sentence, pare_error *err)
{
    enum { SIGNAL_CODE = 128, MOST_SIGNAL = 31 };
    const char *path = session->options->input.path;
    const char *command = session->options->test.command;
    const pare_command *run = session->oracle.command;
    pare_buffer line = {0};
    if (!command || !path || session->oracle.judge || !run || !run->is_shell || run->is_worker)
        return PARE_OK;
    if (verdict->exit_code <= SIGNAL_CODE || verdict->exit_code > SIGNAL_CODE + MOST_SIGNAL ||
        pare_command_fault_is_check(command))
        return PARE_OK;
    pare_status status = add_marked(command, &line, err);
    if (!status)
        status = pare_buffer_text(sentence,
                                  "the input does not fail: TEST has to exit with 0 while the "
                                  "failure is there; to keep this crash, write ",
                                  err);
    if (!status) status = write_program(path, line.data, sentence, err);
    pare_buffer_done(&line);
    return status;
}

/* Reads the script that TEST runs, if it is the user's; returns its whole path, or NULL. A program
 * found in PATH is not the user's, and a file with a NUL byte is no script. */
static const char *read_script(const pare_session *session, pare_buffer *text)
{
    const pare_command *command = session->oracle.command;
    const char *line = session->options->test.command;
    if (!command || !line || session->oracle.judge || command->is_worker) return NULL;
    const bool is_installed = !memchr(line, '/', strcspn(line, " "));
    for (size_t k = is_installed ? 2 : 1; k < command->n_words; k++) {
        const char *word = command->words[k];
        if (*word != '/' || !pare_file_is_regular(word)) continue;
        if (pare_file_read(word, text, NULL) || !text->size || text->size > SCRIPT_BYTES) continue;
        if (!memchr(text->data, '\0', text->size)) return word;
    }
    return NULL;
}

/* The last line that the test printed which has `phrase` in it, in small letters or not; its size is 0: none. */
static size_t find_line(const char *printed, const char *phrase, const char **line)
{
    size_t found = 0;
    for (const char *at = printed; *at;) {
        const size_t size = strcspn(at, "\n");
        const char *hit = strcasestr(at, phrase);
        if (hit && hit < at + size) found = size, *line = at;
        at += size + (at[size] == '\n');
    }
    return found;
}

/* The sentence about a test script that could not be executed as it is written: its lines end as on Windows, or
 * it has a syntax error; empty: neither. */
static pare_status explain_script(const pare_session *session, const pare_verdict *verdict,
                                  pare_buffer *sentence, pare_error *err)
{
    const char *line = NULL, *printed = pare_session_oracle_captured(&session->oracle);
    pare_buffer text = {0};
    const char *script = printed ? read_script(session, &text) : NULL;
    const size_t first = script ? strcspn(text.data, "\n") : 0;
    const bool is_windows = first && text.data[first] && text.data[first - 1] == '\r';
    pare_buffer_done(&text);
    if (!script) return PARE_OK;
    if (is_windows)
        return pare_buffer_format(
            sentence, err,
            "the input does not fail: the lines of the test end with carriage "
            "returns, as on Windows; remove them: sed -i 's/\\r$//' %s",
            script);
    size_t size = verdict->exit_code == 2 ? find_line(printed, "syntax error", &line) : 0;
    /* A program under test may speak of syntax errors, too. */
    if (size && size <= QUOTED_BYTES && strncmp(line, script, strlen(script)) == 0)
        return pare_buffer_format(sentence, err,
                                  "the input does not fail: the test has a syntax error: %.*s",
                                  (int)size, line);
    return PARE_OK;
}

/* The sentence about a test script that calls what cannot be run, by the shell's own line; empty: it does not.
 * What lies beside the user and is only out of reach has a better sentence (explain_private). */
static pare_status explain_missing_command(const pare_session *session, const pare_verdict *verdict,
                                           pare_buffer *sentence, pare_error *err)
{
    const char *printed = pare_session_oracle_captured(&session->oracle);
    pare_buffer text = {0};
    const char *script = printed ? read_script(session, &text) : NULL;
    pare_buffer_done(&text);
    if (!script || (verdict->exit_code != 126 && verdict->exit_code != 127)) return PARE_OK;
    const size_t size = strcspn(printed, "\n");
    if (!size || size > QUOTED_BYTES) return PARE_OK;
    return pare_buffer_format(sentence, err,
                              "the input does not fail: the test could not run a command (exit "
                              "code %d): %.*s",
                              verdict->exit_code, (int)size, printed);
}

/* The sentence about a test that is the wrong way round: exit code 0 says that the failure is there, and it
 * exits so for an empty input, but not for INPUT; empty: it is not.  Costs a run of the test. */
static pare_status explain_inverted(pare_session *session, const pare_verdict *verdict,
                                    pare_buffer *sentence, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    const pare_layout *layout = session->layout;
    const char *path = options->input.path, *command = options->test.command;
    pare_text *text = NULL;
    pare_rate rate = {.runs = 0};
    uint64_t timed_out = 0;
    pare_buffer right = {0};
    if (!path || !command || session->oracle.judge || options->test.worker) return PARE_OK;
    if (verdict->exit_code != 1 || (layout && !layout->is_file)) return PARE_OK;
    pare_status status = pare_text_copy("", 0, &text, err);
    if (!status) status = pare_session_measure(session, text, 1, &rate, &timed_out, err);
    pare_text_unref(text);
    if (status || !rate.fails) return status;
    status = pare_buffer_text(&right, "pare reduce ", err);
    if (!status) status = pare_command_quote(&right, path, strlen(path), err);
    if (!status) status = pare_buffer_text(&right, " --exit 1 -- ", err);
    if (!status) status = add_inverted(session, &right, err);
    if (!status)
        status = pare_buffer_format(
            sentence, err,
            "the input does not fail: the test exits with 1 for it, and with 0 for an empty input: "
            "if it is the wrong way round (0 has to mean that the failure is there), write %s",
            right.data);
    pare_buffer_done(&right);
    return status;
}

/* The reasons in the order of how sure they are: a time-out is a fact, a command without the
 * candidate nearly one, a relative path a guess. */
pare_status pare_input_check_refuse(pare_session *session, const pare_verdict *verdict,
                                    pare_result *result, pare_error *err)
{
    pare_buffer private = {0};
    const char *why = "the input does not fail: the test says that the failure is not there";
    char endless[256];
    if (verdict->timed_out) {
        const double limit_s = (double)pare_session_oracle_patient_ms(&session->oracle) / 1000;
        (void)snprintf(endless, sizeof endless,
                       "the test did not end within %.3g s on the input itself: give it more time, "
                       "as in --timeout %.0f, or write pare reduce %.60s --hang 10 -- PROGRAM if "
                       "that is the failure",
                       limit_s, MORE_TIME * limit_s,
                       pare_read_input_base_name(&session->options->input));
        why = endless;
    } else if (explain_mark(session, &private, NULL) == PARE_OK && private.size) {
        why = private.data;
    } else if (!pare_session_oracle_sees_candidate(&session->oracle)) {
        why = "the input does not fail: the command has shell syntax, so the candidate's path "
              "is \"$1\", which it does not use";
    } else if (explain_script(session, verdict, &private, NULL) == PARE_OK && private.size) {
        why = private.data;
    } else if (explain_private(session, &private, NULL) == PARE_OK && private.size) {
        why = private.data;
    } else if (explain_missing_command(session, verdict, &private, NULL) == PARE_OK &&
               private.size) {
        why = private.data;
    } else if (explain_program(session, verdict, &private, NULL) == PARE_OK && private.size) {
        why = private.data;
    } else if (explain_crash(session, verdict, &private, NULL) == PARE_OK && private.size) {
        why = private.data;
    } else if (explain_inverted(session, verdict, &private, NULL) == PARE_OK && private.size) {
        why = private.data;
    }
    /* The front end then leaves out its advice to run the test by hand: by hand it works, or
     * it is no test at all. */
    result->check_private = why == private.data;
    pare_status status = refuse_input(session, verdict, why, result, err);
    pare_buffer_done(&private);
    return status;
}

/* For callers that have nothing to do between the test and the refusal; pare_reduce has
 * (flaky.h). */
pare_status pare_input_check_failing(pare_session *session, const pare_text *input,
                                     pare_result *result, pare_error *err)
{
    pare_verdict verdict;
    pare_status status = pare_input_check_try(session, input, &verdict, err);
    if (status || verdict.outcome == PARE_FAIL) return status;
    return pare_input_check_refuse(session, &verdict, result, err);
}

/* UNRESOLVED is refused, too: an isolation needs one side of which the test is sure. */
static const char *why_not_passing(const pare_verdict *verdict)
{
    if (verdict->outcome == PARE_FAIL)
        return "the passing input does not pass: the test says that the failure is there too";
    if (verdict->timed_out) return "the test did not end on the passing input";
    return "the passing input does not pass: the test cannot tell (UNRESOLVED)";
}

/* A probe with the outcome PASS: it is not counted as a candidate and never becomes the best. */
pare_status pare_input_check_passing(pare_session *session, const pare_text *input,
                                     pare_result *result, pare_error *err)
{
    pare_verdict verdict = {.exit_code = -1};
    pare_session_oracle_capture(&session->oracle);
    pare_status status = pare_engine_probe(session->engine, input, PARE_PASS, &verdict, err);
    if (status || verdict.outcome == PARE_PASS) return status;
    return refuse_input(session, &verdict, why_not_passing(&verdict), result, err);
}

/* ---- controls --------------------------------------------------------------------- */

enum {
    FIRST_BYTES = 4,        /* at most; few, so that a format's mark seldom is all of it */
    LEAST_INPUT_BYTES = 64, /* of less, the first bytes may well be what matters */
    SLOW_AGAIN = 2          /* runs more of a control that is slow, where a hang is kept */
};

/* A text that is tested instead of the input, and that should not fail. */
struct control {
    const char *bytes;
    size_t size;
    const char *what; /* as a part of a sentence */
};

/* A run that goes on was checked by the one before. A predicate says of itself what it means,
 * unless its user asks for the check. Choices of a generator and words of a command have no
 * empty input that would be tested alike. */
static bool is_wanted(const pare_session *session)
{
    const pare_reduce_options *options = session->options;
    const pare_layout *layout = session->layout;
    if (session->is_resumed) return false;
    /* With a hang they are still needed, to know how long ordinary runs take. */
    if (options->test.allow_empty == PARE_ON && !pare_hang_limit_ms(session)) return false;
    if (options->test.predicate && options->test.allow_empty == PARE_DEFAULT) return false;
    return !options->input.generator && !(layout && (layout->n_arguments || layout->n_variables));
}

/* Lists the controls of `input`; gives how many. */
static size_t list(const pare_session *session, const pare_text *input,
                   struct control controls[PARE_INPUT_CHECK_CONTROLS])
{
    const char *bytes = (const char *)pare_text_bytes(input);
    const size_t size = pare_text_size(input);
    size_t n = 0;
    /* A folder has no first bytes, and no line end that would make a control. */
    const bool folder = session->layout && !session->layout->is_file;
    controls[n++] = (struct control){"", 0, folder ? "an empty folder" : "an empty input"};
    if (folder) return n;
    if (size > 1 || *bytes != '\n') controls[n++] = (struct control){"\n", 1, "a single line end"};
    if (size >= LEAST_INPUT_BYTES)
        controls[n++] = (struct control){bytes, FIRST_BYTES, "the first four bytes of it"};
    return n;
}

/* Where a hang is kept, each control gets more time than the limit, and its duration is measured.
 * One that seems slow is run a few times more, since something else may have held it up. */
static pare_status time_control(pare_session *session, const pare_text *text, bool *fails,
                                double *ms, pare_error *err)
{
    const uint64_t limit_ms = pare_hang_limit_ms(session);
    double fastest_ms = INFINITY;
    pare_status status = PARE_OK;
    *fails = false;
    for (unsigned k = 0; k <= SLOW_AGAIN && !status && !*fails; k++) {
        status = pare_hang_time(session, text, PARE_HANG_CONFIRM * limit_ms, ms, fails, err);
        fastest_ms = fmin(fastest_ms, *ms);
        /* Fast enough once is fast enough: the other runs were held up by something else. */
        if (fastest_ms * PARE_HANG_FACTOR <= (double)limit_ms) break;
    }
    *ms = fastest_ms;
    return status;
}

/* Tests one control; *fails says what came of it. */
static pare_status try_control(pare_session *session, const struct control *control, bool *fails,
                               double *slowest_ms, pare_error *err)
{
    double ms = 0;
    pare_text *text = NULL;
    pare_rate rate = {.runs = 0};
    uint64_t timed_out = 0;
    pare_status status = pare_text_copy(control->bytes, control->size, &text, err);
    if (!status && pare_hang_limit_ms(session))
        status = time_control(session, text, fails, &ms, err);
    else if (!status)
        status = pare_session_measure(session, text, 1, &rate, &timed_out, err);
    pare_text_unref(text);
    status = pare_session_go_on(session, status);
    if (status) return status;
    if (!pare_hang_limit_ms(session)) *fails = rate.fails > 0;
    /* A control that hangs took the limit, which says nothing about ordinary runs. */
    if (!*fails) *slowest_ms = fmax(*slowest_ms, ms);
    return status;
}

/* ---- why -------------------------------------------------------------------------- */

/* Whether what is kept is a crash: a signal, an assertion, a sanitizer's report. */
static bool keeps_crash(const pare_session *session)
{
    const pare_keep *keep = &session->options->keep;
    pare_signature kept = {.ended = PARE_ENDED_ANYHOW};
    const char *text = session->oracle.signature.data;
    if (keep->signal) return true;
    if (!session->oracle.signature.size || pare_signature_parse(text, &kept, NULL)) return false;
    if (*kept.diagnostic) return false;
    /* A sanitizer that lets the program go on may complain at every start, before the input is
     * read: what the input adds to that is the failure. */
    if (kept.ended == PARE_ENDED_EXIT && kept.code == 0) return false;
    return kept.ended == PARE_ENDED_SIGNAL || *kept.message || *kept.error;
}

/* Whether the test itself names the path of the input, instead of the candidate's. */
static bool names_input(const pare_reduce_options *options)
{
    char whole[PATH_MAX];
    pare_buffer script = {0};
    if (!options->input.path || !options->test.command || !realpath(options->input.path, whole))
        return false;
    if (strstr(options->test.command, whole)) return true;
    /* The test may be a script: then its text is looked at. */
    bool readable = pare_file_is_regular(options->test.command) &&
                    !pare_file_read(options->test.command, &script, NULL);
    bool found = readable && script.size && script.size < SCRIPT_BYTES &&
                 memmem(script.data, script.size, whole, strlen(whole));
    pare_buffer_done(&script);
    return found;
}

/* Whether no word of the program stands for the candidate's path, nor for its name, by which it
 * could be found in the directory where tests run. */
static bool is_unread(const pare_reduce_options *options)
{
    const char *name = pare_read_input_base_name(&options->input);
    for (size_t k = 0; k < options->test.n_program; k++)
        if (strstr(options->test.program[k], "@@") || strcmp(options->test.program[k], name) == 0)
            return false;
    return options->test.n_program > 0;
}

/* Whether the program is "sh -c LINE", for which the next word is $0, and the one behind it $1. */
static bool is_shell_line(const pare_reduce_options *options)
{
    const pare_test_options *test = &options->test;
    const char *shell = test->n_program == 3 ? pare_file_base_name(*test->program) : "";
    const size_t size = strlen(shell);
    return size >= 2 && strcmp(shell + size - 2, "sh") == 0 && strcmp(test->program[1], "-c") == 0;
}

/* Whether the candidate's path is the last word of the program. */
static bool ends_with_mark(const pare_reduce_options *options)
{
    const size_t n = options->test.n_program;
    return n > 1 && strcmp(options->test.program[n - 1], "@@") == 0;
}

/* Where in `word` a name begins that stands for the input, as in "{}" or "--file={}"; NULL: nowhere.  A name
 * counts if it is a mark of find, xargs, printf or a shell, or if the program did not find a file of this
 * name and there is none. */
static const char *find_other_mark(const char *word, const char *printed)
{
    static const char *const marks[] = {"{}", "%s", "%", "@", "$1", "$@", "<file>"};
    const char *equals = *word == '-' ? strchr(word, '=') : NULL;
    const char *name = equals ? equals + 1 : word;
    if (!*name || *name == '-') return NULL;
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (strcmp(name, marks[k]) == 0) return name;
    /* A short word may stand in any sentence. */
    const bool is_name = strlen(name) > 2 && !strchr(name, ' ') && !pare_file_exists(name);
    return is_name && pare_missed_files_include(printed, name) ? name : NULL;
}

/* If the program is given not the candidate but such a word, appends the command line with "@@" in
 * its place. Only the first such word is replaced; what stands before the mark in the word
 * stays. */
static pare_status write_marked(const pare_input_options *input, const pare_test_options *test,
                                const char *printed, pare_buffer *line, pare_error *err)
{
    pare_buffer marked = {0};
    const char **words = NULL;
    size_t at = 1;
    const char *name = NULL;
    while (at < test->n_program && !(name = find_other_mark(test->program[at], printed)))
        at++;
    if (!name) return PARE_OK;
    pare_status status = PARE_OK;
    words = pare_alloc(test->n_program, sizeof *words);
    if (!words) return pare_fail_nomem(err);
    status = pare_buffer_format(&marked, err, "%.*s@@", (int)(name - test->program[at]),
                                test->program[at]);
    for (size_t k = 0; k < test->n_program && !status; k++)
        words[k] = k == at ? marked.data : test->program[k];
    const pare_test_options right = {.program = words, .n_program = test->n_program};
    if (!status) status = pare_command_fault_line(input, &right, "", "", line, err);
    pare_alloc_free(words);
    pare_buffer_done(&marked);
    return status;
}

/* Refuses a program that wants the input's name, and complains about the path of whatever it is given. */
static pare_status refuse_path(const pare_session *session, const pare_text *input,
                               const char *what, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    pare_buffer line = {0};
    if (is_unread(options)) return PARE_OK;
    const pare_own_name_task task = {.input = &options->input,
                                     .test = &options->test,
                                     .text = input,
                                     .printed = pare_session_oracle_captured(&session->oracle),
                                     .stop = options->events.stop};
    pare_status status = pare_own_name_find(&task, &line, err);
    if (!status && line.size)
        status =
            pare_fail(err, PARE_E_STATE,
                      "the program does the same for %s, because of the path that it is given: "
                      "give it the file's name alone, as in %s",
                      what, line.data);
    pare_buffer_done(&line);
    return status;
}

/* Refuses a program: with the command line that is right, or may be. */
static pare_status refuse_program(const pare_session *session, const char *what, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    const bool unread = is_unread(options);
    /* Without the input's own names the message is that of many inputs; with them it may not be. */
    const bool is_masked = session->oracle.is_learnt &&
                           strchr(session->oracle.signature.data, '*') &&
                           options->keep.level != PARE_KEEP_EXACT;
    const char *printed = pare_session_oracle_captured(&session->oracle);
    pare_buffer line = {0};
    pare_status status =
        unread ? write_marked(&options->input, &options->test, printed ? printed : "", &line, err)
               : PARE_OK;
    if (!status && line.size) {
        status = pare_fail(err, PARE_E_STATE,
                           "the program does the same for %s, because it is not given the "
                           "candidate: write @@ where its path belongs: %s",
                           what, line.data);
        pare_buffer_done(&line);
        return status;
    }
    if (!status)
        status =
            unread ? pare_command_fault_line(&options->input, &options->test, "",
                                             is_shell_line(options) ? " sh @@" : " @@", &line, err)
                   : pare_command_fault_line(&options->input, &options->test,
                                             is_masked ? " --keep exact" : " --any-output REGEX",
                                             "", &line, err);
    /* Without a mark the program may wait for an argument, and say the same each time. */
    if (status)
        ;
    else if (unread)
        status = pare_fail(err, PARE_E_STATE,
                           "the program does the same for %s: without @@ a candidate is its "
                           "standard input, so if it reads a file, write %s",
                           what, line.data);
    else if (session->oracle.is_learnt)
        status = pare_fail(
            err, PARE_E_STATE,
            "the program does the same (%s) for %s, which says nothing about the input: "
            "%s, as in %s, or give --allow-empty%s",
            session->oracle.signature.data, what,
            is_masked ? "keep the names in it as they are" : "name what it prints", line.data,
            ends_with_mark(options) ? "; if it reads standard input, leave @@ out" : "");
    else
        status =
            pare_fail(err, PARE_E_STATE,
                      "what is kept is also there for %s, which says nothing about the input: name "
                      "more of the failure, such as --any-output REGEX, or give --allow-empty",
                      what);
    pare_buffer_done(&line);
    return status;
}

/* A program that is given the path of the input itself, instead of a mark, never looks at a candidate: that
 * it crashes for an empty one tells nothing either. */
static pare_status refuse_own_path(const pare_session *session, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    pare_buffer line = {0};
    pare_status status = pare_command_fault_own_path(&options->input, &options->test, &line, err);
    if (!status && line.size)
        status = pare_fail(err, PARE_E_STATE,
                           "the program is given the path of '%s' itself, so it never looks at a "
                           "candidate: write @@ instead: %s",
                           pare_read_input_base_name(&options->input), line.data);
    pare_buffer_done(&line);
    return status;
}

/* An operator of a shell that is given to the program as a word makes it fail on any input. */
static pare_status refuse_unquoted(const pare_session *session, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    pare_buffer line = {0};
    pare_status status = pare_command_fault_unquoted(&options->input, &options->test, &line, err);
    if (!status && line.size)
        status = pare_fail(err, PARE_E_STATE,
                           "the program is given words that only a shell understands: write the "
                           "command line as one word: %s",
                           line.data);
    pare_buffer_done(&line);
    return status;
}

/* Appends the command line that runs TEST as PROGRAM, if TEST is a compiled program of the user's and no
 * script; else nothing.  A program that fails seldom exits with 0, but one that is given a path and reads
 * standard input does. */
static pare_status write_own_program(const pare_session *session, pare_buffer *line,
                                     pare_error *err)
{
    const char *input = plain_command_of(session);
    const char *command = session->options->test.command;
    if (!input || !strchr(command, '/') || strchr(command, ' ') || runs_script(session))
        return PARE_OK;
    pare_status status = write_program(input, command, line, err);
    return status ? status : pare_buffer_text(line, " @@", err);
}

/* Refuses a test whose controls fail, and says what is wrong with it; most often it never looks at
 * the candidate. */
static pare_status refuse_controls(const pare_session *session, const pare_text *input,
                                   const char *what, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    const char *name = pare_read_input_base_name(&options->input);
    /* For a program the advice is about what is kept of it, since it is no test. */
    if (options->test.program) {
        const pare_status status = refuse_path(session, input, what, err);
        return status ? status : refuse_program(session, what, err);
    }
    /* The most frequent mistake of all: the script was tried by hand on the input, and never
     * changed. */
    if (names_input(options))
        return pare_fail(err, PARE_E_STATE,
                         "the test names the path of '%s' itself, so it never looks at a "
                         "candidate: write \"$1\" instead",
                         name);
    pare_buffer program = {0};
    /* A command that is not found exits as one that fails does. */
    pare_status status = explain_private(session, &program, err);
    if (!status && program.size)
        status =
            pare_fail(err, PARE_E_STATE, "the test also says that the failure is there for %s%s",
                      what, program.data + strlen(NOT_FAILING));
    if (!status) status = write_own_program(session, &program, err);
    if (!status)
        status = pare_fail(
            err, PARE_E_STATE,
            "the test also says that the failure is there for %s, so it says nothing about '%s': "
            "make it exit with 0 only if this very failure is there, or give --allow-empty%s%s",
            what, name, program.size ? "; if TEST is the program that fails, write " : "",
            program.size ? program.data : "");
    pare_buffer_done(&program);
    return status;
}

/* A crash that happens on any input is reported, and kept all the same. */
static void tell_crash(pare_session *session, const char *what)
{
    char sentence[128];
    (void)snprintf(sentence, sizeof sentence, "the program fails so for %s, too", what);
    pare_event_notice(session, sentence);
}

/* One control that fails is enough to refuse the test. With --allow-empty all are run, but only for
 * the time they take. */
pare_status pare_input_check_controls(pare_session *session, const pare_text *input,
                                      pare_error *err)
{
    struct control controls[PARE_INPUT_CHECK_CONTROLS];
    if (!is_wanted(session)) return PARE_OK;
    const size_t n = list(session, input, controls);
    assert(n > 0 && n <= PARE_INPUT_CHECK_CONTROLS);
    double slowest_ms = 0;
    for (size_t k = 0; k < n; k++) {
        bool fails = false;
        pare_status status = try_control(session, &controls[k], &fails, &slowest_ms, err);
        if (status) return status;
        if (!fails || session->options->test.allow_empty == PARE_ON) continue;
        status = refuse_own_path(session, err);
        if (!status) status = refuse_unquoted(session, err);
        if (!status)
            status =
                pare_command_fault_tool(&session->options->input, &session->options->test, err);
        if (!status)
            status =
                pare_command_fault_ungiven(&session->options->input, &session->options->test, err);
        if (status) return status;
        /* A program that crashes without any input will be found out by reducing to nothing, and
         * that is a result. A test that always says yes is a mistake. */
        if (!keeps_crash(session)) return refuse_controls(session, input, controls[k].what, err);
        tell_crash(session, controls[k].what);
        break;
    }
    return pare_hang_limit_ms(session) ? pare_hang_check_limit(session, slowest_ms, err) : PARE_OK;
}

/* The output of a run that does not fail, or was stopped, is not that of the failure. How the
 * session has ended is left as it is. */
pare_status pare_input_check_printed(pare_session *session, char **out, pare_error *err)
{
    pare_rate rate = {0};
    uint64_t timed_out = 0;
    pare_text *best = NULL;
    const pare_engine_end end = session->end;
    if (session->options->output.keep_printed != PARE_ON || !session->oracle.command ||
        end == PARE_END_INTERRUPTED || pare_stop_requested(session->options->events.stop))
        return PARE_OK;
    pare_status status = pare_candidate_text(pare_engine_best(session->engine), &best, err);
    if (status) return status;
    pare_session_oracle_capture(&session->oracle);
    status = pare_run_error(pare_session_measure(session, best, 1, &rate, &timed_out, err));
    session->end = end;
    const char *printed = pare_session_oracle_captured(&session->oracle);
    if (!status && rate.fails && printed && *printed) {
        *out = pare_alloc_text(printed, strlen(printed));
        if (!*out) status = pare_fail_nomem(err);
    }
    pare_text_unref(best);
    return status;
}
