/* The passes over bracket groups: brackets, joints, lift.
 *
 * Brackets are what nearly all languages have in common, and a text in which they balance has a
 * far better chance to be accepted than any other: so these passes offer only edits that keep
 * them balanced.  They work with the partners of lexemes, without a grammar, and stay useful
 * beside tree strategies, because they cut across what a grammar takes for one node.
 * Invariant: each patch removes brackets in pairs or not at all.
 * Source: C-Reduce's pass_balanced, curly3, simplify-callexpr and rm-toks; Shrink Ray's hollow,
 * debracket and lift_braces; see each pass. */
#include <assert.h>
#include <string.h>

#include "base/halving.h"
#include "base/interrupt.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/terms.h"
#include "text/patch.h"
#include "text/split/markup.h"

/* --- brackets ---------------------------------------------------------------------------- */

/* Texts that may replace a group, by its opening bracket. */
static const struct {
    char open;
    const char *texts[3];
} SUBSTITUTES[] = {{'(', {"0", ""}}, {'[', {"0", ""}}, {'{', {";", "0", ""}}, {'<', {""}}};

enum { N_SUBSTITUTES = sizeof SUBSTITUTES / sizeof *SUBSTITUTES, MOST_INNER = 4, MOST_ANGLE = 64 };

/* A pair of brackets. */
struct group {
    size_t open, close; /* lexemes */
};

/* Bytes from lexeme `first` to lexeme `last`. */
static pare_extent extent(const pare_pass_view *view, size_t first, size_t last)
{
    assert(first <= last && last < view->lexemes.n);
    return (pare_extent){view->lexemes.at[first].from, view->lexemes.at[last].to};
}

/* `0`, `;` and the like for the whole group. */
static pare_status offer_substitutes(const pare_pass_view *view, struct group group,
                                     uint32_t parent, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_extent all = extent(view, group.open, group.close);
    char open = (char)view->bytes[all.from];
    for (size_t k = 0; k < N_SUBSTITUTES; k++) {
        if (SUBSTITUTES[k].open != open) continue;
        for (const char *const *text = SUBSTITUTES[k].texts; !status && **text; text++)
            status = pare_pass_offer_text(out, (pare_pass_text){all, *text, 1}, parent, NULL, err);
    }
    return status;
}

/* Offers to remove only the two brackets, or only what is between them. */
static pare_status offer_inside(const pare_pass_view *view, struct group group, uint32_t parent,
                                pare_patches *out, pare_error *err)
{
    size_t from = view->lexemes.at[group.open].to, to = view->lexemes.at[group.close].from;
    pare_status status = pare_pass_offer_cut(out, (pare_extent){from, to}, parent, NULL, err);
    /* The brackets alone go, what is between them stays. */
    if (!status) status = pare_patches_change(out, from - 1, from, NULL, 0, err);
    if (!status) status = pare_patches_change(out, to, to + 1, NULL, 0, err);
    return status ? status : pare_patches_end(out, parent, NULL, err);
}

/* The groups of the same kind directly inside make its place theirs, the first few. */
static pare_status offer_inner_groups(const pare_pass_view *view, struct group group,
                                      uint32_t parent, pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    pare_status status = PARE_OK;
    size_t n = 0;
    for (size_t i = group.open + 1; !status && i < group.close && n < MOST_INNER; i++) {
        if (at[i].kind != PARE_LEXEME_OPEN || at[i].partner == PARE_NO_LEXEME) continue;
        size_t close = at[i].partner;
        /* The same byte, so the same kind of bracket. */
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

/* The whole group, also with an = before it; what else it may become is tried when that fails. */
static pare_status offer_bracket_group(const pare_pass_view *view, struct group group,
                                       pare_patches *out, pare_error *err)
{
    uint32_t whole = PARE_NO_PATCH;
    pare_extent cut = pare_pass_extent(view, group.open, group.close);
    pare_status status = pare_pass_offer_cut(out, cut, PARE_NO_PATCH, &whole, err);
    if (!status && group.open && pare_pass_lexeme_is(view, group.open - 1, "=")) {
        cut = pare_pass_extent(view, group.open - 1, group.close);
        /* An initialiser: without its value the = would stand alone. */
        status = pare_pass_offer_cut(out, cut, whole, NULL, err);
    }
    if (!status) status = offer_substitutes(view, group, whole, out, err);
    if (!status) status = offer_inside(view, group, whole, out, err);
    return status ? status : offer_inner_groups(view, group, whole, out, err);
}

/* The > that closes the < at `open`, if it comes before the nesting level ends, before a `;`, and
 * not too far away; PARE_NO_LEXEME: there is none. */
static size_t angle_end(const pare_pass_view *view, size_t open)
{
    const pare_lexeme *at = view->lexemes.at;
    size_t depth = 0;
    for (size_t i = open; i < view->lexemes.n && i - open < MOST_ANGLE; i++) {
        if (at[i].kind == PARE_LEXEME_OPEN && at[i].partner != PARE_NO_LEXEME)
            i = at[i].partner;
        else if (at[i].kind == PARE_LEXEME_CLOSE || pare_pass_lexeme_is(view, i, ";"))
            break;
        else if (pare_pass_lexeme_is(view, i, "<"))
            depth++;
        else if (pare_pass_lexeme_is(view, i, ">") && --depth == 0)
            return i;
    }
    return PARE_NO_LEXEME;
}

/* A tag, and the one that closes it, as lexemes. */
struct tag {
    size_t first, last;       /* of the tag */
    size_t name_last;         /* PARE_NO_LEXEME: it has no name */
    size_t close, close_last; /* PARE_NO_LEXEME: nothing closes it */
};

/* The first lexeme that ends behind byte `at`. */
static size_t lexeme_after(const pare_pass_view *view, size_t at)
{
    pare_halving search = {.low = 0, .high = view->lexemes.n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, view->lexemes.at[search.middle].to <= at);
    return search.low;
}

/* The lexemes of bytes from .. to-1; false: they are no whole ones, as in what is taken for a string. */
static bool find_lexemes(const pare_pass_view *view, size_t from, size_t to, size_t *first,
                         size_t *last)
{
    const pare_lexemes *lexemes = &view->lexemes;
    *first = lexeme_after(view, from);
    *last = lexeme_after(view, to - 1);
    return *last < lexemes->n && lexemes->at[*first].from == from && lexemes->at[*last].to == to;
}

/* Reads the tag; false: this pass has no use for it, or it closes another tag. */
static bool read_tag(const pare_pass_view *view, const pare_markup *markup, uint32_t index,
                     struct tag *out)
{
    const pare_markup_tag *tag = &markup->tags[index], *close = &markup->tags[tag->partner];
    const size_t at = view->begin;
    size_t unused;
    *out = (struct tag){.name_last = PARE_NO_LEXEME, .close = PARE_NO_LEXEME};
    if (tag->partner < index ||
        !find_lexemes(view, at + tag->begin, at + tag->end, &out->first, &out->last))
        return false;
    if (tag->name_end > tag->begin &&
        !find_lexemes(view, at + tag->begin, at + tag->name_end, &unused, &out->name_last))
        out->name_last = PARE_NO_LEXEME;
    return tag->partner == index ||
           find_lexemes(view, at + close->begin, at + close->end, &out->close, &out->close_last);
}

/* Both tags go, and what they enclose stays. */
static pare_status offer_unwrapped(const pare_pass_view *view, const struct tag *tag,
                                   uint32_t parent, pare_patches *out, pare_error *err)
{
    const pare_extent open = pare_pass_extent(view, tag->first, tag->last),
                      close = pare_pass_extent(view, tag->close, tag->close_last);
    pare_status status = pare_patches_change(out, open.from, open.to, NULL, 0, err);
    if (!status) status = pare_patches_change(out, close.from, close.to, NULL, 0, err);
    return status ? status : pare_patches_end(out, parent, NULL, err);
}

/* A tag with all to what closes it; else only what they enclose, or only they. */
static pare_status offer_element(const pare_pass_view *view, const struct tag *tag,
                                 pare_patches *out, pare_error *err)
{
    uint32_t whole = PARE_NO_PATCH;
    if (tag->close == PARE_NO_LEXEME) return PARE_OK;
    pare_extent cut = pare_pass_extent(view, tag->first, tag->close_last);
    pare_status status = pare_pass_offer_cut(out, cut, PARE_NO_PATCH, &whole, err);
    if (status || tag->close == tag->last + 1) return status;
    cut = (pare_extent){view->lexemes.at[tag->last].to, view->lexemes.at[tag->close].from};
    status = pare_pass_offer_cut(out, cut, whole, NULL, err);
    return status ? status : offer_unwrapped(view, tag, whole, out, err);
}

/* Whether an attribute begins at lexeme `i`: behind white space that no = stands beside. */
static bool begins_attribute(const pare_pass_view *view, size_t i)
{
    const pare_lexeme *at = &view->lexemes.at[i];
    return at->from > at[-1].to && !pare_pass_lexeme_is(view, i, "=") &&
           !pare_pass_lexeme_is(view, i - 1, "=");
}

/* All that stands in the tag behind its name goes; else each attribute by itself.  They begin with a
 * blank, or an = as in `[b=1]`. */
static pare_status offer_attributes(const pare_pass_view *view, const struct tag *tag,
                                    pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    if (tag->name_last == PARE_NO_LEXEME) return PARE_OK;
    const size_t begin = tag->name_last + 1;
    const size_t end = tag->last - pare_pass_lexeme_is(view, tag->last - 1, "/");
    uint32_t all = PARE_NO_PATCH;
    size_t n = 0;
    if (end <= begin) return PARE_OK;
    if (at[begin].from == at[begin - 1].to && !pare_pass_lexeme_is(view, begin, "="))
        return PARE_OK;
    pare_status status = pare_pass_offer_cut(out, (pare_extent){at[begin - 1].to, at[end - 1].to},
                                             PARE_NO_PATCH, &all, err);
    for (size_t i = begin, next; !status && i < end; i = next, n++) {
        for (next = i + 1; next < end && !begins_attribute(view, next);)
            next++;
        if (!n && next == end) break; /* there is one */
        status =
            pare_pass_offer_cut(out, (pare_extent){at[i - 1].to, at[next - 1].to}, all, NULL, err);
    }
    return status;
}

/* Offers what tags enclose, with and without the tags. */
static pare_status offer_tags(const pare_pass_view *view, pare_patches *out, pare_error *err)
{
    pare_markup markup = {0};
    pare_status status =
        pare_markup_find(view->bytes + view->begin, view->end - view->begin, &markup, err);
    for (uint32_t i = 0; !status && i < markup.n && !pare_interrupt_asked_at(i); i++) {
        struct tag tag;
        if (!read_tag(view, &markup, i, &tag)) continue;
        status = offer_element(view, &tag, out, err);
        if (!status) status = offer_attributes(view, &tag, out, err);
    }
    pare_markup_done(&markup);
    return status;
}

/* brackets: each balanced group goes; if it cannot, it is emptied, becomes `0` or `;`, loses
 * its brackets, or makes way for a group inside it.  Groups are ( .. ), [ .. ], { .. } and,
 * where it stays on its nesting level, < .. >.  Where no tree is known, a tag with what closes it is
 * one as well, and a tag loses its attributes.
 * Source: C-Reduce's pass_balanced (delete, -inside, -only, parens-to-zero, curly2) and pass
 * curly3 (`= { .. }`), Shrink Ray's hollow, debracket and lift_braces.  There each is a pass of its own; here they are what a group is tried
 * for in turn, the drastic first. */
static pare_status offer_brackets(const pare_pass *pass, const pare_pass_view *view,
                                  pare_patches *out, pare_error *err)
{
    (void)pass;
    out->spaced = true;
    pare_status status = view->tree ? PARE_OK : offer_tags(view, out, err);
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++) {
        const pare_lexeme *lexeme = &view->lexemes.at[i];
        size_t close = PARE_NO_LEXEME;
        if (lexeme->kind == PARE_LEXEME_OPEN) close = lexeme->partner;
        if (pare_pass_lexeme_is(view, i, "<")) close = angle_end(view, i);
        if (close != PARE_NO_LEXEME)
            status = offer_bracket_group(view, (struct group){i, close}, out, err);
    }
    return status;
}

const pare_pass pare_pass_brackets = {
    .name = "brackets",
    .summary = "removes brackets with their contents, only these or only the brackets",
    .source = "C-Reduce, balanced; Shrink Ray, hollow, debracket, lift_braces",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .offer = offer_brackets,
};

/* --- joints: merge groups ---------------------------------------------------------------- */

enum { MOST_NEXT = 2, MERGES_MOST_LEXEMES = 20000 };

/* Whether a paired group begins at lexeme `i`. */
static bool opens(const pare_pass_view *view, size_t i)
{
    const pare_lexeme *lexeme = &view->lexemes.at[i];
    return lexeme->kind == PARE_LEXEME_OPEN && lexeme->partner != PARE_NO_LEXEME;
}

/* The group at `open` with the next ones of its kind. */
static pare_status offer_merge(const pare_pass_view *view, size_t open, pare_patches *out,
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
            status = pare_pass_offer_cut(out, (pare_extent){at[close].from, at[i].to},
                                         PARE_NO_PATCH, NULL, err);
            n++;
        }
        i = at[i].partner;
    }
    return status;
}

/* joints: two neighbouring bracket groups become one: from the first one's end to the second
 * one's beginning all goes.
 *
 * So the bodies of two functions become one body, `if (a) {b;} else {c;}` becomes `if (a)
 * {b;c;}`, and `f(a)(b)` becomes `f(ab)`.  The text stays balanced, which few of all runs of
 * tokens leave it: those that do in this way are tried for themselves, each group with the next
 * ones of its kind on the same level.
 * Source: C-Reduce's clex passes rm-toks-N, of which this is a part, for any distance. */
static pare_status offer_merges(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    out->spaced = true;
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++)
        if (opens(view, i)) status = offer_merge(view, i, out, err);
    return status;
}

const pare_pass pare_pass_merge_groups = {
    .name = "joints",
    .summary = "joins two neighbouring bracket groups and removes the text between them",
    .source = "C-Reduce, rm-toks, where brackets stay balanced",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = MERGES_MOST_LEXEMES,
    .offer = offer_merges,
};

/* --- lift -------------------------------------------------------------------------------- */

enum { LIFTS_MOST_LEXEMES = 20000, MOST_ELEMENTS = 8 };

/* Whether lexeme `i` ends a label: what follows it is the value. */
static bool is_label(const pare_pass_view *view, size_t i)
{
    return pare_pass_lexeme_is(view, i, ":") || pare_pass_lexeme_is(view, i, "=");
}

/* Offers to replace all of `all` by what follows the element's label. */
static pare_status offer_value(const pare_pass_view *view, pare_extent all, pare_lexeme_run element,
                               pare_patches *out, pare_error *err)
{
    for (size_t i = element.first; i < element.last && i < element.first + 4; i++)
        if (is_label(view, i))
            return pare_terms_offer_keep(view, all, (pare_lexeme_run){i + 1, element.last},
                                         PARE_NO_PATCH, out, err);
    return PARE_OK;
}

/* All that stands in the group, then each of its first elements, in the place of `all`.
 * (That a group alone loses its brackets is for the pass `brackets`.) */
static pare_status offer_place(const pare_pass_view *view, size_t open, pare_lexeme_run all,
                               pare_patches *out, pare_error *err)
{
    pare_extent place = pare_terms_extent(view, all);
    size_t at = open, close = view->lexemes.at[open].partner;
    pare_lexeme_run content = {open + 1, close - 1}, element;
    pare_status status = PARE_OK;
    /* Only if the place is larger than the group, since otherwise it is the offer of the group
     * without its brackets. */
    if (all.first < open || all.last > close)
        status = pare_terms_offer_keep(view, place, content, PARE_NO_PATCH, out, err);
    for (size_t n = 0; !status && n < MOST_ELEMENTS; n++) {
        if (!pare_terms_next_element(view, open, &at, &element)) break;
        bool whole = element.first == content.first && element.last == content.last;
        if (!whole) status = pare_terms_offer_keep(view, place, element, PARE_NO_PATCH, out, err);
        if (!status) status = offer_value(view, place, element, out, err);
    }
    return status;
}

/* Whether both are the same lexemes. */
static bool is_same(pare_lexeme_run a, pare_lexeme_run b)
{
    return a.first == b.first && a.last == b.last;
}

/* Offers what is in the group as a statement, in the place of a whole statement with a block:
 * `if (a) {b;}` becomes `a;`. */
static pare_status offer_statement(const pare_pass_view *view, size_t open, pare_lexeme_run term,
                                   pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    const size_t close = at[open].partner, block = close + 1;
    if (block >= view->lexemes.n || at[block].partner == PARE_NO_LEXEME) return PARE_OK;
    if (!pare_pass_lexeme_is(view, open, "(") || !pare_pass_lexeme_is(view, block, "{"))
        return PARE_OK;
    pare_status status = pare_patches_change(out, at[term.first].from, at[open].to, NULL, 0, err);
    if (!status)
        status = pare_patches_change(out, at[close].from, at[at[block].partner].to, ";", 1, err);
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, NULL, err);
}

/* The places that an element of the group may take: from the term outwards. */
static pare_status offer_lift(const pare_pass_view *view, size_t open, pare_patches *out,
                              pare_error *err)
{
    size_t close = view->lexemes.at[open].partner;
    pare_lexeme_run term, tail;
    if (!pare_terms_before(view, close, &term)) term = (pare_lexeme_run){open, close};
    if (!pare_terms_after(view, open, &tail)) tail = (pare_lexeme_run){open, close};
    pare_lexeme_run before = pare_terms_stretch_before(view, close),
                    after = pare_terms_stretch_after(view, open);
    const pare_lexeme_run places[] = {term, /* of a call: not its brackets alone */
                                      {term.first, tail.last},
                                      {before.first, tail.last},
                                      {before.first, after.last}};
    enum { N_PLACES = sizeof places / sizeof *places };
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < N_PLACES; k++) {
        /* Places often coincide: a group that stands alone is its own term and stretch. */
        bool seen = false;
        for (size_t j = 0; j < k; j++)
            seen = seen || is_same(places[j], places[k]);
        if (!seen) status = offer_place(view, open, places[k], out, err);
    }
    if (!status) status = offer_statement(view, open, term, out, err);
    return status;
}

/* lift: an element of a bracket group takes the place of the group, of the term that the group
 * hangs on, of what hangs on the group, or of the whole stretch.
 *
 * So a call becomes one of its arguments, `while (..) { a; b; }` becomes `a`, `[f(x)][0]`
 * becomes `f(x)`, and `{k: v}.k` becomes `v`: an element is also taken without its label, the
 * part up to its first `:` or `=`.
 * Source: C-Reduce's simplify-callexpr and replace-callexpr, Shrink Ray's lift_braces,
 * treereduce and Perses (a node by a descendant), for text without a grammar. */
static pare_status offer_lifts(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    out->spaced = true;
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        if (at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME && at->partner > i + 1)
            status = offer_lift(view, i, out, err);
    }
    return status;
}

const pare_pass pare_pass_lift = {
    .name = "lift",
    .summary = "replaces a construct by the contents of its brackets",
    .source = "C-Reduce, simplify-callexpr; Shrink Ray, lift_braces; Perses",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = LIFTS_MOST_LEXEMES,
    .offer = offer_lifts,
};
