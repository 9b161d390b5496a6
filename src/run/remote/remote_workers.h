/* The workers that a coordinator knows: what each has said last, and which of them take part.
 *
 * A worker reports its state once a second (a hello, message.h).  It takes part while it says READY
 * for our run and has been heard within PARE_REMOTE_SILENT_MS; the hello also has the number of
 * slots that it has for us, which may be 0.  The user is told once about each change that matters:
 * a worker that is not used, and why; one that is gone; one that is back.  Nothing is sent here and
 * no clock is read: the caller gives the time, in milliseconds that never go back.  Embedded,
 * initialised by zeros and `tell`; nothing to free.  One thread. */
#ifndef PARE_RUN_REMOTE_REMOTE_WORKERS_H
#define PARE_RUN_REMOTE_REMOTE_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "run/remote/message.h"

enum {
    PARE_REMOTE_MOST_WORKERS = 256,
    PARE_REMOTE_SILENT_MS = 5000,
    PARE_REMOTE_MOST_SAID = 1024, /* outcomes that are remembered */
    PARE_REMOTE_SURE = 3          /* how often a worker has to say the same of a text before it
                                   * counts */
};

typedef struct pare_remote_worker {
    pare_message_hello hello; /* the last */
    uint64_t heard_ms;        /* when that came */
    bool was_ready;           /* it took part when they were counted last, and has not left since */
    bool is_told;             /* the user knows that it is not used */
    bool is_other_told;       /* the user knows that its programs are others */
    bool is_missed;           /* the user knows that it is gone */
    bool is_dismissed;        /* it says other things than this machine; never used again */
} pare_remote_worker;

/* What a worker said of a text. */
typedef struct pare_remote_said {
    pare_digest text;
    uint64_t worker;
    bool fails;
} pare_remote_said;

typedef struct pare_remote_workers {
    void (*tell)(void *context, const char *sentence); /* to the user */
    void *context;
    unsigned n_ready, n_slots; /* take part, and their slots, by the last count */
    unsigned n;
    pare_remote_worker
        all[PARE_REMOTE_MOST_WORKERS];            /* in the order in which they were first heard */
    pare_remote_said said[PARE_REMOTE_MOST_SAID]; /* a ring */
    unsigned n_said;
    bool met_stranger; /* somebody of another version */
} pare_remote_workers;

/* Handles a hello to `run`.  If the table is full, a new worker is ignored, unless a silent one
 * makes room for it.  Who takes part only changes with the next count. */
void pare_remote_workers_hear(pare_remote_workers *workers, uint64_t run,
                              const pare_message_hello *hello, uint64_t now_ms);

/* Counts the workers that take part.  While the server is away (!is_up) none does, and none is
 * taken for gone, because nothing is known about them. */
void pare_remote_workers_count(pare_remote_workers *workers, bool is_up, uint64_t now_ms);

/* The server is back: workers that took part get time to say that they still do. */
void pare_remote_workers_spare(pare_remote_workers *workers, uint64_t now_ms);

/* Remembers an outcome of a worker's. */
void pare_remote_workers_note(pare_remote_workers *workers, uint64_t id, pare_digest text,
                              bool fails);

/* Dismisses one worker (*id) from the run that has said of `text` PARE_REMOTE_SURE times that it
 * fails (or that it does not), and never the opposite, as far as is remembered.  Reports why: this
 * machine says the opposite, so the machines differ, and the failure is not flaky.  False: there is
 * none (any more). */
bool pare_remote_workers_dismiss(pare_remote_workers *workers, pare_digest text, bool fails,
                                 uint64_t *id);
bool pare_remote_workers_is_dismissed(const pare_remote_workers *workers, uint64_t id);

/* Whether the programs of a worker are those of this machine, as far as the test calls them.  False also
 * for a worker that has never been heard. */
bool pare_remote_workers_is_alike(const pare_remote_workers *workers, uint64_t id);

/* Whether a worker that answered has not heard of the run yet, or is preparing to take part. */
bool pare_remote_workers_is_awaited(const pare_remote_workers *workers);

/* Somebody of another version has answered; told once. */
void pare_remote_workers_hear_stranger(pare_remote_workers *workers, unsigned version);

/* Whether any worker was heard that has not said that it leaves, of this or another version. */
bool pare_remote_workers_is_anybody(const pare_remote_workers *workers);

/* How many tests those who take part say that they run. */
unsigned pare_remote_workers_running(const pare_remote_workers *workers);

#endif
