/* What jobs add to findings and change in them: failures, reductions, validations.
 *
 * Every function is one transaction, which includes the event about it. Invariants, which
 * test_finding checks after each step:
 *   - (target, identity) names at most one finding, merged or not;
 *   - a merged one points to a finding that is not merged (never a chain), of the same target;
 *   - `own_count` is how often a finding's own identity was seen, `count` is that and the
 *     own_counts of those merged into it;
 *   - the contents of a finding's input, of its result and of its members are kept, and at most
 *     PARE_FINDING_MEMBERS members.
 *
 * The first members are kept; after that a smaller one replaces the largest of them, because small
 * inputs are faster to reduce and to read.  The finding's input is never replaced. */
#include "campaign/finding.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "campaign/finding_merge.h"

/* of the end of a failure's output, which is kept with the finding */
enum { OUTPUT_BYTES = 16384 };

/* --- failures ----------------------------------------------------------------------------------- */

/* What is known of (target, identity); all 0 when nothing is. */
struct known {
    int64_t id, root;         /* root: what it is merged into, or itself */
    pare_finding_state state; /* of root */
    bool was_fixed_since;     /* this version is not the one that the root was seen with */
};

/* Looks the failure up: two rows, by the index (target, identity) and by number.  A version that is not known may be any: a fixed finding is then taken to be back. */
static pare_status find(pare_store *store, const pare_failure *failure, struct known *known,
                        pare_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool has_row = false;
    pare_status status = pare_store_prepare(
        store,
        "SELECT own.id, root.id, root.state, ?3 = '' OR ?3 = root.gone_version OR"
        " ?3 <> root.last_version FROM finding own JOIN finding root"
        " ON root.id = CASE own.merged_into WHEN 0 THEN own.id ELSE own.merged_into END"
        " WHERE own.target = ?1 AND own.identity = ?2",
        &statement, err, "sss", failure->target, failure->identity, failure->version);
    if (!status) status = pare_store_step(store, statement, &has_row, err);
    if (!status && has_row) {
        known->id = sqlite3_column_int64(statement, 0);
        known->root = sqlite3_column_int64(statement, 1);
        known->state = (pare_finding_state)sqlite3_column_int64(statement, 2);
        known->was_fixed_since = sqlite3_column_int(statement, 3) != 0;
    }
    (void)sqlite3_finalize(statement);
    return status;
}

/* The end of what was printed, from the beginning of a line where there is one. */
static const char *last_lines(const char *output)
{
    const size_t size = strlen(output);
    if (size <= OUTPUT_BYTES) return output;
    const char *from = output + size - OUTPUT_BYTES, *line = strchr(from, '\n');
    return line && line[1] ? line + 1 : from;
}

/* An event of finding `id`; its sentence begins with "finding N", as events are also read in
 * lists. */
static pare_status tell_of(pare_store *store, const char *kind, int64_t id, int64_t job,
                           const char *what, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_buffer_format(&text, err, "finding %lld %s", (long long)id, what);
    if (!status) status = pare_store_tell(store, kind, id, job, text.data, err);
    pare_buffer_done(&text);
    return status;
}

/* Inserts a new finding with its first failure, and tells of it. Its input is
 * kept by add_member, which runs next. */
static pare_status insert(pare_store *store, const pare_failure *failure, const char *digest,
                          int64_t *id, pare_error *err)
{
    const char *title = failure->title ? failure->title : failure->identity;
    pare_status status = pare_store_run(
        store,
        "INSERT INTO finding(state, target, source, config, identity, signature, title, version,"
        " last_version, count, own_count, first_seen, last_seen, input, input_bytes, output)"
        " VALUES(0, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, 1, 1, ?8, ?8, ?9, ?10, ?11)",
        err, "ssissssisis", failure->target, failure->source, failure->config, failure->identity,
        failure->signature, title, failure->version, pare_store_now(), digest,
        (int64_t)failure->size, last_lines(failure->output));
    if (status) return status;
    *id = sqlite3_last_insert_rowid(store->db);
    pare_buffer text = {0};
    status = pare_buffer_format(&text, err, "is new: %s (%s, by %s)", title, failure->target,
                                failure->source);
    if (!status) status = tell_of(store, "new", *id, failure->from_job, text.data, err);
    pare_buffer_done(&text);
    return status;
}

/* Counts a failure of a finding that is there, and brings one back that was
 * fixed or invalid. A fixed one only comes back with a version other than those
 * that are known to have it: seen with an old version, the failure says nothing
 * new. */
static pare_status count(pare_store *store, const pare_failure *failure, const char *digest,
                         const struct known *known, pare_failure_added *added, pare_error *err)
{
    pare_status status =
        pare_store_run(store,
                       "UPDATE finding SET own_count = own_count + (id = ?1), count = count + 1,"
                       " last_seen = max(last_seen, ?3) WHERE id IN (?1, ?2)",
                       err, "iii", known->id, known->root, pare_store_now());
    if (!status && known->state == PARE_FINDING_FIXED && known->was_fixed_since) {
        added->regressed = true;
        status = pare_store_run(
            store, "UPDATE finding SET state = ?2, last_version = ?3 WHERE id = ?1", err, "iis",
            known->root, (int64_t)PARE_FINDING_REGRESSED, failure->version);
        if (!status)
            status = tell_of(store, "regressed", known->root, failure->from_job,
                             "was fixed, and has come back", err);
    } else if (!status && known->state == PARE_FINDING_INVALID) {
        added->regressed = true;
        status = pare_finding_merge_revive(store, known->root, digest, failure->size, err);
        if (!status)
            status = tell_of(store, "new", known->root, failure->from_job,
                             "did not show, and was seen again", err);
    }
    return status;
}

/* --- members ------------------------------------------------------------------------------------ */

/* Makes room for a member of `size` bytes: removes the largest one if it is
 * larger, but never the finding's input. *has_room is false if all are as
 * small. Reads the finding's members, at most PARE_FINDING_MEMBERS. */
static pare_status make_room(pare_store *store, int64_t finding, size_t size, bool *has_room,
                             pare_error *err)
{
    int64_t n = 0;
    pare_status status = pare_store_number(store, "SELECT count(*) FROM member WHERE finding = ?1",
                                           &n, 0, err, "i", finding);
    *has_room = n < PARE_FINDING_MEMBERS;
    if (status || *has_room) return status;
    sqlite3_stmt *statement = NULL;
    char digest[PARE_DIGEST_TEXT_BYTES] = "";
    status = pare_store_prepare(
        store,
        "SELECT digest FROM member WHERE finding = ?1 AND bytes > ?2 AND digest <>"
        " (SELECT input FROM finding WHERE id = ?1) ORDER BY bytes DESC, rowid DESC LIMIT 1",
        &statement, err, "ii", finding, (int64_t)size);
    if (!status) status = pare_store_step(store, statement, has_room, err);
    if (!status && *has_room) pare_store_digest_at(statement, 0, digest);
    /* An input of another finding, or of the corpus, stays: drop looks whether
     * anything still names the content. */
    (void)sqlite3_finalize(statement);
    if (status || !*has_room) return status;
    status = pare_store_run(store, "DELETE FROM member WHERE finding = ?1 AND digest = ?2", err,
                            "ir", finding, digest);
    return status ? status : pare_store_drop(store, digest, err);
}

/* Counts the input if it is a member already, else keeps it if there is room.
 * *is_member is set only if it was added. */
static pare_status add_member(pare_store *store, const pare_failure *failure, const char *digest,
                              int64_t finding, bool *is_member, pare_error *err)
{
    pare_status status = pare_store_run(
        store, "UPDATE member SET count = count + 1 WHERE finding = ?1 AND digest = ?2", err, "ir",
        finding, digest);
    if (status || sqlite3_changes(store->db)) return status;
    bool has_room = false;
    status = make_room(store, finding, failure->size, &has_room, err);
    if (status || !has_room) return status;
    *is_member = true;
    /* put() works the digest out again; the two have to agree. */
    char same[PARE_DIGEST_TEXT_BYTES];
    status = pare_store_put(store, failure->bytes, failure->size, same, err);
    assert(status || strcmp(same, digest) == 0);
    if (status) return status;
    return pare_store_run(store, "INSERT INTO member VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1)",
                          err, "irisssii", finding, digest, (int64_t)failure->size,
                          failure->signature, failure->source, failure->version, failure->config,
                          pare_store_now());
}

/* Keeps the content of an input that is no member but is named by a finding.
 * That happens to a revived finding whose members are all smaller. */
static pare_status keep_input(pare_store *store, const pare_failure *failure, const char *digest,
                              pare_error *err)
{
    int64_t is_input = 0;
    pare_status status = pare_store_number(store, "SELECT 1 FROM finding WHERE input = ?1 LIMIT 1",
                                           &is_input, 0, err, "r", digest);
    char same[PARE_DIGEST_TEXT_BYTES];
    if (!status && is_input)
        status = pare_store_put(store, failure->bytes, failure->size, same, err);
    return status;
}

/* Adds one failure, within the caller's transaction. The finding's row comes
 * first, as members name it; contents come last, when it is known whether
 * anything names them. */
static pare_status add(pare_store *store, const pare_failure *failure, pare_failure_added *added,
                       pare_error *err)
{
    char digest[PARE_DIGEST_TEXT_BYTES];
    struct known known = {0};
    pare_store_digest(failure->bytes, failure->size, digest);
    pare_status status = find(store, failure, &known, err);
    if (!status && known.id) status = count(store, failure, digest, &known, added, err);
    if (!status && !known.id) {
        added->is_new = true;
        status = insert(store, failure, digest, &known.id, err);
        known.root = known.id;
    }
    added->finding = known.root;
    if (!status) status = add_member(store, failure, digest, known.id, &added->is_member, err);
    if (!status && !added->is_member) status = keep_input(store, failure, digest, err);
    return status;
}

/* Adds a failure; *added is set on success only. Cost: one row found by the
 * unique index (target, identity), two rows written, and an input if it is
 * kept. Failures that come by the thousand are mostly of known inputs. */
pare_status pare_finding_add(pare_store *store, const pare_failure *failure,
                             pare_failure_added *added, pare_error *err)
{
    pare_failure_added result = {0};
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_end(store, add(store, failure, &result, err), err);
    if (!status) *added = result;
    return status;
}

/* --- reductions --------------------------------------------------------------------------------- */

/* Whether `bytes` come before the result that the finding has: by size, then by
 * bytes. The order is total, so of two jobs that reduce the same finding both
 * come to the same result. */
static pare_status is_better(pare_store *store, const pare_finding *finding, const void *bytes,
                             size_t size, bool *better, pare_error *err)
{
    *better = !*finding->reduced || size < finding->reduced_bytes;
    if (*better || size > finding->reduced_bytes) return PARE_OK;
    unsigned char *old = NULL;
    size_t old_size = 0;
    pare_status status = pare_store_content(store, finding->reduced, &old, &old_size, err);
    if (!status) *better = old_size == size && size && memcmp(bytes, old, size) < 0;
    pare_alloc_free(old);
    return status;
}

/* Puts the result in the place of the old one. The explanation goes, as it was
 * about the old one. If another finding has the very same result, the two are
 * one finding and are merged; *merged_into is then the one that stays. */
static pare_status put_reduced(pare_store *store, const pare_finding *finding, const void *bytes,
                               size_t size, int64_t *merged_into, pare_error *err)
{
    char digest[PARE_DIGEST_TEXT_BYTES];
    pare_buffer text = {0};
    pare_status status = pare_store_put(store, bytes, size, digest, err);
    if (!status)
        status = pare_store_run(store,
                                "UPDATE finding SET reduced = ?2, reduced_bytes = ?3,"
                                " state = CASE state WHEN 0 THEN 1 ELSE state END,"
                                " explanation = '' WHERE id = ?1",
                                err, "iri", finding->id, digest, (int64_t)size);
    if (!status) status = pare_store_drop(store, finding->reduced, err);
    if (!status)
        status = pare_buffer_format(&text, err, "is reduced from %zu to %zu bytes",
                                    finding->input_bytes, size);
    if (!status) status = tell_of(store, "reduced", finding->id, 0, text.data, err);
    if (!status) status = pare_finding_merge_same(store, finding->id, merged_into, err);
    pare_buffer_done(&text);
    return status;
}

/* Stores a reduction's result if it is better than what the finding has. A job
 * that ends on a finding that is new always stores its result: what was shown
 * on its way may be equal to it, and the state has to change. */
pare_status pare_finding_set_reduced(pare_store *store, int64_t id, const void *bytes, size_t size,
                                     int64_t *merged_into, pare_error *err)
{
    _Static_assert(PARE_FINDING_NEW == 0 && PARE_FINDING_REDUCED == 1, "named in statements");
    pare_finding finding = {0};
    bool better = false;
    int64_t into = 0;
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_finding(store, id, &finding, err);
    if (!status) status = is_better(store, &finding, bytes, size, &better, err);
    /* What a reduction has shown on its way is replaced by its result, which may be the same. */
    if (!status && finding.state == PARE_FINDING_NEW) better = true;
    if (!status && better) status = put_reduced(store, &finding, bytes, size, &into, err);
    pare_finding_done(&finding);
    status = pare_store_end(store, status, err);
    if (!status) *merged_into = into;
    return status;
}

/* Keeps what a reduction has come to so far, without an event: there would be hundreds. */
static pare_status put_reducing(pare_store *store, const pare_finding *finding, const void *bytes,
                                size_t size, pare_error *err)
{
    char digest[PARE_DIGEST_TEXT_BYTES];
    pare_status status = pare_store_put(store, bytes, size, digest, err);
    if (!status)
        status = pare_store_run(store,
                                "UPDATE finding SET reduced = ?2, reduced_bytes = ?3 WHERE id = ?1",
                                err, "iri", finding->id, digest, (int64_t)size);
    return status ? status : pare_store_drop(store, finding->reduced, err);
}

/* Stores an intermediate result. Called every few seconds while a reduction
 * runs; if the finding is not new any more (a validation may have called it
 * fixed), it is left alone. A deleted one is PARE_E_STATE. */
pare_status pare_finding_set_reducing(pare_store *store, int64_t id, const void *bytes, size_t size,
                                      pare_error *err)
{
    pare_finding finding = {0};
    bool better = false;
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_finding(store, id, &finding, err);
    if (!status) status = is_better(store, &finding, bytes, size, &better, err);
    if (!status && better && finding.state == PARE_FINDING_NEW)
        status = put_reducing(store, &finding, bytes, size, err);
    pare_finding_done(&finding);
    return pare_store_end(store, status, err);
}

/* --- validations -------------------------------------------------------------------------------- */

/* What comes of a validation: the new state, and the event with its sentence. */
struct verdict {
    pare_finding_state state;
    const char *event, *sentence;
};

/* What the outcome of a validation means for the state. A failure that does not
 * show any more is fixed only if the version is another than the one it was
 * last seen with. With the `same` version it came by chance and is invalid. */
static struct verdict judge(const pare_finding *finding, pare_validity validity, bool same)
{
    const pare_finding_state state = finding->state;
    if (state == PARE_FINDING_MERGED)
        return (struct verdict){state, "validated", "is merged; its own input was validated"};
    if (validity == PARE_STILL_THERE && state == PARE_FINDING_FIXED)
        return (struct verdict){PARE_FINDING_REGRESSED, "regressed",
                                "was fixed, and has come back"};
    if (validity == PARE_STILL_THERE && state == PARE_FINDING_INVALID)
        return (struct verdict){*finding->reduced ? PARE_FINDING_REDUCED : PARE_FINDING_NEW,
                                "validated", "is there after all"};
    if (validity == PARE_STILL_THERE) return (struct verdict){state, "validated", "is still there"};
    if (state == PARE_FINDING_FIXED || state == PARE_FINDING_INVALID)
        return (struct verdict){state, "validated", "is still not there"};
    if (same)
        return (struct verdict){PARE_FINDING_INVALID, "invalid", "does not show with its input"};
    return (struct verdict){PARE_FINDING_FIXED, "fixed", "is fixed"};
}

/* "is still there in 6 of 20 runs with version 1.7". */
static pare_status describe(const struct verdict *verdict, const pare_finding_seen *seen,
                            pare_buffer *text, pare_error *err)
{
    const unsigned long long fails = seen->fails, runs = seen->runs;
    pare_status status = pare_buffer_text(text, verdict->sentence, err);
    if (!status && fails && fails == runs)
        status = pare_buffer_format(text, err, " in each of %llu runs", runs);
    else if (!status && fails)
        status = pare_buffer_format(text, err, " in %llu of %llu runs", fails, runs);
    if (!status && *seen->version)
        status = pare_buffer_format(text, err, " with version %s", seen->version);
    return status;
}

/* Stores the verdict and tells of it: the last version that the finding was
 * seen with, and the first one that it was gone with. */
static pare_status set_validity(pare_store *store, const pare_finding *finding,
                                const struct verdict *verdict, const pare_finding_seen *seen,
                                pare_error *err)
{
    const bool is_seen = seen->validity == PARE_STILL_THERE && *seen->version;
    const bool now_fixed =
        verdict->state == PARE_FINDING_FIXED && finding->state != PARE_FINDING_FIXED;
    pare_status status = pare_store_run(
        store,
        "UPDATE finding SET state = ?2, validated = ?3, gone_version = ?4,"
        " last_version = coalesce(?5, last_version) WHERE id = ?1",
        err, "iiiss", finding->id, (int64_t)verdict->state, pare_store_now(),
        now_fixed ? seen->version : finding->gone_version, is_seen ? seen->version : NULL);
    pare_buffer text = {0};
    if (!status) status = describe(verdict, seen, &text, err);
    if (!status) status = tell_of(store, verdict->event, finding->id, 0, text.data, err);
    pare_buffer_done(&text);
    return status;
}

/* Stores what a validation has come to. A version that is not known, now or
 * when the finding was last seen, counts as the same: nothing says then that
 * the program has changed. */
static pare_status validate(pare_store *store, const pare_finding *finding,
                            const pare_finding_seen *seen, pare_error *err)
{
    const char *version = seen->version;
    if (seen->validity == PARE_NOT_RUN)
        return tell_of(store, "validated", finding->id, 0, "could not be validated", err);
    int64_t is_same = 0;
    pare_status status = pare_store_number(
        store,
        "SELECT ?2 = '' OR last_version = '' OR last_version = ?2 FROM finding WHERE id = ?1",
        &is_same, 0, err, "is", finding->id, version);
    if (status) return status;
    const struct verdict verdict = judge(finding, seen->validity, is_same != 0);
    return set_validity(store, finding, &verdict, seen, err);
}

/* Stores the rate with which the finding shows, if there were runs, and what
 * follows for its state. One transaction. */
pare_status pare_finding_set_validity(pare_store *store, int64_t id, const pare_finding_seen *seen,
                                      pare_error *err)
{
    pare_finding finding = {0};
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_finding(store, id, &finding, err);
    if (!status && seen->runs)
        status = pare_store_run(store, "UPDATE finding SET fails = ?2, runs = ?3 WHERE id = ?1",
                                err, "iii", id, (int64_t)seen->fails, (int64_t)seen->runs);
    if (!status) status = validate(store, &finding, seen, err);
    pare_finding_done(&finding);
    return pare_store_end(store, status, err);
}

/* --- single values ------------------------------------------------------------------------------ */

/* A text column of a finding. `kind` and `sentence` are the event that tells of
 * it, with the text after the sentence; kind NULL: no event. */
struct column {
    const char *sql; /* its parameters are the finding and the text */
    const char *kind, *sentence;
};

/* Sets the column and tells of it, in one transaction. PARE_E_STATE if there is
 * no such finding: an UPDATE of no row would pass without a word. */
static pare_status set_text(pare_store *store, int64_t id, const struct column *column,
                            const char *text, pare_error *err)
{
    pare_buffer sentence = {0};
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_run(store, column->sql, err, "is", id, text);
    if (!status && !sqlite3_changes(store->db))
        status = pare_fail(err, PARE_E_STATE, "there is no finding %lld", (long long)id);
    if (!status && column->kind) {
        status = pare_buffer_format(&sentence, err, "%s %s", column->sentence, text);
        if (!status) status = tell_of(store, column->kind, id, 0, sentence.data, err);
    }
    pare_buffer_done(&sentence);
    return pare_store_end(store, status, err);
}

/* Notes where a finding is reported. Its state becomes "reported", unless it is
 * fixed or invalid, which says more. */
pare_status pare_finding_set_reported(pare_store *store, int64_t id, const char *url,
                                      pare_error *err)
{
    _Static_assert(PARE_FINDING_REPORTED == 2 && PARE_FINDING_REGRESSED == 4, "named below");
    static const struct column column = {
        "UPDATE finding SET url = ?2, state = CASE WHEN state IN (0, 1, 4) THEN 2 ELSE state END"
        " WHERE id = ?1",
        "reported", "is reported at"};
    return set_text(store, id, &column, url, err);
}

/* Told as an event, since it comes from a job that takes minutes. */
pare_status pare_finding_set_first_bad(pare_store *store, int64_t id, const char *version,
                                       pare_error *err)
{
    static const struct column column = {"UPDATE finding SET first_bad = ?2 WHERE id = ?1",
                                         "validated", "is there since version"};
    return set_text(store, id, &column, version, err);
}

/* Without an event: it is a part of a reduction's result, which has one. */
pare_status pare_finding_set_explanation(pare_store *store, int64_t id, const char *text,
                                         pare_error *err)
{
    static const struct column column = {"UPDATE finding SET explanation = ?2 WHERE id = ?1", NULL,
                                         NULL};
    return set_text(store, id, &column, text, err);
}
