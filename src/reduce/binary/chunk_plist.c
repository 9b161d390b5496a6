/* Chunks of Apple's binary property lists: objects, what lists and dictionaries hold, texts.
 *
 * Objects stand one after the other; a table after them has the position of each, and lists and dictionaries
 * name them by their number in it.  So an object is a chunk that goes with its row of the table, a number
 * that names it counts those before it, and it goes when nothing names it any more (chunk_names.h).  The
 * numbers in a list are chunks, of a dictionary each key with its value.  How many there are stands in the
 * low half of the object's first byte, or, if that is full, in a number after it.
 * Of a large file only the first objects are chunks, so that there is room for what they hold; the numbers
 * of all others are corrected, too.
 * Invariant: nothing is noted unless the table ascends, and all that objects name is there.
 * Not found: objects that do not stand in the order of their numbers.
 * Source: CFBinaryPList.c of Apple's CF-1153.  Tested by tests/unit/test_chunk_plist.c. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    HEAD = 8,   /* bytes before the first object */
    TAIL = 32,  /* what ends the file: sizes, counts, the position of the table */
    FULL = 0xf, /* a size that stands in a number of its own */
    LEAST_TEXT = 1,
    MOST_ENTRIES = PARE_CHUNK_MOST / 4 /* objects that are chunks, as are their rows */
};

enum kind {
    DATA = 4,
    TEXT = 5,
    WIDE_TEXT = 6,
    LIST = 10,
    ORDERED_SET = 11,
    SET = 12,
    DICTIONARY = 13
};

struct plist {
    pare_chunk_reader reader;
    uint32_t from, table, end; /* of the file; where the tail begins */
    uint32_t n, top;           /* objects; the number of the outermost one */
    uint32_t width, reference; /* bytes of a row of the table; of the number of an object */
    uint32_t pool;             /* the chunk of all objects */
    uint32_t *entries;         /* owned; the chunk of each object, or PARE_NO_CHUNK */
};

/* What an object begins with. */
struct object {
    enum kind kind;
    uint32_t n;               /* how much it holds */
    uint32_t count_at, width; /* where that stands */
    uint32_t from;            /* where what it holds begins */
};

static uint64_t number_at(const struct plist *plist, uint32_t at, uint32_t width)
{
    return pare_chunk_coding_read(PARE_CODING_BIG, width, plist->reader.tree->bytes + at, width)
        .value;
}

/* Where object `i` begins; of `n`, one more than the last one, where the table does, so that an
 * object ends where the next one begins. A row that leads out of the objects gives that, too, and
 * then the rows do not ascend (is_ascending). */
static uint32_t place_of(const struct plist *plist, uint32_t i)
{
    if (i == plist->n) return plist->table;
    const uint64_t place = number_at(plist, plist->table + i * plist->width, plist->width);
    return place < plist->table - plist->from ? plist->from + (uint32_t)place : plist->table;
}

/* Reads the last 32 bytes; false: they are no tail.
 *
 * 6   1   bytes of a row of the table      8   8   how many objects there are
 * 7   1   bytes of the number of an object 16  8   the number of the outermost one
 *                                          24  8   where the table begins, in the file */
static bool read_tail(struct plist *plist)
{
    const unsigned char *tail = plist->reader.tree->bytes + plist->end;
    const uint64_t n = number_at(plist, plist->end + 8, 8),
                   top = number_at(plist, plist->end + 16, 8),
                   table = number_at(plist, plist->end + 24, 8);
    const uint32_t room = plist->end - plist->from;
    plist->width = tail[6];
    plist->reference = tail[7];
    if (!plist->width || plist->width > 8 || !plist->reference || plist->reference > 8)
        return false;
    if (!n || n > room || top >= n || table < HEAD || table > room) return false;
    plist->n = (uint32_t)n;
    plist->top = (uint32_t)top;
    plist->table = plist->from + (uint32_t)table;
    return (plist->end - plist->table) / plist->width >= plist->n;
}

/* Whether the rows of the table ascend from the first object on. Only then each object is the bytes
 * up to the next one, and the number of an object is how many stand before it. */
static bool is_ascending(const struct plist *plist)
{
    uint32_t last = plist->from + HEAD;
    if (place_of(plist, 0) != last) return false;
    for (uint32_t i = 1; i <= plist->n; i++) {
        const uint32_t place = place_of(plist, i);
        if (place <= last) return false;
        last = place;
    }
    return true;
}

/* Reads how an object that ends at `to` begins; false: it does not hold what it says.
 *
 * 53 61 62 63          0x5: a text, of 3 bytes: "abc"
 * 5f 10 14 ...         a text whose length stands in a number of 2^0 bytes: 20
 * a2 01 02             0xa: a list of two, the objects 1 and 2
 * d1 01 02             0xd: a dictionary of one: key 1, value 2; keys stand before all values
 *
 * Other kinds (numbers, dates) hold nothing that is counted, and n stays 0. */
static bool read_object(const struct plist *plist, uint32_t from, uint32_t to,
                        struct object *object)
{
    const unsigned char first = plist->reader.tree->bytes[from];
    uint64_t n = first & FULL;
    *object = (struct object){.kind = first >> 4, .count_at = from, .width = 1, .from = from + 1};
    const bool holds = (object->kind >= DATA && object->kind <= WIDE_TEXT) ||
                       (object->kind >= LIST && object->kind <= DICTIONARY);
    if (!holds) return true;
    if (n == FULL) {
        if (to - from < 3) return false;
        const unsigned char size = plist->reader.tree->bytes[from + 1];
        if (size >> 4 != 1 || (size & FULL) > 3) return false;
        object->width = 1U << (size & FULL);
        object->count_at = from + 2;
        if (to - object->count_at < object->width) return false;
        object->from = object->count_at + object->width;
        n = number_at(plist, object->count_at, object->width);
    }
    const uint32_t each = object->kind == DICTIONARY  ? 2 * plist->reference
                          : object->kind >= LIST      ? plist->reference
                          : object->kind == WIDE_TEXT ? 2
                                                      : 1;
    object->n = (uint32_t)n;
    return n <= (to - object->from) / each;
}

/* Whether all objects hold what they say, and name what there is. add_name relies on the second.
 * Cost: O(bytes), for an object's numbers lie in its bytes. */
static bool are_objects(const struct plist *plist)
{
    for (uint32_t i = 0; i < plist->n; i++) {
        struct object object;
        const uint32_t from = place_of(plist, i);
        if (!read_object(plist, from, place_of(plist, i + 1), &object)) return false;
        const uint32_t names = object.kind < LIST          ? 0
                               : object.kind == DICTIONARY ? 2 * object.n
                                                           : object.n;
        for (uint32_t k = 0; k < names; k++)
            if (number_at(plist, object.from + k * plist->reference, plist->reference) >= plist->n)
                return false;
    }
    return true;
}

/* A chunk of bytes that are read. */
static uint32_t add_chunk(struct plist *plist, uint32_t parent, uint32_t from, uint32_t to)
{
    const uint32_t chunk = pare_chunk_reader_chunk(&plist->reader, parent, from, to);
    if (chunk != PARE_NO_CHUNK) plist->reader.tree->chunks[chunk].known = true;
    return chunk;
}

/* The same of a chunk that others cannot do without: it stays, and its parts go. */
static uint32_t add_list(struct plist *plist, uint32_t parent, uint32_t from, uint32_t to)
{
    const uint32_t chunk = add_chunk(plist, parent, from, to);
    if (chunk == PARE_NO_CHUNK) return chunk;
    pare_chunk *it = &plist->reader.tree->chunks[chunk];
    it->fixed = it->solid = true;
    return chunk;
}

/* The number of an object, corrected when objects before it go; the object goes with the last
 * number that names it. An object that is no chunk (add_objects has run out of room) comes after
 * all that are, so the count of these is right for it, too. */
static void add_name(struct plist *plist, uint32_t at, uint32_t width)
{
    const uint64_t index = number_at(plist, at, width);
    assert(index < plist->n && "all that objects name is there");
    const uint32_t entry = plist->entries[index], from = place_of(plist, (uint32_t)index);
    const uint32_t target = entry == PARE_NO_CHUNK ? 0 : entry + 1;
    pare_chunk_reader_field(&plist->reader, &(pare_chunk_field){.number = PARE_NUMBER_INDEX,
                                                                .coding = PARE_CODING_BIG,
                                                                .width = width,
                                                                .at = at,
                                                                .from = from,
                                                                .to = from,
                                                                .chunk = plist->pool,
                                                                .target = target});
}

/* Adds the `n` numbers from `from` on to `list`, which may be none. */
static void add_names(struct plist *plist, uint32_t list, uint32_t from, uint32_t n)
{
    for (uint32_t i = 0; i < n && pare_chunk_reader_ok(&plist->reader); i++) {
        const uint32_t at = from + i * plist->reference;
        const uint32_t name = add_chunk(plist, list, at, at + plist->reference);
        if (name != PARE_NO_CHUNK) plist->reader.tree->chunks[name].solid = true;
        add_name(plist, at, plist->reference);
    }
}

/* Ties each key of a dictionary to its value; those whose values are no chunks stay. Keys and
 * values are two lists of equal length: without the second pair, "k1 k2 k3 v1 v2 v3" is "k1 k3 v1
 * v3". */
static void tie_pairs(pare_chunk_tree *tree, uint32_t keys, uint32_t values)
{
    uint32_t value = values == PARE_NO_CHUNK ? values : tree->chunks[values].first;
    if (keys == PARE_NO_CHUNK) return;
    for (uint32_t key = tree->chunks[keys].first; key != PARE_NO_CHUNK;
         key = tree->chunks[key].next) {
        if (value == PARE_NO_CHUNK) {
            tree->chunks[key].fixed = true;
            continue;
        }
        tree->chunks[key].twin = value;
        tree->chunks[value].twin = key;
        value = tree->chunks[value].next;
    }
}

/* Adds what a list or dictionary holds, and how much it is. The count is that of the first list,
 * the items or the keys. If it stands in the low half of the object's first byte, it is a number of
 * one byte whose bias is the kind: a2 is 0xa0 more than 2, and a list of one becomes a1. */
static void add_contents(struct plist *plist, uint32_t entry, const struct object *object)
{
    const uint32_t from = object->from, to = from + object->n * plist->reference;
    const uint32_t list = add_list(plist, entry, from, to);
    add_names(plist, list, from, object->n);
    if (object->kind == DICTIONARY) {
        const uint32_t values = add_list(plist, entry, to, to + (to - from));
        add_names(plist, values, to, object->n);
        tie_pairs(plist->reader.tree, list, values);
    }
    if (list == PARE_NO_CHUNK) return;
    pare_chunk_reader_field(&plist->reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                                .coding = PARE_CODING_BIG,
                                                                .width = object->width,
                                                                .at = object->count_at,
                                                                .chunk = list});
}

/* Adds the text or the data of an object, and its length, which counts units of 16 bits in wide
 * texts. Only data are looked into for other formats. */
static void add_text(struct plist *plist, uint32_t entry, const struct object *object)
{
    const uint32_t unit = object->kind == WIDE_TEXT ? 2 : 1;
    const uint32_t from = object->from, to = from + object->n * unit;
    if (object->n < LEAST_TEXT) return;
    const uint32_t text = pare_chunk_reader_chunk(&plist->reader, entry, from, to);
    if (text != PARE_NO_CHUNK) plist->reader.tree->chunks[text].known = object->kind != DATA;
    pare_chunk_reader_field(&plist->reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                                .coding = PARE_CODING_BIG,
                                                                .width = object->width,
                                                                .at = object->count_at,
                                                                .from = from,
                                                                .to = to,
                                                                .unit = unit});
}

/* Adds the objects as chunks, at most MOST_ENTRIES of them. All are added before what they hold, so
 * that they are consecutive in the tree, and counting them takes halving only. */
static void add_objects(struct plist *plist)
{
    for (uint32_t i = 0; i < plist->n && i < MOST_ENTRIES; i++) {
        const uint32_t entry =
            add_chunk(plist, plist->pool, place_of(plist, i), place_of(plist, i + 1));
        if (entry == PARE_NO_CHUNK) return;
        plist->reader.tree->chunks[entry].solid = true;
        plist->entries[i] = entry;
    }
}

/* Adds what the objects hold. Of an object that is no chunk, the parent is PARE_NO_CHUNK: nothing
 * is added, but its numbers are noted. */
static void add_all_contents(struct plist *plist)
{
    pare_chunk_reader *reader = &plist->reader;
    for (uint32_t i = 0; i < plist->n && pare_chunk_reader_ok(reader); i++) {
        struct object object;
        if (!read_object(plist, place_of(plist, i), place_of(plist, i + 1), &object)) return;
        if (object.kind >= LIST)
            add_contents(plist, plist->entries[i], &object);
        else if (object.kind >= DATA && object.kind <= WIDE_TEXT)
            add_text(plist, plist->entries[i], &object);
    }
}

/* Adds the table: each row goes with its object, which stays if its row is no chunk. A row is the
 * position of its object, corrected when bytes before that go. */
static void add_table(struct plist *plist, uint32_t chunk)
{
    pare_chunk_tree *tree = plist->reader.tree;
    const uint32_t table =
        add_list(plist, chunk, plist->table, plist->table + plist->n * plist->width);
    for (uint32_t i = 0; i < plist->n && pare_chunk_reader_ok(&plist->reader); i++) {
        const uint32_t at = plist->table + i * plist->width, entry = plist->entries[i];
        const uint32_t row =
            entry == PARE_NO_CHUNK ? PARE_NO_CHUNK : add_chunk(plist, table, at, at + plist->width);
        if (row != PARE_NO_CHUNK) {
            tree->chunks[row].solid = true;
            tree->chunks[row].twin = entry;
            tree->chunks[entry].twin = row;
        } else if (entry != PARE_NO_CHUNK) {
            tree->chunks[entry].fixed = true;
        }
        pare_chunk_reader_field(&plist->reader, &(pare_chunk_field){.number = PARE_NUMBER_POSITION,
                                                                    .coding = PARE_CODING_BIG,
                                                                    .width = plist->width,
                                                                    .at = at,
                                                                    .from = plist->from,
                                                                    .to = place_of(plist, i)});
    }
}

/* Adds the numbers of the tail: how many objects, which one is the outermost, where the table
 * begins. The outermost one is named by the tail, and so never goes. */
static void add_tail(struct plist *plist)
{
    pare_chunk_field field = {.number = PARE_NUMBER_COUNT,
                              .coding = PARE_CODING_BIG,
                              .width = 8,
                              .at = plist->end + 8,
                              .chunk = plist->pool};
    pare_chunk_reader_field(&plist->reader, &field);
    add_name(plist, plist->end + 16, 8);
    field.number = PARE_NUMBER_POSITION;
    field.at = plist->end + 24;
    field.from = plist->from;
    field.to = plist->table;
    pare_chunk_reader_field(&plist->reader, &field);
}

/* Everything is checked before the first chunk is added. The order then matters: objects, the table
 * that goes with them, what objects hold, and the tail, whose number of the outermost object needs
 * its chunk. */
pare_status pare_chunk_plist_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                  pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    *found = false;
    if (to - from < HEAD + TAIL || memcmp(tree->bytes + from, "bplist0", HEAD - 1) != 0)
        return PARE_OK;
    struct plist plist = {.reader = {.tree = tree, .at = from, .end = to, .err = err},
                          .from = from,
                          .end = to - TAIL};
    if (!read_tail(&plist) || !is_ascending(&plist) || !are_objects(&plist)) return PARE_OK;
    plist.entries = pare_alloc(plist.n, sizeof *plist.entries);
    if (!plist.entries) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < plist.n; i++)
        plist.entries[i] = PARE_NO_CHUNK;
    plist.pool = add_list(&plist, chunk, from + HEAD, plist.table);
    *found = plist.pool != PARE_NO_CHUNK;
    if (*found) {
        add_objects(&plist);
        add_table(&plist, chunk);
        add_all_contents(&plist);
        add_tail(&plist);
    }
    pare_alloc_free(plist.entries);
    return plist.reader.status;
}
