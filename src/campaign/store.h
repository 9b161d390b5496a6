/* The store: one SQLite file, its schema, transactions, and contents by digest.
 *
 * pare_store (pare/findings.h) is the handle.  The queries are in finding.h, job.h, statistic.h and
 * corpus_table.h; docs/design/store.md has the schema.  WAL, one writer at a time; a caller that
 * waits longer than PARE_STORE_WAIT_MS gets PARE_E_BUSY, unless the handle is patient.  A handle
 * belongs to one thread. */
#ifndef PARE_CAMPAIGN_STORE_H
#define PARE_CAMPAIGN_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include <pare/findings.h>
#include <pare/stop.h>

#include "base/digest.h"
#include "base/fail.h"

enum { PARE_STORE_WAIT_MS = 10000, PARE_STORE_SCHEMA = 1 };

/* How a process waits that has nothing to do without the store: while another one has it locked, and the
 * file is there.  All-zero: it is not patient, and gets PARE_E_BUSY after PARE_STORE_WAIT_MS. */
typedef struct pare_store_patience {
    bool is_patient;
    const pare_stop *stop; /* borrowed; a requested stop ends the wait: PARE_E_INTERRUPTED */
    uint64_t give_up_ms;   /* by pare_clock_ms: then it is PARE_E_BUSY all the same; 0: never */
    /* Called when a wait has become long; at most once a minute.  The store is not to be used.  NULL:
     * nobody wants to know. */
    void (*tell)(void *context);
    void *context;
} pare_store_patience;

struct pare_store {
    sqlite3 *db; /* owned */
    char *path;  /* owned; absolute */
    pare_store_patience patience;
    uint64_t waiting_since_ms, told_ms; /* by pare_clock_ms; 0: never */
    uint64_t device, inode;             /* of the file */
    /* Gets a byte after each commit that changed something; -1: none; borrowed.  Whoever sets it
     * ignores SIGPIPE, and lets it not block. */
    int wake_fd;
    unsigned depth;     /* of transactions within each other */
    int changes_before; /* of rows, when the outermost transaction began */
};

/* Milliseconds since 1970. */
int64_t pare_store_now(void);

/* As pare_store_open, for a process that waits as `patience` says, from the opening on. */
PARE_CHECK pare_status pare_store_open_patient(const char *path, bool create,
                                               const pare_store_patience *patience,
                                               pare_store **out, pare_error *err);

/* Whether the file is not there any more, or is another one. */
bool pare_store_is_gone(const pare_store *store);

/* What SQLite has answered as a status: PARE_OK, PARE_E_BUSY, PARE_E_INTERRUPTED (it was locked, and a
 * stop is requested), PARE_E_CORRUPT, PARE_E_NOMEM, PARE_E_IO (a full disk is told by name, and a file
 * that is gone), with a sentence that begins with the store's path. */
PARE_CHECK pare_status pare_store_check(pare_store *store, int code, pare_error *err);

/* Prepares a statement; `format` says what is bound, each borrowed until the statement is finalized:
 * s text (NULL: null), in which bytes that are no UTF-8 become U+FFFD; r text as it is (NULL: null);
 * i int64_t; d double; b bytes with a size_t after them.  The caller finalizes *statement (NULL is
 * fine). */
PARE_CHECK pare_status pare_store_prepare(pare_store *store, const char *sql,
                                          sqlite3_stmt **statement, pare_error *err,
                                          const char *format, ...);

/* Prepares, runs to the end and finalizes a statement that gives no rows. */
PARE_CHECK pare_status pare_store_run(pare_store *store, const char *sql, pare_error *err,
                                      const char *format, ...);

/* Takes a statement to its next row: *has_row false at the end. */
PARE_CHECK pare_status pare_store_step(pare_store *store, sqlite3_stmt *statement, bool *has_row,
                                       pare_error *err);

/* What a row has in a column: a text is never NULL, and valid until the next step; a digest is ""
 * where a damaged file has none. */
const char *pare_store_text_at(sqlite3_stmt *row, int column);
void pare_store_digest_at(sqlite3_stmt *row, int column, char digest[PARE_DIGEST_TEXT_BYTES]);

/* Copies texts into one block, at whose beginning the first one is: a pare_alloc_free of that
 * releases all.  texts[i] points to what is replaced by its copy. */
PARE_CHECK pare_status pare_store_own_texts(const char **const texts[], size_t n, pare_error *err);

/* Runs statements of ours without parameters, separated by ";". */
PARE_CHECK pare_status pare_store_execute(pare_store *store, const char *sql, pare_error *err);

/* The number in the first column of the first row; `otherwise` when there is no row. */
PARE_CHECK pare_status pare_store_number(pare_store *store, const char *sql, int64_t *number,
                                         int64_t otherwise, pare_error *err, const char *format,
                                         ...);

/* A transaction, for writing from its start (BEGIN IMMEDIATE).  Within another one it is a part of
 * that.  `end` commits when `status` is PARE_OK, else takes all back; returns `status`, or the
 * error of the commit. */
PARE_CHECK pare_status pare_store_begin(pare_store *store, pare_error *err);
PARE_CHECK pare_status pare_store_end(pare_store *store, pare_status status, pare_error *err);

/* A transaction for reading: all that is read is of one instant, and no writer is kept waiting.  Not
 * within another one.  Its end takes temporary tables back that were made in it. */
PARE_CHECK pare_status pare_store_begin_reading(pare_store *store, pare_error *err);
void pare_store_end_reading(pare_store *store);

/* Keeps bytes under their digest, once; writes the digest as text.  The digest is SHA-512's first 128
 * bits: contents come from programs under test and from other people's stores. */
PARE_CHECK pare_status pare_store_put(pare_store *store, const void *bytes, size_t size,
                                      char digest[PARE_DIGEST_TEXT_BYTES], pare_error *err);
void pare_store_digest(const void *bytes, size_t size, char digest[PARE_DIGEST_TEXT_BYTES]);
/* Forgets a content that nothing in the store names any more; "" is a no-op. */
PARE_CHECK pare_status pare_store_drop(pare_store *store, const char *digest, pare_error *err);

/* Takes the lock of number `number` of the store (the file STORE.lock): 0 is the coordinator's, N
 * that of whoever does job N.  It is given up by closing *fd, and by the end of the process,
 * however that comes.  Errors: PARE_E_BUSY (another process has it), PARE_E_IO. */
PARE_CHECK pare_status pare_store_lock(pare_store *store, int64_t number, int *fd, pare_error *err);
/* Whether anybody has it; it is not taken for that. */
bool pare_store_is_locked(pare_store *store, int64_t number);

/* Adds an event.  `finding`, `job`: 0 for none; `text`: one sentence. */
PARE_CHECK pare_status pare_store_tell(pare_store *store, const char *kind, int64_t finding,
                                       int64_t job, const char *text, pare_error *err);

/* The number of a version of the configuration, by its text. */
PARE_CHECK pare_status pare_store_put_config(pare_store *store, const char *text, int64_t *config,
                                             pare_error *err);

/* Small facts by name: the target's version that was seen last, and these. */
#define PARE_FACT_CAMPAIGN \
    "campaign" /* number of the newest configuration as a whole: what jobs read */
#define PARE_FACT_PAUSED "paused"               /* "1": fuzzing as a whole is (pare_store_pause) */
#define PARE_FACT_RUNNING_SINCE "running since" /* put with the coordinator's lock */
PARE_CHECK pare_status
pare_store_get_fact(pare_store *store, const char *name, char **value,
                    pare_error *err); /* owned by the caller, pare_alloc_free;
                                                                NULL: none */
PARE_CHECK pare_status pare_store_put_fact(pare_store *store, const char *name, const char *value,
                                           pare_error *err);

#endif
