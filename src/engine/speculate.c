/* Best-first exploration of futures.
 * Invariants: the heap holds paths whose parent is in the tree of the root; its top is the
 * most probable one.  The index holds every place of `wanted` once, within reach of its
 * key's home by taken entries, and is at most half full. */
#include "engine/speculate.h"

#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/status.h"
#include "engine/strategy.h"
#include "text/text.h"

static const double FIRST_RATE = 0.3; /* as parallel-simulation.py */
static const double LEARNING = 0.05;
static const double FADING = 0.93;     /* of what was seen of a size, for each outcome */
static const double PRIOR = 8;         /* outcomes that the rate over all sizes counts for */
static const double LEAST_RATE = 0.02; /* never rule a future out */

void pare_predictor_init(pare_predictor *predictor)
{
    *predictor = (pare_predictor){.context = 0};
    for (int i = 0; i < 4; i++)
        predictor->fail_rate[i] = FIRST_RATE;
}

static unsigned context_after(unsigned context, pare_outcome outcome)
{
    return (context << 1 | (outcome == PARE_FAIL)) & 3;
}

/* How many bits the number of bytes has that the candidate leaves out. */
static unsigned size_class(const pare_future *future)
{
    size_t whole = pare_text_size(future->candidate.base);
    size_t gone = whole > future->candidate.size ? whole - future->candidate.size : 0;
    unsigned bits = 0;
    for (; gone; gone >>= 1)
        bits++;
    return bits < PARE_PREDICTOR_SIZES ? bits : PARE_PREDICTOR_SIZES - 1;
}

void pare_predictor_learn(pare_predictor *predictor, const pare_future *root, pare_outcome outcome)
{
    double failed = outcome == PARE_FAIL ? 1 : 0;
    double *rate = &predictor->fail_rate[predictor->context];
    pare_recent *recent = &predictor->by_size[predictor->context][size_class(root)];
    *rate += LEARNING * (failed - *rate);
    recent->fails = recent->fails * FADING + failed;
    recent->n = recent->n * FADING + 1;
    predictor->context = context_after(predictor->context, outcome);
}

static double predicted(const pare_predictor *predictor, unsigned context,
                        const pare_future *future)
{
    const pare_recent *recent = &predictor->by_size[context][size_class(future)];
    double rate = (recent->fails + PRIOR * predictor->fail_rate[context]) / (recent->n + PRIOR);
    const pare_strategy_ops *ops = future->state->ops;
    if (ops->chance) rate = ops->chance(future->state);
    if (rate < LEAST_RATE) return LEAST_RATE;
    return rate > 1 - LEAST_RATE ? 1 - LEAST_RATE : rate;
}

void pare_planner_done(pare_planner *planner)
{
    pare_release(planner->heap);
    pare_release(planner->wanted);
    pare_release(planner->index);
    *planner = (pare_planner){0};
}

static bool better(const pare_path *a, const pare_path *b)
{
    if (a->probability > b->probability) return true;
    return !(a->probability < b->probability) && a->order < b->order;
}

static pare_status push(pare_planner *planner, pare_path path, pare_error *err)
{
    if (planner->n_heap == planner->heap_capacity) {
        size_t capacity = planner->heap_capacity ? planner->heap_capacity * 2 : 64;
        pare_path *heap = pare_resize(planner->heap, capacity, sizeof *heap);
        if (!heap) return pare_fail_nomem(err);
        planner->heap = heap;
        planner->heap_capacity = capacity;
    }
    path.order = planner->order++;
    size_t i = planner->n_heap++;
    while (i > 0 && better(&path, &planner->heap[(i - 1) / 2])) {
        planner->heap[i] = planner->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    planner->heap[i] = path;
    return PARE_OK;
}

/* Takes the top; the heap must not be empty. */
static pare_path pop(pare_planner *planner)
{
    pare_path top = planner->heap[0];
    pare_path last = planner->heap[--planner->n_heap];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= planner->n_heap) break;
        if (child + 1 < planner->n_heap && better(&planner->heap[child + 1], &planner->heap[child]))
            child++;
        if (!better(&planner->heap[child], &last)) break;
        planner->heap[i] = planner->heap[child];
        i = child;
    }
    planner->heap[i] = last;
    return top;
}

/* Where in the index `key` is, or the free entry where it would go. */
static uint32_t *find(const pare_planner *planner, pare_digest key)
{
    size_t i = (size_t)(key.low ^ key.high >> 7) & planner->index_mask;
    while (planner->index[i] &&
           !pare_digest_equal(planner->wanted[planner->index[i] - 1].future->key, key))
        i = (i + 1) & planner->index_mask;
    return &planner->index[i];
}

pare_want *pare_planner_find(const pare_planner *planner, pare_digest key)
{
    uint32_t place = *find(planner, key);
    return place ? &planner->wanted[place - 1] : NULL;
}

/* Adds a future unless the same candidate is wanted already. */
static void want(pare_planner *planner, const pare_future *future)
{
    uint32_t *place = find(planner, future->key);
    if (*place) return;
    planner->wanted[planner->n_wanted++] = (pare_want){.future = future};
    *place = (uint32_t)planner->n_wanted;
}

static pare_status push_after(pare_planner *planner, const pare_path *path, pare_future *future,
                              pare_outcome outcome, double rate, pare_error *err)
{
    return push(planner,
                (pare_path){.probability = path->probability * rate,
                            .parent = future,
                            .outcome = outcome,
                            .context = context_after(path->context, outcome)},
                err);
}

/* Looks at the future that `path` leads to: wants it, and pushes what may follow. */
static pare_status look(pare_planner *planner, const pare_path *path,
                        const pare_predictor *predictor, pare_cache *cache, pare_future_keys *keys,
                        pare_error *err)
{
    pare_future *future = path->parent;
    pare_status status = PARE_OK;
    if (path->outcome != PARE_NO_OUTCOME)
        status = pare_future_after(path->parent, path->outcome, keys, &future, err);
    if (status || future->done) return status;
    const pare_known *known = pare_cache_get(cache, future->key);
    if (known)
        return push_after(planner, path, future, pare_future_told(future, known->outcome), 1.0,
                          err);
    want(planner, future);
    double rate = predicted(predictor, path->context, future);
    status = push_after(planner, path, future, PARE_PASS, 1 - rate, err);
    if (!status) status = push_after(planner, path, future, PARE_FAIL, rate, err);
    return status;
}

/* Empties the plan and sees to it that `slots` tests may be wanted. */
static pare_status make_room(pare_planner *planner, size_t slots, pare_error *err)
{
    planner->n_heap = 0;
    planner->n_wanted = 0;
    if (slots > planner->wanted_capacity || !planner->index) {
        size_t n_index = 2;
        while (n_index < 2 * slots)
            n_index *= 2;
        pare_want *wanted = pare_resize(planner->wanted, slots, sizeof *wanted);
        if (!wanted) return pare_fail_nomem(err);
        planner->wanted = wanted;
        uint32_t *index = pare_resize(planner->index, n_index, sizeof *index);
        if (!index) return pare_fail_nomem(err);
        planner->index = index;
        planner->index_mask = n_index - 1;
        planner->wanted_capacity = slots;
    }
    memset(planner->index, 0, (planner->index_mask + 1) * sizeof *planner->index);
    return PARE_OK;
}

/* Whether there is a future to look at. */
static bool is_worth(const pare_planner *planner, const pare_scope *scope)
{
    return planner->n_heap && planner->n_wanted < scope->slots &&
           planner->heap[0].probability >= scope->least;
}

pare_status pare_planner_plan(pare_planner *planner, pare_future *root,
                              const pare_predictor *predictor, pare_cache *cache,
                              pare_future_keys *keys, const pare_scope *scope, pare_error *err)
{
    pare_status status = make_room(planner, scope->slots, err);
    if (!status)
        status =
            push(planner,
                 (pare_path){.probability = 1, .parent = root, .context = predictor->context}, err);
    /* Futures that repeat a wanted candidate, or end, cost a look and give nothing. */
    size_t looks = scope->slots * 8 + 64;
    while (!status && is_worth(planner, scope) && looks-- > 0) {
        pare_path path = pop(planner);
        status = look(planner, &path, predictor, cache, keys, err);
    }
    return status;
}
