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

enum { PARE_VARY_NOTED = 128 /* samples of a part of which it is noted what came of them */ };

/* What is known of one part. */
typedef struct pare_answer {
    pare_part_verdict verdict;
    uint32_t samples, fails;
    bool has_low, has_high;
    uint64_t low, high;
    bool is_low_vague, is_high_vague; /* as in pare_explained_part; set by ends.h */
    uint32_t group; /* from 1, the largest: what is in it was varied at once; 0: nothing was */
    /* What passed last in its place: a sample, or with `passing_is_size` one of that size. */
    bool has_passing, passing_is_size;
    uint64_t passing;
    uint32_t next; /* sample that confirms the claim next */
    uint32_t rank; /* among what is to join the group at hand */
    bool is_aside; /* until the next group */
    /* Bit sets over its samples and edges, by their index: those that were tried, and those that still failed. */
    uint64_t tried[PARE_VARY_NOTED / 64], failed[PARE_VARY_NOTED / 64];
} pare_answer;

/* What may vary at once. */
typedef struct pare_vary_groups {
    uint32_t n;              /* groups */
    size_t n_first;          /* parts of the first one */
    size_t n_alone;          /* parts for which there were no tests left */
    uint32_t samples, fails; /* of the first group as a whole, beside those that made it */
    bool is_known;
} pare_vary_groups;

/* Makes the strategy over `parts` of `text` (flat; a reference is taken); `parts` is borrowed and must
 * outlive it.  It ends after about `most_tests` tests where it is only confirming.  On PARE_OK the caller
 * owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_vary_new(const pare_text *text, const pare_parts *parts,
                                     uint32_t most_tests, pare_strategy **out, pare_error *err);

/* What it has found out so far; `part` below the number of parts. */
pare_answer pare_vary_answer(const pare_strategy *vary, size_t part);

/* Whether the part lies, in all its places, inside nodes of which any will do, so that nothing was
 * asked about it. */
bool pare_vary_is_covered(const pare_strategy *vary, size_t part);

pare_vary_groups pare_vary_together(const pare_strategy *vary);

/* Appends what passed last in the place of the part, which has something (pare_answer).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_vary_passing(const pare_strategy *vary, size_t part, pare_buffer *out,
                                         pare_error *err);

/* Appends the part as it is with that size, of a kind that has one.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_vary_sized(const pare_strategy *vary, size_t part, uint64_t size,
                                       pare_buffer *out, pare_error *err);

/* Appends the text, with each part of the first group replaced by its kind: "f(<number>, x)".
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_vary_pattern(const pare_strategy *vary, pare_buffer *out,
                                         pare_error *err);

#endif
