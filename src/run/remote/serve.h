/* A worker: takes tests of runs from a cluster and answers what came of them.
 *
 * It waits for a call, gets the test and the input that belong to it, and runs the input: only where
 * that fails, and an empty one does not, does it take jobs.  It does not go on being believed for that: an
 * outcome counts only where the programs that the test calls are as they were then, and now and then both
 * are run again (docs/design/remote.md).  It serves several runs at once, each in a process of its own
 * (berth.h); a run is over when its coordinator says so, is gone, or has been silent for a while.  How a
 * test is made of its description is the business of who serves (session/test/travel.h): its functions are
 * called in the process of the run, but for `tell`.
 * One thread; others in the same process hold what they hold at a fork. */
#ifndef PARE_RUN_REMOTE_SERVE_H
#define PARE_RUN_REMOTE_SERVE_H

#include "run/oracle.h"
#include "run/remote/file_cache.h"
#include "run/remote/link.h"
#include "text/text.h"

#include <pare/outcome.h>

struct pare_stop;

/* What the input of a test that looks for any failure shows where the test comes from: a worker takes
 * part where it shows the same, and where the programs are the same.  Of other tests the input is to
 * fail, and an empty one is not to. */
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

    /* Makes the oracle of the test that `description` (flat) tells of, with the files that `files` gives,
     * which ends by `stop`; only one is open at a time in each process, and it is borrowed until `close`. */
    pare_status (*open)(void *context, const pare_text *description, const pare_file_source *files,
                        struct pare_stop *stop, pare_oracle **oracle, pare_error *err);
    void (*close)(void *context);

    /* Of the open test; NULL: its input is to fail. */
    const pare_serve_control *(*control)(void *context);

    /* What this machine has otherwise than the one that the open test comes from; "": nothing. */
    const char *(*differs)(void *context);

    /* Whether what the open test needs of this machine is not as it was when it was opened. */
    bool (*is_changed)(void *context);

    /* Something to tell: one sentence. */
    void (*tell)(void *context, const char *sentence);
} pare_serve_options;

/* Serves until a stop is requested.  Errors: those of pare_cluster_open; of tests none: they are
 * told to whom the test belongs. */
PARE_CHECK pare_status pare_serve(const pare_serve_options *options, pare_error *err);

#endif
