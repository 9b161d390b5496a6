/* Parse trees written by hand.
 *
 *     (expr (term 'a') _ '+' _ (* (& ',' (term 'b'))))
 *
 * A word behind `(` names a rule; `*`, `+`, `?` and `&` are a star, plus, optional and item
 * node.  Text between quotes is a token, `_` a space that belongs to no token.  Symbols of
 * rules and tokens are numbered in the order in which their names come up, from 0; the
 * numbers last as long as the notation.  Included after cmocka; everything is static. */
#ifndef PARE_TESTS_TREE_NOTATION_H
#define PARE_TESTS_TREE_NOTATION_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/tree/tree.h"

enum { NOTATION_MAX_NAMES = 256, NOTATION_MAX_NAME = 32 };

struct notation {
    pare_parse_tree parse;
    size_t capacity;
    char *text;
    size_t text_size, text_capacity;
    char names[NOTATION_MAX_NAMES][NOTATION_MAX_NAME];
    size_t n_names;
};

static inline uint32_t notation_symbol(struct notation *to, const char *name, size_t size)
{
    assert_true(size < NOTATION_MAX_NAME);
    for (uint32_t i = 0; i < to->n_names; i++)
        if (strlen(to->names[i]) == size && memcmp(to->names[i], name, size) == 0) return i;
    assert_true(to->n_names < NOTATION_MAX_NAMES);
    memcpy(to->names[to->n_names], name, size);
    to->names[to->n_names][size] = '\0';
    return (uint32_t)to->n_names++;
}

static inline void notation_text(struct notation *to, const char *text, size_t size)
{
    if (to->text_size + size + 1 > to->text_capacity) {
        to->text_capacity = 2 * (to->text_size + size + 1);
        to->text = realloc(to->text, to->text_capacity);
        assert_non_null(to->text);
    }
    memcpy(to->text + to->text_size, text, size);
    to->text_size += size;
    to->text[to->text_size] = '\0';
}

/* Adds a node below `parent`; its end and `after` are set by notation_close. */
static inline uint32_t notation_open(struct notation *to, uint32_t kind, uint32_t symbol,
                                     uint32_t parent)
{
    if (to->parse.n_nodes == to->capacity) {
        to->capacity = 2 * to->capacity + 16;
        to->parse.nodes = realloc(to->parse.nodes, to->capacity * sizeof *to->parse.nodes);
        assert_non_null(to->parse.nodes);
    }
    to->parse.nodes[to->parse.n_nodes] = (pare_parse_node){.kind = (uint16_t)kind,
                                                           .symbol = symbol,
                                                           .begin = (uint32_t)to->text_size,
                                                           .end = (uint32_t)to->text_size,
                                                           .parent = parent};
    return (uint32_t)to->parse.n_nodes++;
}

static inline void notation_close(struct notation *to, uint32_t node)
{
    pare_parse_node *nodes = to->parse.nodes;
    nodes[node].after = (uint32_t)to->parse.n_nodes;
    bool any = nodes[node].kind == PARE_NODE_TOKEN;
    for (uint32_t c = node + 1; c < nodes[node].after; c = nodes[c].after) {
        if (nodes[c].begin == nodes[c].end) continue;
        if (!any) nodes[node].begin = nodes[c].begin;
        any = true;
        nodes[node].end = nodes[c].end;
    }
}

static inline void notation_token(struct notation *to, const char *text, size_t size,
                                  uint32_t parent)
{
    uint32_t node = notation_open(to, PARE_NODE_TOKEN, notation_symbol(to, text, size), parent);
    notation_text(to, text, size);
    to->parse.nodes[node].end = (uint32_t)to->text_size;
    notation_close(to, node);
}

static inline uint32_t notation_kind(char first)
{
    switch (first) {
    case '*': return PARE_NODE_STAR;
    case '+': return PARE_NODE_PLUS;
    case '?': return PARE_NODE_OPTIONAL;
    case '&': return PARE_NODE_ITEM;
    default: return PARE_NODE_RULE;
    }
}

/* *to is all-zero. */
static inline void notation_read(struct notation *to, const char *source)
{
    uint32_t at = PARE_NO_NODE;
    for (const char *s = source; *s;) {
        if (*s == ' ' || *s == '\n') {
            s++;
        } else if (*s == '_') {
            notation_text(to, " ", 1);
            s++;
        } else if (*s == ')') {
            uint32_t parent = to->parse.nodes[at].parent;
            notation_close(to, at);
            at = parent;
            s++;
        } else if (*s == '\'') {
            size_t size = strcspn(s + 1, "'");
            notation_token(to, s + 1, size, at);
            s += size + 2;
        } else {
            assert_int_equal(*s, '(');
            size_t size = strcspn(s + 1, " )(\n");
            uint32_t kind = notation_kind(s[1]);
            uint32_t symbol =
                kind == PARE_NODE_RULE ? notation_symbol(to, s + 1, size) : PARE_NO_NODE;
            at = notation_open(to, kind, symbol, at);
            s += size + 1;
        }
    }
    assert_int_equal(at, PARE_NO_NODE);
    to->parse.size_bytes = (uint32_t)to->text_size;
}

static inline void notation_done(struct notation *notation)
{
    free(notation->parse.nodes);
    free(notation->text);
    memset(notation, 0, sizeof *notation);
}

static inline pare_tree *notation_tree(struct notation *notation, const pare_tree_rules *rules)
{
    pare_text *text = NULL;
    pare_tree *tree = NULL;
    assert_int_equal(
        pare_text_copy(notation->text ? notation->text : "", notation->text_size, &text, NULL),
        PARE_OK);
    assert_int_equal(pare_tree_new(&notation->parse, text, rules, &tree, NULL), PARE_OK);
    pare_text_unref(text);
    assert_true(pare_tree_check(tree));
    return tree;
}

/* Writes the tree back in the notation, tokens as their text; caller frees. */
static inline char *notation_write(const struct notation *names, const pare_tree *tree)
{
    static const char *const marks[] = {"", "", "?", "*", "+", "&", "!"};
    size_t capacity = 64 + 64 * (size_t)tree->n_nodes + 2 * pare_text_size(tree->text), size = 0;
    char *out = malloc(capacity);
    uint32_t *open = malloc((tree->n_nodes + 1) * sizeof *open);
    size_t depth = 0;
    assert_true(out && open);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const pare_tree_node *node = &tree->nodes[i];
        if (i) out[size++] = ' ';
        if (node->own.kind == PARE_NODE_TOKEN) {
            pare_text_read(tree->text, node->begin, node->end - node->begin, out + size);
            size += node->end - node->begin;
        } else {
            const char *name =
                node->own.kind == PARE_NODE_RULE ? names->names[node->own.symbol] : "";
            size +=
                (size_t)snprintf(out + size, capacity - size, "(%s%s", marks[node->own.kind], name);
            open[depth++] = node->after;
        }
        while (depth && open[depth - 1] == i + 1) {
            out[size++] = ')';
            depth--;
        }
    }
    out[size] = '\0';
    free(open);
    return out;
}

#endif
