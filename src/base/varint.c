/* Numbers in groups of 7 bits; see the header.  Reading never goes beyond the end, whatever the
 * bytes are. */
#include "base/varint.h"

#include <assert.h>

pare_status pare_varint_add(pare_buffer *to, uint64_t value, pare_error *err)
{
    unsigned char bytes[PARE_VARINT_MOST_BYTES];
    size_t n = 0;
    for (; value > 127; value >>= 7)
        bytes[n++] = (unsigned char)(value | 128);
    assert(n < sizeof bytes);
    bytes[n++] = (unsigned char)value;
    return pare_buffer_add(to, bytes, n, err);
}

/* Ten bytes of 7 bits have room for 70, so only one bit of the tenth byte may be set. */
uint64_t pare_varint_next(pare_varint_reader *reader)
{
    uint64_t value = 0;
    assert(reader->at <= reader->end);
    for (unsigned shift = 0; shift < 64 && reader->at < reader->end; shift += 7) {
        unsigned char byte = *reader->at++;
        if (shift == 63 && byte > 1) break;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return value;
    }
    reader->failed = true;
    return 0;
}

const unsigned char *pare_varint_bytes(pare_varint_reader *reader, uint64_t size)
{
    const unsigned char *bytes = reader->at;
    if (reader->failed || size > (uint64_t)(reader->end - reader->at)) {
        reader->failed = true;
        return NULL;
    }
    reader->at += size;
    return bytes;
}
