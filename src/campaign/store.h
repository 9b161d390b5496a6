/* The store: one SQLite file, its schema, transactions, and contents by digest.
 *
 * pare_store (pare/findings.h) is the handle.  The tables' questions are in finding_table.h,
 * job_table.h, statistic_table.h and corpus_table.h; docs/design/store.md has the schema.  WAL, one
 * writer at a time; who waits longer than PARE_STORE_WAIT_MS gets PARE_E_BUSY.  A handle is one
 * thread's. */
#ifndef PARE_CAMPAIGN_STORE_H
#define PARE_CAMPAIGN_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include <pare/findings.h>

#include "base/fail.h"

enum { PARE_STORE_WAIT_MS = 10000, PARE_STORE_SCHEMA = 1, PARE_DIGEST_TEXT_BYTES = 33 };

struct pare_store {
    sqlite3 *db;    /* owned */
    char *path;     /* owned; absolute */
    int wake_fd;    /* gets a byte after each commit; -1: none; borrowed */
    unsigned depth; /* of transactions within each other */
};

/* Milliseconds since 1970. */
int64_t pare_store_now(void);

/* What SQLite has answered as a status: PARE_OK, PARE_E_BUSY, PARE_E_CORRUPT, PARE_E_NOMEM, PARE_E_IO
 * (a full disk is told by name), with a sentence that begins with the store's path. */
PARE_CHECK pare_status pare_store_check(pare_store *store, int code, pare_error *err);

/* Prepares a statement; `format` says what is bound: s text (NULL: null), i int64_t, d double, and b
 * bytes with a size_t after them.  The caller finalizes *statement (NULL is fine). */
PARE_CHECK pare_status pare_store_prepare(pare_store *store, const char *sql,
                                          sqlite3_stmt **statement, pare_error *err,
                                          const char *format, ...);

/* Prepares, runs to the end and finalizes a statement that gives no rows. */
PARE_CHECK pare_status pare_store_run(pare_store *store, const char *sql, pare_error *err,
                                      const char *format, ...);

/* The number in the first column of the first row; `otherwise` when there is no row. */
PARE_CHECK pare_status pare_store_number(pare_store *store, const char *sql, int64_t *number,
                                         int64_t otherwise, pare_error *err, const char *format,
                                         ...);

/* A transaction, for writing from its start (BEGIN IMMEDIATE).  Within another one it is a part of
 * that.  `end` commits when `status` is PARE_OK, else takes all back; returns `status`, or the
 * error of the commit. */
PARE_CHECK pare_status pare_store_begin(pare_store *store, pare_error *err);
PARE_CHECK pare_status pare_store_end(pare_store *store, pare_status status, pare_error *err);

/* Keeps bytes under their digest, once; writes the digest as text. */
PARE_CHECK pare_status pare_store_put(pare_store *store, const void *bytes, size_t size,
                                      char digest[PARE_DIGEST_TEXT_BYTES], pare_error *err);
void pare_store_digest(const void *bytes, size_t size, char digest[PARE_DIGEST_TEXT_BYTES]);

/* Adds an event.  `finding`, `job`: 0 for none; `text`: one sentence. */
PARE_CHECK pare_status pare_store_tell(pare_store *store, const char *kind, int64_t finding,
                                       int64_t job, const char *text, pare_error *err);

/* The number of a version of the configuration, by its text. */
PARE_CHECK pare_status pare_store_put_config(pare_store *store, const char *text, int64_t *config,
                                             pare_error *err);

/* Small facts by name: the target's version that was seen last, a source's position, ... */
PARE_CHECK pare_status
pare_store_get_fact(pare_store *store, const char *name, char **value,
                    pare_error *err); /* owned by the caller, pare_alloc_free;
                                                                NULL: none */
PARE_CHECK pare_status pare_store_put_fact(pare_store *store, const char *name, const char *value,
                                           pare_error *err);

#endif
