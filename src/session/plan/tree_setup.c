/* From the names in the options to what the tree algorithms take: transformations, phases of
 * steps, the list algorithm for lists of nodes.
 *
 * All names are checked before the input is read, so that a wrong one costs no
 * test.  Transformations that the user did not name are those of each algorithm, so they are set
 * again for each phase. */
#include "session/plan/tree_setup.h"

#include "base/fail.h"
#include "reduce/tree/hdd.h"
#include "reduce/tree/transform.h"
#include "session/plan/plan.h"

static const pare_transform *find_transform(pare_word word)
{
    size_t n;
    const pare_transform *const *table = pare_transforms(&n);
    for (size_t i = 0; i < n; i++)
        if (pare_plan_word_is(word, table[i]->name)) return table[i];
    return NULL;
}

/* Reads the names in their order, which is that in which they are applied; "none" alone is the
 * empty list. */
static pare_status read_transforms(const char *list, pare_tree_setup *setup, pare_error *err)
{
    pare_word word;
    setup->n_transforms = 0;
    if (pare_plan_word_is((pare_word){"none", 4}, list)) return PARE_OK;
    while (pare_plan_next_word(&list, &word)) {
        const pare_transform *found = find_transform(word);
        if (!found)
            return pare_fail(err, PARE_E_ARG,
                             "there is no transformation '%.*s': remove-empty, flatten, squeeze, "
                             "hide, skip-space, or none alone",
                             (int)word.size, word.text);
        if (setup->n_transforms == PARE_TREE_MAX_TRANSFORMS)
            return pare_fail(err, PARE_E_ARG, "more than %d transformations",
                             PARE_TREE_MAX_TRANSFORMS);
        setup->transforms[setup->n_transforms++] = found;
    }
    return PARE_OK;
}

/* Reads the steps of one phase. */
static pare_status read_phase(const char *list, pare_hdd_phase *phase, pare_error *err)
{
    pare_word word;
    for (size_t n = 0; pare_plan_next_word(&list, &word); n++) {
        pare_hdd_step step = pare_hdd_step_find(word.text, word.size);
        if (step == PARE_HDD_END)
            return pare_fail(err, PARE_E_ARG, "there is no step '%.*s': a phase is made of %s",
                             (int)word.size, word.text, pare_hdd_step_names);
        if (n == PARE_HDD_MAX_STEPS)
            return pare_fail(err, PARE_E_ARG, "a phase has at most %d steps", PARE_HDD_MAX_STEPS);
        phase->steps[n] = step;
    }
    return PARE_OK;
}

static pare_status read_phases(const pare_tree_options *trees, pare_tree_setup *setup,
                               pare_error *err)
{
    pare_status status = PARE_OK;
    if (trees->n_phases > PARE_HDD_MAX_PHASES)
        return pare_fail(err, PARE_E_ARG, "more than %d tree phases", PARE_HDD_MAX_PHASES);
    for (size_t i = 0; !status && i < trees->n_phases; i++)
        status = read_phase(trees->phases[i], &setup->phases[i], err);
    setup->n_phases = trees->n_phases;
    return status;
}

pare_status pare_tree_setup_read(const pare_list_knobs *lists, const pare_tree_options *trees,
                                 pare_tree_setup *setup, pare_error *err)
{
    *setup = (pare_tree_setup){.knobs = *lists,
                               .traversal = trees->traversal,
                               .search = trees->search,
                               .combinations = trees->combinations,
                               .own_transforms = trees->transforms != NULL};
    if (trees->list) setup->list = pare_tree_algorithm_list(trees->list);
    if (trees->list && !setup->list)
        return pare_fail(err, PARE_E_ARG, "there is no list algorithm '%s'", trees->list);
    pare_status status =
        trees->transforms ? read_transforms(trees->transforms, setup, err) : PARE_OK;
    return status ? status : read_phases(trees, setup, err);
}

pare_status pare_tree_setup_for(pare_tree_setup *setup, const pare_tree_algorithm *algorithm,
                                pare_error *err)
{
    if (setup->own_transforms) return PARE_OK;
    return read_transforms(algorithm->transforms, setup, err);
}
