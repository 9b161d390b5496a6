/* The table of the tree algorithms, each with the options that its source gives it, and what a
 * run of one has shown about its result.
 *
 * A strategy knows its own options only (pare_hdd_options, pare_perses_options, ..); here the
 * one setup of the session is translated for each.  HDD, HDDr, Coarse HDD and GTR are one
 * strategy with different steps: the table says which, and that HDDr takes nodes in place of
 * levels. The claim at the end of a run is derived from what was tried, never asserted: an
 * algorithm that promises 1-tree-minimality promises it only for its own steps, list algorithm
 * and transformations. */
#include "reduce/tree/tree_algorithm.h"

#include <stdio.h>
#include <string.h>

#include "reduce/list/algorithms.h"
#include "reduce/tree/grabr.h"
#include "reduce/tree/hdd.h"
#include "reduce/tree/node_list.h"
#include "reduce/tree/tree.h"

/* The options of the hierarchical family: those of the setup, and where it is silent the
 * algorithm's. */
static pare_hdd_options hdd_options(const pare_tree_algorithm *self, const pare_tree_setup *setup)
{
    pare_hdd_options options = {.list = setup->list,
                                .knobs = setup->knobs,
                                .fixpoint = setup->knobs.fixpoint,
                                .by_node = self->uses & PARE_TREE_TRAVERSAL,
                                .traversal = setup->traversal,
                                .shorter = setup->shorter,
                                .templates = setup->templates,
                                .n_phases = setup->n_phases};
    memcpy(options.phases, setup->phases, sizeof options.phases);
    /* Without phases of the user the algorithm's own one runs. */
    if (options.n_phases) return options;
    options.phases[0] = self->phase;
    options.n_phases = 1;
    return options;
}

/* HDD, HDDr, Coarse HDD and GTR. */
static pare_status start_hdd(const pare_tree_algorithm *self, pare_tree *tree,
                             const pare_tree_setup *setup, pare_strategy **out, pare_error *err)
{
    pare_hdd_options options = hdd_options(self, setup);
    return pare_hdd_new(tree, &options, out, err);
}

/* How deep Perses searches is its tool's choice: no setup names it. */
static pare_status start_perses(const pare_tree_algorithm *self, pare_tree *tree,
                                const pare_tree_setup *setup, pare_strategy **out, pare_error *err)
{
    (void)self;
    pare_perses_options options = {.list = setup->list,
                                   .knobs = setup->knobs,
                                   .max_candidates = setup->candidates,
                                   .own_symbol = setup->own_symbol,
                                   .breadth = setup->search == PARE_SEARCH_BREADTH};
    return pare_perses_new(tree, &options, out, err);
}

/* The first look takes no options. */
static pare_status start_heavy_lists(const pare_tree_algorithm *self, pare_tree *tree,
                                     const pare_tree_setup *setup, pare_strategy **out,
                                     pare_error *err)
{
    (void)self;
    (void)setup;
    return pare_heavy_lists_new(tree, out, err);
}

/* Both variants differ in one option. */
static pare_status run_grabr(pare_tree *tree, const pare_tree_setup *setup, bool generate,
                             pare_strategy **out, pare_error *err)
{
    pare_grabr_options options = {
        .reductions = {.expansions = setup->expansions,
                       .all_combinations = setup->combinations == PARE_COMBINATIONS_ALL,
                       .generate = generate},
        .by_depth = setup->search != PARE_SEARCH_ALL};
    return pare_grabr_new(tree, &options, out, err);
}

/* GRABR with subtrees of the input only. */
static pare_status start_grabr(const pare_tree_algorithm *self, pare_tree *tree,
                               const pare_tree_setup *setup, pare_strategy **out, pare_error *err)
{
    (void)self;
    return run_grabr(tree, setup, false, out, err);
}

/* GRABR that also makes symbols which the input does not have. */
static pare_status start_generative(const pare_tree_algorithm *self, pare_tree *tree,
                                    const pare_tree_setup *setup, pare_strategy **out,
                                    pare_error *err)
{
    (void)self;
    return run_grabr(tree, setup, true, out, err);
}

/* Default transformations of algorithms that leave nodes out: squeeze and hide save them tests.
 * GRABR gets none of these, because it looks for its replacements among all nodes. */
static const char SQUEEZE_HIDE[] = "squeeze,hide";
static const char NONE[] = "none";

/* A new algorithm takes a row here and a `start` that translates the setup into its own options.
 * `uses` says which options make a difference, so that those without effect can be told to the
 * user. */
static const pare_tree_algorithm table[] = {
    {.info = {.name = "hdd",
              .summary = "delta debugging on each level of the tree, from the root",
              .source = "Misherghi and Su, ICSE 2006; Hodován and Kiss, A-TEST 2016",
              .one_minimal = true,
              .on_trees = true},
     .uses = PARE_TREE_LISTS | PARE_TREE_PHASES,
     .transforms = SQUEEZE_HIDE,
     .list = &pare_list_ddmin,
     .phase = {{PARE_HDD_PRUNE}},
     .start = start_hdd},
    {.info = {.name = "hddr",
              .summary = "hdd node by node: the children of one node at a time",
              .source = "Hodován and Kiss, A-TEST 2016 (Picireny)",
              .one_minimal = true,
              .on_trees = true},
     .uses = PARE_TREE_LISTS | PARE_TREE_PHASES | PARE_TREE_TRAVERSAL,
     .transforms = SQUEEZE_HIDE,
     .list = &pare_list_ddmin,
     .phase = {{PARE_HDD_PRUNE}},
     .start = start_hdd},
    {.info = {.name = "coarse-hdd",
              .summary = "hdd on the nodes that can be removed entirely: far fewer tests",
              .source = "Hodován, Kiss and Gyimóthy, ICSME 2017",
              .on_trees = true},
     .uses = PARE_TREE_LISTS,
     .transforms = SQUEEZE_HIDE,
     .list = &pare_list_ddmin,
     .phase = {{PARE_HDD_COARSE}},
     .start = start_hdd},
    {.info = {.name = "perses",
              .summary =
                  "heaviest node first: shortens lists, replaces nodes by compatible descendants",
              .source = "Sun, Li, Zhang, Gu and Su, ICSE 2018",
              .on_trees = true},
     .uses = PARE_TREE_LISTS | PARE_TREE_BREADTH,
     .transforms = SQUEEZE_HIDE,
     .list = &pare_list_halves,
     .start = start_perses},
    {.info = {.name = "gtr",
              .summary = "level by level: removes nodes, or replaces them by one of their children",
              .source = "Herfert, Patra and Pradel, ASE 2017",
              .on_trees = true},
     .uses = PARE_TREE_LISTS | PARE_TREE_TEMPLATES,
     .transforms = SQUEEZE_HIDE,
     .list = &pare_list_ddmin,
     .phase = {{PARE_HDD_DELETE, PARE_HDD_CHILD}},
     .start = start_hdd},
    {.info = {.name = "grabr",
              .summary = "replaces subtrees by smaller ones of the same symbol, found below them "
                         "or built by the grammar from subtrees of the input; needs --grammar",
              .source = "Zeller et al., The Fuzzing Book (GrammarReducer)",
              .on_trees = true},
     .uses = PARE_TREE_GRAMMAR,
     .transforms = NONE,
     .start = start_grabr},
    {.info = {.name = "grabr-generative",
              .summary = "grabr, which also makes the shortest text for what an expansion needs "
                         "and the input does not have",
              .source = "The Fuzzing Book, exercise 2",
              .on_trees = true},
     .uses = PARE_TREE_GRAMMAR,
     .transforms = NONE,
     .start = start_generative},
};

const pare_tree_algorithm pare_tree_heavy_lists = {
    .info = {.name = "heavy-lists",
             .summary = "removes elements of large lists, as long as that removes much",
             .source = "ours, after Sun et al., ICSE 2018, and Zhou et al., ICSE 2025",
             .on_trees = true},
    .transforms = SQUEEZE_HIDE,
    .start = start_heavy_lists};

enum { N_ALGORITHMS = sizeof table / sizeof *table };

/* The order of the table is the one that `--help` shows. */
const pare_tree_algorithm *pare_tree_algorithms(size_t *n)
{
    *n = N_ALGORITHMS;
    return table;
}

/* Names are those of the command line. */
const pare_tree_algorithm *pare_tree_algorithm_find(const char *name)
{
    for (size_t i = 0; i < N_ALGORITHMS; i++)
        if (strcmp(table[i].info.name, name) == 0) return &table[i];
    return NULL;
}

/* `halves` is only offered for lists of nodes, so the table of list algorithms does not have it. */
const pare_list_algorithm *pare_tree_algorithm_list(const char *name)
{
    if (strcmp(name, pare_list_halves.info.name) == 0) return &pare_list_halves;
    return pare_list_algorithm_find(name);
}

/* --- what a run has shown ---------------------------------------------------------------- */

/* Whether the phase has the step among its own. */
static bool has_step(const pare_hdd_phase *phase, pare_hdd_step step)
{
    for (size_t i = 0; i < PARE_HDD_MAX_STEPS; i++)
        if (phase->steps[i] == step) return true;
    return false;
}

/* Whether each node in play was tried with its minimal text.
 * Only the step PRUNE tries each node in play with its minimal text; the others leave nodes out
 * where the language allows, or put others in their place. */
static bool prunes(const pare_tree_algorithm *algorithm, const pare_tree_setup *setup)
{
    if (!(algorithm->uses & PARE_TREE_PHASES)) return false;
    if (!setup->n_phases) return has_step(&algorithm->phase, PARE_HDD_PRUNE);
    for (size_t i = 0; i < setup->n_phases; i++)
        if (has_step(&setup->phases[i], PARE_HDD_PRUNE)) return true;
    return false;
}

/* Whether the list algorithm tries each element by itself before it ends: in a run in which
 * nothing goes, halves gets down to each single one. */
static bool tries_each(const pare_list_algorithm *list)
{
    return list->info.one_minimal || list == &pare_list_halves;
}

/* Whether the tree was transformed by `by`. */
static bool transformed(const pare_tree_setup *setup, const pare_transform *by)
{
    for (size_t i = 0; i < setup->n_transforms; i++)
        if (setup->transforms[i] == by) return true;
    return false;
}

/* Rules without `minimal` know no texts; strict ones leave out those that they do not know. */
pare_tree_texts pare_tree_algorithm_texts(const pare_tree_rules *rules)
{
    if (!rules->minimal) return PARE_TEXTS_NONE;
    return rules->strict ? PARE_TEXTS_SOME : PARE_TEXTS_ALL;
}

/* The sentence names what was not tried: the root by HDDr, tokens without texts, white space
 * that was skipped.  It says nothing at all where a single node may have been missed. */
bool pare_tree_algorithm_claim(const pare_tree_algorithm *algorithm, const pare_tree_setup *setup,
                               pare_tree_texts texts, char sentence[static PARE_TREE_CLAIM_BYTES])
{
    static const char *const ways[] = {[PARE_TEXTS_NONE] = "be left out",
                                       [PARE_TEXTS_SOME] =
                                           "give way to the shortest text known for its place",
                                       [PARE_TEXTS_ALL] = "give way to a shorter text"};
    const pare_list_algorithm *list = setup->list ? setup->list : algorithm->list;
    sentence[0] = '\0';
    if (setup->knobs.fixpoint == PARE_FIXPOINT_OFF || !prunes(algorithm, setup)) return false;
    if (!tries_each(list)) return false;
    bool below = algorithm->uses & PARE_TREE_TRAVERSAL; /* HDDr does not try the root */
    (void)snprintf(sentence, PARE_TREE_CLAIM_BYTES, "no single node of the %s%s can %s%s%s",
                   transformed(setup, &pare_transform_flatten) ? "flattened tree" : "tree",
                   below ? " below its root" : "", ways[texts],
                   texts == PARE_TEXTS_NONE ? "; tokens were not tried" : "",
                   transformed(setup, &pare_transform_skip_space) ? "; white space was not tried"
                                                                  : "");
    return true;
}
