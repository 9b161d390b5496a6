/* Patch pools: the patches that a pass has to offer, and which of them can be made together.
 *
 * A pool tests patches in groups, from the large to the small, and among those of about
 * one size from the rear to the front, each on top of those that were accepted before.  A
 * group that does not fail is split in halves, a single patch gives way to its parts, at
 * once: nothing waits until all of one size were tried.  How many patches make a group is
 * learned from how often they could be made lately: where they mostly can, groups grow;
 * where they seldom can, patches are tried one by one, and nothing is spent on groups.
 * What is in the accepted set already, does not agree with it, was tried before, or is not
 * smaller, costs no test.
 *
 * There are two forms: a strategy like any other, whose bytes and trace do not depend on
 * the number of slots, and one that uses all slots at once.
 * Source: Shrink Ray's patches; the size of a group as in CDD (Zhang et al., ICSE 2025: the
 * one with the largest expected gain), by one rate for all patches instead of a counter for
 * each. */
#ifndef PARE_ENGINE_POOL_H
#define PARE_ENGINE_POOL_H

#include "engine/engine.h"
#include "engine/pool_options.h"
#include "engine/strategy.h"
#include "text/patch.h"

/* A pool over `patches` (a reference is taken), about the text that is the engine's best.
 * On PARE_OK the caller owns *out.
 * Cost in tests, of n patches of which k cannot be made: about k log(n / k), at most 2n
 * without the sweep; a sweep costs what was not tried since the last success.
 * Guarantee, with `sweep`: no single patch of the list, nor any part, can be made on top of
 * the result, if a candidate always has the same outcome.
 * Memory: 16 bytes a patch; a copy of the state shares all but what it goes on to change.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pool_strategy_new(pare_patches *patches,
                                              const pare_pool_options *options, pare_strategy **out,
                                              pare_error *err);

/* Runs a pool to its end or the budget's, as pare_engine_run does a strategy.
 *
 * With up to four slots, with few patches, in an uphill search, or for a deterministic
 * engine, that is the strategy above, with a filter and an early stop (engine/limited.h) as
 * the options say.  Otherwise no slot waits for another: patches are tested on top of the
 * tentative union of all that was made so far (engine/pool_parallel.c), even if its
 * members have only been tested separately.  What can be made on top of the union confirms
 * it; when nothing can, one test at a time tries the union itself; when that does not fail,
 * half of it is rolled back, and the tests that started from it are given up.  Outcomes
 * retire as they come, so bytes and trace depend on how long tests take.
 * Guarantee: as above, for a pool that ran to its end.  With an early stop no more tests are
 * under way than may be in vain, and the union is confirmed at the end.
 * Errors: as pare_engine_run.
 * Source: parallel simulation, treemerge_batch (docs/design/sources.md).  Deviations: the sizes of
 * groups are learned, and groups are tried from the rear, instead of halving all; tests
 * start from the tentative union instead of waiting for its confirmation. */
PARE_CHECK pare_status pare_engine_run_pool(pare_engine *engine, pare_patches *patches,
                                            const pare_pool_options *options, pare_engine_end *end,
                                            pare_error *err);

/* The first success: a strategy that tests the `n` patches `picked` of `patches` (copied, and a
 * reference taken), each alone, in that order, from the one at place `first` on, until one fails.
 *
 * For steps that are not wanted for themselves, such as those that grow the text: what follows
 * from the one that fails is for the caller to find out, who then may go on after it.
 * On PARE_OK the caller owns *out.  Cost in tests: at most n - first.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pool_first_success_new(pare_patches *patches, const uint32_t *picked,
                                                   size_t n, size_t first, pare_strategy **out,
                                                   pare_error *err);

/* The place in `picked` of the patch that failed; n when none did, or not yet. */
size_t pare_pool_first_success_place(const pare_strategy *strategy);

#endif
