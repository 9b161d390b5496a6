/* Differences in four steps, each of which leaves less to the next: units that are equal
 * at both ends are set aside; the others get numbers, equal units the same one; units
 * whose number the other side does not have differ for certain; Myers' algorithm decides
 * about the rest.  None of them makes the difference larger than it must be.
 * Source: Hunt and McIlroy, Bell Labs CSTR 41, 1976, for the steps before; see myers.c. */
#include "text/diff.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/status.h"
#include "text/myers.h"

enum { OLD, NEW, N_SIDES };

/* What is between the common head and the common tail. */
struct middle {
    const pare_sequence *sequence[N_SIDES];
    size_t head;                     /* common units before */
    size_t n[N_SIDES];               /* units in the middle */
    unsigned char *differs[N_SIDES]; /* owned; by unit of the middle; all-zero at first */
    uint32_t *symbol[N_SIDES];       /* owned; by unit of the middle */
    uint32_t *unit[N_SIDES];         /* owned; which units are compared by Myers */
};

/* One kind of unit: where it was seen first, and on which sides it was seen. */
struct kind {
    pare_span span;
    uint64_t hash;
    bool seen[N_SIDES];
};

/* Kinds by their bytes, in a table that is at most half full. */
struct kinds {
    struct kind *kinds; /* owned; n of them */
    uint32_t *table;    /* owned; index of a kind plus 1; 0: free */
    size_t n, mask;
};

static pare_span span_of(const pare_sequence *sequence, size_t i)
{
    size_t begin = pare_bounds_begin(sequence->bounds, i);
    size_t end = pare_bounds_begin(sequence->bounds, i + 1);
    return (pare_span){sequence->text.bytes + begin, end - begin};
}

static bool same(pare_span a, pare_span b)
{
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

/* ---- numbering ------------------------------------------------------------------ */

static void kinds_done(struct kinds *kinds)
{
    pare_release(kinds->kinds);
    pare_release(kinds->table);
}

static pare_status kinds_init(struct kinds *kinds, size_t n_units, pare_error *err)
{
    size_t n_slots = 16;
    while (n_slots < n_units * 2)
        n_slots *= 2;
    kinds->kinds = NULL;
    kinds->table = pare_alloc_zero(n_slots, sizeof *kinds->table);
    if (!kinds->table) return pare_fail_nomem(err);
    kinds->n = 0;
    kinds->mask = n_slots - 1;
    return PARE_OK;
}

static bool is_kind(const struct kind *kind, uint64_t hash, pare_span span)
{
    return kind->hash == hash && same(kind->span, span);
}

/* Makes room for one kind more when their number is a power of two. */
static pare_status make_room(struct kinds *kinds, pare_error *err)
{
    if (kinds->n & (kinds->n - 1)) return PARE_OK;
    struct kind *more =
        pare_resize(kinds->kinds, kinds->n ? kinds->n * 2 : 1, sizeof *kinds->kinds);
    if (!more) return pare_fail_nomem(err);
    kinds->kinds = more;
    return PARE_OK;
}

/* The number of the unit's kind, which has been seen on `side` from now on. */
static pare_status number(struct kinds *kinds, pare_span span, int side, uint32_t *symbol,
                          pare_error *err)
{
    assert(symbol);
    uint64_t hash = pare_checksum(span.bytes, span.size);
    size_t i = hash & kinds->mask;
    while (kinds->table[i] && !is_kind(&kinds->kinds[kinds->table[i] - 1], hash, span))
        i = (i + 1) & kinds->mask;
    if (!kinds->table[i]) {
        pare_status status = make_room(kinds, err);
        if (status) return status;
        assert(kinds->kinds);
        kinds->kinds[kinds->n++] = (struct kind){.span = span, .hash = hash};
        kinds->table[i] = (uint32_t)kinds->n;
    }
    assert(kinds->kinds);
    *symbol = kinds->table[i] - 1;
    kinds->kinds[*symbol].seen[side] = true;
    return PARE_OK;
}

static pare_status number_all(struct middle *middle, struct kinds *kinds, pare_error *err)
{
    for (int side = OLD; side <= NEW; side++) {
        for (size_t i = 0; i < middle->n[side]; i++) {
            pare_status status = number(kinds, span_of(middle->sequence[side], middle->head + i),
                                        side, &middle->symbol[side][i], err);
            if (status) return status;
        }
    }
    return PARE_OK;
}

/* ---- comparing ------------------------------------------------------------------ */

static void trim(struct middle *middle)
{
    const pare_sequence *old = middle->sequence[OLD], *new = middle->sequence[NEW];
    size_t n_old = old->bounds->n, n_new = new->bounds->n, head = 0;
    while (head < n_old && head < n_new && same(span_of(old, head), span_of(new, head)))
        head++;
    while (n_old > head && n_new > head && same(span_of(old, n_old - 1), span_of(new, n_new - 1))) {
        n_old--;
        n_new--;
    }
    middle->head = head;
    middle->n[OLD] = n_old - head;
    middle->n[NEW] = n_new - head;
}

static pare_status allocate(struct middle *middle, pare_error *err)
{
    for (int side = OLD; side <= NEW; side++) {
        size_t n = middle->n[side];
        middle->differs[side] = pare_alloc_zero(n, 1);
        middle->symbol[side] = pare_alloc(n, sizeof *middle->symbol[side]);
        middle->unit[side] = pare_alloc(n, sizeof *middle->unit[side]);
        if (!middle->differs[side] || !middle->symbol[side] || !middle->unit[side])
            return pare_fail_nomem(err);
    }
    return PARE_OK;
}

static void middle_done(struct middle *middle)
{
    for (int side = OLD; side <= NEW; side++) {
        pare_release(middle->differs[side]);
        pare_release(middle->symbol[side]);
        pare_release(middle->unit[side]);
    }
}

/* Marks the units of one side that the other does not have at all, and gathers the
 * others in `symbol` and `unit`. */
static pare_symbols set_aside(struct middle *middle, int side, const struct kinds *kinds)
{
    uint32_t *symbol = middle->symbol[side], *unit = middle->unit[side];
    size_t n = 0;
    for (size_t i = 0; i < middle->n[side]; i++) {
        if (!kinds->kinds[symbol[i]].seen[side == OLD ? NEW : OLD]) {
            middle->differs[side][i] = 1;
            continue;
        }
        symbol[n] = symbol[i];
        unit[n++] = (uint32_t)i;
    }
    return (pare_symbols){.symbol = symbol, .unit = unit, .n = n, .differs = middle->differs[side]};
}

static pare_status compare(struct middle *middle, size_t cost, pare_error *err)
{
    struct kinds kinds = {.n = 0};
    trim(middle);
    pare_status status = allocate(middle, err);
    if (!status) status = kinds_init(&kinds, middle->n[OLD] + middle->n[NEW], err);
    if (!status) status = number_all(middle, &kinds, err);
    if (!status) {
        pare_symbols old = set_aside(middle, OLD, &kinds);
        pare_symbols new = set_aside(middle, NEW, &kinds);
        status = pare_myers_mark(&old, &new, cost ? cost : PARE_DIFF_COST, err);
    }
    kinds_done(&kinds);
    return status;
}

/* ---- the merge list ------------------------------------------------------------- */

/* Where the merge stands. */
struct merge {
    pare_diff_run *runs; /* owned */
    size_t n_runs, capacity;
    size_t at[N_SIDES];
};

/* Appends a run of `n` units, if any, and moves past it. */
static pare_status add_run(struct merge *merge, pare_diff_side side, size_t n, pare_error *err)
{
    if (!n) return PARE_OK;
    if (merge->n_runs == merge->capacity) {
        size_t capacity = merge->capacity ? merge->capacity * 2 : 8;
        pare_diff_run *runs = pare_resize(merge->runs, capacity, sizeof *runs);
        if (!runs) return pare_fail_nomem(err);
        merge->runs = runs;
        merge->capacity = capacity;
    }
    merge->runs[merge->n_runs++] = (pare_diff_run){.side = side,
                                                   .old_at = (uint32_t)merge->at[OLD],
                                                   .new_at = (uint32_t)merge->at[NEW],
                                                   .n = (uint32_t)n};
    if (side != PARE_DIFF_ONLY_NEW) merge->at[OLD] += n;
    if (side != PARE_DIFF_ONLY_OLD) merge->at[NEW] += n;
    return PARE_OK;
}

/* How many units from `at` on differ on one side; 0 behind the middle. */
static size_t differing(const struct middle *middle, int side, size_t at)
{
    size_t i = at - middle->head, n = 0;
    while (i + n < middle->n[side] && middle->differs[side][i + n])
        n++;
    return n;
}

/* How many units are equal from where the merge stands. */
static size_t common(const struct middle *middle, const struct merge *merge)
{
    size_t i = merge->at[OLD] - middle->head, k = merge->at[NEW] - middle->head, n = 0;
    while (i + n < middle->n[OLD] && k + n < middle->n[NEW] && !middle->differs[OLD][i + n] &&
           !middle->differs[NEW][k + n])
        n++;
    if (i + n < middle->n[OLD] || k + n < middle->n[NEW]) return n;
    return middle->sequence[OLD]->bounds->n - merge->at[OLD]; /* and the common tail */
}

static pare_status merge_all(const struct middle *middle, struct merge *merge, pare_error *err)
{
    bool anything = middle->n[OLD] || middle->n[NEW];
    size_t n_old = middle->sequence[OLD]->bounds->n, n_new = middle->sequence[NEW]->bounds->n;
    pare_status status = add_run(merge, PARE_DIFF_COMMON, anything ? middle->head : n_old, err);
    while (!status && (merge->at[OLD] < n_old || merge->at[NEW] < n_new)) {
        status = add_run(merge, PARE_DIFF_ONLY_OLD, differing(middle, OLD, merge->at[OLD]), err);
        if (!status)
            status =
                add_run(merge, PARE_DIFF_ONLY_NEW, differing(middle, NEW, merge->at[NEW]), err);
        if (!status) status = add_run(merge, PARE_DIFF_COMMON, common(middle, merge), err);
    }
    return status;
}

pare_status pare_diff_make(const pare_sequence *old, const pare_sequence *new, size_t cost,
                           pare_diff *out, pare_error *err)
{
    struct middle middle = {.sequence = {old, new}};
    struct merge merge = {.n_runs = 0};
    pare_status status = compare(&middle, cost, err);
    if (!status) status = merge_all(&middle, &merge, err);
    middle_done(&middle);
    if (status)
        pare_release(merge.runs);
    else
        *out = (pare_diff){.runs = merge.runs, .n_runs = merge.n_runs};
    return status;
}

void pare_diff_done(pare_diff *diff)
{
    pare_release(diff->runs);
    *diff = (pare_diff){.n_runs = 0};
}

/* ---- checking ------------------------------------------------------------------- */

static bool check_run(const pare_diff_run *run, const size_t at[N_SIDES], const pare_sequence *old,
                      const pare_sequence *new)
{
    if (!run->n || run->old_at != at[OLD] || run->new_at != at[NEW]) return false;
    if (run->side != PARE_DIFF_ONLY_NEW && run->n > old->bounds->n - at[OLD]) return false;
    if (run->side != PARE_DIFF_ONLY_OLD && run->n > new->bounds->n - at[NEW]) return false;
    if (run->side != PARE_DIFF_COMMON) return true;
    for (size_t i = 0; i < run->n; i++)
        if (!same(span_of(old, at[OLD] + i), span_of(new, at[NEW] + i))) return false;
    return true;
}

bool pare_diff_check(const pare_diff *diff, const pare_sequence *old, const pare_sequence *new)
{
    size_t at[N_SIDES] = {0, 0};
    for (size_t i = 0; i < diff->n_runs; i++) {
        const pare_diff_run *run = &diff->runs[i];
        if (!check_run(run, at, old, new)) return false;
        if (i > 0 && run->side == run[-1].side) return false;
        if (i > 0 && run->side == PARE_DIFF_ONLY_OLD && run[-1].side == PARE_DIFF_ONLY_NEW)
            return false;
        if (run->side != PARE_DIFF_ONLY_NEW) at[OLD] += run->n;
        if (run->side != PARE_DIFF_ONLY_OLD) at[NEW] += run->n;
    }
    return at[OLD] == old->bounds->n && at[NEW] == new->bounds->n;
}
