/* between-equals: all from one token up to the next one of the same bytes goes; in small files
 * also all from one byte up to the next equal one.
 *
 * What comes between two equal tokens is often a whole of its kind: an element with its
 * comma, a statement with its first word, a round of a loop that was written out.
 * Source: Shrink Ray's delete_byte_spans and lexeme_based_deletions (list-reducers §2.3).
 * Deviation: tokens in place of repeated runs of any length. */
#include <stdint.h>

#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "text/patch.h"

enum { MOST_LEXEMES = 20000, MOST_BYTES = 8192 };

static pare_status offer_tokens(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    pare_status status = PARE_OK;
    (void)pass;
    out->spaced = true;
    for (size_t i = 0; !status && i < view->lexemes.n; i++)
        if (at[i].next != PARE_NO_LEXEME)
            status = pare_offer_cut(out, (pare_extent){at[i].from, at[at[i].next].from},
                                    PARE_NO_PATCH, NULL, err);
    return status;
}

const pare_pass pare_pass_between = {
    .name = "between-equals",
    .summary = "leaves out all from a token up to the next one of the same bytes",
    .source = "Shrink Ray, lexeme_based_deletions",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer_tokens,
};

static pare_status offer_bytes(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    size_t last[UINT8_MAX + 1];
    pare_status status = PARE_OK;
    (void)pass;
    for (size_t k = 0; k <= UINT8_MAX; k++)
        last[k] = SIZE_MAX;
    for (size_t at = view->begin; !status && at < view->end; at++) {
        size_t *before = &last[view->bytes[at]];
        if (*before != SIZE_MAX)
            status = pare_offer_cut(out, (pare_extent){*before, at}, PARE_NO_PATCH, NULL, err);
        *before = at;
    }
    return status;
}

const pare_pass pare_pass_between_bytes = {
    .name = "between-bytes",
    .summary = "leaves out all from a byte up to the next equal one",
    .source = "Shrink Ray, delete_byte_spans",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_bytes = MOST_BYTES,
    .offer = offer_bytes,
};
