/* Finds from where to where the size of a part may be for the failure to stay: the value of a whole number,
 * the length of a string, how often a list repeats.
 *
 * Plain data without an owner: a copy is a search of its own.  Nothing is run here: pare_range_asked says
 * which size is to be tested, pare_range_tell takes the outcome.  One thread. */
#ifndef PARE_EXPLAIN_RANGE_H
#define PARE_EXPLAIN_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "explain/sampler.h"

enum { PARE_RANGE_MOST_CONFIRMING = 59 /* all fail: 95 % do, with as much confidence */ };

typedef enum pare_range_state {
    PARE_RANGE_ASKS, /* pare_range_asked is to be tested */
    PARE_RANGE_FOUND, /* all that was tested from low to high fails, and what is just outside passes */
    PARE_RANGE_NONE /* both neighbours pass, or something between the ends does */
} pare_range_state;

typedef enum pare_range_stage {
    PARE_RANGE_ABOVE,     /* one more than the value */
    PARE_RANGE_BELOW,     /* one less */
    PARE_RANGE_GALLOP_UP, /* away from the value, in steps that are squared, until one passes */
    PARE_RANGE_HALVE_UP,  /* between the last size that failed and the first that passed */
    PARE_RANGE_GALLOP_DOWN,
    PARE_RANGE_HALVE_DOWN,
    PARE_RANGE_INSIDE /* some sizes between the ends */
} pare_range_stage;

/* A range, and where the search for it stands.  The claim is kind, value and the four fields after them;
 * the others are of the search alone. */
typedef struct pare_range {
    pare_part_kind kind; /* WHOLE, STRING or REPEAT */
    uint64_t value;      /* the part's own size, which fails */
    bool has_low, has_high;
    uint64_t low, high; /* the last sizes that fail, where there is an end on that side */

    bool has_hole; /* `hole` is known to pass, and may lie between the ends */
    uint64_t hole;
    pare_range_stage stage;
    bool above_fails, below_fails;
    uint64_t near, far, step; /* the last that failed, the first that passed; from the value on */
    uint32_t turn;            /* of the sizes between the ends */
} pare_range;

/* Begins the search; the neighbours come first, the one above before the one below.  What is known to pass
 * is given by pare_range_note_hole before the first outcome. */
void pare_range_start(pare_range *range, pare_part_kind kind, uint64_t value);
void pare_range_note_hole(pare_range *range, uint64_t size);

/* The size to test while the state is PARE_RANGE_ASKS. */
uint64_t pare_range_asked(const pare_range *range);

/* Takes whether that size fails.  Cost until the end in tests: 2 log2 of the length for a side with an end,
 * 7 for a side without one, and 6 between them. */
pare_range_state pare_range_tell(pare_range *range, bool fails);

/* The least and the largest size of the claim. */
uint64_t pare_range_lowest(const pare_range *range);
uint64_t pare_range_highest(const pare_range *range);

/* A size of the claim, drawn; where it has no upper end, not far from the part's own size: drawn up to the
 * largest number, nearly all of them would be huge. */
uint64_t pare_range_draw(const pare_range *range, uint64_t seed, uint32_t k);

/* How many sizes confirm the claim: all of a short range, else PARE_RANGE_MOST_CONFIRMING. */
uint32_t pare_range_n_confirming(const pare_range *range);

/* The k-th of them.  All of a short range in turn, so that no hole in it is missed; of a longer one draws,
 * none of them twice where that can be had.  Every other draw reaches to the very end, as the claim does. */
uint64_t pare_range_confirming(const pare_range *range, uint64_t seed, uint32_t k);

#endif
