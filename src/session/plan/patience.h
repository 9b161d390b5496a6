/* Patience: how many tests in vain a run of the default may end with. */
#ifndef PARE_SESSION_PLAN_PATIENCE_H
#define PARE_SESSION_PLAN_PATIENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/limited.h"
#include "session/plan/work.h"

/* Terms of phases that are no passes, which know no end but their own: in their first run, and
 * whenever others are waiting. */
extern const pare_early_stop_terms pare_patience_coarse_terms, pare_patience_terms;

/* Terms of a first look for which of `n` parts may go: not many more tests in vain than a bisection of
 * them takes. */
pare_early_stop_terms pare_patience_among(size_t n);

/* How many tests may follow a gain that came after `gained_at` of them. */
uint64_t pare_patience_after(uint64_t gained_at);

/* How many tests may still be in vain; UINT64_MAX: as many as there are to do (PARE_EFFORT_MAX,
 * folders, and while `work` goes through the coarse phases). */
uint64_t pare_patience_left(const pare_work *work);

/* How many of those are kept for the sweep that shows that no single unit of the finest phase can
 * go: of a text of `size` bytes; 0 if there are too few left for it. */
uint64_t pare_patience_kept(uint64_t left, size_t size);

/* Has what runs from now on end (PARE_END_VAIN) when it does not earn its tests by `yield` (NULL:
 * whatever it earns), and when the patience is at an end but for `kept` tests. */
void pare_patience_guard(pare_work *work, const pare_early_stop_terms *yield, uint64_t kept);

#endif
