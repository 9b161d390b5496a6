/* The table of the tree algorithms: each with the options that its source gives it, and
 * the list minimiser that its lists are reduced by. */
#include "tree/table.h"

#include <string.h>

#include "tree/gtr.h"
#include "tree/hdd.h"
#include "tree/hddr.h"
#include "tree/perses.h"

static pare_status start_hdd(pare_tree *tree, const pare_list_knobs *knobs, pare_strategy **out,
                             pare_error *err)
{
    pare_walk_options options = {.knobs = *knobs, .fixpoint = knobs->fixpoint};
    return pare_hdd_new(tree, &options, out, err);
}

static pare_status start_hddr(pare_tree *tree, const pare_list_knobs *knobs, pare_strategy **out,
                              pare_error *err)
{
    pare_walk_options options = {.knobs = *knobs, .fixpoint = knobs->fixpoint};
    return pare_hddr_new(tree, &options, out, err);
}

static pare_status start_coarse(pare_tree *tree, const pare_list_knobs *knobs, pare_strategy **out,
                                pare_error *err)
{
    pare_walk_options options = {.phases = {{.steps = {PARE_WALK_COARSE}}},
                                 .n_phases = 1,
                                 .knobs = *knobs,
                                 .fixpoint = knobs->fixpoint};
    return pare_hdd_new(tree, &options, out, err);
}

static pare_status start_perses(pare_tree *tree, const pare_list_knobs *knobs, pare_strategy **out,
                                pare_error *err)
{
    return pare_perses_new(tree, &(pare_perses_options){.knobs = *knobs}, out, err);
}

static pare_status start_gtr(pare_tree *tree, const pare_list_knobs *knobs, pare_strategy **out,
                             pare_error *err)
{
    pare_walk_options options = {.knobs = *knobs, .fixpoint = knobs->fixpoint};
    return pare_gtr_new(tree, &options, out, err);
}

static const pare_tree_algorithm table[] = {
    {.info = {.name = "hdd",
              .summary = "delta debugging of each level of the tree, from the root",
              .source = "Misherghi and Su, ICSE 2006; Hodován and Kiss, A-TEST 2016",
              .one_minimal = true,
              .on_trees = true},
     .start = start_hdd},
    {.info = {.name = "hddr",
              .summary = "hdd node by node: the children of one node at a time",
              .source = "Hodován and Kiss, A-TEST 2016 (Picireny)",
              .one_minimal = true,
              .on_trees = true},
     .start = start_hddr},
    {.info = {.name = "coarse-hdd",
              .summary = "hdd over the nodes that can go altogether: far fewer tests",
              .source = "Hodován, Kiss and Gyimóthy, ICSME 2017",
              .on_trees = true},
     .start = start_coarse},
    {.info = {.name = "perses",
              .summary = "heaviest node first: shorter lists, smaller subtrees that fit",
              .source = "Sun, Li, Zhang, Gu and Su, ICSE 2018",
              .on_trees = true},
     .start = start_perses},
    {.info = {.name = "gtr",
              .summary = "level by level: nodes go, or give way to one of their children",
              .source = "Herfert, Patra and Pradel, ASE 2017",
              .on_trees = true},
     .start = start_gtr},
};

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
