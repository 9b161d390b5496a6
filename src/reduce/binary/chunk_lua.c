/* Chunks of compiled Lua, 5.1 to 5.4: functions, and the lists that they are made of.
 *
 * A file is a header and one function.  A function is a few numbers and lists, each with the number of its items
 * before it: instructions, constants, functions within it, and what is only there for messages (the line of each
 * instruction, names).  Items go with that number.  An instruction goes with its line, and a value of an outer
 * function with its name.  A function may stand in the place of any other, so that an inner one becomes the program.
 * Versions differ in the order of the lists and in how numbers are written; each is a row of a table.
 * Invariant: nothing is noted unless the function ends where the file does.
 * The instruction that makes a function names it by its place, and so do those that load a constant; the last instruction,
 * which returns, stays, as readers of 5.1 look for it.
 * Not found: what other instructions name by numbers in their bits (constants, places to jump to) stays as it is written.
 * Source: lundump.c and ldump.c of Lua 5.1, 5.2, 5.3 and 5.4.  Tested by tests/unit/test_chunk_lua.c. */
#include <string.h>

#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    INSTRUCTION = 4,
    NUMBER = 4,  /* bytes of an `int` up to 5.3 */
    LONG = 8,    /* of a length */
    SHORT = 255, /* 5.3: what stands before a length of 8 bytes instead of one of 1 byte */
    LONG_TEXT = 16,
    BYTES_A_CHUNK = 1 << 17, /* of instructions: more for each so many bytes of the file */
    MOST_NAMED = 1 << 12,    /* of each list: each name counts in each candidate */
    MOST_DEPTH = PARE_CHUNK_MOST_DEPTH / 2 - 2
};

/* What stands in a function, in its order. */
enum part {
    SOURCE,    /* the name of its file */
    LINES,     /* its first and its last line */
    BYTES_3,   /* parameters and the like */
    BYTES_4,   /* the same in 5.1 */
    CODE,      /* instructions */
    CONSTANTS, /* with their kinds */
    FUNCTIONS,
    OUTER,    /* values of outer functions: where they are */
    LINES_OF, /* the line of each instruction */
    ABSOLUTE, /* 5.4: of some the line itself, the others being differences */
    LOCALS,   /* names with the instructions for which they hold */
    NAMES,    /* of OUTER */
    END
};

enum { MOST_PARTS = 12 };

/* A version of Lua. */
struct version {
    unsigned char number;        /* 0x51: 5.1 */
    const char *head;            /* its header after the number of the version, .. */
    unsigned char head_bytes;    /* .. of which so many are compared, .. */
    unsigned char header;        /* .. and the bytes of the whole header */
    unsigned char closure, load; /* instructions that name a function and a constant */
    unsigned char line, outer;   /* bytes of the line of an instruction, and of an item of OUTER */
    unsigned char parts[MOST_PARTS];
};

static const struct version VERSIONS[] = {
    {0x51,
     "\0\1\4\x08\4\x08\0",
     7,
     12,
     36,
     1,
     4,
     0,
     {SOURCE, LINES, BYTES_4, CODE, CONSTANTS, FUNCTIONS, LINES_OF, LOCALS, NAMES, END}},
    {0x52,
     "\0\1\4\x08\4\x08\0\x19\x93\r\n\x1a\n",
     13,
     18,
     37,
     1,
     4,
     2,
     {LINES, BYTES_3, CODE, CONSTANTS, FUNCTIONS, OUTER, SOURCE, LINES_OF, LOCALS, NAMES, END}},
    {0x53,
     "\0\x19\x93\r\n\x1a\n\4\x08\4\x08\x08",
     12,
     34,
     44,
     1,
     4,
     2,
     {SOURCE, LINES, BYTES_3, CODE, CONSTANTS, OUTER, FUNCTIONS, LINES_OF, LOCALS, NAMES, END}},
    {0x54,
     "\0\x19\x93\r\n\x1a\n\4\x08\x08",
     10,
     32,
     79,
     3,
     1,
     3,
     {SOURCE, LINES, BYTES_3, CODE, CONSTANTS, OUTER, FUNCTIONS, LINES_OF, ABSOLUTE, LOCALS, NAMES,
      END}},
};

/* A walk over functions. */
struct lua {
    pare_chunk_reader reader;
    const struct version *version;
    uint32_t group; /* instructions that are one chunk: more than one in a large file */
};

static bool is_5_4(const struct lua *self)
{
    return self->version->number == 0x54;
}

/* How numbers are written, and in how many bytes. */
static pare_coding coding_of(const struct lua *self)
{
    return is_5_4(self) ? PARE_CODING_HIGH : PARE_CODING_LITTLE;
}

static uint64_t number(struct lua *self)
{
    return pare_chunk_reader_number(&self->reader, coding_of(self), NUMBER);
}

/* Notes that the number at `field->at` is one, whose width is known by what was read. */
static void add_field(struct lua *self, pare_chunk_field field)
{
    pare_chunk_reader_field(&self->reader, &field);
}

/* A text with its length, which in 5.1 and 5.2 counts the zero at its end, and since 5.3 is one more than the text has, so
 * that 0 is no text.
 *
 * 5.1   04 00 00 00 00 00 00 00   61 62 63 00     "abc"
 * 5.3   04   61 62 63
 * 5.4   84   61 62 63 */
static void read_text(struct lua *self, uint32_t chunk)
{
    pare_chunk_reader *reader = &self->reader;
    const bool has_zero = self->version->number < 0x53;
    pare_chunk_field field = {.number = PARE_NUMBER_LENGTH, .coding = coding_of(self), .bias = 1};
    field.at = reader->at;
    field.width = has_zero ? LONG : 1;
    uint64_t n = pare_chunk_reader_number(reader, field.coding, field.width);
    if (self->version->number == 0x53 && n == SHORT) {
        field.at = reader->at;
        field.width = LONG;
        n = pare_chunk_reader_number(reader, field.coding, LONG);
    }
    if (!n) return;
    field.from = reader->at;
    pare_chunk_reader_skip(reader, n - 1);
    field.to = reader->at;
    pare_chunk_reader_skip(reader, has_zero);
    if (!pare_chunk_reader_ok(reader)) return;
    if (field.to == field.from) return;
    const uint32_t text = pare_chunk_reader_chunk(reader, chunk, field.from, field.to);
    if (text == PARE_NO_CHUNK) {
        reader->bad = true;
        return;
    }
    reader->tree->chunks[text].known = field.to - field.from < LONG_TEXT;
    add_field(self, field);
}

/* Opens a chunk that ends where the reader does for now; NONE, and the reader is bad: there is no room. */
static uint32_t open_chunk(struct lua *self, uint32_t parent)
{
    pare_chunk_reader *reader = &self->reader;
    if (!pare_chunk_reader_ok(reader)) return PARE_NO_CHUNK;
    const uint32_t chunk = pare_chunk_reader_chunk(reader, parent, reader->at, reader->end);
    if (chunk == PARE_NO_CHUNK) reader->bad = true;
    return chunk;
}

/* What was opened ends here. */
static void close_chunk(struct lua *self, uint32_t chunk)
{
    pare_chunk *it = &self->reader.tree->chunks[chunk];
    it->to = it->body_to = self->reader.at;
    it->known = it->solid = true;
}

/* A constant: its kind, and what it has.  Kinds of 5.3 and 5.4 have their variant in the higher four bits. */
static void read_constant(struct lua *self, uint32_t chunk)
{
    enum { NIL = 0, BOOLEAN = 1, FLOATING = 3, TEXT = 4, VARIANT = 16 };
    pare_chunk_reader *reader = &self->reader;
    const unsigned kind = (unsigned)pare_chunk_reader_number(reader, PARE_CODING_LITTLE, 1);
    switch (kind) {
    case NIL: break;
    case BOOLEAN:
    case BOOLEAN + VARIANT: pare_chunk_reader_skip(reader, is_5_4(self) ? 0 : 1); break;
    case FLOATING:
    case FLOATING + VARIANT: pare_chunk_reader_skip(reader, LONG); break;
    case TEXT:
    case TEXT + VARIANT: read_text(self, chunk); break;
    default: reader->bad = true;
    }
}

static void read_function(struct lua *self, uint32_t parent, bool fixed, unsigned depth);

/* One item of a list of items that differ in size. */
static void read_item(struct lua *self, uint32_t list, enum part part, unsigned depth)
{
    if (part == FUNCTIONS) {
        read_function(self, list, false, depth);
        return;
    }
    const uint32_t item = open_chunk(self, list);
    if (item == PARE_NO_CHUNK) return;
    if (part == CONSTANTS) read_constant(self, item);
    if (part == LOCALS || part == NAMES) read_text(self, item);
    if (part == LOCALS || part == ABSOLUTE) {
        (void)number(self);
        (void)number(self);
    }
    if (pare_chunk_reader_ok(&self->reader)) close_chunk(self, item);
}

/* A number and as many items; returns their chunk, NONE: there are none. */
static uint32_t read_items(struct lua *self, uint32_t chunk, enum part part, unsigned depth)
{
    pare_chunk_reader *reader = &self->reader;
    const uint32_t at = reader->at;
    const uint64_t n = number(self);
    if (!pare_chunk_reader_ok(reader) || !n) return PARE_NO_CHUNK;
    const uint32_t width = reader->at - at, list = open_chunk(self, chunk);
    for (uint64_t i = 0; i < n && pare_chunk_reader_ok(reader); i++)
        read_item(self, list, part, depth);
    if (!pare_chunk_reader_ok(reader)) return PARE_NO_CHUNK;
    close_chunk(self, list);
    reader->tree->chunks[list].fixed = true;
    add_field(self, (pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                       .coding = coding_of(self),
                                       .width = width,
                                       .at = at,
                                       .chunk = list});
    return list;
}

/* The same of items of `size` bytes, of which `group` are one chunk, so that the number is one of bytes. */
static uint32_t read_rows(struct lua *self, uint32_t chunk, uint32_t size, uint32_t group)
{
    pare_chunk_reader *reader = &self->reader;
    const uint32_t at = reader->at;
    const uint64_t n = number(self);
    if (!pare_chunk_reader_ok(reader) || !n) return PARE_NO_CHUNK;
    if (n > (reader->end - reader->at) / size) {
        reader->bad = true;
        return PARE_NO_CHUNK;
    }
    const uint32_t from = reader->at, width = from - at, list = open_chunk(self, chunk);
    const uint32_t to = from + (uint32_t)n * size;
    for (uint32_t row = from; row < to && pare_chunk_reader_ok(reader);) {
        /* The last one is a chunk by itself. */
        const uint32_t whole = row + size * group < to ? row + size * group : to;
        const uint32_t end = whole == to && to - row > size ? to - size : whole;
        const uint32_t item = pare_chunk_reader_chunk(reader, list, row, end);
        if (item == PARE_NO_CHUNK)
            reader->bad = true;
        else
            reader->tree->chunks[item].known = reader->tree->chunks[item].solid = true;
        row = end;
    }
    if (!pare_chunk_reader_ok(reader)) return PARE_NO_CHUNK;
    reader->at = to;
    close_chunk(self, list);
    reader->tree->chunks[list].fixed = true;
    add_field(self, (pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                       .coding = coding_of(self),
                                       .width = width,
                                       .at = at,
                                       .from = from,
                                       .to = to,
                                       .unit = size});
    return list;
}

/* Items of two lists that have as many go together. */
static void link_items(struct lua *self, uint32_t left, uint32_t right)
{
    pare_chunk_tree *tree = self->reader.tree;
    if (left == PARE_NO_CHUNK || right == PARE_NO_CHUNK) return;
    if (tree->chunks[left].n_children != tree->chunks[right].n_children) return;
    uint32_t b = tree->chunks[right].first;
    for (uint32_t a = tree->chunks[left].first; a != PARE_NO_CHUNK; a = tree->chunks[a].next) {
        pare_chunk_tree_link_twins(tree, a, b);
        b = tree->chunks[b].next;
    }
}

/* The child at place `index` of the list; NONE: it has fewer. */
static uint32_t child_at(const pare_chunk_tree *tree, uint32_t list, uint32_t index)
{
    if (list == PARE_NO_CHUNK || index >= tree->chunks[list].n_children) return PARE_NO_CHUNK;
    uint32_t child = tree->chunks[list].first;
    while (index--)
        child = tree->chunks[child].next;
    return child;
}

/* Notes which function or constant each instruction names by its place in the list. */
static void name_items(struct lua *self, uint32_t code, unsigned instruction, uint32_t list,
                       bool holds)
{
    pare_chunk_tree *tree = self->reader.tree;
    const uint32_t all = is_5_4(self) ? 0x7f : 0x3f;
    if (code == PARE_NO_CHUNK || list == PARE_NO_CHUNK) return;
    if (tree->chunks[list].n_children > MOST_NAMED) return;
    const uint32_t to = tree->chunks[code].to;
    for (uint32_t at = tree->chunks[code].from; at < to; at += INSTRUCTION) {
        pare_chunk_field field = {.number = PARE_NUMBER_INDEX,
                                  .coding =
                                      is_5_4(self) ? PARE_CODING_FROM_15 : PARE_CODING_FROM_14,
                                  .width = INSTRUCTION,
                                  .at = at,
                                  .chunk = list};
        if ((tree->bytes[at] & all) != instruction) continue;
        const uint32_t index = (uint32_t)pare_chunk_coding_read(field.coding, INSTRUCTION,
                                                                tree->bytes + at, INSTRUCTION)
                                   .value;
        const uint32_t named = child_at(tree, list, index);
        if (named == PARE_NO_CHUNK) continue;
        field.from = field.to = tree->chunks[named].from;
        field.target = holds ? named + 1 : 0;
        add_field(self, field);
    }
}

/* One function, a part of `parent`; `fixed`: the program.  Recursion is bounded by the depth that chunks may have. */
static void read_function(struct lua *self, uint32_t parent, bool fixed, unsigned depth)
{
    uint32_t lists[END];
    pare_chunk_reader *reader = &self->reader;
    if (depth > MOST_DEPTH) reader->bad = true;
    const uint32_t chunk = open_chunk(self, parent);
    for (unsigned i = 0; i < END; i++)
        lists[i] = PARE_NO_CHUNK;
    for (unsigned i = 0; self->version->parts[i] != END && pare_chunk_reader_ok(reader); i++) {
        const enum part part = (enum part)self->version->parts[i];
        switch (part) {
        case SOURCE: read_text(self, chunk); break;
        case LINES:
            (void)number(self);
            (void)number(self);
            break;
        case BYTES_3: pare_chunk_reader_skip(reader, 3); break;
        case BYTES_4: pare_chunk_reader_skip(reader, 4); break;
        case CODE: lists[part] = read_rows(self, chunk, INSTRUCTION, self->group); break;
        case OUTER: lists[part] = read_rows(self, chunk, self->version->outer, 1); break;
        case LINES_OF:
            lists[part] = read_rows(self, chunk, self->version->line, self->group);
            break;
        case CONSTANTS:
        case FUNCTIONS:
        case ABSOLUTE:
        case LOCALS:
        case NAMES: lists[part] = read_items(self, chunk, part, depth + 1); break;
        case END: break;
        }
    }
    if (!pare_chunk_reader_ok(reader)) return;
    close_chunk(self, chunk);
    reader->tree->chunks[chunk].fixed = fixed;
    reader->tree->chunks[chunk].value = true;
    link_items(self, lists[CODE], lists[LINES_OF]);
    link_items(self, lists[OUTER], lists[NAMES]);
    name_items(self, lists[CODE], self->version->closure, lists[FUNCTIONS], true);
    name_items(self, lists[CODE], self->version->load, lists[CONSTANTS], false);
    if (lists[CODE] != PARE_NO_CHUNK)
        reader->tree->chunks[reader->tree->chunks[lists[CODE]].last].fixed = true;
}

/* The version that the body is of; NULL: none that is known, or of another machine. */
static const struct version *version_of(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    enum { SIGN = 4 };
    const unsigned char *bytes = tree->bytes + from;
    if (to - from <= SIGN + 1 || memcmp(bytes, "\x1bLua", SIGN) != 0) return NULL;
    for (size_t i = 0; i < sizeof VERSIONS / sizeof *VERSIONS; i++)
        if (bytes[SIGN] == VERSIONS[i].number && to - from > VERSIONS[i].header &&
            !memcmp(bytes + SIGN + 1, VERSIONS[i].head, VERSIONS[i].head_bytes))
            return &VERSIONS[i];
    return NULL;
}

pare_status pare_chunk_lua_read(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    const pare_chunk before = tree->chunks[chunk];
    const uint32_t n_chunks = tree->n_chunks, n_fields = tree->n_fields;
    struct lua self = {.reader = {.tree = tree, .end = before.body_to, .err = err},
                       .version = version_of(tree, before.body, before.body_to),
                       .group = 1 + (before.body_to - before.body) / BYTES_A_CHUNK};
    *found = false;
    if (!self.version) return PARE_OK;
    self.reader.at = before.body + self.version->header;
    read_function(&self, chunk, true, 0);
    if (self.reader.status) return self.reader.status;
    *found = !self.reader.bad && self.reader.at == self.reader.end;
    if (*found) return PARE_OK;
    /* All that was added is taken back. */
    tree->n_chunks = n_chunks;
    tree->n_fields = n_fields;
    tree->chunks[chunk] = before;
    return PARE_OK;
}
