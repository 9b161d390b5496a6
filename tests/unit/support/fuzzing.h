/* Runs a fuzz job of a campaign's text in this process.  Included after cmocka. */
#ifndef PARE_TESTS_FUZZING_H
#define PARE_TESTS_FUZZING_H

#include "campaign/job.h"
#include "campaign/job_run.h"
#include "unit/support/campaign_text.h"
#include "unit/support/scratch.h"

/* One fuzz job of source s on target t with so many slots; *id is its number. */
static inline pare_status run_fuzz_job(pare_store *store, const char *text, const char *detail,
                                       unsigned slots, int64_t *id, pare_error *err)
{
    pare_campaign *campaign = campaign_of(text);
    const pare_job_order order = {.kind = PARE_JOB_FUZZ,
                                  .target = "t",
                                  .source = "s",
                                  .detail = detail,
                                  .cost = slots,
                                  .config = 1};
    pare_job job;
    int64_t config;
    assert_int_equal(pare_job_add(store, &order, id, NULL), PARE_OK);
    assert_int_equal(pare_job_set_running(store, *id, getpid(), NULL), PARE_OK);
    assert_int_equal(pare_job_get(store, *id, &job, &config, NULL), PARE_OK);
    const pare_job_run run = {
        .store = store, .campaign = campaign, .job = &job, .config = config, .folder = scratch_dir};
    pare_status status = pare_fuzz_job(&run, err);
    pare_job_done(&job);
    pare_campaign_free(campaign);
    return status;
}

#endif
