/* Chunks of a WebAssembly module.
 *
 * Sections tile the module; most hold one list: a count, and entries without a length of their own,
 * so that one has to know of what they are made.  That is said in a word for each kind of section,
 * a letter for each part (struct section).  A section that is not as it should be, in a mutated file,
 * has the entries up to there; its count stays wrong by as much as it was.
 * A function goes from both lists that it is in, and exports name those behind it by a lower number;
 * numbers in code, elements and names stay as they are.
 * Source: the WebAssembly core specification, 5.4 and 5.5; the tool conventions, Linking.md.
 * Tested by tests/unit/test_chunk_finder.c. */
#include "reduce/binary/chunk_formats.h"

#include <string.h>

#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum { HEADER_BYTES = 8, MOST_NAME = 32 };

enum opcode {
    END = 0x0b,
    GLOBAL_GET = 0x23,
    I32 = 0x41,
    I64,
    F32,
    F64,
    REF_NULL = 0xd0,
    REF_FUNC = 0xd2
};

/* The entries of a section's list:
 *   b a byte   u a number   s a length and as many bytes   l limits   x a constant expression
 *   i what is imported   e elements   d data   y a symbol   r a relocation
 *   (...) a list of these   * the section is no list: what stands before it is there once */
struct section {
    const char *name; /* of a custom one; NULL: its identity says it */
    unsigned char id;
    const char *entries;
};

/* Sections of the module: 1 types, 2 imports, 3 functions (the type of each), 4 tables, 5 memories,
 * 6 globals, 7 exports, 9 elements, 10 code, 11 data, 13 tags; 0 are custom ones, known by their
 * names. "bss" is an entry of a byte and two things with a length: a type is 60, the parameters,
 * the results. */
static const struct section SECTIONS[] = {
    {NULL, 1, "bss"},
    {NULL, 2, "ssi"},
    {NULL, 3, "u"},
    {NULL, 4, "bl"},
    {NULL, 5, "l"},
    {NULL, 6, "bbx"},
    {NULL, 7, "sbu"},
    {NULL, 9, "e"},
    {NULL, 10, "s"},
    {NULL, 11, "d"},
    {NULL, 13, "bu"},
    {"producers", 0, "s(ss)"},
    {"target_features", 0, "bs"},
    {"reloc.", 0, "r"},
};

/* Parts of custom sections that are divided like sections: a byte, a length and the content. */
static const struct section PARTS[] = {
    {"linking", 5, "suu"}, {"linking", 6, "uu"}, {"linking", 7, "su(bu)"}, {"linking", 8, "y"},
    {"name", 0, "s*"},     {"name", 1, "us"},    {"name", 2, "u(us)"},     {"name", 3, "u(us)"},
    {"name", 4, "us"},     {"name", 7, "us"},    {"name", 9, "us"},
};

/* ---- parts of entries --------------------------------------------------------------------- */

static uint64_t number(pare_chunk_reader *reader)
{
    return pare_chunk_reader_number(reader, PARE_CODING_LEB, 0);
}

static unsigned byte(pare_chunk_reader *reader)
{
    return (unsigned)pare_chunk_reader_number(reader, PARE_CODING_LITTLE, 1);
}

static void prefixed(pare_chunk_reader *reader)
{
    pare_chunk_reader_prefixed(reader, PARE_CODING_LEB, 0);
}

/* Limits of a memory or table: flags, the least size, and the greatest if the lowest flag is set.
 */
static void read_limits(pare_chunk_reader *reader)
{
    const unsigned flags = byte(reader);
    (void)number(reader);
    if (flags & 1) (void)number(reader);
}

/* A constant expression: instructions up to 0b. "41 2a 0b" is i32.const 42. Others than constants,
 * globals and references do not occur in one, and make the reader bad. */
static void read_expression(pare_chunk_reader *reader)
{
    while (pare_chunk_reader_ok(reader)) {
        switch (byte(reader)) {
        case END: return;
        case GLOBAL_GET:
        case REF_FUNC:
        case I32:
        case I64: (void)number(reader); break;
        case REF_NULL: (void)byte(reader); break;
        case F32: pare_chunk_reader_skip(reader, 4); break;
        case F64: pare_chunk_reader_skip(reader, 8); break;
        default: reader->bad = true;
        }
    }
}

/* What is imported, after its two names: 0 a function (its type), 1 a table, 2 a memory, 3 a global
 * (type and whether it changes), 4 a tag. */
static void read_import(pare_chunk_reader *reader)
{
    switch (byte(reader)) {
    case 0: (void)number(reader); break;
    case 1:
        (void)byte(reader);
        read_limits(reader);
        break;
    case 2: read_limits(reader); break;
    case 3: pare_chunk_reader_skip(reader, 2); break;
    case 4:
        (void)byte(reader);
        (void)number(reader);
        break;
    default: reader->bad = true;
    }
}

/* Reads a segment that lists functions by number (flags 0 to 3), which is what compilers write:
 * perhaps the number of a table, where it begins, perhaps a byte for the kind, then the numbers.
 * Others are bad. */
static void read_elements(pare_chunk_reader *reader)
{
    const uint64_t flags = number(reader);
    if (flags == 2) (void)number(reader);
    if (flags == 0 || flags == 2) read_expression(reader);
    if (flags == 1 || flags == 2 || flags == 3) (void)byte(reader);
    if (flags > 3) reader->bad = true;
    for (uint64_t n = number(reader); n && pare_chunk_reader_ok(reader); n--)
        (void)number(reader);
}

/* Data: 0 with a place in memory, 1 without one, 2 with the number of a memory and a place; then
 * the bytes. */
static void read_data(pare_chunk_reader *reader)
{
    const uint64_t flags = number(reader);
    if (flags == 2) (void)number(reader);
    if (flags != 1) read_expression(reader);
    prefixed(reader);
}

/* A symbol of an object file: 3 a section (its number), 1 data (a name, and if it is defined here
 * segment, place and size), others a number, and a name if they are defined here or are named in
 * spite of being imported. */
static void read_symbol(pare_chunk_reader *reader)
{
    enum { UNDEFINED = 0x10, NAMED = 0x40 };
    const unsigned kind = byte(reader);
    const uint64_t flags = number(reader);
    if (kind == 3) {
        (void)number(reader);
        return;
    }
    if (kind == 1) {
        prefixed(reader);
        for (int i = 0; i < 3 && !(flags & UNDEFINED); i++)
            (void)number(reader);
        return;
    }
    (void)number(reader);
    if (!(flags & UNDEFINED) || flags & NAMED) prefixed(reader);
}

/* A relocation: its kind, its place, what it names; those kinds that are in `added` have an addend,
 * too. */
static void read_relocation(pare_chunk_reader *reader)
{
    static const unsigned char added[] = {3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23, 25};
    const unsigned kind = byte(reader);
    (void)number(reader);
    (void)number(reader);
    if (memchr(added, (int)kind, sizeof added)) (void)number(reader);
}

/* ---- lists -------------------------------------------------------------------------------- */

/* The end of the list that `code` begins: after its closing bracket. */
static const char *behind(const char *code)
{
    const char *end = strchr(code, ')');
    return end ? end + 1 : code + strlen(code);
}

/* Reads one part of an entry by its letter, all but lists. */
static void read_part(pare_chunk_reader *reader, char part)
{
    switch (part) {
    case 'b': (void)byte(reader); break;
    case 'u': (void)number(reader); break;
    case 's': prefixed(reader); break;
    case 'l': read_limits(reader); break;
    case 'x': read_expression(reader); break;
    case 'i': read_import(reader); break;
    case 'e': read_elements(reader); break;
    case 'd': read_data(reader); break;
    case 'y': read_symbol(reader); break;
    case 'r': read_relocation(reader); break;
    default: break;
    }
}

/* Reads a count and as many entries, each of which becomes a chunk of `chunk`, and notes the count.
 * If one cannot be read, those before it stay, and the count is noted all the same: it is wrong by
 * a constant. */
static void read_flat_list(pare_chunk_reader *reader, uint32_t chunk, const char *code)
{
    const uint32_t at = reader->at;
    uint64_t n = number(reader);
    for (; n && pare_chunk_reader_ok(reader); n--) {
        const uint32_t from = reader->at;
        for (const char *part = code; *part && *part != ')'; part++)
            read_part(reader, *part);
        if (!pare_chunk_reader_ok(reader)) break;
        if (pare_chunk_reader_chunk(reader, chunk, from, reader->at) == PARE_NO_CHUNK) break;
    }
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                        .coding = PARE_CODING_LEB,
                                                        .at = at,
                                                        .chunk = chunk});
}

/* A list in an entry: a chunk in which entries may go, and which stays itself. It reaches to the
 * reader's end until it was read, so that its entries fit into it. */
static void read_inner_list(pare_chunk_reader *reader, uint32_t entry, const char *code)
{
    const uint32_t from = reader->at;
    uint32_t list = pare_chunk_reader_chunk(reader, entry, from, reader->end);
    if (list == PARE_NO_CHUNK) {
        reader->bad = true;
        return;
    }
    reader->tree->chunks[list].fixed = true;
    read_flat_list(reader, list, code);
    reader->tree->chunks[list].to = reader->tree->chunks[list].body_to = reader->at;
    reader->tree->chunks[list].known = true;
}

/* Reads one entry, and makes it a chunk; false: it could not be read, or is empty, and no others
 * follow. */
static bool read_entry(pare_chunk_reader *reader, uint32_t chunk, const char *code)
{
    const uint32_t from = reader->at;
    const uint32_t entry = pare_chunk_reader_chunk(reader, chunk, from, reader->end);
    if (entry == PARE_NO_CHUNK) return false;
    for (const char *part = code; *part; part++) {
        if (*part == '(') {
            read_inner_list(reader, entry, part + 1);
            part = behind(part) - 1;
        } else {
            read_part(reader, *part);
        }
    }
    pare_chunk *made = &reader->tree->chunks[entry];
    /* An entry that could not be read takes everything after it along. */
    made->to = made->body_to = pare_chunk_reader_ok(reader) ? reader->at : reader->end;
    made->known = true;
    return pare_chunk_reader_ok(reader) && reader->at > from;
}

/* Reads the list of a section: a count, and entries one after the other.
 *
 * 03   02   01 00     section 3, two bytes: one function, of type 0
 * 0a   05   01   03 00 01 0b     section 10: one body of three bytes: no variables, nop, end */
static pare_status read_list(const pare_chunk_reader *outer, uint32_t chunk, uint32_t from,
                             const char *code)
{
    pare_chunk_reader reader = *outer;
    reader.at = from;
    reader.end = outer->tree->chunks[chunk].to;
    if (strchr(code, '*')) {
        for (; *code; code++)
            read_part(&reader, *code);
        return reader.status;
    }
    uint64_t n = number(&reader);
    if (reader.bad) return reader.status;
    while (n-- && reader.at < reader.end && read_entry(&reader, chunk, code)) {
    }
    pare_chunk_reader_field(&reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                         .coding = PARE_CODING_LEB,
                                                         .at = from,
                                                         .chunk = chunk});
    return reader.status;
}

/* ---- sections ----------------------------------------------------------------------------- */

/* Reads an identity and a length, and makes all that these describe a chunk of `parent`; *body is
 * where the content begins. PARE_NO_CHUNK: it does not fit. The reader stands behind the content.
 */
static uint32_t read_head(pare_chunk_reader *reader, uint32_t parent, unsigned *id, uint32_t *body)
{
    const uint32_t from = reader->at;
    *id = byte(reader);
    const uint32_t at = reader->at;
    const uint64_t n = number(reader);
    *body = reader->at;
    pare_chunk_reader_skip(reader, n);
    if (reader->bad) return PARE_NO_CHUNK;
    const uint32_t chunk = pare_chunk_reader_chunk(reader, parent, from, reader->at);
    if (chunk == PARE_NO_CHUNK) return chunk;
    reader->tree->chunks[chunk].known = true;
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                        .coding = PARE_CODING_LEB,
                                                        .at = at,
                                                        .from = *body,
                                                        .to = reader->at});
    return chunk;
}

/* Whether the name begins like that of the row: "reloc." stands for "reloc.CODE" and others. */
static bool is_name(const struct section *row, const char *name)
{
    return strncmp(row->name, name, strlen(row->name)) == 0;
}

/* The sections in a custom one, from the reader's place on. */
static void read_parts(pare_chunk_reader *reader, uint32_t parent, const char *name)
{
    while (pare_chunk_reader_ok(reader) && reader->at < reader->end) {
        unsigned id;
        uint32_t body;
        const uint32_t chunk = read_head(reader, parent, &id, &body);
        if (chunk == PARE_NO_CHUNK) return;
        for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
            if (PARTS[i].id == id && is_name(&PARTS[i], name) && !reader->status)
                reader->status = read_list(reader, chunk, body, PARTS[i].entries);
    }
}

/* A custom section: its name says what it is. Names of 32 bytes and more are none that are known.
 * "linking" has a version, "reloc." the number of a section, before the content. */
static void read_custom(const pare_chunk_reader *outer, uint32_t chunk, uint32_t body,
                        pare_status *status)
{
    char name[MOST_NAME] = {0};
    pare_chunk_reader reader = *outer;
    reader.at = body;
    reader.end = outer->tree->chunks[chunk].to;
    const uint64_t n = pare_chunk_reader_peek(&reader, PARE_CODING_LEB, 0, 0);
    prefixed(&reader);
    if (!pare_chunk_reader_ok(&reader) || n >= sizeof name) {
        *status = reader.status;
        return;
    }
    memcpy(name, reader.tree->bytes + reader.at - n, (size_t)n);
    if (strcmp(name, "linking") == 0 || strncmp(name, "reloc.", 6) == 0) (void)number(&reader);
    for (size_t i = 0; i < sizeof SECTIONS / sizeof *SECTIONS && !reader.status; i++)
        if (SECTIONS[i].name && is_name(&SECTIONS[i], name))
            reader.status = read_list(&reader, chunk, reader.at, SECTIONS[i].entries);
    if (strcmp(name, "linking") == 0 || strcmp(name, "name") == 0) read_parts(&reader, chunk, name);
    *status = reader.status;
}

/* ---- functions ---------------------------------------------------------------------------- */

/* Identities of sections; and the kind of an import or export that is a function. */
enum { IMPORTS = 2, FUNCTIONS = 3, EXPORTS = 7, CODE = 10, N_IDS = 14, FUNCTION = 0 };

/* Exports times functions, at most: so often is counted when the file is read. */
enum { MOST_COUNTED = 1 << 26 };

/* A function is an entry of two lists, its type and its code: neither goes without the other. If
 * the lists are of different lengths, one of them could not be read, and nothing is paired. */
static void pair_functions(pare_chunk_tree *tree, uint32_t types, uint32_t codes)
{
    if (types == PARE_NO_CHUNK || codes == PARE_NO_CHUNK) return;
    uint32_t type = tree->chunks[types].first, code = tree->chunks[codes].first;
    if (tree->chunks[types].n_children != tree->chunks[codes].n_children) return;
    while (type != PARE_NO_CHUNK) {
        tree->chunks[type].twin = code;
        tree->chunks[code].twin = type;
        type = tree->chunks[type].next;
        code = tree->chunks[code].next;
    }
}

/* A reader of the entry `chunk`, behind the `n` strings that it begins with. */
static pare_chunk_reader behind_strings(const pare_chunk_reader *reader, uint32_t chunk, unsigned n)
{
    pare_chunk_reader entry = *reader;
    entry.bad = false;
    entry.at = reader->tree->chunks[chunk].from;
    entry.end = reader->tree->chunks[chunk].to;
    while (n--)
        pare_chunk_reader_skip(&entry, number(&entry));
    return entry;
}

/* How many functions are imported. They have the lowest numbers, before those of the module. */
static uint64_t count_imported(const pare_chunk_reader *reader, uint32_t imports)
{
    const pare_chunk *chunks = reader->tree->chunks;
    uint64_t n = 0;
    if (imports == PARE_NO_CHUNK) return 0;
    for (uint32_t i = chunks[imports].first; i != PARE_NO_CHUNK; i = chunks[i].next) {
        pare_chunk_reader entry = behind_strings(reader, i, 2);
        n += byte(&entry) == FUNCTION && pare_chunk_reader_ok(&entry);
    }
    return n;
}

/* Exports of functions: the number counts the functions before the named one. Imported ones come
 * before all and are no entries of the list that is counted, so their number is in the bias.
 * Without function 3 an export of 5 is one of 4. Exports of imported functions stay as they are. */
static void read_exports(pare_chunk_reader *reader, const uint32_t *sections)
{
    const uint32_t exports = sections[EXPORTS], types = sections[FUNCTIONS];
    if (exports == PARE_NO_CHUNK || types == PARE_NO_CHUNK) return;
    const pare_chunk_tree *tree = reader->tree;
    const uint64_t n_exports = tree->chunks[exports].n_children;
    if (n_exports * tree->chunks[types].n_children > MOST_COUNTED) return;
    const uint64_t n_imports = count_imported(reader, sections[IMPORTS]);
    for (uint32_t i = tree->chunks[exports].first; i != PARE_NO_CHUNK; i = tree->chunks[i].next) {
        pare_chunk_reader entry = behind_strings(reader, i, 1);
        if (byte(&entry) != FUNCTION) continue;
        const uint32_t at = entry.at;
        uint64_t index = number(&entry);
        if (!pare_chunk_reader_ok(&entry) || index < n_imports) continue;
        uint32_t type = tree->chunks[types].first;
        for (index -= n_imports; index && type != PARE_NO_CHUNK; index--)
            type = tree->chunks[type].next;
        if (type == PARE_NO_CHUNK) continue;
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_INDEX,
                                                            .coding = PARE_CODING_LEB,
                                                            .at = at,
                                                            .from = tree->chunks[type].from,
                                                            .to = tree->chunks[type].from,
                                                            .chunk = types});
    }
}

bool pare_chunk_wasm_is(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    return to - from > HEADER_BYTES && memcmp(tree->bytes + from, "\0asm", 4) == 0;
}

/* A module is "\0asm", a version, and sections. Reading ends at the first section that does not
 * fit; those before it are kept. Functions are paired once both lists are there. */
pare_status pare_chunk_wasm_read(pare_chunk_tree *tree, uint32_t chunk, uint32_t from, uint32_t to,
                                 bool *found, pare_error *err)
{
    pare_chunk_reader reader = {.tree = tree, .at = from + HEADER_BYTES, .end = to, .err = err};
    uint32_t sections[N_IDS];
    for (unsigned i = 0; i < N_IDS; i++)
        sections[i] = PARE_NO_CHUNK;
    *found = false;
    while (pare_chunk_reader_ok(&reader) && reader.at < to) {
        unsigned id;
        uint32_t body;
        const uint32_t section = read_head(&reader, chunk, &id, &body);
        if (section == PARE_NO_CHUNK) break;
        *found = true;
        if (id < N_IDS) sections[id] = section;
        for (size_t i = 0; i < sizeof SECTIONS / sizeof *SECTIONS && !reader.status; i++)
            if (!SECTIONS[i].name && SECTIONS[i].id == id)
                reader.status = read_list(&reader, section, body, SECTIONS[i].entries);
        if (id == 0 && !reader.status) read_custom(&reader, section, body, &reader.status);
    }
    pair_functions(tree, sections[FUNCTIONS], sections[CODE]);
    reader.bad = false;
    if (!reader.status) read_exports(&reader, sections);
    return reader.status;
}
