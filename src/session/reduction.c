/* pare_reduce: from the options to one text and a plan, then the check of the input, the phases of
 * the plan until the result is confirmed, and the result.
 *
 * Which files there are is decided once, in reduce_inputs: a folder is several inputs, a reduction
 * in place may begin from INPUT.orig, recorded choices are replaced by their text.  What follows
 * sees one text, one layout and one plan.  What costs least is refused first: options, then places
 * and inputs, then the plan.
 *
 * Two things are kept apart.  A run that *ends* (its budget is spent, it is asked to stop) has a
 * result, which is finished and handed over; a run that *fails* hands over what it had, and
 * keeps its journal.  Both come as one status: PARE_RUN_ENDED is the first (session.h).
 *
 * Named algorithms run in rounds, in the order in which they were named; the default chooses the
 * next phase by what each has earned (plan/schedule.c, plan/folder_schedule.c).  Repeating a phase
 * costs no test where nothing has changed: the cache answers.
 * Source: rounds to a fixpoint are HDD* (Misherghi and Su, ICSE 2006), for any list of
 * algorithms. */

#include "session/reduction.h"

#include <assert.h>
#include <stdio.h>

#include <pare/keep.h>
#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/switch.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/sized.h"
#include "engine/engine.h"
#include "engine/tried_digests.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/stop.h"
#include "reduce/syntax/front_end.h"
#include "reduce/tree/tree_algorithm.h"
#include "run/oracle.h"
#include "run/rate.h"
#include "run/repeat.h"
#include "session/output/history_log.h"
#include "session/output/in_place.h"
#include "session/output/output.h"
#include "session/plan/files.h"
#include "session/plan/history_phase.h"
#include "session/plan/phase.h"
#include "session/plan/phase_input.h"
#include "session/plan/plan.h"
#include "session/plan/schedule.h"
#include "session/plan/work.h"
#include "session/read_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "session/test/external_generator.h"
#include "session/test/flaky.h"
#include "session/test/flaky_rate.h"
#include "session/test/hang.h"
#include "session/test/input_check.h"
#include "session/test/result_name.h"
#include "session/test/strategy_process.h"
#include "session/test/strategy_script.h"
#include "session/test/travel.h"
#include "text/layout.h"
#include "text/pattern.h"
#include "text/text.h"

/* ---- options ---------------------------------------------------------------------- */

/* The caller's struct may be shorter or longer than ours (base/sized.h): it may have been compiled
 * with another version. The groups in it never change their size, so the offset of each is fixed;
 * what they reserve for later members must be zero as long as this library does not know its
 * meaning. */
pare_status pare_reduction_take_options(const pare_reduce_options *given, size_t given_bytes,
                                        pare_reduce_options *own, pare_error *err)
{
    pare_status status =
        pare_sized_take(own, sizeof *own, given, given_bytes, "options to reduce", err);
    if (status) return status;
    const struct room {
        const uint64_t *zeros;
        size_t bytes;
    } rooms[] = {
        {own->input.reserved, sizeof own->input.reserved},
        {own->test.reserved, sizeof own->test.reserved},
        {own->keep.reserved, sizeof own->keep.reserved},
        {own->test.safety.reserved, sizeof own->test.safety.reserved},
        {own->lists.reserved, sizeof own->lists.reserved},
        {own->trees.reserved, sizeof own->trees.reserved},
        {own->limits.reserved, sizeof own->limits.reserved},
        {own->output.reserved, sizeof own->output.reserved},
        {own->events.reserved, sizeof own->events.reserved},
    };
    for (size_t k = 0; !status && k < sizeof rooms / sizeof *rooms; k++)
        status =
            pare_sized_check_reserved(rooms[k].zeros, rooms[k].bytes, "options to reduce", err);
    return status;
}

/* ---- phases ----------------------------------------------------------------------- */

/* One round over the only file: every phase once, and after each a look whether the result still
 * fails as often as the input. */
static pare_status run_round(pare_work *work, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < work->plan.n_phases; i++) {
        work->file_bytes = pare_engine_best(work->session.engine)->size;
        pare_plan_phase_name(i + 1 < work->plan.n_phases ? &work->plan.phases[i + 1] : NULL,
                             work->again, work->session.next_phase);
        status = pare_phase_run(work, &work->plan.phases[i], err);
        (void)pare_session_is_skipped(&work->session, &status);
        if (!status) status = pare_flaky_look(&work->flaky, err);
    }
    return status;
}

/* Rounds; to a fixpoint, until one removes nothing. */
static pare_status run_rounds(pare_work *work, pare_error *err)
{
    for (;;) {
        const uint64_t before = pare_engine_statistics(work->session.engine).successes;
        pare_status status =
            work->files ? pare_files_round(work->files, work, err) : run_round(work, err);
        if (status) return status;
        const bool changed = pare_engine_statistics(work->session.engine).successes != before;
        if (!work->plan.fixpoint || !(changed || work->put_off)) return PARE_OK;
        /* From here on phases take the algorithm that is cheap where little is left to find. */
        work->again = true;
        work->put_off = false;
    }
}

/* All phases of the plan: the default's by what they earn, others in rounds. */
static pare_status run_phases(pare_work *work, pare_error *err)
{
    assert(work->plan.n_phases > 0);
    /* Only the phases of the default plan have an expected yield to be scheduled by. */
    const bool scheduled = work->plan.fixpoint && work->plan.phases[0].coarse;
    if (!scheduled) return run_rounds(work, err);
    return work->files ? pare_folder_schedule_run(work, err) : pare_schedule_run(work, err);
}

/* A stop that reached us in a loop over the text ends the run as one during a test does. */
static pare_status end_if_stopped(pare_work *work, pare_status status, pare_error *err)
{
    if (status != PARE_E_INTERRUPTED || !pare_engine_best(work->session.engine)) return status;
    pare_fail_clear(err);
    return pare_session_end(&work->session, PARE_END_INTERRUPTED);
}

/* Runs the phases until the result is known to fail as often as it should, and to hang if the
 * input does.  A spent budget leaves time for that; a requested stop does not. */
static pare_status run_until_confirmed(pare_work *work, pare_error *err)
{
    pare_status ran = PARE_OK;
    /* A phase that has ended the run (its budget is spent) is not run again, but what it left is
     * confirmed. */
    for (bool again = true; again;) {
        if (!ran) ran = end_if_stopped(work, run_phases(work, err), err);
        if (pare_run_error(ran) || work->session.end == PARE_END_INTERRUPTED) return ran;
        pare_status status =
            pare_hang_confirm(&work->hang, &work->session, &work->flaky, &again, err);
        /* Only for a result that hangs as it should. If the run had to go back for that, the
         * earlier result is confirmed next. */
        if (!status && !again) status = pare_flaky_confirm(&work->flaky, &again, err);
        if (status) return end_if_stopped(work, status, err);
        work->again = false; /* the phases begin anew, on what was gone back to */
    }
    return ran;
}

/* ---- the input -------------------------------------------------------------------- */

/* Checks the input, that less than the input does not fail as well, and how often it fails.
 * A stop during the checks ends the run with the input as its best, but where the input has not
 * failed yet: that is PARE_E_INTERRUPTED. */
static pare_status check_input(pare_work *work, const pare_text *input, pare_result *result,
                               pare_error *err)
{
    pare_verdict verdict;
    bool fails = false;
    pare_session *session = &work->session;
    pare_status status = pare_input_check_try(session, input, &verdict, err);
    if (!status && verdict.outcome == PARE_FAIL && !work->recording)
        status = pare_input_check_controls(session, input, err);
    if (!status && verdict.outcome == PARE_FAIL)
        status = pare_hang_check_input(session, input, err);
    if (status) return status;
    /* An input that passed is run again, too, before it is refused: it may fail by chance. */
    status = pare_flaky_begin(&work->flaky, session, input, &verdict, &fails, err);
    const pare_travel_outcomes outcomes =
        session->options->limits.cache == PARE_OFF ? PARE_TRAVEL_OWN : PARE_TRAVEL_SHARED;
    if (!status && fails) status = pare_travel_share(&session->oracle, input, outcomes, err);
    if (pare_run_error(status) || fails) return status;
    if (session->end == PARE_END_INTERRUPTED)
        return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    return pare_input_check_refuse(session, &verdict, result, err);
}

/* ---- the end ---------------------------------------------------------------------- */

/* The interval means nothing without runs. */
static pare_frequency frequency(pare_rate rate)
{
    pare_frequency frequency = {.fails = rate.fails, .runs = rate.runs};
    if (rate.runs) pare_rate_interval(rate, &frequency.low, &frequency.high);
    return frequency;
}

/* All-zero in the statistics where every run failed: there is nothing to tell. */
static void add_flaky(const pare_work *work, pare_stats *stats)
{
    const pare_flaky *flaky = &work->flaky;
    if (!flaky->on && !flaky->fixed && !flaky->alone) return;
    stats->flaky = (pare_flaky_stats){.flaky = true,
                                      .fixed_addresses = flaky->fixed,
                                      .one_at_a_time = flaky->alone,
                                      .input = frequency(flaky->input),
                                      .result = frequency(flaky->best),
                                      .runs = pare_repeat_runs(work->session.oracle.repeat),
                                      .taken_back = flaky->refused};
}

/* What the last phase has shown about the result. To be asked before another tree is made, since
 * that forgets it. */
static pare_minimal proved(pare_work *work)
{
    const pare_phase *last = &work->plan.phases[work->plan.n_phases - 1];
    char *nodes = work->session.stats.minimal_nodes;
    /* A claim needs a last phase that came to its end without a success. */
    if (work->session.end != PARE_END_DONE || work->cut_short || work->session.n_skipped)
        return PARE_MINIMAL_NONE;
    if (last->kind == PARE_PHASE_PORTFOLIO || last->kind == PARE_PHASE_DEPENDENCY ||
        last->kind == PARE_PHASE_OWN)
        return PARE_MINIMAL_NONE;
    /* The list may be minimal; of the text that is made of it nothing was shown. */
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

static pare_status count_all_units(pare_work *work, size_t *n, pare_error *err)
{
    const pare_phase *phase = counted(&work->plan);
    if (work->files) return pare_files_count(work->files, work, phase, n, err);
    return pare_phase_input_count(work, phase, n, err);
}

/* Counts the units that the statistics tell of; 0 of a large text if nobody waits for that any
 * more. */
static pare_status count_units(pare_work *work, size_t *n, pare_error *err)
{
    enum { COUNTED_AT_ONCE = 1 << 20 }; /* bytes */
    pare_interrupt flags = pare_interrupt_watched();
    if (pare_engine_best(work->session.engine)->size <= COUNTED_AT_ONCE)
        flags = pare_interrupt_watch((pare_interrupt){{NULL}});
    pare_status status = count_all_units(work, n, err);
    (void)pare_interrupt_watch(flags);
    if (status != PARE_E_INTERRUPTED) return status;
    pare_fail_clear(err);
    *n = 0;
    return PARE_OK;
}

/* Finishes the run, which was stopped by `failed` if that is not PARE_OK: then the journal stays,
 * and nothing is claimed of the result. */
static pare_status finish(pare_work *work, pare_status failed, pare_minimal minimal,
                          pare_result *result, pare_error *err)
{
    pare_session *session = &work->session;
    /* The session knows of budgets, stops and skipped phases; `work` knows whether the effort was
     * cut short. */
    pare_stopped stopped = pare_session_stopped(session);
    if (stopped == PARE_STOPPED_MINIMAL && (work->cut_short || session->n_skipped))
        stopped = PARE_STOPPED_EFFORT;
    if (failed) stopped = PARE_STOPPED_INTERRUPTED;
    if (failed) minimal = PARE_MINIMAL_NONE;
    if (minimal)
        session->stats.minimal_unit = pare_plan_unit(&work->plan.phases[work->plan.n_phases - 1]);
    /* Nobody who has stopped the run waits for this. */
    if (stopped != PARE_STOPPED_INTERRUPTED) failed = pare_result_name_check(session, err);
    /* A run that was asked to stop still hands over a result, so from here on stops are not looked
     * at. */
    const pare_interrupt flags = pare_interrupt_watch((pare_interrupt){{NULL}});
    pare_status finished =
        pare_session_finish(session, stopped, minimal, result, failed ? NULL : err);
    (void)pare_interrupt_watch(flags);
    if (!failed && !finished) finished = pare_input_check_printed(session, &result->printed, err);
    return failed ? failed : finished;
}

/* The first tree of the input is made while the input is checked.  A run that goes on from a journal
 * begins with another text. */
static void prepare_tree(pare_work *work, const pare_text *input)
{
    if (!work->front || work->files || work->session.is_resumed) return;
    pare_front_end_prepare(work->front, input, (pare_stretch){0, pare_text_size(input)});
}

/* Tells what there is to say about the language, once the input is known to fail: before that,
 * other news are more urgent. With several files, each has a language of its own. */
static void tell_language(pare_work *work)
{
    const char *notice = work->front && !work->files ? pare_front_end_notice(work->front) : NULL;
    if (notice) pare_event_notice(&work->session, notice);
}

/* Begins the run: checks *input, which is given up, and goes to the step of the history that it goes on
 * from, if there is one.  PARE_RUN_ENDED as ever.  *refused: nothing is to be written. */
static pare_status begin(pare_work *work, pare_text **input, pare_result *result, bool *refused,
                         pare_error *err)
{
    pare_text *step = NULL;
    pare_session *session = &work->session;
    const pare_status read = pare_history_phase_read(session, *input, &step, err);
    if (!read && !step) prepare_tree(work, *input);
    pare_status ran = read ? read : check_input(work, *input, result, err);
    pare_text_unref(*input); /* the engine keeps what is needed of it */
    *input = NULL;
    /* The input does not fail, so no later run can go on from this one. */
    const bool is_passing = !read && ran == PARE_E_STATE;
    if (!pare_run_error(ran)) {
        tell_language(work);
        const pare_status status = count_units(work, &session->stats.units_in, err);
        if (status) ran = status;
    }
    /* The run was to go on from an earlier result and never got there, so the input is not its
     * result. */
    if (ran == PARE_RUN_ENDED && step) ran = pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    if (!ran && step) ran = pare_history_phase_run(work, step, err);
    *refused = read || is_passing || (step && pare_run_error(ran));
    pare_text_unref(step);
    /* The journal is kept if an earlier process wrote it about an input that did fail. */
    if (is_passing || (*refused && !session->is_resumed)) pare_session_discard_journal(session);
    return ran;
}

/* Reduces *input in the open session. */
static pare_status reduce_input(pare_work *work, pare_text **input, pare_result *result,
                                pare_error *err)
{
    bool refused = false;
    pare_stats *stats = &work->session.stats;
    const pare_status ran = begin(work, input, result, &refused, err);
    if (refused) return ran;
    pare_status status = pare_run_error(ran);
    if (!status && !ran) status = pare_run_error(run_until_confirmed(work, err));
    const pare_minimal minimal = status ? PARE_MINIMAL_NONE : proved(work);
    add_flaky(work, stats);
    /* Not even the input was found to fail, so there is no result to hand over. */
    if (status && !pare_engine_best(work->session.engine)) return status;
    if (!status) status = count_units(work, &stats->units_out, err);
    return finish(work, status, minimal, result, err);
}

/* ---- the beginning ---------------------------------------------------------------- */

/* Opens the front end, and gets from it what the tree algorithms need. */
static pare_status open_front(pare_work *work, const pare_reduction_task *reduction,
                              pare_error *err)
{
    const pare_reduce_options *options = reduction->options;
    if (options->trees.tree && reduction->layout)
        return pare_fail(err, PARE_E_ARG, "a tree can only be given for a single file");
    pare_status status = pare_front_end_open(&options->trees, pare_read_input_name(&options->input),
                                             &work->front, err);
    if (!status && !reduction->layout)
        status = pare_front_end_set_input(work->front, reduction->text, err);
    for (size_t i = 0; !status && i < work->plan.n_phases; i++) {
        const pare_tree_algorithm *tree = work->plan.phases[i].tree;
        if (!tree || !(tree->uses & PARE_TREE_GRAMMAR)) continue;
        if (!options->trees.n_grammars)
            return pare_fail(err, PARE_E_ARG,
                             "'%s' needs a grammar, which neither brackets nor languages have: "
                             "name one with --grammar",
                             tree->info.name);
        status = pare_front_end_expansions(work->front, &work->setup.expansions, err);
    }
    return status;
}

/* Tells of options that have no effect here. That is no reason to refuse: the reduction does what
 * was meant by other means. */
static pare_status tell_unused(pare_work *work, const pare_reduce_options *options, pare_error *err)
{
    pare_buffer sentence = {0};
    const pare_ignored_options_given given = {
        .units = options->units, .lists = &options->lists, .trees = &options->trees};
    pare_status status = pare_plan_tell_ignored(&given, &work->plan, &work->setup, &sentence, err);
    if (!status && sentence.size) pare_event_notice(&work->session, sentence.data);
    pare_buffer_done(&sentence);
    return status;
}

/* Whether an algorithm of the user's can be run, before anything is tested. */
static pare_status check_strategy(const char *command, pare_error *err)
{
    const char *path = pare_strategy_script_path(command);
    pare_strategy_script *script = NULL;
    if (!path) return pare_strategy_process_check(command, err);
    const pare_status status = pare_strategy_script_new(path, &script, err);
    pare_strategy_script_free(script);
    return status;
}

/* Opens what the phases need besides the session. The caller closes all of it, even after a
 * failure. */
static pare_status open_parts(const pare_reduction_task *reduction, pare_work *work,
                              pare_error *err)
{
    const pare_reduce_options *options = reduction->options;
    const pare_layout *layout = reduction->layout;
    pare_status status = pare_plan_read_setup(&options->lists, &options->trees, &work->setup, err);
    if (!status && options->strategy_command)
        status = check_strategy(options->strategy_command, err);
    if (!status && pare_plan_has_trees(&work->plan)) status = open_front(work, reduction, err);
    if (!status)
        status = pare_reducible_ranges_open(&options->input, layout, reduction->text, &work->ranges,
                                            err);
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
    pare_event_notice(&work->session, sentence);
}

/* Says what there is to say of the options and the input before the first test. */
static pare_status tell_about_input(pare_work *work, const pare_reduce_options *options,
                                    const pare_layout *layout, pare_error *err)
{
    const bool one_language = work->front && !work->files;
    tell_skipped(work, layout);
    work->session.stats.language = one_language ? pare_front_end_read_by(work->front) : NULL;
    return tell_unused(work, options, err);
}

/* In the order in which things can be refused for the least: names in the options, then regular
 * expressions and grammars, then what the session opens. pare_session_open closes the session
 * itself when it fails; the parts are closed here in any case. */
pare_status pare_reduction_run(pare_reduction_task *reduction, pare_result *result, pare_error *err)
{
    const pare_reduce_options *options = reduction->options;
    pare_work work = {.plan = *reduction->plan,
                      .knobs = options->lists,
                      .recording = reduction->recording,
                      .effort = options->effort};
    assert(pare_plan_check(&work.plan) && pare_text_size(reduction->text) > 0);
    pare_status status = open_parts(reduction, &work, err);
    /* Kept in a variable, since only this front end is ours to free. */
    pare_front_end *front = work.front; /* work.front may become that of a single file */
    if (status) goto out;
    /* The text that recorded choices make is a candidate like any other, and is named as one. */
    work.session.has_marks = work.recording != NULL;
    work.session.keeps_history = true;
    status =
        pare_session_open(options, reduction->layout, reduction->text, &work.session, result, err);
    if (status) goto out;
    if (work.recording) pare_external_generator_spare(work.recording, &work.session.oracle);
    if (!status && work.recording)
        status = pare_external_generator_keep_made(work.recording, options->output.journal_dir,
                                                   options->output.sync, err);
    if (!status) status = tell_about_input(&work, options, reduction->layout, err);
    if (!status) status = reduce_input(&work, &reduction->text, result, err);
    reduction->wants_names = work.session.wants_names;
    reduction->wants_line = work.session.wants_line;
    pare_flaky_done(&work.flaky);
    pare_session_close(&work.session);
out:
    pare_tried_digests_release(&work.unreached_tried);
    pare_files_free(work.files);
    pare_reducible_ranges_close(&work.ranges);
    pare_front_end_free(front);
    return status;
}

/* ---- pare_reduce ------------------------------------------------------------------ */

/* Members that were never set are NULL. */
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
    pare_alloc_free(result->printed);
    for (size_t k = 0; k < result->n_reported; k++)
        pare_alloc_free(result->reported[k]);
    pare_alloc_free(result->reported);
    pare_output_others_done(&(pare_other_failures){.list = result->others, .n = result->n_others});
    *result = (pare_result){.size_bytes = 0};
}

/* For a front end that may offer to add it before the run. Of several files there may be several
 * languages, of which none is missed by itself. */
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

/* A user's algorithm is one more way to name what is run, so it is refused beside the others. */
pare_status pare_reduction_make_plan(const pare_reduce_options *options, const char *units,
                                     pare_plan *plan, pare_error *err)
{
    const int n_ways = !!options->algorithms + !!options->strategy + !!options->strategy_command;
    if (n_ways > 1)
        return pare_fail(err, PARE_E_ARG, "give either your own algorithm or named ones");
    if (options->strategy || options->strategy_command) return pare_plan_make_own(units, plan, err);
    return pare_plan_make(options->algorithms, units, plan, err);
}

/* Interrupted by a signal or by a request to stop, whether the run noticed it as an error or as its
 * end. */
static bool was_interrupted(pare_status status, const pare_result *result)
{
    return status == PARE_E_INTERRUPTED ||
           (status == PARE_OK && result->stats.stopped == PARE_STOPPED_INTERRUPTED);
}

/* Runs the reduction.  If less than the input gives the message, too, once the input's names are left out of it, it
 * begins anew and keeps the names, or else the line that it is about. */
static pare_status run_with_names(pare_reduction_task *reduction, pare_reduce_options *options,
                                  pare_result *result, pare_error *err)
{
    pare_text *input = pare_text_ref(reduction->text);
    reduction->wants_names = reduction->wants_line = false;
    pare_status status = pare_reduction_run(reduction, result, err);
    if (status == PARE_E_STATE && (reduction->wants_names || reduction->wants_line)) {
        options->keep.level = reduction->wants_names ? PARE_KEEP_EXACT : PARE_KEEP_LINE;
        pare_fail_clear(err);
        pare_result_done(result);
        result->check_exit_code = -1;
        pare_text_unref(reduction->text);
        reduction->text = pare_text_ref(input);
        /* This run has written the file, or nothing would have been learnt. */
        const char *path = options->keep.signature_path;
        status = path ? pare_file_remove_tree(path, err) : PARE_OK;
        if (!status) status = pare_reduction_run(reduction, result, err);
    }
    pare_text_unref(input);
    return status;
}

/* Runs the reduction, and again from each step of its history that is asked for meanwhile; `options` are
 * those that it points to. */
static pare_status run_from_steps(pare_reduction_task *reduction, pare_reduce_options *options,
                                  pare_result *result, pare_error *err)
{
    const pare_history_origin origin = {.dir = options->output.journal_dir,
                                        .input = pare_text_digest(reduction->text),
                                        .layout = reduction->layout};
    for (;;) {
        const uint64_t start_ms = pare_clock_ms();
        const pare_status status = run_with_names(reduction, options, result, err);
        pare_text *input = NULL;
        if (!was_interrupted(status, result)) return status;
        if (!pare_history_phase_begin_again(options, &origin, pare_clock_ms() - start_ms, &input))
            return status;
        pare_fail_clear(err);
        pare_result_done(result);
        result->check_exit_code = -1;
        pare_text_unref(reduction->text);
        reduction->text = input;
    }
}

/* Reduces the input or inputs that the options name. */
static pare_status reduce_inputs(const pare_reduce_options *options, pare_result *result,
                                 pare_error *err)
{
    pare_plan plan;
    pare_layout *layout = NULL;
    pare_originals originals = {.n = 0};
    pare_reduce_options used = *options;
    pare_reduction_task reduction = {.options = &used, .plan = &plan};
    if (!used.input.n_paths && used.input.path && pare_file_is_directory(used.input.path)) {
        used.input.paths = &used.input.path;
        used.input.n_paths = 1;
    }
    if (used.input.n_paths && !used.input.path) used.input.path = used.input.paths[0];
    pare_status status = find_originals(&used, &originals, err);
    if (status) goto out;
    const pare_input_request request = {&used.input, used.output.places, &used.test, &used.events};
    status = pare_read_input(&request, &layout, &reduction.text, err);
    if (status) goto out;
    reduction.layout = layout;
    status = pare_external_generator_open_recording(&used.input, used.test.timeout_ms,
                                                    &reduction.text, &reduction.recording, err);
    if (status) goto out;
    if (reduction.recording && used.output.in_place == PARE_ON)
        status = pare_fail(
            err, PARE_E_ARG,
            "recorded choices cannot be replaced by the text made from them: name an output");
    if (!status) status = pare_reduction_make_plan(&used, used.units, &plan, err);
    if (!status && pare_text_size(reduction.text) == 0)
        status = pare_fail(err, PARE_E_STATE, "the input is empty: there is nothing to reduce");
    if (!status) status = run_from_steps(&reduction, &used, result, err);
out:
    pare_external_generator_free_recording(reduction.recording);
    pare_text_unref(reduction.text);
    pare_layout_free(layout);
    pare_in_place_originals_done(&originals);
    return status;
}

/* *result is set first, so that the caller may end it after any failure. */
pare_status pare_reduce_sized(const pare_reduce_options *options, size_t options_bytes,
                              pare_result *result, pare_error *err)
{
    pare_reduce_options own;
    *result = (pare_result){.check_exit_code = -1};
    pare_status status = pare_reduction_take_options(options, options_bytes, &own, err);
    if (status) return status;
    const pare_interrupt flags =
        pare_interrupt_watch((pare_interrupt){{pare_stop_flag(own.events.stop)}});
    status = reduce_inputs(&own, result, err);
    (void)pare_interrupt_watch(flags);
    if (status == PARE_E_INTERRUPTED) result->stats.stopped = PARE_STOPPED_INTERRUPTED;
    return status;
}
