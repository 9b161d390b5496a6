/* inline-values, spread-values: what a name stands for is put where the name is used, and
 * its declaration goes.
 *
 * Variables, constants, members with one value, macros, names of types, structures.  Not
 * parameters.  Of what gets several values each is tried: the test finds out which one
 * matters.  inline-values offers what saves bytes, which is nearly all that is used once;
 * spread-values the rest.
 *
 * Source: "inline a definition used once", LPR's rewrites (arXiv 2312.13064) without a model;
 * C-Reduce's copy-propagation, replace-simple-typedef. */
#include <string.h>

#include "base/buffer.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/language.h"
#include "reduce/binding/offers.h"
#include "reduce/binding/passes.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/substitute.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { MOST_USES = 64, MOST_VALUES = 4, MOST_SPREAD = 4096, MOST_ITEMS = 1000 };

/* Where `symbol` gets a value, at most MOST_VALUES; none if it has too many uses. */
static size_t find_values(const pare_program *program, uint32_t symbol, uint32_t *values)
{
    const pare_bound *bound = &program->names.symbols[symbol];
    const pare_syntax *syntax = &program->syntax;
    size_t n = 0, n_plain = 0;
    for (uint32_t o = bound->first; o != PARE_NO_NODE && n < MOST_VALUES;
         o = program->names.occurrences[o].next) {
        const pare_occurrence *self = &program->names.occurrences[o];
        if (self->declaring == PARE_NO_NODE) {
            n_plain++;
            continue;
        }
        bool type = pare_syntax_is(syntax, self->declaring, PARE_ROLE_TYPE) && self->declares;
        if (self->unit != PARE_NO_NODE && (self->value != PARE_NO_NODE || type)) values[n++] = o;
    }
    return bound->n_uses && n_plain <= MOST_USES ? n : 0;
}

/* A type's own text stands for it, without its name. */
static pare_status append_type(const pare_program *program, const pare_occurrence *declared,
                               pare_buffer *text, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_node *type = &syntax->nodes[declared->declaring];
    const pare_syntax_node *name = &syntax->nodes[declared->leaf];
    const char *bytes = (const char *)syntax->view->bytes;
    size_t front = name->begin - type->begin;
    while (front && bytes[type->begin + front - 1] == ' ')
        front--;
    pare_status status = pare_buffer_add(text, bytes + type->begin, front, err);
    return status ? status : pare_buffer_add(text, bytes + name->end, type->end - name->end, err);
}

/* The node that gives way to the value: an access, or the name. */
static uint32_t place_of(const pare_program *program, uint32_t use, bool type)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t leaf = program->names.occurrences[use].leaf;
    uint32_t parent = syntax->nodes[leaf].parent;
    if (type) return pare_bindings_reach(&program->names, use);
    bool access = parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_ACCESS) &&
                  !pare_syntax_is(syntax, parent, PARE_ROLE_CALL) &&
                  pare_syntax_matches(syntax, leaf, syntax->nodes[parent].kind->names);
    return access ? parent : leaf;
}

/* Wishes that each use becomes what is declared. */
static pare_status replace_uses(pare_program *program, uint32_t symbol, uint32_t definition,
                                pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    const pare_occurrence *declared = &occurrences[definition];
    bool type = declared->value == PARE_NO_NODE;
    pare_buffer text = {0};
    pare_status status = PARE_OK;
    uint32_t o = program->names.symbols[symbol].first;
    for (; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        if (occurrences[o].declaring != PARE_NO_NODE) continue;
        uint32_t place = place_of(program, o, type);
        pare_buffer_reset(&text);
        status = type ? append_type(program, declared, &text, err)
                      : pare_append_expression(syntax, declared->value, place, &text, err);
        if (!status)
            status =
                pare_rewrites_replace(&program->offers.rewrites, place, text.data, text.size, err);
    }
    pare_buffer_done(&text);
    return status;
}

/* All uses become the value that `symbol` gets at `found`, where it gets it no more. */
static pare_status collect_value(pare_program *program, uint32_t symbol, uint32_t found,
                                 uint64_t *weight, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *declared = &program->names.occurrences[found];
    uint32_t source = declared->value == PARE_NO_NODE ? declared->declaring : declared->value;
    uint64_t size = pare_syntax_size(syntax, source);
    if (program->names.symbols[symbol].n_uses > 1 &&
        size * program->names.symbols[symbol].n_uses > MOST_SPREAD)
        return PARE_OK;
    *weight += size;
    pare_status status = replace_uses(program, symbol, found, err);
    if (!status) status = pare_program_remove(program, found, err);
    return status ? status : pare_offers_alternative(&program->offers, err);
}

static pare_status collect_symbol(pare_program *program, uint32_t symbol, pare_error *err)
{
    uint32_t values[MOST_VALUES];
    uint64_t weight = 0;
    size_t n = find_values(program, symbol, values);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++)
        status = collect_value(program, symbol, values[i], &weight, err);
    return status ? status : pare_offers_item(&program->offers, weight, err);
}

static pare_status collect(pare_program *program, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++)
        if (program->names.symbols[s].first != PARE_NO_NODE)
            status = collect_symbol(program, s, err);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    int64_t least = pass->claim == PARE_PASS_ANY ? INT64_MIN : 1;
    return pare_program_offer(view, collect, PARE_OFFERS_SINGLE, MOST_ITEMS, least, out, err);
}

const pare_pass pare_binding_inline_values = {
    .name = "inline-values",
    .summary = "puts what a name stands for where it is used, if that saves bytes",
    .source = "LPR's rewrites without a model; C-Reduce, copy-propagation, simple typedefs",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};

const pare_pass pare_binding_spread_values = {
    .name = "spread-values",
    .summary = "puts what a name stands for wherever it is used, also where that takes bytes",
    .source = "as inline-values",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_ANY,
    .offer = offer,
};
