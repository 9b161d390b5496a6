/* word-occurrences: something goes at every occurrence of a word at once: the word with the
 * comma beside it, the brackets behind it, one element of those, the sign or word before it.
 *
 * What declares and what uses a thing have to change together: `int a[4]; .. a[i]`,
 * `f(int x, int y) .. f(1, 2)`, `struct s v; .. struct s`.  Where the same word stands,
 * much the same stands beside it, so this reaches without knowledge of a language what
 * C-Reduce does with that of C (reduce-array-dim, remove-unused-param, reduce-pointer-level).
 * Source: ours, after DRReduce's coherent deletion (tree-reducers §11). */
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/passes/vocabulary.h"
#include "text/patch.h"

enum { MOST_LEXEMES = 20000, MOST_ELEMENTS = 8 };

/* What goes at one occurrence of a word, lexeme `i`: lexemes *first .. *last; false: nothing
 * goes there. */
typedef bool (*beside_fn)(const pare_pass_view *view, size_t i, size_t nth, size_t *first,
                          size_t *last);

static bool is_comma(const pare_pass_view *view, size_t i)
{
    return i < view->lexemes.n && pare_lexeme_is(view, i, ",");
}

static bool with_comma_behind(const pare_pass_view *view, size_t i, size_t nth, size_t *first,
                              size_t *last)
{
    (void)nth;
    *first = i;
    *last = i + (is_comma(view, i + 1) ? 1 : 0);
    return true;
}

static bool with_comma_before(const pare_pass_view *view, size_t i, size_t nth, size_t *first,
                              size_t *last)
{
    (void)nth;
    *first = i - (i && is_comma(view, i - 1) ? 1 : 0);
    *last = i;
    return true;
}

static bool before(const pare_pass_view *view, size_t i, size_t nth, size_t *first, size_t *last)
{
    (void)nth;
    if (!i) return false;
    pare_lexeme_kind kind = view->lexemes.at[i - 1].kind;
    *first = *last = i - 1;
    return kind == PARE_LEXEME_WORD || (kind == PARE_LEXEME_SIGN && !is_comma(view, i - 1) &&
                                        !pare_lexeme_is(view, i - 1, ";"));
}

static bool group_behind(const pare_pass_view *view, size_t i, size_t *open, size_t *close)
{
    const pare_lexeme *at = view->lexemes.at;
    if (i + 1 >= view->lexemes.n || at[i + 1].kind != PARE_LEXEME_OPEN) return false;
    if (at[i + 1].partner == PARE_NO_LEXEME) return false;
    *open = i + 1;
    *close = at[i + 1].partner;
    return true;
}

/* The first group behind it. */
static bool one_group(const pare_pass_view *view, size_t i, size_t nth, size_t *first, size_t *last)
{
    (void)nth;
    return group_behind(view, i, first, last);
}

/* All groups behind it that follow each other. */
static bool all_groups(const pare_pass_view *view, size_t i, size_t nth, size_t *first,
                       size_t *last)
{
    size_t open;
    (void)nth;
    if (!group_behind(view, i, first, last)) return false;
    while (group_behind(view, *last, &open, last))
        ;
    return true;
}

/* The nth element of the group behind it, with the comma before it, or behind it for the
 * first. */
static bool element(const pare_pass_view *view, size_t i, size_t nth, size_t *first, size_t *last)
{
    const pare_lexeme *at = view->lexemes.at;
    size_t open, close;
    if (!group_behind(view, i, &open, &close) || close == open + 1) return false;
    size_t begin = open + 1;
    for (size_t k = begin;; k++) {
        if (k < close && at[k].kind == PARE_LEXEME_OPEN && at[k].partner < close) {
            k = at[k].partner;
            continue;
        }
        if (k < close && !is_comma(view, k)) continue;
        if (nth-- == 0) {
            *first = begin - (begin > open + 1 ? 1 : 0);
            *last = k - (k == close || begin > open + 1 ? 1 : 0);
            return *first <= *last;
        }
        if (k == close) return false;
        begin = k + 1;
    }
}

/* At every occurrence of the word.  What would go twice, or inside what goes, goes once. */
static pare_status offer_beside(const pare_pass_view *view, uint32_t word, beside_fn beside,
                                size_t nth, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t gone = view->begin;
    for (uint32_t i = word; !status && i != PARE_NO_LEXEME; i = view->lexemes.at[i].next) {
        size_t first, last;
        if (!beside(view, i, nth, &first, &last)) continue;
        pare_extent cut = pare_edit_lexemes(view, first, last);
        if (cut.from < gone) cut.from = gone;
        if (cut.from >= cut.to) continue;
        status = pare_patches_change(out, cut.from, cut.to, NULL, 0, err);
        gone = cut.to;
    }
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, NULL, err);
}

static pare_status offer_word(const pare_pass_view *view, uint32_t word, pare_patches *out,
                              pare_error *err)
{
    static const beside_fn WAYS[] = {with_comma_behind, with_comma_before, all_groups, one_group,
                                     before};
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < sizeof WAYS / sizeof *WAYS; k++)
        status = offer_beside(view, word, WAYS[k], 0, out, err);
    for (size_t nth = 0; !status && nth < MOST_ELEMENTS; nth++)
        status = offer_beside(view, word, element, nth, out, err);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_vocabulary words = {0};
    (void)pass;
    out->spaced = true;
    pare_status status = pare_vocabulary_of(view, 2, &words, err);
    for (size_t i = 0; !status && i < words.n; i++)
        status = offer_word(view, words.items[i].first, out, err);
    pare_vocabulary_done(&words);
    return status;
}

const pare_pass pare_pass_occurrences = {
    .name = "word-occurrences",
    .summary = "leaves out the same beside every occurrence of a word, or the word itself",
    .source = "ours, after DRReduce",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
