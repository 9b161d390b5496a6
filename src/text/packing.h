/* Bytes packed by deflate or xz, or written in UTF-16: members of binary files, and texts that are sent to other machines.
 * Any thread. */
#ifndef PARE_TEXT_PACKING_H
#define PARE_TEXT_PACKING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "text/text.h"

typedef enum pare_packing_codec {
    PARE_PACKING_ZLIB,    /* RFC 1950 */
    PARE_PACKING_DEFLATE, /* RFC 1951, as in gzip and zip */
    PARE_PACKING_QUICK,   /* RFC 1950, where time counts for more than the last tenth of the size */
    PARE_PACKING_XZ,      /* a file of xz, by another library */
    PARE_PACKING_UTF16_LITTLE, /* a text in UTF-16 with its mark; plain, it is UTF-8 without one */
    PARE_PACKING_UTF16_BIG,
    PARE_PACKING_NONE /* the plain bytes themselves: what was written anew is not packed again */
} pare_packing_codec;

/* Whether there is the library for all but xz. */
bool pare_packing_is_there(void);

/* Appends the plain form of the member that `packed` begins with, at most `most` bytes; *used is how
 * many bytes of that it has, 0 where there is no whole member of that size, or no library.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_packing_open(pare_packing_codec codec, pare_span packed, size_t most,
                                         pare_buffer *plain, size_t *used, pare_error *err);

/* Appends the packed form of `bytes`.  Errors: PARE_E_NOMEM, PARE_E_UNSUPPORTED (no library). */
PARE_CHECK pare_status pare_packing_close(pare_packing_codec codec, const unsigned char *bytes,
                                          size_t n, pare_buffer *packed, pare_error *err);

#endif
