/* cdd: counter-based delta debugging.
 *
 * The rank of a unit is a counter c of the tests without it that passed, 0 at first.
 * Taken are the units of the lowest counters, as many as the lowest one asks for: the s
 * that makes s * (1 - p)^s greatest with p = 0.1 / (1 - 1/e)^c, and at least 1.  A
 * success takes them away, otherwise their counters rise by one.
 *
 * The source derives this from ProbDD, where each passing test divides p by about
 * 1 - 1/e: the counter is all that matters.
 *
 * Repetition, order and final sweep: see ranked.c, as is the guarantee (1-minimal).
 * Source: Zhang et al., "Toward a Better Understanding of Probabilistic Delta
 * Debugging", ICSE 2025.  Knobs: order, fixpoint. */
#include "reduce/list/algorithm.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/ranked.h"

#include <pare/algorithm.h>

static const double first_probability = 0.1;
static const double shrink = 0.63212055882855767; /* 1 - 1/e */

/* As in ProbDD a further unit pays while s < (1 - p) / p. */
static size_t limit(double counter, size_t before)
{
    if (before) return before;
    double probability = first_probability;
    for (size_t c = (size_t)counter; c > 0 && probability < 1; c--)
        probability /= shrink;
    if (probability >= 1) return 1;
    double most = (1 - probability) / probability;
    size_t whole = (size_t)most;
    return (double)whole < most ? whole + 1 : whole;
}

static double raised(double counter, double all_superfluous)
{
    (void)all_superfluous;
    return counter + 1;
}

static const pare_ranked_model model = {.first = 0, .limit = limit, .raised = raised};

static pare_status start(void *state, size_t n, const pare_list_knobs *knobs, size_t run,
                         pare_error *err)
{
    (void)run;
    return pare_ranked_start(state, &model, n, knobs, err);
}

const pare_list_algorithm pare_list_cdd = {
    .info = {.name = "cdd",
             .summary = "probdd with counters for probabilities; backward, to a fixpoint",
             .source = "Zhang et al., counter-based delta debugging, ICSE 2025",
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
