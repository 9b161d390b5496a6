/* Opens a store: checks whose file it is, brings its schema up to date, and waits for other
 * processes.
 *
 * The schema is a list of steps, the k-th of which brings version k to k + 1; all that a file lacks
 * run in one transaction with the new number (PRAGMA user_version), so a kill leaves the old
 * version or the new one.  A new file takes all of them, so each step runs in every test.  A
 * released step is never changed.  A file is ours if it has our application_id, and it is not
 * written to before that was checked.
 *
 * Texts are unbounded but short; states and kinds are the numbers of the enums in pare/findings.h,
 * which keep their values.  docs/design/store.md explains the tables.
 *
 * Tables that grow have an index for each frequent query: members and contents by digest (what is
 * dropped must be named by nobody), jobs by state, priority and rank (the queue) and by finding,
 * events by finding.  The indices job_finding, event_finding and finding_merged are partial, as
 * most rows are about no finding, or are not merged: SQLite takes them only for a statement that
 * itself says "finding <> 0" or "merged_into <> 0". Findings have one index, (target, identity);
 * lists of them are walks over the table, of some hundred rows.
 *
 * While another process has the lock, SQLite asks a function of ours whether to try again.  It
 * sleeps a little longer each time.  SQLite's own handler would do the same, but it does not know
 * about stops, or that the file was removed, and after its time-out a campaign of hours would end
 * because somebody looks into the store with a tool that locks it.  So the processes of a campaign
 * are patient: they wait until the lock is free.  After a stop they still wait for STOPPED_MS,
 * because a job writes its findings after it. */

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include <sqlite3.h>
#include <pare/findings.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "campaign/store.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/stop.h"

enum {
    APPLICATION_ID = 0x70617265, /* "pare" */
    WAL_TRIES = 5,
    STOPPED_MS = 2000,   /* for what is written after a stop */
    LONG_MS = 500,       /* a wait that is worth a sentence */
    TELL_MS = 60000,     /* between two sentences */
    LONGEST_NAP_MS = 250 /* between two tries */
};

static const char *const schema_steps[PARE_STORE_SCHEMA] = {
    "CREATE TABLE content(digest TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL);"
    "CREATE TABLE config(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, text TEXT NOT NULL);"
    "CREATE TABLE fact(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE event(id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL,"
    " kind TEXT NOT NULL, finding INTEGER NOT NULL, job INTEGER NOT NULL, text TEXT NOT NULL);"
    "CREATE INDEX event_finding ON event(finding) WHERE finding <> 0;"
    "CREATE TABLE finding(id INTEGER PRIMARY KEY AUTOINCREMENT, state INTEGER NOT NULL,"
    " state_before INTEGER NOT NULL DEFAULT 0, target TEXT NOT NULL, source TEXT NOT NULL,"
    " config INTEGER NOT NULL, identity TEXT NOT NULL, signature TEXT NOT NULL,"
    " title TEXT NOT NULL, version TEXT NOT NULL, last_version TEXT NOT NULL,"
    " gone_version TEXT NOT NULL DEFAULT '', first_bad TEXT NOT NULL DEFAULT '',"
    " count INTEGER NOT NULL, own_count INTEGER NOT NULL, first_seen INTEGER NOT NULL,"
    " last_seen INTEGER NOT NULL, validated INTEGER NOT NULL DEFAULT 0,"
    " merged_into INTEGER NOT NULL DEFAULT 0, pinned INTEGER NOT NULL DEFAULT 0,"
    " fails INTEGER NOT NULL DEFAULT 0, runs INTEGER NOT NULL DEFAULT 0,"
    " input TEXT NOT NULL, input_bytes INTEGER NOT NULL, reduced TEXT NOT NULL DEFAULT '',"
    " reduced_bytes INTEGER NOT NULL DEFAULT 0, url TEXT NOT NULL DEFAULT '',"
    " note TEXT NOT NULL DEFAULT '', explanation TEXT NOT NULL DEFAULT '',"
    " output TEXT NOT NULL, UNIQUE(target, identity));"
    "CREATE INDEX finding_merged ON finding(merged_into) WHERE merged_into <> 0;"
    "CREATE INDEX finding_input ON finding(input);"
    "CREATE INDEX finding_reduced ON finding(reduced);"
    "CREATE TABLE member(finding INTEGER NOT NULL, digest TEXT NOT NULL, bytes INTEGER NOT NULL,"
    " signature TEXT NOT NULL, source TEXT NOT NULL, version TEXT NOT NULL,"
    " config INTEGER NOT NULL, seen INTEGER NOT NULL, count INTEGER NOT NULL,"
    " UNIQUE(finding, digest));"
    "CREATE INDEX member_digest ON member(digest);"
    "CREATE TABLE job(id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL,"
    " state INTEGER NOT NULL, finding INTEGER NOT NULL, target TEXT NOT NULL,"
    " source TEXT NOT NULL, detail TEXT NOT NULL, config INTEGER NOT NULL, cost INTEGER NOT NULL,"
    " priority INTEGER NOT NULL, rank INTEGER NOT NULL, pid INTEGER NOT NULL DEFAULT 0,"
    " wish INTEGER NOT NULL DEFAULT 0, created INTEGER NOT NULL,"
    " started INTEGER NOT NULL DEFAULT 0, ended INTEGER NOT NULL DEFAULT 0,"
    " progress TEXT NOT NULL DEFAULT '', done REAL NOT NULL DEFAULT -1,"
    " tests INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX job_state ON job(state, priority, rank);"
    "CREATE INDEX job_finding ON job(finding) WHERE finding <> 0;"
    "CREATE TABLE stream(id INTEGER PRIMARY KEY, source TEXT NOT NULL, target TEXT NOT NULL,"
    " config INTEGER NOT NULL, position TEXT NOT NULL DEFAULT '',"
    " tests INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,"
    " findings INTEGER NOT NULL DEFAULT 0, edges INTEGER NOT NULL DEFAULT 0,"
    " testing_s REAL NOT NULL DEFAULT 0, making_s REAL NOT NULL DEFAULT 0,"
    " first INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0,"
    " UNIQUE(source, target, config));"
    "CREATE TABLE statistic(stream INTEGER NOT NULL, start INTEGER NOT NULL,"
    " span INTEGER NOT NULL, tests INTEGER NOT NULL, failures INTEGER NOT NULL,"
    " findings INTEGER NOT NULL, edges INTEGER NOT NULL, testing_s REAL NOT NULL,"
    " making_s REAL NOT NULL, PRIMARY KEY(stream, start)) WITHOUT ROWID;"
    "CREATE TABLE corpus(id INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL,"
    " source TEXT NOT NULL, digest TEXT NOT NULL, bytes INTEGER NOT NULL,"
    " new_edges INTEGER NOT NULL, is_reduced INTEGER NOT NULL, UNIQUE(target, digest));"
    "CREATE INDEX corpus_digest ON corpus(digest);"
    "CREATE TABLE map(target TEXT PRIMARY KEY, bytes BLOB NOT NULL);"
    "INSERT INTO fact VALUES('store', lower(hex(randomblob(16))));",
};

/* The version is read again within the transaction: another process may have been faster. */
static pare_status migrate(pare_store *store, pare_error *err)
{
    int64_t version = 0;
    pare_status status = pare_store_number(store, "PRAGMA user_version", &version, 0, err, "");
    if (status || version == PARE_STORE_SCHEMA) return status;
    status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_number(store, "PRAGMA user_version", &version, 0, err, "");
    for (int64_t k = version; k < PARE_STORE_SCHEMA && !status; k++)
        status = pare_store_execute(store, schema_steps[k], err);
    if (!status && version < PARE_STORE_SCHEMA) {
        char sql[96];
        (void)snprintf(sql, sizeof sql, "PRAGMA application_id=%d; PRAGMA user_version=%d",
                       APPLICATION_ID, PARE_STORE_SCHEMA);
        status = pare_store_execute(store, sql, err);
    }
    return pare_store_end(store, status, err);
}

/* What says whose file it is. */
struct marks {
    int64_t application, version, n_tables;
};

/* In one reading transaction: another process may just be making the store. */
static pare_status read_marks(pare_store *store, struct marks *marks, pare_error *err)
{
    pare_status status = pare_store_begin_reading(store, err);
    if (status) return status;
    status = pare_store_number(store, "SELECT count(*) FROM sqlite_schema", &marks->n_tables, 0,
                               err, "");
    if (!status)
        status = pare_store_number(store, "PRAGMA application_id", &marks->application, 0, err, "");
    if (!status)
        status = pare_store_number(store, "PRAGMA user_version", &marks->version, 0, err, "");
    pare_store_end_reading(store);
    return status;
}

/* Whether the file is a store of ours, or an empty one that may become it.  Nothing is written before that is
 * known. */
static pare_status look(pare_store *store, bool create, pare_error *err)
{
    struct marks marks = {0};
    pare_status status = read_marks(store, &marks, err);
    if (status) return status;
    const bool is_empty = !marks.application && !marks.version && !marks.n_tables;
    if (marks.application != APPLICATION_ID && !(is_empty && create))
        return pare_fail(err, PARE_E_CORRUPT, "%s is not a store of pare", store->path);
    if (marks.version < 0 || marks.version > PARE_STORE_SCHEMA)
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "%s was written by a later version of pare (schema %lld; this one has %d)",
                         store->path, (long long)marks.version, PARE_STORE_SCHEMA);
    return PARE_OK;
}

/* --- waiting for others ------------------------------------------------------------------------- */

/* A path that cannot be looked at for another reason (a folder that may not be read for a
 * moment) is no proof that the file is gone. */
bool pare_store_is_gone(const pare_store *store)
{
    struct stat now;
    if (!store->inode) return false;
    if (stat(store->path, &now)) return errno == ENOENT || errno == ENOTDIR;
    return now.st_ino != store->inode || now.st_dev != store->device;
}

/* Whether a process that has waited so long goes on. */
static bool waits_on(const pare_store *store, uint64_t now_ms)
{
    const pare_store_patience *patience = &store->patience;
    const uint64_t waited_ms = now_ms - store->waiting_since_ms;
    if (!patience->is_patient) return waited_ms < PARE_STORE_WAIT_MS;
    if (pare_stop_requested(patience->stop)) return waited_ms < STOPPED_MS;
    return !patience->give_up_ms || now_ms < patience->give_up_ms;
}

/* Tells of a long wait, at most once in TELL_MS. */
static void tell_once(pare_store *store, uint64_t now_ms)
{
    const pare_store_patience *patience = &store->patience;
    if (!patience->tell || now_ms - store->waiting_since_ms < LONG_MS) return;
    if (store->told_ms && now_ms - store->told_ms < TELL_MS) return;
    store->told_ms = now_ms;
    patience->tell(patience->context);
}

/* A busy handler of SQLite: not 0 to try again.  `n` counts the tries for one lock. */
static int wait_for_others(void *context, int n)
{
    pare_store *store = context;
    const uint64_t now_ms = pare_clock_ms();
    if (!n) store->waiting_since_ms = now_ms;
    if (!waits_on(store, now_ms) || pare_store_is_gone(store)) return 0;
    tell_once(store, now_ms);
    const int nap_ms = n < LONGEST_NAP_MS ? n + 1 : LONGEST_NAP_MS;
    /* Once a stop is requested its descriptor would not let us sleep. */
    const bool is_stopped = pare_stop_requested(store->patience.stop);
    struct pollfd stop = {.fd = is_stopped ? -1 : pare_stop_fd(store->patience.stop),
                          .events = POLLIN};
    (void)poll(&stop, 1, nap_ms);
    return 1;
}

/* By what the file is known: it may be replaced, or removed. */
static void note_file(pare_store *store)
{
    struct stat now;
    if (stat(store->path, &now)) return;
    store->device = now.st_dev;
    store->inode = now.st_ino;
}

/* --- opening ------------------------------------------------------------------------------------ */

/* Two processes that open a new store at once stand in each other's way here, and SQLite does not
 * wait, to avoid a deadlock; so we wait for the other one by an empty transaction. */
static pare_status set_wal(pare_store *store, pare_error *err)
{
    int code = SQLITE_BUSY;
    for (int i = 0; i < WAL_TRIES && (code & 0xff) == SQLITE_BUSY; i++) {
        code = sqlite3_exec(store->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
        if ((code & 0xff) == SQLITE_BUSY)
            (void)sqlite3_exec(store->db, "BEGIN IMMEDIATE; COMMIT", NULL, NULL, NULL);
    }
    pare_status status = pare_store_check(store, code, err);
    if (!status)
        status = pare_store_execute(
            store, "PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=16777216", err);
    return status;
}

/* Opens without changing anything: the file may be somebody else's.  Each handle is one
 * thread's, so SQLite needs no mutex; extended codes tell memory that ran out from a disk that
 * failed. */
static pare_status open_file(pare_store *store, bool create, pare_error *err)
{
    const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0) |
                      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    const int code = sqlite3_open_v2(store->path, &store->db, flags, NULL);
    if (!store->db) return pare_fail_nomem(err);
    if (code == SQLITE_CANTOPEN) {
        const int cause = sqlite3_system_errno(store->db);
        /* Only a campaign's own processes are patient, and its store was there before them. */
        if (cause == ENOENT && !create && store->patience.is_patient)
            return pare_fail(err, PARE_E_IO, "%s no longer exists", store->path);
        if (cause) return pare_fail_errno(err, cause, "cannot open %s", store->path);
    }
    pare_status status = pare_store_check(store, code, err);
    if (status) return status;
    note_file(store);
    (void)sqlite3_busy_handler(store->db, wait_for_others, store);
    /* The file may come from anybody. */
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return pare_store_execute(store, "PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY", err);
}

/* The order matters: look before set_wal, which writes to the file, and WAL before migrate, so
 * that others can read while the schema is made. */
pare_status pare_store_open_patient(const char *path, bool create,
                                    const pare_store_patience *patience, pare_store **out,
                                    pare_error *err)
{
    pare_store *store = pare_alloc_zero(1, sizeof *store);
    if (!store) return pare_fail_nomem(err);
    store->wake_fd = -1;
    store->patience = *patience;
    pare_status status = pare_file_absolute(path, &store->path, err);
    if (!status) status = open_file(store, create, err);
    if (!status) status = look(store, create, err);
    if (!status) status = set_wal(store, err);
    if (!status) status = migrate(store, err);
    if (status) {
        pare_store_close(store);
        return status;
    }
    *out = store;
    return PARE_OK;
}

pare_status pare_store_open(const char *path, bool create, pare_store **out, pare_error *err)
{
    const pare_store_patience none = {.is_patient = false};
    return pare_store_open_patient(path, create, &none, out, err);
}

void pare_store_close(pare_store *store)
{
    if (!store) return;
    (void)sqlite3_close(store->db);
    pare_alloc_free(store->path);
    pare_alloc_free(store);
}

/* Changes when another handle has committed, not by what this one commits itself; a number of
 * this handle, not of the file. */
pare_status pare_store_version(pare_store *store, uint64_t *version, pare_error *err)
{
    int64_t number = 0;
    pare_status status = pare_store_number(store, "PRAGMA data_version", &number, 0, err, "");
    if (!status) *version = (uint64_t)number;
    return status;
}
