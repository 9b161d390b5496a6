/* Chunks of Python's marshal, which compiled modules (.pyc) are: objects and what they hold.
 *
 * An object begins with its kind; then come a length and text, a count and objects, or, of code, numbers and objects
 * in a fixed order, which differs between versions of Python.  An object may stand in the place of any other; those of
 * lists go, with their count.  One whose kind has its highest bit set is remembered, and named later by how many were
 * remembered before it, in place of being written again: nearly every name of a module is.  None of them could go while it is
 * named elsewhere.  So the file is written anew first, with each object where it is named, and candidates are made of
 * that form, which is as right.
 * Invariant: nothing is noted unless all is one object that is understood, by one of the orders.
 * Not found: pairs of dictionaries do not go by themselves; slices (Python 3.14); what is larger than eight times
 * the file when written anew.
 * Source: Python/marshal.c of CPython.  Tested by tests/unit/test_chunk_marshal.c. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    REMEMBERED = 0x80,
    HEADER = 16,      /* of a file, before its object */
    LEAST_BYTES = 24, /* what is shorter may be anything */
    LONG_TEXT = 16,   /* that may hold something of another format */
    NUMBER = 4,
    MOST_TIMES = 8,       /* as large as the file may be the form without names, */
    MORE_BYTES = 1 << 12, /* and so many bytes */
    MOST_DEPTH = PARE_CHUNK_MOST_DEPTH - 3
};

/* What code is made of: numbers, objects, one number, and objects again. */
struct code_order {
    unsigned char numbers, objects, last;
};

static const struct code_order ORDERS[] = {{5, 8, 2}, {6, 8, 1}, {5, 8, 1}}; /* 3.11, 3.8, 3.0 */

/* An object that was remembered: bytes of the file, which end at `to` once all of it was read; 0:
 * not yet. An object that names itself, which is possible in the format, is refused by that. */
struct remembered {
    uint32_t from, to;
};

/* A walk over an object.  While it is written anew, there are no chunks. */
struct marshal {
    pare_chunk_reader reader;
    const struct code_order *order;
    pare_buffer *out;              /* borrowed; NULL: chunks are made */
    size_t most;                   /* bytes of `out` */
    struct remembered *remembered; /* owned */
    size_t n_remembered, capacity;
    uint32_t copied; /* what is before it in the file has been written */
    unsigned depth;  /* of objects that are written where they are named */
};

static uint32_t number(struct marshal *self, uint32_t width)
{
    return (uint32_t)pare_chunk_reader_number(&self->reader, PARE_CODING_LITTLE, width);
}

/* A length of `width` bytes and the text, a chunk by itself. When the file is written anew, a text
 * is only passed over: emit copies whole ranges.
 *
 * 73   03 00 00 00   61 62 63     's', bytes: without "b" 73  02 00 00 00  61 63 */
static void read_text(struct marshal *self, uint32_t chunk, uint32_t width)
{
    pare_chunk_reader *reader = &self->reader;
    if (self->out) {
        pare_chunk_reader_skip(reader, number(self, width));
        return;
    }
    const uint32_t from = reader->at + width;
    pare_chunk_reader_prefixed(reader, PARE_CODING_LITTLE, width);
    if (!pare_chunk_reader_ok(reader) || from == reader->at) return;
    const uint32_t text = pare_chunk_reader_chunk(reader, chunk, from, reader->at);
    if (text == PARE_NO_CHUNK) return;
    reader->tree->chunks[text].known = reader->at - from < LONG_TEXT;
}

static void read_object(struct marshal *self, uint32_t parent, bool fixed, unsigned depth);

/* A count of `width` bytes and so many objects.
 *
 * 29 02   4e   69 07 00 00 00     ')', two objects: N (None) and the number 7;
 *                                 without the first 29 01  69 07 00 00 00
 *
 * An object takes a byte at least, so a count above the bytes that are left is none. */
static void read_list(struct marshal *self, uint32_t chunk, uint32_t width, unsigned depth)
{
    pare_chunk_reader *reader = &self->reader;
    const uint32_t at = reader->at, n = number(self, width);
    if (n > reader->end - reader->at) reader->bad = true;
    for (uint32_t i = 0; i < n && pare_chunk_reader_ok(reader); i++)
        read_object(self, chunk, false, depth + 1);
    if (!self->out && pare_chunk_reader_ok(reader))
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                            .coding = PARE_CODING_LITTLE,
                                                            .width = width,
                                                            .at = at,
                                                            .chunk = chunk});
}

/* Numbers (how many arguments, variables, ...), then objects (instructions, constants, names, the
 * file's name, ...), the first line's number, and the table of lines. All of them stay: code of
 * which one is missing cannot be read. Each may be replaced by another object, or be reduced
 * inside. */
static void read_code(struct marshal *self, uint32_t chunk, unsigned depth)
{
    pare_chunk_reader *reader = &self->reader;
    pare_chunk_reader_skip(reader, (uint64_t)self->order->numbers * NUMBER);
    for (unsigned i = 0; i < self->order->objects && pare_chunk_reader_ok(reader); i++)
        read_object(self, chunk, true, depth + 1);
    pare_chunk_reader_skip(reader, NUMBER);
    for (unsigned i = 0; i < self->order->last && pare_chunk_reader_ok(reader); i++)
        read_object(self, chunk, true, depth + 1);
}

/* Keys and values up to an object of no kind, '0', which stands where a key would. Both are fixed,
 * so pairs do not go. */
static void read_dictionary(struct marshal *self, uint32_t chunk, unsigned depth)
{
    pare_chunk_reader *reader = &self->reader;
    while (pare_chunk_reader_ok(reader) && reader->at < reader->end &&
           reader->tree->bytes[reader->at] != '0') {
        read_object(self, chunk, true, depth + 1);
        read_object(self, chunk, true, depth + 1);
    }
    pare_chunk_reader_skip(reader, 1);
}

/* Writes bytes of the file to the new form. `most` bounds it: an object that names twice one that
 * names twice another, and so on, doubles in size with each level. */
static void emit(struct marshal *self, uint32_t from, uint32_t to)
{
    pare_chunk_reader *reader = &self->reader;
    if (!pare_chunk_reader_ok(reader)) return;
    assert(from <= to && to <= reader->end);
    if (self->out->size + (to - from) > self->most)
        reader->bad = true;
    else
        reader->status =
            pare_buffer_add(self->out, reader->tree->bytes + from, to - from, reader->err);
}

/* The object that was remembered by the number at hand is written in its place: the walk jumps back
 * to where that object stands, writes it with all names in it, and goes on after the name. While it
 * does (`depth` above 0), nothing is remembered, because numbers were given when the object was
 * read first.
 *
 * ( 2  z|80 "ab"  r 0        a tuple of "ab", remembered as 0, and of what 0 is
 * ( 2  z "ab"     z "ab"     written anew
 *
 * A name is refused when chunks are made, for then there must be none. */
static void read_name(struct marshal *self, uint32_t from, unsigned depth)
{
    pare_chunk_reader *reader = &self->reader;
    const uint32_t index = number(self, NUMBER);
    if (!self->out || index >= self->n_remembered || !self->remembered[index].to)
        reader->bad = true;
    if (!pare_chunk_reader_ok(reader)) return;
    const uint32_t after = reader->at;
    assert(self->remembered[index].to <= from && "it was read before");
    /* `copied` lags behind: what was read but not written yet goes first. */
    emit(self, self->copied, from);
    self->copied = reader->at = self->remembered[index].from;
    self->depth++;
    read_object(self, PARE_NO_CHUNK, true, depth);
    self->depth--;
    emit(self, self->copied, reader->at);
    self->copied = reader->at = after;
}

/* Remembers the object that begins at `from`; returns its number, by which names call it. Numbers
 * are given when an object begins: a list has a lower one than what is in it. */
static size_t remember(struct marshal *self, uint32_t from)
{
    struct remembered *grown =
        pare_vector_grow(self->remembered, self->n_remembered, &self->capacity, sizeof *grown);
    if (!grown) {
        self->reader.status = pare_fail_nomem(self->reader.err);
        return 0;
    }
    self->remembered = grown;
    grown[self->n_remembered] = (struct remembered){.from = from};
    return self->n_remembered++;
}

/* What follows the kind of an object:
 *
 * N F T S .      None, False, True, StopIteration, Ellipsis: nothing
 * i I g y        numbers of 4, 8, 8 and 16 bytes
 * l              a long: how many digits of two bytes, negative if the number is
 * r              the number of an object that was remembered
 * s t u a A      texts with a length of four bytes; z Z of one
 * ) ( [ < >      a short tuple (count of one byte), tuple, list, set, frozen set
 * { c            a dictionary; code */
static void read_rest(struct marshal *self, uint32_t chunk, unsigned kind, unsigned depth)
{
    pare_chunk_reader *reader = &self->reader;
    switch (kind) {
    case 'N':
    case 'F':
    case 'T':
    case 'S':
    case '.': break;
    case 'i': pare_chunk_reader_skip(reader, NUMBER); break;
    case 'I':
    case 'g': pare_chunk_reader_skip(reader, 8); break;
    case 'y': pare_chunk_reader_skip(reader, 16); break;
    case 'l': {
        const int32_t n = (int32_t)number(self, NUMBER);
        pare_chunk_reader_skip(reader, 2 * (n < 0 ? -(uint64_t)(int64_t)n : (uint64_t)n));
        break;
    }
    case 'r': read_name(self, reader->at - 1, depth); break;
    case 's':
    case 't':
    case 'u':
    case 'a':
    case 'A': read_text(self, chunk, NUMBER); break;
    case 'z':
    case 'Z': read_text(self, chunk, 1); break;
    case ')': read_list(self, chunk, 1, depth); break;
    case '(':
    case '[':
    case '<':
    case '>': read_list(self, chunk, NUMBER, depth); break;
    case '{': read_dictionary(self, chunk, depth); break;
    case 'c': read_code(self, chunk, depth); break;
    default: reader->bad = true; break;
    }
}

/* One object that is written anew: as it was, but that nothing is remembered. The bit REMEMBERED is
 * taken out of its kind; all other bytes are copied by emit, later and as a range. */
static void write_object(struct marshal *self, uint32_t from, unsigned kind, unsigned depth)
{
    pare_chunk_reader *reader = &self->reader;
    const unsigned plain = kind & ~(unsigned)REMEMBERED;
    const char byte = (char)plain;
    size_t index = 0;
    const bool is_first = kind & REMEMBERED && !self->depth;
    /* A name is no object that could be remembered. */
    if (kind == ('r' | REMEMBERED)) reader->bad = true;
    if (is_first && pare_chunk_reader_ok(reader)) index = remember(self, from);
    if (kind & REMEMBERED) {
        emit(self, self->copied, from);
        if (pare_chunk_reader_ok(reader))
            reader->status = pare_buffer_add(self->out, &byte, 1, reader->err);
        self->copied = from + 1;
    }
    read_rest(self, PARE_NO_CHUNK, plain, depth);
    assert(self->copied <= reader->end);
    if (is_first && pare_chunk_reader_ok(reader)) self->remembered[index].to = reader->at;
}

/* One object, a part of `parent`; it is `fixed` if that cannot do without it. Where it ends is
 * known only afterwards: until then its chunk reaches to the end of the reader. Recursion is
 * bounded by the depth that chunks may have. */
static void read_object(struct marshal *self, uint32_t parent, bool fixed, unsigned depth)
{
    pare_chunk_reader *reader = &self->reader;
    pare_chunk_tree *tree = reader->tree;
    const uint32_t from = reader->at, kind = number(self, 1);
    if (depth > MOST_DEPTH) reader->bad = true;
    if (!pare_chunk_reader_ok(reader)) return;
    if (self->out) {
        write_object(self, from, kind, depth);
        return;
    }
    const uint32_t chunk = pare_chunk_reader_chunk(reader, parent, from, reader->end);
    if (chunk == PARE_NO_CHUNK) reader->bad = true;
    if (!pare_chunk_reader_ok(reader)) return;
    read_rest(self, chunk, kind & ~(unsigned)REMEMBERED, depth);
    pare_chunk *it = &tree->chunks[chunk];
    it->to = it->body_to = reader->at;
    it->known = it->solid = it->value = true;
    it->fixed = fixed;
}

/* Where an object of marshal may begin; `to`: nowhere. A compiled module is a magic number of two
 * bytes, 0d 0a, twelve bytes (flags, time or hash, size), and code. Without that head the object
 * has to be one that holds others, and reading all of it must end at `to`. */
static uint32_t begin_of(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    static const char begins[] = "c(){[";
    if (to - from < LEAST_BYTES) return to;
    const unsigned char *bytes = tree->bytes + from;
    if (bytes[2] == '\r' && bytes[3] == '\n' && (bytes[HEADER] & ~REMEMBERED) == 'c')
        return from + HEADER;
    return strchr(begins, bytes[0] & ~REMEMBERED) && bytes[0] & ~REMEMBERED ? from : to;
}

/* Writes the object from `begin` to `end` without names, by the first order that fits; *done: one
 * does. The version of Python is not looked up by the magic number: an order is right if the object
 * ends where the file does. What a wrong one wrote is cut off again. */
static pare_status write_object_anew(pare_chunk_tree *tree, uint32_t begin, uint32_t end,
                                     pare_buffer *out, bool *done, pare_error *err)
{
    const size_t before = out->size;
    pare_status status = PARE_OK;
    *done = false;
    for (size_t i = 0; !status && !*done && i < sizeof ORDERS / sizeof *ORDERS; i++) {
        struct marshal self = {.reader = {.tree = tree, .at = begin, .end = end, .err = err},
                               .order = &ORDERS[i],
                               .out = out,
                               .most = (size_t)(end - begin) * MOST_TIMES + MORE_BYTES,
                               .copied = begin};
        out->size = before;
        read_object(&self, PARE_NO_CHUNK, true, 0);
        emit(&self, self.copied, self.reader.at);
        *done = pare_chunk_reader_ok(&self.reader) && self.reader.at == end;
        status = self.reader.status;
        pare_alloc_free(self.remembered);
    }
    return status;
}

/* A file in which nothing is remembered would be written to the same bytes; then there is nothing
 * to rewrite, and pare_chunk_marshal_read takes it as it is. */
pare_status pare_chunk_marshal_write_anew(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                          pare_error *err)
{
    const pare_chunk at = tree->chunks[chunk];
    const uint32_t begin = begin_of(tree, at.body, at.body_to);
    pare_buffer out = {0};
    bool done;
    uint32_t inner = PARE_NO_CHUNK;
    *found = false;
    if (begin == at.body_to) return PARE_OK;
    pare_status status = pare_buffer_add(&out, tree->bytes + at.body, begin - at.body, err);
    if (!status) status = write_object_anew(tree, begin, at.body_to, &out, &done, err);
    const bool is_same = !status && out.size == at.body_to - at.body &&
                         memcmp(out.data, tree->bytes + at.body, out.size) == 0;
    if (!status && done && !is_same)
        status = pare_chunk_tree_add(tree, chunk, at.body, at.body_to, &inner, err);
    if (!status && inner != PARE_NO_CHUNK) {
        tree->chunks[inner].fixed = true;
        status = pare_chunk_tree_rewrite(tree, inner, &out, found, err);
    }
    pare_buffer_done(&out);
    return status;
}

pare_status pare_chunk_marshal_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                    pare_error *err)
{
    const pare_chunk before = tree->chunks[chunk];
    const uint32_t begin = begin_of(tree, before.body, before.body_to);
    const uint32_t n_chunks = tree->n_chunks, n_fields = tree->n_fields;
    *found = false;
    if (begin == before.body_to) return PARE_OK;
    for (size_t i = 0; !*found && i < sizeof ORDERS / sizeof *ORDERS; i++) {
        struct marshal self = {
            .reader = {.tree = tree, .at = begin, .end = before.body_to, .err = err},
            .order = &ORDERS[i]};
        read_object(&self, chunk, true, 0);
        if (self.reader.status) return self.reader.status;
        *found = !self.reader.bad && self.reader.at == self.reader.end;
        if (*found) break;
        /* The order did not fit: all chunks and fields that it added are taken back. */
        tree->n_chunks = n_chunks;
        tree->n_fields = n_fields;
        tree->chunks[chunk] = before;
    }
    return PARE_OK;
}
