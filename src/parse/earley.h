/* The Earley parser from the inside: the chart (chart.c), the recogniser that fills it
 * (earley.c), how it goes on after an error (earley_mend.c), long right recursions in linear work
 * (leo.c), and the choice of one tree (disambiguate.c).  For this folder; what others call is parser.h.
 *
 * Sources: Earley, CACM 13(2), 1970; Aycock and Horspool, Computer Journal 45(6), 2002
 * (nullable symbols); Leo, TCS 82(1), 1991; Parr, Harwell, Fisher, OOPSLA 2014. */
#ifndef PARE_PARSE_EARLEY_H
#define PARE_PARSE_EARLEY_H

#include <pare/export.h>
#include <pare/status.h>

#include "parse/parse_tree.h"
#include "parse/productions.h"
#include "parse/tree_writer.h"

/* The chart: what Earley's recogniser leaves, and what a tree is chosen from.
 *
 * Set j holds the items that the first j letters allow: dotted states with the group they
 * were predicted in.  A group is a nonterminal predicted at a position, with the items
 * that wait for it.  Items with the dot at the start are not kept, only their waiting.
 * Each item knows by which item and which completed symbol it came; further ways are kept
 * aside.
 *
 * Grown by a run, then only read, but for chains that are made again (pare_leo_expand).
 * One thread. */

#define PARE_NO_ITEM UINT32_MAX
#define PARE_ITEM_SKIPPED (UINT32_MAX - 1) /* child: a hole stands for what is left out */
#define PARE_ITEM_NOTHING (UINT32_MAX - 2) /* child: the symbol derived nothing */
/* As before: a chain was skipped, see leo.c; child is the item at its bottom. */
#define PARE_ITEM_CHAIN (UINT32_MAX - 3)

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
typedef struct pare_chart_way {
    uint32_t before, child, next; /* next: index in ways, or PARE_NO_ITEM */
} pare_chart_way;

/* Where the start symbol was complete. */
typedef struct pare_finish {
    uint32_t position, item; /* item may be PARE_ITEM_NOTHING */
} pare_finish;

/* Letters from .. to-1 were left out, or none: set `set` stands before letter `to`. */
typedef struct pare_hole {
    uint32_t set, from, to;
} pare_hole;

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
    pare_chart_way *ways;
    size_t n_ways, ways_capacity;
    uint32_t *way_of; /* hash from (item, kind) to its first further way */
    size_t way_mask;
    pare_finish *finishes; /* at or after the end of the letters; ascending */
    size_t n_finishes, finishes_capacity;
    pare_finish last_finish; /* the last one anywhere; position PARE_NO_ITEM: none */
    pare_hole *holes;        /* pare_earley_mend: ascending by set; also those given up */
    size_t n_holes, holes_capacity;
    size_t n_mended;    /* times that the input left the grammar */
    uint32_t start_set; /* where the start symbol was predicted: 0, or after a hole */
    uint32_t n_letters; /* of the input */
    uint32_t failed_at; /* letter that could not be taken, or PARE_NO_ITEM */
    uint64_t *expected; /* pare_earley_mend: the letters that could have stood where the input
                           left the grammar first; NULL when it never did */
} pare_chart;

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
bool pare_chart_add_way(pare_chart *chart, uint32_t item, uint32_t flag, pare_chart_way way);

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

/* Whether the item is a loop's S: S . body, just after the loop itself. */
static inline bool pare_item_is_round(const pare_chart *chart, uint32_t item)
{
    const pare_production *production = pare_item_production(chart, item);
    return chart->items[item].child != PARE_ITEM_SKIPPED &&
           pare_item_state(chart, item) == production->first_state + 1 &&
           chart->p->next[production->first_state] == production->lhs &&
           pare_is_loop(&chart->p->nonterminals[production->lhs]);
}

/* Whether sets and groups ascend and what items refer to is there: the invariant.  O(items). */
bool pare_chart_check(const pare_chart *chart);

/* Bytes the chart holds. */
size_t pare_chart_bytes(const pare_chart *chart);

/* The recogniser, and how it goes on after an error.
 *
 * It leaves a chart.  An item is added only when the next letter may follow its dot, and the
 * symbols that can derive nothing are stepped over when they are predicted.  Long chains of
 * completed right recursions are skipped, and made again where a tree needs them. */

/* What may stand after the start rule. */
typedef enum pare_earley_extent {
    PARE_EARLEY_WHOLE, /* the end of the file */
    PARE_EARLEY_PREFIX /* anything; needs pare_production_sets_open */
} pare_earley_extent;

/* The recogniser for one grammar; keeps what it finds out about it, and its arrays, from
 * run to run.  One thread. */
typedef struct pare_earley_state pare_earley;

/* `p` is borrowed.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_earley_new(const pare_productions *p, pare_earley_extent extent,
                                       pare_earley **out, pare_error *err);
void pare_earley_free(pare_earley *earley); /* NULL is a no-op */

/* The input: letters[0 .. n-1]; after them the end of file, as often as wanted.  Stops
 * at the letter that nothing can take: chart->failed_at.  `letters` and `chart` are
 * borrowed until the next run when pare_earley_mend is called.
 * Errors: PARE_E_NOMEM; PARE_E_LIMIT (too many derivations: by pare_earley_bound, or for work of more
 * than some seconds); PARE_E_INTERRUPTED.  *chart is all-zero then. */
PARE_CHECK pare_status pare_earley_run(pare_earley *earley, const uint32_t *letters, uint32_t n,
                                       pare_chart *chart, pare_error *err);

/* Goes on with the last run, which has failed: leaves out some letters, see earley_mend.c.
 * Its chart then has a finish, unless nothing can be kept.  Errors: as above. */
PARE_CHECK pare_status pare_earley_mend(pare_earley *earley, pare_error *err);

/* Lets chains of right recursion be skipped in sets with more than `n` completions of
 * them, PARE_LEO_SHORT unless told; UINT32_MAX: never.  The trees are the same, but an
 * ambiguous text that pare_earley_mend went on with may have another tree. */
void pare_earley_skip_after(pare_earley *earley, uint32_t n);

/* Lets runs end with PARE_E_LIMIT when their chart has more than `most` items and further ways
 * together, at the end of a set; SIZE_MAX, as from the start: never. */
void pare_earley_bound(pare_earley *earley, size_t most);

/* Right recursion in linear work.
 *
 * A right recursion r: 'a' r completes at a letter all that it opened: n items in each of n
 * sets, when the letter does not tell whether the recursion ends there.  As Leo does, the
 * chain of completions that can go one way only is skipped: the item at its top is added
 * at once, and remembers the bottom.  A chain goes from a group to the group of its link:
 * the only item waiting for it that can go on before the letter, when nothing else of its
 * production can be there before that letter.
 *
 * Chains are skipped only in sets with many completions of right recursions, and not at the
 * end of the input: short ones cost less when they are made.  What was skipped is made
 * afterwards, for the items that are part of an accepted derivation, so that the chart is
 * as if nothing had been skipped there.
 *
 * Source: Leo, "A general context-free parsing algorithm running in linear time on every
 * LR(k) grammar without using lookahead", TCS 82(1), 1991.  Deviations: the waiting items
 * are narrowed by the next letter, so that also symbols that may be nothing can stand
 * after the recursion (hidden right recursion), and loops; tops are kept by group and
 * letter. */

/* Completions of right recursions in one set, before their chains are skipped. */
enum { PARE_LEO_SHORT = 64 };

/* Top of the chain from a group, before a letter. */
typedef struct pare_leo_top {
    uint32_t group, letter;
    uint32_t waiter; /* 1 + the last link; 0: free; or NONE, OPEN as in leo.c */
} pare_leo_top;

/* The tops found so far in a run, by hash.  All-zero is empty. */
typedef struct pare_leo {
    pare_leo_top *tops;
    size_t mask, n;
} pare_leo;

/* Forgets all tops.  Keeps the memory. */
void pare_leo_reset(pare_leo *leo);
void pare_leo_done(pare_leo *leo);

/* The top of the chain that the completion of `group` before `letter` sets off: a waiter;
 * PARE_NO_ITEM when there is none or the chain has one link only.  Amortised
 * O(waiters).  Sets *failed when memory is out. */
uint32_t pare_leo_find_top(pare_leo *leo, const pare_chart *chart, uint32_t group, uint32_t letter,
                           bool *failed);

/* The state at the end of the waiter's production. */
uint32_t pare_leo_end_state(const pare_chart *chart, pare_waiter waiter);

/* Makes the items that were skipped, where they are part of a derivation that ends with one
 * of the finishes.  O(items of such derivations); nothing when no chain was skipped.
 * Errors: PARE_E_NOMEM, PARE_E_INTERRUPTED; the chart can only be ended then. */
PARE_CHECK pare_status pare_leo_expand(pare_chart *chart, const pare_finish *finishes, size_t n,
                                       pare_error *err);

/* A run from the inside: its state and its steps, for the recogniser (earley.c) and for what goes on
 * after an error (earley_mend.c).
 *
 * A step that finds no memory sets run->failed, and the steps after it do nothing that matters. */

/* The state of a run, besides the chart. */
struct pare_earley_state {
    pare_chart *chart;
    const pare_productions *p;
    const uint64_t *look;
    const uint32_t *letters;
    uint32_t position, letter; /* the set being filled, and the letter after it */
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
    uint32_t skip_after;          /* completions of right recursions in one set */
    uint32_t n_right_recursive;   /* of this set so far */
    size_t most;                  /* items and ways of the chart; see pare_earley_bound */
    uint64_t n_steps, most_steps; /* items and ways that were come by; of them at most */
    bool failed;  /* memory ran out, a bound was reached, or nobody wants the chart any more */
    bool is_over; /* a bound was reached */
};

/* Adds an item to the set under way, if the next letter may follow its dot, or a way to the one that
 * is there. */
void pare_earley_add_item(pare_earley *run, uint32_t state, uint32_t group, uint32_t before,
                          uint32_t child);

/* Moves all that wait for the nonterminal which the item completes. */
void pare_earley_complete_item(pare_earley *run, uint32_t index);

/* Moves a waiter over what it waits for: `child`. */
void pare_earley_advance(pare_earley *run, pare_waiter waiter, uint32_t child);

/* Begins the next set, which stands before letter `at`. */
void pare_earley_begin_set(pare_earley *run, uint32_t at);

/* Predicts the start symbol in this set; after a hole a second time, in the group that it has. */
void pare_earley_predict_start(pare_earley *run);

/* Notes that the start symbol is complete at the end of the letters. */
void pare_earley_note_finish(pare_earley *run, pare_finish finish);

/* Fills sets from the one begun last, until no item takes the letter after one. */
void pare_earley_run_sets(pare_earley *run);

/* Whether the end of the file was taken too often: a rule may ask for it without end. */
bool pare_earley_is_beyond_limit(const pare_earley *run);

/* Ends the run: where did it fail, if so?  Errors: those of pare_earley_run. */
PARE_CHECK pare_status pare_earley_end_run(pare_earley *run, pare_error *err);

/* The tree among all that an Earley chart allows: the one ANTLR takes.
 *
 * ANTLR decides from left to right and from the outside in, each time for the first
 * alternative with which the rest can still be parsed; a greedy loop goes on while it can,
 * a lazy one ends as soon as it can.  So the tree wanted is the first one in the order of
 * these decisions.  It is built directly, never enumerated: at each decision the ways that
 * lead to an end which the context accepts are known from the chart.
 * Source: Parr, Harwell, Fisher, "Adaptive LL(*) parsing", OOPSLA 2014. */

/* Fills nodes and n_nodes of *tree, from the `n_finishes` >= 1 accepted ends (ascending).
 * Empty quantifiers make no node.  O(nodes) where the grammar is not ambiguous.
 * Where it is very ambiguous (disambiguate.c, MOST_LINKS) some decisions are not ANTLR's.
 * Errors: PARE_E_LIMIT (millions of nodes without text), PARE_E_NOMEM, PARE_E_INTERRUPTED; *tree is
 * untouched then. */
PARE_CHECK pare_status pare_disambiguate_tree(const pare_chart *chart, const pare_letters *letters,
                                              const pare_finish *finishes, size_t n_finishes,
                                              pare_parse_tree *tree, pare_error *err);

#endif
