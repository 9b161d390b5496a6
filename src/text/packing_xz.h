/* Files of xz.  Any thread. */
#ifndef PARE_TEXT_PACKING_XZ_H
#define PARE_TEXT_PACKING_XZ_H

#include <stddef.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "text/text.h"

/* Appends the plain form of the stream that `packed` begins with, at most `most` bytes; *used is how
 * many bytes of that it has, 0 where there is no whole stream of that size, or no library.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_packing_xz_open(pare_span packed, size_t most, pare_buffer *plain,
                                            size_t *used, pare_error *err);

/* Appends the packed form of `bytes`.  Errors: PARE_E_NOMEM, PARE_E_UNSUPPORTED (no library). */
PARE_CHECK pare_status pare_packing_xz_close(const unsigned char *bytes, size_t n,
                                             pare_buffer *packed, pare_error *err);

#endif
