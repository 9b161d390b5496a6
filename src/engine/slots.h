/* The engine's books and its slots: what the loop (engine.c) and the tests of the input
 * (input.c) share.  For this folder only. */
#ifndef PARE_ENGINE_SLOTS_H
#define PARE_ENGINE_SLOTS_H

#include "engine/engine.h"
#include "engine/future.h"
#include "engine/signatures.h"
#include "engine/speculate.h"

/* What a slot of the oracle is doing. */
typedef struct pare_engine_job {
    enum { JOB_FREE, JOB_RUNNING, JOB_CANCELLED } state;
    pare_digest key;
    pare_digest digest;
    size_t size_bytes;
} pare_engine_job;

struct pare_engine {
    pare_engine_options options;
    pare_cache *cache;
    pare_predictor predictor;
    pare_planner planner;
    pare_future_keys keys;
    pare_signatures signatures; /* of other failures */
    pare_engine_job *jobs;      /* owned; one for each slot */
    unsigned n_slots;
    pare_candidate best;
    bool has_best;
    double start_ms, test_ms; /* learnt: what starting takes, and a whole test; 0: unknown */
    bool best_unsaved;        /* successes replayed from the journal are saved only when needed */
    pare_engine_stats stats;
};

/* Saves the best if that was put off.  Errors: those of `save`. */
PARE_CHECK pare_status pare_engine_save_best(pare_engine *engine, pare_error *err);

/* Starts a test of `candidate`, known as `key`, in a free slot, or gives it up.
 * Errors: those of the oracle and of `save`. */
PARE_CHECK pare_status pare_engine_start_test(pare_engine *engine, unsigned slot,
                                              const pare_candidate *candidate, pare_digest key,
                                              pare_error *err);
void pare_engine_cancel_test(pare_engine *engine, unsigned slot);

/* Frees the slot of a test that ended and records its outcome, if it has one.
 * Errors: those of the journal; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_engine_take(pare_engine *engine, const pare_verdict *verdict,
                                        pare_error *err);

/* Ends all tests and waits until every slot is free.  Errors: those of the oracle. */
PARE_CHECK pare_status pare_engine_drain(pare_engine *engine, pare_error *err);

/* Bytes of the candidate that count: without what holds several files together. */
size_t pare_engine_content_bytes(const pare_engine *engine, const pare_candidate *candidate);

/* Gives an outcome its number and announces it. */
void pare_engine_announce(pare_engine *engine, pare_retired *retired, pare_known *known);

/* How long to wait at most: until the next tick or the deadline; -1: for ever. */
int64_t pare_engine_patience(const pare_engine *engine);

#endif
