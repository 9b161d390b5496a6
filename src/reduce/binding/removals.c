/* The passes that leave out what is declared together with its uses: unused, declarations,
 * members, parameters, dimensions.
 *
 * A declaration that goes alone leaves uses that no compiler takes, and its uses cannot go
 * alone either while they stand in what matters.  So all occurrences of a symbol change in one
 * candidate: a statement that holds a use goes, or the use becomes the smallest value or type.
 * Groups of declarations are halved, so that one test may take all that does not matter.
 * Invariant: one patch changes every occurrence of a symbol, or its declarations alone if it
 * has no uses.
 * Source: DRReduce (arXiv 2605.19412), coherent deletion, without types and for any language
 * that has a table; its order is not published, groups and halves are ours.  C-Reduce's
 * remove-unused-*, remove-array and reduce-array-dim for what they do of it in C. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* Ends all uses of `symbol` in that way, and removes what declares it. */
static pare_status end_symbol(pare_program *program, uint32_t symbol, pare_use_end end,
                              pare_error *err)
{
    const pare_occurrence *occurrences = program->names.occurrences;
    pare_status status = PARE_OK;
    uint32_t o = program->names.symbols[symbol].first;
    for (; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        if (!occurrences[o].declares)
            status = pare_program_end_use(program, o, end, err);
        else
            status = pare_program_remove(program, o, err);
    }
    return status;
}

/* Bytes of all that declares `symbol`: what goes for certain when it does. */
static uint64_t weight_of(const pare_program *program, uint32_t symbol)
{
    const pare_occurrence *occurrences = program->names.occurrences;
    uint64_t weight = 0;
    assert(symbol < program->names.n_symbols);
    uint32_t o = program->names.symbols[symbol].first;
    for (; o != PARE_NO_NODE; o = occurrences[o].next)
        if (occurrences[o].declares && occurrences[o].unit != PARE_NO_NODE)
            weight += pare_syntax_size(&program->syntax, occurrences[o].unit);
    return weight;
}

/* The unit of the first declaration of `symbol`; PARE_NO_NODE: it has none. */
static uint32_t unit_of(const pare_bindings *names, uint32_t symbol)
{
    uint32_t o = names->symbols[symbol].first;
    while (o != PARE_NO_NODE && !names->occurrences[o].declares)
        o = names->occurrences[o].next;
    return o == PARE_NO_NODE ? PARE_NO_NODE : names->occurrences[o].unit;
}

/* --- unused ------------------------------------------------------------------------------ */

enum { MOST_ROUNDS = 16 };

/* What was found to be dead. */
struct marks {
    bool *dead;    /* by symbol */
    uint32_t *end; /* by node: the end of the dead unit that it is in, or 0 */
};

/* Notes which nodes are in units of dead symbols.
 * O(nodes + occurrences), without a stack: in pre-order a node is covered if an outermost unit
 * that began before it has not ended. */
static void cover(const pare_program *program, struct marks *marks)
{
    const pare_syntax *syntax = &program->syntax;
    for (uint32_t i = 0; i < syntax->n; i++)
        marks->end[i] = 0;
    for (uint32_t o = 0; o < program->names.n_occurrences; o++) {
        const pare_occurrence *self = &program->names.occurrences[o];
        if (self->declares && self->unit != PARE_NO_NODE && marks->dead[self->symbol])
            marks->end[self->unit] = syntax->nodes[self->unit].after;
    }
    /* Units may be nested: a node is covered as far as the outermost one reaches. */
    uint32_t end = 0;
    for (uint32_t i = 0; i < syntax->n; i++) {
        if (marks->end[i] > end) end = marks->end[i];
        marks->end[i] = i < end ? end : 0;
    }
}

/* Whether the unit is a parameter: one that goes changes calls, which is what the pass
 * parameters is for. */
static bool is_parameter(const pare_syntax *syntax, uint32_t unit)
{
    uint32_t parent = syntax->nodes[unit].parent;
    return (parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_PARAMETERS)) ||
           pare_syntax_template_of(syntax, unit) != PARE_NO_NODE;
}

/* Whether all uses stand in what goes, and all declarations can go. */
static bool is_unused(const pare_program *program, const struct marks *marks, uint32_t symbol)
{
    const pare_occurrence *occurrences = program->names.occurrences;
    if (program->names.symbols[symbol].first == PARE_NO_NODE ||
        pare_program_is_entry(program, symbol))
        return false;
    uint32_t own_end = 0;
    uint32_t o = program->names.symbols[symbol].first;
    for (; o != PARE_NO_NODE; o = occurrences[o].next) {
        const pare_occurrence *self = &occurrences[o];
        if (self->declares) {
            if (self->unit == PARE_NO_NODE || is_parameter(&program->syntax, self->unit))
                return false;
            /* A use inside its own declaration (a recursive call) goes with it. */
            uint32_t end = program->syntax.nodes[self->unit].after;
            if (end > own_end) own_end = end;
        } else if (self->leaf >= own_end && !marks->end[self->leaf]) {
            return false;
        }
    }
    return own_end > 0;
}

/* Marks dead symbols in rounds: what only dead ones use is dead in the next round.
 *
 * Example: of `int a; int b = a;` b is dead in the first round, as nothing uses it; then a is,
 * which only b uses. Both go in one patch. */
static void find_unused(const pare_program *program, struct marks *marks)
{
    bool more = true;
    cover(program, marks);
    for (int round = 0; more && round < MOST_ROUNDS; round++) {
        more = false;
        for (uint32_t s = 0; s < program->names.n_symbols; s++) {
            if (marks->dead[s] || !is_unused(program, marks, s)) continue;
            marks->dead[s] = more = true;
        }
        /* What stands in units that are dead by now no longer counts as a use. */
        cover(program, marks);
    }
}

/* Whether it goes with what it is declared in anyway. */
static bool is_inside(const pare_program *program, const struct marks *marks, uint32_t symbol)
{
    uint32_t unit = unit_of(&program->names, symbol);
    uint32_t parent = program->syntax.nodes[unit].parent;
    return parent != PARE_NO_NODE && marks->end[parent];
}

/* An item for each dead symbol that is not inside another dead one. */
static pare_status add_items(pare_program *program, const struct marks *marks, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++) {
        if (!marks->dead[s] || is_inside(program, marks, s)) continue;
        const pare_occurrence *occurrences = program->names.occurrences;
        uint32_t o = program->names.symbols[s].first;
        for (; !status && o != PARE_NO_NODE; o = occurrences[o].next)
            if (occurrences[o].declares) status = pare_program_remove(program, o, err);
        if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
        if (!status) status = pare_rewrites_item(&program->rewrites, weight_of(program, s), err);
    }
    return status;
}

/* An item for each declaration that is dead. */
static pare_status collect_unused(pare_program *program, pare_error *err)
{
    struct marks marks = {0};
    marks.dead = pare_alloc_zero(program->names.n_symbols, sizeof *marks.dead);
    marks.end = pare_alloc_zero(program->syntax.n, sizeof *marks.end);
    pare_status status = PARE_OK;
    if (marks.dead && marks.end) {
        find_unused(program, &marks);
        status = add_items(program, &marks, err);
    } else {
        status = pare_fail_nomem(err);
    }
    pare_alloc_free(marks.dead);
    pare_alloc_free(marks.end);
    return status;
}

/* unused: declarations that nothing uses go together, and with them those that only they use,
 * and so on.  A use counts only if it stands in no declaration that goes, its own included.
 * That is found in rounds, each of which looks at all nodes once.
 * Source: C-Reduce's remove-unused-function, -var, -field and their like, one pass each and one
 * declaration a test; here all of them are one candidate, halved when it fails. */
static pare_status offer_unused(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_unused,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_unused = {
    .name = "unused",
    .summary = "removes what nothing uses, and what only that uses",
    .source = "C-Reduce, remove-unused-*; all at once here",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_unused,
};

/* Two alternatives: the uses go with their statements, or become the smallest value or type.
 *
 * Example: `int g = 1; h(g); k();` becomes `k();`, else `h(0); k();`. */
static pare_status collect_symbol(pare_program *program, uint32_t symbol, pare_error *err)
{
    uint64_t weight = weight_of(program, symbol);
    pare_status status = PARE_OK;
    /* No declaration of it can go by itself. */
    if (!weight) return PARE_OK;
    for (int end = PARE_USE_LEFT_OUT; !status && end <= PARE_USE_NEUTRAL; end++) {
        status = end_symbol(program, symbol, (pare_use_end)end, err);
        if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
        /* Without uses both ways to end them are one. */
        if (!program->names.symbols[symbol].n_uses) break; /* the second one is the same */
    }
    return status ? status : pare_rewrites_item(&program->rewrites, weight, err);
}

/* An item for each symbol, members or the others.  Parameters are left to the pass parameters,
 * which knows the calls too. */
static pare_status collect_symbols(pare_program *program, bool members, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++) {
        const pare_bound *symbol = &program->names.symbols[s];
        if (symbol->first == PARE_NO_NODE || symbol->member != members) continue;
        uint32_t unit = unit_of(&program->names, s);
        if (unit == PARE_NO_NODE || !is_parameter(&program->syntax, unit))
            status = collect_symbol(program, s, err);
    }
    return status;
}

/* What is not a member: variables, functions, types, labels. */
static pare_status collect_declarations(pare_program *program, pare_error *err)
{
    return collect_symbols(program, false, err);
}

/* Members are one symbol for each text, so one item takes a member of several structures. */
static pare_status collect_members(pare_program *program, pare_error *err)
{
    return collect_symbols(program, true, err);
}

/* declarations: what is declared goes together with its uses.
 * Source: DRReduce, coherent deletion. */
static pare_status offer_declarations(const pare_pass *pass, const pare_pass_view *view,
                                      pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_declarations,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

/* members: the same for members of structures and objects, with what accesses them.
 * Source: DRReduce; C-Reduce's remove-unused-field for those in use, too. */
static pare_status offer_members(const pare_pass *pass, const pare_pass_view *view,
                                 pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_members,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_declarations = {
    .name = "declarations",
    .summary = "removes declarations together with their uses",
    .source = "DRReduce, coherent deletion; halves are ours",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_declarations,
};

const pare_pass pare_binding_members = {
    .name = "members",
    .summary = "removes members together with the expressions that access them",
    .source = "DRReduce; C-Reduce's remove-unused-field for those in use, too",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_members,
};

/* --- parameters -------------------------------------------------------------------------- */

/* The call of a function that is written out in it, in parentheses.
 *
 * Example: `(function (x) { return x; })(1)`. */
static uint32_t call_in_place(const pare_syntax *syntax, uint32_t function)
{
    uint32_t node = function, parent = syntax->nodes[node].parent;
    while (parent != PARE_NO_NODE && pare_syntax_only_element(syntax, parent) == node &&
           pare_syntax_is(syntax, parent, PARE_ROLE_EXPRESSION)) {
        node = parent;
        parent = syntax->nodes[node].parent;
    }
    /* `(function (x) { .. })(1)`: the parentheses are the callee. */
    bool called = parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_CALL) &&
                  pare_syntax_matches(syntax, node, syntax->nodes[parent].kind->object);
    return called ? parent : PARE_NO_NODE;
}

/* Ends the uses of all that is declared in `parameter`. */
static pare_status end_uses(pare_program *program, uint32_t parameter, pare_use_end end,
                            pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = parameter; !status && i < syntax->nodes[parameter].after; i++) {
        uint32_t occurrence = program->names.by_leaf[i];
        if (occurrence == PARE_NO_NODE || !program->names.occurrences[occurrence].declares)
            continue;
        status = end_symbol(program, program->names.occurrences[occurrence].symbol, end, err);
    }
    return status;
}

/* Two alternatives, as for declarations: how the parameter's uses end.
 *
 * Example: `int f(int a, int b) { return a + b; } f(1, 2);` becomes `int f(int b) { } f(2);`,
 * else `int f(int b) { return 0 + b; } f(2);`. */
static pare_status collect_parameter(pare_program *program, uint32_t function, uint32_t symbol,
                                     uint32_t parameter, size_t index, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_rewrites *rewrites = &program->rewrites;
    pare_status status = PARE_OK;
    for (int end = PARE_USE_LEFT_OUT; !status && end <= PARE_USE_NEUTRAL; end++) {
        status = pare_rewrites_remove(rewrites, parameter, err);
        if (!status) status = end_uses(program, parameter, (pare_use_end)end, err);
        if (!status && symbol != PARE_NO_SYMBOL)
            status = pare_program_remove_parameter(program, symbol, function, index, err);
        if (!status && symbol == PARE_NO_SYMBOL)
            status =
                pare_program_remove_argument(program, call_in_place(syntax, function), index, err);
        if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    }
    return status
               ? status
               : pare_rewrites_item(&program->rewrites, pare_syntax_size(syntax, parameter), err);
}

/* An item for each parameter of the function. */
static pare_status collect_function(pare_program *program, uint32_t function, uint32_t symbol,
                                    pare_error *err)
{
    enum { MOST_PARAMETERS = 256 };
    const pare_syntax *syntax = &program->syntax;
    uint32_t list = pare_syntax_parameters(syntax, function);
    pare_status status = PARE_OK;
    /* A single parameter without a list cannot go without taking the function's form with it. */
    if (list == PARE_NO_NODE || !pare_syntax_is(syntax, list, PARE_ROLE_PARAMETERS)) return PARE_OK;
    uint32_t parameter = pare_syntax_child(syntax, list, "*");
    for (size_t i = 0; !status && parameter != PARE_NO_NODE && i < MOST_PARAMETERS; i++) {
        status = collect_parameter(program, function, symbol, parameter, i, err);
        parameter = pare_syntax_element_after(syntax, parameter);
    }
    return status;
}

/* Functions with a name by their symbols, the others where they stand.
 * Named functions first, so that a function which is a value as well is not taken for one
 * without a name. */
static pare_status collect_parameters(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_bindings *names = &program->names;
    pare_status status = PARE_OK;
    bool *named = pare_alloc_zero(syntax->n, sizeof *named);
    if (!named) return pare_fail_nomem(err);
    for (uint32_t s = 0; !status && s < names->n_symbols; s++) {
        uint32_t function = names->symbols[s].first == PARE_NO_NODE
                                ? PARE_NO_NODE
                                : pare_bindings_function(names, s);
        /* A function that several symbols mean is looked at once. */
        if (function == PARE_NO_NODE || named[function]) continue;
        named[function] = true;
        status = collect_function(program, function, s, err);
    }
    for (uint32_t i = 0; !status && i < syntax->n; i++) {
        bool alone = pare_syntax_is(syntax, i, PARE_ROLE_FUNCTION) && !named[i];
        if (alone) status = collect_function(program, i, PARE_NO_SYMBOL, err);
    }
    pare_alloc_free(named);
    return status;
}

/* parameters: a parameter goes, and with it the arguments that calls give for it, and what uses
 * it.
 *
 * Calls are those of the name that the function has; of a function that is written out where it
 * is called, that call; of one that is handed on, no call is known, and its parameter goes
 * alone.
 * Source: DRReduce (arXiv 2605.19412); DustMite's arguments by text; C-Reduce's param-to-local
 * and -global keep it instead. */
static pare_status offer_parameters(const pare_pass *pass, const pare_pass_view *view,
                                    pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_parameters,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_parameters = {
    .name = "parameters",
    .summary = "removes parameters together with their arguments and uses",
    .source = "DRReduce; DustMite, arguments",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_parameters,
};

/* --- dimensions -------------------------------------------------------------------------- */

enum { ALL_DIMENSIONS = 64 };

/* Cuts at most `most` dimensions around the declared name at `leaf`, from the inside.
 *
 * Example: of `int a[2][3]` the dimension nearest to the name is cut first. */
static pare_status cut_dimensions(pare_program *program, uint32_t leaf, uint32_t declaring,
                                  size_t most, size_t *n, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    uint32_t node = leaf;
    for (*n = 0; !status && node != declaring && *n < most;) {
        uint32_t parent = syntax->nodes[node].parent;
        if (pare_syntax_is(syntax, parent, PARE_ROLE_ARRAY)) {
            ++*n;
            status = pare_program_keep(program, parent, syntax->nodes[node].begin,
                                       syntax->nodes[node].end, err);
        }
        node = parent;
    }
    return status;
}

/* Cuts the first `n` indices after the use at `leaf`. */
static pare_status cut_indices(pare_program *program, uint32_t leaf, size_t n, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    uint32_t node = leaf, parent = syntax->nodes[node].parent;
    while (!status && n-- && parent != PARE_NO_NODE) {
        const pare_syntax_kind *kind = syntax->nodes[parent].kind;
        bool index =
            kind->roles & PARE_ROLE_SUBSCRIPT && pare_syntax_matches(syntax, node, kind->object);
        /* The use has fewer indices than the array had dimensions: a part of it is meant. */
        if (!index) break;
        status = pare_program_keep(program, parent, syntax->nodes[node].begin,
                                   syntax->nodes[node].end, err);
        node = parent;
        parent = syntax->nodes[node].parent;
    }
    return status;
}

/* Cuts at most `most` dimensions of the symbol and as many indices of its uses; *found: how
 * many.
 * The uses come after the declaration in most languages, so how many indices to cut is known by
 * then. */
static pare_status collect_most(pare_program *program, uint32_t symbol, size_t most, size_t *found,
                                pare_error *err)
{
    const pare_occurrence *occurrences = program->names.occurrences;
    pare_status status = PARE_OK;
    uint32_t o = program->names.symbols[symbol].first;
    for (*found = 0; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        size_t n = 0;
        if (!occurrences[o].declares) {
            status = cut_indices(program, occurrences[o].leaf, *found, err);
        } else if (occurrences[o].declaring != PARE_NO_NODE) {
            status = cut_dimensions(program, occurrences[o].leaf, occurrences[o].declaring, most,
                                    &n, err);
            if (n > *found) *found = n;
        }
    }
    return status ? status : pare_rewrites_alternative(&program->rewrites, err);
}

/* For each symbol: all of its dimensions, and the first alone. */
static pare_status collect_dimensions(pare_program *program, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++) {
        /* Without dimensions there are no wishes, hence no alternative and no item. */
        size_t n = 0, one = 0;
        status = collect_most(program, s, ALL_DIMENSIONS, &n, err);
        if (!status && n > 1) status = collect_most(program, s, 1, &one, err);
        if (!status) status = pare_rewrites_item(&program->rewrites, n, err);
    }
    return status;
}

/* dimensions: what is declared as an array loses a dimension, and its uses an index.  All
 * dimensions at once, then one alone.
 * Source: C-Reduce's remove-array and reduce-array-dim, for any language whose declarations say
 * how many dimensions there are. */
static pare_status offer_dimensions(const pare_pass *pass, const pare_pass_view *view,
                                    pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_dimensions,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_dimensions = {
    .name = "dimensions",
    .summary = "removes dimensions of arrays together with the indices",
    .source = "C-Reduce, remove-array, reduce-array-dim",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_dimensions,
};
