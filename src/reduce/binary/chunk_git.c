/* Chunks of git's index: entries, extensions, and the SHA-1 of all before it at the end.
 *
 * An entry is a file: 62 bytes, two more in some, its name, and zeros up to a multiple of eight.  How many
 * there are stands at the begin.  An extension has a tag, a length and a body.  The SHA-1 is three numbers, as
 * numbers have at most eight bytes.
 * Invariant: nothing is noted unless the SHA-1 is right.
 * Not found: version 4, in which a name begins as the one before it does; packs.
 * Source: git's Documentation/gitformat-index.txt.  Tested by tests/unit/test_chunk_git.c. */
#include <string.h>

#include "base/fail.h"
#include "base/sha1.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    HEAD = 12,
    COUNT_AT = 8,
    FLAGS_AT = 60, /* in an entry */
    NAME_AT = 62,
    ALIGN = 8,
    TAG = 4
};

/* The end of the entry at `from`; 0: it is none.
 *
 * 0   40  times, device, inode, mode, owner, size
 * 40  20  SHA-1 of the content
 * 60  2   flags; 0x4000: two more bytes follow
 * 62  n   the name, and zeros, so that the entry has a multiple of 8 bytes
 *
 * Zeros fill up to the next multiple of eight even if the name ends at one: there is a 0 always. */
static uint32_t entry_end(const pare_chunk_tree *tree, uint32_t from, uint32_t end)
{
    if (end - from <= NAME_AT) return 0;
    const unsigned char *entry = tree->bytes + from;
    const uint32_t name = NAME_AT + (entry[FLAGS_AT] & 0x40 ? 2U : 0);
    if (end - from <= name) return 0;
    const unsigned char *zero = memchr(entry + name, 0, end - from - name);
    if (!zero) return 0;
    const uint32_t size = ((uint32_t)(zero - entry) + ALIGN) / ALIGN * ALIGN;
    return size > end - from ? 0 : from + size;
}

/* Notes the SHA-1 at `at` of all bytes before it, as numbers of 8, 8 and 4 bytes. They are written
 * after all others. */
static void add_sum(pare_chunk_reader *reader, uint32_t at)
{
    for (uint32_t part = 0; part * 8 < PARE_SHA1_BYTES; part++)
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_SHA1,
                                                            .coding = PARE_CODING_BIG,
                                                            .width = part < 2 ? 8 : 4,
                                                            .at = at + 8 * part,
                                                            .from = 0,
                                                            .to = at,
                                                            .unit = part});
}

/* Notes entries and extensions up to `end`. The list of entries stays, each entry goes with the
 * count. If one of them is not as it should be, nothing is noted but the checksum. An extension
 * goes as a whole; what is in it is looked into like any other chunk.
 *
 * "DIRC" version count | entries ... | "TREE" length body | ... | SHA-1 */
static void add_parts(pare_chunk_reader *reader, uint32_t end)
{
    pare_chunk_tree *tree = reader->tree;
    const uint64_t n = pare_chunk_reader_peek(reader, PARE_CODING_BIG, COUNT_AT, 4);
    uint32_t at = HEAD;
    for (uint64_t i = 0; i < n; i++)
        /* A count that is too large ends here, at the first byte that is no entry. */
        if (!(at = entry_end(tree, at, end))) return;
    const uint32_t all = pare_chunk_reader_chunk(reader, 0, HEAD, at);
    if (all != PARE_NO_CHUNK) {
        tree->chunks[all].known = tree->chunks[all].fixed = tree->chunks[all].solid = true;
        for (uint32_t from = HEAD, to; from < at; from = to) {
            to = entry_end(tree, from, end);
            const uint32_t entry = pare_chunk_reader_chunk(reader, all, from, to);
            if (entry == PARE_NO_CHUNK) return;
            tree->chunks[entry].known = tree->chunks[entry].solid = true;
        }
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                            .coding = PARE_CODING_BIG,
                                                            .width = 4,
                                                            .at = COUNT_AT,
                                                            .chunk = all});
    }
    for (reader->at = at; pare_chunk_reader_ok(reader) && end - reader->at > TAG;) {
        const uint32_t from = reader->at;
        pare_chunk_reader_skip(reader, TAG);
        const uint32_t length_at = reader->at;
        pare_chunk_reader_skip(reader, pare_chunk_reader_number(reader, PARE_CODING_BIG, 4));
        if (!pare_chunk_reader_ok(reader) || reader->at > end) return;
        const uint32_t part = pare_chunk_reader_chunk(reader, 0, from, reader->at);
        if (part == PARE_NO_CHUNK) return;
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                            .coding = PARE_CODING_BIG,
                                                            .width = 4,
                                                            .at = length_at,
                                                            .from = length_at + 4,
                                                            .to = reader->at});
    }
}

pare_status pare_chunk_git_read(pare_chunk_tree *tree, bool *found, pare_error *err)
{
    uint8_t digest[PARE_SHA1_BYTES];
    *found = false;
    if (tree->size < HEAD + PARE_SHA1_BYTES || memcmp(tree->bytes, "DIRC\0\0\0", 7) != 0 ||
        (tree->bytes[7] != 2 && tree->bytes[7] != 3))
        return PARE_OK;
    const uint32_t end = tree->size - PARE_SHA1_BYTES;
    pare_sha1(tree->bytes, end, digest);
    if (memcmp(digest, tree->bytes + end, PARE_SHA1_BYTES) != 0) return PARE_OK;
    pare_chunk_reader reader = {.tree = tree, .end = end, .err = err};
    *found = true;
    add_parts(&reader, end);
    add_sum(&reader, end);
    return reader.status;
}
