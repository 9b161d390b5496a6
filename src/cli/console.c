/* Files, signals and display around one call of the library.
 *
 * open and close bracket the call; between them the library's events come to watch(), on the
 * thread that called it, and finish() says how it ended.  Everything that can be refused is
 * refused in open: no test has run then.  What fails in finish (statistics, report) changes the
 * exit code and nothing else, because the result is on disk already. */

#include "cli/console.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <pare/algorithm.h>
#include <pare/events.h>
#include <pare/language.h>
#include <pare/output.h>
#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/stop.h>
#include <pare/switch.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "cli/ask.h"
#include "cli/page_file.h"
#include "cli/paths.h"
#include "cli/shell.h"
#include "cli/signals.h"
#include "ui/format.h"
#include "ui/stats.h"
#include "ui/summary.h"

/* Of a path in a message. */
enum { SHOWN_BYTES = 400 };

/* ---- opening ------------------------------------------------------------------------ */

/* The context is the console; the view is closed, or there is none. */
static void show_line(void *context, const pare_event *event)
{
    pare_console *console = context;
    /* To standard error, whatever else is shown: a system that protects less than it was to is
     * for all to see. */
    if (event->is_warning) {
        pare_progress_erase(console->progress);
        pare_report(console->command, "warning: %s", event->notice);
    }
    pare_progress_show(console->progress, event);
}

/* There is no event. */
static void erase_line(void *context, const pare_event *event)
{
    pare_console *console = context;
    (void)event;
    pare_progress_erase(console->progress);
}

/* The context is the console.  Called for each test, so it must not wait. */
static void watch(void *context, const pare_event *event)
{
    pare_console *console = context;
    if (console->view)
        pare_reduce_view_thread_watch(console->view, event);
    else
        show_line(console, event);
    if (console->trace) pare_stats_trace_add(console->trace, event);
    if (console->log) pare_best_log_add(console->log, event);
    if (console->candidates) pare_candidates_add(console->candidates, event);
}

/* A line that is redrawn only where it can be; --quiet and --verbose are the same everywhere.
 * Colours and redrawing are asked of standard output, to which all of this goes. */
static pare_status open_progress(pare_console *console, pare_error *err)
{
    /* Normal is the zero of both enums, and not named: lines, where no line can be redrawn. */
    static const pare_progress_mode modes[] = {
        [PARE_QUIET] = PARE_PROGRESS_QUIET,
        [PARE_VERBOSE] = PARE_PROGRESS_VERBOSE,
    };
    pare_verbosity verbosity = console->settings->verbosity;
    pare_progress_options options = {
        .out = stdout,
        .mode = modes[verbosity],
        .charset = pare_format_charset(),
        .paint = pare_format_paint(console->settings->color, STDOUT_FILENO),
    };
    if (verbosity == PARE_NORMAL && pare_format_redraw(STDOUT_FILENO) == PARE_REDRAW)
        options.mode = PARE_PROGRESS_LINE;
    return pare_progress_new(&options, &console->progress, err);
}

/* By which language the view highlights: the one that is named, else by the input's name; NULL: none,
 * also where a grammar is used. */
static const char *language_of(const pare_settings *settings)
{
    const pare_tree_options *trees = &settings->reduce.trees;
    const pare_language_info *info = NULL;
    if (trees->n_grammars) return NULL;
    if (trees->language && strcmp(trees->language, "auto") != 0)
        return strcmp(trees->language, "none") == 0 ? NULL : trees->language;
    if (settings->reduce.input.path) info = pare_language_for_file(settings->reduce.input.path);
    return info ? info->name : NULL;
}

/* Listens to keys where the line is redrawn, if the terminal is ours: nobody has asked for that, so
 * nothing is said where it is not. */
static pare_status open_view(pare_console *console, pare_error *err)
{
    const pare_settings *settings = console->settings;
    const pare_reduce_options *reduce = &settings->reduce;
    const bool is_line =
        settings->verbosity == PARE_NORMAL && pare_format_redraw(STDOUT_FILENO) == PARE_REDRAW;
    const pare_reduce_view_thread_options options = {
        .name = pare_settings_subject(settings),
        .output_path = reduce->input.n_paths ? NULL : reduce->output.path,
        .history_path = reduce->output.history == PARE_ON ? reduce->output.journal_dir : NULL,
        .language = language_of(settings),
        .stop = console->stop,
        .is_open = settings->view,
        .line = show_line,
        .erase = erase_line,
        .context = console};
    if (!console->takes_keys || (!is_line && !settings->view)) return PARE_OK;
    pare_status status = pare_reduce_view_thread_new(&options, &console->view, err);
    if (status == PARE_E_STATE && settings->view)
        /* That it is asked for where it cannot be is the command line's mistake. */
        status = err->status = PARE_E_ARG;
    return status == PARE_E_NOMEM || settings->view ? status : PARE_OK;
}

/* Opened at the start, so that a wrong name is not found out after an hour; what is in it
 * stays until there is something to write.  Opened for writing without being cut: see
 * write_stats. */
static pare_status open_stats(pare_console *console, pare_error *err)
{
    char shown[SHOWN_BYTES];
    const char *path = console->settings->stats_path;
    /* No O_TRUNC, for the same reason. */
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    console->stats = fd < 0 ? NULL : fdopen(fd, "w");
    if (console->stats) return PARE_OK;
    /* close may change it. */
    int reason = errno;
    if (fd >= 0) close(fd);
    return pare_fail_errno(err, reason, "cannot write the statistics '%s'",
                           pare_format_name(shown, sizeof shown, path));
}

/* The result is a file, or a folder that is replaced. */
static pare_status check_result(const pare_settings *settings, pare_error *err)
{
    const pare_reduce_options *reduce = &settings->reduce;
    /* In place the library looks itself (session/output/in_place.c); without an output there is
     * nothing to look at. */
    if (settings->in_place || !reduce->output.path) return PARE_OK;
    /* An input that is not there is told of by the library; that the folder of its result is not there, too,
     * would be a riddle. */
    const char *input = reduce->input.path;
    if (input && strcmp(input, "-") != 0 && access(input, F_OK) != 0) return PARE_OK;
    return reduce->input.n_paths ? pare_paths_check_parent("output", reduce->output.path, err)
                                 : pare_paths_check_file("output", reduce->output.path, err);
}

/* Looks at every file that `settings` have us write, so that a run does not fail at its end.
 * The library would fail at the first write of each, after the tests that led to it. */
static pare_status check_places(const pare_settings *settings, pare_error *err)
{
    const pare_reduce_options *reduce = &settings->reduce;
    const struct {
        const char *option, *path;
    } files[] = {{"output", reduce->output.choices_path},
                 {"output", reduce->output.script_path},
                 {"signature", reduce->keep.signature_path}};
    pare_status status = check_result(settings, err);
    for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++)
        if (files[i].path) status = pare_paths_check_file(files[i].option, files[i].path, err);
    return status;
}

/* Named as the input is; several files are kept as one text. */
static pare_status open_candidates(pare_console *console, pare_error *err)
{
    const pare_settings *settings = console->settings;
    const char *extension =
        settings->reduce.input.n_paths ? "" : pare_paths_extension(pare_settings_subject(settings));
    return pare_candidates_open(settings->candidates_dir, extension, &console->candidates, err);
}

/* First all that can be refused, then what has to be closed again; the library gets its watcher
 * and its stop last. */
pare_status pare_console_open(pare_console *console, const char *command, pare_settings *settings,
                              pare_error *err)
{
    console->command = command;
    assert(!console->progress && !console->stop); /* all-zero before */
    console->settings = settings;
    pare_status status = check_places(settings, err);
    if (status == PARE_OK && settings->report_path)
        status = pare_page_file_check(settings->report_path, err);
    if (status == PARE_OK && settings->report_path) status = pare_best_log_new(&console->log, err);
    if (status == PARE_OK) status = pare_stop_new(&console->stop, err);
    if (status == PARE_OK) status = open_progress(console, err);
    if (status == PARE_OK && settings->trace_path)
        status = pare_stats_trace_open(
            settings->trace_path, settings->has_trace_texts ? PARE_TRACE_TEXTS : PARE_TRACE_DIGESTS,
            &console->trace, err);
    if (status == PARE_OK && settings->candidates_dir) status = open_candidates(console, err);
    if (status == PARE_OK && settings->stats_path) status = open_stats(console, err);
    /* Nothing in settings points to the console yet, so a failure leaves no trace in them. */
    if (status != PARE_OK) return status;
    settings->reduce.events.watcher = watch;
    settings->reduce.events.context = console;
    settings->reduce.events.stop = console->stop;
    pare_signals_take(console->stop);
    /* Last: it changes how the terminal is set, and signals are taken before curses looks at them. */
    return open_view(console, err);
}

/* As pare_console_open has set it. */
pare_console *pare_console_of(const pare_settings *settings)
{
    assert(settings->reduce.events.watcher == watch);
    return settings->reduce.events.context;
}

void pare_console_give_terminal(pare_console *console)
{
    pare_reduce_view_thread_free(console->view);
    console->view = NULL;
    pare_progress_erase(console->progress);
}

/* ---- the end of a run ----------------------------------------------------------------- */

/* Summaries name what is there, not what was planned. */
static bool exists(const char *path)
{
    return path && access(path, F_OK) == 0;
}

/* The command that lists the history, on a terminal, where somebody may type it; empty: there is none.
 * Without memory it is not told. */
static void name_history(const pare_settings *settings, const pare_stats *stats,
                         pare_buffer *command)
{
    const pare_output_options *output = &settings->reduce.output;
    const char *subject = settings->journal.size ? settings->output.data : output->journal_dir;
    if (output->history != PARE_ON || !output->journal_dir || !stats->n_curve) return;
    if (!isatty(STDOUT_FILENO)) return;
    pare_status status = pare_buffer_format(command, NULL, "%s/history", output->journal_dir);
    const bool is_there = !status && exists(command->data);
    pare_buffer_reset(command);
    if (!is_there) return;
    status = pare_buffer_text(command, "pare history ", NULL);
    if (!status) status = pare_shell_add_word(command, subject, NULL);
    if (status) pare_buffer_reset(command);
}

/* Of the paths only those at which something is: a run that was stopped early has not written
 * all of them.  What is not there is NULL, which the summary passes over. */
static void print_summary(const pare_console *console, const pare_stats *stats,
                          const char *backup_path)
{
    const pare_reduce_options *reduce = &console->settings->reduce;
    pare_buffer history = {0};
    name_history(console->settings, stats, &history);
    pare_summary summary = {
        .input_name = pare_settings_subject(console->settings),
        .output_path = exists(reduce->output.path) ? reduce->output.path : NULL,
        .n_places = reduce->output.in_place == PARE_ON ? reduce->input.n_paths : 0,
        .backup_path = exists(backup_path) ? backup_path : NULL,
        .journal_dir =
            pare_paths_has_journal(reduce->output.journal_dir) ? reduce->output.journal_dir : NULL,
        .script_path = exists(reduce->output.script_path) ? reduce->output.script_path : NULL,
        .history = history.size ? history.data : NULL,
        .proof = console->proof,
        .lacks = pare_language_supported()
                     ? NULL
                     : "tree-sitter: this pare was built without it and knows no language",
        .paint = pare_format_paint(console->settings->color, STDOUT_FILENO),
    };
    pare_summary_print(stdout, &summary, stats);
    pare_buffer_done(&history);
}

/* What went wrong, and where the best so far is if there is one.  At most one of the three is
 * printed: what there is to choose from says more than how the check ended. */
static void print_failure(const pare_console *console, pare_status status, const pare_error *err,
                          const pare_result *result)
{
    const char *output = console->settings->output.data;
    pare_report_error(console->command, err);
    /* PARE_E_STATE is a check that failed: then what the test did helps, or what there is to choose
     * from. */
    if (status == PARE_E_STATE && result->n_reported)
        pare_ask_print_problems(stderr, console->command, result, console->settings);
    else if (status == PARE_E_STATE)
        pare_summary_print_check(stderr, result);
    else if (result->stats.n_curve > 0 && !result->stats.output_edited && exists(output))
        pare_report(console->command, "the best so far is in '%s'", output);
}

/* The file was opened before the run, and is cut only now, so that a run which fails leaves what
 * was there. */
static pare_exit write_stats(const pare_console *console, const pare_result *result)
{
    const char *algorithm = console->settings->reduce.algorithms;
    pare_error err = {0};
    /* Fails for what is no file, such as a pipe: nothing to cut there. */
    bool cut = ftruncate(fileno(console->stats), 0) == 0;
    (void)cut;
    if (pare_stats_write(console->stats, algorithm ? algorithm : "auto", result, &err) == PARE_OK)
        return PARE_EXIT_DONE;
    pare_report_error(console->command, &err);
    return PARE_EXIT_ERROR;
}

/* Whatever goes wrong here, the result is safe.  The report comes last, since it reads the
 * result from where it was written. */
pare_exit pare_console_write_report(const pare_console *console, const pare_result *result)
{
    pare_error err = {0};
    pare_page_task task = {.settings = console->settings,
                           .command = console->command,
                           .proof = console->proof,
                           .result = result,
                           .original_path = console->backup_path,
                           .passing = console->passing,
                           .passing_bytes = console->passing_bytes,
                           .n_differences = console->n_differences,
                           .n_differences_in = console->n_differences_in,
                           .explanation = console->explanation,
                           .readable = console->readable,
                           .log = console->log};
    if (console->log) pare_best_log_end(console->log);
    if (pare_page_file_write(&task, &err) == PARE_OK) return PARE_EXIT_DONE;
    pare_report_error(console->command, &err);
    return PARE_EXIT_ERROR;
}

static pare_exit write_report(const pare_console *console, const pare_result *result)
{
    const pare_settings *settings = console->settings;
    char shown[SHOWN_BYTES];
    pare_exit code = pare_console_write_report(console, result);
    if (code == PARE_EXIT_DONE && settings->verbosity != PARE_QUIET)
        printf("  report   %s\n", pare_format_name(shown, sizeof shown, settings->report_path));
    return code;
}

/* An interrupted reduction has a result, but scripts must see that it was not finished.  An
 * empty input is told by its size alone; a run over words has no bytes in either case. */
static pare_exit exit_of(pare_status status, const pare_stats *stats)
{
    if (status != PARE_OK) return pare_report_exit(status);
    if (stats->stopped == PARE_STOPPED_INTERRUPTED) return PARE_EXIT_INTERRUPTED;
    /* Words alone have no bytes of input, and are something to reduce all the same. */
    bool words = stats->arguments_in || stats->variables_in;
    return stats->bytes_in == 0 && !words ? PARE_EXIT_NOTHING : PARE_EXIT_DONE;
}

/* Statistics and report are written for a run that ended well only; that they could not be is
 * told after the summary.  Whatever the status, the line of the progress is erased first. */
pare_exit pare_console_finish(pare_console *console, pare_status status, const pare_error *err,
                              const pare_result *result, const char *backup_path)
{
    assert(console->progress && console->stop); /* pare_console_open has succeeded */
    pare_exit code = exit_of(status, &result->stats);
    console->backup_path = backup_path;
    pare_console_give_terminal(console);
    if (status != PARE_OK)
        print_failure(console, status, err, result);
    else if (code == PARE_EXIT_NOTHING)
        pare_report(console->command, "the input is empty: there is nothing to reduce");
    else if (console->settings->verbosity != PARE_QUIET) {
        print_summary(console, &result->stats, backup_path);
        pare_summary_print_failures(stdout, result);
    }
    /* On standard error, as all that is no result. */
    if (status == PARE_OK && console->settings->verbosity == PARE_VERBOSE)
        pare_report(console->command, "tests were run by '%s'%s%s",
                    pare_stats_runner_name(result->stats.runner),
                    *result->stats.runner_reason ? ": " : "", result->stats.runner_reason);
    if (status == PARE_OK && console->settings->verbosity != PARE_QUIET &&
        pare_report_printed(console->command) != PARE_EXIT_DONE)
        code = PARE_EXIT_ERROR;
    if (status == PARE_OK && console->stats && write_stats(console, result)) code = PARE_EXIT_ERROR;
    if (status == PARE_OK && console->settings->report_path && write_report(console, result))
        code = PARE_EXIT_ERROR;
    return code;
}

/* Signals end the process again before the stop that they would request is freed. */
pare_exit pare_console_close(pare_console *console, pare_exit code)
{
    pare_error err = {0};
    pare_reduce_view_thread_free(console->view);
    if (pare_stats_trace_close(console->trace, &err) != PARE_OK) {
        pare_report_error(console->command, &err);
        code = PARE_EXIT_ERROR;
    }
    pare_fail_clear(&err);
    if (pare_candidates_close(console->candidates, &err) != PARE_OK) {
        pare_report_error(console->command, &err);
        code = PARE_EXIT_ERROR;
    }
    /* What was written was flushed and checked when it was (ui/stats.c). */
    if (console->stats) fclose(console->stats);
    pare_progress_free(console->progress);
    pare_best_log_free(console->log);
    pare_signals_leave();
    pare_stop_free(console->stop);
    return code;
}
