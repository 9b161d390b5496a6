/* Fast checksums of bytes that are read once: XXH3.
 *
 * For journal records and for noticing that a file changed; candidates have digests
 * (digest.h), which can be joined.  Not for use against an adversary.
 * Source: the xxHash library, used inline from its header. */
#ifndef PARE_BASE_CHECKSUM_H
#define PARE_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"

uint64_t pare_checksum(const void *bytes, size_t size);

/* 128 bits, for names; `seed` chains several byte strings. */
pare_digest pare_checksum_wide(pare_digest seed, const void *bytes, size_t size);

#endif
