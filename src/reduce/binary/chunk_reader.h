/* Reads a known format within bounds, and notes its chunks and numbers. */
#ifndef PARE_REDUCE_BINARY_CHUNK_READER_H
#define PARE_REDUCE_BINARY_CHUNK_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/binary/chunk_coding.h"
#include "reduce/binary/chunk_tree.h"

/* Reads from `at` to `end`.  The first thing that is not there makes it `bad`, the first lack of
 * memory its status; after either nothing is read any more. */
typedef struct pare_chunk_reader {
    pare_chunk_tree *tree; /* borrowed */
    uint32_t at, end;
    bool bad;
    pare_status status;
    pare_error *err;
} pare_chunk_reader;

static inline bool pare_chunk_reader_ok(const pare_chunk_reader *reader)
{
    return !reader->bad && !reader->status;
}

/* A number at `at`, which moves behind it; 0 when there is none. */
uint64_t pare_chunk_reader_number(pare_chunk_reader *reader, pare_coding coding, uint32_t width);

/* Moves `at` on by `n` bytes. */
void pare_chunk_reader_skip(pare_chunk_reader *reader, uint64_t n);

/* The number `offset` bytes behind `at`, which stays; 0 when there is none. */
uint64_t pare_chunk_reader_peek(const pare_chunk_reader *reader, pare_coding coding,
                                uint32_t offset, uint32_t width);

/* Notes a chunk; PARE_NO_CHUNK when it does not fit. */
uint32_t pare_chunk_reader_chunk(pare_chunk_reader *reader, uint32_t parent, uint32_t from,
                                 uint32_t to);

/* Notes a number. */
void pare_chunk_reader_field(pare_chunk_reader *reader, const pare_chunk_field *field);

/* Reads a length and moves behind it and as many bytes: a length that is noted. */
void pare_chunk_reader_prefixed(pare_chunk_reader *reader, pare_coding coding, uint32_t width);

#endif
