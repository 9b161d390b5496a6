/* Everything around one call of the library: signals that stop it, the files it writes, and the
 * display.  At most one at a time. */
#ifndef PARE_CLI_CONSOLE_H
#define PARE_CLI_CONSOLE_H

#include <pare/explain.h>
#include <pare/result.h>
#include <pare/stop.h>

#include "cli/report.h"
#include "cli/settings.h"
#include "ui/best_log.h"
#include "ui/candidates.h"
#include "ui/progress.h"
#include "ui/reduce_view.h"
#include "ui/stats.h"

/* All-zero before pare_console_open. */
typedef struct pare_console {
    const char *command;     /* "pare reduce"; borrowed */
    const char *proof;       /* see pare_summary; may be set after open */
    pare_settings *settings; /* borrowed */
    const void *passing;     /* isolate: the passing side, for the report; borrowed; may be
                                set after open */
    size_t passing_bytes;
    size_t n_differences, n_differences_in; /* isolate: between the sides, at the end and before */
    const pare_explanation *explanation;    /* for the report; borrowed; may be set after open */
    const pare_readable *readable;          /* likewise */
    const char
        *backup_path; /* where the input is kept, as pare_console_finish was told; borrowed */
    bool takes_keys;  /* may be watched in the view; set before open */
    pare_progress *progress;       /* owned, as all below */
    pare_reduce_view_thread *view; /* NULL: there is none, or not any more */
    pare_trace *trace;
    pare_best_log *log; /* for the report; NULL: there is none */
    pare_candidates *candidates;
    FILE *stats;
    pare_stop *stop;
} pare_console;

/* Opens the trace and the statistics, sees whether the report can be made, and sets watcher and stop
 * in settings->reduce.  SIGINT, SIGTERM and SIGHUP (unless that is ignored, as nohup(1) does) ask
 * the reduction to stop from then on; SIGPIPE is ignored in this process, but not in tests.
 * Errors: PARE_E_IO, PARE_E_NOMEM; needs pare_console_close in any case. */
PARE_CHECK pare_status pare_console_open(pare_console *console, const char *command,
                                         pare_settings *settings, pare_error *err);

/* Gives the terminal back to whoever wants to ask something there: the line is taken away, the view
 * is closed, and no key is listened to any more. */
void pare_console_give_terminal(pare_console *console);

/* Says how the run ended, fills the statistics, writes the report, and gives
 * the exit code.
 * `status` and *err are the library's answer, `backup_path` is the kept input
 * or NULL. */
pare_exit pare_console_finish(pare_console *console, pare_status status, const pare_error *err,
                              const pare_result *result, const char *backup_path);

/* Writes the report once more, with what was found out since the run has ended: its explanation.
 * PARE_EXIT_ERROR, with a sentence, when it cannot be written. */
pare_exit pare_console_write_report(const pare_console *console, const pare_result *result);

/* The open console of the settings. */
pare_console *pare_console_of(const pare_settings *settings);

/* Gives up what the console holds; trace failures turn `code` into an error. */
pare_exit pare_console_close(pare_console *console, pare_exit code);

#endif
