/* brackets: each balanced group goes; if it cannot, it is emptied, becomes `0` or `;`, loses
 * its brackets, or makes way for a group inside it.
 *
 * Groups are ( .. ), [ .. ], { .. } and, where it stays on its nesting level, < .. >.
 * Source: C-Reduce's pass_balanced (delete, -inside, -only, parens-to-zero, curly2) and
 * pass curly3 (`= { .. }`), Shrink Ray's hollow, debracket and lift_braces (tree-reducers
 * §5.2, list-reducers §2.3).  There each is a pass of its own; here they are what a group is
 * tried for in turn, the drastic first. */
#include <string.h>

#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "text/patch.h"

/* What may stand for a group, by its opening bracket. */
static const struct {
    char open;
    const char *texts[3];
} SUBSTITUTES[] = {{'(', {"0", ""}}, {'[', {"0", ""}}, {'{', {";", "0", ""}}, {'<', {""}}};

enum { N_SUBSTITUTES = sizeof SUBSTITUTES / sizeof *SUBSTITUTES, MOST_LIFTS = 4, MOST_ANGLE = 64 };

struct group {
    size_t open, close; /* lexemes */
};

static pare_extent extent(const pare_pass_view *view, size_t first, size_t last)
{
    return (pare_extent){view->lexemes.at[first].from, view->lexemes.at[last].to};
}

static pare_status offer_substitutes(const pare_pass_view *view, struct group group,
                                     uint32_t parent, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_extent all = extent(view, group.open, group.close);
    char open = (char)view->bytes[all.from];
    for (size_t k = 0; k < N_SUBSTITUTES; k++) {
        if (SUBSTITUTES[k].open != open) continue;
        for (const char *const *text = SUBSTITUTES[k].texts; !status && **text; text++)
            status = pare_offer_text(out, all, *text, 1, parent, NULL, err);
    }
    return status;
}

/* Only the brackets, or all between them. */
static pare_status offer_inside(const pare_pass_view *view, struct group group, uint32_t parent,
                                pare_patches *out, pare_error *err)
{
    size_t from = view->lexemes.at[group.open].to, to = view->lexemes.at[group.close].from;
    pare_status status = pare_offer_cut(out, (pare_extent){from, to}, parent, NULL, err);
    if (!status) status = pare_patches_change(out, from - 1, from, NULL, 0, err);
    if (!status) status = pare_patches_change(out, to, to + 1, NULL, 0, err);
    return status ? status : pare_patches_end(out, parent, NULL, err);
}

/* The groups of the same kind directly inside make its place theirs, the first few. */
static pare_status offer_lifts(const pare_pass_view *view, struct group group, uint32_t parent,
                               pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    pare_status status = PARE_OK;
    size_t n = 0;
    for (size_t i = group.open + 1; !status && i < group.close && n < MOST_LIFTS; i++) {
        if (at[i].kind != PARE_LEXEME_OPEN || at[i].partner == PARE_NO_LEXEME) continue;
        size_t close = at[i].partner;
        if (at[i].first == at[group.open].first) {
            status = pare_patches_change(out, at[group.open].from, at[i].from, NULL, 0, err);
            if (!status)
                status = pare_patches_change(out, at[close].to, at[group.close].to, NULL, 0, err);
            if (!status) status = pare_patches_end(out, parent, NULL, err);
            n++;
        }
        i = close;
    }
    return status;
}

static pare_status offer_group(const pare_pass_view *view, struct group group, pare_patches *out,
                               pare_error *err)
{
    uint32_t whole = PARE_NO_PATCH;
    pare_extent cut = pare_edit_lexemes(view, group.open, group.close);
    pare_status status = pare_offer_cut(out, cut, PARE_NO_PATCH, &whole, err);
    if (!status && group.open && pare_lexeme_is(view, group.open - 1, "=")) {
        cut = pare_edit_lexemes(view, group.open - 1, group.close);
        status = pare_offer_cut(out, cut, whole, NULL, err);
    }
    if (!status) status = offer_substitutes(view, group, whole, out, err);
    if (!status) status = offer_inside(view, group, whole, out, err);
    return status ? status : offer_lifts(view, group, whole, out, err);
}

/* Where the < at `open` is closed: before its nesting level ends, a `;` or too much stands
 * between; PARE_NO_LEXEME: nowhere. */
static size_t angle_end(const pare_pass_view *view, size_t open)
{
    const pare_lexeme *at = view->lexemes.at;
    size_t depth = 0;
    for (size_t i = open; i < view->lexemes.n && i - open < MOST_ANGLE; i++) {
        if (at[i].kind == PARE_LEXEME_OPEN && at[i].partner != PARE_NO_LEXEME)
            i = at[i].partner;
        else if (at[i].kind == PARE_LEXEME_CLOSE || pare_lexeme_is(view, i, ";"))
            break;
        else if (pare_lexeme_is(view, i, "<"))
            depth++;
        else if (pare_lexeme_is(view, i, ">") && --depth == 0)
            return i;
    }
    return PARE_NO_LEXEME;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    out->spaced = true;
    for (size_t i = 0; !status && i < view->lexemes.n; i++) {
        const pare_lexeme *lexeme = &view->lexemes.at[i];
        size_t close = PARE_NO_LEXEME;
        if (lexeme->kind == PARE_LEXEME_OPEN) close = lexeme->partner;
        if (pare_lexeme_is(view, i, "<")) close = angle_end(view, i);
        if (close != PARE_NO_LEXEME) status = offer_group(view, (struct group){i, close}, out, err);
    }
    return status;
}

const pare_pass pare_pass_brackets = {
    .name = "brackets",
    .summary = "leaves out balanced brackets, what is in them, or only them; 0 or ; for them",
    .source = "C-Reduce, balanced; Shrink Ray, hollow, debracket, lift_braces",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .offer = offer,
};
