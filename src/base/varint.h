/* Whole numbers in groups of 7 bits, the low ones first: small ones take one byte.
 *
 * Source: LEB128, as in DWARF and WebAssembly.  One thread. */
#ifndef PARE_BASE_VARINT_H
#define PARE_BASE_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"

enum { PARE_VARINT_MOST_BYTES = 10 };

/* Appends `value`; on error the buffer is as it was.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_varint_add(pare_buffer *to, uint64_t value, pare_error *err);

/* What is left of bytes that are read; borrowed. */
typedef struct pare_varint_reader {
    const unsigned char *at, *end;
    bool failed; /* something was cut off, or too large; stays set */
} pare_varint_reader;

/* The next number; 0, and `failed` set, where none is whole or it has more than 64 bits. */
uint64_t pare_varint_next(pare_varint_reader *reader);

/* The next `size` bytes, borrowed; NULL, and `failed` set, where there are fewer. */
const unsigned char *pare_varint_bytes(pare_varint_reader *reader, uint64_t size);

#endif
