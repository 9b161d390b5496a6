/* Earley's recogniser over the productions of a grammar.
 *
 * Set j holds the items that the first j letters allow: dotted states with the group they
 * were predicted in.  A group is a nonterminal predicted at a position, with the items
 * that wait for it.  Items with the dot at the start are not kept, only their waiting.
 * An item is added only when the next letter may follow its dot, and the symbols that can
 * derive nothing are stepped over when they are predicted.
 *
 * Each item knows by which item and which completed symbol it came; further ways are kept
 * aside.  Which way is taken is decided afterwards: see choose.h.  Long chains of completed
 * right recursions are skipped, and made again where a tree needs them: see leo.h.
 *
 * Sources: Earley, CACM 13(2), 1970; Aycock and Horspool, Computer Journal 45(6), 2002
 * (nullable symbols). */
#ifndef PARE_PARSE_EARLEY_H
#define PARE_PARSE_EARLEY_H

#include "parse/productions.h"

#define PARE_NO_ITEM UINT32_MAX
#define PARE_ITEM_SKIPPED (UINT32_MAX - 1) /* child: a hole stands for what is left out */
#define PARE_ITEM_NOTHING (UINT32_MAX - 2) /* child: the symbol derived nothing */
#define PARE_ITEM_CHAIN \
    (UINT32_MAX - 3) /* before: a chain was skipped, see leo.h; child is
                                              the item at its bottom */

/* Flags in pare_item.state. */
#define PARE_ITEM_MORE_WAYS 0x80000000u /* more pairs of before and child are kept aside */
#define PARE_ITEM_MORE_ENDS 0x40000000u /* other items of the same set complete its group */
#define PARE_ITEM_STATE 0x3FFFFFFFu

typedef struct pare_item {
    uint32_t state;  /* dotted state, at least one symbol before the dot; and flags */
    uint32_t group;  /* where it was predicted */
    uint32_t before; /* item with the dot one symbol before, or NO_ITEM: at the start */
    uint32_t child;  /* completed item of that symbol, NO_ITEM for a letter, NOTHING; or
                        SKIPPED: the dot stayed or jumped, see pare_hole */
} pare_item;

typedef struct pare_group {
    uint32_t position;     /* set */
    uint32_t first_waiter; /* its waiters end where those of the next group begin */
    uint32_t done_in;      /* last set in which it was completed; PARE_NO_ITEM: none */
    uint32_t done_item;    /* the first item that completed it there */
} pare_group;

/* An item, or with PARE_WAITER_START a dotted state at the start of its production. */
typedef struct pare_waiter {
    uint32_t ref, group;
} pare_waiter;
#define PARE_WAITER_START 0x80000000u

/* A further way, or a further completing item (then child is unused). */
typedef struct pare_way {
    uint32_t before, child, next; /* next: index in ways, or PARE_NO_ITEM */
} pare_way;

/* Where the start symbol was complete. */
typedef struct pare_finish {
    uint32_t position, item; /* item may be PARE_ITEM_NOTHING */
} pare_finish;

/* Letters from .. to-1 were left out, or none: set `set` stands before letter `to`. */
typedef struct pare_hole {
    uint32_t set, from, to;
} pare_hole;

/* What ANTLR would do to the letter that left the grammar first. */
typedef enum pare_repair {
    PARE_REPAIR_NONE,    /* a decision failed, or several letters were expected */
    PARE_REPAIR_DELETE,  /* behind it stands the one letter expected */
    PARE_REPAIR_INSERT,  /* it may stand behind the one letter expected */
    PARE_REPAIR_MISMATCH /* one letter was expected, and neither helps */
} pare_repair;

/* All that a run leaves; ended by pare_chart_done.  Set j stands before letter j, up to
 * the first hole. */
typedef struct pare_chart {
    const pare_productions *p; /* borrowed, as are look and letters */
    const uint64_t *look;
    const uint32_t *letters;
    pare_item *items;
    size_t n_items, items_capacity;
    bool has_chains;     /* some item has a way that is a chain */
    size_t first_made;   /* items from it on were made by pare_leo_expand; n_items before */
    uint32_t *made_in;   /* by item - first_made: its set */
    uint32_t *set_first; /* by position: first item; n_sets + 1 entries */
    size_t n_sets, sets_capacity;
    pare_group *groups;
    size_t n_groups, groups_capacity;
    pare_waiter *waiters;
    size_t n_waiters, waiters_capacity;
    pare_way *ways;
    size_t n_ways, ways_capacity;
    uint32_t *way_of; /* hash from (item, kind) to its first further way */
    size_t way_mask;
    pare_finish *finishes; /* at or behind the end of the letters; ascending */
    size_t n_finishes, finishes_capacity;
    pare_finish last_finish; /* the last one anywhere; position PARE_NO_ITEM: none */
    pare_hole *holes;        /* pare_earley_mend: ascending by set; also those given up */
    size_t n_holes, holes_capacity;
    size_t n_mended;    /* times that the input left the grammar */
    uint32_t undecided; /* letter where ANTLR's decision began that failed first */
    pare_repair repair;
    uint32_t expected;  /* letter, for a repair */
    uint32_t start_set; /* where the start symbol was predicted: 0, or behind a hole */
    uint32_t n_letters; /* of the input */
    uint32_t failed_at; /* letter that could not be taken, or PARE_NO_ITEM */
} pare_chart;

/* What may stand behind the start rule. */
typedef enum pare_earley_extent {
    PARE_EARLEY_WHOLE, /* the end of the file */
    PARE_EARLEY_PREFIX /* anything; needs pare_productions_open */
} pare_earley_extent;

/* The recogniser for one grammar; keeps what it finds out about it, and its arrays, from
 * run to run.  One thread. */
typedef struct pare_earley_state pare_earley;

/* `p` is borrowed.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_earley_new(const pare_productions *p, pare_earley_extent extent,
                                       pare_earley **out, pare_error *err);
void pare_earley_free(pare_earley *earley); /* NULL is a no-op */

/* The input: letters[0 .. n-1]; behind them the end of file, as often as wanted.  Stops
 * at the letter that nothing can take: chart->failed_at.  `letters` and `chart` are
 * borrowed until the next run when pare_earley_mend is called.
 * Errors: PARE_E_NOMEM; *chart is all-zero then. */
PARE_CHECK pare_status pare_earley_run(pare_earley *earley, const uint32_t *letters, uint32_t n,
                                       pare_chart *chart, pare_error *err);

/* Goes on with the last run, which has failed: leaves out some letters, see earley_mend.h.
 * Its chart then has a finish, unless nothing can be kept.  Errors: as above. */
PARE_CHECK pare_status pare_earley_mend(pare_earley *earley, pare_error *err);

/* Lets chains of right recursion be skipped in sets with more than `n` completions of
 * them, PARE_LEO_SHORT unless told; UINT32_MAX: never.  The trees are the same, but an
 * ambiguous text that pare_earley_mend went on with may have another tree. */
void pare_earley_skip_after(pare_earley *earley, uint32_t n);

void pare_chart_done(pare_chart *chart);

/* First further way of an item, or first further item that completes its group in its
 * set; PARE_NO_ITEM when there is none. */
uint32_t pare_chart_more_ways(const pare_chart *chart, uint32_t item);
uint32_t pare_chart_more_ends(const pare_chart *chart, uint32_t item);

/* Where the first further way of an item is noted; NULL when there is none.  Valid until
 * another is added. */
uint32_t *pare_chart_ways_of(pare_chart *chart, uint32_t item);

/* Adds a further way of `item` (flag PARE_ITEM_MORE_WAYS), or a further item way.before
 * that completes its group (PARE_ITEM_MORE_ENDS).  Beyond 2^26 it is dropped: the tree then
 * follows the ways found first.  False when memory is out. */
bool pare_chart_add_way(pare_chart *chart, uint32_t item, uint32_t flag, pare_way way);

/* Set of an item.  O(log sets). */
uint32_t pare_chart_position(const pare_chart *chart, uint32_t item);

static inline uint32_t pare_item_state(const pare_chart *chart, uint32_t item)
{
    return chart->items[item].state & PARE_ITEM_STATE;
}

/* The dotted state of a waiter. */
static inline uint32_t pare_waiter_state(const pare_chart *chart, pare_waiter waiter)
{
    return waiter.ref & PARE_WAITER_START ? waiter.ref & ~PARE_WAITER_START
                                          : pare_item_state(chart, waiter.ref);
}

static inline const pare_production *pare_item_production(const pare_chart *chart, uint32_t item)
{
    return &chart->p->productions[chart->p->production[pare_item_state(chart, item)]];
}

/* Whether the dot is at the end. */
static inline bool pare_item_is_complete(const pare_chart *chart, uint32_t item)
{
    return chart->p->next[pare_item_state(chart, item)] == PARE_DOT_END;
}

/* Whether the item is a loop's S: S . body, just behind the loop itself. */
static inline bool pare_item_is_round(const pare_chart *chart, uint32_t item)
{
    const pare_production *production = pare_item_production(chart, item);
    return chart->items[item].child != PARE_ITEM_SKIPPED &&
           pare_item_state(chart, item) == production->first_state + 1 &&
           chart->p->next[production->first_state] == production->lhs &&
           pare_is_loop(&chart->p->nonterminals[production->lhs]);
}

/* Bytes the chart holds. */
size_t pare_chart_bytes(const pare_chart *chart);

#endif
