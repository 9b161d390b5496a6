/* Validation: a sequential test whose length depends on what is known.
 *
 * `validate_runs` runs come first.  When all of them fail, the finding is there, and certain as far
 * as so few runs tell.  When some fail, it comes by chance: it is there, and MEASURED_RUNS runs say
 * how often.  When none fails, it is gone, unless it is known to come by chance: then runs go on until
 * one fails or until a finding of the share that was measured (the lower end of Wilson's interval,
 * run/rate.h, as in a reduction) would have shown with 95 % confidence; HOPELESS_RUNS at most.
 *
 * Invariant: it is there if and only if one of the runs made here has shown it. */
#include "campaign/validation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/buffer.h"
#include "campaign/identity.h"

enum { MEASURED_RUNS = 20, HOPELESS_RUNS = 200 };
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

/* One run: counted, or given to whom other failures go. */
static pare_status run_once(const pare_validation_options *options, pare_target_oracle *oracle,
                            pare_rate *rate, pare_error *err)
{
    pare_target_seen seen;
    pare_status status =
        pare_target_try(options->target, oracle, options->bytes, options->size, &seen, err);
    if (status) return status;
    rate->runs++;
    const bool fails = seen.outcome == PARE_FAIL;
    const bool is_it = fails && (strcmp(seen.identity, options->identity) == 0 ||
                                 pare_identity_matches(options->identity, seen.signature));
    rate->fails += is_it;
    if (fails && !is_it && options->other) status = options->other(options->context, &seen, err);
    pare_target_seen_done(&seen);
    return status;
}

/* That the target cannot be run says nothing of the finding. */
static pare_status note_trouble(pare_validation *validation, pare_status status,
                                const pare_error *trouble, pare_error *err)
{
    const bool is_ours = status == PARE_E_INTERRUPTED || status == PARE_E_NOMEM;
    if (is_ours && err) *err = *trouble;
    if (is_ours) return status;
    validation->validity = PARE_NOT_RUN;
    (void)snprintf(validation->why, sizeof validation->why, "%.250s", trouble->message);
    return PARE_OK;
}

pare_status pare_validation_run(const pare_validation_options *options, pare_validation *validation,
                                pare_error *err)
{
    pare_target target = *options->target;
    pare_target_oracle oracle;
    pare_error trouble = {0};
    *validation = (pare_validation){.validity = PARE_NOT_THERE};
    if (options->test) target.careful = *options->test;
    pare_status status = pare_target_open(&target, true, 1, options->stop, &oracle, &trouble);
    if (status) return note_trouble(validation, status, &trouble, err);
    pare_rate *rate = &validation->rate;
    while (!status && rate->runs < runs_needed(options, *rate))
        status = run_once(options, &oracle, rate, &trouble);
    if (rate->fails) validation->validity = PARE_STILL_THERE;
    if (status) status = note_trouble(validation, status, &trouble, err);
    pare_target_close(&oracle);
    return status;
}

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
