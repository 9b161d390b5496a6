/* Catalogues of messages, as gettext's msgfmt writes them (.mo): a message goes with its translation.
 *
 * Numbers of four bytes in either order: magic, revision, how many messages there are, where the table of messages
 * and that of translations are, how many entries the table of hashes has, and where it is.  An entry of the first
 * two is the length of a text, without its NUL, and its place.
 *
 * de 12 04 95 | 00.. | N | table | table | n hashes | hashes;  entries;  entries;  hashes;  texts;  texts
 *
 * The two entries and the two texts of a message are twins.  The table of hashes goes as a whole: readers search
 * the messages, which are sorted, without one.
 * Invariant: nothing is noted unless tables and texts follow each other in this order.
 * Source: GNU gettext's manual, The Format of GNU MO Files.  Tested by tests/unit/test_chunk_mo.c. */
#include "reduce/binary/chunk_formats.h"

#include <string.h>

#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum { WORD = 4, HEAD = 28, ENTRY = 8, COUNT_AT = 8, TABLES_AT = 12, HASHES_AT = 20, LEAST = 2 };

/* What is found of a catalogue; positions are in the tree's bytes. */
struct catalogue {
    pare_chunk_reader reader;
    pare_coding coding;
    uint32_t begin, end, n;
    uint32_t tables[2]; /* of messages, of translations: where they are, */
    uint32_t rows[2];   /* and their chunks */
};

static uint64_t word_at(const struct catalogue *of, uint64_t at)
{
    return pare_chunk_coding_read(of->coding, WORD, of->reader.tree->bytes + at, WORD).value;
}

/* Whether the texts of a table follow each other behind *at, which moves behind the last one, with a NUL each. */
static bool has_texts(const struct catalogue *of, unsigned table, uint64_t *at)
{
    for (uint32_t i = 0; i < of->n; i++) {
        const uint64_t entry = of->tables[table] + (uint64_t)i * ENTRY;
        const uint64_t from = of->begin + word_at(of, entry + WORD);
        const uint64_t to = from + word_at(of, entry);
        if (from < *at || to >= of->end || of->reader.tree->bytes[to]) return false;
        *at = to + 1;
    }
    return true;
}

/* Reads the head; false: it is none, or something is in another order. *hashes: where their table is, *n_hashes
 * how many. */
static bool read_head(struct catalogue *of, uint64_t *hashes, uint64_t *n_hashes)
{
    const unsigned char *bytes = of->reader.tree->bytes + of->begin;
    if (of->end - of->begin < HEAD) return false;
    if (memcmp(bytes, "\xde\x12\x04\x95", WORD) == 0)
        of->coding = PARE_CODING_LITTLE;
    else if (memcmp(bytes, "\x95\x04\x12\xde", WORD) == 0)
        of->coding = PARE_CODING_BIG;
    else
        return false;
    const uint64_t n = word_at(of, of->begin + COUNT_AT), size = of->end - of->begin;
    const uint64_t first = word_at(of, of->begin + TABLES_AT);
    const uint64_t second = word_at(of, of->begin + TABLES_AT + WORD);
    *n_hashes = word_at(of, of->begin + HASHES_AT);
    *hashes = of->begin + word_at(of, of->begin + HASHES_AT + WORD);
    if (n < LEAST || n > size / ENTRY || first < HEAD || second < first + n * ENTRY ||
        second + n * ENTRY > size || *n_hashes > size / WORD)
        return false;
    of->n = (uint32_t)n;
    of->tables[0] = of->begin + (uint32_t)first;
    of->tables[1] = of->begin + (uint32_t)second;
    uint64_t at = of->tables[1] + n * ENTRY;
    if (*n_hashes && *hashes < at) return false;
    if (*n_hashes) at = *hashes + *n_hashes * WORD;
    return has_texts(of, 0, &at) && has_texts(of, 1, &at);
}

static void note(struct catalogue *of, pare_chunk_field field)
{
    field.coding = of->coding;
    field.width = WORD;
    pare_chunk_reader_field(&of->reader, &field);
}

/* Notes that the number at `at` is the position `to`. */
static void note_position(struct catalogue *of, uint32_t at, uint32_t to)
{
    note(of,
         (pare_chunk_field){.number = PARE_NUMBER_POSITION, .at = at, .from = of->begin, .to = to});
}

/* Adds a table that stays, with its entries as chunks; those of the second one are twins of the first one's. */
static void add_table(struct catalogue *of, uint32_t file, unsigned table)
{
    pare_chunk_tree *tree = of->reader.tree;
    const uint32_t from = of->tables[table];
    const uint32_t chunk = pare_chunk_reader_chunk(&of->reader, file, from, from + of->n * ENTRY);
    of->rows[table] = chunk;
    if (chunk == PARE_NO_CHUNK) return;
    tree->chunks[chunk].fixed = tree->chunks[chunk].known = tree->chunks[chunk].solid = true;
    uint32_t other =
        table && of->rows[0] != PARE_NO_CHUNK ? tree->chunks[of->rows[0]].first : PARE_NO_CHUNK;
    for (uint32_t i = 0; i < of->n; i++) {
        const uint32_t row =
            pare_chunk_reader_chunk(&of->reader, chunk, from + i * ENTRY, from + (i + 1) * ENTRY);
        if (row == PARE_NO_CHUNK) return;
        tree->chunks[row].known = tree->chunks[row].solid = true;
        if (other == PARE_NO_CHUNK) continue;
        pare_chunk_tree_link_twins(tree, other, row);
        other = tree->chunks[other].next;
    }
}

/* Adds the texts of a table, which are twins of its entries, and the numbers of these. */
static void add_texts(struct catalogue *of, uint32_t file, unsigned table)
{
    pare_chunk_tree *tree = of->reader.tree;
    if (of->rows[table] == PARE_NO_CHUNK) return;
    uint32_t row = tree->chunks[of->rows[table]].first;
    for (uint32_t i = 0; i < of->n && row != PARE_NO_CHUNK; i++) {
        const uint32_t entry = of->tables[table] + i * ENTRY;
        const uint32_t from = of->begin + (uint32_t)word_at(of, entry + WORD);
        const uint32_t to = from + (uint32_t)word_at(of, entry);
        note(of,
             (pare_chunk_field){.number = PARE_NUMBER_LENGTH, .at = entry, .from = from, .to = to});
        note_position(of, entry + WORD, from);
        const uint32_t text = pare_chunk_reader_chunk(&of->reader, file, from, to + 1);
        if (text == PARE_NO_CHUNK) return;
        tree->chunks[text].known = true;
        pare_chunk_tree_link_twins(tree, row, text);
        row = tree->chunks[row].next;
    }
}

pare_status pare_chunk_mo_read(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    const pare_chunk at = tree->chunks[chunk];
    struct catalogue of = {.reader = {.tree = tree, .at = at.body, .end = at.body_to, .err = err},
                           .begin = at.body,
                           .end = at.body_to};
    uint64_t hashes = 0, n_hashes = 0;
    *found = read_head(&of, &hashes, &n_hashes);
    if (!*found) return PARE_OK;
    add_table(&of, chunk, 0);
    add_table(&of, chunk, 1);
    const uint32_t from = (uint32_t)hashes, to = (uint32_t)(hashes + n_hashes * WORD);
    if (n_hashes) {
        const uint32_t table = pare_chunk_reader_chunk(&of.reader, chunk, from, to);
        if (table != PARE_NO_CHUNK) tree->chunks[table].known = tree->chunks[table].solid = true;
        note(&of, (pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                     .at = of.begin + HASHES_AT,
                                     .from = from,
                                     .to = to,
                                     .unit = WORD});
        note_position(&of, of.begin + HASHES_AT + WORD, from);
    }
    if (of.rows[0] != PARE_NO_CHUNK)
        note(&of, (pare_chunk_field){
                      .number = PARE_NUMBER_COUNT, .at = of.begin + COUNT_AT, .chunk = of.rows[0]});
    for (unsigned table = 0; table < 2; table++) {
        note_position(&of, of.begin + TABLES_AT + table * WORD, of.tables[table]);
        add_texts(&of, chunk, table);
    }
    return of.reader.status;
}
