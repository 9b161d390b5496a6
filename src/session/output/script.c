/* Scripts that run what is left of a command line as its test did.
 *
 * A word is quoted by apostrophes, in which the shell changes nothing; where a path goes, the
 * quotes are left for "$dir", so that a name with any bytes in it stays one word.  The environment
 * is not added to but replaced (env -i): a variable that was reduced away must not come back from
 * the shell of whoever runs the script. */
#include "session/output/script.h"

#include <assert.h>
#include <string.h>

#include "base/buffer.h"
#include "os/entries.h"
#include "run/command.h"
#include "run/invocation.h"
#include "text/candidate.h"

/* ---- quoting ------------------------------------------------------------------------ */

/* Appends a word in quotes, with a blank before it. */
static pare_status add_word(pare_buffer *text, const char *word, pare_error *err)
{
    pare_status status = pare_buffer_text(text, " ", err);
    return status ? status : pare_command_quote(text, word, strlen(word), err);
}

/* ---- words --------------------------------------------------------------------------- */

/* The words of the command: those of the candidate, or all. */
struct line {
    const char *words; /* each with its NUL */
    size_t n;
    char *const *given;
};

/* Arguments that are not reduced are those of the command, in its own array. */
static struct line line_of(const pare_script *script, const pare_layout_words *words)
{
    const pare_command *command = script->command;
    if (script->layout->n_arguments)
        return (struct line){.words = words->texts.data, .n = words->n_arguments};
    /* Words before the first argument are the program, or what starts it. */
    const size_t first = pare_command_first_argument(command);
    return (struct line){.given = command->words + first, .n = command->n_words - first};
}

/* The next word of the line; NULL after the last. */
static const char *next(struct line *line)
{
    if (!line->n) return NULL;
    line->n--;
    if (line->given) return *line->given++;
    const char *word = line->words;
    assert(word); /* n counts them */
    line->words += strlen(word) + 1;
    return word;
}

/* For people: marks stay marks, and the program is called as the user called it.
 * Of "prog --fast -o out @@" that may leave "prog -o @@". */
pare_status pare_script_command(const pare_script *script, const pare_candidate *candidate,
                                pare_buffer *text, pare_error *err)
{
    pare_layout_words words = {.n_arguments = 0};
    pare_status status = pare_layout_words_read(script->layout, candidate, &words, err);
    if (!status) status = pare_command_quote(text, script->program, strlen(script->program), err);
    struct line line = line_of(script, &words);
    for (const char *word; !status && (word = next(&line));)
        status = add_word(text, word, err);
    pare_layout_words_done(&words);
    return status;
}

/* The first variable of the words, which stands behind all arguments.  Without
 * variables it points behind the last word. */
static const char *first_variable(const pare_layout_words *words)
{
    const char *word = words->texts.data;
    for (size_t k = 0; k < words->n_arguments; k++)
        word += strlen(word) + 1;
    return word;
}

/* Prints only the names, since values may be long. */
pare_status pare_script_variables(const pare_script *script, const pare_candidate *candidate,
                                  pare_buffer *text, pare_error *err)
{
    pare_layout_words words = {.n_arguments = 0};
    pare_status status = pare_layout_words_read(script->layout, candidate, &words, err);
    const char *word = status ? NULL : first_variable(&words);
    for (size_t k = 0; !status && k < words.n_variables; k++, word += strlen(word) + 1) {
        if (k) status = pare_buffer_text(text, " ", err);
        if (!status) status = pare_command_quote(text, word, strcspn(word, "="), err);
    }
    pare_layout_words_done(&words);
    return status;
}

/* ---- scripts ------------------------------------------------------------------------- */

/* Copies the result to where the test found it.
 * For "min.c", which the test had as "in.c", the line begins with: cp -R --
 * "$here"/'min.c' "$dir"/'in.c' */
static pare_status print_copy(const pare_script *script, const char *result, pare_buffer *text,
                              pare_error *err)
{
    const pare_entries *entries = &script->layout->entries;
    /* A single input is copied under the name that it had for the test, because the result may be
     * called otherwise. Several inputs lie in a folder under their own names. */
    bool one = entries->n_roots == 1;
    if (!result) return PARE_OK;
    pare_status status = pare_buffer_text(text, "cp -R -- \"$here\"/", err);
    if (!status) status = pare_command_quote(text, result, strlen(result), err);
    if (!status) status = pare_buffer_text(text, one ? " \"$dir\"/" : "/. \"$dir\"", err);
    if (!status && one)
        status =
            pare_command_quote(text, entries->items[0].path, strlen(entries->items[0].path), err);
    return status ? status : pare_buffer_text(text, " || exit\n", err);
}

/* Empties the environment, but for variables that are never taken away, and sets those
 * that are left.
 * A variable that is never taken away is handed on only where it is set:
 * ${HOME+"HOME=$HOME"} is no word at all without it. */
static pare_status print_environment(const pare_layout_words *words, pare_buffer *text,
                                     pare_error *err)
{
    pare_status status = pare_buffer_text(text, "env -i", err);
    for (size_t k = 0; k < PARE_INVOCATION_N_KEPT && !status; k++) {
        const char *kept = pare_invocation_kept[k];
        status = pare_buffer_format(text, err, " ${%s+\"%s=$%s\"}", kept, kept, kept);
    }
    const char *word = first_variable(words);
    for (size_t k = 0; k < words->n_variables && !status; k++, word += strlen(word) + 1)
        status = add_word(text, word, err);
    return status ? status : pare_buffer_text(text, " ", err);
}

/* The path of the input called `name`, in apostrophes. */
static pare_status name_path(const char *name, pare_buffer *path, pare_error *err)
{
    pare_buffer_reset(path);
    pare_status status = pare_buffer_text(path, "'\"$dir\"'/", err);
    return status ? status : pare_command_escape(path, name, strlen(name), err);
}

/* A word with a mark in it: the path takes the place of the mark, outside the quotes.
 * "--in=@@" becomes '--in='"$dir"'/in.c', which is one word for the shell. */
static pare_status print_marked(const char *word, const char *name, pare_buffer *text,
                                pare_error *err)
{
    pare_buffer path = {0}, escaped = {0};
    pare_status status = name_path(name, &path, err);
    if (!status) status = pare_command_escape(&escaped, word, strlen(word), err);
    if (!status) status = pare_buffer_text(text, " '", err);
    if (!status) status = pare_command_fill_marks(escaped.data, path.data, text, err);
    if (!status) status = pare_buffer_text(text, "'", err);
    pare_buffer_done(&path);
    pare_buffer_done(&escaped);
    return status;
}

/* A word, or with a mark in it one for each of the inputs. */
static pare_status print_word(const pare_script *script, const char *word, pare_buffer *text,
                              pare_error *err)
{
    const pare_entries *entries = &script->layout->entries;
    if (!pare_command_is_marked(word)) return add_word(text, word, err);
    pare_status status = PARE_OK;
    /* In the order in which the inputs were given, which is not that of the entries: those are
     * sorted. */
    for (uint32_t input = 0; input < entries->n_roots; input++)
        for (size_t i = 0; i < entries->n && !status; i = entries->items[i].after)
            if (entries->items[i].input == input)
                status = print_marked(word, entries->items[i].path, text, err);
    return status;
}

/* A program that reads its standard input gets the file; one that does not must not wait for the
 * terminal. */
static pare_status print_input(const pare_script *script, const char *result, pare_buffer *text,
                               pare_error *err)
{
    const char *name = script->layout->entries.items[0].path;
    if (!script->command->on_input || !result) return pare_buffer_text(text, " < /dev/null\n", err);
    pare_status status = pare_buffer_text(text, " < ", err);
    if (!status) status = pare_command_quote(text, name, strlen(name), err);
    return status ? status : pare_buffer_text(text, "\n", err);
}

/* The line that runs the program, in the environment that is left, with its standard input where
 * the test has it. */
static pare_status print_run(const pare_script *script, const pare_layout_words *words,
                             const char *result, pare_buffer *text, pare_error *err)
{
    const pare_command *command = script->command;
    struct line line = line_of(script, words);
    pare_status status = script->environment ? print_environment(words, text, err) : PARE_OK;
    /* Word 0 is the file that is executed, and word 1 the name by which it is called. */
    for (size_t k = 1; k < pare_command_first_argument(command) && !status; k++) {
        if (k > 1) status = pare_buffer_text(text, " ", err);
        if (!status)
            status = pare_command_quote(text, command->words[k], strlen(command->words[k]), err);
    }
    for (const char *word; !status && (word = next(&line));)
        status = print_word(script, word, text, err);
    return status ? status : print_input(script, result, text, err);
}

/* The script runs the program in a directory of its own, as the test did, since a program may write
 * beside its input. It is removed when the script ends, whatever the program does. */
pare_status pare_script_print(const pare_script *script, const pare_candidate *candidate,
                              const char *result, pare_buffer *text, pare_error *err)
{
    static const char alone[] =
        "#!/bin/sh\n"
        "# Runs what pare left of a command line as it was tested: in a new\n"
        "# directory.\n";
    static const char beside[] =
        "#!/bin/sh\n"
        "# Runs what pare left of a command line on what it left of the input, as it was\n"
        "# tested: in a new directory that holds a copy of it.\n";
    static const char head[] = "here=$(cd -- \"$(dirname -- \"$0\")\" && pwd) || exit\n"
                               "dir=$(mktemp -d) || exit\n"
                               "trap 'rm -rf -- \"$dir\"' EXIT\n";
    pare_layout_words words = {.n_arguments = 0};
    pare_status status = pare_layout_words_read(script->layout, candidate, &words, err);
    if (!status) status = pare_buffer_text(text, result ? beside : alone, err);
    if (!status) status = pare_buffer_text(text, head, err);
    if (!status) status = print_copy(script, result, text, err);
    if (!status) status = pare_buffer_text(text, "cd -- \"$dir\" || exit\n", err);
    if (!status) status = print_run(script, &words, result, text, err);
    pare_layout_words_done(&words);
    return status;
}

/* Without a layout, as for a single file, there is no script. */
pare_status pare_script_texts(const pare_script *script, const pare_candidate *candidate,
                              char **command, char **variables, pare_error *err)
{
    pare_buffer words = {0}, names = {0};
    if (!script->layout) return PARE_OK;
    pare_status status = pare_script_command(script, candidate, &words, err);
    if (!status && script->environment) status = pare_buffer_text(&names, "", err);
    /* Of a program whose environment was not reduced *variables stays NULL. */
    if (!status && script->environment)
        status = pare_script_variables(script, candidate, &names, err);
    *command = words.data;
    *variables = names.data;
    return status;
}
