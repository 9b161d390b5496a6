/* pare_reduce: a plan of phases, in one round or to a fixpoint.
 *
 * Repeating a phase costs no test where nothing has changed: the cache answers. */
#include <pare/input.h>
#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/switch.h>

#include <stdio.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "engine/engine.h"
#include "os/file.h"
#include "reduce/syntax/front_end.h"
#include "reduce/tree/tree_algorithm.h"
#include "run/oracle.h"
#include "run/rate.h"
#include "run/repeat.h"
#include "session/files.h"
#include "session/given.h"
#include "session/output/in_place.h"
#include "session/output/others.h"
#include "session/plan/folder_schedule.h"
#include "session/plan/phase.h"
#include "session/plan/plan.h"
#include "session/plan/schedule.h"
#include "session/plan/tree_setup.h"
#include "session/plan/unused.h"
#include "session/read_input.h"
#include "session/reduction.h"
#include "session/scope.h"
#include "session/session.h"
#include "session/test/controls.h"
#include "session/test/flaky.h"
#include "session/test/hang.h"
#include "session/test/recording.h"
#include "text/layout.h"
#include "text/text.h"

void pare_result_done(pare_result *result)
{
    pare_release(result->bytes);
    pare_release(result->stats.passes);
    pare_release(result->stats.curve);
    pare_release(result->check_output);
    pare_release(result->check_command);
    pare_release(result->signature);
    pare_release(result->command);
    pare_release(result->variables);
    for (size_t k = 0; k < result->n_reported; k++)
        pare_release(result->reported[k]);
    pare_release(result->reported);
    pare_others_done(&(pare_others){.list = result->others, .n = result->n_others});
    *result = (pare_result){.size_bytes = 0};
}

static pare_status run_round(pare_work *work, pare_error *err)
{
    if (work->files) return pare_files_round(work->files, work, err);
    for (size_t i = 0; i < work->plan.n_phases; i++) {
        const pare_phase *phase = &work->plan.phases[i];
        work->file_bytes = pare_engine_best(work->session.engine)->size;
        pare_status status = pare_phase_run(work, phase, err);
        if (status || work->end != PARE_END_DONE) return status;
        status = pare_flaky_look(&work->flaky, &work->end, err);
        if (status || work->end != PARE_END_DONE) return status;
    }
    return PARE_OK;
}

static pare_status run_rounds(pare_work *work, pare_error *err)
{
    for (;;) {
        uint64_t before = pare_engine_statistics(work->session.engine).successes;
        pare_status status = run_round(work, err);
        bool changed = pare_engine_statistics(work->session.engine).successes != before;
        if (status || work->end != PARE_END_DONE) return status;
        bool more = changed || work->put_off;
        if (!work->plan.fixpoint || !more) return PARE_OK;
        work->again = true;
        work->put_off = false;
    }
}

/* Everything there is in the plan: by what it earns, or in rounds. */
static pare_status run_phases(pare_work *work, pare_error *err)
{
    bool scheduled = work->plan.fixpoint && work->plan.phases[0].coarse;
    if (!scheduled) return run_rounds(work, err);
    return work->files ? pare_folder_schedule_run(work, err) : pare_schedule_run(work, err);
}

/* Rounds, until the result is known to fail as often as it should.  A stop is a stop; a
 * budget that is spent leaves time for the confirmation. */
static pare_status run_plan(pare_work *work, pare_error *err)
{
    bool again = true;
    while (again) {
        pare_engine_end end = PARE_END_DONE;
        pare_status status = run_phases(work, err);
        if (status || work->end == PARE_END_INTERRUPTED) return status;
        status = pare_hang_confirm(&work->hang, &work->session, &work->flaky, &again, &end, err);
        if (!status && end == PARE_END_DONE && !again)
            status = pare_flaky_confirm(&work->flaky, &again, &end, err);
        if (status) return status;
        if (end != PARE_END_DONE) {
            work->end = end;
            return PARE_OK;
        }
        work->again = false; /* the phases begin anew, on what was gone back to */
    }
    return PARE_OK;
}

/* A stop at the controls is one of the run, which has its best already: the input. */
static pare_status run_controls(pare_work *work, const pare_text *input, pare_error *err)
{
    pare_error own = {0};
    pare_status status = pare_controls_run(&work->session, input, &own);
    if (status == PARE_E_INTERRUPTED) {
        work->end = PARE_END_INTERRUPTED;
        return PARE_OK;
    }
    if (status && err) *err = own;
    return status;
}

/* Checks the input, and how often it fails. */
static pare_status check(pare_work *work, const pare_text *input, pare_result *result,
                         pare_error *err)
{
    pare_verdict verdict;
    bool fails = false;
    pare_status status = pare_session_try(&work->session, input, &verdict, err);
    if (!status && verdict.outcome == PARE_FAIL && !work->recording)
        status = run_controls(work, input, err);
    if (work->end == PARE_END_INTERRUPTED) return status;
    if (!status && verdict.outcome == PARE_FAIL)
        status = pare_hang_check_input(&work->session, input, err);
    if (!status)
        status = pare_flaky_begin(&work->flaky, &work->session, input, &verdict, &fails, &work->end,
                                  err);
    if (status || fails) return status;
    if (work->end == PARE_END_INTERRUPTED) return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    return pare_session_refuse(&work->session, &verdict, result, err);
}

static pare_frequency frequency(pare_rate rate)
{
    pare_frequency frequency = {.fails = rate.fails, .runs = rate.runs};
    if (rate.runs) pare_rate_interval(rate, &frequency.low, &frequency.high);
    return frequency;
}

static void add_flaky(const pare_work *work, pare_stats *stats)
{
    const pare_flaky *flaky = &work->flaky;
    if (!flaky->on && !flaky->fixed) return;
    stats->flaky = (pare_flaky_stats){.flaky = true,
                                      .fixed_addresses = flaky->fixed,
                                      .input = frequency(flaky->input),
                                      .result = frequency(flaky->best),
                                      .runs = pare_repeat_runs(work->session.oracle.repeat),
                                      .taken_back = flaky->refused};
}

/* What the last phase has shown; must be asked before another tree is made. */
static pare_minimal proved(pare_work *work)
{
    const pare_phase *last = &work->plan.phases[work->plan.n_phases - 1];
    char *nodes = work->session.stats.minimal_nodes;
    if (work->end != PARE_END_DONE || work->cut_short) return PARE_MINIMAL_NONE;
    if (last->kind == PARE_PHASE_PORTFOLIO) return PARE_MINIMAL_NONE;
    if (last->kind == PARE_PHASE_CHOICES && work->recording) return PARE_MINIMAL_NONE;
    if (!last->tree)
        return last->algorithm->info.one_minimal ? PARE_MINIMAL_ONE : PARE_MINIMAL_NONE;
    return pare_tree_algorithm_claim(last->tree, &work->setup, work->texts, nodes)
               ? PARE_MINIMAL_ONE_TREE
               : PARE_MINIMAL_NONE;
}

/* The phase whose units are counted: the first, but of the default the first that needs
 * no tree, which a large input could not afford. */
static const pare_phase *counted(const pare_plan *plan)
{
    for (size_t i = 0; plan->fixpoint && i < plan->n_phases; i++)
        if (plan->phases[i].splitter) return &plan->phases[i];
    return &plan->phases[0];
}

/* Counts the units that the statistics tell of. */
static pare_status count(pare_work *work, size_t *n, pare_error *err)
{
    const pare_phase *phase = counted(&work->plan);
    if (work->files) return pare_files_count(work->files, work, phase, n, err);
    return pare_phase_count(work, phase, n, err);
}

static pare_status reduce(pare_work *work, pare_text **input, pare_result *result, pare_error *err)
{
    pare_stats *stats = &work->session.stats;
    pare_status status = check(work, *input, result, err);
    pare_text_unref(*input); /* the engine keeps what is needed of it */
    *input = NULL;
    if (status == PARE_E_STATE) { /* refused: nothing is written, nothing to be continued */
        pare_session_discard_journal(&work->session);
        return status;
    }
    if (!status) status = count(work, &stats->units_in, err);
    if (!status && work->end == PARE_END_DONE) status = run_plan(work, err);
    pare_minimal minimal = status ? PARE_MINIMAL_NONE : proved(work);
    add_flaky(work, stats);
    if (status && !pare_engine_best(work->session.engine)) return status;
    if (!status) status = count(work, &stats->units_out, err);
    pare_stopped stopped = pare_session_stopped(work->end);
    if (stopped == PARE_STOPPED_MINIMAL && work->cut_short) stopped = PARE_STOPPED_EFFORT;
    if (status) stopped = PARE_STOPPED_INTERRUPTED; /* so that the journal stays */
    if (status) minimal = PARE_MINIMAL_NONE;
    if (minimal) stats->minimal_unit = pare_phase_unit(&work->plan.phases[work->plan.n_phases - 1]);
    pare_status finished =
        pare_session_finish(&work->session, stopped, minimal, result, status ? NULL : err);
    return status ? status : finished;
}

/* What tells the language of the input; NULL: nothing does. */
static const char *name_of(const pare_input_options *input)
{
    return input->path ? input->path : input->name;
}

/* Opens the front end, and gets from it what the tree algorithms need. */
static pare_status open_front(pare_work *work, const pare_reduce_options *options, pare_error *err)
{
    pare_status status =
        pare_front_end_open(&options->trees, name_of(&options->input), &work->front, err);
    for (size_t i = 0; !status && i < work->plan.n_phases; i++) {
        const pare_tree_algorithm *tree = work->plan.phases[i].tree;
        if (!tree || !(tree->uses & PARE_TREE_GRAMMAR)) continue;
        if (!options->trees.n_grammars)
            return pare_fail(err, PARE_E_ARG,
                             "'%s' builds trees by a grammar, which brackets and languages do not "
                             "have: name one with --grammar",
                             tree->info.name);
        status = pare_front_end_expansions(work->front, &work->setup.expansions, err);
    }
    return status;
}

static pare_status tell_unused(pare_work *work, const pare_reduce_options *options, pare_error *err)
{
    pare_buffer sentence = {0};
    const pare_unused_given given = {
        .units = options->units, .lists = &options->lists, .trees = &options->trees};
    pare_status status = pare_unused_tell(&given, &work->plan, &work->setup, &sentence, err);
    if (!status && sentence.size) pare_session_notice(&work->session, sentence.data);
    pare_buffer_done(&sentence);
    return status;
}

/* Opens what the phases need besides the session. */
static pare_status open_work(const pare_reduce_options *options, const pare_layout *layout,
                             const pare_text *input, pare_work *work, pare_error *err)
{
    pare_status status = pare_tree_setup_read(&options->lists, &options->trees, &work->setup, err);
    if (!status && pare_plan_has_trees(&work->plan)) status = open_front(work, options, err);
    if (!status) status = pare_scope_open(&options->input, layout, input, &work->scope, err);
    if (!status && layout)
        status = pare_files_new(&options->trees, layout, &work->plan, &work->files, err);
    return status;
}

/* Says what of the input is not in any candidate. */
static void tell_skipped(pare_work *work, const pare_layout *layout)
{
    char sentence[512];
    if (!layout || !layout->entries.n_skipped) return;
    (void)snprintf(sentence, sizeof sentence,
                   "left out what is neither file, link nor folder: %.300s%s",
                   layout->entries.skipped, layout->entries.n_skipped > 1 ? ", and others" : "");
    pare_session_notice(&work->session, sentence);
}

pare_status pare_reduction_run(const pare_reduce_options *options, const pare_plan *plan,
                               const pare_layout *layout, pare_recording *recording,
                               pare_text **input, pare_result *result, pare_error *err)
{
    pare_work work = {
        .plan = *plan, .knobs = options->lists, .recording = recording, .effort = options->effort};
    pare_status status = open_work(options, layout, *input, &work, err);
    pare_front_end *front = work.front; /* there may be others, of single files */
    if (!status) status = pare_session_open(options, layout, *input, &work.session, result, err);
    if (!status) {
        if (recording) pare_recording_spare(recording, &work.session.oracle);
        tell_skipped(&work, layout);
        /* Of several files, each has a language of its own. */
        const char *notice = front && !work.files ? pare_front_end_notice(front) : NULL;
        if (notice) pare_session_notice(&work.session, notice);
        work.session.stats.language = front && !work.files ? pare_front_end_read_by(front) : NULL;
        status = tell_unused(&work, options, err);
        if (!status) status = reduce(&work, input, result, err);
        pare_flaky_done(&work.flaky);
        pare_session_close(&work.session);
    }
    pare_files_free(work.files);
    pare_scope_close(&work.scope);
    pare_front_end_free(front);
    if (status == PARE_E_INTERRUPTED) result->stats.stopped = PARE_STOPPED_INTERRUPTED;
    return status;
}

static pare_status run(const pare_reduce_options *options, const pare_layout *layout,
                       pare_recording *recording, pare_text **input, pare_result *result,
                       pare_error *err)
{
    pare_plan plan;
    pare_status status = pare_plan_make(options->algorithms, options->units, &plan, err);
    if (!status && pare_text_size(*input) == 0)
        status = pare_fail(err, PARE_E_STATE, "the input is empty: there is nothing to reduce");
    return status ? status
                  : pare_reduction_run(options, &plan, layout, recording, input, result, err);
}

const char *pare_reduce_missing_language(const pare_reduce_options *options)
{
    pare_plan plan;
    bool several = options->input.n_paths || options->input.generator;
    if (several || pare_plan_make(options->algorithms, options->units, &plan, NULL)) return NULL;
    if (options->input.path && pare_file_is_directory(options->input.path)) return NULL;
    return pare_plan_has_trees(&plan)
               ? pare_front_end_missing_language(&options->trees, name_of(&options->input))
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
        pare_originals_find(&options->input, options->output.journal_dir, originals, err);
    if (status) return status;
    options->input.paths = (const char *const *)originals->sources;
    options->output.places = (const char *const *)originals->places;
    return PARE_OK;
}

static pare_status reduce_all(const pare_reduce_options *options, pare_result *result,
                              pare_error *err)
{
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
    if (!status)
        status = pare_read_input(&used.input, used.output.places, &used.test, &layout, &input, err);
    if (!status)
        status = pare_recording_open(&used.input, used.test.timeout_ms, &input, &recording, err);
    if (!status && recording && used.output.in_place == PARE_ON)
        status = pare_fail(err, PARE_E_ARG,
                           "recorded choices are not replaced by the text that is made of them: "
                           "name an output");
    if (!status) status = run(&used, layout, recording, &input, result, err);
    pare_recording_free(recording);
    pare_text_unref(input);
    pare_layout_free(layout);
    pare_originals_done(&originals);
    return status;
}

pare_status pare_reduce_sized(const pare_reduce_options *options, size_t options_bytes,
                              pare_result *result, pare_error *err)
{
    pare_reduce_options own;
    *result = (pare_result){.check_exit_code = -1};
    pare_status status = pare_given_take(options, options_bytes, &own, err);
    return status ? status : reduce_all(&own, result, err);
}
