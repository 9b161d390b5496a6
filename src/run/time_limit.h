/* How long a test may take, learned from how long tests do take.
 *
 * The limit of all tests is ten times the slowest of the first PARE_TIME_LIMIT_TESTS tests and of
 * those that failed, and at least one second.  Until the first test has ended it is a minute; the
 * user is told long before that a test runs for so long, and how to give it more
 * (session/session.h).  The input itself has a minute each time that it is run to be known: a run or
 * two that were quick do not tell how slow the next one is on a busy machine, and a failure that is
 * not known is the end.
 *
 * A small candidate seldom takes as long as a text of megabytes, so one that hangs need not be
 * waited for as long.  Tests are counted by the size of their candidates, in classes of a factor of
 * four.  For a candidate the smallest class counts that is not below its own and in which a test has
 * failed: the limit is ten times the slowest test of that class and of those between.  Tests that
 * pass alone prove nothing, for they may have ended at the first error; and where the failure is a
 * hang, which the limit ends, no class has one that failed, so that nothing changes.
 *
 * Some faults have two faces: what reads foreign memory crashes or runs for ever, and then most of
 * the time of a run goes into waiting for candidates that hang.  So for a candidate of a size of
 * which tests have failed the factor is five once PARE_TIME_LIMIT_SOME tests have timed out and as
 * many have failed, and three once PARE_TIME_LIMIT_MANY of each have: of so many tests that failed
 * none took so long, and a limit that is too short is seen by the one who runs tests, who gives a
 * test that got no processor more time.  A test that has a limit of its own (ulimit -t) ends such a
 * candidate itself, long after all that fail: one that passes after five times the slowest that failed
 * counts as timed out, and nothing is learned from its duration.
 *
 * Once learned, the limit of all never falls.  It rises when the machine gets busier, because tests
 * that fail are always learned from: they are what a time-out would lose.
 * Source: shrinkray's ten times the first run; over several, because the first is often the
 * slowest by accident; classes are ours.  One thread. */
#ifndef PARE_RUN_TIME_LIMIT_H
#define PARE_RUN_TIME_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PARE_TIME_LIMIT_TESTS = 5,
    PARE_TIME_LIMIT_FACTOR = 10,
    PARE_TIME_LIMIT_SOME = 3,  /* tests that timed out, and that failed: five times the slowest */
    PARE_TIME_LIMIT_MANY = 10, /* the same for three times */
    PARE_TIME_LIMIT_HANGS = 5, /* times the slowest that failed, for one that passes */
    PARE_TIME_LIMIT_LEAST_MS = 1000,
    PARE_TIME_LIMIT_FIRST_MS = 60000, /* before anything is known */
    PARE_TIME_LIMIT_CLASSES = 17      /* up to 4, 16, 64 .. bytes; the last holds all the rest */
};

/* The tests of candidates of like size that ended by themselves. */
typedef struct pare_time_class {
    uint64_t slowest_ms;
    uint64_t n_tests, n_failed;
} pare_time_class;

typedef struct pare_time_limit {
    uint64_t fixed_ms;   /* the user's; 0: learn */
    uint64_t learned_ms; /* 0: nothing is known yet */
    uint64_t least_ms;   /* for now, whatever was learned; 0: no such bound */
    unsigned n_tests;    /* learned from, at most PARE_TIME_LIMIT_TESTS */
    uint64_t n_timed_out;
    uint64_t slowest_failed_ms; /* 0: none has failed */
    pare_time_class classes[PARE_TIME_LIMIT_CLASSES];
} pare_time_limit;

/* The limit of all tests now. */
static inline uint64_t pare_time_limit_ms(const pare_time_limit *limit)
{
    if (limit->fixed_ms) return limit->fixed_ms;
    const uint64_t ms = limit->learned_ms ? limit->learned_ms : PARE_TIME_LIMIT_FIRST_MS;
    return ms < limit->least_ms ? limit->least_ms : ms;
}

/* So many times a duration, at least the least limit. */
static inline uint64_t pare_time_limit_times(uint64_t duration_ms, unsigned factor)
{
    uint64_t ms = duration_ms * factor;
    return ms < PARE_TIME_LIMIT_LEAST_MS ? PARE_TIME_LIMIT_LEAST_MS : ms;
}

/* The factor where `n_failed` tests have failed. */
static inline unsigned pare_time_limit_factor(const pare_time_limit *limit, uint64_t n_failed)
{
    const uint64_t least = n_failed < limit->n_timed_out ? n_failed : limit->n_timed_out;
    return least >= PARE_TIME_LIMIT_MANY ? 3 : least >= PARE_TIME_LIMIT_SOME ? 5 : 10;
}

/* The class of a candidate of so many bytes. */
static inline unsigned pare_time_limit_class(size_t size_bytes)
{
    unsigned number = 0;
    for (; size_bytes > 4 && number < PARE_TIME_LIMIT_CLASSES - 1; size_bytes /= 4)
        number++;
    return number;
}

/* The limit of a candidate of so many bytes now; at most that of all tests. */
static inline uint64_t pare_time_limit_of_size(const pare_time_limit *limit, size_t size_bytes)
{
    const uint64_t most_ms = pare_time_limit_ms(limit);
    uint64_t slowest_ms = 0, n = 0, n_failed = 0;
    for (unsigned k = 0; k < PARE_TIME_LIMIT_CLASSES; k++)
        n_failed += limit->classes[k].n_failed;
    if (limit->fixed_ms || limit->least_ms) return most_ms;
    for (unsigned k = pare_time_limit_class(size_bytes); k < PARE_TIME_LIMIT_CLASSES; k++) {
        const pare_time_class *of = &limit->classes[k];
        if (of->slowest_ms > slowest_ms) slowest_ms = of->slowest_ms;
        n += of->n_tests;
        if (!of->n_failed) continue;
        const uint64_t ms =
            pare_time_limit_times(slowest_ms, pare_time_limit_factor(limit, n_failed));
        return n >= PARE_TIME_LIMIT_TESTS && ms < most_ms ? ms : most_ms;
    }
    return most_ms;
}

/* A test was ended at its limit, and not because it got no processor. */
static inline void pare_time_limit_note(pare_time_limit *limit)
{
    limit->n_timed_out++;
}

/* A test of a candidate of `size_bytes` ended by itself after `duration_ms`; `failed`: its outcome
 * is FAIL. */
static inline void pare_time_limit_learn(pare_time_limit *limit, size_t size_bytes,
                                         uint64_t duration_ms, bool failed)
{
    pare_time_class *of = &limit->classes[pare_time_limit_class(size_bytes)];
    if (failed && duration_ms > limit->slowest_failed_ms) limit->slowest_failed_ms = duration_ms;
    if (!failed && limit->slowest_failed_ms &&
        duration_ms > pare_time_limit_times(limit->slowest_failed_ms, PARE_TIME_LIMIT_HANGS)) {
        pare_time_limit_note(limit);
        return;
    }
    if (duration_ms > of->slowest_ms) of->slowest_ms = duration_ms;
    of->n_tests++;
    of->n_failed += failed;
    if (limit->fixed_ms || (limit->n_tests >= PARE_TIME_LIMIT_TESTS && !failed)) return;
    const uint64_t limit_ms = pare_time_limit_times(duration_ms, PARE_TIME_LIMIT_FACTOR);
    if (limit_ms > limit->learned_ms) limit->learned_ms = limit_ms;
    if (limit->n_tests < PARE_TIME_LIMIT_TESTS) limit->n_tests++;
}

#endif
