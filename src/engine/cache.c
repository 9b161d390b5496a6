/* The outcome cache: open addressing with linear probing, at most 3/4 full.
 *
 * When it is full it is rebuilt without the entries that cannot be asked for any more
 * (candidates larger than the best), then without those that retired already, the rest of
 * which only a repeated candidate could ask for.  Not over base/hash_index.h: the digest is
 * the key itself, and an entry of 48 bytes beside its slot saves the second cache line on
 * every look-up.
 * Invariant: an entry is reachable from its home by occupied slots only (entries are never
 * deleted one by one); so a look-up may stop at the first free slot. */
#include "engine/cache.h"

#include <assert.h>

#include "base/alloc.h"

/* 48 bytes, in the table itself. */
struct entry {
    pare_digest key;
    size_t size_bytes;
    pare_known known; /* outcome PARE_NO_OUTCOME: the slot is free */
};

struct pare_cache {
    struct entry *entries; /* owned; n_slots of them */
    size_t n_slots;        /* a power of two */
    size_t count;
    size_t capacity;
    size_t bound; /* candidates this large cannot recur; SIZE_MAX: no bound */
};

enum { FIRST_SLOTS = 1024 };

/* Starts small: most runs have far fewer outcomes than `capacity`. */
pare_status pare_cache_new(size_t capacity, pare_cache **out, pare_error *err)
{
    if (capacity == 0 || capacity > (size_t)1 << 30)
        return pare_fail(err, PARE_E_ARG, "cache capacity %zu is not in 1 .. 2^30", capacity);
    pare_cache *cache = pare_alloc_zero(1, sizeof *cache);
    struct entry *entries = pare_alloc_zero(FIRST_SLOTS, sizeof *entries);
    if (!cache || !entries) {
        pare_alloc_free(cache);
        pare_alloc_free(entries);
        return pare_fail_nomem(err);
    }
    *cache = (pare_cache){
        .entries = entries, .n_slots = FIRST_SLOTS, .capacity = capacity, .bound = SIZE_MAX};
    *out = cache;
    return PARE_OK;
}

void pare_cache_free(pare_cache *cache)
{
    if (!cache) return;
    pare_alloc_free(cache->entries);
    pare_alloc_free(cache);
}

/* The slot that holds `key`, or the free one where it would go. */
static struct entry *find(const pare_cache *cache, pare_digest key)
{
    size_t mask = cache->n_slots - 1;
    size_t i = (size_t)(key.low ^ key.high >> 7) & mask;
    assert(cache->count < cache->n_slots); /* so the search meets a free slot */
    while (cache->entries[i].known.outcome && !pare_digest_equal(cache->entries[i].key, key))
        i = (i + 1) & mask;
    return &cache->entries[i];
}

/* Valid until the next put, which may move entries. */
pare_known *pare_cache_get(pare_cache *cache, pare_digest key)
{
    struct entry *entry = find(cache, key);
    return entry->known.outcome ? &entry->known : NULL;
}

/* Which entries survive a rebuild: all, those that can still be asked for, or of these only those
 * that no strategy was told yet. */
enum keep { KEEP_ALL, KEEP_POSSIBLE, KEEP_UNUSED };

/* Whether the entry survives. The best never grows, so candidates of the bound's size or larger are
 * not asked for again. */
static bool kept(const pare_cache *cache, const struct entry *entry, enum keep keep)
{
    if (!entry->known.outcome) return false;
    if (keep == KEEP_POSSIBLE) return entry->size_bytes < cache->bound;
    if (keep == KEEP_UNUSED) return !entry->known.retired && entry->size_bytes < cache->bound;
    return true;
}

/* Moves what survives into `n_slots` new slots; false when memory is out, with nothing
 * changed. */
static bool rebuild(pare_cache *cache, size_t n_slots, enum keep keep)
{
    struct entry *old = cache->entries;
    size_t n_old = cache->n_slots;
    struct entry *entries = pare_alloc_zero(n_slots, sizeof *entries);
    if (!entries) return false;
    cache->entries = entries;
    cache->n_slots = n_slots;
    cache->count = 0;
    for (size_t i = 0; i < n_old; i++) {
        if (!kept(cache, &old[i], keep)) continue;
        *find(cache, old[i].key) = old[i];
        cache->count++;
    }
    pare_alloc_free(old);
    return true;
}

/* Makes sure that one more entry fits: grows as far as the capacity allows, and drops more and more
 * entries after that. */
static bool make_room(pare_cache *cache)
{
    size_t n_slots = cache->n_slots;
    bool full = cache->count >= cache->capacity;
    if (!full && cache->count < n_slots / 4 * 3) return true;
    if (!full && rebuild(cache, n_slots * 2, KEEP_ALL)) return true;
    if (!rebuild(cache, n_slots, KEEP_POSSIBLE)) return false;
    if (cache->count < cache->capacity / 2 && cache->count < n_slots / 2) return true;
    if (!rebuild(cache, n_slots, KEEP_UNUSED)) return false;
    return cache->count < cache->capacity && cache->count < n_slots / 4 * 3;
}

/* Drops the outcome when no room can be made: the test may then run twice, nothing
 * else. */
void pare_cache_put(pare_cache *cache, pare_digest key, size_t size_bytes, pare_known known)
{
    struct entry *entry = find(cache, key);
    if (!entry->known.outcome) {
        if (!make_room(cache)) return;
        entry = find(cache, key);
        cache->count++;
    }
    *entry = (struct entry){.key = key, .size_bytes = size_bytes, .known = known};
}

/* Only notes the bound; it takes effect when room is needed next. */
void pare_cache_bound(pare_cache *cache, size_t size_bytes)
{
    cache->bound = size_bytes;
}

/* Entries cannot be taken out one by one, so the others move to a new table. */
pare_status pare_cache_forget(pare_cache *cache, pare_outcome outcome, pare_error *err)
{
    struct entry *old = cache->entries;
    struct entry *entries = pare_alloc_zero(cache->n_slots, sizeof *entries);
    if (!entries) return pare_fail_nomem(err);
    cache->entries = entries;
    cache->count = 0;
    for (size_t i = 0; i < cache->n_slots; i++) {
        if (!old[i].known.outcome || old[i].known.outcome == outcome) continue;
        *find(cache, old[i].key) = old[i];
        cache->count++;
    }
    pare_alloc_free(old);
    return PARE_OK;
}

size_t pare_cache_count(const pare_cache *cache)
{
    return cache->count;
}
