/* Hash indices: open addressing with linear probing, at most 3/4 full.
 *
 * Invariant: from the slot that an item's hash points to up to the item's own, no slot is
 * free; so a look-up may stop at the first free one.  It holds because items are never
 * taken out one by one.  Linear probing rather than anything cleverer, because the slots
 * of one look-up are neighbours in memory; the finaliser of SplitMix64 spreads poor hashes
 * (small numbers, sums) before they become places.
 * Source: Knuth, The Art of Computer Programming, volume 3, section 6.4, algorithm L. */
#include "base/hash_index.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

enum { FIRST_SLOTS = 32 };

/* All-zero is a no-op. */
void pare_hash_index_done(pare_hash_index *index)
{
    pare_alloc_free(index->slots);
    *index = (pare_hash_index){0};
}

/* Keeps the slots, for an index that is filled again and again. */
void pare_hash_index_reset(pare_hash_index *index)
{
    if (index->n_slots) memset(index->slots, 0, index->n_slots * sizeof *index->slots);
    index->n = 0;
}

/* Puts a slot's content into the first free slot from its home on; there is one. */
static void put(pare_hash_slot *slots, size_t n_slots, pare_hash_slot content)
{
    size_t at = content.hash & (n_slots - 1);
    while (slots[at].item_after)
        at = (at + 1) & (n_slots - 1);
    slots[at] = content;
}

/* Puts every item where it belongs among more slots.  The slots keep the (folded) hashes, so the
 * items themselves are not asked.  On failure the index is as before. */
static pare_status enlarge(pare_hash_index *index, size_t n_slots, pare_error *err)
{
    pare_hash_slot *slots = pare_alloc_zero(n_slots, sizeof *slots);
    if (!slots) return pare_fail_nomem(err);
    for (size_t i = 0; i < index->n_slots; i++)
        if (index->slots[i].item_after) put(slots, n_slots, index->slots[i]);
    pare_alloc_free(index->slots);
    index->slots = slots;
    index->n_slots = n_slots;
    return PARE_OK;
}

/* Powers of two, so that a mask does for a remainder. */
pare_status pare_hash_index_reserve(pare_hash_index *index, size_t n, pare_error *err)
{
    if (n >= UINT32_MAX)
        return pare_fail(err, PARE_E_LIMIT, "a hash index cannot hold more than 2^32 items");
    size_t n_slots = index->n_slots ? index->n_slots : FIRST_SLOTS;
    while (n > n_slots / 4 * 3)
        n_slots *= 2;
    if (n_slots == index->n_slots) return PARE_OK;
    assert((n_slots & (n_slots - 1)) == 0);
    return enlarge(index, n_slots, err);
}

/* Room is made first, so a failure leaves the index as it was. */
pare_status pare_hash_index_add(pare_hash_index *index, uint64_t hash, uint32_t item,
                                pare_error *err)
{
    assert(item < UINT32_MAX);
    pare_status status = pare_hash_index_reserve(index, index->n + 1, err);
    if (status) return status;
    uint32_t folded = pare_hash_index_probe(index, hash).hash;
    put(index->slots, index->n_slots, (pare_hash_slot){folded, item + 1});
    index->n++;
    return PARE_OK;
}

/* The invariant above, for each slot: from its home to it no slot is free.  Quadratic in the worst
 * case: for tests. */
bool pare_hash_index_check(const pare_hash_index *index)
{
    size_t n = 0;
    for (size_t i = 0; i < index->n_slots; i++) {
        if (!index->slots[i].item_after) continue;
        n++;
        size_t at = index->slots[i].hash & (index->n_slots - 1);
        for (; at != i; at = (at + 1) & (index->n_slots - 1))
            if (!index->slots[at].item_after) return false;
    }
    return n == index->n && n <= index->n_slots / 4 * 3;
}
