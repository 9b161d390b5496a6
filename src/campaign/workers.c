/* The part of a campaign that deals with workers, except for running tests on them, which is the
 * oracle's business.
 *
 * The workers of each job that has any are a fact of the store ("workers of job 7" is "2 8").  A
 * job removes its fact at its end; those of killed jobs are removed when a coordinator begins.
 * Only running jobs are counted, so a leftover fact does no harm.
 *
 * Each job has a run of its own, which reports the same worker again; so a sentence that is among
 * the last events is not repeated. */
#include "campaign/workers.h"

#include <stdio.h>
#include <string.h>

#include <pare/findings.h>
#include <pare/worker.h>

#include "base/fail.h"
#include "campaign/campaign_file.h"
#include "campaign/section.h"

/* Of events, in which a sentence is looked for before it is told again. */
#define LAST_EVENTS "1000"
/* The name of a fact: this and the job's number. */
#define FACT "workers of job "

/* `is_optional`: a campaign goes on at home when the server is away. */
pare_cluster_options pare_workers_options(const pare_campaign *campaign)
{
    const pare_section *own = pare_campaign_section(campaign, "campaign", "");
    pare_cluster_options options = {.url = NULL};
    if (!own || !*pare_section_text(own, "workers")) return options;
    options.url = pare_section_text(own, "workers");
    const char *credentials = pare_section_text(own, "credentials");
    options.credentials = *credentials ? credentials : NULL;
    options.insecure = pare_section_flag(own, "insecure");
    options.is_optional = true;
    options.with = pare_section_words(own, "with", &options.n_with);
    return options;
}

/* A pare_worker_list's. */
static void count(void *context, const pare_worker_status *worker)
{
    pare_workers_share *there = context;
    there->n_workers++;
    there->n_slots += worker->n_slots;
}

/* Asks the server, and waits for who answers; without workers it asks nobody. */
pare_status pare_workers_check(const pare_campaign *campaign, unsigned *n_workers,
                               unsigned *n_slots, pare_error *err)
{
    const pare_cluster_options options = pare_workers_options(campaign);
    pare_workers_share there = {0};
    *n_workers = *n_slots = 0;
    if (!options.url) return PARE_OK;
    if (strchr(options.url, '@'))
        return pare_fail(err, PARE_E_ARG,
                         "'workers' must not contain a password, because the store keeps it: write "
                         "USER:PASSWORD to a file, and name that in 'credentials'");
    pare_status status = pare_worker_list(&options, count, &there, err);
    *n_workers = there.n_workers;
    *n_slots = there.n_slots;
    return status;
}

/* Writes only what has changed: it is called with every progress of a job. */
pare_status pare_workers_note(const pare_job_run *run, pare_workers_share now,
                              pare_workers_share *noted, pare_error *err)
{
    char name[64], value[32];
    if (now.n_workers == noted->n_workers && now.n_slots == noted->n_slots) return PARE_OK;
    (void)snprintf(name, sizeof name, FACT "%lld", (long long)run->job->id);
    (void)snprintf(value, sizeof value, "%u %u", now.n_workers, now.n_slots);
    pare_status status =
        now.n_workers
            ? pare_store_put_fact(run->store, name, value, err)
            : pare_store_run(run->store, "DELETE FROM fact WHERE name = ?1", err, "s", name);
    if (!status) *noted = now;
    return status;
}

/* The facts are found by the beginning of their names, for which GLOB takes the key's index. */
pare_status pare_workers_forget(pare_store *store, pare_error *err)
{
    return pare_store_run(store, "DELETE FROM fact WHERE name GLOB '" FACT "*'", err, "");
}

/* A value is "WORKERS SLOTS", of which SQLite's CAST reads the first number.  From the jobs that run (job_state)
 * to their facts (the key): two rows for each. */
pare_status pare_store_workers(pare_store *store, unsigned *n_workers, unsigned *n_slots,
                               pare_error *err)
{
    static const char from[] = " FROM fact JOIN job ON fact.name = '" FACT "' || job.id"
                               " WHERE job.state = 1";
    char sql[256];
    int64_t sums[2] = {0, 0};
    const char *const numbers[] = {"value", "substr(value, instr(value, ' '))"};
    pare_status status = PARE_OK;
    for (size_t k = 0; k < 2 && !status; k++) {
        (void)snprintf(sql, sizeof sql, "SELECT total(CAST(%s AS INTEGER))%s", numbers[k], from);
        status = pare_store_number(store, sql, &sums[k], 0, err, "");
    }
    *n_workers = sums[0] > 0 ? (unsigned)sums[0] : 0;
    *n_slots = sums[1] > 0 ? (unsigned)sums[1] : 0;
    return status;
}

/* Reads the last LAST_EVENTS events by their numbers; a notice comes once a minute at most. */
pare_status pare_workers_tell(const pare_job_run *run, const char *sentence, pare_error *err)
{
    int64_t n = 0;
    pare_status status = pare_store_number(
        run->store,
        "SELECT count(*) FROM event WHERE id > (SELECT max(id) FROM event) - " LAST_EVENTS
        " AND kind = 'trouble' AND text = ?1",
        &n, 0, err, "s", sentence);
    if (status || n) return status;
    return pare_store_tell(run->store, "trouble", 0, run->job->id, sentence, err);
}
