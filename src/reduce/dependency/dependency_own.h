/* Members of a class's own, and names that are looked up to them.  For the rules and the ties. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_OWN_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_OWN_H

#include <stdbool.h>

#include "base/fail.h"
#include "reduce/dependency/dependency_lists.h"
#include "reduce/dependency/outline.h"

/* The first member of the class's own that is called `word` and is after the node `after`, which may be the
 * class; PARE_NO_NODE: there is none.  `named`: by word, the nodes that declare it, in the order of the text. */
uint32_t pare_dependency_own_after(const pare_outline *outline, const pare_dependency_lists *named,
                                   uint32_t class, uint32_t word, uint32_t after);

/* The class that the node is a part of, or PARE_NO_NODE. */
uint32_t pare_dependency_own_class(const pare_outline *outline, uint32_t node);

/* What is known of classes; all-zero: nothing. */
typedef struct pare_dependency_own {
    const pare_outline *outline;        /* borrowed, as is */
    const pare_dependency_lists *named; /* see above */
    unsigned char *has_bases;           /* owned; by node */
    unsigned char
        *goes_beyond; /* owned; by word: it is defined outside of its class, or overridden */
    uint32_t
        *defines; /* owned; by node, of a member that is defined outside of its class: the class */
} pare_dependency_own;

/* `outer`: by node, of a member that is defined outside of its class, what that is called, or PARE_NO_WORD.  On PARE_OK,
 * and only then, *own is to be given to done.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_own_find(const pare_outline *outline,
                                                const pare_dependency_lists *named,
                                                const uint32_t *outer, pare_dependency_own *own,
                                                pare_error *err);
void pare_dependency_own_done(pare_dependency_own *own); /* all-zero is a no-op */

/* The class in which the node's names are looked up: that which it is a part of, or that of which its body defines a
 * member outside; PARE_NO_NODE: none, or that is not known. */
uint32_t pare_dependency_own_around(const pare_dependency_own *own, uint32_t node);

/* The class whose own members a name that is used plainly is looked up to, whoever else has some of that name;
 * PARE_NO_NODE: it is not told.  *perhaps: a class on the way has bases, of which one may have it instead. */
uint32_t pare_dependency_own_scope(const pare_dependency_own *own, const pare_outline_use *use,
                                   bool *perhaps);

#endif
