/* A growing run of bytes; capacity doubles, so adding is O(1) amortised.
 * Invariant: data is NULL or data[size] is a NUL byte within capacity. */
#include "base/buffer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* Leaves an empty buffer, which may be used again. */
void pare_buffer_done(pare_buffer *buffer)
{
    pare_alloc_free(buffer->data);
    *buffer = (pare_buffer){0};
}

/* Keeps the memory for the next use. */
void pare_buffer_reset(pare_buffer *buffer)
{
    buffer->size = 0;
    if (buffer->data) buffer->data[0] = '\0';
}

/* Keeps one byte more than asked for, for the NUL byte.  Half of SIZE_MAX is refused before
 * anything is added to it, so that neither the sum nor the doubling below can overflow. */
pare_status pare_buffer_reserve(pare_buffer *buffer, size_t more, pare_error *err)
{
    if (more >= SIZE_MAX / 2 - buffer->size) return pare_fail_nomem(err);
    size_t needed = buffer->size + more + 1;
    if (needed <= buffer->capacity) return PARE_OK;
    size_t capacity = buffer->capacity ? buffer->capacity * 2 : 64;
    if (capacity < needed) capacity = needed;
    char *data = pare_alloc_resize(buffer->data, capacity, 1);
    if (!data) return pare_fail_nomem(err);
    data[buffer->size] = '\0';
    buffer->data = data;
    buffer->capacity = capacity;
    return PARE_OK;
}

/* Adds all of it or nothing. */
pare_status pare_buffer_add(pare_buffer *buffer, const void *bytes, size_t size, pare_error *err)
{
    pare_status status = pare_buffer_reserve(buffer, size, err);
    if (status) return status;
    if (size) memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
    assert(buffer->size < buffer->capacity); /* room for the NUL byte */
    buffer->data[buffer->size] = '\0';
    return PARE_OK;
}

/* Without the NUL, which every buffer has after its bytes anyway. */
pare_status pare_buffer_text(pare_buffer *buffer, const char *text, pare_error *err)
{
    return pare_buffer_add(buffer, text, strlen(text), err);
}

/* Formats twice: once for the size, once into the room made for it.  The arguments must not point
 * into the buffer, which may move in between. */
pare_status pare_buffer_format(pare_buffer *buffer, pare_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    pare_status status = size < 0 ? pare_fail(err, PARE_E_ARG, "text cannot be formatted")
                                  : pare_buffer_reserve(buffer, (size_t)size, err);
    if (!status) {
        (void)vsnprintf(buffer->data + buffer->size, (size_t)size + 1, format, again);
        buffer->size += (size_t)size;
    }
    va_end(again);
    return status;
}
