/* pare reduce TEST INPUT... [options]
 * pare reduce INPUT... [options] -- PROGRAM ARGS */
#include <pare/pare.h>

#include "cli/backup.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/help.h"
#include "cli/inputs.h"
#include "cli/names.h"
#include "cli/table.h"

static const char NAME[] = "pare reduce";

void pare_command_reduce_help(FILE *out)
{
    fputs("usage: pare reduce TEST INPUT... [options]\n"
          "       pare reduce INPUT... [options] -- PROGRAM ARGS\n"
          "\n"
          "Finds the smallest INPUT, a file, a folder or several, that still makes TEST\n"
          "exit with 0, or makes PROGRAM fail as it does.\n"
          "\n"
          "TEST is an executable or a quoted command line.  It gets the path of a candidate\n"
          "as its last argument and runs in a private directory that holds the candidate\n"
          "under INPUT's name.  Exit 0 means that the failure is still there, anything else\n"
          "that it is gone.  INPUT itself is not touched.\n"
          "\n"
          "    pare reduce ./test.sh crash.json       result: crash.min.json\n"
          "    pare reduce 'grep -q needle' hay.txt   a command line is a test too\n"
          "    pare reduce ./test.sh project          a folder; result: project.min\n"
          "\n"
          "Without a TEST, PROGRAM is run: @@ in ARGS is the candidate's path, @@.EXT that\n"
          "of a file with this suffix; without it the candidate is standard input.  Of\n"
          "several inputs a word with @@ is repeated for each.  What is kept is how PROGRAM\n"
          "fails on INPUT, learnt from its first runs, or what these options name: --exit,\n"
          "--signal, --stdout, --stderr, --any-output, --no-output, --hang, --differs,\n"
          "--max-rss, --valid, --signature.\n"
          "\n"
          "    pare reduce crash.c -- gcc -O2 -c -o /dev/null @@\n"
          "    pare reduce bad.js --exit 0 --stdout NaN -- mujs @@\n"
          "\n"
          "Options:\n",
          out);
    pare_help_options(out, PARE_COMMAND_REDUCE);
    fputs("\nExit codes: 0 done; 1 the failure does not reproduce, or nothing to reduce;\n"
          "2 usage; 3 error; 130 interrupted (the best result is on disk).\n",
          out);
}

/* The form `INPUT... -- PROGRAM ARGS`. */
static bool is_program(const pare_arguments *arguments)
{
    return arguments->n_before_dashes > 0 && arguments->n_before_dashes < arguments->n_operands;
}

/* Asks for TEST and INPUT, or INPUT and PROGRAM. */
static pare_status check_operands(const pare_arguments *arguments, pare_error *err)
{
    size_t n = arguments->n_operands;
    size_t n_named = is_program(arguments) ? arguments->n_before_dashes + 1 : n;
    bool empty = false;
    for (size_t i = 0; i < n_named; i++)
        empty = empty || !*arguments->operands[i];
    if (is_program(arguments))
        return empty ? pare_fail(err, PARE_E_ARG, "INPUT and PROGRAM must not be empty") : PARE_OK;
    if (n >= 2 && !empty) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "%s: pare reduce TEST INPUT... [options]",
                     n == 0   ? "TEST and INPUT are missing"
                     : n == 1 ? "INPUT is missing"
                              : "TEST and INPUT must not be empty");
}

/* Makes INPUT.orig and, after an unfinished run, takes it as the input. */
static pare_status keep_input(pare_settings *settings, pare_backup *backup, pare_error *err)
{
    pare_reduce_options *reduce = &settings->reduce;
    pare_status status = pare_backup_make(backup, reduce->input_path, reduce->journal_dir, err);
    if (status == PARE_OK && backup->is_resumed) {
        reduce->input_name = pare_names_base(reduce->input_path);
        reduce->input_path = NULL;
        reduce->input = backup->resumed.data;
        reduce->input_bytes = backup->resumed.size;
    }
    return status;
}

/* Refuses what would overwrite what the user gave us, or has. */
static pare_status check_files(const pare_arguments *arguments, const pare_settings *settings,
                               pare_error *err)
{
    pare_status status =
        pare_settings_check_order(arguments->operands[0], arguments->operands[1], err);
    for (size_t i = 0; status == PARE_OK && i < arguments->n_operands; i++)
        status = pare_settings_check_written(settings, arguments->operands[i], err);
    return status == PARE_OK ? pare_inputs_check_output(settings, err) : status;
}

/* Reduces as `settings` say. */
static pare_exit run(pare_console *console)
{
    pare_settings *settings = console->settings;
    pare_backup backup = {0};
    pare_result result = {0};
    pare_error err = {0};
    pare_status status = PARE_OK;
    if (settings->in_place) status = keep_input(settings, &backup, &err);
    if (status == PARE_OK) status = pare_reduce(&settings->reduce, &result, &err);
    if (settings->in_place) pare_backup_drop_unneeded(&backup, settings->output.data);
    pare_exit code = pare_console_finish(console, status, &err, &result, backup.path.data);
    pare_result_done(&result);
    pare_backup_done(&backup);
    return code;
}

static pare_exit open_and_run(pare_settings *settings)
{
    pare_console console = {0};
    pare_error err = {0};
    pare_status status = pare_console_open(&console, NAME, settings, &err);
    if (status != PARE_OK) pare_report_error(NAME, &err);
    pare_exit code = status == PARE_OK ? run(&console) : pare_report_exit(status);
    return pare_console_close(&console, code);
}

static pare_status read_test(const pare_arguments *arguments, pare_settings *settings,
                             pare_error *err)
{
    const char *test = arguments->operands[0], *input = arguments->operands[1];
    pare_status status = pare_settings_check_test(arguments, err);
    if (status == PARE_OK)
        status = pare_inputs_read(settings, arguments->operands + 1, arguments->n_operands - 1,
                                  PARE_INPUTS_OF_TEST, err);
    if (status == PARE_OK && settings->reduce.n_inputs) input = settings->inputs[0];
    if (status == PARE_OK) status = pare_settings_read(arguments, test, input, settings, err);
    return status == PARE_OK ? check_files(arguments, settings, err) : status;
}

static pare_status read_program(const pare_arguments *arguments, pare_settings *settings,
                                pare_error *err)
{
    const char *input = arguments->operands[0];
    size_t n = arguments->n_before_dashes;
    pare_status status =
        pare_inputs_read(settings, arguments->operands, n, PARE_INPUTS_OF_PROGRAM, err);
    if (status == PARE_OK && settings->reduce.n_inputs) input = settings->inputs[0];
    if (status == PARE_OK) status = pare_settings_read(arguments, NULL, input, settings, err);
    if (status == PARE_OK)
        status = pare_settings_read_program(arguments, arguments->operands + n,
                                            arguments->n_operands - n, settings, err);
    for (size_t i = 0; status == PARE_OK && i < n; i++)
        status = pare_settings_check_written(settings, arguments->operands[i], err);
    return status == PARE_OK ? pare_inputs_check_output(settings, err) : status;
}

static pare_exit reduce(const pare_arguments *arguments)
{
    pare_settings settings = {0};
    pare_error err = {0};
    pare_exit code;
    pare_status status = check_operands(arguments, &err);
    if (status == PARE_OK)
        status = is_program(arguments) ? read_program(arguments, &settings, &err)
                                       : read_test(arguments, &settings, &err);
    if (status == PARE_OK) {
        code = open_and_run(&settings);
    } else {
        pare_report_error(NAME, &err);
        code = pare_report_exit(status);
    }
    pare_settings_done(&settings);
    return code;
}

int pare_command_reduce(int argc, char **argv)
{
    pare_arguments arguments = {0};
    pare_error err = {0};
    pare_exit code;
    pare_status status = pare_options_parse(pare_option_table, PARE_N_OPTIONS, PARE_COMMAND_REDUCE,
                                            argc, argv, &arguments, &err);
    if (status != PARE_OK) {
        pare_report_error(NAME, &err);
        return pare_report_exit(status);
    }
    if (arguments.values[PARE_OPT_HELP].position) {
        pare_command_reduce_help(stdout);
        code = pare_report_printed(NAME);
    } else if (arguments.values[PARE_OPT_LIST_ALGORITHMS].position) {
        pare_help_algorithms(stdout);
        code = pare_report_printed(NAME);
    } else {
        code = reduce(&arguments);
    }
    pare_arguments_done(&arguments);
    return code;
}
