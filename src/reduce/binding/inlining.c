/* The passes that put what a name stands for in the place of its uses: inline-values,
 * spread-values, inline-calls, spread-calls.
 *
 * A definition that is used once is longer than its use; putting it there and leaving out the
 * definition saves its name twice, and joins what other passes could only see apart.  The
 * inline passes offer what saves bytes, the spread passes the rest, as steps to be explored
 * from.  What is put in gets parentheses where operators around it would take only a part of
 * it.
 * Invariant: uses and definition change in one patch.
 * Source: "inline a definition used once", LPR's rewrites (arXiv 2312.13064) without a model;
 * C-Reduce's copy-propagation, replace-simple-typedef, simple-inliner and replace-callexpr, for
 * any language that has a table. */
#include <assert.h>
#include <string.h>

#include "base/buffer.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* --- printing with substitutions --------------------------------------------------------- */

/* What stands for a parameter: a node (an argument), or PARE_NO_NODE: the smallest value. */
struct binding {
    uint32_t symbol, argument;
};

/* A function with more parameters than that is not written out. */
enum { MOST_PARAMETERS = 16 };

/* A call and the function that it calls. */
struct call {
    uint32_t node, function, body;
    uint32_t symbol; /* of the function; PARE_NO_SYMBOL: it is written out in the call */
    bool only;       /* the symbol means no other function */
    bool together;   /* with the other calls of the function, which goes with them */
    struct binding bindings[MOST_PARAMETERS];
    size_t n;
};

/* Whether what is around `place` would take only a part of what is put there. */
static bool binds(const pare_syntax *syntax, uint32_t place)
{
    uint32_t parent = syntax->nodes[place].parent;
    if (parent == PARE_NO_NODE) return false;
    const pare_syntax_kind *kind = syntax->nodes[parent].kind;
    bool holds = kind->roles & (PARE_ROLE_CALL | PARE_ROLE_ACCESS | PARE_ROLE_SUBSCRIPT);
    /* An argument or an index stands between brackets; what is called or indexed does not. */
    if (holds) return pare_syntax_matches(syntax, place, kind->object);
    /* An assignment binds less than any operator. */
    if (kind->roles & PARE_ROLE_ASSIGNS) return false;
    return kind->roles & PARE_ROLE_EXPRESSION && !(kind->roles & PARE_ROLE_PRIMARY);
}

/* Whether the expression `node` needs parentheses in the place of `place`: operators would take
 * only a part of it, or a statement would begin with what begins a declaration or a block.
 *
 * Example: `int x = a + b; return x * 2;` becomes `return (a + b) * 2;`. A function or an
 * object that is written out is one thing to operators, but at the begin of a statement it
 * would be read as a declaration or a block. */
static bool needs_parentheses(const pare_syntax *syntax, uint32_t node, uint32_t place)
{
    uint32_t statement = syntax->nodes[place].statement;
    if (!pare_syntax_is(syntax, node, PARE_ROLE_EXPRESSION) || !binds(syntax, place)) return false;
    bool first =
        statement != PARE_NO_NODE && syntax->nodes[statement].begin == syntax->nodes[place].begin;
    return !pare_syntax_is(syntax, node, PARE_ROLE_PRIMARY) ||
           (first && pare_syntax_is(syntax, node, PARE_ROLE_FUNCTION | PARE_ROLE_MEMBERS));
}

/* Appends the text of the expression `node` to *out, in parentheses where those are needed in the
 * place of `place`.  Errors: PARE_E_NOMEM. */
static pare_status append_expression(const pare_syntax *syntax, uint32_t node, uint32_t place,
                                     pare_buffer *out, pare_error *err)
{
    return pare_syntax_append(syntax, node, needs_parentheses(syntax, node, place), out, err);
}

/* What stands for the use at `node`, if it is one of those that are bound. The call has few
 * parameters, so they are simply gone through. */
static const struct binding *find_bound(const pare_program *program, uint32_t node,
                                        const struct call *call)
{
    uint32_t occurrence = program->names.by_leaf[node];
    if (occurrence == PARE_NO_NODE) return NULL;
    const pare_occurrence *use = &program->names.occurrences[occurrence];
    for (size_t i = 0; i < call->n && use->symbol != PARE_NO_SYMBOL; i++)
        if (call->bindings[i].symbol == use->symbol) return &call->bindings[i];
    return NULL;
}

/* Appends bytes from .. to-1 of the text. */
static pare_status append_bytes(const pare_program *program, uint32_t from, uint32_t to,
                                pare_buffer *out, pare_error *err)
{
    if (from >= to) return PARE_OK;
    return pare_buffer_add(out, program->syntax.view->bytes + from, to - from, err);
}

/* Appends those bytes of the text, all of them below `node`, in which uses of the function's
 * parameters are what the call gives for them.  Errors: PARE_E_NOMEM.
 * Everything between two uses is copied as it is, comments and line ends included. */
static pare_status append_bound(const pare_program *program, const struct call *call, uint32_t node,
                                pare_extent bytes, pare_buffer *out, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t done = (uint32_t)bytes.from;
    pare_status status = PARE_OK;
    for (uint32_t i = node; !status && i < syntax->nodes[node].after; i++) {
        const pare_syntax_node *self = &syntax->nodes[i];
        /* Names are leaves; nodes that reach over the border are looked into, not at. */
        if (!self->leaf || self->begin < bytes.from || self->end > bytes.to) continue;
        const struct binding *bound = find_bound(program, i, call);
        if (!bound) continue;
        /* With what belongs to the name: the `$` of a variable. */
        uint32_t whole = pare_syntax_whole_name(syntax, i);
        /* What belongs to the name may reach out of the bytes that are copied, or into a use
         * before; then only the name itself gives way. */
        if (syntax->nodes[whole].begin < done || syntax->nodes[whole].end > bytes.to) whole = i;
        status = append_bytes(program, done, syntax->nodes[whole].begin, out, err);
        done = syntax->nodes[whole].end;
        if (!status && bound->argument == PARE_NO_NODE)
            status = pare_buffer_text(out, syntax->table->values[0], err);
        else if (!status)
            status = append_expression(syntax, bound->argument, whole, out, err);
    }
    return status ? status : append_bytes(program, done, (uint32_t)bytes.to, out, err);
}

/* What is put in many places makes the text long, and what is tried for each of many values
 * takes tests: beyond these numbers a name is left alone. */
enum { MOST_USES = 64, MOST_VALUES = 4, MOST_SPREAD_VALUE = 4096, MOST_INLINED = 1000 };

/* Whether the name at `leaf` is given arguments of a template, or is what another name is looked up
 * in: what it stands for cannot stand there (`T*` for P in `P<int>`). */
static bool is_more_than_name(const pare_syntax *syntax, uint32_t leaf)
{
    uint32_t parent = syntax->nodes[leaf].parent;
    if (parent == PARE_NO_NODE || !pare_syntax_is(syntax, parent, PARE_ROLE_QUALIFIED))
        return false;
    const pare_syntax_kind *kind = syntax->nodes[parent].kind;
    return pare_syntax_child(syntax, parent, kind->list) != PARE_NO_NODE ||
           pare_syntax_matches(syntax, leaf, kind->object);
}

/* The first MOST_VALUES occurrences at which `symbol` gets a value; none if it has too many uses, or
 * one in whose place no value can stand.  So all occurrences are gone through. */
static size_t find_values(const pare_program *program, uint32_t symbol, uint32_t *values)
{
    const pare_bound *bound = &program->names.symbols[symbol];
    const pare_syntax *syntax = &program->syntax;
    size_t n = 0, n_plain = 0;
    for (uint32_t o = bound->first; o != PARE_NO_NODE; o = program->names.occurrences[o].next) {
        const pare_occurrence *self = &program->names.occurrences[o];
        if (self->declaring == PARE_NO_NODE) {
            if (is_more_than_name(syntax, self->leaf)) return 0;
            /* A place where it is neither declared nor set: one that would become the value. */
            n_plain++;
            continue;
        }
        /* A structure has no value; its own text stands for its name. */
        bool type = pare_syntax_is(syntax, self->declaring, PARE_ROLE_TYPE) && self->declares &&
                    syntax->nodes[self->leaf].parent == self->declaring;
        bool given = self->unit != PARE_NO_NODE && (self->value != PARE_NO_NODE || type);
        if (given && n < MOST_VALUES) values[n++] = o;
    }
    return bound->n_uses && n_plain <= MOST_USES ? n : 0;
}

/* A type's own text stands for it, without its name.
 *
 * Example: with `struct s { int a; };` the use `struct s v;` becomes `struct { int a; } v;`. */
static pare_status append_type(const pare_program *program, const pare_occurrence *declared,
                               pare_buffer *text, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_node *type = &syntax->nodes[declared->declaring];
    const pare_syntax_node *name = &syntax->nodes[declared->leaf];
    const char *bytes = (const char *)syntax->view->bytes;
    size_t front = name->begin - type->begin;
    /* The blank before the name goes with it. */
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
    /* `struct s` and not `s` alone gives way to what the structure is; a qualified name as a
     * whole. */
    leaf = pare_syntax_whole_name(syntax, leaf);
    parent = syntax->nodes[leaf].parent;
    if (type) return pare_bindings_reach(&program->names, use);
    bool access = parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_ACCESS) &&
                  !pare_syntax_is(syntax, parent, PARE_ROLE_CALL) &&
                  pare_syntax_matches(syntax, leaf, syntax->nodes[parent].kind->names);
    return access ? parent : leaf;
}

/* Wishes that each use becomes what is declared. The places where it is declared or set have
 * nothing put in them; what becomes of them the caller says. */
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
        /* Here it is declared or set. */
        if (occurrences[o].declaring != PARE_NO_NODE) continue;
        uint32_t place = place_of(program, o, type);
        pare_buffer_reset(&text);
        status = type ? append_type(program, declared, &text, err)
                      : append_expression(syntax, declared->value, place, &text, err);
        if (!status)
            status = pare_rewrites_replace(&program->rewrites, place, text.data, text.size, err);
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
    /* A single use moves the value and does not copy it, however long that is. */
    if (program->names.symbols[symbol].n_uses > 1 &&
        size * program->names.symbols[symbol].n_uses > MOST_SPREAD_VALUE)
        return PARE_OK;
    *weight += size;
    pare_status status = replace_uses(program, symbol, found, err);
    if (!status) status = pare_program_remove(program, found, err);
    return status ? status : pare_rewrites_alternative(&program->rewrites, err);
}

/* An alternative for each value of the symbol: the test finds out which one matters. */
static pare_status collect_symbol(pare_program *program, uint32_t symbol, pare_error *err)
{
    uint32_t values[MOST_VALUES];
    uint64_t weight = 0;
    size_t n = find_values(program, symbol, values);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++)
        status = collect_value(program, symbol, values[i], &weight, err);
    return status ? status : pare_rewrites_item(&program->rewrites, weight, err);
}

/* An item for each symbol that gets a value somewhere and is used elsewhere. */
static pare_status collect_values(pare_program *program, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++)
        if (program->names.symbols[s].first != PARE_NO_NODE)
            status = collect_symbol(program, s, err);
    return status;
}

/* inline-values and spread-values: what a name stands for is put where the name is used, and
 * its declaration goes.  Variables, constants, members with one value, macros, names of types,
 * structures; not parameters.  Of what gets several values each is tried.
 * Source: LPR's rewrites (arXiv 2312.13064) without a model; C-Reduce's copy-propagation,
 * replace-simple-typedef. */
static pare_status offer_values(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    int64_t least = pass->claim == PARE_PASS_ANY ? INT64_MIN : 1;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_values,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_INLINED,
                                                     .least = least},
                              out, err);
}

const pare_pass pare_binding_inline_values = {
    .name = "inline-values",
    .summary = "replaces a name by its value where it is used, if that saves bytes",
    .source = "LPR's rewrites without a model; C-Reduce, copy-propagation, simple typedefs",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_values,
};

const pare_pass pare_binding_spread_values = {
    .name = "spread-values",
    .summary = "replaces a name by its value wherever it is used, even if that takes bytes",
    .source = "as inline-values",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_ANY,
    .offer = offer_values,
};

/* --- calls ------------------------------------------------------------------------------- */

/* Limits of what is offered. A body that is longer than MOST_BODY is no small function any
 * more, and a name that means more than a few functions would need a test for each at every
 * call. */
enum {
    MOST_ITEMS = 1000,
    MOST_BODY = 4096,
    MOST_FUNCTIONS = 4,
    MOST_SPREAD_CALLS = 8192 /* bytes that all calls of a function come to */
};

/* The symbol that a parameter declares, or PARE_NO_SYMBOL. */
static uint32_t declared_in(const pare_program *program, uint32_t parameter)
{
    for (uint32_t i = parameter; i < program->syntax.nodes[parameter].after; i++) {
        uint32_t occurrence = program->names.by_leaf[i];
        if (occurrence != PARE_NO_NODE && program->names.occurrences[occurrence].declares)
            return program->names.occurrences[occurrence].symbol;
    }
    return PARE_NO_SYMBOL;
}

/* Binds parameters to arguments, in order; false when there are too many.
 * Arguments that are missing leave their parameters to the smallest value. */
static bool bind_parameters(const pare_program *program, struct call *call)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t list = pare_syntax_parameters(syntax, call->function);
    uint32_t given = pare_syntax_child(syntax, call->node, syntax->nodes[call->node].kind->list);
    assert(call->n == 0);
    uint32_t parameter = list, argument = PARE_NO_NODE;
    if (list != PARE_NO_NODE && pare_syntax_is(syntax, list, PARE_ROLE_PARAMETERS))
        parameter = pare_syntax_child(syntax, list, "*");
    if (given != PARE_NO_NODE) argument = pare_syntax_child(syntax, given, "*");
    while (parameter != PARE_NO_NODE) {
        if (call->n == MOST_PARAMETERS) return false;
        /* A parameter whose name is not known is bound, too, as the arguments are counted by
         * place; no use has its symbol. */
        call->bindings[call->n++] =
            (struct binding){.symbol = declared_in(program, parameter), .argument = argument};
        if (parameter == list) break; /* the only one, without a list */
        parameter = pare_syntax_element_after(syntax, parameter);
        if (argument != PARE_NO_NODE) argument = pare_syntax_element_after(syntax, argument);
    }
    return true;
}

/* Functions that may be called, by name or written out, at `node`: at most MOST_FUNCTIONS;
 * *symbol is theirs.
 * Parentheses and accesses are looked through, down to the name or the function itself. */
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
        bool named = inner->roles & (PARE_ROLE_ACCESS | PARE_ROLE_QUALIFIED);
        callee = named ? pare_syntax_child(syntax, callee, inner->names)
                       : pare_syntax_only_element(syntax, callee);
    }
    /* A function that is written out where it is called. */
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

/* The last element of a list; PARE_NO_NODE: it is empty. Elements are only linked forwards. */
static uint32_t last_element(const pare_syntax *syntax, uint32_t list)
{
    uint32_t last = PARE_NO_NODE;
    for (uint32_t i = pare_syntax_child(syntax, list, "*"); i != PARE_NO_NODE;
         i = pare_syntax_element_after(syntax, i))
        last = i;
    return last;
}

/* Appends an expression of the function's, bound, as it has to be in the place of the call. */
static pare_status append_value(const pare_program *program, const struct call *call,
                                uint32_t value, uint32_t place, pare_buffer *text, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_node *self = &syntax->nodes[value];
    bool wrapped = needs_parentheses(syntax, value, place);
    pare_status status = wrapped ? pare_buffer_text(text, "(", err) : PARE_OK;
    if (!status)
        status =
            append_bound(program, call, value, (pare_extent){self->begin, self->end}, text, err);
    if (!status && wrapped) status = pare_buffer_text(text, ")", err);
    return status;
}

/* Appends the statements of the function that begin before byte `end`, bound. */
static pare_status append_statements(const pare_program *program, const struct call *call,
                                     uint32_t end, pare_buffer *text, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t first = pare_syntax_child(syntax, call->body, "*");
    if (first == PARE_NO_NODE || syntax->nodes[first].begin >= end) return PARE_OK;
    return append_bound(program, call, call->body, (pare_extent){syntax->nodes[first].begin, end},
                        text, err);
}

/* Whether `occurrence` declares no other function than the one that is called. */
static bool is_declaration(const pare_program *program, const struct call *call,
                           const pare_occurrence *occurrence)
{
    if (!occurrence->declares || occurrence->unit == PARE_NO_NODE) return false;
    return call->only || pare_syntax_holds(&program->syntax, occurrence->unit, call->function);
}

/* The function goes if this call was its only use, or all others become what it does.
 * The declaration of a prototype goes, too, if the symbol means no other function. */
static pare_status remove_function(pare_program *program, const struct call *call, pare_error *err)
{
    const pare_occurrence *occurrences = program->names.occurrences;
    if (call->symbol == PARE_NO_SYMBOL) return PARE_OK;
    const pare_bound *symbol = &program->names.symbols[call->symbol];
    pare_status status = PARE_OK;
    /* Others still call it. */
    if (symbol->n_uses != 1 && !call->together) return PARE_OK;
    for (uint32_t o = symbol->first; !status && o != PARE_NO_NODE; o = occurrences[o].next)
        if (is_declaration(program, call, &occurrences[o]))
            status = pare_program_remove(program, o, err);
    return status;
}

/* Puts the text in the place, removes the function and ends the alternative; calls that change
 * together leave that to the last one. */
static pare_status finish(pare_program *program, const struct call *call, uint32_t place,
                          const pare_buffer *text, pare_error *err)
{
    pare_status status = pare_rewrites_replace(&program->rewrites, place,
                                               text->data ? text->data : "", text->size, err);
    if (status || call->together) return status;
    status = remove_function(program, call, err);
    return status ? status : pare_rewrites_alternative(&program->rewrites, err);
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
 * the function returns; if it is nothing but the call, it goes or that stays.
 *
 * Example: with `int f(int n) { log(n); return n + 1; }` the statement `y = f(2) * 3;` becomes
 * `log(2); y = (2 + 1) * 3;`. */
static pare_status by_statements(pare_program *program, const struct call *call, uint32_t value,
                                 uint32_t end, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t statement = syntax->nodes[call->node].statement;
    /* Where a single statement stands as a branch, several would not all belong to it. */
    if (!is_among_statements(syntax, statement)) return PARE_OK;
    const pare_syntax_node *around = &syntax->nodes[statement], *self = &syntax->nodes[call->node];
    bool holder = pare_syntax_is(syntax, statement, PARE_ROLE_HOLDER);
    /* Nothing but the call makes up its statement. */
    bool alone = statement == call->node ||
                 (holder && pare_syntax_only_element(syntax, statement) == call->node);
    bool bare = alone && value == PARE_NO_NODE;
    const char *between = syntax->table->before_statement;
    const char *bytes = (const char *)syntax->view->bytes;
    pare_buffer text = {0};
    pare_status status = append_statements(program, call, end, &text, err);
    bool ended = text.size && text.data[text.size - 1] == ';';
    /* Then the statement that holds the call, with what the function returns in the call's
     * place. */
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

/* One way to write out what is called.
 * By value where the function is nothing but what it returns, else by statements. */
static pare_status write_out(pare_program *program, const struct call *call, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    if (call->body == PARE_NO_NODE || pare_syntax_size(syntax, call->body) > MOST_BODY)
        return PARE_OK;
    if (!pare_syntax_is(syntax, call->body, PARE_ROLE_BLOCK))
        return by_value(program, call, call->body, err);
    /* What the function returns at its end; returns further up are copied as they stand. */
    uint32_t last = last_element(syntax, call->body), value = PARE_NO_NODE;
    uint32_t end = last == PARE_NO_NODE ? 0 : syntax->nodes[last].end;
    if (last != PARE_NO_NODE) value = returned(syntax, last);
    if (last != PARE_NO_NODE && pare_syntax_is(syntax, last, PARE_ROLE_RETURN))
        end = syntax->nodes[last].begin;
    else if (last != PARE_NO_NODE && pare_syntax_is(syntax, last, PARE_ROLE_EXPRESSION))
        value = last; /* in languages where a block has a value */
    /* A body that only returns is an expression, which fits where any call stands. */
    if (value != PARE_NO_NODE && pare_syntax_only_element(syntax, call->body) == last)
        return by_value(program, call, value, err);
    return by_statements(program, call, value, end, err);
}

/* The body of a function; PARE_NO_NODE: it is declared only. */
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
        /* A function put into itself grows for ever. */
        if (symbol != PARE_NO_SYMBOL && pare_syntax_holds(syntax, functions[i], node)) continue;
        call.body = body_of(syntax, functions[i]);
        if (!bind_parameters(program, &call)) continue;
        if (call.body != PARE_NO_NODE) weight += pare_syntax_size(syntax, call.body);
        status = write_out(program, &call, err);
    }
    return status ? status : pare_rewrites_item(&program->rewrites, weight, err);
}

/* A function that is handed on in a call, as if it had been called once: with some part of
 * the rest of the call for its first parameter.
 *
 * Example: of `list.map(function (x) { return x + 1; })` the call becomes `list + 1`, with a part of the call in the
 * place of x. */
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
    if (!bind_parameters(program, &call) || !call.n) return PARE_OK;
    /* What calls the function, and with what, is not known: all parameters get the smallest
     * value, and the first is tried with parts of the call around. */
    for (size_t i = 0; i < call.n; i++)
        call.bindings[i].argument = PARE_NO_NODE;
    for (uint32_t i = node + 1; !status && i < syntax->nodes[node].after && n_parts < MOST_PARTS;
         i++) {
        bool inside = pare_syntax_holds(syntax, function, i);
        if (inside || i == callee || !pare_syntax_is(syntax, i, PARE_ROLE_EXPRESSION)) continue;
        call.bindings[0].argument = i;
        n_parts++;
        status = write_out(program, &call, err);
    }
    uint64_t weight = pare_syntax_size(syntax, function);
    return status ? status : pare_rewrites_item(&program->rewrites, weight, err);
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

/* Whether all that uses `symbol` is calls of it, at least two, outside `function`.
 * A function that is handed on or compared is needed as a value. */
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

/* Every call of a function at once, which goes if each became something else.
 * The function goes in the same patch, so no call of it may be left. */
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
    if (size > MOST_SPREAD_CALLS) return PARE_OK;
    for (uint32_t o = bound->first; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        if (occurrences[o].declares) continue;
        size_t n = program->rewrites.n;
        call.n = 0;
        call.node = pare_program_call(program, o);
        if (bind_parameters(program, &call)) status = write_out(program, &call, err);
        /* A call that could not be written out still needs the function. */
        all = all && program->rewrites.n > n;
    }
    if (!status && all) status = remove_function(program, &call, err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status : pare_rewrites_item(&program->rewrites, size, err);
}

/* Calls of functions, and functions that are written out in a call. */
static pare_status collect_calls(pare_program *program, pare_error *err)
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

/* The same, and all calls of a function at once. */
static pare_status collect_spread(pare_program *program, pare_error *err)
{
    pare_status status = collect_calls(program, err);
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++)
        if (program->names.symbols[s].first != PARE_NO_NODE) status = collect_all(program, s, err);
    return status;
}

/* inline-calls and spread-calls: a call becomes what the function does, with its arguments for
 * its parameters, and the function goes if nothing else uses it.
 *
 * A call becomes the expression that is returned; a statement that is nothing but the call the
 * statements of the function; where the function has statements before what it returns, they
 * come before the statement that holds the call.  That changes when things happen: the test
 * says whether it matters.  spread-calls has all calls of a function in one patch, too, with
 * which the function goes.
 * Source: C-Reduce's simple-inliner and replace-callexpr, LPR's "inline a function" (arXiv
 * 2312.13064), for any language that has a table. */
static pare_status offer_calls(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    bool any = pass->claim == PARE_PASS_ANY;
    return pare_program_offer(
        view,
        &(pare_program_offers){.collect = any ? collect_spread : collect_calls,
                               .grouping = PARE_REWRITES_SINGLE,
                               .most = MOST_ITEMS,
                               .least = any ? INT64_MIN : 1},
        out, err);
}

const pare_pass pare_binding_inline_calls = {
    .name = "inline-calls",
    .summary = "replaces a call by the body of the function, if that saves bytes",
    .source = "C-Reduce, simple-inliner, replace-callexpr; LPR's rewrites without a model",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_calls,
};

const pare_pass pare_binding_spread_calls = {
    .name = "spread-calls",
    .summary = "replaces calls by the body of the function, even if that takes bytes",
    .source = "as inline-calls",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_ANY,
    .offer = offer_calls,
};
