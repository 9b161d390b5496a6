/* What a phase works on, made of the best text so far: one file of it, its units, its tree.
 *
 * The best is made flat first, so that units are slices of one block of bytes and nothing older
 * is kept in memory.  What is protected cuts units (reducible_ranges.h); a tree covers the whole
 * file, and its candidates are filtered instead.  Cost: O(bytes) each, a parse for a tree, and no
 * test. */
#include "session/plan/phase_input.h"

#include <stdio.h>

#include "base/fail.h"
#include "base/interrupt.h"
#include "engine/engine.h"
#include "parse/token_grammar.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/list/config.h"
#include "reduce/passes/seams.h"
#include "reduce/syntax/front_end.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/tree_algorithm.h"
#include "session/plan/plan.h"
#include "session/reducible_ranges.h"
#include "text/pattern.h"
#include "text/split/bracket.h"
#include "text/split/split.h"
#include "text/text.h"

/* The best is flattened here, once for each phase: what strategies borrow stays valid until the
 * next success. */
pare_status pare_phase_input_view(pare_work *work, pare_view *view, bool *found, pare_error *err)
{
    const pare_text *text = NULL;
    *view = (pare_view){.text = NULL};
    *found = false;
    pare_status status = pare_engine_settle(work->session.engine, &text, err);
    return status ? status
                  : pare_reducible_ranges_view(&work->ranges, text, work->file, view, found, err);
}

/* Splitters see the content of the file alone, from its first byte. */
pare_status pare_phase_input_cut(const pare_splitter *splitter, const pare_view *view,
                                 pare_unit_list **units, pare_error *err)
{
    pare_bounds bounds = {0};
    pare_span bytes = pare_reducible_ranges_bytes(view);
    pare_status status = splitter->split(bytes.bytes, bytes.size, &bounds, err);
    if (!status) status = pare_reducible_ranges_units(view, &bounds, units, err);
    pare_split_bounds_done(&bounds);
    return status;
}

/* The units of one level of brackets; *units stays NULL when there is no such level. */
pare_status pare_phase_input_cut_level(const pare_view *view, uint32_t level, pare_comma comma,
                                       pare_unit_list **units, pare_error *err)
{
    pare_bracket_tree tree = {0};
    pare_slices slices = {0};
    pare_span bytes = pare_reducible_ranges_bytes(view);
    pare_status status = pare_bracket_build(bytes.bytes, bytes.size, &tree, err);
    /* *units stays NULL below the last level, which ends the phase. */
    if (!status && level < tree.n_levels) {
        status = pare_bracket_level(&tree, level, &slices, err);
        if (!status) pare_bracket_join_segments(&slices, bytes.bytes, comma);
        if (!status) status = pare_reducible_ranges_units_gapped(view, &slices, units, err);
    }
    pare_bracket_slices_done(&slices);
    pare_bracket_done(&tree);
    return status;
}

/* The tree is made by the front end, which may answer from what it parsed last; transformations
 * make a new one of it, so the front end's stays as it is. */
pare_status pare_phase_input_tree(pare_work *work, const pare_tree_algorithm *algorithm,
                                  const pare_view *view, pare_tree **out, pare_error *err)
{
    pare_tree *tree = NULL;
    pare_tree_setup *setup = &work->setup;
    /* Algorithms that make trees by the host's grammar know no texts of embedded languages. */
    pare_front_end_view kind =
        algorithm->uses & PARE_TREE_GRAMMAR ? PARE_FRONT_END_HOST : work->tree_kind;
    pare_status status = pare_plan_set_transforms(setup, algorithm, err);
    if (!status)
        status = pare_front_end_tree(work->front, view->text,
                                     (pare_stretch){view->begin, view->end}, kind, &tree, err);
    /* While tokens are out of play no texts are put in, so that nodes need none: there are fewer
     * places and fewer candidates. */
    if (!status && work->rough && tree->rules.strict) {
        pare_front_end_forget_tree(work->front);
        pare_tree_forget_texts(tree);
    }
    if (!status) work->texts = pare_tree_algorithm_texts(&tree->rules);
    if (!status)
        status = pare_transform_run(tree, setup->transforms, setup->n_transforms, out, err);
    pare_tree_unref(tree);
    return status;
}

/* How many nodes the dependency graph has; 0: there is none. */
static pare_status count_declarations(pare_work *work, const pare_view *view, size_t *n,
                                      pare_error *err)
{
    pare_dependency *graph = NULL;
    pare_status status = pare_phase_input_dependency(work, view, &graph, err);
    if (graph) *n = pare_dependency_count(graph);
    pare_dependency_unref(graph);
    return status;
}

/* Units, or tokens of the tree; of phases without units the groups of the outermost brackets. */
static pare_status count(pare_work *work, const pare_phase *phase, const pare_view *view, size_t *n,
                         pare_error *err)
{
    pare_tree *tree = NULL;
    pare_unit_list *units = NULL;
    pare_status status;
    if (phase->kind == PARE_PHASE_DEPENDENCY) return count_declarations(work, view, n, err);
    if (phase->tree)
        status = pare_phase_input_tree(work, phase->tree, view, &tree, err);
    else if (phase->splitter)
        status = pare_phase_input_cut(phase->splitter, view, &units, err);
    else
        status = pare_phase_input_cut_level(view, 0, PARE_COMMA_AFTER, &units, err);
    if (!status && tree) *n = tree->nodes[0].n_tokens;
    /* Without brackets at this level there is nothing to count. */
    if (!status && !tree) *n = units ? units->n : 0;
    pare_tree_unref(tree);
    pare_config_units_unref(units);
    return status;
}

/* How many units the input or the result has, for the statistics that the user sees. */
pare_status pare_phase_input_count(pare_work *work, const pare_phase *phase, size_t *n,
                                   pare_error *err)
{
    pare_view view;
    bool found;
    *n = 0;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = count(work, phase, &view, n, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* ---- what a pass offers ---------------------------------------------------------------- */

enum { PASS_TREE_BYTES = 16 << 20 }; /* largest file of which a tree is made for passes */

/* The tree that passes see: by the language or grammar, where there is one that the text
 * mostly is in; NULL else. */
static pare_status make_tree(pare_work *work, const pare_view *view, pare_tree **tree,
                             pare_error *err)
{
    *tree = NULL;
    if (!pare_front_end_has_reader(work->front)) return PARE_OK;
    /* A tree of a larger file would take more memory than the pass is worth. */
    if (view->end - view->begin > PASS_TREE_BYTES) return PARE_OK;
    return pare_front_end_tree(work->front, view->text, (pare_stretch){view->begin, view->end},
                               PARE_FRONT_END_HOST, tree, err);
}

/* Remembers what stands side by side in the file, at the first look at it: that is nearest to the
 * input. */
static void learn_seams(pare_work *work, pare_pass_view *seen)
{
    seen->seams = &work->seams;
    if (work->seams_known && work->seams_file == work->file) return;
    pare_seams_learn(&work->seams, &seen->lexemes, seen->bytes);
    work->seams_file = work->file;
    work->seams_known = true;
}

/* Opens what passes see.
 * Without a language there is no tree, and the passes go by characters and brackets. */
pare_status pare_phase_input_pass_view(pare_work *work, const pare_view *view, pare_pass_view *seen,
                                       pare_tree **tree, pare_error *err)
{
    pare_token_grammar *rules = NULL;
    *seen = (pare_pass_view){.text = NULL};
    pare_status status = make_tree(work, view, tree, err);
    /* Borrowed from the front end, which remembers what it read of the grammar. */
    if (!status && *tree) status = pare_front_end_token_rules(work->front, &rules, err);
    const pare_pass_view given = {.text = view->text,
                                  .begin = view->begin,
                                  .end = view->end,
                                  .tree = *tree,
                                  .names = *tree ? pare_front_end_names(work->front) : NULL,
                                  .language =
                                      work->front ? pare_front_end_language(work->front) : NULL,
                                  .token_rules = rules};
    if (!status) status = pare_pass_view_open(&given, seen, err);
    if (!status) learn_seams(work, seen);
    return status;
}

/* Text in a file that is none: bytes from .. to. */
enum { TEXT_RUN_BYTES = 64 }; /* shorter ones are names and values */

/* The next run of printed bytes that is long enough, from `from` on; false: there is none. */
static bool find_text(const pare_view *view, size_t from, pare_stretch *found)
{
    const unsigned char *bytes = pare_text_bytes(view->text);
    size_t look = 0;
    for (size_t at = from; at < view->end && !pare_interrupt_asked_past(at, &look); at++) {
        const size_t begin = at;
        while (at < view->end &&
               ((bytes[at] >= ' ' && bytes[at] < 0x7f) || (bytes[at] >= '\t' && bytes[at] <= '\r')))
            at++;
        if (at - begin < TEXT_RUN_BYTES) continue;
        *found = (pare_stretch){begin, at};
        return true;
    }
    return false;
}

/* In a binary file a pass that works on text sees the text in it, and nothing else. */
static pare_status offer_in_texts(const pare_pass *pass, const pare_view *view,
                                  pare_patches **patches, pare_error *err)
{
    pare_stretch run = {0};
    pare_status status = pare_patches_new(view->text, patches, err);
    for (size_t at = view->begin; !status && find_text(view, at, &run); at = run.to) {
        const pare_pass_view given = {.text = view->text, .begin = run.from, .end = run.to};
        pare_pass_view seen = {.text = NULL};
        /* A pass that is too slow for so many bytes is not asked. */
        if (pass->most_bytes && run.to - run.from > pass->most_bytes) continue;
        status = pare_pass_view_open(&given, &seen, err);
        if (!status && (!pass->most_lexemes || seen.lexemes.n <= pass->most_lexemes))
            status = pass->offer(pass, &seen, *patches, err);
        pare_pass_view_close(&seen);
    }
    if (!status) status = pare_interrupt_look(err);
    if (status) {
        pare_patches_unref(*patches);
        *patches = NULL;
    }
    return status;
}

/* Asks the pass for what it offers for the file; a binary file is shown to a pass for
 * text only where there is text in it.
 * The tree lives as long as the offer. */
pare_status pare_phase_input_offer(pare_work *work, const pare_pass *pass, const pare_view *view,
                                   pare_patches **patches, pare_error *err)
{
    pare_tree *tree = NULL;
    pare_pass_view seen;
    const pare_span bytes = pare_reducible_ranges_bytes(view);
    if (!pass->any_bytes && pare_bytes_are_no_text(bytes.bytes, bytes.size))
        return offer_in_texts(pass, view, patches, err);
    pare_status status = pare_phase_input_pass_view(work, view, &seen, &tree, err);
    if (!status) status = pare_pass_offer(pass, &seen, patches, err);
    pare_pass_view_close(&seen);
    pare_tree_unref(tree);
    return status;
}

/* ---- the dependency graph -------------------------------------------------------------- */

/* A graph that is made from tokens needs no language to be added. */
pare_status pare_phase_input_dependency(pare_work *work, const pare_view *view,
                                        pare_dependency **out, pare_error *err)
{
    pare_tree *tree = NULL;
    pare_pass_view seen = {.text = view->text,
                           .bytes = pare_text_bytes(view->text),
                           .begin = view->begin,
                           .end = view->end,
                           .names = work->front ? pare_front_end_names(work->front) : NULL,
                           .language = work->front ? pare_front_end_language(work->front) : NULL};
    pare_status status = PARE_OK;
    bool known;
    /* Some languages have rules that need no tree, which saves the parse. */
    if (pare_dependency_needs_tree(seen.language)) status = make_tree(work, view, &tree, err);
    seen.tree = tree;
    if (!status) status = pare_dependency_make(&seen, &known, out, err);
    pare_tree_unref(tree);
    return status;
}

pare_status pare_phase_input_outline_view(pare_work *work, const pare_view *view,
                                          pare_pass_view *seen, pare_tree **tree, pare_error *err)
{
    const char *language = work->front ? pare_front_end_language(work->front) : NULL;
    *tree = NULL;
    /* Without rules for the language the file is a node of the folder's graph, and what
     * it declares is none. */
    if (!pare_dependency_needs_tree(language)) return PARE_OK;
    pare_status status = make_tree(work, view, tree, err);
    if (status || !*tree) return status;
    *seen = (pare_pass_view){.text = view->text,
                             .bytes = pare_text_bytes(view->text),
                             .begin = view->begin,
                             .end = view->end,
                             .tree = *tree,
                             .names = pare_front_end_names(work->front),
                             .language = language};
    return PARE_OK;
}
