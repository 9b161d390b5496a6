/* Speculation: best-first exploration of futures.
 *
 * Invariants: a future that is not done holds the candidate that its state gave last, so its
 * state may be told an outcome of it.  The heap holds paths whose parent is in the tree of
 * the root; its first is the most probable one.  The index finds every place of `wanted`.
 *
 * Best-first and not depth-first along the most probable path (as DustMite looks ahead):
 * where success is as likely as not, both sides of a branch are worth a slot.  A plan is
 * made anew after each verdict; that costs O(slots) look-ups, because futures that were
 * looked at before are kept in the tree. */
#include "engine/speculate.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/heap.h"
#include "base/vector.h"
#include "text/candidate.h"
#include "text/text.h"

/* ---- futures ------------------------------------------------------------------------ */

/* Asks the state of `future` for its candidate. */
static pare_status ask(pare_future *future, pare_future_keys *keys, pare_error *err)
{
    pare_next what = PARE_NEXT_DONE;
    pare_status status = future->state->ops->next(future->state, &what, &future->candidate, err);
    if (status) return status;
    future->done = what == PARE_NEXT_DONE;
    if (future->done) return PARE_OK;
    future->key = pare_candidate_digest(&future->candidate);
    /* Without a cache two futures with the same candidate must not share an outcome. */
    if (keys->unique) future->key.high += ++keys->next * UINT64_C(0x9e3779b97f4a7c15);
    return PARE_OK;
}

/* Takes `state` over, also on failure. */
pare_status pare_speculate_new(pare_strategy *state, pare_future_keys *keys, pare_future **out,
                               pare_error *err)
{
    pare_future *future = pare_alloc_zero(1, sizeof *future);
    if (!future) {
        pare_strategy_free(state);
        return pare_fail_nomem(err);
    }
    future->state = state;
    pare_status status = ask(future, keys, err);
    if (status) {
        pare_speculate_free(future);
        return status;
    }
    *out = future;
    return PARE_OK;
}

/* Frees one future and hangs its successors before `rest`, linked by after[0]. */
static pare_future *free_one(pare_future *future, pare_future *rest)
{
    for (int outcome = PARE_FAIL; outcome <= PARE_UNRESOLVED; outcome++) {
        pare_future *next = future->after[outcome];
        if (!next) continue;
        next->after[PARE_NO_OUTCOME] = rest;
        rest = next;
    }
    pare_strategy_free(future->state);
    pare_candidate_done(&future->candidate);
    pare_alloc_free(future);
    return rest;
}

/* Without recursion: a tree along one probable path may be thousands deep. */
void pare_speculate_free(pare_future *future)
{
    while (future)
        future = free_one(future, future->after[PARE_NO_OUTCOME]);
}

/* What a strategy hears: one that knows two outcomes takes UNRESOLVED for PASS, as in ddmin. */
pare_outcome pare_speculate_told(const pare_future *future, pare_outcome outcome)
{
    if (outcome == PARE_UNRESOLVED && !future->state->three_valued) return PARE_PASS;
    return outcome;
}

/* The future after `outcome`, made at the first call from a copy of the state and kept in the
 * tree. */
pare_status pare_speculate_after(pare_future *future, pare_outcome outcome, pare_future_keys *keys,
                                 pare_future **out, pare_error *err)
{
    if (!future->after[outcome]) {
        pare_strategy *copy = NULL;
        pare_status status = future->state->ops->copy(future->state, &copy, err);
        if (status) return status;
        status = copy->ops->tell(copy, outcome, err);
        if (status) {
            pare_strategy_free(copy);
            return status;
        }
        status = pare_speculate_new(copy, keys, &future->after[outcome], err);
        if (status) return status;
    }
    *out = future->after[outcome];
    return PARE_OK;
}

/* Forgets what would have followed. */
static void free_successors(pare_future *future)
{
    for (int outcome = PARE_FAIL; outcome <= PARE_UNRESOLVED; outcome++) {
        pare_speculate_free(future->after[outcome]);
        future->after[outcome] = NULL;
    }
}

/* The outcome is true: its future is the root, and all others are given up. */
pare_status pare_speculate_advance(pare_future **root, pare_outcome outcome, pare_future_keys *keys,
                                   pare_error *err)
{
    pare_future *now = *root;
    assert(!now->done && outcome != PARE_NO_OUTCOME);
    pare_future *next = now->after[outcome];
    if (next) {
        now->after[outcome] = NULL;
        *root = next;
        pare_speculate_free(now);
        return PARE_OK;
    }
    /* Nobody looked ahead along this outcome: the true state itself moves on. */
    free_successors(now);
    pare_status status = now->state->ops->tell(now->state, outcome, err);
    if (!status) status = ask(now, keys, err);
    return status;
}

/* ---- prediction --------------------------------------------------------------------- */

static const double FIRST_RATE = 0.3; /* as in the simulation, see docs/design/sources.md */
static const double LEARNING = 0.05;
static const double FADING = 0.93;     /* of what was seen of a size, for each outcome */
static const double PRIOR = 8;         /* outcomes that the rate over all sizes counts for */
static const double LEAST_RATE = 0.02; /* never rule a future out */

void pare_speculate_init(pare_predictor *predictor)
{
    *predictor = (pare_predictor){.context = 0};
    for (int i = 0; i < 4; i++)
        predictor->fail_rate[i] = FIRST_RATE;
}

/* The last two outcomes as two bits: runs of successes and of failures are common, so they predict
 * well. */
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

/* Learns from what retires only, never from what was speculated, so predictions do not depend on
 * the number of slots or on timing. */
void pare_speculate_learn(pare_predictor *predictor, const pare_future *root, pare_outcome outcome)
{
    double failed = outcome == PARE_FAIL ? 1 : 0;
    double *rate = &predictor->fail_rate[predictor->context];
    pare_recent *recent = &predictor->by_size[predictor->context][size_class(root)];
    *rate += LEARNING * (failed - *rate);
    recent->fails = recent->fails * FADING + failed;
    recent->n = recent->n * FADING + 1;
    predictor->context = context_after(predictor->context, outcome);
}

/* Probability of FAIL: the rate of candidates that remove about as much, drawn towards that of all
 * sizes as long as few were seen.  A strategy that can tell is asked instead. */
static double predicted(const pare_predictor *predictor, unsigned context,
                        const pare_future *future)
{
    const pare_recent *recent = &predictor->by_size[context][size_class(future)];
    /* A mean of both, in which the general rate weighs as much as PRIOR outcomes. */
    double rate = (recent->fails + PRIOR * predictor->fail_rate[context]) / (recent->n + PRIOR);
    const pare_strategy_ops *ops = future->state->ops;
    if (ops->chance) rate = ops->chance(future->state);
    if (rate < LEAST_RATE) return LEAST_RATE;
    return rate > 1 - LEAST_RATE ? 1 - LEAST_RATE : rate;
}

/* ---- planning ----------------------------------------------------------------------- */

void pare_speculate_done(pare_planner *planner)
{
    pare_alloc_free(planner->heap);
    pare_alloc_free(planner->wanted);
    pare_hash_index_done(&planner->index);
    *planner = (pare_planner){0};
}

/* The more probable path first; of equal ones that which was pushed first. */
static bool is_before(const void *left, const void *right, const void *context)
{
    const pare_path *a = left, *b = right;
    (void)context;
    if (a->probability > b->probability) return true;
    return !(a->probability < b->probability) && a->order < b->order;
}

static const pare_heap_order by_probability = {sizeof(pare_path), is_before, NULL};

static pare_status push(pare_planner *planner, pare_path path, pare_error *err)
{
    pare_path *heap =
        pare_vector_grow(planner->heap, planner->n_heap, &planner->heap_capacity, sizeof *heap);
    if (!heap) return pare_fail_nomem(err);
    planner->heap = heap;
    path.order = planner->order++;
    pare_heap_push(&by_probability, heap, planner->n_heap++, &path);
    return PARE_OK;
}

/* Takes the most probable path; there must be one. */
static pare_path pop(pare_planner *planner)
{
    pare_path path;
    assert(planner->n_heap > 0);
    pare_heap_pop(&by_probability, planner->heap, planner->n_heap--, &path);
    return path;
}

/* The want with this key; NULL: it is not wanted.  O(1). */
pare_want *pare_speculate_find(const pare_planner *planner, pare_digest key)
{
    uint32_t place;
    pare_hash_probe probe = pare_hash_index_probe(&planner->index, key.low);
    while (pare_hash_index_next(&planner->index, &probe, &place))
        if (pare_digest_equal(planner->wanted[place].future->key, key))
            return &planner->wanted[place];
    return NULL;
}

/* Adds a future unless the same candidate is wanted already; there is room for it. */
static pare_status want(pare_planner *planner, const pare_future *future, pare_error *err)
{
    if (pare_speculate_find(planner, future->key)) return PARE_OK;
    assert(planner->n_wanted < planner->wanted_capacity);
    uint32_t place = (uint32_t)planner->n_wanted;
    planner->wanted[planner->n_wanted++] = (pare_want){.future = future};
    return pare_hash_index_add(&planner->index, future->key.low, place, err);
}

/* A path is as probable as the one before it times the rate of its outcome. */
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
                        const pare_plan_request *request, pare_error *err)
{
    pare_future *future = path->parent;
    pare_status status = PARE_OK;
    if (path->outcome != PARE_NO_OUTCOME)
        status = pare_speculate_after(path->parent, path->outcome, request->keys, &future, err);
    if (status || future->done) return status;
    const pare_known *known = pare_cache_get(request->cache, future->key);
    if (known)
        return push_after(planner, path, future, pare_speculate_told(future, known->outcome), 1.0,
                          err);
    double rate = predicted(request->predictor, path->context, future);
    status = want(planner, future, err);
    if (!status) status = push_after(planner, path, future, PARE_PASS, 1 - rate, err);
    if (!status) status = push_after(planner, path, future, PARE_FAIL, rate, err);
    return status;
}

/* Empties the plan and makes room for `slots` wanted tests. */
static pare_status make_room(pare_planner *planner, size_t slots, pare_error *err)
{
    pare_want *wanted =
        pare_vector_reserve(planner->wanted, &planner->wanted_capacity, slots, sizeof *wanted);
    if (!wanted) return pare_fail_nomem(err);
    planner->wanted = wanted;
    planner->n_heap = 0;
    planner->n_wanted = 0;
    pare_hash_index_reset(&planner->index);
    return PARE_OK;
}

/* Whether there is a future to look at. */
static bool is_worth(const pare_planner *planner, const pare_plan_request *request)
{
    return planner->n_heap && planner->n_wanted < request->slots &&
           planner->heap[0].probability >= request->least;
}

/* Fills `wanted` with the most probable tests, at most one for each slot, the root's first. */
pare_status pare_speculate_plan(pare_planner *planner, pare_future *root,
                                const pare_plan_request *request, pare_error *err)
{
    pare_status status = make_room(planner, request->slots, err);
    if (!status)
        status = push(
            planner,
            (pare_path){.probability = 1, .parent = root, .context = request->predictor->context},
            err);
    /* Futures that repeat a wanted candidate, or end, cost a look and give nothing. */
    size_t looks = request->slots * 8 + 64;
    while (!status && is_worth(planner, request) && looks-- > 0) {
        pare_path path = pop(planner);
        status = look(planner, &path, request, err);
    }
    return status;
}
