/* Definitions: shapes around a word, read off lexemes and their brackets.
 *
 * Each word is looked at once, with a look ahead of at most REACH lexemes of its level, so all is
 * linear.  Brackets are stepped over by their partners.  Of the readings of one definition the
 * first is what most languages would mean; the others cost a test each only where that failed.
 * Invariant: name, parameters and body ascend and lie in `all`; the body is not empty.
 * Why not reduce/binding: that needs a table for the language; this is for texts without one.
 * Source: ours; the shapes are those of definitions in jq, awk, bc, shell, make, Tcl, SQL, ML, C,
 * PHP, JavaScript, Python. */
#include "reduce/passes/definitions.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "reduce/passes/lexemes.h"

/* How far is looked for the end of a value or of lines, for the begin of a definition, and for
 * a block behind parameters. What is further off is hardly a definition that is worth a test. */
enum { REACH = 512, MOST_BACK = 16, MOST_BETWEEN = 6, MOST_READINGS = 2048 };

/* The list while it is made. */
struct finder {
    const pare_pass_view *view;
    pare_definitions made;
    pare_error *err;
};

/* The list is empty afterwards. */
void pare_definitions_done(pare_definitions *definitions)
{
    pare_alloc_free(definitions->at);
    *definitions = (pare_definitions){0};
}

/* memmem, and a look at the bytes beside what it finds. */
bool pare_definition_next_use(const unsigned char *bytes, size_t at, size_t end, const void *name,
                              size_t size, pare_extent *found)
{
    while (size && at + size <= end) {
        const unsigned char *hit = memmem(bytes + at, end - at, name, size);
        if (!hit) return false;
        size_t from = (size_t)(hit - bytes), to = from + size;
        *found = (pare_extent){from, to};
        /* What was found may be the begin or the end of a longer name.
         * A make variable without brackets has a name of one letter: `$AB` is the value of A, and a
         * B. */
        bool ends = to == end || !pare_definition_name_byte(bytes[to]) ||
                    (size == 1 && from && bytes[from - 1] == '$');
        if (ends && (from == 0 || !pare_definition_name_byte(bytes[from - 1]))) return true;
        at = from + 1;
    }
    return false;
}

/* Brackets count only if both are there. */
pare_extent pare_definition_with_signs(const pare_pass_view *view, pare_extent name)
{
    const unsigned char *bytes = view->bytes;
    size_t from = name.from, to = name.to;
    if (from >= view->begin + 2 && to < view->end && bytes[from - 2] == '$' &&
        ((bytes[from - 1] == '{' && bytes[to] == '}') ||
         (bytes[from - 1] == '(' && bytes[to] == ')')))
        return (pare_extent){from - 2, to + 1};
    if (from > view->begin && strchr("$%@&\\", bytes[from - 1]) && bytes[from - 1]) from--;
    return (pare_extent){from, to};
}

/* Whether lexeme `i` is a bracket of this kind that opens and has a partner. A bracket without
 * a partner encloses nothing that could go. */
static bool opens(const pare_pass_view *view, size_t i, char bracket)
{
    return i < view->lexemes.n && view->lexemes.at[i].kind == PARE_LEXEME_OPEN &&
           view->lexemes.at[i].partner != PARE_NO_LEXEME &&
           view->bytes[view->lexemes.at[i].from] == (unsigned char)bracket;
}

/* Whether lexeme `i` is a word. */
static bool is_word(const pare_pass_view *view, size_t i)
{
    return i < view->lexemes.n && view->lexemes.at[i].kind == PARE_LEXEME_WORD;
}

/* Where a definition with its name at lexeme `i` begins: after the last separator on the same
 * line. */
static size_t begin_of(const pare_pass_view *view, size_t i)
{
    /* So words before the name, such as `static int` or `function`, go with it. */
    size_t first = i;
    while (!pare_pass_starts_line(view, first) && i - first < MOST_BACK) {
        uint32_t kind = view->lexemes.at[first - 1].kind;
        if (kind == PARE_LEXEME_OPEN || kind == PARE_LEXEME_CLOSE ||
            pare_pass_lexeme_is(view, first - 1, ";") || pare_pass_lexeme_is(view, first - 1, ","))
            break;
        first--;
    }
    return first;
}

/* Appends a reading unless one of the same name just before it, of however many, is the same, or the
 * list is full. */
static pare_status add(struct finder *self, pare_definition definition)
{
    pare_definitions *made = &self->made;
    assert(definition.all.first <= definition.name && definition.name < definition.body.first);
    assert(definition.body.first <= definition.body.last &&
           definition.body.last <= definition.all.last);
    for (size_t i = made->n; i-- > 0 && made->at[i].name == definition.name;) {
        /* Any reading of the name before this one makes it a less likely one. */
        const pare_definition *other = &made->at[i];
        definition.first = false;
        if (other->all.first == definition.all.first && other->all.last == definition.all.last &&
            other->body.last == definition.body.last)
            return PARE_OK;
    }
    if (made->n == MOST_READINGS) return PARE_OK;
    pare_definition *at = pare_vector_grow(made->at, made->n, &made->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(self->err);
    made->at = at;
    at[made->n++] = definition;
    return PARE_OK;
}

/* --- blocks ------------------------------------------------------------------------------ */

/* The block after lexeme `next`: right there, or, with parameters before it, after a few lexemes
 * that say what a function returns. */
static bool find_block(const pare_pass_view *view, size_t next, bool parameters, size_t *block)
{
    size_t most = parameters ? next + MOST_BETWEEN : next;
    for (size_t k = next; k <= most && k < view->lexemes.n; k++) {
        *block = k;
        if (opens(view, k, '{')) return true;
        bool passes = view->lexemes.at[k].kind == PARE_LEXEME_WORD ||
                      pare_pass_lexeme_is(view, k, "-") || pare_pass_lexeme_is(view, k, ">") ||
                      pare_pass_lexeme_is(view, k, ":");
        if (!passes) return false;
    }
    return false;
}

/* Adds what is inside the block as the definition's body. Of two blocks that follow each other, as
 * in `f {x} {BODY}`, the last is the body. */
static pare_status add_block(struct finder *self, size_t i, uint32_t parameters, size_t block)
{
    const pare_pass_view *view = self->view;
    size_t close = view->lexemes.at[block].partner;
    if (parameters == PARE_NO_LEXEME && opens(view, close + 1, '{')) {
        parameters = (uint32_t)block;
        block = close + 1;
        close = view->lexemes.at[block].partner;
    }
    /* An empty block has no body to put anywhere. */
    if (close == block + 1) return PARE_OK;
    return add(self, (pare_definition){.name = (uint32_t)i,
                                       .parameters = parameters,
                                       .all = {begin_of(view, i), close},
                                       .body = {block + 1, close - 1},
                                       .separator = PARE_NO_LEXEME,
                                       .first = true});
}

/* --- values ------------------------------------------------------------------------------ */

/* Whether lexeme `i` is one of some words in large or small letters. */
static bool is_as(const pare_pass_view *view, size_t i)
{
    static const char *const WORDS[] = {"as", "is", "be"};
    if (!is_word(view, i) || pare_pass_lexeme_size(view, i) != 2) return false;
    const char *text = (const char *)view->bytes + view->lexemes.at[i].from;
    for (size_t k = 0; k < sizeof WORDS / sizeof *WORDS; k++)
        if (strncasecmp(text, WORDS[k], 2) == 0) return true;
    return false;
}

/* Whether what says that a value follows begins with lexeme `next`; sets *value to the lexeme
 * after it. */
static bool find_separator(const pare_pass_view *view, size_t next, bool parameters, size_t *value)
{
    /* The last only after parameters: elsewhere it leads to a member. */
    static const char *const SIGNS[] = {"=", ":", ":=", "?=", "::=", "->"};
    size_t n_signs = sizeof SIGNS / sizeof *SIGNS - !parameters;
    pare_lexeme_run signs;
    if (next + 1 >= view->lexemes.n) return false;
    *value = next + 1;
    if (is_as(view, next)) return true;
    if (!pare_terms_signs(view, next, &signs) || signs.last + 1 >= view->lexemes.n) return false;
    *value = signs.last + 1;
    pare_extent what = pare_terms_extent(view, signs);
    for (size_t k = 0; k < n_signs; k++)
        if (strlen(SIGNS[k]) == what.to - what.from &&
            memcmp(view->bytes + what.from, SIGNS[k], what.to - what.from) == 0)
            return true;
    /* `=` before a sign of the value, as in `x=-1` or `a:.b`. */
    if (!pare_pass_lexeme_is(view, next, "=") && !pare_pass_lexeme_is(view, next, ":"))
        return false;
    *value = next + 1;
    return !pare_pass_lexeme_is(view, next + 1, "=");
}

/* How far lexeme `i` stands from the begin of its line. */
static size_t column_of(const pare_pass_view *view, size_t i)
{
    size_t from = view->lexemes.at[i].from, at = from;
    while (at > view->begin && view->bytes[at - 1] != '\n')
        at--;
    return from - at;
}

/* The last lexeme of the lines from lexeme `value` on that are indented deeper than the
 * definition's line; value - 1: no line is. */
static size_t last_deeper(const pare_pass_view *view, size_t first, size_t value)
{
    size_t column = column_of(view, first), i = value;
    for (; i < view->lexemes.n && i - value < REACH; i++)
        if (pare_pass_starts_line(view, i) && column_of(view, i) <= column) break;
    return i - 1;
}

/* Lexemes after which a value may be over, by what ends it; PARE_NO_LEXEME: that does not come. */
struct ends {
    size_t semicolon, second, line, comma, in, all;
};

/* Goes through the level of the value once. */
static struct ends ends_of(const pare_pass_view *view, size_t value)
{
    const size_t none = PARE_NO_LEXEME;
    struct ends ends = {none, none, none, none, none, none};
    size_t i = value;
    for (; i < view->lexemes.n && i - value < REACH; i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        /* The bracket around the definition ends the value at the latest. */
        if (at->kind == PARE_LEXEME_CLOSE) break;
        if (i > value && ends.line == none && pare_pass_starts_line(view, i)) ends.line = i;
        if (pare_pass_lexeme_is(view, i, ";")) {
            if (ends.semicolon != none) {
                ends.second = i;
                break;
            }
            ends.semicolon = i;
        }
        if (ends.comma == none && pare_pass_lexeme_is(view, i, ",")) ends.comma = i;
        if (ends.in == none && pare_pass_lexeme_is(view, i, "in")) ends.in = i;
        if (at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME) i = at->partner;
    }
    ends.all = i;
    return ends;
}

/* The reading in which the value ends before lexeme `end`, which goes, too, if `with`. */
static pare_status add_value(struct finder *self, const pare_definition *draft, size_t end,
                             bool with)
{
    pare_definition definition = *draft;
    if (end == PARE_NO_LEXEME || end <= draft->body.first) return PARE_OK;
    definition.body.last = end - 1;
    definition.all.last = with ? end : end - 1;
    return add(self, definition);
}

/* The reading in which lines that are indented deeper belong to the value that begins on the
 * definition's line: alternatives of a rule, the rest of a long sum. */
static pare_status add_deeper(struct finder *self, const pare_definition *draft,
                              const struct ends *ends)
{
    const pare_pass_view *view = self->view;
    const size_t name = draft->name;
    if (ends->line >= ends->semicolon || ends->line >= view->lexemes.n) return PARE_OK;
    if (!pare_pass_starts_line(view, name)) return PARE_OK;
    const size_t last = last_deeper(view, name, ends->line);
    return last < ends->line ? PARE_OK : add_value(self, draft, last + 1, false);
}

/* All readings of a value that begins at body.first of the draft. */
static pare_status add_ends(struct finder *self, const pare_definition *draft)
{
    const pare_pass_view *view = self->view;
    pare_lexeme_run term;
    struct ends ends = ends_of(view, draft->body.first);
    bool line_first = ends.line < ends.semicolon;
    pare_status status = add_deeper(self, draft, &ends);
    if (!status)
        status = line_first ? add_value(self, draft, ends.line, false)
                            : add_value(self, draft, ends.semicolon, true);
    if (!status) status = add_value(self, draft, ends.in, true);
    if (!status) status = add_value(self, draft, ends.semicolon, true);
    if (!status) status = add_value(self, draft, ends.second, true);
    if (!status) status = add_value(self, draft, ends.comma, true);
    if (!status && ends.semicolon == PARE_NO_LEXEME)
        status = add_value(self, draft, ends.all, false);
    if (!status && pare_terms_after(view, draft->body.first, &term))
        status = add_value(self, draft, term.last + 1, false);
    return status;
}

/* The readings in which the definition is one of several that commas separate, the last of them:
 * it goes with the comma before it. */
static pare_status add_after_comma(struct finder *self, const pare_definition *draft)
{
    pare_definition definition = *draft;
    pare_lexeme_run term;
    size_t first = draft->all.first;
    if (!first || !pare_pass_lexeme_is(self->view, first - 1, ",")) return PARE_OK;
    definition.all.first = first - 1;
    struct ends ends = ends_of(self->view, draft->body.first);
    pare_status status =
        add_value(self, &definition, ends.line < ends.all ? ends.line : ends.all, false);
    if (!status && pare_terms_after(self->view, draft->body.first, &term))
        status = add_value(self, &definition, term.last + 1, false);
    return status;
}

/* A definition with a value that begins with lexeme `value`.  What stands before the word before
 * the name may belong to something else: in `1|def f:2;f` the definition begins with `def`; and
 * what stands before the name, to several: in `WITH a AS(..),b AS(..)` one goes without WITH. */
static pare_status add_values(struct finder *self, size_t i, uint32_t parameters, size_t value)
{
    const pare_pass_view *view = self->view;
    size_t begin = begin_of(view, i);
    size_t separator =
        parameters == PARE_NO_LEXEME ? i + 1 : view->lexemes.at[parameters].partner + 1;
    pare_definition draft = {.name = (uint32_t)i,
                             .parameters = parameters,
                             .all = {begin, value},
                             .body = {value, value},
                             .separator = view->lexemes.at[separator].first,
                             .first = true};
    if (pare_pass_starts_line(view, value) && !pare_pass_starts_line(view, i)) {
        size_t last = last_deeper(view, begin, value);
        return last < value ? PARE_OK : add_value(self, &draft, last + 1, false);
    }
    pare_status status = add_after_comma(self, &draft);
    if (!status) status = add_ends(self, &draft);
    draft.all.first = i > begin && is_word(view, i - 1) ? i - 1 : i;
    if (!status && draft.all.first != begin) status = add_ends(self, &draft);
    draft.all.first = i;
    return status || i == begin ? status
                                : add_value(self, &draft, ends_of(view, value).comma, true);
}

/* Whether lexeme `i` is the second word of its line, a # before it not counted; and more follows
 * on the line. */
static bool is_second(const pare_pass_view *view, size_t i, size_t next)
{
    if (!i || !is_word(view, i - 1) || next >= view->lexemes.n) return false;
    if (pare_pass_starts_line(view, i) || pare_pass_starts_line(view, next)) return false;
    if (pare_pass_starts_line(view, i - 1)) return true;
    return i >= 2 && pare_pass_lexeme_is(view, i - 2, "#") && pare_pass_starts_line(view, i - 2);
}

/* The rest of the line. */
static pare_status add_rest(struct finder *self, size_t i, uint32_t parameters, size_t next)
{
    const pare_pass_view *view = self->view;
    size_t end = next;
    while (end < view->lexemes.n && !pare_pass_starts_line(view, end))
        end++;
    return add(self, (pare_definition){.name = (uint32_t)i,
                                       .parameters = parameters,
                                       .all = {begin_of(view, i), end - 1},
                                       .body = {next, end - 1},
                                       .separator = PARE_NO_LEXEME,
                                       .first = true});
}

/* --- lines ------------------------------------------------------------------------------- */

/* Whether lexeme `i` is a word that opens or goes on with a block and defines nothing. */
static bool is_control(const pare_pass_view *view, size_t i)
{
    static const char *const WORDS[] = {"if",     "elsif",  "elseif",  "else", "unless", "while",
                                        "until",  "for",    "foreach", "do",   "then",   "loop",
                                        "begin",  "case",   "when",    "with", "return", "switch",
                                        "repeat", "select", "in",      "not",  "and",    "or"};
    for (size_t k = 0; k < sizeof WORDS / sizeof *WORDS; k++)
        if (pare_pass_lexeme_is(view, i, WORDS[k])) return true;
    return false;
}

/* Whether a block of lines follows the word, which ends its line but for parameters, or begins with
 * lexeme `next`: lines that are indented deeper, and a word alone on its line, as deep as the line of
 * the word, which is *close. */
static bool find_lines(const pare_pass_view *view, size_t i, size_t next, size_t *close)
{
    if (next >= view->lexemes.n || !pare_pass_starts_line(view, next)) return false;
    const size_t first = begin_of(view, i);
    if (first == i || !is_word(view, first) || !pare_pass_starts_line(view, first) ||
        is_control(view, first) || is_control(view, i))
        return false;
    *close = last_deeper(view, first, next) + 1;
    return *close > next && *close < view->lexemes.n && is_word(view, *close) &&
           column_of(view, *close) == column_of(view, first) &&
           (*close + 1 == view->lexemes.n || pare_pass_starts_line(view, *close + 1));
}

/* The lexeme after the parameters that begin at lexeme `next`, which may not be there. */
static size_t after_parameters(const pare_pass_view *view, size_t next, uint32_t *parameters)
{
    *parameters = PARE_NO_LEXEME;
    if (!opens(view, next, '(') || pare_pass_starts_line(view, next)) return next;
    *parameters = (uint32_t)next;
    return (size_t)view->lexemes.at[next].partner + 1;
}

/* The last word of the longer name that begins with word `i`; `i`: there is none. */
static size_t last_of_name(const pare_pass_view *view, size_t i)
{
    static const char *const SIGNS[] = {".", ":", "::"};
    const pare_lexeme *at = view->lexemes.at;
    pare_lexeme_run signs;
    while (pare_terms_signs(view, i + 1, &signs) && is_word(view, signs.last + 1) &&
           at[i].to == at[signs.first].from && at[signs.last].to == at[signs.last + 1].from) {
        const pare_extent what = pare_terms_extent(view, signs);
        const size_t size = what.to - what.from;
        bool joins = false;
        for (size_t k = 0; k < sizeof SIGNS / sizeof *SIGNS; k++)
            joins = joins || (strlen(SIGNS[k]) == size &&
                              memcmp(view->bytes + what.from, SIGNS[k], size) == 0);
        if (!joins) break;
        i = signs.last + 1;
    }
    return i;
}

/* Whether word `i` is what a longer name begins with: in `function A:f(x)`, `function A.b.f(x)` and
 * `void A::f(x) {` f is defined. */
static bool is_qualifier(const pare_pass_view *view, size_t i)
{
    uint32_t parameters;
    size_t block;
    const size_t last = last_of_name(view, i), first = begin_of(view, i);
    if (last == i || first == i || !pare_pass_starts_line(view, first) || !is_word(view, first) ||
        is_control(view, first))
        return false;
    const size_t next = after_parameters(view, last + 1, &parameters);
    if (next >= view->lexemes.n) return false;
    return pare_pass_starts_line(view, next) ||
           (parameters != PARE_NO_LEXEME && find_block(view, next, true, &block));
}

/* --- brackets ---------------------------------------------------------------------------- */

/* Finds the bracket in front of the word, or of the words with signs between them, before lexeme
 * `i`: in `(define-fun f () Int 5)`, for f, the first bracket. False: there is none. */
static bool find_head(const pare_pass_view *view, size_t i, size_t *open)
{
    const pare_lexeme *at = view->lexemes.at;
    size_t first = i ? i - 1 : 0;
    if (!i || at[i - 1].to == at[i].from) return false;
    while (first && i - first < MOST_BETWEEN && at[first - 1].to == at[first].from &&
           at[first - 1].kind != PARE_LEXEME_OPEN)
        first--;
    *open = first ? first - 1 : 0;
    return first && is_word(view, first) && opens(view, first - 1, '(');
}

/* The last term in the brackets, if something else stands before it or right after the name. */
static pare_status add_bracketed(struct finder *self, size_t i, size_t open)
{
    const pare_lexeme *at = self->view->lexemes.at;
    size_t close = at[open].partner, last = close - 1, first = last;
    if (close <= i + 1) return PARE_OK;
    if (at[last].kind == PARE_LEXEME_CLOSE && at[last].partner != PARE_NO_LEXEME)
        first = at[last].partner;
    while (first > i + 1 && at[first - 1].to == at[first].from)
        first--;
    if (first <= i) return PARE_OK;
    return add(self, (pare_definition){.name = (uint32_t)i,
                                       .parameters = PARE_NO_LEXEME,
                                       .all = {open, close},
                                       .body = {first, last},
                                       .separator = PARE_NO_LEXEME,
                                       .first = true});
}

/* The definition of word `i`, if what follows looks like one. */
static pare_status find_at(struct finder *self, size_t i)
{
    const pare_pass_view *view = self->view;
    size_t found;
    uint32_t parameters;
    const size_t next = after_parameters(view, i + 1, &parameters);
    if (is_qualifier(view, i)) return PARE_OK;
    if (find_lines(view, i, next, &found))
        return add(self, (pare_definition){.name = (uint32_t)i,
                                           .parameters = parameters,
                                           .all = {begin_of(view, i), found},
                                           .body = {next, found - 1},
                                           .separator = PARE_NO_LEXEME,
                                           .first = true});
    if (find_block(view, next, parameters != PARE_NO_LEXEME, &found))
        return add_block(self, i, parameters, found);
    if (find_separator(view, next, parameters != PARE_NO_LEXEME, &found))
        return add_values(self, i, parameters, found);
    if (find_head(view, i, &found)) return add_bracketed(self, i, found);
    return is_second(view, i, next) ? add_rest(self, i, parameters, next) : PARE_OK;
}

/* Words that stand once have no use. */
pare_status pare_definitions_find(const pare_pass_view *view, pare_definitions *out,
                                  pare_error *err)
{
    struct finder finder = {.view = view, .err = err};
    bool binary = pare_pass_is_binary(view);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && !binary && i < view->lexemes.n && !pare_interrupt_asked_at(i);
         i++)
        if (is_word(view, i) && !pare_pass_is_keyword(view, i)) status = find_at(&finder, i);
    if (status)
        pare_definitions_done(&finder.made);
    else
        *out = finder.made;
    return status;
}
