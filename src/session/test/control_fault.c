/* The advice depends on what the test is: for a program it is about what is kept of it, or about how it gets the
 * candidate; for a test, about what it looks at.
 * Invariant: whatever is proposed is a whole command line, quoted for a shell. */
#include "session/test/control_fault.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pare/input.h>
#include <pare/keep.h>
#include <pare/reduce.h>
#include <pare/test.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/file.h"
#include "run/command.h"
#include "run/diagnostic.h"
#include "run/judge.h"
#include "run/named_line.h"
#include "run/signature.h"
#include "session/read_input.h"
#include "session/session.h"
#include "session/test/command_fault.h"
#include "session/test/input_fault.h"
#include "session/test/missed_files.h"
#include "session/test/own_name.h"
#include "session/test/session_oracle.h"
#include "text/text.h"

/* Whether what is kept is a crash: a signal, an assertion, a sanitizer's report.  Told
 * by what the user asked for, or by the signature that was learnt. */
bool pare_control_fault_keeps_crash(const pare_session *session)
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

/* Whether the test itself names the path of the input, instead of the candidate's.
 * Only the whole path counts: a name may stand in any text. */
static bool names_input(const pare_reduce_options *options)
{
    char whole[PATH_MAX];
    pare_buffer script = {0};
    if (!options->input.path || !options->test.command || !realpath(options->input.path, whole))
        return false;
    if (strstr(options->test.command, whole) ||
        pare_input_fault_find_path(options->test.command, options->input.path))
        return true;
    /* The test may be a script: then its text is looked at. */
    bool readable = pare_file_is_regular(options->test.command) &&
                    !pare_file_read(options->test.command, &script, NULL);
    bool found = readable && script.size && script.size < PARE_INPUT_FAULT_SCRIPT_BYTES &&
                 memmem(script.data, script.size, whole, strlen(whole));
    pare_buffer_done(&script);
    return found;
}

/* Where in `word` a name begins that stands for the input, as in "{}" or "--file={}";
 * NULL: nowhere.  A name counts if it is a mark of find, xargs, printf or a shell, or
 * if the program did not find a file of this name and there is none:
 * of "prog --in=FILE", which says "FILE: no such file", it is FILE. */
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

/* If the program is given not the candidate but such a word, appends the command line
 * with "@@" in its place.  Only the first such word is replaced; what stands before the
 * mark in the word stays: "--file={}" becomes "--file=@@".
 * Nothing is appended where there is none. */
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

/* Refuses a program that wants the input's name, and complains about the path of
 * whatever it is given; PARE_OK: it does not seem to. */
static pare_status refuse_path(const pare_session *session, const pare_text *input,
                               const pare_control *control, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    pare_buffer line = {0};
    if (pare_command_fault_is_unread(&options->input, &options->test)) return PARE_OK;
    const pare_own_name_task task = {.input = &options->input,
                                     .test = &options->test,
                                     .text = input,
                                     .less = control->bytes,
                                     .less_bytes = control->size,
                                     .printed = pare_session_oracle_captured(&session->oracle),
                                     .stop = options->events.stop};
    pare_status status = pare_own_name_find(&task, &line, err);
    if (!status && line.size)
        status =
            pare_fail(err, PARE_E_STATE,
                      "the program does the same for %s, because of the path that it is given: "
                      "give it the file's name alone, as in %s",
                      control->what, line.data);
    pare_buffer_done(&line);
    return status;
}

/* A program that does not read the candidate prints the same names for it.  The last judgement is that of the control
 * only where the judge was asked here. */
bool pare_control_fault_lacks_names(const pare_session *session)
{
    const pare_reduce_options *options = session->options;
    const pare_session_oracle *oracle = &session->oracle;
    pare_signature kept;
    if (!oracle->is_learnt || !oracle->exact.size || options->keep.level != PARE_KEEP_MESSAGE ||
        !oracle->judge)
        return false;
    if (pare_signature_parse(oracle->signature.data, &kept, NULL)) return false;
    if (strcmp(kept.diagnostic, oracle->exact.data) == 0) return false;
    const pare_diagnostics *seen = pare_judge_seen(oracle->judge);
    for (size_t k = 0; k < seen->n; k++)
        if (pare_signature_like(oracle->exact.data, seen->item[k].text)) return false;
    return seen->n > 0;
}

/* A program that names a line whatever it is given, of a file of its own or always the first, names the same one. */
bool pare_control_fault_lacks_line(const pare_session *session)
{
    const pare_session_oracle *oracle = &session->oracle;
    if (!oracle->is_learnt || !oracle->named || !oracle->judge || session->layout ||
        session->options->keep.level != PARE_KEEP_MESSAGE)
        return false;
    const pare_named_lines *named = pare_judge_named(oracle->judge);
    for (size_t k = 0; k < named->n; k++)
        if (named->number[k] == oracle->named) return false;
    return named->n > 0;
}

/* Refuses a program whose control fails as well: with the command line that is right,
 * or may be.  Without a mark the program may not read its standard input; with one,
 * what is kept of it may be what it says of any input. */
static pare_status refuse_program(const pare_session *session, const char *what, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    const bool unread = pare_command_fault_is_unread(&options->input, &options->test);
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
        status = unread ? pare_command_fault_with_mark(&options->input, &options->test, &line, err)
                        : pare_command_fault_line(&options->input, &options->test,
                                                  " --any-output REGEX", "", &line, err);
    /* Without a mark the program may wait for an argument, and say the same each time. */
    if (status)
        ;
    else if (unread)
        status = pare_fail(err, PARE_E_STATE,
                           "the program does the same for %s: without @@ a candidate is its "
                           "standard input, so if it reads a file, write %s",
                           what, line.data);
    else if (session->oracle.is_learnt)
        status =
            pare_fail(err, PARE_E_STATE,
                      "the program does the same (%s) for %s, which says nothing about the input: "
                      "name what it prints, as in %s, or give --allow-empty%s",
                      session->oracle.signature.data, what, line.data,
                      pare_command_fault_ends_with_mark(&options->test)
                          ? "; if it reads standard input, leave @@ out"
                          : "");
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

/* In the order of how sure they are; nothing is run for any of them. */
pare_status pare_control_fault_refuse_command(const pare_session *session, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    pare_status status = refuse_own_path(session, err);
    if (!status) status = refuse_unquoted(session, err);
    if (!status) status = pare_command_fault_tool(&options->input, &options->test, err);
    return status ? status : pare_command_fault_ungiven(&options->input, &options->test, err);
}

/* Appends the command line that runs TEST as PROGRAM, if TEST is a compiled program of the user's and no
 * script; else nothing.  A program that fails seldom exits with 0, but one that is given a path and reads
 * standard input does. */
static pare_status write_own_program(const pare_session *session, pare_buffer *line,
                                     pare_error *err)
{
    const char *input = pare_input_fault_plain_command(session);
    const char *command = session->options->test.command;
    if (!input || !strchr(command, '/') || strchr(command, ' ') ||
        pare_input_fault_runs_script(session))
        return PARE_OK;
    pare_status status = pare_input_fault_write_program(input, command, line, err);
    return status ? status : pare_buffer_text(line, " @@", err);
}

/* Appends the command line whose TEST is the interpreter with its script, if that was given as the first of several
 * inputs: "pare reduce sh test.sh a.txt". */
static pare_status write_script_in_test(const pare_session *session, pare_buffer *line,
                                        pare_error *err)
{
    const pare_input_options *input = &session->options->input;
    const char *command = session->options->test.command;
    pare_buffer test = {0};
    if (!command || input->n_paths < 2 || strpbrk(command, " /")) return PARE_OK;
    pare_status status = pare_buffer_format(&test, err, "%s %s", command, input->paths[0]);
    if (!status) status = pare_buffer_text(line, "pare reduce ", err);
    if (!status) status = pare_command_quote(line, test.data, test.size, err);
    for (size_t k = 1; k < input->n_paths && !status; k++) {
        status = pare_buffer_text(line, " ", err);
        if (!status)
            status = pare_command_quote(line, input->paths[k], strlen(input->paths[k]), err);
    }
    pare_buffer_done(&test);
    return status;
}

/* Refuses a test whose controls fail, and says what is wrong with it; most often it never looks at
 * the candidate. */
pare_status pare_control_fault_refuse(pare_session *session, const pare_text *input,
                                      const pare_control *control, pare_error *err)
{
    const char *what = control->what;
    const pare_reduce_options *options = session->options;
    const char *name = pare_read_input_base_name(&options->input);
    /* For a program the advice is about what is kept of it, since it is no test. */
    if (options->test.program) {
        const pare_status status = refuse_path(session, input, control, err);
        if (status) session->wants_names = session->wants_line = false;
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
    pare_status status = pare_input_fault_private(session, &program, err);
    if (!status && program.size)
        status =
            pare_fail(err, PARE_E_STATE, "the test also says that the failure is there for %s: %s",
                      what, program.data);
    if (!status) status = write_script_in_test(session, &program, err);
    const bool is_script = program.size > 0;
    if (!status && !is_script) status = write_own_program(session, &program, err);
    if (!status)
        status = pare_fail(
            err, PARE_E_STATE,
            "the test also says that the failure is there for %s, so it says nothing about '%s': "
            "make it exit with 0 only if this very failure is there, or give --allow-empty%s%s",
            what, name,
            is_script      ? "; if that is the test itself, write "
            : program.size ? "; if TEST is the program that fails, write "
                           : "",
            program.size ? program.data : "");
    pare_buffer_done(&program);
    return status;
}
