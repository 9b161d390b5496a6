/* operators: an expression becomes one of its operands, or `0`.
 *
 * For each run of signs between two operands: the left or the right one stays alone, taken
 * as narrow (a term) or as wide (up to the next separator) as may be, so that precedence
 * need not be known; all of it becomes 0.  For `a ? b : c`: b or c stays.  A term becomes 0.
 * Source: C-Reduce's peep b (`a op b` and its parts -> 0, 1, nothing) and ternary b and c,
 * Shrink Ray's combine_expressions (tree-reducers §5.2), by tokens in place of regular
 * expressions. */
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/passes/terms.h"
#include "text/patch.h"

enum { MOST_LEXEMES = 20000 };

/* `all` becomes `kept`, then 0 if that does not do. */
static pare_status offer_sides(const pare_pass_view *view, pare_run left, pare_run right,
                               pare_patches *out, pare_error *err)
{
    uint32_t zero = PARE_NO_PATCH;
    pare_extent all = pare_run_extent(view, (pare_run){left.first, right.last});
    if (all.to - all.from < 2) return PARE_OK;
    pare_status status = pare_offer_text(out, all, "0", 1, PARE_NO_PATCH, &zero, err);
    if (!status) status = pare_offer_keep(view, all, left, zero, NULL, out, err);
    return status ? status : pare_offer_keep(view, all, right, zero, NULL, out, err);
}

static pare_status offer_binary(const pare_pass_view *view, pare_run signs, pare_patches *out,
                                pare_error *err)
{
    pare_run left, right;
    if (!signs.first || !pare_term_before(view, signs.first - 1, &left) ||
        !pare_term_behind(view, signs.last + 1, &right))
        return PARE_OK;
    pare_run wide_left = pare_stretch_before(view, signs.first - 1);
    pare_run wide_right = pare_stretch_behind(view, signs.last + 1);
    pare_status status = offer_sides(view, left, right, out, err);
    bool wider = wide_left.first != left.first || wide_right.last != right.last;
    if (!status && wider) status = offer_sides(view, wide_left, wide_right, out, err);
    return status;
}

/* Where the `:` of the `?` at lexeme `question` is; PARE_NO_LEXEME: nowhere. */
static size_t colon_of(const pare_pass_view *view, size_t question)
{
    pare_run rest = pare_stretch_behind(view, question);
    size_t depth = 0;
    for (size_t i = question; i <= rest.last; i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        if (at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME) i = at->partner;
        if (pare_lexeme_is(view, i, "?")) depth++;
        if (pare_lexeme_is(view, i, ":") && --depth == 0) return i;
    }
    return PARE_NO_LEXEME;
}

static pare_status offer_ternary(const pare_pass_view *view, size_t question, pare_patches *out,
                                 pare_error *err)
{
    size_t colon = colon_of(view, question);
    pare_run condition, rest;
    if (!question || colon == PARE_NO_LEXEME || colon == question + 1) return PARE_OK;
    rest = pare_stretch_behind(view, colon);
    condition = pare_stretch_before(view, question - 1);
    if (rest.last == colon) return PARE_OK;
    pare_extent all = pare_run_extent(view, (pare_run){condition.first, rest.last});
    pare_run second = {question + 1, colon - 1}, third = {colon + 1, rest.last};
    pare_status status = pare_offer_keep(view, all, second, PARE_NO_PATCH, NULL, out, err);
    return status ? status : pare_offer_keep(view, all, third, PARE_NO_PATCH, NULL, out, err);
}

/* A name with what hangs on it, or a string, becomes 0, or 1. */
static pare_status offer_zero(const pare_pass_view *view, size_t i, pare_patches *out,
                              pare_error *err)
{
    pare_run term;
    pare_lexeme_kind kind = (pare_lexeme_kind)view->lexemes.at[i].kind;
    if (kind != PARE_LEXEME_WORD && kind != PARE_LEXEME_STRING) return PARE_OK;
    if (!pare_term_behind(view, i, &term)) return PARE_OK;
    uint32_t zero = PARE_NO_PATCH;
    pare_extent all = pare_run_extent(view, term);
    pare_status status = pare_offer_text(out, all, "0", 1, PARE_NO_PATCH, &zero, err);
    return status ? status : pare_offer_text(out, all, "1", 1, zero, NULL, err);
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_status status = PARE_OK;
    pare_run signs = {0};
    (void)pass;
    out->spaced = true;
    for (size_t i = 0; !status && i < view->lexemes.n; i++) {
        status = offer_zero(view, i, out, err);
        if (status || !pare_signs_at(view, i, &signs)) continue;
        status = offer_binary(view, signs, out, err);
        if (!status && pare_lexeme_is(view, i, "?")) status = offer_ternary(view, i, out, err);
        i = signs.last;
    }
    return status;
}

const pare_pass pare_pass_operators = {
    .name = "operators",
    .summary = "puts an operand, a branch of ?: or 0 in the place of an expression",
    .source = "C-Reduce, peep b and ternary; Shrink Ray, combine_expressions",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
