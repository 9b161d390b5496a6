/* What groups that were dropped in vain have in common. */
#ifndef PARE_REDUCE_DEPENDENCY_DELETIONS_BLAME_H
#define PARE_REDUCE_DEPENDENCY_DELETIONS_BLAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/fail.h"
#include "base/shared.h"
#include "reduce/dependency/dependency_graph.h"

enum { PARE_DELETIONS_BLAME_MOST = 8 }; /* faults that are known */

/* Something that a compiler complained of when groups had gone: at `node`, in words that are told by `name`. */
typedef struct pare_deletions_fault {
    uint32_t node;
    pare_digest name;
    pare_shared *
        common; /* bits: what was gone each time, as far as it was not gone without the complaint */
    unsigned n; /* times; 0: there is none */
} pare_deletions_fault;

/* All-zero: nothing is blamed. */
typedef struct pare_deletions_blame {
    pare_shared
        *gone; /* uint8_t by node: how often it went in vain, though that compiled; NULL: never */
    pare_deletions_fault faults[PARE_DELETIONS_BLAME_MOST];
    unsigned n_faults; /* so many were new, the last of which are kept */
} pare_deletions_blame;

void pare_deletions_blame_done(pare_deletions_blame *blame); /* all-zero is a no-op */
void pare_deletions_blame_share(pare_deletions_blame *copy); /* after it was copied by value */

/* Makes a list with room for `n` items, and sets *items to them, to be written.  On PARE_OK the caller owns *out, one
 * reference.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_blame_new_list(size_t n, size_t item_bytes, pare_shared **out,
                                                     void **items, pare_error *err);

/* Words of the bits of nodes alone, without those of facts. */
size_t pare_deletions_blame_words(const pare_dependency *graph);

/* Of a set of so many words as nodes need: takes out the bits of facts that share the last. */
void pare_deletions_blame_drop_facts(const pare_dependency *graph, pare_dependency_bits *set);

/* What went with the chosen, `gone`, is blamed once more: that compiled, and was in vain.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_blame_gone(pare_deletions_blame *blame,
                                                 const pare_dependency *graph,
                                                 const pare_dependency_bits *gone, pare_error *err);

/* A candidate: what is left of the set it was made of.  All pointers are borrowed. */
typedef struct pare_deletions_candidate {
    const pare_dependency *graph;
    const pare_dependency_bits *within, *kept;
} pare_deletions_candidate;

/* The candidate was rejected for the fault, of which `common` and `n` are not read, and nothing that could be learned
 * mended it.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_blame_fault(pare_deletions_blame *blame,
                                                  const pare_deletions_candidate *candidate,
                                                  const pare_deletions_fault *fault,
                                                  pare_error *err);

/* The candidate was rejected for none: what it lacks is no fault by itself, as far as who complained of it is there.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_blame_clear(pare_deletions_blame *blame,
                                                  const pare_deletions_candidate *candidate,
                                                  pare_error *err);

/* Choices: for each, so many words of bits as nodes need for what is left without it, and for what cannot do without it;
 * all borrowed. */
typedef struct pare_deletions_blame_view {
    const pare_dependency *graph;
    const pare_dependency_bits *within;
    const pare_dependency_bits *sets, *drops;
    size_t n;
} pare_deletions_blame_view;

/* Sets shares[i], of each choice, to how much it is blamed, 0 .. 1.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_deletions_blame_choices(const pare_deletions_blame *blame,
                                                    const pare_deletions_blame_view *view,
                                                    double *shares, pare_error *err);

#endif
