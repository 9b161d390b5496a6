/* Statistics and positions of sources.
 *
 * A stream is one source on one target with one version of the configuration: a row with its sums
 * and its position.  Its history is in rows of one minute each, which are combined into rows of one
 * hour after a day: a month of eight streams has some 17,000 rows, however many tests there were.
 *
 * Invariant: the sums of a stream are those of its rows.
 *
 * Why not one row for each record: a campaign writes one each second and for each job, and viewers
 * ask for sums and for a curve of some hundred points. */
#include "campaign/statistic.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"

enum { MINUTE_MS = 60000, HOUR_MS = 3600000, DAY_MS = 86400000 };

/* --- adding ------------------------------------------------------------------------------------- */

/* The number of a stream, made at its first use. */
static pare_status stream_of(pare_store *store, const char *source, const char *target,
                             int64_t config, int64_t *id, pare_error *err)
{
    pare_status status = pare_store_run(
        store,
        "INSERT INTO stream(source, target, config) VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING", err,
        "ssi", source, target, config);
    if (status) return status;
    return pare_store_number(
        store, "SELECT id FROM stream WHERE source = ?1 AND target = ?2 AND config = ?3", id, 0,
        err, "ssi", source, target, config);
}

/* Sums of the stream.  When its first test began is told by how long all of them took: the first record comes
 * a second later, which matters for the rate of a run that is as short. */
static pare_status add_sums(pare_store *store, int64_t stream, const pare_statistic_delta *delta,
                            int64_t now, pare_error *err)
{
    const int64_t began = now - (int64_t)((delta->testing_s + delta->making_s) * 1000);
    return pare_store_run(
        store,
        "UPDATE stream SET tests = tests + ?2, failures = failures + ?3, findings = findings + ?4,"
        " edges = edges + ?5, testing_s = testing_s + ?6, making_s = making_s + ?7,"
        " first = CASE WHEN first = 0 OR first > ?8 THEN ?8 ELSE first END, last = max(last, ?9)"
        " WHERE id = ?1",
        err, "iiiiiddii", stream, (int64_t)delta->tests, (int64_t)delta->failures,
        (int64_t)delta->findings, (int64_t)delta->edges, delta->testing_s, delta->making_s, began,
        now);
}

/* The row of this minute; a test that began in the one before counts for the one in which it ended. */
static pare_status add_row(pare_store *store, int64_t stream, const pare_statistic_delta *delta,
                           int64_t now, pare_error *err)
{
    return pare_store_run(
        store,
        "INSERT INTO statistic VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
        " ON CONFLICT DO UPDATE SET tests = tests + excluded.tests,"
        " failures = failures + excluded.failures, findings = findings + excluded.findings,"
        " edges = edges + excluded.edges, testing_s = testing_s + excluded.testing_s,"
        " making_s = making_s + excluded.making_s",
        err, "iiiiiiidd", stream, now - now % MINUTE_MS, (int64_t)MINUTE_MS, (int64_t)delta->tests,
        (int64_t)delta->failures, (int64_t)delta->findings, (int64_t)delta->edges, delta->testing_s,
        delta->making_s);
}

/* Three statements on three rows, each found by a unique index. */
pare_status pare_statistic_add(pare_store *store, const pare_statistic_delta *delta,
                               pare_error *err)
{
    int64_t stream = 0;
    const int64_t now = pare_store_now();
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = stream_of(store, delta->source, delta->target, delta->config, &stream, err);
    if (!status) status = add_sums(store, stream, delta, now, err);
    if (!status) status = add_row(store, stream, delta, now, err);
    return pare_store_end(store, status, err);
}

/* By way of a temporary table: the sums go into rows of the same table whose place is not free before the
 * minutes are gone. */
pare_status pare_statistic_compact(pare_store *store, pare_error *err)
{
    const int64_t limit = pare_store_now() - DAY_MS, end = limit - limit % HOUR_MS;
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_run(store,
                            "CREATE TEMP TABLE hours AS SELECT stream,"
                            " start - start % ?2 AS start, sum(tests) AS tests,"
                            " sum(failures) AS failures, sum(findings) AS findings,"
                            " sum(edges) AS edges, sum(testing_s) AS testing_s,"
                            " sum(making_s) AS making_s FROM statistic"
                            " WHERE start < ?1 AND span < ?2 GROUP BY 1, 2",
                            err, "ii", end, (int64_t)HOUR_MS);
    if (!status)
        status = pare_store_run(store, "DELETE FROM statistic WHERE start < ?1 AND span < ?2", err,
                                "ii", end, (int64_t)HOUR_MS);
    if (!status)
        status = pare_store_run(
            store,
            "INSERT INTO statistic SELECT stream, start, ?1, tests, failures, findings, edges,"
            " testing_s, making_s FROM hours WHERE true"
            " ON CONFLICT DO UPDATE SET tests = tests + excluded.tests,"
            " failures = failures + excluded.failures, findings = findings + excluded.findings,"
            " edges = edges + excluded.edges, testing_s = testing_s + excluded.testing_s,"
            " making_s = making_s + excluded.making_s",
            err, "i", (int64_t)HOUR_MS);
    if (!status) status = pare_store_run(store, "DROP TABLE hours", err, "");
    return pare_store_end(store, status, err);
}

/* --- positions ---------------------------------------------------------------------------------- */

/* A stream that was never run has no row, and "" for its position: the beginning. */
pare_status pare_statistic_get_position(pare_store *store, const char *source, const char *target,
                                        int64_t config, char **position, pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool has_row = false;
    pare_status status = pare_store_prepare(
        store, "SELECT position FROM stream WHERE source = ?1 AND target = ?2 AND config = ?3",
        &statement, err, "ssi", source, target, config);
    if (!status) status = pare_store_step(store, statement, &has_row, err);
    if (!status) {
        const char *text = has_row ? pare_store_text_at(statement, 0) : "";
        char *copy = pare_alloc_text(text, strlen(text));
        if (copy)
            *position = copy;
        else
            status = pare_fail_nomem(err);
    }
    (void)sqlite3_finalize(statement);
    return status;
}

/* Makes the stream where there is none: a job may be killed before it has counted a test. */
pare_status pare_statistic_set_position(pare_store *store, const char *source, const char *target,
                                        int64_t config, const char *position, pare_error *err)
{
    int64_t stream = 0;
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = stream_of(store, source, target, config, &stream, err);
    if (!status)
        status = pare_store_run(store, "UPDATE stream SET position = ?2 WHERE id = ?1", err, "ir",
                                stream, position);
    return pare_store_end(store, status, err);
}

/* --- reading ------------------------------------------------------------------------------------ */

/* Tests a second in the last whole minute and what has passed of the one after it. */
static double rate(double tests, int64_t first, int64_t last)
{
    int64_t from = last - last % MINUTE_MS - MINUTE_MS;
    if (from < first) from = first;
    return last > from ? tests * 1000 / (double)(last - from) : 0;
}

/* Reads all streams, of each at most two rows of its course (by the key of `statistic`), and all
 * findings once, which SQLite sums up beforehand.  Tests of the last minute are for the rate. */
pare_status pare_store_statistics_each(pare_store *store, pare_statistics_visit visit,
                                       void *context, pare_error *err)
{
    _Static_assert(PARE_FINDING_INVALID == 5 && PARE_FINDING_MERGED == 6, "named below");
    sqlite3_stmt *statement = NULL;
    bool has_row = true;
    pare_status status = pare_store_prepare(
        store,
        "SELECT s.source, s.target, s.config, s.tests, s.failures, s.findings, s.edges,"
        " s.testing_s, s.making_s, s.first, s.last, coalesce(u.n, 0),"
        " (SELECT total(tests) FROM statistic WHERE stream = s.id"
        "  AND start >= s.last - s.last % ?1 - ?1)"
        " FROM stream s LEFT JOIN (SELECT source, target, config, count(*) AS n FROM finding"
        " WHERE state NOT IN (5, 6) GROUP BY source, target, config) u"
        " ON u.source = s.source AND u.target = s.target AND u.config = s.config"
        " WHERE s.last > 0 ORDER BY s.source, s.target, s.config",
        &statement, err, "i", (int64_t)MINUTE_MS);
    while (!status) {
        status = pare_store_step(store, statement, &has_row, err);
        if (status || !has_row) break;
        pare_store_statistics row = {.source = pare_store_text_at(statement, 0),
                                     .target = pare_store_text_at(statement, 1),
                                     .config = sqlite3_column_int64(statement, 2),
                                     .tests = (uint64_t)sqlite3_column_int64(statement, 3),
                                     .failures = (uint64_t)sqlite3_column_int64(statement, 4),
                                     .findings = (uint64_t)sqlite3_column_int64(statement, 5),
                                     .edges = (uint64_t)sqlite3_column_int64(statement, 6),
                                     .testing_s = sqlite3_column_double(statement, 7),
                                     .making_s = sqlite3_column_double(statement, 8),
                                     .first = sqlite3_column_int64(statement, 9),
                                     .last = sqlite3_column_int64(statement, 10),
                                     .unique_now = (uint64_t)sqlite3_column_int64(statement, 11)};
        row.tests_per_s = rate(sqlite3_column_double(statement, 12), row.first, row.last);
        status = visit(context, &row, err);
    }
    (void)sqlite3_finalize(statement);
    return status;
}

/* --- the curve ---------------------------------------------------------------------------------- */

#define OF_TARGET \
    " FROM statistic t JOIN stream s ON s.id = t.stream WHERE ?1 = '' OR s.target = ?1"

/* Time from `first` on is cut into `n` equal spans, the last of which ends at `last`. */
struct axis {
    int64_t first, last;
    size_t n;
};

/* The two ends of the target's course; each question reads all rows of it. */
static pare_status measure(pare_store *store, const char *target, struct axis *axis,
                           pare_error *err)
{
    pare_status status = pare_store_number(store, "SELECT min(t.start)" OF_TARGET, &axis->first, 0,
                                           err, "s", target);
    if (status) return status;
    return pare_store_number(store, "SELECT max(t.start + t.span)" OF_TARGET, &axis->last, 0, err,
                             "s", target);
}

/* A row belongs to the point in which it ends; the last point takes what rounding leaves over. */
static size_t span_of(const struct axis *axis, int64_t end)
{
    const double share = (double)(end - axis->first - 1) / (double)(axis->last - axis->first);
    const size_t i = share > 0 ? (size_t)(share * (double)axis->n) : 0;
    return i < axis->n ? i : axis->n - 1;
}

/* Sums up from point to point. */
static void accumulate(const struct axis *axis, pare_store_point *points)
{
    const double span = (double)(axis->last - axis->first) / (double)axis->n;
    for (size_t i = 0; i < axis->n; i++) {
        points[i].time = axis->first + (int64_t)(span * (double)(i + 1));
        if (!i) continue;
        points[i].tests += points[i - 1].tests;
        points[i].failures += points[i - 1].failures;
        points[i].findings += points[i - 1].findings;
        points[i].edges += points[i - 1].edges;
    }
}

/* Less than a point for each minute would only repeat numbers: there are as many points as
 * minutes then, and none before the first minute is over. */
pare_status pare_store_curve(pare_store *store, const char *target, size_t n_points,
                             pare_store_point *points, size_t *n, pare_error *err)
{
    struct axis axis = {.n = n_points};
    sqlite3_stmt *statement = NULL;
    bool has_row = true;
    if (!target) target = "";
    pare_status status = measure(store, target, &axis, err);
    if (status) return status;
    if (axis.last - axis.first < MINUTE_MS * (int64_t)axis.n)
        axis.n = (size_t)((axis.last - axis.first) / MINUTE_MS);
    *n = axis.n;
    if (!axis.n) return PARE_OK;
    memset(points, 0, axis.n * sizeof *points);
    status = pare_store_prepare(
        store, "SELECT t.start + t.span, t.tests, t.failures, t.findings, t.edges" OF_TARGET,
        &statement, err, "s", target);
    while (!status) {
        status = pare_store_step(store, statement, &has_row, err);
        if (status || !has_row) break;
        pare_store_point *point = &points[span_of(&axis, sqlite3_column_int64(statement, 0))];
        point->tests += (uint64_t)sqlite3_column_int64(statement, 1);
        point->failures += (uint64_t)sqlite3_column_int64(statement, 2);
        point->findings += (uint64_t)sqlite3_column_int64(statement, 3);
        point->edges += (uint64_t)sqlite3_column_int64(statement, 4);
    }
    (void)sqlite3_finalize(statement);
    if (!status) accumulate(&axis, points);
    return status;
}
