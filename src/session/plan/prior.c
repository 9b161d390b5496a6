/* Priors: a row of a measured table for each phase, a figure for each kind of text and class of
 * sizes.
 *
 * The figures are means over many runs (bench/priors.py makes the table anew), shrunk towards those
 * of the row where a cell was seldom met, and those of rows towards what makes a phase worth a run.
 * They only decide which phase is tried first: what it earns in the run at hand soon outweighs them
 * (pass_reward.c).
 * Source: ours; shrinking cells to their row is empirical Bayes. */
#include "session/plan/prior.h"

#include <string.h>

#include "session/plan/prior_table.inc"

static const double UNKNOWN = 0.01;
static const double UNIT = 0.0001; /* of the table: a hundredth of a percent */

/* The largest sizes, in bytes, of all classes but the last; as in bench/priors.py. */
static const size_t SIZES[PARE_N_PRIOR_SIZES - 1] = {64, 512, 4096};

/* A binary file of a name that tells a language is binary. */
pare_prior_kind pare_prior_kind_of(bool binary, const char *language)
{
    if (binary) return PARE_PRIOR_BINARY;
    return language ? PARE_PRIOR_TREE : PARE_PRIOR_PLAIN;
}

/* Asked once for each phase of a plan. */
const pare_prior *pare_prior_find(const char *name)
{
    for (size_t i = 0; i < sizeof PRIORS / sizeof *PRIORS; i++)
        if (strcmp(PRIORS[i].name, name) == 0) return &PRIORS[i];
    return NULL;
}

/* Asked for each phase before each run. */
double pare_prior_promise(const pare_prior *prior, pare_prior_kind kind, size_t size)
{
    size_t class = 0;
    while (class < PARE_N_PRIOR_SIZES - 1 && size > SIZES[class])
        class ++;
    return prior ? prior->per_20_tests[kind][class] * UNIT : UNKNOWN;
}
