/* token-patterns: within each window of a few tokens, every choice of some to leave out that
 * is not one run (those are token-windows'); what keeps least first.
 *
 * A window begins with a token that goes, so that no choice is offered twice.
 * Source: Vulcan's local exhaustive patterns (windows of 4 nodes, 2 to 4 of them deleted) and
 * C-Reduce's clex rm-tok-pattern-4 and -8 (tree-reducers §2.5, §5.2).  Deviation: the window
 * is as wide as the number of tokens allows. */
#include "reduce/passes/edits.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "text/patch.h"

/* Windows by the number of tokens; a window has 2^(width-1) - width patches at most. */
static const struct {
    size_t most_lexemes;
    unsigned width;
} WIDTHS[] = {{60, 6}, {200, 5}, {2000, 4}};

enum { N_WIDTHS = sizeof WIDTHS / sizeof *WIDTHS, MOST_LEXEMES = 2000 };

static unsigned count(unsigned mask)
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

static unsigned last_bit(unsigned mask)
{
    unsigned last = 0;
    while (mask >> (last + 1))
        last++;
    return last;
}

/* Leaves out the tokens at `first` whose bits are set. */
static pare_status offer_mask(const pare_pass_view *view, size_t first, unsigned mask,
                              pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (unsigned from = 0; !status && mask >> from;) {
        unsigned to = from;
        while (mask >> to & 1)
            to++;
        if (to > from) {
            pare_extent cut = pare_edit_lexemes(view, first + from, first + to - 1);
            status = pare_patches_change(out, cut.from, cut.to, NULL, 0, err);
        }
        from = to + (to == from);
    }
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, NULL, err);
}

static pare_status offer_count(const pare_pass_view *view, unsigned width, unsigned n,
                               pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t first = view->lexemes.n; first-- > 0;) {
        for (unsigned mask = 5; !status && mask < 1u << width; mask += 2)
            if (count(mask) == n && !is_run(mask) && first + last_bit(mask) < view->lexemes.n)
                status = offer_mask(view, first, mask, out, err);
        if (status) return status;
    }
    return PARE_OK;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
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

const pare_pass pare_pass_patterns = {
    .name = "token-patterns",
    .summary = "leaves out some of a few neighbouring tokens, each choice of them",
    .source = "Vulcan, local exhaustive patterns; C-Reduce, rm-tok-pattern",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
