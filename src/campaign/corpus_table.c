/* The inputs that reached something new, and the map of everything reached, for each target.
 *
 * The map is merged in one transaction: read, united with the caller's, written back if that has
 * more.  So each bit is new for exactly one of the processes that reach it at the same time, and what
 * they count adds up to the bits of the map. */
#include "campaign/corpus_table.h"

#include <stdint.h>

#include "base/digest.h"

/* --- inputs ------------------------------------------------------------------------------------- */

/* Adds an input to the population of a target. Two processes may find the same
 * one at the same time: the digest decides, and the second is told that it is
 * not new. */
pare_status pare_corpus_table_add(pare_store *store, const char *target,
                                  const pare_corpus_input *input, bool *is_new, pare_error *err)
{
    char digest[PARE_DIGEST_TEXT_BYTES];
    bool added = false;
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_put(store, input->bytes, input->size, digest, err);
    if (!status)
        status = pare_store_run(store,
                                "INSERT INTO corpus(target, source, digest, bytes, new_edges,"
                                " is_reduced) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
                                " ON CONFLICT DO NOTHING",
                                err, "ssriii", target, input->source, digest, (int64_t)input->size,
                                (int64_t)input->new_edges, (int64_t)input->is_reduced);
    added = sqlite3_changes(store->db) != 0;
    status = pare_store_end(store, status, err);
    if (!status) *is_new = added;
    return status;
}

/* By number, which rises: whoever has seen all up to one asks for those after it, and nobody has to
 * remember which they were.  The statement stays open while `visit` runs.  By the index (target, digest):
 * reads the corpus of the target, and sorts what comes after the number. */
pare_status pare_corpus_table_each(pare_store *store, const char *target, int64_t after,
                                   pare_corpus_visit visit, void *context, pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool has_row = true;
    pare_status status =
        pare_store_prepare(store,
                           "SELECT id, source, digest, bytes, new_edges, is_reduced FROM corpus"
                           " WHERE id > ?2 AND target = ?1 ORDER BY id",
                           &statement, err, "si", target, after);
    while (!status) {
        status = pare_store_step(store, statement, &has_row, err);
        if (status || !has_row) break;
        pare_corpus_entry entry = {.id = sqlite3_column_int64(statement, 0),
                                   .source = pare_store_text_at(statement, 1),
                                   .bytes = (size_t)sqlite3_column_int64(statement, 3),
                                   .new_edges = (uint64_t)sqlite3_column_int64(statement, 4),
                                   .is_reduced = sqlite3_column_int(statement, 5) != 0};
        pare_store_digest_at(statement, 2, entry.digest);
        status = visit(context, &entry, err);
    }
    (void)sqlite3_finalize(statement);
    return status;
}

/* --- the map ------------------------------------------------------------------------------------ */

/* What a map has that another one has not. */
struct more {
    uint64_t n_bits, n_edges;
};

/* Adds the bits of `old` (NULL: none) to `map`; the result is what only `map` had. */
static struct more unite(unsigned char *map, const unsigned char *old, size_t size)
{
    struct more more = {.n_bits = 0};
    for (size_t i = 0; i < size; i++) {
        const unsigned char before = old ? old[i] : 0;
        more.n_bits += (unsigned)__builtin_popcount(map[i] & ~before);
        more.n_edges += map[i] && !before;
        map[i] |= before;
    }
    return more;
}

/* Unites `map` with the stored one, and writes it back only if it has more: a
 * map is some 64 KiB, and most calls add nothing. A stored map of another size
 * is of another build, and is replaced. */
static pare_status merge(pare_store *store, const char *target, unsigned char *map, size_t size,
                         struct more *more, pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool has_row = false;
    pare_status status = pare_store_prepare(store, "SELECT bytes FROM map WHERE target = ?1",
                                            &statement, err, "s", target);
    if (!status) status = pare_store_step(store, statement, &has_row, err);
    if (!status) {
        const unsigned char *old = has_row ? sqlite3_column_blob(statement, 0) : NULL;
        const bool is_same_size = old && (size_t)sqlite3_column_bytes(statement, 0) == size;
        *more = unite(map, is_same_size ? old : NULL, size);
    }
    (void)sqlite3_finalize(statement);
    if (status || !more->n_bits) return status;
    return pare_store_run(store, "INSERT OR REPLACE INTO map VALUES(?1, ?2)", err, "sb", target,
                          map, size);
}

/* One transaction, in which readers go on and other writers wait: a read of 64 KiB, and a write
 * of as much if there is anything new. */
pare_status pare_corpus_table_merge_map(pare_store *store, const char *target, unsigned char *map,
                                        size_t size, uint64_t *n_new, uint64_t *n_edges,
                                        pare_error *err)
{
    struct more more = {.n_bits = 0};
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_end(store, merge(store, target, map, size, &more, err), err);
    if (status) return status;
    *n_new = more.n_bits;
    *n_edges = more.n_edges;
    return PARE_OK;
}
