/* inline-text: `name = value` goes, and the value stands where the name was used, if that
 * saves bytes; in brackets where it may have to be.  So for `typedef value name;` and
 * `#define name value`.
 *
 * A name is a word or several joined by points; its definition reaches from the begin of
 * its stretch (`var x = `, `int x = `, `local x = `) to the end of the value and the separator
 * behind it.  Nothing is known of scopes: a wrong guess costs a test.
 * Source: C-Reduce's copy-propagation and LPR's rewrites (tree-reducers §5.3, §11), for any
 * language; which names are bound where is for binding-aware passes. */
#include "base/buffer.h"
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/passes/terms.h"
#include "text/patch.h"

#include <string.h>

enum { MOST_LEXEMES = 20000, MOST_USES = 16 };

struct definition {
    pare_run name, value;
    pare_run all; /* with what stands before the name, and the separator behind the value */
};

/* The first name of lexeme: a path of words joined by points that ends with lexeme `last`. */
static pare_run path_before(const pare_pass_view *view, size_t last)
{
    const pare_lexeme *at = view->lexemes.at;
    size_t first = last;
    while (first >= 2 && pare_lexeme_is(view, first - 1, ".") &&
           at[first - 2].kind == PARE_LEXEME_WORD)
        first -= 2;
    return (pare_run){first, last};
}

/* Whether lexeme `sign` is the = of a definition. */
static bool find_definition(const pare_pass_view *view, size_t sign, struct definition *found)
{
    const pare_lexeme *at = view->lexemes.at;
    pare_run signs;
    if (!sign || sign + 1 >= view->lexemes.n || at[sign - 1].kind != PARE_LEXEME_WORD ||
        !pare_lexeme_is(view, sign, "=") || !pare_signs_at(view, sign, &signs))
        return false;
    pare_lexeme_kind next = (pare_lexeme_kind)at[sign + 1].kind;
    if (next == PARE_LEXEME_CLOSE || pare_lexeme_is(view, sign + 1, "=")) return false;
    found->name = path_before(view, sign - 1);
    found->value = pare_stretch_behind(view, sign + 1);
    found->all = (pare_run){pare_stretch_before(view, sign - 1).first, found->value.last};
    if (pare_lexeme_is(view, found->value.last + 1, ";") ||
        pare_lexeme_is(view, found->value.last + 1, ","))
        found->all.last++;
    return true;
}

/* Whether lexeme `i` begins a typedef of a name behind its type, on one level. */
static bool find_typedef(const pare_pass_view *view, size_t i, struct definition *found)
{
    if (!pare_lexeme_is(view, i, "typedef") || i + 1 >= view->lexemes.n) return false;
    pare_run rest = pare_stretch_behind(view, i + 1);
    if (rest.last < i + 2 || view->lexemes.at[rest.last].kind != PARE_LEXEME_WORD ||
        !pare_lexeme_is(view, rest.last + 1, ";"))
        return false;
    found->name = (pare_run){rest.last, rest.last};
    found->value = (pare_run){rest.first, rest.last - 1};
    found->all = (pare_run){i, rest.last + 1};
    return true;
}

/* Whether lexeme `i` begins a #define of a name without parameters. */
static bool find_define(const pare_pass_view *view, size_t i, struct definition *found)
{
    if (!pare_lexeme_is(view, i, "#") || !pare_lexeme_is(view, i + 1, "define")) return false;
    if (i + 3 >= view->lexemes.n || view->lexemes.at[i + 2].kind != PARE_LEXEME_WORD) return false;
    size_t last = i + 3;
    while (last < view->lexemes.n && !pare_lexeme_starts_line(view, last))
        last++;
    if (last == i + 3) return false;
    found->name = (pare_run){i + 2, i + 2};
    found->value = (pare_run){i + 3, last - 1};
    found->all = (pare_run){i, last - 1};
    return true;
}

/* Whether the name is used with its last word at lexeme `i`: all of it, and no more before. */
static bool is_use(const pare_pass_view *view, const struct definition *definition, size_t i)
{
    const pare_lexeme *at = view->lexemes.at;
    size_t size = definition->name.last - definition->name.first;
    if (i < size) return false;
    for (size_t k = 0; k < size; k++)
        if (at[i - k].first != at[definition->name.last - k].first) return false;
    size_t first = i - size;
    return at[first].first == at[definition->name.first].first &&
           !(first && pare_lexeme_is(view, first - 1, "."));
}

/* Makes the use that ends with lexeme `i` the value. */
static pare_status change_use(const pare_pass_view *view, const struct definition *definition,
                              size_t i, bool brackets, pare_patches *out, pare_error *err)
{
    pare_extent value = pare_run_extent(view, definition->value);
    size_t size = value.to - value.from;
    size_t first = i - (definition->name.last - definition->name.first);
    pare_extent use = pare_run_extent(view, (pare_run){first, i});
    pare_buffer text = {0};
    pare_status status = pare_buffer_text(&text, brackets ? "(" : "", err);
    if (!status) status = pare_buffer_add(&text, view->bytes + value.from, size, err);
    if (!status) status = pare_buffer_text(&text, brackets ? ")" : "", err);
    if (!status) status = pare_patches_change(out, use.from, use.to, text.data, text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* Bytes saved without brackets, and how many uses there are behind the definition; none when
 * there are too many. */
static int64_t gain_of(const pare_pass_view *view, const struct definition *definition,
                       size_t *n_uses)
{
    pare_extent value = pare_run_extent(view, definition->value);
    pare_extent name = pare_run_extent(view, definition->name);
    pare_extent all = pare_run_extent(view, definition->all);
    int64_t growth = (int64_t)(value.to - value.from) - (int64_t)(name.to - name.from);
    uint32_t i = view->lexemes.at[definition->name.last].next;
    *n_uses = 0;
    for (; i != PARE_NO_LEXEME && *n_uses <= MOST_USES; i = view->lexemes.at[i].next)
        *n_uses += i > definition->all.last && is_use(view, definition, i);
    return (int64_t)(all.to - all.from) - growth * (int64_t)*n_uses;
}

static pare_status offer_uses(const pare_pass_view *view, const struct definition *definition,
                              bool brackets, uint32_t parent, uint32_t *index, pare_patches *out,
                              pare_error *err)
{
    pare_extent all = pare_edit_lexemes(view, definition->all.first, definition->all.last);
    pare_status status = pare_patches_change(out, all.from, all.to, NULL, 0, err);
    uint32_t i = view->lexemes.at[definition->name.last].next;
    for (; !status && i != PARE_NO_LEXEME; i = view->lexemes.at[i].next)
        if (i > definition->all.last && is_use(view, definition, i))
            status = change_use(view, definition, i, brackets, out, err);
    return status ? status : pare_patches_end(out, parent, index, err);
}

static pare_status offer_definition(const pare_pass_view *view, const struct definition *definition,
                                    pare_patches *out, pare_error *err)
{
    size_t n_uses;
    uint32_t plain = PARE_NO_PATCH;
    int64_t gain = gain_of(view, definition, &n_uses);
    if (!n_uses || n_uses > MOST_USES || gain <= 0) return PARE_OK;
    pare_status status = offer_uses(view, definition, false, PARE_NO_PATCH, &plain, out, err);
    bool one = definition->value.first == definition->value.last;
    if (status || one || gain <= 2 * (int64_t)n_uses) return status;
    return offer_uses(view, definition, true, plain, NULL, out, err);
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_status status = PARE_OK;
    struct definition definition;
    (void)pass;
    out->spaced = true;
    for (size_t i = 0; !status && i < view->lexemes.n; i++)
        if (find_definition(view, i, &definition) || find_typedef(view, i, &definition) ||
            find_define(view, i, &definition))
            status = offer_definition(view, &definition, out, err);
    return status;
}

const pare_pass pare_pass_inline = {
    .name = "inline-text",
    .summary = "puts the value of a name in the place of its uses, without the definition",
    .source = "C-Reduce, copy-propagation; LPR",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
