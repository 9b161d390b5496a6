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
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "parse/parse_tree.h"
#include "reduce/passes/pass.h"

/* What a program's parts mean, as data: one const table for each language.
 *
 * A table says of the node types of a tree-sitter grammar what declares, what uses and what
 * scopes, which are calls, functions, statements, expressions and types, and what the
 * smallest of each is.  The mechanism (reduce/binding/syntax.h, reduce/binding/bindings.h and the passes)
 * knows no language: to teach it another one is to write a table, see docs/design/passes.md.
 *
 * Idea: DRReduce (arXiv 2605.19412), a light semantic layer before a syntax-guided reducer;
 * its rules are not published, these tables are ours. */

/* What a node type is; any number of them. */
typedef enum pare_role {
    /* leaves */
    PARE_ROLE_NAME = 1 << 0,   /* a name that is looked up in the scopes around it */
    PARE_ROLE_MEMBER = 1 << 1, /* a name of a part of something: found by its text alone */
    PARE_ROLE_LABEL = 1 << 2,  /* a name of a place, known in all of its function */
    /* what is said of names */
    PARE_ROLE_DECLARES = 1 << 3, /* `names` are declared here, with `value` if there is one */
    PARE_ROLE_ASSIGNS = 1 << 4,  /* `names` get `value`; declares them if nothing else does */
    PARE_ROLE_WRAPS = 1 << 5,    /* stands between a declaration and the name in `names` */
    PARE_ROLE_SCOPE = 1 << 6,    /* what is declared in it is known in it */
    PARE_ROLE_MEMBERS = 1 << 7,  /* a scope whose names are members */
    PARE_ROLE_HOLDER = 1 << 8,   /* nothing is left of it without its `names` */
    /* what is run */
    PARE_ROLE_FUNCTION = 1 << 9,    /* a scope, with parameters in `list` and a `body` */
    PARE_ROLE_PARAMETERS = 1 << 10, /* a list of them */
    PARE_ROLE_ARGUMENTS = 1 << 11,  /* a list of them */
    PARE_ROLE_CALL = 1 << 12,       /* of `object`, with arguments in `list` */
    PARE_ROLE_ACCESS = 1 << 13,    /* of the member `names`, or what `value` ends in, of `object` */
    PARE_ROLE_SUBSCRIPT = 1 << 14, /* of `object`; `list` is the index */
    PARE_ROLE_RETURN = 1 << 15,    /* of `value` */
    /* where it may stand, and what it may become */
    PARE_ROLE_EXPRESSION = 1 << 16,
    PARE_ROLE_PRIMARY = 1 << 17,   /* an expression that needs no parentheses anywhere */
    PARE_ROLE_STATEMENT = 1 << 18, /* may be left out, as may all that stands in a block */
    PARE_ROLE_BLOCK = 1 << 19,     /* statements, which may be taken out of it */
    PARE_ROLE_TYPE = 1 << 20,
    PARE_ROLE_COMMENT = 1 << 21,
    PARE_ROLE_CLAUSE = 1 << 22, /* a part of a statement that may be left out */
    PARE_ROLE_ARRAY = 1 << 23,  /* a WRAPS that adds a dimension, `list`, to what is in it */
    /* what stands around names and declarations */
    PARE_ROLE_QUALIFIED = 1 << 24, /* the name `names`, looked up in `object`, given `list` */
    PARE_ROLE_TEMPLATE =
        1 << 25, /* of what `names` declare, with parameters of its own in `list` */
    PARE_ROLE_NAMESPACE = 1 << 26, /* `body` is one scope with all others of its name; without a
                                      `body`: what it names is known from here on */
    PARE_ROLE_PROLOGUE = 1 << 27,  /* goes when the function's body does */
    PARE_ROLE_FILLED = 1 << 28,    /* a list that may not be empty */
    PARE_ROLE_VISIBILITY = 1 << 29 /* says where members may be used; a mark may stand after it */
} pare_role;

/* One node type.  `names` and the rest say which children: blank-separated words, each the
 * name of a field or of a node type, or "*" for each child that is not punctuation.  NULL:
 * none. */
typedef struct pare_syntax_kind {
    const char *type;
    uint32_t roles; /* of pare_role */
    const char *names, *value, *object, *list, *body;
} pare_syntax_kind;

/* Who owns a name that is assigned to and declared nowhere. */
typedef enum pare_implicit {
    PARE_IMPLICIT_NOBODY,
    PARE_IMPLICIT_PROGRAM, /* it is known everywhere */
    PARE_IMPLICIT_FUNCTION /* the function around */
} pare_implicit;

typedef struct pare_syntax_table pare_syntax_table;
struct pare_syntax_table {
    const char *names; /* of languages, as packs have them; blank-separated */
    const pare_syntax_kind *kinds;
    size_t n_kinds;
    /* A language that this one is a dialect of, whose kinds count where this table has none
     * of their type (types that its grammar does not have included); NULL: none.  Nothing
     * else is taken over. */
    const pare_syntax_table *extends;
    const char *const *values; /* smallest expressions, best first; NULL after the last */
    const char *const *types;  /* simplest types, in the same way */
    const char *no_statement;  /* stands where a statement must: ";" */
    const char *no_body;       /* of a function: "{}" */
    const char *only_declared; /* stands where a function's body did: ";"; NULL: nothing may */
    const char *nothing;       /* type of a function that returns nothing; NULL: no word */
    const char *open_class;    /* begins a class whose members are all known; NULL: none */
    bool
        functions_outside; /* a method may stand outside of its class, as a function; so if `open_class` */
    const char *sequences;       /* node types: of two expressions, one after the other */
    const char *operators;       /* node types: names of what operators mean, in declarations */
    const char *typed;           /* node types: expressions whose `type` stands in them */
    const char *deduced;         /* node types: types that stand for that of a value */
    const char *arrays;          /* names of types that hold elements of their first argument */
    const char *any_value;       /* declares a name of any value's type: "auto" */
    const char *joined_class;    /* begins a class whose members share their place: "union" */
    const char *casts;           /* names of calls that are casts to the type they are given */
    const char *type_words;      /* before a parameter of a template that is a type; shortest first;
                                     NULL: the passes that know templates' words offer nothing */
    const char *trailing;        /* node types: a type that stands behind what it is of */
    const char *after_parameter; /* makes a variable of a parameter, put after it; NULL: nothing
                                     does */
    const char *before_statement; /* separates two that are put in the place of one */
    const char *entry;            /* what is used from outside, though nothing here does; or NULL */
    pare_implicit implicit;
    enum { PARE_SYNTAX_BRACKETS, PARE_SYNTAX_INDENTED } blocks;
};

/* The tables, one source file each. */
extern const pare_syntax_table pare_table_bash;       /* table_bash.c */
extern const pare_syntax_table pare_table_c;          /* table_c.c */
extern const pare_syntax_table pare_table_cpp;        /* table_cpp.c */
extern const pare_syntax_table pare_table_csharp;     /* table_csharp.c */
extern const pare_syntax_table pare_table_go;         /* table_go.c */
extern const pare_syntax_table pare_table_java;       /* table_java.c */
extern const pare_syntax_table pare_table_javascript; /* table_javascript.c */
extern const pare_syntax_table pare_table_kotlin;     /* table_kotlin.c */
extern const pare_syntax_table pare_table_lua;        /* table_lua.c */
extern const pare_syntax_table pare_table_php;        /* table_php.c */
extern const pare_syntax_table pare_table_python;     /* table_python.c */
extern const pare_syntax_table pare_table_ruby;       /* table_ruby.c */
extern const pare_syntax_table pare_table_rust;       /* table_rust.c */
extern const pare_syntax_table pare_table_sql;        /* table_sql.c */
extern const pare_syntax_table pare_table_typescript; /* table_typescript.c */

/* The table of the language `name`; NULL when there is none. */
const pare_syntax_table *pare_syntax_table_find(const char *name);

/* All of them; NULL after the last. */
const pare_syntax_table *pare_syntax_table_at(size_t index);

/* What the table, or one that it extends, says of a node type; NULL: nothing.  O(kinds). */
const pare_syntax_kind *pare_syntax_table_kind(const pare_syntax_table *table, const char *type);

/* All that it says, its own first; NULL after the last. */
const pare_syntax_kind *pare_syntax_table_kind_at(const pare_syntax_table *table, size_t index);

typedef struct pare_syntax_node {
    const pare_syntax_kind *kind; /* one without roles, if the table does not have it */
    uint32_t begin, end;          /* bytes of the text */
    uint32_t after;               /* the first node that is not below this one */
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
    return node + 1 < syntax->nodes[node].after ? node + 1 : PARE_NO_NODE;
}

static inline uint32_t pare_syntax_next(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent, after = syntax->nodes[node].after;
    return parent != PARE_NO_NODE && after < syntax->nodes[parent].after ? after : PARE_NO_NODE;
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
uint32_t pare_syntax_element_after(const pare_syntax *syntax, uint32_t node);
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

/* Whether `below` is `node` or below it. */
static inline bool pare_syntax_holds(const pare_syntax *syntax, uint32_t node, uint32_t below)
{
    return below >= node && below < syntax->nodes[node].after;
}

/* The list of parameters in the head of a function, or what stands for it; PARE_NO_NODE. */
uint32_t pare_syntax_parameters(const pare_syntax *syntax, uint32_t function);

/* The leaf in which a qualified name ends (f of `n::f<int>`); `node` itself if it is not
 * qualified; PARE_NO_NODE if it ends in what is no name by itself (an operator). */
uint32_t pare_syntax_name_leaf(const pare_syntax *syntax, uint32_t node);

/* What the name at `leaf` is looked up in: the name before it, such as that of `n` in `n::f`; or
 * PARE_NO_NODE. */
uint32_t pare_syntax_qualifier(const pare_syntax *syntax, uint32_t leaf);

/* The qualified name that `leaf` is a part of, as a whole; the leaf itself if there is none. */
uint32_t pare_syntax_whole_name(const pare_syntax *syntax, uint32_t leaf);

/* Whether `node` is a type and no expression: a qualified name is what it ends in. */
bool pare_syntax_is_type(const pare_syntax *syntax, uint32_t node);

/* Whether `node` declares something where it stands: a structure that is only named does not. */
bool pare_syntax_is_declaring(const pare_syntax *syntax, uint32_t node);

/* Whether `node` leads to what a declaration around it declares. */
bool pare_syntax_is_declarator(const pare_syntax *syntax, uint32_t node);

/* Whether nothing is left of what is around `node` without it and its like. */
bool pare_syntax_is_held(const pare_syntax *syntax, uint32_t node);

/* The template one of whose parameters `node` is; PARE_NO_NODE: of none. */
uint32_t pare_syntax_template_of(const pare_syntax *syntax, uint32_t node);

/* The type without a name of which nothing is left when all that stands in `list` goes, as it
 * stands among statements and not in a declaration; else PARE_NO_NODE. */
uint32_t pare_syntax_nameless_type(const pare_syntax *syntax, uint32_t list);

/* Appends the text of the node, whatever bytes are in it; `wrapped`: in parentheses.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_syntax_append(const pare_syntax *syntax, uint32_t node, bool wrapped,
                                          pare_buffer *out, pare_error *err);

static inline const char *pare_syntax_text(const pare_syntax *syntax, uint32_t node)
{
    return (const char *)syntax->view->bytes + syntax->nodes[node].begin;
}

static inline size_t pare_syntax_size(const pare_syntax *syntax, uint32_t node)
{
    return syntax->nodes[node].end - syntax->nodes[node].begin;
}

#endif
