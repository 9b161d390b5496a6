/* short-names: the names of the text become a, b, c, .. in the order in which they occur, all
 * of them at once if that works.
 *
 * A name becomes the first of a .. z that no word of the text is and no name before it
 * becomes, if that is simpler; where it cannot be renamed as a whole, each single occurrence
 * is offered.  Then letters change places until the first to occur is the lowest.  So inputs
 * that differ by their names only come to the same text.
 * Source: T-Rec's canonical names (tree-reducers §2.5), and C-Reduce's clex rename-toks.
 * Deviation: names get theirs together, not one at a time. */
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/passes/vocabulary.h"
#include "text/patch.h"

enum { N_LETTERS = 26 };

static bool is_letter(const pare_pass_view *view, const struct pare_word *word)
{
    unsigned char byte = view->bytes[view->lexemes.at[word->first].from];
    return pare_lexeme_size(view, word->first) == 1 && byte >= 'a' && byte <= 'z';
}

/* Sets which letters are words of the text. */
static void mark_used(const pare_pass_view *view, const pare_vocabulary *words,
                      bool used[N_LETTERS])
{
    for (size_t i = 0; i < words->n; i++)
        if (is_letter(view, &words->items[i]))
            used[view->bytes[view->lexemes.at[words->items[i].first].from] - 'a'] = true;
}

/* Whether a hyphen makes lexeme `i` part of a longer name, as in Lisp or CSS. */
static bool is_hyphened(const pare_pass_view *view, size_t i)
{
    const pare_lexeme *at = &view->lexemes.at[i];
    return (at->from > view->begin && view->bytes[at->from - 1] == '-') ||
           (at->to < view->end && view->bytes[at->to] == '-');
}

/* The occurrences that stand by themselves become `name`; nothing when all do. */
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

static pare_status rename_word(const pare_pass_view *view, uint32_t first, const char *name,
                               pare_patches *out, pare_error *err)
{
    uint32_t all = PARE_NO_PATCH;
    const pare_lexeme *at = view->lexemes.at;
    pare_status status = pare_change_words(view, first, name, 1, out, err);
    if (!status) status = pare_patches_end(out, PARE_NO_PATCH, &all, err);
    if (status || at[first].next == PARE_NO_LEXEME) return status;
    status = rename_plain(view, first, name, all, out, err);
    for (uint32_t i = first; !status && i != PARE_NO_LEXEME; i = at[i].next)
        status = pare_offer_text(out, (pare_extent){at[i].from, at[i].to}, name, 1, all, NULL, err);
    return status;
}

/* Each word that is a letter, or each that is none, gets the next free letter, from *letter
 * on, if that is simpler. */
static pare_status offer_some(const pare_pass_view *view, const pare_vocabulary *words,
                              bool letters, const bool used[N_LETTERS], size_t *letter,
                              pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < words->n; i++) {
        uint32_t first = words->items[i].first;
        if (is_letter(view, &words->items[i]) != letters) continue;
        while (*letter < N_LETTERS && used[*letter])
            ++*letter;
        if (*letter == N_LETTERS) break;
        char name = (char)('a' + *letter);
        if (!pare_is_simpler(&name, 1, view->bytes + view->lexemes.at[first].from,
                             pare_lexeme_size(view, first)))
            continue;
        status = rename_word(view, first, &name, out, err);
        ++*letter;
    }
    return status;
}

/* Letters come first: that they can be renamed is known, so none is wasted on keywords. */
static pare_status offer_letters(const pare_pass_view *view, const pare_vocabulary *words,
                                 pare_patches *out, pare_error *err)
{
    bool used[N_LETTERS] = {false};
    size_t letter = 0;
    mark_used(view, words, used);
    pare_status status = offer_some(view, words, true, used, &letter, out, err);
    return status ? status : offer_some(view, words, false, used, &letter, out, err);
}

/* Two letters change places: wherever one of both stands, in the order of the text. */
static pare_status swap(const pare_pass_view *view, uint32_t a, uint32_t b, pare_patches *out,
                        pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
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
static pare_status offer_swaps(const pare_pass_view *view, const pare_vocabulary *words,
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
                status = swap(view, letters[i], letters[k], out, err);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_vocabulary words = {0};
    (void)pass;
    pare_status status = pare_vocabulary_of(view, 1, &words, err);
    if (!status) status = offer_letters(view, &words, out, err);
    if (!status) status = offer_swaps(view, &words, out, err);
    pare_vocabulary_done(&words);
    return status;
}

const pare_pass pare_pass_short_names = {
    .name = "short-names",
    .summary = "names names a, b, c, .. in the order in which they occur",
    .source = "T-Rec, canonical names; C-Reduce, rename-toks",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .offer = offer,
};
