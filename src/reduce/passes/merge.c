/* merge-names: every occurrence of a name becomes another, simpler name of the text; or every
 * one but the first; or a single one.
 *
 * Two names for one thing hide that things can go: `f(a, b)` with `b = a` before it.  The
 * names that occur most are tried first for each, as in the source.
 * Source: Vulcan's identifier replacement (tree-reducers §2.5), its most productive part.
 * Deviation: only simpler names are taken, so that steps never go in a circle. */
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/passes/vocabulary.h"
#include "text/patch.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LEXEMES = 3000, MOST_NAMES = 64, MOST_SINGLES = 12000 };

static int by_count(const void *a, const void *b)
{
    const struct pare_word *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return x->first < y->first ? -1 : 1;
}

static const unsigned char *text_of(const pare_pass_view *view, const struct pare_word *word)
{
    return view->bytes + view->lexemes.at[word->first].from;
}

static bool is_simpler(const pare_pass_view *view, const struct pare_word *a,
                       const struct pare_word *b)
{
    return pare_is_simpler(text_of(view, a), pare_lexeme_size(view, a->first), text_of(view, b),
                           pare_lexeme_size(view, b->first));
}

/* `from` becomes `to` wherever it stands; the part leaves its first occurrence. */
static pare_status offer_pair(const pare_pass_view *view, const struct pare_word *from,
                              const struct pare_word *to, pare_patches *out, pare_error *err)
{
    const unsigned char *text = text_of(view, to);
    size_t size = pare_lexeme_size(view, to->first);
    uint32_t all = PARE_NO_PATCH, second = view->lexemes.at[from->first].next;
    pare_status status = pare_change_words(view, from->first, text, size, out, err);
    if (!status) status = pare_patches_end(out, PARE_NO_PATCH, &all, err);
    if (status || second == PARE_NO_LEXEME) return status;
    status = pare_change_words(view, second, text, size, out, err);
    return status ? status : pare_patches_end(out, all, NULL, err);
}

static pare_status offer_singles(const pare_pass_view *view, const struct pare_word *from,
                                 const struct pare_word *to, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    const pare_lexeme *at = view->lexemes.at;
    for (uint32_t i = from->first; !status && i != PARE_NO_LEXEME; i = at[i].next)
        status = pare_offer_text(out, (pare_extent){at[i].from, at[i].to}, text_of(view, to),
                                 pare_lexeme_size(view, to->first), PARE_NO_PATCH, NULL, err);
    return status;
}

typedef pare_status (*offer_fn)(const pare_pass_view *view, const struct pare_word *from,
                                const struct pare_word *to, pare_patches *out, pare_error *err);

/* Rare names first, each towards the frequent ones. */
static pare_status offer_pairs(const pare_pass_view *view, const pare_vocabulary *words,
                               offer_fn fn, size_t most, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t from = words->n; from-- > 0;)
        for (size_t to = 0; !status && to < words->n && out->n < most; to++)
            if (is_simpler(view, &words->items[to], &words->items[from]))
                status = fn(view, &words->items[from], &words->items[to], out, err);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_vocabulary words = {0};
    (void)pass;
    pare_status status = pare_vocabulary_of(view, 1, &words, err);
    if (!status && words.n) qsort(words.items, words.n, sizeof *words.items, by_count);
    if (words.n > MOST_NAMES) words.n = MOST_NAMES;
    if (!status) status = offer_pairs(view, &words, offer_pair, SIZE_MAX, out, err);
    if (!status) status = offer_pairs(view, &words, offer_singles, out->n + MOST_SINGLES, out, err);
    pare_vocabulary_done(&words);
    return status;
}

const pare_pass pare_pass_merge = {
    .name = "merge-names",
    .summary = "replaces a name by another one, everywhere, but for the first time, or once",
    .source = "Vulcan, identifier replacement",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
