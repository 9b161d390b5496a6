/* comments: all go at once, else each by itself, with its line where it has one of its own.
 *
 * Where a tree tells its leaves by name, comments are those that are called so; else what
 * looks like one in most languages that have it; binary files have none.
 * Source: C-Reduce's comments, Shrink Ray's cut_comment_like_things. */
#include <string.h>

#include "parse/parse_tree.h"
#include "reduce/passes/edits.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "reduce/passes/passes.h"
#include "reduce/tree/tree.h"
#include "text/patch.h"

/* How comments begin and end; NULL: with the line.  Those of one byte count only at the begin
 * of a line, because the byte is common elsewhere. */
static const struct {
    const char *open, *close;
} FORMS[] = {{"/*", "*/"}, {"<!--", "-->"}, {"//", NULL}, {"--", NULL},
             {"#", NULL},  {";", NULL},     {"%", NULL}};

enum { N_FORMS = sizeof FORMS / sizeof *FORMS };

static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t';
}

static bool is_break(unsigned char byte)
{
    return byte == '\n' || byte == '\r';
}

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

static size_t line_end(const pare_pass_view *view, size_t at)
{
    while (at < view->end && !is_break(view->bytes[at]))
        at++;
    return at;
}

/* Where the comment that begins at `at` ends; `at` itself: none does.  `barren` tells the
 * forms whose end does not come any more. */
static size_t comment_end(const pare_pass_view *view, size_t at, bool leads, bool barren[N_FORMS])
{
    for (size_t k = 0; k < N_FORMS; k++) {
        const char *open = FORMS[k].open, *close = FORMS[k].close;
        if (barren[k] || !starts(view, at, open) || (!open[1] && !leads)) continue;
        if (!close) return line_end(view, at);
        size_t from = at + strlen(open);
        const unsigned char *end =
            memmem(view->bytes + from, view->end - from, close, strlen(close));
        if (end) return (size_t)(end - view->bytes) + strlen(close);
        barren[k] = true;
    }
    return at;
}

/* The comment, with the blanks before it; with all of its line if nothing else is there. */
static pare_status offer_comment(const pare_pass_view *view, size_t from, size_t to,
                                 pare_patches *out, pare_error *err)
{
    size_t begin;
    bool leads = leads_line(view, from, &begin);
    if (leads && to < view->end && is_break(view->bytes[to])) {
        bool both = view->bytes[to] == '\r' && to + 1 < view->end && view->bytes[to + 1] == '\n';
        return pare_offer_cut(out, (pare_extent){begin, to + (both ? 2 : 1)}, PARE_NO_PATCH, NULL,
                              err);
    }
    return pare_offer_cut(out, (pare_extent){leads ? from : begin, to}, PARE_NO_PATCH, NULL, err);
}

static pare_status offer_forms(const pare_pass_view *view, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    bool leads = true, barren[N_FORMS] = {false};
    if (pare_view_is_binary(view)) return PARE_OK;
    for (size_t at = view->begin; !status && at < view->end;) {
        size_t end = comment_end(view, at, leads, barren);
        if (end > at) {
            status = offer_comment(view, at, end, out, err);
            at = end;
            continue;
        }
        leads = is_break(view->bytes[at]) || (leads && is_blank(view->bytes[at]));
        at++;
    }
    return status;
}

static bool is_comment(const pare_pass_view *view, uint32_t node)
{
    pare_tree_symbol own = view->tree->nodes[node].own;
    const char *name = own.kind == PARE_NODE_TOKEN
                           ? view->names->token(view->names->language, own.symbol)
                           : view->names->rule(view->names->language, own.symbol);
    return name && (strstr(name, "comment") || strstr(name, "COMMENT"));
}

static pare_status offer_leaves(const pare_pass_view *view, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < view->lexemes.n; i++) {
        const pare_lexeme *at = &view->lexemes.at[i];
        if (at->node == PARE_NO_NODE) continue;
        uint32_t kind = view->tree->nodes[at->node].own.kind;
        if ((kind == PARE_NODE_TOKEN || kind == PARE_NODE_RULE) && is_comment(view, at->node))
            status = offer_comment(view, at->from, at->to, out, err);
    }
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    (void)pass;
    out->spaced = true;
    if (view->tree && view->names) return offer_leaves(view, out, err);
    return offer_forms(view, out, err);
}

const pare_pass pare_pass_comments = {
    .name = "comments",
    .summary = "leaves out comments",
    .source = "C-Reduce, comments; Shrink Ray, cut_comment_like_things",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_TOGETHER,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer,
};
