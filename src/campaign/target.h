/* A target: from a section [target NAME] to the oracle's options.  Immutable once read. */
#ifndef PARE_CAMPAIGN_TARGET_H
#define PARE_CAMPAIGN_TARGET_H

#include <pare/algorithm.h>
#include <pare/campaign.h>
#include <pare/keep.h>
#include <pare/test.h>

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
    pare_keep keep;              /* what the section names; its signature is empty */
    pare_keep_pattern *patterns; /* owned: keep's */
    pare_finding_level level;
    pare_tree_options trees; /* for reductions: a language, grammars; default: the source's */
    const char *base_name;   /* of the candidate's file, with the suffix: "input.js" */
    const char *const *environment; /* NAME=VALUE, for each test */
    size_t n_environment;
    bool reduces, validates; /* findings are reduced, validated */
} pare_target;

/* Reads a section.  Errors: PARE_E_ARG (a combination that makes no sense: one sentence),
 * PARE_E_NOMEM.  *target is to be done in any case. */
PARE_CHECK pare_status pare_target_read(const pare_campaign *campaign, const char *name,
                                        pare_target *target, pare_error *err);
void pare_target_done(pare_target *target);

/* What the target's `version` command prints (its first line), or "" without one: the path's time
 * and size then.  Runs it.  The caller releases *version by pare_alloc_free. */
PARE_CHECK pare_status pare_target_version(const pare_campaign *campaign, const char *name,
                                           char **version, pare_error *err);

#endif
