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

/* A value, or a part of one. */
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

/* Instructions that push a value that is in them. */
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

/* Pushes a node from `from` to the place at hand. */
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

/* The value `n` below the top; NONE: there is no such value. */
static uint32_t below(struct pickle *pickle, uint32_t n)
{
    const uint32_t node = n < pickle->n_stack ? pickle->stack[pickle->n_stack - 1 - n] : NONE;
    if (node == NONE || !pickle->nodes[node].value) {
        pickle->reader.bad = true;
        return NONE;
    }
    return node;
}

/* How many values are above the last mark. */
static uint32_t above_mark(struct pickle *pickle)
{
    for (uint32_t n = 0; n < pickle->n_stack; n++)
        if (!pickle->nodes[pickle->stack[pickle->n_stack - 1 - n]].value) return n;
    pickle->reader.bad = true;
    return 0;
}

/* Takes `n` values off the stack: they are parts of `parent`, in pairs or each by itself. */
static void take(struct pickle *pickle, uint32_t n, uint32_t parent, bool pairs, bool fixed)
{
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

/* A value of the `n` values on the stack, and the mark below them. */
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

/* The `n` values on the stack, and the mark below them, are put into the value below. */
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

/* Notes a number, that of what was remembered, of a value that `at` ends. */
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

/* An instruction that pushes what is in it. */
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

/* The value on top is remembered, by a number of `width` bytes if that is not 0. */
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

/* A frame: how many bytes it has. */
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

/* One instruction; false: it is the last. */
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

/* Leaves out the smallest nodes, by powers of two, if there are more than chunks: what is in them is found when
 * the file is read anew, smaller.  A node is never smaller than what is in it. */
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

/* Makes chunks of the nodes. */
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
