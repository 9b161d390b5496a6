/* Texts in UTF-16, whose plain form is UTF-8.  Any thread. */
#ifndef PARE_TEXT_PACKING_UTF16_H
#define PARE_TEXT_PACKING_UTF16_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "text/text.h"

/* Appends the plain form of `packed`, at most `most` bytes, without the byte order mark.  *used is its size, 0
 * where it is no such text: it has to begin with the mark, little-endian or not, and to hold nothing but whole
 * characters of texts.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_packing_utf16_open(bool is_little, pare_span packed, size_t most,
                                               pare_buffer *plain, size_t *used, pare_error *err);

/* Appends `bytes` in UTF-16, behind a mark.  What is no UTF-8, as where a character was cut, becomes U+FFFD.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_packing_utf16_close(bool is_little, const unsigned char *bytes,
                                                size_t n, pare_buffer *packed, pare_error *err);

#endif
