/* Sources: make inputs, one after the other, from any position on.
 *
 * A source pushes inputs into a sink until that has enough.  Each comes with the position after it,
 * from which a later job continues: the same configuration and position give the same inputs, for
 * those sources that can (not AFL, not commands without a seed).  The kinds are in one table
 * (source.c), each in a file of its own.  One thread. */
#ifndef PARE_CAMPAIGN_SOURCE_H
#define PARE_CAMPAIGN_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/campaign.h>
#include <pare/findings.h>
#include <pare/stop.h>

#include "base/fail.h"
#include "campaign/section.h"
#include "campaign/target.h"

/* Takes an input; `position` is the one after it.  `bytes` NULL: there is none now, as when another
 * fuzzer is waited for; called at least each second then.  What it returns other than PARE_OK ends the run
 * with that; PARE_RUN_ENDED (session/session.h): it has enough. */
typedef pare_status (*pare_source_sink)(void *context, const void *bytes, size_t size,
                                        const char *position, pare_error *err);

typedef struct pare_source_options {
    const pare_campaign *campaign; /* borrowed, as all of these */
    const pare_section *section;   /* [source NAME] */
    const pare_target *target;     /* which the inputs are for */
    pare_store *store;
    const char *folder; /* private, empty at first, kept from job to job of the source:
                                      graphs, AFL's output, ... */
    uint64_t seed;
    unsigned slots; /* processors that it may use itself */
    const pare_stop *stop;
} pare_source_options;

typedef struct pare_source pare_source;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_ARG (options of the section), PARE_E_IO,
 * PARE_E_SYNTAX (a grammar), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_source_open(const pare_source_options *options, pare_source **out,
                                        pare_error *err);
void pare_source_close(pare_source *source); /* NULL is a no-op */

/* Makes inputs from `position` ("": the beginning) on.  PARE_OK: it has no more to give, for ever
 * (*dry) or for now.  A source that prints nothing, or does not end, within its time limit:
 * PARE_E_STATE with one sentence, which names the source. */
PARE_CHECK pare_status pare_source_run(pare_source *source, const char *position,
                                       pare_source_sink sink, void *context, bool *dry,
                                       pare_error *err);

/* What came of an input, for sources that learn: whether it failed, and how many new edges it
 * reached.  Called in the order of the verdicts. */
void pare_source_feedback(pare_source *source, const void *bytes, size_t size, bool failed,
                          uint64_t new_edges);

/* An input has joined the population of the target, whichever source has made it: generators that
 * evolve draw from it from now on, other fuzzers are given it.  `new_edges`: how many edges it was the
 * first to reach.  A no-op for sources that take none.
 * Errors: PARE_E_NOMEM, PARE_E_IO. */
PARE_CHECK pare_status pare_source_join(pare_source *source, const void *bytes, size_t size,
                                        uint64_t new_edges, pare_error *err);
bool pare_source_takes_members(const pare_source *source);

/* Whether it is another fuzzer, which runs tests by itself and takes its time to start; and how many
 * tests it has run since the last call. */
bool pare_source_is_fuzzer(const pare_source *source);
uint64_t pare_source_own_tests(pare_source *source);

/* Whether a source that was dry gives all its inputs again in the next run: files may have been
 * added, or the program may be another one. */
bool pare_source_begins_anew(const pare_source *source);

/* Seconds that it spent in making inputs since the last call. */
double pare_source_making_s(pare_source *source);

/* ---- for the kinds -----------------------------------------------------------------------
 *
 * A kind opens a struct of its own that begins with a pare_source, and emits inputs from its `run`. */

typedef struct pare_source_ops {
    /* As pare_source_run; `position` is not NULL. */
    pare_status (*run)(pare_source *source, const char *position, bool *dry, pare_error *err);

    /* May be NULL.  An input has joined the population of the target, whoever made it; it is copied
     * where it is needed.  Errors: PARE_E_NOMEM, PARE_E_IO. */
    pare_status (*join)(pare_source *source, const void *bytes, size_t size, uint64_t new_edges,
                        pare_error *err);

    /* May be NULL, as pare_source_feedback. */
    void (*feedback)(pare_source *source, const void *bytes, size_t size, bool failed,
                     uint64_t new_edges);

    /* May be NULL.  Tests that it has run itself, besides those that it emitted. */
    uint64_t (*own_tests)(pare_source *source);

    void (*close)(pare_source *source); /* also of one that was opened in part */
    bool begins_anew;                   /* as pare_source_begins_anew */
} pare_source_ops;

/* The head of every kind. */
struct pare_source {
    const pare_source_ops *ops;
    pare_source_options options;
    const char *name; /* of its section; borrowed */
    pare_source_sink sink;
    void *context;       /* the sink's */
    uint64_t since_ns;   /* on the clock: when making the next input began; 0: not running */
    uint64_t making_ns;  /* spent, not told yet */
    uint64_t told_tests; /* of own_tests */
    bool sink_ended;     /* it was the sink that ended the run: an error is not the source's */
};

/* Hands an input on.  Returns what the sink does; PARE_E_INTERRUPTED when a stop is requested. */
PARE_CHECK pare_status pare_source_emit(pare_source *source, const void *bytes, size_t size,
                                        const char *position, pare_error *err);

/* To be called at least each second while there is no input.  Likewise. */
PARE_CHECK pare_status pare_source_idle(pare_source *source, pare_error *err);

/* Opens a source of one kind; `out` is set only on success. */
typedef pare_status (*pare_source_opener)(const pare_source_options *options, pare_source **out,
                                          pare_error *err);

/* grammar, lang, population, model, graph, random, mutation, choice */
PARE_CHECK pare_status pare_source_generate_open(const pare_source_options *options,
                                                 pare_source **out, pare_error *err);
PARE_CHECK pare_status pare_source_folder_open(const pare_source_options *options,
                                               pare_source **out, pare_error *err);
/* command, prints */
PARE_CHECK pare_status pare_source_command_open(const pare_source_options *options,
                                                pare_source **out, pare_error *err);
PARE_CHECK pare_status pare_source_recorded_open(const pare_source_options *options,
                                                 pare_source **out, pare_error *err);
PARE_CHECK pare_status pare_source_afl_open(const pare_source_options *options, pare_source **out,
                                            pare_error *err);
PARE_CHECK pare_status pare_source_libfuzzer_open(const pare_source_options *options,
                                                  pare_source **out, pare_error *err);

#endif
