/* Fuzz target: FOLDER/findings.jsonl, any bytes.
 *
 * The folder has the contents "", "a" and "bb", and the configuration "c", for the lines to name.  What
 * is refused has one sentence and leaves the store as it was; what is taken is exported and imported
 * again, which changes nothing.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pare/findings.h>

#include "base/digest.h"
#include "campaign/store.h"
#include "os/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[64];

static void require(bool holds)
{
    if (!holds) abort();
}

static const char *in_folder(const char *name)
{
    static char path[160];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_content(const char *text, const char *suffix)
{
    char digest[PARE_DIGEST_TEXT_BYTES], name[64];
    pare_store_digest(text, strlen(text), digest);
    (void)snprintf(name, sizeof name, "%s%s", digest, suffix);
    require(pare_file_write_bytes(in_folder(name), text, strlen(text), NULL) == PARE_OK);
}

static void clean_up(void)
{
    if (pare_file_remove_tree(folder, NULL)) return;
}

static void set_up(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/pare-fuzz-XXXXXX");
    require(mkdtemp(folder) != NULL);
    (void)atexit(clean_up);
    write_content("", "");
    write_content("a", "");
    write_content("bb", "");
    write_content("c", ".ini");
}

static int64_t sum(pare_store *store)
{
    int64_t n = 0;
    require(
        !pare_store_number(store,
                           "SELECT (SELECT count(*) FROM content) + (SELECT count(*) FROM member)"
                           " + (SELECT total(own_count % 1000) + count(*) FROM finding)",
                           &n, -1, NULL, ""));
    return n;
}

/* A new store for each input, in the folder. */
static pare_store *open_new(void)
{
    pare_store *store = NULL;
    (void)unlink(in_folder("x.db"));
    (void)unlink(in_folder("x.db-wal"));
    (void)unlink(in_folder("x.db-shm"));
    require(pare_store_open(in_folder("x.db"), true, &store, NULL) == PARE_OK);
    require(pare_store_execute(store, "PRAGMA synchronous=OFF", NULL) == PARE_OK);
    return store;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t n_new = 0, n_known = 0;
    pare_error err = {0};
    if (!*folder) set_up();
    require(pare_file_write_bytes(in_folder("findings.jsonl"), size ? (const void *)data : "", size,
                                  NULL) == PARE_OK);
    pare_store *store = open_new();
    const int64_t before = sum(store);
    pare_status status = pare_store_import(store, folder, &n_new, &n_known, &err);
    require(!status || (err.status == status && err.message[0]));
    if (status) {
        require(sum(store) == before);
    } else {
        const int64_t after = sum(store);
        require(pare_store_export(store, NULL, 0, in_folder("out"), NULL) == PARE_OK);
        require(pare_store_import(store, in_folder("out"), &n_new, &n_known, NULL) == PARE_OK);
        require(n_new == 0 && sum(store) == after);
    }
    pare_store_close(store);
    return 0;
}
