/* States of a tree reduction: one mark a node for the tree, and a list of splices for the text.
 *
 * A splice is a stretch of the base text together with what the current text has in its place.
 * A candidate is made by merging the splices of new edits into that list; only what is near an
 * edit is looked at, all other text is taken over as slices of the current one.  So a candidate
 * for a single edit costs O(log splices), however large the tree is: rendering the tree anew
 * would cost its size for each of thousands of tests.
 * Invariant of the splices: they ascend, do not overlap, and two that touch and print nothing
 * are one.
 * Invariant of the marks: a hollow node has exactly one child that is not gone, and the text of
 * that child is all that is left of it.
 * Source: ours; edits over an immutable original are treereduce's, hoisting is Picireny's
 * (Hodován et al., arXiv 2104.03637), where only descendants of the same symbol are taken. */
#include "reduce/tree/tree_state.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/halving.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "text/candidate.h"

/* --- splices: the part that knows text and no nodes -------------------------------------- */

/* Base bytes from .. to-1, for which the current text has `size` bytes at `at`: a space if
 * `lead`, the text that was put in, a space if `trail`.
 *
 * Example, of the base `f(a, b);`: when `a, ` is left out the splice is {from 2, to 5, at 2,
 * size 0} and the text `f(b);`. When `b` becomes `0` after that, a second splice {from 5, to 6,
 * at 2, size 1} touches the first; they stay two, because one of them prints something. */
struct splice {
    uint32_t from, to;
    uint32_t at, size;
    bool lead, trail;
};

/* A new splice: base bytes from .. to-1 are to print `text` (borrowed) from now on. */
struct insertion {
    uint32_t from, to;
    const char *text;
    uint32_t size;
};

/* The splices that made `text` from its base; borrowed. */
struct splices {
    const pare_text *text;
    const struct splice *splices;
    size_t n;
    bool spaced; /* a space between two word-like bytes that come to touch */
};

/* Writes a text after further splices, which are given one by one in ascending order.
 *
 * A splice is open once its text was written, until it is known what follows it: another new
 * splice, an old one that touches it, or base text.  Only then can it be decided whether a
 * space has to stand between.
 * Invariant: the current text up to `cursor` is written. */
struct splicer {
    const struct splices *old;
    pare_candidate *candidate; /* borrowed */
    struct splice *out;        /* room for old->n and the new ones, or NULL; borrowed */
    size_t n_out;
    size_t next;      /* old splice that was not looked at yet */
    size_t cursor;    /* the current text is written up to here */
    bool open;        /* a splice was just written; what follows it was not */
    uint32_t open_to; /* base byte where it ends */
    int last;         /* byte written last; -1: none */
};

/* The byte at `at`, or -1 after the end. */
static int byte_at(const pare_text *text, size_t at)
{
    if (at >= pare_text_size(text)) return -1;
    unsigned char byte;
    pare_text_read(text, at, 1, &byte);
    return byte;
}

/* Starts `candidate` over the current text.  `out` has room for the old splices and the new
 * ones; NULL when only the candidate is wanted. */
static void splicer_init(struct splicer *splicer, const struct splices *old,
                         pare_candidate *candidate, struct splice *out)
{
    *splicer = (struct splicer){.old = old, .candidate = candidate, .out = out, .last = -1};
    pare_candidate_start(candidate, old->text);
}

/* Index of the first old splice, from `low` on, that ends after `from`. */
static size_t find(const struct splices *old, size_t low, uint32_t from)
{
    pare_halving search = {.low = low, .high = old->n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, old->splices[search.middle].to <= from);
    return search.low;
}

/* Whether the current text has nothing there, or only spaces that joints needed. */
static bool prints_nothing(const struct splice *splice)
{
    return splice->size == (uint32_t)splice->lead + splice->trail;
}

/* Where base byte `at` is in the current text; `k` is the first old splice that ends after it,
 * and does not hold it.
 * Between two splices base and current text are the same bytes, so the distance from the end of
 * the splice before is the same in both. */
static size_t current(const struct splices *old, size_t k, uint32_t at)
{
    if (k == 0) return at;
    const struct splice *splice = &old->splices[k - 1];
    return (size_t)splice->at + splice->size + (at - splice->to);
}

/* Takes over the old splices up to `k`, which all lie in what is written next, with their
 * positions in the new text.
 * Without `out` only the candidate is wanted, and the splices are passed over. */
static void keep(struct splicer *splicer, size_t k)
{
    for (; splicer->next < k; splicer->next++) {
        if (!splicer->out) {
            splicer->next = k;
            return;
        }
        struct splice splice = splicer->old->splices[splicer->next];
        splice.at = (uint32_t)(splice.at - splicer->cursor + splicer->candidate->size);
        splicer->out[splicer->n_out++] = splice;
    }
}

/* Takes the current text up to `to` over as a slice. */
static pare_status write_current(struct splicer *splicer, size_t to, pare_error *err)
{
    size_t size = to - splicer->cursor;
    pare_status status = pare_candidate_slice(splicer->candidate, splicer->cursor, size, err);
    if (!status && size) splicer->last = byte_at(splicer->old->text, to - 1);
    splicer->cursor = to;
    return status;
}

/* Writes a space if the last byte and `next` need one; sets *written. */
static pare_status join(struct splicer *splicer, int next, bool *written, pare_error *err)
{
    *written = splicer->old->spaced && pare_tree_is_word_byte(splicer->last) &&
               pare_tree_is_word_byte(next);
    return *written ? pare_candidate_literal(splicer->candidate, " ", 1, err) : PARE_OK;
}

/* Passes over old splices that touch the open one and print nothing: the two become one, unless
 * the open one prints something. */
static void absorb_touching(struct splicer *splicer)
{
    const struct splices *old = splicer->old;
    while (splicer->next < old->n) {
        const struct splice *splice = &old->splices[splicer->next];
        if (splice->from != splicer->open_to || !prints_nothing(splice)) return;
        splicer->open_to = splice->to;
        splicer->cursor = (size_t)splice->at + splice->size;
        splicer->next++;
        if (!splicer->out) continue;
        struct splice *open = &splicer->out[splicer->n_out - 1];
        if (prints_nothing(open)) {
            open->to = splice->to;
        } else {
            struct splice empty = {.from = splice->from, .to = splice->to};
            empty.at = (uint32_t)splicer->candidate->size;
            splicer->out[splicer->n_out++] = empty;
        }
    }
}

/* The old splice that touches the open one puts text in: decides on the space before it. */
static pare_status meet(struct splicer *splicer, pare_error *err)
{
    struct splice splice = splicer->old->splices[splicer->next++];
    size_t start = (size_t)splice.at + splice.lead;
    bool lead;
    splice.at = (uint32_t)splicer->candidate->size;
    pare_status status = join(splicer, byte_at(splicer->old->text, start), &lead, err);
    splice.size = splice.size - splice.lead + lead;
    splice.lead = lead;
    splicer->cursor = start;
    if (splicer->out) splicer->out[splicer->n_out++] = splice;
    return status;
}

/* Ends the open splice. */
static pare_status close_splice(struct splicer *splicer, pare_error *err)
{
    const struct splices *old = splicer->old;
    if (!splicer->open) return PARE_OK;
    splicer->open = false;
    if (splicer->next < old->n && old->splices[splicer->next].from == splicer->open_to)
        return meet(splicer, err);
    bool trail;
    pare_status status = join(splicer, byte_at(old->text, splicer->cursor), &trail, err);
    if (!splicer->out) return status;
    struct splice *splice = &splicer->out[splicer->n_out - 1];
    splice->trail = trail;
    splice->size += trail;
    return status;
}

/* Writes what stands before a new splice that begins at `from`, up to and with the text of an
 * old splice that touches it, but without that one's trailing space: what follows it is new. */
static pare_status approach(struct splicer *splicer, size_t k, uint32_t from, pare_error *err)
{
    const struct splices *old = splicer->old;
    pare_status status = close_splice(splicer, err);
    if (status) return status;
    size_t start = current(old, k, from);
    bool touches = k > 0 && old->splices[k - 1].to == from;
    /* A trailing space was there for the word after it, which goes. */
    if (touches) start -= old->splices[k - 1].trail;
    /* The text up to the cursor is written, and what is before it cannot be written again. */
    if (start < splicer->cursor) start = splicer->cursor;
    keep(splicer, k);
    if (touches && splicer->out) {
        struct splice *before = &splicer->out[splicer->n_out - 1];
        before->size -= before->trail;
        before->trail = false;
    }
    return write_current(splicer, start, err);
}

/* Writes the text of `splice` and records it, joined to one before it if both are empty. */
static pare_status put(struct splicer *splicer, struct insertion splice, pare_error *err)
{
    bool lead = false;
    pare_status status = PARE_OK;
    size_t at = splicer->candidate->size;
    if (splice.size) {
        status = join(splicer, (unsigned char)splice.text[0], &lead, err);
        if (!status)
            status = pare_candidate_literal(splicer->candidate, splice.text, splice.size, err);
        splicer->last = (unsigned char)splice.text[splice.size - 1];
    }
    splicer->open = true;
    splicer->open_to = splice.to;
    if (status || !splicer->out) return status;
    struct splice *before = splicer->n_out ? &splicer->out[splicer->n_out - 1] : NULL;
    if (before && before->to == splice.from && !splice.size && prints_nothing(before)) {
        before->to = splice.to;
        return PARE_OK;
    }
    splicer->out[splicer->n_out++] = (struct splice){.from = splice.from,
                                                     .to = splice.to,
                                                     .at = (uint32_t)at,
                                                     .size = splice.size + lead,
                                                     .lead = lead};
    return PARE_OK;
}

/* Leaves out the base bytes of `splice` that are still there and puts its text in.  Bytes that
 * are gone already are passed over, and old splices inside are dropped.  Errors: PARE_E_NOMEM. */
static pare_status splicer_add(struct splicer *splicer, struct insertion splice, pare_error *err)
{
    const struct splices *old = splicer->old;
    /* The gap of the splice before it, which begins this one, has gone with that splice. */
    if (splicer->open && splice.from < splicer->open_to) splice.from = splicer->open_to;
    size_t k = find(old, splicer->next, splice.from);
    if (k < old->n && old->splices[k].from < splice.from) splice.from = old->splices[k++].to;
    /* All of it is gone already. */
    if (splice.from >= splice.to) return PARE_OK;
    pare_status status = PARE_OK;
    if (!splicer->open || splice.from != splicer->open_to)
        status = approach(splicer, k, splice.from, err);
    if (status) return status;
    size_t end = k; /* after the old splices that are inside */
    while (end < old->n && old->splices[end].from < splice.to)
        if (old->splices[end++].to > splice.to) splice.to = old->splices[end - 1].to;
    /* Old splices inside are part of the new one now, and their texts are gone. */
    splicer->next = end;
    status = put(splicer, splice, err);
    splicer->cursor = current(old, end, splice.to);
    absorb_touching(splicer);
    return status;
}

/* Writes the rest of the text.  Errors: PARE_E_NOMEM. */
static pare_status splicer_end(struct splicer *splicer, pare_error *err)
{
    pare_status status = close_splice(splicer, err);
    if (status) return status;
    keep(splicer, splicer->old->n);
    return write_current(splicer, pare_text_size(splicer->old->text), err);
}

/* Whether the splices ascend, lie in the text and do not overlap. */
static bool splices_check(const struct splices *splices)
{
    uint32_t base = 0;
    size_t at = 0;
    for (size_t k = 0; k < splices->n; k++) {
        const struct splice *splice = &splices->splices[k];
        if (splice->from < base || splice->to <= splice->from) return false;
        if (splice->at != at + (splice->from - base)) return false;
        if (splice->size < (uint32_t)splice->lead + splice->trail) return false;
        base = splice->to;
        at = (size_t)splice->at + splice->size;
    }
    return at <= pare_text_size(splices->text);
}

/* --- states ------------------------------------------------------------------------------ */

enum mark { LIVE, GONE, HOLLOW };

struct pare_tree_state {
    size_t refs;
    pare_tree *tree;
    const pare_text *text;
    unsigned char *marks; /* one a node; owned */
    size_t n_splices;
    struct splice splices[];
};

/* The list is empty afterwards. */
void pare_tree_state_edits_done(pare_tree_edits *edits)
{
    pare_alloc_free(edits->items);
    *edits = (pare_tree_edits){0};
}

/* Edits are added in ascending order of nodes, which compose relies on. */
pare_status pare_tree_state_edits_add(pare_tree_edits *edits, pare_tree_edit edit, pare_error *err)
{
    pare_tree_edit *items =
        pare_vector_grow(edits->items, edits->n, &edits->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    edits->items = items;
    edits->items[edits->n++] = edit;
    return PARE_OK;
}

/* A state of `tree` with room for `n` splices, in one block with them; its text, splices and
 * marks are to be filled in.  NULL: memory is out. */
static pare_tree_state *make(pare_tree *tree, size_t n)
{
    size_t extra;
    if (__builtin_mul_overflow(n, sizeof(struct splice), &extra)) return NULL;
    pare_tree_state *state = pare_alloc(1, sizeof *state + extra);
    unsigned char *marks = pare_alloc(tree->n_nodes, 1);
    if (!state || !marks) {
        pare_alloc_free(state);
        pare_alloc_free(marks);
        return NULL;
    }
    *state = (pare_tree_state){.refs = 1, .tree = pare_tree_ref(tree), .marks = marks};
    return state;
}

/* Nodes that print nothing, and those that a transformation hid, are out of play from the start. */
pare_status pare_tree_state_new(pare_tree *tree, pare_tree_state **out, pare_error *err)
{
    pare_tree_state *state = make(tree, 0);
    if (!state) return pare_fail_nomem(err);
    state->text = pare_text_ref(tree->text);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const pare_tree_node *node = &tree->nodes[i];
        state->marks[i] = !node->n_tokens || node->flags & PARE_TREE_HIDDEN ? GONE : LIVE;
    }
    *out = state;
    return PARE_OK;
}

/* States are immutable, so the copies of a strategy share one. */
pare_tree_state *pare_tree_state_ref(pare_tree_state *state)
{
    state->refs++;
    return state;
}

void pare_tree_state_unref(pare_tree_state *state)
{
    if (!state || --state->refs) return;
    pare_tree_unref(state->tree);
    pare_text_unref(state->text);
    pare_alloc_free(state->marks);
    pare_alloc_free(state);
}

/* The same tree for all states of a reduction. */
const pare_tree *pare_tree_state_tree(const pare_tree_state *state)
{
    return state->tree;
}

const pare_text *pare_tree_state_text(const pare_tree_state *state)
{
    return state->text;
}

/* Looks at the node's own mark only. Below a node that is gone, marks are not updated and may still
 * say that nodes are live. */
bool pare_tree_state_gone(const pare_tree_state *state, uint32_t node)
{
    return state->marks[node] == GONE;
}

bool pare_tree_state_hollow(const pare_tree_state *state, uint32_t node)
{
    return state->marks[node] == HOLLOW;
}

/* `child`, or the first sibling after it that is not gone; PARE_NO_NODE: none before `end`. */
static uint32_t in_play(const pare_tree_state *state, uint32_t child, uint32_t end)
{
    while (child < end && state->marks[child] == GONE)
        child = state->tree->nodes[child].after;
    return child < end ? child : PARE_NO_NODE;
}

/* Children follow their parent in pre-order, so the first one is at the next index. */
uint32_t pare_tree_state_first(const pare_tree_state *state, uint32_t node)
{
    return in_play(state, node + 1, state->tree->nodes[node].after);
}

uint32_t pare_tree_state_after(const pare_tree_state *state, uint32_t child)
{
    const pare_tree_node *nodes = state->tree->nodes;
    if (nodes[child].parent == PARE_NO_NODE) return PARE_NO_NODE;
    return in_play(state, nodes[child].after, nodes[nodes[child].parent].after);
}

/* The node whose text is left of `slot`: a hollow node has exactly one child in play, and so on
 * downward. */
uint32_t pare_tree_state_shown(const pare_tree_state *state, uint32_t slot)
{
    while (state->marks[slot] == HOLLOW)
        slot = pare_tree_state_first(state, slot);
    return slot;
}

/* The one or two splices of an edit.  A hoist leaves out what is before and after the
 * descendant; a node that is left out takes the gap after it along, a replaced one does not. */
static size_t splices_of(const pare_tree *tree, const pare_tree_edit *edit,
                         struct insertion splices[2])
{
    const pare_tree_node *node = &tree->nodes[edit->node];
    if (edit->change == PARE_TREE_HOIST) {
        const pare_tree_node *into = &tree->nodes[edit->into];
        splices[0] = (struct insertion){.from = node->begin, .to = into->begin};
        splices[1] = (struct insertion){.from = into->end, .to = node->end};
        return 2;
    }
    if (edit->change == PARE_TREE_PRUNE && node->minimal_size) {
        splices[0] = (struct insertion){.from = node->begin,
                                        .to = node->end,
                                        .text = tree->texts + node->minimal,
                                        .size = node->minimal_size};
        return 1;
    }
    splices[0] = (struct insertion){.from = node->begin, .to = node->resume};
    return 1;
}

/* Writes the state after `edits` to *candidate, and its splices to `out` (or NULL); sets
 * *n_out.
 * An edit costs a search for its place, so a candidate with few edits is cheap however many
 * splices there are already. */
static pare_status compose(const pare_tree_state *state, const pare_tree_edits *edits,
                           pare_candidate *candidate, struct splice *out, size_t *n_out,
                           pare_error *err)
{
    struct splices old = {.text = state->text,
                          .splices = state->splices,
                          .n = state->n_splices,
                          .spaced = state->tree->rules.joints != PARE_JOINTS_PLAIN};
    struct splicer splicer;
    pare_status status = PARE_OK;
    splicer_init(&splicer, &old, candidate, out);
    for (size_t i = 0; !status && i < edits->n; i++) {
        struct insertion splices[2];
        size_t n = splices_of(state->tree, &edits->items[i], splices);
        for (size_t k = 0; !status && k < n; k++)
            if (splices[k].from < splices[k].to) status = splicer_add(&splicer, splices[k], err);
    }
    if (!status) status = splicer_end(&splicer, err);
    assert(status || !out || splicer.n_out <= state->n_splices + 4 * edits->n);
    if (n_out) *n_out = splicer.n_out;
    return status;
}

/* Only writes the candidate. The state after it is made when the test has failed, which most tests
 * do not. */
pare_status pare_tree_state_candidate(const pare_tree_state *state, const pare_tree_edits *edits,
                                      pare_candidate *candidate, pare_error *err)
{
    return compose(state, edits, candidate, NULL, NULL, err);
}

/* Marks `node` hollow and all its children gone but the one that holds `kept` (or is it), which
 * is returned. */
static uint32_t leave_one(pare_tree_state *state, uint32_t node, uint32_t kept)
{
    const pare_tree_node *nodes = state->tree->nodes;
    uint32_t path = PARE_NO_NODE;
    state->marks[node] = HOLLOW;
    for (uint32_t child = node + 1; child < nodes[node].after; child = nodes[child].after) {
        if (child <= kept && kept < nodes[child].after)
            path = child;
        else
            state->marks[child] = GONE;
    }
    return path;
}

/* The invariant of the splices, for those of a state. */
static bool check_splices(const pare_tree_state *state)
{
    struct splices splices = {
        .text = state->text, .splices = state->splices, .n = state->n_splices};
    return splices_check(&splices);
}

/* Changes the marks for one edit. When the only remaining child of a hollow node goes, that node
 * goes as well. */
static void mark_changed(pare_tree_state *state, const pare_tree_edit *edit)
{
    const pare_tree_node *nodes = state->tree->nodes;
    uint32_t node = edit->node;
    if (edit->change == PARE_TREE_HOIST) {
        /* Each node on the way down keeps the one child that leads to the descendant. */
        while (node != edit->into)
            node = leave_one(state, node, edit->into);
        return;
    }
    /* The root may go too, but nothing is above it. */
    /* A hollow node whose last child has gone is gone itself. */
    while (node && state->marks[nodes[node].parent] == HOLLOW)
        node = nodes[node].parent;
    state->marks[node] = GONE;
}

/* The candidate is made in full, splices included; marks are copied and changed.  A copy of
 * marks is one byte a node: less than the text that a test writes. */
pare_status pare_tree_state_edit(const pare_tree_state *state, const pare_tree_edits *edits,
                                 pare_tree_state **out, pare_error *err)
{
    /* An edit makes two splices at most, and each may leave an empty old one beside it. */
    pare_tree_state *after = make(state->tree, state->n_splices + 4 * edits->n);
    if (!after) return pare_fail_nomem(err);
    pare_candidate candidate = {0};
    pare_text *text = NULL;
    pare_status status = compose(state, edits, &candidate, after->splices, &after->n_splices, err);
    if (!status) status = pare_candidate_text(&candidate, &text, err);
    pare_candidate_done(&candidate);
    if (status) {
        pare_tree_state_unref(after);
        return status;
    }
    after->text = text;
    assert(check_splices(after));
    /* Marks follow the text: they change only if it could be made. */
    memcpy(after->marks, state->marks, state->tree->n_nodes);
    for (size_t i = 0; i < edits->n; i++)
        mark_changed(after, &edits->items[i]);
    *out = after;
    return PARE_OK;
}

/* States share the store of the text that they came from.  When most of that store is no longer
 * in use, holding on to it costs more than copying the rest. */
pare_status pare_tree_state_settle(pare_tree_state *state, pare_error *err)
{
    size_t size = pare_text_size(state->text);
    if (size >= pare_text_store_size(state->text) / 2) return PARE_OK;
    pare_text *flat = NULL;
    pare_status status = pare_text_flatten(state->text, &flat, err);
    if (status) return status;
    pare_text_unref(state->text);
    state->text = flat;
    return PARE_OK;
}

/* Checks splices and that hollow nodes have exactly one child in play.  O(nodes). */
bool pare_tree_state_check(const pare_tree_state *state)
{
    if (!check_splices(state)) return false;
    for (uint32_t i = 0; i < state->tree->n_nodes; i++) {
        if (state->marks[i] != HOLLOW) continue;
        uint32_t child = pare_tree_state_first(state, i);
        if (child == PARE_NO_NODE || pare_tree_state_after(state, child) != PARE_NO_NODE)
            return false;
    }
    return true;
}

/* --- hoisting ---------------------------------------------------------------------------- */

/* Whether `node` is wanted in the place `slot`. */
typedef bool (*choice)(const pare_tree *tree, uint32_t slot, uint32_t node);

static bool fits(const pare_tree *tree, uint32_t slot, uint32_t node)
{
    return pare_tree_fits(tree, slot, node);
}

/* For algorithms that know no grammar. */
static bool any(const pare_tree *tree, uint32_t slot, uint32_t node)
{
    (void)tree;
    (void)slot;
    (void)node;
    return true;
}

/* Scans in pre-order from `from` on for a node that is wanted in the place of `item`. Passes over
 * subtrees that are gone, and looks into nodes that are hollow, do not fit, or print everything the
 * item prints: to hoist one of the last kind would change nothing. */
static uint32_t scan(const pare_tree_state *state, pare_tree_item item, uint32_t from,
                     choice is_wanted)
{
    const pare_tree *tree = pare_tree_state_tree(state);
    const pare_tree_node *over = &tree->nodes[item.node];
    /* The first look starts below the item itself. */
    uint32_t at = from > item.node ? from : item.node + 1;
    while (at < over->after) {
        const pare_tree_node *node = &tree->nodes[at];
        if (pare_tree_state_gone(state, at))
            at = node->after;
        else if (pare_tree_state_hollow(state, at) || node->n_tokens == over->n_tokens ||
                 !is_wanted(tree, item.slot, at))
            at++;
        else
            return at;
    }
    return PARE_NO_NODE;
}

/* Whatever fits the place by its symbol, topmost first. */
uint32_t pare_tree_state_next_fit(const pare_tree_state *state, pare_tree_item item, uint32_t from)
{
    return scan(state, item, from, fits);
}

/* Whatever stands there, in a language that gives no rules. */
uint32_t pare_tree_state_next_child(const pare_tree_state *state, pare_tree_item item,
                                    uint32_t from)
{
    return scan(state, item, from, any);
}
