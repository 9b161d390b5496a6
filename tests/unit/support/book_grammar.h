/* A grammar in the manner of The Fuzzing Book, for trees in the notation of
 * tree_notation.h: names are those of the notation.
 *
 *     expr: term ' + ' expr | term
 *     digit: '0' | '1'
 *
 * One rule a line; text between quotes is a terminal.  Included after cmocka. */
#ifndef PARE_TESTS_BOOK_GRAMMAR_H
#define PARE_TESTS_BOOK_GRAMMAR_H

#include "reduce/tree/grabr.h"
#include "tree_notation.h"

enum { BOOK_MAX_EXPANSIONS = 64, BOOK_MAX_SYMBOLS = 8 };

struct book_grammar {
    struct notation *notation;
    size_t n;
    struct {
        pare_tree_symbol of;
        pare_tree_symbol symbols[BOOK_MAX_SYMBOLS];
        size_t n;
    } expansions[BOOK_MAX_EXPANSIONS];
    const char *shortest; /* "name=text ..." for the generative extension; may be NULL */
};

static inline void book_read(struct book_grammar *grammar, struct notation *notation,
                             const char *source)
{
    pare_tree_symbol of = {PARE_NODE_RULE, 0};
    *grammar = (struct book_grammar){.notation = notation};
    for (const char *s = source; *s;) {
        if (*s == ' ' || *s == '\n') {
            s++;
        } else if (*s == '|') {
            assert_true(++grammar->n < BOOK_MAX_EXPANSIONS);
            grammar->expansions[grammar->n - 1].of = of;
            s++;
        } else if (*s == '\'') {
            size_t size = strcspn(s + 1, "'"), k = grammar->n - 1;
            uint32_t symbol = notation_symbol(notation, s + 1, size);
            grammar->expansions[k].symbols[grammar->expansions[k].n++] =
                (pare_tree_symbol){PARE_NODE_TOKEN, symbol};
            s += size + 2;
        } else {
            size_t size = strcspn(s, " :\n|"), k = grammar->n - 1;
            uint32_t symbol = notation_symbol(notation, s, size);
            s += size;
            if (*s == ':') {
                of.symbol = symbol;
                grammar->expansions[grammar->n++].of = of;
                s++;
            } else {
                grammar->expansions[k].symbols[grammar->expansions[k].n++] =
                    (pare_tree_symbol){PARE_NODE_RULE, symbol};
            }
        }
    }
}

static inline bool book_get(const void *context, pare_tree_symbol symbol, size_t index,
                            pare_expansion *expansion)
{
    const struct book_grammar *grammar = context;
    for (size_t i = 0; i < grammar->n; i++) {
        pare_tree_symbol of = grammar->expansions[i].of;
        if (of.kind != symbol.kind || of.symbol != symbol.symbol || index--) continue;
        *expansion = (pare_expansion){grammar->expansions[i].symbols, grammar->expansions[i].n};
        return true;
    }
    return false;
}

static inline bool book_shortest(const void *context, pare_tree_symbol symbol, const char **text,
                                 uint32_t *size)
{
    const struct book_grammar *grammar = context;
    const char *name = grammar->notation->names[symbol.symbol];
    char key[NOTATION_MAX_NAME + 2];
    *text = name;
    *size = (uint32_t)strlen(name);
    if (symbol.kind == PARE_NODE_TOKEN) return true;
    (void)snprintf(key, sizeof key, "%s=", name);
    const char *pair = grammar->shortest ? strstr(grammar->shortest, key) : NULL;
    if (!pair) return false;
    *text = pair + strlen(key);
    *size = (uint32_t)strcspn(*text, " ");
    return true;
}

static inline pare_expansions book_expansions(const struct book_grammar *grammar)
{
    return (pare_expansions){grammar, book_get, book_shortest};
}

#endif
