/* SHA-1, as file formats keep it of their own bytes; it protects nothing.
 *
 * Any thread. */
#ifndef PARE_BASE_SHA1_H
#define PARE_BASE_SHA1_H

#include <stddef.h>
#include <stdint.h>

enum { PARE_SHA1_BYTES = 20 };

/* O(size). */
void pare_sha1(const void *bytes, size_t size, uint8_t digest[static PARE_SHA1_BYTES]);

#endif
