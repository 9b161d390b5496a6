/* Several ways to reduce one input, side by side: as bytes, as a tree, as choices.
 *
 * One strategy made of others.  Each member goes its own way from the input, over what it has
 * made smaller itself; they take turns, the one that was told the fewest outcomes next.  What
 * they ask for is one stream of candidates, so there is one cache and one budget, and the same
 * steps at every number of jobs.  The best is the smallest candidate of all, in the order of
 * text/order.h.  Source: ours; seed 004 asks which way is best, and its answer is that it
 * depends on the failure (docs/choices.md). */
#ifndef PARE_PIPELINE_PORTFOLIO_H
#define PARE_PIPELINE_PORTFOLIO_H

#include "pipeline/phase.h"

/* On PARE_OK the caller owns *out, which borrows `work`; `text` is the input, flat.  Choices
 * take part where they were recorded, or where a generator reads the input as its choices.
 * Errors: those of the members' strategies. */
PARE_CHECK pare_status pare_portfolio_new(pare_work *work, const pare_text *text,
                                          pare_strategy **out, pare_error *err);

/* The strategy of the recorded choices; NULL: none, or it was never asked. */
const pare_strategy *pare_portfolio_choices(const pare_strategy *portfolio);

/* Appends "bytes 12, tree 10, choices 8": what each member came to, in bytes.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_portfolio_describe(const pare_strategy *portfolio, pare_buffer *to,
                                               pare_error *err);

#endif
