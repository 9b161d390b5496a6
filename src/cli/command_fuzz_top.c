/* pare fuzz top [--store FILE]
 *
 * Shows a campaign on a terminal until 'q' or a signal; both are normal ways to end.  It runs
 * nothing itself: `pare fuzz run` does what its keys request. */
#include <stdio.h>

#include <pare/findings.h>
#include <pare/stop.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "cli/store_choice.h"
#include "ui/fuzz_top.h"

static const char TOP[] = "pare fuzz top";

/* Indices of `options`; then the bit of this command in them. */
enum { OPT_STORE, OPT_HELP, N_OPTS };
enum { COMMAND = 1 };

static const pare_option options[N_OPTS] = {
    [OPT_STORE] = {"store", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE",
                   .help = "the store; default: the NAME.pare.db in the current folder"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, COMMAND, .word = "all", .help = "print this help"},
};

/* Keys are not listed here: '?' lists them where they are needed. */
static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare fuzz top [--store FILE]\n"
          "\n"
          "Shows a campaign on a terminal, whether or not 'pare fuzz run' is running:\n"
          "findings, jobs with their progress, and what each source achieves.  Keys reduce,\n"
          "validate, mark and report findings, pause and end jobs; ? lists them.\n"
          "\n"
          "    pare fuzz top --store jq.pare.db\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND, extent);
    fputs("\nExit codes: 0 done, 1 this is no terminal, 2 usage, 3 error.\n", out);
}

/* Signals are taken while it is shown, so that the terminal is put back before the
 * program ends. */
static pare_status show(const char *path, pare_error *err)
{
    pare_store *store = NULL;
    pare_stop *stop = NULL;
    /* The store is opened first, so that a missing one is told on an ordinary terminal. */
    pare_status status = pare_store_open(path, false, &store, err);
    if (!status) status = pare_stop_new(&stop, err);
    if (!status) {
        pare_signals_take(stop);
        status = pare_fuzz_top_terminal_run(store, path, stop, err);
        pare_signals_leave();
    }
    pare_stop_free(stop);
    pare_store_close(store);
    return status;
}

/* Reads which store is meant, and shows it until the user has seen enough. */
static pare_exit run(const pare_arguments *arguments)
{
    pare_error err = {0};
    char *path = NULL;
    pare_status status = pare_store_choice_read(arguments, OPT_STORE, &path, &err);
    if (!status) status = show(path, &err);
    pare_alloc_free(path);
    return status ? pare_report_failure(TOP, &err) : PARE_EXIT_DONE;
}

const pare_command pare_command_fuzz_top = {
    .title = TOP,
    .name = "top",
    .summary = "show a campaign on the terminal, with keys",
    .options = {options, N_OPTS, COMMAND},
    .help = print_help,
    .run = run,
};
