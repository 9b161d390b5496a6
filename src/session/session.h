/* A session: one input, one oracle, one engine, and everything the user is told.
 *
 * What pare_reduce, pare_reduce_list and pare_isolate have in common: it reads the options, makes
 * the oracle and the journal, checks the input, keeps the output on disk, turns what the engine
 * retires into events and statistics, and cleans up.  While the first run goes on, of the input's
 * check or where a signature is learnt, it says so after 3 s, and after 10 s what to do when it
 * does not end. One thread. */
#ifndef PARE_SESSION_SESSION_H
#define PARE_SESSION_SESSION_H

#include <pare/events.h>
#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/status.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "engine/engine.h"
#include "engine/journal.h"
#include "engine/pool_options.h"
#include "engine/strategy.h"
#include "run/rate.h"
#include "session/output/history_log.h"
#include "session/output/output.h"
#include "session/test/session_oracle.h"
#include "text/candidate.h"
#include "text/layout.h"
#include "text/patch.h"
#include "text/text.h"

typedef struct pare_session {
    const pare_reduce_options *options; /* borrowed */
    const pare_layout *layout;          /* borrowed; of several files; NULL: one */
    bool has_marks;       /* as in pare_session_oracle_options; set before opening, as only these */
    bool keeps_history;   /* if output.history wants one: the best is what history is about */
    pare_digest measured; /* candidate whose size this is: */
    pare_layout_size size;
    size_t kept_bytes; /* of files that stay as they are, which users are not told of */
    pare_output output;
    pare_session_oracle oracle;
    pare_journal *journal;      /* owned; NULL: none */
    pare_history_log history;   /* owned; off where nobody wants one */
    pare_engine *engine;        /* owned */
    pare_other_failures others; /* owned */
    pare_stats stats;           /* owned until pare_session_finish hands it on */
    size_t passes_capacity, curve_capacity;
    pare_pass_stats *pass; /* the pass under way, in stats.passes; NULL: none */
    const char *phase;     /* its name, or "" */
    const char *one_name;  /* static; the name that all passes go by; NULL: each by its own */
    uint64_t start_ms;
    double start_cpu_s;
    uint64_t waiting_ms; /* on the clock: when the first run began; 0: it is not under way */
    unsigned n_waiting;  /* how often the user was told that it takes long */
    bool told_of_worker; /* the oracle's notice about it */
    bool is_resumed;     /* the journal has outcomes of an earlier run */
    uint64_t sideways;   /* failing candidates that were not smaller than what they were
                            compared with, so not kept */
    pare_engine_end end; /* with PARE_RUN_ENDED: why; else PARE_END_DONE */
    pare_status lost;    /* a statistic could not be kept (PARE_E_NOMEM), or the output is somebody
                            else's now (PARE_E_IO); else PARE_OK */
    char next_phase[64]; /* what is likely to come next; "": nobody knows */
    unsigned n_skipped;  /* phases that the user wanted to be left */
    bool
        wants_names; /* refused, because its message without names is that of less than the input, too; with
                            them (--keep exact) it is not */
    bool wants_line;    /* the same, but the message names another line there (--keep line) */
    unsigned n_outputs; /* how often the user wanted to see what a test prints, so far */
    pare_buffer tested; /* owned; the candidate that retires next, where texts are wanted */
    bool is_tested;     /* it is that */
    const pare_candidate *passing; /* borrowed; the passing side, during an event about it */
} pare_session;

/* What a function returns, besides the statuses, when the run is over before the function is done
 * with it: the budget is spent, the target reached, a stop requested.  It is no error and writes
 * nothing to *err; session->end tells which.  So there is one thing to check after each step, and
 * it ends every loop on the way out.  It never leaves the library. */
#define PARE_RUN_ENDED ((pare_status)0x100)

/* What of `status` is an error: PARE_OK where the run has only ended. */
static inline pare_status pare_run_error(pare_status status)
{
    return status == PARE_RUN_ENDED ? PARE_OK : status;
}

/* Opens a session that reduces `input` (a reference is not kept), the text of `layout` if that is
 * not NULL.  *session is all-zero but for what is to be set before; it is open only on success, and
 * the caller closes it.
 * Errors: PARE_E_STATE (a program that does not fail in a way that can be told; when it is one
 * problem of several that has to be named, they are in result->reported), PARE_E_ARG (options),
 * PARE_E_IO, PARE_E_BUSY (the journal is in use), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_session_open(const pare_reduce_options *options,
                                         const pare_layout *layout, const pare_text *input,
                                         pare_session *session, pare_result *result,
                                         pare_error *err);
void pare_session_close(pare_session *session);

/* Nothing is reduced after all: what the journal holds is not to be continued. */
void pare_session_discard_journal(pare_session *session);

/* Removes the journal, which has to be there, with all that goes by it.  Errors: PARE_E_IO; it is closed
 * all the same. */
PARE_CHECK pare_status pare_session_remove_journal(pare_session *session, pare_error *err);

/* Begins the pass `name` ("algorithm/unit") over `n_units` and announces it; passes of
 * one name are counted together.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_session_begin_pass(pare_session *session, const char *name,
                                               size_t n_units, pare_error *err);

/* Runs one strategy (taken over) to its end, within the pass.  PARE_RUN_ENDED: the run ended
 * before the strategy did. */
PARE_CHECK pare_status pare_session_run(pare_session *session, pare_strategy *strategy,
                                        pare_error *err);

/* The same; on PARE_OK and PARE_RUN_ENDED *strategy is the state at the end, owned by the caller,
 * else NULL. */
PARE_CHECK pare_status pare_session_run_keeping(pare_session *session, pare_strategy **strategy,
                                                pare_error *err);

/* Runs a pool over `patches`, about the best, to its end, within the pass; see
 * pare_engine_run_pool. */
PARE_CHECK pare_status pare_session_run_pool(pare_session *session, pare_patches *patches,
                                             const pare_pool_options *options, pare_error *err);

/* When the time of the run is over, on the clock; 0: never. */
uint64_t pare_session_deadline_ms(const pare_session *session);

/* Files and bytes of the best, or of the input before there is one: frames (text/layout.h) do not
 * count.  Cheap while the best stays the same. */
pare_layout_size pare_session_best_size(pare_session *session);

/* Writes the best to where it goes.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_session_save_best(pare_session *session, const pare_candidate *best,
                                              pare_error *err);

/* Adds the best to the history, if it is not its last step: it came of test number `test`; is_result
 * says that it is the last one.  A history that cannot be written is given up with a notice. */
void pare_session_note_best(pare_session *session, uint64_t test, bool is_result);

/* How often what strategies start from became smaller. */
uint64_t pare_session_progress(const pare_session *session);

/* Runs `text` by itself; see pare_engine_measure. */
PARE_CHECK pare_status pare_session_measure(pare_session *session, const pare_text *text,
                                            uint64_t runs, pare_rate *rate, uint64_t *timed_out,
                                            pare_error *err);

/* Notes why a run has ended: PARE_RUN_ENDED, or PARE_OK where it has not (PARE_END_DONE). */
PARE_CHECK pare_status pare_session_end(pare_session *session, pare_engine_end end);

/* Goes on after an end that means nothing for the run: PARE_OK for PARE_RUN_ENDED, but for a
 * requested stop; other statuses stay. */
PARE_CHECK pare_status pare_session_go_on(pare_session *session, pare_status status);

/* Whether what ran was left at the user's request; then *status is PARE_OK, and the caller does not
 * run it again before something has changed.  Asked where a phase is called, and nowhere deeper. */
bool pare_session_is_skipped(pare_session *session, pare_status *status);

/* What the end of the run means to the user. */
pare_stopped pare_session_stopped(const pare_session *session);

/* Ends the run: *result is set from the engine's best, the output is written if it never was, the
 * journal of a complete run is removed.  `stopped` and `minimal` are kept in the statistics.  The
 * caller still closes the session, and owns what is in *result, after a failure too.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_session_finish(pare_session *session, pare_stopped stopped,
                                           pare_minimal minimal, pare_result *result,
                                           pare_error *err);

/* Since the session was opened. */
double pare_session_elapsed_s(const pare_session *session);

/* Bytes of the best, or of the input before there is one: of contents, so that frames of a layout are
 * nobody's success. */
size_t pare_session_best_bytes(pare_session *session);

/* ---- events: what the parts of a session tell the watcher ------------------------------ */

/* Fills in what every event carries and calls the watcher, if there is one. */
void pare_event_emit(pare_session *session, pare_event event);

/* Keeps what `candidate` prints, for the event about it; as pare_engine_options.tested, the context is
 * the session. */
void pare_event_keep_tested(void *context, const pare_candidate *candidate);

/* Tells that the passing side is another one since test `n`; as pare_engine_options.passing, the
 * context is the session. */
void pare_event_tell_passing(void *context, uint64_t n, const pare_candidate *side);

/* Announces one sentence. */
void pare_event_notice(pare_session *session, const char *sentence);

#endif
