/* A worker: takes tests of runs from a cluster and answers with their outcomes.
 *
 * It waits for a call, fetches the test and the input, and runs the input: it takes jobs only if
 * the input fails and an empty one does not.  That is not enough for ever: an outcome counts only
 * if the programs that the test calls have not changed since then, and both are run again now and
 * then (docs/design/remote.md).  It serves several runs at once, each in a process of its own
 * (berth.h); a run is over when its coordinator says so, is gone, or has been silent for a while.
 * The caller knows how to make a test from its description (session/test/travel.h): its functions
 * are called in the process of the run, except for `tell`. One thread.  Locks that other threads of
 * the process hold at a fork stay locked in the copy. */
#ifndef PARE_RUN_REMOTE_SERVE_H
#define PARE_RUN_REMOTE_SERVE_H

#include "run/oracle.h"
#include "run/remote/file_cache.h"
#include "run/remote/link.h"
#include "text/text.h"

#include <pare/outcome.h>

struct pare_stop;

/* For a test that looks for any failure: how its input ends on the machine that it comes from.  A
 * worker takes part if the input ends in the same way there, and the programs are the same.  For
 * other tests the input has to fail, and an empty one must not. */
typedef struct pare_serve_control {
    pare_outcome outcome;
    int exit_code; /* -1: none */
    bool timed_out;
} pare_serve_control;

typedef struct pare_serve_options {
    pare_link_options link;
    unsigned n_slots;
    const char *name, *machine; /* of the worker; borrowed, as all that follows is */
    const struct pare_stop *stop;
    pare_file_cache cache; /* where files of tests are kept */
    void *context;         /* of all below */

    /* Makes the oracle of the test that `description` (flat) describes, with the files from
     * `files`; `stop` ends it.  Only one is open at a time in each process, and it is borrowed
     * until `close`. */
    pare_status (*open)(void *context, const pare_text *description, const pare_file_source *files,
                        struct pare_stop *stop, pare_oracle **oracle, pare_error *err);
    void (*close)(void *context);

    /* Of the open test; NULL: its input is to fail. */
    const pare_serve_control *(*control)(void *context);

    /* How this machine differs from the one that the open test comes from; "": it does not. */
    const char *(*differs)(void *context);

    /* Whether something that the open test needs on this machine has changed since it was
     * opened. */
    bool (*is_changed)(void *context);

    /* Something to tell: one sentence. */
    void (*tell)(void *context, const char *sentence);
} pare_serve_options;

/* Serves until a stop is requested.  Errors: those of pare_cluster_open.  Errors of tests are
 * reported to the run that they belong to. */
PARE_CHECK pare_status pare_serve(const pare_serve_options *options, pare_error *err);

#endif
