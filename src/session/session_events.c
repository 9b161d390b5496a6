/* What the user is told while a session runs, and what the engine calls for it.
 *
 * Invariant: whatever the watcher is told is already on disk.  The engine saves a new best by
 * pare_session_events_save before its test retires, and only then the event is made.  Each event
 * carries the state of the whole run, so a watcher that misses some is still right. */
#include "session/session_events.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <pare/events.h>
#include <pare/outcome.h>
#include <pare/result.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/journal.h"
#include "os/clock.h"
#include "session/output/other_failures.h"
#include "session/output/output.h"
#include "session/test/session_oracle.h"
#include "text/candidate.h"
#include "text/layout.h"

double pare_session_events_elapsed_s(const pare_session *session)
{
    return (double)(pare_clock_ms() - session->start_ms) / 1000.0;
}

/* Files, and bytes of their contents, of a candidate: frames do not count. */
pare_layout_size pare_session_events_measure(const pare_session *session,
                                             const pare_candidate *candidate)
{
    if (session->layout) return pare_layout_measure(session->layout, candidate);
    return (pare_layout_size){.entries = 1, .bytes = candidate->size};
}

pare_layout_size pare_session_events_best_size(pare_session *session)
{
    const pare_candidate *best = session->engine ? pare_engine_best(session->engine) : NULL;
    if (!best)
        return (pare_layout_size){.entries = session->stats.files_in,
                                  .bytes = session->stats.bytes_in};
    pare_digest digest = pare_candidate_digest(best);
    if (!pare_digest_equal(digest, session->measured))
        session->size = pare_session_events_measure(session, best);
    session->measured = digest;
    return session->size;
}

size_t pare_session_events_best_bytes(pare_session *session)
{
    return pare_session_events_best_size(session).bytes;
}

size_t pare_session_events_content_bytes(void *context, const pare_candidate *candidate)
{
    return pare_session_events_measure(context, candidate).bytes;
}

/* Fills in what every event carries and calls the watcher. */
void pare_session_events_emit(pare_session *session, pare_event event)
{
    if (!session->options->events.watcher) return;
    pare_engine_stats engine = {0};
    if (session->engine) engine = pare_engine_statistics(session->engine);
    event.phase = session->phase;
    event.keeping = session->oracle.signature.size ? session->oracle.signature.data : NULL;
    event.input_bytes = session->stats.bytes_in;
    event.best_bytes = pare_session_events_best_bytes(session);
    event.tests_run = engine.tests_run;
    event.slots_busy = engine.slots_busy;
    event.jobs = session->stats.jobs;
    event.elapsed_s = pare_session_events_elapsed_s(session);
    session->options->events.watcher(session->options->events.context, &event);
}

void pare_session_events_notice(pare_session *session, const char *sentence)
{
    pare_session_events_emit(session, (pare_event){.kind = PARE_EVENT_NOTICE, .notice = sentence});
}

/* ---- what the engine calls -------------------------------------------------------- */

pare_status pare_session_events_save(void *context, const pare_candidate *best, pare_error *err)
{
    pare_session *session = context;
    return pare_output_save(&session->output, best, err);
}

/* Makes room for one more element of `size_bytes` in an array of n. */
bool pare_session_events_grow(void *array, size_t n, size_t *capacity, size_t size_bytes)
{
    void **block = array;
    if (n < *capacity) return true;
    size_t wider = *capacity ? *capacity * 2 : 16;
    void *bigger = pare_alloc_resize(*block, wider, size_bytes);
    if (!bigger) return false;
    *block = bigger;
    *capacity = wider;
    return true;
}

/* A point for each success: what --stats and the report draw.  Without memory the run ends with an
 * error at its next step, not in here. */
static void add_to_curve(pare_session *session)
{
    pare_stats *stats = &session->stats;
    if (!pare_session_events_grow(&stats->curve, stats->n_curve, &session->curve_capacity,
                                  sizeof *stats->curve)) {
        session->lost = PARE_E_NOMEM;
        return;
    }
    assert(stats->n_curve < session->curve_capacity);
    stats->curve[stats->n_curve++] =
        (pare_curve_point){.tests = pare_engine_statistics(session->engine).tests,
                           .seconds = pare_session_events_elapsed_s(session),
                           .bytes = pare_session_events_best_bytes(session)};
}

/* Writes down a time-out as soon as it is learnt, so that a resumed run has it too. */
static void keep_timeout(pare_session *session)
{
    uint64_t timeout_ms = pare_session_oracle_timeout_ms(&session->oracle);
    if (timeout_ms == session->stats.timeout_ms) return;
    session->stats.timeout_ms = timeout_ms;
    if (!session->journal) return;
    /* Losing this record costs only that the limit is learnt again. */
    pare_status ignored = pare_journal_add(
        session->journal,
        &(pare_journal_record){.kind = PARE_JOURNAL_TIMEOUT, .timeout_ms = timeout_ms}, NULL);
    (void)ignored;
}

pare_status pare_session_events_other(void *context, const pare_candidate *candidate,
                                      const char *signature, pare_error *err)
{
    pare_session *session = context;
    return pare_other_failures_add(&session->others, candidate, signature, err);
}

static void count_outcome(pare_stats *stats, const pare_retired *retired)
{
    stats->outcome_fail += retired->outcome == PARE_FAIL;
    stats->outcome_pass += retired->outcome == PARE_PASS;
    stats->outcome_unresolved += retired->outcome == PARE_UNRESOLVED;
    stats->other_failures += retired->signature != NULL;
}

/* Workers that end on candidates are told of once. */
static void tell_of_worker(pare_session *session)
{
    const char *sentence = pare_session_oracle_worker_notice(&session->oracle);
    if (!sentence || session->told_of_worker) return;
    session->told_of_worker = true;
    pare_session_events_notice(session, sentence);
}

void pare_session_events_retired(void *context, const pare_retired *retired)
{
    pare_session *session = context;
    count_outcome(&session->stats, retired);
    char digest[PARE_DIGEST_TEXT_BYTES];
    pare_digest_text(retired->digest, digest);
    if (retired->accepted) add_to_curve(session);
    if (retired->outcome == PARE_FAIL && !retired->accepted && !retired->stepped)
        session->sideways++;
    keep_timeout(session);
    tell_of_worker(session);
    pare_session_events_emit(session, (pare_event){.kind = PARE_EVENT_TEST,
                                                   .n = retired->n,
                                                   .digest = digest,
                                                   .size_bytes = retired->size_bytes,
                                                   .outcome = retired->outcome,
                                                   .from_cache = retired->from_cache,
                                                   .accepted = retired->accepted,
                                                   .test_ms = retired->ms,
                                                   .signature = retired->signature});
}

/* Says that the first run takes long, once or twice. */
void pare_session_events_waiting(void *context)
{
    pare_session *session = context;
    static const double after_s[] = {3, 10};
    const double hang_s = (double)session->options->keep.hang_ms / 1000;
    const double limit_s = (double)pare_session_oracle_timeout_ms(&session->oracle) / 1000;
    char sentence[256];
    if (!session->waiting_ms || session->n_waiting == 2) return;
    double waited_s = (double)(pare_clock_ms() - session->waiting_ms) / 1000;
    if (waited_s < after_s[session->n_waiting]) return;
    if (session->n_waiting++ == 0)
        (void)snprintf(sentence, sizeof sentence, "the first run takes more than %.0f s",
                       after_s[0]);
    else if (hang_s > 0)
        (void)snprintf(
            sentence, sizeof sentence,
            "the first run goes on after %.0f s: it hangs when it takes %.3g s, as --hang "
            "says",
            after_s[1], hang_s);
    else if (limit_s > 0)
        (void)snprintf(sentence, sizeof sentence,
                       "the first run goes on after %.0f s and is stopped after %.0f s: if that it "
                       "hangs is the failure, say --hang TIME, else give it more by --timeout TIME",
                       after_s[1], limit_s);
    else
        return;
    pare_session_events_notice(session, sentence);
}

void pare_session_events_tick(void *context)
{
    pare_session_events_waiting(context);
    pare_session_events_emit(context, (pare_event){.kind = PARE_EVENT_PROGRESS});
}
