/* Watching a reduction, and asking it to stop. */
#ifndef PARE_EVENTS_H
#define PARE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/export.h>
#include <pare/outcome.h>
#include <pare/stop.h>
#include <pare/switch.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pare_event_kind {
    PARE_EVENT_START,    /* before the input is tested; `notice` may say what was found on disk */
    PARE_EVENT_TEST,     /* a test retired, in the order the algorithm sees it; n = 0 is the
                            check of the input itself */
    PARE_EVENT_PHASE,    /* an algorithm starts over a list of units */
    PARE_EVENT_PROGRESS, /* nothing retired, but slots or time have moved; at most 10 a second */
    PARE_EVENT_NOTICE,   /* one sentence the user should see, in `notice` */
    PARE_EVENT_END,
    PARE_EVENT_PASSING, /* pare_isolate: the passing side is another one (pare_event_passing): at first
                           the passing input, with n = 1; then test `n` has moved it */
    PARE_EVENT_READING /* before START: `size_bytes` of an input of `input_bytes` were read; of more
                           than 16 MiB only, at most 10 a second */
} pare_event_kind;

/* What a slot is testing. */
typedef struct pare_slot_event {
    size_t size_bytes; /* of the candidate */
    double ms;         /* since its test was started */
    bool given_up;     /* it is not needed any more, and about to end */
} pare_slot_event;

/* What a watcher sees.  Everything is valid during the call only. */
typedef struct pare_event {
    pare_event_kind kind;
    uint64_t n;            /* number of the test, in order of retirement */
    const char *digest;    /* TEST: 32 hexadecimal digits, the candidate's name */
    size_t size_bytes;     /* TEST: of the candidate; PASSING: of that side; READING: read so far */
    pare_outcome outcome;  /* TEST */
    bool from_cache;       /* TEST: answered without running anything */
    bool accepted;         /* TEST: it is the new best, and on disk already */
    double test_ms;        /* TEST: what the run took; 0 from the cache */
    const char *signature; /* TEST: of another failure than the one kept; NULL: none */
    const char *phase;     /* "ddmin/line"; the phase in progress */
    const char *keeping;   /* the failure that is kept, when one was learnt; NULL: what the test
                              says */
    const char *notice;    /* START, NOTICE */
    size_t input_bytes, best_bytes; /* of the files that may be reduced */
    size_t n_units;                 /* PHASE: how many there are */
    uint64_t tests_run;             /* so far */
    unsigned slots_busy, jobs;
    double elapsed_s;       /* since the start */
    bool is_warning;        /* NOTICE: tests run less safely than they should; show it always */
    bool is_of_workers;     /* NOTICE: about workers on other machines, or their server */
    const char *next_phase; /* what is likely to come after the phase; NULL: nobody knows */
    uint64_t tests_left;    /* that there may still be, if none of them gains anything; UINT64_MAX:
                               nobody knows */
    const char *printed;    /* the last lines, up to 4 KiB, of the test that pare_stop_want_output
                            asked for; "": it has not ended, or printed nothing; NULL: not asked */
    const struct pare_session *run; /* for the functions below */
    bool is_repeated;               /* TEST: the same candidate was told of before */

    /* TEST, if pare_event_options.texts is on: the candidate, `text_bytes` bytes and a NUL; several
     * files as pare_event_best copies them.  NULL: not wanted, or there was no memory for it. */
    const char *text;
    size_t text_bytes;

    unsigned machines, machine_slots; /* workers that take part now, and their slots, which
                                         `jobs` does not count */
} pare_event;

/* What slot number `slot`, from 0 on, is testing; false: nothing, or there is no such slot.  There
 * are event->jobs slots on this machine; those of workers follow, with one more for each worker. */
PARE_API bool pare_event_slot(const pare_event *event, unsigned slot, pare_slot_event *out);

/* Copies the first `capacity` bytes of the best, of several files one after the other, each after a
 * line with its name; returns how many bytes there are in all.  The cost is that of the copy. */
PARE_API size_t pare_event_best(const pare_event *event, void *bytes, size_t capacity);

/* The same of the passing side, during a PASSING event; of any other event 0. */
PARE_API size_t pare_event_passing(const pare_event *event, void *bytes, size_t capacity);

typedef void (*pare_watcher)(void *context, const pare_event *event);

/* Zero value of each member: nobody watches. */
typedef struct pare_event_options {
    pare_watcher watcher;   /* called on the calling thread */
    void *context;          /* the watcher's */
    pare_stop *stop;        /* may be NULL */
    pare_switch texts;      /* PARE_ON: events have the texts of candidates, which costs a copy of
                               each */
    uint32_t reserved_word; /* zero */
    uint64_t reserved[7];   /* zero; room for later members */
} pare_event_options;

#ifdef __cplusplus
}
#endif

#endif
