/* The passes over expressions and types: expressions, types, return-nothing.
 *
 * An expression becomes the smallest value of its language, or one of the expressions next
 * inside it; a type becomes the simplest one.  Only what is next inside is offered, however
 * deep it stands in lists; what is further in gets its turn when it is next.  So the number of
 * patches is linear in the nodes, where all pairs of an expression and a descendant would be
 * quadratic.
 * Invariant: a patch puts an expression where an expression stood, a type where a type stood.
 * Source: the worked example of Program Reduction 101 (gcc-59903); C-Reduce's
 * callexpr-to-value, replace-callexpr, empty-struct-to-int and their like; Perses' replacement
 * by a compatible descendant, which knows no values and looks for few descendants. */
#include <string.h>

#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { MOST_ITEMS = 2000, MOST_PARTS = 8, SMALL_TEXT = 512 };

/* An alternative: the expression becomes `value`. */
static pare_status add_value(pare_program *program, uint32_t node, const char *value,
                             pare_error *err)
{
    if (strlen(value) >= pare_syntax_size(&program->syntax, node)) return PARE_OK;
    pare_status status = pare_rewrites_replace(&program->rewrites, node, value, strlen(value), err);
    return status ? status : pare_rewrites_alternative(&program->rewrites, err);
}

/* The expressions next inside, found without going into any of them. */
static pare_status add_parts(pare_program *program, uint32_t node, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t end = syntax->nodes[node].after;
    size_t n = 0;
    pare_status status = PARE_OK;
    for (uint32_t i = node + 1; !status && i < end && n < MOST_PARTS;) {
        /* Statements and blocks have passes of their own, and what is in them is not part of
         * this one. */
        bool inside =
            pare_syntax_is(syntax, i, PARE_ROLE_BLOCK) || pare_syntax_is_statement(syntax, i);
        bool part = pare_syntax_is(syntax, i, PARE_ROLE_EXPRESSION) && !inside;
        if (part) {
            n++;
            status =
                pare_program_keep(program, node, syntax->nodes[i].begin, syntax->nodes[i].end, err);
            if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
        }
        i = part || inside ? syntax->nodes[i].after : i + 1;
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

/* The smallest values (in small texts all of them), then the parts. */
static pare_status collect_expression(pare_program *program, uint32_t node, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    bool small = syntax->view->end - syntax->view->begin <= SMALL_TEXT;
    const char *const *value = syntax->table->values;
    pare_status status = PARE_OK;
    for (; !status && *value && !is_all(syntax, node); value++) {
        /* In a large text the smallest value alone: others seldom matter, and cost a test each. */
        if (value != syntax->table->values && !small) break;
        status = add_value(program, node, *value, err);
    }
    if (!status) status = add_parts(program, node, err);
    return status ? status
                  : pare_rewrites_item(&program->rewrites, pare_syntax_size(syntax, node), err);
}

/* Names that are declared or assigned to are no values, and one byte cannot become shorter. */
static pare_status collect_expressions(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        uint32_t occurrence = program->names.by_leaf[i];
        bool declared = occurrence != PARE_NO_NODE &&
                        program->names.occurrences[occurrence].declaring != PARE_NO_NODE;
        /* A qualified name may be a type, or what is declared. */
        if (pare_syntax_is(syntax, i, PARE_ROLE_QUALIFIED))
            declared = pare_syntax_is_type(syntax, i) || pare_syntax_is_declarator(syntax, i);
        if (!declared && pare_syntax_is(syntax, i, PARE_ROLE_EXPRESSION) &&
            pare_syntax_size(syntax, i) > 1)
            status = collect_expression(program, i, err);
    }
    return status;
}

/* expressions: an expression, a call among them, becomes the smallest value or one of those
 * that it is made of: of a call an argument or what it is called on.  Of a large text only the
 * longest ones are offered.
 * Source: Program Reduction 101: `g = f(a, g(b, c));` cannot go piece by piece, `g = 0;` can. */
static pare_status offer_expressions(const pare_pass *pass, const pare_pass_view *view,
                                     pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_expressions,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_ITEMS,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_expressions = {
    .name = "expressions",
    .summary = "replaces an expression by the smallest value, or by a part of itself",
    .source = "Program Reduction 101; C-Reduce, callexpr-to-value, replace-callexpr",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_expressions,
};

/* An alternative for each type of the table that is shorter. */
static pare_status collect_type(pare_program *program, uint32_t node, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    size_t size = pare_syntax_size(syntax, node);
    pare_status status = PARE_OK;
    for (const char *const *type = syntax->table->types; !status && *type; type++) {
        if (strlen(*type) >= size) continue;
        status = pare_rewrites_replace(&program->rewrites, node, *type, strlen(*type), err);
        if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    }
    return status ? status : pare_rewrites_item(&program->rewrites, size, err);
}

/* Whether a type may become another one where it stands: it is no part of another one or of a name
 * that is declared, no base, and declares more than itself: `struct S { };` among statements does
 * not. */
static bool is_replaceable(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    bool qualified = pare_syntax_is(syntax, node, PARE_ROLE_QUALIFIED);
    if (!pare_syntax_is(syntax, node, PARE_ROLE_TYPE) ||
        pare_syntax_is(syntax, parent, PARE_ROLE_TYPE | PARE_ROLE_TEMPLATE))
        return false;
    if (qualified &&
        (!pare_syntax_is_type(syntax, node) || pare_syntax_is_declarator(syntax, node)))
        return false;
    return !pare_syntax_is_held(syntax, node) && !pare_syntax_is_statement(syntax, node);
}

/* Not a type inside another one, nor the name by which a type is declared. */
static pare_status collect_types(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        uint32_t occurrence = program->names.by_leaf[i];
        bool declared =
            occurrence != PARE_NO_NODE && program->names.occurrences[occurrence].declares;
        if (!declared && is_replaceable(syntax, i)) status = collect_type(program, i, err);
    }
    return status;
}

/* types: a type becomes the simplest one.  Only types that are not part of other types: of
 * `struct { long a; } x` first all, then, when that is tried again, what is in it.
 * Source: C-Reduce's empty-struct-to-int, template-arg-to-int and simplify-*typedef, as far as
 * they need no types; for any language that has a table. */
static pare_status offer_types(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_types,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_types = {
    .name = "types",
    .summary = "replaces types by the simplest one",
    .source = "C-Reduce, empty-struct-to-int and its like, without types",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_types,
};

/* --- functions that return nothing -------------------------------------------------------- */

/* The type that `declaring` begins with; PARE_NO_NODE: there is none, or it is nothing already. */
static uint32_t returned_type(const pare_syntax *syntax, uint32_t declaring)
{
    const char *nothing = syntax->table->nothing;
    uint32_t child = pare_syntax_first(syntax, declaring);
    while (child != PARE_NO_NODE && !pare_syntax_is_type(syntax, child))
        child = pare_syntax_next(syntax, child);
    bool same = child != PARE_NO_NODE && pare_syntax_size(syntax, child) == strlen(nothing) &&
                memcmp(pare_syntax_text(syntax, child), nothing, strlen(nothing)) == 0;
    return same ? PARE_NO_NODE : child;
}

/* Whether nobody asks what the function returns: it is only called, in statements of their own. */
static bool is_ignored(const pare_program *program, uint32_t symbol)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    for (uint32_t o = program->names.symbols[symbol].first; o != PARE_NO_NODE;
         o = occurrences[o].next) {
        if (occurrences[o].declares) continue;
        uint32_t call = pare_program_call(program, o);
        if (call == PARE_NO_NODE || !is_all(syntax, call) ||
            !pare_syntax_is(syntax, syntax->nodes[call].parent, PARE_ROLE_HOLDER))
            return false;
    }
    return true;
}

/* Wishes that statements in the function return nothing; not in functions inside it. */
static pare_status empty_returns(pare_program *program, uint32_t function, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = function + 1; !status && i < syntax->nodes[function].after;) {
        bool inner = pare_syntax_is(syntax, i, PARE_ROLE_FUNCTION);
        uint32_t value = pare_syntax_is(syntax, i, PARE_ROLE_RETURN)
                             ? pare_syntax_child(syntax, i, syntax->nodes[i].kind->value)
                             : PARE_NO_NODE;
        uint32_t word = value == PARE_NO_NODE ? PARE_NO_NODE : syntax->nodes[value].before;
        if (word != PARE_NO_NODE)
            status = pare_rewrites_range(&program->rewrites, syntax->nodes[word].end,
                                         syntax->nodes[value].end, NULL, 0, err);
        i = inner ? syntax->nodes[i].after : i + 1;
    }
    return status;
}

/* Wishes it for all declarations of the function; nothing if one of them has no such type. */
static pare_status collect_nothing(pare_program *program, uint32_t symbol, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    const char *nothing = syntax->table->nothing;
    uint32_t function = pare_bindings_function(&program->names, symbol);
    /* A function that is the value of a name has no type of its own. */
    if (function == PARE_NO_NODE || pare_syntax_is(syntax, function, PARE_ROLE_EXPRESSION) ||
        pare_program_is_entry(program, symbol) || !is_ignored(program, symbol))
        return PARE_OK;
    pare_status status = empty_returns(program, function, err);
    uint32_t o = program->names.symbols[symbol].first;
    for (; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        uint32_t declaring = occurrences[o].declares ? occurrences[o].declaring : PARE_NO_NODE;
        uint32_t type = declaring == PARE_NO_NODE ? PARE_NO_NODE : returned_type(syntax, declaring);
        if (type != PARE_NO_NODE)
            status = pare_rewrites_replace(&program->rewrites, type, nothing, strlen(nothing), err);
    }
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status : pare_rewrites_item(&program->rewrites, 1, err);
}

/* Each function with a name, in languages that have a word for nothing. */
static pare_status collect_nothings(pare_program *program, pare_error *err)
{
    pare_status status = PARE_OK;
    if (!program->syntax.table->nothing) return PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++)
        if (program->names.symbols[s].first != PARE_NO_NODE)
            status = collect_nothing(program, s, err);
    return status;
}

/* return-nothing: a function of which nobody asks what it returns does not return it.
 * Source: C-Reduce's return-void. */
static pare_status offer_nothing(const pare_pass *pass, const pare_pass_view *view,
                                 pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_nothings,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_return_nothing = {
    .name = "return-nothing",
    .summary = "makes functions return nothing if no caller uses the result",
    .source = "C-Reduce, return-void",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_nothing,
};
