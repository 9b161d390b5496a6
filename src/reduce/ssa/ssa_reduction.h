/* Reduction of a text of instructions. */
#ifndef PARE_REDUCE_SSA_SSA_REDUCTION_H
#define PARE_REDUCE_SSA_SSA_REDUCTION_H

#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/ssa/ssa.h"
#include "text/text.h"

/* The strategy over bytes begin .. end-1 of the flat `text`, to which a reference is taken, read by
 * `dialect`.  On PARE_OK the caller owns *out.
 * Cost in tests: at most 6 for what can be said of the whole text at once; then about
 * k (log2(n / k) + 2) for k needed functions, statements and lines of the top level of n each; each
 * stage is left once 24 tests in a row have removed nothing.  Deterministic, not 1-minimal.
 * Memory: the text once for each state that is not shared.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_ssa_reduction_new(const pare_text *text, size_t begin, size_t end,
                                              const pare_ssa_dialect *dialect, pare_strategy **out,
                                              pare_error *err);

#endif
