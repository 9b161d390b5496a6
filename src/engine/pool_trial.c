/* Trials of patches. */
#include "engine/pool_trial.h"

#include "base/digest.h"
#include "engine/pool.h"
#include "engine/pool_plan.h"
#include "engine/pool_rate.h"
#include "text/candidate.h"
#include "text/order.h"
#include "text/patch.h"

void pare_pool_trial_done(pare_pool_trial *trial)
{
    pare_pool_set_unref(&trial->set);
    *trial = (pare_pool_trial){.whole = false};
}

/* Whether `candidate` is smaller than what the ground asks for. */
static pare_status is_smaller(const pare_pool_ground *ground, const pare_candidate *candidate,
                              bool *smaller, pare_error *err)
{
    int order = candidate->size < ground->size ? -1 : 1;
    pare_candidate than = {0};
    pare_status status = PARE_OK;
    if (candidate->size == ground->size) {
        status = pare_patches_candidate(ground->plan->patches, pare_pool_set_changes(ground->than),
                                        ground->than->n, &than, err);
        if (!status) status = pare_order_compare(candidate, &than, &order, err);
        pare_candidate_done(&than);
    }
    *smaller = order < 0;
    return status;
}

/* Whether `candidate` is worth a test, by all that costs none. */
static pare_status is_worth(const pare_pool_ground *ground, const pare_candidate *candidate,
                            pare_digest digest, bool *worth, pare_error *err)
{
    const pare_pool_options *options = &ground->plan->options;
    *worth = !pare_seen_has(ground->seen, digest);
    if (*worth && options->shorter) {
        pare_status status = is_smaller(ground, candidate, worth, err);
        if (status) return status;
    }
    if (!*worth || !options->admits) return PARE_OK;
    return options->admits(options->context, candidate, worth, err);
}

pare_status pare_pool_consider(const pare_pool_ground *ground, pare_pool_item item,
                               pare_pool_trial *trial, pare_candidate *candidate,
                               pare_pool_verdict *verdict, pare_error *err)
{
    pare_union what;
    bool worth = false;
    pare_pool_trial made = {.item = item};
    pare_status status =
        pare_pool_gather(ground->plan, ground->set, item.range, &what, &made.set, &made.whole, err);
    if (status) return status;
    *verdict = what == PARE_UNION_SAME ? PARE_POOL_SKIP : PARE_POOL_SPLIT;
    if (what != PARE_UNION_MORE) return PARE_OK;
    status = pare_patches_candidate(ground->plan->patches, pare_pool_set_changes(&made.set),
                                    made.set.n, candidate, err);
    made.size = candidate->size;
    made.digest = pare_candidate_digest(candidate);
    if (!status) status = is_worth(ground, candidate, made.digest, &worth, err);
    if (status || !worth) {
        pare_pool_trial_done(&made);
        return status;
    }
    *trial = made;
    *verdict = PARE_POOL_TEST;
    return PARE_OK;
}
