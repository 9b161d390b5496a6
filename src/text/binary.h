/* Whether bytes are a text. */
#ifndef PARE_TEXT_BINARY_H
#define PARE_TEXT_BINARY_H

#include <stddef.h>

/* How many bytes there are that no text has, those before the tabulator.  O(bytes). */
static inline size_t pare_bytes_of_no_text(const unsigned char *bytes, size_t n)
{
    size_t n_found = 0;
    for (size_t i = 0; i < n; i++)
        n_found += bytes[i] < '\t';
    return n_found;
}

#endif
