/* The passes that leave out a few neighbours: token-windows, token-patterns, between-equals,
 * byte-windows; and byte-values, which lowers bytes of binary files.
 *
 * They know nothing about what they cut, and find what everything else misses; so they come
 * late and only for small files, where exhaustive search is cheap.  Each lists its patches in
 * the order that pays most, large cuts first or the rear ones first, and leaves the rest to the
 * engine's pool.
 * Invariant: no pass offers the same cut twice: windows differ in width or place, patterns in
 * what they keep as well; both ends of a pattern go.
 * Source: Vulcan's local exhaustive patterns, C-Reduce's clex rm-tok-pattern, Shrink Ray's byte
 * passes, afl-tmin's alphabet minimisation.
 * Cost in tests: at most 7 a token for windows of tokens, 6 for patterns, 4 a byte for windows of
 * bytes, one for each pair of equal neighbours. */
#include <assert.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/seams.h"
#include "text/patch.h"

/* --- token-windows ----------------------------------------------------------------------- */

enum { WIDEST_TOKENS = 8, WINDOWS_MOST_LEXEMES = 160 };

/* Whether the window has each of its brackets' partners in it; one without a partner may go. */
static bool is_balanced(const pare_pass_view *view, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++) {
        const uint32_t partner = view->lexemes.at[i].partner;
        if (partner != PARE_NO_LEXEME && (partner < first || partner > last)) return false;
    }
    return true;
}

/* Whether what is left of the window's neighbours stood side by side before. */
static bool leaves_seen_seam(const pare_pass_view *view, const pare_seams *seams, size_t first,
                             size_t last)
{
    return pare_seams_has(seams, &view->lexemes, view->bytes, first ? first - 1 : PARE_NO_LEXEME,
                          last + 1);
}

/* The runs of `width` tokens, the rear ones first, that leave a seam that was seen, or none that
 * was. */
static pare_status offer_width(const pare_pass_view *view, const pare_seams *seams, size_t width,
                               bool seen, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t end = view->lexemes.n; !status && end >= width; end--) {
        const size_t first = end - width, last = end - 1;
        if (!is_balanced(view, first, last)) continue;
        if (leaves_seen_seam(view, seams, first, last) != seen) continue;
        status =
            pare_pass_offer_cut(out, pare_pass_extent(view, first, last), PARE_NO_PATCH, NULL, err);
    }
    return status;
}

/* token-windows: each run of 2 to 8 neighbouring tokens goes, wherever lines end: `is begin end` of
 * a body, the end of one block with the head of the next.  Lists, which cut at fixed places and grow
 * from what goes by itself, meet these by chance only.  Where there is a tree they are nodes.
 * First come those after whose neighbours a token may follow as it did in the input, or does in what
 * is left, which fails; they are a part in four or so, and most of what goes.  Brackets stay pairs.
 * Source: Perses' token slicers and C-Reduce's clex rm-toks; the order by seams is ours. */
static pare_status offer_token_windows(const pare_pass *pass, const pare_pass_view *view,
                                       pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    if (view->tree || !view->seams) return PARE_OK;
    pare_seams *seams = pare_alloc(1, sizeof *seams);
    if (!seams) return pare_fail_nomem(err);
    *seams = *view->seams;
    pare_seams_learn_pairs(seams, &view->lexemes, view->bytes);
    out->spaced = true;
    for (size_t width = 2; !status && width <= WIDEST_TOKENS; width++)
        status = offer_width(view, seams, width, true, out, err);
    for (size_t width = 2; !status && width <= WIDEST_TOKENS; width++)
        status = offer_width(view, seams, width, false, out, err);
    pare_alloc_free(seams);
    return status;
}

const pare_pass pare_pass_token_windows = {
    .name = "token-windows",
    .summary = "removes 2 to 8 neighbouring tokens, across lines, if no tree is known",
    .source = "Perses, token slicers; C-Reduce, rm-toks; by the pairs of tokens in the input",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = WINDOWS_MOST_LEXEMES,
    .offer = offer_token_windows,
};

/* --- token-patterns ---------------------------------------------------------------------- */

enum { WIDEST_PATTERN = 5, PATTERNS_MOST_LEXEMES = 2000 };

/* `width` tokens at `first` go, but for the one at `kept`, which is neither end. */
static pare_status offer_pattern(const pare_pass_view *view, size_t first, size_t width,
                                 size_t kept, pare_patches *out, pare_error *err)
{
    assert(first < kept && kept < first + width - 1);
    pare_extent left = pare_pass_extent(view, first, kept - 1);
    pare_extent right = pare_pass_extent(view, kept + 1, first + width - 1);
    pare_status status = pare_patches_change(out, left.from, left.to, NULL, 0, err);
    if (!status) status = pare_patches_change(out, right.from, right.to, NULL, 0, err);
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, NULL, err);
}

/* token-patterns: each run of 5, 4, 3 neighbouring tokens goes, but for one between its ends; the
 * rear runs first.  Runs as a whole are what lists try.
 * It earns where a declaration and a use become one statement: `a = 0 - 0; z = 0;` to `a = 0 - z;`,
 * in 6 of 1,707 generated cases, for 16 tests a case; elsewhere it only shows that nothing of the
 * kind is left (docs/lab/passes.md).
 * Source: Vulcan's local exhaustive patterns (windows of 4 nodes, 2 to 4 of them deleted) and
 * C-Reduce's clex rm-tok-pattern-4 and -8.  Deviation: of all choices only those that keep one
 * token; the others took more than half as many tests again and found nothing more. */
static pare_status offer_patterns(const pare_pass *pass, const pare_pass_view *view,
                                  pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    out->spaced = true;
    for (size_t width = WIDEST_PATTERN; width >= 3; width--)
        for (size_t end = view->lexemes.n; !status && end >= width; end--)
            for (size_t kept = end - 2; !status && kept > end - width; kept--)
                status = offer_pattern(view, end - width, width, kept, out, err);
    return status;
}

const pare_pass pare_pass_token_patterns = {
    .name = "token-patterns",
    .summary = "removes 3 to 5 neighbouring tokens, except for one between the ends",
    .source = "Vulcan, local exhaustive patterns; C-Reduce, rm-tok-pattern",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = PATTERNS_MOST_LEXEMES,
    .offer = offer_patterns,
};

/* --- between-equals: delete up to the next equal one -------------------------------------- */

enum { EQUALS_MOST_LEXEMES = 20000 };

/* between-equals: all from one token up to the next one of the same bytes goes.  What comes
 * between two equal tokens is often a whole of its kind: an element with its comma, a statement
 * with its first word, a round of a loop that was written out.
 * Source: Shrink Ray's lexeme_based_deletions.  Deviation: tokens in place
 * of repeated runs of any length. */
static pare_status offer_to_equal_tokens(const pare_pass *pass, const pare_pass_view *view,
                                         pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    pare_status status = PARE_OK;
    (void)pass;
    out->spaced = true;
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++)
        if (at[i].next != PARE_NO_LEXEME)
            status = pare_pass_offer_cut(out, (pare_extent){at[i].from, at[at[i].next].from},
                                         PARE_NO_PATCH, NULL, err);
    return status;
}

const pare_pass pare_pass_delete_to_equal_token = {
    .name = "between-equals",
    .summary = "removes everything from a token up to the next equal token",
    .source = "Shrink Ray, lexeme_based_deletions",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = EQUALS_MOST_LEXEMES,
    .offer = offer_to_equal_tokens,
};

/* --- byte-windows and byte-values -------------------------------------------------------- */

enum { WIDEST_BYTES = 4, WINDOWS_MOST_BYTES = 128, MOST_BINARY_BYTES = 65536 };

/* byte-windows: each run of 4, 3, 2, 1 neighbouring bytes goes, in small files; the rear ones
 * first.  Passes that leave out tokens keep their neighbours apart; here they become one.
 * It earns where an operator goes with the blanks beside it, `5 * 8` to `58`: in 30 of 600
 * generated cases, for 16 tests a case.  Width 3 is enough for all of these, and 4 for an operator
 * of two bytes; 5 and 6, and larger files, found nothing (docs/lab/passes.md).
 * Source: Shrink Ray's short_deletions. */
static pare_status offer_byte_windows(const pare_pass *pass, const pare_pass_view *view,
                                      pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    for (size_t width = WIDEST_BYTES; !status && width; width--)
        for (size_t to = view->end; !status && to >= view->begin + width; to--)
            status =
                pare_pass_offer_cut(out, (pare_extent){to - width, to}, PARE_NO_PATCH, NULL, err);
    return status;
}

const pare_pass pare_pass_byte_windows = {
    .name = "byte-windows",
    .summary = "removes 4 down to 1 neighbouring bytes",
    .source = "Shrink Ray, short_deletions",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_bytes = WINDOWS_MOST_BYTES,
    .any_bytes = true,
    .offer = offer_byte_windows,
};

/* Whether a text may have the byte, white space among them: it separates.  Where such a byte
 * changed, tokens could become more. */
static bool is_printed(unsigned char byte)
{
    return (byte >= '\t' && byte <= '\r') || (byte >= ' ' && byte < 0x7f);
}

/* All bytes of the value at once, else one by one. */
static pare_status offer_value(const pare_pass_view *view, unsigned char value, pare_patches *out,
                               pare_error *err)
{
    uint32_t all = PARE_NO_PATCH;
    pare_status status = PARE_OK;
    for (size_t at = view->begin; !status && at < view->end; at++)
        if (view->bytes[at] == value) status = pare_patches_change(out, at, at + 1, "0", 1, err);
    if (!status) status = pare_patches_end(out, PARE_NO_PATCH, &all, err);
    for (size_t at = view->begin; !status && at < view->end && all != PARE_NO_PATCH; at++)
        if (view->bytes[at] == value)
            status = pare_pass_offer_text(out, (pare_pass_text){(pare_extent){at, at + 1}, "0", 1},
                                          all, NULL, err);
    return status;
}

/* byte-values: in binary files every byte of one value that is not printed becomes `0`, or one
 * of them alone.
 * Source: Shrink Ray's lower_bytes and lower_individual_bytes, afl-tmin's alphabet minimisation. */
static pare_status offer_values(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    if (!pare_pass_is_binary(view)) return PARE_OK;
    for (unsigned value = 0; !status && value <= UINT8_MAX; value++)
        if (!is_printed((unsigned char)value))
            status = offer_value(view, (unsigned char)value, out, err);
    return status;
}

const pare_pass pare_pass_byte_values = {
    .name = "byte-values",
    .summary = "sets bytes of binary files to 0",
    .source = "afl-tmin, alphabet; Shrink Ray, lower_bytes",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SMALLER,
    .most_bytes = MOST_BINARY_BYTES,
    .any_bytes = true,
    .offer = offer_values,
};
