/* Languages for tests: added once, from the registry, and kept for all build trees.
 * Include after <cmocka.h>. */
#ifndef PARE_TESTS_LANGUAGE_H
#define PARE_TESTS_LANGUAGE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/language.h"

enum { EXIT_SKIPPED = 77 };

/* Makes the data folder the one that tests share. */
static inline void use_build_data(void)
{
    const char *path = getenv("PARE_TEST_DATA");
    if (!path) path = "/tmp/pare-tests";
    (void)setenv("PARE_DATA", path, 1);
}

/* Adds the language if it is not there; false, and the reason printed, if it cannot be. */
static inline bool has_language(const char *name)
{
    pare_error err = {0};
    pare_language_state state = {0};
    if (pare_language_inspect(name, &state, NULL) == PARE_OK && state.up_to_date &&
        pare_tree_sitter_available())
        return true;
    if (pare_language_add(name, &err) == PARE_OK) return true;
    (void)fprintf(stderr, "skipped: %s\n", err.message);
    return false;
}

static inline pare_tree_sitter *load_language(const char *name)
{
    pare_tree_sitter *language = NULL;
    pare_error err = {0};
    if (pare_language_load(name, &language, &err) != PARE_OK) fail_msg("%s", err.message);
    return language;
}

/* Whether the leaves follow one another with nothing but white space between them, so
 * that printing them and what lies between gives the text back. */
static inline bool covers_text(const pare_parse_tree *tree, const char *text)
{
    uint32_t at = 0;
    for (size_t i = 0; i <= tree->n_nodes; i++) {
        bool end = i == tree->n_nodes;
        const pare_parse_node *node = end ? NULL : &tree->nodes[i];
        if (node && node->kind != PARE_NODE_TOKEN && node->kind != PARE_NODE_OPAQUE) continue;
        uint32_t begin = end ? tree->size_bytes : node->begin;
        if (begin < at) return false;
        for (; at < begin; at++) {
            if (!strchr(" \t\n\v\f\r", text[at]) || !text[at]) return false;
        }
        at = end ? begin : node->end;
    }
    return true;
}

#endif
