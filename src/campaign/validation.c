/* Validation: a sequential test whose length depends on what is known.
 *
 * `validate_runs` runs come first.  If all of them fail, the finding is there, and deterministic as
 * far as so few runs can tell.  If some fail, it is there and flaky, and MEASURED_RUNS runs measure
 * how often it fails.  If none fails, it is gone, unless it is known to be flaky: then runs go on
 * until one fails, or until a finding with the measured failure rate (the lower end of Wilson's
 * interval, run/rate.h, as in a reduction) would have shown with 95 % confidence; HOPELESS_RUNS at
 * most.
 *
 * Invariant: it is there if and only if one of the runs made here has shown it. */
#include "campaign/validation.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/buffer.h"
#include "campaign/identity.h"

enum { MEASURED_RUNS = 20, HOPELESS_RUNS = 200, WORTH_MS = 200 };
static const double MISSED = 0.05; /* chance that one that is there is called gone */

/* Runs without the failure after which it counts as gone. */
static uint64_t passes_needed(const pare_validation_options *options)
{
    const uint64_t usual = options->target->validate_runs ? options->target->validate_runs : 1;
    double low, high;
    if (!options->earlier.runs || options->earlier.fails == options->earlier.runs) return usual;
    pare_rate_interval(options->earlier, &low, &high);
    const double runs = low > 0 && low < 1 ? ceil(log(MISSED) / log1p(-low)) : HOPELESS_RUNS;
    if (runs > HOPELESS_RUNS) return HOPELESS_RUNS;
    return runs > (double)usual ? (uint64_t)runs : usual;
}

/* How many runs are to be made, by those that were. */
static uint64_t runs_needed(const pare_validation_options *options, pare_rate rate)
{
    const uint64_t usual = options->target->validate_runs ? options->target->validate_runs : 1;
    if (!rate.fails) return passes_needed(options);
    if (rate.fails == rate.runs && rate.runs <= usual) return usual;
    return usual > MEASURED_RUNS ? usual : MEASURED_RUNS;
}

/* A validation while it goes on. */
struct validating {
    const pare_validation_options *options;
    pare_target_oracle oracle;
    pare_rate *rate;
    bool other_failed; /* what came of another failure could not be kept: an error of ours */
};

/* What a run has shown: counted, or given to whom other failures go. */
static pare_status count(void *context, const pare_target_seen *seen, pare_error *err)
{
    struct validating *self = context;
    const pare_validation_options *options = self->options;
    self->rate->runs++;
    const bool fails = seen->outcome == PARE_FAIL;
    const bool is_it = fails && (strcmp(seen->identity, options->identity) == 0 ||
                                 pare_identity_matches(options->identity, seen->signature));
    self->rate->fails += is_it;
    assert(self->rate->fails <= self->rate->runs);
    if (!fails || is_it || !options->other) return PARE_OK;
    const pare_status status = options->other(options->context, seen, err);
    self->other_failed = status != PARE_OK;
    return status;
}

/* The first run is made here.  If it shows the finding, and took so long that calling workers is worth
 * it, they are called: those on which it shows, too, take part. */
static pare_status run_first(struct validating *self, pare_error *err)
{
    const pare_validation_options *options = self->options;
    pare_target_seen seen;
    pare_status status =
        pare_target_try(options->target, &self->oracle, options->bytes, options->size, &seen, err);
    if (!status) status = count(self, &seen, err);
    if (!status && self->rate->fails && seen.duration_ms >= WORTH_MS)
        status = pare_target_share(&self->oracle, options->bytes, options->size, &seen, err);
    pare_target_seen_done(&seen);
    return status;
}

/* As many runs as are needed by what is known, here and on workers. */
static pare_status run_more(struct validating *self, unsigned n, pare_error *err)
{
    const pare_target_tries tries = {.bytes = self->options->bytes,
                                     .size = self->options->size,
                                     .n = n,
                                     .each = count,
                                     .context = self};
    return pare_target_try_times(self->options->target, &self->oracle, &tries, err);
}

/* That the target cannot be run says nothing of the finding: a result, not an error.  A stop, memory that ran
 * out and a store that cannot be written are not the target's. */
static pare_status note_trouble(const struct validating *self, pare_validation *validation,
                                pare_status status, const pare_error *trouble, pare_error *err)
{
    const bool is_ours =
        self->other_failed || status == PARE_E_INTERRUPTED || status == PARE_E_NOMEM;
    if (is_ours && err) *err = *trouble;
    if (is_ours) return status;
    validation->validity = PARE_NOT_RUN;
    (void)snprintf(validation->why, sizeof validation->why, "%.250s", trouble->message);
    return PARE_OK;
}

/* Runs are made one by one here, and as many as are needed at once where workers share them.
 * *validation is set in any case; with an error it says nothing. */
pare_status pare_validation_run(const pare_validation_options *options, pare_validation *validation,
                                pare_error *err)
{
    pare_target target = *options->target;
    struct validating self = {.options = options, .rate = &validation->rate};
    pare_error trouble = {0};
    *validation = (pare_validation){.validity = PARE_NOT_THERE};
    if (options->test) target.careful = *options->test;
    pare_target_use_workers(&target);
    pare_status status = pare_target_open(&target, true, 1, options->stop, &self.oracle, &trouble);
    if (status) return note_trouble(&self, validation, status, &trouble, err);
    const pare_rate *rate = &validation->rate;
    status = run_first(&self, &trouble);
    for (uint64_t needed; !status && rate->runs < (needed = runs_needed(options, *rate));)
        status = run_more(
            &self, self.oracle.session.remote && rate->fails ? (unsigned)(needed - rate->runs) : 1,
            &trouble);
    if (rate->fails) validation->validity = PARE_STILL_THERE;
    if (status) status = note_trouble(&self, validation, status, &trouble, err);
    pare_target_close(&self.oracle);
    return status;
}

/* The interval is Wilson's, 95 %: a few runs say little, and the user should see that. */
pare_status pare_validation_describe(pare_rate rate, pare_buffer *text, pare_error *err)
{
    double low, high;
    if (rate.fails == rate.runs)
        return pare_buffer_format(text, err, "fails in each of %llu runs",
                                  (unsigned long long)rate.runs);
    pare_rate_interval(rate, &low, &high);
    return pare_buffer_format(text, err, "fails in %llu of %llu runs (%.0f %% to %.0f %%)",
                              (unsigned long long)rate.fails, (unsigned long long)rate.runs,
                              100 * low, 100 * high);
}
