/* Protected text: what of a file every candidate keeps.
 *
 * Which bytes are protected is decided once, on the input: by comments, whole lines from
 * one that says pare:keep-begin to the next that says pare:keep-end (or the end of the
 * file), and by regular expressions.  From then on a protected stretch is known by its
 * bytes: a text keeps a file's stretches when it has them all, in their order, without
 * overlap.  So they stay whatever happens around them, also where an expression would
 * not match any more.  One thread. */
#ifndef PARE_TEXT_PROTECT_H
#define PARE_TEXT_PROTECT_H

#include <stdint.h>

#include "base/buffer.h"
#include "text/pattern.h"
#include "text/text.h"

/* One stretch: bytes of pare_protected.bytes. */
typedef struct pare_protected_text {
    uint32_t file; /* a number that the caller gives; ascending */
    size_t at, size;
} pare_protected_text;

/* All-zero protects nothing. */
typedef struct pare_protected {
    pare_buffer bytes;
    pare_protected_text *texts; /* owned */
    size_t n, capacity;
} pare_protected;

void pare_protected_done(pare_protected *protected_text);

/* Finds what the comments and `n` patterns protect of `content`, the bytes of file
 * number `file`, which is not below those given before.  Matches that touch are one.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (a pattern takes too long). */
PARE_CHECK pare_status pare_protected_add(pare_protected *protected_text, uint32_t file,
                                          pare_span content, pare_pattern *const *patterns,
                                          size_t n, pare_error *err);

/* Whether anything of `file` is protected. */
bool pare_protected_has(const pare_protected *protected_text, uint32_t file);

/* Where the stretches of `file` stand in `content`, each at the leftmost place after the one
 * before: fills `places` (room for `most`; may be NULL) and sets *n to how many there are.
 * False when one is missing.  O(bytes). */
bool pare_protected_find(const pare_protected *protected_text, uint32_t file, pare_span content,
                         pare_stretch *places, size_t most, size_t *n);

#endif
