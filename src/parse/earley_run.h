/* What a run of the recogniser needs besides the chart, for the files that extend it. */
#ifndef PARE_PARSE_EARLEY_RUN_H
#define PARE_PARSE_EARLEY_RUN_H

#include "parse/chart.h"
#include "parse/leo.h"
#include "parse/productions.h"

typedef struct pare_earley_state {
    pare_chart *chart;
    const pare_productions *p;
    const uint64_t *look;
    const uint32_t *letters;
    uint32_t position, letter; /* the set being filled, and the letter behind it */
    uint32_t at;               /* that letter's number */
    uint32_t first_item;       /* items before it are not looked for in the set */
    bool unfiltered;           /* items are added whatever the letter is */
    bool first_way_only;       /* further ways of an item are not noted */
    uint32_t *table;           /* items of this set by (state, group); older ones are stale */
    size_t mask;
    uint32_t *group_of, *group_at; /* by nonterminal: its group, and the set it is of */
    uint32_t *nonterminal_of;      /* by group of this set, from first_group */
    size_t nonterminal_capacity;
    uint32_t first_group;
    pare_waiter *scans, *scanned; /* waiting for a letter: of this set, of the one before */
    size_t n_scans, scans_capacity, n_scanned, scanned_capacity;
    struct pending {
        uint32_t awaited, ref, group;
    } * pending; /* waiters of this set, not yet ordered */
    size_t n_pending, pending_capacity;
    uint32_t *viable; /* by nonterminal and letter: index in starts; 0 unknown */
    uint32_t *starts; /* runs of start states, each ended by PARE_DOT_END */
    size_t n_starts, starts_capacity;
    pare_leo leo;
    uint32_t skip_after;        /* completions of right recursions in one set */
    uint32_t n_right_recursive; /* of this set so far */
    bool failed;                /* memory ran out */
} pare_earley_state;

/* All of them set `failed` when memory is out. */

/* Begins the next set, which stands before letter `at`. */
void pare_earley_begin_set(pare_earley_state *run, uint32_t at);

/* Predicts the start symbol in this set. */
void pare_earley_predict_start(pare_earley_state *run);

/* Adds an item to this set, or a way to the one that is there. */
void pare_earley_add(pare_earley_state *run, uint32_t state, uint32_t group, uint32_t before,
                     uint32_t child);

/* Moves a waiter over what it waits for. */
void pare_earley_advance(pare_earley_state *run, pare_waiter waiter, uint32_t child);

/* Moves all that wait for the nonterminal which the item completes. */
void pare_earley_complete(pare_earley_state *run, uint32_t item);

/* Notes that the start symbol is complete at the end of the letters. */
void pare_earley_note_finish(pare_earley_state *run, pare_finish finish);

#endif
