/* shorter-forms: the same program in fewer words, as somebody who knows the language writes it.
 *
 * A cast that is named becomes one that is not, `static_cast<T>(x)` `(T)x`; the word before a
 * parameter of a template the shorter one, `typename T` `class T`; a type that stands behind a
 * function the one before it, `auto f() -> T` `T f()`; and a parameter of a function template
 * that only one of its function's parameters is of goes, `template<class T> void f(T a)` `void
 * f(auto a)`.  All of these at once is the first thing that is tried, since most of them hold
 * together: token by token each would cost a test, and those that need two changes fail.
 * Invariant: each change is of whole nodes, and leaves a text of the language.
 * Source: what remained of cases of C++ (docs/lab/dependency.md), and how a person shortens it.
 * Cost: no tests; O(n) for n nodes. */
#include <string.h>

#include "base/buffer.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* Ends an item of one alternative; nothing if nothing was wished for. */
static pare_status finish_item(pare_program *program, pare_error *err)
{
    pare_status status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status : pare_rewrites_item(&program->rewrites, 1, err);
}

/* Whether the bytes of the node are one of the blank-separated words. */
static bool is_one_of(const pare_syntax *syntax, uint32_t node, const char *words)
{
    size_t size = pare_syntax_size(syntax, node);
    for (const char *at = words; at && *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == size && memcmp(at, pare_syntax_text(syntax, node), size) == 0) return true;
        at += word;
    }
    return false;
}

/* --- casts ------------------------------------------------------------------------------- */

/* A call that is a cast with a name. */
struct cast {
    uint32_t call, callee, type, arguments, value;
};

/* Fills in the cast at `call`; false: it is none. */
static bool find_cast(const pare_syntax *syntax, uint32_t call, struct cast *cast)
{
    const pare_syntax_kind *kind = syntax->nodes[call].kind;
    if (!(kind->roles & PARE_ROLE_CALL)) return false;
    uint32_t callee = pare_syntax_child(syntax, call, kind->object);
    uint32_t arguments = pare_syntax_child(syntax, call, kind->list);
    /* The type stands in brackets behind the name: `static_cast<T>`. */
    if (callee == PARE_NO_NODE || arguments == PARE_NO_NODE ||
        !pare_syntax_is(syntax, callee, PARE_ROLE_QUALIFIED))
        return false;
    uint32_t name = pare_syntax_name_leaf(syntax, callee);
    uint32_t given = pare_syntax_child(syntax, callee, syntax->nodes[callee].kind->list);
    if (name == PARE_NO_NODE || given == PARE_NO_NODE ||
        !is_one_of(syntax, name, syntax->table->casts))
        return false;
    *cast = (struct cast){.call = call,
                          .callee = callee,
                          .type = pare_syntax_only_element(syntax, given),
                          .arguments = arguments,
                          .value = pare_syntax_only_element(syntax, arguments)};
    return cast->type != PARE_NO_NODE && cast->value != PARE_NO_NODE;
}

/* An item: the cast without its name; without parentheses around a value that needs none, and with
 * some around all of it where a member, a call or an index hangs on it. */
static pare_status collect_cast(pare_program *program, const struct cast *cast, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_rewrites *rewrites = &program->rewrites;
    const pare_syntax_node *arguments = &syntax->nodes[cast->arguments];
    uint32_t parent = syntax->nodes[cast->call].parent;
    bool inner =
        parent != PARE_NO_NODE &&
        pare_syntax_is(syntax, parent, PARE_ROLE_ACCESS | PARE_ROLE_CALL | PARE_ROLE_SUBSCRIPT) &&
        pare_syntax_matches(syntax, cast->call, syntax->nodes[parent].kind->object);
    bool bare = pare_syntax_is(syntax, cast->value, PARE_ROLE_PRIMARY);
    pare_buffer text = {0};
    pare_status status = pare_buffer_text(&text, inner ? "(" : "", err);
    if (!status) status = pare_syntax_append(syntax, cast->type, true, &text, err);
    if (!status) status = pare_buffer_text(&text, bare ? "" : "(", err);
    if (!status)
        /* Up to the parenthesis before the value, and then the one after it: the value itself
         * may be changed by another item. */
        status = pare_rewrites_range(rewrites, syntax->nodes[cast->callee].begin,
                                     arguments->begin + 1, text.data, text.size, err);
    const char *end = inner ? bare ? ")" : "))" : bare ? "" : ")";
    if (!status)
        status = pare_rewrites_range(rewrites, arguments->end - 1, arguments->end, end, strlen(end),
                                     err);
    pare_buffer_done(&text);
    return status ? status : finish_item(program, err);
}

/* --- templates --------------------------------------------------------------------------- */

/* Whether the parameter of a template begins with a word, so that it is a type. */
static bool is_type_parameter(const pare_syntax *syntax, uint32_t parameter)
{
    uint32_t first = pare_syntax_first(syntax, parameter);
    return first != PARE_NO_NODE && syntax->nodes[first].punctuation &&
           is_one_of(syntax, first, syntax->table->type_words);
}

/* An item: the shorter of the two words before the parameter of a template. */
static pare_status collect_word(pare_program *program, uint32_t parameter, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const char *best = syntax->table->type_words;
    uint32_t first = pare_syntax_first(syntax, parameter);
    if (!is_type_parameter(syntax, parameter)) return PARE_OK;
    /* The shorter word is the first of the list. */
    size_t size = strcspn(best, " ");
    if (size >= pare_syntax_size(syntax, first)) return PARE_OK;
    pare_status status = pare_rewrites_replace(&program->rewrites, first, best, size, err);
    return status ? status : finish_item(program, err);
}

/* The only use of what the parameter of a template declares, if that is the whole type of an
 * element of the list of parameters; else PARE_NO_NODE. */
static uint32_t only_use(const pare_program *program, uint32_t parameter, uint32_t list)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    uint32_t found = PARE_NO_NODE;
    for (uint32_t i = parameter; i < syntax->nodes[parameter].after; i++) {
        uint32_t o = program->names.by_leaf[i];
        if (o == PARE_NO_NODE || !occurrences[o].declares) continue;
        const pare_bound *bound = &program->names.symbols[occurrences[o].symbol];
        if (bound->n_declarations != 1 || bound->n_uses != 1) return PARE_NO_NODE;
        for (o = bound->first; o != PARE_NO_NODE; o = occurrences[o].next)
            if (!occurrences[o].declares) found = occurrences[o].leaf;
    }
    /* A part of a type, such as the `T` of `T*`, is left alone here. */
    if (found == PARE_NO_NODE || !pare_syntax_is_type(syntax, found)) return PARE_NO_NODE;
    uint32_t element = syntax->nodes[found].parent;
    return element != PARE_NO_NODE && syntax->nodes[element].parent == list ? found : PARE_NO_NODE;
}

/* The list of parameters of the function that is declared at `declared`; PARE_NO_NODE: none. */
static uint32_t parameters_below(const pare_syntax *syntax, uint32_t declared)
{
    for (uint32_t i = declared; i < syntax->nodes[declared].after; i++) {
        if (pare_syntax_is(syntax, i, PARE_ROLE_PARAMETERS)) return i;
        /* What is in the body belongs to other functions. */
        if (pare_syntax_is(syntax, i, PARE_ROLE_BLOCK | PARE_ROLE_MEMBERS)) break;
    }
    return PARE_NO_NODE;
}

/* An item: the parameters of the template that only say the type of a parameter of its function go;
 * without any of them it is a template no more. */
static pare_status collect_function(pare_program *program, uint32_t template, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_kind *kind = syntax->nodes[template].kind;
    const char *any = syntax->table->any_value;
    uint32_t declared = pare_syntax_child(syntax, template, kind->names);
    uint32_t own = pare_syntax_child(syntax, template, kind->list);
    uint32_t list = declared == PARE_NO_NODE ? PARE_NO_NODE : parameters_below(syntax, declared);
    /* A language without a word for any type has no such form. */
    if (own == PARE_NO_NODE || list == PARE_NO_NODE || !any) return PARE_OK;
    uint32_t parameter = pare_syntax_child(syntax, own, "*");
    size_t n = 0, n_gone = 0;
    pare_status status = PARE_OK;
    for (; !status && parameter != PARE_NO_NODE; n++) {
        uint32_t use = is_type_parameter(syntax, parameter) ? only_use(program, parameter, list)
                                                            : PARE_NO_NODE;
        if (use != PARE_NO_NODE) {
            n_gone++;
            status = pare_rewrites_replace(&program->rewrites, use, any, strlen(any), err);
            if (!status) status = pare_rewrites_remove(&program->rewrites, parameter, err);
        }
        parameter = pare_syntax_element_after(syntax, parameter);
    }
    /* The head goes as a whole, with its brackets. */
    if (!status && n > 0 && n == n_gone)
        status = pare_rewrites_range(&program->rewrites, syntax->nodes[template].begin,
                                     syntax->nodes[declared].begin, NULL, 0, err);
    return status ? status : finish_item(program, err);
}

/* --- types that stand behind ------------------------------------------------------------- */

/* The type that stands for any before the function whose head `trailing` ends; PARE_NO_NODE: there
 * is none, as of a lambda. */
static uint32_t type_before(const pare_syntax *syntax, uint32_t trailing)
{
    uint32_t head = syntax->nodes[trailing].parent;
    if (head == PARE_NO_NODE) return PARE_NO_NODE;
    /* The type is the nearest one before the head. */
    for (uint32_t i = syntax->nodes[head].before; i != PARE_NO_NODE; i = syntax->nodes[i].before)
        if (pare_syntax_is_type(syntax, i))
            return is_one_of(syntax, i, syntax->table->any_value) ? i : PARE_NO_NODE;
    return PARE_NO_NODE;
}

/* An item: what is returned stands before the function. */
static pare_status collect_trailing(pare_program *program, uint32_t trailing, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t before = type_before(syntax, trailing);
    uint32_t type = pare_syntax_only_element(syntax, trailing);
    if (before == PARE_NO_NODE || type == PARE_NO_NODE) return PARE_OK;
    pare_status status =
        pare_rewrites_replace(&program->rewrites, before, pare_syntax_text(syntax, type),
                              pare_syntax_size(syntax, type), err);
    if (!status)
        status = pare_rewrites_range(&program->rewrites, syntax->nodes[trailing].begin,
                                     syntax->nodes[trailing].end, NULL, 0, err);
    return status ? status : finish_item(program, err);
}

/* --- the pass ---------------------------------------------------------------------------- */

/* Each word before a parameter of the template, and the template itself if it is one of a
 * function. */
static pare_status collect_template(pare_program *program, uint32_t template, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t list = pare_syntax_child(syntax, template, syntax->nodes[template].kind->list);
    uint32_t parameter = list == PARE_NO_NODE ? PARE_NO_NODE : pare_syntax_child(syntax, list, "*");
    pare_status status = collect_function(program, template, err);
    for (; !status && parameter != PARE_NO_NODE;
         parameter = pare_syntax_element_after(syntax, parameter))
        status = collect_word(program, parameter, err);
    return status;
}

/* All of them, in the order of the text. */
static pare_status collect_forms(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    struct cast cast;
    /* Languages without these words have none of the forms. */
    if (!syntax->table->type_words) return PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        if (find_cast(syntax, i, &cast))
            status = collect_cast(program, &cast, err);
        else if (pare_syntax_is(syntax, i, PARE_ROLE_TEMPLATE))
            status = collect_template(program, i, err);
        else if (pare_syntax_matches(syntax, i, syntax->table->trailing))
            status = collect_trailing(program, i, err);
    }
    return status;
}

/* A pare_pass's offer: all forms at once, then halves of them. */
static pare_status offer_forms(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_forms,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_shorter_forms = {
    .name = "shorter-forms",
    .summary = "writes casts, template parameters and function types in a shorter form",
    .source = "ours; what a person does",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_forms,
};
