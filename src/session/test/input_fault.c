/* Each reason that can be told has a sentence of its own, with the command that would be right: what is said of an
 * input that is refused is half of what this program is worth to a newcomer.
 * Invariant: a sentence is only written where all it says was seen: in the command, in the script, in what was
 * printed. */
#include "session/test/input_fault.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pare/reduce.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "os/file.h"
#include "run/command.h"
#include "run/oracle.h"
#include "run/rate.h"
#include "session/read_input.h"
#include "session/session.h"
#include "session/test/command_fault.h"
#include "session/test/message_locale.h"
#include "session/test/script_path.h"
#include "session/test/session_oracle.h"
#include "text/layout.h"
#include "text/text.h"

static const double MORE_TIME = 5; /* than a test had that did not end */
enum { QUOTED_BYTES = 200 /* of a line that was printed; it is quoted whole or not at all */ };

/* How most sentences about an input begin. */
static const char NOT_FAILING[] = "the input does not fail";

/* A worker and a program have other advice: a worker does not run in the candidate's
 * directory, and what a program misses is looked for when its signature is learnt. */
pare_status pare_input_fault_private(const pare_session *session, pare_buffer *reason,
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
    pare_status status = pare_script_path_find(command, one, &word, &path, err);
    if (!status && word.size)
        status = pare_buffer_format(
            reason, err,
            "tests run in a private directory that holds only the candidate, so '%s' in the "
            "test is not found there: write its full path, '%s'",
            word.data, path.data);
    pare_buffer_done(&word);
    pare_buffer_done(&path);
    return status;
}

/* A base name alone stands for the candidate in a test (sees_candidate), so only a path with a folder counts. */
const char *pare_input_fault_find_path(const char *command, const char *path)
{
    if (!path || !strchr(path, '/')) return NULL;
    const size_t size = strlen(path);
    for (const char *at = command; (at = strstr(at, path)) != NULL; at++) {
        const char before = at > command ? at[-1] : ' ', after = at[size];
        if (strchr(" \t\n\"'<=(", before) && (!after || strchr(" \t\n\"';|&>)", after))) return at;
    }
    return NULL;
}

/* With one of these in a command line, more may be meant than its words: it is a
 * shell's, or its quotes are. */
#define SHELL_SYNTAX "|&;<>()$`\"'\\*?[~"

/* The path of the input, if TEST is a plain command line, of which a program can be
 * made by putting its words behind "--"; NULL for a shell's line, in which "$1" means
 * something, and for what is no command line. */
const char *pare_input_fault_plain_command(const pare_session *session)
{
    const char *command = session->options->test.command;
    if (!command || session->oracle.judge || session->options->test.worker) return NULL;
    return strpbrk(command, SHELL_SYNTAX) ? NULL : session->options->input.path;
}

/* Appends the command line in which what is in TEST stands behind "--", as the program that fails. */
pare_status pare_input_fault_write_program(const char *input, const char *line, pare_buffer *text,
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

/* Whether "@@" is a word of the command, in quotes or behind "<": in "cc @@ -c" and
 * "prog <'@@'" it is meant as a mark; within a longer word, as in "grep a@@b", it may
 * be what is looked for. */
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
    /* A line that compares something is a test, which gets "$1"; one that does not is
     * the program itself. */
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
                          : pare_input_fault_write_program(path, command, sentence, err);
    pare_buffer_done(&right);
    return status;
}

/* The sentence about a TEST that names the input by a path, which would be the input itself however often a candidate
 * was made of it; empty: it does not.  Quotes around the path go with it. */
static pare_status explain_own_path(const pare_session *session, pare_buffer *sentence,
                                    pare_error *err)
{
    const char *path = session->options->input.path, *command = session->options->test.command;
    pare_buffer right = {0};
    if (!command || session->oracle.judge || session->options->test.worker) return PARE_OK;
    const char *from = pare_input_fault_find_path(command, path);
    if (!from) return PARE_OK;
    const char *end = from + strlen(path);
    if (from > command && strchr("\"'", from[-1]) && *end == from[-1]) from--, end++;
    pare_status status =
        pare_buffer_format(&right, err, "%.*s\"$1\"%s", (int)(from - command), command, end);
    if (!status)
        status = pare_buffer_format(sentence, err,
                                    "%s: the test names '%s' itself, where a candidate's path is "
                                    "\"$1\": pare reduce ",
                                    NOT_FAILING, path);
    if (!status) status = pare_command_quote(sentence, right.data, right.size, err);
    if (!status) status = pare_buffer_text(sentence, " ", err);
    if (!status) status = pare_command_quote(sentence, path, strlen(path), err);
    pare_buffer_done(&right);
    return status;
}

/* Whether TEST runs a script of the user's, which is a test most often.  What is found
 * in PATH may be a script as well, so the first word is looked at only where it has a
 * path. */
bool pare_input_fault_runs_script(const pare_session *session)
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

/* The sentence about a TEST that is the program that fails, without a mark: it was
 * ended by a signal, or ended with another code than 0 and said why, as no test does
 * that only compares; empty: it did not.
 * For "./prog in.txt", which prints "error: ..." and exits with 1, it proposes "pare
 * reduce in.txt -- ./prog in.txt". */
static pare_status explain_program(const pare_session *session, const pare_verdict *verdict,
                                   pare_buffer *sentence, pare_error *err)
{
    const char *path = pare_input_fault_plain_command(session);
    const char *command = session->options->test.command;
    const char *printed = path ? pare_session_oracle_captured(&session->oracle) : NULL;
    /* 126 and 127 are a shell's, for what could not be run. */
    const bool says = printed && printed[strspn(printed, " \t\r\n")] && verdict->exit_code > 0 &&
                      verdict->exit_code < 126;
    if (!path || (!says && !verdict->signal) || pare_input_fault_runs_script(session))
        return PARE_OK;
    pare_status status =
        pare_buffer_text(sentence,
                         "the input does not fail: TEST has to exit with 0 while the failure is "
                         "there; to keep how this program fails, write pare reduce ",
                         err);
    if (!status) status = pare_command_quote(sentence, path, strlen(path), err);
    if (!status) status = pare_buffer_format(sentence, err, " -- %s", command);
    /* Where the command names the input, that word is replaced by the candidate in each
     * test; else a mark is added. */
    const char *name = pare_read_input_base_name(&session->options->input);
    const char *own = strstr(command, name);
    const bool is_named =
        own && own > command && own[-1] == ' ' && (!own[strlen(name)] || own[strlen(name)] == ' ');
    return status || is_named ? status : pare_buffer_text(sentence, " @@", err);
}

/* Appends `line` with "@@" in the place of "$1", in quotes or without: what a shell's
 * line calls the candidate becomes what a program's command line calls it. */
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

/* Appends TEST as the program behind "--": the candidate is the last word of a plain
 * command, and the mark in the place of "$1" in a shell's line, which is one word then. */
static pare_status add_inverted(const pare_session *session, pare_buffer *text, pare_error *err)
{
    const char *command = session->options->test.command;
    pare_buffer line = {0};
    if (pare_input_fault_plain_command(session))
        return pare_buffer_format(text, err, "%s @@", command);
    pare_status status = add_marked(command, &line, err);
    if (!status) status = pare_command_quote(text, line.data, line.size, err);
    pare_buffer_done(&line);
    return status;
}

/* The sentence about a shell's line that compares nothing and ended as shells tell of a
 * signal (128 and its number, 139 for SIGSEGV): what crashed is the program; empty: it
 * did not. */
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
    if (!status) status = pare_input_fault_write_program(path, line.data, sentence, err);
    pare_buffer_done(&line);
    return status;
}

/* Reads the script that TEST runs, if it is the user's; returns its whole path, or
 * NULL.  A program found in PATH is not the user's, and a file with a NUL byte is no
 * script.
 * Of the words only those with a whole path are looked at: the command has made them
 * so. */
static const char *read_script(const pare_session *session, pare_buffer *text)
{
    const pare_command *command = session->oracle.command;
    const char *line = session->options->test.command;
    if (!command || !line || session->oracle.judge || command->is_worker) return NULL;
    const bool is_installed = !memchr(line, '/', strcspn(line, " "));
    for (size_t k = is_installed ? 2 : 1; k < command->n_words; k++) {
        const char *word = command->words[k];
        if (*word != '/' || !pare_file_is_regular(word)) continue;
        if (pare_file_read(word, text, NULL) || !text->size ||
            text->size > PARE_INPUT_FAULT_SCRIPT_BYTES)
            continue;
        if (!memchr(text->data, '\0', text->size)) return word;
    }
    return NULL;
}

/* The last line that the test printed which has `phrase` in it, in small letters or
 * not; *line is its start, and the size of 0 says that there is none. */
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

/* The sentence about a test script that could not be executed as it is written: its
 * lines end as on Windows, or it has a syntax error; empty: neither.
 * A syntax error is told by the shell's exit code, 2, and by a line of the shell's that
 * begins with the name of the script. */
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
 * What lies beside the user and is only out of reach has a better sentence (pare_input_fault_private). */
static pare_status explain_missing_command(const pare_session *session, const pare_verdict *verdict,
                                           pare_buffer *sentence, pare_error *err)
{
    const char *printed = pare_session_oracle_captured(&session->oracle);
    pare_buffer text = {0};
    const char *script = printed ? read_script(session, &text) : NULL;
    pare_buffer_done(&text);
    /* 126: it cannot be executed; 127: it is not found. */
    if (!script || (verdict->exit_code != 126 && verdict->exit_code != 127)) return PARE_OK;
    const size_t size = strcspn(printed, "\n");
    if (!size || size > QUOTED_BYTES) return PARE_OK;
    return pare_buffer_format(sentence, err,
                              "the input does not fail: the test could not run a command (exit "
                              "code %d): %.*s",
                              verdict->exit_code, (int)size, printed);
}

/* The sentence about a test that is the wrong way round: exit code 0 says that the
 * failure is there, and it exits so for an empty input, but not for INPUT; empty: it is
 * not.
 * Costs a run of the test, so it is asked last, and only of a test that ended with 1,
 * as one does that compares. */
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

/* The sentence about an input on which the test does not end. */
static pare_status explain_endless(const pare_session *session, pare_buffer *sentence,
                                   pare_error *err)
{
    const double limit_s = (double)pare_session_oracle_patient_ms(&session->oracle) / 1000;
    return pare_buffer_format(
        sentence, err,
        "the test did not end within %.3g s on the input itself: give it more time, as in "
        "--timeout %.0f, or write pare reduce %.60s --hang 10 -- PROGRAM if that is the failure",
        limit_s, MORE_TIME * limit_s, pare_read_input_base_name(&session->options->input));
}

/* What a program does instead of what was to be kept, and how to name it where its
 * messages are the user's own. */
static pare_status explain_judged(const pare_session *session, const char *why,
                                  pare_buffer *sentence, pare_error *err)
{
    pare_status status = pare_buffer_format(sentence, err, "%s: %s", NOT_FAILING, why);
    if (status || !session->options->keep.n_patterns) return status;
    return pare_message_locale_explain(&session->oracle.locale, sentence, err);
}

/* The sentence about a test that means a file beside the user; empty: it does not seem to. */
static pare_status explain_private(const pare_session *session, pare_buffer *sentence,
                                   pare_error *err)
{
    pare_buffer reason = {0};
    pare_status status = pare_input_fault_private(session, &reason, err);
    if (!status && reason.size)
        status = pare_buffer_format(sentence, err, "%s: %s", NOT_FAILING, reason.data);
    pare_buffer_done(&reason);
    return status;
}

/* The reasons in the order of how sure they are: a time-out is a fact, a command without the
 * candidate nearly one, a relative path a guess.  What cannot be told for want of memory is not told. */
pare_status pare_input_fault_explain(pare_session *session, const pare_verdict *verdict,
                                     bool *is_sure, pare_buffer *sentence, pare_error *err)
{
    *is_sure = false;
    /* A program whose failure was described: the judge says what it does instead. */
    if (verdict->why) return explain_judged(session, verdict->why, sentence, err);
    if (verdict->timed_out) return explain_endless(session, sentence, err);
    /* Each of the sentences below says what is to be done, until one proves to be none. */
    *is_sure = true;
    if (explain_mark(session, sentence, NULL) == PARE_OK && sentence->size) return PARE_OK;
    if (explain_own_path(session, sentence, NULL) == PARE_OK && sentence->size) return PARE_OK;
    if (!pare_session_oracle_sees_candidate(&session->oracle)) {
        /* It says what is wrong, but not that this is why the input does not fail. */
        *is_sure = false;
        return pare_buffer_format(sentence, err,
                                  "%s: the command has shell syntax, so the candidate's path is "
                                  "\"$1\", which it does not use",
                                  NOT_FAILING);
    }
    if (explain_script(session, verdict, sentence, NULL) == PARE_OK && sentence->size)
        return PARE_OK;
    if (explain_private(session, sentence, NULL) == PARE_OK && sentence->size) return PARE_OK;
    if (explain_missing_command(session, verdict, sentence, NULL) == PARE_OK && sentence->size)
        return PARE_OK;
    if (explain_program(session, verdict, sentence, NULL) == PARE_OK && sentence->size)
        return PARE_OK;
    if (explain_crash(session, verdict, sentence, NULL) == PARE_OK && sentence->size)
        return PARE_OK;
    if (explain_inverted(session, verdict, sentence, NULL) == PARE_OK && sentence->size)
        return PARE_OK;
    *is_sure = false;
    return pare_buffer_format(sentence, err, "%s: the test says that the failure is not there",
                              NOT_FAILING);
}
