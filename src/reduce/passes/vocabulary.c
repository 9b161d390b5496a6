/* The vocabulary of a view. */
#include "reduce/passes/vocabulary.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/tree/tree.h"
#include "text/order.h"
#include "text/patch.h"

void pare_vocabulary_done(pare_vocabulary *words)
{
    pare_release(words->items);
    *words = (pare_vocabulary){0};
}

/* Whether the symbol's name is the text of the lexeme, which ANTLR puts in quotes. */
static bool is_called_like(const pare_pass_view *view, size_t i, const char *name)
{
    size_t size = pare_lexeme_size(view, i);
    if (pare_lexeme_is(view, i, name)) return true;
    return strlen(name) == size + 2 && name[0] == '\'' && name[size + 1] == '\'' &&
           memcmp(name + 1, view->bytes + view->lexemes.at[i].from, size) == 0;
}

bool pare_word_is_keyword(const pare_pass_view *view, size_t i)
{
    uint32_t node = view->lexemes.at[i].node;
    if (!view->names || !view->tree || node == PARE_NO_NODE) return false;
    pare_tree_symbol own = view->tree->nodes[node].own;
    if (own.kind != PARE_NODE_TOKEN) return false;
    const char *name = view->names->token(view->names->language, own.symbol);
    return name && is_called_like(view, i, name);
}

static uint32_t count(const pare_lexemes *lexemes, uint32_t first)
{
    uint32_t n = 0;
    for (uint32_t i = first; i != PARE_NO_LEXEME; i = lexemes->at[i].next)
        n++;
    return n;
}

/* The distinct lexemes of a kind. */
static pare_status collect(const pare_pass_view *view, pare_lexeme_kind kind, uint32_t least,
                           pare_vocabulary *out, pare_error *err)
{
    const pare_lexemes *lexemes = &view->lexemes;
    pare_vocabulary words = {0};
    bool binary = pare_view_is_binary(view);
    for (uint32_t i = 0; !binary && i < lexemes->n; i++) {
        if (lexemes->at[i].kind != kind || lexemes->at[i].first != i) continue;
        uint32_t n = count(lexemes, i);
        if (n < least || pare_word_is_keyword(view, i)) continue;
        struct pare_word *items =
            pare_vector_grow(words.items, words.n, &words.capacity, sizeof *words.items);
        if (!items) {
            pare_vocabulary_done(&words);
            return pare_fail_nomem(err);
        }
        words.items = items;
        items[words.n++] = (struct pare_word){.first = i, .count = n};
    }
    *out = words;
    return PARE_OK;
}

pare_status pare_vocabulary_of(const pare_pass_view *view, uint32_t least, pare_vocabulary *out,
                               pare_error *err)
{
    return collect(view, PARE_LEXEME_WORD, least, out, err);
}

pare_status pare_vocabulary_strings(const pare_pass_view *view, pare_vocabulary *out,
                                    pare_error *err)
{
    return collect(view, PARE_LEXEME_STRING, 1, out, err);
}

bool pare_is_simpler(const void *a, size_t a_size, const void *b, size_t b_size)
{
    const unsigned char *x = a, *y = b;
    if (a_size != b_size) return a_size < b_size;
    size_t i = 0;
    while (i < a_size && x[i] == y[i])
        i++;
    return i < a_size && pare_byte_rank(x[i]) < pare_byte_rank(y[i]);
}

pare_status pare_change_words(const pare_pass_view *view, uint32_t first, const void *with,
                              size_t size, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t i = first; !status && i != PARE_NO_LEXEME; i = view->lexemes.at[i].next)
        status = pare_patches_change(out, view->lexemes.at[i].from, view->lexemes.at[i].to, with,
                                     size, err);
    return status;
}
