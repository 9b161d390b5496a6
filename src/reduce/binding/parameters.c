/* parameters: a parameter goes, and with it the arguments that calls give for it, and what
 * uses it.
 *
 * Calls are those of the name that the function has; of a function that is written out
 * where it is called, that call; of one that is handed on, no call is known, and its
 * parameter goes alone.
 *
 * Source: DRReduce (arXiv 2605.19412); DustMite's arguments by text; C-Reduce's
 * param-to-local and -global instead keep it. */
#include "base/alloc.h"
#include "base/status.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/language.h"
#include "reduce/binding/offers.h"
#include "reduce/binding/passes.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* The list of arguments of a call; PARE_NO_NODE if there is none. */
static uint32_t arguments_of(const pare_syntax *syntax, uint32_t call)
{
    return pare_syntax_child(syntax, call, syntax->nodes[call].kind->list);
}

static pare_status remove_argument(pare_program *program, uint32_t call, size_t index,
                                   pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t list = call == PARE_NO_NODE ? call : arguments_of(syntax, call);
    uint32_t argument =
        list == PARE_NO_NODE ? PARE_NO_NODE : pare_syntax_element_at(syntax, list, index);
    if (argument == PARE_NO_NODE) return PARE_OK;
    return pare_rewrites_remove(&program->offers.rewrites, argument, err);
}

/* The call of a function that is written out in it, in parentheses. */
static uint32_t call_in_place(const pare_syntax *syntax, uint32_t function)
{
    uint32_t node = function, parent = syntax->nodes[node].parent;
    while (parent != PARE_NO_NODE && pare_syntax_only_element(syntax, parent) == node &&
           pare_syntax_is(syntax, parent, PARE_ROLE_EXPRESSION)) {
        node = parent;
        parent = syntax->nodes[node].parent;
    }
    bool called = parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_CALL) &&
                  pare_syntax_matches(syntax, node, syntax->nodes[parent].kind->object);
    return called ? parent : PARE_NO_NODE;
}

/* Element `index` of all lists of parameters and arguments of what `symbol` names. */
static pare_status remove_everywhere(pare_program *program, uint32_t symbol, uint32_t function,
                                     size_t index, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    pare_status status = PARE_OK;
    uint32_t o = program->names.symbols[symbol].first;
    for (; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        if (!occurrences[o].declares) {
            status = remove_argument(program, pare_program_call(program, o), index, err);
            continue;
        }
        uint32_t declaring = occurrences[o].declaring;
        if (declaring == PARE_NO_NODE || pare_syntax_holds(syntax, declaring, function)) continue;
        uint32_t list = pare_syntax_parameters(syntax, declaring);
        uint32_t other =
            list == PARE_NO_NODE ? PARE_NO_NODE : pare_syntax_element_at(syntax, list, index);
        if (other != PARE_NO_NODE)
            status = pare_rewrites_remove(&program->offers.rewrites, other, err);
    }
    return status;
}

/* Ends the uses of all that is declared in `parameter`. */
static pare_status end_uses(pare_program *program, uint32_t parameter, pare_use_end end,
                            pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = parameter; !status && i < syntax->nodes[parameter].behind; i++) {
        uint32_t occurrence = program->names.by_leaf[i];
        if (occurrence == PARE_NO_NODE || !program->names.occurrences[occurrence].declares)
            continue;
        status =
            pare_program_end_uses(program, program->names.occurrences[occurrence].symbol, end, err);
    }
    return status;
}

static pare_status collect_parameter(pare_program *program, uint32_t function, uint32_t symbol,
                                     uint32_t parameter, size_t index, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_rewrites *rewrites = &program->offers.rewrites;
    pare_status status = PARE_OK;
    for (int end = PARE_USE_LEFT_OUT; !status && end <= PARE_USE_NEUTRAL; end++) {
        status = pare_rewrites_remove(rewrites, parameter, err);
        if (!status) status = end_uses(program, parameter, (pare_use_end)end, err);
        if (!status && symbol != PARE_NO_SYMBOL)
            status = remove_everywhere(program, symbol, function, index, err);
        if (!status && symbol == PARE_NO_SYMBOL)
            status = remove_argument(program, call_in_place(syntax, function), index, err);
        if (!status) status = pare_offers_alternative(&program->offers, err);
    }
    return status ? status
                  : pare_offers_item(&program->offers, pare_syntax_size(syntax, parameter), err);
}

static pare_status collect_function(pare_program *program, uint32_t function, uint32_t symbol,
                                    pare_error *err)
{
    enum { MOST_PARAMETERS = 256 };
    const pare_syntax *syntax = &program->syntax;
    uint32_t list = pare_syntax_parameters(syntax, function);
    pare_status status = PARE_OK;
    if (list == PARE_NO_NODE || !pare_syntax_is(syntax, list, PARE_ROLE_PARAMETERS)) return PARE_OK;
    uint32_t parameter = pare_syntax_child(syntax, list, "*");
    for (size_t i = 0; !status && parameter != PARE_NO_NODE && i < MOST_PARAMETERS; i++) {
        status = collect_parameter(program, function, symbol, parameter, i, err);
        parameter = pare_syntax_element_behind(syntax, parameter);
    }
    return status;
}

/* Functions with a name by their symbols, the others where they stand. */
static pare_status collect(pare_program *program, pare_error *err)
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
        if (function == PARE_NO_NODE || named[function]) continue;
        named[function] = true;
        status = collect_function(program, function, s, err);
    }
    for (uint32_t i = 0; !status && i < syntax->n; i++) {
        bool alone = pare_syntax_is(syntax, i, PARE_ROLE_FUNCTION) && !named[i];
        if (alone) status = collect_function(program, i, PARE_NO_SYMBOL, err);
    }
    pare_release(named);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    (void)pass;
    return pare_program_offer(view, collect, PARE_OFFERS_HALVES, 0, 1, out, err);
}

const pare_pass pare_binding_parameters = {
    .name = "parameters",
    .summary = "leaves out parameters together with the arguments of calls and their uses",
    .source = "DRReduce; DustMite, arguments",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};
