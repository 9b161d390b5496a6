/* Earley's recogniser: one set after the other, each closed under prediction and completion.
 *
 * Invariants: items of a set are contiguous and unique by (state, group); groups of a set are
 * contiguous and so are the waiters of a group; a completed item's group was predicted in an
 * earlier set, since what derives nothing was stepped over when it was predicted.  The set
 * under way is found by a hash table whose entries of earlier sets are simply stale, so that
 * beginning a set costs nothing.  (base/hash_index.h would be cleared for every letter.)
 * An item is added only when the next letter may follow its dot, which keeps sets small where
 * the grammar is nearly deterministic: O(n) for LL(1) and most LR(1) grammars, O(n^2) for
 * unambiguous ones, O(n^3) at worst.
 *
 * Sources: Earley, CACM 13(2), 1970; Aycock and Horspool, Computer Journal 45(6), 2002
 * (nullable symbols). */
#include "parse/earley.h"

#include <assert.h>
#include <string.h>

#include <pare/status.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/productions.h"

enum {
    MAX_ENDS_OF_FILE = 64,
    CHECKED_ITEMS = 4096, /* charts up to this size are checked, in debug builds */
    STEPS_A_LETTER = 4096 /* besides FIRST_STEPS; a programming language takes 20 to 200 of them */
};

/* Some five seconds; a test build has a smaller limit, to come to it soon. */
#ifdef PARE_FAULT_INJECTION
static const uint64_t FIRST_STEPS = 1 << 20;
#else
static const uint64_t FIRST_STEPS = 1 << 26;
#endif

/* Counts an item or a way that the run comes by, and now and then looks whether it may go on.  One
 * set may be most of the work of a run, so it is not enough to look between sets. */
static void count_step(pare_earley *run)
{
    if (++run->n_steps % PARE_INTERRUPT_STEP) return;
    run->is_over = run->n_steps > run->most_steps;
    if (run->is_over || pare_interrupt_asked()) run->failed = true;
}

/* Notes a further way of `item`, or, with the other flag, a further item that completes its
 * group.  Ways are for the choice of the tree: recognising needs the first one only. */
static void note_way(pare_earley *run, uint32_t item, uint32_t flag, uint32_t before,
                     uint32_t child)
{
    if (!pare_chart_add_way(run->chart, item, flag,
                            (pare_chart_way){.before = before, .child = child}))
        run->failed = true;
}

/* --- items -------------------------------------------------------------------------- */

/* Fibonacci hashing of both numbers, by the high bits, as the low ones of a product are poor. */
static size_t hash_item(uint32_t state, uint32_t group)
{
    uint64_t hash = ((uint64_t)group << 32 | state) * 0x9E3779B97F4A7C15u;
    return (size_t)(hash >> 32);
}

/* Keeps the table at most half full.  The table holds indices + 1 of items; those up to
 * first_item are of earlier sets and count as free, so a larger table takes over this set's
 * only. */
static bool reserve_table(pare_earley *run)
{
    pare_chart *chart = run->chart;
    size_t first = run->first_item;
    if (2 * (chart->n_items - first + 1) <= run->mask) return true;
    size_t size = 2 * (run->mask + 1);
    uint32_t *table = pare_alloc_zero(size, sizeof *table);
    if (!table) return false;
    pare_alloc_free(run->table);
    run->table = table;
    run->mask = size - 1;
    for (size_t i = first; i < chart->n_items; i++) {
        const pare_item *item = &chart->items[i];
        size_t at = hash_item(item->state & PARE_ITEM_STATE, item->group) & run->mask;
        while (table[at] > first)
            at = (at + 1) & run->mask;
        table[at] = (uint32_t)i + 1;
    }
    return true;
}

/* Adds an item to this set, or a way to the one that is there. */
void pare_earley_add_item(pare_earley *run, uint32_t state, uint32_t group, uint32_t before,
                          uint32_t child)
{
    pare_chart *chart = run->chart;
    count_step(run);
    if (!run->unfiltered && !pare_letter_in(run->p, run->look, state, run->letter)) return;
    size_t first = run->first_item;
    size_t at = hash_item(state, group) & run->mask;
    for (; run->table[at] > first; at = (at + 1) & run->mask) {
        uint32_t found = run->table[at] - 1;
        const pare_item *item = &chart->items[found];
        if ((item->state & PARE_ITEM_STATE) != state || item->group != group) continue;
        if (!run->first_way_only) note_way(run, found, PARE_ITEM_MORE_WAYS, before, child);
        return;
    }
    pare_item *items = pare_vector_reserve(chart->items, &chart->items_capacity, chart->n_items + 1,
                                           sizeof *items);
    if (!items || chart->n_items >= PARE_WAITER_START - 2) {
        run->failed = true;
        return;
    }
    chart->items = items;
    items[chart->n_items++] = (pare_item){state, group, before, child};
    run->table[at] = (uint32_t)chart->n_items;
    if (!reserve_table(run)) run->failed = true;
}

/* --- prediction --------------------------------------------------------------------- */

/* Adds a start state to the run that is being made in `starts`.  Runs are shared by all
 * predictions of a nonterminal before the same letter. */
static void add_start(pare_earley *run, uint32_t state)
{
    uint32_t *grown =
        pare_vector_reserve(run->starts, &run->starts_capacity, run->n_starts + 1, sizeof *grown);
    if (!grown) {
        run->failed = true;
        return;
    }
    run->starts = grown;
    run->starts[run->n_starts++] = state;
}

/* The productions of a nonterminal that may begin before the letter; found once.  Of the
 * alternatives of a statement few survive the next letter, so little is predicted in vain. */
static uint32_t viable_starts(pare_earley *run, uint32_t nonterminal)
{
    const pare_productions *p = run->p;
    uint32_t *viable = &run->viable[(size_t)nonterminal * p->n_letters + run->letter];
    uint32_t known = *viable;
    if (known) return known;
    uint32_t first = (uint32_t)run->n_starts;
    const pare_nonterminal *n = &p->nonterminals[nonterminal];
    for (uint32_t i = 0; i < n->n_productions; i++) {
        uint32_t state = p->productions[n->first_production + i].first_state;
        if (p->next[state] != PARE_DOT_END && pare_letter_in(p, run->look, state, run->letter))
            add_start(run, state);
    }
    add_start(run, PARE_DOT_END);
    *viable = first;
    return first;
}

/* Lets a state wait for the next letter: what the next set begins with. */
static void add_scan(pare_earley *run, uint32_t ref, uint32_t group)
{
    pare_waiter *grown =
        pare_vector_reserve(run->scans, &run->scans_capacity, run->n_scans + 1, sizeof *grown);
    if (!grown) {
        run->failed = true;
        return;
    }
    run->scans = grown;
    run->scans[run->n_scans++] = (pare_waiter){ref, group};
}

/* The group of a nonterminal in this set, made when it is first asked for. group_at says of
 * which set a nonterminal's group is, so nothing is cleared between sets. */
static uint32_t group_of(pare_earley *run, uint32_t nonterminal)
{
    pare_chart *chart = run->chart;
    if (run->group_at[nonterminal] == run->position) return run->group_of[nonterminal];
    uint32_t index = (uint32_t)chart->n_groups;
    pare_group *groups = pare_vector_reserve(chart->groups, &chart->groups_capacity,
                                             chart->n_groups + 1, sizeof *groups);
    if (groups) chart->groups = groups;
    size_t need = index - run->first_group + 1;
    uint32_t *of =
        pare_vector_reserve(run->nonterminal_of, &run->nonterminal_capacity, need, sizeof *of);
    if (of) run->nonterminal_of = of;
    if (!groups || !of) {
        run->failed = true;
        return 0;
    }
    groups[chart->n_groups++] =
        (pare_group){run->position, (uint32_t)chart->n_waiters, PARE_NO_ITEM, PARE_NO_ITEM};
    of[index - run->first_group] = nonterminal;
    run->group_at[nonterminal] = run->position;
    run->group_of[nonterminal] = index;
    return index;
}

/* Lets `ref` of `group`, whose dotted state is `state`, wait for what is after the dot. */
static void await(pare_earley *run, uint32_t ref, uint32_t group, uint32_t state)
{
    uint32_t symbol = run->p->next[state];
    count_step(run);
    if (symbol & PARE_TERMINAL) {
        add_scan(run, ref, group);
        return;
    }
    uint32_t awaited = group_of(run, symbol);
    struct pending *grown = pare_vector_reserve(run->pending, &run->pending_capacity,
                                                run->n_pending + 1, sizeof *grown);
    if (!grown) {
        run->failed = true;
        return;
    }
    run->pending = grown;
    run->pending[run->n_pending++] = (struct pending){awaited, ref, group};
    if (!run->p->nonterminals[symbol].nullable) return;
    /* A symbol that may derive nothing is also stepped over at once. */
    pare_earley_add_item(run, state + 1, group, ref & PARE_WAITER_START ? PARE_NO_ITEM : ref,
                         PARE_ITEM_NOTHING);
}

/* Lets the productions of a group's nonterminal wait for their first symbols.  The dotted states
 * at the start are no items; only their waiting is noted, which keeps the chart small. */
static void predict(pare_earley *run, uint32_t group)
{
    uint32_t nonterminal = run->nonterminal_of[group - run->first_group];
    for (uint32_t i = viable_starts(run, nonterminal);
         !run->failed && run->starts[i] != PARE_DOT_END; i++)
        await(run, run->starts[i] | PARE_WAITER_START, group, run->starts[i]);
}

/* --- completion --------------------------------------------------------------------- */

/* Moves a waiter over what it waits for.  The item that waits is kept as the way back; states
 * at the start have none. */
void pare_earley_advance(pare_earley *run, pare_waiter waiter, uint32_t child)
{
    bool start = waiter.ref & PARE_WAITER_START;
    uint32_t state = pare_waiter_state(run->chart, waiter);
    pare_earley_add_item(run, state + 1, waiter.group, start ? PARE_NO_ITEM : waiter.ref, child);
}

/* Whether the completion may set off a chain of them in this set, and many did. */
static bool is_worth_skipping(pare_earley *run, uint32_t item)
{
    if (!run->p->right_recursive[pare_item_state(run->chart, item)]) return false;
    return ++run->n_right_recursive > run->skip_after && !run->unfiltered &&
           run->at < run->chart->n_letters;
}

/* Adds the top of the chain of completions that begins with the item; false when there is
 * no chain. */
static bool skip_chain(pare_earley *run, uint32_t item)
{
    pare_chart *chart = run->chart;
    uint32_t top =
        pare_leo_find_top(&run->leo, chart, chart->items[item].group, run->letter, &run->failed);
    if (top == PARE_NO_ITEM) return false;
    pare_waiter waiter = chart->waiters[top];
    chart->has_chains = true;
    pare_earley_add_item(run, pare_leo_end_state(chart, waiter), waiter.group, PARE_ITEM_CHAIN,
                         item);
    return true;
}

/* Moves all that wait for the nonterminal which the item completes. */
void pare_earley_complete_item(pare_earley *run, uint32_t index)
{
    pare_chart *chart = run->chart;
    uint32_t group = chart->items[index].group;
    assert(pare_item_is_complete(chart, index) && group < chart->n_groups);
    pare_group *g = &chart->groups[group];
    /* It derives nothing, and was stepped over when it was predicted. */
    if (g->position == run->position) return;
    /* Everything that waits has been moved: the item is one more child for it. */
    if (g->done_in == run->position) {
        note_way(run, g->done_item, PARE_ITEM_MORE_ENDS, index, PARE_NO_ITEM);
        return;
    }
    g->done_in = run->position;
    g->done_item = index;
    if (is_worth_skipping(run, index) && skip_chain(run, index)) return;
    uint32_t end = group + 1 < chart->n_groups ? chart->groups[group + 1].first_waiter
                                               : (uint32_t)chart->n_waiters;
    for (uint32_t i = chart->groups[group].first_waiter; i < end && !run->failed; i++)
        pare_earley_advance(run, chart->waiters[i], index);
}

/* Closes the set under prediction and completion.  Groups before items: a prediction may add
 * items at once, for what can be nothing. */
static void close_set(pare_earley *run)
{
    pare_chart *chart = run->chart;
    uint32_t item = chart->set_first[run->position], group = run->first_group;
    while (!run->failed && (item < chart->n_items || group < chart->n_groups)) {
        if (group < chart->n_groups) {
            predict(run, group++);
            continue;
        }
        uint32_t state = chart->items[item].state & PARE_ITEM_STATE;
        if (run->p->next[state] == PARE_DOT_END)
            pare_earley_complete_item(run, item);
        else
            await(run, item, chart->items[item].group, state);
        item++;
    }
}

/* Stores the waiters of the set in the order of their groups.  Until here first_waiter of each
 * group of the set is where the set's waiters begin; now it counts, then points.  A counting
 * sort, O(waiters of the set). */
static void order_waiters(pare_earley *run)
{
    pare_chart *chart = run->chart;
    size_t need = chart->n_waiters + run->n_pending;
    pare_waiter *waiters = pare_vector_reserve(chart->waiters, &chart->waiters_capacity,
                                               need ? need : 1, sizeof *waiters);
    if (!waiters || need >= PARE_WAITER_START) {
        run->failed = true;
        return;
    }
    chart->waiters = waiters;
    for (size_t i = 0; i < run->n_pending; i++)
        chart->groups[run->pending[i].awaited].first_waiter++;
    uint32_t base = (uint32_t)chart->n_waiters, at = base;
    for (size_t g = run->first_group; g < chart->n_groups; g++) {
        at += chart->groups[g].first_waiter - base;
        chart->groups[g].first_waiter = at;
    }
    for (size_t i = run->n_pending; i-- > 0;) {
        uint32_t slot = --chart->groups[run->pending[i].awaited].first_waiter;
        waiters[slot] = (pare_waiter){run->pending[i].ref, run->pending[i].group};
    }
    chart->n_waiters = need;
    run->n_pending = 0;
    assert(run->first_group == chart->n_groups ||
           chart->groups[run->first_group].first_waiter == base);
}

/* --- the run ------------------------------------------------------------------------ */

/* Begins the next set, which stands before letter `at`. */
void pare_earley_begin_set(pare_earley *run, uint32_t at)
{
    pare_chart *chart = run->chart;
    uint32_t *first = pare_vector_reserve(chart->set_first, &chart->sets_capacity,
                                          chart->n_sets + 2, sizeof *first);
    if (!first) {
        run->failed = true;
        return;
    }
    chart->set_first = first;
    assert(run->n_pending == 0);
    run->position = (uint32_t)chart->n_sets;
    first[chart->n_sets++] = run->first_item = (uint32_t)chart->n_items;
    run->at = at;
    run->letter = at < chart->n_letters ? run->letters[at] : PARE_TOKEN_END;
    run->first_group = (uint32_t)chart->n_groups;
    run->n_right_recursive = 0;
}

/* Predicts the start symbol in this set.  After a hole the start symbol may be predicted a
 * second time, in the group that it has. */
void pare_earley_predict_start(pare_earley *run)
{
    run->chart->start_set = run->position;
    if (run->chart->n_groups == 0) {
        group_of(run, run->p->start);
        return;
    }
    for (uint32_t i = viable_starts(run, run->p->start);
         !run->failed && run->starts[i] != PARE_DOT_END; i++)
        await(run, run->starts[i] | PARE_WAITER_START, 0, run->starts[i]);
}

/* Notes that the start symbol is complete at the end of the letters. */
void pare_earley_note_finish(pare_earley *run, pare_finish finish)
{
    pare_chart *chart = run->chart;
    pare_finish *grown = pare_vector_reserve(chart->finishes, &chart->finishes_capacity,
                                             chart->n_finishes + 1, sizeof *grown);
    if (!grown) {
        run->failed = true;
        return;
    }
    chart->finishes = grown;
    chart->finishes[chart->n_finishes++] = finish;
}

/* Notes when the start symbol is complete in this set.  Noted for every set, since a rule need
 * not ask for the end of the file. */
static void see_finish(pare_earley *run)
{
    pare_chart *chart = run->chart;
    bool nothing = run->position == 0 && run->p->nonterminals[run->p->start].nullable;
    if (chart->groups[0].done_in != run->position && !nothing) return;
    pare_finish finish = {run->position, nothing ? PARE_ITEM_NOTHING : chart->groups[0].done_item};
    chart->last_finish = finish;
    if (run->at >= chart->n_letters) pare_earley_note_finish(run, finish);
}

/* Whether the end of the file was taken too often: a rule may ask for it without end. */
bool pare_earley_is_beyond_limit(const pare_earley *run)
{
    return run->at >= run->chart->n_letters + MAX_ENDS_OF_FILE;
}

/* Takes the letter: fills the beginning of the next set.  The two lists change places, so
 * neither is allocated anew for each letter. */
static void scan(pare_earley *run)
{
    pare_waiter *scans = run->scans;
    size_t capacity = run->scans_capacity;
    run->scans = run->scanned;
    run->scans_capacity = run->scanned_capacity;
    run->scanned = scans;
    run->scanned_capacity = capacity;
    run->n_scanned = run->n_scans;
    run->n_scans = 0;
    pare_earley_begin_set(run, run->at + 1);
    for (size_t i = 0; i < run->n_scanned && !run->failed; i++)
        pare_earley_advance(run, run->scanned[i], PARE_NO_ITEM);
}

/* Fills sets from the one begun last, until no item takes the letter after one.  The end of
 * the file is a letter, too, and may be taken several times (is_beyond_limit). */
void pare_earley_run_sets(pare_earley *run)
{
    while (!run->failed) {
        if (pare_interrupt_asked_at(run->position)) run->failed = true;
        if (!run->failed) close_set(run);
        if (!run->failed) order_waiters(run);
        if (!run->failed) see_finish(run);
        if (run->chart->n_items + run->chart->n_ways > run->most) run->failed = run->is_over = true;
        if (run->failed || run->n_scans == 0 || pare_earley_is_beyond_limit(run)) return;
        scan(run);
    }
}

/* --- runs --------------------------------------------------------------------------- */

/* Ends the run: where did it fail, if so? */
pare_status pare_earley_end_run(pare_earley *run, pare_error *err)
{
    pare_chart *chart = run->chart;
    uint32_t n = chart->n_letters;
    if (run->failed) {
        const pare_status status = pare_interrupt_look(err);
        pare_chart_done(chart);
        if (!status && run->is_over)
            return pare_fail(err, PARE_E_LIMIT,
                             "the text has too many derivations: use a grammar that derives it in "
                             "fewer ways, or none");
        return status ? status : pare_fail_nomem(err);
    }
    chart->failed_at = chart->n_finishes > 0 ? PARE_NO_ITEM : run->at < n ? run->at : n;
    chart->set_first[chart->n_sets] = (uint32_t)chart->n_items;
    chart->first_made = chart->n_items;
    assert(chart->n_items > CHECKED_ITEMS || pare_chart_check(chart));
    return PARE_OK;
}

/* Forgets the run before, but not its arrays and what was found out about the grammar. */
static void reset(pare_earley *run)
{
    run->n_scans = run->n_scanned = run->n_pending = 0;
    run->failed = run->is_over = run->unfiltered = run->first_way_only = false;
    pare_leo_reset(&run->leo);
    memset(run->table, 0, (run->mask + 1) * sizeof *run->table);
    memset(run->group_at, 0xFF, run->p->n_nonterminals * sizeof *run->group_at);
}

/* Viable starts, which depend on the grammar only, and the arrays are kept from run to run. The
 * chart is the caller's. */
pare_status pare_earley_run(pare_earley *run, const uint32_t *letters, uint32_t n,
                            pare_chart *chart, pare_error *err)
{
    *chart = (pare_chart){.p = run->p,
                          .look = run->look,
                          .letters = letters,
                          .n_letters = n,
                          .first_made = SIZE_MAX,
                          .failed_at = PARE_NO_ITEM,
                          .last_finish.position = PARE_NO_ITEM};
    run->chart = chart;
    run->letters = letters;
    run->n_steps = 0;
    run->most_steps = FIRST_STEPS + (uint64_t)n * STEPS_A_LETTER;
    reset(run);
    pare_earley_begin_set(run, 0);
    if (!run->failed) pare_earley_predict_start(run);
    pare_earley_run_sets(run);
    return pare_earley_end_run(run, err);
}

pare_status pare_earley_new(const pare_productions *p, pare_earley_extent extent, pare_earley **out,
                            pare_error *err)
{
    pare_earley *run = pare_alloc_zero(1, sizeof *run);
    if (!run) return pare_fail_nomem(err);
    run->p = p;
    run->look = extent == PARE_EARLEY_PREFIX ? p->open_look : p->look;
    run->skip_after = PARE_LEO_SHORT;
    run->most = SIZE_MAX;
    run->mask = 255;
    run->table = pare_alloc_zero(run->mask + 1, sizeof *run->table);
    run->group_of = pare_alloc(p->n_nonterminals, sizeof *run->group_of);
    run->group_at = pare_alloc(p->n_nonterminals, sizeof *run->group_at);
    run->viable = pare_alloc_zero(p->n_nonterminals * p->n_letters, sizeof *run->viable);
    add_start(run, PARE_DOT_END); /* no run begins at 0, which says unknown */
    if (run->failed || !run->table || !run->group_of || !run->group_at || !run->viable) {
        pare_earley_free(run);
        return pare_fail_nomem(err);
    }
    *out = run;
    return PARE_OK;
}

void pare_earley_skip_after(pare_earley *run, uint32_t n)
{
    run->skip_after = n;
}

void pare_earley_bound(pare_earley *run, size_t most)
{
    run->most = most;
}

void pare_earley_free(pare_earley *run)
{
    if (!run) return;
    pare_alloc_free(run->table);
    pare_alloc_free(run->group_of);
    pare_alloc_free(run->group_at);
    pare_alloc_free(run->nonterminal_of);
    pare_alloc_free(run->scans);
    pare_alloc_free(run->scanned);
    pare_alloc_free(run->pending);
    pare_alloc_free(run->viable);
    pare_alloc_free(run->starts);
    pare_leo_done(&run->leo);
    pare_alloc_free(run);
}
