/* SHA-512, for the integrity of what comes over the network.
 *
 * Not for speed: candidates have digests (digest.h), files have checksums
 * (checksum.h).  Any thread. */
#ifndef PARE_BASE_SHA512_H
#define PARE_BASE_SHA512_H

#include <stddef.h>
#include <stdint.h>

enum {
    PARE_SHA512_BYTES = 64,
    PARE_INTEGRITY_BYTES = 96 /* "sha512-", 88 letters of base64, NUL */
};

void pare_sha512(const void *bytes, size_t size, uint8_t digest[static PARE_SHA512_BYTES]);

/* The digest as package registries write it: "sha512-" and base64. */
void pare_sha512_integrity(const void *bytes, size_t size, char text[static PARE_INTEGRITY_BYTES]);

#endif
