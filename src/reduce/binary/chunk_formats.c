/* Chunks of formats that are known by their headers: members that are packed, archives, GIF, zoneinfo.
 *
 * What a run of lengths does not tell: that bytes are packed, that a member is mentioned in another
 * part of the file, that a number is written in digits.  A reader believes a header only if all of it
 * agrees: the packed bytes end where they should, the table of contents points to members.  If it does
 * not, nothing has been noted, and the search goes on with runs of lengths.
 * Sources: RFC 1950 to 1952 and 2781; the .xz file format; APPNOTE.TXT of PKWARE; POSIX for ar and tar; the GIF89a specification; RFC 8536.
 * Tested by tests/unit/test_chunk_formats.c. */
#include "reduce/binary/chunk_formats.h"

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

/* Packed bytes from .. to-1. */
struct packed {
    uint32_t from, to;
    pare_packing_codec codec;
};

/* A child that is packed and stays; *child is it, PARE_NO_CHUNK if it cannot be unpacked. */
static pare_status add_packed(pare_chunk_tree *tree, uint32_t chunk, struct packed packed,
                              uint32_t *child, pare_error *err)
{
    bool done = false;
    *child = PARE_NO_CHUNK;
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

/* How many bytes of the body the stream of zlib has with which it begins; 0: it begins with none. */
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

/* Opens a stream with which a body begins; what is behind it is looked into as if it stood alone. */
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

/* Opens a body that is a text in UTF-16 and nothing else, little-endian or not. */
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

/* Where the compressed bytes of a gzip member begin; 0: it is no gzip member. */
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

enum { LOCAL_BYTES = 30, CENTRAL_BYTES = 46, END_BYTES = 22 };

/* Where the record at the end of the archive begins; 0: there is none. */
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

/* Reads the entry at `at`; false: it is no entry, or does not point to a member. */
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

/* The lengths of a member and of its entry that can be told before it is unpacked. */
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

/* Unpacks a member, and notes its plain size and its checksum, both twice. */
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

/* The members' chunks, then the table of contents with its entries; false: they are out of order. */
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

/* Reads the whole table; *found: it is one, and its members stand one after the other.
 * Errors: PARE_E_NOMEM. */
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
    const uint64_t table = zip.begin + little(tree, zip.end + 16, 4);
    if (!zip.end || table >= zip.end) return PARE_OK;
    zip.table = (uint32_t)table;
    pare_status status = read_table(tree, &zip, found, err);
    if (!status && *found) status = add_zip(tree, chunk, &zip, err);
    pare_alloc_free(zip.members);
    return status;
}

/* ---- archives with headers in digits ------------------------------------------------------- */

/* One member of the archive: its length is in decimal digits, and a byte pads it to an even
 * size. */
static void add_digits(pare_chunk_reader *reader, uint32_t chunk, const pare_chunk_field *length,
                       uint32_t head, const pare_chunk_pad *fill)
{
    const uint32_t from = reader->at;
    const uint64_t n = pare_chunk_reader_peek(reader, length->coding, length->at, length->width);
    pare_chunk_reader_skip(reader, head + n);
    if (!pare_chunk_reader_ok(reader)) return;
    const uint32_t end = reader->at;
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

/* Blocks of a length each, up to an empty one. */
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

/* The colour table that the flags at `at` tell of, which begins where the reader is, and moves behind
 * it.  Its size is a power of two: so the first two colours are a chunk, the next two, the next four, and so on,
 * and their number is what the flags say. */
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

/* Images and extensions. */
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
        tree->chunks[part].to = tree->chunks[part].body_to =
            pare_chunk_reader_ok(&reader) ? reader.at : reader.end;
    }
    return reader.status;
}

/* ---- zoneinfo ----------------------------------------------------------------------------- */

/* Tables of a block in their order; names are strings, of which each is a row. */
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

/* Rows of one table, each of which is linked to that of its partner's table. */
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
        const uint32_t next = tree->chunks[other].twin;
        tree->chunks[row].twin = next == PARE_NO_CHUNK ? other : next;
        tree->chunks[other].twin = row;
        other = tree->chunks[other].next;
    }
}

/* Numbers that name a type or a name, and those of rows. */
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

/* A block with times of `time` bytes; the reader stands behind it. */
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

/* The file is one block, or that and a second one with 64-bit times and a line of text at its
 * end. */
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
                                                           read_gif,
                                                           read_zoneinfo,
                                                           read_zlib,
                                                           pare_chunk_class_read,
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
