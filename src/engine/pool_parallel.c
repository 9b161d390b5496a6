/* The parallel form of a pool: every free slot tests the next patches on top of all that was
 * made so far, whether or not that was confirmed as a whole (the tentative union, below).
 *
 * Nothing waits for a level to be finished: outcomes are taken as they come, and where a
 * union is refuted, only the tests that were started on top of it are given up.  Where
 * nothing else is left to start, single patches that did not fail are tried once more if
 * something after them in the text was made since, because what needed them may be gone:
 * that is the sweep for 1-minimality, begun before all else is done.
 *
 * Why not run the sequential form ahead along predictions (engine/speculate.h): successes of
 * a pool are frequent and independent, so a prediction is wrong about as often as right.
 * Invariants: no digest that was told not to fail is tested again; the engine's best is the
 * smallest candidate that failed, as everywhere.
 * Source: parallel-simulation of treemerge_batch (docs/design/sources.md); deviations in pool.h. */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/shared.h"
#include "base/vector.h"
#include "engine/cache.h"
#include "engine/engine.h"
#include "engine/engine_internal.h"
#include "engine/limited.h"
#include "engine/pool.h"
#include "engine/pool_options.h"
#include "engine/pool_plan.h"
#include "engine/pool_queue.h"
#include "engine/speculate.h"
#include "engine/strategy.h"
#include "engine/tried_digests.h"
#include "text/candidate.h"
#include "text/patch.h"
#include "text/text.h"

/* ---- the tentative union ---------------------------------------------------------------- */

/* What a pool on many slots has made so far, confirmed and not:
 *
 *   base    the smallest set of changes that is known to fail
 *   sets    sets that failed too, but on top of less than the base, or beside it
 *   united  the tentative union: the base with all of those, on top of which new tests start
 *
 * A set that fails and holds the base is the new base at once; any other one joins the
 * tentative union, which nobody may have tested as a whole.  A test on top of the union that
 * fails confirms it; where none does, one test at a time tries the union itself.  If that
 * does not fail, the later half of the sets is rolled back to the queue.
 *
 * Sets are united greedily, in the order in which they failed: waiting for a confirmation
 * of each would leave slots idle, and trying combinations would cost tests.  A union that
 * turns out not to fail is halved, so that c wrong sets among n are found in about
 * c log n tests (see docs/design/parallel.md for the simulation).
 *
 * Invariants: the base is a set that failed; `united` is the union of the base and all sets. */

/* A set that failed. */
struct tentative_set {
    pare_pool_set set;   /* owned */
    pare_pool_item item; /* what it adds; its count is 0 if that is not known */
    uint64_t since;      /* number of the first union that it is in */
};

/* With `plan` and `queue` set, all else zero: nothing was made. */
struct tentative_union {
    const pare_pool_plan *plan; /* borrowed */
    pare_pool_queue *queue;     /* borrowed; where patches go that are rolled back */
    pare_pool_set base, united; /* one reference each */
    size_t base_size;           /* bytes of the text with the base */
    uint64_t number;            /* of the union at hand; each change of it gets the next one */
    struct tentative_set *sets; /* owned; in the order in which they failed */
    size_t n_sets, capacity;
};

/* Plan and queue are the caller's and stay. */
static void union_done(struct tentative_union *made)
{
    for (size_t i = 0; i < made->n_sets; i++)
        pare_pool_plan_set_unref(&made->sets[i].set);
    pare_pool_plan_set_unref(&made->base);
    pare_pool_plan_set_unref(&made->united);
    pare_alloc_free(made->sets);
    *made = (struct tentative_union){.n_sets = 0};
}

/* Queues `item`, to be tried as it is. */
static pare_status requeue(struct tentative_union *made, pare_pool_item item, pare_error *err)
{
    pare_status status = pare_pool_queue_own(made->queue, 1, err);
    if (!status) pare_pool_queue_push(made->queue, made->plan, item);
    return status;
}

/* Queues what is to be tried instead of `item`: its halves, or the parts of a patch. An empty item
 * stands for an earlier base, which has nothing to split. */
static pare_status requeue_split(struct tentative_union *made, pare_pool_item item, pare_error *err)
{
    if (!item.range.count) return PARE_OK;
    pare_status status = pare_pool_queue_own(made->queue, 2, err);
    if (!status) pare_pool_queue_split(made->queue, made->plan, item);
    return status;
}

/* Whether `whole` has all changes of `part`. */
static pare_status is_within(const struct tentative_union *made, const pare_pool_set *part,
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
static pare_status forget_held(struct tentative_union *made, pare_error *err)
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
static pare_status take_back(struct tentative_union *made, size_t i, bool to_split, pare_error *err)
{
    assert(i < made->n_sets);
    pare_pool_item item = made->sets[i].item;
    pare_pool_plan_set_unref(&made->sets[i].set);
    made->n_sets--;
    memmove(made->sets + i, made->sets + i + 1, (made->n_sets - i) * sizeof *made->sets);
    if (!item.range.count) return PARE_OK;
    return to_split ? requeue_split(made, item, err) : requeue(made, item, err);
}

/* Unites the base with the sets that are left, in their order, under a new number.  A set that
 * conflicts with those before it is taken out and split. */
static pare_status rebuild(struct tentative_union *made, pare_error *err)
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
static pare_status add_set(struct tentative_union *made, pare_pool_set set, pare_pool_item item,
                           pare_error *err)
{
    pare_union what;
    pare_pool_set more;
    pare_status status = pare_pool_plan_unite(made->plan, &made->united, &set, &what, &more, err);
    if (status) return status;
    /* The set failed on an older base; on this one its parts are tried instead. */
    if (what == PARE_UNION_CONFLICT) return requeue_split(made, item, err);
    struct tentative_set *sets =
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
    sets[made->n_sets++] = (struct tentative_set){
        .set = pare_pool_plan_set_ref(set), .item = item, .since = made->number};
    return PARE_OK;
}

/* The base has grown: so does the union. */
static pare_status add_base(struct tentative_union *made, pare_error *err)
{
    pare_union what;
    pare_pool_set more;
    pare_status status =
        pare_pool_plan_unite(made->plan, &made->united, &made->base, &what, &more, err);
    if (status || what == PARE_UNION_SAME) return status;
    if (what == PARE_UNION_CONFLICT) return rebuild(made, err);
    pare_pool_plan_set_unref(&made->united);
    made->united = more;
    made->number++;
    return PARE_OK;
}

/* Takes a set whose test failed.  It becomes the base if it holds the base or is the new best;
 * what was the base then is a set like others. */
static pare_status take_set(struct tentative_union *made, const pare_pool_trial *trial,
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
static pare_status roll_back(struct tentative_union *made, uint64_t number, bool *any,
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

/* ---- the run ---------------------------------------------------------------------------- */

/* With so few slots speculation keeps all of them busy with tests that are mostly needed: the
 * sequential form takes as long, and fewer tests (docs/design/parallel.md). */
enum { FEW_SLOTS = 4 };

/* What a slot is testing: patches on top of the union, or the union itself (TASK_CONFIRM). */
struct task {
    enum { TASK_NONE, TASK_PATCHES, TASK_CONFIRM } kind;
    pare_pool_trial trial; /* owned; of a confirmation: no item */
    pare_candidate candidate;
    pare_digest key;
    uint64_t number;    /* of the union that it started from, or tests */
    uint32_t successes; /* the last one when it was started */
};

struct run {
    pare_engine *engine;
    pare_pool_plan *plan; /* one reference */
    pare_pool_queue queue;
    pare_pool_rate rate;
    pare_tried_digests tried;
    struct tentative_union made;
    pare_early_stop early_stop; /* with plan->options.terms */
    pare_success_log successes;
    uint32_t *failed;   /* owned; by place in the order: the last gain when it was tried alone
                           without success, from 1; 0: it was not, or is being tried */
    uint32_t retried;   /* places that were looked at since the last gain */
    struct task *tasks; /* owned; one for each slot */
    size_t n_active;
    bool confirming;
    size_t misses;          /* patches in a row that could not be made */
    pare_pool_item *parked; /* owned; what would repeat a test that is under way */
    size_t n_parked, parked_capacity;
};

/* Releases what the task holds and makes it none. Its slot may still be running the test. */
static void task_done(struct task *task)
{
    pare_pool_queue_trial_done(&task->trial);
    pare_candidate_done(&task->candidate);
    *task = (struct task){.kind = TASK_NONE};
}

/* Works on a run that is half made, too. */
static void run_done(struct run *run)
{
    for (unsigned i = 0; run->tasks && i < run->engine->n_slots; i++)
        task_done(&run->tasks[i]);
    union_done(&run->made);
    pare_tried_digests_release(&run->tried);
    pare_shared_release(run->queue.items);
    pare_pool_plan_unref(run->plan);
    pare_pool_queue_log_done(&run->successes);
    pare_alloc_free(run->failed);
    pare_alloc_free(run->tasks);
    pare_alloc_free(run->parked);
}

/* *run needs run_done in any case. */
static pare_status run_init(struct run *run, pare_engine *engine, pare_patches *patches,
                            const pare_pool_options *options, pare_error *err)
{
    size_t size = pare_text_size(patches->text);
    *run = (struct run){.engine = engine, .made = {.queue = &run->queue, .base_size = size}};
    if (options->terms) pare_limited_begin(&run->early_stop, size, options->terms);
    pare_status status = pare_pool_plan_new(patches, options, &run->plan, err);
    run->made.plan = run->plan;
    if (!status) status = pare_pool_queue_own(&run->queue, 1, err);
    if (!status) status = pare_tried_digests_add(&run->tried, pare_text_digest(patches->text), err);
    if (status) return status;
    /* As in the sequential form: all at once first if the options say so, else in groups. */
    const pare_pool_range roots = {0, run->plan->n_roots};
    pare_pool_kind kind = options->together ? PARE_POOL_TOGETHER : PARE_POOL_FRESH;
    pare_pool_queue_push(&run->queue, run->plan, (pare_pool_item){roots, kind});
    run->tasks = pare_alloc_zero(engine->n_slots, sizeof *run->tasks);
    run->failed = pare_alloc_zero(run->plan->n, sizeof *run->failed);
    return run->tasks && run->failed ? PARE_OK : pare_fail_nomem(err);
}

/* ---- the queue -------------------------------------------------------------------- */

/* Puts an item aside until a test ends. */
static pare_status park(struct run *run, pare_pool_item item, pare_error *err)
{
    pare_pool_item *parked =
        pare_vector_grow(run->parked, run->n_parked, &run->parked_capacity, sizeof *parked);
    if (!parked) return pare_fail_nomem(err);
    run->parked = parked;
    parked[run->n_parked++] = item;
    return PARE_OK;
}

/* Queues again what waited for a test to end. */
static pare_status unpark(struct run *run, pare_error *err)
{
    pare_status status = PARE_OK;
    while (!status && run->n_parked)
        status = requeue(&run->made, run->parked[--run->n_parked], err);
    return status;
}

/* Gives up the tests that started from union `number` or a later one. */
static pare_status give_up_since(struct run *run, uint64_t number, pare_error *err)
{
    pare_status status = PARE_OK;
    for (unsigned i = 0; !status && i < run->engine->n_slots; i++) {
        struct task *task = &run->tasks[i];
        /* Confirmations stay: the union that they test is not built any more, but their outcome
         * is one to know. */
        if (task->kind != TASK_PATCHES || task->number < number) continue;
        status = requeue(&run->made, task->trial.item, err);
        assert(run->n_active > 0);
        pare_slots_cancel(run->engine, i);
        task_done(task);
        run->n_active--;
    }
    return status;
}

/* Union `number` was tested and does not fail: its later half is rolled back, and every test that
 * started on top of that union is given up. */
static pare_status refute(struct run *run, uint64_t number, pare_error *err)
{
    bool any;
    pare_status status = roll_back(&run->made, number, &any, err);
    if (status || !any) return status;
    status = give_up_since(run, number, err);
    return status ? status : rebuild(&run->made, err);
}

/* ---- what may be made now --------------------------------------------------------- */

/* Queues the next patch that is worth another test, if there is one: a patch that failed alone,
 * and after which in the text something was made since. */
static pare_status retry(struct run *run, pare_error *err)
{
    if (!run->plan->options.sweep) return PARE_OK;
    while (run->retried < run->plan->n) {
        uint32_t place = run->retried++;
        uint32_t failed = run->failed[place];
        if (!failed) continue;
        uint32_t end = pare_pool_plan_end(run->plan, (pare_pool_range){place, 1});
        if (!pare_pool_queue_log_any(&run->successes, failed - 1, end)) continue;
        /* Reset while the patch is being tried again; learn() notes the outcome anew. */
        run->failed[place] = 0;
        return requeue(&run->made, (pare_pool_item){{place, 1}, PARE_POOL_SWEPT}, err);
    }
    return PARE_OK;
}

/* ---- outcomes --------------------------------------------------------------------- */

/* Announces the outcome of `task`; a new best is saved before that. */
static pare_status retire(struct run *run, struct task *task, pare_known known, bool *is_best,
                          pare_error *err)
{
    pare_engine *engine = run->engine;
    pare_retired retired = {.digest = task->trial.digest,
                            .size_bytes = pare_engine_content_bytes(engine, &task->candidate)};
    pare_status status = pare_engine_accept_other(engine, &task->candidate, known, err);
    if (!status)
        status = pare_engine_accept_smaller(engine, &task->candidate, !run->plan->options.terms,
                                            known, &retired, err);
    if (status) return status;
    *is_best = retired.accepted;
    pare_engine_announce(engine, &retired, &known);
    pare_known *entry = pare_cache_get(engine->cache, task->key);
    if (entry) entry->retired = true;
    return PARE_OK;
}

/* Moves `from` into *to, which is no task. */
static void task_move(struct task *to, struct task *from)
{
    *to = *from;
    to->candidate = (pare_candidate){0};
    pare_candidate_move(&to->candidate, &from->candidate);
    *from = (struct task){.kind = TASK_NONE};
}

/* Learns from the outcome of the patches of `task`, and queues what is to be tried instead. */
static pare_status learn(struct run *run, const struct task *task, bool fails, pare_error *err)
{
    const pare_pool_item item = task->trial.item;
    if (item.kind != PARE_POOL_SWEPT) pare_pool_queue_learn(&run->rate, item, fails);
    /* Sets the success number after which trying this patch again makes sense: what it failed on
     * may go only with a later success. */
    if (!fails && item.range.count == 1) run->failed[item.range.from] = task->successes + 1;
    pare_status status = PARE_OK;
    run->misses = fails ? 0 : run->misses + 1;
    if (fails) {
        status = pare_pool_queue_log_add(&run->successes, pare_pool_plan_end(run->plan, item.range),
                                         err);
        run->retried = 0;
    }
    return status || (fails && task->trial.whole) ? status : requeue_split(&run->made, item, err);
}

/* Whether the early stop has ended the pool: its tests did not pay. Only the union is still
 * confirmed then. */
static bool is_set_aside(const struct run *run)
{
    return run->plan->options.terms && !pare_limited_left(&run->early_stop);
}

/* Takes the outcome of `task` and empties the task. FAIL: its set is taken into base or union.
 * Otherwise a confirmation rolls the union back, and patches are split and learned from. */
static pare_status conclude(struct run *run, struct task *task, pare_known known, pare_error *err)
{
    struct task ended;
    task_move(&ended, task);
    const pare_pool_trial *trial = &ended.trial;
    bool fails = known.outcome == PARE_FAIL, confirms = ended.kind == TASK_CONFIRM;
    bool is_best = false;
    bool repeated = fails && known.retired; /* it was taken back, and is made again */
    if (run->plan->options.terms) pare_limited_count(&run->early_stop, trial->size, fails);
    pare_status status = repeated ? PARE_OK : retire(run, &ended, known, &is_best, err);
    /* A set that failed is not entered: it may be rolled back, and then it has to be testable
     * again. */
    if (!status && !fails) status = pare_tried_digests_add(&run->tried, trial->digest, err);
    if (!status && fails) status = take_set(&run->made, trial, is_best, err);
    /* The union did not fail although each of its sets did. */
    if (!status && confirms && !fails) status = refute(run, ended.number, err);
    if (!status && !confirms) status = learn(run, &ended, fails, err);
    task_done(&ended);
    return status;
}

/* Concludes the tasks whose slots have become free since the last look. */
static pare_status conclude_ended(struct run *run, pare_error *err)
{
    pare_status status = PARE_OK;
    for (unsigned i = 0; !status && i < run->engine->n_slots; i++) {
        struct task *task = &run->tasks[i];
        if (task->kind == TASK_NONE || run->engine->jobs[i].state != JOB_FREE) continue;
        const pare_known *known = pare_cache_get(run->engine->cache, task->key);
        assert(run->n_active > 0);
        run->n_active--;
        /* One confirmation at a time: a later union holds the earlier one. */
        run->confirming = run->confirming && task->kind != TASK_CONFIRM;
        if (known) {
            status = conclude(run, task, *known, err);
            continue;
        }
        /* The cache had no room for it. */
        if (task->kind == TASK_PATCHES) status = requeue(&run->made, task->trial.item, err);
        task_done(task);
    }
    return status;
}

/* ---- what to test ----------------------------------------------------------------- */

/* Trials are made on top of the union, but have to be smaller than the base, which is confirmed. */
static pare_pool_trial_base base_of(const struct run *run)
{
    return (pare_pool_trial_base){.plan = run->plan,
                                  .set = &run->made.united,
                                  .than = &run->made.base,
                                  .size = run->made.base_size,
                                  .tried = &run->tried};
}

/* Makes *task the next one of the queue, if there is any. */
static pare_status next_queued(struct run *run, struct task *task, pare_error *err)
{
    while (run->queue.n && task->kind == TASK_NONE) {
        pare_pool_item rest;
        pare_pool_verdict verdict;
        const pare_pool_trial_base base = base_of(run);
        pare_status status = pare_pool_queue_own(&run->queue, 3, err);
        if (status) return status;
        pare_pool_item item = pare_pool_queue_first(&run->queue, run->plan, &run->rate, &rest);
        status = pare_pool_queue_try(&base, item, &task->trial, &task->candidate, &verdict, err);
        if (status) return status;
        pare_pool_queue_drop(&run->queue, run->plan, rest);
        if (verdict == PARE_POOL_TEST) task->kind = TASK_PATCHES;
        if (verdict == PARE_POOL_SPLIT) pare_pool_queue_split(&run->queue, run->plan, item);
    }
    return PARE_OK;
}

/* As next_queued; when the queue is empty, single patches that are worth a second try (retry) take
 * their turn. */
static pare_status next_patches(struct run *run, struct task *task, pare_error *err)
{
    pare_status status = next_queued(run, task, err);
    while (!status && task->kind == TASK_NONE) {
        status = retry(run, err);
        if (status || !run->queue.n) return status;
        status = next_queued(run, task, err);
    }
    return status;
}

/* Whether a slot tests the same bytes already, for whatever reason.  O(slots). */
static bool is_under_way(const struct run *run, pare_digest digest)
{
    for (unsigned i = 0; i < run->engine->n_slots; i++)
        if (run->tasks[i].kind != TASK_NONE &&
            pare_digest_equal(run->tasks[i].trial.digest, digest))
            return true;
    return false;
}

/* Makes *task (none) the test of the union itself, if one is wanted and not under way. */
static pare_status confirm(struct run *run, struct task *task, pare_error *err)
{
    if (!run->made.n_sets || run->confirming) return PARE_OK;
    pare_status status =
        pare_patches_candidate(run->plan->patches, pare_pool_plan_changes(&run->made.united),
                               run->made.united.n, &task->candidate, err);
    if (status) return status;
    task->kind = TASK_CONFIRM;
    task->trial = (pare_pool_trial){.set = pare_pool_plan_set_ref(run->made.united),
                                    .whole = true,
                                    .size = task->candidate.size,
                                    .digest = pare_candidate_digest(&task->candidate)};
    if (is_under_way(run, task->trial.digest)) task_done(task); /* that test will tell */
    return PARE_OK;
}

/* Whether the union has to be confirmed before more patches are tried. As long as patches succeed
 * on top of it they confirm it as well, for nothing; only a row of misses as long as the slots, or
 * the early stop, makes a test of its own worthwhile. */
static bool is_doubtful(const struct run *run)
{
    return run->misses >= run->engine->n_slots || is_set_aside(run);
}

/* Makes *task (none) what is to be tested next, if there is anything. */
static pare_status next_task(struct run *run, struct task *task, pare_error *err)
{
    pare_status status = is_doubtful(run) ? confirm(run, task, err) : PARE_OK;
    if (!status && task->kind == TASK_NONE && !is_set_aside(run))
        status = next_patches(run, task, err);
    if (!status && task->kind == TASK_NONE) status = confirm(run, task, err);
    if (status || task->kind == TASK_NONE) return status;
    task->number = run->made.number;
    task->successes = run->successes.last;
    task->key = task->trial.digest;
    pare_future_keys *keys = &run->engine->keys;
    /* Without a cache a candidate that comes again is another test, as in speculate.c. */
    if (keys->unique) task->key.high += ++keys->next * UINT64_C(0x9e3779b97f4a7c15);
    return PARE_OK;
}

/* Queues the patches that were not tried one by one on top of the base; *any tells whether
 * there are some. */
static pare_status sweep(struct run *run, bool *any, pare_error *err)
{
    const pare_pool_trial_base base = base_of(run);
    pare_candidate candidate = {0};
    pare_status status = PARE_OK;
    *any = false;
    if (!run->plan->options.sweep || !run->made.base.n) return PARE_OK;
    for (uint32_t i = 0; !status && i < run->plan->n; i++) {
        pare_pool_trial trial = {.whole = false};
        pare_pool_verdict verdict;
        const pare_pool_item item = {{i, 1}, PARE_POOL_SWEPT};
        status = pare_pool_queue_try(&base, item, &trial, &candidate, &verdict, err);
        if (status || verdict != PARE_POOL_TEST) continue;
        pare_pool_queue_trial_done(&trial);
        *any = true;
        status = requeue(&run->made, item, err);
    }
    pare_candidate_done(&candidate);
    return status;
}

/* ---- the loop --------------------------------------------------------------------- */

/* Whether it is known without a test that the union does not fail. */
static pare_status is_refuted(const struct run *run, const struct task *made, bool *refuted,
                              pare_error *err)
{
    const pare_pool_options *options = &run->plan->options;
    bool admitted = true;
    pare_status status = PARE_OK;
    if (options->admits)
        status = options->admits(options->context, &made->candidate, &admitted, err);
    *refuted = !admitted || pare_tried_digests_has(&run->tried, made->trial.digest);
    return status;
}

/* Deals with a task that is worth a test: if its outcome is known it is concluded, if a slot tests
 * the same bytes already it is put aside until then, and otherwise its test starts in `slot` and
 * *started is set. */
static pare_status see_to(struct run *run, struct task *made, unsigned slot, bool *started,
                          pare_error *err)
{
    pare_engine *engine = run->engine;
    const pare_known *known = pare_cache_get(engine->cache, made->key);
    bool refuted = false;
    *started = false;
    pare_status status = PARE_OK;
    if (made->kind == TASK_CONFIRM) status = is_refuted(run, made, &refuted, err);
    if (status) return status;
    /* No test is spent on a union that was tested before, or that is not admitted. */
    if (refuted) return refute(run, made->number, err);
    if (is_under_way(run, made->trial.digest)) return park(run, made->trial.item, err);
    if (known) return conclude(run, made, *known, err);
    assert(engine->jobs[slot].state == JOB_FREE);
    status = pare_slots_start(engine, slot, &made->candidate, made->key, err);
    if (status) return status;
    run->confirming = run->confirming || made->kind == TASK_CONFIRM;
    run->n_active++;
    task_move(&run->tasks[slot], made);
    *started = true;
    return PARE_OK;
}

/* Starts one test in `slot`, if there is one that is worth it before the budget is spent. */
static pare_status fill_slot(struct run *run, unsigned slot, bool *started, pare_decision *decision,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    *started = false;
    while (!status && !*started) {
        struct task made = {.kind = TASK_NONE};
        *decision = pare_engine_budget(run->engine);
        if (decision->end) return PARE_OK;
        status = next_task(run, &made, err);
        bool none = made.kind == TASK_NONE;
        if (!status && !none) status = see_to(run, &made, slot, started, err);
        task_done(&made);
        if (none) return status;
    }
    return status;
}

/* How many tests may run at once. With an early stop no more than may still be in vain: each test
 * under way could turn out to be useless. */
static size_t useful_slots(const struct run *run)
{
    size_t useful = pare_slots_useful(run->engine);
    if (!run->plan->options.terms) return useful;
    unsigned left = pare_limited_left(&run->early_stop);
    if (left == 0) left = 1; /* to confirm the union */
    return left < useful ? left : useful;
}

/* Starts tests in the slots that are free: in one only where starts are costly; then *more
 * tells whether there may be others. */
static pare_status fill(struct run *run, bool *more, pare_decision *decision, pare_error *err)
{
    pare_engine *engine = run->engine;
    *more = false;
    for (unsigned slot = 0; slot < engine->n_slots; slot++) {
        bool started;
        if (engine->jobs[slot].state != JOB_FREE) continue;
        if (*more || run->n_active >= useful_slots(run)) return PARE_OK;
        pare_status status = fill_slot(run, slot, &started, decision, err);
        /* No task now does not mean that the pool is done, since tests under way may add some:
         * step() decides. */
        if (status || decision->end || !started) return status;
        *more = pare_slots_start_is_slow(engine);
    }
    *more = false;
    return PARE_OK;
}

/* One turn: take outcomes, fill slots, wait; when nothing is left, look whether the sweep finds
 * something, and if not, end. */
static pare_status step(struct run *run, pare_decision *decision, pare_error *err)
{
    bool more = false, any = true;
    pare_status status = pare_slots_pause(run->engine, decision, err);
    if (status || decision->end) return status;
    status = conclude_ended(run, err);
    if (!status) status = unpark(run, err);
    *decision = pare_engine_budget(run->engine);
    if (status || decision->end) return status;
    status = fill(run, &more, decision, err);
    if (status || decision->end) return status;
    /* A test under way, an item put aside, or an unconfirmed set may each still change what is
     * worth trying. */
    bool waits = run->n_active || run->n_parked || run->made.n_sets;
    if (is_set_aside(run) && !run->made.n_sets) {
        *decision = (pare_decision){true, PARE_END_DONE};
        return PARE_OK;
    }
    if (waits || run->queue.n) return pare_slots_wait(run->engine, more, decision, err);
    status = sweep(run, &any, err);
    *decision = (pare_decision){!any, PARE_END_DONE};
    return status;
}

/* Runs the pool as a strategy through speculate.c. Filter and early stop, which the parallel form
 * has built in, are wrapped around it. */
static pare_status run_sequentially(pare_engine *engine, pare_patches *patches,
                                    const pare_pool_options *options, pare_engine_end *end,
                                    pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_pool_options plain = *options;
    /* The wrapper below admits candidates instead. */
    plain.admits = NULL;
    pare_status status = pare_pool_strategy_new(patches, &plain, &strategy, err);
    if (!status && options->admits)
        status = pare_limited_filter(strategy, options->admits, options->context, &strategy, err);
    if (!status && options->terms)
        status = pare_limited_early_stop(strategy, pare_text_size(patches->text), options->terms,
                                         &strategy, err);
    return status ? status : pare_engine_run(engine, strategy, end, err);
}

/* Chooses between the two forms: parallel where slots are many and the order of steps is free. */
pare_status pare_engine_run_pool(pare_engine *engine, pare_patches *patches,
                                 const pare_pool_options *options, pare_engine_end *end,
                                 pare_error *err)
{
    struct run run;
    pare_decision decision = {false, PARE_END_DONE};
    /* Few patches fill no slots either. */
    bool few = engine->n_slots <= FEW_SLOTS || patches->n < options->many;
    if (engine->options.deterministic || few || engine->uphill.away)
        return run_sequentially(engine, patches, options, end, err);
    pare_status status = run_init(&run, engine, patches, options, err);
    while (!status && !decision.end)
        status = step(&run, &decision, err);
    if (!status) status = pare_engine_leave(engine, decision.why, err);
    status = pare_slots_finish(engine, status, err);
    if (!status) *end = decision.why;
    run_done(&run);
    return status;
}
