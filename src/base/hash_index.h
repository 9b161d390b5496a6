/* Hash indices: from the hash of a key to the numbers of the items that may have it.
 *
 * The items, and their keys, stay in an array of the caller's; the index holds only their
 * numbers and 32 bits of each hash, so it grows without looking at a key.  Looking up goes
 * through the few items whose 32 bits agree, and the caller compares:
 *
 *     pare_hash_probe probe = pare_hash_index_probe(index, hash);
 *     uint32_t item;
 *     while (pare_hash_index_next(index, &probe, &item))
 *         if (equal(items[item].key, key)) return &items[item];
 *
 * An all-zero struct is an empty index.  Items are never taken out one by one.  One thread;
 * the caller owns the struct.  8 bytes a slot, 11 to 32 bytes an item. */
#ifndef PARE_BASE_HASH_INDEX_H
#define PARE_BASE_HASH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/random.h"

typedef struct pare_hash_slot {
    uint32_t hash;
    uint32_t item_after; /* the item's number plus 1; 0: the slot is free */
} pare_hash_slot;

typedef struct pare_hash_index {
    pare_hash_slot *slots; /* owned; a power of two of them, NULL while empty */
    size_t n, n_slots;
} pare_hash_index;

/* A look-up that is under way. */
typedef struct pare_hash_probe {
    uint32_t hash;
    size_t slot;
} pare_hash_probe;

void pare_hash_index_done(pare_hash_index *index);
void pare_hash_index_reset(pare_hash_index *index); /* empties, keeps the memory */

/* Adds `item` (below 2^32 - 1) under `hash`, any 64 bits, whether or not there is one under
 * it.  O(1) amortised.  Errors: PARE_E_NOMEM, PARE_E_LIMIT; the index is as it was. */
PARE_CHECK pare_status pare_hash_index_add(pare_hash_index *index, uint64_t hash, uint32_t item,
                                           pare_error *err);

/* Room for `n` items in all, so that adding them cannot fail.  Errors: as for add. */
PARE_CHECK pare_status pare_hash_index_reserve(pare_hash_index *index, size_t n, pare_error *err);

/* Whether each item can be found from where its hash points: the invariant.  O(n). */
bool pare_hash_index_check(const pare_hash_index *index);

static inline pare_hash_probe pare_hash_index_probe(const pare_hash_index *index, uint64_t hash)
{
    uint32_t folded = (uint32_t)(pare_random_mix(hash) >> 32);
    return (pare_hash_probe){folded, index->n_slots ? folded & (index->n_slots - 1) : 0};
}

/* Sets *item to the next one under the hash, in no particular order; false when there is
 * none left. */
static inline bool pare_hash_index_next(const pare_hash_index *index, pare_hash_probe *probe,
                                        uint32_t *item)
{
    if (!index->n_slots) return false;
    for (;;) {
        pare_hash_slot slot = index->slots[probe->slot];
        if (!slot.item_after) return false;
        probe->slot = (probe->slot + 1) & (index->n_slots - 1);
        if (slot.hash != probe->hash) continue;
        *item = slot.item_after - 1;
        return true;
    }
}

#endif
