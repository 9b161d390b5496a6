/* pare_reduce: a plan of phases, each a list algorithm over the units of the best text
 * so far, in one round or to a fixpoint.
 *
 * Between phases the best is made flat, so that nothing older is kept in memory.
 * Repeating a phase costs no test where nothing has changed: the cache answers. */
#include <pare/reduce.h>

#include <stdio.h>

#include "base/alloc.h"
#include "list/strategy.h"
#include "pipeline/reduction.h"
#include "pipeline/session.h"
#include "text/bracket.h"
#include "text/segment.h"

/* What the phases work on. */
struct reduction {
    pare_session session;
    pare_plan plan;
    pare_list_knobs knobs;
    pare_engine_end end;
    bool again; /* in a later round of the fixpoint */
};

void pare_result_done(pare_result *result)
{
    pare_release(result->bytes);
    pare_release(result->stats.passes);
    pare_release(result->stats.curve);
    pare_release(result->check_output);
    pare_release(result->check_command);
    *result = (pare_result){.size_bytes = 0};
}

/* Runs the phase's algorithm over `units` (a reference is taken over) of `text`. */
static pare_status run_over(struct reduction *reduction, const pare_phase *phase,
                            const pare_text *text, pare_unit_list *units, pare_error *err)
{
    pare_config *config = NULL;
    pare_strategy *strategy = NULL;
    char name[64];
    const pare_list_algorithm *algorithm = reduction->again ? phase->again : phase->algorithm;
    (void)snprintf(name, sizeof name, "%s/%s", algorithm->info.name, pare_phase_unit(phase));
    pare_status status = pare_config_new(units, text, &config, err);
    if (!status) status = pare_session_begin_pass(&reduction->session, name, units->n, err);
    if (!status)
        status = pare_list_strategy_new(algorithm, &reduction->knobs, config, &strategy, err);
    pare_config_unref(config); /* the strategy has its own: what it drops can go */
    pare_units_unref(units);
    if (!status) status = pare_session_run(&reduction->session, strategy, &reduction->end, err);
    return status;
}

/* The best so far, flat: what units are cut from.  Borrowed until the next success. */
static pare_status best_text(struct reduction *reduction, const pare_text **text, pare_error *err)
{
    return pare_engine_settle(reduction->session.engine, text, err);
}

static pare_status cut(const pare_splitter *splitter, const pare_text *text, pare_unit_list **units,
                       pare_error *err)
{
    pare_bounds bounds = {0};
    pare_status status = splitter->split(pare_text_bytes(text), pare_text_size(text), &bounds, err);
    if (!status) status = pare_units_new(&bounds, units, err);
    pare_bounds_done(&bounds);
    return status;
}

static pare_status run_flat(struct reduction *reduction, const pare_phase *phase, pare_error *err)
{
    const pare_text *text = NULL;
    pare_unit_list *units = NULL;
    pare_status status = best_text(reduction, &text, err);
    if (!status) status = cut(phase->splitter, text, &units, err);
    if (!status) status = run_over(reduction, phase, text, units, err);
    return status;
}

/* The units of one level of brackets; *units stays NULL when there is no such level. */
static pare_status cut_level(const pare_text *text, uint32_t level, pare_comma comma,
                             pare_unit_list **units, pare_error *err)
{
    pare_bracket_tree tree = {0};
    pare_slices slices = {0};
    pare_status status =
        pare_bracket_build(pare_text_bytes(text), pare_text_size(text), &tree, err);
    if (!status && level < tree.n_levels) {
        status = pare_bracket_level(&tree, level, &slices, err);
        if (!status) pare_segment_join(&slices, pare_text_bytes(text), comma);
        if (!status) status = pare_units_new_gapped(&slices, units, err);
    }
    pare_slices_done(&slices);
    pare_bracket_done(&tree);
    return status;
}

/* Runs the phase over the segments of one level; *deeper is false below the last. */
static pare_status run_level(struct reduction *reduction, const pare_phase *phase, uint32_t level,
                             pare_comma comma, bool *deeper, pare_error *err)
{
    const pare_text *text = NULL;
    pare_unit_list *units = NULL;
    pare_status status = best_text(reduction, &text, err);
    if (!status) status = cut_level(text, level, comma, &units, err);
    *deeper = units != NULL;
    if (status || !units) return status;
    return run_over(reduction, phase, text, units, err);
}

/* Level by level from the outside in, on what is left each time; with the commas on
 * either side, because neither can delete every member of a list.
 * Source: HDD, Misherghi and Su, ICSE 2006, with brackets for a grammar. */
static pare_status run_levels(struct reduction *reduction, const pare_phase *phase, pare_error *err)
{
    bool deeper = true;
    for (uint32_t level = 0; deeper; level++) {
        for (pare_comma comma = PARE_COMMA_BEHIND; comma <= PARE_COMMA_BEFORE; comma++) {
            pare_status status = run_level(reduction, phase, level, comma, &deeper, err);
            if (status || reduction->end != PARE_END_DONE) return status;
        }
    }
    return PARE_OK;
}

static pare_status run_round(struct reduction *reduction, pare_error *err)
{
    for (size_t i = 0; i < reduction->plan.n_phases; i++) {
        const pare_phase *phase = &reduction->plan.phases[i];
        pare_status status =
            phase->splitter ? run_flat(reduction, phase, err) : run_levels(reduction, phase, err);
        if (status || reduction->end != PARE_END_DONE) return status;
    }
    return PARE_OK;
}

static pare_status run_plan(struct reduction *reduction, pare_error *err)
{
    for (;;) {
        uint64_t before = pare_engine_statistics(reduction->session.engine).successes;
        pare_status status = run_round(reduction, err);
        bool changed = pare_engine_statistics(reduction->session.engine).successes != before;
        if (status || reduction->end != PARE_END_DONE) return status;
        if (!reduction->plan.fixpoint || !changed) return PARE_OK;
        reduction->again = true;
    }
}

static pare_minimal proved(const struct reduction *reduction)
{
    const pare_phase *last = &reduction->plan.phases[reduction->plan.n_phases - 1];
    bool whole = reduction->end == PARE_END_DONE && last->algorithm->info.one_minimal;
    return whole ? PARE_MINIMAL_ONE : PARE_MINIMAL_NONE;
}

/* Units of the first phase in what the engine holds now. */
static pare_status count_units(struct reduction *reduction, size_t *n, pare_error *err)
{
    const pare_splitter *splitter = reduction->plan.phases[0].splitter;
    const pare_text *text = NULL;
    pare_unit_list *units = NULL;
    pare_status status = best_text(reduction, &text, err);
    if (!status)
        status = splitter ? cut(splitter, text, &units, err)
                          : cut_level(text, 0, PARE_COMMA_BEHIND, &units, err);
    if (!status) *n = units ? units->n : 0;
    pare_units_unref(units);
    return status;
}

static pare_status reduce(struct reduction *reduction, pare_text **input, pare_result *result,
                          pare_error *err)
{
    pare_stats *stats = &reduction->session.stats;
    pare_status status = pare_session_check(&reduction->session, *input, result, err);
    pare_text_unref(*input); /* the engine keeps what is needed of it */
    *input = NULL;
    if (!status) status = count_units(reduction, &stats->units_in, err);
    if (!status) status = run_plan(reduction, err);
    if (status && !pare_engine_best(reduction->session.engine)) return status;
    if (!status) status = count_units(reduction, &stats->units_out, err);
    pare_stopped stopped = pare_session_stopped(reduction->end);
    if (status) stopped = PARE_STOPPED_INTERRUPTED; /* so that the journal stays */
    pare_minimal minimal = status ? PARE_MINIMAL_NONE : proved(reduction);
    if (minimal)
        stats->minimal_unit =
            pare_phase_unit(&reduction->plan.phases[reduction->plan.n_phases - 1]);
    pare_status finished =
        pare_session_finish(&reduction->session, stopped, minimal, result, status ? NULL : err);
    return status ? status : finished;
}

pare_status pare_reduction_run(const pare_reduce_options *options, const pare_plan *plan,
                               pare_text **input, pare_result *result, pare_error *err)
{
    struct reduction reduction = {.plan = *plan, .knobs = options->knobs};
    pare_status status = pare_session_open(options, *input, &reduction.session, err);
    if (status) return status;
    status = reduce(&reduction, input, result, err);
    pare_session_close(&reduction.session);
    if (status == PARE_E_INTERRUPTED) result->stats.stopped = PARE_STOPPED_INTERRUPTED;
    return status;
}

pare_status pare_reduce(const pare_reduce_options *options, pare_result *result, pare_error *err)
{
    pare_plan plan;
    pare_text *input = NULL;
    *result = (pare_result){.check_exit_code = -1};
    pare_status status = pare_plan_make(options->algorithms, options->units, &plan, err);
    if (!status) status = pare_session_input(options, &input, err);
    if (!status && pare_text_size(input) == 0)
        status = pare_fail(err, PARE_E_STATE, "the input is empty: there is nothing to reduce");
    if (!status) status = pare_reduction_run(options, &plan, &input, result, err);
    pare_text_unref(input);
    return status;
}
