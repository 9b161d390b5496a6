/* dimensions: what is declared as an array loses a dimension, and its uses an index.
 *
 * All dimensions at once, then the outer one, then the inner one alone.
 *
 * Source: C-Reduce's remove-array and reduce-array-dim, for any language whose declarations
 * say how many dimensions there are. */
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/language.h"
#include "reduce/binding/offers.h"
#include "reduce/binding/passes.h"
#include "reduce/binding/program.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { ALL = 64 };

/* Cuts at most `most` dimensions around the declared name at `leaf`, from the inside. */
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

/* Cuts the first `n` indices behind the use at `leaf`. */
static pare_status cut_indices(pare_program *program, uint32_t leaf, size_t n, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    uint32_t node = leaf, parent = syntax->nodes[node].parent;
    while (!status && n-- && parent != PARE_NO_NODE) {
        const pare_syntax_kind *kind = syntax->nodes[parent].kind;
        bool index =
            kind->roles & PARE_ROLE_SUBSCRIPT && pare_syntax_matches(syntax, node, kind->object);
        if (!index) break;
        status = pare_program_keep(program, parent, syntax->nodes[node].begin,
                                   syntax->nodes[node].end, err);
        node = parent;
        parent = syntax->nodes[node].parent;
    }
    return status;
}

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
    return status ? status : pare_offers_alternative(&program->offers, err);
}

static pare_status collect(pare_program *program, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++) {
        size_t n = 0, one = 0;
        status = collect_most(program, s, ALL, &n, err);
        if (!status && n > 1) status = collect_most(program, s, 1, &one, err);
        if (!status) status = pare_offers_item(&program->offers, n, err);
    }
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    (void)pass;
    return pare_program_offer(view, collect, PARE_OFFERS_HALVES, 0, 1, out, err);
}

const pare_pass pare_binding_dimensions = {
    .name = "dimensions",
    .summary = "leaves out dimensions of arrays together with the indices of their uses",
    .source = "C-Reduce, remove-array, reduce-array-dim",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};
