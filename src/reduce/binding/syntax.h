/* A program's nodes with what its language's table says of them.
 *
 * Made of the tree that a pass looks at: the nodes that only say which quantifier their
 * children stand below (PARE_NODE_STAR and the like) are left out, so that these are the
 * nodes of tree-sitter again, in pre-order.
 *
 * Immutable; borrows the view; one thread.  Memory: 48 bytes a node. */
#ifndef PARE_REDUCE_BINDING_SYNTAX_H
#define PARE_REDUCE_BINDING_SYNTAX_H

#include <stdbool.h>

#include "parse/parse_tree.h"
#include "reduce/binding/language.h"
#include "reduce/passes/pass.h"

typedef struct pare_syntax_node {
    const pare_syntax_kind *kind; /* one without roles, if the table does not have it */
    uint32_t begin, end;          /* bytes of the text */
    uint32_t behind;              /* the first node that is not below this one */
    uint32_t parent, before;      /* before: the sibling in front; or PARE_NO_NODE */
    uint32_t statement;           /* the node or the nearest one above it that is one, or
                                     PARE_NO_NODE */
    uint32_t symbol;              /* its type, as the tree has it */
    uint16_t field;
    bool leaf;
    bool punctuation; /* a token known by its text: a bracket, an operator, a keyword */
} pare_syntax_node;

/* All-zero: of no use, to be given to done. */
typedef struct pare_syntax {
    const pare_syntax_table *table;
    const pare_pass_view *view; /* borrowed */
    pare_syntax_node *nodes;    /* owned; node 0 is the root */
    uint32_t n;
} pare_syntax;

/* The nodes of the view's tree.  *known is false, and *out untouched, when there is no
 * tree, no table for the language, or names of fields are not known.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_syntax_make(const pare_pass_view *view, bool *known, pare_syntax *out,
                                        pare_error *err);
void pare_syntax_done(pare_syntax *syntax); /* all-zero is a no-op */

static inline bool pare_syntax_is(const pare_syntax *syntax, uint32_t node, uint32_t roles)
{
    return (syntax->nodes[node].kind->roles & roles) != 0;
}

static inline uint32_t pare_syntax_first(const pare_syntax *syntax, uint32_t node)
{
    return node + 1 < syntax->nodes[node].behind ? node + 1 : PARE_NO_NODE;
}

static inline uint32_t pare_syntax_next(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent, behind = syntax->nodes[node].behind;
    return parent != PARE_NO_NODE && behind < syntax->nodes[parent].behind ? behind : PARE_NO_NODE;
}

/* Whether it may be left out by itself: its type says so, or that it stands among
 * statements or members. */
static inline bool pare_syntax_is_statement(const pare_syntax *syntax, uint32_t node)
{
    return syntax->nodes[node].statement == node;
}

/* Whether it is no punctuation and no comment. */
bool pare_syntax_is_element(const pare_syntax *syntax, uint32_t node);

/* Whether it is a comma or a semicolon between its siblings. */
bool pare_syntax_is_separator(const pare_syntax *syntax, uint32_t node);

/* The next or previous sibling that is an element, or PARE_NO_NODE. */
uint32_t pare_syntax_element_behind(const pare_syntax *syntax, uint32_t node);
uint32_t pare_syntax_element_before(const pare_syntax *syntax, uint32_t node);

/* Whether `node` is one of those children that `words` of its parent's kind say. */
bool pare_syntax_matches(const pare_syntax *syntax, uint32_t node, const char *words);

/* First child that `words` say, or PARE_NO_NODE, also when they are NULL. */
uint32_t pare_syntax_child(const pare_syntax *syntax, uint32_t node, const char *words);

/* How many children `words` say; counts to `most`. */
size_t pare_syntax_count(const pare_syntax *syntax, uint32_t node, const char *words, size_t most);

/* The only element below it, if there is exactly one; else PARE_NO_NODE. */
uint32_t pare_syntax_only_element(const pare_syntax *syntax, uint32_t node);

/* Element `index` of a list, from 0; PARE_NO_NODE: it has fewer. */
uint32_t pare_syntax_element_at(const pare_syntax *syntax, uint32_t list, size_t index);

/* The node, or the nearest one above it, that has one of `roles`; PARE_NO_NODE: none. */
uint32_t pare_syntax_above(const pare_syntax *syntax, uint32_t node, uint32_t roles);

/* Whether `below` is `node` or below it. */
static inline bool pare_syntax_holds(const pare_syntax *syntax, uint32_t node, uint32_t below)
{
    return below >= node && below < syntax->nodes[node].behind;
}

/* The list of parameters in the head of a function, or what stands for it; PARE_NO_NODE. */
uint32_t pare_syntax_parameters(const pare_syntax *syntax, uint32_t function);

static inline const char *pare_syntax_text(const pare_syntax *syntax, uint32_t node)
{
    return (const char *)syntax->view->bytes + syntax->nodes[node].begin;
}

static inline size_t pare_syntax_size(const pare_syntax *syntax, uint32_t node)
{
    return syntax->nodes[node].end - syntax->nodes[node].begin;
}

#endif
