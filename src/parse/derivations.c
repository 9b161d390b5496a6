/* Which symbols of a grammar occur in the derivation of a text.
 *
 * The text is parsed, and the rules and leaves of its tree are collected, sorted, and freed of
 * doubles.  A parser costs far more to make than to use, and works for one thread at a time: so
 * idle ones lie on a stack under a lock.  A thread takes one, or makes one when there is none,
 * and puts it back; there are never more than threads that parsed at the same time.
 *
 * Cost: one parse of the text, then O(n log n) in the nodes of its tree. */
#include <pare/derivations.h>

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "grammar/grammar_file.h"
#include "parse/literals.h"
#include "parse/parse_tree.h"
#include "parse/parser.h"

struct pare_derivations {
    pare_grammar *grammar;
    pare_index start;
    pare_literals literals; /* of a scannerless grammar */
    pthread_mutex_t lock;   /* of the three below */
    pare_parser **idle;     /* owned, each too */
    size_t n_idle, capacity;
};

/* The grammar starts at its own first rule. */
pare_status pare_derivations_new(const char *path, pare_derivations **out, pare_error *err)
{
    pare_derivations *made = pare_alloc_zero(1, sizeof *made);
    if (!made) return pare_fail_nomem(err);
    (void)pthread_mutex_init(&made->lock, NULL);
    pare_status status = pare_grammar_file_open(&path, 1, NULL, &made->grammar, &made->start, err);
    if (!status && made->grammar->scannerless)
        status = pare_literals_init(&made->literals, made->grammar, err);
    if (status)
        pare_derivations_free(made);
    else
        *out = made;
    return status;
}

/* The grammar is shared by all parsers, so it goes last. */
void pare_derivations_free(pare_derivations *derivations)
{
    if (!derivations) return;
    for (size_t i = 0; i < derivations->n_idle; i++)
        pare_parser_free(derivations->idle[i]);
    pare_alloc_free(derivations->idle);
    pare_literals_done(&derivations->literals);
    pare_grammar_free(derivations->grammar);
    (void)pthread_mutex_destroy(&derivations->lock);
    pare_alloc_free(derivations);
}

/* ---- parsers --------------------------------------------------------------------- */

/* Takes an idle parser, or makes one.  The lock is not held while one is made, which takes
 * long. */
static pare_status take(pare_derivations *derivations, pare_parser **parser, pare_error *err)
{
    pare_parser *found = NULL;
    (void)pthread_mutex_lock(&derivations->lock);
    /* The one that was put back last: its memory is the likeliest to be in the cache. */
    if (derivations->n_idle) found = derivations->idle[--derivations->n_idle];
    (void)pthread_mutex_unlock(&derivations->lock);
    if (!found) return pare_parser_new(derivations->grammar, derivations->start, parser, err);
    *parser = found;
    return PARE_OK;
}

/* Puts a parser back.  Without memory for the list it is freed: the next thread makes a new
 * one. */
static void give_back(pare_derivations *derivations, pare_parser *parser)
{
    (void)pthread_mutex_lock(&derivations->lock);
    pare_parser **grown = pare_vector_grow(derivations->idle, derivations->n_idle,
                                           &derivations->capacity, sizeof(pare_parser *));
    if (grown) {
        derivations->idle = grown;
        grown[derivations->n_idle++] = parser;
    }
    (void)pthread_mutex_unlock(&derivations->lock);
    if (!grown) pare_parser_free(parser);
}

/* ---- symbols --------------------------------------------------------------------- */

/* Rules before leaves, then by number.  By the two numbers that a symbol is. */
static int compare(const void *first, const void *second)
{
    const pare_derived_symbol *a = first, *b = second;
    if (a->leaf != b->leaf) return a->leaf ? 1 : -1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Doubles are dropped at last, by sorting: trees have far more nodes than symbols, but a set
 * that is searched for each node would cost more. */
static pare_status add(pare_derived_symbols *symbols, pare_derived_symbol symbol, pare_error *err)
{
    pare_derived_symbol *grown =
        pare_vector_grow(symbols->items, symbols->n, &symbols->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    symbols->items = grown;
    grown[symbols->n++] = symbol;
    return PARE_OK;
}

/* Sorts the symbols and drops doubles. */
static void sort(pare_derived_symbols *symbols)
{
    size_t n = 0;
    /* qsort must not be given NULL. */
    if (!symbols->n) return;
    qsort(symbols->items, symbols->n, sizeof *symbols->items, compare);
    /* `n` is the last one that stays. */
    for (size_t i = 1; i < symbols->n; i++)
        if (compare(&symbols->items[n], &symbols->items[i]))
            symbols->items[++n] = symbols->items[i];
    assert(n < symbols->n);
    symbols->n = n + 1;
}

/* Collects the rules and leaves of the tree.  Opaque nodes are no symbols either: texts with
 * errors are not looked at. */
static pare_status collect(const pare_parse_tree *tree, pare_derived_symbols *symbols,
                           pare_error *err)
{
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        bool leaf = node->kind == PARE_NODE_TOKEN;
        /* Nodes of quantifiers are no symbols. */
        if (!leaf && node->kind != PARE_NODE_RULE) continue;
        if (leaf && node->begin == node->end) continue; /* the end of the file */
        pare_status status =
            add(symbols, (pare_derived_symbol){.leaf = leaf, .number = node->symbol}, err);
        if (status) return status;
    }
    sort(symbols);
    return PARE_OK;
}

/* The text is valid only if it is derived as a whole: a symbol in half a tree may not be one. */
pare_status pare_derivations_find(pare_derivations *derivations, const void *bytes, size_t size,
                                  pare_derived_symbols *symbols, bool *valid, pare_error *err)
{
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_parse_cost cost = {0};
    symbols->n = 0;
    *valid = false;
    pare_status status = take(derivations, &parser, err);
    if (status) return status;
    status = pare_parser_run(parser, size ? bytes : "", size, &tree, &cost, err);
    /* A text counts as derived only if the whole of it is. */
    bool derived = !status && !tree.error.any && !cost.n_rest;
    /* Without a lexer every character is a leaf; those of a literal become one. */
    if (derived && derivations->literals.grammar)
        status = pare_literals_join(&derivations->literals, &tree, err);
    if (derived && !status) status = collect(&tree, symbols, err);
    *valid = derived && !status;
    pare_parse_tree_done(&tree);
    give_back(derivations, parser);
    return status;
}

void pare_derived_symbols_done(pare_derived_symbols *symbols)
{
    pare_alloc_free(symbols->items);
    *symbols = (pare_derived_symbols){0};
}

bool pare_derived_symbols_have(const pare_derived_symbols *symbols, pare_derived_symbol symbol)
{
    return symbols->n &&
           bsearch(&symbol, symbols->items, symbols->n, sizeof *symbols->items, compare) != NULL;
}

/* ---- names ----------------------------------------------------------------------- */

/* Writes a literal of a scannerless grammar, in quotes, as much of it as fits.  Cut at a
 * character's end, so that the name is UTF-8 wherever the literal is. */
static void name_literal(const pare_grammar *grammar, uint32_t number, char *name, size_t capacity)
{
    const pare_expr *expr = &grammar->exprs[number];
    size_t size = 0;
    for (uint32_t i = 0; i < expr->text.size; i++) {
        utf8proc_uint8_t bytes[4];
        utf8proc_ssize_t n = utf8proc_encode_char(
            (utf8proc_int32_t)grammar->code_points[expr->text.offset + i], bytes);
        /* A character is written whole or not at all, and leaves room for the quotes. */
        if (size + (size_t)n + sizeof "''" > capacity) break;
        memcpy(name + 1 + size, bytes, (size_t)n);
        size += (size_t)n;
    }
    if (capacity < sizeof "''") {
        if (capacity) *name = '\0';
        return;
    }
    name[0] = name[size + 1] = '\'';
    name[size + 2] = '\0';
}

/* The name is cut to `capacity` bytes with its NUL. Names are for messages: two tokens with
 * one name are told apart by their numbers only. */
void pare_derivations_name(const pare_derivations *derivations, pare_derived_symbol symbol,
                           char *name, size_t capacity)
{
    const pare_grammar *grammar = derivations->grammar;
    const pare_token_type *token =
        symbol.leaf && !grammar->scannerless ? &grammar->tokens[symbol.number] : NULL;
    if (!symbol.leaf)
        (void)snprintf(name, capacity, "%s", grammar->rules[symbol.number].name);
    else if (!token)
        name_literal(grammar, symbol.number, name, capacity);
    else if (token->literal)
        (void)snprintf(name, capacity, "'%s'", token->literal);
    else
        (void)snprintf(name, capacity, "%s", token->name ? token->name : "?");
}
