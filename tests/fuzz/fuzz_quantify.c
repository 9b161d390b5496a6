/* Any tree over any children, by a small grammar: quantifiers leave its nodes as they are
 * and in order, on both sides of separators.
 *
 * Each byte of the input is a step: a token of some kind, a node opened, or one closed. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../unit/support/quantified.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Step to what: kinds of tokens and nodes, then closing, text, and what did not parse. */
enum { CLOSE = N_QUANTIFIED_KINDS, TEXT, OPAQUE, OPEN_ERROR, N_STEPS };

static uint32_t symbol_of(unsigned step)
{
    if (step == TEXT) return PARE_TREE_SITTER_TEXT;
    return step < N_QUANTIFIED_KINDS ? step : PARE_TREE_SITTER_ERROR;
}

/* Every node that is no token of two bytes' worth of text. */
static pare_parse_tree make_tree(const uint8_t *data, size_t size)
{
    pare_parse_tree tree = {.size_bytes = (uint32_t)size};
    tree.nodes = pare_alloc(size + 1, sizeof *tree.nodes);
    if (!tree.nodes) return tree;
    uint32_t open = 0;
    tree.nodes[tree.n_nodes++] =
        (pare_parse_node){.kind = PARE_NODE_RULE, .end = (uint32_t)size, .parent = PARE_NO_NODE};
    for (uint32_t i = 0; i < size; i++) {
        unsigned step = data[i] % N_STEPS;
        bool opens = (step < 3 && data[i] >= 128) || step == OPEN_ERROR;
        if (step == CLOSE) {
            if (!open) continue;
            tree.nodes[open].after = (uint32_t)tree.n_nodes;
            tree.nodes[open].end = i;
            open = tree.nodes[open].parent;
            continue;
        }
        uint32_t index = (uint32_t)tree.n_nodes++;
        tree.nodes[index] = (pare_parse_node){.kind = opens            ? PARE_NODE_RULE
                                                      : step == OPAQUE ? PARE_NODE_OPAQUE
                                                                       : PARE_NODE_TOKEN,
                                              .symbol = symbol_of(step),
                                              .begin = i,
                                              .end = i + 1,
                                              .after = index + 1,
                                              .parent = open};
        if (opens) open = index;
    }
    for (; open != PARE_NO_NODE; open = tree.nodes[open].parent) {
        tree.nodes[open].after = (uint32_t)tree.n_nodes;
        tree.nodes[open].end = (uint32_t)size;
    }
    return tree;
}

static bool is_made(const pare_parse_node *node)
{
    return node->kind == PARE_NODE_OPTIONAL || node->kind == PARE_NODE_STAR ||
           node->kind == PARE_NODE_PLUS || node->kind == PARE_NODE_ITEM;
}

static void require(bool holds)
{
    if (!holds) abort();
}

static void check(const pare_parse_tree *plain, const pare_parse_tree *tree)
{
    size_t k = 0;
    require(pare_parse_tree_check(tree) || !pare_parse_tree_check(plain));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (is_made(node)) continue;
        require(k < plain->n_nodes && node->symbol == plain->nodes[k].symbol &&
                node->begin == plain->nodes[k].begin && node->end == plain->nodes[k].end);
        k++;
    }
    require(k == plain->n_nodes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_language_models *models = NULL;
    pare_list_recovery *quantifier = NULL;
    if (size > 4096) return 0;
    pare_parse_tree plain = make_tree(data, size);
    pare_status status =
        plain.nodes ? pare_language_models_make(quantified_grammar, strlen(quantified_grammar),
                                                quantified_kinds, N_QUANTIFIED_KINDS, &models, NULL)
                    : PARE_E_NOMEM;
    if (!status) status = pare_recover_lists_new(models, &quantifier, NULL);
    for (int side = PARE_SEPARATORS_BEFORE; !status && side <= PARE_SEPARATORS_AFTER; side++) {
        pare_parse_tree tree = {0};
        status = pare_recover_lists(quantifier, &plain, (const char *)data, (pare_separators)side,
                                    &tree, NULL);
        if (!status) check(&plain, &tree);
        pare_parse_tree_done(&tree);
    }
    pare_recover_lists_free(quantifier);
    pare_language_models_free(models);
    pare_parse_tree_done(&plain);
    return 0;
}
