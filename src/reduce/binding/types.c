/* types: a type becomes the simplest one.
 *
 * Only types that are not part of other types: of `struct { long a; } x` first all, then,
 * when that is tried again, what is in it.
 *
 * Source: C-Reduce's empty-struct-to-int, template-arg-to-int and simplify-*typedef, as far
 * as they need no types; for any language that has a table. */
#include <string.h>

#include "parse/parse_tree.h"
#include "reduce/binding/language.h"
#include "reduce/binding/offers.h"
#include "reduce/binding/passes.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

static pare_status collect_type(pare_program *program, uint32_t node, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    size_t size = pare_syntax_size(syntax, node);
    pare_status status = PARE_OK;
    for (const char *const *type = syntax->table->types; !status && *type; type++) {
        if (strlen(*type) >= size) continue;
        status = pare_rewrites_replace(&program->offers.rewrites, node, *type, strlen(*type), err);
        if (!status) status = pare_offers_alternative(&program->offers, err);
    }
    return status ? status : pare_offers_item(&program->offers, size, err);
}

static pare_status collect(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        uint32_t occurrence = program->names.by_leaf[i];
        bool declared =
            occurrence != PARE_NO_NODE && program->names.occurrences[occurrence].declares;
        if (!pare_syntax_is(syntax, i, PARE_ROLE_TYPE) || declared) continue;
        if (!pare_syntax_is(syntax, syntax->nodes[i].parent, PARE_ROLE_TYPE))
            status = collect_type(program, i, err);
    }
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    (void)pass;
    return pare_program_offer(view, collect, PARE_OFFERS_HALVES, 0, 1, out, err);
}

const pare_pass pare_binding_types = {
    .name = "types",
    .summary = "makes types the simplest one",
    .source = "C-Reduce, empty-struct-to-int and its like, without types",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};
