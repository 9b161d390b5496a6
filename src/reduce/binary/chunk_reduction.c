/* Reduction of a binary file by its chunks.
 *
 * What may go is kept in a list of items: siblings, or bytes of a chunk.  The heaviest item is tried
 * first, wherever it stands: all numbers about it are corrected in the candidate.  What cannot go is
 * taken apart: siblings into two halves, a chunk into its children and the bytes around them, bytes
 * into halves.  So the file is gone through from coarse to fine, chunks and bytes alike; but bytes weigh
 * the less, the more often they were halved without a gain beside them, or packed data, of which nothing
 * goes, would be cut up before the smaller chunks beside it had a test.
 * A failure may depend on a number that is wrong.  Then a deletion that has not failed with corrected
 * numbers is tried with all of them as they are; how often that pays is learned, and what does not
 * pay is not tried any more.  At first, when each test could gain most, few are spent on that.
 * What only the deleted numbers name goes in the same candidate (chunk_names.h); a chunk weighs what goes
 * with it.
 * After the last item: a chunk in the place of one around it that is of the same kind, the outer ones first
 * (a list's only value for the list); numbers of variable width in as few bytes as they need, in one test; and in a
 * small file windows of neighbouring bytes, which halving has cut apart.
 *
 * Invariant: what is kept, with its shifts, fails.  A candidate is smaller than that.
 * Source: hierarchical delta debugging (Misherghi and Su, ICSE 2006) with the heaviest first, as our
 * heavy-lists; the corrected numbers and what halving in vain weighs are ours. */
#include "reduce/binary/chunk_reduction.h"

#include <assert.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/shared.h"
#include "reduce/binary/chunk_names.h"
#include "reduce/binary/chunk_writer.h"
#include "text/candidate.h"
#include "text/packing.h"

enum {
    FREE_TRIES = 6,     /* of numbers as they are, before one has paid, but */
    FIRST_TRIES = 2,    /* so many at first, */
    TESTS_FOR_TRY = 25, /* and one more after so many tests */
    WIN_TRIES = 8,      /* more for each that has */
    WINDOWS_MOST_BYTES = 192,
    WIDEST_WINDOW = 8,
    FULL_SHARE = 16,   /* of all chunks; from this part on some may be missing */
    SHRUNK_SHARE = 16, /* of a file, from which on it is worth to be looked at anew */
    MOST_INNER = 2,    /* chunks that are tried in the place of one around them */
    MOST_PARTS = 512   /* of a file: bytes are not cut into smaller ones */
};

/* The share of the file that a test is to gain, at least, if one in as many as were in vain does. */
static const double HELD_SHARE = 8; /* what is held by a number weighs as much less */
static const double LEAST_SHARE = 0.0003, LEAST_SHARE_AT_END = 0.00001;

/* The steps of a run, in this order: the file written anew (PLAIN, if there is such a form), items,
 * chunks in the place of outer ones, numbers in as few bytes as they need, windows. */
enum stage { PLAIN, ITEMS, HOIST, TIGHT, WINDOWS, DONE };

/* Something that may be left out: chunk `first` and the n-1 chunks after it, or, if n is 0, a
 * stretch of bytes. */
struct item {
    uint32_t first, n;
    uint32_t from, to;
    uint32_t bytes;  /* of it that are left, and of chunks: of what only they name */
    uint32_t halved; /* bytes: how often since something beside them went */
    uint32_t held;   /* bytes of chunks that numbers name, which hardly go before these do */
};

/* A proposal: what would be left of the file. */
struct proposal {
    bool made;
    bool names; /* what lost its last name went, too */
    bool same;  /* with numbers as they are it is no other file than with corrected ones */
    pare_buffer file;
    pare_shared *kept, *shifts, *values;
};

struct reduction {
    pare_strategy head;
    const pare_text *text; /* one reference */
    size_t begin, end;
    pare_chunk_tree *tree; /* one reference */
    pare_shared *kept;     /* unsigned char for each plain byte */
    pare_shared *shifts;   /* uint64_t for each field */
    pare_shared *values;   /* uint64_t for each field: its number without shift */
    size_t size;           /* of the file as it is now */
    pare_shared *items;    /* of struct item */
    size_t n_items, n_room;
    enum stage stage;
    pare_chunk_effort effort;
    struct item item; /* at hand */
    uint32_t most;    /* bytes of the largest item when it was taken */
    bool has_item, as_it_is;
    bool alone; /* what loses its last name stays */
    bool tight;
    uint32_t outer, inner;    /* HOIST: the chunk that stays goes in the place of the other */
    unsigned n_inner;         /* how many were tried there */
    uint32_t window, width;   /* WINDOWS: its place and size */
    unsigned n_vain;          /* tests in a row */
    unsigned n_tests;         /* all of them */
    unsigned n_tries, n_wins; /* with numbers as they are */
    unsigned n_alone_tries, n_alone_wins;
    struct proposal proposal;
};

static struct reduction *of(pare_strategy *strategy)
{
    return (struct reduction *)strategy;
}

static const unsigned char *kept(const struct reduction *self)
{
    return pare_shared_items(self->kept);
}

static void proposal_done(struct proposal *proposal)
{
    pare_buffer_done(&proposal->file);
    pare_shared_release(proposal->kept);
    pare_shared_release(proposal->shifts);
    pare_shared_release(proposal->values);
    *proposal = (struct proposal){.made = false};
}

/* ---- items -------------------------------------------------------------------------------- */

static uint32_t count_kept(const struct reduction *self, uint32_t from, uint32_t to)
{
    uint32_t n = 0;
    for (uint32_t i = from; i < to; i++)
        n += kept(self)[i] != 0;
    return n;
}

/* Bytes of from .. to that are left and no numbers: those that a deletion of this stretch takes
 * away, for numbers stay to be corrected. */
static uint32_t count_free(const struct reduction *self, uint32_t from, uint32_t to)
{
    const pare_chunk_tree *tree = self->tree;
    uint32_t n = count_kept(self, from, to);
    for (uint32_t i = pare_chunk_names_field_from(tree, from);
         i < tree->n_fields && tree->fields[i].at < to; i++) {
        const uint32_t begin = tree->fields[i].at, end = begin + tree->fields[i].width;
        n -= count_kept(self, begin > from ? begin : from, end < to ? end : to);
    }
    return n;
}

/* Bytes that are left of those of `n` siblings that numbers name and that have no twin. They hardly
 * go before these numbers do. */
static uint32_t count_held(const struct reduction *self, uint32_t first, uint32_t n)
{
    const pare_chunk *chunks = self->tree->chunks;
    uint32_t held = 0;
    for (uint32_t i = first, k = 0; self->tree->n_names && k < n; k++, i = chunks[i].next)
        if (self->tree->n_names[i] && chunks[i].twin == PARE_NO_CHUNK)
            held += count_kept(self, chunks[i].from, chunks[i].to);
    return held;
}

/* Adds an item with its weight, unless nothing of it is left. Chunks weigh what goes with them
 * (pare_chunk_names_weight), up to all that is left of the tree. */
static pare_status push(struct reduction *self, struct item item, pare_error *err)
{
    void *items;
    assert(item.from < item.to && item.to <= self->tree->size);
    item.bytes =
        item.n ? count_kept(self, item.from, item.to) : count_free(self, item.from, item.to);
    if (!item.bytes) return PARE_OK;
    if (item.n) {
        item.held = count_held(self, item.first, item.n);
        const uint64_t named = pare_chunk_names_weight(self->tree, kept(self), item.from, item.to);
        const uint64_t most = self->tree->size - item.bytes;
        item.bytes += (uint32_t)(named < most ? named : most);
    }
    const size_t room = self->n_items < self->n_room ? self->n_room : self->n_room * 2 + 16;
    pare_status status = pare_shared_own(&self->items, self->n_items, room, &items, err);
    if (status) return status;
    self->n_room = room;
    ((struct item *)items)[self->n_items++] = item;
    return PARE_OK;
}

/* Siblings from `first` on, `n` of them. */
static pare_status push_siblings(struct reduction *self, uint32_t first, uint32_t n,
                                 pare_error *err)
{
    uint32_t last = first;
    if (!n) return PARE_OK;
    for (uint32_t i = 1; i < n; i++)
        last = self->tree->chunks[last].next;
    return push(self,
                (struct item){.first = first,
                              .n = n,
                              .from = self->tree->chunks[first].from,
                              .to = self->tree->chunks[last].to},
                err);
}

static pare_status push_bytes(struct reduction *self, uint32_t from, uint32_t to, uint32_t halved,
                              pare_error *err)
{
    const struct item item = {.from = from, .to = to, .halved = halved};
    return from < to ? push(self, item, err) : PARE_OK;
}

/* What an item weighs: bytes, of which held ones count an eighth, divided by the square of one more
 * than the times that it was halved in vain. A stretch of 1000 bytes that was halved once weighs as
 * much as one of 250 that was not. */
static double weight(const struct item *item)
{
    const double bytes = item->bytes - item->held + item->held / HELD_SHARE;
    return bytes / ((item->halved + 1.0) * (item->halved + 1.0));
}

static bool is_heavier(const struct item *a, const struct item *b)
{
    const double mine = weight(a), other = weight(b);
    return mine > other || (!(mine < other) && a->from > b->from);
}

/* Takes the heaviest item out of the list, of equal ones the rear one; *found: there was one. The
 * last of the list moves into its place. O(items). `most` is what the
 * largest item weighs before that discount. */
static pare_status take_item(struct reduction *self, bool *found, pare_error *err)
{
    void *room;
    *found = self->n_items > 0;
    if (!*found) return PARE_OK;
    const struct item *items = pare_shared_items(self->items);
    size_t best = 0;
    self->most = 0;
    for (size_t i = 0; i < self->n_items; i++) {
        if (is_heavier(&items[i], &items[best])) best = i;
        if (items[i].bytes > self->most) self->most = items[i].bytes;
    }
    self->item = items[best];
    assert(self->item.bytes && self->item.bytes <= self->most);
    pare_status status = pare_shared_own(&self->items, self->n_items, self->n_room, &room, err);
    if (status) return status;
    ((struct item *)room)[best] = ((struct item *)room)[self->n_items - 1];
    self->n_items--;
    return PARE_OK;
}

/* Bytes have gone: what adjoins them is as if it had not been halved before; only halving without a
 * gain beside it was in vain. */
static pare_status forgive(struct reduction *self, pare_error *err)
{
    const uint32_t from = self->item.from, to = self->item.to;
    void *room;
    if (self->stage != ITEMS || self->item.n) return PARE_OK;
    pare_status status = pare_shared_own(&self->items, self->n_items, self->n_room, &room, err);
    struct item *items = room;
    for (size_t i = 0; !status && i < self->n_items; i++)
        if (items[i].to == from || items[i].from == to) items[i].halved = 0;
    return status;
}

/* ---- what goes ---------------------------------------------------------------------------- */

/* Bytes from .. to go, but for numbers: "aa [len] bb" becomes "[len]". Fields do not overlap and
 * ascend. */
static void cut_bytes(const pare_chunk_tree *tree, unsigned char *left, uint32_t from, uint32_t to)
{
    uint32_t at = from;
    for (uint32_t i = pare_chunk_names_field_from(tree, from);
         i < tree->n_fields && tree->fields[i].at < to; i++) {
        const pare_chunk_field *field = &tree->fields[i];
        if (field->at > at) memset(left + at, 0, field->at - at);
        at = field->at + field->width;
    }
    if (at < to) memset(left + at, 0, to - at);
}

/* All of `outer` goes but for `inner`; its numbers, too. */
static void cut_around(const pare_chunk_tree *tree, unsigned char *left, uint32_t outer,
                       uint32_t inner)
{
    const pare_chunk *out = &tree->chunks[outer], *in = &tree->chunks[inner];
    assert(out->from <= in->from && in->to <= out->to);
    memset(left + out->from, 0, in->from - out->from);
    memset(left + in->to, 0, out->to - in->to);
}

/* Marks what the current step leaves out, in `left`, which is a copy of what is kept. */
static void cut(const struct reduction *self, unsigned char *left)
{
    const struct item *item = &self->item;
    uint32_t chunk = item->first;
    if (self->stage == TIGHT) return;
    if (self->stage == HOIST) {
        cut_around(self->tree, left, self->outer, self->inner);
        return;
    }
    if (self->stage == WINDOWS || !item->n) {
        const uint32_t from = self->stage == WINDOWS ? self->window : item->from;
        cut_bytes(self->tree, left, from, self->stage == WINDOWS ? from + self->width : item->to);
        return;
    }
    for (uint32_t i = 0; i < item->n; i++, chunk = self->tree->chunks[chunk].next)
        pare_chunk_names_cut_chunk(self->tree, left, chunk);
}

/* The form in which all of the file was written anew (PDF, marshal); NULL: it was not. It is the
 * first packing of the tree, and its codec packs nothing. */
static const pare_chunk_packing *plain_form(const pare_chunk_tree *tree)
{
    const bool is = tree->n_packings && tree->packings[0].codec == PARE_PACKING_NONE;
    return is ? &tree->packings[0] : NULL;
}

/* Makes the proposal of the file written anew, of which nothing has gone. If that does not fail, no
 * candidate made of it is likely to, and the run ends (pass). */
static pare_status propose_plain(struct reduction *self, pare_error *err)
{
    const pare_chunk_packing *packing = plain_form(self->tree);
    struct proposal *made = &self->proposal;
    assert(packing && "there is no such step without");
    pare_status status = pare_buffer_add(&made->file, packing->plain, packing->n_plain, err);
    if (status) {
        proposal_done(made);
        return status;
    }
    *made = (struct proposal){.made = true,
                              .file = made->file,
                              .kept = self->kept,
                              .shifts = self->shifts,
                              .values = self->values};
    pare_shared_retain(made->kept);
    pare_shared_retain(made->shifts);
    pare_shared_retain(made->values);
    return PARE_OK;
}

/* Writes the proposal's file; its values are filled in. */
static pare_status write_file(const struct reduction *self, struct proposal *proposal,
                              pare_error *err)
{
    void *values;
    const uint32_t n = self->tree->n_fields;
    pare_status status = pare_shared_own(&proposal->values, 0, n, &values, err);
    if (status) return status;
    const pare_chunk_edits edits = {.kept = pare_shared_items(proposal->kept),
                                    .shifts = pare_shared_items(proposal->shifts),
                                    .tight = self->tight || self->stage == TIGHT};
    pare_buffer_reset(&proposal->file);
    return pare_chunk_writer_write(self->tree, &edits, &proposal->file, values, err);
}

/* Makes the proposal with numbers as they are: each is shifted by what the deletion changed it, and
 * the file is written again. A length of 10 that would become 7 is written as 10. `same`: the
 * corrected file had no other bytes, so it was tested already. */
static pare_status shift(const struct reduction *self, struct proposal *proposal, pare_error *err)
{
    void *items;
    const uint32_t n = self->tree->n_fields;
    pare_status status = pare_shared_own(&proposal->shifts, n, n, &items, err);
    if (status) return status;
    const uint64_t *before = pare_shared_items(self->values);
    const uint64_t *now = pare_shared_items(proposal->values);
    uint64_t *shifts = items;
    for (uint32_t i = 0; i < n; i++)
        shifts[i] += before[i] - now[i];
    pare_buffer corrected = proposal->file;
    proposal->file = (pare_buffer){.data = NULL};
    status = write_file(self, proposal, err);
    const size_t size = corrected.size;
    proposal->same = !status && proposal->file.size == size &&
                     (!size || memcmp(proposal->file.data, corrected.data, size) == 0);
    pare_buffer_done(&corrected);
    return status;
}

/* Makes the proposal of the step at hand: a copy of what is kept, less what the step and its lost
 * names take, and the file that follows from it. Nothing of the state changes before the outcome is
 * told. */
static pare_status propose(struct reduction *self, pare_error *err)
{
    struct proposal made = {.kept = self->kept, .shifts = self->shifts};
    void *left;
    if (self->stage == PLAIN) return propose_plain(self, err);
    pare_shared_retain(made.kept);
    pare_shared_retain(made.shifts);
    const uint32_t n = self->tree->n_fields;
    pare_status status = pare_shared_new(n ? n : 1, sizeof(uint64_t), &made.values, err);
    if (!status)
        status = pare_shared_own(&made.kept, self->tree->size, self->tree->size, &left, err);
    if (!status) {
        cut(self, left);
        if (!self->alone)
            status = pare_chunk_names_cut(self->tree, kept(self), left, &made.names, err);
    }
    if (!status) status = write_file(self, &made, err);
    if (!status && self->as_it_is) status = shift(self, &made, err);
    if (status) {
        proposal_done(&made);
        return status;
    }
    made.made = true;
    self->proposal = made;
    return PARE_OK;
}

/* ---- steps -------------------------------------------------------------------------------- */

/* Where to cut a stretch of bytes in two: behind the end of a line near the middle, else of a
 * string, else of a word; else in the middle. Near is an eighth of the stretch, so both halves keep
 * some bytes. */
static uint32_t find_middle(const struct reduction *self, uint32_t from, uint32_t to)
{
    const unsigned char *bytes = self->tree->bytes;
    const uint32_t middle = from + (to - from) / 2, reach = (to - from) / 8;
    static const unsigned char ends[] = {'\n', 0, ' '};
    for (size_t i = 0; i < sizeof ends; i++)
        for (uint32_t by = 0; by < reach; by++) {
            if (bytes[middle - by - 1] == ends[i]) return middle - by;
            if (bytes[middle + by] == ends[i]) return middle + by + 1;
        }
    return middle;
}

/* Two halves, unless they are too small to be looked at: one byte, or a 512th of the file, which
 * bounds the tests that are spent on bytes without structure. */
static pare_status split_bytes(struct reduction *self, const struct item *item, pare_error *err)
{
    if (item->bytes <= 1 || item->bytes <= self->size / MOST_PARTS) return PARE_OK;
    const uint32_t middle = find_middle(self, item->from, item->to);
    /* Neither half is empty, or halving would not end. */
    assert(item->from < middle && middle < item->to);
    pare_status status = push_bytes(self, item->from, middle, item->halved + 1, err);
    return status ? status : push_bytes(self, middle, item->to, item->halved + 1, err);
}

/* Two halves by bytes, each of one sibling at least. A chunk of half the bytes ends up alone, or
 * nearly so, after one cut. */
static pare_status split_siblings(struct reduction *self, const struct item *item, pare_error *err)
{
    const pare_chunk *chunks = self->tree->chunks;
    uint32_t n = 1, second = chunks[item->first].next;
    uint32_t bytes = chunks[item->first].to - chunks[item->first].from;
    while (n + 1 < item->n && bytes < (item->to - item->from) / 2) {
        bytes += chunks[second].to - chunks[second].from;
        second = chunks[second].next;
        n++;
    }
    assert(n < item->n && second != PARE_NO_CHUNK);
    pare_status status = push_siblings(self, item->first, n, err);
    return status ? status : push_siblings(self, second, item->n - n, err);
}

/* Whether a row behind this one is left: then what goes from all rows is tried there. In a grid
 * each child of a row has twins in all others, so one row is enough; the last one that is left
 * leads. */
static bool is_led(const struct reduction *self, const pare_chunk *chunk)
{
    const pare_chunk *chunks = self->tree->chunks;
    if (chunk->parent == PARE_NO_CHUNK || !chunks[chunk->parent].grid) return false;
    for (uint32_t i = chunk->next; i != PARE_NO_CHUNK; i = chunks[i].next)
        if (memchr(kept(self) + chunks[i].from, 1, chunks[i].to - chunks[i].from)) return true;
    return false;
}

/* The chunk's children together, but for those that stay (`fixed`): each of these is an item of its
 * own, which fails to go as a whole and is opened for what is in it. */
static pare_status push_children(struct reduction *self, const pare_chunk *chunk, pare_error *err)
{
    const pare_chunk *chunks = self->tree->chunks;
    pare_status status = PARE_OK;
    for (uint32_t first = chunk->first, n = 1; !status && first != PARE_NO_CHUNK; n = 1) {
        uint32_t next = chunks[first].next;
        for (; next != PARE_NO_CHUNK && chunks[first].fixed == chunks[next].fixed &&
               !chunks[first].fixed;
             n++)
            next = chunks[next].next;
        status = push_siblings(self, first, n, err);
        first = next;
    }
    return status;
}

/* Items for what a chunk consists of: its children, and the bytes around them unless it is solid.
 * The first and the last byte of a packing are its marks, and no bytes of the file. */
static pare_status open_chunk(struct reduction *self, uint32_t index, pare_error *err)
{
    const pare_chunk *chunk = &self->tree->chunks[index];
    uint32_t at = chunk->from + (chunk->packing != PARE_NO_CHUNK);
    const uint32_t end = chunk->to - (chunk->packing != PARE_NO_CHUNK);
    pare_status status = PARE_OK;
    if (chunk->n_children && !is_led(self, chunk)) status = push_children(self, chunk, err);
    if (chunk->solid) return status;
    for (uint32_t i = chunk->first; !status && i != PARE_NO_CHUNK; i = self->tree->chunks[i].next) {
        status = push_bytes(self, at, self->tree->chunks[i].from, 0, err);
        at = self->tree->chunks[i].to;
    }
    return status ? status : push_bytes(self, at, end, 0, err);
}

/* An item that has to stay is split. */
static pare_status split(struct reduction *self, pare_error *err)
{
    const struct item item = self->item;
    if (!item.n) return split_bytes(self, &item, err);
    return item.n > 1 ? split_siblings(self, &item, err) : open_chunk(self, item.first, err);
}

/* Whether tests of what is left are likely to gain too little, even of the largest item: the chance
 * of the next test is taken as one in two more than the tests that were in vain in a row, and what
 * it would gain as the item's share of the file. */
static bool is_vain(const struct reduction *self)
{
    const uint32_t bytes = self->item.n ? self->most : self->item.bytes;
    const double share = bytes / ((double)self->size + 1);
    const double least = self->effort == PARE_CHUNKS_TO_THE_END ? LEAST_SHARE_AT_END : LEAST_SHARE;
    return share / (self->n_vain + 2) < least;
}

/* Finds the next window that is worth a test; false: there is no more. Windows get narrower from
 * eight bytes to one, and slide by one byte. All their bytes must be no numbers and be left, so
 * none is tried twice within one width. */
static bool next_window(struct reduction *self)
{
    for (; self->width; self->width--, self->window = 0)
        for (; self->window + self->width <= self->tree->size; self->window++)
            if (kept(self)[self->window] && kept(self)[self->window + self->width - 1] &&
                count_free(self, self->window, self->window + self->width) == self->width)
                return true;
    return false;
}

/* Whether one chunk may stand in the place of the other. */
static bool is_alike(const pare_chunk *a, const pare_chunk *b)
{
    return (a->value && b->value) || (a->layout && a->layout == b->layout);
}

/* The heaviest of the chunks in `chunk` that are like `outer`, nearest to it (below one that is
 * like it the search does not go on), and lighter than `most`; of equal ones the first.
 * PARE_NO_CHUNK: none. The depth of recursion is that of chunks. */
static uint32_t heaviest_inner(const struct reduction *self, uint32_t outer, uint32_t chunk,
                               uint32_t most, uint32_t *bytes)
{
    const pare_chunk *chunks = self->tree->chunks;
    uint32_t best = PARE_NO_CHUNK;
    for (uint32_t i = chunks[chunk].first; i != PARE_NO_CHUNK; i = chunks[i].next) {
        uint32_t found = i, n = count_kept(self, chunks[i].from, chunks[i].to);
        if (n && !is_alike(&chunks[outer], &chunks[i]))
            found = heaviest_inner(self, outer, i, most, &n);
        if (found == PARE_NO_CHUNK || !n || n >= most || (best != PARE_NO_CHUNK && n <= *bytes))
            continue;
        best = found;
        *bytes = n;
    }
    return best;
}

/* Finds the next hoist that is worth a test: a chunk, and one inside it that takes its place: of
 * "[[1,2],3]" the inner list. At most MOST_INNER are tried for each, the heavier one first. False:
 * there is no more. */
static bool next_hoist(struct reduction *self)
{
    const pare_chunk *chunks = self->tree->chunks;
    for (; self->outer < self->tree->n_chunks; self->outer++, self->n_inner = 0) {
        const pare_chunk *outer = &chunks[self->outer];
        if (self->n_inner == MOST_INNER || outer->first == PARE_NO_CHUNK) continue;
        if (outer->twin != PARE_NO_CHUNK || (!outer->value && !outer->layout)) continue;
        const uint32_t all = count_kept(self, outer->from, outer->to);
        uint32_t most = all, n = 0;
        if (self->n_inner)
            most = count_kept(self, chunks[self->inner].from, chunks[self->inner].to);
        self->inner = heaviest_inner(self, self->outer, self->outer, most, &n);
        if (self->inner == PARE_NO_CHUNK) continue;
        self->n_inner++;
        self->item = (struct item){.bytes = all - n};
        if (!is_vain(self)) return true;
    }
    return false;
}

/* Whether another run, which follows, finds more: the file was so large that some of it had no chunks, or stayed
 * packed, and it is smaller now. */
static bool finds_more(const struct reduction *self)
{
    const bool is_full = self->tree->n_chunks > PARE_CHUNK_MOST / FULL_SHARE ||
                         self->tree->n_packings == PARE_CHUNK_MOST_PACKINGS;
    return self->effort == PARE_CHUNKS_WHILE_THEY_PAY && is_full &&
           self->size < self->end - self->begin;
}

/* Whether that run is to come now: most of what was opened is gone, and what stayed packed weighs most. */
static bool is_time_for_more(const struct reduction *self)
{
    return finds_more(self) && self->tree->n_packings == PARE_CHUNK_MOST_PACKINGS &&
           self->size < (self->end - self->begin) / SHRUNK_SHARE;
}

/* Whether windows of bytes are next: in a small file, unless another run looks at it anew. */
static bool is_worth_windows(const struct reduction *self)
{
    return !finds_more(self) && self->size <= WINDOWS_MOST_BYTES;
}

/* Goes on to the next step; DONE after the last. Stages fall through: one that has nothing more to
 * offer leaves to the next. */
static pare_status advance(struct reduction *self, pare_error *err)
{
    bool found;
    self->as_it_is = self->alone = false;
    if (self->stage == PLAIN) self->stage = ITEMS;
    if (is_time_for_more(self)) {
        self->stage = DONE;
        return PARE_OK;
    }
    if (self->stage == ITEMS) {
        pare_status status = take_item(self, &found, err);
        if (status) return status;
        if (found && !is_vain(self)) return PARE_OK;
        self->stage = HOIST;
        self->outer = 1;
        self->n_vain = 0;
    }
    if (self->stage == HOIST) {
        if (!next_hoist(self)) self->stage = TIGHT;
        return PARE_OK;
    }
    if (self->stage == TIGHT) {
        self->stage = is_worth_windows(self) ? WINDOWS : DONE;
        self->width = WIDEST_WINDOW;
        self->window = 0;
    } else if (self->stage == WINDOWS) {
        self->window++;
    }
    if (self->stage == WINDOWS && !next_window(self)) self->stage = DONE;
    return PARE_OK;
}

/* The step at hand is in vain. */
static pare_status leave(struct reduction *self, pare_error *err)
{
    pare_status status = self->stage == ITEMS ? split(self, err) : PARE_OK;
    return status ? status : advance(self, err);
}

/* Whether numbers as they are may have another test. Two at first, one more after each 25 tests,
 * six at most; each that has failed earns eight more. */
static bool may_stay(const struct reduction *self)
{
    const unsigned so_far = FIRST_TRIES + self->n_tests / TESTS_FOR_TRY;
    const unsigned most = so_far < FREE_TRIES ? so_far : FREE_TRIES;
    return self->n_tries < most + WIN_TRIES * self->n_wins;
}

/* After a test in vain: the same without what else went, if anything did, for there may be names that
 * nobody knows of; the same with numbers as they are; or the next step. */
static pare_status pass(struct reduction *self, bool names, pare_error *err)
{
    if (self->stage == PLAIN) { /* the failure is one of the packed form */
        self->stage = DONE;
        return PARE_OK;
    }
    if (names && self->n_alone_tries < FREE_TRIES + WIN_TRIES * self->n_alone_wins) {
        self->alone = true;
        return PARE_OK;
    }
    if (self->stage == TIGHT || self->as_it_is || !may_stay(self)) return leave(self, err);
    self->as_it_is = self->alone = true;
    return PARE_OK;
}

/* ---- the strategy ------------------------------------------------------------------------- */

/* Makes the candidate: the file with the text around it. What the file begins and ends with
 * unchanged is referred to and not copied. */
static pare_status make_candidate(const struct reduction *self, pare_candidate *candidate,
                                  pare_error *err)
{
    const unsigned char *old = pare_text_bytes(self->text);
    const unsigned char *now = (const unsigned char *)self->proposal.file.data;
    const size_t n_old = self->end - self->begin, n = self->proposal.file.size;
    const size_t least = n < n_old ? n : n_old;
    size_t head = 0, tail = 0;
    while (head < least && old[self->begin + head] == now[head])
        head++;
    while (tail < least - head && old[self->end - 1 - tail] == now[n - 1 - tail])
        tail++;
    assert(head + tail <= least && self->end <= pare_text_size(self->text));
    pare_candidate_start(candidate, self->text);
    pare_status status = PARE_OK;
    if (self->begin + head) status = pare_candidate_slice(candidate, 0, self->begin + head, err);
    if (!status && n - head - tail)
        status = pare_candidate_literal(candidate, now + head, n - head - tail, err);
    const size_t rest = pare_text_size(self->text) - self->end + tail;
    if (!status && rest)
        status = pare_candidate_slice(candidate, pare_text_size(self->text) - rest, rest, err);
    return status;
}

/* Whether the proposal is smaller than what is left; not where that is larger than the file, and the proposal the file
 * itself. */
static bool is_smaller(const struct reduction *self)
{
    const size_t all = self->end - self->begin, size = self->proposal.file.size;
    return size < self->size && (self->size <= all || size != all);
}

/* Proposals that do not make the file smaller, such as where all bytes of an item are numbers or a
 * packed member has grown, are not tested, nor are those that have been. */
static pare_status reduction_next(pare_strategy *strategy, pare_next *what,
                                  pare_candidate *candidate, pare_error *err)
{
    struct reduction *self = of(strategy);
    while (self->stage != DONE) {
        pare_status status = self->proposal.made ? PARE_OK : propose(self, err);
        if (status) return status;
        if (is_smaller(self) && !self->proposal.same) {
            *what = PARE_NEXT_TEST;
            return make_candidate(self, candidate, err);
        }
        proposal_done(&self->proposal);
        status = leave(self, err);
        if (status) return status;
    }
    *what = PARE_NEXT_DONE;
    return PARE_OK;
}

/* Takes what failed as what is left. */
static void accept(struct reduction *self)
{
    struct proposal *proposal = &self->proposal;
    assert(proposal->made && proposal->file.size < self->size);
    pare_shared_release(self->kept);
    pare_shared_release(self->shifts);
    pare_shared_release(self->values);
    self->kept = proposal->kept;
    self->shifts = proposal->shifts;
    self->values = proposal->values;
    proposal->kept = proposal->shifts = proposal->values = NULL;
    self->size = proposal->file.size;
    self->tight = self->tight || self->stage == TIGHT;
    if (self->stage == HOIST) self->n_inner = MOST_INNER;
    self->n_vain = 0;
    self->n_wins += self->as_it_is;
    self->n_alone_wins += self->alone && !self->as_it_is;
}

static pare_status reduction_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct reduction *self = of(strategy);
    pare_status status = self->proposal.made ? PARE_OK : propose(self, err);
    if (status) return status;
    const bool names = self->proposal.names;
    self->n_tests++;
    self->n_tries += self->as_it_is;
    self->n_alone_tries += self->alone && !self->as_it_is;
    if (outcome == PARE_FAIL) {
        accept(self);
        status = forgive(self, err);
    } else {
        self->n_vain++;
    }
    proposal_done(&self->proposal);
    if (status) return status;
    return outcome == PARE_FAIL ? advance(self, err) : pass(self, names, err);
}

static void reduction_free(pare_strategy *strategy)
{
    struct reduction *self = of(strategy);
    proposal_done(&self->proposal);
    pare_shared_release(self->kept);
    pare_shared_release(self->shifts);
    pare_shared_release(self->values);
    pare_shared_release(self->items);
    pare_chunk_tree_unref(self->tree);
    pare_text_unref(self->text);
    pare_alloc_free(self);
}

/* The copy makes the proposal anew when it is asked or told: it follows from the rest. */
static pare_status reduction_copy(const pare_strategy *strategy, pare_strategy **out,
                                  pare_error *err)
{
    struct reduction *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *(const struct reduction *)strategy;
    copy->proposal = (struct proposal){.made = false};
    pare_shared_retain(copy->kept);
    pare_shared_retain(copy->shifts);
    pare_shared_retain(copy->values);
    pare_shared_retain(copy->items);
    (void)pare_chunk_tree_ref(copy->tree);
    (void)pare_text_ref(copy->text);
    *out = &copy->head;
    return PARE_OK;
}

/* By how many bytes a candidate may be larger than the file, where that was written anew: up to the size of that form, they are
 * steps to smaller ones, which the engine does not keep. */
static size_t rewritten(const pare_chunk_tree *tree)
{
    const pare_chunk_packing *packing = plain_form(tree);
    return packing && packing->n_plain > packing->n_packed
               ? packing->n_plain - packing->n_packed + 1
               : 0;
}

/* All bytes are kept, no number is shifted; the values are those of the file. */
static pare_status begin(struct reduction *self, pare_error *err)
{
    const pare_chunk_tree *tree = self->tree;
    const uint32_t n = tree->n_fields ? tree->n_fields : 1;
    void *bytes = NULL, *shifts = NULL, *values = NULL;
    pare_buffer file = {0};
    pare_status status = pare_shared_new((size_t)tree->size + 1, 1, &self->kept, err);
    if (!status) status = pare_shared_new(n, sizeof(uint64_t), &self->shifts, err);
    if (!status) status = pare_shared_new(n, sizeof(uint64_t), &self->values, err);
    if (!status) status = pare_shared_new(16, sizeof(struct item), &self->items, err);
    if (!status) status = pare_shared_own(&self->kept, 0, (size_t)tree->size + 1, &bytes, err);
    if (!status) status = pare_shared_own(&self->shifts, 0, n, &shifts, err);
    if (!status) status = pare_shared_own(&self->values, 0, n, &values, err);
    if (!status) {
        memset(bytes, 1, (size_t)tree->size + 1);
        memset(shifts, 0, n * sizeof(uint64_t));
        const pare_chunk_edits edits = {.kept = bytes, .shifts = shifts};
        status = pare_chunk_writer_write(tree, &edits, &file, values, err);
    }
    self->n_room = 16;
    self->size = self->end - self->begin + rewritten(tree);
    pare_buffer_done(&file);
    if (!status) status = open_chunk(self, 0, err);
    self->stage = plain_form(tree) ? PLAIN : ITEMS;
    return status || self->stage == PLAIN ? status : advance(self, err);
}

pare_status pare_chunk_reduction_new(const pare_chunk_view *view, pare_chunk_effort effort,
                                     pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {.next = reduction_next,
                                          .tell = reduction_tell,
                                          .copy = reduction_copy,
                                          .destroy = reduction_free};
    struct reduction *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head.ops = &ops;
    self->text = pare_text_ref(view->text);
    self->tree = pare_chunk_tree_ref(view->tree);
    self->begin = view->begin;
    self->end = view->end;
    self->effort = effort;
    pare_status status = begin(self, err);
    if (status) {
        reduction_free(&self->head);
        return status;
    }
    *out = &self->head;
    return PARE_OK;
}
