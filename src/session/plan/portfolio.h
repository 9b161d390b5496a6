/* Several ways to reduce one input, side by side: as bytes, as a tree, as choices.
 *
 * One strategy made of others.  They take turns until a member has made a text of at most nine
 * tenths of the input: it leads, until another one makes its text smaller by a tenth again.  The
 * leader asks next.  Another one's turn comes when the leader has asked in vain four times as
 * often as that one, and what all others ask in vain together is at most a third of all the
 * rest, or seven tests.  Bytes and tree go on from the smallest text of all; recorded choices
 * cannot, for it need not be a text of their generator.  When the leader has nothing left to try,
 * and the others have had their share, the run has ended: members that are larger are stopped.
 *
 * What they ask for is one stream of candidates, so there is one cache and one budget, and the
 * same steps at every number of jobs.  A candidate that the cache knows costs no member anything.
 * The best is the smallest of all, in the order of text/order.h.
 * Cost: about 4/3 of the tests of the member that wins, and what is spent before it leads.
 * Source: ours; seed 004 asks which way is best, and its answer is that it depends on the
 * failure (docs/guide/choices.md).  That members are stopped by what they cost is as in successive
 * halving (Jamieson and Talwalkar, AISTATS 2016), in proportion to the leader's cost instead of
 * in rounds. */
#ifndef PARE_SESSION_PLAN_PORTFOLIO_H
#define PARE_SESSION_PLAN_PORTFOLIO_H

#include "base/buffer.h"
#include "engine/strategy.h"
#include "session/plan/work.h"
#include "text/text.h"

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
