/* Code points out of bytes that may be anything. */
#ifndef PARE_PARSE_UTF8_H
#define PARE_PARSE_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum { PARE_UTF8_REPLACEMENT = 0xFFFD };

/* Decodes the code point at bytes[0], of `size` >= 1 bytes, and returns how many bytes it
 * takes.  A malformed stretch (the longest beginning of a sequence that is not one) is one
 * U+FFFD, as the Unicode standard recommends and Java's reader does. */
size_t pare_utf8_decode(const char *bytes, size_t size, uint32_t *point);

#endif
