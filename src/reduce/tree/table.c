/* The table of the tree algorithms: each with the options that its source gives it, and
 * the list minimiser that its lists are reduced by. */
#include "reduce/tree/table.h"

#include <string.h>

#include "reduce/list/algorithm.h"
#include "reduce/list/algorithms.h"
#include "reduce/tree/grabr.h"
#include "reduce/tree/gtr.h"
#include "reduce/tree/hdd.h"
#include "reduce/tree/hddr.h"
#include "reduce/tree/heavy_lists.h"
#include "reduce/tree/node_list.h"
#include "reduce/tree/perses.h"
#include "reduce/tree/tree.h"

/* The options of a walk: those of the setup, and where it is silent the algorithm's. */
static pare_walk_options walk_options(const pare_tree_algorithm *self, const pare_tree_setup *setup)
{
    pare_walk_options options = {.list = setup->list,
                                 .knobs = setup->knobs,
                                 .fixpoint = setup->knobs.fixpoint,
                                 .traversal = setup->traversal,
                                 .shorter = setup->shorter,
                                 .templates = setup->templates,
                                 .n_phases = setup->n_phases};
    memcpy(options.phases, setup->phases, sizeof options.phases);
    if (options.n_phases) return options;
    options.phases[0] = self->phase;
    options.n_phases = 1;
    return options;
}

static pare_status start_levels(const pare_tree_algorithm *self, pare_tree *tree,
                                const pare_tree_setup *setup, pare_strategy **out, pare_error *err)
{
    pare_walk_options options = walk_options(self, setup);
    return pare_hdd_new(tree, &options, out, err);
}

static pare_status start_hddr(const pare_tree_algorithm *self, pare_tree *tree,
                              const pare_tree_setup *setup, pare_strategy **out, pare_error *err)
{
    pare_walk_options options = walk_options(self, setup);
    return pare_hddr_new(tree, &options, out, err);
}

static pare_status start_gtr(const pare_tree_algorithm *self, pare_tree *tree,
                             const pare_tree_setup *setup, pare_strategy **out, pare_error *err)
{
    pare_walk_options options = walk_options(self, setup);
    return pare_gtr_new(tree, &options, out, err);
}

static pare_status start_perses(const pare_tree_algorithm *self, pare_tree *tree,
                                const pare_tree_setup *setup, pare_strategy **out, pare_error *err)
{
    (void)self;
    pare_perses_options options = {.list = setup->list,
                                   .knobs = setup->knobs,
                                   .max_candidates = setup->candidates,
                                   .own_symbol = setup->own_symbol};
    return pare_perses_new(tree, &options, out, err);
}

static pare_status start_heavy_lists(const pare_tree_algorithm *self, pare_tree *tree,
                                     const pare_tree_setup *setup, pare_strategy **out,
                                     pare_error *err)
{
    (void)self;
    (void)setup;
    return pare_heavy_lists_new(tree, out, err);
}

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

static pare_status start_grabr(const pare_tree_algorithm *self, pare_tree *tree,
                               const pare_tree_setup *setup, pare_strategy **out, pare_error *err)
{
    (void)self;
    return run_grabr(tree, setup, false, out, err);
}

static pare_status start_generative(const pare_tree_algorithm *self, pare_tree *tree,
                                    const pare_tree_setup *setup, pare_strategy **out,
                                    pare_error *err)
{
    (void)self;
    return run_grabr(tree, setup, true, out, err);
}

/* Chains of single children and what cannot be made shorter are of no use to those that
 * leave nodes out; GRABR looks for its replacements among all nodes. */
static const char SQUEEZE_HIDE[] = "squeeze,hide";
static const char NONE[] = "none";

static const pare_tree_algorithm table[] = {
    {.info = {.name = "hdd",
              .summary = "delta debugging of each level of the tree, from the root",
              .source = "Misherghi and Su, ICSE 2006; Hodován and Kiss, A-TEST 2016",
              .one_minimal = true,
              .on_trees = true},
     .uses = PARE_TREE_LISTS | PARE_TREE_PHASES,
     .transforms = SQUEEZE_HIDE,
     .list = &pare_list_ddmin,
     .phase = {{PARE_WALK_PRUNE}},
     .start = start_levels},
    {.info = {.name = "hddr",
              .summary = "hdd node by node: the children of one node at a time",
              .source = "Hodován and Kiss, A-TEST 2016 (Picireny)",
              .one_minimal = true,
              .on_trees = true},
     .uses = PARE_TREE_LISTS | PARE_TREE_PHASES | PARE_TREE_TRAVERSAL,
     .transforms = SQUEEZE_HIDE,
     .list = &pare_list_ddmin,
     .phase = {{PARE_WALK_PRUNE}},
     .start = start_hddr},
    {.info = {.name = "coarse-hdd",
              .summary = "hdd over the nodes that can go altogether: far fewer tests",
              .source = "Hodován, Kiss and Gyimóthy, ICSME 2017",
              .on_trees = true},
     .uses = PARE_TREE_LISTS,
     .transforms = SQUEEZE_HIDE,
     .list = &pare_list_ddmin,
     .phase = {{PARE_WALK_COARSE}},
     .start = start_levels},
    {.info = {.name = "perses",
              .summary = "heaviest node first: shorter lists, smaller subtrees that fit",
              .source = "Sun, Li, Zhang, Gu and Su, ICSE 2018",
              .on_trees = true},
     .uses = PARE_TREE_LISTS,
     .transforms = SQUEEZE_HIDE,
     .list = &pare_list_halves,
     .start = start_perses},
    {.info = {.name = "gtr",
              .summary = "level by level: nodes go, or give way to one of their children",
              .source = "Herfert, Patra and Pradel, ASE 2017",
              .on_trees = true},
     .uses = PARE_TREE_LISTS | PARE_TREE_TEMPLATES,
     .transforms = SQUEEZE_HIDE,
     .list = &pare_list_ddmin,
     .phase = {{PARE_WALK_DELETE, PARE_WALK_CHILD}},
     .start = start_gtr},
    {.info = {.name = "grabr",
              .summary = "subtrees give way to smaller ones of their symbol, found below them or "
                         "built by the grammar from what is there; needs --grammar",
              .source = "Zeller et al., The Fuzzing Book (GrammarReducer)",
              .on_trees = true},
     .uses = PARE_TREE_GRAMMAR,
     .transforms = NONE,
     .start = start_grabr},
    {.info = {.name = "grabr-generative",
              .summary = "grabr, and what an expansion needs but the input does not have is made, "
                         "as short as can be",
              .source = "The Fuzzing Book, exercise 2",
              .on_trees = true},
     .uses = PARE_TREE_GRAMMAR,
     .transforms = NONE,
     .start = start_generative},
};

const pare_tree_algorithm pare_tree_heavy_lists = {
    .info = {.name = "heavy-lists",
             .summary = "elements of large lists, where they remove much",
             .source = "ours, after Sun et al., ICSE 2018, and Zhou et al., ICSE 2025",
             .on_trees = true},
    .transforms = SQUEEZE_HIDE,
    .start = start_heavy_lists};

enum { N_ALGORITHMS = sizeof table / sizeof *table };

const pare_tree_algorithm *pare_tree_algorithms(size_t *n)
{
    *n = N_ALGORITHMS;
    return table;
}

const pare_tree_algorithm *pare_tree_algorithm_find(const char *name)
{
    for (size_t i = 0; i < N_ALGORITHMS; i++)
        if (strcmp(table[i].info.name, name) == 0) return &table[i];
    return NULL;
}

const pare_list_algorithm *pare_tree_list_find(const char *name)
{
    if (strcmp(name, pare_list_halves.info.name) == 0) return &pare_list_halves;
    return pare_list_algorithm_find(name);
}
