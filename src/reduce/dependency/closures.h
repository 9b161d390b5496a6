/* Reduction over a dependency graph: candidates are closed sets of nodes. */
#ifndef PARE_REDUCE_DEPENDENCY_CLOSURES_H
#define PARE_REDUCE_DEPENDENCY_CLOSURES_H

#include "base/fail.h"
#include "engine/strategy.h"
#include "reduce/dependency/dependency_graph.h"

/* The strategy over `graph`, to which a reference is taken.  On PARE_OK the caller owns *out.
 * Cost: 4 + log4(n) tests to find out which way pays; then O(k log n) for n nodes of which k are
 * roots (what no other root needs); then as many deletions as pay.  It ends early when nothing
 * pays.  Deterministic, not 1-minimal.  Memory: 2 bits and up to 20 bytes a node, shared between
 * copies.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_new(pare_dependency *graph, pare_strategy **out,
                                         pare_error *err);

/* Has it first propose the text as it is, and hear where the program was when it failed (hears_fails
 * of strategy.h): what stands there is looked at first.  To be called before anything else.
 * Cost: one test, which is known already but for what it says. */
void pare_closures_ask(pare_strategy *closures);

/* Tells it of which places of the text, `n` offsets that ascend, a compiler makes code: bodies without any are left out
 * at first, as they are templates or inline functions that nobody calls.  To be called before anything else, once; without
 * any places it says nothing.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_know_emitted(pare_strategy *closures, const size_t *places,
                                                  size_t n, pare_error *err);

/* The set that was proposed last, for tests: nodes and facts. */
const pare_dependency_bits *pare_closures_proposed(const pare_strategy *closures);

#endif
