/* Repeats by a suffix array.
 *
 * Suffixes are sorted by prefix doubling with counting sorts; neighbours in that order share the
 * prefixes that occur more than once.  The lengths shared by neighbours (Kasai) form nested
 * intervals, which one pass with a stack lists: each is a substring that cannot be longer to the
 * right.  An interval also knows whether one byte stands before all of its suffixes; then it is
 * not maximal to the left.
 * Invariant: open intervals on the stack have growing lengths.  Occurrences that overlap are
 * counted once, from the front.
 * Why not hashing: windows of one length need a guess of the length, and a second search for how
 * far they reach.
 * Source: Manber and Myers, "Suffix Arrays", SODA 1990; Kasai et al., CPM 2001; intervals after
 * Abouelhoda, Kurtz and Ohlebusch, J. Discrete Algorithms 2004. */
#include "reduce/passes/repeats.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"

enum { N_BYTES = 256, DIVERSE = N_BYTES + 1, LEAST_COUNTS = N_BYTES + 2, TRIES = 4 };

/* What is known of the text while it is looked through. */
struct suffixes {
    const unsigned char *bytes;
    uint32_t n;
    uint32_t *order;  /* suffixes, sorted */
    uint32_t *rank;   /* of each suffix among those known to differ */
    uint32_t *other;  /* work space: another order or other ranks */
    uint32_t *counts; /* work space of the sort */
    uint32_t *shared; /* shared[i]: bytes that suffixes order[i - 1] and order[i] begin with */
};

/* Suffixes order[from] .. order[to] begin with the same `size` bytes. */
struct interval {
    uint32_t size, from, to;
    uint32_t before; /* the byte before all of them, N_BYTES for none, or DIVERSE */
};

/* A list of intervals, or the stack. */
struct intervals {
    struct interval *at; /* owned */
    size_t n, capacity;
};

/* The list is empty afterwards. */
void pare_repeats_done(pare_repeats *repeats)
{
    pare_alloc_free(repeats->at);
    pare_alloc_free(repeats->places);
    *repeats = (pare_repeats){0};
}

/* --- sorting suffixes -------------------------------------------------------------------- */

/* Frees the arrays. */
static void suffixes_done(struct suffixes *self)
{
    pare_alloc_free(self->order);
    pare_alloc_free(self->rank);
    pare_alloc_free(self->other);
    pare_alloc_free(self->counts);
    pare_alloc_free(self->shared);
}

/* Allocates the arrays. */
static pare_status suffixes_init(struct suffixes *self, pare_error *err)
{
    size_t n_counts = self->n > LEAST_COUNTS ? self->n + 1 : LEAST_COUNTS;
    self->order = pare_alloc(self->n, sizeof *self->order);
    self->rank = pare_alloc(self->n, sizeof *self->rank);
    self->other = pare_alloc(self->n, sizeof *self->other);
    self->shared = pare_alloc(self->n, sizeof *self->shared);
    self->counts = pare_alloc(n_counts, sizeof *self->counts);
    if (self->order && self->rank && self->other && self->shared && self->counts) return PARE_OK;
    return pare_fail_nomem(err);
}

/* Sorts the suffixes in `from` into order[] by rank (below n_ranks); equal ones keep their
 * order. */
static void sort_by_rank(struct suffixes *self, const uint32_t *from, uint32_t n_ranks)
{
    memset(self->counts, 0, ((size_t)n_ranks + 1) * sizeof *self->counts);
    for (uint32_t i = 0; i < self->n; i++)
        self->counts[self->rank[i] + 1]++;
    for (uint32_t i = 0; i < n_ranks; i++)
        self->counts[i + 1] += self->counts[i];
    for (uint32_t i = 0; i < self->n; i++)
        self->order[self->counts[self->rank[from[i]]]++] = from[i];
}

/* Ranks by the first 2 * `half` bytes, from those by `half`; returns how many there are. */
static uint32_t rank_anew(struct suffixes *self, uint32_t half)
{
    uint32_t n_ranks = 0;
    for (uint32_t i = 0; i < self->n; i++) {
        uint32_t own = self->order[i], last = i ? self->order[i - 1] : 0;
        bool same = i && self->rank[own] == self->rank[last];
        if (same) {
            bool own_ends = own + half >= self->n, last_ends = last + half >= self->n;
            same = own_ends == last_ends &&
                   (own_ends || self->rank[own + half] == self->rank[last + half]);
        }
        n_ranks += !same;
        self->other[own] = n_ranks - 1;
    }
    memcpy(self->rank, self->other, self->n * sizeof *self->rank);
    return n_ranks;
}

/* Sorts all suffixes: by one byte, then by twice as many each time. */
static void sort_suffixes(struct suffixes *self)
{
    uint32_t n_ranks = N_BYTES;
    for (uint32_t i = 0; i < self->n; i++) {
        self->other[i] = i;
        self->rank[i] = self->bytes[i];
    }
    sort_by_rank(self, self->other, n_ranks);
    for (uint32_t half = 1; half < self->n; half *= 2) {
        uint32_t n = 0;
        /* By the second half: the suffixes without one come first, the others in the order of
         * the suffixes that are their second halves. */
        for (uint32_t i = self->n - half; i < self->n; i++)
            self->other[n++] = i;
        for (uint32_t i = 0; i < self->n; i++)
            if (self->order[i] >= half) self->other[n++] = self->order[i] - half;
        assert(n == self->n);
        sort_by_rank(self, self->other, n_ranks);
        n_ranks = rank_anew(self, half);
        if (n_ranks == self->n) break;
    }
    for (uint32_t i = 0; i < self->n; i++)
        self->rank[self->order[i]] = i;
}

/* Kasai: going from a suffix to the one that begins a byte later, at most one byte is lost of what
 * is shared. */
static void find_shared(struct suffixes *self)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < self->n; i++) {
        uint32_t rank = self->rank[i];
        if (rank == 0) {
            self->shared[0] = size = 0;
            continue;
        }
        uint32_t other = self->order[rank - 1];
        while (i + size < self->n && other + size < self->n &&
               self->bytes[i + size] == self->bytes[other + size])
            size++;
        self->shared[rank] = size;
        if (size) size--;
    }
}

/* --- intervals --------------------------------------------------------------------------- */

/* Appends an interval. */
static pare_status push(struct intervals *list, struct interval interval, pare_error *err)
{
    struct interval *at = pare_vector_grow(list->at, list->n, &list->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    list->at = at;
    at[list->n++] = interval;
    return PARE_OK;
}

/* The byte before suffix order[i]; N_BYTES at the begin. */
static uint32_t byte_before(const struct suffixes *self, uint32_t i)
{
    return self->order[i] ? self->bytes[self->order[i] - 1] : N_BYTES;
}

/* What stands before the suffixes of both. */
static uint32_t unite(uint32_t a, uint32_t b)
{
    return a == b && a != N_BYTES ? a : DIVERSE;
}

/* Lists the intervals of at least `least` bytes that are maximal to both sides.
 * Invariant: `before` of an interval on the stack covers its suffixes before the last one that was
 * looked at, but for those in intervals above it. */
static pare_status list_intervals(const struct suffixes *self, uint32_t least,
                                  struct intervals *found, pare_error *err)
{
    struct intervals stack = {0};
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i <= self->n; i++) {
        uint32_t size = i < self->n ? self->shared[i] : 0;
        struct interval open = {size, i - 1, 0, byte_before(self, i - 1)};
        while (!status && stack.n && stack.at[stack.n - 1].size > size) {
            struct interval top = stack.at[--stack.n];
            top.before = unite(top.before, open.before);
            top.to = i - 1;
            open.from = top.from;
            open.before = top.before;
            if (top.before == DIVERSE) status = push(found, top, err);
        }
        if (status || size < least) continue;
        if (stack.n && stack.at[stack.n - 1].size == size)
            stack.at[stack.n - 1].before = unite(stack.at[stack.n - 1].before, open.before);
        else
            status = push(&stack, open, err);
    }
    pare_alloc_free(stack.at);
    return status;
}

/* Bytes of all occurrences. */
static uint64_t weight_of(const struct interval *interval)
{
    return (uint64_t)interval->size * (interval->to - interval->from + 1);
}

/* The heaviest first, of equals the longest, then the first in the order of suffixes. */
static int by_weight(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    uint64_t x_weight = weight_of(x), y_weight = weight_of(y);
    if (x_weight != y_weight) return x_weight > y_weight ? -1 : 1;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* In the order of the text. */
static int by_place(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Adds the repeat of an interval if it occurs twice without overlap. */
static pare_status add_repeat(const struct suffixes *self, const struct interval *interval,
                              pare_repeats *out, pare_error *err)
{
    uint32_t n = interval->to - interval->from + 1, kept = 0;
    pare_repeat *at = pare_vector_grow(out->at, out->n, &out->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    out->at = at;
    uint32_t *places =
        pare_vector_reserve(out->places, &out->place_capacity, out->n_places + n, sizeof *places);
    if (!places) return pare_fail_nomem(err);
    out->places = places;
    places += out->n_places;
    memcpy(places, self->order + interval->from, n * sizeof *places);
    qsort(places, n, sizeof *places, by_place);
    for (uint32_t i = 0; i < n; i++)
        if (!kept || places[i] >= places[kept - 1] + interval->size) places[kept++] = places[i];
    if (kept < 2) return PARE_OK;
    at[out->n++] = (pare_repeat){interval->size, kept, (uint32_t)out->n_places};
    out->n_places += kept;
    return PARE_OK;
}

/* Of intervals whose suffixes overlap, as in a run of one byte, there may be many that come to
 * nothing; so only some are looked at more closely. */
pare_status pare_repeats_find(const unsigned char *bytes, size_t size, size_t least, size_t most,
                              pare_repeats *out, pare_error *err)
{
    struct suffixes suffixes = {.bytes = bytes, .n = (uint32_t)size};
    struct intervals found = {0};
    pare_repeats made = {0};
    assert(least > 0 && size < UINT32_MAX / 2);
    if (size < 2) {
        *out = made;
        return PARE_OK;
    }
    pare_status status = suffixes_init(&suffixes, err);
    if (!status) {
        sort_suffixes(&suffixes);
        find_shared(&suffixes);
        status = list_intervals(&suffixes, (uint32_t)least, &found, err);
    }
    if (found.n) qsort(found.at, found.n, sizeof *found.at, by_weight);
    for (size_t i = 0; !status && i < found.n && i / TRIES < most && made.n < most; i++)
        status = add_repeat(&suffixes, &found.at[i], &made, err);
    if (status)
        pare_repeats_done(&made);
    else
        *out = made;
    pare_alloc_free(found.at);
    suffixes_done(&suffixes);
    return status;
}
