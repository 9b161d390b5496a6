/* Outcomes that runs share: a key-value bucket on the server of a cluster.
 *
 * A run that reduces what another has reduced, or continues it on another machine, need not repeat
 * its tests.  A key consists of the digests of the test and of the candidate; opening the bucket
 * gives everything known about the test, and later what others find out.  An outcome is used once:
 * if the same candidate is asked for again, the question is whether the outcome repeats.  Two
 * outcomes that disagree, or a run whose failure is flaky, put the test in doubt for everybody:
 * then none of its outcomes is believed.  One thread. */
#ifndef PARE_RUN_REMOTE_BUCKET_H
#define PARE_RUN_REMOTE_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/fail.h"
#include "run/oracle.h"
#include "run/remote/cluster.h"
#include "run/remote/link.h"
#include "run/remote/message.h"

typedef struct pare_bucket pare_bucket;

/* Makes the bucket if it does not exist, and asks for everything known about `test`, which comes as
 * letters.
 * Errors: PARE_E_STATE (the server refuses), PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_bucket_open(pare_cluster *cluster, pare_digest test, pare_bucket **out,
                                        pare_error *err);
void pare_bucket_close(pare_bucket *bucket); /* NULL is a no-op */

/* Asks anew, after the connection was lost.  Errors: the same. */
PARE_CHECK pare_status pare_bucket_renew(pare_bucket *bucket, pare_error *err);

/* Takes in a letter; false: it is not one of the bucket's. */
bool pare_bucket_hear(pare_bucket *bucket, const pare_letter *letter);
bool pare_bucket_is_read(const pare_bucket *bucket); /* what was known at the opening has come */
bool pare_bucket_is_doubted(const pare_bucket *bucket);

/* The known outcome of `candidate`; false: there is none, or it was used already. */
bool pare_bucket_take(pare_bucket *bucket, pare_digest candidate, pare_message_result *out);

/* Shares the outcome of `candidate`, unless it may be different another time, as for a test that
 * was ended by us or by the system. */
void pare_bucket_put(pare_bucket *bucket, pare_digest candidate, const pare_verdict *verdict);

/* Puts the test in doubt, for all runs. */
void pare_bucket_doubt(pare_bucket *bucket);

#endif
