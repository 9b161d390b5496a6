/* Values that tell what they are: MessagePack and CBOR.
 *
 * A value begins with its kind and, of strings and lists, how many bytes or values follow; that number may
 * be in the first byte itself.  No run of lengths is found there, since a list says how many values it has
 * and not how many bytes.  So the file is read as values to its end, and each becomes a chunk; of a map a
 * key and its value together.  What goes from a list is taken off its count, what goes from a string off
 * its length; numbers are written in the width that they had, which both formats allow.
 * Any text can be read as many short values, so few must make up the file.
 *
 * Invariant: a node ends where its last child does, or before the byte that ends a list without a count.
 * Where there are more values than chunks, the outer ones are taken, level by level, all of a level.
 * Cost: one pass over the bytes; memory for each value.
 * Sources: the MessagePack specification; RFC 8949.  Tested by tests/unit/test_chunk_values.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_tree.h"

#define NO_NODE UINT32_MAX
#define NO_COUNT UINT64_MAX

enum {
    LEAST_VALUES = 4,
    MOST_VALUES = 1 << 20,
    LEAST_BYTES_OF_ONE = 64, /* at least so many bytes for each outermost value but one */
    LEAST_STRING = 16,       /* that may hold something of another format */
    MOST_LEVELS = PARE_CHUNK_MOST_DEPTH - 2
};

enum kind {
    NONE, /* not read yet, or no value at all */
    ATOM,
    STRING,
    LIST,
    MAP,
    TAG, /* says something about the value that follows */
    STOP /* ends a list without a count */
};

/* How a value begins. */
struct head {
    enum kind kind;
    uint32_t size;      /* bytes of it, numbers among them */
    uint32_t number_at; /* where its count or length stands */
    uint32_t width;     /* of that; 0: there is none */
    uint64_t n; /* bytes of a string or an atom, values of a list, pairs of a map; NO_COUNT */
};

struct node {
    struct head head;
    uint32_t from, to;
    uint32_t parent, level; /* NO_NODE: outermost */
    uint32_t chunk;
    bool is_pair; /* of a map; its two values are its children */
};

struct values {
    const pare_chunk_tree *tree;
    uint32_t end;
    struct head (*read)(const unsigned char *bytes, uint32_t n);
    struct node *nodes; /* owned; each before what is in it */
    uint32_t n_nodes;
    size_t capacity;
};

/* The number at `at` of the `n` bytes; NO_COUNT where it does not fit. */
static uint64_t big(const unsigned char *bytes, uint32_t n, uint32_t at, uint32_t width)
{
    return at + width <= n ? pare_chunk_coding_read(PARE_CODING_BIG, width, bytes + at, width).value
                           : NO_COUNT;
}

/* A head whose number is the `width` bytes after the first one: "d9 03 61 62 63" of MessagePack, a
 * string of 3. */
static struct head counted(enum kind kind, const unsigned char *bytes, uint32_t n, uint32_t width)
{
    return (struct head){.kind = kind,
                         .size = 1 + width,
                         .number_at = 1,
                         .width = width,
                         .n = big(bytes, n, 1, width)};
}

/* A head whose number is in its only byte, 93 of MessagePack: a list of 3. The field of that number
 * is the byte, and 0x90 its bias, so that 92 is a list of 2. */
static struct head packed_in(enum kind kind, uint32_t number)
{
    return (struct head){.kind = kind, .size = 1, .width = 1, .n = number};
}

/* A value without parts, of one byte and `bytes` more. */
static struct head atom(uint32_t bytes)
{
    return (struct head){.kind = ATOM, .size = 1, .n = bytes};
}

/* Reads the head of a MessagePack value by its first byte: small numbers and sizes lie in that byte
 * itself, larger ones in 1, 2, 4 or 8 bytes after it.
 *
 * 00-7f e0-ff  a small number        c4 c5 c6     bytes, a length of 1, 2, 4
 * 80-8f        a map of 0 .. 15      c7 c8 c9     the same and a type
 * 90-9f        a list of 0 .. 15     ca-d3        numbers of 1 to 8 bytes
 * a0-bf        a string of 0 .. 31   d4-d8        a type and 1, 2, 4, 8, 16 bytes
 * c0 c2 c3     nil, false, true      d9 da db     strings; dc dd lists; de df maps */
static struct head read_message_pack(const unsigned char *bytes, uint32_t n)
{
    static const unsigned char numbers[] = {4, 8, 1, 2, 4, 8, 1, 2, 4, 8}; /* from 0xca on */
    const unsigned first = bytes[0];
    if (first < 0x80 || first >= 0xe0) return atom(0);
    if (first < 0x90) return packed_in(MAP, first & 15);
    if (first < 0xa0) return packed_in(LIST, first & 15);
    if (first < 0xc0) return packed_in(STRING, first & 31);
    if (first == 0xc1) return (struct head){.kind = NONE};
    if (first < 0xc4) return atom(0);
    if (first < 0xc7) return counted(STRING, bytes, n, 1U << (first - 0xc4));
    if (first < 0xca) { /* a type stands behind the length */
        struct head head = counted(STRING, bytes, n, 1U << (first - 0xc7));
        head.size++;
        return head;
    }
    if (first < 0xd4) return atom(numbers[first - 0xca]);
    if (first < 0xd9) return atom(1 + (1U << (first - 0xd4)));
    if (first < 0xdc) return counted(STRING, bytes, n, 1U << (first - 0xd9));
    if (first < 0xde) return counted(LIST, bytes, n, 2U << (first - 0xdc));
    return counted(MAP, bytes, n, 2U << (first - 0xde));
}

/* Reads the head of a CBOR value: the upper three bits are its kind, the lower five a number up to
 * 23, or that 1, 2, 4, 8 bytes of it follow (24 to 27), or that there is none (31).
 *
 * 83 01 02 03      a list of three numbers       9f 01 02 ff   a list up to ff
 * 62 61 62         a text of two bytes           c1 1a ...     a tag, 1: the next value is a time
 * a1 61 61 01      a map of one pair: "a", 1     f4 f5 f6      false, true, null */
static struct head read_cbor(const unsigned char *bytes, uint32_t n)
{
    static const enum kind kinds[] = {ATOM, ATOM, STRING, STRING, LIST, MAP, TAG, ATOM};
    enum { INDEFINITE = 31, WIDEST = 27, FIRST_WIDE = 24, STRINGS = 2, TAGS = 6 };
    const unsigned major = bytes[0] >> 5, info = bytes[0] & 31;
    struct head head;
    if (info == INDEFINITE && major == 7) return (struct head){.kind = STOP, .size = 1};
    if (info == INDEFINITE && (major < STRINGS || major == TAGS))
        return (struct head){.kind = NONE};
    /* A string without a length is a list of strings. */
    if (info == INDEFINITE)
        return (struct head){.kind = major == 5 ? MAP : LIST, .size = 1, .width = 0, .n = NO_COUNT};
    if (info > WIDEST) return (struct head){.kind = NONE};
    if (info < FIRST_WIDE)
        head = packed_in(kinds[major], info);
    else
        head = counted(kinds[major], bytes, n, 1U << (info - FIRST_WIDE));
    /* The number of an atom is its value, and of a tag its meaning: neither counts anything that
     * may go. */
    if (head.kind == ATOM) head.n = 0;
    if (head.kind == TAG) head.n = 1;
    if (head.kind == ATOM || head.kind == TAG) head.width = 0;
    return head;
}

/* Adds a node from `from` on.  Errors: PARE_E_NOMEM. */
static pare_status add_node(struct values *values, struct node node, uint32_t parent,
                            pare_error *err)
{
    struct node *nodes =
        pare_vector_grow(values->nodes, values->n_nodes, &values->capacity, sizeof *nodes);
    if (!nodes) return pare_fail_nomem(err);
    values->nodes = nodes;
    node.parent = parent;
    node.level = parent == NO_NODE ? 0 : nodes[parent].level + 1;
    node.chunk = PARE_NO_CHUNK;
    nodes[values->n_nodes++] = node;
    return PARE_OK;
}

/* The state of a walk through nested values. */
struct walk {
    uint32_t at;
    uint32_t open;  /* the innermost node that is not at its end; NO_NODE: none */
    uint64_t *left; /* owned; of each level: values that are to come, or NO_COUNT */
    size_t n_left, capacity;
    bool bad;
};

static pare_status open_node(struct values *values, struct walk *walk, uint64_t n, pare_error *err)
{
    uint64_t *left = pare_vector_grow(walk->left, walk->n_left, &walk->capacity, sizeof *left);
    if (!left) return pare_fail_nomem(err);
    walk->left = left;
    left[walk->n_left++] = n;
    walk->open = values->n_nodes - 1;
    return PARE_OK;
}

/* Closes each node that has all its values: a list that ends may end the pair that it is in, and
 * that pair the map. */
static void close_nodes(struct values *values, struct walk *walk)
{
    while (walk->n_left && walk->left[walk->n_left - 1] == 0) {
        values->nodes[walk->open].to = walk->at;
        walk->open = values->nodes[walk->open].parent;
        walk->n_left--;
    }
}

/* Reads one value, or the end of a list without a count. `left` counts down what the innermost open
 * node still waits for. Sets walk->bad where no value can be: what follows is no list of values
 * then. Errors: PARE_E_NOMEM. */
static pare_status step(struct values *values, struct walk *walk, pare_error *err)
{
    const uint32_t rest = values->end - walk->at;
    const struct head head = values->read(values->tree->bytes + walk->at, rest);
    uint64_t *left = walk->n_left ? &walk->left[walk->n_left - 1] : NULL;
    pare_status status = PARE_OK;
    if (head.kind == STOP && left && *left == NO_COUNT) {
        walk->at++;
        *left = 0;
        close_nodes(values, walk);
        return PARE_OK;
    }
    const bool holds = head.kind == LIST || head.kind == MAP || head.kind == TAG;
    walk->bad = head.kind == NONE || head.kind == STOP || head.size > rest ||
                (head.n == NO_COUNT && head.width) || (!holds && head.n > rest - head.size) ||
                (holds && head.n != NO_COUNT && head.n > rest - head.size);
    if (walk->bad) return PARE_OK;
    /* A pair counts as one value of its map; the key that begins it is one of two in the pair. */
    if (left && *left != NO_COUNT) --*left;
    /* A key begins a pair. */
    if (walk->open != NO_NODE && values->nodes[walk->open].head.kind == MAP &&
        !values->nodes[walk->open].is_pair) {
        status =
            add_node(values, (struct node){.from = walk->at, .is_pair = true}, walk->open, err);
        if (!status) status = open_node(values, walk, 2, err);
        if (status) return status;
        walk->left[walk->n_left - 1]--;
    }
    struct node node = {.head = head, .from = walk->at, .to = walk->at + head.size};
    if (!holds) node.to += (uint32_t)head.n;
    status = add_node(values, node, walk->open, err);
    walk->at = node.to;
    /* An empty list is closed at once: it is never open. */
    if (!status && holds && head.n) status = open_node(values, walk, head.n, err);
    if (!status) close_nodes(values, walk);
    return status;
}

/* Reads values to the end; *whole: there are enough of them, and nothing else. The outermost ones
 * must be few, one for each 64 bytes and one more: any text is a sequence of small numbers. Errors:
 * PARE_E_NOMEM. */
static pare_status read_values(struct values *values, uint32_t from, bool *whole, pare_error *err)
{
    struct walk walk = {.at = from, .open = NO_NODE};
    uint64_t n_outer = 0;
    const uint64_t most_outer = 1 + (values->end - from) / LEAST_BYTES_OF_ONE;
    pare_status status = PARE_OK;
    while (!status && !walk.bad && walk.at < values->end && n_outer <= most_outer &&
           values->n_nodes < MOST_VALUES) {
        n_outer += !walk.n_left;
        status = step(values, &walk, err);
    }
    *whole = !status && !walk.bad && !walk.n_left && walk.at == values->end &&
             n_outer <= most_outer && values->n_nodes >= LEAST_VALUES;
    pare_alloc_free(walk.left);
    return status;
}

/* How many levels there are chunks for, beginning with the outermost: a level is taken whole or not
 * at all, so that counts, which count chunks, are right. */
static uint32_t count_levels(const struct values *values, uint32_t depth)
{
    uint32_t sizes[MOST_LEVELS] = {0}, level = 0;
    assert(values->tree->n_chunks <= PARE_CHUNK_MOST);
    uint32_t room = PARE_CHUNK_MOST - values->tree->n_chunks;
    for (uint32_t i = 0; i < values->n_nodes; i++)
        if (values->nodes[i].level < MOST_LEVELS) sizes[values->nodes[i].level]++;
    for (; depth + level < MOST_LEVELS && sizes[level] && sizes[level] <= room; level++)
        room -= sizes[level];
    return level;
}

/* Notes the number that stands in a value's head: the length of a string, or how many values or
 * pairs there are. */
static pare_status note_number(pare_chunk_tree *tree, const struct node *node, pare_error *err)
{
    pare_chunk_field field = {.number = node->head.kind == STRING ? PARE_NUMBER_LENGTH
                                                                  : PARE_NUMBER_COUNT,
                              .coding = PARE_CODING_BIG,
                              .width = node->head.width,
                              .at = node->from + node->head.number_at,
                              .chunk = node->chunk,
                              .from = node->from,
                              .to = node->from};
    if (node->head.kind == STRING) {
        field.from = node->from + node->head.size;
        field.to = node->to;
    }
    return pare_chunk_tree_field(tree, &field, err);
}

/* Makes chunks of the nodes of so many levels, then notes their numbers. A node stands before what
 * is in it, so its parent has a chunk already. Key and value are fixed in their pair, as a value is
 * in its tag. */
static pare_status add_chunks(pare_chunk_tree *tree, uint32_t chunk, struct values *values,
                              uint32_t n_levels, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < values->n_nodes; i++) {
        struct node *node = &values->nodes[i];
        if (node->level >= n_levels) continue;
        const struct node *up = node->parent == NO_NODE ? NULL : &values->nodes[node->parent];
        status = pare_chunk_tree_add(tree, up ? up->chunk : chunk, node->from, node->to,
                                     &node->chunk, err);
        if (status) break;
        assert(node->chunk != PARE_NO_CHUNK && "values do not overlap, and there is room");
        pare_chunk *made = &tree->chunks[node->chunk];
        made->value = !node->is_pair;
        made->known = node->head.kind != STRING || node->head.n < LEAST_STRING;
        made->fixed = up && (up->is_pair || up->head.kind == TAG);
        made->solid = node->head.kind != STRING;
        made->body += node->head.size;
    }
    for (uint32_t i = 0; !status && i < values->n_nodes; i++)
        if (values->nodes[i].chunk != PARE_NO_CHUNK && values->nodes[i].head.width &&
            (values->nodes[i].head.kind == STRING || values->nodes[i].level + 1 < n_levels))
            status = note_number(tree, &values->nodes[i], err);
    return status;
}

pare_status pare_chunk_values_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                   pare_error *err)
{
    static struct head (*const readers[])(const unsigned char *, uint32_t) = {read_message_pack,
                                                                              read_cbor};
    pare_status status = PARE_OK;
    *found = false;
    for (size_t i = 0; !status && !*found && i < sizeof readers / sizeof *readers; i++) {
        struct values values = {
            .tree = tree, .end = tree->chunks[chunk].body_to, .read = readers[i]};
        bool whole;
        status = read_values(&values, tree->chunks[chunk].body, &whole, err);
        const uint32_t n_levels =
            status || !whole ? 0 : count_levels(&values, tree->chunks[chunk].depth);
        *found = n_levels > 0;
        if (*found) status = add_chunks(tree, chunk, &values, n_levels, err);
        pare_alloc_free(values.nodes);
    }
    return status;
}
