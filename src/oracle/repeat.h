/* An oracle around another: each test is as many runs as a rule asks for, in its slot,
 * one after the other, until the rule accepts (FAIL) or rejects the candidate.
 *
 * A rejected candidate is UNRESOLVED when more of its runs were than PASS, else PASS.
 * The verdict's exit code, signal and time-out are those of the last run that ended so,
 * its duration is the sum.  Without a rule every test is one run, and costs nothing
 * more.  One thread. */
#ifndef PARE_ORACLE_REPEAT_H
#define PARE_ORACLE_REPEAT_H

#include "oracle/oracle.h"
#include "oracle/rates.h"

/* Wraps `inner`, which is taken over (on failure too).  On PARE_OK the caller owns *out,
 * without a rule; free it by pare_oracle_free.  Memory: a copy of the candidate's pieces
 * for each slot.  Errors: PARE_E_NOMEM; its start and wait also give those of the inner
 * start. */
PARE_CHECK pare_status pare_repeat_new(pare_oracle *inner, pare_oracle **out, pare_error *err);

/* The rule for tests that are started from now on; NULL: one run. */
void pare_repeat_set_rule(pare_oracle *oracle, const pare_rate_rule *rule);

/* Runs that ended, of all tests so far. */
uint64_t pare_repeat_runs(const pare_oracle *oracle);

#endif
