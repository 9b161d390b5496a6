/* Berths: processes of a worker, one for each run that it serves, which share its slots.
 *
 * A worker consists of a process that runs no tests, and its berths: one for each run that it
 * serves, and one more that waits for the next run, up to PARE_BERTH_MOST and no more than there
 * are slots.  So a run's test, texts, limits and folder are in a process of their own, and nothing
 * that happens to it harms another run.
 *
 * They share a small table in memory: who serves which run, which runs were refused, and how many
 * tests each is running.  No test starts without one of the worker's slots (pare_berth_take_slot),
 * so together they never run more tests than it has slots.  Each run is entitled to an equal share
 * of the slots; slots that one does not need go to the others (pare_berth_divide).  If a run has
 * more than its share because another run has come, it returns to its share as its tests end; none
 * is killed for that.
 *
 * Each call on the cluster gets one answer from each worker: about a run from its berth, about
 * everything else from the berth that is the speaker.  All functions but pare_berth_serve_all and
 * pare_berth_divide are for the process of the berth, and for one thread. */
#ifndef PARE_RUN_REMOTE_BERTH_H
#define PARE_RUN_REMOTE_BERTH_H

#include <stdbool.h>
#include <stdint.h>

#include <pare/stop.h>

#include "base/fail.h"
#include "run/remote/message.h"

enum { PARE_BERTH_MOST = PARE_MESSAGE_MOST_RUNS, PARE_BERTH_WHY_BYTES = 512 };

typedef struct pare_berth pare_berth;

typedef struct pare_berth_options {
    unsigned n_slots; /* of the worker; 1 .. */
    const pare_stop *stop;
    /* A berth: serves until pare_berth_stop is requested, or it is no longer needed.  Runs in a
     * forked process of its own. */
    pare_status (*serve)(void *context, pare_berth *berth, pare_error *err);
    const char *greeting; /* told when the first berth has its connection; NULL: nothing */
    /* Called with a sentence for the user, in the process of the worker. */
    void (*tell)(void *context, const char *sentence);
    void *context;
} pare_berth_options;

/* Keeps berths until a stop is requested; those that die are replaced.
 * Errors: PARE_E_IO, PARE_E_NOMEM; what the first berth failed by before it was open. */
PARE_CHECK pare_status pare_berth_serve_all(const pare_berth_options *options, pare_error *err);

/* ---- a berth and its worker ---------------------------------------------------------------- */

uint64_t pare_berth_worker(
    const pare_berth *berth); /* a number of the worker's, drawn at its start */
pare_stop *pare_berth_stop(pare_berth *berth);
void pare_berth_opened(
    pare_berth *berth); /* from now on its failure is no reason for the worker to end */
void pare_berth_tell(pare_berth *berth, const char *sentence);

/* Notes that the server is gone, or back.  Returns whether this berth is the first to see it, so
 * that only one of them reports it. */
bool pare_berth_note_server(pare_berth *berth, bool is_there);

/* Readable when another berth has given a slot back, or came or went; and when `fd`, the descriptor
 * to watch, is readable.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_berth_watch(pare_berth *berth, int fd, pare_error *err);
int pare_berth_fd(const pare_berth *berth);
void pare_berth_clear(pare_berth *berth); /* until the next time */

/* ---- runs ------------------------------------------------------------------------------------ */

/* Takes a run; false: another berth has it. */
bool pare_berth_take_run(pare_berth *berth, uint64_t run);
/* Its slots are free then. */
void pare_berth_leave_run(pare_berth *berth);
/* Whether a berth serves the run, this one or another. */
bool pare_berth_is_served(const pare_berth *berth, uint64_t run);
/* For a berth without a run: whether it is the one that waits for the next run. */
bool pare_berth_is_needed(const pare_berth *berth);
/* Whether it answers calls that are for no particular berth: the speaker is the waiting one, else
 * the first. */
bool pare_berth_is_speaker(const pare_berth *berth);

/* Remembers a run that this worker does not serve; only the last few are kept. */
void pare_berth_refuse(pare_berth *berth, uint64_t run, const char *why);
bool pare_berth_is_refused(const pare_berth *berth, uint64_t run, char why[PARE_BERTH_WHY_BYTES]);

/* ---- slots ----------------------------------------------------------------------------------- */

/* A slot for a test of the run; false: there is none, or its share is used up. */
bool pare_berth_take_slot(pare_berth *berth);
void pare_berth_give_slot(pare_berth *berth);

unsigned pare_berth_share(const pare_berth *berth);  /* of the run */
unsigned pare_berth_usable(const pare_berth *berth); /* of that now: others may be above theirs */

/* Reports the state of the run; `wanted` is how many slots it can use. */
void pare_berth_note(pare_berth *berth, pare_worker_state state, unsigned wanted);
/* A test of it has ended with an outcome. */
void pare_berth_count_test(pare_berth *berth);

/* Fills in the part of a hello that is about the whole worker: its runs, slots and tests. */
void pare_berth_describe(const pare_berth *berth, pare_message_hello *hello);

/* Divides slots among `n` runs: those that want less than an equal share get what they want, the
 * others share the rest equally; slots that nobody wants are divided too.  A run that wants none
 * gets none; if there are no more runs than slots, each of the others gets at least one. */
void pare_berth_divide(unsigned n_slots, const unsigned *wanted, unsigned n, unsigned *shares);

#endif
