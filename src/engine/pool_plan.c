/* The plan of a pool: the order in which patches are tried, and unions of ranges of them.
 *
 * Patches are sorted twice: once by what they save (by power of two, so that patches of about
 * the same size go from the rear to the front and later deletions do not break earlier
 * ones), and then by parent, so that the parts of one patch stand together and a range of
 * places names them.
 *
 * Uniting goes by halves, as in merging, so that n patches which agree cost O(n log n)
 * copied changes and not O(n^2).
 * Invariant: `order` is a permutation of the patches, and `rank` the one by size. */
#include "engine/pool_plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "text/patch.h"

/* ---- the order -------------------------------------------------------------------- */

/* What a patch is sorted by. */
struct place {
    uint64_t key;      /* ascending */
    uint32_t position; /* descending: the rear one first */
    uint32_t patch;
};

/* How many bits the number of bytes has that a patch saves; 0: it saves none. */
static unsigned size_class(int64_t gain)
{
    unsigned bits = 0;
    for (; gain > 0; gain >>= 1)
        bits++;
    return bits;
}

/* A total order (the patch's number comes last), so that qsort gives the same everywhere. */
static int by_place(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    if (a->position != b->position) return a->position > b->position ? -1 : 1;
    return a->patch < b->patch ? -1 : a->patch > b->patch;
}

/* Largest class of savings first, and within a class the rear of the text first; PARE_POOL_LISTED
 * keeps the order of the list. */
static struct place place_of(const pare_pool_plan *plan, uint32_t patch)
{
    const pare_patch *p = &plan->patches->patches[patch];
    const pare_change *changes = pare_patch_changes(plan->patches, patch);
    if (plan->options.order == PARE_POOL_LISTED) return (struct place){.patch = patch};
    return (struct place){
        .key = 64 - size_class(p->gain), .position = changes[p->n_changes - 1].to, .patch = patch};
}

/* Puts patches of one parent together: sorts again by parent, then by rank. */
static void sort_siblings(pare_pool_plan *plan, struct place *places)
{
    for (uint32_t i = 0; i < plan->n; i++) {
        uint32_t patch = plan->order[i];
        /* Parent and place in one key: siblings stand together and keep their order. */
        uint64_t parent = plan->patches->patches[patch].parent + UINT32_C(1); /* none: 0 */
        places[i] = (struct place){.key = parent << 32 | i, .patch = patch};
    }
    qsort(places, plan->n, sizeof *places, by_place);
    for (uint32_t i = 0; i < plan->n; i++) {
        uint32_t parent = plan->patches->patches[places[i].patch].parent;
        plan->order[i] = places[i].patch;
        if (parent == PARE_NO_PATCH) {
            plan->n_roots++;
            continue;
        }
        /* The first of them that is met: they stand together. */
        if (!plan->n_parts[parent]++) plan->parts[parent] = i;
    }
}

/* O(n log n). `rank` is by size alone and decides which of two queued ranges is tried first. */
static pare_status sort(pare_pool_plan *plan, pare_error *err)
{
    struct place *places = pare_alloc(plan->n, sizeof *places);
    if (!places) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < plan->n; i++)
        places[i] = place_of(plan, i);
    qsort(places, plan->n, sizeof *places, by_place);
    for (uint32_t i = 0; i < plan->n; i++) {
        plan->order[i] = places[i].patch;
        plan->rank[places[i].patch] = i;
    }
    sort_siblings(plan, places);
    pare_alloc_free(places);
    return PARE_OK;
}

/* The arrays are indexed by patch or by place, both below plan->n, which does not change any
 * more. */
pare_status pare_pool_plan_new(pare_patches *patches, const pare_pool_options *options,
                               pare_pool_plan **out, pare_error *err)
{
    pare_pool_plan *plan = pare_alloc_zero(1, sizeof *plan);
    if (!plan) return pare_fail_nomem(err);
    *plan = (pare_pool_plan){.references = 1,
                             .patches = pare_patches_ref(patches),
                             .options = *options,
                             .n = (uint32_t)patches->n};
    plan->order = pare_alloc(plan->n, sizeof *plan->order);
    plan->rank = pare_alloc(plan->n, sizeof *plan->rank);
    plan->parts = pare_alloc_zero(plan->n, sizeof *plan->parts);
    plan->n_parts = pare_alloc_zero(plan->n, sizeof *plan->n_parts);
    /* Unref releases whatever was allocated. */
    bool room = plan->order && plan->rank && plan->parts && plan->n_parts;
    pare_status status = room ? sort(plan, err) : pare_fail_nomem(err);
    if (status)
        pare_pool_plan_unref(plan);
    else
        *out = plan;
    return status;
}

/* Copies of a state share the plan, which does not change once it is made. */
pare_pool_plan *pare_pool_plan_ref(pare_pool_plan *plan)
{
    plan->references++;
    return plan;
}

/* The last reference releases the arrays; `patches` may have other owners. */
void pare_pool_plan_unref(pare_pool_plan *plan)
{
    if (!plan || --plan->references) return;
    pare_patches_unref(plan->patches);
    pare_alloc_free(plan->order);
    pare_alloc_free(plan->rank);
    pare_alloc_free(plan->parts);
    pare_alloc_free(plan->n_parts);
    pare_alloc_free(plan);
}

/* The end of the rearmost change in the range. A success after that place may have removed what
 * used the range, which is why it is then worth another try. O(range). */
uint32_t pare_pool_plan_end(const pare_pool_plan *plan, pare_pool_range range)
{
    const pare_patches *patches = plan->patches;
    uint32_t end = 0;
    for (uint32_t i = range.from; i < range.from + range.count; i++) {
        uint32_t patch = plan->order[i];
        uint32_t n_changes = patches->patches[patch].n_changes;
        uint32_t own = pare_patch_changes(patches, patch)[n_changes - 1].to;
        if (own > end) end = own;
    }
    return end;
}

/* ---- sets ------------------------------------------------------------------------- */

/* Sets are never written once they are made, so sharing is safe. */
pare_pool_set pare_pool_plan_set_ref(pare_pool_set set)
{
    pare_shared_retain(set.changes);
    return set;
}

/* The set is empty afterwards, so it may be released twice. */
void pare_pool_plan_set_unref(pare_pool_set *set)
{
    pare_shared_release(set->changes);
    *set = (pare_pool_set){0};
}

/* NULL for the empty set, which has no array. */
const pare_change *pare_pool_plan_changes(const pare_pool_set *set)
{
    return set->changes ? pare_shared_items(set->changes) : NULL;
}

/* An empty set with room for `n` changes, to be written at *room. */
static pare_status make_set(size_t n, pare_pool_set *out, pare_change **room, pare_error *err)
{
    void *items = NULL;
    *out = (pare_pool_set){0};
    pare_status status = pare_shared_new(n, sizeof **room, &out->changes, err);
    if (!status) status = pare_shared_own(&out->changes, 0, n, &items, err);
    *room = items;
    return status;
}

/* `a` united with the changes `b`, in new memory that is as large as both. *out stays empty
 * unless they agree and `b` adds something. */
static pare_status unite(const pare_pool_plan *plan, const pare_pool_set *a, pare_change_list b,
                         pare_union *what, pare_pool_set *out, pare_error *err)
{
    const pare_change_list own = {pare_pool_plan_changes(a), a->n};
    pare_change *room = NULL;
    pare_status status = make_set(a->n + b.n, out, &room, err);
    if (status) return status;
    *what = pare_patches_unite(plan->patches, own, b, room, &out->n);
    if (*what != PARE_UNION_MORE) pare_pool_plan_set_unref(out);
    assert(out->n <= a->n + b.n);
    return PARE_OK;
}

/* O(changes of both): they are merged, as both are sorted. */
pare_status pare_pool_plan_unite(const pare_pool_plan *plan, const pare_pool_set *a,
                                 const pare_pool_set *b, pare_union *what, pare_pool_set *out,
                                 pare_error *err)
{
    return unite(plan, a, (pare_change_list){pare_pool_plan_changes(b), b->n}, what, out, err);
}

/* What became of the patches that were to be added. */
struct added {
    bool some;     /* one at least changed the set */
    bool left_out; /* one at least did not agree */
};

/* Unites *set (replaced) with one patch after the other, without those that do not agree. */
static pare_status add_each(const pare_pool_plan *plan, pare_pool_range range, pare_pool_set *set,
                            struct added *added, pare_error *err)
{
    for (uint32_t i = range.from; i < range.from + range.count; i++) {
        uint32_t patch = plan->order[i];
        pare_union what;
        pare_pool_set more;
        const pare_change_list own = {pare_patch_changes(plan->patches, patch),
                                      plan->patches->patches[patch].n_changes};
        pare_status status = unite(plan, set, own, &what, &more, err);
        if (status) return status;
        if (what == PARE_UNION_CONFLICT) added->left_out = true;
        if (what != PARE_UNION_MORE) continue;
        added->some = true;
        pare_pool_plan_set_unref(set);
        *set = more;
    }
    return PARE_OK;
}

/* All patches of `range` that agree: by halves, as in merging, so that what agrees is not
 * copied once for each patch.  Recursion is as deep as the count has bits. */
static pare_status gather(const pare_pool_plan *plan, pare_pool_range range, pare_pool_set *out,
                          struct added *added, pare_error *err)
{
    *out = (pare_pool_set){0};
    if (range.count == 1) return add_each(plan, range, out, added, err);
    /* Neighbours in the order are united first; they are of about the same size. */
    pare_pool_range left = {range.from, range.count / 2};
    pare_pool_range right = {range.from + left.count, range.count - left.count};
    pare_union what = PARE_UNION_CONFLICT;
    pare_pool_set first, second = {0};
    pare_status status = gather(plan, left, &first, added, err);
    if (!status) status = gather(plan, right, &second, added, err);
    if (!status) status = pare_pool_plan_unite(plan, &first, &second, &what, out, err);
    if (!status && what != PARE_UNION_MORE) {
        *out = pare_pool_plan_set_ref(first);
        /* Somewhere in the right half is what conflicts: the rest of it may still agree. */
        if (what == PARE_UNION_CONFLICT) status = add_each(plan, right, out, added, err);
    }
    pare_pool_plan_set_unref(&first);
    pare_pool_plan_set_unref(&second);
    if (status) pare_pool_plan_set_unref(out);
    return status;
}

/* The range is gathered without the base first, because its patches mostly agree with each other.
 * Only if their union conflicts with the base are they added to the base one by one. */
pare_status pare_pool_plan_gather(const pare_pool_plan *plan, const pare_pool_set *base,
                                  pare_pool_range range, pare_pool_gathered *out, pare_error *err)
{
    pare_pool_set together;
    struct added added = {.some = false};
    *out = (pare_pool_gathered){.what = PARE_UNION_SAME};
    pare_status status = gather(plan, range, &together, &added, err);
    if (!status) status = pare_pool_plan_unite(plan, base, &together, &out->what, &out->set, err);
    if (!status && out->what == PARE_UNION_CONFLICT && range.count > 1) {
        /* What the first attempt left out does not count: this one starts again from the base. */
        added = (struct added){.some = false};
        out->set = pare_pool_plan_set_ref(*base);
        status = add_each(plan, range, &out->set, &added, err);
        if (added.some) out->what = PARE_UNION_MORE;
        if (status || !added.some) pare_pool_plan_set_unref(&out->set);
    }
    out->whole = !added.left_out;
    pare_pool_plan_set_unref(&together);
    return status;
}
