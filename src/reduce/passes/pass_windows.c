/* The passes that leave out a few neighbours: token-windows, token-patterns, between-equals,
 * between-bytes, byte-windows; and byte-values, which lowers bytes of binary files.
 *
 * They know nothing about what they cut, and find what everything else misses; so they come
 * late and only for small files, where exhaustive search is cheap.  Each lists its patches in
 * the order that pays most, large cuts first or the rear ones first, and leaves the rest to the
 * engine's pool.
 * Invariant: no pass offers the same cut twice: windows differ in width or place, a pattern
 * begins with a token that goes.
 * Source: Perses' token slicers, Vulcan's local exhaustive patterns, C-Reduce's clex rm-toks
 * and rm-tok-pattern, Shrink Ray's byte passes, afl-tmin's alphabet minimisation.
 * Cost in tests: widths * tokens; patterns * tokens (11 to 26 a token); one for each pair of
 * equal neighbours. */
#include <assert.h>
#include <stdint.h>

#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* --- token-windows ----------------------------------------------------------------------- */

enum { WIDEST_TOKENS = 14, WINDOWS_MOST_LEXEMES = 2000 };

/* All runs of `width` tokens, the rear ones first. */
static pare_status offer_width(const pare_pass_view *view, size_t width, pare_patches *out,
                               pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t end = view->lexemes.n; !status && end >= width; end--)
        status = pare_pass_offer_cut(out, pare_pass_extent(view, end - width, end - 1),
                                     PARE_NO_PATCH, NULL, err);
    return status;
}

/* token-windows: each run of 14, 13, .. 1 neighbouring tokens goes.  Unlike a list algorithm,
 * which tests units that are aligned somehow, it misses no run of at most 14 tokens.
 * Source: Perses's token slicers, and C-Reduce's clex rm-toks-N.  Both go
 * over the text once a width; here all widths are one list. */
static pare_status offer_token_windows(const pare_pass *pass, const pare_pass_view *view,
                                       pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    out->spaced = true;
    for (size_t width = WIDEST_TOKENS; !status && width; width--)
        status = offer_width(view, width, out, err);
    return status;
}

const pare_pass pare_pass_token_windows = {
    .name = "token-windows",
    .summary = "leaves out 14 down to 1 neighbouring tokens",
    .source = "Perses, token slicers; C-Reduce, rm-toks",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = WINDOWS_MOST_LEXEMES,
    .offer = offer_token_windows,
};

/* --- token-patterns ---------------------------------------------------------------------- */

/* Windows by the number of tokens; a window has 2^(width-1) - width patches at most. */
static const struct {
    size_t most_lexemes;
    unsigned width;
} WIDTHS[] = {{60, 6}, {200, 5}, {2000, 4}};

enum { N_WIDTHS = sizeof WIDTHS / sizeof *WIDTHS, PATTERNS_MOST_LEXEMES = 2000 };

/* How many bits are set. */
static unsigned count_bits(unsigned mask)
{
    unsigned n = 0;
    for (; mask; mask &= mask - 1)
        n++;
    return n;
}

/* Whether the bits of `mask`, the lowest of which is bit 0, are one run. */
static bool is_run(unsigned mask)
{
    return (mask & (mask + 1)) == 0;
}

/* The number of the highest bit that is set. */
static unsigned last_bit(unsigned mask)
{
    unsigned last = 0;
    while (mask >> (last + 1))
        last++;
    return last;
}

/* Leaves out the tokens at `first` whose bits are set.
 * Neighbours that go are one cut, so that what is between them goes, too. */
static pare_status offer_mask(const pare_pass_view *view, size_t first, unsigned mask,
                              pare_patches *out, pare_error *err)
{
    assert(mask & 1); /* no choice is offered twice */
    pare_status status = PARE_OK;
    for (unsigned from = 0; !status && mask >> from;) {
        unsigned to = from;
        while (mask >> to & 1)
            to++;
        if (to > from) {
            pare_extent cut = pare_pass_extent(view, first + from, first + to - 1);
            status = pare_patches_change(out, cut.from, cut.to, NULL, 0, err);
        }
        /* Past the run, or past a token that stays. */
        from = to + (to == from);
    }
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, NULL, err);
}

/* All patterns that leave out `n` tokens of a window, the rear windows first. */
static pare_status offer_count(const pare_pass_view *view, unsigned width, unsigned n,
                               pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t first = view->lexemes.n; first-- > 0;) {
        /* Odd masks only: the first token of a window goes. 5 is the lowest that is not one run. */
        for (unsigned mask = 5; !status && mask < 1u << width; mask += 2)
            if (count_bits(mask) == n && !is_run(mask) && first + last_bit(mask) < view->lexemes.n)
                status = offer_mask(view, first, mask, out, err);
        if (status) return status;
    }
    return PARE_OK;
}

/* token-patterns: within each window of a few tokens, every choice of some to leave out that is
 * not one run (those are token-windows'); what keeps least first.  A window begins with a token
 * that goes, so that no choice is offered twice.
 * Source: Vulcan's local exhaustive patterns (windows of 4 nodes, 2 to 4 of them deleted) and
 * C-Reduce's clex rm-tok-pattern-4 and -8.  Deviation: the window is
 * as wide as the number of tokens allows. */
static pare_status offer_patterns(const pare_pass *pass, const pare_pass_view *view,
                                  pare_patches *out, pare_error *err)
{
    size_t k = 0;
    (void)pass;
    while (k + 1 < N_WIDTHS && view->lexemes.n > WIDTHS[k].most_lexemes)
        k++;
    pare_status status = PARE_OK;
    out->spaced = true;
    for (unsigned n = WIDTHS[k].width - 1; !status && n >= 2; n--)
        status = offer_count(view, WIDTHS[k].width, n, out, err);
    return status;
}

const pare_pass pare_pass_token_patterns = {
    .name = "token-patterns",
    .summary = "leaves out some of a few neighbouring tokens, each choice of them",
    .source = "Vulcan, local exhaustive patterns; C-Reduce, rm-tok-pattern",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = PATTERNS_MOST_LEXEMES,
    .offer = offer_patterns,
};

/* --- between-equals and between-bytes: delete up to the next equal one ------------------- */

enum { EQUALS_MOST_LEXEMES = 20000, EQUALS_MOST_BYTES = 8192 };

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
    for (size_t i = 0; !status && i < view->lexemes.n; i++)
        if (at[i].next != PARE_NO_LEXEME)
            status = pare_pass_offer_cut(out, (pare_extent){at[i].from, at[at[i].next].from},
                                         PARE_NO_PATCH, NULL, err);
    return status;
}

const pare_pass pare_pass_delete_to_equal_token = {
    .name = "between-equals",
    .summary = "leaves out all from a token up to the next one of the same bytes",
    .source = "Shrink Ray, lexeme_based_deletions",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = EQUALS_MOST_LEXEMES,
    .offer = offer_to_equal_tokens,
};

/* between-bytes: the same for bytes, in small files.
 * Source: Shrink Ray's delete_byte_spans. */
static pare_status offer_to_equal_bytes(const pare_pass *pass, const pare_pass_view *view,
                                        pare_patches *out, pare_error *err)
{
    /* Where each byte was seen last; SIZE_MAX: not yet. */
    size_t last[UINT8_MAX + 1];
    pare_status status = PARE_OK;
    (void)pass;
    for (size_t k = 0; k <= UINT8_MAX; k++)
        last[k] = SIZE_MAX;
    for (size_t at = view->begin; !status && at < view->end; at++) {
        size_t *before = &last[view->bytes[at]];
        if (*before != SIZE_MAX)
            status = pare_pass_offer_cut(out, (pare_extent){*before, at}, PARE_NO_PATCH, NULL, err);
        *before = at;
    }
    return status;
}

const pare_pass pare_pass_delete_to_equal_byte = {
    .name = "between-bytes",
    .summary = "leaves out all from a byte up to the next equal one",
    .source = "Shrink Ray, delete_byte_spans",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_bytes = EQUALS_MOST_BYTES,
    .offer = offer_to_equal_bytes,
};

/* --- byte-windows and byte-values -------------------------------------------------------- */

enum { WIDEST_BYTES = 6, WINDOWS_MOST_BYTES = 256, MOST_BINARY_BYTES = 65536 };

/* byte-windows: each run of 6, 5, .. 1 neighbouring bytes goes, in small files; the rear ones
 * first.  In tokens that is what their own rules allow and more: `1e9` to `19`, `a.b` in a
 * regular expression to `a`.
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
    .summary = "leaves out 6 down to 1 neighbouring bytes",
    .source = "Shrink Ray, short_deletions",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_bytes = WINDOWS_MOST_BYTES,
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
    .summary = "makes bytes of binary files 0",
    .source = "afl-tmin, alphabet; Shrink Ray, lower_bytes",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SMALLER,
    .most_bytes = MOST_BINARY_BYTES,
    .offer = offer_values,
};
