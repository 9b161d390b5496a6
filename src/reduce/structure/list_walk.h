/* The walk over a list of items from the rear: which part is next, and what to do with one that cannot go. */
#ifndef PARE_REDUCE_STRUCTURE_LIST_WALK_H
#define PARE_REDUCE_STRUCTURE_LIST_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/group_odds.h"
#include "reduce/structure/part.h"
#include "reduce/structure/structure.h"

enum { PARE_LIST_WALK_PIECES = 140 }; /* each split leaves less than three quarters of the bytes */

/* A part of the list that waits. */
typedef struct pare_list_piece {
    pare_part part;
    bool waits;      /* for its turn */
    uint32_t family; /* of the pieces of one part, the same; 0: of none */
    uint32_t
        origin; /* the same of all pieces of a part that was cut ahead of its turn; 0: it was not */
} pare_list_piece;

/* How often something was tried and worked. */
typedef struct pare_list_luck {
    double tries, wins;
} pare_list_luck;

/* What is known of one list. */
typedef struct pare_walked_list {
    pare_group_odds odds; /* of its items, from the rear */
    size_t base;          /* pieces on the stack that are of other lists */
    bool by_records;      /* its items are records */
    bool searching;       /* the rear pieces hold an item that is needed, which is looked for */
    bool heavy;           /* it is a good part of what was left when it was begun */
    bool deep;            /* a single item of it was reached, */
    unsigned n_misses;    /* and so many tests in a row since were in vain */
} pare_walked_list;

/* A walk; all-zero: none was begun.  A value without pointers.  Any thread. */
typedef struct pare_list_walk {
    pare_list_piece stack[PARE_LIST_WALK_PIECES];
    size_t n_stack;
    size_t at;             /* where the pieces of the part at hand belong there */
    pare_list_piece piece; /* taken last: the part at hand */
    uint32_t n_families;
    uint32_t origin;         /* of the pieces that are put there */
    bool ahead;              /* the part at hand was not the rear one */
    pare_list_luck early;    /* of parts ahead of their turn */
    unsigned n_ahead;        /* of these in a row could not go */
    pare_list_luck turns[2]; /* of rear ones, of those ahead of their turn, of late */
    bool active;             /* there is such a list */
    pare_walked_list list;   /* what is known of it, */
    pare_walked_list outer;  /* and of the one that has it as a record, */
    bool inside;             /* if there is such a one: */
    size_t left_outside;     /* bytes that were left when the record was opened */
    bool
        found; /* an item that is needed, by a search, and nothing in front of it was tried since */
    unsigned n_idle;         /* so many such items in a row let nothing heavy in front of them go */
    unsigned n_vain_records; /* of so many of them in a row nothing went */
} pare_list_walk;

/* Begins a walk over `part`, a list that cannot go as a whole, and makes that the part at hand.  `left`: bytes of the text that
 * are left.  There must be no walk. */
void pare_list_walk_begin(pare_list_walk *walk, const pare_structure *structure,
                          const pare_part *part, size_t left);

/* Leaves lists of which nothing is left, or which are worth less than the heap: what remains of them goes there.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_list_walk_leave(pare_list_walk *walk, const pare_structure *structure,
                                            size_t left, pare_part_heap *heap, pare_error *err);

/* Takes the next part, which becomes that at hand.  False: that it cannot go is known without a test.  Only if there is a walk that
 * was not left. */
bool pare_list_walk_take(pare_list_walk *walk, const pare_structure *structure, size_t left);

/* Notes whether the part at hand went, as a whole; `left`: bytes that were left before. */
void pare_list_walk_note(pare_list_walk *walk, const pare_structure *structure, size_t left,
                         bool went);

/* The part at hand cannot go: its pieces take its place, or it waits, or counts as an item that is needed.  Then what is in it goes
 * to the heap, or is walked over at once.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_list_walk_refuse(pare_list_walk *walk, const pare_structure *structure,
                                             size_t left, pare_part_heap *heap, pare_error *err);

#endif
