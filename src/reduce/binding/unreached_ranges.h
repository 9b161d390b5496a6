/* What a run of a program did not reach, and how much of the program around it is to go with it. */
#ifndef PARE_REDUCE_BINDING_UNREACHED_RANGES_H
#define PARE_REDUCE_BINDING_UNREACHED_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"
#include "reduce/passes/pass.h"

/* What is offered for what was not reached. */
typedef enum pare_unreached_depth {
    PARE_UNREACHED_INSIDE, /* it alone: the functions and branches around it stay, emptied */
    PARE_UNREACHED_AROUND  /* the statement around each function or branch of which nothing was
                              reached: its declaration, the assignment of it */
} pare_unreached_depth;

/* Whether a piece, `size` bytes with those around it by which its place is known again, was not offered
 * before; it counts as offered from then on.  Errors: PARE_E_NOMEM. */
typedef pare_status pare_unreached_note(void *context, const void *piece, size_t size, bool *is_new,
                                        pare_error *err);

/* The bytes that were not reached: they ascend and do not overlap; borrowed. */
typedef struct pare_unreached {
    const pare_extent *ranges;
    size_t n;
    bool by_line; /* known by lines: a range may begin and end beside what was meant */
    pare_unreached_note *is_new; /* asked for each piece before it is offered; NULL: all are new */
    void *context;               /* of is_new; borrowed */
} pare_unreached;

#endif
