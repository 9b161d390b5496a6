/* A shortest edit script between two sequences of symbols, in linear space. */
#ifndef PARE_TEXT_MYERS_H
#define PARE_TEXT_MYERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A sequence of symbols, equal when their numbers are.  Symbol i stands for unit
 * unit[i], and is found to differ by setting differs[unit[i]].  Borrowed. */
typedef struct pare_symbols {
    const uint32_t *symbol; /* n of them */
    const uint32_t *unit;   /* n of them */
    size_t n;               /* below 2^32 */
    unsigned char *differs; /* by unit; set to 1 where a symbol is in one sequence only */
} pare_symbols;

/* Marks the symbols that are not part of a longest common subsequence.  A stretch of
 * both whose script would take more than about 2 * `cost` steps is marked as a whole.
 * O(different symbols * symbols) in time, at most O(cost^2) a stretch; 32 bytes for each
 * step of `cost`.
 * Errors: PARE_E_NOMEM; nothing is marked then. */
PARE_CHECK pare_status pare_myers_mark(const pare_symbols *old, const pare_symbols *new,
                                       size_t cost, pare_error *err);

#endif
