/* bodies: functions lose their bodies: what is in it goes, or all of it where a function
 * may be declared only.
 *
 * Source: C-Reduce's replace-function-def-with-decl; emptying bodies is treereduce's and
 * everybody's.  All at once first, then halves. */
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

static pare_status collect_function(pare_program *program, uint32_t function, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_table *table = syntax->table;
    uint32_t body = pare_syntax_child(syntax, function, syntax->nodes[function].kind->body);
    if (body == PARE_NO_NODE) return PARE_OK;
    const char *texts[] = {NULL, table->no_body};
    if (pare_syntax_is_statement(syntax, function)) texts[0] = table->only_declared;
    if (pare_syntax_is(syntax, body, PARE_ROLE_EXPRESSION)) texts[1] = table->values[0];
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof texts / sizeof *texts; i++) {
        if (!texts[i]) continue;
        status =
            pare_rewrites_replace(&program->offers.rewrites, body, texts[i], strlen(texts[i]), err);
        if (!status) status = pare_offers_alternative(&program->offers, err);
    }
    return status ? status
                  : pare_offers_item(&program->offers, pare_syntax_size(syntax, body), err);
}

static pare_status collect(pare_program *program, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < program->syntax.n; i++)
        if (pare_syntax_is(&program->syntax, i, PARE_ROLE_FUNCTION))
            status = collect_function(program, i, err);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    (void)pass;
    return pare_program_offer(view, collect, PARE_OFFERS_HALVES, 0, 1, out, err);
}

const pare_pass pare_binding_bodies = {
    .name = "bodies",
    .summary = "empties functions, or leaves only their declarations",
    .source = "C-Reduce, replace-function-def-with-decl",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};
