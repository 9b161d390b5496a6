/* The judge: from what was seen of a program to an outcome.
 *
 * A test is up to three runs on one candidate: the program, the other command of a difference
 * (--differs), and the command that knows what is valid (--valid).  Each is needed only if the one
 * before shows the failure.  The outcome is FAIL if the runs show all that is to be kept; PASS,
 * with its signature, if they show another failure; UNRESOLVED if the program or the last command
 * rejects the candidate as invalid.
 *
 * A judge that looks for any failure (pare_judge_any), as fuzzing does, has nothing to keep: it
 * gives FAIL with the signature of what was seen.  One thread. */
#ifndef PARE_RUN_JUDGE_H
#define PARE_RUN_JUDGE_H

#include <pare/keep.h>
#include <pare/outcome.h>

#include "base/digest.h"
#include "run/printed.h"
#include "run/signature.h"

typedef struct pare_judge pare_judge;
struct pare_diagnostics; /* diagnostic.h */
struct pare_named_lines; /* named_line.h */

typedef enum pare_run { PARE_RUN_PROGRAM, PARE_RUN_OTHER, PARE_RUN_VALID, PARE_N_RUNS } pare_run;

/* What is known of the test in a slot; all-zero at its start. */
typedef struct pare_trial {
    pare_run run; /* the one under way */
    pare_ended ended;
    int code;
    pare_digest out_digest; /* of the program, for the difference */
    bool has_signature;     /* the program's run gave it: it is that of the trial */
} pare_trial;

/* Which failures a judge looks for that has none to keep.  What `keep` names is a condition on all
 * of them, but for two things that are failures by themselves: a hang and a difference. */
typedef enum pare_any_failure {
    PARE_ANY_NONE,      /* it keeps one failure */
    PARE_ANY_NAMED,     /* what `keep` names, nothing else */
    PARE_ANY_CRASH,     /* signals but those from outside or of limits, sanitizers' reports,
                           assertions, internal errors, panics */
    PARE_ANY_EXCEPTION, /* also tracebacks and exceptions, unless the input is called invalid */
    PARE_ANY_EXIT       /* also each exit code but 0, and output without end */
} pare_any_failure;

typedef struct pare_judgement {
    bool more;             /* trial->run is to be done, on the same candidate */
    pare_outcome outcome;  /* otherwise */
    const char *signature; /* of another failure, or the one learnt, or any; NULL: none.  Valid
                              until the next judgement, as is `why` */
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

/* From now on it looks for any failure of this kind.  Errors: PARE_E_ARG (NAMED, and `keep` names
 * nothing). */
PARE_CHECK pare_status pare_judge_any(pare_judge *judge, pare_any_failure any, pare_error *err);

/* Whether it does. */
bool pare_judge_is_any(const pare_judge *judge);

/* Whether a run with this signature is one of these failures by itself, without conditions: of
 * hangs it is said that they are none. */
bool pare_judge_has_failure(pare_any_failure any, const pare_signature *seen);

/* The problems that the last judged run reported.  They are only read while the judge learns, or
 * where one of them is to be kept.  Valid until the next judgement. */
const struct pare_diagnostics *pare_judge_seen(const pare_judge *judge);

/* The lines that the last judged run named, if it showed all else that is to be kept, or if the judge learns.
 * Valid until the next judgement. */
const struct pare_named_lines *pare_judge_named(const pare_judge *judge);

/* Whether it looks at the candidate itself, too: seen->candidate is to be there. */
bool pare_judge_reads_candidate(const pare_judge *judge);

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

/* The same for a second run of a test whose judgement stands, which is only compared with it:
 * pare_judge_seen still gives what the first one reported. */
PARE_CHECK pare_status pare_judge_compare(pare_judge *judge, pare_trial *trial,
                                          const pare_observation *seen, pare_judgement *judgement,
                                          pare_error *err);

/* Digest of all conditions but the signature, to notice that they changed.  Of commands it has
 * the text, not the files. */
pare_digest pare_judge_identity(const pare_judge *judge);

#endif
