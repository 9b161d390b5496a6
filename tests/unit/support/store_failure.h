/* A store of a test's own, and failures to put into it.  Included after cmocka. */
#ifndef PARE_TESTS_STORE_FAILURE_H
#define PARE_TESTS_STORE_FAILURE_H

#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "campaign/finding.h"
#include "campaign/store.h"

static inline pare_store *open_store(const char *path)
{
    pare_error err = {0};
    pare_store *store = NULL;
    assert_int_equal(pare_store_open(path, true, &store, &err), PARE_OK);
    return store;
}

/* A new one: what a test before it left at `path` is removed. */
static inline pare_store *new_store(const char *path)
{
    char name[256];
    static const char *const suffixes[] = {"", "-wal", "-shm", ".lock"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        (void)unlink(name);
    }
    return open_store(path);
}

static inline pare_failure failure_of(const char *identity, const char *text)
{
    return (pare_failure){.target = "jq",
                          .source = "grammar",
                          .version = "1",
                          .config = 1,
                          .signature = "signal SIGABRT",
                          .identity = identity,
                          .output = "aborted\n",
                          .bytes = text,
                          .size = strlen(text)};
}

static inline pare_failure_added add_failure(pare_store *store, const pare_failure *failure)
{
    pare_failure_added added;
    assert_int_equal(pare_finding_add(store, failure, &added, NULL), PARE_OK);
    return added;
}

static inline int64_t add_simple(pare_store *store, const char *identity, const char *text)
{
    const pare_failure failure = failure_of(identity, text);
    return add_failure(store, &failure).finding;
}

static inline int64_t number_of(pare_store *store, const char *sql)
{
    int64_t number = -1;
    assert_int_equal(pare_store_number(store, sql, &number, -1, NULL, ""), PARE_OK);
    return number;
}

static inline int count_steps(void *context)
{
    *(uint64_t *)context += 1;
    return 0;
}

/* Counts the work of the store from now on in *steps, in tens of SQLite's instructions: what a statement costs
 * is measured so, not by a clock.  NULL: no more. */
static inline void measure_steps(pare_store *store, uint64_t *steps)
{
    sqlite3_progress_handler(store->db, steps ? 10 : 0, steps ? count_steps : NULL, steps);
}

static inline pare_finding_state state_of(pare_store *store, int64_t id)
{
    pare_finding finding;
    assert_int_equal(pare_store_finding(store, id, &finding, NULL), PARE_OK);
    pare_finding_state state = finding.state;
    pare_finding_done(&finding);
    return state;
}

#endif
