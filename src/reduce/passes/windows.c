/* token-windows: each run of 14, 13, .. 1 neighbouring tokens goes, the rear ones first.
 *
 * Unlike a list algorithm, which tests units that are aligned somehow, it misses no run of
 * at most 14 tokens.
 * Source: Perses's token slicers (tree-reducers §2.5), and C-Reduce's clex rm-toks-N.  Both
 * go over the text once a width; here all widths are one list. */
#include "reduce/passes/edits.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "text/patch.h"

enum { WIDEST = 14, MOST_LEXEMES = 2000 };

static pare_status offer_width(const pare_pass_view *view, size_t width, pare_patches *out,
                               pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t end = view->lexemes.n; !status && end >= width; end--)
        status = pare_offer_cut(out, pare_edit_lexemes(view, end - width, end - 1), PARE_NO_PATCH,
                                NULL, err);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    out->spaced = true;
    for (size_t width = WIDEST; !status && width; width--)
        status = offer_width(view, width, out, err);
    return status;
}

const pare_pass pare_pass_windows = {
    .name = "token-windows",
    .summary = "leaves out 14 down to 1 neighbouring tokens",
    .source = "Perses, token slicers; C-Reduce, rm-toks",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
