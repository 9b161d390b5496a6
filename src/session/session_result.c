/* The end of a session: the last figures, the last save, and the result out of what it has.
 *
 * What is owned changes hands: the session is left without it.  A journal of a run that can go on
 * stays; that of a complete one goes last, when all else is on disk, so that a kill in between
 * only repeats the end. */
#include "session/session.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <pare/events.h>
#include <pare/result.h>
#include <pare/switch.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "session/output/script.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/text.h"

#include "engine/journal.h"
#include "os/clock.h"
#include "session/output/in_place.h"
#include "session/output/output_backup.h"
#include "session/session.h"
#include "session/test/learn_signature.h"
#include "session/test/session_oracle.h"

static int copy_span(void *context, pare_span span)
{
    unsigned char **to = context;
    memcpy(*to, span.bytes, span.size);
    *to += span.size;
    return 0;
}

/* The content of the one file that was reduced. */
static pare_status hand_over_bytes(const pare_session *session, pare_result *result,
                                   pare_error *err)
{
    const pare_candidate *best = pare_engine_best(session->engine);
    if (session->layout && !session->layout->is_file) return PARE_OK;
    unsigned char *to = pare_alloc(result->size_bytes + 1, 1);
    if (!to) return pare_fail_nomem(err);
    result->bytes = to;
    if (session->layout)
        (void)pare_layout_content(session->layout, best, 0, copy_span, &to);
    else
        pare_candidate_read(best, result->bytes);
    result->bytes[result->size_bytes] = '\0';
    return PARE_OK;
}

/* What is left of the command. */
static pare_status hand_over_words(const pare_session *session, pare_result *result,
                                   pare_error *err)
{
    pare_buffer command = {0}, variables = {0};
    const pare_script *script = &session->output.script;
    const pare_candidate *best = pare_engine_best(session->engine);
    if (!script->layout) return PARE_OK;
    pare_status status = pare_script_command(script, best, &command, err);
    if (!status && script->environment) status = pare_buffer_text(&variables, "", err);
    if (!status && script->environment)
        status = pare_script_variables(script, best, &variables, err);
    if (status) {
        pare_buffer_done(&command);
        pare_buffer_done(&variables);
        return status;
    }
    result->command = command.data;
    result->variables = variables.data;
    return PARE_OK;
}

/* Sets the result's bytes, or its words, from the engine's best, of which the session's statistics
 * hold the size; signature, other failures and statistics are the result's from then on.  What was
 * set before a failure is the caller's all the same. */
static pare_status hand_over(pare_session *session, pare_result *result, pare_error *err)
{
    result->size_bytes = session->stats.bytes_out;
    pare_status status = hand_over_bytes(session, result, err);
    if (!status) status = hand_over_words(session, result, err);
    if (status) return status;
    if (session->oracle.signature.size) {
        result->signature =
            pare_alloc_text(session->oracle.signature.data, session->oracle.signature.size);
        if (!result->signature) return pare_fail_nomem(err);
    }
    result->others = session->others.list;
    result->n_others = session->others.n;
    session->others.list = NULL;
    session->others.n = 0;
    result->stats = session->stats;
    session->stats.passes = NULL;
    session->stats.curve = NULL;
    session->stats.n_passes = session->stats.n_curve = 0;
    session->pass = NULL;
    session->phase = "";
    return PARE_OK;
}

/* Takes the last figures. */
static void take_figures(pare_session *session, pare_stopped stopped, pare_minimal minimal)
{
    pare_engine_stats engine = pare_engine_statistics(session->engine);
    pare_stats *stats = &session->stats;
    const char *reason;
    stats->runner = pare_session_oracle_runner(&session->oracle, &reason);
    (void)snprintf(stats->runner_reason, sizeof stats->runner_reason, "%s", reason);
    stats->bytes_out = pare_session_best_size(session).bytes;
    stats->files_out = pare_session_best_size(session).entries;
    stats->arguments_out = pare_session_best_size(session).arguments;
    stats->variables_out = pare_session_best_size(session).variables;
    stats->tests_run = engine.tests_run;
    stats->cache_hits = engine.cache_hits;
    stats->speculated = engine.speculated;
    stats->cancelled = engine.cancelled;
    stats->oracle_s = engine.oracle_ms / 1000.0;
    stats->wall_s = pare_session_elapsed_s(session);
    stats->safety = pare_session_oracle_safety(&session->oracle);
    const char *unprotected = pare_session_oracle_notice(&session->oracle);
    (void)snprintf(stats->unprotected, sizeof stats->unprotected, "%s",
                   unprotected ? unprotected : "");
    stats->cpu_s = pare_clock_cpu_s() - session->start_cpu_s;
    stats->peak_rss_bytes = pare_clock_peak_rss_bytes();
    stats->stopped = stopped;
    stats->minimal = minimal;
}

/* A run that can be continued keeps its journal. */
static pare_status end_journal(pare_session *session, pare_stopped stopped, pare_error *err)
{
    bool complete = stopped == PARE_STOPPED_MINIMAL || stopped == PARE_STOPPED_TARGET ||
                    stopped == PARE_STOPPED_EFFORT;
    if (!session->journal || !complete || session->options->output.keep_journal == PARE_ON)
        return PARE_OK;
    pare_learn_signature_drop(&session->oracle, session->options->output.journal_dir);
    pare_in_place_drop(session->options->output.journal_dir);
    pare_output_backup_drop(session->options->output.journal_dir);
    pare_status status = pare_journal_remove(session->journal, err);
    session->journal = NULL;
    return status;
}

/* Says what was kept of what the results have replaced. */
static pare_status tell_backups(pare_session *session, pare_error *err)
{
    char sentence[PARE_ERROR_TEXT_BYTES];
    pare_status status = pare_output_backup_finish(&session->output.backup, err);
    for (size_t i = 0; i < PARE_OUTPUT_BACKUP_FILES; i++) {
        const char *kept = session->output.backup.file[i].kept;
        if (!kept) continue;
        (void)snprintf(sentence, sizeof sentence,
                       "%s was not written by this reduction: what it held is in %s",
                       session->output.backup.file[i].path, kept);
        pare_session_notice(session, sentence);
    }
    return status;
}

pare_status pare_session_finish(pare_session *session, pare_stopped stopped, pare_minimal minimal,
                                pare_result *result, pare_error *err)
{
    assert(pare_engine_best(session->engine) && "the input was checked");
    take_figures(session, stopped, minimal);
    pare_status status = PARE_OK;
    if (session->stats.n_curve == 0) /* no success, so nothing was written yet */
        status = pare_session_save(session, pare_engine_best(session->engine), err);
    if (!status) status = hand_over(session, result, err);
    if (!status) status = tell_backups(session, err);
    if (!status) status = end_journal(session, stopped, err);
    pare_session_emit(session, (pare_event){.kind = PARE_EVENT_END});
    return status;
}
