/* Edits of a view: where a cut begins and ends, so that what stays keeps its lines. */
#include "reduce/passes/edits.h"

#include <string.h>

#include "grammar/grammar.h"
#include "parse/parse_tree.h"
#include "reduce/passes/lexemes.h"
#include "reduce/tree/tree.h"
#include "text/patch.h"
#include "text/text.h"

static bool is_break(unsigned char byte)
{
    return byte == '\n' || byte == '\r';
}

static size_t gap_begin(const pare_pass_view *view, size_t i)
{
    return i ? view->lexemes.at[i - 1].to : view->begin;
}

static size_t gap_end(const pare_pass_view *view, size_t i)
{
    return i < view->lexemes.n ? view->lexemes.at[i].from : view->end;
}

/* Where the last line of the gap before lexeme `i` begins; its begin when it has no line
 * end. */
static size_t last_line(const pare_pass_view *view, size_t i)
{
    size_t begin = gap_begin(view, i), at = gap_end(view, i);
    while (at > begin && !is_break(view->bytes[at - 1]))
        at--;
    return at;
}

bool pare_lexeme_starts_line(const pare_pass_view *view, size_t i)
{
    return i == 0 || i == view->lexemes.n || last_line(view, i) > gap_begin(view, i);
}

pare_extent pare_edit_lexemes(const pare_pass_view *view, size_t first, size_t last)
{
    bool starts = pare_lexeme_starts_line(view, first);
    bool ends = pare_lexeme_starts_line(view, last + 1);
    size_t end = view->lexemes.at[last].to;
    if (starts && ends && last + 1 < view->lexemes.n)
        return (pare_extent){last_line(view, first), last_line(view, last + 1)};
    if (ends) return (pare_extent){gap_begin(view, first), end};
    return (pare_extent){view->lexemes.at[first].from, gap_end(view, last + 1)};
}

pare_index pare_lexeme_type(const pare_pass_view *view, size_t i)
{
    const pare_lexeme *at = &view->lexemes.at[i];
    if (!view->token_rules || !view->tree || at->node == PARE_NO_NODE) return PARE_NO_INDEX;
    const pare_tree_node *nodes = view->tree->nodes;
    /* A string may be taken for one lexeme with the nodes above it. */
    for (uint32_t node = at->node; node < nodes[at->node].behind; node++) {
        bool whole = nodes[node].begin == at->from && nodes[node].end == at->to;
        if (whole && nodes[node].own.kind == PARE_NODE_TOKEN) return nodes[node].own.symbol;
    }
    return PARE_NO_INDEX;
}

bool pare_lexeme_is(const pare_pass_view *view, size_t i, const char *text)
{
    size_t size = strlen(text);
    return i < view->lexemes.n && pare_lexeme_size(view, i) == size &&
           memcmp(view->bytes + view->lexemes.at[i].from, text, size) == 0;
}

bool pare_view_is_binary(const pare_pass_view *view)
{
    return pare_bytes_of_no_text(view->bytes + view->begin, view->end - view->begin) > 0;
}

bool pare_view_has_lone_quote(const pare_pass_view *view)
{
    for (size_t i = 0; i < view->lexemes.n; i++) {
        unsigned char byte = view->bytes[view->lexemes.at[i].from];
        bool quote = byte == '"' || byte == '\'' || byte == '`';
        if (quote && view->lexemes.at[i].kind != PARE_LEXEME_STRING) return true;
    }
    return false;
}

pare_status pare_offer_text(pare_patches *out, pare_extent what, const void *with, size_t size,
                            uint32_t parent, uint32_t *index, pare_error *err)
{
    pare_status status = pare_patches_change(out, what.from, what.to, with, size, err);
    return status ? status : pare_patches_end(out, parent, index, err);
}

pare_status pare_offer_cut(pare_patches *out, pare_extent what, uint32_t parent, uint32_t *index,
                           pare_error *err)
{
    return pare_offer_text(out, what, NULL, 0, parent, index, err);
}
