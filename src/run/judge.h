/* The judge: from what was seen of a program to an outcome.
 *
 * A test is up to three runs on one candidate: the program, the other command of a difference
 * (--differs), and the command that knows what is valid (--valid).  Each is needed only if the one
 * before shows the failure.  The outcome is FAIL if the runs show all that is to be kept; PASS,
 * with its signature, if they show another failure; UNRESOLVED if the program or the last command
 * rejects the candidate as invalid.  One thread. */
#ifndef PARE_RUN_JUDGE_H
#define PARE_RUN_JUDGE_H

#include <pare/keep.h>
#include <pare/outcome.h>

#include "base/digest.h"
#include "run/printed.h"
#include "run/signature.h"

typedef struct pare_judge pare_judge;
struct pare_diagnostics; /* diagnostic.h */

typedef enum pare_run { PARE_RUN_PROGRAM, PARE_RUN_OTHER, PARE_RUN_VALID, PARE_N_RUNS } pare_run;

/* What is known of the test in a slot; all-zero at its start. */
typedef struct pare_trial {
    pare_run run; /* the one under way */
    pare_ended ended;
    int code;
    pare_digest out_digest; /* of the program, for the difference */
} pare_trial;

typedef struct pare_judgement {
    bool more;             /* trial->run is to be done, on the same candidate */
    pare_outcome outcome;  /* otherwise */
    const char *signature; /* of another failure, or the one learnt; NULL: none.  Valid until
                              the next judgement, as is `why` */
    const char *why;       /* not FAIL: one sentence on what is missing; NULL: nothing to say */
} pare_judgement;

/* On PARE_OK the caller owns *out; `keep` is borrowed until it is freed.
 * Errors: PARE_E_ARG (signal, exit code, a pattern; the sentence says where), PARE_E_SYNTAX
 * (the signature), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_judge_new(const pare_keep *keep, pare_judge **out, pare_error *err);
void pare_judge_free(pare_judge *judge); /* NULL is a no-op */

/* Whether nothing is named, so that the signature has to be learnt. */
bool pare_judge_must_learn(const pare_judge *judge);

/* While it learns, a judgement carries the signature of what was seen: FAIL for a failure,
 * PASS for none. */
void pare_judge_learn(pare_judge *judge);

/* The problems that the last judged run reported.  They are only read while the judge learns, or
 * where one of them is to be kept.  Valid until the next judgement. */
const struct pare_diagnostics *pare_judge_seen(const pare_judge *judge);

/* The signature that is required from now on. */
void pare_judge_require(pare_judge *judge, const pare_signature *signature);

/* The time after which `run` counts as hanging; 0: hanging is not what is looked for. */
uint64_t pare_judge_hang_ms(const pare_judge *judge, pare_run run);

/* Sets that time; for judges that look for a hang. */
void pare_judge_set_hang_ms(pare_judge *judge, uint64_t hang_ms);

/* The least memory that a run has to take to be the failure; 0: any. */
uint64_t pare_judge_least_rss_bytes(const pare_judge *judge);

/* Whether all of standard output is compared. */
bool pare_judge_compares(const pare_judge *judge);

/* Judges one run.  Errors: PARE_E_NOMEM, PARE_E_LIMIT (a pattern takes too long). */
PARE_CHECK pare_status pare_judge_decide(pare_judge *judge, pare_trial *trial,
                                         const pare_observation *seen, pare_judgement *judgement,
                                         pare_error *err);

/* Digest of all conditions but the signature, to notice that they changed.  Of commands it has
 * the text, not the files. */
pare_digest pare_judge_identity(const pare_judge *judge);

#endif
