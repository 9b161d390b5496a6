/* A run of a list algorithm that another strategy holds.
 *
 * reduce/list/config.c makes an algorithm a strategy over the units of a text.  Strategies whose
 * positions are something else hold the algorithm themselves, and need the same care: its state is
 * plain memory but for what `retain` counts, and the edit owns memory of its own.
 * Invariant: `state` is the algorithm's, started, as long as there is one. */
#include "reduce/list/list_run.h"

#include <assert.h>

#include <pare/algorithm.h>

#include "base/fail.h"
#include "reduce/list/algorithms.h"

pare_status pare_list_run_start(pare_list_run *run, const pare_list_algorithm *algorithm, size_t n,
                                pare_error *err)
{
    static const pare_list_knobs knobs = {0};
    pare_list_run_stop(run);
    assert(algorithm->state_bytes <= sizeof run->state);
    pare_status status = algorithm->start(run->state, n, &knobs, 0, err);
    if (!status) run->algorithm = algorithm;
    return status;
}

void pare_list_run_stop(pare_list_run *run)
{
    if (run->algorithm && run->algorithm->release) run->algorithm->release(run->state);
    run->algorithm = NULL;
    pare_edit_done(&run->edit);
}

pare_status pare_list_run_next(pare_list_run *run, bool *done, pare_error *err)
{
    assert(run->algorithm);
    pare_edit_reset(&run->edit);
    return run->algorithm->next(run->state, done, &run->edit, err);
}

pare_status pare_list_run_tell(pare_list_run *run, bool fails, pare_error *err)
{
    assert(run->algorithm);
    return run->algorithm->tell(run->state, fails, err);
}

/* Up to two ranges lie in the edit itself, so the pointer to them that was copied would lead into
 * the original. */
pare_status pare_list_run_copied(pare_list_run *copy, const pare_list_run *from, pare_error *err)
{
    pare_status status = PARE_OK;
    copy->edit = (pare_edit){.ranges = NULL};
    if (copy->algorithm && copy->algorithm->retain) copy->algorithm->retain(copy->state);
    for (size_t i = 0; !status && i < from->edit.n_ranges; i++)
        status =
            pare_edit_add(&copy->edit, from->edit.ranges[i].from, from->edit.ranges[i].to, err);
    return status;
}
