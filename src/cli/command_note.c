/* Stores a command line with its result, and takes its test over for another command; see the
 * header.
 *
 * The stored words are read with the table of options that they were written for, so a note that is
 * damaged, or from another version, is refused like a wrong command line.
 * Invariant: nothing in a note is run here, and options that write files are left out.  Tested by
 * tests/unit/test_command_note.c and tests/cli/test_explain.sh. */
#include "cli/command_note.h"

#include <assert.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include <pare/history.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "cli/option_table.h"

void pare_command_note_done(pare_noted_words *noted)
{
    for (size_t i = 0; i < noted->n; i++)
        pare_alloc_free(noted->words[i]);
    pare_alloc_free(noted->words);
    *noted = (pare_noted_words){.n = 0};
}

/* Takes what jansson prints, piece by piece; not 0 ends the printing. */
static int add_bytes(const char *bytes, size_t size, void *note)
{
    return pare_buffer_add(note, bytes, size, NULL) ? -1 : 0;
}

/* A word that is no UTF-8 makes json_string NULL, which the array refuses: there is no
 * note then, and the reduction goes on without one. */
pare_status pare_command_note_make(const pare_arguments *arguments, pare_buffer *note,
                                   pare_error *err)
{
    char folder[PATH_MAX];
    json_t *words = json_array();
    if (!words) return pare_fail_nomem(err);
    bool is_text = getcwd(folder, sizeof folder) != NULL;
    for (size_t i = 0; is_text && i < arguments->n_words; i++)
        is_text = json_array_append_new(words, json_string(arguments->words[i])) == 0;
    /* "O" leaves `words` ours. */
    json_t *all = is_text ? json_pack("{s:s, s:O}", "folder", folder, "words", words) : NULL;
    const int failed =
        all && json_dump_callback(all, add_bytes, note, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(all);
    json_decref(words);
    return failed ? pare_fail_nomem(err) : PARE_OK;
}

/* ---- taking over ---------------------------------------------------------------------------- */

/* Appends `before` and `word` as one word: "--" and "quiet", "--timeout=" and "5".
 * O(words) for each, of a command line. */
static pare_status add_word(pare_noted_words *noted, const char *before, const char *word,
                            pare_error *err)
{
    pare_buffer text = {0};
    char **words = pare_alloc_resize(noted->words, noted->n + 1, sizeof *words);
    if (!words) return pare_fail_nomem(err);
    noted->words = words;
    pare_status status = pare_buffer_format(&text, err, "%s%s", before, word);
    if (!status) words[noted->n++] = text.data;
    return status;
}

/* Whether the option is a part of what fails: not how long to look for it, and what to
 * write.  Only options that `pare explain` has are ever taken. */
static bool is_taken(size_t option)
{
    switch (option) {
    case PARE_OPT_JOBS:
    case PARE_OPT_MAX_TIME:
    case PARE_OPT_MAX_TESTS:
    case PARE_OPT_REPORT:
    case PARE_OPT_HELP: return false;
    default: return (pare_option_table[option].commands & PARE_COMMAND_EXPLAIN) != 0;
    }
}

/* Appends the options that are taken: "--name", "--name=value"; of a list each value.
 * They come before the words that are given now, of which a repeated option counts
 * more. */
static pare_status add_options(const pare_arguments *arguments, pare_noted_words *noted,
                               pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < PARE_N_OPTIONS; k++) {
        char name[64];
        const pare_option *option = &pare_option_table[k];
        if (!pare_options_given(arguments, k) || !is_taken(k)) continue;
        (void)snprintf(name, sizeof name, "--%s=", option->name);
        if (option->kind == PARE_OPTION_FLAG) {
            status = add_word(noted, "--", option->name, err);
        } else if (option->kind != PARE_OPTION_TEXTS) {
            status = add_word(noted, name, arguments->values[k].text, err);
        } else {
            for (size_t i = 0; !status && i < arguments->n_texts; i++)
                if (arguments->texts[i].option == k)
                    status = add_word(noted, name, arguments->texts[i].text, err);
        }
    }
    return status;
}

/* The test, or the program: what stands beside the inputs. */
static pare_status add_test(const pare_arguments *arguments, pare_noted_words *noted,
                            pare_error *err)
{
    assert(arguments->n_operands > 0 && arguments->n_before_dashes <= arguments->n_operands);
    if (arguments->n_before_dashes == arguments->n_operands)
        return add_word(noted, "", arguments->operands[0], err);
    pare_status status = add_word(noted, "", "--", err);
    for (size_t k = arguments->n_before_dashes; !status && k < arguments->n_operands; k++)
        status = add_word(noted, "", arguments->operands[k], err);
    return status;
}

/* Puts the new command line together: options of the reduction (`arguments`), the words
 * that are given now, then the test.
 * What is made by a generator, and a command whose words were reduced, is no file that
 * the test could be given. */
static pare_status take_over(const pare_arguments *arguments, const pare_arguments *given,
                             pare_noted_words *noted, pare_error *err)
{
    if (!arguments->n_operands || pare_options_given(arguments, PARE_OPT_GENERATOR) ||
        pare_options_given(arguments, PARE_OPT_REDUCE_ARGS) ||
        pare_options_given(arguments, PARE_OPT_REDUCE_ENV))
        return pare_fail(err, PARE_E_ARG, "%s was not reduced from a single file: name the TEST",
                         given->operands[0]);
    pare_status status = add_options(arguments, noted, err);
    for (size_t k = 0; !status && k < given->n_words; k++)
        status = add_word(noted, "", given->words[k], err);
    return status ? status : add_test(arguments, noted, err);
}

/* Reads the words by the table of the reduction's options; *words is borrowed by the arguments. */
static pare_status parse(const json_t *list, char ***words, pare_arguments *arguments,
                         pare_error *err)
{
    const size_t n = json_array_size(list);
    const pare_option_set set = {pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_REDUCE};
    *words = pare_alloc_zero(n + 1, sizeof **words);
    if (!*words) return pare_fail_nomem(err);
    for (size_t k = 0; k < n; k++) {
        (*words)[k] = (char *)json_string_value(json_array_get(list, k));
        /* The parser counts words in an int. */
        if (!(*words)[k] || k == INT_MAX)
            return pare_fail(err, PARE_E_ARG,
                             "the command in the history is damaged: name the TEST");
    }
    return pare_options_parse(&set, (int)n, *words, arguments, err);
}

/* Paths in the words are meant in the folder of the reduction, and nothing says which
 * of the words are paths: so explaining is done in the same folder, or the test is
 * named. */
static pare_status check_folder(const json_t *note, const char *result, pare_error *err)
{
    char here[PATH_MAX];
    const char *folder = json_string_value(json_object_get(note, "folder"));
    if (folder && getcwd(here, sizeof here) && strcmp(here, folder) == 0) return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "%s was reduced in another folder, %s: explain it there, or name the TEST",
                     result, folder ? folder : "which is not known");
}

/* No history, one without a note, and a note that is no JSON are all the same to the
 * user: an operand is missing. */
static pare_status read_note(const char *result, json_t **note, pare_error *err)
{
    pare_history *history = NULL;
    pare_error why = {0};
    pare_status status = pare_history_open(result, &history, &why);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    const char *text = status ? NULL : pare_history_note(history);
    *note = text ? json_loads(text, 0, NULL) : NULL;
    pare_history_close(history);
    if (*note) return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "an operand is missing: pare explain RESULT TEST [options]; TEST may be left "
                     "out if 'pare reduce' left a history of RESULT");
}

/* The arguments point into `words`, and these into the note, so all of them live until
 * the end. */
pare_status pare_command_note_recall(const pare_arguments *given, pare_noted_words *recalled,
                                     pare_error *err)
{
    json_t *note = NULL;
    char **words = NULL;
    pare_arguments arguments = {0};
    assert(given->n_operands == 1 && "RESULT alone");
    pare_status status = read_note(given->operands[0], &note, err);
    if (!status) status = check_folder(note, given->operands[0], err);
    if (!status) status = parse(json_object_get(note, "words"), &words, &arguments, err);
    if (!status) status = take_over(&arguments, given, recalled, err);
    if (status) pare_command_note_done(recalled);
    pare_options_done(&arguments);
    pare_alloc_free(words);
    json_decref(note);
    return status;
}
