/* The passes over functions: parameter-variables, undefined-functions, operator-names.
 *
 * A parameter becomes a variable, in the function or before it, so that what is given for it goes
 * while what uses it stays; functions that are only declared become one, if they are declared
 * alike; what an operator means becomes a function with a short name, which is enough where nobody
 * writes the operator.
 * Invariant: one patch changes all declarations and all calls of what it is about.
 * Source: C-Reduce's param-to-local, param-to-global, replace-undefined-function and its passes
 * that rename, by names and syntax alone.
 * Cost: no tests; O(n log n) for n functions. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { MOST_ITEMS = 1000, MOST_PARAMETERS = 16 };

/* --- parameter-variables ----------------------------------------------------------------- */

/* A parameter that becomes a variable. */
struct parameter {
    uint32_t symbol, function; /* of the function */
    uint32_t node;
    size_t index;
};

/* Whether something with a name is declared in `parameter`. */
static bool has_name(const pare_program *program, uint32_t parameter)
{
    for (uint32_t i = parameter; i < program->syntax.nodes[parameter].after; i++) {
        uint32_t o = program->names.by_leaf[i];
        if (o != PARE_NO_NODE && program->names.occurrences[o].declares) return true;
    }
    return false;
}

/* An alternative: the parameter goes, and its text with what ends it stands at byte `at`.
 *
 * The parameter's own text is the declaration: "int n" and the table's ";". What calls give for
 * it goes, too, so the variable has no value; that is what the test is for. */
static pare_status declare_at(pare_program *program, const struct parameter *parameter, uint32_t at,
                              pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_rewrites *rewrites = &program->rewrites;
    pare_buffer text = {0};
    pare_status status = pare_buffer_add(&text, pare_syntax_text(syntax, parameter->node),
                                         pare_syntax_size(syntax, parameter->node), err);
    if (!status) status = pare_buffer_text(&text, syntax->table->after_parameter, err);
    if (!status) status = pare_rewrites_range(rewrites, at, at, text.data, text.size, err);
    if (!status) status = pare_rewrites_remove(rewrites, parameter->node, err);
    if (!status)
        status = pare_program_remove_parameter(program, parameter->symbol, parameter->function,
                                               parameter->index, err);
    pare_buffer_done(&text);
    return status ? status : pare_rewrites_alternative(rewrites, err);
}

/* An item: a variable at the beginning of the function's body, or before the function. Example:
 * "int f(int n) { return n; }" becomes "int f() {int n; return n; }", or "int n;int f() {
 * return n; }". Nothing for a function without a body in brackets. */
static pare_status collect_parameter(pare_program *program, const struct parameter *parameter,
                                     pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t body = pare_syntax_child(syntax, parameter->function,
                                      syntax->nodes[parameter->function].kind->body);
    uint32_t statement = syntax->nodes[parameter->function].statement;
    if (body == PARE_NO_NODE || !pare_syntax_is(syntax, body, PARE_ROLE_BLOCK)) return PARE_OK;
    pare_status status = declare_at(program, parameter, syntax->nodes[body].begin + 1, err);
    if (!status && statement != PARE_NO_NODE)
        status = declare_at(program, parameter, syntax->nodes[statement].begin, err);
    return status ? status
                  : pare_rewrites_item(&program->rewrites,
                                       pare_syntax_size(syntax, parameter->node), err);
}

/* Each parameter with a name of the function. At most MOST_PARAMETERS of them. The index counts
 * all parameters, as that of the argument does. */
static pare_status collect_function(pare_program *program, uint32_t function, uint32_t symbol,
                                    pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t list = pare_syntax_parameters(syntax, function);
    pare_status status = PARE_OK;
    if (list == PARE_NO_NODE || !pare_syntax_is(syntax, list, PARE_ROLE_PARAMETERS)) return PARE_OK;
    uint32_t node = pare_syntax_child(syntax, list, "*");
    for (size_t i = 0; !status && node != PARE_NO_NODE && i < MOST_PARAMETERS; i++) {
        const struct parameter parameter = {
            .symbol = symbol, .function = function, .node = node, .index = i};
        if (has_name(program, node)) status = collect_parameter(program, &parameter, err);
        node = pare_syntax_element_after(syntax, node);
    }
    return status;
}

/* Functions with a name, which have a call that something is given in. */
static pare_status collect_variables(pare_program *program, pare_error *err)
{
    const pare_bindings *names = &program->names;
    pare_status status = PARE_OK;
    if (!program->syntax.table->after_parameter) return PARE_OK;
    for (uint32_t s = 0; !status && s < names->n_symbols; s++) {
        if (names->symbols[s].first == PARE_NO_NODE || !names->symbols[s].n_uses) continue;
        uint32_t function = pare_bindings_function(names, s);
        if (function != PARE_NO_NODE) status = collect_function(program, function, s, err);
    }
    return status;
}

/* parameter-variables: a parameter becomes a variable of the function, or one before it, without
 * what calls give for it.
 * Source: C-Reduce's param-to-local and param-to-global; only where that saves bytes. */
static pare_status offer_variables(const pare_pass *pass, const pare_pass_view *view,
                                   pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_variables,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_ITEMS,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_parameter_variables = {
    .name = "parameter-variables",
    .summary = "turns parameters into variables, and removes the arguments in calls",
    .source = "C-Reduce, param-to-local, param-to-global",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_variables,
};

/* --- undefined-functions ----------------------------------------------------------------- */

/* A function that is only declared, once: its declaration is `before`, its name, and `after`. */
struct undefined {
    uint32_t symbol, declared; /* occurrence */
    const char *before, *after;
    size_t before_size, after_size;
};

/* Fills in the symbol's declaration; false: it is no such function.
 *
 * It is declared once, alone in its declaration, without a value, with parameters, and it is no
 * entry (main). The text around its name is what is compared: return type, parameters and the
 * rest. */
static bool find_undefined(const pare_program *program, uint32_t symbol, struct undefined *found)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_bound *bound = &program->names.symbols[symbol];
    uint32_t o = bound->first;
    if (o == PARE_NO_NODE || bound->n_declarations != 1 || pare_program_is_entry(program, symbol))
        return false;
    while (!program->names.occurrences[o].declares)
        o = program->names.occurrences[o].next;
    const pare_occurrence *self = &program->names.occurrences[o];
    uint32_t declaring = self->declaring;
    if (declaring == PARE_NO_NODE || self->unit != declaring || self->value != PARE_NO_NODE ||
        pare_syntax_is(syntax, declaring, PARE_ROLE_FUNCTION | PARE_ROLE_TYPE) ||
        pare_syntax_parameters(syntax, declaring) == PARE_NO_NODE)
        return false;
    const pare_syntax_node *whole = &syntax->nodes[declaring], *leaf = &syntax->nodes[self->leaf];
    *found = (struct undefined){.symbol = symbol,
                                .declared = o,
                                .before = pare_syntax_text(syntax, declaring),
                                .before_size = leaf->begin - whole->begin,
                                .after = pare_syntax_text(syntax, self->leaf) +
                                         (leaf->end - leaf->begin),
                                .after_size = whole->end - leaf->end};
    return true;
}

/* By length, then by bytes. The length first, since that needs no look at the bytes. 0: they
 * are the same. */
static int compare_texts(const char *a, size_t a_size, const char *b, size_t b_size)
{
    if (a_size != b_size) return a_size < b_size ? -1 : 1;
    return memcmp(a, b, a_size);
}

/* Those that are declared alike stand together, in the order of the text. The last key keeps
 * the order of the text, so that the first one is the one that stays. */
static int by_declaration(const void *a, const void *b)
{
    const struct undefined *x = a, *y = b;
    int order = compare_texts(x->before, x->before_size, y->before, y->before_size);
    if (!order) order = compare_texts(x->after, x->after_size, y->after, y->after_size);
    return order ? order : (x->declared > y->declared) - (x->declared < y->declared);
}

/* An item: the function becomes the one that is declared like it before. All uses get the name
 * of the first, and the declaration goes. */
static pare_status replace_function(pare_program *program, const struct undefined *self,
                                    const struct undefined *first, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    uint32_t name = occurrences[first->declared].leaf;
    pare_status status = pare_program_remove(program, self->declared, err);
    uint32_t o = program->names.symbols[self->symbol].first;
    for (; !status && o != PARE_NO_NODE; o = occurrences[o].next)
        if (o != self->declared)
            status = pare_rewrites_replace(&program->rewrites, occurrences[o].leaf,
                                           pare_syntax_text(syntax, name),
                                           pare_syntax_size(syntax, name), err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status
               ? status
               : pare_rewrites_item(&program->rewrites, self->before_size + self->after_size, err);
}

/* Each function that is only declared but the first one of its kind. Of each group of
 * declarations that are alike the first stays. */
static pare_status collect_undefined(pare_program *program, pare_error *err)
{
    size_t n = 0;
    pare_status status = PARE_OK;
    struct undefined *all = pare_alloc_zero(program->names.n_symbols + 1, sizeof *all);
    if (!all) return pare_fail_nomem(err);
    for (uint32_t s = 0; s < program->names.n_symbols; s++)
        n += find_undefined(program, s, &all[n]);
    if (n > 1) qsort(all, n, sizeof *all, by_declaration);
    for (size_t i = 1, first = 0; !status && i < n; i++) {
        bool alike = !compare_texts(all[i].before, all[i].before_size, all[first].before,
                                    all[first].before_size) &&
                     !compare_texts(all[i].after, all[i].after_size, all[first].after,
                                    all[first].after_size);
        if (alike)
            status = replace_function(program, &all[i], &all[first], err);
        else
            first = i;
    }
    pare_alloc_free(all);
    return status;
}

/* undefined-functions: of functions that are only declared, and alike, one is left.
 * Source: C-Reduce's replace-undefined-function; types are compared by their text. */
static pare_status offer_undefined(const pare_pass *pass, const pare_pass_view *view,
                                   pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_undefined,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_undefined_functions = {
    .name = "undefined-functions",
    .summary = "merges functions of the same type that are only declared",
    .source = "C-Reduce, replace-undefined-function",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_undefined,
};

/* --- operator-names ---------------------------------------------------------------------- */

/* Wishes that the operator at `node` gets `name`.  Of one that converts to a type (`operator T()`),
 * the type stays, as what the function returns.
 *
 * Examples: "int operator+(S);" becomes "int a(S);"; "operator T();" becomes "T a();", where
 * the word goes and the name stands before the parameters. */
static pare_status name_operator(pare_program *program, uint32_t node, const char *name,
                                 pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t type = pare_syntax_first(syntax, node), list = node;
    while (type != PARE_NO_NODE && !pare_syntax_is_type(syntax, type))
        type = pare_syntax_next(syntax, type);
    while (list < syntax->nodes[node].after && !pare_syntax_is(syntax, list, PARE_ROLE_PARAMETERS))
        list++;
    if (type == PARE_NO_NODE || list == syntax->nodes[node].after)
        return pare_rewrites_replace(&program->rewrites, node, name, strlen(name), err);
    uint32_t begin = syntax->nodes[list].begin;
    pare_status status = pare_rewrites_range(&program->rewrites, syntax->nodes[node].begin,
                                             syntax->nodes[type].begin, NULL, 0, err);
    return status ? status
                  : pare_rewrites_range(&program->rewrites, begin, begin, name, strlen(name), err);
}

/* Whether both operators are written alike. */
static bool are_alike(const pare_syntax *syntax, uint32_t a, uint32_t b)
{
    return compare_texts(pare_syntax_text(syntax, a), pare_syntax_size(syntax, a),
                         pare_syntax_text(syntax, b), pare_syntax_size(syntax, b)) == 0;
}

/* An item for each operator, in all places where it is named: it gets a name that nobody has.
 *
 * One name is enough for all, since each item is a change of its own. Cost: O(nodes) for each
 * of the first MOST_OPERATORS operators. */
static pare_status collect_operators(pare_program *program, pare_error *err)
{
    enum { MOST_OPERATORS = 64 };
    const pare_syntax *syntax = &program->syntax;
    uint32_t firsts[MOST_OPERATORS];
    char name[3];
    size_t n = 0;
    pare_status status = PARE_OK;
    if (!syntax->table->operators) return PARE_OK;
    pare_program_unused_name(program, name);
    for (uint32_t i = 1; !status && i < syntax->n && n < MOST_OPERATORS; i++) {
        size_t known = 0;
        if (!pare_syntax_matches(syntax, i, syntax->table->operators)) continue;
        while (known < n && !are_alike(syntax, firsts[known], i))
            known++;
        if (known < n) continue;
        firsts[n++] = i;
        for (uint32_t k = i; !status && k < syntax->n; k++)
            if (pare_syntax_matches(syntax, k, syntax->table->operators) && are_alike(syntax, i, k))
                status = name_operator(program, k, name, err);
        if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
        if (!status) status = pare_rewrites_item(&program->rewrites, 1, err);
    }
    assert(n <= MOST_OPERATORS);
    return status;
}

/* operator-names: an operator that is declared gets a short name in its place.
 * Source: C-Reduce's passes that rename methods, for what has no name. */
static pare_status offer_operators(const pare_pass *pass, const pare_pass_view *view,
                                   pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_operators,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_ITEMS,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_operator_names = {
    .name = "operator-names",
    .summary = "replaces declared operators by functions with a short name",
    .source = "C-Reduce, rename-cxx-method, of operators",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_operators,
};
