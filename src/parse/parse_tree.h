/* The parse tree: what a parser made of a text, whichever parser it was.
 *
 * Nodes stand in one array in pre-order: a parent before its children, siblings in the
 * order of the text.  A node covers the bytes begin .. end-1, from its first token to its
 * last; what lies between tokens (spaces, comments, whatever the lexer hid) belongs to no
 * token and is found between their offsets, so the text is never lost: printing the
 * tokens with what lies between them, before the first and after the last gives the
 * input back byte for byte.  A node without tokens has begin == end.
 *
 * Immutable once built; owned by who asked for the parse.  One thread. */
#ifndef PARE_PARSE_PARSE_TREE_H
#define PARE_PARSE_PARSE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"

#define PARE_NO_NODE UINT32_MAX

typedef enum pare_node_kind {
    PARE_NODE_RULE,     /* symbol: rule */
    PARE_NODE_TOKEN,    /* symbol: token type; a leaf */
    PARE_NODE_OPTIONAL, /* a quantifier of the rule above it, kept as a node; symbol: the
                           grammar's expression, or PARE_NO_NODE */
    PARE_NODE_STAR,
    PARE_NODE_PLUS,
    PARE_NODE_ITEM,  /* one round of a quantifier whose body is not a single symbol */
    PARE_NODE_OPAQUE /* a stretch that did not lex or parse, or a piece of one; symbol: see
                        parse/bracket_parse.h, or of tree-sitter.  A leaf, or with opaque nodes
                        and stars of them below */
} pare_node_kind;

/* 28 bytes. */
typedef struct pare_parse_node {
    uint16_t kind;        /* pare_node_kind */
    uint16_t field;       /* by tree-sitter: what its parent calls it; 0: nothing */
    uint32_t symbol;      /* see the kind */
    uint32_t alternative; /* RULE: which alternative of the body, from 0 */
    uint32_t begin, end;  /* bytes of the text */
    uint32_t after;       /* index of the first node that is not below this one */
    uint32_t parent;      /* index, or PARE_NO_NODE for the root, which is node 0 */
} pare_parse_node;

/* Names of the symbols of one language; borrowed by its trees. */
typedef struct pare_symbol_names {
    const char *(*rule)(const void *language, uint32_t symbol);
    const char *(*token)(const void *language, uint32_t symbol); /* symbolic or literal */
    const void *language;
    const char *(*field)(const void *language, uint32_t field); /* NULL: there are none */
    bool (*is_named)(const void *language, uint32_t symbol);    /* a type of node, not a token
                                                   known by its text; NULL: nobody can tell */
} pare_symbol_names;

/* Where the input left the grammar first. */
typedef struct pare_parse_error {
    bool any;
    uint32_t line, column; /* line from 1, column from 0, in code points, as ANTLR does */
    uint32_t begin;        /* byte */
    char *message;         /* owned by the tree: "found X, expected Y or Z", or "no token
                              matches X"; NULL without an error */
} pare_parse_error;

typedef struct pare_parse_tree {
    pare_parse_node *nodes; /* owned */
    size_t n_nodes;
    uint32_t size_bytes; /* of the text */
    pare_symbol_names names;
    pare_parse_error error; /* first one; the tree is whole all the same */
    size_t n_errors;
} pare_parse_tree;

void pare_parse_tree_done(pare_parse_tree *tree); /* all-zero is a no-op */

/* Copies what is said about an error; the caller owns out->message.
 * Errors: PARE_E_NOMEM; *out is untouched then. */
PARE_CHECK pare_status pare_parse_tree_copy_error(const pare_parse_error *error,
                                                  pare_parse_error *out, pare_error *err);

/* PARE_NO_NODE when there is none.  O(1). */
uint32_t pare_parse_tree_first_child(const pare_parse_tree *tree, uint32_t node);
uint32_t pare_parse_tree_next_sibling(const pare_parse_tree *tree, uint32_t node);

/* Whether it is a token, or opaque without structure. */
bool pare_parse_tree_is_leaf(const pare_parse_tree *tree, uint32_t node);

/* Whether the nodes are linked and ordered as described above; O(nodes). */
bool pare_parse_tree_check(const pare_parse_tree *tree);

#endif
