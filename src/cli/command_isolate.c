/* pare isolate TEST FAILING PASSING [options]
 * pare isolate FAILING PASSING [options] -- PROGRAM ARGS
 *
 * The settings are those of pare reduce for the failing side; the passing side has a path and an
 * output of its own.  Neither input is replaced, so there is no --in-place and no backup. */
#include <string.h>

#include <pare/pare.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "cli/paths.h"
#include "cli/report.h"
#include "cli/settings.h"
#include "ui/format.h"

static const char NAME[] = "pare isolate";

enum { SHOWN_BYTES = 1024 };

/* What one run needs; all-zero at first.  Borrowed from argv but for what is marked as
 * owned. `settings` is about the failing side alone. */
struct job {
    pare_settings settings;
    pare_buffer passing_output; /* owned; used when no name was given */
    pare_isolate_options isolate;
};

/* What is kept of a failure is described by `pare reduce --help`, and not again here. */
static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare isolate TEST FAILING PASSING [options]\n"
          "       pare isolate FAILING PASSING [options] -- PROGRAM ARGS\n"
          "\n"
          "Narrows the difference between a failing and a passing input until every part\n"
          "of what is left of it matters (Zeller's dd).  This gives a failing and a\n"
          "passing input that differ by very little.  TEST, PROGRAM and the options for\n"
          "what to keep are those of 'pare reduce'.  Neither input is changed.\n"
          "\n"
          "    pare isolate ./test.sh bad.c good.c\n"
          "    diff good.max.c bad.min.c\n"
          "    pare isolate bad.c good.c -- gcc -O2 -c @@\n"
          "\n",
          out);
    pare_options_print_help(out, pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_ISOLATE, extent);
    fputs("\nExit codes: as for 'pare reduce'.\n", out);
}

/* The sentence names the form that was begun: with "--" that of a program, else that of a
 * test.  More operands than wanted are refused: a third input would silently be left out. */
static pare_status check_operands(const pare_arguments *arguments, pare_error *err)
{
    const bool program = pare_settings_is_program(arguments);
    const size_t wanted = program ? 2 : 3;
    const size_t n = program ? arguments->n_before_dashes : arguments->n_operands;
    if (n == wanted) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "%s: pare isolate %s",
                     n < wanted ? "an operand is missing" : "there are too many operands",
                     program ? "FAILING PASSING [options] -- PROGRAM ARGS"
                             : "TEST FAILING PASSING [options]");
}

/* NAME.max.EXT beside the passing input, because that side grows; the failing one is NAME.min.EXT. */
static pare_status read_passing_output(const pare_arguments *arguments, struct job *job,
                                       pare_error *err)
{
    const char *named = arguments->values[PARE_OPT_OUTPUT_PASSING].text;
    pare_status status = PARE_OK;
    /* With "max" in the name, as that side grows. */
    if (!named) /* In the folder of the passing input: the two sides may be in different ones. */
        status = pare_paths_mark(&job->passing_output, job->isolate.passing_path, "max", err);
    job->isolate.passing_output_path = named ? named : job->passing_output.data;
    if (!status && strcmp(job->isolate.passing_output_path, job->settings.reduce.output.path) == 0)
        return pare_fail(err, PARE_E_ARG, "both sides would be written to '%s'",
                         job->isolate.passing_output_path);
    return status ? status
                  : pare_paths_check_file("output-passing", job->isolate.passing_output_path, err);
}

/* From the words to what is to be done.  Everything that would overwrite a file of the user is
 * refused here; *job is to be released in any case. */
static pare_status read_job(const pare_arguments *arguments, struct job *job, pare_error *err)
{
    pare_status status = check_operands(arguments, err);
    if (status != PARE_OK) return status;
    /* Operands before the program, or with the test: the two inputs are the last of them. */
    const size_t n_given = pare_settings_is_program(arguments) ? 2 : 3;
    const char *const *inputs = arguments->operands + n_given - 2;
    const char *test = pare_settings_is_program(arguments) ? NULL : arguments->operands[0];
    job->isolate.passing_path = inputs[1];
    if (strcmp(inputs[0], "-") == 0 || strcmp(inputs[1], "-") == 0)
        return pare_fail(err, PARE_E_ARG,
                         "'-' is standard input for 'pare reduce' only: save it to a file");
    if (test) status = pare_settings_check_test(arguments, err);
    if (status == PARE_OK)
        status = pare_settings_read(arguments, test, inputs[0], &job->settings, err);
    if (status == PARE_OK && !test)
        status = pare_settings_read_program(arguments, arguments->operands + n_given,
                                            arguments->n_operands - n_given, &job->settings, err);
    if (status == PARE_OK) status = read_passing_output(arguments, job, err);
    if (status == PARE_OK && test) status = pare_settings_check_order(test, inputs[0], err);
    for (size_t i = 0; i < n_given && status == PARE_OK; i++)
        /* Neither a test nor an input may be where anything is written. */
        status = pare_settings_check_written(&job->settings, arguments->operands[i], err);
    return status;
}

/* Two lines more than the summary of the failing side has.  In places and not in bytes: deltas
 * are what dd narrows (pare/isolate.h). */
static void print_difference(const struct job *job, const pare_isolated *isolated)
{
    char before[PARE_FORMAT_BYTES], after[PARE_FORMAT_BYTES], name[SHOWN_BYTES];
    printf("  passing  %s\n",
           pare_format_name(name, sizeof name, job->isolate.passing_output_path));
    printf("  differ   in %s of %s places\n", pare_format_count(after, isolated->n_deltas),
           pare_format_count(before, isolated->n_deltas_in));
}

/* An empty passing side is a side, not its absence: hence "" where there are no bytes. */
static pare_exit run(pare_console *console, const struct job *job)
{
    console->proof = "each difference that is left matters";
    pare_isolated isolated = {0};
    pare_error err = {0};
    pare_status status = pare_isolate(&job->settings.reduce, &job->isolate, &isolated, &err);
    /* The report shows both sides, and is written by pare_console_finish. */
    console->passing = isolated.passing_bytes ? isolated.passing_bytes : (const void *)"";
    console->passing_bytes = isolated.passing_size_bytes;
    console->n_differences = isolated.n_deltas;
    console->n_differences_in = isolated.n_deltas_in;
    pare_exit code = pare_console_finish(console, status, &err, &isolated.failing, NULL);
    /* After the summary of the failing side, which pare_console_finish has printed. */
    if (status == PARE_OK && job->settings.verbosity != PARE_QUIET)
        print_difference(job, &isolated);
    pare_isolated_done(&isolated);
    return code;
}

/* The console is closed whatever happened in between. */
static pare_exit open_and_run(struct job *job)
{
    pare_console console = {0};
    pare_error err = {0};
    pare_status status = pare_console_open(&console, NAME, &job->settings, &err);
    if (status != PARE_OK) pare_report_error(NAME, &err);
    pare_exit code = status == PARE_OK ? run(&console, job) : pare_report_exit(status);
    return pare_console_close(&console, code);
}

/* Whatever was read is released, however far that came. */
static pare_exit isolate(const pare_arguments *arguments)
{
    struct job job = {0};
    pare_error err = {0};
    pare_exit code;
    pare_status status = read_job(arguments, &job, &err);
    if (status == PARE_OK) {
        code = open_and_run(&job);
    } else {
        pare_report_error(NAME, &err);
        code = pare_report_exit(status);
    }
    pare_settings_done(&job.settings);
    pare_buffer_done(&job.passing_output);
    return code;
}

const pare_command pare_command_isolate = {
    .title = NAME,
    .name = "isolate",
    .summary = "narrow the difference between a failing and a passing input",
    .options = {pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_ISOLATE},
    .help = print_help,
    .run = isolate,
};
