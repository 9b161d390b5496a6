/* The queue of jobs, who runs, and how it ended.
 *
 * The next job is the waiting one with the highest priority, and among those the one with the
 * lowest rank.  Ranks rise with each job; a job that is requested again gets a rank below all
 * others.
 *
 * A job ends once: `set_ended` refuses a job that has ended.  It is part of the transaction of the
 * job's last effects, which is therefore rolled back if somebody else has ended the job meanwhile.
 *
 * Locks that die with their process tell which jobs are running (pare_store_lock), because process
 * numbers are reused.  A request to a running job is a wish in its row, which the coordinator
 * fulfils; for a job that does not run, it is fulfilled at once. */
#include "campaign/job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/file.h"
#include "os/folder.h"

enum {
    ASKED_PRIORITY = 10,
    ENDED_KEPT = 10000, /* jobs that have ended, the newest */
    ENDED_STEP = 256    /* so many jobs from one clearing to the next */
};

/* Values of the column `wish`: 0, or one more than those of pare_job_wish. */
_Static_assert(PARE_WISH_CANCEL == 0 && PARE_WISH_PAUSE == 1 && PARE_WISH_GO_ON == 2, "as stored");
/* Statements compare states by their numbers. */
_Static_assert(PARE_JOB_WAITING == 0 && PARE_JOB_RUNNING == 1 && PARE_JOB_PAUSED == 2 &&
                   PARE_JOB_DONE == 3 && PARE_JOB_CANCELLED == 5,
               "as stored");

/* Kinds and states are shown and filtered by these names; "?" for a number that
 * is none. */
const char *pare_job_kind_name(pare_job_kind kind)
{
    static const char *const names[PARE_JOB_N_KINDS] = {
        [PARE_JOB_FUZZ] = "fuzz",         [PARE_JOB_REDUCE] = "reduce",
        [PARE_JOB_VALIDATE] = "validate", [PARE_JOB_UPDATE] = "update",
        [PARE_JOB_BISECT] = "bisect",     [PARE_JOB_REPORT] = "report"};
    return (unsigned)kind < PARE_JOB_N_KINDS ? names[kind] : "?";
}

const char *pare_job_state_name(pare_job_state state)
{
    static const char *const names[PARE_JOB_N_STATES] = {
        [PARE_JOB_WAITING] = "waiting", [PARE_JOB_RUNNING] = "running",
        [PARE_JOB_PAUSED] = "paused",   [PARE_JOB_DONE] = "done",
        [PARE_JOB_FAILED] = "failed",   [PARE_JOB_CANCELLED] = "cancelled"};
    return (unsigned)state < PARE_JOB_N_STATES ? names[state] : "?";
}

/* --- adding ------------------------------------------------------------------------------------- */

/* Columns of texts are never null. */
static const char *text_of(const char *text)
{
    return text ? text : "";
}

/* Inserts a job; its rank is the highest, so it comes last among those of its
 * priority. No rank is above the number of its own job (`request` only lowers
 * ranks), so the next number is above all ranks. It is read from one end of the
 * table; a look for the highest rank would read all jobs, for each of the
 * thousands that one update may order. */
static pare_status insert(pare_store *store, const pare_job_order *order, int64_t *id,
                          pare_error *err)
{
    pare_status status = pare_store_run(
        store,
        "INSERT INTO job(kind, state, finding, target, source, detail, config, cost, priority,"
        " rank, created) VALUES(?1, 0, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
        " (SELECT coalesce(max(id), 0) + 1 FROM job), ?9)",
        err, "iisssiiii", (int64_t)order->kind, order->finding, text_of(order->target),
        text_of(order->source), text_of(order->detail), order->config,
        (int64_t)(order->cost ? order->cost : 1), (int64_t)order->priority, pare_store_now());
    if (!status) *id = sqlite3_last_insert_rowid(store->db);
    return status;
}

/* One that waits, or is paused, and asks for the same is taken instead: a finding that is seen a thousand
 * times is reduced once.  One that runs does not count: it may have read what has changed since.
 *
 * A job about a finding is looked for among the jobs of that finding (job_finding, which SQLite takes
 * only if the statement says "finding <> 0"), another one among those that wait or are paused
 * (job_state).  With the latter for both, n findings would read n * n rows to get their jobs. */
pare_status pare_job_add(pare_store *store, const pare_job_order *order, int64_t *id,
                         pare_error *err)
{
    int64_t found = 0;
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    const char *sql = order->finding
                          ? "SELECT id FROM job WHERE finding = ?2 AND finding <> 0"
                            " AND state IN (0, 2) AND kind = ?1 AND target = ?3 AND source = ?4"
                            " AND detail = ?5"
                          : "SELECT id FROM job WHERE state IN (0, 2) AND kind = ?1"
                            " AND finding = ?2 AND target = ?3 AND source = ?4 AND detail = ?5";
    status =
        pare_store_number(store, sql, &found, 0, err, "iisss", (int64_t)order->kind, order->finding,
                          text_of(order->target), text_of(order->source), text_of(order->detail));
    if (!status && found)
        status = pare_store_run(store, "UPDATE job SET priority = max(priority, ?2) WHERE id = ?1",
                                err, "ii", found, (int64_t)order->priority);
    if (!status && !found) status = insert(store, order, &found, err);
    status = pare_store_end(store, status, err);
    if (!status) *id = found;
    return status;
}

/* --- reading ------------------------------------------------------------------------------------ */

/* In the order in which read_row takes them. */
#define COLUMNS                                                                            \
    "id, kind, state, finding, target, source, detail, progress, cost, priority, created," \
    " started, ended, done, tests, config"
enum { CONFIG_COLUMN = 15 };

/* Reads a row into *job; texts are borrowed from the row until its next step. A
 * file may come from anybody: numbers that are no kind and no state are damage,
 * and never used as an index. */
static pare_status read_row(pare_store *store, sqlite3_stmt *row, pare_job *job, pare_error *err)
{
    const int64_t kind = sqlite3_column_int64(row, 1), state = sqlite3_column_int64(row, 2);
    *job = (pare_job){.id = sqlite3_column_int64(row, 0),
                      .finding = sqlite3_column_int64(row, 3),
                      .target = pare_store_text_at(row, 4),
                      .source = pare_store_text_at(row, 5),
                      .detail = pare_store_text_at(row, 6),
                      .progress = pare_store_text_at(row, 7),
                      .cost = (unsigned)sqlite3_column_int64(row, 8),
                      .priority = sqlite3_column_int(row, 9),
                      .created = sqlite3_column_int64(row, 10),
                      .started = sqlite3_column_int64(row, 11),
                      .ended = sqlite3_column_int64(row, 12),
                      .done = sqlite3_column_double(row, 13),
                      .tests = (uint64_t)sqlite3_column_int64(row, 14)};
    if (kind < 0 || kind >= PARE_JOB_N_KINDS || state < 0 || state >= PARE_JOB_N_STATES)
        return pare_fail(err, PARE_E_CORRUPT, "%s is damaged: job %lld has no valid kind or state",
                         store->path, (long long)job->id);
    job->kind = (pare_job_kind)kind;
    job->state = (pare_job_state)state;
    return PARE_OK;
}

/* The newest configuration of the campaign, for a job that names none. */
static pare_status newest_config(pare_store *store, int64_t *config, pare_error *err)
{
    return pare_store_number(store, "SELECT CAST(value AS INTEGER) FROM fact WHERE name = ?1",
                             config, 0, err, "s", PARE_FACT_CAMPAIGN);
}

/* Reads one job. *config is what the job is to be done with. On PARE_OK the
 * caller ends *job; PARE_E_STATE: there is none. */
pare_status pare_job_get(pare_store *store, int64_t id, pare_job *job, int64_t *config,
                         pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool has_row = false;
    pare_job found = {0};
    int64_t number = 0;
    pare_status status = pare_store_prepare(store, "SELECT " COLUMNS " FROM job WHERE id = ?1",
                                            &statement, err, "i", id);
    if (!status) status = pare_store_step(store, statement, &has_row, err);
    if (!status && !has_row)
        status = pare_fail(err, PARE_E_STATE, "there is no job %lld", (long long)id);
    if (!status) status = read_row(store, statement, &found, err);
    if (!status) number = sqlite3_column_int64(statement, CONFIG_COLUMN);
    if (!status && !number) status = newest_config(store, &number, err);
    if (!status) {
        const char **const texts[] = {&found.target, &found.source, &found.detail, &found.progress};
        status = pare_store_own_texts(texts, sizeof texts / sizeof *texts, err);
    }
    (void)sqlite3_finalize(statement);
    if (status) return status;
    *job = found;
    if (config) *config = number;
    return PARE_OK;
}

/* All-zero is a no-op. The texts are one block that begins with the target's name. */
void pare_job_done(pare_job *job)
{
    pare_alloc_free((void *)job->target);
    memset(job, 0, sizeof *job);
}

/* Lists the waiting jobs that are next, several, so that the caller can pass
 * over one that does not fit. job_state gives them by priority, and each
 * priority is sorted by rank: read backwards for the one, an index gives the
 * other backwards, too. So it reads the waiting jobs of as many priorities as
 * it takes. */
pare_status pare_job_next(pare_store *store, unsigned cost, int64_t *ids, size_t *n,
                          pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool has_row = true;
    size_t found = 0;
    pare_status status = pare_store_prepare(store,
                                            "SELECT id FROM job WHERE state = 0 AND cost <= ?1"
                                            " ORDER BY priority DESC, rank LIMIT ?2",
                                            &statement, err, "ii", (int64_t)cost, (int64_t)*n);
    while (!status && found < *n) {
        status = pare_store_step(store, statement, &has_row, err);
        if (status || !has_row) break;
        ids[found++] = sqlite3_column_int64(statement, 0);
    }
    (void)sqlite3_finalize(statement);
    if (!status) *n = found;
    return status;
}

/* Visits jobs: running ones, then what waits, then what is paused, then what
 * has ended, the newest first. Reads the jobs that have not ended by job_state,
 * or with `all` the whole table, and sorts them. */
pare_status pare_store_jobs(pare_store *store, bool all, uint64_t limit, pare_job_visit visit,
                            void *context, pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool has_row = true;
    const int64_t most = limit && limit < INT64_MAX ? (int64_t)limit : -1;
    pare_status status = pare_store_prepare(
        store,
        "SELECT " COLUMNS " FROM job WHERE state < 3 OR ?1 ORDER BY"
        " state >= 3, state = 2, state = 0, CASE WHEN state >= 3 THEN -ended ELSE 0 END,"
        " -priority, rank LIMIT ?2",
        &statement, err, "ii", (int64_t)all, most);
    while (!status) {
        pare_job job;
        status = pare_store_step(store, statement, &has_row, err);
        if (status || !has_row) break;
        status = read_row(store, statement, &job, err);
        if (!status) status = visit(context, &job, err);
    }
    (void)sqlite3_finalize(statement);
    return status;
}

/* --- how they come along ------------------------------------------------------------------------ */

/* Turns a change of no row into PARE_E_STATE. `changed` is the status of the
 * statement, which takes only rows that may be changed so. */
static pare_status change(pare_store *store, int64_t id, pare_status changed, pare_error *err)
{
    if (changed || sqlite3_changes(store->db)) return changed;
    return pare_fail(err, PARE_E_STATE, "job %lld has ended or does not exist", (long long)id);
}

/* Tells of a job, "job 7 (reduce) is started". The kind is read from the row,
 * since callers know the number only. */
static pare_status tell(pare_store *store, int64_t id, const char *what, const char *of,
                        pare_error *err)
{
    pare_job job = {0};
    pare_buffer text = {0};
    pare_status status = pare_job_get(store, id, &job, NULL, err);
    if (!status)
        status = pare_buffer_format(&text, err, "job %lld (%s) %s%s%s", (long long)id,
                                    pare_job_kind_name(job.kind), what, *of ? ": " : "", of);
    if (!status) status = pare_store_tell(store, "job", job.finding, id, text.data, err);
    pare_job_done(&job);
    pare_buffer_done(&text);
    return status;
}

/* Notes that a job runs. Also for one that is said to run already: its process
 * has died, and this is the next one. */
pare_status pare_job_set_running(pare_store *store, int64_t id, pid_t pid, pare_error *err)
{
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = change(store, id,
                    pare_store_run(store,
                                   "UPDATE job SET state = 1, pid = ?2, started = ?3"
                                   " WHERE id = ?1 AND state < 3",
                                   err, "iii", id, (int64_t)pid, pare_store_now()),
                    err);
    if (!status) status = tell(store, id, "is started", "", err);
    return pare_store_end(store, status, err);
}

/* Makes a job wait, or pauses it. Its wish stays: a job that was to be
 * cancelled when its process died is cancelled when it runs next. */
static pare_status set_idle(pare_store *store, int64_t id, pare_job_state state, pare_error *err)
{
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = change(store, id,
                    pare_store_run(store,
                                   "UPDATE job SET state = ?2, pid = 0 WHERE id = ?1 AND state < 3",
                                   err, "ii", id, (int64_t)state),
                    err);
    return pare_store_end(store, status, err);
}

pare_status pare_job_set_waiting(pare_store *store, int64_t id, pare_error *err)
{
    return set_idle(store, id, PARE_JOB_WAITING, err);
}

/* A paused job goes on when a user says so (pare_store_pause); nothing else
 * starts it. */
pare_status pare_job_set_paused(pare_store *store, int64_t id, pare_error *err)
{
    return set_idle(store, id, PARE_JOB_PAUSED, err);
}

/* Forgets the oldest jobs that have ended. By number and not by time: numbers
 * rise, so the newest ENDED_KEPT stay without counting a row. Once in
 * ENDED_STEP jobs, since a deletion walks over the table. */
static pare_status forget_ended(pare_store *store, int64_t id, pare_error *err)
{
    if (id % ENDED_STEP || id <= ENDED_KEPT) return PARE_OK;
    return pare_store_run(store, "DELETE FROM job WHERE state >= 3 AND id <= ?1", err, "i",
                          id - ENDED_KEPT);
}

/* Ends a job, once: PARE_E_STATE if it has ended. Its wish goes, as what was
 * asked has been done or has come too late. */
pare_status pare_job_set_ended(pare_store *store, int64_t id, pare_job_state state,
                               const char *progress, pare_error *err)
{
    assert(state >= PARE_JOB_DONE);
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = change(store, id,
                    pare_store_run(store,
                                   "UPDATE job SET state = ?2, progress = ?3, ended = ?4, pid = 0,"
                                   " wish = 0 WHERE id = ?1 AND state < 3",
                                   err, "iisi", id, (int64_t)state, progress, pare_store_now()),
                    err);
    if (!status) {
        char what[32];
        (void)snprintf(what, sizeof what, "is %s", pare_job_state_name(state));
        status = tell(store, id, state == PARE_JOB_FAILED ? "has failed" : what, progress, err);
    }
    if (!status) status = forget_ended(store, id, err);
    return pare_store_end(store, status, err);
}

/* Notes how far a job is; `done` from 0 to 1, or -1 if that cannot be told.
 * Called every second or so. PARE_E_STATE tells a job that its coordinator has
 * ended it meanwhile. */
pare_status pare_job_set_progress(pare_store *store, int64_t id, const char *progress, double done,
                                  uint64_t tests, pare_error *err)
{
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = change(store, id,
                    pare_store_run(store,
                                   "UPDATE job SET progress = ?2, done = ?3, tests = ?4"
                                   " WHERE id = ?1 AND state < 3",
                                   err, "isdi", id, progress, done, (int64_t)tests),
                    err);
    return pare_store_end(store, status, err);
}

/* --- who runs ----------------------------------------------------------------------------------- */

/* Takes the lock of a job, which dies with the process. Byte 0 of the lock file
 * is the coordinator's, so no job has the number 0. */
pare_status pare_job_claim(pare_store *store, int64_t id, int *fd, pare_error *err)
{
    assert(id > 0);
    return pare_store_lock(store, id, fd, err);
}

/* Whether a campaign runs on the store, and since when. The lock decides; the
 * fact is left behind by a coordinator that was killed. */
pare_status pare_store_is_running(pare_store *store, bool *running, int64_t *since, pare_error *err)
{
    int64_t start = 0;
    pare_status status =
        pare_store_number(store, "SELECT CAST(value AS INTEGER) FROM fact WHERE name = ?1", &start,
                          0, err, "s", PARE_FACT_RUNNING_SINCE);
    if (status) return status;
    *running = pare_store_is_locked(store, 0);
    *since = *running ? start : 0;
    return PARE_OK;
}

/* The lowest number above `after` of a job that is said to run; 0: none. Asked
 * again and again, so that no statement is open while the rows that it goes over
 * change. */
static pare_status next_running(pare_store *store, int64_t after, int64_t *id, pare_error *err)
{
    return pare_store_number(store,
                             "SELECT id FROM job WHERE state = 1 AND id > ?1 ORDER BY id LIMIT 1",
                             id, 0, err, "i", after);
}

/* Sets *path to STORE.work, or to STORE.work/NAME. */
static pare_status folder_path(pare_store *store, const char *name, pare_buffer *path,
                               pare_error *err)
{
    return pare_buffer_format(path, err, "%s.work%s%s", store->path, *name ? "/" : "", name);
}

/* Removes the folders of jobs that have ended or were deleted: what a killed
 * process could not remove. */
static pare_status sweep(pare_store *store, pare_error *err)
{
    static const char PREFIX[] = "job-";
    pare_buffer path = {0};
    pare_folder_names names = {0};
    pare_status status = folder_path(store, "", &path, err);
    if (!status && pare_file_is_directory(path.data))
        status = pare_folder_names_read(&names, path.data, err);
    for (size_t i = 0; i < names.n && !status; i++) {
        if (strncmp(names.items[i], PREFIX, sizeof PREFIX - 1) != 0) continue;
        const int64_t id = strtoll(names.items[i] + sizeof PREFIX - 1, NULL, 10);
        int64_t is_alive = 0;
        status = pare_store_number(store, "SELECT 1 FROM job WHERE id = ?1 AND state < 3",
                                   &is_alive, 0, err, "i", id);
        if (!status && !is_alive) pare_job_folder_remove(store, id);
    }
    pare_folder_names_done(&names);
    pare_buffer_done(&path);
    return status;
}

/* Makes jobs wait again that are said to run but whose lock nobody has: their
 * process has died. *n is how many; their folders stay, as the next process
 * goes on from them. */
pare_status pare_job_recover(pare_store *store, uint64_t *n, pare_error *err)
{
    uint64_t recovered = 0;
    int64_t id = 0;
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    do {
        status = next_running(store, id, &id, err);
        if (status || !id || pare_store_is_locked(store, id)) continue;
        status = set_idle(store, id, PARE_JOB_WAITING, err);
        recovered++;
    } while (!status && id);
    if (!status) status = sweep(store, err);
    status = pare_store_end(store, status, err);
    if (!status) *n = recovered;
    return status;
}

/* Makes the folder of a job, or finds it: what an earlier process of the job
 * has left there, a journal above all, is what this one goes on from. */
pare_status pare_job_folder(pare_store *store, int64_t id, char **path, pare_error *err)
{
    char name[32];
    pare_buffer buffer = {0};
    (void)snprintf(name, sizeof name, "job-%lld", (long long)id);
    pare_status status = folder_path(store, name, &buffer, err);
    if (!status) status = pare_file_make_directories(buffer.data, err);
    if (status)
        pare_buffer_done(&buffer);
    else
        *path = buffer.data;
    return status;
}

/* Removes the folder of a job. What cannot be removed is swept by the next
 * coordinator, so there is no failure. */
void pare_job_folder_remove(pare_store *store, int64_t id)
{
    char name[32];
    pare_buffer path = {0};
    (void)snprintf(name, sizeof name, "job-%lld", (long long)id);
    if (!folder_path(store, name, &path, NULL) && pare_file_remove_tree(path.data, NULL))
        assert(path.data); /* nothing to be done about it here */
    pare_buffer_done(&path);
}

/* --- what users ask for ------------------------------------------------------------------------- */

/* Finds a job that has not ended and does what the order asks for; *id is 0 if
 * there is none. By the indices, as in pare_job_add. */
static pare_status find_same(pare_store *store, const pare_job_order *order, int64_t *id,
                             pare_error *err)
{
    const char *sql = order->finding
                          ? "SELECT id FROM job WHERE finding = ?2 AND finding <> 0 AND state < 3"
                            " AND kind = ?1 AND target = ?3 AND detail = ?4"
                            " ORDER BY state <> 1 LIMIT 1"
                          : "SELECT id FROM job WHERE state < 3 AND kind = ?1 AND finding = ?2"
                            " AND target = ?3 AND detail = ?4 ORDER BY state <> 1 LIMIT 1";
    return pare_store_number(store, sql, id, 0, err, "iiss", (int64_t)order->kind, order->finding,
                             text_of(order->target), text_of(order->detail));
}

/* Puts a job before all others of the priority that requests have, and lets it
 * go on if it was paused (state & 1 turns paused, 2, into waiting, 0, and leaves
 * running, 1). The lowest rank of a state and a priority is the first entry of
 * its part of the index job_state. */
static pare_status put_first(pare_store *store, int64_t id, pare_error *err)
{
    return pare_store_run(
        store,
        "UPDATE job SET priority = max(priority, ?2), state = state & 1, rank = -1 + min(1,"
        " coalesce((SELECT min(rank) FROM job WHERE state = 0 AND priority = ?2), 1),"
        " coalesce((SELECT min(rank) FROM job WHERE state = 1 AND priority = ?2), 1),"
        " coalesce((SELECT min(rank) FROM job WHERE state = 2 AND priority = ?2), 1))"
        " WHERE id = ?1",
        err, "ii", id, (int64_t)ASKED_PRIORITY);
}

/* Queues a job that a user has asked for, before all others. If the same job is
 * there already it is taken. An order about a finding has the finding's target. */
static pare_status request(pare_store *store, pare_job_order *order, int64_t *id, pare_error *err)
{
    pare_finding finding = {0};
    pare_status status = PARE_OK;
    if (order->finding) status = pare_store_finding(store, order->finding, &finding, err);
    if (order->finding) order->target = finding.target;
    if (!status) status = find_same(store, order, id, err);
    if (!status && *id) status = put_first(store, *id, err);
    if (!status && !*id) status = insert(store, order, id, err);
    pare_finding_done(&finding);
    return status;
}

/* Asks for a job. Without a finding, `detail` of an update is the target. */
pare_status pare_store_request(pare_store *store, pare_job_kind kind, int64_t finding,
                               const char *detail, int64_t *id, pare_error *err)
{
    const bool is_update = kind == PARE_JOB_UPDATE && !finding;
    pare_job_order order = {.kind = kind,
                            .finding = finding,
                            .target = is_update ? detail : NULL,
                            .detail = is_update ? NULL : detail,
                            .priority = ASKED_PRIORITY};
    int64_t number = 0;
    if ((unsigned)kind >= PARE_JOB_N_KINDS)
        return pare_fail(err, PARE_E_ARG, "%d is not a kind of job", (int)kind);
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_end(store, request(store, &order, &number, err), err);
    if (!status) *id = number;
    return status;
}

/* Cancels job `id`, or all with 0. One that runs gets a wish, which its
 * coordinator takes; others are ended here. PARE_E_STATE if nothing was
 * cancelled. */
pare_status pare_store_cancel(pare_store *store, int64_t id, pare_error *err)
{
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_run(store,
                            "UPDATE job SET wish = 1 + ?2 WHERE state = 1 AND (id = ?1 OR ?1 = 0)",
                            err, "ii", id, (int64_t)PARE_WISH_CANCEL);
    int64_t n = sqlite3_changes(store->db);
    int64_t next = id ? id - 1 : 0;
    while (!status) {
        /* "+" keeps the index job_state out: it would give all jobs that wait, to be sorted by
         * their numbers, for each of them. */
        status = pare_store_number(
            store, "SELECT id FROM job WHERE +state IN (0, 2) AND id > ?1 ORDER BY id LIMIT 1",
            &next, 0, err, "i", next);
        if (status || !next || (id && next != id)) break;
        status = pare_job_set_ended(store, next, PARE_JOB_CANCELLED, "before it was started", err);
        n++;
    }
    if (!status && id && !n)
        status =
            pare_fail(err, PARE_E_STATE, "job %lld has ended or does not exist", (long long)id);
    return pare_store_end(store, status, err);
}

/* Pauses a job, or lets it go on. One that runs gets a wish; one that waits or
 * is paused changes its state here. Without a number it is fuzzing as a whole,
 * a fact that the coordinator looks at. */
pare_status pare_store_pause(pare_store *store, int64_t id, bool pause, pare_error *err)
{
    if (!id) return pare_store_put_fact(store, PARE_FACT_PAUSED, pause ? "1" : "0", err);
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    const pare_job_state from = pause ? PARE_JOB_WAITING : PARE_JOB_PAUSED;
    const pare_job_state to = pause ? PARE_JOB_PAUSED : PARE_JOB_WAITING;
    status = change(store, id,
                    pare_store_run(store,
                                   "UPDATE job SET wish = CASE state WHEN 1 THEN 1 + ?4 ELSE 0 END,"
                                   " state = CASE state WHEN ?2 THEN ?3 ELSE state END"
                                   " WHERE id = ?1 AND state < 3",
                                   err, "iiii", id, (int64_t)from, (int64_t)to,
                                   (int64_t)(pause ? PARE_WISH_PAUSE : PARE_WISH_GO_ON)),
                    err);
    return pare_store_end(store, status, err);
}

/* A store in which nobody has asked for a pause has no such fact. */
pare_status pare_store_is_paused(pare_store *store, bool *paused, pare_error *err)
{
    int64_t value = 0;
    pare_status status = pare_store_number(store, "SELECT value = '1' FROM fact WHERE name = ?1",
                                           &value, 0, err, "s", PARE_FACT_PAUSED);
    if (!status) *paused = value != 0;
    return status;
}

/* Takes the wishes of running jobs, each once, and looks whether fuzzing is
 * paused, in one transaction. Reads the jobs that run, as many as there are
 * slots, for each wish. */
pare_status pare_job_wishes(pare_store *store, pare_job_wish *wishes, size_t *n, bool *all_paused,
                            pare_error *err)
{
    bool paused = false;
    int64_t id = 0, wish = 0;
    size_t found = 0;
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_is_paused(store, &paused, err);
    while (!status && found < *n) {
        status = pare_store_number(store,
                                   "SELECT id FROM job WHERE wish <> 0 AND state = 1 AND id > ?1"
                                   " ORDER BY id LIMIT 1",
                                   &id, 0, err, "i", id);
        if (status || !id) break;
        status =
            pare_store_number(store, "SELECT wish FROM job WHERE id = ?1", &wish, 0, err, "i", id);
        if (!status)
            status = pare_store_run(store, "UPDATE job SET wish = 0 WHERE id = ?1", err, "i", id);
        wishes[found++] = (pare_job_wish){.id = id,
                                          .what = wish == 1   ? PARE_WISH_CANCEL
                                                  : wish == 2 ? PARE_WISH_PAUSE
                                                              : PARE_WISH_GO_ON};
    }
    status = pare_store_end(store, status, err);
    if (status) return status;
    *n = found;
    *all_paused = paused;
    return PARE_OK;
}
