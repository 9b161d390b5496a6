/* What pare and the shim that records and replays randomness share: one file in memory.
 *
 * Pare makes the file, maps it and names it in PARE_RANDOM_VARIABLE; the shim (interpose.c) in each
 * process of the generator maps it too.  It contains the list to replay and the draws.  Both sides
 * are of one build and run on one machine, so these are plain structs; data written by a process is
 * checked when it is read.  The file is sparse: unused parts take no memory. */
#ifndef PARE_RUN_SHIM_RANDOM_PROTOCOL_H
#define PARE_RUN_SHIM_RANDOM_PROTOCOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Name of what is built and installed with the program. */
#define PARE_SHIM_RANDOM "libpare_random.so"

/* The path of the file. */
#define PARE_RANDOM_VARIABLE "PARE_RANDOM"

/* The exit code of a process that the shim ends. */
enum { PARE_RANDOM_EXIT = 113 };

enum {
    PARE_RANDOM_MAX_DRAWS = 1 << 22,
    PARE_RANDOM_MAX_CALLS = 1 << 24 /* labels, of all draws together */
};

/* One number that was drawn.  The calls (functions of the program under way) that were under
 * way at this thread's last draw, and are still, are `n_kept` of the outermost; in them others
 * have been entered since, which are under way now. */
typedef struct pare_random_draw {
    uint64_t index; /* the answer, below `bound` */
    uint64_t bound;
    uint32_t n_kept;
    uint32_t n_entered;     /* labels.. */
    uint32_t first_entered; /* ..from this one on, outermost first */
    uint32_t thread;        /* which one drew, of all processes */
} pare_random_draw;

/* Why the shim ended a process. */
enum {
    PARE_RANDOM_GOES_ON = 0,
    PARE_RANDOM_EXHAUSTED, /* the list that is replayed has ended */
    PARE_RANDOM_FULL       /* PARE_RANDOM_MAX_DRAWS */
};

/* The head of the file. */
typedef struct pare_random_area {
    uint32_t replays;            /* 0: records */
    _Atomic uint32_t n_attached; /* processes that have loaded the shim */
    _Atomic uint32_t ended;      /* PARE_RANDOM_GOES_ON, or why not */
    _Atomic uint32_t n_threads;
    _Atomic uint64_t n_draws;  /* tried; at most PARE_RANDOM_MAX_DRAWS of them are there */
    _Atomic uint64_t n_labels; /* likewise */
    uint64_t n_list;
} pare_random_area;

/* Where the parts are in the file, bytes. */
#define PARE_RANDOM_LIST_AT ((size_t)4096)
#define PARE_RANDOM_DRAWS_AT (PARE_RANDOM_LIST_AT + PARE_RANDOM_MAX_DRAWS * sizeof(uint64_t))
#define PARE_RANDOM_LABELS_AT \
    (PARE_RANDOM_DRAWS_AT + PARE_RANDOM_MAX_DRAWS * sizeof(pare_random_draw))
#define PARE_RANDOM_BYTES (PARE_RANDOM_LABELS_AT + PARE_RANDOM_MAX_CALLS * sizeof(uint32_t))

static inline uint64_t *pare_random_list(pare_random_area *area)
{
    return (uint64_t *)(void *)((char *)area + PARE_RANDOM_LIST_AT);
}

static inline pare_random_draw *pare_random_draws(pare_random_area *area)
{
    return (pare_random_draw *)(void *)((char *)area + PARE_RANDOM_DRAWS_AT);
}

static inline uint32_t *pare_random_labels(pare_random_area *area)
{
    return (uint32_t *)(void *)((char *)area + PARE_RANDOM_LABELS_AT);
}

#endif
