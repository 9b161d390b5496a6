/* The passes over expressions, for texts without a grammar: operators, inline-text, peephole.
 *
 * Expressions are found as terms (terms.h), by the looks of their tokens.  operators puts an
 * operand in the place of an expression, inline-text the value of a name in the place of its
 * uses, peephole a shorter token of like meaning.  Where a language has a table, reduce/binding
 * does the first two with knowledge of names and syntax; these work on any text, and on what a
 * table does not cover.
 * Source: C-Reduce's peep a and b, ternary and copy-propagation; Shrink Ray's
 * combine_expressions; LPR. */
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/interrupt.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/terms.h"
#include "text/patch.h"

/* --- operators --------------------------------------------------------------------------- */

enum { MOST_LEXEMES = 20000 };

/* `left` and `right` with what is between become 0, else one of both alone. */
static pare_status offer_sides(const pare_pass_view *view, pare_lexeme_run left,
                               pare_lexeme_run right, pare_patches *out, pare_error *err)
{
    uint32_t zero = PARE_NO_PATCH;
    pare_extent all = pare_terms_extent(view, (pare_lexeme_run){left.first, right.last});
    /* A single byte cannot become shorter by being replaced by 0. */
    if (all.to - all.from < 2) return PARE_OK;
    pare_status status =
        pare_pass_offer_text(out, (pare_pass_text){all, "0", 1}, PARE_NO_PATCH, &zero, err);
    if (!status) status = pare_terms_offer_keep(view, all, left, zero, out, err);
    return status ? status : pare_terms_offer_keep(view, all, right, zero, out, err);
}

/* The operands of the signs, as narrow as a term and as wide as a stretch. */
static pare_status offer_binary(const pare_pass_view *view, pare_lexeme_run signs,
                                pare_patches *out, pare_error *err)
{
    pare_lexeme_run left, right;
    if (!signs.first || !pare_terms_before(view, signs.first - 1, &left) ||
        !pare_terms_after(view, signs.last + 1, &right))
        return PARE_OK;
    pare_lexeme_run wide_left = pare_terms_stretch_before(view, signs.first - 1);
    pare_lexeme_run wide_right = pare_terms_stretch_after(view, signs.last + 1);
    pare_status status = offer_sides(view, left, right, out, err);
    /* If both readings give the same operand, one offer is enough. */
    bool wider = wide_left.first != left.first || wide_right.last != right.last;
    if (!status && wider) status = offer_sides(view, wide_left, wide_right, out, err);
    return status;
}

/* The `:` that belongs to the `?` at lexeme `question`; PARE_NO_LEXEME: there is none. */
static size_t colon_of(const pare_pass_view *view, size_t question)
{
    pare_lexeme_run rest = pare_terms_stretch_after(view, question);
    size_t depth = 0;
    for (size_t i = question; i <= rest.last; i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        if (at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME) i = at->partner;
        if (pare_pass_lexeme_is(view, i, "?")) depth++;
        if (pare_pass_lexeme_is(view, i, ":") && --depth == 0) return i;
    }
    return PARE_NO_LEXEME;
}

/* Offers to keep one of the two branches of `a ? b : c`. */
static pare_status offer_ternary(const pare_pass_view *view, size_t question, pare_patches *out,
                                 pare_error *err)
{
    size_t colon = colon_of(view, question);
    pare_lexeme_run condition, rest;
    if (!question || colon == PARE_NO_LEXEME || colon == question + 1) return PARE_OK;
    rest = pare_terms_stretch_after(view, colon);
    condition = pare_terms_stretch_before(view, question - 1);
    if (rest.last == colon) return PARE_OK;
    pare_extent all = pare_terms_extent(view, (pare_lexeme_run){condition.first, rest.last});
    pare_lexeme_run second = {question + 1, colon - 1}, third = {colon + 1, rest.last};
    pare_status status = pare_terms_offer_keep(view, all, second, PARE_NO_PATCH, out, err);
    return status ? status : pare_terms_offer_keep(view, all, third, PARE_NO_PATCH, out, err);
}

/* A name with what hangs on it, or a string, becomes 0, or 1. */
static pare_status offer_zero(const pare_pass_view *view, size_t i, pare_patches *out,
                              pare_error *err)
{
    pare_lexeme_run term;
    pare_lexeme_kind kind = (pare_lexeme_kind)view->lexemes.at[i].kind;
    if (kind != PARE_LEXEME_WORD && kind != PARE_LEXEME_STRING) return PARE_OK;
    if (!pare_terms_after(view, i, &term)) return PARE_OK;
    uint32_t zero = PARE_NO_PATCH;
    pare_extent all = pare_terms_extent(view, term);
    pare_status status =
        pare_pass_offer_text(out, (pare_pass_text){all, "0", 1}, PARE_NO_PATCH, &zero, err);
    return status ? status
                  : pare_pass_offer_text(out, (pare_pass_text){all, "1", 1}, zero, NULL, err);
}

/* operators: an expression becomes one of its operands, or `0`.
 *
 * For each run of signs between two operands: the left or the right one stays alone, taken as
 * narrow (a term) or as wide (up to the next separator) as may be, so that precedence need not
 * be known; all of it becomes 0.  For `a ? b : c`: b or c stays.  A term becomes 0.
 * Source: C-Reduce's peep b (`a op b` and its parts -> 0, 1, nothing) and ternary b and c,
 * Shrink Ray's combine_expressions, by tokens in place of regular
 * expressions. */
static pare_status offer_operators(const pare_pass *pass, const pare_pass_view *view,
                                   pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_lexeme_run signs = {0};
    (void)pass;
    out->spaced = true;
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++) {
        status = offer_zero(view, i, out, err);
        if (status || !pare_terms_signs(view, i, &signs)) continue;
        status = offer_binary(view, signs, out, err);
        if (!status && pare_pass_lexeme_is(view, i, "?")) status = offer_ternary(view, i, out, err);
        i = signs.last;
    }
    return status;
}

const pare_pass pare_pass_operators = {
    .name = "operators",
    .summary = "replaces an expression by an operand, by a branch of ?:, or by 0",
    .source = "C-Reduce, peep b and ternary; Shrink Ray, combine_expressions",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer_operators,
};

/* --- inline-text ------------------------------------------------------------------------- */

enum { INLINE_MOST_LEXEMES = 20000, MOST_USES = 16 };

/* A name and its value, and where they stand. */
struct definition {
    pare_lexeme_run name, value;
    pare_lexeme_run all; /* with what stands before the name, and the separator after the value */
};

/* The name that ends with lexeme `last`: words joined by points. */
static pare_lexeme_run path_before(const pare_pass_view *view, size_t last)
{
    const pare_lexeme *at = view->lexemes.at;
    size_t first = last;
    while (first >= 2 && pare_pass_lexeme_is(view, first - 1, ".") &&
           at[first - 2].kind == PARE_LEXEME_WORD)
        first -= 2;
    return (pare_lexeme_run){first, last};
}

/* Whether lexeme `sign` is the = of a definition. */
static bool find_definition(const pare_pass_view *view, size_t sign, struct definition *found)
{
    const pare_lexeme *at = view->lexemes.at;
    pare_lexeme_run signs;
    if (!sign || sign + 1 >= view->lexemes.n || at[sign - 1].kind != PARE_LEXEME_WORD ||
        !pare_pass_lexeme_is(view, sign, "=") || !pare_terms_signs(view, sign, &signs))
        return false;
    pare_lexeme_kind next = (pare_lexeme_kind)at[sign + 1].kind;
    /* No value follows, or the two signs together are a comparison. */
    if (next == PARE_LEXEME_CLOSE || pare_pass_lexeme_is(view, sign + 1, "=")) return false;
    found->name = path_before(view, sign - 1);
    found->value = pare_terms_stretch_after(view, sign + 1);
    found->all =
        (pare_lexeme_run){pare_terms_stretch_before(view, sign - 1).first, found->value.last};
    if (pare_pass_lexeme_is(view, found->value.last + 1, ";") ||
        pare_pass_lexeme_is(view, found->value.last + 1, ","))
        found->all.last++;
    return true;
}

/* Whether lexeme `i` begins a typedef of a name after its type, on one level. */
static bool find_typedef(const pare_pass_view *view, size_t i, struct definition *found)
{
    if (!pare_pass_lexeme_is(view, i, "typedef") || i + 1 >= view->lexemes.n) return false;
    pare_lexeme_run rest = pare_terms_stretch_after(view, i + 1);
    if (rest.last < i + 2 || view->lexemes.at[rest.last].kind != PARE_LEXEME_WORD ||
        !pare_pass_lexeme_is(view, rest.last + 1, ";"))
        return false;
    found->name = (pare_lexeme_run){rest.last, rest.last};
    found->value = (pare_lexeme_run){rest.first, rest.last - 1};
    found->all = (pare_lexeme_run){i, rest.last + 1};
    return true;
}

/* Whether lexeme `i` begins a #define of a name without parameters. */
static bool find_define(const pare_pass_view *view, size_t i, struct definition *found)
{
    if (!pare_pass_lexeme_is(view, i, "#") || !pare_pass_lexeme_is(view, i + 1, "define"))
        return false;
    if (i + 3 >= view->lexemes.n || view->lexemes.at[i + 2].kind != PARE_LEXEME_WORD) return false;
    size_t last = i + 3;
    /* The value of a #define is all of its line. */
    while (last < view->lexemes.n && !pare_pass_starts_line(view, last))
        last++;
    if (last == i + 3) return false;
    found->name = (pare_lexeme_run){i + 2, i + 2};
    found->value = (pare_lexeme_run){i + 3, last - 1};
    found->all = (pare_lexeme_run){i, last - 1};
    return true;
}

/* Whether the name is used with its last word at lexeme `i`: all of it, and no more before.
 *
 * Example: `a.b` is used in `a.b.c`, but neither in `x.a.b` nor in `b`. */
static bool is_use(const pare_pass_view *view, const struct definition *definition, size_t i)
{
    const pare_lexeme *at = view->lexemes.at;
    size_t size = definition->name.last - definition->name.first;
    if (i < size) return false;
    for (size_t k = 0; k < size; k++)
        if (at[i - k].first != at[definition->name.last - k].first) return false;
    size_t first = i - size;
    return at[first].first == at[definition->name.first].first &&
           !(first && pare_pass_lexeme_is(view, first - 1, "."));
}

/* How a definition is used up. */
struct inlining {
    const struct definition *definition;
    bool brackets; /* around the value, at every use */
};

/* Makes the use that ends with lexeme `i` the value. */
static pare_status change_use(const pare_pass_view *view, const struct inlining *inlining, size_t i,
                              pare_patches *out, pare_error *err)
{
    const struct definition *definition = inlining->definition;
    bool brackets = inlining->brackets;
    pare_extent value = pare_terms_extent(view, definition->value);
    size_t size = value.to - value.from;
    size_t first = i - (definition->name.last - definition->name.first);
    pare_extent use = pare_terms_extent(view, (pare_lexeme_run){first, i});
    pare_buffer text = {0};
    pare_status status = pare_buffer_text(&text, brackets ? "(" : "", err);
    if (!status) status = pare_buffer_add(&text, view->bytes + value.from, size, err);
    if (!status) status = pare_buffer_text(&text, brackets ? ")" : "", err);
    if (!status) status = pare_patches_change(out, use.from, use.to, text.data, text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* Bytes saved without brackets, and how many uses follow the definition; counting stops when
 * there are too many. */
static int64_t gain_of(const pare_pass_view *view, const struct definition *definition,
                       size_t *n_uses)
{
    pare_extent value = pare_terms_extent(view, definition->value);
    pare_extent name = pare_terms_extent(view, definition->name);
    pare_extent all = pare_terms_extent(view, definition->all);
    int64_t growth = (int64_t)(value.to - value.from) - (int64_t)(name.to - name.from);
    uint32_t i = view->lexemes.at[definition->name.last].next;
    *n_uses = 0;
    for (; i != PARE_NO_LEXEME && *n_uses <= MOST_USES; i = view->lexemes.at[i].next)
        *n_uses += i > definition->all.last && is_use(view, definition, i);
    return (int64_t)(all.to - all.from) - growth * (int64_t)*n_uses;
}

/* Every use becomes the value, and the definition goes. */
static pare_status offer_uses(const pare_pass_view *view, const struct inlining *inlining,
                              uint32_t parent, uint32_t *index, pare_patches *out, pare_error *err)
{
    const struct definition *definition = inlining->definition;
    pare_extent all = pare_pass_extent(view, definition->all.first, definition->all.last);
    pare_status status = pare_patches_change(out, all.from, all.to, NULL, 0, err);
    uint32_t i = view->lexemes.at[definition->name.last].next;
    for (; !status && i != PARE_NO_LEXEME; i = view->lexemes.at[i].next)
        if (i > definition->all.last && is_use(view, definition, i))
            status = change_use(view, inlining, i, out, err);
    return status ? status : pare_patches_end(out, parent, index, err);
}

/* Offers the definition if that saves bytes, with brackets around the value as a part. */
static pare_status offer_definition(const pare_pass_view *view, const struct definition *definition,
                                    pare_patches *out, pare_error *err)
{
    size_t n_uses;
    uint32_t plain = PARE_NO_PATCH;
    int64_t gain = gain_of(view, definition, &n_uses);
    if (!n_uses || n_uses > MOST_USES || gain <= 0) return PARE_OK;
    pare_status status =
        offer_uses(view, &(struct inlining){definition, false}, PARE_NO_PATCH, &plain, out, err);
    bool one = definition->value.first == definition->value.last;
    /* A single lexeme needs no brackets, and two bytes a use must not eat up what is saved. */
    if (status || one || gain <= 2 * (int64_t)n_uses) return status;
    return offer_uses(view, &(struct inlining){definition, true}, plain, NULL, out, err);
}

/* inline-text: `name = value` goes, and the value stands where the name was used, if that saves
 * bytes; in brackets where it may have to be.  So for `typedef value name;` and `#define name
 * value`.
 *
 * A name is a word or several joined by points; its definition reaches from the begin of its
 * stretch (`var x = `, `int x = `, `local x = `) to the end of the value and the separator
 * after it.  Nothing is known of scopes: a wrong guess costs a test.
 * Source: C-Reduce's copy-propagation and LPR's rewrites, for any
 * language; which names are bound where is for reduce/binding. */
static pare_status offer_inline(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    struct definition definition;
    (void)pass;
    out->spaced = true;
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++)
        if (find_definition(view, i, &definition) || find_typedef(view, i, &definition) ||
            find_define(view, i, &definition))
            status = offer_definition(view, &definition, out, err);
    return status;
}

const pare_pass pare_pass_inline_text = {
    .name = "inline-text",
    .summary = "replaces the uses of a name by its value, and removes its definition",
    .source = "C-Reduce, copy-propagation; LPR",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = INLINE_MOST_LEXEMES,
    .offer = offer_inline,
};

/* --- peephole ---------------------------------------------------------------------------- */

/* Tokens that follow each other, separated by spaces where they need not touch, and what is
 * put in their place. */
static const struct {
    const char *from[3]; /* lexemes; NULL after the last one */
    const char *to;
} FORMS[] = {
    {{"while"}, "if"},      {{"until"}, "if"},       {{"true"}, "1"},         {{"false"}, "0"},
    {{"True"}, "1"},        {{"False"}, "0"},        {{"null"}, "0"},         {{"NULL"}, "0"},
    {{"nil"}, "0"},         {{"None"}, "0"},         {{"undefined"}, "0"},    {{"nullptr"}, "0"},
    {{"this"}, "0"},        {{"const"}, "var"},      {{"double"}, "int"},     {{"float"}, "int"},
    {{"long"}, "int"},      {{"short"}, "int"},      {{"unsigned"}, "int"},   {{"signed"}, "int"},
    {{"char"}, "int"},      {{"void"}, "int"},       {{"class"}, "struct"},   {{"struct"}, "union"},
    {{"else", "if"}, "if"}, {{"+", "="}, "="},       {{"-", "="}, "="},       {{"*", "="}, "="},
    {{"/", "="}, "="},      {{"%", "="}, "="},       {{"&", "="}, "="},       {{"|", "="}, "="},
    {{"^", "="}, "="},      {{"=", "=", "="}, "=="}, {{"!", "=", "="}, "!="}, {{"&", "&"}, "&"},
    {{"|", "|"}, "|"},      {{"<", "="}, "<"},       {{">", "="}, ">"},       {{"<", "<"}, "<"},
    {{">", ">"}, ">"},      {{"-", ">"}, "."},       {{":", ":"}, "."},       {{":", "="}, "="},
    {{"*", "*"}, "*"},      {{"and"}, "or"},
};

enum { N_FORMS = sizeof FORMS / sizeof *FORMS };

/* Whether the text begins with a letter. */
static bool is_word(const char *text)
{
    return (*text | 0x20) >= 'a' && (*text | 0x20) <= 'z';
}

/* Puts the lexemes of a form together; how many there are. */
static size_t join(const char *const from[3], char joined[16])
{
    size_t n = 0, size = 0;
    for (; n < 3 && from[n]; n++)
        size += (size_t)snprintf(joined + size, 16 - size, "%s", from[n]);
    return n;
}

/* Whether the tokens of form `k` begin at lexeme `i`, signs without white space between, or
 * are the bytes of that one lexeme; sets *what to where. */
static bool matches(const pare_pass_view *view, size_t k, size_t i, pare_extent *what)
{
    const char *const *from = FORMS[k].from;
    char joined[16];
    if (view->bytes[view->lexemes.at[i].from] != (unsigned char)from[0][0]) return false;
    size_t n = join(from, joined);
    *what = (pare_extent){view->lexemes.at[i].from, view->lexemes.at[i].to};
    /* By a tree several signs may be one lexeme. */
    if (!is_word(from[0]) && pare_pass_lexeme_is(view, i, joined)) return true;
    for (size_t part = 0; part < n; part++) {
        if (!pare_pass_lexeme_is(view, i + part, from[part])) return false;
        size_t begin = view->lexemes.at[i + part].from;
        if (part && !is_word(from[0]) && begin != what->to) return false;
        what->to = view->lexemes.at[i + part].to;
    }
    return true;
}

/* peephole: some tokens become others that are shorter and often mean as much: `while` is `if`,
 * `true` is 1, `+=` is `=`, `===` is `==`, `double` is `int`.  The table is of words that
 * several languages share.
 * Source: C-Reduce's peep a, which works by regular expressions on C. */
static pare_status offer_peephole(const pare_pass *pass, const pare_pass_view *view,
                                  pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    pare_extent what;
    (void)pass;
    for (size_t i = 0; i < view->lexemes.n && !pare_interrupt_asked_at(i); i++) {
        pare_lexeme_kind kind = (pare_lexeme_kind)view->lexemes.at[i].kind;
        if (kind != PARE_LEXEME_WORD && kind != PARE_LEXEME_SIGN) continue;
        for (size_t k = 0; !status && k < N_FORMS; k++)
            if (matches(view, k, i, &what) && strlen(FORMS[k].to) < what.to - what.from)
                status = pare_pass_offer_text(
                    out, (pare_pass_text){what, FORMS[k].to, strlen(FORMS[k].to)}, PARE_NO_PATCH,
                    NULL, err);
        if (status) return status;
    }
    return PARE_OK;
}

const pare_pass pare_pass_peephole = {
    .name = "peephole",
    .summary = "replaces words and operators by shorter ones of similar meaning",
    .source = "C-Reduce, peep a",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_peephole,
};
