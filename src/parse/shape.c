/* Shapes of nodes: the events of a derivation become a small tree of pieces, which is tidied from
 * the last piece to the first (children come after their parents) and written out.
 *
 * Shapes are kept in a hash table by type, side and children: in real sources one node in twenty
 * or so has children that were not seen before in the same order, so matching, which is the
 * expensive part, is done for these only.  Keys of varying length lie in one array, entries point
 * into it; memory is given back as a whole (pare_shape_trim). */
#include "parse/shape.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/parse_tree.h"

/* The memory after which pare_shape_trim gives all shapes up; the words of a key before its
 * children. */
enum { MOST_BYTES = 64 << 20, HEAD = 3 };

/* A node of the shape, or one of the children that it is a shape of.  Links in both
 * directions: lists of children for the writing, parents for the way back. */
struct piece {
    uint32_t kind; /* pare_node_kind; TOKEN: a child */
    uint32_t value;
    uint32_t parent, first, last, next; /* pieces, or PARE_NO_INDEX */
    uint32_t n;                         /* its children */
};

/* A shape that is kept: its key is type, side, count and the children.  `found` is false for
 * children that match no rule: that is worth remembering, too. */
struct entry {
    size_t key;
    pare_shape shape;
    bool found;
};

/* It belongs to one language and one thread. */
struct pare_shape_maker {
    const pare_content *content;
    pare_content_matcher *matcher; /* owned, as all below */
    pare_content_events events;
    struct piece *pieces;
    size_t n_pieces, piece_capacity;
    pare_shape_step *steps;
    size_t n_steps, step_capacity;
    uint32_t *keys;
    size_t n_keys, key_capacity;
    struct entry *entries;
    size_t n_entries, entry_capacity;
    pare_hash_index index;    /* of the entries, by key */
    const uint32_t *children; /* borrowed; of the node at hand */
};

pare_status pare_shape_maker_new(const pare_content *content, pare_shape_maker **out,
                                 pare_error *err)
{
    pare_shape_maker *maker = pare_alloc_zero(1, sizeof *maker);
    if (!maker) return pare_fail_nomem(err);
    maker->content = content;
    pare_status status = pare_content_matcher_new(content, &maker->matcher, err);
    if (status)
        pare_shape_maker_free(maker);
    else
        *out = maker;
    return status;
}

void pare_shape_maker_free(pare_shape_maker *maker)
{
    if (!maker) return;
    pare_content_matcher_free(maker->matcher);
    pare_content_match_done_events(&maker->events);
    pare_alloc_free(maker->pieces);
    pare_alloc_free(maker->steps);
    pare_alloc_free(maker->keys);
    pare_alloc_free(maker->entries);
    pare_hash_index_done(&maker->index);
    pare_alloc_free(maker);
}

const pare_shape_step *pare_shape_steps(const pare_shape_maker *maker)
{
    return maker->steps;
}

/* Between trees only: shapes that are in use refer to the steps. */
void pare_shape_trim(pare_shape_maker *maker)
{
    size_t bytes = maker->n_steps * sizeof *maker->steps + maker->n_keys * sizeof *maker->keys;
    if (bytes < MOST_BYTES) return;
    maker->n_steps = maker->n_keys = maker->n_entries = 0;
    pare_hash_index_reset(&maker->index);
}

pare_status pare_shape_add(pare_shape_maker *maker, pare_shape_step step, uint32_t *index,
                           pare_error *err)
{
    if (maker->n_steps >= UINT32_MAX) return pare_fail(err, PARE_E_LIMIT, "the tree is too large");
    pare_shape_step *steps =
        pare_vector_grow(maker->steps, maker->n_steps, &maker->step_capacity, sizeof *steps);
    if (!steps) return pare_fail_nomem(err);
    maker->steps = steps;
    *index = (uint32_t)maker->n_steps++;
    steps[*index] = step;
    return PARE_OK;
}

/* --- pieces ---------------------------------------------------------------------------- */

/* Appends a piece below `parent`; the parent's list does not have it yet.  Indices, since the
 * array moves. */
static pare_status add_piece(pare_shape_maker *maker, uint32_t kind, uint32_t value,
                             uint32_t parent, uint32_t *index, pare_error *err)
{
    struct piece *pieces =
        pare_vector_grow(maker->pieces, maker->n_pieces, &maker->piece_capacity, sizeof *pieces);
    if (!pieces) return pare_fail_nomem(err);
    maker->pieces = pieces;
    *index = (uint32_t)maker->n_pieces++;
    pieces[*index] = (struct piece){.kind = kind,
                                    .value = value,
                                    .parent = parent,
                                    .first = PARE_NO_INDEX,
                                    .last = PARE_NO_INDEX,
                                    .next = PARE_NO_INDEX};
    return PARE_OK;
}

/* Makes the pieces of the events.  Each round of a quantifier is an ITEM at first, and lists
 * are not linked yet.  O(events).  The walk's place is the piece that is open. */
static pare_status make_pieces(pare_shape_maker *maker, pare_error *err)
{
    static const uint32_t kinds[] = {[PARE_CONTENT_OPTIONAL] = PARE_NODE_OPTIONAL,
                                     [PARE_CONTENT_STAR] = PARE_NODE_STAR,
                                     [PARE_CONTENT_PLUS] = PARE_NODE_PLUS};
    uint32_t at, made;
    maker->n_pieces = 0;
    /* Piece 0 is the node itself. */
    pare_status status = add_piece(maker, PARE_NODE_RULE, 0, PARE_NO_INDEX, &at, err);
    for (size_t i = 0; !status && i < maker->events.n; i++) {
        pare_content_event event = maker->events.items[i];
        switch ((pare_content_event_kind)event.kind) {
        case PARE_CONTENT_CHILD:
            status = add_piece(maker, PARE_NODE_TOKEN, event.value, at, &made, err);
            break;
        case PARE_CONTENT_OPTIONAL:
        case PARE_CONTENT_STAR:
        case PARE_CONTENT_PLUS:
            status = add_piece(maker, kinds[event.kind], 0, at, &at, err);
            if (!status && event.kind == PARE_CONTENT_OPTIONAL)
                /* An option has one round, without an event. */
                status = add_piece(maker, PARE_NODE_ITEM, 0, at, &at, err);
            break;
        case PARE_CONTENT_NEXT_ROUND:
            /* The round before this one, or the quantifier itself, is where the walk stands. */
            if (maker->pieces[at].kind == PARE_NODE_ITEM) at = maker->pieces[at].parent;
            status = add_piece(maker, PARE_NODE_ITEM, 0, at, &at, err);
            break;
        case PARE_CONTENT_ENDED:
            if (maker->pieces[at].kind == PARE_NODE_ITEM) at = maker->pieces[at].parent;
            at = maker->pieces[at].parent;
            break;
        }
    }
    return status;
}

/* Rounds (ITEM) do not count. */
static bool is_quantifier(const struct piece *piece)
{
    return piece->kind == PARE_NODE_OPTIONAL || piece->kind == PARE_NODE_STAR ||
           piece->kind == PARE_NODE_PLUS;
}

/* Puts a child at the front of its parent's list: pieces are gone through from the last to the
 * first. */
static void put_first(struct piece *pieces, uint32_t parent, uint32_t child)
{
    struct piece *above = &pieces[parent];
    assert(parent < child && "children come after their parents");
    pieces[child].next = above->first;
    pieces[child].parent = parent;
    above->first = child;
    if (above->last == PARE_NO_INDEX) above->last = child;
    above->n++;
}

/* What replaces the piece, whose children are tidy already: itself, another piece, or nothing
 * (PARE_NO_INDEX). Quantifiers without rounds go, and a round with a single piece becomes that
 * piece. */
static uint32_t tidy_piece(struct piece *pieces, uint32_t at)
{
    struct piece *piece = &pieces[at];
    if (piece->kind == PARE_NODE_TOKEN) return at;
    if (piece->n == 0) return PARE_NO_INDEX;
    if (piece->n > 1) return at;
    struct piece *only = &pieces[piece->first];
    if (piece->kind == PARE_NODE_ITEM) {
        /* A round that may be nothing may also go. */
        bool twice =
            only->kind == PARE_NODE_OPTIONAL && pieces[piece->parent].kind == PARE_NODE_STAR;
        return twice ? only->first : piece->first;
    }
    /* The only round of a plus became a single piece: nothing is repeated. */
    if (piece->kind == PARE_NODE_PLUS && only->kind != PARE_NODE_ITEM) return piece->first;
    if (piece->kind != PARE_NODE_OPTIONAL || !is_quantifier(only)) return at;
    /* Any number of rounds, none at all included. */
    if (only->kind == PARE_NODE_PLUS) only->kind = PARE_NODE_STAR;
    return piece->first;
}

/* Tidies and links all pieces, from the last to the first: children come after their parents,
 * so they are tidy when the parent's turn comes.  O(pieces). */
static void tidy(pare_shape_maker *maker)
{
    struct piece *pieces = maker->pieces;
    for (uint32_t i = (uint32_t)maker->n_pieces; i-- > 1;) {
        uint32_t parent = pieces[i].parent, stands = tidy_piece(pieces, i);
        if (stands == PARE_NO_INDEX) continue;
        put_first(pieces, parent, stands);
    }
}

/* --- separators -------------------------------------------------------------------------- */

/* Whether two pieces are elements of the same list: quantifiers alike, or children of the same
 * set or of the same kind.  Sets are compared where there are any: an expression before a
 * comma and another one after it are of the same set, and of different kinds. */
static bool is_alike(const struct piece *pieces, uint32_t a, uint32_t b, const uint32_t *symbols)
{
    if (pieces[a].kind != pieces[b].kind) return false;
    if (pieces[a].kind != PARE_NODE_TOKEN) return is_quantifier(&pieces[a]);
    if (pieces[a].value != PARE_NO_INDEX) return pieces[a].value == pieces[b].value;
    return pieces[b].value == PARE_NO_INDEX && symbols[a] == symbols[b];
}

/* Whether every round of `star` is a separator, which is an anonymous token, and one element
 * like `element`, the one before the star.  O(rounds) for each star, so O(children) for each
 * node. */
static bool is_separated(const pare_shape_maker *maker, uint32_t star, uint32_t element,
                         const uint32_t *symbols)
{
    const struct piece *pieces = maker->pieces;
    if (pieces[star].kind != PARE_NODE_STAR || element == PARE_NO_INDEX) return false;
    for (uint32_t i = pieces[star].first; i != PARE_NO_INDEX; i = pieces[i].next) {
        uint32_t first = pieces[i].first;
        if (pieces[i].kind != PARE_NODE_ITEM || pieces[i].n != 2) return false;
        if (pieces[first].kind != PARE_NODE_TOKEN) return false;
        if (!pare_content_is_anonymous(maker->content, symbols[first])) return false;
        if (!is_alike(pieces, element, pieces[i].last, symbols)) return false;
    }
    return true;
}

/* Moves the separators of a star: e [(s1 e1) (s2 e2)] becomes [(e s1) (e1 s2)] e2.  `before`
 * is the piece before e, or PARE_NO_INDEX. */
static void shift(struct piece *pieces, uint32_t parent, uint32_t before, uint32_t star)
{
    uint32_t element = before == PARE_NO_INDEX ? pieces[parent].first : pieces[before].next;
    if (before == PARE_NO_INDEX)
        pieces[parent].first = star;
    else
        pieces[before].next = star;
    /* Each round takes the element before it, and passes its own one on. */
    for (uint32_t i = pieces[star].first; i != PARE_NO_INDEX; i = pieces[i].next) {
        uint32_t separator = pieces[i].first, own = pieces[i].last;
        pieces[i].first = element;
        pieces[i].last = separator;
        pieces[element].next = separator;
        pieces[element].parent = pieces[separator].parent = i;
        pieces[separator].next = PARE_NO_INDEX;
        element = own;
    }
    /* The last element, without a separator, follows the star. */
    pieces[element].parent = parent;
    pieces[element].next = pieces[star].next;
    pieces[star].next = element;
    if (pieces[parent].last == star) pieces[parent].last = element;
}

/* The symbols of the children by piece: children and their pieces have the same order.  Only
 * pieces of children have one. */
static void spread_symbols(const pare_shape_maker *maker, uint32_t *symbols)
{
    size_t child = 0;
    for (size_t i = 0; i < maker->n_pieces; i++)
        if (maker->pieces[i].kind == PARE_NODE_TOKEN) symbols[i] = maker->children[child++];
}

/* Moves separators to the element before them, in every list that is written with the
 * separator first. */
static pare_status put_after(pare_shape_maker *maker, pare_error *err)
{
    struct piece *pieces = maker->pieces;
    uint32_t *symbols = pare_alloc_zero(maker->n_pieces, sizeof *symbols);
    if (!symbols) return pare_fail_nomem(err);
    spread_symbols(maker, symbols);
    for (uint32_t parent = 0; parent < maker->n_pieces; parent++) {
        uint32_t before = PARE_NO_INDEX, element = PARE_NO_INDEX;
        uint32_t at = pieces[parent].kind == PARE_NODE_TOKEN ? PARE_NO_INDEX : pieces[parent].first;
        while (at != PARE_NO_INDEX) {
            if (is_separated(maker, at, element, symbols)) {
                shift(pieces, parent, before, at);
                /* The star stands before its last element now, which may begin another list. */
                before = at;
                element = pieces[at].next;
            } else {
                before = element;
                element = at;
            }
            at = pieces[element].next;
        }
    }
    pare_alloc_free(symbols);
    return PARE_OK;
}

/* --- steps ------------------------------------------------------------------------------- */

/* Writes OPEN, CLOSE and CHILD in the order of a walk over the pieces.  The way back goes by
 * their parents, which saves a stack. */
static pare_status write_steps(pare_shape_maker *maker, pare_error *err)
{
    const struct piece *pieces = maker->pieces;
    uint32_t at = 0, index;
    pare_status status = PARE_OK;
    while (!status) {
        if (pieces[at].kind != PARE_NODE_TOKEN && pieces[at].first != PARE_NO_INDEX) {
            at = pieces[at].first;
        } else {
            /* Back up to a piece with a younger sibling; every list that is left is closed. */
            while (at != 0 && pieces[at].next == PARE_NO_INDEX && !status) {
                at = pieces[at].parent;
                if (at != 0)
                    status =
                        pare_shape_add(maker, (pare_shape_step){PARE_SHAPE_CLOSE, 0}, &index, err);
            }
            if (at == 0) break;
            at = pieces[at].next;
        }
        bool child = pieces[at].kind == PARE_NODE_TOKEN;
        pare_shape_step step = {child ? PARE_SHAPE_CHILD : PARE_SHAPE_OPEN,
                                child ? pieces[at].value : pieces[at].kind};
        if (!status) status = pare_shape_add(maker, step, &index, err);
    }
    return status;
}

/* Makes the steps of the derivation that the events hold.  The order matters: separators can
 * be told once quantifiers are tidy. */
static pare_status make_steps(pare_shape_maker *maker, pare_separators separators, pare_error *err)
{
    pare_status status = make_pieces(maker, err);
    if (status) return status;
    tidy(maker);
    if (separators == PARE_SEPARATORS_AFTER) status = put_after(maker, err);
    return status ? status : write_steps(maker, err);
}

/* --- the table --------------------------------------------------------------------------- */

/* Hash of a key: its head, then the children.  Word by word with large odd factors; equal keys
 * are compared in full. */
static uint64_t hash_key(const uint32_t *head, const uint32_t *children, uint32_t n)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < HEAD; i++)
        hash = (hash ^ head[i]) * UINT64_C(0xc2b2ae3d27d4eb4f);
    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ (hash >> 29) ^ children[i]) * UINT64_C(0x165667b19e3779f9);
    return hash ^ (hash >> 32);
}

/* The entry of the key; NULL: it is not there. Keys are compared with those in the array, and
 * children as numbers: two nodes of one type whose children have the same types have one shape. */
static const struct entry *find_entry(const pare_shape_maker *maker, uint64_t hash,
                                      const uint32_t *head, const uint32_t *children)
{
    pare_hash_probe probe = pare_hash_index_probe(&maker->index, hash);
    uint32_t at, n = head[HEAD - 1];
    while (pare_hash_index_next(&maker->index, &probe, &at)) {
        const uint32_t *key = maker->keys + maker->entries[at].key;
        /* A node without children may have no array of them. */
        if (memcmp(key, head, HEAD * sizeof *key) == 0 &&
            (n == 0 || memcmp(key + HEAD, children, n * sizeof *key) == 0))
            return &maker->entries[at];
    }
    return NULL;
}

/* Appends a word to the keys. */
static pare_status add_key(pare_shape_maker *maker, uint32_t part, pare_error *err)
{
    uint32_t *keys =
        pare_vector_grow(maker->keys, maker->n_keys, &maker->key_capacity, sizeof *keys);
    if (!keys) return pare_fail_nomem(err);
    maker->keys = keys;
    keys[maker->n_keys++] = part;
    return PARE_OK;
}

/* Adds a key and what was found for it, also when that is nothing. */
static pare_status add_entry(pare_shape_maker *maker, uint64_t hash, const uint32_t *head,
                             const uint32_t *children, struct entry entry, pare_error *err)
{
    pare_status status = PARE_OK;
    entry.key = maker->n_keys;
    for (uint32_t i = 0; !status && i < HEAD; i++)
        status = add_key(maker, head[i], err);
    for (uint32_t i = 0; !status && i < head[HEAD - 1]; i++)
        status = add_key(maker, children[i], err);
    if (status) return status;
    struct entry *entries =
        pare_vector_grow(maker->entries, maker->n_entries, &maker->entry_capacity, sizeof *entries);
    if (!entries) return pare_fail_nomem(err);
    maker->entries = entries;
    /* It counts once it can be found. */
    status = pare_hash_index_add(&maker->index, hash, (uint32_t)maker->n_entries, err);
    if (!status) entries[maker->n_entries++] = entry;
    return status;
}

/* Matches the children, and makes the steps if they match a rule.  Only a lack of memory is a
 * failure: children that are too much to match have no shape. */
static pare_status make_entry(pare_shape_maker *maker, pare_shape_query query, struct entry *entry,
                              pare_error *err)
{
    pare_error why = {.status = PARE_OK};
    pare_status status = pare_content_match_derive(maker->matcher, query.symbol, query.children,
                                                   query.n, &maker->events, &why);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    entry->found = !status && maker->events.derived;
    /* For put_after, which needs the symbols of the children. */
    maker->children = query.children;
    status = entry->found ? make_steps(maker, query.separators, err) : PARE_OK;
    assert(entry->shape.first <= maker->n_steps);
    entry->shape.n = (uint32_t)maker->n_steps - entry->shape.first;
    return status;
}

/* A query that was asked before costs a look-up. */
pare_status pare_shape_find(pare_shape_maker *maker, pare_shape_query query, pare_shape *shape,
                            bool *found, pare_error *err)
{
    const uint32_t head[HEAD] = {query.symbol, query.separators, query.n};
    uint64_t hash = hash_key(head, query.children, query.n);
    /* Steps are appended, so a new shape begins at the end. */
    struct entry made = {.shape = {.first = (uint32_t)maker->n_steps}};
    const struct entry *entry = find_entry(maker, hash, head, query.children);
    if (!entry) {
        pare_status status = make_entry(maker, query, &made, err);
        if (!status) status = add_entry(maker, hash, head, query.children, made, err);
        if (status) return status;
        entry = &made;
    }
    *shape = entry->shape;
    *found = entry->found;
    return PARE_OK;
}
