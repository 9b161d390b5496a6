/* Merging, splitting, editing and forgetting findings.
 *
 * A merge moves nothing: the finding, and those that were merged into it before, get the state
 * MERGED and the number of the one it belongs to; so a split restores them exactly.  Invariants:
 * see finding.c. The oldest of several with the same result wins, because its number is what people
 * have already read and written down. */
#include "campaign/finding_merge.h"

#include <string.h>

#include <pare/findings.h>

#include "base/buffer.h"
#include "base/fail.h"

/* --- merging ------------------------------------------------------------------------------------ */

/* Tells of a merge or a split, as an event of `id`: who looks at the history of
 * a merged finding sees where it went. */
static pare_status tell_pair(pare_store *store, const char *kind, int64_t id, const char *what,
                             int64_t other, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_buffer_format(&text, err, "finding %lld %s finding %lld",
                                            (long long)id, what, (long long)other);
    if (!status) status = pare_store_tell(store, kind, id, 0, text.data, err);
    pare_buffer_done(&text);
    return status;
}

/* Merges `id` into `into`; both are of one target, and neither is merged. The
 * order of the three steps matters. First the whole one takes over the count,
 * while that of `id` still includes what was merged into it. Then what was
 * merged into `id` points to the whole one, so that there is no chain to
 * follow. Last `id` keeps its own count only, which is what a split takes away
 * again. */
static pare_status merge(pare_store *store, int64_t id, int64_t into, pare_error *err)
{
    pare_status status = pare_store_run(
        store,
        "UPDATE finding SET count = count + (SELECT count FROM finding WHERE id = ?1),"
        " first_seen = min(first_seen, (SELECT first_seen FROM finding WHERE id = ?1)),"
        " last_seen = max(last_seen, (SELECT last_seen FROM finding WHERE id = ?1))"
        " WHERE id = ?2",
        err, "ii", id, into);
    if (!status)
        status = pare_store_run(
            store,
            "UPDATE finding SET merged_into = ?2 WHERE merged_into = ?1 AND merged_into <> 0", err,
            "ii", id, into);
    if (!status)
        status = pare_store_run(store,
                                "UPDATE finding SET state_before = state, state = ?3,"
                                " merged_into = ?2, count = own_count WHERE id = ?1",
                                err, "iii", id, into, (int64_t)PARE_FINDING_MERGED);
    return status ? status : tell_pair(store, "merged", id, "is the same as", into, err);
}

/* Finds the oldest finding after number `after` that has the same result as
 * `id`, which may be `id` itself; 0: none. Pinned ones (split by hand) and
 * those that are invalid or merged do not count. By the index finding_reduced,
 * so only findings with this very result are read. */
static pare_status same_result(pare_store *store, int64_t id, int64_t after, int64_t *other,
                               pare_error *err)
{
    _Static_assert(PARE_FINDING_INVALID == 5 && PARE_FINDING_MERGED == 6, "named below");
    return pare_store_number(
        store,
        "SELECT other.id FROM finding own JOIN finding other ON other.reduced = own.reduced"
        " AND other.target = own.target WHERE own.id = ?1 AND own.reduced <> '' AND other.id > ?2"
        " AND NOT own.pinned AND NOT other.pinned AND own.state < 5 AND other.state < 5"
        " ORDER BY other.id LIMIT 1",
        other, 0, err, "ii", id, after);
}

/* A fixed finding into which one is merged that was just seen is there again. */
static pare_status reopen(pare_store *store, int64_t id, pare_error *err)
{
    pare_status status =
        pare_store_run(store, "UPDATE finding SET state = ?2 WHERE id = ?1 AND state = ?3", err,
                       "iii", id, (int64_t)PARE_FINDING_REGRESSED, (int64_t)PARE_FINDING_FIXED);
    if (status || !sqlite3_changes(store->db)) return status;
    return pare_store_tell(store, "regressed", id, 0,
                           "a fixed finding has come back: another one has its result", err);
}

/* Merges all findings with the result of `id` into the oldest of them. There
 * may be several, if another process has reduced one meanwhile. `id` may be
 * among the younger ones; once it is merged it finds nothing any more, so the
 * search goes on from the oldest, which has the same result. *merged_into is
 * set only if `id` was merged. */
pare_status pare_finding_merge_same(pare_store *store, int64_t id, int64_t *merged_into,
                                    pare_error *err)
{
    int64_t oldest = 0, other = 0;
    pare_status status = same_result(store, id, 0, &oldest, err);
    if (!status && oldest) status = same_result(store, id, oldest, &other, err);
    if (!status && other && oldest != id) status = reopen(store, oldest, err);
    while (!status && other) {
        /* The next one is looked up before the merge, which changes what would
         * be found. */
        const int64_t younger = other;
        status = same_result(store, id, younger, &other, err);
        if (!status) status = merge(store, younger, oldest, err);
        if (!status && younger == id) {
            *merged_into = oldest;
            status = same_result(store, oldest, younger, &other, err);
            id = oldest;
        }
    }
    return status;
}

/* Brings an invalid finding back with an input that was just seen to show it.
 * All that was learnt from the old input (result, explanation, rate) says
 * nothing about the new one and goes. */
pare_status pare_finding_merge_revive(pare_store *store, int64_t id, const char *digest,
                                      size_t size, pare_error *err)
{
    pare_finding finding = {0};
    pare_status status = pare_store_finding(store, id, &finding, err);
    if (!status)
        status = pare_store_run(store,
                                "UPDATE finding SET state = ?2, input = ?3, input_bytes = ?4,"
                                " reduced = '', reduced_bytes = 0, explanation = '', fails = 0,"
                                " runs = 0 WHERE id = ?1",
                                err, "iiri", id, (int64_t)PARE_FINDING_NEW, digest, (int64_t)size);
    if (!status) status = pare_store_drop(store, finding.input, err);
    if (!status) status = pare_store_drop(store, finding.reduced, err);
    pare_finding_done(&finding);
    return status;
}

/* --- by hand ------------------------------------------------------------------------------------ */

/* Checks a merge by hand. Merged findings are refused and not followed to the
 * one they belong to: who names a number means that finding, and may not know
 * that it was merged. */
static pare_status check_merge(const pare_finding *finding, const pare_finding *into,
                               pare_error *err)
{
    if (finding->id == into->id)
        return pare_fail(err, PARE_E_ARG, "finding %lld cannot be merged into itself",
                         (long long)into->id);
    if (finding->state == PARE_FINDING_MERGED || into->state == PARE_FINDING_MERGED) {
        const pare_finding *merged = finding->state == PARE_FINDING_MERGED ? finding : into;
        return pare_fail(err, PARE_E_STATE, "finding %lld is merged into finding %lld",
                         (long long)merged->id, (long long)merged->merged_into);
    }
    if (strcmp(finding->target, into->target) != 0)
        return pare_fail(err, PARE_E_ARG, "findings %lld and %lld are of different targets",
                         (long long)finding->id, (long long)into->id);
    return PARE_OK;
}

/* Merges by hand. Unlike a merge of equal results it reopens nothing: the user
 * decides what the two are. */
pare_status pare_store_merge(pare_store *store, int64_t id, int64_t into, pare_error *err)
{
    pare_finding finding = {0}, whole = {0};
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_finding(store, id, &finding, err);
    if (!status) status = pare_store_finding(store, into, &whole, err);
    if (!status) status = check_merge(&finding, &whole, err);
    if (!status) status = merge(store, id, into, err);
    pare_finding_done(&finding);
    pare_finding_done(&whole);
    return pare_store_end(store, status, err);
}

/* Splits a merged finding off again. First and last time of the whole one stay
 * as the merge has made them: what they were is not kept, and a span that is
 * too wide is harmless. `pinned` keeps the next reduction from merging it
 * again. */
pare_status pare_store_split(pare_store *store, int64_t id, pare_error *err)
{
    pare_finding finding = {0};
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_finding(store, id, &finding, err);
    if (!status && finding.state != PARE_FINDING_MERGED)
        status = pare_fail(err, PARE_E_STATE, "finding %lld is not merged", (long long)id);
    if (!status)
        status = pare_store_run(store,
                                "UPDATE finding SET count = count - (SELECT own_count FROM finding"
                                " WHERE id = ?1) WHERE id = ?2",
                                err, "ii", id, finding.merged_into);
    if (!status)
        status = pare_store_run(store,
                                "UPDATE finding SET state = state_before, merged_into = 0,"
                                " pinned = 1 WHERE id = ?1",
                                err, "i", id);
    if (!status)
        status = tell_pair(store, "split", id, "is not the same as", finding.merged_into, err);
    pare_finding_done(&finding);
    return pare_store_end(store, status, err);
}

/* Writes all columns that a user may edit; NULL keeps what is there. The state
 * is written even if it stays, so that one statement does for all changes. */
static pare_status edit(pare_store *store, const pare_finding *finding,
                        const pare_finding_edit *change, pare_error *err)
{
    if (change->set_state &&
        (finding->state == PARE_FINDING_MERGED || change->state == PARE_FINDING_MERGED))
        return pare_fail(err, PARE_E_STATE,
                         "the state of finding %lld can only be changed by merging or splitting",
                         (long long)finding->id);
    const pare_finding_state state = change->set_state ? change->state : finding->state;
    pare_buffer text = {0};
    pare_status status = pare_store_run(store,
                                        "UPDATE finding SET note = coalesce(?2, note),"
                                        " url = coalesce(?3, url), title = coalesce(?4, title),"
                                        " state = ?5 WHERE id = ?1",
                                        err, "isssi", finding->id, change->note, change->url,
                                        change->title, (int64_t)state);
    if (!status)
        status = pare_buffer_format(&text, err, "finding %lld was edited%s%s",
                                    (long long)finding->id, change->set_state ? ": it is " : "",
                                    change->set_state ? pare_finding_state_name(state) : "");
    if (!status) status = pare_store_tell(store, "edited", finding->id, 0, text.data, err);
    pare_buffer_done(&text);
    return status;
}

/* Edits a finding. The state may be a number of a later version of the library,
 * so it is checked before it is stored. */
pare_status pare_store_edit(pare_store *store, int64_t id, const pare_finding_edit *change,
                            pare_error *err)
{
    if (change->set_state && (unsigned)change->state >= PARE_FINDING_N_STATES)
        return pare_fail(err, PARE_E_ARG, "%d is not the state of a finding", change->state);
    pare_finding finding = {0};
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_finding(store, id, &finding, err);
    if (!status) status = edit(store, &finding, change, err);
    pare_finding_done(&finding);
    return pare_store_end(store, status, err);
}

/* --- forgetting --------------------------------------------------------------------------------- */

/* What was merged into it goes too: without the whole one nothing would lead to it.  A job that runs is
 * asked to end, since its row is what tells the coordinator whose process that is; jobs that wait and
 * those that have ended are forgotten.  Contents come last, when nothing names them any more.
 *
 * Cost: the rows of the finding, by the indices finding_merged, event_finding and job_finding, and a
 * look into four indices for each of its contents.  Only those are looked at, not the whole table: a
 * store has a content for each input of its corpus, and the writers of a campaign wait meanwhile. */
static pare_status forget(pare_store *store, const pare_finding *finding, pare_error *err)
{
    static const char *const statements[] = {
        "CREATE TEMP TABLE IF NOT EXISTS gone(id INTEGER PRIMARY KEY)",
        "CREATE TEMP TABLE IF NOT EXISTS gone_content(digest TEXT PRIMARY KEY)",
        "DELETE FROM gone",
        "DELETE FROM gone_content",
        "INSERT INTO gone SELECT id FROM finding WHERE id = ?1"
        " OR (merged_into = ?1 AND merged_into <> 0)",
        "INSERT INTO gone_content SELECT input FROM finding WHERE id IN gone"
        " UNION SELECT reduced FROM finding WHERE id IN gone"
        " UNION SELECT digest FROM member WHERE finding IN gone",
        "DELETE FROM member WHERE finding IN gone",
        "DELETE FROM event WHERE finding <> 0 AND finding IN gone",
        "UPDATE job SET wish = 1 WHERE finding <> 0 AND finding IN gone AND state = 1",
        "DELETE FROM job WHERE finding <> 0 AND finding IN gone AND state <> 1",
        "DELETE FROM finding WHERE id IN gone",
        "DELETE FROM content WHERE digest IN gone_content"
        " AND NOT EXISTS (SELECT 1 FROM finding WHERE input = content.digest)"
        " AND NOT EXISTS (SELECT 1 FROM finding WHERE reduced = content.digest)"
        " AND NOT EXISTS (SELECT 1 FROM member WHERE member.digest = content.digest)"
        " AND NOT EXISTS (SELECT 1 FROM corpus WHERE corpus.digest = content.digest)",
    };
    pare_status status = PARE_OK;
    if (finding->merged_into)
        status = pare_store_run(store,
                                "UPDATE finding SET count = count - (SELECT own_count FROM finding"
                                " WHERE id = ?1) WHERE id = ?2",
                                err, "ii", finding->id, finding->merged_into);
    for (size_t i = 0; i < sizeof statements / sizeof *statements && !status; i++)
        status = pare_store_run(store, statements[i], err, strstr(statements[i], "?1") ? "i" : "",
                                finding->id);
    return status;
}

/* Deletes a finding with all that belongs to it. The event that tells of it is
 * of no finding, as the finding's own events are deleted too: it is all that is
 * left. */
pare_status pare_store_delete(pare_store *store, int64_t id, pare_error *err)
{
    pare_finding finding = {0};
    pare_buffer text = {0};
    pare_status status = pare_store_begin(store, err);
    if (status) return status;
    status = pare_store_finding(store, id, &finding, err);
    if (!status) status = forget(store, &finding, err);
    if (!status)
        status = pare_buffer_format(&text, err, "finding %lld is deleted: %s", (long long)id,
                                    finding.title);
    if (!status) status = pare_store_tell(store, "deleted", 0, 0, text.data, err);
    pare_finding_done(&finding);
    pare_buffer_done(&text);
    return pare_store_end(store, status, err);
}
