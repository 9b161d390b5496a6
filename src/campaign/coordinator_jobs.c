/* Decides which jobs are started, and handles those whose process has ended.
 *
 * Jobs that wait in the store come before fuzzing, in the store's order.  A job that needs more
 * slots than are free lets smaller ones pass, but only MOST_PASSED of them: then nothing is started
 * until it fits, so it never starves.  Jobs that nobody requested leave one slot to fuzzing, or
 * take turns with it if there is only one: so a campaign with many new findings keeps looking for
 * others.
 *
 * A fuzz job is made when it is its turn (fuzz_schedule.h), and ends with its process: its findings
 * and the progress of its source are in the store.  It gets the slots that nobody else would use,
 * and is ended early when another job waits for them, so a campaign with one source uses all
 * processors.  Any other job whose process dies before the job has ended waits again, at most
 * twice; then it has failed. */

#include "campaign/coordinator.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <pare/findings.h>

#include "base/fail.h"
#include "base/vector.h"
#include "campaign/fuzz_schedule.h"
#include "campaign/job.h"
#include "campaign/job_process.h"
#include "campaign/job_run.h"
#include "campaign/store.h"
#include "os/clock.h"

/* MOST_PASSED: jobs that may pass a blocked one; LOOKED_AT: waiting jobs that
 * are considered at once; MOST_DEATHS: after which a job is tried again;
 * MOST_WISHES: taken in one look. */
enum { MOST_PASSED = 8, LOOKED_AT = 32, MOST_DEATHS = 2, MOST_WISHES = 64 };

/* ---- starting ------------------------------------------------------------------------ */

/* Whether job `id` is one of ours. A job that was just started may still be
 * listed as waiting. */
static bool is_running(const pare_coordinator *run, int64_t id)
{
    for (size_t i = 0; i < run->n_jobs; i++)
        if (run->jobs[i].id == id) return true;
    return false;
}

/* Whether a call failed because the job was gone. Users cancel jobs and delete
 * findings from processes of their own, also between our look at the queue and
 * what we do next. Such a job is passed over; the error is cleared, as it is no
 * failure of the campaign. */
static bool is_gone(pare_status status, pare_error *err)
{
    if (status != PARE_E_STATE) return false;
    pare_fail_clear(err);
    return true;
}

/* Starts the process of a job. The store says that the job runs before it does,
 * so a kill in between leaves a job to recover and never one that runs unseen.
 * *started is set only if it was started; a job that is gone is no failure. */
static pare_status start(pare_coordinator *run, pare_job_process job, bool *started,
                         pare_error *err)
{
    pare_job_process *jobs = pare_vector_grow(run->jobs, run->n_jobs, &run->capacity, sizeof *jobs);
    if (!jobs) return pare_fail_nomem(err);
    run->jobs = jobs;
    pare_status status = pare_job_set_running(run->store, job.id, getpid(), err);
    if (is_gone(status, err)) return PARE_OK;
    if (!status) status = pare_job_process_start(&run->processes, &job, err);
    if (status) return status;
    *started = true;
    jobs[run->n_jobs++] = job;
    run->busy += job.cost;
    run->last_was_fuzz = job.kind == PARE_JOB_FUZZ;
    /* Only jobs that start while another one is blocked count as passing it. */
    if (run->blocked) run->passed++;
    return PARE_OK;
}

/* Whether a job may be started beside the fuzzing. What somebody asked for by
 * hand (priority above 0) always may. Other jobs leave one slot to fuzzing, or
 * with a single slot take turns with it; one that needs all slots would never
 * run otherwise, so it may. */
static bool leaves_room(const pare_coordinator *run, const pare_job *job, unsigned cost)
{
    if (job->priority > 0 || run->ends || run->all_paused) return true;
    if (!pare_fuzz_schedule_is_alive(&run->schedule)) return true;
    if (run->slots == 1) return run->last_was_fuzz;
    unsigned others = cost;
    for (size_t i = 0; i < run->n_jobs; i++)
        if (run->jobs[i].kind != PARE_JOB_FUZZ) others += run->jobs[i].cost;
    return others < run->slots || cost >= run->slots;
}

/* How many slots a job takes: at least 1, at most all. An update that has no
 * cost of its own was given all slots as its cost. */
static unsigned cost_of(const pare_coordinator *run, const pare_job *job)
{
    unsigned cost = job->cost ? job->cost : 1;
    return cost < run->slots ? cost : run->slots;
}

/* Tries to start waiting job `id`. One that would be allowed but does not fit
 * becomes `blocked`, if none is; only for the blocked one are slots kept.
 * *stop: it was passed MOST_PASSED times, so nothing else may start until it
 * fits. */
static pare_status try_start(pare_coordinator *run, int64_t id, bool *started, bool *stop,
                             pare_error *err)
{
    pare_job job = {0};
    pare_status status = pare_job_get(run->store, id, &job, NULL, err);
    if (is_gone(status, err)) return PARE_OK;
    if (status) return status;
    unsigned cost = cost_of(run, &job);
    bool fits = run->busy + cost <= run->slots;
    if (!fits && leaves_room(run, &job, cost) && (!run->blocked || run->blocked == id)) {
        if (!run->blocked) run->passed = 0;
        run->blocked = id;
        *stop = run->passed >= MOST_PASSED;
    } else if (fits && leaves_room(run, &job, cost)) {
        if (run->blocked == id) run->blocked = 0;
        const pare_job_process process = {
            .id = id, .kind = job.kind, .cost = cost, .pair = SIZE_MAX};
        status = start(run, process, started, err);
    }
    pare_job_done(&job);
    return status;
}

/* Starts the first waiting job that may be started, if any. A blocked job that
 * waits no more (cancelled, paused) blocks nothing. */
static pare_status start_waiting(pare_coordinator *run, bool *started, bool *stop, pare_error *err)
{
    int64_t ids[LOOKED_AT];
    size_t n = LOOKED_AT;
    pare_status status = pare_job_next(run->store, UINT32_MAX, ids, &n, err);
    bool blocked_waits = false;
    for (size_t i = 0; i < n && !status; i++)
        blocked_waits = blocked_waits || ids[i] == run->blocked;
    if (!blocked_waits) run->blocked = 0;
    for (size_t i = 0; i < n && !status && !*started && !*stop; i++)
        if (!is_running(run, ids[i])) status = try_start(run, ids[i], started, stop, err);
    return status;
}

/* The most tests that the next fuzz job may make, so that all jobs together
 * keep to max_tests: a share for each slot, but not so few that starting the
 * job costs more than its tests. 0: the limit is reached. Assumes max_tests >
 * 0. */
static uint64_t allot(const pare_coordinator *run)
{
    uint64_t made = run->summary.tests + run->allotted;
    if (made >= run->max_tests) return 0;
    uint64_t left = run->max_tests - made, share = left / run->slots;
    return share > 1000 ? share : left < 1000 ? left : 1000;
}

/* How many slots a fuzz job gets: what its pair costs, or if that is more, a
 * share of the free slots among all pairs that are ready. */
static unsigned width_of(const pare_coordinator *run, const pare_fuzz_schedule_pair *pair)
{
    size_t share = (run->slots - run->busy) / pare_fuzz_schedule_ready(&run->schedule);
    return share > pair->cost ? (unsigned)share : pair->cost;
}

/* Called when a job is blocked: tells a fuzz job that has more slots than it
 * costs to end. One at a time, as one may be enough; the next call tells the
 * next. */
static void narrow(pare_coordinator *run)
{
    for (size_t i = 0; i < run->n_jobs; i++) {
        pare_job_process *job = &run->jobs[i];
        if (job->kind != PARE_JOB_FUZZ) continue;
        if (job->told) return; /* one at a time */
        if (job->cost <= run->schedule.pairs[job->pair].cost) continue;
        pare_job_process_tell(job, PARE_TOLD_TO_END);
        return;
    }
}

/* Makes a job of the pair whose turn it is and starts it. *started stays false
 * if no pair is ready or the limit of tests is reached. */
static pare_status start_fuzz(pare_coordinator *run, bool *started, pare_error *err)
{
    char detail[24] = "";
    size_t index = pare_fuzz_schedule_next(&run->schedule, run->slots - run->busy);
    if (index == SIZE_MAX) return PARE_OK;
    uint64_t most = run->max_tests ? allot(run) : 0;
    if (run->max_tests && !most) return PARE_OK;
    if (most) (void)snprintf(detail, sizeof detail, "%llu", (unsigned long long)most);
    const pare_fuzz_schedule_pair *pair = &run->schedule.pairs[index];
    unsigned cost = width_of(run, pair);
    const pare_job_order order = {.kind = PARE_JOB_FUZZ,
                                  .target = pair->target,
                                  .source = pair->source,
                                  .detail = detail,
                                  .cost = cost,
                                  .config = run->config};
    pare_job_process process = {.kind = PARE_JOB_FUZZ, .cost = cost, .pair = index, .tests = most};
    pare_status status = pare_job_add(run->store, &order, &process.id, err);
    if (!status) status = start(run, process, started, err);
    if (status || !*started) return status;
    pare_fuzz_schedule_start(&run->schedule, index);
    /* Tests are set aside here and given back in account(), where those made
     * count instead. */
    run->allotted += most;
    return PARE_OK;
}

/* Starts jobs until nothing more can be started. One in each turn, since each
 * start changes what may be started next. Bounded by the slots. */
pare_status pare_coordinator_jobs_fill(pare_coordinator *run, pare_error *err)
{
    for (bool started = true; started && !run->ends_at_once;) {
        bool stop = false;
        started = false;
        pare_status status = start_waiting(run, &started, &stop, err);
        if (!status && !started && !stop && !run->all_paused && !run->ends &&
            run->busy < run->slots)
            status = start_fuzz(run, &started, err);
        if (status) return status;
    }
    if (run->blocked) narrow(run);
    return PARE_OK;
}

/* ---- ending -------------------------------------------------------------------------- */

/* Counts a death of job `id`; *n is how often it has died in this run. Kept in
 * memory: the end of a whole run is not the fault of its jobs. */
static pare_status count_death(pare_coordinator *run, int64_t id, unsigned *n, pare_error *err)
{
    for (size_t i = 0; i < run->n_deaths; i++) {
        if (run->deaths[i].id != id) continue;
        *n = ++run->deaths[i].n;
        return PARE_OK;
    }
    pare_job_death *deaths =
        pare_vector_grow(run->deaths, run->n_deaths, &run->deaths_capacity, sizeof *deaths);
    if (!deaths) return pare_fail_nomem(err);
    run->deaths = deaths;
    deaths[run->n_deaths++] = (pare_job_death){id, *n = 1};
    return PARE_OK;
}

/* Opens the store once more to see whether it is sound. A damaged file is
 * noticed first by those who open it anew: a job dies of it and cannot write
 * why, while we go on with the pages that we have in memory. */
static pare_status look_at_store(const pare_coordinator *run, pare_error *err)
{
    pare_store *again = NULL;
    pare_status status =
        pare_store_open_patient(run->store->path, false, &run->store->patience, &again, err);
    if (!status) pare_store_close(again);
    return status;
}

/* Takes the death of a process that had not ended its job and was not told to.
 * A fuzz job has failed; another one waits again, at most MOST_DEATHS times,
 * and then has failed. Either way it is an event that the user sees. */
static pare_status take_death(pare_coordinator *run, const pare_job *job, const char *how,
                              pare_error *err)
{
    unsigned n = 0;
    char text[256];
    pare_status status = look_at_store(run, err);
    if (!status) status = count_death(run, job->id, &n, err);
    bool again = job->kind != PARE_JOB_FUZZ && n <= MOST_DEATHS;
    (void)snprintf(text, sizeof text, "the process of job %lld (%s) %s%s", (long long)job->id,
                   pare_job_kind_name(job->kind), *how ? how : "was ended from outside",
                   again ? ": it is tried again" : "");
    if (!status && again) status = pare_job_set_waiting(run->store, job->id, err);
    if (!status && !again)
        status = pare_job_set_ended(run->store, job->id, PARE_JOB_FAILED, text, err);
    if (!status) status = pare_store_tell(run->store, "trouble", job->finding, job->id, text, err);
    if (!again) (void)snprintf(run->trouble, sizeof run->trouble, "%s", text);
    return status;
}

/* Takes a process that was told to end before its job was done. What becomes of
 * the job depends on why: it was cancelled, or paused, or waits for the next
 * run. A fuzz job is simply done, since its position is in the store. */
static pare_status take_stopped(pare_coordinator *run, const pare_job_process *process,
                                const pare_job *job, pare_error *err)
{
    if (process->told == PARE_TOLD_TO_CANCEL)
        return pare_job_set_ended(run->store, job->id, PARE_JOB_CANCELLED, job->progress, err);
    if (process->kind == PARE_JOB_FUZZ)
        return pare_job_set_ended(run->store, job->id, PARE_JOB_DONE, job->progress, err);
    if (process->told == PARE_TOLD_TO_PAUSE) return pare_job_set_paused(run->store, job->id, err);
    return pare_job_set_waiting(run->store, job->id, err);
}

/* The sums of one pair over all its rows, being added up. */
struct sum {
    const pare_fuzz_schedule_pair *pair;
    pare_pair_sums sums;
};

/* A pare_statistics_visit. A pair has a row for each configuration that it has
 * run with. */
static pare_status add_up(void *context, const pare_store_statistics *row, pare_error *err)
{
    struct sum *sum = context;
    (void)err;
    if (strcmp(row->source, sum->pair->source) != 0 || strcmp(row->target, sum->pair->target) != 0)
        return PARE_OK;
    sum->sums.tests += row->tests;
    sum->sums.findings += row->findings;
    sum->sums.edges += row->edges;
    return PARE_OK;
}

/* Tells the schedule what a fuzz job has brought: the difference of its pair's
 * sums, as other jobs of the same pair may run beside it. */
static pare_status account(pare_coordinator *run, const pare_job_process *process,
                           const pare_job *job, pare_error *err)
{
    struct sum now = {.pair = &run->schedule.pairs[process->pair]};
    pare_pair_sums *before = &run->sums[process->pair];
    pare_status status = pare_store_statistics_each(run->store, add_up, &now, err);
    if (status) return status;
    double seconds = (double)(pare_clock_ms() - process->started_ms) / 1000;
    const pare_fuzz_schedule_result result = {
        .slot_s = seconds * process->cost,
        .findings = (double)(now.sums.findings - before->findings),
        .edges = (double)(now.sums.edges - before->edges),
        .failed = job->state == PARE_JOB_FAILED,
        .dry = job->state == PARE_JOB_DONE && !strcmp(job->progress, PARE_FUZZ_DRY)};
    *before = now.sums;
    if (result.failed && job->progress[0])
        (void)snprintf(run->trouble, sizeof run->trouble, "%s", job->progress);
    pare_fuzz_schedule_end(&run->schedule, process->pair, &result);
    run->allotted -= process->tests;
    return PARE_OK;
}

/* Writes what becomes of a job whose process has ended, unless it has written
 * that itself, and reads the job again. What the process has written counts,
 * however it ended: it may have been killed after its last transaction. */
static pare_status conclude(pare_coordinator *run, const pare_job_process *process, const char *how,
                            pare_job *job, pare_error *err)
{
    pare_status status = pare_job_get(run->store, process->id, job, NULL, err);
    if (status || job->state >= PARE_JOB_DONE) return status;
    status = process->told ? take_stopped(run, process, job, err) : take_death(run, job, how, err);
    pare_job_done(job);
    return status ? status : pare_job_get(run->store, process->id, job, NULL, err);
}

/* Takes jobs[i], whose process has ended. A job that is gone (its finding was
 * deleted just then) is all-zero; its slots and tests are given back all the
 * same. */
pare_status pare_coordinator_jobs_reap(pare_coordinator *run, size_t i, pare_error *err)
{
    char how[PARE_JOB_PROCESS_HOW_BYTES];
    pare_job job = {0};
    pare_job_process process = run->jobs[i];
    pare_job_process_reap(&process, how);
    run->jobs[i] = run->jobs[--run->n_jobs];
    assert(run->busy >= process.cost);
    run->busy -= process.cost;
    pare_status status = conclude(run, &process, how, &job, err);
    const bool gone = is_gone(status, err);
    if (gone) status = PARE_OK;
    if (!status && process.kind == PARE_JOB_FUZZ) status = account(run, &process, &job, err);
    if (!status && (gone || job.state >= PARE_JOB_DONE))
        pare_job_folder_remove(run->store, process.id);
    pare_job_done(&job);
    return status;
}

/* ---- what earlier runs left, and what is asked for ----------------------------------- */

/* Cancels the fuzz jobs that an earlier run left waiting or paused: their pairs
 * may not be in the configuration any more. One by one, as each has a folder to
 * remove. */
static pare_status end_old_fuzzing(pare_coordinator *run, pare_error *err)
{
    int64_t id = 0;
    for (;;) {
        pare_status status = pare_store_number(
            run->store, "SELECT id FROM job WHERE state IN (0, 2) AND kind = ?1 LIMIT 1", &id, 0,
            err, "i", (int64_t)PARE_JOB_FUZZ);
        if (status || !id) return status;
        status = pare_job_set_ended(run->store, id, PARE_JOB_CANCELLED, "its run was killed", err);
        if (status) return status;
        pare_job_folder_remove(run->store, id);
    }
}

/* Makes the jobs that an earlier run left running wait again (job.h), and ends
 * its fuzz jobs, which lose nothing: how far a source is, is in the store. */
pare_status pare_coordinator_jobs_recover(pare_coordinator *run, pare_error *err)
{
    uint64_t n = 0;
    pare_status status = pare_job_recover(run->store, &n, err);
    return status ? status : end_old_fuzzing(run, err);
}

/* Passes a wish on to the process of the job, if it is ours. "Go on" for a
 * running job needs nothing: it has come before the pause was carried out. */
static void tell_job(pare_coordinator *run, const pare_job_wish *wish)
{
    for (size_t i = 0; i < run->n_jobs; i++) {
        if (run->jobs[i].id != wish->id) continue;
        if (wish->what == PARE_WISH_CANCEL)
            pare_job_process_tell(&run->jobs[i], PARE_TOLD_TO_CANCEL);
        if (wish->what == PARE_WISH_PAUSE) pare_job_process_tell(&run->jobs[i], PARE_TOLD_TO_PAUSE);
    }
}

/* Does what was asked for from outside since the last look. A pause of fuzzing
 * as a whole ends the fuzz jobs; when it is over, new ones go on from where
 * they were. */
pare_status pare_coordinator_jobs_grant(pare_coordinator *run, pare_error *err)
{
    pare_job_wish wishes[MOST_WISHES];
    size_t n = MOST_WISHES;
    pare_status status = pare_job_wishes(run->store, wishes, &n, &run->all_paused, err);
    for (size_t i = 0; i < n && !status; i++)
        tell_job(run, &wishes[i]);
    for (size_t i = 0; i < run->n_jobs && run->all_paused && !status; i++)
        if (run->jobs[i].kind == PARE_JOB_FUZZ)
            pare_job_process_tell(&run->jobs[i], PARE_TOLD_TO_END);
    return status;
}
