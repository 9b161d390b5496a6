/* pare explain RESULT TEST [options]
 * pare explain RESULT [options] -- PROGRAM ARGS
 *
 * The settings are those of pare reduce, without its output files.  The explanation is shown as
 * text (explain_text.h), as JSON (explain_json.h), and, after a reduction or with --report, on the
 * page of its report (page_file.h).  All text is escaped, because a result is hostile text.  Tested
 * by tests/cli/test_explain.sh. */
#include <string.h>
#include <unistd.h>

#include <pare/pare.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "cli/command_note.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/explain_json.h"
#include "cli/explain_picture.h"
#include "cli/explain_text.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/settings.h"
#include "cli/shell.h"
#include "ui/essence.h"
#include "ui/format.h"

static const char NAME[] = "pare explain";

/* Of a test's command line in a message. */
enum { SHOWN_BYTES = 256 };

static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare explain RESULT [TEST] [options]\n"
          "       pare explain RESULT [options] -- PROGRAM ARGS\n"
          "\n"
          "Tells for each part of a small failing input whether it is needed exactly as it\n"
          "is, or may be anything of its kind, any number in a range, or renamed.  It\n"
          "changes one part after the other and tests each variant, at most 300 in all.\n"
          "TEST, PROGRAM and the options for what to keep are those of 'pare reduce'; TEST\n"
          "may be left out if RESULT has a history.  Only the page of --report is written.\n"
          "\n"
          "    pare explain crash.min.c ./test.sh\n"
          "    pare explain crash.min.js -- node @@\n"
          "\n",
          out);
    pare_options_print_help(out, pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_EXPLAIN, extent);
    fputs("\nExit codes: as for 'pare reduce'.\n", out);
}

/* ---- at the end of a reduction -------------------------------------------------------- */

/* Where the original is, whose layout the readable text takes over: the bytes that were
 * given, or the input's file; a result that has replaced its input has it beside it, as
 * INPUT.orig. */
static pare_status name_original(const pare_settings *settings, pare_buffer *path,
                                 pare_readable *readable, pare_error *err)
{
    const pare_input_options *input = &settings->reduce.input;
    readable->original = input->bytes;
    readable->original_bytes = input->size_bytes;
    if (input->bytes) return PARE_OK;
    pare_status status = pare_buffer_format(path, err, "%s.orig", input->path);
    const bool is_kept = !status && settings->in_place && access(path->data, F_OK) == 0;
    readable->original_path = is_kept ? path->data : input->path;
    return status;
}

/* Explains the result of a reduction that has just ended, for `pare reduce --explain`. The settings
 * are those of the reduction, but the input is its result, and limits, output and events are left
 * out: they have done their work, and the explanation has its own limit of tests. */
pare_exit pare_command_explain_result(const pare_settings *settings, const pare_result *result)
{
    pare_console *console = pare_console_of(settings);
    pare_exit code = PARE_EXIT_DONE;
    pare_reduce_options options = settings->reduce;
    pare_explanation explanation = {0};
    pare_readable readable = {0};
    pare_buffer original = {0}; /* its path */
    pare_error err = {0};
    const char *path = options.input.path ? options.input.path : options.input.name;
    const char *slash = path ? strrchr(path, '/') : NULL;
    pare_status status = name_original(settings, &original, &readable, &err);
    /* The name alone, as it says what kind of text this is; the file of that name is
     * still the input. */
    options.input = (pare_input_options){
        .bytes = result->bytes, .size_bytes = result->size_bytes, .name = slash ? slash + 1 : path};
    /* Nothing is written, and the limits of the reduction do not count again; a Ctrl-C does. */
    options.output = (pare_output_options){.path = NULL};
    options.limits = (pare_limit_options){.jobs = options.limits.jobs};
    options.events = (pare_event_options){.stop = options.events.stop};
    /* What was learnt is not learnt anew: the reduction may have kept names, or have begun again with them. */
    if (options.test.program && result->signature) options.keep.signature = result->signature;
    if (!status) status = pare_explain(&options, &explanation, &err);
    /* Shown before the layout is looked for, which takes tests of its own. */
    if (!status) pare_explain_text_print(settings, &explanation);
    if (!status) status = pare_explain_readable(&options, &readable, &err);
    if (!status) pare_explain_picture_print_readable(&readable);
    /* The report was left to this function, so that the page has the explanation; what
     * it points to is ours, and lent for the call. */
    if (!status && settings->report_path) {
        console->explanation = &explanation;
        console->readable = &readable;
        code = pare_console_write_report(console, result);
        console->explanation = NULL;
        console->readable = NULL;
    }
    pare_readable_done(&readable);
    pare_explanation_done(&explanation);
    pare_buffer_done(&original);
    if (status) return pare_report_failure(console->command, &err);
    return code ? code : pare_report_printed(console->command);
}

/* ---- the command ---------------------------------------------------------------------- */

/* RESULT and TEST, or RESULT before "--" and a program.  The sentence names the form
 * that was begun. */
static pare_status check_operands(const pare_arguments *arguments, pare_error *err)
{
    const bool program = pare_settings_is_program(arguments);
    const size_t wanted = program ? 1 : 2;
    const size_t n = program ? arguments->n_before_dashes : arguments->n_operands;
    if (n == wanted) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "%s: pare explain RESULT %s",
                     n < wanted ? "an operand is missing" : "there are too many operands",
                     program ? "[options] -- PROGRAM ARGS" : "TEST [options]");
}

/* From the words to a job: RESULT takes the place of the input of `pare reduce`, whose
 * settings are read.  *settings is to be released in any case. */
static pare_status read_job(const pare_arguments *arguments, pare_settings *settings,
                            pare_error *err)
{
    pare_status status = check_operands(arguments, err);
    if (status) return status;
    const bool program = pare_settings_is_program(arguments);
    const char *result = arguments->operands[0];
    const char *test = program ? NULL : arguments->operands[1];
    if (strcmp(result, "-") == 0)
        return pare_fail(err, PARE_E_ARG,
                         "'-' is standard input for 'pare reduce' only: save it to a file");
    if (test) status = pare_settings_check_test(arguments, err);
    if (!status) status = pare_settings_read(arguments, test, result, settings, err);
    if (!status && program)
        status = pare_settings_read_program(arguments, arguments->operands + 1,
                                            arguments->n_operands - 1, settings, err);
    /* The check's own sentence is that of commands whose TEST comes first. */
    if (!status && test && pare_settings_check_order(test, result, NULL))
        status = pare_fail(err, PARE_E_ARG, "RESULT comes first, and then TEST: swap them");
    return status;
}

/* What is shown of the run itself is its progress, and only on a terminal.
 * pare_console_finish ends that line and tells of a failure; after it comes the
 * explanation. */
static pare_exit run(pare_console *console, pare_settings *settings, bool as_json)
{
    pare_explanation explanation = {0};
    pare_error err = {0};
    pare_status status = pare_explain(&settings->reduce, &explanation, &err);
    settings->verbosity = PARE_QUIET; /* no summary: nothing was reduced */
    if (!status) console->explanation = &explanation;
    pare_exit code = pare_console_finish(console, status, &err, &explanation.result, NULL);
    if (!status && as_json)
        status = pare_explain_json_print(&explanation, &settings->reduce.trees,
                                         pare_essence_tests(&explanation), stdout, &err);
    else if (!status)
        pare_explain_text_print(settings, &explanation);
    /* Only the JSON can have failed here: a failure of the run has its code already. */
    if (status && !code) {
        pare_report_error(NAME, &err);
        code = pare_report_exit(status);
    }
    console->explanation = NULL;
    pare_explanation_done(&explanation);
    return code ? code : pare_report_printed(NAME);
}

/* Refuses what would overwrite the result or the test. */
static pare_status check_files(const pare_arguments *arguments, const pare_settings *settings,
                               pare_error *err)
/* Also the words of a program: what is written must not take the place of a file that
 * it reads. */
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < arguments->n_operands; i++)
        status = pare_settings_check_written(settings, arguments->operands[i], err);
    return status;
}

/* Whatever was read is released, however far that came. */
static pare_exit explain_by(const pare_arguments *arguments)
{
    pare_settings settings = {0};
    pare_console console = {0};
    pare_error err = {0};
    pare_exit code = PARE_EXIT_DONE;
    pare_status status = read_job(arguments, &settings, &err);
    if (!status) {
        /* The page is the only thing that is written. */
        settings.reduce.output.path = NULL;
        settings.reduce.output.journal_dir = NULL;
        /* Progress goes to standard error, but who reads the explanation by a program
         * does not look at it. */
        if (!isatty(STDOUT_FILENO)) settings.verbosity = PARE_QUIET;
        status = check_files(arguments, &settings, &err);
        if (!status) status = pare_console_open(&console, NAME, &settings, &err);
        if (!status) code = run(&console, &settings, arguments->values[PARE_OPT_JSON].position > 0);
        code = pare_console_close(&console, code);
    }
    if (status) {
        pare_report_error(NAME, &err);
        code = pare_report_exit(status);
    }
    pare_settings_done(&settings);
    return code;
}

/* Says which test is run, as a shell would take it. */
static pare_status tell_test(const pare_arguments *arguments, pare_error *err)
{
    char shown[SHOWN_BYTES];
    pare_buffer line = {0};
    const bool is_program = pare_settings_is_program(arguments);
    pare_status status = PARE_OK;
    /* The first operand is RESULT. */
    for (size_t i = 1; !status && i < arguments->n_operands; i++) {
        if (i > 1) status = pare_buffer_text(&line, " ", err);
        if (!status) status = pare_shell_add_word(&line, arguments->operands[i], err);
    }
    if (!status)
        (void)fprintf(stderr, "%s: using the %s of its reduction: %s\n", NAME,
                      is_program ? "program" : "test",
                      pare_format_name(shown, sizeof shown, line.data));
    pare_buffer_done(&line);
    return status;
}

/* With the test of the reduction where none is named: the words of that command line
 * are taken from the history of RESULT, parsed as if they had been typed, and told, as
 * they are run. */
static pare_exit explain(const pare_arguments *arguments)
{
    static const pare_option_set set = {pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_EXPLAIN};
    pare_noted_words recalled = {.n = 0};
    pare_arguments whole = {0};
    pare_error err = {0};
    if (arguments->n_operands != 1 || pare_settings_is_program(arguments))
        return explain_by(arguments);
    pare_status status = pare_command_note_recall(arguments, &recalled, &err);
    if (!status) status = pare_options_parse(&set, (int)recalled.n, recalled.words, &whole, &err);
    if (!status) status = tell_test(&whole, &err);
    if (status) pare_report_error(NAME, &err);
    const pare_exit code = status ? pare_report_exit(status) : explain_by(&whole);
    pare_options_done(&whole);
    pare_command_note_done(&recalled);
    return code;
}

const pare_command pare_command_explain = {
    .title = NAME,
    .name = "explain",
    .summary = "show which parts of a result matter and which may vary",
    .options = {pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_EXPLAIN},
    .help = print_help,
    .run = explain,
};
