/* The end of a session: the best is on disk, then the caller gets the result, then the journal goes.
 *
 * That order is that of what must not be lost: what a step needs to be done again is given up only
 * when its outcome is safe.  A run that failed comes here as well, so that the caller has what there
 * is; only its own error is told then. */
#include "session/session.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <pare/events.h>
#include <pare/result.h>
#include <pare/switch.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "os/clock.h"
#include "run/remote/remote.h"
#include "session/output/history_log.h"
#include "session/output/output.h"
#include "session/output/output_backup.h"
#include "session/output/script.h"
#include "session/test/session_oracle.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"

/* Takes one piece of the content; `context` is the address of the place where it goes.
 * There is room for all of them: the size was measured before. */
static int copy_span(void *context, pare_span span)
{
    unsigned char **to = context;
    memcpy(*to, span.bytes, span.size);
    *to += span.size;
    return 0;
}

/* Sets result->bytes to the content of the one file that was reduced, without its frame
 * and the words. */
static pare_status hand_over_bytes(const pare_session *session, pare_result *result,
                                   pare_error *err)
{
    const pare_candidate *best = pare_engine_best(session->engine);
    /* Several files are on disk, and in no block of memory. */
    if (session->layout && !session->layout->is_file) return PARE_OK;
    unsigned char *to = pare_alloc(result->size_bytes + 1, 1);
    if (!to) return pare_fail_nomem(err);
    result->bytes = to;
    if (session->layout)
        (void)pare_layout_content(session->layout, best, 0, copy_span, &to);
    else
        pare_candidate_read(best, result->bytes);
    /* A result that is a text can be used as one; the byte is not counted. */
    result->bytes[result->size_bytes] = '\0';
    return PARE_OK;
}

/* Sets the result's bytes, or its words, from the engine's best, of which the session's statistics
 * hold the size; signature, other failures and statistics are the result's from then on.  What was
 * set before a failure is the caller's all the same. */
static pare_status hand_over(pare_session *session, pare_result *result, pare_error *err)
{
    /* Bytes of files that stay as they are are not in the statistics, but in the
     * result. */
    result->size_bytes = session->stats.bytes_out + session->kept_bytes;
    pare_status status = hand_over_bytes(session, result, err);
    if (!status)
        status = pare_script_texts(&session->output.script, pare_engine_best(session->engine),
                                   &result->command, &result->variables, err);
    if (status) return status;
    if (session->oracle.signature.size) {
        result->signature =
            pare_alloc_text(session->oracle.signature.data, session->oracle.signature.size);
        if (!result->signature) return pare_fail_nomem(err);
    }
    /* The list changes hands; the session is closed without it. */
    result->others = session->others.list;
    result->n_others = session->others.n;
    session->others.list = NULL;
    session->others.n = 0;
    result->stats = session->stats;
    session->stats.passes = NULL;
    session->stats.curve = NULL;
    session->stats.n_passes = session->stats.n_curve = 0;
    /* It pointed into the passes that have just changed hands. */
    session->pass = NULL;
    session->phase = "";
    return PARE_OK;
}

/* Takes the last figures, once nothing is tested any more.
 * What the engine, the oracle and the workers have counted is copied, since they are
 * gone when the user sees it. */
static void take_figures(pare_session *session, pare_stopped stopped, pare_minimal minimal)
{
    pare_engine_stats engine = pare_engine_statistics(session->engine);
    pare_stats *stats = &session->stats;
    const char *reason;
    /* Why it is this runner is copied as well: the oracle has the sentence. */
    stats->runner = pare_session_oracle_runner(&session->oracle, &reason);
    (void)snprintf(stats->runner_reason, sizeof stats->runner_reason, "%s", reason);
    stats->bytes_out = pare_session_best_bytes(session);
    stats->files_out = pare_session_best_size(session).entries;
    stats->arguments_out = pare_session_best_size(session).arguments;
    stats->variables_out = pare_session_best_size(session).variables;
    stats->tests_run = engine.tests_run;
    stats->cache_hits = engine.cache_hits;
    stats->speculated = engine.speculated;
    stats->cancelled = engine.cancelled;
    stats->oracle_s = engine.oracle_ms / 1000.0;
    stats->busy_s = engine.busy_ms / 1000.0;
    stats->wall_s = pare_session_elapsed_s(session);
    if (engine.told) { /* else failures alone would say that all is well */
        stats->compiled.candidates = engine.told + engine.heard_fails;
        stats->compiled.compiled = engine.told - engine.rejected + engine.heard_fails;
    }
    stats->compiled.checks = engine.checked;
    stats->compiled.check_s = engine.check_ms / 1000.0;
    stats->safety = pare_session_oracle_safety(&session->oracle);
    const pare_remote_counts workers = pare_session_oracle_workers(&session->oracle);
    stats->workers = (pare_workers_stats){.most_machines = workers.most_workers,
                                          .most_slots = workers.most_slots,
                                          .tests_away = workers.n_away,
                                          .tests_back = workers.n_recalled,
                                          .tests_known = workers.n_known,
                                          .traffic_bytes = workers.traffic.n_bytes};
    const char *unprotected = pare_session_oracle_notice(&session->oracle);
    (void)snprintf(stats->unprotected, sizeof stats->unprotected, "%s",
                   unprotected ? unprotected : "");
    stats->cpu_s = pare_clock_cpu_s() - session->start_cpu_s;
    stats->peak_rss_bytes = pare_clock_peak_rss_bytes();
    stats->output_edited = pare_output_is_edited(&session->output);
    stats->stopped = stopped;
    stats->minimal = minimal;
}

/* Removes the journal of a run that is complete; one that can be continued keeps it.
 * The history stays in its folder.
 * A history of an earlier run is about another result, and one of the input alone about
 * none: so without `history`, or without a success, the history goes, too. */
static pare_status end_journal(pare_session *session, pare_stopped stopped, pare_error *err)
{
    /* The minimum is reached, or what the user asked for: nothing would be gained by
     * going on. */
    bool complete = stopped == PARE_STOPPED_MINIMAL || stopped == PARE_STOPPED_TARGET ||
                    stopped == PARE_STOPPED_EFFORT;
    if (!session->journal || !complete || session->options->output.keep_journal == PARE_ON)
        return PARE_OK;
    const bool found_any = pare_engine_statistics(session->engine).successes > 0;
    if (session->options->output.history != PARE_ON || !found_any)
        pare_history_log_drop(session->options->output.journal_dir);
    return pare_session_remove_journal(session, err);
}

/* Tells where the files are that the results have replaced, each with the reason why it
 * was not taken for ours.
 * Copies that equal the result are removed before, so that a run that is repeated tells
 * nothing. */
static pare_status tell_backups(pare_session *session, pare_error *err)
{
    char sentence[PARE_ERROR_TEXT_BYTES];
    pare_status status = pare_output_backup_finish(&session->output.backup, err);
    for (size_t i = 0; i < PARE_OUTPUT_BACKUP_FILES; i++) {
        const pare_output_backup_name *kept = session->output.backup.file[i].kept;
        for (size_t k = 0; k < session->output.backup.file[i].n_kept; k++) {
            const char *why = kept[k].is_edit ? "was changed by somebody else during the run"
                              : session->output.backup.is_disowned
                                  ? "held a result before the run went back"
                                  : "was not written by this reduction";
            (void)snprintf(sentence, sizeof sentence, "%s %s: what it held is in %s",
                           session->output.backup.file[i].path, why, kept[k].text);
            pare_event_notice(session, sentence);
        }
    }
    return status;
}

/* The order is that of what must not be lost: the best on disk, then what the caller gets, then
 * what can be done again from the journal, which goes last. */
pare_status pare_session_finish(pare_session *session, pare_stopped stopped, pare_minimal minimal,
                                pare_result *result, pare_error *err)
{
    assert(pare_engine_best(session->engine) && "the input was checked");
    take_figures(session, stopped, minimal);
    pare_status status = PARE_OK;
    if (session->stats.n_curve == 0) /* no success, so nothing was written yet */
        status = pare_session_save_best(session, pare_engine_best(session->engine), err);
    if (!status)
        status = pare_output_catch_up(&session->output, pare_engine_best(session->engine), err);
    /* As the last step of the history, since it is the result. */
    if (!status)
        pare_session_note_best(session, pare_engine_statistics(session->engine).retired, true);
    /* Files of other failures have to survive a loss of power before the journal goes,
     * from which they would come again. */
    if (!status) status = pare_output_sync_others(&session->others, err);
    if (!status) status = hand_over(session, result, err);
    if (!status) status = tell_backups(session, err);
    if (!status) status = end_journal(session, stopped, err);
    /* Told in any case, so that a watcher that opened something can close it. */
    pare_event_emit(session, (pare_event){.kind = PARE_EVENT_END});
    return status;
}
