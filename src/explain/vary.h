/* Asks what of a text may vary: a strategy that proposes variants, one part at a time, and ends with a
 * verdict about each part.  The text itself stays its best, whatever fails. */
#ifndef PARE_EXPLAIN_VARY_H
#define PARE_EXPLAIN_VARY_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/explain.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "engine/strategy.h"
#include "explain/parts.h"
#include "text/text.h"

/* What is known of one part. */
typedef struct pare_answer {
    pare_part_verdict verdict;
    uint32_t samples, fails;
    bool has_low, has_high;
    uint64_t low, high;
} pare_answer;

/* Makes the strategy over `parts` of `text` (flat; a reference is taken); `parts` is borrowed and must
 * outlive it.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_vary_new(const pare_text *text, const pare_parts *parts,
                                     pare_strategy **out, pare_error *err);

/* What it has found out so far; `part` below the number of parts. */
pare_answer pare_vary_answer(const pare_strategy *vary, size_t part);

/* Whether the part lies, in all its places, inside nodes of which any will do, so that nothing was
 * asked about it. */
bool pare_vary_is_covered(const pare_strategy *vary, size_t part);

/* Whether all that may vary was varied at once: -1 not tried, 0 the failure was gone, 1 it stayed. */
int pare_vary_together(const pare_strategy *vary);

/* Appends the text with what may vary as <kind>.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_vary_pattern(const pare_strategy *vary, pare_buffer *out,
                                         pare_error *err);

#endif
