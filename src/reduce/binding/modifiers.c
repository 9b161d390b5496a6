/* The pass modifiers: words before declarations that may go by themselves, and types that need not
 * be said.
 *
 * `protected`, `static`, annotations, the types of parameters in a language where names have none:
 * each is a few bytes, and one test to whoever takes the heaviest part first; but nearly always
 * all of them can go at once.  And they are in the way: a method that is protected, or that takes an
 * array, cannot be called in the place of another one (pass_redirect.c).
 * A modifier is what the table calls a statement and nothing else, inside a declaration.
 * Invariant: names, values and bodies stay.
 * Source: ours; C-Reduce and DustMite take them one by one. */
#include "parse/parse_tree.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum {
    LONGEST = 64, /* bytes: more is no mere modifier */
    MOST_KINDS = 16
};

/* Whether the node stands in a declaration, not in a list of statements or members. */
static bool is_in_declaration(const pare_syntax *syntax, uint32_t node)
{
    const uint32_t parent = syntax->nodes[node].parent;
    if (parent == PARE_NO_NODE || !parent) return false;
    return pare_syntax_is(syntax, parent,
                          PARE_ROLE_DECLARES | PARE_ROLE_HOLDER | PARE_ROLE_FUNCTION) &&
           !pare_syntax_is(syntax, parent, PARE_ROLE_BLOCK | PARE_ROLE_MEMBERS);
}

/* Whether the node is a modifier, or a type where names have none. */
static bool may_go(const pare_syntax *syntax, uint32_t node)
{
    const pare_syntax_kind *kind = syntax->nodes[node].kind;
    if (pare_syntax_size(syntax, node) > LONGEST || !is_in_declaration(syntax, node)) return false;
    if (kind->roles == PARE_ROLE_STATEMENT) return !kind->names && !kind->body && !kind->value;
    return kind->roles & PARE_ROLE_TYPE && syntax->table->implicit != PARE_IMPLICIT_NOBODY &&
           !pare_syntax_is(syntax, syntax->nodes[node].parent, PARE_ROLE_TYPE);
}

/* Wishes that the node goes, with the sign that says a type follows, or with the blanks after it;
 * adds to *bytes what goes. */
static pare_status remove_modifier(pare_program *program, uint32_t node, size_t *bytes,
                                   pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_node *self = &syntax->nodes[node];
    const pare_pass_view *view = syntax->view;
    uint32_t from = self->begin, to = self->end;
    const uint32_t before = self->before;
    if (before != PARE_NO_NODE && self->kind->roles & PARE_ROLE_TYPE &&
        syntax->nodes[before].punctuation && !pare_syntax_is_separator(syntax, before) &&
        view->bytes[syntax->nodes[before].begin] != '(')
        from = syntax->nodes[before].begin;
    else
        while (to < view->end && (view->bytes[to] == ' ' || view->bytes[to] == '\t'))
            to++;
    *bytes += to - from;
    return pare_rewrites_range(&program->rewrites, from, to, NULL, 0, err);
}

/* Whether both are of one kind, in declarations of one kind. */
static bool is_same_kind(const pare_syntax *syntax, uint32_t a, uint32_t b)
{
    return syntax->nodes[a].kind == syntax->nodes[b].kind &&
           syntax->nodes[syntax->nodes[a].parent].kind ==
               syntax->nodes[syntax->nodes[b].parent].kind;
}

/* One item: all modifiers of the kind of `first`, unless one before it is of that kind.  A property may
 * need the word that a method can do without, so what goes together is of one kind. */
static pare_status collect_kind(pare_program *program, uint32_t first, uint32_t kinds[MOST_KINDS],
                                size_t *n_kinds, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    size_t bytes = 0;
    for (size_t i = 0; i < *n_kinds; i++)
        if (is_same_kind(syntax, kinds[i], first)) return PARE_OK;
    if (*n_kinds == MOST_KINDS) return PARE_OK;
    kinds[(*n_kinds)++] = first;
    pare_status status = PARE_OK;
    for (uint32_t i = first; !status && i < syntax->n; i++)
        if (may_go(syntax, i) && is_same_kind(syntax, first, i))
            status = remove_modifier(program, i, &bytes, err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status : pare_rewrites_item(&program->rewrites, bytes, err);
}

static pare_status collect_modifiers(pare_program *program, pare_error *err)
{
    uint32_t kinds[MOST_KINDS];
    size_t n_kinds = 0;
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < program->syntax.n; i++)
        if (may_go(&program->syntax, i)) status = collect_kind(program, i, kinds, &n_kinds, err);
    return status;
}

/* modifiers: all of them at once first, then those of half of the kinds, and so on.
 *
 * Example: `protected function f(array $a): int {}` becomes `function f($a) {}`. */
static pare_status offer_modifiers(const pare_pass *pass, const pare_pass_view *view,
                                   pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_modifiers,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_modifiers = {
    .name = "modifiers",
    .summary = "removes modifiers of declarations, and types where names need none",
    .source = "ours; those of one kind at once",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_modifiers,
};
