/* An oracle with simulated time: every test takes a random duration, nothing sleeps.
 *
 * Shows what parallelism may do to the order in which tests end, and measures makespans
 * in mean test durations (parallel-simulation.py does the same in Python). */
#ifndef SIMULATED_ORACLE_H
#define SIMULATED_ORACLE_H

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "run/oracle.h"

typedef pare_outcome (*simulated_test)(void *context, const unsigned char *bytes, size_t size);

struct simulated_slot {
    bool running, cancelled, is_elsewhere;
    double ends;
    uint64_t order; /* of starting, to break ties */
    pare_outcome outcome;
};

struct simulated_oracle {
    pare_oracle head;
    simulated_test test;
    void *context;
    pare_random random;
    double sigma; /* of the lognormal durations; 0: all take 1 */
    double now;   /* mean test durations since the start */
    long start_ns; /* what starting a test on this machine takes, in real time */
    double start_there_ms; /* what it is said to take elsewhere */
    unsigned n_running;
    uint64_t started, finished;
    uint64_t interrupt_after; /* finished tests until a stop is requested; 0: never */
    uint64_t stuck_after; /* finished tests after which one does not end alone; 0: none */
    struct simulated_slot slots[4096];
};

static double simulated_duration(struct simulated_oracle *sim)
{
    if (sim->sigma <= 0) return 1.0;
    double u = ((double)pare_random_below(&sim->random, 1000000) + 1) / 1000001.0;
    double v = (double)pare_random_below(&sim->random, 1000000) / 1000000.0;
    double normal = sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
    return exp(sim->sigma * normal - sim->sigma * sim->sigma / 2);
}

static pare_status simulated_start(pare_oracle *oracle, unsigned slot,
                                   const pare_candidate *candidate, pare_error *err)
{
    struct simulated_oracle *sim = (struct simulated_oracle *)oracle;
    unsigned char *bytes = malloc(candidate->size + 1);
    (void)err;
    oracle->is_elsewhere = oracle->n_here && sim->n_running >= oracle->n_here;
    if (!oracle->is_elsewhere && sim->start_ns)
        (void)nanosleep(&(struct timespec){.tv_nsec = sim->start_ns}, NULL);
    sim->n_running++;
    pare_candidate_read(candidate, bytes);
    sim->slots[slot] =
        (struct simulated_slot){.running = true,
                                .is_elsewhere = oracle->is_elsewhere,
                                .ends = sim->now + simulated_duration(sim),
                                .order = sim->started++,
                                .outcome = sim->test(sim->context, bytes, candidate->size)};
    free(bytes);
    return PARE_OK;
}

static void simulated_cancel(pare_oracle *oracle, unsigned slot)
{
    struct simulated_oracle *sim = (struct simulated_oracle *)oracle;
    sim->slots[slot].cancelled = true;
    sim->slots[slot].ends = sim->now;
}

static pare_status simulated_wait(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                                  pare_verdict *verdict, pare_error *err)
{
    struct simulated_oracle *sim = (struct simulated_oracle *)oracle;
    struct simulated_slot *first = NULL;
    (void)err;
    for (unsigned i = 0; i < oracle->n_slots; i++) {
        struct simulated_slot *slot = &sim->slots[i];
        if (!slot->running) continue;
        if (!first || slot->ends < first->ends ||
            (slot->ends <= first->ends && slot->order < first->order))
            first = slot;
    }
    if (!first ||
        (sim->interrupt_after && sim->finished >= sim->interrupt_after && !first->cancelled)) {
        *what = PARE_WAIT_INTERRUPTED;
        return PARE_OK;
    }
    if (timeout_ms == 0 && first->ends > sim->now) {
        *what = PARE_WAIT_TIMEOUT;
        return PARE_OK;
    }
    if (sim->stuck_after && sim->finished == sim->stuck_after && sim->n_running == 1) {
        assert(timeout_ms > 0); /* otherwise it is waited for to no end */
        (void)nanosleep(&(struct timespec){.tv_sec = timeout_ms / 1000, .tv_nsec = timeout_ms % 1000 * 1000000},
                        NULL);
        *what = PARE_WAIT_TIMEOUT;
        return PARE_OK;
    }
    if (first->ends > sim->now) sim->now = first->ends;
    first->running = false;
    sim->n_running--;
    if (!first->cancelled) sim->finished++;
    *what = PARE_WAIT_VERDICT;
    *verdict = (pare_verdict){.slot = (unsigned)(first - sim->slots),
                              .cancelled = first->cancelled,
                              .outcome = first->outcome,
                              .duration_ms = 1,
                              .start_ms = first->is_elsewhere ? sim->start_there_ms : 0,
                              .exit_code = -1};
    return PARE_OK;
}

static void simulated_destroy(pare_oracle *oracle)
{
    (void)oracle;
}

static inline void simulated_init(struct simulated_oracle *sim, unsigned n_slots,
                                  simulated_test test, void *context, uint64_t seed)
{
    static const pare_oracle_ops ops = {.start = simulated_start,
                                        .cancel = simulated_cancel,
                                        .wait = simulated_wait,
                                        .destroy = simulated_destroy};
    *sim = (struct simulated_oracle){
        .head = {.ops = &ops, .n_slots = n_slots}, .test = test, .context = context, .sigma = 0.5};
    pare_random_init(&sim->random, seed);
}

#endif
