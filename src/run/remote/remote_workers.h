/* The workers that a coordinator knows of: what each has said last, and which of them take part.
 *
 * A worker says once a second how it is (a hello, message.h).  It takes part while it says READY of our
 * run, and has been heard within PARE_REMOTE_SILENT_MS; with what it says are the slots that it has for us
 * just now, which may be none.  The user is told of each change that matters to him, once: a worker that is
 * not used and why, one that is gone, one that is there again.
 * Nothing is sent here and no clock is read: the caller gives the time, in milliseconds that never go back.
 * Embedded, initialised by zeros and `tell`; nothing to free.  One thread. */
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
    PARE_REMOTE_SURE = 3          /* so often a worker says the same of a text before that counts */
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

/* Takes in what a worker says to `run`.  A worker too many is passed over, unless one that has fallen silent
 * makes room for it.  Who takes part is as before until the next count. */
void pare_remote_workers_hear(pare_remote_workers *workers, uint64_t run,
                              const pare_message_hello *hello, uint64_t now_ms);

/* Counts those who take part.  While the server is away (!is_up) nobody does, and nobody is taken for
 * gone: nothing is known of them. */
void pare_remote_workers_count(pare_remote_workers *workers, bool is_up, uint64_t now_ms);

/* The server is there again: who took part is given time to say that he still does. */
void pare_remote_workers_spare(pare_remote_workers *workers, uint64_t now_ms);

/* Remembers an outcome of a worker's. */
void pare_remote_workers_note(pare_remote_workers *workers, uint64_t id, pare_digest text,
                              bool fails);

/* Takes one worker (*id) out of the run for good that has said of `text` PARE_REMOTE_SURE times that it fails
 * (or that it does not), and never the opposite, as far as is remembered; tells why: this machine says the
 * opposite, so the machines differ, and it is no chance.  False: there is none (any more). */
bool pare_remote_workers_dismiss(pare_remote_workers *workers, pare_digest text, bool fails,
                                 uint64_t *id);
bool pare_remote_workers_is_dismissed(const pare_remote_workers *workers, uint64_t id);

/* Whether the programs of a worker are those of this machine, as far as the test calls them.  False also
 * for a worker that has never been heard. */
bool pare_remote_workers_is_alike(const pare_remote_workers *workers, uint64_t id);

/* Whether somebody who answered has not heard of the run yet, or is on the way to taking part. */
bool pare_remote_workers_is_awaited(const pare_remote_workers *workers);

/* Somebody of another version has answered; told once. */
void pare_remote_workers_hear_stranger(pare_remote_workers *workers, unsigned version);

/* Whether anybody was heard who has not said that he leaves; also of another version. */
bool pare_remote_workers_is_anybody(const pare_remote_workers *workers);

/* How many tests those who take part say that they run. */
unsigned pare_remote_workers_running(const pare_remote_workers *workers);

#endif
