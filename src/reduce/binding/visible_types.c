/* The passes over types that can be read off the text: visible-types, spread-types,
 * plain-arrays.
 *
 * A type that stands for that of a value (`auto`, `decltype(x)`) becomes the one that the value was
 * declared with, made of, or cast to; a type that holds elements becomes an array of them.  What
 * would take the meaning of an expression to know is not offered: that is for those who have it.
 * Invariant: what is put in place of a type is the text of a type, or nothing is offered.
 * Source: C-Reduce's vector-to-array, replace-dependent-typedef and union-to-struct, as far as
 * names tell.
 * Cost: no tests; O(n) for n nodes. */
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

enum { MOST_ITEMS = 1000 };

/* --- what is visible --------------------------------------------------------------------- */

/* The type that stands in the declaration; PARE_NO_NODE: there is none. */
static uint32_t type_in(const pare_syntax *syntax, uint32_t declaring)
{
    uint32_t child = pare_syntax_first(syntax, declaring);
    while (child != PARE_NO_NODE && !pare_syntax_is_type(syntax, child))
        child = pare_syntax_next(syntax, child);
    return child;
}

/* Whether between the name and its declaration stands nothing that makes its type another one, such
 * as a pointer's `*`; a list of parameters may, of a function. An initialiser may also make a
 * node of its own around name and value, which changes no type. */
static bool is_plain(const pare_syntax *syntax, const pare_occurrence *declared, bool function)
{
    uint32_t node = syntax->nodes[declared->leaf].parent;
    if (function && node != declared->declaring &&
        pare_syntax_parameters(syntax, node) != PARE_NO_NODE)
        node = syntax->nodes[node].parent;
    else if (!function && node != declared->declaring && declared->value != PARE_NO_NODE &&
             syntax->nodes[declared->value].parent == node)
        node = syntax->nodes[node].parent;
    return node == declared->declaring;
}

/* The only declaration of the symbol; NULL: there are several, or none. With several it is not
 * known which of them a use means. */
static const pare_occurrence *only_declaration(const pare_program *program, uint32_t symbol)
{
    const pare_occurrence *occurrences = program->names.occurrences;
    if (symbol == PARE_NO_SYMBOL || program->names.symbols[symbol].n_declarations != 1) return NULL;
    uint32_t o = program->names.symbols[symbol].first;
    while (!occurrences[o].declares)
        o = occurrences[o].next;
    return occurrences[o].declaring == PARE_NO_NODE ? NULL : &occurrences[o];
}

/* Whether the type is one of those that stand for others. */
static bool is_deduced(const pare_syntax *syntax, uint32_t type)
{
    return pare_syntax_matches(syntax, type, syntax->table->deduced);
}

/* The type that what the name at `leaf` means was declared with, or that a call of it has; `callee`
 * (the whole name) for a class; PARE_NO_NODE: it cannot be seen. */
static uint32_t type_of_name(const pare_program *program, uint32_t leaf, uint32_t callee)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t o = leaf == PARE_NO_NODE ? PARE_NO_NODE : program->names.by_leaf[leaf];
    const pare_occurrence *declared =
        o == PARE_NO_NODE ? NULL : only_declaration(program, program->names.occurrences[o].symbol);
    if (!declared) return PARE_NO_NODE;
    bool called = callee != PARE_NO_NODE;
    /* A call of a class makes a value of it, so the class is the type. */
    if (called && pare_syntax_is(syntax, declared->declaring, PARE_ROLE_TYPE)) return callee;
    /* A function that is not called, and a variable that is, have another type than the one
     * that is declared. */
    if (called != (pare_syntax_parameters(syntax, declared->declaring) != PARE_NO_NODE) ||
        !is_plain(syntax, declared, called))
        return PARE_NO_NODE;
    uint32_t type = type_in(syntax, declared->declaring);
    /* A type that is deduced itself would be no step forward. */
    return type == PARE_NO_NODE || is_deduced(syntax, type) ? PARE_NO_NODE : type;
}

/* The node whose text is the type of the expression; PARE_NO_NODE: it cannot be seen. */
static uint32_t visible_type(const pare_program *program, uint32_t expression)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_kind *kind = syntax->nodes[expression].kind;
    if (syntax->nodes[expression].leaf) return type_of_name(program, expression, PARE_NO_NODE);
    if (kind->roles & PARE_ROLE_CALL) {
        uint32_t callee = pare_syntax_child(syntax, expression, kind->object);
        return callee == PARE_NO_NODE
                   ? PARE_NO_NODE
                   : type_of_name(program, pare_syntax_name_leaf(syntax, callee), callee);
    }
    /* Casts and the like, which name their type. */
    return pare_syntax_matches(syntax, expression, syntax->table->typed)
               ? pare_syntax_child(syntax, expression, "type")
               : PARE_NO_NODE;
}

/* --- visible-types, spread-types --------------------------------------------------------- */

/* The value whose type the declaration takes; PARE_NO_NODE: it declares something else than one
 * plain name with a value. */
static uint32_t value_in(const pare_program *program, uint32_t declaration)
{
    const pare_syntax *syntax = &program->syntax;
    if (!pare_syntax_is(syntax, declaration, PARE_ROLE_DECLARES)) return PARE_NO_NODE;
    for (uint32_t i = declaration + 1; i < syntax->nodes[declaration].after; i++) {
        uint32_t o = program->names.by_leaf[i];
        const pare_occurrence *self = o == PARE_NO_NODE ? NULL : &program->names.occurrences[o];
        if (self && self->declaring == declaration && self->declares)
            return is_plain(syntax, self, false) ? self->value : PARE_NO_NODE;
    }
    return PARE_NO_NODE;
}

/* An item: the type at `node` becomes the one that is visible. */
static pare_status collect_deduced(pare_program *program, uint32_t node, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    /* `decltype(e)` holds what it stands for the type of, `auto` takes that of what is declared. */
    uint32_t value = pare_syntax_only_element(syntax, node);
    uint32_t type = value == PARE_NO_NODE ? PARE_NO_NODE : visible_type(program, value);
    /* Nothing could be read off what is inside, or there is nothing inside. */
    if (type == PARE_NO_NODE) {
        value = value_in(program, syntax->nodes[node].parent);
        type = value == PARE_NO_NODE ? PARE_NO_NODE : visible_type(program, value);
    }
    /* A text cannot be put into a part of itself. */
    if (type == PARE_NO_NODE || pare_syntax_holds(syntax, type, node)) return PARE_OK;
    pare_status status =
        pare_rewrites_replace(&program->rewrites, node, pare_syntax_text(syntax, type),
                              pare_syntax_size(syntax, type), err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status : pare_rewrites_item(&program->rewrites, 1, err);
}

/* An item: the members of the class at `node` no longer share their place. */
static pare_status collect_joined(pare_program *program, uint32_t node, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const char *word = syntax->table->joined_class, *open = syntax->table->open_class;
    /* The first word of the class says what it is. */
    uint32_t first = pare_syntax_first(syntax, node);
    if (!word || !open || first == PARE_NO_NODE || !syntax->nodes[first].punctuation ||
        pare_syntax_size(syntax, first) != strlen(word) ||
        memcmp(pare_syntax_text(syntax, first), word, strlen(word)) != 0)
        return PARE_OK;
    pare_status status = pare_rewrites_replace(&program->rewrites, first, open, strlen(open), err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status : pare_rewrites_item(&program->rewrites, 1, err);
}

/* Types that are deduced, and classes whose members share their place. */
static pare_status collect_types(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        if (is_deduced(syntax, i)) status = collect_deduced(program, i, err);
        if (!status && pare_syntax_is(syntax, i, PARE_ROLE_TYPE) &&
            pare_syntax_is_declaring(syntax, i))
            status = collect_joined(program, i, err);
    }
    return status;
}

/* visible-types and spread-types: a type that is deduced becomes the one that can be read off the
 * text; spread-types also where that takes bytes, and makes unions structures.
 * Source: C-Reduce's replace-dependent-typedef and union-to-struct. */
static pare_status offer_types(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    int64_t least = pass->claim == PARE_PASS_ANY ? INT64_MIN : 1;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_types,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_ITEMS,
                                                     .least = least},
                              out, err);
}

const pare_pass pare_binding_visible_types = {
    .name = "visible-types",
    .summary = "replaces deduced types by types that can be read off the text",
    .source = "C-Reduce, replace-dependent-typedef, of auto and decltype",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_types,
};

const pare_pass pare_binding_spread_types = {
    .name = "spread-types",
    .summary = "visible-types, even if that takes bytes; turns unions into structures",
    .source = "as visible-types; C-Reduce, union-to-struct",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_ANY,
    .offer = offer_types,
};

/* --- plain-arrays ------------------------------------------------------------------------ */

/* Whether the name is one of the table's. */
static bool is_array_name(const pare_syntax *syntax, uint32_t leaf)
{
    const char *at = syntax->table->arrays ? syntax->table->arrays : "";
    for (; *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (size == pare_syntax_size(syntax, leaf) &&
            memcmp(at, pare_syntax_text(syntax, leaf), size) == 0)
            return true;
        at += size;
    }
    return false;
}

/* The arguments of the type if it holds elements of the first of them; else PARE_NO_NODE. */
static uint32_t elements_of(const pare_syntax *syntax, uint32_t type)
{
    uint32_t leaf = pare_syntax_name_leaf(syntax, type);
    /* Without arguments it is not known what the elements are. */
    if (leaf == PARE_NO_NODE || leaf == type || !is_array_name(syntax, leaf)) return PARE_NO_NODE;
    uint32_t given = syntax->nodes[leaf].parent;
    return pare_syntax_child(syntax, given, syntax->nodes[given].kind->list);
}

/* Wishes that the name, which `declared` declares, is that of an array: with as many elements as
 * the second argument of its type says, or the only one of its value, which goes then; else with
 * one. */
static pare_status add_dimension(pare_program *program, const pare_occurrence *declared,
                                 uint32_t arguments, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t size = pare_syntax_element_at(syntax, arguments, 1), value = declared->value;
    uint32_t end = syntax->nodes[declared->leaf].end;
    bool counted = value != PARE_NO_NODE && pare_syntax_is(syntax, value, PARE_ROLE_ARGUMENTS);
    bool listed = value != PARE_NO_NODE && !counted;
    pare_buffer text = {0};
    pare_status status = PARE_OK;
    if (size == PARE_NO_NODE && counted) size = pare_syntax_element_at(syntax, value, 0);
    if (size != PARE_NO_NODE) {
        status = pare_buffer_text(&text, "[", err);
        if (!status) status = pare_syntax_append(syntax, size, false, &text, err);
        if (!status) status = pare_buffer_text(&text, "]", err);
    } else {
        /* A list of values says itself how many there are. */
        status = pare_buffer_text(&text, listed ? "[]" : "[1]", err);
    }
    /* A number of elements makes way for the dimension. */
    uint32_t to = counted ? syntax->nodes[value].end : end;
    if (!status)
        status = pare_rewrites_range(&program->rewrites, end, to, text.data, text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* An item: all names in the declaration become arrays of the elements of its type. */
static pare_status collect_array(pare_program *program, uint32_t declaration, uint32_t type,
                                 uint32_t arguments, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t element = pare_syntax_element_at(syntax, arguments, 0);
    size_t n = 0;
    if (element == PARE_NO_NODE) return PARE_OK;
    pare_status status =
        pare_rewrites_replace(&program->rewrites, type, pare_syntax_text(syntax, element),
                              pare_syntax_size(syntax, element), err);
    for (uint32_t i = type; !status && i < syntax->nodes[declaration].after; i++) {
        uint32_t o = program->names.by_leaf[i];
        const pare_occurrence *self = o == PARE_NO_NODE ? NULL : &program->names.occurrences[o];
        if (!self || self->declaring != declaration || !self->declares) continue;
        n++;
        status = add_dimension(program, self, arguments, err);
    }
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status : pare_rewrites_item(&program->rewrites, n, err);
}

/* Each declaration of variables, members or parameters with such a type. */
static pare_status collect_arrays(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    if (!syntax->table->arrays) return PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        if (!pare_syntax_is(syntax, i, PARE_ROLE_DECLARES)) continue;
        uint32_t type = type_in(syntax, i);
        uint32_t list = type == PARE_NO_NODE || pare_syntax_is(syntax, i, PARE_ROLE_FUNCTION)
                            ? PARE_NO_NODE
                            : elements_of(syntax, type);
        if (list != PARE_NO_NODE) status = collect_array(program, i, type, list, err);
    }
    return status;
}

/* plain-arrays: a type of the library that holds elements becomes an array of them.
 * Source: C-Reduce's vector-to-array. */
static pare_status offer_arrays(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_arrays,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_plain_arrays = {
    .name = "plain-arrays",
    .summary = "replaces container types of the library by arrays of their elements",
    .source = "C-Reduce, vector-to-array",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_arrays,
};
