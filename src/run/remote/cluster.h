/* A cluster: what a coordinator and its workers share on one NATS server.
 *
 * A cluster has a name, so that several can share a server, a work queue of jobs, a store of texts
 * by their digest, and a subject on which all are called.  A text may be stored as edits of another
 * one (edits.h); its digest is checked when it is read.  One thread. */
#ifndef PARE_RUN_REMOTE_CLUSTER_H
#define PARE_RUN_REMOTE_CLUSTER_H

#include "base/buffer.h"
#include "base/digest.h"
#include "run/remote/link.h"
#include "run/remote/message.h"
#include "text/text.h"

typedef struct pare_cluster pare_cluster;

/* Connects to options->url, which may end in /NAME, and makes what is not there yet.
 * Errors: those of pare_link_open, PARE_E_UNSUPPORTED (no JetStream), PARE_E_STATE. */
PARE_CHECK pare_status pare_cluster_open(const pare_link_options *options, pare_cluster **out,
                                         pare_error *err);
void pare_cluster_close(pare_cluster *cluster); /* NULL is a no-op */

pare_link *pare_cluster_link(const pare_cluster *cluster);
const char *pare_cluster_name(const pare_cluster *cluster);

/* Makes the streams again, which a server that was started anew may not have. */
PARE_CHECK pare_status pare_cluster_make(pare_cluster *cluster, pare_error *err);

/* ---- calls: to all workers ---------------------------------------------------------------- */

PARE_CHECK pare_status pare_cluster_call(pare_cluster *cluster, pare_message_kind kind,
                                         const pare_message_call *call, pare_error *err);
/* From now on calls are among the letters. */
PARE_CHECK pare_status pare_cluster_hear_calls(pare_cluster *cluster, pare_error *err);
bool pare_cluster_is_call(const pare_cluster *cluster, const pare_letter *letter);

/* ---- texts ---------------------------------------------------------------------------------- */

/* Stores `text`, as edits of `base` (NULL: whole) where that is shorter; both are flat.  One that was
 * stored whole less than `fresh_s` seconds ago is not sent again, which costs a question (0: it is
 * always sent).
 * Errors: PARE_E_LIMIT (too large to be sent), PARE_E_IO, PARE_E_NOMEM. */
enum { PARE_CLUSTER_ALWAYS = 0, PARE_CLUSTER_DAY_S = 86400 };
PARE_CHECK pare_status pare_cluster_put(pare_cluster *cluster, const pare_text *text,
                                        const pare_text *base, unsigned fresh_s, pare_error *err);

/* Stores a text again that is there, unless it is fresh, so that it does not expire.  Errors: those of
 * both pare_cluster_get and pare_cluster_put. */
PARE_CHECK pare_status pare_cluster_refresh(pare_cluster *cluster, pare_digest digest,
                                            unsigned fresh_s, pare_error *err);

/* Gets a text: from those that are at hand, or from the server, with those that it is made of.
 * Borrowed until the next call.  Errors: PARE_E_STATE (it is not there, *missing), PARE_E_CORRUPT,
 * PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_cluster_get(pare_cluster *cluster, pare_digest digest,
                                        const pare_text **out, pare_digest *missing,
                                        pare_error *err);

/* ---- jobs of a run --------------------------------------------------------------------------- */

/* Makes the queue of `run`; it ends by itself some time after nobody asks any more. */
PARE_CHECK pare_status pare_cluster_open_run(pare_cluster *cluster, uint64_t run, pare_error *err);
/* Removes it with all that is queued, without waiting for that. */
void pare_cluster_close_run(pare_cluster *cluster, uint64_t run);

PARE_CHECK pare_status pare_cluster_send_job(pare_cluster *cluster, uint64_t run, uint64_t job,
                                             const pare_buffer *message, pare_error *err);
/* Takes all jobs of the run out of the queue.  There is no way to take out one: a purge of its
 * subject makes the consumer of some servers (2.9) pass over all that is queued. */
PARE_CHECK pare_status pare_cluster_purge(pare_cluster *cluster, uint64_t run, pare_error *err);
/* Asks for `n` jobs, which come as letters; each with the subject at which the server waits for
 * "+ACK", "+WPI" (still at it) or "-NAK" (give it to another) as its reply. */
PARE_CHECK pare_status pare_cluster_pull(pare_cluster *cluster, uint64_t run, unsigned n,
                                         uint64_t pull, pare_error *err);
/* The number of the run that a letter is a job of; 0: it is none. */
uint64_t pare_cluster_job_of(const pare_cluster *cluster, const pare_letter *letter);
PARE_CHECK pare_status pare_cluster_acknowledge(pare_cluster *cluster, const char *reply,
                                                const char *how, pare_error *err);

/* Calls `each` for every worker that answers within a moment.  Errors: those of
 * pare_cluster_open. */
PARE_CHECK pare_status pare_cluster_ask(const pare_link_options *link,
                                        void (*each)(void *context,
                                                     const pare_message_hello *hello),
                                        void *context, pare_error *err);

#endif
