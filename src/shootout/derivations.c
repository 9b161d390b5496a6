/* Parsers are taken from a stack under a lock, or made when it is empty. */
#include "shootout/derivations.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/alloc.h"
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

pare_status pare_derivations_new(const char *path, pare_derivations **out, pare_error *err)
{
    pare_derivations *made = pare_alloc_zero(1, sizeof *made);
    if (!made) return pare_fail_nomem(err);
    (void)pthread_mutex_init(&made->lock, NULL);
    pare_status status = pare_grammar_file_read(&path, 1, &made->grammar, err);
    if (!status) status = pare_grammar_file_start(made->grammar, NULL, &made->start, err);
    if (!status && made->grammar->scannerless)
        status = pare_literals_init(&made->literals, made->grammar, err);
    if (status)
        pare_derivations_free(made);
    else
        *out = made;
    return status;
}

void pare_derivations_free(pare_derivations *derivations)
{
    if (!derivations) return;
    for (size_t i = 0; i < derivations->n_idle; i++)
        pare_parser_free(derivations->idle[i]);
    pare_release(derivations->idle);
    pare_literals_done(&derivations->literals);
    pare_grammar_free(derivations->grammar);
    (void)pthread_mutex_destroy(&derivations->lock);
    pare_release(derivations);
}

/* ---- parsers --------------------------------------------------------------------- */

static pare_status take(pare_derivations *derivations, pare_parser **parser, pare_error *err)
{
    pare_parser *found = NULL;
    (void)pthread_mutex_lock(&derivations->lock);
    if (derivations->n_idle) found = derivations->idle[--derivations->n_idle];
    (void)pthread_mutex_unlock(&derivations->lock);
    if (!found) return pare_parser_new(derivations->grammar, derivations->start, parser, err);
    *parser = found;
    return PARE_OK;
}

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

static int compare(const void *first, const void *second)
{
    const pare_occurring *a = first, *b = second;
    if (a->leaf != b->leaf) return a->leaf ? 1 : -1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static pare_status add(pare_occurrences *occurrences, pare_occurring symbol, pare_error *err)
{
    pare_occurring *grown =
        pare_vector_grow(occurrences->items, occurrences->n, &occurrences->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    occurrences->items = grown;
    grown[occurrences->n++] = symbol;
    return PARE_OK;
}

static void sort(pare_occurrences *occurrences)
{
    size_t n = 0;
    if (!occurrences->n) return;
    qsort(occurrences->items, occurrences->n, sizeof *occurrences->items, compare);
    for (size_t i = 1; i < occurrences->n; i++)
        if (compare(&occurrences->items[n], &occurrences->items[i]))
            occurrences->items[++n] = occurrences->items[i];
    occurrences->n = n + 1;
}

static pare_status collect(const pare_parse_tree *tree, pare_occurrences *occurrences,
                           pare_error *err)
{
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        bool leaf = node->kind == PARE_NODE_TOKEN;
        if (!leaf && node->kind != PARE_NODE_RULE) continue;
        if (leaf && node->begin == node->end) continue; /* the end of the file */
        pare_status status =
            add(occurrences, (pare_occurring){.leaf = leaf, .number = node->symbol}, err);
        if (status) return status;
    }
    sort(occurrences);
    return PARE_OK;
}

pare_status pare_derivations_find(pare_derivations *derivations, const void *bytes, size_t size,
                                  pare_occurrences *occurrences, bool *valid, pare_error *err)
{
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_parse_cost cost = {0};
    occurrences->n = 0;
    *valid = false;
    pare_status status = take(derivations, &parser, err);
    if (status) return status;
    status = pare_parser_run(parser, size ? bytes : "", size, &tree, &cost, err);
    bool derived = !status && !tree.error.any && !cost.n_rest;
    if (derived && derivations->literals.grammar)
        status = pare_literals_join(&derivations->literals, &tree, err);
    if (derived && !status) status = collect(&tree, occurrences, err);
    *valid = derived && !status;
    pare_parse_tree_done(&tree);
    give_back(derivations, parser);
    return status;
}

void pare_occurrences_done(pare_occurrences *occurrences)
{
    pare_release(occurrences->items);
    *occurrences = (pare_occurrences){0};
}

bool pare_occurrences_have(const pare_occurrences *occurrences, pare_occurring symbol)
{
    return occurrences->n && bsearch(&symbol, occurrences->items, occurrences->n,
                                     sizeof *occurrences->items, compare) != NULL;
}

/* ---- names ----------------------------------------------------------------------- */

/* A literal of a scannerless grammar, in quotes. */
static pare_status name_literal(const pare_grammar *grammar, uint32_t number, pare_buffer *name,
                                pare_error *err)
{
    const pare_expr *expr = &grammar->exprs[number];
    pare_status status = pare_buffer_text(name, "'", err);
    for (uint32_t i = 0; i < expr->text.size && !status; i++) {
        utf8proc_uint8_t bytes[4];
        utf8proc_ssize_t n = utf8proc_encode_char(
            (utf8proc_int32_t)grammar->code_points[expr->text.offset + i], bytes);
        status = pare_buffer_add(name, bytes, (size_t)n, err);
    }
    return status ? status : pare_buffer_text(name, "'", err);
}

pare_status pare_derivations_name(const pare_derivations *derivations, pare_occurring symbol,
                                  pare_buffer *name, pare_error *err)
{
    const pare_grammar *grammar = derivations->grammar;
    if (!symbol.leaf) return pare_buffer_text(name, grammar->rules[symbol.number].name, err);
    if (grammar->scannerless) return name_literal(grammar, symbol.number, name, err);
    const pare_token_type *token = &grammar->tokens[symbol.number];
    if (token->literal) return pare_buffer_format(name, err, "'%s'", token->literal);
    return pare_buffer_text(name, token->name ? token->name : "?", err);
}
