/* The repeating oracle: one test consists of as many runs as a rule asks for.
 *
 * It sits between the engine and another oracle, and looks like an oracle to both, so nothing else
 * in the program knows about flaky failures.  Runs of one candidate follow each other in its slot,
 * independently of other slots.  The rule is asked after each run (rate.h).
 *
 * Invariant: a slot is running exactly while the inner oracle's slot is, except for one that is
 * `lost`: its next run could not be started, and the cancelled verdict that frees it has not been
 * given yet.
 *
 * Parallel runs would be faster for one candidate, but they would take slots from others, and a
 * sequential rule needs most of its runs only if it is in doubt. */
#include "run/repeat.h"

#include <assert.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "os/clock.h"
#include "text/candidate.h"

/* The test in a slot.  All-zero while there is none. */
struct slot {
    bool repeated;  /* by the rule that was there at the start */
    bool cancelled; /* no further run */
    bool lost;
    pare_candidate candidate; /* owned; all-zero unless repeated */
    pare_rate rate;
    uint64_t unresolved;
    double duration_ms;
};

typedef struct repeat_oracle {
    pare_oracle head;
    pare_oracle *inner; /* owned */
    struct slot *slots; /* owned */
    bool has_rule;
    pare_rate_rule rule, later;
    uint64_t rule_ends; /* when so many runs have ended, `later` holds */
    double accepted;    /* share of the tests that were accepted lately */
    uint64_t runs;
} repeat_oracle;

static repeat_oracle *of(pare_oracle *oracle)
{
    return (repeat_oracle *)(void *)oracle;
}

/* The slot is free: its candidate is released, its counts are forgotten. */
static void leave(struct slot *slot)
{
    pare_candidate_done(&slot->candidate);
    *slot = (struct slot){.repeated = false};
}

/* What the inner oracle says of its slots is true of ours. */
static void look_at_slots(repeat_oracle *self)
{
    self->head.n_useful = self->inner->n_useful;
    self->head.n_here = self->inner->n_here;
    self->head.is_elsewhere = self->inner->is_elsewhere;
}

/* A candidate is kept only where there may be a second run: without a rule a test costs
 * nothing more. */
static pare_status start(pare_oracle *oracle, unsigned slot, const pare_candidate *candidate,
                         pare_error *err)
{
    repeat_oracle *self = of(oracle);
    struct slot *here = &self->slots[slot];
    pare_status status = PARE_OK;
    if (self->has_rule) status = pare_candidate_copy(&here->candidate, candidate, err);
    if (!status) status = self->inner->ops->start(self->inner, slot, candidate, err);
    look_at_slots(self);
    here->repeated = self->has_rule;
    if (status) leave(here);
    return status;
}

/* The run under way is cancelled; no further one is started. */
static void cancel(pare_oracle *oracle, unsigned slot)
{
    repeat_oracle *self = of(oracle);
    self->slots[slot].cancelled = true;
    if (!self->slots[slot].lost) self->inner->ops->cancel(self->inner, slot);
}

/* Gives a cancelled verdict for a slot that is lost, if there is one. */
static bool give_lost(repeat_oracle *self, pare_verdict *verdict)
{
    for (unsigned i = 0; i < self->head.n_slots; i++) {
        if (!self->slots[i].lost) continue;
        leave(&self->slots[i]);
        *verdict = (pare_verdict){.slot = i, .cancelled = true, .exit_code = -1};
        return true;
    }
    return false;
}

/* One more run of the slot has ended: adds it to the slot's counts and to that of all runs. */
static void count(repeat_oracle *self, struct slot *slot, const pare_verdict *verdict)
{
    self->runs++;
    assert(slot->rate.fails <= slot->rate.runs);
    slot->rate.runs++;
    slot->rate.fails += verdict->outcome == PARE_FAIL;
    slot->unresolved += verdict->outcome == PARE_UNRESOLVED;
    slot->duration_ms += verdict->duration_ms;
}

/* How fast the share of the accepted follows: it is of some 16 tests. */
static const double LEARNING = 1.0 / 16;

/* An exponential average: older tests count less and less. */
static void note(repeat_oracle *self, bool accepted)
{
    self->accepted += LEARNING * ((accepted ? 1.0 : 0.0) - self->accepted);
}

/* The outcome of a rejected candidate, which is never FAIL: UNRESOLVED if most of the runs
 * without the failure could not tell. */
static pare_outcome rejected(const struct slot *slot)
{
    uint64_t others = slot->rate.runs - slot->rate.fails;
    return 2 * slot->unresolved > others ? PARE_UNRESOLVED : PARE_PASS;
}

/* Makes of the verdict on one run the verdict on the test, or starts the next run: then
 * *done is false. */
static pare_status judge(repeat_oracle *self, pare_verdict *verdict, bool *done, pare_error *err)
{
    struct slot *slot = &self->slots[verdict->slot];
    *done = true;
    if (!verdict->cancelled) count(self, slot, verdict);
    if (slot->cancelled) verdict->cancelled = true;
    if (verdict->cancelled || !slot->repeated) {
        leave(slot);
        return PARE_OK;
    }
    const pare_rate_rule *in_force = self->runs < self->rule_ends ? &self->rule : &self->later;
    const pare_rate_rule rule = pare_rate_expect(in_force, self->accepted);
    pare_rate_decision decision = pare_rate_decide(&rule, slot->rate);
    if (decision == PARE_RATE_OPEN) {
        *done = false;
        pare_status status =
            self->inner->ops->start(self->inner, verdict->slot, &slot->candidate, err);
        slot->lost = status != PARE_OK;
        return status;
    }
    verdict->outcome = decision == PARE_RATE_ACCEPT ? PARE_FAIL : rejected(slot);
    verdict->duration_ms = slot->duration_ms;
    note(self, decision == PARE_RATE_ACCEPT);
    leave(slot);
    return PARE_OK;
}

/* What is left of the time that the caller gave to wait: runs that lead to further runs do not
 * let it wait for longer.  Negative and 0 stay what they are: for ever, and not at all. */
static int64_t left_of(int64_t timeout_ms, uint64_t start_ms)
{
    if (timeout_ms <= 0) return timeout_ms;
    int64_t passed = (int64_t)(pare_clock_ms() - start_ms);
    return passed < timeout_ms ? timeout_ms - passed : 0;
}

/* The inner oracle is waited for until a verdict completes a test. */
static pare_status wait(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                        pare_verdict *verdict, pare_error *err)
{
    repeat_oracle *self = of(oracle);
    uint64_t start_ms = timeout_ms > 0 ? pare_clock_ms() : 0;
    *what = PARE_WAIT_VERDICT;
    if (give_lost(self, verdict)) return PARE_OK;
    for (;;) {
        bool done = true;
        int64_t left_ms = left_of(timeout_ms, start_ms);
        pare_status status = self->inner->ops->wait(self->inner, left_ms, what, verdict, err);
        look_at_slots(self);
        if (status || *what != PARE_WAIT_VERDICT) return status;
        status = judge(self, verdict, &done, err);
        if (status || done) return status;
    }
}

/* Of several runs on one candidate the last one tells. */
static bool listen(pare_oracle *oracle, pare_listening listens)
{
    pare_oracle *inner = of(oracle)->inner;
    return inner->ops->listen && inner->ops->listen(inner, listens);
}

/* Of several runs the first one is watched. */
static bool watch(pare_oracle *oracle)
{
    pare_oracle *inner = of(oracle)->inner;
    return inner->ops->watch && inner->ops->watch(inner);
}

/* It is of the test, however often that is run. */
static const char *emitter(const pare_oracle *oracle)
{
    const pare_oracle *inner = of((pare_oracle *)(uintptr_t)oracle)->inner;
    return inner->ops->emitter ? inner->ops->emitter(inner) : NULL;
}

/* The inner oracle ends what is running; then the candidates can go. */
static void destroy(pare_oracle *oracle)
{
    repeat_oracle *self = of(oracle);
    pare_oracle_free(self->inner);
    for (unsigned i = 0; self->slots && i < oracle->n_slots; i++)
        leave(&self->slots[i]);
    pare_alloc_free(self->slots);
    pare_alloc_free(self);
}

/* Both blocks are asked for before anything is taken over, so that one failure is like the
 * other. */
pare_status pare_repeat_new(pare_oracle *inner, pare_oracle **out, pare_error *err)
{
    static const pare_oracle_ops ops = {.start = start,
                                        .cancel = cancel,
                                        .wait = wait,
                                        .destroy = destroy,
                                        .listen = listen,
                                        .watch = watch,
                                        .emitter = emitter};
    struct slot *slots = pare_alloc_zero(inner->n_slots, sizeof *slots);
    repeat_oracle *self = pare_alloc_zero(1, sizeof *self);
    if (!self || !slots) goto out;
    *self = (repeat_oracle){.head = {.ops = &ops, .n_slots = inner->n_slots},
                            .inner = inner,
                            .slots = slots,
                            .accepted = PARE_RATE_GOOD};
    *out = &self->head;
    return PARE_OK;
out:
    pare_alloc_free(self);
    pare_alloc_free(slots);
    pare_oracle_free(inner); /* it was taken over */
    return pare_fail_nomem(err);
}

/* Tests that are under way keep the rule they began with, or none. */
void pare_repeat_set_rule(pare_oracle *oracle, const pare_rate_rule *rule)
{
    repeat_oracle *self = of(oracle);
    self->has_rule = rule != NULL;
    self->rule_ends = UINT64_MAX;
    if (rule) self->rule = *rule;
}

/* Counted in runs of all tests, not in tests. */
void pare_repeat_relax(pare_oracle *oracle, const pare_rate_rule *rule, uint64_t runs)
{
    repeat_oracle *self = of(oracle);
    self->later = *rule;
    self->rule_ends = runs;
}

uint64_t pare_repeat_runs(const pare_oracle *oracle)
{
    return ((const repeat_oracle *)(const void *)oracle)->runs;
}
