/* The store: statements, transactions, contents, events, facts.
 *
 * SQLite in WAL mode: readers never wait, writers wait for each other.  With synchronous=NORMAL a
 * commit is one write to the log without fsync: a kill of the process loses nothing that was
 * committed, a power cut may lose the last commits and never damages the file.
 *
 * Invariants: all texts from outside are valid UTF-8 (ensured where they are bound, in one place),
 * so that no reader has to check; a content exists as long as something names its digest.
 *
 * Why SQLite: it excels at transactions among processes that may be killed at any instant, and
 * users can look into the file.  Opening and schema are in store_open.c. */
#include "campaign/store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/sha512.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/stop.h"

enum {
    EVENTS_KEPT = 50000, /* of the kinds that come with each job */
    EVENTS_STEP = 512    /* so many events from one clearing to the next */
};

/* The time for everything in the store: the wall clock, as people and other
 * machines have it. Waits go by pare_clock_ms instead, which nobody sets back. */
int64_t pare_store_now(void)
{
    return pare_clock_unix_ms();
}

/* --- what SQLite answers ------------------------------------------------------------------------ */

/* The system's refusal, in words that say what the user can do. */
static pare_status fail_io(pare_store *store, pare_error *err)
{
    const int cause = sqlite3_system_errno(store->db);
    if (cause == ENOSPC || cause == EDQUOT)
        return pare_fail(err, PARE_E_IO, "%s: the disk is full", store->path);
    if (cause) return pare_fail_errno(err, cause, "%s", store->path);
    return pare_fail(err, PARE_E_IO, "%s: %s", store->path, sqlite3_errmsg(store->db));
}

/* The wait for another process has ended without the lock (store_open.c): the
 * file is gone, a stop was requested, or the time is over. */
static pare_status fail_busy(pare_store *store, pare_error *err)
{
    if (pare_store_is_gone(store))
        return pare_fail(err, PARE_E_IO, "%s no longer exists", store->path);
    if (store->patience.is_patient && pare_stop_requested(store->patience.stop))
        return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    return pare_fail(err, PARE_E_BUSY, "%s is locked by another process", store->path);
}

/* Turns an answer of SQLite into a status. Anything that it says of the file's
 * contents or of our statements means damage: on a sound file no statement of
 * ours fails. */
pare_status pare_store_check(pare_store *store, int code, pare_error *err)
{
    if (code == SQLITE_IOERR_NOMEM) return pare_fail_nomem(err);
    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE: return PARE_OK;
    case SQLITE_NOMEM: return pare_fail_nomem(err);
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return fail_busy(store, err);
    case SQLITE_FULL: return pare_fail(err, PARE_E_IO, "%s: the disk is full", store->path);
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN: return fail_io(store, err);
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH: return pare_fail(err, PARE_E_IO, "%s is not writable", store->path);
    case SQLITE_TOOBIG:
        return pare_fail(err, PARE_E_LIMIT, "%s: an input or output is larger than 1 GB",
                         store->path);
    case SQLITE_NOTADB:
        return pare_fail(err, PARE_E_CORRUPT, "%s is not a store of pare", store->path);
    default:
        return pare_fail(err, PARE_E_CORRUPT, "%s is damaged: %s", store->path,
                         sqlite3_errmsg(store->db));
    }
}

pare_status pare_store_execute(pare_store *store, const char *sql, pare_error *err)
{
    return pare_store_check(store, sqlite3_exec(store->db, sql, NULL, NULL, NULL), err);
}

/* --- statements --------------------------------------------------------------------------------- */

/* Bytes at the beginning of `text` that are valid UTF-8. */
static size_t valid_bytes(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        const unsigned char *here = (const unsigned char *)text + at;
        utf8proc_int32_t code_point;
        utf8proc_ssize_t used =
            *here < 0x80 ? 1 : utf8proc_iterate(here, (utf8proc_ssize_t)(size - at), &code_point);
        if (used < 1) break;
        at += (size_t)used;
    }
    return at;
}

/* Appends `text` with U+FFFD in the place of each byte that is no UTF-8. */
static pare_status add_cleaned(pare_buffer *cleaned, const char *text, size_t size, pare_error *err)
{
    pare_status status = PARE_OK;
    while (!status) {
        const size_t valid = valid_bytes(text, size);
        status = pare_buffer_add(cleaned, text, valid, err);
        if (status || valid == size) break;
        status = pare_buffer_text(cleaned, "\xef\xbf\xbd", err);
        text += valid + 1;
        size -= valid + 1;
    }
    return status;
}

/* Binds a text from outside as valid UTF-8; NULL as null. Nearly all texts are
 * valid and are then not copied, so the caller's has to live as long as the
 * statement. */
static pare_status bind_cleaned(pare_store *store, sqlite3_stmt *statement, int i, const char *text,
                                pare_error *err)
{
    if (!text) return pare_store_check(store, sqlite3_bind_null(statement, i), err);
    const size_t size = strlen(text);
    if (valid_bytes(text, size) == size)
        return pare_store_check(
            store, sqlite3_bind_text64(statement, i, text, size, SQLITE_STATIC, SQLITE_UTF8), err);
    pare_buffer cleaned = {0};
    pare_status status = add_cleaned(&cleaned, text, size, err);
    if (!status) {
        int code = sqlite3_bind_text64(statement, i, cleaned.data, cleaned.size, SQLITE_TRANSIENT,
                                       SQLITE_UTF8);
        status = pare_store_check(store, code, err);
    }
    pare_buffer_done(&cleaned);
    return status;
}

/* Binds the values that `format` announces (store.h), parameter by parameter;
 * another letter is a mistake of ours. */
static pare_status bind(pare_store *store, sqlite3_stmt *statement, const char *format,
                        va_list values, pare_error *err)
{
    pare_status status = PARE_OK;
    for (int i = 1; *format && !status; i++, format++) {
        int code = SQLITE_OK;
        if (*format == 's') {
            status = bind_cleaned(store, statement, i, va_arg(values, const char *), err);
        } else if (*format == 'r') {
            code = sqlite3_bind_text(statement, i, va_arg(values, const char *), -1, SQLITE_STATIC);
        } else if (*format == 'i') {
            code = sqlite3_bind_int64(statement, i, va_arg(values, int64_t));
        } else if (*format == 'd') {
            code = sqlite3_bind_double(statement, i, va_arg(values, double));
        } else {
            assert(*format == 'b');
            const void *bytes = va_arg(values, const void *);
            const size_t size = va_arg(values, size_t);
            code = sqlite3_bind_blob64(statement, i, size ? bytes : "", size, SQLITE_STATIC);
        }
        if (!status) status = pare_store_check(store, code, err);
    }
    return status;
}

/* Compiles a statement and binds its values. Compiled for each call, which is
 * little against a commit; a cache would have to survive changes of the schema
 * and rollbacks. */
static pare_status prepare(pare_store *store, const char *sql, sqlite3_stmt **statement,
                           pare_error *err, const char *format, va_list values)
{
    sqlite3_stmt *made = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &made, NULL);
    pare_status status = pare_store_check(store, code, err);
    if (!status) status = bind(store, made, format, values, err);
    if (status) {
        (void)sqlite3_finalize(made);
        return status;
    }
    *statement = made;
    return PARE_OK;
}

pare_status pare_store_prepare(pare_store *store, const char *sql, sqlite3_stmt **statement,
                               pare_error *err, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    pare_status status = prepare(store, sql, statement, err, format, values);
    va_end(values);
    return status;
}

/* Takes a statement to its next row. A lock is met here and not when it is
 * prepared, so the wait for other processes happens in this call. */
pare_status pare_store_step(pare_store *store, sqlite3_stmt *statement, bool *has_row,
                            pare_error *err)
{
    const int code = sqlite3_step(statement);
    *has_row = code == SQLITE_ROW;
    return pare_store_check(store, code, err);
}

pare_status pare_store_run(pare_store *store, const char *sql, pare_error *err, const char *format,
                           ...)
{
    sqlite3_stmt *statement = NULL;
    va_list values;
    va_start(values, format);
    pare_status status = prepare(store, sql, &statement, err, format, values);
    va_end(values);
    bool has_row = true;
    while (!status && has_row)
        status = pare_store_step(store, statement, &has_row, err);
    (void)sqlite3_finalize(statement);
    return status;
}

pare_status pare_store_number(pare_store *store, const char *sql, int64_t *number,
                              int64_t otherwise, pare_error *err, const char *format, ...)
{
    sqlite3_stmt *statement = NULL;
    va_list values;
    va_start(values, format);
    pare_status status = prepare(store, sql, &statement, err, format, values);
    va_end(values);
    bool has_row = false;
    if (!status) status = pare_store_step(store, statement, &has_row, err);
    if (!status) *number = has_row ? sqlite3_column_int64(statement, 0) : otherwise;
    (void)sqlite3_finalize(statement);
    return status;
}

/* SQLite gives NULL for a null, and when memory runs out. */
const char *pare_store_text_at(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);
    return text ? (const char *)text : "";
}

/* The digest in a column. A file may come from anybody: a text that is no
 * digest reads as none. */
void pare_store_digest_at(sqlite3_stmt *row, int column, char digest[PARE_DIGEST_TEXT_BYTES])
{
    const char *text = pare_store_text_at(row, column);
    const bool is_digest = strspn(text, "0123456789abcdef") == PARE_DIGEST_TEXT_BYTES - 1 &&
                           !text[PARE_DIGEST_TEXT_BYTES - 1];
    memset(digest, 0, PARE_DIGEST_TEXT_BYTES);
    if (is_digest) memcpy(digest, text, PARE_DIGEST_TEXT_BYTES - 1);
}

/* One block for all of them, which begins with the first: so the caller frees that, and no other. */
pare_status pare_store_own_texts(const char **const texts[], size_t n, pare_error *err)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += strlen(*texts[i]) + 1;
    char *block = pare_alloc(total, 1);
    if (!block) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        const size_t size = strlen(*texts[i]) + 1;
        memcpy(block, *texts[i], size);
        *texts[i] = block;
        block += size;
    }
    return PARE_OK;
}

/* --- transactions ------------------------------------------------------------------------------- */

/* Begins a transaction, or a part of one. For writing from the start: one that
 * reads first, and writes after another process has written, would fail without
 * having waited. */
pare_status pare_store_begin(pare_store *store, pare_error *err)
{
    pare_status status =
        pare_store_execute(store, store->depth ? "SAVEPOINT part" : "BEGIN IMMEDIATE", err);
    if (status) return status;
    if (!store->depth++) store->changes_before = sqlite3_total_changes(store->db);
    return PARE_OK;
}

/* A plain BEGIN takes no lock before the first row is read, and then that of a reader, which
 * keeps no writer waiting. */
pare_status pare_store_begin_reading(pare_store *store, pare_error *err)
{
    assert(!store->depth);
    return pare_store_execute(store, "BEGIN", err);
}

/* SQLite may have ended it by itself, on an error. */
void pare_store_end_reading(pare_store *store)
{
    if (!sqlite3_get_autocommit(store->db))
        (void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}

/* Tells who waits that rows have changed; a transaction that changed nothing wakes nobody. */
static void wake(const pare_store *store)
{
    if (store->wake_fd < 0 || sqlite3_total_changes(store->db) == store->changes_before) return;
    /* A full pipe has a byte in it already, which is all that matters. */
    if (write(store->wake_fd, "", 1) < 0) return;
}

/* Ends a transaction, or a part of one. A full disk makes SQLite take back all
 * of it, whatever its depth; then nothing is left to roll back or to commit,
 * and a success is an error. */
pare_status pare_store_end(pare_store *store, pare_status status, pare_error *err)
{
    assert(store->depth > 0);
    const bool inner = --store->depth > 0;
    if (!status && sqlite3_get_autocommit(store->db))
        return pare_fail(err, PARE_E_STATE, "%s: the change was rolled back", store->path);
    if (!status) status = pare_store_execute(store, inner ? "RELEASE part" : "COMMIT", err);
    if (!status) {
        if (!inner) wake(store);
        return PARE_OK;
    }
    if (!sqlite3_get_autocommit(store->db)) {
        const char *undo = inner ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK";
        (void)sqlite3_exec(store->db, undo, NULL, NULL, NULL);
    }
    return status;
}

/* --- locks -------------------------------------------------------------------------------------- */

/* Beside the store: closing any descriptor of the store's own file would lose SQLite's locks. */
static int open_lock_file(const pare_store *store, int flags, pare_error *err)
{
    pare_buffer path = {0};
    int fd = -1;
    if (!pare_buffer_format(&path, err, "%s.lock", store->path)) {
        fd = open(path.data, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0) (void)pare_fail_errno(err, errno, "cannot open %s", path.data);
    }
    pare_buffer_done(&path);
    return fd;
}

/* Since when there is a coordinator. */
static pare_status put_start(pare_store *store, pare_error *err)
{
    char now[24];
    (void)snprintf(now, sizeof now, "%lld", (long long)pare_store_now());
    return pare_store_put_fact(store, PARE_FACT_RUNNING_SINCE, now, err);
}

/* Takes the lock of byte `number` of the lock file: 0 is the campaign's, others
 * are those of jobs. The system releases it with the process, however that
 * ends. */
pare_status pare_store_lock(pare_store *store, int64_t number, int *fd, pare_error *err)
{
    pare_error cause = {0};
    int file = open_lock_file(store, O_CREAT, &cause);
    if (file < 0) return pare_fail(err, cause.status, "%s", cause.message);
    const int failed = pare_descriptor_lock(file, number);
    pare_status status = failed || number ? PARE_OK : put_start(store, err);
    if (!failed && !status) {
        *fd = file;
        return PARE_OK;
    }
    pare_descriptor_close(&file);
    if (status) return status;
    if (failed != EAGAIN) return pare_fail_errno(err, failed, "cannot lock %s.lock", store->path);
    if (number)
        return pare_fail(err, PARE_E_BUSY, "job %lld is already running", (long long)number);
    return pare_fail(err, PARE_E_BUSY, "another process is running a campaign on %s", store->path);
}

/* A lock file that is not there, or cannot be opened, is locked by nobody: who runs a campaign
 * has made it. */
bool pare_store_is_locked(pare_store *store, int64_t number)
{
    int file = open_lock_file(store, 0, NULL);
    const bool is_locked = file >= 0 && pare_descriptor_is_locked(file, number);
    pare_descriptor_close(&file);
    return is_locked;
}

/* --- contents ----------------------------------------------------------------------------------- */

void pare_store_digest(const void *bytes, size_t size, char digest[PARE_DIGEST_TEXT_BYTES])
{
    uint8_t whole[PARE_SHA512_BYTES];
    pare_sha512(bytes, size, whole);
    for (size_t i = 0; i < (PARE_DIGEST_TEXT_BYTES - 1) / 2; i++)
        (void)snprintf(digest + 2 * i, 3, "%02x", whole[i]);
}

/* A content that is there already is found by its digest (the unique index of the table) and not
 * written again, so two findings with one input share it. */
pare_status pare_store_put(pare_store *store, const void *bytes, size_t size,
                           char digest[PARE_DIGEST_TEXT_BYTES], pare_error *err)
{
    pare_store_digest(bytes, size, digest);
    return pare_store_run(store, "INSERT INTO content VALUES(?1, ?2) ON CONFLICT DO NOTHING", err,
                          "rb", digest, bytes, size);
}

/* Removes a content if nothing names it any more; all columns of the schema
 * that name contents are listed here. */
pare_status pare_store_drop(pare_store *store, const char *digest, pare_error *err)
{
    if (!*digest) return PARE_OK;
    return pare_store_run(store,
                          "DELETE FROM content WHERE digest = ?1"
                          " AND NOT EXISTS (SELECT 1 FROM finding WHERE input = ?1)"
                          " AND NOT EXISTS (SELECT 1 FROM finding WHERE reduced = ?1)"
                          " AND NOT EXISTS (SELECT 1 FROM member WHERE digest = ?1)"
                          " AND NOT EXISTS (SELECT 1 FROM corpus WHERE digest = ?1)",
                          err, "r", digest);
}

/* Copies the first column of the only row, with a NUL after it; *bytes is NULL
 * if there is no row. */
static pare_status copy_row(pare_store *store, sqlite3_stmt *statement, char **bytes, size_t *size,
                            pare_error *err)
{
    bool has_row = false;
    pare_status status = pare_store_step(store, statement, &has_row, err);
    if (status || !has_row) {
        *bytes = NULL;
        return status;
    }
    const void *blob = sqlite3_column_blob(statement, 0);
    *size = (size_t)sqlite3_column_bytes(statement, 0);
    if (*size && !blob) return pare_store_check(store, sqlite3_errcode(store->db), err);
    *bytes = pare_alloc_text(blob, *size);
    return *bytes ? PARE_OK : pare_fail_nomem(err);
}

/* Copies the content: SQLite's own bytes would be gone with the statement.  It may be a
 * gigabyte. */
pare_status pare_store_content(pare_store *store, const char *digest, unsigned char **bytes,
                               size_t *size, pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    char *copy = NULL;
    size_t length = 0;
    pare_status status = pare_store_prepare(store, "SELECT bytes FROM content WHERE digest = ?1",
                                            &statement, err, "s", digest);
    if (!status) status = copy_row(store, statement, &copy, &length, err);
    (void)sqlite3_finalize(statement);
    if (!status && !copy)
        status = pare_fail(err, PARE_E_STATE, "%s has no content '%.40s'", store->path, digest);
    if (status) return status;
    *bytes = (unsigned char *)copy;
    *size = length;
    return PARE_OK;
}

/* --- configurations and facts ------------------------------------------------------------------- */

/* The same text is the same configuration: its number says which findings were made by one. */
pare_status pare_store_put_config(pare_store *store, const char *text, int64_t *config,
                                  pare_error *err)
{
    char digest[PARE_DIGEST_TEXT_BYTES];
    pare_store_digest(text, strlen(text), digest);
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_run(store,
                            "INSERT INTO config(digest, text) VALUES(?1, ?2)"
                            " ON CONFLICT DO NOTHING",
                            err, "rr", digest, text);
    if (!status)
        status = pare_store_number(store, "SELECT id FROM config WHERE digest = ?1", config, 0, err,
                                   "r", digest);
    return pare_store_end(store, status, err);
}

pare_status pare_store_config(pare_store *store, int64_t config, char **text, pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    char *copy = NULL;
    size_t size = 0;
    pare_status status = pare_store_prepare(store, "SELECT text FROM config WHERE id = ?1",
                                            &statement, err, "i", config);
    if (!status) status = copy_row(store, statement, &copy, &size, err);
    (void)sqlite3_finalize(statement);
    if (!status && !copy)
        status = pare_fail(err, PARE_E_STATE, "%s has no configuration %lld", store->path,
                           (long long)config);
    if (!status) *text = copy;
    return status;
}

pare_status pare_store_get_fact(pare_store *store, const char *name, char **value, pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    char *copy = NULL;
    size_t size = 0;
    pare_status status = pare_store_prepare(store, "SELECT value FROM fact WHERE name = ?1",
                                            &statement, err, "r", name);
    if (!status) status = copy_row(store, statement, &copy, &size, err);
    (void)sqlite3_finalize(statement);
    if (!status) *value = copy;
    return status;
}

pare_status pare_store_put_fact(pare_store *store, const char *name, const char *value,
                                pare_error *err)
{
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status =
        pare_store_run(store, "INSERT OR REPLACE INTO fact VALUES(?1, ?2)", err, "rr", name, value);
    return pare_store_end(store, status, err);
}

/* --- events ------------------------------------------------------------------------------------- */

/* Forgets old events of the kinds that come with each job, which would grow for
 * ever. The findings' own history is kept. */
static pare_status forget_events(pare_store *store, int64_t newest, pare_error *err)
{
    if (newest % EVENTS_STEP || newest <= EVENTS_KEPT) return PARE_OK;
    return pare_store_run(store,
                          "DELETE FROM event WHERE id <= ?1 AND"
                          " kind IN ('log', 'job', 'trouble', 'validated', 'updated')",
                          err, "i", newest - EVENTS_KEPT);
}

/* An event is a part of the transaction that it tells of, so nobody is told of what was taken
 * back.  Costs one row, and every EVENTS_STEP events a walk over those that are too old. */
pare_status pare_store_tell(pare_store *store, const char *kind, int64_t finding, int64_t job,
                            const char *text, pare_error *err)
{
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_run(store,
                            "INSERT INTO event(time, kind, finding, job, text)"
                            " VALUES(?1, ?2, ?3, ?4, ?5)",
                            err, "isiis", pare_store_now(), kind, finding, job, text);
    if (!status) status = forget_events(store, sqlite3_last_insert_rowid(store->db), err);
    return pare_store_end(store, status, err);
}

#define EVENTS_AFTER "SELECT id, time, kind, finding, job, text FROM event WHERE id > ?1 AND "
#define OF_FINDING "finding = ?2 AND finding <> 0"
#define OF_ANY "?2 = 0"

/* Visits events in the order in which they came. Those of a finding are read by
 * the index event_finding, others by their numbers. The newest `last` of them
 * need a query within a query, whose rows are sorted before the first comes;
 * without `last` they come one by one, so who stops at the first (a listener
 * with a backlog of thousands) pays for that one only. */
pare_status pare_store_events(pare_store *store, int64_t after, int64_t finding, uint64_t last,
                              pare_event_visit visit, void *context, pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    const int64_t limit = last && last < INT64_MAX ? (int64_t)last : -1;
    static const char *const all[] = {EVENTS_AFTER OF_ANY " ORDER BY id LIMIT ?3",
                                      EVENTS_AFTER OF_FINDING " ORDER BY id LIMIT ?3"};
    static const char *const newest[] = {
        "SELECT * FROM (" EVENTS_AFTER OF_ANY " ORDER BY id DESC LIMIT ?3) ORDER BY id",
        "SELECT * FROM (" EVENTS_AFTER OF_FINDING " ORDER BY id DESC LIMIT ?3) ORDER BY id"};
    const char *sql = limit < 0 ? all[finding != 0] : newest[finding != 0];
    pare_status status =
        pare_store_prepare(store, sql, &statement, err, "iii", after, finding, limit);
    bool has_row = true;
    while (!status) {
        status = pare_store_step(store, statement, &has_row, err);
        if (status || !has_row) break;
        const pare_store_event event = {.id = sqlite3_column_int64(statement, 0),
                                        .time = sqlite3_column_int64(statement, 1),
                                        .kind = pare_store_text_at(statement, 2),
                                        .finding = sqlite3_column_int64(statement, 3),
                                        .job = sqlite3_column_int64(statement, 4),
                                        .text = pare_store_text_at(statement, 5)};
        status = visit(context, &event, err);
    }
    (void)sqlite3_finalize(statement);
    return status;
}
