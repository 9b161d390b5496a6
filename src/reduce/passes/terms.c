/* Terms: finding what looks like an expression around a lexeme, without knowing the language.
 *
 * A term is found by looking at kinds of neighbouring lexemes and at brackets' partners, which
 * are known; so brackets are stepped over in O(1).  Everything here looks at no more than REACH
 * lexemes of a level, so that a pass that asks for each lexeme stays linear; what is longer is
 * cut off there, which costs a useless test at most. Why not a grammar: these are for texts
 * without one; precedence need not be known, because passes offer both the narrowest and the
 * widest reading. */
#include "reduce/passes/terms.h"

#include <assert.h>
#include <string.h>

#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { REACH = 256, LONGEST_SIGN = 4 };

/* The kind of lexeme `i`. */
static pare_lexeme_kind kind_at(const pare_pass_view *view, size_t i)
{
    return (pare_lexeme_kind)view->lexemes.at[i].kind;
}

/* Whether the lexeme can be a term by itself. */
static bool is_atom(const pare_pass_view *view, size_t i)
{
    pare_lexeme_kind kind = kind_at(view, i);
    return kind == PARE_LEXEME_WORD || kind == PARE_LEXEME_NUMBER || kind == PARE_LEXEME_STRING ||
           kind == PARE_LEXEME_OTHER;
}

/* Whether lexeme `i` is a sign whose byte is in `set`. */
static bool is_one_of(const pare_pass_view *view, size_t i, const char *set)
{
    return kind_at(view, i) == PARE_LEXEME_SIGN &&
           strchr(set, view->bytes[view->lexemes.at[i].from]) != NULL;
}

/* Whether no blank stands between lexeme `i` and the one before it. */
static bool touches(const pare_pass_view *view, size_t i)
{
    return i && view->lexemes.at[i - 1].to == view->lexemes.at[i].from;
}

/* Whether the bracket at `i` is paired. */
static bool has_partner(const pare_pass_view *view, size_t i)
{
    return view->lexemes.at[i].partner != PARE_NO_LEXEME;
}

/* At most LONGEST_SIGN of them: longer runs are several operators. */
bool pare_terms_signs(const pare_pass_view *view, size_t i, pare_lexeme_run *signs)
{
    static const char OPERATORS[] = "=+-*/%<>!&|^~?:.@#\\";
    if (i >= view->lexemes.n || !is_one_of(view, i, OPERATORS)) return false;
    *signs = (pare_lexeme_run){i, i};
    while (signs->last + 1 < view->lexemes.n && signs->last - i + 1 < LONGEST_SIGN &&
           touches(view, signs->last + 1) && is_one_of(view, signs->last + 1, OPERATORS))
        signs->last++;
    return true;
}

/* Whether a sign that joins a name to what stands before it (. -> :: : ?.) ends with lexeme
 * `last`; sets *first to where it begins.
 * Only without blanks around it, so that `a ? b : c` is no name with a scope. */
static bool is_joint(const pare_pass_view *view, size_t last, size_t *first)
{
    static const char *const JOINTS[] = {".", "->", "::", ":", "?."};
    /* One byte back at most: no joint is longer than two. */
    size_t begin = last;
    if (!is_one_of(view, last, ".>:")) return false;
    while (touches(view, begin) && is_one_of(view, begin - 1, "-:?") && last - begin < 1)
        begin--;
    size_t from = view->lexemes.at[begin].from, size = view->lexemes.at[last].to - from;
    for (size_t k = 0; k < sizeof JOINTS / sizeof *JOINTS; k++) {
        *first = begin;
        if (strlen(JOINTS[k]) == size && memcmp(view->bytes + from, JOINTS[k], size) == 0)
            return touches(view, begin) && last + 1 < view->lexemes.n && touches(view, last + 1);
    }
    return false;
}

/* Goes back over bracket groups and .names as long as they hang on what is before them.
 *
 * Example: in `x = a.b(c) + d[0];` the term before `+` is `a.b(c)`. */
bool pare_terms_before(const pare_pass_view *view, size_t last, pare_lexeme_run *term)
{
    size_t at = last, joint;
    for (size_t steps = 0; steps < REACH; steps++) {
        while (kind_at(view, at) == PARE_LEXEME_CLOSE && has_partner(view, at)) {
            at = view->lexemes.at[at].partner;
            /* Brackets after a name or after other brackets belong to these: a call, an index. */
            bool hangs = at && (kind_at(view, at - 1) == PARE_LEXEME_CLOSE ||
                                kind_at(view, at - 1) == PARE_LEXEME_WORD);
            if (!hangs || pare_pass_starts_line(view, at)) {
                *term = (pare_lexeme_run){at, last};
                return true;
            }
            at--;
        }
        if (!is_atom(view, at)) return false;
        if (!at || !is_joint(view, at - 1, &joint) || !joint) break;
        at = joint - 1;
    }
    *term = (pare_lexeme_run){at, last};
    return true;
}

/* Signs, then an atom or a group, then what hangs on it. */
bool pare_terms_after(const pare_pass_view *view, size_t first, pare_lexeme_run *term)
{
    size_t n = view->lexemes.n, at = first, joint;
    while (at < n && at - first < LONGEST_SIGN && is_one_of(view, at, "+-!~*&"))
        at++;
    if (at == n) return false;
    bool opens = kind_at(view, at) == PARE_LEXEME_OPEN && has_partner(view, at);
    if (!opens && !is_atom(view, at)) return false;
    if (opens) at = view->lexemes.at[at].partner;
    for (size_t steps = 0; at + 1 < n && steps < REACH; steps++) {
        size_t next = at + 1;
        if (kind_at(view, next) == PARE_LEXEME_OPEN && has_partner(view, next) &&
            !pare_pass_starts_line(view, next)) {
            at = view->lexemes.at[next].partner;
            continue;
        }
        if (!is_one_of(view, next, ".-:?")) break;
        while (next < at + 2 && next + 1 < n && is_one_of(view, next + 1, ".>:"))
            next++;
        if (next + 1 >= n || !is_joint(view, next, &joint) || joint != at + 1 ||
            !is_atom(view, next + 1))
            break;
        at = next + 1;
    }
    *term = (pare_lexeme_run){first, at};
    return true;
}

/* Whether a stretch ends at lexeme `i`: at a comma, a semicolon, or a single = (an assignment). */
static bool separates(const pare_pass_view *view, size_t i)
{
    if (is_one_of(view, i, ",;")) return true;
    if (!pare_pass_lexeme_is(view, i, "=")) return false;
    pare_lexeme_run signs;
    size_t first = i;
    while (first && i - first < LONGEST_SIGN && touches(view, first) &&
           is_one_of(view, first - 1, "=+-*/%<>!&|^~"))
        first--;
    /* A = that is part of == or += separates nothing. */
    return pare_terms_signs(view, first, &signs) && signs.first == i && signs.last == i;
}

/* Whether a bracket ends at `i` that the stretch did not open. */
static bool is_inside(const pare_pass_view *view, size_t i)
{
    return i < view->lexemes.n && kind_at(view, i) == PARE_LEXEME_CLOSE;
}

/* Back over whole groups, to a separator, an open bracket or the begin of the line.
 *
 * Example: in `x = 2 * a + b` the stretch before `+` is `2 * a`, where the term is `a` alone. */
pare_lexeme_run pare_terms_stretch_before(const pare_pass_view *view, size_t last)
{
    size_t first = last;
    for (size_t at = last, steps = 0; steps < REACH; at--, steps++) {
        if (separates(view, at) || kind_at(view, at) == PARE_LEXEME_OPEN) break;
        if (kind_at(view, at) == PARE_LEXEME_CLOSE) {
            if (!has_partner(view, at)) break;
            at = view->lexemes.at[at].partner;
        }
        first = at;
        if (at == 0 || pare_pass_starts_line(view, at)) break;
    }
    return (pare_lexeme_run){first, last};
}

/* The mirror image. */
pare_lexeme_run pare_terms_stretch_after(const pare_pass_view *view, size_t first)
{
    size_t last = first;
    for (size_t at = first, steps = 0; at < view->lexemes.n && steps < REACH; at++, steps++) {
        bool starts_line = at > first && pare_pass_starts_line(view, at);
        if (separates(view, at) || is_inside(view, at) || starts_line) break;
        if (kind_at(view, at) == PARE_LEXEME_OPEN && has_partner(view, at))
            at = view->lexemes.at[at].partner;
        last = at;
    }
    return (pare_lexeme_run){first, last};
}

/* *at is the separator, or the bracket, before the element that is looked for.
 * Groups inside the element are stepped over, so their commas separate nothing here. */
bool pare_terms_next_element(const pare_pass_view *view, size_t open, size_t *at,
                             pare_lexeme_run *element)
{
    size_t close = view->lexemes.at[open].partner;
    assert(close != PARE_NO_LEXEME && *at >= open);
    while (*at < close) {
        size_t first = *at + 1, end = first;
        while (end < close && !is_one_of(view, end, ",;")) {
            if (kind_at(view, end) == PARE_LEXEME_OPEN && has_partner(view, end))
                end = view->lexemes.at[end].partner;
            end++;
        }
        *at = end;
        *element = (pare_lexeme_run){first, end - 1};
        /* An empty element, as before a second comma, is passed over. */
        if (end > first) return true;
    }
    return false;
}

/* Two cuts, so that patches for what is kept agree with this one. */
pare_status pare_terms_offer_keep(const pare_pass_view *view, pare_extent all, pare_lexeme_run kept,
                                  uint32_t parent, pare_patches *out, pare_error *err)
{
    pare_extent stays = pare_terms_extent(view, kept);
    pare_status status = pare_patches_change(out, all.from, stays.from, NULL, 0, err);
    if (!status) status = pare_patches_change(out, stays.to, all.to, NULL, 0, err);
    return status ? status : pare_patches_end(out, parent, NULL, err);
}
