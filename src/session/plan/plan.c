/* The plan: from the names in the options to phases and to the knobs of tree algorithms; the plan
 * of the default; and which options have no effect on it.
 *
 * All names are checked before the input is read, so that a wrong one costs no test.
 *
 * The default's phases stand in the order of their first run: coarse ones, which are run once and
 * make a large input small, then the others, whose order is only the beginning: after that what
 * each earns decides (schedule.c).  What they are expected to earn before they have run was
 * measured (prior.h). */

#include "session/plan/plan.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <pare/algorithm.h>
#include <pare/pare.h>

#include "base/fail.h"
#include "reduce/binding/program.h"
#include "reduce/list/algorithms.h"
#include "reduce/tree/hdd.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree_algorithm.h"
#include "session/plan/prior.h"
#include "text/split/split.h"

/* ---- names in lists ------------------------------------------------------------------- */

/* A word of a list in an option, whose words are separated by commas; not terminated, may be
 * empty. */
struct word {
    const char *text;
    size_t size;
};

/* Cuts the next word off *list, which is NULL after the last one; false there. */
static bool next_word(const char **list, struct word *word)
{
    if (!*list) return false;
    const char *comma = strchr(*list, ',');
    *word = (struct word){*list, comma ? (size_t)(comma - *list) : strlen(*list)};
    *list = comma ? comma + 1 : NULL;
    return true;
}

/* Whole words, and no abbreviations. */
static bool word_is(struct word word, const char *text)
{
    return strlen(text) == word.size && memcmp(word.text, text, word.size) == 0;
}

/* ---- phases -------------------------------------------------------------------------------- */

/* The default, as --list-algorithms describes it.  AUTO below has its phases; schedule.c decides
 * which of them comes next. */
const pare_algorithm_info pare_plan_auto = {
    .name = "auto",
    .summary = "perses on the tree of the language; bracket groups by halving, then as a tree; "
               "lines, tokens, characters; all to a fixpoint",
    .source = "measured, see docs/design/default.md",
    .one_minimal = true};

/* Not one_minimal: it ends as soon as it earns too little. */
const pare_algorithm_info pare_plan_dependency = {
    .name = "dependency",
    .summary =
        "removes declarations in closed sets: keeps what the failure needs, and what that needs",
    .source = "Kalhauge and Palsberg, \"Logical Bytecode Reduction\", PLDI 2021"};

/* One phase over the whole file, or over the choices that were recorded in its place. */
const pare_algorithm_info pare_plan_choices = {
    .name = "choices",
    .summary = "reduces the choices of a generator: fewer of them, then smaller ones",
    .source = "MacIver and Donaldson, \"Test-case reduction via test-case generation\", ECOOP 2020",
    .one_minimal = true,
    .on_choices = true};

/* Not one_minimal: members are stopped when another one has won, so none of them tries the result
 * to its end. */
const pare_algorithm_info pare_plan_portfolio = {
    .name = "portfolio",
    .summary = "reduces bytes, tree and, for generated inputs, choices side by side, in turns; "
               "keeps the smallest result",
    .source = "ours, see docs/guide/choices.md",
    .on_trees = true};

/* No splitter cuts these: they are cut level by level from what the level before has left
 * (phase.c). */
const pare_unit_info pare_plan_bracket = {
    .name = "bracket",
    .summary = "groups in (), [], {} and the text between them, outermost first"};

/* The units of list algorithms, if the user names none, coarse before fine. */
static const char *const DEFAULT_UNITS = "line,token,char";

/* Halving finds the few units that matter among many in the fewest tests; run growth
 * costs less where most matter, and finds all its questions answered by the cache once
 * nothing changes any more (docs/design/default.md). */
static const char *const AUTO_TREE = "perses";
static const char *const AUTO_COARSE = "group-testing";
static const char *const AUTO_FINE = "adaptive";

/* NULL: there is none of this name; it may be one of a list algorithm. */
static const pare_tree_algorithm *find_tree_algorithm(struct word name)
{
    size_t n;
    const pare_tree_algorithm *table = pare_tree_algorithms(&n);
    for (size_t i = 0; i < n; i++)
        if (word_is(name, table[i].info.name)) return &table[i];
    return NULL;
}

/* The list algorithm called `name`.  Tree algorithms are looked for before. */
static pare_status find_algorithm(struct word name, const pare_list_algorithm **found,
                                  pare_error *err)
{
    size_t n;
    const pare_list_algorithm *const *table = pare_list_algorithms(&n);
    for (size_t i = 0; i < n; i++) {
        if (!word_is(name, table[i]->info.name)) continue;
        *found = table[i];
        return PARE_OK;
    }
    return pare_fail(err, PARE_E_ARG, "unknown algorithm '%.*s'", (int)name.size, name.text);
}

/* Ninety-six phases are more than anybody names; a plan is a plain struct because of that, which
 * can be copied. */
static pare_status make_room(const pare_plan *plan, pare_error *err)
{
    if (plan->n_phases < PARE_PLAN_MAX_PHASES) return PARE_OK;
    return pare_fail(err, PARE_E_ARG, "more than %d phases", PARE_PLAN_MAX_PHASES);
}

/* A tree algorithm knows its units: they are nodes. */
static pare_status add_tree_phase(pare_plan *plan, const pare_tree_algorithm *tree,
                                  pare_phase_trees trees, pare_error *err)
{
    pare_status status = make_room(plan, err);
    if (!status)
        plan->phases[plan->n_phases++] =
            (pare_phase){.kind = PARE_PHASE_TREE, .tree = tree, .trees = trees};
    return status;
}

/* One phase of the default. */
struct default_phase {
    pare_phase_kind kind;
    bool coarse, once, text_only, then_names, if_small, if_read, if_much, patient, persistent,
        at_once, drivers, after_change;
    pare_phase_trees trees; /* TREE */
    const char *unit;       /* UNITS; PASS: its name, NULL: all the others */
    const char *first;      /* algorithm of a coarse run; NULL: AUTO_FINE's first pass */
};

static const struct default_phase AUTO[] = {
    {.kind = PARE_PHASE_BINARY, .coarse = true},
    /* If a number counts most of the text, hardly anything else can go before it is corrected. */
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .once = true,
     .text_only = true,
     .if_much = true,
     .unit = "counted"},
    {.kind = PARE_PHASE_TABLE, .coarse = true, .text_only = true},
    {.kind = PARE_PHASE_SSA, .coarse = true, .text_only = true},
    {.kind = PARE_PHASE_PASS, .coarse = true, .unit = "comments"},
    {.kind = PARE_PHASE_COVERAGE, .coarse = true, .text_only = true, .once = true},
    {.kind = PARE_PHASE_DEPENDENCY, .coarse = true, .once = true},
    /* Declarations that nothing mentions are found with fewer tests; what is mentioned and called
     * by a driver only is left. */
    {.kind = PARE_PHASE_COVERAGE, .coarse = true, .text_only = true, .once = true, .drivers = true},
    /* A condition in a circle of functions is what most of the rest is needed for; then nothing reaches it. */
    {.kind = PARE_PHASE_PASS, .coarse = true, .text_only = true, .unit = "recursion"},
    {.kind = PARE_PHASE_COVERAGE,
     .coarse = true,
     .text_only = true,
     .once = true,
     .after_change = true},
    /* A use can name another function only if nothing says that this one is for others. */
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .text_only = true,
     .persistent = true,
     .unit = "modifiers"},
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .text_only = true,
     .persistent = true,
     .unit = "redirect"},
    {.kind = PARE_PHASE_COVERAGE,
     .coarse = true,
     .text_only = true,
     .once = true,
     .after_change = true},
    /* Of many definitions that nothing leads to, blocks of lines would take each by itself. */
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .text_only = true,
     .if_much = true,
     .if_read = true,
     .at_once = true,
     .unit = "unused-definitions"},
    {.kind = PARE_PHASE_STRUCTURE, .coarse = true, .text_only = true},
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .text_only = true,
     .if_small = true,
     .unit = "short-names"},
    {.kind = PARE_PHASE_SCOUT, .coarse = true, .text_only = true, .once = true},
    {.kind = PARE_PHASE_TREE, .coarse = true, .trees = PARE_TREES_LANGUAGE, .once = true},
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .text_only = true,
     .persistent = true,
     .unit = "redirect"},
    {.kind = PARE_PHASE_SEMANTIC, .coarse = true, .then_names = true},
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .once = true,
     .text_only = true,
     .if_small = true,
     .if_read = true,
     .unit = "shorter-forms"},
    /* Deletions leave their blanks behind, which the passes below would remove one at a time. */
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .once = true,
     .text_only = true,
     .if_small = true,
     .if_read = true,
     .if_much = true,
     .unit = "white-space"},
    {.kind = PARE_PHASE_TREE, .coarse = true, .trees = PARE_TREES_LANGUAGE},
    {.kind = PARE_PHASE_PASS, .coarse = true, .text_only = true, .unit = "word-pieces"},
    {.kind = PARE_PHASE_PASS, .coarse = true, .text_only = true, .unit = "counted"},
    /* Level by level each definition that nothing leads to, and each of a chain, would cost a test. */
    {.kind = PARE_PHASE_PASS, .coarse = true, .text_only = true, .unit = "unused-definitions"},
    {.kind = PARE_PHASE_PASS, .coarse = true, .text_only = true, .unit = "redirect"},
    /* A column, a parameter: no bracket alone can lose it. */
    {.kind = PARE_PHASE_PASS, .coarse = true, .text_only = true, .unit = "arguments"},
    /* Operands are neither lines nor between commas; token by token each costs a test. */
    {.kind = PARE_PHASE_PASS, .coarse = true, .text_only = true, .patient = true, .unit = "chains"},
    {.kind = PARE_PHASE_LEVELS, .coarse = true, .text_only = true, .first = "group-testing"},
    {.kind = PARE_PHASE_PASS, .coarse = true, .patient = true, .unit = "inline-definitions"},
    {.kind = PARE_PHASE_PASS, .coarse = true, .unit = "redirect"},
    {.kind = PARE_PHASE_TREE, .coarse = true, .text_only = true, .trees = PARE_TREES_OTHER},
    {.kind = PARE_PHASE_UNITS,
     .coarse = true,
     .text_only = true,
     .unit = "line",
     .first = "group-testing"},
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .text_only = true,
     .if_small = true,
     .unit = "white-space"},
    /* Numbers, and what stands in several places, can be neither cut nor shortened token by token. */
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .text_only = true,
     .if_small = true,
     .unit = "numbers"},
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .text_only = true,
     .if_small = true,
     .patient = true,
     .unit = "repeats"},
    {.kind = PARE_PHASE_PASS, .coarse = true, .unit = "inline-values"},
    {.kind = PARE_PHASE_PASS, .coarse = true, .unit = "inline-calls"},
    {.kind = PARE_PHASE_UNITS, .coarse = true, .text_only = true, .unit = "token"},
    {.kind = PARE_PHASE_PASS,
     .coarse = true,
     .text_only = true,
     .if_small = true,
     .unit = "token-windows"},
    {.kind = PARE_PHASE_PASS}, /* all of them */
    {.kind = PARE_PHASE_UNITS, .unit = "char"},
};

/* Passes that try everything of a kind, at each place: most of what they find others find for
 * less. */
static const char *const EXHAUSTIVE[] = {"byte-windows", "token-patterns", "alternatives"};

/* Whether the pass is one of those. */
static bool is_exhaustive(const pare_pass *pass)
{
    for (size_t i = 0; i < sizeof EXHAUSTIVE / sizeof *EXHAUSTIVE; i++)
        if (strcmp(EXHAUSTIVE[i], pass->name) == 0) return true;
    return false;
}

/* The phase that a row of the table describes. */
static pare_phase make_default(const struct default_phase *given)
{
    /* Rows of the table name algorithms as the user would; they are looked up here, each time a
     * plan is made. */
    const pare_list_algorithm *fine = pare_list_algorithm_find(AUTO_FINE);
    pare_phase phase = {.kind = given->kind,
                        .coarse = given->coarse,
                        .text_only = given->text_only,
                        .once = given->once,
                        .then_names = given->then_names,
                        .if_small = given->if_small,
                        .if_read = given->if_read,
                        .if_much = given->if_much,
                        .patient = given->patient,
                        .persistent = given->persistent,
                        .at_once = given->at_once,
                        .drivers = given->drivers,
                        .after_change = given->after_change};
    /* A pass is in one of two tables: those that work on text, and those that know names. */
    if (given->kind == PARE_PHASE_PASS) {
        phase.pass = pare_pass_find(given->unit);
        if (!phase.pass) phase.pass = pare_program_pass_find(given->unit);
        return phase;
    }
    /* The first look at a tree is by lists of its heaviest nodes, which makes a large tree small
     * in few tests. */
    if (given->kind == PARE_PHASE_TREE) {
        phase.tree = given->once ? &pare_tree_heavy_lists : pare_tree_algorithm_find(AUTO_TREE);
        phase.trees = given->trees;
        return phase;
    }
    if (given->kind == PARE_PHASE_SCOUT || given->kind == PARE_PHASE_DEPENDENCY ||
        given->kind == PARE_PHASE_STRUCTURE || given->kind == PARE_PHASE_TABLE ||
        given->kind == PARE_PHASE_SSA || given->kind == PARE_PHASE_COVERAGE ||
        given->kind == PARE_PHASE_SEMANTIC || given->kind == PARE_PHASE_BINARY)
        return phase;
    phase.algorithm =
        given->first ? pare_list_algorithm_find(given->first) : &pare_list_adaptive_once;
    if (!given->coarse) phase.algorithm = fine;
    /* Later rounds find little, whatever the first one ran, so they all use the fine
     * algorithm. */
    phase.again = fine;
    if (given->unit) phase.splitter = pare_splitter_find(given->unit);
    return phase;
}

/* The default has some passes among its coarse phases already. */
static bool has_pass(const pare_plan *plan, const pare_pass *pass)
{
    for (size_t i = 0; i < plan->n_phases; i++)
        if (plan->phases[i].pass == pass) return true;
    return false;
}

/* Adds a phase for each of `n` passes but those that are there already, and those that may
 * grow the text. */
static pare_status add_table(pare_plan *plan, const pare_pass *const *passes, size_t n,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++) {
        /* Passes that may grow the text are for uphill searches (local_minimum.c). */
        if (passes[i]->claim == PARE_PASS_ANY || has_pass(plan, passes[i])) continue;
        status = make_room(plan, err);
        if (!status)
            plan->phases[plan->n_phases++] =
                (pare_phase){.kind = PARE_PHASE_PASS,
                             .pass = passes[i],
                             .names = pare_program_pass_find(passes[i]->name) != NULL,
                             .exhaustive = is_exhaustive(passes[i])};
    }
    return status;
}

/* The order matters only between phases that promise the same: there the passes that look at
 * names go first. */
static pare_status add_passes(pare_plan *plan, pare_error *err)
{
    size_t n_names, n;
    const pare_pass *const *names = pare_program_passes(&n_names);
    const pare_pass *const *passes = pare_pass_table(&n);
    pare_status status = add_table(plan, names, n_names, err);
    return status ? status : add_table(plan, passes, n, err);
}

/* Adds the phases of the default in the order of their first run. */
static pare_status add_defaults(pare_plan *plan, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof AUTO / sizeof *AUTO; i++) {
        if (AUTO[i].kind == PARE_PHASE_PASS && !AUTO[i].unit) {
            status = add_passes(plan, err);
            continue;
        }
        status = make_room(plan, err);
        if (!status) plan->phases[plan->n_phases++] = make_default(&AUTO[i]);
    }
    for (size_t i = 0; i < plan->n_phases; i++)
        plan->phases[i].prior = pare_prior_find(pare_plan_unit(&plan->phases[i]));
    return status;
}

/* Adds a phase over `unit`; without an algorithm, the default's choice for it. */
static pare_status add_phase(pare_plan *plan, const pare_list_algorithm *algorithm,
                             struct word unit, pare_error *err)
{
    const pare_splitter *splitter = NULL;
    const pare_list_algorithm *again = algorithm;
    size_t n;
    const pare_splitter *const *table = pare_splitters(&n);
    for (size_t i = 0; i < n; i++)
        if (word_is(unit, table[i]->info.name)) splitter = table[i];
    if (!splitter && !word_is(unit, pare_plan_bracket.name))
        return pare_fail(err, PARE_E_ARG, "unknown unit '%.*s'", (int)unit.size, unit.text);
    pare_status status = make_room(plan, err);
    if (status) return status;
    if (!algorithm) {
        /* The first phase of a plan meets the whole input, as brackets and lines do: halving is
         * made for that. */
        bool coarse = plan->n_phases == 0 || !splitter || word_is(unit, "line");
        algorithm = pare_list_algorithm_find(coarse ? AUTO_COARSE : AUTO_FINE);
        again = pare_list_algorithm_find(AUTO_FINE);
    }
    plan->phases[plan->n_phases++] =
        (pare_phase){.kind = splitter ? PARE_PHASE_UNITS : PARE_PHASE_LEVELS,
                     .algorithm = algorithm,
                     .again = again,
                     .splitter = splitter};
    return PARE_OK;
}

/* Adds a phase over the whole file; it is named and counted like a list of bytes. */
static pare_status add_whole(pare_plan *plan, pare_phase_kind kind, pare_error *err)
{
    static const struct word byte = {.text = "byte", .size = 4};
    pare_status status = add_phase(plan, pare_list_algorithm_find(AUTO_FINE), byte, err);
    if (!status) plan->phases[plan->n_phases - 1].kind = kind;
    return status;
}

/* Adds the phases of a named algorithm: one for each kind of units, or one for a tree. */
static pare_status add_algorithm(pare_plan *plan, struct word name, const char *units,
                                 pare_error *err)
{
    /* With units of the user's, "auto" is not the default plan but a fixpoint of lists over those
     * units. */
    bool automatic = word_is(name, pare_plan_auto.name);
    const pare_list_algorithm *algorithm = NULL;
    const pare_tree_algorithm *tree = find_tree_algorithm(name);
    /* No name is in both tables, so it does not matter which is asked first. */
    if (tree) return add_tree_phase(plan, tree, PARE_TREES_ANY, err);
    if (word_is(name, pare_plan_dependency.name)) {
        pare_status status = make_room(plan, err);
        if (!status) plan->phases[plan->n_phases++] = (pare_phase){.kind = PARE_PHASE_DEPENDENCY};
        return status;
    }
    if (word_is(name, pare_plan_choices.name)) return add_whole(plan, PARE_PHASE_CHOICES, err);
    if (word_is(name, pare_plan_portfolio.name)) return add_whole(plan, PARE_PHASE_PORTFOLIO, err);
    /* NULL is the default's choice for each kind of units (add_phase). */
    pare_status status = automatic ? PARE_OK : find_algorithm(name, &algorithm, err);
    struct word unit;
    if (automatic) plan->fixpoint = true;
    if (automatic && !units) return add_defaults(plan, err);
    if (!units) units = DEFAULT_UNITS;
    while (!status && next_word(&units, &unit))
        status = add_phase(plan, algorithm, unit, err);
    return status;
}

/* Whether the phase has what its kind needs. */
static bool is_whole(const pare_phase *phase)
{
    switch (phase->kind) {
    case PARE_PHASE_TREE: return phase->tree != NULL;
    case PARE_PHASE_PASS: return phase->pass != NULL;
    case PARE_PHASE_COVERAGE:
    case PARE_PHASE_SEMANTIC:
    case PARE_PHASE_BINARY:
    case PARE_PHASE_DEPENDENCY:
    case PARE_PHASE_TABLE:
    case PARE_PHASE_SSA:
    case PARE_PHASE_STRUCTURE:
    case PARE_PHASE_SCOUT: return true;
    case PARE_PHASE_LEVELS: return phase->algorithm && phase->again;
    case PARE_PHASE_UNITS:
    case PARE_PHASE_CHOICES:
    case PARE_PHASE_OWN:
    case PARE_PHASE_PORTFOLIO: break;
    }
    return phase->algorithm && phase->again && phase->splitter;
}

/* Called after a plan was made, and before it is run. */
bool pare_plan_check(const pare_plan *plan)
{
    if (!plan->n_phases || plan->n_phases > PARE_PLAN_MAX_PHASES) return false;
    for (size_t i = 0; i < plan->n_phases; i++)
        if (!is_whole(&plan->phases[i])) return false;
    return true;
}

/* The names are cut from the list one by one; an empty one is unknown like any other. */
pare_status pare_plan_make(const char *algorithms, const char *units, pare_plan *plan,
                           pare_error *err)
{
    struct word name;
    if (!algorithms) algorithms = pare_plan_auto.name;
    *plan = (pare_plan){.n_phases = 0};
    while (next_word(&algorithms, &name)) {
        pare_status status = add_algorithm(plan, name, units, err);
        if (status) return status;
    }
    assert(pare_plan_check(plan));
    return PARE_OK;
}

/* Nesting is not known to an algorithm that gets a list. */
pare_status pare_plan_make_own(const char *units, pare_plan *plan, pare_error *err)
{
    struct word unit;
    pare_status status = PARE_OK;
    *plan = (pare_plan){.n_phases = 0};
    if (!units) units = DEFAULT_UNITS;
    while (!status && next_word(&units, &unit)) {
        status = add_phase(plan, pare_list_algorithm_find(AUTO_FINE), unit, err);
        if (status) break;
        pare_phase *phase = &plan->phases[plan->n_phases - 1];
        phase->kind = PARE_PHASE_OWN;
        if (!phase->splitter)
            status = pare_fail(
                err, PARE_E_ARG,
                "your own algorithm needs a list of units: byte, char, line or token, not '%s'",
                pare_plan_bracket.name);
    }
    assert(status || pare_plan_check(plan));
    return status;
}

/* A portfolio has a tree among its members. */
bool pare_plan_has_trees(const pare_plan *plan)
{
    for (size_t i = 0; i < plan->n_phases; i++)
        if (plan->phases[i].kind == PARE_PHASE_TREE ||
            plan->phases[i].kind == PARE_PHASE_DEPENDENCY ||
            plan->phases[i].kind == PARE_PHASE_PORTFOLIO)
            return true;
    return false;
}

/* Choices are read from bytes, so a list of elements has none. */
bool pare_plan_has_choices(const pare_plan *plan)
{
    for (size_t i = 0; i < plan->n_phases; i++)
        if (plan->phases[i].kind == PARE_PHASE_CHOICES ||
            plan->phases[i].kind == PARE_PHASE_PORTFOLIO)
            return true;
    return false;
}

/* As it stands in the names of passes and in the claim of minimality. */
const char *pare_plan_unit(const pare_phase *phase)
{
    switch (phase->kind) {
    case PARE_PHASE_TREE: return "tree";
    case PARE_PHASE_DEPENDENCY: return "declaration";
    case PARE_PHASE_UNITS: return phase->splitter->info.name;
    case PARE_PHASE_PASS: return phase->pass->name;
    case PARE_PHASE_COVERAGE: return "coverage";
    case PARE_PHASE_STRUCTURE: return "structure";
    case PARE_PHASE_TABLE: return "table";
    case PARE_PHASE_SSA: return "instructions";
    case PARE_PHASE_SEMANTIC: return "semantic";
    case PARE_PHASE_BINARY: return "chunks";
    case PARE_PHASE_CHOICES:
    case PARE_PHASE_OWN:
    case PARE_PHASE_PORTFOLIO: return phase->splitter->info.name;
    case PARE_PHASE_LEVELS:
    case PARE_PHASE_SCOUT: break;
    }
    return pare_plan_bracket.name;
}

/* The name by which the phase announces itself (session/plan/phase.c), if all of its passes share
 * one. */
void pare_plan_phase_name(const pare_phase *phase, bool again, char name[static 64])
{
    const char *algorithm = NULL;
    name[0] = '\0';
    if (!phase) return;
    if (phase->kind == PARE_PHASE_TREE) algorithm = phase->tree->info.name;
    if (phase->kind == PARE_PHASE_UNITS || phase->kind == PARE_PHASE_LEVELS)
        algorithm = (again ? phase->again : phase->algorithm)->info.name;
    if (phase->kind == PARE_PHASE_SCOUT) algorithm = "bisect";
    (void)snprintf(name, 64, "%s%s%s", algorithm ? algorithm : "", algorithm ? "/" : "",
                   phase->kind == PARE_PHASE_SCOUT ? "line" : pare_plan_unit(phase));
}

/* ---- knobs of tree algorithms ------------------------------------------------------------ */

/* Transformations that the user did not name are those of each algorithm, so they are set again
 * for each phase. */

/* NULL: there is none of this name. */
static const pare_transform *find_transform(struct word word)
{
    size_t n;
    const pare_transform *const *table = pare_transforms(&n);
    for (size_t i = 0; i < n; i++)
        if (word_is(word, table[i]->name)) return table[i];
    return NULL;
}

/* Reads the names in their order, which is that in which they are applied; "none" alone is the
 * empty list. */
static pare_status read_transforms(const char *list, pare_tree_setup *setup, pare_error *err)
{
    struct word word;
    setup->n_transforms = 0;
    if (word_is((struct word){"none", 4}, list)) return PARE_OK;
    while (next_word(&list, &word)) {
        const pare_transform *found = find_transform(word);
        if (!found)
            return pare_fail(err, PARE_E_ARG,
                             "unknown transformation '%.*s': use remove-empty, flatten, squeeze, "
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
    struct word word;
    for (size_t n = 0; next_word(&list, &word); n++) {
        pare_hdd_step step = pare_hdd_step_find(word.text, word.size);
        if (step == PARE_HDD_END)
            return pare_fail(err, PARE_E_ARG, "unknown step '%.*s': a phase consists of %s",
                             (int)word.size, word.text, pare_hdd_step_names);
        if (n == PARE_HDD_MAX_STEPS)
            return pare_fail(err, PARE_E_ARG, "a phase has at most %d steps", PARE_HDD_MAX_STEPS);
        phase->steps[n] = step;
    }
    return PARE_OK;
}

/* A phase of a tree algorithm is a list of steps; those that are not given are all-zero,
 * PARE_HDD_END. */
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

/* Options that the user left out keep the defaults of each algorithm. */
pare_status pare_plan_read_setup(const pare_list_knobs *lists, const pare_tree_options *trees,
                                 pare_tree_setup *setup, pare_error *err)
{
    *setup = (pare_tree_setup){.knobs = *lists,
                               .traversal = trees->traversal,
                               .search = trees->search,
                               .combinations = trees->combinations,
                               .own_transforms = trees->transforms != NULL};
    if (trees->list) setup->list = pare_tree_algorithm_list(trees->list);
    if (trees->list && !setup->list)
        return pare_fail(err, PARE_E_ARG, "unknown list algorithm '%s'", trees->list);
    pare_status status =
        trees->transforms ? read_transforms(trees->transforms, setup, err) : PARE_OK;
    return status ? status : read_phases(trees, setup, err);
}

/* Called before each run of a tree algorithm, because the last one may have been another. */
pare_status pare_plan_set_transforms(pare_tree_setup *setup, const pare_tree_algorithm *algorithm,
                                     pare_error *err)
{
    if (setup->own_transforms) return PARE_OK;
    return read_transforms(algorithm->transforms, setup, err);
}

/* ---- options without effect --------------------------------------------------------------- */

/* A user who names an option that no algorithm of the plan looks at believes that it does
 * something, and should be told that it does not.  Each algorithm says in its table which knobs it
 * reads (PARE_KNOB_, PARE_TREE_); the union over the phases is compared with what was given.
 * Passes and scouts read none. */

/* Which parts of the options the phases of a plan read. */
struct used {
    unsigned knobs; /* PARE_KNOB_... */
    unsigned trees; /* PARE_TREE_... */
    bool any_tree, any_list;
    bool any_islands; /* a tree in which islands may be */
};

/* The union of what the phases read.  A list algorithm inside a tree algorithm reads knobs, too. */
static struct used used_by(const pare_plan *plan, const pare_tree_setup *setup)
{
    /* All that is not set is read by nobody. */
    struct used used = {0};
    for (size_t i = 0; i < plan->n_phases; i++) {
        const pare_phase *phase = &plan->phases[i];
        if (phase->kind == PARE_PHASE_PASS || phase->kind == PARE_PHASE_SCOUT ||
            phase->kind == PARE_PHASE_STRUCTURE || phase->kind == PARE_PHASE_TABLE ||
            phase->kind == PARE_PHASE_SSA || phase->kind == PARE_PHASE_COVERAGE ||
            phase->kind == PARE_PHASE_SEMANTIC || phase->kind == PARE_PHASE_BINARY)
            continue;
        if (phase->kind == PARE_PHASE_DEPENDENCY) {
            used.any_tree = true;
            continue;
        }
        if (!phase->tree) {
            used.any_list = true;
            /* Both, since the second runs in later rounds. */
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

/* A value that is the default of its option cannot be told from one that was not given, and
 * changes nothing either way. */
pare_status pare_plan_tell_ignored(const pare_ignored_options_given *given, const pare_plan *plan,
                                   const pare_tree_setup *setup, pare_buffer *sentence,
                                   pare_error *err)
{
    const pare_list_knobs *knobs = given->lists;
    const pare_tree_options *tree = given->trees;
    struct used used = used_by(plan, setup);
    /* One row for each option that only some algorithms read. */
    const struct {
        const char *name;
        bool given, used;
    } all[] = {
        {"--unit", given->units, used.any_list},
        {"--lang", tree->language, used.any_tree},
        {"--grammar", tree->n_grammars > 0, used.any_tree},
        {"--tree", tree->tree, used.any_tree},
        {"--island", tree->n_islands > 0, used.any_islands},
        {"--transform", tree->transforms, used.any_tree},
        {"--list-algorithm", tree->list, used.trees & PARE_TREE_LISTS},
        {"--phase", tree->n_phases > 0, used.trees & PARE_TREE_PHASES},
        {"--traversal", tree->traversal, used.trees & PARE_TREE_TRAVERSAL},
        {"--search", tree->search,
         used.trees &
             (tree->search == PARE_SEARCH_BREADTH ? PARE_TREE_BREADTH : PARE_TREE_GRAMMAR)},
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

/* ---- the tables that --list-algorithms prints ---------------------------------------------- */

/* What the plan adds comes first and last, between them lists and trees. */

/* NULL after the last: callers count until then. */
const pare_algorithm_info *pare_algorithm_at(size_t index)
{
    /* The plan's own algorithms come first and last; between them are those of lists and trees. */
    if (index == 0) return &pare_plan_auto;
    size_t n;
    const pare_list_algorithm *const *lists = pare_list_algorithms(&n);
    if (index <= n) return &lists[index - 1]->info;
    index -= n + 1;
    const pare_tree_algorithm *trees = pare_tree_algorithms(&n);
    if (index < n) return &trees[index].info;
    if (index == n) return &pare_plan_dependency;
    if (index == n + 1) return &pare_plan_choices;
    return index == n + 2 ? &pare_plan_portfolio : NULL;
}

/* Brackets are no splitter: their units are made level by level (phase.c). */
const pare_unit_info *pare_unit_at(size_t index)
{
    size_t n;
    const pare_splitter *const *splitters = pare_splitters(&n);
    if (index < n) return &splitters[index]->info;
    return index == n ? &pare_plan_bracket : NULL;
}

/* The version of the library that runs, which may be newer than the header that a program was
 * compiled with. */
const char *pare_version(void)
{
    return PARE_VERSION;
}
