/* 1-tree-minimality by force: every node of a text's tree is replaced by its minimal text,
 * alone, and the result is tested.  A node for which no text is known is promised nothing;
 * what leaving it out would do is tried all the same, and counted apart.
 *
 * Knows the tree (reduce/tree/tree.h) and no algorithm, state or candidate: texts are put together
 * here as reduce/tree/tree_state.h says they print.  Include after <cmocka.h>. */
#ifndef PARE_TESTS_CLI_NODES_H
#define PARE_TESTS_CLI_NODES_H

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/syntax/front_end.h"
#include "reduce/tree/transform.h"

struct nodes {
    bool (*fails)(void *context, const char *bytes, size_t size);
    void *context;
    bool tries_root;
    size_t most; /* nodes to try */
    /* What came of it. */
    size_t tried;
    size_t untold;       /* of these, nodes without a known text: left out */
    size_t untold_going; /* and of these, those without which it still fails */
    bool cut;            /* there are more nodes than `most` */
    bool found;          /* a node that can be replaced: */
    size_t found_at, found_size, minimal_size;
    char minimal[256];
};

/* Letters of words, which must not come to touch. */
static inline bool nodes_is_word(unsigned char byte)
{
    return isalnum(byte) || byte == '_' || byte == '$' || byte >= 0x80;
}

static inline size_t nodes_add(char *to, size_t size, const char *bytes, size_t n, bool spaced)
{
    if (!n) return size;
    if (spaced && size && nodes_is_word((unsigned char)to[size - 1]) &&
        nodes_is_word((unsigned char)bytes[0]))
        to[size++] = ' ';
    memcpy(to + size, bytes, n);
    return size + n;
}

/* The text with one node replaced; `to` has room for it. */
static inline size_t nodes_print(const pare_tree *tree, const pare_tree_node *node,
                                 const char *text, size_t text_size, char *to)
{
    bool spaced = tree->rules.joints != PARE_JOINTS_PLAIN;
    size_t behind = node->minimal_size ? node->end : node->resume;
    size_t size = nodes_add(to, 0, text, node->begin, false);
    if (node->minimal_size)
        size = nodes_add(to, size, tree->texts + node->minimal, node->minimal_size, spaced);
    return nodes_add(to, size, text + behind, text_size - behind, spaced);
}

static inline void nodes_try_one(struct nodes *nodes, const pare_tree *tree, uint32_t index,
                                 const char *text, size_t size, char *room)
{
    const pare_tree_node *node = &tree->nodes[index];
    bool untold = node->flags & PARE_TREE_NO_MINIMAL;
    size_t after = nodes_print(tree, node, text, size, room);
    if (after >= size) return;
    nodes->cut = nodes->tried == nodes->most;
    if (nodes->cut) return;
    nodes->tried++;
    bool fails = nodes->fails(nodes->context, room, after);
    nodes->untold += untold;
    nodes->untold_going += untold && fails;
    nodes->found = fails && !untold;
    if (!nodes->found) return;
    nodes->found_at = node->begin;
    nodes->found_size = node->end - node->begin;
    nodes->minimal_size = node->minimal_size < 255 ? node->minimal_size : 255;
    if (nodes->minimal_size)
        memcpy(nodes->minimal, tree->texts + node->minimal, nodes->minimal_size);
}

/* Tries every node in play of the tree that `options` ask for. */
static inline void nodes_try(struct nodes *nodes, const pare_tree_options *options,
                             const char *bytes, size_t size)
{
    static const pare_transform *const transforms[] = {&pare_transform_squeeze,
                                                       &pare_transform_hide};
    pare_front_end *front = NULL;
    pare_text *text = NULL;
    pare_tree *parsed = NULL, *tree = NULL;
    assert_int_equal(pare_front_end_open(options, NULL, &front, NULL), PARE_OK);
    assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
    assert_int_equal(pare_front_end_tree(front, text, (pare_stretch){0, size},
                                         PARE_FRONT_END_BEFORE, &parsed, NULL),
                     PARE_OK);
    assert_int_equal(pare_transform_run(parsed, transforms, 2, &tree, NULL), PARE_OK);
    char *room = malloc(size + tree->texts_size + 3);
    assert_non_null(room);
    uint32_t at = nodes->tries_root ? 0 : 1;
    while (at < tree->n_nodes && !nodes->found && !nodes->cut) {
        const pare_tree_node *node = &tree->nodes[at];
        if (node->flags & PARE_TREE_HIDDEN) { /* nor is what stands below it in play */
            at = node->after;
            continue;
        }
        if (node->begin < node->end) nodes_try_one(nodes, tree, at, bytes, size, room);
        at++;
    }
    free(room);
    pare_tree_unref(tree);
    pare_tree_unref(parsed);
    pare_text_unref(text);
    pare_front_end_free(front);
}

#endif
