/* The engine: the only layer that runs oracles.
 *
 * It tests an input, then runs sequential strategies one after the other, each in
 * parallel without changing what it does: tests are started along predicted outcomes,
 * outcomes retire in the strategy's own order.  So the number of slots changes neither
 * the accepted steps nor the bytes nor the trace.  It owns the outcome cache, keeps the
 * best candidate, writes the journal, and keeps to the budget.  One thread.
 *
 * Order of events for a success: journal, `save`, then `retired`.
 *
 * An uphill search starts from a failing text that is larger than the best, or as large: what
 * strategies then find is compared with that text, the current one, and takes its place, while
 * the best stays what it is, on disk too, until something smaller than it in the order
 * (text/order.h) fails.  So a step that grows the input may be taken, and the best never
 * grows. */
#ifndef PARE_ENGINE_ENGINE_H
#define PARE_ENGINE_ENGINE_H

#include "base/digest.h"
#include "engine/journal.h"
#include "engine/limited.h"
#include "engine/strategy.h"
#include "run/oracle.h"
#include "run/rate.h"
#include "text/candidate.h"
#include "text/text.h"

#include <pare/events.h>
#include <pare/outcome.h>
#include <pare/stop.h>

typedef struct pare_engine pare_engine;

/* One outcome as the strategy was told it. */
typedef struct pare_retired {
    uint64_t n; /* 0: the check of the input */
    pare_digest digest;
    size_t size_bytes;
    pare_outcome outcome;
    bool from_cache;
    bool repeated;         /* it has retired before */
    bool accepted;         /* it is the new best, saved; for a strategy with a best of its own:
                      that has changed */
    bool stepped;          /* in an uphill search: it is the new current text, but not the best */
    double ms;             /* 0 when from the cache */
    const char *signature; /* of another failure; NULL: none.  Valid as long as the engine */
} pare_retired;

/* All-zero is a valid start; everything but `oracle` may be left out. */
typedef struct pare_engine_options {
    pare_oracle *oracle;       /* borrowed */
    const pare_stop *requests; /* borrowed; whether to pause, or to leave what runs; may be NULL */
    pare_journal *journal;     /* borrowed; its records answer the first tests */
    bool no_cache;             /* repeated candidates run again; the journal is only written */
    bool deterministic;   /* pools run as strategies do, in one order for any number of slots */
    uint64_t max_tests;   /* distinct tests retired, without the check; 0: no limit */
    uint64_t deadline_ms; /* on the monotonic clock; 0: none */
    bool use_target;
    size_t target_size_bytes;
    int64_t tick_ms; /* `tick` is called when nothing retires for so long; 0: never */

    void *context; /* handed to the calls below; each may be NULL */
    size_t (*content_bytes)(void *context, const pare_candidate *candidate); /* what is told
                               of as its size, and compared with the target; NULL: its bytes */
    pare_status (*save)(void *context, const pare_candidate *best, pare_error *err);
    /* A candidate is about to retire; borrowed.  Comes before all else that follows from it. */
    void (*tested)(void *context, const pare_candidate *candidate);
    void (*retired)(void *context, const pare_retired *retired);
    /* Test `n`, which has retired, has moved the passing side of a strategy that has one. */
    void (*passing)(void *context, uint64_t n, const pare_candidate *side);
    /* A candidate that is another failure retires; comes before `retired`. */
    pare_status (*other)(void *context, const pare_candidate *candidate, const char *signature,
                         pare_error *err);
    void (*tick)(void *context);
} pare_engine_options;

typedef enum pare_engine_end {
    PARE_END_DONE,        /* the strategy ended */
    PARE_END_BUDGET,      /* max_tests or the deadline */
    PARE_END_TARGET,      /* the best is small enough */
    PARE_END_INTERRUPTED, /* the oracle was asked to stop */
    PARE_END_UPHILL,      /* something smaller than the best was found in an uphill search, or its
                             tests are spent */
    PARE_END_VAIN,        /* what runs does not earn its tests (pare_engine_guard) */
    PARE_END_SKIPPED      /* the user wants what runs to be left (pare_stop_skip_phase) */
} pare_engine_end;

/* Counted over the engine's life. */
typedef struct pare_engine_stats {
    uint64_t retired;   /* numbers given, the check included */
    uint64_t tests;     /* distinct tests retired, without the check */
    uint64_t gained_at; /* of those, how many there were when the best last lost bytes */
    uint64_t tests_run; /* ran to an outcome */
    uint64_t cache_hits, successes, speculated, cancelled;
    uint64_t steps;    /* current texts, smaller than the one before, that were not the best */
    uint64_t measured; /* runs of pare_engine_measure */
    double measured_ms, oracle_ms;
    double busy_ms;   /* that slots had a run, of whatever kind; the sum over them */
    uint64_t checked; /* candidates on which a compiler was run, or the test once more, to hear what
                         is wrong with them */
    double check_ms;  /* by that */
    uint64_t heard_fails; /* of a strategy that hears: outcomes that were FAIL */
    uint64_t told;        /* and others of which it was heard whether the candidate compiles */
    uint64_t rejected;    /* those of them that do not */
    unsigned slots_busy;
} pare_engine_stats;

/* On PARE_OK the caller owns *out; what `options` points to must outlive it.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_engine_new(const pare_engine_options *options, pare_engine **out,
                                       pare_error *err);
void pare_engine_free(pare_engine *engine); /* NULL is a no-op */

/* Tests `text`, the input, as test 0; when it fails, it is the first best.  *verdict
 * tells how it ended (from the journal: only the outcome and the duration).
 * Cost: one test, none when it is in the journal.
 * Errors: those of the oracle; PARE_E_INTERRUPTED. */
PARE_CHECK pare_status pare_engine_check(pare_engine *engine, const pare_text *text,
                                         pare_verdict *verdict, pare_error *err);

/* Tests `text` and announces the outcome, which should be `expected`; *verdict tells how
 * it ended, and the best stays what it is.
 * Cost: one test, none when the expected outcome is in the journal.
 * Errors: those of the oracle; PARE_E_INTERRUPTED. */
PARE_CHECK pare_status pare_engine_probe(pare_engine *engine, const pare_text *text,
                                         pare_outcome expected, pare_verdict *verdict,
                                         pare_error *err);

/* Runs `strategy` (taken over, on failure too) to its end or the budget's.  The input
 * must have been checked.  When this returns every test was ended; after an interruption
 * some may still be on their way out, and no other run may follow.
 * Errors: those of the strategy, of the oracle, of `save` and of the journal; the best so
 * far stays valid. */
PARE_CHECK pare_status pare_engine_run(pare_engine *engine, pare_strategy *strategy,
                                       pare_engine_end *end, pare_error *err);

/* The same, but on PARE_OK *strategy is the state at the end, owned by the caller; with an
 * error it is NULL. */
PARE_CHECK pare_status pare_engine_run_keeping(pare_engine *engine, pare_strategy **strategy,
                                               pare_engine_end *end, pare_error *err);

/* The smallest failing candidate that retired (fewest bytes; from pools in the order of
 * text/order.h), or what a strategy with a best of its own
 * says; borrowed, valid until the next success; NULL before the check. */
const pare_candidate *pare_engine_best(const pare_engine *engine);

/* What runs of one text came to. */
typedef struct pare_measured {
    pare_rate rate;
    uint64_t timed_out; /* runs that were ended at the time-out */
} pare_measured;

/* Runs `text` `runs` times, in all slots, and adds the outcomes to *measured.  Nothing is
 * cached, no outcome journaled.  *end is PARE_END_DONE, or says why it ended early: the
 * deadline, or a stop.  Errors: those of the oracle. */
PARE_CHECK pare_status pare_engine_measure(pare_engine *engine, const pare_text *text,
                                           uint64_t runs, pare_measured *measured,
                                           pare_engine_end *end, pare_error *err);

/* *text: a command for a shell that prints of which places of the candidate "$1" the test's compiler makes code
 * (compiler_line.h); NULL: none is known.  The test of the current text is run once, watched, unless that was done.
 * Not while a strategy runs.  Errors: those of the oracle. */
PARE_CHECK pare_status pare_engine_emitter(pare_engine *engine, const char **text, pare_error *err);

/* Makes `text` the best, and saves it: an earlier best, then every FAIL known so far is
 * forgotten, in the journal too; or an input whose check did not fail, but which is known
 * to fail at times.  Not while a strategy runs.
 * Errors: PARE_E_NOMEM, those of `save` and of the journal; the best is then either. */
PARE_CHECK pare_status pare_engine_restore(pare_engine *engine, const pare_text *text,
                                           pare_error *err);

/* Writes down that the run goes on from step `step` of its history, which is the best already: what an
 * earlier process left (PARE_END_SKIPPED) is not left again.  Not while a strategy runs.
 * Errors: those of the journal. */
PARE_CHECK pare_status pare_engine_go_from(pare_engine *engine, uint64_t step, pare_error *err);

/* From now on at most `most` tests run at once, for they disturb each other; 0: as many as there are
 * slots.  Not while a strategy runs. */
void pare_engine_bound_slots(pare_engine *engine, unsigned most);

/* Forgets every PASS known so far, since single runs said so of a failure that comes by
 * chance: such candidates are tested again.  The journal keeps them.  Not while a strategy
 * runs.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_engine_forget_passes(pare_engine *engine, pare_error *err);

/* How long an uphill search goes on, in tests retired. */
typedef struct pare_uphill_terms {
    uint64_t patience; /* in a row without a step; at least 1 */
    uint64_t most;     /* in all; at least 1 */
    /* Not 0: what is UNRESOLVED counts as failing on the way, at most so many steps in a row that are. */
    uint64_t most_blind;
} pare_uphill_terms;

/* Sets out from `from` (copied), which is known to fail and is no smaller than the best: until
 * pare_engine_end_uphill strategies start from it.  Runs end with PARE_END_UPHILL when `terms`
 * say so, or something smaller than the best was found, which is the best then.  As with
 * strategies the number of slots changes nothing.  Not while a strategy runs, nor on an
 * uphill search.
 * With most_blind the current text becomes smaller than the best, as it need not fail; whatever fails
 * and is smaller than the best is the best from then on, and the search goes on from there.
 * Cost: no test.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_engine_start_uphill(pare_engine *engine, const pare_candidate *from,
                                                const pare_uphill_terms *terms, pare_error *err);

/* Ends the search, if there is one: strategies start from the best again.  Whether it led
 * to something smaller. */
bool pare_engine_end_uphill(pare_engine *engine);

/* What strategies start from: the best, but in an uphill search the smallest text that was found
 * there; borrowed, valid until the next success or step; NULL before the check. */
const pare_candidate *pare_engine_current(const pare_engine *engine);

/* Makes the current text a candidate over a flat text of its own, and returns that text
 * (borrowed, valid until the next success or step): what the next strategy starts from, with
 * nothing older kept alive.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_engine_settle(pare_engine *engine, const pare_text **text,
                                          pare_error *err);

/* Whether no candidate that was made by the same edit between the same neighbours has retired without
 * failing before the text was settled last (pare_engine_settle; engine/vain_edits.h).  A pare_admits;
 * `context` is the engine.  Cannot fail. */
PARE_CHECK pare_status pare_engine_is_new_edit(const void *context, const pare_candidate *candidate,
                                               bool *is_new, pare_error *err);

/* When what runs is not worth its tests.  All-zero: always worth them. */
typedef struct pare_guard_terms {
    pare_early_stop_terms yield; /* of distinct tests since the guard was set; tests 0: any yield
                                    will do */
    /* How many tests may follow a gain that came after `gained_at` of them, counted over the
     * engine's life; NULL: any number. */
    uint64_t (*after)(uint64_t gained_at);
    uint64_t kept; /* of those, how many are for what runs under another guard */
} pare_guard_terms;

/* Guards all that runs from now on: it ends with PARE_END_VAIN when `terms` say so; an earlier
 * guard ends.  What the cache answers does not count, so what was tried before is gone through
 * for nothing; what the journal answers counts, so a run that goes on ends at the same place.
 * Not while a strategy runs. */
void pare_engine_guard(pare_engine *engine, const pare_guard_terms *terms);

pare_engine_stats pare_engine_statistics(const pare_engine *engine);

/* How many tests there may still be if none of them gains anything, by the guard and max_tests;
 * UINT64_MAX: nobody knows. */
uint64_t pare_engine_tests_left(const pare_engine *engine);

/* What slot number `slot` is testing; false: nothing, or there is no such slot. */
bool pare_engine_slot(const pare_engine *engine, unsigned slot, pare_slot_event *out);

#endif
