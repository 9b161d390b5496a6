/* declarations, members: what is declared goes together with its uses, in one candidate.
 *
 * A declaration that goes alone leaves uses behind that no compiler takes, and its uses
 * cannot go alone either while they stand in what matters.  Here a statement that holds a
 * use goes with it, or the use becomes the smallest value or type.  Groups of declarations
 * are halved, so that one test may take all that does not matter.
 *
 * Source: DRReduce (arXiv 2605.19412), coherent deletion, without types and for any language
 * that has a table; its order is not published, groups and halves are ours. */
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/language.h"
#include "reduce/binding/offers.h"
#include "reduce/binding/passes.h"
#include "reduce/binding/program.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* Parameters are left to parameters.c, which knows the calls too. */
static bool is_parameter(const pare_program *program, uint32_t symbol)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t unit = pare_bindings_unit(&program->names, symbol);
    if (unit == PARE_NO_NODE) return false;
    uint32_t parent = syntax->nodes[unit].parent;
    return parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_PARAMETERS);
}

static pare_status collect_symbol(pare_program *program, uint32_t symbol, pare_error *err)
{
    uint64_t weight = pare_program_weight(program, symbol);
    pare_status status = PARE_OK;
    if (!weight) return PARE_OK;
    for (int end = PARE_USE_LEFT_OUT; !status && end <= PARE_USE_NEUTRAL; end++) {
        status = pare_program_end_uses(program, symbol, (pare_use_end)end, err);
        if (!status) status = pare_offers_alternative(&program->offers, err);
        if (!program->names.symbols[symbol].n_uses) break; /* the second one is the same */
    }
    return status ? status : pare_offers_item(&program->offers, weight, err);
}

static pare_status collect(pare_program *program, bool members, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++) {
        const pare_bound *symbol = &program->names.symbols[s];
        if (symbol->first == PARE_NO_NODE || symbol->member != members) continue;
        if (!is_parameter(program, s)) status = collect_symbol(program, s, err);
    }
    return status;
}

static pare_status collect_declarations(pare_program *program, pare_error *err)
{
    return collect(program, false, err);
}

static pare_status collect_members(pare_program *program, pare_error *err)
{
    return collect(program, true, err);
}

static pare_status offer_declarations(const pare_pass *pass, const pare_pass_view *view,
                                      pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view, collect_declarations, PARE_OFFERS_HALVES, 0, 1, out, err);
}

static pare_status offer_members(const pare_pass *pass, const pare_pass_view *view,
                                 pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view, collect_members, PARE_OFFERS_HALVES, 0, 1, out, err);
}

const pare_pass pare_binding_declarations = {
    .name = "declarations",
    .summary = "leaves out declarations together with their uses",
    .source = "DRReduce, coherent deletion; halves are ours",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_declarations,
};

const pare_pass pare_binding_members = {
    .name = "members",
    .summary = "leaves out members of structures and objects together with what accesses them",
    .source = "DRReduce; C-Reduce's remove-unused-field for those in use, too",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_members,
};
