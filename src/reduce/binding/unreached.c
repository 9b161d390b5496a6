/* From stretches of text that a run did not reach to patches.
 *
 * A stretch is what an interpreter says was not executed, and begins and ends wherever that counts:
 * at a brace, after a return, at a line.  It is snapped to the program: what goes is the largest
 * nodes that lie in it wholly.  A function keeps its head and loses its body, for somebody may hold
 * it who never calls it; the body of a branch becomes empty; statements go, neighbours together;
 * an expression becomes the smallest value.  That is INSIDE, which changes nothing that was
 * executed, so nearly all of it can be made at once.  AROUND comes after it: the statement around a
 * function or branch of which nothing was reached, which was executed itself, as an assignment of
 * the function is.
 * Where the language has no table, the largest nodes of any tree do, or pieces of the stretch
 * whose brackets are balanced.
 *
 * Invariant: INSIDE touches no byte outside the stretches but separators and spaces.
 * Source: ours.  DustMite's --coverage (Panteleev) deletes lines that a listing of coverage marks
 * as not run; here nodes go, in groups, and the test decides. */
#include "reduce/binding/unreached.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/halving.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/binding/unreached_blocks.h"
#include "reduce/tree/tree.h"

enum {
    LEAST_EXPRESSION = 8, /* bytes: less is not worth a place in the groups */
    FARTHEST = 16 * 1024, /* bytes from a bracket to its partner, where there is no tree */
    NEIGHBOURS = 24       /* bytes: by these the place of a piece is known again */
};

/* The program while pieces of it are collected. */
struct collector {
    const pare_syntax *syntax;
    pare_rewrites *rewrites;
    const pare_unreached *unreached;
    size_t at;          /* the first range that may hold the next node: nodes begin in order */
    uint32_t statement; /* that was looked at last, by AROUND */
};

/* Whether nothing of the node was reached, wherever it is: a search in O(log). */
static bool is_dead(const struct collector *self, uint32_t node)
{
    const pare_unreached *unreached = self->unreached;
    const pare_syntax_node *place = &self->syntax->nodes[node];
    pare_halving search = {.low = 0, .high = unreached->n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, unreached->ranges[search.middle].to <= place->begin);
    return pare_unreached_is(unreached, &search.low, place->begin, place->end);
}

/* What the text of an empty body is, in the place of `body`. */
static const char *empty_body(const pare_syntax *syntax, uint32_t body)
{
    const pare_syntax_table *table = syntax->table;
    uint32_t parent = syntax->nodes[body].parent;
    if (pare_syntax_is(syntax, body, PARE_ROLE_EXPRESSION)) return table->values[0];
    if (parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_FUNCTION))
        return table->no_body;
    /* A single statement makes way for one that does nothing. */
    bool braces = table->blocks == PARE_SYNTAX_BRACKETS && *pare_syntax_text(syntax, body) == '{';
    return braces ? "{}" : table->no_statement;
}

/* Whether the node is the body of the one above it. */
static bool is_body(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    return parent != PARE_NO_NODE && parent != 0 &&
           pare_syntax_matches(syntax, node, syntax->nodes[parent].kind->body);
}

/* Whether a clause may go by itself: of `try` something has to stay. */
static bool is_free_clause(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    return pare_syntax_is(syntax, node, PARE_ROLE_CLAUSE) && parent != PARE_NO_NODE &&
           strncmp(syntax->nodes[parent].kind->type, "try", 3) != 0;
}

/* Whether bytes begin .. end-1 have not been offered in this place before; they count as offered from
 * now on.  A place is what stands up to NEIGHBOURS bytes before and after. */
static pare_status note(struct collector *self, size_t begin, size_t end, bool *is_new,
                        pare_error *err)
{
    const pare_pass_view *view = self->syntax->view;
    *is_new = true;
    /* Nobody keeps what was offered. */
    if (!self->unreached->is_new) return PARE_OK;
    const size_t from = begin - view->begin < NEIGHBOURS ? view->begin : begin - NEIGHBOURS;
    const size_t to = view->end - end < NEIGHBOURS ? view->end : end + NEIGHBOURS;
    return self->unreached->is_new(self->unreached->context, view->bytes + from, to - from, is_new,
                                   err);
}

/* Ends an item of what was wished in bytes begin .. end-1; what was offered before is dropped. */
static pare_status end_item(struct collector *self, size_t begin, size_t end, pare_error *err)
{
    bool is_new = true;
    /* Nothing was wished, so there is no item. */
    if (self->rewrites->n == self->rewrites->open_wish) return PARE_OK;
    pare_status status = note(self, begin, end, &is_new, err);
    if (!is_new) self->rewrites->n = self->rewrites->open_wish;
    if (!status) status = pare_rewrites_alternative(self->rewrites, err);
    return status ? status : pare_rewrites_item(self->rewrites, end - begin, err);
}

/* The same for a wish about a node. */
static pare_status end_node(struct collector *self, uint32_t node, pare_error *err)
{
    const pare_syntax_node *place = &self->syntax->nodes[node];
    return end_item(self, place->begin, place->end, err);
}

/* Wishes that the body becomes empty, unless it is. */
static pare_status empty(struct collector *self, uint32_t body, pare_error *err)
{
    const char *text = empty_body(self->syntax, body);
    const size_t size = pare_syntax_size(self->syntax, body);
    /* An empty body would be no shorter. */
    if (size <= strlen(text)) return PARE_OK;
    pare_status status = pare_rewrites_replace(self->rewrites, body, text, strlen(text), err);
    return status ? status : end_node(self, body, err);
}

/* Whether the statement is there for what an expression in it does; a literal does nothing. */
static bool has_effect(const pare_syntax *syntax, uint32_t statement)
{
    const uint32_t held = statement + 1;
    if (held >= syntax->nodes[statement].after) return false;
    if (pare_syntax_is(syntax, held, PARE_ROLE_ASSIGNS))
        return pare_syntax_child(syntax, held, syntax->nodes[held].kind->value) != PARE_NO_NODE;
    return pare_syntax_is(syntax, held, PARE_ROLE_CALL | PARE_ROLE_EXPRESSION);
}

/* Whether an interpreter that counts lines tells of the statement: it may do nothing for a
 * declaration without a value, nor for a text that is a comment. */
static bool is_told(const struct collector *self, uint32_t node)
{
    const pare_syntax_kind *kind = self->syntax->nodes[node].kind;
    return !self->unreached->by_line || !(kind->roles & (PARE_ROLE_HOLDER | PARE_ROLE_DECLARES)) ||
           kind->body || has_effect(self->syntax, node);
}

/* Wishes that the statements from `node` on go, as far as they were not reached; *after is the
 * first node after them. */
static pare_status remove_statements(struct collector *self, uint32_t node, uint32_t *after,
                                     pare_error *err)
{
    const pare_syntax *syntax = self->syntax;
    const size_t begin = syntax->nodes[node].begin, first = self->rewrites->n;
    size_t end = begin;
    bool told = false;
    pare_status status = PARE_OK;
    for (; !status && node != PARE_NO_NODE; node = pare_syntax_next(syntax, node)) {
        if (!is_dead(self, node)) break;
        *after = syntax->nodes[node].after;
        if (!pare_syntax_is_element(syntax, node)) continue;
        /* A function that is declared among them stays: it may be held by somebody. */
        if (!pare_syntax_is_statement(syntax, node) ||
            pare_syntax_is(syntax, node, PARE_ROLE_FUNCTION)) {
            *after = node;
            break;
        }
        status = pare_rewrites_remove(self->rewrites, node, err);
        told = told || is_told(self, node);
        end = syntax->nodes[node].end;
    }
    /* If no statement of the run is one that the interpreter tells of, that none was reached
     * says nothing. */
    if (!told) self->rewrites->n = first;
    return status ? status : end_item(self, begin, end, err);
}

/* Takes the node, which was not reached, while the one above it was; *next is the node to go on
 * with. */
static pare_status take(struct collector *self, uint32_t node, uint32_t *next, pare_error *err)
{
    const pare_syntax *syntax = self->syntax;
    const pare_syntax_node *place = &syntax->nodes[node];
    const size_t size = place->end - place->begin;
    *next = place->after;
    if (pare_syntax_is(syntax, node, PARE_ROLE_FUNCTION)) {
        uint32_t body = pare_syntax_child(syntax, node, place->kind->body);
        return body == PARE_NO_NODE ? PARE_OK : empty(self, body, err);
    }
    /* Of a clause nothing is left without its body. */
    uint32_t clause = is_free_clause(syntax, node) ? node : place->parent;
    if (is_free_clause(syntax, clause) && (clause == node || is_body(syntax, node))) {
        place = &syntax->nodes[clause];
        pare_status status =
            pare_rewrites_range(self->rewrites, place->begin, place->end, NULL, 0, err);
        return status ? status : end_node(self, clause, err);
    }
    if (is_body(syntax, node)) return empty(self, node, err);
    const bool is_clause = pare_syntax_is(syntax, node, PARE_ROLE_CLAUSE);
    if (pare_syntax_is_statement(syntax, node) && pare_syntax_is_element(syntax, node) &&
        !is_clause)
        return remove_statements(self, node, next, err);
    if (pare_syntax_is(syntax, node, PARE_ROLE_EXPRESSION | PARE_ROLE_PRIMARY)) {
        const char *value = syntax->table->values[0];
        /* A line within a statement may have no code of its own. */
        if (size < LEAST_EXPRESSION || self->unreached->by_line) return PARE_OK;
        pare_status status = pare_rewrites_replace(self->rewrites, node, value, strlen(value), err);
        return status ? status : end_node(self, node, err);
    }
    /* A clause of a try, a list: what is in it. */
    *next = node + 1;
    return PARE_OK;
}

/* INSIDE: the largest nodes that were not reached, in the order of the text. */
static pare_status collect_inside(struct collector *self, pare_error *err)
{
    const pare_syntax *syntax = self->syntax;
    pare_status status = PARE_OK;
    for (uint32_t node = 1, next; !status && node < syntax->n; node = next) {
        const pare_syntax_node *place = &syntax->nodes[node];
        next = node + 1;
        if (!pare_unreached_is(self->unreached, &self->at, place->begin, place->end)) continue;
        status = take(self, node, &next, err);
        /* The item's own first statement may have been refused. */
        if (next <= node) next = node + 1;
    }
    return status;
}

/* ---- around ----------------------------------------------------------------------------- */

/* Whether a body was not reached, or there is nothing in it.  Marks behind its brace tell of what is
 * between the braces only, so of a block each statement is asked for. */
static bool is_dead_body(const struct collector *self, uint32_t body)
{
    const pare_syntax *syntax = self->syntax;
    if (is_dead(self, body) || pare_syntax_size(syntax, body) <= 2) return true;
    if (!pare_syntax_is(syntax, body, PARE_ROLE_BLOCK)) return false;
    for (uint32_t i = pare_syntax_first(syntax, body); i != PARE_NO_NODE;
         i = pare_syntax_next(syntax, i))
        if (pare_syntax_is_element(syntax, i) && !is_dead(self, i)) return false;
    return true;
}

/* Whether no function and no branch in the statement was reached. */
static bool is_without_life(const struct collector *self, uint32_t statement)
{
    const pare_syntax *syntax = self->syntax;
    for (uint32_t i = statement; i < syntax->nodes[statement].after; i++)
        if (is_body(syntax, i) && !is_dead_body(self, i)) return false;
    return true;
}

/* The statement around `body`, which is of a function or of a branch; not the body itself, nor a
 * clause, nor the whole program. */
static uint32_t statement_around(const pare_syntax *syntax, uint32_t body)
{
    uint32_t node = syntax->nodes[body].parent;
    while (node != PARE_NO_NODE && node > 0) {
        node = syntax->nodes[node].statement;
        if (node == PARE_NO_NODE || node == 0) break;
        if (!is_body(syntax, node) && !pare_syntax_is(syntax, node, PARE_ROLE_CLAUSE)) return node;
        node = syntax->nodes[node].parent;
    }
    return PARE_NO_NODE;
}

/* Marks the statements that hold a body that was not reached, and none that was. */
static void mark_around(struct collector *self, unsigned char *marks)
{
    const pare_syntax *syntax = self->syntax;
    self->statement = PARE_NO_NODE;
    for (uint32_t node = 1; node < syntax->n; node++) {
        if (!is_body(syntax, node) || !is_dead_body(self, node)) continue;
        uint32_t around = statement_around(syntax, node);
        /* Of several in one statement the first decides. */
        if (around == PARE_NO_NODE || around == self->statement) continue;
        self->statement = around;
        if (!is_without_life(self, around)) continue;
        marks[around] = 1;
        node = syntax->nodes[around].after - 1;
    }
}

/* Takes the marks of statements that others need away. */
static pare_status unmark_used(const struct collector *self, unsigned char *marks, pare_error *err)
{
    enum { MOST_TURNS = 8 };
    pare_bindings names = {.n_symbols = 0};
    bool changed = true;
    pare_status status = pare_bindings_make(self->syntax, &names, err);
    for (unsigned turn = 0; !status && changed && turn < MOST_TURNS; turn++) {
        changed = false;
        for (uint32_t i = 1; i < self->syntax->n; i++) {
            if (!marks[i] || !pare_bindings_is_used_beside(&names, i, marks, 1)) continue;
            marks[i] = 0;
            changed = true;
        }
    }
    pare_bindings_done(&names);
    return status;
}

/* AROUND: statements that hold a body that was not reached, and none that was, and declare nothing that is used
 * in others. */
static pare_status collect_around(struct collector *self, pare_error *err)
{
    unsigned char *marks = pare_alloc_zero(self->syntax->n, 1);
    if (!marks) return pare_fail_nomem(err);
    mark_around(self, marks);
    pare_status status = unmark_used(self, marks, err);
    for (uint32_t i = 1; !status && i < self->syntax->n; i++) {
        if (!marks[i]) continue;
        status = pare_rewrites_remove(self->rewrites, i, err);
        if (!status) status = end_node(self, i, err);
    }
    pare_alloc_free(marks);
    return status;
}

/* ---- without a table ------------------------------------------------------------------- */

/* Whether it is a token that is the same in all texts, such as a brace or `end`. */
static bool is_punctuation(const pare_pass_view *view, uint32_t index)
{
    const pare_tree_node *node = &view->tree->nodes[index];
    const pare_symbol_names *names = view->names;
    return node->after == index + 1 && node->own.kind == PARE_NODE_TOKEN && names &&
           names->is_named && node->own.symbol <= UINT16_MAX &&
           !names->is_named(names->language, node->own.symbol);
}

/* The largest nodes of the tree that were not reached, brothers together: `{ a; b; }` of which all
 * but the braces was not reached is one piece. */
static pare_status cut_by_tree(const pare_pass_view *view, const pare_unreached *unreached,
                               pare_unreached_pieces *pieces, pare_error *err)
{
    const pare_tree *tree = view->tree;
    uint32_t parent = PARE_NO_NODE;
    size_t at = 0;
    pare_status status = PARE_OK;
    for (uint32_t i = 1, next; !status && i < tree->n_nodes; i = next) {
        const pare_tree_node *node = &tree->nodes[i];
        next = i + 1;
        if (node->begin == node->end || is_punctuation(view, i)) continue;
        if (!pare_unreached_is(unreached, &at, node->begin, node->end)) continue;
        next = node->after;
        pare_extent *last = pieces->n ? &pieces->items[pieces->n - 1] : NULL;
        if (last && node->parent == parent && unreached->ranges[at].from <= last->from)
            last->to = node->end;
        else
            status = pare_unreached_pieces_add(pieces, node->begin, node->end, err);
        parent = node->parent;
    }
    return status;
}

/* Where the first lines of bytes from .. to-1 end in which each bracket has its partner; `from` when
 * there are none, or too far on. */
static size_t balanced_end(const unsigned char *bytes, size_t from, size_t to)
{
    long depth = 0;
    if (to - from > FARTHEST) to = from + FARTHEST;
    for (size_t i = from; i < to; i++) {
        depth += bytes[i] == '{' || bytes[i] == '(' || bytes[i] == '[';
        depth -= bytes[i] == '}' || bytes[i] == ')' || bytes[i] == ']';
        if (depth < 0) break;
        if (!depth && (bytes[i] == '\n' || i + 1 == to)) return i + 1;
    }
    return from;
}

/* Cuts bytes from .. to-1, which are whole lines, into the smallest pieces whose brackets are
 * balanced; a line that is in none, as the end of a block, stays. */
static pare_status cut_lines(const unsigned char *bytes, size_t from, size_t to,
                             pare_unreached_pieces *pieces, pare_error *err)
{
    pare_status status = PARE_OK;
    while (!status && from < to) {
        const size_t end = balanced_end(bytes, from, to);
        if (end > from) status = pare_unreached_pieces_add(pieces, from, end, err);
        const unsigned char *feed = memchr(bytes + from, '\n', to - from);
        from = end > from ? end : feed ? (size_t)(feed - bytes) + 1 : to;
    }
    return status;
}

/* Of a function or block in braces, what is between them, which may be all that was told; of anything
 * else nothing: a part of an expression cannot go by itself. */
static pare_extent inside_braces(const pare_pass_view *view, pare_extent range)
{
    const unsigned char *bytes = view->bytes;
    if (range.from > view->begin && bytes[range.from - 1] == '{' && range.to < view->end &&
        bytes[range.to] == '}')
        return range;
    const unsigned char *open = memchr(bytes + range.from, '{', range.to - range.from);
    if (!open || bytes[range.to - 1] != '}') return (pare_extent){range.from, range.from};
    return (pare_extent){(size_t)(open - bytes) + 1, range.to - 1};
}

/* Stretches as they are: of a function what is in its braces; of lines whole items of blocks, or what is
 * balanced where there are none. */
static pare_status cut_by_text(const pare_pass_view *view, const pare_unreached *unreached,
                               pare_unreached_depth depth, pare_unreached_pieces *pieces,
                               pare_error *err)
{
    bool blocks = false;
    pare_status status = unreached->by_line ? pare_unreached_blocks_list(view, unreached, depth,
                                                                         &blocks, pieces, err)
                                            : PARE_OK;
    if (blocks || depth == PARE_UNREACHED_AROUND) return status;
    for (size_t i = 0; !status && i < unreached->n; i++) {
        pare_extent range = unreached->ranges[i];
        if (range.from < view->begin || range.to > view->end) continue;
        if (unreached->by_line) {
            status = cut_lines(view->bytes, range.from, range.to, pieces, err);
            continue;
        }
        range = inside_braces(view, range);
        if (range.from < range.to)
            status = pare_unreached_pieces_add(pieces, range.from, range.to, err);
    }
    return status;
}

/* Offers pieces from .. to-1 in one patch, below `parent`, and their halves as its parts; as deep
 * as the logarithm of their number. */
static pare_status offer_pieces(const pare_unreached_pieces *pieces, pare_extent group,
                                uint32_t parent, pare_patches *out, pare_error *err)
{
    const size_t middle = group.from + (group.to - group.from) / 2;
    uint32_t index = parent;
    pare_status status = PARE_OK;
    for (size_t i = group.from; !status && i < group.to; i++)
        status = pare_patches_change(out, pieces->items[i].from, pieces->items[i].to, NULL, 0, err);
    if (!status) status = pare_patches_end(out, parent, &index, err);
    if (status || group.to - group.from < 2) return status;
    status = offer_pieces(pieces, (pare_extent){middle, group.to}, index, out, err);
    return status ? status
                  : offer_pieces(pieces, (pare_extent){group.from, middle}, index, out, err);
}

/* What is known of no language: of a tree only what is inside. */
static pare_status offer_unknown(const pare_pass_view *view, const pare_unreached *unreached,
                                 pare_unreached_depth depth, pare_patches *out, pare_error *err)
{
    pare_unreached_pieces pieces = {.n = 0};
    pare_status status = PARE_OK;
    if (!view->tree)
        status = cut_by_text(view, unreached, depth, &pieces, err);
    else if (depth == PARE_UNREACHED_INSIDE)
        status = cut_by_tree(view, unreached, &pieces, err);
    if (!status && pieces.n)
        status = offer_pieces(&pieces, (pare_extent){0, pieces.n}, PARE_NO_PATCH, out, err);
    pare_alloc_free(pieces.items);
    return status;
}

/* The program is made for this offer alone, as for that of a pass. */
pare_status pare_unreached_offer(const pare_pass_view *view, const pare_unreached *unreached,
                                 pare_unreached_depth depth, pare_patches *out, pare_error *err)
{
    pare_syntax syntax = {.n = 0};
    pare_rewrites rewrites = {.n = 0};
    bool known = false;
    pare_status status = pare_syntax_make(view, &known, &syntax, err);
    if (!status && !known) status = offer_unknown(view, unreached, depth, out, err);
    if (!status && known) status = pare_rewrites_init(&rewrites, &syntax, err);
    if (!status && known) {
        struct collector collector = {
            .syntax = &syntax, .rewrites = &rewrites, .unreached = unreached};
        status = depth == PARE_UNREACHED_INSIDE ? collect_inside(&collector, err)
                                                : collect_around(&collector, err);
    }
    if (!status && known)
        status = pare_rewrites_write(&rewrites, PARE_REWRITES_HALVES, 0, 1, out, err);
    pare_rewrites_done(&rewrites);
    pare_syntax_done(&syntax);
    return status;
}
