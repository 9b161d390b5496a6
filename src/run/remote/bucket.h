/* Outcomes that runs share: a key-value bucket on the server of a cluster.
 *
 * Who reduces what another has reduced, or goes on at another machine, need not run its tests again.
 * A key is the digest of the test and that of the candidate; whoever opens the bucket gets all that is
 * known of its test, and from then on what others find out.  An outcome answers once: whoever asks
 * again for the same candidate wants to know whether it comes out the same.  Two that disagree, or a
 * run whose failure comes by chance, put the test in doubt, for everybody: then none of its outcomes
 * is believed.  One thread. */
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

/* Makes the bucket if it is not there, and asks for what is known of `test`, which comes as letters.
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

/* What is known of `candidate`; false: nothing, or it has answered already. */
bool pare_bucket_take(pare_bucket *bucket, pare_digest candidate, pare_message_result *out);

/* Tells others the outcome of `candidate`, unless that may be another day's: a test that was ended
 * by us or by the system. */
void pare_bucket_put(pare_bucket *bucket, pare_digest candidate, const pare_verdict *verdict);

/* Puts the test in doubt, for all runs. */
void pare_bucket_doubt(pare_bucket *bucket);

#endif
