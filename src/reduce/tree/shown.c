/* Which nodes are in play, and what was tried with each. */
#include "reduce/tree/shown.h"

#include <stdio.h>

#include <pare/reduce.h>

#include "reduce/list/algorithm.h"
#include "reduce/tree/node_list.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/walk.h"

static bool has_step(const pare_walk_phase *phase, pare_walk_step step)
{
    for (size_t i = 0; i < PARE_WALK_MAX_STEPS; i++)
        if (phase->steps[i] == step) return true;
    return false;
}

static bool prunes(const pare_tree_algorithm *algorithm, const pare_tree_setup *setup)
{
    if (!(algorithm->uses & PARE_TREE_PHASES)) return false;
    if (!setup->n_phases) return has_step(&algorithm->phase, PARE_WALK_PRUNE);
    for (size_t i = 0; i < setup->n_phases; i++)
        if (has_step(&setup->phases[i], PARE_WALK_PRUNE)) return true;
    return false;
}

/* In a run in which nothing goes, halves gets down to each single element. */
static bool tries_each(const pare_list_algorithm *list)
{
    return list->info.one_minimal || list == &pare_list_halves;
}

static bool transformed(const pare_tree_setup *setup, const pare_tree_transform *by)
{
    for (size_t i = 0; i < setup->n_transforms; i++)
        if (setup->transforms[i] == by) return true;
    return false;
}

pare_tree_texts pare_tree_texts_of(const pare_tree_rules *rules)
{
    if (!rules->minimal) return PARE_TEXTS_NONE;
    return rules->strict ? PARE_TEXTS_SOME : PARE_TEXTS_ALL;
}

bool pare_tree_shown(const pare_tree_algorithm *algorithm, const pare_tree_setup *setup,
                     pare_tree_texts texts, char sentence[static PARE_TREE_SHOWN_BYTES])
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
    (void)snprintf(sentence, PARE_TREE_SHOWN_BYTES, "no single node of the %s%s can %s%s%s",
                   transformed(setup, &pare_flatten) ? "flattened tree" : "tree",
                   below ? " below its root" : "", ways[texts],
                   texts == PARE_TEXTS_NONE ? "; tokens were not tried" : "",
                   transformed(setup, &pare_skip_space) ? "; white space was not tried" : "");
    return true;
}
