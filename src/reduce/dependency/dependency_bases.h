/* Ties: what a node cannot do without, though it does not come with it, such as the bases through
 * which it reaches a member.  For dependency_rules.c alone. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_BASES_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_BASES_H

#include "base/fail.h"
#include "reduce/dependency/dependency_lists.h"
#include "reduce/dependency/dependency_own.h"
#include "reduce/dependency/outline.h"

/* What ties are found by; all borrowed. */
typedef struct pare_dependency_bases_source {
    const pare_outline *outline;
    const pare_dependency_pairs *names; /* all words and nodes that declare them */
    const pare_dependency_lists
        *named;                     /* the same as lists: word: nodes, in the order of the text */
    const unsigned char *is_member; /* by word: some member is called so */
    const pare_dependency_own *own;
} pare_dependency_bases_source;

/* Makes lists, by node, of what it is tied to.  On PARE_OK the caller owns what *ties holds.  Linear in the
 * outline but for classes with many bases, of which no more than some dozen are gone through for one
 * use.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_bases_tie(const pare_dependency_bases_source *source,
                                                 pare_dependency_lists *ties, pare_error *err);

#endif
