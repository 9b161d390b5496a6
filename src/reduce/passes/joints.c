/* joints: two neighbouring bracket groups become one: from the first one's end to the second
 * one's beginning all goes.
 *
 * So the bodies of two functions become one body, `if (a) {b;} else {c;}` becomes
 * `if (a) {b;c;}`, and `f(a)(b)` becomes `f(ab)`.  The text stays balanced, which few of all
 * runs of tokens leave it: those that do in this way are tried for themselves, each group with
 * the next ones of its kind on the same level.
 * Source: C-Reduce's clex passes rm-toks-N, of which this is a part, for any distance. */
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "text/patch.h"

enum { MOST_NEXT = 2, MOST_LEXEMES = 20000 };

static bool opens(const pare_pass_view *view, size_t i)
{
    const pare_lexeme *lexeme = &view->lexemes.at[i];
    return lexeme->kind == PARE_LEXEME_OPEN && lexeme->partner != PARE_NO_LEXEME;
}

/* The group at `open` with the next ones of its kind. */
static pare_status offer_group(const pare_pass_view *view, size_t open, pare_patches *out,
                               pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    const size_t close = at[open].partner;
    size_t n = 0;
    pare_status status = PARE_OK;
    for (size_t i = close + 1; !status && i < view->lexemes.n && n < MOST_NEXT; i++) {
        if (at[i].kind == PARE_LEXEME_CLOSE) break; /* of what both groups are in */
        if (!opens(view, i)) continue;
        if (at[i].first == at[open].first) {
            status = pare_offer_cut(out, (pare_extent){at[close].from, at[i].to}, PARE_NO_PATCH,
                                    NULL, err);
            n++;
        }
        i = at[i].partner;
    }
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    out->spaced = true;
    for (size_t i = 0; !status && i < view->lexemes.n; i++)
        if (opens(view, i)) status = offer_group(view, i, out, err);
    return status;
}

const pare_pass pare_pass_joints = {
    .name = "joints",
    .summary = "makes two neighbouring bracket groups one, without what is between them",
    .source = "C-Reduce, rm-toks, where brackets stay balanced",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
