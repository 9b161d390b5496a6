/* What a pool on many slots has made so far, confirmed and not.
 *
 * Sets are united greedily, in the order in which they failed: waiting for a confirmation
 * of each would leave slots idle, and trying combinations would cost tests.  A union that
 * turns out not to fail is halved, so that c wrong sets among n are found in about
 * c log n tests (see docs/design/parallel.md for the simulation).
 *
 * The log of successes is a monotonic stack: a success takes off all earlier ones that end
 * before it, because whoever asks wants to know only whether there is one further back.
 *
 * Invariants: as in the header. */
#include "engine/tentative_union.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "engine/pool_plan.h"
#include "text/patch.h"

/* ---- the log ------------------------------------------------------------------------ */

/* The log is empty afterwards. */
void pare_tentative_union_log_done(pare_success_log *log)
{
    pare_alloc_free(log->items);
    *log = (pare_success_log){.n = 0};
}

/* Amortised O(1): each success is put on the stack and taken off it once. */
pare_status pare_tentative_union_log_add(pare_success_log *log, uint32_t end, pare_error *err)
{
    pare_success success = {.number = ++log->last, .end = end};
    pare_success *items = pare_vector_grow(log->items, log->n, &log->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    log->items = items;
    assert(!log->n || items[log->n - 1].number < success.number);
    while (log->n && items[log->n - 1].end <= end)
        log->n--;
    items[log->n++] = success;
    return PARE_OK;
}

/* Whether a success later than `number` ends after `place`. Numbers ascend and ends descend along
 * the stack, so the first one after `number` is the one that ends last. */
bool pare_tentative_union_log_any(const pare_success_log *log, uint32_t number, uint32_t place)
{
    size_t low = 0, high = log->n; /* the first success after `number` is in low .. high */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (log->items[middle].number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < log->n && log->items[low].end > place;
}

/* ---- the union ---------------------------------------------------------------------- */

/* Plan and queue are the caller's and stay. */
void pare_tentative_union_done(pare_tentative_union *made)
{
    for (size_t i = 0; i < made->n_sets; i++)
        pare_pool_plan_set_unref(&made->sets[i].set);
    pare_pool_plan_set_unref(&made->base);
    pare_pool_plan_set_unref(&made->united);
    pare_alloc_free(made->sets);
    *made = (pare_tentative_union){.n_sets = 0};
}

/* To be tried as it is. */
pare_status pare_tentative_union_requeue(pare_tentative_union *made, pare_pool_item item,
                                         pare_error *err)
{
    pare_status status = pare_pool_queue_own(made->queue, 1, err);
    if (!status) pare_pool_queue_push(made->queue, made->plan, item);
    return status;
}

/* To be tried in halves; the item of an earlier base has no patches of its own. */
pare_status pare_tentative_union_split(pare_tentative_union *made, pare_pool_item item,
                                       pare_error *err)
{
    if (!item.range.count) return PARE_OK;
    pare_status status = pare_pool_queue_own(made->queue, 2, err);
    if (!status) pare_pool_queue_split(made->queue, made->plan, item);
    return status;
}

/* Whether `whole` has all changes of `part`. */
static pare_status is_within(const pare_tentative_union *made, const pare_pool_set *part,
                             const pare_pool_set *whole, bool *within, pare_error *err)
{
    pare_union what;
    pare_pool_set both;
    pare_status status = pare_pool_plan_unite(made->plan, whole, part, &what, &both, err);
    if (status) return status;
    *within = what == PARE_UNION_SAME;
    pare_pool_plan_set_unref(&both);
    return PARE_OK;
}

/* Drops the sets that the base holds already. */
static pare_status forget_held(pare_tentative_union *made, pare_error *err)
{
    size_t n = 0;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < made->n_sets; i++) {
        bool held = false;
        if (!status) status = is_within(made, &made->sets[i].set, &made->base, &held, err);
        if (held)
            pare_pool_plan_set_unref(&made->sets[i].set);
        else
            made->sets[n++] = made->sets[i];
    }
    made->n_sets = n;
    return status;
}

/* Drops the set at place `i`, and splits or queues what it adds. */
static pare_status take_back(pare_tentative_union *made, size_t i, bool to_split, pare_error *err)
{
    assert(i < made->n_sets);
    pare_pool_item item = made->sets[i].item;
    pare_pool_plan_set_unref(&made->sets[i].set);
    made->n_sets--;
    memmove(made->sets + i, made->sets + i + 1, (made->n_sets - i) * sizeof *made->sets);
    if (!item.range.count) return PARE_OK;
    return to_split ? pare_tentative_union_split(made, item, err)
                    : pare_tentative_union_requeue(made, item, err);
}

/* Unites the base with the sets that are left, in their order, under a new number.  A set that
 * conflicts with those before it is taken out and split. */
pare_status pare_tentative_union_rebuild(pare_tentative_union *made, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_pool_plan_set_unref(&made->united);
    made->united = pare_pool_plan_set_ref(made->base);
    made->number++;
    for (size_t i = 0; !status && i < made->n_sets;) {
        pare_union what;
        pare_pool_set more;
        status =
            pare_pool_plan_unite(made->plan, &made->united, &made->sets[i].set, &what, &more, err);
        if (status) break;
        if (what == PARE_UNION_CONFLICT) {
            status = take_back(made, i, true, err);
            continue;
        }
        /* A set that is kept belongs to the new union. */
        made->sets[i++].since = made->number;
        if (what == PARE_UNION_SAME) continue;
        pare_pool_plan_set_unref(&made->united);
        made->united = more;
    }
    return status;
}

/* Adds `set` to the union (a reference is taken). */
static pare_status add_set(pare_tentative_union *made, pare_pool_set set, pare_pool_item item,
                           pare_error *err)
{
    pare_union what;
    pare_pool_set more;
    pare_status status = pare_pool_plan_unite(made->plan, &made->united, &set, &what, &more, err);
    if (status) return status;
    /* The set failed on an older base; on this one its parts are tried instead. */
    if (what == PARE_UNION_CONFLICT) return pare_tentative_union_split(made, item, err);
    pare_tentative_set *sets =
        pare_vector_grow(made->sets, made->n_sets, &made->capacity, sizeof *sets);
    if (!sets) {
        pare_pool_plan_set_unref(&more);
        return pare_fail_nomem(err);
    }
    made->sets = sets;
    if (what == PARE_UNION_MORE) {
        pare_pool_plan_set_unref(&made->united);
        made->united = more;
        made->number++;
    }
    sets[made->n_sets++] = (pare_tentative_set){
        .set = pare_pool_plan_set_ref(set), .item = item, .since = made->number};
    return PARE_OK;
}

/* The base has grown: so does the union. */
static pare_status add_base(pare_tentative_union *made, pare_error *err)
{
    pare_union what;
    pare_pool_set more;
    pare_status status =
        pare_pool_plan_unite(made->plan, &made->united, &made->base, &what, &more, err);
    if (status || what == PARE_UNION_SAME) return status;
    if (what == PARE_UNION_CONFLICT) return pare_tentative_union_rebuild(made, err);
    pare_pool_plan_set_unref(&made->united);
    made->united = more;
    made->number++;
    return PARE_OK;
}

/* Takes a set whose test failed.  It becomes the base if it holds the base or is the new best;
 * what was the base then is a set like others. */
pare_status pare_tentative_union_take(pare_tentative_union *made, const pare_pool_trial *trial,
                                      bool is_best, pare_error *err)
{
    bool holds = false;
    const pare_pool_item nothing = {{0, 0}, PARE_POOL_GROUP};
    pare_status status = is_within(made, &made->base, &trial->set, &holds, err);
    if (status) return status;
    if (!holds && !is_best) return add_set(made, trial->set, trial->item, err);
    pare_pool_set old = made->base;
    made->base = pare_pool_plan_set_ref(trial->set);
    made->base_size = trial->size;
    if (!holds) status = add_set(made, old, nothing, err);
    pare_pool_plan_set_unref(&old);
    if (!status) status = forget_held(made, err);
    return status ? status : add_base(made, err);
}

/* Union `number` is refuted: of the sets it was made of, the later half goes.  If only one set is
 * left to blame, it is split, as it does not go together with the base. */
pare_status pare_tentative_union_roll_back(pare_tentative_union *made, uint64_t number, bool *any,
                                           pare_error *err)
{
    size_t n = 0, kept;
    while (n < made->n_sets && made->sets[n].since <= number)
        n++;
    *any = n > 0;
    /* The earlier half is believed: it was confirmed more often by what was built on it. */
    kept = n / 2;
    pare_status status = PARE_OK;
    while (!status && n > kept)
        status = take_back(made, --n, kept == 0, err);
    return status;
}
