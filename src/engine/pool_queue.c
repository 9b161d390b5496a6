/* What a pool has still to try.
 *
 * Sizes of groups: a group is enlarged as long as the gain of one more patch outweighs the
 * chance that it spoils the group.  With one success rate for all patches, learned with
 * exponentially fading memory, that needs no counter for each patch, which CDD (Zhang et
 * al., ICSE 2025) has; groups double after runs of successes, as in Hypothesis's
 * find_integer, and shrink to one patch where little can be made.
 *
 * Order: a priority queue (base/heap.h) in an array that copies of the state share, so that
 * running ahead costs a reference and not a copy.  That halves come before fresh ranges
 * keeps the number of unfinished groups at one.
 *
 * The log of successes is a monotonic stack: a success takes off all earlier ones that end
 * before it, because whoever asks wants to know only whether there is one further back.
 *
 * Invariant: pare_pool_queue_check. */
#include "engine/pool_queue.h"

#include <assert.h>
#include <math.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/halving.h"
#include "base/heap.h"
#include "base/shared.h"
#include "base/vector.h"
#include "engine/pool_options.h"
#include "text/candidate.h"
#include "text/order.h"
#include "text/patch.h"

/* ---- the rate ----------------------------------------------------------------------- */

/* Factors by which earlier outcomes count less with each new one, for the sizes of groups and for
 * predictions. Chosen in simulation (docs/design/parallel.md); the results depend little on
 * them. */
static const double FADING = 0.8, LONG_FADING = 0.9;

/* A success counts for all its patches, a failure for one: at least one of them cannot be made. */
void pare_pool_queue_learn(pare_pool_rate *rate, pare_pool_item item, bool made)
{
    if (!made && item.kind == PARE_POOL_FIRST_HALF) return;
    double n_made = made ? item.range.count : 0, n_failed = made ? 0 : 1;
    rate->made = rate->made * FADING + n_made;
    rate->failed = rate->failed * FADING + n_failed;
    rate->made_long = rate->made_long * LONG_FADING + n_made;
    rate->failed_long = rate->failed_long * LONG_FADING + n_failed;
}

/* How probable it is that one patch can be made, as used for the sizes of groups, which should
 * follow runs of successes quickly. By Laplace's rule of succession it is (n + 1) / (n + 2) after n
 * successes in a row, so groups double from one to the next, as in find_integer. */
static double rate_now(const pare_pool_rate *rate)
{
    return (rate->made + 1) / (rate->made + rate->failed + 2);
}

/* The same with a longer memory, for predicting outcomes, where being right on average counts. */
static double rate_predicted(const pare_pool_rate *rate)
{
    return (rate->made_long + 2 * rate_now(rate)) / (rate->made_long + rate->failed_long + 2);
}

/* Adding a patch of gain g to a group of gain G is worth it if (G + g) p > G, where p is
 * how probable it is that one patch can be made. */
uint32_t pare_pool_queue_group(const pare_pool_plan *plan, pare_pool_range range,
                               const pare_pool_rate *rate)
{
    const pare_patch *patches = plan->patches->patches;
    size_t most = plan->options.group;
    if (most) return most < range.count ? (uint32_t)most : range.count;
    double p = rate_now(rate);
    double gain = (double)patches[plan->order[range.from]].gain;
    uint32_t n = 1;
    for (; n < range.count; n++) {
        double next = (double)patches[plan->order[range.from + n]].gain;
        if ((gain + next) * p <= gain || next <= 0) break;
        gain += next;
    }
    return n;
}

/* The probability that all patches of an item can be made. For the first half of a group that
 * failed to be made as a whole it follows by Bayes' rule: P(half and not group) / P(not group). */
double pare_pool_queue_chance(const pare_pool_rate *rate, pare_pool_item item)
{
    double all = pow(rate_predicted(rate), (double)item.range.count);
    if (item.kind != PARE_POOL_FIRST_HALF) return all;
    double group = all * all;
    return group < 1 ? (all - group) / (1 - group) : 0.5;
}

/* ---- the queue ---------------------------------------------------------------------- */

/* Halves belong to a group that failed. */
static bool is_half(const pare_pool_item *item)
{
    return item->kind == PARE_POOL_FIRST_HALF || item->kind == PARE_POOL_SECOND_HALF;
}

/* Halves first, front to back; then the others by the rank of their first patch. */
static bool is_before(const void *left, const void *right, const void *context)
{
    const pare_pool_item *a = left, *b = right;
    const pare_pool_plan *plan = context;
    if (is_half(a) != is_half(b)) return is_half(a);
    if (is_half(a)) return a->range.from < b->range.from;
    return plan->rank[plan->order[a->range.from]] < plan->rank[plan->order[b->range.from]];
}

/* Comparing needs the plan's ranks, so the order is made for each use and not stored. */
static pare_heap_order order_of(const pare_pool_plan *plan)
{
    return (pare_heap_order){sizeof(pare_pool_item), is_before, plan};
}

/* O(n), for tests: in the engine the queue is used after every test. */
bool pare_pool_queue_check(const pare_pool_queue *queue, const pare_pool_plan *plan)
{
    const pare_heap_order order = order_of(plan);
    return !queue->n || pare_heap_check(&order, pare_shared_items(queue->items), queue->n);
}

/* To be called before writing, with room for what will be pushed: push itself cannot fail. */
pare_status pare_pool_queue_own(pare_pool_queue *queue, size_t more, pare_error *err)
{
    void *items = NULL;
    pare_status status = PARE_OK;
    if (!queue->items) status = pare_shared_new(8, sizeof(pare_pool_item), &queue->items, err);
    if (!status) status = pare_shared_own(&queue->items, queue->n, queue->n + more, &items, err);
    return status;
}

/* The array, which the queue owns alone. */
static pare_pool_item *heap_of(pare_pool_queue *queue)
{
    return (pare_pool_item *)pare_shared_items(queue->items);
}

/* O(log n). There is room, as the caller has seen to with pare_pool_queue_own. */
void pare_pool_queue_push(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item item)
{
    const pare_heap_order order = order_of(plan);
    if (!item.range.count) return;
    assert(item.range.from + item.range.count <= plan->n);
    pare_heap_push(&order, heap_of(queue), queue->n++, &item);
}

/* Looks at the first item without taking it. From a fresh range it cuts a group of the size that
 * pays now; *rest is what remains of that range. */
pare_pool_item pare_pool_queue_first(const pare_pool_queue *queue, const pare_pool_plan *plan,
                                     const pare_pool_rate *rate, pare_pool_item *rest)
{
    assert(queue->n > 0);
    pare_pool_item item = *(const pare_pool_item *)pare_shared_items(queue->items);
    *rest = (pare_pool_item){{0, 0}, PARE_POOL_FRESH};
    if (item.kind != PARE_POOL_FRESH) return item;
    uint32_t count = pare_pool_queue_group(plan, item.range, rate);
    rest->range = (pare_pool_range){item.range.from + count, item.range.count - count};
    return (pare_pool_item){{item.range.from, count}, PARE_POOL_GROUP};
}

/* Takes off the item that pare_pool_queue_first showed, and puts the rest of its range back. */
void pare_pool_queue_drop(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item rest)
{
    const pare_heap_order order = order_of(plan);
    pare_pool_item first;
    assert(queue->n > 0);
    pare_heap_pop(&order, heap_of(queue), queue->n--, &first);
    pare_pool_queue_push(queue, plan, rest);
}

/* What is tried instead of an item that could not be made: halves of a group, parts of a patch,
 * groups of all roots; after a sweep nothing. */
void pare_pool_queue_split(pare_pool_queue *queue, const pare_pool_plan *plan, pare_pool_item item)
{
    const pare_pool_range range = item.range;
    if (item.kind == PARE_POOL_SWEPT) return;
    if (range.count == 1) {
        pare_pool_range parts = pare_pool_plan_parts(plan, plan->order[range.from]);
        pare_pool_queue_push(queue, plan, (pare_pool_item){parts, PARE_POOL_FRESH});
        return;
    }
    if (item.kind == PARE_POOL_TOGETHER) {
        pare_pool_queue_push(queue, plan, (pare_pool_item){range, PARE_POOL_FRESH});
        return;
    }
    pare_pool_range first = {range.from, range.count / 2};
    pare_pool_range second = {range.from + first.count, range.count - first.count};
    pare_pool_queue_push(queue, plan, (pare_pool_item){first, PARE_POOL_FIRST_HALF});
    pare_pool_queue_push(queue, plan, (pare_pool_item){second, PARE_POOL_SECOND_HALF});
}

/* ---- trials ------------------------------------------------------------------------- */

/* The trial is none afterwards. */
void pare_pool_queue_trial_done(pare_pool_trial *trial)
{
    pare_pool_plan_set_unref(&trial->set);
    *trial = (pare_pool_trial){.whole = false};
}

/* Whether `candidate` is smaller, in the order of texts, than what the base demands. */
static pare_status is_smaller(const pare_pool_trial_base *base, const pare_candidate *candidate,
                              bool *smaller, pare_error *err)
{
    int order = candidate->size < base->size ? -1 : 1;
    pare_candidate than = {0};
    pare_status status = PARE_OK;
    if (candidate->size == base->size) {
        status = pare_patches_candidate(base->plan->patches, pare_pool_plan_changes(base->than),
                                        base->than->n, &than, err);
        if (!status) status = pare_order_compare(candidate, &than, &order, err);
        pare_candidate_done(&than);
    }
    *smaller = order < 0;
    return status;
}

/* Whether `candidate` is worth a test, as far as that can be told without one: it was not tried,
 * is smaller if that is wanted, and is admitted. */
static pare_status is_worth(const pare_pool_trial_base *base, const pare_candidate *candidate,
                            pare_digest digest, bool *worth, pare_error *err)
{
    const pare_pool_options *options = &base->plan->options;
    *worth = !pare_tried_digests_has(base->tried, digest);
    if (*worth && options->shorter) {
        pare_status status = is_smaller(base, candidate, worth, err);
        if (status) return status;
    }
    if (!*worth || !options->admits) return PARE_OK;
    return options->admits(options->context, candidate, worth, err);
}

/* Everything that can be known of an item without a test: SKIP: it adds nothing; SPLIT: it cannot
 * be made as a whole, or is not worth a test; TEST: *trial and *candidate are set. */
pare_status pare_pool_queue_try(const pare_pool_trial_base *base, pare_pool_item item,
                                pare_pool_trial *trial, pare_candidate *candidate,
                                pare_pool_verdict *verdict, pare_error *err)
{
    pare_pool_gathered gathered;
    bool worth = false;
    pare_status status = pare_pool_plan_gather(base->plan, base->set, item.range, &gathered, err);
    if (status) return status;
    pare_pool_trial made = {.item = item, .set = gathered.set, .whole = gathered.whole};
    *verdict = gathered.what == PARE_UNION_SAME ? PARE_POOL_SKIP : PARE_POOL_SPLIT;
    if (gathered.what != PARE_UNION_MORE) return PARE_OK;
    status = pare_patches_candidate(base->plan->patches, pare_pool_plan_changes(&made.set),
                                    made.set.n, candidate, err);
    made.size = candidate->size;
    made.digest = pare_candidate_digest(candidate);
    if (!status) status = is_worth(base, candidate, made.digest, &worth, err);
    if (status || !worth) {
        pare_pool_queue_trial_done(&made);
        return status;
    }
    *trial = made;
    *verdict = PARE_POOL_TEST;
    return PARE_OK;
}

/* ---- the log of successes ------------------------------------------------------------------------ */

/* The log is empty afterwards. */
void pare_pool_queue_log_done(pare_success_log *log)
{
    pare_alloc_free(log->items);
    *log = (pare_success_log){.n = 0};
}

/* Amortised O(1): each success is put on the stack and taken off it once. */
pare_status pare_pool_queue_log_add(pare_success_log *log, uint32_t end, pare_error *err)
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
 * the stack, so the first one after `number`, found by halving, is the one that ends last. */
bool pare_pool_queue_log_any(const pare_success_log *log, uint32_t number, uint32_t place)
{
    pare_halving search = {.low = 0, .high = log->n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, log->items[search.middle].number <= number);
    return search.low < log->n && log->items[search.low].end > place;
}
