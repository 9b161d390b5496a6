/* What all lexical passes share: the table of them, the view of a file, words that occur in it,
 * and the patches that passes offer.
 *
 * A pass is a pure function from a view to a list of patches.  It runs nothing and remembers
 * nothing, so it can be tested without an oracle, run on any text, and its patches tried in any
 * order or in parallel (engine/pool).  What decides about a cut is here, in one place: whole
 * lines go with their line end, words never run together.
 * Invariant: what a pass offers stays inside the file and keeps the pass's claim;
 * pare_pass_check says so, for tests and the fuzzer.
 * Source: the order coarse to fine is C-Reduce's; offering patches in place of transforming
 * text is Shrink Ray's.
 * Cost: no tests; lexemes of a file are made once a view, in linear time. */
#include "reduce/passes/pass.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/parse_tree.h"
#include "reduce/passes/lexemes.h"
#include "reduce/tree/tree.h"
#include "text/candidate.h"
#include "text/order.h"
#include "text/patch.h"
#include "text/text.h"

/* --- cuts and patches -------------------------------------------------------------------- */

/* Whether the byte ends a line. */
static bool is_break(unsigned char byte)
{
    return byte == '\n' || byte == '\r';
}

/* Where the gap before lexeme `i` begins. */
static size_t gap_begin(const pare_pass_view *view, size_t i)
{
    return i ? view->lexemes.at[i - 1].to : view->begin;
}

/* Where the gap before lexeme `i` ends. For i = n it is the gap after the last lexeme, up to the
 * end of the file. */
static size_t gap_end(const pare_pass_view *view, size_t i)
{
    return i < view->lexemes.n ? view->lexemes.at[i].from : view->end;
}

/* Where the last line in the gap before lexeme `i` begins; without a line end, where the gap
 * does. */
static size_t last_line(const pare_pass_view *view, size_t i)
{
    size_t begin = gap_begin(view, i), at = gap_end(view, i);
    while (at > begin && !is_break(view->bytes[at - 1]))
        at--;
    return at;
}

/* The gap before a lexeme is white space, so a line end in it is all that has to be found. */
bool pare_pass_starts_line(const pare_pass_view *view, size_t i)
{
    return i == 0 || i == view->lexemes.n || last_line(view, i) > gap_begin(view, i);
}

/* What to cut so that lexemes first .. last go. If they fill whole lines, the text before and after
 * stays on lines of its own.
 *
 * Examples: for ` a;` on a line of its own, the whole line; for `a,` in `f(a, b)`, also the blank
 * after it; for `b;` at the end of a line, also the blanks before it. */
pare_extent pare_pass_extent(const pare_pass_view *view, size_t first, size_t last)
{
    bool starts = pare_pass_starts_line(view, first);
    bool ends = pare_pass_starts_line(view, last + 1);
    size_t end = view->lexemes.at[last].to;
    assert(first <= last && last < view->lexemes.n);
    if (starts && ends && last + 1 < view->lexemes.n)
        return (pare_extent){last_line(view, first), last_line(view, last + 1)};
    if (ends) return (pare_extent){gap_begin(view, first), end};
    return (pare_extent){view->lexemes.at[first].from, gap_end(view, last + 1)};
}

/* A string may be one lexeme with several nodes below it; only a token that is all of the
 * lexeme counts. */
pare_index pare_pass_lexeme_type(const pare_pass_view *view, size_t i)
{
    const pare_lexeme *at = &view->lexemes.at[i];
    if (!view->token_rules || !view->tree || at->node == PARE_NO_NODE) return PARE_NO_INDEX;
    const pare_tree_node *nodes = view->tree->nodes;
    /* The lexeme's node is the topmost; the token may be any below it that has the same bytes. */
    for (uint32_t node = at->node; node < nodes[at->node].after; node++) {
        bool whole = nodes[node].begin == at->from && nodes[node].end == at->to;
        if (whole && nodes[node].own.kind == PARE_NODE_TOKEN) return nodes[node].own.symbol;
    }
    return PARE_NO_INDEX;
}

/* False after the last lexeme, so callers may ask about a neighbour without looking. */
bool pare_pass_lexeme_is(const pare_pass_view *view, size_t i, const char *text)
{
    size_t size = strlen(text);
    return i < view->lexemes.n && pare_pass_lexeme_size(view, i) == size &&
           memcmp(view->bytes + view->lexemes.at[i].from, text, size) == 0;
}

/* A single byte that no text contains is enough. */
bool pare_pass_is_binary(const pare_pass_view *view)
{
    return pare_bytes_of_no_text(view->bytes + view->begin, view->end - view->begin) > 0;
}

/* O(lexemes). A quote that begins a string is part of a lexeme of that kind. */
bool pare_pass_has_lone_quote(const pare_pass_view *view)
{
    for (size_t i = 0; i < view->lexemes.n && !pare_interrupt_asked_at(i); i++) {
        unsigned char byte = view->bytes[view->lexemes.at[i].from];
        bool quote = byte == '"' || byte == '\'' || byte == '`';
        if (quote && view->lexemes.at[i].kind != PARE_LEXEME_STRING) return true;
    }
    return false;
}

pare_status pare_pass_offer_text(pare_patches *out, pare_pass_text text, uint32_t parent,
                                 uint32_t *index, pare_error *err)
{
    assert(text.what.from <= text.what.to && (text.with || !text.size));
    pare_status status =
        pare_patches_change(out, text.what.from, text.what.to, text.with, text.size, err);
    return status ? status : pare_patches_end(out, parent, index, err);
}

/* A cut is a change to nothing. */
pare_status pare_pass_offer_cut(pare_patches *out, pare_extent what, uint32_t parent,
                                uint32_t *index, pare_error *err)
{
    return pare_pass_offer_text(out, (pare_pass_text){what, NULL, 0}, parent, index, err);
}

/* --- words of a view --------------------------------------------------------------------- */

/* The list is empty afterwards. */
void pare_pass_words_done(pare_pass_words *words)
{
    pare_alloc_free(words->items);
    *words = (pare_pass_words){0};
}

/* Whether the symbol's name is the text of the lexeme, which ANTLR puts in quotes. */
static bool is_called_like(const pare_pass_view *view, size_t i, const char *name)
{
    size_t size = pare_pass_lexeme_size(view, i);
    if (pare_pass_lexeme_is(view, i, name)) return true;
    return strlen(name) == size + 2 && name[0] == '\'' && name[size + 1] == '\'' &&
           memcmp(name + 1, view->bytes + view->lexemes.at[i].from, size) == 0;
}

/* By the symbol's name in the tree: a keyword's symbol is called like itself. */
bool pare_pass_is_keyword(const pare_pass_view *view, size_t i)
{
    uint32_t node = view->lexemes.at[i].node;
    if (!view->names || !view->tree || node == PARE_NO_NODE) return false;
    pare_tree_symbol own = view->tree->nodes[node].own;
    if (own.kind != PARE_NODE_TOKEN) return false;
    const char *name = view->names->token(view->names->language, own.symbol);
    return name && is_called_like(view, i, name);
}

/* How often the bytes of lexeme `first` occur from there on. */
static uint32_t count(const pare_lexemes *lexemes, uint32_t first)
{
    uint32_t n = 0;
    for (uint32_t i = first; i != PARE_NO_LEXEME; i = lexemes->at[i].next)
        n++;
    return n;
}

/* Lists no words of a binary file, where what looks like a word is a value. */
pare_status pare_pass_list_words(const pare_pass_view *view, pare_lexeme_kind kind, uint32_t least,
                                 pare_pass_words *out, pare_error *err)
{
    const pare_lexemes *lexemes = &view->lexemes;
    pare_pass_words words = {0};
    bool binary = pare_pass_is_binary(view);
    for (uint32_t i = 0; !binary && i < lexemes->n && !pare_interrupt_asked_at(i); i++) {
        if (lexemes->at[i].kind != kind || lexemes->at[i].first != i) continue;
        uint32_t n = count(lexemes, i);
        if (n < least || pare_pass_is_keyword(view, i)) continue;
        struct pare_pass_word *items =
            pare_vector_grow(words.items, words.n, &words.capacity, sizeof *words.items);
        if (!items) {
            pare_pass_words_done(&words);
            return pare_fail_nomem(err);
        }
        words.items = items;
        items[words.n++] = (struct pare_pass_word){.first = i, .count = n};
    }
    *out = words;
    return PARE_OK;
}

/* The total order of text/order.h for texts of one token: size first, then the first byte that
 * differs. */
bool pare_pass_is_simpler(const void *a, size_t a_size, const void *b, size_t b_size)
{
    const unsigned char *x = a, *y = b;
    if (a_size != b_size) return a_size < b_size;
    size_t i = 0;
    while (i < a_size && x[i] == y[i])
        i++;
    return i < a_size && pare_order_byte_rank(x[i]) < pare_order_byte_rank(y[i]);
}

/* --- the table and how a pass is run ----------------------------------------------------- */

/* Coarse to fine: what removes much for few tests comes first, what tries each token or byte
 * last. */
static const pare_pass *const table[] = {
    &pare_pass_comments,
    &pare_pass_duplicate_lines,
    &pare_pass_counted,
    &pare_pass_brackets,
    &pare_pass_merge_groups,
    &pare_pass_lift,
    &pare_pass_operators,
    &pare_pass_chains,
    &pare_pass_inline_text,
    &pare_pass_unused_definitions,
    &pare_pass_inline_definitions,
    &pare_pass_bypass,
    &pare_pass_redirect,
    &pare_pass_alternatives,
    &pare_pass_other_lines,
    &pare_pass_operands,
    &pare_pass_coherent_deletion,
    &pare_pass_delete_to_equal_token,
    &pare_pass_numbers,
    &pare_pass_strings,
    &pare_pass_peephole,
    &pare_pass_short_names,
    &pare_pass_long_words,
    &pare_pass_word_pieces,
    &pare_pass_merge_names,
    &pare_pass_token_rules,
    &pare_pass_shrink_token,
    &pare_pass_repeats,
    &pare_pass_token_windows,
    &pare_pass_byte_windows,
    &pare_pass_token_patterns,
    &pare_pass_white_space,
    &pare_pass_byte_values,
    &pare_pass_reorder,
};

enum { N_PASSES = sizeof table / sizeof(const pare_pass *) };

/* The order is part of the behaviour: it decides which pass gets the tests first. */
const pare_pass *const *pare_pass_table(size_t *n)
{
    *n = N_PASSES;
    return table;
}

/* Names are those of the command line and of the statistics. */
const pare_pass *pare_pass_find(const char *name)
{
    for (size_t i = 0; i < N_PASSES; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

/* *view is written only when all of it was made, so a failed one need not be closed. */
pare_status pare_pass_view_open(const pare_pass_view *given, pare_pass_view *view, pare_error *err)
{
    pare_pass_view made = *given;
    made.bytes = pare_text_bytes(given->text);
    made.lexemes = (pare_lexemes){0};
    if (!made.bytes && pare_text_size(given->text))
        return pare_fail(err, PARE_E_ARG, "a pass needs its text in one piece");
    pare_status status =
        pare_lexemes_make(made.bytes, made.begin, made.end, made.tree, &made.lexemes, err);
    if (status) return status;
    assert(pare_lexemes_check(&made.lexemes, made.bytes, made.begin, made.end));
    *view = made;
    return PARE_OK;
}

/* Of what the view refers to, only the lexemes are its own. */
void pare_pass_view_close(pare_pass_view *view)
{
    pare_lexemes_done(&view->lexemes);
}

/* Whether the pass would offer too much for a file of this size: its patches grow faster than
 * it.
 * Some passes offer patches for all pairs of something, or windows of many widths. */
static bool is_too_large(const pare_pass *pass, const pare_pass_view *view)
{
    return (pass->most_lexemes && view->lexemes.n > pass->most_lexemes) ||
           (pass->most_bytes && view->end - view->begin > pass->most_bytes);
}

/* A file that is too large for the pass gets an empty list, not an error. */
pare_status pare_pass_offer(const pare_pass *pass, const pare_pass_view *view, pare_patches **out,
                            pare_error *err)
{
    pare_patches *patches = NULL;
    pare_status status = pare_patches_new(view->text, &patches, err);
    if (!status && !is_too_large(pass, view)) status = pass->offer(pass, view, patches, err);
    if (!status) status = pare_interrupt_look(err);
    if (status) {
        pare_patches_unref(patches);
        return status;
    }
    *out = patches;
    return PARE_OK;
}

/* --- checking ---------------------------------------------------------------------------- */

/* Whether the changes ascend, do not overlap and stay in the file.
 * Changes of one patch must ascend, or making them together would not be defined. */
static bool stays_inside(const pare_pass_view *view, const pare_change *changes, size_t n)
{
    size_t cursor = view->begin;
    for (size_t i = 0; i < n; i++) {
        if (changes[i].from < cursor || changes[i].to < changes[i].from) return false;
        cursor = changes[i].to;
    }
    return cursor <= view->end;
}

/* Whether the candidate is smaller in the way that the pass claims. */
static pare_status keeps_claim(const pare_pass *pass, const pare_pass_view *view,
                               const pare_candidate *candidate, bool *kept, pare_error *err)
{
    pare_candidate whole = {0};
    int order = 0;
    /* Whatever is shorter is smaller; the order has to be asked only about texts of one size. */
    *kept = pass->claim == PARE_PASS_ANY || candidate->size < pare_text_size(view->text);
    if (*kept) return PARE_OK;
    pare_candidate_start(&whole, view->text);
    pare_status status = pare_candidate_slice(&whole, 0, pare_text_size(view->text), err);
    if (!status) status = pare_order_compare(candidate, &whole, &order, err);
    pare_candidate_done(&whole);
    *kept = order < 0;
    return status;
}

/* Makes each patch alone, as the pool may, and compares the candidate with the text. */
pare_status pare_pass_check(const pare_pass *pass, const pare_pass_view *view,
                            const pare_patches *patches, bool *kept, uint32_t *patch,
                            pare_error *err)
{
    pare_candidate candidate = {0};
    pare_status status = PARE_OK;
    bool all = true;
    for (uint32_t i = 0; !status && all && i < patches->n; i++) {
        const pare_change *changes = pare_patch_changes(patches, i);
        size_t n = patches->patches[i].n_changes;
        if (patch) *patch = i;
        all = stays_inside(view, changes, n);
        if (all) status = pare_patches_candidate(patches, changes, n, &candidate, err);
        if (all && !status) status = keeps_claim(pass, view, &candidate, &all, err);
    }
    pare_candidate_done(&candidate);
    if (!status) *kept = all;
    return status;
}
