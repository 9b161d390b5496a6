/* How long a test may take, learned from how long tests do take.
 *
 * The limit is ten times the slowest of the first PARE_TIME_LIMIT_TESTS tests and of those that
 * failed, and at least one second.  Until the first test has ended it is a minute; the user is told
 * long before that a test runs for so long, and how to give it more (session/session.h).
 *
 * Once learned, the limit never falls.  It rises when the machine gets busier, because tests that
 * fail are always learned from: they are what a time-out would lose.
 * Source: shrinkray's ten times the first run; over several, because the first is often the
 * slowest by accident.  One thread. */
#ifndef PARE_RUN_TIME_LIMIT_H
#define PARE_RUN_TIME_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PARE_TIME_LIMIT_TESTS = 5,
    PARE_TIME_LIMIT_FACTOR = 10,
    PARE_TIME_LIMIT_LEAST_MS = 1000,
    PARE_TIME_LIMIT_FIRST_MS = 60000 /* before anything is known */
};

typedef struct pare_time_limit {
    uint64_t fixed_ms;   /* the user's; 0: learn */
    uint64_t learned_ms; /* 0: nothing is known yet */
    unsigned n_tests;    /* learned from, at most PARE_TIME_LIMIT_TESTS */
} pare_time_limit;

/* The limit now. */
static inline uint64_t pare_time_limit_ms(const pare_time_limit *limit)
{
    if (limit->fixed_ms) return limit->fixed_ms;
    return limit->learned_ms ? limit->learned_ms : PARE_TIME_LIMIT_FIRST_MS;
}

/* A test ended by itself after `duration_ms`; `failed`: its outcome is FAIL. */
static inline void pare_time_limit_learn(pare_time_limit *limit, uint64_t duration_ms, bool failed)
{
    if (limit->fixed_ms || (limit->n_tests >= PARE_TIME_LIMIT_TESTS && !failed)) return;
    uint64_t limit_ms = duration_ms * PARE_TIME_LIMIT_FACTOR;
    if (limit_ms < PARE_TIME_LIMIT_LEAST_MS) limit_ms = PARE_TIME_LIMIT_LEAST_MS;
    if (limit_ms > limit->learned_ms) limit->learned_ms = limit_ms;
    if (limit->n_tests < PARE_TIME_LIMIT_TESTS) limit->n_tests++;
}

#endif
