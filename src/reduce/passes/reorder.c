/* reorder: two neighbours change places if that puts the simpler one first: elements of a
 * bracket group, statements and lines of the file, operands beside one sign.
 *
 * Nothing gets shorter by it; but texts that differ in the order of their parts only come to
 * the same.  Neighbours only, so that a run of it sorts at most one step; it repeats.
 * Source: Shrink Ray's line_sorter, Hypothesis' reorder_spans (list-reducers §1.3, §2.7). */
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/passes/terms.h"
#include "text/order.h"
#include "text/patch.h"

enum { MOST_LEXEMES = 5000, LONGEST = 256 };

/* The byte at `at` of x, then the text between, then y. */
static unsigned char byte_of(const pare_pass_view *view, pare_extent x, pare_extent between,
                             pare_extent y, size_t at)
{
    const pare_extent parts[] = {x, between, y};
    size_t k = 0;
    while (k < 2 && at >= parts[k].to - parts[k].from)
        at -= parts[k].to - parts[k].from, k++;
    return view->bytes[parts[k].from + at];
}

/* Whether `first` and `second`, in this order in the text, are simpler the other way round. */
static bool is_simpler_swapped(const pare_pass_view *view, pare_extent first, pare_extent second)
{
    pare_extent between = {first.to, second.from};
    for (size_t at = 0; at < second.to - first.from; at++) {
        unsigned char before = byte_of(view, first, between, second, at);
        unsigned char after = byte_of(view, second, between, first, at);
        if (before != after) return pare_byte_rank(after) < pare_byte_rank(before);
    }
    return false;
}

/* Whether a token that comes to stand beside the byte at `at` could become part of another. */
static bool glues(const pare_pass_view *view, size_t at)
{
    unsigned char byte = at >= view->begin && at < view->end ? view->bytes[at] : ' ';
    bool word = (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
    return word || byte == '_' || byte == '.' || byte == '\\' || byte >= 0x80;
}

static pare_status offer_swap(const pare_pass_view *view, pare_run a, pare_run b, pare_patches *out,
                              pare_error *err)
{
    pare_extent first = pare_run_extent(view, a), second = pare_run_extent(view, b);
    if (second.to - first.from > LONGEST || !is_simpler_swapped(view, first, second) ||
        glues(view, first.from - 1) || glues(view, first.to) || glues(view, second.from - 1) ||
        glues(view, second.to))
        return PARE_OK;
    pare_status status = pare_patches_change(out, first.from, first.to, view->bytes + second.from,
                                             second.to - second.from, err);
    if (!status)
        status = pare_patches_change(out, second.from, second.to, view->bytes + first.from,
                                     first.to - first.from, err);
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, NULL, err);
}

static pare_status offer_group(const pare_pass_view *view, size_t open, pare_patches *out,
                               pare_error *err)
{
    size_t at = open;
    pare_run before, element;
    pare_status status = PARE_OK;
    if (!pare_next_element(view, open, &at, &before)) return PARE_OK;
    while (!status && pare_next_element(view, open, &at, &element)) {
        status = offer_swap(view, before, element, out, err);
        before = element;
    }
    return status;
}

/* Where the statement that begins with lexeme `first` ends, outside of brackets: before a `;`
 * or the next line.  *next is where another may begin. */
static pare_run statement_at(const pare_pass_view *view, size_t first, size_t *next)
{
    size_t n = view->lexemes.n, last = first;
    for (size_t i = first; i < n; i++) {
        if (i > first && pare_lexeme_starts_line(view, i)) break;
        if (pare_lexeme_is(view, i, ";")) break;
        const pare_lexeme *at = &view->lexemes.at[i];
        if (at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME) i = at->partner;
        last = i;
    }
    *next = last + 1;
    while (*next < n && pare_lexeme_is(view, *next, ";"))
        ++*next;
    return (pare_run){first, last};
}

static pare_status offer_statements(const pare_pass_view *view, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t next = 0;
    pare_run before = {0};
    for (size_t first = 0; !status && first < view->lexemes.n; first = next) {
        pare_run statement = statement_at(view, first, &next);
        if (first) status = offer_swap(view, before, statement, out, err);
        before = statement;
    }
    return status;
}

static pare_status offer_operands(const pare_pass_view *view, pare_run signs, pare_patches *out,
                                  pare_error *err)
{
    pare_run left, right;
    if (!signs.first || !pare_term_before(view, signs.first - 1, &left) ||
        !pare_term_behind(view, signs.last + 1, &right))
        return PARE_OK;
    return offer_swap(view, left, right, out, err);
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_run signs = {0};
    (void)pass;
    if (pare_view_is_binary(view) || pare_view_has_lone_quote(view)) return PARE_OK;
    pare_status status = offer_statements(view, out, err);
    for (size_t i = 0; !status && i < view->lexemes.n; i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        if (at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME)
            status = offer_group(view, i, out, err);
        if (status || !pare_signs_at(view, i, &signs)) continue;
        status = offer_operands(view, signs, out, err);
        i = signs.last;
    }
    return status;
}

const pare_pass pare_pass_reorder = {
    .name = "reorder",
    .summary = "puts the simpler one of two neighbours first: elements, statements, operands",
    .source = "Shrink Ray, line_sorter; Hypothesis, reorder_spans",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
