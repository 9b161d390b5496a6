/* Legal edits: translates symbols of a tree into those of the content models, and lists the
 * children as they would be; the matching is done by grammar/content.h.
 *
 * Invariant: every symbol of the parser has a number in the models, or is "unknown", which
 * makes the answer unsure and never wrong. */
#include "lang/tree_legality.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "lang/language.h"
#include "parse/parse_tree.h"

struct pare_tree_legality {
    pare_content *content; /* owned, as all below */
    pare_content_matcher *matcher;
    uint32_t *symbols; /* of the tree -> of the content */
    uint32_t n_symbols;
    uint32_t *children;
    size_t capacity;
};

/* Numbers of the tree's symbols in the content models, found once. */
static pare_status map_symbols(pare_tree_legality *self, const pare_tree_kind *kinds, uint32_t n,
                               pare_error *err)
{
    self->n_symbols = n;
    self->symbols = pare_alloc(n, sizeof *self->symbols);
    if (!self->symbols) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < n; i++)
        self->symbols[i] = pare_content_symbol(self->content, kinds[i].name, kinds[i].named);
    return PARE_OK;
}

pare_status pare_tree_legality_make(const char *json, size_t size, const pare_tree_kind *kinds,
                                    uint32_t n, pare_tree_legality **out, pare_error *err)
{
    pare_tree_legality *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    pare_status status = pare_content_read(json, size, &self->content, err);
    if (status == PARE_OK) status = pare_content_matcher_new(self->content, &self->matcher, err);
    if (status == PARE_OK) status = map_symbols(self, kinds, n, err);
    if (status == PARE_OK)
        *out = self;
    else
        pare_tree_legality_free(self);
    return status;
}

pare_status pare_tree_legality_new(const char *name, const pare_tree_sitter *language,
                                   pare_tree_legality **out, pare_error *err)
{
    pare_buffer json = {0};
    pare_symbol_names names = pare_tree_sitter_names(language);
    uint32_t n = pare_tree_sitter_n_symbols(language);
    pare_tree_kind *kinds = pare_alloc(n, sizeof *kinds);
    if (!kinds) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < n; i++)
        kinds[i] =
            (pare_tree_kind){names.rule(names.language, i), pare_tree_sitter_is_named(language, i)};
    pare_status status = pare_language_read(name, PARE_LANGUAGE_GRAMMAR, &json, err);
    if (status == PARE_OK)
        status = pare_tree_legality_make(json.data, json.size, kinds, n, out, err);
    pare_buffer_done(&json);
    pare_alloc_free(kinds);
    return status;
}

void pare_tree_legality_free(pare_tree_legality *legality)
{
    if (!legality) return;
    pare_content_matcher_free(legality->matcher);
    pare_content_free(legality->content);
    pare_alloc_free(legality->symbols);
    pare_alloc_free(legality->children);
    pare_alloc_free(legality);
}

const pare_content *pare_tree_legality_content(const pare_tree_legality *legality)
{
    return legality->content;
}

uint32_t pare_tree_legality_n_symbols(const pare_tree_legality *legality)
{
    return legality->n_symbols;
}

uint32_t pare_tree_legality_symbol(const pare_tree_legality *legality, uint32_t symbol)
{
    if (symbol == PARE_TREE_SITTER_TEXT) return PARE_CONTENT_SKIPPED;
    return symbol < legality->n_symbols ? legality->symbols[symbol] : PARE_CONTENT_UNKNOWN;
}

/* Appends a child, translated. */
static pare_status add_child(pare_tree_legality *self, size_t n, uint32_t symbol, pare_error *err)
{
    assert(n <= self->capacity);
    uint32_t *children = pare_vector_grow(self->children, n, &self->capacity, sizeof *children);
    if (!children) return pare_fail_nomem(err);
    self->children = children;
    children[n] = pare_tree_legality_symbol(self, symbol);
    return PARE_OK;
}

pare_status pare_tree_legality_edit(pare_tree_legality *legality, const pare_parse_tree *tree,
                                    uint32_t node, uint32_t child, uint32_t symbol,
                                    pare_legality *out, pare_error *err)
{
    size_t n = 0;
    pare_status status = PARE_OK;
    for (uint32_t i = pare_parse_tree_first_child(tree, node);
         i != PARE_NO_NODE && status == PARE_OK; i = pare_parse_tree_next_sibling(tree, i)) {
        if (i == child && symbol == PARE_NO_NODE) continue;
        status = add_child(legality, n++, i == child ? symbol : tree->nodes[i].symbol, err);
    }
    if (status != PARE_OK) return status;
    return pare_content_match(legality->matcher,
                              pare_tree_legality_symbol(legality, tree->nodes[node].symbol),
                              legality->children, n, out, err);
}
