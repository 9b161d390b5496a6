/* Rewrites: from what a pass wishes to patches that can be printed.
 *
 * Wishes are copied to a scratch array; those to leave a node out get their bytes there; then
 * all are sorted, those inside others dropped, and the rest written as changes.  The copy is
 * what makes groups cheap: the same wishes are part of the patch for all items, for each half,
 * and for each item, and which separators go with an element depends on what else goes in the
 * same patch.
 * Invariant: marks[node] is the round in which a node goes, times two, plus one if no element
 * stays before it in its list: then the separator after it goes with it, else the one before.
 * A new round makes all old marks void without clearing them. Items are halved like a list in
 * delta debugging: a group of which nothing matters goes in one test, one that matters is found
 * in a logarithmic number.
 * Source: groups and halves are ours; separators after DustMite and Perses.
 * Cost: no tests; O(n log n) for n wishes, on each level of halves. */
#include "reduce/binding/rewrites.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "reduce/tree/tree.h"
#include "text/patch.h"

/* One mark a node; all else grows as wishes come.  The texts begin with what stands in an indented block all of
 * which goes. */
pare_status pare_rewrites_init(pare_rewrites *rewrites, const pare_syntax *syntax, pare_error *err)
{
    *rewrites = (pare_rewrites){.syntax = syntax};
    rewrites->marks = pare_alloc_zero(syntax->n, sizeof *rewrites->marks);
    if (!rewrites->marks) return pare_fail_nomem(err);
    if (syntax->table->blocks != PARE_SYNTAX_INDENTED) return PARE_OK;
    return pare_buffer_text(&rewrites->texts, syntax->table->no_statement, err);
}

/* Works on rewrites that are half made, too. */
void pare_rewrites_done(pare_rewrites *rewrites)
{
    pare_alloc_free(rewrites->at);
    pare_alloc_free(rewrites->scratch);
    pare_alloc_free(rewrites->marks);
    pare_alloc_free(rewrites->alternatives);
    pare_alloc_free(rewrites->items);
    pare_buffer_done(&rewrites->texts);
}

/* Appends a wish. */
static pare_status add(pare_rewrites *rewrites, pare_rewrite wish, pare_error *err)
{
    pare_rewrite *grown =
        pare_vector_grow(rewrites->at, rewrites->n, &rewrites->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    rewrites->at = grown;
    grown[rewrites->n++] = wish;
    return PARE_OK;
}

/* Texts of wishes stand in one buffer; wishes have offsets, which outlive its growth. */
pare_status pare_rewrites_range(pare_rewrites *rewrites, uint32_t from, uint32_t to,
                                const char *text, size_t size, pare_error *err)
{
    size_t at = rewrites->texts.size;
    assert(from <= to);
    if (size > UINT32_MAX - at) return pare_fail(err, PARE_E_LIMIT, "a pass has too much to offer");
    if (size) {
        pare_status status = pare_buffer_add(&rewrites->texts, text, size, err);
        if (status) return status;
    }
    const pare_rewrite wish = {
        .from = from, .to = to, .at = (uint32_t)at, .size = (uint32_t)size, .node = PARE_NO_NODE};
    return add(rewrites, wish, err);
}

/* The node's own bytes; gaps beside it stay. */
pare_status pare_rewrites_replace(pare_rewrites *rewrites, uint32_t node, const char *text,
                                  size_t size, pare_error *err)
{
    const pare_syntax_node *self = &rewrites->syntax->nodes[node];
    return pare_rewrites_range(rewrites, self->begin, self->end, text, size, err);
}

/* What must stand where a node was; NULL: it may just be missing.
 * Only types and statements have something to put there; an expression is the passes' own
 * business. */
static const char *substitute(const pare_syntax *syntax, uint32_t node)
{
    const pare_syntax_table *table = syntax->table;
    uint32_t parent = syntax->nodes[node].parent;
    if (parent == PARE_NO_NODE) return NULL;
    const pare_syntax_kind *over = syntax->nodes[parent].kind;
    /* In a list of statements or members nothing has to stand in its place, but in an indented
     * block that would be empty. */
    bool among = over->roles & (PARE_ROLE_BLOCK | PARE_ROLE_MEMBERS);
    bool only = pare_syntax_only_element(syntax, parent) == node;
    if (pare_syntax_is_statement(syntax, node)) {
        if (among)
            return table->blocks == PARE_SYNTAX_INDENTED && only ? table->no_statement : NULL;
        return pare_syntax_matches(syntax, node, over->body) ? table->no_statement : NULL;
    }
    if (pare_syntax_is(syntax, node, PARE_ROLE_TYPE) && !among && parent) return table->types[0];
    return NULL;
}

/* Becomes a replacement where something has to stand in its place. */
pare_status pare_rewrites_remove(pare_rewrites *rewrites, uint32_t node, pare_error *err)
{
    const char *text = substitute(rewrites->syntax, node);
    if (text) return pare_rewrites_replace(rewrites, node, text, strlen(text), err);
    return add(rewrites, (pare_rewrite){.node = node}, err);
}

/* --- the bytes of what goes -------------------------------------------------------------- */

/* The comma before `node`, or the separator after it (`after` set), if no element is nearer; else
 * PARE_NO_NODE.  A semicolon ends what is before it. */
static uint32_t separator(const pare_syntax *syntax, uint32_t node, bool after)
{
    for (;;) {
        node = after ? pare_syntax_next(syntax, node) : syntax->nodes[node].before;
        if (node == PARE_NO_NODE || pare_syntax_is_element(syntax, node)) return PARE_NO_NODE;
        if (pare_syntax_is_separator(syntax, node) &&
            (after || *pare_syntax_text(syntax, node) == ','))
            return node;
    }
}

/* Notes that an element goes in this round, and whether all elements before it do. */
static void mark(pare_rewrites *rewrites, uint32_t node)
{
    uint32_t before = pare_syntax_element_before(rewrites->syntax, node);
    bool leading = before == PARE_NO_NODE || rewrites->marks[before] == 2 * rewrites->round + 1 ||
                   separator(rewrites->syntax, node, false) == PARE_NO_NODE;
    rewrites->marks[node] = 2 * rewrites->round + leading;
}

/* Whether the node goes in this round. */
static bool goes(const pare_rewrites *rewrites, uint32_t node)
{
    return rewrites->marks[node] / 2 == rewrites->round;
}

/* Gives the wish to leave a node out its bytes: the node's, with the separator on one side.
 *
 * Example: of `f(a, b, c)` leaving out a takes `a, `, leaving out b takes `, b`, and leaving out
 * both takes `a, b, `. */
static void measure(const pare_rewrites *rewrites, pare_rewrite *wish)
{
    const pare_syntax *syntax = rewrites->syntax;
    uint32_t node = wish->node, sides[2];
    wish->from = syntax->nodes[node].begin;
    wish->to = syntax->nodes[node].end;
    sides[0] = separator(syntax, node, false);
    sides[1] = separator(syntax, node, true);
    /* The first elements of a list take the separator after them, all others the one before: so
     * what is left is still separated, whichever elements go. */
    bool leading = rewrites->marks[node] & 1;
    bool ended = sides[1] != PARE_NO_NODE && *pare_syntax_text(syntax, sides[1]) == ';';
    uint32_t next = pare_syntax_element_after(syntax, node);
    if (ended && pare_syntax_is_statement(syntax, node))
        wish->to = syntax->nodes[sides[1]].end;
    else if (!leading && sides[0] != PARE_NO_NODE)
        wish->from = syntax->nodes[sides[0]].begin;
    else if (leading && sides[1] != PARE_NO_NODE)
        wish->to = next == PARE_NO_NODE ? syntax->nodes[sides[1]].end : syntax->nodes[next].begin;
}

/* In the order of nodes, which is that of the text; wishes without a node last. */
static int by_node(const void *a, const void *b)
{
    const pare_rewrite *left = a, *right = b;
    return (left->node > right->node) - (left->node < right->node);
}

/* From the front; of those that begin together the longer one first. */
static int by_place(const void *a, const void *b)
{
    const pare_rewrite *left = a, *right = b;
    if (left->from != right->from) return left->from < right->from ? -1 : 1;
    if (left->to != right->to) return left->to > right->to ? -1 : 1;
    return (left->size > right->size) - (left->size < right->size);
}

/* --- as changes -------------------------------------------------------------------------- */

/* Drops what lies in others, and joins cuts that overlap; the number of those left.
 *
 * Example: a statement that goes and a name in it that becomes 0 are one cut. */
static size_t merge(pare_rewrite *wishes, size_t n)
{
    size_t made = 0;
    for (size_t i = 0; i < n; i++) {
        pare_rewrite *last = made ? &wishes[made - 1] : NULL;
        pare_rewrite next = wishes[i];
        /* It begins inside the one before: what puts text in counts only if it is the outer
         * one. */
        if (last && next.from < last->to) {
            if (next.to <= last->to || next.size) continue;
            if (last->size)
                next.from = last->to;
            else {
                last->to = next.to;
                continue;
            }
        }
        wishes[made++] = next;
    }
    return made;
}

#ifndef NDEBUG
/* Whether the wishes ascend and do not overlap, as changes of a patch must. */
static bool are_disjoint(const pare_rewrite *wishes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (wishes[i].from > wishes[i].to) return false;
        if (i && wishes[i].from < wishes[i - 1].to) return false;
    }
    return true;
}
#endif

/* Whether two bytes that did not touch before would be read as one token. */
static bool run_together(char a, char b)
{
    return (pare_tree_is_word_byte((unsigned char)a) && pare_tree_is_word_byte((unsigned char)b)) ||
           (a == b && (a == '+' || a == '-' || a == '&'));
}

/* Whether a name touches the sign before it, as in `$name`: what comes for the name does, too. */
static bool has_sign(const pare_pass_view *view, const pare_rewrite *wish)
{
    return wish->from > view->begin && wish->from < wish->to &&
           view->bytes[wish->from - 1] == '$' && pare_tree_is_word_byte(view->bytes[wish->from]);
}

/* Which sides of what wish `i` puts in need a space: 1 before it, 2 after it.
 * Two wishes that touch each other are not asked: what is between them is up to the pass. */
static unsigned spaces(const pare_rewrites *rewrites, const pare_rewrite *wishes, size_t n,
                       size_t i)
{
    const pare_pass_view *view = rewrites->syntax->view;
    const pare_rewrite *wish = &wishes[i];
    const char *text = wish->size ? rewrites->texts.data + wish->at : "";
    if (!wish->size) return 0;
    bool front = wish->from > view->begin && !(i && wishes[i - 1].to == wish->from) &&
                 !has_sign(view, wish) && run_together((char)view->bytes[wish->from - 1], text[0]);
    bool back = wish->to < view->end && !(i + 1 < n && wishes[i + 1].from == wish->to) &&
                run_together(text[wish->size - 1], (char)view->bytes[wish->to]);
    return (front ? 1U : 0U) + (back ? 2U : 0U);
}

/* Adds the change of wish `i`, with its spaces, to the open patch. */
static pare_status write_change(const pare_rewrites *rewrites, const pare_rewrite *wishes, size_t n,
                                size_t i, pare_patches *out, pare_error *err)
{
    const pare_rewrite *wish = &wishes[i];
    const char *text = wish->size ? rewrites->texts.data + wish->at : "";
    unsigned sides = spaces(rewrites, wishes, n, i);
    if (!sides) return pare_patches_change(out, wish->from, wish->to, text, wish->size, err);
    pare_buffer spaced = {0};
    pare_status status = sides & 1 ? pare_buffer_text(&spaced, " ", err) : PARE_OK;
    if (!status) status = pare_buffer_add(&spaced, text, wish->size, err);
    if (!status && sides & 2) status = pare_buffer_text(&spaced, " ", err);
    if (!status)
        status = pare_patches_change(out, wish->from, wish->to, spaced.data, spaced.size, err);
    pare_buffer_done(&spaced);
    return status;
}

/* Whether the list puts a space where wish `i` and the cuts that touch it leave something
 * out (text/patch.h, spaced). */
static bool leaves_space(const pare_rewrites *rewrites, const pare_rewrite *wishes, size_t n,
                         size_t i)
{
    const pare_pass_view *view = rewrites->syntax->view;
    size_t last = i;
    if (wishes[i].size || (i && wishes[i - 1].to == wishes[i].from)) return false;
    while (last + 1 < n && wishes[last + 1].from == wishes[last].to && !wishes[last + 1].size)
        last++;
    bool more = last + 1 < n && wishes[last + 1].from == wishes[last].to;
    return !more && wishes[i].from > view->begin && wishes[last].to < view->end &&
           pare_tree_is_word_byte(view->bytes[wishes[i].from - 1]) &&
           pare_tree_is_word_byte(view->bytes[wishes[last].to]);
}

/* Bytes that the wishes save. */
static int64_t gain_of(const pare_rewrites *rewrites, const pare_rewrite *wishes, size_t n)
{
    int64_t gain = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned sides = spaces(rewrites, wishes, n, i);
        gain += (int64_t)wishes[i].to - wishes[i].from - wishes[i].size;
        gain -= (sides & 1) + (sides >> 1) + leaves_space(rewrites, wishes, n, i);
    }
    return gain;
}

/* Copies wishes first .. first+n-1 to the scratch array. */
static pare_status copy(pare_rewrites *rewrites, size_t first, size_t n, pare_error *err)
{
    /* Never given back: the next group is about as large. */
    if (n > rewrites->scratch_capacity) {
        pare_rewrite *grown = pare_alloc_resize(rewrites->scratch, n, sizeof *grown);
        if (!grown) return pare_fail_nomem(err);
        rewrites->scratch = grown;
        rewrites->scratch_capacity = n;
    }
    memcpy(rewrites->scratch, rewrites->at + first, n * sizeof *rewrites->scratch);
    return PARE_OK;
}

/* Whether all children that `words` say go in this round. */
static bool all_go(const pare_rewrites *rewrites, uint32_t parent, const char *words)
{
    const pare_syntax *syntax = rewrites->syntax;
    for (uint32_t i = pare_syntax_first(syntax, parent); i != PARE_NO_NODE;
         i = pare_syntax_next(syntax, i))
        if (pare_syntax_matches(syntax, i, words) && !goes(rewrites, i)) return false;
    return true;
}

/* The declaration around `node`, if all names that it declares go: then nothing of it stays.
 *
 * Example: when both a and b of `int a, b;` go, the whole declaration does. */
static uint32_t widen(const pare_rewrites *rewrites, uint32_t node)
{
    const pare_syntax *syntax = rewrites->syntax;
    uint32_t parent = syntax->nodes[node].parent;
    if (parent == PARE_NO_NODE) return node;
    const pare_syntax_kind *kind = syntax->nodes[parent].kind;
    uint32_t nameless = pare_syntax_nameless_type(syntax, parent);
    if (nameless != PARE_NO_NODE) return all_go(rewrites, parent, "*") ? nameless : node;
    if (!(kind->roles & (PARE_ROLE_DECLARES | PARE_ROLE_ASSIGNS | PARE_ROLE_HOLDER)) ||
        kind->roles & PARE_ROLE_PARAMETERS || !pare_syntax_matches(syntax, node, kind->names))
        return node;
    return all_go(rewrites, parent, kind->names) ? parent : node;
}

/* The same as far up as it goes. */
static uint32_t widen_all(pare_rewrites *rewrites, uint32_t node)
{
    for (;;) {
        uint32_t whole = widen(rewrites, node);
        if (whole == node) return node;
        mark(rewrites, whole);
        node = whole;
    }
}

/* Whether the node, after which `next` stands, is the last of a list that may not be empty and all
 * of which would go. */
static bool stays(const pare_rewrites *rewrites, uint32_t node, uint32_t next)
{
    uint32_t parent = rewrites->syntax->nodes[node].parent;
    return next == PARE_NO_NODE && parent != PARE_NO_NODE &&
           pare_syntax_is(rewrites->syntax, parent, PARE_ROLE_FILLED) &&
           all_go(rewrites, parent, "*");
}

/* Whether the node is the last of an indented block all of which goes: something has to stand in its place. */
static bool empties_block(const pare_rewrites *rewrites, uint32_t node, uint32_t next)
{
    const pare_syntax *syntax = rewrites->syntax;
    const uint32_t parent = syntax->nodes[node].parent;
    return next == PARE_NO_NODE && syntax->table->blocks == PARE_SYNTAX_INDENTED && parent &&
           parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_BLOCK) &&
           all_go(rewrites, parent, "*");
}

/* Gives wishes to leave nodes out their bytes: in the order of the text, so that of each it
 * is known whether those before it go.
 * Marks are set for all before any is measured, as each depends on its neighbours. */
static void resolve(pare_rewrites *rewrites, size_t n)
{
    pare_rewrite *wishes = rewrites->scratch;
    rewrites->round++;
    qsort(wishes, n, sizeof *wishes, by_node);
    for (size_t i = 0; i < n && wishes[i].node != PARE_NO_NODE; i++)
        mark(rewrites, wishes[i].node);
    for (size_t i = 0; i < n && wishes[i].node != PARE_NO_NODE; i++) {
        /* The last of them stands for all. */
        uint32_t node = wishes[i].node, next = pare_syntax_element_after(rewrites->syntax, node);
        bool last = next == PARE_NO_NODE || !goes(rewrites, next);
        /* Only the last of neighbours that go is widened to the whole declaration: the others
         * lie inside. */
        wishes[i].node = last ? widen_all(rewrites, node) : node;
        measure(rewrites, &wishes[i]);
        if (stays(rewrites, wishes[i].node, next)) wishes[i].to = wishes[i].from;
        if (empties_block(rewrites, wishes[i].node, next)) {
            wishes[i].at = 0; /* of the texts, see pare_rewrites_init */
            wishes[i].size = (uint32_t)strlen(rewrites->syntax->table->no_statement);
        }
    }
}

/* Drops wishes that change nothing; the number of those left. */
static size_t drop_empty(pare_rewrite *wishes, size_t n)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        if (wishes[i].from != wishes[i].to || wishes[i].size) wishes[left++] = wishes[i];
    return left;
}

/* Where patches are written, and what each has to save. */
struct writer {
    pare_rewrites *rewrites;
    int64_t least;
    pare_patches *out;
    pare_error *err;
};

/* Makes a patch of wishes first .. first+n-1 and more of them below `parent` (PARE_NO_PATCH: of
 * the list).  *index is where it is; PARE_NO_PATCH when it would save fewer bytes than each has
 * to, or change nothing, and is not there.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
static pare_status offer_wishes(const struct writer *writer, size_t first, size_t n,
                                uint32_t parent, uint32_t *index)
{
    pare_rewrites *rewrites = writer->rewrites;
    assert(first + n <= rewrites->n);
    *index = PARE_NO_PATCH;
    if (!n) return PARE_OK;
    pare_status status = copy(rewrites, first, n, writer->err);
    if (status) return status;
    resolve(rewrites, n);
    n = drop_empty(rewrites->scratch, n);
    if (!n) return PARE_OK;
    qsort(rewrites->scratch, n, sizeof *rewrites->scratch, by_place);
    n = merge(rewrites->scratch, n);
    assert(are_disjoint(rewrites->scratch, n));
    /* Known only now: which separators go, and which spaces come, depends on all of the wishes. */
    if (gain_of(rewrites, rewrites->scratch, n) < writer->least) return PARE_OK;
    for (size_t i = 0; !status && i < n; i++)
        status = write_change(rewrites, rewrites->scratch, n, i, writer->out, writer->err);
    return status ? status : pare_patches_end(writer->out, parent, index, writer->err);
}

/* --- items ------------------------------------------------------------------------------- */

enum { MOST_CHANGES = 1 << 20 };

/* Wishes since the last alternative; without any there is none. */
pare_status pare_rewrites_alternative(pare_rewrites *rewrites, pare_error *err)
{
    assert(rewrites->open_wish <= rewrites->n);
    size_t n = rewrites->n - rewrites->open_wish;
    if (!n) return PARE_OK;
    pare_rewrite_alternative *grown =
        pare_vector_grow(rewrites->alternatives, rewrites->n_alternatives,
                         &rewrites->alternative_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    rewrites->alternatives = grown;
    grown[rewrites->n_alternatives++] =
        (pare_rewrite_alternative){.first = rewrites->open_wish, .n = n};
    rewrites->open_wish = rewrites->n;
    return PARE_OK;
}

/* Alternatives since the last item; without any there is none. */
pare_status pare_rewrites_item(pare_rewrites *rewrites, uint64_t weight, pare_error *err)
{
    assert(rewrites->open_alternative <= rewrites->n_alternatives);
    size_t n = rewrites->n_alternatives - rewrites->open_alternative;
    if (!n) return PARE_OK;
    pare_rewrite_item *grown = pare_vector_grow(rewrites->items, rewrites->n_items,
                                                &rewrites->item_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    rewrites->items = grown;
    grown[rewrites->n_items++] =
        (pare_rewrite_item){.first = rewrites->open_alternative, .n = n, .weight = weight};
    rewrites->open_alternative = rewrites->n_alternatives;
    return PARE_OK;
}

/* The heaviest first, of equal ones the rear ones. */
static int heavier_first(const void *a, const void *b)
{
    const pare_rewrite_item *left = a, *right = b;
    if (left->weight != right->weight) return left->weight > right->weight ? -1 : 1;
    return (left->first < right->first) - (left->first > right->first); /* rear ones first */
}

/* In the order in which they were collected. */
static int in_order(const void *a, const void *b)
{
    const pare_rewrite_item *left = a, *right = b;
    return (left->first > right->first) - (left->first < right->first);
}

/* Leaves the `most` heaviest items, in their old order. */
static void keep_heaviest(pare_rewrites *rewrites, size_t most)
{
    if (!most || rewrites->n_items <= most) return;
    qsort(rewrites->items, rewrites->n_items, sizeof *rewrites->items, heavier_first);
    rewrites->n_items = most;
    qsort(rewrites->items, rewrites->n_items, sizeof *rewrites->items, in_order);
}

/* One item: its first alternative, and the others as parts of it. */
static pare_status write_item(const struct writer *writer, const pare_rewrite_item *item,
                              uint32_t parent)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < item->n; i++) {
        const pare_rewrite_alternative *alternative =
            &writer->rewrites->alternatives[item->first + i];
        uint32_t index = PARE_NO_PATCH;
        status = offer_wishes(writer, alternative->first, alternative->n, parent, &index);
        /* What saves less is tried when what saves more fails. */
        if (i == 0 && index != PARE_NO_PATCH) parent = index;
    }
    return status;
}

/* Appends the wishes of the first alternatives of a group after all others, as one run. */
static pare_status gather(const struct writer *writer, size_t from, size_t to)
{
    pare_rewrites *rewrites = writer->rewrites;
    pare_status status = PARE_OK;
    for (size_t i = from; i < to; i++) {
        const pare_rewrite_alternative *alternative =
            &writer->rewrites->alternatives[writer->rewrites->items[i].first];
        for (size_t k = 0; k < alternative->n; k++) {
            pare_rewrite *grown =
                pare_vector_grow(rewrites->at, rewrites->n, &rewrites->capacity, sizeof *grown);
            if (!grown) return pare_fail_nomem(writer->err);
            rewrites->at = grown;
            grown[rewrites->n++] = grown[alternative->first + k];
        }
    }
    return status;
}

/* A group, then its halves as parts of it; as deep as the logarithm of their number.
 * The rear half first: what is declared last is needed least, as everywhere. */
static pare_status write_group(const struct writer *writer, size_t from, size_t to, uint32_t parent)
{
    pare_rewrites *rewrites = writer->rewrites;
    uint32_t index = PARE_NO_PATCH;
    assert(from < to);
    if (to - from == 1) return write_item(writer, &writer->rewrites->items[from], parent);
    size_t first = rewrites->n, middle = from + (to - from) / 2;
    pare_status status = gather(writer, from, to);
    if (!status) status = offer_wishes(writer, first, rewrites->n - first, parent, &index);
    /* The gathered wishes were a copy, of use for this patch only. */
    rewrites->n = first;
    /* The group offered nothing by itself; its halves may. */
    if (index == PARE_NO_PATCH) index = parent;
    if (!status) status = write_group(writer, middle, to, index);
    if (!status) status = write_group(writer, from, middle, index);
    return status;
}

/* How many items the first groups may have: each level of halves repeats all changes.
 * So the number of changes stays below MOST_CHANGES, whatever the number of items. */
static size_t group_size(const pare_rewrites *rewrites)
{
    size_t changes = 1, size = 1;
    for (size_t i = 0; i < rewrites->n_items; i++)
        changes += rewrites->alternatives[rewrites->items[i].first].n;
    /* Each doubling of the groups is one more level on which all changes are written. */
    for (size_t budget = MOST_CHANGES / changes; budget > 1 && size < rewrites->n_items; budget--)
        size *= 2;
    return size;
}

/* Items in the order in which they were collected; groups from the rear, as in merge above. */
pare_status pare_rewrites_write(pare_rewrites *rewrites, pare_rewrites_grouping grouping,
                                size_t most, int64_t least, pare_patches *out, pare_error *err)
{
    const struct writer writer = {.rewrites = rewrites, .least = least, .out = out, .err = err};
    pare_status status = PARE_OK;
    out->spaced = true;
    keep_heaviest(rewrites, most);
    size_t n = rewrites->n_items,
           size = grouping == PARE_REWRITES_SINGLE ? 1 : group_size(rewrites);
    for (size_t from = 0; !status && from < n; from += size)
        status = write_group(&writer, from, n - from < size ? n : from + size, PARE_NO_PATCH);
    return status;
}
