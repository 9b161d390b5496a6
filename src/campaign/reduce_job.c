/* The job "reduce": `pare reduce` on a finding's input, keeping the finding's identity.
 *
 * The reduction's journal is in the job's folder, so a job that was killed or paused continues from
 * it: the same options and the same input lead to the same tests, and those in the journal are not
 * repeated.  Hence the input is always the finding's first one, never the result of an earlier
 * attempt.
 *
 * The time spent so far is in the job's folder too, so a reduction that is stopped now and then
 * does not get its full time limit again each time, but at least a tenth of it, to get back to
 * where it was.
 *
 * Every few seconds the best so far is stored as the finding's result.  At the end, the result, the
 * facts about it and the job's end are one transaction; if another finding has the same result, it
 * also merges the two.  Other failures that candidates showed become findings at the end, or when
 * the job is stopped.  After a kill the journal brings them back.
 *
 * Another failure is run once more by itself, because a reduction does not look at it as closely as
 * fuzzing does (it reads no diagnostics that it does not keep), and it needs the same identity that
 * fuzzing would give it. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pare/events.h>
#include <pare/findings.h>
#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/switch.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/explanation.h"
#include "campaign/finding.h"
#include "campaign/finding_job.h"
#include "campaign/job.h"
#include "campaign/job_run.h"
#include "campaign/store.h"
#include "campaign/target.h"
#include "campaign/validation.h"
#include "campaign/workers.h"
#include "os/file.h"
#include "os/stop.h"
#include "run/rate.h"

static const double TELL_S = 1, SHOW_S = 3; /* between two notes of progress, two results shown */

/* A reduction that goes on. The times are seconds since it began. */
struct reducing {
    pare_finding_job job;
    pare_buffer result, journal, also, spent; /* paths in the job's folder */
    pare_buffer explanation;                  /* of the result */
    uint64_t spent_ms;                        /* of its time, by earlier attempts */
    pare_target_oracle environment;
    double told_s, shown_s;
    size_t shown_bytes;
    pare_workers_share share; /* as it was noted last */
};

/* ---- time ------------------------------------------------------------------------------- */

/* A tenth of the time, and at least a second, is given to an attempt in any
 * case: it has to go through the journal first. */
enum { LEAST_PART = 10, LEAST_MS = 1000 };

/* The time in ms that earlier attempts have spent. A file that is not there, or
 * damaged, says 0. */
static uint64_t read_spent(const char *path)
{
    pare_buffer text = {0};
    uint64_t spent_ms = 0;
    if (!pare_file_read(path, &text, NULL) && text.size) spent_ms = strtoull(text.data, NULL, 10);
    pare_buffer_done(&text);
    return spent_ms;
}

/* Notes the time spent so far. If that fails, a later attempt gets this time
 * once more, which does no harm. */
static void write_spent(const struct reducing *self, double elapsed_s)
{
    char text[32];
    const int size =
        snprintf(text, sizeof text, "%" PRIu64 "\n", self->spent_ms + (uint64_t)(elapsed_s * 1000));
    (void)!pare_file_write_bytes(self->spent.data, text, (size_t)size, NULL);
}

/* The time in ms that is left for this attempt; 0: no limit. */
static uint64_t left_ms(const struct reducing *self)
{
    const uint64_t all_ms = self->job.target.reduce_time_ms;
    const uint64_t least_ms = all_ms / LEAST_PART > LEAST_MS ? all_ms / LEAST_PART : LEAST_MS;
    if (!all_ms || all_ms <= least_ms) return all_ms;
    return self->spent_ms < all_ms - least_ms ? all_ms - self->spent_ms : least_ms;
}

/* ---- progress --------------------------------------------------------------------------- */

/* Notes how far the reduction is, for those who watch. What cannot be written
 * is no reason to end it: at the end the same trouble is an error. */
static void tell(struct reducing *self, const pare_event *event)
{
    const pare_job_run *run = self->job.run;
    const bool is_end = event->kind == PARE_EVENT_END;
    const pare_workers_share share = {.n_workers = is_end ? 0 : event->machines,
                                      .n_slots = is_end ? 0 : event->machine_slots};
    pare_buffer line = {0};
    self->told_s = event->elapsed_s;
    write_spent(self, event->elapsed_s);
    (void)!pare_workers_note(run, share, &self->share, NULL);
    pare_status status = pare_buffer_format(&line, NULL, "from %zu to %zu bytes",
                                            event->input_bytes, event->best_bytes);
    if (!status)
        status =
            pare_job_set_progress(run->store, run->job->id, line.data, -1, event->tests_run, NULL);
    (void)status;
    pare_buffer_done(&line);
}

/* Shows the best so far as the finding's result; the reduction has written it
 * to its output file. */
static void show(struct reducing *self, const pare_event *event)
{
    pare_buffer best = {0};
    self->shown_s = event->elapsed_s;
    self->shown_bytes = event->best_bytes;
    pare_status status = pare_file_read(self->result.data, &best, NULL);
    if (!status)
        status = pare_finding_set_reducing(self->job.run->store, self->job.finding.id,
                                           best.size ? best.data : "", best.size, NULL);
    (void)status;
    pare_buffer_done(&best);
}

/* A pare_watcher. It cannot fail; troubles of the store are told once, by the
 * end of the job. */
static void watch(void *context, const pare_event *event)
{
    struct reducing *self = context;
    const bool is_end = event->kind == PARE_EVENT_END;
    if (event->kind == PARE_EVENT_NOTICE && event->is_of_workers)
        (void)!pare_workers_tell(self->job.run, event->notice, NULL);
    if (is_end || event->elapsed_s >= self->told_s + TELL_S) tell(self, event);
    const bool is_new = event->best_bytes < self->shown_bytes;
    if (is_new && !is_end && event->elapsed_s >= self->shown_s + SHOW_S) show(self, event);
}

/* ---- side failures ------------------------------------------------------------------------ */

/* Runs one side failure by itself and adds it as a finding, with the signature
 * that fuzzing would give it. One that does not fail again is left out. */
static pare_status add_side(struct reducing *self, pare_target_oracle *oracle,
                            const pare_other_failure *other, pare_error *err)
{
    pare_buffer bytes = {0};
    pare_target_seen seen = {.outcome = PARE_NO_OUTCOME};
    if (!other->path) return PARE_OK;
    /* A candidate that could not be saved is one that cannot be told of. */
    if (pare_file_read(other->path, &bytes, NULL)) return PARE_OK;
    pare_status status =
        pare_target_try(&self->job.target, oracle, bytes.data, bytes.size, &seen, err);
    if (!status && seen.outcome == PARE_FAIL)
        status = pare_finding_job_add(&self->job, seen.signature, seen.output, bytes.data,
                                      bytes.size, err);
    pare_target_seen_done(&seen);
    pare_buffer_done(&bytes);
    return status;
}

/* Adds all side failures. A stop does not end this: they are few, and each run
 * has its limit. Workers of the user's own cannot be run on single inputs. */
static pare_status add_sides(struct reducing *self, const pare_result *result, pare_error *err)
{
    pare_target_oracle oracle;
    if (!result->n_others || self->job.target.test.worker) return PARE_OK;
    pare_status status = pare_target_open(&self->job.target, true, 1, NULL, &oracle, err);
    if (status) return status;
    for (size_t k = 0; k < result->n_others && !status; k++)
        status = add_side(self, &oracle, &result->others[k], err);
    pare_target_close(&oracle);
    return status;
}

/* ---- the end ------------------------------------------------------------------------------ */

/* Appends what the reduction itself has shown of its result: which kind of
 * minimality holds, and how often a failure that comes by chance shows. */
static pare_status tell_minimality(const pare_result *result, pare_buffer *text, pare_error *err)
{
    const pare_stats *stats = &result->stats;
    pare_status status = PARE_OK;
    if (!result->size_bytes)
        return pare_buffer_text(text, "An empty input shows it: it does not depend on the input.",
                                err);
    if (stats->minimal == PARE_MINIMAL_ONE && stats->minimal_unit)
        status = pare_buffer_format(text, err,
                                    "No single %s can be left out: without any one of "
                                    "them the failure is gone.",
                                    stats->minimal_unit);
    else if (stats->minimal == PARE_MINIMAL_ONE_TREE && *stats->minimal_nodes)
        status = pare_buffer_format(text, err, "What is left is needed: %s.", stats->minimal_nodes);
    else
        status =
            pare_buffer_text(text,
                             "Parts of what is left may not matter: the reduction ended before "
                             "each of them had been tried.",
                             err);
    if (!status && stats->flaky.flaky) {
        const pare_frequency *share = &stats->flaky.result;
        status = pare_buffer_text(text, " It comes by chance: it ", err);
        if (!status)
            status = pare_validation_describe(
                (pare_rate){.fails = share->fails, .runs = share->runs}, text, err);
        if (!status) status = pare_buffer_text(text, ".", err);
    }
    return status;
}

/* Appends what is known of the result: its minimality, and what variants of it
 * show. Of a failure that comes by chance no variants are tried, as each would
 * need many runs. */
static pare_status explain(struct reducing *self, const pare_result *result, pare_error *err)
{
    const pare_explanation_options options = {.target = &self->job.target,
                                              .identity = self->job.finding.identity,
                                              .bytes = (const char *)result->bytes,
                                              .size = result->size_bytes,
                                              .stop = self->job.run->stop};
    pare_status status = tell_minimality(result, &self->explanation, err);
    if (status || result->stats.flaky.flaky) return status;
    return pare_explanation_add(&options, &self->explanation, err);
}

/* Appends the line that is shown of the job from now on. */
static pare_status describe(const struct reducing *self, const pare_result *result,
                            int64_t merged_into, pare_buffer *line, pare_error *err)
{
    const pare_finding_job *job = &self->job;
    pare_status status =
        pare_buffer_format(line, err, "from %zu to %zu bytes in %llu tests", job->input_bytes,
                           result->size_bytes, (unsigned long long)result->stats.tests_run);
    if (!status && result->stats.stopped == PARE_STOPPED_BUDGET)
        status = pare_buffer_text(line, ", until its time was over", err);
    if (!status && self->spent_ms)
        status = pare_buffer_format(line, err, ", after %.3g s of earlier attempts",
                                    (double)self->spent_ms / 1000);
    if (!status && merged_into)
        status =
            pare_buffer_format(line, err, "; the same as finding %lld", (long long)merged_into);
    return status;
}

/* Stores all that came of the reduction, and ends the job; a part of the
 * caller's transaction. */
static pare_status store(struct reducing *self, const pare_result *result, pare_error *err)
{
    const pare_finding_job *job = &self->job;
    const pare_flaky_stats *flaky = &result->stats.flaky;
    pare_buffer line = {0};
    int64_t merged_into = 0;
    pare_status status = pare_finding_set_reduced(
        job->run->store, job->finding.id, result->size_bytes ? (const void *)result->bytes : "",
        result->size_bytes, &merged_into, err);
    if (!status)
        status = pare_finding_set_explanation(job->run->store, job->finding.id,
                                              self->explanation.data, err);
    if (!status && flaky->flaky && flaky->input.runs)
        status =
            pare_finding_set_validity(job->run->store, job->finding.id,
                                      &(pare_finding_seen){PARE_STILL_THERE, job->version,
                                                           flaky->input.fails, flaky->input.runs},
                                      err);
    if (!status) status = describe(self, result, merged_into, &line, err);
    if (!status) status = pare_finding_job_end(job, line.data, err);
    pare_buffer_done(&line);
    return status;
}

/* Called when the input did not fail as the finding does. Runs of the input by
 * itself tell whether the finding is gone; if it is still there, the job has
 * failed with `why`. */
static pare_status validate(struct reducing *self, const pare_error *why, pare_error *err)
{
    pare_finding_job *job = &self->job;
    pare_validation validation;
    pare_status status =
        pare_finding_job_validate(job, job->input, job->input_bytes, &validation, err);
    if (!status && validation.validity == PARE_STILL_THERE) {
        /* It is there, but cannot be reduced: the job has failed, and says why. */
        if (err) *err = *why;
        return PARE_E_STATE;
    }
    if (!status) status = pare_store_begin(job->run->store, err);
    if (status) return status;
    status = pare_finding_job_keep(job, &validation, err);
    if (!status)
        status = pare_finding_job_end(job,
                                      validation.validity == PARE_NOT_RUN
                                          ? "not reduced: the target cannot be run"
                                          : "not reduced: its input does not show it",
                                      err);
    return pare_store_end(job->run->store, status, err);
}

/* Takes the end of a reduction. A stopped one keeps its best as an intermediate
 * result and is PARE_E_INTERRUPTED, also if it could not tell yet why the input
 * does not fail: a job that has failed would not be tried again. */
static pare_status finish(struct reducing *self, const pare_result *result, pare_status status,
                          const pare_error *why, pare_error *err)
{
    const pare_job_run *run = self->job.run;
    const bool is_stopped = !status && result->stats.stopped == PARE_STOPPED_INTERRUPTED;
    if (status == PARE_E_STATE && pare_stop_requested(run->stop))
        return pare_fail(err, PARE_E_INTERRUPTED, "the reduction was stopped");
    if (status == PARE_E_STATE) return validate(self, why, err);
    if (status && err) *err = *why;
    if (status) return status;
    status = add_sides(self, result, err);
    if (!status && is_stopped && result->bytes)
        status = pare_finding_set_reducing(run->store, self->job.finding.id, result->bytes,
                                           result->size_bytes, err);
    if (!status && is_stopped)
        return pare_fail(err, PARE_E_INTERRUPTED, "the reduction was stopped");
    if (!status) status = explain(self, result, err);
    if (!status) status = pare_store_begin(run->store, err);
    return status ? status : pare_store_end(run->store, store(self, result, err), err);
}

/* ---- the job ------------------------------------------------------------------------------- */

/* Sets the paths of all files of the job. They lie in its folder, which
 * outlives the process and goes with the job. */
static pare_status name_files(struct reducing *self, pare_error *err)
{
    const char *folder = self->job.run->folder;
    pare_status status =
        pare_buffer_format(&self->result, err, "%s/%s", folder, self->job.target.base_name);
    if (!status) status = pare_buffer_format(&self->journal, err, "%s/journal", folder);
    if (!status) status = pare_buffer_format(&self->also, err, "%s/also", folder);
    if (!status) status = pare_buffer_format(&self->spent, err, "%s/spent", folder);
    if (!status) self->spent_ms = read_spent(self->spent.data);
    return status;
}

/* Reduces the finding's first input. Deterministic if workers take part, since
 * the journal is of use only if the same tests come again in the same order. */
static pare_status reduce(struct reducing *self, pare_error *err)
{
    pare_finding_job *job = &self->job;
    const pare_job_run *run = job->run;
    pare_result result = {.bytes = NULL};
    pare_error why = {0};
    pare_target_use_workers(&job->target);
    const pare_reduce_options options = {
        .input = {.bytes = job->input_bytes ? (const void *)job->input : "",
                  .size_bytes = job->input_bytes,
                  .name = job->target.base_name},
        .test = job->target.careful,
        .keep = pare_target_keep(&job->target, job->finding.identity),
        .trees = pare_target_trees(&job->target, run->campaign, job->finding.source),
        .limits = {.jobs = job->target.reduce_jobs ? job->target.reduce_jobs : 1,
                   .max_time_ms = left_ms(self),
                   .deterministic = job->target.workers.url ? PARE_ON : PARE_DEFAULT},
        .output = {.path = self->result.data,
                   .journal_dir = self->journal.data,
                   .keep_journal = PARE_ON,
                   .also_dir = self->also.data},
        .events = {.watcher = watch, .context = self, .stop = run->stop}};
    self->shown_bytes = job->input_bytes;
    pare_status status = pare_reduce(&options, &result, &why);
    job->target.careful.workers = NULL; /* what follows are single runs */
    status = finish(self, &result, status, &why, err);
    pare_result_done(&result);
    return status;
}

/* The job as a whole. A finding that was merged after the job was queued is not
 * reduced: it shares the result of another one. */
pare_status pare_reduce_job(const pare_job_run *run, pare_error *err)
{
    struct reducing self = {.told_s = -TELL_S};
    pare_status status = pare_finding_job_open(run, &self.job, err);
    assert(status || self.job.version);
    if (!status) status = name_files(&self, err);
    if (!status) status = pare_target_set_environment(&self.job.target, &self.environment, err);
    if (!status && self.job.finding.state == PARE_FINDING_MERGED)
        status = pare_finding_job_end(&self.job, "not reduced: it is merged", err);
    else if (!status)
        status = reduce(&self, err);
    pare_target_close(&self.environment);
    pare_buffer_done(&self.result);
    pare_buffer_done(&self.journal);
    pare_buffer_done(&self.also);
    pare_buffer_done(&self.spent);
    pare_buffer_done(&self.explanation);
    pare_finding_job_done(&self.job);
    return status;
}
