/* pare_reduce: what is to be reduced, from the options to one text and a plan.
 *
 * Which files there are is decided once, here: a folder is several inputs, a reduction in place
 * may begin from INPUT.orig, recorded choices are replaced by their text.  What follows sees one
 * text, one layout and one plan. What costs least is refused first: options, then places and
 * inputs, then the plan. */
#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/switch.h>

#include <stdio.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "os/file.h"
#include "reduce/syntax/front_end.h"
#include "session/output/in_place.h"
#include "session/output/other_failures.h"
#include "session/plan/plan.h"
#include "session/read_input.h"
#include "session/reduction.h"
#include "session/test/recording.h"
#include "text/layout.h"
#include "text/text.h"

void pare_result_done(pare_result *result)
{
    pare_alloc_free(result->bytes);
    pare_alloc_free(result->stats.passes);
    pare_alloc_free(result->stats.curve);
    pare_alloc_free(result->check_output);
    pare_alloc_free(result->check_command);
    pare_alloc_free(result->signature);
    pare_alloc_free(result->command);
    pare_alloc_free(result->variables);
    for (size_t k = 0; k < result->n_reported; k++)
        pare_alloc_free(result->reported[k]);
    pare_alloc_free(result->reported);
    pare_other_failures_done(&(pare_other_failures){.list = result->others, .n = result->n_others});
    *result = (pare_result){.size_bytes = 0};
}

const char *pare_reduce_missing_language(const pare_reduce_options *options)
{
    pare_plan plan;
    bool several = options->input.n_paths || options->input.generator;
    if (several || pare_plan_make(options->algorithms, options->units, &plan, NULL)) return NULL;
    if (options->input.path && pare_file_is_directory(options->input.path)) return NULL;
    return pare_plan_has_trees(&plan) ? pare_front_end_missing_language(
                                            &options->trees, pare_read_input_name(&options->input))
                                      : NULL;
}

/* Looks where the inputs of a reduction in place are. */
static pare_status find_originals(pare_reduce_options *options, pare_originals *originals,
                                  pare_error *err)
{
    if (options->output.in_place != PARE_ON || options->output.places) return PARE_OK;
    if (!options->input.n_paths)
        return pare_fail(err, PARE_E_ARG, "only inputs that were given as such are replaced");
    pare_status status =
        pare_in_place_find_originals(&options->input, options->output.journal_dir, originals, err);
    if (status) return status;
    options->input.paths = (const char *const *)originals->sources;
    options->output.places = (const char *const *)originals->places;
    return PARE_OK;
}

/* Reduces the input or inputs that the options name. */
static pare_status reduce_inputs(const pare_reduce_options *options, pare_result *result,
                                 pare_error *err)
{
    pare_plan plan;
    pare_text *input = NULL;
    pare_layout *layout = NULL;
    pare_originals originals = {.n = 0};
    pare_recording *recording = NULL;
    pare_reduce_options used = *options;
    if (!used.input.n_paths && used.input.path && pare_file_is_directory(used.input.path)) {
        used.input.paths = &used.input.path;
        used.input.n_paths = 1;
    }
    if (used.input.n_paths && !used.input.path) used.input.path = used.input.paths[0];
    pare_status status = find_originals(&used, &originals, err);
    if (status) goto out;
    status = pare_read_input(&used.input, used.output.places, &used.test, &layout, &input, err);
    if (status) goto out;
    status = pare_recording_open(&used.input, used.test.timeout_ms, &input, &recording, err);
    if (status) goto out;
    if (recording && used.output.in_place == PARE_ON)
        status = pare_fail(err, PARE_E_ARG,
                           "recorded choices are not replaced by the text that is made of them: "
                           "name an output");
    if (!status) status = pare_plan_make(used.algorithms, used.units, &plan, err);
    if (!status && pare_text_size(input) == 0)
        status = pare_fail(err, PARE_E_STATE, "the input is empty: there is nothing to reduce");
    if (!status) status = pare_reduction_run(&used, &plan, layout, recording, &input, result, err);
out:
    pare_recording_free(recording);
    pare_text_unref(input);
    pare_layout_free(layout);
    pare_in_place_originals_done(&originals);
    return status;
}

pare_status pare_reduce_sized(const pare_reduce_options *options, size_t options_bytes,
                              pare_result *result, pare_error *err)
{
    pare_reduce_options own;
    *result = (pare_result){.check_exit_code = -1};
    pare_status status = pare_reduction_take_options(options, options_bytes, &own, err);
    return status ? status : reduce_inputs(&own, result, err);
}
