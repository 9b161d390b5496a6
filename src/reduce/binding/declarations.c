/* What a declaration is made of, by the roles that a language's table gives to kinds of nodes.
 *
 * Each answer looks at a node, its parent and its siblings.  What a node inherits from further up
 * (context, head, scope) is in arrays by node, which the caller fills from the root downwards:
 * parents come before their children in pre-order.  So all answers for a program cost O(nodes),
 * where climbing to the root for each would cost the depth of the tree; only unit and value climb,
 * and those from a name to its own declaration.
 * Source: the dependency graph of DRReduce (arXiv 2605.19412), see bindings.c. */
#include "reduce/binding/declarations.h"

#include "parse/parse_tree.h"
#include "reduce/binding/syntax.h"

bool pare_declarations_is_space(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    bool around = parent != PARE_NO_NODE && syntax->nodes[parent].parent != PARE_NO_NODE;
    return around && pare_syntax_is(syntax, parent, PARE_ROLE_NAMESPACE) &&
           pare_syntax_matches(syntax, node, syntax->nodes[parent].kind->body);
}

bool pare_declarations_is_stray(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    return parent != PARE_NO_NODE && syntax->table->entry &&
           pare_syntax_is(syntax, node, PARE_ROLE_BLOCK) &&
           pare_syntax_is(syntax, node, PARE_ROLE_STATEMENT) &&
           (!parent || pare_declarations_is_space(syntax, parent));
}

/* Whether names below `node` are declared by whatever declares `node`.
 * Declarators in C and patterns elsewhere stand between a declaration and its names; below what
 * is accessed in an assignment only the member is assigned to. */
static bool leads_on(const pare_syntax *syntax, const uint32_t *contexts, uint32_t node)
{
    uint32_t context = contexts[node];
    if (context == PARE_NO_NODE) return false;
    return pare_syntax_is(syntax, node, PARE_ROLE_WRAPS) ||
           (pare_syntax_is(syntax, node, PARE_ROLE_ACCESS) &&
            pare_syntax_is(syntax, context, PARE_ROLE_ASSIGNS));
}

uint32_t pare_declarations_context(const pare_syntax *syntax, const uint32_t *contexts,
                                   uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    if (parent == PARE_NO_NODE) return PARE_NO_NODE;
    const pare_syntax_kind *kind = syntax->nodes[parent].kind;
    /* A function's only parameter may stand without a list. */
    bool bare = kind->roles & PARE_ROLE_FUNCTION && pare_syntax_is(syntax, node, PARE_ROLE_NAME) &&
                pare_syntax_matches(syntax, node, kind->list);
    if (bare) return node; /* x => x: a parameter without a list */
    if (pare_syntax_is_declaring(syntax, parent) && pare_syntax_matches(syntax, node, kind->names))
        return parent;
    if (leads_on(syntax, contexts, parent) && pare_syntax_matches(syntax, node, kind->names))
        return contexts[parent];
    return PARE_NO_NODE;
}

uint32_t pare_declarations_head(const pare_syntax *syntax, const uint32_t *heads, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    if (parent == PARE_NO_NODE) return PARE_NO_NODE;
    if (pare_syntax_is(syntax, parent, PARE_ROLE_FUNCTION)) {
        const char *body = syntax->nodes[parent].kind->body;
        return pare_syntax_matches(syntax, node, body) ? PARE_NO_NODE : parent;
    }
    return pare_syntax_is(syntax, parent, PARE_ROLE_PARAMETERS) ? PARE_NO_NODE : heads[parent];
}

uint32_t pare_declarations_scope(const pare_syntax *syntax, const uint32_t *scopes,
                                 uint32_t declaring)
{
    uint32_t parent = syntax->nodes[declaring].parent;
    if (pare_syntax_is(syntax, declaring, PARE_ROLE_PARAMETERS) || parent == PARE_NO_NODE)
        return scopes[declaring];
    /* What it is a template of is known outside of the template, unlike its parameters. */
    while (pare_syntax_is(syntax, parent, PARE_ROLE_TEMPLATE) &&
           pare_syntax_matches(syntax, declaring, syntax->nodes[parent].kind->names)) {
        declaring = parent;
        parent = syntax->nodes[parent].parent;
    }
    return scopes[parent];
}

/* Up to the declaration, and further up as long as nothing else is declared there. */
uint32_t pare_declarations_unit(const pare_syntax *syntax, uint32_t leaf, uint32_t declaring)
{
    uint32_t unit = leaf;
    while (unit != declaring) {
        uint32_t parent = syntax->nodes[unit].parent;
        const pare_syntax_kind *kind = syntax->nodes[parent].kind;
        /* A parameter list stays when one of its parameters goes. */
        if (kind->roles & PARE_ROLE_PARAMETERS) return unit;
        if (!(kind->roles & PARE_ROLE_ACCESS) &&
            pare_syntax_count(syntax, parent, kind->names, 2) > 1)
            return unit;
        unit = parent;
    }
    for (;;) {
        uint32_t parent = syntax->nodes[unit].parent;
        uint32_t whole =
            parent == PARE_NO_NODE ? PARE_NO_NODE : pare_syntax_nameless_type(syntax, parent);
        if (whole != PARE_NO_NODE && pare_syntax_only_element(syntax, parent) == unit) {
            unit = whole;
            continue;
        }
        if (parent == PARE_NO_NODE || !pare_syntax_is(syntax, parent, PARE_ROLE_HOLDER))
            return unit;
        const char *words = syntax->nodes[parent].kind->names;
        if (!pare_syntax_matches(syntax, unit, words) ||
            pare_syntax_count(syntax, parent, words, 2) > 1)
            return unit;
        unit = parent;
    }
}

/* Which of the children that `words` say `child` is, from 0. */
static size_t place_of(const pare_syntax *syntax, uint32_t child, const char *words)
{
    uint32_t parent = syntax->nodes[child].parent;
    size_t place = 0;
    for (uint32_t i = pare_syntax_first(syntax, parent); i != child;
         i = pare_syntax_next(syntax, i))
        place += pare_syntax_matches(syntax, i, words);
    return place;
}

/* The value beside the list of names in which `child` is: the one in its place, if there
 * are as many.  A list of one is looked through. */
static uint32_t value_beside(const pare_syntax *syntax, uint32_t declaring, uint32_t child)
{
    enum { MOST_NAMES = 64 };
    uint32_t values = pare_syntax_child(syntax, declaring, syntax->nodes[declaring].kind->value);
    uint32_t list = child == PARE_NO_NODE ? PARE_NO_NODE : syntax->nodes[child].parent;
    /* No list of names: all of the value is this name's. */
    if (list == PARE_NO_NODE || list == declaring) {
        while (values != PARE_NO_NODE && pare_syntax_is(syntax, values, PARE_ROLE_WRAPS) &&
               !pare_syntax_is(syntax, values, PARE_ROLE_EXPRESSION | PARE_ROLE_TYPE))
            values = pare_syntax_only_element(syntax, values);
        return list == PARE_NO_NODE ? values : PARE_NO_NODE;
    }
    const char *words = syntax->nodes[list].kind->names;
    size_t n = pare_syntax_count(syntax, list, words, MOST_NAMES);
    /* Names and values are paired by position, which is only possible if there are as many of
     * both. */
    if (values == PARE_NO_NODE || n == MOST_NAMES ||
        pare_syntax_count(syntax, values, "*", MOST_NAMES) != n)
        return PARE_NO_NODE;
    return pare_syntax_element_at(syntax, values, place_of(syntax, child, words));
}

/* Upwards from the leaf: the nearest value beside it counts, else that of its place in the lists. */
uint32_t pare_declarations_value(const pare_syntax *syntax, uint32_t leaf, uint32_t declaring)
{
    uint32_t among = PARE_NO_NODE; /* the child of a list of names that leads to the leaf */
    for (uint32_t node = leaf; node != declaring;) {
        uint32_t parent = syntax->nodes[node].parent;
        const pare_syntax_kind *over = syntax->nodes[parent].kind;
        uint32_t value =
            parent == declaring ? PARE_NO_NODE : pare_syntax_child(syntax, parent, over->value);
        if (value != PARE_NO_NODE) return value;
        if (over->roles & PARE_ROLE_ARRAY) return PARE_NO_NODE;
        bool many = !(over->roles & PARE_ROLE_ACCESS) &&
                    pare_syntax_count(syntax, parent, over->names, 2) > 1;
        /* A list in a list: which value belongs to the name cannot be told by position. */
        if (many && among != PARE_NO_NODE) return PARE_NO_NODE;
        if (many) among = node;
        node = parent;
    }
    return value_beside(syntax, declaring, among);
}
