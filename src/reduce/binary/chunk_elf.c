/* Chunks of an ELF file, of 32 or 64 bits and either byte order.
 *
 * A section goes with its header in the table of sections; those behind it are named by a lower number
 * then, in links, symbols and the file's header.  Symbols go from their table, and relocations name
 * those behind by a lower number; names are strings, told by their positions.
 * A file is only taken as ELF if sections and table lie in it without overlaps; what of it is not as it
 * should be (a table whose size is no multiple of its rows') is one chunk.
 * Numbers in debugging information, in groups of sections and in hash tables stay as they are.
 * Invariant: a number that is read is within the file before anything is noted about it.
 * Source: the System V ABI, chapters 4 and 5.  Tested by tests/unit/test_chunk_elf.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    MOST_COUNTED = 1 << 26, /* numbers times what they count: steps when the file is read */
    MOST_FILL = 16,         /* bytes between sections that go with the one before */
    NO_SECTION = 0xff00     /* and above: numbers of sections that are none */
};

enum type {
    EMPTY = 0,
    SYMBOLS = 2,
    STRINGS = 3,
    ADDENDS = 4,
    NO_BITS = 8,
    PLAIN = 9,
    DYNAMIC = 11
};

/* The offsets of numbers in a file's header, a section's header and a symbol; `word` is the width
 * of addresses and positions in bytes. */
struct places {
    uint32_t word, header, table, entry_size, section;
    uint32_t offset, size, link, info; /* in a section's header */
    uint32_t symbol, symbol_section, relocation, relocation_addend;
};

static const struct places NARROW = {.word = 4,
                                     .header = 52,
                                     .table = 32,
                                     .entry_size = 46,
                                     .section = 40,
                                     .offset = 16,
                                     .size = 20,
                                     .link = 24,
                                     .info = 28,
                                     .symbol = 16,
                                     .symbol_section = 14,
                                     .relocation = 8,
                                     .relocation_addend = 12};
static const struct places WIDE = {.word = 8,
                                   .header = 64,
                                   .table = 40,
                                   .entry_size = 58,
                                   .section = 64,
                                   .offset = 24,
                                   .size = 32,
                                   .link = 40,
                                   .info = 44,
                                   .symbol = 24,
                                   .symbol_section = 6,
                                   .relocation = 16,
                                   .relocation_addend = 24};

/* A section, or (as the last one) the table of them. `from` and `to` are 0 if it has no bytes in
 * the file. */
struct section {
    uint32_t number, type;
    uint32_t from, to;
    uint32_t link, info;
    uint32_t chunk;
    bool has_rows; /* which are its chunk's children */
};

struct elf {
    pare_chunk_reader reader;
    const struct places *places;
    pare_coding coding;
    uint32_t table, n, names; /* where headers stand, how many, and which section has their names */
    uint32_t table_chunk;
    uint64_t n_counted;
    struct section *sections; /* owned, n + 1 of them */
    struct section *sorted;   /* owned, as many: those that have bytes, by place */
};

/* A number within the file; 0 if it is not. */
static uint64_t number_at(const struct elf *elf, uint32_t at, uint32_t width)
{
    const pare_chunk_tree *tree = elf->reader.tree;
    if (at > tree->size || width > tree->size - at) return 0;
    return pare_chunk_coding_read(elf->coding, width, tree->bytes + at, width).value;
}

static uint32_t header_of(const struct elf *elf, uint32_t section)
{
    return elf->table + section * elf->places->section;
}

/* ---- whether it is one ------------------------------------------------------------------ */

/* Reads the file's header; false: this is not ELF with a table of sections in the file.
 *
 *                      32 bits   64 bits
 * 7f 45 4c 46             0         0       "\177ELF"
 * class                   4         4       1: 32 bits, 2: 64
 * byte order              5         5       1: little-endian, 2: big-endian
 * table of sections      32        40       its position
 * size of a row          46        58       40, 64; then how many rows, and the section of names */
static bool read_header(struct elf *elf)
{
    const pare_chunk_tree *tree = elf->reader.tree;
    const unsigned char *bytes = tree->bytes;
    if (tree->size < NARROW.header || memcmp(bytes, "\177ELF", 4) != 0) return false;
    if (bytes[4] < 1 || bytes[4] > 2 || bytes[5] < 1 || bytes[5] > 2) return false;
    elf->places = bytes[4] == 1 ? &NARROW : &WIDE;
    elf->coding = bytes[5] == 1 ? PARE_CODING_LITTLE : PARE_CODING_BIG;
    const uint64_t table = number_at(elf, elf->places->table, elf->places->word);
    elf->n = (uint32_t)number_at(elf, elf->places->entry_size + 2, 2);
    elf->names = (uint32_t)number_at(elf, elf->places->entry_size + 4, 2);
    if (number_at(elf, elf->places->entry_size, 2) != elf->places->section) return false;
    if (elf->n < 2 || elf->n >= NO_SECTION || elf->names >= elf->n) return false;
    if (table < elf->places->header || table > tree->size) return false;
    elf->table = (uint32_t)table;
    return elf->n <= (tree->size - elf->table) / elf->places->section;
}

/* Reads the headers of sections; false: one is not in the file. A section of no bytes (type 0, or
 * 8, as .bss is) keeps a position that means nothing, and is not checked. */
static bool read_sections(struct elf *elf)
{
    const uint32_t size = elf->reader.tree->size, word = elf->places->word;
    for (uint32_t i = 0; i < elf->n; i++) {
        const uint32_t at = header_of(elf, i);
        struct section *section = &elf->sections[i];
        const uint64_t from = number_at(elf, at + elf->places->offset, word);
        const uint64_t bytes = number_at(elf, at + elf->places->size, word);
        *section = (struct section){.number = i,
                                    .type = (uint32_t)number_at(elf, at + 4, 4),
                                    .link = (uint32_t)number_at(elf, at + elf->places->link, 4),
                                    .info = (uint32_t)number_at(elf, at + elf->places->info, 4),
                                    .chunk = PARE_NO_CHUNK};
        if (section->type == EMPTY || section->type == NO_BITS) continue;
        if (from > size || bytes > size - from) return false;
        section->from = (uint32_t)from;
        section->to = (uint32_t)(from + bytes);
    }
    elf->sections[elf->n] = (struct section){
        .number = elf->n, .from = elf->table, .to = header_of(elf, elf->n), .chunk = PARE_NO_CHUNK};
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct section *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Puts those that have bytes into `sorted`, by place; returns how many, 0 where two overlap or one
 * lies in the file's header. The table of sections is among them. */
static uint32_t sort_sections(struct elf *elf)
{
    uint32_t n = 0, last = elf->places->header;
    for (uint32_t i = 0; i <= elf->n; i++)
        if (elf->sections[i].from < elf->sections[i].to) elf->sorted[n++] = elf->sections[i];
    qsort(elf->sorted, n, sizeof *elf->sorted, by_place);
    for (uint32_t i = 0; i < n; i++) {
        if (elf->sorted[i].from < last) return 0;
        last = elf->sorted[i].to;
    }
    return n;
}

/* ---- rows and strings ------------------------------------------------------------------- */

/* Rows of equal size as children of the section's chunk. If the last one would not be whole, there
 * are none; if there is no more room for chunks, has_rows stays false and no number of a row is
 * noted. */
static void add_rows(struct elf *elf, struct section *section, uint32_t bytes)
{
    pare_chunk_tree *tree = elf->reader.tree;
    if ((section->to - section->from) % bytes) return;
    for (uint32_t at = section->from; at < section->to; at += bytes) {
        const uint32_t row = pare_chunk_reader_chunk(&elf->reader, section->chunk, at, at + bytes);
        if (row == PARE_NO_CHUNK) return;
        tree->chunks[row].known = tree->chunks[row].solid = true;
    }
    section->has_rows = true;
}

/* Strings up to a NUL each; the first one is empty and stays, because a name of 0 means none. Bytes
 * of the others may go, too: numbers name strings by position, and are corrected. */
static void add_strings(struct elf *elf, struct section *section)
{
    pare_chunk_tree *tree = elf->reader.tree;
    uint32_t from = section->from;
    for (uint32_t at = from; at < section->to; at++) {
        if (tree->bytes[at]) continue;
        const uint32_t string = pare_chunk_reader_chunk(&elf->reader, section->chunk, from, at + 1);
        if (string == PARE_NO_CHUNK) return;
        tree->chunks[string].known = true;
        tree->chunks[string].fixed = at == section->from;
        tree->chunks[string].solid = at == section->from;
        from = at + 1;
    }
}

/* Opens a section according to its type: symbols, relocations and strings have rows; others are
 * bytes that may be looked into. The first symbol is a row of zeros that must be there. */
static void open_section(struct elf *elf, struct section *section)
{
    const struct places *places = elf->places;
    switch (section->type) {
    case SYMBOLS:
    case DYNAMIC: add_rows(elf, section, places->symbol); break;
    case ADDENDS: add_rows(elf, section, places->relocation_addend); break;
    case PLAIN: add_rows(elf, section, places->relocation); break;
    case STRINGS: add_strings(elf, section); break;
    default: return;
    }
    pare_chunk *chunk = &elf->reader.tree->chunks[section->chunk];
    chunk->known = true;
    if (section->has_rows && chunk->first != PARE_NO_CHUNK &&
        (section->type == SYMBOLS || section->type == DYNAMIC))
        elf->reader.tree->chunks[chunk->first].fixed = true;
}

/* Adds a section, or the table, with the few bytes behind it that only fill up to the next one
 * (`next`): these go with it. The body, into which others look, is without them. */
static void add_section(struct elf *elf, uint32_t index, uint32_t next)
{
    struct section *section = &elf->sections[index];
    const uint32_t to = next - section->to < MOST_FILL ? next : section->to;
    section->chunk = pare_chunk_reader_chunk(&elf->reader, 0, section->from, to);
    if (section->chunk == PARE_NO_CHUNK) return;
    pare_chunk *chunk = &elf->reader.tree->chunks[section->chunk];
    chunk->body_to = section->to;
    if (index < elf->n) {
        open_section(elf, section);
        return;
    }
    chunk->fixed = chunk->known = chunk->solid = true;
    add_rows(elf, section, elf->places->section);
    elf->table_chunk = section->chunk;
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* The number of a row of `section` stands at `at`: it is corrected when rows before it go. A number
 * equal to the count of rows is allowed (the first global symbol, where there is none). Each number
 * costs up to as many steps as there are rows, so all of them together are bounded by MOST_COUNTED.
 */
static void note_index(struct elf *elf, const struct section *section, uint32_t at, uint32_t width)
{
    const pare_chunk_tree *tree = elf->reader.tree;
    if (!section->has_rows || section->chunk == PARE_NO_CHUNK) return;
    const pare_chunk *chunk = &tree->chunks[section->chunk];
    const uint32_t bytes = (section->to - section->from) / chunk->n_children;
    const uint64_t index = number_at(elf, at, width);
    elf->n_counted += chunk->n_children;
    if (index > chunk->n_children || elf->n_counted > MOST_COUNTED) return;
    const uint32_t to = section->from + (uint32_t)index * bytes;
    pare_chunk_reader_field(&elf->reader, &(pare_chunk_field){.number = PARE_NUMBER_INDEX,
                                                              .coding = elf->coding,
                                                              .width = width,
                                                              .at = at,
                                                              .from = to,
                                                              .to = to,
                                                              .chunk = section->chunk});
}

/* The bytes from .. to, or those between them, have a number at `at`. */
static void note(struct elf *elf, pare_chunk_number number, uint32_t at, uint32_t width,
                 uint32_t from, uint32_t to)
{
    pare_chunk_reader_field(&elf->reader, &(pare_chunk_field){.number = number,
                                                              .coding = elf->coding,
                                                              .width = width,
                                                              .at = at,
                                                              .from = from,
                                                              .to = to});
}

/* A name: a position in a section of strings. It need not be the begin of one: "bar" may be named
 * within "foobar". 0 is no name. */
static void note_name(struct elf *elf, uint32_t strings, uint32_t at)
{
    if (strings >= elf->n || elf->sections[strings].type != STRINGS) return;
    const struct section *section = &elf->sections[strings];
    const uint64_t name = number_at(elf, at, 4);
    if (!name || name >= section->to - section->from) return;
    note(elf, PARE_NUMBER_POSITION, at, 4, section->from, section->from + (uint32_t)name);
}

/* The numbers of a section's header: its name, the section that it belongs to (`link`; of
 * relocations `info` is the one they apply to), of symbols the first that is not local (`info`),
 * position and size. */
static void note_header(struct elf *elf, const struct section *section)
{
    const struct places *places = elf->places;
    const uint32_t at = header_of(elf, section->number);
    const struct section *headers = &elf->sections[elf->n];
    note_name(elf, elf->names, at);
    if (section->link) note_index(elf, headers, at + places->link, 4);
    if (section->info && (section->type == ADDENDS || section->type == PLAIN))
        note_index(elf, headers, at + places->info, 4);
    if (section->type == SYMBOLS || section->type == DYNAMIC)
        note_index(elf, section, at + places->info, 4);
    const uint64_t from = number_at(elf, at + places->offset, places->word);
    if (from && from <= elf->reader.tree->size)
        note(elf, PARE_NUMBER_POSITION, at + places->offset, places->word, 0, (uint32_t)from);
    if (section->from < section->to)
        note(elf, PARE_NUMBER_LENGTH, at + places->size, places->word, section->from, section->to);
}

/* The numbers in a section's rows: of a symbol its name and its section; of a relocation its
 * symbol. */
static void note_rows(struct elf *elf, const struct section *section)
{
    const struct places *places = elf->places;
    const bool symbols = section->type == SYMBOLS || section->type == DYNAMIC;
    if (!section->has_rows) return;
    const uint32_t n = elf->reader.tree->chunks[section->chunk].n_children;
    const uint32_t bytes = (section->to - section->from) / n;
    assert(bytes);
    for (uint32_t at = section->from; at < section->to; at += bytes) {
        if (symbols) {
            const uint64_t own = number_at(elf, at + places->symbol_section, 2);
            note_name(elf, section->link, at);
            if (own && own < NO_SECTION)
                note_index(elf, &elf->sections[elf->n], at + places->symbol_section, 2);
        } else if (section->link < elf->n) {
            /* The symbol's number takes 24 bits of a word of 32, or 32 of 64; where they are
             * depends on the byte order. */
            const bool little = elf->coding == PARE_CODING_LITTLE, wide = places == &WIDE;
            const uint32_t behind = !little ? 0 : wide ? 4 : 1;
            note_index(elf, &elf->sections[section->link], at + places->word + behind,
                       wide ? 4 : 3);
        }
    }
}

/* Each section goes together with its header: they are twins. The first header belongs to no
 * section and stays. Rows and sections are in the same order, so both are walked at once. */
static void pair_sections(struct elf *elf)
{
    pare_chunk *chunks = elf->reader.tree->chunks;
    uint32_t row = chunks[elf->table_chunk].first;
    for (uint32_t i = 0; row != PARE_NO_CHUNK && i < elf->n; i++, row = chunks[row].next) {
        const uint32_t chunk = elf->sections[i].chunk;
        chunks[row].fixed = i == 0;
        if (chunk == PARE_NO_CHUNK) continue;
        chunks[row].twin = chunk;
        chunks[chunk].twin = row;
    }
}

/* Notes all numbers: the position of the table, how many rows it has, which one is that of the
 * section names, then what each section says. */
static void note_all(struct elf *elf)
{
    const struct places *places = elf->places;
    const struct section *headers = &elf->sections[elf->n];
    note(elf, PARE_NUMBER_POSITION, places->table, places->word, 0, elf->table);
    pare_chunk_reader_field(&elf->reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                              .coding = elf->coding,
                                                              .width = 2,
                                                              .at = places->entry_size + 2,
                                                              .chunk = elf->table_chunk});
    note_index(elf, headers, places->entry_size + 4, 2);
    for (uint32_t i = 0; i < elf->n; i++) {
        note_header(elf, &elf->sections[i]);
        note_rows(elf, &elf->sections[i]);
    }
}

/* Adds the sections, which do not overlap, and their numbers. */
static void add_all(struct elf *elf, bool *found)
{
    const uint32_t n = sort_sections(elf);
    for (uint32_t i = 0; i < n; i++)
        add_section(elf, elf->sorted[i].number,
                    i + 1 < n ? elf->sorted[i + 1].from : elf->reader.tree->size);
    *found = n > 0;
    if (elf->table_chunk == PARE_NO_CHUNK || !elf->sections[elf->n].has_rows) return;
    pair_sections(elf);
    note_all(elf);
}

pare_status pare_chunk_elf_read(pare_chunk_tree *tree, bool *found, pare_error *err)
{
    struct elf elf = {.reader = {.tree = tree, .end = tree->size, .err = err},
                      .table_chunk = PARE_NO_CHUNK};
    if (!read_header(&elf)) return PARE_OK;
    elf.sections = pare_alloc((size_t)elf.n + 1, sizeof *elf.sections);
    elf.sorted = pare_alloc((size_t)elf.n + 1, sizeof *elf.sorted);
    if (!elf.sections || !elf.sorted)
        elf.reader.status = pare_fail_nomem(err);
    else if (read_sections(&elf))
        add_all(&elf, found);
    pare_alloc_free(elf.sections);
    pare_alloc_free(elf.sorted);
    return elf.reader.status;
}
