/* Options that no algorithm of the plan looks at: a user who names one believes that it does
 * something, and should be told that it does not.
 *
 * Each algorithm says in its table which knobs it reads (PARE_KNOB_, PARE_TREE_); the union over
 * the phases is compared with what was given.  Passes and scouts read none. */
#include "session/plan/ignored_options.h"

#include "reduce/list/algorithms.h"
#include "reduce/tree/tree_algorithm.h"

#include <pare/algorithm.h>

/* What the phases of a plan use. */
struct used {
    unsigned knobs; /* PARE_KNOB_... */
    unsigned trees; /* PARE_TREE_... */
    bool any_tree, any_list;
    bool any_islands; /* a tree in which islands may be */
};

/* The union of what the phases read.  A list algorithm inside a tree algorithm reads knobs, too. */
static struct used used_by(const pare_plan *plan, const pare_tree_setup *setup)
{
    struct used used = {0};
    for (size_t i = 0; i < plan->n_phases; i++) {
        const pare_phase *phase = &plan->phases[i];
        if (phase->kind == PARE_PHASE_PASS || phase->kind == PARE_PHASE_SCOUT) continue;
        if (!phase->tree) {
            used.any_list = true;
            used.knobs |= phase->algorithm->knobs | phase->again->knobs;
            continue;
        }
        const pare_list_algorithm *list = setup->list ? setup->list : phase->tree->list;
        used.any_tree = true;
        if (!(phase->tree->uses & PARE_TREE_GRAMMAR)) used.any_islands = true;
        used.trees |= phase->tree->uses;
        if (phase->tree->uses & PARE_TREE_LISTS) used.knobs |= list->knobs;
    }
    return used;
}

pare_status pare_ignored_options_tell(const pare_ignored_options_given *given,
                                      const pare_plan *plan, const pare_tree_setup *setup,
                                      pare_buffer *sentence, pare_error *err)
{
    const pare_list_knobs *knobs = given->lists;
    const pare_tree_options *tree = given->trees;
    struct used used = used_by(plan, setup);
    const struct {
        const char *name;
        bool given, used;
    } all[] = {
        {"--unit", given->units, used.any_list},
        {"--lang", tree->language, used.any_tree},
        {"--grammar", tree->n_grammars > 0, used.any_tree},
        {"--island", tree->n_islands > 0, used.any_islands},
        {"--transform", tree->transforms, used.any_tree},
        {"--list-algorithm", tree->list, used.trees & PARE_TREE_LISTS},
        {"--phase", tree->n_phases > 0, used.trees & PARE_TREE_PHASES},
        {"--traversal", tree->traversal, used.trees & PARE_TREE_TRAVERSAL},
        {"--search", tree->search, used.trees & PARE_TREE_GRAMMAR},
        {"--combinations", tree->combinations, used.trees & PARE_TREE_GRAMMAR},
        {"--corpus", tree->n_corpus > 0, used.trees & PARE_TREE_TEMPLATES},
        {"--subsets", knobs->subsets, used.knobs & PARE_KNOB_SUBSETS},
        {"--order", knobs->order, used.knobs & PARE_KNOB_ORDER},
        {"--granularity", knobs->granularity, used.knobs & PARE_KNOB_GRANULARITY},
        {"--split", knobs->split, used.knobs & PARE_KNOB_SPLIT},
        {"--seed", knobs->seed, used.knobs & PARE_KNOB_SEED},
    };
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof all / sizeof *all; i++) {
        if (!all[i].given || all[i].used) continue;
        status = pare_buffer_format(sentence, err, "%s%s", sentence->size ? ", " : "", all[i].name);
    }
    if (status || !sentence->size) return status;
    return pare_buffer_format(sentence, err, ": without effect on the algorithms chosen");
}
