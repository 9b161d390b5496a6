/* Going on behind letters that leave the grammar.
 *
 * Where no item can take the next letter, the set is made again without look-ahead, and
 * the constructs open there are closed one inside the other, as if the rest of each had
 * been left out: level 0 holds the items as they are, level l + 1 what waits for an item
 * of level l.  Parsing resumes with the letters j behind the error where an item of some
 * level can take letter j, at its dot or at a later one of its production.  That costs
 *
 *     2 for each letter left out + 2 for each level + 1 when symbols are left out,
 *
 * and the cheapest place is taken behind which the next three letters parse, too, of the
 * eight cheapest; if there is none, the one behind which most letters parse.  When no
 * letter fits any more, all is closed at the end of the input.
 *
 * So a good beginning and what is behind the hole stay as they would be without it, a
 * hole costs as little as it can within one construct, and lists go on at their next
 * element.  Work for each error is bounded: 1,024 items and 32 levels to resume with, 32
 * letters looked at beyond those that are left out for good, 8 trials of 3 letters.
 *
 * Sources: Graham and Rhodes, CACM 18(11), 1975 (costs of changes); Burke and Fisher,
 * TOPLAS 9(2), 1987 (trials of the next letters); Aho and Johnson's yacc (three letters);
 * deviation: one error is mended at a time, the least total cost is not searched for
 * (Lyon, CACM 17(1), 1974, needs cubic time). */
#ifndef PARE_PARSE_EARLEY_MEND_H
#define PARE_PARSE_EARLEY_MEND_H

#include "parse/earley_run.h"

enum { PARE_MEND_CANDIDATES = 8, PARE_MEND_LEVELS = 32 };

/* A place to resume at. */
typedef struct pare_mend_candidate {
    uint32_t to;          /* letter to be taken next */
    uint32_t price, cost; /* price: without the letters left out */
} pare_mend_candidate;

/* What is known about the last error.  All-zero before the first. */
typedef struct pare_mender {
    bool trying;                          /* the last resumption is on trial */
    bool final;                           /* ... or was the best of all */
    uint32_t at;                          /* letter that could not be taken */
    uint32_t first, end;                  /* items open there; none: the start symbol is */
    uint32_t level[PARE_MEND_LEVELS + 1]; /* first item of each level */
    size_t n_levels;
    uint16_t *price; /* owned; by letter: 0 not known yet, else 1 + the least */
    pare_mend_candidate candidates[PARE_MEND_CANDIDATES]; /* ascending by cost */
    size_t n_candidates, current;
    size_t best; /* the candidate that took most letters so far */
    uint32_t best_reach;
} pare_mender;

/* Begins another set, from which the run can go on.  False at the end: then what is open
 * has been closed and the finish noted, unless nothing was; or memory is out. */
bool pare_mender_go_on(pare_mender *mender, pare_earley_state *run);

void pare_mender_done(pare_mender *mender);

#endif
