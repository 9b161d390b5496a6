/* pare reduce TEST INPUT... [options]
 * pare reduce INPUT... [options] -- PROGRAM ARGS
 *
 * Turns the words into settings (one read_* function for each form of the command line), then calls
 * pare_reduce between opening and closing the console.  Everything that would overwrite a user's
 * file is refused before the first test.
 *
 * Four forms of the command line share one table of options.  They are told apart by what was
 * given (read_settings) and lead to the same settings; from there on nothing depends on the
 * form.  Invariant: until pare_console_open nothing was written, created or run. */
#include <assert.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/pare.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/inputs.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "cli/paths.h"
#include "cli/report.h"
#include "cli/settings.h"
#include "cli/shell.h"
#include "os/executable.h"

/* As it stands before each message. */
static const char NAME[] = "pare reduce";

/* What --help=all adds to the usage, and to what is said of it. */
static const char OTHER_FORMS[] =
    "       pare reduce --worker COMMAND INPUT... [options]\n"
    "       pare reduce --reduce-args [options] -- PROGRAM ARGS\n"
    "       pare reduce --generator COMMAND --choices FILE [options] -- TEST\n";
static const char DETAILS[] =
    "TEST is an executable or a quoted command line.  Its last argument is the path\n"
    "of the candidate, which has INPUT's name and is alone in a private directory, in\n"
    "which TEST runs.  Exit code 0 means that the failure is still there, any other\n"
    "that it is gone.\n"
    "\n"
    "    pare reduce ./test.sh project          a folder; result: project.min\n"
    "    curl ... | pare reduce ./test.sh -     standard input; result: stdin.min\n"
    "\n"
    "Without a TEST, PROGRAM is run: @@ in ARGS is replaced by the candidate's path,\n"
    "@@.EXT by the path of a copy with this suffix.  Without @@, PROGRAM reads the\n"
    "candidate from standard input.  With several inputs, each word that contains @@\n"
    "is repeated for each of them.\n"
    "\n"
    "    pare reduce big.c --message 'unused variable' -- gcc -Wall -c @@\n"
    "\n"
    "With --generator, the choices of the generator COMMAND are reduced (the random\n"
    "bytes that it reads, or its recorded randomness), so that every candidate is\n"
    "something that COMMAND can make.\n"
    "\n"
    "    pare generate --record bad.c.choices -o bad.c -- csmith\n"
    "    pare reduce --generator csmith --choices bad.c.choices -- ./test.sh\n"
    "\n";

/* The common help fits two screens, which a test holds (tests/cli/test_usage.sh); forms that
 * few need are in --help=all. */
static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare reduce TEST INPUT... [options]\n"
          "       pare reduce INPUT... [options] -- PROGRAM ARGS\n",
          out);
    if (extent == PARE_HELP_ALL) fputs(OTHER_FORMS, out);
    fputs("\n"
          "Shrinks INPUT (a file, a folder or several) as far as it can while TEST exits\n"
          "with 0, or while PROGRAM keeps failing as it does for INPUT.  pare finds out how\n"
          "that is, unless an option marked 'keep' says so.  INPUT itself is not changed.\n"
          "\n"
          "    pare reduce ./test.sh crash.json           result: crash.min.json\n"
          "    pare reduce 'grep -q needle' hay.txt       a command line is a test too\n"
          "    pare reduce crash.c -- gcc -O2 -c @@       @@: the candidate's path\n"
          "    pare reduce bad.js --stdout NaN -- mujs    no @@: standard input\n"
          "\n",
          out);
    if (extent == PARE_HELP_ALL) fputs(DETAILS, out);
    pare_options_print_help(out, pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_REDUCE, extent);
    fputs("\nExit codes: 0 done; 1 the input does not fail, or there is nothing to reduce;\n"
          "2 usage error; 3 other error; 130 interrupted (the best result is on disk).\n",
          out);
}

/* --worker takes the place of TEST, so all operands are inputs. */

/* What may stand with the worker is checked where the operands are. */
static bool has_worker(const pare_arguments *arguments)
{
    return arguments->values[PARE_OPT_WORKER].position != 0;
}

/* Nothing is tested then: all operands are inputs, too, and there is one. */
static bool lists_candidates(const pare_arguments *arguments)
{
    return arguments->values[PARE_OPT_LIST_CANDIDATES].position != 0;
}

static pare_status check_list(const pare_arguments *arguments, pare_error *err)
{
    const bool is_one = arguments->n_operands == 1 && *arguments->operands[0];
    if (is_one && !has_worker(arguments) && !pare_settings_is_program(arguments)) return PARE_OK;
    return pare_fail(err, PARE_E_ARG,
                     "'--list-candidates' takes one INPUT and no test: pare reduce "
                     "--list-candidates INPUT [options]");
}

/* Asks for INPUT, and for nothing else that is a test.  A worker is asked about files, so at
 * least one has to be there, and a program after "--" would be a second test. */
static pare_status check_worker(const pare_arguments *arguments, bool empty, pare_error *err)
{
    if (pare_settings_is_program(arguments))
        return pare_fail(err, PARE_E_ARG, "'--worker' is the test: leave out '--' and PROGRAM");
    if (arguments->n_operands >= 1 && !empty) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "%s: pare reduce --worker COMMAND INPUT... [options]",
                     empty ? "INPUT must not be empty" : "INPUT is missing");
}

/* Whether the word is one of a program's command line: a mark for the input, or an option of the program's. */
static bool is_of_command_line(const char *word)
{
    return strstr(word, "@@") || (*word == '-' && word[1] && access(word, F_OK) != 0);
}

/* What is missing where "--" has words on one side only; NULL: nothing, or there is no "--".  With "--"
 * first it is options that end, unless what follows is a program's command line. */
static const char *missing_side(const pare_arguments *arguments)
{
    const size_t n = arguments->n_operands;
    if (n && arguments->n_before_dashes == n &&
        strcmp(arguments->words[arguments->n_words - 1], "--") == 0)
        return "PROGRAM is missing after '--'";
    for (size_t i = 0; !arguments->n_before_dashes && i < n; i++)
        if (is_of_command_line(arguments->operands[i])) return "INPUT is missing before '--'";
    return NULL;
}

/* Whether it is there, and nothing that can be run: an input, then. */
static bool can_only_be_input(const char *path)
{
    struct stat about;
    if (stat(path, &about)) return false;
    return S_ISDIR(about.st_mode) || (S_ISREG(about.st_mode) && access(path, X_OK) != 0);
}

/* Whether the input is named last, behind a program that has a mark: "cc @@ x.c". */
static bool ends_with_input(const pare_arguments *arguments)
{
    const size_t n = arguments->n_operands;
    for (size_t i = 1; i + 1 < n; i++)
        if (strstr(arguments->operands[i], "@@"))
            return can_only_be_input(arguments->operands[n - 1]);
    return false;
}

/* Refuses a program's command line without "--" before it, which is told by a mark in a word that is no
 * file, or by the name of a program behind the inputs; a TEST is one word, and may have a mark. */
static pare_status check_marks(const pare_arguments *arguments, pare_error *err)
{
    const size_t n = arguments->n_operands;
    size_t n_inputs = 0;
    bool is_marked = false;
    for (size_t i = 1; i < n; i++)
        is_marked = is_marked || (strstr(arguments->operands[i], "@@") &&
                                  access(arguments->operands[i], F_OK) != 0);
    if (pare_settings_is_program(arguments)) return PARE_OK;
    while (n_inputs < n && can_only_be_input(arguments->operands[n_inputs]))
        n_inputs++;
    const bool is_named =
        n_inputs > 0 && n_inputs < n && pare_executable_is_in_path(arguments->operands[n_inputs]);
    if (!is_marked && !is_named) return PARE_OK;
    /* Of one input the name is as good as a mark. */
    for (size_t i = n_inputs; i < n; i++)
        is_marked = is_marked || strcmp(arguments->operands[i], arguments->operands[0]) == 0;
    /* The words as they were typed: an option after the program may be meant for it, one before it is ours. */
    size_t at_dashes = 0;
    while (at_dashes + 1 < arguments->n_words &&
           arguments->words[at_dashes] != arguments->operands[n_inputs])
        at_dashes++;
    const char *last = !n_inputs && ends_with_input(arguments) ? arguments->operands[n - 1] : NULL;
    pare_buffer line = {0};
    pare_status status =
        pare_buffer_text(&line, n_inputs || last ? "pare reduce" : "pare reduce INPUT", err);
    if (!status && last) status = pare_buffer_text(&line, " ", err);
    if (!status && last) status = pare_shell_add_word(&line, last, err);
    for (size_t i = 0; !status && i < arguments->n_words; i++) {
        if (arguments->words[i] == last) continue; /* it stands in front */
        if (i == at_dashes) status = pare_buffer_text(&line, " --", err);
        if (!status) status = pare_buffer_text(&line, " ", err);
        if (!status) status = pare_shell_add_word(&line, arguments->words[i], err);
    }
    if (!status && !is_marked) status = pare_buffer_text(&line, " @@", err);
    if (!status)
        status = pare_fail(err, PARE_E_ARG, "'--' is missing before PROGRAM; did you mean: %s",
                           line.data);
    pare_buffer_done(&line);
    return status;
}

/* The one operand that there is may be either of the two that are needed. */
static pare_status fail_one_operand(const char *operand, pare_error *err)
{
    if (!can_only_be_input(operand))
        return pare_fail(err, PARE_E_ARG, "INPUT is missing: pare reduce TEST INPUT... [options]");
    pare_buffer word = {0};
    pare_status status = pare_shell_add_word(&word, operand, err);
    if (!status)
        status =
            pare_fail(err, PARE_E_ARG,
                      "TEST is missing, a script that exits with 0 when its input fails: pare "
                      "reduce TEST %s; or the program that fails: pare reduce %s -- PROGRAM @@",
                      word.data, word.data);
    pare_buffer_done(&word);
    return status;
}

/* Asks for TEST and INPUT, or INPUT and PROGRAM. Only missing and empty words are told of
 * here: whether a file is there is for those who read it. */
static pare_status check_operands(const pare_arguments *arguments, pare_error *err)
{
    size_t n = arguments->n_operands;
    if (lists_candidates(arguments)) return check_list(arguments, err);
    /* With "--" the inputs and the program have to be something; arguments of the program may be
     * empty words. */
    size_t n_named = pare_settings_is_program(arguments) ? arguments->n_before_dashes + 1 : n;
    /* An empty word is most often a variable of a shell that was not set. */
    bool empty = false;
    for (size_t i = 0; i < n_named; i++)
        empty = empty || !*arguments->operands[i];
    if (pare_settings_is_program(arguments) && !has_worker(arguments))
        return empty ? pare_fail(err, PARE_E_ARG, "INPUT and PROGRAM must not be empty") : PARE_OK;
    if (has_worker(arguments)) return check_worker(arguments, empty, err);
    const char *missing = missing_side(arguments);
    if (missing)
        return pare_fail(err, PARE_E_ARG, "%s: pare reduce INPUT... [options] -- PROGRAM ARGS",
                         missing);
    if (n >= 2 && !empty) return check_marks(arguments, err);
    if (n == 1 && !empty) return fail_one_operand(arguments->operands[0], err);
    return pare_fail(err, PARE_E_ARG, "%s: pare reduce TEST INPUT... [options]",
                     n == 0 ? "TEST and INPUT are missing" : "TEST and INPUT must not be empty");
}

/* Makes INPUT.orig of one file and, after an unfinished run, takes it as the input.  On a
 * second start after an interruption INPUT holds the best so far, and INPUT.orig what the
 * journal is about; hence the bytes of INPUT.orig are the input, under INPUT's name. */
static pare_status keep_input(pare_settings *settings, pare_backup *backup, pare_error *err)
{
    pare_reduce_options *reduce = &settings->reduce;
    pare_status status = pare_inputs_back_up(backup, reduce->input.path, reduce->output.journal_dir,
                                             reduce->output.sync, err);
    if (status == PARE_OK && backup->is_resumed) {
        /* INPUT is the result of the unfinished run now: its bytes before that were kept, and go
         * by its name. */
        reduce->input.name = pare_paths_base(reduce->input.path);
        reduce->input.path = NULL;
        reduce->input.bytes = backup->resumed.data;
        reduce->input.size_bytes = backup->resumed.size;
    }
    return status;
}

/* Refuses what would overwrite what the user gave us, or has.  By the table of what is
 * written, each against each operand: TEST too is a file that nobody wants to lose. */
static pare_status check_files(const pare_arguments *arguments, const pare_settings *settings,
                               pare_error *err)
{
    pare_status status =
        has_worker(arguments) || lists_candidates(arguments)
            ? PARE_OK
            : pare_settings_check_order(arguments->operands[0], arguments->operands[1], err);
    for (size_t i = 0; status == PARE_OK && i < arguments->n_operands; i++)
        status = pare_settings_check_written(settings, arguments->operands[i], err);
    return status == PARE_OK ? pare_inputs_check_output(settings, err) : status;
}

/* Reduces; asks once which failure is meant, when there are several.  PARE_E_STATE also says
 * that the failure did not reproduce; then there is nothing to choose from, pare_ask_problem
 * returns false, and the status stays.  At most twice: the second run has its message, so it
 * cannot ask again. */
static pare_status reduce_chosen(pare_console *console, pare_buffer *message, pare_result *result,
                                 pare_error *err)
{
    pare_status status = pare_reduce(&console->settings->reduce, result, err);
    if (status != PARE_E_STATE) return status;
    /* The question must not stand on the progress line. */
    pare_console_give_terminal(console);
    if (!pare_ask_problem(result, console->settings, message)) return status;
    pare_result_done(result);
    return pare_reduce(&console->settings->reduce, result, err);
}

/* Reduces as the settings say, on the console, and reports.  The order at the end matters: the
 * backup is dropped before the summary, which names only what is there. */
static pare_exit reduce_and_report(const pare_arguments *arguments, pare_console *console)
{
    pare_settings *settings = console->settings;
    pare_backup backup = {0};
    pare_buffer message = {0};
    pare_result result = {0};
    pare_error err = {0};
    pare_status status = PARE_OK;
    /* The library keeps the originals of folders and of several inputs itself
     * (session/output/in_place.c). */
    bool one_file = settings->in_place && !settings->reduce.input.n_paths;
    if (one_file) status = keep_input(settings, &backup, &err);
    /* For the summary: where the original is. */
    if (status == PARE_OK && settings->reduce.output.in_place == PARE_ON)
        status = pare_buffer_format(&backup.path, &err, "%s.orig", settings->output.data);
    if (status == PARE_OK) status = reduce_chosen(console, &message, &result, &err);
    /* Nothing was replaced: then the second name goes as well. */
    if (one_file) pare_inputs_drop_backup(&backup, settings->output.data);
    pare_exit code = pare_console_finish(console, status, &err, &result, backup.path.data);
    if (!status && code == PARE_EXIT_DONE && pare_options_given(arguments, PARE_OPT_EXPLAIN))
        code = pare_command_explain_result(settings, &result);
    pare_result_done(&result);
    pare_inputs_backup_done(&backup);
    pare_buffer_done(&message);
    return code;
}

/* The operands that are inputs: all of one form of the command line.  `form` decides in which
 * words a missing file is told of. */
struct operands {
    const char *const *items; /* borrowed; n of them, at least 1 */
    size_t n;
    pare_inputs_form form;
};

/* Takes the operands; *input is what the only one is called.  For several inputs the first one
 * gives the result its name. */
static pare_status read_inputs(const pare_arguments *arguments, const struct operands *operands,
                               pare_settings *settings, const char **input, pare_error *err)
{
    const char *output = arguments->values[PARE_OPT_OUTPUT].text;
    assert(operands->n > 0 && "check_operands has counted them");
    const bool standard = pare_inputs_is_standard(operands->items, operands->n);
    settings->in_place = arguments->values[PARE_OPT_IN_PLACE].position != 0;
    pare_status status =
        standard ? pare_inputs_read_standard(settings, output, err)
                 : pare_inputs_read(settings, operands->items, operands->n, operands->form, err);
    *input = operands->items[0];
    if (standard) *input = settings->text_name.data;
    if (!status && settings->reduce.input.n_paths) *input = settings->inputs[0];
    return status;
}

/* The forms `TEST INPUT...`, `--worker COMMAND INPUT...` and `--list-candidates INPUT`.  Swapped operands are found out
 * by check_files, after the outputs have their names. */
static pare_status read_test(const pare_arguments *arguments, pare_settings *settings,
                             pare_error *err)
{
    /* The first operand that is an input. */
    const size_t first = has_worker(arguments) || lists_candidates(arguments) ? 0 : 1;
    const char *input = NULL;
    const char *test = first ? arguments->operands[0] : arguments->values[PARE_OPT_WORKER].text;
    if (first && strcmp(test, "-") == 0)
        return pare_fail(err, PARE_E_ARG,
                         "TEST comes first, and '-' is standard input: pare reduce TEST -");
    pare_status status = pare_settings_check_test(arguments, err);
    const struct operands inputs = {.items = arguments->operands + first,
                                    .n = arguments->n_operands - first,
                                    .form = first ? PARE_INPUTS_OF_TEST : PARE_INPUTS_OF_WORKER};
    if (status == PARE_OK) status = read_inputs(arguments, &inputs, settings, &input, err);
    if (status == PARE_OK) status = pare_settings_read(arguments, test, input, settings, err);
    return status == PARE_OK ? check_files(arguments, settings, err) : status;
}

/* The form `INPUT... -- PROGRAM ARGS`.  "--" tells the two lists apart; the parser has counted
 * what stands before it. */
static pare_status read_program(const pare_arguments *arguments, pare_settings *settings,
                                pare_error *err)
{
    const char *input = NULL;
    size_t n = arguments->n_before_dashes;
    const struct operands inputs = {
        .items = arguments->operands, .n = n, .form = PARE_INPUTS_OF_PROGRAM};
    pare_status status = read_inputs(arguments, &inputs, settings, &input, err);
    if (status == PARE_OK) status = pare_settings_read(arguments, NULL, input, settings, err);
    if (status == PARE_OK)
        status = pare_settings_read_program(arguments, arguments->operands + n,
                                            arguments->n_operands - n, settings, err);
    for (size_t i = 0; status == PARE_OK && i < n; i++)
        status = pare_settings_check_written(settings, arguments->operands[i], err);
    return status == PARE_OK ? pare_inputs_check_output(settings, err) : status;
}

/* The form `-- PROGRAM ARGS`, with nothing but words to reduce.  Without operands before "--"
 * and without these options the command line is a mistake, which check_operands tells. */
static bool has_words_alone(const pare_arguments *arguments)
{
    return !arguments->n_before_dashes && arguments->n_operands > 0 &&
           (arguments->values[PARE_OPT_REDUCE_ARGS].position ||
            arguments->values[PARE_OPT_REDUCE_ENV].position);
}

/* What the script of these words is called, but for its suffix: the program's name.  The
 * program may be a quoted command line, whose first word is its name.  Without a path: the
 * script is written where pare was started. */
static pare_status name_words(const char *program, pare_settings *settings, pare_error *err)
{
    size_t size = strcspn(program, " \t\n");
    pare_buffer first = {0};
    pare_status status = pare_buffer_add(&first, program, size, err);
    if (!status) status = pare_buffer_text(&settings->text_name, pare_paths_base(first.data), err);
    pare_buffer_done(&first);
    return status;
}

/* There is no input: an empty text stands for it, and the words are what is reduced.  "@@" is
 * refused here, since without an input there is nothing that it could stand for. */
static pare_status read_words_alone(const pare_arguments *arguments, pare_settings *settings,
                                    pare_error *err)
{
    /* There is nothing that could be replaced. */
    if (!*arguments->operands[0] || arguments->values[PARE_OPT_IN_PLACE].position)
        return pare_fail(
            err, PARE_E_ARG,
            "there is no INPUT: pare reduce --reduce-args [-o SCRIPT] -- PROGRAM ARGS");
    for (size_t i = 0; i < arguments->n_operands; i++)
        if (strstr(arguments->operands[i], "@@"))
            return pare_fail(err, PARE_E_ARG,
                             "'@@' stands for INPUT, which is missing: pare reduce INPUT [options] "
                             "-- PROGRAM ARGS");
    settings->is_words_alone = true;
    /* An empty text, so that the library has an input to put the words beside. */
    settings->reduce.input.bytes = "";
    pare_status status = name_words(arguments->operands[0], settings, err);
    if (!status)
        status = pare_settings_read(arguments, NULL, settings->text_name.data, settings, err);
    if (!status)
        status = pare_settings_read_program(arguments, arguments->operands, arguments->n_operands,
                                            settings, err);
    return status;
}

/* Either option alone is a mistake that read_generator tells of. */
static bool has_generator(const pare_arguments *arguments)
{
    return arguments->values[PARE_OPT_GENERATOR].position ||
           arguments->values[PARE_OPT_CHOICES].position;
}

/* One line of the words, each in quotes; a single word is a line already.  The library takes a
 * command as one line, which its own splitting reads back (run/command.c); quotes of a shell
 * are what that understands. */
static pare_status join_test(const pare_arguments *arguments, pare_buffer *line, pare_error *err)
{
    if (arguments->n_operands == 1) return pare_buffer_text(line, arguments->operands[0], err);
    pare_status status = PARE_OK;
    for (size_t i = 0; status == PARE_OK && i < arguments->n_operands; i++) {
        status = pare_buffer_text(line, "'", err);
        for (const char *at = arguments->operands[i]; status == PARE_OK && *at; at++)
            status = *at == '\'' ? pare_buffer_text(line, "'\\''", err)
                                 : pare_buffer_add(line, at, 1, err);
        if (status == PARE_OK) status = pare_buffer_text(line, "' ", err);
    }
    return status;
}

/* Recorded choices: what is reduced, and named, is the text that is made of them.  The result
 * of such a reduction is two files: the text that is reduced, and the choices that make it, so
 * that a further reduction can go on from them. */
static pare_status read_recorded(const pare_arguments *arguments, const char *choices,
                                 pare_settings *settings, pare_error *err)
{
    static const char suffix[] = ".choices";
    size_t size = strlen(choices), end = sizeof suffix - 1;
    const char *base = pare_paths_base(choices);
    /* The text is called as the file without ".choices", which tells its language. */
    bool has = strlen(base) > end && strcmp(choices + size - end, suffix) == 0;
    pare_status status =
        settings->in_place
            ? pare_fail(err, PARE_E_ARG,
                        "'--in-place' would replace the choices by a text: name a result with -o")
            : pare_buffer_add(&settings->text_name, choices, has ? size - end : size, err);
    if (status == PARE_OK)
        status = pare_settings_read(arguments, settings->test.data, settings->text_name.data,
                                    settings, err);
    if (status == PARE_OK)
        status = pare_buffer_format(&settings->choices, err, "%s%s", settings->output.data, suffix);
    /* The library reads the choices; pare_settings_read has named everything for the text. */
    settings->reduce.input.path = choices;
    settings->reduce.output.choices_path = settings->choices.data;
    return status;
}

/* The form `--generator COMMAND --choices FILE -- TEST`.  Bytes that a generator reads as its
 * random source are reduced as they are; choices that were recorded by us have a form of their
 * own (pare_is_recorded). */
static pare_status read_generator(const pare_arguments *arguments, pare_settings *settings,
                                  pare_error *err)
{
    const char *generator = arguments->values[PARE_OPT_GENERATOR].text;
    const char *choices = arguments->values[PARE_OPT_CHOICES].text;
    if (has_worker(arguments))
        return pare_fail(err, PARE_E_ARG,
                         "'--worker' tests files, not what a generator makes: pare reduce "
                         "--generator COMMAND --choices FILE -- TEST");
    if (!generator || !choices || !arguments->n_operands || arguments->n_before_dashes)
        return pare_fail(err, PARE_E_ARG,
                         "%s: pare reduce --generator COMMAND --choices FILE -- TEST",
                         !generator                   ? "'--generator' is missing"
                         : !choices                   ? "'--choices' is missing"
                         : arguments->n_before_dashes ? "TEST belongs after '--'"
                                                      : "TEST is missing");
    settings->in_place = arguments->values[PARE_OPT_IN_PLACE].position != 0;
    pare_status status = pare_settings_check_test(arguments, err);
    if (status == PARE_OK) status = join_test(arguments, &settings->test, err);
    if (status == PARE_OK)
        status = pare_is_recorded(choices)
                     ? read_recorded(arguments, choices, settings, err)
                     : pare_settings_read(arguments, settings->test.data, choices, settings, err);
    if (status == PARE_OK) status = pare_settings_check_written(settings, choices, err);
    settings->reduce.input.generator = generator;
    /* Named algorithms work on the text that the choices make; by default the choices are
     * reduced. */
    if (!settings->reduce.algorithms) settings->reduce.algorithms = "choices";
    return status == PARE_OK ? pare_inputs_check_output(settings, err) : status;
}

/* Which form it is, by what was given: a generator, words alone, a program, or a test.  Each
 * form checks what it needs and nothing else, so that a sentence always speaks of the form
 * that was meant. */
static pare_status read_settings(const pare_arguments *arguments, pare_settings *settings,
                                 pare_error *err)
{
    /* In the order in which the forms can be told apart: options first, then "--", then
     * operands. */
    if (has_generator(arguments)) return read_generator(arguments, settings, err);
    if (has_words_alone(arguments) && !has_worker(arguments))
        return read_words_alone(arguments, settings, err);
    pare_status status = check_operands(arguments, err);
    if (status) return status;
    return pare_settings_is_program(arguments) ? read_program(arguments, settings, err)
                                               : read_test(arguments, settings, err);
}

/* Several files, words and recorded choices have no tokens of one text. */
static pare_status check_explain(const pare_arguments *arguments, const pare_settings *settings,
                                 pare_error *err)
{
    const pare_input_options *input = &settings->reduce.input;
    if (!pare_options_given(arguments, PARE_OPT_EXPLAIN)) return PARE_OK;
    /* A tree is of the input; of a result there is only what is left of it. */
    if (settings->reduce.trees.tree)
        return pare_fail(err, PARE_E_ARG,
                         "'--explain' cannot use '--tree': leave out one of them; 'pare explain "
                         "RESULT TEST' explains the result afterwards");
    if (!input->n_paths && !input->generator && !settings->is_words_alone) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "'--explain' is for one file");
}

/* --- --list-candidates ---------------------------------------------------------------------- */

/* What stands for the test: the first text is the input, which fails. */
struct lister {
    bool has_input;
    bool failed; /* to print */
};

/* A pare_predicate: prints the candidate, which passes. */
static pare_outcome print_candidate(void *context, const void *bytes, size_t size)
{
    struct lister *lister = context;
    if (!lister->has_input) {
        lister->has_input = true;
        return PARE_FAIL;
    }
    lister->failed = fwrite(bytes, 1, size, stdout) != size || putchar('\n') == EOF;
    return lister->failed ? PARE_NO_OUTCOME : PARE_PASS;
}

/* Reduces with a test for which no candidate fails, so that an algorithm proposes all
 * that it has for the input.  One after the other, nothing is kept, and nothing is
 * written. */
static pare_exit list_candidates(const pare_settings *settings)
{
    struct lister lister = {.has_input = false};
    pare_reduce_options reduce = settings->reduce;
    pare_result result = {0};
    pare_error err = {0};
    reduce.test = (pare_test_options){
        .predicate = print_candidate, .context = &lister, .flaky = PARE_FLAKY_OFF};
    reduce.output = (pare_output_options){.path = NULL};
    reduce.limits.jobs = 1;
    pare_status status = pare_reduce(&reduce, &result, &err);
    pare_result_done(&result);
    pare_exit printed = pare_report_printed(NAME);
    if (printed != PARE_EXIT_DONE || status == PARE_OK || lister.failed) return printed;
    return pare_report_failure(NAME, &err);
}

/* Reads the settings, opens the console, and reduces.  The language is offered before the
 * console is opened: a question must not stand beside a progress line. */
static pare_exit read_and_reduce(const pare_arguments *arguments)
{
    pare_settings settings = {.can_replace = true};
    pare_console console = {0};
    pare_error err = {0};
    pare_status status = read_settings(arguments, &settings, &err);
    if (!status) status = check_explain(arguments, &settings, &err);
    if (!status && lists_candidates(arguments)) {
        pare_exit listed = list_candidates(&settings);
        pare_settings_done(&settings);
        return listed;
    }
    /* The console was touched only then, and is closed only then. */
    const bool are_read = status == PARE_OK;
    if (are_read) {
        pare_ask_language(NAME, &settings);
        console.takes_keys = true;
        if (settings.is_words_alone) console.proof = "no single word can go, nor be shorter";
        status = pare_console_open(&console, NAME, &settings, &err);
    }
    if (status) pare_report_error(NAME, &err);
    pare_exit code = status ? pare_report_exit(status) : reduce_and_report(arguments, &console);
    if (are_read) code = pare_console_close(&console, code);
    pare_settings_done(&settings);
    return code;
}

/* --list-algorithms needs no operands, and so comes before they are checked. */
static pare_exit run(const pare_arguments *arguments)
{
    if (!arguments->values[PARE_OPT_LIST_ALGORITHMS].position) return read_and_reduce(arguments);
    pare_options_print_algorithms(stdout);
    return pare_report_printed(NAME);
}

const pare_command pare_command_reduce = {
    .title = NAME,
    .name = "reduce",
    .summary = "make a failing input as small as possible",
    .options = {pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_REDUCE},
    .help = print_help,
    .run = run,
};
