/* What the commands that read a campaign share: their options, and the campaign of a command line. */
#ifndef PARE_CLI_FUZZ_CAMPAIGN_H
#define PARE_CLI_FUZZ_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/campaign.h>

#include "base/fail.h"
#include "cli/options.h"

enum { PARE_FUZZ_CHECK = 1, PARE_FUZZ_RUN = 2, PARE_FUZZ_CI = 4 };

enum pare_fuzz_option {
    PARE_FUZZ_OPT_SET,
    PARE_FUZZ_OPT_FROM,
    PARE_FUZZ_OPT_FROM_GRAMMAR,
    PARE_FUZZ_OPT_FROM_LANG,
    PARE_FUZZ_OPT_FROM_GRAPH,
    PARE_FUZZ_OPT_STORE,
    PARE_FUZZ_OPT_JOBS,
    PARE_FUZZ_OPT_WORKERS,
    PARE_FUZZ_OPT_WITH,
    PARE_FUZZ_OPT_CREDENTIALS,
    PARE_FUZZ_OPT_INSECURE,
    PARE_FUZZ_OPT_MAX_TIME,
    PARE_FUZZ_OPT_MAX_TESTS,
    PARE_FUZZ_OPT_FINISH,
    PARE_FUZZ_OPT_MINUTES,
    PARE_FUZZ_OPT_SARIF,
    PARE_FUZZ_OPT_JUNIT,
    PARE_FUZZ_OPT_ALL,
    PARE_FUZZ_OPT_NO_RUN,
    PARE_FUZZ_OPT_VERBOSE,
    PARE_FUZZ_OPT_QUIET,
    PARE_FUZZ_OPT_COLOR,
    PARE_FUZZ_OPT_HELP,
    PARE_FUZZ_N_OPTS
};

extern const pare_option pare_fuzz_campaign_options[PARE_FUZZ_N_OPTS];

/* Whether the campaign is a source and a program, not files. */
bool pare_fuzz_campaign_is_line(const pare_arguments *arguments);

/* Reads the campaign that the words are about.  On PARE_OK the caller owns *campaign.
 * Errors: PARE_E_ARG, those of pare_campaign_read. */
PARE_CHECK pare_status pare_fuzz_campaign_read(const pare_arguments *arguments,
                                               pare_campaign **campaign, pare_error *err);

/* Sees whether it can be run (pare_campaign_try), and reports each trouble under the command's name;
 * *n_wrong counts them. */
PARE_CHECK pare_status pare_fuzz_campaign_try(const char *command, const pare_campaign *campaign,
                                              size_t *n_wrong, pare_error *err);

#endif
