/* white-space: between two tokens stands nothing, or one space where two words would touch;
 * else only a line end without blank lines, indentation and blanks before it.
 *
 * To be run last: line ends are what readers have, and what other passes cut along.
 * Source: C-Reduce's blank and indent, Shrink Ray's remove_whitespace and remove_indents. */
#include <string.h>

#include "reduce/passes/edits.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "text/patch.h"

static bool is_word(unsigned char byte)
{
    return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') ||
           byte == '_' || byte == '$' || byte >= 0x80;
}

/* Bytes from .. to-1 are white space between two tokens, or before the first or behind the
 * last one. */
static pare_status offer_gap(const pare_pass_view *view, pare_extent gap, pare_patches *out,
                             pare_error *err)
{
    uint32_t least = PARE_NO_PATCH;
    size_t size = gap.to - gap.from;
    if (!size) return PARE_OK;
    bool inner = gap.from > view->begin && gap.to < view->end;
    bool words = inner && is_word(view->bytes[gap.from - 1]) && is_word(view->bytes[gap.to]);
    bool breaks = memchr(view->bytes + gap.from, '\n', size) != NULL;
    if (words && size == 1) return PARE_OK;
    pare_status status = pare_offer_text(out, gap, " ", words ? 1 : 0, PARE_NO_PATCH, &least, err);
    if (status || size == 1) return status;
    if (!words) status = pare_offer_text(out, gap, " ", 1, least, NULL, err);
    if (!status && breaks) status = pare_offer_text(out, gap, "\n", 1, least, NULL, err);
    const unsigned char *last = memrchr(view->bytes + gap.from, '\n', size);
    if (!status && last) /* blank lines and blanks at the end go, indentation stays */
        status = pare_offer_cut(out, (pare_extent){gap.from, (size_t)(last - view->bytes)}, least,
                                NULL, err);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_status status = PARE_OK;
    size_t cursor = view->begin;
    (void)pass;
    for (size_t i = 0; !status && i < view->lexemes.n; i++) {
        status = offer_gap(view, (pare_extent){cursor, view->lexemes.at[i].from}, out, err);
        cursor = view->lexemes.at[i].to;
    }
    return status ? status : offer_gap(view, (pare_extent){cursor, view->end}, out, err);
}

const pare_pass pare_pass_space = {
    .name = "white-space",
    .summary = "leaves out white space, blank lines and indentation",
    .source = "C-Reduce, blank and indent; Shrink Ray, remove_whitespace",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};
