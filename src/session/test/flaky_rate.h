/* How often a text fails: what flaky.c decides by. */
#ifndef PARE_SESSION_TEST_FLAKY_RATE_H
#define PARE_SESSION_TEST_FLAKY_RATE_H

#include "run/rate.h"
#include "session/session_state.h"
#include "text/text.h"

enum {
    PARE_FLAKY_RATE_CERTAIN_RUNS = 20, /* all of which fail: it is not by chance */
    PARE_FLAKY_RATE_MOST_OF_INPUT = 60 /* runs, without a reason for more */
};

/* How much less often the result may fail, without a precision. */
#define PARE_FLAKY_RATE_TOLERANCE 0.05

enum { PARE_FLAKY_MAX_KEPT = 32 };

/* All-zero: nothing is known. */
typedef struct pare_flaky {
    pare_session *session; /* borrowed */
    bool keeps;            /* earlier bests */
    bool watching;         /* runs are repeated to see whether the failure is certain */
    bool on;               /* it is not */
    bool late;             /* that was found out after tests had been decided by single runs */
    bool tried_fixed;      /* runs were made with fixed addresses, */
    bool fixed;            /* which make it certain, so they stay fixed */
    pare_rate input;       /* how often the input fails */
    pare_rate best;        /* how often the best fails; all-zero: not measured since it changed */
    pare_text *start;      /* the input, one reference; NULL: one large file, read again */
    double floor;          /* the user's; 0: none */
    double precision;      /* the user's; 0: none */
    double tolerance;      /* with a precision: how much less often the result may fail */
    double refused_share;  /* the highest that was too low */
    unsigned confirmed;    /* ends at which that happened */
    unsigned refused;      /* how many times the best was taken back */
    const pare_text *kept[PARE_FLAKY_MAX_KEPT]; /* earlier bests, one reference each */
    size_t n_kept;
    uint64_t successes; /* of the engine, when the best was looked at last */
    uint64_t passed;    /* of the runs made last: no failure, and no time-out */
    uint64_t tests;     /* tests when the reduction ended first; 0: it has not */
    uint64_t extra;     /* runs that only look whether the failure is certain */
} pare_flaky;

/* Whether the invariant holds: no more runs fail than there are, earlier bests have room, addresses
 * are fixed only after that was tried. */
bool pare_flaky_rate_check(const pare_flaky *flaky);

/* Whether there were runs, and each showed the failure. */
bool pare_flaky_rate_is_certain(pare_rate rate);

/* Whether the user said how exactly the failure is to be kept. */
bool pare_flaky_rate_is_asked(const pare_flaky *flaky);

/* The strict rule costs a hundred runs and more for each candidate that fails at all: when too
 * many were spent, the end alone has to tell. */
void pare_flaky_rate_repeat_tests(const pare_flaky *flaky);

/* The input once more; the caller owns *out.
 * Errors: those of pare_session_measure. */
PARE_CHECK pare_status pare_flaky_rate_read_input(const pare_flaky *flaky, pare_text **out,
                                                  pare_error *err);

/* Single runs of `text`.  flaky->passed counts those that showed no failure though they had
 * the time for it: on a busy machine a run may be ended at the time-out by bad luck, and
 * a few such runs are not counted at all.
 * Errors: those of pare_session_measure. */
PARE_CHECK pare_status pare_flaky_rate_run(pare_flaky *flaky, const pare_text *text, uint64_t runs,
                                           pare_rate *rate, pare_error *err);

/* `runs` rounded down, at least `least` and at most `most`. */
uint64_t pare_flaky_rate_between(uint64_t least, double runs, uint64_t most);

/* As many runs as time allows. */
uint64_t pare_flaky_rate_affordable(const pare_flaky *flaky, uint64_t needed);

/* Adds runs of `text` to *rate until there are `runs`, as far as time allows.
 * Errors: those of pare_session_measure. */
PARE_CHECK pare_status pare_flaky_rate_measure(pare_flaky *flaky, const pare_text *text,
                                               uint64_t runs, pare_rate *rate, pare_error *err);

/* The same of the input.
 * Errors: those of pare_session_measure. */
PARE_CHECK pare_status pare_flaky_rate_measure_input(pare_flaky *flaky, uint64_t runs,
                                                     pare_error *err);

/* Whether `text` fails often enough; *rate is what is known of it, and grows.
 * Errors: those of pare_session_measure. */
PARE_CHECK pare_status pare_flaky_rate_compare(pare_flaky *flaky, const pare_text *text,
                                               pare_rate *rate, bool *yes, pare_error *err);

#endif
