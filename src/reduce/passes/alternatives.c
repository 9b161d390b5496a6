/* alternatives: a node of the tree becomes the smallest text of another alternative of its
 * rule, with the node's own tokens where that text has free ones.
 *
 * The rules of a tree (reduce/tree/tree.h) give forms: of each alternative its shortest text,
 * token by token.  A form becomes a text by filling its placeholders with tokens that stand
 * below the node, k-th to k-th; what is too long or known already is dropped, the rest kept in
 * order by insertion, for there are eight at most.  Only where there is a tree by a grammar or
 * a language. Why texts of alternatives: Perses and HDD put in only what stands below the node,
 * or the minimal text; neither makes `return n;` of a loop.
 * Source: Vulcan's sub-tree replacement (see the header).  Large nodes
 * first.
 * Memory: one buffer for all texts of a node; texts that are dropped leave it again. */
#include "reduce/passes/alternatives.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "parse/parse_tree.h"
#include "reduce/passes/pass.h"
#include "reduce/tree/tree.h"
#include "text/patch.h"
#include "text/text.h"

enum { DEFAULT_MOST = 8, MOST_SEEN = 4096 };

/* A token below the node whose text may fill a placeholder. */
struct donor {
    uint32_t sort, begin, end;
};

/* The search for the alternatives of one node. */
struct finder {
    const pare_tree *tree;
    const pare_tree_node *node;
    size_t most, longest;
    struct donor *donors; /* owned */
    size_t n_donors, capacity;
    pare_buffer own; /* the node's text */
    pare_alternatives *found;
    pare_error *err;
};

/* Empty afterwards; also the way to give the memory of a long search back. */
void pare_alternatives_done(pare_alternatives *alternatives)
{
    pare_alloc_free(alternatives->items);
    pare_buffer_done(&alternatives->bytes);
    *alternatives = (pare_alternatives){0};
}

/* The text is not terminated. */
const char *pare_alternatives_text(const pare_alternatives *found, size_t index)
{
    return found->bytes.data ? found->bytes.data + found->items[index].offset : "";
}

/* --- what fills placeholders ------------------------------------------------------------- */

/* Donors are added in the order of the text, which pick() relies on. */
static pare_status add_donor(struct finder *finder, struct donor donor)
{
    struct donor *donors =
        pare_vector_grow(finder->donors, finder->n_donors, &finder->capacity, sizeof *donors);
    if (!donors) return pare_fail_nomem(finder->err);
    finder->donors = donors;
    donors[finder->n_donors++] = donor;
    return PARE_OK;
}

/* Collects the tokens that have a sort, the node itself among them.  Of a large node the first
 * 4096 nodes are looked at: the k-th token of a sort is found near the front or not at all. */
static pare_status collect(struct finder *finder, uint32_t node)
{
    const pare_tree *tree = finder->tree;
    uint32_t end = tree->nodes[node].after;
    if (!tree->rules.sort) return PARE_OK;
    for (uint32_t i = node; i < end && i - node < MOST_SEEN; i++) {
        const pare_tree_node *leaf = &tree->nodes[i];
        if (leaf->after != i + 1 || leaf->begin == leaf->end) continue;
        uint32_t sort = tree->rules.sort(tree->rules.context, finder->node->slot, leaf->own);
        if (!sort) continue;
        pare_status status = add_donor(finder, (struct donor){sort, leaf->begin, leaf->end});
        if (status) return status;
    }
    return PARE_OK;
}

/* The donor for the `k`-th piece of `sort`, from 0: the k-th one, or the last; NULL: none. */
static const struct donor *pick(const struct finder *finder, uint32_t sort, size_t k)
{
    const struct donor *last = NULL;
    for (size_t i = 0; i < finder->n_donors; i++) {
        if (finder->donors[i].sort != sort) continue;
        last = &finder->donors[i];
        if (k-- == 0) break;
    }
    return last;
}

/* Appends the text of one piece, after a space where it would run together with the piece
 * before. */
static pare_status add_piece(struct finder *finder, const pare_tree_piece *piece, const char *text,
                             size_t size, size_t start)
{
    pare_buffer *bytes = &finder->found->bytes;
    /* Before the first piece stands the node's own neighbour, and keeps its gap. */
    char lead = bytes->size == start ? '\0' : piece->lead;
    bool glued = !lead && size && bytes->size > start &&
                 finder->tree->rules.joints != PARE_JOINTS_PLAIN &&
                 pare_tree_is_word_byte((unsigned char)bytes->data[bytes->size - 1]) &&
                 pare_tree_is_word_byte((unsigned char)text[0]);
    if (glued) lead = ' ';
    pare_status status = lead ? pare_buffer_add(bytes, &lead, 1, finder->err) : PARE_OK;
    return status ? status : pare_buffer_add(bytes, text, size, finder->err);
}

/* How many pieces of the same sort stand before `at`. */
static size_t count_before(const pare_tree_form *form, uint32_t at)
{
    size_t n = 0;
    for (uint32_t i = 0; i < at; i++)
        n += form->pieces[i].sort == form->pieces[at].sort;
    return n;
}

/* Appends the text of a form; *fits: it is not too long.
 * Stops as soon as the text is too long, which most are. */
static pare_status add_text(struct finder *finder, const pare_tree_form *form, bool *fits)
{
    size_t start = finder->found->bytes.size;
    pare_status status = PARE_OK;
    *fits = true;
    for (uint32_t i = 0; !status && *fits && i < form->n; i++) {
        const pare_tree_piece *piece = &form->pieces[i];
        const struct donor *donor =
            piece->sort ? pick(finder, piece->sort, count_before(form, i)) : NULL;
        const char *text =
            donor ? finder->own.data + (donor->begin - finder->node->begin) : piece->text;
        status =
            add_piece(finder, piece, text, donor ? donor->end - donor->begin : piece->size, start);
        *fits = finder->found->bytes.size - start <= finder->longest;
    }
    return status;
}

/* Shorter first, then in the order of bytes. */
static int compare(const pare_alternatives *found, struct pare_alternative a,
                   struct pare_alternative b)
{
    if (a.size != b.size) return a.size < b.size ? -1 : 1;
    return a.size ? memcmp(found->bytes.data + a.offset, found->bytes.data + b.offset, a.size) : 0;
}

/* Puts the text at the end of the buffer in its place; *kept is false when it is known, or one
 * too many.
 * Sorted by insertion: there are eight at most, and the longest is dropped for a shorter one. */
static pare_status insert(struct finder *finder, struct pare_alternative item, bool *kept)
{
    pare_alternatives *found = finder->found;
    size_t at = found->n;
    int order = -1;
    *kept = false;
    while (at > 0 && (order = compare(found, item, found->items[at - 1])) < 0)
        at--;
    if ((at > 0 && order == 0) || at >= finder->most) return PARE_OK;
    /* The longest text makes room; its bytes stay in the buffer until the next node. */
    if (found->n == finder->most) found->n--;
    struct pare_alternative *items =
        pare_vector_grow(found->items, found->n, &found->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(finder->err);
    found->items = items;
    memmove(items + at + 1, items + at, (found->n - at) * sizeof *items);
    items[at] = item;
    found->n++;
    assert(found->n <= finder->most && at < found->n);
    *kept = true;
    return PARE_OK;
}

/* Adds the text of a form, unless it is the node's own, too long, or there already. */
static pare_status add_form(struct finder *finder, const pare_tree_form *form)
{
    pare_buffer *bytes = &finder->found->bytes;
    size_t start = bytes->size;
    bool fits = false, kept = false;
    pare_status status = add_text(finder, form, &fits);
    size_t size = bytes->size - start;
    bool same = fits && size == finder->own.size &&
                (size == 0 || memcmp(bytes->data + start, finder->own.data, size) == 0);
    if (!status && fits && !same && start + size <= UINT32_MAX)
        status = insert(finder, (struct pare_alternative){(uint32_t)start, (uint32_t)size}, &kept);
    if (!kept) bytes->size = start;
    return status;
}

/* Copies the text of the node, which may stand in several parts. */
static pare_status read_own(struct finder *finder)
{
    size_t size = finder->node->end - finder->node->begin;
    pare_status status = pare_buffer_reserve(&finder->own, size, finder->err);
    if (status) return status;
    pare_text_read(finder->tree->text, finder->node->begin, size, finder->own.data);
    finder->own.size = size;
    return PARE_OK;
}

/* Asks the tree's rules for the forms of the node's place and makes a text of each. */
static pare_status find(struct finder *finder, uint32_t node)
{
    const pare_tree_rules *rules = &finder->tree->rules;
    const pare_tree_form *forms = NULL;
    size_t n = 0;
    pare_status status = rules->forms(rules->context, finder->node->slot, &forms, &n, finder->err);
    if (status || !n) return status;
    status = read_own(finder);
    if (!status) status = collect(finder, node);
    for (size_t i = 0; !status && i < n; i++)
        status = add_form(finder, &forms[i]);
    return status;
}

/* `longest` is at most the node's own size, so no offer makes the text longer. */
pare_status pare_alternatives_find(const pare_tree *tree, uint32_t node,
                                   const pare_alternative_limits *limits, pare_alternatives *found,
                                   pare_error *err)
{
    const pare_tree_node *of = &tree->nodes[node];
    size_t size = of->end - of->begin;
    struct finder finder = {.tree = tree, .node = of, .found = found, .err = err};
    found->n = 0;
    pare_buffer_reset(&found->bytes);
    bool is_leaf_or_rule = of->own.kind == PARE_NODE_RULE || of->own.kind == PARE_NODE_TOKEN;
    if (!tree->rules.forms || !is_leaf_or_rule || !of->n_tokens) return PARE_OK;
    finder.most = limits->most ? limits->most : DEFAULT_MOST;
    finder.longest =
        limits->longest_bytes && limits->longest_bytes < size ? limits->longest_bytes : size;
    if (limits->shorter && finder.longest == size) finder.longest--;
    pare_status status = find(&finder, node);
    if (status) found->n = 0;
    assert(found->n <= finder.most);
    pare_alloc_free(finder.donors);
    pare_buffer_done(&finder.own);
    return status;
}

/* alternatives: a node of the tree becomes the smallest text of another alternative of its
 * rule, with its own tokens where that has free ones.
 *
 * Only where there is a tree by a grammar or language.  Large nodes first.
 * Source: Vulcan's sub-tree replacement; see reduce/passes/alternatives.h. */

enum { MOST_TEXTS = 8, MOST_LEXEMES = 20000 };

/* Offers the alternatives of one node that are simpler than what stands there. */
static pare_status offer_node(const pare_pass_view *view, uint32_t node, pare_alternatives *found,
                              pare_patches *out, pare_error *err)
{
    const pare_tree_node *at = &view->tree->nodes[node];
    pare_alternative_limits limits = {.most = MOST_TEXTS};
    size_t size = at->end - at->begin;
    if (!size || at->begin < view->begin || at->end > view->end) return PARE_OK;
    pare_status status = pare_alternatives_find(view->tree, node, &limits, found, err);
    for (size_t i = 0; !status && i < found->n; i++) {
        const char *text = pare_alternatives_text(found, i);
        if (pare_pass_is_simpler(text, found->items[i].size, view->bytes + at->begin, size))
            status = pare_pass_offer_text(
                out,
                (pare_pass_text){(pare_extent){at->begin, at->end}, text, found->items[i].size},
                PARE_NO_PATCH, NULL, err);
    }
    return status;
}

/* All nodes share one list of texts, whose memory is kept from node to node. */
static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    pare_alternatives found = {0};
    pare_status status = PARE_OK;
    (void)pass;
    for (uint32_t node = 0; !status && view->tree && node < view->tree->n_nodes; node++)
        status = offer_node(view, node, &found, out, err);
    pare_alternatives_done(&found);
    return status;
}

const pare_pass pare_pass_alternatives = {
    .name = "alternatives",
    .summary = "replaces a node by the smallest text of another alternative of its rule",
    .source = "Vulcan, sub-tree replacement",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer,
};
