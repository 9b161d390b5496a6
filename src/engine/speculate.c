/* Speculation: the loop that runs a strategy, with tests started along predicted outcomes.
 *
 * The loop: retire what is known, plan what is worth testing, start and cancel accordingly,
 * wait for one verdict, and again.  A plan is the best-first exploration of futures
 * (engine/speculate.h).  Best-first and not depth-first along the most probable path (as
 * DustMite looks ahead): where success is as likely as not, both sides of a branch are worth
 * a slot.  A plan is made anew after each verdict instead of being mended, so it cannot get
 * out of step with the strategy; that costs O(slots) look-ups, because futures that were
 * looked at before are kept in the tree.
 *
 * Invariants: outcomes retire in the order of the strategy, whatever the order in which tests
 * end, so the number of slots changes no step.  A future that is not done holds the candidate
 * that its state gave last, so its state may be told an outcome of it.  The heap holds paths
 * whose parent is in the tree of the root; its first is the most probable one.  The index
 * finds every place of `wanted`.
 * Source: docs/design/architecture.md; DustMite (docs/design/sources.md). */

#include "engine/speculate.h"

#include <assert.h>
#include <math.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/heap.h"
#include "base/vector.h"
#include "engine/cache.h"
#include "engine/engine.h"
#include "engine/engine_internal.h"
#include "engine/heard.h"
#include "engine/strategy.h"
#include "os/clock.h"
#include "run/complaints.h"
#include "run/oracle.h"
#include "text/candidate.h"
#include "text/text.h"

/* One state that the strategy may come to, with the candidate that it proposes there. */
struct future {
    pare_strategy *state;                      /* owned; has been asked for its candidate */
    bool done;                                 /* the strategy ends here: there is no candidate */
    pare_candidate candidate;                  /* unless done */
    pare_digest key;                           /* where the candidate's outcome will be found */
    struct future *after[PARE_UNRESOLVED + 1]; /* owned; by outcome; NULL: not looked at yet */
    bool deaf[PARE_UNRESOLVED + 1]; /* that future was made before it was known what its state
                                       would hear */
};

/* An entry of the planner's queue: the future that follows if `parent` gets `outcome`, or `parent`
 * itself for PARE_NO_OUTCOME. The future is made only when the path is looked at: most paths never
 * are. */
struct path {
    double probability;
    uint64_t order; /* breaks ties: first pushed, first looked at */
    struct future *parent;
    pare_outcome outcome;
    unsigned context; /* the two outcomes before, as in the predictor */
};

/* One test that the plan wants. */
struct want {
    const struct future *future; /* valid until the root advances */
    double probability;          /* that it is needed; those before it have a higher one */
    bool running;                /* a slot is testing it */
};

/* What a plan is made from: predictions, what is known, and how much may be wanted.  All
 * borrowed for the call. */
struct plan_request {
    const pare_engine *engine;
    const pare_predictor *predictor;
    pare_cache *cache;       /* candidates whose outcome it has are not wanted */
    const pare_heard *heard; /* what candidates complained of; NULL: the oracle cannot tell */
    pare_future_keys *keys;
    size_t slots; /* most futures that may be wanted, from 1 */
    double least; /* probability that each must have, 0 .. 1 */
};

/* ---- futures ------------------------------------------------------------------------ */

/* Asks the state of `future` for its candidate, and makes the key under which its outcome is
 * found. A strategy gives the same candidate until it is told an outcome, so this is done once. */
static pare_status ask(struct future *future, pare_future_keys *keys, pare_error *err)
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

/* Frees one future and puts its successors in front of `rest`, a list linked by after[0]. Returns
 * the new list. */
static struct future *free_one(struct future *future, struct future *rest)
{
    for (int outcome = PARE_FAIL; outcome <= PARE_UNRESOLVED; outcome++) {
        struct future *next = future->after[outcome];
        if (!next) continue;
        next->after[PARE_NO_OUTCOME] = rest;
        rest = next;
    }
    pare_strategy_free(future->state);
    pare_candidate_done(&future->candidate);
    pare_alloc_free(future);
    return rest;
}

/* Frees the tree below `future`. Without recursion: along one probable path it may be thousands
 * deep. */
static void future_free(struct future *future)
{
    while (future)
        future = free_one(future, future->after[PARE_NO_OUTCOME]);
}

/* Takes `state` over, also on failure. */
static pare_status future_new(pare_strategy *state, pare_future_keys *keys, struct future **out,
                              pare_error *err)
{
    struct future *future = pare_alloc_zero(1, sizeof *future);
    if (!future) {
        pare_strategy_free(state);
        return pare_fail_nomem(err);
    }
    future->state = state;
    pare_status status = ask(future, keys, err);
    if (status) {
        future_free(future);
        return status;
    }
    *out = future;
    return PARE_OK;
}

/* The outcome, as it counts now (pare_engine_counts_as), as the strategy is told it. One that knows
 * only two outcomes takes UNRESOLVED for PASS, as in ddmin. */
static pare_outcome told_to(const struct future *future, pare_outcome outcome)
{
    if (outcome == PARE_UNRESOLVED && !future->state->three_valued) return PARE_PASS;
    return outcome;
}

/* Whether the state of `future` has to be told what the test complained of (compiler errors, say),
 * if its candidate has `outcome`. As long as the outcome is only predicted there is nothing to
 * tell, and the state is treated as if its candidate had compiled without complaints. */
static bool is_to_hear(const struct future *future, pare_outcome outcome, const pare_heard *heard)
{
    const pare_strategy *state = future->state;
    return heard && state->hears && state->ops->hear &&
           (outcome != PARE_FAIL || state->hears_fails);
}

/* Whether there are complaints to tell: errors, or for a candidate that fails, any place in the
 * text that was mentioned. */
static bool is_said(const struct future *future, pare_outcome outcome, const pare_heard *heard)
{
    pare_heard_what what = pare_heard_of(heard, future->key);
    return what == PARE_HEARD_COMPLAINTS || (what == PARE_HEARD_COMPILES && outcome == PARE_FAIL);
}

/* Tells `state`, which is that of `future` or a copy of it, the complaints about its candidate, as
 * far as they are known, and then the outcome. */
static pare_status tell(pare_strategy *state, const struct future *future, pare_outcome outcome,
                        const pare_heard *heard, pare_error *err)
{
    pare_status status = PARE_OK;
    if (is_to_hear(future, outcome, heard) && is_said(future, outcome, heard)) {
        pare_complaints complaints;
        pare_heard_get(heard, future->key, &complaints);
        status = state->ops->hear(state, &complaints, err);
    }
    return status ? status : state->ops->tell(state, outcome, err);
}

/* Drops the future after `outcome` if it was made before the complaints about the candidate were
 * known, and they would have been told. The state in it did not hear them, so it is not the state
 * that the strategy will really come to. */
static void drop_deaf(struct future *future, pare_outcome outcome, const pare_heard *heard)
{
    if (!future->after[outcome] || !future->deaf[outcome] || !is_to_hear(future, outcome, heard) ||
        !is_said(future, outcome, heard))
        return;
    future_free(future->after[outcome]);
    future->after[outcome] = NULL;
}

/* The outcome of the future's candidate, or NULL as long as something is missing that its state has
 * to be told: for a strategy that hears complaints an outcome is not enough if nobody listened to
 * that test. */
static pare_known *known_of(const struct future *future, pare_cache *cache, const pare_heard *heard)
{
    pare_known *known = pare_cache_get(cache, future->key);
    bool enough = !known || !is_to_hear(future, known->outcome, heard) ||
                  pare_heard_of(heard, future->key) != PARE_HEARD_NOT;
    return enough ? known : NULL;
}

/* The future after `outcome`, made at the first call from a copy of the state and kept in the
 * tree. */
static pare_status future_after(struct future *future, pare_outcome outcome, pare_future_keys *keys,
                                const pare_heard *heard, struct future **out, pare_error *err)
{
    drop_deaf(future, outcome, heard);
    if (!future->after[outcome]) {
        pare_strategy *copy = NULL;
        pare_status status = future->state->ops->copy(future->state, &copy, err);
        if (status) return status;
        status = tell(copy, future, outcome, heard, err);
        if (status) {
            pare_strategy_free(copy);
            return status;
        }
        future->deaf[outcome] = is_to_hear(future, outcome, heard) &&
                                pare_heard_of(heard, future->key) == PARE_HEARD_NOT;
        status = future_new(copy, keys, &future->after[outcome], err);
        if (status) return status;
    }
    *out = future->after[outcome];
    return PARE_OK;
}

/* Forgets what would have followed. */
static void free_successors(struct future *future)
{
    for (int outcome = PARE_FAIL; outcome <= PARE_UNRESOLVED; outcome++) {
        future_free(future->after[outcome]);
        future->after[outcome] = NULL;
    }
}

/* `outcome` is now known to be true: the future after it becomes the root, and all others are
 * freed. */
static pare_status advance(struct future **root, pare_outcome outcome, pare_future_keys *keys,
                           const pare_heard *heard, pare_error *err)
{
    struct future *now = *root;
    assert(!now->done && outcome != PARE_NO_OUTCOME);
    drop_deaf(now, outcome, heard);
    /* The common case with many slots: somebody looked ahead along this outcome already. */
    struct future *next = now->after[outcome];
    if (next) {
        now->after[outcome] = NULL;
        *root = next;
        future_free(now);
        return PARE_OK;
    }
    /* Nobody looked ahead along this outcome: the true state itself moves on. */
    free_successors(now);
    pare_status status = tell(now->state, now, outcome, heard, err);
    if (!status) status = ask(now, keys, err);
    return status;
}

/* ---- prediction --------------------------------------------------------------------- */

static const double FIRST_RATE = 0.3; /* as in the simulation, see docs/design/sources.md */
static const double LEARNING = 0.05;
static const double FADING = 0.93;     /* of what was seen of a size, for each outcome */
static const double PRIOR = 8;         /* outcomes that the rate over all sizes counts for */
static const double LEAST_RATE = 0.02; /* never rule a future out */

/* All rates begin at the one that the simulation of docs/design/parallel.md assumes. */
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

/* The class of a candidate by how much it removes: the number of bits of its removed bytes (1, 2-3,
 * 4-7, ... bytes). Rates of success are kept for each class, because small removals succeed more
 * often than large ones. */
static unsigned size_class(const struct future *future)
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
static void learn(pare_predictor *predictor, const struct future *root, pare_outcome outcome)
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
                        const struct future *future)
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

/* The tree of futures belongs to the run; the planner only points into it. */
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
    const struct path *a = left, *b = right;
    (void)context;
    if (a->probability > b->probability) return true;
    return !(a->probability < b->probability) && a->order < b->order;
}

static const pare_heap_order by_probability = {sizeof(struct path), is_before, NULL};

/* Numbers the path, so that of equally probable ones the first pushed is the first looked at. */
static pare_status push(pare_planner *planner, struct path path, pare_error *err)
{
    struct path *heap =
        pare_vector_grow(planner->heap, planner->n_heap, &planner->heap_capacity, sizeof *heap);
    if (!heap) return pare_fail_nomem(err);
    planner->heap = heap;
    path.order = planner->order++;
    pare_heap_push(&by_probability, heap, planner->n_heap++, &path);
    return PARE_OK;
}

/* Takes the most probable path; there must be one. */
static struct path pop(pare_planner *planner)
{
    struct path path;
    assert(planner->n_heap > 0);
    pare_heap_pop(&by_probability, planner->heap, planner->n_heap--, &path);
    return path;
}

/* The want with this key; NULL: it is not wanted.  O(1). */
static struct want *find_want(const pare_planner *planner, pare_digest key)
{
    uint32_t place;
    pare_hash_probe probe = pare_hash_index_probe(&planner->index, key.low);
    while (pare_hash_index_next(&planner->index, &probe, &place))
        if (pare_digest_equal(planner->wanted[place].future->key, key))
            return &planner->wanted[place];
    return NULL;
}

/* Adds a future unless the same candidate is wanted already; there is room for it. */
static pare_status add_want(pare_planner *planner, const struct future *future, double probability,
                            pare_error *err)
{
    if (find_want(planner, future->key)) return PARE_OK;
    assert(planner->n_wanted < planner->wanted_capacity);
    uint32_t place = (uint32_t)planner->n_wanted;
    planner->wanted[planner->n_wanted++] =
        (struct want){.future = future, .probability = probability};
    return pare_hash_index_add(&planner->index, future->key.low, place, err);
}

/* A path is as probable as the one before it times the rate of its outcome. */
static pare_status push_after(pare_planner *planner, const struct path *path, struct future *future,
                              pare_outcome outcome, double rate, pare_error *err)
{
    return push(planner,
                (struct path){.probability = path->probability * rate,
                              .parent = future,
                              .outcome = outcome,
                              .context = context_after(path->context, outcome)},
                err);
}

/* Looks at the future that `path` leads to: wants it, and pushes what may follow. */
static pare_status look(pare_planner *planner, const struct path *path,
                        const struct plan_request *request, pare_error *err)
{
    struct future *future = path->parent;
    pare_status status = PARE_OK;
    if (path->outcome != PARE_NO_OUTCOME)
        status =
            future_after(path->parent, path->outcome, request->keys, request->heard, &future, err);
    if (status || future->done) return status;
    const pare_known *known = known_of(future, request->cache, request->heard);
    if (known) {
        const pare_outcome counts = pare_engine_counts_as(request->engine, known->outcome);
        return push_after(planner, path, future, told_to(future, counts), 1.0, err);
    }
    double rate = predicted(request->predictor, path->context, future);
    status = add_want(planner, future, path->probability, err);
    if (!status) status = push_after(planner, path, future, PARE_PASS, 1 - rate, err);
    if (!status) status = push_after(planner, path, future, PARE_FAIL, rate, err);
    return status;
}

/* Empties the plan and makes room for `slots` wanted tests. */
static pare_status make_room(pare_planner *planner, size_t slots, pare_error *err)
{
    struct want *wanted =
        pare_vector_reserve(planner->wanted, &planner->wanted_capacity, slots, sizeof *wanted);
    if (!wanted) return pare_fail_nomem(err);
    planner->wanted = wanted;
    planner->n_heap = 0;
    planner->n_wanted = 0;
    pare_hash_index_reset(&planner->index);
    return PARE_OK;
}

/* Whether another future is to be looked at: a path is left, there is room in the plan, and the
 * best path is probable enough. */
static bool is_worth(const pare_planner *planner, const struct plan_request *request)
{
    return planner->n_heap && planner->n_wanted < request->slots &&
           planner->heap[0].probability >= request->least;
}

/* Fills `wanted` with the most probable tests, at most one for each slot, the root's first. */
static pare_status make_plan(pare_planner *planner, struct future *root,
                             const struct plan_request *request, pare_error *err)
{
    pare_status status = make_room(planner, request->slots, err);
    if (!status)
        status = push(
            planner,
            (struct path){.probability = 1, .parent = root, .context = request->predictor->context},
            err);
    /* Futures that repeat a candidate that is wanted already, or at which the strategy ends, take a
     * look and add no test; so looks are limited as well. */
    size_t looks = request->slots * 8 + 64;
    while (!status && is_worth(planner, request) && looks-- > 0) {
        struct path path = pop(planner);
        status = look(planner, &path, request, err);
    }
    return status;
}

/* ---- the loop ------------------------------------------------------------------------ */

/* Accepts what the strategy says is its best, when that has changed. */
static pare_status accept_own(pare_engine *engine, const pare_strategy *state, pare_known known,
                              pare_retired *retired, pare_error *err)
{
    pare_candidate best = {0};
    pare_status status = state->ops->best(state, &best, err);
    if (!status && engine->uphill.away) { /* from there only what is smaller comes back */
        /* On a blind search it may be an earlier text, of which only that it counts is known. */
        const bool is_this = pare_digest_equal(pare_candidate_digest(&best), retired->digest);
        const pare_outcome outcome = !engine->uphill.most_blind ? PARE_FAIL
                                     : is_this                  ? known.outcome
                                                                : PARE_UNRESOLVED;
        pare_known fails = {.outcome = outcome, .journaled = known.journaled};
        status = pare_engine_accept_smaller(engine, &best, true, fails, retired, err);
    } else if (!status && !pare_digest_equal(pare_candidate_digest(&best),
                                             pare_candidate_digest(&engine->best))) {
        retired->accepted = true;
        status = pare_engine_accept(engine, &best, known.journaled, err);
    }
    pare_candidate_done(&best);
    return status;
}

/* The record of complaints, or NULL if tests are not listened to. */
static const pare_heard *heard_by(const pare_engine *engine)
{
    return engine->is_deaf ? NULL : &engine->heard;
}

/* Counts how often candidates compile, for strategies that hear complaints: those proposals were made to compile, and
 * the user is told how many did.  *rejected: this one counts as one that does not, unless the strategy excuses what is
 * said of it. */
static void count_compiled(pare_engine *engine, const struct future *now, pare_outcome outcome,
                           bool *rejected)
{
    const pare_heard *heard = heard_by(engine);
    *rejected = false;
    if (!heard || !now->state->hears || !now->state->ops->hear || now->state->asks) return;
    pare_heard_what what = pare_heard_of(heard, now->key);
    bool fails = outcome == PARE_FAIL;
    *rejected = !fails && what == PARE_HEARD_COMPLAINTS;
    engine->stats.heard_fails += fails;
    engine->stats.told += !fails && (*rejected || what == PARE_HEARD_COMPILES);
}

/* Retires the outcome of the root, which is known. */
static pare_status retire(pare_engine *engine, struct future **root, pare_known known,
                          pare_error *err)
{
    struct future *now = *root;
    assert(!now->done);
    /* Advancing may free `now`, so what is needed of it afterwards is taken here. */
    pare_digest key = now->key;
    pare_retired retired = {.digest = pare_candidate_digest(&now->candidate),
                            .size_bytes = pare_engine_content_bytes(engine, &now->candidate)};
    /* The strategy may know two outcomes only; statistics and trace get the true one. */
    const pare_outcome counts = pare_engine_counts_as(engine, known.outcome);
    pare_outcome told = told_to(now, counts);
    /* A strategy with a best of its own is asked for it after it was told. */
    bool own_best = now->state->ops->best != NULL;
    pare_status status = PARE_OK;
    learn(&engine->predictor, now, told);
    bool rejected;
    count_compiled(engine, now, known.outcome, &rejected);
    status = pare_engine_accept_other(engine, &now->candidate, known, err);
    if (!status && !own_best)
        status = pare_engine_accept_smaller(engine, &now->candidate, now->state->ordered, known,
                                            &retired, err);
    if (status) return status;
    status = advance(root, told, &engine->keys, heard_by(engine), err);
    if (!status) engine->stats.rejected += rejected && !(*root)->state->excused;
    if (!status && own_best) status = accept_own(engine, (*root)->state, known, &retired, err);
    if (status) return status;
    pare_engine_announce(engine, &retired, &known);
    pare_known *entry = pare_cache_get(engine->cache, key);
    /* The cache may have dropped it meanwhile. */
    if (entry) entry->retired = true;
    if (counts == PARE_FAIL && (*root)->state->ops->settle)
        status = (*root)->state->ops->settle((*root)->state, err);
    return status;
}

/* As retire, and announces the strategy's passing side where that has moved. Only strategies that
 * narrow a difference from both sides (dd) have one. */
static pare_status retire_telling(pare_engine *engine, struct future **root, pare_known known,
                                  pare_error *err)
{
    if (!engine->options.passing || !(*root)->state->ops->passing)
        return retire(engine, root, known, err);
    pare_candidate before = {0}, after = {0};
    pare_status status = (*root)->state->ops->passing((*root)->state, &before, err);
    if (!status) status = retire(engine, root, known, err);
    if (!status) status = (*root)->state->ops->passing((*root)->state, &after, err);
    if (!status &&
        !pare_digest_equal(pare_candidate_digest(&before), pare_candidate_digest(&after)))
        engine->options.passing(engine->options.context, engine->stats.retired - 1, &after);
    pare_candidate_done(&before);
    pare_candidate_done(&after);
    return status;
}

/* Retires, in the strategy's order, every outcome that is known by now. *decision says whether the
 * run ends here, and why. */
static pare_status retire_known(pare_engine *engine, struct future **root, pare_decision *decision,
                                pare_error *err)
{
    for (;;) {
        *decision = (pare_decision){(*root)->done, PARE_END_DONE};
        if (decision->end) return PARE_OK;
        *decision = pare_engine_budget(engine);
        if (decision->end) return PARE_OK;
        /* Not known yet: its test runs, or will be planned. */
        const pare_known *known = known_of(*root, engine->cache, heard_by(engine));
        if (!known) return PARE_OK;
        pare_status status = retire_telling(engine, root, *known, err);
        if (status) return status;
    }
}

/* Starting a process takes time in which no verdict is heard.  So where starts are costly
 * a verdict is looked for after each, and the plan made again; and a test is started on
 * speculation only if what it is likely to save is more than what it costs: see
 * least_probability.  The factor was measured with processes that sleep 20 ms, at 64
 * slots on two busy cores (docs/lab/benchmarks.md). */
static const double COST_OF_START = 5; /* of a process and its end, in times of starting */

/* For how long the root's test has run, in ms; 0: it does not run yet. */
static double age_ms(const pare_engine *engine, const struct future *root)
{
    for (unsigned i = 0; i < engine->n_slots; i++) {
        const pare_engine_job *job = &engine->jobs[i];
        if (job->state == JOB_RUNNING && pare_digest_equal(job->key, root->key))
            return (double)(pare_clock_ns() - job->start_ns) / 1e6;
    }
    return 0;
}

/* What the root's test is expected to take, in ms.  One that takes longer than tests do is expected
 * to go on for as long as it has run. */
static double expected_ms(const pare_engine *engine, double age)
{
    return age < engine->test_ms ? engine->test_ms : 2 * age;
}

/* What starting a test costs, in ms beyond PARE_FREE_START_MS, which is not noticed; negative if it
 * is less. Where other machines have useful slots, tests are sent and started there. Their cost of
 * a start counts at most as much as a local one: if it once looked high, nothing would be sent any
 * more, and nobody would learn that it has fallen. */
static double start_cost_ms(const pare_engine *engine)
{
    const pare_oracle *oracle = engine->options.oracle;
    const double *start_ms = engine->start_ms;
    if (!oracle->n_here || oracle->n_useful <= oracle->n_here)
        return start_ms[0] - PARE_FREE_START_MS;
    double there_ms = fmin(engine->start_there_ms, start_ms[0]);
    return fmax(there_ms, start_ms[1]) - PARE_FREE_START_MS;
}

/* The least probability of being needed with which a test is started on speculation. A speculated
 * test saves at most the duration of the root's test and costs a start and an end, so it pays if
 * probability * duration > cost. 0 where starts cost nothing; 1, which is the root alone, where
 * they cost more than a test takes. */
static double least_probability(const pare_engine *engine, double age)
{
    double cost_ms = start_cost_ms(engine);
    if (cost_ms <= 0 || engine->test_ms <= 0) return 0;
    double least = COST_OF_START * cost_ms / expected_ms(engine, age);
    return least < 1 ? least : 1;
}

/* After how many ms to plan again although no verdict came; 0: not. least_probability falls as the
 * root's test takes longer than expected, so tests that were not worth a slot may become so. */
static int64_t replan_ms(const pare_engine *engine, const struct future *root, double least)
{
    if (least <= 0 || engine->stats.slots_busy >= pare_slots_useful(engine)) return 0;
    double age = age_ms(engine, root);
    return (int64_t)(expected_ms(engine, age) - age) + 1;
}

/* Compares what runs with the plan: cancels the tests that it does not want. */
static void cancel_unwanted(pare_engine *engine)
{
    for (unsigned i = 0; i < engine->n_slots; i++) {
        if (engine->jobs[i].state != JOB_RUNNING) continue;
        struct want *want = find_want(&engine->planner, engine->jobs[i].key);
        if (want)
            want->running = true;
        else
            pare_slots_cancel(engine, i);
    }
}

/* The first wanted test that does not run yet, from place *at on; NULL: there is none. */
static struct want *next_to_start(const pare_engine *engine, size_t *at)
{
    const pare_planner *planner = &engine->planner;
    while (*at < planner->n_wanted && planner->wanted[*at].running)
        ++*at;
    return *at < planner->n_wanted ? &planner->wanted[(*at)++] : NULL;
}

/* Which complaints of its candidates the strategy wants to hear. */
static pare_listening wanted_by(const pare_strategy *strategy)
{
    if (!strategy->hears) return PARE_LISTEN_NOT;
    return strategy->hears_fails ? PARE_LISTEN_ALL : PARE_LISTEN_PASSES;
}

/* Starts the wanted tests that do not run yet and are worth it, most probable first: all that find a
 * slot, or one where starts are costly; then *more tells whether there are others. */
static pare_status start_wanted(pare_engine *engine, const struct future *root, double least,
                                bool *more, pare_error *err)
{
    size_t at = 0;
    struct want *want = next_to_start(engine, &at);
    for (unsigned slot = 0; want && want->probability >= least && slot < engine->n_slots; slot++) {
        if (engine->jobs[slot].state != JOB_FREE) continue;
        if (*more) return PARE_OK;
        if (!engine->is_deaf) (void)pare_slots_listen(engine, wanted_by(want->future->state));
        pare_status status =
            pare_slots_start(engine, slot, &want->future->candidate, want->future->key, err);
        if (status) return status;
        /* The root's own test is needed for certain; all others are bets. */
        if (want->future != root) engine->stats.speculated++;
        *more = pare_slots_start_is_slow(engine);
        want = next_to_start(engine, &at);
    }
    *more = false;
    return PARE_OK;
}

/* Whether tests besides the root's are running. They are paid for, so all futures may be looked at
 * to find out which of them are still wanted. */
static bool others_run(const pare_engine *engine, const struct future *root)
{
    return engine->stats.slots_busy > (age_ms(engine, root) > 0);
}

/* One turn of the loop.  The plan comes first and cancelling second, so that a test which the new
 * plan wants goes on although the old plan wanted it for another reason. */
static pare_status step(pare_engine *engine, struct future **root, pare_decision *decision,
                        pare_error *err)
{
    bool more = false;
    pare_status status = pare_slots_pause(engine, decision, err);
    if (!status && !decision->end) status = retire_known(engine, root, decision, err);
    if (status || decision->end) return status;
    const double least = least_probability(engine, age_ms(engine, *root));
    const struct plan_request request = {.engine = engine,
                                         .predictor = &engine->predictor,
                                         .cache = engine->cache,
                                         .heard = heard_by(engine),
                                         .keys = &engine->keys,
                                         .slots =
                                             (*root)->state->alone ? 1 : pare_slots_useful(engine),
                                         .least = others_run(engine, *root) ? 0 : least};
    status = make_plan(&engine->planner, *root, &request, err);
    if (status) return status;
    cancel_unwanted(engine);
    status = start_wanted(engine, *root, least, &more, err);
    engine->replan_ms = replan_ms(engine, *root, least);
    if (!status) status = pare_slots_wait(engine, more, decision, err);
    engine->replan_ms = 0;
    return status;
}

/* Gives back the state where the run ended, so that it can go on later; on failure there is none. */
pare_status pare_engine_run_keeping(pare_engine *engine, pare_strategy **strategy,
                                    pare_engine_end *end, pare_error *err)
{
    struct future *root = NULL;
    pare_decision decision = {false, PARE_END_DONE};
    engine->is_deaf = !(*strategy)->ops->hear || !pare_slots_listen(engine, PARE_LISTEN_PASSES);
    pare_status status = engine->is_deaf ? PARE_OK : pare_slots_watch(engine, err);
    if (!status)
        status = future_new(*strategy, &engine->keys, &root, err);
    else
        pare_strategy_free(*strategy);
    *strategy = NULL;
    /* Every way out leads through pare_slots_finish. */
    while (!status && !decision.end)
        status = step(engine, &root, &decision, err);
    (void)pare_slots_listen(engine, PARE_LISTEN_NOT);
    if (!status) status = pare_engine_leave(engine, decision.why, err);
    status = pare_slots_finish(engine, status, err);
    if (!status) {
        *end = decision.why;
        *strategy = root->state;
        root->state = NULL;
    }
    future_free(root);
    return status;
}

/* For callers that do not need the state at the end. */
pare_status pare_engine_run(pare_engine *engine, pare_strategy *strategy, pare_engine_end *end,
                            pare_error *err)
{
    pare_status status = pare_engine_run_keeping(engine, &strategy, end, err);
    pare_strategy_free(strategy);
    return status;
}
