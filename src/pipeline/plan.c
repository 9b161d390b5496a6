/* Names to phases. */
#include "pipeline/plan.h"

#include "pipeline/words.h"

const pare_algorithm_info pare_plan_auto = {
    .name = "auto",
    .summary = "the tree of the language by perses, bracket groups by halving, their tree, "
               "lines, tokens, characters, to a fixpoint",
    .source = "measured, see docs/default.md",
    .one_minimal = true};

const pare_unit_info pare_plan_bracket = {
    .name = "bracket", .summary = "groups in (), [], {} and what stands between, outermost first"};

static const char *const AUTO_UNITS = "language-tree,bracket,other-tree,line,token,char";
static const char *const DEFAULT_UNITS = "line,token,char";

/* Halving finds the few units that matter among many in the fewest tests; run growth
 * costs less where most matter, and finds all its questions answered by the cache once
 * nothing changes any more (docs/default.md). */
static const char *const AUTO_TREE = "perses";
static const char *const AUTO_COARSE = "quickxplain";
static const char *const AUTO_FINE = "adaptive";

static const pare_tree_algorithm *find_tree_algorithm(pare_word name)
{
    size_t n;
    const pare_tree_algorithm *table = pare_tree_algorithms(&n);
    for (size_t i = 0; i < n; i++)
        if (pare_word_is(name, table[i].info.name)) return &table[i];
    return NULL;
}

static pare_status find_algorithm(pare_word name, const pare_list_algorithm **found,
                                  pare_error *err)
{
    size_t n;
    const pare_list_algorithm *const *table = pare_list_algorithms(&n);
    for (size_t i = 0; i < n; i++) {
        if (!pare_word_is(name, table[i]->info.name)) continue;
        *found = table[i];
        return PARE_OK;
    }
    return pare_fail(err, PARE_E_ARG, "there is no algorithm '%.*s'", (int)name.size, name.text);
}

static pare_status make_room(const pare_plan *plan, pare_error *err)
{
    if (plan->n_phases < PARE_PLAN_MAX_PHASES) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "more than %d phases", PARE_PLAN_MAX_PHASES);
}

static pare_status add_tree_phase(pare_plan *plan, const pare_tree_algorithm *tree,
                                  pare_phase_trees trees, pare_error *err)
{
    pare_status status = make_room(plan, err);
    if (!status) plan->phases[plan->n_phases++] = (pare_phase){.tree = tree, .trees = trees};
    return status;
}

/* Whether the default's unit is a tree, and which. */
static bool is_tree(pare_word unit, pare_phase_trees *trees)
{
    static const char *const names[] = {[PARE_TREES_ANY] = "tree",
                                        [PARE_TREES_LANGUAGE] = "language-tree",
                                        [PARE_TREES_OTHER] = "other-tree"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!pare_word_is(unit, names[i])) continue;
        *trees = (pare_phase_trees)i;
        return true;
    }
    return false;
}

/* Adds a phase; without an algorithm, the default's choice for that unit. */
static pare_status add_phase(pare_plan *plan, const pare_list_algorithm *algorithm, pare_word unit,
                             pare_error *err)
{
    pare_phase_trees trees;
    if (!algorithm && is_tree(unit, &trees))
        return add_tree_phase(plan, pare_tree_algorithm_find(AUTO_TREE), trees, err);
    const pare_splitter *splitter = NULL;
    const pare_list_algorithm *again = algorithm;
    size_t n;
    const pare_splitter *const *table = pare_splitters(&n);
    for (size_t i = 0; i < n; i++)
        if (pare_word_is(unit, table[i]->info.name)) splitter = table[i];
    if (!splitter && !pare_word_is(unit, pare_plan_bracket.name))
        return pare_fail(err, PARE_E_ARG, "there is no unit '%.*s'", (int)unit.size, unit.text);
    pare_status status = make_room(plan, err);
    if (status) return status;
    if (!algorithm) {
        bool coarse = plan->n_phases == 0 || !splitter || pare_word_is(unit, "line");
        algorithm = pare_list_algorithm_find(coarse ? AUTO_COARSE : AUTO_FINE);
        again = pare_list_algorithm_find(AUTO_FINE);
    }
    plan->phases[plan->n_phases++] =
        (pare_phase){.algorithm = algorithm, .again = again, .splitter = splitter};
    return PARE_OK;
}

static pare_status add_algorithm(pare_plan *plan, pare_word name, const char *units,
                                 pare_error *err)
{
    bool automatic = pare_word_is(name, pare_plan_auto.name);
    const pare_list_algorithm *algorithm = NULL;
    const pare_tree_algorithm *tree = find_tree_algorithm(name);
    if (tree) return add_tree_phase(plan, tree, PARE_TREES_ANY, err);
    pare_status status = automatic ? PARE_OK : find_algorithm(name, &algorithm, err);
    pare_word unit;
    if (automatic) plan->fixpoint = true;
    if (!units) units = automatic ? AUTO_UNITS : DEFAULT_UNITS;
    while (!status && pare_word_next(&units, &unit))
        status = add_phase(plan, algorithm, unit, err);
    return status;
}

pare_status pare_plan_make(const char *algorithms, const char *units, pare_plan *plan,
                           pare_error *err)
{
    pare_word name;
    if (!algorithms) algorithms = pare_plan_auto.name;
    *plan = (pare_plan){.n_phases = 0};
    while (pare_word_next(&algorithms, &name)) {
        pare_status status = add_algorithm(plan, name, units, err);
        if (status) return status;
    }
    return PARE_OK;
}

bool pare_plan_has_trees(const pare_plan *plan)
{
    for (size_t i = 0; i < plan->n_phases; i++)
        if (plan->phases[i].tree) return true;
    return false;
}

const char *pare_phase_unit(const pare_phase *phase)
{
    if (phase->tree) return "tree";
    return phase->splitter ? phase->splitter->info.name : pare_plan_bracket.name;
}
