/* token-insides: half of a token goes, or a quarter, .. or one byte of it, wherever the token
 * occurs at once; then one byte of it becomes a simpler one of its class.
 *
 * Without the lexer's rule for the token, its bytes are of classes: what is a digit stays
 * one or goes, and so for letters.  Strings and numbers have passes of their own, and so have
 * tokens of which the rule is known (token_rules.c).
 * Source: T-Rec (tree-reducers §2.5), which derives what may go from the lexer's rule; here
 * the test tells, and occurrences change together as its identifiers do. */
#include "grammar/grammar.h"
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/passes/vocabulary.h"
#include "text/patch.h"

enum { MOST_LEXEMES = 5000, LONGEST = 256 };

/* Bytes from .. to-1 of the token, counted from its begin, become `with` at each of its
 * occurrences. */
static pare_status offer_part(const pare_pass_view *view, uint32_t first, pare_extent part,
                              const char *with, uint32_t parent, uint32_t *index, pare_patches *out,
                              pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    pare_status status = PARE_OK;
    for (uint32_t i = first; !status && i != PARE_NO_LEXEME; i = at[i].next)
        status = pare_patches_change(out, at[i].from + part.from, at[i].from + part.to, with,
                                     *with ? 1 : 0, err);
    return status ? status : pare_patches_end(out, parent, index, err);
}

/* The part goes, else one of its halves. */
static pare_status offer_halves(const pare_pass_view *view, uint32_t first, pare_extent part,
                                uint32_t parent, pare_patches *out, pare_error *err)
{
    uint32_t index = parent;
    size_t size = part.to - part.from, middle = part.from + size / 2;
    pare_status status = PARE_OK;
    if (size < pare_lexeme_size(view, first)) /* tokens as wholes are for other passes */
        status = offer_part(view, first, part, "", parent, &index, out, err);
    if (status || size < 2) return status;
    status = offer_halves(view, first, (pare_extent){part.from, middle}, index, out, err);
    if (status) return status;
    return offer_halves(view, first, (pare_extent){middle, part.to}, index, out, err);
}

/* The simplest byte of the class of `byte`, as a C string; itself for signs. */
static const char *simplest(unsigned char byte)
{
    if (byte >= '0' && byte <= '9') return "0";
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ? "a" : "";
}

static pare_status offer_simpler(const pare_pass_view *view, uint32_t first, pare_patches *out,
                                 pare_error *err)
{
    pare_status status = PARE_OK;
    const unsigned char *text = view->bytes + view->lexemes.at[first].from;
    for (size_t i = 0; !status && i < pare_lexeme_size(view, first); i++) {
        const char *with = simplest(text[i]);
        if (*with && pare_is_simpler(with, 1, &text[i], 1))
            status = offer_part(view, first, (pare_extent){i, i + 1}, with, PARE_NO_PATCH, NULL,
                                out, err);
    }
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    for (uint32_t i = 0; !status && i < view->lexemes.n; i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        size_t size = pare_lexeme_size(view, i);
        bool fits = at->kind == PARE_LEXEME_WORD || at->kind == PARE_LEXEME_OTHER;
        if (!fits || at->first != i || size < 2 || size > LONGEST) continue;
        if (pare_word_is_keyword(view, i) || pare_lexeme_type(view, i) != PARE_NO_INDEX) continue;
        status = offer_halves(view, i, (pare_extent){0, size}, PARE_NO_PATCH, out, err);
        if (!status && at->kind == PARE_LEXEME_OTHER) status = offer_simpler(view, i, out, err);
    }
    return status;
}

const pare_pass pare_pass_insides = {
    .name = "token-insides",
    .summary = "shortens words and other tokens from inside, wherever they occur",
    .source = "T-Rec, without the lexer's rules",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
