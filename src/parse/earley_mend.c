/* How a run of the recogniser that has failed is mended.
 *
 * Where no item can take the next letter, the set is made again without look-ahead,
 * and the constructs open there are closed one inside the other, as if the rest of each had
 * been left out: level 0 holds the items as they are, level l + 1 what waits for an item of
 * level l.  What the items of level 0 could have taken is what was expected.  Parsing resumes
 * with the letters j after the error where an item of some level can take letter j, at its dot
 * or at a later one of its production.  That costs
 *
 *     2 for each letter left out + 2 for each level + 1 when symbols are left out,
 *
 * and the cheapest place is taken after which the next three letters parse, too, of the eight
 * cheapest; if there is none, the one after which most letters parse.  When no letter fits
 * any more, all is closed at the end of the input.  So a good beginning and what comes after
 * the hole stay as they would be without it, a hole costs as little as it can within one
 * construct, and lists go on at their next element.  Work for each error is bounded: 1,024
 * items and 32 levels to resume with, 32 letters looked at beyond those that are left out for
 * good, 8 trials of 3 letters.  Items of the failed set stay, but are not looked for any more;
 * what is added to it are items that the letters before it allow, and items that skip.  Sets
 * of trials that were given up stay as well; nothing points to them.
 *
 * Sources: Graham and Rhodes, CACM 18(11), 1975 (costs of changes); Burke and
 * Fisher, TOPLAS 9(2), 1987 (trials of the next letters); Aho and Johnson's yacc (three
 * letters).  Deviation: one error is mended at a time, the least total cost is not searched
 * for (Lyon, CACM 17(1), 1974, needs cubic time). */
#include <assert.h>
#include <string.h>

#include <pare/status.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/earley.h"
#include "parse/productions.h"

enum {
    MEND_CANDIDATES = 8,
    MEND_LEVELS = 32,
    MAX_OPEN_ITEMS = 1024,
    LETTERS_AHEAD = 32,
    TRIAL_LETTERS = 3,
    PRICE_LETTER = 2,
    PRICE_LEVEL = 2,
    PRICE_SYMBOLS = 1,
    PRICE_NONE = UINT16_MAX
};

/* A place to resume at. */
struct candidate {
    uint32_t to;          /* letter to be taken next */
    uint32_t price, cost; /* price: without the letters left out */
};

/* What is known about the last error. All-zero before the first one. */
struct mender {
    bool trying;                     /* the last resumption is on trial */
    bool final;                      /* ... or was the best of all */
    uint32_t at;                     /* letter that could not be taken */
    uint32_t first, end;             /* items open there; none: the start symbol is */
    uint32_t level[MEND_LEVELS + 1]; /* first item of each level */
    size_t n_levels;
    uint16_t *price; /* owned; by letter: 0 not known yet, else 1 + the least */
    struct candidate candidates[MEND_CANDIDATES]; /* ascending by cost */
    size_t n_candidates, current;
    size_t best; /* the candidate that took most letters so far */
    uint32_t best_reach;
};

static void mender_done(struct mender *mender)
{
    pare_alloc_free(mender->price);
    memset(mender, 0, sizeof *mender);
}

/* --- what is open ------------------------------------------------------------------- */

/* Forgets the failed set's items, and that groups were completed in it, since they will be
 * again. */
static void reopen(pare_earley *run)
{
    pare_chart *chart = run->chart;
    for (size_t i = chart->set_first[run->position]; i < chart->n_items; i++) {
        if (pare_item_is_complete(chart, (uint32_t)i))
            chart->groups[chart->items[i].group].done_in = PARE_NO_ITEM;
    }
    run->first_item = (uint32_t)chart->n_items;
}

/* Moves on from one item: over what it completes, or over a symbol that may be nothing.
 * Waiting for a terminal is of no interest here: no letter is being taken. */
static void close_item(pare_earley *run, uint32_t item)
{
    const pare_productions *p = run->p;
    uint32_t state = pare_item_state(run->chart, item), symbol = p->next[state];
    if (symbol == PARE_DOT_END)
        pare_earley_complete_item(run, item);
    else if (!(symbol & PARE_TERMINAL) && p->nonterminals[symbol].nullable)
        pare_earley_add_item(run, state + 1, run->chart->items[item].group, item,
                             PARE_ITEM_NOTHING);
}

/* Ends the production of an item at its dot, as if the rest had been left out, unless its
 * nonterminal is complete here. */
static void cut_short(pare_earley *run, uint32_t item)
{
    const pare_chart *chart = run->chart;
    uint32_t group = chart->items[item].group, state = pare_item_state(chart, item);
    if (chart->groups[group].done_in == run->position) return;
    while (run->p->next[state] != PARE_DOT_END)
        state++;
    pare_earley_add_item(run, state, group, item, PARE_ITEM_SKIPPED);
}

/* Closes what is open in this set, level by level, from the items `first` on; at most
 * `max_items` and, when `level` is not NULL, the levels it has room for.  Returns the number
 * of levels.  Levels are found by the number of items: what was added since the last one is
 * the next. */
static size_t close_levels(pare_earley *run, uint32_t first, size_t max_items, uint32_t *level)
{
    pare_chart *chart = run->chart;
    uint32_t next = first, from = first;
    size_t n = 0;
    for (;;) {
        if (level) level[n] = from;
        n++;
        while (!run->failed && next < chart->n_items && chart->n_items - first < max_items)
            close_item(run, next++);
        bool room = chart->n_items - first < max_items && (!level || n < MEND_LEVELS);
        uint32_t end = (uint32_t)chart->n_items;
        run->first_way_only = true;
        for (uint32_t i = from; room && !run->failed && i < end; i++)
            cut_short(run, i);
        if (run->failed || chart->n_items == end) return n;
        from = end;
    }
}

/* Finds the items open at the letter that could not be taken. */
static void open_items(struct mender *m, pare_earley *run)
{
    reopen(run);
    run->unfiltered = true;
    m->first = (uint32_t)run->chart->n_items;
    for (size_t i = 0; run->position > 0 && i < run->n_scanned && !run->failed; i++)
        pare_earley_advance(run, run->scanned[i], PARE_NO_ITEM);
    m->n_levels = close_levels(run, m->first, MAX_OPEN_ITEMS, m->level);
    m->end = (uint32_t)run->chart->n_items;
    assert(m->n_levels <= MEND_LEVELS);
    m->level[m->n_levels] = m->end;
    run->unfiltered = run->first_way_only = false;
}

/* --- what was expected -------------------------------------------------------------- */

/* Adds the letters that the symbol may begin with.  O(words of a letter set). */
static void add_letters(const pare_productions *p, uint32_t symbol, uint64_t *letters)
{
    const uint64_t *more = symbol & PARE_TERMINAL
                               ? p->terminals + (symbol & ~PARE_TERMINAL) * p->words
                               : p->first + symbol * p->words;
    for (size_t i = 0; i < p->words; i++)
        letters[i] |= more[i];
}

/* Notes which letters the open items of level 0 could have taken: what may begin the symbol
 * at each dot.  Exact, since these items stand for the text before the letter; but for items
 * beyond MAX_OPEN_ITEMS, which are not looked at. */
static void note_expected(const struct mender *m, pare_earley *run)
{
    const pare_productions *p = run->p;
    pare_chart *chart = run->chart;
    bool may_end = run->position == 0 && p->nonterminals[p->start].nullable;
    chart->expected = pare_alloc_zero(p->words, sizeof *chart->expected);
    if (!chart->expected) {
        run->failed = true;
        return;
    }
    if (m->first == m->end) add_letters(p, p->start, chart->expected);
    for (uint32_t i = m->level[0]; i < m->level[1]; i++) {
        uint32_t symbol = p->next[pare_item_state(chart, i)];
        if (symbol != PARE_DOT_END)
            add_letters(p, symbol, chart->expected);
        else if (chart->items[i].group == 0)
            may_end = true;
    }
    if (may_end) chart->expected[PARE_TOKEN_END / 64] |= (uint64_t)1 << PARE_TOKEN_END % 64;
}

/* --- where to resume ---------------------------------------------------------------- */

/* The first dot of an open item, from its own on, before which `letter` may stand.  Symbols
 * that are skipped count as left out, whatever they would have derived. */
static uint32_t find_dot(const pare_earley *run, uint32_t item, uint32_t letter)
{
    uint32_t state = pare_item_state(run->chart, item);
    while (run->p->next[state] != PARE_DOT_END &&
           !pare_symbol_begins(run->p, run->p->next[state], letter))
        state++;
    return state;
}

/* Price of resuming at the dot, letters not counted. */
static uint32_t price_of(const pare_earley *run, uint32_t item, uint32_t dot, size_t level)
{
    bool skips = dot != pare_item_state(run->chart, item);
    return (uint32_t)level * PRICE_LEVEL + (skips ? PRICE_SYMBOLS : 0);
}

/* The least price at which parsing can resume before `letter`; PRICE_NONE - 1 when it cannot.
 * Levels ascend in price, so the search ends at the first that cannot be cheaper. */
static uint32_t least_price(const struct mender *m, const pare_earley *run, uint32_t letter)
{
    uint32_t best = PRICE_NONE - 1;
    if (m->first == m->end && pare_symbol_begins(run->p, run->p->start, letter)) best = 0;
    for (size_t level = 0; level < m->n_levels && level * PRICE_LEVEL < best; level++) {
        for (uint32_t i = m->level[level]; i < m->level[level + 1]; i++) {
            uint32_t dot = find_dot(run, i, letter);
            if (run->p->next[dot] == PARE_DOT_END) continue;
            uint32_t price = price_of(run, i, dot, level);
            if (price < best) best = price;
        }
    }
    return best;
}

/* The letter of that number; after the last one, the end of the file. */
static uint32_t letter_at(const pare_earley *run, uint32_t at)
{
    return at < run->chart->n_letters ? run->letters[at] : PARE_TOKEN_END;
}

/* Keeps the cheapest ones in order; of equal ones those that leave out more letters
 * rather than symbols. */
static void add_candidate(struct mender *m, struct candidate candidate)
{
    size_t i = m->n_candidates;
    if (i == MEND_CANDIDATES && m->candidates[i - 1].cost <= candidate.cost) return;
    if (i == MEND_CANDIDATES)
        i--;
    else
        m->n_candidates++;
    for (; i > 0; i--) {
        const struct candidate *last = &m->candidates[i - 1];
        if (last->cost < candidate.cost ||
            (last->cost == candidate.cost && last->price <= candidate.price))
            break;
        m->candidates[i] = *last;
    }
    m->candidates[i] = candidate;
    assert(i == 0 || m->candidates[i - 1].cost <= candidate.cost);
}

/* Looks at the letters from the error on for places to resume at.  The price depends on the
 * letter's kind only, so it is computed once for each kind: a stretch of 10,000 bad letters
 * costs 10,000 look-ups. */
static void find_candidates(struct mender *m, pare_earley *run)
{
    size_t n_letters = run->p->n_letters;
    m->n_candidates = m->current = m->best = 0;
    m->best_reach = 0;
    if (!m->price) m->price = pare_alloc(n_letters, sizeof *m->price);
    if (!m->price) {
        run->failed = true;
        return;
    }
    memset(m->price, 0, n_letters * sizeof *m->price);
    for (uint32_t to = m->at; to <= run->chart->n_letters; to++) {
        if (m->n_candidates > 0 && to - m->at > LETTERS_AHEAD) break;
        uint32_t letter = letter_at(run, to);
        if (!m->price[letter]) m->price[letter] = (uint16_t)(least_price(m, run, letter) + 1);
        uint32_t price = m->price[letter] - 1u;
        if (price < PRICE_NONE - 1)
            add_candidate(m, (struct candidate){to, price, price + PRICE_LETTER * (to - m->at)});
    }
}

/* --- resuming ----------------------------------------------------------------------- */

/* Begins a set before letter `to`, and notes the hole between the error and it. */
static void begin_after_hole(const struct mender *m, pare_earley *run, uint32_t to)
{
    pare_chart *chart = run->chart;
    pare_hole *grown = pare_vector_reserve(chart->holes, &chart->holes_capacity, chart->n_holes + 1,
                                           sizeof *grown);
    if (!grown) {
        run->failed = true;
        return;
    }
    chart->holes = grown;
    grown[chart->n_holes++] = (pare_hole){(uint32_t)chart->n_sets, m->at, to};
    pare_earley_begin_set(run, to);
}

/* Begins a set before the current candidate's letter, with all items that can take it at the
 * candidate's price. */
static bool resume(const struct mender *m, pare_earley *run)
{
    struct candidate c = m->candidates[m->current];
    begin_after_hole(m, run, c.to);
    if (run->failed) return false;
    run->first_way_only = true;
    for (size_t level = 0; level < m->n_levels; level++) {
        for (uint32_t i = m->level[level]; i < m->level[level + 1] && !run->failed; i++) {
            uint32_t dot = find_dot(run, i, run->letter), group = run->chart->items[i].group;
            if (run->p->next[dot] != PARE_DOT_END && price_of(run, i, dot, level) == c.price)
                pare_earley_add_item(run, dot, group, i, PARE_ITEM_SKIPPED);
        }
    }
    run->first_way_only = false;
    if (m->first == m->end) pare_earley_predict_start(run);
    return !run->failed;
}

/* Leaves out the rest, and closes all that is open. */
static bool close_all(const struct mender *m, pare_earley *run)
{
    pare_chart *chart = run->chart;
    begin_after_hole(m, run, chart->n_letters);
    if (run->failed) return false;
    run->unfiltered = run->first_way_only = true;
    uint32_t first = (uint32_t)chart->n_items;
    for (uint32_t i = m->first; i < m->end && !run->failed; i++)
        cut_short(run, i);
    if (!run->failed) close_levels(run, first, SIZE_MAX, NULL);
    if (!run->failed && chart->groups[0].done_in == run->position)
        pare_earley_note_finish(run, (pare_finish){run->position, chart->groups[0].done_item});
    return false;
}

/* The resumption on trial has failed: takes the next one, or the best. */
static bool try_another(struct mender *m, pare_earley *run, uint32_t reach)
{
    if (reach > m->best_reach) {
        m->best = m->current;
        m->best_reach = reach;
    }
    if (++m->current < m->n_candidates) return resume(m, run);
    if (m->best_reach == 0) return close_all(m, run);
    m->current = m->best;
    m->final = true;
    return resume(m, run);
}

/* Begins another set, from which the run can go on.  False at the end: then what is open
 * has been closed and the finish noted, unless nothing was; or memory is out. */
static bool mender_go_on(struct mender *m, pare_earley *run)
{
    uint32_t n = run->chart->n_letters;
    bool ended = false; /* resumed after all letters, and what follows there fails again */
    if (m->trying) {
        ended = m->candidates[m->current].to >= n;
        uint32_t reach = run->at - m->candidates[m->current].to;
        if (!m->final && reach < TRIAL_LETTERS) return try_another(m, run, reach);
    }
    m->trying = true;
    m->final = false;
    m->at = run->at < n ? run->at : n;
    open_items(m, run);
    if (run->chart->n_mended++ == 0 && !run->failed) note_expected(m, run);
    if (!run->failed) find_candidates(m, run);
    if (run->failed) return false;
    return m->n_candidates > 0 && !ended ? resume(m, run) : close_all(m, run);
}

/* --- the whole ---------------------------------------------------------------------- */

/* Each round mends one error and runs on; trials that fail at once are rounds, too. */
pare_status pare_earley_mend(pare_earley *run, pare_error *err)
{
    struct mender mender = {0};
    run->chart->first_made = SIZE_MAX;
    while (!run->failed && run->chart->n_finishes == 0 && !pare_earley_is_beyond_limit(run) &&
           mender_go_on(&mender, run))
        pare_earley_run_sets(run);
    mender_done(&mender);
    return pare_earley_end_run(run, err);
}
