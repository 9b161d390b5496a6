/* probdd: probabilistic delta debugging.
 *
 * The rank of a unit is the probability p that it is needed, 0.1 at first.  The units of
 * the lowest p are left out, as many as make the expected gain, size * product(1 - p),
 * greatest.  If the failure is gone at least one of them is needed, and by Bayes' rule
 * each p is divided by 1 - product(1 - p).
 *
 * Adding one more unit of probability p to s units raises the gain just when
 * (s + 1)(1 - p) > s, so up to ceil((1 - p) / p) units are taken.
 *
 * Repetition, order and final sweep: see ranked.c, as is the guarantee (1-minimal).
 * Source: Wang, Shen, Chen, Xiong, Zhang, "Probabilistic Delta Debugging", ESEC/FSE
 * 2021.  Knobs: order, fixpoint. */
#include "reduce/list/algorithm.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/ranked.h"

#include <pare/algorithm.h>

/* Short of certainty, which only a test of the unit alone gives. */
static const double most_probable = 1 - 1e-9;

static size_t limit(double probability, size_t before)
{
    (void)before;
    double most = (1 - probability) / probability;
    size_t whole = (size_t)most;
    return (double)whole < most ? whole + 1 : whole;
}

static double raised(double probability, double all_superfluous)
{
    double posterior = probability / (1 - all_superfluous);
    return posterior < most_probable ? posterior : most_probable;
}

static const pare_ranked_model model = {.first = 0.1, .limit = limit, .raised = raised};

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)run;
    return pare_ranked_start(state, &model, n, knobs, err);
}

const pare_list_algorithm pare_list_probdd = {
    .info = {.name = "probdd",
             .summary = "leaves out what is least probably needed; backward, to a fixpoint",
             .source = "Wang et al., Probabilistic Delta Debugging, FSE 2021",
             .one_minimal = true},
    .fixpoint = true,
    .knobs = PARE_KNOB_ORDER,
    .state_bytes = sizeof(pare_ranked),
    .start = start,
    .next = pare_ranked_next,
    .tell = pare_ranked_tell,
    .retain = pare_ranked_retain,
    .release = pare_ranked_release,
};
