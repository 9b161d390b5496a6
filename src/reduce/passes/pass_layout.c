/* The passes over lines, comments and white space, and over the order of neighbours: comments,
 * duplicate-lines, white-space, reorder.
 *
 * The first two are for the start of a reduction: they remove much for a handful of tests, all
 * in one candidate where that works.  The last two are for its end: white space is what readers
 * and other passes cut along, and order only matters for making results of one bug the same.
 * Invariant: comments, duplicate-lines and white-space only ever shorten; reorder keeps the
 * size and makes the text simpler in the total order, so it cannot go in a circle.
 * Source: C-Reduce's comments, blank and indent; Shrink Ray's cut_comment_like_things,
 * delete_duplicates, remove_whitespace and line_sorter; Hypothesis' reorder_spans. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/terms.h"
#include "reduce/tree/tree.h"
#include "text/order.h"
#include "text/patch.h"
#include "text/split/split.h"

/* --- comments ---------------------------------------------------------------------------- */

/* How comments begin and end; NULL: with the line.  Those of one byte count only at the begin
 * of a line, because the byte is common elsewhere. */
static const struct {
    const char *open, *close;
} FORMS[] = {{"/*", "*/"}, {"<!--", "-->"}, {"//", NULL}, {"--", NULL},
             {"#", NULL},  {";", NULL},     {"%", NULL}};

enum { N_FORMS = sizeof FORMS / sizeof *FORMS, N_KINDS = 2 * N_FORMS };

/* Comments by the looks of them. */
struct comments {
    struct comment {
        pare_extent what; /* goes with it */
        unsigned kind;    /* its form; of those alone on their lines N_FORMS more */
    } * at;               /* owned; ascending */
    size_t n, capacity;
};

/* A space or a tab. */
static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t';
}

/* Whether the byte ends a line. */
static bool is_break(unsigned char byte)
{
    return byte == '\n' || byte == '\r';
}

/* Whether the text stands at `at`. */
static bool starts(const pare_pass_view *view, size_t at, const char *text)
{
    size_t size = strlen(text);
    return view->end - at >= size && memcmp(view->bytes + at, text, size) == 0;
}

/* Whether only blanks stand between the begin of the line and `at`; sets *begin to that. */
static bool leads_line(const pare_pass_view *view, size_t at, size_t *begin)
{
    *begin = at;
    while (*begin > view->begin && is_blank(view->bytes[*begin - 1]))
        --*begin;
    return *begin == view->begin || is_break(view->bytes[*begin - 1]);
}

/* The end of the line that `at` is in. */
static size_t line_end(const pare_pass_view *view, size_t at)
{
    while (at < view->end && !is_break(view->bytes[at]))
        at++;
    return at;
}

/* The end of the comment that begins at `at`, and its form; `at`: no comment begins there. `barren`
 * holds the forms whose end does not come any more in this text, so that the rest is not searched
 * again for each begin. */
static size_t comment_end(const pare_pass_view *view, size_t at, bool leads, bool barren[N_FORMS],
                          unsigned *form)
{
    for (unsigned k = 0; k < N_FORMS; k++) {
        const char *open = FORMS[k].open, *close = FORMS[k].close;
        if (barren[k] || !starts(view, at, open) || (!open[1] && !leads)) continue;
        *form = k;
        if (!close) return line_end(view, at);
        size_t from = at + strlen(open);
        const unsigned char *end =
            memmem(view->bytes + from, view->end - from, close, strlen(close));
        if (end) return (size_t)(end - view->bytes) + strlen(close);
        /* Looked for once: without this an unclosed form would make the walk quadratic. */
        barren[k] = true;
    }
    return at;
}

/* The comment, with the blanks before it; with all of its line if nothing else is there. */
static pare_extent extent_of(const pare_pass_view *view, size_t from, size_t to, bool *alone)
{
    size_t begin;
    bool leads = leads_line(view, from, &begin);
    /* Alone on its line: the line goes with its end, which may be two bytes. */
    *alone = leads && to < view->end && is_break(view->bytes[to]);
    if (!*alone) return (pare_extent){leads ? from : begin, to};
    bool both = view->bytes[to] == '\r' && to + 1 < view->end && view->bytes[to + 1] == '\n';
    return (pare_extent){begin, to + (both ? 2 : 1)};
}

/* Lists a comment of a form. */
static pare_status add_comment(const pare_pass_view *view, pare_extent what, unsigned form,
                               struct comments *comments, pare_error *err)
{
    struct comment *at =
        pare_vector_grow(comments->at, comments->n, &comments->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    bool alone;
    comments->at = at;
    what = extent_of(view, what.from, what.to, &alone);
    at[comments->n++] = (struct comment){what, alone ? form + N_FORMS : form};
    return PARE_OK;
}

/* Offers the comments of one kind at once, and each as a part of that. */
static pare_status offer_kind(const struct comments *comments, unsigned kind, pare_patches *out,
                              pare_error *err)
{
    uint32_t all = PARE_NO_PATCH;
    size_t n = 0;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < comments->n; i++)
        n += comments->at[i].kind == kind;
    for (size_t i = 0; n > 1 && !status && i < comments->n; i++) {
        const pare_extent what = comments->at[i].what;
        if (comments->at[i].kind == kind)
            status = pare_patches_change(out, what.from, what.to, NULL, 0, err);
    }
    if (n > 1 && !status) status = pare_patches_end(out, PARE_NO_PATCH, &all, err);
    for (size_t i = 0; n && !status && i < comments->n; i++)
        if (comments->at[i].kind == kind)
            status = pare_pass_offer_cut(out, comments->at[i].what, all, NULL, err);
    return status;
}

/* Lists what looks like a comment. */
static pare_status list_comments(const pare_pass_view *view, struct comments *comments,
                                 pare_error *err)
{
    pare_status status = PARE_OK;
    /* `leads`: only blanks were seen on this line so far. */
    bool leads = true, barren[N_FORMS] = {false};
    size_t look = 0;
    unsigned form = 0;
    for (size_t at = view->begin;
         !status && at < view->end && !pare_interrupt_asked_past(at, &look);) {
        size_t end = comment_end(view, at, leads, barren, &form);
        if (end > at) {
            status = add_comment(view, (pare_extent){at, end}, form, comments, err);
            at = end;
            continue;
        }
        leads = is_break(view->bytes[at]) || (leads && is_blank(view->bytes[at]));
        at++;
    }
    return status;
}

/* Offers comments by their looks, in a text without a tree. Some of what looks like a comment is
 * none, such as an address in a string; so all of one form are offered together, and among each
 * form also only those alone on their lines, which are the surest and mostly the larger part. */
static pare_status offer_forms(const pare_pass_view *view, pare_patches *out, pare_error *err)
{
    struct comments comments = {0};
    if (pare_pass_is_binary(view)) return PARE_OK;
    pare_status status = list_comments(view, &comments, err);
    for (unsigned kind = 0; !status && kind < N_KINDS; kind++)
        status = offer_kind(&comments, kind, out, err);
    pare_alloc_free(comments.at);
    return status;
}

/* Whether the node's symbol is called a comment. */
static bool is_comment(const pare_pass_view *view, uint32_t node)
{
    pare_tree_symbol own = view->tree->nodes[node].own;
    const char *name = own.kind == PARE_NODE_TOKEN
                           ? view->names->token(view->names->language, own.symbol)
                           : view->names->rule(view->names->language, own.symbol);
    return name && (strstr(name, "comment") || strstr(name, "COMMENT"));
}

/* Comments of the tree, as its language has them. */
static pare_status offer_leaves(const pare_pass_view *view, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        if (at->node == PARE_NO_NODE) continue;
        uint32_t kind = view->tree->nodes[at->node].own.kind;
        bool alone;
        if ((kind == PARE_NODE_TOKEN || kind == PARE_NODE_RULE) && is_comment(view, at->node))
            status = pare_pass_offer_cut(out, extent_of(view, at->from, at->to, &alone),
                                         PARE_NO_PATCH, NULL, err);
    }
    return status;
}

/* comments: all go at once; if they cannot, each by itself, with its line if it is alone there.
 *
 * A tree tells its comments by the names of its leaves. In a text without a tree, what looks like
 * one in most languages is taken for one; binary files have none.
 *
 * Source: C-Reduce's comments, Shrink Ray's cut_comment_like_things. */
static pare_status offer_comments(const pare_pass *pass, const pare_pass_view *view,
                                  pare_patches *out, pare_error *err)
{
    (void)pass;
    out->spaced = true;
    if (view->tree && view->names) return offer_leaves(view, out, err);
    return offer_forms(view, out, err);
}

const pare_pass pare_pass_comments = {
    .name = "comments",
    .summary = "removes comments",
    .source = "C-Reduce, comments; Shrink Ray, cut_comment_like_things",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_comments,
};

/* A line and its hash. */
struct line {
    uint32_t from, to;
    uint64_t hash;
};

/* Equal lines together, the first in the text first. */
static int by_hash(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->from < y->from ? -1 : 1;
}

/* In the order of the text. */
static int by_place(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return x->from < y->from ? -1 : 1;
}

/* Moves the lines that occur earlier, too, to the front, and returns how many there are.
 * Lines are compared in full where their hashes are equal, so no line goes that is not repeated. */
static size_t keep_repeated(const unsigned char *bytes, struct line *lines, size_t n)
{
    size_t kept = 0;
    qsort(lines, n, sizeof *lines, by_hash);
    struct line before = {0};
    for (size_t i = 0; i < n; i++) {
        struct line line = lines[i];
        size_t size = line.to - line.from;
        bool same = i && before.hash == line.hash && before.to - before.from == size &&
                    memcmp(bytes + before.from, bytes + line.from, size) == 0;
        before = line;
        if (same) lines[kept++] = line;
    }
    assert(!n || kept < n); /* the first of its kind stays */
    return kept;
}

/* duplicate-lines: lines that stood before go, all at once if that works.
 * Source: Shrink Ray's delete_duplicates. */
static pare_status offer_duplicates(const pare_pass *pass, const pare_pass_view *view,
                                    pare_patches *out, pare_error *err)
{
    pare_bounds bounds = {0};
    struct line *lines = NULL;
    size_t n = 0;
    (void)pass;
    pare_status status = pare_splitter_find("line")->split(view->bytes + view->begin,
                                                           view->end - view->begin, &bounds, err);
    if (!status && !(lines = pare_alloc(bounds.n, sizeof *lines))) status = pare_fail_nomem(err);
    for (size_t i = 0; !status && i < bounds.n; i++) {
        size_t from = view->begin + pare_split_bounds_begin(&bounds, i);
        size_t to = view->begin + pare_split_bounds_begin(&bounds, i + 1);
        lines[n++] = (struct line){(uint32_t)from, (uint32_t)to,
                                   pare_lexemes_hash(view->bytes + from, to - from)};
    }
    if (n) n = keep_repeated(view->bytes, lines, n);
    if (n) qsort(lines, n, sizeof *lines, by_place);
    for (size_t i = 0; !status && i < n; i++)
        status = pare_pass_offer_cut(out, (pare_extent){lines[i].from, lines[i].to}, PARE_NO_PATCH,
                                     NULL, err);
    pare_alloc_free(lines);
    pare_split_bounds_done(&bounds);
    return status;
}

const pare_pass pare_pass_duplicate_lines = {
    .name = "duplicate-lines",
    .summary = "removes lines that occurred before",
    .source = "Shrink Ray, delete_duplicates",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_duplicates,
};

/* Bytes from .. to-1 are white space between two tokens, before the first or after the last
 * one.
 *
 * Example: the gap of a line end, a blank line and four blanks becomes nothing; else a blank;
 * else a line end; else it loses the blank line. */
static pare_status offer_gap(const pare_pass_view *view, pare_extent gap, pare_patches *out,
                             pare_error *err)
{
    uint32_t least = PARE_NO_PATCH;
    size_t size = gap.to - gap.from;
    if (!size) return PARE_OK;
    bool inner = gap.from > view->begin && gap.to < view->end;
    bool words = inner && pare_tree_is_word_byte(view->bytes[gap.from - 1]) &&
                 pare_tree_is_word_byte(view->bytes[gap.to]);
    /* A line end may mean something where blanks do not, so one is offered by itself. */
    bool breaks = memchr(view->bytes + gap.from, '\n', size) != NULL;
    /* Two words need one blank between them. */
    if (words && size == 1) return PARE_OK;
    pare_status status = pare_pass_offer_text(out, (pare_pass_text){gap, " ", words ? 1 : 0},
                                              PARE_NO_PATCH, &least, err);
    if (status || size == 1) return status;
    if (!words) status = pare_pass_offer_text(out, (pare_pass_text){gap, " ", 1}, least, NULL, err);
    if (!status && breaks)
        status = pare_pass_offer_text(out, (pare_pass_text){gap, "\n", 1}, least, NULL, err);
    const unsigned char *last = memrchr(view->bytes + gap.from, '\n', size);
    if (!status && last) /* blank lines and blanks at the end go, indentation stays */
        status = pare_pass_offer_cut(out, (pare_extent){gap.from, (size_t)(last - view->bytes)},
                                     least, NULL, err);
    return status;
}

/* white-space: between two tokens stands nothing, or one space where two words would touch;
 * else only a line end without blank lines, indentation and blanks before it.  To be run last:
 * line ends are what readers have, and what other passes cut along.
 * Source: C-Reduce's blank and indent, Shrink Ray's remove_whitespace and remove_indents. */
static pare_status offer_space(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    pare_status status = PARE_OK;
    size_t cursor = view->begin;
    (void)pass;
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++) {
        status = offer_gap(view, (pare_extent){cursor, view->lexemes.at[i].from}, out, err);
        cursor = view->lexemes.at[i].to;
    }
    return status ? status : offer_gap(view, (pare_extent){cursor, view->end}, out, err);
}

const pare_pass pare_pass_white_space = {
    .name = "white-space",
    .summary = "removes white space, blank lines and indentation",
    .source = "C-Reduce, blank and indent; Shrink Ray, remove_whitespace",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_space,
};

/* --- reorder ----------------------------------------------------------------------------- */

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

/* Whether `first` and `second`, in this order in the text, are simpler the other way round.
 * O(bytes) without building either text. */
static bool is_simpler_swapped(const pare_pass_view *view, pare_extent first, pare_extent second)
{
    pare_extent between = {first.to, second.from};
    for (size_t at = 0; at < second.to - first.from; at++) {
        unsigned char before = byte_of(view, first, between, second, at);
        unsigned char after = byte_of(view, second, between, first, at);
        /* Both ways have the same bytes in all, so the first that differs decides, as in the
         * total order. */
        if (before != after) return pare_order_byte_rank(after) < pare_order_byte_rank(before);
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

/* The two runs change places if the text is simpler then and no tokens run together. */
static pare_status offer_swap(const pare_pass_view *view, pare_lexeme_run a, pare_lexeme_run b,
                              pare_patches *out, pare_error *err)
{
    pare_extent first = pare_terms_extent(view, a), second = pare_terms_extent(view, b);
    assert(first.to <= second.from); /* neighbours, in the order of the text */
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

/* Neighbouring elements of one bracket group. */
static pare_status offer_group(const pare_pass_view *view, size_t open, pare_patches *out,
                               pare_error *err)
{
    size_t at = open;
    pare_lexeme_run before, element;
    pare_status status = PARE_OK;
    if (!pare_terms_next_element(view, open, &at, &before)) return PARE_OK;
    while (!status && pare_terms_next_element(view, open, &at, &element)) {
        status = offer_swap(view, before, element, out, err);
        before = element;
    }
    return status;
}

/* The end of the statement that begins with lexeme `first`, outside of brackets: before a `;` or at
 * the end of the line. *next is where another statement may begin. */
static pare_lexeme_run statement_at(const pare_pass_view *view, size_t first, size_t *next)
{
    size_t n = view->lexemes.n, last = first;
    for (size_t i = first; i < n; i++) {
        if (i > first && pare_pass_starts_line(view, i)) break;
        if (pare_pass_lexeme_is(view, i, ";")) break;
        const pare_lexeme *at = &view->lexemes.at[i];
        if (at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME) i = at->partner;
        last = i;
    }
    *next = last + 1;
    while (*next < n && pare_pass_lexeme_is(view, *next, ";"))
        ++*next;
    return (pare_lexeme_run){first, last};
}

/* Neighbouring statements or lines, over the whole file. */
static pare_status offer_statements(const pare_pass_view *view, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t next = 0;
    pare_lexeme_run before = {0};
    for (size_t first = 0; !status && first < view->lexemes.n; first = next) {
        pare_lexeme_run statement = statement_at(view, first, &next);
        if (first) status = offer_swap(view, before, statement, out, err);
        before = statement;
    }
    return status;
}

/* The operands beside the signs. */
static pare_status offer_operands(const pare_pass_view *view, pare_lexeme_run signs,
                                  pare_patches *out, pare_error *err)
{
    pare_lexeme_run left, right;
    if (!signs.first || !pare_terms_before(view, signs.first - 1, &left) ||
        !pare_terms_after(view, signs.last + 1, &right))
        return PARE_OK;
    return offer_swap(view, left, right, out, err);
}

/* reorder: two neighbours change places if that puts the simpler one first: elements of a
 * bracket group, statements and lines of the file, operands beside one sign.
 *
 * Nothing gets shorter by it; but texts that differ in the order of their parts only come to
 * the same.  Neighbours only, so that a run of it sorts at most one step; it repeats.
 * Source: Shrink Ray's line_sorter, Hypothesis' reorder_spans. */
static pare_status offer_reorder(const pare_pass *pass, const pare_pass_view *view,
                                 pare_patches *out, pare_error *err)
{
    pare_lexeme_run signs = {0};
    (void)pass;
    /* There neighbours are not what they look like. */
    if (pare_pass_is_binary(view) || pare_pass_has_lone_quote(view)) return PARE_OK;
    pare_status status = offer_statements(view, out, err);
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        if (at->kind == PARE_LEXEME_OPEN && at->partner != PARE_NO_LEXEME)
            status = offer_group(view, i, out, err);
        if (status || !pare_terms_signs(view, i, &signs)) continue;
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
    .offer = offer_reorder,
};
