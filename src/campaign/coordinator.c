/* A run of a campaign: one process that starts others, and waits.
 *
 * It waits with poll(2) until a job's process ends (its pidfd), a job has changed the store (a byte
 * in a pipe), somebody else has (inotify on the store's files), it is asked to stop, or a deadline
 * has come.  Then it looks: what was asked for, what happened, what follows from that, what can be
 * started.  Looks are at least LOOK_MS apart, so that jobs that write often do not keep it busy:
 * its own cost does not grow with their speed.
 *
 * The end has two stages.  When the time is over, or nothing is left to do, fuzzing ends, and jobs
 * that finish what was found may go on if the user wishes.  When the run is stopped, or fails,
 * every job is told to save its progress; jobs that have not done so after GRACE_MS are killed.  So
 * a run that returns has left no process.  Everything needed to continue is in the store at any
 * instant: the next run takes over a killed one (recover). */

#include "campaign/coordinator.h"

#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/sized.h"
#include "campaign/campaign_file.h"
#include "campaign/follow_up.h"
#include "campaign/job.h"
#include "campaign/section.h"
#include "campaign/statistic.h"
#include "campaign/store.h"
#include "campaign/workers.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/machine.h"
#include "os/stop.h"

/* Times in ms; places in the list of descriptors. */
enum {
    LOOK_MS = 100,
    SECOND_MS = 1000,
    GRACE_MS = 10000,
    UPDATES_MS = 600000,
    LISTENERS_MS = 10000, /* that the last events may take */
    MOST_LISTENERS = 64,
    /* statistics are compacted as often */
    HOUR_MS = 3600000,
    AT_STOP = 0, /* in the list that is polled */
    AT_WAKE,
    AT_WATCH,
    AT_JOBS
};

/* When something is due, by pare_clock_ms. 0 is "at once", UINT64_MAX "never". */
struct times {
    uint64_t look, progress, compact, strays, updates, listeners;
    uint64_t changed; /* when somebody else was last seen to write to the store */
    bool look_due;    /* something has happened */
};

/* ---- how it stands ------------------------------------------------------------------- */

/* A pare_statistics_visit that adds up all pairs. Rates are worked out by
 * whoever shows them. */
static pare_status add_row(void *context, const pare_store_statistics *row, pare_error *err)
{
    pare_campaign_summary *summary = context;
    (void)err;
    summary->tests += row->tests;
    summary->failures += row->failures;
    summary->edges += row->edges;
    return PARE_OK;
}

/* Counts the jobs that wait and those that run, in the store, since users may
 * have asked for some a moment ago. Fuzz jobs do not count as waiting: they are
 * made when their turn comes. More running jobs than our own are strays of a
 * killed run, or of somebody who does jobs without a coordinator. */
static pare_status count_jobs(pare_coordinator *run, pare_error *err)
{
    int64_t waiting = 0, running = 0;
    pare_status status =
        pare_store_number(run->store, "SELECT count(*) FROM job WHERE state = 0 AND kind <> ?1",
                          &waiting, 0, err, "i", (int64_t)PARE_JOB_FUZZ);
    if (!status)
        status = pare_store_number(run->store, "SELECT count(*) FROM job WHERE state = 1", &running,
                                   0, err, "");
    run->has_strays = running > (int64_t)run->n_jobs;
    run->summary.running = run->n_jobs;
    run->summary.waiting = (uint64_t)waiting;
    return status;
}

/* Makes run->summary anew: the sums of the store, less what was there before
 * this run. Each call reads the statistics of all pairs and counts findings
 * twice: some hundred rows, at most ten times a second (LOOK_MS). */
static pare_status sum_up(pare_coordinator *run, pare_error *err)
{
    const uint32_t all = (1u << PARE_FINDING_N_STATES) - 1;
    const uint32_t not_counted = 1u << PARE_FINDING_MERGED | 1u << PARE_FINDING_INVALID;
    const pare_finding_filter filter = {.states = all & ~not_counted};
    const pare_finding_filter reduced = {.states = all & ~not_counted & ~(1u << PARE_FINDING_NEW)};
    pare_campaign_summary now = {.slots = run->slots, .slots_busy = run->busy};
    /* Counted by events: a count of rows would fall when findings are merged. */
    now.new_findings = run->summary.new_findings;
    pare_status status = pare_store_statistics_each(run->store, add_row, &now, err);
    if (!status) status = pare_store_count_findings(run->store, &filter, &now.findings, err);
    if (!status) status = pare_store_count_findings(run->store, &reduced, &now.reduced, err);
    if (status) return status;
    status = pare_store_workers(run->store, &now.workers, &now.worker_slots, err);
    if (status) return status;
    now.tests -= run->tests_before;
    now.failures -= run->failures_before;
    now.elapsed_s = (double)(pare_clock_ms() - run->started_ms) / SECOND_MS;
    run->summary = now;
    return count_jobs(run, err);
}

/* ---- looking ------------------------------------------------------------------------- */

/* What a look at the events has shown: findings to be queued, or results to go
 * on from. */
struct seen {
    pare_coordinator *run;
    bool is_new, is_settled;
};

/* A pare_event_visit. Passes the event on to the watcher; last_event only
 * rises, so each is passed on once, in order. */
static pare_status see(void *context, const pare_store_event *event, pare_error *err)
{
    struct seen *seen = context;
    (void)err;
    assert(event->id > seen->run->last_event);
    seen->run->last_event = event->id;
    bool is_new = !strcmp(event->kind, "new");
    seen->is_new = seen->is_new || is_new;
    /* Also when a validation has failed: what waited for it goes on without. */
    seen->is_settled = seen->is_settled || !strcmp(event->kind, "reduced") ||
                       !strcmp(event->kind, "validated") || !strcmp(event->kind, "trouble");
    seen->run->summary.new_findings += is_new;
    if (seen->run->options->watcher)
        seen->run->options->watcher(seen->run->options->context, event);
    return PARE_OK;
}

/* Passes on the events since the last look, and queues the jobs that follow
 * from them. `all`: at the start of a run, whatever the events were, since
 * those of a killed run may not have been followed up. */
static pare_status look_at_events(pare_coordinator *run, bool all, pare_error *err)
{
    struct seen seen = {.run = run, .is_new = all, .is_settled = all};
    pare_status status = pare_store_events(run->store, run->last_event, 0, 0, see, &seen, err);
    if (!status && seen.is_new) status = pare_follow_up_new(run->store, run->campaign, err);
    if (!status && seen.is_settled) status = pare_follow_up_reduced(run->store, run->campaign, err);
    return status;
}

/* Whether there is nothing left that anybody could do: no job runs or waits,
 * fuzzing is not paused, and no pair can give more. */
static bool is_idle(const pare_coordinator *run)
{
    return !run->n_jobs && !run->has_strays && !run->summary.waiting && !run->all_paused &&
           !pare_fuzz_schedule_is_alive(&run->schedule);
}

/* Whether every pair has been given up after failures: waiting would not help,
 * whatever was asked for. */
static bool has_given_up(const pare_coordinator *run)
{
    bool all = run->schedule.n_pairs > 0;
    for (size_t i = 0; i < run->schedule.n_pairs; i++)
        all = all && run->schedule.pairs[i].state == PARE_PAIR_GIVEN_UP;
    return all;
}

/* Sees whether the run is at its end, and tells the jobs that have to end. Both
 * flags are only ever set, so an end is never taken back. */
static void see_end(pare_coordinator *run)
{
    uint64_t elapsed = pare_clock_ms() - run->started_ms;
    bool stopped = pare_stop_requested(run->options->stop);
    bool over = (run->max_ms && elapsed >= run->max_ms) ||
                (run->max_tests && run->summary.tests >= run->max_tests);
    bool idle = is_idle(run) && (run->options->until_idle || has_given_up(run));
    run->ends = run->ends || stopped || over || idle;
    run->ends_at_once = stopped || (run->ends && !run->options->finish_jobs);
    for (size_t i = 0; i < run->n_jobs && run->ends; i++)
        if (run->ends_at_once || run->jobs[i].kind == PARE_JOB_FUZZ)
            pare_job_process_tell(&run->jobs[i], PARE_TOLD_TO_END);
}

/* Whether the loop is over: no job of ours is left, and if jobs are to be
 * finished none waits either. */
static bool has_ended(const pare_coordinator *run)
{
    return run->ends && !run->n_jobs && (run->ends_at_once || !run->summary.waiting);
}

/* Takes up jobs that the store says to run but nobody does. At most once a
 * second and only while there may be any: processes of a run that was killed an
 * instant ago may still be dying. */
static pare_status see_strays(pare_coordinator *run, struct times *times, pare_error *err)
{
    uint64_t n = 0, now = pare_clock_ms();
    if (!run->has_strays || now < times->strays) return PARE_OK;
    times->strays = now + SECOND_MS;
    return pare_job_recover(run->store, &n, err);
}

/* Lets the listeners start and end their commands; notes when they want to be
 * called again. */
static pare_status turn_listeners(pare_coordinator *run, struct times *times, pare_error *err)
{
    int timeout = -1;
    pare_status status = pare_listeners_turn(run->listeners, &timeout, err);
    times->listeners = timeout < 0 ? UINT64_MAX : pare_clock_ms() + (uint64_t)timeout;
    return status;
}

/* One look. The order matters: what was asked for and what follows from events
 * is queued before slots are filled, and the end is seen before anything new is
 * started. */
static pare_status look(pare_coordinator *run, struct times *times, pare_error *err)
{
    uint64_t now = pare_clock_ms();
    pare_status status = pare_coordinator_jobs_grant(run, err);
    if (!status) status = look_at_events(run, false, err);
    /* Its time goes on at the end of a run, too: what stays due would keep us from waiting. */
    const bool updates_due = now >= times->updates;
    if (updates_due) times->updates = now + UPDATES_MS;
    if (!status && updates_due && !run->ends)
        status =
            pare_follow_up_updates(run->store, run->campaign, run->slots, run->options->stop, err);
    if (!status) status = turn_listeners(run, times, err);
    if (!status) status = see_strays(run, times, err);
    if (!status) status = sum_up(run, err);
    if (status) return status;
    see_end(run);
    /* At most once a second, however often there is a look. */
    if (run->options->progress && now >= times->progress) {
        run->options->progress(run->options->context, &run->summary);
        times->progress = now + SECOND_MS;
    }
    if (now >= times->compact) {
        status = pare_statistic_compact(run->store, err);
        times->compact = now + HOUR_MS;
    }
    times->look = now + LOOK_MS;
    /* What was just written may not be visible yet (os/file_watch.h). */
    times->look_due = now - times->changed < LOOK_MS;
    return status ? status : pare_coordinator_jobs_fill(run, err);
}

/* ---- waiting ------------------------------------------------------------------------- */

/* Lowers *least to `time` if that is earlier. */
static void sooner(uint64_t *least, uint64_t time)
{
    if (time < *least) *least = time;
}

/* How long nothing will be due, in ms for poll(2); the same conditions as in is_due. */
static int wait_ms(const pare_coordinator *run, const struct times *times)
{
    uint64_t now = pare_clock_ms(), next = times->compact;
    if (times->look_due) sooner(&next, times->look);
    sooner(&next, times->listeners);
    sooner(&next, times->updates);
    if (run->options->progress) sooner(&next, times->progress);
    if (run->has_strays) sooner(&next, times->strays);
    if (run->max_ms && !run->ends) sooner(&next, run->started_ms + run->max_ms);
    for (size_t i = 0; i < run->n_jobs; i++)
        if (run->jobs[i].told) sooner(&next, run->jobs[i].told_ms + GRACE_MS);
    return next > now ? (int)(next - now) : 0;
}

/* Waits until a descriptor is ready or something is due, and notes what has to
 * be looked at. `list` has room for all descriptors; entries of jobs stay valid
 * for take_ended. A descriptor of -1 is ignored by poll. */
static void await(pare_coordinator *run, struct pollfd *list, struct times *times)
{
    bool ends = run->ends_at_once; /* then the stop's descriptor would not let us wait */
    list[AT_STOP] =
        (struct pollfd){.fd = ends ? -1 : pare_stop_fd(run->options->stop), .events = POLLIN};
    list[AT_WAKE] = (struct pollfd){.fd = run->processes.wake_fds[0], .events = POLLIN};
    list[AT_WATCH] = (struct pollfd){.fd = pare_file_watch_fd(run->watch), .events = POLLIN};
    for (size_t i = 0; i < run->n_jobs; i++)
        list[AT_JOBS + i] = (struct pollfd){.fd = run->jobs[i].child.pidfd, .events = POLLIN};
    int fds[MOST_LISTENERS];
    size_t n = AT_JOBS + run->n_jobs;
    size_t n_listening = pare_listeners_descriptors(run->listeners, fds, MOST_LISTENERS);
    for (size_t i = 0; i < n_listening; i++)
        list[n + i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
    if (poll(list, n + n_listening, wait_ms(run, times)) < 0)
        return; /* a signal: the stop says which */
    if (list[AT_WAKE].revents) pare_job_processes_drain(&run->processes);
    bool changed = list[AT_WATCH].revents && pare_file_watch_changed(run->watch);
    bool asked = list[AT_STOP].revents != 0;
    if (changed) times->changed = pare_clock_ms();
    for (size_t i = 0; i < n_listening; i++)
        changed = changed || list[n + i].revents;
    times->look_due = times->look_due || list[AT_WAKE].revents || changed || asked;
    /* A request to stop does not wait for LOOK_MS to pass. */
    if (asked) times->look = 0;
}

/* Takes the jobs whose process has ended, and kills those that were told to end
 * and did not within GRACE_MS. A kill may take its time (a process that waits
 * for a disk), so the grace begins anew and we do not spin until then.
 *
 * From the last to the first: reaping job i puts the last one into its place. */
static pare_status take_ended(pare_coordinator *run, struct pollfd *list, struct times *times,
                              pare_error *err)
{
    uint64_t now = pare_clock_ms();
    for (size_t i = run->n_jobs; i-- > 0;) {
        if (run->jobs[i].told && now >= run->jobs[i].told_ms + GRACE_MS) {
            pare_job_process_kill(&run->jobs[i]);
            run->jobs[i].told_ms = now;
        }
        if (!list[AT_JOBS + i].revents) continue;
        pare_status status = pare_coordinator_jobs_reap(run, i, err);
        if (status) return status;
        times->look_due = true;
        times->look = 0;
    }
    return PARE_OK;
}

/* The list that is polled, with room for all jobs and listeners there can be;
 * NULL when memory is out. A job has at least one slot, so there are never more
 * jobs than slots. */
static struct pollfd *make_list(const pare_coordinator *run)
{
    return pare_alloc_zero(AT_JOBS + (size_t)run->slots + MOST_LISTENERS, sizeof(struct pollfd));
}

/* Whether it is time to look; each condition has its time in wait_ms. */
static bool is_due(const pare_coordinator *run, const struct times *times)
{
    uint64_t now = pare_clock_ms();
    return (times->look_due && now >= times->look) || now >= times->compact ||
           now >= times->updates || now >= times->listeners ||
           (run->has_strays && now >= times->strays) ||
           (run->options->progress && now >= times->progress) ||
           (run->max_ms && !run->ends && now >= run->started_ms + run->max_ms);
}

/* The loop. Each turn takes what has ended before it looks, so a slot that has
 * become free is filled in the same turn. */
static pare_status go_on(pare_coordinator *run, pare_error *err)
{
    uint64_t now = pare_clock_ms();
    struct times times = {.progress = now + SECOND_MS, .compact = now};
    struct pollfd *list = make_list(run);
    if (!list) return pare_fail_nomem(err);
    pare_status status = look(run, &times, err);
    while (!status && !has_ended(run)) {
        await(run, list, &times);
        status = take_ended(run, list, &times, err);
        if (!status && is_due(run, &times)) status = look(run, &times, err);
    }
    pare_alloc_free(list);
    return status;
}

/* Ends all jobs after a failure; together they get GRACE_MS. The store is not
 * written, as it may be what failed: jobs that it says to run are taken up by
 * the next run. */
static void wind_down(pare_coordinator *run)
{
    uint64_t end = pare_clock_ms() + GRACE_MS;
    for (size_t i = 0; i < run->n_jobs; i++)
        pare_job_process_tell(&run->jobs[i], PARE_TOLD_TO_END);
    for (size_t i = 0; i < run->n_jobs; i++) {
        char how[PARE_JOB_PROCESS_HOW_BYTES];
        uint64_t now = pare_clock_ms();
        if (!pare_descriptor_await(run->jobs[i].child.pidfd, now < end ? (int)(end - now) : 0))
            pare_job_process_kill(&run->jobs[i]);
        pare_job_process_reap(&run->jobs[i], how);
    }
    run->n_jobs = 0;
}

/* ---- beginning and end ----------------------------------------------------------------- */

/* Puts the configuration into the store, where jobs read it: the files may
 * change while the campaign runs. It also becomes "the newest", by which jobs
 * are done that were asked for by hand. */
static pare_status put_campaign(pare_coordinator *run, pare_error *err)
{
    char number[24];
    pare_status status =
        pare_store_put_config(run->store, pare_campaign_text(run->campaign), &run->config, err);
    (void)snprintf(number, sizeof number, "%lld", (long long)run->config);
    return status ? status : pare_store_put_fact(run->store, PARE_FACT_CAMPAIGN, number, err);
}

/* Notes what is there before this run, so that the summary is about the run alone. */
static pare_status note_before(pare_coordinator *run, pare_error *err)
{
    pare_status status = pare_store_number(run->store, "SELECT coalesce(max(id), 0) FROM event",
                                           &run->last_event, 0, err, "");
    if (!status) status = sum_up(run, err);
    run->tests_before = run->summary.tests;
    run->failures_before = run->summary.failures;
    run->summary.tests = run->summary.failures = 0;
    return status;
}

/* Reads the limits; the command line's count more than the file's. More than
 * 1024 slots are taken for a slip. */
static void read_limits(pare_coordinator *run)
{
    const pare_section *own = pare_campaign_section(run->campaign, "campaign", "");
    uint64_t jobs = run->options->jobs ? run->options->jobs : pare_section_number(own, "jobs");
    if (!jobs) jobs = pare_machine_processors();
    run->slots = jobs < 1024 ? (unsigned)jobs : 1024;
    run->max_ms = run->options->max_time_ms ? run->options->max_time_ms
                                            : pare_section_time_ms(own, "max_time");
    run->max_tests =
        run->options->max_tests ? run->options->max_tests : pare_section_number(own, "max_tests");
}

/* A patience's `tell`. What keeps the store locked cannot be noted in the
 * store, so this event has no number and only the watcher gets it. */
static void tell_of_lock(void *context)
{
    const pare_coordinator *run = context;
    char text[PARE_ERROR_TEXT_BYTES];
    (void)snprintf(text, sizeof text,
                   "%s is locked by another process: the campaign goes on when that is over",
                   pare_campaign_store_path(run->campaign));
    const pare_store_event event = {.time = pare_store_now(), .kind = "trouble", .text = text};
    if (run->options->watcher) run->options->watcher(run->options->context, &event);
}

/* Asks the server of the workers how many there are, and tells the watcher.
 * Before anything is written, so that a slip in the URL leaves no store behind. */
static pare_status look_for_workers(pare_coordinator *run, pare_error *err)
{
    unsigned n_workers = 0, n_slots = 0;
    pare_status status = pare_workers_check(run->campaign, &n_workers, &n_slots, err);
    const char *url = pare_workers_options(run->campaign).url;
    if (status || !url || !run->options->watcher) return status;
    char text[PARE_ERROR_TEXT_BYTES];
    if (n_workers)
        (void)snprintf(text, sizeof text, "%u worker%s with %u slot%s at %.200s", n_workers,
                       n_workers == 1 ? "" : "s", n_slots, n_slots == 1 ? "" : "s", url);
    else
        (void)snprintf(text, sizeof text, "no worker is at %.200s yet: they may come at any time",
                       url);
    const pare_store_event event = {.time = pare_store_now(), .kind = "workers", .text = text};
    run->options->watcher(run->options->context, &event);
    return PARE_OK;
}

/* Opens all that a run needs. The lock comes before anything is written, so a
 * second coordinator on the same store changes nothing. After a failure end_run
 * releases what was opened. */
static pare_status start_run(pare_coordinator *run, pare_error *err)
{
    const char *path = pare_campaign_store_path(run->campaign);
    read_limits(run);
    pare_status status = look_for_workers(run, err);
    if (status) return status;
    if (!pare_campaign_section_at(run->campaign, "target", 0))
        return pare_fail(err, PARE_E_STATE, "the campaign has no [target NAME]");
    if (!pare_campaign_section_at(run->campaign, "source", 0))
        return pare_fail(err, PARE_E_STATE, "the campaign has no [source NAME]");
    const pare_store_patience patience = {
        .is_patient = true,
        .stop = run->options->stop,
        .give_up_ms = run->max_ms ? run->started_ms + run->max_ms + PARE_STORE_WAIT_MS : 0,
        .tell = tell_of_lock,
        .context = run};
    status = pare_store_open_patient(path, true, &patience, &run->store, err);
    if (!status) status = pare_store_lock(run->store, 0, &run->lock_fd, err);
    if (!status) status = pare_file_watch_new(path, &run->watch, err);
    if (!status) status = pare_fuzz_schedule_init(&run->schedule, run->campaign, run->slots, err);
    if (!status) {
        run->sums = pare_alloc_zero(run->schedule.n_pairs + 1, sizeof *run->sums);
        if (!run->sums) status = pare_fail_nomem(err);
    }
    if (!status)
        status = pare_job_processes_init(&run->processes, path, run->options->program, err);
    if (!status) status = put_campaign(run, err);
    if (!status) status = pare_coordinator_jobs_recover(run, err);
    if (!status) status = pare_workers_forget(run->store, err);
    if (!status) status = note_before(run, err);
    if (!status) status = pare_listeners_open(run->store, run->campaign, &run->listeners, err);
    return status ? status : look_at_events(run, true, err);
}

/* Releases everything, in the reverse order. Each call is a no-op for what was
 * not opened. */
static void end_run(pare_coordinator *run)
{
    pare_listeners_close(run->listeners);
    pare_job_processes_done(&run->processes);
    pare_fuzz_schedule_done(&run->schedule);
    pare_file_watch_free(run->watch);
    pare_descriptor_close(&run->lock_fd);
    pare_store_close(run->store);
    pare_alloc_free(run->sums);
    pare_alloc_free(run->deaths);
    pare_alloc_free(run->jobs);
}

/* A run in which every pair was given up without a single test is a failure,
 * with the last trouble as its reason; all others are none. */
static pare_status judge(const pare_coordinator *run, pare_error *err)
{
    if (!has_given_up(run) || run->summary.tests) return PARE_OK;
    return pare_fail(err, PARE_E_STATE, "no source works: %s", run->trouble);
}

/* What is left to do when all jobs have ended: the last events are passed on,
 * and listeners get LISTENERS_MS to hear of them. */
static pare_status finish(pare_coordinator *run, pare_error *err)
{
    pare_status status = look_at_events(run, false, err);
    if (!status) status = sum_up(run, err);
    if (!status) status = pare_listeners_finish(run->listeners, LISTENERS_MS, NULL, err);
    return status ? status : judge(run, err);
}

/* Runs a campaign until it ends or is stopped. A stop is no failure, also while
 * the store was locked. *summary is set in any case. */
pare_status pare_campaign_run_sized(const pare_campaign *campaign,
                                    const pare_campaign_run_options *options, size_t options_bytes,
                                    pare_campaign_summary *summary, pare_error *err)
{
    pare_campaign_run_options own;
    pare_error first = {0};
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "pare_campaign_run_options", err);
    if (status) return status;
    pare_coordinator run = {.campaign = campaign,
                            .options = &own,
                            .lock_fd = -1,
                            .started_ms = pare_clock_ms(),
                            .processes = {.wake_fds = {-1, -1}, .log_fd = -1}};
    status = start_run(&run, &first);
    if (!status) status = go_on(&run, &first);
    if (status) wind_down(&run);
    if (!status) status = finish(&run, &first);
    /* It was stopped while it waited for a locked store: then the summary is the one before that. */
    if (status == PARE_E_INTERRUPTED) status = PARE_OK;
    if (!status && own.progress) own.progress(own.context, &run.summary);
    if (summary) *summary = run.summary;
    end_run(&run);
    /* A sentence that is there already was written by whoever failed first. */
    if (status && err && !err->status) *err = first;
    return status;
}
