/* Messages of Protocol Buffers: fields of a tag and a value.
 *
 * A tag has the number of the field and how its value is written; nothing tells a message in a field from a
 * string or packed numbers, nor its end from that of the file.  So a field with a length is read as a message
 * if it is no text and fields make up all of it; a wrong guess costs tests.  Each field becomes a chunk,
 * and may stand in the place of one around it.  Messages are read level by level, so that chunks are there for
 * the outer ones; of a message with more fields than that some fields each are one chunk, until fewer are left.
 *
 * Invariant: nothing is noted unless fields make up the whole file, few enough of them outermost, since much
 * could be read as many short ones.
 * Cost: a pass over the bytes for each level of messages.
 * Source: the documentation of the wire format of Protocol Buffers.
 * Tested by tests/unit/test_chunk_protobuf.c. */
#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_reader.h"
#include "reduce/binary/chunk_tree.h"

enum {
    LEAST_FIELDS = 2,
    LEAST_BYTES_OF_ONE = 16, /* at least so many bytes for each outermost field but one */
    LEAST_STRING = 16,       /* that may hold something of another format */
    MOST_NUMBER = 1 << 29,   /* of a field */
    GROUPS_SHARE = 4         /* of the chunks that are left this part is for fields in groups */
};

enum wire { VARINT, WIDE, COUNTED, WORD = 5 };

struct field {
    uint32_t from, to;
    uint32_t length_at;
    uint32_t body; /* after its length; 0: it has none */
};

/* Reads the field at `at` of a message that ends at `end`; false: there is none. A tag is the
 * number of the field times eight and the kind of its value:
 *
 * 08 96 01        field 1, kind 0: the number 150
 * 12 03 61 62 63  field 2, kind 2: three bytes
 * 1d .. .. .. ..  field 3, kind 5: four bytes; kind 1: eight
 *
 * Kinds 3 and 4, groups, are not in use any more, and make it no field. */
static bool read_field(const pare_chunk_tree *tree, uint32_t at, uint32_t end, struct field *field)
{
    const pare_coded tag = pare_chunk_coding_read(PARE_CODING_LEB, 0, tree->bytes + at, end - at);
    const uint64_t number = tag.value >> 3;
    const uint32_t value = at + tag.width;
    if (!tag.width || !number || number >= MOST_NUMBER) return false;
    pare_coded coded = {.width = (tag.value & 7) == WIDE ? 8 : 4};
    *field = (struct field){.from = at, .length_at = value};
    switch (tag.value & 7) {
    case VARINT:
    case COUNTED:
        coded = pare_chunk_coding_read(PARE_CODING_LEB, 0, tree->bytes + value, end - value);
        if (!coded.width) return false;
        break;
    case WIDE:
    case WORD: break;
    default: return false;
    }
    if (coded.width > end - value) return false;
    field->to = value + coded.width;
    if ((tag.value & 7) != COUNTED) return true;
    if (coded.value > end - field->to) return false;
    field->body = field->to;
    field->to += (uint32_t)coded.value;
    return true;
}

/* How many fields make up bytes from .. to-1; 0: something else is there, or nothing. */
static uint32_t count_fields(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    struct field field;
    uint32_t n = 0;
    for (uint32_t at = from; at < to; at = field.to, n++)
        if (!read_field(tree, at, to, &field)) return 0;
    return n;
}

/* Whether no byte is a control character but tabs and ends of lines; bytes of 0x80 and above are
 * letters of UTF-8. */
static bool is_text(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const unsigned char c = tree->bytes[i];
        if (c == 0x7f || (c < ' ' && c != '\t' && c != '\n' && c != '\r')) return false;
    }
    return true;
}

/* Notes a field and its length, and what it holds: a message if it is no text and fields make it up
 * (solid: its fields go, not its bytes), else bytes, which are looked into if there are enough of
 * them. */
static void note_field(pare_chunk_reader *reader, uint32_t parent, const struct field *field)
{
    pare_chunk_tree *tree = reader->tree;
    const uint32_t chunk = pare_chunk_reader_chunk(reader, parent, field->from, field->to);
    if (chunk == PARE_NO_CHUNK) return;
    tree->chunks[chunk].known = tree->chunks[chunk].solid = tree->chunks[chunk].value = true;
    if (!field->body) return;
    pare_chunk_reader_field(reader, &(pare_chunk_field){.number = PARE_NUMBER_LENGTH,
                                                        .coding = PARE_CODING_LEB,
                                                        .at = field->length_at,
                                                        .from = field->body,
                                                        .to = field->to});
    const uint32_t body = pare_chunk_reader_chunk(reader, chunk, field->body, field->to);
    if (body == PARE_NO_CHUNK) return;
    const bool message =
        !is_text(tree, field->body, field->to) && count_fields(tree, field->body, field->to) > 0;
    tree->chunks[body].solid = message;
    tree->chunks[body].known = message || field->to - field->body < LEAST_STRING;
}

/* Notes the fields of the message that the chunk holds, or, if they would take more than half of
 * the chunks that are left, groups of them: each one chunk of some fields, until a smaller file is
 * read anew. */
static void note_message(pare_chunk_reader *reader, uint32_t chunk)
{
    const pare_chunk_tree *tree = reader->tree;
    const uint32_t room = PARE_CHUNK_MOST - tree->n_chunks, end = tree->chunks[chunk].body_to;
    const uint32_t n = count_fields(tree, tree->chunks[chunk].body, end);
    const bool groups = n > room / 2;
    const uint32_t n_of_group = groups ? n / (room / GROUPS_SHARE + 1) + 1 : 1;
    struct field field;
    for (uint32_t at = tree->chunks[chunk].body; at < end && pare_chunk_reader_ok(reader);) {
        const uint32_t first = at;
        for (uint32_t i = 0; i < n_of_group && at < end; i++, at = field.to)
            if (!read_field(tree, at, end, &field)) return;
        if (!groups) {
            note_field(reader, chunk, &field);
            continue;
        }
        const uint32_t group = pare_chunk_reader_chunk(reader, chunk, first, at);
        if (group == PARE_NO_CHUNK) return;
        tree->chunks[group].known = tree->chunks[group].solid = true;
    }
}

/* Notes all fields, level by level. A message is found again as a chunk that is solid and no value,
 * in a field, which is a value; chunks that are added are gone through by the same loop. */
static void note_fields(pare_chunk_reader *reader)
{
    const pare_chunk_tree *tree = reader->tree;
    uint32_t i = tree->n_chunks;
    note_message(reader, 0);
    for (; i < tree->n_chunks && pare_chunk_reader_ok(reader); i++) {
        const pare_chunk *chunk = &tree->chunks[i];
        if (chunk->solid && !chunk->value && tree->chunks[chunk->parent].value)
            note_message(reader, i);
    }
}

/* The outermost fields must make up the file: two at least, and at most two more than one for each
 * sixteen bytes. */
pare_status pare_chunk_protobuf_read(pare_chunk_tree *tree, bool *found, pare_error *err)
{
    const uint32_t from = tree->chunks[0].body, end = tree->chunks[0].body_to;
    pare_chunk_reader reader = {.tree = tree, .at = from, .end = end, .err = err};
    const uint32_t n = is_text(tree, from, end) ? 0 : count_fields(tree, from, end);
    *found = n >= LEAST_FIELDS && n <= LEAST_FIELDS + (end - from) / LEAST_BYTES_OF_ONE;
    if (*found) note_fields(&reader);
    return reader.status;
}
