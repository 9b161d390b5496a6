/* Chunks of a class file of Java: constants, interfaces, fields, methods, attributes, instructions.
 *
 * Constants are numbered, and everything else names them by their number.  So each is a chunk of its own,
 * whatever its size; a number that names it counts those before it, and it goes when nothing names it any
 * more (chunk_names.h).  What stands behind the constants is lists in lists, which patterns describe:
 * i: the number of a constant; c: the same in one byte; 1, 2, 4: as many bytes; p: a place in the code;
 * j, J: a jump from this instruction in two bytes or four; [x]: a number of two bytes and as many x;
 * {x}: the same of one byte; A: attributes; C: code; N: an annotation; V: its value; F: a frame of types;
 * T: a type of it.
 * An attribute whose name is not in the table is bytes.
 * Invariant: nothing is noted unless all constants are read.
 * Source: The Java Virtual Machine Specification, chapter 4 and 6.5 (instructions).
 * Tested by tests/unit/test_chunk_class.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    POOL = 10, /* where constants begin */
    LEAST_VERSION = 45,
    MOST_DEPTH = 16 /* of values in annotations */
};

/* Kinds of constants that this file treats apart. The others differ only in their patterns. */
enum constant { TEXT = 1, LONG = 5, DOUBLE = 6, DYNAMIC = 17, INVOKE_DYNAMIC = 18 };

struct class_file {
    pare_chunk_reader reader;
    uint32_t pool, n;   /* its chunk; numbers of constants end here */
    uint32_t *entries;  /* owned, n of them: the constant's chunk, PARE_NO_CHUNK: none */
    uint32_t code_from; /* the code at hand, which ends at code_to; 0: none */
    uint32_t code_to;
    uint32_t instruction; /* where the one at hand begins */
    uint32_t bootstraps;  /* the list of methods that dynamic constants name; PARE_NO_CHUNK: none */
    unsigned depth;
};

static const char CODE[] = "22C[pppi]A", BOOTSTRAPS[] = "[i[i]]";

/* What an attribute holds: its pattern, in the notation of the file's head. "22C[pppi]A" is two
 * numbers (the greatest depth of the stack, how many variables), code, a list of handlers (three
 * places and the class that is caught), and attributes of the code. */
static const struct {
    const char *name, *pattern;
} ATTRIBUTES[] = {
    {"Code", CODE},
    {"ConstantValue", "i"},
    {"Exceptions", "[i]"},
    {"SourceFile", "i"},
    {"Signature", "i"},
    {"InnerClasses", "[iii2]"},
    {"EnclosingMethod", "ii"},
    {"LineNumberTable", "[p2]"},
    {"LocalVariableTable", "[p2ii2]"},
    {"LocalVariableTypeTable", "[p2ii2]"},
    {"BootstrapMethods", BOOTSTRAPS},
    {"NestHost", "i"},
    {"NestMembers", "[i]"},
    {"PermittedSubclasses", "[i]"},
    {"Record", "[iiA]"},
    {"MethodParameters", "{i2}"},
    {"StackMapTable", "[F]"},
    {"AnnotationDefault", "V"},
    {"RuntimeVisibleAnnotations", "[N]"},
    {"RuntimeInvisibleAnnotations", "[N]"},
    {"RuntimeVisibleParameterAnnotations", "{[N]}"},
    {"RuntimeInvisibleParameterAnnotations", "{[N]}"},
};

enum { N_ATTRIBUTES = sizeof ATTRIBUTES / sizeof *ATTRIBUTES };

static uint32_t number_at(const struct class_file *file, uint32_t at, uint32_t width)
{
    assert(at + width <= file->reader.tree->size);
    return (uint32_t)pare_chunk_coding_read(PARE_CODING_BIG, width, file->reader.tree->bytes + at,
                                            width)
        .value;
}

static uint32_t read_number(struct class_file *file, uint32_t width)
{
    return (uint32_t)pare_chunk_reader_number(&file->reader, PARE_CODING_BIG, width);
}

/* ---- constants ---------------------------------------------------------------------------- */

/* What a constant holds behind its kind, as a pattern; NULL: there is no such kind.
 *
 * 01 00 03 61 62 63    a text of 3 bytes, "abc"
 * 07 00 01             a class whose name is constant 1
 * 0a 00 02 00 05       a method: its class, its name and type
 * 05 (8 bytes)         a long; takes two numbers, as a double does */
static const char *constant_pattern(unsigned kind)
{
    static const char *const patterns[] = {
        [TEXT] = "2", [3] = "4",   [4] = "4",  [LONG] = "44",    [DOUBLE] = "44",
        [7] = "i",    [8] = "i",   [9] = "ii", [10] = "ii",      [11] = "ii",
        [12] = "ii",  [15] = "1i", [16] = "i", [DYNAMIC] = "2i", [INVOKE_DYNAMIC] = "2i",
        [19] = "i",   [20] = "i"};
    return kind < sizeof patterns / sizeof *patterns ? patterns[kind] : NULL;
}

/* Moves behind the constant at hand; returns how many numbers it takes (2 for long and double, of
 * which the second is not used), 0 if it is none or does not fit. */
static uint32_t skip_constant(struct class_file *file)
{
    const uint32_t kind = read_number(file, 1);
    const char *pattern = constant_pattern(kind);
    if (!pattern) return 0;
    if (kind == TEXT) pare_chunk_reader_skip(&file->reader, read_number(file, 2));
    for (; kind != TEXT && *pattern; pattern++)
        pare_chunk_reader_skip(&file->reader, *pattern == 'i' ? 2 : (uint32_t)(*pattern - '0'));
    if (!pare_chunk_reader_ok(&file->reader)) return 0;
    return kind == LONG || kind == DOUBLE ? 2 : 1;
}

/* Notes the chunks of a constant. One that takes two numbers is two chunks of five and four bytes,
 * twins that go together: so every number is one chunk, and the number of a constant is always one
 * more than the count of the chunks before it (the bias of its fields). */
static void add_constant(struct class_file *file, uint32_t index)
{
    enum { HALF = 5 };
    pare_chunk_tree *tree = file->reader.tree;
    const uint32_t from = file->reader.at, n = skip_constant(file), to = file->reader.at;
    const uint32_t middle = n == 2 ? from + HALF : to;
    const uint32_t entry = pare_chunk_reader_chunk(&file->reader, file->pool, from, middle);
    file->entries[index] = entry;
    if (entry == PARE_NO_CHUNK) return;
    tree->chunks[entry].known = tree->chunks[entry].solid = true;
    if (n == 2) {
        const uint32_t rest = pare_chunk_reader_chunk(&file->reader, file->pool, middle, to);
        file->entries[index + 1] = PARE_NO_CHUNK;
        if (rest == PARE_NO_CHUNK) return;
        tree->chunks[rest].known = tree->chunks[rest].solid = true;
        tree->chunks[rest].twin = entry;
        tree->chunks[entry].twin = rest;
    }
    /* The bytes of a text may become fewer; its kind and length stay. */
    if (tree->bytes[from] != TEXT) return;
    const uint32_t text = pare_chunk_reader_chunk(&file->reader, entry, from + 3, to);
    if (text != PARE_NO_CHUNK) tree->chunks[text].known = true;
    pare_chunk_reader_field(&file->reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                               .coding = PARE_CODING_BIG,
                                                               .width = 2,
                                                               .at = from + 1,
                                                               .from = from + 3,
                                                               .to = to});
}

/* Reads all constants; false: they are not all there, and nothing was noted. The first round only
 * looks, so that a file that merely begins with ca fe ba be is left to others. Numbers begin at 1,
 * and the count in the file is one more than there are constants: a bias of its field. */
static bool read_constants(struct class_file *file, uint32_t chunk)
{
    pare_chunk_tree *tree = file->reader.tree;
    const uint32_t begin = file->reader.at, from = begin + POOL;
    pare_chunk_reader_skip(&file->reader, POOL);
    for (uint32_t i = 1, n; i < file->n; i += n) {
        n = skip_constant(file);
        if (!n || i + n > file->n) return false;
    }
    if (!pare_chunk_reader_ok(&file->reader)) return false;
    file->pool = pare_chunk_reader_chunk(&file->reader, chunk, from, file->reader.at);
    if (file->pool == PARE_NO_CHUNK) return false;
    tree->chunks[file->pool].fixed = tree->chunks[file->pool].known = true;
    tree->chunks[file->pool].solid = true;
    file->reader.at = from;
    for (uint32_t i = 1; i < file->n && pare_chunk_reader_ok(&file->reader);) {
        const unsigned kind = tree->bytes[file->reader.at];
        add_constant(file, i);
        i += kind == LONG || kind == DOUBLE ? 2 : 1;
    }
    pare_chunk_reader_field(&file->reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                               .coding = PARE_CODING_BIG,
                                                               .width = 2,
                                                               .at = from - 2,
                                                               .chunk = file->pool});
    return true;
}

/* ---- patterns ----------------------------------------------------------------------------- */

static void read_pattern(struct class_file *file, const char *pattern, uint32_t parent);

/* Adds a chunk that begins where the reader is. Its end is not known before its content was read:
 * it has that of the range at hand until end_chunk. So children can be added to it in the meantime.
 */
static uint32_t begin_chunk(struct class_file *file, uint32_t parent)
{
    pare_chunk_tree *tree = file->reader.tree;
    const uint32_t chunk =
        pare_chunk_reader_chunk(&file->reader, parent, file->reader.at, file->reader.end);
    if (chunk != PARE_NO_CHUNK) tree->chunks[chunk].known = tree->chunks[chunk].solid = true;
    return chunk;
}

/* Ends the chunk where the reader is. If reading failed, it keeps the end that it was given, that
 * of what it is in, which is as right as any. */
static void end_chunk(struct class_file *file, uint32_t chunk)
{
    if (chunk == PARE_NO_CHUNK || !pare_chunk_reader_ok(&file->reader)) return;
    pare_chunk *it = &file->reader.tree->chunks[chunk];
    assert(it->from < file->reader.at);
    it->to = it->body_to = file->reader.at;
}

/* The number of a constant. After constants before it went, it counts those that are left; its
 * constant goes when the last number that names it goes. With five constants of which 2 and 3 went,
 * "00 05" becomes "00 03". A number without a constant (0: none; the second one of a long) is
 * bytes. */
static void read_index(struct class_file *file, uint32_t width)
{
    pare_chunk_field field = {.number = PARE_NUMBER_INDEX,
                              .coding = PARE_CODING_BIG,
                              .width = width,
                              .at = file->reader.at,
                              .chunk = file->pool};
    const uint32_t index = read_number(file, width);
    if (!pare_chunk_reader_ok(&file->reader) || index >= file->n) return;
    const uint32_t entry = file->entries[index];
    if (entry == PARE_NO_CHUNK) return;
    field.from = field.to = file->reader.tree->chunks[entry].from;
    field.target = entry + 1;
    pare_chunk_reader_field(&file->reader, &field);
}

/* A place in the code, counted from its begin, or for a jump from the instruction at hand. A jump
 * back is a negative number, BACKWARD from the instruction. In "a7 ff fa" at 10 the jump leads to
 * 4; if an instruction of two bytes between them goes, it becomes "a7 ff fc". */
static void read_place(struct class_file *file, uint32_t width, bool jump)
{
    const uint32_t at = file->reader.at, origin = jump ? file->instruction : file->code_from;
    uint64_t by = read_number(file, width);
    /* Extends the sign; `by` is 64 bits wide, and wraps around below 0. */
    if (jump && width == 2 && by >= 0x8000) by -= 0x10000;
    if (jump && width == 4 && by >= 0x80000000) by -= UINT64_C(0x100000000);
    const uint64_t to = origin + by;
    if (!pare_chunk_reader_ok(&file->reader) || to < file->code_from || to > file->code_to) return;
    pare_chunk_reader_field(
        &file->reader,
        &(pare_chunk_field){.number = to < origin ? PARE_NUMBER_BACKWARD : PARE_NUMBER_POSITION,
                            .coding = PARE_CODING_BIG,
                            .width = width,
                            .at = at,
                            .from = to < origin ? (uint32_t)to : origin,
                            .to = to < origin ? origin : (uint32_t)to});
}

/* Where the list that `pattern` begins with is described to end: of "[p2[i]]A" the last ']'.
 * Patterns are constants of this file and balanced, so the loop ends. */
static const char *list_end(const char *pattern)
{
    unsigned depth = 0;
    for (;; pattern++) {
        if (*pattern == '[' || *pattern == '{') depth++;
        if ((*pattern == ']' || *pattern == '}') && --depth == 0) return pattern;
    }
}

/* A number, and as many rows, each of which is a chunk; the list's chunk stays, and its count is
 * corrected. PARE_NO_CHUNK if the list is empty or there is no room for it: it is read all the
 * same, for what follows stands behind it.
 *
 * 00 02   00 03 | 00 07    "[i]": two rows; without the first one 00 01  00 06 */
static uint32_t read_list(struct class_file *file, const char *pattern, uint32_t parent)
{
    const uint32_t at = file->reader.at, width = *pattern == '[' ? 2 : 1;
    const uint32_t n = read_number(file, width);
    if (!n || !pare_chunk_reader_ok(&file->reader)) return PARE_NO_CHUNK;
    const uint32_t list = begin_chunk(file, parent);
    for (uint32_t i = 0; i < n && pare_chunk_reader_ok(&file->reader); i++) {
        const uint32_t row = begin_chunk(file, list);
        read_pattern(file, pattern + 1, row);
        if (row == PARE_NO_CHUNK) continue;
        end_chunk(file, row);
    }
    end_chunk(file, list);
    if (list == PARE_NO_CHUNK || !pare_chunk_reader_ok(&file->reader)) return list;
    file->reader.tree->chunks[list].fixed = true;
    pare_chunk_reader_field(&file->reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                               .coding = PARE_CODING_BIG,
                                                               .width = width,
                                                               .at = at,
                                                               .chunk = list});
    return list;
}

/* The pattern of an attribute with that name; NULL: it is not known. The name is the constant's
 * text: three bytes of kind and length, then the characters. */
static const char *attribute_pattern(const struct class_file *file, uint32_t name)
{
    const pare_chunk_tree *tree = file->reader.tree;
    if (name >= file->n || file->entries[name] == PARE_NO_CHUNK) return NULL;
    const pare_chunk *entry = &tree->chunks[file->entries[name]];
    if (tree->bytes[entry->from] != TEXT) return NULL;
    const uint32_t n = entry->to - entry->from - 3;
    for (size_t i = 0; i < N_ATTRIBUTES; i++)
        if (strlen(ATTRIBUTES[i].name) == n &&
            memcmp(ATTRIBUTES[i].name, tree->bytes + entry->from + 3, n) == 0)
            return ATTRIBUTES[i].pattern;
    return NULL;
}

/* An attribute: its name, its length, and what it holds.
 *
 * 0   2   number of the name, a constant
 * 2   4   length, from here on
 * 6   n   by the pattern of that name; else bytes, of which any may go
 *
 * What is read is bounded by the length. If the pattern does not fit, the attribute is bad, but not
 * the file: the reader goes on behind it. */
static void read_attribute(struct class_file *file, uint32_t chunk)
{
    pare_chunk_reader *reader = &file->reader;
    const uint32_t name = (uint32_t)pare_chunk_reader_peek(reader, PARE_CODING_BIG, 0, 2);
    const char *pattern = attribute_pattern(file, name);
    read_index(file, 2);
    pare_chunk_field field = {
        .number = PARE_NUMBER_LENGTH, .coding = PARE_CODING_BIG, .width = 4, .at = reader->at};
    const uint32_t n = read_number(file, 4);
    if (!pare_chunk_reader_ok(reader) || n > reader->end - reader->at) {
        reader->bad = true;
        return;
    }
    field.from = reader->at;
    field.to = reader->at + n;
    pare_chunk_reader_field(reader, &field);
    const uint32_t end = reader->end;
    reader->end = field.to;
    if (pattern) read_pattern(file, pattern, chunk);
    /* Behind the code's own attributes there is no code that a place could be in. */
    if (pattern == CODE) file->code_from = file->code_to = 0;
    reader->bad = false;
    reader->end = end;
    reader->at = field.to;
    if (!pattern && chunk != PARE_NO_CHUNK) reader->tree->chunks[chunk].solid = false;
}

/* Attributes hold attributes (Code, Record), so the depth is bounded. */
static void read_attributes(struct class_file *file, uint32_t parent)
{
    if (file->depth == MOST_DEPTH) {
        file->reader.bad = true;
        return;
    }
    file->depth++;
    (void)read_list(file, "[a]", parent);
    file->depth--;
}

/* The value of an annotation, by the letter before it: 'e' an enum's type and name, '@' an
 * annotation, '[' a list of values, others the number of a constant ("s", "I", "c", ...). */
static void read_value(struct class_file *file, uint32_t parent)
{
    const uint32_t kind = read_number(file, 1);
    if (!pare_chunk_reader_ok(&file->reader) || file->depth == MOST_DEPTH) {
        file->reader.bad = true;
        return;
    }
    file->depth++;
    read_pattern(file, kind == 'e' ? "ii" : kind == '@' ? "N" : kind == '[' ? "[V]" : "i", parent);
    file->depth--;
}

/* Which types of variables and of the stack a place in the code has, by the difference to the frame
 * before. The first byte tells the kind:
 *
 * 0 .. 63      the same                        248 .. 250   1 to 3 variables fewer; 2 bytes
 * 64 .. 127    one type on the stack           251          the same; 2 bytes
 * 247          2 bytes, one type on the stack  252 .. 254   2 bytes; 1 to 3 types more
 *                                              255          2 bytes; all variables, all the stack
 *
 * The two bytes, and the low bits of the first byte below 128, are a distance in the code, which is
 * not corrected. */
static void read_frame(struct class_file *file, uint32_t parent)
{
    const uint32_t kind = read_number(file, 1);
    if (kind >= 247) pare_chunk_reader_skip(&file->reader, 2);
    if ((kind >= 64 && kind < 128) || kind == 247) read_pattern(file, "T", parent);
    for (uint32_t i = 251; i < kind && kind < 255; i++)
        read_pattern(file, "T", parent);
    if (kind == 255) read_pattern(file, "[T][T]", parent);
}

/* Kind 7 is a class by its constant, 8 an object that the instruction at that place made and that
 * is not initialised yet; the others are nothing but their kind. */
static void read_type(struct class_file *file)
{
    const uint32_t kind = read_number(file, 1);
    if (kind == 7) read_index(file, 2);
    if (kind == 8) read_place(file, 2, false);
}

/* ---- code --------------------------------------------------------------------------------- */

/* What stands behind an instruction's first byte, as a pattern; NULL: that differs (switches, and
 * wide, whose operand is a wider form of the next instruction's). "" are the many that are one
 * byte. */
static const char *operands(unsigned code)
{
    enum { TABLE_SWITCH = 170, LOOKUP_SWITCH = 171, WIDE = 196 };
    if (code == TABLE_SWITCH || code == LOOKUP_SWITCH || code == WIDE) return NULL;
    if (code == 18) return "c";
    if (code == 17 || code == 132) return "2";
    if (code == 16 || code == 169 || code == 188) return "1";
    if ((code >= 21 && code <= 25) || (code >= 54 && code <= 58)) return "1";
    if ((code >= 153 && code <= 168) || code == 198 || code == 199) return "j";
    if (code == 200 || code == 201) return "J";
    if (code == 185 || code == 186) return "i2";
    if (code == 197) return "i1";
    if (code == 19 || code == 20 || (code >= 178 && code <= 184)) return "i";
    if (code == 187 || code == 189 || code == 192 || code == 193) return "i";
    return "";
}

/* A switch: bytes that fill up to a multiple of four counted from the begin of the code, the jump
 * of the default, then
 *
 * tableswitch    low, high, and a jump for each value from low to high
 * lookupswitch   n, and n pairs of a value and a jump
 *
 * The filling is a pad: it is made anew when instructions before it go. Cases stay, because no
 * chunk is made of them. */
static void read_switch(struct class_file *file, bool table)
{
    pare_chunk_reader *reader = &file->reader;
    const uint32_t at = reader->at, fill = (4 - (at - file->code_from) % 4) % 4;
    pare_chunk_reader_skip(reader, fill);
    read_place(file, 4, true);
    const uint32_t low = read_number(file, 4), high = table ? read_number(file, 4) : 0;
    const uint32_t n = table ? high - low + 1 : low;
    if (!pare_chunk_reader_ok(reader) || n > (reader->end - reader->at) / 4) {
        reader->bad = true;
        return;
    }
    reader->status = pare_chunk_tree_pad(
        reader->tree, &(pare_chunk_pad){.at = at, .n = fill, .align = 4, .from = file->code_from},
        reader->err);
    for (uint32_t i = 0; i < n; i++)
        read_pattern(file, table ? "J" : "4J", PARE_NO_CHUNK);
}

/* One instruction; jumps in it count from its first byte. */
static void read_instruction(struct class_file *file)
{
    file->instruction = file->reader.at;
    const unsigned code = read_number(file, 1);
    const char *pattern = operands(code);
    if (pattern)
        read_pattern(file, pattern, PARE_NO_CHUNK);
    else if (code == 170 || code == 171)
        read_switch(file, code == 170);
    else
        /* Wide: an instruction and two bytes; iinc (132) has two more, what it adds. */
        pare_chunk_reader_skip(&file->reader, read_number(file, 1) == 132 ? 4 : 2);
}

/* Code with its length: each instruction is a chunk that goes alone. What cannot be read of it,
 * after an unknown instruction, is bytes, and what follows the code is read again. */
static void read_code(struct class_file *file, uint32_t parent)
{
    pare_chunk_reader *reader = &file->reader;
    const uint32_t at = reader->at, n = read_number(file, 4);
    if (!pare_chunk_reader_ok(reader) || n > reader->end - reader->at || !n) return;
    const uint32_t end = reader->end;
    file->code_from = reader->at;
    file->code_to = reader->end = reader->at + n;
    const uint32_t code = begin_chunk(file, parent);
    if (code != PARE_NO_CHUNK) reader->tree->chunks[code].fixed = true;
    while (pare_chunk_reader_ok(reader) && reader->at < reader->end) {
        const uint32_t instruction = begin_chunk(file, code);
        read_instruction(file);
        end_chunk(file, instruction);
    }
    reader->bad = false;
    reader->at = reader->end;
    reader->end = end;
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                        .coding = PARE_CODING_BIG,
                                                        .width = 4,
                                                        .at = at,
                                                        .from = file->code_from,
                                                        .to = file->code_to});
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Reads what `pattern` describes up to its end, or to that of a row of it.  Depth: that of lists in the
 * pattern, and MOST_DEPTH of attributes and values. */
static void read_pattern(struct class_file *file, const char *pattern, uint32_t parent)
{
    for (; *pattern && *pattern != ']' && *pattern != '}'; pattern++)
        switch (*pattern) {
        case 'i': read_index(file, 2); break;
        case 'c': read_index(file, 1); break;
        case 'p': read_place(file, 2, false); break;
        case 'j': read_place(file, 2, true); break;
        case 'J': read_place(file, 4, true); break;
        case 'A': read_attributes(file, parent); break;
        case 'a': read_attribute(file, parent); break;
        case 'C': read_code(file, parent); break;
        case 'N': read_pattern(file, "i[iV]", parent); break;
        case 'V': read_value(file, parent); break;
        case 'F': read_frame(file, parent); break;
        case 'T': read_type(file); break;
        case '[':
        case '{': {
            const uint32_t list = read_list(file, pattern, parent);
            /* Compared by address: the same characters in another pattern are another list. */
            if (pattern == BOOTSTRAPS) file->bootstraps = list;
            pattern = list_end(pattern);
            break;
        }
        default: pare_chunk_reader_skip(&file->reader, (uint32_t)(*pattern - '0'));
        }
}

/* Constants that name others, or one of the methods that make dynamic ones. They are read last: the
 * bootstrap methods that dynamic constants name are an attribute at the end of the file. `row` is
 * found by counting, O(methods) for each such constant. */
static void read_names(struct class_file *file)
{
    const pare_chunk_tree *tree = file->reader.tree;
    for (uint32_t i = 1; i < file->n && pare_chunk_reader_ok(&file->reader); i++) {
        if (file->entries[i] == PARE_NO_CHUNK) continue;
        const uint32_t from = tree->chunks[file->entries[i]].from, kind = tree->bytes[from];
        file->reader.at = from + 1;
        if (kind != LONG && kind != DOUBLE) read_pattern(file, constant_pattern(kind), file->pool);
        if ((kind != DYNAMIC && kind != INVOKE_DYNAMIC) || file->bootstraps == PARE_NO_CHUNK)
            continue;
        uint32_t row = tree->chunks[file->bootstraps].first;
        for (uint32_t k = number_at(file, from + 1, 2); k && row != PARE_NO_CHUNK; k--)
            row = tree->chunks[row].next;
        if (row == PARE_NO_CHUNK) continue;
        const uint32_t to = tree->chunks[row].from;
        pare_chunk_reader_field(&file->reader, &(pare_chunk_field){.number = PARE_NUMBER_INDEX,
                                                                   .coding = PARE_CODING_BIG,
                                                                   .width = 2,
                                                                   .at = from + 1,
                                                                   .from = to,
                                                                   .to = to,
                                                                   .chunk = file->bootstraps,
                                                                   .target = row + 1});
    }
}

/* The file is 4 bytes of magic, a minor and a major version (2 each), the constants, then flags,
 * the class and its parent, interfaces, fields, methods and attributes: the pattern below. If it
 * breaks off on the way, what was read until then is noted; with the constants alone it is worth
 * it. */
pare_status pare_chunk_class_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                  pare_error *err)
{
    static const unsigned char magic[] = {0xca, 0xfe, 0xba, 0xbe};
    struct class_file file = {.bootstraps = PARE_NO_CHUNK};
    const uint32_t from = tree->chunks[chunk].body, to = tree->chunks[chunk].body_to;
    *found = false;
    if (to - from <= POOL || memcmp(tree->bytes + from, magic, sizeof magic) != 0) return PARE_OK;
    file.reader = (pare_chunk_reader){.tree = tree, .at = from, .end = to, .err = err};
    file.n = number_at(&file, from + 8, 2);
    if (number_at(&file, from + 6, 2) < LEAST_VERSION || file.n < 2) return PARE_OK;
    file.entries = pare_alloc(file.n, sizeof *file.entries);
    if (!file.entries) return pare_fail_nomem(err);
    for (uint32_t i = 0; i < file.n; i++)
        file.entries[i] = PARE_NO_CHUNK;
    *found = read_constants(&file, chunk);
    if (*found) {
        read_pattern(&file, "2ii[i][2iiA][2iiA]A", chunk);
        file.reader.bad = false;
        file.reader.end = to;
        read_names(&file);
    }
    pare_alloc_free(file.entries);
    return file.reader.status;
}
