/* unused: declarations that nothing uses go together, and with them those that only they
 * use, and so on.
 *
 * A use counts only if it stands in no declaration that goes, its own included.  That is
 * found in rounds, each of which looks at all nodes once.
 *
 * Source: C-Reduce's remove-unused-function, -var, -field and their like, one pass each and
 * one declaration a test; here all of them are one candidate, halved when it fails. */
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/language.h"
#include "reduce/binding/offers.h"
#include "reduce/binding/passes.h"
#include "reduce/binding/program.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { MOST_ROUNDS = 16 };

struct marks {
    bool *dead;    /* by symbol */
    uint32_t *end; /* by node: behind the dead unit that it is in, or 0 */
};

/* Notes which nodes are in units of dead symbols. */
static void cover(const pare_program *program, struct marks *marks)
{
    const pare_syntax *syntax = &program->syntax;
    for (uint32_t i = 0; i < syntax->n; i++)
        marks->end[i] = 0;
    for (uint32_t o = 0; o < program->names.n_occurrences; o++) {
        const pare_occurrence *self = &program->names.occurrences[o];
        if (self->declares && self->unit != PARE_NO_NODE && marks->dead[self->symbol])
            marks->end[self->unit] = syntax->nodes[self->unit].behind;
    }
    uint32_t end = 0;
    for (uint32_t i = 0; i < syntax->n; i++) {
        if (marks->end[i] > end) end = marks->end[i];
        marks->end[i] = i < end ? end : 0;
    }
}

/* A parameter that goes changes calls, which is what parameters.c is for. */
static bool is_parameter(const pare_syntax *syntax, uint32_t unit)
{
    uint32_t parent = syntax->nodes[unit].parent;
    return parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_PARAMETERS);
}

static bool is_entry(const pare_program *program, uint32_t symbol)
{
    const pare_syntax *syntax = &program->syntax;
    const char *entry = syntax->table->entry;
    uint32_t leaf = program->names.occurrences[program->names.symbols[symbol].first].leaf;
    return entry && strlen(entry) == pare_syntax_size(syntax, leaf) &&
           memcmp(entry, pare_syntax_text(syntax, leaf), strlen(entry)) == 0;
}

/* Whether all uses stand in what goes, and all declarations can. */
static bool is_unused(const pare_program *program, const struct marks *marks, uint32_t symbol)
{
    const pare_occurrence *occurrences = program->names.occurrences;
    if (program->names.symbols[symbol].first == PARE_NO_NODE || is_entry(program, symbol))
        return false;
    uint32_t own_end = 0;
    uint32_t o = program->names.symbols[symbol].first;
    for (; o != PARE_NO_NODE; o = occurrences[o].next) {
        const pare_occurrence *self = &occurrences[o];
        if (self->declares) {
            if (self->unit == PARE_NO_NODE || is_parameter(&program->syntax, self->unit))
                return false;
            uint32_t behind = program->syntax.nodes[self->unit].behind;
            if (behind > own_end) own_end = behind;
        } else if (self->leaf >= own_end && !marks->end[self->leaf]) {
            return false;
        }
    }
    return own_end > 0;
}

static void find(const pare_program *program, struct marks *marks)
{
    bool more = true;
    cover(program, marks);
    for (int round = 0; more && round < MOST_ROUNDS; round++) {
        more = false;
        for (uint32_t s = 0; s < program->names.n_symbols; s++) {
            if (marks->dead[s] || !is_unused(program, marks, s)) continue;
            marks->dead[s] = more = true;
        }
        cover(program, marks);
    }
}

/* Whether it goes with what it is declared in anyway. */
static bool is_inside(const pare_program *program, const struct marks *marks, uint32_t symbol)
{
    uint32_t unit = pare_bindings_unit(&program->names, symbol);
    uint32_t parent = program->syntax.nodes[unit].parent;
    return parent != PARE_NO_NODE && marks->end[parent];
}

static pare_status add_items(pare_program *program, const struct marks *marks, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++) {
        if (!marks->dead[s] || is_inside(program, marks, s)) continue;
        const pare_occurrence *occurrences = program->names.occurrences;
        uint32_t o = program->names.symbols[s].first;
        for (; !status && o != PARE_NO_NODE; o = occurrences[o].next)
            if (occurrences[o].declares) status = pare_program_remove(program, o, err);
        if (!status) status = pare_offers_alternative(&program->offers, err);
        if (!status)
            status = pare_offers_item(&program->offers, pare_program_weight(program, s), err);
    }
    return status;
}

static pare_status collect(pare_program *program, pare_error *err)
{
    struct marks marks = {0};
    marks.dead = pare_alloc_zero(program->names.n_symbols, sizeof *marks.dead);
    marks.end = pare_alloc_zero(program->syntax.n, sizeof *marks.end);
    pare_status status = PARE_OK;
    if (marks.dead && marks.end) {
        find(program, &marks);
        status = add_items(program, &marks, err);
    } else {
        status = pare_fail_nomem(err);
    }
    pare_release(marks.dead);
    pare_release(marks.end);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    (void)pass;
    return pare_program_offer(view, collect, PARE_OFFERS_HALVES, 0, 1, out, err);
}

const pare_pass pare_binding_unused = {
    .name = "unused",
    .summary = "leaves out what nothing uses, and what only that uses",
    .source = "C-Reduce, remove-unused-*; all at once here",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};
