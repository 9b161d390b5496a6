/* Inside the engine: its state, and what its files share.  For this folder only.
 *
 *   engine.c         its life, the best and the current text, what an outcome leads to
 *   slots.c          tests in slots: started, cancelled, their verdicts taken; tests of one text
 *   speculate.c      the loop that runs a strategy, with tests started ahead of time
 *   pool_parallel.c  a loop of its own for patch pools */
#ifndef PARE_ENGINE_ENGINE_INTERNAL_H
#define PARE_ENGINE_ENGINE_INTERNAL_H

#include <pare/outcome.h>

#include "base/digest.h"
#include "engine/cache.h"
#include "engine/engine.h"
#include "engine/heard.h"
#include "engine/limited.h"
#include "engine/signatures.h"
#include "engine/speculate.h"
#include "engine/vain_edits.h"
#include "run/oracle.h"
#include "text/candidate.h"

/* What a slot of the oracle is doing. */
typedef struct pare_engine_job {
    enum { JOB_FREE, JOB_RUNNING, JOB_CANCELLED } state;
    pare_listening listened; /* to what it complains of */
    pare_digest key;
    pare_digest digest;
    size_t size_bytes;
    uint64_t start_ns;
} pare_engine_job;

/* A way from a text that is not the best.  All-zero: at home. */
typedef struct pare_uphill_search {
    bool away, arrived; /* arrived: the current text was smaller than the best, and is the best */
    pare_candidate current; /* while away and not arrived */
    uint64_t patience;      /* of its terms */
    uint64_t until, end;    /* it is over at so many tests, counted over the engine's life, if
                              nothing smaller is found, or in any case */
    uint64_t most_blind;    /* of its terms */
    uint64_t n_blind;       /* steps since the last one that failed */
    bool gained;            /* with most_blind: the best has become smaller on the way */
} pare_uphill_search;

/* What runs is to earn its tests.  All-zero: it need not. */
typedef struct pare_engine_yield {
    bool counts; /* `count` applies */
    pare_early_stop count;
    uint64_t (*after)(uint64_t gained_at); /* as in pare_guard_terms */
    uint64_t kept;
} pare_engine_yield;

#define PARE_FREE_START_MS 0.1 /* what a start may take and count for nothing */

struct pare_engine {
    pare_engine_options options;
    pare_cache *cache;
    pare_predictor predictor;
    pare_planner planner;
    pare_future_keys keys;
    pare_signatures signatures; /* of other failures */
    pare_heard heard;           /* what candidates complained of */
    bool has_watched;           /* the oracle was asked to find out how it can tell more */
    pare_listening listens;     /* to tests that are started now */
    bool is_deaf;          /* the strategy that runs hears nothing, or the oracle cannot tell */
    pare_engine_job *jobs; /* owned; one for each slot */
    unsigned n_slots, most_slots; /* that may be busy; 0: all */
    pare_candidate best;
    bool has_best;
    bool gained;        /* the best has lost bytes by a test that has not been announced */
    double start_ms[2]; /* learnt: what starting takes us on this machine, elsewhere; 0: unknown */
    double start_there_ms; /* learnt: what it takes the machine elsewhere; 0: unknown */
    double test_ms;        /* learnt: what a whole test takes; 0: unknown */
    int64_t replan_ms; /* to wait at most, for a new plan may want more; 0: as long as it takes */
    pare_uphill_search uphill;
    pare_engine_yield guard;
    pare_vain_edits vain;
    unsigned n_skipped;   /* requests of options.requests that were seen to */
    uint64_t *skipped_at; /* owned; ascending; from the journal: how many tests had retired */
    size_t n_skipped_at, skipped_at_capacity, next_skip;
    bool best_unsaved; /* successes replayed from the journal are saved only when needed */
    pare_engine_stats stats;
};

/* Saves the best if that was put off.  Errors: those of `save`. */
PARE_CHECK pare_status pare_engine_save_best(pare_engine *engine, pare_error *err);

/* Starts a test of `candidate`, known as `key`, in a free slot, or gives it up.
 * Errors: those of the oracle and of `save`. */
PARE_CHECK pare_status pare_slots_start(pare_engine *engine, unsigned slot,
                                        const pare_candidate *candidate, pare_digest key,
                                        pare_error *err);
void pare_slots_cancel(pare_engine *engine, unsigned slot);

/* Tests that are started from now on are to say what they complain of, or no more.  Whether they
 * do: the oracle may not be able to tell. */
bool pare_slots_listen(pare_engine *engine, pare_listening listens);

/* Runs the test of the current text once, watched, if the oracle has something to find out by
 * that; once for each engine, while no test runs.  Errors: those of the oracle. */
PARE_CHECK pare_status pare_slots_watch(pare_engine *engine, pare_error *err);

/* Ends a run that came to `status`: whatever happened, no test is left and the best is
 * on disk.  Returns `status`, or what went wrong now. */
PARE_CHECK pare_status pare_slots_finish(pare_engine *engine, pare_status status, pare_error *err);

/* The outcome as it counts now: on some uphill searches what is UNRESOLVED fails. */
pare_outcome pare_engine_counts_as(const pare_engine *engine, pare_outcome outcome);

/* What came of one look at the state of things. */
typedef struct pare_decision {
    bool end;
    pare_engine_end why;
} pare_decision;

/* Whether the target is reached or the budget spent. */
pare_decision pare_engine_budget(const pare_engine *engine);

/* Notes that a run has ended, and why: of one that was skipped the journal has to know.
 * Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_engine_leave(pare_engine *engine, pare_engine_end why, pare_error *err);

/* How many more tests the guard lets pass, if none of them gains anything. */
uint64_t pare_engine_guarded_tests(const pare_engine *engine);

/* How many tests may be under way: more would be of no use within the budget. */
size_t pare_slots_useful(const pare_engine *engine);

/* Whether starting a test as the last one was started takes time in which verdicts should be heard. */
static inline bool pare_slots_start_is_slow(const pare_engine *engine)
{
    return engine->start_ms[engine->options.oracle->is_elsewhere] > PARE_FREE_START_MS;
}

/* Waits for one verdict, or until something else is due; not at all when there is `more`
 * to start.  What the verdict says is in the cache then.
 * Errors: those of the oracle, the cache and the journal. */
PARE_CHECK pare_status pare_slots_wait(pare_engine *engine, bool more, pare_decision *decision,
                                       pare_error *err);

/* Waits as long as the user wants a pause, until nothing can be waited for any more: the time is
 * over, or a stop was requested.  Errors: as above. */
PARE_CHECK pare_status pare_slots_pause(pare_engine *engine, pare_decision *decision,
                                        pare_error *err);

/* Makes `candidate` (moved) the best; one answered by the journal was saved by the
 * process that ran it, and need not be written again on the way.
 * Errors: those of `save`. */
PARE_CHECK pare_status pare_engine_accept(pare_engine *engine, pare_candidate *candidate,
                                          bool journaled, pare_error *err);

/* Accepts `candidate` (moved then, and retired->accepted set) if it fails and is smaller than
 * the best: in bytes, or, when `ordered`, in the order.  In an uphill search the current text takes the
 * place of the best, retired->stepped is set, and what is smaller than the best in the order
 * is accepted.  Errors: as above; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_engine_accept_smaller(pare_engine *engine, pare_candidate *candidate,
                                                  bool ordered, pare_known known,
                                                  pare_retired *retired, pare_error *err);

/* Hands a candidate on that is about to retire, notes one that does not fail, and hands one that is
 * another failure on.
 * Errors: those of `other`; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_engine_accept_other(pare_engine *engine,
                                                const pare_candidate *candidate, pare_known known,
                                                pare_error *err);

/* Bytes of the candidate that count: without what holds several files together. */
size_t pare_engine_content_bytes(const pare_engine *engine, const pare_candidate *candidate);

/* Gives an outcome its number and announces it. */
void pare_engine_announce(pare_engine *engine, pare_retired *retired, pare_known *known);

#endif
