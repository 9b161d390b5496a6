/* Digests that were tried, in a set that copies of a state share.
 *
 * A binary counter of sorted arrays (Bentley and Saxe): the last few digests unsorted, then
 * arrays of 32, 64, 128, .. of which each is either full or absent.  A hash table would be
 * quicker to search, but had to be copied whole whenever a state that runs ahead adds to it;
 * here all levels but the smallest stay shared.
 * Invariant: a level that is there is full and sorted; an array to which somebody else
 * refers is not written to. */
#include "engine/tried_digests.h"

#include <assert.h>
#include <string.h>

#include "base/halving.h"

/* Any total order does; digests are as good as random. */
static bool is_less(pare_digest a, pare_digest b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* After a copy by memcpy: a reference for each array. */
void pare_tried_digests_retain(pare_tried_digests *seen)
{
    pare_shared_retain(seen->recent);
    for (size_t i = 0; i < PARE_TRIED_DIGESTS_LEVELS; i++)
        pare_shared_retain(seen->levels[i]);
}

/* One reference of each array; another copy may still hold them. */
void pare_tried_digests_release(pare_tried_digests *seen)
{
    pare_shared_release(seen->recent);
    for (size_t i = 0; i < PARE_TRIED_DIGESTS_LEVELS; i++)
        pare_shared_release(seen->levels[i]);
    *seen = (pare_tried_digests){0};
}

/* Whether the digest is in one level: a sorted array without gaps. */
static bool is_among(const pare_digest *sorted, size_t n, pare_digest digest)
{
    pare_halving search = {.low = 0, .high = n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, is_less(sorted[search.middle], digest));
    return search.low < n && pare_digest_equal(sorted[search.low], digest);
}

/* O(log^2 n): each level is searched, and there are O(log n) of them. */
bool pare_tried_digests_has(const pare_tried_digests *seen, pare_digest digest)
{
    /* The recent ones first: a candidate is repeated most often soon after. */
    const pare_digest *recent = seen->recent ? pare_shared_items(seen->recent) : NULL;
    for (size_t i = 0; recent && i < seen->n_recent; i++)
        if (pare_digest_equal(recent[i], digest)) return true;
    for (size_t i = 0; i < PARE_TRIED_DIGESTS_LEVELS; i++) {
        if (!seen->levels[i]) continue;
        const pare_digest *level = pare_shared_items(seen->levels[i]);
        if (is_among(level, (size_t)PARE_TRIED_DIGESTS_RECENT << i, digest)) return true;
    }
    return false;
}

/* Insertion sort, since there are only 32. */
static void sort_recent(pare_digest *items)
{
    for (size_t i = 1; i < PARE_TRIED_DIGESTS_RECENT; i++) {
        pare_digest item = items[i];
        size_t k = i;
        for (; k > 0 && is_less(item, items[k - 1]); k--)
            items[k] = items[k - 1];
        items[k] = item;
    }
}

/* Merges two sorted arrays of n digests each into a new one. */
static pare_status merge(const pare_digest *a, const pare_digest *b, size_t n, pare_shared **out,
                         pare_error *err)
{
    void *room = NULL;
    pare_shared *merged = NULL;
    pare_status status = pare_shared_new(2 * n, sizeof *a, &merged, err);
    if (!status) status = pare_shared_own(&merged, 0, 2 * n, &room, err);
    if (status) {
        pare_shared_release(merged);
        return status;
    }
    pare_digest *to = room;
    size_t i = 0, k = 0;
    while (i < n || k < n)
        *to++ = k == n || (i < n && is_less(a[i], b[k])) ? a[i++] : b[k++];
    *out = merged;
    return PARE_OK;
}

/* Makes the recent digests a level, merged with those that stand in the way: a carry. */
static pare_status carry(pare_tried_digests *seen, pare_error *err)
{
    size_t i = 0;
    void *room = NULL;
    pare_status status = pare_shared_own(&seen->recent, PARE_TRIED_DIGESTS_RECENT,
                                         PARE_TRIED_DIGESTS_RECENT, &room, err);
    if (status) return status;
    sort_recent(room);
    /* Full and sorted: an array of the lowest level. */
    pare_shared *carried = seen->recent;
    pare_shared_retain(carried);
    for (; seen->levels[i] && i + 1 < PARE_TRIED_DIGESTS_LEVELS; i++) {
        pare_shared *merged = NULL;
        status = merge(pare_shared_items(carried), pare_shared_items(seen->levels[i]),
                       (size_t)PARE_TRIED_DIGESTS_RECENT << i, &merged, err);
        pare_shared_release(carried);
        if (status) return status;
        carried = merged;
    }
    /* What was merged into it is given up only now, so that a failure before loses nothing. */
    for (size_t k = 0; k < i; k++) {
        pare_shared_release(seen->levels[k]);
        seen->levels[k] = NULL;
    }
    seen->levels[i] = carried;
    pare_shared_release(seen->recent);
    seen->recent = NULL;
    seen->n_recent = 0;
    return PARE_OK;
}

/* Amortised O(log n). The array of recent digests is the only one that a copy of the state must
 * make its own, and only when it adds. */
pare_status pare_tried_digests_add(pare_tried_digests *seen, pare_digest digest, pare_error *err)
{
    void *room = NULL;
    pare_status status = PARE_OK;
    if (seen->n_recent == PARE_TRIED_DIGESTS_RECENT) status = carry(seen, err);
    if (!status && !seen->recent)
        status = pare_shared_new(PARE_TRIED_DIGESTS_RECENT, sizeof digest, &seen->recent, err);
    if (!status)
        status =
            pare_shared_own(&seen->recent, seen->n_recent, PARE_TRIED_DIGESTS_RECENT, &room, err);
    if (status) return status;
    assert(seen->n_recent < PARE_TRIED_DIGESTS_RECENT);
    ((pare_digest *)room)[seen->n_recent++] = digest;
    return PARE_OK;
}
