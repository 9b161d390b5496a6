/* lift: an element of a bracket group makes its way out, and takes the place of the group, of
 * the term that the group hangs on, of what hangs on the group, or of the whole stretch.
 *
 * So a call becomes one of its arguments, `while (..) { a; b; }` becomes `a`, `[f(x)][0]`
 * becomes `f(x)`, and `{k: v}.k` becomes `v`: an element is also taken from behind its
 * first `:` or `=`.
 * Source: C-Reduce's simplify-callexpr and replace-callexpr, Shrink Ray's lift_braces, treereduce
 * and Perses (a node by a descendant), for text without a grammar. */
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/passes/terms.h"
#include "text/patch.h"

enum { MOST_LEXEMES = 20000, MOST_ELEMENTS = 8 };

static bool is_label(const pare_pass_view *view, size_t i)
{
    return pare_lexeme_is(view, i, ":") || pare_lexeme_is(view, i, "=");
}

/* What is behind the label of the element stays of `all`. */
static pare_status offer_value(const pare_pass_view *view, pare_extent all, pare_run element,
                               pare_patches *out, pare_error *err)
{
    for (size_t i = element.first; i < element.last && i < element.first + 4; i++)
        if (is_label(view, i))
            return pare_offer_keep(view, all, (pare_run){i + 1, element.last}, PARE_NO_PATCH, NULL,
                                   out, err);
    return PARE_OK;
}

/* All that stands in the group, then each of its first elements, in the place of `all`.
 * (That a group alone loses its brackets is for the pass `brackets`.) */
static pare_status offer_place(const pare_pass_view *view, size_t open, pare_run all,
                               pare_patches *out, pare_error *err)
{
    pare_extent place = pare_run_extent(view, all);
    size_t at = open, close = view->lexemes.at[open].partner;
    pare_run content = {open + 1, close - 1}, element;
    pare_status status = PARE_OK;
    if (all.first < open || all.last > close)
        status = pare_offer_keep(view, place, content, PARE_NO_PATCH, NULL, out, err);
    for (size_t n = 0; !status && n < MOST_ELEMENTS; n++) {
        if (!pare_next_element(view, open, &at, &element)) break;
        bool whole = element.first == content.first && element.last == content.last;
        if (!whole) status = pare_offer_keep(view, place, element, PARE_NO_PATCH, NULL, out, err);
        if (!status) status = offer_value(view, place, element, out, err);
    }
    return status;
}

static bool is_same(pare_run a, pare_run b)
{
    return a.first == b.first && a.last == b.last;
}

/* What stands in the group becomes a statement in the place of one with a block: `if (a) {b;}`
 * becomes `a;`. */
static pare_status offer_statement(const pare_pass_view *view, size_t open, pare_run term,
                                   pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    const size_t close = at[open].partner, block = close + 1;
    if (block >= view->lexemes.n || at[block].partner == PARE_NO_LEXEME) return PARE_OK;
    if (!pare_lexeme_is(view, open, "(") || !pare_lexeme_is(view, block, "{")) return PARE_OK;
    pare_status status = pare_patches_change(out, at[term.first].from, at[open].to, NULL, 0, err);
    if (!status)
        status = pare_patches_change(out, at[close].from, at[at[block].partner].to, ";", 1, err);
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, NULL, err);
}

/* The places that an element of the group may take: from the term outwards. */
static pare_status offer_group(const pare_pass_view *view, size_t open, pare_patches *out,
                               pare_error *err)
{
    size_t close = view->lexemes.at[open].partner;
    pare_run term, tail;
    if (!pare_term_before(view, close, &term)) term = (pare_run){open, close};
    if (!pare_term_behind(view, open, &tail)) tail = (pare_run){open, close};
    pare_run before = pare_stretch_before(view, close), behind = pare_stretch_behind(view, open);
    const pare_run places[] = {term, /* of a call: not its brackets alone */
                               {term.first, tail.last},
                               {before.first, tail.last},
                               {before.first, behind.last}};
    enum { N_PLACES = sizeof places / sizeof *places };
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < N_PLACES; k++) {
        bool seen = false;
        for (size_t j = 0; j < k; j++)
            seen = seen || is_same(places[j], places[k]);
        if (!seen) status = offer_place(view, open, places[k], out, err);
    }
    if (!status) status = offer_statement(view, open, term, out, err);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    out->spaced = true;
    for (size_t i = 0; !status && i < view->lexemes.n; i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        if (at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME && at->partner > i + 1)
            status = offer_group(view, i, out, err);
    }
    return status;
}

const pare_pass pare_pass_lift = {
    .name = "lift",
    .summary = "puts what stands in brackets in the place of what they belong to",
    .source = "C-Reduce, simplify-callexpr; Shrink Ray, lift_braces; Perses",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
