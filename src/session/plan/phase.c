/* Phases: each cuts the best text so far into units, makes a tree of it, or asks a pass what it
 * offers, and runs its algorithm over that.
 *
 * Before a phase the best is made flat, so that nothing older is kept in memory.  After a success
 * units and trees are of a text that is gone: list algorithms carry them on themselves, trees and
 * passes begin anew, until nothing changes.  A tree takes up to twenty times the memory of its
 * text, so the default leaves trees of a large input to a later round, when lists have made it
 * small.
 * Source: the fixpoint over parses is Perses' (Sun et al., ICSE 2018) and Picireny's. */
#include "session/plan/phase.h"

#include <stdio.h>

#include <pare/algorithm.h>
#include <pare/reduce.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/pool_options.h"
#include "engine/strategy.h"
#include "reduce/choice/choice_reduction.h"
#include "reduce/dependency/closures.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/config.h"
#include "reduce/passes/pass.h"
#include "reduce/syntax/front_end.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/tree_algorithm.h"
#include "run/compiler_line.h"
#include "session/plan/coverage_phase.h"
#include "session/plan/format_phases.h"
#include "session/plan/own_phase.h"
#include "session/plan/phase_input.h"
#include "session/plan/portfolio.h"
#include "session/plan/semantic_phase.h"
#include "session/read_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "session/test/code_places.h"
#include "session/test/external_generator.h"
#include "session/test/side_run.h"
#include "text/candidate.h"
#include "text/patch.h"
#include "text/pattern.h"
#include "text/split/bracket.h"
#include "text/split/split.h"
#include "text/text.h"

/* Runs the algorithm over `units` (a reference is taken over) of `text`, as the pass `name`. */
static pare_status run_pass_of_units(pare_work *work, const char *name,
                                     const pare_list_algorithm *algorithm, const pare_text *text,
                                     pare_unit_list *units, pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_config *config = NULL;
    pare_status status = pare_config_new(units, text, &config, err);
    if (!status) status = pare_session_begin_pass(&work->session, name, units->n, err);
    if (!status) status = pare_config_strategy_new(algorithm, &work->knobs, config, &strategy, err);
    pare_config_unref(config); /* the strategy has its own: what it drops can go */
    pare_config_units_unref(units);
    return status ? status : pare_session_run(&work->session, strategy, err);
}

/* The name is that of the pass in the statistics: runs of one algorithm over one kind of units
 * are counted together. */
pare_status pare_phase_run_units(pare_work *work, const pare_list_algorithm *algorithm,
                                 const char *unit, const pare_text *text, pare_unit_list *units,
                                 pare_error *err)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s/%s", algorithm->info.name, unit);
    return run_pass_of_units(work, name, algorithm, text, units, err);
}

/* In later rounds the one that is cheap where most units matter. */
static pare_status run_list_algorithm(pare_work *work, const pare_phase *phase,
                                      const pare_text *text, pare_unit_list *units, pare_error *err)
{
    const pare_list_algorithm *algorithm = work->again ? phase->again : phase->algorithm;
    return pare_phase_run_units(work, algorithm, pare_plan_unit(phase), text, units, err);
}

enum {
    TOKENS_GRAPH_BYTES = 1 << 10, /* smallest input of which the default makes a graph by tokens */
    TREE_GRAPH_BYTES = 8 << 10,   /* the same, by a syntax tree */
    TREE_BYTES = 4 << 20,         /* largest input of which a tree is made in the first round */
    LANGUAGE_TREE_BYTES = 16 << 20, /* the same, by the input's language */
    CODE_BYTES = 16 << 10,          /* smallest text of which it is asked what code is made of it */
    CANDIDATES = 8 /* of the default, for the place of one node (docs/design/default.md) */
};

/* Units are cut anew for each run, of what is left. */
static pare_status run_over_units(pare_work *work, const pare_phase *phase, pare_error *err)
{
    pare_view view;
    bool found;
    pare_unit_list *units = NULL;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = pare_phase_input_cut(phase->splitter, &view, &units, err);
    if (!status && found) status = run_list_algorithm(work, phase, view.text, units, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* Text that is needed in one place only is halved down to it by units that know of no
 * structure in fewer tests than by any that do.  Other text is not, which shows after two
 * tests.  Source: DustMite splits by lines and words first; measured (docs/design/default.md). */
enum { SCOUT_UNITS = 32 }; /* fewer are not worth it */

/* Coarse units first. */
static const struct scout {
    const char *unit;
    const pare_list_algorithm *algorithm;
} SCOUTS[] = {{"line", &pare_list_bisect}, {"token", &pare_list_bisect_ends}};

/* Cuts into lines or, when there are not enough of them, into tokens; *units is NULL when
 * there are not enough of those either. */
static pare_status cut_enough(const pare_view *view, const struct scout **scout,
                              pare_unit_list **units, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && !*units && i < sizeof SCOUTS / sizeof *SCOUTS; i++) {
        *scout = &SCOUTS[i];
        status = pare_phase_input_cut(pare_splitter_find(SCOUTS[i].unit), view, units, err);
        if (status || (*units)->n >= SCOUT_UNITS) continue;
        pare_config_units_unref(*units);
        *units = NULL;
    }
    return status;
}

/* Runs the scout over the coarsest units there are enough of; nothing where there are not. */
static pare_status run_scout_over(pare_work *work, const pare_view *view, pare_error *err)
{
    char name[64];
    const struct scout *scout = NULL;
    pare_unit_list *units = NULL;
    pare_status status = cut_enough(view, &scout, &units, err);
    if (status || !units) return status;
    (void)snprintf(name, sizeof name, "scout/%s", scout->unit);
    return run_pass_of_units(work, name, scout->algorithm, view->text, units, err);
}

/* Runs the cheap first look. Only in the first round: after that the text
 * is small, or had too few units. */
static pare_status run_scout(pare_work *work, pare_error *err)
{
    pare_view view;
    bool found;
    if (work->again) return PARE_OK;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = run_scout_over(work, &view, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* Says why the search takes many times the tests, where a part of the program was not installed: nobody
 * would know from the result. */
static void tell_deaf(pare_work *work, const pare_dependency *graph)
{
    const pare_reduce_options *options = work->session.options;
    if (pare_dependency_runs(graph) || !options->test.command || options->test.check_with ||
        pare_compiler_line_can_watch())
        return;
    pare_event_notice(&work->session,
                      "libpare_watch.so is not where pare was built or installed, so what the "
                      "compiler says inside the test is not heard: going on with "
                      "many times the tests; --check-with COMMAND helps, too");
}

/* Tells the strategy of which places of the text the test's compiler makes code, if that can be found out. */
static pare_status tell_code(pare_work *work, const pare_view *view, pare_strategy *closures,
                             pare_error *err)
{
    const pare_reduce_options *options = work->session.options;
    const pare_span bytes = pare_reducible_ranges_bytes(view);
    const pare_side_task task = {.base_name = pare_read_input_base_name(&options->input),
                                 .text = bytes.bytes,
                                 .bytes = bytes.size,
                                 .deadline_ms = pare_session_deadline_ms(&work->session),
                                 .stop = options->events.stop};
    pare_code_places places = {.n = 0};
    const char *emitter = NULL;
    if (bytes.size < CODE_BYTES || work->files || work->session.layout) return PARE_OK;
    pare_status status = pare_engine_emitter(work->session.engine, &emitter, err);
    if (!status && emitter) status = pare_code_places_record(&task, emitter, &places, err);
    /* Offsets are those of the whole text. */
    for (size_t i = 0; i < places.n; i++)
        places.at[i] += view->begin;
    if (!status) status = pare_closures_know_emitted(closures, places.at, places.n, err);
    pare_code_places_done(&places);
    return status;
}

/* Runs the strategy over `graph`, a reference to which is taken over. */
static pare_status run_closures(pare_work *work, const pare_view *view, pare_dependency *graph,
                                pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_guarded guarded;
    pare_status status = pare_session_begin_pass(&work->session, pare_plan_dependency.name,
                                                 pare_dependency_count(graph), err);
    tell_deaf(work, graph);
    if (!status) status = pare_closures_new(graph, &strategy, err);
    pare_dependency_unref(graph); /* the strategy has its own */
    if (!status) status = tell_code(work, view, strategy, err);
    if (!status) pare_closures_ask(strategy);
    if (!status)
        status = pare_reducible_ranges_guard(&work->ranges, view, &guarded, &strategy, err);
    return status ? status : pare_session_run(&work->session, strategy, err);
}

/* Whether the default makes a graph of the file.  What a compiler reads is found in fewer tests by
 * it from a few dozen lines on; a small script goes as fast by its tree. */
static bool is_worth_a_graph(const pare_work *work)
{
    const char *language = work->front ? pare_front_end_language(work->front) : NULL;
    return work->file_bytes >=
           (pare_dependency_needs_tree(language) ? TREE_GRAPH_BYTES : TOKENS_GRAPH_BYTES);
}

/* Largest declarations first, as it were: whole closures of them.  In the default only where the
 * text is large, since a small one is reduced in as few tests by its tree. */
static pare_status run_dependency(pare_work *work, pare_error *err)
{
    pare_view view;
    bool found;
    pare_dependency *graph = NULL;
    if (work->plan.fixpoint && (work->again || !is_worth_a_graph(work))) return PARE_OK;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = pare_phase_input_dependency(work, &view, &graph, err);
    if (!status && graph) status = run_closures(work, &view, graph, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* Runs the phase over the segments of one level; *deeper is false below the last. */
static pare_status run_level(pare_work *work, const pare_phase *phase, uint32_t level,
                             pare_comma comma, bool *deeper, pare_error *err)
{
    pare_view view;
    bool found;
    pare_unit_list *units = NULL;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = pare_phase_input_cut_level(&view, level, comma, &units, err);
    *deeper = units != NULL;
    if (!status && units) status = run_list_algorithm(work, phase, view.text, units, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* Level by level from the outside in, on what is left each time; with the commas on
 * either side, because neither can delete every member of a list.
 * Source: HDD, Misherghi and Su, ICSE 2006, with brackets for a grammar. */
static pare_status run_levels(pare_work *work, const pare_phase *phase, pare_error *err)
{
    bool deeper = true;
    for (uint32_t level = 0; deeper; level++) {
        for (pare_comma comma = PARE_COMMA_AFTER; comma <= PARE_COMMA_BEFORE; comma++) {
            pare_status status = run_level(work, phase, level, comma, &deeper, err);
            if (status) return status;
        }
    }
    return PARE_OK;
}

/* Makes templates of the corpus, and says what of it was of no use.  What the front end has
 * to say about the input is heard first. */
static pare_status learn(pare_work *work, pare_error *err)
{
    const char *notice = pare_front_end_notice(work->front);
    if (notice) pare_event_notice(&work->session, notice);
    return pare_front_end_templates(work->front, &work->setup.templates, err);
}

/* Whether edits are left out that were in vain between the same neighbours: in later rounds of the
 * default, which would repeat most of what they did before each gain. */
static bool leaves_out_vain(const pare_work *work)
{
    return work->again && work->plan.fixpoint && work->effort != PARE_EFFORT_MAX;
}

/* Runs the algorithm over `tree` (takes a reference over). The algorithm knows nothing of protected
 * text; candidates that would lose some are filtered out before they are tested. */
static pare_status run_tree_algorithm(pare_work *work, const pare_tree_algorithm *algorithm,
                                      const pare_view *view, pare_tree *tree, pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_guarded guarded;
    char name[64];
    (void)snprintf(name, sizeof name, "%s/tree", algorithm->info.name);
    pare_status status =
        pare_session_begin_pass(&work->session, name, tree->nodes[0].n_tokens, err);
    if (!status) status = algorithm->start(algorithm, tree, &work->setup, &strategy, err);
    pare_tree_unref(tree); /* the strategy has its own */
    if (!status)
        status = pare_reducible_ranges_guard(&work->ranges, view, &guarded, &strategy, err);
    if (!status && leaves_out_vain(work))
        status = pare_limited_filter(strategy, pare_engine_is_new_edit, work->session.engine,
                                     &strategy, err);
    if (!status) status = pare_session_run(&work->session, strategy, err);
    return status;
}

/* One run of a tree algorithm over the file as it is now. An algorithm that makes new trees by the
 * grammar cannot use a tree that was read otherwise (by brackets, say): then the phase does
 * nothing, or the run fails if the input itself was never in the grammar. */
static pare_status run_over_file_tree(pare_work *work, const pare_tree_algorithm *algorithm,
                                      const pare_view *view, pare_error *err)
{
    pare_tree *tree = NULL;
    pare_status status = pare_phase_input_tree(work, algorithm, view, &tree, err);
    if (status) return status;
    /* Templates are learnt once; after that the front end answers from what it has. */
    if (algorithm->uses & PARE_TREE_TEMPLATES) status = learn(work, err);
    if (status) {
        pare_tree_unref(tree);
        return status;
    }
    const char *notice = pare_front_end_notice(work->front);
    bool off_grammar =
        algorithm->uses & PARE_TREE_GRAMMAR && !pare_front_end_by_grammar(work->front);
    if (!off_grammar) {
        if (notice) pare_event_notice(&work->session, notice);
        return run_tree_algorithm(work, algorithm, view, tree, err);
    }
    pare_tree_unref(tree);
    /* An earlier phase may have left what the grammar does not have; the input itself has to be
     * in it. */
    if (pare_engine_statistics(work->session.engine).successes) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "'%s' needs an input that is in the grammar: %s",
                     algorithm->info.name, notice ? notice : "this one is not");
}

/* The view is of the text as it is now; the run may change that, but the view is closed before
 * it is asked for again. */
static pare_status run_tree_round(pare_work *work, const pare_tree_algorithm *algorithm,
                                  pare_error *err)
{
    pare_view view;
    bool found;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = run_over_file_tree(work, algorithm, &view, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* Whether the algorithm puts minimal texts in: the others leave nodes out, and for them
 * tokens by a language are candidates that seldom help.  They come into play at last: in
 * the default's later rounds, else when nothing changes without them. */
static bool puts_texts(const pare_tree_algorithm *algorithm)
{
    return algorithm->uses & PARE_TREE_PHASES;
}

/* Forgets the shortest texts of the language if they were learned from another text than this one;
 * *again says so. What the run shows about the result has to hold for the texts that the result
 * itself teaches. */
static pare_status forget_texts(pare_work *work, bool *again, pare_error *err)
{
    pare_view view;
    bool found;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    *again =
        !status && found &&
        pare_front_end_forget_texts(work->front, view.text, (pare_stretch){view.begin, view.end});
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* When a round has changed nothing: whether there is still something new to try, tokens that were
 * out of play or texts learned from the result. */
static pare_status look_for_more(pare_work *work, const pare_phase *phase, bool *more,
                                 pare_error *err)
{
    *more = work->rough && !work->plan.fixpoint;
    if (*more) work->rough = false;
    return puts_texts(phase->tree) ? forget_texts(work, more, err) : PARE_OK;
}

/* Parses and runs again until nothing changes, because leaving something out may have made a
 * different tree of the rest. Where the front end offers two sides of lists they take turns, and
 * both have to change nothing; what is repeated on the other side is answered by the cache.
 *
 * It ends: each success is smaller than the one before it in the order of text/order.h, and texts
 * are forgotten only after a success since they were learned. */
static pare_status run_tree_to_fixpoint(pare_work *work, const pare_phase *phase, pare_error *err)
{
    bool language = pare_front_end_has_sides(work->front);
    bool other = language && phase->trees == PARE_TREES_OTHER;
    if (!language && phase->trees == PARE_TREES_LANGUAGE) return PARE_OK;
    size_t n_sides = language && !other ? 2 : 1;
    size_t unchanged = 0;
    work->tree_kind = other ? PARE_FRONT_END_BRACKETS : PARE_FRONT_END_BEFORE;
    work->setup.candidates = work->plan.fixpoint ? CANDIDATES : 0;
    work->setup.own_symbol = !work->plan.fixpoint;
    /* Tokens are left out of play first (puts_texts). */
    work->rough = language && !other && !puts_texts(phase->tree) && !work->again;
    /* `unchanged` counts the sides, one after the other, on which nothing changed. */
    for (work->setup.shorter = false; unchanged < n_sides;) {
        uint64_t sideways = work->session.sideways;
        uint64_t before = pare_session_progress(&work->session);
        pare_status status = run_tree_round(work, phase->tree, err);
        if (status) return status;
        bool changed = pare_session_progress(&work->session) != before;
        /* The user asked for a single run, or this is a first look. */
        if (work->knobs.fixpoint == PARE_FIXPOINT_OFF || phase->once) return PARE_OK;
        bool moved = work->session.sideways != sideways;
        /* The run left the best for another text of the same size, so what was shown is not about
         * the best: another run has to show it, and takes shorter candidates only. */
        bool again = !changed && moved && !work->setup.shorter;
        work->setup.shorter = again;
        if (again) continue;
        unchanged = changed ? 0 : unchanged + 1;
        bool more = false;
        if (unchanged == n_sides) status = look_for_more(work, phase, &more, err);
        if (status) return status;
        if (more) unchanged = 0;
        if (n_sides == 2)
            work->tree_kind = work->tree_kind == PARE_FRONT_END_BEFORE ? PARE_FRONT_END_AFTER
                                                                       : PARE_FRONT_END_BEFORE;
    }
    return PARE_OK;
}

/* Keeps what recorded choices were reduced to.  `ran` is how the run of the strategy ended; the
 * generator may have been stopped before it. */
static pare_status take_choices(pare_work *work, const pare_strategy *choices, pare_status ran,
                                pare_error *err)
{
    pare_status status = pare_external_generator_take(
        work->recording, choices, work->session.options->output.choices_path, err);
    if (status || ran) return status ? status : ran;
    return pare_session_end(&work->session,
                            pare_external_generator_recording_stopped(work->recording));
}

/* Recorded choices, through the generator that they are of. */
static pare_status run_recording(pare_work *work, pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_status status =
        pare_session_begin_pass(&work->session, pare_plan_choices.name, work->recording->n, err);
    if (!status)
        status = pare_external_generator_strategy(
            work->recording, work->session.options->events.stop,
            pare_session_deadline_ms(&work->session), &strategy, err);
    if (!status) status = pare_session_run_keeping(&work->session, &strategy, err);
    if (!pare_run_error(status)) status = take_choices(work, strategy, status, err);
    pare_strategy_free(strategy);
    return status;
}

/* The bytes of the file as choices. */
static pare_status run_view_choices(pare_work *work, const pare_view *view, pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_span bytes = pare_reducible_ranges_bytes(view);
    pare_status status =
        pare_session_begin_pass(&work->session, pare_plan_choices.name, bytes.size, err);
    if (!status) status = pare_choice_reduction_of_bytes(bytes.bytes, bytes.size, &strategy, err);
    return status ? status : pare_session_run(&work->session, strategy, err);
}

/* Says what the members came to, and keeps the choices, where some were recorded. */
static pare_status end_portfolio(pare_work *work, const pare_strategy *portfolio, pare_status ran,
                                 pare_error *err)
{
    pare_buffer sentence = {0};
    const pare_strategy *choices = pare_portfolio_choices(portfolio);
    pare_status status = pare_buffer_text(&sentence, "portfolio, bytes left: ", err);
    if (!status) status = pare_portfolio_describe(portfolio, &sentence, err);
    if (!status) pare_event_notice(&work->session, sentence.data);
    pare_buffer_done(&sentence);
    if (status || !work->recording || !choices) return status ? status : ran;
    return take_choices(work, choices, ran, err);
}

/* The members look at the input as named algorithms do, not as the default: whole trees and all
 * candidates. */
static pare_status run_view_portfolio(pare_work *work, const pare_view *view, pare_error *err)
{
    pare_strategy *strategy = NULL;
    work->tree_kind = PARE_FRONT_END_BEFORE;
    work->rough = false;
    work->setup.candidates = 0;
    work->setup.own_symbol = true;
    pare_status status = pare_session_begin_pass(&work->session, pare_plan_portfolio.name,
                                                 pare_text_size(view->text), err);
    if (!status) status = pare_portfolio_new(work, view->text, &strategy, err);
    if (!status) status = pare_session_run_keeping(&work->session, &strategy, err);
    if (!pare_run_error(status)) status = end_portfolio(work, strategy, status, err);
    pare_strategy_free(strategy);
    return status;
}

/* Runs `phase`, which takes the only file as a whole. */
static pare_status run_whole_file(pare_work *work, const pare_phase *phase, pare_error *err)
{
    pare_view view;
    bool found;
    bool portfolio = phase->kind == PARE_PHASE_PORTFOLIO;
    if (work->recording && !portfolio) return run_recording(work, err);
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) {
        if (pare_reducible_ranges_bytes(&view).size != pare_text_size(view.text) || view.n)
            status =
                pare_fail(err, PARE_E_ARG, "'%s' needs a single file in which nothing is protected",
                          portfolio ? pare_plan_portfolio.name : pare_plan_choices.name);
        else
            status = portfolio ? run_view_portfolio(work, &view, err)
                               : run_view_choices(work, &view, err);
    }
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* The default leaves trees, of brackets too, of a large input to a later round, when lists
 * have made it small.  By its language a large program is worth its tree, which takes some sixty
 * times the memory of its text: without it most lines depend on others. */
static bool is_put_off(const pare_work *work, const pare_phase *phase)
{
    bool small = phase->kind == PARE_PHASE_UNITS || phase->kind == PARE_PHASE_SCOUT ||
                 phase->kind == PARE_PHASE_DEPENDENCY || phase->kind == PARE_PHASE_TABLE ||
                 phase->kind == PARE_PHASE_SSA || phase->kind == PARE_PHASE_BINARY ||
                 phase->kind == PARE_PHASE_STRUCTURE;
    if (small || !work->plan.fixpoint || work->again) return false;
    bool by_language = phase->kind == PARE_PHASE_TREE && phase->trees == PARE_TREES_LANGUAGE;
    return work->file_bytes > (by_language ? LANGUAGE_TREE_BYTES : TREE_BYTES);
}

/* What is put off counts as neither run nor idle: work->put_off has the schedule come back to
 * it. */
pare_status pare_phase_run(pare_work *work, const pare_phase *phase, pare_error *err)
{
    if (is_put_off(work, phase)) {
        work->put_off = true;
        return PARE_OK;
    }
    switch (phase->kind) {
    case PARE_PHASE_TREE: return run_tree_to_fixpoint(work, phase, err);
    case PARE_PHASE_UNITS: return run_over_units(work, phase, err);
    case PARE_PHASE_DEPENDENCY: return run_dependency(work, err);
    case PARE_PHASE_SCOUT: return run_scout(work, err);
    case PARE_PHASE_TABLE: return pare_format_phases_table(work, err);
    case PARE_PHASE_SSA: return pare_format_phases_instructions(work, err);
    case PARE_PHASE_STRUCTURE: return pare_format_phases_structure(work, err);
    case PARE_PHASE_COVERAGE: return pare_coverage_phase_run(work, phase, err);
    case PARE_PHASE_SEMANTIC: return pare_semantic_phase_run(work, NULL, NULL, err);
    case PARE_PHASE_BINARY: return pare_format_phases_binary(work, err);
    case PARE_PHASE_PASS: return pare_phase_run_pass(work, phase->pass, NULL, NULL, err);
    case PARE_PHASE_CHOICES:
    case PARE_PHASE_PORTFOLIO: return run_whole_file(work, phase, err);
    case PARE_PHASE_OWN: return pare_own_phase_run(work, phase, err);
    case PARE_PHASE_LEVELS: break;
    }
    return run_levels(work, phase, err);
}

/* ---- passes ------------------------------------------------------------------------- */

enum {
    MANY_PATCHES =
        64 /* patches; a pool of fewer is done as soon one after the other, speculated, and
                 where few are left it matters which goes first (docs/design/parallel.md) */
};

/* A pass says in its table how its patches depend on each other; the engine knows pools, and no
 * passes. */
static pare_pool_options options_of(const pare_pass *pass)
{
    return (pare_pool_options){.order = pass->order == PARE_PASS_LISTED ? PARE_POOL_LISTED
                                                                        : PARE_POOL_LARGEST,
                               .together = pass->group == PARE_PASS_TOGETHER,
                               .group = pass->group == PARE_PASS_ALONE ? 1 : 0,
                               .shorter = pass->claim != PARE_PASS_ANY,
                               .many = MANY_PATCHES};
}

/* What a candidate of a pass has to get through before it is tested. */
struct filter {
    pare_guarded guarded;
    pare_admits admits; /* by what is protected; NULL: nothing is */
    const pare_work *work;
};

/* A pare_admits that joins two filters: edits that were in vain before, and losses of protected
 * text. */
static pare_status is_worth_trying(const void *context, const pare_candidate *candidate, bool *yes,
                                   pare_error *err)
{
    const struct filter *filter = context;
    pare_status status = pare_engine_is_new_edit(filter->work->session.engine, candidate, yes, err);
    if (status || !*yes || !filter->admits) return status;
    return filter->admits(&filter->guarded, candidate, yes, err);
}

/* Asks the pass once what it offers for the text as it is, and tests that. */
static pare_status run_once(pare_work *work, const pare_pass *pass, const pare_view *view,
                            const pare_early_stop_terms *terms, pare_error *err)
{
    pare_patches *patches = NULL;
    struct filter filter = {.work = work};
    pare_pool_options options = options_of(pass);
    options.terms = terms;
    /* A pass proposes what it likes, as a tree does. */
    /* A pass knows nothing of protected text, so its candidates are filtered. */
    filter.admits = pare_reducible_ranges_admits(&work->ranges, view, &filter.guarded);
    options.admits = leaves_out_vain(work) ? is_worth_trying : filter.admits;
    options.context = leaves_out_vain(work) ? (const void *)&filter : &filter.guarded;
    pare_status status = pare_phase_input_offer(work, pass, view, &patches, err);
    if (!status && patches->n) {
        status = pare_session_begin_pass(&work->session, pass->name, patches->n, err);
        if (!status) status = pare_session_run_pool(&work->session, patches, &options, err);
    }
    pare_patches_unref(patches);
    return status;
}

/* A patch is about the text that it was made of, so after each success the pass looks at the new
 * text; a pass that is run once leaves that to its next turn. */
pare_status pare_phase_run_pass(pare_work *work, const pare_pass *pass,
                                const pare_early_stop_terms *terms, bool *whole, pare_error *err)
{
    for (;;) {
        pare_view view;
        bool found;
        uint64_t before = pare_session_progress(&work->session);
        pare_status status = pare_phase_input_view(work, &view, &found, err);
        if (!status && found) status = run_once(work, pass, &view, terms, err);
        pare_reducible_ranges_close_view(&view);
        bool changed = pare_session_progress(&work->session) != before;
        /* By terms a pass may have been set aside early, which only the engine knows: so it
         * counts as not whole. */
        if (whole) *whole = !terms;
        if (status) return status;
        if (!changed || pass->repeat == PARE_PASS_ONCE) return PARE_OK;
    }
}

/* When a learned count saves much: a stretch that it offers alone (the largest is an eighth of what
 * is counted) has at least one of MUCH bytes of the text, and the number that counts stands within
 * the first of HEAD bytes. The second condition is there because among all the numbers of a text
 * one counts what follows it by accident. */
enum { MUCH = 12, HEAD = 64 };

/* Whether some patch of the pass, or with `together` all of them at once, saves a good part of the
 * text. Costs a look at the text, and no test. */
pare_status pare_phase_saves_much(pare_work *work, const pare_pass *pass, bool together, bool *much,
                                  pare_error *err)
{
    pare_patches *patches = NULL;
    pare_view view;
    bool found;
    const int64_t size = (int64_t)pare_engine_current(work->session.engine)->size;
    int64_t sum = 0;
    *much = false;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = pare_phase_input_offer(work, pass, &view, &patches, err);
    for (uint32_t i = 0; !status && patches && i < patches->n && !*much; i++) {
        sum += patches->patches[i].gain;
        *much = together ? sum >= size / MUCH + 1
                         : patches->patches[i].gain >= size / MUCH + 1 &&
                               pare_patch_changes(patches, i)->from <= size / HEAD;
    }
    pare_patches_unref(patches);
    pare_reducible_ranges_close_view(&view);
    return status;
}
