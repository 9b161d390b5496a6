/* How many tests are run, how many of them at once, and when the reduction ends. */
#ifndef PARE_LIMITS_H
#define PARE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/switch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero value of each member: the default. */
typedef struct pare_limit_options {
    unsigned jobs;            /* tests at once, 1 .. 1024; default: the cores, or 1 for
                                 a predicate */
    uint64_t max_tests;       /* 0: no limit; counts tests run, in order of retirement */
    uint64_t max_time_ms;     /* 0: no limit */
    size_t target_size_bytes; /* stop once the best is at most this; needs use_target */
    bool use_target;
    pare_switch cache;         /* PARE_OFF runs repeated candidates again */
    pare_switch deterministic; /* PARE_ON: the same bytes and steps for any number of jobs */
    pare_switch coverage; /* PARE_OFF: scripts are not run by an interpreter that tells what they
                                  execute; see docs/guide/coverage.md */
    pare_switch semantic; /* PARE_OFF: libclang is not asked about C and C++; see
                                  docs/guide/semantic.md */
    uint64_t reserved[7]; /* zero; room for later members */
} pare_limit_options;

#ifdef __cplusplus
}
#endif

#endif
