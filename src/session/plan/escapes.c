/* The phases of the default leave a text from which no single token, character or run of
 * neighbours can go.  What is left to find are sets of units that stand apart, such as an
 * opening word and its end, and these an algorithm that draws its sets by probability meets,
 * if it goes through the text in another order than before.
 *
 * Source: the order of ProbDD (Wang et al., ESEC/FSE 2021) and CDD (Zhang et al., ICSE 2025)
 * reversed, list-reducers section 5; random orders are ours. */
#include "session/plan/escapes.h"

#include "engine/engine.h"
#include "reduce/list/algorithms.h"
#include "session/plan/plan.h"
#include "text/split/split.h"

#include <pare/algorithm.h>

static const struct escape {
    const pare_list_algorithm *algorithm;
    const char *unit;
    pare_order order;
    uint64_t seed;
} ESCAPES[] = {
    {&pare_list_probdd, "token", PARE_ORDER_BACKWARD, 0},
    {&pare_list_cdd, "token", PARE_ORDER_BACKWARD, 0},
    {&pare_list_probdd, "token", PARE_ORDER_RANDOM, 1},
    {&pare_list_probdd, "token", PARE_ORDER_RANDOM, 2},
    {&pare_list_probdd, "char", PARE_ORDER_BACKWARD, 0},
    {&pare_list_probdd, "char", PARE_ORDER_RANDOM, 1},
};

static pare_status run(pare_work *work, const struct escape *escape, pare_error *err)
{
    const pare_list_knobs knobs = work->knobs;
    const pare_phase phase = {.kind = PARE_PHASE_UNITS,
                              .algorithm = escape->algorithm,
                              .again = escape->algorithm,
                              .splitter = pare_splitter_find(escape->unit)};
    work->knobs.order = escape->order;
    work->knobs.seed = escape->seed;
    pare_status status = pare_phase_run(work, &phase, err);
    work->knobs = knobs;
    return status;
}

pare_status pare_escapes_run(pare_work *work, bool *found, pare_error *err)
{
    const uint64_t before = pare_engine_statistics(work->session.engine).successes;
    pare_status status = PARE_OK;
    *found = false;
    for (size_t i = 0; i < sizeof ESCAPES / sizeof *ESCAPES; i++) {
        status = run(work, &ESCAPES[i], err);
        *found = pare_engine_statistics(work->session.engine).successes != before;
        if (status || *found || work->end != PARE_END_DONE) break;
    }
    return status;
}
