/* Feedback: inputs that reach something new are reduced, and join the population of their target.
 *
 * The population and the union of what was reached are in the store (corpus_table.h), where all
 * sources of the target share them.  One thread. */
#ifndef PARE_CAMPAIGN_FEEDBACK_H
#define PARE_CAMPAIGN_FEEDBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/findings.h>
#include <pare/stop.h>

#include "base/fail.h"
#include "campaign/source.h"
#include "campaign/target.h"
#include "run/oracle.h"

typedef struct pare_feedback pare_feedback;

/* All borrowed as long as the feedback lives. */
typedef struct pare_feedback_options {
    pare_store *store;
    const pare_target *target;
    const char *source_name;
    pare_source *source; /* gets the members */
    pare_oracle *oracle; /* of processes; AFL's runner unless there is: */
    const char *command; /* that tells what an input reaches; NULL: AFL's map */
    const char *folder;  /* private; for the command */
    pare_stop *stop;
} pare_feedback_options;

/* On PARE_OK the caller owns *out.  To be called before the first test.  Brings in the population
 * that there is.  Errors: those of pare_coverage_command_open and of the store. */
PARE_CHECK pare_status pare_feedback_open(const pare_feedback_options *options, pare_feedback **out,
                                          pare_error *err);
void pare_feedback_free(pare_feedback *feedback); /* NULL is a no-op */

/* The test of an input in `slot` has ended, and has not failed: *new_edges that nothing had reached
 * before.  Errors: PARE_E_NOMEM, those of the command. */
PARE_CHECK pare_status pare_feedback_look(pare_feedback *feedback, unsigned slot, const void *bytes,
                                          size_t size, uint64_t *new_edges, pare_error *err);

/* Whether inputs wait to be reduced. */
bool pare_feedback_has_work(const pare_feedback *feedback);

/* What the work has cost. */
typedef struct pare_feedback_cost {
    uint64_t tests;
    double testing_s;
} pare_feedback_cost;

/* Reduces what waits, and adds it to the population; no test may be under way.  Its tests take at
 * most a tenth of all, over time; what there are no tests for joins as it is.
 * Errors: those of the oracle and of the store, PARE_E_INTERRUPTED. */
PARE_CHECK pare_status pare_feedback_work(pare_feedback *feedback, pare_feedback_cost *cost,
                                          pare_error *err);

/* Gives the store what was reached, and takes what others have reached.  *new_edges: that the store did not have; each edge is new for exactly one of
 * those who reach it.  To be called in the transaction that counts them.  Errors: those of the
 * store. */
PARE_CHECK pare_status pare_feedback_share(pare_feedback *feedback, uint64_t *new_edges,
                                           pare_error *err);

/* Gives the source the inputs that were added since the last call, by whomever.  Not to be called in
 * a transaction: reading a large input by a grammar may take seconds, and all others would wait.
 * Errors: those of the store and of pare_source_join. */
PARE_CHECK pare_status pare_feedback_bring_in(pare_feedback *feedback, pare_error *err);

#endif
