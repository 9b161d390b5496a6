/* Questions to the user: which problem to keep, and whether to add a missing language.
 *
 * A question is asked only if somebody can answer: standard input and standard error are both a
 * terminal, and --quiet was not given.  It goes to standard error, since standard output may be
 * redirected.  Without an answer the run goes on as if nobody had been asked; for problems, the
 * command lines that would have answered are printed. */
#include "cli/ask.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pare/language.h>
#include <pare/reduce.h>
#include <pare/result.h>

#include "base/buffer.h"
#include "cli/report.h"
#include "cli/shell.h"
#include "ui/format.h"

/* Of a problem as it is shown; of what is typed. */
enum { LINE_BYTES = 400, ANSWER_BYTES = 32 };

/* Numbered from 1, as they are asked for.  Cut at LINE_BYTES: a diagnostic may quote a whole
 * line of the input. */
static void print_list(FILE *out, const pare_result *result)
{
    char line[LINE_BYTES];
    for (size_t k = 0; k < result->n_reported; k++)
        fprintf(out, "%4zu  %s\n", k + 1, pare_format_name(line, sizeof line, result->reported[k]));
}

/* The result is released before the next run, so the message is copied.  What was typed beyond
 * the buffer is left to the shell. */
bool pare_ask_problem(const pare_result *result, pare_settings *settings, pare_buffer *message)
{
    char answer[ANSWER_BYTES];
    const bool can_ask = isatty(STDIN_FILENO) && isatty(STDERR_FILENO) &&
                         settings->verbosity != PARE_QUIET && !settings->reduce.keep.message;
    if (!result->n_reported || !can_ask) return false;
    fputs("The program reports several problems:\n", stderr);
    print_list(stderr, result);
    fprintf(stderr, "Which one should be kept?  [1-%zu, Enter for none] ", result->n_reported);
    fflush(stderr);
    if (!fgets(answer, sizeof answer, stdin)) return false;
    /* No number is 0, which is no problem's. */
    unsigned long number = strtoul(answer, NULL, 10);
    if (number < 1 || number > result->n_reported) return false;
    if (pare_buffer_text(message, result->reported[number - 1], NULL)) return false;
    settings->reduce.keep.message = message->data;
    return true;
}

/* Whether what stands before the colon is the message, not its header: "Undefined substitution referenced: ...". */
static bool is_sentence(const char *text, const char *colon)
{
    enum { HEADER_BLANKS = 1 };
    unsigned n_blanks = 0;
    for (; text < colon; text++)
        n_blanks += *text == ' ';
    return n_blanks > HEADER_BLANKS;
}

/* The shortest part of problem `which` that names it and no other: what stands between its
 * header and its option, else all of it.  Appended to *part. --message takes the first problem
 * that has the text in it, so a part that others have too would choose wrongly. */
static pare_status name_problem(const pare_result *result, size_t which, pare_buffer *part)
{
    /* "error: unknown type name 'x' [-Wfoo]": what is between is the message. */
    assert(which < result->n_reported);
    const char *text = result->reported[which], *colon = strstr(text, ": ");
    const char *start = colon && !is_sentence(text, colon) ? colon + 2 : text;
    const char *option = strstr(start, " [-W");
    size_t size = option ? (size_t)(option - start) : strlen(start);
    pare_status status = pare_buffer_add(part, start, size, NULL);
    for (size_t k = 0; k < result->n_reported && !status; k++) {
        if (k == which || (size && !strstr(result->reported[k], part->data))) continue;
        pare_buffer_reset(part);
        return pare_buffer_text(part, text, NULL);
    }
    return status;
}

/* The command line, with `text` for --message before "--", or in the place of another.  The
 * words are those of the real command line, so the proposal can be run as it is. */
static pare_status write_command(const char *command, const pare_settings *settings,
                                 const char *text, pare_buffer *line)
{
    pare_status status = pare_buffer_text(line, command, NULL);
    bool is_added = false;
    for (size_t k = 0; k < settings->n_words && !status; k++) {
        const char *word = settings->words[k];
        /* A message that was given before "--" goes: it named no problem, or several. */
        if (!is_added && strcmp(word, "--message") == 0) {
            k++;
            continue;
        }
        if (!is_added && strncmp(word, "--message=", 10) == 0) continue;
        if (!is_added && strcmp(word, "--") == 0) {
            status = pare_buffer_text(line, " --message ", NULL);
            if (!status) status = pare_shell_add_word(line, text, NULL);
            is_added = true;
        }
        if (!status) status = pare_buffer_text(line, " ", NULL);
        if (!status) status = pare_shell_add_word(line, word, NULL);
    }
    return status;
}

/* Lines that can be copied to a shell; without memory for one it is left out. */
void pare_ask_print_problems(FILE *out, const char *command, const pare_result *result,
                             const pare_settings *settings)
{
    char shown[LINE_BYTES];
    pare_buffer line = {0}, part = {0};
    for (size_t k = 0; k < result->n_reported; k++) {
        pare_buffer_reset(&line);
        pare_buffer_reset(&part);
        fprintf(out, "  %zu. %s\n", k + 1,
                pare_format_name(shown, sizeof shown, result->reported[k]));
        if (!name_problem(result, k, &part) && !write_command(command, settings, part.data, &line))
            fprintf(out, "     %s\n", line.data);
    }
    pare_buffer_done(&line);
    pare_buffer_done(&part);
}

/* The question goes to standard error and the answer comes from standard input: what is
 * printed may be going somewhere else. */

/* Of what is typed. */
enum { OFFER_BYTES = 64 };

/* Whether the answer is yes, which an empty line is too.  Anything that is no answer is no.
 * Enter is yes, since adding the language is what almost everybody wants who is asked. */
static bool ask(const char *command, const char *language, const char *without)
{
    char answer[OFFER_BYTES];
    fprintf(stderr,
            "%s: the language '%s' is not installed; without it %s.\nAdd it now, for this user? It "
            "takes seconds. [Y/n] ",
            command, language, without);
    fflush(stderr);
    if (!fgets(answer, sizeof answer, stdin)) {
        fputc('\n', stderr);
        return false;
    }
    const char *word = answer + strspn(answer, " \t");
    return *word == '\n' || *word == 'y' || *word == 'Y';
}

/* A question needs somebody who reads it and somebody who answers.  Both, because a question
 * on standard error is of no use to somebody whose input is a pipe. */
static bool can_ask(void)
{
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* Says why, if it cannot be added.  A failure is told and not returned: the run goes on
 * without the language, as it would have without the question. */
static void add(const char *command, const char *language)
{
    pare_error err = {0};
    fprintf(stderr, "%s: adding '%s'\n", command, language);
    if (pare_language_add(language, &err) != PARE_OK) pare_report_error(command, &err);
}

/* A "no" is remembered in the settings for languages that nobody named, so that the library does
 * not tell of them again. */
void pare_ask_language(const char *command, pare_settings *settings)
{
    const char *language = pare_reduce_missing_language(&settings->reduce);
    if (!language || settings->verbosity == PARE_QUIET || !can_ask()) return;
    if (ask(command, language, "the result can\nbe many times larger")) {
        add(command, language);
        return;
    }
    const char *named = settings->reduce.trees.language;
    if (!named || strcmp(named, "auto") == 0) settings->reduce.trees.language = "none";
}

/* A model is no language to parse by, and a pare that was built without tree-sitter cannot add
 * any. */
void pare_ask_needed_language(const char *command, const char *name)
{
    pare_language_state state = {0};
    const pare_language_info *info = name ? pare_language_find(name) : NULL;
    if (!info || info->is_model || !pare_language_supported() || !can_ask()) return;
    if (pare_language_inspect(info->name, &state, NULL) != PARE_OK || state.added) return;
    if (ask(command, info->name, "the\ninput cannot be parsed")) add(command, info->name);
}
