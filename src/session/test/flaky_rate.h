/* What is known of a failure that comes by chance (flaky.h), and how often a text fails.
 *
 * All runs are single ones, past the cache, of a text that is given; none of them is a test of the
 * reduction.  Not while a strategy runs.  Errors: those of pare_session_measure, unless said
 * otherwise. */
#ifndef PARE_SESSION_TEST_FLAKY_RATE_H
#define PARE_SESSION_TEST_FLAKY_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/rate.h"
#include "session/session.h"
#include "text/text.h"

enum { PARE_FLAKY_MAX_KEPT = 32 }; /* earlier bests */

/* All-zero: nothing is known. */
typedef struct pare_flaky {
    pare_session *session; /* borrowed */
    bool keeps;            /* earlier bests */
    bool watching;         /* runs are repeated to see whether the failure is certain */
    bool on;               /* it is not */
    bool late;             /* that was found out after tests had been decided by single runs */
    bool tried_fixed;      /* runs were made with fixed addresses, */
    bool fixed;            /* which make it certain, so they stay fixed */
    bool tried_alone;      /* one run was made at a time, */
    bool alone;            /* which makes it certain, so tests are run so */
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
    bool owes;          /* runs of the start, which would have taken too long */
    double input_ms;    /* that its check took */
    size_t input_bytes;
} pare_flaky;

enum {
    PARE_FLAKY_RATE_CERTAIN = 20, /* runs, all of which fail: it is not by chance */
    PARE_FLAKY_RATE_FEWEST = 6,   /* ... where the start allows no more */
    PARE_FLAKY_RATE_OF_INPUT = 60 /* runs of the input, without a reason for more */
};

/* How much less often the result may fail, without a precision. */
#define PARE_FLAKY_RATE_TOLERANCE 0.05

/* Whether there were runs, and each showed the failure. */
bool pare_flaky_rate_is_certain(pare_rate rate);

/* Whether the user said how exactly the failure is to be kept. */
bool pare_flaky_rate_is_asked(const pare_flaky *flaky);

/* `runs` rounded down, at least `least` and at most `most`. */
uint64_t pare_flaky_rate_clamp(uint64_t least, double runs, uint64_t most);

/* `needed` runs, or as many as two minutes allow for, 60 at least. */
uint64_t pare_flaky_rate_affordable(const pare_flaky *flaky, uint64_t needed);

/* From now on each candidate is run until the sequential test for this input's rate decides. */
void pare_flaky_rate_repeat_tests(const pare_flaky *flaky);

/* The input once more; the caller owns *out. */
PARE_CHECK pare_status pare_flaky_rate_read_input(const pare_flaky *flaky, pare_text **out,
                                                  pare_error *err);

/* Adds `runs` runs of `text` to *rate; flaky->passed is how many of them showed no failure. */
PARE_CHECK pare_status pare_flaky_rate_run(pare_flaky *flaky, const pare_text *text, uint64_t runs,
                                           pare_rate *rate, pare_error *err);

/* Runs `text` until *rate has `runs` runs, as far as time allows. */
PARE_CHECK pare_status pare_flaky_rate_measure(pare_flaky *flaky, const pare_text *text,
                                               uint64_t runs, pare_rate *rate, pare_error *err);

/* The same for the input, whose rate is flaky->input. */
PARE_CHECK pare_status pare_flaky_rate_measure_input(pare_flaky *flaky, uint64_t runs,
                                                     pare_error *err);

/* Whether `text`, of which *rate is known, fails as often as is to be kept; adds the runs that this
 * takes to *rate and to flaky->input. */
PARE_CHECK pare_status pare_flaky_rate_compare(pare_flaky *flaky, const pare_text *text,
                                               pare_rate *rate, bool *yes, pare_error *err);

#endif
