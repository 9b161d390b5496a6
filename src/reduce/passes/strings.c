/* strings: each becomes empty, else loses its quotes, else becomes 0 or another string of the
 * text that is simpler; what stands between its quotes is halved down to single bytes, and
 * its bytes become `0`.
 *
 * Source: C-Reduce's clex delete-string and shorten-string, Shrink Ray's hollow and merge
 * of strings (tree-reducers §5.2, list-reducers §1.3).  Deviation: all strings are emptied at
 * once first. */
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/passes/vocabulary.h"
#include "text/patch.h"

enum { LONGEST = 4096, MOST_OTHERS = 8 };

/* Bytes from .. to-1 inside the quotes go, else one half of them, else the other. */
static pare_status offer_halves(pare_extent part, uint32_t parent, pare_patches *out,
                                pare_error *err)
{
    uint32_t index = PARE_NO_PATCH;
    pare_status status = pare_offer_cut(out, part, parent, &index, err);
    size_t size = part.to - part.from;
    if (status || size < 2) return status;
    size_t middle = part.from + size / 2;
    status = offer_halves((pare_extent){part.from, middle}, index, out, err);
    return status ? status : offer_halves((pare_extent){middle, part.to}, index, out, err);
}

/* The first strings of the text that are simpler, in its place. */
static pare_status offer_others(const pare_pass_view *view, size_t i, uint32_t parent,
                                const pare_vocabulary *strings, pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = view->lexemes.at;
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < strings->n && k < MOST_OTHERS; k++) {
        uint32_t other = strings->items[k].first;
        const unsigned char *text = view->bytes + at[other].from;
        if (pare_is_simpler(text, pare_lexeme_size(view, other), view->bytes + at[i].from,
                            pare_lexeme_size(view, i)))
            status = pare_offer_text(out, (pare_extent){at[i].from, at[i].to}, text,
                                     pare_lexeme_size(view, other), parent, NULL, err);
    }
    return status;
}

/* Each byte above `0` becomes that; not what escapes a quote, which would end the string. */
static pare_status offer_zeros(const pare_pass_view *view, pare_extent inside, uint32_t parent,
                               pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t at = inside.from; !status && at < inside.to; at++)
        if (view->bytes[at] > '0' && view->bytes[at] < 0x80 && view->bytes[at] != '\\')
            status = pare_offer_text(out, (pare_extent){at, at + 1}, "0", 1, parent, NULL, err);
    return status;
}

static pare_status offer_string(const pare_pass_view *view, size_t i,
                                const pare_vocabulary *strings, pare_patches *out, pare_error *err)
{
    const pare_lexeme *at = &view->lexemes.at[i];
    pare_extent all = {at->from, at->to}, inside = {at->from + 1, at->to - 1};
    uint32_t empty = PARE_NO_PATCH;
    size_t size = inside.to - inside.from;
    if (!size) return pare_offer_text(out, all, "0", 1, PARE_NO_PATCH, NULL, err);
    pare_status status = pare_offer_cut(out, inside, PARE_NO_PATCH, &empty, err);
    if (!status) status = pare_offer_text(out, all, "0", 1, empty, NULL, err);
    if (!status)
        status = pare_offer_text(out, all, view->bytes + inside.from, size, empty, NULL, err);
    if (!status) status = offer_others(view, i, empty, strings, out, err);
    if (status || size < 2 || size > LONGEST)
        return status ? status : offer_zeros(view, inside, empty, out, err);
    size_t middle = inside.from + size / 2;
    status = offer_halves((pare_extent){inside.from, middle}, empty, out, err);
    if (!status) status = offer_halves((pare_extent){middle, inside.to}, empty, out, err);
    return status ? status : offer_zeros(view, inside, empty, out, err);
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_vocabulary strings = {0};
    (void)pass;
    pare_status status = PARE_OK;
    if (!pare_view_has_lone_quote(view)) status = pare_vocabulary_strings(view, &strings, err);
    for (size_t i = 0; !status && i < view->lexemes.n; i++)
        if (view->lexemes.at[i].kind == PARE_LEXEME_STRING)
            status = offer_string(view, i, &strings, out, err);
    pare_vocabulary_done(&strings);
    return status;
}

const pare_pass pare_pass_strings = {
    .name = "strings",
    .summary = "empties strings, takes their quotes off, shortens them, makes them 0",
    .source = "C-Reduce, delete-string; Shrink Ray, hollow",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .offer = offer,
};
