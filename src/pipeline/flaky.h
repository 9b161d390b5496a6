/* Failures that do not come every time.
 *
 * The first runs of the input and a few runs of what is best now and then show whether
 * the failure is certain; as long as it seems so, each test is one run.  Once a run of a
 * failing text has passed, how often the input fails is measured, and from then on each
 * candidate is run until a sequential test (oracle/rates.h) says that it fails at least
 * about half as often as the input, which costs little, or that it does not.  What that
 * leaves open is closed at the end: the result is measured as often as the input was, and
 * when it fails less often by more than the tolerance, the best is taken back to the last
 * of the earlier ones that does not, and the reduction goes on from there with a stricter
 * test.  So the result never drifts away from the failure, and only the end pays for
 * certainty.
 *
 * Cost: 2 runs at the start, at most 1 for 30 tests on the way, at the end 1 for 20 tests
 * or as many as take half a second (2 at least, 40 at most).  For a flaky input: pare_rate_runs_needed, twice. */
#ifndef PARE_PIPELINE_FLAKY_H
#define PARE_PIPELINE_FLAKY_H

#include "oracle/rates.h"
#include "pipeline/session.h"

enum { PARE_FLAKY_MAX_KEPT = 32 };

/* All-zero: nothing is known. */
typedef struct pare_flaky {
    pare_session *session; /* borrowed */
    bool watching;         /* runs are repeated to see whether the failure is certain */
    bool on;               /* it is not */
    pare_rate input;       /* how often the input fails */
    pare_rate best;        /* how often the best fails; all-zero: not measured since it changed */
    pare_text *start;      /* the input, one reference; NULL: one large file, read again */
    double floor;          /* the user's; 0: none */
    double tolerance;
    double refused_share;                       /* the highest that was too low */
    unsigned refused;                           /* how many times the best was taken back */
    const pare_text *kept[PARE_FLAKY_MAX_KEPT]; /* earlier bests, one reference each */
    size_t n_kept;
    uint64_t successes; /* of the engine, when the best was looked at last */
    uint64_t passed;    /* of the runs made last: no failure, and no time-out */
    uint64_t extra;     /* runs that only look whether the failure is certain */
} pare_flaky;

/* Begins, with the input `text`, whose check was `verdict`: a few more runs, or what the
 * journal of an earlier process says.  *fails is false when it never did.  *end is set when
 * it is not PARE_END_DONE.
 * Errors: those of the engine; PARE_E_STATE (it fails less often than the floor given). */
PARE_CHECK pare_status pare_flaky_begin(pare_flaky *flaky, pare_session *session,
                                        const pare_text *text, const pare_verdict *verdict,
                                        bool *fails, pare_engine_end *end, pare_error *err);
void pare_flaky_done(pare_flaky *flaky);

/* After each phase: looks at the best, when it has changed.  *end as above. */
PARE_CHECK pare_status pare_flaky_look(pare_flaky *flaky, pare_engine_end *end, pare_error *err);

/* At the end: measures the best.  *again says that it was taken back, and the phases are to
 * be run again.  *end as above. */
PARE_CHECK pare_status pare_flaky_confirm(pare_flaky *flaky, bool *again, pare_engine_end *end,
                                          pare_error *err);

#endif
