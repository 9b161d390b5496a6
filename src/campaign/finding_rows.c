/* Findings as others read them: filtered lists, one of them, its members.
 *
 * There is one statement for each question; the texts that a visit sees belong to SQLite, so a list
 * costs the memory of one row.  The filter is one WHERE whose unused conditions are null.  There
 * are as many findings as different failures, some hundreds, which are scanned in a millisecond;
 * larger tables (members, events, jobs) have indices.
 *
 * A merged finding keeps its own row and members, so that it can be split off again.  Readers of
 * the finding that it belongs to get the sum: `count` is stored as the sum, and members are read
 * from both. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <pare/findings.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/store.h"

static const char *const state_names[PARE_FINDING_N_STATES] = {
    [PARE_FINDING_NEW] = "new",
    [PARE_FINDING_REDUCED] = "reduced",
    [PARE_FINDING_REPORTED] = "reported",
    [PARE_FINDING_FIXED] = "fixed",
    [PARE_FINDING_REGRESSED] = "regressed",
    [PARE_FINDING_INVALID] = "invalid",
    [PARE_FINDING_MERGED] = "merged",
};

/* These names are a contract: filters, exports and JSON use them. "?" for a
 * number that is no state, so that a damaged value can be shown. */
const char *pare_finding_state_name(pare_finding_state state)
{
    return (unsigned)state < PARE_FINDING_N_STATES ? state_names[state] : "?";
}

/* False: no state is called so, and *state stays as it is. */
bool pare_finding_state_find(const char *name, pare_finding_state *state)
{
    for (unsigned i = 0; i < PARE_FINDING_N_STATES; i++) {
        if (strcmp(name, state_names[i]) != 0) continue;
        *state = (pare_finding_state)i;
        return true;
    }
    return false;
}

/* --- rows --------------------------------------------------------------------------------------- */

/* The columns of a finding, in the order in which read_row takes them. */
#define COLUMNS                                                                                \
    "id, state, target, source, identity, signature, title, version, gone_version, first_bad," \
    " url, note, explanation, output, config, count, first_seen, last_seen, validated,"        \
    " merged_into, input, reduced, input_bytes, reduced_bytes, fails, runs, pinned"

/* What a filter lets through. Its conditions are the parameters 1 to 4: a set
 * of states as bits, target, source, and a pattern for LIKE; NULL lets
 * everything through. */
#define WHERE                                                                          \
    " FROM finding WHERE (?1 >> state) & 1 AND (?2 IS NULL OR target = ?2)"            \
    " AND (?3 IS NULL OR source = ?3) AND (?4 IS NULL OR identity LIKE ?4 ESCAPE '\\'" \
    " OR title LIKE ?4 ESCAPE '\\' OR note LIKE ?4 ESCAPE '\\' OR output LIKE ?4 ESCAPE '\\')"

/* Reads a row into *finding; texts are borrowed from the row until its next
 * step. A file may come from anybody: a number that is no state is damage, and
 * never used as an index. */
static pare_status read_row(pare_store *store, sqlite3_stmt *row, pare_finding *finding,
                            pare_error *err)
{
    int at = 0;
    memset(finding, 0, sizeof *finding);
    finding->id = sqlite3_column_int64(row, at++);
    const int64_t state = sqlite3_column_int64(row, at++);
    if (state < 0 || state >= PARE_FINDING_N_STATES)
        return pare_fail(err, PARE_E_CORRUPT, "%s is damaged: finding %lld has no valid state",
                         store->path, (long long)finding->id);
    finding->state = (pare_finding_state)state;
    const char **const texts[] = {&finding->target,       &finding->source,      &finding->identity,
                                  &finding->signature,    &finding->title,       &finding->version,
                                  &finding->gone_version, &finding->first_bad,   &finding->url,
                                  &finding->note,         &finding->explanation, &finding->output};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = pare_store_text_at(row, at++);
    finding->config = sqlite3_column_int64(row, at++);
    finding->count = (uint64_t)sqlite3_column_int64(row, at++);
    finding->first_seen = sqlite3_column_int64(row, at++);
    finding->last_seen = sqlite3_column_int64(row, at++);
    finding->validated = sqlite3_column_int64(row, at++);
    finding->merged_into = sqlite3_column_int64(row, at++);
    pare_store_digest_at(row, at++, finding->input);
    pare_store_digest_at(row, at++, finding->reduced);
    finding->input_bytes = (size_t)sqlite3_column_int64(row, at++);
    finding->reduced_bytes = (size_t)sqlite3_column_int64(row, at++);
    finding->fails = (uint64_t)sqlite3_column_int64(row, at++);
    finding->runs = (uint64_t)sqlite3_column_int64(row, at++);
    finding->pinned = sqlite3_column_int(row, at++) != 0;
    return PARE_OK;
}

/* --- lists -------------------------------------------------------------------------------------- */

/* of a text that is searched for: SQLite takes patterns of 50,000 bytes, and
 * quoting may double the text */
enum { SEARCH_BYTES = 20000 };

/* Makes "%text%" with LIKE's own characters quoted; *pattern stays empty
 * without a search, which makes its parameter NULL. */
static pare_status make_pattern(const char *search, pare_buffer *pattern, pare_error *err)
{
    if (!search || !*search) return PARE_OK;
    if (strlen(search) > SEARCH_BYTES)
        return pare_fail(err, PARE_E_ARG, "a text to search for can have at most %d bytes",
                         SEARCH_BYTES);
    pare_status status = pare_buffer_text(pattern, "%", err);
    for (const char *at = search; *at && !status; at++) {
        if (strchr("%_\\", *at)) status = pare_buffer_text(pattern, "\\", err);
        if (!status) status = pare_buffer_add(pattern, at, 1, err);
    }
    return status ? status : pare_buffer_text(pattern, "%", err);
}

/* What a list is ordered by, as SQL of ours: never a text of the user's. */
static const char *order_of(pare_finding_order order)
{
    static const char *const columns[] = {
        [PARE_BY_ID] = "id",
        [PARE_BY_FIRST_SEEN] = "first_seen",
        [PARE_BY_LAST_SEEN] = "last_seen",
        [PARE_BY_COUNT] = "count",
        [PARE_BY_SIZE] = "CASE WHEN reduced <> '' THEN reduced_bytes ELSE input_bytes END",
        [PARE_BY_STATE] = "state",
        [PARE_BY_TARGET] = "target",
    };
    assert((size_t)order < sizeof columns / sizeof *columns);
    return columns[order];
}

/* NULL for an empty text, so that the filter's condition lets everything through. */
static const char *given(const char *text)
{
    return text && *text ? text : NULL;
}

/* Prepares `sql` with the parameters of `filter`; *pattern is borrowed by the
 * statement and must outlive it. Without states all but the merged ones are
 * taken; without a limit all rows (-1 for SQLite). */
static pare_status prepare(pare_store *store, const pare_finding_filter *filter, const char *sql,
                           pare_buffer *pattern, sqlite3_stmt **statement, pare_error *err)
{
    const uint32_t all = (1u << PARE_FINDING_N_STATES) - 1;
    const uint32_t states = filter->states ? filter->states : all & ~(1u << PARE_FINDING_MERGED);
    const int64_t limit = filter->limit && filter->limit < INT64_MAX ? (int64_t)filter->limit : -1;
    const int64_t offset = filter->offset < INT64_MAX ? (int64_t)filter->offset : INT64_MAX;
    pare_status status = make_pattern(filter->search, pattern, err);
    if (status) return status;
    return pare_store_prepare(store, sql, statement, err, "isssii", (int64_t)states,
                              given(filter->target), given(filter->source), pattern->data, limit,
                              offset);
}

/* Visits the findings that a filter takes, in its order and then by number, so
 * that the order is total. By number nothing is kept in memory; by another
 * order SQLite sorts as many rows as there are. `visit` may read the store, but
 * must not change findings. */
pare_status pare_store_findings(pare_store *store, const pare_finding_filter *filter,
                                pare_finding_visit visit, void *context, pare_error *err)
{
    static const pare_finding_filter all;
    if (!filter) filter = &all;
    pare_buffer pattern = {0}, sql = {0};
    sqlite3_stmt *statement = NULL;
    const char *way = filter->descending ? "DESC" : "ASC";
    pare_status status = pare_buffer_format(
        &sql, err, "SELECT " COLUMNS WHERE " ORDER BY %s %s, id %s LIMIT ?5 OFFSET ?6",
        order_of(filter->order), way, way);
    if (!status) status = prepare(store, filter, sql.data, &pattern, &statement, err);
    bool has_row = true;
    while (!status) {
        pare_finding finding;
        status = pare_store_step(store, statement, &has_row, err);
        if (status || !has_row) break;
        status = read_row(store, statement, &finding, err);
        if (!status) status = visit(context, &finding, err);
    }
    (void)sqlite3_finalize(statement);
    pare_buffer_done(&pattern);
    pare_buffer_done(&sql);
    return status;
}

/* Counts the findings that a filter takes, whatever its offset and limit. Reads
 * all findings, but of each only the columns before its output unless there is
 * a text to search for. */
pare_status pare_store_count_findings(pare_store *store, const pare_finding_filter *filter,
                                      uint64_t *n, pare_error *err)
{
    pare_finding_filter whole = filter ? *filter : (pare_finding_filter){0};
    whole.offset = whole.limit = 0;
    pare_buffer pattern = {0};
    sqlite3_stmt *statement = NULL;
    bool has_row = false;
    pare_status status = prepare(store, &whole, "SELECT count(*)" WHERE " LIMIT ?5 OFFSET ?6",
                                 &pattern, &statement, err);
    if (!status) status = pare_store_step(store, statement, &has_row, err);
    if (!status) *n = (uint64_t)sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    pare_buffer_done(&pattern);
    return status;
}

/* --- one finding -------------------------------------------------------------------------------- */

/* Reads one finding by its number, the key of the table. On PARE_OK the caller
 * ends *finding; PARE_E_STATE: there is none. */
pare_status pare_store_finding(pare_store *store, int64_t id, pare_finding *finding,
                               pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool has_row = false;
    pare_finding found = {0};
    pare_status status = pare_store_prepare(store, "SELECT " COLUMNS " FROM finding WHERE id = ?1",
                                            &statement, err, "i", id);
    if (!status) status = pare_store_step(store, statement, &has_row, err);
    if (!status && !has_row)
        status = pare_fail(err, PARE_E_STATE, "there is no finding %lld", (long long)id);
    if (!status) status = read_row(store, statement, &found, err);
    /* The row's texts die with the statement, so they are copied into one block. */
    if (!status) {
        const char **const texts[] = {&found.target,       &found.source,      &found.identity,
                                      &found.signature,    &found.title,       &found.version,
                                      &found.gone_version, &found.first_bad,   &found.url,
                                      &found.note,         &found.explanation, &found.output};
        status = pare_store_own_texts(texts, sizeof texts / sizeof *texts, err);
    }
    if (!status) *finding = found;
    (void)sqlite3_finalize(statement);
    return status;
}

/* All-zero is a no-op. The texts are one block that begins with the target's name. */
void pare_finding_done(pare_finding *finding)
{
    pare_alloc_free((void *)finding->target);
    memset(finding, 0, sizeof *finding);
}

/* Visits the members of a finding: its own, then those of findings merged into
 * it, each in the order in which they were kept. Uses two indices, (finding,
 * digest) of members and finding_merged. */
pare_status pare_store_members(pare_store *store, int64_t id, pare_member_visit visit,
                               void *context, pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool has_row = true;
    pare_status status = pare_store_prepare(
        store,
        "SELECT digest, bytes, signature, source, version, config, seen, count FROM member"
        " WHERE finding = ?1 OR finding IN"
        " (SELECT id FROM finding WHERE merged_into = ?1 AND merged_into <> 0)"
        " ORDER BY finding <> ?1, finding, rowid",
        &statement, err, "i", id);
    while (!status) {
        status = pare_store_step(store, statement, &has_row, err);
        if (status || !has_row) break;
        pare_finding_member member = {.bytes = (size_t)sqlite3_column_int64(statement, 1),
                                      .signature = pare_store_text_at(statement, 2),
                                      .source = pare_store_text_at(statement, 3),
                                      .version = pare_store_text_at(statement, 4),
                                      .config = sqlite3_column_int64(statement, 5),
                                      .seen = sqlite3_column_int64(statement, 6),
                                      .count = (uint64_t)sqlite3_column_int64(statement, 7)};
        pare_store_digest_at(statement, 0, member.digest);
        status = visit(context, &member, err);
    }
    (void)sqlite3_finalize(statement);
    return status;
}
