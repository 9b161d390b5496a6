/* inline-calls, spread-calls: a call becomes what the function does, with its arguments for
 * its parameters, and the function goes if nothing else uses it.
 *
 * A call becomes the expression that is returned; a statement that is nothing but the call
 * the statements of the function; where the function has statements before what it returns,
 * they come before the statement that holds the call.  That changes when things happen: the
 * test says whether it matters.  spread-calls has all calls of a function in one patch, too,
 * with which the function goes.
 *
 * Source: C-Reduce's simple-inliner and replace-callexpr, LPR's "inline a function" (arXiv
 * 2312.13064), for any language that has a table. */
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

enum {
    MOST_ITEMS = 1000,
    MOST_PARAMETERS = 16,
    MOST_BODY = 4096,
    MOST_FUNCTIONS = 4,
    MOST_SPREAD = 8192 /* bytes that all calls of a function come to */
};

/* A call and the function that it calls. */
struct call {
    uint32_t node, function, body;
    uint32_t symbol; /* of the function; PARE_NO_SYMBOL: it is written out in the call */
    bool only;       /* the symbol means no other function */
    bool together;   /* with the other calls of the function, which goes with them */
    pare_binding_of bindings[MOST_PARAMETERS];
    size_t n;
};

/* The symbol that a parameter declares, or PARE_NO_SYMBOL. */
static uint32_t declared_in(const pare_program *program, uint32_t parameter)
{
    for (uint32_t i = parameter; i < program->syntax.nodes[parameter].behind; i++) {
        uint32_t occurrence = program->names.by_leaf[i];
        if (occurrence != PARE_NO_NODE && program->names.occurrences[occurrence].declares)
            return program->names.occurrences[occurrence].symbol;
    }
    return PARE_NO_SYMBOL;
}

/* Binds parameters to arguments, in order; false when there are too many. */
static bool bind(const pare_program *program, struct call *call)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t list = pare_syntax_parameters(syntax, call->function);
    uint32_t given = pare_syntax_child(syntax, call->node, syntax->nodes[call->node].kind->list);
    uint32_t parameter = list, argument = PARE_NO_NODE;
    if (list != PARE_NO_NODE && pare_syntax_is(syntax, list, PARE_ROLE_PARAMETERS))
        parameter = pare_syntax_child(syntax, list, "*");
    if (given != PARE_NO_NODE) argument = pare_syntax_child(syntax, given, "*");
    while (parameter != PARE_NO_NODE) {
        if (call->n == MOST_PARAMETERS) return false;
        call->bindings[call->n++] =
            (pare_binding_of){.symbol = declared_in(program, parameter), .argument = argument};
        if (parameter == list) break; /* the only one, without a list */
        parameter = pare_syntax_element_behind(syntax, parameter);
        if (argument != PARE_NO_NODE) argument = pare_syntax_element_behind(syntax, argument);
    }
    return true;
}

/* Functions that may be called, by name or written out, at `node`: at most MOST_FUNCTIONS;
 * *symbol is theirs. */
static size_t find_functions(const pare_program *program, uint32_t node, uint32_t *functions,
                             uint32_t *symbol)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_kind *kind = syntax->nodes[node].kind;
    uint32_t callee = pare_syntax_child(
        syntax, node, kind->roles & PARE_ROLE_ACCESS ? kind->names : kind->object);
    *symbol = PARE_NO_SYMBOL;
    while (callee != PARE_NO_NODE && !pare_syntax_is(syntax, callee, PARE_ROLE_FUNCTION)) {
        const pare_syntax_kind *inner = syntax->nodes[callee].kind;
        uint32_t occurrence = program->names.by_leaf[callee];
        if (occurrence != PARE_NO_NODE) {
            *symbol = program->names.occurrences[occurrence].symbol;
            if (*symbol == PARE_NO_SYMBOL) return 0;
            return pare_bindings_functions(&program->names, *symbol, functions, MOST_FUNCTIONS);
        }
        callee = inner->roles & PARE_ROLE_ACCESS ? pare_syntax_child(syntax, callee, inner->names)
                                                 : pare_syntax_only_element(syntax, callee);
    }
    functions[0] = callee;
    return callee != PARE_NO_NODE;
}

/* What a statement of a function returns; PARE_NO_NODE: nothing, or it is no return. */
static uint32_t returned(const pare_syntax *syntax, uint32_t statement)
{
    if (!pare_syntax_is(syntax, statement, PARE_ROLE_RETURN)) return PARE_NO_NODE;
    uint32_t value = pare_syntax_child(syntax, statement, syntax->nodes[statement].kind->value);
    while (value != PARE_NO_NODE && !pare_syntax_is(syntax, value, PARE_ROLE_EXPRESSION))
        value = pare_syntax_only_element(syntax, value);
    return value;
}

static uint32_t last_element(const pare_syntax *syntax, uint32_t list)
{
    uint32_t last = PARE_NO_NODE;
    for (uint32_t i = pare_syntax_child(syntax, list, "*"); i != PARE_NO_NODE;
         i = pare_syntax_element_behind(syntax, i))
        last = i;
    return last;
}

/* Appends an expression of the function's, bound, as it has to be in the place of the call. */
static pare_status append_value(const pare_program *program, const struct call *call,
                                uint32_t value, uint32_t place, pare_buffer *text, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_node *self = &syntax->nodes[value];
    bool wrapped = pare_needs_parentheses(syntax, value, place);
    pare_status status = wrapped ? pare_buffer_text(text, "(", err) : PARE_OK;
    if (!status)
        status = pare_append_bound(program, self->begin, self->end, value, call->bindings, call->n,
                                   text, err);
    if (!status && wrapped) status = pare_buffer_text(text, ")", err);
    return status;
}

/* Appends the statements of the function but the last `n_left` elements. */
static pare_status append_statements(const pare_program *program, const struct call *call,
                                     uint32_t end, pare_buffer *text, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t first = pare_syntax_child(syntax, call->body, "*");
    if (first == PARE_NO_NODE || syntax->nodes[first].begin >= end) return PARE_OK;
    return pare_append_bound(program, syntax->nodes[first].begin, end, call->body, call->bindings,
                             call->n, text, err);
}

/* Whether `occurrence` declares no other function than the one that is called. */
static bool is_declaration(const pare_program *program, const struct call *call,
                           const pare_occurrence *occurrence)
{
    if (!occurrence->declares || occurrence->unit == PARE_NO_NODE) return false;
    return call->only || pare_syntax_holds(&program->syntax, occurrence->unit, call->function);
}

/* The function goes if this call was its only use, or all others become what it does. */
static pare_status remove_function(pare_program *program, const struct call *call, pare_error *err)
{
    const pare_occurrence *occurrences = program->names.occurrences;
    if (call->symbol == PARE_NO_SYMBOL) return PARE_OK;
    const pare_bound *symbol = &program->names.symbols[call->symbol];
    pare_status status = PARE_OK;
    if (symbol->n_uses != 1 && !call->together) return PARE_OK;
    for (uint32_t o = symbol->first; !status && o != PARE_NO_NODE; o = occurrences[o].next)
        if (is_declaration(program, call, &occurrences[o]))
            status = pare_program_remove(program, o, err);
    return status;
}

static pare_status finish(pare_program *program, const struct call *call, uint32_t place,
                          const pare_buffer *text, pare_error *err)
{
    pare_status status = pare_rewrites_replace(&program->offers.rewrites, place,
                                               text->data ? text->data : "", text->size, err);
    if (status || call->together) return status;
    status = remove_function(program, call, err);
    return status ? status : pare_offers_alternative(&program->offers, err);
}

/* The call becomes `value` of the function, which has nothing else that counts. */
static pare_status by_value(pare_program *program, const struct call *call, uint32_t value,
                            pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = append_value(program, call, value, call->node, &text, err);
    if (!status) status = finish(program, call, call->node, &text, err);
    pare_buffer_done(&text);
    return status;
}

/* Whether `place` stands among statements, where others may be put before it. */
static bool is_among_statements(const pare_syntax *syntax, uint32_t place)
{
    uint32_t parent = place == PARE_NO_NODE ? PARE_NO_NODE : syntax->nodes[place].parent;
    return parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_BLOCK);
}

/* The statements of the function come before the one that holds the call, which becomes what
 * the function returns; if it is nothing but the call, it goes or that stays. */
static pare_status by_statements(pare_program *program, const struct call *call, uint32_t value,
                                 uint32_t end, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t statement = syntax->nodes[call->node].statement;
    if (!is_among_statements(syntax, statement)) return PARE_OK;
    const pare_syntax_node *around = &syntax->nodes[statement], *self = &syntax->nodes[call->node];
    bool holder = pare_syntax_is(syntax, statement, PARE_ROLE_HOLDER);
    bool alone = statement == call->node ||
                 (holder && pare_syntax_only_element(syntax, statement) == call->node);
    bool bare = alone && value == PARE_NO_NODE;
    const char *between = syntax->table->before_statement;
    const char *bytes = (const char *)syntax->view->bytes;
    pare_buffer text = {0};
    pare_status status = append_statements(program, call, end, &text, err);
    bool ended = text.size && text.data[text.size - 1] == ';';
    if (!status && !bare && text.size && !ended) status = pare_buffer_text(&text, between, err);
    if (!status && bare && text.size && !ended && bytes[around->end - 1] == ';')
        status = pare_buffer_text(&text, ";", err);
    if (!status && !bare)
        status = pare_buffer_add(&text, bytes + around->begin, self->begin - around->begin, err);
    if (!status && !bare && value != PARE_NO_NODE)
        status = append_value(program, call, value, call->node, &text, err);
    else if (!status && !bare)
        status = pare_buffer_text(&text, syntax->table->values[0], err);
    if (!status && !bare)
        status = pare_buffer_add(&text, bytes + self->end, around->end - self->end, err);
    if (!status) status = finish(program, call, statement, &text, err);
    pare_buffer_done(&text);
    return status;
}

/* One way to write out what is called. */
static pare_status write_out(pare_program *program, const struct call *call, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    if (call->body == PARE_NO_NODE || pare_syntax_size(syntax, call->body) > MOST_BODY)
        return PARE_OK;
    if (!pare_syntax_is(syntax, call->body, PARE_ROLE_BLOCK))
        return by_value(program, call, call->body, err);
    uint32_t last = last_element(syntax, call->body), value = PARE_NO_NODE;
    uint32_t end = last == PARE_NO_NODE ? 0 : syntax->nodes[last].end;
    if (last != PARE_NO_NODE) value = returned(syntax, last);
    if (last != PARE_NO_NODE && pare_syntax_is(syntax, last, PARE_ROLE_RETURN))
        end = syntax->nodes[last].begin;
    else if (last != PARE_NO_NODE && pare_syntax_is(syntax, last, PARE_ROLE_EXPRESSION))
        value = last; /* in languages where a block has a value */
    if (value != PARE_NO_NODE && pare_syntax_only_element(syntax, call->body) == last)
        return by_value(program, call, value, err);
    return by_statements(program, call, value, end, err);
}

static uint32_t body_of(const pare_syntax *syntax, uint32_t function)
{
    return pare_syntax_child(syntax, function, syntax->nodes[function].kind->body);
}

/* The call of each function that it may be. */
static pare_status collect_call(pare_program *program, uint32_t node, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t functions[MOST_FUNCTIONS], symbol = PARE_NO_SYMBOL;
    uint64_t weight = 0;
    size_t n = find_functions(program, node, functions, &symbol);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++) {
        struct call call = {
            .node = node, .function = functions[i], .symbol = symbol, .only = n == 1};
        /* Not inside itself. */
        if (symbol != PARE_NO_SYMBOL && pare_syntax_holds(syntax, functions[i], node)) continue;
        call.body = body_of(syntax, functions[i]);
        if (!bind(program, &call)) continue;
        if (call.body != PARE_NO_NODE) weight += pare_syntax_size(syntax, call.body);
        status = write_out(program, &call, err);
    }
    return status ? status : pare_offers_item(&program->offers, weight, err);
}

/* A function that is handed on in a call, as if it had been called once: with some part of
 * the rest of the call for its first parameter. */
static pare_status collect_handed(pare_program *program, uint32_t function, uint32_t node,
                                  pare_error *err)
{
    enum { MOST_PARTS = 4 };
    const pare_syntax *syntax = &program->syntax;
    struct call call = {.node = node, .function = function, .symbol = PARE_NO_SYMBOL};
    uint32_t callee = pare_syntax_child(syntax, node, syntax->nodes[node].kind->object);
    size_t n_parts = 0;
    pare_status status = PARE_OK;
    call.body = body_of(syntax, function);
    if (!bind(program, &call) || !call.n) return PARE_OK;
    for (size_t i = 0; i < call.n; i++)
        call.bindings[i].argument = PARE_NO_NODE;
    for (uint32_t i = node + 1; !status && i < syntax->nodes[node].behind && n_parts < MOST_PARTS;
         i++) {
        bool inside = pare_syntax_holds(syntax, function, i);
        if (inside || i == callee || !pare_syntax_is(syntax, i, PARE_ROLE_EXPRESSION)) continue;
        call.bindings[0].argument = i;
        n_parts++;
        status = write_out(program, &call, err);
    }
    uint64_t weight = pare_syntax_size(syntax, function);
    return status ? status : pare_offers_item(&program->offers, weight, err);
}

/* The call in whose arguments `function` is written out; PARE_NO_NODE: there is none. */
static uint32_t call_around(const pare_syntax *syntax, uint32_t function)
{
    uint32_t list = syntax->nodes[function].parent;
    if (list == PARE_NO_NODE || !pare_syntax_is(syntax, list, PARE_ROLE_ARGUMENTS))
        return PARE_NO_NODE;
    uint32_t call = syntax->nodes[list].parent;
    return pare_syntax_is(syntax, call, PARE_ROLE_CALL) ? call : PARE_NO_NODE;
}

/* Whether all that uses `symbol` is calls of it, at least two, outside `function`. */
static bool is_only_called(const pare_program *program, uint32_t symbol, uint32_t function)
{
    const pare_occurrence *occurrences = program->names.occurrences;
    const pare_bound *bound = &program->names.symbols[symbol];
    if (bound->n_uses < 2) return false;
    for (uint32_t o = bound->first; o != PARE_NO_NODE; o = occurrences[o].next) {
        if (occurrences[o].declares) continue;
        uint32_t node = pare_program_call(program, o);
        if (node == PARE_NO_NODE || pare_syntax_holds(&program->syntax, function, node))
            return false;
    }
    return true;
}

/* Every call of a function at once, which goes if each became something else. */
static pare_status collect_all(pare_program *program, uint32_t symbol, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    const pare_bound *bound = &program->names.symbols[symbol];
    uint32_t function = pare_bindings_function(&program->names, symbol);
    struct call call = {.function = function, .symbol = symbol, .only = true, .together = true};
    pare_status status = PARE_OK;
    bool all = true;
    if (function == PARE_NO_NODE || !is_only_called(program, symbol, function)) return PARE_OK;
    call.body = body_of(syntax, function);
    if (call.body == PARE_NO_NODE) return PARE_OK;
    uint64_t size = (uint64_t)pare_syntax_size(syntax, call.body) * bound->n_uses;
    if (size > MOST_SPREAD) return PARE_OK;
    for (uint32_t o = bound->first; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        if (occurrences[o].declares) continue;
        size_t n = program->offers.rewrites.n;
        call.n = 0;
        call.node = pare_program_call(program, o);
        if (bind(program, &call)) status = write_out(program, &call, err);
        all = all && program->offers.rewrites.n > n;
    }
    if (!status && all) status = remove_function(program, &call, err);
    if (!status) status = pare_offers_alternative(&program->offers, err);
    return status ? status : pare_offers_item(&program->offers, size, err);
}

static pare_status collect(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        uint32_t around = PARE_NO_NODE;
        if (pare_syntax_is(syntax, i, PARE_ROLE_CALL)) status = collect_call(program, i, err);
        if (pare_syntax_is(syntax, i, PARE_ROLE_FUNCTION)) around = call_around(syntax, i);
        if (!status && around != PARE_NO_NODE) status = collect_handed(program, i, around, err);
    }
    return status;
}

static pare_status collect_spread(pare_program *program, pare_error *err)
{
    pare_status status = collect(program, err);
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++)
        if (program->names.symbols[s].first != PARE_NO_NODE) status = collect_all(program, s, err);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    bool any = pass->claim == PARE_PASS_ANY;
    return pare_program_offer(view, any ? collect_spread : collect, PARE_OFFERS_SINGLE, MOST_ITEMS,
                              any ? INT64_MIN : 1, out, err);
}

const pare_pass pare_binding_inline_calls = {
    .name = "inline-calls",
    .summary = "puts what a function does where it is called, if that saves bytes",
    .source = "C-Reduce, simple-inliner, replace-callexpr; LPR's rewrites without a model",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};

const pare_pass pare_binding_spread_calls = {
    .name = "spread-calls",
    .summary = "puts what a function does wherever it is called, also where that takes bytes",
    .source = "as inline-calls",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_ANY,
    .offer = offer,
};
