/* The shorter way of the deriver, for runs in which nothing is recorded, replayed, weighted or
 * hooked, as nearly all are when texts are made by the million.
 *
 * Rules are laid out as steps with jumps, one behind the other.
 * Invariant: the same numbers are drawn in the same order as by the long way, so the texts and
 * the alternatives covered are the same (tests/unit/test_deriver.c). */
#ifndef PARE_GENERATE_DERIVER_PLAIN_H
#define PARE_GENERATE_DERIVER_PLAIN_H

#include "generate/deriver_run.h"
#include "grammar/grammar.h"

/* Lays out the rules for a deriver, which owns what comes of it; of a grammar that is nested too
 * deeply nothing does, and the way is the long one.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deriver_plain_init(struct pare_deriver *d, pare_error *err);
void pare_deriver_plain_done(struct pare_deriver *d);

/* Whether the run may go the shorter way. */
bool pare_deriver_is_plain(const struct pare_deriver_run *run);

/* Makes a text from the start rule on, whose state is that of a run that begins. */
PARE_CHECK pare_status pare_deriver_run_plain(struct pare_deriver_run *run);

/* Appends a text of a lexer rule to the piece. */
PARE_CHECK pare_status pare_deriver_make_plain(struct pare_deriver_run *run, pare_index rule);

#endif
