/* Names to phases. */
#include "pipeline/plan.h"

#include <string.h>

const pare_algorithm_info pare_plan_auto = {
    .name = "auto",
    .summary = "bracket groups by halving, their tree by perses, lines, tokens, characters, "
               "to a fixpoint",
    .source = "measured, see docs/default.md",
    .one_minimal = true};

const pare_unit_info pare_plan_bracket = {
    .name = "bracket", .summary = "groups in (), [], {} and what stands between, outermost first"};

static const char *const AUTO_UNITS = "bracket,tree,line,token,char";
static const char *const DEFAULT_UNITS = "line,token,char";

/* Halving finds the few units that matter among many in the fewest tests; run growth
 * costs less where most matter, and finds all its questions answered by the cache once
 * nothing changes any more (docs/default.md). */
static const char *const AUTO_TREE = "perses";
static const char *const AUTO_COARSE = "quickxplain";
static const char *const AUTO_FINE = "adaptive";

/* Cuts the next name off a comma-separated list; false at its end. */
static bool next_name(const char **list, const char **name, size_t *size)
{
    if (!*list) return false;
    const char *comma = strchr(*list, ',');
    *name = *list;
    *size = comma ? (size_t)(comma - *list) : strlen(*list);
    *list = comma ? comma + 1 : NULL;
    return true;
}

static bool is(const char *name, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(name, word, size) == 0;
}

static const pare_tree_algorithm *find_tree_algorithm(const char *name, size_t size)
{
    size_t n;
    const pare_tree_algorithm *table = pare_tree_algorithms(&n);
    for (size_t i = 0; i < n; i++)
        if (is(name, size, table[i].info.name)) return &table[i];
    return NULL;
}

static pare_status find_algorithm(const char *name, size_t size, const pare_list_algorithm **found,
                                  pare_error *err)
{
    size_t n;
    const pare_list_algorithm *const *table = pare_list_algorithms(&n);
    for (size_t i = 0; i < n; i++) {
        if (!is(name, size, table[i]->info.name)) continue;
        *found = table[i];
        return PARE_OK;
    }
    return pare_fail(err, PARE_E_ARG, "there is no algorithm '%.*s'", (int)size, name);
}

static pare_status make_room(const pare_plan *plan, pare_error *err)
{
    if (plan->n_phases < PARE_PLAN_MAX_PHASES) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "more than %d phases", PARE_PLAN_MAX_PHASES);
}

static pare_status add_tree_phase(pare_plan *plan, const pare_tree_algorithm *tree, pare_error *err)
{
    pare_status status = make_room(plan, err);
    if (!status) plan->phases[plan->n_phases++] = (pare_phase){.tree = tree};
    return status;
}

/* Adds a phase; without an algorithm, the default's choice for that unit. */
static pare_status add_phase(pare_plan *plan, const pare_list_algorithm *algorithm,
                             const char *unit, size_t size, pare_error *err)
{
    if (!algorithm && is(unit, size, "tree"))
        return add_tree_phase(plan, pare_tree_algorithm_find(AUTO_TREE), err);
    const pare_splitter *splitter = NULL;
    const pare_list_algorithm *again = algorithm;
    size_t n;
    const pare_splitter *const *table = pare_splitters(&n);
    for (size_t i = 0; i < n; i++)
        if (is(unit, size, table[i]->info.name)) splitter = table[i];
    if (!splitter && !is(unit, size, pare_plan_bracket.name))
        return pare_fail(err, PARE_E_ARG, "there is no unit '%.*s'", (int)size, unit);
    pare_status status = make_room(plan, err);
    if (status) return status;
    if (!algorithm) {
        bool coarse = plan->n_phases == 0 || !splitter || is(unit, size, "line");
        algorithm = pare_list_algorithm_find(coarse ? AUTO_COARSE : AUTO_FINE);
        again = pare_list_algorithm_find(AUTO_FINE);
    }
    plan->phases[plan->n_phases++] =
        (pare_phase){.algorithm = algorithm, .again = again, .splitter = splitter};
    return PARE_OK;
}

static pare_status add_algorithm(pare_plan *plan, const char *name, size_t size, const char *units,
                                 pare_error *err)
{
    bool automatic = is(name, size, pare_plan_auto.name);
    const pare_list_algorithm *algorithm = NULL;
    const pare_tree_algorithm *tree = find_tree_algorithm(name, size);
    if (tree) return add_tree_phase(plan, tree, err);
    pare_status status = automatic ? PARE_OK : find_algorithm(name, size, &algorithm, err);
    const char *unit;
    size_t unit_size;
    if (automatic) plan->fixpoint = true;
    if (!units) units = automatic ? AUTO_UNITS : DEFAULT_UNITS;
    while (!status && next_name(&units, &unit, &unit_size))
        status = add_phase(plan, algorithm, unit, unit_size, err);
    return status;
}

pare_status pare_plan_make(const char *algorithms, const char *units, pare_plan *plan,
                           pare_error *err)
{
    const char *name;
    size_t size;
    if (!algorithms) algorithms = pare_plan_auto.name;
    *plan = (pare_plan){.n_phases = 0};
    while (next_name(&algorithms, &name, &size)) {
        pare_status status = add_algorithm(plan, name, size, units, err);
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
