/* Cuts: which stretches of a base text are left out or replaced, and the text that makes.
 *
 * The part of a tree's state that knows texts and no nodes.  Cuts ascend and do not
 * overlap; two that touch and print nothing are one.  Positions in the base and in the
 * current text are bytes.  One thread. */
#ifndef PARE_REDUCE_TREE_CUTS_H
#define PARE_REDUCE_TREE_CUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "text/candidate.h"
#include "text/text.h"

/* Base bytes from .. to-1, for which the current text has `size` bytes at `at`: a space if
 * `lead`, the text that was put in, a space if `trail`. */
typedef struct pare_cut {
    uint32_t from, to;
    uint32_t at, size;
    bool lead, trail;
} pare_cut;

/* Base bytes from .. to-1 are to print `text` (borrowed) from now on. */
typedef struct pare_new_cut {
    uint32_t from, to;
    const char *text;
    uint32_t size;
} pare_new_cut;

/* The cuts that made `text` from its base; borrowed. */
typedef struct pare_cuts {
    const pare_text *text;
    const pare_cut *cuts;
    size_t n;
    bool spaced; /* a space between two word-like bytes that come to touch */
} pare_cuts;

/* Writes `text` after more cuts, given one by one in ascending order. */
typedef struct pare_cutter {
    const pare_cuts *old;
    pare_candidate *candidate; /* borrowed */
    pare_cut *out;             /* room for old->n and the new ones, or NULL; borrowed */
    size_t n_out;
    size_t next;      /* old cut that was not looked at yet */
    size_t cursor;    /* the current text is written up to here */
    bool open;        /* a cut was just written; what follows it was not */
    uint32_t open_to; /* base byte where it ends */
    int last;         /* byte written last; -1: none */
} pare_cutter;

/* `candidate` is started over the current text. */
void pare_cutter_init(pare_cutter *cutter, const pare_cuts *old, pare_candidate *candidate,
                      pare_cut *out);

/* Parts of `cut` that are gone already are passed over.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_cutter_add(pare_cutter *cutter, pare_new_cut cut, pare_error *err);

/* Writes the rest.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_cutter_end(pare_cutter *cutter, pare_error *err);

/* Whether cuts ascend, lie in the text and do not overlap; for tests. */
bool pare_cuts_check(const pare_cuts *cuts);

#endif
