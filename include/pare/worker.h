/* Many machines: workers that run tests for reductions elsewhere, over a NATS server with JetStream.
 *
 *     #include <pare/worker.h>
 *
 *     int main(void)
 *     {
 *         const pare_worker_options options = {.cluster.url = "nats://127.0.0.1:4222", .jobs = 4};
 *         pare_error err;
 *         return pare_worker_run(&options, &err);
 *     }
 *
 * See pare-worker(1) and docs/guide/many-machines.md. */
#ifndef PARE_WORKER_H
#define PARE_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/export.h>
#include <pare/status.h>
#include <pare/stop.h>
#include <pare/test.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pare_worker_options {
    size_t struct_bytes; /* see pare.h */
    pare_cluster_options cluster;
    unsigned jobs;      /* tests at once; 0: as many as there are processors */
    pare_safety safety; /* of all tests; sandbox: DEFAULT is FULL, and what the system refuses is
                             refused.  A run's own limits hold where they are tighter */
    const char *name;   /* of this worker; NULL: HOST:PROCESS */
    pare_stop *stop;    /* ends it; may be NULL */
    void (*tell)(void *context, const char *sentence); /* what it does; may be NULL */
    void *context;
} pare_worker_options;

/* Serves until it is stopped, which is PARE_OK; several runs at once, each in a process of its own, a copy of
 * this one: so no other thread may hold a lock at the call.  Errors: PARE_E_ARG, PARE_E_IO (no server, refused),
 * PARE_E_UNSUPPORTED (no libnats, no JetStream), PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_worker_run(const pare_worker_options *options,
                                                pare_error *err);

/* What a worker does for one of its runs. */
typedef struct pare_worker_run_status {
    uint64_t run;
    const char *state;           /* "preparing" or "ready" */
    unsigned n_slots, n_running; /* of its share of the slots now */
    uint64_t n_tests;
} pare_worker_run_status;

/* A worker, as it says itself. */
typedef struct pare_worker_status {
    const char *name, *machine; /* borrowed during the call */
    const char *state;          /* "ready" for a run at least, else "preparing" or "idle" */
    unsigned n_slots, n_running;
    uint64_t n_tests;                   /* since it was started */
    uint64_t run;                       /* that it works for, the first of them; 0: none */
    const pare_worker_run_status *runs; /* all of them */
    unsigned n_runs;
} pare_worker_status;

/* Calls `each` for each worker of the cluster that answers within a second.  Errors: as above. */
PARE_API PARE_CHECK pare_status pare_worker_list(const pare_cluster_options *cluster,
                                                 void (*each)(void *context,
                                                              const pare_worker_status *worker),
                                                 void *context, pare_error *err);

#ifdef __cplusplus
}
#endif

#endif
