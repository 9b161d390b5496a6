/* An oracle whose slots are on other machines, in simulated time (tests/unit/support/simulated_oracle.h
 * is that of one machine): the queue, the way there and back, and the coordinator's own work.
 *
 * As run/remote/ does it: jobs wait in a queue beside the coordinator; a slot that is free asks for one,
 * and is idle while it asks; a cancelled job answers at once, but its slot is free only when it has
 * heard of it; one that is still queued comes to a slot all the same, which passes over it, unless
 * nothing is left that is wanted: then the queue is emptied.  Times are mean test durations. */
#ifndef BENCH_SIMULATED_CLUSTER_H
#define BENCH_SIMULATED_CLUSTER_H

#include "../tests/unit/support/simulated_oracle.h"

struct cluster_model {
    unsigned n_slots;
    unsigned n_ahead; /* jobs that are sent beyond the slots */
    double latency;   /* one way between coordinator and worker */
    double cost;      /* of the coordinator, for each test; it does one thing at a time */
};

struct simulated_cluster;

/* Draws durations, and runs tests, as simulated_init would; NULL: no memory.  Freed by
 * simulated_cluster_free. */
struct simulated_cluster *simulated_cluster_new(const struct cluster_model *model,
                                                simulated_test test, void *context, uint64_t seed);
void simulated_cluster_free(struct simulated_cluster *cluster); /* NULL is a no-op */
pare_oracle *simulated_cluster_oracle(struct simulated_cluster *cluster);
const double *simulated_cluster_clock(const struct simulated_cluster *cluster);

#endif
