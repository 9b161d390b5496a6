/* A small grammar of tree-sitter's, flat trees by it, and quantified trees as text.
 * Include after <cmocka.h>. */
#ifndef PARE_TESTS_QUANTIFIED_H
#define PARE_TESTS_QUANTIFIED_H

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "lang/recover_lists.h"

/* list:  "[" (_item ("," _item)*)? "]"      _item: number | name | list
 * call:  name "(" name? ")" body+           body: a token
 * row:   (number ";")*                      comment: an extra */
static const char quantified_grammar[] =
    "{\"rules\": {"
    "\"list\": {\"type\": \"SEQ\", \"members\": [{\"type\": \"STRING\", \"value\": \"[\"},"
    " {\"type\": \"CHOICE\", \"members\": [{\"type\": \"SEQ\", \"members\": ["
    "  {\"type\": \"SYMBOL\", \"name\": \"_item\"}, {\"type\": \"REPEAT\", \"content\":"
    "   {\"type\": \"SEQ\", \"members\": [{\"type\": \"STRING\", \"value\": \",\"},"
    "    {\"type\": \"SYMBOL\", \"name\": \"_item\"}]}}]}, {\"type\": \"BLANK\"}]},"
    " {\"type\": \"STRING\", \"value\": \"]\"}]},"
    "\"_item\": {\"type\": \"CHOICE\", \"members\": [{\"type\": \"SYMBOL\", \"name\": \"number\"},"
    " {\"type\": \"SYMBOL\", \"name\": \"name\"}, {\"type\": \"SYMBOL\", \"name\": \"list\"}]},"
    "\"call\": {\"type\": \"SEQ\", \"members\": [{\"type\": \"SYMBOL\", \"name\": \"name\"},"
    " {\"type\": \"STRING\", \"value\": \"(\"}, {\"type\": \"CHOICE\", \"members\": ["
    "  {\"type\": \"SYMBOL\", \"name\": \"name\"}, {\"type\": \"BLANK\"}]},"
    " {\"type\": \"STRING\", \"value\": \")\"}, {\"type\": \"REPEAT1\", \"content\":"
    "  {\"type\": \"SYMBOL\", \"name\": \"body\"}}]},"
    "\"row\": {\"type\": \"REPEAT\", \"content\": {\"type\": \"SEQ\", \"members\": ["
    " {\"type\": \"SYMBOL\", \"name\": \"number\"}, {\"type\": \"STRING\", \"value\": \";\"}]}},"
    "\"number\": {\"type\": \"PATTERN\", \"value\": \"[0-9]+\"},"
    "\"name\": {\"type\": \"PATTERN\", \"value\": \"[a-z]+\"},"
    "\"body\": {\"type\": \"PATTERN\", \"value\": \"B\"},"
    "\"comment\": {\"type\": \"PATTERN\", \"value\": \"#.*\"}},"
    "\"extras\": [{\"type\": \"SYMBOL\", \"name\": \"comment\"}]}";

static const pare_language_symbol quantified_kinds[] = {
    {"list", true}, {"call", true},    {"row", true}, {"number", true}, {"name", true},
    {"body", true}, {"comment", true}, {"[", false},  {"]", false},     {",", false},
    {"(", false},   {")", false},      {";", false}};

enum { N_QUANTIFIED_KINDS = sizeof quantified_kinds / sizeof *quantified_kinds };

/* The kind of a token by its text: all that begins with a digit is a number, and so on. */
static inline uint32_t quantified_kind(const char *word)
{
    const char *name = word[0] >= '0' && word[0] <= '9'   ? "number"
                       : word[0] >= 'a' && word[0] <= 'z' ? "name"
                       : word[0] == 'B'                   ? "body"
                       : word[0] == '#'                   ? "comment"
                                                          : word;
    for (uint32_t i = 0; i < N_QUANTIFIED_KINDS; i++)
        if (strcmp(quantified_kinds[i].name, name) == 0) return i;
    return PARE_TREE_SITTER_TEXT;
}

/* A node of the kind `root` over the words of `text`, which blanks separate.  The caller
 * ends it with pare_parse_tree_done. */
static inline pare_parse_tree flat_tree(uint32_t root, const char *text)
{
    size_t size = strlen(text), at = 0;
    pare_parse_tree tree = {.size_bytes = (uint32_t)size, .n_nodes = 1};
    tree.nodes = pare_alloc(size + 1, sizeof *tree.nodes);
    if (!tree.nodes) return (pare_parse_tree){0};
    tree.nodes[0] = (pare_parse_node){
        .kind = PARE_NODE_RULE, .symbol = root, .end = (uint32_t)size, .parent = PARE_NO_NODE};
    while ((at += strspn(text + at, " \n")) < size) {
        char word[32];
        size_t length = strcspn(text + at, " \n");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, text + at);
        uint32_t index = (uint32_t)tree.n_nodes++;
        tree.nodes[index] = (pare_parse_node){.kind = PARE_NODE_TOKEN,
                                              .symbol = quantified_kind(word),
                                              .begin = (uint32_t)at,
                                              .end = (uint32_t)(at + length),
                                              .after = index + 1};
        at += length;
    }
    tree.nodes[0].after = (uint32_t)tree.n_nodes;
    return tree;
}

/* The tree as text: tokens as they are, *( +( ?( and ( before what quantifiers and their
 * items hold. */
static inline void print_quantified(const pare_parse_tree *tree, const char *text, char *to,
                                    size_t room)
{
    size_t n = 0, open = 0;
    uint32_t ends[64];
    to[0] = 0;
    for (uint32_t i = 1; i <= tree->n_nodes; i++) {
        while (open > 0 && ends[open - 1] == i) {
            n += (size_t)snprintf(to + n, room - n, ")");
            open--;
        }
        if (i == tree->n_nodes) break;
        const pare_parse_node *node = &tree->nodes[i];
        const char *mark = node->kind == PARE_NODE_STAR       ? "*("
                           : node->kind == PARE_NODE_PLUS     ? "+("
                           : node->kind == PARE_NODE_OPTIONAL ? "?("
                           : node->kind == PARE_NODE_ITEM     ? "("
                                                              : NULL;
        if (mark) ends[open++] = node->after;
        if (mark)
            n += (size_t)snprintf(to + n, room - n, "%s", mark);
        else
            n += (size_t)snprintf(to + n, room - n, "%.*s", (int)(node->end - node->begin),
                                  text + node->begin);
    }
}

#endif
