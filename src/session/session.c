/* Sessions: opening all that a run needs, running strategies and pools in it, telling of it, closing.
 *
 * The order of opening is that in which things can be refused for the least: the output before the
 * oracle, the oracle before its signature is learnt, the journal after it (the signature is a part
 * of what it is a journal of), the engine last.  Nothing is written before the first test but the
 * journal's directory.
 *
 * Invariant of events: whatever the watcher is told is already on disk.  The engine saves a new
 * best by save_best before its test retires, and only then the event is made.  Each event
 * carries the state of the whole run, so a watcher that misses some is still right.
 *
 * At the end what is owned changes hands: the result has it, the session is left without it.  The
 * journal of a run that can go on stays; that of a complete one goes last, when all else is on
 * disk, so that a kill in between only repeats the end. */

#include "session/session.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <pare/events.h>
#include <pare/keep.h>
#include <pare/outcome.h>
#include <pare/output.h>
#include <pare/result.h>
#include <pare/switch.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/vector.h"
#include "engine/engine.h"
#include "engine/journal.h"
#include "engine/pool.h"
#include "engine/pool_options.h"
#include "engine/strategy.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/stop.h"
#include "run/diagnostic.h"
#include "run/rate.h"
#include "session/output/in_place.h"
#include "session/output/output.h"
#include "session/output/output_backup.h"
#include "session/read_input.h"
#include "session/reducible_ranges.h"
#include "session/test/learn_signature.h"
#include "session/test/made_texts.h"
#include "session/test/session_oracle.h"
#include "session/test/travel.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/patch.h"
#include "text/text.h"

/* How often the watcher is told that the run goes on when no other event has a reason. Ten times a
 * second is enough for one that redraws a line. */
enum { TICK_MS = 100 };

/* ---- figures ------------------------------------------------------------------------ */

double pare_session_elapsed_s(const pare_session *session)
{
    return (double)(pare_clock_ms() - session->start_ms) / 1000.0;
}

/* Files, and bytes of their contents, of a candidate: frames do not count. */
static pare_layout_size size_of(const pare_session *session, const pare_candidate *candidate)
{
    if (session->layout) return pare_layout_measure(session->layout, candidate);
    return (pare_layout_size){.entries = 1, .bytes = candidate->size};
}

/* Asked for after each test, and of several files it takes a walk over all of them: so the size of the
 * last best is remembered under its digest. */
pare_layout_size pare_session_best_size(pare_session *session)
{
    const pare_candidate *best = session->engine ? pare_engine_best(session->engine) : NULL;
    if (!best)
        return (pare_layout_size){.entries = session->stats.files_in,
                                  .bytes = session->stats.bytes_in + session->kept_bytes};
    pare_digest digest = pare_candidate_digest(best);
    if (!pare_digest_equal(digest, session->measured)) session->size = size_of(session, best);
    session->measured = digest;
    return session->size;
}

/* The size that users are told; of the input before there is a best. */
size_t pare_session_best_bytes(pare_session *session)
{
    const size_t bytes = pare_session_best_size(session).bytes;
    assert(bytes >= session->kept_bytes);
    return bytes - session->kept_bytes;
}

/* The size of a candidate without frames, for the engine: it is what users are told and what the
 * target is compared with. */
static size_t content_bytes(void *context, const pare_candidate *candidate)
{
    return size_of(context, candidate).bytes;
}

/* ---- what the engine calls -------------------------------------------------------- */

/* Notes the best in the history, as that of test number `test`. A history that cannot be written is
 * given up with a notice: it is not worth losing a reduction. */
void pare_session_note_best(pare_session *session, uint64_t test, bool is_result)
{
    pare_error err = {0};
    const pare_candidate *best = pare_engine_best(session->engine);
    const pare_history_facts facts = {.test = test,
                                      .ms = pare_clock_ms() - session->start_ms,
                                      .bytes = pare_session_best_bytes(session),
                                      .phase = session->phase,
                                      .is_result = is_result};
    char sentence[PARE_ERROR_TEXT_BYTES + 64];
    if (!pare_history_log_note(&session->history, best, &facts, &err)) return;
    (void)snprintf(sentence, sizeof sentence, "the history ends here: %s", err.message);
    pare_event_notice(session, sentence);
}

/* Saves the best to the output and notes it in the history under the number that its test will be
 * announced with. */
pare_status pare_session_save_best(pare_session *session, const pare_candidate *best,
                                   pare_error *err)
{
    pare_status status = pare_output_save(&session->output, best, err);
    if (!status)
        pare_session_note_best(session, pare_engine_statistics(session->engine).retired, false);
    return status;
}

/* A pare_engine_options.save. */
static pare_status save_best(void *context, const pare_candidate *best, pare_error *err)
{
    return pare_session_save_best(context, best, err);
}

/* Saves a best that was put off, once its time has come. A failure to write is reported at the end;
 * if somebody else has changed the output, after the next step (tell_lost). */
static void catch_up(pare_session *session)
{
    if (!pare_output_is_due(&session->output)) return;
    pare_status told_later =
        pare_output_catch_up(&session->output, pare_engine_best(session->engine), NULL);
    if (told_later) session->output.late = true;
    if (told_later && pare_output_is_edited(&session->output)) session->lost = told_later;
}

/* A point for each success: what --stats and the report draw.  Without memory the run ends with an
 * error at its next step, not in here. */
static void add_to_curve(pare_session *session)
{
    pare_stats *stats = &session->stats;
    pare_curve_point *curve =
        pare_vector_grow(stats->curve, stats->n_curve, &session->curve_capacity, sizeof *curve);
    if (!curve) {
        session->lost = PARE_E_NOMEM;
        return;
    }
    stats->curve = curve;
    curve[stats->n_curve++] =
        (pare_curve_point){.tests = pare_engine_statistics(session->engine).tests,
                           .seconds = pare_session_elapsed_s(session),
                           .bytes = pare_session_best_bytes(session)};
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

/* The engine calls it for a candidate that fails in a way that is not the one that is kept. */
static pare_status on_other(void *context, const pare_candidate *candidate, const char *signature,
                            pare_error *err)
{
    pare_session *session = context;
    return pare_output_add_other(&session->others, candidate, signature, err);
}

/* Counts the retired test, from the cache or not, so that the three outcomes add up to the tests
 * of the passes. */
static void count_outcome(pare_stats *stats, const pare_retired *retired)
{
    stats->outcome_fail += retired->outcome == PARE_FAIL;
    stats->outcome_pass += retired->outcome == PARE_PASS;
    stats->outcome_unresolved += retired->outcome == PARE_UNRESOLVED;
    stats->other_failures += retired->signature != NULL;
}

/* If somebody wants to see the output of tests, has the next test keep it. */
static void see_to_output(pare_session *session)
{
    const unsigned wanted = pare_stop_outputs_wanted(session->options->events.stop);
    if (wanted == session->n_outputs) return;
    session->n_outputs = wanted;
    pare_session_oracle_capture(&session->oracle);
}

/* Reports what happens to workers on other machines, as it comes, and, once, that workers of the
 * user's end on candidates. */
static void tell_of_worker(pare_session *session)
{
    for (const char *of; (of = pare_travel_notice(&session->oracle)) != NULL;)
        pare_event_emit(
            session, (pare_event){.kind = PARE_EVENT_NOTICE, .notice = of, .is_of_workers = true});
    const char *sentence = pare_session_oracle_worker_notice(&session->oracle);
    if (!sentence || session->told_of_worker) return;
    session->told_of_worker = true;
    pare_event_notice(session, sentence);
}

/* Called for each test in the order in which tests retire, not in that in which they end: so the
 * statistics and the trace are the same for every number of jobs. A failing candidate that was
 * neither accepted nor a step uphill was not smaller: the claim of a tree's minimality has to
 * know of those. */
static void on_retired(void *context, const pare_retired *retired)
{
    pare_session *session = context;
    catch_up(session);
    see_to_output(session);
    count_outcome(&session->stats, retired);
    char digest[PARE_DIGEST_TEXT_BYTES];
    pare_digest_text(retired->digest, digest);
    if (retired->accepted) add_to_curve(session);
    /* A success that the journal has answered is not saved, but it is a best that belongs in the
     * history. */
    if (retired->accepted) pare_session_note_best(session, retired->n, false);
    if (retired->outcome == PARE_FAIL && !retired->accepted && !retired->stepped)
        session->sideways++;
    keep_timeout(session);
    tell_of_worker(session);
    pare_event_emit(session, (pare_event){.kind = PARE_EVENT_TEST,
                                          .n = retired->n,
                                          .digest = digest,
                                          .size_bytes = retired->size_bytes,
                                          .outcome = retired->outcome,
                                          .from_cache = retired->from_cache,
                                          .accepted = retired->accepted,
                                          .test_ms = retired->ms,
                                          .signature = retired->signature,
                                          .is_repeated = retired->repeated,
                                          .text = session->is_tested ? session->tested.data : NULL,
                                          .text_bytes = session->tested.size});
    session->is_tested = false;
}

/* Says that the first run takes long, once or twice; called now and then while it goes on. */
static void on_waiting(void *context)
{
    pare_session *session = context;
    /* Somebody who waits begins to wonder after the first, and needs advice after the second. */
    static const double after_s[] = {3, 10};
    const double hang_s = (double)session->options->keep.hang_ms / 1000;
    const double limit_s = (double)pare_session_oracle_timeout_ms(&session->oracle) / 1000;
    char sentence[256];
    /* Only while a first run takes long, and until both sentences have been said. */
    if (!session->waiting_ms || session->n_waiting == 2) return;
    double waited_s = (double)(pare_clock_ms() - session->waiting_ms) / 1000;
    if (waited_s < after_s[session->n_waiting]) return;
    if (session->n_waiting++ == 0)
        (void)snprintf(sentence, sizeof sentence, "the first run has not ended after %.0f s",
                       after_s[0]);
    else if (hang_s > 0)
        (void)snprintf(
            sentence, sizeof sentence,
            "the first run has not ended after %.0f s; after %.3g s it counts as a hang (--hang)",
            after_s[1], hang_s);
    else if (limit_s > 0)
        (void)snprintf(
            sentence, sizeof sentence,
            "the first run has not ended after %.0f s and will be stopped after %.0f s: if "
            "this hang is the failure, add --hang TIME; if it needs more time, add "
            "--timeout TIME",
            after_s[1], limit_s);
    else
        return;
    pare_event_notice(session, sentence);
}

/* Called by the engine every TICK_MS while it waits for tests. */
static void on_tick(void *context)
{
    on_waiting(context);
    catch_up(context);
    see_to_output(context);
    tell_of_worker(context);
    pare_event_emit(context, (pare_event){.kind = PARE_EVENT_PROGRESS});
}

/* ---- opening ------------------------------------------------------------------------ */

/* What to tell the user about the journal that was found; NULL: nothing. */
static const char *sentence_for(pare_journal_found found)
{
    switch (found) {
    case PARE_JOURNAL_RESUMED: return "continuing where an earlier run stopped";
    case PARE_JOURNAL_OTHER_TEST:
        return "the test has changed since the journal was written: starting over";
    case PARE_JOURNAL_OTHER_INPUT: return "the journal belongs to another input: starting over";
    case PARE_JOURNAL_DAMAGED: return "the journal cannot be read: starting over";
    case PARE_JOURNAL_NEW: break;
    }
    return NULL;
}

/* Keeps copies of the files that the results will replace, if that was asked for. Otherwise only
 * notes what they are, so that a run that is resumed can tell its own results from what somebody
 * has made of them. Several inputs, and folders, are in_place.h's. */
static pare_status open_backup(pare_session *session, pare_journal_found found, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    pare_output_backup *backup = &session->output.backup;
    if (options->output.in_place == PARE_ON) return PARE_OK;
    const bool refuses = options->output.keep_earlier == PARE_OFF;
    pare_status status = pare_output_backup_open(backup, options->output.journal_dir,
                                                 found == PARE_JOURNAL_RESUMED || refuses,
                                                 options->output.sync, err);
    backup->on = options->output.keep_earlier == PARE_ON;
    backup->refuses = refuses;
    return status;
}

/* The history belongs to the journal: with a new one it begins anew, when there is a first best, but
 * where the run goes on from a step of it. */
static pare_status open_history(pare_session *session, const pare_text *input, pare_error *err)
{
    const pare_output_options *output = &session->options->output;
    if (output->history != PARE_ON || !session->keeps_history) return PARE_OK;
    session->history.is_continued = session->is_resumed || output->from_step;
    session->history.note = output->note;
    return pare_history_log_open(&session->history, output->journal_dir, output->sync,
                                 session->layout, input, err);
}

/* Opens the journal under the identity of test and input.  A time-out that an earlier run learnt
 * is taken over, so that its outcomes stay comparable. */
static pare_status open_journal(pare_session *session, const pare_text *input, const char **notice,
                                pare_error *err)
{
    if (!session->options->output.journal_dir) return open_backup(session, PARE_JOURNAL_NEW, err);
    pare_journal_key key = {.test = pare_session_oracle_identity(&session->oracle),
                            .input = pare_text_digest(input)};
    if (session->layout) key.input = pare_layout_identity(session->layout, key.input);
    pare_journal_found found = PARE_JOURNAL_NEW;
    pare_status status =
        pare_journal_open(session->options->output.journal_dir, &key, session->options->output.sync,
                          &session->journal, &found, err);
    if (status) return status;
    *notice = sentence_for(found);
    session->is_resumed = found == PARE_JOURNAL_RESUMED;
    /* After the journal is open, since that makes its directory. */
    status = pare_learn_signature_keep(&session->oracle, session->options->output.journal_dir, err);
    if (!status) status = open_backup(session, found, err);
    if (!status) status = open_history(session, input, err);
    if (status) return status;
    /* 0 where the earlier run, if there was one, had not learnt any. */
    uint64_t timeout_ms = pare_journal_timeout_ms(session->journal);
    if (timeout_ms) pare_session_oracle_set_timeout(&session->oracle, timeout_ms);
    session->stats.timeout_ms = timeout_ms;
    return PARE_OK;
}

/* The clock starts when the session is opened, so learning the signature and checking the input
 * count. */
uint64_t pare_session_deadline_ms(const pare_session *session)
{
    const uint64_t max_ms = session->options->limits.max_time_ms;
    return max_ms ? session->start_ms + max_ms : 0;
}

/* Makes the engine, with the limits of the options; what it calls is above. */
static pare_status open_engine(pare_session *session, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    pare_engine_options engine = {
        .oracle = pare_session_oracle_outer(&session->oracle),
        .requests = options->events.stop,
        .journal = session->journal,
        .no_cache = options->limits.cache == PARE_OFF,
        .deterministic = options->limits.deterministic == PARE_ON,
        .max_tests = options->limits.max_tests,
        .deadline_ms = pare_session_deadline_ms(session),
        .use_target = options->limits.use_target,
        .target_size_bytes = options->limits.target_size_bytes,
        .tick_ms = options->events.watcher ? TICK_MS : 0,
        .context = session,
        .content_bytes = session->layout ? content_bytes : NULL,
        .save = save_best,
        .tested = options->events.texts == PARE_ON && options->events.watcher
                      ? pare_event_keep_tested
                      : NULL,
        .retired = on_retired,
        .passing = options->events.watcher ? pare_event_tell_passing : NULL,
        .other = on_other,
        .tick = on_tick};
    return pare_engine_new(&engine, &session->engine, err);
}

/* Says that the output cannot be written before an hour is spent on it. */
static pare_status check_output(const char *path, pare_error *err)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    /* The folder of a name without a slash is ours, that of "/name" is the root: both are there. */
    if (!slash || slash == path) return PARE_OK;
    char *folder = pare_alloc_text(path, (size_t)(slash - path));
    if (!folder) return pare_fail_nomem(err);
    bool is_there = pare_file_is_directory(folder);
    pare_alloc_free(folder);
    if (is_there) return PARE_OK;
    return pare_fail(err, PARE_E_IO, "cannot write %s: its folder does not exist", path);
}

/* The levels that may be named instead of the one in force, for a notice. */
static const char *other_levels(const pare_session *session)
{
    /* A signature that was named, or read from a file, has no levels. */
    if (!session->oracle.is_learnt) return "";
    switch (session->options->keep.level) {
    case PARE_KEEP_KIND: return " (stricter: --keep message)";
    case PARE_KEEP_LINE:
    case PARE_KEEP_EXACT: return " (looser: --keep message)";
    case PARE_KEEP_MESSAGE: break;
    }
    return " (stricter: --keep exact; looser: --keep kind)";
}

/* Says which failure is kept. */
static void tell_signature(pare_session *session)
{
    pare_buffer sentence = {0};
    if (!session->oracle.signature.size) return;
    /* Without memory for it the result still says so. */
    if (!pare_buffer_format(&sentence, NULL, "keeping: %s%s", session->oracle.signature.data,
                            other_levels(session)))
        pare_event_notice(session, sentence.data);
    pare_buffer_done(&sentence);
}

/* Before the first success these are also the figures of the best. */
static void measure_input(pare_session *session, const pare_candidate *input)
{
    pare_layout_size size = size_of(session, input);
    session->stats.bytes_in = size.bytes - session->kept_bytes;
    session->stats.files_in = size.entries;
    session->stats.arguments_in = size.arguments;
    session->stats.variables_in = size.variables;
}

/* Measures the input, and looks where the result goes. */
static pare_status open_output(pare_session *session, const pare_text *input, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    pare_candidate whole = {0};
    pare_candidate_start(&whole, input);
    pare_status status = pare_candidate_slice(&whole, 0, pare_text_size(input), err);
    if (!status)
        status = pare_reducible_ranges_kept_bytes(&options->input, session->layout, input,
                                                  &session->kept_bytes, err);
    if (!status) measure_input(session, &whole);
    if (!status) status = check_output(options->output.path, err);
    if (!status)
        status = pare_output_open(&session->output, &options->input, &options->output,
                                  session->layout, &whole, err);
    pare_candidate_done(&whole);
    return status;
}

/* Copies the problems that there are to choose from. */
static pare_status hand_over_problems(const pare_session *session, pare_result *result)
{
    const pare_diagnostics *offered = &session->oracle.offered;
    if (!offered->n) return PARE_OK;
    result->reported = pare_alloc_zero(offered->n, sizeof *result->reported);
    if (!result->reported) return PARE_E_NOMEM;
    /* n_reported counts what is there, so that a failure in the middle leaves a result that can
     * be ended. */
    for (size_t k = 0; k < offered->n; k++) {
        const char *text = offered->item[k].text;
        result->reported[k] = pare_alloc_text(text, strlen(text));
        if (!result->reported[k]) return PARE_E_NOMEM;
        result->n_reported = k + 1;
    }
    return PARE_OK;
}

/* Has the signature chosen or learnt.  When the program reports several problems they become part
 * of the result, from which the caller lets the user choose. */
static pare_status settle(pare_session *session, const pare_text *input, pare_result *result,
                          pare_error *err)
{
    /* There is no engine yet whose ticks could tell that the first run takes long. */
    session->oracle.waiting = on_waiting;
    session->oracle.waiting_for = session;
    session->waiting_ms = pare_clock_ms();
    pare_status status = pare_learn_signature_choose(
        &session->oracle, session->options->output.journal_dir, input, err);
    session->waiting_ms = 0;
    if (status != PARE_E_STATE) return status;
    return hand_over_problems(session, result) ? pare_fail_nomem(err) : status;
}

/* The oracle gets its groups of the options and nothing else: what it does not know it cannot
 * depend on, and pare_session_oracle_identity has to name all that it depends on. */
static pare_status open_oracle(pare_session *session, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    const pare_session_oracle_options asked = {.input = &options->input,
                                               .test = &options->test,
                                               .keep = &options->keep,
                                               .layout = session->layout,
                                               .has_marks = session->has_marks,
                                               .holds_files = true,
                                               .jobs = options->limits.jobs,
                                               .stop = options->events.stop};
    return pare_session_oracle_open(&asked, &session->oracle, err);
}

/* Sets what closing needs to know before anything can fail, then opens the parts one after the
 * other. */
pare_status pare_session_open(const pare_reduce_options *options, const pare_layout *layout,
                              const pare_text *input, pare_session *session, pare_result *result,
                              pare_error *err)
{
    *session = (pare_session){.options = options,
                              .layout = layout,
                              .has_marks = session->has_marks,
                              .keeps_history = session->keeps_history,
                              .phase = "",
                              .start_ms = pare_clock_ms(),
                              .start_cpu_s = pare_clock_cpu_s()};
    /* All before the first thing that may fail: closing needs it. */
    session->others.dir = options->output.also_dir;
    session->others.base_name = pare_read_input_base_name(&options->input);
    const char *notice = NULL;
    pare_status status = open_output(session, input, err);
    if (!status) status = open_oracle(session, err);
    /* The oracle has decided how many slots there are, if nobody asked for a number. */
    if (!status) session->stats.jobs = session->oracle.oracle->n_slots;
    if (!status)
        pare_output_add_script(&session->output,
                               options->test.program ? options->test.program[0] : NULL,
                               session->oracle.command);
    session->others.output = &session->output;
    /* The signature before the journal, whose key depends on it. */
    if (!status) status = settle(session, input, result, err);
    if (!status) status = open_journal(session, input, &notice, err);
    if (!status) status = open_engine(session, err);
    if (status) {
        pare_session_close(session);
        return status;
    }
    /* From here on nothing can be refused, so the remains of writes beside the output that an
     * earlier run was killed in may go. */
    if (options->output.path) pare_file_sweep(options->output.path);
    if (options->output.script_path) pare_file_sweep(options->output.script_path);
    pare_event_emit(session, (pare_event){.kind = PARE_EVENT_START, .notice = notice});
    tell_signature(session);
    return PARE_OK;
}

/* Closes what was opened, however far that came: every part of an all-zero session may be
 * closed. The engine goes first, since its tests may still be running in the oracle. */
void pare_session_close(pare_session *session)
{
    if (session->output.late) {
        /* An error here only matters if the run fails before its end, where it is reported. */
        pare_status untold =
            pare_output_catch_up(&session->output, pare_engine_best(session->engine), NULL);
        (void)untold;
    }
    pare_engine_free(session->engine);
    pare_session_oracle_close(&session->oracle);
    pare_journal_close(session->journal);
    pare_history_log_close(&session->history);
    pare_output_others_done(&session->others);
    pare_output_close(&session->output);
    pare_buffer_done(&session->tested);
    pare_alloc_free(session->stats.passes);
    pare_alloc_free(session->stats.curve);
    *session = (pare_session){.phase = ""};
}

/* ---- running ------------------------------------------------------------------------ */

/* Steps uphill count as well: a phase that has made one has changed what the next one starts
 * from. */
uint64_t pare_session_progress(const pare_session *session)
{
    pare_engine_stats stats = pare_engine_statistics(session->engine);
    return stats.successes + stats.steps;
}

/* The notes about what is on disk go last: with the journal, and without them, a run that goes on would
 * take its own results for somebody else's.  So the directory is removed here, if nothing is left in it. */
pare_status pare_session_remove_journal(pare_session *session, pare_error *err)
{
    const char *dir = session->options->output.journal_dir;
    pare_learn_signature_drop(&session->oracle, dir);
    pare_in_place_drop(dir);
    pare_made_texts_drop(dir);
    pare_status status = pare_journal_remove(session->journal, err);
    session->journal = NULL;
    if (status) return status;
    pare_in_place_drop_places(dir);
    pare_output_backup_drop(dir);
    (void)rmdir(dir);
    return PARE_OK;
}

/* Nothing was reduced, so deleting the journal loses nothing. */
void pare_session_discard_journal(pare_session *session)
{
    if (session->journal) (void)!pare_session_remove_journal(session, NULL);
}

/* The statistics of the pass `name`, made if it is new. */
static pare_pass_stats *find_pass(pare_session *session, const char *name)
{
    pare_stats *stats = &session->stats;
    for (size_t i = 0; i < stats->n_passes; i++)
        if (strcmp(stats->passes[i].name, name) == 0) return &stats->passes[i];
    pare_pass_stats *passes =
        pare_vector_grow(stats->passes, stats->n_passes, &session->passes_capacity, sizeof *passes);
    if (!passes) return NULL;
    stats->passes = passes;
    pare_pass_stats *pass = &passes[stats->n_passes++];
    *pass = (pare_pass_stats){.tests = 0};
    (void)snprintf(pass->name, sizeof pass->name, "%s", name);
    return pass;
}

/* The name of a run uphill, if there is one, takes the place of the pass's own: its tests are
 * counted as what they are spent for. */
pare_status pare_session_begin_pass(pare_session *session, const char *name, size_t n_units,
                                    pare_error *err)
{
    assert(session->engine && "the session is open");
    session->pass = find_pass(session, session->one_name ? session->one_name : name);
    if (!session->pass) return pare_fail_nomem(err);
    session->phase = session->pass->name;
    pare_event_emit(session, (pare_event){.kind = PARE_EVENT_PHASE, .n_units = n_units});
    return PARE_OK;
}

/* Adds what happened since `before` to the pass under way. */
static void count_pass(pare_session *session, const pare_engine_stats *before, size_t bytes_before)
{
    assert(session->pass && "a pass has begun");
    pare_engine_stats now = pare_engine_statistics(session->engine);
    session->pass->tests += now.tests - before->tests;
    session->pass->successes += now.successes - before->successes;
    session->pass->oracle_s += (now.oracle_ms - before->oracle_ms) / 1000.0;
    size_t bytes_now =
        pare_session_best_bytes(session); /* more than before, if dd put something back */
    if (bytes_now < bytes_before) session->pass->bytes_removed += bytes_before - bytes_now;
}

/* A requested stop is never replaced by another end: it means that nobody waits for more. */
pare_status pare_session_end(pare_session *session, pare_engine_end end)
{
    if (end == PARE_END_DONE) return PARE_OK;
    assert(session->end != PARE_END_INTERRUPTED || end == PARE_END_INTERRUPTED);
    session->end = end;
    return PARE_RUN_ENDED;
}

/* A budget that ended one part of the run may leave time for another, such as the confirmation
 * of the result; a stop leaves time for nothing. */
pare_status pare_session_go_on(pare_session *session, pare_status status)
{
    if (status != PARE_RUN_ENDED || session->end == PARE_END_INTERRUPTED) return status;
    session->end = PARE_END_DONE;
    return PARE_OK;
}

bool pare_session_is_skipped(pare_session *session, pare_status *status)
{
    if (*status != PARE_RUN_ENDED || session->end != PARE_END_SKIPPED) return false;
    session->n_skipped++;
    *status = pare_session_go_on(session, *status);
    return true;
}

/* Reports errors that ended the run from inside the engine's callbacks, which have no pare_error to
 * fill in: a statistic was lost for want of memory, or somebody else has changed the output. */
static pare_status tell_lost(pare_session *session, pare_error *err)
{
    if (session->lost == PARE_E_NOMEM) return pare_fail_nomem(err);
    return pare_output_catch_up(&session->output, pare_engine_best(session->engine), err);
}

pare_status pare_session_run_keeping(pare_session *session, pare_strategy **strategy,
                                     pare_error *err)
{
    pare_engine_end end = PARE_END_DONE;
    pare_engine_stats before = pare_engine_statistics(session->engine);
    size_t bytes_before = pare_session_best_bytes(session);
    pare_status status = pare_engine_run_keeping(session->engine, strategy, &end, err);
    count_pass(session, &before, bytes_before);
    /* The strategy has run to its end, but its statistics are not whole. */
    if (!status && session->lost) {
        pare_strategy_free(*strategy);
        *strategy = NULL;
        status = tell_lost(session, err);
    }
    return status ? status : pare_session_end(session, end);
}

/* The strategy's state at its end is of no use to the caller. */
pare_status pare_session_run(pare_session *session, pare_strategy *strategy, pare_error *err)
{
    pare_status status = pare_session_run_keeping(session, &strategy, err);
    pare_strategy_free(strategy);
    return status;
}

/* As pare_session_run_keeping: a pool of patches is counted like a strategy. */
pare_status pare_session_run_pool(pare_session *session, pare_patches *patches,
                                  const pare_pool_options *options, pare_error *err)
{
    pare_engine_end end = PARE_END_DONE;
    pare_engine_stats before = pare_engine_statistics(session->engine);
    size_t bytes_before = pare_session_best_bytes(session);
    pare_status status = pare_engine_run_pool(session->engine, patches, options, &end, err);
    count_pass(session, &before, bytes_before);
    if (!status && session->lost) status = tell_lost(session, err);
    return status ? status : pare_session_end(session, end);
}

/* Adds to *rate and *timed_out, so that a text can be measured in several parts. */
pare_status pare_session_measure(pare_session *session, const pare_text *text, uint64_t runs,
                                 pare_rate *rate, uint64_t *timed_out, pare_error *err)
{
    pare_engine_end end = PARE_END_DONE;
    pare_measured measured = {.rate = *rate, .timed_out = *timed_out};
    pare_status status = pare_engine_measure(session->engine, text, runs, &measured, &end, err);
    *rate = measured.rate;
    *timed_out = measured.timed_out;
    return status ? status : pare_session_end(session, end);
}

/* A run that was ended by nothing has come to the end of its phases: its result is minimal in
 * the sense of the last of them. */
pare_stopped pare_session_stopped(const pare_session *session)
{
    switch (session->end) {
    case PARE_END_BUDGET: return PARE_STOPPED_BUDGET;
    case PARE_END_TARGET: return PARE_STOPPED_TARGET;
    case PARE_END_INTERRUPTED: return PARE_STOPPED_INTERRUPTED;
    case PARE_END_UPHILL:  /* the way back is always taken */
    case PARE_END_VAIN:    /* another phase goes on, or none is worth it */
    case PARE_END_SKIPPED: /* another phase goes on */
    case PARE_END_DONE: break;
    }
    return PARE_STOPPED_MINIMAL;
}
