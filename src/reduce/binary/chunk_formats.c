/* Chunks of formats that are known by their headers: members that are packed, archives, GIF, zoneinfo.
 *
 * What a run of lengths does not tell: that bytes are packed, that a member is mentioned in another
 * part of the file, that a number is written in digits.  A reader believes a header only if all of it
 * agrees: the packed bytes end where they should, the table of contents points to members.  If it does
 * not, nothing has been noted, and the search goes on with runs of lengths.
 * Sources: RFC 1950 to 1952 and 2781; the .xz file format; APPNOTE.TXT of PKWARE; POSIX for ar and tar; the GIF89a specification; RFC 8536.
 * Tested by tests/unit/test_chunk_formats.c. */
#include "reduce/binary/chunk_formats.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/vector.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_reader.h"
#include "text/packing.h"
#include "text/text.h"

static uint64_t little(const pare_chunk_tree *tree, uint32_t at, uint32_t width)
{
    if (at >= tree->size) return 0;
    return pare_chunk_coding_read(PARE_CODING_LITTLE, width, tree->bytes + at, tree->size - at)
        .value;
}

/* Whether the body of the chunk begins with these bytes. */
static bool begins(const pare_chunk_tree *tree, uint32_t chunk, const char *magic, uint32_t n)
{
    const pare_chunk *at = &tree->chunks[chunk];
    return at->body_to - at->body >= n && memcmp(tree->bytes + at->body, magic, n) == 0;
}

/* Packed bytes from .. to-1, without the header and trailer of their format where these are not
 * part of what the codec reads (gzip, zip: raw deflate; zlib and xz: all of it). */
struct packed {
    uint32_t from, to;
    pare_packing_codec codec;
};

/* Adds a child that is packed and stays; *child is it, PARE_NO_CHUNK if it cannot be unpacked. The
 * child is added first, for only a chunk can be unpacked. If that fails, it remains as bytes that
 * are known to hold no chunks: nothing guesses a layout in compressed data. */
static pare_status add_packed(pare_chunk_tree *tree, uint32_t chunk, struct packed packed,
                              uint32_t *child, pare_error *err)
{
    bool done = false;
    *child = PARE_NO_CHUNK;
    assert(packed.from < packed.to && packed.to <= tree->size);
    pare_status status = pare_chunk_tree_add(tree, chunk, packed.from, packed.to, child, err);
    if (status || *child == PARE_NO_CHUNK) return status;
    tree->chunks[*child].fixed = true;
    status = pare_chunk_tree_unpack(tree, *child, packed.codec, &done, err);
    if (done) return status;
    tree->chunks[*child].known = true;
    *child = PARE_NO_CHUNK;
    return status;
}

/* ---- zlib, xz, UTF-16 and gzip ---------------------------------------------------------------- */

/* How many bytes of the body the stream of zlib has with which it begins; 0: it begins with none. A
 * stream knows its end, which no length in its header tells, so it has to be unpacked to find out.
 */
static pare_status stream_size(pare_chunk_tree *tree, const pare_chunk *at, size_t *used,
                               pare_error *err)
{
    pare_buffer plain = {0};
    pare_status status = pare_chunk_tree_open(
        tree, PARE_PACKING_ZLIB, (pare_span){tree->bytes + at->body, at->body_to - at->body},
        &plain, used, err);
    pare_buffer_done(&plain);
    return status;
}

/* Opens a stream with which a body begins; what is behind it is a chunk of its own, and is looked
 * into as if it stood alone.
 *
 * 0   1   CMF: 8 in the low four bits (deflate), the window above
 * 1   1   FLG: makes CMF * 256 + FLG a multiple of 31 (78 9c, 78 01, 78 da)
 * 2   n   deflate
 *     4   Adler-32 of the plain bytes, which packing writes anew */
static pare_status read_zlib(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    const pare_chunk at = tree->chunks[chunk];
    const unsigned char *bytes = tree->bytes + at.body;
    uint32_t child, rest;
    size_t used = 0;
    bool done = false;
    if (at.body_to - at.body < 8 || (bytes[0] & 15) != 8 || (bytes[0] * 256 + bytes[1]) % 31)
        return PARE_OK;
    pare_status status = stream_size(tree, &at, &used, err);
    if (status || !used) return status;
    const uint32_t to = at.body + (uint32_t)used;
    status = pare_chunk_tree_add(tree, chunk, at.body, to, &child, err);
    if (status || child == PARE_NO_CHUNK) return status;
    *found = true;
    tree->chunks[child].fixed = true;
    /* The rest is added before the stream is unpacked, so that it moves along when the bytes before
     * it grow. When there is none, its range is empty, and no chunk. */
    status = pare_chunk_tree_add(tree, chunk, to, at.body_to, &rest, err);
    if (!status) status = pare_chunk_tree_unpack(tree, child, PARE_PACKING_ZLIB, &done, err);
    if (!done) tree->chunks[child].known = true;
    return status;
}

/* Opens a body that is one stream of xz and nothing else. */
static pare_status read_xz(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    const pare_chunk at = tree->chunks[chunk];
    uint32_t child;
    if (!begins(tree, chunk,
                "\xfd"
                "7zXZ\0",
                6))
        return PARE_OK;
    pare_status status =
        add_packed(tree, chunk, (struct packed){at.body, at.body_to, PARE_PACKING_XZ}, &child, err);
    *found = child != PARE_NO_CHUNK;
    return status;
}

/* Opens a body that is a text in UTF-16 and nothing else: ff fe begins a little-endian one, fe ff a
 * big-endian one. Its plain form is the same text in UTF-8, which the reductions of text
 * understand. */
static pare_status read_utf16(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    const pare_chunk at = tree->chunks[chunk];
    const bool is_little = begins(tree, chunk, "\xff\xfe", 2);
    uint32_t child;
    if (!is_little && !begins(tree, chunk, "\xfe\xff", 2)) return PARE_OK;
    const struct packed text = {at.body, at.body_to,
                                is_little ? PARE_PACKING_UTF16_LITTLE : PARE_PACKING_UTF16_BIG};
    pare_status status = add_packed(tree, chunk, text, &child, err);
    *found = child != PARE_NO_CHUNK;
    return status;
}

/* Where the compressed bytes of a gzip member begin; 0: it is no gzip member.
 *
 * 0   2   1f 8b
 * 2   1   8: deflate
 * 3   1   flags: which of the optional parts below there are
 * 4   6   time, extra flags, system
 * 10      EXTRA: a length of two bytes and the bytes; NAME, COMMENT: text and a NUL;
 *         HEADER_CHECK: two bytes
 *     n   deflate
 *     8   CRC-32 of the plain bytes, their number modulo 2^32
 *
 * All sums are 64 bits wide: a hostile length of EXTRA leads beyond `to` and is refused at the end.
 */
static uint32_t find_gzip_body(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    enum { HEADER_CHECK = 2, EXTRA = 4, NAME = 8, COMMENT = 16, TRAILER = 8 };
    const unsigned flags = tree->bytes[from + 3];
    uint64_t at = (uint64_t)from + 10;
    if (flags & EXTRA) at += 2 + little(tree, (uint32_t)at, 2);
    for (unsigned bit = NAME; bit <= COMMENT; bit *= 2)
        if (flags & bit) {
            while (at < to && tree->bytes[at])
                at++;
            at++;
        }
    if (flags & HEADER_CHECK) at += 2;
    return at + TRAILER < to ? (uint32_t)at : 0;
}

/* Opens a body that is one gzip member and nothing else. */
static pare_status read_gzip(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    const pare_chunk at = tree->chunks[chunk];
    uint32_t child;
    if (at.body_to - at.body < 20 || !begins(tree, chunk, "\x1f\x8b\x08", 3)) return PARE_OK;
    const uint32_t from = find_gzip_body(tree, at.body, at.body_to);
    if (!from) return PARE_OK;
    pare_status status = add_packed(
        tree, chunk, (struct packed){from, at.body_to - 8, PARE_PACKING_DEFLATE}, &child, err);
    if (status || child == PARE_NO_CHUNK) return status;
    *found = true;
    /* The trailer moved when the member was unpacked: its place is taken from the chunk afterwards.
     * Both numbers are about the plain bytes, from `body` to `body_to`. */
    const pare_chunk *member = &tree->chunks[child];
    pare_chunk_field field = {.number = PARE_NUMBER_CRC32,
                              .coding = PARE_CODING_LITTLE,
                              .width = 4,
                              .at = member->to,
                              .from = member->body,
                              .to = member->body_to};
    status = pare_chunk_tree_field(tree, &field, err);
    field.number = PARE_NUMBER_LENGTH;
    field.at += 4;
    return status ? status : pare_chunk_tree_field(tree, &field, err);
}

/* ---- zip ---------------------------------------------------------------------------------- */

/* An archive is members, each behind a local header, then a table of contents with one entry for
 * each, then one record:
 *
 * local   0  4   "PK\3\4"              entry   0  4   "PK\1\2"
 *         6  2   flags; 8: described            10  2   method: 0 stored, 8 deflate
 *         14 4   CRC-32                         16 4   CRC-32
 *         18 4   packed size                    20 4   packed size
 *         22 4   plain size                     24 4   plain size
 *         26 2   length of the name             28 2   length of the name
 *         28 2   length of the extra field      30 2+2 lengths of extra field and comment
 *         30     name, extra field, data        42 4   position of the local header
 *
 * end     0  4   "PK\5\6"      12 4   bytes of the table     20 2   length of the comment
 *         8  2+2 entries       16 4   position of the table
 *
 * When a member goes, its entry goes with it, both counts, the table's size and the positions of
 * all members behind it are corrected; nothing else changes. */
enum { LOCAL_BYTES = 30, CENTRAL_BYTES = 46, END_BYTES = 22 };

/* Where the record at the end of the archive begins; 0: there is none. It is searched from the
 * back, for a comment of up to 65535 bytes may follow it, and the comment's length must lead
 * exactly to the end: "PK\5\6" within packed data does not. */
static uint32_t find_end(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    for (uint32_t at = to - from >= END_BYTES ? to - END_BYTES : from; at > from; at--) {
        if (memcmp(tree->bytes + at, "PK\5\6", 4) == 0 &&
            at + END_BYTES + little(tree, at + 20, 2) == to)
            return at;
        if (to - at > END_BYTES + 0xffff) break;
    }
    return 0;
}

/* One member's entry in the archive's table of contents. */
struct member {
    uint32_t entry, local; /* where they stand */
    uint32_t entry_to;
    uint32_t data, data_to;
    uint32_t chunk, contents; /* chunks: the member, its entry */
    unsigned method;
    bool described; /* its sizes stand behind it */
    bool
        is_whole; /* its numbers do not contradict the place of the next one: else it has no parts */
};

/* Reads the entry at `at`; false: it is no entry, or does not point to a member. Positions of the
 * archive count from its begin, which is not that of the file if the archive lies within another
 * one. The data are taken from the local header, whose name and extra field may be of other lengths
 * than those of the entry. Sizes that lead beyond the table leave `data_to` at UINT32_MAX: the
 * member is there, but damaged (add_members). */
static bool read_member(const pare_chunk_tree *tree, uint32_t begin, uint32_t at, uint32_t end,
                        struct member *member)
{
    if (end - at < CENTRAL_BYTES || memcmp(tree->bytes + at, "PK\1\2", 4) != 0) return false;
    const uint64_t size = CENTRAL_BYTES + little(tree, at + 28, 2) + little(tree, at + 30, 2) +
                          little(tree, at + 32, 2);
    const uint64_t local = begin + little(tree, at + 42, 4), packed = little(tree, at + 20, 4);
    if (size > end - at || local + LOCAL_BYTES > at) return false;
    if (memcmp(tree->bytes + local, "PK\3\4", 4) != 0) return false;
    const uint64_t data = local + LOCAL_BYTES + little(tree, (uint32_t)local + 26, 2) +
                          little(tree, (uint32_t)local + 28, 2);
    const bool is_inside = data + packed <= at;
    *member = (struct member){.entry = at,
                              .entry_to = at + (uint32_t)size,
                              .local = (uint32_t)local,
                              .data = is_inside ? (uint32_t)data : at,
                              .data_to = is_inside ? (uint32_t)(data + packed) : UINT32_MAX,
                              .method = (unsigned)little(tree, at + 10, 2),
                              .described = little(tree, (uint32_t)local + 6, 2) & 8};
    return true;
}

static void note(pare_chunk_reader *reader, pare_chunk_number number, uint32_t at, uint32_t width,
                 uint32_t from, uint32_t to)
{
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = number,
                                                        .coding = PARE_CODING_LITTLE,
                                                        .width = width,
                                                        .at = at,
                                                        .from = from,
                                                        .to = to});
}

/* The position of a member, and the lengths of it and of its entry that can be told before it is
 * unpacked. A described member (flag 8) has zeros in its local header and its sizes behind its
 * data: only the entry's numbers are right, so only these are noted. Of a member that is not whole
 * no length can be believed. */
static void note_member(pare_chunk_reader *reader, uint32_t begin, const struct member *member)
{
    const uint32_t local = member->local, entry = member->entry;
    note(reader, PARE_NUMBER_POSITION, entry + 42, 4, begin, local);
    if (!member->is_whole) return;
    const uint32_t name = local + LOCAL_BYTES, title = entry + CENTRAL_BYTES;
    const uint32_t name_to = name + (uint32_t)little(reader->tree, local + 26, 2);
    const uint32_t title_to = title + (uint32_t)little(reader->tree, entry + 28, 2);
    note(reader, PARE_NUMBER_LENGTH, local + 26, 2, name, name_to);
    note(reader, PARE_NUMBER_LENGTH, local + 28, 2, name_to, member->data);
    note(reader, PARE_NUMBER_LENGTH, entry + 28, 2, title, title_to);
    note(reader, PARE_NUMBER_LENGTH, entry + 20, 4, member->data, member->data_to);
    if (!member->described)
        note(reader, PARE_NUMBER_LENGTH, local + 18, 4, member->data, member->data_to);
}

/* Unpacks a member, and notes its plain size and its checksum, in the entry and in the local
 * header. They are noted after unpacking, because they are about the plain bytes; and their places
 * are taken from chunks, which moved along, not from `member`, which did not. A method other than
 * stored and deflate leaves the member as bytes. */
static void open_member(pare_chunk_reader *reader, const struct member *member)
{
    pare_chunk_tree *tree = reader->tree;
    const uint32_t data = tree->chunks[member->chunk].body;
    uint32_t from = data, to = tree->chunks[member->chunk].body_to;
    if (member->method == 8 && from < to && !reader->status) {
        uint32_t child;
        reader->status =
            add_packed(tree, member->chunk, (struct packed){from, to, PARE_PACKING_DEFLATE}, &child,
                       reader->err);
        if (child == PARE_NO_CHUNK) return;
        from = tree->chunks[child].body;
        to = tree->chunks[child].body_to;
    } else if (member->method) {
        return;
    }
    const uint32_t local = tree->chunks[member->chunk].from;
    const uint32_t entry = tree->chunks[member->contents].from;
    note(reader, PARE_NUMBER_LENGTH, entry + 24, 4, from, to);
    note(reader, PARE_NUMBER_CRC32, entry + 16, 4, from, to);
    if (member->described) return;
    note(reader, PARE_NUMBER_LENGTH, local + 22, 4, from, to);
    note(reader, PARE_NUMBER_CRC32, local + 14, 4, from, to);
}

/* Adds the members' chunks, then the table of contents with its entries; false: there was no room
 * for all of them. A member reaches to the begin of the next one, so that a description behind its
 * data goes with it. Member and entry are twins: neither goes without the other. */
static bool add_members(pare_chunk_reader *reader, uint32_t chunk, struct member *members,
                        uint32_t n, uint32_t table, uint32_t end)
{
    pare_chunk_tree *tree = reader->tree;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t to = i + 1 < n ? members[i + 1].local : table;
        /* That a member is damaged may be what is looked for. */
        members[i].is_whole = members[i].data_to <= to;
        if (!members[i].is_whole) members[i].data = members[i].data_to = to;
        members[i].chunk = pare_chunk_reader_chunk(reader, chunk, members[i].local, to);
        if (members[i].chunk == PARE_NO_CHUNK) return false;
        tree->chunks[members[i].chunk].body = members[i].data;
        tree->chunks[members[i].chunk].body_to = members[i].data_to;
    }
    const uint32_t contents = pare_chunk_reader_chunk(reader, chunk, table, end);
    if (contents == PARE_NO_CHUNK) return false;
    tree->chunks[contents].known = tree->chunks[contents].fixed = true;
    for (uint32_t i = 0; i < n; i++) {
        members[i].contents =
            pare_chunk_reader_chunk(reader, contents, members[i].entry, members[i].entry_to);
        if (members[i].contents == PARE_NO_CHUNK) return false;
        tree->chunks[members[i].contents].known = true;
        tree->chunks[members[i].contents].twin = members[i].chunk;
        tree->chunks[members[i].chunk].twin = members[i].contents;
    }
    /* The entries of this part of the archive and of all parts: both count the same here. */
    for (uint32_t width = 8; width <= 10; width += 2)
        pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                            .coding = PARE_CODING_LITTLE,
                                                            .width = 2,
                                                            .at = end + width,
                                                            .chunk = contents});
    return true;
}

/* An archive, its table of contents at `table` .. `end` - 1. */
struct zip {
    uint32_t begin, table, end, to;
    struct member *members; /* owned, n of them, in the order of the table */
    uint32_t n;
};

/* Reads the whole table; *found: every byte of it is entries, and their members ascend. An archive
 * whose table is in another order than its members is not taken, for chunks have to ascend. The
 * caller frees zip->members, also after an error. Errors: PARE_E_NOMEM. */
static pare_status read_table(const pare_chunk_tree *tree, struct zip *zip, bool *found,
                              pare_error *err)
{
    struct member member;
    size_t capacity = 0;
    *found = false;
    for (uint32_t at = zip->table; at < zip->end; at = member.entry_to) {
        if (!read_member(tree, zip->begin, at, zip->end, &member)) return PARE_OK;
        if (zip->n && member.local <= zip->members[zip->n - 1].local) return PARE_OK;
        struct member *members = pare_vector_grow(zip->members, zip->n, &capacity, sizeof *members);
        if (!members) return pare_fail_nomem(err);
        zip->members = members;
        zip->members[zip->n++] = member;
    }
    *found = zip->n > 0;
    return PARE_OK;
}

/* Adds the chunks and numbers of an archive that was read as a whole. */
static pare_status add_zip(pare_chunk_tree *tree, uint32_t chunk, const struct zip *zip,
                           pare_error *err)
{
    pare_chunk_reader reader = {.tree = tree, .at = zip->begin, .end = zip->to, .err = err};
    if (!add_members(&reader, chunk, zip->members, zip->n, zip->table, zip->end))
        return reader.status;
    for (uint32_t i = 0; i < zip->n; i++)
        note_member(&reader, zip->begin, &zip->members[i]);
    note(&reader, PARE_NUMBER_LENGTH, zip->end + 12, 4, zip->table, zip->end);
    note(&reader, PARE_NUMBER_POSITION, zip->end + 16, 4, zip->begin, zip->table);
    note(&reader, PARE_NUMBER_LENGTH, zip->end + 20, 2, zip->end + END_BYTES, zip->to);
    /* Unpacking a member moves everything after it, so the rear ones are unpacked first. */
    for (uint32_t i = zip->n; i-- > 0;)
        if (zip->members[i].is_whole) open_member(&reader, &zip->members[i]);
    return reader.status;
}

static pare_status read_zip(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    struct zip zip = {.begin = tree->chunks[chunk].body, .to = tree->chunks[chunk].body_to};
    if (!begins(tree, chunk, "PK\3\4", 4)) return PARE_OK;
    zip.end = find_end(tree, zip.begin, zip.to);
    /* If there is no end, this reads bytes that are not looked at. */
    const uint64_t table = zip.begin + little(tree, zip.end + 16, 4);
    if (!zip.end || table >= zip.end) return PARE_OK;
    zip.table = (uint32_t)table;
    pare_status status = read_table(tree, &zip, found, err);
    if (!status && *found) status = add_zip(tree, chunk, &zip, err);
    pare_alloc_free(zip.members);
    return status;
}

/* ---- archives with headers in digits ------------------------------------------------------- */

/* One member of an archive of `ar` or `tar`: a header of `head` bytes with the length of its data
 * in digits, the data, and bytes that pad header and data to a multiple of fill->align.
 * `length->at` is counted from the header. The padding belongs to the member's chunk; when the data
 * become shorter, the writer fills up anew. */
static void add_digits(pare_chunk_reader *reader, uint32_t chunk, const pare_chunk_field *length,
                       uint32_t head, const pare_chunk_pad *fill)
{
    const uint32_t from = reader->at;
    const uint64_t n = pare_chunk_reader_peek(reader, length->coding, length->at, length->width);
    pare_chunk_reader_skip(reader, head + n);
    if (!pare_chunk_reader_ok(reader)) return;
    const uint32_t end = reader->at;
    /* The last member may end without its padding, in a file that was cut: then it is not padded
     * again. */
    const uint32_t left = (fill->align - (end - from) % fill->align) % fill->align;
    const uint32_t n_pads = left <= reader->end - end ? left : 0;
    reader->at += n_pads;
    const uint32_t member = pare_chunk_reader_chunk(reader, chunk, from, reader->at);
    if (member == PARE_NO_CHUNK) {
        reader->bad = true;
        return;
    }
    reader->tree->chunks[member].body = from + head;
    reader->tree->chunks[member].body_to = end;
    pare_chunk_field field = *length;
    field.at += from;
    field.from = from + head;
    field.to = end;
    pare_chunk_reader_field(reader, &field);
    pare_chunk_pad pad = *fill;
    pad.at = end;
    pad.n = n_pads;
    pad.from = from;
    if (!reader->status && left == n_pads)
        reader->status = pare_chunk_tree_pad(reader->tree, &pad, reader->err);
}

/* A header of ar: name 16, time 12, owner 6, group 6, mode 8, size 10 at 48 (decimal, blanks after
 * it), and 60 0a, "`\n". The data are padded to an even size by a newline. */
static pare_status read_ar(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    enum { HEAD = 60 };
    static const pare_chunk_field length = {
        .number = PARE_NUMBER_LENGTH, .coding = PARE_CODING_DECIMAL, .width = 10, .at = 48};
    static const pare_chunk_pad fill = {.align = 2, .fill = '\n'};
    pare_chunk_reader reader = {.tree = tree,
                                .at = tree->chunks[chunk].body + 8,
                                .end = tree->chunks[chunk].body_to,
                                .err = err};
    if (!begins(tree, chunk, "!<arch>\n", 8)) return PARE_OK;
    *found = true;
    while (pare_chunk_reader_ok(&reader) && reader.end - reader.at >= HEAD)
        add_digits(&reader, chunk, &length, HEAD, &fill);
    return reader.status;
}

/* A header of tar is one block of 512 bytes: name 100, mode 8, owner 8, group 8, size 12 at 124
 * (octal), time 12, checksum 8 at 148, type 1, link 100, "ustar" at 257. Data are padded to whole
 * blocks. The checksum covers the header, and so changes when the size in it does. Blocks of zeros
 * end the archive: a header without a name is none. */
static pare_status read_tar(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    enum { BLOCK = 512, MAGIC = 257, SUM = 148 };
    static const pare_chunk_field length = {
        .number = PARE_NUMBER_LENGTH, .coding = PARE_CODING_OCTAL, .width = 12, .at = 124};
    static const pare_chunk_pad fill = {.align = BLOCK};
    const pare_chunk at = tree->chunks[chunk];
    pare_chunk_reader reader = {.tree = tree, .at = at.body, .end = at.body_to, .err = err};
    if (at.body_to - at.body < BLOCK || memcmp(tree->bytes + at.body + MAGIC, "ustar", 5) != 0)
        return PARE_OK;
    *found = true;
    while (pare_chunk_reader_ok(&reader) && reader.end - reader.at >= BLOCK &&
           tree->bytes[reader.at]) {
        const uint32_t from = reader.at;
        add_digits(&reader, chunk, &length, BLOCK, &fill);
        pare_chunk_reader_field(&reader, &(pare_chunk_field){.number = PARE_NUMBER_SUM,
                                                             .coding = PARE_CODING_OCTAL,
                                                             .width = 8,
                                                             .at = from + SUM,
                                                             .from = from,
                                                             .to = from + BLOCK});
    }
    return reader.status;
}

/* ---- GIF ---------------------------------------------------------------------------------- */

/* Blocks of a length each, up to an empty one: 03 aa bb cc 02 dd ee 00 is two blocks and the end. A
 * block is a chunk with its length; the empty one stays, for it is what ends the image or
 * extension. */
static void read_blocks(pare_chunk_reader *reader, uint32_t parent)
{
    while (pare_chunk_reader_ok(reader)) {
        const uint32_t from = reader->at;
        const uint64_t n = pare_chunk_reader_peek(reader, PARE_CODING_LITTLE, 0, 1);
        pare_chunk_reader_skip(reader, 1 + n);
        if (!pare_chunk_reader_ok(reader) || !n) return;
        const uint32_t block = pare_chunk_reader_chunk(reader, parent, from, reader->at);
        if (block == PARE_NO_CHUNK) return;
        reader->tree->chunks[block].known = true;
        note(reader, PARE_NUMBER_LENGTH, from, 1, from + 1, reader->at);
    }
}

/* The colour table that the flags at `at` tell of, which begins where the reader is, and moves
 * behind it. Its size is a power of two, so colours cannot go one by one. The table is cut so that
 * its parts, taken from the back, halve it:
 *
 * colours 0-1 | 2-3 | 4-7 | 8-15 | ...     the flags' low bits are the number of parts, less 1
 *
 * Without "8-15" a table of 16 has 8 colours, and the flags say 2 in place of 3. */
static void read_colours(pare_chunk_reader *reader, uint32_t parent, uint32_t at)
{
    const unsigned flags = at < reader->end ? reader->tree->bytes[at] : 0;
    const uint32_t from = reader->at, bytes = flags & 0x80 ? 3U << ((flags & 7) + 1) : 0;
    pare_chunk_reader_skip(reader, bytes);
    if (!bytes || !pare_chunk_reader_ok(reader)) return;
    const uint32_t table = pare_chunk_reader_chunk(reader, parent, from, from + bytes);
    if (table == PARE_NO_CHUNK) return;
    reader->tree->chunks[table].known = reader->tree->chunks[table].solid = true;
    for (uint32_t part = from, to = from + 6; part < from + bytes; part = to, to += to - from) {
        const uint32_t chunk = pare_chunk_reader_chunk(reader, table, part, to);
        if (chunk == PARE_NO_CHUNK) return;
        reader->tree->chunks[chunk].known = reader->tree->chunks[chunk].solid = true;
    }
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_COUNT,
                                                        .coding = PARE_CODING_COLOURS,
                                                        .width = 1,
                                                        .at = at,
                                                        .chunk = table});
}

/* Images and extensions, each a chunk, behind the screen's header and its colour table.
 *
 * 0   6   "GIF87a", "GIF89a"           image      0  1   ','
 * 6   4   width, height                           1  8   left, top, width, height
 * 10  1   flags of the colour table               9  1   flags of its own colour table
 * 11  2   background, aspect                      10     colours; 1: least code size; blocks
 *                                      extension  0  1   '!'; 1: its kind; blocks
 *
 * Anything else, ';' at the end or damage, stops the loop and stays. */
static pare_status read_gif(pare_chunk_tree *tree, uint32_t chunk, bool *found, pare_error *err)
{
    enum { SCREEN = 13, SCREEN_FLAGS = 10, IMAGE = 10, IMAGE_FLAGS = 9 };
    const uint32_t begin = tree->chunks[chunk].body;
    pare_chunk_reader reader = {
        .tree = tree, .at = begin, .end = tree->chunks[chunk].body_to, .err = err};
    if (!begins(tree, chunk, "GIF8", 4)) return PARE_OK;
    *found = true;
    pare_chunk_reader_skip(&reader, SCREEN);
    read_colours(&reader, chunk, begin + SCREEN_FLAGS);
    while (pare_chunk_reader_ok(&reader) && reader.at < reader.end) {
        const uint32_t from = reader.at;
        const bool image = tree->bytes[from] == ',';
        if (!image && tree->bytes[from] != '!') break;
        const uint32_t part = pare_chunk_reader_chunk(&reader, chunk, from, reader.end);
        if (part == PARE_NO_CHUNK) break;
        tree->chunks[part].known = true;
        pare_chunk_reader_skip(&reader, image ? IMAGE : 2);
        if (image) {
            read_colours(&reader, part, from + IMAGE_FLAGS);
            pare_chunk_reader_skip(&reader, 1);
        }
        read_blocks(&reader, part);
        /* The part was added as if it reached to the end of all; here its end is known. If a block
         * was cut, it does reach to the end. */
        tree->chunks[part].to = tree->chunks[part].body_to =
            pare_chunk_reader_ok(&reader) ? reader.at : reader.end;
    }
    return reader.status;
}

/* ---- zoneinfo ----------------------------------------------------------------------------- */

/* Tables of a block in their order: transition times; for each the index of its type; types
 * (offset, flag, position of a name); names, NUL-terminated strings of which each is a row; leap
 * seconds; and for each type two flags. The position is the last of a type's six bytes. */
enum zone_table { TIMES, KINDS, TYPES, NAMES, LEAPS, STANDARD, UNIVERSAL, N_TABLES };

/* A block: a header with numbers of rows, and tables one after the other. */
struct zones {
    pare_chunk_reader reader;
    uint32_t from;            /* of its header */
    uint32_t begin[N_TABLES]; /* where tables are */
    uint32_t chunks[N_TABLES];
};

enum { ZONE_HEADER = 44, MOST_KINDS = 1 << 12 };

static const struct {
    unsigned char count_at, width, time_width; /* of a row; more for each byte of a time */
    unsigned char partner;                     /* whose rows go with these; N_TABLES: none */
} ZONE_TABLES[N_TABLES] = {
    [TIMES] = {32, 0, 1, N_TABLES},  [KINDS] = {32, 1, 0, TIMES},    [TYPES] = {36, 6, 0, N_TABLES},
    [NAMES] = {40, 1, 0, N_TABLES},  [LEAPS] = {28, 4, 1, N_TABLES}, [STANDARD] = {24, 1, 0, TYPES},
    [UNIVERSAL] = {20, 1, 0, TYPES},
};

static uint32_t big(const pare_chunk_tree *tree, uint32_t at)
{
    return (uint32_t)pare_chunk_coding_read(PARE_CODING_BIG, 4, tree->bytes + at, 4).value;
}

/* Rows of one table, each of which is linked to the row of its partner's table with the same index.
 * A time goes with the index of its type, a type with its two flags: rings of two and of up to
 * three twins. Names are as long as they are; all other rows have `width` bytes.  */
static void add_zone_rows(struct zones *zones, unsigned table, uint32_t width)
{
    pare_chunk_tree *tree = zones->reader.tree;
    const uint32_t end =
        zones->begin[table] + width * big(tree, zones->from + ZONE_TABLES[table].count_at);
    const unsigned partner = ZONE_TABLES[table].partner;
    uint32_t other = partner == N_TABLES || zones->chunks[partner] == PARE_NO_CHUNK
                         ? PARE_NO_CHUNK
                         : tree->chunks[zones->chunks[partner]].first;
    for (uint32_t from = zones->begin[table], to = from; from < end; from = to) {
        to = from + width;
        while (table == NAMES && to < end && tree->bytes[to - 1])
            to++;
        const uint32_t row =
            pare_chunk_reader_chunk(&zones->reader, zones->chunks[table], from, to);
        if (row == PARE_NO_CHUNK) return;
        tree->chunks[row].known = tree->chunks[row].solid = true;
        if (other == PARE_NO_CHUNK) continue;
        /* Puts the row into the ring behind `other`. */
        const uint32_t next = tree->chunks[other].twin;
        tree->chunks[row].twin = next == PARE_NO_CHUNK ? other : next;
        tree->chunks[other].twin = row;
        other = tree->chunks[other].next;
    }
}

/* Numbers that name a type or a name, and those of rows. A type that went is counted out of the
 * indices behind it (INDEX); a name's position is counted in bytes from the first name, so that
 * "EST" in the tail of "AEST" may be named, too. The number of KINDS is that of TIMES, and noted
 * once. */
static void note_zones(struct zones *zones)
{
    const pare_chunk_tree *tree = zones->reader.tree;
    pare_chunk_field field = {.coding = PARE_CODING_BIG, .width = 1};
    const uint32_t types = zones->begin[TYPES], names = zones->begin[NAMES];
    const bool few =
        types - zones->begin[KINDS] <= MOST_KINDS; /* each counts types, in each candidate */
    for (uint32_t at = zones->begin[KINDS]; few && at < types; at++) {
        field.number = PARE_NUMBER_INDEX;
        field.chunk = zones->chunks[TYPES];
        field.at = at;
        field.from = field.to = types + 6U * tree->bytes[at];
        if (field.to < names) pare_chunk_reader_field(&zones->reader, &field);
    }
    for (uint32_t at = types + 5; at < names; at += 6) {
        field.number = PARE_NUMBER_POSITION;
        field.at = at;
        field.from = names;
        field.to = names + tree->bytes[at];
        if (field.to <= zones->begin[LEAPS]) pare_chunk_reader_field(&zones->reader, &field);
    }
    for (unsigned table = 0; table < N_TABLES; table++) {
        field.number = table == NAMES ? PARE_NUMBER_LENGTH : PARE_NUMBER_COUNT;
        field.width = 4;
        field.at = zones->from + ZONE_TABLES[table].count_at;
        field.chunk = zones->chunks[table];
        field.from = names;
        field.to = zones->begin[LEAPS];
        if (zones->chunks[table] != PARE_NO_CHUNK && table != KINDS)
            pare_chunk_reader_field(&zones->reader, &field);
    }
}

/* A block with times of `time` bytes; the reader stands behind it. Headers tell how many rows each
 * table has, in another order than the tables stand in: 20 flags of universal time, 24 of standard
 * time, 28 leap seconds, 32 times, 36 types, 40 bytes of names. False: it is no block, or its
 * tables do not fit; then nothing was added. */
static bool read_zones(pare_chunk_reader *reader, uint32_t chunk, uint32_t time)
{
    struct zones zones = {.reader = *reader, .from = reader->at};
    pare_chunk_tree *tree = reader->tree;
    if (reader->end - reader->at < ZONE_HEADER || memcmp(tree->bytes + reader->at, "TZif", 4) != 0)
        return false;
    uint64_t at = (uint64_t)reader->at + ZONE_HEADER;
    for (unsigned i = 0; i < N_TABLES; i++) {
        zones.begin[i] = (uint32_t)at;
        at += (uint64_t)big(tree, zones.from + ZONE_TABLES[i].count_at) *
              (ZONE_TABLES[i].width + ZONE_TABLES[i].time_width * time);
        if (at > reader->end) return false;
    }
    for (unsigned i = 0; i < N_TABLES; i++) {
        const uint32_t to = i + 1 < N_TABLES ? zones.begin[i + 1] : (uint32_t)at;
        zones.chunks[i] = pare_chunk_reader_chunk(&zones.reader, chunk, zones.begin[i], to);
        if (zones.chunks[i] == PARE_NO_CHUNK) continue;
        tree->chunks[zones.chunks[i]].fixed = tree->chunks[zones.chunks[i]].known = true;
        tree->chunks[zones.chunks[i]].solid = true;
        add_zone_rows(&zones, i, ZONE_TABLES[i].width + ZONE_TABLES[i].time_width * time);
    }
    note_zones(&zones);
    *reader = zones.reader;
    reader->at = (uint32_t)at;
    return true;
}

/* The file is one block with 32-bit times, or that and a second one with 64-bit times and a line of
 * text at its end. The first block alone is a valid file of version 1, so it is enough for *found.
 */
static pare_status read_zoneinfo(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                 pare_error *err)
{
    pare_chunk_reader reader = {.tree = tree,
                                .at = tree->chunks[chunk].body,
                                .end = tree->chunks[chunk].body_to,
                                .err = err};
    *found = read_zones(&reader, chunk, 4);
    if (*found && pare_chunk_reader_ok(&reader)) (void)read_zones(&reader, chunk, 8);
    return reader.status;
}

/* ---- all ---------------------------------------------------------------------------------- */

/* The first reader that finds something is the only one. Cheap and certain signatures come first;
 * marshal, whose objects begin with a letter, is asked last. A reader that has added children
 * without finding anything ends the search, too, because the others need a chunk without any. */
pare_status pare_chunk_formats_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                    pare_error *err)
{
    static pare_status (*const readers[])(pare_chunk_tree *, uint32_t, bool *,
                                          pare_error *) = {read_gzip,
                                                           read_xz,
                                                           read_utf16,
                                                           read_zip,
                                                           read_ar,
                                                           read_tar,
                                                           pare_chunk_cpio_read,
                                                           read_gif,
                                                           read_zoneinfo,
                                                           read_zlib,
                                                           pare_chunk_class_read,
                                                           pare_chunk_lua_read,
                                                           pare_chunk_mo_read,
                                                           pare_chunk_ebml_read,
                                                           pare_chunk_tiff_read,
                                                           pare_chunk_cff_read,
                                                           pare_chunk_flac_read,
                                                           pare_chunk_ogg_read,
                                                           pare_chunk_bson_read,
                                                           pare_chunk_plist_read,
                                                           pare_chunk_pickle_read,
                                                           pare_chunk_marshal_read};
    pare_status status = PARE_OK;
    *found = false;
    for (size_t i = 0; !status && !*found && i < sizeof readers / sizeof *readers; i++)
        if (tree->chunks[chunk].first == PARE_NO_CHUNK)
            status = readers[i](tree, chunk, found, err);
    return status;
}

bool pare_chunk_formats_is_archive(const unsigned char *bytes, size_t n)
{
    static const struct {
        const char *magic;
        size_t at;
    } archives[] = {{"!<arch>\n", 0},
                    {"070701", 0},
                    {"070702", 0},
                    {"070707", 0},
                    {"ustar", 257}}; /* ar, cpio, tar */
    for (size_t i = 0; i < sizeof archives / sizeof *archives; i++) {
        const size_t size = strlen(archives[i].magic), at = archives[i].at;
        if (at + size <= n && !memcmp(bytes + at, archives[i].magic, size)) return true;
    }
    return false;
}
