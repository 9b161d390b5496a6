/* An oracle around another: each test is as many runs as a rule asks for, in its slot,
 * one after the other, until the rule accepts (FAIL) or rejects the candidate.
 *
 * An adaptive rule is told the share of recently accepted tests (rate.h).
 *
 * A rejected candidate is UNRESOLVED when more of its runs were than PASS, else PASS.
 * The verdict's exit code, signal and time-out are those of the last run that ended so,
 * its duration is the sum.  Without a rule every test is one run, and costs nothing
 * more.  One thread. */
#ifndef PARE_RUN_REPEAT_H
#define PARE_RUN_REPEAT_H

#include "run/oracle.h"
#include "run/rate.h"

/* Wraps `inner`, which is taken over (on failure too).  On PARE_OK the caller owns *out,
 * without a rule; free it by pare_oracle_free.  Memory: a copy of the candidate's pieces
 * for each slot.  Errors: PARE_E_NOMEM; its start and wait also give those of the inner
 * start. */
PARE_CHECK pare_status pare_repeat_new(pare_oracle *inner, pare_oracle **out, pare_error *err);

/* The rule for tests that are started from now on; NULL: one run. */
void pare_repeat_set_rule(pare_oracle *oracle, const pare_rate_rule *rule);

/* From `runs` runs on, all tests counted, `rule` takes the place of the one that was set; until
 * another is set. */
void pare_repeat_relax(pare_oracle *oracle, const pare_rate_rule *rule, uint64_t runs);

/* Runs that ended, of all tests so far. */
uint64_t pare_repeat_runs(const pare_oracle *oracle);

#endif
