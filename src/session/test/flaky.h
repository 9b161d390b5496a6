/* Failures that do not come every time.
 *
 * A few runs of the input, and now and then of what is best, show whether the failure is
 * certain; as long as it seems so, each test is one run.  Once a run of a failing text has passed,
 * the input is run 20 times: if each fails, the failure is not by chance, and either something
 * disturbed that run, or the best is another failure, which is given up.  Else, where tests run at once,
 * the input is run by itself: if it fails so often then that it is no chance (Fisher's exact test, 1 in
 * 100), tests disturb each other, and run one at a time.  Else fixed addresses are tried: if each of 20
 * runs fails with them, they stay fixed and each test one run.  Else each candidate is run until a
 * sequential test decides (run/rate.h).
 *
 * That test is weak.  It rejects after k passes in a row (p = 0.9, 0.8: 2; 0.5: 4; 0.2: 11; fewer
 * where little was accepted lately), which loses one of 16 to 25 good candidates, and it accepts
 * one of four that fail half as often.  When the phases have ended, what passed is forgotten and
 * asked once more.  Then the result is compared with the input, by 20 runs of each at least.  The
 * price sets how many more: all runs together may be 1.2 k times the tests up to then (1.8 at
 * least), of the result 160, of the input 60.  A result that seems to fail less often, by a
 * standard deviation, is run as often whatever the price; if then it still seems so by two, both
 * are run on until it does not, or clearly fails less often (by more than 0.05 and 2.33 standard
 * deviations), or the difference of 0.05 would be seen in 95 cases of 100.
 *
 * A refused result is measured until five standard deviations lie between it and the input.  The
 * best is taken back to the last of the earlier ones that is like the input, not like what was
 * refused, by a sequential test with errors of 0.003 and 0.02; the same test decides about
 * candidates from then on (until 8 times the price is spent), about the best after each phase,
 * and about the result.
 *
 * What that is worth, by simulation (tests/unit/test_flaky.c): of 400 reductions none ended at a
 * tenth of the input's share, 6 in 100 at half of it (p = 0.8), most at 0.85 of it where there
 * is one that is smaller.  Who wants to be sure of 0.05 needs thousands of runs, and says so by a
 * precision: then input and result are measured to that, compared by pare_rate_holds with what
 * that many runs can tell, and candidates tested with errors of 0.01 and 0.02.
 *
 * Where one run takes longer than a second, or has 20,000 files to be written, reduction begins at once, after the one run of the check:
 * the runs of the start are made up for as soon as the text has shrunk to half, when each is cheaper.
 * An input that is known to fail by chance is then measured for as long as it takes in half a minute,
 * or by 6 runs; where the end needs more of them, it makes them.
 *
 * Cost: 2 to 9 runs at the start, at most 1 for 30 tests on the way, at the end 1 for 20 tests
 * or as many as take half a second (2 at least, 20 at most).  For a flaky input, runs in times of
 * the tests of a certain one, over a reduction of 498 tests: p = 0.9: 2.3; 0.8: 2.7; 0.5: 5.5. */
#ifndef PARE_SESSION_TEST_FLAKY_H
#define PARE_SESSION_TEST_FLAKY_H

#include "run/oracle.h"
#include "session/session.h"
#include "session/test/flaky_rate.h"
#include "text/text.h"

/* Begins, with the input `text`, whose check was `verdict`: a few more runs, or what the
 * journal of an earlier process says.  *fails is false when it never did.  *end is set when
 * it is not PARE_END_DONE.
 * Errors: those of the engine; PARE_E_STATE (it fails less often than the floor given). */
PARE_CHECK pare_status pare_flaky_begin(pare_flaky *flaky, pare_session *session,
                                        const pare_text *text, const pare_verdict *verdict,
                                        bool *fails, pare_error *err);
void pare_flaky_done(pare_flaky *flaky);

/* After each phase: looks at the best, when it has changed.  *end as above. */
PARE_CHECK pare_status pare_flaky_look(pare_flaky *flaky, pare_error *err);

/* Gives the best up for the earlier one number `n` (from 1), or for the input when that is 0.
 * Errors: those of pare_engine_restore. */
PARE_CHECK pare_status pare_flaky_go_back(pare_flaky *flaky, size_t n, pare_error *err);

/* Tests are repeated again as they were, after single runs. */
void pare_flaky_resume_rule(const pare_flaky *flaky);

/* At the end: measures the best.  *again says that it was taken back, and the phases are to
 * be run again.  *end as above. */
PARE_CHECK pare_status pare_flaky_confirm(pare_flaky *flaky, bool *again, pare_error *err);

#endif
