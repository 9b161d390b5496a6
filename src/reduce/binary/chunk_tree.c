/* The tree of chunks of a binary file, and its numbers.
 *
 * Arrays with indices, as trees elsewhere: chunks point to their first child and next sibling.  A
 * chunk is only taken where it fits, so that a reader of a hostile file need not check what it has
 * read: what contradicts what was found before is not found.
 * Unpacking splices the plain bytes in and moves all positions behind; it is done at most 64 times,
 * so that this needs no cleverer structure.
 * Invariant: children ascend and lie in their parent; a field stands in one space, and so does what
 * it is about. */
#include "reduce/binary/chunk_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/halving.h"
#include "base/vector.h"
#include "text/text.h"

pare_status pare_chunk_tree_new(const unsigned char *bytes, size_t n, pare_chunk_tree **out,
                                pare_error *err)
{
    if (n > PARE_CHUNK_MOST_BYTES) return pare_fail(err, PARE_E_LIMIT, "too large for chunks");
    pare_chunk_tree *tree = pare_alloc_zero(1, sizeof *tree);
    if (!tree) return pare_fail_nomem(err);
    tree->references = 1;
    tree->bytes = pare_alloc(n + 1, 1);
    tree->chunks = pare_vector_grow(NULL, 0, &tree->chunk_capacity, sizeof *tree->chunks);
    if (!tree->bytes || !tree->chunks) {
        pare_chunk_tree_unref(tree);
        return pare_fail_nomem(err);
    }
    if (n) memcpy(tree->bytes, bytes, n);
    tree->size = (uint32_t)n;
    /* Positions are 32 bits; both limits together stay far below 2^32. */
    tree->most = tree->size + PARE_CHUNK_MOST_UNPACKED;
    tree->chunks[0] = (pare_chunk){.to = (uint32_t)n,
                                   .body_to = (uint32_t)n,
                                   .parent = PARE_NO_CHUNK,
                                   .first = PARE_NO_CHUNK,
                                   .last = PARE_NO_CHUNK,
                                   .next = PARE_NO_CHUNK,
                                   .twin = PARE_NO_CHUNK,
                                   .packing = PARE_NO_CHUNK};
    tree->n_chunks = 1;
    *out = tree;
    return PARE_OK;
}

pare_chunk_tree *pare_chunk_tree_ref(pare_chunk_tree *tree)
{
    tree->references++;
    return tree;
}

void pare_chunk_tree_unref(pare_chunk_tree *tree)
{
    if (!tree || --tree->references) return;
    for (uint32_t i = 0; i < tree->n_packings; i++) {
        pare_alloc_free(tree->packings[i].packed);
        pare_alloc_free(tree->packings[i].plain);
    }
    pare_alloc_free(tree->bytes);
    pare_alloc_free(tree->chunks);
    pare_alloc_free(tree->fields);
    pare_alloc_free(tree->pads);
    pare_alloc_free(tree->marks);
    pare_alloc_free(tree->order);
    pare_alloc_free(tree->children);
    pare_alloc_free(tree->n_names);
    pare_alloc_free(tree);
}

/* Whether there is room for from .. to in `parent`, after its last child. This is where the reading
 * of a hostile file is bounded: a range that leaves its parent, overlaps a sibling, goes back
 * before one, or is nested too deep is no chunk, and the reader that asked goes on without it. */
static bool fits(const pare_chunk_tree *tree, uint32_t parent, uint32_t from, uint32_t to)
{
    const pare_chunk *up = &tree->chunks[parent];
    if (from >= to || from < up->from || to > up->to) return false;
    if (up->depth + 1 >= PARE_CHUNK_MOST_DEPTH || tree->n_chunks >= PARE_CHUNK_MOST) return false;
    return up->last == PARE_NO_CHUNK || tree->chunks[up->last].to <= from;
}

/* The new chunk becomes the last child. `up` is taken from the array after it has grown, because
 * growing moves it. Cost: O(1), for the last child is kept. */
pare_status pare_chunk_tree_add(pare_chunk_tree *tree, uint32_t parent, uint32_t from, uint32_t to,
                                uint32_t *index, pare_error *err)
{
    *index = PARE_NO_CHUNK;
    if (!fits(tree, parent, from, to)) return PARE_OK;
    pare_chunk *chunks =
        pare_vector_grow(tree->chunks, tree->n_chunks, &tree->chunk_capacity, sizeof *chunks);
    if (!chunks) return pare_fail_nomem(err);
    tree->chunks = chunks;
    pare_chunk *up = &chunks[parent];
    chunks[tree->n_chunks] = (pare_chunk){.from = from,
                                          .to = to,
                                          .body = from,
                                          .body_to = to,
                                          .parent = parent,
                                          .first = PARE_NO_CHUNK,
                                          .last = PARE_NO_CHUNK,
                                          .next = PARE_NO_CHUNK,
                                          .twin = PARE_NO_CHUNK,
                                          .packing = PARE_NO_CHUNK,
                                          .depth = up->depth + 1};
    *index = tree->n_chunks++;
    if (up->last == PARE_NO_CHUNK)
        up->first = *index;
    else
        chunks[up->last].next = *index;
    up->last = *index;
    up->n_children++;
    return PARE_OK;
}

/* Children of a chunk that begin before `to`: the number of the child that begins there. With
 * children at 10, 14 and 30, `to` 30 gives 2, and `to` 31 gives 3. */
static uint64_t count_before(const pare_chunk_tree *tree, uint32_t chunk, uint32_t to)
{
    const pare_chunk *all = &tree->chunks[chunk];
    uint64_t n = 0;
    uint32_t i = all->first;
    /* Children that were added one after the other, with nothing between them, have consecutive
     * indices from `first` to `last`: the place of the k-th child is known, and halving finds it. A
     * pool of thousands of constants that name each other by index would take quadratic time
     * otherwise. */
    if (i != PARE_NO_CHUNK && all->last - i + 1 == all->n_children) {
        pare_halving search = {.low = 0, .high = all->n_children};
        while (pare_halving_next(&search))
            pare_halving_tell(&search, tree->chunks[i + search.middle].from < to);
        return search.low;
    }
    for (; i != PARE_NO_CHUNK && tree->chunks[i].from < to; i = tree->chunks[i].next)
        n++;
    return n;
}

/* Marks are in no chunk's list; they are counted wherever they stand (where a pickle remembers an
 * object, for example). They ascend, so halving does. */
static uint64_t count_marks_before(const pare_chunk_tree *tree, uint32_t to)
{
    pare_halving search = {.low = 0, .high = tree->n_marks};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, tree->marks[search.middle] < to);
    return search.low;
}

/* What the field's number would be, computed from the file as it is before any chunk goes. A field
 * keeps its difference to the number that the file really has (pare_chunk_tree_field). */
static uint64_t number_of(const pare_chunk_tree *tree, const pare_chunk_field *field)
{
    const unsigned char *bytes = tree->bytes + field->from;
    const uint32_t n = field->to - field->from, unit = field->unit ? field->unit : 1;
    switch (field->number) {
    case PARE_NUMBER_LENGTH: return n / unit;
    case PARE_NUMBER_POSITION: return n;
    /* From `to` back to `from` is negative: 2^64 - n, of which the writer keeps the low bytes. A
     * jump by -3 in two bytes is ff fd. */
    case PARE_NUMBER_BACKWARD: return (uint64_t)0 - n;
    case PARE_NUMBER_COUNT: return (uint64_t)tree->chunks[field->chunk].n_children * unit;
    case PARE_NUMBER_INDEX: return count_before(tree, field->chunk, field->to);
    case PARE_NUMBER_MARKS: return count_marks_before(tree, field->to);
    case PARE_NUMBER_COLUMNS: return tree->chunks[tree->chunks[field->chunk].first].n_children;
    case PARE_NUMBER_PRESENT: return field->unit ? field->unit : 1;
    case PARE_NUMBER_CRC32: return pare_chunk_coding_crc32(bytes, n);
    case PARE_NUMBER_ADLER32: return pare_chunk_coding_adler32(bytes, n);
    case PARE_NUMBER_CRC32_OGG:
        return pare_chunk_coding_crc32_ogg(bytes, n, field->at - field->from);
    case PARE_NUMBER_SHA1: return pare_chunk_coding_sha1(bytes, n, field->unit, field->width);
    /* Below, outside of the switch: the checksum of tar counts its own digits as blanks. */
    case PARE_NUMBER_SUM: break;
    }
    return pare_chunk_coding_sum(bytes, n) -
           pare_chunk_coding_sum(tree->bytes + field->at, field->width) +
           (uint64_t)' ' * field->width;
}

/* The bias is the file's number less the computed one, modulo 2^64, and is added again when the
 * number is written. So formats may count as they like: a length that includes its own four bytes
 * has the bias 4, one that leaves out a head of eight bytes has -8, and both are right after bytes
 * went.
 *
 * A checksum has to agree exactly. If it does not, either it is none, or it is wrong in the file,
 * and then its bytes stay as they are. */
pare_status pare_chunk_tree_field(pare_chunk_tree *tree, const pare_chunk_field *field,
                                  pare_error *err)
{
    if (field->at >= tree->size || field->from > field->to || field->to > tree->size)
        return PARE_OK;
    const pare_coded coded = pare_chunk_coding_read(
        field->coding, field->width, tree->bytes + field->at, tree->size - field->at);
    const uint64_t bias = coded.value - number_of(tree, field);
    if (!coded.width || coded.width > PARE_CODING_MOST_BYTES) return PARE_OK;
    if (field->number >= PARE_NUMBER_CRC32 && bias) return PARE_OK;
    pare_chunk_field *fields =
        pare_vector_grow(tree->fields, tree->n_fields, &tree->field_capacity, sizeof *fields);
    if (!fields) return pare_fail_nomem(err);
    tree->fields = fields;
    fields[tree->n_fields] = *field;
    fields[tree->n_fields].width = coded.width;
    fields[tree->n_fields++].bias = bias;
    return PARE_OK;
}

pare_status pare_chunk_tree_pad(pare_chunk_tree *tree, const pare_chunk_pad *pad, pare_error *err)
{
    pare_chunk_pad *pads =
        pare_vector_grow(tree->pads, tree->n_pads, &tree->pad_capacity, sizeof *pads);
    if (!pads) return pare_fail_nomem(err);
    tree->pads = pads;
    pads[tree->n_pads++] = *pad;
    return PARE_OK;
}

pare_status pare_chunk_tree_mark(pare_chunk_tree *tree, uint32_t at, pare_error *err)
{
    assert((!tree->n_marks || tree->marks[tree->n_marks - 1] < at) && "marks ascend");
    uint32_t *marks =
        pare_vector_grow(tree->marks, tree->n_marks, &tree->mark_capacity, sizeof *marks);
    if (!marks) return pare_fail_nomem(err);
    tree->marks = marks;
    marks[tree->n_marks++] = at;
    return PARE_OK;
}

/* ---- unpacking ---------------------------------------------------------------------------- */

/* Moves a position that is not before `limit`. */
static void move(uint32_t *position, uint32_t limit, int64_t by)
{
    if (*position >= limit) *position = (uint32_t)((int64_t)*position + by);
}

/* Moves everything that stands at `limit` or after it by `by` bytes. `limit`, the end of what is
 * replaced, is never 0: a field without a link or an inlined value has 0 there, and keeps it. A
 * link is a position plus 1, and so is its limit. */
static void move_all(pare_chunk_tree *tree, uint32_t limit, int64_t by)
{
    for (uint32_t i = 0; i < tree->n_chunks; i++) {
        move(&tree->chunks[i].from, limit, by);
        move(&tree->chunks[i].to, limit, by);
        move(&tree->chunks[i].body, limit, by);
        move(&tree->chunks[i].body_to, limit, by);
    }
    for (uint32_t i = 0; i < tree->n_fields; i++) {
        move(&tree->fields[i].at, limit, by);
        move(&tree->fields[i].from, limit, by);
        move(&tree->fields[i].to, limit, by);
        move(&tree->fields[i].link, limit + 1, by);
        move(&tree->fields[i].inlined, limit, by);
    }
    for (uint32_t i = 0; i < tree->n_marks; i++)
        move(&tree->marks[i], limit, by);
    for (uint32_t i = 0; i < tree->n_pads; i++) {
        move(&tree->pads[i].at, limit, by);
        move(&tree->pads[i].from, limit, by);
    }
    for (uint32_t i = 0; i < tree->n_packings; i++) {
        move(&tree->packings[i].from, limit, by);
        move(&tree->packings[i].to, limit, by);
    }
}

/* Drops the numbers that stand in bytes from .. to, or begin or end strictly between them: another
 * reading of the packed bytes found these, and nothing of it is left once the plain form stands
 * there. A number about the member as a whole begins and ends at its edges, and stays. */
static void drop_fields_inside(pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < tree->n_fields; i++) {
        const pare_chunk_field field = tree->fields[i];
        const bool stands = field.at < to && field.at + field.width > from;
        const bool begins = field.from > from && field.from < to;
        const bool ends = field.to > from && field.to < to;
        if (!stands && !begins && !ends) tree->fields[n++] = field;
    }
    tree->n_fields = n;
}

/* The bytes with `plain` between two marks in the place of from .. to:
 *
 * before   ... a | p p p p | b ...     p: from .. to, packed
 * after    ... a | 0 q q q q q q 0 | b ...   q: plain
 *
 * The marks are bytes of their own so that the packed member has a begin and an end that are
 * distinct positions even when `plain` is empty. */
static unsigned char *splice(const pare_chunk_tree *tree, uint32_t from, uint32_t to,
                             const pare_buffer *plain)
{
    const size_t size = tree->size - (to - from) + plain->size + 2;
    unsigned char *bytes = pare_alloc(size + 1, 1);
    if (!bytes) return NULL;
    memcpy(bytes, tree->bytes, from);
    bytes[from] = 0;
    if (plain->size) memcpy(bytes + from + 1, plain->data, plain->size);
    bytes[from + 1 + plain->size] = 0;
    memcpy(bytes + from + plain->size + 2, tree->bytes + to, tree->size - to);
    return bytes;
}

/* Makes the packing of `chunk`, and all that is behind it moves. All memory is allocated before the
 * tree changes, so that a tree that could not be changed is whole. Fields inside are dropped before
 * positions move: `to` is the old end. Cost: O(chunks + fields + bytes). */
static pare_status put_plain(pare_chunk_tree *tree, uint32_t chunk, pare_packing_codec codec,
                             const pare_buffer *plain, pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].from, to = tree->chunks[chunk].to;
    assert(tree->n_packings < PARE_CHUNK_MOST_PACKINGS && "both callers have looked");
    pare_chunk_packing made = {.codec = codec,
                               .n_packed = to - from,
                               .n_plain = (uint32_t)plain->size,
                               .packed = pare_alloc(to - from, 1),
                               .plain = pare_alloc(plain->size, 1)};
    unsigned char *bytes = splice(tree, from, to, plain);
    if (!made.packed || !made.plain || !bytes) {
        pare_alloc_free(made.packed);
        pare_alloc_free(made.plain);
        pare_alloc_free(bytes);
        return pare_fail_nomem(err);
    }
    memcpy(made.packed, tree->bytes + from, made.n_packed);
    if (plain->size) memcpy(made.plain, plain->data, plain->size);
    const int64_t by = (int64_t)plain->size + 2 - (int64_t)(to - from);
    drop_fields_inside(tree, from, to);
    move_all(tree, to, by);
    pare_alloc_free(tree->bytes);
    tree->bytes = bytes;
    tree->size = (uint32_t)((int64_t)tree->size + by);
    made.from = from;
    made.to = (uint32_t)(from + plain->size + 2);
    tree->chunks[chunk].packing = tree->n_packings;
    /* What is found in the chunk from here on is in its plain bytes, without the two marks. */
    tree->chunks[chunk].body = from + 1;
    tree->chunks[chunk].body_to = made.to - 1;
    tree->packings[tree->n_packings++] = made;
    return PARE_OK;
}

pare_status pare_chunk_tree_rewrite(pare_chunk_tree *tree, uint32_t chunk, const pare_buffer *plain,
                                    bool *done, pare_error *err)
{
    const pare_chunk at = tree->chunks[chunk];
    *done = false;
    assert(at.first == PARE_NO_CHUNK);
    if (tree->n_packings == PARE_CHUNK_MOST_PACKINGS || at.packing != PARE_NO_CHUNK) return PARE_OK;
    /* The packed bytes are not subtracted: they may be few, and the limit need not be met exactly.
     */
    if (plain->size + 2 + tree->size > tree->most) return PARE_OK;
    pare_status status = put_plain(tree, chunk, PARE_PACKING_NONE, plain, err);
    *done = !status;
    return status;
}

pare_status pare_chunk_tree_open(pare_chunk_tree *tree, pare_packing_codec codec, pare_span packed,
                                 pare_buffer *plain, size_t *used, pare_error *err)
{
    /* Two bounds: what the tree may hold (`room`), and what may be unpacked in all (`left`), for a
     * member that is tried and dropped again costs time as well. */
    const uint32_t left = PARE_CHUNK_MOST_OPENED - tree->opened;
    const uint32_t room = tree->size + 2 < tree->most ? tree->most - 2 - tree->size : 0;
    *used = 0;
    if (!room || !left) return PARE_OK;
    pare_status status =
        pare_packing_open(codec, packed, room < left ? room : left, plain, used, err);
    /* Also after an error: what was unpacked counts. */
    tree->opened += plain->size < left ? (uint32_t)plain->size : left;
    return status;
}

pare_status pare_chunk_tree_unpack(pare_chunk_tree *tree, uint32_t chunk, pare_packing_codec codec,
                                   bool *done, pare_error *err)
{
    pare_buffer plain = {0};
    const pare_chunk at = tree->chunks[chunk];
    size_t used;
    *done = false;
    assert(at.first == PARE_NO_CHUNK);
    if (tree->n_packings == PARE_CHUNK_MOST_PACKINGS || at.packing != PARE_NO_CHUNK) return PARE_OK;
    pare_status status = pare_chunk_tree_open(
        tree, codec, (pare_span){tree->bytes + at.from, at.to - at.from}, &plain, &used, err);
    /* A member that ends before the chunk does would leave bytes that have no place in the plain
     * form. */
    if (!status && used == at.to - at.from) {
        status = put_plain(tree, chunk, codec, &plain, err);
        *done = !status;
    }
    pare_buffer_done(&plain);
    return status;
}

/* ---- sealing ------------------------------------------------------------------------------ */

/* The innermost packing in which `at` is, plus 1; 0: the file. Inner packings were made after the
 * outer ones, so the first hit from the back is the innermost. The first byte of a packing, its
 * mark, is outside: it belongs to what is around the member. */
static uint32_t space_of(const pare_chunk_tree *tree, uint32_t at)
{
    for (uint32_t i = tree->n_packings; i-- > 0;)
        if (at > tree->packings[i].from && at < tree->packings[i].to) return i + 1;
    return 0;
}

/* Of two numbers at the same place the one about the range that begins first comes first, and
 * stays. */
static int by_place(const void *a, const void *b)
{
    const pare_chunk_field *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Pads of nested things may stand at the same place; that of the inner one, whose range begins
 * later, comes first, because the outer size depends on it. */
static int pads_by_place(const void *a, const void *b)
{
    const pare_chunk_pad *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return x->from > y->from ? -1 : x->from < y->from;
}

/* A field and how it comes among the others: checksums last, the larger ranges after the smaller. */
struct rank {
    uint64_t rank;
    uint32_t field;
};

/* Equal ranks keep the order of the fields, so that the sort is the same on every machine. */
static int by_rank(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->field < y->field ? -1 : x->field > y->field;
}

/* Sets the order in which numbers are to be written, from what depends on nothing to what depends
 * on other numbers:
 *
 * rank 0           lengths, positions, counts: they follow from what is left
 * rank 1           positions whose place may hold a value, which has to be written before
 * rank 1 + bytes   checksums: the one of a member before the one of the archive around it */
static pare_status set_order(pare_chunk_tree *tree, pare_error *err)
{
    struct rank *ranks = pare_alloc(tree->n_fields, sizeof *ranks);
    tree->order = pare_alloc(tree->n_fields, sizeof *tree->order);
    if (!ranks || !tree->order) {
        pare_alloc_free(ranks);
        return pare_fail_nomem(err);
    }
    for (uint32_t i = 0; i < tree->n_fields; i++) {
        const pare_chunk_field *field = &tree->fields[i];
        const bool sum = field->number >= PARE_NUMBER_CRC32;
        const uint64_t late = field->inlined != 0; /* after the numbers that it may hold */
        ranks[i] = (struct rank){sum ? 1 + (uint64_t)(field->to - field->from) : late, i};
    }
    if (tree->n_fields) qsort(ranks, tree->n_fields, sizeof *ranks, by_rank);
    for (uint32_t i = 0; i < tree->n_fields; i++)
        tree->order[i] = ranks[i].field;
    pare_alloc_free(ranks);
    return PARE_OK;
}

/* Counts by how many fields each chunk is named, if any is. */
static pare_status count_names(pare_chunk_tree *tree, pare_error *err)
{
    for (uint32_t i = 0; i < tree->n_fields; i++) {
        const uint32_t target = tree->fields[i].target;
        if (!target) continue;
        assert(target <= tree->n_chunks);
        if (!tree->n_names) tree->n_names = pare_alloc_zero(tree->n_chunks, sizeof *tree->n_names);
        if (!tree->n_names) return pare_fail_nomem(err);
        /* A chunk whose names have all gone is gone, too: this is where counting down begins. */
        tree->n_names[target - 1]++;
    }
    return PARE_OK;
}

/* Lists the children of each chunk, so that a number that counts them is found by halving. */
static pare_status list_children(pare_chunk_tree *tree, pare_error *err)
{
    uint32_t n = 0;
    tree->children = pare_alloc(tree->n_chunks, sizeof *tree->children);
    if (!tree->children) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < tree->n_chunks; i++) {
        tree->chunks[i].children = n;
        for (uint32_t k = tree->chunks[i].first; k != PARE_NO_CHUNK; k = tree->chunks[k].next)
            tree->children[n++] = k;
    }
    assert(n + 1 == tree->n_chunks && "every chunk but the file has one parent");
    return PARE_OK;
}

/* Of two fields that overlap the first one stays. Packings inside others were made later, so the
 * last one that holds a position is the innermost. */
pare_status pare_chunk_tree_seal(pare_chunk_tree *tree, pare_error *err)
{
    uint32_t n = 0;
    if (tree->n_fields) qsort(tree->fields, tree->n_fields, sizeof *tree->fields, by_place);
    for (uint32_t i = 0; i < tree->n_fields; i++) {
        const pare_chunk_field field = tree->fields[i];
        if (n && tree->fields[n - 1].at + tree->fields[n - 1].width > field.at) continue;
        tree->fields[n] = field;
        tree->fields[n++].space = space_of(tree, field.at);
    }
    tree->n_fields = n;
    if (tree->n_pads) qsort(tree->pads, tree->n_pads, sizeof *tree->pads, pads_by_place);
    assert(pare_chunk_tree_check(tree));
    pare_status status = list_children(tree, err);
    if (!status) status = count_names(tree, err);
    return status ? status : set_order(tree, err);
}

/* Children lie in their chunk, ascend without overlaps, know their parent, and are as many as it
 * says.  A child may begin where the one before it ends. */
static bool check_chunk(const pare_chunk_tree *tree, uint32_t index)
{
    const pare_chunk *chunk = &tree->chunks[index];
    uint32_t at = chunk->from, n = 0;
    if (chunk->from > chunk->to || chunk->to > tree->size) return false;
    for (uint32_t i = chunk->first; i != PARE_NO_CHUNK; i = tree->chunks[i].next, n++) {
        if (tree->chunks[i].parent != index || tree->chunks[i].from < at) return false;
        at = tree->chunks[i].to;
    }
    return at <= chunk->to && n == chunk->n_children;
}

void pare_chunk_tree_link_twins(pare_chunk_tree *tree, uint32_t other, uint32_t chunk)
{
    const uint32_t next = tree->chunks[other].twin;
    tree->chunks[chunk].twin = next == PARE_NO_CHUNK ? other : next;
    tree->chunks[other].twin = chunk;
}

bool pare_chunk_tree_check(const pare_chunk_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_chunks; i++)
        if (!check_chunk(tree, i)) return false;
    for (uint32_t i = 0; i < tree->n_fields; i++) {
        const pare_chunk_field *field = &tree->fields[i];
        if (field->at + field->width > tree->size || field->to > tree->size) return false;
        if (i && tree->fields[i - 1].at + tree->fields[i - 1].width > field->at) return false;
    }
    return true;
}
