/* Reads a known format within bounds, and notes its chunks and numbers.
 *
 * The status is kept in the reader, so that the readers of formats say what follows what, and look
 * once whether it was there.  Nothing is read beyond `end`, whatever the bytes say.
 * Tested by tests/unit/test_chunk_finder.c. */
#include "reduce/binary/chunk_reader.h"

#include <assert.h>

#include "reduce/binary/chunk_coding.h"

/* Nothing becomes bad by looking: callers that go on read the number as well.
 */
uint64_t pare_chunk_reader_peek(const pare_chunk_reader *reader, pare_coding coding,
                                uint32_t offset, uint32_t width)
{
    if (!pare_chunk_reader_ok(reader) || offset >= reader->end - reader->at) return 0;
    assert(reader->at <= reader->end);
    const uint32_t at = reader->at + offset;
    return pare_chunk_coding_read(coding, width, reader->tree->bytes + at, reader->end - at).value;
}

/* A number that is cut by `end` makes the reader bad, and its place stays. */
uint64_t pare_chunk_reader_number(pare_chunk_reader *reader, pare_coding coding, uint32_t width)
{
    if (!pare_chunk_reader_ok(reader)) return 0;
    assert(reader->at <= reader->end);
    const pare_coded coded = pare_chunk_coding_read(coding, width, reader->tree->bytes + reader->at,
                                                    reader->end - reader->at);
    if (!coded.width) reader->bad = true;
    reader->at += coded.width;
    return coded.value;
}

void pare_chunk_reader_skip(pare_chunk_reader *reader, uint64_t n)
{
    if (!pare_chunk_reader_ok(reader)) return;
    assert(reader->at <= reader->end);
    if (n > reader->end - reader->at)
        reader->bad = true;
    else
        reader->at += (uint32_t)n;
}

/* Also when the reader is bad: what was read before may be noted then. Only a lack of memory stops
 * it. */
uint32_t pare_chunk_reader_chunk(pare_chunk_reader *reader, uint32_t parent, uint32_t from,
                                 uint32_t to)
{
    uint32_t index = PARE_NO_CHUNK;
    if (reader->status || parent == PARE_NO_CHUNK) return index;
    reader->status = pare_chunk_tree_add(reader->tree, parent, from, to, &index, reader->err);
    return index;
}

void pare_chunk_reader_field(pare_chunk_reader *reader, const pare_chunk_field *field)
{
    if (!reader->status) reader->status = pare_chunk_tree_field(reader->tree, field, reader->err);
}

void pare_chunk_reader_prefixed(pare_chunk_reader *reader, pare_coding coding, uint32_t width)
{
    pare_chunk_field field = {
        .number = PARE_NUMBER_LENGTH, .coding = coding, .width = width, .at = reader->at};
    const uint64_t n = pare_chunk_reader_number(reader, coding, width);
    field.from = reader->at;
    pare_chunk_reader_skip(reader, n);
    field.to = reader->at;
    if (pare_chunk_reader_ok(reader)) pare_chunk_reader_field(reader, &field);
}
