/* How long a test may take, learned from how long tests do take.
 *
 * Ten times the slowest of the first PARE_TIME_LIMIT_TESTS tests and of those that failed,
 * at least one second; a minute until the first has ended: who waits for it is told of it long
 * before (session/session.h), and how to give it more.  Once learned it
 * never falls.  It rises where a machine gets busier: the tests that fail, which are what a
 * time-out would lose, tell of it.
 * Source: shrinkray's ten times the first run, taken
 * over several because the first is often the slowest by accident.  One thread. */
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
