/* The passes over words and where they occur: short-names, merge-names, word-occurrences.
 *
 * A program says a name where it declares a thing and wherever it uses it, so a change that the
 * program survives has to be made at all occurrences together.  Without knowing scopes the same
 * bytes are taken for the same thing; where that is wrong a test is lost, no more.  (Passes of
 * reduce/binding know scopes, for languages that have a table.)
 * Invariant: names only become simpler ones, so steps never go in a circle.
 * Source: T-Rec's canonical names, Vulcan's identifier replacement, DRReduce's coherent
 * deletion, C-Reduce's clex rename-toks. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* Adds to the open patch: lexeme `first` and all later ones of the same bytes become `with`. */
static pare_status change_words(const pare_pass_view *view, uint32_t first, const void *with,
                                size_t size, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t i = first; !status && i != PARE_NO_LEXEME; i = view->lexemes.at[i].next)
        status = pare_patches_change(out, view->lexemes.at[i].from, view->lexemes.at[i].to, with,
                                     size, err);
    return status;
}

/* --- short-names ------------------------------------------------------------------------- */

enum { N_LETTERS = 26 };

/* Whether the word is one lower-case letter. */
static bool is_letter(const pare_pass_view *view, const struct pare_pass_word *word)
{
    unsigned char byte = view->bytes[view->lexemes.at[word->first].from];
    return pare_pass_lexeme_size(view, word->first) == 1 && byte >= 'a' && byte <= 'z';
}

/* Letters that are handed out as names. */
struct letters {
    bool used[N_LETTERS]; /* it is a word of the text */
    size_t next;          /* the first that was not looked at yet */
};

/* Letters that are words already are not handed out. */
static void mark_used(const pare_pass_view *view, const pare_pass_words *words,
                      struct letters *letters)
{
    for (size_t i = 0; i < words->n; i++)
        if (is_letter(view, &words->items[i]))
            letters->used[view->bytes[view->lexemes.at[words->items[i].first].from] - 'a'] = true;
}

/* Whether a hyphen makes lexeme `i` part of a longer name, as in Lisp or CSS. */
static bool is_hyphened(const pare_pass_view *view, size_t i)
{
    const pare_lexeme *at = &view->lexemes.at[i];
    return (at->from > view->begin && view->bytes[at->from - 1] == '-') ||
           (at->to < view->end && view->bytes[at->to] == '-');
}

/* The occurrences that stand by themselves become `name`, as a part of `parent`; nothing when
 * all do, for then the parent is the same. */
static pare_status rename_plain(const pare_pass_view *view, uint32_t first, const char *name,
                                uint32_t parent, pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    pare_status status = PARE_OK;
    bool any = false;
    for (uint32_t i = first; !any && i != PARE_NO_LEXEME; i = at[i].next)
        any = is_hyphened(view, i);
    for (uint32_t i = first; any && !status && i != PARE_NO_LEXEME; i = at[i].next)
        if (!is_hyphened(view, i))
            status = pare_patches_change(out, at[i].from, at[i].to, name, 1, err);
    return status ? status : pare_patches_end(out, parent, NULL, err);
}

/* Every occurrence becomes `name`; else those not part of a hyphenated name; else single ones. */
static pare_status rename_word(const pare_pass_view *view, uint32_t first, const char *name,
                               pare_patches *out, pare_error *err)
{
    uint32_t all = PARE_NO_PATCH;
    const pare_lexeme *at = view->lexemes.at;
    pare_status status = change_words(view, first, name, 1, out, err);
    if (!status) status = pare_patches_end(out, PARE_NO_PATCH, &all, err);
    if (status || at[first].next == PARE_NO_LEXEME) return status;
    status = rename_plain(view, first, name, all, out, err);
    for (uint32_t i = first; !status && i != PARE_NO_LEXEME; i = at[i].next)
        status = pare_pass_offer_text(
            out, (pare_pass_text){(pare_extent){at[i].from, at[i].to}, name, 1}, all, NULL, err);
    return status;
}

/* Gives each word the next free letter if that is simpler: with `are_letters` only words of a
 * single letter, else only the others. */
static pare_status offer_some(const pare_pass_view *view, const pare_pass_words *words,
                              bool are_letters, struct letters *letters, pare_patches *out,
                              pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < words->n; i++) {
        uint32_t first = words->items[i].first;
        if (is_letter(view, &words->items[i]) != are_letters) continue;
        while (letters->next < N_LETTERS && letters->used[letters->next])
            letters->next++;
        if (letters->next == N_LETTERS) break;
        char name = (char)('a' + letters->next);
        if (!pare_pass_is_simpler(&name, 1, view->bytes + view->lexemes.at[first].from,
                                  pare_pass_lexeme_size(view, first)))
            continue;
        status = rename_word(view, first, &name, out, err);
        letters->next++;
    }
    return status;
}

/* Words that are letters come first: that they can be renamed is known, so no letter is wasted
 * on keywords. */
static pare_status offer_letters(const pare_pass_view *view, const pare_pass_words *words,
                                 pare_patches *out, pare_error *err)
{
    struct letters letters = {.next = 0};
    mark_used(view, words, &letters);
    pare_status status = offer_some(view, words, true, &letters, out, err);
    return status ? status : offer_some(view, words, false, &letters, out, err);
}

/* Two letters change places: wherever one of both stands, in the order of the text. */
static pare_status swap_letters(const pare_pass_view *view, uint32_t a, uint32_t b,
                                pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    assert(a != b);
    const unsigned char *first = view->bytes + at[a].from, *second = view->bytes + at[b].from;
    pare_status status = PARE_OK;
    while (!status && (a != PARE_NO_LEXEME || b != PARE_NO_LEXEME)) {
        bool takes_a = a < b; /* PARE_NO_LEXEME is the largest */
        uint32_t *next = takes_a ? &a : &b;
        status = pare_patches_change(out, at[*next].from, at[*next].to, takes_a ? second : first, 1,
                                     err);
        *next = at[*next].next;
    }
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, NULL, err);
}

/* The letter that comes first in the text is to be the lower one of two. */
static pare_status offer_swaps(const pare_pass_view *view, const pare_pass_words *words,
                               pare_patches *out, pare_error *err)
{
    uint32_t letters[N_LETTERS];
    pare_status status = PARE_OK;
    size_t n = 0;
    for (size_t i = 0; i < words->n; i++)
        if (is_letter(view, &words->items[i])) letters[n++] = words->items[i].first;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; !status && k < n; k++)
            if (view->bytes[view->lexemes.at[letters[i]].from] >
                view->bytes[view->lexemes.at[letters[k]].from])
                status = swap_letters(view, letters[i], letters[k], out, err);
    return status;
}

/* short-names: the names of the text become a, b, c, .. in the order in which they occur, all
 * of them at once if that works.
 *
 * A name becomes the first of a .. z that no word of the text is and no name before it becomes,
 * if that is simpler; where it cannot be renamed as a whole, each single occurrence is offered.
 * Then letters change places until the first to occur is the lowest.  So inputs that differ by
 * their names only come to the same text.
 * Source: T-Rec's canonical names, and C-Reduce's clex rename-toks.
 * Deviation: names get theirs together, not one at a time. */
static pare_status offer_short_names(const pare_pass *pass, const pare_pass_view *view,
                                     pare_patches *out, pare_error *err)
{
    pare_pass_words words = {0};
    (void)pass;
    pare_status status = pare_pass_list_words(view, PARE_LEXEME_WORD, 1, &words, err);
    if (!status) status = offer_letters(view, &words, out, err);
    if (!status) status = offer_swaps(view, &words, out, err);
    pare_pass_words_done(&words);
    return status;
}

const pare_pass pare_pass_short_names = {
    .name = "short-names",
    .summary = "renames names to a, b, c, .. in the order in which they occur",
    .source = "T-Rec, canonical names; C-Reduce, rename-toks",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .offer = offer_short_names,
};

/* --- merge-names ------------------------------------------------------------------------- */

enum { MERGE_MOST_LEXEMES = 3000, MOST_NAMES = 64, MOST_SINGLES = 12000 };

/* Frequent words first, then those that occur first. */
static int by_count(const void *a, const void *b)
{
    const struct pare_pass_word *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return x->first < y->first ? -1 : 1;
}

/* The bytes of the word. */
static const unsigned char *text_of(const pare_pass_view *view, const struct pare_pass_word *word)
{
    return view->bytes + view->lexemes.at[word->first].from;
}

/* Whether word `a` is simpler than word `b`. */
static bool is_simpler(const pare_pass_view *view, const struct pare_pass_word *a,
                       const struct pare_pass_word *b)
{
    return pare_pass_is_simpler(text_of(view, a), pare_pass_lexeme_size(view, a->first),
                                text_of(view, b), pare_pass_lexeme_size(view, b->first));
}

/* `from` becomes `to` wherever it stands; the part leaves its first occurrence. */
static pare_status offer_pair(const pare_pass_view *view, const struct pare_pass_word *from,
                              const struct pare_pass_word *to, pare_patches *out, pare_error *err)
{
    const unsigned char *text = text_of(view, to);
    size_t size = pare_pass_lexeme_size(view, to->first);
    uint32_t all = PARE_NO_PATCH, second = view->lexemes.at[from->first].next;
    pare_status status = change_words(view, from->first, text, size, out, err);
    if (!status) status = pare_patches_end(out, PARE_NO_PATCH, &all, err);
    if (status || second == PARE_NO_LEXEME) return status;
    status = change_words(view, second, text, size, out, err);
    return status ? status : pare_patches_end(out, all, NULL, err);
}

/* Each occurrence of `from` by itself becomes `to`. */
static pare_status offer_singles(const pare_pass_view *view, const struct pare_pass_word *from,
                                 const struct pare_pass_word *to, pare_patches *out,
                                 pare_error *err)
{
    pare_status status = PARE_OK;
    const pare_lexeme *at = view->lexemes.at;
    for (uint32_t i = from->first; !status && i != PARE_NO_LEXEME; i = at[i].next)
        status = pare_pass_offer_text(out,
                                      (pare_pass_text){(pare_extent){at[i].from, at[i].to},
                                                       text_of(view, to),
                                                       pare_pass_lexeme_size(view, to->first)},
                                      PARE_NO_PATCH, NULL, err);
    return status;
}

typedef pare_status (*offer_fn)(const pare_pass_view *view, const struct pare_pass_word *from,
                                const struct pare_pass_word *to, pare_patches *out,
                                pare_error *err);

/* Rare names first, each towards the frequent ones. */
static pare_status offer_pairs(const pare_pass_view *view, const pare_pass_words *words,
                               offer_fn fn, size_t most, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t from = words->n; from-- > 0;)
        for (size_t to = 0; !status && to < words->n && out->n < most; to++)
            if (is_simpler(view, &words->items[to], &words->items[from]))
                status = fn(view, &words->items[from], &words->items[to], out, err);
    return status;
}

/* merge-names: every occurrence of a name becomes another, simpler name of the text; or every
 * one but the first; or a single one.
 *
 * Two names for one thing hide that things can go: `f(a, b)` with `b = a` before it.  The names
 * that occur most are tried first for each, as in the source.
 * Source: Vulcan's identifier replacement, its most productive part.
 * Deviation: only simpler names are taken, so that steps never go in a circle. */
static pare_status offer_merged_names(const pare_pass *pass, const pare_pass_view *view,
                                      pare_patches *out, pare_error *err)
{
    pare_pass_words words = {0};
    (void)pass;
    pare_status status = pare_pass_list_words(view, PARE_LEXEME_WORD, 1, &words, err);
    if (!status && words.n) qsort(words.items, words.n, sizeof *words.items, by_count);
    if (words.n > MOST_NAMES) words.n = MOST_NAMES;
    if (!status) status = offer_pairs(view, &words, offer_pair, SIZE_MAX, out, err);
    if (!status) status = offer_pairs(view, &words, offer_singles, out->n + MOST_SINGLES, out, err);
    pare_pass_words_done(&words);
    return status;
}

const pare_pass pare_pass_merge_names = {
    .name = "merge-names",
    .summary = "replaces a name by another one: everywhere, all but the first time, or once",
    .source = "Vulcan, identifier replacement",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MERGE_MOST_LEXEMES,
    .offer = offer_merged_names,
};

/* --- word-occurrences: coherent deletion ------------------------------------------------- */

enum { COHERENT_MOST_LEXEMES = 20000, MOST_ELEMENTS = 8 };

/* What goes at one occurrence of a word, lexeme `i`: lexemes *first .. *last. False: nothing can go
 * there. */
typedef bool (*beside_fn)(const pare_pass_view *view, size_t i, size_t nth, size_t *first,
                          size_t *last);

/* Whether lexeme `i` is a comma. */
static bool is_comma(const pare_pass_view *view, size_t i)
{
    return i < view->lexemes.n && pare_pass_lexeme_is(view, i, ",");
}

/* The word and the comma after it. */
static bool with_comma_after(const pare_pass_view *view, size_t i, size_t nth, size_t *first,
                             size_t *last)
{
    (void)nth;
    *first = i;
    *last = i + (is_comma(view, i + 1) ? 1 : 0);
    return true;
}

/* The word and the comma before it. */
static bool with_comma_before(const pare_pass_view *view, size_t i, size_t nth, size_t *first,
                              size_t *last)
{
    (void)nth;
    *first = i - (i && is_comma(view, i - 1) ? 1 : 0);
    *last = i;
    return true;
}

/* The word or sign before it. */
static bool before(const pare_pass_view *view, size_t i, size_t nth, size_t *first, size_t *last)
{
    (void)nth;
    if (!i) return false;
    pare_lexeme_kind kind = view->lexemes.at[i - 1].kind;
    *first = *last = i - 1;
    return kind == PARE_LEXEME_WORD || (kind == PARE_LEXEME_SIGN && !is_comma(view, i - 1) &&
                                        !pare_pass_lexeme_is(view, i - 1, ";"));
}

/* The bracket group that follows lexeme `i`; false: none does. */
static bool group_after(const pare_pass_view *view, size_t i, size_t *open, size_t *close)
{
    const pare_lexeme *at = view->lexemes.at;
    if (i + 1 >= view->lexemes.n || at[i + 1].kind != PARE_LEXEME_OPEN) return false;
    if (at[i + 1].partner == PARE_NO_LEXEME) return false;
    *open = i + 1;
    *close = at[i + 1].partner;
    return true;
}

/* The first group after it. */
static bool one_group(const pare_pass_view *view, size_t i, size_t nth, size_t *first, size_t *last)
{
    (void)nth;
    return group_after(view, i, first, last);
}

/* All groups after it that follow each other. */
static bool all_groups(const pare_pass_view *view, size_t i, size_t nth, size_t *first,
                       size_t *last)
{
    size_t open;
    (void)nth;
    if (!group_after(view, i, first, last)) return false;
    while (group_after(view, *last, &open, last))
        ;
    return true;
}

/* The nth element of the group after it, with the comma before it, or for the first the comma
 * after it.
 *
 * Example: in `f(a, b, c)` element 0 goes as `a,`, element 1 as `, b` and element 2 as `, c`. */
static bool element(const pare_pass_view *view, size_t i, size_t nth, size_t *first, size_t *last)
{
    const pare_lexeme *at = view->lexemes.at;
    size_t open, close;
    if (!group_after(view, i, &open, &close) || close == open + 1) return false;
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
        pare_extent cut = pare_pass_extent(view, first, last);
        if (cut.from < gone) cut.from = gone;
        if (cut.from >= cut.to) continue;
        status = pare_patches_change(out, cut.from, cut.to, NULL, 0, err);
        assert(cut.to <= view->end);
        gone = cut.to;
    }
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, NULL, err);
}

/* All that may go beside the occurrences of one word. */
static pare_status offer_word(const pare_pass_view *view, uint32_t word, pare_patches *out,
                              pare_error *err)
{
    static const beside_fn SIDES[] = {with_comma_after, with_comma_before, all_groups, one_group,
                                      before};
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < sizeof SIDES / sizeof *SIDES; k++)
        status = offer_beside(view, word, SIDES[k], 0, out, err);
    for (size_t nth = 0; !status && nth < MOST_ELEMENTS; nth++)
        status = offer_beside(view, word, element, nth, out, err);
    return status;
}

/* word-occurrences: something goes at every occurrence of a word at once: the word with the
 * comma beside it, the brackets after it, one element of those, the sign or word before it.
 *
 * What declares and what uses a thing have to change together: `int a[4]; .. a[i]`, `f(int x,
 * int y) .. f(1, 2)`, `struct s v; .. struct s`.  Where the same word stands, much the same
 * stands beside it, so this reaches without knowledge of a language what C-Reduce does with
 * that of C (reduce-array-dim, remove-unused-param, reduce-pointer-level).
 * Source: ours, after DRReduce's coherent deletion. */
static pare_status offer_coherent(const pare_pass *pass, const pare_pass_view *view,
                                  pare_patches *out, pare_error *err)
{
    pare_pass_words words = {0};
    (void)pass;
    out->spaced = true;
    pare_status status = pare_pass_list_words(view, PARE_LEXEME_WORD, 2, &words, err);
    for (size_t i = 0; !status && i < words.n; i++)
        status = offer_word(view, words.items[i].first, out, err);
    pare_pass_words_done(&words);
    return status;
}

const pare_pass pare_pass_coherent_deletion = {
    .name = "word-occurrences",
    .summary = "removes the same neighbours of every occurrence of a word, or the word",
    .source = "ours, after DRReduce",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = COHERENT_MOST_LEXEMES,
    .offer = offer_coherent,
};
