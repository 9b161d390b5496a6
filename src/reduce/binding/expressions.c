/* expressions: an expression, a call among them, becomes the smallest value or one of those
 * that it is made of: of a call an argument or what it is called on.
 *
 * Expressions that are next inside count, however deep they stand in lists; those further in
 * get their turn when they are next.  Of a large text only the longest ones are offered.
 *
 * Source: the worked example of Program Reduction 101 (gcc-59903): `g = f(a, g(b, c));`
 * cannot go piece by piece, `g = 0;` can; C-Reduce's callexpr-to-value and
 * replace-callexpr; Perses' replacement by a compatible descendant, which knows no values
 * and looks for few descendants. */
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

enum { MOST_ITEMS = 2000, MOST_PARTS = 8, SMALL_TEXT = 512 };

static pare_status add_value(pare_program *program, uint32_t node, const char *value,
                             pare_error *err)
{
    if (strlen(value) >= pare_syntax_size(&program->syntax, node)) return PARE_OK;
    pare_status status =
        pare_rewrites_replace(&program->offers.rewrites, node, value, strlen(value), err);
    return status ? status : pare_offers_alternative(&program->offers, err);
}

/* The expressions next inside, found without going into any of them. */
static pare_status add_parts(pare_program *program, uint32_t node, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t behind = syntax->nodes[node].behind;
    size_t n = 0;
    pare_status status = PARE_OK;
    for (uint32_t i = node + 1; !status && i < behind && n < MOST_PARTS;) {
        bool inside =
            pare_syntax_is(syntax, i, PARE_ROLE_BLOCK) || pare_syntax_is_statement(syntax, i);
        bool part = pare_syntax_is(syntax, i, PARE_ROLE_EXPRESSION) && !inside;
        if (part) {
            n++;
            status =
                pare_program_keep(program, node, syntax->nodes[i].begin, syntax->nodes[i].end, err);
            if (!status) status = pare_offers_alternative(&program->offers, err);
        }
        i = part || inside ? syntax->nodes[i].behind : i + 1;
    }
    return status;
}

/* Whether nothing but this makes up its statement: as a value it would do nothing. */
static bool is_all(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    return syntax->nodes[node].statement == parent &&
           pare_syntax_only_element(syntax, parent) == node &&
           !pare_syntax_is(syntax, parent, PARE_ROLE_RETURN);
}

static pare_status collect_expression(pare_program *program, uint32_t node, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    bool small = syntax->view->end - syntax->view->begin <= SMALL_TEXT;
    const char *const *value = syntax->table->values;
    pare_status status = PARE_OK;
    for (; !status && *value && !is_all(syntax, node); value++) {
        if (value != syntax->table->values && !small) break;
        status = add_value(program, node, *value, err);
    }
    if (!status) status = add_parts(program, node, err);
    return status ? status
                  : pare_offers_item(&program->offers, pare_syntax_size(syntax, node), err);
}

static pare_status collect(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        uint32_t occurrence = program->names.by_leaf[i];
        bool declared = occurrence != PARE_NO_NODE &&
                        program->names.occurrences[occurrence].declaring != PARE_NO_NODE;
        if (!declared && pare_syntax_is(syntax, i, PARE_ROLE_EXPRESSION) &&
            pare_syntax_size(syntax, i) > 1)
            status = collect_expression(program, i, err);
    }
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    (void)pass;
    return pare_program_offer(view, collect, PARE_OFFERS_SINGLE, MOST_ITEMS, 1, out, err);
}

const pare_pass pare_binding_expressions = {
    .name = "expressions",
    .summary = "makes expressions the smallest value, or one of their own parts",
    .source = "Program Reduction 101; C-Reduce, callexpr-to-value, replace-callexpr",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};
