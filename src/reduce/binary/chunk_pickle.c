/* Chunks of Python's pickle, protocol 2 to 5: values, what containers hold, what is remembered.
 *
 * A pickle is a program for a stack: each instruction pushes a value, puts values into the one below them, or
 * makes one of several.  So a value is the bytes from the first instruction that it takes to the last, and a chunk
 * that may stand in the place of any other; items of a list and pairs of a dictionary go by themselves, as do those
 * that were put in together.  A value may be remembered, and named later, by how many were
 * remembered before; up to protocol 3 that number stands there, too.  It is counted anew.
 * Invariant: nothing is noted unless the whole program is understood and leaves one value.
 * Not found: protocol 0 and 1; instructions that copy or drop a value, and numbers out of order (pickle does not
 * write these).
 * Source: Lib/pickletools.py of CPython.  Tested by tests/unit/test_chunk_pickle.c. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/heap.h"
#include "base/vector.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

#define NONE UINT32_MAX

/* A value, or a part of one: a pair, a batch of items that are put in together, a text, an
 * instruction that remembers. Nodes become chunks when the whole program was understood. */
struct node {
    uint32_t from, to;
    uint32_t parent; /* NONE: outermost, or not known yet */
    bool value, fixed, text;
};

struct pickle {
    pare_chunk_reader reader;
    struct node *nodes; /* owned */
    uint32_t n_nodes;
    size_t capacity;
    uint32_t *stack; /* owned; nodes; a mark is a node that is no value */
    uint32_t n_stack;
    size_t stack_capacity;
    uint64_t first; /* the number of the first value that is remembered */
};

/* What an instruction has after its byte: so many bytes; a length of so many bytes and the text; lines. */
struct operand {
    unsigned char code, size, length, lines;
};

/* Instructions that push a value that is in them: None, true, false, numbers (J K M, longs, G),
 * texts and bytes with a length before them, texts in lines (of protocol 0, which newer ones may
 * use), empty containers, names of what was remembered (h, j), extensions. */
static const struct operand PUSHES[] = {
    {'N', 0, 0, 0},  {0x88, 0, 0, 0}, {0x89, 0, 0, 0}, {'J', 4, 0, 0},  {'K', 1, 0, 0},
    {'M', 2, 0, 0},  {0x8a, 0, 1, 0}, {0x8b, 0, 4, 0}, {'G', 8, 0, 0},  {0x8c, 0, 1, 0},
    {'X', 0, 4, 0},  {0x8d, 0, 8, 0}, {'C', 0, 1, 0},  {'B', 0, 4, 0},  {0x8e, 0, 8, 0},
    {0x96, 0, 8, 0}, {'T', 0, 4, 0},  {'U', 0, 1, 0},  {'I', 0, 0, 1},  {'L', 0, 0, 1},
    {'F', 0, 0, 1},  {'V', 0, 0, 1},  {'S', 0, 0, 1},  {'P', 0, 0, 1},  {'c', 0, 0, 2},
    {']', 0, 0, 0},  {'}', 0, 0, 0},  {')', 0, 0, 0},  {0x8f, 0, 0, 0}, {'h', 1, 0, 0},
    {'j', 4, 0, 0},  {0x82, 1, 0, 0}, {0x83, 2, 0, 0}, {0x84, 4, 0, 0},
};

enum { N_PUSHES = sizeof PUSHES / sizeof *PUSHES, FRAME = 0x95, MEMOIZE = 0x94, PROTOCOL = 0x80 };

/* Adds a node; NONE: there is no memory. */
static uint32_t add_node(struct pickle *pickle, struct node node)
{
    struct node *nodes =
        pare_vector_grow(pickle->nodes, pickle->n_nodes, &pickle->capacity, sizeof *nodes);
    if (!nodes) {
        pickle->reader.status = pare_fail_nomem(pickle->reader.err);
        return NONE;
    }
    pickle->nodes = nodes;
    nodes[pickle->n_nodes] = node;
    return pickle->n_nodes++;
}

/* Pushes a node from `from` to the place at hand. A mark is pushed as a node that is no value. */
static void push(struct pickle *pickle, uint32_t from, bool value)
{
    const uint32_t node = add_node(
        pickle,
        (struct node){.from = from, .to = pickle->reader.at, .parent = NONE, .value = value});
    if (node == NONE) return;
    uint32_t *stack =
        pare_vector_grow(pickle->stack, pickle->n_stack, &pickle->stack_capacity, sizeof *stack);
    if (!stack) {
        pickle->reader.status = pare_fail_nomem(pickle->reader.err);
        return;
    }
    pickle->stack = stack;
    stack[pickle->n_stack++] = node;
}

/* The value `n` below the top; NONE, and the reader is bad: the stack is not so high, or a mark is
 * there. */
static uint32_t below(struct pickle *pickle, uint32_t n)
{
    const uint32_t node = n < pickle->n_stack ? pickle->stack[pickle->n_stack - 1 - n] : NONE;
    if (node == NONE || !pickle->nodes[node].value) {
        pickle->reader.bad = true;
        return NONE;
    }
    return node;
}

/* How many values are above the last mark. Without a mark the reader is bad. */
static uint32_t above_mark(struct pickle *pickle)
{
    for (uint32_t n = 0; n < pickle->n_stack; n++)
        if (!pickle->nodes[pickle->stack[pickle->n_stack - 1 - n]].value) return n;
    pickle->reader.bad = true;
    return 0;
}

/* Takes `n` values off the stack: they are parts of `parent`, in pairs or each by itself. Of a
 * dictionary "( k1 v1 k2 v2 u" makes the nodes (k1 v1) and (k2 v2), each of which may go, while key
 * and value are fixed in it. */
static void take(struct pickle *pickle, uint32_t n, uint32_t parent, bool pairs, bool fixed)
{
    assert(n <= pickle->n_stack && "callers have looked whether there are so many");
    const uint32_t first = pickle->n_stack - n;
    if (parent == NONE || (pairs && n % 2)) pickle->reader.bad = true;
    for (uint32_t i = 0; i < n && pare_chunk_reader_ok(&pickle->reader); i++) {
        const uint32_t node = pickle->stack[first + i];
        if (pairs && i % 2 == 0) {
            const uint32_t pair =
                add_node(pickle, (struct node){.from = pickle->nodes[node].from,
                                               .to = pickle->nodes[pickle->stack[first + i + 1]].to,
                                               .parent = parent});
            if (pair == NONE) return;
        }
        pickle->nodes[node].parent = pairs ? pickle->n_nodes - 1 : parent;
        pickle->nodes[node].fixed = pairs || fixed;
    }
    pickle->n_stack = first;
}

/* Makes a value of the `n` values on the stack, and the mark below them. Its bytes begin with the
 * mark or the first of the values, and end with this instruction.
 *
 * ( K1 K2 K3 t     a tuple of three: from "(" to "t"; items of it may go
 * K1 K2 0x86       a tuple of two without a mark: fixed items, the instruction takes two
 * c R              a class and its arguments: what the call gives */
static void make(struct pickle *pickle, uint32_t n, bool mark, bool pairs)
{
    if (!mark && n && below(pickle, n - 1) == NONE) return;
    for (uint32_t i = 0; i < n; i++)
        if (below(pickle, i) == NONE) return;
    if (!pare_chunk_reader_ok(&pickle->reader) || n + mark > pickle->n_stack || n + mark == 0) {
        pickle->reader.bad = true;
        return;
    }
    const uint32_t from = pickle->nodes[pickle->stack[pickle->n_stack - n - mark]].from;
    const uint32_t whole = add_node(
        pickle,
        (struct node){.from = from, .to = pickle->reader.at, .parent = NONE, .value = true});
    if (whole == NONE) return;
    take(pickle, n, whole, pairs, !mark);
    if (!pare_chunk_reader_ok(&pickle->reader)) return;
    if (mark) {
        /* The mark's place on the stack is the value's. */
        pickle->stack[pickle->n_stack - 1] = whole;
    } else {
        assert(pickle->n_stack < pickle->stack_capacity && "there was room for what was taken");
        pickle->stack[pickle->n_stack++] = whole;
    }
}

/* The `n` values on the stack, and the mark below them, are put into the value below. What they
 * make is a batch, a part of that value, which grows up to this instruction:
 *
 * ] ( K1 K2 e      an empty list; the batch "( K1 K2 e" goes, or K1 or K2 of it
 * ] K1 a           the batch "K1 a": its value is fixed, the instruction needs one */
static void fill(struct pickle *pickle, uint32_t n, bool mark, bool pairs)
{
    for (uint32_t i = 0; i < n; i++)
        if (below(pickle, i) == NONE) return;
    const uint32_t into = below(pickle, n + mark);
    if (into == NONE || (!mark && !n)) return;
    const uint32_t from = pickle->nodes[pickle->stack[pickle->n_stack - n - mark]].from;
    const uint32_t batch =
        add_node(pickle, (struct node){.from = from, .to = pickle->reader.at, .parent = into});
    if (batch == NONE) return;
    take(pickle, n, batch, pairs, !mark);
    pickle->n_stack -= mark;
    pickle->nodes[into].to = pickle->reader.at;
}

/* Notes a number, that of what was remembered, at `at`. It counts the marks before the one it
 * names: when a remembered value before it goes, its mark goes, and the number falls by one. A name
 * of something that was not remembered before makes the pickle bad. */
static void note_name(struct pickle *pickle, uint32_t at, uint32_t width)
{
    const pare_chunk_tree *tree = pickle->reader.tree;
    const uint64_t index =
        pare_chunk_coding_read(PARE_CODING_LITTLE, width, tree->bytes + at, width).value;
    if (index < pickle->first || index - pickle->first >= tree->n_marks) {
        pickle->reader.bad = true;
        return;
    }
    const uint32_t mark = tree->marks[index - pickle->first];
    pare_chunk_reader_field(&pickle->reader, &(pare_chunk_field){.number = PARE_NUMBER_MARKS,
                                                                 .coding = PARE_CODING_LITTLE,
                                                                 .width = width,
                                                                 .at = at,
                                                                 .from = mark,
                                                                 .to = mark});
}

/* Notes a length, and the text that it is of, as a part of the next value. */
static void read_text(struct pickle *pickle, uint32_t width)
{
    pare_chunk_reader *reader = &pickle->reader;
    const uint32_t at = reader->at;
    const uint64_t n = pare_chunk_reader_number(reader, PARE_CODING_LITTLE, width);
    const uint32_t from = reader->at;
    pare_chunk_reader_skip(reader, n);
    if (!pare_chunk_reader_ok(reader)) return;
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                        .coding = PARE_CODING_LITTLE,
                                                        .width = width,
                                                        .at = at,
                                                        .from = from,
                                                        .to = reader->at});
}

static void skip_line(pare_chunk_reader *reader)
{
    if (!pare_chunk_reader_ok(reader)) return;
    const unsigned char *from = reader->tree->bytes + reader->at;
    const unsigned char *end = memchr(from, '\n', reader->end - reader->at);
    if (!end) reader->bad = true;
    if (end) reader->at += (uint32_t)(end - from) + 1;
}

/* An instruction that pushes what is in it: length and text, bytes, lines, as `operand` says. A
 * text is a node of its own, of which any byte may go, and the length is corrected.
 *
 * 8c 03 61 62 63      SHORT_BINUNICODE "abc"; without "b" 8c 02 61 63 */
static void read_push(struct pickle *pickle, const struct operand *operand)
{
    pare_chunk_reader *reader = &pickle->reader;
    const uint32_t from = reader->at - 1;
    if (operand->length) read_text(pickle, operand->length);
    pare_chunk_reader_skip(reader, operand->size);
    for (unsigned i = 0; i < operand->lines; i++)
        skip_line(reader);
    if (!pare_chunk_reader_ok(reader)) return;
    if (operand->code == 'h' || operand->code == 'j') note_name(pickle, from + 1, operand->size);
    push(pickle, from, true);
    const uint32_t text = from + 1 + operand->length;
    if (operand->length && text < reader->at && pare_chunk_reader_ok(reader))
        (void)add_node(pickle, (struct node){.from = text,
                                             .to = reader->at,
                                             .parent = pickle->stack[pickle->n_stack - 1],
                                             .text = true});
}

/* The value on top is remembered, by a number of `width` bytes, or by the next number if `width` is
 * 0. The instruction is a part of the value, which ends with it; a mark stands at its begin, so
 * that what is remembered can be counted. Numbers have to follow each other, from whatever the
 * first one is. */
static void remember(struct pickle *pickle, uint32_t from, uint32_t width)
{
    pare_chunk_reader *reader = &pickle->reader;
    pare_chunk_tree *tree = reader->tree;
    const uint32_t at = reader->at, top = below(pickle, 0);
    const uint64_t index =
        width ? pare_chunk_reader_number(reader, PARE_CODING_LITTLE, width) : tree->n_marks;
    if (!tree->n_marks) pickle->first = index;
    if (index != pickle->first + tree->n_marks) reader->bad = true;
    if (top == NONE || !pare_chunk_reader_ok(reader)) return;
    pickle->nodes[top].to = reader->at;
    (void)add_node(pickle, (struct node){.from = from, .to = reader->at, .parent = top});
    if (width)
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_MARKS,
                                                            .coding = PARE_CODING_LITTLE,
                                                            .width = width,
                                                            .at = at,
                                                            .from = from,
                                                            .to = from});
    if (pare_chunk_reader_ok(reader))
        reader->status = pare_chunk_tree_mark(tree, from, reader->err);
}

/* A frame (protocol 4): how many bytes of instructions follow, for readers that load them at once.
 * It is no value and no chunk: its length is corrected, and the instructions in it are
 * read on. */
static void read_frame(pare_chunk_reader *reader)
{
    const uint32_t at = reader->at;
    const uint64_t n = pare_chunk_reader_number(reader, PARE_CODING_LITTLE, 8);
    if (!pare_chunk_reader_ok(reader) || n > reader->end - reader->at) {
        reader->bad = true;
        return;
    }
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                        .coding = PARE_CODING_LITTLE,
                                                        .width = 8,
                                                        .at = at,
                                                        .from = reader->at,
                                                        .to = reader->at + (uint32_t)n});
}

/* One instruction; false: it is the last, or the reader is bad. What others do to the stack:
 *
 * (            push a mark
 * e 0x90 u     the values above the mark into the list, set or dictionary below it
 * a s b        one item, one pair, a state into the value below
 * t l 0x91 d   tuple, list, frozen set, dictionary of what is above the mark
 * 0x85 .. 87   tuple of one, two, three
 * R 0x81 0x93  call, new object, global by its name: of two; 0x92: new object of three */
static bool read_instruction(struct pickle *pickle)
{
    pare_chunk_reader *reader = &pickle->reader;
    const uint32_t from = reader->at;
    const unsigned code = (unsigned)pare_chunk_reader_number(reader, PARE_CODING_LITTLE, 1);
    for (size_t i = 0; i < N_PUSHES && pare_chunk_reader_ok(reader); i++) {
        if (PUSHES[i].code != code) continue;
        read_push(pickle, &PUSHES[i]);
        return true;
    }
    switch (code) {
    case '(': push(pickle, from, false); break;
    case 'e':
    case 0x90: fill(pickle, above_mark(pickle), true, false); break;
    case 'u': fill(pickle, above_mark(pickle), true, true); break;
    case 'a': fill(pickle, 1, false, false); break;
    case 's': fill(pickle, 2, false, false); break;
    case 'b': fill(pickle, 1, false, false); break;
    case 't':
    case 'l':
    case 0x91: make(pickle, above_mark(pickle), true, false); break;
    case 'd': make(pickle, above_mark(pickle), true, true); break;
    case 0x85: make(pickle, 1, false, false); break;
    case 0x86:
    case 'R':
    case 0x81:
    case 0x93: make(pickle, 2, false, false); break;
    case 0x87:
    case 0x92: make(pickle, 3, false, false); break;
    case 'q': remember(pickle, from, 1); break;
    case 'r': remember(pickle, from, 4); break;
    case MEMOIZE: remember(pickle, from, 0); break;
    case FRAME: read_frame(reader); break;
    case '.': return false;
    default: reader->bad = true; break;
    }
    return pare_chunk_reader_ok(reader);
}

/* For qsort: outer ones before what is in them. */
static int by_place(const void *left, const void *right)
{
    const struct node *a = left, *b = right;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    if (a->to != b->to) return a->to > b->to ? -1 : 1;
    return 0;
}

/* Leaves out the smallest nodes, by powers of two, if there are more than there may be chunks: what
 * is in them is found when the file is read anew, smaller. Nodes that contain others are not
 * smaller than these, so no node loses its parent while it stays. O(nodes). */
static void leave_out_small(struct pickle *pickle)
{
    const uint32_t room = PARE_CHUNK_MOST - pickle->reader.tree->n_chunks;
    uint32_t n_of[32] = {0}, n = 0; /* nodes of each magnitude; those that are left */
    for (uint32_t i = 0; i < pickle->n_nodes; i++)
        n_of[pare_heap_magnitude(pickle->nodes[i].to - pickle->nodes[i].from)]++;
    unsigned least = 32;
    for (; least > 0 && n + n_of[least - 1] <= room; least--)
        n += n_of[least - 1];
    n = 0;
    for (uint32_t i = 0; i < pickle->n_nodes; i++) {
        const struct node node = pickle->nodes[i];
        if (pare_heap_magnitude(node.to - node.from) >= least) pickle->nodes[n++] = node;
    }
    pickle->n_nodes = n;
}

/* Makes chunks of the nodes. In the order of by_place each node lies in the last open one that
 * reaches beyond its begin, so going up from the last chunk made finds its parent: O(nodes) in all,
 * after sorting. */
static void add_chunks(struct pickle *pickle, uint32_t chunk)
{
    pare_chunk_tree *tree = pickle->reader.tree;
    uint32_t open = chunk;
    leave_out_small(pickle);
    qsort(pickle->nodes, pickle->n_nodes, sizeof *pickle->nodes, by_place);
    for (uint32_t i = 0; i < pickle->n_nodes && pare_chunk_reader_ok(&pickle->reader); i++) {
        const struct node *node = &pickle->nodes[i];
        /* A mark is none. */
        if (node->parent == NONE && !node->value) continue;
        while (open != chunk && tree->chunks[open].to <= node->from)
            open = tree->chunks[open].parent;
        const uint32_t made = pare_chunk_reader_chunk(&pickle->reader, open, node->from, node->to);
        if (made == PARE_NO_CHUNK) continue;
        pare_chunk *it = &tree->chunks[made];
        it->known = true;
        it->solid = !node->text;
        it->value = node->value;
        it->fixed = node->fixed || node->parent == NONE;
        open = made;
    }
}

/* A pickle begins with 80 and the protocol, 2 to 5, and ends with '.'. Marks are counted from the
 * first one in the file, so a file has one pickle at most that is read (tree->n_marks). Chunks are
 * only made at the end; fields are noted on the way, and dropped if the program is not understood.
 */
pare_status pare_chunk_pickle_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                   pare_error *err)
{
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    *found = false;
    if (to - from < 4 || tree->bytes[from] != PROTOCOL || tree->bytes[from + 1] < 2 ||
        tree->bytes[from + 1] > 5 || tree->bytes[to - 1] != '.' || tree->n_marks)
        return PARE_OK;
    struct pickle pickle = {.reader = {.tree = tree, .at = from + 2, .end = to, .err = err}};
    const uint32_t n_fields = tree->n_fields;
    while (read_instruction(&pickle)) {
    }
    *found = pare_chunk_reader_ok(&pickle.reader) && pickle.reader.at == to &&
             pickle.n_stack == 1 && pickle.nodes[pickle.stack[0]].value;
    if (*found) {
        add_chunks(&pickle, chunk);
    } else {
        tree->n_fields = n_fields;
        tree->n_marks = 0;
    }
    pare_alloc_free(pickle.nodes);
    pare_alloc_free(pickle.stack);
    return pickle.reader.status;
}
