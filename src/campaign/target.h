/* A target: turns a section [target NAME] into the oracle's options, and opens the oracle.
 *
 * Immutable once read.  Its environment is that of the process while an oracle is open, so one is
 * open at a time. */
#ifndef PARE_CAMPAIGN_TARGET_H
#define PARE_CAMPAIGN_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/algorithm.h>
#include <pare/campaign.h>
#include <pare/input.h>
#include <pare/keep.h>
#include <pare/outcome.h>
#include <pare/stop.h>
#include <pare/test.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/identity.h"
#include "session/test/session_oracle.h"

/* What of a run is a finding. */
typedef enum pare_finding_level {
    PARE_LEVEL_CRASH, /* signals, sanitizers, assertions, internal errors, panics; hangs if asked */
    PARE_LEVEL_ERROR, /* also uncaught exceptions and tracebacks */
    PARE_LEVEL_ANY,   /* also any exit code but 0 */
    PARE_LEVEL_TEST   /* what `keep` names (patterns, exit codes, a difference), nothing else */
} pare_finding_level;

typedef struct pare_target {
    const char *name;            /* borrowed from the campaign, as all texts */
    pare_test_options test;      /* the oracle of fuzzing */
    pare_test_options careful;   /* of reductions, validations, bisections */
    pare_keep keep;              /* what the section names; its signature is empty */
    pare_keep_pattern *patterns; /* owned: keep's */
    pare_finding_level level;
    pare_identity_level identity;
    pare_tree_options trees; /* for reductions: a language, grammars */
    const char *base_name;   /* owned; of the candidate's file, with the suffix: "input.js" */
    const char *const *environment; /* NAME=VALUE, for each test */
    size_t n_environment;
    bool reduces, validates;      /* findings are reduced, validated */
    pare_cluster_options workers; /* its url is NULL: tests run on this machine alone */
    uint64_t reduce_time_ms;
    unsigned reduce_jobs, validate_runs;
} pare_target;

/* Reads a section.  Errors: PARE_E_ARG (there is none, or a combination that makes no sense: one
 * sentence), PARE_E_NOMEM.  *target is to be done in any case. */
PARE_CHECK pare_status pare_target_read(const pare_campaign *campaign, const char *name,
                                        pare_target *target, pare_error *err);
void pare_target_done(pare_target *target);

/* How the inputs of `source` (NULL: not known) are read in reductions of this target's findings;
 * borrowed from the campaign. */
pare_tree_options pare_target_trees(const pare_target *target, const pare_campaign *campaign,
                                    const char *source);

/* What a reduction or a validation has to keep of a finding; `identity` is borrowed. */
pare_keep pare_target_keep(const pare_target *target, const char *identity);

/* ---- running it ---- */

/* The oracle of a target that looks for any failure of its level.  At its address as long as it is
 * open: what it is made of is in it. */
typedef struct pare_target_oracle {
    pare_session_oracle session; /* session.oracle is the one to start tests with */
    pare_input_options input;
    pare_test_options test;
    pare_keep keep;
    char **earlier; /* owned: NAME=VALUE or NAME of the environment before */
    size_t n_earlier;
} pare_target_oracle;

/* What is opened from now on may have workers on other machines; tests run there once they are shared
 * (session/test/travel.h).  The target stays at its address.  Nothing where it has none. */
void pare_target_use_workers(pare_target *target);

/* Opens it for `jobs` tests at once; `carefully`: with the test of reductions.  Verdicts of FAIL
 * have a signature and an output (run/oracle.h); of workers, who tell nothing, NULL.
 * Errors: those of pare_session_oracle_open. */
PARE_CHECK pare_status pare_target_open(const pare_target *target, bool carefully, unsigned jobs,
                                        pare_stop *stop, pare_target_oracle *oracle,
                                        pare_error *err);
void pare_target_close(pare_target_oracle *oracle); /* all-zero is a no-op */

/* Puts the target's environment into this process's, or takes it back; for those who run it by
 * pare_reduce.  *oracle all-zero before.  Errors: PARE_E_NOMEM, PARE_E_ARG. */
PARE_CHECK pare_status pare_target_set_environment(const pare_target *target,
                                                   pare_target_oracle *oracle, pare_error *err);

/* What one run on an input showed; texts are owned. */
typedef struct pare_target_seen {
    pare_outcome outcome; /* FAIL: a finding */
    bool timed_out;
    int exit_code; /* -1: none */
    double duration_ms;
    char *signature, *identity; /* FAIL; else NULL */
    char *output;               /* the last lines printed; NULL: not known */
} pare_target_seen;

/* Several runs on an input. */
typedef struct pare_target_tries {
    const void *bytes;
    size_t size;
    unsigned n; /* up to PARE_TARGET_MOST_TRIES */
    /* What each showed, in the order in which they end; an error ends it. */
    pare_status (*each)(void *context, const pare_target_seen *seen, pare_error *err);
    void *context;
} pare_target_tries;
enum { PARE_TARGET_MOST_TRIES = 256 };

/* Runs it so often, as many at once as there are slots for, here and on workers.
 * Errors: PARE_E_INTERRUPTED, those of the oracle, those of `each`. */
PARE_CHECK pare_status pare_target_try_times(const pare_target *target, pare_target_oracle *oracle,
                                             const pare_target_tries *tries, pare_error *err);

/* Calls workers to it, whose control is what a run here has shown on an input.  Errors: those of
 * pare_travel_share_any. */
PARE_CHECK pare_status pare_target_share(pare_target_oracle *oracle, const void *bytes, size_t size,
                                         const pare_target_seen *seen, pare_error *err);

/* Runs it once; on this machine, unless it is shared.  Errors: PARE_E_INTERRUPTED, and those of the oracle. */
PARE_CHECK pare_status pare_target_try(const pare_target *target, pare_target_oracle *oracle,
                                       const void *bytes, size_t size, pare_target_seen *seen,
                                       pare_error *err);
void pare_target_seen_done(pare_target_seen *seen);

/* Appends the identity of a FAIL's signature (NULL: nothing was told). */
PARE_CHECK pare_status pare_target_identify(const pare_target *target, const char *signature,
                                            const void *bytes, size_t size, pare_buffer *identity,
                                            pare_error *err);

/* The signature of a failure of which nothing was told. */
extern const char pare_target_untold[];

/* Sees whether it can be fuzzed: an empty input and a line end must not show a finding, and the
 * program must find what its command names.
 * Errors: PARE_E_STATE (the sentence says which finding, or which file, and what to write). */
PARE_CHECK pare_status pare_target_check(const pare_target *target, pare_stop *stop,
                                         pare_error *err);

/* ---- its version ---- */

/* What the target's `version` command prints (its first line), or "" without one: the path's time
 * and size then.  Runs it, as pare_target_ask does.  The caller releases *version by pare_alloc_free. */
PARE_CHECK pare_status pare_target_version(const pare_campaign *campaign, const char *name,
                                           const pare_stop *stop, char **version, pare_error *err);

/* Appends the first line that a command of the user's prints, at most 200 bytes of it; /bin/sh reads
 * it.  It is killed when `stop` (NULL: none) is requested.
 * Errors: PARE_E_STATE (it fails, or takes longer than 20 s), PARE_E_INTERRUPTED, PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_target_ask(const char *command, const pare_stop *stop,
                                       pare_buffer *line, pare_error *err);

#endif
