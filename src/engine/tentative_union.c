/* Base and hope of a pool. */

#include "engine/tentative_union.h"

#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "engine/pool_plan.h"
#include "text/patch.h"

/* A monotonic stack: what is made takes off all that ends before it. */

void pare_tentative_union_log_done(pare_success_log *gains)
{
    pare_release(gains->items);
    *gains = (pare_success_log){.n = 0};
}

pare_status pare_tentative_union_log_add(pare_success_log *gains, uint32_t behind, pare_error *err)
{
    pare_success gain = {.number = ++gains->last, .behind = behind};
    pare_success *items = pare_vector_grow(gains->items, gains->n, &gains->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    gains->items = items;
    while (gains->n && items[gains->n - 1].behind <= behind)
        gains->n--;
    items[gains->n++] = gain;
    return PARE_OK;
}

bool pare_tentative_union_log_any(const pare_success_log *gains, uint32_t number, uint32_t place)
{
    size_t low = 0, high = gains->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gains->items[middle].number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < gains->n && gains->items[low].behind > place;
}

void pare_tentative_union_done(pare_tentative_union *hope)
{
    for (size_t i = 0; i < hope->n_hoped; i++)
        pare_pool_plan_set_unref(&hope->hoped[i].set);
    pare_pool_plan_set_unref(&hope->base);
    pare_pool_plan_set_unref(&hope->hope);
    pare_release(hope->hoped);
    *hope = (pare_tentative_union){.n_hoped = 0};
}

pare_status pare_tentative_union_requeue(pare_tentative_union *hope, pare_pool_item item,
                                         pare_error *err)
{
    pare_status status = pare_pool_queue_own(hope->queue, 1, err);
    if (!status) pare_pool_queue_push(hope->queue, hope->plan, item);
    return status;
}

pare_status pare_tentative_union_split(pare_tentative_union *hope, pare_pool_item item,
                                       pare_error *err)
{
    if (!item.range.count) return PARE_OK;
    pare_status status = pare_pool_queue_own(hope->queue, 2, err);
    if (!status) pare_pool_queue_split(hope->queue, hope->plan, item);
    return status;
}

static pare_status is_within(const pare_tentative_union *hope, const pare_pool_set *part,
                             const pare_pool_set *whole, bool *within, pare_error *err)
{
    pare_union what;
    pare_pool_set both;
    pare_status status = pare_pool_plan_unite(hope->plan, whole, part, &what, &both, err);
    if (status) return status;
    *within = what == PARE_UNION_SAME;
    pare_pool_plan_set_unref(&both);
    return PARE_OK;
}

/* Forgets what is hoped for and in the base already. */
static pare_status forget_held(pare_tentative_union *hope, pare_error *err)
{
    size_t n = 0;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < hope->n_hoped; i++) {
        bool held = false;
        if (!status) status = is_within(hope, &hope->hoped[i].set, &hope->base, &held, err);
        if (held)
            pare_pool_plan_set_unref(&hope->hoped[i].set);
        else
            hope->hoped[n++] = hope->hoped[i];
    }
    hope->n_hoped = n;
    return status;
}

/* Takes what is hoped for at place `i` away and splits or queues what it adds. */
static pare_status take_back(pare_tentative_union *hope, size_t i, bool to_split, pare_error *err)
{
    pare_pool_item item = hope->hoped[i].item;
    pare_pool_plan_set_unref(&hope->hoped[i].set);
    hope->n_hoped--;
    memmove(hope->hoped + i, hope->hoped + i + 1, (hope->n_hoped - i) * sizeof *hope->hoped);
    if (!item.range.count) return PARE_OK;
    return to_split ? pare_tentative_union_split(hope, item, err)
                    : pare_tentative_union_requeue(hope, item, err);
}

/* Makes the hope the base with all that is hoped for; what does not agree is split. */
pare_status pare_tentative_union_rebuild(pare_tentative_union *hope, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_pool_plan_set_unref(&hope->hope);
    hope->hope = pare_pool_plan_set_ref(hope->base);
    hope->number++;
    for (size_t i = 0; !status && i < hope->n_hoped;) {
        pare_union what;
        pare_pool_set more;
        status =
            pare_pool_plan_unite(hope->plan, &hope->hope, &hope->hoped[i].set, &what, &more, err);
        if (status) break;
        if (what == PARE_UNION_CONFLICT) {
            status = take_back(hope, i, true, err);
            continue;
        }
        hope->hoped[i++].since = hope->number;
        if (what == PARE_UNION_SAME) continue;
        pare_pool_plan_set_unref(&hope->hope);
        hope->hope = more;
    }
    return status;
}

/* Hopes for `set` too (a reference is taken). */
static pare_status hope_for(pare_tentative_union *hope, pare_pool_set set, pare_pool_item item,
                            pare_error *err)
{
    pare_union what;
    pare_pool_set more;
    pare_status status = pare_pool_plan_unite(hope->plan, &hope->hope, &set, &what, &more, err);
    if (status) return status;
    if (what == PARE_UNION_CONFLICT) return pare_tentative_union_split(hope, item, err);
    pare_tentative_set *hoped =
        pare_vector_grow(hope->hoped, hope->n_hoped, &hope->capacity, sizeof *hoped);
    if (!hoped) {
        pare_pool_plan_set_unref(&more);
        return pare_fail_nomem(err);
    }
    hope->hoped = hoped;
    if (what == PARE_UNION_MORE) {
        pare_pool_plan_set_unref(&hope->hope);
        hope->hope = more;
        hope->number++;
    }
    hoped[hope->n_hoped++] = (pare_tentative_set){
        .set = pare_pool_plan_set_ref(set), .item = item, .since = hope->number};
    return PARE_OK;
}

/* The base has grown: so does the hope. */
static pare_status hope_for_base(pare_tentative_union *hope, pare_error *err)
{
    pare_union what;
    pare_pool_set more;
    pare_status status =
        pare_pool_plan_unite(hope->plan, &hope->hope, &hope->base, &what, &more, err);
    if (status || what == PARE_UNION_SAME) return status;
    if (what == PARE_UNION_CONFLICT) return pare_tentative_union_rebuild(hope, err);
    pare_pool_plan_set_unref(&hope->hope);
    hope->hope = more;
    hope->number++;
    return PARE_OK;
}

/* A set failed: the base grows, or the hope does.  A set beside the base that is the best
 * now takes its place, and the base is hoped for. */
pare_status pare_tentative_union_take(pare_tentative_union *hope, const pare_pool_trial *trial,
                                      bool is_best, pare_error *err)
{
    bool holds = false;
    const pare_pool_item nothing = {{0, 0}, PARE_POOL_GROUP};
    pare_status status = is_within(hope, &hope->base, &trial->set, &holds, err);
    if (status) return status;
    if (!holds && !is_best) return hope_for(hope, trial->set, trial->item, err);
    pare_pool_set old = hope->base;
    hope->base = pare_pool_plan_set_ref(trial->set);
    hope->base_size = trial->size;
    if (!holds) status = hope_for(hope, old, nothing, err);
    pare_pool_plan_set_unref(&old);
    if (!status) status = forget_held(hope, err);
    return status ? status : hope_for_base(hope, err);
}

pare_status pare_tentative_union_roll_back(pare_tentative_union *hope, uint64_t number, bool *any,
                                           pare_error *err)
{
    size_t n = 0, kept;
    while (n < hope->n_hoped && hope->hoped[n].since <= number)
        n++;
    *any = n > 0;
    kept = n / 2;
    pare_status status = PARE_OK;
    while (!status && n > kept)
        status = take_back(hope, --n, kept == 0, err);
    return status;
}
