/* The pass over chains: operands that one operator joins, `a + b + c`, `x | y | z`, `p.q().r()`.
 *
 * Commas and brackets make lists that are cut where they say so.  Which sign joins the parts of a list
 * otherwise, the text shows: one that stands several times beside itself on one level of brackets.  Each
 * sign goes with the operand after it, all of them in one test if may be, else halves of them.
 * A chain ends with its line, unless the line ends or the next one begins with its sign.
 * Invariant: no two patches overlap.
 * Cost: one pass for each kind of sign in a stretch; tests: O(k log n) for k of n operands that stay.
 * Source: ours; a sum of 200 terms cost a test for each token before. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/terms.h"
#include "text/patch.h"

/* Fewer signs than that are left to the passes that try each token; where chains are a small
 * part of the text, so is what can be saved. */
enum {
    LEAST_SIGNS = 4,
    LEAST_SHARE = 16, /* of the text: one byte in so many must stand in chains */
    MOST_BYTES = 1 << 22
};

/* The chains that were found. */
struct chains {
    const pare_pass_view *view;
    unsigned char *seen; /* owned; of each lexeme: a sign of a chain that was looked at */
    pare_extent *links;  /* owned; what may go */
    size_t n, capacity;
    size_t bytes; /* of all links */
};

/* Whether both are the same bytes. */
static bool is_same(const pare_pass_view *view, pare_lexeme_run a, pare_lexeme_run b)
{
    const pare_extent x = pare_terms_extent(view, a), y = pare_terms_extent(view, b);
    return x.to - x.from == y.to - y.from &&
           memcmp(view->bytes + x.from, view->bytes + y.from, x.to - x.from) == 0;
}

/* A walk along a chain. */
struct walk {
    pare_lexeme_run sign; /* the last one met */
    size_t at;            /* the next lexeme */
};

/* Goes on to the next sign like the last one; false: the chain has ended, before lexeme walk->at. */
static bool next_sign(const pare_pass_view *view, struct walk *walk)
{
    const pare_lexemes *lexemes = &view->lexemes;
    while (walk->at < lexemes->n) {
        const pare_lexeme *lexeme = &lexemes->at[walk->at];
        pare_lexeme_run signs;
        const bool is_sign = pare_terms_signs(view, walk->at, &signs);
        const bool is_like = is_sign && is_same(view, walk->sign, signs);
        /* A line that begins with something else ends the chain, unless the sign stood at the
         * end of the line before. */
        if (walk->at > walk->sign.last + 1 && !is_like && pare_pass_starts_line(view, walk->at))
            return false;
        if (is_like) {
            *walk = (struct walk){.sign = signs, .at = signs.last + 1};
            return true;
        }
        if (lexeme->kind == PARE_LEXEME_CLOSE || pare_pass_lexeme_is(view, walk->at, ",") ||
            pare_pass_lexeme_is(view, walk->at, ";"))
            return false;
        /* How far a bracket without a partner reaches is not known. */
        if (lexeme->kind == PARE_LEXEME_OPEN && lexeme->partner == PARE_NO_LEXEME) return false;
        walk->at = is_sign                            ? signs.last + 1
                   : lexeme->kind == PARE_LEXEME_OPEN ? lexeme->partner + 1
                                                      : walk->at + 1;
    }
    return false;
}

/* Adds lexemes first .. last to what may go.  Errors: PARE_E_NOMEM. */
static pare_status add_link(struct chains *chains, size_t first, size_t last, pare_error *err)
{
    pare_extent *links =
        pare_vector_grow(chains->links, chains->n, &chains->capacity, sizeof *links);
    if (!links) return pare_fail_nomem(err);
    chains->links = links;
    links[chains->n] = pare_pass_extent(chains->view, first, last);
    chains->bytes += links[chains->n].to - links[chains->n].from;
    chains->n++;
    return PARE_OK;
}

/* Follows the chain that the signs begin; its links are added if there are enough.
 * Errors: PARE_E_NOMEM. Signs of chains that are too short are noted as seen, too, and are not
 * followed again. */
static pare_status follow(struct chains *chains, pare_lexeme_run signs, pare_error *err)
{
    const size_t before = chains->n, bytes = chains->bytes;
    struct walk walk = {.sign = signs, .at = signs.last + 1};
    size_t longest = 0;
    pare_status status = PARE_OK;
    for (bool more = true; !status && more;) {
        const size_t first = walk.sign.first, last = walk.sign.last;
        chains->seen[first] = 1;
        more = next_sign(chains->view, &walk);
        const size_t end = more ? walk.sign.first : walk.at;
        if (more && end - first > longest) longest = end - first;
        /* A sign that nothing follows joins nothing; where no sign ends the last operand, it may be that
         * something else has begun. */
        if (end > last + 1 && end - first <= longest)
            status = add_link(chains, first, end - 1, err);
    }
    if (status || chains->n - before >= LEAST_SIGNS) return status;
    chains->n = before;
    chains->bytes = bytes;
    return PARE_OK;
}

/* Follows each sign that was not seen in another chain. The chains in the operands of one begin
 * at signs of their own, so the links of both are found. Errors: PARE_E_NOMEM. */
static pare_status find_chains(struct chains *chains, pare_error *err)
{
    const pare_lexemes *lexemes = &chains->view->lexemes;
    pare_status status = PARE_OK;
    chains->seen = pare_alloc_zero(lexemes->n, 1);
    if (!chains->seen) return pare_fail_nomem(err);
    for (size_t i = 0; !status && i < lexemes->n && !pare_interrupt_asked_at(i); i++) {
        pare_lexeme_run signs;
        if (!pare_terms_signs(chains->view, i, &signs)) continue;
        if (!chains->seen[i]) status = follow(chains, signs, err);
        i = signs.last;
    }
    return status;
}

/* For qsort: by place. */
static int by_place(const void *a, const void *b)
{
    const pare_extent *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* chains: a sign goes with the operand after it, where the same sign joins several.  Of chains in each
 * other's operands the outer ones are offered. */
static pare_status offer_chains(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    struct chains chains = {.view = view};
    (void)pass;
    out->spaced = true;
    pare_status status = pare_pass_is_binary(view) ? PARE_OK : find_chains(&chains, err);
    if (!status && chains.n && chains.bytes * LEAST_SHARE >= view->end - view->begin) {
        size_t end = view->begin;
        qsort(chains.links, chains.n, sizeof *chains.links, by_place);
        for (size_t i = 0; !status && i < chains.n; i++) {
            pare_extent link = chains.links[i];
            if (link.to <= end) continue;
            if (link.from < end) link.from = end; /* a blank that both would take */
            status = pare_pass_offer_cut(out, link, PARE_NO_PATCH, NULL, err);
            end = link.to;
        }
    }
    pare_alloc_free(chains.links);
    pare_alloc_free(chains.seen);
    return status;
}

const pare_pass pare_pass_chains = {
    .name = "chains",
    .summary = "removes operands that are joined by one operator: a + b + c, x | y | z",
    .source = "ours; by halving, as Zeller and Hildebrandt's ddmin",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .most_bytes = MOST_BYTES,
    .offer = offer_chains,
};
