/* What a program's parts mean, as data: one const table for each language.
 *
 * A table says of the node types of a tree-sitter grammar what declares, what uses and what
 * scopes, which are calls, functions, statements, expressions and types, and what the
 * smallest of each is.  The mechanism (reduce/binding/syntax.h, reduce/binding/bindings.h and the passes)
 * knows no language: to teach it another one is to write a table, see docs/design/passes.md.
 *
 * Idea: DRReduce (arXiv 2605.19412), a light semantic layer before a syntax-guided reducer;
 * its rules are not published, these tables are ours. */
#ifndef PARE_REDUCE_BINDING_LANGUAGE_H
#define PARE_REDUCE_BINDING_LANGUAGE_H

#include <stddef.h>
#include <stdint.h>

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
    PARE_ROLE_ACCESS = 1 << 13,     /* of the member `names` of `object` */
    PARE_ROLE_SUBSCRIPT = 1 << 14,  /* of `object`; `list` is the index */
    PARE_ROLE_RETURN = 1 << 15,     /* of `value` */
    /* where it may stand, and what it may become */
    PARE_ROLE_EXPRESSION = 1 << 16,
    PARE_ROLE_PRIMARY = 1 << 17,   /* an expression that needs no parentheses anywhere */
    PARE_ROLE_STATEMENT = 1 << 18, /* may be left out, as may all that stands in a block */
    PARE_ROLE_BLOCK = 1 << 19,     /* statements, which may be taken out of it */
    PARE_ROLE_TYPE = 1 << 20,
    PARE_ROLE_COMMENT = 1 << 21,
    PARE_ROLE_CLAUSE = 1 << 22, /* a part of a statement that may be left out */
    PARE_ROLE_ARRAY = 1 << 23   /* a WRAPS that adds a dimension, `list`, to what is in it */
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
    const char *const *values;    /* smallest expressions, best first; NULL behind the last */
    const char *const *types;     /* simplest types, in the same way */
    const char *no_statement;     /* stands where a statement must: ";" */
    const char *no_body;          /* of a function: "{}" */
    const char *only_declared;    /* stands where a function's body did: ";"; NULL: nothing may */
    const char *before_statement; /* separates two that are put in the place of one */
    const char *entry;            /* what is used from outside, though nothing here does; or NULL */
    pare_implicit implicit;
    enum { PARE_SYNTAX_BRACKETS, PARE_SYNTAX_INDENTED } blocks;
};

/* The table of the language `name`; NULL when there is none. */
const pare_syntax_table *pare_syntax_table_find(const char *name);

/* All of them; NULL behind the last. */
const pare_syntax_table *pare_syntax_table_at(size_t index);

/* What the table, or one that it extends, says of a node type; NULL: nothing.  O(kinds). */
const pare_syntax_kind *pare_syntax_table_kind(const pare_syntax_table *table, const char *type);

/* All that it says, its own first; NULL behind the last. */
const pare_syntax_kind *pare_syntax_table_kind_at(const pare_syntax_table *table, size_t index);

#endif
