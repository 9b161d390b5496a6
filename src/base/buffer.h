/* A growing run of bytes.  One thread.
 *
 * An all-zero struct is an empty buffer.  `data` always has room for a NUL
 * byte after `size`, and has one there after each call, so that it can be
 * handed out as text. */
#ifndef PARE_BASE_BUFFER_H
#define PARE_BASE_BUFFER_H

#include <stddef.h>

#include "base/fail.h"

typedef struct pare_buffer {
    char *data;            /* owned; NULL while empty */
    size_t size, capacity; /* bytes */
} pare_buffer;

void pare_buffer_done(pare_buffer *buffer);
void pare_buffer_reset(pare_buffer *buffer); /* empties, keeps the memory */

/* Room for `more` bytes after size.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_buffer_reserve(pare_buffer *buffer, size_t more, pare_error *err);

/* Appends; on error the buffer is as it was.  Errors: PARE_E_NOMEM; of `format` also
 * PARE_E_ARG, when printf itself refuses. */
PARE_CHECK pare_status pare_buffer_add(pare_buffer *buffer, const void *bytes, size_t size,
                                       pare_error *err);
PARE_CHECK pare_status pare_buffer_text(pare_buffer *buffer, const char *text, pare_error *err);
PARE_CHECK pare_status pare_buffer_format(pare_buffer *buffer, pare_error *err, const char *format,
                                          ...) __attribute__((format(printf, 3, 4)));

#endif
