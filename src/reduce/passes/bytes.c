/* byte-windows: each run of 6, 5, .. 1 neighbouring bytes goes, in small files; the rear ones
 * first.  In tokens that is what their own rules allow and more: `1e9` to `19`, `a.b` in a
 * regular expression to `a`.
 * * byte-values: in binary files every byte of one value that is not printed becomes `0`, or one of
 * them alone.
 *
 * Source: Shrink Ray's short_deletions, lower_bytes and lower_individual_bytes, afl-tmin's
 * alphabet minimisation (list-reducers §1.3, §1.7). */
#include <stdint.h>

#include "reduce/passes/edits.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "text/patch.h"

enum { WIDEST = 6, MOST_BYTES = 256, MOST_BINARY_BYTES = 65536 };

static pare_status offer_windows(const pare_pass *pass, const pare_pass_view *view,
                                 pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    for (size_t width = WIDEST; !status && width; width--)
        for (size_t to = view->end; !status && to >= view->begin + width; to--)
            status = pare_offer_cut(out, (pare_extent){to - width, to}, PARE_NO_PATCH, NULL, err);
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
    .most_bytes = MOST_BYTES,
    .offer = offer_windows,
};

/* ---- values ----------------------------------------------------------------------- */

/* White space too: it separates.  Where a printed byte changed, tokens could become more. */
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
            status = pare_offer_text(out, (pare_extent){at, at + 1}, "0", 1, all, NULL, err);
    return status;
}

static pare_status offer_values(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    (void)pass;
    if (!pare_view_is_binary(view)) return PARE_OK;
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
